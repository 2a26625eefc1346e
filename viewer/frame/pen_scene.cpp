#include "viewer/frame/pen_scene.h"

#include "viewer/document/strokes.h"
#include "viewer/facts/links.h"
#include "viewer/scene/diagram_parts.h"

#include <algorithm>

namespace twiddle {
namespace {

constexpr float pen_width = 7, pen_edge = 3, laser_radius = 15, dimmed = 0.22f;
constexpr int pen_layer = 500;

/// Sky with a white edge, so that it is seen on every ground.
void draw_stroke(Scene& scene, std::vector<Point> points, float scale) {
  if (points.size() == 1) points.push_back({points[0].x + 0.1f, points[0].y});
  scene.polyline(points, {Role::Canvas, (pen_width + 2 * pen_edge) * scale});
  scene.polyline(std::move(points), {Role::Hover, pen_width * scale});
}

}  // namespace

void draw_strokes(Document& document, const View& view, const DiagramInput& input, Scene& picture) {
  const Strokes& strokes = strokes_of(document);
  const auto here = strokes.find(input.cursor.step);
  if (here == strokes.end()) return;
  // Strokes are as heavy as the theme's type is large.
  const float scale = input.scale * input.theme.node_text / theme(ThemeName::Projector).node_text;
  picture.set_layer(pen_layer);
  for (const PenStroke& stroke : here->second) {
    if (stroke.view != view.name()) continue;
    std::vector<Point> points;
    points.reserve(stroke.points.size());
    for (const Point& p : stroke.points) points.push_back(view.anchored(input, p));
    draw_stroke(picture, std::move(points), scale);
  }
  picture.set_layer(0);
}

void pen_and_laser(const Presentation& presentation, float scale, Scene& scene) {
  if (!presentation.stroke.empty()) draw_stroke(scene, presentation.stroke, scale);
  if (presentation.tool != Presentation::Tool::Laser || presentation.trail.empty()) return;
  const auto count = static_cast<float>(presentation.trail.size());
  for (std::size_t i = 0; i + 1 < presentation.trail.size(); ++i)
    scene.circle(presentation.trail[i], laser_radius * 0.6f * scale * static_cast<float>(i + 1) / count, Role::Hover);
  scene.circle(presentation.trail.back(), laser_radius * scale, Role::Hover, {Role::Ink, 4 * scale});
  scene.circle(presentation.trail.back(), 4 * scale, Role::Canvas);
}

void dim_all_but_cone(Document& document, const Cursor& cursor, Scene& picture) {
  const Cone* cone = cone_at(document, cursor);
  const std::uint64_t step = cursor.step;
  std::optional<Operation> now;
  if (step > 0 && step <= document.info().steps) now = document.replay->operation(step);
  if (!cone && !now) return;
  const int segment = now ? static_cast<int>(document.replay->segment_of(step)) : -1;
  const auto lit = [&](const Mark& mark) {
    if (mark.kind == MarkKind::Operation)
      return cone ? std::binary_search(cone->steps.begin(), cone->steps.end(), mark.step) : mark.step == step;
    if (mark.kind != MarkKind::Element) return mark.kind == MarkKind::Segment;
    if (!cone)
      return (mark.segment == segment && includes(now->writes, mark.buffer, mark.index)) ||
             (mark.segment + 1 == segment && includes(now->reads, mark.buffer, mark.index));
    const auto column = static_cast<std::size_t>(mark.segment + 1);
    if (column >= cone->elements.size()) return false;
    const auto& rows = cone->elements[column];
    return std::binary_search(rows.begin(), rows.end(), mark.index);
  };
  for (Shape2D& shape : picture.shapes) {
    if (shape.layer == layer::heads || shape.layer == layer::halo || shape.layer == layer::tags) continue;
    if (shape.mark < 0 || !lit(picture.marks[static_cast<std::size_t>(shape.mark)].mark)) shape.opacity *= dimmed;
  }
}

}  // namespace twiddle
