// What a window is opened with.
#pragma once

#include "kernels/catalogue/catalogue.h"
#include "tracer/repair/repair.h"
#include "tracer/run/tracer.h"
#include "viewer/document/document.h"
#include "viewer/facts/watch.h"
#include "viewer/scene/languages.h"
#include "viewer/scene/theme.h"
#include "viewer/state/guide.h"
#include "viewer/state/menu.h"
#include "viewer/state/start_page.h"
#include "viewer/views/cost_strips.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

/// The trace of one process of a run of several.
struct RankTrace {
  std::string rank;
  std::filesystem::path file;
};

struct WindowOptions {
  std::string title;                  // of the window; empty: "Twiddle"
  std::uint64_t step = 0;             // where to begin
  int made = 0;                       // in lockstep: how many turns of the step's round have been made; 0: all
  bool lockstep = false;              // steps are turns of sub-groups, not what is remembered
  Guide* guide = nullptr;             // leads through traces with text; it says what is shown
  Document* beside = nullptr;         // a second trace, at the right, stepped together with the document
  std::vector<RankTrace> ranks;       // the document is one of them, and another can take its place
  bool presenting = false;            // from the start
  std::optional<CostStrips> costs{};  // below the columns; nothing: as it was left
  std::vector<StopCondition> stops{};
  std::string view;                // by name; empty: the one the trace opens on
  int width = 1440, height = 900;  // at scale 1
  std::optional<ThemeName> theme;  // nothing: the system's
  Language language = Language::English;
  bool language_given = false;  // else the settings' own comes before it
  /// What the trace was made from; with `run` the fields of the top bar open, and another run replaces this one.
  Request request;
  std::string runtime = "auto";
  int device = 0;
  struct Made {
    std::shared_ptr<const TraceSource> trace;  // null when it was cancelled
    std::vector<Message> notes;                // what the user should know of the run, a sentence each
  };
  using Run =
      std::function<Made(const Request& request, const std::string& runtime, int device, const Progress& progress)>;
  Run run;
  /// The smallest change that makes the outcome of a run right, searched off the drawing thread until `go_on`, which is told how
  /// many changes were tried by now, returns false. Empty: nothing is searched from here.
  std::function<Repaired(const Request& request, const std::string& runtime, int device,
                         const std::function<bool(std::uint64_t tried)>& go_on)>
      repair;
  /// What a command line calls what is shown first ("fft-radix2 --n 8"); empty: its file.
  std::string subject;
  /// The lessons of the course in a language, and the guide opened on one of them (an empty id: on the contents), which it
  /// owns until the window is closed. Throws Error.
  std::function<std::vector<LessonEntry>(Language)> lessons;
  std::function<Guide*(const std::string& id, Language)> lesson;
  /// Opens on the start page. Its other cards' runs are made by the second, off the drawing thread; null: there is none.
  bool start = false;
  std::function<std::shared_ptr<const TraceSource>(StartPage::Card)> card_run;
  /// Writes what is shown to a file, off the drawing thread: "trace", "picture", "handout" or "film". Throws Error.
  struct Shown {
    std::shared_ptr<const TraceSource> trace;
    std::uint64_t step = 0;
    bool lockstep = false;
    std::string at;  // the step or the turn as a position
    std::string view;
    ThemeName theme = ThemeName::Light;
    Language language = Language::English;
    std::optional<std::pair<std::uint64_t, std::uint64_t>>
        marks;                            // the first bookmark's step and the last's: of a film
    CostStrips costs = CostStrips::None;  // of the picture or the handout
    ShareOptions share;
  };
  std::function<void(const std::string& what, const Shown& shown, const std::filesystem::path& file)> save;
  /// The files that a plan is made of, itself among them: what running it would compile.
  std::function<std::vector<std::filesystem::path>(const std::filesystem::path& plan)> files_of_plan;
  /// The devices to choose from; empty: those of this machine.
  std::function<DeviceList()> devices;
  /// The files that the run is made from, asked every now and then: when one of them has changed, it is run again. Empty:
  /// none is watched.
  std::function<std::vector<std::filesystem::path>()> watched;
  /// For tests: where to write the window's state, a JSON object a line, after every frame that shows something new
  /// ("-": standard output). Empty: $TWIDDLE_WINDOW_LOG, else nowhere.
  std::filesystem::path log;
};

}  // namespace twiddle
