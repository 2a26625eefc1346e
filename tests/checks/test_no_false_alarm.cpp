// Nothing that is right is called wrong: the whole catalogue, at random sizes, with random input.
#include "base/temporary_folder.h"
#include "checked.h"
#include "own_kernel.h"
#include "runtimes/forwarding_runtime.h"
#include "sample.h"
#include "test_support.h"

#include <doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

using namespace twiddle;

namespace {

bool takes(const Algorithm& algorithm, std::uint64_t n) {
  Request request;
  request.algorithm = algorithm.id;
  request.n = n;
  return exit_code_of([&] { make_plan(request); }) == ExitCode::good;
}

// Sizes and choices that an algorithm takes: for transforms powers of two (of four where radix 4 needs them).
Request random_request(const Algorithm& algorithm, std::mt19937& random) {
  const auto pick = [&](std::uint64_t lowest, std::uint64_t highest) {
    return std::uniform_int_distribution<std::uint64_t>(lowest, highest)(random);
  };
  Request request;
  request.algorithm = algorithm.id;
  if (algorithm.dimensions == 2) {
    request.rows = std::uint64_t(1) << pick(2, 4);
    request.columns = std::uint64_t(1) << pick(2, 4);
  } else if (takes(algorithm, 7)) {
    request.n = pick(1, algorithm.operations.find("N^2") == std::string::npos ? 700 : 20);
  } else if (!takes(algorithm, 8)) {
    request.n = std::uint64_t(1) << (2 * pick(1, 4));
  } else {
    request.n = std::uint64_t(1) << pick(2, 8);
  }
  request.signal = "random:" + std::to_string(pick(1, 1000));
  for (const Parameter& parameter : algorithm.parameters) {
    if (parameter.name == "inverse") request.inverse = pick(0, 1) == 1;
    if (parameter.values.find(" | ") == std::string::npos) continue;  // a size, or words
    const std::vector<std::string> values = choices(parameter);
    set_parameter(request, parameter.name, values[pick(0, values.size() - 1)]);
  }
  return request;
}

// One that fits together: some methods take some sizes only.
Plan random_plan(const Algorithm& algorithm, std::mt19937& random) {
  for (int turn = 0;; ++turn) try {
      return make_plan(random_request(algorithm, random));
    } catch (const Error&) {
      if (turn == 100) throw;
    }
}

}  // namespace

TEST_CASE("no finding of severity error on anything that is right, with random sizes and seeds") {
  std::mt19937 random(11);
  Sample sample(10);
  for (const Algorithm& algorithm : algorithms())
    for (const char* name : {"opencl", "opencl", "host"}) {
      const Plan plan = random_plan(algorithm, random);
      const bool without_values = random() % 4 == 0;
      Runtime* runtime = device_of(name);
      if (!runtime || std::find(algorithm.runtimes.begin(), algorithm.runtimes.end(), name) == algorithm.runtimes.end())
        continue;
      if (sample.skips()) continue;
      CAPTURE(name);
      CAPTURE(algorithm.id);
      std::string parameters;
      for (const auto& [key, value] : plan.parameters) parameters += key + "=" + value + " ";
      CAPTURE(parameters);
      CAPTURE(plan.signal);
      CAPTURE(without_values);
      TraceOptions options;
      if (without_values) options.detail = Detail::Index;
      const bool grid_barrier = std::any_of(plan.launches.begin(), plan.launches.end(),
                                            [](const Launch& launch) { return launch.cooperative; });
      if (grid_barrier && !runtime->device().cooperative) continue;
      const CheckedRun run = checked(plan, *runtime, options);
      CHECK_MESSAGE(!run.any_errors(), run.text());
    }
}

TEST_CASE("nor where all accesses are logged beside trace lines of what a copy engine and shuffles do") {
  TraceOptions options;
  options.accesses = Accesses::All;
  for (const auto& [id, n] : {std::pair("fft-engine", 4096), std::pair("reduce-shuffle", 100),
                              std::pair("reduce-shuffle", 9), std::pair("reduce-unrolled", 100)}) {
    CAPTURE(id);
    Request request;
    request.algorithm = id;
    request.n = static_cast<std::uint64_t>(n);
    const CheckedRun run = checked(make_plan(request), *device_of("host"), options);
    CHECK_MESSAGE(!run.any_errors(), run.text());
  }
}

namespace {

// Logs as a GPU does: shuffles are counted, and what lanes hand each other is not seen.
class WithoutShuffles final : public ForwardingLog {
 public:
  WithoutShuffles() : ForwardingLog(open_runtime("host", 0)) {}

  RawAccesses run_logged(const KernelCall& call, const AccessRequest& request) override {
    const RawAccesses whole = ForwardingLog::run_logged(call, request);
    RawAccesses raw = whole;
    raw.begin = {0};
    raw.site = {};
    raw.address = {};
    raw.value = {};
    std::uint64_t shuffles = 0;
    for (std::size_t i = 0; i + 1 < whole.begin.size(); ++i) {
      for (std::uint64_t k = whole.begin[i]; k < whole.begin[i + 1]; ++k) {
        if (whole.sites[whole.site[k]].kind == AccessKind::Exchange) {
          ++shuffles;
          continue;
        }
        raw.site.push_back(whole.site[k]);
        raw.address.push_back(whole.address[k]);
        raw.value.push_back(whole.value[k]);
      }
      raw.begin.push_back(raw.site.size());
    }
    if (shuffles > 0) raw.unlogged.push_back({0, 0, shuffles, Message("shuffles are not logged"), true});
    return raw;
  }
};

}  // namespace

TEST_CASE("nor where a log has no shuffles, as a GPU's, and then it is said") {
  WithoutShuffles gpu;
  TraceOptions options;
  options.accesses = Accesses::All;
  const auto said = [](const CheckedRun& run) {
    const std::vector<std::string> unchecked = unchecked_in(run.info);
    return std::any_of(unchecked.begin(), unchecked.end(), [](const std::string& sentence) {
      return sentence.find("shuffles are not logged") != std::string::npos;
    });
  };
  for (const std::uint64_t n : {9, 64, 100, 1000})
    for (const std::uint64_t group : {16, 64}) {
      CAPTURE(n);
      CAPTURE(group);
      Request request;
      request.algorithm = "reduce-shuffle";
      request.n = n;
      request.group_size = group;
      const CheckedRun run = checked(make_plan(request), gpu, options);
      CHECK_MESSAGE(run.findings.empty(), run.text());
      CHECK(said(run));
    }
  // Lanes that put values into shared memory, shuffle, and read there: what orders them is not in the log.
  const char* const kernel =
      "extern \"C\" __global__ void neighbours(float *y, const float *x) {\n"
      "  __shared__ float tile[64];\n"
      "  int i = threadIdx.x;\n"
      "  tile[i] = x[i];\n"
      "  MEETING\n"
      "  y[i] = tile[i ^ 1];\n"
      "}\n";
  for (const auto& [meeting, errors] :
       {std::pair("float v = __shfl_xor_sync(0xffffffffu, x[i], 2); y[64 + i] = v;", false),
        std::pair("y[64 + i] = 0;", true)}) {
    CAPTURE(meeting);
    std::string text = kernel;
    text.replace(text.find("MEETING"), 7, meeting);
    OwnKernel own(text, ".cu");
    const BufferArgument y = own.buffer("y", ElementType::Float, 128), x = own.buffer("x", ElementType::Float, 64);
    own.launch("neighbours", 64, 64, {y, x});
    const CheckedRun run = checked(own.plan, gpu, options);
    CHECK_MESSAGE(run.any_errors() == errors, run.text());
    CHECK(said(run) == !errors);
  }
}

TEST_CASE("nor where only a part of a right run was kept") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  for (const char* id : {"fft-radix2", "fft-stockham2", "fft-radix2-local", "reduce-strided", "histogram-local"}) {
    CAPTURE(id);
    Request request;
    request.algorithm = id;
    TraceOptions stages, items, buffers;
    stages.stages = {2, 2};
    items.items = {1, 2};
    buffers.buffers = {make_plan(request).buffers.back().name};
    for (const TraceOptions& options : {stages, items, buffers}) {
      const CheckedRun run = checked(make_plan(request), *runtime, options);
      CHECK_MESSAGE(!run.any_errors(), run.text());
      CHECK_FALSE(unchecked_in(run.info).empty());
    }
  }
}

TEST_CASE("where one kernel is wrong, the right one beside it is not called so for terms that cancel") {
  Runtime* host = device_of("host");
  if (!host) return;
  const std::filesystem::path from = std::filesystem::path(TWIDDLE_TEST_DATA) / "../foreign/cuda";
  const TemporaryFolder folder;
  for (const char* name : {"matmul_tiled.cu", "matmul_tiled.toml", "matmul_b.csv"})
    std::filesystem::copy_file(from / name, folder.path() / name);
  std::ostringstream all;
  all << std::ifstream(folder.path() / "matmul_tiled.cu").rdbuf();
  std::string text = all.str();
  const std::string right = "Bs[k][tx]", wrong = "Bs[tx][k]";
  text.replace(text.find(right), right.size(), wrong);
  std::ofstream(folder.path() / "matmul_tiled.cu") << text;
  // Line 36 is the last of the slow kernel, which the plan compares with.
  const CheckedRun run = checked(read_plan_file(folder.path() / "matmul_tiled.toml"), *host);
  CHECK(run.any_errors());
  for (const Finding& finding : run.findings)
    if (finding.severity == Severity::Error) CHECK(finding.line != 36);
}
