// Indices with their digits in reverse order.
#pragma once

// The lowest `bits` bits of g, in reverse order.
__device__ inline int reverse_bits(unsigned g, int bits) { return __brev(g) >> (32 - bits); }

// The lowest `digits` base-4 digits of g, in reverse order: reverse all bits, then put the two of each digit right.
__device__ inline int reverse_digits(unsigned g, int digits)
{
  unsigned r = reverse_bits(g, 2 * digits);
  return (r & 0x55555555u) << 1 | (r >> 1 & 0x55555555u);
}
