// fft-real and fft2d-real: real points packed into half as many complex ones.
#include "base/tr.h"
#include "kernels/catalogue/builder.h"
#include "kernels/catalogue/parts.h"

#include <fmt/format.h>

#include <cmath>

namespace twiddle {
namespace {

constexpr std::uint64_t max_points_real = std::uint64_t(1) << 27;
constexpr std::uint64_t group_of_pairs = 64;  // of the launches that pack and split

void append_split(Plan& plan, const TransformOptions& options, std::size_t from, std::size_t to, std::uint64_t rows,
                  std::uint64_t n, std::uint64_t group) {
  add_launch(
      plan, "fft_real", "split", rows * n / 2, group,
      {BufferArgument{from}, BufferArgument{to}, size_argument(rows), size_argument(n), int_argument(options.sign)},
      options.defines())
      .label = translatable("split");
}

Plan build_real(const Request& request) {
  Plan plan;
  const std::uint64_t n = power_size("n", request.n, 16, 4, max_points_real);
  const std::uint64_t group = power_size("group-size", request.group_size, group_of_pairs, 1, 1024);
  const TransformOptions options = transform_options(request, plan);
  plan.parameters.erase("inverse");
  plan.title = Message("FFT of {} real points", n);
  take_signal(plan, request, "ramp", {{"n", n}, {"group-size", group}});

  const std::size_t x = add_input(plan, "x", options.real(), n);
  const std::size_t y = add_output(plan, "y", options.complex(), n / 2);
  add_launch(plan, "fft_real", "pack", n / 2, group, {BufferArgument{x}, BufferArgument{y}}, options.defines()).label =
      translatable("pack");
  const std::size_t f = append_fft_radix2(plan, options, y, n / 2, group);
  const std::size_t spectrum = add_output(plan, "X", options.complex(), n);
  append_split(plan, options, f, spectrum, 1, n, group);
  expect_transform(plan, options, Expect::Transform::Fft, "x", "X", n);
  return plan;
}

std::string saving_text(const PackingSaving& saving) {
  return fmt::format("{:.3f} % counted, {:.3f} % by the published 1/2 - 6/(4 log2 MN)", saving.counted,
                     saving.published);
}

Plan build_2d(const Request& request) {
  Plan plan;
  const Sides sides = sides_of(request, max_line_points, 2 * max_line_points);
  const std::uint64_t rows = power_size("rows", sides.rows, 8, 2, max_line_points);
  const std::uint64_t columns = power_size("cols", sides.columns, 8, 4, 2 * max_line_points);
  const TransformOptions options = transform_options(request, plan, {"float", "double"}, {});
  plan.parameters.erase("inverse");
  plan.title = Message("FFT of {} × {} real points", rows, columns);
  take_signal(plan, request, "ramp", {{"rows", rows}, {"cols", columns}});
  plan.parameters["operations-saved"] = saving_text(packing_saving(rows, columns));

  const std::uint64_t half = columns / 2;
  const std::size_t x = add_input(plan, "x", options.real(), rows * columns);
  const std::size_t y = add_output(plan, "y", options.complex(), rows * half);
  const std::size_t Y = add_output(plan, "Y", options.complex(), rows * half);
  const std::size_t X = add_output(plan, "X", options.complex(), rows * columns);
  plan.buffers[x].shape = plan.buffers[X].shape = {rows, columns};
  plan.buffers[y].shape = plan.buffers[Y].shape = {rows, half};
  const bool square = half == rows;  // of complex points: one table serves both ways
  const std::size_t row_table = add_twiddle_table(plan, options, square ? "table" : "row_table", half, half / 2);
  const std::size_t column_table =
      square ? row_table : add_twiddle_table(plan, options, "column_table", rows, rows / 2);
  add_launch(plan, "fft_real", "pack", rows * half, group_of_pairs, {BufferArgument{x}, BufferArgument{y}},
             options.defines())
      .label = translatable("pack");
  append_fft_lines(plan, options, y, Y, row_table, {rows, half, half, 1}).label = translatable("rows");
  append_fft_lines(plan, options, Y, Y, column_table, {half, rows, 1, half}).label = translatable("columns");
  append_split(plan, options, Y, X, rows, columns, group_of_pairs);
  expect_transform(plan, options, Expect::Transform::Fft2d, "x", "X", rows * columns);
  return plan;
}

}  // namespace

PackingSaving packing_saving(std::uint64_t rows, std::uint64_t columns) {
  const double points = static_cast<double>(rows) * static_cast<double>(columns), stages = std::log2(points);
  // Half as many points take a stage less; then an item of `split` makes two points with 8 additions and multiplications
  // for G and H, 6 for the twiddle and 4 for the sums: 9 a point.
  const double packed = 2.5 * points * (stages - 1) + 9 * points;
  return {100 * (1 - packed / (5 * points * stages)), 100 * (0.5 - 6 / (4 * stages))};
}

namespace {

Algorithm fft_real() {
  return {
      .id = "fft-real",
      .order = 250,
      .title = "FFT of real points by half as many complex ones",
      .origin = "OpenCL",
      .about =
          "Two real points make one complex point: the even ones the real parts, the odd ones the imaginary parts. One "
          "transform of N/2 points then holds both halves' transforms, told apart by their symmetry, and a last stage "
          "merges them.",
      .parameters = {parameters::n("power of two, 4 … 2^27", "16"), parameters::signal("ramp"), parameters::twiddles(),
                     parameters::sign(), parameters::type(), parameters::group_size("power of two, 1 … 1024", "64")},
      .sizes = "powers of two from 4 to 2^27",
      .operations = "2.5 N log2 N + 6.5 N (a complex transform of this size takes 5 N log2 N)",
      .launches = "2 + log2 N; one epoch each",
      .accuracy = transform_accuracy(true),
      .build = build_real};
}

Algorithm fft2d_real() {
  return {.id = "fft2d-real",
          .order = 310,
          .title = "FFT of a real picture by half as many complex points",
          .origin = "OpenCL",
          .about =
              "A picture is real, so that two neighbours in a row make one complex point. Rows and columns are "
              "transformed in "
              "local memory, and a last launch tells the even and the odd columns apart and merges them.",
          .dimensions = 2,
          .parameters = {{"rows", "power of two, 2 … 1024", "the picture's, or 8", "rows of the picture"},
                         {"cols", "power of two, 4 … 2048", "the picture's, or 8", "columns of the picture"},
                         parameters::signal("ramp"),
                         parameters::sign(),
                         parameters::type()},
          .sizes = "powers of two from 2 to 1024 rows and from 4 to 2048 columns",
          .operations = "2.5 MN log2 MN + 6.5 MN (a complex transform of this size takes 5 MN log2 MN)",
          .launches = "4: pack, rows of 2 + log2(N/2) epochs, columns of 2 + log2 M epochs, split",
          .accuracy = transform_accuracy(false),
          .build = build_2d};
}

}  // namespace

std::vector<Algorithm> algorithms_of_fft_real() { return {fft_real(), fft2d_real()}; }

}  // namespace twiddle
