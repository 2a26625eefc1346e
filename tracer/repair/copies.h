// Work in copies of this process, which changed kernels may end, and the processor time of them all.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

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

/// What `text` returns, in a copy of this process with `forks`, which may not survive it; empty where it does not, takes more
/// than so many seconds by the clock, or throws Error.
std::string text_of_copy(bool forks, const std::function<std::string()>& text, double seconds = 30);

/// What `right` answers for 0 … count − 1, each in at most so many seconds; 0 where it ends the process or throws. In copies of
/// this process, each of which goes on where the one before it ended: with the same number once more where it was not the first
/// there, for an earlier one may have broken what it needs.
std::vector<std::uint16_t> answers_of_copies(std::size_t count, double seconds,
                                             const std::function<std::uint16_t(std::size_t)>& right);

}  // namespace twiddle
