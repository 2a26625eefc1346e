#include "viewer/graphs/element_history.h"

#include "tracer/trace/memory/pairs.h"
#include "viewer/document/recent.h"

#include <algorithm>
#include <list>

namespace twiddle {
namespace {

constexpr std::size_t max_histories = 8;

/// Whether an access is of the place; of a local array only in its own work-group.
bool is_of(const TraceInfo& info, const Access& access, const Operation& op, const Place& place) {
  if (access.buffer != place.buffer || access.index != place.index) return false;
  if (info.buffers[static_cast<std::size_t>(place.buffer)].space != Space::Local) return true;
  const LaunchInfo* launch = info.launch(op.launch);
  return launch && launch->group_of(op.item) == place.group;
}

}  // namespace

ElementHistory element_history(Document& document, const Place& place) {
  const TraceInfo& info = document.info();
  ElementHistory history;
  const BufferInfo* of = info.buffer(place.buffer);
  if (!of || place.index >= of->count) return history;
  Flow& flow = document.flow();
  // What is done with a pair's element is done with its parts, and the other way round.
  const std::vector<SameElement> same = same_elements(info, place.buffer, place.index);
  for (int s = 0; s < flow.segment_count() && !history.truncated; ++s)
    for (const SameElement& one : same) {
      const Place here{one.buffer, place.group, one.index};
      const std::size_t before = history.accesses.size();
      const bool all = flow.operations(
          s, flow.rows_of_elements(here.buffer, here.group, here.index, here.index + 1),
          [&](const Operation& op) {
            const auto add = [&](const SmallList<Access, 4>& accesses, bool write) {
              for (const Access& access : accesses) {
                if (!is_of(info, access, op, here)) continue;
                if (history.accesses.size() == ElementHistory::max_accesses) {
                  history.truncated = true;
                  return;
                }
                history.accesses.push_back({op.step, op.item, s, op.launch, op.stage, op.line, write});
                ++(write ? history.writes : history.reads);
              }
            };
            add(op.reads, false);
            add(op.writes, true);
          },
          true);
      if (!all) history.complete = false;
      if (&one != same.data())
        std::inplace_merge(history.accesses.begin(), history.accesses.begin() + static_cast<std::ptrdiff_t>(before),
                           history.accesses.end(),
                           [](const ElementAccess& a, const ElementAccess& b) { return a.step < b.step; });
    }
  return history;
}

const ElementHistory& history_of(Document& document, const Place& place) {
  struct One {
    Place place;
    ElementHistory history;
  };
  struct Kept {
    std::list<One> list;
  };
  Kept& kept = document.kept<Kept>();
  One* found = recent(kept.list, [&](const One& one) {
    return one.place.buffer == place.buffer && one.place.group == place.group && one.place.index == place.index;
  });
  if (found && found->history.complete) return found->history;
  if (!found) found = &keep(kept.list, One{place, {}}, max_histories);
  found->history = element_history(document, place);
  return found->history;
}

std::optional<Value> value_of(Document& document, const ElementAccess& access, const Place& place) {
  const std::optional<Operation> op = document.flow().operation(access.step);
  if (!op) return {};
  // The last of several writes is the one that stays.
  std::optional<Value> value;
  for (const Operation& as : {*op, in_parts(document.info(), *op)})
    for (const Access& one : access.write ? as.writes : as.reads)
      if (is_of(document.info(), one, as, place) && one.known) value = one.value;
  return value;
}

}  // namespace twiddle
