// fft-stockham2 and fft-stockham4: autosort transforms that alternate between two arrays.
#include "base/message.h"
#include "kernels/catalogue/builder.h"
#include "kernels/catalogue/parts.h"

#include <fmt/format.h>

#include <utility>

namespace twiddle {
namespace {

constexpr std::uint64_t max_points_stockham = std::uint64_t(1) << 26;  // a power of four as well

Plan build_stockham(const Request& request, std::uint64_t radix) {
  Plan plan;
  const std::uint64_t n = power_size("n", request.n, radix == 2 ? 8 : 16, radix, max_points_stockham, radix);
  const std::uint64_t group = power_size("group-size", request.group_size, 64, 1, 1024);
  const TransformOptions options = transform_options(request, plan, {"float", "double"}, {"exact", "native"});
  plan.title = Message("Stockham FFT of radix {}, {} points{}", radix, n, options.title_end());
  take_signal(plan, request, "ramp", {{"n", n}, {"group-size", group}});

  std::size_t from = add_input(plan, "x", options.complex(), n);
  std::size_t to = add_output(plan, "y", options.complex(), n);
  const auto points = size_argument(n);
  int stage = 0;
  for (std::uint64_t span = radix; span <= n; span *= radix) {
    add_launch(plan, "fft_stockham", radix == 2 ? "stockham2" : "stockham4", n / radix, group,
               {BufferArgument{from}, BufferArgument{to}, points, size_argument(span), int_argument(options.sign)},
               options.defines())
        .stage = ++stage;
    std::swap(from, to);
  }
  end_transform(plan, options, from, n, n, group);
  return plan;
}

Algorithm describe(std::uint64_t radix) {
  return {
      .id = radix == 2 ? "fft-stockham2" : "fft-stockham4",
      .order = 230,
      .title = fmt::format("Stockham FFT, radix {}: no reversal", radix),
      .origin = "CUDA",
      .about = fmt::format(
          "Every stage of {} points writes its results in the order in which the next stage reads them, so that no "
          "reversal is needed and neighbouring work-items always write neighbouring elements. The price is a second "
          "array: the stages alternate between x and y.",
          radix),
      .parameters = parameters::of_transform(
          {parameters::n(radix == 2 ? "power of two, 2 … 2^26" : "power of four, 4 … 2^26", radix == 2 ? "8" : "16")},
          Parameter{"twiddles", "exact | native", "exact",
                    "sine and cosine to the last bits, or the hardware's quick ones"},
          {parameters::group_size("power of two, 1 … 1024", "64")}),
      .sizes = radix == 2 ? "powers of two from 2 to 2^26" : "powers of four from 4 to 2^26",
      .operations = radix == 2 ? "5 N log2 N" : "4.25 N log2 N (a radix-2 transform of this size takes 5 N log2 N)",
      .launches = radix == 2 ? "log2 N, and 1 more for the inverse; one epoch each"
                             : "log4 N, and 1 more for the inverse; one epoch each",
      .accuracy = transform_accuracy(true),
      .build = [radix](const Request& request) { return build_stockham(request, radix); }};
}

}  // namespace

std::vector<Algorithm> algorithms_of_fft_stockham() { return {describe(2), describe(4)}; }

}  // namespace twiddle
