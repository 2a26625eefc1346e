// Gallery: a counter without an atomic operation. Of two items that read a bin, add one and write it back at the same time, one
// is lost.

// N items.
kernel void count(global const uint *values, global uint *bins)
{
  uint bin = values[get_global_id(0)];
#ifdef RIGHT
  atomic_inc(&bins[bin]);
#else
  bins[bin] = bins[bin] + 1;
#endif
}
