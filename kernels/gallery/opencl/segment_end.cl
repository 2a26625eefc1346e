// Gallery: a segment's end counted in. Row pointers name the first element of each segment and, by the next one, the first that
// is not in it: the loop runs while j is below the end, not up to it.

// An item a segment.
kernel void segment_sums(global const int *x, global const int *rows, global int *sums)
{
  int s = get_global_id(0), sum = 0;
#ifdef RIGHT
  for (int j = rows[s]; j < rows[s + 1]; j++)
#else
  for (int j = rows[s]; j <= rows[s + 1]; j++)
#endif
    sum += x[j];
  sums[s] = sum;
}
