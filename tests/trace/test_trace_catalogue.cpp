// Every algorithm of the catalogue, traced into a file: the log explains all that was read and all that was left behind, in
// local memory as well.
#include "kernels/catalogue/catalogue.h"
#include "runtimes/opencl_device.h"
#include "test_support.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/replay.h"
#include "tracer/run/tracer.h"

#include <doctest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <memory>

using namespace twiddle;

namespace {

// How many operations of each kind, barriers among them.
using Kinds = std::map<OperationKind, std::uint64_t>;

Kinds traced(const Request& request) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("twiddle-catalogue-" + std::to_string(::getpid()) + ".twd");
  {
    TraceWriter writer(file);
    trace_plan(make_plan(request), *opencl(), {}, writer);
    writer.finish();
  }
  const auto trace = TraceReader::open(file);
  Replay replay(trace);
  CHECK(replay.check().inconsistent_reads == 0);
  CHECK(replay.check().unexplained == 0);
  Kinds kinds;
  replay.for_each(1, trace->info().steps, true, [&](const Operation& operation) {
    ++kinds[operation.kind];
    for (const Access& access : operation.reads) CHECK(access.buffer >= 0);
    for (const Access& access : operation.writes) CHECK(access.buffer >= 0);
    return true;
  });
  std::filesystem::remove(file);
  return kinds;
}

Request request_of(const std::string& algorithm, std::uint64_t n) {
  Request request;
  request.algorithm = algorithm;
  request.n = n;
  return request;
}

}  // namespace

TEST_CASE("every algorithm's trace replays to what the device held, and every read is explained") {
  if (!opencl()) return;
  for (const Algorithm& algorithm : algorithms()) {
    CAPTURE(algorithm.id);
    Request request;
    request.algorithm = algorithm.id;
    CHECK_FALSE(traced(request).empty());
  }
}

TEST_CASE("the logs hold the operations that the algorithms are made of") {
  if (!opencl()) return;
  Kinds kinds = traced(request_of("dft", 5));
  CHECK(kinds[OperationKind::Term] == 25);
  CHECK(kinds[OperationKind::Store] == 5);

  kinds = traced(request_of("fft-radix2-single", 8));  // N/2 butterflies a stage, a barrier an item and stage, N moves
  CHECK(kinds[OperationKind::Butterfly] == 12);
  CHECK(kinds[OperationKind::Barrier] == 24);
  CHECK(kinds[OperationKind::Move] == 8);

  Request local = request_of("fft-radix2-local", 8);
  local.rows = 4;
  kinds = traced(local);  // four rows in, twelve butterflies each, four rows out
  CHECK(kinds[OperationKind::Butterfly] == 48);
  CHECK(kinds[OperationKind::Move] == 64);
  CHECK(kinds[OperationKind::Barrier] == 4 * 8 * 4);
  local.more["rows-per-group"] = "2";
  kinds = traced(local);  // the same work by half as many items
  CHECK(kinds[OperationKind::Butterfly] == 48);
  CHECK(kinds[OperationKind::Barrier] == 2 * 8 * 4);

  kinds = traced(request_of("fft-real", 16));  // 8 complex points: 12 butterflies and 8 pairs (k, N/2 − k)
  CHECK(kinds[OperationKind::Butterfly] == 12 + 8);
  CHECK(kinds[OperationKind::Load] == 16);
  CHECK(kinds[OperationKind::Store] == 8);
}

TEST_CASE("fft2d: every method's trace replays, and moves what it says it moves") {
  if (!opencl()) return;
  struct Case {
    const char* method;
    const char* transform;
    std::uint64_t butterflies, moves;
  };
  // 4 × 16 points: a radix-2 transform of them has 64/2·log2 64 butterflies, a radix-4 one 64/4·log4 64; every launch
  // moves each point into local memory and out again.
  for (const Case& one : {Case{"rows-columns", "", 192, 256},
                          {"transpose", "stockham2", 192, 512},
                          {"transpose", "radix4", 48, 512},
                          {"fused", "stockham4", 48, 256},
                          {"fused", "radix4", 48, 256}}) {
    CAPTURE(one.method);
    CAPTURE(one.transform);
    Request request;
    request.algorithm = "fft2d";
    request.rows = 4, request.columns = 16;
    request.method = one.method;
    if (*one.transform) request.more["transform"] = one.transform;
    Kinds kinds = traced(request);
    CHECK(kinds[OperationKind::Butterfly] == one.butterflies);
    CHECK(kinds[OperationKind::Move] == one.moves);
    CHECK((kinds[OperationKind::Swap] > 0) == (request.method == "transpose" && request.more["transform"] == "radix4"));
  }
}
