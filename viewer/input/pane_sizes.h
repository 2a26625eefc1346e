// How large the user has made the panes by dragging the borders between them.
#pragma once

#include "viewer/scene/scene.h"

#include <array>
#include <cstddef>

namespace twiddle {

/// Borders that can be dragged: of the launches, of a guide's words, of the inspector, of the lanes, within the lanes, and between
/// the halves of a comparison.
enum class PaneBorder : std::uint8_t { Left, Guide, Right, Lanes, Items, Halves };
inline constexpr std::size_t pane_borders = 6;

/// Shares of the window's width (of Lanes its height, of Items the lanes' width); 0: as large as the window's size asks for.
struct PaneSizes {
  std::array<float, pane_borders> shares{};
  float& operator[](PaneBorder border) { return shares[static_cast<std::size_t>(border)]; }
  float operator[](PaneBorder border) const { return shares[static_cast<std::size_t>(border)]; }
  bool operator==(const PaneSizes&) const = default;
};

}  // namespace twiddle
