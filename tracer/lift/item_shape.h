// Items that did the same: one sequence of sites and buffers, and the values that its records are made of.
#pragma once

#include "tracer/lift/lift.h"

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace twiddle {

struct HeldValue;

/// A value that an item reads or writes: which of its records hold it.
struct Slot {
  bool write = false, copy = false, local = false;
  Number number = Number::Real;
  ElementType type = ElementType::Float;  // of the buffer's elements, else as the program says
  std::uint8_t width = 4;                 // bytes of a component
  std::uint8_t records = 1;
  std::array<std::uint32_t, 2> record{};  // from the item's first
  std::array<std::uint8_t, 2> byte{};     // in the record's value
  bool real = false;                      // of a Complex one: its imaginary part is zero, and nowhere
  bool imaginary = false;   // of a Complex one: what is there is its imaginary part, and its real part is zero
  bool conjugated = false;  // what is there is its conjugate, of a Real one its negative
  int buffer = -1, epoch = 0;
  std::uint32_t site = 0;
  std::shared_ptr<const HeldValue> held;  // of one that is in no record (`records` is 0): what it is made of

  std::uint32_t last_record() const { return records == 2 ? std::max(record[0], record[1]) : record[0]; }
};

/// A value that an item computed and never stored: the sum of others, each times a factor.
struct HeldValue {
  std::vector<Slot> of;
  std::vector<std::complex<double>> factors;
};

struct ItemShape {
  std::vector<Slot> slots;                  // by their last record; without atomics
  std::vector<std::uint32_t> atomic;        // records that are an AtomicLoad with its AtomicStore behind it
  std::vector<std::uint32_t> atomic_alone;  // AtomicLoads without one
  std::vector<int> atomic_epoch;            // of `atomic`
  std::vector<std::uint32_t> items;         // of the log, ascending
};
std::vector<ItemShape> item_shapes(const AccessLog& log, const TraceInfo& info);

/// The values of a slot, of the item whose first record is `base`.
std::complex<double> number_of(const AccessLog& log, const Slot& slot, std::uint64_t base);
/// Equal bits have equal numbers here.
std::uint64_t bits_of(const AccessLog& log, const Slot& slot, std::uint64_t base);
std::uint64_t whole_of(const AccessLog& log, const Slot& slot, std::uint64_t base);
/// Bytes from the buffer's start.
inline std::uint64_t offset_of(const AccessLog& log, const Slot& slot, std::uint64_t base) {
  return log.offset[base + slot.record[0]] + slot.byte[0];
}

/// How a record's bytes are read: as its site says, or, where that only knows words, as the buffer's type says.
struct WordType {
  bool floating = false, paired = false;  // paired: two components are one complex value
  std::uint8_t width = 4;                 // bytes of a component
};
WordType word_type(const AccessSite& site, const TraceInfo& info, int buffer);

}  // namespace twiddle
