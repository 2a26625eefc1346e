// What only looks at values or moves them: max, arg-max, sort, transpose, histogram, values, equals.
#include "base/error.h"
#include "kernels/catalogue/reference_forms.h"

#include <algorithm>

namespace twiddle {
namespace {

using Transform = Expect::Transform;
using Complex = std::complex<double>;

void set(Complex& to, std::uint64_t count) { to = static_cast<double>(count); }
void set(Whole& to, std::uint64_t count) { to = {static_cast<Int128>(count), 0}; }
void set(Complex& to, const Complex& value) { to = value; }
void set(Whole& to, const Complex& value) {
  to = {static_cast<Int128>(value.real()), static_cast<Int128>(value.imag())};
}

template <typename T>
std::size_t place_of_max(const Form<T>& form) {
  if (form.x.empty()) throw usage_error("there is no largest of no values: {} is empty", form.expect.input);
  // The first of equal ones.
  return static_cast<std::size_t>(std::max_element(form.x.begin(), form.x.end(),
                                                   [](const T& a, const T& b) { return real_part(a) < real_part(b); }) -
                                  form.x.begin());
}

// A value counts in the bin of its whole part; what is beyond the first or the last bin counts there.
template <typename T>
std::vector<T> bins(const Form<T>& form) {
  std::vector<std::uint64_t> counts(form.shape.to.columns);
  if (counts.empty()) throw usage_error("verify needs bins to compare the counts with");
  const auto last = static_cast<decltype(real_part(T{}))>(counts.size() - 1);
  for (const T& value : form.x) {
    const auto number = real_part(value);
    ++counts[number > 0 ? static_cast<std::size_t>(std::min(number, last)) : 0];
  }
  std::vector<T> out(counts.size());
  for (std::size_t bin = 0; bin < out.size(); ++bin) set(out[bin], counts[bin]);
  return out;
}

}  // namespace

template <typename T>
bool order_form(const Form<T>& form, std::vector<T>& out) {
  switch (form.expect.transform) {
    case Transform::Max: out = {form.x[place_of_max(form)]}; return true;
    case Transform::ArgMax:
      out.resize(1);
      set(out[0], static_cast<std::uint64_t>(place_of_max(form)));
      return true;
    case Transform::Sort:
      out.assign(form.x.begin(), form.x.end());
      std::stable_sort(out.begin(), out.end(), [](const T& a, const T& b) { return real_part(a) < real_part(b); });
      return true;
    case Transform::Transpose:
      for (std::uint64_t column = 0; column < form.shape.columns; ++column)
        for (std::uint64_t row = 0; row < form.shape.rows; ++row)
          out.push_back(form.x[row * form.shape.columns + column]);
      return true;
    case Transform::Histogram: out = bins(form); return true;
    case Transform::Values:
      out.resize(form.expect.table.size());
      for (std::size_t i = 0; i < out.size(); ++i) set(out[i], form.expect.table[i]);
      return true;
    case Transform::Equals: out.assign(form.x.begin(), form.x.end()); return true;
    default: return false;
  }
}
template bool order_form(const Form<Complex>&, std::vector<Complex>&);
template bool order_form(const Form<Whole>&, std::vector<Whole>&);

}  // namespace twiddle
