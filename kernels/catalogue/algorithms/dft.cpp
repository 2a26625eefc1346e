// dft: the definition, one launch.
#include "base/tr.h"
#include "kernels/catalogue/builder.h"
#include "kernels/catalogue/parts.h"

#include <fmt/format.h>

#include <cmath>

namespace twiddle {
namespace {

constexpr std::uint64_t max_points_dft = 32768;  // j·k stays below 2^31

Plan build_dft(const Request& request) {
  Plan plan;
  const std::uint64_t n = whole_size("n", request.n, 8, 1, max_points_dft);
  const std::uint64_t group = divisor_up_to(n, whole_size("group-size", request.group_size, 64, 1, 1024));
  const TransformOptions options = transform_options(request, plan);
  plan.title = Message("DFT of {} points{}", n, options.title_end());
  take_signal(plan, request, "ramp", {{"n", n}, {"group-size", group}});

  const std::size_t x = add_input(plan, "x", options.complex(), n);
  const std::size_t spectrum = add_output(plan, "X", options.complex(), n);
  std::vector<Argument> arguments{BufferArgument{x}, BufferArgument{spectrum}, size_argument(n)};
  if (options.table)
    arguments.push_back(BufferArgument{add_twiddle_table(plan, options, "table", n, n)});
  else
    arguments.push_back(int_argument(options.sign));
  add_launch(plan, "dft", options.table ? "dft_table" : "dft", n, group, std::move(arguments), options.defines())
      .label = translatable("sums");
  end_transform(plan, options, spectrum, n, n, group);
  // One sum of n terms instead of log2 n stages: the roundings of its partial sums, which grow with √n, add up as √n too.
  const double unit = options.double_precision ? 1.2e-16 : 6e-8, twiddles = options.native ? 2e-6 : 0;
  plan.expect.bound = unit * (4 + std::sqrt(static_cast<double>(n))) + twiddles;
  plan.expect.bound_reason = fmt::format("{}·(4 + √N): every sum of N terms is rounded N times{}", unit,
                                         options.native ? ", and 2e-6 for the hardware's sine and cosine" : "");
  return plan;
}

}  // namespace

std::vector<Algorithm> algorithms_of_dft() {
  return {{.id = "dft",
           .order = 100,
           .title = "DFT: the definition",
           .origin = "OpenCL",
           .about = "The discrete Fourier transform as it is written down: each of N work-items adds up N terms, every "
                    "point times "
                    "its twiddle. The fast transforms of this catalogue compute the same with fewer operations.",
           .parameters = parameters::of_transform(
               {parameters::n("any number, 1 … 32768", "8")}, parameters::twiddles(),
               {parameters::group_size("1 … 1024; the largest divisor of n up to it is taken", "64")}),
           .sizes = "any number from 1 to 32768",
           .operations = "8 N^2",
           .launches = "1, and 1 more for the inverse; one epoch each",
           .accuracy = "6e-8·(4 + √N) in single precision, 1.2e-16·(4 + √N) in double: every sum of N terms is rounded "
                       "N times; 2e-6 more with native twiddles, which are right to about 2^-21",
           .build = build_dft}};
}

}  // namespace twiddle
