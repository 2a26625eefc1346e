#include "lessons/run/reference.h"

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/text.h"
#include "lessons/run/access_cost.h"
#include "lessons/run/claims.h"
#include "lessons/run/digits.h"
#include "lessons/text/markdown.h"
#include "tracer/checks/finding.h"
#include "tracer/cost/sub_group.h"
#include "tracer/replay/position.h"
#include "tracer/trace/span.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/source_values.h"
#include "viewer/words/twiddle_name.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <functional>
#include <set>
#include <vector>

namespace twiddle {
namespace {

using Words = std::vector<std::string>;

std::uint64_t whole(std::string_view text, std::string_view what) {
  const auto value = number_in<std::uint64_t>(text);
  if (!value) throw usage_error("'{}' is no {}", text, what);
  return *value;
}

// The operation at a position with a work-item.
Operation operation_at(LessonRun& run, const std::string& position) {
  const StepRange range = steps_at(run, position);
  if (range.first != range.last) throw usage_error("'{}' is no single operation; name a work-item: L2.S1.I0", position);
  return run.replay().operation(range.first);
}

const Access& access(const SmallList<Access, 4>& accesses, const std::string& which, const std::string& position) {
  const std::uint64_t k = whole(which, "place in a list; places count from 1");
  if (k < 1 || k > static_cast<std::uint64_t>(accesses.size()))
    throw usage_error("the operation at {} has {} of those, not {}", position, accesses.size(), which);
  return accesses[static_cast<int>(k) - 1];
}

std::string value_of(const Access& access, const std::string& position) {
  if (!access.known) throw usage_error("the log does not say the value at {}", position);
  return value_text(access.value);
}

// value ELEMENT after|before|at POSITION
std::string value_at(LessonRun& run, const Words& words) {
  const StepRange range = steps_at(run, words[3]);
  const bool before = words[2] == "before";
  if (!before && words[2] != "after" && words[2] != "at") throw usage_error("say after or before, not '{}'", words[2]);
  const std::uint64_t step = before ? range.first - 1 : range.last;
  const TraceInfo& info = run.info();
  const int launch = step == 0 ? 0 : info.segments[run.replay().segment_of(step)].launch;
  const ElementName element = parse_element(info, words[1], launch);
  run.replay().seek(step);
  Value value;
  value.type = info.buffers[element.buffer].type;
  if (!run.replay().state().read(element.buffer, element.group, element.index,
                                 std::span(value.bits.data(), traits(value.type).bytes)))
    throw usage_error("no operation has written {} there", words[1]);
  return value_text(value);
}

// What a sub-group does together in a stage or an epoch takes it a turn, however few of its lanes work.
struct TurnName {
  std::size_t segment = 0;
  std::uint64_t sub_group = 0;  // of all of the launch
  auto operator<=>(const TurnName&) const = default;
};

// Work-items and operations of some steps.
struct Tally {
  std::uint64_t operations = 0;
  std::set<std::pair<int, std::uint64_t>> active;
  std::array<std::uint64_t, operation_kind_count> kinds{};
  std::set<int> launches;
  std::set<TurnName> turns;
  std::set<std::pair<std::int64_t, std::int64_t>> twiddles;  // rounded: the same power may be off by its last digit
};

Tally tally_of(LessonRun& run, const StepRange& range) {
  Tally tally;
  if (range.first > range.last) return tally;
  std::uint64_t step = range.first;
  run.replay().for_each(range.first, range.last, false, [&](const Operation& operation) {
    ++tally.operations;
    ++tally.kinds[static_cast<std::size_t>(operation.kind)];
    tally.active.emplace(operation.launch, operation.item);
    tally.launches.insert(operation.launch);
    if (operation.kind != OperationKind::Barrier) {
      const SubGroups sub_groups(run.info().launch(operation.launch)->group_size());
      tally.turns.insert({run.replay().segment_of(step), sub_groups.number_of(operation.item)});
    }
    if (!operation.coefficients.empty()) {
      const Value& w = operation.coefficients[0];
      tally.twiddles.emplace(std::llround(w.component(0) * 1e6), std::llround(w.component(1) * 1e6));
    }
    ++step;
    return true;
  });
  return tally;
}

// Kinds that are counted by name, "swaps", "butterflies"; barriers are counted otherwise.
constexpr OperationKind counted_kinds[] = {OperationKind::Butterfly, OperationKind::Combine, OperationKind::Swap,
                                           OperationKind::Move,      OperationKind::Scale,   OperationKind::Atomic,
                                           OperationKind::Term,      OperationKind::Load,    OperationKind::Store};
std::string plural_of(OperationKind kind) {
  return kind == OperationKind::Butterfly ? "butterflies" : std::string(name_of(kind)) + "s";
}

// Barriers that the work-items of the steps' launch met, and how many are between its epochs.
std::uint64_t barriers_in(const TraceInfo& info, const std::set<int>& launches) {
  std::uint64_t count = 0;
  for (const int launch : launches) {
    int last = 0;
    for (const Segment& segment : info.segments)
      if (segment.launch == launch) last = std::max(last, segment.epoch);
    count += static_cast<std::uint64_t>(last);
  }
  return count;
}

std::uint64_t count_of(LessonRun& run, const Words& words) {
  const TraceInfo& info = run.info();
  if (words.size() == 4 && words[2] != "in") throw usage_error("say count {} in POSITION", words[1]);
  const StepRange range = words.size() == 4 ? steps_at(run, words[3]) : StepRange{1, info.steps};
  const std::string& what = words[1];
  if (what == "launches") return info.launches.size();
  if (what == "stages") return static_cast<std::uint64_t>(stage_count(info));
  if (what == "findings") return run.findings().size();
  // As memory is counted everywhere: for such a GPU, with any device that made the trace.
  if (what == "lanes") return sub_group_size;
  if (what == "banks") return bank_count;
  const Tally tally = tally_of(run, range);
  std::uint64_t items = 0, groups = 0, sub_groups = 0;
  for (const int number : tally.launches) {
    const LaunchInfo& launch = *info.launch(number);
    items += launch.items();
    const std::uint64_t size = std::max<std::uint64_t>(1, launch.group_size());
    groups += launch.items() / size;
    sub_groups += SubGroups(size).count(launch.items());
  }
  if (what == "items") return items;
  if (what == "groups") return groups;
  if (what == "sub-groups") return sub_groups;
  if (what == "turns") return tally.turns.size();
  if (what == "twiddles") return tally.twiddles.size();
  if (what == "active") return tally.active.size();
  if (what == "idle") return items - tally.active.size();
  if (what == "operations") return tally.operations;
  if (what == "barriers") return barriers_in(info, tally.launches);
  std::vector<std::string> names = {"launches", "stages", "findings",   "items", "groups", "sub-groups", "active",
                                    "idle",     "turns",  "operations", "lanes", "banks",  "barriers",   "twiddles"};
  for (const OperationKind kind : counted_kinds) {
    names.push_back(plural_of(kind));
    if (names.back() == what) return tally.kinds[static_cast<std::size_t>(kind)];
  }
  throw usage_error("'{}' cannot be counted{}", what, did_you_mean(what, names));
}

std::string twiddle_of(LessonRun& run, const Words& words, bool name) {
  const Operation operation = operation_at(run, words[1]);
  if (operation.coefficients.empty()) throw usage_error("the operation at {} has no twiddle factor", words[1]);
  const Value& w = operation.coefficients[0];
  if (!name) return value_text(w);
  const TwiddleName named =
      name_twiddle({w.component(0), w.component(1)}, std::max<std::uint64_t>(1, span_of(run.info(), operation)),
                   run.info().expect.sign);
  if (!named.is_power) throw usage_error("the twiddle factor at {} is no power of a root of unity", words[1]);
  return fmt::format("w_{}^{}", named.points, named.exponent);
}

std::string code_at(LessonRun& run, const Operation& operation) {
  const TraceInfo& info = run.info();
  const LaunchInfo* launch = info.launch(operation.launch);
  if (launch && launch->source >= 0 && static_cast<std::size_t>(launch->source) < info.sources.size()) {
    const auto lines = source_lines(info.sources[launch->source].text);
    if (operation.line >= 1 && static_cast<std::size_t>(operation.line) <= lines.size()) {
      std::string line = lines[operation.line - 1];
      line.erase(0, line.find_first_not_of(' '));
      return line;
    }
  }
  throw usage_error("the log does not say which line did that");
}

std::string finding_text(LessonRun& run, const Words& words) {
  const auto& findings = run.findings();
  const std::uint64_t k = whole(words[1], "finding; findings count from 1");
  if (k < 1 || k > findings.size()) throw usage_error("there are {} findings in this run, not {}", findings.size(), k);
  const Finding& finding = findings[k - 1];
  if (words[2] == "class") return std::string(name_of(finding.kind));
  if (words[2] == "message") return finding.message.translated();
  if (words[2] == "line") return std::to_string(finding.line);
  if (words[2] == "launch") return std::to_string(finding.launch);
  if (words[2] == "stage") return std::to_string(finding.stage);
  if (words[2] == "occurrences") return count_text(finding.occurrences);
  if (words[2] == "items") {
    if (finding.items.empty()) throw usage_error("finding {} names no work-item", k);
    return fmt::format("{}", fmt::join(finding.items, ", "));
  }
  if (words[2] == "item" && !finding.items.empty()) return std::to_string(finding.items.front());
  if (words[2] == "element" && finding.element && finding.buffer >= 0)
    return fmt::format("{}[{}]", run.info().buffers[finding.buffer].name, *finding.element);
  throw usage_error(
      "finding {} has no '{}'; class, message, line, launch, stage, items, item, element and occurrences are there", k,
      words[2]);
}

std::string known_parameter(const TraceInfo& info, const std::string& name) {
  const auto found = info.parameters.find(name);
  if (found != info.parameters.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [key, value] : info.parameters) names.push_back(key);
  throw usage_error("this run has no parameter '{}'{}", name, did_you_mean(name, names));
}

// The element of a buffer with the largest |value|.
std::string largest(LessonRun& run, const Words& words) {
  const StepRange range = steps_at(run, words[3]);
  const TraceInfo& info = run.info();
  const ElementName name = parse_element(info, words[1] + "[0]");
  const BufferInfo& buffer = info.buffers[name.buffer];
  if (buffer.space == Space::Local) throw usage_error("{} is a local array; largest looks at global buffers", words[1]);
  run.replay().seek(range.last);
  std::uint64_t best = 0;
  double most = -1;
  for (std::uint64_t i = 0; i < buffer.count; ++i) {
    Value value;
    value.type = buffer.type;
    if (!run.replay().state().read(name.buffer, 0, i, std::span(value.bits.data(), traits(value.type).bytes))) continue;
    if (const double size = magnitude(value); size > most) {
      most = size;
      best = i;
    }
  }
  return std::to_string(best);
}

std::uint64_t cost_of_access(LessonRun& run, const Words& words) {
  const AccessCost cost = access_cost(run, words[4], parse_access(words[2] + " " + words[3]));
  const std::string& what = words[1];
  if (what == "items") return cost.items;
  if (what == "passes" && cost.local) return cost.passes;
  if (what == "used" && !cost.local) return cost.used;
  if (what == "sectors" && !cost.local) return cost.sectors;
  if (what == "fetched" && !cost.local) return cost.fetched();
  throw usage_error(
      "'{}' says nothing of {}; sectors, used, fetched (global memory), passes (local memory) and items are there",
      what, cost.buffer);
}

// The index that a run's operation read, written with as many digits as its points need.
std::string digits_read(LessonRun& run, const Words& words, std::uint64_t base) {
  const std::uint64_t index = access(operation_at(run, words[2]).reads, words[1], words[2]).index;
  const auto& parameters = run.info().parameters;
  const auto found = parameters.find("n");
  return digits_of(index, found == parameters.end() ? index + 1 : whole(found->second, "size"), base);
}

using Evaluate = std::function<std::string(LessonRun&, const Words&)>;

// Of the operation at the position that comes last.
Evaluate of_operation(std::string (*text)(LessonRun&, const Operation&)) {
  return [text](LessonRun& run, const Words& words) { return text(run, operation_at(run, words.back())); };
}
// Of its K-th read or write.
Evaluate of_access(SmallList<Access, 4> Operation::*list,
                   std::string (*text)(const Access&, const std::string& position)) {
  return [list, text](LessonRun& run, const Words& words) {
    return text(access(operation_at(run, words[2]).*list, words[1], words[2]), words[2]);
  };
}
std::string index_of(const Access& access, const std::string&) { return std::to_string(access.index); }

// "1,024" as counts are written everywhere else.
std::string with_thin_thousands(std::string text) {
  const auto digit = [&](std::size_t at) { return at < text.size() && is_digit(text[at]); };
  for (std::size_t at = 1; at < text.size(); ++at)
    if (text[at] == ',' && digit(at - 1) && digit(at + 1) && digit(at + 2) && digit(at + 3) && !digit(at + 4))
      text.replace(at, 1, "\u2009");
  return text;
}

struct Form {
  std::string_view shape;  // as docs/writing-lessons.md has it: what is in brackets may be left out
  Evaluate evaluate;

  bool begins_with(std::string_view word) const { return shape.substr(0, shape.find(' ')) == word; }
  bool fits(const Words& words) const {
    return words.size() >= words_of(shape.substr(0, shape.find(" ["))).size() && words.size() <= words_of(shape).size();
  }
};

const std::vector<Form>& forms() {
  static const auto* all = new std::vector<Form>{
      {"bits K POSITION", [](LessonRun& run, const Words& w) { return digits_read(run, w, 2); }},
      {"code POSITION", of_operation(code_at)},
      {"cost sectors|used|fetched|passes|items read|write K POSITION",
       [](LessonRun& run, const Words& w) { return count_text(cost_of_access(run, w)); }},
      {"count WHAT [in POSITION]", [](LessonRun& run, const Words& w) { return count_text(count_of(run, w)); }},
      {"digits K POSITION", [](LessonRun& run, const Words& w) { return digits_read(run, w, 4); }},
      {"equation POSITION", of_operation([](LessonRun& run, const Operation& op) { return sentence(run.info(), op); })},
      {"error", [](LessonRun& run, const Words&) { return number_text(run.relative_error(), 2); }},
      {"finding K WHAT", finding_text},
      {"in K POSITION", of_access(&Operation::reads, value_of)},
      {"item POSITION", of_operation([](LessonRun&, const Operation& op) { return std::to_string(op.item); })},
      {"largest BUFFER after POSITION", largest},
      {"line POSITION", of_operation([](LessonRun&, const Operation& op) { return std::to_string(op.line); })},
      {"out K POSITION", of_access(&Operation::writes, value_of)},
      {"parameter NAME", [](LessonRun& run, const Words& w) { return known_parameter(run.info(), w[1]); }},
      {"power POSITION", [](LessonRun& run, const Words& w) { return twiddle_of(run, w, true); }},
      {"read K POSITION", of_access(&Operation::reads, index_of)},
      {"signal", [](LessonRun& run, const Words&) { return run.info().signal; }},
      {"span POSITION",
       of_operation([](LessonRun& run, const Operation& op) { return count_text(span_of(run.info(), op)); })},
      {"stride POSITION", of_operation([](LessonRun&, const Operation& op) { return count_text(op.stride()); })},
      {"twiddle POSITION", [](LessonRun& run, const Words& w) { return twiddle_of(run, w, false); }},
      {"value ELEMENT after POSITION", value_at},
      {"write K POSITION", of_access(&Operation::writes, index_of)},
  };
  return *all;
}

}  // namespace

ElementName parse_element(const TraceInfo& info, std::string_view text, int launch) {
  const std::size_t open = text.find('['), close = text.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open || open == 0)
    throw usage_error("'{}' is no element; write F[3]", text);
  const std::string_view name = text.substr(0, open);
  ElementName element;
  element.index = whole(text.substr(open + 1, close - open - 1), "index");
  if (const std::string_view rest = text.substr(close + 1); rest.starts_with('@'))
    element.group = whole(rest.substr(1), "work-group");
  else if (!rest.empty())
    throw usage_error("'{}' is no element; write F[3], or s[3]@1 for work-group 1's", text);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < info.buffers.size(); ++i) {
    const BufferInfo& buffer = info.buffers[i];
    names.push_back(buffer.name);
    if (element.group > 0 && buffer.space != Space::Local) continue;
    if (buffer.name != name || (launch > 0 && buffer.launch > 0 && buffer.launch != launch)) continue;
    if (element.index >= buffer.count)
      throw usage_error("{} has {} elements; there is no {}[{}]", name, buffer.count, name, element.index);
    element.buffer = static_cast<int>(i);
    return element;
  }
  throw usage_error("there is no buffer '{}' in this run{}", name,
                    did_you_mean(name, names, Message("; there are {}", fmt::join(names, ", "))));
}

StepRange steps_at(LessonRun& run, std::string_view text) {
  const TraceInfo& info = run.info();
  const auto position = parse_position(text);
  if (!position) throw usage_error("'{}' is no position; write L2.S1.I0, start or end", text);
  if (position->nth == 0) return {1, 0};
  if (position->nth < 0) return {info.steps, info.steps};
  const std::uint64_t first = find_step(*run.trace(), text);
  if (position->item >= 0) {
    if (run.replay().operation(first).item != static_cast<std::uint64_t>(position->item))
      throw usage_error("work-item {} does nothing at {}", position->item, text);
    return {first, first};
  }
  // All segments from there on that still belong to the position.
  std::uint64_t last = first;
  for (std::size_t s = run.replay().segment_of(first); s < info.segments.size(); ++s) {
    const Segment& segment = info.segments[s];
    if ((position->launch >= 0 && segment.launch != position->launch) ||
        (position->stage >= 0 && segment.stage != position->stage) ||
        (position->epoch >= 0 && segment.epoch != position->epoch))
      break;
    if (segment.count > 0) last = segment.end_step() - 1;
  }
  return {first, last};
}

std::string evaluate(std::string_view reference, const Lesson& lesson, const std::string& run, LessonRuns& runs) {
  std::string name = run;
  if (reference.size() > 400) throw usage_error("a reference is at most 400 letters long");
  if (const std::optional<Claim> claim = parse_claim(reference)) {
    hold(*claim, lesson, run, runs);
    return claim->words;
  }
  if (const std::size_t colon = reference.find(':'); colon != std::string_view::npos) {
    const Words before = words_of(reference.substr(0, colon));
    if (before.size() == 1 && before[0] != "literal" && before[0] != "elsewhere") {
      name = before[0];
      reference.remove_prefix(colon + 1);
    }
  }
  const Words words = words_of(reference);
  if (words.empty()) throw usage_error("a reference is empty");
  if (words[0] == "literal" || words[0] == "elsewhere") {
    if (words.size() < 2) throw usage_error("{} needs its text: {{{{{} 1965}}}}", words[0], words[0]);
    return with_thin_thousands(fmt::format("{}", fmt::join(words.begin() + 1, words.end(), " ")));
  }
  const auto form =
      std::find_if(forms().begin(), forms().end(), [&](const Form& one) { return one.begins_with(words[0]); });
  if (form == forms().end()) {
    std::vector<std::string> names = {"literal", "elsewhere", "is", "true", "see"};
    for (const Form& one : forms()) names.emplace_back(one.shape.substr(0, one.shape.find(' ')));
    throw usage_error("there is no reference '{}'{}", words[0], did_you_mean(words[0], names));
  }
  if (!form->fits(words)) throw usage_error("this reference is written {{{{{}}}}}", form->shape);
  const LessonRunSpec* spec = lesson.run_named(name);
  if (!spec) throw usage_error("there is no run '{}' in this lesson", name);
  return form->evaluate(runs.run(spec->request), words);
}

}  // namespace twiddle
