#include "viewer/render/svg_parts.h"

#include "viewer/scene/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>

namespace twiddle {
namespace {

constexpr std::array<std::string_view, 35> role_names = {
    "none",      "canvas", "pane",  "raised",   "line",   "ink",        "ink2",       "ink3",      "done",
    "done-soft", "future", "now",   "now-soft", "on-now", "hover",      "hover-soft", "a",         "a-soft",
    "b",         "b-soft", "w",     "w-soft",   "error",  "error-soft", "warn",       "warn-soft", "warn-hatch",
    "grey0",     "grey1",  "grey2", "grey3",    "grey4",  "grey5",      "grey6",      "grey7"};
static_assert(role_names.size() == static_cast<std::size_t>(Role::Grey7) + 1);

constexpr std::array<std::string_view, 13> kind_names = {"none",  "element", "operation", "segment",  "launch",
                                                         "item",  "line",    "finding",   "bookmark", "command",
                                                         "scrub", "choice",  "pane"};
static_assert(kind_names.size() == static_cast<std::size_t>(MarkKind::Pane) + 1);

class Geometry {
 public:
  std::string write(const Shape2D& shape) {
    std::visit(*this, shape.geometry);
    return std::move(out_);
  }

  void operator()(const LineShape& line) {
    if (line.points.size() == 2 && !line.closed) {
      put("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"", line.points[0].x, line.points[0].y, line.points[1].x,
          line.points[1].y);
      return;
    }
    out_ += line.closed ? "<polygon points=\"" : "<polyline stroke-linejoin=\"round\" points=\"";
    for (std::size_t i = 0; i < line.points.size(); ++i)
      out_ += (i == 0 ? "" : " ") + svg_number(line.points[i].x) + "," + svg_number(line.points[i].y);
    out_ += '"';
  }

  void operator()(const BoxShape& box) {
    put("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", box.box.x, box.box.y, std::max(0.0f, box.box.w),
        std::max(0.0f, box.box.h));
    if (box.radius > 0) put(" rx=\"{}\"", box.radius);
  }

  void operator()(const CircleShape& circle) {
    put("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", circle.centre.x, circle.centre.y, circle.radius);
  }

  void operator()(const ArcShape& arc) {
    const float turn = arc.to - arc.from;
    if (std::abs(turn) >= 2 * std::numbers::pi_v<float> - 1e-4f) {
      (*this)(CircleShape{arc.centre, arc.radius});
      return;
    }
    const auto at = [&](float angle) {
      return Point{arc.centre.x + arc.radius * std::cos(angle), arc.centre.y + arc.radius * std::sin(angle)};
    };
    const Point from = at(arc.from), to = at(arc.to);
    put("<path d=\"M{} {}A{} {}", from.x, from.y, arc.radius, arc.radius);
    out_ += std::abs(turn) > std::numbers::pi_v<float> ? " 0 1" : " 0 0";
    out_ += turn > 0 ? " 1" : " 0";
    put(" {} {}\"", to.x, to.y);
  }

  void operator()(const HatchShape& hatch) {
    out_ += "<path d=\"";
    for (const auto& [from, to] : hatch_lines(hatch)) put("M{} {}L{} {}", from.x, from.y, to.x, to.y);
    out_ += '"';
  }

  void operator()(const TextShape& text) { put("<text x=\"{}\" y=\"{}\"", text.at.x, text.at.y); }

 private:
  std::string out_;

  template <typename... Numbers>
  void put(std::string_view format, Numbers... numbers) {
    const std::array<std::string, sizeof...(Numbers)> texts{svg_number(numbers)...};
    std::size_t next = 0;
    for (std::size_t i = 0; i < format.size(); ++i) {
      if (format[i] != '{') {
        out_ += format[i];
        continue;
      }
      out_ += texts[next++];
      ++i;
    }
  }
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

std::string svg_geometry(const Shape2D& shape) { return Geometry().write(shape); }

}  // namespace twiddle
