// A diagram: what the algorithm did, drawn from the trace. One header for every kind of picture in the middle of the window.
#pragma once

#include "viewer/document.h"
#include "viewer/fonts.h"
#include "viewer/scene.h"
#include "viewer/theme.h"

#include <string>

namespace twiddle {

/// What part of a diagram shows: zoom 1 fits everything; the centre is in the diagram's own unit square.
struct Viewport { float zoom = 1; float centre_x = 0.5f, centre_y = 0.5f; };

struct DiagramInput {
  Document& document;
  Cursor cursor;
  Viewport viewport;
  const Theme& theme;
  float width = 864, height = 562;   // px of the pane, scale included
  float scale = 1;
  Language language = Language::English;
  float phase = 1;                   // of the current operation's animation, 0 … 1; 1: finished
  bool hide_next = false;            // predict mode: nothing that gives the next operation away
};

/// The butterfly diagram: columns are the state after each segment, rows are indices with their binary form.
Scene butterfly_diagram(const DiagramInput& input);

}  // namespace twiddle
