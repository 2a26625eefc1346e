// Double-precision references: what a Plan's outcome is measured against. Independent of the kernels on purpose.
#pragma once

#include "kernels/plan/expect_shape.h"
#include "kernels/plan/plan.h"

#include <complex>
#include <functional>
#include <span>
#include <vector>

namespace twiddle {

/// DFT of any length n ≥ 1 in double precision, X[k] = Σ x[j] e^(sign·2πijk/n), unscaled; O(n log n) for powers of two,
/// Bluestein otherwise. Error about 1e-15·log2 n relative. The tests compare it with FFTW.
std::vector<std::complex<double>> dft(std::span<const std::complex<double>> x, int sign);

/// Row-column DFT of a rows × columns array (row-major).
std::vector<std::complex<double>> dft2d(std::span<const std::complex<double>> x, std::uint64_t rows,
                                        std::uint64_t columns, int sign);

/// Whole numbers, exactly: what 64-bit integers of either sign hold, their sums and products modulo 2^128.
struct Whole {
  Int128 re = 0, im = 0;
  bool operator==(const Whole&) const = default;
};

/// What the expectation makes of an input: `shape.batch` transforms one after another, of shape.from.length() points each, gives
/// as many of shape.to.length() results. `operand` holds the taps or the segments' row pointers, or is empty. For linear
/// transforms (TransformTraits) that is a linear map of the input. Sums of Whole do not wrap to a type's width here. An ntt
/// takes whole numbers; the transforms of Fourier and their kin take complex ones. Values that the plan holds itself (matrix,
/// values) come from Expect::table. Throws Error (usage) for segments that are no ascending pointers into the input.
std::vector<std::complex<double>> reference(const Expect& expect, const ExpectShape& shape,
                                            std::span<const std::complex<double>> input,
                                            std::span<const std::complex<double>> operand = {});
std::vector<Whole> reference(const Expect& expect, const ExpectShape& shape, std::span<const Whole> input,
                             std::span<const Whole> operand = {});

/// The points of one side in a buffer's bytes (`imaginary`: those of the imaginary parts' buffer, else empty), transform after
/// transform.
std::vector<std::complex<double>> points_of(const Plan& plan, const PointMap& map, std::uint64_t batch,
                                            std::span<const std::byte> bytes,
                                            std::span<const std::byte> imaginary = {});

/// What `operand` of reference() is, in the bytes of that buffer; empty where the expectation has none.
std::vector<std::complex<double>> operand_of(const Plan& plan, const ExpectShape& shape,
                                             std::span<const std::byte> bytes);

/// How far a run is from its reference.
struct Verdict {
  double relative_l2 = 0;  // ‖out − ref‖ / ‖ref‖, as benchfft defines it; 0 or ∞ for integer algorithms
  double bound = 0;
  bool pass = false;
  std::string reason;  // where the bound comes from, or what differs first
  std::uint64_t differ = 0,
                elements = 0;  // where errors have no size to be measured against: how many differ, of how many
};

/// The same element by element: where a run that fails first goes wrong.
struct Outcome {
  bool pass = false;          // as verify says
  std::size_t buffer = 0;     // index into Plan::buffers: the output, or that of its imaginary parts
  std::uint64_t element = 0;  // of it: the first one that is wrong
  std::complex<double> got, wanted;
  std::uint64_t wrong = 0, elements = 0;  // how many of how many
  double scale = 1;                       // how many times too large all of it is, where a factor of N explains it
};

/// An element of a plan's buffers.
struct PlanElement {
  std::size_t buffer = 0;  // index into Plan::buffers
  std::uint64_t element = 0;
};

/// What a run's buffers (by index into Plan::buffers) held before it and after it, as bytes.
struct RunContents {
  std::function<std::vector<std::byte>(std::size_t buffer)> first, last;
};

/// Compares a run with the plan's expectation. Throws Error (usage) when the plan has no expectation, or one that does not fit
/// its buffers.
Verdict verify(const Plan& plan, const RunContents& contents);
Outcome compare(const Plan& plan, const RunContents& contents);
/// The elements that `compare` counts as wrong, in the order of the results; none where the run passes. Throws as `compare` does.
std::vector<PlanElement> wrong_elements(const Plan& plan, const RunContents& contents);

/// The same where the first content of the input and the last of the output are all that is needed.
Verdict verify(const Plan& plan, std::span<const std::byte> input, std::span<const std::byte> output);
Outcome compare(const Plan& plan, std::span<const std::byte> input, std::span<const std::byte> output);

}  // namespace twiddle
