// Where the panes of the window are: sizes, folds for small windows, growth for large ones.
#pragma once

#include "viewer/scene/scene.h"
#include "viewer/state/window_state.h"

#include <array>
#include <vector>

namespace twiddle {

/// Boxes in px. An empty box (w or h 0): the pane is not there.
struct WindowLayout {
  float scale = 1;    // px of a layout unit: the state's scale, doubled by the projector theme's type
  float drawing = 1;  // the scale of the view in the middle
  Box top, left, diagram, items, memory, right, scrub;
  Box runs;      // the tabs of the runs that are kept, where there are several
  Box signal;    // the sliders below handles
  Box question;  // in predict mode, in place of the panes that show what is to come
  Box strip;  // the operation on one line: in windows too narrow for the right pane, and at the foot while presenting
  // Of two traces: what each half is of, its view (the left one is `diagram`), and its operation on one line.
  std::array<Box, 2> heads, halves, strips;
  bool rail = false;        // the left pane shows launch numbers only
  bool side_tabs = false;   // the right pane shows one of operation, source, findings
  bool lanes_tabs = false;  // work-items or memory: both boxes are the same
};

WindowLayout window_layout(const WindowState& state);

/// The borders between panes that can be dragged now, each as the strip that takes the pointer.
struct BorderStrip {
  PaneBorder border;
  Box box;
  bool upright = true;  // between left and right
};
std::vector<BorderStrip> border_strips(const WindowState& state, const WindowLayout& layout);
/// The sizes with a border dragged to a point of the window.
PaneSizes dragged_panes(const WindowState& state, const WindowLayout& layout, PaneBorder border, Point at);
/// What the rows of conditions to stop at take of the scrub pane, below the rest of it; px at a scale of 1. A row each.
inline constexpr float stop_row_height = 13;
float stop_rows_height(const WindowState& state);

/// What the view in the middle of that window is drawn from.
DiagramInput diagram_input(Document& document, const WindowState& state);

}  // namespace twiddle
