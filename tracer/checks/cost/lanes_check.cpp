// Sub-groups in which some items work while the others are masked: their time is spent all the same.
#include "base/message.h"
#include "tracer/checks/access.h"
#include "tracer/checks/check.h"
#include "tracer/cost/sub_group.h"
#include "tracer/trace/item_words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <set>

namespace twiddle {
namespace {

class LanesCheck : public Check {
 public:
  explicit LanesCheck(const TraceInfo& info) : info_(info) {}

  void begin_launch(const LaunchInfo& launch) override {
    launch_ = &launch;
    segments_.clear();
    exchanging_.clear();
    accessing_.clear();
    diverging_.clear();
    working_.clear();
    busy_ever_.assign(launch.items(), false);
    sub_group_ = {};
    busy_ = 0;
  }

  // Lanes that take part in a shuffle or a vote work, though no operation says so; where the log does not tell of these, nothing
  // is said. So do lanes that load or store, also where it is not used: not every access is a part of an operation.
  void access(const AccessEvent& event, Findings&) override {
    if (event.site->kind == AccessKind::Exchange) exchanging_.insert({event.epoch, event.sub_group});
    if (!touches_memory(event.site->kind)) return;
    const SubGroup lanes = SubGroups(launch_->group_size()).at(event.sub_group);
    accessing_[{event.epoch, event.sub_group}] |= std::uint32_t(1) << (event.item - lanes.first);
  }

  void operation(const Operation& op, Findings&) override {
    if (op.kind == OperationKind::Barrier) return;
    if (!sub_group_.holds(op.item) || op.epoch != epoch_ || op.stage != stage_) {
      judge();
      sub_group_ = SubGroups(launch_->group_size()).of_item(op.item);
      epoch_ = op.epoch;
      stage_ = op.stage;
      step_ = op.step;
      line_ = op.line;
    }
    busy_ |= std::uint32_t(1) << (op.item - sub_group_.first);
    if (op.item < busy_ever_.size()) busy_ever_[op.item] = true;
  }

  void end_launch(const LaunchInfo& launch, Findings&) override {
    judge();
    // Where a launch was cut short, lanes look idle that never had their turn.
    if (!info_.complete && launch.number == info_.launches.back().number) return;
    for (const Diverging& one : diverging_) {
      const std::uint32_t idle = idle_within(one);
      if (idle == 0) continue;
      Lanes& lanes = segments_[one.place];
      if (!first_of_group(one)) (alone_in_group(one) ? lanes.chosen : lanes.scattered) = true;
      if (lanes.diverging++ > 0) continue;
      lanes.first_step = one.step;
      lanes.line = one.line;
      // Once some wait, all that do not work do, those after the last busy one, too.
      for (std::uint64_t i = 0; i < one.sub_group.items(); ++i)
        if (!(one.busy >> i & 1)) lanes.idle.push_back(one.sub_group.first + i);
    }
    for (const auto& [place, lanes] : segments_) {
      if (lanes.diverging == 0) continue;
      // A line is told of once, however many rounds and launches it has.
      const auto [at, added] = found_.try_emplace({launch.kernel, lanes.line});
      Finding& finding = at->second.finding;
      const std::uint64_t before = added ? 0 : finding.occurrences;
      at->second.scattered |= lanes.scattered;
      at->second.chosen |= lanes.chosen;
      if (added) finding = finding_of(FindingClass::DivergentBranch, *launch_);
      finding.occurrences = before + lanes.diverging;
      if (!added) continue;
      finding.epoch = place.first;
      finding.stage = place.second;
      finding.step = lanes.first_step;
      finding.items = lanes.idle;
      finding.line = lanes.line;
      finding.message = lanes.running == 1
                            ? Message("{} of {} lanes work in the one {} of {} that runs; the others wait masked",
                                      lanes.busy, lanes.issued, lanes_noun(info_), launch_->kernel)
                            : Message("{} of {} lanes work in the {} {} of {} that run; the others wait masked",
                                      lanes.busy, lanes.issued, lanes.running, all_lanes_noun(info_), launch_->kernel);
    }
  }

  void end(Findings& findings) override {
    for (auto& [place, found] : found_) {
      found.finding.advice = found.scattered ? Message("Let the first {} do the work, so that whole {} are free.",
                                                       items_noun(info_), all_lanes_noun(info_))
                             : found.chosen
                                 ? Message("One {} alone does the work here, so that another would free no {}.",
                                           item_noun(info_), lanes_noun(info_))
                                 : Message("The first {} do the work already, and fewer than a {} are needed here.",
                                           items_noun(info_), lanes_noun(info_));
      findings.add(std::move(found.finding));
    }
  }

 private:
  using Segment = std::pair<int, int>;  // epoch and stage
  struct Lanes {
    std::uint64_t running = 0, diverging = 0, busy = 0, issued = 0, first_step = 0;
    std::vector<std::uint64_t> idle;  // of the first diverging sub-group
    int line = 0;
    bool scattered = false;  // lanes work that are not the first of their group
    bool chosen = false;     // a single one does, which is not its first
  };
  struct Found {
    Finding finding;
    bool scattered = false, chosen = false;
  };
  struct Diverging {
    Segment place;
    SubGroup sub_group;
    std::uint32_t busy;
    std::uint64_t step;
    int line;
  };

  void judge() {
    if (busy_ == 0) return;
    const std::uint64_t number = SubGroups(launch_->group_size()).number_of(sub_group_.first);
    if (const auto at = accessing_.find({epoch_, number}); at != accessing_.end()) busy_ |= at->second;
    Lanes& lanes = segments_[{epoch_, stage_}];
    const auto working = static_cast<std::uint64_t>(std::popcount(busy_));
    ++lanes.running;
    lanes.busy += working;
    lanes.issued += sub_group_.items();
    working_[{{epoch_, stage_}, group_of(sub_group_)}] += working;
    if (working < sub_group_.items() && !launch_->accesses.lacks_exchanges() && !exchanging_.contains({epoch_, number}))
      diverging_.push_back({{epoch_, stage_}, sub_group_, busy_, step_, line_});
    busy_ = 0;
  }

  std::uint64_t group_size() const { return std::max<std::uint64_t>(launch_->group_size(), 1); }
  std::uint64_t group_of(const SubGroup& sub_group) const { return sub_group.first / group_size(); }

  // Whether the lanes that work are the first of their group: then no other items could do it with fewer sub-groups.
  bool first_of_group(const Diverging& one) const {
    const bool front = (one.busy & (one.busy + 1)) == 0;
    return front && one.sub_group.first % group_size() == 0;
  }
  // Nor could they where a single one of the group works, such as its last for what it carries on.
  bool alone_in_group(const Diverging& one) const { return working_.at({one.place, group_of(one.sub_group)}) == 1; }

  // The idle lanes of a sub-group that are no guard at the end of the data: those that work at another time, or that have a
  // later item in every direction that works.
  std::uint32_t idle_within(const Diverging& one) {
    if (!bounds_of_ || *bounds_of_ != launch_->number) {
      bounds_of_ = launch_->number;
      bounds_ = {0, 0, 0};
      for (std::uint64_t item = 0; item < busy_ever_.size(); ++item) {
        if (!busy_ever_[item]) continue;
        const auto at = launch_->global_id(item);
        for (std::size_t d = 0; d < 3; ++d) bounds_[d] = std::max<std::uint64_t>(bounds_[d], at[d]);
      }
    }
    std::uint32_t idle = 0;
    for (std::uint64_t i = 0; i < one.sub_group.items(); ++i) {
      if (one.busy >> i & 1) continue;
      const std::uint64_t item = one.sub_group.first + i;
      const auto at = launch_->global_id(item);
      const bool within = at[0] <= bounds_[0] && at[1] <= bounds_[1] && at[2] <= bounds_[2];
      if (within || busy_ever_[item]) idle |= std::uint32_t(1) << i;
    }
    return idle;
  }

  const TraceInfo& info_;
  const LaunchInfo* launch_ = nullptr;
  SubGroup sub_group_;
  int epoch_ = 0, stage_ = 0, line_ = 0;
  std::uint64_t step_ = 0;
  std::uint32_t busy_ = 0;  // lanes of `sub_group_` that have done something
  std::map<Segment, Lanes> segments_;
  std::vector<Diverging> diverging_;
  std::map<std::pair<Segment, std::uint64_t>, std::uint64_t> working_;  // lanes, by segment and group
  std::vector<bool> busy_ever_;                                         // items of the launch that did something
  std::set<std::pair<int, std::uint64_t>> exchanging_;                  // epochs and sub-groups
  std::map<std::pair<int, std::uint64_t>, std::uint32_t> accessing_;    // lanes, by epochs and sub-groups
  std::optional<int> bounds_of_;  // the launch whose last working item in each direction is `bounds_`
  std::array<std::uint64_t, 3> bounds_{};
  std::map<std::pair<std::string, int>, Found> found_;  // by kernel and line
};

}  // namespace

/// With a filter, what was not kept looks idle.
std::unique_ptr<Check> make_lanes_check(const TraceInfo& info) {
  return info.filter.empty() ? std::make_unique<LanesCheck>(info) : nullptr;
}

}  // namespace twiddle
