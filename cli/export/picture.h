// Pictures of a trace at a position: what `view --screenshot`, `export` and `demo` write.
#pragma once

#include "cli/options.h"
#include "viewer/frame/window_scene.h"
#include "viewer/scene/scene.h"
#include "viewer/views/view.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace twiddle::cli {

/// The whole window's state at a step; in lockstep at the turn of its round that the options say.
WindowState window_state(const PictureOptions& picture, std::uint64_t step);
/// Pictures' options in which so many of the round's turns have been made.
PictureOptions at_turn(PictureOptions picture, int made);
/// The view that was asked for. Throws Error (usage) that names those there are when the trace has none of that name.
const View& asked_view(Document& document, const PictureOptions& picture);
/// The diagram alone at a step, as slides and papers want it; `phase` is how far the step's motion is, 0 … 1.
Scene diagram_scene(Document& document, const PictureOptions& picture, std::uint64_t step, float phase = 1,
                    const Viewport& viewport = {});

/// A picture's form in a file, beside what it shows.
struct PictureForm {
  int pixels = 0;         // width of what is made of pixels; 0: the scene's, or of paper_mm at 300 a inch
  double paper_mm = 0;    // width on paper; 0: none
  bool trim = false;      // cut to the drawing
  bool outlined = false;  // of .svg: letters as outlines
};

/// The scene as it is to be in its file: cut, where that was asked for.
Scene formed(Scene scene, const PictureForm& form);
/// Writes a scene as .svg or, under any other name, as PNG.
void write_scene(const std::filesystem::path& file, const Scene& scene, const Theme& theme,
                 const PictureForm& form = {});

/// The step a position names; an empty text is the end of the trace.
std::uint64_t step_at(const Document& document, const std::string& position);
/// The same in pictures' options: where the position is a turn, they are in lockstep, at that turn.
std::uint64_t step_at(const Document& document, const std::string& position, PictureOptions& picture);

}  // namespace twiddle::cli
