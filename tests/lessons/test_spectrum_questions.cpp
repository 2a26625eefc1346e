// Samples that are dragged until their spectrum fits: what is asked, what is told of a spectrum that does not, and what a lesson may
// not ask.
#include "base/error.h"
#include "lesson_runs.h"
#include "lessons/pages/lesson_guide.h"
#include "lessons/pages/pages.h"
#include "lessons/questions/questions.h"
#include "lessons/run/figure.h"
#include "scene_texts.h"
#include "test_support.h"

#include <doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace twiddle;

namespace {

Lesson lesson_on(const char* algorithm, std::uint64_t n, const char* signal) {
  Lesson lesson;
  lesson.id = "mine", lesson.language = "en", lesson.file = "mine.md";
  LessonRunSpec run;
  run.name = "run";
  run.request.algorithm = algorithm, run.request.n = n, run.request.signal = signal;
  lesson.runs.push_back(run);
  return lesson;
}

QuestionSpec asked_for(const char* target, int within = 0) {
  QuestionSpec spec;
  spec.ask = "spectrum", spec.target = target, spec.within = within;
  return spec;
}

Question made(const Lesson& lesson, const QuestionSpec& spec) {
  return make_question(spec, lesson, "run", lesson_runs());
}

}  // namespace

TEST_CASE("the spectrum that is asked for is a run's, and samples are judged by theirs") {
  const Question question = made(lesson_on("dft", 8, "cosine:1"), asked_for("cosine:2"));
  REQUIRE(question.task);
  const SpectrumTask& task = *question.task;
  CHECK(question.kind == "spectrum");
  CHECK(contains(question.text, "|X[2]| = 4, |X[6]| = 4, the others 0"));
  CHECK(task.goal.within == doctest::Approx(0.4));
  CHECK(task.goal.high == doctest::Approx(1.3));
  struct Case {
    std::vector<double> samples;
    const char* says;  // empty: it fits
  };
  const double half = std::sqrt(0.5);
  for (const Case& c :
       {Case{{1, 0, -1, 0, 1, 0, -1, 0}, ""}, Case{{0, 1, 0, -1, 0, 1, 0, -1}, ""},
        Case{{0.7, 0.7, -0.7, -0.7, 0.7, 0.7, -0.7, -0.7}, ""}, Case{{1, 0.1, -1, 0, 1, 0, -1, 0}, ""},
        Case{{1, half, 0, -half, -1, -half, 0, half}, "|X[1]| is 4, and 0 is asked for: there is too much"},
        Case{{0.5, 0, -0.5, 0, 0.5, 0, -0.5, 0}, "|X[2]| is 2, and 4 is asked for: there is too little"},
        Case{{1.3, 0.3, -0.7, 0.3, 1.3, 0.3, -0.7, 0.3}, "|X[0]| is 2.4, and 0 is asked for: bin 0 is the sum"},
        Case{{1, 0.1, -1, 0.2, 1, 0.1, -1, 0.2}, "6 of 8 bars fit"}}) {
    const Answer answer = judged(task, "en", magnitudes_of(defined_transform(c.samples)));
    CAPTURE(answer.why);
    CHECK(answer.right == (*c.says == '\0'));
    CHECK(contains(answer.why, c.says));
  }
  CHECK(contains(answer_text(task, "en"), "x = 1, 0, −1, 0, 1, 0, −1, 0"));
  // What is missing of a spectrum counts as nothing, and so does what is no number.
  CHECK(!judged(task, "en", {}).right);
  CHECK(!judged(task, "en", std::vector<double>(8, std::nan(""))).right);
  for (const char* language : {"ja", "zh"}) {
    CAPTURE(std::string(language));
    const SpectrumWords other = spectrum_words(task, language), words = spectrum_words(task, "en");
    CHECK(other.much != words.much);
    for (const std::string* text : {&other.much, &other.little}) {
      for (const char* place : {"{0}", "{1}", "{2}"}) CHECK(contains(*text, place));
      CHECK(!contains(*text, "{3}"));
    }
  }
}

TEST_CASE("a spectrum that is there already, or out of reach, is not asked for") {
  const auto says = [](const Lesson& lesson, const QuestionSpec& spec) {
    return sentence_of([&] { made(lesson, spec); });
  };
  const Lesson cosine = lesson_on("dft", 8, "cosine:1");
  CHECK(contains(says(cosine, asked_for("sine:1")), "have the spectrum of 'sine:1' already"));
  CHECK(contains(says(cosine, asked_for("random:1")), "are real"));
  CHECK(contains(says(cosine, asked_for("constant:0")), "there is nothing to fit"));
  CHECK(contains(says(cosine, asked_for("")), "needs target"));
  CHECK(contains(says(cosine, asked_for("cosin:2")), "cosine"));
  // 0.92 is between two steps.
  CHECK(contains(says(lesson_on("dft", 16, "cosine:2"), asked_for("cosine:1", 1)), "do not reach"));
  CHECK(made(cosine, asked_for("cosine:3")).task);
  CHECK(contains(says(lesson_on("dft", 32, "cosine:1"), asked_for("cosine:2")), "4 to 16"));
  CHECK(contains(says(lesson_on("reduce-sequential", 8, "ramp"), asked_for("impulse")), "4 to 16"));
  CHECK(made(lesson_on("fft-stockham2", 16, "constant:1"), asked_for("impulse:3")).task);
}

TEST_CASE("a lesson asks for a spectrum in the window, on its page and in print") {
  const Lesson lesson = load_lesson(course_file("dft", "en"), "en");
  LessonGuide guide("en", lesson, lesson_runs(), {});
  while (!guide.place().goal.asked()) REQUIRE(guide.page(1));
  const Guide::Place place = guide.place();
  CHECK(place.view == "live");
  CHECK(place.unlocked);
  const LessonStep& step = lesson.steps[guide.step()];
  REQUIRE(step.questions.size() == 1);
  const Question question = resolved_question(step.questions[0], lesson, step.figure.run, lesson_runs());
  REQUIRE(question.task);

  // The start does not fit; what does is right, but not at once any more.
  const Mark judge{.kind = MarkKind::Command, .command = "guide:judge"};
  REQUIRE(guide.question());
  CHECK(!guide.question()->answered);
  CHECK(guide.click(judge));
  CHECK(guide.question()->answered);
  CHECK(!guide.question()->cards.front().right);
  CHECK(contains(guide.question()->comment, "there is too"));
  const std::vector<double>& way = question.task->answer;
  guide.use_spectrum({way.begin(), way.end()}, defined_transform(way));
  CHECK(guide.click(judge));
  CHECK(guide.question()->cards.front().right);
  CHECK(guide.use_language(Language::Japanese));
  CHECK(guide.question()->cards.front().right);  // what was judged stays judged
  // … until the samples are others: then nothing is said of them, and the question stays answered.
  CHECK(guide.samples_changed());
  CHECK(guide.question()->comment.empty());
  CHECK_FALSE(guide.question()->cards.front().chosen);
  CHECK(guide.question()->answered);
  CHECK_FALSE(guide.samples_changed());

  const FigurePlace at = place_of(lesson, step, lesson_runs());
  const Scene figure = figure_scene(at.run->document(), at, "live", theme(ThemeName::Light), 720, "en");
  std::size_t dashed = 0;
  for (const Shape2D& shape : figure.shapes)
    if (std::holds_alternative<BoxShape>(shape.geometry) && shape.stroke.dash_on > 0) ++dashed;
  CHECK(dashed == question.task->goal.wanted.size());

  const std::string page = lesson_page(lesson, lesson_runs());
  CHECK(contains(page, "class=\"samples\""));
  CHECK(!contains(page, "\"wanted\":"));  // packed, like all that is asked
  CHECK(contains(key_page(lesson, lesson_runs()), "For example x = "));
}
