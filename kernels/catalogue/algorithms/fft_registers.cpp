// fft-registers: Stockham's transform with sixteen points in a work-item's registers.
#include "base/message.h"
#include "kernels/catalogue/builder.h"
#include "kernels/catalogue/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace twiddle {
namespace {

constexpr std::uint64_t max_points_registers = std::uint64_t(1) << 27, max_radix = 16;
constexpr std::uint64_t turned_bytes = 48 * 1024;  // local memory that every GPU has, for the first pass

Plan build_registers(const Request& request) {
  Plan plan;
  const std::uint64_t n = power_size("n", request.n, 256, 2, max_points_registers);
  const std::uint64_t group = power_size("group-size", request.group_size, 256, 1, 256);
  const std::string method = one_of("method", request.method, {"rows", "scattered"});
  const TransformOptions options =
      transform_options(request, plan, {"float", "double"}, {"exact", "products", "native", "recurrence"});
  plan.title = Message("FFT of radix 16 in registers, {} points{}", n, options.title_end());
  take_signal(plan, request, "ramp", {{"n", n}, {"group-size", group}});
  plan.parameters["method"] = method;

  std::size_t from = add_input(plan, "x", options.complex(), n);
  std::size_t to = add_output(plan, "y", options.complex(), n);
  const std::uint64_t bytes = traits(options.complex()).bytes;
  int pass = 0;
  for (std::uint64_t done = 1; done < n;) {
    const std::uint64_t radix = std::min(max_radix, n / done);
    const bool rows = done == 1 && method == "rows";
    std::uint64_t items = std::min(group, n / radix);
    while (rows && items * (radix + 1) * bytes > turned_bytes) items /= 2;
    std::vector<std::string> defines = tile_defines(plan, options);
    defines.push_back(fmt::format("RADIX={}", radix));
    defines.push_back(fmt::format("GROUP={}", items));
    if (rows) defines.emplace_back("ROWS");
    add_launch(plan, "fft_registers", "fft_registers", n / radix, items,
               {BufferArgument{from}, BufferArgument{to}, size_argument(n), size_argument(done)}, std::move(defines))
        .label = pass_name(++pass);
    std::swap(from, to);
    done *= radix;
  }
  end_transform(plan, options, from, n, n, group);
  return plan;
}

}  // namespace

std::vector<Algorithm> algorithms_of_fft_registers() {
  return {{.id = "fft-registers",
           .order = 240,
           .title = "FFT of radix 16 in registers",
           .origin = "CUDA",
           .about = "Every work-item takes sixteen points into registers and does four stages of radix 2 there, so "
                    "that the array goes through memory a quarter as often. In the first pass an item's results are "
                    "neighbours, and other items' are far away: they are turned in local memory first (rows), or "
                    "written as they are (scattered) and cost four times the sectors.",
           .parameters = parameters::of_transform(
               {parameters::n("power of two, 2 … 2^27", "256"),
                {"method", "rows | scattered", "rows", "how the first pass writes its results"}},
               tile_twiddles(), {parameters::group_size("power of two, 1 … 256", "256")}),
           .sizes = "powers of two from 2 to 2^27",
           .operations = "4.25 N log2 N",
           .launches = "log16 N rounded up, and 1 more for the inverse; the first has 2 epochs with rows",
           .accuracy = transform_accuracy(true),
           .build = build_registers}};
}

}  // namespace twiddle
