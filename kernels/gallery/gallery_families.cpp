// The gallery's other families: kernels as a stranger writes them, without trace lines. What they did is read from their accesses.
#include "kernels/catalogue/builder.h"

#include "base/tr.h"
#include "kernels/gallery/gallery.h"

#include <fmt/format.h>

#include <utility>

namespace twiddle {
namespace {

using Transform = Expect::Transform;

/// One of these kernels at a size: what all of their plans begin with.
struct Family {
  const GalleryTwin& twin;
  std::uint64_t n;
  std::vector<std::string> defines;
  Plan plan;

  Family(const GalleryTwin& of)  // NOLINT(google-explicit-constructor): an exhibit is built from what it is of
      : twin(of), n(of.n), defines(of.defines()), plan(of.plan()) {
    define("N", n);
  }
  void define(const char* name, std::uint64_t value) { defines.push_back(fmt::format("{}={}", name, value)); }

  BufferArgument input(const char* name, ElementType type, std::uint64_t count) {
    return {add_input(plan, name, type, count)};
  }
  BufferArgument output(const char* name, ElementType type, std::uint64_t count) {
    return {add_output(plan, name, type, count)};
  }
  /// The input "x" and an output, of n elements each.
  std::pair<BufferArgument, BufferArgument> arrays(ElementType type, const char* result) {
    const BufferArgument x = input("x", type, n);
    return {x, output(result, type, n)};
  }
  BufferArgument buffer(const char* name, ElementType type, std::uint64_t count, Content content) {
    return {add_buffer(plan, name, type, count, std::move(content))};
  }
  BufferArgument values(const char* name, ElementType type, std::vector<double> numbers) {
    const std::uint64_t count = numbers.size();
    return buffer(name, type, count, {.kind = Content::Kind::Values, .values = std::move(numbers)});
  }
  Launch& launch(const char* kernel, std::uint64_t items, std::uint64_t group, std::vector<Argument> arguments) {
    Launch& added = add_launch(plan, twin.source, kernel, items, group, std::move(arguments), defines);
    added.label = kernel;
    return added;
  }
  /// All of it: an input, a launch and an outcome.
  Plan one_launch(const char* kernel, std::uint64_t items, std::uint64_t group, ElementType type, Transform transform,
                  const char* result, double bound = 1e-5) {
    const auto [x, made] = arrays(type, result);
    launch(kernel, items, group, {x, made});
    return expecting(transform, "x", result, bound);
  }
  Plan expecting(Transform transform, const char* from, const char* to, double bound = 1e-5) {
    plan.expect.transform = transform;
    plan.expect.input = from;
    plan.expect.output = to;
    plan.expect.bound = bound;
    plan.expect.bound_reason = bound > 0 ? "single precision" : "nothing is rounded";
    return std::move(plan);
  }
};

Plan in_frequency(Family make) {
  const auto [x, spectrum] = make.arrays(ElementType::Float2, "X");
  const int stages = log2_of(make.n);
  for (int stage = 1; stage <= stages; ++stage)
    make.launch("dif_stage", make.n / 2, 64, {x, size_argument(make.n >> (stage - 1))}).stage = stage;
  make.launch("reorder", make.n, 64, {x, spectrum, int_argument(stages)});
  return make.expecting(Transform::Fft, "x", "X");
}

Plan stockham_in_place(Family make) {
  return make.one_launch("stockham", make.n / 2, make.n / 2, ElementType::Float2, Transform::Fft, "X");
}

Plan stale_parity(Family make) {
  const BufferArgument p = make.input("p", ElementType::Float2, make.n),
                       q = make.output("q", ElementType::Float2, make.n),
                       spectrum = make.output("X", ElementType::Float2, make.n);
  for (int stage = 1; stage <= log2_of(make.n); ++stage)
    make.launch("stockham_pass", make.n / 2, 64, {stage % 2 ? p : q, stage % 2 ? q : p, int_argument(1 << (stage - 1))})
        .stage = stage;
  make.launch("result", make.n, 64, {make.twin.right ? p : q, spectrum});
  return make.expecting(Transform::Fft, "p", "X");
}

Plan radix4_legs(Family make) {
  const BufferArgument p = make.input("p", ElementType::Float2, make.n),
                       q = make.output("q", ElementType::Float2, make.n);
  const int stages = log2_of(make.n) / 2;
  for (int stage = 1; stage <= stages; ++stage)
    make.launch("radix4_pass", make.n / 4, 64,
                {stage % 2 ? p : q, stage % 2 ? q : p, int_argument(1 << (2 * stage - 2))})
        .stage = stage;
  return make.expecting(Transform::Fft, "p", stages % 2 ? "q" : "p");
}

Plan radix8_constant(Family make) {
  const BufferArgument x = make.input("x", ElementType::Float2, 8 * make.n),
                       spectrum = make.output("X", ElementType::Float2, 8 * make.n);
  make.launch("eight_points", make.n, 64, {x, spectrum});
  make.plan.expect.points = 8;
  return make.expecting(Transform::Fft, "x", "X");
}

Plan prime_factors(Family make) {
  return make.one_launch("good_thomas", make.n, make.n, ElementType::Float2, Transform::Fft, "X");
}

Plan four_step(Family make) {
  const std::uint64_t rows = std::uint64_t(1) << (log2_of(make.n) / 2), columns = make.n / rows;
  make.define("ROWS", rows);
  make.define("COLUMNS", columns);
  const BufferArgument x = make.input("x", ElementType::Float2, make.n),
                       y = make.output("y", ElementType::Float2, make.n),
                       spectrum = make.output("X", ElementType::Float2, make.n);
  make.launch("columns", columns, columns, {x, y}).stage = 1;
  make.launch("rows", rows, rows, {y, spectrum}).stage = 2;
  return make.expecting(Transform::Fft, "x", "X");
}

Plan real_split_end(Family make) {
  make.define("H", make.n / 2);
  const BufferArgument x = make.input("x", ElementType::Float, make.n),
                       z = make.output("Z", ElementType::Float2, make.n / 2),
                       spectrum = make.output("X", ElementType::Float2, make.n / 2 + 1);
  make.launch("packed", make.n / 2, 64, {x, z});
  make.launch("split", make.n / 2, 64, {z, spectrum});
  return make.expecting(Transform::RealFft, "x", "X");
}

Plan dct_half_sample(Family make) {
  return make.one_launch("dct", make.n, divisor_up_to(make.n, 64), ElementType::Float, Transform::Dct2, "X");
}

Plan ntt_wrap(Family make) {
  constexpr std::uint64_t modulus = 998244353, generator = 3;
  std::uint64_t root = 1;
  for (std::uint64_t e = (modulus - 1) / make.n, base = generator; e > 0; e /= 2, base = base * base % modulus)
    if (e % 2) root = root * base % modulus;
  make.define("P", modulus);
  make.define("ROOT", root);
  make.plan.expect.modulus = modulus;
  make.plan.expect.root = root;
  return make.one_launch("ntt", make.n, 64, ElementType::UInt, Transform::Ntt, "X", 0);
}

Plan scan(Family make, bool exclusive) {
  make.plan.expect.exclusive = exclusive;
  return make.one_launch("scan", make.n, make.n, ElementType::Int, Transform::Scan, "y", 0);
}

Plan segment_end(Family make) {
  const std::uint64_t n = make.n;
  const auto at = [&](std::uint64_t eighths) {
    const std::uint64_t row = n * eighths / 8;
    return static_cast<double>(row);
  };
  const BufferArgument x = make.input("x", ElementType::Int, n),
                       rows = make.values("rows", ElementType::Int, {0, at(1), at(3), at(3), at(6), at(8)}),
                       sums = make.output("sums", ElementType::Int, 5);
  make.launch("segment_sums", 5, 5, {x, rows, sums});
  make.plan.expect.operand = "rows";
  return make.expecting(Transform::SegmentedSum, "x", "sums", 0);
}

Plan bitonic_direction(Family make) {
  return make.one_launch("bitonic", make.n / 2, make.n / 2, ElementType::Int, Transform::Sort, "y", 0);
}

Plan tile(Family make) {
  const BufferArgument x = make.input("x", ElementType::Float, make.n * make.n),
                       y = make.output("y", ElementType::Float, make.n * make.n);
  make.plan.buffers[x.buffer].shape = make.plan.buffers[y.buffer].shape = {make.n, make.n};
  make.launch("transpose", make.n * make.n, 64, {x, y});
  return make.expecting(Transform::Transpose, "x", "y", 0);
}

Plan missing_halo(Family make) {
  const auto [x, y] = make.arrays(ElementType::Float, "y");
  make.values("taps", ElementType::Float, {1, 2, 1});
  make.launch("smooth", make.n, 16, {x, y});
  make.plan.expect.operand = "taps";
  return make.expecting(Transform::Convolution, "x", "y");
}

Plan lockstep_sum(Family make) {
  const BufferArgument x = make.input("x", ElementType::Int, make.n), total = make.output("total", ElementType::Int, 1);
  make.launch("sum", 64, 64, {x, total});
  return make.expecting(Transform::Sum, "x", "total", 0);
}

Plan lost_update(Family make) {
  const BufferArgument values = make.input("values", ElementType::UInt, make.n),
                       bins = make.buffer("bins", ElementType::UInt, 16, {.kind = Content::Kind::Zero});
  make.launch("count", make.n, divisor_up_to(make.n, 64), {values, bins});
  return make.expecting(Transform::Histogram, "values", "bins", 0);
}

Plan tile_overtaken(Family make) {
  const BufferArgument x = make.input("x", ElementType::Int, make.n), y = make.output("y", ElementType::Int, 16);
  make.launch("turned_sums", 16, 16, {x, y});
  return std::move(make.plan);
}

Plan unawaited_copy(Family make) {
  make.defines = make.twin.defines();  // CUDA's headers for such copies have an N of their own
  const auto [x, y] = make.arrays(ElementType::Float, "y");
  make.launch("reverse_tiles", make.n, 16, {x, y});
  return std::move(make.plan);
}

Plan max_from_zero(Family make) {
  const BufferArgument x = make.input("x", ElementType::Float, make.n),
                       largest = make.output("largest", ElementType::Float, 1);
  make.launch("maximum", 1, 1, {x, largest});
  return make.expecting(Transform::Max, "x", "largest", 0);
}

Plan taps_forward(Family make) {
  const BufferArgument x = make.input("x", ElementType::Float, make.n),
                       taps = make.values("taps", ElementType::Float, {1, 3, -2}),
                       y = make.output("y", ElementType::Float, make.n);
  make.plan.buffers[taps.buffer].space = Space::Constant;
  make.launch("filter", make.n, divisor_up_to(make.n, 64), {x, taps, y});
  make.plan.expect.operand = "taps";
  return make.expecting(Transform::Convolution, "x", "y");
}

Plan table_too_short(Family make) {
  const BufferArgument x = make.input("x", ElementType::Float2, make.n),
                       w = make.buffer("w", ElementType::Float2, make.n / 2,
                                       {.kind = Content::Kind::Twiddles, .points = make.n}),
                       spectrum = make.output("X", ElementType::Float2, make.n);
  make.plan.buffers[w.buffer].space = Space::Constant;
  make.launch("dft", make.n, 64, {x, w, spectrum});
  return make.expecting(Transform::Fft, "x", "X");
}

Plan plain_ticket(Family make) {
  const BufferArgument x = make.input("x", ElementType::Int, make.n),
                       kept = make.buffer("kept", ElementType::Int, make.n, {.kind = Content::Kind::Zero}),
                       count = make.buffer("count", ElementType::Int, 1, {.kind = Content::Kind::Zero});
  make.launch("keep", make.n, divisor_up_to(make.n, 64), {x, kept, count, size_argument(make.n / 2)});
  return std::move(make.plan);
}

Plan half_updated(Family make) {
  const BufferArgument x = make.input("x", ElementType::Float2, make.n),
                       re = make.output("re", ElementType::Float, make.n),
                       im = make.output("im", ElementType::Float, make.n),
                       wanted_re = make.output("wanted_re", ElementType::Float, make.n),
                       wanted_im = make.output("wanted_im", ElementType::Float, make.n);
  const std::uint64_t group = divisor_up_to(make.n, 64);
  make.launch("planes", make.n, group, {x, re, im});
  make.launch("reference", make.n, group, {x, wanted_re, wanted_im});
  make.launch("turn", make.n, group, {re, im});
  make.plan.expect.operand = "wanted_im";
  return make.expecting(Transform::Equals, "", "im");
}

}  // namespace

std::vector<Exhibit> gallery_of_families() {
  return {
      {"dif-no-reversal", "Decimation in frequency without the reversal at its end", "No reversal at the end",
       "Decimation in frequency takes the points in order and leaves bin k in the place that has the bits of k "
       "reversed. Here the bins are copied as they are.",
       "wrong-value", powers(8, 4, 1024), "random:1", in_frequency},
      {"dif-early-twiddle", "The other decimation's twiddle", "The other decimation's twiddle",
       "Decimation in frequency multiplies the difference, w·(a − b). Multiplying b first is the butterfly of "
       "decimation in time.",
       "wrong-twiddle", powers(8, 4, 1024), "random:1", in_frequency},
      {"stockham-in-place", "A Stockham pass within one array", "Stockham in one array",
       "A pass writes its results in another order than it reads its points, so that an item overwrites what another "
       "has yet to read: two arrays, or a barrier between reading and writing.",
       "race", powers(16, 4, 512), "random:1", stockham_in_place},
      {"stale-parity", "The array of the pass before", "The array of the pass before",
       "Passes go to and fro between two arrays. After an even number of them the result is where it began; the copy "
       "at the end takes the other array, which the last pass but one wrote.",
       "wrong-value", powers(16, 4, 1024, 4), "random:1", stale_parity},
      {"radix4-legs", "Two legs of radix 4 exchanged", "Two legs exchanged",
       "The second output takes −i·(b − d), the fourth +i·(b − d); with the signs exchanged two of four bins change "
       "places in every butterfly.",
       "wrong-value", powers(16, 16, 1024, 4), "random:1", radix4_legs},
      {"radix8-constant", "A sign in w_8^3", "A sign in a constant",
       "w_8^3 is (−√½, −√½). Written with the first sign wrong it is w_8, and half of the odd bins are wrong.",
       "wrong-value", any(4, 1, 256), "random:1", radix8_constant, "any number of transforms from 1 to 256"},
      {"prime-factors", "The factors of an index exchanged", "Factors exchanged",
       "Good and Thomas order 15 points by (5a + 3b) mod 15, a below 3 and b below 5. By (3a + 5b) mod 15 some are "
       "taken twice and others never.",
       "missing-operation", any(15, 15, 15), "random:1", prime_factors, "15 points"},
      {"four-step-untwisted", "Four steps without the second", "The twiddles between forgotten",
       "Columns, twiddles, rows, transposition: without the factors w_N^(row · column) what comes out is the transform "
       "of a picture.",
       "wrong-twiddle", powers(16, 4, 256, 4), "random:1", four_step},
      {"real-split-end", "The mirror image of bin 0", "The mirror image of bin 0",
       "The bins of a real transform are made of Z[k] and Z[N/2 − k]. For k = 0 that is Z[N/2], one past the end; Z is "
       "periodic, and Z[0] is meant.",
       "out-of-bounds", powers(16, 4, 256), "random:1", real_split_end},
      {"dct-half-sample", "A cosine transform without its half sample", "Half a sample",
       "The DCT-II takes the cosines at n + ½. At n it is another transform: the first coefficient is right and no "
       "other.",
       "wrong-value", any(8, 2, 256), "random:1", dct_half_sample},
      {"ntt-wrap", "A product that wraps before its remainder", "A product too wide",
       "Two numbers below a modulus of 30 bits have a product of 60. In 32 bits its upper half is gone before the "
       "remainder is taken.",
       "wrong-value", powers(8, 4, 64), "random:1", ntt_wrap},
      {"scan-in-place", "A scan that reads what others write", "A scan within one row",
       "Every item adds its neighbour at distance d. Whether that one has added its own before is not decided: the "
       "sums that come out are too large here and there.",
       "race", powers(32, 4, 512), "random:1", [](Family make) { return scan(std::move(make), false); }},
      {"scan-shifted", "Inclusive for exclusive", "Inclusive for exclusive",
       "An exclusive scan leaves out the element itself. Used as offsets, the inclusive sums are all one element late.",
       "wrong-value", powers(32, 4, 512), "random:1", [](Family make) { return scan(std::move(make), true); }},
      {"segment-end", "A segment and one element more", "One element more",
       "The loop runs up to the next segment's first element and counts it in. The last segment reads past the end.",
       "out-of-bounds", any(24, 8, 1024), "random:1", segment_end},
      {"bitonic-direction", "A bitonic sort's direction by the wrong bit", "The wrong direction",
       "Runs are sorted up and down in turn so that two make a bitonic one. The direction is a matter of the run's "
       "size, and the bit that is asked is that of the stride.",
       "wrong-value", powers(16, 8, 512), "random:1", bitonic_direction},
      {"tile-as-it-was", "Tiles transposed, elements not", "Tiles not turned",
       "Each tile goes to its mirrored place, and is written there as it was read.", "wrong-value", powers(16, 8, 256),
       "ramp", tile},
      {"tile-no-barrier", "A tile read before it is there", "No barrier after the tile",
       "An item reads the column that others load. Without a barrier nothing says that they have.", "race",
       powers(16, 8, 256), "ramp", tile},
      {"missing-halo", "A tile without its halo", "No halo",
       "A filter of three taps needs one element on either side of the tile. Nothing loads them, and local memory "
       "begins with what was there before.",
       "uninitialised-read", powers(64, 16, 1024), "random:1", missing_halo},
      {"lockstep-sum", "Lanes believed to go in step", "Lanes in step",
       "The last rounds of a sum without barriers: right on machines where 32 items execute one instruction together, "
       "and on no others.",
       "race", any(100, 64, 4096), "ramp", lockstep_sum},
      {"lost-update", "A counter without an atomic operation", "A lost update",
       "Reading, adding and writing are three steps. What another item adds between the first and the last is lost.",
       "race", any(64, 2, 4096), "sawtooth:16", lost_update},
      {"tile-overtaken", "A tile filled again too early", "A tile overtaken",
       "Without a barrier at the end of the round the fast items fill the tile that the slow ones still read.", "race",
       powers(64, 32, 1024), "ramp", tile_overtaken},
      {"unawaited-copy", "An asynchronous copy that is not waited for", "A copy not waited for",
       "The copy is on its way while the items read from where it will arrive.", "race", powers(64, 16, 1024), "ramp",
       unawaited_copy},
      {"max-from-zero", "A maximum that begins with zero", "A maximum from zero",
       "No negative value is larger than the 0 that it begins with.", "wrong-value", any(16, 1, 256), "constant:-3",
       max_from_zero},
      {"taps-forward", "A correlation for a convolution", "Taps the wrong way round",
       "A convolution takes h[k] · x[i − k]. In the same direction through both it is a correlation: right for "
       "symmetric filters and for no others.",
       "wrong-value", any(24, 4, 1024), "random:1", taps_forward},
      {"table-too-short", "A table of half a turn", "A table too short",
       "Butterflies want w^0 … w^(N/2 − 1), and the table has them. The transform by its definition wants all N.",
       "out-of-bounds", powers(16, 4, 256), "random:1", table_too_short},
      {"plain-ticket", "A ticket without an atomic operation", "A plain ticket",
       "Two items read the same counter, take the same place, and one value is lost.", "race", any(64, 4, 4096), "ramp",
       plain_ticket},
      {"half-updated", "A complex product that reads its own result", "Half updated",
       "The real part is written before the imaginary part has read the old one.", "wrong-value", any(16, 2, 1024),
       "random:1", half_updated},
  };
}

}  // namespace twiddle
