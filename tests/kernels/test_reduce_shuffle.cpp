// reduce-shuffle: lanes take each other's registers, and TRACE_OF_ITEM says whose.
#include "checked.h"
#include "own_kernel.h"
#include "runtimes/verdict_of.h"
#include "sample.h"
#include "test_support.h"
#include "tracer/cost/sub_group.h"
#include "tracer/replay/replay.h"
#include "tracer/store/memory_trace.h"

#include <doctest.h>

#include <map>
#include <string>
#include <vector>

using namespace twiddle;

namespace {

Request shuffled_sum(std::uint64_t n, std::uint64_t group, const char* type = "int") {
  Request request;
  request.algorithm = "reduce-shuffle";
  request.n = n;
  request.group_size = group;
  request.type = type;
  request.signal = "random:3";
  return request;
}

std::shared_ptr<const TraceSource> traced_on_host(const Plan& plan) {
  MemoryTrace trace;
  trace_plan(plan, *device_of("host"), {}, trace);
  return trace.finish();
}

}  // namespace

TEST_CASE("sums by shuffles are right: less than a sub-group, whole ones, and what is left over") {
  for (const char* runtime : {"opencl", "host"}) {
    if (!device_of(runtime)) continue;
    Sample sample(14, runtime == std::string("host") ? 3 : 0);
    for (const std::uint64_t n : {0, 1, 2, 3, 31, 32, 33, 64, 97, 1000})
      for (const std::uint64_t group : {2, 16, 32, 64, 256})
        for (const char* type : {"int", "float"}) {
          if (n > 100 && group == 2) continue;  // nine launches
          if (sample.skips()) continue;
          const Plan plan = make_plan(shuffled_sum(n, group, type));
          const Verdict verdict = verdict_of(plan, *device_of(runtime));
          CAPTURE(runtime);
          CAPTURE(n);
          CAPTURE(group);
          CAPTURE(type);
          CAPTURE(verdict.reason);
          CHECK(verdict.pass);
        }
  }
}

TEST_CASE("a lane adds the register of the lane that is s further on, and local memory has a sum of each sub-group") {
  const std::shared_ptr<const TraceSource> source = traced_on_host(make_plan(shuffled_sum(128, 64)));
  const TraceInfo& info = source->info();
  std::map<int, std::vector<std::uint64_t>> adders;  // stage → lanes
  std::uint64_t local = 0;
  Replay replay(source);
  CHECK(replay.check().unexplained == 0);
  CHECK(replay.check().inconsistent_reads == 0);
  replay.for_each(1, info.steps, false, [&](const Operation& operation) {
    for (const Access& access : operation.writes) {
      const BufferInfo& buffer = *info.buffer(access.buffer);
      if (is_registers(buffer)) CHECK(access.index == operation.item);  // into its own alone
      local += buffer.space == Space::Local && !is_registers(buffer);
    }
    if (operation.kind != OperationKind::Combine || operation.stage == 0) return true;
    REQUIRE(operation.reads.size() == 2);
    CHECK(is_registers(*info.buffer(operation.reads[1].buffer)));
    const std::uint64_t s = operation.stage <= 5 ? 32u >> operation.stage : 1;
    CHECK(operation.reads[0].index == operation.item);
    CHECK(operation.reads[1].index == operation.item + s);
    adders[operation.stage].push_back(operation.item);
    return true;
  });
  CHECK(local == 2);
  REQUIRE(adders.size() == 6);
  CHECK(adders[1].size() == 32);  // 16 lanes in each of the two
  CHECK(adders[5] == std::vector<std::uint64_t>{0, 32});
  CHECK(adders[6] == std::vector<std::uint64_t>{0});
}

TEST_CASE("no check calls it wrong, on OpenCL and on the host") {
  for (const char* runtime : {"opencl", "host"}) {
    if (!device_of(runtime)) continue;
    for (const std::uint64_t n : {1, 5, 64, 200})
      for (const std::uint64_t group : {4, 32, 64}) {
        CAPTURE(runtime);
        CAPTURE(n);
        CAPTURE(group);
        const CheckedRun run = checked(make_plan(shuffled_sum(n, group)), *device_of(runtime));
        CHECK_MESSAGE(!run.any_errors(), run.text());
      }
  }
}

TEST_CASE("a register of an item that the group does not have is outside, and so is one past an item's own") {
  for (const char* from : {"TRACE_OF_ITEM(lid + 8, 0)", "TRACE_OF_ITEM(lid, 2)", "2"}) {
    OwnKernel own(
        std::string("extern \"C\" __global__ void add(float *x TRACE_PARAMS) {\n"
                    "  int lid = threadIdx.x;\n  float v[2];\n  v[0] = x[lid];\n"
                    "  TRACE_MOVE(v, 0, x, lid, v[0]);\n"
                    "  float a = v[0], b = __shfl_xor_sync(0xffu, a, 1);\n  TRACE_BARRIER();\n  v[1] = a + b;\n"
                    "  TRACE_COMBINE(v, 1, v, 0, ") +
            from + ", a, b);\n  x[lid] = v[1];\n  TRACE_MOVE(x, lid, v, 1, v[1]);\n}\n",
        ".cu");
    const BufferArgument x = own.buffer("x", ElementType::Float, 8);
    own.launch("add", 8, 8, {x});
    CAPTURE(from);
    TraceOptions options;
    options.accesses = Accesses::None;  // what the trace lines say alone
    const CheckedRun run = checked(own.plan, *device_of("host"), options);
    CHECK_MESSAGE(run.first(FindingClass::OutOfBounds) != nullptr, run.text());
  }
}

TEST_CASE("an item of a group of 2048 is named as well as one of the first") {
  Runtime* runtime = device_of("opencl");
  if (!runtime || runtime->device().max_group_size < 2048) return;
  OwnKernel own(
      "kernel void swap(global float *x TRACE_PARAMS) {\n"
      "  local float t[2048];\n  int lid = get_local_id(0);\n  float v[1];\n  v[0] = x[lid];\n"
      "  TRACE_MOVE(v, 0, x, lid, v[0]);\n  t[lid] = v[0];\n  barrier(CLK_LOCAL_MEM_FENCE);\n  TRACE_BARRIER();\n"
      "  float b = t[2047 - lid];\n  x[lid] = b;\n  TRACE_MOVE(x, lid, v, TRACE_OF_ITEM(2047 - lid, 0), b);\n}\n");
  const BufferArgument x = own.buffer("x", ElementType::Float, 2048);
  own.launch("swap", 2048, 2048, {x});
  TraceOptions options;
  options.accesses = Accesses::None;
  const CheckedRun run = checked(own.plan, *runtime, options);
  CHECK_MESSAGE(!run.any_errors(), run.text());
  MemoryTrace trace;
  trace_plan(own.plan, *runtime, options, trace);
  const std::shared_ptr<const TraceSource> source = trace.finish();
  Replay replay(source);
  CHECK(replay.check().inconsistent_reads == 0);
  std::uint64_t brought = 0;
  replay.for_each(1, source->info().steps, false, [&](const Operation& operation) {
    if (!is_registers(*source->info().buffer(operation.reads[0].buffer))) return true;
    CHECK(operation.reads[0].index == 2047 - operation.item);
    ++brought;
    return true;
  });
  CHECK(brought == 2048);
}
