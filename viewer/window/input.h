// GLFW's keys as chords.
#pragma once

#include "viewer/input/keys.h"

#include <optional>

namespace twiddle {

/// The chord of a key event: named keys, letters (of the user's own layout), and symbols with Ctrl. Symbols without Ctrl
/// come as characters, because which key types a "?" depends on the layout.
std::optional<Chord> chord_of_key(int key, int scancode, int modifiers);

/// The chord of a typed character, when it is a symbol or a digit.
std::optional<Chord> chord_of_character(unsigned code_point);

/// Whether holding the key down repeats the command: stepping does, switching does not.
bool repeats(Command command);

}  // namespace twiddle
