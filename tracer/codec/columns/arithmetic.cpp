#include "tracer/codec/columns/arithmetic.h"

#include "tracer/codec/columns/arithmetic_tables.h"

#include <cassert>
#include <cstring>
#include <limits>

namespace twiddle {
namespace {

using namespace arithmetic;

// The loops for this very processor, or null.
const Tables* tables_here() {
#if defined(__x86_64__) || defined(__i386__)
  static const bool able = __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
  return able ? tables_for_fma() : nullptr;
#else
  return nullptr;
#endif
}

// What the loops of one type do for a shape: how many variants, and which loops they are.
template <typename T>
struct Family {
  const Loop<T>* loops = nullptr;
  int variants = 0;
};

bool is_complex(ElementType type) { return type == ElementType::Float2 || type == ElementType::Double2; }

template <typename T>
Family<T> family_of(const ArithmeticType& type, const FloatTable<T>& table) {
  const bool complex = is_complex(type.value), alike = type.value == type.coefficient;
  switch (type.shape) {
    case Shape::Butterfly2:
    case Shape::Butterfly2To:
      if (complex && alike) return {table.butterfly2, butterfly2_variants};
      break;
    case Shape::Butterfly4:
    case Shape::Butterfly4To:
      if (complex && alike) return {table.butterfly4, butterfly4_variants};
      break;
    case Shape::Pack:
      if (complex && alike) return {table.pack, pack_variants};
      break;
    case Shape::Scale:
    case Shape::ScaleTo:
      if (complex && alike) return {table.scale_complex, scale_complex_variants};
      if (complex && component_type(type.value) == type.coefficient) return {table.scale_pair, 1};
      if (!complex && alike) return {table.scale_number, 1};
      break;
    case Shape::Term:
      if (alike) return complex ? Family<T>{table.term, term_variants} : Family<T>{table.real_term, real_term_variants};
      break;
    default: break;
  }
  return {};
}

template <typename T>
void run(Shape shape, const Loop<T>& loop, std::size_t count, const ArithmeticColumns& from) {
  Columns<T> columns{count, {}, {}, {}};
  const ShapeTraits& make = traits(shape);
  for (int i = 0; i < make.coefficients; ++i) columns.w[i] = reinterpret_cast<const T*>(from.coefficients[i]);
  for (int i = 0; i < make.reads; ++i) columns.in[i] = reinterpret_cast<const T*>(from.reads[i]);
  const int written = shape == Shape::Term ? 1 : make.writes;
  for (int i = 0; i < written; ++i) columns.out[i] = reinterpret_cast<T*>(from.writes[i]);
  loop(columns);
}

// The loop of a variant for this processor, or else for any.
template <typename T>
void run_variant(const ArithmeticType& type, int variant, const FloatTable<T>& any, const FloatTable<T>* here,
                 const ArithmeticColumns& columns) {
  const Loop<T> quicker = here ? family_of(type, *here).loops[variant] : nullptr;
  run(type.shape, quicker ? quicker : family_of(type, any).loops[variant], columns.count, columns);
}

// Sums go number by number, for any element type.
template <typename T>
void run_sum(const AddTable<T>& table, const ArithmeticType& type, const ArithmeticColumns& columns) {
  const std::size_t numbers = columns.count * static_cast<std::size_t>(traits(type.value).components);
  run(type.shape, type.shape == Shape::Combine ? *table.two : *table.operand, numbers, columns);
}

// Numbers of 32 bits, floats and doubles, by themselves or in pairs: what a kernel computes with. Others are only moved.
bool computed(ElementType type) {
  const ElementTraits& make = traits(type);
  return make.components <= 2 && traits(make.scalar).bytes >= 4 && (make.floating || !make.wide);
}

bool sums(const ArithmeticType& type) {
  if (!computed(type.value)) return false;
  return type.shape == Shape::Combine || (type.shape == Shape::Atomic && type.coefficient == type.value);
}

// The r-th roots of unity e^(∓2πi k/r), to the same bits on every machine: cosine and sine of 2π/r by their series, then powers.
struct Roots {
  std::array<double, max_legs> real{}, imaginary{};

  explicit Roots(const Legs& legs) {
    const double x = 6.283185307179586 / legs.radix;
    double c = 1, s = x, even = 1, odd = x;
    for (int n = 1; n <= 20; ++n) {
      even = even * -(x * x) / ((2 * n - 1) * (2 * n));
      odd = odd * -(x * x) / ((2 * n) * (2 * n + 1));
      c = c + even;
      s = s + odd;
    }
    real[0] = 1;
    for (int k = 1; k < legs.radix; ++k) {
      const auto at = static_cast<std::size_t>(k);
      real[at] = round(real[at - 1] * c - imaginary[at - 1] * s);
      imaginary[at] = round(real[at - 1] * s + imaginary[at - 1] * c);
    }
    if (!legs.inverse)
      for (int k = 1; k < legs.radix; ++k) imaginary[static_cast<std::size_t>(k)] *= -1;
  }

 private:
  static double round(double part) {
    for (const double exact : {0.0, 1.0, -1.0})
      if (part - exact < 1e-14 && exact - part < 1e-14) return exact;
    return part;
  }
};

// Butterflies of any radix as the definition has them, in double precision: kernels do them in many ways, and this is near to
// all.
template <typename T>
void run_legs(const Legs& legs, const ArithmeticColumns& columns) {
  const Roots roots(legs);
  const int r = legs.radix;
  const auto part = [](const std::byte* column, std::size_t at) {
    T value;
    std::memcpy(&value, column + at * sizeof(T), sizeof value);
    return static_cast<double>(value);
  };
  const auto put = [](std::byte* column, std::size_t at, double value) {
    const T rounded = value != value ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(value);
    std::memcpy(column + at * sizeof(T), &rounded, sizeof rounded);
  };
  std::array<double, max_legs> re{}, im{}, w_re{}, w_im{};
  for (std::size_t i = 0; i < columns.count; ++i) {
    for (int q = 0; q < r; ++q) {
      re[q] = part(columns.reads[q], 2 * i);
      im[q] = part(columns.reads[q], 2 * i + 1);
      w_re[q] = part(columns.coefficients[q], 2 * i);
      w_im[q] = part(columns.coefficients[q], 2 * i + 1);
      if (legs.behind) continue;
      const double turned = re[q] * w_re[q] - im[q] * w_im[q];
      im[q] = re[q] * w_im[q] + im[q] * w_re[q];
      re[q] = turned;
    }
    for (int p = 0; p < r; ++p) {
      double x = 0, y = 0;
      for (int q = 0; q < r; ++q) {
        const auto k = static_cast<std::size_t>(p * q % r);
        x = x + (re[q] * roots.real[k] - im[q] * roots.imaginary[k]);
        y = y + (re[q] * roots.imaginary[k] + im[q] * roots.real[k]);
      }
      put(columns.writes[p], 2 * i, legs.behind ? x * w_re[p] - y * w_im[p] : x);
      put(columns.writes[p], 2 * i + 1, legs.behind ? x * w_im[p] + y * w_re[p] : y);
    }
  }
}

bool legged(const ArithmeticType& type) {
  return legs_of(type.shape).radix > 0 && is_complex(type.value) && type.value == type.coefficient;
}

bool copies(const ArithmeticType& type) { return type.shape == Shape::Swap || type.shape == Shape::Move; }

}  // namespace

int variant_count(const ArithmeticType& type) {
  if (sums(type) || copies(type) || legged(type)) return 1;
  const ElementTraits& value = traits(type.value);
  if (!value.floating || !computed(type.value)) return 0;
  const Tables& any = tables_for_any();
  return value.wide ? family_of(type, any.wide).variants : family_of(type, any.narrow).variants;
}

void compute_writes(const ArithmeticType& type, int variant, const ArithmeticColumns& columns) {
  assert(variant >= 0 && variant < variant_count(type));
  const ElementTraits& value = traits(type.value);
  const Tables &any = tables_for_any(), *here = tables_here();
  if (copies(type)) {
    const bool swap = type.shape == Shape::Swap;
    std::memcpy(columns.writes[0], columns.reads[swap ? 1 : 0], columns.count * value.bytes);
    if (swap) std::memcpy(columns.writes[1], columns.reads[0], columns.count * value.bytes);
  } else if (legged(type)) {
    value.wide ? run_legs<double>(legs_of(type.shape), columns) : run_legs<float>(legs_of(type.shape), columns);
  } else if (sums(type)) {
    if (!value.floating)
      run_sum(any.integer, type, columns);
    else if (value.wide)
      run_sum(any.wide.add, type, columns);
    else
      run_sum(any.narrow.add, type, columns);
  } else if (value.wide) {
    run_variant(type, variant, any.wide, here ? &here->wide : nullptr, columns);
  } else {
    run_variant(type, variant, any.narrow, here ? &here->narrow : nullptr, columns);
  }
}

}  // namespace twiddle
