#include "tracer/runtime/guard_zones.h"

#include <algorithm>
#include <array>

namespace twiddle {
namespace {

// Neither zero nor a number that kernels are likely to write: as a float 5.8e18, as an index far away.
constexpr std::array<std::byte, 4> word{std::byte{0x00}, std::byte{0xED}, std::byte{0xA1}, std::byte{0x5E}};

}  // namespace

std::span<const std::byte> guard_pattern(std::size_t bytes) {
  static thread_local std::vector<std::byte> pattern;
  for (std::size_t i = pattern.size(); i < bytes; ++i) pattern.push_back(word[i % word.size()]);
  return std::span(pattern).first(bytes);
}

void fill_guards(const GuardedMemory& memory) {
  const std::size_t zone = guard_bytes(memory.bytes);
  memory.write(0, guard_pattern(zone));
  memory.write(zone + memory.bytes, guard_pattern(zone));
}

std::vector<std::int64_t> changed_guards(const GuardedMemory& memory) {
  std::vector<std::int64_t> changed;
  const std::size_t zone = guard_bytes(memory.bytes);
  const std::span<const std::byte> whole = guard_pattern(zone);
  std::vector<std::byte> held(zone);

  memory.read(0, held);
  if (const auto last = std::mismatch(held.rbegin(), held.rend(), whole.rbegin()); last.first != held.rend()) {
    changed.push_back(-static_cast<std::int64_t>(last.first - held.rbegin()) - 1);
    memory.write(0, whole);
  }
  memory.read(zone + memory.bytes, held);
  if (const auto first = std::mismatch(held.begin(), held.end(), whole.begin()); first.first != held.end()) {
    changed.push_back(static_cast<std::int64_t>(memory.bytes) + (first.first - held.begin()));
    memory.write(zone + memory.bytes, whole);
  }
  return changed;
}

}  // namespace twiddle
