// `twiddle view`: the window on a trace, or a picture of that window.
#include "base/error.h"
#include "base/temporary_folder.h"
#include "cli/export/picture.h"
#include "cli/output.h"
#include "cli/tracing.h"
#include "cli/verbs.h"
#include "cli/verbs/show_window.h"
#include "lessons/text/library.h"
#include "tracer/checks/check.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/replay.h"
#include "viewer/compare/comparison.h"
#include "viewer/compare/differences.h"
#include "viewer/input/stops.h"
#include "viewer/scene/fonts.h"
#include "viewer/scene/languages.h"
#include "viewer/session/ranks.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>

namespace twiddle::cli {
namespace {

struct ViewOptions : RunOptions {
  std::string at, screenshot;
  std::vector<std::string> stops;   // conditions as they are typed
  std::vector<std::string> others;  // beside the subject: one to compare, or the other ranks of its run
  PictureOptions picture;
};

void write_picture(Document& document, Document* beside, const std::vector<RankTrace>& ranks,
                   const ViewOptions& options, std::uint64_t step) {
  WindowState state = window_state(options.picture, step);
  if (!ranks.empty()) {
    state.fields = trace_fields(document.info());
    state.fields.insert(state.fields.begin() + !state.fields.empty(), rank_field(ranks, document.info()));
  }
  std::optional<Comparison> comparison;
  if (beside) {
    state.cursor.lockstep = false;  // two runs meet at operations
    state.beside = &comparison.emplace(document, *beside);
    if (comparison->comparable())
      add_notes(document,
                differences_between(document.trace, beside->trace, {Wording::LeftAndRight, Comparison::ulps}));
  }
  if (const std::string sentence = missing_face(current_language()); !sentence.empty()) print_line("{}", sentence);
  write_scene(options.screenshot, window_scene(document, state), theme(state.theme));
}

// The step of the first error; 0 when there is none, or when checking would take too long.
std::uint64_t first_error(const Document& document) {
  constexpr std::uint64_t max_steps = std::uint64_t(1) << 20;
  constexpr std::size_t replay_memory = std::size_t(64) << 20;
  if (document.info().steps > max_steps) return 0;
  Replay replay(document.trace, replay_memory);
  for (const Finding& finding : check_trace(replay))
    if (finding.severity == Severity::Error && finding.step > 0) return finding.step;
  return 0;
}

// Ranks of one run: more than two files, or two that processes of several left. Empty: there is one file, or two to compare.
std::vector<RankTrace> ranks_in(const ViewOptions& options) {
  std::vector<std::shared_ptr<const TraceSource>> traces;
  if (options.others.empty()) return {};
  const auto add = [&](const std::string& name) {
    if (names_trace(name)) traces.push_back(TraceReader::open(name));
    return names_trace(name);
  };
  bool all_traces = add(options.request.algorithm);
  for (const std::string& name : options.others) all_traces = add(name) && all_traces;
  if (!all_traces && options.others.size() > 1)
    throw usage_error("twiddle view shows one run, two beside each other, or the traces (.twd) of a run's ranks");
  const bool ranks =
      all_traces && std::all_of(traces.begin(), traces.end(), [](const auto& trace) { return is_rank(trace->info()); });
  return ranks || options.others.size() > 1 ? ranks_of(traces) : std::vector<RankTrace>();
}

int view(ViewOptions options) {
  const std::string& subject = options.request.algorithm;
  const std::string language = options.picture.language.empty() ? system_language() : options.picture.language;
  if (names_lesson(subject)) {
    if (!options.at.empty() || !options.others.empty())
      throw usage_error("a lesson's steps name their positions; twiddle lesson {} --step N opens it at one of them",
                        subject);
    return open_lessons(language, lesson_named(subject, language), options, options.picture, options.screenshot);
  }
  if (const std::string why = options.screenshot.empty() ? why_no_window() : ""; !why.empty())
    throw no_device("{}; write a picture with twiddle view {} --screenshot out.png, or use twiddle export", why,
                    subject);

  use_asked_language(language);
  constexpr const char* interrupted = "interrupted before there was anything to show";
  const std::vector<RankTrace> ranks = ranks_in(options);
  const std::string compared = ranks.empty() && !options.others.empty() ? options.others[0] : std::string();
  if (!names_trace(subject) || !(compared.empty() || names_trace(compared))) need_one_schedule(options, "view");
  std::optional<TemporaryFolder> folder;
  Document document(TraceReader::open(trace_of(options, subject, folder, interrupted)));
  const bool again = folder.has_value();
  std::optional<Document> beside;
  if (!compared.empty()) beside.emplace(TraceReader::open(trace_of(options, compared, folder, interrupted)));
  asked_view(document, options.picture);  // or says that there is none
  Document* right = beside ? &*beside : nullptr;
  if (beside)
    if (const Comparison both(document, *beside); both.comparable())
      set_other_trace(document, beside->trace, Comparison::ulps);
  for (const std::string& text : options.stops) options.picture.stops.push_back(parse_stop(document, text));
  std::uint64_t step = options.at.empty() ? first_error(document) : step_at(document, options.at, options.picture);
  if (!options.screenshot.empty()) {
    if (options.at.empty() && step == 0) step = step_at(document, options.at);
    write_picture(document, right, ranks, options, step);
    return 0;
  }
  return show_window(document, options.picture, step, again ? &options : nullptr, again ? &*folder : nullptr, nullptr,
                     language_of(language), right, false, ranks);
}

}  // namespace

void add_view(Program& program) {
  const auto options = std::make_shared<ViewOptions>();
  CLI::App& verb =
      program.verb("view", "Step through a trace in the window, or write a picture of it",
                   "An algorithm or a plan file is traced first. A second one is shown beside it, stepped together "
                   "with it, and where the two part is marked. --screenshot needs no display. A position is written "
                   "L2.S3.I5 (launch, stage, work-item; what is left out is the first there is), L2.S3.G0.T1 "
                   "(sub-group and turn), or start, or end.",
                   [options] { return view(*options); });
  Completion subjects = subject_completion();
  for (std::string& id : course_ids()) subjects.words.push_back(std::move(id));
  subjects.endings.emplace_back(".md");
  program.complete(
      add_text(verb, "FILE|ALGORITHM", "", "a trace (.twd), an algorithm's id, a plan file (.toml), or a lesson",
               options->request.algorithm)
          ->required(),
      subjects);
  program.complete(
      verb.add_option("BESIDE", options->others,
                      "a second trace, algorithm or plan file, at the right; or the traces of the other ranks of its "
                      "run, one of which is shown at a time, each at the same step")
          ->type_name("")
          ->expected(0, -1),
      subject_completion());
  add_text(verb, "--at", "POSITION",
           "the position, e.g. L2.S3.I5 (the first error; without one the start, for --screenshot the end)",
           options->at);
  verb.add_option("--stop", options->stops,
                  "a condition to stop at, e.g. 'F[5] written', '|x| > 10', 'line 42', reference, 'other trace'")
      ->type_name("CONDITION")
      ->expected(1)
      ->take_all();
  program.complete(add_text(verb, "--screenshot", "FILE.png", "write a picture of the window (.png or .svg) and leave",
                            options->screenshot),
                   {{}, true, {".png", ".svg"}});
  add_language_option(program, verb, "the window's language", options->picture.language);
  add_picture_options(program, verb, options->picture);
  add_switch(verb, "--present", "present: the diagram and nothing else, in large type (F5)",
             options->picture.presenting);
  add_tracing_options(program, verb, *options);
  program.example(verb, "twiddle view fft8.twd", "Step through a trace with the arrow keys");
  program.example(verb, "twiddle view fft8.twd --at L3.I1 --screenshot out.png",
                  "A picture of the window, without a display");
  program.example(verb, "twiddle view opencl.twd cuda.twd", "Two traces side by side, stepped together");
  program.example(verb, "twiddle view run.*.twd", "The ranks of one run: ] goes to the next, at the same step");
  program.example(verb, "twiddle view mine.toml", "Trace your own kernel and look at it");
}

}  // namespace twiddle::cli
