#include "tracer/bench/bench_access.h"

#include "base/error.h"
#include "base/values/clock.h"
#include "base/values/json_text.h"
#include "kernels/catalogue/catalogue.h"
#include "tracer/run/launch_operations.h"
#include "tracer/run/plan_run.h"
#include "tracer/store/trace_builder.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

namespace twiddle {
namespace {

// A transform of many launches, one whose barriers are in a loop, a reduction, a scan, a histogram with atomics.
constexpr std::array benched = {"fft-radix2",    "fft-stockham4",     "fft-radix4",     "fft-radix2-local",
                                "scan-blelloch", "reduce-sequential", "histogram-local"};
constexpr std::uint64_t max_records_at_once = std::uint64_t(1) << 24;

// Keeps nothing of a trace but how many bytes a file of it would have.
class CountingStore : public TraceStore {
 public:
  double access_bytes = 0, operation_bytes = 0, patch_bytes = 0;

  void put_metadata(const TraceInfo&) override {}
  void put_launch(const LaunchInfo&) override {}
  void put_segment(std::size_t, const Segment&) override {}
  void put_block(const BlockEntry&, std::vector<std::byte>&& data) override { operation_bytes += double(data.size()); }
  void put_content(int, std::uint64_t, std::span<const std::byte>) override {}
  void put_patch(int, const TraceSource::Patch& patch) override { patch_bytes += double(patch.bytes.size()); }
  void put_buffers(std::span<const BufferInfo>) override {}
  void put_sources(std::span<const SourceText>) override {}
  void put_sites(std::span<const Site>, std::span<const AccessSite>) override {}
  void put_accesses(const AccessEntry&, std::vector<std::byte>&& data) override { access_bytes += double(data.size()); }
  void take_back_accesses(int) override {}
  void put_summary(std::int64_t, int, const std::vector<float>&) override {}
};

class CountedTrace final : public CountingStore, public TraceBuilder {
 public:
  CountedTrace() : TraceBuilder(static_cast<TraceStore&>(*this)) {}
};

// Of n points or, where the algorithm has a limit, of the most that are n halved.
Plan max_plan(const std::string& algorithm, std::uint64_t& n) {
  Request request;
  request.algorithm = algorithm;
  request.signal = "random:1";
  for (;; n /= 2) {
    request.n = n;
    try {
      return make_plan(request);
    } catch (const Error&) {
      if (n < 4) throw;
    }
  }
}

// The trace's side of one algorithm's run: its buffers, and its launches' logs one after the other.
class LoggedBench {
 public:
  LoggedBench(const Plan& plan, Runtime& runtime, int passes) : plan_(plan), run_(plan, runtime), passes_(passes) {
    for (const Buffer& buffer : plan.buffers) {
      BufferInfo info;
      info.name = buffer.name;
      info.type = buffer.type;
      info.count = buffer.count;
      info.shape = buffer.shape;
      info.space = buffer.space;
      info_.buffers.push_back(info);
    }
    trace_.begin(info_);
  }

  Message no_accesses() {
    for (const Launch& launch : plan_.launches)
      if (Message why = run_.no_accesses(launch); !why.empty()) return why;
    return {};
  }

  void measure(AccessBenchRow& row) {
    std::uint64_t writes = 0, explained = 0;
    for (const Launch& launch : plan_.launches) {
      double plain = std::numeric_limits<double>::max(), logged = plain, wall = plain;
      RawAccesses raw;
      for (int pass = 0; pass < passes_; ++pass) {
        plain = std::min(plain, run_.run(launch));
        raw = {};  // two at once are twice the memory
        if (pass + 1 == passes_) show_buffers();
        const auto begin = std::chrono::steady_clock::now();
        raw = run_.run_logged(launch, everything());
        wall = std::min(wall, nanoseconds_since(begin));
        logged = std::min(logged, raw.device_ns);
      }
      row.plain_ns += plain;
      row.logged_ns += logged;
      row.wall_ns += wall;
      row.records += raw.attempted;
      if (raw.lost > 0) throw no_device("{} accesses of {} found no room; take a smaller --n", raw.lost, launch.kernel);
      LaunchInfo about;
      about.number = ++launches_;
      about.kernel = launch.kernel;
      about.stage = launch.stage;
      about.global = launch.global;
      about.local = launch.local;
      keep(launch, about, std::move(raw), row);
      writes += about.accesses.writes;
      explained += about.accesses.explained_writes;
    }
    row.file_bytes = row.records > 0 ? trace_.access_bytes / double(row.records) : 0;
    row.operation_bytes = row.records > 0 ? operation_bytes_ / double(row.records) : 0;
    row.explained = writes > 0 ? double(explained) / double(writes) : 1;
  }

 private:
  static AccessRequest everything() {
    AccessRequest request;
    request.max_bytes = max_records_at_once * 32;
    return request;
  }

  // The trace's buffer of each range; local arrays become buffers of the launch.
  std::vector<int> buffers_of(const Launch& launch, const LaunchInfo& about, const RawAccesses& raw) {
    std::vector<int> buffers;
    for (const AccessRange& range : raw.ranges) {
      const auto* given = range.argument >= 0 && static_cast<std::size_t>(range.argument) < launch.arguments.size()
                              ? std::get_if<BufferArgument>(&launch.arguments[static_cast<std::size_t>(range.argument)])
                              : nullptr;
      if (given) {
        buffers.push_back(static_cast<int>(given->buffer));
        continue;
      }
      BufferInfo info;
      info.name = range.name;
      info.space = range.space;
      info.launch = about.number;
      info.type = range.type;
      info.count = range.bytes / std::max<std::size_t>(traits(range.type).bytes, 1);
      buffers.push_back(static_cast<int>(info_.buffers.size()));
      info_.buffers.push_back(info);
      trace_.add_buffers({&info, 1});
    }
    return buffers;
  }

  TraceSink::DeviceBuffer device_buffers() {
    return [this](int buffer) -> std::span<const std::byte> {
      if (static_cast<std::size_t>(buffer) >= plan_.buffers.size()) return {};
      content_ = run_.download(static_cast<std::size_t>(buffer));
      return content_;
    };
  }

  // The passes before left something else than the launches of a trace do.
  void show_buffers() {
    LaunchInfo between;
    between.number = ++launches_;
    trace_.begin_launch(between);
    trace_.end_launch(between, device_buffers());
  }

  // Lifts what a launch did, and encodes both.
  void keep(const Launch& launch, LaunchInfo& about, RawAccesses&& raw, AccessBenchRow& row) {
    const double operations_before = trace_.operation_bytes, patches_before = trace_.patch_bytes;
    const std::vector<int> buffers = buffers_of(launch, about, raw);
    AccessLog log = resolve(std::move(raw), std::max<std::uint64_t>(about.group_size(), 1), buffers);
    trace_.begin_launch(about);
    number_sites(log, info_, trace_, [](const std::string&) { return 0; });
    const std::array logs{std::move(log)};
    trace_.accesses(logs[0]);
    auto begin = std::chrono::steady_clock::now();
    double append_ns = 0;
    append_operations(logs, about, info_, trace_, [&](int epoch, int stage, OperationBlock&& block) {
      const auto appending = std::chrono::steady_clock::now();
      trace_.append(epoch, stage, std::move(block));
      append_ns += nanoseconds_since(appending);
    });
    row.lift_ns += nanoseconds_since(begin) - append_ns;
    begin = std::chrono::steady_clock::now();
    trace_.end_launch(about, device_buffers());
    row.encode_ns += append_ns + nanoseconds_since(begin);
    operation_bytes_ += trace_.operation_bytes - operations_before + trace_.patch_bytes - patches_before;
  }

  const Plan& plan_;
  PlanRun run_;
  int passes_;
  TraceInfo info_;
  CountedTrace trace_;
  int launches_ = 0;  // of the trace
  double operation_bytes_ = 0;
  std::vector<std::byte> content_;  // of one buffer at a time
};

}  // namespace

AccessBench bench_access(Runtime& runtime, const AccessBenchOptions& options, const Progress& progress) {
  const DeviceInfo device = runtime.device();
  AccessBench bench{device.runtime, device.name, device.driver, {}};
  Message why_none;
  double done = 0;
  for (const char* id : benched) {
    if (progress && !progress(done / double(benched.size()), Message("{}", std::string(id))))
      throw usage_error("the benchmark was stopped");
    ++done;
    AccessBenchRow row;
    row.algorithm = id;
    row.n = options.n;
    const Plan plan = max_plan(id, row.n);
    LoggedBench one(plan, runtime, options.passes);
    if (const Message why = one.no_accesses(); !why.empty()) {
      why_none = why;
      continue;
    }
    one.measure(row);
    bench.rows.push_back(std::move(row));
  }
  if (bench.rows.empty()) throw Error(ExitCode::usage, why_none);
  if (progress) progress(1, Message("done"));
  return bench;
}

std::string bench_text(const AccessBench& bench) {
  std::string text = fmt::format("{}, {} ({})\n\n", bench.runtime, bench.device, bench.driver);
  text += fmt::format("{:<18}{:>9}{:>12}{:>11}{:>11}{:>8}{:>9}{:>9}{:>9}{:>11}{:>11}{:>11}\n", "algorithm", "n",
                      "accesses", "plain ms", "logged ms", "times", "ns each", "B each", "with ops", "M lifted/s",
                      "M kept/s", "explained");
  for (const AccessBenchRow& row : bench.rows)
    text +=
        fmt::format("{:<18}{:>9}{:>12}{:>11.3f}{:>11.3f}{:>8.1f}{:>9.2f}{:>9.3f}{:>9.2f}{:>11.2f}{:>11.2f}{:>9.1f} %\n",
                    row.algorithm, row.n, row.records, row.plain_ns / 1e6, row.logged_ns / 1e6, row.ratio(),
                    row.records > 0 ? row.logged_ns / double(row.records) : 0, row.file_bytes,
                    row.file_bytes + row.operation_bytes, row.lifted_per_second() / 1e6,
                    row.encode_ns > 0 ? double(row.records) * 1e3 / row.encode_ns : 0, 100 * row.explained);
  return text +
         "\ntimes: device time of the logged run, of the plain one; B each: bytes of an access in the file; with ops: "
         "with the\n"
         "operations that explain it; M kept/s: millions of accesses a second, encoded with their operations\n";
}

std::string bench_json(const AccessBench& bench) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const AccessBenchRow& row : bench.rows)
    rows.push_back({{"algorithm", row.algorithm},
                    {"n", row.n},
                    {"accesses", row.records},
                    {"plain_ns", row.plain_ns},
                    {"logged_ns", row.logged_ns},
                    {"wall_ns", row.wall_ns},
                    {"file_bytes", row.file_bytes},
                    {"operation_bytes", row.operation_bytes},
                    {"encode_ns", row.encode_ns},
                    {"lift_ns", row.lift_ns},
                    {"explained", row.explained}});
  const nlohmann::ordered_json json = {
      {"runtime", bench.runtime}, {"device", bench.device}, {"driver", bench.driver}, {"algorithms", rows}};
  return json_text(json, 2) + "\n";
}

}  // namespace twiddle
