// The loops of arithmetic_loops.h by what they do, one set for every kind of processor they are compiled for.
#pragma once

#include <cstddef>

namespace twiddle::arithmetic {

template <typename T>
struct Columns {
  std::size_t count;
  const T* w[3];
  const T* in[4];
  T* out[4];
};

template <typename T>
using Loop = void (*)(const Columns<T>&);

/// How many variants each family has.
inline constexpr int butterfly2_variants = 22, butterfly4_variants = 18, pack_variants = 18,
                     scale_complex_variants = 10, term_variants = 12, real_term_variants = 2;

template <typename T>
struct AddTable {
  const Loop<T>*two, *operand;
};

template <typename T>
struct FloatTable {
  const Loop<T>*butterfly2, *butterfly4, *pack, *scale_complex, *scale_pair, *scale_number, *term, *real_term;
  AddTable<T> add;
};

struct Tables {
  FloatTable<float> narrow;
  FloatTable<double> wide;
  AddTable<unsigned> integer;
};

/// Every loop.
const Tables& tables_for_any();
/// Loops for processors with AVX2 and FMA, null where there is none. Null altogether where the compiler has no such
/// processor in mind.
const Tables* tables_for_fma();

}  // namespace twiddle::arithmetic
