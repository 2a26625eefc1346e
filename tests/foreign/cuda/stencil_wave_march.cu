// Acoustic wave in a box with rigid walls (u = 0). Leapfrog; a block owns a column of tiles and marches along z with the planes
// above and below in registers. The host turns the three volumes round after every step.
#define TX 8
#define TY 4

struct Grid {
  int nx, ny, nz;
};

__device__ __forceinline__ int at(const Grid& g, int x, int y, int z) { return (z * g.ny + y) * g.nx + x; }

extern "C" __global__ void wave_step(const float* __restrict__ before, const float* __restrict__ now,
                                     float* __restrict__ next, Grid g, float c2)
{
  __shared__ float plane[TY + 2][TX + 2];
  const int x = blockIdx.x * TX + threadIdx.x + 1;
  const int y = blockIdx.y * TY + threadIdx.y + 1;
  const int lx = threadIdx.x + 1;
  const int ly = threadIdx.y + 1;
  const bool inside = x < g.nx - 1 && y < g.ny - 1;

  float under = 0.0f, here = 0.0f, over = 0.0f;
  if (inside) {
    under = now[at(g, x, y, 0)];
    here = now[at(g, x, y, 1)];
  }

  for (int z = 1; z < g.nz - 1; ++z) {
    if (inside) {
      over = now[at(g, x, y, z + 1)];
      plane[ly][lx] = here;
      if (lx == 1) plane[ly][0] = now[at(g, x - 1, y, z)];
      if (ly == 1) plane[0][lx] = now[at(g, x, y - 1, z)];
      if (lx == TX || x == g.nx - 2) plane[ly][lx + 1] = now[at(g, x + 1, y, z)];
      if (ly == TY || y == g.ny - 2) plane[ly + 1][lx] = now[at(g, x, y + 1, z)];
    }
    __syncthreads();

    if (inside) {
      const float laplace = plane[ly][lx - 1] + plane[ly][lx + 1] + plane[ly - 1][lx] + plane[ly + 1][lx]
                          + under + over - 6.0f * here;
      const int i = at(g, x, y, z);
      next[i] = 2.0f * here - before[i] + c2 * laplace;
    }
    __syncthreads();

    under = here;
    here = over;
  }
}

// The bump that the wave starts from, zero at the walls.
extern "C" __global__ void pluck(const float* noise, float* u0, float* u1, float* v0, float* v1, Grid g)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= g.nx * g.ny * g.nz) return;
  const int x = i % g.nx, y = i / g.nx % g.ny, z = i / (g.nx * g.ny);
  const bool wall = x == 0 || y == 0 || z == 0 || x == g.nx - 1 || y == g.ny - 1 || z == g.nz - 1;
  const float u = wall ? 0.0f : noise[i];
  u0[i] = u;
  u1[i] = 0.75f * u;
  v0[i] = u;
  v1[i] = 0.75f * u;
}

// One point a thread, nothing clever.
extern "C" __global__ void wave_plain(const float* before, const float* now, float* next, Grid g, float c2)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= g.nx * g.ny * g.nz) return;
  const int x = i % g.nx, y = i / g.nx % g.ny, z = i / (g.nx * g.ny);
  if (x == 0 || y == 0 || z == 0 || x == g.nx - 1 || y == g.ny - 1 || z == g.nz - 1) {
    next[i] = 0.0f;
    return;
  }
  const int row = g.nx, slice = g.nx * g.ny;
  const float sum = now[i - 1] + now[i + 1] + now[i - row] + now[i + row] + now[i - slice] + now[i + slice];
  next[i] = 2.0f * now[i] - before[i] + c2 * (sum - 6.0f * now[i]);
}
