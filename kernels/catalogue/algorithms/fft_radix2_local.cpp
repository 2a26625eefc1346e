// fft-radix2-local: rows transformed in local memory, one or two to a work-group.
#include "base/error.h"
#include "base/tr.h"
#include "kernels/catalogue/builder.h"
#include "kernels/catalogue/parts.h"

#include <fmt/format.h>

namespace twiddle {

Launch& append_fft_lines(Plan& plan, const TransformOptions& options, std::size_t from, std::size_t to,
                         std::size_t table, const Lines& lines) {
  std::vector<std::string> defines = options.defines();
  defines.push_back(fmt::format("LINES={}", lines.per_group));
  defines.push_back(fmt::format("GROUP={}", lines.points));
  const std::size_t bytes = lines.per_group * lines.points * traits(options.complex()).bytes;
  return add_launch(plan, "fft_radix2_local", "fft_lines", lines.count / lines.per_group * lines.points, lines.points,
                    {BufferArgument{from}, BufferArgument{to}, LocalArgument{bytes}, BufferArgument{table},
                     size_argument(lines.points), size_argument(static_cast<std::uint64_t>(log2_of(lines.points))),
                     size_argument(lines.distance), size_argument(lines.stride)},
                    std::move(defines));
}

namespace {

constexpr std::uint64_t max_rows = 65536;

Plan build_radix2_local(const Request& request) {
  Plan plan;
  const std::uint64_t n = power_size("n", request.n, 8, 2, max_line_points);
  const std::uint64_t per_group = whole_size("rows-per-group", extra_number(request, "rows-per-group"), 1, 1, 2);
  const std::uint64_t rows = whole_size("rows", request.rows, 2, 1, max_rows);
  if (rows % per_group != 0)
    throw usage_error("--rows-per-group {} needs an even number of rows, not {}: take {}", per_group, rows, rows + 1);
  const TransformOptions options = transform_options(request, plan, {"float", "double"}, {});
  plan.title = Message("Radix-2 FFT of {} rows of {} points in local memory{}", rows, n, options.title_end());
  take_signal(plan, request, "ramp", {{"n", n}, {"rows", rows}, {"rows-per-group", per_group}});

  const std::size_t x = add_input(plan, "x", options.complex(), rows * n);
  const std::size_t spectra = add_output(plan, "X", options.complex(), rows * n);
  plan.buffers[x].shape = plan.buffers[spectra].shape = {rows, n};
  const std::size_t table = add_twiddle_table(plan, options, "table", n, n / 2);
  append_fft_lines(plan, options, x, spectra, table, {rows, n, n, 1, per_group}).label = translatable("rows");
  end_transform(plan, options, spectra, rows * n, n, n);
  plan.expect.points = n;
  return plan;
}

}  // namespace

std::vector<Algorithm> algorithms_of_fft_radix2_local() {
  return {
      {.id = "fft-radix2-local",
       .order = 220,
       .title = "Radix-2 FFT of rows in local memory",
       .origin = "OpenCL",
       .about =
           "A work-group loads a row into local memory, does all stages there with local barriers, and stores it: two "
           "accesses to global memory an element instead of two a stage. A row of N points keeps N items busy while "
           "loading and only N/2 in the stages; with --rows-per-group 2 none is idle.",
       .parameters =
           parameters::of_transform({parameters::n("power of two, 2 … 1024", "8"),
                                     {"rows", "any number, 1 … 65536", "2", "how many rows of n points"},
                                     {"rows-per-group", "1 | 2", "1", "rows that a work-group does at the same time"}},
                                    {}, {}),
       .sizes = "rows of a power of two from 2 to 1024 points",
       .operations = "5 N log2 N a row",
       .launches = "1 of 2 + log2 N epochs, and 1 more of one epoch for the inverse",
       .accuracy = transform_accuracy(false),
       .build = build_radix2_local}};
}

}  // namespace twiddle
