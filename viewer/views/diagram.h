// A diagram: what the algorithm did, drawn from the trace. One header for every kind of picture in the middle of the window.
#pragma once

#include "viewer/document/turn.h"
#include "viewer/facts/live_signal.h"
#include "viewer/scene/fonts.h"
#include "viewer/scene/scene.h"
#include "viewer/scene/theme.h"

namespace twiddle {

/// What part of a diagram shows: zoom 1 fits everything; the centre is in the diagram's own unit square. Doubles, because a
/// million rows are many more than a float can distinguish.
struct Viewport {
  double zoom = 1, centre_x = 0.5, centre_y = 0.5;
  bool operator==(const Viewport&) const = default;
};

/// Which strips of memory's costs are below the columns (viewer/views/cost_strips.h).
enum class CostStrips : std::uint8_t { None, Sectors, Passes, Both };

struct DiagramInput {
  Document& document;
  Cursor cursor;
  Viewport viewport;
  const Theme& theme;
  float width = 864, height = 562;  // px of the pane, scale included
  float scale = 1;
  Language language = Language::English;
  float phase = 1;                      // of the current operation's animation, 0 … 1; 1: finished
  bool hide_next = false;               // predict mode: nothing that gives the next operation away
  Document* beside = nullptr;           // the other half of a comparison: both halves have one layout
  float beside_width = 0;               // … and its pane's width
  bool small = false;                   // in a low pane: no totals or explanations, and lower rows
  bool log_scale = false;               // of plots: decibels instead of values
  CostStrips costs = CostStrips::None;  // below the columns, where there is room
  const LiveSignal* live = nullptr;     // the signal while the user changes it; null: nothing can be changed here
  double patience_ms = 1e9;             // how long this frame may decode; what is missing then is left pale and
                                        // Scene::unfinished is set: build the frame again
};

/// The turn at the cursor; null outside lockstep, in predict mode, and while yellow is what changed.
const Turn* turn_of(const DiagramInput& input);

}  // namespace twiddle
