// What the checks say of small kernels of the tests' own, and how findings are gathered and written.
#include "checked.h"
#include "own_kernel.h"
#include "test_support.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <fstream>

using namespace twiddle;

namespace {

using Class = FindingClass;

Finding finding_of(Class kind, int launch, int epoch, std::uint64_t step, int line = 1) {
  Finding finding;
  finding.kind = kind;
  finding.launch = launch;
  finding.epoch = epoch;
  finding.stage = 1;
  finding.step = step;
  finding.items = {step};
  finding.line = line;
  finding.message = Message("something");
  return finding;
}

}  // namespace

TEST_CASE("what happens again in the same place is one finding with a count and its first culprits") {
  Findings findings;
  for (std::uint64_t i = 1; i <= 20; ++i) findings.add(finding_of(Class::OutOfBounds, 1, 0, i));
  findings.add(finding_of(Class::OutOfBounds, 2, 0, 30));
  const std::vector<Finding> all = findings.take();
  REQUIRE(all.size() == 2);
  CHECK(all[0].occurrences == 20);
  CHECK(all[0].items == std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(all[1].occurrences == 1);
  CHECK(findings.take().empty());
}

TEST_CASE("more places than are kept of a class are counted, not dropped") {
  Findings findings;
  const int places = static_cast<int>(Findings::max_places) + 7;
  for (int line = 1; line <= places; ++line) findings.add(finding_of(Class::BankConflict, 1, 0, 1, line));
  std::uint64_t told = 0;
  for (const Finding& finding : findings.take()) told += finding.occurrences + finding.follows;
  CHECK(told == static_cast<std::uint64_t>(places));
}

TEST_CASE("findings that follow from another are left out and counted there; a cause comes before what it causes") {
  std::vector<Finding> some = {finding_of(Class::Race, 1, 0, 5), finding_of(Class::InconsistentRead, 1, 1, 9),
                               finding_of(Class::WrongTwiddle, 1, 1, 9)};
  std::vector<Finding> left = without_consequences(some);
  REQUIRE(left.size() == 2);
  CHECK(left[0].kind == Class::Race);
  CHECK(left[0].follows == 1);
  CHECK(left[1].kind == Class::WrongTwiddle);

  some = {finding_of(Class::Race, 1, 2, 50), finding_of(Class::InconsistentRead, 1, 1, 9)};
  CHECK(without_consequences(some).size() == 2);
  some[0].across_groups = true;  // no barrier orders these: the read may be of any epoch
  CHECK(without_consequences(some).size() == 1);

  some = {finding_of(Class::OutOfBounds, 1, 0, 50), finding_of(Class::WrongPartner, 1, 0, 9)};
  CHECK(without_consequences(some).size() == 2);
}

TEST_CASE("an access below an array is shown with the index that the kernel computed") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  OwnKernel own(
      "kernel void shift(global const int *x, global int *y TRACE_PARAMS) {\n"
      "  int g = get_global_id(0);\n"
      "  int v = x[g - 1];\n"
      "  y[g] = v;\n"
      "  TRACE_MOVE(y, g, x, g - 1, v);\n"
      "}\n");
  const auto x = own.buffer("x", ElementType::Int, 8), y = own.buffer("y", ElementType::Int, 8);
  own.launch("shift", 8, 8, {x, y});
  const CheckedRun run = checked(own.plan, *runtime);
  REQUIRE_MESSAGE(run.findings.size() == 1, run.text());
  CHECK(run.findings[0].kind == Class::OutOfBounds);
  CHECK(contains(run.findings[0].message, "work-item 0 reads x[-1], but x has 8 elements (0 … 7)"));
  CHECK(contains(run.text(), "mine.cl:4: error: out-of-bounds: "));
  CHECK(contains(run.text(), "    4 | int v = x[g - 1];\n"));
}

TEST_CASE("an array of each instantiation of a kernel has the size that it has in the one that ran") {
  for (const int n : {256, 64}) {
    CAPTURE(n);
    OwnKernel own(
        "struct Point { float r, i; };\n"
        "template <int LEN>\n"
        "__global__ void turn_round(const float2 *x, float2 *y) {\n"
        "  __shared__ Point ping[LEN];\n"
        "  float2 v = x[threadIdx.x];\n"
        "  ping[threadIdx.x] = {v.x, v.y};\n"
        "  __syncthreads();\n"
        "  y[threadIdx.x] = make_float2(ping[LEN - 1 - threadIdx.x].r, 0);\n"
        "}\n"
        "template __global__ void turn_round<512>(const float2 *, float2 *);\n"
        "template __global__ void turn_round<256>(const float2 *, float2 *);\n"
        "template __global__ void turn_round<64>(const float2 *, float2 *);\n"
        "template __global__ void turn_round<16>(const float2 *, float2 *);\n",
        ".cu");
    const auto points = static_cast<std::uint64_t>(n);
    const auto x = own.buffer("x", ElementType::Float2, points), y = own.buffer("y", ElementType::Float2, points);
    own.launch("turn_round<" + std::to_string(n) + ">", points, points, {x, y});
    const CheckedRun run = checked(own.plan, *device_of("host"));
    CHECK_MESSAGE(!run.any_errors(), run.text());
  }
}

TEST_CASE("an index that an unsigned number below zero made huge is told from one that is a little too large") {
  for (const bool cuda : {true, false}) {
    Runtime* device = device_of(cuda ? "host" : "opencl");
    if (!device) continue;
    for (const bool wraps : {true, false}) {
      const std::string index = wraps ? "x[g - 1u]" : "x[g + 1u]";
      OwnKernel own(
          cuda ? "__global__ void f(int *x, int *y) { unsigned g = threadIdx.x; y[g] = " + index + "; }\n"
               : "kernel void f(global int *x, global int *y) { uint g = get_global_id(0); y[g] = " + index + "; }\n",
          cuda ? ".cu" : ".cl");
      const auto x = own.buffer("x", ElementType::Int, 8, Content::Kind::Iota),
                 y = own.buffer("y", ElementType::Int, 8);
      own.launch("f", 8, 8, {x, y});
      const CheckedRun run = checked(own.plan, *device);
      CAPTURE(run.text());
      const Finding* finding = run.first(Class::OutOfBounds);
      REQUIRE(finding);
      CHECK(contains(finding->advice.english(), wraps ? "became an unsigned one of 32 bits" : "Guard the access"));
    }
  }
}

TEST_CASE("a trace line that says more than its kernel does is named, and the kernel is not") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  OwnKernel own(
      "kernel void shift(global const int *x, global int *y TRACE_PARAMS) {\n"
      "  int g = get_global_id(0);\n"
      "  int v = g > 0 ? x[g - 1] : 0;\n"
      "  y[g] = v;\n"
      "  TRACE_MOVE(y, g, x, g - 1, v);\n"
      "}\n");
  const auto x = own.buffer("x", ElementType::Int, 8), y = own.buffer("y", ElementType::Int, 8);
  own.launch("shift", 8, 8, {x, y});
  const CheckedRun run = checked(own.plan, *runtime);
  REQUIRE(run.findings.size() == 1);
  CHECK(run.findings[0].kind == Class::FalseTraceLine);
  CHECK(run.findings[0].line == 6);
  CHECK_MESSAGE(contains(run.findings[0].message, "TRACE_MOVE says that work-item 0 reads x[-1], and it never does"),
                run.text());
}

TEST_CASE("a race is found from one run, with both lines, though the outcome is right") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  OwnKernel own(
      "kernel void f(global int *x, global int *y TRACE_PARAMS) {\n"
      "  int g = get_global_id(0), v = x[g];\n"
      "  y[g] = v;\n"
      "  TRACE_MOVE(y, g, x, g, v);\n"
      "  int w = y[0];\n"
      "  x[g] = w;\n"
      "  TRACE_MOVE(x, g, y, 0, w);\n"
      "}\n");
  const auto x = own.buffer("x", ElementType::Int, 4, Content::Kind::Zero), y = own.buffer("y", ElementType::Int, 4);
  own.launch("f", 4, 4, {x, y});
  const CheckedRun run = checked(own.plan, *runtime);
  const Finding* race = run.first(Class::Race);
  REQUIRE_MESSAGE(race != nullptr, run.text());
  CHECK(element_of(run.info, *race) == "y[0]");
  CHECK(race->line == 6);  // the statements, not the trace lines
  CHECK(race->other_line == 4);
}

TEST_CASE("a barrier orders a group, and the race is gone") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  OwnKernel own(
      "kernel void f(global int *x, global int *y TRACE_PARAMS) {\n"
      "  int g = get_global_id(0), v = x[g];\n"
      "  y[g] = v;\n"
      "  TRACE_MOVE(y, g, x, g, v);\n"
      "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
      "  TRACE_BARRIER();\n"
      "  int w = y[get_group_id(0) * get_local_size(0)];\n"
      "  x[g] = w;\n"
      "  TRACE_MOVE(x, g, y, get_group_id(0) * get_local_size(0), w);\n"
      "}\n");
  const auto x = own.buffer("x", ElementType::Int, 8), y = own.buffer("y", ElementType::Int, 8);
  own.launch("f", 8, 4, {x, y});
  const CheckedRun run = checked(own.plan, *runtime);
  CHECK_MESSAGE(!run.any_errors(), run.text());
}

TEST_CASE("a read of what was never written, in global memory and in local") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  OwnKernel own(
      "kernel void f(global int *x, global int *y, local int *s TRACE_PARAMS) {\n"
      "  int g = get_global_id(0), v = x[g];\n"
      "  if (g != 2) {\n"
      "    s[g] = v;\n"
      "    TRACE_MOVE(s, g, x, g, v);\n"
      "  }\n"
      "  int w = s[g];\n"
      "  y[g] = w;\n"
      "  TRACE_MOVE(y, g, s, g, w);\n"
      "}\n");
  const auto x = own.buffer("x", ElementType::Int, 4, Content::Kind::Uninitialised);
  const auto y = own.buffer("y", ElementType::Int, 4);
  own.launch("f", 4, 4, {x, y, LocalArgument{16}});
  const CheckedRun run = checked(own.plan, *runtime);
  std::vector<std::string> elements;
  for (const Finding& finding : run.findings)
    if (finding.kind == Class::UninitialisedRead) elements.push_back(element_of(run.info, finding));
  CHECK(elements == std::vector<std::string>{"x[0]", "s[2]"});
}

TEST_CASE("a trace line that names another index than the access is false, and its values are no second error") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  OwnKernel own(
      "kernel void f(global const int *x, global int *y TRACE_PARAMS) {\n"
      "  int g = get_global_id(0), v = x[3 - g];\n"
      "  y[g] = v;\n"
      "  TRACE_MOVE(y, g, x, g, v);\n"
      "}\n");
  const auto x = own.buffer("x", ElementType::Int, 4), y = own.buffer("y", ElementType::Int, 4);
  own.launch("f", 4, 4, {x, y});
  const CheckedRun run = checked(own.plan, *runtime);
  const Finding* finding = run.first(Class::FalseTraceLine);
  REQUIRE_MESSAGE(finding != nullptr, run.text());
  CHECK(contains(finding->message, "TRACE_MOVE says that work-item 0 reads x[0], and it never does"));
  CHECK(finding->items.size() == 4);
  CHECK_MESSAGE(run.first(Class::InconsistentRead) == nullptr, run.text());
}

TEST_CASE("a wrong exponent is named, and so is the partner that a wrong stride missed") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  const auto fft_with = [&](const char* exponent, const char* stride) {
    OwnKernel own(
        "kernel void reverse(global const float2 *in, global float2 *x TRACE_PARAMS) {\n"
        "  int i = get_global_id(0), r = (i & 1) << 3 | (i & 2) << 1 | (i & 4) >> 1 | i >> 3;\n"
        "  float2 v = in[i];\n"
        "  x[r] = v;\n"
        "  TRACE_MOVE(x, r, in, i, v);\n"
        "}\n"
        "kernel void stage(global float2 *x, int half_span TRACE_PARAMS) {\n"
        "  int g = get_global_id(0), k = g % half_span, s = STRIDE;\n"
        "  float e = EXPONENT;\n"
        "  int i0 = g / half_span * 2 * half_span + k, i1 = i0 + s;\n"
        "  float angle = -M_PI_F * e / half_span;\n"
        "  float2 w = (float2)(cos(angle), sin(angle)), a = x[i0], b = x[i1];\n"
        "  float2 t = (float2)(w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x);\n"
        "  x[i0] = a + t;\n"
        "  x[i1] = a - t;\n"
        "  TRACE_BUTTERFLY(x, i0, i1, w, a, b);\n"
        "}\n");
    const auto in = own.buffer("in", ElementType::Float2, 16, Content::Kind::Signal);
    const auto x = own.buffer("x", ElementType::Float2, 16, Content::Kind::Uninitialised);
    own.launch("reverse", 16, 8, {in, x});
    for (int stage = 1; stage <= 4; ++stage)
      own.launch("stage", 8, 8, {x, int_argument(1 << (stage - 1))}).stage = stage;
    for (Launch& launch : own.plan.launches)
      launch.defines = {std::string("EXPONENT=") + exponent, std::string("STRIDE=") + stride};
    own.plan.signal = "random:1";
    own.plan.expect.transform = Expect::Transform::Fft;
    own.plan.expect.bound = 1e-5;
    own.plan.expect.input = "in";
    own.plan.expect.output = "x";
    return checked(own.plan, *runtime);
  };
  CHECK_FALSE(fft_with("k", "half_span").any_errors());

  const CheckedRun upper = fft_with("half_span==8&&k>=4?k+1:k", "half_span");
  const Finding* twiddle = upper.first(Class::WrongTwiddle);
  REQUIRE_MESSAGE(twiddle != nullptr, upper.text());
  CHECK(place_of(*twiddle) == "L5.S4.I4");
  CHECK_MESSAGE(contains(twiddle->message, "where w_16^4 = (0, −1) belongs: it is w_16^5"), twiddle->message);

  const CheckedRun order = fft_with("half_span==2&&k==1?0.25f:k", "half_span");
  twiddle = order.first(Class::WrongTwiddle);
  REQUIRE_MESSAGE(twiddle != nullptr, order.text());
  CHECK_MESSAGE(contains(twiddle->message, "where w_4^1 = (0, −1) belongs: it is w_16^1, a root of another order"),
                twiddle->message);

  const CheckedRun none = fft_with("half_span==2&&k==1?0.3f:k", "half_span");
  twiddle = none.first(Class::WrongTwiddle);
  REQUIRE_MESSAGE(twiddle != nullptr, none.text());
  CHECK_MESSAGE(contains(twiddle->message, "belongs: it is no root of unity of order 4"), twiddle->message);

  const CheckedRun stride = fft_with("k", "half_span==8?4:half_span");
  const Finding* again = stride.first(Class::DuplicateOperation);
  REQUIRE_MESSAGE(again != nullptr, stride.text());
  CHECK(place_of(*again) == "L5.S4.I0");
  CHECK_MESSAGE(contains(again->message, "x[0] with x[4]"), again->message);
  CHECK_MESSAGE(contains(again->message, "in a stage of span 16 its partner is x[8]"), again->message);
  REQUIRE(again->ideal);
  CHECK(again->ideal->partner == 8);
}

TEST_CASE("of a right butterfly that turns a small value nothing is said, though the outcome is wrong") {
  for (const float small : {1e-2f, 1e-4f, 1e-6f, 0.0f})
    for (const bool expected : {false, true}) {
      CAPTURE(small);
      CAPTURE(expected);
      OwnKernel own(
          "__global__ void reorder(const float2 *in, float2 *x) {\n"
          "  int i = threadIdx.x, r = (i & 1) << 3 | (i & 2) << 1 | (i & 4) >> 1 | i >> 3;\n"
          "  x[r] = in[i];\n"
          "}\n"
          "__global__ void stage(float2 *x, int half_span) {\n"
          "  int g = threadIdx.x, k = g % half_span, i0 = g / half_span * 2 * half_span + k, i1 = i0 + half_span;\n"
          "  float s, c;\n"
          "  sincosf(-3.14159265f * k / half_span, &s, &c);\n"
          "  float2 a = x[i0], b = x[i1];\n"
          "  float2 t = make_float2(c * b.x - s * b.y, c * b.y + s * b.x);\n"
          "  x[i0] = make_float2(a.x + t.x, a.y + t.y);\n"
          "  x[i1] = make_float2(a.x - t.x, a.y - t.y);\n"
          "}\n"
          "__global__ void spoil(float2 *x) { x[7] = make_float2(2 * x[7].x, 2 * x[7].y); }\n",
          ".cu");
      // The second butterfly of the second stage turns x[4] − x[12].
      {
        std::ofstream csv(own.plan.directory / "x.csv");
        for (int i = 0; i < 16; ++i) {
          const int j = i == 12 ? 4 : i;
          const float factor = i == 12 ? 1 - small : 1;
          csv << factor * static_cast<float>(0.3 + 0.1 * ((7 * j + 3) % 11)) << ","
              << factor * static_cast<float>(0.2 - 0.07 * ((5 * j + 1) % 13)) << "\n";
        }
      }
      own.plan.signal = (own.plan.directory / "x.csv").string();
      const auto in = own.buffer("in", ElementType::Float2, 16, Content::Kind::Signal);
      const auto x = own.buffer("x", ElementType::Float2, 16, Content::Kind::Uninitialised);
      own.launch("reorder", 16, 16, {in, x});
      for (int half_span = 1; half_span < 16; half_span *= 2) own.launch("stage", 8, 8, {x, int_argument(half_span)});
      own.launch("spoil", 1, 1, {x});
      if (expected) {
        own.plan.expect.transform = Expect::Transform::Fft;
        own.plan.expect.bound = 1e-5;
        own.plan.expect.input = "in";
        own.plan.expect.output = "x";
      }
      const CheckedRun run = checked(own.plan, *device_of("host"));
      CAPTURE(run.text());
      CHECK(run.info.launches[2].accesses.lifted);
      CHECK(run.any_errors() == expected);
      CHECK(run.first(Class::WrongTwiddle) == nullptr);
      for (const Finding& finding : run.findings) CHECK_FALSE(contains(finding.message, "should leave"));
    }
}

TEST_CASE("a write without a trace line is found by what it left behind") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  OwnKernel own(
      "kernel void f(global const int *x, global int *y TRACE_PARAMS) {\n"
      "  int g = get_global_id(0), v = x[g];\n"
      "  y[g] = v;\n"
      "  TRACE_MOVE(y, g, x, g, v);\n"
      "  y[g] = v + 1;\n"
      "}\n");
  const auto x = own.buffer("x", ElementType::Int, 4), y = own.buffer("y", ElementType::Int, 4, Content::Kind::Zero);
  own.launch("f", 4, 4, {x, y});
  const CheckedRun run = checked(own.plan, *runtime);
  CHECK_MESSAGE(run.any_errors(), run.text());
  CHECK(element_of(run.info, run.findings.front()) == "y[0]");
}

TEST_CASE("a wrong outcome is at the store that left it, also where that is of a part of an element alone") {
  for (const bool spoilt_at_once : {false, true}) {
    CAPTURE(spoilt_at_once);
    OwnKernel own(
        "__global__ void copy(const float2 *x, float2 *y, int spoil) {\n"
        "  int i = threadIdx.x;\n"
        "  y[i] = x[i];\n"
        "  if (spoil && i == 7) y[7].x = 3;\n"  // 5
        "}\n"
        "__global__ void spoil(float2 *y) {\n"
        "  if (threadIdx.x == 2) y[7].x = 3 * y[7].x + 1;\n"  // 8
        "}\n",
        ".cu");
    const auto x = own.buffer("x", ElementType::Float2, 16), y = own.buffer("y", ElementType::Float2, 16);
    own.launch("copy", 16, 16, {x, y, int_argument(spoilt_at_once)});
    if (!spoilt_at_once) own.launch("spoil", 4, 4, {y});
    own.plan.expect.transform = Expect::Transform::Equals;
    own.plan.expect.operand = "x";
    own.plan.expect.output = "y";
    const CheckedRun run = checked(own.plan, *device_of("host"));
    CAPTURE(run.text());
    const Finding* finding = run.first(Class::WrongValue);
    REQUIRE(finding);
    CHECK(element_of(run.info, *finding) == "y[7]");
    CHECK(finding->launch == (spoilt_at_once ? 1 : 2));
    CHECK(finding->line == (spoilt_at_once ? 5 : 8));
    CHECK(finding->items == std::vector<std::uint64_t>{spoilt_at_once ? 7u : 2u});
  }
}

TEST_CASE("JSON and SARIF say the same as the text, and leave out what does not apply") {
  TraceInfo info;
  info.program = "twiddle 1.0";
  info.algorithm = "some where/mine.toml";
  info.complete = true;
  info.sources.push_back({"mine.cl", "one\n  two\n"});
  info.launches.push_back({});
  info.launches[0].number = 1;
  info.launches[0].kernel = "stage";
  info.launches[0].attempted = info.launches[0].kept = 1;
  BufferInfo buffer;
  buffer.name = "F";
  buffer.count = 8;
  info.buffers.push_back(buffer);
  Finding finding = finding_of(Class::Race, 1, 0, 4, 2);
  finding.source = 0;
  finding.buffer = 0;
  finding.element = 3;
  finding.other_line = 1;
  finding.items = {5, 6};
  finding.occurrences = 9;
  finding.advice = Message("Do something.");
  CHECK(text_of(info, finding) ==
        "some where/mine.cl:2: error: race: something\n"
        "      2 | two\n"
        "        at L1.S1.I5, kernel stage; 9 times, by work-items 5, 6, …\n"
        "        to put it right: Do something.\n");
  // As its other item has it, and in a later launch; another line is another place.
  Finding other_end = finding, later = finding, elsewhere = finding;
  std::swap(other_end.line, other_end.other_line);
  info.launches.push_back(info.launches[0]);
  later.launch = info.launches[1].number = 2;
  later.buffer = 1;  // a local array is another buffer in each launch
  info.buffers.push_back(buffer);
  elsewhere.other_line = 2;
  CHECK(text_of(info, std::vector{finding, other_end, elsewhere, later}) ==
        text_of(info, finding) + "        the same at L2.S1.I5\n" + text_of(info, elsewhere));
  info.launches.pop_back();
  info.buffers.pop_back();

  const auto json = nlohmann::json::parse(json_of(info, std::vector{finding})).at("findings").at(0);
  CHECK(json.at("class") == "race");
  CHECK(json.at("severity") == "error");
  CHECK(json.at("launch") == 1);
  CHECK(json.at("items") == std::vector<int>{5, 6});
  CHECK(json.at("buffer") == "F");
  CHECK(json.at("space") == "global");
  CHECK(json.at("element") == 3);
  CHECK(json.at("line") == 2);
  CHECK(json.at("position") == "L1.S1.I5");
  CHECK(json.at("occurrences") == 9);
  CHECK_FALSE(json.contains("left_out"));

  const auto sarif = nlohmann::json::parse(sarif_of(info, std::vector{finding}));
  CHECK(sarif.at("version") == "2.1.0");
  const auto& run = sarif.at("runs").at(0);
  const auto& driver = run.at("tool").at("driver");
  CHECK(driver.at("name") == "twiddle");
  CHECK(driver.at("version") == "1.0");
  const auto& result = run.at("results").at(0);
  CHECK(driver.at("rules").at(result.at("ruleIndex").get<std::size_t>()).at("id") == result.at("ruleId"));
  CHECK(result.at("level") == "error");
  const auto& location = result.at("locations").at(0).at("physicalLocation");
  CHECK(location.at("artifactLocation").at("uri") == "some%20where/mine.cl");
  CHECK(location.at("region").at("startLine") == 2);
  CHECK(result.at("relatedLocations").at(0).at("physicalLocation").at("region").at("startLine") == 1);

  Finding bare;
  bare.kind = Class::WrongValue;
  bare.message = Message("all of it");
  const auto little = nlohmann::json::parse(json_of(info, std::vector{bare})).at("findings").at(0);
  for (const char* key :
       {"launch", "stage", "epoch", "items", "buffer", "space", "element", "line", "position", "step"})
    CHECK_MESSAGE(!little.contains(key), key);
  CHECK(summary_of(std::vector{finding, bare}) == "2 errors");
  CHECK(summary_of({}) == "no findings");

  // What a class is, in the words of the kernel's language.
  const auto rule = [&] {
    const auto log = nlohmann::json::parse(sarif_of(info, std::vector{finding}));
    return log.at("runs")
        .at(0)
        .at("tool")
        .at("driver")
        .at("rules")
        .at(0)
        .at("shortDescription")
        .at("text")
        .get<std::string>();
  };
  CHECK(rule().starts_with("Two work-items touch"));
  info.sources.front().name = "mine.cu";
  CHECK(rule().starts_with("Two threads touch"));
}
