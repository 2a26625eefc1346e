// Values in order, each once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace twiddle {

/// Leaves each value once, ascending; returns how many are left at the front. Quick for what is in order already.
template <typename Value>
std::size_t sort_unique(std::span<Value> values) {
  if (!std::is_sorted(values.begin(), values.end())) std::sort(values.begin(), values.end());
  return static_cast<std::size_t>(std::unique(values.begin(), values.end()) - values.begin());
}

/// The same; the vector ends with them.
template <typename Value>
void sort_unique(std::vector<Value>& values) {
  values.resize(sort_unique(std::span<Value>(values)));
}

}  // namespace twiddle
