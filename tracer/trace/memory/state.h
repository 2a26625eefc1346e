// The content of every buffer at a moment of the replay. Copies are cheap: memory is shared, in pages, until written.
#pragma once

#include "tracer/trace/trace.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace twiddle {

/// Whether these bytes (a multiple of four) are kernels/plan.h's uninitialised_pattern throughout: what buffers and local
/// arrays hold before they are written.
bool is_uninitialised(std::span<const std::byte> bytes);
std::vector<std::byte> unknown_array(std::uint64_t bytes);  // such an array

/// Buffers of the plan by index, and local arrays by (buffer, group). Pages of `page_bytes` are shared between copies and
/// copied on write, so that a checkpoint costs what changed since the last one. A replay works on a ReplayMemory, which is
/// contiguous and quicker, and hands out States.
class State {
 public:
  static constexpr std::size_t page_bytes = 1 << 14;

  State() = default;
  explicit State(const std::vector<BufferInfo>& buffers);
  /// More buffers, behind those that are known; all zero.
  void add(std::span<const BufferInfo> buffers);

  /// One element of the buffer's type; `group` matters for local arrays only (their content starts unknown in every launch).
  /// False: out of range, or a local element that was not written yet.
  bool read(int buffer, std::uint64_t group, std::uint64_t index, std::span<std::byte> element) const;
  /// The same by byte offset, for operations whose values have another size than the buffer's elements. Nothing is written out
  /// of range.
  bool read_bytes(int buffer, std::uint64_t group, std::uint64_t offset, std::span<std::byte> to) const;
  bool write_bytes(int buffer, std::uint64_t group, std::uint64_t offset, std::span<const std::byte> from);
  /// All of a global buffer, copied out; or `count` elements from `first` on, clipped to the buffer.
  std::vector<std::byte> bytes(int buffer) const;
  std::vector<std::byte> bytes(int buffer, std::uint64_t first, std::uint64_t count) const;
  /// Forgets all local arrays: a new launch begins.
  void forget_locals();
  /// Bytes of memory that only this copy holds against `other`.
  std::size_t bytes_not_shared_with(const State& other) const;

 private:
  friend class ReplayMemory;
  struct Page {
    std::byte data[page_bytes];
  };
  struct Buffer {
    ElementType type = ElementType::Float2;
    std::uint64_t count = 0;  // elements
    Space space = Space::Global;
    std::vector<std::shared_ptr<Page>> pages;                     // not local; null: all zero
    std::vector<std::shared_ptr<std::vector<std::byte>>> groups;  // local, by group; null or past the end: unknown
    std::optional<BufferParts> parts{};                           // of a pair, which has neither
    std::uint64_t bytes() const { return count * traits(type).bytes; }
  };
  const Buffer* buffer_at(int buffer) const;
  static void copy_out(const Buffer& buffer, std::uint64_t offset, std::span<std::byte> to);
  static void copy_in(Buffer& buffer, std::uint64_t offset, std::span<const std::byte> from);
  std::vector<Buffer> buffers_;
};

}  // namespace twiddle
