#include "viewer/state/keys.h"

#include "base/tr.h"

#include <algorithm>
#include <array>

namespace twiddle {
namespace {

struct CommandRow {
  Command command;
  std::string_view name, meaning, keys;  // keys: the default chords, separated by spaces ("Page_Down": one name)
};

// In the order of the enumeration.
constexpr int row_count = static_cast<int>(Command::OpenListed) + 1;
constexpr std::array<CommandRow, row_count> rows = {{
    {Command::None, "", "", ""},
    {Command::PlayPause, "play-pause", translatable("play or pause"), "Space"},
    {Command::StepForward, "step-forward", translatable("next step: an operation, or a stage in the overview"),
     "Right"},
    {Command::StepBack, "step-back", translatable("previous step"), "Left"},
    {Command::StageForward, "stage-forward", translatable("next stage"), "Shift+Right"},
    {Command::StageBack, "stage-back", translatable("previous stage"), "Shift+Left"},
    {Command::LessonNext, "lesson-next", translatable("next step of the lesson"), "Page_Down"},
    {Command::LessonPrevious, "lesson-previous", translatable("previous step of the lesson"), "Page_Up"},
    {Command::First, "first", translatable("to the start"), "Home"},
    {Command::Last, "last", translatable("to the end"), "End"},
    {Command::Slower, "slower", translatable("slower"), "-"},
    {Command::Faster, "faster", translatable("faster"), "+ ="},
    {Command::GoTo, "go-to", translatable("go to, or search"), "G /"},
    {Command::ToggleBookmark, "bookmark", translatable("set or remove a bookmark"), "F9"},
    {Command::NextBookmark, "next-bookmark", translatable("next bookmark"), "F2"},
    {Command::PreviousBookmark, "previous-bookmark", translatable("previous bookmark"), "Shift+F2"},
    {Command::NextFinding, "next-finding", translatable("next finding"), "N"},
    {Command::PreviousFinding, "previous-finding", translatable("previous finding"), "Shift+N"},
    {Command::Blank, "blank", translatable("blank the screen, or show it again"), "B ."},
    {Command::Fullscreen, "fullscreen", translatable("full screen, the diagram and nothing else"), "F"},
    {Command::HidePointer, "hide-pointer", translatable("hide the pointer, or show it again"), "H"},
    {Command::ScaleUp, "scale-up", translatable("everything larger"), "Ctrl++ Ctrl+="},
    {Command::ScaleDown, "scale-down", translatable("everything smaller"), "Ctrl+-"},
    {Command::ScaleReset, "scale-reset", translatable("everything at its usual size"), "Ctrl+0"},
    {Command::Help, "help", translatable("these keys"), "? F1"},
    {Command::Leave, "leave", translatable("leave what is open; never quits"), "Escape"},
    {Command::NextTheme, "theme", translatable("next theme: light, dark, projector"), "T"},
    {Command::RunAgain, "run-again", translatable("run again"), "R"},
    {Command::Predict, "predict", translatable("predict the next operation"), "Q"},
    {Command::Present, "present", translatable("present"), "F5"},
    {Command::ZoomIn, "zoom-in", translatable("zoom into the diagram"), "Z"},
    {Command::ZoomOut, "zoom-out", translatable("zoom out"), "Shift+Z"},
    {Command::ZoomReset, "zoom-reset", translatable("all of the diagram"), "0"},
    {Command::NextView, "next-view", translatable("next view of the same trace"), "V"},
    {Command::PreviousView, "previous-view", translatable("previous view"), "Shift+V"},
    {Command::LogScale, "log-scale", translatable("plots in decibels, or as they are"), "L"},
    {Command::NextLanguage, "language", translatable("next language: English, 日本語, 简体中文"), "Shift+L"},
    {Command::Back, "back", translatable("back to before the jump"), "Backspace Alt+Left"},
    {Command::Forward, "forward", translatable("forward again"), "Alt+Right"},
    {Command::Open, "open", translatable("open another trace"), "O"},
    {Command::PresenterNotes, "notes", translatable("the presenter's notes in a window of their own"), "Shift+F5"},
    {Command::SwapScreens, "swap-screens", translatable("the diagram and the notes change screens"), "Shift+F"},
    {Command::OpenByDialog, "open-by-dialog", translatable("open by the desktop's own dialog"), "Ctrl+O"},
    {Command::EditBookmark, "note", translatable("write a note at a bookmark here"), "Shift+F9"},
    {Command::ShowView, "tab", "", ""},
    {Command::ShowSideTab, "side", "", ""},
    {Command::ShowLanesTab, "lanes", "", ""},
    {Command::CloseMessage, "message", "", ""},
    {Command::RunSketch, "sketch-run", "", ""},
    {Command::ClearSketch, "sketch-clear", "", ""},
    {Command::BackTo, "trail", "", ""},
    {Command::OpenListed, "open-entry", "", ""},
}};

constexpr const CommandRow& row(Command command) { return rows[static_cast<std::size_t>(command)]; }

static_assert([] {
  for (int i = 0; i < row_count; ++i)
    if (rows[i].command != static_cast<Command>(i)) return false;
  return true;
}());

constexpr std::array<std::string_view, 14> named_keys = {"Space",   "Left",      "Right",     "Up",    "Down",
                                                         "Page Up", "Page Down", "Home",      "End",   "Escape",
                                                         "Enter",   "Tab",       "Backspace", "Delete"};

bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == '_' ? ' ' : c;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_symbol(char c) { return c > ' ' && c < 0x7f && !is_letter(c); }

constexpr Command moving[] = {Command::PlayPause,    Command::StepForward, Command::StepBack,
                              Command::StageForward, Command::StageBack,   Command::First,
                              Command::Last,         Command::Slower,      Command::Faster};
constexpr Command going[] = {Command::GoTo,
                             Command::ToggleBookmark,
                             Command::EditBookmark,
                             Command::NextBookmark,
                             Command::PreviousBookmark,
                             Command::NextFinding,
                             Command::PreviousFinding,
                             Command::Back,
                             Command::Forward};
constexpr Command showing[] = {
    Command::Fullscreen,  Command::PresenterNotes, Command::SwapScreens, Command::Blank,
    Command::HidePointer, Command::NextTheme,      Command::ScaleUp,     Command::ScaleDown,
    Command::ScaleReset,  Command::ZoomIn,         Command::ZoomOut,     Command::ZoomReset,
    Command::NextView,    Command::PreviousView,   Command::LogScale,    Command::NextLanguage};
constexpr Command doing[] = {Command::RunAgain,     Command::Predict, Command::Open,
                             Command::OpenByDialog, Command::Help,    Command::Leave};
constexpr HelpSection sections[] = {{translatable("Moving"), moving},
                                    {translatable("Going to"), going},
                                    {translatable("Showing"), showing},
                                    {translatable("Doing"), doing}};

}  // namespace

std::string_view name_of(Command command) { return row(command).name; }

Command command_named(std::string_view name) {
  for (const CommandRow& candidate : rows)
    if (!name.empty() && candidate.name == name) return candidate.command;
  return Command::None;
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
  for (const CommandRow& candidate : rows)
    for (std::string_view rest = candidate.keys; !rest.empty();) {
      const std::size_t space = rest.find(' ');
      map.bind(parse_chord(rest.substr(0, space)).value(), candidate.command);
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
