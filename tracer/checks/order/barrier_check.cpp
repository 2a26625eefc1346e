// Items of a group that pass different barriers: undefined everywhere, and a hang on many devices.
#include "base/message.h"
#include "tracer/checks/check.h"
#include "tracer/trace/item_words.h"

#include <algorithm>

namespace twiddle {
namespace {

class BarrierCheck : public Check {
 public:
  explicit BarrierCheck(const TraceInfo& info) : info_(info) {}

  void begin_launch(const LaunchInfo& launch) override {
    passed_.clear();
    logged_ = launch.accesses.logged;
    complete_ = !logged_ || launch.accesses.lost == 0;
  }

  void access(const AccessEvent& event, Findings&) override {
    if (event.site->kind == AccessKind::Barrier && event.site->scope == MemoryScope::Group)
      pass(event.item, event.site->line);
  }

  void operation(const Operation& op, Findings&) override {
    if (op.kind == OperationKind::Barrier && !logged_) pass(op.item, op.line);
  }

  void end_launch(const LaunchInfo& launch, Findings& findings) override {
    // With a filter, items that were not kept look as if they had not come; an interrupted launch as if some had stopped.
    if (passed_.empty() || !complete_ || !info_.filter.empty() ||
        (!info_.complete && &launch == &info_.launches.back()))
      return;
    passed_.resize(launch.items());
    const std::uint64_t size = launch.group_size();
    for (std::uint64_t first = 0; first + size <= passed_.size(); first += size) judge(launch, first, size, findings);
  }

 private:
  struct Passed {
    std::uint32_t count = 0, lines = 0;  // how many barriers, and a digest of where they are
    int last_line = 0;
  };

  void pass(std::uint64_t item, int line) {
    if (item >= passed_.size()) passed_.resize(std::max<std::uint64_t>(item + 1, passed_.size() * 2));
    Passed& passed = passed_[item];
    ++passed.count;
    passed.lines = passed.lines * 31 + static_cast<std::uint32_t>(line);
    passed.last_line = line;
  }

  void judge(const LaunchInfo& launch, std::uint64_t first, std::uint64_t size, Findings& findings) const {
    const auto begin = passed_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(size);
    const auto fewer = [](const Passed& a, const Passed& b) { return a.count < b.count; };
    const auto [least, most] = std::minmax_element(begin, end, fewer);
    const bool counts_differ = least->count != most->count;
    const auto other = std::find_if(begin, end, [&](const Passed& one) { return one.lines != begin->lines; });
    if (!counts_differ && other == end) return;

    Finding finding;
    finding.kind = FindingClass::BarrierDivergence;
    finding.launch = launch.number;
    finding.epoch = static_cast<int>(least->count);
    finding.source = launch.source;
    finding.line = most->last_line;
    if (counts_differ) {
      std::uint64_t missing = 0;
      for (std::uint64_t item = first; item < first + size; ++item)
        if (passed_[item].count < most->count) {
          ++missing;
          if (finding.items.size() < Findings::max_items) finding.items.push_back(item);
        }
      finding.message =
          Message("{} of the {} of group {} never reach barrier {} that the others wait at ({} is the first)", missing,
                  item_count(info_, size), first / size, least->count + 1, item_name(info_, finding.items.front()));
    } else {
      finding.epoch = -1;
      finding.line = begin->last_line;
      finding.other_line = other->last_line;
      finding.items = {first, first + static_cast<std::uint64_t>(other - begin)};
      finding.message =
          Message("{} and {} of group {} wait at different barriers (lines {} and {}), which only look like one",
                  item_name(info_, finding.items[0]), item_name(info_, finding.items[1]), first / size,
                  begin->last_line, other->last_line);
    }
    finding.advice =
        Message("Let every {} of the group reach every barrier: guard the work, not the barrier.", item_noun(info_));
    findings.add(std::move(finding));
  }

  const TraceInfo& info_;
  std::vector<Passed> passed_;
  bool logged_ = false, complete_ = true;
};

}  // namespace

std::unique_ptr<Check> make_barrier_check(const TraceInfo& info) { return std::make_unique<BarrierCheck>(info); }

}  // namespace twiddle
