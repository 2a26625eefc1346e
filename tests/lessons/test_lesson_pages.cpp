// Lessons as they are shown: text that fits in every language, pages for print and for the web, the window's guide, and
// what it keeps of the reader's progress.
#include "lesson_runs.h"
#include "lessons/pages/lesson_guide.h"
#include "lessons/pages/operation_plots.h"
#include "lessons/pages/pages.h"
#include "lessons/questions/questions.h"
#include "lessons/run/figure.h"
#include "lessons/text/glossary.h"
#include "lessons/text/library.h"
#include "lessons/text/progress.h"
#include "lessons/text/text_layout.h"
#include "sample.h"
#include "scene_texts.h"
#include "synthetic_trace.h"
#include "test_support.h"
#include "viewer/control/window_control.h"
#include "viewer/document/document.h"
#include "viewer/facts/trace_facts.h"
#include "viewer/frame/window_scene.h"
#include "viewer/panels/panels.h"
#include "viewer/scene/fonts.h"
#include "viewer/scene/languages.h"
#include "viewer/state/window_layout.h"

#include <doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <vector>

using namespace twiddle;

namespace {

// What is wrong with a column of text: a text that leaves it, or two that overlap. Empty: nothing.
std::string misplaced(const Scene& scene, float width) {
  std::vector<std::pair<Box, std::string>> texts;
  for (const Shape2D& shape : scene.shapes) {
    const auto* text = std::get_if<TextShape>(&shape.geometry);
    if (!text || text->text.empty()) continue;
    const Box box = bounds(shape);
    if (box.x < -1 || box.right() > width + 1) return "leaves the column: " + text->text;
    for (const auto& [other, words] : texts)
      if (box.x + 0.6f < other.right() && other.x + 0.6f < box.right() && box.y + 1 < other.bottom() &&
          other.y + 1 < box.bottom())
        return "overlap: " + words + " | " + text->text;
    texts.emplace_back(box, text->text);
  }
  return "";
}

}  // namespace

TEST_CASE("the text of every lesson fits its column, in every language") {
  Sample sample(10);
  for (const std::string_view language : lesson_languages()) {
    use_language(language_of(language));
    for (const std::string& id : course_ids()) {
      if (sample.skips()) continue;
      const Lesson lesson = load_lesson(course_file(id, language), language);
      for (const float width : {280.0f, 520.0f})
        for (const LessonStep& step : lesson.steps) {
          TextLayout text(width, 15, language_of(language));
          text.title(step.title);
          for (const TextBlock& block : resolved(step.text, lesson, step.figure.run, lesson_runs())) text.block(block);
          for (const QuestionSpec& spec : step.questions)
            for (const Answer& answer :
                 resolved_question(spec, lesson, step.figure.run, lesson_runs(), Builds::Later).answers)
              text.button(answer.text, {}, AnswerSign::Open);
          const Scene scene = text.take();
          const std::string wrong = misplaced(scene, width);
          CHECK_MESSAGE(wrong.empty(), std::string(language), " ", id, " ", step.title, ": ", wrong);
          CHECK(scene.height > 0);
        }
    }
  }
  use_language(Language::English);
}

TEST_CASE("no line begins with a closing mark or ends with an opening one") {
  TextRun run;
  for (int i = 0; i < 60; ++i) run.text += "変換、「和」です。";
  for (float width = 60; width < 200; width += 7) {
    TextLayout text(width, 15, Language::Japanese);
    text.paragraph({run});
    const Scene scene = text.take();
    for (const Shape2D& shape : scene.shapes)
      if (const auto* line = std::get_if<TextShape>(&shape.geometry); line && line->at.x < 1)
        for (const char* mark : {"、", "。", "」"}) CHECK_MESSAGE(!line->text.starts_with(mark), line->text);
  }
}

TEST_CASE("a page of a lesson has its formulas, its figures and its answers, and nothing foreign in it") {
  const Lesson lesson = load_lesson(course_file("dft", "en"), "en");
  const std::string page = lesson_page(lesson, lesson_runs());
  CHECK(contains(page, "w<sub>N</sub><sup>jk</sup>"));
  CHECK(contains(page, "<figure class=\"drawing\" data-player=\"0\" data-step=\"0\""));
  CHECK(contains(page, "role=\"status\""));
  CHECK(!contains(page.substr(0, page.find("<script type=\"application/json\"")), "{{"));
  CHECK(!contains(page, "href=\"even-and-odd.html\""));  // alone, a page links nowhere
  LessonPageOptions options;
  options.link = [](const std::string& id) { return id + ".html"; };
  options.next = "even-and-odd.html";
  CHECK(contains(lesson_page(lesson, lesson_runs(), options), "href=\"even-and-odd.html\""));
}

TEST_CASE("a paragraph that reads another operation than its figures show has them go there") {
  const Lesson lesson = load_lesson(course_file("twiddles-on-the-circle", "en"), "en");
  const auto positions = [](const Lesson& of, const std::string& title) {
    const auto step =
        std::find_if(of.steps.begin(), of.steps.end(), [&](const LessonStep& one) { return one.title == title; });
    REQUIRE(step != of.steps.end());
    std::vector<std::string> found;
    for (const TextBlock& block : step->text)
      if (const std::string at = position_of_words(of, *step, block, lesson_runs()); !at.empty()) found.push_back(at);
    return found;
  };
  CHECK(positions(lesson, "Where each one sits") == std::vector<std::string>{"L4.S3.I2"});  // the figure is at L4.S3.I3
  CHECK(positions(lesson, "How many cosines does an FFT need?").empty());
  // One that names the figure's own operation, too, leaves it there.
  CHECK(positions(load_lesson(course_file("memory", "en"), "en"), "A sector at a time").empty());

  const std::string page = lesson_page(lesson, lesson_runs());
  const LessonStep& step = lesson.steps[2];
  LessonStep there = step;
  there.figure.at = "L4.S3.I2";
  REQUIRE(step.title == "Where each one sits");
  CHECK(contains(page, fmt::format("\" data-step=\"{}\">Cut the circle", place_of(lesson, there, lesson_runs()).step)));
}

TEST_CASE("a butterfly at work is on its circle and in its plane, a whole stage is not") {
  const Lesson lesson = load_lesson(course_file("twiddles-on-the-circle", "en"), "en");
  const std::string page = lesson_page(lesson, lesson_runs());
  CHECK(times_in(page, "<figure class=\"plots\"") == 5);  // steps 2 to 6: each at one work-item
  CHECK(contains(page, "−135°"));
  CHECK(contains(page, ">Twiddle and values at L4.S3.I3</title>"));
}

TEST_CASE("factors that are no powers of a butterfly's own points are named on a circle that has them all") {
  // cuFFT turns after a butterfly of four points, by w8: on a circle of four they would all be w4^0.
  const Lesson lesson = load_lesson(course_file("what-cufft-does", "en"), "en");
  use_language(Language::English);
  const auto step = std::find_if(lesson.steps.begin(), lesson.steps.end(),
                                 [](const LessonStep& one) { return one.figure.at == "L1.E1.I1"; });
  REQUIRE(step != lesson.steps.end());
  const auto plots = operation_plots(place_of(lesson, *step, lesson_runs()), step->figure.views, step->figure.at,
                                     theme(ThemeName::Light), page_figure_width, "en");
  REQUIRE(plots);
  std::multiset<std::string> texts;
  for (const Shape2D& shape : plots->shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.geometry)) texts.insert(text->text);
  CHECK(texts.count("8") == 4);
  for (const char* exponent : {"0", "2", "3"}) CHECK(texts.count(exponent) == 1);
}

TEST_CASE("a course's index numbers its lessons from 0, and has a way through it for each kind of reader") {
  std::vector<ContentsEntry> entries;
  for (const CourseEntry& entry : course("en"))
    entries.push_back(
        {entry.id + ".html", entry.title, entry.summary, entry.minutes, entry.number, entry.id, entry.group, {}, {}});
  const std::string page = contents_page("en", entries, {});
  CHECK(contains(page, "<span class=\"number\">0</span>"));
  CHECK(times_in(page, "data-path=") == 3);
  CHECK(contains(page, "9 lessons, "));
  CHECK(contains(page, fmt::format("{} lessons, ", entries.size())));
  // A path's lessons are all there; of other lessons nothing of the kind is said.
  entries.resize(2);
  CHECK(times_in(contents_page("en", entries, {}), "data-path=") == 0);
}

TEST_CASE("questions about a CUDA kernel are asked of threads, those about an OpenCL kernel of work-items") {
  for (const std::string_view language : lesson_languages()) {
    const Lesson lesson = load_lesson(course_file("what-cufft-does", std::string(language)), std::string(language));
    const std::size_t which = language == "en" ? 0 : language == "ja" ? 1 : 2;
    const char *const item = std::array{"work-item", "ワークアイテム", "工作项"}[which], *const thread = std::array{
                                                                                             "thread", "スレッド",
                                                                                             "线程"}[which];
    int of_threads = 0, of_items = 0;
    for (const LessonStep& step : lesson.steps)
      for (const QuestionSpec& spec : step.questions) {
        if (spec.ask == "choice") continue;
        const std::string& run = spec.run.empty() ? step.figure.run : spec.run;
        const bool cuda = lesson_runs().run(lesson.run_named(run)->request).info().dialect() == Dialect::Cuda;
        const Question question = resolved_question(spec, lesson, step.figure.run, lesson_runs());
        std::string all = question.text;
        for (const Answer& answer : question.answers) all += "\n" + answer.text + "\n" + answer.why;
        for (const Round& round : question.rounds) {
          all += "\n" + round.prompt;
          for (const std::string& why : round.why) all += "\n" + why;
        }
        CAPTURE(all);
        CHECK(!contains(all, cuda ? item : thread));
        (cuda ? of_threads : of_items) += contains(all, cuda ? thread : item) ? 1 : 0;
      }
    CHECK(of_threads > 0);
    CHECK(of_items > 0);
  }
}

TEST_CASE("what is to be tried is a figure of the page, which the reader sees with the answer") {
  const Lesson lesson = load_lesson(course_file("butterfly", "en"), "en");
  const std::string page = lesson_page(lesson, lesson_runs());
  CHECK(times_in(page, "<details><summary>What is seen then</summary>") == 1);
  CHECK(times_in(page, "<div class=\"tried\">") == 1);
  const std::string tried = page.substr(page.find("<div class=\"tried\">"));
  CHECK(contains(tried, "<code>twiddle view fft-radix2 --n 8 --signal cosine:2</code>"));
  // It steps as the others do, with a player of its own.
  const std::string figure = tried.substr(0, tried.find("</figure>"));
  CHECK(contains(figure, "<figure class=\"drawing\" data-player=\""));
  CHECK(contains(figure, "<button type=\"button\" class=\"mount\">"));
  CHECK(contains(page, ".tried { display: none; }"));
  // A printed lesson has the answer at its end.
  std::string last;
  const std::vector<Scene> printed = lesson_print(lesson, lesson_runs());
  for (const Shape2D& shape : printed.back().shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.geometry)) last += text->text;
  CHECK_MESSAGE(contains(last, "Try it: All but two"), last);
}

TEST_CASE("a printed lesson keeps to its pages") {
  for (const char* language : {"en", "ja", "zh"}) {
    const Lesson lesson = load_lesson(course_file("butterfly", language), language);
    use_language(language_of(language));
    const std::vector<Scene> pages = lesson_print(lesson, lesson_runs());
    REQUIRE(pages.size() >= 2);
    for (const Scene& page : pages)
      for (const Shape2D& shape : page.shapes)
        if (const auto* text = std::get_if<TextShape>(&shape.geometry)) {
          const Box box = bounds(shape);
          CHECK_MESSAGE((box.x >= 0 && box.right() <= page.width && box.bottom() <= page.height), text->text);
        }
    use_language(Language::English);
  }
#if TWIDDLE_HAVE_RSVG
  const std::vector<std::byte> pdf = lesson_pdf(load_lesson(course_file("inverse", "zh"), "zh"), lesson_runs());
  CHECK(pdf.size() > 5000);
#endif
}

TEST_CASE("progress is kept, and what cannot be read counts as none") {
  const synthetic::Folder folder;
  const auto file = folder / "deep/er/lessons.json";
  CHECK(read_progress(file).empty());
  CHECK(write_progress(file, {{"dft", {2, 4, 1, 1}}}));
  CHECK(read_progress(file).at("dft") == LessonProgress{2, 4, 1, 1});
  for (const char* text : {"", "[]", "{\"dft\": 7}", "{\"dft\": {\"seen\": -5, \"steps\": \"x\"}}", "{{{{"}) {
    std::ofstream(file) << text;
    for (const auto& [id, progress] : read_progress(file)) CHECK(progress == LessonProgress{});
  }
  CHECK(!write_progress("/proc/nobody/lessons.json", {}));
}

TEST_CASE("progress of foreign names is kept, with others that write, and a failure leaves nothing behind") {
  const synthetic::Folder folder;
  const auto file = folder / "lessons.json";
  CHECK(write_progress(file, {{"own\xff", {1, 2, 0, 0}}}));  // of a file in another encoding
  CHECK(read_progress(file).size() == 1);
  // Another window is about to write it, under whatever name.
  std::filesystem::create_directory(folder / "lessons.json.new");
  CHECK(write_progress(file, {{"dft", {2, 4, 1, 1}}}));
  CHECK(read_progress(file).at("dft") == LessonProgress{2, 4, 1, 1});
  std::filesystem::create_directories(folder / "taken/lessons.json");
  CHECK(!write_progress(folder / "taken/lessons.json", {}));
  CHECK(std::distance(std::filesystem::directory_iterator(folder / "taken"), {}) == 1);
}

TEST_CASE("progress that cannot be kept is said once, and the lesson goes on") {
  const synthetic::Folder folder;
  const auto file = folder / "lessons.json";
  std::filesystem::create_directory(file);
  LessonGuide guide("en", load_lesson(course_file("dft", "en"), "en"), lesson_runs(), file);
  CHECK(guide.complaint().find("your progress cannot be kept") == 0);
  CHECK(guide.page(1));
  CHECK(guide.complaint().empty());
  CHECK(guide.step() == 1);
  // It is again when it could be kept in between.
  std::filesystem::remove(file);
  CHECK(guide.page(1));
  CHECK(guide.complaint().empty());
  CHECK(read_progress(file).at("dft").steps_seen == 3);
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  CHECK(guide.page(1));
  CHECK(guide.complaint().find(file.string()) != std::string::npos);
}

TEST_CASE("the guide turns through the whole course, asks, and keeps what was answered") {
  const synthetic::Folder folder;
  const auto file = folder / "lessons.json";
  LessonGuide guide("en", std::nullopt, lesson_runs(), file);
  CHECK(guide.in_contents());
  CHECK(guide.place().trace != nullptr);
  CHECK(!guide.page(-1));
  std::size_t steps = 0;
  for (const std::string& id : course_ids()) steps += load_lesson(course_file(id, "en"), "en").steps.size();
  std::size_t turned = 0;
  while (turned <= steps && guide.page(1)) {
    ++turned;
    const Guide::Place place = guide.place();
    REQUIRE(place.trace != nullptr);
    CHECK(place.step <= place.trace->info().steps);
    CHECK(guide.complaint().empty());
  }
  CHECK(turned == steps);
  CHECK(guide.page(-1));
  CHECK(read_progress(file).size() == course_ids().size());

  // A wrong answer first, then the right one: the reason is given each time, and no point.
  guide.click({MarkKind::Command, 0, -1, -1, 0, 0, 0, "guide:contents"});
  CHECK(guide.in_contents());
  guide.click({MarkKind::Command, 0, -1, -1, 5, 0, 0, "guide:lesson"});
  REQUIRE(guide.lesson());
  CHECK(guide.lesson()->id == "butterfly");
  guide.page(1);
  const auto words = [&] {
    std::string all;
    for (const Shape2D& shape : guide.draw(400, 15, false).shapes)
      if (const auto* text = std::get_if<TextShape>(&shape.geometry)) all += text->text;
    return all;
  };
  const std::string before = words();
  for (std::uint64_t answer = 0; answer < 3; ++answer)
    CHECK(guide.click({MarkKind::Command, 0, -1, -1, 0, 0, answer, "guide:answer"}));
  CHECK(words().size() > before.size());
  CHECK(!guide.click({MarkKind::Command, 0, -1, -1, 999, 0, 0, "guide:answer"}));
  CHECK(!guide.click({MarkKind::Command, 0, -1, -1, 0, 0, 999, "guide:answer"}));

  // In another language it goes on where it was, with what was answered.
  CHECK(guide.use_language(Language::Chinese));
  CHECK(guide.step() == 1);
  CHECK(contains(words(), "代入数值"));
  CHECK(!guide.use_language(Language::Chinese));
}

TEST_CASE("the window hides findings until the reader has answered") {
  LessonGuide guide("en", load_lesson(course_file("find-the-bug", "en"), "en"), lesson_runs(), {});
  CHECK(!guide.place().secret);  // the first step asks nothing about findings
  guide.page(1);
  Guide::Place place = guide.place();
  CHECK(place.secret);
  Document document(place.trace);
  CHECK(!facts_of(document).notes.empty());
  keep_findings_back(document, place.secret);
  CHECK(facts_of(document).notes.empty());
  // Nor does the bar name the kernel, whose name says what is wrong with it.
  const WindowState state;
  const auto names_it = [&] {
    return shows(top_bar_panel(PanelContext(document, state, facts_of(document)), 1280, 48), "stale-twiddle");
  };
  CHECK(!names_it());
  // Two questions about what is wrong: a wrong answer shows nothing, each wants its right one.
  const Lesson lesson = load_lesson(course_file("find-the-bug", "en"), "en");
  const LessonStep& step = lesson.steps[1];
  REQUIRE(step.questions.size() >= 2);
  for (const bool right : {false, true})
    for (std::uint64_t q = 0; q < 2; ++q) {
      CHECK(guide.place().secret);
      const Question question = resolved_question(step.questions[q], lesson, step.figure.run, lesson_runs());
      const auto given = std::find_if(question.answers.begin(), question.answers.end(),
                                      [&](const Answer& answer) { return answer.right == right; });
      REQUIRE(given != question.answers.end());
      const auto number = static_cast<std::uint64_t>(given - question.answers.begin());
      guide.click({MarkKind::Command, 0, -1, -1, q, 0, number, "guide:answer"});
    }
  place = guide.place();
  CHECK(!place.secret);
  keep_findings_back(document, place.secret);
  CHECK(!facts_of(document).notes.empty());
  CHECK(names_it());
}

TEST_CASE("type of a figure that is too small on a page is found") {
  const auto found = [](const char* text, float size) {
    Scene scene;
    scene.text({10, 20}, text, {Face::Mono, Weight::Regular, size}, Role::Ink);
    return too_small_text(scene) != nullptr;
  };
  CHECK(!found("F[3]", 11));
  CHECK(found("F[3]", 10.5f));
  CHECK(!found("−16", 9));  // above a span
  CHECK(found("−16", 8.5f));
  CHECK(found("− 16", 9));
}

TEST_CASE("a step of several views leads to each of them, and back to the first with the next page") {
  LessonGuide guide("en", load_lesson(course_file("memory", "en"), "en"), lesson_runs(), {});
  // What is shown is no right answer: it has no tick.
  const Scene drawn = guide.draw(400, 15, false);
  CHECK(std::none_of(drawn.shapes.begin(), drawn.shapes.end(), [](const Shape2D& shape) {
    const auto* line = std::get_if<LineShape>(&shape.geometry);
    return line && line->points.size() == 3;
  }));
  CHECK(guide.place().view == "items");
  CHECK(guide.click({MarkKind::Command, 0, -1, -1, 1, 0, 0, "guide:view"}));
  CHECK(guide.place().view == "memory");
  CHECK(!guide.click({MarkKind::Command, 0, -1, -1, 2, 0, 0, "guide:view"}));
  guide.page(1);
  guide.page(-1);
  CHECK(guide.place().view == "items");
}

TEST_CASE("a bank that another access was put into can be wrong for the next") {
  LessonGuide guide("en", load_lesson(course_file("memory", "en"), "en"), lesson_runs(), {});
  for (int step = 0; step < 4; ++step) guide.page(1);
  const auto verdict_after = [&](std::uint64_t bank) {
    CHECK(guide.click({MarkKind::Command, 0, -1, -1, 0, 0, bank, "guide:answer"}));
    std::string all;
    for (const Shape2D& shape : guide.draw(400, 15, false).shapes)
      if (const auto* text = std::get_if<TextShape>(&shape.geometry)) all += text->text;
    return all;
  };
  CHECK(contains(verdict_after(0), "Right."));
  CHECK(contains(verdict_after(1), "2 of 8 in place"));
  const std::string again = verdict_after(1);
  CHECK(contains(again, "2 of 8 in place"));
  CHECK(!contains(again, "Right."));
}

TEST_CASE("a lesson is beside its views in the window, at any size") {
  LessonGuide guide("ja", load_lesson(course_file("butterfly", "ja"), "ja"), lesson_runs(), {});
  const Guide::Place place = guide.place();
  Document document(place.trace);
  for (const auto& [width, height] : {std::pair{640.0f, 480.0f}, {1440.0f, 900.0f}, {3840.0f, 2160.0f}})
    for (const bool presenting : {false, true}) {
      WindowState state;
      state.guide = &guide;
      state.width = width, state.height = height;
      state.presenting = presenting;
      state.cursor.step = place.step;
      state.language = Language::Japanese;
      const WindowLayout layout = window_layout(state);
      CHECK(layout.left.w > 100);
      CHECK(layout.diagram.w >= layout.left.w * 0.9f);
      CHECK((width >= 1600 || layout.right.w == 0));  // the operation is in the strip: the diagram has the room
      CHECK(layout.left.right() <= layout.diagram.x + 1);
      const Scene scene = window_scene(document, state);
      bool title = false, next = false, notes = false;
      for (const Shape2D& shape : scene.shapes)
        if (const auto* text = std::get_if<TextShape>(&shape.geometry))
          title |= contains(text->text, "二つ入れて"), notes |= contains(text->text, "授業用メモ");
      for (const MarkText& mark : scene.marks) next |= mark.mark.command == "guide:next";
      CHECK(title);
      CHECK(next == !presenting);  // no buttons on a slide
      CHECK(notes == !presenting);
    }
}

TEST_CASE(
    "a remote's keys turn the guide's pages, its marks go to it, and Shift+L changes the language of everything") {
  LessonGuide guide("en", load_lesson(course_file("butterfly", "en"), "en"), lesson_runs(), {});
  CHECK(guide.notes() == "Play the one operation slowly: read, multiply, add and subtract, write.");
  CHECK(guide.next() == guide.lesson()->steps[1].title);
  Document document(guide.place().trace);
  int turned = 0;
  std::string clicked;
  std::vector<Language> spoken;
  WindowActions actions;
  actions.turn_page = [&](int by) { turned += by; };
  actions.guide = [&](const Mark& mark) { clicked = mark.command; };
  actions.language = [&](Language language) { spoken.push_back(language); };
  WindowControl control(document, actions);
  control.state().guide = &guide;
  control.resize(1440, 900);
  CHECK(control.key({"Page Down"}));
  CHECK(control.key({"Page Down"}));
  CHECK(control.key({"Page Up"}));
  CHECK(turned == 1);
  CHECK(control.state().cursor.step == 0);  // nothing else moved

  const Scene scene = window_scene(document, control.state());
  for (const MarkText& mark : scene.marks)
    if (mark.mark.command == "guide:next") {
      control.press(&mark, {100, 100});
      control.release({100, 100});
    }
  CHECK(clicked == "guide:next");

  CHECK(control.key({"L", false, true}));
  CHECK(control.state().language == Language::Japanese);
  CHECK(control.key({"L", false, true}));
  CHECK(control.key({"L", false, true}));
  CHECK(control.state().language == Language::English);
  CHECK(spoken == std::vector<Language>{Language::Japanese, Language::Chinese, Language::English});
}

TEST_CASE("a bold term leads to the glossary the first time, in each language") {
  const std::vector<Term> terms = parse_glossary(
      "# G\n\n| English | 日本語 | 简体中文 |\n|---|---|---|\n| sub-group (warp) | サブグループ（ワープ） | "
      "子组（线程束） |\n| host, device | ホスト、デバイス | "
      "主机、设备 |\n| cut short |\n");
  REQUIRE(terms.size() == 2);
  CHECK(terms[0].id == "sub-group-warp");
  for (const auto& [words, language] : std::vector<std::pair<const char*, const char*>>{
           {"sub-group", "en"}, {"Sub-groups", "en"}, {"warp", "en"}, {"ワープ", "ja"}, {"线程束", "zh"}})
    CHECK(term_of(words, language, terms) == &terms[0]);
  CHECK(term_of("device", "en", terms) == &terms[1]);
  CHECK(term_of("", "en", terms) == nullptr);
  CHECK(term_of("group", "en", terms) == nullptr);
  // All of the course's own glossary is read, and each term has an address of its own.
  std::set<std::string> ids;
  for (const Term& term : glossary()) ids.insert(term.id);
  CHECK(ids.size() == glossary().size());
  CHECK(ids.size() > 40);

  LessonPageOptions options;
  options.glossary = "glossary.html";
  const Lesson lesson = load_lesson(course_file("memory", "en"), "en");
  const std::string page = lesson_page(lesson, lesson_runs(), options);
  CHECK(page.find("glossary.html#") != std::string::npos);
  CHECK(lesson_page(lesson, lesson_runs()).find("<dfn title=") != std::string::npos);
  const std::string table = glossary_page("ja", {});
  CHECK(contains(table, "<tr id=\"bit-reversal\"><th scope=\"row\" lang=\"ja\">ビット逆順"));
}

TEST_CASE("the first use of a term in a lesson's text leads to the glossary, whole words of running text only") {
  const std::vector<Term> terms = parse_glossary(
      "| English | 日本語 | 简体中文 |\n|---|---|---|\n| sub-group (warp) | サブグループ（ワープ） | 子组（线程束） |\n"
      "| bank | バンク | 存储体 |\n| bank conflict | バンクコンフリクト | 存储体冲突 |\n| butterfly | バタフライ | "
      "蝶形 |\n"
      "| turn (one access) | ターン | 轮次 |\n| stage | ステージ | 级 |\n");
  struct Case {
    const char *language, *text;
    std::vector<std::string> found;
  };
  for (const Case& c :
       {Case{"en", "A bank conflict: two sub-groups of a Bank.", {"bank conflict", "sub-groups", "Bank"}},
        Case{"en", "Butterflies and the bankrupt stage-hand's embankment", {"Butterflies"}},
        Case{"en", "A quarter turn; warps are called so in books.", {}},
        Case{"ja",
             "サブグループがバンクを使い、メモリバンクではバンクコンフリクト",
             {"サブグループ", "バンク", "バンクコンフリクト"}},
        Case{"ja", "バタフライとバタフライエフェクト", {"バタフライ"}},
        Case{"zh", "子组遇到存储体冲突，每级蝶形", {"子组", "存储体冲突", "蝶形"}}}) {
    CAPTURE(std::string(c.text));
    std::vector<std::string> found;
    for (const TermPlace& place : TermFinder(c.language, terms).find(c.text))
      found.push_back(std::string(c.text).substr(place.at, place.length));
    CHECK(found == c.found);
  }

  LessonPageOptions options;
  options.glossary = "glossary.html";
  for (const char* language : {"en", "ja", "zh"}) {
    CAPTURE(std::string(language));
    const Lesson lesson = load_lesson(course_file("stages", language), language);
    const std::string page = lesson_page(lesson, lesson_runs(), options);
    std::multiset<std::string> linked;
    for (std::size_t at = 0; (at = page.find("glossary.html#", at)) != std::string::npos; ++at)
      linked.insert(page.substr(at, page.find('"', at) - at));
    CHECK(linked.size() > 6);
    for (const std::string& one : linked) CHECK_MESSAGE(linked.count(one) == 1, one);
    CHECK(linked.count("glossary.html#butterfly") == 1);  // never bold in this lesson
    // Not in headings, code or links.
    for (const auto& [open, close] :
         {std::pair{"<h2", "</h2>"}, std::pair{"<code>", "</code>"}, std::pair{"<a href", "</a>"}})
      for (std::size_t at = 0; (at = page.find(open, at)) != std::string::npos; ++at)
        CHECK(page.substr(at + 1, page.find(close, at) - at).find("glossary.html#") == std::string::npos);
  }
}

TEST_CASE("in the window a term says, where it is met first on a page, what it is in the other languages") {
  const auto run = [](const char* words) { return TextRun{.text = words}; };
  TextRun code = run("stride"), title = run("Stride and Stage");
  code.code = true, title.emphasis = true;
  TextBlock block;
  block.runs = {code, run(" and "), title,
                run(": a work-item takes a stride; the next stride of a work-item is longer.")};
  const std::vector<TextBlock> marked = with_terms({block, block}, "en");
  std::vector<std::string> terms;
  std::string all;
  for (const TextBlock& one : marked)
    for (const TextRun& part : one.runs) {
      all += part.text;
      if (!part.term.empty()) terms.push_back(part.text + ": " + part.term);
    }
  REQUIRE(terms.size() == 2);
  CHECK(terms[0].starts_with("work-item: work-item"));
  CHECK(contains(terms[0], "ワークアイテム"));
  CHECK(contains(terms[1], "stride: stride"));
  std::string before;
  for (int twice = 0; twice < 2; ++twice)
    for (const TextRun& part : block.runs) before += part.text;
  CHECK(all == before);
  TextLayout layout(400, 16, Language::English);
  for (const TextBlock& one : marked) layout.block(one);
  const Scene scene = layout.take();
  CHECK(std::count_if(scene.marks.begin(), scene.marks.end(), [](const MarkText& mark) {
          return mark.mark.command.starts_with(term_command) && contains(mark.label, "·");
        }) == 2);
  CHECK(misplaced(scene, 400).empty());
}

TEST_CASE("a line that is typed in the window is compiled, run and judged") {
  LessonGuide guide("en", load_lesson(course_file("stages", "en"), "en"), lesson_runs(), {});
  const auto build_of = [&] {
    const auto& questions = guide.lesson()->steps[guide.step()].questions;
    return static_cast<std::size_t>(
        std::find_if(questions.begin(), questions.end(), [](const auto& q) { return q.ask == "build"; }) -
        questions.begin());
  };
  while (build_of() == guide.lesson()->steps[guide.step()].questions.size()) REQUIRE(guide.page(1));
  const auto says = [&](const std::string& words) {
    const Scene scene = guide.draw(500, 15, false);
    return std::any_of(scene.shapes.begin(), scene.shapes.end(), [&](const Shape2D& shape) {
      const auto* text = std::get_if<TextShape>(&shape.geometry);
      return text && text->text.find(words) != std::string::npos;
    });
  };
  const Mark type{.kind = MarkKind::Command, .index = build_of(), .command = "guide:type"};
  CHECK(!guide.typing());
  CHECK(guide.click(type));
  const auto line = guide.typing();
  REQUIRE(line);
  CHECK(line->title == "int i0 = ____;");
  CHECK(!guide.typing());  // asked for once
  guide.typed(" g * span + j + 0 ");
  CHECK(says("g * span + j + 0"));
  CHECK(says("What comes of it"));
  CHECK_THROWS_AS(guide.typed("g; exit(0)"), Error);
  CHECK(says("g * span + j + 0"));  // what was judged before is still there
  guide.click(type);
  CHECK(guide.typing()->text == "g * span + j + 0");
  guide.typed("g / stride * (2 * stride) + j");
  CHECK(says("the outcome is right"));
  CHECK(!says("g * span + j + 0"));
  // Its reply was in English.
  CHECK(guide.use_language(Language::Chinese));
  CHECK(!says("g / stride * (2 * stride) + j"));
}

TEST_CASE("the window compiles a line only once the reader agreed") {
  LessonGuide guide("en", load_lesson(course_file("stages", "en"), "en"), lesson_runs(), {});
  std::size_t asked = 0;
  while (guide.step() + 1 < guide.lesson()->steps.size()) {
    const auto& questions = guide.lesson()->steps[guide.step()].questions;
    const auto build = std::find_if(questions.begin(), questions.end(), [](const auto& q) { return q.ask == "build"; });
    if (build != questions.end()) {
      asked = static_cast<std::size_t>(build - questions.begin());
      break;
    }
    REQUIRE(guide.page(1));
  }
  const auto says = [&](const std::string& words) {
    const Scene scene = guide.draw(500, 15, false);
    return std::any_of(scene.shapes.begin(), scene.shapes.end(), [&](const Shape2D& shape) {
      const auto* text = std::get_if<TextShape>(&shape.geometry);
      return text && text->text.find(words) != std::string::npos;
    });
  };
  const auto press = [&](const char* command, std::uint64_t answer) {
    return guide.click({.kind = MarkKind::Command, .index = asked, .item = answer, .command = command});
  };
  CHECK(!press("guide:build", 0));  // nothing is chosen
  CHECK(press("guide:answer", 0));
  CHECK(says("Compile and run it"));
  CHECK(!says("What comes of it"));
  CHECK(press("guide:build", 0));
  CHECK(!says("Compile and run it"));
  CHECK((says("What comes of it") || says("the outcome is right")));
  // It is asked once.
  CHECK(press("guide:answer", 1));
  CHECK(!says("Compile and run it"));
}
