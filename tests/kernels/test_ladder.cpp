// The ladder's kernels: transforms in registers and tiles, and sums and histograms by vectors.
#include "checked.h"
#include "kernels/catalogue/reference.h"
#include "kernels/plan/plan_text.h"
#include "sample.h"
#include "test_support.h"
#include "tracer/cost/sub_group.h"
#include "tracer/replay/replay.h"
#include "tracer/store/memory_trace.h"

#include <doctest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace twiddle;

namespace {

struct Rung {
  const char* algorithm;
  std::uint64_t n, rows = 0;
  std::map<std::string, std::string> more{};
  bool inverse = false;
};

Request request_of_rung(const Rung& rung) {
  Request request;
  request.algorithm = rung.algorithm;
  request.n = rung.n;
  if (rung.rows > 0) request.rows = rung.rows;
  for (const auto& [name, value] : rung.more) set_parameter(request, name, value);
  request.inverse = rung.inverse;
  request.signal = "random:3";
  return request;
}

Verdict verdict_of_rung(const Rung& rung, Runtime& runtime) {
  const Plan plan = make_plan(request_of_rung(rung));
  const auto place = [&](const std::string& name) {
    return static_cast<std::size_t>(plan.buffer_named(name) - plan.buffers.data());
  };
  const std::vector<std::byte> input = first_content(plan, plan.buffers[place(plan.expect.input)]);
  return verify(plan, input, run_plan(plan, runtime).buffers[place(plan.expect.output)]);
}

// Sizes at which the last round, the last pass or the tiles have another shape.
const std::vector<Rung> tile_transforms = {
    {"fft-registers", 2},
    {"fft-registers", 8},
    {"fft-registers", 32},
    {"fft-registers", 512, 0, {{"method", "scattered"}}},
    {"fft-registers", 1024, 0, {{"twiddles", "products"}}},
    {"fft-registers", 256, 0, {{"group-size", "2"}}, true},
    {"fft-batch", 2, 3},
    {"fft-batch", 32, 5},
    {"fft-batch", 128, 12, {{"group-size", "32"}}},
    {"fft-batch", 512, 1},
    {"fft-batch", 1024, 3, {{"twiddles", "products"}}},
    {"fft-batch", 4096, 1, {}, true},
    {"fft-blocks", 4},
    {"fft-blocks", 128},
    {"fft-blocks", 1024},
    {"fft-blocks", 2048, 0, {{"group-size", "32"}}},
    {"fft-blocks", 8192, 0, {}, true},
    {"fft-blocks", 1024, 0, {{"twiddles", "recurrence"}}},
    {"fft-registers", 512, 0, {{"twiddles", "recurrence"}}, true},
    {"fft-two-pass", 4},
    {"fft-two-pass", 128},
    {"fft-two-pass", 2048, 0, {{"group-size", "128"}}},
    {"fft-two-pass", 4096, 0, {{"points-per-item", "64"}}},
    {"fft-two-pass", 8192, 0, {{"twiddles", "products"}}, true},
    {"fft-two-pass", 64, 0, {{"points-per-item", "32"}, {"twiddles", "shared"}}},
    {"fft-two-pass", 1024, 0, {{"points-per-item", "32"}, {"twiddles", "shared"}}, true},
    {"fft-two-pass", 2048, 0, {{"twiddles", "shared"}, {"type", "double"}}},
    {"fft-two-pass", std::uint64_t(1) << 17, 0, {{"twiddles", "shared"}}},
    {"fft-engine", 64},
    {"fft-engine", 512, 0, {{"processors", "3"}}},
    {"fft-engine", 1024, 0, {{"processors", "1"}}, true},
    {"fft-engine", 2048, 0, {{"type", "double"}, {"processors", "2"}}},
    {"fft-engine", std::uint64_t(1) << 15, 0, {{"processors", "5"}}},
    {"fft-engine", std::uint64_t(1) << 17, 0, {{"type", "double"}, {"processors", "7"}}, true},
};

const std::vector<Rung> gatherings = {
    {"reduce-vector", 1},
    {"reduce-vector", 4097, 0, {{"group-size", "16"}, {"groups", "3"}}},
    {"reduce-last-block", 63, 0, {{"group-size", "4"}}},
    {"reduce-last-block", 1001, 0, {{"group-size", "16"}, {"groups", "5"}, {"type", "float"}}},
    {"histogram-vector", 1003, 0, {{"group-size", "32"}, {"groups", "2"}}},
    {"histogram-lanes", 2049, 0, {{"group-size", "64"}, {"groups", "4"}}},
    {"histogram-vector", 15, 0, {{"type", "uchar"}, {"group-size", "4"}}},
    {"histogram-vector", 1003, 0, {{"type", "uchar"}, {"group-size", "8"}, {"groups", "3"}}},
    {"histogram-lanes", 2047, 0, {{"type", "uchar"}, {"group-size", "32"}, {"groups", "2"}}},
    {"histogram-lanes", 4097, 0, {{"type", "uchar"}, {"group-size", "4"}, {"groups", "7"}}},
};

}  // namespace

TEST_CASE("transforms of every shape of tile are right, and nothing in their traces is wrong") {
  for (const char* runtime : {"opencl", "host"}) {
    if (!device_of(runtime)) continue;
    Sample sample(16, runtime == std::string("host") ? 3 : 0);  // other shapes on each
    for (const std::vector<Rung>* rungs : {&tile_transforms, &gatherings})
      for (const Rung& rung : *rungs) {
        if (sample.skips()) continue;
        CAPTURE(runtime);
        CAPTURE(rung.algorithm);
        CAPTURE(rung.n);
        const Verdict verdict = verdict_of_rung(rung, *device_of(runtime));
        CAPTURE(verdict.relative_l2);
        CHECK(verdict.pass);
        if (rung.n > 2048) continue;
        const CheckedRun run = checked(make_plan(request_of_rung(rung)), *device_of(runtime));
        CHECK_MESSAGE(!run.any_errors(), run.text());
      }
  }
}

TEST_CASE("the ladder's transforms are more accurate than the bound asks for: 2.1e-7 from 2^10 to 2^16 points") {
  Runtime& host = *device_of("host");
  Sample large(8, 2);
  for (const char* algorithm : {"fft-registers", "fft-blocks", "fft-two-pass", "fft-engine"})
    for (const std::uint64_t n : {1024, 4096, 65536}) {
      if (n == 4096 && !all_cases()) continue;
      if (n == 65536 && large.skips()) continue;
      for (const char* twiddles : {"exact", "products", "shared"}) {
        const bool alone = algorithm == std::string("fft-engine");  // has one way
        if (alone ? twiddles != std::string("exact")
                  : twiddles == std::string("shared") && algorithm != std::string("fft-two-pass"))
          continue;
        CAPTURE(algorithm);
        CAPTURE(n);
        CAPTURE(twiddles);
        std::map<std::string, std::string> more;
        if (!alone) more["twiddles"] = twiddles;
        CHECK(verdict_of_rung({algorithm, n, 0, more}, host).relative_l2 < 2.1e-7);
      }
    }
}

TEST_CASE("an item's registers are a row of the trace, and a pass reads and writes each point once") {
  Runtime* runtime = device_of("host");
  MemoryTrace trace;
  trace_plan(make_plan(request_of_rung({"fft-registers", 256})), *runtime, {}, trace);
  const std::shared_ptr<const TraceSource> source = trace.finish();
  const TraceInfo& info = source->info();
  int registers = 0;
  for (const BufferInfo& buffer : info.buffers)
    if (is_registers(buffer)) {
      ++registers;
      CHECK(buffer.name == "v");
      CHECK(buffer.shape == std::vector<std::uint64_t>{16, 16, 1});
      CHECK(buffer.space == Space::Local);
    }
  CHECK(registers == 2);  // one for each pass

  std::map<OperationKind, int> kinds;
  int global_reads = 0, global_writes = 0;
  Replay replay(source);
  CHECK(replay.check().unexplained == 0);
  CHECK(replay.check().inconsistent_reads == 0);
  replay.for_each(1, info.steps, false, [&](const Operation& operation) {
    ++kinds[operation.kind];
    for (const Access& access : operation.reads) global_reads += info.buffer(access.buffer)->space == Space::Global;
    for (const Access& access : operation.writes) {
      const BufferInfo& buffer = *info.buffer(access.buffer);
      global_writes += buffer.space == Space::Global;
      CHECK(access.index < buffer.count);
      // An item writes registers of its own row alone.
      if (is_registers(buffer)) CHECK(access.index / 16 == operation.item % 16);
    }
    return true;
  });
  CHECK(kinds[OperationKind::Butterfly] == 2 * 16 * 8);  // two passes of 16 items, each radix 4 twice
  CHECK(kinds[OperationKind::Scale] == 16 * 15);         // twiddles of the second pass
  CHECK(global_reads == 2 * 256);
  CHECK(global_writes == 2 * 256);
}

TEST_CASE("a wrong twiddle before a butterfly is found where it is used") {
  // The same kernel, with the sign that it is compiled with and the sign that is expected apart.
  Plan plan = make_plan(request_of_rung({"fft-registers", 256}));
  for (std::string& define : plan.launches[1].defines)
    if (define == "SIGN=-1") define = "SIGN=1";
  const CheckedRun run = checked(plan, *device_of("host"));
  CHECK(run.first(FindingClass::WrongTwiddle) != nullptr);
}

TEST_CASE("a rung that a device's local memory cannot hold gives way to the next, and says so") {
  struct Case {
    Rung asked;
    std::uint64_t local_kib;
    const char *taken, *sentence;  // of the last note
    std::size_t notes;
  };
  const std::uint64_t mega = std::uint64_t(1) << 20;
  for (const Case& one : {
           Case{{"fft-engine", mega}, 227, "fft-engine", "", 0},
           {{"fft-engine", mega}, 48, "fft-two-pass", "device has 49152: fft-two-pass takes its place", 1},
           {{"fft-engine", mega, 0, {{"type", "double"}}}, 48, "fft-two-pass", "fft-two-pass takes its place", 1},
           {{"fft-engine", 4 * mega}, 48, "fft-blocks", "fft-blocks takes its place", 2},
           {{"fft-two-pass", mega, 0, {{"points-per-item", "32"}, {"twiddles", "shared"}}},
            48,
            "fft-two-pass",
            "fft-two-pass --points-per-item 32 needs 70816 bytes",
            1},
           {{"fft-two-pass", 16 * mega, 0, {{"twiddles", "shared"}}},
            48,
            "fft-blocks",
            "fft-blocks takes its place",
            1},
           {{"fft-two-pass", mega, 0, {{"group-size", "1024"}}}, 48, "fft-two-pass", "fft-two-pass takes its place", 1},
           {{"fft-blocks", 16 * mega, 0, {{"group-size", "1024"}}}, 48, "fft-blocks", "--group-size 256", 1},
           {{"fft-blocks", 16 * mega}, 48, "fft-blocks", "", 0},
       }) {
    Request request = request_of_rung(one.asked);
    request.local_bytes = one.local_kib * 1024;
    const Plan plan = make_plan(request);
    CAPTURE(one.asked.algorithm);
    CAPTURE(one.asked.n);
    CHECK(plan.algorithm == one.taken);
    REQUIRE(plan.notes.size() == one.notes);
    if (one.notes > 0) CHECK_MESSAGE(contains(plan.notes.back(), one.sentence), plan.notes.back().english());
    for (const Launch& launch : plan.launches)
      for (const Argument& argument : launch.arguments)
        if (const auto* local = std::get_if<LocalArgument>(&argument)) CHECK(local->bytes <= request.local_bytes);
  }

  for (const char* method : {"tiles", "engine"}) {
    Request request;
    request.algorithm = "fft2d";
    request.method = method;
    request.rows = request.columns = 4096;
    request.local_bytes = 48 * 1024;
    CHECK(make_plan(request).group_bytes <= request.local_bytes);
  }

  // In two dimensions, and with an outcome that is right.
  for (const auto& [method, rows] : {std::pair("engine", 1024), {"tiles", 4096}, {"engine", 64}}) {
    Request request;
    request.algorithm = "fft2d";
    request.method = method;
    request.rows = static_cast<std::uint64_t>(rows), request.columns = 64;
    request.signal = "random:2";
    request.local_bytes = rows == 64 ? 1536 : 48 * 1024;
    const Plan plan = make_plan(request);
    CAPTURE(method);
    CAPTURE(rows);
    CHECK(plan.notes.size() == (rows == 4096 ? 1 : 2));  // that of another method, and that of a narrower tile
    CHECK(plan.parameters.at("method") == "tiles");
    const RunOutcome outcome = run_plan(plan, *device_of("host"));
    CHECK(contains(outcome.notes.front(), "bytes of local memory a work-group, and the device has"));
    const std::vector<std::byte> input = first_content(plan, plan.buffers[0]);
    CHECK(verify(plan, input, outcome.buffers[0]).pass);
  }
}

TEST_CASE("fft-blocks takes as few passes as its tiles allow, in local memory that every GPU has") {
  struct Case {
    std::uint64_t n;
    std::size_t passes;
  };
  for (const Case& one : {Case{256, 1},
                          {512, 1},
                          {1024, 2},
                          {std::uint64_t(1) << 18, 2},
                          {std::uint64_t(1) << 19, 3},
                          {std::uint64_t(1) << 24, 3},
                          {std::uint64_t(1) << 27, 3}}) {
    CAPTURE(one.n);
    const Plan plan = make_plan(request_of_rung({"fft-blocks", one.n}));
    CHECK(plan.launches.size() == one.passes);
    for (const Launch& launch : plan.launches)
      for (const Argument& argument : launch.arguments)
        if (const auto* local = std::get_if<LocalArgument>(&argument)) CHECK(local->bytes <= 48 * 1024);
  }
  CHECK(sentence_of([] { make_plan(request_of_rung({"fft-blocks", 100})); }).find("64 and 128") != std::string::npos);
  CHECK(sentence_of([] {
          make_plan(request_of_rung({"fft-batch", 4096, 1, {{"type", "double"}}}));
        }).find("do not fit into 48 KiB") != std::string::npos);
}

TEST_CASE("loads of 16 bytes are not called uncoalesced, and lanes with a bank each do not meet") {
  Runtime* runtime = device_of("host");
  for (const char* type : {"", "uchar"})
    for (const char* algorithm : {"reduce-vector", "histogram-vector", "histogram-lanes"}) {
      const bool sum = algorithm == std::string("reduce-vector");
      if (sum && *type) continue;
      CAPTURE(algorithm);
      CAPTURE(type);
      Rung rung{algorithm, 4096};
      if (*type) rung.more["type"] = type;
      const CheckedRun run = checked(make_plan(request_of_rung(rung)), *runtime);
      CHECK_MESSAGE(run.first(FindingClass::Uncoalesced) == nullptr, run.text());
      const bool lanes = algorithm == std::string("histogram-lanes");
      CHECK((run.first(FindingClass::AtomicContention) == nullptr) == (lanes || sum));
    }
  // Scattered results are.
  const CheckedRun scattered =
      checked(make_plan(request_of_rung({"fft-registers", 4096, 0, {{"method", "scattered"}}})), *runtime);
  CHECK(scattered.first(FindingClass::Uncoalesced) != nullptr);
  CHECK(checked(make_plan(request_of_rung({"fft-registers", 4096})), *runtime).first(FindingClass::Uncoalesced) ==
        nullptr);
}

TEST_CASE("the group that draws the last ticket may take what the others left; one that draws none may not") {
  Runtime* runtime = device_of("host");
  const Request request = request_of_rung({"reduce-last-block", 1000, 0, {{"group-size", "16"}}});
  CHECK_FALSE(checked(make_plan(request), *runtime).any_errors());
}

namespace {

Request plane_request(const char* method, std::uint64_t rows, std::uint64_t columns, const char* type) {
  Request request;
  request.algorithm = "fft2d";
  request.method = method;
  request.rows = rows;
  request.columns = columns;
  request.type = type;
  request.signal = "random:5";
  return request;
}

}  // namespace

TEST_CASE("two dimensions from the ladder's parts are right, whatever the sides") {
  const struct {
    std::uint64_t rows, columns;
    const char* type;
  } planes[] = {{4, 4, "float"}, {4, 128, "float"}, {64, 8, "double"}, {128, 32, "float"}};
  for (const char* runtime : {"opencl", "host"}) {
    if (!device_of(runtime)) continue;
    Sample sample(10, runtime == std::string("host") ? 2 : 0);
    for (const char* method : {"tiles", "engine"})
      for (const auto& plane : planes) {
        if (sample.skips()) continue;
        CAPTURE(runtime);
        CAPTURE(method);
        CAPTURE(plane.rows);
        CAPTURE(plane.columns);
        Request request = plane_request(method, plane.rows, plane.columns, plane.type);
        request.inverse = plane.rows == 4;
        request.more["processors"] = "3";
        const CheckedRun run = checked(make_plan(request), *device_of(runtime));
        CHECK_MESSAGE(!run.any_errors(), run.text());
      }
  }
  CHECK(sentence_of([] {
          Request request = plane_request("engine", 16, 16, "float");
          request.more["transform"] = "radix4";
          make_plan(request);
        }).find("transforms in registers") != std::string::npos);
}

TEST_CASE("a group takes tile after tile, and no number of groups changes what comes out") {
  Runtime& host = *device_of("host");
  std::vector<std::byte> first;
  for (const char* processors : {"1", "3", "100"}) {
    const Plan plan = make_plan(request_of_rung({"fft-engine", 1024, 0, {{"processors", processors}}}));
    CHECK(plan.launches[0].global[0] / plan.launches[0].local[0] ==
          (processors == std::string("100") ? 8 : std::stoul(processors)));
    const std::vector<std::byte> out = run_plan(plan, host).buffers[0];
    if (first.empty()) first = out;
    CHECK(out == first);
  }
}

TEST_CASE("plan files say how an array is copied by boxes") {
  const Plan plan = make_plan(request_of_rung({"fft-engine", 1024}));
  const Argument& boxes = plan.launches[0].arguments[3];
  CHECK(argument_text(plan, boxes) == "boxes:x:32:4:16");
  CHECK(parse_argument(plan, "boxes:x:32:4:16") == boxes);
  for (const char* wrong : {"boxes:x", "boxes:x:32:4", "boxes:x:32:4:0", "boxes:x:32:3:16", "boxes:x:2:4:16",
                            "boxes:x:32:4:1000", "boxes:x:33:4:16", "boxes:x:4096:4:16"}) {
    CAPTURE(wrong);
    CHECK(sentence_of([&] { parse_argument(plan, wrong); }).find("boxes:") != std::string::npos);
  }
}
