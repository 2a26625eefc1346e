// Complex values that a kernel keeps as two real numbers: butterflies of them are butterflies, replayed, kept in files and drawn as
// those of complex elements are.
#include "base/error.h"
#include "checked.h"
#include "kernels/plan/plan.h"
#include "own_kernel.h"
#include "tracer/file/sqlite.h"
#include "tracer/store/memory_trace.h"
#include "tracer/trace/memory/pairs.h"

#include <doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

using namespace twiddle;

namespace {

enum class Layout { TwoBuffers, Beside, Halves, ReadTwice, BesideReadTwice, HalvesReadTwice, Batch, BatchReadTwice };
bool reads_twice(Layout layout) {
  return layout == Layout::ReadTwice || layout == Layout::BesideReadTwice || layout == Layout::HalvesReadTwice ||
         layout == Layout::BatchReadTwice;
}
// Halves of several transforms, one after another: a block has one.
bool in_batch(Layout layout) { return layout == Layout::Batch || layout == Layout::BatchReadTwice; }
bool in_two_buffers(Layout layout) { return layout == Layout::TwoBuffers || layout == Layout::ReadTwice; }

// Decimation in time in one block, 2 · items points, after a bit reversal of both parts.
std::string kernel_of(Layout layout) {
  const std::array<std::string, 2> two = {"re[i]", "im[i]"}, beside = {"re[2 * (i)]", "re[2 * (i) + 1]"},
                                   halves = {"re[i]", "re[(i) + n]"};
  const std::array<std::string, 2>& parts = in_two_buffers(layout)                                          ? two
                                            : layout == Layout::Beside || layout == Layout::BesideReadTwice ? beside
                                                                                                            : halves;
  const std::string body = reads_twice(layout)
                               ? "      float tr = c * RE(b) - s * IM(b), ti = c * IM(b) + s * RE(b);\n"
                                 "      RE(b) = RE(a) - tr; IM(b) = IM(a) - ti; RE(a) += tr; IM(a) += ti;\n"
                               : "      float ar = RE(a), ai = IM(a), br = RE(b), bi = IM(b);\n"
                                 "      float tr = c * br - s * bi, ti = c * bi + s * br;\n"
                                 "      RE(a) = ar + tr; IM(a) = ai + ti; RE(b) = ar - tr; IM(b) = ai - ti;\n";
  return "#define RE(i) " + parts[0] + "\n#define IM(i) " + parts[1] +
         "\n"
         "extern \"C\" __global__ void fft(float *re, float *im, int n) {\n" +
         (in_batch(layout) ? "  re += 2 * n * blockIdx.x;\n" : "") +
         "  for (int i = threadIdx.x; i < n; i += blockDim.x) {\n"
         "    int j = 0;\n"
         "    for (int b = 1; b < n; b <<= 1) j = 2 * j + ((i & b) != 0);\n"
         "    if (i < j) {\n"
         "      float t = RE(i); RE(i) = RE(j); RE(j) = t;\n"
         "      t = IM(i); IM(i) = IM(j); IM(j) = t;\n"
         "    }\n"
         "  }\n"
         "  __syncthreads();\n"
         "  for (int half = 1; half < n; half *= 2) {\n"
         "    int k = threadIdx.x % half, a = (threadIdx.x - k) * 2 + k, b = a + half;\n"
         "    float s, c; sincosf(-3.14159265f * k / half, &s, &c);\n"
         "    {\n" +
         body +
         "    }\n"
         "    __syncthreads();\n"
         "  }\n"
         "}\n";
}

std::vector<Operation> operations_in(Replay& replay) {
  std::vector<Operation> all;
  for (std::uint64_t step = 1; step <= replay.info().steps; ++step) all.push_back(replay.operation(step));
  return all;
}

}  // namespace

TEST_CASE("a transform of separate real and imaginary parts is one of complex values") {
  constexpr std::uint64_t n = 16, stages = 4;
  // Of real points the imaginary parts are zero, and do not say where they went.
  for (const auto& one :
       {std::pair(Layout::TwoBuffers, Content::Kind::Iota), std::pair(Layout::TwoBuffers, Content::Kind::Zero),
        std::pair(Layout::Beside, Content::Kind::Iota), std::pair(Layout::Halves, Content::Kind::Iota),
        std::pair(Layout::ReadTwice, Content::Kind::Iota), std::pair(Layout::BesideReadTwice, Content::Kind::Iota),
        std::pair(Layout::HalvesReadTwice, Content::Kind::Iota), std::pair(Layout::Batch, Content::Kind::Iota),
        std::pair(Layout::BatchReadTwice, Content::Kind::Iota)}) {
    const Layout layout = one.first;  // lambdas of old compilers hold no structured binding
    const Content::Kind imaginary = one.second;
    const std::uint64_t groups = in_batch(layout) ? 3 : 1;
    CAPTURE(static_cast<int>(layout));
    OwnKernel own(kernel_of(layout), ".cu");
    own.plan.signal = "random:5";
    const auto re =
        own.buffer("re", ElementType::Float, in_two_buffers(layout) ? n : 2 * n * groups, Content::Kind::Signal);
    const auto im = own.buffer("im", ElementType::Float, n, imaginary);
    own.launch("fft", groups * n / 2, n / 2, {re, im, int_argument(n)});
    const synthetic::Folder folder;
    TraceWriter writer(folder / "a.twd");
    MemoryTrace memory;
    trace_plan(own.plan, *device_of("host"), {}, writer);
    trace_plan(own.plan, *device_of("host"), {}, memory);
    writer.finish();
    const RunOutcome plain = run_plan(own.plan, *device_of("host"));
    Replay replay(TraceReader::open(folder / "a.twd")), in_memory(memory.finish());
    const TraceInfo& info = replay.info();
    CHECK(info.launches.at(0).unexplained == 0);
    CHECK(info.launches.at(0).inconsistent_reads == 0);
    CHECK(info.launches.at(0).accesses.explained_writes == info.launches.at(0).accesses.writes);

    const std::vector<Operation> operations = operations_in(replay);
    std::map<OperationKind, std::uint64_t> kinds;
    int pair = -1;
    for (const Operation& op : operations) {
      ++kinds[op.kind];
      if (op.kind != OperationKind::Butterfly) continue;
      pair = op.writes[0].buffer;
      REQUIRE(info.buffers.at(static_cast<std::size_t>(pair)).is_pair());
      for (const Access& access : op.reads) CHECK(access.buffer == pair);
    }
    REQUIRE(pair >= 0);
    // Points beside each other in one buffer may be parts of one value, too, where all factors are 1; and of what is read twice the
    // second time is a load.
    const std::uint64_t all = groups * n / 2 * stages;
    const bool halves = layout == Layout::Halves || layout == Layout::HalvesReadTwice || in_batch(layout);
    CHECK(kinds[OperationKind::Butterfly] >= (halves ? all - groups * n / 2 : all));
    CHECK(kinds[OperationKind::Swap] == groups * (n / 2 - 2));
    if (layout == Layout::TwoBuffers || layout == Layout::Beside) CHECK(kinds.size() == 2);
    CHECK(info.buffers[static_cast<std::size_t>(pair)].count == groups * n);
    // Where the kernel has the parts of a value.
    const auto index_of = [&](std::size_t part, std::uint64_t i) {
      if (in_two_buffers(layout)) return i;
      return halves ? i / n * 2 * n + part * n + i % n : 2 * i + part;
    };
    // The file says the same as memory does.
    const std::vector<Operation> same = operations_in(in_memory);
    REQUIRE(same.size() == operations.size());
    for (std::size_t i = 0; i < same.size(); ++i)
      for (int w = 0; w < same[i].writes.size(); ++w) CHECK(same[i].writes[w].value == operations[i].writes[w].value);
    // At the end, and wherever one looks, both ways to see a number agree.
    for (const std::uint64_t step : {std::uint64_t(0), info.steps / 2, info.steps}) {
      replay.seek(step);
      const State& state = replay.state();
      const BufferParts parts = *info.buffers[static_cast<std::size_t>(pair)].parts;
      const SharedElements shared(info);
      for (std::uint64_t i = 0; i < groups * n; ++i) {
        std::array<std::byte, 8> both, own_parts;
        REQUIRE(state.read(pair, 0, i, both));
        for (std::size_t p = 0; p < 2; ++p) {
          const std::uint64_t index = index_of(p, i);
          REQUIRE(state.read(parts[p].buffer, 0, index, std::span(own_parts).subspan(4 * p, 4)));
          const auto place = shared.place_of(parts[p].buffer, index);
          REQUIRE(place.has_value());
          CHECK(place->pair == pair);
          CHECK(place->part == static_cast<int>(p));
          CHECK(place->index == i);
        }
        CHECK(both == own_parts);
      }
      CHECK_FALSE(shared.place_of(parts[1].buffer, index_of(1, groups * n - 1) + 1).has_value());
    }
    for (std::size_t b = 0; b < plain.buffers.size(); ++b)
      CHECK(replay.state().bytes(static_cast<int>(b)) == plain.buffers[b]);
    CHECK(checked(own.plan, *device_of("host")).text().find("error") == std::string::npos);
  }
}

TEST_CASE("a transform in place in local arrays is one of complex values in each of them") {
  constexpr std::uint64_t n = 16, stages = 4, groups = 2;
  struct Case {
    std::string arrays, real, imaginary, turn;
  };
  const std::string separate = "      float tr = c * RE(b) - s * IM(b), ti = s * RE(b) + c * IM(b);\n",
                    in_place =
                        "      float tr = RE(b), ti = IM(b);\n"
                        "      RE(b) = c * tr - s * ti; IM(b) = s * tr + c * ti;\n"
                        "      tr = RE(b); ti = IM(b);\n";
  for (const Case& one :
       {Case{"__shared__ float x[16], y[16];", "x[i]", "y[i]", separate},
        Case{"__shared__ float x[32];", "x[i]", "x[(i) + n]", separate},
        Case{"__shared__ float x[32];", "x[2 * (i)]", "x[2 * (i) + 1]", separate},
        Case{"__shared__ float x[32];", "x[2 * (i)]", "x[2 * (i) + 1]", in_place},
        Case{"extern __shared__ float all[]; float *x = all, *y = all + n;", "x[i]", "y[i]", separate}}) {
    CAPTURE(one.real);
    CAPTURE(one.turn);
    OwnKernel own(
        "#define RE(i) " + one.real + "\n#define IM(i) " + one.imaginary +
            "\n"
            "extern \"C\" __global__ void fft(const float *u, const float *v, float *re, float *im, int n) {\n"
            "  " +
            one.arrays +
            "\n"
            "  for (int i = threadIdx.x; i < n; i += blockDim.x) {\n"
            "    int j = 0;\n"
            "    for (int b = 1; b < n; b <<= 1) j = 2 * j + ((i & b) != 0);\n"
            "    RE(j) = u[blockIdx.x * n + i]; IM(j) = v[blockIdx.x * n + i];\n"
            "  }\n"
            "  for (int h = 1; h < n; h *= 2) {\n"
            "    __syncthreads();\n"
            "    int k = threadIdx.x % h, a = (threadIdx.x - k) * 2 + k, b = a + h;\n"
            "    float s, c; sincosf(-3.14159265f * k / h, &s, &c);\n"
            "    {\n" +
            one.turn +
            "      RE(b) = RE(a) - tr; IM(b) = IM(a) - ti; RE(a) += tr; IM(a) += ti;\n"
            "    }\n"
            "  }\n"
            "  __syncthreads();\n"
            "  for (int i = threadIdx.x; i < n; i += blockDim.x) {\n"
            "    re[blockIdx.x * n + i] = RE(i); im[blockIdx.x * n + i] = IM(i);\n"
            "  }\n"
            "}\n",
        ".cu");
    own.plan.signal = "random:5";
    const auto u = own.buffer("u", ElementType::Float, groups * n, Content::Kind::Signal);
    const auto v = own.buffer("v", ElementType::Float, groups * n, Content::Kind::Iota);
    const auto re = own.buffer("re", ElementType::Float, groups * n);
    const auto im = own.buffer("im", ElementType::Float, groups * n);
    if (one.arrays.starts_with("extern"))
      own.launch("fft", groups * n / 2, n / 2, {u, v, re, im, LocalArgument{2 * n * sizeof(float)}, int_argument(n)});
    else
      own.launch("fft", groups * n / 2, n / 2, {u, v, re, im, int_argument(n)});
    const synthetic::Folder folder;
    TraceWriter writer(folder / "a.twd");
    trace_plan(own.plan, *device_of("host"), {}, writer);
    writer.finish();
    Replay replay(TraceReader::open(folder / "a.twd"));
    const TraceInfo& info = replay.info();
    CHECK(info.launches.at(0).unexplained == 0);
    CHECK(info.launches.at(0).inconsistent_reads == 0);
    CHECK(info.launches.at(0).accesses.explained_writes == info.launches.at(0).accesses.writes);
    std::uint64_t butterflies = 0;
    int pair = -1;
    for (const Operation& op : operations_in(replay)) {
      // What is turned by a quarter in place has its parts exchanged, too.
      CHECK((op.kind != OperationKind::Store || (one.turn == in_place && op.epoch == 2)));
      if (op.kind != OperationKind::Butterfly) continue;
      ++butterflies;
      pair = op.writes[0].buffer;
      REQUIRE(info.buffers.at(static_cast<std::size_t>(pair)).is_pair());
      CHECK(info.buffers[static_cast<std::size_t>(pair)].space == Space::Local);
    }
    CHECK(butterflies == groups * n / 2 * stages);
    REQUIRE(pair >= 0);
    const BufferParts parts = *info.buffers[static_cast<std::size_t>(pair)].parts;
    for (const std::uint64_t step : {std::uint64_t(0), info.steps / 2, info.steps}) {
      replay.seek(step);
      const State& state = replay.state();
      for (std::uint64_t group = 0; group < groups; ++group)
        for (std::uint64_t i = 0; i < n; ++i) {
          std::array<std::byte, 8> both{}, own_parts{};
          bool known = true;
          for (std::size_t p = 0; p < 2; ++p)
            known = state.read(parts[p].buffer, group, parts[p].first + i * parts[p].step,
                               std::span(own_parts).subspan(4 * p, 4)) &&
                    known;
          CHECK(state.read(pair, group, i, both) == known);
          if (known) CHECK(both == own_parts);
        }
    }
    CHECK(checked(own.plan, *device_of("host")).text().find("error") == std::string::npos);
  }
}

namespace {

// In place, a launch for each stage, of arrays whose names say nothing; or two real signals that are treated alike.
std::string stages_kernel(bool cuda, bool complex) {
  const std::string pointer = cuda ? "float *" : "global float *";
  return (cuda ? "extern \"C\" __global__ void stage(" : "kernel void stage(") + pointer + "p, " + pointer +
         "q, int h) {\n  int g = " + (cuda ? "blockIdx.x * blockDim.x + threadIdx.x" : "get_global_id(0)") +
         ", k = g % h, a = (g - k) * 2 + k, b = a + h;\n" +
         (complex ? "  float c = cos(-3.14159265f * k / h), s = sin(-3.14159265f * k / h);\n"
                  : "  float c = 1, s = 0;\n") +
         "  float ar = p[a], ai = q[a], br = p[b], bi = q[b], tr = c * br - s * bi, ti = c * bi + s * br;\n"
         "  p[a] = ar + tr; q[a] = ai + ti; p[b] = ar - tr; q[b] = ai - ti;\n"
         "}\n";
}

}  // namespace

TEST_CASE("a launch whose twiddles are all 1 is of complex values where the next one of its kernel is") {
  constexpr std::uint64_t n = 16;
  struct Case {
    std::string runtime;
    bool complex;
    int launches;
    bool told() const { return complex && launches > 1; }
  };
  for (const Case& one :
       {Case{"host", true, 4}, Case{"opencl", true, 4}, Case{"host", false, 4}, Case{"host", true, 1}}) {
    if (!device_of(one.runtime)) continue;
    CAPTURE(one.runtime);
    CAPTURE(one.complex);
    CAPTURE(one.launches);
    const bool cuda = one.runtime == "host";
    OwnKernel own(stages_kernel(cuda, one.complex), cuda ? ".cu" : ".cl");
    own.plan.signal = "random:5";
    const auto p = own.buffer("p", ElementType::Float, n, Content::Kind::Signal);
    const auto q = own.buffer("q", ElementType::Float, n, Content::Kind::Signal);
    own.plan.buffers[1].content.signal = "random:6";
    for (int stage = 0; stage < one.launches; ++stage)
      own.launch("stage", n / 2, n / 4, {p, q, int_argument(1 << stage)});
    const RunOutcome plain = run_plan(own.plan, *device_of(one.runtime));
    MemoryTrace memory;
    trace_plan(own.plan, *device_of(one.runtime), {}, memory);
    Replay replay(memory.finish());
    const TraceInfo& info = replay.info();
    const int pair = pair_of(info, 0, 1);
    CHECK((pair >= 0) == one.told());
    std::map<std::pair<int, OperationKind>, std::uint64_t> kinds;
    for (const Operation& op : operations_in(replay)) {
      ++kinds[{op.launch, op.kind}];
      if (op.kind == OperationKind::Butterfly && one.told())
        for (const Access& access : op.reads) CHECK(access.buffer == pair);
    }
    if (one.told()) {
      CHECK(kinds.size() == 4);
      for (int launch = 1; launch <= 4; ++launch) CHECK(kinds[{launch, OperationKind::Butterfly}] == n / 2);
    }
    // What was looked at earlier was put back.
    for (const LaunchInfo& launch : info.launches) {
      CHECK(launch.unexplained == 0);
      CHECK(launch.inconsistent_reads == 0);
      CHECK(launch.accesses.explained_writes == launch.accesses.writes);
    }
    replay.seek(info.steps);
    for (std::size_t b = 0; b < plain.buffers.size(); ++b)
      CHECK(replay.state().bytes(static_cast<int>(b)) == plain.buffers[b]);
  }
}

TEST_CASE("the summary of a pair is of all its elements, written or not") {
  constexpr std::uint64_t n = 8192;
  OwnKernel own(
      "extern \"C\" __global__ void turn(float *re, float *im) {\n"
      "  int a = threadIdx.x, b = a + 32;\n"
      "  float s, c; sincosf(-3.14159265f * a / 32, &s, &c);\n"
      "  float ar = re[a], ai = im[a], tr = c * re[b] - s * im[b], ti = c * im[b] + s * re[b];\n"
      "  re[a] = ar + tr; im[a] = ai + ti; re[b] = ar - tr; im[b] = ai - ti;\n"
      "}\n",
      ".cu");
  const auto re = own.buffer("re", ElementType::Float, n), im = own.buffer("im", ElementType::Float, n);
  own.launch("turn", 32, 32, {re, im});
  MemoryTrace memory;
  trace_plan(own.plan, *device_of("host"), {}, memory);
  Replay replay(memory.finish());
  const TraceInfo& info = replay.info();
  const int pair = pair_of(info, 0, 1);
  REQUIRE(pair >= 0);
  replay.seek(info.steps);
  const std::vector<std::byte> real = replay.state().bytes(0), imaginary = replay.state().bytes(1);
  const auto number = [](const std::vector<std::byte>& bytes, std::uint64_t i) {
    return component(ElementType::Float, bytes.data() + 4 * i, 0);
  };
  const auto summary = replay.trace().summary(static_cast<int>(info.segments.size()) - 1, pair);
  REQUIRE(summary.size() == 1024);
  for (std::uint64_t range = 0; range < summary.size(); ++range) {
    double brightest = 0;
    for (std::uint64_t i = range * n / 1024; i < (range + 1) * n / 1024; ++i)
      brightest = std::max(brightest, std::hypot(number(real, i), number(imaginary, i)));
    CHECK(summary[range] == doctest::Approx(brightest));
  }
}

TEST_CASE("sorted keys with values beside them are no complex values") {
  OwnKernel own(
      "extern \"C\" __global__ void step(float *key, float *value) {\n"
      "  int i = 2 * threadIdx.x;\n"
      "  if (key[i] > key[i + 1]) {\n"
      "    float t = key[i]; key[i] = key[i + 1]; key[i + 1] = t;\n"
      "    t = value[i]; value[i] = value[i + 1]; value[i + 1] = t;\n"
      "  }\n"
      "}\n",
      ".cu");
  own.plan.signal = "random:5";
  const auto key = own.buffer("key", ElementType::Float, 16, Content::Kind::Signal);
  const auto value = own.buffer("value", ElementType::Float, 16);
  own.launch("step", 8, 8, {key, value});
  const CheckedRun run = checked(own.plan, *device_of("host"));
  CHECK(run.info.buffers.size() == 2);
}

TEST_CASE("real parts and imaginary ones by turns are rows of a pair, in a file too") {
  constexpr std::uint64_t n = 8, groups = 3;
  OwnKernel own(kernel_of(Layout::Batch), ".cu");
  own.plan.signal = "random:5";
  const auto re = own.buffer("re", ElementType::Float, 2 * n * groups, Content::Kind::Signal);
  own.launch("fft", groups * n / 2, n / 2, {re, re, int_argument(n)});
  const synthetic::Folder folder;
  TraceWriter writer(folder / "a.twd");
  trace_plan(own.plan, *device_of("host"), {}, writer);
  writer.finish();
  const auto trace = TraceReader::open(folder / "a.twd");
  REQUIRE(trace->info().buffers.size() == 2);
  const BufferInfo& pair = trace->info().buffers[1];
  CHECK(pair.shape == std::vector<std::uint64_t>{groups, n});
  CHECK(pair.parts == BufferParts{BufferPart{0, 0, 1, n, 2 * n}, BufferPart{0, n, 1, n, 2 * n}});
  const std::vector<std::byte> both = trace->first_content(1), numbers = trace->first_content(0);
  for (std::size_t i = 0; i < groups * n; ++i)
    for (std::size_t p = 0; p < 2; ++p)
      CHECK(std::memcmp(both.data() + 8 * i + 4 * p, numbers.data() + 4 * (i / n * 2 * n + p * n + i % n), 4) == 0);
}

TEST_CASE("parts in a file are read as they are, or refused") {
  constexpr std::uint64_t n = 16;
  OwnKernel own(kernel_of(Layout::TwoBuffers), ".cu");
  own.plan.signal = "random:5";
  const auto re = own.buffer("re", ElementType::Float, n, Content::Kind::Signal);
  const auto im = own.buffer("im", ElementType::Float, n, Content::Kind::Iota);
  own.launch("fft", n / 2, n / 2, {re, im, int_argument(n)});
  const synthetic::Folder folder;
  TraceWriter writer(folder / "a.twd");
  trace_plan(own.plan, *device_of("host"), {}, writer);
  writer.finish();
  const auto trace = TraceReader::open(folder / "a.twd");
  const int pair = pair_of(trace->info(), 0, 1);
  REQUIRE(pair == 2);
  CHECK(trace->info().buffers[2].parts == BufferParts{BufferPart{0, 0, 1}, BufferPart{1, 0, 1}});
  const std::vector<std::byte> both = trace->first_content(pair), real = trace->first_content(0),
                               imaginary = trace->first_content(1);
  for (std::size_t i = 0; i < n; ++i) {
    CHECK(std::memcmp(both.data() + 8 * i, real.data() + 4 * i, 4) == 0);
    CHECK(std::memcmp(both.data() + 8 * i + 4, imaginary.data() + 4 * i, 4) == 0);
  }
  for (const std::string bad : {"",
                                "[]",
                                "{}",
                                "[[0,0,1]]",
                                "[[0,0,1],[2,0,1]]",
                                "[[0,0,1],[-1,0,1]]",
                                "[[0,0,1],[1,1,1]]",
                                "[[0,0,0],[1,0,1]]",
                                "[[0,0,1],[1,0]]",
                                "[[0,0,1],[1,0,\"1\"]]",
                                "[[0,0,1],[1,0,18446744073709551615]]",
                                "[[0,0,1],[99999999,0,1]]",
                                "[[0,0,1],[1,4294967297,1]]",
                                "[[0.5,0,1],[1,0,1]]",
                                "[[0,0,1],[1,0,1],[1,0,1]]",
                                "[0,1]",
                                "[[0,0,1,4],[1,0,1]]",
                                "[[0,0,1,4,3],[1,0,1]]",
                                "[[0,0,1,1,0],[1,0,1]]",
                                "[[0,0,1,4,8],[1,0,1]]",
                                "[[0,0,1,4,4294967296],[1,0,1]]",
                                "[[0,0,1,4,-4],[1,0,1]]",
                                "[[0,0,5,4,15],[1,0,1]]"}) {
    CAPTURE(bad);
    std::filesystem::copy_file(folder / "a.twd", folder / "b.twd", std::filesystem::copy_options::overwrite_existing);
    {
      sqlite::Database database(folder / "b.twd", sqlite::Database::Mode::read_write);
      database.prepare("UPDATE meta SET value = ? WHERE key = 'parts of buffer 2'").run(bad);
      database.execute("UPDATE meta SET value = '0' WHERE key = 'complete'");
    }
    try {
      TraceReader::open(folder / "b.twd");
      FAIL_CHECK("it was read");
    } catch (const Error& error) { CHECK(error.code() == ExitCode::unreadable); }
  }
}

TEST_CASE("parts that cannot be are told from those that can") {
  std::vector<BufferInfo> before(2);
  before[0].name = "re", before[1].name = "im";
  for (BufferInfo& buffer : before) buffer.type = ElementType::Float, buffer.count = 8, buffer.shape = {8};
  struct Case {
    BufferParts parts;
    std::uint64_t count;
    ElementType type;
    bool valid;
  };
  const std::vector<Case> cases = {
      {{BufferPart{0, 0, 1}, BufferPart{1, 0, 1}}, 8, ElementType::Float2, true},
      {{BufferPart{0, 0, 2}, BufferPart{0, 1, 2}}, 4, ElementType::Float2, true},
      {{BufferPart{0, 0, 1}, BufferPart{0, 4, 1}}, 4, ElementType::Float2, true},
      {{BufferPart{0, 0, 1}, BufferPart{1, 0, 1}}, 9, ElementType::Float2, false},
      {{BufferPart{0, 0, 2}, BufferPart{0, 1, 2}}, 5, ElementType::Float2, false},
      {{BufferPart{0, 0, 1}, BufferPart{0, 5, 1}}, 4, ElementType::Float2, false},
      {{BufferPart{0, 8, 1}, BufferPart{1, 0, 1}}, 1, ElementType::Float2, false},
      {{BufferPart{0, 0, 0}, BufferPart{1, 0, 1}}, 8, ElementType::Float2, false},
      {{BufferPart{0, 0, 1}, BufferPart{2, 0, 1}}, 8, ElementType::Float2, false},
      {{BufferPart{0, 0, 1}, BufferPart{1, 0, 1}}, 8, ElementType::Double2, false},
      {{BufferPart{0, 0, 1}, BufferPart{1, 0, 1}}, 8, ElementType::Float, false},
  };
  for (const Case& one : cases) {
    BufferInfo pair;
    pair.name = "re+im";
    pair.type = one.type;
    pair.count = one.count;
    pair.parts = one.parts;
    CHECK(parts_are_valid(before, pair) == one.valid);
  }
  // Of local arrays the pair is as they are, of one launch.
  struct Local {
    Space parts, pair;
    int launch;
    bool valid;
  };
  for (const Local& one : {Local{Space::Local, Space::Local, 1, true}, Local{Space::Local, Space::Local, 2, false},
                           Local{Space::Local, Space::Global, 1, false}, Local{Space::Global, Space::Local, 1, false},
                           Local{Space::Private, Space::Private, 1, false}}) {
    for (BufferInfo& buffer : before) buffer.space = one.parts, buffer.launch = 1;
    BufferInfo pair;
    pair.count = 8;
    pair.space = one.pair;
    pair.launch = one.launch;
    pair.parts = BufferParts{BufferPart{0, 0, 1}, BufferPart{1, 0, 1}};
    CHECK(parts_are_valid(before, pair) == one.valid);
  }
}
