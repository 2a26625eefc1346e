#include "lessons/questions/questions.h"

#include "base/error.h"
#include "lessons/run/access_cost.h"
#include "lessons/run/course_words.h"
#include "tracer/trace/item_words.h"
#include "viewer/words/twiddle_name.h"

namespace twiddle {
namespace {

constexpr std::size_t max_costs_shown = 4;

struct Pattern {
  std::string name;
  AccessCost cost;
};

class CostQuestion {
 public:
  CostQuestion(const CourseWords& course_words, const TraceInfo& info, Pattern one, Pattern other)
      : words(course_words), info_(info), dear_(std::move(one)), cheap_(std::move(other)) {
    const bool each = dear_.cost.requests == 1 && cheap_.cost.requests == 1;
    question_.text =
        each ? words("Which access costs a {2} more, and how much more: {0}, or {1}?", dear_.name, cheap_.name,
                     lanes_noun(info_))
             : words("Which access costs more in all, and how much more: {0}, or {1}?", dear_.name, cheap_.name);
    if (dear_.cost.cost() < cheap_.cost.cost()) std::swap(dear_, cheap_);
  }

  Question make() {
    if (dear_.cost.cost() == cheap_.cost.cost())
      alike();
    else
      apart();
    return std::move(question_);
  }

 private:
  void answer(const std::string& text, const std::string& why, bool right) {
    for (const Answer& other : question_.answers)
      if (other.text == text) return;
    if (question_.answers.size() < max_costs_shown) question_.answers.push_back({text, why, right});
  }
  std::string more(const Pattern& pattern, double factor) const {
    return words("{0}: {1} times as much", pattern.name, number_text(factor, 3));
  }
  bool local() const { return dear_.cost.local; }
  std::string against() const {
    return local() ? words("{0} passes through the banks against {1}", count_text(dear_.cost.passes),
                           count_text(cheap_.cost.passes))
                   : words("{0} sectors against {1}", count_text(dear_.cost.sectors), count_text(cheap_.cost.sectors));
  }

  void apart() {
    const double factor = static_cast<double>(dear_.cost.cost()) / static_cast<double>(cheap_.cost.cost());
    answer(more(dear_, factor),
           local() ? words("Yes: {0}. Words in one bank are served one after another.", against())
                   : words("Yes: {0}. Of {2} bytes fetched, {1} are used.", against(), count_text(dear_.cost.used),
                           count_text(dear_.cost.fetched())),
           true);
    answer(more(cheap_, factor),
           local()
               ? words("There the banks share the work: all is served in {0} passes.", count_text(cheap_.cost.passes))
               : words("There neighbours touch neighbours: the {1} bytes are in only {0} sectors.",
                       count_text(cheap_.cost.sectors), count_text(cheap_.cost.used)),
           false);
    answer(words("Both cost the same."),
           local() ? words("As many words are asked for, but a bank gives one at a time: {0}.", against())
                   : words("As many bytes are asked for, but memory comes in whole sectors: {0}.", against()),
           false);
    // As many times as there are work-items, or just twice: counted what does not count.
    const auto items = static_cast<double>(dear_.cost.items);
    if (items > 1)
      answer(more(dear_, items),
             words("So many {2} take part, {0}; but what counts is {1}.", count_text(dear_.cost.items), against(),
                   items_noun(info_)),
             false);
    answer(more(dear_, 2), words("Count again: {0}.", against()), false);
  }

  void alike() {
    const std::string each = local() ? words("{0} passes each", count_text(dear_.cost.passes))
                                     : words("{0} sectors each", count_text(dear_.cost.sectors));
    answer(words("Both cost the same."), words("Yes: {0}.", each), true);
    answer(more(dear_, 2), words("Count again: {0}.", each), false);
    answer(more(cheap_, 2), words("Count again: {0}.", each), false);
  }

  const CourseWords words;
  const TraceInfo& info_;
  Pattern dear_, cheap_;
  Question question_;
};

}  // namespace

Question cost_question(const QuestionSpec& spec, std::string_view language, LessonRun& run, LessonRun& than_run,
                       const std::string& name, const std::string& than_name) {
  const std::string& than_at = spec.than.empty() ? spec.at : spec.than;
  const AccessName access = parse_access(spec.access.empty() ? "read" : spec.access);
  const AccessName than_access = spec.than_access.empty() ? access : parse_access(spec.than_access);
  const CourseWords words(language);
  const auto pattern = [&](LessonRun& of, const std::string& at, const AccessName& which, const std::string& called) {
    Pattern made{called, access_cost(of, at, which)};
    if (called.empty())
      made.name = which.write ? words("writing {0} at {1}", made.cost.buffer, at)
                              : words("reading {0} at {1}", made.cost.buffer, at);
    return made;
  };
  Pattern one = pattern(run, spec.at, access, name), other = pattern(than_run, than_at, than_access, than_name);
  if (one.cost.local != other.cost.local)
    throw usage_error(
        "sectors of global memory and passes through local memory cannot be compared; {} is {}, {} is not",
        one.cost.buffer, one.cost.local ? "local" : "global", other.cost.buffer);
  if (one.name == other.name)
    throw usage_error("both patterns are called '{}'; give them name = \"…\" and than-name = \"…\"", one.name);
  const bool local = one.cost.local;
  Question question = CostQuestion(words, run.info(), std::move(one), std::move(other)).make();
  question.hint =
      local ? words("Take one {0}: how many different words do its {1} want of the bank that is asked most?",
                    lanes_noun(run.info()), items_noun(run.info()))
            : words("Take one {0}: in how many different sectors are the elements that its {1} touch at once?",
                    lanes_noun(run.info()), items_noun(run.info()));
  return question;
}

}  // namespace twiddle
