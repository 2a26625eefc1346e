// Menus, the palette, the help, copying and the keyboard's focus, without a window.
#include "tracer/file/trace_file.h"
#include "viewer/control/window_control.h"

#include "scene_texts.h"
#include "synthetic_trace.h"
#include "traced.h"
#include "viewer/document/flow.h"
#include "viewer/facts/links.h"
#include "viewer/panels/panels.h"

#include <doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace twiddle;

namespace {

struct Asked {
  std::string chosen, copied, opened, lesson, saved;
  int pictures = 0;
  WindowActions all() {
    WindowActions actions;
    actions.choose = [this](const std::string& field, const std::string& entry) { chosen = field + "=" + entry; };
    actions.copy = [this](const std::string& text) { copied = text; };
    actions.paste = [] { return std::string("L3.S2.I1"); };
    actions.copy_picture = [this](const Scene& scene) { pictures += scene.shapes.empty() ? 0 : 1; };
    actions.open = [this](const std::string& file) { opened = file; };
    actions.openable = [](const std::string&) {
      return std::vector<OpenEntry>{{"/a/first.twd", "opened before"}, {"/a/b", "folder"}};
    };
    actions.lesson = [this](const std::string& id) { lesson = "lesson:" + id; };
    actions.save = [this](const std::string& what, const std::string& file) { saved = what + "=" + file; };
    return actions;
  }
};

struct Window {
  Document document{traced("fft-radix2", 8)};
  Asked asked;
  WindowControl control{document, asked.all()};
  WindowState& state = control.state();

  void key(const char* chord) { control.key(parse_chord(chord).value()); }
  void type(const std::string& text) {
    for (const char c : text) control.character(static_cast<char32_t>(c));
  }
  bool offers(MenuEntry::Kind kind, const std::string& id) const {
    const auto& found = control.state().palette.found;
    return std::any_of(found.begin(), found.end(), [&](const MenuEntry& e) { return e.kind == kind && e.id == id; });
  }
  void choose(const std::string& id) {
    auto& found = state.palette.found;
    const auto at = std::find_if(found.begin(), found.end(), [&](const MenuEntry& e) { return e.id == id; });
    REQUIRE(at != found.end());
    control.command(Command::ChooseFound, static_cast<std::uint64_t>(at - found.begin()));
  }
};

}  // namespace

TEST_CASE("a field takes every letter from the first on, but not the letter of the key that opened it") {
  Window window;
  // A letter's key is followed by the letter itself, as window systems report both.
  window.key("G");
  window.type("gL3");
  CHECK(window.state.text_entry.kind == TextEntry::Kind::GoTo);
  CHECK(window.state.text_entry.line.text == "L3");
  window.key("Escape");
  // One with no letter of its own is not: all that comes is typed.
  window.key("Shift+F9");
  window.type("abc");
  CHECK(window.state.text_entry.line.text == "abc");
  window.key("Escape");
  window.key("/");
  window.type("radix");
  CHECK(window.state.text_entry.kind == TextEntry::Kind::Palette);
  CHECK(window.state.text_entry.line.text == "radix");
  window.key("Escape");
  // Each field begins with its own text, none with another's.
  window.key("O");
  window.type("odef");
  window.key("Escape");
  window.key("G");
  CHECK(window.state.text_entry.line.text.empty());
  // After a mistake what is typed can be corrected, and is in one place.
  window.type("gnowhere");
  window.key("Enter");
  CHECK_FALSE(window.state.text_entry.error.empty());
  CHECK(window.state.text_entry.line.text == "nowhere");
  int shown = 0;
  for (const Shape2D& shape : window_scene(window.document, window.state).shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.geometry)) shown += text->text == "nowhere";
  CHECK(shown == 1);
  window.key("Ctrl+A");
  window.key("Ctrl+V");
  CHECK(window.state.text_entry.line.text == "L3.S2.I1");
  CHECK(window.state.text_entry.error.empty());
  window.key("Enter");
  CHECK_FALSE(window.state.typing());
  CHECK(window.state.cursor.step == 8);
}

TEST_CASE("the palette finds positions, commands, algorithms by title, the gallery, lessons, files and settings") {
  Window window;
  window.state.lessons = {{"twiddles", "Twiddle factors on the circle", 6, 7, true},
                          {"inverse", "The inverse", 7, 6, false}};
  window.key("Ctrl+K");
  REQUIRE(window.state.text_entry.kind == TextEntry::Kind::Palette);
  using Kind = MenuEntry::Kind;
  const auto look = [&](const std::string& typed) {
    window.key("Ctrl+A");
    window.type(typed);
  };
  look("two dim");
  CHECK(window.offers(Kind::Algorithm, "fft2d"));
  look("twiddle");
  CHECK(window.offers(Kind::Lesson, "twiddles"));
  CHECK(window.offers(Kind::Gallery, "gallery/stale-twiddle"));
  CHECK_FALSE(window.offers(Kind::Lesson, "inverse"));
  look("zoom");
  CHECK(window.offers(Kind::Command, "zoom-now"));
  look("dark");
  CHECK(window.offers(Kind::Setting, "theme:dark"));
  look("first.twd");
  CHECK(window.offers(Kind::File, "/a/first.twd"));
  look("l3.s2.i1");
  REQUIRE_FALSE(window.state.palette.found.empty());
  CHECK(window.state.palette.found.front().kind == Kind::Position);
  CHECK(window.state.palette.found.front().text == "L3.S2.I1");
  look("no such thing at all");
  CHECK(window.state.palette.found.empty());
  window.key("Enter");  // nothing is done
  CHECK(window.state.typing());
  window.key("Escape");
  CHECK_FALSE(window.state.typing());
  // Groups come in one order, whatever fits best.
  window.key("/");
  window.type("e");
  CHECK(std::is_sorted(window.state.palette.found.begin(), window.state.palette.found.end(),
                       [](const MenuEntry& a, const MenuEntry& b) { return a.kind < b.kind; }));
}

TEST_CASE("what is chosen in the palette is done, and Escape leaves all as it was") {
  Window window;
  window.state.lessons = {{"twiddles", "Twiddle factors on the circle", 6, 7, true}};
  const auto with = [&](const char* typed, const char* id) {
    window.key("Ctrl+K");
    window.type(typed);
    window.choose(id);
    CHECK_FALSE(window.state.typing());
  };
  with("radix-4", "fft-radix4");
  CHECK(window.asked.chosen == "algorithm=fft-radix4");
  with("stale", "gallery/stale-twiddle");
  CHECK(window.asked.chosen == "algorithm=gallery/stale-twiddle");
  with("circle", "twiddles");
  CHECK(window.asked.lesson == "lesson:twiddles");
  with("first", "/a/first.twd");
  CHECK(window.asked.opened == "/a/first.twd");
  with("to the end", "last");
  CHECK(window.state.cursor.step == 14);
  window.key("Ctrl+K");
  window.type("theme: dark");
  CHECK(window.state.theme == ThemeName::Dark);  // shown behind
  window.key("Escape");
  CHECK(window.state.theme == ThemeName::Light);
  with("theme: dark", "theme:dark");
  CHECK(window.state.theme == ThemeName::Dark);
  window.key("Home");
  window.key("Ctrl+K");
  window.type("item 1");
  REQUIRE(window.state.cursor.hover);
  CHECK(window.state.cursor.hover->kind == MarkKind::Operation);
  CHECK(window.state.cursor.step == 0);
  window.key("Escape");
  CHECK_FALSE(window.state.cursor.hover);
  CHECK(window.state.cursor.step == 0);
}

TEST_CASE("the menus hold commands of the one table, and do what their keys do") {
  Window window;
  for (const auto& [command, name] : {std::pair{Command::Menu, "menu"}, {Command::Share, "share"}}) {
    window.control.command(command);
    CHECK(window.state.menu.name == name);
    std::set<Command> seen;
    std::vector<MenuEntry> all;
    for (const MenuEntry& entry : window.state.menu.entries) {
      CHECK((entry.kind == MenuEntry::Kind::Submenu) == !entry.under.empty());
      if (entry.under.empty()) all.push_back(entry);
      all.insert(all.end(), entry.under.begin(), entry.under.end());
    }
    for (const MenuEntry& entry : all) {
      if (entry.kind == MenuEntry::Kind::Setting) continue;
      CHECK(entry.kind == MenuEntry::Kind::Command);
      CHECK(seen.insert(entry.command).second);
      CHECK_FALSE(window.state.keys.chords(entry.command).empty());
    }
    window.control.command(command);
    CHECK_FALSE(window.state.menu.open());
  }
  window.key("F10");
  window.key("End");
  window.key("Up");
  CHECK(window.state.menu.entries[static_cast<std::size_t>(window.state.menu.chosen)].command == Command::Help);
  window.key("Enter");
  CHECK(window.state.help);
  CHECK_FALSE(window.state.menu.open());
  window.key("Escape");
  CHECK_FALSE(window.state.help);
  window.key("F10");
  window.key("Escape");
  CHECK_FALSE(window.state.menu.open());
  // A press beside it closes it, and does nothing else.
  window.key("F10");
  const Mark beside{.kind = MarkKind::Command, .command = "last"};
  const MarkText text{beside, ""};
  window.control.press(&text, {900, 700});
  window.control.release({900, 700});
  CHECK_FALSE(window.state.menu.open());
  CHECK(window.state.cursor.step == 0);
}

TEST_CASE("the right button leads to the writer and the reader of an element, and to its value") {
  Window window;
  window.control.seek(14);
  const auto element = [&](int segment, std::uint64_t index) {
    const Column& column = window.document.flow().columns()[static_cast<std::size_t>(segment + 1)];
    return MarkText{element_mark(column.buffer, segment, index), "F[1] = (−4, 4)\nwritten by item 1"};
  };
  const auto take = [&](Command wanted) {
    const auto& entries = window.state.menu.entries;
    const auto at =
        std::find_if(entries.begin(), entries.end(), [&](const MenuEntry& e) { return e.command == wanted; });
    REQUIRE(at != entries.end());
    window.control.command(Command::ChooseEntry, static_cast<std::uint64_t>(at - entries.begin()));
    CHECK_FALSE(window.state.menu.open());
  };
  const MarkText after_stage_2 = element(2, 1);
  window.control.press_right(&after_stage_2, {600, 200});
  CHECK(window.state.menu.name == "context");
  CHECK(window.state.menu.title == "F[1] = (−4, 4)");
  CHECK(window.state.menu.note == "written by item 1");
  take(Command::GoToWriter);
  CHECK(window.state.cursor.step == 8);
  window.control.press_right(&after_stage_2, {600, 200});
  take(Command::GoToReader);
  CHECK(window.state.cursor.step == 12);
  window.control.press_right(&after_stage_2, {600, 200});
  take(Command::CopyValue);
  CHECK(window.asked.copied == "(-4, 4)");
  window.control.press_right(&after_stage_2, {600, 200});
  take(Command::Pin);
  CHECK(window.state.cursor.pinned == after_stage_2.mark);
  // Nothing reads what is left at the end.
  const MarkText last = element(3, 1);
  window.control.press_right(&last, {600, 200});
  take(Command::GoToReader);
  CHECK(window.state.message.find("F[1]") != std::string::npos);
  // A button has no menu.
  const MarkText button{{.kind = MarkKind::Command, .command = "last"}, ""};
  window.control.press_right(&button, {600, 200});
  CHECK_FALSE(window.state.menu.open());
}

TEST_CASE("what is shown is copied as text, LaTeX, TikZ, SVG and a command line") {
  Window window;
  window.control.seek(8);
  window.key("Ctrl+C");
  CHECK(window.asked.copied.find("F[1] ← F[1] + w·F[3]") != std::string::npos);
  window.key("Ctrl+Shift+E");
  CHECK(window.asked.copied.find("\\begin{align*}") == 0);
  CHECK(window.asked.copied.find("F[1] &\\leftarrow  F[1] + w\\cdot F[3]") != std::string::npos);
  CHECK(window.asked.copied.find("(-4, 4)") != std::string::npos);
  window.key("Ctrl+Shift+T");
  CHECK(window.asked.copied.find("\\begin{tikzpicture}") != std::string::npos);
  CHECK(window.asked.copied.find("(-4, 4)") == std::string::npos);  // a minus sign is math there
  CHECK(window.asked.copied.find("($-$4, 4)") != std::string::npos);
  window.key("Ctrl+Shift+V");
  CHECK(window.asked.copied.find("\\begin{tabular}{r") == 0);
  CHECK(window.asked.copied.find("$(-4, 4)$") != std::string::npos);
  CHECK(window.asked.copied.find("(28, 0)") == std::string::npos);  // that is still to come
  window.key("Ctrl+Shift+G");
  CHECK(window.asked.copied.find("<svg") == 0);
  window.key("Ctrl+Shift+C");
  CHECK(window.asked.pictures == 1);
  window.state.subject = "fft-radix2 --n 8 --signal ramp";
  window.key("Ctrl+L");
  CHECK(window.asked.copied == "twiddle view fft-radix2 --n 8 --signal ramp --view butterfly --at L3.S2.I1");
  window.key("Ctrl+S");
  REQUIRE(window.state.text_entry.kind == TextEntry::Kind::Save);
  CHECK(window.state.text_entry.line.text.find("fft-radix2-n8") != std::string::npos);
  CHECK(window.state.text_entry.line.selection() == window.state.text_entry.line.text);
  window.key("Ctrl+A");
  const synthetic::Folder folder;
  const std::string mine = (folder / "mine.twd").string();
  window.type(mine);
  window.key("Enter");
  CHECK(window.asked.saved == "trace=" + mine);
}

TEST_CASE("a large trace has no LaTeX table, and says so") {
  Document document(traced("fft-radix2", 1024, "random:1"));
  Asked asked;
  WindowControl control(document, asked.all());
  control.command(Command::CopyTable);
  CHECK(asked.copied.empty());
  CHECK(control.state().message.find("64") != std::string::npos);
}

TEST_CASE("the help is searched by typing, and Enter does what is found first") {
  Window window;
  window.key("?");
  CHECK(window.state.help);
  CHECK(help_shown(window.state).size() > 50);
  window.type("decibels");
  CHECK(help_shown(window.state) == std::vector<Command>{Command::LogScale});
  window.key("Enter");
  CHECK(window.state.log_scale);
  CHECK_FALSE(window.state.help);
  // By its key, too.
  window.key("F1");
  window.type("page down");
  CHECK(help_shown(window.state) == std::vector<Command>{Command::LessonNext});
  window.key("F1");
  CHECK_FALSE(window.state.help);
  CHECK_FALSE(window.state.typing());
}

TEST_CASE("Tab goes through all controls and back, Enter presses, and the ring is drawn") {
  Window window;
  std::set<std::string> reached;
  std::optional<Mark> first;
  for (int i = 0; i < 200; ++i) {
    window.control.move_focus(window_scene(window.document, window.state), 1);
    REQUIRE(window.state.focus);
    if (!first)
      first = window.state.focus;
    else if (window.state.focus == first)
      break;
    reached.insert(window.state.focus->command);
  }
  CHECK(window.state.focus == first);  // round
  for (const char* name : {"menu", "share", "palette", "step-forward", "play-pause", "tab"}) {
    CAPTURE(name);
    CHECK((reached.contains(name) || first->command == name));
  }
  while (window.state.focus->command != "step-forward")
    window.control.move_focus(window_scene(window.document, window.state), -1);
  const Scene scene = window_scene(window.document, window.state);
  const bool ring = std::any_of(scene.shapes.begin(), scene.shapes.end(), [](const Shape2D& shape) {
    return shape.layer >= 1000 && shape.stroke.role == Role::Ink && shape.stroke.width == 2;
  });
  CHECK(ring);
  window.key("Enter");
  CHECK(window.state.cursor.step == 1);
  window.key("Escape");
  CHECK_FALSE(window.state.focus);
}

TEST_CASE("any value of a field can be typed") {
  Window window;
  window.state.fields = {{"signal", "x", "ramp", "ramp", {{"ramp"}, {typed_value, "type one …"}}}};
  window.state.open_choice = "signal";
  const Mark mark{.kind = MarkKind::Choice, .index = 1, .command = "signal"};
  const MarkText text{mark, ""};
  window.control.press(&text, {});
  window.control.release({});
  REQUIRE(window.state.text_entry.kind == TextEntry::Kind::Value);
  window.type("cosine:2");
  window.key("Enter");
  CHECK(window.asked.chosen == "signal=cosine:2");
  CHECK_FALSE(window.state.typing());
}

TEST_CASE(
    "menus, the palette, the help and the start page keep their texts apart and whole, in any theme and at any size") {
  Window window;
  window.state.cursor.step = 8;
  window.state.lessons = {{"twiddles", "Twiddle factors on the circle", 6, 7, true}};
  for (const auto& [width, height] : {std::pair{640.0f, 480.0f},
                                      {1024.0f, 640.0f},
                                      {1280.0f, 720.0f},
                                      {1440.0f, 900.0f},
                                      {2560.0f, 1440.0f},
                                      {3840.0f, 2160.0f}})
    for (const ThemeName theme : {ThemeName::Light, ThemeName::Dark, ThemeName::Projector}) {
      window.state.theme = theme;
      window.control.resize(width, height);
      // Of the overlay alone: it covers what is below.
      const auto check = [&](const std::string& what, int from_layer) {
        Scene scene = window_scene(window.document, window.state);
        std::erase_if(scene.shapes, [&](const Shape2D& shape) {
          if (shape.layer < from_layer) return true;
          if (from_layer > 0 || shape.clip < 0) return false;
          // The page scrolls: what is above or below is not there.
          const Box clip = scene.clips[static_cast<std::size_t>(shape.clip)], box = bounds(shape);
          return box.y < clip.y || box.bottom() > clip.bottom();
        });
        for (const std::string& fault : text_faults(scene)) {
          CAPTURE(what);
          CAPTURE(width);
          CAPTURE(name_of(theme));
          CAPTURE(fault);
          CHECK(fault.empty());
        }
      };
      for (const Command command :
           {Command::Menu, Command::Share, Command::Palette, Command::Help, Command::SaveTrace}) {
        window.control.command(command);
        if (window.state.text_entry.kind == TextEntry::Kind::Palette) window.type("tw");
        check(std::string(name_of(command)), 1000);
        window.key("Escape");
        REQUIRE_FALSE(window.state.covered());
      }
      window.state.theme = theme;
      window.state.asked_to_run = "/a/folder/of/mine/my_reduce.toml";
      check("asking", 1000);
      window.state.asked_to_run.clear();
      window.state.start.open = true;
      window.state.start.recent = {{"/a/first.twd", "Radix-2 FFT of 8 points"}, {"/a/second.twd", ""}};
      window.state.start.devices = {{"opencl", "PoCL", true}, {"cuda", "no driver was found", false}};
      check("the start page", 0);
      window.state.start.open = false;
    }
}
