// Pictures of a trace at a position: what `view --screenshot`, `export` and `demo` write.
#pragma once

#include "cli/options.h"
#include "viewer/control/window_scene.h"
#include "viewer/scene/scene.h"
#include "viewer/views/view.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace twiddle::cli {

/// The whole window's state at a step.
WindowState window_state(const PictureOptions& picture, std::uint64_t step);
/// The view that was asked for. Throws Error (usage) that names those there are when the trace has none of that name.
const View& asked_view(Document& document, const PictureOptions& picture);
/// The diagram alone at a step, as slides and papers want it; `phase` is how far the step's motion is, 0 … 1.
Scene diagram_scene(Document& document, const PictureOptions& picture, std::uint64_t step, float phase = 1);

/// Writes a scene as .svg or, under any other name, as PNG; `pixels` wide, 0: as the scene is.
void write_scene(const std::filesystem::path& file, const Scene& scene, const Theme& theme, int pixels = 0);

/// The step a position names; an empty text is the end of the trace.
std::uint64_t step_at(const Document& document, const std::string& position);

}  // namespace twiddle::cli
