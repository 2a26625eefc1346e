// What `twiddle bench kernels` measured as a picture: operations a byte that has to be moved against operations a second, both as
// logarithms, under the roof that the device's memory is.
#pragma once

#include "tracer/bench/bench_kernels.h"
#include "viewer/scene/ink.h"
#include "viewer/scene/scene.h"

#include <cstddef>
#include <optional>
#include <string>

namespace twiddle {

/// "Transform of 2^24 points", in the language that is set.
std::string problem_text(const KernelBenchTable& table);

struct RooflineInput {
  const KernelBench& bench;
  std::optional<std::size_t> table{};  // one problem; nothing: all of them
  std::optional<Mark> hover{};         // what is pointed at: a point of the picture, or its line in the list
  Ink ink{};
};
/// The height that the list beside the picture needs, px.
float roofline_height(const RooflineInput& input);
/// The marks of points are those of a button, "roofline-point", which does nothing; their index counts the points.
Scene roofline_scene(const RooflineInput& input, float width, float height);

}  // namespace twiddle
