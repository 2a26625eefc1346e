// What keys, clicks, the wheel and time do to the window, without a window.
#include "tracer/file/trace_file.h"
#include "viewer/control/window_control.h"
#include "window/press_key.h"

#include "base/error.h"
#include "traced.h"
#include "viewer/panels/panels.h"
#include "viewer/state/window_layout.h"

#include <doctest.h>

using namespace twiddle;

namespace {

struct Actions {
  int fullscreen_on = 0, fullscreen_off = 0, runs = 0;
  bool pointer = true;
  std::string chosen;
  WindowActions all(bool can_run = false) {
    WindowActions actions;
    actions.fullscreen = [this](bool on) { ++(on ? fullscreen_on : fullscreen_off); };
    actions.show_pointer = [this](bool on) { pointer = on; };
    if (can_run) actions.run_again = [this] { ++runs; };
    actions.choose = [this](const std::string& field, const std::string& entry) { chosen = field + "=" + entry; };
    return actions;
  }
};

// The middle of the first shape of a mark in the window's scene.
std::optional<std::pair<MarkText, Point>> find(WindowControl& control, const std::function<bool(const Mark&)>& wanted) {
  const Scene scene = window_scene(control.document(), control.state());
  for (const Shape2D& shape : scene.shapes)
    if (shape.mark >= 0 && wanted(scene.marks[shape.mark].mark)) {
      const Point at = bounds(shape).centre();
      const MarkText* hit = scene.hit(at);
      if (hit && wanted(hit->mark)) return std::pair{*hit, at};
    }
  return std::nullopt;
}

void click(WindowControl& control, const std::function<bool(const Mark&)>& wanted) {
  const auto found = find(control, wanted);
  REQUIRE(found);
  control.press(&found->first, found->second);
  control.release(found->second);
}

auto command_mark(Command command) {
  return [command](const Mark& mark) { return mark.kind == MarkKind::Command && mark.command == name_of(command); };
}

}  // namespace

TEST_CASE("keys step, jump and switch") {
  Document document(traced("fft-radix2", 8));
  Actions actions;
  WindowControl control(document, actions.all());
  const auto step = [&] { return control.state().cursor.step; };
  press_key(control, "Right");
  CHECK(step() == 1);
  press_key(control, "Shift+Right");
  CHECK(step() == 2);
  press_key(control, "Shift+Right");
  CHECK(step() == 6);
  press_key(control, "Left");
  CHECK(step() == 5);
  press_key(control, "End");
  CHECK(step() == 14);
  press_key(control, "Home");
  CHECK(step() == 0);
  press_key(control, "Left");
  CHECK(step() == 0);
  // A presenter's remote: no lesson is open, so it does nothing, ever.
  press_key(control, "Page Down");
  press_key(control, "Page Up");
  CHECK(step() == 0);
  press_key(control, "T");
  CHECK(control.state().theme == ThemeName::Dark);
  press_key(control, "T");
  CHECK(control.state().theme == ThemeName::Projector);
  press_key(control, "T");
  CHECK(control.state().theme == ThemeName::Light);
  press_key(control, "+");
  CHECK(control.state().playback.speed == 2);
  press_key(control, "-");
  press_key(control, "-");
  CHECK(control.state().playback.speed == 0.5f);
  press_key(control, "H");
  CHECK_FALSE(actions.pointer);
  press_key(control, "H");
  CHECK(actions.pointer);
  CHECK_FALSE(control.key({"Y"}));
}

TEST_CASE("in the overview of a large transform, keys go by stages") {
  Document document(traced("fft-radix2", 1024, "random:1"));
  WindowControl control(document, {});
  press_key(control, "Right");
  CHECK(control.state().cursor.step == document.info().segments[0].count);
  press_key(control, "Right");
  CHECK(control.state().cursor.step == document.info().segments[1].end_step() - 1);
  press_key(control, "Left");
  CHECK(control.state().cursor.step == document.info().segments[0].count);
}

TEST_CASE("playing goes on with time and stops at the end") {
  Document document(traced("fft-radix2", 8));
  WindowControl control(document, {});
  press_key(control, "Space");
  CHECK(control.state().playback.playing);
  CHECK(control.next_change() == 0);
  for (int i = 0; i < 100; ++i) control.advance(0.25);
  CHECK(control.state().cursor.step == 14);
  CHECK_FALSE(control.state().playback.playing);
  CHECK_FALSE(control.next_change());  // it can sleep
}

TEST_CASE("escape leaves one thing after the other and never more") {
  Document document(traced("fft-radix2", 8));
  Actions actions;
  WindowControl control(document, actions.all());
  press_key(control, "F");
  CHECK(control.state().presenting);
  CHECK(actions.fullscreen_on == 1);
  press_key(control, "?");
  press_key(control, "Escape");
  CHECK_FALSE(control.state().help);
  CHECK(control.state().presenting);
  press_key(control, "Escape");
  CHECK_FALSE(control.state().presenting);
  CHECK(actions.fullscreen_off == 1);
  press_key(control, "Escape");
  CHECK(actions.fullscreen_off == 1);
  press_key(control, "B");
  CHECK(control.state().blank);
  press_key(control, ".");
  CHECK_FALSE(control.state().blank);
  press_key(control, "B");
  press_key(control, "Right");  // any command brings the picture back
  CHECK_FALSE(control.state().blank);
  CHECK(control.state().cursor.step == 1);
}

TEST_CASE("going to a position, a step, or nowhere") {
  Document document(traced("fft-radix2", 8));
  WindowControl control(document, {});
  press_key(control, "G");
  CHECK(control.state().text_entry.kind == TextEntry::Kind::GoTo);
  control.go_to("L3.S2.I1");
  CHECK_FALSE(control.state().typing());
  CHECK(control.state().cursor.step == 8);
  for (const auto& [text, step] : {std::pair{"12", 12}, {" step 3 ", 3}, {"end", 14}, {"start", 0}, {"l4", 11}}) {
    press_key(control, "G");
    control.go_to(text);
    CAPTURE(text);
    CHECK(control.state().cursor.step == static_cast<std::uint64_t>(step));
    CHECK_FALSE(control.state().typing());
  }
  for (const char* text : {"L9", "99", "", "nowhere", "S7.I1", "18446744073709551616"}) {
    press_key(control, "G");
    control.go_to(text);
    CAPTURE(text);
    CHECK(control.state().text_entry.kind == TextEntry::Kind::GoTo);
    CHECK_FALSE(control.state().text_entry.error.empty());
    CHECK(control.state().cursor.step == 11);
    press_key(control, "Escape");
    CHECK(control.state().text_entry.error.empty());
  }
}

TEST_CASE("bookmarks are set, gone round, kept in the trace and removed") {
  synthetic::Folder folder;
  const auto file = synthetic::Fft<float>({}).write(folder / "bookmarks.twd");
  {
    Document document(TraceReader::open(file));
    WindowControl control(document, {});
    press_key(control, "F2");
    CHECK_FALSE(control.state().message.empty());
    control.seek(8);
    press_key(control, "F9");
    control.seek(3);
    press_key(control, "F9");
    REQUIRE(document.bookmarks.size() == 2);
    CHECK(document.bookmarks[0].step == 3);
    press_key(control, "F2");
    CHECK(control.state().cursor.step == 8);
    press_key(control, "F2");
    CHECK(control.state().cursor.step == 3);
    press_key(control, "Shift+F2");
    CHECK(control.state().cursor.step == 8);
  }
  Document again(TraceReader::open(file));
  REQUIRE(again.bookmarks.size() == 2);
  WindowControl control(again, {});
  control.seek(3);
  press_key(control, "F9");
  CHECK(again.bookmarks.size() == 1);
  CHECK(TraceReader::open(file)->bookmarks().size() == 1);
}

TEST_CASE("hovering waits for its tooltip, pinning lets go of what was pinned") {
  Document document(traced("fft-radix2", 8));
  WindowControl control(document, {});
  const auto item = find(control, [](const Mark& mark) { return mark.kind == MarkKind::Item && mark.launch == 2; });
  REQUIRE(item);
  control.hover(&item->first, item->second);
  CHECK(control.state().cursor.hover == item->first.mark);
  control.advance(0.1);
  CHECK_FALSE(control.state().tooltip);
  REQUIRE(control.next_change());
  CHECK(*control.next_change() == doctest::Approx(0.05));
  control.advance(0.06);
  CHECK(control.state().tooltip);
  control.hover(nullptr, {0, 0});
  CHECK_FALSE(control.state().tooltip);
  CHECK_FALSE(control.state().cursor.hover);

  click(control, [](const Mark& mark) { return mark.kind == MarkKind::Line; });
  REQUIRE(control.state().cursor.pinned);
  CHECK(control.state().cursor.pinned->kind == MarkKind::Line);
  const Mark pinned = *control.state().cursor.pinned;
  control.advance(1);
  click(control, [&](const Mark& mark) { return mark == pinned; });
  CHECK_FALSE(control.state().cursor.pinned);
}

TEST_CASE("a double click goes to the operation that made an element, and only a double click does") {
  Document document(traced("fft-radix2", 8));
  WindowControl control(document, {});
  control.seek(14);
  const auto element = [&](std::uint64_t index) {
    return [&, index](const Mark& mark) {
      return mark.kind == MarkKind::Element && mark.index == index &&
             mark.segment == static_cast<int>(document.info().segments.size()) - 2;
    };
  };
  click(control, element(0));
  REQUIRE(control.state().cursor.pinned);
  const Mark pinned = *control.state().cursor.pinned;
  click(control, element(0));
  const std::uint64_t made = control.state().cursor.step;
  CHECK(made < 14);
  CHECK(made > 0);
  CHECK(control.state().cursor.pinned == pinned);
  press_key(control, "Backspace");
  CHECK(control.state().cursor.step == 14);
  // Two slow clicks unpin, and two quick ones at different elements only pin.
  control.advance(1);
  click(control, element(0));
  CHECK_FALSE(control.state().cursor.pinned);
  control.advance(1);
  click(control, element(0));
  click(control, element(1));
  CHECK(control.state().cursor.step == 14);
  REQUIRE(control.state().cursor.pinned);
  CHECK(control.state().cursor.pinned->index == 1);
}

TEST_CASE("buttons, launches and the scrub bar do what they show") {
  Document document(traced("fft-radix2", 8));
  Actions actions;
  WindowControl control(document, actions.all());
  click(control, command_mark(Command::StepForward));
  CHECK(control.state().cursor.step == 1);
  click(control, command_mark(Command::Last));
  CHECK(control.state().cursor.step == 14);
  click(control, command_mark(Command::Faster));
  CHECK(control.state().playback.speed == 2);
  click(control, [](const Mark& mark) { return mark.kind == MarkKind::Launch && mark.launch == 3; });
  CHECK(control.state().cursor.step == 7);
  click(control, [](const Mark& mark) {
    return mark.kind == MarkKind::Item && mark.launch == 3 && mark.item == 2 && mark.step == 9;
  });
  CHECK(control.state().cursor.step == 9);

  const auto scrub = find(control, [](const Mark& mark) { return mark.kind == MarkKind::Scrub; });
  REQUIRE(scrub);
  const WindowLayout layout = window_layout(control.state());
  const ScrubBar bar = scrub_bar(document.info(), layout.scrub.w, layout.scrub.h, layout.scale);
  const auto at = [&](std::uint64_t step) {
    return Point{layout.scrub.x + bar.cell(step).centre().x, scrub->second.y};
  };
  control.press(&scrub->first, at(2));
  CHECK(control.state().cursor.step == 2);
  control.drag(at(12));
  CHECK(control.state().cursor.step == 12);
  control.drag({-50, 0});  // out of the window
  CHECK(control.state().cursor.step == 0);
  control.drag(at(5));
  control.release(at(5));
  CHECK(control.state().cursor.step == 5);
  control.drag(at(9));  // released: no more
  CHECK(control.state().cursor.step == 5);
}

TEST_CASE("the wheel zooms the diagram about the pointer, scrolls panes, and scales everything with Ctrl") {
  Document document(traced("fft-radix2", 64, "random:1"));
  WindowControl control(document, {});
  control.seek(100);
  const WindowLayout layout = window_layout(control.state());
  control.wheel(layout.diagram.centre(), 2, false);
  CHECK(control.state().viewport.zoom > 1.2);
  control.command(Command::ZoomReset);
  CHECK(control.state().viewport.zoom == 1);
  control.wheel(layout.right.centre(), -1, false);
  CHECK(control.state().scroll.at("source") > 0);
  press_key(control, "Right");  // a pane scrolled by hand follows again
  CHECK(control.state().scroll.count("source") == 0);
  control.wheel(layout.diagram.centre(), 3, true);
  CHECK(control.state().scale > 1.2f);
  press_key(control, "Ctrl+0");
  CHECK(control.state().scale == 1);
  for (int i = 0; i < 60; ++i) press_key(control, "Ctrl+-");
  CHECK(control.state().scale == doctest::Approx(0.5f));
  press_key(control, "Ctrl+0");
  control.set_screen_scale(2);  // a dense screen
  CHECK(control.state().scale == 2);
  CHECK(control.user_scale() == 1);
}

TEST_CASE("fields open a list only where something can be run from here") {
  Document document(traced("fft-radix2", 8));
  Actions actions;
  WindowControl fixed(document, actions.all(false));
  press_key(fixed, "R");
  CHECK(actions.runs == 0);
  CHECK_FALSE(find(fixed, command_mark(Command::RunAgain)));

  WindowControl control(document, actions.all(true));
  for (ChoiceField& field : control.state().fields)
    if (field.name == "n") field.entries = {{"4"}, {"8"}, {"16"}};
  press_key(control, "R");
  CHECK(actions.runs == 1);
  click(control, command_mark(Command::RunAgain));
  CHECK(actions.runs == 2);
  const auto box = [](const Mark& mark) {
    return mark.kind == MarkKind::Choice && mark.command == "n" && mark.index == static_cast<std::uint64_t>(-1);
  };
  click(control, box);
  CHECK(control.state().open_choice == "n");
  click(control, box);
  CHECK(control.state().open_choice.empty());
  click(control, box);
  click(control,
        [](const Mark& mark) { return mark.kind == MarkKind::Choice && mark.command == "n" && mark.index == 2; });
  CHECK(actions.chosen == "n=16");
  CHECK(control.state().open_choice.empty());
  // A field without entries shows its value and opens no list.
  click(control, [](const Mark& mark) { return mark.kind == MarkKind::Choice && mark.command == "signal"; });
  CHECK(control.state().open_choice.empty());
}

TEST_CASE("the fields that the bar has no room for open from one that lists them") {
  Document document(traced("fft-radix2", 8));
  Actions actions;
  WindowControl control(document, actions.all(true));
  auto& fields = control.state().fields;
  fields.insert(fields.end() - 1, {more_field, "", "more", "", {{"type", "type float"}}});
  fields.insert(fields.end() - 1, {"type", "type", "float", "float", {{"float"}, {"double"}}, true});
  const auto choice = [](const char* name, std::uint64_t index) {
    return
        [=](const Mark& mark) { return mark.kind == MarkKind::Choice && mark.command == name && mark.index == index; };
  };
  CHECK_FALSE(find(control, choice("type", static_cast<std::uint64_t>(-1))));
  click(control, choice(more_field, static_cast<std::uint64_t>(-1)));
  CHECK(control.state().open_choice == more_field);
  click(control, choice(more_field, 0));
  CHECK(control.state().open_choice == "type");
  CHECK(actions.chosen.empty());
  click(control, choice("type", 1));
  CHECK(actions.chosen == "type=double");
  CHECK(control.state().open_choice.empty());
}

TEST_CASE("another trace takes the place of this one, and the cursor stays where it can") {
  Document small(traced("fft-radix2", 8)), large(traced("fft-radix2", 64, "random:1"));
  WindowControl control(large, {});
  control.seek(100);
  control.show(small);
  CHECK(control.state().cursor.step == 14);
  CHECK(&control.document() == &small);
  control.show(large);
  CHECK(control.state().cursor.step == 14);
  press_key(control, "End");
  CHECK(control.state().cursor.step == large.info().steps);
}

TEST_CASE("jumps leave a trail, and a click on it leads back") {
  Document document(traced("fft-radix2", 8));
  Actions actions;
  WindowControl control(document, actions.all());
  control.seek(3);
  control.go_to("8");
  control.go_to("12");
  CHECK(control.state().trail.steps == std::vector<std::uint64_t>{3, 8});
  click(control, [](const Mark& mark) { return mark.command == "trail" && mark.index == 0; });
  CHECK(control.state().cursor.step == 3);
  press_key(control, "Alt+Right");
  CHECK(control.state().cursor.step == 8);
  press_key(control, "Alt+Right");
  CHECK(control.state().cursor.step == 12);
  press_key(control, "Backspace");
  press_key(control, "Backspace");
  press_key(control, "Backspace");
  CHECK(control.state().cursor.step == 3);
}

TEST_CASE("what is under the pointer in a large diagram is an element, though no shape carries a mark") {
  Document document(traced("fft-radix2", 1024, "random:1"));
  WindowControl control(document, {});
  control.seek(document.info().steps);
  const Scene scene = window_scene(document, control.state());
  const Box diagram = window_layout(control.state()).diagram;
  bool found = false;
  for (float x = diagram.x; x < diagram.right() && !found; x += 3) {
    const Point at{x, diagram.centre().y};
    const auto under = control.under(scene, at);
    if (!under || under->mark.kind != MarkKind::Element) continue;
    found = true;
    control.hover(&*under, at);
    control.advance(1);
    REQUIRE(control.state().tooltip);
    CHECK_FALSE(control.state().hover_label.empty());
  }
  CHECK(found);
}

TEST_CASE("a note is written at a bookmark, kept in the trace, and changed") {
  const synthetic::Folder folder;
  const auto file = folder / "noted.twd";
  std::filesystem::copy_file(traced("fft-radix2", 8)->path(), file);
  Document document(TraceReader::open(file));
  Actions actions;
  WindowControl control(document, actions.all());
  control.seek(8);
  press_key(control, "Shift+F9");
  CHECK(control.state().typing());
  CHECK(control.state().text_entry.kind == TextEntry::Kind::Bookmark);
  control.enter("the first factor that is not 1");
  CHECK_FALSE(control.state().typing());
  const auto kept = [&] { return TraceReader::open(file)->bookmarks(); };
  REQUIRE(kept().size() == 1);
  CHECK(kept()[0].step == 8);
  CHECK(kept()[0].note == "the first factor that is not 1");
  CHECK(document.bookmarks.size() == 1);
  // What is there is changed; Escape leaves it as it was.
  press_key(control, "Shift+F9");
  CHECK(control.state().text_entry.line.text == "the first factor that is not 1");
  press_key(control, "Escape");
  CHECK_FALSE(control.state().typing());
  press_key(control, "Shift+F9");
  control.enter("w = −i");
  REQUIRE(kept().size() == 1);
  CHECK(kept()[0].note == "w = −i");
  press_key(control, "F9");
  CHECK(kept().empty());
}

TEST_CASE("the list of what can be opened is walked with the arrows, into folders and out of them") {
  const synthetic::Folder folder;
  const auto inside = folder / "inside";
  std::filesystem::create_directory(inside);
  Document document(traced("fft-radix2", 8));
  Actions actions;
  WindowActions all = actions.all();
  std::string opened;
  int dialogs = 0;
  all.open = [&](const std::string& file) { opened = file; };
  all.openable = [&](const std::string& where) {
    return where == inside.string() ? std::vector<OpenEntry>{{(inside / "one.twd").string(), ""}}
                                    : std::vector<OpenEntry>{{"/a/two.twd", ""}, {inside.string(), "folder"}};
  };
  all.dialog = [&] { ++dialogs; };
  WindowControl control(document, all);
  press_key(control, "O");
  control.choose_entry(-1);
  CHECK(control.state().open_list.chosen == 1);
  control.enter("");
  CHECK(control.state().open_list.folder == inside.string());
  CHECK(control.state().text_entry.kind == TextEntry::Kind::Open);
  control.choose_entry(1);
  control.choose_entry(1);  // round and round
  CHECK(control.state().open_list.chosen == 0);
  control.enter("");
  CHECK(opened == (inside / "one.twd").string());
  CHECK_FALSE(control.state().typing());
  // A name counts from the folder that is shown; an empty one with nothing chosen opens nothing.
  press_key(control, "O");
  control.enter("other.twd");
  CHECK(opened == (inside / "other.twd").string());
  press_key(control, "Ctrl+O");
  CHECK(dialogs == 1);
  CHECK_FALSE(control.state().typing());
}

TEST_CASE("opening: the field, the offered files, and what cannot be opened") {
  Document document(traced("fft-radix2", 8));
  Actions actions;
  WindowActions all = actions.all();
  std::string opened;
  all.open = [&](const std::string& file) {
    if (file.ends_with("bad")) throw usage_error("bad is no trace");
    opened = file;
  };
  all.openable = [](const std::string&) {
    return std::vector<OpenEntry>{{"/a/one.twd", "opened before"}, {"/a/two.twd", "in this folder"}};
  };
  WindowControl control(document, all);
  press_key(control, "O");
  CHECK(control.state().text_entry.kind == TextEntry::Kind::Open);
  CHECK(control.state().typing());
  control.open("bad");
  CHECK(control.state().text_entry.kind == TextEntry::Kind::Open);
  CHECK(control.state().text_entry.error == "bad is no trace");
  click(control, [](const Mark& mark) { return mark.command == "open-entry" && mark.index == 1; });
  CHECK(opened == "/a/two.twd");
  CHECK_FALSE(control.state().typing());
  press_key(control, "O");
  press_key(control, "Escape");
  CHECK_FALSE(control.state().typing());
  // Dropped while nothing is open: the sentence is in the window.
  control.open("bad");
  CHECK(control.state().message == "bad is no trace");

  WindowControl fixed(document, actions.all());
  press_key(fixed, "O");
  CHECK_FALSE(fixed.state().typing());
  CHECK_FALSE(fixed.state().message.empty());
}
