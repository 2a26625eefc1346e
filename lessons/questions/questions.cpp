#include "lessons/questions/questions.h"

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/values/hash.h"
#include "lessons/questions/build.h"
#include "lessons/questions/question_parts.h"
#include "lessons/run/course_words.h"
#include "lessons/run/digits.h"
#include "lessons/run/reference.h"
#include "tracer/checks/finding.h"
#include "tracer/replay/position.h"
#include "tracer/trace/item_words.h"
#include "tracer/trace/span.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/twiddle_name.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <functional>
#include <map>
#include <set>

namespace twiddle {
namespace {

constexpr std::size_t max_shown = 4;

using Complex = std::complex<double>;

// One question in the making: the right answer first, then mistakes in the order of how typical they are.
class Maker {
 public:
  Maker(const QuestionSpec& spec, const Lesson& lesson, LessonRun& run)
      : spec_(spec), words(lesson.language), run_(run), info_(run.info()) {}

  Question make() {
    static const std::map<std::string, void (Maker::*)(), std::less<>> kinds = {
        {"partner", &Maker::partner},   {"span", &Maker::span},   {"stride", &Maker::stride},
        {"twiddle", &Maker::twiddle},   {"value", &Maker::value}, {"idle", &Maker::idle},
        {"barriers", &Maker::barriers}, {"race", &Maker::race},   {"culprit", &Maker::culprit},
        {"finding", &Maker::finding},   {"next", &Maker::next}};
    const auto kind = kinds.find(spec_.ask);
    if (kind == kinds.end())
      throw usage_error("there is no question '{}'{}", spec_.ask, did_you_mean(spec_.ask, question_kinds()));
    (this->*kind->second)();
    question_.hint = hint();
    return std::move(question_);
  }

 private:
  /// Where to look for the answer.
  std::string hint() const {
    const std::string &ask = spec_.ask, &at = spec_.at;
    if (ask == "partner") return words("How far apart are the two inputs of every butterfly of that stage?");
    if (ask == "span")
      return words("Follow both lines of the operation at {0}: how many rows does its block have?", at);
    if (ask == "stride") return words("Subtract one of the two indices that are read at {0} from the other.", at);
    if (ask == "twiddle")
      return words("Below is the number of points in the block, above the place in it. Count both at {0}.", at);
    if (ask == "value")
      return words("Turn b by w first: the first output at {0} is the sum of a and that, the second their difference.",
                   at);
    if (ask == "idle")
      return words("Count the rows that have something to do at {0}; the others of the launch have not.", at);
    if (ask == "barriers")
      return words(
          "A barrier is where all rows of a group wait for each other: count these places, not the parts between.");
    if (ask == "race")
      return words("Look for an element that two {0} touch with no barrier between, and one of them writes.",
                   items_noun(info_));
    if (ask == "culprit")
      return words("What is wrong later comes from what was wrong first: look for the first element that is off.");
    if (ask == "next")
      return words("The {1} take their turns by number: how does the pair at {0} move on by one?", at,
                   items_noun(info_));
    return words(
        "Ask one thing after the other: is an index beyond the end, do two touch one element, is something read "
        "that was never written, is a value wrong, does an access cost more than it must?");
  }
  /// A class of findings with an article.
  std::string finding_word(FindingClass kind) const {
    static constexpr std::array<const char*, finding_class_count> phrases = {
        translatable("a data race"),
        translatable("a race that writes the same value"),
        translatable("an access out of bounds"),
        translatable("an uninitialised read"),
        translatable("barrier divergence"),
        translatable("a wrong partner"),
        translatable("a wrong twiddle factor"),
        translatable("a wrong value"),
        translatable("a missing operation"),
        translatable("an operation done twice"),
        translatable("a read that the log does not explain"),
        translatable("a missing scale factor"),
        translatable("a trace line that says something else than what happened"),
        translatable("bank conflicts"),
        translatable("accesses that are not coalesced"),
        translatable("contention of atomic operations"),
        translatable("divergent branches"),
    };
    return words.unfilled(phrases[static_cast<std::size_t>(kind)]);
  }
  void right(std::string text, std::string why) {
    question_.answers.push_back({std::move(text), std::move(why), true});
  }
  /// Left out when an answer says the same already.
  void wrong(std::string text, std::string why) {
    for (const Answer& answer : question_.answers)
      if (answer.text == text) return;
    if (question_.answers.size() < max_shown) question_.answers.push_back({std::move(text), std::move(why), false});
  }

  Operation operation() { return operation_asked(run_, spec_.at); }
  // A butterfly or a sum of two, with both elements read.
  Operation pair_operation() {
    Operation op = operation();
    if (op.reads.size() != 2 || op.reads[0].buffer < 0)
      throw usage_error("the operation at {} does not read two elements", spec_.at);
    return op;
  }
  std::string element(const Access& like, std::uint64_t index) const { return element_in(info_, like, index); }
  std::uint64_t count_of(const Access& like) const { return info_.buffers[like.buffer].count; }

  void partner() {
    const Operation op = pair_operation();
    const std::uint64_t first = op.reads[0].index, second = op.reads[1].index, count = count_of(op.reads[0]);
    if (op.kind == OperationKind::Swap && count > 1)
      for (const std::uint64_t base : {2, 4})
        if (second == read_backwards(first, count, base)) return reversed_partner(op, base);
    const std::uint64_t apart = first < second ? second - first : first - second;
    ask_partner(op, words("Yes: the two inputs of this stage are {0} apart.", apart));
    const auto option = [&](std::uint64_t index, const std::string& why) { wrong_partner(op, index, why); };
    // The neighbour's second element, where it has one.
    const auto neighbour_at = [&](std::uint64_t step) {
      const Operation neighbour = run_.replay().operation(step);
      if (neighbour.reads.size() == 2 && neighbour.stage == op.stage)
        option(neighbour.reads[1].index,
               words("That is what the neighbour reads, {0}.", item_name(info_, neighbour.item)));
    };
    const StepRange here = steps_at(run_, spec_.at);
    if (here.first < info_.steps) neighbour_at(here.first + 1);
    option(first + 2 * apart, words("Twice as far: that is the stride of another stage."));
    if (apart > 1) option(first + apart / 2, words("Half as far: that is the stride of another stage."));
    option(first + 1, words("Neighbours are paired in one stage only: the one of stride 1."));
    if (here.first > 1) neighbour_at(here.first - 1);
  }

  void ask_partner(const Operation& op, std::string yes) {
    question_.text = words("At {2}, {0} reads {1}. Which element does it read with it?", item_name(info_, op.item),
                           element(op.reads[0], op.reads[0].index), spec_.at);
    right(element(op.reads[1], op.reads[1].index), std::move(yes));
  }
  /// Left out where the buffer has no such element, or it is the one that is given.
  void wrong_partner(const Operation& op, std::uint64_t index, const std::string& why) {
    if (index < count_of(op.reads[0]) && index != op.reads[0].index) wrong(element(op.reads[1], index), why);
  }

  // Of a swap that puts the points in bit-reversed order, or in the order of their reversed base-4 digits.
  void reversed_partner(const Operation& op, std::uint64_t base) {
    const std::uint64_t first = op.reads[0].index, second = op.reads[1].index, count = count_of(op.reads[0]);
    ask_partner(op, words("Yes: {0} is written {1}; backwards that is {2}, which is {3}.", first,
                          digits_of(first, count, base), digits_of(second, count, base), second));
    wrong_partner(op, read_backwards(first, count, 2),
                  words("There the bits are read backwards, one by one; here whole digits change places."));
    wrong_partner(op, count - 1 - first,
                  words("There every bit is flipped; reading backwards moves bits and changes none."));
    for (const std::uint64_t moved : {first / 2 + first % 2 * (count / 2), first * 2 % count + first * 2 / count})
      wrong_partner(
          op, moved,
          words("There every bit has moved on by one place; backwards the first comes last and the last first."));
  }

  void span() {
    const Operation op = operation();
    const std::uint64_t span = span_of(info_, op);
    if (span == 0) throw usage_error("the operation at {} has no span", spec_.at);
    question_.text = words("How many points does a block of the stage at {0} merge (its span)?", spec_.at);
    const bool twice = span == 2 * op.stride();
    right(count_text(span), twice ? words("Yes: {0} points, twice the stride of {1}.", span, op.stride())
                                  : words("Yes: {0} points, which lie {1} apart.", span, op.stride()));
    wrong(count_text(op.stride()), twice ? words("That is the stride, the distance of the two inputs; the block is "
                                                 "twice as long.")
                                         : words("That is the stride, the distance of the two inputs."));
    wrong(count_text(2 * span), words("That is the span of the next stage."));
    if (op.stride() > 1) wrong(count_text(op.stride() / 2), words("That was the span two stages before."));
  }

  void stride() {
    const Operation op = pair_operation();
    if (op.stride() == 0) throw usage_error("the operation at {} has no stride", spec_.at);
    question_.text = words("How far apart are the two inputs of a butterfly at {0} (the stride)?", spec_.at);
    right(count_text(op.stride()), words("Yes: it reads indices {0} and {1}.", op.reads[0].index, op.reads[1].index));
    wrong(count_text(2 * op.stride()), words("That is the span, the length of the whole block."));
    if (op.stride() > 1) wrong(count_text(op.stride() / 2), words("That was the stride of the stage before."));
    wrong(count_text(4 * op.stride()), words("That is far too wide: the blocks do not reach so far yet."));
  }

  static Complex complex_of(const Value& value) { return {value.component(0), value.component(1)}; }
  // A complex number in the type of another.
  static std::string text_of(Complex number) {
    Value value;
    value.type = ElementType::Double2;
    const double parts[2] = {number.real(), number.imag()};
    std::memcpy(value.bits.data(), parts, sizeof parts);
    return value_text(value);
  }

  Operation turned_operation() {
    Operation op = operation();
    if (op.coefficients.empty() || traits(op.coefficients[0].type).components != 2)
      throw usage_error("the operation at {} has no twiddle factor", spec_.at);
    return op;
  }

  void twiddle() {
    const Operation op = turned_operation();
    const Complex w = complex_of(op.coefficients[0]);
    question_.text = words("Which twiddle factor does {0} use at {1}?", item_name(info_, op.item), spec_.at);
    const TwiddleName name = name_twiddle(w, std::max<std::uint64_t>(1, span_of(info_, op)), info_.expect.sign);
    right(text_of(w),
          words("Yes: it is {0}.", name.is_power ? fmt::format("w_{}^{}", name.points, name.exponent) : text_of(w)));
    wrong(text_of(std::conj(w)),
          words("That is the conjugate: it turns the other way, as the transform in the other direction does."));
    wrong(text_of(-w), words("That is half a turn further: the minus sign belongs to the second output."));
    wrong(text_of({w.imag(), w.real()}), words("Real and imaginary part are swapped: cosine first, then sine."));
    wrong(text_of(1), words("Only the first butterfly of each block multiplies by one."));
  }

  void value() {
    const Operation op = turned_operation();
    if (op.kind != OperationKind::Butterfly || op.reads.size() != 2 || op.writes.size() != 2 || !op.reads[0].known ||
        !op.writes[0].known)
      throw usage_error("the operation at {} is no radix-2 butterfly with values", spec_.at);
    const Complex w = complex_of(op.coefficients[0]), a = complex_of(op.reads[0].value),
                  b = complex_of(op.reads[1].value);
    question_.text = words("What does {0} write to {1} at {2}?", item_name(info_, op.item),
                           element(op.writes[0], op.writes[0].index), spec_.at);
    right(text_of(complex_of(op.writes[0].value)), words("Yes: {0}", sentence(info_, op)));
    wrong(text_of(complex_of(op.writes[1].value)), words("That is its other output: mind the sign."));
    wrong(text_of(a + b), words("Here the second input was not multiplied by the twiddle factor."));
    wrong(text_of(a + std::conj(w) * b),
          words("Here the second input was turned the wrong way, by the conjugate twiddle factor."));
    wrong(text_of(a - b), words("Here the second input was not multiplied by the twiddle factor."));
  }

  void idle() {
    const StepRange range = steps_at(run_, spec_.at);
    std::set<std::uint64_t> active;
    int number = 0;
    if (range.first <= range.last)
      run_.replay().for_each(range.first, range.last, false, [&](const Operation& op) {
        number = op.launch;
        active.insert(op.item);
        return true;
      });
    const LaunchInfo* launch = info_.launch(number);
    if (!launch) throw usage_error("nothing happens at {}", spec_.at);
    const std::uint64_t items = launch->items(), working = active.size(), resting = items - working;
    question_.text = words("How many {1} of the launch do nothing at {0}?", spec_.at, items_noun(info_));
    right(count_text(resting), words("Yes: {0} of {1} work.", working, items));
    wrong(count_text(working), words("So many are active; the question is who is idle."));
    wrong(count_text(items), words("Then no {0} would compute anything.", item_noun(info_)));
    wrong("0", words("Look at the lanes: not every {0} has an operation here.", item_noun(info_)));
    wrong(count_text(items / 2), words("Count again: half as many, or twice as many, belong to a neighbouring stage."));
    wrong(count_text(items / 4), words("Count again: half as many, or twice as many, belong to a neighbouring stage."));
  }

  void barriers() {
    const auto position = parse_position(spec_.at);
    const LaunchInfo* launch = position ? info_.launch(position->launch) : nullptr;
    if (!launch) throw usage_error("a question about barriers needs its launch, at = \"L1\"");
    int last = 0;
    for (const Segment& segment : info_.segments)
      if (segment.launch == launch->number) last = std::max(last, segment.epoch);
    question_.text = words("How many barriers does a {1} meet in launch {0}?", launch->number, item_noun(info_));
    right(std::to_string(last), words("Yes: they divide the launch into {0} epochs.", last + 1));
    wrong(std::to_string(last + 1), words("That is the number of epochs; barriers are between them, one fewer."));
    if (last > 0)
      wrong(std::to_string(last - 1),
            words("One is missing: there must be order before every stage that reads what others wrote."));
    wrong(count_text(static_cast<std::uint64_t>(std::max(last, 2)) * launch->group_size()),
          words("All {0} meet the same barrier; it is not counted once for each.", items_noun(info_)));
  }

  std::string where(const Finding& finding) const {
    return finding.stage > 0 ? fmt::format("L{}.S{}", finding.launch, finding.stage)
                             : fmt::format("L{}", finding.launch);
  }

  void race() {
    question_.text = words("Is there a data race in this run?");
    for (const Finding& finding : run_.findings())
      if (finding.kind == FindingClass::Race || finding.kind == FindingClass::RaceSameValue) {
        const std::string touched = finding.buffer >= 0 && finding.element
                                        ? fmt::format("{}[{}]", info_.buffers[finding.buffer].name, *finding.element)
                                        : "memory";
        right(words("Yes."),
              words("Right: in {0}, {3} {2} touch {1} with no barrier between them, and one of them writes.",
                    where(finding), touched, words.list(finding.items), items_noun(info_)));
        return wrong(words("No."),
                     words("There is one: look for an element that one {0} writes and another reads in the same epoch.",
                           item_noun(info_)));
      }
    right(words("No."),
          words("Right: of {0} operations no two touch an element without order, unless both only read.", info_.steps));
    wrong(words("Yes."), words("Who touches the same element is kept apart by a barrier or by the end of a launch."));
  }

  // The first finding that is worth a question: errors come first.
  const Finding& first_finding() {
    if (run_.findings().empty()) throw usage_error("there is no finding in this run to ask for");
    return run_.findings().front();
  }

  void culprit() {
    const Finding& finding = first_finding();
    const LaunchInfo* launch = info_.launch(finding.launch);
    if (finding.items.empty() || !launch) throw usage_error("the first finding of this run names no work-item");
    std::set<std::uint64_t> guilty;
    // Of many culprits only the first are listed: work-items after them may be culprits, too.
    std::uint64_t known = launch->items();
    for (const Finding& other : run_.findings()) {
      if (other.launch != finding.launch || other.stage != finding.stage || other.severity != finding.severity)
        continue;
      guilty.insert(other.items.begin(), other.items.end());
      if (other.occurrences > other.items.size())
        known = std::min(known, *std::max_element(other.items.begin(), other.items.end()));
    }
    question_.text = words("The first mistake is in {0}. Which {1} makes it?", where(finding), item_noun(info_));
    right(words(item_name(info_, finding.items.front())),
          words("Yes, at line {0}: {1}.", finding.line, finding_word(finding.kind)));
    // Neighbours without an error on both sides.
    for (std::uint64_t away = 1; away < known && question_.answers.size() < max_shown; ++away)
      for (const std::uint64_t item : {finding.items.front() - away, finding.items.front() + away})
        if (item < known && !guilty.contains(item))
          wrong(words(item_name(info_, item)),
                words("There {0} did what it should; compare it with the others.", item_name(info_, item)));
  }

  void finding() {
    question_.text = words("What will twiddle check say of this run?");
    const std::string nothing = words("nothing: it finds no error and no cost");
    std::set<FindingClass> there;
    for (const Finding& other : run_.findings()) there.insert(other.kind);
    bool cost = false;
    if (there.empty()) {
      right(nothing, words("Yes: every check has looked, and none finds anything."));
    } else {
      const Finding& first = first_finding();
      cost = first.severity != Severity::Error;
      right(finding_word(first.kind), words("Yes, and it counts {0}.", count_text(first.occurrences)));
      wrong(nothing, words("It says something of this run: line {0} is where it begins.", first.line));
    }
    using enum FindingClass;
    static constexpr std::array costs = {BankConflict, Uncoalesced, AtomicContention, DivergentBranch};
    static constexpr std::array errors = {Race,         OutOfBounds,      WrongTwiddle,
                                          WrongPartner, MissingOperation, UninitialisedRead};
    const auto offer = [&](FindingClass kind) {
      if (!there.contains(kind)) wrong(finding_word(kind), why_not(kind));
    };
    if (cost)
      for (const FindingClass kind : costs) offer(kind);
    for (const FindingClass kind : errors) offer(kind);
  }

  /// What a mistake of this kind would have done, where check finds none.
  std::string why_not(FindingClass kind) const {
    const auto outer = std::find_if(info_.buffers.begin(), info_.buffers.end(),
                                    [](const BufferInfo& buffer) { return buffer.space != Space::Local; });
    switch (kind) {
      case FindingClass::Race:
        return words(
            "A race needs an element that one {0} writes and another touches with no barrier between "
            "them; check finds no such element here.",
            item_noun(info_));
      case FindingClass::OutOfBounds:
        return outer == info_.buffers.end()
                   ? words("It would name an element past the end of an array; every index here is inside.")
                   : words("It would name an element past the end, such as {0}[{1}]; every index here is inside.",
                           outer->name, outer->count);
      case FindingClass::WrongTwiddle:
        return words(
            "Then the right elements would meet and one of them be turned by a wrong angle; check names no "
            "factor here.");
      case FindingClass::WrongPartner:
        return words("Then two elements would meet that do not belong together; check names no such pair here.");
      case FindingClass::MissingOperation:
        return words(
            "Then an element would keep what it held, because nothing came to it; check misses no operation here.");
      case FindingClass::UninitialisedRead:
        return words("Then something would be read where nothing was written before; check finds no such read here.");
      case FindingClass::BankConflict:
        return words(
            "Then lanes would ask one bank of local memory for different words and be served in turn; check "
            "counts no such passes here.");
      case FindingClass::Uncoalesced:
        return words(
            "Then neighbouring {0} would touch elements far apart, and most bytes fetched would go "
            "unused; check finds no such access here.",
            items_noun(info_));
      case FindingClass::AtomicContention:
        return words(
            "Then many {0} would add to one element in the same turn and queue; check counts no such "
            "queue here.",
            items_noun(info_));
      default:
        return words(
            "Then {0} of one {1} would take different ways and wait for each other; check finds "
            "little of that here.",
            items_noun(info_), lanes_noun(info_));
    }
  }

  void next() {
    const StepRange here = steps_at(run_, spec_.at);
    if (here.last >= info_.steps) throw usage_error("nothing comes after {}", spec_.at);
    const Operation now = run_.replay().operation(std::max<std::uint64_t>(1, here.last));
    const Operation op = run_.replay().operation(here.last + 1);
    if (op.reads.size() != 2) throw usage_error("the operation after {} does not read two elements", spec_.at);
    const auto pair = [&](std::uint64_t a, std::uint64_t b) {
      return element(op.reads[0], a) + ", " + element(op.reads[1], b);
    };
    const std::uint64_t a = op.reads[0].index, b = op.reads[1].index, count = count_of(op.reads[0]);
    question_.text = words("The operation at {0} is done. Which elements does the next one read?", spec_.at);
    right(pair(a, b), words("Yes: {0} is next.", item_name(info_, op.item)));
    if (now.reads.size() == 2)
      wrong(pair(now.reads[0].index, now.reads[1].index), words("That is what has just been done."));
    if (b > a && a + 2 * (b - a) < count)
      wrong(pair(a, a + 2 * (b - a)), words("The stride is that of another stage."));
    if (b > a + 1) wrong(pair(a, a + (b - a) / 2), words("The stride is that of another stage."));
    if (b + 1 < count) wrong(pair(a, b + 1), words("One further than that: no operation reads this pair."));
    if (b > 0 && b - 1 != a) wrong(pair(a, b - 1), words("One further than that: no operation reads this pair."));
  }

  const QuestionSpec& spec_;
  const CourseWords words;
  LessonRun& run_;
  const TraceInfo& info_;
  Question question_;
};

// The same order in every language and on every machine, and the right answer not always in one place.
void shuffle(Question& question, const std::string& key) {
  std::uint64_t state = fnv_1a(key);
  for (std::size_t i = question.answers.size(); i > 1; --i) {
    state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX
    std::swap(question.answers[i - 1], question.answers[(state >> 33) % i]);
  }
}

}  // namespace

std::string_view gap_after_sentence(std::string_view language) { return language == "en" ? " " : ""; }

std::string verdict(const Answer& answer, std::string_view language) {
  const CourseWords words(language);
  const std::string gap(gap_after_sentence(language));
  if (!answer.right) return words("Not so.") + gap + answer.why;
  // Reasons of right answers mostly begin with a yes of their own.
  constexpr std::array<std::string_view, 8> yes = {"Yes", "Right", "正解", "はい", "そう", "正确", "对", "是的"};
  const bool said =
      std::any_of(yes.begin(), yes.end(), [&](std::string_view one) { return answer.why.starts_with(one); });
  return said ? answer.why : words("Right.") + gap + answer.why;
}

const std::vector<std::string>& question_kinds() {
  static const std::vector<std::string> kinds = {
      "partner", "span", "stride", "twiddle", "value", "idle",  "barriers", "race",     "culprit", "finding",
      "next",    "cost", "click",  "order",   "place", "banks", "build",    "spectrum", "choice"};
  return kinds;
}

Question make_question(const QuestionSpec& spec, const Lesson& lesson, const std::string& step_run, LessonRuns& runs,
                       Builds builds) {
  const std::string& name = spec.run.empty() ? step_run : spec.run;
  const auto plain = [&](const std::vector<TextRun>& words) {
    std::string out;
    for (const TextRun& run : words) out += run.reference ? evaluate(run.text, lesson, name, runs) : run.text;
    return out;
  };
  Question question;
  if (spec.ask == "choice") {
    if (spec.answers.size() < 2 || spec.text.empty())
      throw usage_error("a question with written answers needs text and at least two [[answers]]");
    for (const WrittenAnswer& answer : spec.answers)
      question.answers.push_back({plain(answer.text), plain(answer.why), question.answers.empty()});
  } else if (spec.ask == "build") {
    question = build_question(spec, lesson.language, builds);
    question.hint = CourseWords(lesson.language)(
        "Put numbers in: take the first work-item, then the next. What does each code give for them, and what is "
        "needed?");
  } else {
    const auto named = [&](const std::string& wanted) -> LessonRun& {
      const LessonRunSpec* run = lesson.run_named(wanted);
      if (!run) throw usage_error("there is no run '{}' in this lesson", wanted);
      return runs.run(run->request);
    };
    if (spec.ask == "cost")
      question = cost_question(spec, lesson.language, named(name), named(spec.than_run.empty() ? name : spec.than_run),
                               plain(spec.name), plain(spec.than_name));
    else if (spec.ask == "spectrum")
      question = spectrum_question(spec, lesson.language, named(name), runs);
    else if (std::optional<Question> done = done_question(spec, lesson.language, named(name)))
      question = std::move(*done);
    else
      question = Maker(spec, lesson, named(name)).make();
  }
  if (!spec.text.empty()) question.text = plain(spec.text);
  if (!spec.hint.empty()) question.hint = plain(spec.hint);
  constexpr std::size_t telling = 6;  // shorter answers, such as "2", may be part of any sentence
  for (const Answer& answer : question.answers)
    if (answer.right && answer.text.size() >= telling && question.hint.find(answer.text) != std::string::npos)
      throw usage_error("the hint says the answer: '{}'", answer.text);
  if (question.task) return question;  // its answers are samples, judged by their spectrum
  if (question.answers.size() < 2) throw usage_error("the trace gives no wrong answer to this question; ask elsewhere");
  for (std::size_t i = 0; i < question.answers.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (question.answers[i].text == question.answers[k].text)
        throw usage_error("two answers say the same: '{}'", question.answers[i].text);
  if (!question.rounds.empty()) return question;  // its answers have an order of their own
  shuffle(question, lesson.id + spec.ask + spec.at + std::to_string(question.answers.size()));
  return question;
}

std::vector<TextRun> resolved(const std::vector<TextRun>& text, const Lesson& lesson, const std::string& run,
                              LessonRuns& runs) {
  std::vector<TextRun> out = text;
  for (TextRun& part : out)
    if (part.reference) part.text = at_line(lesson, part.line, [&] { return evaluate(part.text, lesson, run, runs); });
  return out;
}

std::vector<TextBlock> resolved(const std::vector<TextBlock>& text, const Lesson& lesson, const std::string& run,
                                LessonRuns& runs) {
  std::vector<TextBlock> out = text;
  for (TextBlock& block : out) block.runs = resolved(block.runs, lesson, run, runs);
  return out;
}

Question resolved_question(const QuestionSpec& spec, const Lesson& lesson, const std::string& run, LessonRuns& runs,
                           Builds builds) {
  return at_line(lesson, spec.line, [&] { return make_question(spec, lesson, run, runs, builds); });
}

}  // namespace twiddle
