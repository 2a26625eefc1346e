// The window's scene at every size, in every theme: nothing clipped, nothing over anything else, and what it says is true.
#include "tracer/file/trace_file.h"
#include "viewer/frame/window_scene.h"

#include "traced.h"
#include "viewer/document/flow.h"
#include "viewer/facts/trace_facts.h"
#include "viewer/panels/panels.h"
#include "viewer/scene/fonts.h"
#include "viewer/state/window_layout.h"
#include "viewer/words/operation_text.h"

#include <doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace twiddle;

namespace {

struct PlacedText {
  std::string text;
  Box box, clip;
  int layer = 0;
};

std::vector<PlacedText> texts_of(const Scene& scene) {
  std::vector<PlacedText> texts;
  for (const Shape2D& shape : scene.shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.geometry)) {
      const Box clip = shape.clip >= 0 ? scene.clips[shape.clip] : Box{0, 0, scene.width, scene.height};
      texts.push_back({text->text, bounds(shape), clip, shape.layer});
    }
  return texts;
}

bool shows_exactly(const Scene& scene, const std::string& wanted) {
  const auto texts = texts_of(scene);
  return std::any_of(texts.begin(), texts.end(), [&](const PlacedText& text) { return text.text == wanted; });
}

std::string all_text(const Scene& scene) {
  std::string all;
  for (const PlacedText& text : texts_of(scene)) all += text.text + "\n";
  return all;
}

// Every text is in its pane and in the window, and no two of one layer overlap. What the diagram keeps inside
// its own pane is tested with it.
std::vector<std::string> faults_of(const Scene& scene, const Box& diagram) {
  constexpr float slack = 1.5f;  // px: a measured width against whole pixels
  std::vector<std::string> faults;
  std::vector<PlacedText> texts = texts_of(scene);
  std::erase_if(texts,
                [&](const PlacedText& text) { return text.layer < 1000 && diagram.contains(text.box.centre()); });
  const Box window{0, 0, scene.width, scene.height};
  const auto inside = [&](const Box& box, const Box& outer) {
    return box.x >= outer.x - slack && box.y >= outer.y - slack && box.right() <= outer.right() + slack &&
           box.bottom() <= outer.bottom() + slack;
  };
  const auto group = [](int layer) { return layer / 1000; };  // panes, overlays, the tooltip
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const PlacedText& a = texts[i];
    if (!inside(a.box, a.clip) || !inside(a.box, window)) faults.push_back("clipped: " + a.text);
    for (std::size_t j = i + 1; j < texts.size(); ++j) {
      const PlacedText& b = texts[j];
      if (group(a.layer) != group(b.layer)) continue;
      const float w = std::min(a.box.right(), b.box.right()) - std::max(a.box.x, b.box.x);
      const float h = std::min(a.box.bottom(), b.box.bottom()) - std::max(a.box.y, b.box.y);
      if (w > slack && h > slack) faults.push_back("overlap: " + a.text + " | " + b.text);
    }
  }
  return faults;
}

WindowState state_of(float width, float height, ThemeName theme, float scale, std::uint64_t step) {
  WindowState state;
  state.width = width, state.height = height, state.theme = theme, state.scale = scale;
  state.cursor.step = step;
  return state;
}

void check_layout(Document& document, const WindowState& state) {
  const Scene scene = window_scene(document, state);
  CAPTURE(document.info().algorithm);
  CAPTURE(state.width);
  CAPTURE(state.height);
  CAPTURE(state.scale);
  CAPTURE(name_of(state.theme));
  CAPTURE(state.cursor.step);
  CHECK(scene.width == state.width);
  CHECK(scene.height == state.height);
  for (const std::string& fault : faults_of(scene, window_layout(state).diagram)) {
    CAPTURE(fault);
    CHECK(fault.empty());
  }
}

const Mark* find_mark(const Scene& scene, MarkKind kind, const std::string& command) {
  for (const MarkText& marked : scene.marks)
    if (marked.mark.kind == kind && marked.mark.command == command) return &marked.mark;
  return nullptr;
}

constexpr ThemeName themes[] = {ThemeName::Light, ThemeName::Dark, ThemeName::Projector};

}  // namespace

TEST_CASE("panes follow the look's numbers, fold in small windows and grow in large ones") {
  const WindowLayout usual = window_layout(state_of(1440, 900, ThemeName::Light, 1, 0));
  CHECK(usual.top.h == 44);
  CHECK(usual.left.w == 192);
  CHECK(usual.right.w == 352);
  CHECK(usual.items.h == 210);
  CHECK(usual.scrub.h == 84);
  CHECK(usual.diagram.w == 896);
  CHECK(usual.diagram.h == 562);
  CHECK_FALSE(usual.rail);

  const WindowLayout small = window_layout(state_of(1024, 640, ThemeName::Light, 1, 0));
  CHECK(small.rail);
  CHECK(small.left.w == 48);
  CHECK(small.right.w == 304);
  CHECK(small.side_tabs);
  CHECK(small.lanes_tabs);
  CHECK(small.items.h == 132);
  CHECK(small.scrub.h == 64);

  const WindowLayout large = window_layout(state_of(2560, 1440, ThemeName::Light, 1, 0));
  CHECK(large.left.w == 240);
  CHECK(large.right.w == 480);
  CHECK(large.items.h == 280);

  const WindowLayout doubled = window_layout(state_of(2880, 1800, ThemeName::Light, 2, 0));
  CHECK(doubled.right.w == 704);
  CHECK(doubled.diagram.w == 1792);
}

TEST_CASE("panes never overlap and cover the window, however small it is") {
  for (const auto& [width, height] : {std::pair{320.0f, 240.0f},
                                      {640.0f, 480.0f},
                                      {800.0f, 600.0f},
                                      {1023.0f, 767.0f},
                                      {1440.0f, 900.0f},
                                      {3840.0f, 2160.0f}})
    for (ThemeName name : themes)
      for (float scale : {0.5f, 1.0f, 1.37f, 2.0f}) {
        const WindowLayout layout = window_layout(state_of(width, height, name, scale, 0));
        std::vector<Box> boxes{layout.top,   layout.left,  layout.right, layout.diagram,
                               layout.strip, layout.scrub, layout.items};
        if (!layout.lanes_tabs) boxes.push_back(layout.memory);
        for (std::size_t i = 0; i < boxes.size(); ++i)
          for (std::size_t j = i + 1; j < boxes.size(); ++j) {
            const float w = std::min(boxes[i].right(), boxes[j].right()) - std::max(boxes[i].x, boxes[j].x);
            const float h = std::min(boxes[i].bottom(), boxes[j].bottom()) - std::max(boxes[i].y, boxes[j].y);
            CHECK((w <= 0 || h <= 0));
          }
      }
}

TEST_CASE("no text of the window is clipped or overlaps another, at any size, in any theme") {
  const std::pair<float, float> sizes[] = {{640, 480},  {1024, 640},  {1280, 720},
                                           {1440, 900}, {1920, 1080}, {2560, 1440}};
  for (const auto& [algorithm, n] : {std::pair{"fft-radix2", 8},
                                     {"fft-radix2", 64},
                                     {"fft-radix2", 1024},
                                     {"fft-radix4", 16},
                                     {"reduce-interleaved", 16}}) {
    Document document(traced(algorithm, static_cast<std::uint64_t>(n),
                             std::string(algorithm) == "reduce-interleaved" ? "ramp"
                             : n == 8                                       ? "ramp"
                                                                            : "random:1"));
    const std::uint64_t last = document.info().steps;
    for (const auto& [width, height] : sizes)
      for (ThemeName name : themes)
        for (std::uint64_t step : {std::uint64_t(0), std::uint64_t(1), last / 2 + 1, last})
          check_layout(document, state_of(width, height, name, 1, step));
  }
}

TEST_CASE("scaling moves nothing over anything") {
  Document document(traced("fft-radix2", 8));
  for (float scale : {0.5f, 0.8f, 1.1f, 1.5f, 2.0f, 3.0f})
    for (const auto& [width, height] : {std::pair{1440.0f, 900.0f}, {3840.0f, 2160.0f}})
      for (ThemeName name : themes) check_layout(document, state_of(width, height, name, scale, 8));
}

TEST_CASE("overlays, tabs and what a narrow window folds away keep the same rules") {
  Document document(traced("fft-radix2", 8));
  document.bookmarks = {{8, "first w that is not 1"},
                        {12, "a note that is much too long for the pane that it has to stand in, and then some"}};
  for (const auto& [width, height] : {std::pair{640.0f, 480.0f}, {1024.0f, 640.0f}, {1440.0f, 900.0f}})
    for (ThemeName name : themes) {
      WindowState state = state_of(width, height, name, 1, 8);
      check_layout(document, state);
      for (const SideTab tab : {SideTab::Source, SideTab::Operation, SideTab::Findings}) {
        state.side_tab = tab;
        state.lanes_tab = LanesTab::Memory;
        check_layout(document, state);
      }
      state.help = true;
      check_layout(document, state);
      state.help = false, state.text_entry = {.kind = TextEntry::Kind::GoTo, .line = {.text = "L3.S2.I1"}};
      check_layout(document, state);
      state.text_entry.error =
          "There is no launch 9: this trace has 4 launches, and a sentence about it that takes more than one line of "
          "the card.";
      check_layout(document, state);
      state.text_entry.kind = TextEntry::Kind::None, state.message = state.text_entry.error;
      check_layout(document, state);
      state.presenting = true;
      check_layout(document, state);
    }
}

TEST_CASE("every kind of operation fits its inspector, with values and without") {
  for (const char* algorithm :
       {"fft-radix2", "fft-radix4", "fft-stockham2", "reduce-sequential", "histogram-local", "dft"}) {
    const std::uint64_t n = std::string(algorithm) == "histogram-local" ? 4096 : 16;
    for (Detail detail : {Detail::Values, Detail::Index}) {
      Document document(
          traced(algorithm, n, std::string(algorithm).starts_with("fft") ? "random:3" : "", false, detail));
      // One step of every kind.
      std::set<OperationKind> seen;
      for (const Segment& segment : document.info().segments)
        if (segment.count > 0 && seen.insert(segment.kind).second)
          for (const auto& [width, height] : {std::pair{1024.0f, 640.0f}, {1440.0f, 900.0f}})
            check_layout(document,
                         state_of(width, height, ThemeName::Light, 1, segment.first_step + segment.count / 2));
    }
  }
}

TEST_CASE("the picture of the manual: work-item 1 of stage 2") {
  Document document(traced("fft-radix2", 8));
  const Scene scene = window_scene(document, state_of(1440, 900, ThemeName::Light, 1, 8));
  for (const char* text : {"Work-item 1",
                           "butterfly · stage 2 of 3 · span 4 · stride 2",
                           "L3.S2.I1",
                           "step 8 of 14",
                           "F[1]",
                           "(−4, 4)",
                           "(−4, −4)",
                           "fft_radix2.cl",
                           "−90°",
                           "bit_reversal",
                           "8 items, 2 swaps",
                           "stage 2 · span 4",
                           "now",
                           "pending",
                           "L3 stage 2",
                           "sector 0, 32 bytes",
                           "+24",
                           "bit reversal",
                           "Work-items",
                           "Memory",
                           "Stride 2 = 16 bytes. Load a uses half of each sector, load b the other half."}) {
    CAPTURE(text);
    CHECK(shows_exactly(scene, text));
  }
  CHECK(scene.description.find("F[1] ← F[1] + w·F[3] = (−4, 0) + (0, −1)·(−4, 0) = (−4, 4)") != std::string::npos);
  // Buttons for what works, and for nothing else.
  for (Command command :
       {Command::First, Command::StageBack, Command::StepBack, Command::PlayPause, Command::StepForward,
        Command::StageForward, Command::Last, Command::Slower, Command::Faster, Command::Present, Command::Predict})
    CHECK(find_mark(scene, MarkKind::Command, std::string(name_of(command))) != nullptr);
  CHECK(find_mark(scene, MarkKind::Command, "run-again") == nullptr);
}

TEST_CASE("before the first step nothing is claimed to have happened") {
  Document document(traced("fft-radix2", 8));
  const Scene scene = window_scene(document, state_of(1440, 900, ThemeName::Light, 1, 0));
  CHECK(shows_exactly(scene, "Nothing has run yet"));
  CHECK(shows_exactly(scene, "start"));
  CHECK(shows_exactly(scene, "step 0 of 14"));
  CHECK_FALSE(shows_exactly(scene, "done"));
  CHECK_FALSE(shows_exactly(scene, "now"));
}

TEST_CASE("a scene depends on the state alone: seeking equals stepping") {
  const auto trace = traced("fft-radix2", 16, "random:1");
  Document stepped(trace), sought(trace);
  std::vector<std::string> forwards;
  for (std::uint64_t step = 0; step <= stepped.info().steps; ++step)
    forwards.push_back(all_text(window_scene(stepped, state_of(1440, 900, ThemeName::Light, 1, step))));
  for (std::uint64_t step = sought.info().steps + 1; step-- > 0;) {
    CAPTURE(step);
    CHECK(all_text(window_scene(sought, state_of(1440, 900, ThemeName::Light, 1, step))) == forwards[step]);
  }
}

TEST_CASE("panes that decode a little in every frame are all finished, and then show what those that wait show") {
  for (const auto& [algorithm, n] :
       {std::pair{"fft-radix2", 64}, {"reduce-interleaved", 64}, {"histogram-local", 512}}) {
    CAPTURE(algorithm);
    const auto trace = traced(algorithm, static_cast<std::uint64_t>(n));
    Document hasty(trace), patient(trace);
    for (const char* tab : {"items", "memory", "butterfly"}) {
      WindowState state = state_of(1440, 900, ThemeName::Light, 1, trace->info().steps * 2 / 3);
      state.tab = tab;
      const std::string whole = all_text(window_scene(patient, state));
      state.patience_ms = 1e-3;
      Scene scene = window_scene(hasty, state);
      for (int frames = 0; scene.unfinished && frames < 2000; ++frames) scene = window_scene(hasty, state);
      CHECK_FALSE(scene.unfinished);
      CHECK(all_text(scene) == whole);
    }
  }
}

TEST_CASE("what a trace lost or cannot explain is shown, never hidden") {
  synthetic::Folder folder;
  const auto file = folder / "lossy.twd";
  {
    // The device holds other values than the log's writes leave: the file counts them.
    synthetic::Fft<float> fft({});
    TraceWriter writer(file);
    TraceInfo info = fft.info();
    writer.begin(info);
    const std::vector<std::byte> zero(8 * 8);
    writer.first_content(0, zero);
    writer.first_content(1, zero);
    LaunchInfo launch;
    launch.number = 1;
    launch.kernel = "first";
    launch.global[0] = launch.local[0] = 4;
    writer.begin_launch(launch);
    launch.attempted = 7;
    std::vector<std::byte> other = zero;
    other[5] = std::byte(0x40);
    writer.end_launch(launch, [&](int) { return std::span<const std::byte>(other); });
    writer.finish();
  }
  Document document(TraceReader::open(file));
  const WindowState state = state_of(1440, 900, ThemeName::Light, 1, 0);
  const Scene scene = window_scene(document, state);
  CHECK(shows_exactly(scene, "Findings"));
  CHECK(shows_exactly(scene, "unexplained"));
  CHECK(shows_exactly(scene, "operations lost"));
  CHECK(shows_exactly(scene, "This trace holds no operations: nothing that its") ==
        shows_exactly(scene, "This trace holds no operations: nothing that its"));
  CHECK(all_text(scene).find("could not") != std::string::npos);
  check_layout(document, state);
}

TEST_CASE("the scrub bar: every step has its place, and its place leads back to it") {
  for (const std::uint64_t n : {8, 64, 1024}) {
    const auto trace = traced("fft-radix2", n, n == 8 ? "ramp" : "random:1");
    const TraceInfo& info = trace->info();
    const Box box{100, 10, 700, 18};
    const ScrubBar bar(info, box, 1);
    CHECK(bar.step_at(0) == 0);
    CHECK(bar.step_at(5000) == info.steps);
    float before = box.x;
    std::uint64_t last = 0;
    for (std::uint64_t step = 1; step <= info.steps; ++step) {
      const Box cell = bar.cell(step);
      CHECK(cell.x >= before - 0.01f);
      CHECK(cell.right() <= box.right() + 1.01f);
      before = cell.x;
      if (n == 8) CHECK(bar.step_at(cell.centre().x) == step);
    }
    for (float x = box.x; x < box.right(); x += 0.5f) {  // dragging never jumps back
      CHECK(bar.step_at(x) >= last);
      last = bar.step_at(x);
    }
  }
  const TraceInfo empty;
  const ScrubBar nothing(empty, {0, 0, 100, 10}, 1);
  CHECK(nothing.pieces().empty());
  CHECK(nothing.step_at(50) == 0);
}

TEST_CASE("hovering lights the same thing in every view") {
  Document document(traced("fft-radix2", 8));
  WindowState state = state_of(1440, 900, ThemeName::Light, 1, 8);
  const auto outlines = [&](const Scene& scene, const Box& pane) {
    return std::count_if(scene.shapes.begin(), scene.shapes.end(), [&](const Shape2D& shape) {
      return shape.stroke.role == Role::Hover && std::holds_alternative<BoxShape>(shape.geometry) &&
             pane.contains(bounds(shape).centre());
    });
  };
  const WindowLayout layout = window_layout(state);
  const Scene calm = window_scene(document, state);
  for (const Box& pane : {layout.left, layout.items, layout.memory, layout.right}) CHECK(outlines(calm, pane) == 0);
  Mark mark;
  mark.kind = MarkKind::Operation;
  mark.step = 7;
  state.cursor.hover = mark;
  const Scene lit = window_scene(document, state);
  CHECK(outlines(lit, layout.left) == 1);    // its row in the launch list
  CHECK(outlines(lit, layout.items) == 1);   // its work-item's lane
  CHECK(outlines(lit, layout.memory) == 2);  // both elements
  CHECK(outlines(lit, layout.right) >= 1);   // its line
}

TEST_CASE("the line that ran shows whole, however many rows it takes") {
  Document document(traced("fft-stockham4", 64));
  const Scene scene = window_scene(document, state_of(1440, 900, ThemeName::Light, 1, 18));
  const std::string code = all_text(scene);
  CHECK(code.find("TRACE_BUTTERFLY4_TO(y,") != std::string::npos);
  CHECK(code.find("b, c, d);") != std::string::npos);
}

TEST_CASE("the list of files to open is on its card, and an open list has no tooltip over it") {
  Document document(traced("fft-radix2", 8));
  WindowState state = state_of(1440, 900, ThemeName::Light, 1, 8);
  state.text_entry.kind = TextEntry::Kind::Open;
  state.open_list.entries = {{"/tmp/a.twd", "in this folder"}, {"/tmp/b.twd", "in this folder"}};
  const Scene open = window_scene(document, state);
  Box card{};
  float lowest = 0;
  for (const Shape2D& shape : open.shapes) {
    if (shape.mark < 0) continue;
    const Mark& mark = open.marks[shape.mark].mark;
    if (mark.command == "open" && shape.fill == Role::Raised) card = bounds(shape);
    if (mark.command == "open-entry") lowest = std::max(lowest, bounds(shape).bottom());
  }
  CHECK(lowest > 0);
  CHECK(lowest + 4 < card.bottom());

  state.text_entry.kind = TextEntry::Kind::None;
  state.fields = {{"n", "N", "8", "8", {{"4"}, {"8"}, {"16"}}}};
  state.tooltip = Point{200, 40};
  Mark field;
  field.kind = MarkKind::Choice, field.command = "n", field.index = static_cast<std::uint64_t>(-1);
  state.cursor.hover = field;
  CHECK(shows_exactly(window_scene(document, state), "N 8"));
  state.open_choice = "n";
  CHECK_FALSE(shows_exactly(window_scene(document, state), "N 8"));
}

TEST_CASE("a bookmark at the step of a finding is drawn beside it on the scrub bar") {
  Document document(traced("fft-radix2", 64));
  WindowState state = state_of(1440, 900, ThemeName::Light, 1, 8);
  const auto ticks = [&](MarkKind kind) {
    const Scene scene = window_scene(document, state);
    const float top = window_layout(state).scrub.y;
    std::vector<Box> found;
    for (const Shape2D& shape : scene.shapes)
      if (shape.mark >= 0 && scene.marks[shape.mark].mark.kind == kind && bounds(shape).y > top)
        found.push_back(bounds(shape));
    return found;
  };
  const auto findings = ticks(MarkKind::Finding);
  REQUIRE_FALSE(findings.empty());
  document.bookmarks = {{facts_of(document).notes.front().step, "here"}};
  const auto flags = ticks(MarkKind::Bookmark);
  REQUIRE_FALSE(flags.empty());
  for (const Box& flag : flags)
    for (const Box& sign : findings) CHECK((flag.right() <= sign.x || sign.right() <= flag.x));
}

TEST_CASE("the device is written whole where the bar has room for it") {
  Document document(traced("fft-radix2", 8));
  WindowState state = state_of(1920, 900, ThemeName::Light, 1, 8);
  const std::string device = "opencl · a device with a name that is rather long (R) (TM)";
  state.fields = {{"algorithm", "", "fft-radix2", {}}, {"device", "on", device, {}}};
  CHECK(shows_exactly(window_scene(document, state), device));
  state.width = 800;
  CHECK_FALSE(shows_exactly(window_scene(document, state), device));
}

TEST_CASE("a long operation is written to its end in large type, and its line of facts breaks between facts") {
  Document document(traced("fft-radix4", 64, "random:1"));
  const Scene scene = window_scene(document, state_of(1440, 900, ThemeName::Projector, 1, 42));
  const auto operation = document.flow().operation(42);
  REQUIRE(operation);
  REQUIRE(operation->writes.size() == 4);
  for (const Access& write : operation->writes) CHECK(shows_exactly(scene, element_text(document.info(), write)));
  CHECK_FALSE(shows_exactly(scene, "…"));
  for (const PlacedText& text : texts_of(scene)) CHECK_FALSE(text.text.ends_with(" stride"));
}

TEST_CASE("real packing has its twiddle on the circle, too") {
  Document document(traced("fft-real", 16));
  const Scene scene = window_scene(document, state_of(1440, 900, ThemeName::Light, 1, document.info().steps));
  CHECK(shows_exactly(scene, "−157.5°"));  // w_16^7
}

TEST_CASE("in a narrow strip an operation goes on in the next line and is not cut") {
  Document document(traced("fft-radix2", 16, "random:1"));
  for (const ThemeName name : themes)
    for (const float width : {320.0f, 410.0f, 700.0f})
      for (const std::uint64_t step : {14, 24, 38}) {
        const WindowState state = state_of(1280, 720, name, 1, step);
        document.replay->seek(step);
        const PanelContext context(document, state, facts_of(document));
        const Scene strip = strip_panel(context, width, context.px(40));
        CAPTURE(width);
        CAPTURE(step);
        CHECK_MESSAGE(!all_text(strip).empty(), name_of(name));
        CHECK(all_text(strip).find("…") == std::string::npos);
        for (const PlacedText& text : texts_of(strip)) CHECK(text.box.right() <= width);
      }
}

TEST_CASE("the tag of what is pinned covers no word of the diagram") {
  Document document(traced("fft-radix2", 8, "ramp"));
  for (const float width : {1024.0f, 1280.0f, 1440.0f}) {
    WindowState state = state_of(width, width / 1.6f, ThemeName::Light, 1, 14);
    const Box diagram = window_layout(state).diagram;
    const Scene before = window_scene(document, state);
    for (const MarkText& one : before.marks) {
      if (one.mark.kind != MarkKind::Element || one.mark.segment != 3 || one.mark.index != 7) continue;
      state.cursor.pinned = one.mark;
      break;
    }
    REQUIRE(state.cursor.pinned);
    const Scene scene = window_scene(document, state);
    Box tag;
    for (const Shape2D& shape : scene.shapes)
      if (shape.mark >= 0 &&
          scene.marks[static_cast<std::size_t>(shape.mark)].mark.command == name_of(Command::LetGo) &&
          std::holds_alternative<BoxShape>(shape.geometry))
        tag = bounds(shape);
    REQUIRE(tag.w > 0);
    CHECK(diagram.contains(tag.centre()));
    for (const PlacedText& text : texts_of(before)) {
      if (!diagram.contains(text.box.centre())) continue;
      CHECK_MESSAGE((text.box.right() <= tag.x + 1 || text.box.x >= tag.right() - 1 || text.box.bottom() <= tag.y + 1 ||
                     text.box.y >= tag.bottom() - 1),
                    text.text);
    }
  }
}
