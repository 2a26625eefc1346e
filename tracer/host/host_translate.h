// The few words of CUDA C++ that macros cannot turn into C++, rewritten in the text of a preprocessed source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// A preprocessed .cu file as C++ against host_simt.h. Every line stays where it was:
///   - `__global__` is removed, and each kernel that a launch can name is registered behind its body;
///   - `__shared__ T x[n];` becomes a reference into the memory of the running work-item's group, likewise
///     `extern __shared__ T x[];`, anywhere;
///   - `__device__`, `__constant__` and `__managed__` are removed, and the variables at file scope that they make are
///     registered;
///   - with `arrays`, arrays of a function's own without a value are announced behind their declaration, and their end;
///   - `__launch_bounds__(…)` and `__noinline__` get what the compiler understands.
/// `instances`: templates that launches name, "k<float, 8>", or "k" where the source has one instance of it or the template
/// has defaults for all that it takes; they are registered under these names.
std::string translate_for_host(std::string_view preprocessed, const std::vector<std::string>& instances = {},
                               bool arrays = true);

}  // namespace twiddle
