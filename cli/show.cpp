#include "cli/show.h"

#include "base/error.h"
#include "cli/tracing.h"

#if TWIDDLE_HAVE_WINDOW
#include "viewer/window/window.h"
#endif

#include <fmt/format.h>

#include <cstdlib>

namespace twiddle::cli {

std::string why_no_window() {
#if TWIDDLE_HAVE_WINDOW
  for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY"})
    if (const char* value = std::getenv(variable); value && *value) return {};
  return "there is no display here";
#else
  return "this build has no window";
#endif
}

#if TWIDDLE_HAVE_WINDOW

int show_window(Document& document, const PictureOptions& picture, std::uint64_t step, const RunOptions* run,
                const TemporaryFolder* folder) {
  WindowOptions options;
  options.step = step;
  options.width = static_cast<int>(picture.width);
  options.height = static_cast<int>(picture.height);
  options.view = picture.view;
  if (picture.theme_given) options.theme = picture.theme;
  if (run && folder) {
    options.request = run->request;
    options.runtime = run->runtime;
    options.device = run->device;
    options.run = [base = *run, folder, runs = 0](
                      const Request& request, const std::string& runtime, int device,
                      const Progress& progress) mutable -> std::shared_ptr<const TraceReader> {
      RunOptions again = base;
      again.request = request;
      again.runtime = runtime;
      again.device = device;
      // A file for each run: the window still reads the one before.
      const auto file = folder->path() / fmt::format("run-{}.twd", ++runs);
      const TracedRun traced = trace_to_file(requested_plan(again), again, file, progress);
      return traced.outcome.cancelled ? nullptr : TraceReader::open(file);
    };
  }
  return run_window(document, options);
}

#else

int show_window(Document&, const PictureOptions&, std::uint64_t, const RunOptions*, const TemporaryFolder*) {
  throw no_device("{}; write a picture with twiddle view FILE --screenshot out.png, or use twiddle export",
                  why_no_window());
}

#endif

}  // namespace twiddle::cli
