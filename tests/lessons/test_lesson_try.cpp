// What a lesson asks the reader to try, as a button: which run it is, and that the window shows it.
#include "kernels/catalogue/command_text.h"
#include "lesson_runs.h"
#include "lessons/pages/lesson_guide.h"
#include "lessons/questions/questions.h"

#include <doctest.h>

#include <algorithm>
#include <string>

using namespace twiddle;

namespace {

bool offers(LessonGuide& guide, const char* command) {
  const Scene scene = guide.draw(500, 15, false);
  return std::any_of(scene.marks.begin(), scene.marks.end(),
                     [&](const MarkText& mark) { return mark.mark.command == command; });
}

}  // namespace

TEST_CASE("a command in a text makes a request of the lesson's own, or none") {
  Request from;
  from.algorithm = "fft-radix2", from.n = 8, from.signal = "ramp";
  const auto command = [&](const char* text) {
    const auto request = request_in(text, from);
    return request ? command_of(*request) : std::string("none");
  };
  CHECK(command("--signal cosine:2") == "fft-radix2 --n 8 --signal cosine:2");
  CHECK(command("fft-radix2 --n 16") == "fft-radix2 --n 16 --signal ramp");
  CHECK(command("twiddle view fft-stockham2 --n 16") == "fft-stockham2 --n 16");
  CHECK(command("twiddle view fft-radix2 --sign backward") == "fft-radix2 --n 8 --signal ramp --sign backward");
  for (const char* text :
       {"X[0]", "from", "", "twiddle", "twiddle verify fft-radix2 --n 8", "twiddle view", "twiddle view mine/mine.toml",
        "--signal mine.wav", "twiddle view dft --n 64 --signal mine.wav", "--nothing 3", "--n", "w_N^k",
        "twiddle view nonsense --n 8"}) {
    CAPTURE(text);
    CHECK(command(text) == "none");
  }
}

TEST_CASE("what a lesson asks to try is a click away, and so is the way back") {
  LessonGuide guide("en", load_lesson(course_file("butterfly", "en"), "en"), lesson_runs(), {});
  const std::size_t steps = guide.lesson()->steps.size();
  for (std::size_t i = 1; i < steps && !offers(guide, "guide:try"); ++i) guide.page(1);
  REQUIRE(offers(guide, "guide:try"));
  const Guide::Place own = guide.place();
  const Mark button{.kind = MarkKind::Command, .command = "guide:try"};
  CHECK(guide.click(button));
  const Guide::Place tried = guide.place();
  REQUIRE(tried.trace);
  CHECK(tried.trace->info().signal == "cosine:2");
  CHECK(tried.page != own.page);
  CHECK(tried.unlocked);
  CHECK(guide.click(button));
  CHECK(guide.place().trace == own.trace);
  // Another page shows its own run again.
  guide.click(button);
  guide.page(-1);
  guide.page(1);
  CHECK(guide.place().trace == own.trace);
}

TEST_CASE("nothing is wrong is an answer to what check will say, the right one where it finds nothing") {
  Complaints complaints("mine.md");
  const auto asked = [&](const char* algorithm) {
    Lesson lesson;
    lesson.id = "mine", lesson.language = "en";
    LessonRunSpec run;
    run.name = "run";
    run.request.algorithm = algorithm, run.request.n = 8;
    lesson.runs.push_back(run);
    QuestionSpec spec;
    spec.ask = "finding";
    return make_question(spec, lesson, "run", lesson_runs());
  };
  const auto nothing = [](const Question& question) {
    return std::find_if(question.answers.begin(), question.answers.end(),
                        [](const Answer& answer) { return answer.text.starts_with("nothing"); });
  };
  const Question wrong = asked("gallery/stale-twiddle");
  REQUIRE(nothing(wrong) != wrong.answers.end());
  CHECK_FALSE(nothing(wrong)->right);
  const Question right = asked("fft-stockham2");
  REQUIRE(nothing(right) != right.answers.end());
  CHECK(nothing(right)->right);
  CHECK(right.answers.size() >= 3);
}
