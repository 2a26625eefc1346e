// The gallery's transforms: wrong partners, twiddles, values and stages.
#include "kernels/catalogue/builder.h"
#include "kernels/catalogue/parts.h"
#include "kernels/gallery/gallery.h"
#include "kernels/gallery/gallery_plan.h"

#include <fmt/format.h>

#include <bit>

namespace twiddle {
namespace {

constexpr std::uint64_t max_points = std::uint64_t(1) << 20;
constexpr std::uint64_t group_size = 64;

/// The plan of a single-precision transform of n points, with its first buffer.
Plan transform_plan(const Request& request, const char* title, std::uint64_t n, bool right, const char* input,
                    const char* signal = "ramp") {
  Plan plan = gallery_plan(request, title, n, fmt::format("{} points", n), right, signal);
  add_buffer(plan, input, ElementType::Float2, n, {.kind = Content::Kind::Signal});
  return plan;
}

void expect(Plan& plan, Expect::Transform transform, const char* output, std::uint64_t points) {
  TransformOptions options;
  options.inverse = transform == Expect::Transform::InverseFft;
  options.sign = options.inverse ? 1 : -1;
  expect_transform(plan, options, Expect::Transform::Fft, plan.buffers[0].name, output, points);
}

/// fft-radix2 with the stages from the second on taken from the gallery.
Plan stages(const Request& request, const char* title, const char* source, std::uint64_t n, bool right) {
  Plan plan = transform_plan(request, title, n, right, "data");
  const std::size_t f = add_buffer(plan, "F", ElementType::Float2, n, {.kind = Content::Kind::Uninitialised});
  const int bits = log2_of(n);
  add_launch(plan, "fft_radix2", "bit_reversal", n, group_size, {BufferArgument{0}, int_argument(bits)}).label =
      translatable("bit reversal");
  add_launch(plan, "fft_radix2", "first_stage", n / 2, group_size, {BufferArgument{0}, BufferArgument{f}}).stage = 1;
  for (int stage = 2; stage <= bits; ++stage)
    add_launch(plan, source, "fft_stage", n / 2, group_size, {BufferArgument{f}, int_argument(1 << stage)},
               right_defines(right))
        .stage = stage;
  expect(plan, Expect::Transform::Fft, "F", n);
  return plan;
}

std::uint64_t points(const Request& request, std::uint64_t default_size, std::uint64_t min = 4) {
  return power_size("n", request.n, default_size, min, max_points);
}

template <bool right>
Plan wrong_sign(const Request& request) {
  return stages(request, "The wrong sign", "wrong_sign", points(request, 8), right);
}
template <bool right>
Plan angle_unreduced(const Request& request) {
  return stages(request, "An unreduced angle", "angle_unreduced", points(request, 1024), right);
}
template <bool right>
Plan stale_twiddle(const Request& request) {
  return stages(request, "A stale twiddle", "stale_twiddle", points(request, 8), right);
}
template <bool right>
Plan half_butterfly(const Request& request) {
  return stages(request, "Half a butterfly", "half_butterfly", points(request, 8), right);
}

template <bool right>
Plan not_power_of_two(const Request& request) {
  const std::uint64_t given = whole_size("n", request.n, 12, 5, 1000);
  const std::uint64_t n = right ? std::bit_ceil(given) : given;
  return stages(request, "No power of two", "not_power_of_two", n, right);
}

/// Sixty-four items near the end of the last stage: the whole of a transform this large would be hours of log. Those of the
/// very end would round up to F[N], which is not theirs to touch.
template <bool right>
Plan float_index(const Request& request) {
  const std::uint64_t n = power_size("n", request.n, std::uint64_t(1) << 25, 256, std::uint64_t(1) << 26);
  Plan plan;
  plan.title = Message::verbatim(
      fmt::format("An index through float{}, the last stage of {} points", right ? " (right)" : "", size_text(n)));
  plan.parameters["n"] = fmt::format("{}", n);
  add_buffer(plan, "F", ElementType::Float2, n, {.kind = Content::Kind::Zero});
  add_launch(plan, "float_index", "fft_stage", 64, 64,
             {BufferArgument{0}, size_argument(n), size_argument(n / 2 - 128)}, right_defines(right))
      .stage = log2_of(n);
  return plan;
}

template <bool right>
Plan missing_reversal(const Request& request) {
  const std::uint64_t n = points(request, 8);
  Plan plan = transform_plan(request, "No reversal", n, right, "data");
  const std::size_t f = add_buffer(plan, "F", ElementType::Float2, n, {.kind = Content::Kind::Uninitialised});
  const int bits = log2_of(n);
  add_launch(plan, "missing_reversal", "reorder", n, group_size,
             {BufferArgument{0}, BufferArgument{f}, int_argument(bits)}, right_defines(right))
      .label = translatable("reorder");
  for (int stage = 1; stage <= bits; ++stage)
    add_launch(plan, "fft_radix2", "fft_stage", n / 2, group_size,
               {BufferArgument{f}, int_argument(1 << stage), int_argument(-1)})
        .stage = stage;
  expect(plan, Expect::Transform::Fft, "F", n);
  return plan;
}

template <bool right>
Plan double_swap(const Request& request) {
  const std::uint64_t n = points(request, 8);
  Plan plan = transform_plan(request, "Every swap twice", n, right, "F");
  const int bits = log2_of(n);
  add_launch(plan, "double_swap", "bit_reversal", n, group_size, {BufferArgument{0}, int_argument(bits)},
             right_defines(right))
      .label = translatable("bit reversal");
  for (int stage = 1; stage <= bits; ++stage)
    add_launch(plan, "fft_radix2", "fft_stage", n / 2, group_size,
               {BufferArgument{0}, int_argument(1 << stage), int_argument(-1)})
        .stage = stage;
  expect(plan, Expect::Transform::Fft, "F", n);
  return plan;
}

template <bool right>
Plan bit_for_digit(const Request& request) {
  const std::uint64_t n = power_size("n", request.n, 16, 16, max_points, 4);
  Plan plan = transform_plan(request, "Bits for digits", n, right, "x");
  const int digits = log2_of(n) / 2;
  add_launch(plan, "bit_for_digit", "reversal", n, group_size, {BufferArgument{0}, int_argument(digits)},
             right_defines(right))
      .label = translatable("digit reversal");
  for (int stage = 1; stage <= digits; ++stage)
    add_launch(plan, "fft_radix4", "radix4_stage", n / 4, group_size,
               {BufferArgument{0}, int_argument(1 << (2 * stage)), int_argument(-1)})
        .stage = stage;
  expect(plan, Expect::Transform::Fft, "x", n);
  return plan;
}

/// Rows of n points, transformed in local memory by a group each.
Plan rows(const Request& request, const char* title, const char* source, std::uint64_t default_size, std::uint64_t min,
          bool right) {
  const std::uint64_t n = power_size("n", request.n, default_size, min, 512), count = 2;
  Plan plan = transform_plan(request, title, count * n, right, "x");
  plan.parameters["n"] = fmt::format("{}", n);
  plan.title = 
      Message::verbatim(fmt::format("{}{}, {} rows of {} points", title, right ? " (right)" : "", count, n));
  const std::size_t spectra =
      add_buffer(plan, "X", ElementType::Float2, count * n, {.kind = Content::Kind::Uninitialised});
  plan.buffers[0].shape = plan.buffers[spectra].shape = {count, n};
  add_launch(plan, source, "fft_row", count * n / 2, n / 2,
             {BufferArgument{0}, BufferArgument{spectra}, LocalArgument{n * sizeof(float) * 2}, size_argument(n),
              int_argument(log2_of(n))},
             right_defines(right))
      .label = translatable("rows");
  expect(plan, Expect::Transform::Fft, "X", n);
  plan.expect.points = n;
  return plan;
}
template <bool right>
Plan skipped_stage(const Request& request) {
  return rows(request, "A skipped stage", "skipped_stage", 16, 16, right);
}
template <bool right>
Plan missing_local_barrier(const Request& request) {
  return rows(request, "No barrier after loading", "missing_local_barrier", 16, 8, right);
}

template <bool right>
Plan grid_barrier(const Request& request) {
  const std::uint64_t n = power_size("n", request.n, 64, 32, 1024), group = right ? n : 16;
  Plan plan = transform_plan(request, "A barrier that does not reach", n, right, "nums");
  plan.parameters["group-size"] = fmt::format("{}", group);
  const std::size_t result = add_buffer(plan, "result", ElementType::Float2, n, {.kind = Content::Kind::Uninitialised});
  add_launch(plan, "grid_barrier", "fft_single", n, group,
             {BufferArgument{0}, BufferArgument{result}, size_argument(n), int_argument(log2_of(n))})
      .label = translatable("all stages");
  expect(plan, Expect::Transform::Fft, "result", n);
  return plan;
}

template <bool right>
Plan odd_even_swapped(const Request& request) {
  const std::uint64_t n = points(request, 16, 8);
  Plan plan = transform_plan(request, "Odd and even swapped", n, right, "x");
  plan.buffers[0].type = ElementType::Float;
  TransformOptions options;
  const std::size_t y = add_buffer(plan, "y", ElementType::Float2, n / 2, {.kind = Content::Kind::Uninitialised});
  add_launch(plan, "odd_even_swapped", "pack", n / 2, group_size, {BufferArgument{0}, BufferArgument{y}},
             right_defines(right))
      .label = translatable("pack");
  const std::size_t f = append_fft_radix2(plan, options, y, n / 2, group_size);
  const std::size_t spectrum = add_buffer(plan, "X", ElementType::Float2, n, {.kind = Content::Kind::Uninitialised});
  add_launch(plan, "fft_real", "split", n / 2, group_size,
             {BufferArgument{f}, BufferArgument{spectrum}, int_argument(1), size_argument(n), int_argument(-1)})
      .label = translatable("split");
  expect(plan, Expect::Transform::Fft, "X", n);
  return plan;
}

template <bool right>
Plan unscaled_inverse(const Request& request) {
  const std::uint64_t n = points(request, 8);
  Plan plan = transform_plan(request, "An inverse without its 1/N", n, right, "data");
  TransformOptions options;
  options.inverse = true;
  options.sign = 1;
  const std::size_t f = append_fft_radix2(plan, options, 0, n, group_size);
  const std::size_t result = add_buffer(plan, "x", ElementType::Float2, n, {.kind = Content::Kind::Uninitialised});
  add_launch(plan, "unscaled_inverse", "finish", n, group_size,
             {BufferArgument{f}, BufferArgument{result}, options.scalar(1.0 / static_cast<double>(n))},
             right_defines(right))
      .label = translatable("finish");
  expect(plan, Expect::Transform::InverseFft, "x", n);
  return plan;
}

}  // namespace

std::vector<Exhibit> gallery_of_transforms() {
  const auto takes = [](const char* values, const char* default_size) {
    return std::vector<Parameter>{parameters::n(values, default_size), parameters::signal("ramp")};
  };
  const char* const powers = "powers of two from 4 to 2^20";
  const auto eight = takes("power of two, 4 … 2^20", "8");
  return {
      {"grid-barrier", "A barrier that does not reach across work-groups",
       "One launch loops over all stages, in several work-groups. A barrier holds one group together and no more: from "
       "the first stage whose span exceeds the group, items read what another group may not have written yet, and each "
       "group copies its part of the result early.",
       "race", "powers of two from 32 to 1024", takes("power of two, 32 … 1024", "64"), grid_barrier<false>,
       grid_barrier<true>},
      {"angle-unreduced", "A twiddle's angle from an index that was not reduced",
       "The angle comes from the global index instead of its remainder. Whole turns do not matter to a sine, but they "
       "take bits from a float: the relative error grows with N, 3.5e-5 at 2^10 and 3.6e-2 at 2^20.",
       "wrong-twiddle", powers, takes("power of two, 4 … 2^20", "1024"), angle_unreduced<false>, angle_unreduced<true>},
      {"float-index",
       "A partner's index computed through float",
       "A float holds every whole number up to 2^24. From transforms of 2^25 points on the partner's index is rounded "
       "to an even number. The entry runs 64 work-items of the last stage.",
       "wrong-partner",
       "powers of two from 256 to 2^26; wrong from 2^25 on",
       {parameters::n("power of two, 256 … 2^26", "2^25 = 33554432")},
       float_index<false>,
       float_index<true>},
      {"wrong-sign", "The other transform's sign",
       "e^(+2πi…) in a forward transform gives the conjugate spectrum of real points: mirrored, with all magnitudes "
       "right.",
       "wrong-twiddle", powers, eight, wrong_sign<false>, wrong_sign<true>},
      {"missing-reversal", "No bit reversal",
       "Decimation in time takes the points in bit-reversed order; here they are only copied.", "missing-operation",
       powers, eight, missing_reversal<false>, missing_reversal<true>},
      {"double-swap", "Every swap done twice",
       "Without the guard g < rev(g) both items of a pair swap it, and the second swap undoes the first.",
       "duplicate-operation", powers, eight, double_swap<false>, double_swap<true>},
      {"bit-for-digit", "Bits reversed where radix 4 needs digits",
       "Radix 4 takes the points in the order of reversed base-4 digits. Reversed bits put the second and the third "
       "leg of each butterfly in each other's place.",
       "wrong-partner", "powers of four from 16 to 2^20", takes("power of four, 16 … 2^20", "16"), bit_for_digit<false>,
       bit_for_digit<true>},
      {"not-power-of-two",
       "A size that is no power of two",
       "The host floors log2 N, so that the last stage's second block is half outside the array. The right twin takes "
       "the next power of two.",
       "out-of-bounds",
       "any number from 5 to 1000 that is no power of two",
       {parameters::n("any number, 5 … 1000", "12"), parameters::signal("ramp")},
       not_power_of_two<false>,
       not_power_of_two<true>},
      {"missing-local-barrier", "No barrier between loading and the first stage",
       "A group loads its row into local memory and starts with the first stage at once: items read points that others "
       "may not have loaded yet.",
       "race", "rows of a power of two from 8 to 512 points", takes("power of two, 8 … 512", "16"),
       missing_local_barrier<false>, missing_local_barrier<true>},
      {"skipped-stage", "A stage left out",
       "The span is shifted by the stage's number instead of by one: 2, 4, 16. The stage of span 8 is left out.",
       "missing-operation", "rows of a power of two from 16 to 512 points", takes("power of two, 16 … 512", "16"),
       skipped_stage<false>, skipped_stage<true>},
      {"stale-twiddle", "The twiddle of the stage before",
       "The factor is computed from the stride where the span belongs: that is what the stage before needed.",
       "wrong-twiddle", powers, eight, stale_twiddle<false>, stale_twiddle<true>},
      {"half-butterfly", "Only one output written", "Both points are read, a + w·b is written, a − w·b is forgotten.",
       "wrong-value", powers, eight, half_butterfly<false>, half_butterfly<true>},
      {"odd-even-swapped", "Odd and even points packed the wrong way round",
       "Real points packed as x[2j+1] + i·x[2j]: after the split every bin is wrong by as much as it is large.",
       "wrong-value", "powers of two from 8 to 2^20", takes("power of two, 8 … 2^20", "16"), odd_even_swapped<false>,
       odd_even_swapped<true>},
      {"unscaled-inverse", "An inverse without its 1/N", "Forward and back give the points N times as large.",
       "unscaled", powers, eight, unscaled_inverse<false>, unscaled_inverse<true>},
  };
}

}  // namespace twiddle
