// The gallery's work-groups: races, bounds, barriers, and what memory costs.
#include "kernels/catalogue/builder.h"

#include "base/tr.h"
#include "kernels/gallery/gallery.h"
#include "kernels/gallery/gallery_plan.h"

#include <fmt/format.h>

#include <bit>

namespace twiddle {
namespace {

constexpr std::uint64_t bins = 256;

ScalarArgument uint_argument(std::uint64_t value) {
  ScalarArgument argument = size_argument(value);
  argument.type = ElementType::UInt;
  return argument;
}

Plan plan_of(const Request& request, const char* title, std::uint64_t n, bool right, const char* signal) {
  return gallery_plan(request, title, n, fmt::format("n = {}", n), right, signal);
}

void expect(Plan& plan, Expect::Transform transform, const char* input, const char* output) {
  plan.expect.transform = transform;
  plan.expect.input = input;
  plan.expect.output = output;
  plan.expect.bound_reason = "integers are exact";
}

Plan reduce(const Request& request, const char* title, const char* source, std::uint64_t n, std::uint64_t group,
            bool right) {
  Plan plan = plan_of(request, title, n, right, "ramp");
  add_buffer(plan, "nums", ElementType::Int, n, {.kind = Content::Kind::Signal});
  add_launch(plan, source, "reduce", n, group, {BufferArgument{0}, size_argument(n)}, right_defines(right)).label =
      translatable("sum");
  expect(plan, Expect::Transform::Sum, "nums", "nums");
  return plan;
}

template <bool right>
Plan reduce_past_end(const Request& request) {
  const std::uint64_t n = whole_size("n", request.n, 12, 3, 1000);
  return reduce(request, "Past the end", "reduce_past_end", n, n, right);
}

template <bool right>
Plan reduce_cross_group(const Request& request) {
  const std::uint64_t n = power_size("n", request.n, 64, 32, 1024);
  return reduce(request, "A barrier across groups", "reduce_cross_group", n, right ? n : 16, right);
}

template <bool right>
Plan early_return(const Request& request) {
  const std::uint64_t n = whole_size("n", request.n, 12, 2, 255);
  const std::uint64_t group = std::bit_ceil(n + 1);
  Plan plan = plan_of(request, "An early return", n, right, "ramp");
  add_buffer(plan, "x", ElementType::Int, n, {.kind = Content::Kind::Signal});
  const std::size_t y = add_buffer(plan, "y", ElementType::Int, n, {.kind = Content::Kind::Zero});
  std::vector<std::string> defined = right_defines(right);
  defined.push_back(fmt::format("GROUP={}", group));
  add_launch(plan, "early_return", "add_neighbour", group, group,
             {BufferArgument{0}, BufferArgument{y}, size_argument(n)}, std::move(defined))
      .label = translatable("neighbours");
  return plan;
}

/// Groups that count into 256 bins of local memory, and the launch that adds them up.
Plan histogram(const Request& request, const char* title, const char* source, std::uint64_t default_value,
               std::uint64_t group, bool right) {
  const std::uint64_t n = whole_size("n", request.n, default_value, 1, 1 << 20), trips = 4;
  const std::uint64_t groups = (n + group * trips - 1) / (group * trips);
  Plan plan = plan_of(request, title, n, right, "sawtooth:16");
  add_buffer(plan, "values", ElementType::UInt, n, {.kind = Content::Kind::Signal});
  const std::size_t partial =
      add_buffer(plan, "partial", ElementType::UInt, groups * bins, {.kind = Content::Kind::Uninitialised});
  plan.buffers[partial].shape = {groups, bins};
  const std::size_t merged = add_buffer(plan, "bins", ElementType::UInt, bins, {.kind = Content::Kind::Uninitialised});
  add_launch(plan, source, "histogram_local", groups * group, group,
             {BufferArgument{0}, BufferArgument{partial}, uint_argument(n), uint_argument(trips)}, right_defines(right))
      .label = translatable("count");
  add_launch(plan, "histogram", "merge", bins, 64,
             {BufferArgument{partial}, BufferArgument{merged}, uint_argument(groups)}, {"COPIES=1"})
      .label = translatable("merge");
  expect(plan, Expect::Transform::Histogram, "values", "bins");
  return plan;
}

template <bool right>
Plan half_zeroed(const Request& request) {
  return histogram(request, "Half of the bins zeroed", "half_zeroed", 1024, 128, right);
}
template <bool right>
Plan redundant_zero(const Request& request) {
  return histogram(request, "Every item zeroes every bin", "redundant_zero", 256, 32, right);
}

template <bool right>
Plan truncated_bin(const Request& request) {
  const std::uint64_t n = whole_size("n", request.n, 1024, 1, 1 << 20), group = divisor_up_to(n, 64);
  Plan plan = plan_of(request, "A truncated bin", n, right, "sawtooth:512");
  add_buffer(plan, "values", ElementType::UInt, n, {.kind = Content::Kind::Signal});
  const std::size_t counted = add_buffer(plan, "bins", ElementType::UInt, 512, {.kind = Content::Kind::Zero});
  add_launch(plan, "truncated_bin", "count", n, group, {BufferArgument{0}, BufferArgument{counted}},
             right_defines(right))
      .label = translatable("count");
  expect(plan, Expect::Transform::Histogram, "values", "bins");
  return plan;
}

/// A picture of n × n transposed, by so many items, `group` to a group.
Plan transpose(const Request& request, const char* title, const char* source, std::uint64_t items_a_tile,
               std::uint64_t group, bool right) {
  const std::uint64_t n = power_size("n", request.n, 64, 32, 1024);
  Plan plan = plan_of(request, title, n, right, "ramp");
  add_buffer(plan, "x", ElementType::Float, n * n, {.kind = Content::Kind::Signal});
  const std::size_t y = add_buffer(plan, "y", ElementType::Float, n * n, {.kind = Content::Kind::Uninitialised});
  plan.buffers[0].shape = plan.buffers[y].shape = {n, n};
  add_launch(plan, source, "transpose", n * n / 1024 * items_a_tile, group,
             {BufferArgument{0}, BufferArgument{y}, size_argument(n)}, right_defines(right))
      .label = translatable("transpose");
  return plan;
}
template <bool right>
Plan bank_conflict(const Request& request) {
  return transpose(request, "A bank conflict", "bank_conflict", 32, 32, right);
}
template <bool right>
Plan strided_write(const Request& request) {
  return transpose(request, "Writing by columns", "strided_write", right ? 32 : 1024, 32, right);
}

}  // namespace

std::vector<Exhibit> gallery_of_groups() {
  const auto takes = [](const char* values, const char* default_value, const char* signal = "ramp") {
    return std::vector<Parameter>{parameters::n(values, default_value), parameters::signal(signal)};
  };
  return {
      {"reduce-past-end", "A reduction past the end",
       "Item g adds nums[g + i/2]; where n is no power of two the last one of a stage reaches past the end.",
       "out-of-bounds", "any number from 3 to 1000 that is no power of two", takes("any number, 3 … 1000", "12"),
       reduce_past_end<false>, reduce_past_end<true>},
      {"reduce-cross-group", "A reduction across work-groups",
       "A loop over the stages in several groups: the first item of a group adds what the next group may not have "
       "finished.",
       "race", "powers of two from 32 to 1024", takes("power of two, 32 … 1024", "64"), reduce_cross_group<false>,
       reduce_cross_group<true>},
      {"early-return", "A return before a barrier",
       "Items past the end leave at once, and the others wait for them at a barrier that they never reach.",
       "barrier-divergence", "any number from 2 to 255", takes("any number, 2 … 255", "12"), early_return<false>,
       early_return<true>},
      {"half-zeroed", "Half of the bins zeroed",
       "128 items zero a bin each, and there are 256: bins 128 … 255 start with what was in local memory.",
       "uninitialised-read", "any number from 1 to 2^20", takes("any number, 1 … 2^20", "1024", "sawtooth:16"),
       half_zeroed<false>, half_zeroed<true>},
      {"truncated-bin", "A value narrowed to 8 bits", "The bin passes through a type of 8 bits: 256 counts as 0.",
       "wrong-value", "any number from 1 to 2^20", takes("any number, 1 … 2^20", "1024", "sawtooth:512"),
       truncated_bin<false>, truncated_bin<true>},
      {"redundant-zero", "Every item zeroes every bin",
       "Each item writes 0 to all bins. All write the same, so that the result is right; it is a race all the same, "
       "and a group's size times the work.",
       "race-same-value", "any number from 1 to 2^20", takes("any number, 1 … 2^20", "256", "sawtooth:16"),
       redundant_zero<false>, redundant_zero<true>},
      {"bank-conflict", "A column of a tile of 32",
       "A tile in local memory is read by columns. In rows of 32 elements a column is in one bank; rows of 33 spread "
       "it.",
       "bank-conflict", "powers of two from 32 to 1024", takes("power of two, 32 … 1024", "64"), bank_conflict<false>,
       bank_conflict<true>},
      {"strided-write", "Writing by columns",
       "Neighbouring items write n elements apart, so that each takes a sector of 32 bytes for its 4.", "uncoalesced",
       "powers of two from 32 to 1024", takes("power of two, 32 … 1024", "64"), strided_write<false>,
       strided_write<true>},
  };
}

}  // namespace twiddle
