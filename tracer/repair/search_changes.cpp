// The changes that a search tries: in which order, many in one program or alone, and what their trials say.
#include "base/error.h"
#include "base/temporary_folder.h"
#include "tracer/repair/copies.h"
#include "tracer/repair/schema.h"
#include "tracer/repair/search.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

namespace twiddle {

// What `right` answers for 0 … count − 1. Kernels that a driver runs on this very thread may end the process.
std::vector<RepairSearch::Answer> RepairSearch::outcomes(std::size_t count, double seconds,
                                                         const std::function<Answer(std::size_t)>& right) {
  if (options_.forks) {
    const std::size_t free = options_.builds_beside ? processors_beside() : 0;
    const std::size_t at_once = 1 + std::min(free - std::min(free, ahead_.size()), max_beside);
    const double beside = seconds_beside();
    std::vector<Answer> all = answers_of_copies(
        count, slowness_ * seconds,
        [&](std::size_t k) {
          if (at_once > 1) progress_.be_one_of_several();
          return right(k);
        },
        at_once);
    if (seconds_beside() > beside) progress_.note_beside(seconds_beside());
    return all;
  }
  std::vector<Answer> good(count);
  for (std::size_t k = 0; k < count; ++k) good[k] = right(k);
  return good;
}

// What is run a few times is quickly compiled, and has no log.
void RepairSearch::set_trial_options(Launch& launch) const {
  if (cuda_ || !optimised_) launch.options.emplace_back(cuda_ ? "-O0" : "-cl-opt-disable");
  if (cuda_) launch.options.emplace_back(unlogged_option);
}

namespace {

bool only_arguments_differ(const std::vector<Launch>& some, const std::vector<Launch>& others) {
  return std::equal(some.begin(), some.end(), others.begin(), others.end(), [](Launch a, const Launch& b) {
    a.arguments = b.arguments;
    return a == b;
  });
}

}  // namespace

void RepairSearch::plan_edits() {
  std::vector<PlanEdit> edits = edits_of_plan(plan_, max_plan_edits);
  edits.resize(std::min<std::size_t>(edits.size(), options_.max_item_runs / 4 / items_));
  Trial trial(plan_, *trials_, contents_, reference_);
  // Dearer ones are not said, but for a few: of the changes found until now none was checked.
  constexpr double always = 1.6;
  const double most = std::max(cheapest_found() + 0.4, always);
  const std::vector<Answer> right = outcomes(edits.size(), seconds_of_a_plan_, [&](std::size_t k) {
    if (progress_.known_right(SearchPhase::Plan, k)) return true;
    if (edits[k].cost > most || !progress_.begins(SearchPhase::Plan, k)) return false;
    try {
      const Plan& plan = *edits[k].plan;
      // What is launched with other arguments alone is compiled already.
      if (edits[k].same_buffers && only_arguments_differ(plan.launches, plan_.launches))
        limit_copy(seconds_of_arguments_ * slowness_);
      return edits[k].same_buffers ? trial.right(plan.launches) : holds(plan, trial_contents(plan, trials));
    } catch (const Error&) { return false; }
  });
  add_right(SearchPhase::Plan, right, [&](std::size_t k) { return found_of(std::move(edits[k])); });
}

// The outcome is right where local memory has room enough behind it: the plan may ask for too little.
void RepairSearch::larger_local_memory() {
  const auto asked = [](const std::vector<Launch>& launches) {
    std::size_t bytes = 0;
    for (const Launch& launch : launches)
      for (const Argument& argument : launch.arguments)
        if (const auto* local = std::get_if<LocalArgument>(&argument)) bytes += local->bytes;
    return bytes;
  };
  const auto without_local = [](std::vector<Launch> launches) {
    for (Launch& launch : launches)
      for (Argument& argument : launch.arguments)
        if (auto* local = std::get_if<LocalArgument>(&argument)) local->bytes = 0;
    return launches;
  };
  const std::vector<Launch> rest = without_local(plan_.launches);
  for (PlanEdit& edit : edits_of_plan(plan_, max_plan_edits)) {
    const std::vector<Launch>& launches = edit.plan->launches;
    if (!edit.same_buffers || asked(launches) <= asked(plan_.launches) || without_local(launches) != rest) continue;
    progress_.note_tried(1);
    found_.push_back(found_of(std::move(edit)));
  }
}

// The outcome is right, and yet what is read was never written: a launch may be given the wrong buffer.
void RepairSearch::other_buffers() {
  const std::string seen = text_of_copy(options_.forks, [&] { return errors_seen(true); });
  if (seen.find("unwritten") == std::string::npos) return;
  const auto buffers_in = [](const Launch& launch) {
    std::vector<std::size_t> all;
    for (const Argument& argument : launch.arguments)
      for (const std::size_t buffer : buffers_of(argument)) all.push_back(buffer);
    return all;
  };
  for (PlanEdit& edit : edits_of_plan(plan_, max_plan_edits)) {
    const std::vector<Launch>& launches = edit.plan->launches;
    if (!edit.same_buffers || launches.size() != plan_.launches.size()) continue;
    std::size_t others = 0;
    for (std::size_t k = 0; k < launches.size(); ++k) {
      Launch same = launches[k];
      same.arguments = plan_.launches[k].arguments;
      others += same == plan_.launches[k] && buffers_in(launches[k]) != buffers_in(plan_.launches[k]) ? 1 : 0;
    }
    if (others == 0) continue;
    progress_.note_tried(1);
    found_.push_back(found_of(std::move(edit)));
  }
}

// The first program's changes alone, or all that follow it.
void RepairSearch::source_edits(SearchPhase phase) {
  std::vector<Candidate>& all = candidates_;
  if (all.empty())
    for (std::size_t f = 0; f < files_.size(); ++f)
      for (SourceEdit& edit : edits_of(*files_[f].syntax, options_.max_edits,
                                       [&](const SourceEdit& one) { return !of_reference(f, one); })) {
        Candidate one{f, std::move(edit)};
        const bool alone = kernels_of_macros_ && !edits_of_macros({one}).empty();
        (alone ? alone_ : all).push_back(std::move(one));
      }
  // Once in order: what goes on behind a change that was right, and nothing else was, takes them as they were numbered. Those of
  // the first programs stay the first.
  if (!ordered_) {
    if (phase == SearchPhase::Seen) near_first(all);
    for (Candidate& one : all) one.key = one.edit.cost - located_shift(place_of(one.file, one.edit));
    std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.key < b.key; });
    if (phase == SearchPhase::First) some_of_each_line(all);
    if (all.size() > options_.max_edits) all.resize(options_.max_edits);
    ordered_ = phase;
  }
  if (ordered_ == SearchPhase::First && phase != SearchPhase::First) {
    likely_first(all);
    ordered_ = phase;
  }
  // The cheapest are often enough, and quickly compiled. Edits of one expression follow one another in their program.
  const std::size_t first_ones = std::min(first_changes(), all.size()), smaller_first = 3 * options_.batch / 20;
  std::vector<std::size_t> ends;
  for (std::size_t from = 0; from < all.size(); from = ends.back()) {
    ends.push_back(from < first_ones ? std::min(from + (from == 0 ? smaller_first : first_ones), first_ones)
                                     : std::min(from + program_size_, all.size()));
    std::stable_sort(
        all.begin() + static_cast<std::ptrdiff_t>(from), all.begin() + static_cast<std::ptrdiff_t>(ends.back()),
        [](const Candidate& a, const Candidate& b) {
          return std::tuple(a.file, a.edit.place, a.edit.target) < std::tuple(b.file, b.edit.place, b.edit.target);
        });
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k].number = k;
    if (!recalled_.count(phase) && progress_.known_right(phase, k)) found_.push_back(found_of(all[k]));
  }
  recalled_.insert(phase);
  refused_.clear();
  ahead_.clear();
  const bool of_first = phase == SearchPhase::First || phase == SearchPhase::Seen;
  std::size_t from = 0, with_found = 0;
  for (std::size_t r = 0; r < ends.size(); ++r) {
    const std::size_t end = ends[r];
    if ((from < first_ones) != of_first) {
      from = end;
      continue;
    }
    const std::size_t first = progress_.first_left(phase, from, end);
    from = end;
    if (first == end) continue;
    weigh_sizes();
    double cheapest = all[first].key;
    for (std::size_t k = first; k < end; ++k) cheapest = std::min(cheapest, all[k].key);
    // One of the changes found before is cheaper than all that is left, or likelier than most.
    if (cheapest > cheapest_found() + 0.4) break;
    const bool likely =
        std::any_of(found_.begin(), found_.end(), [](const Found& one) { return !one.plan && one.cost < likely_cost; });
    if (likely && with_found++ == max_with_found) break;
    if (item_runs_ > options_.max_item_runs || progress_.late()) {
      progress_.stop();
      break;
    }
    wait_for_copy(first, end);
    const std::size_t beside = std::min<std::size_t>(options_.builds_beside ? processors_beside() : 0, max_ahead);
    for (std::size_t next = r + 1; next < ends.size() && next <= r + beside; ++next)
      if ((ends[next - 1] < first_ones) == of_first) build_ahead(ends[next - 1], ends[next], phase);
    try_range(first, end, phase);
    progress_.note_done(phase, end);
    tell_so_far();
  }
  ahead_.clear();
}

void RepairSearch::build_ahead(std::size_t first, std::size_t end, SearchPhase phase) {
  const bool known = std::any_of(ahead_.begin(), ahead_.end(), [&](const Ahead& one) { return one.first == first; });
  if (known || progress_.crashed(first, end)) return;
  auto copy = std::make_unique<CopyBeside>([&] {
    progress_.be_silent();
    only_builds_ = true;
    built_ahead_ = 0;
    refused_.clear();
    try_range(first, end, phase);
    return fmt::format("{:.4f} {}", built_ahead_, fmt::join(refused_, " "));
  });
  if (copy->begun()) ahead_.push_back({first, end, std::move(copy)});
}

void RepairSearch::wait_for_copy(std::size_t first, std::size_t end) {
  built_ahead_ = 0;
  const auto one = std::find_if(ahead_.begin(), ahead_.end(), [&](const Ahead& a) { return a.first == first; });
  if (one == ahead_.end()) return;
  const std::optional<std::string> told = one->copy->text();
  ahead_.erase(one);
  progress_.note_beside(seconds_beside());
  if (!told) {
    progress_.note_crashed(first, end);
    return;
  }
  std::istringstream words(*told);
  words >> built_ahead_;
  for (std::size_t number = 0; words >> number;) refused_.insert(number);
}

// After the first program the order of what follows: all processes of a search have to take the changes in one.
void RepairSearch::likely_first(std::vector<Candidate>& all) {
  if (!progress_.order().empty()) {  // decided before a copy of this search ended
    scores_.read(progress_.order());
    std::sscanf(progress_.order().c_str(), "programs of %zu", &program_size_);
    program_size_ = std::clamp(program_size_, min_program, options_.batch);
  } else {
    for (const auto& place : places_seen()) scores_.note_seen(place);
    scores_.decide();
    set_program_size();
    progress_.note_order(fmt::format("programs of {};{}", program_size_, scores_.text()));
  }
  const std::size_t first = std::min(all.size(), first_changes());
  for (std::size_t k = first; k < all.size(); ++k) all[k].key = key_of(all[k].file, all[k].edit);
  std::stable_sort(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.key < b.key; });
}

// A program takes a while however few changes it has, and some compilers take four times as long for twice as many: between the
// two is the size that tries the most changes in a second. Of two builds the one part and the other are told apart.
void RepairSearch::set_program_size() { program_size_ = size_of_programs(builds_, min_program, options_.batch); }

// A program that a compiler ended in is tried in parts.
void RepairSearch::try_range(std::size_t first, std::size_t end, SearchPhase phase) {
  if (first >= end || progress_.late()) return;
  if (progress_.crashed(first, end)) {
    if (end - first < 2 * min_halves) return;
    // Each program that a compiler ends in costs seconds: in four parts sooner one is small enough.
    const std::size_t part = std::max(min_halves, (end - first + 3) / 4);
    for (std::size_t from = first; from < end; from += part) try_range(from, std::min(from + part, end), phase);
    return;
  }
  progress_.note_compiles(phase, first, end);
  // What is meant to be wider makes so what it can take the place of: not in one program with changes that are not.
  std::vector<Candidate> all(candidates_.begin() + static_cast<std::ptrdiff_t>(first),
                             candidates_.begin() + static_cast<std::ptrdiff_t>(end));
  const auto wider =
      std::stable_partition(all.begin(), all.end(), [](const Candidate& one) { return !one.edit.wider; });
  std::vector<Candidate> apart(std::make_move_iterator(wider), std::make_move_iterator(all.end()));
  all.erase(wider, all.end());
  for (std::vector<Candidate>* part : {&all, &apart})
    std::erase_if(*part, [&](const Candidate& one) { return refused_.count(one.number) > 0; });
  try_batch(std::move(all), 0, phase);
  if (!apart.empty()) try_batch(std::move(apart), 0, phase);
}

// Notes that all of these were tried, and keeps those that are right.
void RepairSearch::add_right(SearchPhase phase, const std::vector<Answer>& right,
                             const std::function<Found(std::size_t)>& found,
                             const std::function<std::size_t(std::size_t)>& number) {
  progress_.note_tried(right.size());
  for (std::size_t k = 0; k < right.size(); ++k) {
    if (outcome_in(right[k]) != right_answer) continue;
    progress_.note_right(phase, number(k));
    found_.push_back(found(k));
  }
}

// What the loops of the program as it is need, and some more: with so many turns it leaves what it leaves with any.
int RepairSearch::log_turns(Trial& trial, std::vector<Launch>& launches) {
  const auto left = [&](int turns) {
    for (Launch& launch : launches) launch.arguments.back() = int_argument(schema_number(0, turns));
    return trial.left(launches, 0);
  };
  constexpr int fewest = 5, most = 12;
  const auto begun = std::chrono::steady_clock::now();
  const std::vector<Answer> enough = outcomes(most - fewest, seconds_of_a_build, [&](std::size_t k) {
    const auto all = left(max_log_turns);
    return !all.empty() && left(fewest + static_cast<int>(k)) == all;
  });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  trial_seconds_ = seconds_of_a_trial + took.count() / slowness_;
  const int turns = fewest + static_cast<int>(std::find(enough.begin(), enough.end(), 1) - enough.begin());
  return turns + 2;
}

// Edits that the compiler refuses go; the others are tried in one program.
void RepairSearch::try_batch(std::vector<Candidate> batch, int depth, SearchPhase phase) {
  for (int attempt = 0; attempt < 12 && !batch.empty() && !progress_.late(); ++attempt) {
    std::erase_if(batch, [&](const Candidate& one) {
      const bool unknown = unknown_.any_in(one.file, *files_[one.file].syntax, one.edit);
      if (unknown) refused_.insert(one.number);
      return unknown;
    });
    if (batch.empty()) return;
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
      set_trial_options(launch);
      launch.arguments.push_back(int_argument(-1));
    }
    try {
      Trial trial(plan, *trials_, probed_, reference_, contents_.size());
      const double before_build = processor_seconds();
      {
        const BuildLimit limit(options_.max_build_seconds);
        if (only_builds_ && (cuda_ || directly()))
          trial.build(plan.launches);
        else
          trial.left(plan.launches, 0);  // built here, run in copies of this process
      }
      const double build_seconds = processor_seconds() - before_build;
      if (only_builds_) {
        built_ahead_ += build_seconds;
        return;
      }
      if (phase == SearchPhase::First) builds_.push_back({batch.size(), std::max(build_seconds, built_ahead_)});
      const int turns = log_turns(trial, plan.launches);
      for (Launch& launch : plan.launches) launch.arguments.back() = int_argument(schema_number(0, turns));
      const std::vector<Launch> as_it_is = plan.launches;
      const std::uint8_t unchanged =
          outcome_in(outcomes(1, trial_seconds_, [&](std::size_t) { return answer_of(trial, as_it_is); })[0]);
      // Some drivers build some programs wrongly where they are not to optimise them, and take twice as long where they are.
      if (!as_it_was(unchanged) && !cuda_ && !directly() && !optimised_) {
        optimised_ = true;
        continue;
      }
      if (!as_it_was(unchanged) && depth < max_halves && batch.size() >= 2 * min_halves) {
        const auto middle = batch.begin() + static_cast<std::ptrdiff_t>(batch.size() / 2);
        try_batch(std::vector<Candidate>(batch.begin(), middle), depth + 1, phase);
        try_batch(std::vector<Candidate>(middle, batch.end()), depth + 1, phase);
        return;
      }
      std::vector<std::uint32_t> number_of(batch.size());
      for (std::size_t f = 0; f < files_.size(); ++f)
        for (std::size_t e = 0; e < which[f].size(); ++e)
          number_of[which[f][e]] = first[f] + static_cast<std::uint32_t>(e);
      const std::vector<bool> compared = compared_ones(batch);
      const std::vector<Answer> right = outcomes(batch.size(), trial_seconds_, [&](std::size_t k) -> Answer {
        for (Launch& launch : plan.launches) launch.arguments.back() = int_argument(schema_number(number_of[k], turns));
        if (!progress_.begins(phase, batch[k].number)) return 0;
        const std::uint8_t answer = answer_of(trial, plan.launches);
        const auto alike = answer < first_share || !compared[k] ? std::nullopt : trial.alike(as_it_is, plan.launches);
        return alike ? with_alike(answer, *alike) : answer;
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
      note_unknown(batch, log, [&](const std::string& line) {
        std::vector<std::size_t> all;
        for (std::size_t f = 0; f < files_.size(); ++f)
          for (const std::uint32_t e : edits_refused(schemas[f], files_[f].name, line)) all.push_back(which[f][e]);
        return all;
      });
      if (refused.empty()) refused = edits_of_unknown_names(batch, log);
      if (refused.empty() || use_changed_macros(batch, refused)) {
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
      if (refused.empty()) {
        for (std::size_t f = 0; f < files_.size(); ++f)
          for (const std::uint32_t e : edits_of_lines(schemas[f], files_[f].name, log)) refused.insert(which[f][e]);
        // All of a line's, most of which it is not: they are tried in halves.
        constexpr std::size_t few = 3;
        constexpr int max_depth = 6;
        if (refused.size() > few && depth < max_depth) {
          std::vector<Candidate> within, others;
          for (std::size_t k = 0; k < batch.size(); ++k) (refused.count(k) ? within : others).push_back(batch[k]);
          const auto middle = within.begin() + static_cast<std::ptrdiff_t>(within.size() / 2);
          try_batch(std::move(others), depth, phase);
          try_batch(std::vector<Candidate>(within.begin(), middle), depth + 1, phase);
          try_batch(std::vector<Candidate>(middle, within.end()), depth + 1, phase);
          return;
        }
      }
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
        if (refused.count(k))
          refused_.insert(batch[k].number);
        else
          left.push_back(std::move(batch[k]));
      batch = std::move(left);
    }
  }
}

// Line by line of a compiler's messages, with the edits that each is of.
void RepairSearch::note_unknown(const std::vector<Candidate>& batch, const std::string& log,
                                const std::function<std::vector<std::size_t>(const std::string&)>& edits_of) {
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);)
    if (const std::set<std::string> names = undeclared_in(line); !names.empty())
      for (const std::size_t k : edits_of(line))
        for (const std::string& name : names)
          unknown_.note(batch[k].file, *files_[batch[k].file].syntax, batch[k].edit, name);
}

// "use of undeclared identifier 'len'": a macro got a name that is none where the macro is used.
std::set<std::size_t> RepairSearch::edits_of_unknown_names(const std::vector<Candidate>& batch,
                                                           const std::string& log) const {
  const std::set<std::string> names = undeclared_in(log);
  std::set<std::size_t> all;
  if (names.empty()) return all;
  const auto has = [&](const std::string& text) {
    const std::vector<Lexeme> words = lexemes_of(text);
    return std::any_of(words.begin(), words.end(),
                       [&](const Lexeme& word) { return names.count(std::string(word.text)) > 0; });
  };
  for (std::size_t k = 0; k < batch.size(); ++k) {
    const SourceEdit& edit = batch[k].edit;
    if (edit.place != SourceEdit::Place::Expression) continue;
    const Syntax& syntax = *files_[batch[k].file].syntax;
    const auto bad = [&](std::uint32_t target, const std::string& text) {
      return in_macro(syntax, target) && has(text);
    };
    if (bad(edit.target, edit.text) ||
        std::any_of(edit.also.begin(), edit.also.end(),
                    [&](const SourceEdit::Also& one) { return bad(one.target, one.text); }))
      all.insert(k);
  }
  return all;
}

bool RepairSearch::in_macro(const Syntax& syntax, std::uint32_t expression) {
  return syntax.statements[syntax.expressions[expression].statement].kind == Statement::Kind::Macro;
}

// Whether one of these may be refused for what another edit made of a macro that its text has.
bool RepairSearch::use_changed_macros(const std::vector<Candidate>& batch, const std::set<std::size_t>& refused) const {
  const std::set<std::size_t> macros = edits_of_macros(batch);
  std::set<std::string_view> names;
  for (const std::size_t k : macros) {
    const Syntax& syntax = *files_[batch[k].file].syntax;
    std::size_t define = syntax.expressions[batch[k].edit.target].first;
    while (define > 0 && syntax.lexemes[define].directive && !syntax.lexemes[define].is("define")) --define;
    names.insert(syntax.lexemes[define + 1].text);
  }
  return std::any_of(refused.begin(), refused.end(), [&](std::size_t k) {
    if (macros.count(k)) return false;
    std::string text = batch[k].edit.text;
    for (const SourceEdit::Also& one : batch[k].edit.also) text += " " + one.text;
    const std::vector<Lexeme> words = lexemes_of(text);
    return std::any_of(words.begin(), words.end(), [&](const Lexeme& word) { return names.count(word.text) > 0; });
  });
}

// What a macro's use was refused for is in the macro.
std::set<std::size_t> RepairSearch::edits_of_macros(const std::vector<Candidate>& batch) const {
  std::set<std::size_t> all;
  for (std::size_t k = 0; k < batch.size(); ++k) {
    const SourceEdit& edit = batch[k].edit;
    const Syntax& syntax = *files_[batch[k].file].syntax;
    if (edit.place == SourceEdit::Place::Expression &&
        (in_macro(syntax, edit.target) ||
         std::any_of(edit.also.begin(), edit.also.end(),
                     [&](const SourceEdit::Also& one) { return in_macro(syntax, one.target); })))
      all.insert(k);
  }
  return all;
}

// Statements that were left out, which no item or all items may have to meet in.
void RepairSearch::missing() {
  constexpr double dearness = 2;
  if (cheapest_found() < dearness) return;
  std::vector<Candidate> all;
  for (std::size_t f = 0; f < files_.size(); ++f)
    for (SourceEdit& edit : missing_statements(*files_[f].syntax))
      if (!of_reference(f, edit)) all.push_back({f, std::move(edit)});
  const std::size_t before = found_.size();
  try_alone(SearchPhase::Missing, all);
  if (found_.size() == before) return;
  // A whole statement that makes all of it right is hardly there by chance.
  verify_found(options_.max_checked, SearchPhase::CheckingMissing);
}

// Changes that need a program of their own each, so few of them.
void RepairSearch::constants() {
  std::vector<Candidate> all;
  for (std::size_t f = 0; f < files_.size(); ++f)
    for (SourceEdit& edit : constant_edits(*files_[f].syntax)) all.push_back({f, std::move(edit)});
  // What a loop forgets in each turn is seldom what was mistaken, where a smaller change is right, too.
  for (std::size_t f = 0; f < files_.size(); ++f)
    for (SourceEdit& edit : moved_declarations(*files_[f].syntax))
      all.insert(all.begin(), Candidate{f, std::move(edit)});
  all.insert(all.begin(), alone_.begin(), alone_.end());
  const std::size_t most = alone_.empty() ? max_alone : max_of_macros;
  if (all.size() > most) all.resize(most);
  try_alone(SearchPhase::Constants, all);
  progress_.begin_again(SearchPhase::Checking);
  verify_found(options_.max_checked);
}

void RepairSearch::try_alone(SearchPhase phase, const std::vector<Candidate>& all) {
  const std::vector<Answer> right = outcomes(all.size(), seconds_of_a_build, [&](std::size_t k) {
    if (progress_.known_right(phase, k)) return true;
    if (!progress_.begins(phase, k)) return false;
    const TemporaryFolder folder;
    const Found found = found_of(all[k]);
    const Plan plan = with(found, applied(*files_[found.file].syntax, found.edit), folder.path());
    try {
      return holds(plan, contents_);
    } catch (const Error&) { return false; }  // a table of another size does not compile
  });
  add_right(phase, right, [&](std::size_t k) { return found_of(all[k]); });
}

}  // namespace twiddle
