// A text field: ImGui's own editing (cursor, selection, clipboard), without its looks, laid over a box of the scene.
#pragma once

#include "viewer/scene/scene.h"
#include "viewer/scene/theme.h"

#include <array>
#include <optional>
#include <string>

namespace twiddle {

class TextField {
 public:
  /// Begins with this text; it takes the keyboard in the next frame.
  void open(const std::string& text);
  /// Enter was pressed: the next frame, which has everything typed before it, tells what was entered. (ImGui's own answer
  /// to Enter misses a key that goes down and up between two frames.)
  void enter() { entered_ = true; }
  /// Before a new frame: its font in this scale, with the letters of the language.
  void prepare(float scale, Language language);
  /// Inside a frame: edits over the scene's text field. What was entered, once Enter was pressed.
  std::optional<std::string> show(const Scene& scene, const Theme& theme);

 private:
  std::array<char, 1024> text_{};
  bool focus_ = false, entered_ = false;
  float font_scale_ = 0;
  Language font_language_ = Language::English;
};

}  // namespace twiddle
