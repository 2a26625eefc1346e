#include "tracer/repair/repair.h"

#include "base/error.h"
#include "base/temporary_folder.h"
#include "tracer/checks/check.h"
#include "tracer/repair/copies.h"
#include "tracer/repair/difference.h"
#include "tracer/repair/edits/edits.h"
#include "tracer/repair/line_scores.h"
#include "tracer/repair/plan_edits.h"
#include "tracer/repair/schema.h"
#include "tracer/repair/search_progress.h"
#include "tracer/repair/trial.h"
#include "tracer/run/tracer.h"
#include "tracer/store/memory_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <tuple>

namespace fs = std::filesystem;

namespace twiddle {
namespace {

constexpr std::size_t trials = 4;
constexpr std::size_t least_halves = 25;
constexpr double dear_plan =
    1.4;  // changes of a plan that cost more are said only where no change of a kernel is cheaper
constexpr std::size_t most_alone = 40, most_barriers = 20;  // changes with a program each
constexpr double seconds_of_a_build = 4;                    // of a trial that may compile, and never end
constexpr double seconds_of_a_trial = 0.5;                  // of one that is compiled already; loops end by their turns

struct File {
  std::string name;  // as traces name it
  fs::path place;    // below the plan's folder
  std::unique_ptr<Syntax> syntax;
};

class Search {
 public:
  Search(const Plan& plan, Runtime& runtime, const RepairOptions& options)
      : plan_(plan),
        runtime_(runtime),
        options_(options),
        cuda_(runtime.source_extension() != ".cl"),
        progress_(options) {}

  Repaired run() {
    read_files();
    contents_ = trial_contents(plan_, trials);
    for (const Launch& launch : plan_.launches) items_ += launch.global[0] * launch.global[1] * launch.global[2];
    if (items_ * 200 > options_.max_item_runs) {
      result_.unsearched.push_back(fmt::format(
          "no repair was searched: a run of the plan has {} work-items, and the search runs it hundreds of times",
          items_));
      return std::move(result_);
    }
    // A program of many changes is tried sooner than one that a driver builds anew for each change of a launch.
    ask_whether_wrong();
    if (wrong_) source_edits(SearchPhase::First);
    if (wrong_) plan_edits();
    const bool unordered = found_.empty();
    if (unordered) barriers();
    const bool all = wrong_ && result_.repairs.empty() && cheapest_found() > dear_plan;
    if (all) source_edits(SearchPhase::Source);
    verify_found(options_.max_checked);
    if (!unordered && result_.repairs.empty()) barriers();
    // What made the outcome right left something else wrong.
    if (wrong_ && !all && result_.repairs.empty()) {
      source_edits(SearchPhase::Rest);
      verify_found(options_.max_checked, SearchPhase::CheckingRest);
    }
    if (!wrong_ && result_.repairs.empty()) {
      source_edits(SearchPhase::Seen);
      verify_found(2 * options_.max_checked, SearchPhase::CheckingSeen);
    }
    if (wrong_ && result_.repairs.empty()) constants();
    earliest_first();
    if (result_.repairs.empty()) likely_line();
    for (Repair& repair : result_.repairs) repair.tried = progress_.tried();
    if (result_.repairs.empty())
      result_.unsearched.push_back(
          progress_.stopped()      ? fmt::format("the search for a repair ended after {} changes", progress_.tried())
          : progress_.tried() == 0 ? std::string("no repair was searched: the outcome is right, as the search runs it")
                                   : fmt::format("none of the {} changes that were tried makes {} right",
                                                 progress_.tried(), wrong_ ? "the outcome" : "it"));
    return std::move(result_);
  }

 private:
  struct Found {
    double cost = 0;
    std::size_t file = 0;
    SourceEdit edit;
    std::optional<PlanEdit> plan;
    bool order = false;  // a barrier or a fence
    int named = 0;       // the line that lacks it
  };

  void read_files() {
    for (const Launch& launch : plan_.launches) {
      const KernelSource source = kernel_source(plan_, launch, runtime_.source_extension());
      const fs::path folder = fs::path(launch.source).parent_path();
      for (const SourceText& text : source_files(source)) {
        const fs::path place = folder / text.name;
        if (std::any_of(files_.begin(), files_.end(), [&](const File& file) { return file.place == place; })) continue;
        files_.push_back({text.name, place, std::make_unique<Syntax>()});
        read_syntax(text.text, *files_.back().syntax);
        grids_ = grids_ || text.text.find("this_grid") != std::string::npos;
        for (const Function& one : files_.back().syntax->functions)
          if (!one.kernel) functions_.insert(one.name);
      }
    }
    // "f(void)" takes nothing more.
    for (const File& file : files_)
      for (const Function& one : file.syntax->functions)
        if (one.close == one.open + 2 && file.syntax->lexemes[one.open + 1].is("void")) functions_.erase(one.name);
  }

  // The plan with its sources, some of them other, in a folder of their own.
  Plan moved(const fs::path& folder, const std::function<std::string(std::size_t file)>& text_of) const {
    Plan plan = plan_;
    plan.directory = folder;
    for (Buffer& buffer : plan.buffers)
      if (buffer.content.kind == Content::Kind::File)
        buffer.content.file = fs::absolute(plan_.directory / buffer.content.file).string();
    if (plan.signal.starts_with("file:"))
      plan.signal = "file:" + fs::absolute(plan_.directory / plan.signal.substr(5)).string();
    for (std::size_t f = 0; f < files_.size(); ++f) {
      const fs::path file = folder / files_[f].place;
      fs::create_directories(file.parent_path());
      std::ofstream(file, std::ios::binary) << text_of(f);
    }
    return plan;
  }

  // Whether it is right on fresh inputs and on the plan's own.
  bool holds(const Plan& plan, const TrialContents& contents) const {
    return Trial(plan, runtime_, contents, reference_).right(plan.launches);
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

  // What `right` answers for 0 … count − 1. Kernels that a driver runs on this very thread may end the process.
  std::vector<std::uint8_t> outcomes(std::size_t count, double seconds,
                                     const std::function<std::uint8_t(std::size_t)>& right) const {
    if (options_.forks) return answers_of_copies(count, seconds, right);
    std::vector<std::uint8_t> good(count);
    for (std::size_t k = 0; k < count; ++k) good[k] = right(k);
    return good;
  }

  // What the plan compares with, where it computes that itself.
  void read_reference() {
    const auto held = computed_reference(plan_);
    if (!held) return;
    const std::string all = text_of_copy(options_.forks, [&] {
      Trial trial(plan_, runtime_, contents_, reference_);
      std::string text;
      for (std::size_t k = 0; k < contents_.size(); ++k) {
        const auto left = trial.left(plan_.launches, k);
        if (left.empty()) return std::string();
        text.append(reinterpret_cast<const char*>(left[*held].data()), left[*held].size());
      }
      return text;
    });
    const std::size_t size = contents_[0][*held].size();
    if (size == 0 || all.size() != size * contents_.size()) return;
    const auto* bytes = reinterpret_cast<const std::byte*>(all.data());
    for (std::size_t k = 0; k < contents_.size(); ++k)
      reference_.emplace_back(bytes + k * size, bytes + (k + 1) * size);
  }
  void ask_whether_wrong() {
    read_reference();
    Trial trial(plan_, runtime_, contents_, reference_);
    const auto begun = std::chrono::steady_clock::now();
    const std::uint8_t answer =
        outcomes(1, seconds_of_a_build, [&](std::size_t) { return answer_of(trial, plan_.launches); })[0];
    wrong_ = answer != right_answer;
    wrong_share_ = share_of(answer);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    seconds_of_a_plan_ = std::min(seconds_of_a_build, seconds_of_a_trial + 2 * took.count());
  }
  void plan_edits() {
    std::vector<PlanEdit> edits = edits_of_plan(plan_, 400);
    edits.resize(std::min<std::size_t>(edits.size(), options_.max_item_runs / 4 / items_));
    Trial trial(plan_, runtime_, contents_, reference_);
    const double most = cheapest_found() + 0.4;  // dearer ones are not said
    const std::vector<std::uint8_t> right = outcomes(edits.size(), seconds_of_a_plan_, [&](std::size_t k) {
      if (progress_.known_right(SearchPhase::Plan, k)) return true;
      if (edits[k].cost > most || !progress_.begins(SearchPhase::Plan, k)) return false;
      try {
        const Plan& plan = *edits[k].plan;
        return edits[k].same_buffers ? trial.right(plan.launches) : holds(plan, trial_contents(plan, trials));
      } catch (const Error&) { return false; }
    });
    add_right(SearchPhase::Plan, right, [&](std::size_t k) {
      Found found;
      found.cost = edits[k].cost;
      found.plan = std::move(edits[k]);
      return found;
    });
  }
  struct Candidate {
    std::size_t file = 0;
    SourceEdit edit{};
    std::size_t number = 0;
    double key = 0;  // the smaller, the sooner
  };

  // The first program's changes alone, or all that follow it.
  void source_edits(SearchPhase phase) {
    std::vector<Candidate>& all = candidates_;
    if (all.empty())
      for (std::size_t f = 0; f < files_.size(); ++f)
        for (SourceEdit& edit : edits_of(*files_[f].syntax, options_.max_edits)) all.push_back({f, std::move(edit)});
    if (phase == SearchPhase::Seen) near_first(all);
    for (Candidate& one : all) one.key = one.edit.cost;
    std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.key < b.key; });
    if (phase == SearchPhase::Source || phase == SearchPhase::Rest) likely_first(all);
    if (all.size() > options_.max_edits) all.resize(options_.max_edits);
    // The cheapest are often enough, and quickly compiled. Edits of one expression follow one another in their program.
    std::vector<std::size_t> ends;
    for (std::size_t from = 0; from < all.size(); from = ends.back()) {
      ends.push_back(std::min(from + (from == 0 ? options_.batch / 2 : options_.batch), all.size()));
      std::stable_sort(
          all.begin() + static_cast<std::ptrdiff_t>(from), all.begin() + static_cast<std::ptrdiff_t>(ends.back()),
          [](const Candidate& a, const Candidate& b) {
            return std::tuple(a.file, a.edit.place, a.edit.target) < std::tuple(b.file, b.edit.place, b.edit.target);
          });
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
      all[k].number = k;
      if (progress_.known_right(phase, k)) found_.push_back(found_of(all[k]));
    }
    std::size_t from = 0;
    for (const std::size_t end : ends) {
      if ((from == 0) != (phase == SearchPhase::First || phase == SearchPhase::Seen)) {
        from = end;
        continue;
      }
      const std::size_t first = progress_.first_left(phase, from, end);
      from = end;
      if (first == end) continue;
      double cheapest = all[first].key;
      for (std::size_t k = first; k < end; ++k) cheapest = std::min(cheapest, all[k].key);
      // One of the changes found before is cheaper than all that is left.
      if (cheapest > cheapest_found() + 0.4) return;
      if (item_runs_ > options_.max_item_runs || progress_.late()) {
        progress_.stop();
        return;
      }
      try_range(first, end, phase);
    }
  }

  // The outcome is right, and something else is wrong: changes of the lines where that was seen are the likelier.
  void near_first(std::vector<Candidate>& all) {
    const std::set<LineScores::Place> lines = places_seen();
    for (Candidate& one : all)
      if (!lines.count(place_of(one.file, one.edit))) one.edit.cost += 1;
    if (lines.empty()) all.clear();
  }
  std::set<LineScores::Place> places_seen() {
    std::istringstream seen(text_of_copy(options_.forks, [&] { return errors_seen(false); }));
    std::set<LineScores::Place> places;
    for (std::string word; seen >> word;)
      if (const std::size_t colon = word.find(':'); colon != std::string::npos)
        places.insert({std::stoul(word), std::stoi(word.substr(colon + 1))});
    return places;
  }

  // After the first program the order of what follows: all processes of a search have to take the changes in one.
  void likely_first(std::vector<Candidate>& all) {
    if (!progress_.order().empty()) {  // decided before a copy of this search ended
      scores_.read(progress_.order());
    } else {
      for (const auto& place : places_seen()) scores_.note_seen(place);
      if (!scores_.decide()) return;
      progress_.note_order(scores_.text());
    }
    const std::size_t first = std::min(all.size(), options_.batch / 2);
    for (std::size_t k = first; k < all.size(); ++k) all[k].key = key_of(all[k].file, all[k].edit);
    std::stable_sort(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(),
                     [](const Candidate& a, const Candidate& b) { return a.key < b.key; });
  }
  LineScores::Place place_of(std::size_t file, const SourceEdit& edit) const {
    return {file, line_of(*files_[file].syntax, edit)};
  }
  double key_of(std::size_t file, const SourceEdit& edit) const {
    return edit.cost - scores_.shift(place_of(file, edit));
  }
  double key_of(const Found& found) const {
    return found.plan    ? found.cost - scores_.shift_elsewhere()
           : found.order ? found.cost
                         : key_of(found.file, found.edit);
  }

  // What a change leaves wrong of the outcome says something of its line, where none makes all of it right.
  void note_share(const Candidate& one, std::uint8_t answer) {
    if (answer < first_share || !one.edit.also.empty() || wrong_share_ <= 0) return;
    scores_.note(place_of(one.file, one.edit), (wrong_share_ - share_of(answer)) / wrong_share_);
  }
  void likely_line() {
    if (!wrong_) return;
    if (const auto likeliest = scores_.likeliest())
      result_.likely = LikelyLine{files_[likeliest->first.first].name, likeliest->first.second, likeliest->second};
  }

  // What a change makes the program do over again, for no use, was hardly meant.
  static bool does_more(std::uint64_t work, std::uint64_t least) { return 10 * work > 11 * least; }

  // Of changes that are as likely the earliest: what comes later can often only make up for it.
  void earliest_first() {
    constexpr double alike = 0.05;
    std::vector<Repair>& all = result_.repairs;
    const auto later = std::find_if(all.begin(), all.end(), [&](const Repair& one) {
      return one.plan || one.order || one.file != all[0].file || one.cost > all[0].cost + alike;
    });
    if (later == all.begin()) return;
    const auto least =
        std::min_element(all.begin(), later, [](const Repair& a, const Repair& b) { return a.work < b.work; })->work;
    std::stable_sort(all.begin(), later, [least](const Repair& a, const Repair& b) {
      return std::pair(does_more(a.work, least), a.line) < std::pair(does_more(b.work, least), b.line);
    });
  }

  // A program that a compiler ended in is tried in two halves.
  void try_range(std::size_t first, std::size_t end, SearchPhase phase) {
    if (first >= end || progress_.late()) return;
    if (progress_.crashed(first, end)) {
      const std::size_t middle = first + (end - first) / 2;
      if (end - first < 2 * least_halves) return;
      try_range(first, middle, phase);
      try_range(middle, end, phase);
      return;
    }
    progress_.note_compiles(phase, first, end);
    try_batch(std::vector<Candidate>(candidates_.begin() + static_cast<std::ptrdiff_t>(first),
                                     candidates_.begin() + static_cast<std::ptrdiff_t>(end)),
              0, phase);
  }

  double cheapest_found() const {
    double least = std::numeric_limits<double>::infinity();
    for (const Found& one : found_) least = std::min(least, key_of(one));
    return least;
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
      SearchPhase phase, const std::vector<std::uint8_t>& right, const std::function<Found(std::size_t)>& found,
      const std::function<std::size_t(std::size_t)>& number = [](std::size_t k) { return k; }) {
    progress_.note_tried(right.size());
    for (std::size_t k = 0; k < right.size(); ++k) {
      if (right[k] != right_answer) continue;
      progress_.note_right(phase, number(k));
      found_.push_back(found(k));
    }
  }

  // What the loops of the program as it is need, and some more: with so many turns it leaves what it leaves with any.
  int log_turns(Trial& trial, std::vector<Launch>& launches) {
    const auto left = [&](int turns) {
      for (Launch& launch : launches) launch.arguments.back() = int_argument(schema_number(0, turns));
      return trial.left(launches, 0);
    };
    constexpr int fewest = 5, most = 12;
    const auto begun = std::chrono::steady_clock::now();
    const std::vector<std::uint8_t> enough = outcomes(most - fewest, seconds_of_a_build, [&](std::size_t k) {
      const auto all = left(max_log_turns);
      return !all.empty() && left(fewest + static_cast<int>(k)) == all;
    });
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    trial_seconds_ = seconds_of_a_trial + took.count();
    const int turns = fewest + static_cast<int>(std::find(enough.begin(), enough.end(), 1) - enough.begin());
    return turns + 2;
  }

  // Edits that the compiler refuses go; the others are tried in one program.
  void try_batch(std::vector<Candidate> batch, int depth, SearchPhase phase) {
    for (int attempt = 0; attempt < 12 && !batch.empty() && !progress_.late(); ++attempt) {
      std::vector<Schema> schemas(files_.size());
      std::vector<std::vector<SourceEdit>> edits(files_.size());
      std::vector<std::vector<std::size_t>> which(files_.size());
      for (std::size_t k = 0; k < batch.size(); ++k) {
        edits[batch[k].file].push_back(batch[k].edit);
        which[batch[k].file].push_back(k);
      }
      std::vector<std::uint32_t> first(files_.size());
      std::uint32_t next = 1;
      for (std::size_t f = 0; f < files_.size(); ++f) {
        first[f] = next;
        next += static_cast<std::uint32_t>(edits[f].size());
        schemas[f] = schema_of(*files_[f].syntax, edits[f], first[f], cuda_, f == 0, functions_);
      }
      const TemporaryFolder folder;
      Plan plan = moved(folder.path(), [&](std::size_t f) { return schemas[f].text; });
      for (Launch& launch : plan.launches) {
        launch.options.push_back(cuda_ ? "-O0" : "-cl-opt-disable");
        launch.arguments.push_back(int_argument(-1));
      }
      try {
        Trial trial(plan, runtime_, contents_, reference_);
        trial.left(plan.launches, 0);  // built here, run in copies of this process
        const int turns = log_turns(trial, plan.launches);
        std::vector<std::uint32_t> number_of(batch.size());
        for (std::size_t f = 0; f < files_.size(); ++f)
          for (std::size_t e = 0; e < which[f].size(); ++e)
            number_of[which[f][e]] = first[f] + static_cast<std::uint32_t>(e);
        const std::vector<std::uint8_t> right = outcomes(batch.size(), trial_seconds_, [&](std::size_t k) {
          for (Launch& launch : plan.launches)
            launch.arguments.back() = int_argument(schema_number(number_of[k], turns));
          return progress_.begins(phase, batch[k].number) ? answer_of(trial, plan.launches) : std::uint8_t(0);
        });
        for (std::size_t k = 0; k < batch.size(); ++k) note_share(batch[k], right[k]);
        add_right(
            phase, right, [&](std::size_t k) { return found_of(batch[k]); },
            [&](std::size_t k) { return batch[k].number; });
        item_runs_ += batch.size() * items_;
        return;
      } catch (const Error& error) {
        const std::string log = error.message().english();
        std::set<std::size_t> refused;
        if (log.find("does not compile") != std::string::npos)
          for (std::size_t f = 0; f < files_.size(); ++f)
            for (const std::uint32_t e : edits_refused(schemas[f], files_[f].name, log)) refused.insert(which[f][e]);
        if (refused.empty()) {
          // What a macro's use is refused for is in the macro, and no message names it.
          const std::set<std::size_t> macros = edits_of_macros(batch);
          if (macros.size() == 1 && batch.size() == 1) return;
          if (!macros.empty()) {
            std::vector<Candidate> within, others;
            for (std::size_t k = 0; k < batch.size(); ++k) (macros.count(k) ? within : others).push_back(batch[k]);
            if (others.empty()) {
              const auto middle = within.begin() + static_cast<std::ptrdiff_t>(within.size() / 2);
              others.assign(within.begin(), middle);
              within.erase(within.begin(), middle);
            }
            try_batch(std::move(others), depth, phase);
            try_batch(std::move(within), depth, phase);
            return;
          }
        }
        if (refused.empty())
          for (std::size_t f = 0; f < files_.size(); ++f)
            for (const std::uint32_t e : edits_of_lines(schemas[f], files_[f].name, log)) refused.insert(which[f][e]);
        if (refused.empty()) {
          if (batch.size() < 40 || depth > 3) return;
          // No message points at one: halves.
          const auto middle = batch.begin() + static_cast<std::ptrdiff_t>(batch.size() / 2);
          try_batch(std::vector<Candidate>(batch.begin(), middle), depth + 1, phase);
          try_batch(std::vector<Candidate>(middle, batch.end()), depth + 1, phase);
          return;
        }
        std::vector<Candidate> left;
        for (std::size_t k = 0; k < batch.size(); ++k)
          if (!refused.count(k)) left.push_back(std::move(batch[k]));
        batch = std::move(left);
      }
    }
  }

  // What a macro's use was refused for is in the macro.
  std::set<std::size_t> edits_of_macros(const std::vector<Candidate>& batch) const {
    std::set<std::size_t> all;
    for (std::size_t k = 0; k < batch.size(); ++k) {
      const Syntax& syntax = *files_[batch[k].file].syntax;
      if (batch[k].edit.place == SourceEdit::Place::Expression &&
          syntax.statements[syntax.expressions[batch[k].edit.target].statement].kind == Statement::Kind::Macro)
        all.insert(k);
    }
    return all;
  }

  std::shared_ptr<const TraceSource> traced(const Plan& plan) {
    MemoryTrace trace;
    TraceOptions options;
    const TraceOutcome outcome = trace_plan(plan, runtime_, options, trace);
    return trace.finish(!outcome.stopped && !outcome.cancelled);
  }

  Plan with(const Found& found, const std::string& text, const fs::path& folder) const {
    if (found.plan) return *found.plan->plan;
    return moved(folder, [&](std::size_t f) { return f == found.file ? text : files_[f].syntax->text; });
  }

  // Of the changes that make the outcome right those that leave nothing else wrong, the cheapest first.
  void verify_found(std::size_t at_most, SearchPhase phase = SearchPhase::Checking) {
    std::stable_sort(found_.begin(), found_.end(),
                     [&](const Found& a, const Found& b) { return key_of(a) < key_of(b); });
    std::size_t checked = 0;
    double best_key = std::numeric_limits<double>::infinity();  // of the repairs
    for (const Found& found : found_) {
      if (checked == at_most || result_.repairs.size() == 3) break;
      if (!result_.repairs.empty() && (key_of(found) > best_key + 0.5 || progress_.late())) break;
      if (!progress_.begins_check(phase, checked++)) continue;
      const std::string repair = text_of_copy(options_.forks, [&] { return verified(found); });
      if (repair.empty()) continue;
      result_.repairs.push_back(repaired_from_json(repair).repairs.at(0));
      best_key = std::min(best_key, key_of(found));
    }
    found_.clear();
  }

  // The repair as JSON; empty where something is wrong with it.
  std::string verified(const Found& found) {
    const TemporaryFolder folder;
    const std::string text = found.plan ? std::string() : applied(*files_[found.file].syntax, found.edit);
    const Plan plan = with(found, text, folder.path());
    if (!found.plan && !holds(plan, contents_)) return {};
    const auto after = traced(plan);
    Replay replay(after);
    const std::vector<Finding> findings = check_trace(replay);
    if (!after->info().complete ||
        std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return f.severity == Severity::Error; }))
      return {};
    Repaired one;
    one.repairs.push_back(described(found, text));
    one.repairs[0].work = work_of(after->info());
    try {
      describe_difference(*before(), *after, one.repairs[0]);
    } catch (const Error&) {}
    return to_json(one);
  }

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
  void constants() {
    std::vector<Candidate> all;
    for (std::size_t f = 0; f < files_.size(); ++f)
      for (SourceEdit& edit : constant_edits(*files_[f].syntax)) all.push_back({f, std::move(edit)});
    if (all.size() > most_alone) all.resize(most_alone);
    const std::vector<std::uint8_t> right = outcomes(all.size(), seconds_of_a_plan_, [&](std::size_t k) {
      if (progress_.known_right(SearchPhase::Constants, k)) return true;
      if (!progress_.begins(SearchPhase::Constants, k)) return false;
      const TemporaryFolder folder;
      const Found found = found_of(all[k]);
      const Plan plan = with(found, applied(*files_[found.file].syntax, found.edit), folder.path());
      try {
        return holds(plan, contents_);
      } catch (const Error&) { return false; }  // a table of another size does not compile
    });
    add_right(SearchPhase::Constants, right, [&](std::size_t k) { return found_of(all[k]); });
    progress_.begin_again(SearchPhase::Checking);
    verify_found(options_.max_checked);
  }

  // A race, or memory that is read before another item writes it: a barrier may be missing, or wait for other memory.
  void barriers() {
    std::size_t number = 0;
    std::istringstream seen(text_of_copy(options_.forks, [&] { return errors_seen(true); }));
    std::map<std::size_t, std::set<int>> lines, all;
    bool local = false, between = false, unwritten = false;
    for (std::string word; seen >> word;) {
      unwritten = unwritten || word == "unwritten";
      if (word == "local") local = true;
      if (word == "between" || word == "within") between = word == "between";
      const std::size_t colon = word.find(':');
      if (colon == std::string::npos) continue;
      all[std::stoul(word)].insert(std::stoi(word.substr(colon + 1)));
      if (!between || grids_) lines[std::stoul(word)].insert(std::stoi(word.substr(colon + 1)));
    }
    for (const auto& [f, places] : all)
      for (SourceEdit& edit : atomic_edits(*files_[f].syntax, places, cuda_))
        found_.push_back(found_of({f, std::move(edit)}));
    for (std::size_t f = 0; f < files_.size() && unwritten; ++f)
      for (SourceEdit& edit : initialising_edits(*files_[f].syntax)) found_.push_back(found_of({f, std::move(edit)}));
    for (const auto& [f, places] : lines)
      for (SourceEdit& edit : barrier_edits(*files_[f].syntax, places, cuda_, local))
        if (number++ < most_barriers) {
          found_.push_back(found_of({f, std::move(edit)}));
          found_.back().order = true;
          found_.back().named = line_after(*files_[f].syntax, found_.back().edit, places);
        }
    progress_.note_tried(found_.size());
    verify_found(most_barriers, SearchPhase::Barriers);
  }
  // "FILE:LINE" for each place of an error of memory or barriers, of the order alone or of any; "local" where it is of local
  // memory.
  std::string errors_seen(bool order_alone) {
    std::string text;
    Replay replay(before());
    const TraceInfo& info = before()->info();
    for (const Finding& finding : check_trace(replay)) {
      const bool order = finding.kind == FindingClass::Race || finding.kind == FindingClass::UninitialisedRead ||
                         finding.kind == FindingClass::BarrierDivergence ||
                         finding.kind == FindingClass::InconsistentRead;
      // Where a value is last stored is seldom where it became wrong.
      const bool wanted = order_alone ? order : finding.kind != FindingClass::WrongValue;
      if (!wanted || finding.severity != Severity::Error || finding.source < 0) continue;
      if (finding.kind == FindingClass::UninitialisedRead) text += "unwritten ";
      const BufferInfo* buffer = info.buffer(finding.buffer);
      // A group's barrier orders nothing between groups.
      const bool local_memory = buffer && buffer->space == Space::Local;
      if (finding.kind == FindingClass::Race && !local_memory && finding.items.size() > 1 && finding.launch > 0) {
        const auto size =
            std::max<std::uint64_t>(info.launches[static_cast<std::size_t>(finding.launch) - 1].group_size(), 1);
        text += finding.items[0] / size != finding.items[1] / size ? "between " : "within ";
      } else {
        text += "within ";
      }
      if (buffer && buffer->space == Space::Local) text += "local ";
      for (std::size_t f = 0; f < files_.size(); ++f)
        if (info.sources[static_cast<std::size_t>(finding.source)].name == files_[f].name)
          for (const int line : {shown_line(finding), finding.other_line})
            if (line > 0) text += fmt::format("{}:{} ", f, line);
    }
    return text;
  }

  Repair described(const Found& found, const std::string& text) const {
    Repair repair;
    repair.cost = found.cost;
    repair.tried = progress_.tried();
    if (found.plan) {
      repair.plan = true;
      repair.file = plan_.algorithm;
      repair.line = found.plan->line;
      repair.is = found.plan->is;
      repair.should = found.plan->should;
      repair.was = found.plan->was;
      repair.text = found.plan->text;
      return repair;
    }
    const File& file = files_[found.file];
    repair.file = file.name;
    const auto [first, last] = lines_of(*file.syntax, found.edit);
    const auto lines_in = [](const std::string& whole) {
      return static_cast<int>(std::count(whole.begin(), whole.end(), '\n'));
    };
    repair.line = first;
    repair.is = lines_of_text(file.syntax->text, first, last);
    repair.should = lines_of_text(text, first, last + lines_in(text) - lines_in(file.syntax->text));
    repair.order = found.order;
    repair.named = found.named;
    if (found.edit.place == SourceEdit::Place::Expression && found.edit.also.empty()) {
      repair.was = std::string(file.syntax->spelling(file.syntax->expressions[found.edit.target]));
      repair.text = found.edit.text;
    }
    return repair;
  }

  const Plan& plan_;
  Runtime& runtime_;
  const RepairOptions& options_;
  bool cuda_;
  SearchProgress progress_;
  std::vector<File> files_;
  std::set<std::string> functions_;
  bool grids_ = false;  // a grid may have a barrier of its own
  TrialContents contents_;
  std::vector<std::vector<std::byte>> reference_;  // with each content, what the plan computes to compare with
  std::uint64_t items_ = 0, item_runs_ = 0;
  bool wrong_ = true;  // the outcome, as it is
  double trial_seconds_ = seconds_of_a_trial, seconds_of_a_plan_ = seconds_of_a_build;
  double wrong_share_ = 1;  // of the outcome, as it is
  LineScores scores_;
  std::shared_ptr<const TraceSource> before_;
  std::vector<Candidate> candidates_;
  std::vector<Found> found_;
  Repaired result_;
};

}  // namespace

Repaired search_repair(const Plan& plan, Runtime& runtime, const RepairOptions& options) {
  return Search(plan, runtime, options).run();
}

}  // namespace twiddle
