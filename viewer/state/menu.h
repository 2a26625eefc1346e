// Menus and the command palette: entries that do something, drawn as rows and chosen with the arrows or the pointer.
#pragma once

#include "viewer/input/keys.h"
#include "viewer/input/text_line.h"
#include "viewer/scene/scene.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

/// What an entry does: a command, or something with its `id`.
struct MenuEntry {
  /// In the order of the palette's groups.
  enum class Kind : std::uint8_t { Position, Command, Algorithm, Gallery, Lesson, File, Setting, Submenu };
  Kind kind = Kind::Command;
  Command command = Command::None;
  std::string id{};                // an algorithm's, a lesson's; a file's path; a position as it is typed; "theme:dark"
  std::string text{};              // as it is shown
  std::string aside{};             // what else it is known by
  bool apart = false;              // a line is drawn above it
  bool checked = false;            // something that is on
  std::vector<MenuEntry> under{};  // of a submenu
  bool operator==(const MenuEntry&) const = default;
};

/// A menu that is open: that of the window, that of sharing, or that of something that was clicked with the right button.
struct Menu {
  std::string name{};                    // "menu", "share", "context"; empty: none is open
  std::optional<Point> at{};             // where it hangs; nothing: from its button
  std::optional<Mark> about{};           // what a context menu is about
  std::string title{}, value{}, note{};  // of that: "F[1]", "(−4, 4)", "written by …"
  std::vector<MenuEntry> entries{};
  int chosen = -1;
  int open_under = -1, chosen_under = -1;  // the entry whose submenu is open, and which of its entries is chosen
  bool open() const { return !name.empty(); }
};

/// How pictures are copied and saved.
struct ShareOptions {
  bool trim = false, outlined = false, column = false;  // cut to the drawing; letters of SVG as outlines; 85 mm wide
  bool operator==(const ShareOptions&) const = default;
};

/// The palette: what is typed is the window's text field (TextEntry::Kind::Palette).
struct Palette {
  std::vector<MenuEntry> found;
  int chosen = 0;
};

/// A lesson of the course, as a list of what there is shows it.
struct LessonEntry {
  std::string id, title;
  int number = 0, minutes = 0;
  bool done = false;
};

}  // namespace twiddle
