// Gallery: a maximum that starts at zero. Of values that are all negative none is larger. Start with the smallest number there
// is, or with the first value.

// One thread.
extern "C" __global__ void maximum(const float *x, float *largest)
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
