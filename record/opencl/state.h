// One lock for all that the layer knows: programs may call from several threads.
#pragma once

#include <mutex>

namespace twiddle::layer {

/// Recursive: drivers call back from inside their functions. Never destroyed, for programs call while they end, too.
inline std::recursive_mutex& layer_lock() {
  static auto* const lock = new std::recursive_mutex;
  return *lock;
}
using Locked = std::lock_guard<std::recursive_mutex>;

}  // namespace twiddle::layer
