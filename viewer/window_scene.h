// The whole window as one Scene: top bar, launches, diagram, lanes, inspector, source, scrub bar. The real window paints
// it with ImGui; `view --screenshot` writes the same scene as PNG without a display.
#pragma once

#include "viewer/diagram.h"
#include "viewer/document.h"
#include "viewer/keys.h"

#include <map>
#include <string>

namespace twiddle {

struct WindowState {
  Cursor cursor;
  Viewport viewport;
  ThemeName theme = ThemeName::Light;
  float width = 1440, height = 900, scale = 1;
  Language language = Language::English;
  std::string tab = "butterfly";          // which diagram
  std::string side_tab = "operation";     // the right pane's tab in a narrow window
  std::string lanes_tab = "items";        // the lanes' tab in a narrow window
  bool presenting = false, blank = false, help = false, predict = false;
  bool playing = false;
  float speed = 1;
  float phase = 1;
  std::map<std::string, float> scroll;    // by pane
  std::string open_choice;                // the drop-down that is open, if any
  std::string message;                    // a sentence to show (an error, a hint), if any
};

Scene window_scene(Document& document, const WindowState& state);

}  // namespace twiddle
