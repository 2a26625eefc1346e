#include "lessons/run/figure.h"

#include "base/error.h"
#include "base/text.h"
#include "lessons/run/reference.h"
#include "lessons/run/spectrum_task.h"
#include "viewer/butterfly/butterfly_layout.h"
#include "viewer/document/flow.h"
#include "viewer/facts/live_signal.h"
#include "viewer/scene/languages.h"
#include "viewer/views/view.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace twiddle {
namespace {

constexpr float fitted_share = 0.6f;  // of its width, the height of a picture that asks for a spectrum
// Beside its text a picture has less room than alone, and is set closer.
constexpr float beside_text = 0.72f;

// A row of local memory through all banks: its numbers are as close as can be read already.
bool has_full_rows(Document& document, const std::string& view) {
  const std::vector<BufferInfo>& buffers = document.info().buffers;
  return view == "memory" && std::any_of(buffers.begin(), buffers.end(), [](const BufferInfo& buffer) {
           return buffer.space == Space::Local && buffer.count >= bank_count;
         });
}

// Rows of memory that have half as many complex values beside each other are somewhat higher together.
float height_of_halves(Document& document, const std::string& view) {
  constexpr std::uint64_t half_a_row = 8;
  constexpr float higher = 1.12f;
  const std::vector<BufferInfo>& buffers = document.info().buffers;
  const bool halves = view == "memory" && std::any_of(buffers.begin(), buffers.end(), [](const BufferInfo& buffer) {
                        return traits(buffer.type).components == 2 && buffer.count > half_a_row;
                      });
  return halves ? higher : 1;
}

// The position that a reference to the step's own run reads one operation at, or a value after.
std::string position_read(const TextRun& part) {
  static constexpr std::array<std::string_view, 11> of_operation = {"bits", "code", "cost",  "digits", "equation", "in",
                                                                    "item", "out",  "power", "read",   "twiddle"};
  if (!part.reference) return {};
  const std::vector<std::string> words = words_of(part.text);
  if (words.size() < 2) return {};
  const bool time = words.size() == 4 && words[0] == "value" && words[2] == "after" && words[3] != "end";
  const bool operation =
      words[0] == "write" || std::find(of_operation.begin(), of_operation.end(), words[0]) != of_operation.end();
  return time || operation ? words.back() : std::string();
}

bool is_fitted(const FigurePlace& place, const std::string& view) { return place.goal.asked() && view == "live"; }

DiagramInput input_of(Document& document, const FigurePlace& place, const Theme& theme, PictureSize size,
                      std::string_view language) {
  DiagramInput input{document, {}, {}, theme};
  input.cursor.step = place.step;
  input.cursor.pinned = place.light;
  input.width = size.width;
  input.height = size.height;
  input.language = language_of(language);
  return input;
}

// From `least` on, the smallest width at which rows and wires show what they show at the usual one: values, where they do.
float closest_width(Document& document, const FigurePlace& place, const Theme& theme, PictureSize usual, float least,
                    std::string_view language) {
  const auto detail_at = [&](float width) {
    return butterfly_layout(input_of(document, place, theme, {width, usual.height}, language)).detail;
  };
  const RowDetail wanted = detail_at(usual.width);
  constexpr float further = 1.05f;
  float width = least;
  while (width < usual.width && detail_at(width) != wanted) width *= further;
  return std::min(width, std::max(least, usual.width));
}

bool has_rows_and_wires(Document& document, const std::string& view) {
  const Flow& flow = document.flow();
  return (view == "butterfly" || view == "flow" || (view == "tree" && flow.has_combines())) && flow.draws() &&
         flow.rows() > 0;
}

// Bars of items are read at half their usual size; all launches are seen, of which a narrow pane shows a few.
PictureSize size_of_items(Document& document, PictureSize usual, float least) {
  constexpr float column = 28, beside = 250, lower = 0.7f, lowest = 372;  // px
  const float all = column * static_cast<float>(document.info().segments.size()) + beside;
  return {std::max(least, std::min(all, usual.width)), std::max(std::min(usual.height, lowest), lower * usual.height)};
}

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

std::string position_of_words(const Lesson& lesson, const LessonStep& step, const TextBlock& words, LessonRuns& runs) {
  const FigurePlace own = place_of(lesson, step, runs);
  std::string last;
  std::uint64_t at = 0;
  for (const TextRun& part : words.runs) {
    const std::string position = position_read(part);
    if (position.empty()) continue;
    const std::uint64_t there = at_line(lesson, part.line, [&] { return steps_at(*own.run, position).last; });
    if (there == own.step) return {};
    if (there > at) at = there, last = position;
  }
  return last;
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
  if (has_rows_and_wires(document, view))
    size.width = closest_width(document, place, theme, size, width, language);
  else if (view == "items")
    size = size_of_items(document, size, width);
  else if (!has_full_rows(document, view))
    size = {std::max(width, size.width * beside_text), size.height * height_of_halves(document, view)};
  if (max_height > 0) size = {width, std::min(size.height, max_height)};
  return pane_scene(document, place, view, theme, size, language);
}

const TextShape* too_small_text(const Scene& figure) {
  constexpr float least = 11, min_stacked = 9, rounding = 0.01f;
  const auto is_number = [](std::string_view text) {
    constexpr std::string_view minus = "−";
    if (text.starts_with(minus)) text.remove_prefix(minus.size());
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  for (const Shape2D& shape : figure.shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.geometry))
      if (text->font.size < (is_number(text->text) ? min_stacked : least) - rounding) return text;
  return nullptr;
}

Scene pane_scene(Document& document, const FigurePlace& place, const std::string& view, const Theme& theme,
                 PictureSize size, std::string_view language) {
  DiagramInput input = input_of(document, place, theme, size, language);
  LiveSignal live;
  live.goal = place.goal;
  if (is_fitted(place, view)) input.live = &live;
  return view_of(document, view).draw(input);
}

}  // namespace twiddle
