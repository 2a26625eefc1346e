// Where the mistake can be, and where not: by linear algebra, by what was seen, and by what changes of a line are felt in.
#include "base/error.h"
#include "tracer/repair/copies.h"
#include "tracer/repair/locate/locate.h"
#include "tracer/repair/locate/slices.h"
#include "tracer/repair/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace twiddle {
namespace {

constexpr double of_time = 0.15;  // of the search's

}  // namespace

void RepairSearch::read_located(const std::string& text) {
  std::istringstream parts(text);
  for (std::string one; std::getline(parts, one, ';');) {
    std::size_t file = 0;
    int line = 0, percent = 0;
    if (std::sscanf(one.c_str(), "%zu:%d:%d", &file, &line, &percent) == 3) located_[{file, line}] = percent;
  }
}

// Other factors in what some lines store make all of the outcome right, in others they do not. A line that has no part in the
// former can still be wrong, where it says what is read or when: so its changes come later, and none is left out.
void RepairSearch::find_lines() {
  constexpr int likely = 30, unlikely = -30;
  if (progress_.located()) {
    read_located(*progress_.located());
    return;
  }
  progress_.note_located("");  // should it end the process, it is not tried again
  const double begun = processor_seconds(), most = of_time * options_.seconds;
  const Located located = located_from(text_of_copy(options_.forks, [&] {
    return to_text(locate(plan_, runtime_, [&] { return processor_seconds() - begun > most; }));
  }));
  if (!located.known || std::none_of(located.stores.begin(), located.stores.end(), can_be)) return;

  const auto number_of = [&](const std::string& name) {
    std::size_t f = 0;
    while (f < files_.size() && files_[f].name != name) ++f;
    return f;
  };
  std::vector<const Syntax*> files;
  for (const File& file : files_) files.push_back(file.syntax.get());
  std::map<std::string, std::set<int>> stores;
  for (const LocatedStores& one : located.stores)
    if (one.lines.size() == 1) stores[one.file].insert(one.lines[0]);
  // A kernel of which a few lines can be it needs no more than these.
  const auto fewer_can_be = [&](const LocatedStores& kernel) {
    return std::any_of(located.stores.begin(), located.stores.end(), [&](const LocatedStores& one) {
      return !one.lines.empty() && one.file == kernel.file && one.function == kernel.function && can_be(one);
    });
  };
  for (std::size_t f = 0; f < files_.size(); ++f)
    for (const Function& one : files[f]->functions)
      for (int line = files[f]->lexemes[one.name_at].line; line <= files[f]->lexemes[one.end].line; ++line)
        located_[{f, line}] = unlikely;
  // One mistake in several lines' stores is rather in what all of them are made of.
  for (const LocatedStores& one : located.stores) {
    if (!can_be(one) || (one.lines.empty() && fewer_can_be(one))) continue;
    const std::size_t file = number_of(one.file);
    std::map<LineScores::Place, std::size_t> in;
    const std::vector<int> of = one.lines.empty() ? std::vector<int>{0} : one.lines;
    for (const int line : of) {
      const auto lines =
          file == files_.size() ? std::nullopt : lines_behind(files, file, one.function, line, stores[one.file]);
      if (!lines) {
        located_.clear();
        return;
      }
      for (const auto& place : *lines) ++in[place];
    }
    for (const auto& [place, count] : in) located_[place] = std::max(located_[place], count == of.size() ? likely : 0);
  }
  std::string text;
  for (const auto& [place, percent] : located_) text += fmt::format("{}:{}:{};", place.first, place.second, percent);
  progress_.note_located(text);
}

// The outcome is right, and something else is wrong: changes of the lines where that was seen are the likelier.
void RepairSearch::near_first(std::vector<Candidate>& all) {
  const std::set<LineScores::Place> lines = places_seen();
  for (Candidate& one : all)
    if (!lines.count(place_of(one.file, one.edit))) one.edit.cost += 1;
  if (lines.empty()) all.clear();
}

std::set<LineScores::Place> RepairSearch::places_seen() {
  std::istringstream seen(text_of_copy(options_.forks, [&] { return errors_seen(false); }));
  std::set<LineScores::Place> places;
  for (std::string word; seen >> word;)
    if (const std::size_t colon = word.find(':'); colon != std::string::npos)
      places.insert({std::stoul(word), std::stoi(word.substr(colon + 1))});
  return places;
}

// The first programs have the cheapest changes of all, and some of lines that none of these is of: what follows is in the order of
// what changes of its line did.
void RepairSearch::some_of_each_line(std::vector<Candidate>& all) const {
  constexpr std::size_t of_each = 2;
  const std::size_t first = std::min(all.size(), first_changes()), most = 3 * first / 10;
  std::map<LineScores::Place, std::size_t> counts;
  for (std::size_t k = 0; k < first; ++k) ++counts[place_of(all[k].file, all[k].edit)];
  std::vector<Candidate> cheapest(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(first)), more, rest;
  for (std::size_t k = first; k < all.size(); ++k) {
    const bool one = more.size() < most && counts[place_of(all[k].file, all[k].edit)]++ < of_each;
    (one ? more : rest).push_back(std::move(all[k]));
  }
  const auto displaced = cheapest.end() - static_cast<std::ptrdiff_t>(more.size());
  rest.insert(rest.begin(), displaced, cheapest.end());
  all.assign(cheapest.begin(), displaced);
  all.insert(all.end(), more.begin(), more.end());
  all.insert(all.end(), rest.begin(), rest.end());
}

// The changes of which it is asked what they change: a few of each line, evenly.
std::vector<bool> RepairSearch::compared_ones(const std::vector<Candidate>& batch) const {
  constexpr std::size_t most = 8;
  std::map<LineScores::Place, std::vector<std::size_t>> of;
  for (std::size_t k = 0; k < batch.size(); ++k)
    if (batch[k].edit.also.empty()) of[place_of(batch[k].file, batch[k].edit)].push_back(k);
  std::vector<bool> all(batch.size());
  for (const auto& [place, changes] : of) {
    const std::size_t left = most - std::min(most, scores_.compared(place)), count = std::min(left, changes.size());
    for (std::size_t k = 0; k < count; ++k) all[changes[k * changes.size() / count]] = true;
  }
  return all;
}

}  // namespace twiddle
