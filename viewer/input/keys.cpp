#include "viewer/input/keys.h"

#include "base/text.h"
#include "base/tr.h"

#include <algorithm>
#include <array>

namespace twiddle {
namespace {

struct CommandRow {
  std::string_view name, meaning, keys;
};

constexpr CommandRow rows[] = {
    {"", "", ""},
#define COMMAND(command, name, meaning, keys) {name, meaning, keys},
#define POINTER_COMMAND(command, name) {name, "", ""},
#include "viewer/input/commands.def"
#undef COMMAND
#undef POINTER_COMMAND
};

constexpr const CommandRow& row(Command command) { return rows[static_cast<std::size_t>(command)]; }

constexpr std::array<std::string_view, 14> named_keys = {"Space",   "Left",      "Right",     "Up",    "Down",
                                                         "Page Up", "Page Down", "Home",      "End",   "Escape",
                                                         "Enter",   "Tab",       "Backspace", "Delete"};

bool same_word(std::string_view a, std::string_view b) {
  const auto plain = [](char c) { return c == '_' ? ' ' : lower_case(c); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return plain(x) == plain(y); });
}

bool is_symbol(char c) { return c > ' ' && c < 0x7f && !is_letter(c); }

constexpr auto all_commands = [] {
  std::array<Command, command_count> all{};
  for (int i = 0; i < command_count; ++i) all[i] = static_cast<Command>(i);
  return all;
}();
constexpr std::span<const Command> from_to(Command first, Command last) {
  return std::span(all_commands).subspan(static_cast<int>(first), static_cast<int>(last) - static_cast<int>(first) + 1);
}
constexpr HelpSection sections[] = {{translatable("Moving"), from_to(Command::PlayPause, Command::NextStepBy)},
                                    {translatable("Going to"), from_to(Command::Palette, Command::Forward)},
                                    {translatable("Presenting"), from_to(Command::Present, Command::LessonPrevious)},
                                    {translatable("Showing"), from_to(Command::NextTheme, Command::NextLanguage)},
                                    {translatable("Doing"), from_to(Command::RunAgain, Command::ContextMenu)},
                                    {translatable("Sharing"), from_to(Command::Share, Command::SaveSound)},
                                    {translatable("Help"), from_to(Command::Settings, Command::Leave)}};

}  // namespace

std::string_view name_of(Command command) { return row(command).name; }

Command command_named(std::string_view name) {
  const auto found = std::find_if(std::begin(rows), std::end(rows), [&](const auto& one) { return one.name == name; });
  return found == std::end(rows) ? Command::None : static_cast<Command>(found - std::begin(rows));
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (int i = 1; i < command_count; ++i) names.emplace_back(rows[i].name);
  return names;
}

std::string_view meaning_of(Command command) { return row(command).meaning; }

std::optional<Chord> parse_chord(std::string_view text) {
  Chord chord;
  for (;;) {
    const std::size_t plus = text.find('+');
    if (plus == std::string_view::npos || plus == 0) break;
    const std::string_view modifier = text.substr(0, plus);
    if (same_word(modifier, "Ctrl"))
      chord.ctrl = true;
    else if (same_word(modifier, "Shift"))
      chord.shift = true;
    else if (same_word(modifier, "Alt"))
      chord.alt = true;
    else
      return std::nullopt;
    text.remove_prefix(plus + 1);
  }
  if (text.size() == 1 && is_letter(text[0])) {
    chord.key = std::string(1, static_cast<char>(text[0] & ~0x20));
    return chord;
  }
  if (text.size() == 1 && is_symbol(text[0])) {
    if (chord.shift) return std::nullopt;  // which symbol shift gives depends on the layout: name the symbol itself
    chord.key = std::string(text);
    return chord;
  }
  for (std::string_view name : named_keys)
    if (same_word(text, name)) {
      chord.key = std::string(name);
      return chord;
    }
  if (text.size() >= 2 && text.size() <= 3 && (text[0] == 'F' || text[0] == 'f')) {
    int number = 0;
    for (char digit : text.substr(1)) {
      if (digit < '0' || digit > '9') return std::nullopt;
      number = number * 10 + (digit - '0');
    }
    if (number < 1 || number > 24 || text[1] == '0') return std::nullopt;
    chord.key = "F" + std::to_string(number);
    return chord;
  }
  return std::nullopt;
}

std::string to_string(const Chord& chord) {
  return std::string(chord.ctrl ? "Ctrl+" : "") + (chord.shift ? "Shift+" : "") + (chord.alt ? "Alt+" : "") + chord.key;
}

std::string display_text(const Chord& chord) {
  static constexpr std::pair<std::string_view, std::string_view> shown[] = {
      {"Left", "←"}, {"Right", "→"}, {"Up", "↑"}, {"Down", "↓"}, {"-", "−"}, {"Escape", "Esc"}};
  std::string key = chord.key;
  for (const auto& [name, text] : shown)
    if (key == name) key = text;
  return std::string(chord.ctrl ? "Ctrl " : "") + (chord.shift ? "Shift " : "") + (chord.alt ? "Alt " : "") + key;
}

KeyMap KeyMap::defaults() {
  KeyMap map;
  for (const CommandRow& one : rows)
    for (std::string_view rest = one.keys; !rest.empty();) {
      const std::size_t space = rest.find(' ');
      map.bind(parse_chord(rest.substr(0, space)).value(), static_cast<Command>(&one - rows));
      rest.remove_prefix(space == std::string_view::npos ? rest.size() : space + 1);
    }
  return map;
}

Command KeyMap::command(const Chord& chord) const {
  for (const Binding& binding : bindings_)
    if (binding.chord == chord) return binding.command;
  return Command::None;
}

std::vector<Chord> KeyMap::chords(Command command) const {
  std::vector<Chord> found;
  for (const Binding& binding : bindings_)
    if (binding.command == command) found.push_back(binding.chord);
  return found;
}

Command KeyMap::bind(const Chord& chord, Command command) {
  for (Binding& binding : bindings_)
    if (binding.chord == chord) {
      const Command before = binding.command;
      binding.command = command;
      return before == command ? Command::None : before;
    }
  bindings_.push_back({chord, command});
  return Command::None;
}

void KeyMap::clear(Command command) {
  std::erase_if(bindings_, [&](const Binding& binding) { return binding.command == command; });
}

std::span<const HelpSection> help_sections() { return sections; }

}  // namespace twiddle
