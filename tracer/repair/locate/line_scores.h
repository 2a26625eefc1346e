// Which lines are likely to be wrong, by what changes of them did to the outcome, and by where errors were seen.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace twiddle {

class LineScores {
 public:
  using Place = std::pair<std::size_t, int>;  // the file, by its number, and the line

  /// A change of this line: of what is wrong it makes this part right, up to 1; below 0 it makes more wrong. `alike`: how much
  /// what it changes is what is wrong (Trial::alike).
  void note(const Place& place, double gain, std::optional<double> alike = {});
  /// How many changes of this line were noted with how much they are alike.
  std::size_t compared(const Place& place) const;
  /// An access at this line was seen to be wrong.
  void note_seen(const Place& place) { ++seen_[place]; }

  /// Sums up what was noted, once: from then on `shift` is the same, also after more is noted. False where nothing was.
  bool decide();
  /// How much sooner a change of this line is tried, as a difference of costs: of a line that only spoils what is right, below 0.
  double shift(const Place& place) const;
  /// The same of a change elsewhere.
  double shift_elsewhere() const { return others_; }

  /// What was decided, "FILE:LINE:PERCENT;…", for another process of the same search.
  std::string text() const;
  void read(const std::string& text);

  /// The line whose changes are felt most just where the outcome is wrong, of those that were compared; `more` is what else speaks
  /// for a line, as a part of 1.
  std::optional<Place> most_alike(const std::function<double(const Place&)>& more) const;
  /// The line whose changes made clearly more of the outcome right than those of any other, and how much of what was wrong.
  std::optional<std::pair<Place, double>> likeliest() const;

 private:
  struct Changes {
    double sum = 0, best = -1;              // of gains
    double alike_sum = 0, most_alike = -1;  // of those that were compared
    std::size_t count = 0, compared = 0;
  };
  void set_others();

  std::map<Place, Changes> changes_;
  std::map<Place, int> seen_, percent_;
  double others_ = 0;  // of a line that no change was tried of
};

}  // namespace twiddle
