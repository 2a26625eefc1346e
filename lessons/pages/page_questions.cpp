#include "lessons/pages/page_questions.h"

#include "lessons/pages/formula_html.h"
#include "viewer/handout/page_template.h"
#include "viewer/render/svg_parts.h"
#include "viewer/scene/languages.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

namespace twiddle {
namespace {

using nlohmann::json;

// A butterfly with empty places for what is read, turned and written.
constexpr std::string_view butterfly_board =
    "<svg viewBox=\"0 0 430 126\" aria-hidden=\"true\"><path class=\"wire\" d=\"M132 38H292M132 98H292M196 38L250 "
    "98M196 98L250 38\"/>"
    "<rect class=\"a\" x=\"2\" y=\"22\" width=\"130\" height=\"32\" rx=\"3\"/>"
    "<rect class=\"b\" x=\"2\" y=\"82\" width=\"130\" height=\"32\" rx=\"3\"/>"
    "<rect class=\"made\" x=\"292\" y=\"22\" width=\"136\" height=\"32\" rx=\"3\"/>"
    "<rect class=\"made\" x=\"292\" y=\"82\" width=\"136\" height=\"32\" rx=\"3\"/>"
    "<circle class=\"sign\" cx=\"268\" cy=\"38\" r=\"9\"/><circle class=\"sign\" cx=\"268\" cy=\"98\" r=\"9\"/>"
    "<g text-anchor=\"middle\"><text x=\"268\" y=\"42.5\">+</text><text x=\"268\" y=\"102.5\">−</text>"
    "<text class=\"in0\" x=\"67\" y=\"42.5\"></text><text class=\"in1\" x=\"67\" y=\"102.5\"></text>"
    "<text class=\"out0\" x=\"360\" y=\"42.5\"></text><text class=\"out1\" x=\"360\" y=\"102.5\"></text>"
    "<text class=\"small turned\" x=\"223\" y=\"120\"></text></g>"
    "<text class=\"small\" x=\"2\" y=\"15\">a</text><text class=\"small\" x=\"2\" y=\"75\">b</text>"
    "<text class=\"small read0\" x=\"18\" y=\"15\"></text><text class=\"small read1\" x=\"18\" y=\"75\"></text>"
    "<text class=\"small write0\" x=\"292\" y=\"15\"></text><text class=\"small write1\" x=\"292\" "
    "y=\"75\"></text></svg>";

}  // namespace

std::string PageQuestions::add(const QuestionSpec& spec, const LessonStep& step) {
  const Question made = resolved_question(spec, lesson_, step.figure.run, runs_);
  const std::size_t number = all_.size();
  hints_.push_back(made.hint);
  const std::string head =
      fmt::format("<fieldset class=\"question {}\" data-question=\"{}\"><legend>{}</legend><p class=\"asked\">{}</p>\n",
                  made.kind, number, svg_escaped(made.rounds.empty() && !made.task ? words_("Question") : words_("Do")),
                  formula_html(made.text));
  const char* const foot = "<p class=\"verdict\" role=\"status\"></p></fieldset>\n";
  if (made.task) return head + spectrum(*made.task) + foot;
  json answers = json::array(), rounds = json::array();
  std::string options;
  for (std::size_t i = 0; i < made.answers.size(); ++i) {
    const Answer& answer = made.answers[i];
    answers.push_back({{"say", verdict(answer, lesson_.language)}, {"why", answer.why}, {"right", answer.right}});
    options += fmt::format("<button type=\"button\" data-answer=\"{}\">{}</button>\n", i, formula_html(answer.text));
  }
  if (made.rounds.empty()) {
    all_.push_back(answers);
    return head + (made.gap ? gap_html(*made.gap) : std::string()) +
           fmt::format("<div class=\"answers\">{}</div>", options) + foot;
  }
  for (const Round& round : made.rounds) {
    json say = json::array();
    for (std::size_t i = 0; i < round.why.size(); ++i)
      say.push_back(verdict({"", round.why[i], i == round.right}, lesson_.language));
    rounds.push_back({{"prompt", formula_html(round.prompt)},
                      {"right", round.right},
                      {"say", say},
                      {"why", round.why[round.right]}});
    if (!round.turning) continue;
    const auto pairs = [](const std::array<Turning::Complex, 2>& two) {
      return json{{two[0].real(), two[0].imag()}, {two[1].real(), two[1].imag()}};
    };
    rounds.back()["turning"] = {{"reads", round.turning->reads},
                                {"writes", round.turning->writes},
                                {"inputs", pairs(round.turning->inputs)},
                                {"logged", pairs(round.turning->logged)},
                                {"behind", round.turning->behind}};
  }
  all_.push_back({{"kind", made.kind}, {"rounds", rounds}});
  asks_place_ = asks_place_ || made.kind == "place";
  std::string exercise =
      made.kind == "place" ? circle(made, number) : fmt::format("<div class=\"chips\">{}</div>", options);
  if (made.kind == "banks") exercise = "<p class=\"hand\"></p>" + exercise;
  if (made.kind == "order")
    exercise += fmt::format("<ol class=\"places\" aria-label=\"{}\"></ol>", svg_escaped(words_("In this order")));
  return head + exercise + "<p class=\"progress\"></p>" + foot;
}

// The kernel around the line that is to be completed.
std::string PageQuestions::gap_html(const GapInCode& gap) const {
  std::string rows;
  for (std::size_t i = 0; i < gap.lines.size(); ++i)
    rows += fmt::format("<span class=\"row{}\">{}</span>\n", i == gap.at ? " now" : "", svg_escaped(gap.lines[i]));
  return fmt::format("<div class=\"source\"><pre tabindex=\"0\" aria-label=\"{}\">{}</pre></div>\n",
                     svg_escaped(words_("the kernel with a gap")), rows);
}

// Handles over bars, which the script makes and judges by the transform's definition: a page runs no kernel.
std::string PageQuestions::spectrum(const SpectrumTask& task) {
  asks_spectrum_ = true;
  const SpectrumWords say = spectrum_words(task, lesson_.language);
  all_.push_back({{"kind", "spectrum"},
                  {"input", task.input},
                  {"output", task.output},
                  {"start", task.start},
                  {"way", task.answer},
                  {"wanted", task.goal.wanted},
                  {"within", task.goal.within},
                  {"low", task.goal.low},
                  {"high", task.goal.high},
                  {"step", sample_step},
                  {"no", verdict({"", "", false}, lesson_.language)},
                  {"gap", std::string(gap_after_sentence(lesson_.language))},
                  {"fits", verdict({"", say.fits, true}, lesson_.language)},
                  {"sum", say.sum},
                  {"much", say.much},
                  {"little", say.little},
                  {"fitting", say.fitting},
                  {"hear", words_("Hear the signal")},
                  {"stop", words_("Stop")},
                  {"heard", words_.unfilled("You hear this page's own {0} samples, repeated: one turn in all "
                                            "of them is a tone of {1} Hz.")},
                  {"silent", words_("All samples are the same, so that nothing can be heard.")}});
  return fmt::format(
      "<div class=\"samples\" role=\"group\" aria-label=\"{}\"></div>\n<div class=\"bars\" role=\"img\" "
      "aria-label=\"{}\"></div>\n"
      "<p class=\"caption\">{}</p>\n<p class=\"judges\"><button type=\"button\" class=\"judge\">{}</button> "
      "<button type=\"button\" class=\"again\">{}</button> <button type=\"button\" class=\"hear\" hidden></button>"
      "</p>\n<p class=\"caption heard\" role=\"status\"></p>\n",
      svg_escaped(words_("the samples {}", task.input)), svg_escaped(words_("the spectrum {}", task.output)),
      svg_escaped(words_("Drag the points, or move them with the arrow keys. The page computes the transform of your "
                         "samples by its definition; in the window the kernel runs on them.")),
      svg_escaped(words_("Does it fit?")), svg_escaped(words_("Start again")));
}

// The unit circle with a button at each of its points, clockwise from 1 at the right; below it the butterfly whose factor is in the
// hand, with places for its values.
std::string PageQuestions::circle(const Question& made, std::size_t number) const {
  std::string points;
  const auto count = made.answers.size();
  for (std::size_t i = 0; i < count; ++i) {
    const double turn = -2 * std::numbers::pi * double(i) / double(count);
    points += fmt::format(
        "<button type=\"button\" data-answer=\"{}\" style=\"--x:{:.4f};--y:{:.4f}\" aria-label=\"{}\" "
        "aria-describedby=\"told-{}\"></button>\n",
        i, std::cos(turn), std::sin(turn), svg_escaped(made.answers[i].text), number);
  }
  return fmt::format(
      "<p class=\"hand\"></p><div class=\"circle\"><span class=\"ray\" hidden></span><span "
      "class=\"one\">1</span>{}</div>"
      "<div class=\"turning\" hidden><p class=\"caption\">{}</p>{}</div><p class=\"caption told\" "
      "id=\"told-{}\"></p><table class=\"tries\" hidden><thead><tr><td></td><th scope=\"col\">{}</th><th "
      "scope=\"col\"></th></tr></thead><tbody></tbody></table>",
      points,
      svg_escaped(words_("Computed while you move the factor, from what the log has read: it is not in the log.")),
      butterfly_board, number, svg_escaped(words_("put at, clockwise")));
}

}  // namespace twiddle
