#include "viewer/render/svg_parts.h"

#include "viewer/scene/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace twiddle {
namespace {

constexpr std::string_view role_names[] = {
#define ROLE(role, css, light, dark, projector) css,
#include "viewer/scene/roles.def"
#undef ROLE
};

constexpr std::array<std::string_view, 13> kind_names = {"none",  "element", "operation", "segment",  "launch",
                                                         "item",  "line",    "finding",   "bookmark", "command",
                                                         "scrub", "choice",  "pane"};
static_assert(kind_names.size() == static_cast<std::size_t>(MarkKind::Pane) + 1);

using Kind = SvgGeometry::Kind;

struct Element {
  std::string_view name;
  std::array<std::string_view, 5> attributes;  // of its numbers
};
constexpr std::array<Element, 8> elements = {{{"line", {"x1", "y1", "x2", "y2"}},
                                              {"rect", {"x", "y", "width", "height", "rx"}},
                                              {"circle", {"cx", "cy", "r"}},
                                              {"text", {"x", "y"}},
                                              {"path", {}},
                                              {"polyline stroke-linejoin=\"round\"", {}},
                                              {"polygon", {}},
                                              {"path", {}}}};
static_assert(elements.size() == static_cast<std::size_t>(Kind::Hatch) + 1);

std::string place(Point p) { return svg_number(p.x) + " " + svg_number(p.y); }

struct Visitor {
  SvgGeometry operator()(const LineShape& line) const {
    const auto& points = line.points;
    if (points.size() == 2 && !line.closed)
      return {Kind::Line, {points[0].x, points[0].y, points[1].x, points[1].y}, {}};
    SvgGeometry out{line.closed ? Kind::Polygon : Kind::Polyline, {}, {}};
    for (const Point& p : points) out.data += (out.data.empty() ? "" : " ") + svg_number(p.x) + "," + svg_number(p.y);
    return out;
  }
  SvgGeometry operator()(const BoxShape& shape) const {
    const Box& box = shape.box;
    SvgGeometry out{Kind::Rect, {box.x, box.y, std::max(0.0f, box.w), std::max(0.0f, box.h)}, {}};
    if (shape.radius > 0) out.numbers.push_back(shape.radius);
    return out;
  }
  SvgGeometry operator()(const CircleShape& circle) const {
    return {Kind::Circle, {circle.centre.x, circle.centre.y, circle.radius}, {}};
  }
  SvgGeometry operator()(const ArcShape& arc) const {
    const auto ends = arc_ends(arc);
    if (!ends) return (*this)(CircleShape{arc.centre, arc.radius});
    const float turn = arc.to - arc.from;
    return {Kind::Path,
            {},
            fmt::format("M{}A{} 0 {} {} {}", place(ends->first), place({arc.radius, arc.radius}),
                        std::abs(turn) > std::numbers::pi_v<float> ? 1 : 0, turn > 0 ? 1 : 0, place(ends->second))};
  }
  SvgGeometry operator()(const HatchShape& hatch) const {
    return {Kind::Hatch, {hatch.box.x, hatch.box.y, hatch.box.w, hatch.box.h, hatch.gap}, {}};
  }
  SvgGeometry operator()(const TextShape& text) const { return {Kind::Text, {text.at.x, text.at.y}, {}}; }
};

}  // namespace

std::string_view name_of(Role role) { return role_names[static_cast<std::size_t>(role)]; }

std::string_view name_of(MarkKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::string svg_number(float value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string svg_escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    const char32_t code = next_code_point(text, at);
    switch (code) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default:
        if (code < 0x20 || code == 0x7F) {
          out += ' ';
        } else if ((code >= 0xD800 && code <= 0xDFFF) || code == 0xFFFD || code == 0xFFFE || code == 0xFFFF ||
                   code > 0x10FFFF) {
          out += "\xEF\xBF\xBD";
        } else {
          out += text.substr(from, at - from);
        }
    }
  }
  return out;
}

SvgGeometry svg_geometry(const Shape2D& shape) { return std::visit(Visitor(), shape.geometry); }

std::string svg_element(const Shape2D& shape) {
  SvgGeometry geometry = svg_geometry(shape);
  const Element& element = elements[static_cast<std::size_t>(geometry.kind)];
  std::string out = fmt::format("<{}", element.name);
  if (const auto* hatch = std::get_if<HatchShape>(&shape.geometry)) {
    for (const auto& [from, to] : hatch_lines(*hatch)) geometry.data += "M" + place(from) + "L" + place(to);
    geometry.numbers.clear();
  }
  for (std::size_t i = 0; i < geometry.numbers.size(); ++i)
    out += fmt::format(" {}=\"{}\"", element.attributes[i], svg_number(geometry.numbers[i]));
  if (element.attributes[0].empty())
    out += fmt::format(" {}=\"{}\"", element.name == "path" ? "d" : "points", geometry.data);
  return out;
}

std::optional<std::pair<Point, Point>> arc_ends(const ArcShape& arc) {
  if (std::abs(arc.to - arc.from) >= 2 * std::numbers::pi_v<float> - 1e-4f) return {};
  const auto at = [&](float angle) {
    return Point{arc.centre.x + arc.radius * std::cos(angle), arc.centre.y + arc.radius * std::sin(angle)};
  };
  return std::pair(at(arc.from), at(arc.to));
}

std::string svg_head(float width, float height, std::string_view role, std::string_view attributes) {
  return fmt::format("<svg{} viewBox=\"0 0 {} {}\" role=\"{}\"", attributes, svg_number(width), svg_number(height),
                     role);
}

std::string svg_title_attributes(const Scene& scene, const std::string& id) {
  std::string out;
  if (!scene.title.empty()) out += fmt::format(" aria-labelledby=\"{}title\"", svg_escaped(id));
  if (!scene.description.empty()) out += fmt::format(" aria-describedby=\"{}desc\"", svg_escaped(id));
  return out;
}

std::string svg_titles(const Scene& scene, const std::string& id) {
  std::string out;
  const auto add = [&](const char* element, const std::string& text) {
    if (!text.empty())
      out += fmt::format("<{0} id=\"{1}{0}\">{2}</{0}>\n", element, svg_escaped(id), svg_escaped(text));
  };
  add("title", scene.title);
  add("desc", scene.description);
  return out;
}

std::string svg_clip(const std::string& id, std::size_t number, const Box& box) {
  return fmt::format("<clipPath id=\"{}clip{}\">{}/></clipPath>\n", svg_escaped(id), number,
                     svg_element({.geometry = BoxShape{box}}));
}

std::string svg_clip_attribute(const std::string& id, int clip) {
  return clip < 0 ? "" : fmt::format(" clip-path=\"url(#{}clip{})\"", svg_escaped(id), clip);
}

std::string svg_next_clip(const std::string& id, int& clip, int next) {
  if (next == clip) return {};
  std::string out = clip >= 0 ? "</g>\n" : "";
  if (next >= 0) out += "<g" + svg_clip_attribute(id, next) + ">\n";
  clip = next;
  return out;
}

bool is_drawn(const Stroke& stroke) { return stroke.role != Role::None && stroke.width > 0; }

std::string svg_paint_class(Role fill, const Stroke& stroke) {
  return is_drawn(stroke) ? fmt::format(" class=\"f-{} s-{}\"", name_of(fill), name_of(stroke.role))
                          : fmt::format(" class=\"f-{}\"", name_of(fill));
}

std::string svg_text_class(Role fill, const Font& font) {
  return fmt::format(" class=\"f-{}{}{}\"", name_of(fill), font.face == Face::Mono ? " mono" : "",
                     font.weight == Weight::SemiBold ? " bold" : "");
}

std::string svg_dashes(const Stroke& stroke) { return place({stroke.dash_on, stroke.dash_off}); }

std::string_view svg_anchor(Anchor anchor) {
  return anchor == Anchor::Start ? "start" : anchor == Anchor::Middle ? "middle" : "end";
}

std::string svg_anchor_attribute(Anchor anchor) {
  return anchor == Anchor::Start ? "" : fmt::format(" text-anchor=\"{}\"", svg_anchor(anchor));
}

std::string svg_opacity_attribute(float opacity) {
  return opacity < 1 ? fmt::format(" opacity=\"{}\"", svg_number(opacity)) : "";
}

std::string_view svg_space_attribute(std::string_view text) {
  const bool spaced = text.starts_with(' ') || text.ends_with(' ') || text.find("  ") != std::string_view::npos;
  return spaced ? " xml:space=\"preserve\"" : "";
}

}  // namespace twiddle
