// A Scene as little SVG text as it takes: for pages with many pictures without marks.
#pragma once

#include "viewer/scene/scene.h"

#include <string>

namespace twiddle {

/// One image with title and description, colours as CSS classes ("f-ink", "s-line") as to_svg has them, and no marks. What
/// has the same paint and does not overlap is one path; coordinates count to a tenth of a pixel; a hatch is
/// a pattern. `id` keeps the names of several pictures of a page apart.
std::string to_compact_svg(const Scene& scene, const std::string& id);

}  // namespace twiddle
