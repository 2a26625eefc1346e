// How transforms are followed; the only user beside its own two sources is make_transform_check.
//
// The ideal laid over the log. For a Fourier transform, every element of every buffer is followed as what it stands for
// (transform_parts.h). Moves and swaps carry that meaning along; a butterfly of radix r may only merge r parts with the same
// L and bin j whose offsets are N/(rL) apart, and its twiddles must be w_{rL}^{qj}. That holds for every decimation in time,
// in place or not, with any reordering before or between, so that no kernel has to be known beforehand; the first operation
// that differs from it is the culprit.
#pragma once

#include "tracer/checks/access.h"
#include "tracer/checks/check.h"
#include "tracer/checks/complex_value.h"
#include "tracer/checks/element_table.h"
#include "tracer/checks/ideal/transform_parts.h"
#include "tracer/trace/memory/pairs.h"

#include <complex>
#include <map>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace twiddle {

class TransformCheck : public Check {
 public:
  TransformCheck(const TraceSource& trace, const Axes& axes)
      : trace_(trace), info_(trace.info()), axes_(axes), shared_(info_), parts_(info_) {}

  void begin_launch(const LaunchInfo& launch) override {
    launch_ = &launch;
    swapped_.clear();
    loaded_ = {};
    parts_.forget_locals();
  }

  void block(const OperationBlock& block, Findings&) override { segment_ = static_cast<std::uint32_t>(block.segment); }

  void operation(const Operation& op, Findings& findings) override;

  void end_launch(const LaunchInfo& launch, Findings&) override;

  void end(Findings& findings) override;

 private:
  void judge_output(Findings& findings);
  static constexpr std::uint64_t unlogged = ~std::uint64_t(0);
  static constexpr std::uint32_t no_segment = ~std::uint32_t(0);
  struct Entry {
    TransformPart part;
    std::uint64_t step = 0;  // that made it what it is; 0: it stands for what it held before the first launch
    std::uint32_t item = 0;  // of that step, and the line
    std::uint32_t line = 0;
    std::uint32_t merged = no_segment;  // the segment in which a butterfly read it last
  };

  Entry* entry_of(const Operation& op, const Access& access) {
    const BufferInfo* buffer = info_.buffer(access.buffer);
    if (!buffer || elements_of(*buffer, access).part) return nullptr;
    return parts_.find(access.buffer, op.item / launch_->group_size(), access.index);
  }
  TransformPart part_of(const Operation& op, const Access& access) {
    const Entry* entry = entry_of(op, access);
    return entry ? meaning(*entry, access.buffer, access.index) : TransformPart{};
  }
  TransformPart meaning(const Entry& entry, int buffer, std::uint64_t index) const {
    if (entry.step != 0) return entry.part;
    return buffer == axes_.input() && !axes_.real() ? axes_.point(index, TransformPart::Kind::Plain) : TransformPart{};
  }
  void set_part(const Operation& op, const Access& access, TransformPart part) {
    if (access.buffer < 0) return;
    if (Entry* entry = parts_.find(access.buffer, op.item / launch_->group_size(), access.index))
      *entry = {part, op.step, static_cast<std::uint32_t>(op.item), static_cast<std::uint32_t>(op.line), no_segment};
    forget_others(access.buffer, op.item / launch_->group_size(), access.index);
  }
  // What is the same memory, seen as something else, stands for nothing that is known.
  void forget_others(int buffer, std::uint64_t group, std::uint64_t index) {
    shared_.for_each_other(buffer, index, [&](int other, std::uint64_t element) {
      if (Entry* entry = parts_.find(other, group, element)) *entry = {{}, unlogged};
    });
  }

  void report(Findings& findings, FindingClass kind, const Operation& op, const Access& access, Message message,
              Message advice, const std::optional<Ideal>& ideal = {});

  void swap(const Operation& op, Findings& findings);

  // Real points, which come in by loads and leave as complex elements by a store.

  struct Loaded {
    std::uint64_t item = ~std::uint64_t(0);
    int count = 0;
    std::array<Access, 2> from{};  // the latest two
  };

  void scale(const Operation& op);

  void load(const Operation& op);

  void store(const Operation& op, Findings& findings);

  /// A pair of neighbours: the even one is the real part, the odd one the imaginary part.
  TransformPart packed(const Operation& op, Findings& findings);

  /// The last stage of a real transform: bins k and N/2 − k of the packed transform give bins k and k + N/2.
  void unpack(const Operation& op, Findings& findings);

  // ---- Butterflies ----

  void butterfly(const Operation& op, Findings& findings);

  /// The axis along which parts differ; the second where they do not, −1 where they differ in both.
  int axis_of(const std::array<TransformPart, 4>& parts, int radix) const;

  /// The distance of the offsets that a butterfly of this radix brings together; 0 where everything is merged already.
  std::uint32_t apart(const TransformPart& part, int axis, int log_radix) const {
    const int left = axes_.bits(part, axis) - part.lengths[axis] - log_radix;
    return left < 0 ? 0 : std::uint32_t(1) << left;
  }

  bool fit(const std::array<TransformPart, 4>& parts, int radix, int axis) const;

  /// Where transforms of each length were made first: what has stayed shorter was left out there.
  struct Made {
    int launch = 0, stage = 0, epoch = 0, line = 0;
  };
  void made_by(const Operation& op, int axis, int log_length) {
    Made& made = made_[axis][log_length];
    if (made.launch == 0) made = {op.launch, op.stage, op.epoch, op.line};
  }

  bool nothing_made(int axis) const {
    const auto& made = made_[axis];
    return std::all_of(made.begin(), made.end(), [](const Made& one) { return one.launch == 0; });
  }

  // Causes (transform_causes.cpp).
  bool idle_before(const Operation& op, Findings& findings);
  void suspect_repeat(const Operation& op);
  std::uint32_t place_in_line(const Access& access, int axis) const;
  bool fits_layout(Layout layout, const Operation& op, const std::array<TransformPart, 4>& parts, int axis) const;
  const std::array<std::uint64_t, 2>& layout_votes(const Access& access, std::size_t segment, int axis, int log_radix);
  bool misplaced_before(const Operation& op, const std::array<TransformPart, 4>& parts, int axis, Findings& findings);
  bool left_out(const Operation& op, const std::array<TransformPart, 4>& parts, int axis, Findings& findings);
  std::optional<std::uint64_t> element_holding(const Operation& op, int buffer, const TransformPart& part);
  std::optional<std::uint32_t> offset_at(const Operation& op, const Access& access, std::uint64_t index);

  // Which cause it is: those that say true have reported theirs.
  struct Mismatch;
  std::size_t first_wrong(const Operation& op, const std::array<TransformPart, 4>& parts, int axis) const;
  void report_mismatch(const Operation& op, const std::array<TransformPart, 4>& parts, int axis, Findings& findings);
  bool not_reordered(const Mismatch& mismatch);
  bool merged_already(const Mismatch& mismatch);
  bool stage_skipped(const Mismatch& mismatch);
  void mispaired(const Mismatch& mismatch);
  void tell(const Mismatch& mismatch, FindingClass kind, const Access& access, Message what, Message advice);
  std::uint64_t span_of(const Mismatch& mismatch) const;
  std::optional<Ideal> right_partner(const Mismatch& mismatch);
  std::string name_of_partner(const Mismatch& mismatch, const Ideal& ideal) const;

  /// Whether coefficient `which` is w_length^exponent; reports it where it is not.
  bool twiddle(const Operation& op, int which, std::uint64_t exponent, std::uint64_t length, const Access& access,
               Findings& findings);

  /// Whether a factor that was found in values may be the wanted one, for what it is multiplied by is so small that rounding hides
  /// the difference.
  bool may_be(const Operation& op, std::complex<double> logged, std::complex<double> wanted,
              const Access& access) const;

  /// The order, twice `length` or a larger power of two up to the transform's points, and the exponent of the root that a factor
  /// is; {0, 0}: of none.
  std::pair<std::uint64_t, std::uint64_t> root_of_larger_order(std::complex<double> factor, std::uint64_t length,
                                                               double tolerance) const;

  const TraceSource& trace_;
  const TraceInfo& info_;
  const Axes axes_;
  const LaunchInfo* launch_ = nullptr;
  const SharedElements shared_;
  ElementTable<Entry> parts_;
  std::unordered_set<std::uint64_t> swapped_;  // pairs swapped in this launch
  Loaded loaded_;
  std::array<std::array<Made, 34>, 2> made_{};
  std::uint32_t segment_ = 0;  // of the operations that come
  Findings suspected_;         // wrong only if something else is
  /// By buffer, segment and axis: how many of the elements written there are as each layout has them.
  std::map<std::tuple<int, std::size_t, int>, std::array<std::uint64_t, 2>> votes_;
};

}  // namespace twiddle
