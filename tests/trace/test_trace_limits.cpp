// What the tracer does when not everything fits or is wanted: budgets, windows, filters, and what is lost.
#include "tracer/run/tracer.h"

#include "collecting_sink.h"
#include "own_kernel.h"
#include "test_support.h"

#include <doctest.h>

#include <algorithm>

using namespace twiddle;

namespace {

// Every item adds to its own element as often as an argument says: no two items log the same number of operations.
const char* const uneven_kernel =
    "kernel void uneven(global int *x, int most TRACE_PARAMS)\n{\n"
    "  int g = get_global_id(0);\n"
    "  for (int i = 0; i < 1 + g % most; ++i) {\n"
    "    int v = x[g];\n"
    "    x[g] = v + 1;\n"
    "    TRACE_ATOMIC(x, g, v, 1);\n"
    "  }\n}\n";

}  // namespace

TEST_CASE("too small a budget is found by counting, and the launch is run again from restored buffers") {
  const auto runtime = any_device();
  for (bool read_back : {true, false}) {
    OwnKernel own(uneven_kernel);
    const BufferArgument x = own.buffer("x", ElementType::Int, 128);
    own.launch("uneven", 128, 32, {x, int_argument(7)});
    own.launch("uneven", 128, 32, {x, int_argument(5)});
    CollectingSink sink;
    TraceOptions options;
    options.read_back = read_back;
    const TraceOutcome outcome = trace_plan(own.plan, *runtime, options, sink);
    std::uint64_t expected = 0;
    for (std::uint64_t g = 0; g < 128; ++g) expected += (1 + g % 7) + (1 + g % 5);
    CHECK(outcome.operations == expected);
    CHECK(outcome.lost == 0);
    CHECK(sink.inconsistent_reads == 0);
    CHECK(sink.unexplained == 0);
    CHECK(run_plan(own.plan, *runtime).buffers[0] == sink.buffers[0]);
    CHECK(outcome.notes.empty());  // nothing that a user could do anything about
  }
}

TEST_CASE("slots that are too narrow are found, and overwrite nothing") {
  const auto runtime = any_device();
  if (!runtime->device().fp64) return;
  OwnKernel own(
      "kernel void k(global double2 *x TRACE_PARAMS)\n{\n"
      "  int g = get_global_id(0);\n"
      "  global double2 *alias = x;\n"
      "  TRACE_BUTTERFLY4(alias, g, g, g, g, x[g], x[g], x[g], x[g], x[g], x[g], x[g]);\n"
      "  TRACE_LOAD(x, g, x[g]);\n}\n");
  const BufferArgument x = own.buffer("x", ElementType::Double2, 64);
  own.launch("k", 64, 16, {x});
  CollectingSink sink;
  const TraceOutcome outcome = trace_plan(own.plan, *runtime, {}, sink);
  CHECK(outcome.operations == 128);
  CHECK(outcome.lost == 0);
  REQUIRE(outcome.notes.size() == 1);
  CHECK(contains(outcome.notes[0], "line 6 names alias"));
  for (const Operation& op : sink.operations) {
    if (op.kind == OperationKind::Butterfly) {
      CHECK(op.reads[0].buffer == -1);
      CHECK(op.writes[3].value.component(0) == static_cast<double>(op.item));
      CHECK(op.coefficients[2].component(0) == static_cast<double>(op.item));
    }
    CHECK(op.reads[0].value.component(0) == static_cast<double>(op.item));
  }
}

TEST_CASE("windows of work-items yield the trace of one window, operation by operation") {
  const auto runtime = any_device();
  SUBCASE("a launch of one segment, streamed") {
    OwnKernel own(uneven_kernel);
    const BufferArgument x = own.buffer("x", ElementType::Int, 512);
    own.launch("uneven", 512, 32, {x, int_argument(7)});
    CollectingSink one;
    trace_plan(own.plan, *runtime, {}, one);
    // The log of accesses, where there is one, has windows of its own, as many or more.
    for (const Accesses accesses : {Accesses::None, Accesses::Auto}) {
      CollectingSink many;
      TraceOptions options;
      options.window_bytes = 4 * (1088 + 64 * (1 + 7 * 5));  // two groups
      options.accesses = accesses;
      const TraceOutcome outcome = trace_plan(own.plan, *runtime, options, many);
      CHECK(outcome.lost == 0);
      CHECK(same_operations(one, many));
      CHECK(many.buffers == one.buffers);
      CHECK(contains(outcome.notes.back(), accesses == Accesses::None
                                               ? "launch 1 was traced in windows of work-items, at most 8"
                                               : "launch 1 was traced in windows of work-items, at most"));
    }
  }
  SUBCASE("a launch of several segments, set aside until it is complete") {
    Request request;
    request.algorithm = "reduce-strided";
    request.n = 5000;
    const Plan plan = make_plan(request);
    CollectingSink one, many;
    trace_plan(plan, *runtime, {}, one);
    TraceOptions options;
    options.window_bytes = 64 << 10;
    const TraceOutcome outcome = trace_plan(plan, *runtime, options, many);
    CHECK(outcome.lost == 0);
    CHECK(same_operations(one, many));
    CHECK(many.unexplained == 0);
    CHECK(many.blocks.size() < one.blocks.size() + 4);  // small blocks are joined
  }
}

TEST_CASE("what cannot be kept is counted") {
  const auto runtime = any_device();
  OwnKernel own(uneven_kernel);
  const BufferArgument x = own.buffer("x", ElementType::Int, 64);
  own.launch("uneven", 64, 32, {x, int_argument(64)});
  CollectingSink sink;
  TraceOptions options;
  options.window_bytes = 4 * (1088 + 4 * (1 + 10 * 5));  // ten slots for four items
  const TraceOutcome outcome = trace_plan(own.plan, *runtime, options, sink);
  std::uint64_t all = 0, kept = 0;
  for (std::uint64_t g = 0; g < 64; ++g) {
    all += 1 + g;
    kept += std::min<std::uint64_t>(1 + g, 10);
  }
  CHECK(outcome.operations == kept);
  CHECK(outcome.lost == all - kept);
  CHECK(sink.ended[0].attempted == all);
  CHECK(sink.ended[0].kept == kept);
}

TEST_CASE("a kernel that is not deterministic is called so") {
  const auto runtime = any_device();
  // A constant buffer is not restored, so that this kernel can tell its runs apart.
  OwnKernel own(
      "kernel void k(global int *x, global int *runs TRACE_PARAMS)\n{\n"
      "  int g = get_global_id(0);\n"
      "  x[g] = runs[0] + 1;\n"
      "  TRACE_STORE(x, g, x[g]);\n"
      "  if (g == 63) runs[0] += 1;\n}\n");
  const BufferArgument x = own.buffer("x", ElementType::Int, 64);
  const BufferArgument runs = own.buffer("runs", ElementType::Int, 1, Content::Kind::Zero, Space::Constant);
  own.launch("k", 64, 64, {x, runs});
  CollectingSink sink;
  TraceOptions options;
  options.window_bytes = 4 * (1088 + 32 * (1 + 3));
  const TraceOutcome outcome = trace_plan(own.plan, *runtime, options, sink);
  REQUIRE(!outcome.notes.empty());
  CHECK(contains(outcome.notes.back(), "not deterministic"));
  CHECK(outcome.operations == 64);
}

TEST_CASE("operations of lines that cannot be found are lost, and counted") {
  const auto runtime = any_device();
  OwnKernel own(
      "#define PASTE(a, b) a##b\n"
      "kernel void k(global int *x TRACE_PARAMS)\n{\n"
      "  int g = get_global_id(0);\n"
      "  TRACE_LOAD(x, g, x[g]);\n"
      "  PASTE(TRACE_, STORE)(x, g, x[g]);\n}\n");
  const BufferArgument x = own.buffer("x", ElementType::Int, 32);
  own.launch("k", 32, 32, {x});
  CollectingSink sink;
  const TraceOutcome outcome = trace_plan(own.plan, *runtime, {}, sink);
  CHECK(outcome.operations == 32);
  CHECK(outcome.lost == 32);
  CHECK(contains(outcome.notes.back(), "line 7"));
}

TEST_CASE("operations with values of another type than their buffer's are lost, and disturb no other") {
  const auto runtime = any_device();
  OwnKernel own(
      "kernel void k(global float *x, global float2 *y TRACE_PARAMS)\n{\n"
      "  int g = get_global_id(0);\n"
      "  TRACE_MOVE(y, g, x, g, x[g]);\n"             // a float into a float2
      "  TRACE_SCALE(x, g, x[g], (float2)(1, 2));\n"  // a vector times a scalar
      "  TRACE_LOAD(y, g, y[g]);\n}\n");
  const BufferArgument x = own.buffer("x", ElementType::Float, 64);
  const BufferArgument y = own.buffer("y", ElementType::Float2, 64);
  own.launch("k", 64, 32, {x, y});
  CollectingSink sink;
  const TraceOutcome outcome = trace_plan(own.plan, *runtime, {}, sink);
  CHECK(outcome.operations == 64);
  CHECK(outcome.lost == 128);
  CHECK(sink.inconsistent_reads == 0);
  REQUIRE(outcome.notes.size() == 2);
  CHECK(contains(outcome.notes[0], "line 5"));
  CHECK(contains(outcome.notes[1], "line 6"));
}

TEST_CASE("whole numbers of fewer than 32 bits are logged as wide as an int, and kept as wide as their buffer's") {
  const auto runtime = any_device();
  OwnKernel own(
      "kernel void k(global char *x, global char *y, global ushort *z, global uint *w TRACE_PARAMS)\n{\n"
      "  int g = get_global_id(0), a = -(g & 63);\n"
      "  x[g] = a;\n"
      "  TRACE_STORE(x, g, a);\n"
      "  y[g] = x[g];\n"
      "  TRACE_MOVE(y, g, x, g, a);\n"
      "  z[g] = 70000u + g;\n"
      "  TRACE_STORE(z, g, 70000u + g);\n"  // what does not fit is cut off, as in the array
      "  w[g] = z[g];\n"
      "  TRACE_MOVE(w, g, z, g, (uint)z[g]);\n}\n");  // of two widths at once
  const BufferArgument x = own.buffer("x", ElementType::Char, 64), y = own.buffer("y", ElementType::Char, 64),
                       z = own.buffer("z", ElementType::UShort, 64), w = own.buffer("w", ElementType::UInt, 64);
  own.launch("k", 64, 32, {x, y, z, w});
  CollectingSink sink;
  const TraceOutcome outcome = trace_plan(own.plan, *runtime, {}, sink);
  CHECK(outcome.operations == 3 * 64);
  CHECK(outcome.lost == 64);
  CHECK(sink.inconsistent_reads == 0);
  for (const Operation& op : sink.operations) {
    const Access& to = op.writes[0];
    CHECK(traits(to.value.type).bytes == (op.line == 10 ? 2 : 1));
    CHECK(to.value.component(0) == (op.line == 10 ? (70000 + to.index) % 65536 : -static_cast<double>(to.index)));
  }
}

TEST_CASE("filters narrow what is kept on the device") {
  const auto runtime = any_device();
  const Plan plan = plan_of("fft-radix2", 64);
  const auto traced = [&](const TraceOptions& options) {
    auto sink = std::make_unique<CollectingSink>();
    const TraceOutcome outcome = trace_plan(plan, *runtime, options, *sink);
    CHECK(outcome.operations == sink->operations.size());
    CHECK(outcome.lost == 0);
    return sink;
  };
  const auto all = traced({});
  const auto matching = [&](auto wanted) {
    return static_cast<std::size_t>(std::count_if(all->operations.begin(), all->operations.end(), wanted));
  };

  SUBCASE("stages") {
    TraceOptions options;
    options.stages = {2, 3};
    const auto some = traced(options);
    CHECK(some->operations.size() == 64);
    for (const Operation& op : some->operations) CHECK((op.stage == 2 || op.stage == 3));
    CHECK(some->info.filter == "stages 2:3");
    CHECK(some->buffers == all->buffers);  // launches outside run all the same
    CHECK(some->ended.size() == all->ended.size());
  }
  SUBCASE("items") {
    TraceOptions options;
    options.items = {5, 9};
    const auto some = traced(options);
    CHECK(some->operations.size() == matching([](const Operation& op) { return op.item >= 5 && op.item <= 9; }));
    for (const Operation& op : some->operations) CHECK((op.item >= 5 && op.item <= 9));
    options.items = {60, 1000};
    const auto last = traced(options);
    CHECK(last->operations.size() == matching([](const Operation& op) { return op.item >= 60; }));
  }
  SUBCASE("buffers") {
    TraceOptions options;
    options.buffers = {"data"};
    const auto some = traced(options);
    CHECK(some->operations.size() ==
          matching([](const Operation& op) { return op.reads[0].buffer == 0 || op.writes[0].buffer == 0; }));
    CHECK(some->operations.back().launch == 2);  // bit reversal, and the first stage that reads it
    options.buffers = {"dat"};
    CHECK(contains(sentence_of([&] { traced(options); }), "no buffer is called dat; did you mean data?"));
  }
}

TEST_CASE("stages that a kernel sets itself are filtered, and its epochs still count") {
  const auto runtime = any_device();
  Request request;
  request.algorithm = "reduce-strided";
  request.n = 256;
  const Plan plan = make_plan(request);
  CollectingSink all, some;
  trace_plan(plan, *runtime, {}, all);
  TraceOptions options;
  options.stages = {2, 3};
  trace_plan(plan, *runtime, options, some);
  std::vector<Operation> wanted;
  for (const Operation& op : all.operations)
    if (op.kind != OperationKind::Barrier && (op.stage == 2 || op.stage == 3)) wanted.push_back(op);
  std::size_t at = 0;
  for (const Operation& op : some.operations) {
    if (op.kind == OperationKind::Barrier) continue;
    REQUIRE(at < wanted.size());
    CHECK(op.epoch == wanted[at].epoch);
    CHECK(op.item == wanted[at].item);
    CHECK(op.writes[0].value == wanted[at].writes[0].value);
    ++at;
  }
  CHECK(at == wanted.size());
  CHECK(at > 0);
}
