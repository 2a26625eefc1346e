// Gallery: a complex product in place, half of it already written. The new real part goes into the imaginary part where the old
// one belongs: keep both before either is written.

// N threads: each point turned by its angle, the real and imaginary parts in arrays of their own.
extern "C" __global__ void turn(float *re, float *im)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float c = cospif(2.0f * i / N), s = sinpif(2.0f * i / N);
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
extern "C" __global__ void reference(const float2 *x, float *re, float *im)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float c = cospif(2.0f * i / N), s = sinpif(2.0f * i / N);
  re[i] = x[i].x * c - x[i].y * s;
  im[i] = x[i].x * s + x[i].y * c;
}

// The points taken apart.
extern "C" __global__ void planes(const float2 *x, float *re, float *im)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  re[i] = x[i].x;
  im[i] = x[i].y;
}
