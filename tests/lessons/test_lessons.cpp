// Lessons: what is read, what is refused with file and line, what references and questions say, and the whole course.
#include "base/paths.h"
#include "base/version.h"
#include "environment.h"
#include "han_spacing.h"
#include "lesson_runs.h"
#include "lessons/pages/pages.h"
#include "lessons/questions/questions.h"
#include "lessons/run/reference.h"
#include "lessons/text/library.h"
#include "lessons/text/literal_numbers.h"
#include "lessons/text/markdown.h"
#include "sample.h"
#include "synthetic_trace.h"
#include "test_support.h"
#include "viewer/words/twiddle_name.h"

#include <doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

using namespace twiddle;

namespace {

const std::string good =
    "# A title\n"                                                                // 1
    "\n"                                                                         // 2
    "```toml lesson\n"                                                           // 3
    "summary = \"What it is about.\"\n"                                          // 4
    "minutes = 5\n"                                                              // 5
    "[run]\n"                                                                    // 6
    "algorithm = \"fft-radix2\"\n"                                               // 7
    "n = 8\n"                                                                    // 8
    "```\n"                                                                      // 9
    "\n"                                                                         // 10
    "## A step\n"                                                                // 11
    "\n"                                                                         // 12
    "```toml step\n"                                                             // 13
    "at = \"L3.I1\"\n"                                                           // 14
    "views = [\"butterfly\"]\n"                                                  // 15
    "```\n"                                                                      // 16
    "\n"                                                                         // 17
    "Work-item {{item L3.I1}} of *this* run writes\n"                            // 18
    "`F[1]` = {{value F[1] after L3.I1}}; see [the butterfly](butterfly.md).\n"  // 19
    "\n"                                                                         // 20
    "```toml question\n"                                                         // 21
    "ask = \"partner\"\n"                                                        // 22
    "at = \"L3.I1\"\n"                                                           // 23
    "```\n";                                                                     // 24

std::string with(const std::string& part, const std::string& other) {
  std::string text = good;
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), other);
}

// What is wrong with a lesson of this text, a line each: "14: …".
std::vector<std::string> complaints_of(const std::string& text) {
  Complaints complaints("mine.md");
  const Lesson lesson = parse_lesson(text, "mine.md", "en", complaints);
  if (complaints.list().empty()) check_lesson(lesson, lesson_runs(), complaints);
  std::vector<std::string> lines;
  for (const Complaint& complaint : complaints.list())
    lines.push_back(std::to_string(complaint.line) + ": " + complaint.sentence);
  return lines;
}

Lesson good_lesson() {
  Complaints complaints("mine.md");
  return parse_lesson(good, "mine.md", "en", complaints);
}

std::string evaluate_in_good(const std::string& reference) {
  const Lesson lesson = good_lesson();
  return evaluate(reference, lesson, "run", lesson_runs());
}

}  // namespace

TEST_CASE("a lesson of the documented form is read, and holds") {
  CHECK(complaints_of(good).empty());
  const Lesson lesson = good_lesson();
  CHECK(lesson.title == "A title");
  CHECK(lesson.minutes == 5);
  REQUIRE(lesson.steps.size() == 1);
  CHECK(lesson.steps[0].title == "A step");
  CHECK(lesson.steps[0].figure.at == "L3.I1");
  REQUIRE(lesson.steps[0].questions.size() == 1);
  const std::vector<TextRun>& text = lesson.steps[0].text[0].runs;
  CHECK(plain_text(text) ==
        "Work-item {{item L3.I1}} of this run writes F[1] = {{value F[1] after L3.I1}}; see the butterfly.");
  CHECK(std::count_if(text.begin(), text.end(), [](const TextRun& run) { return run.emphasis; }) == 1);
  CHECK(std::count_if(text.begin(), text.end(), [](const TextRun& run) { return run.link == "butterfly"; }) == 1);
}

TEST_CASE("what is wrong with a lesson is said with its line") {
  struct Case {
    const char *part, *other, *complaint;
  };
  const Case cases[] = {
      {"# A title\n", "\n", "1: a lesson begins with its title"},
      {"```toml lesson", "```text", "4: a block before the first step"},
      {"minutes = 5", "minutes = 500", "5: minutes of a lesson block is a whole number from 1 to 120"},
      {"minutes = 5", "minuts = 5", "5: a lesson block has no key 'minuts'; did you mean minutes?"},
      {"minutes = 5", "minutes = = 5", "5: this is no TOML"},
      {"fft-radix2", "fft-radix3", "7: no algorithm is called"},
      {"n = 8", "m = 8", "8: the run 'run' has no key 'm'"},
      {"n = 8", "n = 9", "6: "},
      {"n = 8", "signal = \"../../etc/passwd.csv\"", "8: '../../etc/passwd.csv' is outside the lesson's own folder"},
      {"```toml step", "```toml stop", "13: there is no block 'toml stop'"},
      {"```toml step", "```text", "11: the step 'A step' has no step block"},
      {"at = \"L3.I1\"\nviews", "at = \"L9.I1\"\nviews", "11: there is no operation of launch 9"},
      {"at = \"L3.I1\"\nviews", "at = \"somewhere\"\nviews", "11: 'somewhere' is no position"},
      {"\"butterfly\"]", "\"butterfy\"]", "14: there is no view 'butterfy'; did you mean butterfly?"},
      {"views = [\"butterfly\"]", "light = \"F[99]\"\nviews = [\"butterfly\"]", "11: F has 8 elements"},
      {"{{item L3.I1}}", "{{itme L3.I1}}", "18: there is no reference 'itme'; did you mean item?"},
      {"{{item L3.I1}}", "{{item L3.I9}}", "18: there is no work-item 9"},
      {"{{item L3.I1}}", "1", "18: the number 1 is typed"},
      {"writes\n", "writes\n-4, ", "19: the number 4 is typed"},
      {"`F[1]` =", "`(-4, 4)` =", "19: the number 4 is typed"},
      {"value F[1]", "value G[1]", "19: there is no buffer 'G'"},
      {"(butterfly.md)", "(butterfyl.md)", "19: there is no lesson 'butterfyl'; did you mean butterfly?"},
      {"ask = \"partner\"", "ask = \"parter\"", "22: there is no question 'parter'; did you mean partner?"},
      {"## A step", "### A step", "11: headings below ##"},
      {"## A step", "Text.\n\n## A step", "11: text before the first step"},
  };
  for (const Case& c : cases) {
    const std::vector<std::string> complaints = complaints_of(with(c.part, c.other));
    INFO("instead of ", std::string(c.part), ": ", std::string(c.other));
    REQUIRE(!complaints.empty());
    CHECK_MESSAGE(std::any_of(complaints.begin(), complaints.end(),
                              [&](const std::string& line) { return line.starts_with(c.complaint); }),
                  complaints.front());
  }
}

TEST_CASE("a question's hint says where to look, and not the answer") {
  const auto asking = [](const std::string& hint) {
    return with("ask = \"partner\"\nat = \"L3.I1\"\n", "ask = \"choice\"\ntext = \"Which way?\"\n" + hint +
                                                           "[[answers]]\ntext = \"clockwise\"\nwhy = \"So it is.\"\n"
                                                           "[[answers]]\ntext = \"the other\"\nwhy = \"No.\"\n");
  };
  CHECK(complaints_of(asking("hint = \"Look at the sign.\"\n")).empty());
  const std::vector<std::string> told = complaints_of(asking("hint = \"It is clockwise, of course.\"\n"));
  REQUIRE(told.size() == 1);
  CHECK(told[0] == "22: the hint says the answer: 'clockwise'");
  CHECK(!complaints_of(asking("hint = \"Count to 8.\"\n")).empty());  // numbers are typed in no text
  // Of a kind that the trace answers it names the place.
  Lesson lesson = good_lesson();
  QuestionSpec& spec = lesson.steps[0].questions[0];
  CHECK(!make_question(spec, lesson, "run", lesson_runs()).hint.empty());
  spec.ask = "stride";
  CHECK(contains(make_question(spec, lesson, "run", lesson_runs()).hint, "L3.I1"));
  // Each written question of the course has one, in each language.
  for (const std::string_view language : lesson_languages())
    for (const std::string& id : course_ids())
      for (const LessonStep& step : load_lesson(course_file(id, language), language).steps)
        for (const QuestionSpec& question : step.questions)
          CHECK_MESSAGE(question.hint.empty() == (question.ask != "choice"), id, " ", language, ":", question.line);
}

TEST_CASE("a step does not say what it asks") {
  std::string text = with("fft-radix2", "gallery/stale-twiddle");
  const auto replace = [&](const std::string& part, const std::string& other) {
    const std::size_t at = text.find(part);
    REQUIRE(at != std::string::npos);
    text.replace(at, part.size(), other);
  };
  replace("ask = \"partner\"", "ask = \"finding\"");
  CHECK(complaints_of(text).empty());
  replace("{{item L3.I1}}", "{{finding 1 line}}");
  CHECK(complaints_of(text).empty());
  replace("{{finding 1 line}}", "{{run: finding 1 class}}");
  const std::vector<std::string> complaints = complaints_of(text);
  REQUIRE(complaints.size() == 1);
  CHECK(complaints[0] == "18: {{run: finding 1 class}} gives away the answer to this step's question 'finding'");
}

TEST_CASE("a run may be a trace that was kept") {
  const synthetic::Folder folder;
  const std::filesystem::path recordings = resource("lessons") / "recordings";
  std::filesystem::copy_file(recordings / "cufft-8.twd", folder / "mine.twd");
  std::ofstream(folder / "empty.twd") << "no trace";
  const auto text_of = [](const std::string& trace) {
    return "# A title\n\n```toml lesson\nsummary = \"A sentence.\"\nminutes = 5\n[run]\ntrace = " + trace +
           "\n```\n\n## A step\n\n```toml step\nat = \"L1.E2.I1\"\nviews = [\"butterfly\"]\n```\n\n" +
           "{{is four: count butterflies in L1.E2}}, {{value shared[0] after L1.E1}}\n\n" +
           "```toml question\nask = \"next\"\nat = \"L1.E2.I0\"\n```\n";
  };
  const auto complaints_about = [&](const std::string& trace) {
    Complaints complaints(folder / "mine.md");
    const Lesson lesson = parse_lesson(text_of(trace), folder / "mine.md", "en", complaints);
    if (complaints.list().empty()) check_lesson(lesson, lesson_runs(), complaints);
    return complaints.list().empty() ? std::string() : complaints.list().front().sentence;
  };
  CHECK(complaints_about("\"mine.twd\"") == "");
  CHECK(complaints_about("\"clfft-16.twd\"") != "");  // one of the course's, with other buffers
  CHECK(complaints_about("\"cufft-8.twd\"") == "");   // likewise, where there is none beside the lesson
  CHECK(contains(complaints_about("\"mine.txt\""), "'mine.txt' is no trace; its name ends in .twd"));
  CHECK(contains(complaints_about("\"../mine.twd\""), "is outside the lesson's own folder"));
  CHECK(contains(complaints_about("\"mine.twd\"\nn = 8"), "the run 'run' has no key 'n'"));
  CHECK(contains(complaints_about("\"none.twd\""), "none.twd: there is no such file"));
  CHECK(contains(complaints_about("\"empty.twd\""), "empty.twd"));

  Complaints complaints(folder / "mine.md");
  const Lesson lesson = parse_lesson(text_of("\"cufft-8.twd\""), folder / "mine.md", "en", complaints);
  const std::string words = lesson_text(lesson, lesson_runs());
  CHECK(contains(words, "four, (0.3944, −0.3407)"));
  CHECK(contains(words, "$ twiddle view lessons/recordings/cufft-8.twd --at L1.E2.I1"));
  CHECK(contains(sentence_of([&] { lesson_runs().run(lesson.runs[0].request).relative_error(); }),
                 "this run promises no outcome that could be compared"));
}

TEST_CASE("a rewriter of another version is what a lesson says it is, not that its run did nothing") {
  const synthetic::Folder folder;
  const std::filesystem::path older = folder / "twiddle-rewriter";
  std::ofstream(older) << "#!/bin/sh\necho '{\"sites\":[]}' >\"$6\"\n: >\"$4\"\n";
  std::filesystem::permissions(older, std::filesystem::perms::owner_all);
  const Environment set("TWIDDLE_REWRITER", older.c_str());
  LessonRuns runs(folder / "", "opencl", 0);
  Request request;
  request.algorithm = "gallery/dif-no-reversal-right", request.n = 8;  // a kernel without trace lines
  CHECK(contains(sentence_of([&] { runs.run(request); }),
                 older.string() + " is of an older version than this program, " + program_version));
}

TEST_CASE("a run's file is beside the lesson, or one that the course's languages share, and nowhere else") {
  const synthetic::Folder folder;
  const auto algorithm_of = [&](const std::string& name) {
    Complaints complaints(folder / "mine.md");
    const Lesson lesson = parse_lesson(with("algorithm = \"fft-radix2\"\nn = 8", "algorithm = \"" + name + "\""),
                                       folder / "mine.md", "en", complaints);
    return complaints.list().empty() ? lesson.runs.front().request.algorithm
                                     : "refused: " + complaints.list().front().sentence;
  };
  const std::string shared = (resource("lessons") / "runs/add.toml").string(),
                    own = (folder / "runs/add.toml").string();
  CHECK(algorithm_of("runs/add.toml") == shared);
  CHECK(algorithm_of("runs/none.toml") == (folder / "runs/none.toml").string());  // it is said to be missing there
  CHECK(algorithm_of("add.toml") == (folder / "add.toml").string());
  for (const char* outside : {"runs/../../CMakeLists.toml", "../runs/add.toml", "/runs/add.toml"})
    CHECK(contains(algorithm_of(outside), "outside the lesson's own folder"));
  std::filesystem::create_directories(folder / "runs");
  std::ofstream(own) << "title = \"own\"\n";
  CHECK(algorithm_of("runs/add.toml") == own);
}

TEST_CASE("scripts and links to elsewhere are text") {
  const std::string text =
      with("see [the", "<script>alert()</script> [away](https://example.org/x) ![picture](http://a/b.png) [the");
  CHECK(complaints_of(text).empty());
  Complaints complaints("mine.md");
  const Lesson lesson = parse_lesson(text, "mine.md", "en", complaints);
  const std::string plain = plain_text(lesson.steps[0].text[0].runs);
  CHECK(contains(plain, "<script>alert()</script> away (https://example.org/x) picture (http://a/b.png)"));
}

TEST_CASE("a huge, a binary and a missing file each get a sentence") {
  const synthetic::Folder folder;
  const auto huge = folder / "huge.md";
  std::ofstream(huge) << "# x";
  std::filesystem::resize_file(huge, 100 << 20);
  CHECK(contains(sentence_of([&] { load_lesson(huge); }), "huge.md:1: a lesson is a file of at most 1024 KiB"));
  const auto binary = folder / "binary.md";
  std::ofstream(binary, std::ios::binary) << "# x\n\nab\xFF";
  CHECK(contains(sentence_of([&] { load_lesson(binary); }), "binary.md:3: this is no text in UTF-8"));
  CHECK(exit_code_of([&] { load_lesson(folder / "none.md"); }) == ExitCode::unreadable);
  const std::string deep(100000, '>');
  Complaints complaints("deep.md");
  parse_lesson(deep + " x", "deep.md", "en", complaints);
  CHECK(!complaints.list().empty());
  CHECK(complaints.list().size() <= Complaints::most);
}

TEST_CASE("numbers that are names are no results") {
  for (const char* text :
       {"radix-4", "基4的蝶形", "基 4 的蝶形", "基数2", "2-D", "2次元", "float32", "x2 and L3.S1", "no number"})
    CHECK_MESSAGE(literal_number(text).empty(), text);
  CHECK(literal_number("it gives 9.657 there") == "9.657");
  CHECK(literal_number("1,024 points") == "1,024");
  CHECK(literal_number("N=8") == "8");
}

TEST_CASE("references say what the run did") {
  CHECK(evaluate_in_good("value F[1] after L3.I1") == "(−4, 4)");
  CHECK(evaluate_in_good("value F[1] before L3.I1") == "(−4, 0)");
  CHECK(evaluate_in_good("value data[1] at start") == "(1, 0)");
  CHECK(evaluate_in_good("value data[1] after L1") == "(4, 0)");
  CHECK(evaluate_in_good("value F[0] after end") == "(28, 0)");
  CHECK(evaluate_in_good("count butterflies") == "12");
  CHECK(evaluate_in_good("count swaps") == "2");
  CHECK(evaluate_in_good("count idle in L1") == "6");
  CHECK(evaluate_in_good("count stages") == "3");
  CHECK(evaluate_in_good("read 2 L3.I1") == "3");
  CHECK(evaluate_in_good("in 2 L3.I1") == "(−4, 0)");
  CHECK(evaluate_in_good("bits 1 L1.I3") == "011");
  CHECK(evaluate_in_good("twiddle L3.I1") == "(0, −1)");
  CHECK(evaluate_in_good("power L3.I1") == "w_4^1");
  CHECK(evaluate_in_good("span L4.I0") == "8");
  CHECK(evaluate_in_good("stride L4.I0") == "4");
  CHECK(evaluate_in_good("largest F after end") == "0");
  CHECK(evaluate_in_good("run: parameter n") == "8");
  CHECK(evaluate_in_good("literal 1965") == "1965");
  CHECK(contains(evaluate_in_good("code L3.I1"), "TRACE_BUTTERFLY"));
  CHECK(contains(sentence_of([] { evaluate_in_good("other: count swaps"); }), "there is no run 'other'"));
  CHECK(contains(sentence_of([] { evaluate_in_good("count"); }), "this reference is written {{count WHAT"));
  CHECK(contains(sentence_of([] { evaluate_in_good("bits 3 L1.I3"); }), "has 2 of those, not 3"));
}

TEST_CASE("questions come from the trace, with one right answer among typical mistakes") {
  const Lesson lesson = good_lesson();
  struct Case {
    const char *ask, *at, *right, *mistake;
  };
  const Case cases[] = {{"partner", "L3.I1", "F[3]", "F[2]"},
                        {"span", "L3.I1", "4", "2"},
                        {"stride", "L3.I1", "2", "4"},
                        {"twiddle", "L3.I1", "(0, −1)", "(0, 1)"},
                        {"value", "L3.I1", "(−4, 4)", "(−4, −4)"},
                        {"idle", "L1", "6", "2"},
                        {"barriers", "L1", "0", "1"},
                        {"race", "", "No.", "Yes."},
                        {"next", "L3.I1", "F[4], F[6]", "F[1], F[3]"}};
  for (const Case& c : cases) {
    INFO("question ", std::string(c.ask));
    QuestionSpec spec;
    spec.ask = c.ask;
    spec.at = c.at;
    const Question question = make_question(spec, lesson, "run", lesson_runs());
    CHECK(!question.text.empty());
    CHECK(question.answers.size() >= 2);
    std::set<std::string> texts;
    int right = 0;
    bool mistake = false;
    for (const Answer& answer : question.answers) {
      texts.insert(answer.text);
      CHECK(!answer.why.empty());
      if (answer.right) {
        ++right;
        CHECK(answer.text == c.right);
      } else {
        mistake |= answer.text == c.mistake;
      }
    }
    CHECK(right == 1);
    CHECK_MESSAGE(mistake, "the typical mistake is offered");
    CHECK(texts.size() == question.answers.size());
  }
}

TEST_CASE("the partner of a swap is asked for with mistakes of reading backwards") {
  const auto whys = [](const char* algorithm, const char* at) {
    Complaints complaints("mine.md");
    const Lesson lesson = parse_lesson(with("\"fft-radix2\"\nn = 8", algorithm), "mine.md", "en", complaints);
    QuestionSpec spec;
    spec.ask = "partner";
    spec.at = at;
    std::map<std::string, std::string> said;
    for (const Answer& answer : make_question(spec, lesson, "run", lesson_runs()).answers) {
      CHECK(answer.right == answer.why.starts_with("Yes: "));
      said[answer.text] = answer.why;
    }
    return said;
  };
  auto bits = whys("\"fft-radix2\"\nn = 8", "L1.I3");
  CHECK(bits.size() == 3);
  CHECK(bits["data[6]"] == "Yes: 3 is written 011; backwards that is 110, which is 6.");
  CHECK(contains(bits["data[4]"], "every bit is flipped"));
  CHECK(contains(bits["data[5]"], "moved on by one place"));
  auto digits = whys("\"fft-radix4\"\nn = 16", "L1.I7");
  CHECK(digits["x[13]"] == "Yes: 7 is written 13; backwards that is 31, which is 13.");
  CHECK(contains(digits["x[14]"], "whole digits"));
}

TEST_CASE("which of two accesses costs more comes from sectors and banks, and each mistake has its reason") {
  Complaints complaints("mine.md");
  const Lesson lesson = parse_lesson(with("n = 8\n",
                                          "n = 8\n[runs.columns]\nalgorithm = \"gallery/strided-write\"\nn = 32\n"
                                          "[runs.banks]\nalgorithm = \"gallery/bank-conflict\"\nn = 32\n"
                                          "[runs.padded]\nalgorithm = \"gallery/bank-conflict-right\"\nn = 32\n"),
                                     "mine.md", "en", complaints);
  REQUIRE(complaints.list().empty());
  const auto evaluate_here = [&](const char* reference) {
    return evaluate(reference, lesson, "columns", lesson_runs());
  };
  CHECK(evaluate_here("cost sectors read 1 L1.I3") == "4");  // 32 floats side by side
  CHECK(evaluate_here("cost sectors write 1 L1.I3") == "32");
  CHECK(evaluate_here("cost fetched write 1 L1.I3") == count_text(1024));
  CHECK(evaluate_here("cost used write 1 L1.I3") == "128");
  CHECK(evaluate_here("cost sectors read 1 L1") == "128");  // all 32 sub-groups
  CHECK(evaluate_here("banks: cost passes read 1 L1.E1.I0") == "32");
  CHECK(evaluate_here("padded: cost passes read 1 L1.E1.I0") == "1");
  CHECK(contains(sentence_of([&] { evaluate_here("cost passes read 1 L1.I3"); }), "'passes' says nothing of x"));
  CHECK(
      contains(sentence_of([&] { evaluate_here("cost sectors read 2 L1.I3"); }), "no operation at L1.I3 has a read 2"));
  CHECK(contains(sentence_of([&] { evaluate_here("cost sectors peek 1 L1.I3"); }), "'peek 1' is no access"));

  const auto asked = [&](const QuestionSpec& spec) {
    const Question question = make_question(spec, lesson, "columns", lesson_runs());
    std::map<std::string, std::string> whys;
    std::string right;
    for (const Answer& answer : question.answers) {
      whys[answer.text] = answer.why;
      CHECK(!answer.why.empty());
      if (answer.right) {
        CHECK(right.empty());
        right = answer.text;
      }
    }
    CHECK(whys.size() == question.answers.size());
    return std::pair(right, whys);
  };
  QuestionSpec spec;
  spec.ask = "cost";
  spec.at = "L1.I0";
  spec.access = "write 1";
  spec.than_access = "read 1";
  const auto [right, whys] = asked(spec);
  CHECK(right == "writing y at L1.I0: 8 times as much");
  CHECK(contains(whys.at(right), "32 sectors against 4"));
  CHECK(contains(whys.at("reading x at L1.I0: 8 times as much"), "the 128 bytes are in only 4 sectors"));
  CHECK(contains(whys.at("Both cost the same."), "whole sectors"));
  CHECK(contains(whys.at("writing y at L1.I0: 32 times as much"), "So many work-items take part, 32"));

  spec = {};
  spec.ask = "cost";
  spec.run = "banks";
  spec.at = "L1.E1.I0";
  spec.than_run = "padded";
  CHECK(contains(sentence_of([&] { asked(spec); }), "both patterns are called 'reading tile at L1.E1.I0'"));
  spec.than_name.emplace_back().text = "with padding";
  CHECK(asked(spec).first == "reading tile at L1.E1.I0: 32 times as much");
  spec.access = "write 1";
  CHECK(asked(spec).first == "Both cost the same.");
  spec.than_access = "read 1";
  CHECK(contains(sentence_of([&] { asked(spec); }), "cannot be compared"));
}

TEST_CASE("the culprit and the finding of a broken kernel are asked for") {
  Complaints complaints("mine.md");
  const Lesson lesson = parse_lesson(with("fft-radix2", "gallery/stale-twiddle"), "mine.md", "en", complaints);
  REQUIRE(complaints.list().empty());
  for (const char* ask : {"culprit", "finding"}) {
    QuestionSpec spec;
    spec.ask = ask;
    const Question question = make_question(spec, lesson, "run", lesson_runs());
    CHECK(question.answers.size() >= 2);
    CHECK(std::count_if(question.answers.begin(), question.answers.end(), [](const Answer& a) { return a.right; }) ==
          1);
    // Work-item 2 is wrong in the next stage only: the question says of which it speaks.
    if (spec.ask == "culprit") CHECK(question.text == "The first mistake is in L3.S2. Which work-item makes it?");
  }
  QuestionSpec spec;
  spec.ask = "finding";
  for (const Answer& answer : make_question(spec, lesson, "run", lesson_runs()).answers)
    CHECK(answer.right == (answer.text == "a wrong twiddle factor"));
}

TEST_CASE("a lesson reads as plain text") {
  const std::string text = lesson_text(good_lesson(), lesson_runs());
  CHECK(contains(text, "Work-item 1 of this run writes F[1] = (−4, 4); see the butterfly."));
  CHECK(contains(text, "twiddle view fft-radix2 --n 8 --at L3.I1"));
  CHECK(!contains(text, "{{"));
}

TEST_CASE("Chinese lessons have one kind of spaces") {
  for (const auto& entry : std::filesystem::directory_iterator(resource("lessons/zh"))) {
    if (entry.path().extension() != ".md") continue;
    std::ifstream in(entry.path());
    int number = 0;
    bool code = false;
    for (std::string line; std::getline(in, line);) {
      ++number;
      if (line.starts_with("```")) code = line != "```" && !line.starts_with("```toml");
      if (code) continue;
      // A reference is a place; one that prints Chinese, or nothing, is none.
      std::string plain;
      for (std::size_t at = 0; at < line.size();) {
        const std::size_t open = line.find("{{", at), close = open == std::string::npos ? open : line.find("}}", open);
        plain += line.substr(at, open - at);
        if (close == std::string::npos) break;
        const std::string words = line.substr(open + 2, close - open - 2);
        const bool chinese = words.starts_with("true:") ||
                             (words.starts_with("is ") && static_cast<unsigned char>(words[3]) >= 0xE4) ||
                             (words.starts_with("see ") && words.find(": ") != std::string::npos);
        plain += chinese ? "" : "{}";
        at = close + 2;
      }
      CAPTURE(entry.path().filename().string());
      CAPTURE(number);
      CHECK(unspaced_chinese(plain) == "");
    }
  }
}

TEST_CASE("every lesson of the course holds, in every language") {
  std::map<std::string, Lesson> originals;
  Sample translations(10);
  for (const std::string_view language : lesson_languages())
    for (const std::string& id : course_ids()) {
      if (originals.count(id) > 0 && translations.skips()) continue;
      const auto file = course_file(id, language);
      Complaints complaints(file);
      Lesson lesson = load_lesson(file, language);
      check_lesson(lesson, lesson_runs(), complaints);
      const auto [original, first] = originals.try_emplace(id, lesson);
      if (!first) compare_languages(original->second, lesson, complaints);
      for (const Complaint& complaint : complaints.list()) FAIL_CHECK(complaint.text());
    }
  CHECK(originals.size() >= 3);
}
