// Memory in cells as small as the smallest access to it: what checks of accesses keep records of.
#pragma once

#include "tracer/checks/access.h"
#include "tracer/checks/access_walk.h"
#include "tracer/checks/element_table.h"

#include <algorithm>
#include <array>

namespace twiddle {

/// A record for every cell of every buffer that accesses touched. Local arrays have one for each group, private ones for each
/// item.
template <typename Record>
class AccessCells {
 public:
  explicit AccessCells(const TraceInfo& info) : cells_(counted_in_cells(info)), table_(cells_) {}
  AccessCells(const AccessCells&) = delete;
  AccessCells& operator=(const AccessCells&) = delete;

  /// Calls each(record, cell) for the cells of a record; none where it is outside of its buffer.
  template <typename Each>
  void for_each(const AccessEvent& event, const Each& each) {
    const auto buffer = static_cast<std::size_t>(event.buffer);
    const std::uint64_t size = size_[buffer];
    const std::uint64_t first = event.offset / size, end = (event.offset + event.bytes() + size - 1) / size;
    // Groups come one after another, each after forget_own(), unless all of them live together.
    std::uint64_t owner = private_[buffer] ? event.item : event.group;
    if (event.launch && !event.launch->cooperative)
      owner = private_[buffer] ? event.item % std::max<std::uint64_t>(event.launch->group_size(), 1) : 0;
    for (std::uint64_t cell = first; cell < end; ++cell)
      if (Record* record = table_.find(event.buffer, owner, cell)) each(*record, cell);
  }
  /// Calls each(cell, record) for every cell of a buffer that was touched (of local memory: of the group that is known now).
  template <typename Each>
  void for_each_of(int buffer, const Each& each) {
    table_.for_each(buffer, [&](std::uint64_t, std::uint64_t cell, Record& record) { each(cell, record); });
  }
  /// A buffer's length in cells.
  std::uint64_t count(int buffer) const { return cells_.buffers[static_cast<std::size_t>(buffer)].count; }
  std::uint64_t size(int buffer) const { return size_[static_cast<std::size_t>(buffer)]; }  // of a cell, in bytes
  /// Forgets everything about local and private arrays.
  void forget_own() { table_.forget_locals(); }

 private:
  TraceInfo counted_in_cells(const TraceInfo& info) {
    std::array<std::uint64_t, 4> smallest{8, 8, 8, 8};  // by space
    for (const AccessSite& site : info.access_sites)
      if (touches_memory(site.kind)) {
        std::uint64_t& size = smallest[static_cast<std::size_t>(site.space)];
        while (size > 1 && site.chunk % size != 0) size /= 2;
      }
    const std::uint64_t shared = std::min(smallest[0], smallest[2]);  // constants may be read as global memory
    smallest[0] = smallest[2] = shared;
    TraceInfo cells;
    cells.buffers = info.buffers;
    for (BufferInfo& buffer : cells.buffers) {
      size_.push_back(smallest[static_cast<std::size_t>(buffer.space)]);
      private_.push_back(buffer.space == Space::Private);
      buffer.count = (buffer.count * traits(buffer.type).bytes + size_.back() - 1) / size_.back();
      if (private_.back()) buffer.space = Space::Local;
    }
    return cells;
  }

  std::vector<std::uint64_t> size_;
  std::vector<bool> private_;
  TraceInfo cells_;
  ElementTable<Record> table_;
};

/// The event's element of its buffer, for messages.
inline Access access_of(const TraceInfo& info, const AccessEvent& event) {
  Access access;
  access.buffer = event.buffer;
  if (const BufferInfo* buffer = info.buffer(event.buffer))
    access.index = static_cast<std::uint64_t>(static_cast<std::int64_t>(event.offset) /
                                              static_cast<std::int64_t>(traits(buffer->type).bytes));
  return access;
}

/// A finding about one access; its message is set by the caller.
inline Finding finding_at(FindingClass kind, const AccessEvent& event, const Access& access) {
  Finding finding = finding_of(kind, *event.launch);
  finding.epoch = event.epoch;
  finding.items = {event.item};
  finding.buffer = event.buffer;
  finding.element = access.index;
  finding.source = event.site->source;
  finding.line = event.site->line;
  return finding;
}
inline Findings::Place place_of(FindingClass kind, const AccessEvent& event, int other_line = 0) {
  return {kind, event.launch->number, event.launch->stage, event.epoch, event.buffer, event.site->line, other_line};
}

}  // namespace twiddle
