// The real window: ImGui, GLFW and OpenGL 3 around window_scene.
#pragma once

#include "viewer/document/document.h"
#include "viewer/session/window_options.h"

namespace twiddle {

/// Shows the document until the window is closed; returns the exit code. Throws Error (no_device) when there is no display
/// or no OpenGL 3, with a sentence that names the way to get a picture without.
int run_window(Document& document, const WindowOptions& options);

}  // namespace twiddle
