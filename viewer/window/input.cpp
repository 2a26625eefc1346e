#include "viewer/window/input.h"

#include <GLFW/glfw3.h>

namespace twiddle {

std::optional<Chord> chord_of_key(int key, int scancode, int modifiers) {
  Chord chord;
  chord.ctrl = (modifiers & GLFW_MOD_CONTROL) != 0;
  chord.shift = (modifiers & GLFW_MOD_SHIFT) != 0;
  chord.alt = (modifiers & GLFW_MOD_ALT) != 0;
  if ((modifiers & GLFW_MOD_SUPER) != 0) return std::nullopt;  // the desktop's own
  static constexpr struct {
    int key;
    const char* name;
  } named[] = {{GLFW_KEY_SPACE, "Space"},
               {GLFW_KEY_LEFT, "Left"},
               {GLFW_KEY_RIGHT, "Right"},
               {GLFW_KEY_UP, "Up"},
               {GLFW_KEY_DOWN, "Down"},
               {GLFW_KEY_PAGE_UP, "Page Up"},
               {GLFW_KEY_HOME, "Home"},
               {GLFW_KEY_END, "End"},
               {GLFW_KEY_PAGE_DOWN, "Page Down"},
               {GLFW_KEY_ESCAPE, "Escape"},
               {GLFW_KEY_ENTER, "Enter"},
               {GLFW_KEY_KP_ENTER, "Enter"},
               {GLFW_KEY_TAB, "Tab"},
               {GLFW_KEY_BACKSPACE, "Backspace"},
               {GLFW_KEY_DELETE, "Delete"}};
  for (const auto& one : named)
    if (one.key == key) {
      chord.key = one.name;
      return chord;
    }
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F24) {
    chord.key = "F" + std::to_string(key - GLFW_KEY_F1 + 1);
    return chord;
  }
  // What the layout has on this key; a layout without Latin letters falls back to where they are on most keyboards.
  const char* text = glfwGetKeyName(key, scancode);
  char letter = text && text[0] != 0 && text[1] == 0 ? text[0] : '\0';
  if (letter == '\0' && key >= GLFW_KEY_A && key <= GLFW_KEY_Z) letter = static_cast<char>('A' + key - GLFW_KEY_A);
  if ((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')) {
    chord.key = std::string(1, static_cast<char>(letter & ~0x20));
    return chord;
  }
  if (chord.ctrl) {
    if (key == GLFW_KEY_KP_ADD) letter = '+';
    if (key == GLFW_KEY_KP_SUBTRACT) letter = '-';
    if (key == GLFW_KEY_KP_0) letter = '0';
    if (letter > ' ' && letter < 0x7f) {
      chord.shift = false;
      chord.key = std::string(1, letter);
      return chord;
    }
  }
  return std::nullopt;
}

std::optional<Chord> chord_of_character(unsigned code_point) {
  const bool letter = (code_point >= 'a' && code_point <= 'z') || (code_point >= 'A' && code_point <= 'Z');
  if (code_point <= ' ' || code_point >= 0x7f || letter) return std::nullopt;
  return Chord{std::string(1, static_cast<char>(code_point))};
}

bool repeats(Command command) {
  switch (command) {
    case Command::StepForward:
    case Command::StepBack:
    case Command::StageForward:
    case Command::StageBack:
    case Command::Slower:
    case Command::Faster:
    case Command::ScaleUp:
    case Command::ScaleDown:
    case Command::ZoomIn:
    case Command::ZoomOut:
    case Command::NextBookmark:
    case Command::PreviousBookmark:
    case Command::NextFinding:
    case Command::PreviousFinding: return true;
    default: return false;
  }
}

}  // namespace twiddle
