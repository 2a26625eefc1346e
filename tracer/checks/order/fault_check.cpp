// What the runtime noticed while a kernel ran: accesses that the host executor prevented, work-items missing at a
// barrier, and writes into the guard zones around buffers. What the log shows, too, is left to the
// checks of the log, which know more.
#include "base/message.h"
#include "tracer/checks/access.h"
#include "tracer/checks/check.h"
#include "tracer/checks/order/order_findings.h"
#include "tracer/trace/item_words.h"

#include <map>

namespace twiddle {
namespace {

class FaultCheck : public Check {
 public:
  explicit FaultCheck(const TraceInfo& info) : info_(info) {}

  void begin_launch(const LaunchInfo& launch) override {
    culprits_.clear();
    for (const Fault& fault : launch.faults)
      if (!fault.items.empty()) culprits_.emplace(fault.items.front(), 0);
  }
  void operation(const Operation& op, Findings&) override {
    if (culprits_.empty() || op.kind != OperationKind::Barrier) return;
    if (const auto culprit = culprits_.find(op.item); culprit != culprits_.end()) ++culprit->second;
  }
  void end_launch(const LaunchInfo& launch, Findings& findings) override {
    for (const Fault& fault : launch.faults) report(launch, fault, findings);
  }

 private:
  static FindingClass class_of(Fault::Kind kind) {
    switch (kind) {
      case Fault::Kind::OutOfBounds: return FindingClass::OutOfBounds;
      case Fault::Kind::BarrierDivergence:
      case Fault::Kind::EndlessWait: return FindingClass::BarrierDivergence;
      case Fault::Kind::FalseTraceLine: return FindingClass::FalseTraceLine;
      case Fault::Kind::Stopped: break;
    }
    return FindingClass::WrongValue;
  }

  int buffer_named(const std::string& name, int launch) const {
    for (std::size_t b = 0; b < info_.buffers.size(); ++b)
      if (info_.buffers[b].name == name && (info_.buffers[b].launch == 0 || info_.buffers[b].launch == launch))
        return static_cast<int>(b);
    return -1;
  }

  // A fault's place is said by the finding itself where both mean the same file.
  bool names_source(const LaunchInfo& launch, const std::string& place) const {
    const auto number = static_cast<std::size_t>(launch.source);
    return launch.source >= 0 && number < info_.sources.size() && place.starts_with(info_.sources[number].name + ":");
  }

  // The culprit itself logged nothing where it was stopped: its epoch is known by the barriers that it passed, and the stage by
  // what others did in that epoch. Their last step is the nearest that the replay comes to it.
  void place(const Fault& fault, Finding& finding) const {
    if (!fault.items.empty())
      if (const auto culprit = culprits_.find(fault.items.front()); culprit != culprits_.end())
        finding.epoch = culprit->second;
    for (const Segment& segment : info_.segments) {
      if (segment.launch != finding.launch || segment.count == 0) continue;
      if (finding.epoch >= 0 && segment.epoch > finding.epoch) continue;
      finding.step = segment.end_step() - 1;
      if (segment.epoch == finding.epoch) finding.stage = segment.stage;
    }
  }

  void report(const LaunchInfo& launch, const Fault& fault, Findings& findings) const {
    Finding finding = finding_of(class_of(fault.kind), launch);
    finding.buffer = buffer_named(fault.buffer, launch.number);
    const bool claim = fault.kind == Fault::Kind::FalseTraceLine;
    if (!claim && findings.has(finding.kind, launch.number, finding.buffer)) return;
    finding.items = fault.items;
    finding.line = fault.line;
    if (finding.kind == FindingClass::OutOfBounds && finding.buffer >= 0 && fault.element >= 0)
      finding.element = static_cast<std::uint64_t>(fault.element);
    finding.message = names_source(launch, fault.place) ? fault.sentence : fault.text();
    place(fault, finding);
    switch (fault.kind) {
      case Fault::Kind::FalseTraceLine:
        if (fault.element >= 0) finding.element = static_cast<std::uint64_t>(fault.element);
        finding.advice = Message("Let the trace line name what the statement beside it reads and writes.");
        break;
      case Fault::Kind::OutOfBounds: finding.advice = advice_outside(info_, finding.element.value_or(0)); break;
      case Fault::Kind::BarrierDivergence:
        finding.advice = Message("Let every {} of the group reach every barrier: guard the work, not the barrier.",
                                 item_noun(info_));
        break;
      case Fault::Kind::EndlessWait:
        finding.advice = Message("Do not wait for another work-group inside a launch.");
        break;
      case Fault::Kind::Stopped:
        finding.advice = Message("Look at what this line computes before it is stopped.");
        break;
    }
    findings.add(std::move(finding));
  }

  const TraceInfo& info_;
  std::map<std::uint64_t, int> culprits_;  // items of this launch's faults, and how many barriers they passed
};

}  // namespace

std::unique_ptr<Check> make_fault_check(const TraceInfo& info) { return std::make_unique<FaultCheck>(info); }

}  // namespace twiddle
