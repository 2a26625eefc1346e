// A linked-list style critical section: blocks take a lock to add their two results together.
class Lock {
  int *mutex_;
public:
  __device__ explicit Lock(int *m) : mutex_(m) {}
  __device__ void acquire() {
    while (atomicCAS(mutex_, 0, 1) != 0)
      ;
    __threadfence();
  }
  __device__ void release() {
    __threadfence();
    atomicExch(mutex_, 0);
  }
};

__global__ void minmax(const float *x, volatile float *result, int *mutex, int n)
{
  __shared__ float lo[32], hi[32];
  const int t = threadIdx.x;
  float a = 1e30f, b = -1e30f;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    a = fminf(a, x[i]);
    b = fmaxf(b, x[i]);
  }
  lo[t] = a;
  hi[t] = b;
  for (int h = 16; h; h >>= 1) {
    __syncwarp();
    if (t < h) {
      lo[t] = fminf(lo[t], lo[t + h]);
      hi[t] = fmaxf(hi[t], hi[t + h]);
    }
  }
  if (t == 0) {
    Lock lock(mutex);
    lock.acquire();
    if (lo[0] < result[0]) result[0] = lo[0];
    if (hi[0] > result[1]) result[1] = hi[0];
    lock.release();
  }
}
