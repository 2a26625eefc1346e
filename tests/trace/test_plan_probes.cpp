// A launch whose values do not tell all that it did runs again on other data, and nothing of that is seen elsewhere.
#include "own_kernel.h"
#include "test_support.h"
#include "tracer/replay/replay.h"
#include "tracer/run/tracer.h"
#include "tracer/store/memory_trace.h"

#include <doctest.h>

#include <string>
#include <vector>

using namespace twiddle;

namespace {

struct Traced {
  TraceInfo info;
  TraceOutcome outcome;
  std::uint64_t butterflies = 0;
};

Traced traced_with(const Plan& plan, const std::string& device, bool probes) {
  TraceOptions options;
  options.probes = probes;
  MemoryTrace memory;
  Traced traced;
  traced.outcome = trace_plan(plan, *device_of(device), options, memory);
  Replay replay(memory.finish());
  traced.info = replay.info();
  for (std::uint64_t step = 1; step <= traced.info.steps; ++step)
    traced.butterflies += replay.operation(step).kind == OperationKind::Butterfly;
  return traced;
}

double explained(const Traced& traced) {
  std::uint64_t writes = 0, by_operations = 0;
  for (const LaunchInfo& launch : traced.info.launches)
    writes += launch.accesses.writes, by_operations += launch.accesses.explained_writes;
  return writes ? static_cast<double>(by_operations) / static_cast<double>(writes) : 1;
}

// Each item computes one point of a butterfly of two.
const std::string one_point_an_item =
    "kernel void fft(global const float2 *in, global float2 *out, local float2 *x, int n)\n{\n"
    "  int i = get_local_id(0), r = 0;\n"
    "  for (int m = 1, q = n / 2; m < n; m *= 2, q /= 2) if (i & m) r += q;\n"
    "  x[r] = in[i].yx;\n"
    "  for (int span = 1; span < n; span *= 2) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    int at = i % (2 * span);\n"
    "    float2 mine = x[i], other = x[i ^ span];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    float a = -M_PI_F * (at % span) / span;\n"
    "    float2 w = (float2)(cos(a), sin(a)), hi = at < span ? other : mine, lo = at < span ? mine : other;\n"
    "    hi = (float2)(hi.x * w.x - hi.y * w.y, hi.x * w.y + hi.y * w.x);\n"
    "    x[i] = at < span ? lo + hi : lo - hi;\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[i] = x[i].yx / n;\n"
    "}\n";

// Parts in one array, read again between the writes of a butterfly, as in Numerical Recipes.
const std::string parts_read_again =
    "kernel void stage(global float *d, int h)\n{\n"
    "  int t = get_global_id(0), m = t % h, i = 2 * ((t / h) * 2 * h + m), j = i + 2 * h;\n"
    "  float a = -M_PI_F * m / h, wr = cos(a), wi = sin(a);\n"
    "  float tempr = wr * d[j] - wi * d[j + 1], tempi = wr * d[j + 1] + wi * d[j];\n"
    "  d[j] = d[i] - tempr; d[j + 1] = d[i + 1] - tempi;\n"
    "  d[i] += tempr; d[i + 1] += tempi;\n"
    "}\n";

}  // namespace

TEST_CASE("items that compute one point each, of exchanged parts, are explained once they ran on other data") {
  if (!device_of("opencl")) return;
  OwnKernel own(one_point_an_item);
  own.plan.signal = "random:3";
  const auto in = own.buffer("in", ElementType::Float2, 16, Content::Kind::Signal);
  const auto out = own.buffer("out", ElementType::Float2, 16);
  own.launch("fft", 16, 16, {in, out, LocalArgument{16 * 8}, int_argument(16)});
  CHECK(explained(traced_with(own.plan, "opencl", false)) < 0.5);
  const Traced again = traced_with(own.plan, "opencl", true);
  CHECK(explained(again) == 1);
  CHECK(again.outcome.notes.empty());
  CHECK(again.info.launches[0].unexplained == 0);
}

TEST_CASE("what other data left is put back: the launches after it read what they would have read") {
  if (!device_of("opencl")) return;
  OwnKernel own(parts_read_again +
                "kernel void last(global const float *d, global const float *first, global float *y)\n{\n"
                "  int i = get_global_id(0);\n  y[i] = fmod(d[i], 0.3f) + first[i];\n}\n");
  own.plan.signal = "random:4";
  const auto d = own.buffer("d", ElementType::Float, 32, Content::Kind::Signal);
  const auto first = own.buffer("first", ElementType::Float, 32, Content::Kind::Signal);
  const auto y = own.buffer("y", ElementType::Float, 32);
  for (int half = 1; half < 16; half *= 2) own.launch("stage", 8, 8, {d, int_argument(half)});
  own.launch("last", 32, 8, {d, first, y});
  own.launch("last", 32, 8, {d, first, y});
  const RunOutcome plain = run_plan(own.plan, *device_of("opencl"));
  TraceOptions options;
  options.probes = true;
  const RunOutcome traced = run_traced_plan(own.plan, *device_of("opencl"), options);
  REQUIRE(traced.buffers.size() == plain.buffers.size());
  for (std::size_t b = 0; b < plain.buffers.size(); ++b) CHECK(traced.buffers[b] == plain.buffers[b]);

  const Traced all = traced_with(own.plan, "opencl", true);
  CHECK(all.butterflies >= 3 * 8);  // factors that are all 1 make sums and differences of real numbers as well
  for (const LaunchInfo& launch : all.info.launches) {
    CHECK(launch.unexplained == 0);
    CHECK(launch.inconsistent_reads == 0);
    if (launch.kernel == "stage") CHECK(launch.accesses.explained_writes == launch.accesses.writes);
  }
}

TEST_CASE("where other data lead a kernel astray, that is no fault of its launch") {
  // Its own data are in order, and only then is its pointer one.
  OwnKernel own(
      "extern \"C\" __global__ void place(const float *key, float *out, int n) {\n"
      "  int i = threadIdx.x, below = 0;\n"
      "  float prod = 1;\n"
      "  for (int k = 0; k < n; ++k) { below += key[k] < key[i]; prod *= key[k]; }\n"
      "  float *to = i == below ? out : nullptr;\n"
      "  to[i] = sqrtf(fabsf(prod)) + fmodf(key[i], 0.7f);\n"
      "}\n",
      ".cu");
  const auto key = own.buffer("key", ElementType::Float, 8, Content::Kind::Iota),
             out = own.buffer("out", ElementType::Float, 8);
  own.launch("place", 8, 8, {key, out, int_argument(8)});
  const Traced traced = traced_with(own.plan, "host", true);
  CHECK_FALSE(traced.outcome.stopped);
  CHECK(traced.outcome.faults.empty());
  CHECK(traced.info.launches[0].faults.empty());
  CHECK(traced.info.launches[0].accesses.writes == 8);
  CHECK(traced.info.launches[0].unexplained == 0);
}
