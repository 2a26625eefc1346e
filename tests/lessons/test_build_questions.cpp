// Lines of a kernel that are filled in: compiled, run on the host executor and judged by the checks; and accesses put into banks.
#include "base/error.h"
#include "lessons/questions/build.h"
#include "lessons/questions/questions.h"
#include "lessons/text/library.h"
#include "synthetic_trace.h"
#include "test_support.h"

#include <doctest.h>

#include <string>

using namespace twiddle;

namespace {

Lesson course_lesson(const char* id) { return load_lesson(course_file(id, "en"), "en"); }

QuestionSpec asked_in(const Lesson& lesson, const std::string& ask) {
  for (const LessonStep& step : lesson.steps)
    for (const QuestionSpec& question : step.questions)
      if (question.ask == ask) return question;
  FAIL("the lesson " << lesson.id << " asks no " << ask);
  return {};
}

}  // namespace

TEST_CASE("a line that is filled in is judged by what comes of it") {
  const QuestionSpec spec = asked_in(course_lesson("stages"), "build");
  CHECK(line_to_fill_in(spec) == "int i0 = ____;");
  struct Case {
    const char* expression;
    bool right;
    const char* says;
  };
  for (const Case& c :
       {Case{"g / stride * span + j", true, "the outcome is right"},
        Case{"g / stride * 2 * stride + j", true, "the outcome is right"},
        Case{"g * span + j", false, "F has 8 elements"}, Case{"g / stride * stride + j", false, "thread"},
        Case{"g +* missing", false, "it does not compile: "}}) {
    CAPTURE(std::string(c.expression));
    const Answer answer = judged(spec, "en", c.expression);
    CHECK(answer.right == c.right);
    CHECK_MESSAGE(contains(answer.why, c.says), answer.why);
  }
  for (const char* text : {"", "g; exit(0)", "({ g })", "g // j", "\"g\"", "g\n+ j"})
    CHECK_THROWS_AS(judged(spec, "en", text), Error);
  CHECK_THROWS_AS(judged(spec, "en", std::string(300, 'g')), Error);
}

TEST_CASE("a question with a line to fill in runs nothing until it is answered") {
  const synthetic::Folder folder;
  LessonRuns runs(folder / "", "opencl", 0);
  const Lesson lesson = course_lesson("bit-reversal");
  const QuestionSpec spec = asked_in(lesson, "build");
  const Question later = make_question(spec, lesson, "run", runs, Builds::Later);
  CHECK(later.kind == "build");
  REQUIRE(later.gap);
  CHECK(contains(later.gap->lines[later.gap->at], "r = ____;"));
  for (const Answer& answer : later.answers) CHECK(answer.why.empty());
  QuestionSpec other = spec;
  other.hole = "r";  // in many places
  CHECK(contains(sentence_of([&] { line_to_fill_in(other); }), "times in the plan's kernels"));
  other = spec;
  std::swap(other.answers[0], other.answers[1]);
  CHECK(contains(sentence_of([&] { make_question(other, lesson, "run", runs, Builds::Later); }), "is not the code"));
}

TEST_CASE("what is to be filled in is seen in its function") {
  const GapInCode counting = gap_in_code(asked_in(course_lesson("histogram"), "build"));
  CHECK(counting.lines.front() == "extern \"C\" __global__ void count(const float* x, int* bins) {");
  CHECK(counting.lines.back() == "}");
  CHECK(counting.lines[counting.at] == "  ____;");
  CHECK(counting.lines[counting.at - 1] == "  int v = (int)x[g] % 4;");
  // Of the second of two functions nothing of the first.
  const GapInCode stage = gap_in_code(asked_in(course_lesson("stages"), "build"));
  CHECK(contains(stage.lines.front(), "void stage("));
  CHECK(stage.lines.back() == "}");
}

TEST_CASE("accesses are put into banks by their address") {
  const synthetic::Folder folder;
  LessonRuns runs(folder / "", "opencl", 0);
  const Lesson lesson = course_lesson("memory");
  QuestionSpec spec = asked_in(lesson, "banks");
  const Question padded = make_question(spec, lesson, "padded", runs);
  REQUIRE(padded.rounds.size() == 8);
  CHECK(padded.answers.size() == 32);
  for (std::size_t item = 0; item < 8; ++item) CHECK(padded.rounds[item].right == item);
  // Without padding all are in one bank.
  const Question queued = make_question(spec, lesson, "banks", runs);
  for (const Round& round : queued.rounds) CHECK(round.right == 0);
  CHECK(contains(queued.rounds[3].why[3], "goes by the address"));
  spec.at = "L1.E0";
  spec.find = "read";
  CHECK(contains(sentence_of([&] { make_question(spec, lesson, "banks", runs); }), "local memory to put into banks"));
}
