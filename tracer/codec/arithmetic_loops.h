// The loops of arithmetic.cpp, compiled twice: for any processor (arithmetic_any.cpp) and for those with fused multiply-add
// and wide vectors (arithmetic_fma.cpp). Both give the same bits. No function here may be shared between the two, so all are
// in an unnamed namespace and call nothing of the standard library.
//
// GCC's vectoriser fuses w.x·b.x − w.y·b.y into one multiply-add-subtract even with -ffp-contract=off. Where a product is to
// be rounded before it is added, only code for a processor that cannot fuse is safe: those loops are left out of the other.

#include "tracer/codec/arithmetic_tables.h"

namespace twiddle::arithmetic {
namespace {

#if defined(__FMA__)
inline constexpr bool may_fuse = true;
#else
inline constexpr bool may_fuse = false;
#endif
/// The loop, or null where the compiler could fuse what it must not: each part of a complex product rounds both products (0),
/// or fuses one of them.
template <typename T, int real, int imaginary>
constexpr Loop<T> unless_fused(Loop<T> loop) {
  return may_fuse && (real == 0 || imaginary == 0) ? nullptr : loop;
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

// w·b, where the real and the imaginary part round both products (0), or fuse the first (1) or the second (2).
template <int real, int imaginary, typename T>
inline Complex<T> product(Complex<T> w, Complex<T> b) {
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

// a ± w·b.
template <typename T, int real, int imaginary>
void butterfly(const Columns<T>& c) {
  const T *w = c.w[0], *in0 = c.in[0], *in1 = c.in[1];
  T* __restrict out0 = c.out[0], * __restrict out1 = c.out[1];
  for (std::size_t i = 0; i < c.count; ++i) {
    const Complex<T> a = load(in0, i), t = product<real, imaginary>(load(w, i), load(in1, i));
    store(out0, i, sum(a, t));
    store(out1, i, difference(a, t));
  }
}

// a ± b: a twiddle of one, left out.
template <typename T>
void butterfly_of_one(const Columns<T>& c) {
  const T *in0 = c.in[0], *in1 = c.in[1];
  T* __restrict out0 = c.out[0], * __restrict out1 = c.out[1];
  for (std::size_t i = 0; i < c.count; ++i) {
    const Complex<T> a = load(in0, i), b = load(in1, i);
    store(out0, i, sum(a, b));
    store(out1, i, difference(a, b));
  }
}

// a + b, w·(a − b): decimation in frequency.
template <typename T, int real, int imaginary>
void butterfly_after(const Columns<T>& c) {
  const T *w = c.w[0], *in0 = c.in[0], *in1 = c.in[1];
  T* __restrict out0 = c.out[0], * __restrict out1 = c.out[1];
  for (std::size_t i = 0; i < c.count; ++i) {
    const Complex<T> a = load(in0, i), b = load(in1, i);
    store(out0, i, sum(a, b));
    store(out1, i, product<real, imaginary>(load(w, i), difference(a, b)));
  }
}

// a ± w·b in one expression.
template <typename T, int order>
void butterfly_accumulated(const Columns<T>& c) {
  const T *w = c.w[0], *in0 = c.in[0], *in1 = c.in[1];
  T* __restrict out0 = c.out[0], * __restrict out1 = c.out[1];
  for (std::size_t i = 0; i < c.count; ++i) {
    const Complex<T> a = load(in0, i), b = load(in1, i), factor = load(w, i);
    store(out0, i, accumulated<order>(a, factor, b));
    store(out1, i, accumulated<order>(a, Complex<T>{-factor.x, -factor.y}, b));
  }
}

template <typename T>
constexpr Loop<T> butterfly2_loops[] = {
    butterfly_of_one<T>,
    unless_fused<T, 0, 0>(butterfly<T, 0, 0>),
    unless_fused<T, 0, 1>(butterfly<T, 0, 1>),
    unless_fused<T, 0, 2>(butterfly<T, 0, 2>),
    unless_fused<T, 1, 0>(butterfly<T, 1, 0>),
    unless_fused<T, 1, 1>(butterfly<T, 1, 1>),
    unless_fused<T, 1, 2>(butterfly<T, 1, 2>),
    unless_fused<T, 2, 0>(butterfly<T, 2, 0>),
    unless_fused<T, 2, 1>(butterfly<T, 2, 1>),
    unless_fused<T, 2, 2>(butterfly<T, 2, 2>),
    unless_fused<T, 0, 0>(butterfly_after<T, 0, 0>),
    unless_fused<T, 0, 1>(butterfly_after<T, 0, 1>),
    unless_fused<T, 0, 2>(butterfly_after<T, 0, 2>),
    unless_fused<T, 1, 0>(butterfly_after<T, 1, 0>),
    unless_fused<T, 1, 1>(butterfly_after<T, 1, 1>),
    unless_fused<T, 1, 2>(butterfly_after<T, 1, 2>),
    unless_fused<T, 2, 0>(butterfly_after<T, 2, 0>),
    unless_fused<T, 2, 1>(butterfly_after<T, 2, 1>),
    unless_fused<T, 2, 2>(butterfly_after<T, 2, 2>),
    unless_fused<T, 0, 0>(butterfly_accumulated<T, 0>),
    butterfly_accumulated<T, 1>,
    butterfly_accumulated<T, 2>,
};

// ---- butterflies of four points ----

// (a + γ) ± (β + δ) and (a − γ) ± sign·i·(β − δ), where β, γ, δ are b, c, d times their twiddles.
template <typename T, int real, int imaginary, int sign>
void butterfly4(const Columns<T>& c) {
  T* __restrict out0 = c.out[0], * __restrict out1 = c.out[1], * __restrict out2 = c.out[2], * __restrict out3 = c.out[3];
  for (std::size_t i = 0; i < c.count; ++i) {
    const Complex<T> a = load(c.in[0], i);
    const Complex<T> beta = product<real, imaginary>(load(c.w[0], i), load(c.in[1], i));
    const Complex<T> gamma = product<real, imaginary>(load(c.w[1], i), load(c.in[2], i));
    const Complex<T> delta = product<real, imaginary>(load(c.w[2], i), load(c.in[3], i));
    const Complex<T> t0 = sum(a, gamma), t1 = difference(a, gamma), t2 = sum(beta, delta), t = difference(beta, delta);
    const Complex<T> t3 = {-sign * t.y, sign * t.x};
    store(out0, i, sum(t0, t2));
    store(out1, i, sum(t1, t3));
    store(out2, i, difference(t0, t2));
    store(out3, i, difference(t1, t3));
  }
}

template <typename T>
constexpr Loop<T> butterfly4_loops[] = {
    unless_fused<T, 0, 0>(butterfly4<T, 0, 0, -1>), unless_fused<T, 0, 1>(butterfly4<T, 0, 1, -1>),
    unless_fused<T, 0, 2>(butterfly4<T, 0, 2, -1>), unless_fused<T, 1, 0>(butterfly4<T, 1, 0, -1>),
    unless_fused<T, 1, 1>(butterfly4<T, 1, 1, -1>), unless_fused<T, 1, 2>(butterfly4<T, 1, 2, -1>),
    unless_fused<T, 2, 0>(butterfly4<T, 2, 0, -1>), unless_fused<T, 2, 1>(butterfly4<T, 2, 1, -1>),
    unless_fused<T, 2, 2>(butterfly4<T, 2, 2, -1>), unless_fused<T, 0, 0>(butterfly4<T, 0, 0, 1>),
    unless_fused<T, 0, 1>(butterfly4<T, 0, 1, 1>),  unless_fused<T, 0, 2>(butterfly4<T, 0, 2, 1>),
    unless_fused<T, 1, 0>(butterfly4<T, 1, 0, 1>),  unless_fused<T, 1, 1>(butterfly4<T, 1, 1, 1>),
    unless_fused<T, 1, 2>(butterfly4<T, 1, 2, 1>),  unless_fused<T, 2, 0>(butterfly4<T, 2, 0, 1>),
    unless_fused<T, 2, 1>(butterfly4<T, 2, 1, 1>),  unless_fused<T, 2, 2>(butterfly4<T, 2, 2, 1>),
};

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
template <typename T, int real, int imaginary>
void multiply(const Columns<T>& c) {
  for (std::size_t i = 0; i < c.count; ++i)
    store(c.out[0], i, product<real, imaginary>(load(c.w[0], i), load(c.in[0], i)));
}

template <typename T>
constexpr Loop<T> scale_complex_loops[] = {
    scale<T, 2, 2>,
    unless_fused<T, 0, 0>(multiply<T, 0, 0>),
    unless_fused<T, 0, 1>(multiply<T, 0, 1>),
    unless_fused<T, 0, 2>(multiply<T, 0, 2>),
    unless_fused<T, 1, 0>(multiply<T, 1, 0>),
    unless_fused<T, 1, 1>(multiply<T, 1, 1>),
    unless_fused<T, 1, 2>(multiply<T, 1, 2>),
    unless_fused<T, 2, 0>(multiply<T, 2, 0>),
    unless_fused<T, 2, 1>(multiply<T, 2, 1>),
    unless_fused<T, 2, 2>(multiply<T, 2, 2>),
};
template <typename T>
constexpr Loop<T> scale_pair_loops[] = {scale<T, 2, 1>};
template <typename T>
constexpr Loop<T> scale_number_loops[] = {scale<T, 1, 1>};

// ---- real packing ----

// All of these have products by a half that are rounded before they are added. E = (y + conj z)/2, O = (y − conj z)/(2i); the outputs are E + w·O and E − w·O, the latter conjugated when it is at
// N/2 − k instead of k + N/2.
template <typename T, int real, int imaginary, bool conjugated>
void pack(const Columns<T>& c) {
  T* __restrict out0 = c.out[0], * __restrict out1 = c.out[1];
  const T half = static_cast<T>(0.5);
  for (std::size_t i = 0; i < c.count; ++i) {
    const Complex<T> y = load(c.in[0], i), z = load(c.in[1], i);
    const Complex<T> e = {half * (y.x + z.x), half * (y.y - z.y)};
    const Complex<T> o = {half * (y.y + z.y), half * (z.x - y.x)};
    const Complex<T> t = product<real, imaginary>(load(c.w[0], i), o);
    const Complex<T> other = difference(e, t);
    store(out0, i, sum(e, t));
    store(out1, i, conjugated ? Complex<T>{other.x, -other.y} : other);
  }
}

template <typename T>
constexpr Loop<T> pack_loops[] = {
    unless_fused<T, 0, 0>(pack<T, 0, 0, true>),  unless_fused<T, 0, 0>(pack<T, 0, 1, true>),
    unless_fused<T, 0, 0>(pack<T, 0, 2, true>),  unless_fused<T, 0, 0>(pack<T, 1, 0, true>),
    unless_fused<T, 0, 0>(pack<T, 1, 1, true>),  unless_fused<T, 0, 0>(pack<T, 1, 2, true>),
    unless_fused<T, 0, 0>(pack<T, 2, 0, true>),  unless_fused<T, 0, 0>(pack<T, 2, 1, true>),
    unless_fused<T, 0, 0>(pack<T, 2, 2, true>),  unless_fused<T, 0, 0>(pack<T, 0, 0, false>),
    unless_fused<T, 0, 0>(pack<T, 0, 1, false>), unless_fused<T, 0, 0>(pack<T, 0, 2, false>),
    unless_fused<T, 0, 0>(pack<T, 1, 0, false>), unless_fused<T, 0, 0>(pack<T, 1, 1, false>),
    unless_fused<T, 0, 0>(pack<T, 1, 2, false>), unless_fused<T, 0, 0>(pack<T, 2, 0, false>),
    unless_fused<T, 0, 0>(pack<T, 2, 1, false>), unless_fused<T, 0, 0>(pack<T, 2, 2, false>),
};

// ---- a term of a sum: w[1] + w[0]·in[0] ----

template <typename T, int real, int imaginary>
void term(const Columns<T>& c) {
  for (std::size_t i = 0; i < c.count; ++i)
    store(c.out[0], i, sum(load(c.w[1], i), product<real, imaginary>(load(c.w[0], i), load(c.in[0], i))));
}

template <typename T, int order>
void term_accumulated(const Columns<T>& c) {
  for (std::size_t i = 0; i < c.count; ++i)
    store(c.out[0], i, accumulated<order>(load(c.w[1], i), load(c.w[0], i), load(c.in[0], i)));
}

template <typename T>
constexpr Loop<T> term_loops[] = {
    unless_fused<T, 0, 0>(term<T, 0, 0>),
    unless_fused<T, 0, 1>(term<T, 0, 1>),
    unless_fused<T, 0, 2>(term<T, 0, 2>),
    unless_fused<T, 1, 0>(term<T, 1, 0>),
    unless_fused<T, 1, 1>(term<T, 1, 1>),
    unless_fused<T, 1, 2>(term<T, 1, 2>),
    unless_fused<T, 2, 0>(term<T, 2, 0>),
    unless_fused<T, 2, 1>(term<T, 2, 1>),
    unless_fused<T, 2, 2>(term<T, 2, 2>),
    unless_fused<T, 0, 0>(term_accumulated<T, 0>),
    term_accumulated<T, 1>,
    term_accumulated<T, 2>,
};

// The same with real numbers: rounded twice, or fused.
template <typename T, bool fuse>
void real_term(const Columns<T>& c) {
  T* __restrict out = c.out[0];
  for (std::size_t i = 0; i < c.count; ++i)
    out[i] = settled(fuse ? fused(c.w[0][i], c.in[0][i], c.w[1][i]) : c.w[1][i] + c.w[0][i] * c.in[0][i]);
}

template <typename T>
constexpr Loop<T> real_term_loops[] = {unless_fused<T, 0, 0>(real_term<T, false>), real_term<T, true>};

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
    butterfly2_loops<T>,    butterfly4_loops<T>, pack_loops<T>,
    scale_complex_loops<T>, scale_pair_loops<T>, scale_number_loops<T>,
    term_loops<T>,          real_term_loops<T>,  {add_loops<T>, add_operand_loops<T>},
};
inline constexpr Tables tables = {
    float_table<float>, float_table<double>, {add_loops<unsigned>, add_operand_loops<unsigned>}};

}  // namespace
}  // namespace twiddle::arithmetic
