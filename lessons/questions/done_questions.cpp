// Questions that are done, not chosen: an element clicked, an order made, twiddles and accesses put in their places, a kernel's
// line filled in.
#include "base/error.h"
#include "lessons/questions/build.h"
#include "lessons/questions/question_parts.h"
#include "lessons/run/course_words.h"
#include "lessons/run/reference.h"
#include "tracer/trace/item_words.h"
#include "tracer/trace/span.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/twiddle_name.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <map>
#include <numbers>
#include <set>

namespace twiddle {

Operation operation_asked(LessonRun& run, const std::string& at) {
  const StepRange range = steps_at(run, at);
  if (range.first != range.last)
    throw usage_error("a question about one operation needs its position, at = \"L2.S1.I0\"");
  return run.replay().operation(range.first);
}

std::string element_in(const TraceInfo& info, const Access& like, std::uint64_t index) {
  return fmt::format("{}[{}]", info.buffers[like.buffer].name, index);
}

namespace {

constexpr std::size_t max_ordered = 16, max_placed = 8, max_steps = 4096;
constexpr std::uint64_t max_clicked = 64;
using std::numbers::pi;

// One such question in the making.
class DoneMaker {
 public:
  DoneMaker(const QuestionSpec& spec, std::string_view language, LessonRun& run)
      : spec_(spec), language_(language), words(language), run_(run), info_(run.info()) {}

  std::optional<Question> make() {
    static const std::map<std::string, void (DoneMaker::*)(), std::less<>> kinds = {{"click", &DoneMaker::click},
                                                                                    {"order", &DoneMaker::order},
                                                                                    {"place", &DoneMaker::place},
                                                                                    {"banks", &DoneMaker::banks}};
    const auto kind = kinds.find(spec_.ask);
    if (kind == kinds.end()) return std::nullopt;
    (this->*kind->second)();
    return std::move(question_);
  }

 private:
  std::uint64_t count_of(const Access& like) const { return info_.buffers[like.buffer].count; }

  /// The operations of a position's segment, or of the position.
  std::vector<Operation> operations(StepRange range, bool whole_segment) {
    if (whole_segment && range.first >= 1) {
      const Segment& segment = info_.segments[run_.replay().segment_of(range.first)];
      range = {segment.first_step, segment.end_step() - 1};
    }
    std::vector<Operation> list;
    if (range.first > range.last) return list;
    run_.replay().for_each(range.first, range.last, false, [&](const Operation& op) {
      list.push_back(op);
      return list.size() < max_steps;
    });
    return list;
  }

  /// Which element of a pair, or which output, is asked: a click on any element of the buffer is an answer.
  void click() {
    const Operation op = operation_asked(run_, spec_.at);
    const bool write = spec_.find == "write";
    if (!write && !spec_.find.empty() && spec_.find != "partner")
      throw usage_error("find is partner or write, not '{}'", spec_.find);
    if ((write ? op.writes.size() : op.reads.size()) < (write ? 1 : 2))
      throw usage_error("the operation at {} has no such element", spec_.at);
    const Access& asked = write ? op.writes[0] : op.reads[1];
    if (asked.buffer < 0 || count_of(asked) > max_clicked)
      throw usage_error("a click is asked for in a buffer of at most {} elements", max_clicked);
    question_.kind = "click";
    question_.text =
        write ? words("Click the element that {0} writes at {1}.", item_name(info_, op.item), spec_.at)
              : words("At {2}, {0} reads {1}. Click the element that it reads with it.", item_name(info_, op.item),
                      element_in(info_, op.reads[0], op.reads[0].index), spec_.at);
    const std::vector<Operation> others = operations(steps_at(run_, spec_.at), true);
    Round round;
    round.right = asked.index;
    for (std::uint64_t i = 0; i < count_of(asked); ++i) {
      const std::string name = element_in(info_, asked, i);
      question_.answers.push_back({name, "", i == asked.index});
      round.why.push_back(i == asked.index ? sentence(info_, op) : who_has(others, op, asked, i, write));
    }
    question_.rounds.push_back(std::move(round));
  }

  /// Who reads or writes an element instead, in the same segment.
  std::string who_has(const std::vector<Operation>& others, const Operation& op, const Access& asked,
                      std::uint64_t index, bool write) const {
    const std::string name = element_in(info_, asked, index);
    if (!write && op.reads[0].buffer == asked.buffer && op.reads[0].index == index)
      return words("{0} is the one that it starts from; a pair has two.", name);
    for (const Operation& other : others)
      for (const Access& access : write ? other.writes : other.reads)
        if (access.buffer == asked.buffer && access.index == index)
          return other.item == op.item
                     ? words("Here {0} has {1}, too, but in another operation.", item_name(info_, op.item), name)
                 : write ? words("{0} is written by {1} here.", name, item_name(info_, other.item))
                         : words("{0} is read by {1} here.", name, item_name(info_, other.item));
    return write ? words("Nothing is written to {0} here.", name) : words("Nothing reads {0} here.", name);
  }

  /// In which order elements are read, or written, work-item by work-item.
  void order() {
    const bool write = spec_.find == "write";
    if (!write && !spec_.find.empty() && spec_.find != "read")
      throw usage_error("find is read or write, not '{}'", spec_.find);
    std::vector<std::pair<std::string, std::uint64_t>> sequence;  // element, and whose it is
    for (const Operation& op : operations(steps_at(run_, spec_.at), false)) {
      const auto& list = write ? op.writes : op.reads;
      if (list.empty() || list[0].buffer < 0) continue;
      const std::string name = element_in(info_, list[0], list[0].index);
      if (std::none_of(sequence.begin(), sequence.end(), [&](const auto& entry) { return entry.first == name; }))
        sequence.emplace_back(name, op.item);
    }
    if (sequence.size() < 3 || sequence.size() > max_ordered)
      throw usage_error("an order is of 3 to {} elements; at {} there are {}", max_ordered, spec_.at, sequence.size());
    question_.kind = "order";
    question_.text = write
                         ? words("Click the elements in the order in which {1} write them at {0}, the first {2} first.",
                                 spec_.at, items_noun(info_), item_noun(info_))
                         : words("Click the elements in the order in which {1} read them at {0}, the first {2} first.",
                                 spec_.at, items_noun(info_), item_noun(info_));
    std::vector<std::size_t> shown(sequence.size());
    for (std::size_t i = 0; i < shown.size(); ++i) shown[i] = i;
    std::sort(shown.begin(), shown.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(sequence[a].first.size(), sequence[a].first) <
             std::pair(sequence[b].first.size(), sequence[b].first);
    });
    for (const std::size_t at : shown) question_.answers.push_back({sequence[at].first, "", false});
    for (std::size_t turn = 0; turn < sequence.size(); ++turn) {
      Round round;
      for (std::size_t i = 0; i < shown.size(); ++i) {
        const auto& [name, item] = sequence[shown[i]];
        if (shown[i] == turn) round.right = i;
        round.why.push_back(shown[i] < turn ? words("{0} has its place already.", name)
                                            : words("{0} is {1}'s.", name, item_name(info_, item)));
      }
      question_.rounds.push_back(std::move(round));
    }
  }

  /// Whether its outputs say which factor it had.
  bool tells(const Operation& op) const {
    const auto turning = turning_of(info_, op);
    return turning && turning->turned() != 0.0;
  }

  /// The twiddles of a stage, each to be put on its point of the circle.
  void place() {
    std::map<std::int64_t, Operation> powers;  // exponent, and the first that has it, or the first where it can be seen
    std::uint64_t span = 0;
    for (const Operation& op : operations(steps_at(run_, spec_.at), false)) {
      const std::uint64_t own = span_of(info_, op);
      if (op.kind != OperationKind::Butterfly || own == 0 || op.coefficients.empty()) continue;
      if (span != 0 && span != own) throw usage_error("at {} there are butterflies of several spans", spec_.at);
      span = own;
      if (const auto exponent = twiddle_exponent(op.coefficients[0], span, info_.expect.sign))
        if (const auto [at, fresh] = powers.try_emplace(*exponent, op); !fresh && !tells(at->second) && tells(op))
          at->second = op;
    }
    if (powers.size() < 2 || powers.size() > max_placed)
      throw usage_error("there are {} different twiddle factors at {}; 2 to {} can be placed", powers.size(), spec_.at,
                        max_placed);
    const std::uint64_t points = spec_.points > 0 ? static_cast<std::uint64_t>(spec_.points) : 2 * span;
    if (points % span != 0)
      throw usage_error("the circle needs a point for each of {} steps; {} points have none", span, points);
    question_.kind = "place";
    question_.text = words("Put each twiddle factor of {0} in its place on the circle.", spec_.at);
    const auto degrees = [&](std::uint64_t point) { return number_text(360.0 * double(point) / double(points), 4); };
    // Points are counted clockwise from 1, as the forward transform turns.
    for (std::uint64_t p = 0; p < points; ++p)
      question_.answers.push_back({words("{0}° clockwise from 1", degrees(p)), "", false});
    const std::uint64_t each = points / span;
    for (const auto& [exponent, op] : powers) {
      const auto whole = static_cast<std::int64_t>(span);
      const auto steps =
          static_cast<std::uint64_t>((info_.expect.sign < 0 ? exponent : -exponent) % whole + whole) % span;
      const std::uint64_t right = steps * each;
      Round round;
      round.prompt = fmt::format("w_{}^{}", span, exponent);
      round.right = right;
      for (std::uint64_t p = 0; p < points; ++p)
        round.why.push_back(
            p == right ? words("{0} is {1} steps of {2}°: {3} uses it.", round.prompt, steps, degrees(each),
                               item_name(info_, op.item))
            : (p + right) % points == 0
                ? words("That is {0}° the other way round: the conjugate, which the transform in the "
                        "other direction uses.",
                        degrees(right))
            : p == (right + points / 2) % points
                ? words("That is half a turn away: a minus sign, which belongs to the second output.")
            : p % each != 0
                ? words("That is between two steps of {0}°: a factor of the next, longer stage.", degrees(each))
                : words("That is {0} steps from 1: w_{1}^{2}.", p / each, span,
                        info_.expect.sign < 0 ? static_cast<std::int64_t>(p / each)
                                              : -static_cast<std::int64_t>(p / each)));
      round.turning = turning_of(info_, op);
      for (std::uint64_t p = 0; p < points && round.turning; ++p)
        if (p != right)
          round.why[p] += std::string(gap_after_sentence(language_)) +
                          would_be(*round.turning, std::polar(1.0, -2 * pi * double(p) / double(points)), language_);
      question_.rounds.push_back(std::move(round));
    }
  }

  /// Into which bank of local memory each work-item's access falls, of those that make it together.
  void banks() {
    const bool write = spec_.find == "write";
    if (!write && !spec_.find.empty() && spec_.find != "read")
      throw usage_error("find is read or write, not '{}'", spec_.find);
    question_.kind = "banks";
    std::set<std::uint64_t> items;  // the first access of each
    for (const Operation& op : operations(steps_at(run_, spec_.at), false)) {
      const auto& list = write ? op.writes : op.reads;
      if (list.empty() || list[0].buffer < 0 || info_.buffers[list[0].buffer].space != Space::Local) continue;
      if (question_.rounds.size() == max_placed) break;
      if (!items.insert(op.item).second) continue;
      const std::uint64_t words_each =
          std::max<std::uint64_t>(1, traits(info_.buffers[list[0].buffer].type).bytes / bank_bytes);
      const std::uint64_t word = list[0].index * words_each, bank = word % bank_count;
      Round round;
      round.prompt = fmt::format("{} {}", words(item_name(info_, op.item)), element_in(info_, list[0], list[0].index));
      round.right = bank;
      for (std::uint64_t b = 0; b < bank_count; ++b)
        round.why.push_back(b == bank ? words("It is word {0}, and {0} mod {1} is {2}.", word, bank_count, bank)
                            : b == op.item % 32
                                ? words("No {1} has a bank of its own: a bank goes by the address, here word {0}.",
                                        word, item_noun(info_))
                            : (b + 1) % bank_count == bank || (bank + 1) % bank_count == b
                                ? words("One beside it: banks count from 0, and so do words. This is word {0}.", word)
                                : words("Bank {0} has words {0}, {1}, {2} …; this is word {3}.", b, b + bank_count,
                                        b + 2 * bank_count, word));
      question_.rounds.push_back(std::move(round));
    }
    if (question_.rounds.size() < 3)
      throw usage_error("at {} there are {} accesses of local memory to put into banks; 3 or more are needed", spec_.at,
                        question_.rounds.size());
    question_.text = write ? words("Put each write of {0} into its bank.", spec_.at)
                           : words("Put each read of {0} into its bank.", spec_.at);
    for (std::uint64_t b = 0; b < bank_count; ++b) question_.answers.push_back({std::to_string(b), "", false});
  }

  const QuestionSpec& spec_;
  const std::string_view language_;
  const CourseWords words;
  LessonRun& run_;
  const TraceInfo& info_;
  Question question_;
};

}  // namespace

std::optional<Question> done_question(const QuestionSpec& spec, std::string_view language, LessonRun& run) {
  return DoneMaker(spec, language, run).make();
}

Answer judged(const QuestionSpec& spec, std::string_view language, const std::string& expression) {
  const CourseWords words(language);
  const Built built = build_and_judge(spec, expression);
  if (built.right)
    return {expression, words("It was compiled and run: the outcome is right, and check finds no error."), true};
  return {expression, words("What comes of it: {}.", built.sentence.translated(catalogue_code(language_of(language)))),
          false};
}

// A line of a kernel to be filled in: the plan's own code is right, the others are what people write.
Question build_question(const QuestionSpec& spec, std::string_view language, Builds builds) {
  const CourseWords words(language);
  if (spec.answers.size() < 2) throw usage_error("a line to be filled in needs at least two [[answers]]");
  Question question;
  question.kind = "build";
  question.text = words("Fill in the gap in the kernel.");
  question.gap = gap_in_code(spec);
  for (const WrittenAnswer& written : spec.answers) {
    const std::string expression = written.text.empty() ? "" : written.text.front().text;
    const bool first = question.answers.empty();
    if (first && expression != spec.hole)
      throw usage_error("the first answer, '{}', is not the code of the plan, '{}'", expression, spec.hole);
    question.answers.push_back(builds == Builds::Now ? judged(spec, language, expression)
                                                     : Answer{expression, "", first});
    const Answer& answer = question.answers.back();
    if (first && !answer.right) throw usage_error("with its own code the plan's outcome is not right: {}", answer.why);
    if (!first && answer.right) throw usage_error("the answer '{}' is right, too", expression);
  }
  return question;
}

}  // namespace twiddle
