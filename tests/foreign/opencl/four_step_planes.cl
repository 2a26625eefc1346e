// Four-step FFT over split planes (re[], im[]). n = rows * cols; the definition along each axis.
kernel void columns(global const float *re, global const float *im, global float *tr, global float *ti, int rows, int cols)
{
  const int c = get_global_id(0), k = get_global_id(1);
  float ar = 0, ai = 0;
  for (int r = 0; r < rows; r++) {
    float si, co;
    si = sincos(-2 * M_PI_F * (float)(r * k % rows) / rows, &co);
    const float xr = re[r * cols + c], xi = im[r * cols + c];
    ar += xr * co - xi * si;
    ai += xr * si + xi * co;
  }
  // twiddle between the two steps
  float si, co;
  si = sincos(-2 * M_PI_F * (float)(c * k) / (rows * cols), &co);
  tr[k * cols + c] = ar * co - ai * si;
  ti[k * cols + c] = ar * si + ai * co;
}

kernel void rows_out(global const float *tr, global const float *ti, global float *outr, global float *outi, int rows, int cols)
{
  const int k1 = get_global_id(0), k2 = get_global_id(1);
  float ar = 0, ai = 0;
  for (int c = 0; c < cols; c++) {
    float si, co;
    si = sincos(-2 * M_PI_F * (float)(c * k2 % cols) / cols, &co);
    const float xr = tr[k1 * cols + c], xi = ti[k1 * cols + c];
    ar += xr * co - xi * si;
    ai += xr * si + xi * co;
  }
  outr[k2 * rows + k1] = ar;
  outi[k2 * rows + k1] = ai;
}
