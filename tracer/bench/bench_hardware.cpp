#include "tracer/bench/bench_hardware.h"

#include "base/error.h"
#include "base/message.h"
#include "base/process.h"
#include "base/read_file.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "base/values/json_text.h"
#include "base/version.h"
#include "kernels/catalogue/catalogue.h"
#include "tracer/bench/bench_rungs.h"
#include "tracer/replay/replay.h"
#include "tracer/run/plan_run.h"
#include "tracer/run/trace_setup.h"
#include "tracer/store/memory_trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace twiddle {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_table = std::size_t(64) << 20;
constexpr double patience = 580;  // seconds for the profiler
constexpr std::uint64_t plane_side = 64, batch_rows = 8, dft_points = 128;

// Nsight Compute's name of each MemoryCounter.
constexpr std::array<const char*, memory_counters> metrics = {
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",         "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",   "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", "lts__t_sectors_srcunit_tex_op_red.sum"};

Plan plan_for_counters(const std::string& rung, std::uint64_t n, const DeviceInfo& device) {
  const Request request = request_of_rung(rung);
  const Algorithm& algorithm = find_algorithm(request.algorithm);
  if (algorithm.dimensions == 2) return plan_of_rung(request, plane_side, plane_side, device);
  try {
    return plan_of_rung(request, algorithm.id == "dft" ? std::min(n, dft_points) : n,
                        takes(algorithm, "rows") ? batch_rows : 0, device);
  } catch (const Error&) {  // it takes no such size
    return make_plan(request);
  }
}

std::vector<std::uint64_t> versions_in(const std::string& name) {
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] < '0' || name[i] > '9') continue;
    if (i == 0 || name[i - 1] < '0' || name[i - 1] > '9') numbers.push_back(0);
    numbers.back() = 10 * numbers.back() + static_cast<std::uint64_t>(name[i] - '0');
  }
  return numbers;
}

// Versions as numbers, part by part: 2025.10 is after 2025.9.
bool is_newer(const fs::path& a, const fs::path& b) {
  return versions_in(a.filename().string()) > versions_in(b.filename().string());
}

// The first that is one: on the PATH, in the toolkit's folder (a script there may point to what is not installed), and of the
// versions beside each other the newest.
std::string found_profiler() {
  std::vector<fs::path> places = {"ncu", "/usr/local/cuda/bin/ncu"};
  std::vector<fs::path> versions;
  std::error_code failed;
  for (fs::directory_iterator at("/opt/nvidia/nsight-compute", failed), end; !failed && at != end; at.increment(failed))
    versions.push_back(at->path());
  std::sort(versions.begin(), versions.end(), is_newer);
  for (const fs::path& version : versions) places.push_back(version / "ncu");
  std::string broken;
  for (const fs::path& place : places) {
    std::string ncu = find_program(place.string()).string();
    if (ncu.empty()) continue;
    const ProcessResult result = run_process({ncu, "--version"}, 30);
    if (result.status == 0 && result.output.find("Nsight Compute") != std::string::npos) return ncu;
    if (broken.empty()) broken = ncu;
  }
  if (!broken.empty()) throw no_device("{} is there, but it is no Nsight Compute that runs", broken);
  throw no_device("bench hardware needs Nsight Compute's ncu, a part of CUDA's toolkit, and there is none on the PATH");
}

std::vector<std::string> csv_cells(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else if (c != '\r')
      cells.back() += c;
  }
  return cells;
}

// "8,192", "8192", "n/a"
std::optional<double> counter_value(std::string text) {
  std::erase(text, ',');
  return number_in<double>(text);
}

HardwareRow logged_row(const std::string& rung, Runtime& runtime, const HardwareBenchOptions& options) {
  HardwareRow row;
  row.rung = rung;
  try {
    const Plan plan = plan_for_counters(rung, options.n, runtime.device());
    for (const auto& [key, value] : plan.parameters)
      row.parameters += (row.parameters.empty() ? "" : " ") + key + "=" + value;
    MemoryTrace trace;
    trace_plan(plan, runtime, {}, trace);
    Replay replay(trace.finish());
    for (MemoryCounts& counts : count_memory(replay)) row.launches.push_back({std::move(counts), {}});
  } catch (const Error& error) {
    row.trouble = error.message().english();
    row.launches.clear();
  }
  return row;
}

std::vector<CountedKernel> profiled(const Runtime& runtime, const std::vector<HardwareRow>& rows,
                                    const HardwareBenchOptions& options) {
  const TemporaryFolder folder;
  const fs::path table = folder.path() / "counters.csv";
  std::vector<std::string> command = {options.profiler.empty() ? found_profiler() : options.profiler,
                                      "--csv",
                                      "--page",
                                      "raw",
                                      "--print-units",
                                      "base",
                                      "--clock-control",
                                      "none",
                                      "--metrics",
                                      fmt::format("{}", fmt::join(metrics, ",")),
                                      "--log-file",
                                      table.string(),
                                      options.program,
                                      "bench",
                                      "hardware"};
  for (const HardwareRow& row : rows)
    if (row.trouble.empty()) command.push_back(row.rung);
  for (const std::string& word :
       {std::string("--untraced"), std::string("--n"), fmt::format("{}", options.n), std::string("--runtime"),
        runtime.device().runtime, std::string("--device"), fmt::format("{}", runtime.device().index)})
    command.push_back(word);
  const ProcessResult result = run_process(command, patience);
  const std::string printed = fs::exists(table) ? read_file(table, max_table) : "";
  if (printed.find("ERR_NVGPUCTRPERM") != std::string::npos)
    throw no_device("the profiler may not read the GPU's counters; run as root, or let the driver allow it");
  if (result.timed_out) throw no_device("the profiler did not end within {} s", patience);
  if (result.status != 0)
    throw no_device("the profiler failed: {}", last_line(result.errors.empty() ? printed : result.errors));
  return counted_kernels(printed);
}

}  // namespace

bool HardwareLaunch::used(std::size_t counter) const {
  return logged.count[counter] > 0 || counted[counter].value_or(0) > 0;
}

bool HardwareLaunch::same(std::size_t counter) const {
  const auto log = static_cast<double>(logged.count[counter]);
  return counted[counter] && std::abs(*counted[counter] - log) <= 0.005 * log;
}

std::vector<std::string> hardware_rungs() {
  std::vector<std::string> rungs;
  for (const Algorithm& algorithm : algorithms()) {
    if (std::find(algorithm.runtimes.begin(), algorithm.runtimes.end(), "cuda") == algorithm.runtimes.end()) continue;
    const std::size_t before = rungs.size();
    for (const Parameter& parameter : algorithm.parameters) {
      if (parameter.name == "method")
        for (const std::string& word : choices(parameter)) rungs.push_back(algorithm.id + ":method=" + word);
      if (parameter.name == "twiddles")
        for (const std::string& word : choices(parameter))
          if (word == "table" || word == "shared") rungs.push_back(algorithm.id + ":twiddles=" + word);
      if (parameter.name == "transform")
        for (const std::string& word : choices(parameter))
          for (const char* method : {"transpose", "fused"})
            rungs.push_back(algorithm.id + ":method=" + method + ",transform=" + word);
    }
    const bool ways = std::any_of(rungs.begin() + static_cast<std::ptrdiff_t>(before), rungs.end(),
                                  [](const auto& rung) { return rung.find(":method=") != std::string::npos; });
    if (!ways) rungs.insert(rungs.begin() + static_cast<std::ptrdiff_t>(before), algorithm.id);
  }
  return rungs;
}

HardwareBench bench_hardware(Runtime& runtime, const HardwareBenchOptions& options, const Progress& progress) {
  const DeviceInfo& device = runtime.device();
  if (device.runtime != "cuda" && options.profiler.empty())
    throw usage_error("Nsight Compute counts the launches of CUDA alone: take --runtime cuda");
  if (options.profiler.empty()) found_profiler();
  const std::vector<std::string> rungs = options.rungs.empty() ? hardware_rungs() : options.rungs;
  for (const std::string& rung : rungs) request_of_rung(rung);
  HardwareBench bench{device.name, device.driver, program_version, now_utc(), {}};
  for (const std::string& rung : rungs) {
    const double done = static_cast<double>(bench.rows.size()) / static_cast<double>(2 * rungs.size());
    if (progress && !progress(done, Message::verbatim(rung))) return bench;
    bench.rows.push_back(logged_row(rung, runtime, options));
  }
  const auto runs = [](const HardwareRow& row) { return !row.launches.empty(); };
  if (std::none_of(bench.rows.begin(), bench.rows.end(), runs)) {
    const auto why =
        std::find_if(bench.rows.begin(), bench.rows.end(), [](const auto& row) { return !row.trouble.empty(); });
    if (why == bench.rows.end()) throw usage_error("there is no launch for the profiler to count");
    throw no_device("none of the kernels can run here: {}: {}", why->rung, why->trouble);
  }
  if (progress && !progress(0.5, Message("the profiler"))) return bench;
  const std::vector<CountedKernel> kernels = profiled(runtime, bench.rows, options);
  std::size_t next = 0;
  for (HardwareRow& row : bench.rows)
    for (HardwareLaunch& launch : row.launches) {
      if (next == kernels.size() || kernels[next].kernel != launch.logged.kernel)
        throw no_device("the profiler counted other launches: {} where {} of {} was expected",
                        next == kernels.size() ? "none" : kernels[next].kernel, launch.logged.kernel, row.rung);
      launch.counted = kernels[next++].counted;
    }
  if (progress) progress(1, {});
  return bench;
}

void run_for_counters(Runtime& runtime, const HardwareBenchOptions& options) {
  for (const std::string& rung : options.rungs) {
    const Plan plan = plan_for_counters(rung, options.n, runtime.device());
    PlanRun run(plan, runtime);
    for (const Launch& launch : plan.launches) run.run(launch);
  }
}

std::vector<CountedKernel> counted_kernels(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line;
  std::vector<std::string> names;
  std::vector<CountedKernel> kernels;
  while (std::getline(lines, line)) {
    if (names.empty()) {
      if (line.starts_with("\"ID\",")) names = csv_cells(line);
      continue;
    }
    const std::vector<std::string> cells = csv_cells(line);
    if (cells.size() != names.size() || cells[0].empty()) continue;  // what the profiler says itself, and the units
    CountedKernel kernel;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (names[c] == "Kernel Name") kernel.kernel = cells[c].substr(0, cells[c].find('('));
      for (std::size_t m = 0; m < metrics.size(); ++m)
        if (names[c] == metrics[m]) kernel.counted[m] = counter_value(cells[c]);
    }
    kernels.push_back(std::move(kernel));
  }
  if (names.empty()) throw unreadable("the profiler printed no table of counters");
  return kernels;
}

std::string bench_text(const HardwareBench& bench) {
  std::string text =
      fmt::format("{}{}\n\n", bench.device, bench.driver.empty() ? "" : " (driver " + bench.driver + ")");
  text += fmt::format("{:<12} {:<22} {:<16} {:>10} {:>10} {:>8}\n", "launches", "kernel", "", "log", "GPU", "GPU/log");
  std::size_t all = 0, same = 0;
  const auto numbers = [](const HardwareLaunch& launch) { return std::pair(launch.logged.count, launch.counted); };
  for (const HardwareRow& row : bench.rows) {
    text += fmt::format("\n{}  {}\n", row.rung, row.trouble.empty() ? row.parameters : row.trouble);
    for (std::size_t l = 0; l < row.launches.size();) {
      const HardwareLaunch& launch = row.launches[l];
      std::size_t end = l + 1;  // of those that do the same
      while (end < row.launches.size() && row.launches[end].logged.kernel == launch.logged.kernel &&
             numbers(row.launches[end]) == numbers(launch))
        ++end;
      std::string where = fmt::format("L{}", l + 1);
      if (end > l + 1) where += fmt::format("-L{}", end);
      for (std::size_t m = 0; m < memory_counters; ++m) {
        if (!launch.used(m)) continue;
        all += end - l, same += launch.same(m) ? end - l : 0;
        const auto log = static_cast<double>(launch.logged.count[m]);
        const std::optional<double> counted = launch.counted[m];
        text += fmt::format(
            "{:<12} {:<22} {:<16} {:>10.0f} {:>10} {:>8}{}\n", where, launch.logged.kernel,
            name_of(static_cast<MemoryCounter>(m)), log, counted ? fmt::format("{:.0f}", *counted) : "-",
            counted && log > 0 ? fmt::format("{:.2f}", *counted / log) : "-", launch.same(m) ? "" : "  differs");
      }
      l = end;
    }
  }
  return text +
         fmt::format(
             "\n{} of {} counters are what the log says. Sectors of loads and stores are as L1 is asked for them, "
             "passes are those of\nshared memory's banks, sectors of atomics are L2's.\n",
             same, all);
}

std::string bench_json(const HardwareBench& bench) {
  using Json = nlohmann::ordered_json;
  Json json{{"device", bench.device},
            {"driver", bench.driver},
            {"version", bench.version},
            {"created", bench.created},
            {"rungs", Json::array()}};
  for (const HardwareRow& row : bench.rows) {
    Json entry{{"rung", row.rung}};
    if (!row.trouble.empty()) entry["trouble"] = row.trouble;
    entry["parameters"] = row.parameters;
    entry["launches"] = Json::array();
    for (const HardwareLaunch& launch : row.launches) {
      Json one{{"launch", launch.logged.launch}, {"kernel", launch.logged.kernel}, {"counters", Json::array()}};
      for (std::size_t m = 0; m < memory_counters; ++m)
        if (launch.used(m))
          one["counters"].push_back({{"counter", name_of(static_cast<MemoryCounter>(m))},
                                     {"log", launch.logged.count[m]},
                                     {"gpu", launch.counted[m] ? Json(*launch.counted[m]) : Json()},
                                     {"same", launch.same(m)}});
      entry["launches"].push_back(std::move(one));
    }
    json["rungs"].push_back(std::move(entry));
  }
  return json_text(json, 2) + '\n';
}

}  // namespace twiddle
