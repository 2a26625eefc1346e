#include "kernels/plan/expression_functions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace twiddle {
namespace {

constexpr std::array<ExpressionCall, 15> whole_functions{{
    {"min(a,b)", "the smaller one", 2},
    {"max(a,b)", "the larger one", 2},
    {"abs(a)", "without its sign", 1},
    {"log2(a)", "the binary logarithm, rounded down", 1},
    {"log4(a)", "the logarithm to base 4, rounded down", 1},
    {"pow2(a)", "2 to the power of a", 1},
    {"pow(a,b)", "a to the power of b", 2},
    {"nextpow2(a)", "the smallest power of two that is not below a", 1},
    {"ceildiv(a,b)", "a/b, rounded up", 2},
    {"roundup(a,b)", "the smallest multiple of b that is not below a", 2},
    {"gcd(a,b)", "the greatest common divisor", 2},
    {"xor(a,b)", "the exclusive or", 2},
    {"bitrev(a,b)", "the b lowest bits of a in reverse order", 2},
    {"powmod(a,b,m)", "a to the power of b, modulo m", 3},
    {"isqrt(a)", "the square root, rounded down", 1},
}};
constexpr std::array<ExpressionCall, 4> real_functions{{
    {"sqrt(a)", "the square root; only in floating-point values", 1},
    {"sin(a)", "the sine; only in floating-point values", 1},
    {"cos(a)", "the cosine; only in floating-point values", 1},
    {"exp(a)", "e to the power of a; only in floating-point values", 1},
}};
}  // namespace

std::span<const ExpressionCall> whole_calls() { return whole_functions; }
std::span<const ExpressionCall> real_calls() { return real_functions; }

std::int64_t call_whole(std::string_view name, const std::array<std::int64_t, 3>& x, const ExpressionFailure& fail) {
  const auto [a, b, m] = x;
  const auto positive = [&](std::int64_t value) {
    if (value < 1) throw fail(Message("{} takes numbers from 1 on, not {}", name, value));
    return static_cast<std::uint64_t>(value);
  };
  const auto not_negative = [&](std::int64_t value) {
    if (value < 0) throw fail(Message("{} takes numbers from 0 on, not {}", name, value));
    return static_cast<std::uint64_t>(value);
  };
  if (name == "min") return std::min(a, b);
  if (name == "max") return std::max(a, b);
  if (name == "abs") return a < 0 ? WholeNumbers::subtract(0, a, fail) : a;
  if (name == "log2") return std::bit_width(positive(a)) - 1;
  if (name == "log4") return (std::bit_width(positive(a)) - 1) / 2;
  if (name == "pow2" || name == "pow") {
    const std::int64_t base = name == "pow2" ? 2 : a;
    std::uint64_t power = not_negative(name == "pow2" ? a : b);
    if (base == 0 || base == 1) return power == 0 ? 1 : base;
    if (base == -1) return power % 2 == 0 ? 1 : -1;
    std::int64_t value = 1;
    for (; power > 0; --power) value = WholeNumbers::multiply(value, base, fail);  // ends at 64 bits
    return value;
  }
  if (name == "nextpow2") {
    const std::uint64_t value = std::max<std::uint64_t>(1, not_negative(a));
    if (value > std::uint64_t(1) << 62) throw fail(WholeNumbers::beyond());
    return static_cast<std::int64_t>(std::bit_ceil(value));
  }
  if (name == "ceildiv" || name == "roundup") {
    not_negative(a), positive(b);
    const std::int64_t times = a / b + (a % b != 0);
    return name == "ceildiv" ? times : WholeNumbers::multiply(times, b, fail);
  }
  if (name == "gcd") return static_cast<std::int64_t>(std::gcd(not_negative(a), not_negative(b)));
  if (name == "xor") return a ^ b;
  if (name == "isqrt") {
    const std::uint64_t value = not_negative(a);
    auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(value)));
    while (root > 0 && root > value / root) --root;
    while ((root + 1) <= value / (root + 1)) ++root;
    return static_cast<std::int64_t>(root);
  }
  if (name == "bitrev") {
    const std::uint64_t bits = not_negative(b);
    if (bits > 62) throw fail(Message("bitrev takes at most 62 bits, not {}", bits));
    std::uint64_t reversed = 0;
    for (std::uint64_t bit = 0; bit < bits; ++bit) reversed |= ((not_negative(a) >> bit) & 1) << (bits - 1 - bit);
    return static_cast<std::int64_t>(reversed);
  }
  // powmod
  __extension__ using Wide = unsigned __int128;
  const std::uint64_t modulus = positive(m);
  Wide base = not_negative(a) % modulus, value = 1 % modulus;
  for (std::uint64_t power = not_negative(b); power > 0; power >>= 1) {
    if (power & 1) value = value * base % modulus;
    base = base * base % modulus;
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace twiddle
