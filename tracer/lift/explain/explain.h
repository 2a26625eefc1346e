// Finding the operations of a shape from some of its items.
#pragma once

#include "tracer/lift/item_shape.h"
#include "tracer/lift/known_parts.h"
#include "tracer/lift/pattern.h"

#include <vector>

namespace twiddle {

/// An item, in the log or in a probe's.
struct Sample {
  const AccessLog* log = nullptr;
  std::uint64_t base = 0;  // its first record
  std::uint32_t item = 0;
  bool probe = false;
};

/// Reads and the writes behind them, whose operations may be known from items of another shape with the same sites there.
struct OpenRun {
  std::vector<int> reads, writes;  // slots
  std::vector<std::uint32_t> sites;
};

struct Explanation {
  std::vector<Slot> slots;  // the shape's, then complex values made of two of them
  std::vector<Pattern> patterns;
  std::vector<OpenRun> runs;  // all
  std::vector<bool> written;  // slots that write and are explained
};

/// By buffer: `only_read` says that nothing is written to it, so that it may be a table, and `turns` how many parts a turn has:
/// twiddles of what it holds are roots of unity of that order. `parts` says which of two buffers has the real parts; of others it
/// is the one that is accessed first.
Explanation explain(const ItemShape& shape, const std::vector<Sample>& samples, const LiftOptions& options,
                    const std::vector<bool>& only_read, const std::vector<std::uint64_t>& turns,
                    const KnownParts& parts);

/// The values of samples at slots.
class SampledValues {
 public:
  SampledValues(const std::vector<Sample>& samples) : samples_(samples) {}
  void add(const Slot& slot);
  std::size_t count() const { return samples_.size(); }
  Complex number(int slot, std::size_t sample) const { return number_[slot * count() + sample]; }
  std::uint64_t bits(int slot, std::size_t sample) const { return bits_[slot * count() + sample]; }
  std::uint64_t offset(int slot, std::size_t sample) const { return offset_[slot * count() + sample]; }
  std::uint64_t print(int slot) const { return print_[slot]; }  // equal where all samples' bits are
  bool zero(int slot) const { return zero_[slot]; }             // in all samples
  /// Has it four different values at least? As many on a line are no accident.
  bool varied(int slot) const;
  /// Is it some number plus another times the item's? False where all samples are of one item.
  bool counts_items(int slot) const;
  /// Is another slot's value a number plus another times this one's, as where data is in even steps? False where the other
  /// is not varied, or both are one place.
  bool in_step(int slot, int with) const;
  /// The worst verdict of all samples but Empty where there are others.
  Holds judge(const Pattern& pattern, double tolerance) const;

 private:
  const std::vector<Sample>& samples_;
  std::vector<Complex> number_;
  std::vector<std::uint64_t> bits_, offset_, print_;
  std::vector<bool> zero_;
};

/// Orders that `slots` may be a butterfly's points in: as accessed, by address, and both with their numbers' bits (or digits of
/// base 4) reversed.
std::vector<std::vector<int>> point_orders(const std::vector<int>& slots, const std::vector<Slot>& all,
                                           const SampledValues& values);

/// A butterfly of these points, in one of these orders of each, with twiddles on either side. False: there is none.
bool find_butterfly(const std::vector<std::vector<int>>& reads, const std::vector<std::vector<int>>& writes,
                    const SampledValues& values, double tolerance, Pattern& found);

/// Can `writes` be a transform of `reads`, in any order? What most groups fail, before their orders are tried. `real`: as
/// find_real_butterfly() has it.
bool may_be_butterfly(const std::vector<int>& reads, const std::vector<int>& writes, const SampledValues& values,
                      bool real = false);

/// find_butterfly() in the orders of point_orders().
bool find_butterfly(const std::vector<int>& reads, const std::vector<int>& writes, const std::vector<Slot>& all,
                    const SampledValues& values, double tolerance, Pattern& found);

/// The same of values some of which are real, or read as conjugates: without twiddles, or with such as have phases in equal
/// steps in every sample, because moduli alone do not tell a real transform from its inverse.
bool find_real_butterfly(const std::vector<std::vector<int>>& reads, const std::vector<std::vector<int>>& writes,
                         bool real_outputs, const SampledValues& values, double tolerance, Pattern& found);

/// A butterfly without twiddles of which some outputs were stored: those of `writes` that are one. False: none is.
bool find_stored_outputs(const std::vector<std::vector<int>>& reads, const std::vector<int>& writes,
                         const SampledValues& values, double tolerance, Pattern& found);

}  // namespace twiddle
