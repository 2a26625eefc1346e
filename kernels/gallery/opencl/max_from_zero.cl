// Gallery: a maximum that starts at zero. Of values that are all negative none is larger. Start with the smallest number there
// is, or with the first value.

// One item.
kernel void maximum(global const float *x, global float *largest)
{
#ifdef RIGHT
  float most = x[0];
#else
  float most = 0;
#endif
  for (int i = 0; i < N; i++)
    if (x[i] > most)
      most = x[i];
  largest[0] = most;
}
