// The butterfly diagram's rings with ?: what nothing explains, from near and from far away.
#include "viewer/butterfly/butterfly_frame.h"
#include "viewer/graphs/unexplained.h"

#include <algorithm>

namespace twiddle {

std::optional<float> unexplained_radius(const ButterflyFrame& frame) {
  constexpr float min_radius = 4.5f;
  const float radius =
      std::min(frame.theme().badge_radius * frame.scale, 0.4f * static_cast<float>(frame.layout.row_pitch));
  return radius < min_radius * frame.scale ? std::nullopt : std::optional(radius);
}

void draw_unexplained_runs(ButterflyFrame& frame, int segment) {
  constexpr float ring_radius = 6;
  const ButterflyLayout& layout = frame.layout;
  const float radius = ring_radius * frame.scale, x = layout.left(segment + 1) - radius - 2 * frame.scale;
  if (layout.body.h < 2 * radius || x - radius < layout.body.x || x + radius > layout.body.right()) return;
  const UnexplainedPlaces* places = unexplained_places(frame.input.document, segment);
  if (!places || places->rows.empty()) return;
  // What is still to come, where the user is asked for it, says nothing.
  const std::uint64_t known = frame.hides_future(segment) ? frame.flow.step() : frame.flow.info().steps;
  frame.scene.set_layer(layer::tags);
  const auto ring = [&](float top, float bottom) {
    // That of the first and the last rows is within the body, too.
    const Point at{x, std::clamp((top + bottom) / 2, layout.body.y + radius, layout.body.bottom() - radius)};
    draw_badge(frame.scene, frame.theme(), frame.scale, at, Badge::Unexplained, radius);
  };
  std::optional<std::pair<float, float>> run;
  auto one = std::lower_bound(places->rows.begin(), places->rows.end(), layout.visible_rows.first,
                              [](const UnexplainedRow& place, std::uint64_t row) { return place.row < row; });
  for (; one != places->rows.end() && one->row < layout.visible_rows.end; ++one) {
    if (one->step > known) continue;
    const float y = layout.row_y(one->row);
    if (run && y - run->second <= 2.5f * radius) {
      run->second = y;
      continue;
    }
    if (run) ring(run->first, run->second);
    run = {y, y};
  }
  if (run) ring(run->first, run->second);
}

}  // namespace twiddle
