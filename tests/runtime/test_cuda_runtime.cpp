// The CUDA runtime on an NVIDIA GPU: `twiddle_tests -tc='gpu*'`. Where there is none, each test says so and passes.
#include "tracer/cuda/cuda_runtime.h"

#include "kernels/catalogue/catalogue.h"
#include "kernels/catalogue/reference.h"
#include "runtimes/cuda_language.h"
#include "runtimes/runtimes_agree.h"
#include "test_support.h"
#include "tracer/run/tracer.h"
#include "tracer/runtimes/open_runtime.h"

#include <doctest.h>

#include <algorithm>

using namespace twiddle;

namespace {

// Null, with a message, where there is no GPU.
std::unique_ptr<Runtime> gpu() {
  try {
    return open_cuda_runtime(0);
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::no_device);
    MESSAGE("not tested: " << std::string(error.what()));
    return {};
  }
}

bool runs_on_cuda(const Algorithm& algorithm) {
  return std::find(algorithm.runtimes.begin(), algorithm.runtimes.end(), "cuda") != algorithm.runtimes.end();
}

}  // namespace

TEST_CASE("gpu: devices are described") {
  const auto runtime = gpu();
  if (!runtime) return;
  DeviceList list;
  list_cuda_devices(list);
  REQUIRE(!list.devices.empty());
  CHECK(list.missing.empty());
  for (const DeviceInfo& device : list.devices) {
    MESSAGE(device.name << ", " << device.version << ", " << device.driver);
    CHECK(device.kind == "gpu");
    CHECK(!device.name.empty());
    CHECK(contains(device.version, "compute capability"));
    CHECK(device.global_bytes > 0);
    CHECK(device.local_bytes >= 48 * 1024);
    CHECK(device.max_group_size >= 512);
    CHECK(device.sub_group_size == 32);
    CHECK(device.compute_units > 0);
  }
  CHECK(exit_code_of([&] { open_cuda_runtime(static_cast<int>(list.devices.size())); }) == ExitCode::no_device);
  CHECK(open_runtime("cuda", 0)->device().name == list.devices[0].name);
}

TEST_CASE("gpu: the CUDA language") {
  auto runtime = gpu();
  if (!runtime) return;
  KernelHarness bench(std::move(runtime), "cuda_right.cu");
  CHECK(bench.runtime().source_extension() == ".cu");
  check_memory(bench);
  check_shared_memory(bench);
  check_working_together(bench);
  check_functions(bench);
}

TEST_CASE("gpu: limits and arguments are named before anything runs") {
  auto runtime = gpu();
  if (!runtime) return;
  KernelHarness bench(std::move(runtime), "cuda_right.cu");
  const KernelArgument x = bench.buffer(counted(64));
  const auto sentence = [&](const char* kernel, std::size_t global, std::size_t local,
                            std::vector<KernelArgument> arguments, bool cooperative = false) {
    CHECK(exit_code_of([&] { bench.run(kernel, global, local, arguments, cooperative); }) == ExitCode::usage);
    return sentence_of([&] { bench.run(kernel, global, local, arguments, cooperative); });
  };
  CHECK(contains(sentence("add", 4096, 2048, {x, scalar(1)}), "is over the 1024"));
  CHECK(contains(sentence("reverse", 1024, 512, {x}), "for what this kernel needs"));  // __launch_bounds__(256)
  CHECK(contains(sentence("add", 100, 64, {x, scalar(1)}), "not whole groups"));
  CHECK(contains(sentence("add", 64, 64, {x}), "takes 2 arguments and was given 1"));
  CHECK(contains(sentence("add", 64, 64, {x, scalar(1), scalar(2)}), "takes 2 arguments and was given 3"));
  CHECK(contains(sentence("add", 64, 64, {scalar(1), x}), "argument 1 of kernel add"));
  CHECK(contains(sentence("ad", 64, 64, {x}), "no kernel called ad; it has add, reverse, shapes"));
  const std::uint64_t local = bench.runtime().device().local_bytes;
  CHECK(contains(sentence("dynamic", 64, 64, {x, {KernelArgument::Local{local + 1}}}), std::to_string(local)));
  CHECK(contains(sentence("grid", std::size_t(1) << 26, 1024, {x, scalar(1)}, true), "holds at the same time"));
  CHECK(exit_code_of([&] { bench.runtime().allocate(std::size_t(1) << 60); }) == ExitCode::no_device);
  CHECK(exit_code_of([&] {
          bench.runtime().build({"mine.cu", "__global__ void k() { x; }\n", {}});
        }) == ExitCode::usage);
}

TEST_CASE("gpu: every algorithm is right, at three sizes") {
  const auto runtime = gpu();
  if (!runtime) return;
  for (const Algorithm& algorithm : algorithms())
    for (int size = 0; size < 3 && runs_on_cuda(algorithm); ++size) {
      CAPTURE(algorithm.id);
      CAPTURE(size);
      const Plan plan = make_plan(request_for(algorithm, size));
      if (plan.expect.transform == Expect::Transform::None) continue;
      const RunOutcome outcome = run_plan(plan, *runtime);
      const auto index_of = [&](const std::string& name) {
        return static_cast<std::size_t>(plan.buffer_named(name) - plan.buffers.data());
      };
      const std::size_t input = index_of(plan.expect.input);
      const Verdict verdict =
          verify(plan, first_content(plan, plan.buffers[input]), outcome.buffers[index_of(plan.expect.output)]);
      CHECK_MESSAGE(verdict.pass, verdict.relative_l2 << " against " << verdict.bound << ": " << verdict.reason);
      CHECK(outcome.kernel_ns > 0);
    }
}

TEST_CASE("gpu: every algorithm does the same operations in the same slots on cuda and on the host") {
  const auto cuda = gpu();
  if (!cuda) return;
  const auto host = open_runtime("host", 0);
  for (const Algorithm& algorithm : algorithms())
    for (int size = 0; size < 2 && runs_on_cuda(algorithm); ++size) check_agreement(algorithm, size, *cuda, *host);
}
