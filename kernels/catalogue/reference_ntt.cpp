// The number-theoretic transform: X[k] = Σ x[j] root^(jk) modulo the modulus, as it is defined, halved as often as N is even.
#include "kernels/catalogue/reference_forms.h"

namespace twiddle {
namespace {

__extension__ using Product = unsigned __int128;
using Residue = std::uint64_t;

Residue times(Residue a, Residue b, Residue modulus) { return static_cast<Residue>(Product(a) * b % modulus); }
Residue plus(Residue a, Residue b, Residue modulus) { return static_cast<Residue>((Product(a) + b) % modulus); }

// The transform of x[0], x[stride], x[2·stride], … of n points; `root` has order n.
std::vector<Residue> transform(const std::vector<Residue>& x, std::size_t first, std::size_t stride, std::size_t n,
                               Residue root, Residue modulus) {
  std::vector<Residue> out(n);
  if (n % 2 == 1) {
    Residue step = 1 % modulus;  // root^k
    for (std::size_t k = 0; k < n; ++k, step = times(step, root, modulus)) {
      Residue factor = 1 % modulus, sum = 0;
      for (std::size_t j = 0; j < n; ++j, factor = times(factor, step, modulus))
        sum = plus(sum, times(x[first + j * stride], factor, modulus), modulus);
      out[k] = sum;
    }
    return out;
  }
  const Residue square = times(root, root, modulus);
  const std::vector<Residue> even = transform(x, first, 2 * stride, n / 2, square, modulus);
  const std::vector<Residue> odd = transform(x, first + stride, 2 * stride, n / 2, square, modulus);
  Residue factor = 1 % modulus;
  for (std::size_t k = 0; k < n; ++k, factor = times(factor, root, modulus))
    out[k] = plus(even[k % (n / 2)], times(factor, odd[k % (n / 2)], modulus), modulus);
  return out;
}

}  // namespace

std::vector<Whole> ntt_form(const Form<Whole>& form) {
  const Residue modulus = form.expect.modulus;
  std::vector<Residue> x;
  for (const Whole& value : form.x) {
    const Int128 rest = value.re % static_cast<Int128>(modulus);
    x.push_back(static_cast<Residue>(rest < 0 ? rest + static_cast<Int128>(modulus) : rest));
  }
  // 1/root is its (N − 1)-th power.
  Residue root = form.expect.root % modulus;
  if (form.expect.sign > 0) {
    Residue inverse = 1 % modulus;
    for (std::size_t i = 1; i < x.size(); ++i) inverse = times(inverse, root, modulus);
    root = inverse;
  }
  const auto scale = static_cast<Residue>(form.expect.scale);
  std::vector<Whole> out;
  for (const Residue value : transform(x, 0, 1, x.size(), root, modulus))
    out.push_back({static_cast<Int128>(times(value, scale % modulus, modulus)), 0});
  return out;
}

}  // namespace twiddle
