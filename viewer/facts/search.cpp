#include "viewer/facts/search.h"

#include "base/error.h"
#include "base/message.h"
#include "base/text.h"
#include "tracer/replay/position.h"
#include "tracer/trace/item_words.h"
#include "tracer/trace/memory/pairs.h"
#include "viewer/document/flow.h"
#include "viewer/facts/links.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace twiddle {
namespace {

constexpr std::uint64_t max_read = std::uint64_t(1) << 21;  // operations, where no index helps
constexpr double same_factor = 6e-5;                        // "0.7071" is written to four digits

/// What follows a word ("item 5" and "item": " 5"); nothing when the text does not begin with it.
std::optional<std::string_view> after(std::string_view text, std::string_view word) {
  if (!text.starts_with(word)) return {};
  return text.substr(word.size());
}

/// Calls `each` for the steps after `from`, then for those up to it; the first that it holds for, or 0.
template <typename Holds>
std::uint64_t round_from(Document& document, std::uint64_t from, const Holds& holds) {
  const std::uint64_t steps = document.info().steps;
  std::uint64_t found = 0, read = 0;
  const auto look = [&](std::uint64_t first, std::uint64_t last) {
    if (first > last || found > 0) return;
    document.replay->for_each(first, last, false, [&](const Operation& one) {
      if (holds(one)) found = one.step;
      return found == 0 && ++read < max_read;
    });
  };
  look(from + 1, steps);
  look(1, std::min(from, steps));
  if (found == 0 && read >= max_read)
    throw usage_error("It is not among the next {} operations: go on from another place.", max_read);
  return found;
}

Found item(Document& document, std::uint64_t wanted, std::uint64_t from) {
  const TraceInfo& info = document.info();
  // Blocks say which items they hold.
  const auto& blocks = document.trace->blocks();
  const auto find = [&](bool behind) -> std::uint64_t {
    for (const BlockEntry& entry : blocks) {
      if (entry.barriers || wanted < entry.first_item || wanted > entry.last_item) continue;
      const std::uint64_t last = entry.first_step + entry.count - 1;
      if (!behind ? last <= from : entry.first_step > from) continue;
      const auto block = document.replay->indices_of(entry.first_step);
      for (std::uint32_t i = 0; i < block->count; ++i)
        if (block->item[i] == wanted && (behind || block->first_step + i > from)) return block->first_step + i;
    }
    return 0;
  };
  const std::uint64_t ahead = find(false), best = ahead > 0 ? ahead : find(true);
  if (best == 0) {
    std::uint64_t items = 0;
    for (const LaunchInfo& launch : info.launches) items = std::max(items, launch.items());
    const std::uint64_t last = items > 0 ? items - 1 : 0;
    if (has_threads(info))
      throw usage_error("Thread {} did nothing that was logged; there are threads 0 to {}.", wanted, last);
    throw usage_error("Work-item {} did nothing that was logged; there are items 0 to {}.", wanted, last);
  }
  const Operation one = document.replay->operation(best);
  return {best, operation_mark(one, static_cast<int>(document.replay->segment_of(best)))};
}

int output_buffer(const TraceInfo& info) {
  if (const int output = expected_buffers(info).output; output >= 0) return output;
  for (auto segment = info.segments.rbegin(); segment != info.segments.rend(); ++segment)
    if (segment->write_buffer >= 0) return segment->write_buffer;
  return info.buffers.empty() ? -1 : 0;
}

Found element(Document& document, int buffer, std::uint64_t index, std::uint64_t from) {
  const TraceInfo& info = document.info();
  if (buffer < 0) throw usage_error("This trace names no buffer.");
  const BufferInfo& of = info.buffers[buffer];
  if (index >= of.count) throw usage_error("There is no {}[{}]: it has {} elements.", of.name, index, of.count);
  Flow& flow = document.flow();
  flow.begin_frame(std::min(from, info.steps), 1e9);
  std::uint64_t ahead = 0, behind = 0;
  const std::vector<SameElement> all = same_elements(info, buffer, index);
  for (int s = 0; s < flow.segment_count() && ahead == 0; ++s) {
    if (flow.segment(s).end_step() <= from + 1 && behind > 0) continue;
    for (const SameElement& same : all)
      flow.operations(
          s, flow.rows_of_elements(same.buffer, 0, same.index, same.index + 1),
          [&](const Operation& one) {
            if (!includes(one.reads, same.buffer, same.index) && !includes(one.writes, same.buffer, same.index)) return;
            if (one.step > from && (ahead == 0 || one.step < ahead)) ahead = one.step;
            if (behind == 0 || one.step < behind) behind = one.step;
          },
          true);
  }
  const std::uint64_t step = ahead > 0 ? ahead : behind;
  if (step == 0) throw usage_error("No operation that was logged touches {}[{}].", of.name, index);
  return {step, element_mark(buffer, static_cast<int>(document.replay->segment_of(step)), index)};
}

/// "F[3]".
std::optional<Found> named_element(Document& document, std::string_view text, std::uint64_t from) {
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos || open == 0 || text.back() != ']') return {};
  const auto index = number_in<std::uint64_t>(trimmed(text.substr(open + 1, text.size() - open - 2)));
  if (!index) return {};
  const TraceInfo& info = document.info();
  for (std::size_t b = 0; b < info.buffers.size(); ++b)
    if (info.buffers[b].name == text.substr(0, open)) return element(document, static_cast<int>(b), *index, from);
  throw usage_error("This trace has no buffer {}.", text.substr(0, open));
}

Found factor(Document& document, double wanted, std::uint64_t from) {
  const std::uint64_t step = round_from(document, from, [&](const Operation& one) {
    if (one.kind != OperationKind::Butterfly) return false;
    return std::any_of(one.coefficients.begin(), one.coefficients.end(), [&](const Value& w) {
      for (int part = 0; part < traits(w.type).components; ++part)
        if (std::abs(w.component(part) - wanted) < same_factor) return true;
      return false;
    });
  });
  if (step == 0) throw usage_error("No twiddle of this trace has a part of {}.", wanted);
  return {step, {}};
}

}  // namespace

Found search(Document& document, std::string_view text, std::uint64_t from) {
  text = trimmed(text);
  if (text.empty())
    throw usage_error("Type where to go, for example L2.S1.I0, 8, item 5, element 3 or twiddle 0.7071.");
  if (auto rest = after(text, "step ")) text = trimmed(*rest);
  if (const auto step = number_in<std::uint64_t>(trimmed(text))) {
    if (*step > document.info().steps)
      throw usage_error("There is no step {}: this trace has {}.", *step, document.info().steps);
    return {*step, {}};
  }
  for (const std::string_view word : {"item ", "work-item ", "thread "})
    if (const auto rest = after(text, word))
      if (const auto number = number_in<std::uint64_t>(trimmed(*rest))) return item(document, *number, from);
  if (const auto rest = after(text, "element "))
    if (const auto number = number_in<std::uint64_t>(trimmed(*rest)))
      return element(document, output_buffer(document.info()), *number, from);
  for (const std::string_view word : {"twiddle ", "w "})
    if (const auto rest = after(text, word)) {
      std::string plain(trimmed(*rest));
      if (plain.starts_with("−")) plain.replace(0, std::string_view("−").size(), "-");  // as it is shown
      if (const auto number = number_in<double>(trimmed(plain))) return factor(document, *number, from);
    }
  if (auto found = named_element(document, text, from)) return *found;
  return {find_step(*document.trace, text), {}};
}

std::uint64_t next_reader(Document& document, int buffer, std::uint64_t index, std::uint64_t group,
                          std::uint64_t from) {
  Flow& flow = document.flow();
  flow.begin_frame(std::min(from, document.info().steps), 1e9);
  std::uint64_t found = 0;
  const std::vector<SameElement> all = same_elements(document.info(), buffer, index);
  for (int s = 0; s < flow.segment_count() && found == 0; ++s) {
    if (flow.segment(s).end_step() <= from + 1) continue;
    for (const SameElement& same : all)
      flow.operations(
          s, flow.rows_of_elements(same.buffer, group, same.index, same.index + 1),
          [&](const Operation& one) {
            if (one.step > from && (found == 0 || one.step < found) && includes(one.reads, same.buffer, same.index))
              found = one.step;
          },
          true);
  }
  return found;
}

}  // namespace twiddle
