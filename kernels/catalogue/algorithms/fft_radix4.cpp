// fft-radix4: digit reversal, then a launch a stage of butterflies of four points, in place.
#include "kernels/catalogue/builder.h"
#include "kernels/catalogue/parts.h"

#include "base/error.h"
#include "base/tr.h"

namespace twiddle {
namespace {

constexpr std::uint64_t max_points_radix4 = std::uint64_t(1) << 26;
constexpr std::uint64_t max_table_points = 4096;  // N − 1 entries must fit into 64 KiB of constant memory

Plan build_radix4(const Request& request) {
  Plan plan;
  const std::uint64_t n = power_size("n", request.n, 16, 4, max_points_radix4, 4);
  const std::uint64_t group = power_size("group-size", request.group_size, 64, 1, 1024);
  const TransformOptions options = transform_options(request, plan);
  if (options.table && n > max_table_points)
    throw usage_error(
        "the twiddle table of fft-radix4 is in constant memory, which holds it up to n = {}: take --twiddles exact "
        "for n = {}",
        max_table_points, size_text(n));
  plan.title = Message("Radix-4 FFT of {} points{}", n, options.title_end());
  take_signal(plan, request, "ramp", {{"n", n}, {"group-size", group}});

  const std::size_t x = add_input(plan, "x", options.complex(), n);
  std::size_t table = 0;
  if (options.table) {
    table = add_buffer(plan, "table", options.complex(), n - 1, {Content::Kind::TwiddlesRadix4, "", n, options.sign});
    plan.buffers[table].space = Space::Constant;
  }
  const int stages = log2_of(n) / 2;
  add_launch(plan, "fft_radix4", "digit_reversal", n, group, {BufferArgument{x}, int_argument(stages)},
             options.defines())
      .label = translatable("digit reversal");
  for (int stage = 1; stage <= stages; ++stage) {
    std::vector<Argument> arguments{BufferArgument{x}, int_argument(1 << (2 * stage)), int_argument(options.sign)};
    if (options.table) arguments.push_back(BufferArgument{table});
    add_launch(plan, "fft_radix4", options.table ? "radix4_stage_table" : "radix4_stage", n / 4, group,
               std::move(arguments), options.defines())
        .stage = stage;
  }
  end_transform(plan, options, x, n, n, group);
  return plan;
}

}  // namespace

std::vector<Algorithm> algorithms_of_fft_radix4() {
  return {{.id = "fft-radix4",
           .order = 240,
           .title = "Radix-4 FFT, in place, a launch a stage",
           .origin = "CUDA",
           .about = "Four points at a time instead of two: half as many stages, half as much traffic, and "
                    "multiplications by ±i that "
                    "cost nothing. The input is reordered by the base-4 digits of its index, not by its bits.",
           .parameters = parameters::of_transform(
               {parameters::n("power of four, 4 … 2^26", "16")},
               Parameter{"twiddles", "exact | native | table", "exact",
                         "sine and cosine to the last bits, the hardware's quick ones, or the long table in constant "
                         "memory (up to n = 4096)"},
               {parameters::group_size("power of two, 1 … 1024", "64")}),
           .sizes = "powers of four from 4 to 2^26",
           .operations = "4.25 N log2 N (a radix-2 transform of this size takes 5 N log2 N)",
           .launches = "1 + log4 N, and 1 more for the inverse; one epoch each",
           .accuracy = transform_accuracy(true),
           .build = build_radix4}};
}

}  // namespace twiddle
