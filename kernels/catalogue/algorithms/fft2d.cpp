// fft2d: two dimensions, three ways to get at the columns.
#include "base/error.h"
#include "base/tr.h"
#include "kernels/catalogue/builder.h"
#include "kernels/catalogue/parts.h"

#include <fmt/format.h>

#include <utility>

namespace twiddle {
namespace {

constexpr std::uint64_t max_tiled_side = 4096, max_columns = 8;  // of a group

// The array on its way through the launches: where it is, and its shape there.
struct Array {
  std::size_t buffer;
  std::uint64_t rows, columns;
};

class Builder {
 public:
  Builder(Plan& plan, const TransformOptions& options, std::string transform, Array start, std::size_t other)
      : plan_(plan), options_(options), transform_(std::move(transform)), at_(start), other_(other) {}

  const Array& array() const { return at_; }

  // Rows, then columns, each in local memory by radix 2: no transposition, but the columns are read across the rows.
  void rows_then_columns() {
    // One table serves all stages of both ways, where they are of one length.
    const bool square = at_.rows == at_.columns;
    const std::size_t row_table =
        add_twiddle_table(plan_, options_, square ? "table" : "row_table", at_.columns, at_.columns / 2);
    const std::size_t column_table =
        square ? row_table : add_twiddle_table(plan_, options_, "column_table", at_.rows, at_.rows / 2);
    append_fft_lines(plan_, options_, at_.buffer, other_, row_table, {at_.rows, at_.columns, at_.columns, 1}).label =
        translatable("rows");
    std::swap(at_.buffer, other_);
    append_fft_lines(plan_, options_, at_.buffer, at_.buffer, column_table, {at_.columns, at_.rows, 1, at_.columns})
        .label = translatable("columns");
  }

  // Columns, transposed; columns again, transposed back.
  void transposed() {
    columns(false, true, false);
    transpose();
    if (radix4()) reverse_rows();
    columns(false, !radix4(), false);
    transpose();
  }

  // Every launch writes its columns as the rows of the other array.
  void fused() {
    columns(true, true, true);
    columns(true, !radix4(), false);
  }

 private:
  bool radix4() const { return transform_ == "radix4"; }

  // Radix 4 alone reverses digits: on the way in with `reverse_here`; for the next launch, of the rows, with `reverse_next`.
  void columns(bool as_rows, bool reverse_here, bool reverse_next) {
    const std::uint64_t n = at_.rows, radix = transform_ == "stockham2" ? 2 : 4;
    const std::size_t bytes = (radix4() ? n : 2 * n) * traits(options_.complex()).bytes;
    std::vector<Argument> arguments{BufferArgument{at_.buffer}, BufferArgument{other_},     LocalArgument{bytes},
                                    size_argument(n),           size_argument(at_.columns), int_argument(as_rows)};
    if (radix4()) {
      arguments.push_back(int_argument(reverse_here ? log2_of(n) / 2 : 0));
      arguments.push_back(int_argument(reverse_next ? log2_of(at_.columns) / 2 : 0));
    }
    arguments.push_back(int_argument(options_.sign));
    launch("columns_" + transform_, at_.columns * (n / radix), n / radix, std::move(arguments)).label =
        transformed_ ? "rows" : "columns";
    transformed_ = true;
    std::swap(at_.buffer, other_);
    if (as_rows) std::swap(at_.rows, at_.columns);
  }

  void transpose() {
    Launch& added = launch(
        "transpose", 1, 1,
        {BufferArgument{at_.buffer}, BufferArgument{other_}, size_argument(at_.rows), size_argument(at_.columns)});
    const std::size_t tile = tile_side();
    added.dimensions = 2;
    added.global = {at_.columns, at_.rows, 1};
    added.local = {tile, tile, 1};
    added.label = translatable("transpose");
    std::swap(at_.buffer, other_);
    std::swap(at_.rows, at_.columns);
  }

  void reverse_rows() {
    launch("reverse_rows", at_.rows * at_.columns, 64,
           {BufferArgument{at_.buffer}, size_argument(at_.columns), int_argument(log2_of(at_.rows) / 2)})
        .label = translatable("digit reversal");
  }

  std::uint64_t tile_side() const { return std::min<std::uint64_t>(16, std::min(at_.rows, at_.columns)); }

  Launch& launch(std::string kernel, std::uint64_t items, std::uint64_t group, std::vector<Argument> arguments) {
    std::vector<std::string> defines = options_.defines();
    defines.push_back(fmt::format("TILE={}", tile_side()));
    defines.push_back(fmt::format("GROUP={}", group));
    return add_launch(plan_, "fft2d", std::move(kernel), items, group, std::move(arguments), std::move(defines));
  }

  Plan& plan_;
  const TransformOptions& options_;
  std::string transform_;
  Array at_;
  std::size_t other_;
  bool transformed_ = false;  // the first of the two passes is done
};

Plan build_fft2d(const Request& request) {
  Plan plan;
  const std::string method =
      one_of("method", request.method, {"rows-columns", "transpose", "fused", "tiles", "engine"});
  const bool tiled = method == "tiles" || method == "engine";
  const auto chosen = request.more.find("transform");
  const std::string given = chosen == request.more.end() ? "" : chosen->second;
  if (tiled && !given.empty())
    throw usage_error("--method {} transforms in registers: take --method transpose or fused for --transform {}",
                      method, given);
  if (method == "rows-columns" && !given.empty() && given != "radix2")
    throw usage_error(
        "--method rows-columns transforms by radix 2: take --method transpose or fused for --transform {}", given);
  const std::string transform = tiled ? "registers"
                                : method == "rows-columns"
                                    ? "radix2"
                                    : one_of("transform", given, {"stockham2", "stockham4", "radix4"});
  const std::uint64_t radix = transform == "stockham4" || transform == "radix4" ? 4 : 2;
  const std::uint64_t default_value = radix == 4 ? 16 : 8;
  const std::uint64_t most = tiled ? max_tiled_side : max_line_points, least = tiled ? 4 : radix;
  const Sides sides = sides_of(request, most, most, radix);
  const std::uint64_t rows = power_size("rows", sides.rows, default_value, least, most, radix);
  const std::uint64_t columns = power_size("cols", sides.columns, default_value, least, most, radix);
  const TransformOptions options = transform_options(request, plan, {"float", "double"}, {});
  plan.title = Message("FFT of {} × {} points, {} by {}{}", rows, columns, method, transform, options.title_end());
  take_signal(plan, request, "ramp", {{"rows", rows}, {"cols", columns}});
  plan.parameters["method"] = method;
  plan.parameters["transform"] = transform;

  const std::size_t x = add_input(plan, "x", options.complex(), rows * columns);
  const std::size_t y = add_output(plan, "y", options.complex(), rows * columns);
  plan.buffers[x].shape = plan.buffers[y].shape = {rows, columns};
  if (tiled) plan.parameters["twiddles"] = "shared";
  if (method == "engine") {
    const std::uint64_t processors = whole_size("processors", extra_number(request, "processors"), 128, 1, 65536);
    plan.parameters["processors"] = fmt::format("{}", processors);
    append_fft2d_tiles(plan, options, rows, columns, true, processors, max_columns);
    if (request.local_bytes > 0 && plan.group_bytes > request.local_bytes) {
      Request next = request;
      next.method = "tiles";
      next.more.erase("processors");
      Plan other = build_fft2d(next);
      other.notes.insert(other.notes.begin(),
                         in_its_place("--method engine", plan.group_bytes, request, "--method tiles"));
      return other;
    }
  } else if (tiled) {
    std::uint64_t beside = max_columns;
    append_fft2d_tiles(plan, options, rows, columns, false, 0, beside);
    const std::uint64_t needed = plan.group_bytes;
    while (request.local_bytes > 0 && plan.group_bytes > request.local_bytes && beside > 1) {
      beside /= 2;
      plan.notes = {in_its_place("--method tiles", needed, request, fmt::format("a tile of {} columns", beside))};
      plan.launches.clear();
      plan.group_bytes = 0;
      append_fft2d_tiles(plan, options, rows, columns, false, 0, beside);
    }
  }
  Builder builder(plan, options, transform, {x, rows, columns}, y);
  if (tiled) {
    // there and back: the result is where the input was
  } else if (method == "rows-columns")
    builder.rows_then_columns();
  else if (method == "transpose")
    builder.transposed();
  else
    builder.fused();
  const std::size_t result = builder.array().buffer;
  if (options.inverse) add_scale(plan, options, result, rows * columns, rows * columns, 64);
  expect_transform(plan, options, Expect::Transform::Fft2d, "x", plan.buffers[result].name, rows * columns);
  return plan;
}

}  // namespace

std::vector<Algorithm> algorithms_of_fft2d() {
  return {
      {.id = "fft2d",
       .order = 300,
       .title = "FFT in two dimensions",
       .origin = "OpenCL, CUDA",
       .about =
           "Every row is transformed, and every column. Rows are contiguous in memory, columns are not: read them "
           "across the rows (rows-columns), transpose in between (transpose), or let every launch write its columns as "
           "rows (fused).",
       .dimensions = 2,
       .parameters = parameters::of_transform(
           {{"rows", "power of two, 2 … 1024; of four with stockham4 and radix4", "the picture's, or 8 or 16",
             "rows of the array"},
            {"cols", "power of two, 2 … 1024; of four with stockham4 and radix4", "the picture's, or 8 or 16",
             "columns of the array"},
            {"method", "rows-columns | transpose | fused | tiles | engine", "rows-columns",
             "how the columns are reached: tiles is fft-two-pass in two dimensions, engine has them fetched ahead "
             "(CUDA, "
             "Hopper and newer)"},
            {"processors", "any number, 1 … 65536", "128", "of engine: work-groups for tile after tile of columns"},
            {"transform", "stockham2 | stockham4 | radix4", "stockham2",
             "of the lines, by transpose and fused (rows-columns: radix2)"}},
           {}, {}),
       .sizes = "powers of two from 2 to 1024 either way, with tiles and engine from 4 to 4096; powers of four with "
                "stockham4 and "
                "radix4",
       .operations = "5 MN log2 MN; with stockham4 and radix4 4.25 MN log2 MN",
       .launches =
           "rows-columns, fused, tiles and engine: 2; transpose: 4, with radix4 5; 1 more for the inverse; 2 + log2 N "
           "epochs a "
           "transform of N points (2 + log4 N with stockham4 and radix4), 2 a transposition, 1 a reversal or scaling",
       .accuracy = transform_accuracy(false),
       .build = build_fft2d}};
}

}  // namespace twiddle
