// Lists of what was made lately, recently used first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <utility>

namespace twiddle {

/// The entry of a list that `is` is true of, moved to its front; null when there is none.
template <typename T, typename Is>
T* recent(std::list<T>& list, const Is& is) {
  const auto found = std::find_if(list.begin(), list.end(), is);
  if (found == list.end()) return nullptr;
  list.splice(list.begin(), list, found);
  return &list.front();
}

/// Puts an entry at the front; of more than `max_kept`, the least recently used is dropped.
template <typename T>
T& keep(std::list<T>& list, T made, std::size_t max_kept) {
  list.push_front(std::move(made));
  if (list.size() > max_kept) list.pop_back();
  return list.front();
}

}  // namespace twiddle
