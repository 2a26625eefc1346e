// What was written against what the operation makes of what it read: a + w·b and a − w·b for a butterfly, a + b for a
// combine, and so on. This needs no idea of the algorithm; trace lines say what each operation means.
#include "base/message.h"
#include "tracer/checks/access.h"
#include "tracer/checks/check.h"
#include "tracer/checks/complex_value.h"
#include "tracer/trace/item_words.h"
#include "tracer/trace/number_text.h"

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

using Complex = std::complex<double>;

class ArithmeticCheck : public Check {
 public:
  explicit ArithmeticCheck(const TraceInfo& info) : info_(info) {
    if (traits(info.expect.transform).fourier) sign_ = info.expect.sign;
  }

  void begin_launch(const LaunchInfo& launch) override {
    chain_ = {};
    lifted_ = launch.accesses.lifted;
  }

  void operation(const Operation& op, Findings& findings) override {
    switch (op.kind) {
      case OperationKind::Butterfly:
        if (op.shape == Shape::Pack)
          pack(op, findings);
        else if (legs_of(op.shape).radix > 0)
          legs(op, findings);
        else
          butterfly(op, findings);
        break;
      case OperationKind::Combine: combine(op, findings); break;
      case OperationKind::Swap: swap(op, findings); break;
      case OperationKind::Move: move(op, findings); break;
      case OperationKind::Scale: scale(op, findings); break;
      case OperationKind::Term: term(op, findings); break;
      case OperationKind::Store: store(op, findings); break;
      case OperationKind::Atomic:
      case OperationKind::Barrier:
      case OperationKind::Load: break;
    }
  }

 private:
  /// Of what is written, relative to the terms' magnitudes. What an operation is was found in the values themselves where nothing
  /// else says it, within what lifting allows.
  double tolerance(ElementType type, std::uint64_t terms = 1) const {
    const double own = value_tolerance(type);
    if (!lifted_ || !traits(type).floating) return own;
    return std::max(own, (traits(type).wide ? 4e-12 : 8e-5) * (1 + std::sqrt(static_cast<double>(terms)) / 4));
  }

  /// Whether the write is what it should be; `size` is the sum of the terms' magnitudes. Reports it where it is not.
  bool right(const Operation& op, int write, Complex wanted, double size, const char* advice, Findings& findings,
             std::uint64_t terms = 1) {
    const Access& access = op.writes[write];
    const Complex logged = complex_of(access.value);
    if (logged == wanted || !std::isfinite(size)) return true;
    if (magnitude(logged - wanted) <= tolerance(access.value.type, terms) * size) return true;
    if (findings.count_repeat(place_of(FindingClass::WrongValue, op, access), op.item)) return false;
    const Message cause = untouched(op, write);
    Finding finding = finding_at(FindingClass::WrongValue, info_, op, access);
    const Compared compared = compared_texts(access.value, wanted);
    finding.message = Message("{} should leave {} = {}, but it holds {}{}", item_name(info_, op.item),
                              element_text(info_, access), compared.wanted, compared.is, cause);
    finding.advice = op.kind == OperationKind::Butterfly && op.shape != Shape::Pack && !cause.empty()
                         ? Message("Write all outputs of the butterfly.")
                         : Message::of(advice);
    finding.ideal = Ideal{{}, {}, wanted};
    finding.never_written = !cause.empty();
    findings.add(std::move(finding));
    return false;
  }

  /// ": this output was never written", when the element still holds what was read from it.
  static Message untouched(const Operation& op, int write) {
    if (op.kind == OperationKind::Store) return {};  // it says what it wrote, and nothing else
    for (const Access& read : op.reads)
      if (read.buffer == op.writes[write].buffer && read.index == op.writes[write].index)
        return read.value == op.writes[write].value ? Message(": this output was never written") : Message();
    return is_uninitialised(op.writes[write].value.bytes()) ? Message(": this output was never written") : Message();
  }

  void butterfly(const Operation& op, Findings& findings) {
    const int radix = op.reads.size();
    if (!op.reads[0].known || op.coefficients.size() != radix - 1) return;
    std::array<Complex, 4> x;
    double size = 0;
    for (int q = 0; q < radix; ++q) {
      auto& term = x[q];
      term = complex_of(op.reads[q].value);
      if (q > 0) term *= complex_of(op.coefficients[q - 1]);
      size += magnitude(term);
    }
    std::array<Complex, 4> wanted;
    if (radix == 2) {
      wanted[0] = x[0] + x[1], wanted[1] = x[0] - x[1];
    } else {
      const Complex even = x[0] + x[2], odd = x[0] - x[2], sum = x[1] + x[3], difference = x[1] - x[3];
      // Without an expectation the transform's direction is not known: take the way that fits.
      const auto turned = [&](int sign) { return Complex(-sign * difference.imag(), sign * difference.real()); };
      int sign = sign_;
      if (sign == 0) {
        const Complex logged = complex_of(op.writes[1].value);
        sign = magnitude(logged - (odd + turned(-1))) <= magnitude(logged - (odd + turned(1))) ? -1 : 1;
      }
      wanted = {even + sum, odd + turned(sign), even - sum, odd - turned(sign)};
    }
    for (int p = 0; p < op.writes.size(); ++p) {
      if (!right(op, p, wanted[p], size, translatable("Compare the line that computes this output with a ± w·b."),
                 findings))
        return;
    }
  }

  void legs(const Operation& op, Findings& findings) {
    const Legs legs = legs_of(op.shape);
    if (!op.reads[0].known || op.coefficients.size() != legs.radix) return;
    LegValues<double> x, w;
    double size = 0, factor = 0;
    for (int q = 0; q < legs.radix; ++q) {
      x[q] = complex_of(op.reads[q].value);
      w[q] = complex_of(op.coefficients[q]);
      factor = std::max(factor, magnitude(w[q]));
      size += magnitude(x[q]);
    }
    const LegValues<double> wanted = transformed(legs, x, w);
    for (int p = 0; p < legs.radix; ++p)
      if (!right(
              op, p, wanted[p], factor * size,
              translatable("Compare the line that computes this output with the transform of the butterfly's inputs."),
              findings))
        return;
  }

  /// The split of a packed real transform: with G = (a + b*)/2 and H = (a − b*)/(2i), the outputs are G ± w·H.
  void pack(const Operation& op, Findings& findings) {
    if (!op.reads[0].known) return;
    const Complex a = complex_of(op.reads[0].value), b = std::conj(complex_of(op.reads[1].value));
    const Complex even = 0.5 * (a + b), odd = Complex(0, -0.5) * (a - b), w = complex_of(op.coefficients[0]);
    for (int p = 0; p < op.writes.size(); ++p)
      if (!right(op, p, p == 0 ? even + w * odd : even - w * odd, magnitude(a) + magnitude(b),
                 translatable(
                     "With G = (Y(k) + Y*(N/2 − k))/2 and H = (Y(k) − Y*(N/2 − k))/(2i), the outputs are G ± w·H."),
                 findings))
        return;
  }

  void combine(const Operation& op, Findings& findings) {
    if (!op.reads[0].known) return;
    const ElementType type = op.writes[0].value.type;
    const Complex a = complex_of(op.reads[0].value), b = complex_of(op.reads[1].value);
    right(op, 0, wrapped(a + b, type), magnitude(a) + magnitude(b), sum_advice(), findings);
  }

  void swap(const Operation& op, Findings& findings) {
    if (!op.reads[0].known || (op.reads[0].value == op.writes[1].value && op.reads[1].value == op.writes[0].value))
      return;
    const int wrong = op.reads[1].value == op.writes[0].value ? 1 : 0;
    right(op, wrong, complex_of(op.reads[1 - wrong].value), 0,
          translatable("Keep the first value before it is overwritten, and store both."), findings);
  }

  void move(const Operation& op, Findings& findings) {
    if (!op.reads[0].known || op.reads[0].value == op.writes[0].value) return;
    right(
        op, 0, complex_of(op.reads[0].value), 0,
        translatable("Look for another index in the store, for another store to that place, or for a narrower type in "
                     "between."),
        findings);
  }

  void scale(const Operation& op, Findings& findings) {
    if (!op.reads[0].known) return;
    const Complex wanted = complex_of(op.reads[0].value) * complex_of(op.coefficients[0]);
    right(op, 0, wanted, magnitude(wanted), translatable("Look at what is multiplied, and where it is stored."),
          findings);
  }

  /// A sum that an item gathers term by term in a register.
  struct Chain {
    bool open = false;
    std::uint64_t item = 0, target = 0;  // whose sum, and the element it is for
    int buffer = -1, line = 0;
    Complex sum;      // as it should be after the latest term
    double size = 0;  // magnitudes of all that it was added from: what they round to stays where they cancel
    std::uint64_t terms = 0;
  };

  void term(const Operation& op, Findings& findings) {
    if (!op.reads[0].known) return;
    const Complex sum = complex_of(op.coefficients[1]);
    const Complex part = complex_of(op.coefficients[0]) * complex_of(op.reads[0].value);
    const bool goes_on =
        chain_.open && chain_.item == op.item && chain_.line == op.line && chain_.target == op.target.index;
    if (goes_on && differs(sum, op.coefficients[1].type) &&
        !findings.count_repeat(place_of(FindingClass::WrongValue, op, op.reads[0]), op.item)) {
      Finding finding = finding_at(FindingClass::WrongValue, info_, op, op.reads[0]);
      const Compared compared = compared_texts(op.coefficients[1], chain_.sum);
      finding.message = Message("{} goes on from a sum of {}, where its terms so far make {}",
                                item_name(info_, op.item), compared.is, compared.wanted);
      finding.advice = Message::of(sum_advice());
      findings.add(std::move(finding));
    }
    chain_.open = true;
    chain_.item = op.item;
    chain_.target = op.target.index;
    chain_.buffer = op.target.buffer;
    chain_.line = op.line;
    chain_.sum = wrapped(sum + part, op.coefficients[1].type);
    chain_.terms = goes_on ? chain_.terms + 1 : 1;
    chain_.size = magnitude(part) + (goes_on ? std::max(chain_.size, magnitude(sum)) : magnitude(sum));
  }

  void store(const Operation& op, Findings& findings) {
    const bool ends = chain_.open && chain_.item == op.item && op.writes[0].buffer == chain_.buffer &&
                      op.writes[0].index == chain_.target;
    if (ends && op.writes[0].known) right(op, 0, chain_.sum, chain_.size, sum_advice(), findings, chain_.terms);
    chain_.open = false;
  }

  bool differs(Complex sum, ElementType type) const {
    return sum != chain_.sum && std::isfinite(chain_.size) &&
           magnitude(sum - chain_.sum) > tolerance(type, chain_.terms) * chain_.size;
  }
  /// Integers wrap around at 2^32, each component by itself.
  static Complex wrapped(Complex sum, ElementType type) {
    const auto wrap = [&](double part) { return std::abs(part) < 9e18 ? twiddle::wrapped(type, part) : part; };
    return {wrap(sum.real()), wrap(sum.imag())};
  }

  static const char* sum_advice() { return translatable("Compare what is added with what the trace line names."); }

  const TraceInfo& info_;
  int sign_ = 0;  // of the exponent; 0: not known
  Chain chain_;
  bool lifted_ = false;  // the launch's operations are what its accesses show
};

}  // namespace

/// Without values there is nothing to compute with.
std::unique_ptr<Check> make_arithmetic_check(const TraceInfo& info) {
  return info.detail == Detail::Values ? std::make_unique<ArithmeticCheck>(info) : nullptr;
}

}  // namespace twiddle
