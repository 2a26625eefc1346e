// Parts that several entries of the catalogue are made of; each is defined in the file of the algorithm that it is of.
#pragma once

#include "kernels/catalogue/builder.h"

namespace twiddle {

/// Adds the launches of fft-radix2 but the scaling: `data` (n points, left permuted) → a new buffer F, which is returned.
std::size_t append_fft_radix2(Plan& plan, const TransformOptions& options, std::size_t data, std::uint64_t n,
                              std::uint64_t group);

/// Adds the stages of fft-dif, in place: the bins of `data` (n points) are left in bit-reversed order.
void append_fft_dif(Plan& plan, const TransformOptions& options, std::size_t data, std::uint64_t n,
                    std::uint64_t group);

/// Adds the circular convolution of two buffers of n points, a power of two, through the transform; the first holds n times
/// the outcome, the second its spectrum in bit-reversed order.
void append_convolution(Plan& plan, const TransformOptions& options, std::size_t points, std::size_t filter,
                        std::uint64_t n, std::uint64_t group);

/// The lines of an array that fft-radix2-local transforms: `count` of `points` points, element j of line l at
/// l·distance + j·stride; one or two to a work-group.
struct Lines {
  std::uint64_t count, points, distance, stride;
  std::uint64_t per_group = 1;
};

/// Adds the launch that transforms them in local memory, from one buffer to another (or the same). `table` holds the
/// points/2 first twiddles.
Launch& append_fft_lines(Plan& plan, const TransformOptions& options, std::size_t from, std::size_t to,
                         std::size_t table, const Lines& lines);

/// What the kernels of registers.h have to be compiled with: precision, sign, and how they get their twiddles.
std::vector<std::string> tile_defines(const Plan& plan, const TransformOptions& options);
/// "first pass" … "seventh pass", as a launch's label.
std::string pass_name(int number);
/// --twiddles of the kernels of registers.h; `shared`: of those whose groups can compute factors together.
Parameter tile_twiddles(bool shared = false);

/// Adds the two passes of fft_tiles that transform the rows and the columns of the plan's first buffer, a row-major array, into
/// the second and back: `engine` has the columns fetched ahead by so many groups as there are processors. A group has at most
/// `max_columns` columns, a power of two.
void append_fft2d_tiles(Plan& plan, const TransformOptions& options, std::uint64_t rows, std::uint64_t columns,
                        bool engine, std::uint64_t processors, std::uint64_t max_columns);
/// A sentence: what was asked for needs more local memory than the device of the request has, and what runs instead.
Message in_its_place(const std::string& asked, std::uint64_t needed, const Request& request, const std::string& taken);

/// What packing a real array of rows × columns into half as many complex points saves of the 5 MN log2 MN operations of a
/// complex transform, in percent: as counted for this catalogue's kernels, and by the published formula.
struct PackingSaving {
  double counted, published;
};
PackingSaving packing_saving(std::uint64_t rows, std::uint64_t columns);

/// The longest line: a work-item for each point has to fit into a work-group.
inline constexpr std::uint64_t max_line_points = 1024;

}  // namespace twiddle
