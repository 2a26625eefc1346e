#include "tracer/codec/arithmetic_loops.h"

namespace twiddle::arithmetic {

const Tables& tables_for_any() { return tables; }

}  // namespace twiddle::arithmetic
