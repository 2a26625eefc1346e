// convolve: a filter as a product of spectra, circular or linear.
#include "base/tr.h"
#include "kernels/catalogue/builder.h"
#include "kernels/catalogue/parts.h"

#include <bit>

namespace twiddle {

void append_convolution(Plan& plan, const TransformOptions& options, std::size_t points, std::size_t filter,
                        std::uint64_t n, std::uint64_t group) {
  TransformOptions forward = options, back = options;
  forward.sign = -1, back.sign = 1;
  append_fft_dif(plan, forward, points, n, group);
  append_fft_dif(plan, forward, filter, n, group);
  add_launch(plan, "convolve", "multiply_bins", n, group, {BufferArgument{points}, BufferArgument{filter}},
             options.defines())
      .label = translatable("multiply");
  for (int stage = 1; stage <= log2_of(n); ++stage)
    add_launch(plan, "fft_radix2", "fft_stage", n / 2, group,
               {BufferArgument{points}, int_argument(1 << stage), int_argument(back.sign)}, options.defines())
        .stage = stage;
}

namespace {

constexpr std::uint64_t max_points_convolve = std::uint64_t(1) << 20;

struct Filter {
  const char* name;
  std::vector<double> taps;
};

const std::vector<Filter>& filters() {
  static const std::vector<Filter> all = {
      {"average", {0.25, 0.25, 0.25, 0.25}}, {"echo", {1, 0, 0, 0.5}}, {"edges", {1, -1}}};
  return all;
}

Plan build_convolve(const Request& request) {
  Plan plan;
  const std::string method = one_of("method", request.method, {"linear", "circular"});
  const bool circular = method == "circular";
  const std::uint64_t n = circular ? power_size("n", request.n, 16, 4, max_points_convolve)
                                   : whole_size("n", request.n, 16, 1, max_points_convolve);
  const std::uint64_t group = power_size("group-size", request.group_size, 64, 1, 1024);
  const auto asked = request.more.find("filter");
  const std::string name =
      one_of("filter", asked == request.more.end() ? "" : asked->second, {"average", "echo", "edges"});
  const TransformOptions options = transform_options(request, plan, {"float", "double"}, {});
  plan.parameters.erase("inverse");
  plan.parameters.erase("sign");
  plan.parameters["method"] = method;
  plan.parameters["filter"] = name;
  plan.title = circular ? Message("Circular convolution of {} points through the transform", n)
                        : Message("Convolution of {} points through the transform", n);
  take_signal(plan, request, "square:8", {{"n", n}, {"group-size", group}});

  std::vector<double> taps;
  for (const Filter& filter : filters())
    if (name == filter.name) taps = filter.taps;
  const std::uint64_t results = circular ? n : n + taps.size() - 1, points = std::bit_ceil(results);
  const std::size_t x = add_input(plan, "x", options.complex(), n);
  const std::size_t h =
      add_buffer(plan, "h", options.complex(), taps.size(), {.kind = Content::Kind::Values, .values = taps});
  const std::size_t X = add_output(plan, "X", options.complex(), points);
  const std::size_t H = add_output(plan, "H", options.complex(), points);
  const std::size_t y = add_output(plan, "y", options.complex(), results);
  const auto pad = [&](std::size_t from, std::size_t to, std::uint64_t count) {
    add_launch(plan, "convolve", "pad", points, group, {BufferArgument{from}, BufferArgument{to}, size_argument(count)},
               options.defines())
        .label = translatable("pad");
  };
  pad(x, X, n);
  pad(h, H, taps.size());
  append_convolution(plan, options, X, H, points, group);
  add_launch(plan, "convolve", "finish", results, divisor_up_to(results, group),
             {BufferArgument{X}, BufferArgument{y}, options.scalar(1.0 / static_cast<double>(points))},
             options.defines())
      .label = translatable("scale");

  expect_transform(plan, options, Expect::Transform::Convolution, "x", "y", points);
  plan.expect.sign = -1;
  plan.expect.mode = circular ? Expect::Mode::Circular : Expect::Mode::Full;
  plan.expect.operand = "h";
  plan.expect.bound *= 3;
  plan.expect.bound_reason = "three transforms, each " + plan.expect.bound_reason;
  return plan;
}

}  // namespace

std::vector<Algorithm> algorithms_of_convolve() {
  return {
      {.id = "convolve",
       .order = 270,
       .title = "Convolution, by multiplying spectra",
       .origin = "OpenCL",
       .about =
           "A filter makes each result of a few neighbouring points. In the spectrum that is one multiplication a bin. "
           "Two transforms by decimation in frequency leave their bins in the same reversed order, the products go "
           "back by decimation in time, which takes them so: nothing is ever permuted. A transform is of a signal that "
           "repeats, so that a circular convolution wraps around; zeros behind the points make it a linear one.",
       .parameters = {parameters::n("any number, 1 … 2^20; circular: power of two, 4 … 2^20", "16"),
                      {"method", "linear | circular", "linear",
                       "with zeros behind the points, or wrapped around their end"},
                      {"filter", "average | echo | edges", "average",
                       "mean of 4 points; half of it again 3 points later; difference of neighbours"},
                      parameters::signal("square:8"),
                      parameters::type(),
                      parameters::group_size("power of two, 1 … 1024", "64")},
       .sizes = "any number from 1 to 2^20; --method circular: powers of two from 4 to 2^20",
       .operations =
           "15 N log2 N + 12 N, of N = the next power of two (by its definition 8 operations a point and tap)",
       .launches = "2 + 5 log2 N; one epoch each",
       .accuracy = "three times that of a transform: " + transform_accuracy(false),
       .build = build_convolve}};
}

}  // namespace twiddle
