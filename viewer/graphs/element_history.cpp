#include "viewer/graphs/element_history.h"

#include "viewer/document/recent.h"

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
  const Rows rows = flow.rows_of_elements(place.buffer, place.group, place.index, place.index + 1);
  for (int s = 0; s < flow.segment_count() && !history.truncated; ++s) {
    const bool all = flow.operations(
        s, rows,
        [&](const Operation& op) {
          const auto add = [&](const SmallList<Access, 4>& accesses, bool write) {
            for (const Access& access : accesses) {
              if (!is_of(info, access, op, place)) continue;
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
  const SmallList<Access, 4>& list = access.write ? op->writes : op->reads;
  // The last of several writes is the one that stays.
  std::optional<Value> value;
  for (const Access& one : list)
    if (is_of(document.info(), one, *op, place) && one.known) value = one.value;
  return value;
}

}  // namespace twiddle
