// Two runtimes do the same operations in the same slots: compared through their traces, operation by operation.
#pragma once

#include "choices.h"
#include "kernels/catalogue/catalogue.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/replay.h"
#include "tracer/run/tracer.h"
#include "tracer/runtime/runtime.h"

#include <doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace twiddle {

inline std::unique_ptr<Replay> traced(const Request& request, Runtime& runtime, const std::string& name) {
  const auto file =
      std::filesystem::temp_directory_path() / ("twiddle-agree-" + std::to_string(getpid()) + "-" + name + ".twd");
  std::filesystem::remove(file);
  {
    TraceWriter writer(file);
    const TraceOutcome outcome = trace_plan(make_plan(request), runtime, {}, writer);
    CHECK(outcome.lost == 0);
    writer.finish();
  }
  auto replay = std::make_unique<Replay>(TraceReader::open(file));
  std::filesystem::remove(file);
  CHECK(replay->check().inconsistent_reads == 0);
  CHECK(replay->check().unexplained == 0);
  return replay;
}

inline std::vector<Operation> operations_of(Replay& replay) {
  std::vector<Operation> all;
  replay.for_each(1, replay.info().steps, true, [&](const Operation& operation) {
    all.push_back(operation);
    return true;
  });
  return all;
}

// Both sides round in their own order and may fuse; integers are exact.
inline bool near(const Value& a, const Value& b, double scale) {
  if (a.type != b.type) return false;
  for (int c = 0; c < traits(a.type).components; ++c) {
    const double allowed = traits(a.type).floating ? scale * (traits(a.type).wide ? 1e-14 : 1e-5) : 0;
    if (!(std::fabs(a.component(c) - b.component(c)) <= allowed)) return false;
  }
  return true;
}

template <typename Accesses>
bool same_accesses(const Accesses& a, const TraceInfo& info_a, const Accesses& b, const TraceInfo& info_b, bool values,
                   double scale) {
  if (a.size() != b.size()) return false;
  for (int i = 0; i < a.size(); ++i) {
    if (a[i].index != b[i].index || a[i].known != b[i].known || (a[i].buffer < 0) != (b[i].buffer < 0)) return false;
    if (a[i].buffer >= 0 && info_a.buffers[a[i].buffer].name != info_b.buffers[b[i].buffer].name) return false;
    if (values && a[i].known && !near(a[i].value, b[i].value, scale)) return false;
  }
  return true;
}

inline void check_same(Replay& one, Replay& other) {
  const std::vector<Operation> a = operations_of(one), b = operations_of(other);
  REQUIRE(a.size() == b.size());
  REQUIRE(!a.empty());
  double scale = 1;
  for (const Operation& operation : a)
    for (const Access& access : operation.writes)
      if (access.known)
        for (int c = 0; c < traits(access.value.type).components; ++c)
          scale = std::max(scale, std::fabs(access.value.component(c)));
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    CAPTURE(a[i].launch);
    CAPTURE(a[i].item);
    CAPTURE(a[i].slot);
    REQUIRE(a[i].launch == b[i].launch);
    REQUIRE(a[i].stage == b[i].stage);
    REQUIRE(a[i].epoch == b[i].epoch);
    REQUIRE(a[i].item == b[i].item);
    REQUIRE(a[i].slot == b[i].slot);
    REQUIRE(a[i].shape == b[i].shape);
    // What an atomic operation finds there depends on who came first.
    const bool values = a[i].kind != OperationKind::Atomic;
    REQUIRE(same_accesses(a[i].reads, one.info(), b[i].reads, other.info(), values, scale));
    REQUIRE(same_accesses(a[i].writes, one.info(), b[i].writes, other.info(), values, scale));
    REQUIRE(a[i].coefficients.size() == b[i].coefficients.size());
    for (int c = 0; c < a[i].coefficients.size(); ++c) REQUIRE(near(a[i].coefficients[c], b[i].coefficients[c], scale));
  }
}

/// A request that every algorithm allows: sizes 0, 1 and 2 are small, larger and larger still.
inline Request request_for(const Algorithm& algorithm, int size) {
  Request request;
  request.algorithm = algorithm.id;
  request.signal = "random:3";
  if (algorithm.dimensions == 2) {
    request.rows = size == 0 ? 4 : size == 1 ? 16 : 64;
    request.columns = size == 2 ? 64 : 16;
  } else {
    request.n = size == 0 ? 16 : size == 1 ? 256 : 1024;
  }
  return with_size_taken(request);
}

/// Traces what is asked for on both and compares.
inline void check_agreement(const Request& request, Runtime& one, Runtime& other) {
  const Plan plan = make_plan(request);
  CAPTURE(plan.title);
  const auto a = traced(request, one, "one"), b = traced(request, other, "other");
  check_same(*a, *b);
}
inline void check_agreement(const Algorithm& algorithm, int size, Runtime& one, Runtime& other) {
  check_agreement(request_for(algorithm, size), one, other);
}

}  // namespace twiddle
