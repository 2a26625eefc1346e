// Which lines are likely to be wrong, by what changes of them did to the outcome, and by where errors were seen.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace twiddle {

class LineScores {
 public:
  using Place = std::pair<std::size_t, int>;  // the file, by its number, and the line

  /// A change of this line: of what is wrong it makes this part right, up to 1; below 0 it makes more wrong.
  void note(const Place& place, double gain);
  /// An access at this line was seen to be wrong.
  void note_seen(const Place& place) { ++seen_[place]; }

  /// Sums up what was noted, once: from then on `shift` is the same, whatever is noted. False where nothing was.
  bool decide();
  /// How much sooner a change of this line is tried, as a difference of costs: of a line that only spoils what is right, below 0.
  double shift(const Place& place) const;
  /// The same of a change elsewhere.
  double shift_elsewhere() const { return others_; }

  /// What was decided, "FILE:LINE:PERCENT;…", for another process of the same search.
  std::string text() const;
  void read(const std::string& text);

  /// The line whose changes made clearly more of the outcome right than those of any other, and how much of what was wrong.
  std::optional<std::pair<Place, double>> likeliest() const;

 private:
  struct Changes {
    double sum = 0, best = -1;  // of gains
    std::size_t count = 0;
  };
  void set_others();

  std::map<Place, Changes> changes_;
  std::map<Place, int> seen_, percent_;
  double others_ = 0;  // of a line that no change was tried of
};

}  // namespace twiddle
