// fft-radix2-single: a loop over the stages inside one launch, and the right ways past one work-group.
#include "base/error.h"
#include "base/tr.h"
#include "kernels/catalogue/builder.h"
#include "kernels/catalogue/parts.h"

#include <fmt/format.h>

namespace twiddle {
namespace {

constexpr std::uint64_t max_points_in_group = 1024, max_points_in_grid = 16384,
                        max_points_radix2_single = std::uint64_t(1) << 24;

Plan build_radix2_single(const Request& request) {
  Plan plan;
  const std::string method = one_of("method", request.method, {"single", "launches", "cooperative"});
  const std::uint64_t limit = method == "single"        ? max_points_in_group
                              : method == "cooperative" ? max_points_in_grid
                                                        : max_points_radix2_single;
  if (method != "launches" && request.n.value_or(0) > limit)
    throw usage_error("--method {} takes n up to {}, because {}: the nearest is {}, and --method launches takes more",
                      method, size_text(limit),
                      method == "single" ? Message("a barrier does not reach across work-groups")
                                         : Message("the whole grid has to be on the device at once"),
                      limit);
  const std::uint64_t n = power_size("n", request.n, 8, 2, limit);
  const TransformOptions options = transform_options(request, plan, {"double", "float"}, {});
  const std::uint64_t group =
      method == "single" ? n : power_size("group-size", request.group_size, std::min<std::uint64_t>(n, 64), 1, 1024);
  if (method == "single" && request.group_size && *request.group_size != n)
    throw usage_error("--method single needs all {} work-items in one work-group: leave --group-size out", n);
  plan.title = Message("Radix-2 FFT of {} points in {}{}", n,
                       method == "launches" ? Message("a launch a stage") : Message("one launch"), options.title_end());
  take_signal(plan, request, "ramp", {{"n", n}});
  plan.parameters["method"] = method;
  plan.parameters["group-size"] = fmt::format("{}", group);

  const std::size_t nums = add_input(plan, "nums", options.complex(), n);
  const std::size_t result = add_output(plan, "result", options.complex(), n);
  std::vector<std::string> defines = options.defines();
  defines.push_back(fmt::format("GROUP={}", group));
  const ScalarArgument bits = int_argument(log2_of(n)), sign = int_argument(options.sign);
  if (method == "launches") {
    for (int stage = 1; stage <= log2_of(n); ++stage)
      add_launch(plan, "fft_radix2_single", "fft_single_stage", n, group,
                 {BufferArgument{nums}, int_argument(1 << stage), bits, sign}, defines)
          .stage = stage;
    add_launch(plan, "fft_radix2_single", "gather", n, group, {BufferArgument{nums}, BufferArgument{result}, bits},
               defines)
        .label = translatable("bit reversal");
  } else {
    const bool whole_grid = method == "cooperative";
    Launch& launch = add_launch(plan, whole_grid ? "fft_radix2_grid" : "fft_radix2_single",
                                whole_grid ? "fft_single_grid" : "fft_single", n, group,
                                {BufferArgument{nums}, BufferArgument{result}, size_argument(n), bits, sign}, defines);
    launch.label = translatable("all stages");
    launch.cooperative = whole_grid;
  }
  end_transform(plan, options, result, n, n, group);
  return plan;
}

}  // namespace

std::vector<Algorithm> algorithms_of_fft_radix2_single() {
  return {
      {.id = "fft-radix2-single",
       .order = 210,
       .title = "Radix-2 FFT in one launch, a barrier a stage",
       .origin = "CUDA",
       .about = "One launch loops over the stages, with a barrier after each; the item at the head of a block does all "
                "of the block's butterflies alone, so that half as many work in every stage and the critical path is N "
                "− 1 butterflies, not log2 N. A barrier holds one work-group together and no more: past a group's size "
                "take a launch a stage, or on CUDA a cooperative launch.",
       .parameters = {parameters::n(
                          "power of two, 2 … 1024; 2 … 16384 with --method cooperative, 2 … 2^24 with launches", "8"),
                      {"method", "single | launches | cooperative", "single",
                       "one work-group; a launch a stage; one launch of many groups that wait for each other (CUDA)"},
                      parameters::inverse(),
                      parameters::signal("ramp"),
                      parameters::sign(),
                      parameters::type("double | float", "double"),
                      parameters::group_size("power of two, 1 … 1024; n with --method single", "64")},
       .sizes = "powers of two from 2 to 1024; to 2^24 with --method launches",
       .operations = "5 N log2 N",
       .launches =
           "1 of 1 + log2 N epochs (--method launches: 1 + log2 N of one epoch each), and 1 more of one epoch for the "
           "inverse",
       .accuracy = transform_accuracy(false),
       .build = build_radix2_single}};
}

}  // namespace twiddle
