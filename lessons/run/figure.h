// A step's figures: what its views draw of its run at its position.
#pragma once

#include "lessons/run/lesson_run.h"
#include "viewer/document/document.h"
#include "viewer/facts/spectrum_goal.h"
#include "viewer/scene/theme.h"
#include "viewer/views/view.h"

#include <optional>
#include <string>

namespace twiddle {

/// The position of a step's figure, resolved on its run.
struct FigurePlace {
  LessonRun* run = nullptr;
  std::uint64_t step = 0;     // operations done
  std::optional<Mark> light;  // the element whose cone is lit
  SpectrumGoal goal;          // of a step that asks for a spectrum: what its live view shows, dashed
};
/// Throws Error (unreadable) with file and line.
FigurePlace place_of(const Lesson& lesson, const LessonStep& step, LessonRuns& runs);

/// The position that a paragraph of the step speaks of, where the step's figure shows another one: the last of the operations
/// whose numbers its references read, or the time of a value. Empty where it names none, or the figure's own, too.
std::string position_of_words(const Lesson& lesson, const LessonStep& step, const TextBlock& words, LessonRuns& runs);

/// The run that the step's "try it" asks for: its first command, or options that change the step's own run. Nothing where it
/// names none that can be made here.
std::optional<Request> tried_request(const Lesson& lesson, const LessonStep& step);
/// That run where the task is looked at. Throws Error (unreadable) with file and line, such as of a run too large for a lesson.
std::optional<FigurePlace> place_of_try(const Lesson& lesson, const LessonStep& step, LessonRuns& runs);
/// The views that it is seen in: those the step asks for, or of its figure those that have something to show of it, or what it
/// opens on.
std::vector<std::string> tried_views(const LessonStep& step, Document& document);

/// Px at least, of a page's figures: as wide as there is room beside the text of a page of 1280.
inline constexpr float page_figure_width = 728;

/// One view at the place, as large as the view asks for (View::picture_size), `width` px wide or wider. With `max_height` it is
/// as wide as asked and no taller than that, and leaves out what does not fit.
Scene figure_scene(Document& document, const FigurePlace& place, const std::string& view, const Theme& theme,
                   float width, std::string_view language, float max_height = 0);
/// A px of a page is a px of its figures or more: the first text of one that is too small there to be read, under 11 px, or 9 of a
/// number that is raised or lowered. Null: none is.
const TextShape* too_small_text(const Scene& figure);
/// The same in a pane of a window, which has its size for anything that is shown in it.
Scene pane_scene(Document& document, const FigurePlace& place, const std::string& view, const Theme& theme,
                 PictureSize size, std::string_view language);

}  // namespace twiddle
