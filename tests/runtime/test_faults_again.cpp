// Kernels that a processor stops, in a process that goes on: a caller that runs a kernel after them gets its outcome or a sentence,
// and nothing waits for a thread that is held.
#include "base/process.h"
#include "checked.h"
#include "environment.h"
#include "own_kernel.h"
#include "run_program.h"
#include "test_support.h"
#include "tracer/store/memory_trace.h"

#include <doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <unistd.h>

using namespace twiddle;

namespace {

constexpr const char* alone = "TWIDDLE_TEST_ALONE";

// Item g of groups of one writes where no processor has memory, or at its own element.
struct Kernel {
  explicit Kernel(const std::string& wild)
      : own("kernel void f(global const int *x, global int *y TRACE_PARAMS) {\n"
            "  int g = get_global_id(0), v = x[g];\n"
            "  if (" +
            wild +
            ") y[(long)(v + 1) << 58] = v;\n"
            "  y[g] = v;\n"
            "  TRACE_MOVE(y, g, x, g, v);\n}\n") {
    const auto x = own.buffer("x", ElementType::Int, 256), y = own.buffer("y", ElementType::Int, 256);
    own.launch("f", 256, 1, {x, y});
  }
  OwnKernel own;
};

// "right", "stopped", or the sentence of an error.
std::string outcome_of(const Plan& plan, Runtime& runtime) {
  try {
    MemoryTrace trace;
    if (trace_plan(plan, runtime, {}, trace).stopped) return "stopped";
    Replay replay(trace.finish());
    for (const Finding& finding : check_trace(replay))
      if (finding.severity == Severity::Error) return text_of(replay.info(), finding);
    return "right";
  } catch (const Error& error) { return error.what(); }
}

std::string outcome_of_new(const Plan& plan) {
  try {
    const std::unique_ptr<Runtime> runtime = open_runtime("opencl", 0);
    return outcome_of(plan, *runtime);
  } catch (const Error& error) { return error.what(); }
}

}  // namespace

TEST_CASE("in a process of its own: kernels after one that was stopped" *
          doctest::skip(std::getenv(alone) == nullptr)) {
  ::alarm(300);  // of a process that hangs
  const Kernel right("false"), one_wild("g == 7"), all_wild("true");
  Request request;
  request.algorithm = "gallery/early-return";
  const Plan early = make_plan(request);
  // The driver would wait for its thread at the end of the process.
  auto* runtime = open_runtime("opencl", 0).release();
  const auto say = [](const char* what, const std::string& outcome) {
    std::printf("%s: %s\n", what, outcome.c_str());
    std::fflush(stdout);
  };
  say("before", outcome_of(right.own.plan, *runtime));
  say("one", outcome_of(one_wild.own.plan, *runtime));
  say("same", outcome_of(right.own.plan, *runtime));
  say("new", outcome_of_new(right.own.plan));
  for (int time = 0; time < 3; ++time) {
    say("early", outcome_of(early, *runtime).substr(0, 30));
    say("after", outcome_of(right.own.plan, *runtime));
  }
  say("all", outcome_of_new(all_wild.own.plan));
  say("same", outcome_of(right.own.plan, *runtime));
  say("new", outcome_of_new(right.own.plan));
  std::printf("end\n");
  std::fflush(nullptr);
  std::_Exit(0);
}

TEST_CASE("after a kernel that a processor stopped, the next one runs or is refused in a sentence, and nothing hangs") {
  Runtime* runtime = device_of("opencl");
  if (!runtime || runtime->device().kind != "cpu") return;
  const TestFolder folder;
  const Environment program("TWIDDLE", program_file().c_str()), on_its_own(alone, "1");
  const Ran ran = run_program(folder, {"--test-case=in a process of its own: kernels after one that was stopped"});
  CAPTURE(ran.out);
  CHECK(ran.code == 0);
  std::istringstream lines(ran.out);
  std::vector<std::string> said;
  for (std::string line; std::getline(lines, line);)
    if (line.find(": ") != std::string::npos || line == "end") said.push_back(line);
  const auto count = [&](const std::string& text) {
    return std::count_if(said.begin(), said.end(), [&](const std::string& line) { return contains(line, text); });
  };
  CHECK(count("before: right") == 1);
  CHECK(count("one: stopped") == 1);
  CHECK(count("end") == 1);
  // One thread is held by then, and others are there or not.
  if (runtime->device().compute_units > 1) CHECK((count("after: right") == 3 && count("new: right") >= 1));
  for (const std::string& line : said)
    if (line.starts_with("same: ") || line.starts_with("new: ") || line.starts_with("after: "))
      CHECK_MESSAGE((line.ends_with(": right") || contains(line, "held by one that was stopped; start twiddle again")),
                    line);
}
