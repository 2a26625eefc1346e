// Complex values that items exchange through a local array part by part: real parts first, imaginary parts into the same places
// later, or anything over what was there while it is still held in registers. As a step an operation reads and writes at once,
// so what it writes needs a place of its own: such an array becomes several, one for each epoch that fills it.
#pragma once

#include "tracer/lift/elements.h"
#include "tracer/lift/lift.h"
#include "tracer/trace/trace.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace twiddle {

class Exchanges {
 public:
  /// `epoch` is that of each record, `pairs` those of `info`. Linear in the log. Operations whose values others (loads and stores
  /// that nothing explains, say) read or wrote too are left as they are, and with them what depends on them.
  Exchanges(const Lifted& lifted, const AccessLog& log, const TraceInfo& info, const LaunchInfo& launch,
            const std::vector<int>& epoch, const SharedElements& pairs);

  /// The elements of an operation that goes through such arrays; nothing: it does not.
  std::optional<Elements> elements(const LiftedOperation& op) const;
  /// The arrays, "shared@3" of what was put into "shared" in epoch 3, behind those of the TraceInfo.
  const std::vector<BufferInfo>& buffers() const { return buffers_; }

 private:
  struct Written {  // by a word of a record, or a point: which point of which operation wrote it
    std::uint32_t op = none, point = 0;
  };
  static constexpr std::uint32_t none = UINT32_MAX;
  using Words = std::array<std::uint64_t, 2>;  // of a record that reads: the records that wrote its 4-byte words

  bool local(std::uint64_t record) const;
  bool in_exchange(std::uint64_t record) const {
    const std::int32_t buffer = log_.buffer[record];
    return buffer >= 0 && static_cast<std::size_t>(buffer) < exchanged_.size() && exchanged_[buffer] != 0;
  }
  bool takes_part(const LiftedOperation& op) const;
  bool choose_arrays();
  void find_sources();
  void note_writers();
  void find_source_points();
  Written source_of(const LiftedPoint& read) const;
  void settle();
  bool order_holds(std::uint32_t writer, std::uint32_t reader, const LiftedPoint& read) const;
  bool place_points();
  void leave_all();
  int number_of(std::uint64_t record, std::uint8_t component_bytes);

  const Lifted& lifted_;
  const AccessLog& log_;
  const TraceInfo& info_;
  const SharedElements& pairs_;
  const LaunchInfo& launch_;
  const std::vector<int>& epoch_;
  std::vector<char> exchanged_;                 // by buffer: local arrays alone
  std::vector<std::uint64_t> unit_;             // by buffer: bytes that an element's index counts
  std::vector<Words> source_;                   // by record
  std::vector<std::array<Written, 2>> writer_;  // by record
  std::vector<Written> source_points_;          // by point that is read: which it was written as
  std::vector<bool> through_;                   // by operation
  std::vector<Element> element_;                // by point, of operations that go through; only buffer and index
  std::vector<BufferInfo> buffers_;
  std::map<std::pair<int, int>, int> numbers_;  // array and epoch → index into buffers, TraceInfo's first
};

}  // namespace twiddle
