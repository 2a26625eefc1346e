// Diffusion on a ring: many steps in one block, two rows of shared memory that change places.
__global__ void diffuse(const float *u0, float *u, int n, int steps, float k)
{
  extern __shared__ float rows[];
  float *now = rows, *next = rows + n;
  const int i = threadIdx.x;

  now[i] = u0[i];
  __syncthreads();

  const int left = i == 0 ? n - 1 : i - 1;
  const int right = i == n - 1 ? 0 : i + 1;
  for (int s = 0; s < steps; ++s) {
    next[i] = now[i] + k * (now[left] - 2.0f * now[i] + now[right]);
    __syncthreads();
    float *other = now;
    now = next;
    next = other;
  }
  u[i] = now[i];
}

__global__ void one_step(const float *u, float *v, int n, float k)
{
  for (int i = 0; i < n; i++)
    v[i] = u[i] + k * (u[(i + n - 1) % n] - 2.0f * u[i] + u[(i + 1) % n]);
}
