// fft-dif: decimation in frequency, in place, then bit reversal.
#include "base/tr.h"
#include "kernels/catalogue/builder.h"
#include "kernels/catalogue/parts.h"

namespace twiddle {

void append_fft_dif(Plan& plan, const TransformOptions& options, std::size_t data, std::uint64_t n,
                    std::uint64_t group) {
  const int stages = log2_of(n);
  for (int stage = 1; stage <= stages; ++stage) {
    const ScalarArgument span = size_argument(n >> (stage - 1));
    add_launch(plan, "fft_dif", "dif_stage", n / 2, group, {BufferArgument{data}, span}, options.defines()).stage =
        stage;
    if (stage == stages) continue;  // its twiddles are all 1
    add_launch(plan, "fft_dif", "dif_turn", n / 2, group, {BufferArgument{data}, span, int_argument(options.sign)},
               options.defines())
        .label = translatable("turn");
  }
}

namespace {

// Beyond, neighbouring roots of unity are too close in single precision for checks to tell them apart.
constexpr std::uint64_t max_points_dif = std::uint64_t(1) << 22;

Plan build_dif(const Request& request) {
  Plan plan;
  const std::uint64_t n = power_size("n", request.n, 8, 2, max_points_dif);
  const std::uint64_t group = power_size("group-size", request.group_size, 64, 1, 1024);
  const TransformOptions options = transform_options(request, plan, {"float", "double"}, {});
  plan.title = Message("Radix-2 FFT of {} points by decimation in frequency{}", n, options.title_end());
  take_signal(plan, request, "ramp", {{"n", n}, {"group-size", group}});

  const std::size_t x = add_input(plan, "x", options.complex(), n);
  append_fft_dif(plan, options, x, n, group);
  add_launch(plan, "fft_radix2", "bit_reversal", n, group, {BufferArgument{x}, int_argument(log2_of(n))},
             options.defines())
      .label = translatable("bit reversal");
  end_transform(plan, options, x, n, n, group);
  return plan;
}

}  // namespace

std::vector<Algorithm> algorithms_of_fft_dif() {
  return {{.id = "fft-dif",
           .order = 205,
           .title = "Radix-2 FFT by decimation in frequency, in place",
           .origin = "CUDA",
           .about = "The other way round: points come in as they are, each stage takes its blocks apart into the sums, "
                    "which hold the even bins, and the differences, turned by a twiddle, which hold the odd ones. The "
                    "bins leave in bit-reversed order and are put in order at the end. What only multiplies bins, as a "
                    "filter does, needs no reordering at all: see convolve.",
           .parameters = parameters::of_transform({parameters::n("power of two, 2 … 2^22", "8")}, {},
                                                  {parameters::group_size("power of two, 1 … 1024", "64")}),
           .sizes = "powers of two from 2 to 2^22",
           .operations = "5 N log2 N",
           .launches = "2 log2 N, and 1 more for the inverse; one epoch each",
           .accuracy = transform_accuracy(false),
           .build = build_dif}};
}

}  // namespace twiddle
