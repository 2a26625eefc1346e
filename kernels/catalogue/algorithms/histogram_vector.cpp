// histogram-vector and histogram-lanes: 256 bins at the speed of memory.
#include "base/tr.h"
#include "kernels/catalogue/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace twiddle {
namespace {

constexpr std::uint64_t max_counted = std::uint64_t(1) << 28, counted_loads = 2, counted_bytes = 16,
                        usual_counting_groups = 256, counted_bins = 256;

Plan build_vector_histogram(const Request& request, std::uint64_t copies) {
  Plan plan;
  const std::uint64_t n = whole_size("n", values_of(request), 1024, 0, max_counted);
  const std::string type = one_of("type", request.type, {"uint", "uchar"});
  const ElementType element = type == "uchar" ? ElementType::UChar : ElementType::UInt;
  const std::uint64_t width = counted_bytes / traits(element).bytes;
  const std::uint64_t vectors = std::max<std::uint64_t>((n + width - 1) / width, 1);
  const std::uint64_t group = power_size("group-size", request.group_size,
                                         std::clamp<std::uint64_t>(std::bit_ceil(vectors), 32, 1024), 4, 1024);
  const std::uint64_t needed = (vectors + group * counted_loads - 1) / (group * counted_loads);
  const std::uint64_t groups =
      std::min(needed, whole_size("groups", extra_number(request, "groups"), usual_counting_groups, 1, 65536));
  take_signal(plan, request, "sawtooth:16", {{"n", n}, {"group-size", group}, {"groups", groups}});
  plan.parameters["type"] = type;
  plan.title = Message("Histogram of {} values", n);
  const std::size_t values = add_input(plan, "values", element, n);
  const std::size_t result = add_buffer(plan, "bins", ElementType::UInt, counted_bins, {Content::Kind::Zero});
  if (n > 0)
    add_launch(plan, "histogram_vector", "histogram_vector", groups * group, group,
               {BufferArgument{values}, BufferArgument{result}, uint_argument(n)},
               {fmt::format("VALUE={}", type), fmt::format("GROUP={}", group), fmt::format("UNROLL={}", counted_loads),
                fmt::format("COPIES={}", copies)})
        .label = translatable("count");
  expect_exact(plan, Expect::Transform::Histogram, "values", "bins", "counts are exact");
  return plan;
}

Algorithm describe_vector_histogram(const char* id, const char* title, const char* about, std::uint64_t copies) {
  return {.id = id,
          .order = 610,
          .title = title,
          .origin = "CUDA",
          .about = about,
          .parameters = {{"n", "any number, 0 … 2^28", "the picture's pixels, or 1024", "how many values"},
                         parameters::signal("sawtooth:16"),
                         {"type", "uint | uchar", "uint", "of a value: four of 32 bits in a load, or sixteen bytes"},
                         {"groups", "any number, 1 … 65536", "as many as n needs, at most 256",
                          "work-groups: two for each processor of the device are best"},
                         parameters::group_size("power of two, 4 … 1024", "one for each load, 32 to 1024")},
          .sizes = "any number from 0 to 2^28",
          .operations = "N atomic increments in local memory, 256 in global memory a group",
          .launches = "1 of 3 epochs, none for N = 0",
          .accuracy = "exact: counts are integers",
          .build = [copies](const Request& request) { return build_vector_histogram(request, copies); }};
}

}  // namespace

std::vector<Algorithm> algorithms_of_histogram_vector() {
  return {
      describe_vector_histogram(
          "histogram-vector", "Histogram with loads of 16 bytes",
          "Each load brings four values, or sixteen where they are bytes, and two loads are on their way before the "
          "first value is counted. What holds it up now are values that meet in a bank of local memory.",
          1),
      describe_vector_histogram(
          "histogram-lanes", "Histogram with a bank a lane",
          "32 sets of bins a group, interleaved so that each lane of a sub-group has a bank of its "
          "own: lanes never meet, and the time does not depend on the values.",
          32)};
}

}  // namespace twiddle
