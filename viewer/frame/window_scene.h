// The whole window as one Scene: top bar, launches, diagram, lanes, inspector, source, scrub bar. The real window paints
// it with ImGui; `view --screenshot` writes the same scene as PNG without a display.
#pragma once

#include "viewer/state/window_state.h"

namespace twiddle {

Scene window_scene(Document& document, const WindowState& state);

}  // namespace twiddle
