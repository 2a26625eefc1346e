// A Scene as TikZ, for papers set with LaTeX.
#pragma once

#include "viewer/scene/scene.h"
#include "viewer/scene/theme.h"

#include <string>
#include <string_view>

namespace twiddle {

/// A tikzpicture with its colours: a pixel is a point, 1/72.27 inch; \resizebox or [scale=…] fits it to a column. Texts are
/// the document's own in \sffamily and \ttfamily, as wide as its fonts make them. Han characters need LuaLaTeX or XeLaTeX.
std::string to_tikz(const Scene& scene, const Theme& theme);

/// A text as LaTeX sets it in a paragraph: special characters escaped, arrows, signs and Greek letters in math.
std::string latex_text(std::string_view text);
/// The same inside math: names of two and more letters upright.
std::string latex_math(std::string_view text);

}  // namespace twiddle
