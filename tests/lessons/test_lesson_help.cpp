// What the window offers to who does not get on with a question, and what it keeps of answers: as the course's pages do.
#include "base/read_file.h"
#include "lesson_runs.h"
#include "lessons/pages/lesson_guide.h"
#include "lessons/questions/questions.h"
#include "lessons/text/library.h"
#include "lessons/text/progress.h"
#include "scene_texts.h"
#include "synthetic_trace.h"
#include "test_support.h"

#include <doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

using namespace twiddle;

namespace {

/// A lesson in the window, open at the first of its questions that is wanted.
struct OpenQuestion {
  synthetic::Folder folder;
  LessonGuide guide;
  std::size_t number = 0;
  Question question;

  OpenQuestion(const char* id, const std::function<bool(const Question&)>& wanted)
      : guide("en", load_lesson(course_file(id, "en"), "en"), lesson_runs(), folder / "lessons.json") {
    do {
      const LessonStep& step = guide.lesson()->steps[guide.step()];
      for (number = 0; number < step.questions.size(); ++number) {
        question =
            resolved_question(step.questions[number], *guide.lesson(), step.figure.run, lesson_runs(), Builds::Later);
        if (wanted(question)) return;
      }
    } while (guide.page(1) && guide.lesson()->id == id);
    FAIL("no such question in ", id);
  }

  Mark mark(const char* command, std::size_t answer = 0) const {
    return {.kind = MarkKind::Command, .index = number, .item = answer, .command = std::string("guide:") + command};
  }
  bool offers(const char* command) {
    const Scene scene = guide.draw(400, 15, false);
    return std::any_of(scene.marks.begin(), scene.marks.end(),
                       [&](const MarkText& text) { return text.mark == mark(command); });
  }
  /// Without its spaces, for a line is drawn piece by piece.
  bool says(std::string text) {
    std::string all;
    for (const Shape2D& shape : guide.draw(4000, 15, false).shapes)
      if (const auto* words = std::get_if<TextShape>(&shape.geometry)) all += words->text;
    std::erase(all, ' ');
    std::erase(text, ' ');
    return contains(all, text);
  }
  void answer(std::size_t which) { CHECK(guide.click(mark("answer", which))); }
  /// Answers that are wrong for what is asked first.
  std::vector<std::size_t> wrong() const {
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < question.answers.size(); ++i)
      if (question.rounds.empty() ? !question.answers[i].right : question.rounds.front().right != i) list.push_back(i);
    return list;
  }
  std::size_t right() const {
    const auto& answers = question.answers;
    return static_cast<std::size_t>(
        std::find_if(answers.begin(), answers.end(), [](const Answer& answer) { return answer.right; }) -
        answers.begin());
  }
  /// The sign that is kept for this question, and for none but those before it.
  char kept() const {
    const LessonProgress progress = read_progress(folder / "lessons.json").at(guide.lesson()->id);
    std::size_t before = number;
    for (std::size_t s = 0; s < guide.step(); ++s) before += guide.lesson()->steps[s].questions.size();
    REQUIRE(before < progress.first.size());
    CHECK(progress.right == std::count(progress.first.begin(), progress.first.end(), '+'));
    return progress.first[before];
  }
};

}  // namespace

TEST_CASE("of a choice two wrong answers earn a hint, three the answer, and neither a point") {
  OpenQuestion open("twiddles-on-the-circle",
                    [](const Question& question) { return question.kind == "choice" && question.answers.size() == 4; });
  const std::vector<std::size_t> wrong = open.wrong();
  REQUIRE(wrong.size() == 3);
  CHECK(open.kept() == '.');
  open.answer(wrong[0]);
  open.answer(wrong[0]);  // the same once more is no other try
  CHECK(open.kept() == '-');
  CHECK(!open.offers("hint"));
  open.answer(wrong[1]);
  CHECK(open.offers("hint"));
  CHECK(!open.offers("show"));
  CHECK(open.guide.click(open.mark("hint")));
  CHECK(open.guide.wish().go_back);
  CHECK(!open.guide.wish().go_back);
  const std::string hint =
      open.question.hint.empty() ? "The figure is open where this is asked" : open.question.hint.substr(0, 20);
  CHECK(open.says(hint));
  CHECK(!open.offers("hint"));
  open.answer(wrong[2]);
  REQUIRE(open.offers("show"));
  CHECK(open.guide.click(open.mark("show")));
  REQUIRE(open.number == 0);
  CHECK(open.guide.question()->cards[open.right()].chosen);
  CHECK(!open.offers("show"));
  CHECK(!open.offers("hint"));
  CHECK(open.kept() == '-');
  CHECK(!open.says(hint));
  open.answer(open.right());
  CHECK(open.kept() == '-');
}

TEST_CASE("a right answer at once is a point, and stays one when the lesson is opened anew") {
  OpenQuestion open("butterfly", [](const Question& question) { return question.kind == "choice"; });
  open.answer(open.right());
  CHECK(open.kept() == '+');
  open.answer(open.wrong().front());
  CHECK(open.kept() == '+');
  // Opened anew, a wrong answer changes nothing; nor does a right one after a wrong.
  LessonGuide again("en", open.guide.lesson(), lesson_runs(), open.folder / "lessons.json");
  while (again.step() < open.guide.step()) REQUIRE(again.page(1));
  CHECK(again.click(open.mark("answer", open.wrong().front())));
  CHECK(open.kept() == '+');
}

TEST_CASE("what a presenter shows the class is no point") {
  OpenQuestion open("signals", [](const Question& question) { return question.kind == "choice"; });
  REQUIRE(open.guide.lesson()->steps[open.guide.step()].questions.size() == 1);
  const auto question = open.guide.question();
  REQUIRE(question);
  CHECK(open.guide.click(question->show));
  CHECK(open.guide.question()->answered);
  CHECK(open.kept() == '-');
}

TEST_CASE("of factors on the circle a hint leaves half of the points, and the tries are a table") {
  OpenQuestion open("twiddles-on-the-circle", [](const Question& question) { return question.kind == "place"; });
  // The first that is told apart by what comes of it.
  std::size_t round = 0;
  const auto& rounds = open.question.rounds;
  while (!rounds[round].turning) open.answer(rounds[round++].right);
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < open.question.answers.size(); ++i)
    if (i != rounds[round].right) wrong.push_back(i);
  CHECK(!open.says("put at, clockwise"));
  open.answer(wrong[0]);
  CHECK(open.says("put at, clockwise"));
  CHECK(open.says("try 1"));
  CHECK(open.says("the log has"));
  open.answer(wrong[1]);
  CHECK(open.says("try 2"));
  open.guide.point_at(open.mark("answer", wrong[2]));
  CHECK(open.says("in your hand"));
  open.guide.point_at({});
  CHECK(open.guide.click(open.mark("hint")));
  CHECK(open.says("neither struck out nor hatched"));
  const auto hatched = [&] {
    const Scene scene = open.guide.draw(400, 15, false);
    return static_cast<std::size_t>(std::count_if(scene.shapes.begin(), scene.shapes.end(), [](const Shape2D& shape) {
      return std::holds_alternative<HatchShape>(shape.geometry);
    }));
  };
  // Those that were tried or are in place look as they did.
  CHECK(hatched() >= open.question.answers.size() / 2 - 2 - round);
  CHECK(hatched() <= open.question.answers.size() / 2);
  open.answer(wrong[2]);
  REQUIRE(open.offers("show"));
  CHECK(open.guide.click(open.mark("show")));
  CHECK(open.says(std::to_string(rounds.size()) + " of " + std::to_string(rounds.size()) + " in place"));
  CHECK(hatched() == 0);
  CHECK(open.kept() == '-');
}

TEST_CASE("a round that was missed counts, though the next begins with new tries") {
  OpenQuestion open("twiddles-on-the-circle", [](const Question& question) { return question.kind == "place"; });
  open.answer(open.wrong().front());
  CHECK(open.kept() == '-');
  for (const Round& round : open.question.rounds) open.answer(round.right);
  CHECK(open.kept() == '-');
  CHECK(!open.offers("hint"));
}

TEST_CASE("of a spectrum the hint moves one sample, and the answer brings all of them") {
  OpenQuestion open("dft", [](const Question& question) { return question.kind == "spectrum"; });
  for (int i = 0; i < 3; ++i) CHECK(open.guide.click(open.mark("judge")));
  REQUIRE(open.offers("hint"));
  CHECK(open.guide.click(open.mark("hint")));
  CHECK(open.says("One way begins with x["));
  REQUIRE(open.offers("show"));
  CHECK(open.guide.click(open.mark("show")));
  CHECK(open.guide.wish().samples == open.question.task->answer);
  CHECK(open.says("For example x = "));
  const std::vector<double>& way = open.question.task->answer;
  open.guide.use_spectrum({way.begin(), way.end()}, defined_transform(way));
  CHECK(open.guide.click(open.mark("judge")));
  CHECK(open.guide.question()->cards.front().right);
  CHECK(open.kept() == '-');
}

// Each line of the table with what it says once it is read and written again, null: it is no such line. The course's page is held
// against the same table (tests/scripts/drive_lessons.py).
TEST_CASE("a line of progress is read as the course's page reads it") {
  const std::vector<std::string> ids = {"dft", "stages"};
  const auto named = [&](std::string line) {
    for (std::size_t i = 0; i < ids.size(); ++i)
      for (std::size_t at = 0; (at = line.find(fmt::format("{{{}}}", i), at)) != std::string::npos;)
        line.replace(at, 3, ids[i]);
    return line;
  };
  const nlohmann::json table = nlohmann::json::parse(std::ifstream(TWIDDLE_TEST_DATA "/progress_lines.json"));
  REQUIRE(table.size() > 30);
  for (const nlohmann::json& row : table) {
    const std::string line = named(row[0].get<std::string>());
    CAPTURE(line);
    const auto read = read_progress_line(line, ids);
    REQUIRE(read.has_value() == !row[1].is_null());
    if (read) CHECK(progress_line(*read, ids) == named(row[1].get<std::string>()));
  }
}

TEST_CASE("progress is a line of text, and what is known stays when a line is read") {
  const std::vector<std::string> ids = {"dft", "stages", "why-cufft-is-fast"};
  std::map<std::string, LessonProgress> progress = {
      {"stages", {2, 6, 1, 3, "+-."}}, {"dft", {3, 5, 0, 2, ""}}, {"mine", {1, 1, 0, 0, ""}}};
  const std::string line = progress_line(progress, ids);
  CHECK(line == "twiddle-progress dft:3/5:.. stages:2/6:+-.");
  const auto read = read_progress_line("  " + line + "\n", ids);
  REQUIRE(read);
  CHECK(read->at("stages") == progress.at("stages"));
  CHECK(read->at("dft").steps_seen == 3);
  CHECK(read_progress_line("twiddle-progress other:1/1:", ids)->empty());
  for (const char* bad : {"", "hello", "twiddle-progress", "twiddle-progress dft:6/5:+",
                          "twiddle-progress dft:0/5:", "twiddle-progress dft:3/5:+x", "twiddle-progress dft:3/5",
                          "twiddle-progress dft", "twiddle-progress :1/2:", "twiddle-progress dft:1/2:+ <b>",
                          "twiddle-progress dft:1234/2000:", "twiddle-progress d\"ft:1/2:"})
    CHECK_MESSAGE(!read_progress_line(bad, ids), bad);
  CHECK(!read_progress_line("twiddle-progress dft:1/2:" + std::string(100, '+'), ids));

  struct Case {
    LessonProgress known, told, both;
    bool taken;
  };
  for (const Case& c : {
           Case{{}, {3, 5, 1, 2, "+-"}, {3, 5, 1, 2, "+-"}, true},
           Case{{4, 5, 0, 2, "-."}, {3, 5, 2, 2, "++"}, {4, 5, 1, 2, "-+"}, true},
           Case{{1, 5, 1, 2, ""}, {2, 5, 0, 2, "--"}, {2, 5, 1, 2, "--"}, true},  // of an edition that kept no signs
           Case{{1, 4, 0, 2, ".."}, {2, 5, 0, 2, "--"}, {1, 4, 0, 2, ".."}, false},
           Case{{1, 5, 0, 3, "..."}, {2, 5, 0, 2, "--"}, {1, 5, 0, 3, "..."}, false},
       }) {
    LessonProgress known = c.known;
    CHECK(merge_progress(known, c.told) == c.taken);
    CHECK(known == c.both);
  }
  const synthetic::Folder folder;
  CHECK(write_progress(folder / "lessons.json", progress));
  CHECK(read_progress(folder / "lessons.json") == progress);
}

TEST_CASE("the contents copy the line of progress, and read another's") {
  const synthetic::Folder folder;
  const auto file = folder / "lessons.json";
  write_progress(file,
                 {{"dft", {2, static_cast<int>(load_lesson(course_file("dft", "en"), "en").steps.size()), 0, 0, ""}}});
  LessonGuide guide("ja", std::nullopt, lesson_runs(), file);
  const auto press = [&](const char* command) {
    return guide.click({.kind = MarkKind::Command, .command = std::string("guide:") + command});
  };
  CHECK(press("copy-progress"));
  const Guide::Wish wish = guide.wish();
  CHECK(wish.copied.starts_with("twiddle-progress dft:2/"));
  CHECK(wish.said == "コピーしました。");
  CHECK(press("read-progress"));
  const auto line = guide.typing();
  REQUIRE(line);
  CHECK(line->text == wish.copied);
  CHECK(contains(sentence_of([&] { guide.typed("nonsense"); }), "begins with twiddle-progress"));
  guide.typed("twiddle-progress stages:1/6:");
  CHECK(read_progress(file).at("stages").steps_seen == 1);
  CHECK(read_progress(file).at("dft").steps_seen == 2);
}

TEST_CASE("the contents lead to where one went on last time") {
  const synthetic::Folder folder;
  const auto file = folder / "lessons.json";
  LessonGuide guide("en", load_lesson(course_file("stages", "en"), "en"), lesson_runs(), file);
  guide.page(1);
  const auto marks = [&] {
    std::vector<Mark> list;
    for (const MarkText& text : guide.draw(400, 15, false).marks)
      if (text.mark.command == "guide:go-on") list.push_back(text.mark);
    return list;
  };
  guide.click({.kind = MarkKind::Command, .command = "guide:contents"});
  REQUIRE(marks().size() == 1);
  CHECK(guide.click(marks().front()));
  REQUIRE(guide.lesson());
  CHECK(guide.lesson()->id == "stages");
  CHECK(guide.step() == 1);
  // Read to its end, it is left behind.
  while (guide.step() + 1 < guide.lesson()->steps.size()) guide.page(1);
  guide.click({.kind = MarkKind::Command, .command = "guide:contents"});
  CHECK(marks().empty());
}

TEST_CASE("a question that asks for a click is answered in the diagram, too, once") {
  OpenQuestion open("even-and-odd", [](const Question& question) { return question.kind == "click"; });
  const TraceInfo& info = open.guide.place().trace->info();
  const std::uint64_t right = open.question.rounds.front().right;
  const auto element = [&](const char* buffer, std::uint64_t index) {
    return element_mark(info.buffer_named(buffer), 2, index);
  };
  CHECK(open.guide.answer_at(element("F", right)) == open.mark("answer", right));
  CHECK(!open.guide.answer_at(element("data", right)));
  CHECK(!open.guide.answer_at(Mark{.kind = MarkKind::Operation, .index = right}));
  REQUIRE(open.guide.click(*open.guide.answer_at(element("F", right))));
  CHECK(open.kept() == '+');
  CHECK(!open.guide.answer_at(element("F", right)));
}

TEST_CASE("a question that cannot be asked gives away nothing of the one after it") {
  Lesson lesson = load_lesson(course_file("find-the-bug", "en"), "en");
  std::vector<QuestionSpec>& questions = lesson.steps[1].questions;
  REQUIRE(questions.front().ask == "culprit");
  QuestionSpec nowhere;
  nowhere.ask = "partner", nowhere.at = "L99";
  questions = {nowhere, questions.front()};
  LessonGuide guide("en", lesson, lesson_runs(), {});
  guide.page(1);
  CHECK(!guide.complaint().empty());
  CHECK(guide.place().secret);
}
