#include "tracer/bench/bench_record.h"

#include "base/error.h"
#include "base/process.h"
#include "base/temporary_folder.h"
#include "base/values/clock.h"
#include "base/values/json_text.h"
#include "kernels/catalogue/catalogue.h"
#include "tracer/file/trace_file.h"
#include "tracer/opencl/opencl_clfft.h"
#include "tracer/opencl/opencl_runtime.h"
#include "tracer/run/plan_run.h"
#include "tracer/runtime/queued_runs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string_view>

namespace twiddle {
namespace {

using Json = nlohmann::ordered_json;

// In place with a launch a stage, out of place, in local memory, a sum, and counts with atomics.
constexpr std::array recorded_algorithms = {"fft-radix2", "fft-stockham2", "fft-radix2-local", "reduce-sequential",
                                            "histogram-local"};

std::vector<std::string> recorded_programs(const RecordBenchOptions& options) {
  std::vector<std::string> all;
  for (const std::string algorithm : recorded_algorithms)
    // One work-group transforms a row: no more points than a group has room for.
    all.push_back(fmt::format("{}:{}", algorithm,
                              algorithm == "fft-radix2-local" ? std::min<std::uint64_t>(options.n, 1024) : options.n));
  for (const std::string& sizes : options.transforms) all.push_back(fmt::format("clfft:{}", sizes));
  return all;
}

// ---- In the process that is measured ----

struct ProgramOutcome {
  double launches_ns = 0;
  std::size_t bits = 0;  // of what was left behind
};

void mix_bits(std::size_t& bits, std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  bits = bits * 31 + std::hash<std::string_view>()(text);
}

ProgramOutcome run_algorithm(const std::string& algorithm, std::uint64_t n, int device) {
  Request request;
  request.algorithm = algorithm;
  request.n = n;
  request.signal = "random:1";
  const Plan plan = make_plan(request);
  const std::unique_ptr<Runtime> runtime = open_opencl_runtime(device);
  PlanRun run(plan, *runtime);
  std::vector<KernelCall> calls;
  for (const Launch& launch : plan.launches) calls.push_back(run.call(launch));
  // As other programs launch kernels: one after another in a queue. Runtime::run waits for each, and looks what it did.
  auto* const queued = dynamic_cast<QueuedRuns*>(runtime.get());
  if (!queued) throw no_device("{} queues no launches", runtime->device().name);
  ProgramOutcome outcome;
  for (int pass = 0; pass < 2; ++pass) {
    const auto begin = Clock::now();
    queued->run_queued(calls);
    outcome.launches_ns = nanoseconds_since(begin);
  }
  for (std::size_t b = 0; b < plan.buffers.size(); ++b) mix_bits(outcome.bits, run.download(b));
  return outcome;
}

ProgramOutcome run_clfft(const std::vector<std::size_t>& lengths, int device) {
  ClFft clfft(device);
  std::uint64_t count = 1;
  for (const std::size_t length : lengths) count *= length;
  std::vector<float> points(2 * count);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = static_cast<float>(std::sin(0.37 * double(i)));
  clfft.prepare(lengths, 1, 1, points);
  ProgramOutcome outcome;
  for (int pass = 0; pass < 2; ++pass) outcome.launches_ns = clfft.run(0, 1, 1);
  const std::vector<float> result = clfft.result(0);
  mix_bits(outcome.bits, std::as_bytes(std::span(result)));
  return outcome;
}

// "256x256" → {256, 256}.
std::vector<std::size_t> transform_lengths(const std::string& text) {
  std::vector<std::size_t> lengths;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('x', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (word.empty() || word.size() > 9 || word.find_first_not_of("0123456789") != std::string::npos)
      throw usage_error("'{}' is no size", text);
    lengths.push_back(std::stoul(word));
    at = end + 1;
  }
  return lengths;
}

// ---- In the process that measures ----

struct MeasuredProcess {
  ProgramTime time;
  std::size_t bits = 0;
  std::string trouble;
};

MeasuredProcess measure_process(const std::vector<std::string>& command, double seconds) {
  const auto begin = Clock::now();
  const ProcessResult result = run_process(command, seconds);
  MeasuredProcess measured;
  measured.time.wall_ns = nanoseconds_since(begin);
  if (result.timed_out) {
    measured.trouble = fmt::format("it did not end within {} seconds", seconds);
  } else if (result.status > 128) {
    measured.trouble = fmt::format("it crashed (signal {})", result.status - 128);
  } else if (result.status != 0) {
    measured.trouble = result.errors.substr(0, result.errors.find('\n'));
    if (measured.trouble.starts_with("twiddle: ")) measured.trouble.erase(0, 9);
    if (measured.trouble.empty()) measured.trouble = fmt::format("its exit code is {}", result.status);
  } else {
    const Json line = Json::parse(result.output, nullptr, false);
    if (line.is_object() && line.contains("ns") && line["ns"].is_number() && line.contains("bits")) {
      measured.time.launches_ns = line["ns"].get<double>();
      measured.bits = line.value("bits", std::size_t(0));
    } else {
      measured.trouble = "it printed no time";
    }
  }
  return measured;
}

// The quickest of so many, behind one that fills drivers' caches and does not count.
MeasuredProcess quickest_process(const std::vector<std::string>& command, int passes, double seconds) {
  MeasuredProcess best = measure_process(command, seconds);
  for (int pass = 0; pass < passes && best.trouble.empty(); ++pass) {
    const MeasuredProcess one = measure_process(command, seconds);
    if (!one.trouble.empty()) return one;
    if (pass == 0) best.time = one.time;
    best.time.wall_ns = std::min(best.time.wall_ns, one.time.wall_ns);
    best.time.launches_ns = std::min(best.time.launches_ns, one.time.launches_ns);
  }
  return best;
}

class RecordBenching {
 public:
  explicit RecordBenching(const RecordBenchOptions& options)
      : options_(options), trace_(folder_.path() / "bench.twd") {}

  std::string oclgrind_version() const {
    if (find_program("oclgrind").empty()) return {};
    const ProcessResult result = run_process({"oclgrind", "--version"}, 20);
    // "Oclgrind 21.10", among other lines.
    const std::size_t at = result.output.find("Oclgrind ");
    if (result.status != 0 || at == std::string::npos) return "of an unknown version";
    const std::size_t begin = at + std::string_view("Oclgrind ").size();
    return result.output.substr(begin, result.output.find('\n', begin) - begin);
  }

  RecordBenchRow row(const std::string& program, bool with_oclgrind) const {
    RecordBenchRow row;
    row.program = program;
    const std::vector<std::string> command = command_of(program, options_.device);
    const MeasuredProcess plain = quickest_process(command, options_.passes, options_.seconds);
    row.plain = plain.time, row.trouble = plain.trouble;
    if (!row.trouble.empty()) return row;
    std::vector<std::string> recording{options_.program, "record", "-o", trace_.string(), "--"};
    recording.insert(recording.end(), command.begin(), command.end());
    const MeasuredProcess recorded = quickest_process(recording, options_.passes, options_.seconds);
    row.recorded = recorded.time, row.trouble = recorded.trouble;
    if (!row.trouble.empty()) return row;
    row.same = recorded.bits == plain.bits;
    read_trace(row);
    if (!with_oclgrind) {
      row.no_oclgrind = "oclgrind is not installed";
      return row;
    }
    std::vector<std::string> interpreted = command_of(program, 0);
    interpreted.insert(interpreted.begin(), "oclgrind");
    MeasuredProcess simulated = measure_process(interpreted, options_.seconds);
    if (!simulated.trouble.empty()) {
      // Its interpreter lacks some of the functions that its compiler optimises loops to.
      interpreted.insert(interpreted.begin() + 1, {"--build-options", "-cl-opt-disable"});
      MeasuredProcess again = measure_process(interpreted, options_.seconds);
      if (again.trouble.empty()) simulated = std::move(again), row.unoptimised = true;
    }
    row.no_oclgrind = simulated.trouble;
    if (simulated.trouble.empty()) row.oclgrind = simulated.time;
    return row;
  }

 private:
  std::vector<std::string> command_of(const std::string& program, int device) const {
    return {options_.program, "bench", "record", "--program", program, "--device", fmt::format("{}", device)};
  }

  void read_trace(RecordBenchRow& row) const {
    const auto trace = TraceReader::open(trace_);
    std::uint64_t writes = 0, explained = 0;
    for (const LaunchInfo& launch : trace->info().launches) {
      row.accesses += launch.accesses.kept;
      writes += launch.accesses.writes;
      explained += launch.accesses.explained_writes;
    }
    row.explained = writes > 0 ? double(explained) / double(writes) : 1;
    row.file_bytes = double(trace->file_bytes());
  }

  const RecordBenchOptions& options_;
  TemporaryFolder folder_;
  std::filesystem::path trace_;
};

}  // namespace

std::string run_benched_program(const std::string& program, int device) {
  const std::size_t colon = program.find(':');
  if (colon == std::string::npos) throw usage_error("'{}' is no program with its size, as fft-radix2:4096 is", program);
  const std::string name = program.substr(0, colon);
  const std::vector<std::size_t> lengths = transform_lengths(program.substr(colon + 1));
  setenv("TWIDDLE_PROBE_SECONDS", "0", 1);  // the process that measures has probed; a probe's kernels would be recorded
  if (name != "clfft" && lengths.size() != 1) throw usage_error("{} takes one size", name);
  const ProgramOutcome outcome = name == "clfft" ? run_clfft(lengths, device) : run_algorithm(name, lengths[0], device);
  return json_text(Json{{"ns", outcome.launches_ns}, {"bits", outcome.bits}});
}

RecordBench bench_record(const RecordBenchOptions& options, const Progress& progress) {
  RecordBench bench;
  {
    const DeviceInfo device = open_opencl_runtime(options.device)->device();
    bench.device = device.name, bench.driver = device.driver;
  }
  const RecordBenching benching(options);
  bench.oclgrind = benching.oclgrind_version();
  const std::vector<std::string> all = recorded_programs(options);
  for (std::size_t p = 0; p < all.size(); ++p) {
    if (progress && !progress(double(p) / double(all.size()), Message("{}", all[p])))
      throw usage_error("the benchmark was stopped");
    bench.rows.push_back(benching.row(all[p], !bench.oclgrind.empty()));
  }
  if (progress) progress(1, Message("done"));
  return bench;
}

std::string bench_text(const RecordBench& bench) {
  std::string text = fmt::format("{} ({}), Oclgrind {}\n\n", bench.device, bench.driver,
                                 bench.oclgrind.empty() ? "is not installed" : bench.oclgrind);
  text += fmt::format("{:<24}{:>10}{:>10}{:>7}{:>11}{:>11}{:>7}{:>12}{:>7}{:>11}{:>8}{:>11}\n", "program", "plain s",
                      "record s", "times", "plain ms", "record ms", "times", "Oclgrind ms", "times", "accesses",
                      "B each", "explained");
  for (const RecordBenchRow& row : bench.rows) {
    if (!row.trouble.empty()) {
      text += fmt::format("{:<24}{}\n", row.program, row.trouble);
      continue;
    }
    const bool interpreted = row.oclgrind.launches_ns > 0;
    text +=
        fmt::format("{:<24}{:>10.2f}{:>10.2f}{:>7.1f}{:>11.3f}{:>11.3f}{:>7.1f}{:>12}{:>7}{:>11}{:>8.2f}{:>9.1f} %\n",
                    row.program, row.plain.wall_ns / 1e9, row.recorded.wall_ns / 1e9, row.wall_ratio(),
                    row.plain.launches_ns / 1e6, row.recorded.launches_ns / 1e6, row.launch_ratio(),
                    interpreted ? fmt::format("{:.1f}", row.oclgrind.launches_ns / 1e6) : "-",
                    interpreted ? fmt::format("{:.0f}", row.oclgrind_ratio()) : "-", row.accesses,
                    row.bytes_per_access(), 100 * row.explained);
    if (!row.same) text += fmt::format("{:<24}its results are not those without recording\n", "");
    if (row.unoptimised) text += fmt::format("{:<24}Oclgrind: with -cl-opt-disable, without which it fails\n", "");
    if (!bench.oclgrind.empty() && !row.no_oclgrind.empty())
      text += fmt::format("{:<24}Oclgrind: {}\n", "", row.no_oclgrind);
  }
  return text +
         "\ns: the whole process, with the operations found in its accesses and the trace written; ms: its launches "
         "once,\n"
         "within the program. B each: the file's bytes for an access; accesses: of the launches twice.\n";
}

std::string bench_json(const RecordBench& bench) {
  const auto time = [](const ProgramTime& one) {
    return Json{{"wall_ns", one.wall_ns}, {"launches_ns", one.launches_ns}};
  };
  Json rows = Json::array();
  for (const RecordBenchRow& row : bench.rows) {
    Json one{{"program", row.program}};
    if (!row.trouble.empty()) {
      one["trouble"] = row.trouble;
    } else {
      one["plain"] = time(row.plain);
      one["recorded"] = time(row.recorded);
      if (row.oclgrind.launches_ns > 0)
        one["oclgrind"] = time(row.oclgrind), one["oclgrind"]["optimised"] = !row.unoptimised;
      else
        one["no_oclgrind"] = row.no_oclgrind;
      one["accesses"] = row.accesses;
      one["file_bytes"] = row.file_bytes;
      one["explained"] = row.explained;
      one["same"] = row.same;
    }
    rows.push_back(std::move(one));
  }
  Json json{{"device", bench.device}, {"driver", bench.driver}};
  if (!bench.oclgrind.empty()) json["oclgrind"] = bench.oclgrind;
  json["programs"] = std::move(rows);
  return json_text(json, 2) + "\n";
}

}  // namespace twiddle
