// The pictures of the matrix view, and where they are in its pane.
#pragma once

#include "viewer/views/diagram.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

// In layout units.
inline constexpr float matrix_pad = 16, matrix_gap = 20, matrix_title_height = 44, matrix_foot_height = 30;

/// The array in one state.
struct MatrixPicture {
  int segment = -1, buffer = -1;  // the state after it
  std::uint64_t rows = 1, columns = 1;
  std::string name;
};
/// The array before the first launch, and after every launch that wrote one of two dimensions.
std::vector<MatrixPicture> matrix_pictures(Document& document);

/// Where the pictures are: all alike, in as many columns as make them largest; or the one at work large at the right and
/// all of them small beside it, where that fills the pane better.
struct MatrixGrid {
  int columns = 1;
  float side = 0;            // px, of a square picture
  Point corner;              // of the first
  std::optional<Box> large;  // of the one at work
};
MatrixGrid matrix_grid(const DiagramInput& input, int count);

}  // namespace twiddle
