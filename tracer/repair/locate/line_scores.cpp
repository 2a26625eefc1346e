#include "tracer/repair/locate/line_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace twiddle {

void LineScores::note(const Place& place, double gain, std::optional<double> alike) {
  gain = std::clamp(gain, -1.0, 1.0);
  Changes& changes = changes_[place];
  changes.sum += gain;
  changes.best = std::max(changes.best, gain);
  ++changes.count;
  if (!alike) return;
  changes.alike_sum += *alike;
  changes.most_alike = std::max(changes.most_alike, *alike);
  ++changes.compared;
}

std::size_t LineScores::compared(const Place& place) const {
  const auto known = changes_.find(place);
  return known == changes_.end() ? 0 : known->second.compared;
}

bool LineScores::decide() {
  if (!percent_.empty()) return true;
  // A line whose changes spoil what is right is not the one that is wrong; one with a change that makes some of what is wrong
  // right may be.
  for (const auto& [place, changes] : changes_) {
    const double mean = changes.sum / static_cast<double>(changes.count);
    percent_[place] = static_cast<int>(std::lround(50 * mean + 50 * std::max(0.0, changes.best)));
  }
  // What the changes of a line do not touch that is wrong did not come of it.
  constexpr double of_alike = 50;
  double top = 0;
  for (const auto& [place, changes] : changes_) top = std::max(top, changes.most_alike);
  for (const auto& [place, changes] : changes_)
    if (changes.compared > 0) percent_[place] += static_cast<int>(std::lround(of_alike * (changes.most_alike - top)));
  constexpr int of_seen = 50;
  for (const auto& [place, count] : seen_) percent_[place] += of_seen;
  set_others();
  return !percent_.empty();
}

void LineScores::set_others() {
  double sum = 0;
  for (const auto& [place, percent] : percent_) sum += percent;
  others_ = percent_.empty() ? 0 : sum / 100 / static_cast<double>(percent_.size());
}

double LineScores::shift(const Place& place) const {
  const auto known = percent_.find(place);
  return known == percent_.end() ? others_ : static_cast<double>(known->second) / 100;
}

std::string LineScores::text() const {
  std::string text;
  for (const auto& [place, percent] : percent_)
    text += fmt::format("{}{}:{}:{}", text.empty() ? "" : ";", place.first, place.second, percent);
  return text;
}

void LineScores::read(const std::string& text) {
  std::istringstream parts(text);
  for (std::string one; std::getline(parts, one, ';');) {
    std::size_t file = 0;
    int line = 0, percent = 0;
    if (std::sscanf(one.c_str(), "%zu:%d:%d", &file, &line, &percent) == 3) percent_[{file, line}] = percent;
  }
  set_others();
}

std::optional<std::pair<LineScores::Place, double>> LineScores::likeliest() const {
  constexpr double enough = 0.2, apart = 0.1;
  std::optional<std::pair<Place, double>> best;
  double second = 0;
  for (const auto& [place, changes] : changes_) {
    if (!best || changes.best > best->second) {
      if (best) second = std::max(second, best->second);
      best = {place, changes.best};
    } else {
      second = std::max(second, changes.best);
    }
  }
  if (!best || best->second < enough || best->second - second < apart) return std::nullopt;
  return best;
}

std::optional<LineScores::Place> LineScores::most_alike(const std::function<double(const Place&)>& more) const {
  constexpr double of_mean = 0.25, of_best = 0.3, of_gains = 0.3, enough = 0.3;
  std::optional<Place> best;
  double most = 0;
  for (const auto& [place, changes] : changes_) {
    if (changes.compared == 0 || changes.most_alike < enough) continue;
    const double score = changes.most_alike + of_mean * changes.alike_sum / static_cast<double>(changes.compared) +
                         of_best * std::max(0.0, changes.best) +
                         of_gains * changes.sum / static_cast<double>(changes.count) + more(place);
    if (best && score <= most) continue;
    best = place;
    most = score;
  }
  return best;
}

}  // namespace twiddle
