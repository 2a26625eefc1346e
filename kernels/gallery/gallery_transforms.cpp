// The gallery's transforms: wrong partners, twiddles, values and stages.
#include "kernels/catalogue/builder.h"
#include "kernels/catalogue/parts.h"
#include "kernels/gallery/gallery.h"

#include <fmt/format.h>

#include <bit>

namespace twiddle {
namespace {

constexpr std::uint64_t group_size = 64;

/// The plan of a single-precision transform of n points, with its first buffer.
Plan transform_plan(const GalleryTwin& twin, std::uint64_t n, const char* input) {
  Plan plan = twin.plan(fmt::format("{} points", n));
  add_input(plan, input, ElementType::Float2, n);
  return plan;
}

void expect(Plan& plan, const char* output, std::uint64_t points, const TransformOptions& options = {}) {
  expect_transform(plan, options, Expect::Transform::Fft, plan.buffers[0].name, output, points);
}

/// fft-radix2 with the stages from the second on taken from the gallery.
Plan stages(const GalleryTwin& twin, std::uint64_t n) {
  Plan plan = transform_plan(twin, n, "data");
  const std::size_t f = add_output(plan, "F", ElementType::Float2, n);
  const int bits = log2_of(n);
  add_launch(plan, "fft_radix2", "bit_reversal", n, group_size, {BufferArgument{0}, int_argument(bits)}).label =
      translatable("bit reversal");
  add_launch(plan, "fft_radix2", "first_stage", n / 2, group_size, {BufferArgument{0}, BufferArgument{f}}).stage = 1;
  for (int stage = 2; stage <= bits; ++stage)
    add_launch(plan, twin.source, "fft_stage", n / 2, group_size, {BufferArgument{f}, int_argument(1 << stage)},
               twin.defines())
        .stage = stage;
  expect(plan, "F", n);
  return plan;
}

Plan stages_of_all(const GalleryTwin& twin) { return stages(twin, twin.n); }

Plan not_power_of_two(const GalleryTwin& twin) { return stages(twin, twin.right ? std::bit_ceil(twin.n) : twin.n); }

/// Sixty-four items near the end of the last stage: the whole of a transform this large would be hours of log. Those of the
/// very end would round up to F[N], which is not theirs to touch.
Plan float_index(const GalleryTwin& twin) {
  const std::uint64_t n = twin.n;
  Plan plan = twin.plan(fmt::format("the last stage of {} points", size_text(n)));
  add_buffer(plan, "F", ElementType::Float2, n, {.kind = Content::Kind::Zero});
  add_launch(plan, twin.source, "fft_stage", 64, 64, {BufferArgument{0}, size_argument(n), size_argument(n / 2 - 128)},
             twin.defines())
      .stage = log2_of(n);
  return plan;
}

/// The points of buffer 0 reordered by the gallery's kernel, within it or into buffer `at`, and the right stages of radix
/// 2^log_radix after that.
Plan reordered(const GalleryTwin& twin, Plan plan, std::uint64_t n, const char* kernel, const char* label,
               std::size_t at, int log_radix = 1) {
  const int count = log2_of(n) / log_radix;
  std::vector<Argument> arguments{BufferArgument{0}, int_argument(count)};
  if (at > 0) arguments.insert(arguments.begin() + 1, BufferArgument{at});
  add_launch(plan, twin.source, kernel, n, group_size, std::move(arguments), twin.defines()).label = label;
  for (int stage = 1; stage <= count; ++stage)
    add_launch(plan, log_radix == 1 ? "fft_radix2" : "fft_radix4", log_radix == 1 ? "fft_stage" : "radix4_stage",
               n >> log_radix, group_size,
               {BufferArgument{at}, int_argument(1 << (log_radix * stage)), int_argument(-1)})
        .stage = stage;
  expect(plan, plan.buffers[at].name.c_str(), n);
  return plan;
}

Plan missing_reversal(const GalleryTwin& twin) {
  const std::uint64_t n = twin.n;
  Plan plan = transform_plan(twin, n, "data");
  const std::size_t f = add_output(plan, "F", ElementType::Float2, n);
  return reordered(twin, std::move(plan), n, "reorder", translatable("reorder"), f);
}

Plan double_swap(const GalleryTwin& twin) {
  const std::uint64_t n = twin.n;
  return reordered(twin, transform_plan(twin, n, "F"), n, "bit_reversal", translatable("bit reversal"), 0);
}

Plan bit_for_digit(const GalleryTwin& twin) {
  const std::uint64_t n = twin.n;
  return reordered(twin, transform_plan(twin, n, "x"), n, "reversal", translatable("digit reversal"), 0, 2);
}

/// Rows of n points, transformed in local memory by a group each.
Plan rows(const GalleryTwin& twin) {
  const std::uint64_t n = twin.n, count = 2;
  Plan plan = twin.plan(fmt::format("{} rows of {} points", count, n));
  add_input(plan, "x", ElementType::Float2, count * n);
  const std::size_t spectra = add_output(plan, "X", ElementType::Float2, count * n);
  plan.buffers[0].shape = plan.buffers[spectra].shape = {count, n};
  add_launch(plan, twin.source, "fft_row", count * n / 2, n / 2,
             {BufferArgument{0}, BufferArgument{spectra}, LocalArgument{n * sizeof(float) * 2}, size_argument(n),
              int_argument(log2_of(n))},
             twin.defines())
      .label = translatable("rows");
  expect(plan, "X", n);
  plan.expect.points = n;
  return plan;
}

Plan grid_barrier(const GalleryTwin& twin) {
  const std::uint64_t n = twin.n, group = twin.right ? n : 16;
  Plan plan = transform_plan(twin, n, "nums");
  plan.parameters["group-size"] = fmt::format("{}", group);
  const std::size_t result = add_output(plan, "result", ElementType::Float2, n);
  add_launch(plan, twin.source, "fft_single", n, group,
             {BufferArgument{0}, BufferArgument{result}, size_argument(n), int_argument(log2_of(n))})
      .label = translatable("all stages");
  expect(plan, "result", n);
  return plan;
}

Plan odd_even_swapped(const GalleryTwin& twin) {
  const std::uint64_t n = twin.n;
  Plan plan = transform_plan(twin, n, "x");
  plan.buffers[0].type = ElementType::Float;
  const std::size_t y = add_output(plan, "y", ElementType::Float2, n / 2);
  add_launch(plan, twin.source, "pack", n / 2, group_size, {BufferArgument{0}, BufferArgument{y}}, twin.defines())
      .label = translatable("pack");
  const std::size_t f = append_fft_radix2(plan, {}, y, n / 2, group_size);
  const std::size_t spectrum = add_output(plan, "X", ElementType::Float2, n);
  add_launch(plan, "fft_real", "split", n / 2, group_size,
             {BufferArgument{f}, BufferArgument{spectrum}, int_argument(1), size_argument(n), int_argument(-1)})
      .label = translatable("split");
  expect(plan, "X", n);
  return plan;
}

Plan unscaled_inverse(const GalleryTwin& twin) {
  const std::uint64_t n = twin.n;
  Plan plan = transform_plan(twin, n, "data");
  const TransformOptions options{.inverse = true, .sign = 1};
  const std::size_t f = append_fft_radix2(plan, options, 0, n, group_size);
  const std::size_t result = add_output(plan, "x", ElementType::Float2, n);
  add_launch(plan, twin.source, "finish", n, group_size,
             {BufferArgument{f}, BufferArgument{result}, options.scalar(1.0 / static_cast<double>(n))}, twin.defines())
      .label = translatable("finish");
  expect(plan, "x", n, options);
  return plan;
}

}  // namespace

std::vector<Exhibit> gallery_of_transforms() {
  return {
      {"grid-barrier", "A barrier that does not reach across work-groups", "A barrier that does not reach",
       "One launch loops over all stages, in several work-groups. A barrier holds one group together and no more: from "
       "the first stage whose span exceeds the group, items read what another group may not have written yet, and each "
       "group copies its part of the result early.",
       "race", powers(64, 32, 1024), "ramp", grid_barrier},
      {"angle-unreduced", "A twiddle's angle from an index that was not reduced", "An unreduced angle",
       "The angle comes from the global index instead of its remainder. Whole turns do not matter to a sine, but they "
       "take bits from a float: the relative error grows with N, 3.5e-5 at 2^10 and 3.6e-2 at 2^20.",
       "wrong-twiddle", powers(1024, 4, 1 << 20), "ramp", stages_of_all},
      {"float-index", "A partner's index computed through float", "An index through float",
       "A float holds every whole number up to 2^24. From transforms of 2^25 points on the partner's index is rounded "
       "to an even number. The entry runs 64 work-items of the last stage.",
       "wrong-partner", powers(1 << 25, 256, 1 << 26), "", float_index,
       "powers of two from 256 to 2^26; wrong from 2^25 on"},
      {"wrong-sign", "The other transform's sign", "The wrong sign",
       "e^(+2πi…) in a forward transform gives the conjugate spectrum of real points: mirrored, with all magnitudes "
       "right.",
       "wrong-twiddle", powers(8, 4, 1 << 20), "ramp", stages_of_all},
      {"missing-reversal", "No bit reversal", "No reversal",
       "Decimation in time takes the points in bit-reversed order; here they are only copied.", "missing-operation",
       powers(8, 4, 1 << 20), "ramp", missing_reversal},
      {"double-swap", "Every swap done twice", "Every swap twice",
       "Without the guard g < rev(g) both items of a pair swap it, and the second swap undoes the first.",
       "duplicate-operation", powers(8, 4, 1 << 20), "ramp", double_swap},
      {"bit-for-digit", "Bits reversed where radix 4 needs digits", "Bits for digits",
       "Radix 4 takes the points in the order of reversed base-4 digits. Reversed bits put the second and the third "
       "leg of each butterfly in each other's place.",
       "wrong-partner", powers(16, 16, 1 << 20, 4), "ramp", bit_for_digit},
      {"not-power-of-two", "A size that is no power of two", "No power of two",
       "The host floors log2 N, so that the last stage's second block is half outside the array. The right twin takes "
       "the next power of two.",
       "out-of-bounds", any(12, 5, 1000), "ramp", not_power_of_two,
       "any number from 5 to 1000 that is no power of two"},
      {"missing-local-barrier", "No barrier between loading and the first stage", "No barrier after loading",
       "A group loads its row into local memory and starts with the first stage at once: items read points that others "
       "may not have loaded yet.",
       "race", powers(16, 8, 512), "ramp", rows, "rows of a power of two from 8 to 512 points"},
      {"skipped-stage", "A stage left out", "A skipped stage",
       "The span is shifted by the stage's number instead of by one: 2, 4, 16. The stage of span 8 is left out.",
       "missing-operation", powers(16, 16, 512), "ramp", rows, "rows of a power of two from 16 to 512 points"},
      {"stale-twiddle", "The twiddle of the stage before", "A stale twiddle",
       "The factor is computed from the stride where the span belongs: that is what the stage before needed.",
       "wrong-twiddle", powers(8, 4, 1 << 20), "ramp", stages_of_all},
      {"half-butterfly", "Only one output written", "Half a butterfly",
       "Both points are read, a + w·b is written, a − w·b is forgotten.", "wrong-value", powers(8, 4, 1 << 20), "ramp",
       stages_of_all},
      {"odd-even-swapped", "Odd and even points packed the wrong way round", "Odd and even swapped",
       "Real points packed as x[2j+1] + i·x[2j]. The sum of all points, bin 0, is right in any order; after the "
       "split almost every other bin is wrong. (Of a ramp only bin N/2 is: neighbours differ by one throughout.)",
       "wrong-value", powers(16, 8, 1 << 20), "random:1", odd_even_swapped},
      {"unscaled-inverse", "An inverse without its 1/N", "An inverse without its 1/N",
       "Forward and back give the points N times as large.", "unscaled", powers(8, 4, 1 << 20), "ramp",
       unscaled_inverse},
  };
}

}  // namespace twiddle
