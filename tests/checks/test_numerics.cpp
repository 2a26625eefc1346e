// The run in higher precision beside a run: its sums are the exact ones, errors are where they are, births at their line.
#include "checked.h"
#include "kernels/catalogue/reference.h"
#include "own_kernel.h"
#include "run_program.h"
#include "test_support.h"
#include "tracer/checks/ideal/shadow.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>

using namespace twiddle;

namespace {

struct Shadowed {
  TraceInfo info;
  ShadowReport report;
  std::vector<std::vector<std::byte>> first;
};

Shadowed shadowed(const Plan& plan, Runtime& runtime) {
  const synthetic::Folder folder;
  const std::filesystem::path file = folder / "run.twd";
  {
    TraceWriter writer(file);
    REQUIRE_FALSE(trace_plan(plan, runtime, {}, writer).stopped);
    writer.finish();
  }
  const auto trace = TraceReader::open(file);
  Replay replay(trace);
  Shadowed result{trace->info(), shadow_of(replay), {}};
  for (std::size_t b = 0; b < plan.buffers.size(); ++b)
    result.first.push_back(trace->first_content(static_cast<int>(b)));
  return result;
}

}  // namespace

TEST_CASE("a transform's shadow is the transform of its input, in double precision") {
  for (const char* name : {"opencl", "host"}) {
    Runtime* runtime = device_of(name);
    if (!runtime) continue;
    Request request;
    request.algorithm = "fft-radix2";
    request.n = 256;
    request.signal = "random:5";
    const Plan plan = make_plan(request);
    const Shadowed run = shadowed(plan, *runtime);
    CHECK(run.report.not_followed == 0);
    const auto input = static_cast<std::size_t>(run.info.buffer_named(plan.expect.input));
    std::vector<std::complex<double>> points(256);
    for (std::size_t i = 0; i < points.size(); ++i) {
      float pair[2];
      std::memcpy(pair, run.first[input].data() + i * sizeof pair, sizeof pair);
      points[i] = {pair[0], pair[1]};
    }
    const std::vector<std::complex<double>> wanted = dft(points, -1);
    REQUIRE(run.report.elements.size() == ShadowReport::max_listed);
    for (const ShadowReport::Element& one : run.report.elements) {
      // The factors are the kernel's, rounded to floats: the shadow is off by these, and by nothing else.
      CHECK(std::abs(one.shadow - wanted[one.element]) < 2e-6 * 16);
      CHECK(one.error() > 0);
      CHECK(one.error() < 1e-5 * 16);
    }
    // Errors only grow, by a rounding or two a stage.
    std::vector<double> growth;
    for (const ShadowReport::Stage& stage : run.report.stages)
      if (stage.stage > 0) growth.push_back(stage.relative_l2);
    REQUIRE(growth.size() == 8);
    for (std::size_t s = 1; s < growth.size(); ++s) CHECK(growth[s] > growth[s - 1]);
    CHECK(growth.back() < 8 * 1.2e-7);
  }
}

TEST_CASE("a sum's shadow is exact, and what cancels is named") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  OwnKernel own(
      "kernel void add(global float *x)\n{\n  x[0] = x[0] + x[1];\n}\n"
      "kernel void take(global float *x)\n{\n  x[0] = x[0] + x[2];\n}\n");
  const BufferArgument x = own.buffer("x", ElementType::Float, 3, Content::Kind::Values);
  own.plan.buffers[0].content.values = {1, 1.5e-7, -1};
  own.launch("add", 1, 1, {x});
  own.launch("take", 1, 1, {x});
  const Shadowed run = shadowed(own.plan, *runtime);
  REQUIRE(run.report.elements.size() == 1);
  // 1 + 1.5e-7 rounds to 1 + 2^-23, and the 1 is taken away again.
  CHECK(run.report.elements[0].value.real() == std::ldexp(1.0, -23));
  CHECK(run.report.elements[0].shadow.real() == doctest::Approx(static_cast<double>(1.5e-7f)).epsilon(1e-12));
  REQUIRE(run.report.cancelled.size() == 1);
  CHECK(run.report.cancelled[0].where.launch == 2);
  CHECK(run.report.cancelled[0].where.line == 8);
  CHECK(run.report.cancelled[0].ratio > 1e6);
  CHECK(run.report.born.empty());
}

TEST_CASE("a value that is no number is found where it was born, and not where it went") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  OwnKernel own(
      "kernel void root(global const float *x, global float *y)\n{\n  int i = get_global_id(0);\n"
      "  y[i] = sqrt(x[i] - 2);\n}\n"
      "kernel void one_over(global const float *x, global float *y)\n{\n  int i = get_global_id(0);\n"
      "  y[i] = 1 / x[i];\n}\n"
      "kernel void twice(global float *y)\n{\n  int i = get_global_id(0);\n  y[i] = y[i] + y[i];\n}\n");
  const BufferArgument x = own.buffer("x", ElementType::Float, 8);
  const BufferArgument y = own.buffer("y", ElementType::Float, 8), z = own.buffer("z", ElementType::Float, 8);
  own.launch("root", 8, 8, {x, y});
  own.launch("one_over", 8, 8, {x, z});
  own.launch("twice", 8, 8, {y});
  const CheckedRun run = checked(own.plan, *runtime);
  CAPTURE(run.text());
  std::vector<const Finding*> born;
  for (const Finding& finding : run.findings)
    if (finding.kind == FindingClass::Numerics) born.push_back(&finding);
  REQUIRE(born.size() == 2);
  CHECK(born[0]->line == 5);
  CHECK(born[0]->items == std::vector<std::uint64_t>{0, 1});
  CHECK(contains(born[0]->message, "no number to y[0]"));
  CHECK(born[1]->line == 10);
  CHECK(contains(born[1]->message, "an infinity to z[0]"));
  CHECK(born[1]->severity == Severity::Note);
}

TEST_CASE("verify --numerics: stages and elements as text and as JSON") {
  TestFolder folder;
  const Ran text = run_program(folder, {"verify", "fft-radix2", "--n", "64", "--signal", "random:1", "--numerics"});
  CHECK_MESSAGE(text.code == 0, text.err);
  CHECK_MESSAGE(text.out.find("launch 7, stage 6") != std::string::npos, text.out);
  const Ran as_json =
      run_program(folder, {"verify", "fft-radix2", "--n", "64", "--signal", "random:1", "--numerics", "--json"});
  const nlohmann::json numerics = nlohmann::json::parse(as_json.out).at("numerics");
  CHECK(numerics.at("stages").back().at("stage") == 6);
  CHECK(numerics.at("elements").size() == 8);
  CHECK(numerics.at("born").empty());
  CHECK(numerics.at("not_followed") == 0);
  REQUIRE(run_program(folder, {"trace", "fft-radix2", "--detail", "index", "-o", "index.twd"}).code == 0);
  check_failure(run_program(folder, {"verify", "fft-radix2", "--detail", "index", "--numerics"}), 2,
                "--numerics needs values");
}
