// The right sentence first: what memory and barriers say before what values say, and each mistake by its own name.
#include "checked.h"
#include "own_kernel.h"
#include "run_program.h"
#include "test_support.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <tuple>

using namespace twiddle;

namespace {

using Class = FindingClass;

CheckedRun run_of(OwnKernel& own, const char* runtime) {
  Runtime* device = device_of(runtime);
  REQUIRE(device);
  return checked(own.plan, *device);
}

int count_of(const CheckedRun& run, Class kind) {
  return static_cast<int>(std::count_if(run.findings.begin(), run.findings.end(),
                                        [&](const Finding& finding) { return finding.kind == kind; }));
}

void expect(Plan& plan, Expect::Transform transform, const char* input, const char* output) {
  plan.expect.transform = transform;
  plan.expect.input = input;
  plan.expect.output = output;
  plan.expect.bound = 1e-5;
}

}  // namespace

TEST_CASE("errors of memory come before those of values, whichever launch they are in") {
  if (!device_of("opencl")) return;
  // The first launch computes something wrong, as its trace line shows; the second races.
  OwnKernel own(
      "kernel void first(global float *x TRACE_PARAMS)\n{\n  int i = get_global_id(0);\n  float v = x[i];\n"
      "  x[i] = 3 * v;\n  TRACE_SCALE(x, i, v, 2.0f);\n}\n"
      "kernel void second(global float *y)\n{\n  y[get_global_id(0) / 2] = get_global_id(0);\n}\n");
  const BufferArgument x = own.buffer("x", ElementType::Float, 8), y = own.buffer("y", ElementType::Float, 8);
  own.launch("first", 8, 8, {x});
  own.launch("second", 8, 8, {y});
  const CheckedRun run = run_of(own, "opencl");
  CAPTURE(run.text());
  REQUIRE(run.findings.size() >= 2);
  CHECK(run.findings[0].kind == Class::Race);
  CHECK(run.findings[0].launch == 2);
  const Finding* value = run.first(Class::WrongValue);
  REQUIRE(value);
  CHECK(value->launch == 1);
}

TEST_CASE("a butterfly of an element with itself is said to be that") {
  if (!device_of("opencl")) return;
  OwnKernel own(
      "kernel void stage(global float2 *x, int half_span TRACE_PARAMS)\n{\n  int g = get_global_id(0);\n"
      "  int k = g % half_span, i0 = g / half_span * 2 * half_span + k, i1 = i0;\n"
      "  float2 w = (float2)(1, 0), a = x[i0], b = x[i1];\n  x[i0] = a + b;\n  x[i1] = a - b;\n"
      "  TRACE_BUTTERFLY(x, i0, i1, w, a, b);\n}\n");
  const BufferArgument x = own.buffer("x", ElementType::Float2, 8);
  own.launch("stage", 4, 4, {x, int_argument(1)}).stage = 1;
  for (const bool expected : {false, true}) {
    if (expected) expect(own.plan, Expect::Transform::Fft, "x", "x");
    const CheckedRun run = run_of(own, "opencl");
    CAPTURE(run.text());
    const Finding* finding = run.first(Class::WrongPartner);
    REQUIRE(finding);
    CHECK(contains(finding->message, "merges x[0] with itself"));
    CHECK(finding->line == 9);
  }
}

TEST_CASE("a wrong transpose is told of where its input has other rows than its outcome") {
  if (!device_of("opencl")) return;
  OwnKernel own(
      "kernel void turn(global const float *a, global float *b, int rows)\n{\n  int i = get_global_id(0);\n"
      "  b[i / 8 + i % 8 * 12 % 96] = a[i] + 1;\n}\n");
  const BufferArgument p = own.buffer("p", ElementType::Float, 96), q = own.buffer("q", ElementType::Float, 96);
  own.plan.buffers[p.buffer].shape = {12, 8};
  own.plan.buffers[q.buffer].shape = {8, 12};
  own.launch("turn", 96, 8, {p, q, int_argument(12)});
  expect(own.plan, Expect::Transform::Transpose, "p", "q");
  const CheckedRun run = run_of(own, "opencl");
  CAPTURE(run.text());
  REQUIRE(run.any_errors());
  CHECK(contains(run.findings[0].message, "96 of 96 elements are wrong"));
}

TEST_CASE("an array that is out of date is said to be stale, with the one that is not") {
  if (!device_of("opencl")) return;
  OwnKernel own(
      "kernel void add(global const float *from, global float *to, int d)\n{\n  int i = get_global_id(0);\n"
      "  to[i] = i >= d ? from[i - d] + from[i] : from[i];\n}\n");
  const BufferArgument p = own.buffer("p", ElementType::Float, 16),
                       q = own.buffer("q", ElementType::Float, 16, Content::Kind::Zero);
  for (int d = 1, turn = 0; d < 16; d *= 2, ++turn)
    own.launch("add", 16, 16, {turn % 2 ? q : p, turn % 2 ? p : q, int_argument(d)});
  expect(own.plan, Expect::Transform::Scan, "p", "q");
  const CheckedRun run = run_of(own, "opencl");
  CAPTURE(run.text());
  REQUIRE(run.any_errors());
  CHECK(contains(run.findings[0].message, "q is stale: "));
  CHECK(contains(run.findings[0].message, "p holds the right outcome, written last in launch 4"));
}

TEST_CASE("a branch is told of once a line, and a guard at the end of the data is none") {
  if (!device_of("opencl")) return;
  OwnKernel own(
      "kernel void sum(global const float *x, global float *y, int n)\n{\n  local float s[64];\n"
      "  int i = get_global_id(0), l = get_local_id(0);\n  if (i < n)\n    s[l] = x[i];\n  else\n    s[l] = 0;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  for (int d = 32; d > 0; d /= 2) {\n    if (l < d)\n      s[l] += s[l + d];\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n  }\n  if (l == 0)\n    y[get_group_id(0)] = s[0];\n}\n"
      "kernel void twice(global const float *x, global float *z, int n)\n{\n  int i = get_global_id(0);\n"
      "  if (i < n)\n    z[i] = 2 * x[i];\n}\n"
      "kernel void plane(global const float *x, global float *z, int width, int height)\n{\n"
      "  int i = get_global_id(0), j = get_global_id(1);\n"
      "  if (i < width && j < height)\n    z[j * width + i] = 3 * x[j * width + i];\n}\n");
  const BufferArgument x = own.buffer("x", ElementType::Float, 100), y = own.buffer("y", ElementType::Float, 2),
                       z = own.buffer("z", ElementType::Float, 100, Content::Kind::Zero);
  own.launch("sum", 128, 64, {x, y, int_argument(100)});
  own.launch("sum", 128, 64, {x, y, int_argument(100)});
  own.launch("twice", 128, 64, {x, z, int_argument(100)});
  Launch& plane = own.launch("plane", 16, 8, {x, z, int_argument(10), int_argument(10)});
  plane.dimensions = 2;
  plane.global = {16, 16, 1};
  plane.local = {8, 8, 1};
  const CheckedRun run = run_of(own, "opencl");
  CAPTURE(run.text());
  int rounds = 0;
  for (const Finding& finding : run.findings)
    if (finding.kind == Class::DivergentBranch) {
      CHECK(finding.launch == 1);
      rounds += finding.line == 13;
    }
  CHECK(rounds == 1);
}

TEST_CASE("only work that is spread over lanes is to be moved to the first ones") {
  const auto advice = [](const char* algorithm) {
    Request request;
    request.algorithm = algorithm;
    request.n = 256;
    const auto runtime = open_runtime("host", 0);
    const CheckedRun run = checked(make_plan(request), *runtime);
    std::vector<std::string> all;
    for (const Finding& finding : run.findings)
      if (finding.kind == Class::DivergentBranch && !finding.advice.empty()) all.push_back(finding.advice.english());
    return all;
  };
  const std::string move = "Let the first threads do the work, so that whole warps are free.";
  const std::string nothing = "The first threads do the work already, and fewer than a warp are needed here.";
  // The tree, and the last store, which one lane does.
  CHECK(advice("reduce-interleaved") == std::vector<std::string>{move, nothing});
  CHECK(advice("reduce-sequential") == std::vector<std::string>{nothing, nothing});
}

TEST_CASE("of one thread that was chosen it is not said that the first ones should do its work") {
  const auto advice = [](const std::string& condition) {
    OwnKernel own(
        "extern \"C\" __global__ void carry(const float *x, float *y)\n{\n  __shared__ float s[64];\n"
        "  int t = threadIdx.x;\n  s[t] = 2 * x[t];\n  __syncthreads();\n  if (" +
            condition + ")\n    y[t] = 3 * s[t];\n}\n",
        ".cu");
    const BufferArgument x = own.buffer("x", ElementType::Float, 64),
                         y = own.buffer("y", ElementType::Float, 64, Content::Kind::Zero);
    own.launch("carry", 64, 64, {x, y});
    const CheckedRun run = run_of(own, "host");
    CAPTURE(run.text());
    REQUIRE(run.first(Class::DivergentBranch));
    return run.first(Class::DivergentBranch)->advice.english();
  };
  const std::string move = "Let the first threads do the work, so that whole warps are free.";
  for (const char* const one : {"t == 63", "t == 17"})
    CHECK(advice(one) == "One thread alone does the work here, so that another would free no warp.");
  for (const char* const several : {"t % 63 == 0", "t % 2 == 0"}) CHECK(advice(several) == move);
}

TEST_CASE("lanes that wait are said to wait, those after the last busy one, too") {
  if (!device_of("opencl")) return;
  OwnKernel own(
      "kernel void pairs(global const float *x, global float *y)\n{\n  int i = get_global_id(0);\n"
      "  if (i % 2 == 0)\n    y[i / 2] = x[i] + x[i + 1];\n}\n"
      "kernel void most(global const float *x, global float *y)\n{\n  int i = get_global_id(0);\n"
      "  if (i != 5)\n    y[i] = 2 * x[i];\n}\n");
  const BufferArgument x = own.buffer("x", ElementType::Float, 32),
                       y = own.buffer("y", ElementType::Float, 32, Content::Kind::Zero);
  own.launch("pairs", 32, 32, {x, y});
  own.launch("most", 32, 32, {x, y});
  const CheckedRun run = run_of(own, "opencl");
  CAPTURE(run.text());
  REQUIRE(count_of(run, Class::DivergentBranch) == 2);
  const Finding* finding = run.first(Class::DivergentBranch);
  REQUIRE(finding->items.size() == 16);
  CHECK(finding->items.front() == 1);
  CHECK(finding->items.back() == 31);
  CHECK(contains(run.text(), "at L1, kernel pairs; work-items 1, 3, 5, 7, 9, 11, 13, 15 and 8 more wait\n"));
  CHECK(contains(run.text(), "at L2, kernel most; work-item 5 waits\n"));
}

TEST_CASE("lanes that take part in a shuffle, or load what no operation takes, are not idle") {
  struct Case {
    const char *kernel, *source;
    ElementType type;
    std::uint64_t results;
  };
  const Case cases[] = {
      {"sum",
       "extern \"C\" __global__ void sum(const float *x, float *y)\n{\n  float v = x[threadIdx.x];\n"
       "  __syncthreads();\n  for (int d = 16; d > 0; d /= 2)\n    v += __shfl_down_sync(0xffffffffu, v, d);\n"
       "  if (threadIdx.x == 0)\n    y[0] = v;\n}\n",
       ElementType::Float, 1},
      {"around",
       "__global__ void around(const int *x, int *y)\n{\n  __shared__ int s[32];\n  int t = threadIdx.x;\n"
       "  s[t] = x[t] & 1;\n  __syncthreads();\n  for (int d = 1; d < 32; d *= 2) {\n    int add = s[(t + d) % 32];\n"
       "    __syncthreads();\n    s[t] += add;\n    __syncthreads();\n  }\n  y[t] = s[t];\n}\n",
       ElementType::Int, 32},
  };
  for (const Case& one : cases) {
    OwnKernel own(one.source, ".cu");
    const BufferArgument x = own.buffer("x", one.type, 32), y = own.buffer("y", one.type, one.results);
    own.launch(one.kernel, 32, 32, {x, y});
    const CheckedRun run = run_of(own, "host");
    CAPTURE(run.text());
    CHECK(count_of(run, Class::DivergentBranch) == 0);
    CHECK_FALSE(run.any_errors());
  }
}

TEST_CASE("an output that no item wrote is said to be unwritten") {
  if (!device_of("opencl")) return;
  OwnKernel own(
      "kernel void copy(global const float *x, global float *y, int n)\n{\n  int i = get_global_id(0);\n"
      "  if (i < n)\n    y[i] = x[i];\n}\n");
  const BufferArgument x = own.buffer("x", ElementType::Float, 16),
                       y = own.buffer("y", ElementType::Float, 16, Content::Kind::Uninitialised);
  own.launch("copy", 16, 16, {x, y, int_argument(15)});
  expect(own.plan, Expect::Transform::Sort, "x", "y");  // a ramp, which is sorted
  const CheckedRun run = run_of(own, "opencl");
  CAPTURE(run.text());
  REQUIRE(run.any_errors());
  CHECK(contains(run.findings[0].message, "y[15] was never written, and the reference says"));
}

TEST_CASE("padding is not advised where there is some") {
  if (!device_of("opencl")) return;
  OwnKernel own(
      "kernel void turn(global const float *x, global float *y)\n{\n  local float tile[16][PITCH];\n"
      "  int l = get_local_id(0), row = l / 16, column = l % 16;\n  tile[row][column] = x[l];\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n  y[l] = tile[column][row];\n}\n");
  const BufferArgument x = own.buffer("x", ElementType::Float, 256), y = own.buffer("y", ElementType::Float, 256);
  for (const int pitch : {16, 17}) {
    CAPTURE(pitch);
    own.plan.launches.clear();
    own.launch("turn", 256, 256, {x, y}).defines = {"PITCH=" + std::to_string(pitch)};
    const CheckedRun run = run_of(own, "opencl");
    CAPTURE(run.text());
    REQUIRE(run.first(Class::BankConflict));
    for (const Finding& finding : run.findings)
      if (finding.kind == Class::BankConflict)
        CHECK(contains(finding.advice, pitch == 16 ? "Pad each row" : "padded already"));
  }
}

TEST_CASE("of an array that data is looked up in it is not said that it has rows") {
  OwnKernel own(
      "extern \"C\" __global__ void count(const int *x, int *y)\n{\n  __shared__ int bins[256];\n  int t = "
      "threadIdx.x;\n"
      "  bins[t] = 0;\n  __syncthreads();\n  atomicAdd(&bins[(7 * x[t] * x[t] + x[t]) % 256], 1);\n"
      "  __syncthreads();\n  y[t] = bins[t];\n}\n",
      ".cu");
  const BufferArgument x = own.buffer("x", ElementType::Int, 256),
                       y = own.buffer("y", ElementType::Int, 256, Content::Kind::Zero);
  own.launch("count", 256, 256, {x, y});
  const CheckedRun run = run_of(own, "host");
  CAPTURE(run.text());
  REQUIRE(run.first(Class::BankConflict));
  const std::string advice = run.first(Class::BankConflict)->advice.english();
  CHECK(contains(advice, "neighbouring elements; where data says which"));
  CHECK_FALSE(contains(advice, "row"));
}

TEST_CASE("a bank conflict is at the line and in the epoch of the accesses that meet, also where values say little") {
  // Of an impulse most threads' values are zero, so that they are no butterflies to the eye.
  for (const char* const signal : {"random:1", "impulse"}) {
    CAPTURE(signal);
    OwnKernel own(
        "extern \"C\" __global__ void steps(const float2 *x, float2 *y)\n{\n  __shared__ float s[64];\n"  // 2 … 4
        "  int t = threadIdx.x;\n"
        "  s[t] = x[t].x;\n"
        "  s[t + 32] = x[t + 32].x;\n"
        "  __syncthreads();\n"
        "  float a = s[2 * t], b = s[2 * t + 1];\n"  // 9
        "  __syncthreads();\n"
        "  s[2 * t] = a + b;\n"
        "  s[2 * t + 1] = a - b;\n"
        "  __syncthreads();\n"
        "  y[t] = make_float2(s[2 * t], 0);\n"  // 14
        "  y[t + 32] = make_float2(0, s[2 * t + 1]);\n}\n",
        ".cu");
    own.plan.signal = signal;
    const BufferArgument x = own.buffer("x", ElementType::Float2, 64, Content::Kind::Signal),
                         y = own.buffer("y", ElementType::Float2, 64, Content::Kind::Zero);
    own.launch("steps", 32, 32, {x, y});
    const CheckedRun run = run_of(own, "host");
    CAPTURE(run.text());
    std::set<std::tuple<int, int, bool, std::uint64_t>> places;
    for (const Finding& finding : run.findings)
      if (finding.kind == Class::BankConflict) {
        const bool reads = contains(finding.message, "a conflict of degree 2 in reading s[]: of 32 threads");
        CHECK(reads != contains(finding.message, "a conflict of degree 2 in writing s[]: of 32 threads"));
        places.emplace(finding.line, finding.epoch, reads, finding.occurrences);
        CHECK(finding.step > 0);
      }
    using Places = decltype(places);
    CHECK(
        (places == Places{{9, 1, true, 2}, {11, 2, false, 1}, {12, 2, false, 1}, {14, 3, true, 1}, {15, 3, true, 1}}));
  }
}

TEST_CASE("a costly read of an operation that was found in accesses is at its own line") {
  if (!device_of("opencl")) return;
  OwnKernel own(
      "kernel void gather(global const float2 *x, global float2 *y)\n{\n  int i = get_global_id(0);\n"
      "  float2 a = x[i * 32 % 512];\n  float2 b = x[(i * 32 + 5) % 512];\n"
      "  y[2 * i] = a + b;\n  y[2 * i + 1] = a - b;\n}\n");
  const BufferArgument x = own.buffer("x", ElementType::Float2, 512), y = own.buffer("y", ElementType::Float2, 512);
  own.launch("gather", 256, 64, {x, y});
  const CheckedRun run = run_of(own, "opencl");
  CAPTURE(run.text());
  const Finding* const costly = run.first(Class::Uncoalesced);
  REQUIRE(costly);
  CHECK(costly->line == 5);
  CHECK(costly->statement_line == 0);  // there is no trace line beside it
}

TEST_CASE("a claim's finding names the statement, and the trace line beside it") {
  TestFolder folder;
  std::ofstream(folder.file("mine.cl"))
      << "#include \"trace_device.h\"\nkernel void f(global float *x TRACE_PARAMS)\n{\n"
         "  int i = get_global_id(0);\n  float v = x[i];\n  x[i] = 3 * v;\n\n"
         "  TRACE_SCALE(x, i, v, 2.0f);\n}\n";
  std::ofstream(folder.file("mine.toml"))
      << "[[buffer]]\nname = \"x\"\ntype = \"float\"\ncount = 8\ncontent = \"iota\"\n"
         "[[launch]]\nsource = \"mine.cl\"\nkernel = \"f\"\nglobal = [8]\nlocal = [8]\n"
         "args = [\"x\"]\n";
  const auto findings = nlohmann::json::parse(run_program(folder, {"check", "mine.toml", "--json"}).out).at("findings");
  REQUIRE(!findings.empty());
  CHECK(findings[0]["severity"] == "error");
  CHECK(findings[0]["line"] == 6);
  CHECK(findings[0]["trace_line"] == 8);
  const Ran text = run_program(folder, {"check", "mine.toml"});
  CHECK_MESSAGE(text.out.find("mine.cl:6: error: ") == 0, text.out);
  CHECK(text.out.find("      6 | x[i] = 3 * v;\n      8 | TRACE_SCALE(x, i, v, 2.0f);\n") != std::string::npos);
}

TEST_CASE("a wrong twiddle is at the line that reads it from a table") {
  Runtime* device = device_of("opencl");
  if (!device) return;
  struct Mistake {
    const char *is, *made;
    int line;
  };
  const std::filesystem::path folder = std::filesystem::path(TWIDDLE_TEST_DATA) / "../foreign/opencl";
  std::ifstream in(folder / "stockham4_table.cl");
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  for (const Mistake& one : {Mistake{"tw[k * step]", "tw[4 * k * step]", 22},
                             {"tw[2 * k * step]", "tw[k * step]", 23},
                             {"tw[3 * k * step]", "tw[2 * k * step]", 24},
                             {"tw[3 * k * step]", "tw[k * step]", 24}}) {
    CAPTURE(one.is);
    CAPTURE(one.made);
    const synthetic::Folder copy;
    std::filesystem::copy_file(folder / "stockham4_table.toml", copy / "stockham4_table.toml");
    std::string wrong = text;
    REQUIRE(wrong.find(one.is) != std::string::npos);
    wrong.replace(wrong.find(one.is), std::string(one.is).size(), one.made);
    std::ofstream(copy / "stockham4_table.cl") << wrong;
    const CheckedRun run = checked(read_plan_file(copy / "stockham4_table.toml"), *device);
    CAPTURE(run.text());
    const Finding* finding = run.first(Class::WrongTwiddle);
    REQUIRE(finding);
    CHECK(finding->line == one.line);
  }
}
