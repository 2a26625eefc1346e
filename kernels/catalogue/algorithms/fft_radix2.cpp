// fft-radix2: bit reversal, then a launch a stage, in place.
#include "base/tr.h"
#include "kernels/catalogue/builder.h"
#include "kernels/catalogue/parts.h"

namespace twiddle {

std::size_t append_fft_radix2(Plan& plan, const TransformOptions& options, std::size_t data, std::uint64_t n,
                              std::uint64_t group) {
  const std::size_t f = add_output(plan, "F", options.complex(), n);
  const std::size_t table = options.table ? add_twiddle_table(plan, options, "table", n, n / 2) : 0;
  const ScalarArgument points = size_argument(n);
  const int stages = log2_of(n);
  const auto launch = [&](const char* kernel, std::uint64_t items, std::vector<Argument> arguments) -> Launch& {
    return add_launch(plan, "fft_radix2", kernel, items, group, std::move(arguments), options.defines());
  };
  launch("bit_reversal", n, {BufferArgument{data}, int_argument(stages)}).label = translatable("bit reversal");
  launch("first_stage", n / 2, {BufferArgument{data}, BufferArgument{f}}).stage = 1;
  for (int stage = 2; stage <= stages; ++stage) {
    const ScalarArgument span = int_argument(1 << stage);
    Launch& added = options.table
                        ? launch("fft_stage_table", n / 2, {BufferArgument{f}, span, BufferArgument{table}, points})
                        : launch("fft_stage", n / 2, {BufferArgument{f}, span, int_argument(options.sign)});
    added.stage = stage;
  }
  return f;
}

namespace {

constexpr std::uint64_t max_points_radix2 = std::uint64_t(1) << 27;

Plan build_radix2(const Request& request) {
  Plan plan;
  const std::uint64_t n = power_size("n", request.n, 8, 2, max_points_radix2);
  const std::uint64_t group = power_size("group-size", request.group_size, 64, 1, 1024);
  const TransformOptions options = transform_options(request, plan);
  plan.title = Message("Radix-2 FFT of {} points{}", n, options.title_end());
  take_signal(plan, request, "ramp", {{"n", n}, {"group-size", group}});

  const std::size_t data = add_input(plan, "data", options.complex(), n);
  const std::size_t f = append_fft_radix2(plan, options, data, n, group);
  end_transform(plan, options, f, n, n, group);
  return plan;
}

}  // namespace

std::vector<Algorithm> algorithms_of_fft_radix2() {
  return {
      {.id = "fft-radix2",
       .order = 200,
       .title = "Radix-2 FFT, in place, a launch a stage",
       .origin = "OpenCL",
       .about = "The fast Fourier transform of the textbooks: the points are put into bit-reversed order, then log2 N "
                "stages of butterflies merge blocks of 2, 4, 8 … points. Each stage is a launch of its own, because "
                "between the stages all work-groups have to wait for each other, and in one queue a launch begins when "
                "the one before ends.",
       .parameters = parameters::of_transform({parameters::n("power of two, 2 … 2^27", "8")}, parameters::twiddles(),
                                              {parameters::group_size("power of two, 1 … 1024", "64")}),
       .sizes = "powers of two from 2 to 2^27",
       .operations = "5 N log2 N",
       .launches = "1 + log2 N, and 1 more for the inverse; one epoch each",
       .accuracy = transform_accuracy(true),
       .build = build_radix2}};
}

}  // namespace twiddle
