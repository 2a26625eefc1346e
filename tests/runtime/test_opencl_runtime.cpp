// The OpenCL runtime on any device that there is (PoCL where there is no GPU).
#include "tracer/opencl/opencl_runtime.h"

#include "own_kernel.h"
#include "test_support.h"
#include "tracer/opencl/devices/opencl_build_log.h"
#include "tracer/run/tracer.h"
#include "tracer/runtimes/open_runtime.h"
#include "tracer/source/compile_error.h"

#include <doctest.h>

#include <cstring>
#include <numeric>

using namespace twiddle;

namespace {

std::unique_ptr<Runtime> any_device() { return open_runtime("opencl", 0); }

ProgramSource source_of(const std::string& text, std::vector<std::string> defines = {}) {
  return {"mine.cl", text, std::move(defines)};
}

KernelArgument int_argument_of(int value) {
  KernelArgument::Scalar scalar{{}, sizeof value};
  std::memcpy(scalar.bits.data(), &value, sizeof value);
  return {scalar};
}

KernelCall call_of(ProgramHandle program, const char* kernel, std::size_t global, std::size_t local,
                   std::vector<KernelArgument> arguments) {
  KernelCall call;
  call.program = program;
  call.kernel = kernel;
  call.global = {global, 1, 1};
  call.local = {local, 1, 1};
  call.arguments = std::move(arguments);
  return call;
}

const char* const add_kernel =
    "kernel void add(global int *x, int step)\n{\n  x[get_global_id(0)] += step * FACTOR;\n}\n"
    "kernel void group_sum(global int *x, local int *all)\n{\n"
    "  int l = get_local_id(0);\n  all[l] = x[get_global_id(0)];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  int sum = 0;\n  for (int i = 0; i < get_local_size(0); ++i) sum += all[i];\n  x[get_global_id(0)] = sum;\n}\n";

}  // namespace

TEST_CASE("every OpenCL device is described, GPUs first") {
  DeviceList list;
  list_opencl_devices(list);
  REQUIRE(!list.devices.empty());
  CHECK(list.missing.empty());
  bool cpu_seen = false;
  for (std::size_t i = 0; i < list.devices.size(); ++i) {
    const DeviceInfo& device = list.devices[i];
    CHECK(device.runtime == "opencl");
    CHECK(device.index == static_cast<int>(i));
    CHECK(!device.name.empty());
    CHECK(device.max_group_size > 0);
    CHECK(device.local_bytes > 0);
    CHECK(device.global_bytes > 0);
    CHECK(device.compute_units > 0);
    if (device.kind == "cpu") cpu_seen = true;
    if (device.kind == "gpu") CHECK_FALSE(cpu_seen);
  }
}

TEST_CASE("a device that is not there is named, with exit code 4") {
  CHECK(exit_code_of([] { open_runtime("opencl", 99); }) == ExitCode::no_device);
  CHECK(contains(sentence_of([] { open_runtime("opencl", 99); }), "no OpenCL device 99"));
  CHECK(exit_code_of([] { open_runtime("opencl", -1); }) == ExitCode::no_device);
  CHECK(exit_code_of([] { open_runtime("vulkan", 0); }) == ExitCode::no_device);
  CHECK(contains(sentence_of([] { open_runtime("vulkan", 0); }), "no runtime called vulkan"));
}

TEST_CASE("kernels run, and memory goes there and back") {
  const auto runtime = any_device();
  std::vector<int> x(256);
  std::iota(x.begin(), x.end(), 0);
  const std::size_t bytes = x.size() * sizeof(int);
  const BufferHandle buffer = runtime->allocate(bytes);
  runtime->upload(buffer, 0, std::as_bytes(std::span(x)));

  const ProgramHandle program = runtime->build(source_of(add_kernel, {"FACTOR=10"}));
  CHECK(runtime->parameter_count(program, "add") == 2);
  const double time =
      runtime->run(call_of(program, "add", 256, 64, {{KernelArgument::Memory{buffer}}, int_argument_of(3)}));
  CHECK(time > 0);
  runtime->download(buffer, 0, std::as_writable_bytes(std::span(x)));
  for (int i = 0; i < 256; ++i) REQUIRE(x[i] == i + 30);

  SUBCASE("local memory") {
    runtime->run(
        call_of(program, "group_sum", 256, 64, {{KernelArgument::Memory{buffer}}, {KernelArgument::Local{256}}}));
    runtime->download(buffer, 0, std::as_writable_bytes(std::span(x)));
    CHECK(x[0] == 64 * 30 + 63 * 64 / 2);
    CHECK(x[255] == x[192]);
  }
  SUBCASE("parts, zeros and copies") {
    const BufferHandle other = runtime->allocate(bytes);
    runtime->copy(buffer, other, bytes);
    runtime->fill_zero(other, 4, 8);  // not a multiple of anything
    runtime->fill_zero(other, 64, 128);
    std::vector<int> part(64);
    runtime->download(other, 0, std::as_writable_bytes(std::span(part)));
    CHECK(part[0] == 30);
    CHECK(part[1] == 0);
    CHECK(part[2] == 0);
    CHECK(part[3] == 33);
    CHECK(part[15] == 45);
    CHECK(part[16] == 0);
    CHECK(part[47] == 0);
    CHECK(part[48] == 78);
    runtime->release(other);
    CHECK(runtime->allocate(16) == other);  // handles are used again
  }
  SUBCASE("through the host") {
    const BufferHandle other = runtime->allocate(bytes);
    runtime->Runtime::copy(buffer, other, bytes);
    std::vector<int> back(256);
    runtime->download(other, 0, std::as_writable_bytes(std::span(back)));
    CHECK(back == x);
  }
}

TEST_CASE("a kernel that does not compile shows the user's own line and nothing else") {
  const auto runtime = any_device();
  const auto build = [&] {
    runtime->build(source_of("#line 1 \"mine.cl\"\n\nkernel void k(global int *x)\n{\n  x[0] = y;\n}\n", {"A=1"}));
  };
  CHECK(exit_code_of(build) == ExitCode::usage);
  const std::string sentence = sentence_of(build);
  CAPTURE(sentence);
  CHECK(contains(sentence, "mine.cl does not compile"));
  CHECK(contains(sentence, "mine.cl:4:10: error:"));
  CHECK_FALSE(contains(sentence, "tempfile"));
  CHECK_FALSE(contains(sentence, "generated"));
}

TEST_CASE("a trace line takes the first row of an array of rows, and says so where it is given the array") {
  const auto runtime = any_device();
  const auto trace_with = [&](const std::string& name) {
    OwnKernel own(
        "kernel void f(global int *y TRACE_PARAMS) {\n"
        "  local int tile[2][8];\n"
        "  int g = get_global_id(0), v = y[g];\n"
        "  tile[0][g] = v;\n"
        "  TRACE_MOVE(" +
        name +
        ", g, y, g, v);\n"
        "}\n");
    own.launch("f", 8, 8, {own.buffer("y", ElementType::Int, 8)});
    run_traced_plan(own.plan, *runtime, {});
  };
  trace_with("tile[0]");
  const std::string sentence = sentence_of([&] { trace_with("tile"); });
  CHECK_MESSAGE(contains(sentence, "mine.cl:6:"), sentence);
  CHECK_MESSAGE(contains(sentence, "as in TRACE_STORE(tile[0], "), sentence);
  CHECK_FALSE(contains(sentence, "Spelling"));
  CHECK_FALSE(contains(std::string(does_not_compile("m.cl", "m.cl:9:3: error: use of x").what()), "TRACE_STORE"));
}

TEST_CASE("a build that fails without a word is tried again, and one that is told why is not") {
  struct Case {
    std::string log;
    int failures, attempts;  // how often it fails, and how often it is tried
    bool builds;
  };
  for (const Case& one :
       {Case{"", 0, 1, true}, Case{"", 1, 2, true}, Case{"", 2, 3, true}, Case{"", 9, 3, false},
        Case{"Device x failed to build the program\n", 1, 2, true}, Case{"m.cl:1:1: error: again\n", 1, 1, false}}) {
    CAPTURE(one.log);
    CAPTURE(one.failures);
    int attempts = 0;
    const auto build = [&] {
      build_unless_disturbed([&] {
        if (++attempts <= one.failures) throw cl::BuildError(CL_BUILD_PROGRAM_FAILURE, "", {{cl::Device(), one.log}});
      });
    };
    if (one.builds)
      CHECK_NOTHROW(build());
    else
      CHECK_THROWS_AS(build(), cl::BuildError);
    CHECK(attempts == one.attempts);
  }
}

TEST_CASE("build logs lose their noise") {
  CHECK(readable_build_log("/root/.cache/pocl/kcache/tempfile_a1b2.cl:3:1: error: x\n\n1 error generated.\n",
                           "mine.cl") == "mine.cl:3:1: error: x");
  CHECK(readable_build_log("<kernel>:7:5: error: y\n  code\n  ^\n2 warnings and 1 error generated.\n", "m.cl") ==
        "m.cl:7:5: error: y\n  code\n  ^");
  CHECK(readable_build_log("error: m.cl:4:10: use of y\nerror: m.cl: gone\n", "m.cl") ==
        "m.cl:4:10: error: use of y\nerror: m.cl: gone");
  CHECK(readable_build_log("error: m.cl:10:3 <Spelling=trace_device.h:296:35>: no matching function\n", "m.cl") ==
        "m.cl:10:3: error: no matching function");
  CHECK(readable_build_log("", "m.cl").empty());
  std::string endless;
  for (int i = 0; i < 1000; ++i) endless += "m.cl:1:1: error: again\n";
  const std::string bounded = readable_build_log(endless, "m.cl");
  CHECK(bounded.size() < 4000);
  CHECK(contains(bounded, "940 more lines"));
}

TEST_CASE("limits are named before anything is launched") {
  const auto runtime = any_device();
  const BufferHandle buffer = runtime->allocate(1 << 20);
  const ProgramHandle program = runtime->build(source_of(add_kernel, {"FACTOR=1"}));
  const KernelArgument memory{KernelArgument::Memory{buffer}};
  const auto sentence = [&](const KernelCall& call) {
    CHECK(exit_code_of([&] { runtime->run(call); }) == ExitCode::usage);
    return sentence_of([&] { runtime->run(call); });
  };

  const std::size_t limit = runtime->device().max_group_size;
  CHECK(contains(sentence(call_of(program, "add", 2 * limit, 2 * limit, {memory, int_argument_of(1)})),
                 "is over the " + std::to_string(limit)));
  CHECK(contains(sentence(call_of(program, "add", 100, 64, {memory, int_argument_of(1)})), "not whole groups"));
  CHECK(contains(sentence(call_of(program, "add", 0, 0, {memory, int_argument_of(1)})), "not whole groups"));
  CHECK(contains(sentence(call_of(program, "add", 64, 64, {memory})), "takes 2 arguments and was given 1"));
  CHECK(contains(sentence(call_of(program, "ad", 64, 64, {memory})), "no kernel called ad; it has add, group_sum"));
  CHECK(contains(sentence(call_of(program, "add", 64, 64, {int_argument_of(1), memory})), "argument 1 of kernel add"));
  const KernelArgument huge{KernelArgument::Local{runtime->device().local_bytes + 1}};
  const std::string local = sentence(call_of(program, "group_sum", 64, 64, {memory, huge}));
  CHECK(contains(local, std::to_string(runtime->device().local_bytes)));

  KernelCall cooperative = call_of(program, "add", 64, 64, {memory, int_argument_of(1)});
  cooperative.cooperative = true;
  CHECK(contains(sentence(cooperative), "whole grid"));

  const std::size_t too_much = runtime->device().max_buffer + 1;
  CHECK(exit_code_of([&] { runtime->allocate(too_much); }) == ExitCode::no_device);
}
