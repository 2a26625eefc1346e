// Work in copies of this process, which changed kernels may end, and the processor time of them all.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace twiddle {

/// Seconds of processor time of this process and those that it waited for; of a copy, with what came before it.
double processor_seconds();
/// Of those alone that it has waited for.
double processor_seconds_of_children();

/// While it lives, this process is ended (by SIGPROF) once it has taken so many more seconds of the processor's: a compiler may
/// never end, and nothing else interrupts one that is a library of the driver's. 0: it is not. Copies of the process are not
/// ended by it.
class BuildLimit {
 public:
  explicit BuildLimit(double seconds);
  ~BuildLimit();
  BuildLimit(const BuildLimit&) = delete;
  BuildLimit& operator=(const BuildLimit&) = delete;

 private:
  const bool set_;
};

/// What a copy of this process does first, from now on: begin anew what has threads.
void begin_copies_with(std::function<void()> first);

/// What `text` returns, in a copy of this process with `forks`, which may not survive it; empty where it does not, takes more
/// than so many seconds by the clock, or throws Error.
std::string text_of_copy(bool forks, const std::function<std::string()>& text, double seconds = 30);

/// In such a copy: it ends so many seconds from now, and no longer when it was to end before. Elsewhere nothing.
void limit_copy(double seconds);

/// A copy of this process that makes a text beside it, on another processor. What it takes of the processor's time is not among
/// processor_seconds(), but told by seconds_beside() once its text was asked for. It ends with its owner, and with the process.
class CopyBeside {
 public:
  explicit CopyBeside(const std::function<std::string()>& text);
  ~CopyBeside();
  CopyBeside(const CopyBeside&) = delete;
  CopyBeside& operator=(const CopyBeside&) = delete;

  bool begun() const { return copy_ > 0; }
  /// Waits for it; to be asked for once. Nothing where the copy ended before it had made it.
  std::optional<std::string> text();

 private:
  int from_ = -1;
  pid_t copy_ = -1;
};

/// Seconds of processor time of all such copies of this process whose texts were asked for.
double seconds_beside();
/// How many such copies run well beside this process: the processors that it may use, less one.
std::size_t processors_beside();

/// What `right` answers for 0 … count − 1, each in at most so many seconds; 0 where it ends the process or throws. In copies of
/// this process, each of which goes on where the one before it ended: with the same number once more where it was not the first
/// there, for an earlier one may have broken what it needs. `at_once`: how many copies share them out; what one of
/// them takes on average is then among processor_seconds(), the rest among seconds_beside().
std::vector<std::uint16_t> answers_of_copies(std::size_t count, double seconds,
                                             const std::function<std::uint16_t(std::size_t)>& right,
                                             std::size_t at_once = 1);

}  // namespace twiddle
