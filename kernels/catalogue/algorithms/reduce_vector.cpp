// reduce-vector and reduce-last-block: sums at the speed of memory.
#include "base/tr.h"
#include "kernels/catalogue/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace twiddle {
namespace {

constexpr std::uint64_t max_summed = std::uint64_t(1) << 28, loads_in_flight = 4, vector_width = 4, usual_groups = 256;

Plan build_vector_sum(const Request& request, bool last_block) {
  Plan plan;
  const std::uint64_t n = whole_size("n", request.n, 64, 0, max_summed);
  const std::uint64_t vectors = std::max<std::uint64_t>((n + vector_width - 1) / vector_width, 1);
  const std::uint64_t group =
      power_size("group-size", request.group_size, std::clamp<std::uint64_t>(std::bit_ceil(vectors), 4, 1024), 4, 1024);
  const std::uint64_t needed = (vectors + group * loads_in_flight - 1) / (group * loads_in_flight);
  const std::uint64_t groups =
      std::min(needed, whole_size("groups", extra_number(request, "groups"), usual_groups, 1, 65536));
  const std::string type = one_of("type", request.type, {"int", "uint", "float"});
  const ElementType element = *element_type_named(type);
  plan.title = Message("Sum of {} numbers, {}", n, last_block ? "reduce-last-block" : "reduce-vector");
  take_signal(plan, request, "ramp", {{"n", n}, {"group-size", group}, {"groups", groups}});
  plan.parameters["type"] = type;

  const std::size_t x = add_input(plan, "x", element, n);
  std::vector<std::string> defines{"number=" + type, "number4=" + type + "4", fmt::format("GROUP={}", group),
                                   fmt::format("UNROLL={}", loads_in_flight)};
  if (last_block) defines.push_back("LAST_BLOCK");
  std::size_t result = 0;
  if (n == 0) {
    result = add_buffer(plan, "total", element, 1, {Content::Kind::Zero});  // the sum of nothing needs no launch
  } else if (last_block) {
    const std::size_t sums = add_output(plan, "sums", element, groups);
    const std::size_t ticket = add_buffer(plan, "ticket", ElementType::UInt, 1, {Content::Kind::Zero});
    result = add_output(plan, "total", element, 1);
    add_launch(
        plan, "reduce_vector", "reduce_vector", groups * group, group,
        {BufferArgument{x}, BufferArgument{sums}, BufferArgument{ticket}, BufferArgument{result}, size_argument(n)},
        defines)
        .label = translatable("sum");
  } else {
    std::size_t from = x;
    std::uint64_t left = n;
    for (std::uint64_t blocks = groups; result == 0; blocks = 1) {
      const std::size_t to = add_output(plan, left == n && from == x ? "sums" : "total", element, blocks);
      add_launch(plan, "reduce_vector", "reduce_vector", blocks * group, group,
                 {BufferArgument{from}, BufferArgument{to}, size_argument(left)}, defines)
          .label = from == x ? translatable("sums of groups") : translatable("sum of sums");
      if (blocks == 1) result = to;
      from = to;
      left = blocks;
    }
  }
  // A register's run, then the tree, twice.
  const double additions = 40 + static_cast<double>(n) / static_cast<double>(groups * group) +
                           static_cast<double>(groups) / static_cast<double>(group);
  expect_sums(plan, Expect::Transform::Sum, "x", plan.buffers[result].name, element, additions);
  return plan;
}

Algorithm describe_vector_sum(const char* id, const char* title, const char* about, bool last_block) {
  return {.id = id,
          .order = 410,
          .title = title,
          .origin = "CUDA",
          .about = about,
          .parameters = {{"n", "any number, 0 … 2^28", "64", "how many numbers"},
                         parameters::signal("ramp"),
                         {"type", "int | uint | float", "int", "what kind of numbers"},
                         {"groups", "any number, 1 … 65536", "as many as n needs, at most 256",
                          "work-groups: two for each processor of the device are best"},
                         parameters::group_size("power of two, 4 … 1024", "n/4 rounded up, at most 1024")},
          .sizes = "any number from 0 to 2^28",
          .operations = "N − 1 additions",
          .launches = last_block ? "1, none for N = 0; 2 log2(group) + 5 epochs"
                                 : "2 (1 when one group is enough, none for N = 0); log2(group) + 2 epochs each",
          .accuracy =
              "int and uint exact modulo 2^32; float 6e-8·(40 + N/(groups·group)): for each of the roundings that an "
              "element can go through",
          .build = [last_block](const Request& request) { return build_vector_sum(request, last_block); }};
}

}  // namespace

std::vector<Algorithm> algorithms_of_reduce_vector() {
  return {
      describe_vector_sum("reduce-vector", "Reduction, vectors of four, several loads in flight",
                          "Each load brings 16 bytes, and four of them are on their way before the first is added: "
                          "memory is busy all the time. What is left is a tree in local memory, and a second launch.",
                          false),
      describe_vector_sum("reduce-last-block", "Reduction in one launch: the last group finishes",
                          "Every group leaves its sum and draws a ticket. The one that draws the last adds up the sums "
                          "of all, so that no second launch is needed.",
                          true)};
}

}  // namespace twiddle
