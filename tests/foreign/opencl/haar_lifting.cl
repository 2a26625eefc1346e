// in place, stride doubles; level l leaves averages at multiples of 2^l
__kernel void lift(__global float *x, const int step)
{
  const int i = 2 * step * get_global_id(0);
  __global float *a = &x[i], *b = &x[i + step];
  *b -= *a;              // predict
  *a += 0.5f * *b;       // update
  *b *= -M_SQRT1_2_F;    // sign and norm of the detail
  *a *= M_SQRT2_F;       // norm of the average
}

__kernel void gather(__global const float *x, __global float *y, const int n)
{
  const int i = get_global_id(0);
  if (i == 0) { y[0] = x[0]; return; }
  const int level = 31 - clz(i);           // block of 2^level details
  const int step = n >> level;
  y[i] = x[(i - (1 << level)) * step + step / 2];
}
