// Values that are no finite numbers, at the operation that made the first of them.
#include "base/message.h"
#include "tracer/checks/access.h"
#include "tracer/checks/check.h"
#include "tracer/checks/ideal/shadow.h"
#include "tracer/trace/item_words.h"

namespace twiddle {
namespace {

class NumericsCheck : public Check {
 public:
  explicit NumericsCheck(const TraceInfo& info) : info_(info) {}

  void operation(const Operation& op, Findings& findings) override {
    const auto born = births_.operation(info_, op);
    if (!born) return;
    const ShadowPlace& at = born->where;
    if (findings.count_repeat({FindingClass::Numerics, op.launch, op.stage, op.epoch, at.buffer, op.line, 0}, op.item))
      return;
    Access access;
    access.buffer = at.buffer;
    access.index = at.element;
    Finding finding;
    finding.kind = FindingClass::Numerics;
    set_place(finding, info_, op);
    finding.buffer = at.buffer;
    finding.element = at.element;
    finding.source = at.source;
    finding.message = born->infinite
                          ? Message("{} writes an infinity to {}, out of finite values: here it was born",
                                    item_name(info_, op.item), element_text(info_, access))
                          : Message("{} writes a value that is no number to {}, out of finite values: here it was born",
                                    item_name(info_, op.item), element_text(info_, access));
    finding.advice =
        Message("Look for a division by zero, a root or a logarithm of what is negative, or a sum that is too large.");
    findings.add(std::move(finding));
  }

 private:
  const TraceInfo& info_;
  Births births_;
};

}  // namespace

/// Needs values.
std::unique_ptr<Check> make_numerics_check(const TraceInfo& info) {
  return info.detail == Detail::Values ? std::make_unique<NumericsCheck>(info) : nullptr;
}

}  // namespace twiddle
