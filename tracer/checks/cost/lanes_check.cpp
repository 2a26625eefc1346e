// Sub-groups in which some items work while the others are masked: their time is spent all the same.
#include "base/message.h"
#include "tracer/checks/access.h"
#include "tracer/checks/check.h"
#include "tracer/cost/sub_group.h"
#include "tracer/trace/item_words.h"

#include <fmt/format.h>

#include <bit>
#include <map>

namespace twiddle {
namespace {

class LanesCheck : public Check {
 public:
  explicit LanesCheck(const TraceInfo& info) : info_(info) {}

  void begin_launch(const LaunchInfo& launch) override {
    launch_ = &launch;
    segments_.clear();
    sub_group_ = {};
    busy_ = 0;
  }

  void operation(const Operation& op, Findings&) override {
    if (op.kind == OperationKind::Barrier) return;
    if (!sub_group_.holds(op.item) || op.epoch != epoch_ || op.stage != stage_) {
      judge();
      sub_group_ = SubGroup::of(launch_->group_size(), op.item);
      epoch_ = op.epoch;
      stage_ = op.stage;
      step_ = op.step;
      line_ = op.line;
    }
    busy_ |= std::uint32_t(1) << (op.item - sub_group_.first);
  }

  void end_launch(const LaunchInfo& launch, Findings& findings) override {
    judge();
    // Where a launch was cut short, lanes look idle that never had their turn.
    if (!info_.complete && launch.number == info_.launches.back().number) return;
    for (const auto& [place, lanes] : segments_) {
      if (lanes.diverging == 0) continue;
      Finding finding = finding_of(FindingClass::DivergentBranch, *launch_);
      finding.epoch = place.first;
      finding.stage = place.second;
      finding.step = lanes.first_step;
      finding.items = lanes.idle;
      finding.occurrences = lanes.diverging;
      finding.line = lanes.line;
      finding.message =
          lanes.running == 1
              ? Message("{} of {} lanes work in the one sub-group of {} that runs; the others wait masked", lanes.busy,
                        lanes.issued, launch_->kernel)
              : Message("{} of {} lanes work in the {} sub-groups of {} that run; the others wait masked", lanes.busy,
                        lanes.issued, lanes.running, launch_->kernel);
      finding.advice = Message("Let the first {} do the work, so that whole sub-groups are free.", items_noun(info_));
      findings.add(std::move(finding));
    }
  }

 private:
  struct Lanes {
    std::uint64_t running = 0, diverging = 0, busy = 0, issued = 0, first_step = 0;
    std::vector<std::uint64_t> idle;  // of the first diverging sub-group, first few
    int line = 0;
  };

  void judge() {
    if (busy_ == 0) return;
    Lanes& lanes = segments_[{epoch_, stage_}];
    const auto working = static_cast<std::uint64_t>(std::popcount(busy_));
    ++lanes.running;
    lanes.busy += working;
    lanes.issued += sub_group_.items();
    if (working < sub_group_.items() && lanes.diverging++ == 0) {
      lanes.first_step = step_;
      lanes.line = line_;
      for (std::uint64_t i = 0; i < sub_group_.items() && lanes.idle.size() < Findings::max_items; ++i)
        if (!(busy_ >> i & 1)) lanes.idle.push_back(sub_group_.first + i);
    }
    busy_ = 0;
  }

  const TraceInfo& info_;
  const LaunchInfo* launch_ = nullptr;
  SubGroup sub_group_;
  int epoch_ = 0, stage_ = 0, line_ = 0;
  std::uint64_t step_ = 0;
  std::uint32_t busy_ = 0;                         // lanes of `sub_group_` that have done something
  std::map<std::pair<int, int>, Lanes> segments_;  // by epoch and stage
};

}  // namespace

/// With a filter, what was not kept looks idle.
std::unique_ptr<Check> make_lanes_check(const TraceInfo& info) {
  return info.filter.empty() ? std::make_unique<LanesCheck>(info) : nullptr;
}

}  // namespace twiddle
