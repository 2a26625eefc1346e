#include "tracer/bench/bench_trace.h"

#include "base/error.h"
#include "base/temporary_folder.h"
#include "base/values/clock.h"
#include "base/values/json_text.h"
#include "kernels/catalogue/catalogue.h"
#include "tracer/file/trace_file.h"
#include "tracer/run/plan_run.h"
#include "tracer/run/trace_setup.h"
#include "tracer/runtime/redirected.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>

#include <unistd.h>
#include <zstd.h>

namespace twiddle {
namespace {

Plan fft_plan(std::uint64_t n, std::uint64_t group_size) {
  Request request;
  request.algorithm = "fft-radix2";
  request.n = n;
  request.signal = "random:1";
  request.group_size = std::min(group_size, std::max<std::uint64_t>(n / 2, 1));
  return make_plan(request);
}

std::uint64_t butterflies_of(const Plan& plan) {
  std::uint64_t count = 0;
  for (const Launch& launch : plan.launches)
    if (launch.stage > 0) count += launch.global[0];  // one butterfly an item
  return count;
}

// Runs every launch of the plan in its order, `passes` times, and adds up the quickest times of those that do butterflies.
template <typename RunLaunch>
double quickest(PlanRun& run, int passes, const RunLaunch& run_launch) {
  const Plan& plan = run.plan();
  std::vector<double> best(plan.launches.size(), std::numeric_limits<double>::infinity());
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t b = 0; b < plan.buffers.size(); ++b)
      run.runtime().upload(run.handle(b), 0, first_content(plan, plan.buffers[b]));
    for (std::size_t l = 0; l < plan.launches.size(); ++l) best[l] = std::min(best[l], run_launch(l));
  }
  double sum = 0;
  for (std::size_t l = 0; l < plan.launches.size(); ++l)
    if (plan.launches[l].stage > 0) sum += best[l];
  return sum;
}

// Traced launches with room for every operation, and nothing read back: the device's part of tracing alone.
TraceBench::Level measure_level(const Plan& plan, Runtime& runtime, Detail detail, const TraceBenchOptions& options,
                                double untraced_ns) {
  PlanRun run(plan, runtime);
  TraceOptions trace_options;
  trace_options.detail = detail;
  const TraceSetup setup = set_up_trace(run, trace_options);
  std::vector<LogLayout> layouts;
  std::size_t largest = 0;
  for (std::size_t l = 0; l < plan.launches.size(); ++l) {
    const TracedLaunch& traced = setup.launches[l];
    layouts.push_back({traced.first_slots, traced.first_words, LogLayout::pitch_for(setup.info.launches[l].items())});
    if (plan.launches[l].stage > 0) largest = std::max(largest, layouts.back().bytes());
  }
  const BufferHandle log = runtime.allocate(largest);

  TraceBench::Level level;
  double bytes = 0;
  level.kernel_ns = quickest(run, options.passes, [&](std::size_t l) {
    const Launch& launch = plan.launches[l];
    if (launch.stage == 0) return run.run(launch);
    const std::uint64_t items = setup.info.launches[l].items();
    const std::vector<std::uint32_t> config = log_config(layouts[l], 0, items, launch.stage, setup.launches[l].filter);
    runtime.upload(log, 0, std::as_bytes(std::span(config)));
    runtime.fill_zero(log, layouts[l].attempts() * 4, layouts[l].pitch * std::size_t(8));  // and the only header column
    Instrumentation instrumentation;
    instrumentation.detail = detail;
    return run.run_traced(launch, instrumentation, log);
  });
  for (std::size_t l = 0; l < plan.launches.size(); ++l)
    if (plan.launches[l].stage > 0)
      bytes += 4.0 * layouts[l].words * static_cast<double>(setup.info.launches[l].items());
  // A log that was too small would have been quick for the wrong reason.
  LogWindow last{layouts.back(), 0, setup.info.launches.back().items(),
                 std::vector<std::uint32_t>(layouts.back().size())};
  runtime.download(log, 0, std::as_writable_bytes(std::span(last.words)));
  const LogCounts counts = count_window(last);
  runtime.release(log);
  if (counts.without_room || counts.slots_too_narrow || counts.attempted != last.items)
    throw usage_error("the benchmark's log does not hold its launch: {} of {} operations", counts.attempted,
                      last.items);

  level.device_bytes = bytes / static_cast<double>(butterflies_of(plan));
  level.ratio = level.kernel_ns / untraced_ns;
  level.aim = 1 + level.device_bytes / 32;
  return level;
}

// Compresses the records of every block as they would be in a plain log: one struct an operation.
class RawRecords {
 public:
  RawRecords() : context_(ZSTD_createCCtx(), &ZSTD_freeCCtx) {
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, 1);
  }

  void add(const OperationBlock& block) {
    records_.clear();
    for (const SiteColumns& site : block.sites) add(site);
    packed_.resize(ZSTD_compressBound(records_.size()));
    const auto start = Clock::now();
    const std::size_t size =
        ZSTD_compress2(context_.get(), packed_.data(), packed_.size(), records_.data(), records_.size());
    nanoseconds += nanoseconds_since(start);
    if (ZSTD_isError(size)) throw no_device("zstd could not compress the raw records: {}", ZSTD_getErrorName(size));
    raw_bytes += records_.size();
    packed_bytes += size;
  }

  double nanoseconds = 0;
  std::uint64_t raw_bytes = 0, packed_bytes = 0;

 private:
  void add(const SiteColumns& site) {
    const std::size_t value = traits(site.value_type).bytes, coefficient = traits(site.coefficient_type).bytes;
    const std::size_t record = 4 + 4 * site.index.size() + coefficient * site.coefficients.size() +
                               value * (site.reads.size() + site.writes.size());
    std::size_t at = records_.size();
    records_.resize(at + record * site.count);
    const auto put = [&](const void* from, std::size_t bytes) {
      std::memcpy(records_.data() + at, from, bytes);
      at += bytes;
    };
    const std::uint32_t header = static_cast<std::uint32_t>(site.site) << 16 | static_cast<std::uint32_t>(site.shape);
    for (std::size_t r = 0; r < site.count; ++r) {
      put(&header, 4);
      for (const auto& column : site.index) put(&column[r], 4);
      for (const auto& column : site.coefficients) put(column.data() + r * coefficient, coefficient);
      for (const auto& column : site.reads) put(column.data() + r * value, value);
      for (const auto& column : site.writes) put(column.data() + r * value, value);
    }
  }

  std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context_;
  std::vector<std::byte> records_, packed_;
};

// A trace file, and beside it the raw records of the same blocks.
class BenchSink final : public TraceSink {
 public:
  BenchSink(TraceWriter& writer, RawRecords& raw) : writer_(writer), raw_(raw) {}
  double write_ns = 0;

  void begin(const TraceInfo& info) override {
    timed([&] { writer_.begin(info); });
  }
  void first_content(int buffer, std::span<const std::byte> bytes) override {
    timed([&] { writer_.first_content(buffer, bytes); });
  }
  void begin_launch(const LaunchInfo& launch) override {
    timed([&] { writer_.begin_launch(launch); });
  }
  void add_sites(std::span<const Site> sites, std::span<const AccessSite> access_sites) override {
    writer_.add_sites(sites, access_sites);
  }
  void accesses(const AccessLog& log) override {
    timed([&] { writer_.accesses(log); });
  }
  void hold_accesses(const LaunchInfo& launch) override {
    timed([&] { writer_.hold_accesses(launch); });
  }
  void append(int epoch, int stage, OperationBlock&& block) override {
    raw_.add(block);
    timed([&] { writer_.append(epoch, stage, std::move(block)); });
  }
  void end_launch(const LaunchInfo& launch, const DeviceBuffer& device_buffer) override {
    timed([&] { writer_.end_launch(launch, device_buffer); });
  }
  std::vector<std::byte> replayed(int buffer) const override { return writer_.replayed(buffer); }

  template <typename Action>
  void timed(const Action& action) {
    const auto start = Clock::now();
    action();
    write_ns += nanoseconds_since(start);
  }

 private:
  TraceWriter& writer_;
  RawRecords& raw_;
};

void measure_file(const Plan& plan, Runtime& runtime, TraceBench& bench, const Progress& progress) {
  const TemporaryFolder folder;
  TraceWriter writer(folder.path() / "bench.twd");
  RawRecords raw;
  BenchSink sink(writer, raw);
  const TraceOutcome outcome = trace_plan(plan, runtime, {}, sink, [&](double fraction, const Message& what) {
    return !progress || progress(0.3 + 0.6 * fraction, what);
  });
  sink.timed([&] { writer.finish(); });
  if (outcome.operations == 0) return;
  const auto operations = static_cast<double>(outcome.operations);
  bench.operations = outcome.operations;
  bench.encode_ns = sink.write_ns;
  bench.file_bytes = static_cast<double>(writer.bytes_written()) / operations;
  bench.raw_bytes = static_cast<double>(raw.raw_bytes) / operations;
  bench.zstd_ns = raw.nanoseconds;
  bench.zstd_bytes = static_cast<double>(raw.packed_bytes) / operations;
}

// The same kernels with their trace lines turned into printf: what is done without a tracer.
std::string with_printf(const std::string& text) {
  const std::string macros =
      "#define TRACE_PARAMS\n#define TRACE_SWAP(F, i, j, a, b)\n#define TRACE_SCALE(F, i, x, s)\n"
      "#define TRACE_BUTTERFLY(F, i0, i1, w, a, b) TRACE_BUTTERFLY_TO(F, i0, i1, F, i0, i1, w, a, b)\n"
      "#define TRACE_BUTTERFLY_TO(G, o0, o1, F, i0, i1, w, a, b) \\\n"
      "  printf(\"%d %d-%d w=(%f,%f) in=(%f,%f),(%f,%f) out=(%f,%f),(%f,%f)\\n\", (int)get_global_id(0), i0, i1, "
      "(w).x, (w).y, \\\n"
      "         (a).x, (a).y, (b).x, (b).y, (G)[o0].x, (G)[o0].y, (G)[o1].x, (G)[o1].y)\n";
  const std::string include = "#include \"trace_device.h\"";
  const std::size_t at = text.find(include);
  if (at == std::string::npos) throw usage_error("the benchmark's kernel does not include trace_device.h");
  return text.substr(0, at) + macros + text.substr(at + include.size());
}

void measure_printf(Runtime& runtime, const TraceBenchOptions& options, TraceBench& bench) {
  if (options.printf_n == 0 || runtime.source_extension() != ".cl") return;
  const Plan plan = fft_plan(std::min(options.printf_n, options.n), options.group_size);
  PlanRun run(plan, runtime);
  bench.printf_untraced_ns = quickest(run, options.passes, [&](std::size_t l) { return run.run(plan.launches[l]); });

  const Launch& first = plan.launches.front();
  KernelSource source = run.source(first);
  source.text = with_printf(source.text);
  Instrumentation plain;
  plain.traced = false;
  const ProgramHandle program = runtime.build(prepare_source(source, first.defines, plain));
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> printed(std::tmpfile(), &std::fclose);
  if (!printed) throw usage_error("could not make a temporary file: {}", std::strerror(errno));
  {
    const Redirected output(STDERR_FILENO, fileno(printed.get()));  // kernels' printf comes out there
    bench.printf_ns = quickest(run, 2, [&](std::size_t l) {
      const auto start = Clock::now();
      run.run_program(plan.launches[l], program);
      return nanoseconds_since(start);
    });
  }
  std::rewind(printed.get());
  std::uint64_t lines = 0;
  for (int c = 0; (c = std::fgetc(printed.get())) != EOF;) lines += c == '\n';
  bench.printf_lines = lines / 2;  // two passes: the first also compiles
  bench.printf_n = std::min(options.printf_n, options.n);
  bench.printf_butterflies = butterflies_of(plan);
}

}  // namespace

TraceBench bench_trace(Runtime& runtime, const TraceBenchOptions& options, const Progress& progress) {
  const auto report = [&](double fraction, const char* what) {
    if (progress && !progress(fraction, Message::verbatim(what))) throw usage_error("the benchmark was stopped");
  };
  TraceBench bench;
  bench.runtime = runtime.device().runtime;
  bench.device = runtime.device().name;
  bench.driver = runtime.device().driver;
  bench.n = options.n;
  const Plan plan = fft_plan(options.n, options.group_size);
  bench.butterflies = butterflies_of(plan);

  report(0, "untraced");
  {
    PlanRun run(plan, runtime);
    bench.untraced_ns = quickest(run, options.passes, [&](std::size_t l) { return run.run(plan.launches[l]); });
  }
  report(0.1, "traced, indices and twiddles");
  bench.index = measure_level(plan, runtime, Detail::Index, options, bench.untraced_ns);
  report(0.2, "traced, values too");
  bench.values = measure_level(plan, runtime, Detail::Values, options, bench.untraced_ns);
  report(0.3, "trace file");
  if (options.file) measure_file(plan, runtime, bench, progress);
  report(0.9, "printf");
  measure_printf(runtime, options, bench);
  report(1, "done");
  return bench;
}

std::string bench_text(const TraceBench& bench) {
  const auto milliseconds = [](double ns) { return ns / 1e6; };
  const auto butterflies = static_cast<double>(bench.butterflies);
  std::string text = fmt::format("fft-radix2, N = {}, {} butterflies, {} ({}, driver {})\n\n", bench.n,
                                 bench.butterflies, bench.device, bench.runtime, bench.driver);
  text += fmt::format("{:<28}{:>12}{:>12}{:>16}{:>10}{:>14}\n", "device time", "ms", "ns/bfly", "bytes/bfly", "ratio",
                      "memory bound");
  text += fmt::format("{:<28}{:>12.3f}{:>12.3f}{:>16}{:>10.2f}{:>14}\n", "untraced", milliseconds(bench.untraced_ns),
                      bench.untraced_ns / butterflies, "-", 1.0, "-");
  const auto level = [&](const char* name, const TraceBench::Level& one) {
    text += fmt::format("{:<28}{:>12.3f}{:>12.3f}{:>16.1f}{:>10.2f}{:>14.2f}\n", name, milliseconds(one.kernel_ns),
                        one.kernel_ns / butterflies, one.device_bytes, one.ratio, one.aim);
  };
  level("traced, --detail index", bench.index);
  level("traced, --detail values", bench.values);
  text += "(memory bound: 1 + bytes / 32, for a butterfly itself reads 16 bytes and writes 16)\n";

  if (bench.operations > 0) {
    const double raw = bench.raw_bytes * static_cast<double>(bench.operations);
    text += fmt::format("\n{:<28}{:>12}{:>12}{:>16}\n", "host time", "ms", "MB/s", "bytes/op");
    text += fmt::format("{:<28}{:>12.0f}{:>12.0f}{:>16.3f}\n", "encode and write the file",
                        milliseconds(bench.encode_ns), raw / bench.encode_ns * 1e3, bench.file_bytes);
    text += fmt::format("{:<28}{:>12.0f}{:>12.0f}{:>16.3f}\n", "zstd -1 of raw records", milliseconds(bench.zstd_ns),
                        raw / bench.zstd_ns * 1e3, bench.zstd_bytes);
    text += fmt::format("(a raw record is {:.1f} bytes; the file's writer takes {:.2f} of zstd's time)\n",
                        bench.raw_bytes, bench.encode_ns / bench.zstd_ns);
  }
  if (bench.printf_n > 0) {
    const double each = bench.printf_ns / static_cast<double>(bench.printf_butterflies);
    text += fmt::format(
        "\nprintf in the kernel, N = {}: {:.1f} ms, {:.0f} ns a butterfly, {:.0f} times the untraced kernel\n",
        bench.printf_n, milliseconds(bench.printf_ns), each, bench.printf_ratio());
    if (bench.printf_lines < bench.printf_butterflies)
      text += fmt::format("(only {} of its {} lines came out: the device's buffer for printf was full)\n",
                          bench.printf_lines, bench.printf_butterflies);
    if (bench.printf_n != bench.n)
      text += fmt::format("(scaled to N = {}: {:.1f} s)\n", bench.n, each * butterflies / 1e9);
  }
  return text;
}

std::string bench_json(const TraceBench& bench) {
  using Json = nlohmann::ordered_json;
  const auto level = [](const TraceBench::Level& one) {
    return Json{{"kernel_ns", one.kernel_ns},
                {"device_bytes_per_butterfly", one.device_bytes},
                {"ratio", one.ratio},
                {"memory_bound", one.aim}};
  };
  Json json{{"algorithm", "fft-radix2"},
            {"runtime", bench.runtime},
            {"device", bench.device},
            {"driver", bench.driver},
            {"n", bench.n},
            {"butterflies", bench.butterflies},
            {"untraced_ns", bench.untraced_ns},
            {"index", level(bench.index)},
            {"values", level(bench.values)}};
  if (bench.operations > 0)
    json["file"] = {{"operations", bench.operations}, {"bytes_per_operation", bench.file_bytes},
                    {"encode_ns", bench.encode_ns},   {"raw_bytes_per_operation", bench.raw_bytes},
                    {"zstd_ns", bench.zstd_ns},       {"zstd_bytes_per_operation", bench.zstd_bytes}};
  if (bench.printf_n > 0)
    json["printf"] = {
        {"n", bench.printf_n},        {"butterflies", bench.printf_butterflies}, {"lines", bench.printf_lines},
        {"host_ns", bench.printf_ns}, {"untraced_ns", bench.printf_untraced_ns}, {"ratio", bench.printf_ratio()}};
  return json_text(json, 2);
}

}  // namespace twiddle
