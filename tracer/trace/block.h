// Operations in bulk: up to 64 Ki of one segment, as columns. Blocks travel from the device log to the codec to the file
// and back to replay, print and checks.
#pragma once

#include "tracer/trace/operation.h"
#include "tracer/trace/trace.h"

#include <cstdint>
#include <vector>

namespace twiddle {

inline constexpr std::uint32_t block_capacity = 65536;

/// The operations of a block that came from one trace line, as columns in step order. Columns are tightly packed, `count`
/// elements each; index columns hold 32-bit words, coefficient and value columns elements of their type.
struct SiteColumns {
  int site = 0;  // index into TraceInfo::sites
  Shape shape = Shape::None;
  ElementType value_type = ElementType::Float2;
  ElementType coefficient_type = ElementType::Float2;
  int buffers[2] = {-1, -1};  // resolved: TraceInfo::buffers indices of the line's first and second buffer
  std::uint32_t count = 0;
  std::vector<std::vector<std::uint32_t>> index;      // [index word][operation]
  std::vector<std::vector<std::byte>> coefficients;   // [coefficient][operation × bytes]
  std::vector<std::vector<std::byte>> reads, writes;  // [access][operation × bytes]; empty with Detail::Index
};

struct OperationBlock {
  std::size_t segment = 0;       // index into TraceInfo::segments
  std::uint64_t first_step = 0;  // of its first operation; 0 for a block of barriers
  std::uint32_t count = 0;
  bool barriers = false;            // a block of barrier operations only: no columns but item, slot and site
  std::vector<std::uint32_t> item;  // in step order: ascending item, then slot
  std::vector<std::uint32_t> slot;  // a long loop (a sum of N terms) takes N slots
  std::vector<std::uint8_t> site;   // index into `sites` below; empty when there is one site
  std::vector<std::uint32_t> rank;  // place of an operation among those of its site; empty when there is one site
  std::vector<SiteColumns> sites;

  /// Appends an operation, which is the next of the site at `which`, and row `row` of its columns.
  void push(std::uint32_t of_item, std::uint32_t of_slot, std::size_t which, std::size_t row) {
    item.push_back(of_item);
    slot.push_back(of_slot);
    site.push_back(static_cast<std::uint8_t>(which));
    rank.push_back(static_cast<std::uint32_t>(row));
    sites[which].count = static_cast<std::uint32_t>(row + 1);
    ++count;
  }
  /// After the last push().
  void close() {
    if (sites.size() > 1) return;
    site = {};
    rank = {};
  }

  /// The columns of operation `i`, and its row in them.
  const SiteColumns& columns_of(std::uint32_t i) const { return sites[site.empty() ? 0 : site[i]]; }
  std::uint32_t row_of(std::uint32_t i) const { return rank.empty() ? i : rank[i]; }
  /// The operation at `i` (0 … count−1) with everything that was logged of it.
  Operation operation(const TraceInfo& info, std::uint32_t i) const;
  /// The same into an operation that is there already, for callers that walk through millions.
  void operation(const TraceInfo& info, std::uint32_t i, Operation& op) const;
};

}  // namespace twiddle
