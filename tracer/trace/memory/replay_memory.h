// The working memory of a replay: every buffer as one contiguous array that operations are applied to, many at a time.
#pragma once

#include "tracer/trace/memory/state.h"
#include "tracer/trace/trace.h"

#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace twiddle {

/// Adds an operand to an element as an atomic of the type does, each component by itself; integers wrap around.
void add_element(ElementType type, std::byte* element, const std::byte* operand);

/// Holds the buffers of a trace (plan buffers, and local arrays for each work-group of the current launch). Snapshots share
/// what did not change since the last one. Sizes come from untrusted files: what is too large throws Error (unreadable).
class ReplayMemory {
 public:
  explicit ReplayMemory(const std::vector<BufferInfo>& buffers) { add(buffers); }
  /// More buffers, behind those that are known: a recording meets them as it goes.
  void add(std::span<const BufferInfo> buffers);

  /// A launch begins: local arrays are unknown again, and items belong to groups of this launch's size.
  void begin_launch(const LaunchInfo& launch);

  /// Replaces bytes of a global buffer from `offset` on; what is past its end is ignored.
  void assign(int buffer, std::uint64_t offset, std::span<const std::byte> bytes);
  /// A global buffer as it is now; empty for local arrays and unknown numbers.
  std::span<const std::byte> bytes(int buffer) const;

  /// Operations of one trace line, one a row: what they read and write, as columns. All elements have `size` bytes (4, 8 or
  /// 16), and an index counts elements of that size from the start of the buffer (of the item's group's array when local).
  struct Rows {
    std::size_t count = 0, size = 0;
    const std::uint32_t* item = nullptr;
    int read_buffer = -1, write_buffer = -1;  // −1, and any number that is no buffer's: unknown
    int reads = 0, writes = 0;
    // Of accesses that there are; the others' are not set.
    std::array<const std::uint32_t*, max_legs> read_index, write_index;
    std::array<std::byte*, max_legs> read_out;  // where the elements read go
    std::array<const std::byte*, max_legs> write_in;
  };
  /// Reads all rows, then writes nothing. What is out of range, unknown, or local and unwritten reads as the
  /// uninitialised pattern.
  void gather(const Rows& rows) { step(rows, rows.reads, 0); }
  /// Writes row by row, each row's accesses in order. What is out of range or unknown is not written.
  void scatter(const Rows& rows) { step(rows, 0, rows.writes); }
  /// Reads and writes row by row: a row reads what the rows before it wrote.
  void step(const Rows& rows) { step(rows, rows.reads, rows.writes); }
  /// Adds write_in[0] row by row, as atomics do: int, uint, float or double, each component by itself. What is unknown
  /// stays unknown. Elements read are those before the row's own addition.
  void step_adding(const Rows& rows, ElementType type);
  /// Whether this element is always known: in a buffer that is not local, and in range.
  bool always_known(int buffer, std::size_t size, std::uint64_t index) const;

  /// The content now, sharing unchanged pages with the snapshot before.
  State snapshot();
  /// Goes back to a state of the same buffers; only what differs is copied. `launch` as for begin_launch, or null.
  void restore(const State& state, const LaunchInfo* launch);
  /// Whether page `page` (State::page_bytes each) of a global buffer was written since `forget_touched`.
  bool touched(int buffer, std::size_t page) const;
  void forget_touched();

 private:
  using LocalArray = std::shared_ptr<std::vector<std::byte>>;
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  static constexpr std::uint8_t not_saved = 1;  // written since the last snapshot
  static constexpr std::uint8_t not_seen = 2;   // written since forget_touched
  struct Array {
    ElementType type = ElementType::Float2;
    Space space = Space::Global;
    std::uint64_t size = 0;                   // bytes, of one group's array when local
    std::unique_ptr<std::byte[], Free> data;  // not local
    std::vector<std::uint8_t> written;        // by page: not_saved | not_seen
    std::vector<LocalArray> groups;
    std::optional<BufferParts> parts{};  // of a pair, which has no data
  };
  // Rows [begin, end) that see the same two arrays: all of them, or those of one work-group. Null: nothing is there.
  struct Run {
    std::size_t begin, end;
    const std::byte* from;
    std::byte* to;
    std::uint64_t from_bytes, to_bytes;
    std::uint8_t* written;  // flags of the pages of `to`, or null
  };
  void step(const Rows& rows, int reads, int writes);
  void step_in_parts(const Rows& rows, int reads, int writes);
  bool is_pair(int buffer) const;
  template <typename Each>
  void for_runs(const Rows& rows, bool writing, const Each& each);
  const Array* array_at(int buffer) const;
  const std::byte* readable_group(const Array& array, std::uint64_t group) const;
  std::byte* writable_group(Array& array, std::uint64_t group);

  std::vector<Array> arrays_;
  State last_;  // the latest snapshot
  std::uint64_t group_size_ = 1;
  std::uint64_t total_ = 0;         // bytes of what is not local
  std::uint64_t local_budget_ = 0;  // bytes of local arrays that a trace may make us hold
  std::uint64_t local_bytes_ = 0;
};

}  // namespace twiddle
