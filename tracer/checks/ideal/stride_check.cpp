// What can be said of partners when nothing can be followed, because only a part of the run was kept or the outcome that there
// should be is not known: all butterflies of a stage have their inputs equally far apart, in every transform there is. The
// few that do not are the culprits.
#include "base/message.h"
#include "tracer/checks/access.h"
#include "tracer/checks/check.h"
#include "tracer/trace/item_words.h"

#include <algorithm>
#include <bit>

namespace twiddle {
namespace {

class StrideCheck : public Check {
 public:
  explicit StrideCheck(const TraceInfo& info) : info_(info) {}

  void operation(const Operation& op, Findings& findings) override {
    if (op.kind != OperationKind::Butterfly || op.shape == Shape::Pack || op.stage == 0) return;
    if (legs_of(op.shape).radix > 0) return;  // of those a stage may have several
    if (op.stage != stage_) judge(findings);
    stage_ = op.stage;
    const std::uint64_t stride = op.stride();
    if (!seen_.empty() && seen_.front().stride == stride) {
      ++seen_.front().count;
      return;
    }
    const auto known = std::find_if(seen_.begin(), seen_.end(), [&](const Seen& one) { return one.stride == stride; });
    if (known != seen_.end()) {
      ++known->count;
      if (known->items.size() < Findings::max_items) known->items.push_back(op.item);
    } else if (seen_.size() < max_strides) {
      seen_.push_back({stride, 1, op, {op.item}});
    }
  }

  void end_launch(const LaunchInfo&, Findings& findings) override { judge(findings); }

 private:
  static constexpr std::size_t max_strides = 16;  // told apart in a stage
  struct Seen {
    std::uint64_t stride, count;
    Operation first;
    std::vector<std::uint64_t> items;
  };

  void judge(Findings& findings) {
    if (seen_.size() > 1) {
      // Where as many are wrong as not, the power of two is the one that was meant.
      const auto worth = [](const Seen& one) {
        return 2 * one.count + (std::has_single_bit(one.stride) ? one.count : 0);
      };
      const auto meant = std::max_element(seen_.begin(), seen_.end(),
                                          [&](const Seen& a, const Seen& b) { return worth(a) < worth(b); });
      for (auto one = seen_.begin(); one != seen_.end(); ++one)
        if (one != meant) report(*one, meant->stride, findings);
    }
    seen_.clear();
  }

  void report(const Seen& stray, std::uint64_t meant, Findings& findings) const {
    const Operation& op = stray.first;
    Finding finding = finding_at(FindingClass::WrongPartner, info_, op, op.reads[1]);
    finding.items = stray.items;
    finding.occurrences = stray.count;
    finding.message = Message("{} merges {} with {}, {} apart, where the butterflies of this stage have {}",
                              item_name(info_, op.item), element_text(info_, op.reads[0]),
                              element_text(info_, op.reads[1]), stray.stride, meant);
    const bool beyond_float = std::max(op.reads[0].index, op.reads[1].index) >= (std::uint64_t(1) << 24);
    finding.advice =
        beyond_float && stray.stride + 1 >= meant && stray.stride <= meant + 1
            ? Message("Compute indices in integers: a float cannot tell neighbours apart from 2^24 on.")
            : Message("Item g of a stage with span L pairs i0 = g div (L/2) · L + g mod (L/2) with i0 + L/2.");
    findings.add(std::move(finding));
  }

  const TraceInfo& info_;
  int stage_ = -1;
  std::vector<Seen> seen_;  // strides of this launch and stage
};

}  // namespace

/// Where the transform is known and all of it was kept, the ideal laid over the log says more (transform_check.cpp).
std::unique_ptr<Check> make_stride_check(const TraceInfo& info) {
  const bool expected = info.expect.transform != Expect::Transform::None;
  if (expected && !traits(info.expect.transform).fourier) return nullptr;  // its butterflies, if any, are its own
  return !expected || !info.filter.empty() ? std::make_unique<StrideCheck>(info) : nullptr;
}

}  // namespace twiddle
