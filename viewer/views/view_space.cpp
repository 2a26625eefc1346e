#include "viewer/views/view_space.h"

#include "viewer/views/view_frame.h"

#include <algorithm>

namespace twiddle {
namespace {

/// The first visible coordinate of an axis with this centre.
double first_of(double centre, double visible) { return std::clamp(centre - visible / 2, 0.0, 1 - visible); }

/// The centre of an axis, so that its visible part begins at `first`.
double centre_of(double first, double visible) { return std::clamp(first, 0.0, 1 - visible) + visible / 2; }

}  // namespace

ViewSpace::ViewSpace(const DiagramInput& input, const Box& room, bool zooms_across, bool zooms_down, double zoom)
    : body{room.x, room.y, std::max(1.0f, room.w), std::max(1.0f, room.h)},
      across(zooms_across),
      down(zooms_down),
      max_zoom(std::max(1.0, zoom)),
      viewport(input.viewport) {}

double ViewSpace::zoom() const { return std::clamp(viewport.zoom, 1.0, max_zoom); }
double ViewSpace::first_u() const { return across ? first_of(viewport.centre_x, width_u()) : 0; }
double ViewSpace::first_v() const { return down ? first_of(viewport.centre_y, height_v()) : 0; }

Viewport ViewSpace::from(double u, double v) const {
  return {zoom(), centre_of(u, width_u()), centre_of(v, height_v())};
}

Scene ZoomedView::draw(const DiagramInput& input) const {
  Scene scene;
  paint(input, space(input), scene);
  scene.unfinished = scene.unfinished || input.document.flow().incomplete();
  keep_readable(scene);
  return scene;
}

Viewport ZoomedView::zoomed(const DiagramInput& input, Point about, double factor) const {
  ViewSpace space = this->space(input);
  const double u = space.u(about.x), v = space.v(about.y);
  space.viewport.zoom = std::clamp(space.zoom() * factor, 1.0, space.max_zoom);
  const double across = double(about.x - space.body.x) / double(space.body.w),
               down = double(about.y - space.body.y) / double(space.body.h);
  return space.from(u - across * space.width_u(), v - down * space.height_v());
}

Viewport ZoomedView::moved(const DiagramInput& input, Point by) const {
  const ViewSpace space = this->space(input);
  const double u = space.first_u() - double(by.x) / double(space.body.w) * space.width_u(),
               v = space.first_v() - double(by.y) / double(space.body.h) * space.height_v();
  return space.from(u, v);
}

Viewport ZoomedView::showing(const DiagramInput& input, std::uint64_t step) const {
  const ViewSpace space = this->space(input);
  const auto operation = input.document.flow().operation(step, true);
  const std::optional<Box> place = operation ? this->place(input, *operation) : std::nullopt;
  if (!place) return input.viewport;
  // An axis moves only when the place is outside it; what is larger than the pane is shown from its start.
  const auto follow = [](double first, double visible, double from, double to) {
    if (from >= first && to <= first + visible) return first;
    return to - from > visible ? from : (from + to) / 2 - visible / 2;
  };
  const double u = follow(space.first_u(), space.width_u(), double(place->x), double(place->right()));
  const double v = follow(space.first_v(), space.height_v(), double(place->y), double(place->bottom()));
  return space.from(u, v);
}

}  // namespace twiddle
