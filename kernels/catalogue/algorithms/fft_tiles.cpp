// fft-batch, fft-blocks, fft-two-pass and fft-engine: transforms by passes over tiles that fit into a work-group's local memory.
#include "base/error.h"
#include "base/message.h"
#include "base/tr.h"
#include "kernels/catalogue/builder.h"
#include "kernels/catalogue/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace twiddle {

std::vector<std::string> tile_defines(const Plan& plan, const TransformOptions& options) {
  std::vector<std::string> defines = options.defines();
  defines.push_back(fmt::format("SIGN={}", options.sign));
  const auto twiddles = plan.parameters.find("twiddles");
  if (twiddles != plan.parameters.end() && twiddles->second == "products") defines.emplace_back("PRODUCTS");
  if (twiddles != plan.parameters.end() && twiddles->second == "shared") defines.emplace_back("TOGETHER");
  if (options.recurrence) defines.emplace_back("RECURRENCE");
  return defines;
}

std::string pass_name(int number) {
  static constexpr std::array<const char*, 7> names = {
      translatable("first pass"), translatable("second pass"), translatable("third pass"),  translatable("fourth pass"),
      translatable("fifth pass"), translatable("sixth pass"),  translatable("seventh pass")};
  return names.at(static_cast<std::size_t>(number) - 1);
}

Parameter tile_twiddles(bool shared) {
  if (shared)
    return {
        "twiddles", "exact | products | shared | native | recurrence", "exact",
        "sine and cosine to the last bits, products of two of them, the same of factors that a group computes once, "
        "the hardware's quick ones, or each from the one before"};
  return {"twiddles", "exact | products | native | recurrence", "exact",
          "sine and cosine to the last bits, products of two of them, the hardware's quick ones, or each from the one "
          "before"};
}

Message in_its_place(const std::string& asked, std::uint64_t needed, const Request& request, const std::string& taken) {
  return Message("{} needs {} bytes of local memory a work-group, and the device has {}: {} takes its place", asked,
                 needed, request.local_bytes, taken);
}

namespace {

constexpr std::uint64_t usual_each = 16;    // points in an item's registers
constexpr std::uint64_t max_tile_bits = 9;  // of fft-blocks: 512 points
constexpr std::uint64_t engine_processors = 128, box_rows = 256;
constexpr std::uint64_t sector_bytes = 32;  // that columns beside each other make
constexpr std::uint64_t large_blocks = std::uint64_t(1) << 25, large_blocks_bytes = std::uint64_t(72) << 10;
constexpr std::uint64_t own_bytes = 32;  // that a compiler adds
constexpr std::uint64_t max_batch_points = 4096, max_batch_rows = 65536 * 4;

// How a pass reads or writes its lines: see fft_tiles.cu.
enum class Layout { Columns, Rows, Tiles };

// Factors of which registers.h makes the powers of a root below `radix`, in items of `each` points.
std::uint64_t factors(std::uint64_t radix, std::uint64_t each) {
  const std::uint64_t near = each > 16 ? 8 : 4;
  return radix <= near ? radix - 1 : near - 2 + radix / near;
}

struct Pass {
  Layout from = Layout::Columns, to = Layout::Columns;
  std::uint64_t points = 0;  // of a line
  std::uint64_t count = 1;   // lines of a work-group
  std::uint64_t tile = 1;    // lines of a work-group in the next pass, to which Tiles are written
  std::uint64_t done = 1;    // points of the transforms that the pass merges
  bool before = false, after = false;
  bool dependent = false;  // not the first launch
  bool products = false;   // where the plan says shared: a group's factors would take longer than its items' own
  std::uint64_t processors =
      0;  // groups that do several tiles each, and have the next one fetched ahead; 0: a group a tile
  std::uint64_t resident = 0;           // groups on a processor, where it is not the kernel's own choice
  std::uint64_t max_each = usual_each;  // points of an item

  std::uint64_t each() const { return std::min(max_each, points); }
  std::uint64_t items() const { return points / each() * count; }
  bool exchanges() const { return points > each() || to_rows() || processors > 0; }
  bool to_rows() const { return to == Layout::Rows && from != Layout::Rows; }
  // Of all rounds after the first; one at least, so that there is an array.
  std::uint64_t factors_inside() const {
    std::uint64_t sum = 0;
    for (std::uint64_t merged = each(); merged < points; merged *= each())
      sum += factors(std::min(points / merged, each()), each()) * merged;
    return std::max<std::uint64_t>(sum, 1);
  }
  std::uint64_t local_elements() const {
    if (!exchanges()) return 1;
    const std::uint64_t padded = points + points / each();
    const bool apart = from == Layout::Rows && to == Layout::Rows;
    const std::uint64_t exchanged = !apart && count >= 16 ? points * (count + 1) : padded * count;
    if (processors == 0) return exchanged;
    return (padded * count + 15) / 16 * 16 + points / 2 * count;  // and half of the next tile
  }
};

// Lines that make a group of so many items, as far as there are so many.
std::uint64_t lines_of(std::uint64_t points, std::uint64_t group, std::uint64_t lines,
                       std::uint64_t max_each = usual_each) {
  return std::clamp<std::uint64_t>(group * std::min(max_each, points) / points, 1, lines);
}

class Tiles {
 public:
  Tiles(Plan& plan, const TransformOptions& options, std::uint64_t elements, std::uint64_t points)
      : plan_(plan), options_(options), elements_(elements), points_(points) {
    from_ = add_input(plan, "x", options.complex(), elements);
    to_ = add_output(plan, "y", options.complex(), elements);
  }
  /// Of an array that the plan has already, as its first buffer, and as large a second one.
  Tiles(Plan& plan, const TransformOptions& options, std::uint64_t elements)
      : plan_(plan), options_(options), elements_(elements), points_(elements), to_(1) {}
  std::size_t result() const { return from_; }

  Launch& add(const Pass& pass) {
    std::vector<std::string> defines = tile_defines(plan_, options_);
    if (pass.products) std::replace(defines.begin(), defines.end(), std::string("TOGETHER"), std::string("PRODUCTS"));
    const auto define = [&](const char* name, auto value) { defines.push_back(fmt::format("{}={}", name, value)); };
    define("FROM", name_of(pass.from));
    define("TO", name_of(pass.to));
    define("POINTS", pass.points);
    define("LOG2_POINTS", log2_of(pass.points));
    define("EACH", pass.each());
    define("LOG2_EACH", std::max(1, log2_of(pass.each())));
    define("COUNT", pass.count);
    define("TILE", pass.tile);
    if (pass.before) defines.emplace_back("BEFORE");
    if (pass.after) defines.emplace_back("AFTER");
    if (pass.dependent) defines.emplace_back("DEPENDENT");
    if (pass.resident > 0) define("RESIDENT", pass.resident);
    if (std::find(defines.begin(), defines.end(), "TOGETHER") != defines.end()) {
      define("INSIDE", pass.factors_inside());
      if (pass.after) define("BETWEEN", factors(pass.each(), pass.each()) * pass.count);
    }
    std::vector<Argument> arguments{BufferArgument{from_}, BufferArgument{to_}};
    std::uint64_t groups = elements_ / (pass.points * pass.count);
    if (pass.processors > 0) {
      const std::uint64_t rows = std::min(box_rows, pass.points / 2);
      groups = std::min(groups, pass.processors);
      defines.emplace_back("AHEAD");
      define("BOX", rows);
      arguments.push_back(BufferArgument{.buffer = from_,
                                         .boxes = Boxes{elements_ / pass.points, static_cast<std::uint32_t>(pass.count),
                                                        static_cast<std::uint32_t>(rows)}});
    }
    const std::size_t bytes = pass.local_elements() * traits(options_.complex()).bytes;
    arguments.insert(arguments.begin() + 2, LocalArgument{bytes});
    std::uint64_t all = bytes;
    if (std::find(defines.begin(), defines.end(), "TOGETHER") != defines.end())
      all += (pass.factors_inside() + (pass.after ? factors(pass.each(), pass.each()) * pass.count : 0)) *
             traits(options_.complex()).bytes;
    plan_.group_bytes = std::max(plan_.group_bytes, all + own_bytes);
    arguments.push_back(size_argument(points_));
    arguments.push_back(size_argument(pass.done));
    Launch& launch = add_launch(plan_, "fft_tiles", "fft_tiles", groups * pass.items(), pass.items(),
                                std::move(arguments), std::move(defines));
    std::swap(from_, to_);
    return launch;
  }

 private:
  static const char* name_of(Layout layout) {
    return layout == Layout::Columns ? "COLUMNS" : layout == Layout::Rows ? "ROWS" : "TILES";
  }

  Plan& plan_;
  const TransformOptions& options_;
  std::uint64_t elements_, points_;
  std::size_t from_ = 0, to_ = 0;
};

TransformOptions tile_options(const Request& request, Plan& plan, bool shared = false) {
  if (shared)
    return transform_options(request, plan, {"float", "double"},
                             {"exact", "products", "shared", "native", "recurrence"});
  return transform_options(request, plan, {"float", "double"}, {"exact", "products", "native", "recurrence"});
}

Plan build_batch(const Request& request) {
  Plan plan;
  const std::uint64_t n = power_size("n", request.n, 64, 2, max_batch_points);
  const std::uint64_t rows = whole_size("rows", request.rows, 2, 1, max_batch_rows);
  const std::uint64_t group = power_size("group-size", request.group_size, 64, 1, 256);
  const TransformOptions options = tile_options(request, plan);
  if (options.double_precision && n == max_batch_points)
    throw usage_error("{} points in double precision do not fit into 48 KiB of local memory: take {}", n, n / 2);
  plan.title = Message("FFT of {} rows of {} points, each in one work-group{}", rows, n, options.title_end());
  take_signal(plan, request, "ramp", {{"n", n}, {"rows", rows}, {"group-size", group}});

  Tiles tiles(plan, options, rows * n, n);
  plan.buffers[0].shape = plan.buffers[1].shape = {rows, n};
  Pass pass{.from = Layout::Rows, .to = Layout::Rows, .points = n};
  const std::uint64_t even = rows & (~rows + 1);  // the largest power of two that divides the rows
  pass.count = lines_of(n, group, even);
  // Large rows want more threads on a multiprocessor rather than more registers each: see the kernel.
  if (n == max_batch_points && !options.double_precision) pass.resident = 1024 / pass.items();
  tiles.add(pass).label = translatable("rows");
  end_transform(plan, options, tiles.result(), rows * n, n, 256);
  plan.expect.points = n;
  return plan;
}

// Bits of the passes: as few passes as there can be, and as alike as they can be, the larger ones first.
std::vector<std::uint64_t> pass_bits(std::uint64_t bits, std::uint64_t max_bits) {
  const std::uint64_t passes = (bits + max_bits - 1) / max_bits;
  std::vector<std::uint64_t> all(passes, bits / passes);
  for (std::uint64_t i = 0; i < bits % passes; ++i) ++all[i];
  return all;
}

bool fits(const Plan& plan, const Request& request) {
  return request.local_bytes == 0 || plan.group_bytes <= request.local_bytes;
}

// What runs in place of a plan that does not fit: the next rung down.
Plan next_rung(const Plan& plan, const Request& request, const std::string& asked, const std::string& taken,
               const char* algorithm, Plan (*build)(const Request&), Request next) {
  next.algorithm = algorithm;
  next.group_size.reset();
  Plan other = build(next);
  if (other.algorithm.empty()) other.algorithm = algorithm;
  other.notes.insert(other.notes.begin(), in_its_place(asked, plan.group_bytes, request, taken));
  return other;
}

Plan build_blocks(const Request& request) {
  Plan plan;
  const std::uint64_t n = power_size("n", request.n, 256, 2, std::uint64_t(1) << 27);
  const TransformOptions options = tile_options(request, plan);
  // Tiles of 512 points and of 16 columns, which are 128 bytes, are best where passes have so many, and need 70 KiB.
  const bool large = n >= large_blocks && request.local_bytes >= large_blocks_bytes;
  const std::uint64_t group = power_size("group-size", request.group_size,
                                         options.double_precision ? 128
                                         : large                  ? 512
                                                                  : 256,
                                         1, 1024);
  plan.title = Message("FFT of {} points by tiles of at most 512{}", n, options.title_end());
  take_signal(plan, request, "ramp", {{"n", n}, {"group-size", group}});

  Tiles tiles(plan, options, n, n);
  std::uint64_t done = 1;
  int number = 0;
  for (const std::uint64_t bits : pass_bits(static_cast<std::uint64_t>(log2_of(n)), max_tile_bits)) {
    Pass pass{.points = std::uint64_t(1) << bits, .done = done, .before = done > 1};
    if (done == 1) pass.to = Layout::Rows;
    if (pass.points == n) pass.from = Layout::Rows;
    pass.count = lines_of(pass.points, group, n / pass.points);
    if (pass.items() == 512 && !options.double_precision) pass.resident = 2;  // one of two can wait
    tiles.add(pass).label = pass_name(++number);
    done *= pass.points;
  }
  end_transform(plan, options, tiles.result(), n, n, 256);
  if (!fits(plan, request) && group > 32) {
    Request smaller = request;
    smaller.group_size = group / 2;
    Plan other = build_blocks(smaller);
    other.notes = {in_its_place(fmt::format("fft-blocks --group-size {}", group), plan.group_bytes, request,
                                "--group-size " + other.parameters["group-size"])};
    return other;
  }
  return plan;
}

Plan build_two_pass(const Request& request) {
  Plan plan;
  const std::uint64_t n = power_size("n", request.n, 256, 4, std::uint64_t(1) << 24);
  const TransformOptions options = tile_options(request, plan, true);
  const auto bits = static_cast<std::uint64_t>(log2_of(n));
  const std::uint64_t rows = std::uint64_t(1) << (bits + 1) / 2, columns = n / rows;
  // Four columns a group, which are 32 bytes: whole sectors. What is more than 48 KiB needs a GPU that has it.
  const auto given = request.more.find("points-per-item");
  const std::string points =
      one_of("points-per-item", given == request.more.end() ? "" : given->second, {"16", "32", "64"});
  const std::uint64_t each = points == "64" ? 64 : points == "32" ? 32 : 16;
  // Half as many items each with twice as much: eight columns then, so that there are as many in a group.
  const std::uint64_t usual = std::clamp<std::uint64_t>((each == 32 && bits <= 20 ? 8 : 4) * rows / each, 1, 1024);
  const std::uint64_t group =
      power_size("group-size", request.group_size,
                 options.double_precision ? std::max<std::uint64_t>({usual / 2, rows / each, 1}) : usual, 1, 1024);
  plan.title = Message("FFT of {} points in two passes{}", n, options.title_end());
  take_signal(plan, request, "ramp", {{"n", n}, {"group-size", group}});

  plan.parameters["points-per-item"] = points;

  Tiles tiles(plan, options, n, n);
  Pass first{.to = Layout::Tiles, .points = rows, .after = true, .max_each = each};
  first.count = lines_of(rows, group, columns, each);
  Pass second{.from = Layout::Tiles, .points = columns, .done = rows, .max_each = each};
  second.count = first.tile = lines_of(columns, group, rows, each);
  second.dependent = true;
  tiles.add(first).label = pass_name(1);
  tiles.add(second).label = pass_name(2);
  end_transform(plan, options, tiles.result(), n, n, 256);
  if (fits(plan, request)) return plan;
  Request next = request;
  if (request.group_size)
    return next_rung(plan, request, fmt::format("fft-two-pass --group-size {}", group), "fft-two-pass", "fft-two-pass",
                     build_two_pass, next);
  next.more.erase("points-per-item");
  if (each > usual_each)
    return next_rung(plan, request, fmt::format("fft-two-pass --points-per-item {}", each),
                     fmt::format("fft-two-pass --points-per-item {}", usual_each), "fft-two-pass", build_two_pass,
                     next);
  if (next.twiddles == "shared") next.twiddles = "products";
  return next_rung(plan, request, "fft-two-pass", "fft-blocks", "fft-blocks", build_blocks, next);
}

// Lines of a group of the engine's passes: sectors, whole.
std::uint64_t engine_lines(const TransformOptions& options) { return sector_bytes / traits(options.complex()).bytes; }
std::uint64_t engine_each(const TransformOptions& options) { return options.double_precision ? 16 : 64; }

std::uint64_t processors_of(const Request& request, Plan& plan) {
  const std::uint64_t processors =
      whole_size("processors", extra_number(request, "processors"), engine_processors, 1, 65536);
  plan.parameters["processors"] = fmt::format("{}", processors);
  return processors;
}

Plan build_engine(const Request& request) {
  Plan plan;
  const std::uint64_t n = power_size("n", request.n, 256, 64, std::uint64_t(1) << 24);
  const TransformOptions options = transform_options(request, plan, {"float", "double"}, {});
  const auto bits = static_cast<std::uint64_t>(log2_of(n));
  const std::uint64_t rows = std::uint64_t(1) << (bits + 1) / 2, columns = n / rows;
  plan.title = Message("FFT of {} points in two passes, fetched ahead{}", n, options.title_end());
  take_signal(plan, request, "ramp", {{"n", n}});
  plan.parameters["twiddles"] = "shared";
  const std::uint64_t processors = processors_of(request, plan);

  Tiles tiles(plan, options, n, n);
  Pass first{.to = Layout::Tiles, .points = rows, .after = true, .max_each = engine_each(options)};
  first.count = first.tile = engine_lines(options);
  first.processors = processors;
  Pass second = first;
  second.from = Layout::Tiles;
  second.to = Layout::Columns;
  second.points = columns;
  second.done = rows;
  second.after = false;
  second.dependent = true;
  tiles.add(first).label = pass_name(1);
  tiles.add(second).label = pass_name(2);
  end_transform(plan, options, tiles.result(), n, n, 256);
  if (fits(plan, request)) return plan;
  Request next = request;
  next.more.erase("processors");
  next.twiddles = "shared";
  return next_rung(plan, request, "fft-engine", "fft-two-pass", "fft-two-pass", build_two_pass, next);
}

Algorithm describe_tiles(const char* id, const char* title, const char* about) {
  return {.id = id,
          .order = 250,
          .title = title,
          .origin = "CUDA",
          .about = about,
          .operations = "4.25 N log2 N",
          .accuracy = transform_accuracy(true)};
}

}  // namespace

void append_fft2d_tiles(Plan& plan, const TransformOptions& options, std::uint64_t rows, std::uint64_t columns,
                        bool engine, std::uint64_t processors, std::uint64_t max_columns) {
  Tiles tiles(plan, options, rows * columns);
  constexpr std::uint64_t beside_rows = 2, max_short_column = 1024;  // of which a group has twice as many
  // The rows are written in the tiles that the columns are read in. Two rows a group make pieces of 64 bytes, and leave two
  // groups to a multiprocessor where rows are large.
  Pass across{.from = Layout::Rows, .to = Layout::Tiles, .points = columns};
  Pass down{.from = Layout::Tiles, .points = rows, .done = columns, .dependent = true};
  if (engine) {
    across.count = std::max(lines_of(columns, 64, rows), std::min<std::uint64_t>(beside_rows, rows));
    across.products = true;
    across.resident = std::max<std::uint64_t>(1024 / std::max<std::uint64_t>(across.items(), 32), 1);
    down.processors = processors;
    down.max_each = engine_each(options);
    down.count = across.tile = std::min(engine_lines(options), max_columns);
  } else {
    down.max_each = options.double_precision ? 16 : 32;
    across.count = max_columns < 4 ? 1 : std::min<std::uint64_t>(beside_rows, rows);
    across.products = columns > max_short_column;
    down.products = max_columns == 1;  // as little local memory as there can be
    const std::uint64_t usual = engine_lines(options) * (rows <= max_short_column ? 2 : 1);
    down.count = across.tile = std::min({usual, max_columns, columns});
  }
  tiles.add(across).label = translatable("rows");
  tiles.add(down).label = translatable("columns");
}

std::vector<Algorithm> algorithms_of_fft_tiles() {
  Algorithm batch = describe_tiles(
      "fft-batch", "FFT of many rows, each in registers and local memory",
      "A row is read once and written once: each work-item holds sixteen of its points in registers, and between "
      "rounds of radix 16 the items of a row exchange them through local memory, padded so that no banks collide. 1024 "
      "points are 16·16·4. As fast as a copy, where there are rows enough.");
  batch.parameters = parameters::of_transform({parameters::n("power of two, 2 … 4096", "64"),
                                               {"rows", "any number, 1 … 262144", "2", "how many rows of n points"}},
                                              tile_twiddles(), {parameters::group_size("power of two, 1 … 256", "64")});
  batch.sizes = "rows of a power of two from 2 to 4096 points, in double precision to 2048";
  batch.launches = "1, and 1 more for the inverse; 2 epochs for the first exchange of a row, 2 for each other";
  batch.build = build_batch;

  Algorithm blocks = describe_tiles("fft-blocks", "FFT by tiles in local memory, a few passes",
                                    "The radix of a pass is that of a whole tile: a work-group takes 16 or more "
                                    "neighbouring columns of up to 512 points, transforms them in registers and local "
                                    "memory, and writes them in Stockham's order. 2^24 points are 256·256·256: three "
                                    "passes over memory.");
  blocks.parameters =
      parameters::of_transform({parameters::n("power of two, 2 … 2^27", "256")}, tile_twiddles(),
                               {parameters::group_size("power of two, 1 … 1024",
                                                       "256, in double precision 128; from 2^25 points 512, where a "
                                                       "work-group may have 72 KiB of local memory")});
  blocks.sizes = "powers of two from 2 to 2^27";
  blocks.launches = "1 to 512 points, 2 to 2^18, else 3, and 1 more for the inverse; each exchange ends an epoch";
  blocks.build = build_blocks;

  Algorithm two_pass = describe_tiles(
      "fft-two-pass", "FFT in two passes, with tiles between them",
      "N = R·C: columns of R points, twiddles, then rows of C points. The array between the passes is cut into the "
      "tiles that the second pass reads, so that it reads in a row and the first writes whole pieces. Fewer bytes than "
      "three passes, but beyond 2^20 points a work-group is as large as can be, and nothing fills its waiting.");
  two_pass.parameters =
      parameters::of_transform({parameters::n("power of two, 4 … 2^24", "256")}, tile_twiddles(true),
                               {{"points-per-item", "16 | 32 | 64", "16",
                                 "in registers: with 32, 1024 points are 32·32, and with 64, 4096 points are 64·64: "
                                 "one exchange instead of two"},
                                parameters::group_size("power of two, 1 … 1024",
                                                       "so many that a group has four columns, with 32 points eight")});
  two_pass.sizes =
      "powers of two from 4 to 2^24; beyond 2^20 the device needs 70 to 139 KiB of local memory (take "
      "fft-blocks where it has less)";
  two_pass.launches = "2, and 1 more for the inverse; each exchange ends an epoch";
  two_pass.build = build_two_pass;

  Algorithm engine = describe_tiles(
      "fft-engine", "FFT in two passes, the next tile fetched ahead",
      "One work-group a processor takes tile after tile. While it works, the copy engine that NVIDIA's GPUs have since "
      "Hopper brings the next: half of it beside the elements that are exchanged, the other half in their place once "
      "they are. 4096 points are 64·64 in registers, and what roots have in common is computed once, in shared "
      "memory.");
  engine.parameters = parameters::of_transform(
      {parameters::n("power of two, 64 … 2^24", "256")}, {},
      {{"processors", "any number, 1 … 65536", "128",
        "work-groups, each for tile after tile: as many as the device has processors are best"}});
  engine.sizes =
      "powers of two from 64 to 2^24, with CUDA on GPUs of compute capability 9.0 and newer; OpenCL has no copy "
      "engine, and "
      "each item brings its points itself";
  engine.launches = "2, and 1 more for the inverse; each tile has several epochs";
  engine.build = build_engine;
  return {batch, blocks, two_pass, engine};
}

}  // namespace twiddle
