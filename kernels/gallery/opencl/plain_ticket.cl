// Gallery: a ticket drawn by a plain addition. Items that keep their value take the next free place; two that read the counter
// at the same time write to the same place.

// N items: those above the threshold, in any order.
kernel void keep(global const int *x, global int *kept, global int *count, int threshold)
{
  int v = x[get_global_id(0)];
  if (v > threshold) {
#ifdef RIGHT
    int place = atomic_inc(&count[0]);
#else
    int place = count[0];
    count[0] = place + 1;
#endif
    kept[place] = v;
  }
}
