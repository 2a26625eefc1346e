// What was drawn over the picture with the pen while presenting: strokes belong to a step and a view, and are kept beside the
// trace's file.
#pragma once

#include "viewer/document/document.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace twiddle {

/// Points are in the view's own terms (View::anchor), so that a stroke stays at its place at every size.
struct PenStroke {
  std::string view;
  std::vector<Point> points;
};
using Strokes = std::map<std::uint64_t, std::vector<PenStroke>>;  // by step

/// A trace's strokes, read when first asked for. A file that is none is as if there were none.
Strokes& strokes_of(Document& document);
/// Writes them beside the trace, and removes the file when there are none. Throws Error (usage) when that fails.
void keep_strokes(Document& document);
/// "lecture.twd" → "lecture.twd.strokes.json"
std::filesystem::path strokes_file(const std::filesystem::path& trace);

}  // namespace twiddle
