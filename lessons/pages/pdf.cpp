#include "lessons/pages/pages.h"

#include "base/error.h"
#include "lessons/pages/operation_plots.h"
#include "lessons/questions/questions.h"
#include "lessons/run/course_words.h"
#include "lessons/run/figure.h"
#include "lessons/text/text_layout.h"
#include "viewer/render/render.h"
#include "viewer/scene/languages.h"

#include <fmt/format.h>

#include <algorithm>

namespace twiddle {
namespace {

// An A4 page in CSS px is 794 × 1123; a third more of each leaves room for figures, and prints body text at ten points.
constexpr float page_width = 1059, page_height = 1497, margin = 96, body = 18;
constexpr float min_of_figure = 0.6f;  // of its height, to stay on the page
constexpr float plots_share = 0.6f;    // of the page's width, what one operation does

class Printer {
 public:
  Printer(const Lesson& lesson, LessonRuns& runs)
      : lesson_(lesson), runs_(runs), language_(language_of(lesson.language)), words_(lesson.language) {}

  std::vector<Scene> pages() {
    begin_page();
    place([&](TextLayout& text) {
      text.title(lesson_.title, 2);
      if (!lesson_.summary.empty()) text.paragraph({plain(lesson_.summary)}, Role::Ink2);
      text.space(1);
    });
    for (const LessonStep& step : lesson_.steps) print(step);
    print_answers();
    for (std::size_t i = 0; i < pages_.size(); ++i)
      pages_[i].text({page_width / 2, page_height - margin / 2}, fmt::format("{} / {}", i + 1, pages_.size()),
                     {Face::Sans, Weight::Regular, 13}, Role::Ink2, Anchor::Middle);
    return std::move(pages_);
  }

 private:
  static TextRun plain(const std::string& words) { return {.text = words}; }

  void begin_page() {
    Scene page;
    page.width = page_width;
    page.height = page_height;
    page.title = lesson_.title;
    page.language = language_;
    pages_.push_back(std::move(page));
    y_ = margin;
  }

  // A part that stays together, on the next page when this one has no room for it.
  void place(const Scene& part) {
    if (y_ + part.height > page_height - margin && y_ > margin) begin_page();
    pages_.back().add(part, {margin, y_});
    y_ += part.height;
  }
  template <typename Fill>
  void place(const Fill& fill) {
    TextLayout text(page_width - 2 * margin, body, language_);
    fill(text);
    place(text.take());
  }

  void print(const LessonStep& step) {
    const std::vector<TextBlock> blocks = resolved(step.text, lesson_, step.figure.run, runs_);
    // The heading stays with the first block.
    place([&](TextLayout& text) {
      text.title(step.title, 1.4f);
      if (!blocks.empty()) text.block(blocks.front());
    });
    for (std::size_t i = 1; i < blocks.size(); ++i) place([&](TextLayout& text) { text.block(blocks[i]); });
    const FigurePlace at = place_of(lesson_, step, runs_);
    for (const std::string& view : step.figure.views) {
      const float width = page_width - 2 * margin, room = page_height - margin - y_;
      const auto drawn = [&](float max_height) {
        return figure_scene(at.run->document(), at, view, theme(ThemeName::Light), width, lesson_.language, max_height);
      };
      Scene figure = drawn(std::min(page_height - 2 * margin, width * 1.2f));
      // Rather somewhat lower than on a page of its own.
      if (figure.height > room && room > figure.height * min_of_figure) figure = drawn(room);
      place(figure);
      y_ += body;
    }
    const std::vector<std::string>& views = step.figure.views;
    if (auto plots = operation_plots(at, views, step.figure.at, theme(ThemeName::Light),
                                     (page_width - 2 * margin) * plots_share, lesson_.language)) {
      place(*plots);
      y_ += body;
    }
    for (const QuestionSpec& spec : step.questions) {
      const Question question = resolved_question(spec, lesson_, step.figure.run, runs_);
      ++asked_;
      place([&](TextLayout& text) {
        text.paragraph({plain(fmt::format("{} {}. {}", words_("Question"), asked_, question.text))});
        if (question.gap) text.block(question.gap->block());
        if (!question.rounds.empty()) {
          // To be marked with a pencil: all there is to click, order or place.
          std::string all, done;
          for (const Answer& answer : question.answers) all += (all.empty() ? "" : "  ·  ") + answer.text;
          for (const Round& round : question.rounds)
            done += (done.empty() ? "" : ", ") + (round.prompt.empty() ? "" : round.prompt + ": ") +
                    question.answers[round.right].text;
          text.paragraph({plain(all)}, Role::Ink, body * 1.4f);
          text.space();
          answers_.push_back(fmt::format("{}. {}", asked_, done));
          return;
        }
        if (question.task) {  // with a pencil, into the figure
          answers_.push_back(fmt::format("{}. {}", asked_, answer_text(*question.task, lesson_.language)));
          text.space();
          return;
        }
        char letter = 'a';
        for (const Answer& answer : question.answers) {
          TextBlock item;
          item.runs = {plain(fmt::format("{}) {}", letter, answer.text))};
          text.paragraph(item.runs, Role::Ink, body * 1.4f);
          if (answer.right) answers_.push_back(fmt::format("{}. {}) {}", asked_, letter, answer.why));
          ++letter;
        }
        text.space();
      });
    }
    if (!step.try_it.empty())
      place([&](TextLayout& text) {
        text.title(words_("Try it"), 1.1f);
        text.paragraph(resolved(step.try_it, lesson_, step.figure.run, runs_));
        TextRun command = plain("twiddle view " + shown_command(at.run->request()));
        command.code = true;
        text.paragraph({plain(words_("Start from") + ": "), command});
        if (step.answer.empty()) return;
        std::string answer;
        for (const TextRun& part : resolved(step.answer, lesson_, step.figure.run, runs_)) answer += part.text;
        answers_.push_back(fmt::format("{}: {}", words_("Try it"), answer));
      });
    y_ += body;
  }

  // Last, so that they can be folded away.
  void print_answers() {
    if (answers_.empty()) return;
    place([&](TextLayout& text) {
      text.title(words_("Answers"), 1.1f);
      for (const std::string& answer : answers_) text.paragraph({plain(answer)}, Role::Ink2);
    });
  }

  const Lesson& lesson_;
  LessonRuns& runs_;
  Language language_;
  CourseWords words_;
  std::vector<Scene> pages_;
  std::vector<std::string> answers_;
  int asked_ = 0;
  float y_ = margin;
};

}  // namespace

std::vector<Scene> lesson_print(const Lesson& lesson, LessonRuns& runs) { return Printer(lesson, runs).pages(); }

std::vector<std::byte> lesson_pdf(const Lesson& lesson, LessonRuns& runs) {
  return to_pdf(lesson_print(lesson, runs), theme(ThemeName::Light));
}

}  // namespace twiddle
