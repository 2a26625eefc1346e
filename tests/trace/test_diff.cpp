#include "own_kernel.h"
#include "run_program.h"
#include "synthetic_trace.h"
#include "test_support.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/diff.h"
#include "tracer/replay/diff_values.h"
#include "tracer/run/tracer.h"
#include "tracer/runtimes/open_runtime.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

using namespace twiddle;

namespace {

using Reader = std::shared_ptr<const TraceReader>;

// A synthetic trace, kept for as long as the folder.
Reader made(const synthetic::Folder& folder, const std::string& name, const synthetic::FftOptions& options) {
  return TraceReader::open(synthetic::Fft<float>(options).write(folder / name));
}

Reader traced_own(const synthetic::Folder& folder, const std::string& name, const Plan& plan,
                  const TraceOptions& options = {}) {
  const std::unique_ptr<Runtime> runtime = open_runtime("opencl", 0);
  TraceWriter writer(folder / name);
  trace_plan(plan, *runtime, options, writer);
  writer.finish();
  return TraceReader::open(folder / name);
}

std::uint64_t count(const TraceDiff& diff, DiffAspect aspect) {
  return diff.by_aspect[static_cast<std::size_t>(aspect)];
}

}  // namespace

TEST_CASE("a trace is the same as itself, in blocks of any size") {
  const synthetic::Folder folder;
  synthetic::FftOptions options;
  options.n = 256;
  options.random = true;
  const Reader first = made(folder, "a.twd", options);
  options.block = 7;
  const Reader second = made(folder, "b.twd", options);
  const TraceDiff diff = diff_traces(first, second);
  CHECK(diff.same());
  CHECK(diff.compared == first->info().steps);
  CHECK(diff.notes.empty());
}

TEST_CASE("two compilers that round differently part in values alone, within a few ulps") {
  const synthetic::Folder folder;
  synthetic::FftOptions options;
  options.n = 64;
  options.random = true;
  options.fusing = synthetic::Fusing::First;
  const Reader first = made(folder, "a.twd", options);
  options.fusing = synthetic::Fusing::None;
  const Reader second = made(folder, "b.twd", options);

  std::vector<Difference> all;
  DiffOptions strict;
  strict.each = [&](const Difference& difference) { all.push_back(difference); };
  const TraceDiff diff = diff_traces(first, second, strict);
  REQUIRE(diff.first);
  CHECK(diff.differing == all.size());
  CHECK(diff.differing > 0);
  CHECK(count(diff, DiffAspect::Place) == 0);
  CHECK(count(diff, DiffAspect::Twiddle) == 0);
  CHECK(count(diff, DiffAspect::Written) > 0);
  // The first difference cannot have been carried there; and it is the first that `each` was given.
  CHECK(diff.first->begins());
  CHECK(diff.first->first->step == all[0].first->step);
  for (std::size_t i = 1; i < all.size(); ++i) CHECK(all[i - 1].first->step < all[i].first->step);

  double furthest = 0;
  for (const Difference& difference : all) furthest = std::max(furthest, difference.ulps);
  CHECK(furthest < 64);
  DiffOptions lenient;
  lenient.ulps = static_cast<std::uint64_t>(std::ceil(furthest));
  CHECK(diff_traces(first, second, lenient).same());
  lenient.ulps = static_cast<std::uint64_t>(std::ceil(furthest)) - 1;
  CHECK_FALSE(diff_traces(first, second, lenient).same());
}

TEST_CASE("the wrong sign shows first where a twiddle is neither 1 nor -1") {
  const synthetic::Folder folder;
  synthetic::FftOptions options;
  const Reader first = made(folder, "a.twd", options);
  options.inverse = true;
  const Reader second = made(folder, "b.twd", options);
  DiffOptions lenient;
  lenient.ulps = 4;
  const TraceDiff diff = diff_traces(first, second, lenient);
  REQUIRE(diff.first);
  const Difference& at = *diff.first;
  CHECK(at.first->stage == 2);
  CHECK(at.first->item == 1);
  CHECK(at.has(DiffAspect::Twiddle));
  CHECK(at.has(DiffAspect::Written));
  CHECK_FALSE(at.has(DiffAspect::Place));
  CHECK(at.begins());
  // Stage 2: items 1 and 3 multiply by w_4; stage 3: items 1, 2 and 3 by powers of w_8.
  CHECK(count(diff, DiffAspect::Twiddle) == 5);
}

TEST_CASE("without values pairs and twiddles are compared, and that is said") {
  const synthetic::Folder folder;
  synthetic::FftOptions options;
  const Reader first = made(folder, "a.twd", options);
  options.fusing = synthetic::Fusing::None;
  options.detail = Detail::Index;
  const Reader second = made(folder, "b.twd", options);
  const TraceDiff diff = diff_traces(first, second);
  CHECK(diff.same());
  CHECK(diff.compared == first->info().steps);
  REQUIRE(diff.notes.size() == 1);
  CHECK(contains(diff.notes[0].english(), "b.twd has no values"));
}

TEST_CASE("other inputs are noted, and other sizes refused with a sentence") {
  const synthetic::Folder folder;
  synthetic::FftOptions options;
  const Reader first = made(folder, "a.twd", options);
  options.random = true;
  const Reader second = made(folder, "b.twd", options);
  const TraceDiff diff = diff_traces(first, second);
  CHECK(diff.differing == first->info().steps);
  REQUIRE(diff.notes.size() == 1);
  CHECK(diff.notes[0] == "data holds other values at the start");

  options.n = 16;
  const Reader larger = made(folder, "c.twd", options);
  CHECK(exit_code_of([&] { diff_traces(first, larger); }) == ExitCode::usage);
  CHECK(contains(sentence_of([&] { diff_traces(first, larger); }), "buffer data holds 8 float2 in "));
  options = {};
  options.group_size = 2;
  CHECK(diff_traces(first, made(folder, "d.twd", options)).same());  // in one dimension groups do not matter
}

TEST_CASE("sizes that differ are told in the words of the kernel's language") {
  const synthetic::Folder folder;
  const std::unique_ptr<Runtime> host = open_runtime("host", 0);
  const auto run = [&](const std::string& name, std::uint64_t threads) {
    OwnKernel own("extern \"C\" __global__ void put(float *x)\n{\n  x[blockIdx.x * 4 + threadIdx.x] = 1;\n}\n", ".cu");
    const BufferArgument x = own.buffer("x", ElementType::Float, 8);
    own.launch("put", threads, 4, {x});
    TraceWriter writer(folder / name);
    trace_plan(own.plan, *host, {}, writer);
    writer.finish();
    return TraceReader::open(folder / name);
  };
  const Reader first = run("a.twd", 8), second = run("b.twd", 4);
  const std::string said = sentence_of([&] { diff_traces(first, second); });
  CHECK_MESSAGE(contains(said, "launch 1 has 8 threads in blocks of 4 in "), said);
  CHECK_MESSAGE(contains(said, " and 4 threads in blocks of 4 in "), said);
}

TEST_CASE("an operation that one trace lacks, one too many, another place, another kind") {
  const synthetic::Folder folder;
  const auto variant = [&](const std::string& name, const std::string& body) {
    OwnKernel own("kernel void k(global float *x TRACE_PARAMS) {\n  int g = get_global_id(0);\n" + body + "}\n");
    const auto x = own.buffer("x", ElementType::Float, 16);
    own.launch("k", 8, 4, {x}).stage = 1;
    return traced_own(folder, name + ".twd", own.plan);
  };
  const std::string twice = "  { float v = x[g]; x[g] = 2 * v; TRACE_SCALE(x, g, v, 2.0f); }\n";
  const Reader right = variant("right", twice + twice);

  TraceDiff diff = diff_traces(right, variant("lacking", twice + "  if (g != 3) {\n  float u = x[g]; x[g] = 2 * u; "
                                                                 "TRACE_SCALE(x, g, u, 2.0f);\n  }\n"));
  REQUIRE(diff.first);
  CHECK(diff.differing == 1);
  CHECK(diff.only_first == 1);
  CHECK(diff.first->has(DiffAspect::Presence));
  CHECK(diff.first->first->item == 3);
  CHECK(diff.first->nth == 2);
  CHECK_FALSE(diff.first->second);

  diff = diff_traces(right, variant("more", twice + twice + "  if (g == 5) {\n" + twice + "  }\n"));
  CHECK(diff.differing == 1);
  CHECK(diff.only_second == 1);
  REQUIRE(diff.first);
  CHECK(diff.first->second->item == 5);
  CHECK(diff.first->nth == 3);

  diff = diff_traces(right, variant("place",
                                    "  int e = g == 6 ? 9 : g; float v = x[e]; x[e] = 2 * v; TRACE_SCALE(x, "
                                    "e, v, 2.0f);\n" +
                                        twice));
  REQUIRE(diff.first);
  CHECK(diff.first->first->item == 6);
  CHECK(diff.first->has(DiffAspect::Place));
  CHECK(count(diff, DiffAspect::Place) == 1);

  diff = diff_traces(right,
                     variant("kind", "  { float v = x[g]; x[g + 8] = v; TRACE_MOVE(x, g + 8, x, g, v); }\n" + twice));
  REQUIRE(diff.first);
  CHECK(diff.first->has(DiffAspect::Kind));
  CHECK(count(diff, DiffAspect::Kind) == 8);
}

TEST_CASE("a barrier more is another epoch, and the stages are matched all the same") {
  const synthetic::Folder folder;
  const auto variant = [&](const std::string& name, const std::string& between) {
    OwnKernel own(
        "kernel void k(global float *x TRACE_PARAMS) {\n  int g = get_global_id(0); float v;\n"
        "  TRACE_STAGE(1);\n  v = x[g]; x[g] = 2 * v; TRACE_SCALE(x, g, v, 2.0f);\n" +
        between + "  TRACE_STAGE(2);\n  v = x[g]; x[g] = 2 * v; TRACE_SCALE(x, g, v, 2.0f);\n}\n");
    const auto x = own.buffer("x", ElementType::Float, 8);
    own.launch("k", 8, 4, {x});
    return traced_own(folder, name + ".twd", own.plan);
  };
  const TraceDiff diff =
      diff_traces(variant("without", ""), variant("with", "  barrier(CLK_GLOBAL_MEM_FENCE); TRACE_BARRIER();\n"));
  CHECK(diff.compared == 16);
  CHECK(diff.differing == 8);
  CHECK(count(diff, DiffAspect::Epoch) == 8);
  REQUIRE(diff.first);
  CHECK(diff.first->first->stage == 2);
  REQUIRE(diff.notes.size() == 1);
  CHECK_MESSAGE(contains(diff.notes[0].english(), "launch 1 goes through 1 epochs in "), diff.notes[0]);
}

TEST_CASE("what a kernel without trace lines did shows at the end, or in its accesses") {
  const synthetic::Folder folder;
  TraceOptions without;
  without.accesses = Accesses::None;
  const auto variant = [&](const std::string& factor, const TraceOptions& options) {
    OwnKernel own("kernel void k(global float *x) { int g = get_global_id(0); if (g > 4) x[g] *= " + factor + "; }\n");
    const auto x = own.buffer("x", ElementType::Float, 8);
    own.launch("k", 8, 4, {x});
    return traced_own(folder, factor + ".twd", own.plan, options);
  };
  const TraceDiff seen = diff_traces(variant("2", {}), variant("3", {}));
  CHECK(seen.differing == 3);
  REQUIRE(seen.first);
  CHECK(seen.first->first->item == 5);
  const TraceDiff diff = diff_traces(variant("2", without), variant("3", without));
  CHECK_FALSE(diff.same());
  CHECK(diff.differing == 0);
  REQUIRE(diff.end);
  CHECK(diff.end->element == 5);
  CHECK(diff.end->elements == 3);
  CHECK(diff.end->first.component(0) == 10);
  CHECK(diff.end->second.component(0) == 15);
}

TEST_CASE("ulps are spacings at the magnitude of what the operation touched") {
  const double above_one = 1 + std::numeric_limits<float>::epsilon();
  CHECK(ulps_apart(ElementType::Float, 1, above_one, 1) == 1);
  CHECK(ulps_apart(ElementType::Float, 0, 0x1p-23, 1) == 1);  // a cancelled sum of numbers around 1
  CHECK(ulps_apart(ElementType::Float, 0, 0x1p-23, 8) == 0.125);
  CHECK(ulps_apart(ElementType::Double, 1, 1 + std::numeric_limits<double>::epsilon(), 1) == 1);
  CHECK(ulps_apart(ElementType::Float, 0.0, -0.0, 0) == 0);
  CHECK(ulps_apart(ElementType::Float, 0, std::numeric_limits<float>::denorm_min(), 0) == 1);
  const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
  CHECK(ulps_apart(ElementType::Float, nan, nan, 1) == 0);
  CHECK(ulps_apart(ElementType::Float, nan, 1, 1) == infinite);
  CHECK(ulps_apart(ElementType::Float, infinite, infinite, 1) == 0);
  CHECK(ulps_apart(ElementType::Float, -infinite, infinite, 1) == infinite);
  CHECK(ulps_apart(ElementType::Int, 3, 4, 4) == infinite);
  const double largest = static_cast<double>(std::numeric_limits<float>::max());
  CHECK(ulps_apart(ElementType::Float, largest, largest - 0x1p104, largest) == 1);
}

TEST_CASE("twiddle diff: exit codes, text and JSON") {
  TestFolder folder;
  for (const char* sign : {"forward", "backward"})
    REQUIRE(run_program(folder, {"trace", "fft-radix2", "--n", "8", "--sign", sign, "-o", std::string(sign) + ".twd"})
                .code == 0);
  Ran ran = run_program(folder, {"diff", "forward.twd", "forward.twd"});
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "operations agree\n"));
  ran = run_program(folder, {"diff", "forward.twd", "backward.twd"});
  CHECK(ran.code == 1);
  CHECK(contains(ran.out, "the traces part at L3.S2.I1"));
  CHECK(contains(ran.out, "  w      (-0, -1)  (-0, 1)\n"));
  ran = run_program(folder, {"diff", "forward.twd", "backward.twd", "--ulps", "2", "--json"});
  CHECK(ran.code == 1);
  const nlohmann::json json = nlohmann::json::parse(ran.out);
  CHECK(json["same"] == false);
  CHECK(json["ulps"] == 2);
  CHECK(json["parts_at"]["position"] == "L3.S2.I1");
  CHECK(json["parts_at"]["differs"] == nlohmann::json({"twiddle", "written"}));
  CHECK(json["parts_at"]["first"]["twiddles"][0][1] == -1);
  CHECK(json["parts_at"]["second"]["twiddles"][0][1] == 1);
  CHECK(json["counts"]["twiddle"] == 5);
  REQUIRE(run_program(folder, {"trace", "fft-radix2", "--n", "16", "-o", "larger.twd"}).code == 0);
  check_failure(run_program(folder, {"diff", "forward.twd", "larger.twd"}), 2, "buffer data holds 8 float2");
  check_failure(run_program(folder, {"diff", "forward.twd", "none.twd"}), 3, "none.twd");
}
