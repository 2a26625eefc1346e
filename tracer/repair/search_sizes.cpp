// What is right for one size of the problem alone: tried at others, where the plan says how large it is.
#include "base/error.h"
#include "base/temporary_folder.h"
#include "base/values/hash.h"
#include "kernels/plan/edited_plan.h"
#include "tracer/repair/search.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace twiddle {

// Four times as many points and a quarter, which transforms by 2 and by 4 both have, then twice and half as many. Which of them the
// plan is made for is not known: a change has to hold for one.
const std::vector<RepairSearch::OtherSize>& RepairSearch::other_sizes() {
  if (sizes_) return *sizes_;
  sizes_.emplace();
  constexpr std::size_t most = 3;
  const std::optional<std::string> text = text_of_plan(plan_);
  const auto size = plan_.parameters.find("n");
  long points = 0;
  if (!text || size == plan_.parameters.end() ||
      std::from_chars(size->second.data(), size->second.data() + size->second.size(), points).ec != std::errc() ||
      points < 2 || points > (1 << 24))
    return *sizes_;
  PlanParameters given;
  try {
    given = given_parameters(plan_, *text);
  } catch (const Error&) { return *sizes_; }
  for (const long other : {4 * points, points / 4, 2 * points, points / 2}) {
    if (sizes_->size() == most || other < 2 || progress_.late()) break;
    given["n"] = std::to_string(other);
    try {
      OtherSize one{given, read_plan_text(plan_.algorithm, *text, given), {}};
      one.plan.signal = plan_.signal;
      if (items_of(one.plan) > 8 * items_ + 64) continue;
      one.contents = trial_contents(one.plan, 2);
      sizes_->push_back(std::move(one));
    } catch (const Error&) {}  // the plan says that it is for others
  }
  return *sizes_;
}

bool RepairSearch::holds_elsewhere(const Found& found) {
  const std::string changed = found.plan ? std::string() : applied(*files_[found.file].syntax, found.edit);
  const std::uint64_t hash = fnv_1a(found.plan ? found.plan->whole : changed);
  if (const auto known = progress_.known_of_sizes(hash)) return *known;
  progress_.begins_sizes(hash);
  bool holds = false;
  for (const OtherSize& size : other_sizes()) {
    const std::string answer = text_of_copy(
        options_.forks,
        [&] {
          const TemporaryFolder folder;
          Plan plan = size.plan;
          if (found.plan) {
            plan = read_plan_text(plan_.algorithm, found.plan->whole, size.given);
            plan.signal = plan_.signal;
          }
          plan = moved(plan, folder.path(), [&](std::size_t f) {
            return !found.plan && f == found.file ? changed : files_[f].syntax->text;
          });
          for (Launch& launch : plan.launches) set_trial_options(launch);
          static const std::vector<std::vector<std::byte>> nothing_computed;
          const TrialContents contents = found.plan ? trial_contents(plan, 2) : size.contents;
          Trial trial(plan, *trials_, contents, nothing_computed);
          return std::string(right_in_time(trial, plan.launches) ? "right" : "wrong");
        },
        seconds_of_a_check * slowness_);
    holds = answer == "right";
    if (holds || answer.empty() || progress_.late()) break;
  }
  progress_.note_sizes(hash, holds);
  return holds;
}

// The cheapest of those that are right, until one of them is for another size, too. Where none is, the plan may be for one alone:
// then those that were not asked are no likelier than the others.
void RepairSearch::weigh_sizes() {
  constexpr double by_chance = 0.8, alike = 0.5;
  constexpr std::size_t at_most = 4;
  if (!wrong_ || other_sizes().empty()) return;
  const auto weigh = [](Found& one, bool holds) {
    one.weighed = true;
    one.holds = holds;
    if (holds) return;
    one.cost += by_chance;
    one.edit.cost += by_chance;
  };
  for (std::size_t asked = 0; asked < at_most && !progress_.late(); ++asked) {
    const double cheapest = cheapest_found();
    Found* next = nullptr;
    bool known = false;
    for (Found& one : found_) {
      if (one.weighed || one.order || key_of(one) > cheapest + alike) continue;
      if (!next || key_of(one) < key_of(*next)) next = &one;
    }
    for (const Found& one : found_) known = known || (one.weighed && next && key_of(one) <= key_of(*next));
    if (!next || known) break;
    const bool holds = holds_elsewhere(*next);
    weigh(*next, holds);
    if (holds) return;
  }
  const auto is = [&](const auto& what) { return std::any_of(found_.begin(), found_.end(), what); };
  if (!is([](const Found& one) { return one.weighed; }) || is([](const Found& one) { return one.holds; })) return;
  for (Found& one : found_)
    if (!one.weighed && !one.order) weigh(one, false);
}

}  // namespace twiddle
