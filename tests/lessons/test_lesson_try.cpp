// What a lesson asks the reader to try, as a button: which run it is, and that the window shows it.
#include "kernels/catalogue/command_text.h"
#include "lesson_runs.h"
#include "lessons/pages/lesson_guide.h"
#include "lessons/pages/pages.h"
#include "lessons/questions/questions.h"
#include "lessons/run/figure.h"
#include "sample.h"
#include "test_support.h"
#include "viewer/views/view.h"

#include <doctest.h>

#include <algorithm>
#include <string>
#include <utility>

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
  // Any plan takes another signal; what else it takes is its own.
  from.algorithm = "mine/sum.toml", from.n.reset();
  CHECK(command("--signal constant:1") == "mine/sum.toml --signal constant:1");
  for (const char* text : {"--signal mine.wav", "--n 8", "--signal"}) {
    CAPTURE(text);
    CHECK(command(text) == "none");
  }
}

TEST_CASE("every lesson of the course has a run to try, with its answer, and a button for it in the window") {
  Sample sample(10);  // other lessons in each language
  for (const std::string_view language : lesson_languages())
    for (const std::string& id : course_ids()) {
      if (sample.skips()) continue;
      CAPTURE(std::string(language));
      CAPTURE(id);
      const Lesson lesson = load_lesson(course_file(id, language), language);
      LessonGuide guide(std::string(language), lesson, lesson_runs(), {});
      std::size_t tasks = 0;
      for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const LessonStep& step = lesson.steps[i];
        if (i > 0) guide.page(1);
        CHECK(offers(guide, "guide:try") == !step.try_it.empty());
        if (step.try_it.empty()) continue;
        ++tasks;
        CHECK(!step.answer.empty());
        const auto request = tried_request(lesson, step);
        REQUIRE(request);
        // What the answer says is said of that run.
        const LessonRunSpec* told = lesson.run_named("tried");
        REQUIRE(told);
        CHECK(command_of(*request) == command_of(told->request));
        Document& document = place_of_try(lesson, step, lesson_runs())->run->document();
        for (const std::string& view : tried_views(step, document)) CHECK(view_named(view)->has(document));
      }
      CHECK(tasks >= 1);
    }
}

TEST_CASE("a run to try is seen where the lesson says, in the views it asks for") {
  const auto lesson_with = [](const char* block) {
    Complaints complaints("mine.md");
    const std::string text = std::string(
                                 "# Mine\n\n```toml lesson\nsummary = \"One.\"\nminutes = 1\n[run]\n"
                                 "algorithm = \"fft-radix2\"\nn = 8\n```\n\n## Step\n\n```toml step\n"
                                 "views = [\"butterfly\"]\n") +
                             block + "```\n\nText.\n";
    Lesson lesson = parse_lesson(text, "mine.md", "", complaints);
    if (complaints.list().empty()) check_lesson(lesson, lesson_runs(), complaints);
    return std::pair(lesson, complaints.list().empty() ? std::string() : complaints.list().front().sentence);
  };
  const auto seen = [](const Lesson& lesson) {
    const auto place = place_of_try(lesson, lesson.steps[0], lesson_runs());
    std::string text = std::to_string(place->step);
    for (const std::string& view : tried_views(lesson.steps[0], place->run->document())) text += " " + view;
    return text;
  };
  const auto [plain, nothing] = lesson_with("try = \"`--signal cosine:2`?\"\n");
  CHECK(nothing.empty());
  CHECK(seen(plain) == "14 butterfly");
  const auto [placed, neither] =
      lesson_with("try = \"`--n 16`?\"\ntry-at = \"L1.I1\"\ntry-views = [\"memory\", \"items\"]\n");
  CHECK(neither.empty());
  CHECK(seen(placed) == "1 memory items");
  // Where the figure's views have nothing to show of it, it is seen in the first that has.
  const auto [other, none] = lesson_with("try = \"`twiddle view histogram-global --n 32`?\"\n");
  CHECK(none.empty());
  CHECK(seen(other).find("butterfly") == std::string::npos);
  for (const auto& [block, complaint] : {
           std::pair{"try = \"`--n 16`?\"\ntry-views = [\"butterfyl\"]\n", "there is no view 'butterfyl'"},
           std::pair{"try = \"`--n 16`?\"\ntry-views = [\"bins\"]\n",
                     "the view 'bins' has nothing to show of the run to try"},
           std::pair{"try = \"`--n 16`?\"\ntry-at = \"L9\"\n", "launch 9"},
           std::pair{"try = \"`--n 7`?\"\n", "the nearest are 4 and 8"},
           std::pair{"try = \"Think.\"\ntry-at = \"L1\"\n", "the task names no command that makes one"},
       }) {
    const std::string said = lesson_with(block).second;
    CHECK_MESSAGE(contains(said, complaint), block, said);
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
