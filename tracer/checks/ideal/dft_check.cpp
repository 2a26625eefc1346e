// The ideal of a transform by its definition: X[k] gathers x[j]·w_N^(jk), each j once.
#include "base/message.h"
#include "tracer/checks/access.h"
#include "tracer/checks/check.h"
#include "tracer/checks/complex_value.h"
#include "tracer/trace/item_words.h"
#include "tracer/trace/memory/pairs.h"

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

class DftCheck : public Check {
 public:
  DftCheck(const TraceInfo& info, int input, int output)
      : info_(info), input_(input), output_(output), points_(info.buffers[input].count), gathered_(points_) {}

  void begin_launch(const LaunchInfo&) override { open_ = false; }

  void operation(const Operation& op, Findings& findings) override {
    if (op.kind == OperationKind::Barrier) return;
    if (open_ && (op.item != first_.item || op.kind != OperationKind::Term || op.target.index != first_.target.index))
      close(findings);
    if (op.kind != OperationKind::Term || op.reads[0].buffer != input_ || op.target.buffer != output_) return;
    if (!open_) {
      std::fill(gathered_.begin(), gathered_.end(), false);
      terms_ = 0;
      first_ = op;
    }
    open_ = true;
    term(op, findings);
  }

  void end_launch(const LaunchInfo&, Findings& findings) override {
    if (open_ && info_.complete) close(findings);
    open_ = false;
  }

 private:
  void term(const Operation& op, Findings& findings) {
    const Access& read = op.reads[0];
    const std::uint64_t j = read.index, k = op.target.index;
    if (j >= points_) return;  // bounds_check reports it
    if (gathered_[j]) {
      if (!findings.count_repeat(place_of(FindingClass::DuplicateOperation, op, read), op.item))
        report(FindingClass::DuplicateOperation, op,
               Message("{} adds {} to the sum for {} once more", item_name(info_, op.item), element_text(info_, read),
                       element_text(info_, op.target)),
               Message("Let the loop take each point once."), findings);
    } else {
      gathered_[j] = true;
      ++terms_;
    }
    const std::complex<double> logged = complex_of(op.coefficients[0]);
    const std::complex<double> wanted = root_of_unity(j * k % points_, points_, info_.expect.sign);
    // The angle of a term is not reduced to half a turn in every right kernel, so that it may be a few roundings off.
    if (std::abs(logged - wanted) <= 2 * twiddle_tolerance(op.coefficients[0].type)) return;
    if (findings.count_repeat(place_of(FindingClass::WrongTwiddle, op, read), op.item)) return;
    const bool conjugate = std::abs(logged - std::conj(wanted)) <= 2 * twiddle_tolerance(op.coefficients[0].type);
    const Compared compared = compared_texts(logged, wanted, op.coefficients[0].type);
    report(FindingClass::WrongTwiddle, op,
           Message("{} multiplies {} by {} where w_{}^{} = {} belongs{}", item_name(info_, op.item),
                   element_text(info_, read), compared.is, points_, j * k % points_, compared.wanted,
                   conjugate ? Message(": it is the conjugate, so the sign of the exponent is wrong") : Message()),
           Message("Take w_N^(jk) for term j of bin k, with jk reduced modulo N in integers."), findings);
  }

  // A sum is complete: has it all its terms?
  void close(Findings& findings) {
    open_ = false;
    if (terms_ == points_) return;
    const auto missing = std::find(gathered_.begin(), gathered_.end(), false) - gathered_.begin();
    if (findings.count_repeat(place_of(FindingClass::MissingOperation, first_, first_.target), first_.item)) return;
    report(FindingClass::MissingOperation, first_,
           Message("the sum for {} has {} of {} terms: x[{}] is missing", element_text(info_, first_.target), terms_,
                   points_, missing),
           Message("Let the loop take each point once."), findings);
  }

  void report(FindingClass kind, const Operation& op, Message message, Message advice, Findings& findings) {
    const Access& access = kind == FindingClass::MissingOperation ? op.target : op.reads[0];
    findings.add(finding_at(kind, info_, op, access, std::move(message), std::move(advice)));
  }

  const TraceInfo& info_;
  const int input_, output_;
  const std::uint64_t points_;
  std::vector<bool> gathered_;  // which points the open sum has
  std::uint64_t terms_ = 0;
  bool open_ = false;
  Operation first_;  // term of the open sum
};

}  // namespace

/// Only where a plan expects one transform of all of its input; filters leave holes.
std::unique_ptr<Check> make_dft_check(const TraceInfo& info) {
  const TransformTraits& transform = traits(info.expect.transform);
  if (!transform.fourier || transform.plane || !info.filter.empty()) return nullptr;
  const auto [input, output, plain] = expected_buffers(info);
  if (!plain || input < 0 || output < 0) return nullptr;
  const std::uint64_t points = info.buffers[input].count;
  if (points == 0 || (info.expect.points != 0 && info.expect.points != points)) return nullptr;
  return std::make_unique<DftCheck>(info, input, output);
}

}  // namespace twiddle
