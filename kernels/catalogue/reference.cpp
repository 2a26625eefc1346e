#include "kernels/catalogue/reference.h"

#include "base/error.h"
#include "kernels/catalogue/reference_forms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace twiddle {
namespace {

using Transform = Expect::Transform;
using Complex = std::complex<double>;
using Vector = std::vector<Complex>;

// Component `which` of a buffer's components taken as one sequence.
const std::byte* component_at(const Buffer& buffer, std::span<const std::byte> bytes, std::uint64_t which,
                              int& in_element) {
  const ElementTraits& make = traits(buffer.type);
  const auto components = static_cast<std::uint64_t>(make.components);
  in_element = static_cast<int>(which % components);
  return bytes.data() + which / components * make.bytes;
}

void read(Complex& value, const Buffer& buffer, std::span<const std::byte> bytes, std::uint64_t which, bool imaginary) {
  int part = 0;
  const std::byte* element = component_at(buffer, bytes, which, part);
  const double number = component(buffer.type, element, part);
  value = imaginary ? Complex(value.real(), number) : Complex(number, value.imag());
}
void read(Whole& value, const Buffer& buffer, std::span<const std::byte> bytes, std::uint64_t which, bool imaginary) {
  int part = 0;
  const std::byte* element = component_at(buffer, bytes, which, part);
  (imaginary ? value.im : value.re) = whole_component(buffer.type, element, part);
}

template <typename T>
std::vector<T> gather(const Plan& plan, const PointMap& map, std::uint64_t batch, std::span<const std::byte> bytes,
                      std::span<const std::byte> imaginary) {
  const Buffer& buffer = plan.buffers[map.buffer];
  std::vector<T> points(batch * map.length());
  for (std::uint64_t t = 0, at = 0; t < batch; ++t)
    for (std::uint64_t i = 0; i < map.length(); ++i, ++at) {
      const std::uint64_t first = map.point(t, i) * static_cast<std::uint64_t>(map.grain);
      read(points[at], buffer, bytes, first, false);
      if (map.grain == 2) read(points[at], buffer, bytes, first + 1, true);
      if (map.imaginary != PointMap::none) read(points[at], plan.buffers[map.imaginary], imaginary, first, true);
    }
  return points;
}

template <typename T>
std::vector<T> all_of(const Plan& plan, std::size_t buffer, std::span<const std::byte> bytes) {
  PointMap map;
  map.buffer = buffer;
  const ElementTraits& make = traits(plan.buffers[buffer].type);
  map.grain = make.components == 2 ? 2 : 1;
  map.columns = plan.buffers[buffer].count * static_cast<std::uint64_t>(make.components / map.grain);
  return map.columns == 0 ? std::vector<T>{} : gather<T>(plan, map, 1, bytes, {});
}

template <typename T>
std::vector<T> form_of(const Form<T>& form) {
  std::vector<T> out;
  if (sums_form(form, out) || order_form(form, out)) return out;
  if constexpr (std::is_same_v<T, Complex>) {
    if (is_fourier_form(form.expect.transform)) return fourier_form(form);
  } else {
    if (form.expect.transform == Transform::Ntt) return ntt_form(form);
  }
  throw usage_error("{} cannot be computed of these numbers", traits(form.expect.transform).name);
}

// `scale` of an ntt is a residue, and done there.
void scale_by(Vector& values, const Expect& expect) {
  if (expect.scale != 1)
    for (Complex& value : values) value *= expect.scale;
}
void scale_by(std::vector<Whole>& values, const Expect& expect) {
  if (expect.scale == 1 || expect.transform == Transform::Ntt) return;
  for (Whole& value : values) value = value * Whole{static_cast<Int128>(expect.scale), 0};
}

template <typename T>
std::vector<T> reference_of(const Expect& expect, const ExpectShape& shape, std::span<const T> input,
                            std::span<const T> operand) {
  const std::uint64_t given = shape.from.length(), wanted = shape.to.length();
  std::vector<T> all;
  all.reserve(shape.batch * wanted);
  for (std::uint64_t t = 0; t < shape.batch; ++t) {
    std::span<const T> x =
        input.subspan(std::min<std::size_t>(input.size(), t * given), std::min<std::size_t>(given, input.size()));
    std::vector<T> padded;
    if (x.size() < shape.points && !input.empty()) {
      padded.assign(x.begin(), x.end());
      padded.resize(shape.points);
      x = padded;
    }
    std::vector<T> out = form_of(Form<T>{expect, shape, x, operand, t});
    if (traits(expect.transform).plane && shape.to.columns < shape.columns && shape.to.rows == shape.rows) {
      for (std::uint64_t i = 0; i < wanted; ++i)  // the first columns of each row
        all.push_back(out[i / shape.to.columns * shape.columns + i % shape.to.columns]);
      continue;
    }
    if (out.size() < wanted)
      throw usage_error("{} of {} points has {} results, and {} are expected", traits(expect.transform).name,
                        shape.points, out.size(), wanted);
    all.insert(all.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(wanted));
  }
  scale_by(all, expect);
  return all;
}

double norm_of(const Vector& values) {
  double sum = 0;
  for (const Complex& value : values) sum += std::norm(value);
  return std::sqrt(sum);
}

// Both outcomes of an expectation.
struct Compared {
  ExpectShape shape;
  Vector out, wanted;
  bool exact = false;         // whole numbers: `wanted` is what the output's type holds of them
  double size = 0;            // what errors are measured against
  std::vector<bool> differs;  // of whole numbers, which doubles may not tell apart
};

// The part of a whole number that an integer type of so many bits keeps.
Int128 wrapped_to(ElementType type, Int128 value) {
  const auto bits = static_cast<int>(8 * component_bytes_of(type));
  const Int128 span = Int128(1) << bits;
  Int128 rest = value % span;
  if (rest < 0) rest += span;
  return is_signed(type) && rest >= span / 2 ? rest - span : rest;
}

struct Operands {
  std::vector<std::byte> in, in_imaginary, out, out_imaginary, operand;
};

Operands contents_of(const Plan& plan, const ExpectShape& shape, const RunContents& contents) {
  const auto bytes = [&](std::size_t buffer, const auto& which) {
    if (buffer == PointMap::none) return std::vector<std::byte>{};
    std::vector<std::byte> content = which(buffer);
    const Buffer& one = plan.buffers[buffer];
    if (content.size() != one.count * traits(one.type).bytes)
      throw usage_error("verify was given {} bytes, which are not the content of {}", content.size(), one.name);
    return content;
  };
  const auto& before = plan.expect.transform == Transform::Equals ? contents.last : contents.first;
  return {bytes(shape.from.buffer, before), bytes(shape.from.imaginary, before), bytes(shape.to.buffer, contents.last),
          bytes(shape.to.imaginary, contents.last), bytes(shape.operand, contents.first)};
}

Compared compared(const Plan& plan, const RunContents& contents) {
  const Expect& expect = plan.expect;
  Compared both;
  both.shape = shape_of_expectation(plan);
  const ExpectShape& shape = both.shape;
  const Operands bytes = contents_of(plan, shape, contents);
  const Buffer& out = plan.buffers[shape.to.buffer];
  const bool has_input = shape.from.buffer != PointMap::none;
  const bool whole_in = !has_input || !traits(plan.buffers[shape.from.buffer].type).floating;
  const bool whole_operand = shape.operand == PointMap::none || !traits(plan.buffers[shape.operand].type).floating;
  both.exact = !traits(out.type).floating && whole_in && whole_operand && expect.scale == std::trunc(expect.scale) &&
               !is_fourier_form(expect.transform);
  both.out = gather<Complex>(plan, shape.to, shape.batch, bytes.out, bytes.out_imaginary);
  if (both.exact) {
    std::vector<Whole> x, operand;
    if (has_input) x = gather<Whole>(plan, shape.from, shape.batch, bytes.in, bytes.in_imaginary);
    if (shape.operand != PointMap::none) operand = all_of<Whole>(plan, shape.operand, bytes.operand);
    const std::vector<Whole> got = gather<Whole>(plan, shape.to, shape.batch, bytes.out, bytes.out_imaginary);
    std::vector<Whole> wanted = reference(expect, shape, std::span<const Whole>(x), operand);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const bool complex = shape.to.grain == 2 || shape.to.imaginary != PointMap::none;
      const Whole value{wrapped_to(out.type, wanted[i].re), complex ? wrapped_to(out.type, wanted[i].im) : 0};
      both.differs.push_back(!(value == got[i]));
      both.wanted.emplace_back(static_cast<double>(value.re), static_cast<double>(value.im));
    }
    return both;
  }
  Vector x, operand;
  if (has_input) x = gather<Complex>(plan, shape.from, shape.batch, bytes.in, bytes.in_imaginary);
  operand = operand_of(plan, shape, bytes.operand);
  both.wanted = reference(expect, shape, std::span<const Complex>(x), operand);
  if (shape.to.grain == 1 && shape.to.imaginary == PointMap::none)
    for (Complex& value : both.wanted) value = value.real();
  both.size = norm_of(both.wanted);
  if (traits(expect.transform).adds) {
    // Sums that vanish leave what rounding makes of them.
    const auto magnitudes = [](Vector values) {
      for (Complex& value : values) value = {std::abs(value.real()), std::abs(value.imag())};
      return values;
    };
    Expect absolute = expect;
    absolute.scale = std::abs(expect.scale);
    absolute.exclusive = false;  // an element's own value is part of what it is rounded with
    const bool taps = expect.transform == Transform::Convolution;
    both.size = norm_of(
        reference(absolute, shape, std::span<const Complex>(magnitudes(x)), taps ? magnitudes(operand) : operand));
  }
  if (!traits(out.type).floating) both.size = 0;
  return both;
}

std::string text_of(const Complex& value, bool real) {
  return real ? fmt::format("{}", value.real()) : fmt::format("({}, {})", value.real(), value.imag());
}

// What differs most, or of whole numbers first.
std::string difference(const Plan& plan, const Compared& both, std::size_t at) {
  const bool real = both.shape.to.grain == 1 && both.shape.to.imaginary == PointMap::none;
  const std::string got = text_of(both.out[at], real), wanted = text_of(both.wanted[at], real);
  if (plan.expect.transform == Transform::Sum && both.shape.batch == 1)
    return fmt::format("the sum is {}, the reference says {}", got, wanted);
  if (plan.expect.transform == Transform::Histogram)
    return fmt::format("bin {} holds {}, the reference counts {}", at, got, wanted);
  const std::uint64_t length = both.shape.to.length();
  return fmt::format("element {} is {}, the reference says {}", both.shape.to.element(at / length, at % length), got,
                     wanted);
}

Verdict verdict_of(const Plan& plan, const Compared& both) {
  double error = 0, largest = -1;
  std::size_t worst = 0;
  std::uint64_t differ = 0;
  for (std::size_t k = 0; k < both.out.size(); ++k) {
    const double apart = both.exact ? (both.differs[k] ? 1.0 : 0.0) : std::norm(both.out[k] - both.wanted[k]);
    error += apart;
    differ += apart == 0 ? 0 : 1;
    if (!(apart <= largest)) largest = apart, worst = k;
  }
  Verdict verdict;
  if (both.size == 0) verdict.differ = differ;
  verdict.elements = both.out.size();
  verdict.bound = plan.expect.bound;
  verdict.relative_l2 = differ == 0 ? 0 : std::sqrt(error) / both.size;
  if (!std::isfinite(verdict.relative_l2)) verdict.relative_l2 = std::numeric_limits<double>::infinity();
  verdict.pass = verdict.relative_l2 <= verdict.bound;
  verdict.reason = verdict.pass ? plan.expect.bound_reason : difference(plan, both, worst);
  return verdict;
}

// How many times larger all of `out` is than the reference, when that is about `points`; else 1.
double common_factor(const Vector& out, const Vector& reference, std::uint64_t points) {
  Complex along = 0;
  double size = 0, length = 0;
  for (std::size_t k = 0; k < out.size(); ++k) {
    along += out[k] * std::conj(reference[k]);
    size += std::norm(reference[k]);
    length += std::norm(out[k]);
  }
  if (size == 0 || points < 2 || !std::isfinite(length)) return 1;
  const Complex factor = along / size;
  const double rest = length - std::norm(factor) * size;  // ‖out − factor·reference‖²
  const bool about = std::abs(factor - static_cast<double>(points)) < 0.01 * static_cast<double>(points);
  return about && rest < 1e-4 * length ? factor.real() : 1;
}

// Of a run that fails. A result is wrong when its error alone is several times what the bound leaves each on average; where only
// their sum is over the bound, the worst stands for all.
std::vector<std::size_t> wrong_results(const Plan& plan, const Compared& both) {
  const double room = 4 * plan.expect.bound * both.size / std::sqrt(static_cast<double>(both.wanted.size()));
  std::vector<std::size_t> wrong;
  std::size_t worst = 0;
  double largest = -1;
  for (std::size_t k = 0; k < both.out.size(); ++k) {
    const double error = both.exact ? (both.differs[k] ? 1.0 : 0.0) : std::abs(both.out[k] - both.wanted[k]);
    if (!(error <= room)) wrong.push_back(k);
    if (error > largest) largest = error, worst = k;
  }
  if (wrong.empty()) wrong.push_back(worst);
  return wrong;
}

// Where a result is.
PlanElement element_of(const Compared& both, std::size_t result) {
  const ExpectShape& shape = both.shape;
  PlanElement at{shape.to.buffer, shape.to.element(result / shape.to.length(), result % shape.to.length())};
  const Complex apart = both.out[result] - both.wanted[result];
  if (std::abs(apart.imag()) > std::abs(apart.real())) {
    // Of split arrays the one that is further off.
    if (shape.to.imaginary != PointMap::none) at.buffer = shape.to.imaginary;
    // Of a point that is two elements the second, where that is further off.
    if (shape.to.grain == 2 && shape.to.element_components == 1) ++at.element;
  }
  return at;
}

// The contents where one input and one output are all there is.
RunContents contents_of(const Plan& plan, std::span<const std::byte> input, std::span<const std::byte> output) {
  const auto only = [&plan](const std::string& name, std::span<const std::byte> bytes) {
    return [&plan, &name, bytes](std::size_t buffer) {
      if (plan.buffers[buffer].name != name)
        throw usage_error("the plan expects something of buffer {}, whose content is not known",
                          plan.buffers[buffer].name);
      return std::vector<std::byte>(bytes.begin(), bytes.end());
    };
  };
  return {only(plan.expect.input, input), only(plan.expect.output, output)};
}

}  // namespace

std::vector<Complex> reference(const Expect& expect, const ExpectShape& shape, std::span<const Complex> input,
                               std::span<const Complex> operand) {
  return reference_of<Complex>(expect, shape, input, operand);
}

std::vector<Whole> reference(const Expect& expect, const ExpectShape& shape, std::span<const Whole> input,
                             std::span<const Whole> operand) {
  return reference_of<Whole>(expect, shape, input, operand);
}

std::vector<Complex> points_of(const Plan& plan, const PointMap& map, std::uint64_t batch,
                               std::span<const std::byte> bytes, std::span<const std::byte> imaginary) {
  return gather<Complex>(plan, map, batch, bytes, imaginary);
}

std::vector<Complex> operand_of(const Plan& plan, const ExpectShape& shape, std::span<const std::byte> bytes) {
  return shape.operand == PointMap::none ? std::vector<Complex>{} : all_of<Complex>(plan, shape.operand, bytes);
}

Verdict verify(const Plan& plan, const RunContents& contents) { return verdict_of(plan, compared(plan, contents)); }

Outcome compare(const Plan& plan, const RunContents& contents) {
  const Compared both = compared(plan, contents);
  Outcome outcome;
  outcome.pass = verdict_of(plan, both).pass;
  outcome.elements = both.out.size();
  outcome.buffer = both.shape.to.buffer;
  if (outcome.pass || both.out.empty()) return outcome;
  const std::vector<std::size_t> wrong = wrong_results(plan, both);
  outcome.wrong = wrong.size();
  outcome.got = both.out[wrong.front()];
  outcome.wanted = both.wanted[wrong.front()];
  const PlanElement first = element_of(both, wrong.front());
  outcome.buffer = first.buffer, outcome.element = first.element;
  if (traits(plan.expect.transform).fourier) outcome.scale = common_factor(both.out, both.wanted, both.shape.points);
  return outcome;
}

std::vector<PlanElement> wrong_elements(const Plan& plan, const RunContents& contents) {
  const Compared both = compared(plan, contents);
  std::vector<PlanElement> elements;
  if (both.out.empty() || verdict_of(plan, both).pass) return elements;
  for (const std::size_t result : wrong_results(plan, both)) elements.push_back(element_of(both, result));
  return elements;
}

Verdict verify(const Plan& plan, std::span<const std::byte> input, std::span<const std::byte> output) {
  return verify(plan, contents_of(plan, input, output));
}

Outcome compare(const Plan& plan, std::span<const std::byte> input, std::span<const std::byte> output) {
  return compare(plan, contents_of(plan, input, output));
}

}  // namespace twiddle
