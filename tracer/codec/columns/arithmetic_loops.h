// The loops of arithmetic.cpp, compiled twice: for any processor (arithmetic_any.cpp) and for those with fused multiply-add
// and wide vectors (arithmetic_fma.cpp). Both give the same bits. No function here may be shared between the two, so all are
// in an unnamed namespace and call nothing of the standard library.
//
// GCC's vectoriser fuses w.x·b.x − w.y·b.y into one multiply-add-subtract even with -ffp-contract=off. Where a product is to
// be rounded before it is added, only code for a processor that cannot fuse is safe: those loops are left out of the other.

#include "tracer/codec/columns/arithmetic_tables.h"

#include <utility>

namespace twiddle::arithmetic {
namespace {

#if defined(__FMA__)
inline constexpr bool may_fuse = true;
#else
inline constexpr bool may_fuse = false;
#endif

// How a complex product is rounded, 0 … 8: three ways for the real part, three for the imaginary one. Each rounds both of its
// products (0), or fuses the first (1) or the second (2).
inline constexpr int roundings = 9;
constexpr int real_of(int rounding) { return rounding / 3; }
constexpr int imaginary_of(int rounding) { return rounding % 3; }
/// The loop, or null where the compiler could fuse what it must not.
template <typename T, int rounding>
constexpr Loop<T> unless_fused(Loop<T> loop) {
  return may_fuse && (real_of(rounding) == 0 || imaginary_of(rounding) == 0) ? nullptr : loop;
}

// A family's loops by variant: what `loop_of`, which takes the variant as a constant, gives for each.
template <typename T, int count>
struct Loops {
  Loop<T> of[count];
};
template <typename T, int... variant, typename LoopOf>
constexpr Loops<T, sizeof...(variant)> loops_of(std::integer_sequence<int, variant...>, LoopOf loop_of) {
  return {{loop_of.template operator()<variant>()...}};
}

inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline float quiet_nan(float) { return __builtin_nanf(""); }
inline double quiet_nan(double) { return __builtin_nan(""); }

// Machines differ in the NaN they make, so ours is always the same one.
template <typename T>
inline T settled(T x) {
  return __builtin_isnan(x) ? quiet_nan(x) : x;
}

inline unsigned settled(unsigned x) { return x; }

template <typename T>
struct Complex {
  T x, y;
};

template <typename T>
inline Complex<T> load(const T* from, std::size_t i) {
  return {from[2 * i], from[2 * i + 1]};
}
template <typename T>
inline void store(T* to, std::size_t i, Complex<T> z) {
  to[2 * i] = settled(z.x);
  to[2 * i + 1] = settled(z.y);
}
template <typename T>
inline Complex<T> sum(Complex<T> a, Complex<T> b) {
  return {a.x + b.x, a.y + b.y};
}
template <typename T>
inline Complex<T> difference(Complex<T> a, Complex<T> b) {
  return {a.x - b.x, a.y - b.y};
}

// w·b.
template <int rounding, typename T>
inline Complex<T> product(Complex<T> w, Complex<T> b) {
  constexpr int real = real_of(rounding), imaginary = imaginary_of(rounding);
  Complex<T> t;
  t.x = real == 0 ? w.x * b.x - w.y * b.y : real == 1 ? fused(w.x, b.x, -(w.y * b.y)) : fused(-w.y, b.y, w.x * b.x);
  t.y = imaginary == 0   ? w.x * b.y + w.y * b.x
        : imaginary == 1 ? fused(w.x, b.y, w.y * b.x)
                         : fused(w.y, b.x, w.x * b.y);
  return t;
}

// a + w·b without a rounded product: 0 adds one product after the other, 1 and 2 fuse both, starting with either.
template <int order, typename T>
inline Complex<T> accumulated(Complex<T> a, Complex<T> w, Complex<T> b) {
  if (order == 0) return {(a.x + w.x * b.x) - w.y * b.y, (a.y + w.x * b.y) + w.y * b.x};
  if (order == 1) return {fused(-w.y, b.y, fused(w.x, b.x, a.x)), fused(w.y, b.x, fused(w.x, b.y, a.y))};
  return {fused(w.x, b.x, fused(-w.y, b.y, a.x)), fused(w.x, b.y, fused(w.y, b.x, a.y))};
}

// ---- butterflies of two points ----

// Variants: a ± b, a twiddle of one left out (0); a ± w·b (from 1); a + b and w·(a − b), decimation in frequency (from 10);
// a ± w·b in one expression (from 19).
template <typename T, int variant>
void butterfly2(const Columns<T>& c) {
  const T *w = c.w[0], *in0 = c.in[0], *in1 = c.in[1];
  T* __restrict out0 = c.out[0], * __restrict out1 = c.out[1];
  for (std::size_t i = 0; i < c.count; ++i) {
    const Complex<T> a = load(in0, i), b = load(in1, i);
    if constexpr (variant == 0) {
      store(out0, i, sum(a, b));
      store(out1, i, difference(a, b));
    } else if constexpr (variant <= roundings) {
      const Complex<T> t = product<variant - 1>(load(w, i), b);
      store(out0, i, sum(a, t));
      store(out1, i, difference(a, t));
    } else if constexpr (variant <= 2 * roundings) {
      store(out0, i, sum(a, b));
      store(out1, i, product<variant - 1 - roundings>(load(w, i), difference(a, b)));
    } else {
      const Complex<T> factor = load(w, i);
      store(out0, i, accumulated<variant - 1 - 2 * roundings>(a, factor, b));
      store(out1, i, accumulated<variant - 1 - 2 * roundings>(a, Complex<T>{-factor.x, -factor.y}, b));
    }
  }
}

template <typename T>
constexpr auto butterfly2_loops = loops_of<T>(std::make_integer_sequence<int, butterfly2_variants>(),
                                              []<int variant>() -> Loop<T> {
                                                if constexpr (variant == 0 || variant > 1 + 2 * roundings)
                                                  return butterfly2<T, variant>;
                                                return unless_fused<T, (variant - 1) % roundings>(
                                                    butterfly2<T, variant>);
                                              });

// ---- butterflies of four points ----

// (a + γ) ± (β + δ) and (a − γ) ± sign·i·(β − δ), where β, γ, δ are b, c, d times their twiddles.
template <typename T, int rounding, int sign>
void butterfly4(const Columns<T>& c) {
  T* __restrict out0 = c.out[0], * __restrict out1 = c.out[1], * __restrict out2 = c.out[2], * __restrict out3 = c.out[3];
  for (std::size_t i = 0; i < c.count; ++i) {
    const Complex<T> a = load(c.in[0], i);
    const Complex<T> beta = product<rounding>(load(c.w[0], i), load(c.in[1], i));
    const Complex<T> gamma = product<rounding>(load(c.w[1], i), load(c.in[2], i));
    const Complex<T> delta = product<rounding>(load(c.w[2], i), load(c.in[3], i));
    const Complex<T> t0 = sum(a, gamma), t1 = difference(a, gamma), t2 = sum(beta, delta), t = difference(beta, delta);
    const Complex<T> t3 = {-sign * t.y, sign * t.x};
    store(out0, i, sum(t0, t2));
    store(out1, i, sum(t1, t3));
    store(out2, i, difference(t0, t2));
    store(out3, i, difference(t1, t3));
  }
}

template <typename T>
constexpr auto butterfly4_loops = loops_of<T>(std::make_integer_sequence<int, butterfly4_variants>(),
                                              []<int variant>() {
                                                constexpr int rounding = variant % roundings;
                                                return unless_fused<T, rounding>(butterfly4 < T, rounding,
                                                                                 variant < roundings ? -1 : 1 >);
                                              });

// ---- one value ----

// Each component times a real number (w has one component an operation, or two of which the first counts).
template <typename T, int components, int pitch>
void scale(const Columns<T>& c) {
  const T *w = c.w[0], *in = c.in[0];
  T* __restrict out = c.out[0];
  for (std::size_t i = 0; i < c.count; ++i)
    for (int part = 0; part < components; ++part)
      out[components * i + part] = settled(in[components * i + part] * w[pitch * i]);
}

// Times a complex number.
template <typename T, int rounding>
void multiply(const Columns<T>& c) {
  for (std::size_t i = 0; i < c.count; ++i) store(c.out[0], i, product<rounding>(load(c.w[0], i), load(c.in[0], i)));
}

template <typename T>
constexpr auto scale_complex_loops = loops_of<T>(std::make_integer_sequence<int, scale_complex_variants>(),
                                                 []<int variant>() -> Loop<T> {
                                                   if constexpr (variant == 0)
                                                     return scale<T, 2, 2>;
                                                   else
                                                     return unless_fused<T, variant - 1>(multiply<T, variant - 1>);
                                                 });
template <typename T>
constexpr Loop<T> scale_pair_loops[] = {scale<T, 2, 1>};
template <typename T>
constexpr Loop<T> scale_number_loops[] = {scale<T, 1, 1>};

// ---- real packing ----

// All of these have products by a half that are rounded before they are added. E = (y + conj z)/2, O = (y − conj z)/(2i); the
// outputs are E + w·O and E − w·O, the latter conjugated when it is at N/2 − k instead of k + N/2.
template <typename T, int rounding, bool conjugated>
void pack(const Columns<T>& c) {
  T* __restrict out0 = c.out[0], * __restrict out1 = c.out[1];
  const T half = static_cast<T>(0.5);
  for (std::size_t i = 0; i < c.count; ++i) {
    const Complex<T> y = load(c.in[0], i), z = load(c.in[1], i);
    const Complex<T> e = {half * (y.x + z.x), half * (y.y - z.y)};
    const Complex<T> o = {half * (y.y + z.y), half * (z.x - y.x)};
    const Complex<T> t = product<rounding>(load(c.w[0], i), o);
    const Complex<T> other = difference(e, t);
    store(out0, i, sum(e, t));
    store(out1, i, conjugated ? Complex<T>{other.x, -other.y} : other);
  }
}

template <typename T>
constexpr auto pack_loops = loops_of<T>(std::make_integer_sequence<int, pack_variants>(), []<int variant>() {
  return unless_fused<T, 0>(pack < T, variant % roundings, variant<roundings>);
});

// ---- a term of a sum: w[1] + w[0]·in[0] ----

// With a rounded product, or from variant 9 on in one expression.
template <typename T, int variant>
void term(const Columns<T>& c) {
  for (std::size_t i = 0; i < c.count; ++i) {
    const Complex<T> before = load(c.w[1], i), factor = load(c.w[0], i), x = load(c.in[0], i);
    if constexpr (variant < roundings)
      store(c.out[0], i, sum(before, product<variant>(factor, x)));
    else
      store(c.out[0], i, accumulated<variant - roundings>(before, factor, x));
  }
}

template <typename T>
constexpr auto term_loops = loops_of<T>(std::make_integer_sequence<int, term_variants>(), []<int variant>() -> Loop<T> {
  if constexpr (variant > roundings) return term<T, variant>;
  return unless_fused<T, variant % roundings>(term<T, variant>);
});

// The same with real numbers: rounded twice, or fused.
template <typename T, bool fuse>
void real_term(const Columns<T>& c) {
  T* __restrict out = c.out[0];
  for (std::size_t i = 0; i < c.count; ++i)
    out[i] = settled(fuse ? fused(c.w[0][i], c.in[0][i], c.w[1][i]) : c.w[1][i] + c.w[0][i] * c.in[0][i]);
}

template <typename T>
constexpr Loop<T> real_term_loops[] = {unless_fused<T, 0>(real_term<T, false>), real_term<T, true>};

// ---- sums of numbers ----

// in[0] + in[1], number by number; or in[0] + w[0], an atomic's operand.
template <typename T, bool from_coefficient>
void add(const Columns<T>& c) {
  const T *a = c.in[0], *b = from_coefficient ? c.w[0] : c.in[1];
  T* __restrict out = c.out[0];
  for (std::size_t i = 0; i < c.count; ++i) out[i] = settled(static_cast<T>(a[i] + b[i]));
}

template <typename T>
constexpr Loop<T> add_loops[] = {add<T, false>};
template <typename T>
constexpr Loop<T> add_operand_loops[] = {add<T, true>};

template <typename T>
constexpr FloatTable<T> float_table = {
    butterfly2_loops<T>.of,    butterfly4_loops<T>.of, pack_loops<T>.of,
    scale_complex_loops<T>.of, scale_pair_loops<T>,    scale_number_loops<T>,
    term_loops<T>.of,          real_term_loops<T>,     {add_loops<T>, add_operand_loops<T>},
};
inline constexpr Tables tables = {
    float_table<float>, float_table<double>, {add_loops<unsigned>, add_operand_loops<unsigned>}};

}  // namespace
}  // namespace twiddle::arithmetic
