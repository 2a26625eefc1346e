// What a presenter adds to a picture: strokes, the laser pointer, and the light that is left on one thing.
#pragma once

#include "viewer/state/presentation.h"
#include "viewer/views/view.h"

namespace twiddle {

/// The strokes that were drawn at the cursor's step in this view, over its picture.
void draw_strokes(Document& document, const View& view, const DiagramInput& input, Scene& picture);
/// The stroke being drawn, and the laser's dot with its trail. `scale`: px of a unit of 1080 lines.
void pen_and_laser(const Presentation& presentation, float scale, Scene& scene);
/// The spotlight: what is neither pointed at nor in its cone is pale; without a cone, what is not the operation at the cursor.
void dim_all_but_cone(Document& document, const Cursor& cursor, Scene& picture);

}  // namespace twiddle
