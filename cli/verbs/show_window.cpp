#include "cli/verbs/show_window.h"

#include "base/error.h"
#include "base/paths.h"
#include "base/process.h"
#include "base/values/environment.h"
#include "cli/export/picture.h"
#include "cli/output.h"
#include "cli/plan_files.h"
#include "cli/repair_search.h"
#include "cli/tracing.h"
#include "kernels/catalogue/catalogue.h"
#include "kernels/catalogue/command_text.h"
#include "lessons/pages/lesson_guide.h"
#include "lessons/text/library.h"
#include "lessons/text/progress.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/position.h"
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
#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>

namespace fs = std::filesystem;

namespace twiddle::cli {

std::string why_no_window() {
#if TWIDDLE_HAVE_WINDOW
  for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY"})
    if (!environment(variable).empty()) return {};
  return "there is no display here";
#else
  return "this build has no window";
#endif
}

#if TWIDDLE_HAVE_WINDOW

namespace {

/// The lessons of the course as the window lists them.
std::vector<LessonEntry> listed_lessons(Language language) {
  std::vector<LessonEntry> list;
  const std::map<std::string, LessonProgress> progress = read_progress(progress_file());
  for (const CourseEntry& entry : course(code_of(language))) {
    const auto found = progress.find(entry.id);
    const bool done =
        found != progress.end() && found->second.steps > 0 && found->second.steps_seen == found->second.steps;
    list.push_back({entry.id, entry.title, entry.number, entry.minutes, done});
  }
  return list;
}

/// What a card of the start page shows.
Request request_of_card(StartPage::Card card) {
  Request request;
  switch (card) {
    case StartPage::Course: request.algorithm = "fft-radix2", request.n = 16, request.signal = "cosine:3"; break;
    case StartPage::Bug: request.algorithm = "gallery/stale-twiddle", request.n = 4; break;
    case StartPage::Kernel: request.algorithm = "reduce-sequential", request.n = 16; break;
    default: request.algorithm = "gallery/dif-no-reversal-right"; break;  // a kernel without trace lines
  }
  return request;
}

/// Another process of this program writes it: the window goes on, and the language of its texts is its own.
void save_shown(const std::string& what, const WindowOptions::Shown& shown, const fs::path& file) {
  if (what == "trace") {
    refuse_to_replace(file);
    std::error_code failed;
    fs::copy_file(shown.trace->path(), file, fs::copy_options::overwrite_existing, failed);
    if (failed) throw usage_error("{} cannot be written: {}", file.string(), failed.message());
    return;
  }
  std::vector<std::string> command{program_file().string(),
                                   "export",
                                   shown.trace->path().string(),
                                   "--theme",
                                   std::string(name_of(shown.theme)),
                                   "--lang",
                                   std::string(code_of(shown.language)),
                                   "--view",
                                   shown.view,
                                   "-o",
                                   file.string()};
  if (what == "film") {
    // As the window moves, on a slide.
    for (const char* word : {"--pace", "1.2", "--caption", "--title", "--size", "1280x720"}) command.emplace_back(word);
    if (shown.marks)
      for (const auto& [option, step] : {std::pair{"--from", shown.marks->first}, {"--to", shown.marks->second}})
        command.insert(command.end(), {option, step == 0 ? "start" : to_string(position_of(*shown.trace, step))});
    if (shown.lockstep) command.emplace_back("--lockstep");
    command.insert(command.end(), {"--fps", file.extension() == ".gif" ? "20" : "60"});
  } else {
    command.emplace_back("--at");
    // A page steps through operations.
    command.push_back(what == "handout" && shown.step > 0 ? to_string(position_of(*shown.trace, shown.step))
                                                          : shown.at);
    const std::string ending = file.extension().string();
    if ((ending == ".svg" || ending == ".png" || ending == ".html" || ending == ".pdf") &&
        shown.costs != CostStrips::None)
      command.insert(command.end(), {"--costs", std::string(name_of(shown.costs))});
    if (what == "picture" && shown.share.trim) command.emplace_back("--trim");
    if (what == "picture" && shown.share.column) command.insert(command.end(), {"--width", "85mm"});
    if (what == "picture" && shown.share.outlined && ending == ".svg") command.emplace_back("--outline-text");
  }
  constexpr double patience = 1800;
  const ProcessResult result = run_process(command, patience);
  if (result.status == 0) return;
  std::string words = last_line(result.errors);
  if (words.starts_with("twiddle: ")) words.erase(0, 9);
  throw Error(ExitCode::usage, Message::verbatim(words));
}

}  // namespace

int show_window(Document& document, const PictureOptions& picture, std::uint64_t step, const RunOptions* run,
                const TemporaryFolder* folder, Guide* guide, Language language, Document* beside, bool start,
                const std::vector<RankTrace>& ranks) {
  WindowOptions options;
  options.guide = guide;
  options.language = language;
  options.language_given = !picture.language.empty();
  options.beside = beside;
  options.ranks = ranks;
  options.step = step;
  options.width = static_cast<int>(picture.width);
  options.height = static_cast<int>(picture.height);
  options.view = picture.view;
  options.start = start;
  options.presenting = picture.presenting;
  options.stops = picture.stops;
  options.lockstep = picture.lockstep;
  options.made = picture.made;
  options.costs = picture.costs;
  if (picture.theme_given) options.theme = picture.theme;
  // An opened trace was not run here; what is chosen in its fields is.
  std::optional<TemporaryFolder> own_folder;
  if (!folder) folder = &own_folder.emplace();
  RunOptions base = run ? *run : RunOptions{};
  if (!run) {
    options.title = document.trace->path().filename().string();
  } else if (!beside) {
    options.request = run->request;
    options.subject = command_of(run->request);
    options.title =
        start ? std::string("Twiddle") : fs::path(run->request.algorithm).filename().string() + " · Twiddle";
  }
  options.runtime = base.runtime;
  options.device = base.device;
  if (const fs::path plan = base.request.algorithm; plan.extension() == ".toml") options.watched = PlanFiles(plan);
  // A file for each run: the window still reads the one before.
  const auto runs = std::make_shared<std::atomic<int>>(0);
  options.run = [base, folder, runs](const Request& request, const std::string& runtime, int device,
                                     const Progress& progress) -> WindowOptions::Made {
    RunOptions again = base;
    again.request = request;
    again.runtime = runtime;
    again.device = device;
    // Only the host has an order: it is dropped when another device is chosen.
    if (runtime != base.runtime && runtime != "host") again.schedules.clear(), again.threads = 0;
    const auto file = folder->path() / fmt::format("run-{}.twd", ++*runs);
    TracedRun traced = trace_to_file(requested_plan(again), again, file, progress);
    if (traced.outcome.cancelled) return {};
    return {TraceReader::open(file), std::move(traced.outcome.notes)};
  };
  options.repair = [](const Request& request, const std::string& runtime, int device,
                      const std::function<bool(std::uint64_t tried)>& go_on) {
    return search_repair_apart(request, runtime, device, go_on);
  };
  options.card_run = [run = options.run, runtime = base.runtime, device = base.device](StartPage::Card card) {
    return run(request_of_card(card), runtime, device, {}).trace;
  };
  options.lessons = listed_lessons;
  std::unique_ptr<LessonRuns> lesson_runs;
  std::unique_ptr<LessonGuide> lesson_guide;
  options.lesson = [&](const std::string& id, Language in) -> Guide* {
    const std::string code(code_of(in));
    std::optional<Lesson> lesson;
    if (!id.empty()) lesson = lesson_named(id, code);
    if (!lesson_runs) lesson_runs = std::make_unique<LessonRuns>(folder->path(), base.runtime, base.device);
    lesson_guide = std::make_unique<LessonGuide>(code, std::move(lesson), *lesson_runs, progress_file());
    return lesson_guide.get();
  };
  options.save = save_shown;
  options.files_of_plan = [](const fs::path& plan) { return PlanFiles(plan)(); };
  return run_window(document, options);
}

#else

int show_window(Document&, const PictureOptions&, std::uint64_t, const RunOptions*, const TemporaryFolder*, Guide*,
                Language, Document*, bool, const std::vector<RankTrace>&) {
  throw no_device("{}; write a picture with twiddle view FILE --screenshot out.png, or use twiddle export",
                  why_no_window());
}

#endif

int open_start_page(const std::string& language, const RunOptions& run, const PictureOptions& picture) {
  RunOptions first = run;
  first.request = {};
  first.request.algorithm = "fft-radix2", first.request.n = 8, first.request.signal = "ramp";
  const Language faces = language_of(language);
  use_language(faces);
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "first.twd";
  trace_to_file(requested_plan(first), first, file, {});
  Document document(TraceReader::open(file));
  const std::uint64_t step = step_at(document, "L3.S2.I1");  // where a factor is not 1
  return show_window(document, picture, step, &first, &folder, nullptr, faces, nullptr, true);
}

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
  state.live.goal = place.goal;
  write_scene(screenshot, window_scene(document, state), theme(state.theme));
  return 0;
}

}  // namespace twiddle::cli
