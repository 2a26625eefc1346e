#include "lessons/pages/lesson_guide.h"

#include "base/error.h"
#include "base/text.h"
#include "base/tr.h"
#include "kernels/catalogue/command_text.h"
#include "lessons/questions/build.h"
#include "lessons/questions/questions.h"
#include "lessons/run/course_words.h"
#include "lessons/run/figure.h"
#include "lessons/text/glossary.h"
#include "lessons/text/text_layout.h"
#include "tracer/trace/number_text.h"
#include "viewer/scene/formula.h"
#include "viewer/scene/languages.h"
#include "viewer/views/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

namespace twiddle {
namespace {

TextRun plain(const std::string& words, bool strong = false) { return {.text = words, .strong = strong}; }

}  // namespace

LessonGuide::LessonGuide(std::string language, std::optional<Lesson> lesson, LessonRuns& runs,
                         std::filesystem::path progress)
    : language_(std::move(language)), runs_(runs), progress_file_(std::move(progress)) {
  course_ = course(language_);
  if (!progress_file_.empty()) progress_ = read_progress(progress_file_);
  if (lesson) {
    lesson_ = std::move(lesson);
    turn(0);
  }
}

/// `index`: which lesson, view or question; `answer`: which of the question's.
Mark LessonGuide::mark(const std::string& command, std::uint64_t index, std::uint64_t answer) const {
  return {.kind = MarkKind::Command, .index = index, .item = answer, .command = std::string(guide_command) + command};
}

// ---- Turning ----

void LessonGuide::open(const std::string& id) {
  try {
    lesson_ = load_lesson(course_file(id, language_), language_);
    asked_.clear();
    turn(0);
  } catch (const Error& error) {
    complaint_ = error.message().translated();
    lesson_.reset();
  }
}

void LessonGuide::turn(std::size_t step) {
  step_ = std::min(step, lesson_->steps.size() - 1);
  view_ = 0;
  answer_shown_ = false;
  trying_ = false;
  spectrum_.clear();
  typing_.reset();
  ask();
  keep();
}

// The questions of a step, made when it is first shown.
void LessonGuide::ask() {
  const LessonStep& step = lesson_->steps[step_];
  const auto [place, fresh] = asked_.try_emplace(step_);
  if (!fresh) return;
  for (std::size_t i = 0; i < step.questions.size(); ++i) {
    try {
      Asked asked;
      asked.spec = i;
      asked.question = resolved_question(step.questions[i], *lesson_, step.figure.run, runs_, Builds::Later);
      place->second.push_back(std::move(asked));
    } catch (const Error& error) { complaint_ = error.message().translated(); }
  }
}

void LessonGuide::keep() {
  LessonProgress& progress = progress_[lesson_->id];
  const LessonProgress before = progress;
  progress.steps = static_cast<int>(lesson_->steps.size());
  progress.steps_seen = std::min(progress.steps, std::max(progress.steps_seen, static_cast<int>(step_) + 1));
  int right = 0, questions = 0;
  for (const LessonStep& step : lesson_->steps) questions += static_cast<int>(step.questions.size());
  for (const auto& [number, list] : asked_)
    right += static_cast<int>(std::count_if(list.begin(), list.end(), [](const Asked& a) { return a.right_at_once; }));
  progress.questions = questions;
  progress.right = std::max(progress.right, right);
  if (progress != before && !progress_file_.empty()) write_progress(progress_file_, progress_);
}

std::string LessonGuide::notes() {
  if (!lesson_) return {};
  const LessonStep& step = lesson_->steps[step_];
  std::string text;
  try {
    for (const TextRun& run : resolved(step.notes, *lesson_, step.figure.run, runs_)) text += run.text;
  } catch (const Error& error) { text = error.message().translated(); }
  return text;
}

std::string LessonGuide::next() {
  if (lesson_ && step_ + 1 < lesson_->steps.size()) return lesson_->steps[step_ + 1].title;
  // After its last step a lesson leads to the next one in the course; the contents lead to the first.
  auto after = course_.begin();
  if (lesson_) {
    after = std::find_if(course_.begin(), course_.end(), [&](const CourseEntry& e) { return e.id == lesson_->id; });
    if (after != course_.end()) ++after;
  }
  return after == course_.end() ? std::string() : after->title;
}

bool LessonGuide::page(int by) {
  if (!lesson_) {
    if (by < 0 || course_.empty()) return false;
    open(course_.front().id);
    return true;
  }
  if (by > 0 && step_ + 1 < lesson_->steps.size()) {
    turn(step_ + 1);
    return true;
  }
  if (by < 0 && step_ > 0) {
    turn(step_ - 1);
    return true;
  }
  // On to the neighbour in the course; before the first are the contents.
  const auto here =
      std::find_if(course_.begin(), course_.end(), [&](const CourseEntry& e) { return e.id == lesson_->id; });
  if (here == course_.end()) return false;
  if (by > 0) {
    if (here + 1 == course_.end()) return false;
    open((here + 1)->id);
  } else if (here == course_.begin()) {
    lesson_.reset();
  } else {
    open((here - 1)->id);
    if (lesson_) turn(lesson_->steps.size() - 1);
  }
  return true;
}

/// The first of the page's questions that is still to be answered, else the last.
std::optional<Guide::Question> LessonGuide::question() {
  if (!lesson_) return {};
  const std::vector<Asked>& list = asked_[step_];
  if (list.empty()) return {};
  std::size_t q = 0;
  while (q + 1 < list.size() && list[q].answered) ++q;
  const Asked& asked = list[q];
  const CourseWords words(language_);
  Guide::Question question{asked.question.text, {}, {}, asked.answered};
  if (asked.question.gap) question.text += " " + line_to_fill_in(lesson_->steps[step_].questions[asked.spec]);
  if (asked.question.task) {
    question.cards.push_back({words("Does it fit?"), mark("judge", q), !asked.judged.empty(), asked.fits()});
    if (!asked.judged.empty())
      question.comment = verdict(judged(*asked.question.task, language_, asked.judged), language_);
    return question;
  }
  for (std::size_t i = 0; i < written_answers(asked); ++i) {
    const Answer& answer = asked.question.answers[i];
    question.cards.push_back({answer.text, mark("answer", q, i), asked.chosen == i && !unjudged(asked), answer.right});
    if (asked.chosen == i && unjudged(asked))
      question.comment = words("It is compiled and run from the lesson's own page.");
    else if (asked.chosen == i)
      question.comment = verdict(answer, language_);
  }
  return question;
}

std::optional<Guide::Foot> LessonGuide::foot() {
  if (!lesson_) return {};
  return Foot{step_ + 1, lesson_->steps.size(), mark("previous"), mark("next"), mark("contents")};
}

bool LessonGuide::click(const Mark& clicked) {
  const std::string command = clicked.command.substr(std::min(clicked.command.size(), guide_command.size()));
  if (command == "notes") {
    notes_open_ = !notes_open_;
    return true;
  }
  if (command == "contents") {
    lesson_.reset();
    return true;
  }
  if (command == "next" || command == "previous") return page(command == "next" ? 1 : -1);
  if (command == "lesson" && clicked.index < course_.size()) {
    open(course_[clicked.index].id);
    return true;
  }
  if (command == "view" && lesson_ && clicked.index < lesson_->steps[step_].figure.views.size()) {
    view_ = clicked.index;
    return true;
  }
  if (command == "try" && lesson_) {
    trying_ = !trying_ && tried_request(*lesson_, lesson_->steps[step_]);
    return true;
  }
  if (command == "show-answer" && lesson_) {
    answer_shown_ = !answer_shown_;
    return true;
  }
  if (command == "answer" && lesson_) {
    std::vector<Asked>& list = asked_[step_];
    const std::size_t question = clicked.index, answer = clicked.item;
    if (question >= list.size() || answer >= list[question].question.answers.size()) return false;
    Asked& asked = list[question];
    if (!asked.question.rounds.empty()) {
      answer_round(asked, answer);
      keep();
      return true;
    }
    asked.chosen = answer;
    if (asked.question.kind == "build" && !may_build_) return true;  // it is asked for below the answers
    give(asked);
    return true;
  }
  if (command == "judge" && lesson_) {
    std::vector<Asked>& list = asked_[step_];
    if (clicked.index >= list.size() || !list[clicked.index].question.task) return false;
    judge(list[clicked.index]);
    return true;
  }
  if (command == "type" && lesson_) {
    if (clicked.index >= asked_[step_].size()) return false;
    typing_ = clicked.index;
    ask_for_line_ = true;
    return true;
  }
  if (command == "build" && lesson_) {
    std::vector<Asked>& list = asked_[step_];
    if (clicked.index >= list.size() || !list[clicked.index].chosen) return false;
    may_build_ = true;
    give(list[clicked.index]);
    return true;
  }
  return false;
}

// An answer is given once it was judged: a line of a kernel by running it.
void LessonGuide::give(Asked& asked) {
  Answer& answer = asked.question.answers[*asked.chosen];
  if (asked.question.kind == "build" && answer.why.empty()) try {
      answer = judged(lesson_->steps[step_].questions[asked.spec], language_, answer.text);
    } catch (const Error& error) {
      complaint_ = error.message().translated();
      asked.chosen.reset();
      return;
    }
  if (!asked.answered) asked.right_at_once = answer.right;
  asked.answered = true;
  keep();
}

/// The spectrum of the samples at hand is held against what is asked for.
void LessonGuide::judge(Asked& asked) {
  const SpectrumTask& task = *asked.question.task;
  asked.judged = spectrum_.empty() ? magnitudes_of(defined_transform(task.start)) : spectrum_;
  if (!asked.answered) asked.right_at_once = asked.fits();
  asked.answered = true;
  keep();
}

void LessonGuide::use_spectrum(const std::vector<std::complex<double>>& bins) { spectrum_ = magnitudes_of(bins); }

bool LessonGuide::samples_changed() {
  bool gone = false;
  if (!lesson_) return gone;
  for (Asked& asked : asked_[step_])
    if (!asked.judged.empty()) asked.judged.clear(), gone = true;
  return gone;
}

std::optional<Guide::Typing> LessonGuide::typing() {
  if (!std::exchange(ask_for_line_, false) || !typing_ || !lesson_) return {};
  const std::vector<Asked>& list = asked_[step_];
  if (*typing_ >= list.size()) return {};
  const QuestionSpec& spec = lesson_->steps[step_].questions[list[*typing_].spec];
  const CourseWords words(language_);
  Typing line{line_to_fill_in(spec), words("An expression for ____. It is compiled and run on this computer."), {}};
  const auto& answers = list[*typing_].question.answers;
  if (answers.size() > written_answers(list[*typing_])) line.text = answers.back().text;
  return line;
}

/// How many of a question's answers its author wrote, or its run has; one more is the reader's own line.
std::size_t LessonGuide::written_answers(const Asked& asked) const {
  const std::size_t all = asked.question.answers.size();
  return asked.question.kind == "build" ? std::min(all, lesson_->steps[step_].questions[asked.spec].answers.size())
                                        : all;
}

void LessonGuide::typed(const std::string& text) {
  if (!lesson_ || !typing_ || *typing_ >= asked_[step_].size()) return;
  Asked& asked = asked_[step_][*typing_];
  const std::string line(trimmed(text));
  std::vector<Answer>& answers = asked.question.answers;
  Answer own = judged(lesson_->steps[step_].questions[asked.spec], language_, line);
  may_build_ = true;
  answers.resize(written_answers(asked));
  auto same = std::find_if(answers.begin(), answers.end(), [&](const Answer& answer) { return answer.text == line; });
  if (same == answers.end()) same = answers.insert(same, Answer{});
  *same = std::move(own);
  asked.chosen = static_cast<std::size_t>(same - answers.begin());
  give(asked);
}

// One round after the other; what was done rightly stays.
void LessonGuide::answer_round(Asked& asked, std::size_t answer) {
  if (asked.finished()) return;
  asked.chosen = answer;
  asked.missed = asked.question.rounds[asked.done].right != answer;
  if (asked.missed) {
    asked.clean = false;
    return;
  }
  ++asked.done;
  if (!asked.finished()) return;
  asked.answered = true;
  asked.right_at_once = asked.clean;
}

// Until a question asking for the error is answered, the window shows no findings.
bool LessonGuide::keeps_secret(const LessonStep& step) const {
  const auto asked = asked_.find(step_);
  for (std::size_t i = 0; asked != asked_.end() && i < std::min(step.questions.size(), asked->second.size()); ++i) {
    const std::string& ask = step.questions[i].ask;
    if ((ask == "finding" || ask == "culprit" || ask == "race") && !asked->second[i].answered) return true;
  }
  return false;
}

Guide::Place LessonGuide::place() {
  Place place;
  try {
    // Beside the contents is the first figure of the course.
    std::optional<Lesson> first;
    if (!lesson_) first = load_lesson(course_.front().file, language_);
    const Lesson& lesson = lesson_ ? *lesson_ : *first;
    const LessonStep& step = lesson.steps[lesson_ ? step_ : 0];
    const FigurePlace figure = place_of(lesson, step, runs_);
    place.trace = figure.run->trace();
    place.step = figure.step;
    if (trying_)
      if (const auto tried = place_of_try(lesson, step, runs_)) {
        place.trace = tried->run->trace();
        place.step = tried->step;
        place.view = tried_views(step, tried->run->document()).front();
        place.request = tried->run->request();
        place.unlocked = true;
        place.page = fmt::format("{}/{}/try", lesson_->id, step_);
        return place;
      }
    place.view = step.figure.views[std::min(view_, step.figure.views.size() - 1)];
    place.light = figure.light;
    place.request = figure.run->request();
    place.goal = figure.goal;
    place.unlocked =
        lesson_ && (!step.try_it.empty() || place.goal.asked()) && !names_kept_trace(place.request.algorithm);
    place.secret = lesson_ && keeps_secret(step);
    place.page = fmt::format("{}/{}", lesson_ ? lesson_->id : "", step_);
  } catch (const Error& error) { complaint_ = error.message().translated(); }
  return place;
}

// Answers stay: questions have the same answers in the same order in every language.
bool LessonGuide::use_language(Language language) {
  const std::string code(code_of(language));
  const std::vector<std::string_view> languages = lesson_languages();
  if (code == language_ || std::find(languages.begin(), languages.end(), code) == languages.end()) return false;
  try {
    std::optional<Lesson> lesson;
    if (lesson_) {
      if (std::none_of(course_.begin(), course_.end(), [&](const CourseEntry& e) { return e.file == lesson_->file; }))
        return false;
      lesson = load_lesson(course_file(lesson_->id, code), code);
    }
    course_ = course(code);
    language_ = code;
    lesson_ = std::move(lesson);
    const auto before = std::exchange(asked_, {});
    const std::size_t step = step_;
    for (const auto& [number, list] : before) {
      step_ = number;
      ask();
      std::vector<Asked>& now = asked_[number];
      for (std::size_t i = 0; i < std::min(now.size(), list.size()); ++i) {
        now[i].chosen = list[i].chosen;
        now[i].answered = list[i].answered;
        now[i].right_at_once = list[i].right_at_once;
        now[i].done = std::min(list[i].done, now[i].question.rounds.size());
        now[i].clean = list[i].clean;
        now[i].missed = list[i].missed;
        now[i].judged = list[i].judged;
        if (now[i].chosen && *now[i].chosen >= now[i].question.answers.size())
          now[i].chosen.reset();                      // the reader's own
        if (unjudged(now[i])) now[i].chosen.reset();  // its reply was in the other language
      }
    }
    step_ = step;
    return true;
  } catch (const Error& error) {
    complaint_ = error.message().translated();
    return false;
  }
}

std::string LessonGuide::complaint() { return std::exchange(complaint_, {}); }

// ---- Drawing ----

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
  for (std::size_t i = 0; i < course_.size(); ++i) {
    const CourseEntry& entry = course_[i];
    const auto found = progress_.find(entry.id);
    const bool done =
        found != progress_.end() && found->second.steps > 0 && found->second.steps_seen == found->second.steps;
    text.button(fmt::format("{}. {}", entry.number, entry.title), mark("lesson", i),
                done ? AnswerSign::Right : AnswerSign::Open);
    std::string about = words("{} minutes", entry.minutes);
    if (found != progress_.end() && found->second.questions > 0)
      about += " · " + words("{} of {} correct", found->second.right, found->second.questions);
    text.paragraph({plain(about)}, Role::Ink2, text.size() * 2.2f);
  }
}

// A step with several views leads to each.
void LessonGuide::draw_views(TextLayout& text, const LessonStep& step) {
  const LessonRunSpec* run = lesson_->run_named(step.figure.run);
  if (step.figure.views.size() < 2 || !run) return;
  text.space(0.3f);
  for (std::size_t i = 0; i < step.figure.views.size(); ++i)
    if (const View* view = view_named(step.figure.views[i]))
      text.button(tr(view->title(runs_.run(run->request).info()).c_str()), mark("view", i),
                  i == view_ ? AnswerSign::Right : AnswerSign::Open);
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
                  asked.chosen != i || unjudged(asked) ? AnswerSign::Open
                  : answer.right                       ? AnswerSign::Right
                                                       : AnswerSign::Wrong);
    }
    if (question.kind == "build") text.button(words("Type a line of your own"), mark("type", number));
    if (unjudged(asked)) {
      text.paragraph(
          {plain(words("This line is compiled and run on this computer: {}", question.answers[*asked.chosen].text))});
      text.button(words("Compile and run it"), mark("build", number));
      return;
    }
    if (asked.chosen) text.paragraph({plain(verdict(question.answers[*asked.chosen], language_))});
    return;
  }
  // Which answers are used up, and what the last click did.
  std::vector<AnswerSign> signs(question.answers.size(), AnswerSign::Open);
  for (std::size_t r = 0; r < asked.done; ++r) signs[question.rounds[r].right] = AnswerSign::Right;
  const bool missed = asked.chosen && !asked.finished() && asked.missed;
  if (missed) signs[*asked.chosen] = AnswerSign::Wrong;
  if (!asked.finished() && !question.rounds[asked.done].prompt.empty())
    text.paragraph({plain(question.rounds[asked.done].prompt, true)});
  if (question.kind == "place")
    draw_circle(text, asked, number);
  else
    for (std::size_t i = 0; i < question.answers.size(); ++i)
      text.button(question.answers[i].text, mark("answer", number, i), signs[i]);
  if (question.rounds.size() > 1)
    text.paragraph({plain(words("{} of {} in place", asked.done, question.rounds.size()))}, Role::Ink2);
  if (!asked.chosen) return;
  const Round& told = question.rounds[missed ? asked.done : std::max<std::size_t>(asked.done, 1) - 1];
  text.paragraph({plain(verdict({"", told.why[*asked.chosen], !missed}, language_))});
}

/// The points of the unit circle, clockwise from 1 at the right, each to be clicked; below it what the butterfly would write with the
/// factor at the point that is pointed at.
void LessonGuide::draw_circle(TextLayout& text, const Asked& asked, std::size_t number) const {
  constexpr double pi = 3.14159265358979323846;
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
    const bool wrong = open && asked.missed && asked.chosen == i;
    scene.begin_mark(mark("answer", number, i), answers[i].text);
    if (right) {
      scene.line(centre, at(i, radius), {Role::W, size * 0.15f});
      scene.circle(at(i, radius), dot, Role::W, {Role::Ink, thin.width});
      formula_text(scene,
                   {at(i, radius + size * 1.9f).x - formula_width(font, done->prompt) / 2,
                    at(i, radius + size * 1.9f).y + size * 0.3f},
                   done->prompt, font, Role::Ink);
    } else if (wrong) {
      scene.circle(at(i, radius), dot, Role::ErrorSoft, {Role::Error, size * 0.15f, 4, 3});
      scene.text({at(i, radius).x, at(i, radius).y + size * 0.3f}, "✗", font, Role::Ink, Anchor::Middle);
    } else {
      scene.circle(at(i, radius), dot, open && pointed == i ? Role::Now : Role::Raised,
                   {open && pointed == i ? Role::Ink : Role::Ink2, thin.width});
    }
    scene.end_mark();
  }
  text.picture(scene);
  if (!open || !asked.question.rounds[asked.done].turning) return;
  const Turning& turning = *asked.question.rounds[asked.done].turning;
  const auto shown = [](Turning::Complex value) { return value_text(value); };
  text.paragraph({plain(words("a = {0} = {1}, b = {2} = {3}", turning.reads[0], shown(turning.inputs[0]),
                              turning.reads[1], shown(turning.inputs[1])))});
  if (!pointed) {
    text.paragraph({plain(words("Point at a place, or go there by Tab: {0} and {1} are computed with it.",
                                turning.writes[0], turning.writes[1]))},
                   Role::Ink2);
    return;
  }
  const double part = double(*pointed) / double(answers.size());
  const auto made = turning.outputs(std::polar(1.0, -2 * pi * part));
  text.paragraph({plain(words("At {0}°: {1} = {2}, {3} = {4}", number_text(360 * part, 4), turning.writes[0],
                              shown(made[0]), turning.writes[1], shown(made[1])),
                        true)});
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
                    mark("try"), trying_ ? AnswerSign::Right : AnswerSign::None);
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
