// Renderers of a Scene that need no window: SVG, and PNG and PDF through librsvg and Cairo.
#pragma once

#include "viewer/scene/scene.h"
#include "viewer/scene/theme.h"

#include <cstddef>
#include <string>
#include <vector>

namespace twiddle {

struct SvgOptions {
  bool background = true;    // paint the canvas colour behind everything
  bool css_classes = false;  // for HTML: roles as CSS classes and data-… attributes of marks, no literal colours
  double width_mm = 0;       // of the picture on paper; 0: a CSS px a px
  std::string id_prefix{};   // so that several pictures fit in one page
};

/// The scene as SVG: text stays text, marks carry <title> and aria labels, the whole has role="img", title and desc.
std::string to_svg(const Scene& scene, const Theme& theme, const SvgOptions& options = {});

/// PNG bytes, `width` px wide (0: the scene's own). Throws Error (usage) when this build has no librsvg.
std::vector<std::byte> to_png(const Scene& scene, const Theme& theme, int width = 0);
/// A PDF, one scene a page; `width` is the pages' in points, 0: ¾ of the scene's.
std::vector<std::byte> to_pdf(const std::vector<Scene>& pages, const Theme& theme, double width = 0);
/// SVG whose letters are outlines, for programs that lack the fonts: its texts can neither be selected nor read aloud.
std::string to_outlined_svg(const Scene& scene, const Theme& theme, double width_mm = 0);

/// The scene cut to what is drawn in it, with `margin` px around. One that draws nothing stays as it is.
Scene trimmed(const Scene& scene, float margin);

/// SVG text as PNG (for pictures composed elsewhere).
std::vector<std::byte> svg_to_png(const std::string& svg, int width = 0);

}  // namespace twiddle
