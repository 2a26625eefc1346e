// What the presenter sees on a second screen while the audience sees the diagram: the notes, what is shown, what comes next.
#pragma once

#include "viewer/document/document.h"
#include "viewer/frame/window_scene.h"

namespace twiddle {

struct PresenterView {
  float width = 1280, height = 720, scale = 1;  // px of that window
  double seconds = 0;                           // since presenting began
};

/// The notes are those of the bookmark at the cursor, or the last one before it.
Scene presenter_scene(Document& document, const WindowState& state, const PresenterView& presenter);

}  // namespace twiddle
