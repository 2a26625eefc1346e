// A window's operations as rows: added in any order, given out as blocks in the order of steps.
#pragma once

#include "tracer/lift/blocks/operations.h"
#include "tracer/lift/elements.h"
#include "tracer/trace/block.h"

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace twiddle {

/// What operations of a block have in common: one SiteColumns.
struct RowKey {
  int site = 0;
  Shape shape = Shape::None;
  ElementType value{}, coefficient{};
  int written = -1, read = -1;  // buffers
  auto operator<=>(const RowKey&) const = default;
};

class BlockRows {
 public:
  /// Of a log with so many records.
  explicit BlockRows(std::uint64_t records) : records_(records) {}

  /// A record's row comes before, with or behind what else the record has: `place` 0, 1 or 2. Rows of items are in the order of
  /// their records.
  struct Place {
    std::uint64_t record = 0;
    int place = 0;
    std::uint32_t item = 0;
    int epoch = 0;
  };
  void add_barrier(const Place& at, const RowKey& key) { entry(at, key, true); }
  /// As many values and coefficients as the shape has.
  void add(const Place& at, const RowKey& key, const Elements& all,
           const std::vector<std::complex<double>>& coefficients);

  /// Blocks of one epoch, in order. What was added is gone.
  std::vector<LiftedBlocks::Part> blocks(int stage);

 private:
  struct Entry {
    std::uint64_t order = 0;  // by item, then in the item's order
    std::size_t bytes = 0;    // in arena_: index words, coefficients, values read, values written
    std::uint32_t item = 0, slot = 0, key = 0;
    std::uint32_t epoch = 0;  // twice its number; barriers one more
  };
  void entry(const Place& at, const RowKey& key, bool barrier);
  void put(const void* bytes, std::size_t count);
  void put_number(ElementType type, std::complex<double> value);
  void order_by_record();
  void order_by_epoch();
  std::size_t block(std::size_t from, int stage, std::vector<LiftedBlocks::Part>& parts) const;
  void fill(SiteColumns& columns, const std::vector<std::size_t>& rows) const;
  const Entry& at(std::size_t place) const { return entries_[order_[place]]; }

  std::uint64_t records_ = 0;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> order_;  // of entries_
  std::vector<std::byte> arena_;
  std::map<RowKey, std::uint32_t> keys_;
  std::vector<RowKey> key_list_;
};

}  // namespace twiddle
