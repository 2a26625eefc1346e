// Harris's last warp unrolled, as it must be written since Volta: volatile and __syncwarp between read and write.
__device__ void last_warp(volatile int *s, int t)
{
  int v = s[t];
  v += s[t + 32]; __syncwarp(); s[t] = v; __syncwarp();
  v += s[t + 16]; __syncwarp(); s[t] = v; __syncwarp();
  v += s[t + 8];  __syncwarp(); s[t] = v; __syncwarp();
  v += s[t + 4];  __syncwarp(); s[t] = v; __syncwarp();
  v += s[t + 2];  __syncwarp(); s[t] = v; __syncwarp();
  v += s[t + 1];  __syncwarp(); s[t] = v;
}

extern "C" __global__ void reduce6(const int *in, int *out, int n)
{
  __shared__ int s[128];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;

  s[t] = (i < n ? in[i] : 0) + (i + 128 < n ? in[i + 128] : 0);
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) last_warp(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}
