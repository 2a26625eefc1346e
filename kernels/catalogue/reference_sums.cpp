// Sums of inputs: sum, scan, segmented-sum, convolution, and any matrix.
#include "base/error.h"
#include "kernels/catalogue/reference_forms.h"

namespace twiddle {
namespace {

using Transform = Expect::Transform;
using Complex = std::complex<double>;

template <typename T>
std::vector<T> prefix_sums(const Form<T>& form) {
  std::vector<T> out;
  T sum{};
  for (const T& value : form.x) {
    const T before = sum;
    sum = sum + value;
    out.push_back(form.expect.exclusive ? before : sum);
  }
  return out;
}

// The pointers into the input that `segments` holds.
template <typename T>
std::vector<std::uint64_t> pointers(const Form<T>& form) {
  std::vector<std::uint64_t> rows;
  for (std::size_t i = 0; i < form.operand.size(); ++i) {
    const auto value = static_cast<double>(real_part(form.operand[i]));
    const double last = rows.empty() ? 0 : static_cast<double>(rows.back());
    if (!(value >= last && value <= static_cast<double>(form.x.size())))
      throw usage_error("segments are ascending pointers into the {} values of {}, and {}[{}] is {}", form.x.size(),
                        form.expect.input, form.expect.operand, i, value);
    rows.push_back(static_cast<std::uint64_t>(value));
  }
  return rows;
}

template <typename T>
std::vector<T> segment_sums(const Form<T>& form) {
  const std::vector<std::uint64_t> rows = pointers(form);
  std::vector<T> out;
  for (std::size_t row = 0; row + 1 < rows.size(); ++row) {
    T sum{};
    for (std::uint64_t i = rows[row]; i < rows[row + 1]; ++i) sum = sum + form.x[i];
    out.push_back(sum);
  }
  return out;
}

// y[r][c] = Σ x[r − i][c − j]·h[i][j]; one row in one dimension. `same` is centred: numpy's and scipy's, which begin at
// (taps − 1)/2 of the full one.
template <typename T>
std::vector<T> convolution(const Form<T>& form) {
  const ExpectShape& shape = form.shape;
  const bool plane = shape.columns != 0;
  const std::uint64_t rows = plane ? shape.rows : 1, columns = plane ? shape.columns : shape.points;
  const std::uint64_t tap_rows = plane ? form.operand.size() / shape.tap_columns : 1;
  const std::uint64_t tap_columns = plane ? shape.tap_columns : form.operand.size();
  const bool full = form.expect.mode == Expect::Mode::Full, circular = form.expect.mode == Expect::Mode::Circular;
  const std::uint64_t out_rows = full ? rows + tap_rows - 1 : rows;
  const std::uint64_t out_columns = full ? columns + tap_columns - 1 : columns;
  const std::uint64_t top = full || circular ? 0 : (tap_rows - 1) / 2,
                      left = full || circular ? 0 : (tap_columns - 1) / 2;
  std::vector<T> out(out_rows * out_columns);
  // Index `at + from − tap` of `size` points, or none where there is no such point.
  const auto source = [&](std::uint64_t at, std::uint64_t from, std::uint64_t tap, std::uint64_t size,
                          std::uint64_t& index) {
    if (circular) {
      index = (at + size - tap % size) % size;
      return true;
    }
    index = at + from - tap;
    return at + from >= tap && index < size;
  };
  for (std::uint64_t r = 0; r < out_rows; ++r)
    for (std::uint64_t c = 0; c < out_columns; ++c)
      for (std::uint64_t i = 0; i < tap_rows; ++i)
        for (std::uint64_t j = 0; j < tap_columns; ++j) {
          std::uint64_t row = 0, column = 0;
          if (!source(r, top, i, rows, row) || !source(c, left, j, columns, column)) continue;
          out[r * out_columns + c] =
              out[r * out_columns + c] + form.x[row * columns + column] * form.operand[i * tap_columns + j];
        }
  return out;
}

Complex entry(const Form<Complex>& form, std::size_t at) { return form.expect.table[at]; }
Whole entry(const Form<Whole>& form, std::size_t at) {
  return {static_cast<Int128>(form.expect.table[at].real()), static_cast<Int128>(form.expect.table[at].imag())};
}

template <typename T>
std::vector<T> product(const Form<T>& form) {
  const std::uint64_t columns = form.expect.table_columns;
  std::vector<T> out(form.expect.table.size() / columns);
  for (std::uint64_t row = 0; row < out.size(); ++row)
    for (std::uint64_t j = 0; j < columns; ++j) out[row] = out[row] + entry(form, row * columns + j) * form.x[j];
  return out;
}

}  // namespace

template <typename T>
bool sums_form(const Form<T>& form, std::vector<T>& out) {
  switch (form.expect.transform) {
    case Transform::Sum: {
      T sum{};
      for (const T& value : form.x) sum = sum + value;
      out = {sum};
      return true;
    }
    case Transform::Scan: out = prefix_sums(form); return true;
    case Transform::SegmentedSum: out = segment_sums(form); return true;
    case Transform::Convolution: out = convolution(form); return true;
    case Transform::Matrix: out = product(form); return true;
    default: return false;
  }
}
template bool sums_form(const Form<Complex>&, std::vector<Complex>&);
template bool sums_form(const Form<Whole>&, std::vector<Whole>&);

}  // namespace twiddle
