#include "viewer/graphs/logged_arithmetic.h"

#include "base/error.h"
#include "kernels/catalogue/reference.h"
#include "tracer/checks/complex_value.h"
#include "tracer/replay/plan_of.h"
#include "viewer/graphs/linear_map.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

namespace twiddle {
namespace {

using Number = std::complex<double>;
using Arithmetic = LoggedArithmetic;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
const Number not_evaluated{not_a_number, not_a_number};

/// As far as a float sum of a few terms may be off.
bool near(Number a, Number b, double size) { return std::abs(a - b) <= 1e-4 * size + 1e-30; }

/// Whether the arithmetic is done in this type here.
bool takes(ElementType type) { return type <= ElementType::Double2; }

double part_as(ElementType scalar, double value) {
  if (std::isnan(value)) return value;
  switch (scalar) {
    case ElementType::Float: return static_cast<double>(static_cast<float>(value));
    // Whole numbers wrap as 32 bits do.
    case ElementType::Int:
    case ElementType::UInt: {
      const double turn = 4294967296.0;
      double whole = std::fmod(std::round(value), turn);
      if (whole < 0) whole += turn;
      return scalar == ElementType::Int && whole >= turn / 2 ? whole - turn : whole;
    }
    default: return value;
  }
}

Number as_type(ElementType type, Number value) {
  const ElementTraits& of = traits(type);
  return {part_as(of.scalar, value.real()), of.components > 1 ? part_as(of.scalar, value.imag()) : 0};
}

void put_bytes(ElementType type, Number value, std::byte* to) {
  const ElementTraits& of = traits(type);
  const std::size_t size = of.bytes / static_cast<std::size_t>(of.components);
  for (int c = 0; c < of.components; ++c, to += size) {
    const double part = c == 0 ? value.real() : value.imag();
    const auto put = [&](auto number) { std::memcpy(to, &number, sizeof number); };
    switch (of.scalar) {
      case ElementType::Int: put(static_cast<std::int32_t>(part)); break;
      case ElementType::UInt: put(static_cast<std::uint32_t>(part)); break;
      case ElementType::Float: put(static_cast<float>(part)); break;
      default: put(part); break;
    }
  }
}

class Reader {
 public:
  Reader(Document& document, int input) : document_(document), info_(document.info()), input_(input) {}

  std::optional<Arithmetic> read() {
    if (input_ < 0 || static_cast<std::size_t>(input_) >= info_.buffers.size()) return {};
    const BufferInfo& samples = info_.buffers[static_cast<std::size_t>(input_)];
    if (samples.count > Arithmetic::max_samples || info_.steps > Arithmetic::max_steps || info_.steps == 0) return {};
    if (!info_.complete || !info_.filter.empty()) return {};
    for (std::uint64_t i = 0; i < samples.count; ++i) {
      const std::optional<int> cell = cell_of(input_, i, 0);
      if (!cell) return {};
      arithmetic_.samples.push_back(*cell);
    }
    find_forms();
    for (std::uint64_t step = 1; step <= info_.steps; ++step)
      if (!add(document_.replay->operation(step))) return {};
    return std::move(arithmetic_);
  }

 private:
  std::optional<int> cell_of(int buffer, std::uint64_t index, std::uint64_t group) {
    const BufferInfo* of = info_.buffer(buffer);
    if (!of || !takes(of->type)) return {};
    const std::uint64_t place = group * of->count + index;
    const auto [found, fresh] = cell_numbers_.try_emplace({buffer, place}, static_cast<int>(arithmetic_.cells.size()));
    if (fresh) {
      Value value;
      value.type = of->type;
      Arithmetic::Cell cell{buffer, place};
      cell.known = document_.replay->state_after(-1)->read(buffer, group, index,
                                                           std::span(value.bits).first(traits(of->type).bytes));
      if (cell.known) cell.first = complex_of(value);
      arithmetic_.cells.push_back(cell);
    }
    return found->second;
  }

  std::optional<int> cell_of(const Access& access, const Operation& op) {
    const BufferInfo* of = info_.buffer(access.buffer);
    const LaunchInfo* launch = info_.launch(op.launch);
    if (!of || !launch) return {};
    return cell_of(access.buffer, access.index, of->space == Space::Local ? launch->group_of(op.item) : 0);
  }

  /// False: of this trace nothing can be said.
  bool add(const Operation& op) {
    Arithmetic::Step step;
    for (const auto& [accesses, cells] : {std::pair{&op.reads, &step.reads}, {&op.writes, &step.writes}})
      for (const Access& access : *accesses) {
        const std::optional<int> cell = cell_of(access, op);
        if (!cell || !access.known) return false;
        cells->push_back(*cell);
      }
    explain(op, step);
    arithmetic_.steps.push_back(std::move(step));
    return true;
  }

  /// Of the forms that fit one that fits all operations of its line.
  std::optional<LinearMap> map_of(const Operation& op) {
    const std::vector<LinearMap> maps = linear_maps(op);
    if (maps.size() < 2) return maps.empty() ? std::nullopt : std::optional(maps.front());
    const auto found = forms_.find(op.line);
    for (const LinearMap& map : maps)
      if (found != forms_.end() && (found->second >> map.form & 1) != 0) return map;
    return maps.front();
  }

  /// By line: the forms that fit all its operations, as bits.
  void find_forms() {
    for (std::uint64_t step = 1; step <= info_.steps; ++step) {
      const Operation op = document_.replay->operation(step);
      unsigned fits = 0;
      for (const LinearMap& map : linear_maps(op)) fits |= 1u << map.form;
      const auto [known, fresh] = forms_.try_emplace(op.line, fits);
      if (!fresh) known->second &= fits;
    }
  }

  void explain(const Operation& op, Arithmetic::Step& step) {
    using Form = Arithmetic::Form;
    if (op.kind == OperationKind::Term && op.reads.size() == 1 && op.coefficients.size() == 2) {
      const std::optional<int> target = cell_of(op.target, op);
      if (!target) return;
      step.form = Form::Term, step.target = *target;
      step.factors = {complex_of(op.coefficients[0])};
      step.before = complex_of(op.coefficients[1]);
      const Number x = complex_of(op.reads[0].value);
      sums_[*target] = {step.before + step.factors[0] * x, std::abs(step.before) + std::abs(step.factors[0] * x)};
    } else if (op.writes.empty()) {
      step.form = Form::Nothing;
    } else if (op.kind == OperationKind::Store && op.writes.size() == 1) {
      const auto sum = sums_.find(step.writes[0]);
      if (sum != sums_.end() && near(sum->second.first, complex_of(op.writes[0].value), sum->second.second))
        step.form = Form::Stored, step.target = step.writes[0];
      else if (sum == sums_.end() && op.reads.empty())
        step.form = Form::Constant, step.before = complex_of(op.writes[0].value);
    } else if (const std::optional<LinearMap> map = map_of(op)) {
      step.form = Form::Linear;
      for (int k = 0; k < map->writes; ++k)
        for (int r = 0; r < map->reads; ++r)
          step.factors.push_back(map->factor[static_cast<std::size_t>(k)][static_cast<std::size_t>(r)]);
    }
  }

  Document& document_;
  const TraceInfo& info_;
  int input_;
  Arithmetic arithmetic_;
  std::map<std::pair<int, std::uint64_t>, int> cell_numbers_;
  std::map<int, unsigned> forms_;
  std::map<int, std::pair<Number, double>> sums_;  // of terms, by their target: and of their magnitudes
};

/// Whether other samples lead where the expectation says.
bool holds_for(const Arithmetic& arithmetic, Document& document, int input, const std::vector<Number>& samples) {
  const TraceInfo& info = document.info();
  const std::vector<Number> last = arithmetic.evaluate(info, samples);
  const auto written = [&](std::size_t buffer, std::vector<std::byte> bytes, const std::vector<Number>& values) {
    const ElementType type = info.buffers[buffer].type;
    for (std::size_t c = 0; c < arithmetic.cells.size(); ++c) {
      const Arithmetic::Cell& cell = arithmetic.cells[c];
      if (cell.buffer == static_cast<int>(buffer) && (cell.index + 1) * traits(type).bytes <= bytes.size())
        put_bytes(type, values[c], bytes.data() + cell.index * traits(type).bytes);
    }
    return bytes;
  };
  for (std::size_t c = 0; c < last.size(); ++c)
    if (std::isnan(last[c].real()) &&
        info.buffers[static_cast<std::size_t>(arithmetic.cells[c].buffer)].name == info.expect.output)
      return false;
  RunContents contents;
  contents.first = [&](std::size_t buffer) {
    std::vector<std::byte> bytes = document.trace->first_content(static_cast<int>(buffer));
    const ElementType type = info.buffers[buffer].type;
    for (std::size_t j = 0; static_cast<int>(buffer) == input && j < samples.size(); ++j)
      put_bytes(type, samples[j], bytes.data() + j * traits(type).bytes);
    return bytes;
  };
  contents.last = [&](std::size_t buffer) {
    return written(
        buffer,
        document.replay->state_after(static_cast<int>(info.segments.size()) - 1)->bytes(static_cast<int>(buffer)),
        last);
  };
  try {
    return compare(plan_of(info), contents).pass;
  } catch (const Error&) { return false; }
}

}  // namespace

std::vector<LoggedArithmetic::Complex> LoggedArithmetic::evaluate(const TraceInfo& info,
                                                                  const std::vector<Complex>& at_hand) const {
  const auto type_of = [&](int cell) {
    return info.buffers[static_cast<std::size_t>(cells[static_cast<std::size_t>(cell)].buffer)].type;
  };
  std::vector<Complex> now(cells.size(), not_evaluated);
  for (std::size_t c = 0; c < cells.size(); ++c)
    if (cells[c].known) now[c] = cells[c].first;
  for (std::size_t j = 0; j < std::min(samples.size(), at_hand.size()); ++j)
    now[static_cast<std::size_t>(samples[j])] = as_type(type_of(samples[j]), at_hand[j]);
  std::map<int, Complex> sums;
  std::vector<Complex> in, out;
  for (const Step& step : steps) {
    in.clear();
    for (const int cell : step.reads) in.push_back(now[static_cast<std::size_t>(cell)]);
    out.assign(step.writes.size(), not_evaluated);
    switch (step.form) {
      case Form::Linear:
        for (std::size_t k = 0; k < out.size(); ++k) {
          Complex sum = 0;
          for (std::size_t r = 0; r < in.size(); ++r) sum += step.factors[k * in.size() + r] * in[r];
          out[k] = sum;
        }
        break;
      case Form::Term: {
        const auto sum = sums.try_emplace(step.target, step.before).first;
        sum->second = as_type(type_of(step.target), sum->second + step.factors[0] * in[0]);
        break;
      }
      case Form::Stored:
        if (const auto sum = sums.find(step.target); sum != sums.end()) out[0] = sum->second;
        break;
      case Form::Constant: std::fill(out.begin(), out.end(), step.before); break;
      case Form::Unknown:
      case Form::Nothing: break;
    }
    for (std::size_t k = 0; k < out.size(); ++k)
      now[static_cast<std::size_t>(step.writes[k])] = as_type(type_of(step.writes[k]), out[k]);
  }
  return now;
}

std::optional<LoggedArithmetic> logged_arithmetic(Document& document, int input) {
  std::optional<Arithmetic> arithmetic = Reader(document, input).read();
  if (!arithmetic) return {};
  // Two other signals. What is dragged is the real part.
  const bool floating = traits(document.info().buffers[static_cast<std::size_t>(input)].type).floating;
  for (const int seed : {1, 2}) {
    std::vector<Number> samples;
    for (std::size_t j = 0; j < arithmetic->samples.size(); ++j) {
      const Number was = arithmetic->cells[static_cast<std::size_t>(arithmetic->samples[j])].first;
      const double x = std::sin(static_cast<double>((j + 1) * (j + static_cast<std::size_t>(2 * seed + 1))));
      samples.emplace_back(floating ? x : std::round(4 + 4 * x), was.imag());
    }
    if (!holds_for(*arithmetic, document, input, samples)) return {};
  }
  return arithmetic;
}

}  // namespace twiddle
