// Numbers that stand for other numbers and for texts: to find what is the same, to name files in a cache, and to draw numbers that
// are the same on every machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace twiddle {

/// 2⁶⁴ divided by the golden ratio: its multiples are far from each other.
inline constexpr std::uint64_t golden_64 = 0x9e3779b97f4a7c15u;

/// A hash of numbers, one after another.
constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * golden_64;
  return hash ^ (hash >> 29);
}

/// SplitMix64's finaliser (Steele, Lea and Flood 2014): of the multiples of golden_64 it makes random numbers.
constexpr std::uint64_t split_mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// FNV-1a of 64 bits: the hash of nothing, with one byte more, and with a text more.
inline constexpr std::uint64_t fnv_start = 0xcbf29ce484222325u;
constexpr std::uint64_t fnv_step(std::uint64_t hash, std::uint64_t byte) { return (hash ^ byte) * 0x100000001b3u; }
constexpr std::uint64_t fnv_1a(std::string_view text, std::uint64_t hash = fnv_start) {
  for (const char c : text) hash = fnv_step(hash, static_cast<unsigned char>(c));
  return hash;
}

}  // namespace twiddle
