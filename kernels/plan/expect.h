// What the outcome of a Plan should be, as data: which transform of which buffers, and how its points are placed in them.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// What `verify` compares the outcome with.
struct Expect {
  enum class Transform {
    None,
    Fft,
    InverseFft,
    Sum,
    Histogram,
    Fft2d,
    InverseFft2d,
    Scan,
    RealFft,
    Dct2,
    Haar,
    Convolution,
    SegmentedSum,
    Max,
    ArgMax,
    Sort,
    Transpose,
    Ntt,
    Matrix,
    Values,
    Equals,
  };
  enum class Mode { Same, Full, Circular };  // of a convolution

  /// Where the points of one side are; 0 stands for what follows from the transform and the buffer (expect_shape.h).
  struct Side {
    std::string imaginary;     // buffer of the imaginary parts; the same as of the real ones: the two alternate in it
    std::uint64_t points = 0;  // of one transform that are there: the rest of the input is zero, of the output ignored
    std::uint64_t stride = 0;  // between points (of a row)
    std::uint64_t row_stride = 0;  // between rows, in two dimensions
    std::uint64_t dist = 0;        // between transforms
    std::uint64_t offset = 0;      // of the first point

    bool operator==(const Side&) const = default;
  };

  Transform transform = Transform::None;
  std::string input;  // buffer names; empty where the transform has no input (values, equals)
  std::string output;
  std::uint64_t points = 0;  // length of the transform where it is not the buffer's count (real packing), else 0
  std::uint64_t rows = 0, columns = 0;  // in two dimensions, where no buffer's shape says it, else 0
  std::uint64_t batch = 0;              // transforms; 0: as many as the input holds
  Side from, to;                        // of the input, of the output
  int sign = -1;           // of the exponent; -1 is the forward transform of FFTW and cuFFT. Of an ntt +1 takes 1/root
  double scale = 1;        // the outcome is this many times the transform; of an ntt a whole number
  bool exclusive = false;  // of a scan: element i is the sum of what is before it, without x[i] itself
  Mode mode = Mode::Same;
  std::string operand;                      // the buffer of taps, of segments, or that the output equals
  std::string file;                         // of a matrix or of values, relative to the plan
  std::uint64_t table_columns = 0;          // of a matrix
  std::vector<std::complex<double>> table;  // the file's entries, row by row
  std::uint64_t modulus = 0, root = 0;      // of an ntt: X[k] = Σ x[j] root^(jk) mod modulus
  double bound = 0;                         // relative L2 error allowed; 0 for exact
  std::string bound_reason;

  bool operator==(const Expect&) const = default;

  /// Whether every point of the buffers takes part, one after the other, as whole elements: what checks and views that
  /// follow elements can do with.
  bool plain() const { return from == Side{} && to == Side{}; }
};

/// What checks, views and references ask of a transform instead of comparing it with each one that they know.
struct TransformTraits {
  std::string_view name;     // in plan files and in traces
  bool fourier = false;      // a discrete Fourier transform …
  bool inverse = false;      // … back from the spectrum, scaled by 1/points
  bool plane = false;        // over rows and columns
  bool each_once = false;    // every input value goes into exactly one result
  bool linear = false;       // the outcome is a linear map of the input
  bool adds = false;         // results are sums that may vanish: errors are measured against the sums of magnitudes
  bool one = false;          // one result for all points of a transform
  bool moves = false;        // results are values of the input as they are
  std::string_view extra{};  // a key that the transform has for itself …
  bool needs_extra = false;  // … and has to be given
};

/// In the order of Expect::Transform.
inline constexpr std::array<TransformTraits, 21> transforms{{
    {.name = "none"},
    {.name = "fft", .fourier = true, .linear = true},
    {.name = "inverse-fft", .fourier = true, .inverse = true, .linear = true},
    {.name = "sum", .each_once = true, .linear = true, .adds = true, .one = true},
    {.name = "histogram", .each_once = true},
    {.name = "fft2d", .fourier = true, .plane = true, .linear = true},
    {.name = "inverse-fft2d", .fourier = true, .inverse = true, .plane = true, .linear = true},
    {.name = "scan", .linear = true, .adds = true, .extra = "kind"},
    {.name = "real-fft", .fourier = true, .linear = true},
    {.name = "dct-2", .linear = true},
    {.name = "haar", .linear = true},
    {.name = "convolution", .linear = true, .adds = true, .extra = "taps", .needs_extra = true},
    {.name = "segmented-sum", .linear = true, .adds = true, .extra = "segments", .needs_extra = true},
    {.name = "max", .one = true, .moves = true},
    {.name = "arg-max", .one = true},
    {.name = "sort", .moves = true},
    {.name = "transpose", .plane = true, .linear = true, .moves = true},
    {.name = "ntt", .extra = "root", .needs_extra = true},
    {.name = "matrix", .linear = true},
    {.name = "values"},
    {.name = "equals"},
}};
constexpr const TransformTraits& traits(Expect::Transform transform) {
  return transforms[static_cast<std::size_t>(transform)];
}
/// Nothing where none is called so.
constexpr std::optional<Expect::Transform> transform_named(std::string_view name) {
  for (std::size_t t = 0; t < transforms.size(); ++t)
    if (transforms[t].name == name) return static_cast<Expect::Transform>(t);
  return std::nullopt;
}

}  // namespace twiddle
