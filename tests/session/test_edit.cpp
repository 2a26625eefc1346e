// Kernels that are edited in the window: what runs is the edited text and nothing else, files stay as they are, runs are tabs, and
// Ctrl+Z gives the first trace again.
#include "base/read_file.h"
#include "host_trace.h"
#include "scene_texts.h"
#include "synthetic_trace.h"
#include "traced.h"
#include "tracer/replay/diff.h"
#include "viewer/input/text_area.h"
#include "viewer/panels/panels.h"
#include "viewer/scene/languages.h"
#include "viewer/session/window_content.h"
#include "viewer/state/window_layout.h"

#include <doctest.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string>

#if TWIDDLE_HAVE_WINDOW
#include "window/window_session.h"
#endif

using namespace twiddle;

namespace {

namespace fs = std::filesystem;

constexpr const char* butterfly_line = "F[p.i1] = a - t;";
constexpr const char* other_line = "F[p.i1] = a - t - t;";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

Request radix2(std::uint64_t n = 8) {
  Request request;
  request.algorithm = "fft-radix2", request.n = n, request.signal = "random:1";
  return request;
}

/// A window on a run on the host, without a window. `opened`: on a trace that was opened, and not made here.
struct EditWindow {
  Document document;
  WindowOptions options;
  Remembered remembered;
  WindowControl control{document, {}};
  int runs = 0;
  WindowContent content;

  explicit EditWindow(const Request& request, std::shared_ptr<const TraceSource> opened = nullptr)
      : document(opened ? opened : host_trace(request)),
        options(options_of(opened ? Request{} : request)),
        content(
            options, control, remembered, [] {}, [](const std::string&) {}) {
    WindowActions actions;
    content.add_actions(actions);
    actions.copy = [this](const std::string& text) { clipboard = text; };
    actions.paste = [this] { return clipboard; };
    control.set_actions(actions);
    content.begin(document);
    control.resize(1440, 900);
  }

  WindowOptions options_of(const Request& request) {
    WindowOptions made;
    made.request = request;
    made.runtime = "host";
    made.devices = [] { return DeviceList{}; };
    made.run = [this](const Request& asked, const std::string&, int, const Progress&) {
      ++runs;
      return WindowOptions::Made{host_trace(asked), {}};
    };
    return made;
  }

  WindowState& state() { return control.state(); }
  Document& shown() { return control.document(); }
  void settle() { twiddle::settle(content); }
  void type(const std::string& text) {
    for (const char c : text) CHECK(control.character(static_cast<unsigned char>(c)));
  }
  /// Opens the source with what is edited in place of a line of it.
  void edit(const std::string& from, const std::string& to) {
    if (!state().editor.open) control.key({"E"}), control.character('e');
    REQUIRE(state().editor.draft());
    TextArea& area = state().editor.draft()->area;
    const std::size_t at = area.text().find(from);
    REQUIRE(at != std::string::npos);
    area.go(at, false);
    area.go(at + from.size(), true);
    type(to);
  }
  void run() {
    control.key({"Enter", true});
    settle();
  }
  void check_fresh(const Request& request) {
    const std::shared_ptr<const TraceSource> fresh = host_trace(request);
    const TraceDiff diff = diff_traces(shown().trace, fresh);
    CHECK(diff.same());
    CHECK(diff.compared == fresh->info().steps);
  }
  std::vector<std::string> tabs() {
    std::vector<std::string> names;
    for (const RunTab& tab : state().runs.tabs) names.push_back(tab.edited ? tab.name + "*" : tab.name);
    return names;
  }
  /// The middle of a tab.
  Point tab(std::size_t which) {
    const std::vector<Box> boxes = run_tab_boxes(state(), window_layout(state()).runs);
    REQUIRE(which < boxes.size());
    return {boxes[which].x + 8, boxes[which].centre().y};
  }

  std::string clipboard;
};

Request with_edit(Request request, const std::string& name, const std::string& text) {
  request.edited[name] = text;
  return request;
}

using Names = std::vector<std::string>;

/// A plan of the user's own with one kernel, which the host takes.
struct OwnPlan {
  synthetic::Folder folder;
  fs::path kernel = folder / "twice.cu", plan = folder / "twice.toml";
  std::string text =
      "#include \"trace_device.h\"\n"
      "#include \"part.h\"\n\n"
      "extern \"C\" __global__ void twice(float *x TRACE_PARAMS)\n"
      "{\n"
      "  int i = threadIdx.x;\n"
      "  float a = x[i];\n"
      "  x[i] = FACTOR * a;\n"
      "  TRACE_SCALE(x, i, a, (float)FACTOR);\n"
      "}\n";
  Request request;
  OwnPlan() {
    std::ofstream(kernel, std::ios::binary) << text;
    std::ofstream(folder / "part.h", std::ios::binary) << "#define FACTOR 2\n";
    std::ofstream(plan) << "title = \"twice\"\n\n[[buffer]]\nname = \"x\"\ntype = \"float\"\ncount = 4\n"
                           "content = \"iota\"\n\n[[launch]]\nsource = \"twice.cu\"\nkernel = \"twice\"\n"
                           "global = [4]\nlocal = [4]\nargs = [\"x\"]\n";
    request.algorithm = plan.string();
  }
};

}  // namespace

TEST_CASE(
    "an edited line runs again on Ctrl+Enter: the trace is that of a fresh run of the edited text, the first one that "
    "differs is gone to") {
  const Request request = radix2();
  EditWindow window(request);
  const std::shared_ptr<const TraceSource> first = window.shown().trace;
  const fs::path ours = kernel_source(make_plan(request), make_plan(request).launches.front(), ".cu").directory;
  const std::string before = own_file(ours / "fft_radix2.cu");
  window.control.key({"E"});
  CHECK(window.control.character('e'));  // the key's own letter
  REQUIRE(window.control.editing());
  REQUIRE(window.state().editor.draft());
  CHECK(window.state().editor.name == "fft_radix2.cu");
  CHECK(window.state().editor.draft()->area.text() == before);
  CHECK_FALSE(window.state().editor.changed());
  window.edit(butterfly_line, other_line);
  CHECK(window.state().editor.changed());
  CHECK(window.runs == 0);  // nothing runs before it is asked for
  const std::string edited = replaced(before, butterfly_line, other_line);
  CHECK(window.state().editor.draft()->area.text() == edited);
  window.run();
  CHECK(window.runs == 1);
  CHECK(window.shown().trace != first);
  window.check_fresh(with_edit(request, "fft_radix2.cu", edited));
  CHECK_FALSE(window.state().editor.changed());
  CHECK(own_file(ours / "fft_radix2.cu") == before);
  CHECK(window.shown().info().parameters.at("edited") == "fft_radix2.cu");
  CHECK(window.tabs() == Names{"run 1", "run 2*"});

  // What differs is framed, in every column, and the cursor is at the first of it.
  std::uint64_t differs = 0;
  for (std::uint64_t step = first->info().steps; step > 0; --step) {
    Document was(first);
    const Operation a = was.replay->operation(step), b = window.shown().replay->operation(step);
    bool same = a.writes.size() == b.writes.size();
    for (int w = 0; same && w < a.writes.size(); ++w) same = a.writes[w].value == b.writes[w].value;
    for (int r = 0; same && r < a.reads.size(); ++r) same = a.reads[r].value == b.reads[r].value;
    if (!same) differs = step;
  }
  REQUIRE(differs > 0);
  CHECK(window.state().cursor.step == differs);
  REQUIRE(window.state().frames);
  CHECK(window.state().frames->steps() > 0);
  const auto framed = [&] {
    const Scene scene = window_scene(window.shown(), window.state());
    return std::count_if(scene.shapes.begin(), scene.shapes.end(), [](const Shape2D& shape) {
      return shape.stroke.role == Role::Hover && shape.fill == Role::None &&
             std::holds_alternative<BoxShape>(shape.geometry);
    });
  };
  const auto at_first = framed();
  window.control.command(Command::Last);
  CHECK(framed() > at_first);
}

TEST_CASE("Ctrl+Z gives the first trace again, and samples that were dragged come before it") {
  const Request request = radix2();
  EditWindow window(request);
  const std::shared_ptr<const TraceSource> first = window.shown().trace;
  window.edit(butterfly_line, other_line);
  window.run();
  const std::shared_ptr<const TraceSource> second = window.shown().trace;
  REQUIRE(second != first);
  window.control.key({"Escape"});
  CHECK_FALSE(window.state().editor.open);
  window.control.command(Command::Undo);
  CHECK(window.shown().trace == first);
  CHECK(window.state().runs.shown == 0);
  CHECK_FALSE(window.state().frames);
  window.control.command(Command::Undo);
  CHECK(window.state().message == "There is nothing to put back.");
  // The tab leads there again, with its kernel.
  window.control.command(Command::ShowRun, 1);
  CHECK(window.shown().trace == second);
  window.control.command(Command::RunAgain);
  window.settle();
  CHECK(window.shown().trace != second);
  CHECK(diff_traces(window.shown().trace, second).same());
  CHECK(window.tabs() == Names{"run 1", "run 2*", "run 3*"});
}

TEST_CASE("what does not compile says so at its line, the old run stays, and the edits are kept") {
  EditWindow window(radix2());
  const std::shared_ptr<const TraceSource> first = window.shown().trace;
  window.edit(butterfly_line, "F[p.i1] = a - nothing_of_this_name;");
  const int line = window.state().editor.draft()->area.line_at(window.state().editor.draft()->area.caret());
  window.run();
  CHECK(window.shown().trace == first);
  CHECK(window.tabs() == Names{"run 1"});
  REQUIRE_FALSE(window.state().problems.empty());
  CHECK(window.state().problems.front().source == "fft_radix2.cu");
  CHECK(window.state().problems.front().line == line);
  CHECK(window.state().problems.front().text.find("nothing_of_this_name") != std::string::npos);
  CHECK(window.state().editor.changed());
  const Scene scene = window_scene(window.shown(), window.state());
  CHECK(std::any_of(scene.shapes.begin(), scene.shapes.end(),
                    [](const Shape2D& shape) { return shape.fill == Role::ErrorSoft; }));
  // Closed, it is kept, and the window does not close without a word.
  window.control.key({"Escape"});
  CHECK(window.state().editor.changed());
  CHECK_FALSE(window.content.may_close());
  CHECK(window.state().message.find("no file") != std::string::npos);
  CHECK(window.content.may_close());
  window.control.key({"E"}), window.control.character('e');
  CHECK(window.state().editor.draft()->area.text().find("nothing_of_this_name") != std::string::npos);
  // And taken back.
  window.control.command(Command::RevertSource);
  CHECK_FALSE(window.state().editor.changed());
  CHECK(window.content.may_close());
  window.control.key({"Z", true});
  CHECK(window.state().editor.changed());
}

TEST_CASE("a kernel of the user's own is written when it is saved, and not before; one of ours as a copy") {
  const OwnPlan own;
  EditWindow window(own.request);
  const std::shared_ptr<const TraceSource> first = window.shown().trace;
  window.edit("FACTOR * a;", "FACTOR * a + 1;");
  window.run();
  REQUIRE(window.shown().trace != first);
  CHECK(own_file(own.kernel) == own.text);
  const std::string edited = replaced(own.text, "FACTOR * a;", "FACTOR * a + 1;");
  window.check_fresh(with_edit(own.request, "twice.cu", edited));
  CHECK_FALSE(window.content.may_close());
  window.control.key({"S", true});
  CHECK(own_file(own.kernel) == edited);
  CHECK(window.content.may_close());
  // What it includes is edited, too.
  window.control.key({"Escape"});
  REQUIRE(window.state().editor.begin(window.shown().info(), "part.h"));
  window.edit("FACTOR 2", "FACTOR 3");
  window.run();
  CHECK(own_file(own.folder / "part.h") == "#define FACTOR 2\n");
  Request both = with_edit(own.request, "part.h", "#define FACTOR 3\n");
  window.check_fresh(both);
  // Another program wrote the file meanwhile.
  window.control.key({"Escape"});
  REQUIRE(window.state().editor.begin(window.shown().info(), "twice.cu"));
  std::ofstream(own.kernel, std::ios::binary) << own.text << "// by another editor\n";
  window.edit("+ 1", "+ 5");
  window.control.key({"S", true});
  CHECK(window.state().message.find("another program") != std::string::npos);
  CHECK(own_file(own.kernel).find("by another editor") != std::string::npos);
  window.control.key({"S", true});
  CHECK(own_file(own.kernel).find("+ 5") != std::string::npos);

  EditWindow ours(radix2());
  ours.edit(butterfly_line, other_line);
  ours.control.key({"S", true});
  REQUIRE(ours.state().text_entry.kind == TextEntry::Kind::Save);
  const fs::path copy = own.folder / "copy.cu";
  ours.state().text_entry.line = TextLine::selected(copy.string());
  ours.control.key({"Enter"});
  CHECK(ours.state().text_entry.kind == TextEntry::Kind::None);
  CHECK(own_file(copy).find(other_line) != std::string::npos);
  // Nothing is written over.
  ours.control.key({"S", true});
  ours.state().text_entry.line = TextLine::selected(own.plan.string());
  ours.control.key({"Enter"});
  CHECK(ours.state().text_entry.error.find("another name") != std::string::npos);
  ours.control.key({"Enter"});
  CHECK(ours.state().text_entry.error.find("another name") != std::string::npos);
  CHECK(own_file(own.plan).find("title") == 0);
}

TEST_CASE("an edited kernel of a trace that was opened is run once the user agrees") {
  const Request request = radix2();
  const synthetic::Folder folder;
  const fs::path file = folder / "theirs.twd";
  {
    const std::unique_ptr<Runtime> runtime = open_host_runtime();
    TraceWriter writer(file);
    trace_plan(make_plan(request), *runtime, {}, writer);
    writer.finish();
  }
  EditWindow window({}, TraceReader::open(file));
  window.edit(butterfly_line, other_line);
  window.run();
  CHECK(window.runs == 0);
  CHECK(window.state().asked_to_run == file.string());
  window.control.key({"Escape"});
  CHECK(window.state().asked_to_run.empty());
  CHECK(window.runs == 0);
  CHECK(window.state().editor.changed());
  window.control.key({"Enter", true});
  REQUIRE(window.state().asked_to_run == file.string());
  window.control.key({"Enter"});
  window.settle();
  CHECK(window.runs == 1);
  CHECK(window.remembered.agreed.contains(file.string()));
  // Once for the file.
  window.edit(other_line, "F[p.i1] = a + t;");
  window.run();
  CHECK(window.runs == 2);
  CHECK(window.tabs() == Names{"run 1", "run 2*", "run 3*"});
}

TEST_CASE("a tab that is dropped on another is shown beside it, by keys too; tabs close, and so many are kept") {
  EditWindow window(radix2());
  const std::shared_ptr<const TraceSource> first = window.shown().trace;
  window.edit(butterfly_line, other_line);
  window.run();
  const std::shared_ptr<const TraceSource> second = window.shown().trace;
  REQUIRE(window.tabs().size() == 2);
  const auto mark_at = [&](Point at) {
    const Scene scene = window_scene(window.shown(), window.state());
    return window.control.under(scene, at);
  };
  const Point from = window.tab(1), to = window.tab(0);
  const std::optional<MarkText> mark = mark_at(from);
  REQUIRE(mark);
  CHECK(mark->mark.command == name_of(Command::ShowRun));
  window.control.press(&*mark, from);
  window.control.drag({(from.x + to.x) / 2, from.y});
  window.control.drag(to);
  CHECK(window.state().runs.dragged == 1);
  CHECK(text_faults(window_scene(window.shown(), window.state())).empty());
  window.control.release(to);
  REQUIRE(window.state().beside);
  CHECK(window.state().beside->first().trace == first);
  CHECK(window.state().beside->second().trace == second);
  CHECK(window.state().runs.beside == 1);
  window.settle();
  // A click on a tab shows it alone.
  const Point there = window.tab(1);
  const std::optional<MarkText> tab = mark_at(there);
  REQUIRE(tab);
  window.control.press(&*tab, there);
  window.control.release(there);
  CHECK_FALSE(window.state().beside);
  CHECK(window.shown().trace == second);
  window.control.key({"Escape"});  // the editor
  window.control.key({"C", false, true});
  REQUIRE(window.state().beside);
  CHECK(window.state().beside->first().trace == first);
  CHECK(window.state().beside->second().trace == second);
  window.control.key({"C", false, true});
  CHECK_FALSE(window.state().beside);
  window.control.key({"Tab", true});
  const std::size_t one = window.state().runs.shown;
  window.control.key({"Tab", true, true});
  CHECK(window.state().runs.shown != one);

  for (std::size_t run = window.tabs().size(); run < RunTabs::max_runs + 2; ++run) {
    window.control.command(Command::RunAgain);
    window.settle();
  }
  CHECK(window.tabs().size() == RunTabs::max_runs);
  CHECK(window.state().message.find("is closed") != std::string::npos);
  CHECK(text_faults(window_scene(window.shown(), window.state())).empty());
  const Names before = window.tabs();
  window.control.key({"W", true});
  CHECK(window.tabs().size() == RunTabs::max_runs - 1);
  CHECK(window.tabs().back() != before.back());
  while (window.tabs().size() > 1) window.control.command(Command::CloseRunTab, 0);
  window.control.command(Command::CloseRun);
  CHECK(window.tabs().size() == 1);
}

TEST_CASE("no text of the editor and of the tabs is cut or laid over another, in any language, size and theme") {
  EditWindow window(radix2(16));
  window.edit(butterfly_line, "F[p.i1] = a - nothing; // 蝶形 バタフライ");
  window.run();
  REQUIRE_FALSE(window.state().problems.empty());
  window.control.command(Command::RevertSource);
  window.edit(butterfly_line, other_line);
  window.run();
  REQUIRE(window.tabs().size() == 2);
  struct Size {
    float width, height;
  };
  for (const bool wrong : {false, true})
    for (const Language language : {Language::English, Language::Japanese, Language::Chinese}) {
      use_language(language);
      window.state().language = language;
      window.content.language_changed(language);
      window.state().problems.clear();
      window.state().message.clear();
      if (wrong) window.state().problems = {{"fft_radix2.cu", 51, "use of undeclared identifier 'nothing'"}};
      for (const Size& size : {Size{1024, 640}, Size{1280, 720}, Size{1440, 900}, Size{1920, 1080}, Size{3840, 2160}})
        for (const ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Projector}) {
          CAPTURE(size.width);
          CAPTURE(std::string(name_of(name)));
          window.control.resize(size.width, size.height);
          window.state().theme = name;
          const Scene scene = window_scene(window.shown(), window.state());
          for (const std::string& fault : text_faults(scene)) {
            CAPTURE(fault);
            CHECK(fault.empty());
          }
        }
    }
  use_language(Language::English);
}

TEST_CASE("a text of many lines: letters, lines, words, what is selected, and the way back") {
  TextArea area("one\n  two three\nfour\n");
  area.go(area.line_begin(2) + 5, false);
  CHECK(area.line_at(area.caret()) == 2);
  CHECK(area.edit({"Enter"}, 1));
  CHECK(area.text() == "one\n  two\n   three\nfour\n");
  CHECK(area.undo());
  CHECK(area.text() == "one\n  two three\nfour\n");
  CHECK(area.redo());
  CHECK(area.undo());
  // Up and Down keep to their column over short lines.
  area.go(area.line_begin(2) + 9, false);
  area.edit({"Down"}, 1);
  CHECK(area.caret() == area.line_begin(3) + 4);
  area.edit({"Up"}, 1);
  CHECK(area.caret() == area.line_begin(2) + 9);
  area.edit({"Home"}, 1);
  CHECK(area.caret() == area.line_begin(2) + 2);
  area.edit({"Home"}, 1);
  CHECK(area.caret() == area.line_begin(2));
  area.edit({"End", false, true}, 1);
  CHECK(area.selection() == "  two three");
  area.edit({"Tab"}, 1);
  CHECK(area.text() == "one\n  \nfour\n");
  area.undo();
  area.edit({"A", true}, 1);
  area.edit({"Tab", false, true}, 1);
  CHECK(area.text() == "one\ntwo three\nfour\n");
  area.edit({"Home", true}, 1);
  area.edit({"Right", true}, 1);
  CHECK(area.caret() == 3);
  area.edit({"Delete", true}, 1);
  CHECK(area.text() == "one three\nfour\n");
  area.edit({"Backspace"}, 1);
  area.edit({"Page Down"}, 10);
  CHECK(area.caret() == area.text().size());
  CHECK_FALSE(area.edit({"F5"}, 1));
  // Other systems' lines, characters that are none, and letters of several bytes.
  TextArea other(
      "a\r\nb\rc\x01"
      "é蝶");
  CHECK(other.text() == "a\nb\nc é蝶");
  other.go(other.text().size(), false);
  other.edit({"Backspace"}, 1);
  other.edit({"Left"}, 1);
  CHECK(other.text().substr(other.caret()) == "é");
  CHECK_FALSE(other.insert(std::string(TextArea::max_bytes, 'x')));
  CHECK(other.text() == "a\nb\nc é");
  // Typed letters come back a word at a time.
  TextArea typed("");
  for (const char c : std::string("for while")) typed.insert(std::string(1, c));
  typed.undo();
  CHECK(typed.text() == "for ");
  while (typed.undo()) {}
  CHECK(typed.text().empty());
}

TEST_CASE("the lines that differ from the text that ran") {
  const auto lines = [](const std::string& text, const std::string& original) {
    const ChangedLines changed = changed_lines(text, original);
    return std::pair{changed.first, changed.last};
  };
  CHECK(lines("a\nb\nc\n", "a\nb\nc\n").second < 1);
  CHECK(lines("a\nX\nc\n", "a\nb\nc\n") == std::pair{2, 2});
  CHECK(lines("a\nX\nY\nc\n", "a\nb\nc\n") == std::pair{2, 3});
  CHECK(lines("a\nc\n", "a\nb\nc\n").first == 2);
  CHECK(lines("", "a\n") == std::pair{1, 1});
}

#if TWIDDLE_HAVE_WINDOW

TEST_CASE("in the real window a line is edited and run: the values are those of a fresh run, Ctrl+Z and two tabs") {
  using namespace window_session;
  if (!can_drive_a_window()) return;
  Request request = radix2();
  const fs::path trace = traced_file(request);
  Session window(trace, 14, {}, {}, [&](WindowOptions& options) {
    options.request = request;
    options.devices = [] { return DeviceList{}; };
    options.run = [](const Request& asked, const std::string&, int, const Progress&) {
      return WindowOptions::Made{host_trace(asked), {}};
    };
  });
  // The first run on the host, whose source is CUDA's.
  window.does("key r");
  CHECK(window.reaches([](const json& now) { return now["runs"].is_object() && !now["running"]; }));
  window.does("key e");
  CHECK(window.reaches("editing", true));
  const std::string before = window.state()["draft"].get<std::string>();
  const std::size_t at = before.find(butterfly_line);
  REQUIRE(at != std::string::npos);
  // To the line, to its end, back over the semicolon.
  window.does("key ctrl+Home");
  const auto down = std::count(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  window.does("key --delay 2 --repeat " + std::to_string(down) + " Down");
  window.does("key End key BackSpace type --delay 5 ' - t;'");
  const std::string edited = replaced(before, butterfly_line, other_line);
  CHECK(window.reaches("draft", edited));
  CHECK(window.state()["edited"] == true);
  window.does("key ctrl+Return");
  CHECK(window.reaches([](const json& now) {
    return now["runs"].is_object() && now["runs"]["tabs"].size() == 3 && now["edited"] == false && !now["running"];
  }));
  const json runs = window.state()["runs"];
  CHECK(runs["tabs"][2] == "run 3*");
  CHECK(runs["differ"].get<std::uint64_t>() > 0);
  const std::shared_ptr<const TraceSource> fresh = host_trace(with_edit(request, "fft_radix2.cu", edited));
  Document there(fresh);
  const std::vector<std::complex<double>> wanted =
      numbers_of(there, fresh->info().buffer_named(fresh->info().expect.output),
                 static_cast<int>(fresh->info().segments.size()) - 1);
  REQUIRE(runs["result"].size() == wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    CHECK(runs["result"][k][0].get<double>() == wanted[k].real());
    CHECK(runs["result"][k][1].get<double>() == wanted[k].imag());
  }
  window.does("key Escape");
  CHECK(window.reaches("editing", false));
  window.does("key ctrl+z");
  CHECK(window.reaches([](const json& now) { return now["runs"]["shown"] == 1; }));
  CHECK(window.state()["runs"]["result"] != runs["result"]);
  window.does("key ctrl+Tab");
  CHECK(window.reaches([](const json& now) { return now["runs"]["shown"] == 2; }));
  window.does("key shift+c");
  CHECK(window.reaches([](const json& now) { return now["runs"]["beside"] == 2 && now["beside_step"].is_number(); }));
  CHECK(window.alive());
}

#endif
