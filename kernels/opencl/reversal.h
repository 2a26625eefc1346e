// Indices with their digits in reverse order.

// The lowest `bits` bits of g, in reverse order.
int reverse_bits(uint g, int bits)
{
  g = (g & 0x55555555) << 1 | (g >> 1 & 0x55555555);
  g = (g & 0x33333333) << 2 | (g >> 2 & 0x33333333);
  g = (g & 0x0F0F0F0F) << 4 | (g >> 4 & 0x0F0F0F0F);
  g = (g & 0x00FF00FF) << 8 | (g >> 8 & 0x00FF00FF);
  g = g << 16 | g >> 16;
  return g >> (32 - bits);
}

// The lowest `digits` base-4 digits of g, in reverse order: reverse all bits, then put the two of each digit right.
int reverse_digits(uint g, int digits)
{
  uint r = reverse_bits(g, 2 * digits);
  return (r & 0x55555555) << 1 | (r >> 1 & 0x55555555);
}
