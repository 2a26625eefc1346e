// Gallery: a filter's taps the wrong way round. A convolution runs through taps and input in opposite directions, h[k] · x[i −
// k]; in the same direction it is a correlation, and only symmetric filters do not tell.

// N items, three taps.
kernel void filter(global const float *x, constant float *taps, global float *y)
{
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < 3; k++) {
#ifdef RIGHT
    int j = i + 1 - k;
#else
    int j = i - 1 + k;
#endif
    if (j >= 0 && j < N)
      sum += taps[k] * x[j];
  }
  y[i] = sum;
}
