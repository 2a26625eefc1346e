#include "tracer/bench/bench_paper.h"

#include "kernels/catalogue/catalogue.h"
#include "kernels/catalogue/parts.h"
#include "kernels/catalogue/reference.h"
#include "tracer/run/plan_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace twiddle {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
/// Two times that differ by less than this factor are called the same.
constexpr double same = 1.05;

// What was published. Sizes, then figures.
constexpr std::uint64_t histogram_values = 2097152, ladder_numbers = std::uint64_t(1) << 22, picture_side = 1024;

struct PublishedRung {
  const char* algorithm;  // null: a step that no kernel of the catalogue takes alone
  const char* what;
  double milliseconds, gigabytes_a_second;
};
constexpr PublishedRung published_ladder[] = {
    {"reduce-interleaved", "interleaved, divergent", 8.05, 2.1},
    {"reduce-strided", "strided, bank conflicts", 3.46, 4.9},
    {"reduce-sequential", "sequential addressing", 1.72, 9.7},
    {"reduce-first-add", "first addition while loading", 0.97, 17.4},
    {nullptr, "last warp unrolled (part of the next)", 0.54, 31.3},
    {"reduce-unrolled", "completely unrolled", 0.38, 44.0},
    {"reduce-grid-stride", "many elements an item", 0.27, 62.7},
};

struct PublishedTransform {
  const char* transform;
  const char* what;
  double milliseconds, gigaflops;  // by the transform's own count of operations
  double operations;               // of N log2 N
};
constexpr PublishedTransform published_transforms[] = {
    {"stockham2", "Stockham, radix 2", 4.03, 26.0, 5},
    {"stockham4", "Stockham, radix 4", 1.74, 51.2, 4.25},
    {"radix4", "Cooley-Tukey, radix 4", 1.15, 77.4, 4.25},
};

struct PublishedSaving {
  std::uint64_t side;
  double percent;
};
constexpr PublishedSaving published_savings[] = {{128, 39.286}, {512, 41.67}};
constexpr double published_time_saving = 30;

struct Measured {
  double nanoseconds = 0;  // of all launches, in the quickest pass
  bool correct = false;
  std::vector<std::byte> output;
};

Request request_of(const std::string& algorithm, std::uint64_t n) {
  Request request;
  request.algorithm = algorithm;
  request.n = n;
  return request;
}

Request request_of_square(const std::string& algorithm, std::uint64_t side) {
  Request request;
  request.algorithm = algorithm;
  request.rows = request.columns = side;
  request.signal = "random:1";
  return request;
}

class Bench {
 public:
  Bench(Runtime& runtime, const PaperOptions& options, const Progress& progress)
      : runtime_(runtime), options_(options), progress_(progress) {}

  PaperBench run() {
    const DeviceInfo& device = runtime_.device();
    PaperBench bench{device.runtime, device.name, device.driver, device.kind, options_.small, {}};
    for (const auto part : {&Bench::histogram, &Bench::ladder, &Bench::radix, &Bench::packing}) {
      PaperTable table = (this->*part)();
      if (cancelled_) return bench;
      if (!table.correct)
        table.remarks.insert(table.remarks.begin(),
                             "Not every outcome was right, so that these times are of something else.");
      bench.tables.push_back(std::move(table));
    }
    if (progress_) progress_(1, {});
    return bench;
  }

 private:
  static constexpr int measurements = 1 + 7 + 6 + 4;

  bool on_cpu() const { return runtime_.device().kind == "cpu"; }

  Measured measure(const Request& request) {
    Measured measured;
    if (cancelled_) return measured;
    const std::string what = request.algorithm + (request.method.empty() ? "" : " " + request.method);
    if (progress_ && !progress_(static_cast<double>(done_++) / measurements, Message::verbatim(what))) {
      cancelled_ = true;
      return measured;
    }
    const Plan plan = make_plan(request);
    std::vector<std::vector<std::byte>> contents;
    PlanRun run(plan, runtime_,
                [&](int, std::span<const std::byte> bytes) { contents.emplace_back(bytes.begin(), bytes.end()); });
    measured.nanoseconds = std::numeric_limits<double>::infinity();
    for (int pass = 0; pass < options_.passes; ++pass) {
      for (std::size_t b = 0; b < contents.size(); ++b) runtime_.upload(run.handle(b), 0, contents[b]);
      double sum = 0;
      for (const Launch& launch : plan.launches) sum += run.run(launch);
      measured.nanoseconds = std::min(measured.nanoseconds, sum);
    }
    const auto place = [&](const std::string& name) {
      return static_cast<std::size_t>(plan.buffer_named(name) - plan.buffers.data());
    };
    measured.output = run.download(place(plan.expect.output));
    measured.correct = verify(plan, contents[place(plan.expect.input)], measured.output).pass;
    return measured;
  }

  PaperTable histogram() {
    const std::uint64_t n = options_.small ? histogram_values >> 5 : histogram_values;
    PaperTable table;
    table.id = "histogram";
    table.title = fmt::format("Histogram of i mod 16, {} values in groups of 128 (histogram-local)", n);
    table.source = "published: 64 groups of 128 items with 256 values each: 131,072 in each of the bins 0 to 15";
    table.columns = {{"published", options_.small ? "n / 16" : "published", 0}, {"measured", "measured", 0}};
    Request request = request_of("histogram-local", n);
    request.group_size = 128;
    const Measured measured = measure(request);
    table.correct = measured.correct;
    const auto bin = [&](std::size_t b) { return component(ElementType::UInt, measured.output.data() + 4 * b, 0); };
    double fewest = std::numeric_limits<double>::infinity(), most = 0, elsewhere = 0;
    for (std::size_t b = 0; 4 * b < measured.output.size(); ++b) {
      if (b >= 16) {
        elsewhere += bin(b);
        continue;
      }
      fewest = std::min(fewest, bin(b));
      most = std::max(most, bin(b));
    }
    const std::uint64_t in_each = n / 16;
    const auto expected = static_cast<double>(in_each);
    table.rows = {{"fewest in one of the bins 0-15", {expected, fewest}},
                  {"most in one of the bins 0-15", {expected, most}},
                  {"in the bins 16-255 together", {0, elsewhere}}};
    table.reproduced = fewest == expected && most == expected && elsewhere == 0;
    table.remarks.push_back(table.reproduced ? "Reproduced, count by count."
                                             : "Not reproduced: the counts differ, and counts are exact.");
    return table;
  }

  PaperTable ladder() {
    const std::uint64_t n = options_.small ? ladder_numbers >> 6 : ladder_numbers;
    PaperTable table;
    table.id = "ladder";
    table.title = fmt::format("The ladder of reductions, {} ints in groups of {}", n, ladder_group);
    table.source = "published: 2^22 ints on a G80 (GeForce 8800 GTX)";
    table.columns = {{"published_ms", "published ms", 2},
                     {"published_gb_s", "GB/s", 1},
                     {"measured_ms", "measured ms", 4},
                     {"measured_gb_s", "GB/s", 1},
                     {"step", "times quicker", 2}};
    table.correct = true;
    const PublishedRung* before = nullptr;
    double first = 0, last = 0;
    std::vector<std::string> changed;
    for (const PublishedRung& rung : published_ladder) {
      if (!rung.algorithm) {
        table.rows.push_back({rung.what, {rung.milliseconds, rung.gigabytes_a_second, none, none, none}});
        continue;
      }
      Request request = request_of(rung.algorithm, n);
      request.group_size = ladder_group;
      request.signal = "random:1";
      const Measured measured = measure(request);
      table.correct = table.correct && measured.correct;
      const double ns = measured.nanoseconds;
      table.rows.push_back({rung.what,
                            {rung.milliseconds, rung.gigabytes_a_second, ns / 1e6, static_cast<double>(4 * n) / ns,
                             before ? last / ns : none}});
      if (before && ns > last * same)
        changed.push_back(fmt::format("{} takes {:.2f} times as long as the rung before it (published: {:.2f} times)",
                                      rung.algorithm, ns / last, rung.milliseconds / before->milliseconds));
      if (!before) first = ns;
      before = &rung;
      last = ns;
    }
    table.reproduced = changed.empty();
    table.remarks.push_back(fmt::format(
        "{} From the first rung to the last: {:.1f} times quicker (published: {:.1f}).",
        table.reproduced ? fmt::format("The order holds: no rung is slower than the one before it by {:.0f} % or more.",
                                       (same - 1) * 100)
                         : std::string("The order has changed."),
        first / last, published_ladder[0].milliseconds / before->milliseconds));
    for (const std::string& sentence : changed) table.remarks.push_back("Changed: " + sentence + ".");
    if (on_cpu())
      table.remarks.push_back(
          "This is a CPU: it runs a group as a loop over its items, with neither banks to collide in nor warps to "
          "diverge, so that the rungs differ by passes over memory and by what the compiler makes of their loops.");
    add_floor(table, last);
    return table;
  }

  // What the smallest launch takes: the part of a short measurement that is no work.
  void add_floor(PaperTable& table, double last) {
    Request request = request_of("reduce-grid-stride", 2);
    request.group_size = 2;
    const double floor = measure(request).nanoseconds;
    if (cancelled_) return;
    table.rows.push_back({"(a launch that adds two numbers)", {none, none, floor / 1e6, none, none}});
    if (2 * floor > 0.25 * last)  // the last rung is two launches
      table.remarks.push_back(
          fmt::format("The last rung's two launches take {:.1f} µs, and an all but empty one {:.1f} µs: at this size "
                      "it is launching, not adding, that is measured.",
                      last / 1e3, floor / 1e3));
  }

  PaperTable radix() {
    const std::uint64_t side = options_.small ? picture_side >> 4 : picture_side;
    const double points = static_cast<double>(side) * static_cast<double>(side), stages = std::log2(points);
    PaperTable table;
    table.id = "radix";
    table.title = fmt::format("fft2d of {0} x {0} points, single precision", side);
    table.source = "published: 1024 x 1024 on a GeForce GTX 480, kernels alone";
    table.columns = {{"published_ms", "published ms", 2},    {"published_gflops", "GFLOPS", 1},
                     {"published_step", "times quicker", 2}, {"measured_ms", "measured ms", 4},
                     {"measured_gflops", "GFLOPS", 1},       {"measured_gflops_5n", "as 5 N log2 N", 1},
                     {"measured_step", "times quicker", 2}};
    table.correct = true;
    table.reproduced = true;
    for (const char* method : {"fused", "transpose"}) {
      double last = 0, last_published = 0;
      std::string steps;
      for (const PublishedTransform& published : published_transforms) {
        Request request = request_of_square("fft2d", side);
        request.method = method;
        request.more["transform"] = published.transform;
        const Measured measured = measure(request);
        table.correct = table.correct && measured.correct;
        const double ns = measured.nanoseconds, work = points * stages / ns;
        table.rows.push_back(
            {fmt::format("{}, {}", published.what, method),
             {published.milliseconds, published.gigaflops, last > 0 ? last_published / published.milliseconds : none,
              ns / 1e6, published.operations * work, 5 * work, last > 0 ? last / ns : none}});
        if (last > 0) {
          steps += fmt::format("{}{:.2f} (published {:.2f})", steps.empty() ? "" : ", then ", last / ns,
                               last_published / published.milliseconds);
          table.reproduced = table.reproduced && ns * same < last;
        }
        last = ns;
        last_published = published.milliseconds;
      }
      table.remarks.push_back(
          fmt::format("{}: from radix 2 to radix 4, then to Cooley-Tukey: {} times quicker.", method, steps));
    }
    table.remarks.push_back(
        table.reproduced ? "The order holds: each is quicker than the one before it."
                         : fmt::format("Changed: not each is quicker than the one before it by {:.0f} % or more.",
                                       (same - 1) * 100));
    if (on_cpu())
      table.remarks.push_back(
          "This is a CPU: local memory is ordinary memory here, and fewer stages save less than they do on a GPU.");
    table.remarks.push_back(
        "GFLOPS count 5 N log2 N operations for radix 2 and 4.25 N log2 N for radix 4, as published; 5 N log2 N for "
        "all is beside them.");
    return table;
  }

  PaperTable packing() {
    PaperTable table;
    table.id = "packing";
    table.title = "A real picture by half as many complex points: fft2d-real against fft2d";
    table.source = "published: operations saved, 1/2 - 6/(4 log2 MN), and about 30 % less time in MATLAB, on a PC";
    table.columns = {{"published_percent", "published %", 3},
                     {"formula_percent", "formula %", 3},
                     {"counted_percent", "counted %", 3},
                     {"published_time_percent", "time %", 0},
                     {"measured_time_percent", "measured %", 1}};
    table.correct = true;
    table.reproduced = true;
    for (const PublishedSaving& published : published_savings) {
      const std::uint64_t side = options_.small ? published.side >> 3 : published.side;
      const Measured complex = measure(request_of_square("fft2d", side));
      const Measured real = measure(request_of_square("fft2d-real", side));
      table.correct = table.correct && complex.correct && real.correct;
      const PackingSaving saving = packing_saving(side, side);
      const double time = 100 * (1 - real.nanoseconds / complex.nanoseconds);
      table.rows.push_back(
          {fmt::format("{0} x {0}", side),
           {options_.small ? none : published.percent, saving.published, saving.counted, published_time_saving, time}});
      table.reproduced = table.reproduced && time > 0;
      table.remarks.push_back(
          time > 0 ? fmt::format("{0} x {0}: {1:.0f} % less time (published: about {2:.0f} %).", side, time,
                                 published_time_saving)
                   : fmt::format("Changed: at {0} x {0} packing takes {1:.0f} % more time, for two launches more.",
                                 side, -time));
    }
    return table;
  }

  static constexpr std::uint64_t ladder_group = 256;

  Runtime& runtime_;
  const PaperOptions& options_;
  const Progress& progress_;
  int done_ = 0;
  bool cancelled_ = false;
};

}  // namespace

double PaperTable::number(std::size_t row, const std::string& key) const {
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (columns[c].key == key) return rows.at(row).numbers.at(c);
  throw std::out_of_range(key);
}

PaperBench bench_paper(Runtime& runtime, const PaperOptions& options, const Progress& progress) {
  return Bench(runtime, options, progress).run();
}

}  // namespace twiddle
