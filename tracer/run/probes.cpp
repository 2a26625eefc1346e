#include "tracer/run/probes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace twiddle {
namespace {

constexpr std::uint64_t max_looked_at = 1 << 16;  // accesses, before it is known whether probes are needed
constexpr std::uint64_t max_probed = 1 << 22;     // accesses of all of them
constexpr std::uint64_t needed_probes = 40;       // a write may depend on 32 complex values

// The items of the first groups that make so many accesses, and at least one group's.
AccessLog first_items(const AccessLog& log, std::uint64_t group_size, std::uint64_t accesses) {
  std::uint64_t items = log.items();
  while (items > group_size && log.begin[items] > accesses) items = (items - 1) / group_size * group_size;
  AccessLog some;
  some.sites = log.sites;
  some.first_item = log.first_item;
  some.begin.assign(log.begin.begin(), log.begin.begin() + static_cast<std::ptrdiff_t>(items) + 1);
  const auto take = [&](auto& to, const auto& from) {
    to.assign(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(some.begin.back()));
  };
  take(some.site, log.site);
  take(some.buffer, log.buffer);
  take(some.offset, log.offset);
  take(some.value, log.value);
  return some;
}

// What a launch takes the elements of a buffer for.
struct Numbers {
  int bytes = 0;  // of floating numbers, all of them; 0: some are no such
  bool met = false, written = false;
};

std::vector<Numbers> numbers_in(const AccessLog& log, std::size_t buffers) {
  std::vector<Numbers> all(buffers);
  for (std::uint64_t k = 0; k < log.size(); ++k) {
    const AccessSite& site = log.sites[log.site[k]];
    if (log.buffer[k] < 0 || !touches_memory(site.kind)) continue;
    Numbers& one = all[static_cast<std::size_t>(log.buffer[k])];
    const ElementTraits& type = traits(site.type);
    const int bytes = type.floating ? static_cast<int>(type.bytes) : 0;
    if (!one.met) one.bytes = bytes;
    if (one.bytes != bytes) one.bytes = 0;
    one.met = true;
    one.written = one.written || is_write(site.kind);
  }
  return all;
}

// A table of factors, by which data is multiplied: it stays as it is.
template <typename T>
bool are_roots(const std::vector<std::byte>& bytes) {
  std::vector<T> numbers(bytes.size() / sizeof(T));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(T));
  bool turned = false;
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
    if (!(std::abs(std::hypot(numbers[i], numbers[i + 1]) - 1) < 1e-5)) return false;
    turned = turned || numbers[i + 1] != 0;
  }
  return turned;
}

bool are_roots_of_unity(const std::vector<std::byte>& bytes, int number_bytes) {
  return number_bytes == 4 ? are_roots<float>(bytes) : number_bytes == 8 && are_roots<double>(bytes);
}

}  // namespace

WantedProbes wanted_probes(const AccessLog& log, const TraceInfo& info, std::uint64_t group_size, int runs,
                           std::span<const int> buffers,
                           const std::function<std::vector<std::byte>(int buffer)>& content) {
  const AccessLog first = first_items(log, group_size, max_looked_at);
  LiftOptions options;
  options.group_items = group_size;
  Lifted lifted = lift(first, info, options);
  WantedProbes wanted;
  wanted.runs = runs >= 0                                               ? static_cast<std::uint64_t>(runs)
                : lifted.unexplained_writes.size() > lifted.idle_writes ? needed_probes
                                                                        : 0;
  wanted.first_item = log.first_item;
  wanted.items = first_items(log, group_size, max_probed / std::max<std::uint64_t>(wanted.runs, 1)).items();
  std::vector<Numbers> numbers = numbers_in(log, info.buffers.size());
  for (const std::uint64_t record : lifted.table_reads)
    if (first.buffer[record] >= 0) numbers[static_cast<std::size_t>(first.buffer[record])].bytes = 0;
  for (const int buffer : buffers) {
    const auto b = static_cast<std::size_t>(buffer);
    if (wanted.runs > 0 && !numbers[b].written && are_roots_of_unity(content(buffer), numbers[b].bytes))
      numbers[b].bytes = 0;
    wanted.number_bytes.push_back(numbers[b].bytes);
  }
  if (std::all_of(wanted.number_bytes.begin(), wanted.number_bytes.end(), [](int bytes) { return bytes == 0; }))
    wanted.runs = 0;
  if (first.items() == log.items()) wanted.lifted = std::move(lifted);
  return wanted;
}

}  // namespace twiddle
