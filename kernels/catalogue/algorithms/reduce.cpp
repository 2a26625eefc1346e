// reduce-…: the ladder of divide-and-conquer reductions.
#include "base/tr.h"
#include "kernels/catalogue/builder.h"
#include "kernels/catalogue/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace twiddle {
namespace {

constexpr std::uint64_t max_elements = std::uint64_t(1) << 27;
constexpr std::uint64_t grid_stride_groups = 64;

struct Rung {
  const char* id;
  const char* source;
  const char* kernel;
  const char* title;
  const char* about;
  std::uint64_t elements_per_item;  // that a group takes in, a work-item; 0: as many as it needs (grid stride)
};

constexpr std::array<Rung, 7> ladder{{
    {"reduce-interleaved", "reduce", "reduce_interleaved",
     "Reduction, interleaved: every second item, then every fourth …",
     "Item g adds nums[g + i/2] where g mod i is 0, for i = 2, 4, 8, … The obvious way: in every stage "
     "the items that work sit between items that do not, so that every sub-group diverges.",
     1},
    {"reduce-strided", "reduce", "reduce_strided", "Reduction, strided: the first items do the work",
     "The same additions, done by the first items of the group, so that whole sub-groups are free. But the elements "
     "that neighbours touch are i apart, and meet in the same banks.",
     1},
    {"reduce-sequential", "reduce", "reduce_sequential", "Reduction, sequential addressing",
     "Item g adds the element half the rest away: neighbours touch neighbours, no bank is asked twice.", 1},
    {"reduce-first-add", "reduce", "reduce_first_add", "Reduction, first addition while loading",
     "In the rung before, half of the items did nothing but load. Here each adds two elements on the way in.", 2},
    {"reduce-unrolled", "reduce", "reduce_unrolled", "Reduction, unrolled",
     "The group's size is known to the compiler: a step a stage instead of a loop, and in CUDA the last warp needs no "
     "barrier of the whole block.",
     2},
    {"reduce-grid-stride", "reduce", "reduce_grid_stride",
     "Reduction, grid stride: many elements an item, two launches",
     "Each item first adds up every total-th element in a register, at the speed of memory; what is left is small.", 0},
    {"reduce-shuffle", "reduce_shuffle", "reduce_shuffle", "Reduction, shuffles: lanes take each other's registers",
     "The sums are in registers. A lane adds the register of another lane of its sub-group, without local memory and "
     "without a barrier of the group; only one sum a sub-group goes through local memory. OpenCL devices without "
     "shuffles hand the registers on through local memory, which the trace does not show.",
     2},
}};

Plan build_reduce(const Request& request, const Rung& rung) {
  Plan plan;
  const std::uint64_t n = whole_size("n", request.n, 16, 0, max_elements);
  const std::uint64_t group =
      power_size("group-size", request.group_size, std::clamp<std::uint64_t>(std::bit_ceil(n), 2, 256), 2, 1024);
  const std::string type = one_of("type", request.type, {"int", "uint", "float"});
  const ElementType element = *element_type_named(type);
  plan.title = Message("Sum of {} numbers, {}", n, rung.id);
  take_signal(plan, request, "ramp", {{"n", n}, {"group-size", group}});
  plan.parameters["type"] = type;

  std::size_t from = add_input(plan, "x", element, n);
  const std::vector<std::string> defines{"number=" + type, fmt::format("GROUP={}", group),
                                         fmt::format("LOG2_GROUP={}", log2_of(group))};
  std::uint64_t left = n;
  for (int pass = 1; left > (pass == 1 ? 0u : 1u); ++pass) {
    const std::uint64_t per_group = rung.elements_per_item ? group * rung.elements_per_item : group;
    std::uint64_t groups = (left + per_group - 1) / per_group;
    if (!rung.elements_per_item) groups = pass == 1 ? std::min(groups, grid_stride_groups) : 1;
    const std::size_t to = add_output(plan, fmt::format("sums{}", pass), element, groups);
    add_launch(plan, rung.source, rung.kernel, groups * group, group,
               {BufferArgument{from}, BufferArgument{to}, int_argument(static_cast<std::int32_t>(left))}, defines)
        .label = pass == 1 ? translatable("sums of groups") : translatable("sum of sums");
    from = to;
    left = groups;
  }
  if (n == 0)
    from = add_buffer(plan, "sums1", element, 1, {Content::Kind::Zero});  // the sum of nothing needs no launch
  // Every element goes through at most log2(group) + 1 additions a pass, and a register's run in the grid stride.
  const double additions =
      40 + (rung.elements_per_item ? 0 : static_cast<double>(n) / static_cast<double>(grid_stride_groups * group));
  expect_sums(plan, Expect::Transform::Sum, "x", plan.buffers[from].name, element, additions);
  return plan;
}

Algorithm describe(const Rung& entry) {
  return {
      .id = entry.id,
      .order = 400,
      .title = entry.title,
      .origin = "CUDA",
      .about = entry.about,
      .parameters = {{"n", "any number, 0 … 2^27", "16", "how many numbers"},
                     parameters::signal("ramp"),
                     {"type", "int | uint | float", "int", "what kind of numbers"},
                     parameters::group_size("power of two, 2 … 1024", "n rounded up, at most 256")},
      .sizes = "any number from 0 to 2^27",
      .operations = "N − 1 additions",
      .launches =
          entry.elements_per_item == 0
              ? "2 (1 when one group is enough, none for N = 0); log2(group) + 2 epochs each"
              : fmt::format(
                    "log N to the base {}, rounded up, but 1 for N = 1 and none for N = 0; log2(group) + 2 epochs each",
                    entry.elements_per_item == 1 ? "of the group's size" : "of twice the group's size"),
      .accuracy = fmt::format(
          "int and uint exact modulo 2^32; float 6e-8·{}: for each of the roundings that an element can go through",
          entry.elements_per_item == 0 ? fmt::format("(40 + N/({}·group))", grid_stride_groups) : "40"),
      .build = [&entry](const Request& request) { return build_reduce(request, entry); }};
}

}  // namespace

std::vector<Algorithm> algorithms_of_reduce() {
  std::vector<Algorithm> entries;
  for (const Rung& rung : ladder) entries.push_back(describe(rung));
  return entries;
}

}  // namespace twiddle
