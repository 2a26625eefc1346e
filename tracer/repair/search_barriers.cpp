// Barriers, fences and atomic operations that may be missing.
#include "base/temporary_folder.h"
#include "tracer/repair/copies.h"
#include "tracer/repair/search.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <utility>

namespace twiddle {

// A race, or memory that is read before another item writes it: a barrier may be missing, or wait for other memory.
void RepairSearch::barriers() {
  std::size_t number = 0;
  std::istringstream seen(text_of_copy(options_.forks, [&] { return errors_seen(true); }));
  std::map<std::size_t, std::set<int>> lines, all, of_groups;
  bool local = false, global = false, between = false, unwritten = false;
  for (std::string word; seen >> word;) {
    unwritten = unwritten || word == "unwritten";
    local = local || word == "local";
    global = global || word == "global";
    if (word == "between" || word == "within") between = word == "between";
    const std::size_t colon = word.find(':');
    if (colon == std::string::npos) continue;
    all[std::stoul(word)].insert(std::stoi(word.substr(colon + 1)));
    if (between) of_groups[std::stoul(word)].insert(std::stoi(word.substr(colon + 1)));
    if (!between || grids_) lines[std::stoul(word)].insert(std::stoi(word.substr(colon + 1)));
  }
  const Fenced memory = !local ? Fenced::Global : global ? Fenced::Both : Fenced::Local;
  for (const auto& [f, places] : all)
    for (SourceEdit& edit : atomic_edits(*files_[f].syntax, places, cuda_))
      found_.push_back(found_of({f, std::move(edit)}));
  // An error of values alone may come of a barrier that not every item meets at.
  if (wrong_)
    for (std::size_t f = 0; f < files_.size(); ++f)
      if (!lines.count(f))
        for (SourceEdit& edit : barrier_edits(*files_[f].syntax, {}, cuda_, Fenced::Global)) {
          if (edit.place != SourceEdit::Place::MoveBefore && edit.place != SourceEdit::Place::MoveBehind) continue;
          if (number++ >= max_barriers()) break;
          found_.push_back(found_of({f, std::move(edit)}));
        }
  // Groups tell one another what is done: by what is stored behind a fence.
  std::size_t fences = 0;
  for (const auto& [f, places] : of_groups)
    for (SourceEdit& edit : fence_edits(*files_[f].syntax, places, cuda_)) {
      if (fences++ >= max_barriers()) break;
      const int own = line_of(*files_[f].syntax, edit);
      found_.push_back(found_of({f, std::move(edit)}));
      found_.back().order = true;
      found_.back().named = own;
    }
  for (std::size_t f = 0; f < files_.size() && unwritten; ++f)
    for (SourceEdit& edit : initialising_edits(*files_[f].syntax)) found_.push_back(found_of({f, std::move(edit)}));
  for (const auto& [f, places] : lines)
    for (SourceEdit& edit : barrier_edits(*files_[f].syntax, places, cuda_, memory))
      if (number++ < max_barriers()) {
        found_.push_back(found_of({f, std::move(edit)}));
        found_.back().order = true;
        found_.back().named = line_after(*files_[f].syntax, found_.back().edit, places);
      }
  for (std::size_t f = 0; f < files_.size() && wrong_; ++f) {
    const Syntax& syntax = *files_[f].syntax;
    for (SourceEdit& edit : barriers_of_volatile(syntax, cuda_)) {
      if (number++ >= max_barriers()) break;
      const Statement &store = syntax.statements[edit.target], &next = syntax.statements[edit.target + 1];
      found_.push_back(found_of({f, std::move(edit)}));
      found_.back().order = true;
      found_.back().named =
          line_after(syntax, found_.back().edit, {syntax.lexemes[store.first].line, syntax.lexemes[next.first].line});
    }
  }
  progress_.note_tried(found_.size());
  drop_useless_barriers();
  verify_found(max_barriers(), SearchPhase::Barriers);
}

// What is put before or behind a statement that every item, or some, may come to.
bool RepairSearch::is_more_order(const Found& one) {
  using Place = SourceEdit::Place;
  return one.order && (one.edit.place == Place::Before || one.edit.place == Place::Behind);
}

// Of barriers that leave the outcome wrong none is what is missing.
void RepairSearch::drop_useless_barriers() {
  constexpr std::size_t few = 5;
  std::stable_sort(found_.begin(), found_.end(), [&](const Found& a, const Found& b) { return key_of(a) < key_of(b); });
  if (!wrong_ || found_.size() <= few || !std::any_of(found_.begin(), found_.end(), is_more_order)) return;
  if ((directly() || cuda_) && try_barriers()) return;
  drop_barriers_together();
}

// Where items are run one after another, with their barriers alone to change that, each barrier is tried like any change, many in
// one program. False where that is not possible: then nothing is known of them.
bool RepairSearch::try_barriers() {
  std::vector<Candidate> batch;
  std::vector<Found> of_order, others;
  for (Found& one : found_) {
    if (!is_more_order(one) || !may_be_put(*files_[one.file].syntax, one.edit)) {
      others.push_back(std::move(one));
      continue;
    }
    batch.push_back({one.file, one.edit, of_order.size()});
    of_order.push_back(std::move(one));
  }
  found_.clear();
  const std::uint64_t runs = item_runs_;
  try_batch(std::move(batch), 0, SearchPhase::BarrierTrials);
  const bool tried = item_runs_ > runs;
  std::vector<Found> right;
  for (Found& one : of_order)
    if (!tried || std::any_of(found_.begin(), found_.end(),
                              [&](const Found& found) { return found.edit == one.edit && found.file == one.file; }))
      right.push_back(std::move(one));
  found_ = std::move(right);
  std::move(others.begin(), others.end(), std::back_inserter(found_));
  return tried;
}

// A program each is dear: where all of the barriers that every item comes to leave the outcome wrong, one alone does, too, and so
// does one within a condition. The likeliest are tried even so, for items may not all take the turns that a loop seems to have.
void RepairSearch::drop_barriers_together() {
  constexpr std::size_t kept = 3;
  std::vector<std::vector<SourceEdit>> edits(files_.size());
  bool any = false;
  for (const Found& one : found_)
    if (is_more_order(one) && met_by_all(*files_[one.file].syntax, one.edit)) {
      edits[one.file].push_back(one.edit);
      any = true;
    }
  if (!any) return;
  const std::string answer = text_of_copy(
      options_.forks,
      [&] {
        const TemporaryFolder folder;
        const Plan plan =
            moved(folder.path(), [&](std::size_t f) { return with_barriers(*files_[f].syntax, edits[f]); });
        Trial trial(plan, *trials_, contents_, reference_);
        return std::string(right_in_time(trial, plan.launches) ? "right" : "wrong");
      },
      seconds_of_a_check * slowness_);
  if (answer != "wrong") return;  // right, or it did not end well
  std::size_t count = 0;
  std::erase_if(found_, [&](const Found& one) { return is_more_order(one) && count++ >= kept; });
}

}  // namespace twiddle
