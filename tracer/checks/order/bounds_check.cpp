// Accesses outside their buffer. The log has the index, so that they show even where the device let them pass.
#include "tracer/checks/check.h"
#include "tracer/checks/order/order_findings.h"

namespace twiddle {
namespace {

class BoundsCheck : public Check {
 public:
  explicit BoundsCheck(const TraceInfo& info) : info_(info) {}

  void operation(const Operation& op, Findings& findings) override {
    const LaunchInfo* launch = info_.launch(op.launch);
    if (launch && launch->accesses.logged) return;  // access_memory_check knows more
    for (const Access& access : op.reads) look(op, access, translatable("reads"), findings);
    for (const Access& access : op.writes) look(op, access, translatable("writes"), findings);
  }

 private:
  void look(const Operation& op, const Access& access, const char* does, Findings& findings) {
    const BufferInfo* buffer = info_.buffer(access.buffer);
    if (!buffer || buffer->count == 0) return;  // an array of unknown size
    if (elements_of(*buffer, access).end <= buffer->count) return;
    if (findings.count_repeat(place_of(FindingClass::OutOfBounds, op, access), op.item)) return;
    Finding finding = finding_at(FindingClass::OutOfBounds, info_, op, access);
    word_outside(info_, finding, does);
    findings.add(std::move(finding));
  }

  const TraceInfo& info_;
};

}  // namespace

std::unique_ptr<Check> make_bounds_check(const TraceInfo& info) { return std::make_unique<BoundsCheck>(info); }

}  // namespace twiddle
