// The catalogue's entries, a function a family; each stands in the .cpp file of the same name as its kernels.
#pragma once

#include "kernels/catalogue/builder.h"
#include "kernels/catalogue/catalogue.h"

namespace twiddle {

Algorithm dft_algorithm();
Algorithm fft_radix2();
Algorithm fft_radix2_single();
Algorithm fft_radix2_local();
Algorithm fft_real();
Algorithm fft2d();
Algorithm fft2d_real();
Algorithm fft_stockham2();
Algorithm fft_stockham4();
Algorithm fft_radix4();
std::vector<Algorithm> reductions();
std::vector<Algorithm> histograms();

// ---- Parts that several entries are made of ----

/// Adds the launches of fft-radix2 but the scaling: `data` (n points, left permuted) → a new buffer F, which is returned.
std::size_t append_fft_radix2(Plan& plan, const TransformOptions& options, std::size_t data, std::uint64_t n,
                              std::uint64_t group);

/// The lines of an array that fft-radix2-local transforms: `count` of `points` points, element j of line l at
/// l·distance + j·stride; one or two to a work-group.
struct Lines {
  std::uint64_t count, points, distance, stride;
  std::uint64_t a_group = 1;
};

/// Adds the launch that transforms them in local memory, from one buffer to another (or the same). `table` holds the
/// points/2 first twiddles.
Launch& append_fft_lines(Plan& plan, const TransformOptions& options, std::size_t from, std::size_t to,
                         std::size_t table, const Lines& lines);

/// What packing a real array of rows × columns into half as many complex points saves of the 5 MN log2 MN operations of a
/// complex transform, in percent: as counted for this catalogue's kernels, and by the published formula.
struct PackingSaving {
  double counted, published;
};
PackingSaving packing_saving(std::uint64_t rows, std::uint64_t columns);

/// The longest line: a work-item for each point has to fit into a work-group.
inline constexpr std::uint64_t most_line_points = 1024;

}  // namespace twiddle
