// What launches ask of memory, held against the counters of an H200 (sm_90, Nsight Compute 2025.3.1, `twiddle bench hardware`).
#include "checked.h"
#include "own_kernel.h"
#include "test_support.h"
#include "tracer/bench/bench_rungs.h"
#include "tracer/replay/memory_counts.h"
#include "tracer/run/tracer.h"
#include "tracer/store/memory_trace.h"
#include "tracer/trace/memory/pairs.h"

#include <doctest.h>

#include <array>

using namespace twiddle;

TEST_CASE("sectors and passes are those that an H200 counts") {
  using Counts =
      std::array<std::uint64_t, memory_counters>;  // sectors read, written; passes read, written, atomic; sectors
  struct Expected {
    const char* rung;
    std::uint64_t rows;
    std::size_t launch;  // from 1
    Counts counts;
  };
  for (const Expected& one : {
           Expected{"fft-radix2:group-size=64", 0, 1, {716, 716}},  // bit reversal
           {"fft-radix2:group-size=64", 0, 2, {512, 512}},          // stride 1
           {"fft-radix2:group-size=64", 0, 3, {512, 512}},
           {"fft-radix2:group-size=64", 0, 4, {256, 256}},
           {"fft-radix2:group-size=64", 0, 11, {256, 256}},
           {"fft-stockham4:group-size=64", 0, 1, {256, 256}},
           {"fft-stockham4:group-size=64", 0, 5, {1024, 256}},
           {"fft-batch:group-size=64", 8, 1, {2048, 2048, 1024, 1024}},
           {"fft-blocks:group-size=256", 0, 1, {256, 256, 128, 128}},
           {"reduce-vector:group-size=256,groups=1", 0, 1, {128, 1, 25, 20}},
           // A bank a lane: no conflict. Bins in L2: a lane an element, eight of them a sector.
           {"histogram-lanes:group-size=256,groups=1", 0, 1, {128, 0, 256, 256, 32, 32}},
           {"histogram-lanes:type=uchar,group-size=64,groups=1", 0, 1, {32, 0, 256, 256, 32, 32}},
       }) {
    CAPTURE(one.rung);
    CAPTURE(one.launch);
    Runtime& host = *device_of("host");
    MemoryTrace trace;
    trace_plan(plan_of_rung(request_of_rung(one.rung), 1024, one.rows, host.device()), host, {}, trace);
    Replay replay(trace.finish());
    const std::vector<MemoryCounts> launches = count_memory(replay);
    REQUIRE(launches.size() >= one.launch);
    for (std::size_t c = 0; c < memory_counters; ++c) {
      CAPTURE(name_of(static_cast<MemoryCounter>(c)));
      CHECK(launches[one.launch - 1].count[c] == one.counts[c]);
    }
  }
}

TEST_CASE("elements of two arrays are fetched from both, whatever is known of them") {
  const auto counted = [](bool known_as_complex) {
    OwnKernel own(
        "extern \"C\" __global__ void turn(float *re, float *im) {\n"
        "  int a = threadIdx.x, b = a + 32;\n"
        "  float s, c; sincosf(-3.14159265f * a / 32, &s, &c);\n"
        "  float ar = re[a], ai = im[a], tr = c * re[b] - s * im[b], ti = c * im[b] + s * re[b];\n"
        "  re[a] = ar + tr; im[a] = ai + ti; re[b] = ar - tr; im[b] = ai - ti;\n"
        "}\n"
        "extern \"C\" __global__ void power(float *re, float *im, float *out) {\n"
        "  int a = 2 * threadIdx.x, b = a + 1;\n"
        "  float ar = re[a], ai = im[a], br = re[b], bi = im[b];\n"
        "  out[threadIdx.x] = sqrtf(ar * ar + ai * ai) + sqrtf(br * br + bi * bi);\n"
        "}\n",
        ".cu");
    own.plan.signal = "random:5";
    const auto re = own.buffer("re", ElementType::Float, 64, Content::Kind::Signal);
    const auto im = own.buffer("im", ElementType::Float, 64), out = own.buffer("out", ElementType::Float, 32);
    if (known_as_complex) own.launch("turn", 32, 32, {re, im});
    own.launch("power", 32, 32, {re, im, out});
    MemoryTrace trace;
    trace_plan(own.plan, *device_of("host"), {}, trace);
    Replay replay(trace.finish());
    CHECK((pair_of(replay.info(), 0, 1) >= 0) == known_as_complex);
    return count_memory(replay).back();
  };
  MemoryCounts plain = counted(false), complex = counted(true);
  CHECK(plain.of(MemoryCounter::SectorsRead) == 32);  // four loads, eight sectors each
  for (std::size_t c = 0; c < memory_counters; ++c) {
    CAPTURE(name_of(static_cast<MemoryCounter>(c)));
    CHECK(complex.count[c] == plain.count[c]);
  }
}

TEST_CASE("atomics on global memory cost the most lanes that meet at an element, of each sector") {
  Request request;
  request.algorithm = "histogram-global";
  request.n = 256;
  request.signal = "constant";
  MemoryTrace trace;
  trace_plan(make_plan(request), *device_of("host"), {}, trace);
  Replay replay(trace.finish());
  MemoryCounts counts = count_memory(replay).at(0);
  CHECK(counts.of(MemoryCounter::SectorsAtomic) == 256);
  CHECK(counts.of(MemoryCounter::PassesAtomic) == 0);
}
