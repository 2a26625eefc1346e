// How bright a column's state strip is: the largest |value| of the rows behind each pixel, never a sample of them.
#pragma once

#include "viewer/butterfly/butterfly_frame.h"

#include <vector>

namespace twiddle {

/// For each of `pixels` equal pieces of the body's height, from `top` on: the largest |value| of the rows in it as a
/// fraction of the column's largest, 0 … 1; negative where nothing is done yet. Empty while the column is to come, or
/// while its values are not decoded (the scene then is unfinished).
std::vector<float> column_brightness(ButterflyFrame& frame, int column, float top, float pixel, int pixels);

}  // namespace twiddle
