// Work in copies of this process, which changed kernels may end, and the processor time of them all.
#pragma once

#include <functional>
#include <string>

namespace twiddle {

/// Seconds of processor time of this process and those that it waited for.
double processor_seconds();

/// What `text` returns, in a copy of this process with `forks`, which may not survive it; empty where it does not, takes more
/// than half a minute, or throws Error.
std::string text_of_copy(bool forks, const std::function<std::string()>& text);

}  // namespace twiddle
