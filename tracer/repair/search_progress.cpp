#include "tracer/repair/search_progress.h"

#include "tracer/repair/copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

namespace twiddle {
namespace {

// As events name them, in the order of SearchPhase.
constexpr std::string_view phase_names[] = {"first",   "plan",       "number",   "missing",      "check-missing",
                                            "barrier", "source",     "check",    "rest",         "check-rest",
                                            "seen",    "check-seen", "constant", "barrier-trial"};

std::string_view name_of(SearchPhase phase) { return phase_names[static_cast<std::size_t>(phase)]; }

}  // namespace

SearchProgress::SearchProgress(const RepairOptions& options)
    : options_(options), begun_(std::chrono::steady_clock::now()), spent_(-processor_seconds()) {
  for (const std::string& event : options.resume) read(event);
}

// "tried 17", "spent 4.5 5", "sizes 8437 1", "source 17", "right source 17", "compile source 400 800", "order …".
void SearchProgress::read(const std::string& event) {
  if (event.starts_with("order ")) order_ = event.substr(6);
  if (event.starts_with("located ")) {
    located_ = event.substr(8);
    return;
  }
  std::istringstream words(event);
  std::string word;
  words >> word;
  if (word == "tried") words >> tried_;
  if (double worked = 0, clock = 0; word == "spent" && words >> worked >> clock) {
    spent_ = worked - processor_seconds();
    begun_ = std::chrono::steady_clock::now() -
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(clock));
  }
  if (std::uint64_t change = 0; word == "sizes" && words >> change) {
    int hold = 0;
    sizes_[change] = words >> hold && hold == 1;
    return;
  }
  const bool right = word == "right", compiled = word == "compile";
  if (right || compiled) words >> word;
  const auto* const named = std::find(std::begin(phase_names), std::end(phase_names), word);
  std::size_t first = 0, last = 0;
  if (named == std::end(phase_names) || !(words >> first) || (compiled && !(words >> last))) return;
  const auto phase = static_cast<std::size_t>(named - std::begin(phase_names));
  if (right) {
    right_[phase].insert(first);
    return;
  }
  if (compiled) crashed_.insert({first, last});
  next_[phase] = compiled ? first : first + 1;
  std::fill(next_, next_ + phase, SIZE_MAX);
}

std::optional<bool> SearchProgress::known_of_sizes(std::uint64_t change) const {
  const auto known = sizes_.find(change);
  return known == sizes_.end() ? std::nullopt : std::optional(known->second);
}

bool SearchProgress::begins(SearchPhase phase, std::size_t number) {
  if (number < next_[index(phase)]) return false;
  if (late()) {
    stopped_ = true;
    return false;
  }
  tell(fmt::format("{} {}", name_of(phase), number));
  return true;
}

bool SearchProgress::begins_check(SearchPhase phase, std::size_t number) const {
  if (number < next_[index(phase)]) return false;
  tell(fmt::format("{} {}", name_of(phase), number));
  return true;
}

std::size_t SearchProgress::first_left(SearchPhase phase, std::size_t first, std::size_t end) const {
  return std::min(std::max(first, next_[index(phase)]), end);
}

void SearchProgress::note_right(SearchPhase phase, std::size_t number) const {
  tell(fmt::format("right {} {}", name_of(phase), number));
}

void SearchProgress::note_compiles(SearchPhase phase, std::size_t first, std::size_t end) const {
  tell(fmt::format("compile {} {} {}", name_of(phase), first, end));
}

bool SearchProgress::late(double times) const {
  const std::chrono::duration<double> clock = std::chrono::steady_clock::now() - begun_;
  const double seconds = times * options_.seconds;
  return spent_ + processor_seconds() > seconds || clock.count() > 5 * seconds;
}

std::size_t size_of_programs(const std::vector<ProgramBuild>& builds, std::size_t least, std::size_t most) {
  const auto fewer = [](const ProgramBuild& a, const ProgramBuild& b) { return a.changes < b.changes; };
  const auto [small, large] = std::minmax_element(builds.begin(), builds.end(), fewer);
  if (small == builds.end() || small->changes == large->changes) return std::clamp(most / 4, least, most);
  // However little it grows, no program takes a good part of a search's time.
  constexpr double longest = 2.5;
  if (large->seconds > longest) most = std::max(large->changes / 2, least);
  const auto square = [](const ProgramBuild& one) { return std::pow(static_cast<double>(one.changes), 2); };
  const double growth = (large->seconds - small->seconds) / (square(*large) - square(*small));
  if (growth <= 0) return most;
  const double of_each = small->seconds - growth * square(*small);
  if (of_each <= 0) return least;
  const double best = std::sqrt(of_each / growth);
  return best > static_cast<double>(most) ? most : std::max(static_cast<std::size_t>(best), least);
}

}  // namespace twiddle
