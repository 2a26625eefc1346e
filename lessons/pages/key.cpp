// A lesson's answer key, for its teacher: what is done when, what to say and do, and every answer with what it is told.
#include "base/text.h"
#include "lessons/pages/formula_html.h"
#include "lessons/pages/page_bar.h"
#include "lessons/pages/pages.h"
#include "lessons/questions/questions.h"
#include "lessons/run/course_words.h"
#include "viewer/handout/page_template.h"
#include "viewer/render/svg_parts.h"

#include <fmt/format.h>

#include <map>

namespace twiddle {
namespace {

class KeyMaker {
 public:
  KeyMaker(const Lesson& lesson, LessonRuns& runs, const LessonPageOptions& options)
      : lesson_(lesson), runs_(runs), options_(options), words_(lesson.language) {}

  std::string page() {
    std::string rows, answers;
    int minute = 0;
    for (std::size_t i = 0; i < lesson_.steps.size(); ++i) {
      const LessonStep& step = lesson_.steps[i];
      rows += row(step, i + 1, minute);
      minute += step.minutes;
      for (const QuestionSpec& spec : step.questions) answers += asked(spec, step, i + 1);
    }
    std::string can;
    for (const std::string& one : lesson_.can) can += fmt::format("<li>{}</li>", svg_escaped(one));
    if (!can.empty()) can = fmt::format("<h2>{}</h2><ul>{}</ul>", svg_escaped(words_("Afterwards they can")), can);
    std::map<std::string, std::string> parts = common_parts(words_, lesson_.language);
    parts.merge(std::map<std::string, std::string>{
        {"title", svg_escaped(words_("{}: answer key", lesson_.title))},
        {"summary", svg_escaped(lesson_.summary)},
        {"minutes", svg_escaped(words_("{0} minutes alone, {1} to {2} in class", lesson_.minutes,
                                       (lesson_.minutes * 3 + 1) / 2, lesson_.minutes * 2))},
        {"css", page_part("lessons/pages/html/bar.css") + page_part("lessons/pages/html/key.css")},
        {"head", head()},
        {"rows", rows},
        {"answers-title", svg_escaped(words_("Answers"))},
        {"answers", answers},
        {"links", links()},
        {"languages", language_links(options_.languages, lesson_.language)},
        {"can", can}});
    return filled(page_part("lessons/pages/html/key.html"), parts);
  }

 private:
  // To the course and to the lesson itself; nothing for a page of no course.
  std::string links() const {
    if (options_.contents.empty()) return {};
    std::string html =
        fmt::format("<a href=\"{}\">{}</a>\n", svg_escaped(options_.contents), svg_escaped(words_("Course")));
    const std::string lesson = options_.link ? options_.link(lesson_.id) : "";
    if (!lesson.empty())
      html +=
          fmt::format("<a href=\"{}\">{}</a>\n", svg_escaped(lesson), svg_escaped(words_("Lesson {}", lesson_.number)));
    return html;
  }

  std::string head() const {
    std::string html;
    for (const std::string& one : {words_("minute"), words_("step"), words_("where"), words_("notes")})
      html += fmt::format("<th scope=\"col\">{}</th>", svg_escaped(one));
    return html;
  }

  std::string words_of(const std::vector<TextRun>& text, const LessonStep& step) {
    std::string out;
    for (const TextRun& part : resolved(text, lesson_, step.figure.run, runs_)) out += part.text;
    return formula_html(out);
  }

  std::string row(const LessonStep& step, std::size_t number, int minute) {
    std::string notes = fmt::format("<p>{}</p>", words_of(step.notes, step));
    if (!step.try_it.empty())
      notes += fmt::format("<p><b>{}</b>: {} <strong>{}</strong></p>", svg_escaped(words_("try it")),
                           words_of(step.try_it, step), words_of(step.answer, step));
    return fmt::format(
        "<tr><td class=\"minute\">{}</td><th scope=\"row\">{}. {}</th><td><code>{}</code></td><td>{}</td></tr>\n",
        step.minutes > 0 ? std::to_string(minute) : "", number, svg_escaped(step.title), svg_escaped(step.figure.at),
        notes);
  }

  std::string asked(const QuestionSpec& spec, const LessonStep& step, std::size_t number) {
    const Question made = resolved_question(spec, lesson_, step.figure.run, runs_);
    std::string list;
    for (const Answer& answer : made.answers)
      if (made.rounds.empty())
        list += fmt::format("<li{}><strong>{}</strong> {}</li>", answer.right ? " class=\"right\"" : "",
                            formula_html(answer.text), formula_html(answer.why));
    for (const Round& round : made.rounds)
      list += fmt::format("<li class=\"right\"><strong>{}{}</strong> {}</li>",
                          round.prompt.empty() ? "" : formula_html(round.prompt) + ": ",
                          formula_html(made.answers[round.right].text), formula_html(round.why[round.right]));
    if (made.task)
      list += fmt::format("<li class=\"right\">{}</li>", svg_escaped(answer_text(*made.task, lesson_.language)));
    const std::string code =
        made.gap ? fmt::format("<p><code>{}</code></p>", svg_escaped(trimmed(made.gap->lines[made.gap->at]))) : "";
    return fmt::format("<section class=\"asked\"><h3>{}. {}</h3>{}<ul>{}</ul></section>\n", number,
                       formula_html(made.text), code, list);
  }

  const Lesson& lesson_;
  LessonRuns& runs_;
  const LessonPageOptions& options_;
  CourseWords words_;
};

}  // namespace

std::string key_page(const Lesson& lesson, LessonRuns& runs, const LessonPageOptions& options) {
  return KeyMaker(lesson, runs, options).page();
}

}  // namespace twiddle
