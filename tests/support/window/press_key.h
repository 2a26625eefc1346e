// A key chord, as a user presses it in a window without a window.
#pragma once

#include "viewer/control/window_control.h"
#include "viewer/input/keys.h"

namespace twiddle {

inline void press_key(WindowControl& control, const char* chord) { control.key(parse_chord(chord).value()); }

}  // namespace twiddle
