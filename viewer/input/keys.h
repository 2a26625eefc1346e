// Keys: what can be asked of the viewer, and which keys ask for it. The one table behind the window, the help overlay and
// the settings file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// Everything a key, a button or a remote can ask for; the names are used in the settings file and as button marks.
enum class Command : std::uint8_t {
  None,
#define COMMAND(command, name, meaning, keys) command,
#define POINTER_COMMAND(command, name) command,
#include "viewer/input/commands.def"
#undef COMMAND
#undef POINTER_COMMAND
};
/// The commands before it can have keys.
inline constexpr int command_count = static_cast<int>(Command::ShowView);

/// "step-forward" … and back; an unknown name gives Command::None.
std::string_view name_of(Command command);
Command command_named(std::string_view name);
/// The names of all that can have keys.
std::vector<std::string> command_names();
/// What it does, as the help overlay says it: "next step".
std::string_view meaning_of(Command command);

/// A key with its modifiers. `key` is the name of a key ("Right", "Page Down", "F9"), a letter in upper case, or the
/// symbol that was typed ("?", "+"), independent of the keys that the layout needs for it: symbols carry no shift.
struct Chord {
  std::string key;
  bool ctrl = false, shift = false, alt = false;
  bool operator==(const Chord&) const = default;
};

/// Reads "Shift+Right", "Ctrl++", "?", "Page Down" (letters in either case); nothing when no such key exists.
std::optional<Chord> parse_chord(std::string_view text);
std::string to_string(const Chord& chord);
/// For people: arrows as arrows, a real minus sign.
std::string display_text(const Chord& chord);

/// Which chord asks for which command. One chord asks for one command; a command may have several chords.
class KeyMap {
 public:
  /// The default keys (docs/window.md).
  static KeyMap defaults();

  Command command(const Chord& chord) const;
  std::vector<Chord> chords(Command command) const;
  /// Gives the chord to a command and returns the command that had it before, if any, so that a conflict can be reported.
  Command bind(const Chord& chord, Command command);
  /// Takes all its chords from a command.
  void clear(Command command);

 private:
  struct Binding {
    Chord chord;
    Command command;
  };
  std::vector<Binding> bindings_;
};

/// The help overlay's sections, in order.
struct HelpSection {
  std::string_view title;
  std::span<const Command> commands;
};
std::span<const HelpSection> help_sections();

}  // namespace twiddle
