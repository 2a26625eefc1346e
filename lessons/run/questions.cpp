#include "lessons/run/questions.h"

#include "base/did_you_mean.h"
#include "base/error.h"
#include "lessons/run/build.h"
#include "lessons/run/course_words.h"
#include "lessons/run/digits.h"
#include "lessons/run/reference.h"
#include "tracer/checks/finding.h"
#include "tracer/replay/position.h"
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

constexpr std::size_t max_shown = 4, max_ordered = 16, max_placed = 8, max_steps = 4096;
constexpr std::uint64_t max_clicked = 64;

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
        {"finding", &Maker::finding},   {"next", &Maker::next},   {"click", &Maker::click},
        {"order", &Maker::order},       {"place", &Maker::place}, {"banks", &Maker::banks}};
    const auto kind = kinds.find(spec_.ask);
    if (kind == kinds.end())
      throw usage_error("there is no question '{}'{}", spec_.ask, did_you_mean(spec_.ask, question_kinds()));
    (this->*kind->second)();
    return std::move(question_);
  }

 private:
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

  Operation operation() {
    const StepRange range = steps_at(run_, spec_.at);
    if (range.first != range.last)
      throw usage_error("a question about one operation needs its position, at = \"L2.S1.I0\"");
    return run_.replay().operation(range.first);
  }
  // A butterfly or a sum of two, with both elements read.
  Operation pair_operation() {
    Operation op = operation();
    if (op.reads.size() != 2 || op.reads[0].buffer < 0)
      throw usage_error("the operation at {} does not read two elements", spec_.at);
    return op;
  }
  std::string element(const Access& like, std::uint64_t index) const {
    return fmt::format("{}[{}]", info_.buffers[like.buffer].name, index);
  }
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
        option(neighbour.reads[1].index, words("That is what the neighbour reads, work-item {0}.", neighbour.item));
    };
    const StepRange here = steps_at(run_, spec_.at);
    if (here.first < info_.steps) neighbour_at(here.first + 1);
    option(first + 2 * apart, words("Twice as far: that is the stride of another stage."));
    if (apart > 1) option(first + apart / 2, words("Half as far: that is the stride of another stage."));
    option(first + 1, words("Neighbours are paired in one stage only: the one of stride 1."));
    if (here.first > 1) neighbour_at(here.first - 1);
  }

  void ask_partner(const Operation& op, std::string yes) {
    question_.text = words("At {2}, work-item {0} reads {1}. Which element does it read with it?", op.item,
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
    question_.text = words("Which twiddle factor does work-item {0} use at {1}?", op.item, spec_.at);
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
    question_.text = words("What does work-item {0} write to {1} at {2}?", op.item,
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
    question_.text = words("How many work-items of the launch do nothing at {0}?", spec_.at);
    right(count_text(resting), words("Yes: {0} of {1} work.", working, items));
    wrong(count_text(working), words("So many are active; the question is who is idle."));
    wrong(count_text(items), words("Then no work-item would compute anything."));
    wrong("0", words("Look at the lanes: not every work-item has an operation here."));
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
    question_.text = words("How many barriers does a work-item meet in launch {0}?", launch->number);
    right(std::to_string(last), words("Yes: they divide the launch into {0} epochs.", last + 1));
    wrong(std::to_string(last + 1), words("That is the number of epochs; barriers are between them, one fewer."));
    if (last > 0)
      wrong(std::to_string(last - 1),
            words("One is missing: there must be order before every stage that reads what others wrote."));
    wrong(count_text(static_cast<std::uint64_t>(std::max(last, 2)) * launch->group_size()),
          words("All work-items meet the same barrier; it is not counted once for each."));
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
              words("Right: in {0}, work-items {2} touch {1} with no barrier between them, and one of them writes.",
                    where(finding), touched, fmt::format("{}", fmt::join(finding.items, ", "))));
        return wrong(
            words("No."),
            words("There is one: look for an element that one work-item writes and another reads in the same epoch."));
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
    question_.text = words("The first mistake is in {0}. Which work-item makes it?", where(finding));
    right(words("work-item {0}", finding.items.front()),
          words("Yes, at line {0}: {1}.", finding.line, finding_word(finding.kind)));
    // Neighbours without an error on both sides.
    for (std::uint64_t away = 1; away < known && question_.answers.size() < max_shown; ++away)
      for (const std::uint64_t item : {finding.items.front() - away, finding.items.front() + away})
        if (item < known && !guilty.contains(item))
          wrong(words("work-item {0}", item),
                words("Work-item {0} did what it should there; compare it with the others.", item));
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
            "A race needs an element that one work-item writes and another touches with no barrier between "
            "them; check finds no such element here.");
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
            "Then neighbouring work-items would touch elements far apart, and most bytes fetched would go "
            "unused; check finds no such access here.");
      case FindingClass::AtomicContention:
        return words(
            "Then many work-items would add to one element in the same turn and queue; check counts no such "
            "queue here.");
      default:
        return words(
            "Then work-items of one sub-group would take different ways and wait for each other; check finds "
            "little of that here.");
    }
  }

  // ---- What is done, not chosen ----

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
    const Operation op = operation();
    const bool write = spec_.find == "write";
    if (!write && !spec_.find.empty() && spec_.find != "partner")
      throw usage_error("find is partner or write, not '{}'", spec_.find);
    if ((write ? op.writes.size() : op.reads.size()) < (write ? 1 : 2))
      throw usage_error("the operation at {} has no such element", spec_.at);
    const Access& asked = write ? op.writes[0] : op.reads[1];
    if (asked.buffer < 0 || count_of(asked) > max_clicked)
      throw usage_error("a click is asked for in a buffer of at most {} elements", max_clicked);
    question_.kind = "click";
    question_.text = write ? words("Click the element that work-item {0} writes at {1}.", op.item, spec_.at)
                           : words("At {2}, work-item {0} reads {1}. Click the element that it reads with it.", op.item,
                                   element(op.reads[0], op.reads[0].index), spec_.at);
    const std::vector<Operation> others = operations(steps_at(run_, spec_.at), true);
    Round round;
    round.right = asked.index;
    for (std::uint64_t i = 0; i < count_of(asked); ++i) {
      const std::string name = element(asked, i);
      question_.answers.push_back({name, "", i == asked.index});
      round.why.push_back(i == asked.index ? sentence(info_, op) : who_has(others, op, asked, i, write));
    }
    question_.rounds.push_back(std::move(round));
  }

  /// Who reads or writes an element instead, in the same segment.
  std::string who_has(const std::vector<Operation>& others, const Operation& op, const Access& asked,
                      std::uint64_t index, bool write) const {
    const std::string name = element(asked, index);
    if (!write && op.reads[0].buffer == asked.buffer && op.reads[0].index == index)
      return words("{0} is the one that it starts from; a pair has two.", name);
    for (const Operation& other : others)
      for (const Access& access : write ? other.writes : other.reads)
        if (access.buffer == asked.buffer && access.index == index)
          return other.item == op.item ? words("Work-item {0} has {1}, too, but in another operation.", op.item, name)
                 : write               ? words("{0} is written by work-item {1} here.", name, other.item)
                                       : words("{0} is read by work-item {1} here.", name, other.item);
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
      const std::string name = element(list[0], list[0].index);
      if (std::none_of(sequence.begin(), sequence.end(), [&](const auto& entry) { return entry.first == name; }))
        sequence.emplace_back(name, op.item);
    }
    if (sequence.size() < 3 || sequence.size() > max_ordered)
      throw usage_error("an order is of 3 to {} elements; at {} there are {}", max_ordered, spec_.at, sequence.size());
    question_.kind = "order";
    question_.text = write ? words(
                                 "Click the elements in the order in which work-items write them at {0}, the first "
                                 "work-item first.",
                                 spec_.at)
                           : words(
                                 "Click the elements in the order in which work-items read them at {0}, the first "
                                 "work-item first.",
                                 spec_.at);
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
                                            : words("{0} is work-item {1}'s.", name, item));
      }
      question_.rounds.push_back(std::move(round));
    }
  }

  /// The twiddles of a stage, each to be put on its point of the circle.
  void place() {
    std::map<std::int64_t, std::uint64_t> powers;  // exponent, and whose it is first
    std::uint64_t span = 0;
    for (const Operation& op : operations(steps_at(run_, spec_.at), false)) {
      const std::uint64_t own = span_of(info_, op);
      if (op.kind != OperationKind::Butterfly || own == 0 || op.coefficients.empty()) continue;
      if (span != 0 && span != own) throw usage_error("at {} there are butterflies of several spans", spec_.at);
      span = own;
      if (const auto exponent = twiddle_exponent(op.coefficients[0], span, info_.expect.sign))
        powers.try_emplace(*exponent, op.item);
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
    for (const auto& [exponent, item] : powers) {
      const auto whole = static_cast<std::int64_t>(span);
      const auto steps =
          static_cast<std::uint64_t>((info_.expect.sign < 0 ? exponent : -exponent) % whole + whole) % span;
      const std::uint64_t right = steps * each;
      Round round;
      round.prompt = fmt::format("w_{}^{}", span, exponent);
      round.right = right;
      for (std::uint64_t p = 0; p < points; ++p)
        round.why.push_back(
            p == right
                ? words("{0} is {1} steps of {2}°. Work-item {3} uses it.", round.prompt, steps, degrees(each), item)
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
      round.prompt = fmt::format("{} {}", words("work-item {}", op.item), element(list[0], list[0].index));
      round.right = bank;
      for (std::uint64_t b = 0; b < bank_count; ++b)
        round.why.push_back(b == bank ? words("It is word {0}, and {0} mod {1} is {2}.", word, bank_count, bank)
                            : b == op.item % 32
                                ? words("A bank is not a work-item's own: it goes by the address, here word {0}.", word)
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
    right(pair(a, b), words("Yes: work-item {0} is next.", op.item));
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
  std::uint64_t state = 14695981039346656037u;  // FNV-1a
  for (const char c : key) state = (state ^ static_cast<unsigned char>(c)) * 1099511628211u;
  for (std::size_t i = question.answers.size(); i > 1; --i) {
    state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX
    std::swap(question.answers[i - 1], question.answers[(state >> 33) % i]);
  }
}

}  // namespace

std::string verdict(const Answer& answer, std::string_view language) {
  const CourseWords words(language);
  if (!answer.right) return words("Not so.") + " " + answer.why;
  // Reasons of right answers mostly begin with a yes of their own.
  constexpr std::array<std::string_view, 8> yes = {"Yes", "Right", "正解", "はい", "そう", "正确", "对", "是的"};
  const bool said =
      std::any_of(yes.begin(), yes.end(), [&](std::string_view one) { return answer.why.starts_with(one); });
  return said ? answer.why : words("Right.") + " " + answer.why;
}

const std::vector<std::string>& question_kinds() {
  static const std::vector<std::string> kinds = {"partner",  "span",  "stride",  "twiddle", "value", "idle",
                                                 "barriers", "race",  "culprit", "finding", "next",  "cost",
                                                 "click",    "order", "place",   "banks",   "build", "choice"};
  return kinds;
}

Answer judged(const QuestionSpec& spec, std::string_view language, const std::string& expression) {
  const CourseWords words(language);
  const Built built = build_and_judge(spec, expression);
  if (built.right)
    return {expression, words("It was compiled and run: the outcome is right, and check finds no error."), true};
  return {expression, words("What comes of it: {}.", built.sentence.translated(catalogue_code(language_of(language)))),
          false};
}

namespace {

// A line of a kernel to be filled in: the plan's own code is right, the others are what people write.
Question build_question(const QuestionSpec& spec, std::string_view language, Builds builds) {
  const CourseWords words(language);
  if (spec.answers.size() < 2) throw usage_error("a line to be filled in needs at least two [[answers]]");
  Question question;
  question.kind = "build";
  question.text = words("Fill in the kernel's line: {}", line_to_fill_in(spec));
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

}  // namespace

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
  } else {
    const auto named = [&](const std::string& wanted) -> LessonRun& {
      const LessonRunSpec* run = lesson.run_named(wanted);
      if (!run) throw usage_error("there is no run '{}' in this lesson", wanted);
      return runs.run(run->request);
    };
    if (spec.ask == "cost")
      question = cost_question(spec, lesson.language, named(name), named(spec.than_run.empty() ? name : spec.than_run),
                               plain(spec.name), plain(spec.than_name));
    else
      question = Maker(spec, lesson, named(name)).make();
  }
  if (!spec.text.empty()) {
    const std::string own = plain(spec.text);
    question.text = question.kind == "build" ? own + " " + line_to_fill_in(spec) : own;
  }
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
