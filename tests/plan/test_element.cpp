// Elements of buffers: what of an exact outcome their types keep.
#include "kernels/plan/element.h"

#include <doctest.h>

#include <limits>

using namespace twiddle;

TEST_CASE("elements: whole numbers wrap around at their type's width, however large the outcome was") {
  struct Case {
    ElementType type;
    double value, kept;
  };
  for (const Case& one :
       {Case{ElementType::UChar, 257, 1}, Case{ElementType::Char, 128, -128}, Case{ElementType::UInt, -1, 4294967295.0},
        Case{ElementType::Int, 4294967298.0, 2}, Case{ElementType::ULong, 0x1p63, 0x1p63},
        Case{ElementType::ULong, -0x1p62, 0x1p64 - 0x1p62}, Case{ElementType::Long, 0x1p63 + 0x1p62, -0x1p62},
        Case{ElementType::UInt, 0x1p70 + 0x1p40, 0}, Case{ElementType::UInt, -0x1p65 - 0x1p31, 0x1p31},
        Case{ElementType::Float, 0x1p70, 0x1p70}, Case{ElementType::Int, std::numeric_limits<double>::infinity(), 0},
        Case{ElementType::ULong, std::numeric_limits<double>::quiet_NaN(), 0}})
    CHECK_MESSAGE(wrapped(one.type, one.value) == one.kept, traits(one.type).name, " of ", one.value);
}
