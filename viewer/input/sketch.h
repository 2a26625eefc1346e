// A signal drawn by hand: samples that follow the pointer over a grid.
#pragma once

#include "viewer/scene/scene.h"

#include <cstdint>
#include <string>
#include <vector>

namespace twiddle {

struct Sketch {
  static constexpr std::uint64_t max_samples = 4096;
  static constexpr float highest = 1;  // samples are in [−highest, highest]

  bool open = false;
  std::vector<float> samples;
  bool operator==(const Sketch&) const = default;

  /// Sets the samples between two points of a box, as a stroke of the pointer does; points outside count as at its edge.
  void stroke(const Box& box, Point from, Point to);
  /// As a file of one real sample a line.
  std::string csv() const;
};

/// Where the samples are drawn in a window of this size: what draws them and what the pointer does agree through this.
Box sketch_box(float width, float height, float scale);

}  // namespace twiddle
