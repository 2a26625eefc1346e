#include "cli/verbs/show_window.h"

#include "base/error.h"
#include "cli/export/picture.h"
#include "cli/output.h"
#include "cli/plan_files.h"
#include "cli/tracing.h"
#include "kernels/catalogue/catalogue.h"
#include "lessons/pages/lesson_guide.h"
#include "tracer/file/trace_file.h"
#include "viewer/facts/trace_facts.h"
#include "viewer/scene/fonts.h"
#include "viewer/scene/languages.h"

#if TWIDDLE_HAVE_WINDOW
#include "viewer/window/window.h"
#endif

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace fs = std::filesystem;

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
                const TemporaryFolder* folder, Guide* guide, Language language, Document* beside) {
  WindowOptions options;
  options.guide = guide;
  options.language = language;
  options.language_given = !picture.language.empty();
  options.beside = beside;
  options.step = step;
  options.width = static_cast<int>(picture.width);
  options.height = static_cast<int>(picture.height);
  options.view = picture.view;
  if (picture.theme_given) options.theme = picture.theme;
  if (run && folder && !beside) {
    options.request = run->request;
    options.runtime = run->runtime;
    options.device = run->device;
    if (const fs::path plan = run->request.algorithm; plan.extension() == ".toml") options.watched = PlanFiles(plan);
    options.run = [base = *run, folder, runs = 0](const Request& request, const std::string& runtime, int device,
                                                  const Progress& progress) mutable -> WindowOptions::Made {
      RunOptions again = base;
      again.request = request;
      again.runtime = runtime;
      again.device = device;
      // Only the host has an order: it is dropped when another device is chosen.
      if (runtime != base.runtime && runtime != "host") again.schedules.clear(), again.threads = 0;
      // A file for each run: the window still reads the one before.
      const auto file = folder->path() / fmt::format("run-{}.twd", ++runs);
      TracedRun traced = trace_to_file(requested_plan(again), again, file, progress);
      if (traced.outcome.cancelled) return {};
      return {TraceReader::open(file), std::move(traced.outcome.notes)};
    };
  }
  return run_window(document, options);
}

#else

int show_window(Document&, const PictureOptions&, std::uint64_t, const RunOptions*, const TemporaryFolder*, Guide*,
                Language, Document*) {
  throw no_device("{}; write a picture with twiddle view FILE --screenshot out.png, or use twiddle export",
                  why_no_window());
}

#endif

bool names_lesson(const std::string& subject) {
  if (subject.ends_with(".md")) return true;
  const std::vector<std::string> ids = course_ids();
  return std::find(ids.begin(), ids.end(), subject) != ids.end();
}

bool is_interactive() {
  struct stat out {};
  const bool kept = fstat(STDOUT_FILENO, &out) == 0 && (S_ISFIFO(out.st_mode) || S_ISREG(out.st_mode));
  return !kept && why_no_window().empty();
}

int open_lessons(const std::string& language, std::optional<Lesson> lesson, const RunOptions& run,
                 const PictureOptions& picture, const std::string& screenshot, std::uint64_t step) {
  const std::string lesson_language = lesson ? lesson->language : language;
  if (lesson && step > lesson->steps.size())
    throw usage_error("the lesson has {} steps; --step {} is beyond the last", lesson->steps.size(), step);
  const TemporaryFolder folder;
  LessonRuns runs(folder.path(), run.runtime, run.device);
  // A screenshot does not count as reading: no progress is saved.
  LessonGuide guide(lesson_language, std::move(lesson), runs, screenshot.empty() ? progress_file() : fs::path());
  for (std::uint64_t at = 1; at < step; ++at) guide.page(1);
  const Guide::Place place = guide.place();
  if (!place.trace) throw Error(ExitCode::unreadable, Message::verbatim(guide.complaint()));
  const Language faces = language_of(lesson_language);
  use_language(faces);
  Document document(place.trace);
  keep_findings_back(document, place.secret);
  const std::string view(picture.view.empty() ? std::string_view(place.view) : asked_view(document, picture).name());
  if (const std::string sentence = missing_face(faces); !sentence.empty() && !screenshot.empty())
    fmt::print(stderr, "twiddle: {}\n", sentence);
  if (screenshot.empty()) {
    RunOptions first = run;
    first.request = place.request;
    return show_window(document, picture, place.step, &first, &folder, &guide, faces);
  }
  WindowState state = window_state(picture, place.step);
  state.guide = &guide;
  state.language = faces;
  state.tab = view;
  state.cursor.pinned = place.light;
  write_scene(screenshot, window_scene(document, state), theme(picture.theme));
  return 0;
}

}  // namespace twiddle::cli
