// Compiled with -mavx2 -mfma where there is such a thing (CMakeLists.txt).
#include "tracer/codec/columns/arithmetic_loops.h"

namespace twiddle::arithmetic {

#if defined(__FMA__) && defined(__AVX2__)
const Tables* tables_for_fma() { return &tables; }
#else
const Tables* tables_for_fma() {
  static_cast<void>(tables);
  return nullptr;
}
#endif

}  // namespace twiddle::arithmetic
