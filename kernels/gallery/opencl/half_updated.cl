// Gallery: a complex product in place, half of it already written. The new real part goes into the imaginary part where the old
// one belongs: keep both before either is written.

// N items: each point turned by its angle, the real and imaginary parts in arrays of their own.
kernel void turn(global float *re, global float *im)
{
  int i = get_global_id(0);
  float c = cospi(2.0f * i / N), s = sinpi(2.0f * i / N);
#ifdef RIGHT
  float a = re[i], b = im[i];
  re[i] = a * c - b * s;
  im[i] = a * s + b * c;
#else
  re[i] = re[i] * c - im[i] * s;
  im[i] = re[i] * s + im[i] * c;
#endif
}

// The same from one array of pairs to another: what should come out.
kernel void reference(global const float2 *x, global float *re, global float *im)
{
  int i = get_global_id(0);
  float c = cospi(2.0f * i / N), s = sinpi(2.0f * i / N);
  re[i] = x[i].x * c - x[i].y * s;
  im[i] = x[i].x * s + x[i].y * c;
}

// The points taken apart.
kernel void planes(global const float2 *x, global float *re, global float *im)
{
  int i = get_global_id(0);
  re[i] = x[i].x;
  im[i] = x[i].y;
}
