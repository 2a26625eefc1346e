// Pieces of SVG text, for writers of one scene or of many in one drawing.
#pragma once

#include "viewer/scene/scene.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twiddle {

/// "done-soft", "element": what roles and kinds of marks are called in classes and data attributes.
std::string_view name_of(Role role);
std::string_view name_of(MarkKind kind);

/// At most two decimals, none that say nothing.
std::string svg_number(float value);

/// Text as XML takes it: markup escaped; control characters, which no XML 1.0 may hold, as spaces; malformed UTF-8 as
/// U+FFFD.
std::string svg_escaped(std::string_view text);

/// The element that draws a shape, in numbers: of all renderers of SVG only these know how shapes become elements. The kinds
/// are numbered as the handout's player numbers them.
struct SvgGeometry {
  enum class Kind : std::uint8_t { Line, Rect, Circle, Text, Path, Polyline, Polygon, Hatch };
  Kind kind = Kind::Line;
  std::vector<float>
      numbers;       // px, the attributes in their order: x1 y1 x2 y2, x y width height [rx], cx cy r, x y; of a
                     // hatch, which is the path of its lines: x y width height gap
  std::string data;  // a path's "d", the points of a polyline or polygon
};
SvgGeometry svg_geometry(const Shape2D& shape);
/// The start of that element: `<rect x="8" y="4" width="86" height="30" rx="4"`. Paint, strokes, a text's font and words, and
/// the element's end are left to the caller.
std::string svg_element(const Shape2D& shape);

/// Where an open arc begins and ends; nothing for one that is a whole circle.
std::optional<std::pair<Point, Point>> arc_ends(const ArcShape& arc);

/// The start of a drawing's element: `<svg viewBox="0 0 800 600" role="img"`; `attributes` go before these.
std::string svg_head(float width, float height, std::string_view role, std::string_view attributes = {});
/// The attributes that name and describe a picture, and the elements that they refer to; `id` goes before their ids.
std::string svg_title_attributes(const Scene& scene, const std::string& id);
std::string svg_titles(const Scene& scene, const std::string& id);
/// `<clipPath id="IDclip3">…</clipPath>` of one box, and of those of a scene's clips that what is `drawn` has as its `clip`.
std::string svg_clip(const std::string& id, std::size_t number, const Box& box);
template <typename Drawn>
std::string svg_clips(const Scene& scene, const std::string& id, const Drawn& drawn) {
  std::vector<bool> used(scene.clips.size());
  for (const auto& one : drawn)
    if (one.clip >= 0) used[static_cast<std::size_t>(one.clip)] = true;
  std::string out;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) out += svg_clip(id, i, scene.clips[i]);
  return out;
}
/// ` clip-path="url(#IDclip3)"`; empty for −1, no clip.
std::string svg_clip_attribute(const std::string& id, int clip);
/// `<g clip-path="url(#IDclip3)">` and the end of the one that was open, where another clip is to be than `clip`.
std::string svg_next_clip(const std::string& id, int& clip, int next);

/// ` class="f-ink s-line"` and ` class="f-ink mono bold"`: paint by CSS class.
std::string svg_paint_class(Role fill, const Stroke& stroke);
std::string svg_text_class(Role fill, const Font& font);
bool is_drawn(const Stroke& stroke);

/// What attributes and CSS properties have in common: "4 3" of a dashed stroke, "middle" or "end" of an anchor.
std::string svg_dashes(const Stroke& stroke);
std::string_view svg_anchor(Anchor anchor);
/// ` text-anchor="middle"`, ` opacity="0.5"`; empty for the usual.
std::string svg_anchor_attribute(Anchor anchor);
std::string svg_opacity_attribute(float opacity);
/// ` xml:space="preserve"` where indented source or double spaces have to stay as they are.
std::string_view svg_space_attribute(std::string_view text);

}  // namespace twiddle
