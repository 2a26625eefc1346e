// What all operations of a segment have in common, gathered block by block.
#pragma once

#include "tracer/trace/block.h"

#include <array>
#include <cstdint>
#include <optional>

namespace twiddle {

class SegmentFacts {
 public:
  SegmentFacts(int launch, int epoch, int stage, std::uint64_t first_step);

  /// Takes the segment's next block of operations (not of barriers).
  void add(const OperationBlock& block);
  Segment segment() const;
  /// Whether all its butterflies so far are in place, and whether all their twiddles are 1.
  bool in_place() const { return in_place_; }
  bool plain() const { return plain_; }

 private:
  // A value that all operations so far agree on.
  struct Agreement {
    bool seen = false, agreed = true;
    std::int64_t value = 0;
    void add(std::int64_t next);
    std::int64_t or_else(std::int64_t otherwise) const { return seen && agreed ? value : otherwise; }
  };
  void add_distances(const SiteColumns& columns);
  void add_twiddles(const SiteColumns& columns);

  Segment segment_;
  std::array<std::uint64_t, 16> of_kind_{};
  std::optional<std::uint32_t> last_item_;
  bool in_place_ = true, plain_ = true;
  Agreement span_, read_buffer_, write_buffer_, read_stride_, write_stride_;
};

}  // namespace twiddle
