#include "viewer/window/paint.h"

#include <imgui.h>

#include <GLFW/glfw3.h>  // brings OpenGL 1.1, which is all that textures need

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#ifndef GL_CLAMP_TO_EDGE
#define GL_CLAMP_TO_EDGE 0x812F
#endif

namespace twiddle {
namespace {

ImVec2 to_im(Point p) { return {p.x, p.y}; }

// A pointer up to ImGui 1.91, a 64-bit number since: only a C cast turns a name into both.
ImTextureID texture_id(unsigned name) { return (ImTextureID)(std::intptr_t)name; }

float signed_area(const std::vector<Point>& points) {
  float twice_area = 0;
  for (std::size_t i = 0, j = points.size() - 1; i < points.size(); j = i++)
    twice_area += points[j].x * points[i].y - points[i].x * points[j].y;
  return twice_area / 2;
}

float cross(Point o, Point a, Point b) { return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x); }

bool is_convex(const std::vector<Point>& points) {
  bool left = false, right = false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const float turn = cross(points[i], points[(i + 1) % points.size()], points[(i + 2) % points.size()]);
    left |= turn > 1e-3f;
    right |= turn < -1e-3f;
  }
  return !(left && right);
}

class Painter {
 public:
  Painter(const Theme& theme, GlyphAtlas& atlas, GlyphTextures& textures, ImDrawList& list)
      : theme_(theme), atlas_(atlas), textures_(textures), list_(list) {}

  void paint(const Scene& scene) {
    int clip = -1;
    for (const std::size_t index : scene.paint_order()) {
      const Shape2D& shape = scene.shapes[index];
      if (shape.clip != clip) {
        if (clip >= 0) list_.PopClipRect();
        clip = shape.clip;
        if (clip >= 0) {
          const Box& box = scene.clips[clip];
          list_.PushClipRect({box.x, box.y}, {box.right(), box.bottom()}, true);
        }
      }
      shape_ = &shape;
      std::visit([&](const auto& geometry) { draw(geometry); }, shape.geometry);
    }
    if (clip >= 0) list_.PopClipRect();
  }

 private:
  const Theme& theme_;
  GlyphAtlas& atlas_;
  GlyphTextures& textures_;
  ImDrawList& list_;
  const Shape2D* shape_ = nullptr;

  ImU32 colour(Role role) const {
    const Rgb rgb = theme_.colour(role);
    return IM_COL32(rgb.r, rgb.g, rgb.b, static_cast<int>(std::lround(255 * std::clamp(shape_->opacity, 0.0f, 1.0f))));
  }
  bool filled() const { return shape_->fill != Role::None; }
  bool stroked() const { return shape_->stroke.role != Role::None && shape_->stroke.width > 0; }

  // Strokes the path collected in the list, or its dashes.
  void stroke_path(bool closed) {
    if (!stroked() || shape_->stroke.dash_on <= 0 || shape_->stroke.dash_off <= 0) {
      if (stroked())
        list_.PathStroke(colour(shape_->stroke.role), closed ? ImDrawFlags_Closed : ImDrawFlags_None,
                         shape_->stroke.width);
      list_.PathClear();
      return;
    }
    dash_points_.assign(list_._Path.begin(), list_._Path.end());
    list_.PathClear();
    if (closed && !dash_points_.empty()) dash_points_.push_back(dash_points_.front());
    dashes();
  }

  // On and off along the whole polyline; a dash goes round corners.
  void dashes() {
    constexpr int max_dashes = 20000;  // a dash of no length would never end
    const float on = shape_->stroke.dash_on, off = shape_->stroke.dash_off;
    const ImU32 ink = colour(shape_->stroke.role);
    bool drawing = true;
    float left = on;
    int count = 0;
    if (!dash_points_.empty()) list_.PathLineTo(dash_points_.front());
    for (std::size_t i = 1; i < dash_points_.size() && count < max_dashes; ++i) {
      ImVec2 from = dash_points_[i - 1];
      const ImVec2 to = dash_points_[i];
      float length = std::hypot(to.x - from.x, to.y - from.y);
      while (length > left && count++ < max_dashes) {
        const float t = left / length;
        from = {from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
        length -= left;
        if (drawing) {
          list_.PathLineTo(from);
          list_.PathStroke(ink, ImDrawFlags_None, shape_->stroke.width);
        } else {
          list_.PathLineTo(from);
        }
        drawing = !drawing;
        left = drawing ? on : off;
      }
      left -= length;
      if (drawing) list_.PathLineTo(to);
    }
    if (drawing && list_._Path.Size > 1) list_.PathStroke(ink, ImDrawFlags_None, shape_->stroke.width);
    list_.PathClear();
  }

  void draw(const LineShape& line) {
    if (line.points.empty()) return;
    if (line.closed && filled() && line.points.size() > 2) fill_polygon(line.points);
    if (!stroked()) return;
    for (Point p : line.points) list_.PathLineTo(to_im(p));
    stroke_path(line.closed);
  }

  void fill_polygon(const std::vector<Point>& points) {
    const ImU32 ink = colour(shape_->fill);
    const bool clockwise = signed_area(points) > 0;  // with y downwards; the list wants clockwise for smooth edges
    if (is_convex(points)) {
      if (clockwise)
        for (Point p : points) list_.PathLineTo(to_im(p));
      else
        for (auto p = points.rbegin(); p != points.rend(); ++p) list_.PathLineTo(to_im(*p));
      list_.PathFillConvex(ink);
      return;
    }
    // Ears are cut off one by one; without smooth edges, which would show as seams between them.
    std::vector<Point> rest = points;
    if (!clockwise) std::reverse(rest.begin(), rest.end());
    const ImDrawListFlags flags = list_.Flags;
    list_.Flags &= ~ImDrawListFlags_AntiAliasedFill;
    for (std::size_t guard = points.size() * points.size(); rest.size() > 3 && guard > 0; --guard) {
      bool cut = false;
      for (std::size_t i = 0; i < rest.size() && !cut; ++i) {
        const Point a = rest[(i + rest.size() - 1) % rest.size()], b = rest[i], c = rest[(i + 1) % rest.size()];
        if (cross(a, b, c) <= 0) continue;
        const bool empty = std::none_of(rest.begin(), rest.end(), [&](Point p) {
          const bool corner = (p.x == a.x && p.y == a.y) || (p.x == b.x && p.y == b.y) || (p.x == c.x && p.y == c.y);
          return !corner && cross(a, b, p) >= 0 && cross(b, c, p) >= 0 && cross(c, a, p) >= 0;
        });
        if (!empty) continue;
        list_.AddTriangleFilled(to_im(a), to_im(b), to_im(c), ink);
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        cut = true;
      }
      if (!cut) break;  // crosses itself: what is left cannot be cut
    }
    if (rest.size() == 3) list_.AddTriangleFilled(to_im(rest[0]), to_im(rest[1]), to_im(rest[2]), ink);
    list_.Flags = flags;
  }

  void draw(const BoxShape& shape) {
    const Box& box = shape.box;
    if (box.w <= 0 || box.h <= 0) return;
    const float radius = std::min({shape.radius, box.w / 2, box.h / 2});
    if (filled()) list_.AddRectFilled({box.x, box.y}, {box.right(), box.bottom()}, colour(shape_->fill), radius);
    if (!stroked()) return;
    list_.PathRect({box.x, box.y}, {box.right(), box.bottom()}, radius);
    stroke_path(true);
  }

  void draw(const CircleShape& circle) {
    if (circle.radius <= 0) return;
    if (filled()) list_.AddCircleFilled(to_im(circle.centre), circle.radius, colour(shape_->fill));
    if (!stroked()) return;
    const int sides = std::clamp(static_cast<int>(circle.radius * 2), 16, 128);
    const float last = 2 * std::numbers::pi_v<float> * static_cast<float>(sides - 1) / static_cast<float>(sides);
    list_.PathArcTo(to_im(circle.centre), circle.radius, 0, last, sides - 1);
    stroke_path(true);
  }

  void draw(const ArcShape& arc) {
    if (arc.radius <= 0 || !stroked()) return;
    const int sides = std::clamp(static_cast<int>(arc.radius * std::abs(arc.to - arc.from) / 3), 4, 128);
    list_.PathArcTo(to_im(arc.centre), arc.radius, arc.from, arc.to, sides);
    stroke_path(false);
  }

  void draw(const HatchShape& hatch) {
    if (!stroked()) return;
    for (const auto& [from, to] : hatch_lines(hatch)) {
      list_.PathLineTo(to_im(from));
      list_.PathLineTo(to_im(to));
      list_.PathStroke(colour(shape_->stroke.role), ImDrawFlags_None, shape_->stroke.width);
    }
  }

  void draw(const TextShape& text) {
    if (!filled() || text.text.empty()) return;
    float x = text.at.x;
    if (text.anchor != Anchor::Start)
      x -= text_width(text.font, text.text) * (text.anchor == Anchor::Middle ? 0.5f : 1.0f);
    const float y = std::round(text.at.y);
    const ImVec2 low = list_.GetClipRectMin(), high = list_.GetClipRectMax();
    if (y + text.font.size < low.y || y - 2 * text.font.size > high.y || x > high.x) return;
    const ImU32 ink = colour(shape_->fill);
    for (const GlyphAtlas::Placed& placed : atlas_.lay_out(text.font, text.text, x)) {
      const GlyphImage& glyph = *placed.glyph;
      if (glyph.page < 0) continue;
      const float left = placed.x + glyph.x, top = y + glyph.y;
      list_.AddImage(texture_id(textures_.texture(static_cast<std::size_t>(glyph.page))), {left, top},
                     {left + glyph.w, top + glyph.h}, {glyph.u0, glyph.v0}, {glyph.u1, glyph.v1}, ink);
    }
  }

  std::vector<ImVec2> dash_points_;
};

}  // namespace

GlyphTextures::~GlyphTextures() {
  if (!textures_.empty()) glDeleteTextures(static_cast<int>(textures_.size()), textures_.data());
}

unsigned GlyphTextures::texture(std::size_t page) {
  while (textures_.size() <= page) {
    unsigned name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    // Glyphs are on whole pixels, texel on pixel.
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, GlyphAtlas::page_size, GlyphAtlas::page_size, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 nullptr);
    textures_.push_back(name);
  }
  return textures_[page];
}

void GlyphTextures::upload(GlyphAtlas& atlas) {
  std::vector<std::uint8_t> rgba;
  for (std::size_t i = 0; i < atlas.pages().size(); ++i) {
    GlyphAtlas::Page& page = atlas.pages()[i];
    if (page.changed_from >= page.changed_to) continue;
    const auto from = static_cast<std::size_t>(page.changed_from) * GlyphAtlas::page_size;
    const auto count = static_cast<std::size_t>(page.changed_to - page.changed_from) * GlyphAtlas::page_size;
    rgba.assign(count * 4, 255);
    for (std::size_t p = 0; p < count; ++p) rgba[p * 4 + 3] = page.coverage[from + p];
    glBindTexture(GL_TEXTURE_2D, texture(i));
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, page.changed_from, GlyphAtlas::page_size, page.changed_to - page.changed_from,
                    GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    page.changed_from = GlyphAtlas::page_size, page.changed_to = 0;
  }
}

void paint(const Scene& scene, const Theme& theme, GlyphAtlas& atlas, GlyphTextures& textures, ImDrawList& list) {
  Painter(theme, atlas, textures, list).paint(scene);
}

}  // namespace twiddle
