// The gallery's work-groups: races, bounds, barriers, and what memory costs.
#include "kernels/catalogue/builder.h"

#include "base/tr.h"
#include "kernels/gallery/gallery.h"

#include <fmt/format.h>

#include <bit>

namespace twiddle {
namespace {

constexpr std::uint64_t bins = 256;

Plan reduce(const GalleryTwin& twin, std::uint64_t group) {
  const std::uint64_t n = twin.n;
  Plan plan = twin.plan();
  add_input(plan, "nums", ElementType::Int, n);
  add_launch(plan, twin.source, "reduce", n, group, {BufferArgument{0}, size_argument(n)}, twin.defines()).label =
      translatable("sum");
  expect_exact(plan, Expect::Transform::Sum, "nums", "nums", "integers are exact");
  return plan;
}

Plan reduce_past_end(const GalleryTwin& twin) { return reduce(twin, twin.n); }
Plan reduce_cross_group(const GalleryTwin& twin) { return reduce(twin, twin.right ? twin.n : 16); }

Plan early_return(const GalleryTwin& twin) {
  const std::uint64_t n = twin.n, group = std::bit_ceil(n + 1);
  Plan plan = twin.plan();
  add_input(plan, "x", ElementType::Int, n);
  const std::size_t y = add_buffer(plan, "y", ElementType::Int, n, {.kind = Content::Kind::Zero});
  std::vector<std::string> defined = twin.defines();
  defined.push_back(fmt::format("GROUP={}", group));
  add_launch(plan, twin.source, "add_neighbour", group, group, {BufferArgument{0}, BufferArgument{y}, size_argument(n)},
             std::move(defined))
      .label = translatable("neighbours");
  return plan;
}

/// Groups that count into 256 bins of local memory, and the launch that adds them up.
Plan histogram(const GalleryTwin& twin, std::uint64_t group) {
  const std::uint64_t n = twin.n, trips = 4;
  const std::uint64_t groups = (n + group * trips - 1) / (group * trips);
  Plan plan = twin.plan();
  add_input(plan, "values", ElementType::UInt, n);
  const std::size_t partial = add_output(plan, "partial", ElementType::UInt, groups * bins);
  plan.buffers[partial].shape = {groups, bins};
  const std::size_t merged = add_output(plan, "bins", ElementType::UInt, bins);
  add_launch(plan, twin.source, "histogram_local", groups * group, group,
             {BufferArgument{0}, BufferArgument{partial}, uint_argument(n), uint_argument(trips)}, twin.defines())
      .label = translatable("count");
  add_launch(plan, "histogram", "merge", bins, 64,
             {BufferArgument{partial}, BufferArgument{merged}, uint_argument(groups)}, {"COPIES=1"})
      .label = translatable("merge");
  expect_exact(plan, Expect::Transform::Histogram, "values", "bins", "integers are exact");
  return plan;
}

Plan truncated_bin(const GalleryTwin& twin) {
  const std::uint64_t n = twin.n, group = divisor_up_to(n, 64);
  Plan plan = twin.plan();
  add_input(plan, "values", ElementType::UInt, n);
  const std::size_t counted = add_buffer(plan, "bins", ElementType::UInt, 512, {.kind = Content::Kind::Zero});
  add_launch(plan, twin.source, "count", n, group, {BufferArgument{0}, BufferArgument{counted}}, twin.defines()).label =
      translatable("count");
  expect_exact(plan, Expect::Transform::Histogram, "values", "bins", "integers are exact");
  return plan;
}

/// A picture of n × n transposed, by so many items a tile, in groups of 32.
Plan transpose(const GalleryTwin& twin, std::uint64_t items_per_tile) {
  const std::uint64_t n = twin.n;
  Plan plan = twin.plan();
  add_input(plan, "x", ElementType::Float, n * n);
  const std::size_t y = add_output(plan, "y", ElementType::Float, n * n);
  plan.buffers[0].shape = plan.buffers[y].shape = {n, n};
  add_launch(plan, twin.source, "transpose", n * n / 1024 * items_per_tile, 32,
             {BufferArgument{0}, BufferArgument{y}, size_argument(n)}, twin.defines())
      .label = translatable("transpose");
  return plan;
}

}  // namespace

std::vector<Exhibit> gallery_of_groups() {
  return {
      {"reduce-past-end", "A reduction past the end", "Past the end",
       "Item g adds nums[g + i/2]; where n is no power of two the last one of a stage reaches past the end.",
       "out-of-bounds", any(12, 3, 1000), "ramp", reduce_past_end, "any number from 3 to 1000 that is no power of two"},
      {"reduce-cross-group", "A reduction across work-groups", "A barrier across groups",
       "A loop over the stages in several groups: the first item of a group adds what the next group may not have "
       "finished.",
       "race", powers(64, 32, 1024), "ramp", reduce_cross_group},
      {"early-return", "A return before a barrier", "An early return",
       "Items past the end leave at once, and the others wait for them at a barrier that they never reach.",
       "barrier-divergence", any(12, 2, 255), "ramp", early_return},
      {"half-zeroed", "Half of the bins zeroed", "Half of the bins zeroed",
       "128 items zero a bin each, and there are 256: bins 128 … 255 start with what was in local memory.",
       "uninitialised-read", any(1024, 1, 1 << 20), "sawtooth:16",
       [](const GalleryTwin& twin) { return histogram(twin, 128); }},
      {"truncated-bin", "A value narrowed to 8 bits", "A truncated bin",
       "The bin passes through a type of 8 bits: 256 counts as 0.", "wrong-value", any(1024, 1, 1 << 20),
       "sawtooth:512", truncated_bin},
      {"redundant-zero", "Every item zeroes every bin", "Every item zeroes every bin",
       "Each item writes 0 to all bins. All write the same, so that the result is right; it is a race all the same, "
       "and a group's size times the work.",
       "race-same-value", any(256, 1, 1 << 20), "sawtooth:16",
       [](const GalleryTwin& twin) { return histogram(twin, 32); }},
      {"bank-conflict", "A column of a tile of 32", "A bank conflict",
       "A tile in local memory is read by columns. In rows of 32 elements a column is in one bank; rows of 33 spread "
       "it.",
       "bank-conflict", powers(64, 32, 1024), "ramp", [](const GalleryTwin& twin) { return transpose(twin, 32); }},
      {"strided-write", "Writing by columns", "Writing by columns",
       "Neighbouring items write n elements apart, so that each takes a sector of 32 bytes for its 4.", "uncoalesced",
       powers(64, 32, 1024), "ramp", [](const GalleryTwin& twin) { return transpose(twin, twin.right ? 32 : 1024); }},
  };
}

}  // namespace twiddle
