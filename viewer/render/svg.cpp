// A Scene as SVG text.
#include "viewer/render/render.h"
#include "viewer/render/svg_parts.h"
#include "viewer/scene/fonts.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

namespace twiddle {
namespace {

/// Code as it was written: JetBrains Mono would join "!=" and "->" into one sign. librsvg knows no style against that, but
/// shapes every tspan by itself, so neighbouring signs get one each.
std::string unligated(std::string_view text) {
  constexpr std::string_view signs = "!#$%&*+-./:;<=>?@\\^_|~";
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool sign = signs.find(text[at]) != std::string_view::npos;
    if (sign && at > 0 && signs.find(text[at - 1]) != std::string_view::npos) {
      out += "<tspan>" + svg_escaped(text.substr(at, 1)) + "</tspan>";
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    while (end < text.size() &&
           (signs.find(text[end]) == std::string_view::npos || signs.find(text[end - 1]) == std::string_view::npos))
      ++end;
    out += svg_escaped(text.substr(at, end - at));
    at = end;
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
      out_ += svg_element(shape);
      if (const auto* text = std::get_if<TextShape>(&shape.geometry))
        write(shape, *text);
      else
        style(shape);
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
    const std::string w = svg_number(scene_.width), h = svg_number(scene_.height);
    // A picture with parts to hover and read is a group; a picture for a slide is one image.
    const double paper = options_.width_mm / std::max(1.0, double(scene_.width));
    const std::string size = options_.width_mm > 0 ? fmt::format("width=\"{:.4g}mm\" height=\"{:.4g}mm\"",
                                                                 options_.width_mm, double(scene_.height) * paper)
                                                   : fmt::format("width=\"{}\" height=\"{}\"", w, h);
    out_ += svg_head(scene_.width, scene_.height, options_.css_classes ? "group" : "img",
                     " xmlns=\"http://www.w3.org/2000/svg\" " + size);
    const std::string& id = options_.id_prefix;
    out_ += svg_title_attributes(scene_, id);
    if (scene_.language != Language::English)
      put(" lang=\"{}\"", scene_.language == Language::Japanese ? "ja" : "zh-Hans");
    if (!options_.css_classes) put(" font-family=\"{}\"", font_families(Face::Sans, scene_.language));
    out_ += ">\n";
    out_ += svg_titles(scene_, id);
    out_ += svg_clips(scene_, id, scene_.shapes);
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
    out_ += svg_next_clip(options_.id_prefix, clip_, clip);
    mark_ = mark;
    if (mark < 0) return;
    const MarkText& text = scene_.marks[mark];
    out_ += "<g";
    if (options_.css_classes) data(text.mark);
    if (text.label.empty()) {
      out_ += ">";
      return;
    }
    // A mark's shapes may be on several layers. Its first group is read aloud; all of them show the tooltip.
    const std::string label = svg_escaped(text.label);
    if (introduced_[mark]) {
      out_ += " aria-hidden=\"true\"";
    } else {
      put(" role=\"img\" aria-label=\"{}\"", label);
      introduced_[mark] = true;
    }
    put("><title>{}</title>", label);
  }

  void data(const Mark& mark) {
    put(" data-kind=\"{}\"", name_of(mark.kind));
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
    if (!mark.command.empty()) put(" data-command=\"{}\"", svg_escaped(mark.command));
  }

  /// A colour as attribute, or remembered as a class.
  void paint(std::string_view what, Role role) {
    if (options_.css_classes) {
      put(" class=\"{}-{}\"", what.substr(0, 1), name_of(role));
      return;
    }
    const Rgb c = theme_.colour(role);
    put(" {}=\"#{:02x}{:02x}{:02x}\"", what, c.r, c.g, c.b);
  }

  /// Fill, stroke and opacity of a shape that is no text; closes the element.
  void style(const Shape2D& shape) {
    const bool stroked = is_drawn(shape.stroke);
    if (options_.css_classes) {
      out_ += svg_paint_class(shape.fill, shape.stroke);
    } else {
      if (shape.fill == Role::None) {
        out_ += " fill=\"none\"";
      } else {
        paint("fill", shape.fill);
      }
      if (stroked) paint("stroke", shape.stroke.role);
    }
    if (stroked) {
      put(" stroke-width=\"{}\"", svg_number(shape.stroke.width));
      if (shape.stroke.dash_on > 0) put(" stroke-dasharray=\"{}\"", svg_dashes(shape.stroke));
    }
    // A renderer draws what is transparent as a whole on a surface as large as the picture: only what has both needs that.
    if (shape.opacity < 1 && (!stroked || shape.fill == Role::None))
      put(" {}-opacity=\"{}\"", stroked ? "stroke" : "fill", svg_number(shape.opacity));
    else
      out_ += svg_opacity_attribute(shape.opacity);
    out_ += "/>\n";
  }

  /// Fill, font and words of a text; closes the element.
  void write(const Shape2D& shape, const TextShape& text) {
    put(" font-size=\"{}\"", svg_number(text.font.size));
    const bool mono = text.font.face == Face::Mono;
    if (options_.css_classes) {
      out_ += svg_text_class(shape.fill, text.font);
    } else {
      if (mono) put(" font-family=\"{}\"", font_families(Face::Mono, scene_.language));
      if (text.font.weight == Weight::SemiBold) out_ += " font-weight=\"600\"";
      paint("fill", shape.fill);
    }
    out_ += svg_anchor_attribute(text.anchor) + svg_opacity_attribute(shape.opacity);
    put("{}>{}</text>\n", svg_space_attribute(text.text), mono ? unligated(text.text) : svg_escaped(text.text));
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
