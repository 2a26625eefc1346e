// fft-mixed and fft-bluestein: transforms of sizes that are no powers of two.
#include "base/error.h"
#include "base/tr.h"
#include "kernels/catalogue/builder.h"
#include "kernels/catalogue/parts.h"

#include <array>
#include <bit>

namespace twiddle {
namespace {

constexpr std::uint64_t max_points_mixed = std::uint64_t(1) << 24, max_points_bluestein = std::uint64_t(1) << 20;

/// The factors 7, 5, 3 and 2 of n; their product is n, or there are others.
std::vector<std::uint64_t> small_factors(std::uint64_t n) {
  std::vector<std::uint64_t> factors;
  for (const std::uint64_t factor : {7, 5, 3, 2})
    for (; n % factor == 0; n /= factor) factors.push_back(factor);
  return factors;
}

bool is_smooth(std::uint64_t n) {
  std::uint64_t product = 1;
  for (const std::uint64_t factor : small_factors(n)) product *= factor;
  return product == n;
}

Plan build_mixed(const Request& request) {
  Plan plan;
  const std::uint64_t n = whole_size("n", request.n, 12, 2, max_points_mixed);
  if (!is_smooth(n)) {
    std::uint64_t below = n, above = n;
    while (!is_smooth(below)) --below;
    while (!is_smooth(above)) ++above;
    throw usage_error(
        "n must be a product of 2, 3, 5 and 7, and {} is not: the nearest are {} and {}; fft-bluestein "
        "takes any number",
        n, below, above);
  }
  const std::uint64_t group = divisor_up_to(n, whole_size("group-size", request.group_size, 64, 1, 1024));
  const TransformOptions options = transform_options(request, plan, {"float", "double"}, {});
  plan.title = Message("Mixed-radix FFT of {} points{}", n, options.title_end());
  take_signal(plan, request, "ramp", {{"n", n}, {"group-size", group}});

  const std::vector<std::uint64_t> factors = small_factors(n);
  const std::size_t passes = factors.size();
  // The points stay as they were; between the first pass and the last, two arrays take turns.
  const std::size_t x = add_input(plan, "x", options.complex(), n);
  const std::size_t spectrum = add_output(plan, "X", options.complex(), n);
  std::array<std::size_t, 2> between{};
  for (std::size_t i = 0; i + 1 < std::min<std::size_t>(passes, 3); ++i)
    between[i] = add_output(plan, i == 0 ? "y" : "z", options.complex(), n);
  std::size_t from = x;
  std::uint64_t span = 1;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    const std::size_t to = pass + 1 == passes ? spectrum : between[pass % 2];
    span *= factors[pass];
    add_launch(plan, "fft_mixed", "mixed_pass", n, group,
               {BufferArgument{from}, BufferArgument{to}, size_argument(n), size_argument(factors[pass]),
                size_argument(span), int_argument(options.sign)},
               options.defines())
        .stage = static_cast<int>(pass) + 1;
    from = to;
  }
  end_transform(plan, options, spectrum, n, n, group);
  plan.expect.bound *= 2;
  plan.expect.bound_reason = "twice, for sums of up to 7 terms: " + plan.expect.bound_reason;
  return plan;
}

Plan build_bluestein(const Request& request) {
  Plan plan;
  const std::uint64_t n = whole_size("n", request.n, 7, 1, max_points_bluestein);
  const std::uint64_t group = power_size("group-size", request.group_size, 64, 1, 1024);
  const TransformOptions options = transform_options(request, plan, {"float", "double"}, {});
  plan.title = Message("FFT of {} points by Bluestein's chirp{}", n, options.title_end());
  take_signal(plan, request, "ramp", {{"n", n}, {"group-size", group}});

  const std::uint64_t m = std::bit_ceil(2 * n);
  const std::size_t x = add_input(plan, "x", options.complex(), n);
  const std::size_t a = add_output(plan, "a", options.complex(), m);
  const std::size_t b = add_output(plan, "b", options.complex(), m);
  const std::size_t spectrum = add_output(plan, "X", options.complex(), n);
  const auto launch = [&](const char* kernel, std::uint64_t items, const char* label, std::vector<Argument> arguments) {
    add_launch(plan, "fft_bluestein", kernel, items, divisor_up_to(items, group), std::move(arguments),
               options.defines())
        .label = label;
  };
  const ScalarArgument points = size_argument(n), sign = int_argument(options.sign);
  launch("chirp_points", m, translatable("chirp"), {BufferArgument{x}, BufferArgument{a}, points, sign});
  launch("chirp_filter", m, translatable("chirp"), {BufferArgument{b}, points, size_argument(m), sign});
  append_convolution(plan, options, a, b, m, group);
  const double factor = 1.0 / static_cast<double>(m) / (options.inverse ? static_cast<double>(n) : 1.0);
  launch("chirp_bins", n, translatable("chirp"),
         {BufferArgument{a}, BufferArgument{spectrum}, points, sign, options.scalar(factor)});
  expect_transform(plan, options, Expect::Transform::Fft, "x", "X", m);
  plan.expect.bound *= 4;
  plan.expect.bound_reason = "three transforms of M ≥ 2N points and three products, each " + plan.expect.bound_reason;
  return plan;
}

Algorithm fft_mixed() {
  return {
      .id = "fft-mixed",
      .order = 240,
      .title = "FFT of any product of 2, 3, 5 and 7",
      .origin = "CUDA",
      .about =
          "Halves are not the only parts: a transform of 12 points is three of four, or four of three. A pass for each "
          "factor r merges r transforms, with r terms to each output, between two arrays, so that nothing is permuted.",
      .parameters = parameters::of_transform(
          {parameters::n("any product of 2, 3, 5 and 7, 2 … 2^24", "12")}, {},
          {parameters::group_size("1 … 1024; the largest divisor of n up to it is taken", "64")}),
      .sizes = "products of 2, 3, 5 and 7 from 2 to 2^24",
      .operations = "8 N times the sum of the factors",
      .launches = "1 a factor, and 1 more for the inverse; one epoch each",
      .accuracy = "twice that of a radix-2 transform: " + transform_accuracy(false),
      .build = build_mixed};
}

Algorithm fft_bluestein() {
  return {.id = "fft-bluestein",
          .order = 245,
          .title = "FFT of any number of points (Bluestein)",
          .origin = "CUDA",
          .about =
              "Of a prime number of points there are no parts to make. Because jk is half of j² + k² − (k − j)², the "
              "transform is a convolution with a chirp, and a convolution can be made through transforms of any larger "
              "size: a power of two.",
          .parameters = parameters::of_transform({parameters::n("any number, 1 … 2^20", "7")}, {},
                                                 {parameters::group_size("power of two, 1 … 1024", "64")}),
          .sizes = "any number from 1 to 2^20",
          .operations = "15 M log2 M + 12 M + 12 N, of M = the power of two from 2 N on",
          .launches = "2 + 5 log2 M; one epoch each",
          .accuracy = "four times that of a radix-2 transform of M points: " + transform_accuracy(false),
          .build = build_bluestein};
}

}  // namespace

std::vector<Algorithm> algorithms_of_fft_mixed() { return {fft_mixed(), fft_bluestein()}; }

}  // namespace twiddle
