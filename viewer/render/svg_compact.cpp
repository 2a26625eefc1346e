#include "viewer/render/svg_compact.h"

#include "viewer/render/svg_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

namespace twiddle {
namespace {

constexpr std::size_t max_looked_back = 48;  // groups among which one of the same paint is looked for

long tenths(float value) { return std::isfinite(value) ? std::lround(value * 10) : 0; }

// Path data in tenths of a pixel, with as few characters as it takes. Steps are between rounded places, so that nothing
// drifts.
class PathText {
 public:
  void move(Point p) { go('M', 'm', p); }
  void line(Point p) { go('L', 'l', p); }
  void across(float x) { number('h', tenths(x) - x_), x_ = tenths(x); }
  void down(float y) { number('v', tenths(y) - y_), y_ = tenths(y); }
  void arc(float radius, bool large, bool clockwise, Point p) {
    const long r = tenths(radius);
    text_ += 'a' + decimal(r) + ' ' + decimal(r) + " 0 " + (large ? '1' : '0') + ' ' + (clockwise ? '1' : '0');
    text_ += ' ' + decimal(tenths(p.x) - x_) + ' ' + decimal(tenths(p.y) - y_);
    x_ = tenths(p.x), y_ = tenths(p.y);
  }
  void close() {
    text_ += 'z';
    x_ = start_x_, y_ = start_y_;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  long x_ = 0, y_ = 0, start_x_ = 0, start_y_ = 0;

  static std::string decimal(long value) {
    const long whole = std::abs(value) / 10, rest = std::abs(value) % 10;
    std::string text = value < 0 ? "-" : "";
    if (whole > 0 || rest == 0) text += std::to_string(whole);
    if (rest > 0) text += '.' + std::to_string(rest);
    return text;
  }
  void number(char letter, long value) { text_ += letter + decimal(value); }
  void go(char absolute, char relative, Point p) {
    const long x = tenths(p.x), y = tenths(p.y);
    const auto pair = [](long a, long b) { return decimal(a) + (b < 0 ? "" : " ") + decimal(b); };
    const std::string far = absolute + pair(x, y), near = relative + pair(x - x_, y - y_);
    text_ += near.size() < far.size() && !text_.empty() ? near : far;
    x_ = x, y_ = y;
    if (absolute == 'M') start_x_ = x, start_y_ = y;
  }
};

float area_of(const std::vector<Point>& points) {
  float area = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point &a = points[i], &b = points[(i + 1) % points.size()];
    area += a.x * b.y - b.x * a.y;
  }
  return area;
}

// Outlines run clockwise, so that those of one path never cancel each other.
struct Outline {
  PathText& path;
  void operator()(const LineShape& line) const {
    std::vector<Point> points = line.points;
    if (points.empty()) return;
    if (line.closed && area_of(points) < 0) std::reverse(points.begin(), points.end());
    path.move(points[0]);
    for (std::size_t i = 1; i < points.size(); ++i) path.line(points[i]);
    if (line.closed) path.close();
  }
  void operator()(const BoxShape& shape) const {
    const Box& b = shape.box;
    const float r = std::min({shape.radius, b.w / 2, b.h / 2}), right = b.x + std::max(0.0f, b.w),
                bottom = b.y + std::max(0.0f, b.h);
    if (r < 0.05f) {
      path.move({b.x, b.y});
      path.across(right);
      path.down(bottom);
      path.across(b.x);
      return path.close();
    }
    path.move({b.x + r, b.y});
    path.across(right - r);
    path.arc(r, false, true, {right, b.y + r});
    path.down(bottom - r);
    path.arc(r, false, true, {right - r, bottom});
    path.across(b.x + r);
    path.arc(r, false, true, {b.x, bottom - r});
    path.down(b.y + r);
    path.arc(r, false, true, {b.x + r, b.y});
    path.close();
  }
  void operator()(const CircleShape& circle) const {
    const Point c = circle.centre;
    path.move({c.x - circle.radius, c.y});
    path.arc(circle.radius, true, true, {c.x + circle.radius, c.y});
    path.arc(circle.radius, true, true, {c.x - circle.radius, c.y});
    path.close();
  }
  void operator()(const ArcShape& arc) const {
    const auto ends = arc_ends(arc);
    if (!ends) return (*this)(CircleShape{arc.centre, arc.radius});
    const float turn = arc.to - arc.from;
    path.move(ends->first);
    path.arc(arc.radius, std::abs(turn) > std::numbers::pi_v<float>, turn > 0, ends->second);
  }
  void operator()(const HatchShape& hatch) const { (*this)(BoxShape{hatch.box, 0}); }
  void operator()(const TextShape&) const {}
};

// Shapes of one paint.
struct Group {
  std::string paint;  // attributes; of texts those of the group around them
  int clip = -1;
  bool words = false;
  PathText path;
  std::string texts;
  std::vector<Box> boxes;
};

class CompactWriter {
 public:
  CompactWriter(const Scene& scene, const std::string& id) : scene_(scene), id_(id) {}

  std::string write() {
    for (const std::size_t i : scene_.paint_order()) add(scene_.shapes[i]);
    std::string out = svg_head(scene_.width, scene_.height, "img") + svg_title_attributes(scene_, id_) + ">\n" +
                      svg_titles(scene_, id_);
    out += svg_clips(scene_, id_, groups_);
    for (const auto& [pattern, text] : patterns_) out += text;
    int clip = -1;
    for (const Group& group : groups_) {
      out += svg_next_clip(id_, clip, group.clip);
      out += group.words ? fmt::format("<g{}>{}</g>\n", group.paint, group.texts)
                         : fmt::format("<path{} d=\"{}\"/>\n", group.paint, group.path.text());
    }
    return out + svg_next_clip(id_, clip, -1) + "</svg>";
  }

 private:
  static bool touches(const Group& group, const Box& box) {
    return std::any_of(group.boxes.begin(), group.boxes.end(), [&](const Box& other) { return box.overlaps(other); });
  }

  void add(const Shape2D& shape) {
    const auto* text = std::get_if<TextShape>(&shape.geometry);
    const bool stroked = is_drawn(shape.stroke);
    if (text ? shape.fill == Role::None || text->text.empty() : shape.fill == Role::None && !stroked) return;
    const std::string paint = text ? paint_of(shape, *text) : paint_of(shape, stroked);
    Box box = bounds(shape);
    if (stroked) box = box.inset(-shape.stroke.width / 2);
    // Two translucent areas in one path would not darken where they overlap.
    const bool apart = shape.opacity < 1 && shape.fill != Role::None;
    Group* into = nullptr;
    for (std::size_t n = 1; n <= std::min(groups_.size(), max_looked_back); ++n) {
      Group& group = groups_[groups_.size() - n];
      if (group.paint == paint && group.clip == shape.clip) {
        if (!apart || !touches(group, box)) into = &group;
        break;
      }
      if (touches(group, box)) break;
    }
    if (!into) into = &groups_.emplace_back(Group{paint, shape.clip, text != nullptr, {}, {}, {}});
    into->boxes.push_back(box);
    if (text) {
      into->texts += fmt::format(
          "<text x=\"{:.6g}\" y=\"{:.6g}\"{}>{}</text>", static_cast<double>(tenths(text->at.x)) / 10,
          static_cast<double>(tenths(text->at.y)) / 10, svg_space_attribute(text->text), svg_escaped(text->text));
    } else {
      std::visit(Outline{into->path}, shape.geometry);
    }
  }

  static std::string paint_of(const Shape2D& shape, const TextShape& text) {
    return fmt::format("{} font-size=\"{}\"{}{}", svg_text_class(shape.fill, text.font), svg_number(text.font.size),
                       svg_anchor_attribute(text.anchor), svg_opacity_attribute(shape.opacity));
  }

  std::string paint_of(const Shape2D& shape, bool stroked) {
    std::string paint;
    if (const auto* hatch = std::get_if<HatchShape>(&shape.geometry)) {
      paint = fmt::format(" fill=\"url(#{}{})\"", svg_escaped(id_), pattern_of(*hatch, shape.stroke));
    } else {
      const bool open =
          std::holds_alternative<ArcShape>(shape.geometry) ||
          (std::holds_alternative<LineShape>(shape.geometry) && !std::get<LineShape>(shape.geometry).closed);
      paint = svg_paint_class(open ? Role::None : shape.fill, shape.stroke);
      if (stroked && shape.stroke.width != 1)
        paint += fmt::format(" stroke-width=\"{}\"", svg_number(shape.stroke.width));
      if (stroked && shape.stroke.dash_on > 0)
        paint += fmt::format(" stroke-dasharray=\"{}\"", svg_dashes(shape.stroke));
      if (open) paint += " stroke-linejoin=\"round\"";
    }
    return paint + svg_opacity_attribute(shape.opacity);
  }

  // Lines x + y = c, as hatch_lines() draws them, all over the picture.
  std::string pattern_of(const HatchShape& hatch, const Stroke& stroke) {
    const std::string side = svg_number(hatch.gap * std::sqrt(2.0f)), width = svg_number(stroke.width);
    const std::string key = fmt::format("{} {} {}", side, width, name_of(stroke.role));
    const auto found = pattern_number_.find(key);
    if (found != pattern_number_.end()) return found->second;
    const std::string name = fmt::format("hatch{}", patterns_.size());
    patterns_.emplace_back(
        name, fmt::format("<pattern id=\"{}{}\" width=\"{}\" height=\"{}\" patternUnits=\"userSpaceOnUse\"><path "
                          "class=\"f-none s-{}\" stroke-width=\"{}\" d=\"M-1 1L1-1M0 {}L{} 0M{} {}l2-2\"/></pattern>\n",
                          svg_escaped(id_), name, side, side, name_of(stroke.role), width, side, side,
                          svg_number(hatch.gap * std::sqrt(2.0f) - 1), svg_number(hatch.gap * std::sqrt(2.0f) + 1)));
    return pattern_number_[key] = name;
  }

  const Scene& scene_;
  std::string id_;
  std::vector<Group> groups_;
  std::vector<std::pair<std::string, std::string>> patterns_;  // name, definition
  std::map<std::string, std::string> pattern_number_;          // by look: name
};

}  // namespace

std::string to_compact_svg(const Scene& scene, const std::string& id) { return CompactWriter(scene, id).write(); }

}  // namespace twiddle
