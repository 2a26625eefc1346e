// The panes' borders, the card with the settings, submenus, and a scrub bar that can be zoomed: without a window.
#include "viewer/control/window_control.h"
#include "viewer/frame/map_scene.h"

#include "scene_texts.h"
#include "synthetic_trace.h"
#include "traced.h"
#include "viewer/butterfly/butterfly_layout.h"
#include "viewer/compare/comparison.h"
#include "viewer/facts/range_statistics.h"
#include "viewer/panels/panels.h"
#include "viewer/scene/languages.h"
#include "viewer/state/remembered.h"
#include "viewer/state/window_layout.h"

#include <doctest.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

using namespace twiddle;

namespace {

struct Panes {
  Document document;
  WindowControl control;
  WindowState& state = control.state();

  explicit Panes(std::uint64_t n = 8)
      : document(traced("fft-radix2", n, n == 8 ? "ramp" : "random:1")), control(document, {}) {
    control.resize(1440, 900);
  }
  void key(const char* chord) { control.key(parse_chord(chord).value()); }
  WindowLayout layout() const { return window_layout(control.state()); }
  /// What is hit in the middle of the first shape of a command's mark.
  std::optional<std::pair<MarkText, Point>> find(Command command, std::uint64_t index = 0) {
    const Scene scene = window_scene(document, control.state());
    for (const Shape2D& shape : scene.shapes) {
      if (shape.mark < 0) continue;
      const Mark& mark = scene.marks[static_cast<std::size_t>(shape.mark)].mark;
      if (mark.kind != MarkKind::Command || mark.command != name_of(command) || mark.index != index) continue;
      const Point at = bounds(shape).centre();
      if (const MarkText* hit = scene.hit(at); hit && hit->mark == mark) return std::pair{*hit, at};
    }
    return std::nullopt;
  }
  void click(Command command, std::uint64_t index = 0) {
    CAPTURE(name_of(command));
    CAPTURE(index);
    const auto found = find(command, index);
    REQUIRE(found);
    control.press(&found->first, found->second);
    control.release(found->second);
  }
  void drag(PaneBorder border, Point to) {
    const auto found = find(Command::ResizePane, static_cast<std::uint64_t>(border));
    REQUIRE(found);
    control.press(&found->first, found->second);
    control.drag(to);
    control.release(to);
  }
};

}  // namespace

TEST_CASE("a pane's border is dragged, within bounds, and a double click gives the usual size back") {
  Panes window;
  const WindowLayout usual = window.layout();
  window.drag(PaneBorder::Right, {1150, 300});
  CHECK(window.layout().right.x == doctest::Approx(1150).epsilon(0.002));
  CHECK(window.layout().diagram.right() == doctest::Approx(1150).epsilon(0.002));
  window.drag(PaneBorder::Left, {250, 300});
  CHECK(window.layout().left.w == doctest::Approx(250).epsilon(0.01));
  window.drag(PaneBorder::Lanes, {600, 500});
  CHECK(window.layout().items.y == doctest::Approx(500).epsilon(0.01));
  const float middle = window.layout().diagram.x + window.layout().diagram.w * 0.6f;
  window.drag(PaneBorder::Items, {middle, 600});
  CHECK(window.layout().memory.x == doctest::Approx(middle).epsilon(0.01));
  // Never so far that a pane is of no use.
  window.drag(PaneBorder::Right, {10, 300});
  CHECK(window.layout().diagram.w > 100);
  window.drag(PaneBorder::Left, {-50, 300});
  CHECK(window.layout().left.w >= 100);
  // In another window the shares are the same.
  window.control.resize(2000, 1000);
  CHECK(window.layout().left.w > 0);
  window.control.resize(1440, 900);
  for (const PaneBorder border : {PaneBorder::Left, PaneBorder::Right, PaneBorder::Lanes, PaneBorder::Items}) {
    window.control.advance(1);
    window.click(Command::ResizePane, static_cast<std::uint64_t>(border));
    window.click(Command::ResizePane, static_cast<std::uint64_t>(border));
  }
  CHECK(window.state.panes == PaneSizes{});
  CHECK(window.layout().right.x == usual.right.x);
  // One click, and a press that does not move, change nothing.
  window.control.advance(1);
  window.click(Command::ResizePane, static_cast<std::uint64_t>(PaneBorder::Right));
  CHECK(window.state.panes == PaneSizes{});
}

TEST_CASE("the border between two halves is dragged, and both keep one form") {
  Document left(traced("fft-radix2", 8)), right(traced("gallery/stale-twiddle", 8));
  const Comparison comparison(left, right);
  WindowControl control(left, {});
  control.resize(1440, 900);
  control.compare(comparison);
  control.state().tab = "butterfly";
  const auto border = [&] {
    const Scene scene = window_scene(left, control.state());
    const float x = window_layout(control.state()).halves[1].x;
    const MarkText* hit = scene.hit({x, 400});
    REQUIRE(hit);
    REQUIRE(hit->mark.command == name_of(Command::ResizePane));
    return std::pair{*hit, Point{x, 400}};
  };
  for (const float x : {1000.0f, 500.0f, 3.0f, 1439.0f}) {
    const auto [mark, at] = border();
    control.press(&mark, at);
    control.drag({x, 420});
    control.release({x, 420});
    const WindowLayout layout = window_layout(control.state());
    CHECK(layout.halves[1].x == doctest::Approx(std::clamp(x, 0.2f * 1440, 0.8f * 1440)).epsilon(0.002));
    CHECK(layout.halves[0].w + layout.halves[1].w == 1440);
    CHECK(layout.heads[0].w == layout.halves[0].w);
    CHECK(layout.strips[1].w == layout.halves[1].w);
    // One form, that of the narrower half.
    const DiagramInput one = diagram_input(left, control.state()), other = diagram_input(right, control.state());
    CHECK(one.width == layout.halves[0].w);
    CHECK(other.width == layout.halves[1].w);
    const ButterflyLayout &a = butterfly_layout(one), &b = butterfly_layout(other);
    CHECK(a.detail == b.detail);
    CHECK(a.chips == b.chips);
    CHECK(a.choice == b.choice);
    CHECK(a.row_label == b.row_label);
    CHECK(text_faults(window_scene(left, control.state())).empty());
  }
  // The wheel over the right half zooms about what is under it there.
  control.state().panes[PaneBorder::Halves] = 0.7f;
  const WindowLayout layout = window_layout(control.state());
  const Point in_right{layout.halves[1].x + 100, layout.halves[1].y + 150};
  control.wheel(in_right, 1, false);
  CHECK(control.state().viewport.zoom > 1);
}

TEST_CASE("borders have the keyboard's focus: arrows move them, Enter gives the usual size back") {
  Panes window;
  const auto focus_border = [&](PaneBorder border) {
    for (int tries = 0; tries < 200; ++tries) {
      window.control.move_focus(window_scene(window.document, window.state), 1);
      REQUIRE(window.state.focus);
      if (window.state.focus->command == name_of(Command::ResizePane) &&
          window.state.focus->index == static_cast<std::uint64_t>(border))
        return;
    }
    FAIL("no border has the focus");
  };
  const WindowLayout usual = window.layout();
  focus_border(PaneBorder::Right);
  window.key("Left");
  window.key("Left");
  CHECK(window.layout().right.x == doctest::Approx(usual.right.x - 32).epsilon(0.002));
  window.key("Right");
  CHECK(window.layout().right.x == doctest::Approx(usual.right.x - 16).epsilon(0.002));
  CHECK(window.state.cursor.step == 0);  // no step was made
  window.key("Enter");
  CHECK(window.layout().right.x == usual.right.x);
  focus_border(PaneBorder::Lanes);
  window.key("Up");
  CHECK(window.layout().items.y == doctest::Approx(usual.items.y - 16).epsilon(0.004));
  window.key("Escape");
  window.key("Right");
  CHECK(window.state.cursor.step == 1);
}

TEST_CASE("while a part of the diagram is shown there is a map of all of it, which moves the view") {
  Panes window(1024);
  const auto on_map = [&]() -> std::optional<std::pair<MarkText, Box>> {
    const Scene scene = window_scene(window.document, window.state);
    for (const Shape2D& shape : scene.shapes)
      if (shape.mark >= 0 && scene.marks[static_cast<std::size_t>(shape.mark)].mark.command == "map")
        return std::pair{scene.marks[static_cast<std::size_t>(shape.mark)], bounds(shape)};
    return {};
  };
  window.control.seek(window.document.info().steps / 2);
  CHECK_FALSE(on_map());
  window.key("9");
  CHECK(window.state.viewport.zoom > 1);
  const auto map = on_map();
  REQUIRE(map);
  const Box pane = map->second;
  CHECK(pane.y == window.layout().left.bottom());
  const auto first_row = [&] {
    return butterfly_layout(diagram_input(window.document, window.state)).visible_rows.first;
  };
  window.control.press(&map->first, {pane.centre().x, pane.bottom() - 20});
  const std::uint64_t low = first_row();
  window.control.drag({pane.centre().x, pane.y + 40});
  const std::uint64_t high = first_row();
  window.control.release({pane.centre().x, pane.y + 40});
  CHECK(low > 900);
  CHECK(high < 100);
  int shown = 0;
  for (const Language language : {Language::English, Language::Japanese, Language::Chinese})
    for (const ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Projector})
      for (const float width : {1280.0f, 1440.0f, 2560.0f}) {
        use_language(language);
        window.state.language = language, window.state.theme = name;
        window.control.resize(width, width * 0.625f);
        const WindowLayout layout = window.layout();
        const Box box = map_box(window.state, layout);
        if (box.h <= 0) continue;  // in the projector's type there is no room in a small window
        ++shown;
        CHECK(box.bottom() == layout.scrub.y);
        const PanelContext context(window.document, window.state, facts_of(window.document));
        CHECK(text_faults(map_panel(context, box.w, box.h)).empty());
      }
  CHECK(shown >= 18);
  use_language(Language::English);
  window.state.theme = ThemeName::Light, window.state.language = Language::English;
  window.control.resize(1440, 900);
  window.key("0");
  CHECK_FALSE(on_map());
}

TEST_CASE("the settings are one card: each is chosen there, and Escape closes it") {
  Panes window;
  window.key("Ctrl+,");
  CHECK(window.state.settings);
  CHECK(window.state.covered());
  window.click(Command::SetTheme, static_cast<std::uint64_t>(ThemeName::Dark));
  CHECK(window.state.theme == ThemeName::Dark);
  window.click(Command::ScaleUp);
  CHECK(window.state.scale > 1);
  window.click(Command::ScaleDown);
  CHECK(window.state.scale == doctest::Approx(1));
  window.click(Command::Faster);
  CHECK(window.state.playback.speed == 2);
  window.click(Command::SetMotion, 1);
  CHECK(window.state.playback.reduced_motion);
  window.click(Command::SetPlots, 1);
  CHECK(window.state.log_scale);
  window.state.panes[PaneBorder::Right] = 0.4f;
  window.click(Command::ResetPanes);
  CHECK(window.state.panes == PaneSizes{});
  CHECK(window.state.settings);
  window.key("Escape");
  CHECK_FALSE(window.state.settings);
  // Another run keeps the pace and the motion.
  Document other(traced("fft-radix2", 16));
  window.control.show(other);
  CHECK(window.state.playback.speed == 2);
  CHECK(window.state.playback.reduced_motion);
  window.control.show(window.document);
}

TEST_CASE("what the settings remember is read back, and what is malformed is not") {
  synthetic::Folder folder;
  Remembered kept;
  kept.language = Language::Japanese;
  kept.reduced_motion = true;
  kept.speed = 4;
  kept.panes[PaneBorder::Lanes] = 0.25f;
  REQUIRE(write_remembered(folder.path(), kept));
  CHECK(read_remembered(folder.path()) == kept);
  std::ofstream(folder / "remembered.json")
      << R"({"files": [], "language": "xx", "speed": -3, "panes": [7, "wide", 0.2, 0, 0, 0, 0, 0], "reduced-motion": 1})";
  const Remembered read = read_remembered(folder.path());
  CHECK_FALSE(read.language);
  CHECK_FALSE(read.reduced_motion);
  CHECK(read.speed == 1);
  CHECK(read.panes.shares[0] == 0);
  CHECK(read.panes.shares[2] == doctest::Approx(0.2));
}

TEST_CASE("submenus open with the arrows and under the pointer, and do what their entries say") {
  Panes window;
  window.key("F10");
  const std::vector<MenuEntry> entries = window.state.menu.entries;
  const auto at = std::find_if(entries.begin(), entries.end(), [](const MenuEntry& entry) {
    return std::any_of(entry.under.begin(), entry.under.end(),
                       [](const MenuEntry& under) { return under.command == Command::ZoomIn; });
  });
  REQUIRE(at != entries.end());
  const auto number = static_cast<int>(at - entries.begin());
  for (int i = 0; i <= number; ++i) window.key("Down");
  CHECK(window.state.menu.chosen == number);
  window.key("Right");
  CHECK(window.state.menu.open_under == number);
  window.key("Left");
  CHECK(window.state.menu.open_under == -1);
  window.key("Enter");
  CHECK(window.state.menu.open_under == number);
  const auto zoom = std::find_if(at->under.begin(), at->under.end(),
                                 [](const MenuEntry& under) { return under.command == Command::ZoomIn; });
  for (auto i = at->under.begin(); i != zoom; ++i) window.key("Down");
  window.key("Enter");
  CHECK_FALSE(window.state.menu.open());
  CHECK(window.state.viewport.zoom > 1);
  // The pointer opens it; a click takes an entry.
  window.key("F10");
  const auto entry = window.find(Command::ChooseEntry, static_cast<std::uint64_t>(number));
  REQUIRE(entry);
  window.control.hover(&entry->first, entry->second);
  CHECK(window.state.menu.open_under == number);
  const auto reset = std::find_if(at->under.begin(), at->under.end(),
                                  [](const MenuEntry& under) { return under.command == Command::ZoomReset; });
  window.click(Command::ChooseUnder, static_cast<std::uint64_t>(reset - at->under.begin()));
  CHECK(window.state.viewport.zoom == 1);
  CHECK_FALSE(window.state.menu.open());
}

TEST_CASE("how pictures are shared is switched in the menu, which stays open") {
  Panes window;
  window.control.command(Command::Share);
  const auto& entries = window.state.menu.entries;
  const auto at = std::find_if(entries.begin(), entries.end(), [](const MenuEntry& e) { return e.id == "share:trim"; });
  REQUIRE(at != entries.end());
  window.click(Command::ChooseEntry, static_cast<std::uint64_t>(at - entries.begin()));
  CHECK(window.state.share.trim);
  REQUIRE(window.state.menu.open());
  CHECK(std::any_of(window.state.menu.entries.begin(), window.state.menu.entries.end(),
                    [](const MenuEntry& e) { return e.id == "share:trim" && e.checked; }));
}

TEST_CASE("the scrub bar is zoomed until steps can be told apart, and follows the cursor") {
  Panes window(1024);
  const TraceInfo& info = window.document.info();
  const Box box{100, 10, 700, 18};
  const ScrubBar all(info, box, 1);
  ScrubView view;
  for (int i = 0; i < 40; ++i) view = ScrubBar(info, box, 1, view).zoomed(view, 400, 1.8, 1);
  const ScrubBar near(info, box, 1, view);
  const std::uint64_t step = near.step_at(400);
  CHECK(near.cell(step).w >= 9);
  CHECK(near.cell(step).contains({400, 15}));
  // What was under the pointer stays there, as nearly as its pixel said.
  const std::uint64_t before = all.step_at(400);
  CHECK((before > step ? before - step : step - before) <= 2 * info.steps / 700 + 8);
  std::uint64_t last = 0;
  for (float x = box.x; x < box.right(); x += 3) {
    const std::uint64_t here = near.step_at(x);
    CHECK(here >= last);
    if (here > 0) CHECK(near.shows(here));
    last = here;
  }
  CHECK(near.zoomed(view, 400, 1e-9, 1) == ScrubView{});
  // The cursor takes the part that is shown with it.
  const Point at{window.layout().scrub.x + 500, window.layout().scrub.y + 45};
  for (int i = 0; i < 12; ++i) window.control.wheel(at, 1, false);
  CHECK(window.state.scrub.zoom > 10);
  window.control.seek(info.steps);
  const WindowLayout layout = window.layout();
  CHECK(scrub_bar(info, layout.scrub.w, layout.scrub.h, layout.scale, window.state.scrub).shows(info.steps));
  for (int i = 0; i < 14; ++i) window.control.wheel(at, -1, false);
  CHECK(window.state.scrub == ScrubView{});
}

TEST_CASE("a range dragged with Shift tells what happened in it") {
  Panes window;
  const auto find_scrub = [&] {
    const Scene scene = window_scene(window.document, window.state);
    for (const MarkText& mark : scene.marks)
      if (mark.mark.kind == MarkKind::Scrub) return mark;
    return MarkText{};
  };
  const WindowLayout layout = window.layout();
  const ScrubBar bar = scrub_bar(window.document.info(), layout.scrub.w, layout.scrub.h, layout.scale);
  const auto at = [&](std::uint64_t step) {
    return Point{layout.scrub.x + bar.cell(step).centre().x, layout.scrub.y + bar.cell(step).centre().y};
  };
  const MarkText scrub = find_scrub();
  window.control.hold_shift(true);
  window.control.press(&scrub, at(3));
  window.control.drag(at(10));
  window.control.release(at(10));
  window.control.hold_shift(false);
  REQUIRE(window.state.range);
  CHECK(window.state.range->first == 3);
  CHECK(window.state.range->last == 10);
  CHECK(window.state.cursor.step == 0);  // the cursor stays
  // Steps 3 … 10 of 2 swaps and three stages of 4: two whole stages, 8 of 8 items' lanes each of the group's 8.
  const RangeStatistics sums = range_statistics(window.document, facts_of(window.document), 10, 3);
  CHECK(sums.operations == 8);
  CHECK(sums.segments == 2);
  CHECK(sums.active == 8);
  CHECK(sums.complete);
  const Scene scene = window_scene(window.document, window.state);
  CHECK(std::any_of(scene.shapes.begin(), scene.shapes.end(), [](const Shape2D& shape) {
    const auto* text = std::get_if<TextShape>(&shape.geometry);
    return text && text->text.find("8 operations") != std::string::npos;
  }));
  window.key("Escape");
  CHECK_FALSE(window.state.range);
}
