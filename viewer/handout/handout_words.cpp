#include "viewer/handout/handout_words.h"

#include "base/tr.h"
#include "viewer/input/keys.h"
#include "viewer/render/svg_parts.h"

namespace twiddle {

using nlohmann::json;

std::map<std::string, std::string> handout_words() {
  std::map<std::string, std::string> words = {
      {"say-diagram", tr("Diagram")},
      {"say-operation", tr("The operation")},
      {"say-playback", tr("Playback")},
      {"say-first", tr("to the start")},
      {"say-stage-back", tr("previous stage")},
      {"say-step-back", tr("previous step")},
      {"say-play", tr("Play")},
      {"say-step-forward", tr("next step")},
      {"say-stage-forward", tr("next stage")},
      {"say-last", tr("to the end")},
      {"say-slower", tr("slower")},
      {"say-faster", tr("faster")},
      {"say-speed", tr("Speed")},
      {"say-position", tr("Position")},
      {"say-theme", tr("Theme")},
      {"say-light-or-dark", tr("light or dark")},
      {"say-keys", tr("Keys")},
      {"say-log", tr("The log so far")},
      {"say-close", tr("Close")},
      {"say-go-to", tr("Go to a step, or to a position such as L3.S2.I1")},
      {"say-go", tr("Go")},
      {"say-back-to-log", tr("Back to the log")},
      {"say-hear", tr("Hear the signal")},
      {"say-not-evaluated", tr("“?” is not evaluated: the log does not say how it came about.")},
      {"say-noscript",
       tr("Stepping through needs JavaScript, which is off here. The diagram shows the end of the run.")},
  };
  for (auto& [name, text] : words) text = svg_escaped(text);
  return words;
}

json player_words() {
  return {{"step", tr("step {} of {}")},
          {"line", tr("logged at line {}")},
          {"play", tr("Play")},
          {"pause", tr("Pause")},
          {"twiddle", tr("twiddle factor")},
          {"turned", tr("The twiddle factor at {}")},
          {"live", tr("Drag an input value, or choose it and press ↑ or ↓: what follows is computed anew from the "
                      "logged operations. It is the log's arithmetic, not a device.")},
          {"changed", tr("{} of {} values are others now. It is the log's arithmetic, not a device.")},
          {"instead", tr("now {}, by the log's arithmetic")},
          {"hear", tr("Hear the signal")},
          {"stop", tr("Stop")},
          {"heard", tr("You hear this page's own {0} samples, repeated: one turn in all of them is a tone of {1} Hz.")},
          {"silent", tr("All samples are the same, so that nothing can be heard.")},
          {"sample", tr("{}, to be dragged")},
          {"nowhere", tr("There is no {} here; steps go from 0 to {}.")}};
}

json handout_keys() {
  json keys = json::object();
  const KeyMap map = KeyMap::defaults();
  for (const Command command :
       {Command::PlayPause, Command::StepForward, Command::StepBack, Command::StageForward, Command::StageBack,
        Command::First, Command::Last, Command::Slower, Command::Faster, Command::GoTo, Command::ToggleBookmark,
        Command::NextBookmark, Command::PreviousBookmark, Command::Blank, Command::Fullscreen, Command::HidePointer,
        Command::Help, Command::Leave, Command::NextTheme})
    for (const Chord& chord : map.chords(command)) keys[to_string(chord)] = std::string(name_of(command));
  return keys;
}

json handout_help(const json& keys) {
  json rows = json::array();
  const KeyMap map = KeyMap::defaults();
  for (const HelpSection& section : help_sections())
    for (const Command command : section.commands) {
      json chords = json::array();
      for (const Chord& chord : map.chords(command))
        if (keys.contains(to_string(chord))) chords.push_back(display_text(chord));
      if (chords.empty()) continue;
      const std::string meaning = command == Command::NextTheme
                                      ? tr("light or dark")
                                      : std::string(tr(std::string(meaning_of(command)).c_str()));
      rows.push_back({chords, meaning});
    }
  return rows;
}

}  // namespace twiddle
