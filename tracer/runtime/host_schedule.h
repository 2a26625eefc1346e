// The order in which the host executor lets unordered work-items run: a race shows itself where the outcome depends on it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

struct Schedule {
  enum class Order { Forward, Reverse, Random };
  Order order = Order::Forward;
  std::uint64_t seed = 0;  // of Random
  bool operator==(const Schedule&) const = default;
};

/// How the host executor runs a launch.
struct HostOptions {
  Schedule schedule;  // order of unordered work-items
  int threads = 1;    // one: every run is the same. More: groups in no fixed order
};

/// "forward", "reverse", "random:7", or several seeds "random:1,2,9" or "random:1-20": a schedule each, 1000 at most. Throws
/// Error (usage).
std::vector<Schedule> parse_schedules(std::string_view text);

/// "forward", "reverse" or "random:7".
std::string to_string(const Schedule& schedule);

/// Puts items, which are in ascending order, into the schedule's. Random orders depend on the seed and on `place`, which
/// tells the times apart at which an order is needed (launch, group, epoch); the same on every machine.
void put_in_order(const Schedule& schedule, std::uint64_t place, std::vector<std::uint32_t>& items);

}  // namespace twiddle
