#include "tracer/repair/repair.h"

#include "base/error.h"
#include "base/write_file.h"
#include "tracer/repair/copies.h"
#include "tracer/repair/schema.h"
#include "tracer/repair/search.h"
#include "tracer/source/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace fs = std::filesystem;

namespace twiddle {

Repaired RepairSearch::run() {
  read_files();
  items_ = items_of(plan_);
  if (items_ * 200 > options_.max_item_runs) {
    result_.unsearched.push_back(fmt::format(
        "no repair was searched: a run of the plan has {} work-items, and the search runs it hundreds of times",
        items_));
    return std::move(result_);
  }
  probed_ = contents_ = trial_contents(plan_, trials);
  for (auto& sparse : sparse_contents(plan_, contents_)) probed_.push_back(std::move(sparse));
  constexpr std::size_t max_spread = 128, max_spread_bytes = std::size_t(256) << 20;
  spread_ = spread_contents(plan_, contents_, max_spread, max_spread_bytes);
  // A program of many changes is tried sooner than one that a driver builds anew for each change of a launch.
  ask_whether_wrong();
  if (wrong_) find_lines();
  if (wrong_) source_edits(SearchPhase::First);
  if (wrong_) plan_edits();
  if (wrong_) solve_numbers();
  if (wrong_) missing();
  // Fewer items in a group often only hide that a barrier is missing. They may hide more than that: changes of a kernel come first.
  // And where a condition that holds for all items is right, it may be the barrier in it that not all of them came to.
  const bool unordered =
      std::all_of(found_.begin(), found_.end(), [&](const Found& one) { return is_of_sizes(one); }) ||
      std::any_of(found_.begin(), found_.end(), [&](const Found& one) { return is_around_barrier(one); });
  if (unordered) {
    std::vector<Found> others = std::exchange(found_, {});
    barriers();
    if (result_.repairs.empty()) found_ = std::move(others);
  }
  weigh_sizes();
  const bool all = wrong_ && result_.repairs.empty() && cheapest_found() > dear_plan;
  if (all) check_dear_plans();
  if (all) source_edits(SearchPhase::Source);
  // What made the outcome right left something else wrong: on with the changes behind it.
  for (int round = 1; all && round < max_rounds && !found_.empty() && !progress_.late(); ++round) {
    verify_found(options_.max_checked);
    if (!result_.repairs.empty()) break;
    progress_.begin_again(SearchPhase::Checking);
    source_edits(SearchPhase::First);
    source_edits(SearchPhase::Source);
  }
  if (!wrong_ && result_.repairs.empty()) {
    larger_local_memory();
    other_buffers();
  }
  verify_found(options_.max_checked, SearchPhase::Checking, !unordered);
  if (!all) set_idle_aside();
  if (!unordered && result_.repairs.empty() && dear_.empty()) barriers();
  if (result_.repairs.empty() && !later_.empty()) {
    found_ = std::exchange(later_, {});
    progress_.begin_again(SearchPhase::Checking);
    verify_found(options_.max_checked);
    if (!all) set_idle_aside();
  }
  // What made the outcome right left something else wrong.
  for (int round = 0; wrong_ && !all && result_.repairs.empty() && round < max_rounds; ++round) {
    if (round > 0 && progress_.late()) break;
    if (round > 0) progress_.begin_again(SearchPhase::CheckingRest);
    source_edits(SearchPhase::First);
    source_edits(SearchPhase::Rest);
    if (found_.empty()) break;
    verify_found(options_.max_checked, SearchPhase::CheckingRest);
    set_idle_aside();
  }
  if (!wrong_ && result_.repairs.empty()) {
    source_edits(SearchPhase::Seen);
    verify_found(2 * options_.max_checked, SearchPhase::CheckingSeen);
  }
  if (wrong_ && result_.repairs.empty() && dear_.empty()) constants();
  earliest_first();
  if (result_.repairs.empty()) result_.repairs = std::move(dear_);
  if (result_.repairs.size() > max_repairs) result_.repairs.resize(max_repairs);
  if (result_.repairs.empty() && wrong_) result_.likely = likely();
  for (Repair& repair : result_.repairs) repair.tried = progress_.tried();
  if (result_.repairs.empty())
    result_.unsearched.push_back(
        progress_.stopped()      ? fmt::format("the search for a repair ended after {} changes", progress_.tried())
        : progress_.tried() == 0 ? std::string("no repair was searched: the outcome is right, as the search runs it")
                                 : fmt::format("none of the {} changes that were tried makes {} right",
                                               progress_.tried(), wrong_ ? "the outcome" : "it"));
  return std::move(result_);
}

// Where the outcome is right because there is less to do, something else was meant: such repairs are said where none better comes.
void RepairSearch::set_idle_aside() {
  const std::vector<Repair>& found = result_.repairs;
  if (wrong_ && !found.empty() && std::all_of(found.begin(), found.end(), [](const Repair& one) { return one.idle; })) {
    if (dear_.empty()) dear_ = found;
    result_.repairs.clear();
  }
}

// Whether it changes nothing but how many items and groups launches have.
bool RepairSearch::is_of_sizes(const Found& found) const {
  if (!found.plan || !found.plan->same_buffers) return false;
  std::vector<Launch> launches = found.plan->plan->launches;
  if (launches.size() != plan_.launches.size()) return false;
  for (std::size_t k = 0; k < launches.size(); ++k) {
    launches[k].global = plan_.launches[k].global;
    launches[k].local = plan_.launches[k].local;
  }
  return launches == plan_.launches;
}

// Whether it changes a condition that items meet within.
bool RepairSearch::is_around_barrier(const Found& found) const {
  if (found.plan || found.edit.place != SourceEdit::Place::Expression) return false;
  const Syntax& syntax = *files_[found.file].syntax;
  const Statement& one = syntax.statements[syntax.expressions[found.edit.target].statement];
  return one.kind == Statement::Kind::Condition && meets_within(syntax, one.body, one.body_last);
}

void RepairSearch::read_files() {
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
  for (const Launch& launch : plan_.launches) {
    const std::string name = kernel_base_name(launch.kernel);
    kernels_of_macros_ =
        kernels_of_macros_ || std::none_of(files_.begin(), files_.end(), [&](const File& file) {
          const std::vector<Function>& all = file.syntax->functions;
          return std::any_of(all.begin(), all.end(), [&](const Function& one) { return one.name == name; });
        });
  }
  std::vector<const Syntax*> files;
  for (const File& file : files_) files.push_back(file.syntax.get());
  functions_.merge(called_through_macros(files, functions_));
}

// A plan with its sources, some of them other, in a folder of their own.
Plan RepairSearch::moved(const Plan& own, const fs::path& folder,
                         const std::function<std::string(std::size_t file)>& text_of) const {
  Plan plan = own;
  plan.edited.clear();  // these are among the texts
  plan.directory = folder;
  for (Buffer& buffer : plan.buffers)
    if (buffer.content.kind == Content::Kind::File)
      buffer.content.file = fs::absolute(own.directory / buffer.content.file).string();
  if (plan.signal.starts_with("file:"))
    plan.signal = "file:" + fs::absolute(own.directory / plan.signal.substr(5)).string();
  for (std::size_t f = 0; f < files_.size(); ++f) {
    const fs::path file = folder / files_[f].place;
    fs::create_directories(file.parent_path());
    write_file(file, text_of(f));
  }
  return plan;
}

// What the plan compares with, where it computes that itself.
void RepairSearch::read_reference() {
  const auto held = computed_reference(plan_);
  if (!held) return;
  const std::string all = text_of_copy(options_.forks, [&] {
    Trial trial(plan_, *trials_, contents_, reference_);
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
  for (std::size_t k = 0; k < contents_.size(); ++k) reference_.emplace_back(bytes + k * size, bytes + (k + 1) * size);
}

void RepairSearch::note_functions_of_reference() {
  const auto held = computed_reference(plan_);
  if (!held || reference_.empty()) return;
  // All but kernels that are given what is compared with, and not what is compared to it. What these call may be used by others.
  std::set<std::string> others;
  for (const Launch& launch : plan_.launches) {
    bool reference = false, outcome = false;
    for (const Argument& one : launch.arguments)
      for (const std::size_t buffer : buffers_of(one)) {
        reference = reference || buffer == *held;
        outcome = outcome || plan_.buffers[buffer].name == plan_.expect.output;
      }
    if (!reference || outcome) others.insert(kernel_base_name(launch.kernel));
  }
  for (std::size_t f = 0; f < files_.size(); ++f)
    for (const Function& one : files_[f].syntax->functions)
      if (one.kernel && !others.count(one.name))
        lines_of_reference_.push_back(
            {f, files_[f].syntax->lexemes[one.name_at].line, files_[f].syntax->lexemes[one.end].line});
}

// What a driver has to run is run by the driver alone.
void RepairSearch::build_as_it_is() {
  const auto builds = [&] {
    try {
      Trial(plan_, *trials_, contents_, reference_).build(plan_.launches);
      return true;
    } catch (const Error&) { return false; }  // a copy says it
  };
  if (direct_) trials_ = direct_;
  if (builds() || !directly()) return;
  trials_ = &runtime_;
  builds();
}

void RepairSearch::ask_whether_wrong() {
  if (options_.forks) build_as_it_is();
  read_reference();
  note_functions_of_reference();
  Trial trial(plan_, *trials_, contents_, reference_);
  const auto begun = std::chrono::steady_clock::now();
  const double spent = processor_seconds();
  const std::uint8_t answer =
      outcome_in(outcomes(1, seconds_of_a_build, [&](std::size_t) { return answer_of(trial, plan_.launches); })[0]);
  as_it_is_ = answer;
  wrong_ = answer != right_answer;
  if (!wrong_ && directly()) {  // the device may do something else
    trials_ = &runtime_;
    direct_ = nullptr;
    reference_.clear();
    lines_of_reference_.clear();
    return ask_whether_wrong();
  }
  wrong_share_ = share_of(answer);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  // On a machine that others work on, too, everything takes longer by the clock.
  constexpr double least_told = 0.02, slowest = 8;
  const double worked = processor_seconds() - spent;
  if (worked > least_told) slowness_ = std::clamp(took.count() / worked, 1.0, slowest);
  constexpr double least_for_arguments = 0.15;
  seconds_of_arguments_ = std::min(seconds_of_a_build, least_for_arguments + 2 * took.count() / slowness_);
  seconds_of_a_plan_ = std::min(seconds_of_a_build, seconds_of_a_trial + 2 * took.count() / slowness_);
}

Repaired search_repair(const Plan& plan, Runtime& runtime, const RepairOptions& options) {
  begin_copies_with([&] { runtime.enter_copy(); });
  Repaired repaired = RepairSearch(plan, runtime, options).run();
  begin_copies_with({});
  return repaired;
}

}  // namespace twiddle
