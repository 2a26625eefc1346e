// A program of twiddle_core alone: it plans an FFT, runs it on the host, keeps the trace in memory, replays and checks it,
// and prints the butterfly diagram as SVG. Nothing of ImGui, GLFW, OpenCL, CUDA or SQLite is linked (tests/scripts/core.sh).
#include "kernels/catalogue/catalogue.h"
#include "tracer/checks/check.h"
#include "tracer/host/host_runtime.h"
#include "tracer/run/tracer.h"
#include "tracer/store/memory_trace.h"
#include "viewer/render/render.h"
#include "viewer/views/view.h"

#include <array>
#include <cstdio>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>

namespace {

using namespace twiddle;

void need(bool right, const char* what) {
  if (!right) throw std::runtime_error(std::string("this is not so: ") + what);
}

std::string picture() {
  Request request;
  request.algorithm = "fft-radix2";
  request.n = 8;
  request.signal = "ramp";
  const Plan plan = make_plan(request);
  const auto runtime = open_host_runtime();
  MemoryTrace memory;
  const TraceOutcome outcome = trace_plan(plan, *runtime, {}, memory);
  need(outcome.operations > 0 && outcome.lost == 0, "operations were kept, and none lost");

  Document document(memory.finish());
  Replay& replay = *document.replay;
  need(replay.info().complete && replay.info().steps + replay.info().barriers == outcome.operations,
       "the trace is whole");
  const Replay::Check check = replay.check();
  need(check.inconsistent_reads == 0 && check.unexplained == 0, "the log explains what the buffers hold");
  for (const Finding& finding : check_trace(replay))
    need(finding.severity != Severity::Error, finding.message.english().c_str());

  replay.seek(replay.info().steps);
  int output = 0;
  for (std::size_t b = 0; b < replay.info().buffers.size(); ++b)
    if (replay.info().buffers[b].name == replay.info().expect.output) output = static_cast<int>(b);
  std::array<float, 2> sum{};
  need(replay.state().read(output, 0, 0, std::as_writable_bytes(std::span(sum))) && sum == std::array{28.0f, 0.0f},
       "X[0] is the sum of 0 … 7");
  Cursor end;
  end.step = replay.info().steps;
  const Theme& light = theme(ThemeName::Light);
  return to_svg(view_named("butterfly")->draw({document, end, {}, light}), light);
}

}  // namespace

int main() {
  try {
    std::fputs(picture().c_str(), stdout);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
