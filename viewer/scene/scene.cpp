#include "viewer/scene/scene.h"

#include "viewer/scene/fonts.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace twiddle {
namespace {

float distance_to_segment(Point p, Point a, Point b) {
  const float dx = b.x - a.x, dy = b.y - a.y;
  const float length = dx * dx + dy * dy;
  const float t = length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0f, 1.0f) : 0.0f;
  return std::hypot(p.x - (a.x + t * dx), p.y - (a.y + t * dy));
}

float distance_to_box(Point p, const Box& box) {
  const float dx = std::max({box.x - p.x, 0.0f, p.x - box.right()});
  const float dy = std::max({box.y - p.y, 0.0f, p.y - box.bottom()});
  return std::hypot(dx, dy);
}

/// Even-odd rule.
bool inside(const std::vector<Point>& polygon, Point p) {
  bool odd = false;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const Point a = polygon[i], b = polygon[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) odd = !odd;
  }
  return odd;
}

float distance_to_polyline(const LineShape& line, Point p) {
  if (line.points.empty()) return std::numeric_limits<float>::infinity();
  if (line.points.size() == 1) return std::hypot(p.x - line.points[0].x, p.y - line.points[0].y);
  float nearest = std::numeric_limits<float>::infinity();
  for (std::size_t i = 1; i < line.points.size(); ++i)
    nearest = std::min(nearest, distance_to_segment(p, line.points[i - 1], line.points[i]));
  if (line.closed) nearest = std::min(nearest, distance_to_segment(p, line.points.back(), line.points.front()));
  return nearest;
}

Box text_box(const TextShape& text) {
  const float width = text_width(text.font, text.text);
  const float x = text.anchor == Anchor::Start    ? text.at.x
                  : text.anchor == Anchor::Middle ? text.at.x - width / 2
                                                  : text.at.x - width;
  // Ascenders reach a little above the capitals, descenders about a quarter of the size below the line.
  const float top = cap_height(text.font) * 1.05f;
  return {x, text.at.y - top, width, top + text.font.size * 0.22f};
}

Box box_of(const std::vector<Point>& points) {
  if (points.empty()) return {};
  Point low = points[0], high = points[0];
  for (const Point p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  return {low.x, low.y, high.x - low.x, high.y - low.y};
}

Box intersection(const Box& a, const Box& b) {
  const float x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  return {x, y, std::max(0.0f, std::min(a.right(), b.right()) - x),
          std::max(0.0f, std::min(a.bottom(), b.bottom()) - y)};
}

struct Mover {
  Point by;
  void operator()(LineShape& line) const {
    for (Point& p : line.points) move(p);
  }
  void operator()(BoxShape& shape) const { move(shape.box); }
  void operator()(HatchShape& shape) const { move(shape.box); }
  void operator()(CircleShape& shape) const { move(shape.centre); }
  void operator()(ArcShape& shape) const { move(shape.centre); }
  void operator()(TextShape& shape) const { move(shape.at); }
  void move(Point& p) const { p = {p.x + by.x, p.y + by.y}; }
  void move(Box& box) const { box.x += by.x, box.y += by.y; }
};

}  // namespace

Shape2D& Scene::push(Shape2D shape) {
  shape.mark = mark_;
  shape.layer = layer_;
  shape.clip = clip_stack_.empty() ? -1 : clip_stack_.back();
  shapes.push_back(std::move(shape));
  return shapes.back();
}

Shape2D& Scene::line(Point a, Point b, Stroke stroke) {
  return push({.geometry = LineShape{{a, b}, false}, .stroke = stroke});
}

Shape2D& Scene::polyline(std::vector<Point> points, Stroke stroke) {
  return push({.geometry = LineShape{std::move(points), false}, .stroke = stroke});
}

Shape2D& Scene::polygon(std::vector<Point> points, Role fill, Stroke stroke) {
  return push({.geometry = LineShape{std::move(points), true}, .fill = fill, .stroke = stroke});
}

Shape2D& Scene::rect(Box box, Role fill, Stroke stroke, float radius) {
  return push({.geometry = BoxShape{box, radius}, .fill = fill, .stroke = stroke});
}

Shape2D& Scene::circle(Point centre, float radius, Role fill, Stroke stroke) {
  return push({.geometry = CircleShape{centre, radius}, .fill = fill, .stroke = stroke});
}

Shape2D& Scene::arc(Point centre, float radius, float from, float to, Stroke stroke) {
  return push({.geometry = ArcShape{centre, radius, from, to}, .stroke = stroke});
}

Shape2D& Scene::text(Point baseline, std::string text, Font font, Role role, Anchor anchor) {
  return push({.geometry = TextShape{baseline, std::move(text), font, anchor}, .fill = role});
}

Shape2D& Scene::hatch(Box box, float gap, Stroke stroke) {
  return push({.geometry = HatchShape{box, gap}, .stroke = stroke});
}

int Scene::begin_mark(Mark mark, std::string label) {
  mark_stack_.push_back(mark_);
  mark_ = static_cast<int>(marks.size());
  marks.push_back({std::move(mark), std::move(label)});
  return mark_;
}

void Scene::end_mark() {
  if (mark_stack_.empty()) return;
  mark_ = mark_stack_.back();
  mark_stack_.pop_back();
}

void Scene::set_layer(int layer) { layer_ = layer; }

void Scene::push_clip(Box box) {
  if (!clip_stack_.empty()) box = intersection(box, clips[clip_stack_.back()]);
  clip_stack_.push_back(static_cast<int>(clips.size()));
  clips.push_back(box);
}

void Scene::pop_clip() {
  if (!clip_stack_.empty()) clip_stack_.pop_back();
}

void Scene::add(const Scene& other, Point by) {
  const int first_mark = static_cast<int>(marks.size()), first_clip = static_cast<int>(clips.size());
  const int outer_clip = clip_stack_.empty() ? -1 : clip_stack_.back();
  const Mover mover{by};

  marks.insert(marks.end(), other.marks.begin(), other.marks.end());
  for (Box clip : other.clips) {
    mover.move(clip);
    clips.push_back(outer_clip < 0 ? clip : intersection(clip, clips[outer_clip]));
  }
  shapes.reserve(shapes.size() + other.shapes.size());
  for (Shape2D shape : other.shapes) {
    std::visit(mover, shape.geometry);
    shape.mark = shape.mark < 0 ? mark_ : shape.mark + first_mark;
    shape.clip = shape.clip < 0 ? outer_clip : shape.clip + first_clip;
    shape.layer += layer_;
    shapes.push_back(std::move(shape));
  }
}

std::vector<std::size_t> Scene::paint_order() const {
  std::vector<std::size_t> order(shapes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return shapes[a].layer < shapes[b].layer; });
  return order;
}

const MarkText* Scene::hit(Point p, float reach) const {
  struct Best {
    float distance = std::numeric_limits<float>::infinity();
    int layer = std::numeric_limits<int>::min();
    int mark = -1;
  } best, pane;
  for (const Shape2D& shape : shapes) {
    if (shape.mark < 0) continue;
    if (shape.clip >= 0 && !clips[shape.clip].contains(p)) continue;
    const float away = distance(shape, p);
    if (away > reach) continue;
    // Equal distance and layer: the later shape is painted above.
    Best& slot = marks[shape.mark].mark.kind == MarkKind::Pane ? pane : best;
    if (away < slot.distance || (away == slot.distance && shape.layer >= slot.layer))
      slot = {away, shape.layer, shape.mark};
  }
  // A card over the panes hides what is below it, and so does its ground.
  const bool hidden = pane.distance == 0 && pane.layer > best.layer;
  const int mark = best.mark >= 0 && !hidden ? best.mark : pane.distance == 0 ? pane.mark : -1;
  return mark >= 0 ? &marks[mark] : nullptr;
}

std::vector<std::pair<Point, Point>> hatch_lines(const HatchShape& hatch) {
  std::vector<std::pair<Point, Point>> lines;
  const Box& box = hatch.box;
  if (!(hatch.gap > 0) || !(box.w > 0) || !(box.h > 0)) return lines;
  // Lines x + y = c, `gap` apart at right angles.
  const float step = std::max(hatch.gap * std::sqrt(2.0f), (box.w + box.h) / 1000);
  for (float c = step / 2; c < box.w + box.h; c += step) {
    const float x0 = std::max(0.0f, c - box.h), x1 = std::min(box.w, c);
    lines.push_back({{box.x + x0, box.y + c - x0}, {box.x + x1, box.y + c - x1}});
  }
  return lines;
}

float distance(const Shape2D& shape, Point p) {
  struct Measure {
    Point p;
    float operator()(const LineShape& line) const {
      return line.closed && inside(line.points, p) ? 0 : distance_to_polyline(line, p);
    }
    float operator()(const BoxShape& box) const { return distance_to_box(p, box.box); }
    float operator()(const HatchShape& hatch) const { return distance_to_box(p, hatch.box); }
    float operator()(const CircleShape& circle) const {
      return std::hypot(p.x - circle.centre.x, p.y - circle.centre.y) - circle.radius;
    }
    float operator()(const ArcShape& arc) const {
      return std::abs(std::hypot(p.x - arc.centre.x, p.y - arc.centre.y) - arc.radius);
    }
    float operator()(const TextShape& text) const {
      // A text is measured only when p is on its line at all: measuring is the costly part.
      if (std::abs(p.y - text.at.y) > 2 * text.font.size) return std::numeric_limits<float>::infinity();
      return distance_to_box(p, text_box(text));
    }
  };
  const float border = shape.stroke.role == Role::None ? 0 : shape.stroke.width / 2;
  return std::max(0.0f, std::visit(Measure{p}, shape.geometry) - border);
}

Box bounds(const Shape2D& shape) {
  struct Measure {
    Box operator()(const LineShape& line) const { return box_of(line.points); }
    Box operator()(const BoxShape& box) const { return box.box; }
    Box operator()(const HatchShape& hatch) const { return hatch.box; }
    Box operator()(const CircleShape& c) const {
      return {c.centre.x - c.radius, c.centre.y - c.radius, 2 * c.radius, 2 * c.radius};
    }
    Box operator()(const ArcShape& a) const {
      return {a.centre.x - a.radius, a.centre.y - a.radius, 2 * a.radius, 2 * a.radius};
    }
    Box operator()(const TextShape& text) const { return text_box(text); }
  };
  return std::visit(Measure{}, shape.geometry);
}

}  // namespace twiddle
