#include "viewer/render/tikz.h"

#include "base/text.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <set>

namespace twiddle {
namespace {

struct Symbol {
  std::string_view text, math;
};
constexpr Symbol symbols[] = {{"←", "\\leftarrow "}, {"→", "\\rightarrow "}, {"−", "-"},        {"·", "\\cdot "},
                              {"×", "\\times "},     {"≠", "\\neq "},        {"≤", "\\leq "},   {"≥", "\\geq "},
                              {"√", "\\surd "},      {"π", "\\pi "},         {"…", "\\ldots "}, {"≈", "\\approx "},
                              {"°", "^{\\circ}"},    {"²", "^{2}"},          {"∞", "\\infty "}, {"±", "\\pm "},
                              {"Σ", "\\Sigma "},     {"⌊", "\\lfloor "},     {"⌋", "\\rfloor "}};

const Symbol* symbol_at(std::string_view text) {
  for (const Symbol& symbol : symbols)
    if (text.starts_with(symbol.text)) return &symbol;
  return nullptr;
}

std::string escaped(char c) {
  switch (c) {
    case '\\': return "\\textbackslash{}";
    case '{':
    case '}':
    case '#':
    case '$':
    case '%':
    case '&':
    case '_': return std::string("\\") + c;
    case '~': return "\\textasciitilde{}";
    case '^': return "\\textasciicircum{}";
    case '<': return "\\textless{}";
    case '>': return "\\textgreater{}";
    default: return std::string(1, c);
  }
}

std::string tikz_name(Role role) { return fmt::format("twiddle{}", static_cast<int>(role)); }

class TikzWriter {
 public:
  TikzWriter(const Scene& scene, const Theme& theme) : scene_(scene), theme_(theme) {}

  std::string write() {
    std::string body;
    int clip = -1;
    for (const std::size_t index : scene_.paint_order()) {
      const Shape2D& shape = scene_.shapes[index];
      if (shape.clip != clip) {
        if (clip >= 0) body += "\\end{scope}\n";
        clip = shape.clip;
        if (clip >= 0) {
          const Box& box = scene_.clips[clip];
          body += fmt::format("\\begin{{scope}}\\clip {} rectangle {};\n", at({box.x, box.y}),
                              at({box.right(), box.bottom()}));
        }
      }
      shape_ = &shape;
      body += std::visit([&](const auto& geometry) { return drawn(geometry); }, shape.geometry);
    }
    if (clip >= 0) body += "\\end{scope}\n";
    std::string out = "% Made by Twiddle. Needs \\usepackage{tikz}.\n";
    for (const Role role : used_) {
      const Rgb rgb = theme_.colour(role);
      out += fmt::format("\\definecolor{{{}}}{{HTML}}{{{:02X}{:02X}{:02X}}}\n", tikz_name(role), rgb.r, rgb.g, rgb.b);
    }
    return out +
           fmt::format("\\begin{{tikzpicture}}[x=1pt,y=-1pt]\n\\useasboundingbox (0,0) rectangle ({:.2f},{:.2f});\n",
                       scene_.width, scene_.height) +
           body + "\\end{tikzpicture}\n";
  }

 private:
  const Scene& scene_;
  const Theme& theme_;
  const Shape2D* shape_ = nullptr;
  std::set<Role> used_;

  static std::string at(Point p) { return fmt::format("({:.2f},{:.2f})", p.x, p.y); }

  /// How the shape is filled and stroked; empty: it does not show.
  std::string look(bool can_fill) {
    std::string options;
    const Stroke& stroke = shape_->stroke;
    if (can_fill && shape_->fill != Role::None) options += "fill=" + used(shape_->fill);
    if (stroke.role != Role::None && stroke.width > 0) {
      options +=
          fmt::format("{}draw={},line width={:.2f}pt", options.empty() ? "" : ",", used(stroke.role), stroke.width);
      if (stroke.dash_on > 0 && stroke.dash_off > 0)
        options += fmt::format(",dash pattern=on {:.2f}pt off {:.2f}pt", stroke.dash_on, stroke.dash_off);
    }
    if (!options.empty() && shape_->opacity < 1) options += fmt::format(",opacity={:.2f}", shape_->opacity);
    return options;
  }
  std::string used(Role role) {
    used_.insert(role);
    return tikz_name(role);
  }
  std::string path(const std::string& options, const std::string& what) {
    return options.empty() ? std::string() : fmt::format("\\path[{}] {};\n", options, what);
  }

  std::string drawn(const LineShape& line) {
    if (line.points.size() < 2) return {};
    std::string way;
    for (const Point& p : line.points) way += (way.empty() ? "" : " -- ") + at(p);
    return path(look(line.closed), line.closed ? way + " -- cycle" : way);
  }
  std::string drawn(const BoxShape& shape) {
    const std::string options = look(true);
    if (options.empty() || shape.box.w <= 0 || shape.box.h <= 0) return {};
    const std::string round = shape.radius > 0 ? fmt::format(",rounded corners={:.2f}pt", shape.radius) : "";
    return path(options + round,
                at({shape.box.x, shape.box.y}) + " rectangle " + at({shape.box.right(), shape.box.bottom()}));
  }
  std::string drawn(const CircleShape& circle) {
    return path(look(true), at(circle.centre) + fmt::format(" circle[radius={:.2f}pt]", circle.radius));
  }
  std::string drawn(const ArcShape& arc) {
    const auto degrees = [](float radians) { return static_cast<double>(radians) * 180 / std::numbers::pi; };
    const Point from{arc.centre.x + arc.radius * std::cos(arc.from), arc.centre.y + arc.radius * std::sin(arc.from)};
    // The y axis points down, and angles with it.
    return path(look(false),
                at(from) + fmt::format(" arc[start angle={:.2f},end angle={:.2f},x radius={:.2f},y radius={:.2f}]",
                                       degrees(arc.from), degrees(arc.to), arc.radius, arc.radius));
  }
  std::string drawn(const HatchShape& hatch) {
    std::string lines;
    const std::string options = look(false);
    for (const auto& [from, to] : hatch_lines(hatch)) lines += path(options, at(from) + " -- " + at(to));
    return lines;
  }
  std::string drawn(const TextShape& text) {
    if (shape_->fill == Role::None || text.text.empty()) return {};
    const char* anchor = text.anchor == Anchor::Start    ? "base west"
                         : text.anchor == Anchor::Middle ? "base"
                                                         : "base east";
    return fmt::format(
        "\\node[anchor={},inner sep=0pt,text={}] at {} {{\\fontsize{{{:.1f}pt}}{{{:.1f}pt}}{}{}\\selectfont {}}};\n",
        anchor, used(shape_->fill), at(text.at), text.font.size * 0.92f, text.font.size * 1.1f,
        text.font.face == Face::Mono ? "\\ttfamily" : "\\sffamily",
        text.font.weight == Weight::SemiBold ? "\\bfseries" : "", latex_text(text.text));
  }
};

}  // namespace

std::string latex_text(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (const Symbol* symbol = symbol_at(text.substr(i))) {
      std::string math(symbol->math);
      while (!math.empty() && math.back() == ' ') math.pop_back();
      out += "$" + math + "$";
      i += symbol->text.size();
    } else {
      out += escaped(text[i++]);
    }
  }
  return out;
}

std::string latex_math(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (const Symbol* symbol = symbol_at(text.substr(i))) {
      out += symbol->math;
      i += symbol->text.size();
    } else if (is_letter(text[i])) {
      std::size_t end = i;
      while (end < text.size() && is_of_name(text[end])) ++end;
      std::string name;
      for (const char c : text.substr(i, end - i)) name += escaped(c);
      out += end - i > 1 ? "\\mathrm{" + name + "}" : name;
      i = end;
    } else if (text[i] == '^' || text[i] == '(' || text[i] == ')') {
      out += text[i++];
    } else {
      out += escaped(text[i++]);
    }
  }
  return out;
}

std::string to_tikz(const Scene& scene, const Theme& theme) { return TikzWriter(scene, theme).write(); }

}  // namespace twiddle
