#include "tracer/bench/bench_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>

#include <unistd.h>

namespace twiddle {
namespace {

constexpr std::uint64_t bytes_per_point = 64;  // input, spectrum twice and roots, all in double precision

Verdict counted(const Plan& plan, const ExpectShape& shape, std::span<const std::byte> input,
                std::span<const std::byte> output) {
  const Buffer &values = plan.buffers[shape.from.buffer], &bins = plan.buffers[shape.to.buffer];
  const std::size_t width = traits(values.type).bytes;
  std::vector<std::uint64_t> wanted(bins.count);
  for (std::uint64_t i = 0; i < values.count; ++i) {
    const Int128 value = whole_component(values.type, input.data() + i * width, 0);
    ++wanted[static_cast<std::size_t>(std::clamp<Int128>(value, 0, static_cast<Int128>(bins.count - 1)))];
  }
  Verdict verdict;
  verdict.pass = true;
  for (std::uint64_t b = 0; b < bins.count; ++b)
    if (whole_component(bins.type, output.data() + b * traits(bins.type).bytes, 0) != Int128(wanted[b])) {
      verdict.pass = false;
      verdict.relative_l2 = std::numeric_limits<double>::infinity();
    }
  return verdict;
}

}  // namespace

std::uint64_t memory_of_machine() {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  std::uint64_t bytes =
      pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) : 0;
  // A container may have less.
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
    if (std::uint64_t limit = 0; std::ifstream(file) >> limit) bytes = std::min(bytes, limit);
  return bytes;
}

std::optional<Verdict> BenchReference::verify(const Plan& plan, std::span<const std::byte> input,
                                              std::span<const std::byte> output) {
  using Transform = Expect::Transform;
  const ExpectShape shape = shape_of_expectation(plan);
  const bool split = shape.from.imaginary != PointMap::none || shape.to.imaginary != PointMap::none;
  if (plan.expect.transform == Transform::Histogram && shape.batch == 1 && !split &&
      traits(plan.buffers[shape.from.buffer].type).components == 1)
    return counted(plan, shape, input, output);
  const bool fourier = plan.expect.transform == Transform::Fft || plan.expect.transform == Transform::InverseFft ||
                       plan.expect.transform == Transform::Fft2d || plan.expect.transform == Transform::InverseFft2d;
  const std::uint64_t points = plan.buffers[shape.from.buffer].count;
  if (!fourier || split || shape.from.grain != 2 || shape.to.grain != 2 ||
      traits(plan.buffers[shape.to.buffer].type).components != 2 || points * bytes_per_point > memory_of_machine() / 2)
    return std::nullopt;
  return transform(plan, shape, input, output);
}

Verdict BenchReference::transform(const Plan& plan, const ExpectShape& shape, std::span<const std::byte> input,
                                  std::span<const std::byte> output) {
  const Expect& expect = plan.expect;
  const Buffer &from = plan.buffers[shape.from.buffer], &to = plan.buffers[shape.to.buffer];
  const auto signal = plan.parameters.find("signal");
  std::string of = fmt::format("{} {} {} {} {} × {} of {} {}", static_cast<int>(expect.transform), expect.sign,
                               expect.scale, shape.batch, shape.rows, shape.columns, static_cast<int>(from.type),
                               signal == plan.parameters.end() ? "" : signal->second);
  if (of != of_ || signal == plan.parameters.end()) {
    of_.clear();
    spectrum_ = {};
    spectrum_ = reference(expect, shape, points_of(plan, shape.from, shape.batch, input));
    of_ = std::move(of);
  }
  double apart = 0, size = 0;
  const std::size_t bytes = traits(to.type).bytes;
  const std::uint64_t length = shape.to.length();
  for (std::uint64_t t = 0, k = 0; t < shape.batch; ++t)
    for (std::uint64_t i = 0; i < length; ++i, ++k) {
      const std::byte* const element = output.data() + shape.to.element(t, i) * bytes;
      const std::complex<double> got(component(to.type, element, 0), component(to.type, element, 1));
      apart += std::norm(got - spectrum_[k]);
      size += std::norm(spectrum_[k]);
    }
  Verdict verdict;
  verdict.bound = expect.bound;
  verdict.relative_l2 = apart == 0 ? 0 : std::sqrt(apart / size);
  if (!std::isfinite(verdict.relative_l2)) verdict.relative_l2 = std::numeric_limits<double>::infinity();
  verdict.pass = verdict.relative_l2 <= verdict.bound;
  return verdict;
}

}  // namespace twiddle
