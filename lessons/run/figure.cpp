#include "lessons/run/figure.h"

#include "base/error.h"
#include "lessons/run/reference.h"
#include "lessons/run/spectrum_task.h"
#include "viewer/facts/live_signal.h"
#include "viewer/scene/languages.h"
#include "viewer/views/view.h"

#include <algorithm>

namespace twiddle {
namespace {

constexpr float fitted_share = 0.6f;  // of its width, the height of a picture that asks for a spectrum

bool is_fitted(const FigurePlace& place, const std::string& view) { return place.goal.asked() && view == "live"; }

}  // namespace

FigurePlace place_of(const Lesson& lesson, const LessonStep& step, LessonRuns& runs) {
  const LessonRunSpec* spec = lesson.run_named(step.figure.run);
  if (!spec) throw unreadable("{}:{}: there is no run '{}'", lesson.file.string(), step.line, step.figure.run);
  return at_line(lesson, step.line, [&] {
    FigurePlace place;
    place.run = &runs.run(spec->request);
    place.step = steps_at(*place.run, step.figure.at).last;
    for (const QuestionSpec& question : step.questions)
      if (question.ask == "spectrum" && (question.run.empty() || question.run == step.figure.run))
        place.goal = spectrum_task(question, *place.run, runs).goal;
    if (step.figure.light.empty()) return place;
    const TraceInfo& info = place.run->info();
    const ElementName element = parse_element(info, step.figure.light);
    place.light = Mark{.kind = MarkKind::Element,
                       .buffer = element.buffer,
                       .segment = place.step == 0 ? -1 : static_cast<int>(place.run->replay().segment_of(place.step)),
                       .index = element.group * info.buffers[element.buffer].count + element.index};
    return place;
  });
}

std::optional<Request> tried_request(const Lesson& lesson, const LessonStep& step) {
  const LessonRunSpec* own = lesson.run_named(step.figure.run);
  if (!own) return std::nullopt;
  for (const TextRun& part : step.try_it)
    if (part.code && !part.reference)
      if (auto request = request_in(part.text, own->request)) return request;
  return std::nullopt;
}

std::optional<FigurePlace> place_of_try(const Lesson& lesson, const LessonStep& step, LessonRuns& runs) {
  const std::optional<Request> request = tried_request(lesson, step);
  if (!request) return std::nullopt;
  return at_line(lesson, step.line, [&] {
    FigurePlace place;
    place.run = &runs.run(*request);
    place.step = steps_at(*place.run, step.try_at.empty() ? "end" : step.try_at).last;
    return std::optional(place);
  });
}

std::vector<std::string> tried_views(const LessonStep& step, Document& document) {
  if (!step.try_views.empty()) return step.try_views;
  std::vector<std::string> shown;
  for (const std::string& name : step.figure.views)
    if (const View* view = view_named(name); view && view->has(document)) shown.push_back(name);
  if (shown.empty()) shown.emplace_back(view_of(document, {}).name());
  return shown;
}

Scene figure_scene(Document& document, const FigurePlace& place, const std::string& view, const Theme& theme,
                   float width, std::string_view language, float max_height) {
  // Handles and bars to be fitted are no picture of the run: they are as tall as a hand needs.
  PictureSize size = is_fitted(place, view) ? PictureSize{width, width * fitted_share}
                                            : view_of(document, view).picture_size(document, width);
  if (max_height > 0) size = {width, std::min(size.height, max_height)};
  return pane_scene(document, place, view, theme, size, language);
}

Scene pane_scene(Document& document, const FigurePlace& place, const std::string& view, const Theme& theme,
                 PictureSize size, std::string_view language) {
  DiagramInput input{document, {}, {}, theme};
  input.cursor.step = place.step;
  input.cursor.pinned = place.light;
  input.width = size.width;
  input.height = size.height;
  input.language = language_of(language);
  LiveSignal live;
  live.goal = place.goal;
  if (is_fitted(place, view)) input.live = &live;
  return view_of(document, view).draw(input);
}

}  // namespace twiddle
