// Small numbers and stretches of bytes in a row: how a block is written, and how one that is not trusted is read.
#pragma once

#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twiddle {

/// Appends bytes, numbers as LEB128 (seven bits a byte, lowest first), and byte strings with their length before them.
class ByteWriter {
 public:
  void byte(std::uint8_t value) { bytes_.push_back(static_cast<std::byte>(value)); }
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<std::uint8_t>(value | 0x80));
    byte(static_cast<std::uint8_t>(value));
  }
  void raw(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void string(std::span<const std::byte> bytes) {
    number(bytes.size());
    raw(bytes);
  }
  std::vector<std::byte> take() { return std::move(bytes_); }
  std::size_t size() const { return bytes_.size(); }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads what ByteWriter wrote; anything that runs past the end throws Error (unreadable).
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::uint8_t byte() { return static_cast<std::uint8_t>(raw(1)[0]); }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      value |= std::uint64_t(next & 0x7f) << shift;
      if (!(next & 0x80)) return value;
    }
    throw unreadable("a block of the trace holds a number that does not end");
  }
  /// A number of at most `limit`.
  std::uint64_t number_up_to(std::uint64_t limit) {
    const std::uint64_t value = number();
    if (value > limit)
      throw unreadable("a block of the trace holds the number {} where at most {} is possible", value, limit);
    return value;
  }
  std::span<const std::byte> raw(std::uint64_t count) {
    if (count > bytes_.size()) throw unreadable("a block of the trace is cut short");
    const auto result = bytes_.first(static_cast<std::size_t>(count));
    bytes_ = bytes_.subspan(static_cast<std::size_t>(count));
    return result;
  }
  std::span<const std::byte> string() { return raw(number()); }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace twiddle
