// A Scene is a picture as plain shapes with their meaning. Diagrams and panels build scenes; renderers (ImGui, SVG,
// the HTML handout) paint them. Coordinates are pixels at scale 1 times the scale the scene was built for, y downwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace twiddle {

/// The theme's colours by meaning (reference: the look's table of roles). A scene never names a colour.
enum class Role : std::uint8_t {
#define ROLE(role, css, light, dark, projector) role,
#include "viewer/scene/roles.def"
#undef ROLE
};

/// The language of the texts: which face draws Han characters depends on it.
enum class Language : std::uint8_t { English, Japanese, Chinese };

struct Point {
  float x = 0, y = 0;
};
struct Box {
  float x = 0, y = 0, w = 0, h = 0;
  float right() const { return x + w; }
  float bottom() const { return y + h; }
  Point centre() const { return {x + w / 2, y + h / 2}; }
  bool contains(Point p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
  bool holds(const Box& b) const { return b.x >= x && b.right() <= right() && b.y >= y && b.bottom() <= bottom(); }
  bool overlaps(const Box& b) const { return x < b.right() && b.x < right() && y < b.bottom() && b.y < bottom(); }
  Box inset(float d) const { return {x + d, y + d, w - 2 * d, h - 2 * d}; }
};

/// What a shape stands for: hovering, clicking, linking views and reading aloud all go through this.
enum class MarkKind : std::uint8_t {
  None,
  Element,  // an element of a buffer in the state after a segment: `buffer`, `index`, `segment` (−1: before the first)
  Operation,  // `step`
  Segment,    // `segment`
  Launch,     // `launch`
  Item,       // work-item `item` of `launch`
  Line,       // a line of a kernel source: `index` = line, `buffer` = source
  Finding,    // `index`-th finding
  Bookmark,   // `step`
  Command,    // a button: `command` names it ("step-forward", "play", "theme")
  Scrub,      // the scrub bar: a click or drag at x seeks
  Choice,     // a drop-down or one of its entries: `command` names it, `index` the entry (−1: the box itself)
  Pane,       // a pane's background: scrolling and zooming go here; `command` names the pane
};

struct Mark {
  MarkKind kind = MarkKind::None;
  int launch = 0, buffer = -1, segment = -1;
  std::uint64_t index = 0, step = 0, item = 0;
  std::string command{};
  int side = 0;  // 1: of the right one of two traces (viewer/compare/comparison.h)
  bool operator==(const Mark&) const = default;
};

/// The mark of an element after a segment (−1: before the first); of a local array `group` says whose.
inline Mark element_mark(int buffer, int segment, std::uint64_t index, std::uint64_t group = 0) {
  return {.kind = MarkKind::Element, .buffer = buffer, .segment = segment, .index = index, .item = group};
}

enum class Face : std::uint8_t { Sans, Mono };
enum class Weight : std::uint8_t { Regular, SemiBold };
enum class Anchor : std::uint8_t { Start, Middle, End };

struct Font {
  Face face = Face::Sans;
  Weight weight = Weight::Regular;
  float size = 13;  // px, scale included
  bool operator==(const Font&) const = default;
};

struct Stroke {
  Role role = Role::None;
  float width = 1;
  float dash_on = 0, dash_off = 0;  // 0: solid
  bool operator==(const Stroke&) const = default;
};

struct LineShape {
  std::vector<Point> points;
  bool closed = false;
};  // polyline; filled when closed and `fill` set
struct BoxShape {
  Box box;
  float radius = 0;
};
struct CircleShape {
  Point centre;
  float radius = 0;
};
struct ArcShape {
  Point centre;
  float radius = 0, from = 0, to = 0;
};  // radians, clockwise on the screen from +x
struct TextShape {
  Point at;
  std::string text;
  Font font;
  Anchor anchor = Anchor::Start;
};  // `at`: on the baseline
/// A hatch of parallel 45° lines inside a box.
struct HatchShape {
  Box box;
  float gap = 4;
};

struct Shape2D {
  std::variant<LineShape, BoxShape, CircleShape, ArcShape, TextShape, HatchShape> geometry;
  Role fill = Role::None;  // of text: its colour
  float opacity = 1;
  Stroke stroke{};
  int mark = -1;  // index into Scene::marks; −1: decoration
  int clip = -1;  // index into Scene::clips; −1: none
  int layer = 0;  // painted in ascending order; equal layers in order of addition
};

/// What a mark says: a tooltip in the window, a title and aria label in SVG and HTML.
struct MarkText {
  Mark mark;
  std::string label;
};

struct Scene {
  float width = 0, height = 0;
  std::vector<Shape2D> shapes;
  std::vector<Box> clips;  // nested clips are intersected when added
  std::vector<MarkText> marks;
  std::string title, description;  // of the whole picture, read aloud
  Language language = Language::English;
  bool unfinished = false;  // parts are missing because decoding them takes time: build it again soon

  /// Builders. Each returns the shape, to set what is special about it before the next is added.
  Shape2D& line(Point a, Point b, Stroke stroke);
  Shape2D& polyline(std::vector<Point> points, Stroke stroke);
  Shape2D& polygon(std::vector<Point> points, Role fill, Stroke stroke = {});
  Shape2D& rect(Box box, Role fill, Stroke stroke = {}, float radius = 0);
  Shape2D& circle(Point centre, float radius, Role fill, Stroke stroke = {});
  Shape2D& arc(Point centre, float radius, float from, float to, Stroke stroke);
  Shape2D& text(Point baseline, std::string text, Font font, Role role = Role::Ink, Anchor anchor = Anchor::Start);
  Shape2D& hatch(Box box, float gap, Stroke stroke);

  /// Everything added from now on belongs to this mark (−1 ends it), layer, or is clipped to this box until pop_clip.
  int begin_mark(Mark mark, std::string label = {});
  void end_mark();
  void set_layer(int layer);
  void push_clip(Box box);
  void pop_clip();
  /// Puts another scene in here, moved by `by`.
  void add(const Scene& other, Point by);

  /// Indices of the shapes in the order in which they are to be painted: by layer, then by addition.
  std::vector<std::size_t> paint_order() const;

  /// The topmost mark whose shape is within `reach` px of p; null when there is none. A shape that p is on
  /// comes before one that is only near, and a pane's background after everything that is not below it.
  const MarkText* hit(Point p, float reach = 3) const;

 private:
  int mark_ = -1, layer_ = 0;
  std::vector<int> mark_stack_, clip_stack_;
  Shape2D& push(Shape2D shape);
};

/// The 45° lines of a hatch, cut at its box: what a renderer strokes.
std::vector<std::pair<Point, Point>> hatch_lines(const HatchShape& hatch);

/// How far p is from the inside of a shape, px; 0 on it. Hollow shapes count as filled, lines have their stroke's width.
float distance(const Shape2D& shape, Point p);

/// The smallest box around a shape without its stroke. Texts are measured.
Box bounds(const Shape2D& shape);

}  // namespace twiddle
