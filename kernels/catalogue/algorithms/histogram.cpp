// histogram-…: 256 bins by atomic increments, in local, global and private copies of local memory.
#include "base/tr.h"
#include "kernels/catalogue/builder.h"
#include "kernels/catalogue/parts.h"

#include <fmt/format.h>

namespace twiddle {
namespace {

constexpr std::uint64_t bins = 256, max_values = std::uint64_t(1) << 27, max_groups = 64;
enum class Way { Local, Global, Private };

/// Trips an item, and groups, for n values: the published run's 64 groups of 128 items with 256 values each, or what a
/// smaller or larger number needs.
struct Division {
  std::uint64_t groups, trips;
};
Division divide(std::uint64_t n, std::uint64_t group) {
  const std::uint64_t items = (n + group - 1) / group;  // groups needed when every item counts one value
  if (items <= max_groups) {
    const std::uint64_t trips = items < 4 ? 1 : 4;  // few values: small enough to look at
    return {std::max<std::uint64_t>((items + trips - 1) / trips, 1), trips};
  }
  const std::uint64_t trips = std::max<std::uint64_t>((items + max_groups - 1) / max_groups, 1);
  return {(items + trips - 1) / trips, trips};
}

Plan build_histogram(const Request& request, Way way) {
  Plan plan;
  const std::uint64_t n = whole_size("n", values_of(request), 1024, 0, max_values);
  const std::uint64_t group = power_size("group-size", request.group_size, 128, 1, 256);
  const std::uint64_t copies = power_size("copies", extra_number(request, "copies"), 4, 1, 16);
  take_signal(plan, request, "sawtooth:16", {{"n", n}, {"group-size", group}});
  if (way == Way::Private) plan.parameters["copies"] = fmt::format("{}", copies);
  plan.title = Message("Histogram of {} values", n);

  const Division division = divide(n, group);
  const std::size_t values = add_input(plan, "values", ElementType::UInt, n);
  const char* const kernel = way == Way::Local    ? "histogram_local"
                             : way == Way::Global ? "histogram_global"
                                                  : "histogram_private";
  std::size_t counted = 0;
  if (way == Way::Global)
    counted = add_buffer(plan, "bins", ElementType::UInt, bins, {Content::Kind::Zero});
  else {
    counted = add_output(plan, "partial", ElementType::UInt, division.groups * bins);
    plan.buffers[counted].shape = {division.groups, bins};
  }
  std::vector<std::string> defines{fmt::format("COPIES={}", copies)};
  if (n > 0 || way != Way::Global)
    add_launch(plan, "histogram", kernel, division.groups * group, group,
               {BufferArgument{values}, BufferArgument{counted}, uint_argument(n), uint_argument(division.trips)},
               defines)
        .label = translatable("count");
  if (way != Way::Global) {
    const std::size_t merged = add_output(plan, "bins", ElementType::UInt, bins);
    add_launch(plan, "histogram", "merge", bins, 64,
               {BufferArgument{counted}, BufferArgument{merged}, uint_argument(division.groups)}, defines)
        .label = translatable("merge");
  }
  expect_exact(plan, Expect::Transform::Histogram, "values", "bins", "counts are exact");
  return plan;
}

Algorithm describe(const char* id, const char* title, const char* about, Way way) {
  Algorithm algorithm;
  algorithm.id = id;
  algorithm.order = 600;
  algorithm.title = title;
  algorithm.origin = "OpenCL";
  algorithm.about = about;
  algorithm.parameters = {{"n", "any number, 0 … 2^27", "the picture's pixels, or 1024", "how many values"},
                          parameters::signal("sawtooth:16"),
                          parameters::group_size("power of two, 1 … 256", "128")};
  if (way == Way::Private)
    algorithm.parameters.push_back({"copies", "power of two, 1 … 16", "4", "sets of bins a work-group has"});
  algorithm.sizes = "any number from 0 to 2^27";
  algorithm.operations = "N atomic increments";
  algorithm.launches = way == Way::Global ? "1, of 1 epoch" : "2: count (3 epochs), merge (1 epoch)";
  algorithm.accuracy = "exact: counts are integers";
  algorithm.build = [way](const Request& request) { return build_histogram(request, way); };
  return algorithm;
}

}  // namespace

std::vector<Algorithm> algorithms_of_histogram() {
  return {
      describe("histogram-local", "Histogram in local memory",
               "Every group counts into 256 bins of its own in local memory, and a second launch adds the groups up. "
               "Items that hit the same bin at once take turns.",
               Way::Local),
      describe("histogram-global", "Histogram in global memory",
               "All items count into the same 256 bins in global memory: simple, and slow where many values are alike.",
               Way::Global),
      describe("histogram-private", "Histogram in several copies a group",
               "Several sets of bins a group, taken in turn by neighbouring items: fewer meet at a bin, for more local "
               "memory.",
               Way::Private)};
}

}  // namespace twiddle
