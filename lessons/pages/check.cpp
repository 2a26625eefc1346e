#include "lessons/pages/pages.h"

#include "base/error.h"
#include "base/text.h"
#include "kernels/signal/signal.h"
#include "lessons/questions/questions.h"
#include "lessons/run/claims.h"
#include "lessons/run/figure.h"
#include "lessons/run/reference.h"
#include "lessons/run/stated_numbers.h"
#include "lessons/text/library.h"
#include "lessons/text/literal_numbers.h"
#include "lessons/text/text_plot.h"
#include "viewer/document/document.h"
#include "viewer/scene/theme.h"
#include "viewer/views/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace twiddle {
namespace {

class Checker {
 public:
  Checker(const Lesson& lesson, LessonRuns& runs, Complaints& complaints)
      : lesson_(lesson), runs_(runs), complaints_(complaints) {}

  void check() {
    // Without its runs the rest cannot be checked.
    for (const LessonRunSpec& run : lesson_.runs)
      if (!at(run.line, [&] { runs_.run(run.request); })) return;
    for (const std::string& id : lesson_.needs) at(1, [&] { course_file(id, lesson_.language); });
    for (const LessonStep& step : lesson_.steps) check(step);
  }

 private:
  bool at(int line, const std::function<void()>& action) {
    try {
      action();
      return true;
    } catch (const Error& error) {
      complaints_.add(line, error.what());
      return false;
    }
  }

  // What a sentence names is drawn, and elements that it names are there.
  void seen(const TextRun& part, const LessonStep& step) {
    if (!part.reference) return;
    at(part.line, [&] {
      const std::optional<Claim> claim = parse_claim(part.text);
      if (claim && claim->kind == Claim::Kind::See) hold_seen(*claim, lesson_, step, runs_);
    });
  }
  void drawn(const std::string& what, int line, const LessonStep& step) {
    Claim claim;
    claim.kind = Claim::Kind::See;
    claim.expression = what;
    at(line, [&] { hold_seen(claim, lesson_, step, runs_); });
  }
  // Whether a code span is an element that the run has.
  bool named(const TextRun& part, const TraceInfo& info) {
    const std::string& code = part.text;
    const std::size_t open = code.find('[');
    if (!part.code || part.reference || open == std::string::npos || !code.ends_with(']')) return false;
    const std::string_view digits = std::string_view(code).substr(open + 1, code.size() - open - 2);
    const bool there = std::any_of(info.buffers.begin(), info.buffers.end(),
                                   [&](const BufferInfo& buffer) { return buffer.name == code.substr(0, open); });
    return there && !digits.empty() && std::all_of(digits.begin(), digits.end(), is_digit) &&
           at(part.line, [&] { parse_element(info, code); });
  }

  void text(const std::vector<TextRun>& runs, const std::string& run) {
    for (const TextRun& part : runs) {
      if (part.reference) at(part.line, [&] { evaluate(part.text, lesson_, run, runs_); });
      if (!part.link.empty()) at(part.line, [&] { course_file(part.link, lesson_.language); });
    }
  }

  // Numbers beside things of the run are put in by it, or held against it: in a paragraph that speaks of the figure. Elsewhere
  // they may be about any run, and are remarked only.
  void stated(const std::vector<TextRun>& runs, const LessonStep& step, const TraceInfo& info, bool prose) {
    const bool certain = prose && speaks_of_figure(runs);
    for (const StatedNumber& number : stated_numbers(runs, lesson_.language)) {
      if (number.kind == StatedNumber::Kind::Name) {
        if (certain && !has_named(number, info))
          complaints_.add(number.line, fmt::format("names '{}', which the step's run does not have", number.words));
        else if (certain && number.thing == "bank")
          drawn("bank " + std::to_string(number.number), number.line, step);
      } else if (certain) {
        complaints_.add(
            number.line,
            fmt::format("says '{}', and nothing holds it against the run: write it {{{{is NUMBER: …}}}}, or "
                        "{{{{elsewhere NUMBER}}}} where it is about another run",
                        number.words));
      } else {
        complaints_.remark(number.line, fmt::format("says '{}' without a check", number.words));
      }
    }
  }

  // A step that asks what is wrong must not say it.
  void keep_secret(const QuestionSpec& question, const std::string& run, const std::vector<TextRun>& runs) {
    const std::string& asked = question.run.empty() ? run : question.run;
    for (const TextRun& part : runs) {
      if (!part.reference) continue;
      const std::size_t colon = part.text.find(':');
      const std::string_view reference = std::string_view(part.text).substr(colon == std::string::npos ? 0 : colon + 1);
      if (reference.find("finding ") == std::string_view::npos) continue;
      if (asked != (colon == std::string::npos ? run : part.text.substr(0, colon))) continue;
      const bool what = reference.ends_with(" class") || reference.ends_with(" message"),
                 who = reference.ends_with(" item") || reference.ends_with(" items");
      if ((what && (question.ask == "finding" || question.ask == "race")) || (who && question.ask == "culprit"))
        complaints_.add(part.line, fmt::format("{{{{{}}}}} gives away the answer to this step's question '{}'",
                                               part.text, question.ask));
    }
  }

  // What is to be tried can be made, is there, and can be seen.
  void check_try(const LessonStep& step) {
    const std::optional<FigurePlace> tried = place_of_try(lesson_, step, runs_);
    if (!tried) {
      if (!step.try_at.empty() || !step.try_views.empty())
        complaints_.add(step.line,
                        "try-at and try-views are of the run to try, and the task names no command that makes one");
      return;
    }
    Document& document = tried->run->document();
    for (const std::string& name : step.try_views)
      if (const View* view = view_named(name); view && !view->has(document))
        complaints_.add(step.line, fmt::format("the view '{}' has nothing to show of the run to try", name));
    legible(*tried, tried_views(step, document), step.line);
  }

  // As large as a page shows it, every text of a figure can be read.
  void legible(const FigurePlace& place, const std::vector<std::string>& views, int line) {
    for (const std::string& view : views) {
      const Scene picture = figure_scene(place.run->document(), place, view, theme(ThemeName::Light), page_figure_width,
                                         lesson_.language);
      if (const TextShape* text = too_small_text(picture))
        complaints_.add(
            line, fmt::format("the view '{}' shows '{}' in type of {:.1f} px, which is too small to be read", view,
                              text->text, text->font.size));
    }
  }

  void check(const LessonStep& step) {
    const Figure& figure = step.figure;
    const LessonRunSpec* spec = lesson_.run_named(figure.run);
    if (!spec) return;  // said when it was read
    LessonRun& run = runs_.run(spec->request);
    at(step.line, [&] { steps_at(run, figure.at); });
    if (!figure.light.empty()) at(step.line, [&] { parse_element(run.info(), figure.light); });
    Document& document = run.document();
    for (const std::string& name : figure.views)
      if (const View* view = view_named(name); view && !view->has(document))
        complaints_.add(step.line, fmt::format("the view '{}' has nothing to show of the run '{}'", name, figure.run));
    at(step.line, [&] { legible(place_of(lesson_, step, runs_), figure.views, step.line); });
    for (const TextBlock& block : step.text) {
      if (!block.is_set()) stated(block.runs, step, run.info(), true);
      text(block.runs, figure.run);
      if (block.kind == TextBlock::Kind::Plot)
        at(block.line, [&] {
          std::string words;
          for (const TextRun& part : resolved(block.runs, lesson_, figure.run, runs_)) words += part.text;
          parse_plot(words);
        });
      const bool of_figure = !block.is_set() && speaks_of_figure(block.runs);
      for (const TextRun& part : block.runs) {
        seen(part, step);
        if (named(part, run.info()) && of_figure) drawn(part.text, part.line, step);
      }
      for (const QuestionSpec& question : step.questions) keep_secret(question, figure.run, block.runs);
    }
    for (const QuestionSpec& question : step.questions)
      at(question.line, [&] { make_question(question, lesson_, figure.run, runs_); });
    at(step.line, [&] { check_try(step); });
    for (const std::vector<TextRun>* beside : {&step.notes, &step.try_it, &step.answer})
      stated(*beside, step, run.info(), false);
    text(step.notes, figure.run);
    text(step.try_it, figure.run);
    text(step.answer, figure.run);
  }

  const Lesson& lesson_;
  LessonRuns& runs_;
  Complaints& complaints_;
};

}  // namespace

void check_lesson(const Lesson& lesson, LessonRuns& runs, Complaints& complaints) {
  if (lesson.summary.empty()) complaints.add(1, "a lesson block needs summary = \"…\": one sentence for the contents");
  if (lesson.minutes == 0) complaints.add(1, "a lesson block needs minutes = …: how long it takes");
  check_numbers(lesson, complaints);
  int minutes = 0;
  bool all = true;
  for (const LessonStep& step : lesson.steps) minutes += step.minutes, all = all && step.minutes > 0;
  if (minutes > 0 && (!all || minutes != lesson.minutes))
    complaints.add(1, fmt::format("its steps take {} minutes{}, the lesson says {}", minutes,
                                  all ? "" : " and some do not say", lesson.minutes));
  Checker(lesson, runs, complaints).check();
}

namespace {

// Every language may have its own file of a name.
std::string file_name(const std::string& signal) {
  return names_signal_file(signal) ? std::filesystem::path(signal).filename().string() : signal;
}

// A run without the folder of its files: every language has its own.
std::string portable(Request request) {
  for (std::string* name : {&request.algorithm, &request.signal})
    if (std::filesystem::path(*name).is_absolute() || name->ends_with(".toml") || names_kept_trace(*name))
      *name = std::filesystem::path(*name).filename().string();
  return command_of(request);
}

}  // namespace

void compare_languages(const Lesson& original, const Lesson& translation, Complaints& complaints) {
  const auto differ = [&](int line, std::string_view what) {
    complaints.add(line, fmt::format("{} not as in {}", what, original.file.string()));
  };
  if (original.runs.size() != translation.runs.size()) return differ(1, "there are runs");
  for (std::size_t i = 0; i < original.runs.size(); ++i)
    if (original.runs[i].name != translation.runs[i].name ||
        portable(original.runs[i].request) != portable(translation.runs[i].request))
      differ(translation.runs[i].line, fmt::format("the run '{}' is", translation.runs[i].name));
  if (original.minutes != translation.minutes) differ(1, "minutes are");
  if (original.needs != translation.needs) differ(1, "the lessons that it needs are");
  if (original.group.empty() != translation.group.empty() || original.can.size() != translation.can.size())
    differ(1, "the group and what one can do afterwards are");
  if (original.steps.size() != translation.steps.size()) return differ(1, "the number of steps is");
  for (std::size_t i = 0; i < original.steps.size(); ++i) {
    const LessonStep &a = original.steps[i], &b = translation.steps[i];
    if (a.figure.run != b.figure.run || a.figure.at != b.figure.at || a.figure.views != b.figure.views ||
        a.figure.light != b.figure.light)
      differ(b.line, fmt::format("the figure of step {} is", i + 1));
    const auto tried = [](const Lesson& lesson, const LessonStep& step) {
      const std::optional<Request> request = tried_request(lesson, step);
      return request ? portable(*request) : std::string();
    };
    if (tried(original, a) != tried(translation, b) || a.try_at != b.try_at || a.try_views != b.try_views)
      differ(b.line, fmt::format("the run to try of step {} is", i + 1));
    if (a.notes.empty() != b.notes.empty() || a.try_it.empty() != b.try_it.empty() ||
        a.answer.empty() != b.answer.empty())
      differ(b.line, fmt::format("notes and things to try of step {} are", i + 1));
    const auto question = [](const QuestionSpec& x, const QuestionSpec& y) {
      return x.ask == y.ask && x.run == y.run && x.at == y.at && x.element == y.element && x.than == y.than &&
             x.than_run == y.than_run && x.access == y.access && x.find == y.find && x.points == y.points &&
             x.hole == y.hole && x.within == y.within && file_name(x.target) == file_name(y.target) &&
             x.plan.empty() == y.plan.empty() && x.than_access == y.than_access && x.name.empty() == y.name.empty() &&
             x.than_name.empty() == y.than_name.empty() && x.answers.size() == y.answers.size();
    };
    if (!std::equal(a.questions.begin(), a.questions.end(), b.questions.begin(), b.questions.end(), question))
      differ(b.line, fmt::format("the questions of step {} are", i + 1));
  }
}

}  // namespace twiddle
