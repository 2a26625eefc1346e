// What a lesson's pane shows: the contents, a step's text, its questions with their answers, and what was tried.
#include "base/error.h"
#include "base/tr.h"
#include "kernels/catalogue/command_text.h"
#include "lessons/pages/lesson_guide.h"
#include "lessons/run/course_words.h"
#include "lessons/run/figure.h"
#include "lessons/text/glossary.h"
#include "lessons/text/text_layout.h"
#include "tracer/trace/number_text.h"
#include "viewer/scene/formula.h"
#include "viewer/scene/languages.h"
#include "viewer/views/view.h"
#include "viewer/words/twiddle_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace twiddle {
namespace {

using std::numbers::pi;

TextRun plain(const std::string& words, bool strong = false) { return {.text = words, .strong = strong}; }

}  // namespace

Scene LessonGuide::draw(float width, float size, bool presenting) {
  TextLayout text(width, size, language_of(language_));
  if (lesson_)
    draw_step(text, presenting);
  else
    draw_contents(text);
  return text.take();
}

void LessonGuide::draw_contents(TextLayout& text) {
  const CourseWords words(language_);
  text.title(words("Learn the FFT, and the GPU that runs it"), 1.3f);
  const auto known = [&](const CourseEntry& entry) {
    const auto found = progress_.find(entry.id);
    return found == progress_.end() ? LessonProgress() : found->second;
  };
  // Where one went on last time: the first lesson that is begun and not done.
  const auto begun = std::find_if(course_.begin(), course_.end(), [&](const CourseEntry& entry) {
    return known(entry).steps_seen > 0 && known(entry).steps_seen < known(entry).steps;
  });
  if (begun != course_.end()) {
    text.button(words("Go on: {}", begun->title), mark("go-on", static_cast<std::uint64_t>(begun - course_.begin())));
    text.space(0.4f);
  }
  std::string group;
  for (std::size_t i = 0; i < course_.size(); ++i) {
    const CourseEntry& entry = course_[i];
    if (!entry.group.empty() && entry.group != group) {
      group = entry.group;
      text.space(0.3f);
      text.paragraph({plain(group, true)});
    }
    const LessonProgress progress = known(entry);
    text.button(fmt::format("{}. {}", entry.number, entry.title), mark("lesson", i),
                progress.steps > 0 && progress.steps_seen == progress.steps ? AnswerSign::Right : AnswerSign::Open);
    std::string about = words("{} minutes", entry.minutes);
    if (progress.steps_seen > 0) about += " · " + words("{} of {} steps read", progress.steps_seen, progress.steps);
    if (progress.steps_seen > 0 && progress.questions > 0)
      about += " · " + words("{} of {} correct", progress.right, progress.questions);
    text.paragraph({plain(about)}, Role::Ink2, text.size() * 2.2f);
  }
  draw_progress_line(text);
}

/// How far one has got, to be taken along or handed in.
void LessonGuide::draw_progress_line(TextLayout& text) {
  const CourseWords words(language_);
  text.space(0.5f);
  text.paragraph({plain(words("Progress as a line of text"), true)});
  text.paragraph({plain(words("Copy this line to go on in another window or browser, or put one from there in its "
                              "place."))},
                 Role::Ink2);
  text.button(words("Copy the line"), mark("copy-progress"));
  text.button(words("Read the line"), mark("read-progress"));
  if (!told_.empty()) text.paragraph({plain(told_)});
}

// A step with several views leads to each.
void LessonGuide::draw_views(TextLayout& text, const LessonStep& step) {
  const LessonRunSpec* run = lesson_->run_named(step.figure.run);
  if (step.figure.views.size() < 2 || !run) return;
  text.space(0.3f);
  for (std::size_t i = 0; i < step.figure.views.size(); ++i)
    if (const View* view = view_named(step.figure.views[i]))
      text.button(tr(view->title(runs_.run(run->request).info()).c_str()), mark("view", i),
                  i == view_ ? AnswerSign::Chosen : AnswerSign::Open);
}

void LessonGuide::draw_question(TextLayout& text, const Asked& asked, std::size_t number) {
  const CourseWords words(language_);
  const twiddle::Question& question = asked.question;
  text.space(0.3f);
  text.paragraph({plain(question.text, true)});
  if (question.gap) text.block(question.gap->block());
  if (question.task) return draw_spectrum(text, asked, number);
  if (question.rounds.empty()) {
    for (std::size_t i = 0; i < question.answers.size(); ++i) {
      const Answer& answer = question.answers[i];
      text.button(answer.text, mark("answer", number, i),
                  std::find(asked.given.begin(), asked.given.end(), i) == asked.given.end() ? AnswerSign::Open
                  : answer.right                                                            ? AnswerSign::Right
                                                                                            : AnswerSign::Wrong);
    }
    if (question.kind == "build") text.button(words("Type a line of your own"), mark("type", number));
    if (unjudged(asked)) {
      text.paragraph(
          {plain(words("This line is compiled and run on this computer: {}", question.answers[*asked.chosen].text))});
      text.button(words("Compile and run it"), mark("build", number));
      return;
    }
    if (asked.chosen) text.paragraph({plain(told_of(asked, question.answers[*asked.chosen]))});
    return draw_help(text, asked, number);
  }
  // Which answers are used up, and what the last click did.
  std::vector<AnswerSign> signs(question.answers.size(), AnswerSign::Open);
  for (std::size_t i = 0; i < signs.size(); ++i)
    if (asked.struck_out(i)) signs[i] = AnswerSign::Out;
  for (std::size_t r = 0; r < asked.done; ++r) signs[question.rounds[r].right] = AnswerSign::Right;
  const bool missed = asked.chosen && !asked.finished() && asked.missed;
  if (missed) signs[*asked.chosen] = AnswerSign::Wrong;
  if (!asked.finished() && !question.rounds[asked.done].prompt.empty())
    text.paragraph({plain(question.rounds[asked.done].prompt, true)});
  if (question.kind == "place") {
    draw_circle(text, asked, number);
  } else {
    std::vector<TextLayout::Chip> chips;
    for (std::size_t i = 0; i < question.answers.size(); ++i)
      chips.push_back({question.answers[i].text, mark("answer", number, i), signs[i]});
    text.chips(chips);
  }
  if (question.rounds.size() > 1)
    text.paragraph({plain(words("{} of {} in place", asked.done, question.rounds.size()))}, Role::Ink2);
  if (!asked.chosen) return;
  const Round& told = question.rounds[missed ? asked.done : std::max<std::size_t>(asked.done, 1) - 1];
  text.paragraph({plain(told_of(asked, {"", told.why[*asked.chosen], !missed}))});
  draw_help(text, asked, number);
}

/// What is told of an answer; of one that was shown the reason alone.
std::string LessonGuide::told_of(const Asked& asked, const Answer& answer) const {
  return asked.shown && answer.right ? answer.why : verdict(answer, language_);
}

/// After two wrong tries a hint, after three the answer.
void LessonGuide::draw_help(TextLayout& text, const Asked& asked, std::size_t number) {
  const CourseWords words(language_);
  if (asked.hinted) text.paragraph({plain(hint_of(asked))});
  if (asked.offers_hint() && !asked.hinted) text.button(words("Hint"), mark("hint", number));
  if (asked.offers_answer()) text.button(words("Show me"), mark("show", number));
}

/// The points of the unit circle, clockwise from 1 at the right, each to be clicked; below it what the butterfly would write with
/// the factor at the point that is pointed at.
void LessonGuide::draw_circle(TextLayout& text, const Asked& asked, std::size_t number) const {
  const CourseWords words(language_);
  const std::vector<Answer>& answers = asked.question.answers;
  const float size = text.size(), dot = size * 0.6f, side = std::min(text.width(), size * 19);
  const float radius = side / 2 - size * 3;
  const Font font{Face::Mono, Weight::Regular, size * 0.85f};
  Scene scene;
  scene.width = scene.height = side;
  scene.language = language_of(language_);
  const Point centre{side / 2, side / 2};
  const auto at = [&](std::size_t i, float r) {
    const double turn = 2 * pi * double(i) / double(answers.size());
    return Point{centre.x + r * static_cast<float>(std::cos(turn)), centre.y + r * static_cast<float>(std::sin(turn))};
  };
  const Stroke thin{Role::Done, std::max(1.0f, size * 0.08f)};
  scene.circle(centre, radius, Role::None, thin);
  scene.line({centre.x - radius - size, centre.y}, {centre.x + radius + size, centre.y}, {Role::Line, thin.width});
  scene.line({centre.x, centre.y - radius - size}, {centre.x, centre.y + radius + size}, {Role::Line, thin.width});
  scene.text({centre.x + radius - size * 1.4f, centre.y - size * 0.4f}, "1", font, Role::Ink2, Anchor::Middle);
  std::optional<std::size_t> pointed;
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (pointed_ == mark("answer", number, i)) pointed = i;
  const bool open = !asked.finished();
  if (open && pointed) scene.line(centre, at(*pointed, radius), {Role::W, size * 0.18f});
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto& rounds = asked.question.rounds;
    const auto done = std::find_if(rounds.begin(), rounds.begin() + std::ptrdiff_t(asked.done),
                                   [&](const Round& round) { return round.right == i; });
    const bool right = done != rounds.begin() + std::ptrdiff_t(asked.done);
    const auto tried = std::find(asked.tries.begin(), asked.tries.end(), i);
    const bool wrong = open && tried != asked.tries.end();
    scene.begin_mark(mark("answer", number, i), answers[i].text);
    if (right) {
      scene.line(centre, at(i, radius), {Role::W, size * 0.15f});
      scene.circle(at(i, radius), dot, Role::W, {Role::Ink, thin.width});
      formula_text(scene,
                   {at(i, radius + size * 1.9f).x - formula_width(font, done->prompt) / 2,
                    at(i, radius + size * 1.9f).y + size * 0.3f},
                   done->prompt, font, Role::Ink);
    } else if (wrong) {
      scene.line(centre, at(i, radius - dot), {Role::Error, size * 0.12f, 4, 3});
      scene.circle(at(i, radius), dot, Role::ErrorSoft, {Role::Error, size * 0.15f, 4, 3});
      scene.text({at(i, radius).x, at(i, radius).y + size * 0.3f}, "✗", font, Role::Ink, Anchor::Middle);
    } else {
      scene.circle(at(i, radius), dot, open && pointed == i ? Role::Now : Role::Raised,
                   {open && pointed == i ? Role::Ink : Role::Ink2, thin.width});
      if (asked.struck_out(i)) {
        const Point here = at(i, radius);
        const float half = dot * 0.7f;
        scene.hatch({here.x - half, here.y - half, 2 * half, 2 * half}, std::max(2.0f, dot * 0.4f),
                    {Role::Ink3, thin.width});
      }
    }
    scene.end_mark();
  }
  text.picture(scene);
  if (!open || !asked.question.rounds[asked.done].turning) return;
  const Turning& turning = *asked.question.rounds[asked.done].turning;
  const auto shown = [](Turning::Complex value) { return value_text(value); };
  text.paragraph({plain(words("a = {0} = {1}, b = {2} = {3}", turning.reads[0], shown(turning.inputs[0]),
                              turning.reads[1], shown(turning.inputs[1])))});
  if (!pointed)
    text.paragraph({plain(words("Point at a place, or go there by Tab: {0} and {1} are computed with it.",
                                turning.writes[0], turning.writes[1]))},
                   Role::Ink2);
  if (pointed) {
    const double part = double(*pointed) / double(answers.size());
    const auto made = turning.outputs(std::polar(1.0, -2 * pi * part));
    text.paragraph({plain(words("At {0}°: {1} = {2}, {3} = {4}", number_text(360 * part, 4), turning.writes[0],
                                shown(made[0]), turning.writes[1], shown(made[1])),
                          true)});
  }
  draw_tries(text, asked, pointed);
}

/// What was tried of the factor at hand, what is pointed at, and what the log has.
void LessonGuide::draw_tries(TextLayout& text, const Asked& asked, std::optional<std::size_t> pointed) const {
  if (asked.tries.empty() && !pointed) return;
  const CourseWords words(language_);
  const Turning& turning = *asked.question.rounds[asked.done].turning;
  const std::size_t which = turning.behind ? 1 : 0;
  std::vector<std::vector<std::string>> rows;
  const auto row = [&](const std::string& name, std::size_t point) {
    const double part = double(point) / double(asked.question.answers.size());
    rows.push_back(
        {name, degrees_text(360 * part), value_text(turning.outputs(std::polar(1.0, -2 * pi * part))[which])});
  };
  for (std::size_t i = 0; i < asked.tries.size(); ++i) row(words("try {}", i + 1), asked.tries[i]);
  if (pointed) row(words("in your hand"), *pointed);
  rows.push_back({words("the log has"), "?", value_text(turning.logged[which])});
  text.table({"", words("put at, clockwise"), words("{} would be", turning.writes[which])}, rows);
}

/// Samples are dragged in the diagram; here is what asks whether they fit, and what was told.
void LessonGuide::draw_spectrum(TextLayout& text, const Asked& asked, std::size_t number) {
  const CourseWords words(language_);
  text.paragraph(
      {plain(words("Drag the handles in the diagram, or click one and press the arrow keys. Each time the kernel "
                   "runs on your samples."))},
      Role::Ink2);
  text.button(words("Does it fit?"), mark("judge", number),
              asked.judged.empty() ? AnswerSign::None
              : asked.fits()       ? AnswerSign::Right
                                   : AnswerSign::Wrong);
  if (!asked.judged.empty())
    text.paragraph({plain(verdict(judged(*asked.question.task, language_, asked.judged), language_))});
  if (asked.shown) text.paragraph({plain(answer_text(*asked.question.task, language_))});
  draw_help(text, asked, number);
}

void LessonGuide::draw_step(TextLayout& text, bool presenting) {
  const LessonStep& step = lesson_->steps[step_];
  const CourseWords words(language_);
  text.paragraph(
      {plain(fmt::format("{} · {}", lesson_->title, words("Step {} of {}", step_ + 1, lesson_->steps.size())))},
      Role::Ink2);
  text.title(step.title, 1.35f);
  try {
    for (const TextBlock& block : with_terms(resolved(step.text, *lesson_, step.figure.run, runs_), language_))
      text.block(block);
    if (presenting) return;  // the question's cards are under the diagram
    draw_views(text, step);
    const std::vector<Asked>& questions = asked_[step_];
    for (std::size_t q = 0; q < questions.size(); ++q) draw_question(text, questions[q], q);
    if (!step.try_it.empty()) {
      text.space(0.3f);
      text.paragraph({plain(words("Try it"), true)});
      text.paragraph(resolved(step.try_it, *lesson_, step.figure.run, runs_));
      if (const auto request = tried_request(*lesson_, step))
        text.button(trying_ ? words("Back to the lesson's run") : words("Run it: {}", shown_command(*request)),
                    mark("try"), trying_ ? AnswerSign::Chosen : AnswerSign::None);
      if (!step.answer.empty()) {
        text.button(words("What is seen then"), mark("show-answer"));
        if (answer_shown_) text.paragraph(resolved(step.answer, *lesson_, step.figure.run, runs_));
      }
    }
    if (!step.notes.empty()) {  // for the teacher: folded, on the notes' own screen, and never on the projector
      text.space(0.3f);
      text.button(words("Notes for the presenter"), mark("notes"));
      if (notes_open_) text.paragraph(resolved(step.notes, *lesson_, step.figure.run, runs_), Role::Ink2);
    }
  } catch (const Error& error) { text.paragraph({plain(error.message().translated())}, Role::Error); }
  if (presenting) return;
  text.space(0.5f);
  text.button(words("Next step") + "  (Page Down)", mark("next"));
}

}  // namespace twiddle
