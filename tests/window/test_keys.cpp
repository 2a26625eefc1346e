#include "viewer/input/keys.h"

#include <doctest.h>

#include <set>

using namespace twiddle;

TEST_CASE("every command has a name that leads back to it, and says what it does") {
  std::set<std::string_view> names;
  for (int i = 1; i < command_count; ++i) {
    const auto command = static_cast<Command>(i);
    CHECK_FALSE(name_of(command).empty());
    CHECK_FALSE(meaning_of(command).empty());
    CHECK(names.insert(name_of(command)).second);
    CHECK(command_named(name_of(command)) == command);
  }
  CHECK(command_named("") == Command::None);
  CHECK(command_named("explode") == Command::None);
}

TEST_CASE("the standard keys are those that the manual promises") {
  const KeyMap keys = KeyMap::defaults();
  const std::pair<const char*, Command> promised[] = {{"Space", Command::PlayPause},
                                                      {"Right", Command::StepForward},
                                                      {"Left", Command::StepBack},
                                                      {"Shift+Right", Command::StageForward},
                                                      {"Shift+Left", Command::StageBack},
                                                      {"Page Down", Command::LessonNext},
                                                      {"Page Up", Command::LessonPrevious},
                                                      {"Home", Command::First},
                                                      {"End", Command::Last},
                                                      {"-", Command::Slower},
                                                      {"+", Command::Faster},
                                                      {"G", Command::GoTo},
                                                      {"F9", Command::ToggleBookmark},
                                                      {"F2", Command::NextBookmark},
                                                      {"Shift+F2", Command::PreviousBookmark},
                                                      {"N", Command::NextFinding},
                                                      {"Shift+N", Command::PreviousFinding},
                                                      {"B", Command::Blank},
                                                      {".", Command::Blank},
                                                      {"F", Command::Fullscreen},
                                                      {"H", Command::HidePointer},
                                                      {"Ctrl++", Command::ScaleUp},
                                                      {"Ctrl+-", Command::ScaleDown},
                                                      {"Ctrl+0", Command::ScaleReset},
                                                      {"Q", Command::Predict},
                                                      {"?", Command::Help},
                                                      {"F1", Command::Help},
                                                      {"Escape", Command::Leave}};
  for (const auto& [text, command] : promised) {
    CAPTURE(text);
    const auto chord = parse_chord(text);
    REQUIRE(chord);
    CHECK(keys.command(*chord) == command);
  }
}

TEST_CASE("Page Down and Page Up mean nothing but the lesson, with any modifier") {
  const KeyMap keys = KeyMap::defaults();
  for (const char* key : {"Page Down", "Page Up"})
    for (int modifiers = 1; modifiers < 8; ++modifiers)
      CHECK(keys.command({key, (modifiers & 1) != 0, (modifiers & 2) != 0, (modifiers & 4) != 0}) == Command::None);
}

TEST_CASE("chords are read and written the same way") {
  for (const char* text : {"Space", "Shift+F2", "Ctrl++", "Ctrl+-", "+", "?", "Ctrl+Shift+Alt+Q", "Page Down", "F24"}) {
    CAPTURE(text);
    const auto chord = parse_chord(text);
    REQUIRE(chord);
    CHECK(to_string(*chord) == text);
  }
  CHECK(parse_chord("shift+n") == Chord{"N", false, true, false});
  CHECK(parse_chord("page_down") == Chord{"Page Down"});
  for (const char* text : {"", "Shift+", "Meta+A", "F0", "F25", "F1x", "F01", "Sleep", "AB", "Shift+?", "\xc3\xa4"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_chord(text));
  }
}

TEST_CASE("binding a chord in use names the command that loses it") {
  KeyMap keys = KeyMap::defaults();
  const Chord t{"T"};
  CHECK(keys.bind(t, Command::Help) == Command::NextTheme);
  CHECK(keys.command(t) == Command::Help);
  CHECK(keys.chords(Command::NextTheme).empty());
  CHECK(keys.chords(Command::Help).size() == 3);
  CHECK(keys.bind({"J"}, Command::NextTheme) == Command::None);
  CHECK(keys.bind({"J"}, Command::NextTheme) == Command::None);  // binding again is no conflict
  keys.clear(Command::Help);
  CHECK(keys.chords(Command::Help).empty());
  CHECK(keys.command(t) == Command::None);
}

TEST_CASE("the help overlay names each command once, with a key for each") {
  const KeyMap keys = KeyMap::defaults();
  std::set<Command> seen;
  for (const HelpSection& section : help_sections())
    for (Command command : section.commands) {
      CHECK(seen.insert(command).second);
      CHECK_FALSE(keys.chords(command).empty());
    }
  CHECK(display_text({"Right", false, true, false}) == "Shift →");
  CHECK(display_text({"-", true, false, false}) == "Ctrl −");
}
