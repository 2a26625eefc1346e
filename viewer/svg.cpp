// A Scene as SVG text.
#include "viewer/fonts.h"
#include "viewer/render.h"
#include "viewer/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <string_view>

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

/// At most two decimals, none that say nothing.
std::string number(float value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

/// Text as XML takes it: markup escaped; control characters, which no XML 1.0 may hold, as spaces; malformed UTF-8 as U+FFFD.
std::string escaped(std::string_view text) {
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

class Writer {
 public:
  Writer(const Scene& scene, const Theme& theme, const SvgOptions& options)
      : scene_(scene), theme_(theme), options_(options) {}

  std::string write() {
    head();
    for (const std::size_t i : scene_.paint_order()) {
      const Shape2D& shape = scene_.shapes[i];
      enter(shape.mark, shape.clip);
      std::visit([&](const auto& geometry) { draw(shape, geometry); }, shape.geometry);
    }
    enter(-1, -1);
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void head() {
    const std::string w = number(scene_.width), h = number(scene_.height);
    // A picture with parts to hover and read is a group; a picture for a slide is one image.
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"{2}\"",
        w, h, options_.css_classes ? "group" : "img");
    const std::string& id = options_.id_prefix;
    if (!scene_.title.empty()) put(" aria-labelledby=\"{}title\"", escaped(id));
    if (!scene_.description.empty()) put(" aria-describedby=\"{}desc\"", escaped(id));
    if (scene_.language != Language::English)
      put(" lang=\"{}\"", scene_.language == Language::Japanese ? "ja" : "zh-Hans");
    if (!options_.css_classes) put(" font-family=\"{}\"", font_families(Face::Sans, scene_.language));
    out_ += ">\n";
    if (!scene_.title.empty()) put("<title id=\"{}title\">{}</title>\n", escaped(id), escaped(scene_.title));
    if (!scene_.description.empty()) put("<desc id=\"{}desc\">{}</desc>\n", escaped(id), escaped(scene_.description));
    std::vector<bool> used(scene_.clips.size());
    for (const Shape2D& shape : scene_.shapes)
      if (shape.clip >= 0) used[static_cast<std::size_t>(shape.clip)] = true;
    for (std::size_t i = 0; i < scene_.clips.size(); ++i) {
      if (!used[i]) continue;
      const Box& box = scene_.clips[i];
      put("<clipPath id=\"{}clip{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n", escaped(id), i,
          number(box.x), number(box.y), number(box.w), number(box.h));
    }
    if (options_.background) {
      put("<rect width=\"{}\" height=\"{}\"", w, h);
      paint("fill", Role::Canvas);
      out_ += "/>\n";
    }
    introduced_.assign(scene_.marks.size(), false);
  }

  /// Closes and opens groups so that what follows belongs to this mark and clip.
  void enter(int mark, int clip) {
    if (mark == mark_ && clip == clip_) return;
    if (mark_ >= 0) out_ += "</g>\n";
    if (clip != clip_) {
      if (clip_ >= 0) out_ += "</g>\n";
      if (clip >= 0) put("<g clip-path=\"url(#{}clip{})\">\n", escaped(options_.id_prefix), clip);
      clip_ = clip;
    }
    mark_ = mark;
    if (mark < 0) return;
    const MarkText& text = scene_.marks[static_cast<std::size_t>(mark)];
    out_ += "<g";
    if (options_.css_classes) data(text.mark);
    if (text.label.empty()) {
      out_ += ">";
      return;
    }
    // A mark's shapes may lie on several layers. Its first group speaks; all of them show the tooltip.
    const std::string label = escaped(text.label);
    if (introduced_[static_cast<std::size_t>(mark)]) {
      out_ += " aria-hidden=\"true\"";
    } else {
      put(" role=\"img\" aria-label=\"{}\"", label);
      introduced_[static_cast<std::size_t>(mark)] = true;
    }
    put("><title>{}</title>", label);
  }

  void data(const Mark& mark) {
    put(" data-kind=\"{}\"", kind_names[static_cast<std::size_t>(mark.kind)]);
    if (mark.launch != 0) put(" data-launch=\"{}\"", mark.launch);
    if (mark.buffer >= 0) put(" data-buffer=\"{}\"", mark.buffer);
    switch (mark.kind) {
      case MarkKind::Element: put(" data-index=\"{}\" data-segment=\"{}\"", mark.index, mark.segment); break;
      case MarkKind::Segment: put(" data-segment=\"{}\"", mark.segment); break;
      case MarkKind::Operation:
      case MarkKind::Bookmark: put(" data-step=\"{}\"", mark.step); break;
      case MarkKind::Item: put(" data-item=\"{}\"", mark.item); break;
      case MarkKind::Line:
      case MarkKind::Choice:
      case MarkKind::Finding: put(" data-index=\"{}\"", mark.index); break;
      default: break;
    }
    if (!mark.command.empty()) put(" data-command=\"{}\"", escaped(mark.command));
  }

  /// A colour as attribute, or remembered as a class.
  void paint(std::string_view what, Role role) {
    if (options_.css_classes) {
      put(" class=\"{}-{}\"", what.substr(0, 1), role_names[static_cast<std::size_t>(role)]);
      return;
    }
    const Rgb c = theme_.colour(role);
    put(" {}=\"#{:02x}{:02x}{:02x}\"", what, c.r, c.g, c.b);
  }

  /// Fill, stroke and opacity of a shape that is no text; closes the element.
  void style(const Shape2D& shape) {
    const bool stroked = shape.stroke.role != Role::None && shape.stroke.width > 0;
    if (options_.css_classes) {
      put(" class=\"f-{}{}{}\"", role_names[static_cast<std::size_t>(shape.fill)], stroked ? " s-" : "",
          stroked ? role_names[static_cast<std::size_t>(shape.stroke.role)] : "");
    } else {
      if (shape.fill == Role::None) {
        out_ += " fill=\"none\"";
      } else {
        paint("fill", shape.fill);
      }
      if (stroked) paint("stroke", shape.stroke.role);
    }
    if (stroked) {
      put(" stroke-width=\"{}\"", number(shape.stroke.width));
      if (shape.stroke.dash_on > 0)
        put(" stroke-dasharray=\"{} {}\"", number(shape.stroke.dash_on), number(shape.stroke.dash_off));
    }
    if (shape.opacity < 1) put(" opacity=\"{}\"", number(shape.opacity));
    out_ += "/>\n";
  }

  void draw(const Shape2D& shape, const LineShape& line) {
    if (line.points.size() == 2 && !line.closed) {
      put("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"", number(line.points[0].x), number(line.points[0].y),
          number(line.points[1].x), number(line.points[1].y));
    } else {
      out_ += line.closed ? "<polygon points=\"" : "<polyline stroke-linejoin=\"round\" points=\"";
      for (std::size_t i = 0; i < line.points.size(); ++i)
        put("{}{},{}", i == 0 ? "" : " ", number(line.points[i].x), number(line.points[i].y));
      out_ += '"';
    }
    style(shape);
  }

  void draw(const Shape2D& shape, const BoxShape& box) {
    put("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(box.box.x), number(box.box.y),
        number(std::max(0.0f, box.box.w)), number(std::max(0.0f, box.box.h)));
    if (box.radius > 0) put(" rx=\"{}\"", number(box.radius));
    style(shape);
  }

  void draw(const Shape2D& shape, const CircleShape& circle) {
    put("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", number(circle.centre.x), number(circle.centre.y),
        number(circle.radius));
    style(shape);
  }

  void draw(const Shape2D& shape, const ArcShape& arc) {
    const float turn = arc.to - arc.from;
    if (std::abs(turn) >= 2 * std::numbers::pi_v<float> - 1e-4f) {
      draw(shape, CircleShape{arc.centre, arc.radius});
      return;
    }
    const auto at = [&](float angle) {
      return Point{arc.centre.x + arc.radius * std::cos(angle), arc.centre.y + arc.radius * std::sin(angle)};
    };
    const Point from = at(arc.from), to = at(arc.to);
    put("<path d=\"M{} {}A{} {} 0 {} {} {} {}\"", number(from.x), number(from.y), number(arc.radius),
        number(arc.radius), std::abs(turn) > std::numbers::pi_v<float> ? 1 : 0, turn > 0 ? 1 : 0, number(to.x),
        number(to.y));
    style(shape);
  }

  void draw(const Shape2D& shape, const HatchShape& hatch) {
    out_ += "<path d=\"";
    for (const auto& [from, to] : hatch_lines(hatch))
      put("M{} {}L{} {}", number(from.x), number(from.y), number(to.x), number(to.y));
    out_ += '"';
    style(shape);
  }

  void draw(const Shape2D& shape, const TextShape& text) {
    put("<text x=\"{}\" y=\"{}\" font-size=\"{}\"", number(text.at.x), number(text.at.y), number(text.font.size));
    const bool mono = text.font.face == Face::Mono, bold = text.font.weight == Weight::SemiBold;
    if (options_.css_classes) {
      put(" class=\"f-{}{}{}\"", role_names[static_cast<std::size_t>(shape.fill)], mono ? " mono" : "",
          bold ? " bold" : "");
    } else {
      if (mono) put(" font-family=\"{}\"", font_families(Face::Mono, scene_.language));
      if (bold) out_ += " font-weight=\"600\"";
      paint("fill", shape.fill);
    }
    if (text.anchor != Anchor::Start) put(" text-anchor=\"{}\"", text.anchor == Anchor::Middle ? "middle" : "end");
    if (shape.opacity < 1) put(" opacity=\"{}\"", number(shape.opacity));
    // Indented source and double spaces stay as they are.
    if (text.text.starts_with(' ') || text.text.ends_with(' ') || text.text.find("  ") != std::string::npos)
      out_ += " xml:space=\"preserve\"";
    put(">{}</text>\n", escaped(text.text));
  }

  const Scene& scene_;
  const Theme& theme_;
  const SvgOptions& options_;
  std::string out_;
  int mark_ = -1, clip_ = -1;
  std::vector<bool> introduced_;
};

}  // namespace

std::string to_svg(const Scene& scene, const Theme& theme, const SvgOptions& options) {
  return Writer(scene, theme, options).write();
}

}  // namespace twiddle
