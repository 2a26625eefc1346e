#include "lessons/pages/lesson_guide.h"

#include "base/error.h"
#include "base/text.h"
#include "base/tr.h"
#include "kernels/catalogue/command_text.h"
#include "lessons/questions/build.h"
#include "lessons/questions/question_parts.h"
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
  samples_.clear(), spectrum_.clear();
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
      place->second.emplace_back(resolved_question(step.questions[i], *lesson_, step.figure.run, runs_, Builds::Later),
                                 i);
    } catch (const Error& error) { complaint_ = error.message().translated(); }
  }
}

void LessonGuide::keep() {
  LessonProgress& progress = progress_[lesson_->id];
  const LessonProgress before = progress;
  LessonProgress now;
  now.steps = static_cast<int>(lesson_->steps.size());
  now.steps_seen = static_cast<int>(step_) + 1;
  std::vector<std::size_t> begins;  // of each step's questions
  for (const LessonStep& step : lesson_->steps) {
    begins.push_back(now.first.size());
    now.first.append(step.questions.size(), progress_signs.none);
  }
  now.questions = static_cast<int>(now.first.size());
  for (const auto& [number, list] : asked_)
    for (const Asked& asked : list)
      if (asked.first)
        now.first[begins[number] + asked.spec] = *asked.first ? progress_signs.right : progress_signs.wrong;
  // A lesson that has other steps or questions now is begun anew.
  if (!merge_progress(progress, now)) progress = {}, merge_progress(progress, now);
  if (progress != before) save_progress();
}

/// Where the file cannot be written the lesson goes on, and that is said once.
void LessonGuide::save_progress() {
  const bool unsaved = !progress_file_.empty() && !write_progress(progress_file_, progress_);
  if (unsaved && !unsaved_)
    complaint_ = Message("your progress cannot be kept: {} cannot be written", progress_file_.string()).translated();
  unsaved_ = unsaved;
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
  Guide::Question question{asked.question.text, {}, {}, asked.answered, mark("show", q)};
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

std::optional<Mark> LessonGuide::answer_at(const Mark& element) {
  if (!lesson_ || trying_ || element.kind != MarkKind::Element || element.buffer < 0) return {};
  const LessonRunSpec* run = lesson_->run_named(lesson_->steps[step_].figure.run);
  if (!run) return {};
  std::string name;
  try {
    const TraceInfo& info = runs_.run(run->request).info();
    const BufferInfo* buffer = info.buffer(element.buffer);
    if (!buffer || buffer->count == 0) return {};
    Access like;
    like.buffer = element.buffer;
    name = element_in(info, like, element.index % buffer->count);
  } catch (const Error&) { return {}; }  // the page says what was wrong with the run
  const std::vector<Asked>& list = asked_[step_];
  for (std::size_t q = 0; q < list.size(); ++q) {
    const std::string& kind = list[q].question.kind;
    if ((kind != "click" && kind != "order") || list[q].finished()) continue;
    for (std::size_t i = 0; i < list[q].question.answers.size(); ++i)
      if (list[q].question.answers[i].text == name) return mark("answer", q, i);
  }
  return {};
}

bool LessonGuide::click(const Mark& clicked) {
  const std::string command = clicked.command.substr(std::min(clicked.command.size(), guide_command.size()));
  if (command == "notes") {
    notes_open_ = !notes_open_;
    return true;
  }
  if (command == "contents") {
    lesson_.reset();
    told_.clear();
    return true;
  }
  if (command == "next" || command == "previous") return page(command == "next" ? 1 : -1);
  if ((command == "lesson" || command == "go-on") && clicked.index < course_.size()) {
    const auto known = progress_.find(course_[clicked.index].id);
    const int seen = known == progress_.end() ? 0 : known->second.steps_seen;
    open(course_[clicked.index].id);
    if (command == "go-on" && lesson_ && seen > 1) turn(static_cast<std::size_t>(seen) - 1);
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
  if (command == "copy-progress") {
    wish_.copied = progress_line(progress_, ids());
    wish_.said = told_ = CourseWords(language_)("Copied.");
    return true;
  }
  if (command == "read-progress") {
    asks_for_progress_ = true;
    return true;
  }
  return lesson_ && click_question(command, clicked.index, clicked.item);
}

bool LessonGuide::click_question(const std::string& command, std::size_t question, std::size_t answer) {
  std::vector<Asked>& list = asked_[step_];
  if (question >= list.size()) return false;
  Asked& asked = list[question];
  if (command == "answer") {
    if (answer >= asked.question.answers.size()) return false;
    if (!asked.question.rounds.empty()) {
      asked.give_in_round(answer);
      keep();
      return true;
    }
    asked.chosen = answer;
    if (asked.question.kind == "build" && !may_build_) return true;  // it is asked for below the answers
    give(asked);
    return true;
  }
  if (command == "judge") {
    if (!asked.question.task) return false;
    asked.judge(spectrum_.empty() ? magnitudes_of(defined_transform(asked.question.task->start)) : spectrum_);
    keep();
    return true;
  }
  if (command == "hint" || command == "show") {
    help(asked, command == "show");
    return true;
  }
  if (command == "type") {
    typing_ = question;
    ask_for_line_ = true;
    return true;
  }
  if (command == "build") {
    if (!asked.chosen) return false;
    may_build_ = true;
    give(asked);
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
  asked.give(*asked.chosen);
  keep();
}

/// Says where to look, or gives the whole answer; the window goes to where the question is asked.
void LessonGuide::help(Asked& asked, bool whole) {
  trying_ = false;
  if (!whole) {
    asked.hint();
    wish_.go_back = asked.question.rounds.empty() && !asked.question.task;
    return;
  }
  asked.show();
  if (asked.question.task)
    wish_.samples = asked.question.task->answer;
  else
    wish_.go_back = true;
  keep();
}

std::string LessonGuide::hint_of(const Asked& asked) const {
  const CourseWords words(language_);
  if (!asked.question.rounds.empty()) return words("It is one of those that are neither struck out nor hatched.");
  if (!asked.question.task && !asked.question.hint.empty()) return asked.question.hint;
  if (!asked.question.task)
    return words("The figure is open where this is asked: step it on and back, and look what changes.");
  // The sample that is furthest from one way to what is wanted.
  const SpectrumTask& task = *asked.question.task;
  const std::vector<double>& at_hand = samples_.size() == task.answer.size() ? samples_ : task.start;
  std::size_t most = 0;
  const auto off = [&](std::size_t j) { return std::abs(task.answer[j] - at_hand[j]); };
  for (std::size_t j = 1; j < task.answer.size(); ++j)
    if (off(j) > off(most) + 1e-9) most = j;
  return words("One way begins with {0}: move it to {1}.", fmt::format("{}[{}]", task.input, most),
               number_text(task.answer[most], 3));
}

Guide::Wish LessonGuide::wish() { return std::exchange(wish_, {}); }

std::vector<std::string> LessonGuide::ids() const {
  std::vector<std::string> list;
  for (const CourseEntry& entry : course_) list.push_back(entry.id);
  return list;
}

void LessonGuide::use_spectrum(const std::vector<std::complex<double>>& samples,
                               const std::vector<std::complex<double>>& bins) {
  samples_.clear();
  for (const std::complex<double>& sample : samples) samples_.push_back(sample.real());
  spectrum_ = magnitudes_of(bins);
}

bool LessonGuide::samples_changed() {
  bool gone = false;
  if (!lesson_) return gone;
  for (Asked& asked : asked_[step_]) gone = asked.forget_judged() || gone;
  return gone;
}

std::optional<Guide::Typing> LessonGuide::typing() {
  if (std::exchange(asks_for_progress_, false)) {
    typing_.reset();
    const CourseWords words(language_);
    return Typing{words("Progress as a line of text"),
                  words("Copy this line to go on in another window or browser, or put one from there in its place."),
                  progress_line(progress_, ids())};
  }
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

// A line of progress: what it tells is kept beside what is known here.
void LessonGuide::read_progress_of(const std::string& text) {
  const CourseWords words(language_);
  const auto told = read_progress_line(text, ids());
  if (!told) throw usage_error("This is no line of progress: it begins with twiddle-progress.");
  std::size_t taken = 0;
  for (const auto& [id, lesson] : *told)
    if (merge_progress(progress_[id], lesson)) ++taken;
  save_progress();
  told_ = words("Progress of {} lessons was read.", taken);
}

void LessonGuide::typed(const std::string& text) {
  if (!typing_) return read_progress_of(text);
  if (!lesson_ || *typing_ >= asked_[step_].size()) return;
  Asked& asked = asked_[step_][*typing_];
  const std::string line(trimmed(text));
  std::vector<Answer>& answers = asked.question.answers;
  Answer own = judged(lesson_->steps[step_].questions[asked.spec], language_, line);
  may_build_ = true;
  answers.resize(written_answers(asked));
  auto same = std::find_if(answers.begin(), answers.end(), [&](const Answer& answer) { return answer.text == line; });
  if (same == answers.end()) same = answers.insert(same, Answer{});
  *same = std::move(own);
  // Another line of the reader's own is another answer.
  std::erase(asked.given, static_cast<std::size_t>(same - answers.begin()));
  asked.chosen = static_cast<std::size_t>(same - answers.begin());
  give(asked);
}

// Until a question asking for the error has its right answer, given or shown, the window shows no findings: a wrong answer asks
// to look again.
bool LessonGuide::keeps_secret(const LessonStep& step) const {
  const auto made = asked_.find(step_);
  return made != asked_.end() && std::any_of(made->second.begin(), made->second.end(), [&](const Asked& asked) {
           const std::string& ask = step.questions[asked.spec].ask;
           return (ask == "finding" || ask == "culprit" || ask == "race") && !asked.settled();
         });
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
        now[i].take_answers(list[i]);
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

}  // namespace twiddle
