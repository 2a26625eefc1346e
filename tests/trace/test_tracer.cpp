// The tracer end to end on any OpenCL device: what was logged, in which order, and what it explains.
#include "tracer/file/trace_file.h"
#include "tracer/run/tracer.h"

#include "collecting_sink.h"
#include "own_kernel.h"
#include "test_support.h"
#include "tracer/replay/replay.h"

#include <doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace twiddle;

namespace {

struct GoldenRow {
  std::string direction;
  int stage;
  std::uint64_t gid, i0, i1, span, stride;
  double cos, sin, out0, out1;
};

std::vector<GoldenRow> golden_trace() {
  const char* folder = std::getenv("TWIDDLE_TEST_DATA");
  const std::filesystem::path data = folder ? folder : TWIDDLE_TEST_DATA;
  std::ifstream in(data / "radix2_n8_ramp_trace.csv");
  std::vector<GoldenRow> rows;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    for (char& c : line)
      if (c == ',') c = ' ';
    std::istringstream words(line);
    GoldenRow row;
    words >> row.direction >> row.stage >> row.gid >> row.i0 >> row.i1 >> row.span >> row.stride >> row.cos >>
        row.sin >> row.out0 >> row.out1;
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

TEST_CASE("the published trace of an 8-point FFT and its inverse is met") {
  // Forward, and then the inverse of its result: the same plan once more with the buffers' parts exchanged.
  Plan plan = plan_of("fft-radix2", 8);
  const std::size_t forward_launches = plan.launches.size();
  for (Launch launch : plan_of("fft-radix2", 8, true).launches) {
    for (Argument& argument : launch.arguments)
      if (auto* buffer = std::get_if<BufferArgument>(&argument)) buffer->buffer = 1 - buffer->buffer;
    plan.launches.push_back(launch);
  }

  const auto runtime = any_device();
  CollectingSink sink;
  const TraceOutcome outcome = trace_plan(plan, *runtime, {}, sink);
  CHECK(outcome.operations == 2 * (2 + 3 * 4) + 8);  // swaps, butterflies, and the inverse's scaling
  CHECK(outcome.lost == 0);
  CHECK(sink.inconsistent_reads == 0);
  CHECK(sink.unexplained == 0);

  std::map<std::tuple<bool, int, std::uint64_t>, const Operation*> butterflies;
  for (const Operation& op : sink.operations)
    if (op.kind == OperationKind::Butterfly)
      butterflies[{op.launch <= static_cast<int>(forward_launches), op.stage, op.item}] = &op;
  const std::vector<GoldenRow> golden = golden_trace();
  REQUIRE(golden.size() == 24);
  CHECK(butterflies.size() == golden.size());
  for (const GoldenRow& row : golden) {
    CAPTURE(row.direction);
    CAPTURE(row.stage);
    CAPTURE(row.gid);
    const Operation* op = butterflies[{row.direction == "forward", row.stage, row.gid}];
    REQUIRE(op);
    CHECK(op->reads[0].index == row.i0);
    CHECK(op->reads[1].index == row.i1);
    CHECK(op->writes[0].index == row.i0);
    CHECK(op->writes[1].index == row.i1);
    CHECK(op->span() == row.span);
    CHECK(op->stride() == row.stride);
    CHECK(op->coefficients[0].component(0) == doctest::Approx(row.cos).epsilon(2e-4).scale(1));
    CHECK(op->coefficients[0].component(1) == doctest::Approx(row.sin).epsilon(2e-4).scale(1));
    CHECK(std::abs(op->writes[0].value.component(0) - row.out0) < 2e-4);
    CHECK(std::abs(op->writes[1].value.component(0) - row.out1) < 2e-4);
  }
}

TEST_CASE("every algorithm's log explains what its buffers hold") {
  const auto runtime = any_device();
  for (const Algorithm& algorithm : algorithms()) {
    CAPTURE(algorithm.id);
    Request request;
    request.algorithm = algorithm.id;
    Plan plan;
    try {
      plan = make_plan(request);
      for (const Launch& launch : plan.launches) kernel_source(plan, launch, ".cl");
    } catch (const Error&) { continue; }  // needs something of its own, or has no OpenCL kernels
    CollectingSink sink;
    const TraceOutcome outcome = trace_plan(plan, *runtime, {}, sink);
    CHECK(outcome.operations > 0);
    CHECK(outcome.lost == 0);
    CHECK(sink.inconsistent_reads == 0);
    CHECK(sink.unexplained == 0);
    CHECK(all_buffers_known(sink));
  }
}

TEST_CASE("a trace in a file replays to what the device held") {
  const auto runtime = any_device();
  const Plan plan = plan_of("fft-radix2", 1024, true);
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("twiddle-tracer-" + std::to_string(::getpid()) + ".twd");
  CollectingSink memory;
  trace_plan(plan, *runtime, {}, memory);
  TraceOutcome outcome;
  {
    TraceWriter writer(file);
    outcome = trace_plan(plan, *runtime, {}, writer);
    writer.finish();
  }
  const auto trace = TraceReader::open(file);
  CHECK(trace->info().complete);
  CHECK(trace->info().steps == outcome.operations);
  CHECK(trace->info().device == runtime->device().name);
  CHECK(trace->info().kept() == trace->info().attempted());
  Replay replay(trace);
  CHECK(replay.check().inconsistent_reads == 0);
  CHECK(replay.check().unexplained == 0);
  std::uint64_t at = 0;
  replay.for_each(1, trace->info().steps, true, [&](const Operation& op) {
    REQUIRE(at < memory.operations.size());
    const Operation& same = memory.operations[at++];
    CHECK(op.step == same.step);
    CHECK(op.item == same.item);
    CHECK(op.line == same.line);
    CHECK(op.writes[0].value == same.writes[0].value);
    return true;
  });
  CHECK(at == memory.operations.size());
  replay.seek(trace->info().steps);
  for (std::size_t b = 0; b < plan.buffers.size(); ++b)
    CHECK(replay.state().bytes(static_cast<int>(b)) == memory.buffers[b]);
  std::filesystem::remove(file);
}

TEST_CASE("a trace is the same run as one without a log") {
  const auto runtime = any_device();
  const Plan plan = plan_of("fft-radix2", 256);
  const RunOutcome run = run_plan(plan, *runtime);
  CHECK(run.kernel_ns > 0);
  for (Detail detail : {Detail::Index, Detail::Values}) {
    CollectingSink sink;
    TraceOptions options;
    options.detail = detail;
    trace_plan(plan, *runtime, options, sink);
    REQUIRE(run.buffers.size() == plan.buffers.size());
    for (std::size_t b = 0; b < plan.buffers.size(); ++b) CHECK(run.buffers[b] == sink.buffers[b]);
    CHECK(sink.operations.back().writes[0].known == (detail == Detail::Values));
    CHECK(sink.operations.back().coefficients.size() == 1);
  }
}

TEST_CASE("steps count operations in the order of epoch, stage, item and slot") {
  const auto runtime = any_device();
  OwnKernel own(
      "kernel void k(global int *x, local int *tile TRACE_PARAMS)\n"  // 2
      "{\n"                                                           // 3
      "  int g = get_global_id(0), l = get_local_id(0);\n"            // 4
      "  int v = x[g];\n"                                             // 5
      "  TRACE_STAGE(2);\n"                                           // 6
      "  if (g % 3 == 0) TRACE_LOAD(x, g, v);\n"                      // 7
      "  tile[l] = v;\n"                                              // 8
      "  TRACE_STAGE(1);\n"                                           // 9
      "  TRACE_STORE(tile, l, v);\n"                                  // 10
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"                             // 11
      "  TRACE_BARRIER();\n"                                          // 12
      "  int other = tile[l ^ 1];\n"                                  // 13
      "  TRACE_LOAD(tile, l ^ 1, other);\n"                           // 14
      "  x[g] = other;\n"                                             // 15
      "  TRACE_STORE(x, g, other);\n"                                 // 16
      "}\n");
  const BufferArgument x = own.buffer("data", ElementType::Int, 64);
  own.launch("k", 64, 16, {x, LocalArgument{64}});

  CollectingSink sink;
  const TraceOutcome outcome = trace_plan(own.plan, *runtime, {}, sink);
  CHECK(outcome.operations == 22 + 64 * 3 + 64);
  CHECK(sink.ended[0].attempted == outcome.operations);
  std::uint64_t step = 0;
  const Operation* before = nullptr;
  for (const Operation& op : sink.operations) {
    if (op.kind == OperationKind::Barrier) {
      CHECK(op.epoch == 0);
      CHECK(op.step == 0);
      continue;
    }
    CHECK(op.step == ++step);
    if (before) CHECK(order_of(*before) < order_of(op));
    before = &op;
  }
  CHECK(step == 22 + 64 * 3);

  // Barriers are after the work of the epoch they end.
  const std::size_t barrier = 22 + 64;
  CHECK(sink.operations[barrier - 1].kind == OperationKind::Load);
  CHECK(sink.operations[barrier].kind == OperationKind::Barrier);
  CHECK(sink.operations[barrier].line == 12);
  CHECK(sink.operations[barrier + 64].epoch == 1);

  // The local array is a buffer of the trace.
  const BufferInfo& tile = sink.info.buffers.at(1);
  CHECK(tile.name == "tile");
  CHECK(tile.space == Space::Local);
  CHECK(tile.count == 16);
  CHECK(tile.launch == 1);
  CHECK(sink.operations[barrier + 64].reads[0].buffer == 1);
  CHECK(sink.operations[barrier + 64].line == 14);
  CHECK(sink.operations[barrier + 64].reads[0].index == 1);
  CHECK(sink.operations[barrier + 64].reads[0].value.component(0) == 1);
}

TEST_CASE("items are numbered group by group in two dimensions") {
  const auto runtime = any_device();
  OwnKernel own(
      "kernel void k(global int *x, int width TRACE_PARAMS)\n{\n"
      "  int at = get_global_id(1) * width + get_global_id(0);\n"
      "  TRACE_LOAD(x, at, x[at]);\n}\n");
  const BufferArgument x = own.buffer("x", ElementType::Int, 32);
  Launch& launch = own.launch("k", 8, 4, {x, int_argument(8)});
  launch.dimensions = 2;
  launch.global = {8, 4, 1};
  launch.local = {4, 2, 1};
  CollectingSink sink;
  trace_plan(own.plan, *runtime, {}, sink);
  REQUIRE(sink.operations.size() == 32);
  for (const Operation& op : sink.operations) {
    const auto id = sink.info.launches[0].global_id(op.item);
    CHECK(op.reads[0].index == id[1] * 8 + id[0]);
  }
  CHECK(sink.operations[4].reads[0].index == 8);  // item 4: second row of the first group
  CHECK(sink.operations[8].reads[0].index == 4);  // item 8: the second group
}

TEST_CASE("progress comes to one, and can cancel") {
  const auto runtime = any_device();
  const Plan plan = plan_of("fft-radix2", 64);
  CollectingSink whole, part;
  double last = -1;
  trace_plan(plan, *runtime, {}, whole, [&](double fraction, const Message& what) {
    CHECK(fraction >= last);
    CHECK(!what.empty());
    last = fraction;
    return true;
  });
  CHECK(last == 1);
  const TraceOutcome outcome =
      trace_plan(plan, *runtime, {}, part, [&](double fraction, const Message&) { return fraction < 0.5; });
  CHECK(outcome.cancelled);
  CHECK(part.operations.size() < whole.operations.size());
  CHECK(part.operations.size() > 0);
  CHECK(part.operations.size() == outcome.operations);
}

TEST_CASE("plans that do not fit together are refused with a sentence") {
  const auto runtime = any_device();
  const std::string text =
      "kernel void k(global int *x, int n TRACE_PARAMS)\n{\n  TRACE_LOAD(x, get_global_id(0), "
      "x[get_global_id(0)]);\n}\n"
      "kernel void twins(global int *x, global int *y TRACE_PARAMS)\n{\n"
      "  TRACE_LOAD(x, 0, x[0]); TRACE_LOAD(y, 0, y[0]);\n}\n";
  const auto refused = [&](auto change) {
    OwnKernel own(text);
    const BufferArgument x = own.buffer("x", ElementType::Int, 4096);
    change(own, x);
    const auto trace = [&] {
      CollectingSink sink;
      trace_plan(own.plan, *runtime, {}, sink);
    };
    CHECK(exit_code_of(trace) == ExitCode::usage);
    return sentence_of(trace);
  };
  CHECK(contains(refused([](OwnKernel& own, BufferArgument x) { own.launch("k", 64, 64, {x}); }),
                 "launch 1: kernel k takes 2 arguments (x, n), and the plan gives 1"));
  CHECK(contains(refused([](OwnKernel& own, BufferArgument x) { own.launch("kk", 64, 64, {x}); }),
                 "mine.cl: there is no kernel called kk, did you mean k?"));
  CHECK(contains(refused([](OwnKernel& own, BufferArgument x) {
                   own.launch("twins", 64, 64, {x, own.buffer("y", ElementType::Int, 4)});
                 }),
                 "line 8 has two TRACE_LOAD of different buffers"));
  const std::size_t limit = runtime->device().max_group_size;
  CHECK(contains(refused([&](OwnKernel& own, BufferArgument x) {
                   own.launch("k", 2 * limit, 2 * limit, {x, int_argument(1)});
                 }),
                 "is over the " + std::to_string(limit)));
}

TEST_CASE("trace lines without TRACE_PARAMS are pointed out") {
  const auto runtime = any_device();
  OwnKernel own("kernel void bare(global int *x)\n{\n  TRACE_LOAD(x, 0, x[0]);\n}\n");
  own.launch("bare", 1, 1, {own.buffer("x", ElementType::Int, 4)});
  CollectingSink sink;
  CHECK(contains(sentence_of([&] { trace_plan(own.plan, *runtime, {}, sink); }),
                 "kernel bare has trace lines but no TRACE_PARAMS"));
}

TEST_CASE("a kernel that does not compile under the tracer shows the user's own line") {
  const auto runtime = any_device();
  OwnKernel own("kernel void k(global int *x TRACE_PARAMS)\n{\n  TRACE_LOAD(x, 0, x[0]);\n  x[0] = nothing;\n}\n");
  own.launch("k", 1, 1, {own.buffer("x", ElementType::Int, 4)});
  CollectingSink sink;
  CHECK(contains(sentence_of([&] { trace_plan(own.plan, *runtime, {}, sink); }), "mine.cl:5:10: error:"));
}
