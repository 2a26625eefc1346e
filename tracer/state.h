// The content of every buffer at a moment of the replay. Copies are cheap: buffers are shared until written (in pages).
#pragma once

#include "tracer/trace.h"

#include <memory>
#include <span>
#include <vector>

namespace twiddle {

/// Buffers of the plan by index, and local arrays by (buffer, group). Pages of `page_bytes` are shared between copies and
/// copied on write, so that a checkpoint costs what changed since the last one.
class State {
 public:
  static constexpr std::size_t page_bytes = 1 << 16;

  State() = default;
  explicit State(const std::vector<BufferInfo>& buffers);

  std::size_t buffer_count() const { return buffers_.size(); }
  /// Replaces a whole global buffer.
  void assign(int buffer, std::span<const std::byte> bytes);
  /// One element; `group` matters for local arrays only (their content starts unknown in every launch).
  /// Out-of-range indices read as unknown and are not written: the caller reports them.
  bool read(int buffer, std::uint64_t group, std::uint64_t index, std::span<std::byte> element) const;
  bool write(int buffer, std::uint64_t group, std::uint64_t index, std::span<const std::byte> element);
  /// All of a global buffer, copied out.
  std::vector<std::byte> bytes(int buffer) const;
  std::vector<std::byte> bytes(int buffer, std::uint64_t first, std::uint64_t count) const;
  /// Forgets all local arrays: a new launch begins.
  void forget_locals();
  /// Bytes of memory that only this copy holds against `other`.
  std::size_t bytes_not_shared_with(const State& other) const;

 private:
  struct Page { std::byte data[page_bytes]; };
  struct Pages {
    ElementType type;
    std::uint64_t count = 0;       // elements
    Space space = Space::Global;
    std::vector<std::shared_ptr<Page>> pages;                       // global
    std::vector<std::vector<std::shared_ptr<Page>>> group_pages;    // local: by group; null until written
  };
  std::vector<Pages> buffers_;
};

}  // namespace twiddle
