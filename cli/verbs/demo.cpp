// `twiddle demo`: the whole of Twiddle on eight points.
#include "base/error.h"
#include "base/temporary_folder.h"
#include "cli/export/picture.h"
#include "cli/interrupt.h"
#include "cli/listings.h"
#include "cli/output.h"
#include "cli/tracing.h"
#include "cli/verbs.h"
#include "cli/verbs/show_window.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/position.h"
#include "viewer/handout/handout.h"
#include "viewer/scene/languages.h"

#include <CLI/CLI.hpp>

#include <cctype>

namespace fs = std::filesystem;

namespace twiddle::cli {
namespace {

struct DemoOptions : RunOptions {
  std::string folder;  // empty: made here, under a name of its own
};

// The butterfly in the middle of the run, where done, now and to come are all to be seen.
constexpr const char* telling_position = "L3.I1";

// Where pictures go by default: a folder of their own, apart from the user's files.
constexpr const char* own_folder = "twiddle-demo";

void write_pictures(Document& document, const fs::path& folder) {
  PictureOptions picture;
  const std::uint64_t step = step_at(document, telling_position);
  const auto wrote = [](const fs::path& file, const char* what) {
    std::error_code ignored;
    const fs::path whole = fs::absolute(file, ignored).lexically_normal();
    print(fmt::format("  {:<46} {}\n", (ignored ? file : whole).string(), what));
  };
  if (TWIDDLE_HAVE_RSVG) {
    write_scene(folder / "twiddle-demo.png", window_scene(document, window_state(picture, step)), theme(picture.theme));
    wrote(folder / "twiddle-demo.png", "the window, at the second butterfly of stage 2");
  }
  write_scene(folder / "twiddle-demo.svg", diagram_scene(document, picture, step), theme(picture.theme));
  wrote(folder / "twiddle-demo.svg", "the diagram, for a slide");
  write_file(folder / "twiddle-demo.html", handout_html(document, {}));
  wrote(folder / "twiddle-demo.html", "a page that steps through it: open it in any browser");
}

int demo(DemoOptions& options) {
  need_one_schedule(options, "demo");
  options.request.algorithm = "fft-radix2";
  options.request.n = 8;
  options.request.signal = "ramp";
  const Plan plan = requested_plan(options);
  const TemporaryFolder folder;
  const fs::path file = folder.path() / default_trace_name(plan);
  const TracedRun run = trace_to_file(plan, options, file);
  if (run.outcome.cancelled) throw Interrupted("interrupted before there was anything to show");

  use_asked_language({});
  Document document(TraceReader::open(file));
  print(fmt::format("{}, the input 0, 1, … 7, on {}: {} in {}, each as its work-item did it:\n\n", plan.title,
                    device_text(run.device), counted(run.outcome.operations, "operation", "operations"),
                    counted(run.launches, "launch", "launches")));
  print_operations(document.trace, PrintFormat::Text, {}, [](std::string_view line) { print(line); });
  print("\n");

  std::string why = why_no_window();
  if (why.empty()) {
    print("The arrow keys step through it; ? shows all keys. Close the window to leave.\n");
    finish_output();
    try {
      return show_window(document, {}, 0, &options, &folder, nullptr, current_language());
    } catch (const Error& error) {
      if (error.code() != ExitCode::no_device) throw;
      why = error.what();
    }
  }
  why.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(why.front())));
  print(fmt::format("{}, so here it is as files:\n", why));
  if (options.folder.empty()) {
    options.folder = own_folder;
    std::error_code ignored;  // a file that then cannot be written says why
    fs::create_directory(own_folder, ignored);
  }
  write_pictures(document, options.folder);
  print("\nNext: twiddle trace fft-radix2 --n 64, then twiddle export fft-radix2-n64.twd -o fft64.html\n");
  return 0;
}

}  // namespace

void add_demo(Program& program) {
  const auto options = std::make_shared<DemoOptions>();
  CLI::App& verb = program.verb(
      "demo", "Trace an 8-point FFT on a real device, print its log, and show it",
      "Opens the window; without a display it writes a picture (PNG, SVG) and a one-file HTML page, and says where.",
      [options] { return demo(*options); });
  program.complete(
      add_text(verb, "-o,--output", "FOLDER", "where pictures go without a display (twiddle-demo)", options->folder),
      {{}, true, {"/"}});
  add_runtime_options(program, verb, *options);
  add_host_options(program, verb, *options);
  program.example(verb, "twiddle demo", "See what Twiddle does");
}

}  // namespace twiddle::cli
