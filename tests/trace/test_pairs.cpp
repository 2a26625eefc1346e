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

#include <cstring>
#include <map>

using namespace twiddle;

namespace {

enum class Layout { TwoBuffers, Beside, Halves, ReadTwice };

// Decimation in time in one block, 2 · items points, after a bit reversal of both parts.
std::string kernel_of(Layout layout) {
  const std::map<Layout, std::array<std::string, 2>> parts = {{Layout::TwoBuffers, {"re[i]", "im[i]"}},
                                                              {Layout::ReadTwice, {"re[i]", "im[i]"}},
                                                              {Layout::Beside, {"re[2 * (i)]", "re[2 * (i) + 1]"}},
                                                              {Layout::Halves, {"re[i]", "re[(i) + n]"}}};
  const std::string &real = parts.at(layout)[0], &imaginary = parts.at(layout)[1];
  const std::string body = layout == Layout::ReadTwice
                               ? "      float tr = c * RE(b) - s * IM(b), ti = c * IM(b) + s * RE(b);\n"
                                 "      RE(b) = RE(a) - tr; IM(b) = IM(a) - ti; RE(a) += tr; IM(a) += ti;\n"
                               : "      float ar = RE(a), ai = IM(a), br = RE(b), bi = IM(b);\n"
                                 "      float tr = c * br - s * bi, ti = c * bi + s * br;\n"
                                 "      RE(a) = ar + tr; IM(a) = ai + ti; RE(b) = ar - tr; IM(b) = ai - ti;\n";
  return "#define RE(i) " + real + "\n#define IM(i) " + imaginary +
         "\n"
         "extern \"C\" __global__ void fft(float *re, float *im, int n) {\n"
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
        std::pair(Layout::ReadTwice, Content::Kind::Iota)}) {
    const Layout layout = one.first;  // lambdas of old compilers hold no structured binding
    const Content::Kind imaginary = one.second;
    CAPTURE(static_cast<int>(layout));
    OwnKernel own(kernel_of(layout), ".cu");
    own.plan.signal = "random:5";
    const bool two = layout == Layout::TwoBuffers || layout == Layout::ReadTwice;
    const auto re = own.buffer("re", ElementType::Float, two ? n : 2 * n, Content::Kind::Signal);
    const auto im = own.buffer("im", ElementType::Float, n, imaginary);
    own.launch("fft", n / 2, n / 2, {re, im, int_argument(n)});
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
    const std::uint64_t all = n / 2 * stages;
    CHECK(kinds[OperationKind::Butterfly] >= (layout == Layout::Halves ? all - n / 2 : all));
    CHECK(kinds[OperationKind::Swap] == n / 2 - 2);
    if (layout == Layout::TwoBuffers || layout == Layout::Beside) CHECK(kinds.size() == 2);
    CHECK(info.buffers[static_cast<std::size_t>(pair)].count == n);
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
      for (std::uint64_t i = 0; i < n; ++i) {
        std::array<std::byte, 8> both, own_parts;
        REQUIRE(state.read(pair, 0, i, both));
        for (std::size_t p = 0; p < 2; ++p)
          REQUIRE(state.read(parts[p].buffer, 0, parts[p].first + i * parts[p].step,
                             std::span(own_parts).subspan(4 * p, 4)));
        CHECK(both == own_parts);
      }
    }
    for (std::size_t b = 0; b < plain.buffers.size(); ++b)
      CHECK(replay.state().bytes(static_cast<int>(b)) == plain.buffers[b]);
    CHECK(checked(own.plan, *device_of("host")).text().find("error") == std::string::npos);
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
  for (const std::string bad :
       {"", "[]", "{}", "[[0,0,1]]", "[[0,0,1],[2,0,1]]", "[[0,0,1],[-1,0,1]]", "[[0,0,1],[1,1,1]]",
        "[[0,0,0],[1,0,1]]", "[[0,0,1],[1,0]]", "[[0,0,1],[1,0,\"1\"]]", "[[0,0,1],[1,0,18446744073709551615]]",
        "[[0,0,1],[99999999,0,1]]", "[[0,0,1],[1,4294967297,1]]", "[[0.5,0,1],[1,0,1]]", "[[0,0,1],[1,0,1],[1,0,1]]",
        "[0,1]"}) {
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
}
