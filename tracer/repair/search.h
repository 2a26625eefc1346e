// One search for a repair, as repair.h describes it: what it knows by now, and what it does one after another.
#pragma once

#include "kernels/plan/plan.h"
#include "tracer/repair/copies.h"
#include "tracer/repair/edits/edits.h"
#include "tracer/repair/locate/line_scores.h"
#include "tracer/repair/plans/plan_edits.h"
#include "tracer/repair/repair.h"
#include "tracer/repair/search_progress.h"
#include "tracer/repair/trial.h"
#include "tracer/repair/unknown_names.h"
#include "tracer/run/tracer.h"
#include "tracer/syntax/syntax.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace twiddle {

class RepairSearch {
 public:
  RepairSearch(const Plan& plan, Runtime& runtime, const RepairOptions& options)
      : plan_(plan),
        runtime_(runtime),
        trials_(&runtime),
        direct_(options.direct),
        options_(options),
        cuda_(runtime.source_extension() != ".cl"),
        progress_(options) {}

  Repaired run();

 private:
  static constexpr std::size_t trials = 4;
  static constexpr std::size_t min_halves = 25, min_program = 50;  // changes in one
  static constexpr std::size_t max_with_found = 3;                 // programs more, once such a change was right
  static constexpr double likely_cost = 2;
  static constexpr std::size_t max_repairs = 3;
  // Of what is right in a trial, where loops end by their turns: by itself it may never end. With a trace, and without.
  static constexpr double seconds_of_a_check = 8, seconds_of_a_run = 2;
  static constexpr double much_later = 1.3;     // times its time: then nothing that was found is checked any more
  static constexpr std::size_t max_ahead = 3;   // programs that are built beside the one that is tried
  static constexpr std::size_t max_beside = 7;  // copies that try changes beside the first
  static constexpr int max_rounds = 4;          // of such, where something else was wrong each time
  static constexpr int max_halves = 3;          // … times, of one that does something else without any change
  // Changes of a plan that cost more are said only where no change of a kernel is cheaper.
  static constexpr double dear_plan = 1.4;
  static constexpr std::size_t max_plan_edits = 400;
  static constexpr std::size_t max_alone = 40, max_of_macros = 160, barriers_of_driver = 20,
                               barriers_of_direct = 60;  // changes with a program each
  static constexpr double seconds_of_a_build = 4;        // of a trial that may compile, and never end
  static constexpr double seconds_of_a_trial = 0.5;      // of one that is compiled already; loops end by their turns

  struct File {
    std::string name;             // as traces name it
    std::filesystem::path place;  // below the plan's folder
    std::unique_ptr<Syntax> syntax;
  };
  struct LinesOf {
    std::size_t file = 0;
    int first = 0, last = 0;
  };
  struct Found {
    double cost = 0;
    std::size_t file = 0;
    SourceEdit edit;
    std::optional<PlanEdit> plan;
    bool order = false;    // a barrier or a fence
    int named = 0;         // the line that lacks it
    bool weighed = false;  // by other sizes of the problem
    bool holds = false;    // … and right for one of them
  };
  // The plan for another size of its problem, as its file is.
  struct OtherSize {
    PlanParameters given;
    Plan plan;
    TrialContents contents;
  };

  void read_files();

  // A plan with its sources, some of them other, in a folder of their own.
  Plan moved(const Plan& plan, const std::filesystem::path& folder,
             const std::function<std::string(std::size_t file)>& text_of) const;
  Plan moved(const std::filesystem::path& folder, const std::function<std::string(std::size_t file)>& text_of) const {
    return moved(plan_, folder, text_of);
  }

  void set_trial_options(Launch& launch) const;

  // Whether it is right on fresh inputs and on the plan's own.
  bool holds(const Plan& plan, const TrialContents& contents) const {
    return Trial(plan, *trials_, contents, reference_).right(plan.launches);
  }

  // What of an outcome is wrong, in a byte: 1 where all is right, 0 where a kernel did not end well.
  static constexpr std::uint8_t right_answer = 1, first_share = 2, share_steps = 200;
  static std::uint8_t answer_of(Trial& trial, const std::vector<Launch>& launches) {
    if (trial.right(launches)) return right_answer;
    return static_cast<std::uint8_t>(first_share + std::lround(share_steps * trial.wrong_share()));
  }
  static double share_of(std::uint8_t answer) {
    return answer < first_share ? 1 : static_cast<double>(answer - first_share) / share_steps;
  }
  // That, and in the byte above it how much what changed is what was wrong: 0 where that was not asked.
  using Answer = std::uint16_t;
  static constexpr int alike_bits = 8;
  static Answer with_alike(std::uint8_t answer, double alike) {
    return static_cast<Answer>(answer | (1 + std::lround(share_steps * alike)) << alike_bits);
  }
  static std::uint8_t outcome_in(Answer answer) { return static_cast<std::uint8_t>(answer & 0xff); }
  static std::optional<double> alike_in(Answer answer) {
    const int steps = answer >> alike_bits;
    return steps == 0 ? std::nullopt : std::optional(static_cast<double>(steps - 1) / share_steps);
  }
  // Whether a program of many changes leaves as much wrong without any as the plan itself: where compilers take one of the texts
  // for more than it says, what is tried in it is told wrong. A program that does not end well says nothing.
  bool as_it_was(std::uint8_t answer) const {
    constexpr double rounding = 0.02;
    if (as_it_is_ < first_share || answer == 0) return true;
    return answer >= first_share && std::abs(share_of(answer) - share_of(as_it_is_)) <= rounding;
  }

  // What `right` answers for 0 … count − 1. Kernels that a driver runs on this very thread may end the process.
  std::vector<Answer> outcomes(std::size_t count, double seconds, const std::function<Answer(std::size_t)>& right);

  // What the plan compares with, where it computes that itself.
  void read_reference();
  // Then what computes nothing else need not be changed: the outcome is held to what it leaves as it is.
  void note_functions_of_reference();
  bool of_reference(std::size_t file, const SourceEdit& edit) const {
    const int line = line_of(*files_[file].syntax, edit);
    return std::any_of(lines_of_reference_.begin(), lines_of_reference_.end(), [&](const LinesOf& lines) {
      return lines.file == file && lines.first <= line && line <= lines.last;
    });
  }
  void set_idle_aside();
  bool is_of_sizes(const Found& found) const;
  bool is_around_barrier(const Found& found) const;
  void ask_whether_wrong();
  bool directly() const { return trials_ != &runtime_; }
  std::size_t max_barriers() const { return directly() ? barriers_of_direct : barriers_of_driver; }
  void build_as_it_is();
  void plan_edits();
  void larger_local_memory();
  void other_buffers();
  struct Candidate {
    std::size_t file = 0;
    SourceEdit edit{};
    std::size_t number = 0;
    double key = 0;  // the smaller, the sooner
  };

  // Which lines linear algebra says can make all of the outcome right, and which not: their changes come sooner, or later.
  void find_lines();
  void read_located(const std::string& text);
  double located_shift(const LineScores::Place& place) const {
    const auto found = located_.find(place);
    return found == located_.end() ? 0 : static_cast<double>(found->second) / 100;
  }

  // The first program's changes alone, or all that follow it.
  void source_edits(SearchPhase phase);

  // The outcome is right, and something else is wrong: changes of the lines where that was seen are the likelier.
  void near_first(std::vector<Candidate>& all);
  std::set<LineScores::Place> places_seen();

  // Tried before anything is known of the lines, in programs that are quickly compiled.
  std::size_t first_changes() const { return options_.batch / 2; }
  void set_program_size();

  // After the first programs the order of what follows: all processes of a search have to take the changes in one.
  void likely_first(std::vector<Candidate>& all);
  LineScores::Place place_of(std::size_t file, const SourceEdit& edit) const {
    return {file, line_of(*files_[file].syntax, edit)};
  }
  double key_of(std::size_t file, const SourceEdit& edit) const {
    const LineScores::Place place = place_of(file, edit);
    return edit.cost - scores_.shift(place) - located_shift(place);
  }
  double key_of(const Found& found) const {
    return found.plan    ? found.cost - scores_.shift_elsewhere()
           : found.order ? found.cost
                         : key_of(found.file, found.edit);
  }

  // What is right by chance for the one size is seldom right for another: it costs more.
  void weigh_sizes();
  const std::vector<OtherSize>& other_sizes();
  bool holds_elsewhere(const Found& found);

  // What a change leaves wrong of the outcome says something of its line, where none makes all of it right.
  void note_share(const Candidate& one, Answer answer) {
    const std::uint8_t outcome = outcome_in(answer);
    if (outcome < first_share || !one.edit.also.empty() || wrong_share_ <= 0) return;
    scores_.note(place_of(one.file, one.edit), (wrong_share_ - share_of(outcome)) / wrong_share_, alike_in(answer));
  }
  std::optional<LikelyLine> likely() const;
  void tell_so_far();

  // What a change makes the program do over again, for no use, was hardly meant.
  static bool does_more(std::uint64_t work, std::uint64_t least) { return 10 * work > 11 * least; }

  // Of changes that are as likely the earliest: what comes later can often only make up for it.
  void earliest_first();

  // Copies of this process build the programs that come next, on processors that have nothing else to do: the driver, which keeps
  // what it builds in files, then has them at once.
  struct Ahead {
    std::size_t first = 0, end = 0;
    std::unique_ptr<CopyBeside> copy;
  };
  void build_ahead(std::size_t first, std::size_t end, SearchPhase phase);
  // Waits for the copy that builds these, if any does, and learns what it found out.
  void wait_for_copy(std::size_t first, std::size_t end);

  // A program that a compiler ended in is tried in parts.
  void try_range(std::size_t first, std::size_t end, SearchPhase phase);

  double cheapest_found() const {
    double least = std::numeric_limits<double>::infinity();
    for (const Found& one : found_) least = std::min(least, key_of(one));
    return least;
  }
  static Found found_of(PlanEdit edit) {
    Found found;
    found.cost = edit.cost;
    found.plan = std::move(edit);
    return found;
  }
  static Found found_of(const Candidate& candidate) {
    Found found;
    found.cost = candidate.edit.cost;
    found.file = candidate.file;
    found.edit = candidate.edit;
    return found;
  }
  // Notes that all of these were tried, and keeps those that are right.
  void add_right(
      SearchPhase phase, const std::vector<Answer>& right, const std::function<Found(std::size_t)>& found,
      const std::function<std::size_t(std::size_t)>& number = [](std::size_t k) { return k; });

  // What the loops of the program as it is need, and some more: with so many turns it leaves what it leaves with any.
  int log_turns(Trial& trial, std::vector<Launch>& launches);

  void some_of_each_line(std::vector<Candidate>& all) const;
  std::vector<bool> compared_ones(const std::vector<Candidate>& batch) const;
  // Edits that the compiler refuses go; the others are tried in one program.
  void try_batch(std::vector<Candidate> batch, int depth, SearchPhase phase);

  // What a macro's use was refused for is in the macro.
  std::set<std::size_t> edits_of_macros(const std::vector<Candidate>& batch) const;
  bool use_changed_macros(const std::vector<Candidate>& batch, const std::set<std::size_t>& refused) const;
  void note_unknown(const std::vector<Candidate>& batch, const std::string& log,
                    const std::function<std::vector<std::size_t>(const std::string&)>& edits_of);
  std::set<std::size_t> edits_of_unknown_names(const std::vector<Candidate>& batch, const std::string& log) const;
  static bool in_macro(const Syntax& syntax, std::uint32_t expression);

  std::shared_ptr<const TraceSource> traced(const Plan& plan);

  Plan with(const Found& found, const std::string& text, const std::filesystem::path& folder) const;

  // Of the changes that make the outcome right those that leave nothing else wrong, the cheapest first.
  // `order_first`: where that is what they leave wrong, all but the first few wait in later_.
  void verify_found(std::size_t at_most, SearchPhase phase = SearchPhase::Checking, bool order_first = false);

  // A plan's change that makes all of it right is kept for want of a better one, before a long search for that.
  void check_dear_plans();

  void without_one(const Found& found);

  // The repair as JSON; empty where something is wrong with it, `order_left` where that is the order of accesses.
  static constexpr std::string_view order_left = "order";
  std::string verified(const Found& found);
  // In a copy of this process, which it may end, or never end in.
  // `order` is told whether the order alone was wrong; then there is no repair.
  std::string verified_in_copy(const Found& found, bool* order = nullptr);
  bool right_in_time(Trial& trial, const std::vector<Launch>& launches) const;

  static std::uint64_t work_of(const TraceInfo& info) {
    std::uint64_t all = info.steps;
    for (const LaunchInfo& launch : info.launches) all += launch.accesses.kept;
    return all;
  }

  const std::shared_ptr<const TraceSource>& before() {
    if (!before_) before_ = traced(plan_);
    return before_;
  }

  // Changes that need a program of their own each, so few of them.
  void missing();
  void constants();
  void try_alone(SearchPhase phase, const std::vector<Candidate>& all);
  // Numbers that the outcome depends on linearly: one other value of such a number, and what is right follows.
  void solve_numbers();
  // How far the outcome is from what it should be; empty: not known.
  std::vector<std::complex<double>> apart_with(const Plan& plan) const;

  // A race, or memory that is read before another item writes it: a barrier may be missing, or wait for other memory.
  void barriers();
  void drop_useless_barriers();
  static bool is_more_order(const Found& one);
  bool try_barriers();
  void drop_barriers_together();
  // "FILE:LINE" for each place of an error of memory or barriers, of the order alone or of any; before it whose memory: "local" or
  // "global".
  std::string errors_seen(bool order_alone);

  // Whether the plan as it is ends well while it is traced: else nothing can be told of what a repair does otherwise.
  bool runs_as_it_is();

  Repair described(const Found& found, const std::string& text) const;

  const Plan& plan_;
  Runtime& runtime_;
  Runtime* trials_;  // what trials run on: direct_, where it can run them
  Runtime* direct_;
  const RepairOptions& options_;
  bool cuda_;
  SearchProgress progress_;
  std::vector<File> files_;
  std::set<std::string> functions_;
  bool grids_ = false;                             // a grid may have a barrier of its own
  TrialContents contents_, probed_, spread_;       // `probed_`: these, and sparse ones
  std::vector<std::vector<std::byte>> reference_;  // with each content, what the plan computes to compare with
  std::vector<LinesOf> lines_of_reference_;        // functions that compute nothing but that
  std::uint64_t items_ = 0, item_runs_ = 0;
  bool wrong_ = true;          // the outcome, as it is
  double slowness_ = 1;        // seconds by the clock for one of the processor's
  std::uint8_t as_it_is_ = 0;  // … as answer_of says it
  double trial_seconds_ = seconds_of_a_trial, seconds_of_a_plan_ = seconds_of_a_build;
  double seconds_of_arguments_ = seconds_of_a_build;  // of a trial that differs in its arguments
  double wrong_share_ = 1;                            // of the outcome, as it is
  std::size_t program_size_ = options_.batch;         // changes in one, after the first programs
  bool optimised_ = false;                            // programs of many changes
  std::vector<ProgramBuild> builds_;                  // of the first programs
  std::vector<Ahead> ahead_;
  bool only_builds_ = false;       // this is such a copy
  double built_ahead_ = 0;         // seconds that a copy took for the program that comes next; in a copy, its own
  std::set<std::size_t> refused_;  // by a compiler: candidates of this phase, by their number
  UnknownNames unknown_;
  LineScores scores_;
  std::map<LineScores::Place, int> located_;  // in hundredths of a cost
  std::shared_ptr<const TraceSource> before_;
  std::optional<bool> runs_as_it_is_;
  std::vector<Candidate> candidates_;
  std::optional<SearchPhase> ordered_;  // what the candidates are in order for
  std::set<SearchPhase> recalled_;      // those of which what earlier processes found is among what was found
  bool kernels_of_macros_ = false;      // something else makes kernels: no program of many changes can be made
  std::vector<Candidate> alone_;        // then, the changes of macros
  std::vector<Found> found_, later_;
  std::optional<std::vector<OtherSize>> sizes_;
  std::vector<Repair> dear_;  // of the plan, checked: said where nothing better comes
  Repaired result_;
};

}  // namespace twiddle
