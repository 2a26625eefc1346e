// Libraries that transform, measured as a bench measures the catalogue's kernels: cuFFT, clFFT and FFTW, loaded at run time, and
// CUB and VkFFT, which are headers: a compiler builds a program of each when it is asked for first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace twiddle {

struct LibraryProblem {
  std::string family;  // "fft", "fft2d" (n columns), "sum", "histogram"
  std::uint64_t n = 0, rows = 0;
  int samples = 11;
  double seconds = 3;
  int device = 0;                                  // of the runtime whose devices the library uses
  std::string runtime = "cuda";                    // "cuda" or "opencl", of libraries for both
  std::string type = "uint", signal = "random:1";  // of the values that a histogram counts
};

struct LibraryTime {
  std::string library, version;  // "cufft", "12.0.0"
  std::string what;              // "sum of int", where a family has several
  double ns = 0, warm_ns = 0;    // warm: 0 where the buffers are larger than a cache
};

/// Those that may be measured on a runtime's device: "cufft" and "vkfft", or "cub"; "clfft" and
/// "vkfft"; "fftw". What rungs are compared with is the first of them.
std::vector<std::string> libraries_for(const std::string& runtime, const std::string& kind, const std::string& family);

/// Loads and measures one. Throws Error (no_device) with a sentence where it is not installed, or too old or new.
std::vector<LibraryTime> time_library(const std::string& library, const LibraryProblem& problem);

std::string library_json(const std::vector<LibraryTime>& times);
/// What library_json made. Throws Error (unreadable).
std::vector<LibraryTime> library_times(const std::string& json);

// ---- What a bench's measurements have in common ----

/// How many pairs of buffers of so many bytes are used in turn: beyond any cache, within a quarter of the memory.
std::uint64_t pairs_for(std::uint64_t pair_bytes, std::uint64_t memory_bytes);
/// Pairs of at most so many bytes stay in a GPU's cache: 40 MiB.
inline constexpr std::uint64_t warm_bytes = std::uint64_t(40) << 20;

/// How often to run something in a sample, and how many samples, when one run takes `ns`.
struct Sampling {
  int calls = 1, samples = 1;
};
Sampling sampling_for(double ns, int samples, double seconds);
double median_of(std::vector<double> values);

}  // namespace twiddle
