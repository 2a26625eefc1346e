// Below the launches, while the diagram is zoomed: all of it, small, with a frame around what is in view.
#pragma once

#include "viewer/panels/panels.h"
#include "viewer/state/window_layout.h"

namespace twiddle {

/// What a press in it is told by (Mark::command of a pane).
inline constexpr const char* map_mark = "map";

/// Its pane; empty where there is none.
Box map_box(const WindowState& state, const WindowLayout& layout);
/// The picture in a pane of this size.
Scene map_panel(const PanelContext& context, float width, float height);
/// The diagram with what is at a point of the pane (from its corner) in its middle.
Viewport map_viewport(const WindowState& state, const WindowLayout& layout, const Box& pane, Point at);

}  // namespace twiddle
