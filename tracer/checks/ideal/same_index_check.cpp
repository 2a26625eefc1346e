// A butterfly that takes one element twice: its two indices are the same, which is wrong in any transform.
#include "base/message.h"
#include "tracer/checks/access.h"
#include "tracer/checks/check.h"
#include "tracer/trace/item_words.h"

namespace twiddle {
namespace {

class SameIndexCheck : public Check {
 public:
  explicit SameIndexCheck(const TraceInfo& info) : info_(info) {}

  void operation(const Operation& op, Findings& findings) override {
    // Of a packed real transform bin 0 is its own mirror image.
    if (op.kind != OperationKind::Butterfly || op.shape == Shape::Pack) return;
    for (int i = 1; i < op.reads.size(); ++i)
      for (int j = 0; j < i; ++j)
        if (op.reads[i].buffer == op.reads[j].buffer && op.reads[i].index == op.reads[j].index)
          return report(op, op.reads[i], findings);
  }

 private:
  void report(const Operation& op, const Access& access, Findings& findings) {
    if (findings.count_repeat(place_of(FindingClass::WrongPartner, op, access), op.item)) return;
    findings.add(finding_at(FindingClass::WrongPartner, info_, op, access,
                            Message("{} merges {} with itself: the indices of its two inputs are the same",
                                    item_name(info_, op.item), element_text(info_, access)),
                            Message("Look at the distance between the two: it is 0 here.")));
  }

  const TraceInfo& info_;
};

}  // namespace

std::unique_ptr<Check> make_same_index_check(const TraceInfo& info) { return std::make_unique<SameIndexCheck>(info); }

}  // namespace twiddle
