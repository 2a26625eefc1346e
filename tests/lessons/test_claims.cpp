// What a lesson's sentences claim of a run: numbers in words, conditions, things that are named; and what is done, not chosen.
#include "lesson_runs.h"
#include "lessons/pages/lesson_guide.h"
#include "lessons/pages/pages.h"
#include "lessons/questions/questions.h"
#include "lessons/run/claims.h"
#include "lessons/run/figure.h"
#include "lessons/run/reference.h"
#include "lessons/run/stated_numbers.h"
#include "lessons/text/markdown.h"
#include "test_support.h"
#include "viewer/words/twiddle_name.h"

#include <doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace twiddle;

namespace {

std::string lesson_text_with(const std::string& sentence, const std::string& views = "\"butterfly\"") {
  return "# A title\n```toml lesson\nsummary = \"What it is about.\"\nminutes = 5\n[run]\nalgorithm = "
         "\"fft-radix2\"\nn = "
         "8\n[runs.single]\nalgorithm = \"fft-radix2-single\"\nn = 8\n[runs.race]\nalgorithm = "
         "\"gallery/wrong-sign\"\n[runs.large]\nalgorithm = \"fft-radix2\"\nn = 512\n```\n## A step\n```toml step\nat "
         "= "
         "\"L3.I1\"\nviews = [" +
         views + "]\n```\n" + sentence + "\n";
}

Lesson lesson_with(const std::string& sentence, const std::string& views = "\"butterfly\"") {
  Complaints complaints("mine.md");
  Lesson lesson = parse_lesson(lesson_text_with(sentence, views), "mine.md", "en", complaints);
  REQUIRE(complaints.list().empty());
  return lesson;
}

// What check says of a sentence; the first complaint, or nothing.
std::string complaint_of(const std::string& sentence, const std::string& views = "\"butterfly\"") {
  Complaints complaints("mine.md");
  check_lesson(lesson_with(sentence, views), lesson_runs(), complaints);
  return complaints.list().empty() ? "" : complaints.list().front().sentence;
}

Question question_of(const char* ask, const char* at, const char* find = "") {
  QuestionSpec spec;
  spec.ask = ask;
  spec.at = at;
  spec.find = find;
  return make_question(spec, lesson_with("Words."), "run", lesson_runs());
}

}  // namespace

TEST_CASE("numbers are read in the words of three languages and in digits") {
  struct Case {
    const char* words;
    double value;
    int digits = 0;
  };
  const std::vector<Case> cases = {{"four", 4},
                                   {"Twelve", 12},
                                   {"twenty-four butterflies", 24},
                                   {"a hundred and five", 105},
                                   {"two thousand and forty-eight", 2048},
                                   {"ten million", 1e7},
                                   {"2,048", 2048},
                                   {"2\u202F048 bytes", 2048},
                                   {"-3.50", -3.5, 2},
                                   {"half", 0.5},
                                   {"a third", 1.0 / 3},
                                   {"three quarters", 0.75},
                                   {"半分", 0.5},
                                   {"4分の1", 0.25},
                                   {"三分之二", 2.0 / 3},
                                   {"四つ", 4},
                                   {"二十八", 28},
                                   {"两个", 2},
                                   {"千二十四", 1024},
                                   {"三万", 30000},
                                   {"ステージ3", 3}};
  for (const Case& c : cases) {
    const auto number = number_in_words(c.words);
    CAPTURE(std::string(c.words));
    REQUIRE(number);
    CHECK(number->value == doctest::Approx(c.value));
    CHECK(number->digits == c.digits);
  }
  CHECK(!number_in_words("many"));
}

TEST_CASE("a number that a sentence says is held against the run") {
  struct Case {
    const char *sentence, *complaint;
  };
  const std::vector<Case> cases = {
      {"There are {{is four: count launches}}.", ""},
      {"There are {{is five: count launches}}.", "says five, the run has 4"},
      {"There are {{is twelve: count butterflies}}.", ""},
      {"Each does {{is four: count butterflies / 3}}.", ""},
      {"It is {{is two: single: span L1.S1.I0}}, then {{is eight: single: span L1.S3.I0}}.", ""},
      {"{{is Half: count launches / 8}} of the work-items.", ""},
      {"{{is a third: count launches / count butterflies}} of the butterflies.", ""},
      {"{{is half: count launches / count butterflies}} of the butterflies.", "says half, the run has 0.333333"},
      {"A third is {{is 1.33: count launches / 3}}.", ""},
      {"A third is {{is 1.34: count launches / 3}}.", "says 1.34, the run has 1.33333"},
      {"Some {{is ten: count butterflies, to 10}}.", ""},
      {"Some {{is many: count launches}}.", "'many' is no number; the run has 4"},
      {"{{is four: count launches +}}", "an expression ends too early"},
      {"{{true: count launches < count butterflies}}Right.", ""},
      {"{{true: count launches > count butterflies}}Wrong.",
       "says count launches > count butterflies, and the run has 4 and 12"},
      {"{{true: ( 2 + 2 ) * 3 = count butterflies}}Right.", ""},
      {"{{true: race: finding 1 class = 'wrong-twiddle'}}Right.", ""},
      {"{{true: every power in L4 < span / 2}}Right.", ""},
      {"{{true: every power in L4 < 3}}Wrong.", "says every of L4, and work-item 3 of launch 4 has 3 against 3"},
      {"{{true: no stride in L4 = 2}}Right.", ""},
      {"{{true: no stride in L4 = 4}}Wrong.", "says no of L4, and work-item 0 of launch 4 has 4 against 4"},
      {"The element `F[7]` is there.", ""},
      {"The element `F[8]` is not.", "F has 8 elements; there is no F[8]"},
  };
  for (const Case& c : cases) {
    CAPTURE(std::string(c.sentence));
    CHECK(complaint_of(c.sentence) == c.complaint);
  }
}

TEST_CASE("numbers beside things of a run are found in three languages, and nothing else is") {
  struct Case {
    const char *language, *sentence;
    std::vector<std::string> found;
  };
  const std::vector<Case> cases = {
      {"en", "It has four butterflies and two idle lanes.", {"four butterflies", "two idle lanes"}},
      {"en",
       "Half of the work-items wait, and a quarter of all lanes.",
       {"Half of the work-items", "quarter of all lanes"}},
      {"en", "It has half the stages of the first; {{is half: count stages / 6}} of the lanes.", {"half the stages"}},
      {"en", "Half of it goes to half of the block, half a turn, the upper half of the circle.", {}},
      {"ja",
       "半分のワークアイテムは待ち、スレッドの{{literal 4}}分の{{literal "
       "1}}は終わりました。半分の大きさです。ブロックの半分。",
       {"半分のワークアイテム", "スレッドの4分の1"}},
      {"zh", "一半的工作项在等待，三分之一的线程空闲。一半的数据，块的一半。", {"一半的工作项", "三分之一的线程"}},
      {"en", "In stage {{literal 3}} work-item {{literal 5}} waits.", {"stage 3", "work-item 5"}},
      {"en", "{{literal 1,024}} items in {{literal 2}} sub-groups", {"1,024 items", "2 sub-groups"}},
      {"en", "{{elsewhere 21}} launches, {{count stages}} stages, {{is four: count launches}} launches", {}},
      {"en", "No two work-items meet, one of the stages waits, and two of them do; one or two launches.", {}},
      {"en",
       "A two-dimensional array takes `four stages`; {{literal 0.5}} passes, {{literal 2}}^{{literal 20}} rows.",
       {}},
      {"en", "Two kernels load a row. Four, rows and all.", {}},
      {"en",
       "There are twelve small green butterflies, a hundred stages and a dozen launches.",
       {"twelve small green butterflies", "hundred stages", "dozen launches"}},
      {"en",
       "The number of butterflies is {{literal 40}}; launches: seven. Five of the stages, two of its barriers.",
       {"butterflies is 40", "launches: seven", "Five of the stages", "two of its barriers"}},
      {"en",
       "Stages {{literal 7}} and {{literal 8}}, banks {{literal 8}}, {{literal 16}} or {{literal 24}}.",
       {"Stages 7", "8", "banks 8", "16", "24"}},
      {"en", "In stage {{literal 3}}, eight butterflies.", {"stage 3", "eight butterflies"}},
      // What only reckons asks nothing of the run.
      {"en", "{{is twelve: 3 * 4}} butterflies, {{is 32: ( 8 * 4 )}}: it is a sum.", {"twelve butterflies"}},
      {"ja", "四つのバタフライと、{{literal 8}}個のサブグループ", {"四つのバタフライ", "8個のサブグループ"}},
      {"ja", "ステージ{{literal 3}}で起動は{{literal 2}}回。", {"ステージ3", "起動は2回"}},
      {"ja", "二次元の配列を一つのステージで。{{count stages}}個のステージ。", {}},
      {"zh", "两个线程，第 {{literal 3}} 级，{{literal 32}} 个存储体", {"两个线程", "3 级", "32 个存储体"}},
      {"zh", "每个工作项有两个编号。哪两个工作项？一个线程。{{is 4: count launches}} 次启动", {}},
  };
  for (const Case& c : cases) {
    CAPTURE(std::string(c.sentence));
    std::vector<std::string> found;
    for (const StatedNumber& number : stated_numbers(parse_inline(c.sentence, 1), c.language))
      found.push_back(number.words);
    CHECK(found == c.found);
  }
}

TEST_CASE("a sentence about the figure may not state a number that nothing holds") {
  const char* const unchecked =
      "says 'three stages', and nothing holds it against the run: write it {{is NUMBER: …}}, or {{elsewhere NUMBER}} "
      "where it is about another run";
  CHECK(complaint_of("After {{count launches}} launches the three stages are done.") == unchecked);
  CHECK(complaint_of("The figure has three stages.") == unchecked);
  CHECK(complaint_of("The figure has {{is three: count stages}} stages.").empty());
  CHECK(complaint_of("The figure has {{elsewhere 30}} stages of a larger run.").empty());
  CHECK(complaint_of("In stage {{literal 4}} the figure has {{count launches}} launches.") ==
        "names 'stage 4', which the step's run does not have");
  CHECK(complaint_of("The figure's stage {{literal 3}} has {{count butterflies in L4}} butterflies.").empty());
  // What is not about the figure is remarked, no more.
  Complaints complaints("mine.md");
  check_lesson(lesson_with("Any transform has three stages or more."), lesson_runs(), complaints);
  CHECK(complaints.list().empty());
  REQUIRE(complaints.remarks().size() == 1);
  CHECK(complaints.remarks()[0].sentence == "says 'three stages' without a check");
  // What can be counted beside.
  CHECK(complaint_of("{{is four: count twiddles}}, {{is 32: count banks}}, {{is 32: count lanes}}, {{is four: count "
                     "sub-groups}}, {{is one: count turns in L4}}")
            .empty());
}

TEST_CASE("a false sentence is refused where it would be shown, too") {
  CHECK(sentence_of([] { lesson_text(lesson_with("There are {{is five: count launches}}."), lesson_runs()); }) ==
        "mine.md:22: says five, the run has 4");
  CHECK(contains(lesson_text(lesson_with("{{true: 1 < 2}}There are {{is four: count launches}}."), lesson_runs()),
                 "There are four."));
}

TEST_CASE("what a sentence names is drawn in its figure") {
  CHECK(complaint_of("Look at {{see F[3]}} and {{see F[1]: the second row}}.").empty());
  CHECK(complaint_of("Look at {{see 'F'}}.").empty());
  // Five hundred rows are no rows that one could look at.
  const std::string large = lesson_text_with("Look at {{see F[511]}}.");
  std::string text = large;
  text.replace(text.find("at = \"L3.I1\""), 12, "run = \"large\"\nat = \"L3.I1\"");
  Complaints complaints("mine.md");
  const Lesson lesson = parse_lesson(text, "mine.md", "en", complaints);
  check_lesson(lesson, lesson_runs(), complaints);
  REQUIRE(complaints.list().size() == 1);
  CHECK(contains(complaints.list()[0].sentence,
                 "names F[511], which is not in the figure of this step as large as on a"));
  CHECK(contains(complaint_of("Look at {{see F[9]}}."), "there is no F[9]"));
  // An element in code, and a bank, where the paragraph is about the figure.
  CHECK(complaint_of("In the figure `F[3]` is read.").empty());
  CHECK(contains(complaint_of("In the figure `F[3]` is read.", "\"items\""), "names F[3], which is not in the figure"));
  CHECK(complaint_of("Any `F[3]` is read.", "\"items\"").empty());
  CHECK(
      contains(complaint_of("In the figure bank {{literal 3}} is asked."), "names bank 3, which is not in the figure"));
  CHECK(complaint_of("In the figure bank {{literal 77}} is asked.") ==
        "names 'bank 77', which the step's run does not have");
  CHECK(contains(complaint_of("Look at {{see 'no such words'}}."), "which is not in the figure"));
}

TEST_CASE("a page frames what a sentence names where its figure shows it, and begins there") {
  const Lesson lesson =
      lesson_with("Work-item 1 reads {{see F[3]}} and {{see F[1]: the second row}}; {{value F[1] after L3}}.");
  const FigurePlace place = place_of(lesson, lesson.steps[0], lesson_runs());
  const Scene scene =
      figure_scene(place.run->document(), place, "butterfly", theme(ThemeName::Light), page_figure_width, "en");
  const std::vector<Box> boxes = places_of(*parse_claim("see F[3]"), place, scene);
  REQUIRE(boxes.size() == 1);
  // The node of the third column: F[3] was written in the second launch, and is again in the third.
  CHECK(boxes[0].x > scene.width * 0.3f);
  CHECK(boxes[0].right() < scene.width * 0.9f);
  CHECK(places_of(*parse_claim("see 'no such words'"), place, scene).empty());
  CHECK(places_of(*parse_claim("see 'F'"), place, scene).size() >= 1);
  const std::string page = lesson_page(lesson, lesson_runs());
  CHECK(times_in(page, "class=\"see\" data-see=\"0 ") == 2);
  const std::size_t at = page.find("data-focus=\"");
  REQUIRE(at != std::string::npos);
  double from = 0, to = 0;
  REQUIRE(std::sscanf(page.c_str() + at, "data-focus=\"%lf %lf\"", &from, &to) == 2);
  CHECK(from == doctest::Approx(boxes[0].x / scene.width).epsilon(0.01));
  CHECK(to == doctest::Approx(boxes[0].right() / scene.width).epsilon(0.01));
}

TEST_CASE("a click, an order and places on the circle are judged by the log, each mistake with what it is") {
  const Question click = question_of("click", "L3.I1");
  CHECK(click.answers.size() == 8);
  REQUIRE(click.rounds.size() == 1);
  CHECK(click.answers[click.rounds[0].right].text == "F[3]");
  CHECK(contains(click.rounds[0].why[1], "starts from"));
  CHECK(contains(click.rounds[0].why[6], "read by work-item 2"));

  const Question order = question_of("order", "L2", "write");
  REQUIRE(order.rounds.size() == 4);
  std::vector<std::string> sequence;
  for (const Round& round : order.rounds) sequence.push_back(order.answers[round.right].text);
  CHECK(sequence == std::vector<std::string>{"F[0]", "F[2]", "F[4]", "F[6]"});

  const Question place = question_of("place", "L4");
  REQUIRE(place.rounds.size() == 4);
  CHECK(place.answers.size() == 16);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(place.rounds[k].prompt == "w_8^" + std::to_string(k));
    CHECK(place.rounds[k].right == 2 * k);
    std::set<std::string> told(place.rounds[k].why.begin(), place.rounds[k].why.end());
    CHECK(told.size() >= 6);
  }
  // Clockwise is downwards from 1 at the right: a page's y is upwards.
  const std::string page =
      lesson_page(lesson_with("Words.\n\n```toml question\nask = \"place\"\nat = \"L4\"\n```"), lesson_runs());
  CHECK(contains(page, "--x:0.7071;--y:-0.7071\" aria-label=\"45° clockwise from 1\""));
  CHECK(contains(place.rounds[3].why[10], "the conjugate"));
  CHECK(contains(place.rounds[1].why[10], "half a turn"));
  CHECK(contains(sentence_of([] { question_of("place", "L2"); }), "different twiddle factors"));
  // What each would have done: the log's butterfly with another factor.
  CHECK(contains(place.rounds[3].why[10], "F[3] would become (1.657, −4); the log has (−4, 1.657)."));
  CHECK(!contains(place.rounds[3].why[6], "would"));
  REQUIRE(place.rounds[3].turning);
  const Turning& turning = *place.rounds[3].turning;
  CHECK(turning.reads == std::array<std::string, 2>{"F[3]", "F[7]"});
  CHECK(std::abs(turning.outputs(std::polar(1.0, -2.356194490192345))[1] - turning.logged[1]) < 1e-5);
}

TEST_CASE("a factor behind the butterfly turns the difference, and one that turns 0 is not seen") {
  using Complex = Turning::Complex;
  const Turning behind{
      {"x[0]", "x[1]"}, {"x[0]", "x[1]"}, {Complex{3, 0}, Complex{1, 0}}, {Complex{4, 0}, Complex{0, -2}}, true};
  CHECK(behind.outputs({0, -1}) == std::array<Complex, 2>{Complex{4, 0}, Complex{0, -2}});
  CHECK(would_be(behind, {0, 1}, "en") == "x[1] would become (0, 2); the log has (0, −2).");
  const Turning nothing{
      {"x[0]", "x[1]"}, {"x[0]", "x[1]"}, {Complex{3, 0}, Complex{0, 0}}, {Complex{3, 0}, Complex{3, 0}}, false};
  CHECK(would_be(nothing, {0, 1}, "en") == "x[0] would be the same here: what is turned is 0.");
}

TEST_CASE("in the window a factor is put on a circle, and what is pointed at says what the outputs would be") {
  LessonGuide guide("en", load_lesson(course_file("twiddles-on-the-circle", "en"), "en"), lesson_runs(), {});
  const auto asked = [&] {
    const auto& questions = guide.lesson()->steps[guide.step()].questions;
    return static_cast<std::size_t>(
        std::find_if(questions.begin(), questions.end(), [](const auto& q) { return q.ask == "place"; }) -
        questions.begin());
  };
  while (asked() == guide.lesson()->steps[guide.step()].questions.size()) REQUIRE(guide.page(1));
  const auto words = [&] {
    std::string all;
    for (const Shape2D& shape : guide.draw(360, 15, false).shapes)
      if (const auto* text = std::get_if<TextShape>(&shape.geometry)) all += text->text + " ";
    return all;
  };
  const auto point = [&](std::uint64_t at) {
    return Mark{.kind = MarkKind::Command, .index = asked(), .item = at, .command = "guide:answer"};
  };
  for (std::uint64_t round = 0; round < 3; ++round) guide.click(point(2 * round));
  CHECK(contains(words(), "Point at a place"));
  guide.point_at(point(10));
  CHECK_MESSAGE(contains(words(), "At 225°: F[3] = (1.657, −4), F[7] = (−9.657, −4)"), words());
  guide.click(point(10));
  CHECK(contains(words(), "✗"));
  guide.point_at(std::nullopt);
  guide.click(point(6));
  CHECK(contains(words(), "4 of 4 in place"));
}

TEST_CASE("a reason is praised once, and a mistake is told without praise") {
  CHECK(verdict({"", "Yes: it is.", true}, "en") == "Yes: it is.");
  CHECK(verdict({"", "It is.", true}, "en") == "Right. It is.");
  CHECK(verdict({"", "It is not.", false}, "en") == "Not so. It is not.");
  CHECK(verdict({"", "正解です。", true}, "ja") == "正解です。");
}

TEST_CASE("wrong answers about findings say what each mistake would have done") {
  Lesson lesson = lesson_with("Words.");
  QuestionSpec spec;
  spec.ask = "finding";
  const Question question = make_question(spec, lesson, "race", lesson_runs());
  std::set<std::string> whys;
  for (const Answer& answer : question.answers) whys.insert(answer.why);
  CHECK(whys.size() == question.answers.size());
}

TEST_CASE("minutes of steps add up, and an answer key has every answer with its reason") {
  std::string text = lesson_text_with("Words.");
  text.replace(text.find("at = \"L3.I1\""), 12,
               "minutes = 4\nanswer = \"It doubles.\"\ntry = \"Double it.\"\nat = \"L3.I1\"");
  text += "```toml question\nask = \"twiddle\"\nat = \"L3.I1\"\n```\n";
  Complaints complaints("mine.md");
  const Lesson lesson = parse_lesson(text, "mine.md", "en", complaints);
  check_lesson(lesson, lesson_runs(), complaints);
  REQUIRE(complaints.list().size() == 1);
  CHECK(complaints.list()[0].sentence == "its steps take 4 minutes, the lesson says 5");
  const std::string key = key_page(lesson, lesson_runs());
  CHECK(contains(key, "(0, −1)"));
  CHECK(contains(key, "it turns the other way"));
  CHECK(contains(key, "It doubles."));
  CHECK(contains(key, "w<sub>4</sub><sup>1</sup>"));  // as on the page
  const std::string page = lesson_page(lesson, lesson_runs());
  CHECK(!contains(page, "it turns the other way"));
  CHECK(contains(page, "What is seen then"));
}
