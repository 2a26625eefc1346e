// Double-precision references: what a Plan's outcome is measured against. Independent of the kernels on purpose.
#pragma once

#include "kernels/plan/plan.h"

#include <complex>
#include <span>
#include <vector>

namespace twiddle {

/// DFT of any length n ≥ 1 in double precision, X[k] = Σ x[j] e^(sign·2πijk/n), unscaled; O(n log n) for powers of two,
/// Bluestein otherwise. Error about 1e-15·log2 n relative. The tests compare it with FFTW.
std::vector<std::complex<double>> dft(std::span<const std::complex<double>> x, int sign);

/// Row-column DFT of a rows × columns array (row-major).
std::vector<std::complex<double>> dft2d(std::span<const std::complex<double>> x, std::uint64_t rows,
                                        std::uint64_t columns, int sign);

/// What a buffer's bytes hold, element by element.
std::vector<std::complex<double>> values_of(const Buffer& buffer, std::span<const std::byte> bytes);

/// How far a run is from its reference.
struct Verdict {
  double relative_l2 = 0;  // ‖out − ref‖ / ‖ref‖, as benchfft defines it; 0 or ∞ for integer algorithms
  double bound = 0;
  bool pass = false;
  std::string reason;  // where the bound comes from, or what differs first
};

/// Compares the first and last content of a plan's expect buffers. `input` and `output` hold the bytes of the buffers
/// named in plan.expect. Throws Error (usage) when the plan has no expectation.
Verdict verify(const Plan& plan, std::span<const std::byte> input, std::span<const std::byte> output);

/// The same comparison element by element: where a run that fails `verify` first goes wrong.
struct Outcome {
  bool pass = false;          // as verify says
  std::uint64_t element = 0;  // of the output: the first one that is wrong
  std::complex<double> got, wanted;
  std::uint64_t wrong = 0, elements = 0;  // how many of how many
  double scale = 1;                       // how many times too large all of it is, where a factor of N explains it
};
Outcome compare(const Plan& plan, std::span<const std::byte> input, std::span<const std::byte> output);

}  // namespace twiddle
