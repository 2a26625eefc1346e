// How long something takes, by a clock that is never set.
#pragma once

#include <chrono>

namespace twiddle {

using Clock = std::chrono::steady_clock;

inline double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}
inline double seconds_since(Clock::time_point from) { return seconds_between(from, Clock::now()); }
inline double milliseconds_since(Clock::time_point from) { return 1e3 * seconds_since(from); }
inline double nanoseconds_since(Clock::time_point from) {
  return std::chrono::duration<double, std::nano>(Clock::now() - from).count();
}

/// A number of seconds as the clock counts them.
inline Clock::duration clock_time(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace twiddle
