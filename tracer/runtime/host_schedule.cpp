#include "tracer/runtime/host_schedule.h"

#include "base/error.h"
#include "base/text.h"
#include "base/values/hash.h"

#include <fmt/format.h>

#include <algorithm>

namespace twiddle {
namespace {

constexpr std::size_t max_schedules = 1000;

// SplitMix64: the standard library's shuffle differs from one library to the next.
std::uint64_t next_random(std::uint64_t& state) { return split_mix(state += golden_64); }

}  // namespace

std::vector<Schedule> parse_schedules(std::string_view text) {
  if (text == "forward") return {{Schedule::Order::Forward, 0}};
  if (text == "reverse") return {{Schedule::Order::Reverse, 0}};
  const auto wrong = [&] {
    return usage_error(
        "\"{}\" is no schedule; write forward, reverse, random:SEED, or random:1,2,9 or random:1-20 for several",
        text.substr(0, 60));
  };
  constexpr std::string_view prefix = "random:";
  if (text.substr(0, prefix.size()) != prefix) throw wrong();

  std::vector<Schedule> schedules;
  for (std::string_view rest = text.substr(prefix.size()); true;) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    const std::size_t dash = part.find('-');
    const auto first = number_in<std::uint64_t>(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number_in<std::uint64_t>(part.substr(dash + 1));
    if (!first || !last || *last < *first) throw wrong();
    if (*last - *first >= max_schedules - std::min(schedules.size(), max_schedules))
      throw usage_error("\"{}\" is more than {} schedules", text.substr(0, 60), max_schedules);
    for (std::uint64_t seed = *first; seed <= *last; ++seed) schedules.push_back({Schedule::Order::Random, seed});
    if (comma == std::string_view::npos) return schedules;
    rest.remove_prefix(comma + 1);
  }
}

std::string to_string(const Schedule& schedule) {
  switch (schedule.order) {
    case Schedule::Order::Forward: return "forward";
    case Schedule::Order::Reverse: return "reverse";
    case Schedule::Order::Random: break;
  }
  return fmt::format("random:{}", schedule.seed);
}

void put_in_order(const Schedule& schedule, std::uint64_t place, std::vector<std::uint32_t>& items) {
  if (schedule.order == Schedule::Order::Reverse) std::reverse(items.begin(), items.end());
  if (schedule.order != Schedule::Order::Random) return;
  std::uint64_t state = schedule.seed;
  state = next_random(state) ^ place;
  // Fisher and Yates; the bias of the remainder is below 2^−32.
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[next_random(state) % i]);
}

}  // namespace twiddle
