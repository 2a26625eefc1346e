#include "viewer/input/stops.h"

#include "base/error.h"
#include "base/message.h"
#include "base/text.h"
#include "base/tr.h"
#include "base/values/clock.h"
#include "kernels/catalogue/reference.h"
#include "tracer/replay/plan_of.h"
#include "viewer/document/background.h"
#include "viewer/graphs/element_history.h"
#include "viewer/input/value_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <list>
#include <map>
#include <utility>

namespace twiddle {
namespace {

using Kind = StopCondition::Kind;

std::optional<StopCondition> element_condition(const TraceInfo& info, std::string_view text) {
  const std::size_t open = text.find('['), close = text.find(']');
  if (open == std::string_view::npos || open == 0 || close == std::string_view::npos || close < open) return {};
  const auto index = number_in<std::uint64_t>(trimmed(text.substr(open + 1, close - open - 1)));
  const std::string_view rest = trimmed(text.substr(close + 1));
  if (!index || (!rest.empty() && rest != "written" && rest != "is written")) return {};
  const std::string_view name = trimmed(text.substr(0, open));
  const int buffer = info.buffer_named(name);
  int found = buffer;
  for (std::size_t b = 0; found < 0 && b < info.buffers.size(); ++b)
    if (info.buffers[b].name == name) found = static_cast<int>(b);
  if (found < 0) throw usage_error("This trace has no buffer {}.", name);
  const BufferInfo& of = info.buffers[static_cast<std::size_t>(found)];
  if (*index >= of.count) throw usage_error("There is no {}[{}]: it has {} elements.", of.name, *index, of.count);
  StopCondition condition;
  condition.kind = rest.empty() ? Kind::Touched : Kind::Written;
  condition.buffer = found, condition.index = *index;
  return condition;
}

struct Scan {
  StopCondition condition;
  StopHits hits;
  std::uint64_t next = 1;  // step
  std::shared_ptr<Background<StopHits>> thread{};
  std::shared_ptr<ValueSearch> values{};
};

struct KeptScans {
  std::list<Scan> scans;
  std::shared_ptr<ValueBounds> bounds = std::make_shared<ValueBounds>();
};

/// Whether a trace says what should come out, and what came out.
bool has_reference(const TraceInfo& info) {
  return info.expect.transform != Expect::Transform::None && info.complete && info.detail != Detail::Index &&
         info.steps > 0;
}

void add_step(StopHits& hits, std::uint64_t step) {
  if (step == 0 || hits.truncated || (!hits.steps.empty() && hits.steps.back() == step)) return;
  if (hits.steps.size() == StopHits::max_hits)
    hits.truncated = true;
  else
    hits.steps.push_back(step);
}

/// The first step of each stage, and how many stages differ of those that were compared.
void take_stages(StopHits& hits, const std::vector<StageParting>& stages, std::uint64_t compared) {
  std::uint64_t operations = 0;
  for (const StageParting& stage : stages) {
    add_step(hits, stage.step);
    operations += stage.operations;
  }
  std::sort(hits.steps.begin(), hits.steps.end());
  if (compared == 0) return;
  hits.remarks.push_back(Message("{} of {} stages differ, in {}", stages.size(),
                                 std::max<std::uint64_t>(compared, stages.size()),
                                 Message::plural(operations, "{} operation", "{} operations", operations)));
}

/// The operations that wrote wrong elements of the outcome last, the first of each segment. Throws Error.
std::vector<StageParting> wrong_outcome(const TraceSource& source, const std::atomic<bool>& stop, bool& cut) {
  const auto trace = source.another();
  const TraceInfo& info = trace->info();
  Replay replay(trace);
  const auto last = replay.state_after(static_cast<int>(info.segments.size()) - 1);
  const RunContents contents{[&](std::size_t b) { return trace->first_content(static_cast<int>(b)); },
                             [&](std::size_t b) { return last->bytes(static_cast<int>(b)); }};
  std::map<std::pair<int, std::uint64_t>, std::uint64_t> left_by;  // wrong elements, and the step that wrote each last
  for (const PlanElement& wrong : wrong_elements(plan_of(info), contents)) {
    left_by[{static_cast<int>(wrong.buffer), wrong.element}] = 0;
    if (left_by.size() < StopHits::max_hits) continue;
    cut = true;
    break;
  }
  if (left_by.empty()) return {};
  replay.for_each(1, info.steps, false, [&](const Operation& op) {
    for (const Access& write : op.writes)
      if (const auto found = left_by.find({write.buffer, write.index}); found != left_by.end()) found->second = op.step;
    return !stop;
  });
  std::map<int, StageParting> stages;
  for (const auto& [element, step] : left_by) {
    if (step == 0) continue;  // no operation wrote it
    StageParting& stage = stages[static_cast<int>(info.segment_of(step))];
    stage.step = stage.operations++ == 0 ? step : std::min(stage.step, step);
  }
  std::vector<StageParting> list;
  for (auto& [segment, stage] : stages) stage.segment = segment, list.push_back(stage);
  return list;
}

StopHits not_the_reference(const std::shared_ptr<const TraceSource>& shared, const std::atomic<bool>& stop) {
  StopHits hits;
  try {
    StageComparison on_the_way = compare_stages(shared, stop);
    const std::vector<StageParting> outcome = wrong_outcome(*shared, stop, hits.truncated);
    std::uint64_t compared =
        static_cast<std::uint64_t>(std::count(on_the_way.compared.begin(), on_the_way.compared.end(), true));
    std::vector<StageParting> all = std::move(on_the_way.stages);
    for (const StageParting& stage : outcome) {
      if (std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.segment == stage.segment; })) continue;
      all.push_back(stage);
      if (!on_the_way.compared[static_cast<std::size_t>(stage.segment)]) ++compared;
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.segment < b.segment; });
    const bool cut = std::exchange(hits.truncated, false);
    take_stages(hits, all, compared);
    hits.truncated = hits.truncated || cut;
    for (Message& sentence : on_the_way.not_compared) hits.remarks.push_back(std::move(sentence));
  } catch (const Error& error) {
    // A reference that does not fit the buffers, or a damaged file.
    hits.remarks.push_back(Message("not compared: {}", error.message()));
  }
  return hits;
}

void take_reference(Document& document, Scan& scan, double patience_ms) {
  if (!scan.thread)
    scan.thread = std::make_shared<Background<StopHits>>(
        [shared = document.trace](const std::atomic<bool>& stop) { return not_the_reference(shared, stop); });
  const StopHits* hits = scan.thread->result(patience_ms);
  scan.hits.complete = hits != nullptr;
  if (hits) scan.hits = *hits;
}

void take_partings(Document& document, Scan& scan, double patience_ms) {
  const Partings* partings = partings_of(document, patience_ms);
  scan.hits = {};
  scan.hits.complete = partings != nullptr;
  if (!partings) return;
  take_stages(scan.hits, partings->stages, partings->compared);
  for (const Message& sentence : partings->not_compared) scan.hits.remarks.push_back(sentence);
}

bool same(const StopCondition& a, const StopCondition& b) {
  StopCondition one = a;
  one.on = b.on;
  return one == b;
}

void take_history(Document& document, Scan& scan) {
  const StopCondition& condition = scan.condition;
  const ElementHistory& history = history_of(document, {condition.buffer, condition.group, condition.index});
  scan.hits.steps.clear();
  for (const ElementAccess& access : history.accesses)
    if ((condition.kind == Kind::Touched || access.write) &&
        (scan.hits.steps.empty() || scan.hits.steps.back() != access.step))
      scan.hits.steps.push_back(access.step);
  scan.hits.complete = history.complete, scan.hits.truncated = history.truncated;
}

void take_values(Document& document, Scan& scan, double patience_ms) {
  if (!scan.values)
    scan.values = std::make_shared<ValueSearch>(document.trace, scan.condition, document.kept<KeptScans>().bounds,
                                                StopHits::max_hits);
  StopHits& hits = scan.hits;
  hits.complete = scan.values->take(hits.steps, patience_ms);
  // What was taken before may have been cut already.
  if (hits.steps.size() > StopHits::max_hits) hits.steps.resize(StopHits::max_hits), hits.truncated = true;
  if (!hits.complete) return;
  if (!scan.values->problem().empty())
    hits.remarks.push_back(Message("not looked through to the end: {}", scan.values->problem()));
  scan.values.reset();
}

/// Items and lines, for which indices are enough.
void go_on(Document& document, Scan& scan, double patience_ms) {
  const auto begin = Clock::now();
  const std::uint64_t steps = document.info().steps;
  const auto patient = [&] { return milliseconds_since(begin) < patience_ms; };
  Operation op;
  do {
    // One block at least, so that the search ends on a slow machine, too.
    const auto block = document.replay->indices_of(scan.next);
    for (auto i = static_cast<std::uint32_t>(scan.next - block->first_step); i < block->count; ++i) {
      if (scan.condition.kind == Kind::Item && block->item[i] != scan.condition.index) continue;
      block->operation(document.info(), i, op);
      if (scan.condition.kind == Kind::Line && static_cast<std::uint64_t>(std::max(0, op.line)) != scan.condition.index)
        continue;
      if (scan.hits.steps.size() == StopHits::max_hits) scan.hits.truncated = true;
      if (scan.hits.truncated) break;
      scan.hits.steps.push_back(op.step);
    }
    scan.next = block->first_step + block->count;
  } while (scan.next <= steps && !scan.hits.truncated && patient());
  scan.hits.complete = scan.next > steps || scan.hits.truncated;
}

}  // namespace

StopCondition parse_stop(const TraceInfo& info, std::string_view text) {
  text = trimmed(text);
  StopCondition condition;
  std::string plain(text);
  std::transform(plain.begin(), plain.end(), plain.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (plain == "nan") {
    condition.kind = Kind::NotANumber;
    return condition;
  }
  for (const std::string_view word : {"|x| >", "|x|>", ">"})
    if (plain.starts_with(word))
      if (const auto limit = number_in<double>(trimmed(std::string_view(plain).substr(word.size())))) {
        condition.kind = Kind::Above, condition.limit = *limit;
        return condition;
      }
  for (const auto& [word, kind] : {std::pair(std::string_view("item "), Kind::Item),
                                   {std::string_view("thread "), Kind::Item},
                                   {std::string_view("line "), Kind::Line}})
    if (plain.starts_with(word))
      if (const auto number = number_in<std::uint64_t>(trimmed(std::string_view(plain).substr(word.size())))) {
        condition.kind = kind, condition.index = *number;
        return condition;
      }
  if (plain == "reference" || plain == "differs from the reference") {
    if (!has_reference(info)) throw usage_error("This trace does not say what should come out.");
    condition.kind = Kind::Reference;
    return condition;
  }
  if (plain == "other trace" || plain == "other" || plain == "differs from the other trace") {
    condition.kind = Kind::Other;
    return condition;
  }
  if (const auto element = element_condition(info, text)) return *element;
  throw usage_error("Write F[5], F[5] written, |x| > 10, nan, item 5, line 42, reference or other trace.");
}

StopCondition parse_stop(Document& document, std::string_view text) {
  const StopCondition condition = parse_stop(document.info(), text);
  if (condition.kind == Kind::Other && !is_compared(document))
    throw usage_error("No trace that runs the same kernels is beside this one.");
  return condition;
}

std::string text_of(const TraceInfo& info, const StopCondition& condition) {
  const BufferInfo* of = info.buffer(condition.buffer);
  const std::string element = of ? fmt::format("{}[{}]", of->name, condition.index) : std::string();
  switch (condition.kind) {
    case Kind::Touched: return tr("{} is read or written", element);
    case Kind::Written: return tr("{} is written", element);
    case Kind::Above: return fmt::format("|x| > {:g}", condition.limit);
    case Kind::NotANumber: return tr("a value is NaN");
    case Kind::Item: return tr("item {}", condition.index);
    case Kind::Line: return tr("line {}", condition.index);
    case Kind::Reference: return tr("it differs from the reference");
    case Kind::Other: return tr("it differs from the other trace");
  }
  return {};
}

void set_other_trace(Document& document, std::shared_ptr<const TraceSource> other, std::uint64_t ulps) {
  compare_with(document, std::move(other), ulps);
  std::erase_if(document.kept<KeptScans>().scans, [](const Scan& scan) { return scan.condition.kind == Kind::Other; });
}

const StopHits& hits_of(Document& document, const StopCondition& condition, double patience_ms) {
  auto& scans = document.kept<KeptScans>().scans;
  auto found =
      std::find_if(scans.begin(), scans.end(), [&](const Scan& scan) { return same(scan.condition, condition); });
  if (found == scans.end()) {
    const bool nothing = document.info().steps == 0 || (condition.kind == Kind::Other && !is_compared(document)) ||
                         (condition.kind == Kind::Reference && !has_reference(document.info()));
    scans.push_front({condition, {{}, nothing, false, {}}, 1});
    found = scans.begin();
  }
  if (found->hits.complete) return found->hits;
  if (condition.kind == Kind::Touched || condition.kind == Kind::Written)
    take_history(document, *found);
  else if (condition.kind == Kind::Reference)
    take_reference(document, *found, patience_ms);
  else if (condition.kind == Kind::Other)
    take_partings(document, *found, patience_ms);
  else if (condition.kind == Kind::Above || condition.kind == Kind::NotANumber)
    take_values(document, *found, patience_ms);
  else
    go_on(document, *found, patience_ms);
  return found->hits;
}

std::uint64_t next_hit(Document& document, const std::vector<StopCondition>& conditions, std::uint64_t step, int by) {
  std::uint64_t best = 0;
  for (const StopCondition& condition : conditions) {
    if (!condition.on) continue;
    const std::vector<std::uint64_t>& steps = hits_of(document, condition, 0).steps;
    if (by > 0) {
      const auto next = std::upper_bound(steps.begin(), steps.end(), step);
      if (next != steps.end() && (best == 0 || *next < best)) best = *next;
    } else {
      const auto at = std::lower_bound(steps.begin(), steps.end(), step);
      if (at != steps.begin()) best = std::max(best, *(at - 1));
    }
  }
  return best;
}

}  // namespace twiddle
