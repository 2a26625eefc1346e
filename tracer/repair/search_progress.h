#pragma once

#include "tracer/repair/repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace twiddle {

/// What a search for a repair does one after another. Changes are numbered within each.
enum class SearchPhase {
  First,
  Plan,
  Numbers,
  Missing,
  CheckingMissing,
  Barriers,
  Source,
  Checking,
  Rest,
  CheckingRest,
  Seen,
  CheckingSeen,
  Constants,
  BarrierTrials
};

/// How far a search is, which may have begun in a process that one of its changes ended: RepairOptions::resume has what that
/// process told RepairOptions::progress, this one goes on behind it. Also when a search has to end.
class SearchProgress {
 public:
  /// `options` have to live as long.
  explicit SearchProgress(const RepairOptions& options);

  /// Whether a change is to be tried now; each is begun once, in any of the processes. False when it is too late, too.
  bool begins(SearchPhase phase, std::size_t number);
  /// The same of a change that is checked in full; these do not end in time by themselves.
  bool begins_check(SearchPhase phase, std::size_t number) const;
  /// Of several changes in one program: its first that was not begun yet. `end` where all were.
  std::size_t first_left(SearchPhase phase, std::size_t first, std::size_t end) const;
  /// All changes before `end` were tried.
  void note_done(SearchPhase phase, std::size_t end) { next_[index(phase)] = std::max(next_[index(phase)], end); }
  void begin_again(SearchPhase phase) { next_[index(phase)] = 0; }

  void note_right(SearchPhase phase, std::size_t number) const;
  bool known_right(SearchPhase phase, std::size_t number) const { return right_[index(phase)].count(number) > 0; }

  /// A program of the changes first … end − 1 is compiled, or has ended a compiler in an earlier process.
  void note_compiles(SearchPhase phase, std::size_t first, std::size_t end) const;
  bool crashed(std::size_t first, std::size_t end) const { return crashed_.count({first, end}) > 0; }
  /// … or one beside this one.
  void note_crashed(std::size_t first, std::size_t end) { crashed_.insert({first, end}); }
  /// Seconds of processor time that were spent beside this process, which are none of the search's.
  void note_beside(double seconds) const { tell(fmt::format("beside {:.2f}", seconds)); }
  /// Whether a change, by its hash, holds for other sizes: what an earlier process found out, or that it ended in it. Nothing where
  /// none has asked.
  std::optional<bool> known_of_sizes(std::uint64_t change) const;
  void begins_sizes(std::uint64_t change) const { tell(fmt::format("sizes {}", change)); }
  void note_sizes(std::uint64_t change, bool hold) const { tell(fmt::format("sizes {} {}", change, hold ? 1 : 0)); }

  /// Nothing is told from now on: this is a copy, which only works ahead.
  void be_silent() { silent_ = true; }
  /// This is one of several copies that try changes at once: what they begin counts, and says nothing of what others have begun.
  void be_one_of_several() { several_ = true; }

  /// The order that an earlier process decided on; empty before.
  const std::string& order() const { return order_; }
  void note_order(const std::string& order) const { tell("order " + order); }

  /// What an earlier process found out of the lines; nothing before.
  const std::optional<std::string>& located() const { return located_; }
  /// What a search knows by now, as JSON: all that is left of it should it be ended, or end in a kernel.
  void note_so_far(const std::string& repaired) const { tell("so-far " + repaired); }
  void note_located(const std::string& lines) const { tell("located " + lines); }

  /// Changes that were tried, in all processes.
  std::uint64_t tried() const { return tried_; }
  void note_tried(std::size_t count) { tried_ += count; }

  /// Whether the time is over that a search has, in all of its processes; or that many times it.
  bool late(double times = 1) const;
  /// Something was left out for want of time.
  bool stopped() const { return stopped_; }
  void stop() { stopped_ = true; }

 private:
  static constexpr std::size_t phases = 14;
  static std::size_t index(SearchPhase phase) { return static_cast<std::size_t>(phase); }
  void read(const std::string& event);
  void tell(const std::string& event) const {
    if (options_.progress && !silent_) options_.progress(several_ ? "also " + event : event);
  }

  const RepairOptions& options_;
  std::chrono::steady_clock::time_point begun_;
  double spent_;  // processor time of the search, less that of this process
  std::uint64_t tried_ = 0;
  bool stopped_ = false, silent_ = false, several_ = false;
  std::string order_;
  std::optional<std::string> located_;
  std::size_t next_[phases] = {};                          // the first change of each phase that was not begun yet
  std::set<std::pair<std::size_t, std::size_t>> crashed_;  // programs that a compiler ended in, by their changes
  std::set<std::size_t> right_[phases];
  std::map<std::uint64_t, bool> sizes_;
};

/// A program of so many changes that was built, and the processor's seconds that it took.
struct ProgramBuild {
  std::size_t changes = 0;
  double seconds = 0;
};

/// Of how many changes programs are tried the most in a second, from `least` to `most`: a build takes seconds that every program
/// takes, and more that grow with the square of its changes, both told by the smallest and the largest of these builds.
std::size_t size_of_programs(const std::vector<ProgramBuild>& builds, std::size_t least, std::size_t most);

}  // namespace twiddle
