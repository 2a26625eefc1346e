// A work-item has one name in a run: OpenCL's kernels have work-items, CUDA's have threads, on the processor too. Every text of
// every pane, view and finding is read.
#include "checked.h"
#include "test_support.h"
#include "tracer/store/memory_trace.h"
#include "viewer/control/window_control.h"
#include "viewer/frame/window_scene.h"
#include "viewer/views/view.h"

#include <doctest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

using namespace twiddle;

namespace {

struct Runs {
  const char* runtime;
  std::regex others;  // words that belong to the other language
};
const std::vector<Runs>& languages() {
  static const std::vector<Runs> all{
      {"opencl", std::regex(R"(\bthreads?\b)", std::regex::icase)},
      {"host", std::regex(R"(\bwork-?items?\b)", std::regex::icase)},
  };
  return all;
}

// Kernels say in their comments what they want.
bool is_of_source(const TraceInfo& info, const std::string& text) {
  return std::any_of(info.sources.begin(), info.sources.end(),
                     [&](const auto& source) { return contains(source.text, text); });
}

std::set<std::string> foreign_texts(const TraceInfo& info, const Scene& scene, const std::regex& others) {
  std::set<std::string> found;
  const auto read = [&](const std::string& text) {
    if (std::regex_search(text, others) && !is_of_source(info, text)) found.insert(text);
  };
  for (const Shape2D& shape : scene.shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.geometry)) read(text->text);
  for (const MarkText& mark : scene.marks) read(mark.label);
  read(scene.description);
  return found;
}

std::shared_ptr<const TraceSource> trace_on(Runtime& runtime, const Request& request) {
  MemoryTrace trace;
  trace_plan(make_plan(request), runtime, {}, trace);
  return trace.finish();
}

}  // namespace

TEST_CASE("no finding and no pane calls a thread a work-item, or a work-item a thread") {
  for (const Runs& language : languages()) {
    Runtime* runtime = device_of(language.runtime);
    if (runtime == nullptr) continue;
    CAPTURE(language.runtime);
    for (const char* algorithm :
         {"fft-radix2", "reduce-sequential", "gallery/wrong-sign", "gallery/missing-local-barrier",
          "gallery/stockham-in-place", "gallery/strided-write", "gallery/half-butterfly"}) {
      CAPTURE(algorithm);
      Request request;
      request.algorithm = algorithm;
      if (std::string_view(algorithm) == "fft-radix2") request.n = 8;
      Document document(trace_on(*runtime, request));
      const TraceInfo& info = document.info();
      for (const Finding& finding : check_trace(*document.replay)) {
        const std::string text = text_of(info, finding);
        CHECK_MESSAGE(!std::regex_search(text, language.others), text);
      }
      for (const StepBy by : {StepBy::Item, StepBy::SubGroup}) {
        WindowControl control(document, {});
        control.resize(1440, 1200);
        control.command(Command::SetStepBy, static_cast<std::uint64_t>(by));
        for (const View* view : views_of(document)) {
          control.state().tab = view->name();
          for (const SideTab tab : {SideTab::Operation, SideTab::Findings}) {
            control.state().side_tab = tab;
            const std::uint64_t steps = info.steps;
            for (const std::uint64_t step : {std::uint64_t{0}, steps / 2, steps}) {
              control.seek(step);
              for (const std::string& text :
                   foreign_texts(info, window_scene(document, control.state()), language.others))
                FAIL_CHECK(std::string(view->name()), ": ", text);
            }
          }
        }
      }
    }
  }
}
