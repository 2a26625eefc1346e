// The window's panes when two traces are shown side by side.
#pragma once

#include "viewer/compare/comparison.h"
#include "viewer/frame/window_scene.h"
#include "viewer/panels/panels.h"
#include "viewer/state/window_layout.h"

namespace twiddle {

/// The state as one half sees it: its own step, and what is hovered or pinned in either half as its trace knows it.
WindowState half_state(const Comparison& comparison, const WindowState& state, int side);

/// Puts a pane's scene where it is in the window; its marks are of this side.
void put(Scene& scene, const Scene& pane, const Box& box, int side = 0);

/// Frames what is not as in the run before, in the picture of the document at the cursor.
void frame_changes(const PanelContext& context, Scene& picture);

/// Both halves under one top bar, over one scrub bar. Marks of the right half carry side 1. What the two hold differently
/// is framed in both.
void draw_side_by_side(const Comparison& comparison, const WindowState& state, const WindowLayout& layout,
                       Scene& scene);

}  // namespace twiddle
