#include "tracer/codec/columns/arithmetic_loops.h"

namespace twiddle::arithmetic {

const Tables& tables_for_any() { return tables; }

}  // namespace twiddle::arithmetic
