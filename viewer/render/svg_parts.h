// Pieces of SVG text, for whoever writes a whole scene or many of them in one drawing.
#pragma once

#include "viewer/scene/scene.h"

#include <string>
#include <string_view>

namespace twiddle {

/// "done-soft", "element": what roles and kinds of marks are called in classes and data attributes.
std::string_view name_of(Role role);
std::string_view name_of(MarkKind kind);

/// At most two decimals, none that say nothing.
std::string svg_number(float value);

/// Text as XML takes it: markup escaped; control characters, which no XML 1.0 may hold, as spaces; malformed UTF-8 as
/// U+FFFD.
std::string svg_escaped(std::string_view text);

/// The start of a shape's element with its geometry: `<rect x="8" y="4" width="86" height="30" rx="4"`. Paint, strokes,
/// a text's font and words, and the element's end are left to the caller.
std::string svg_geometry(const Shape2D& shape);

}  // namespace twiddle
