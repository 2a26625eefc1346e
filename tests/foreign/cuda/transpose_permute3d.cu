// out[k][i][j] = in[i][j][k]: a tile of a (j, k) plane goes through shared memory, z of the grid is i.
struct Extent {
    int i, j, k;
    __device__ size_t from(int a, int b, int c) const { return ((size_t)a * j + b) * k + c; }
    __device__ size_t to(int a, int b, int c) const { return ((size_t)c * i + a) * j + b; }
};

template <typename T, int TILE, int ROWS>
__device__ void permute(const T* __restrict__ in, T* __restrict__ out, const Extent e)
{
    __shared__ T tile[TILE][TILE + 1];
    const int plane = blockIdx.z;

    int k = blockIdx.x * TILE + threadIdx.x;
    int j = blockIdx.y * TILE + threadIdx.y;
    #pragma unroll
    for (int r = 0; r < TILE; r += ROWS)
        if (k < e.k && j + r < e.j)
            tile[threadIdx.y + r][threadIdx.x] = in[e.from(plane, j + r, k)];

    __syncthreads();

    j = blockIdx.y * TILE + threadIdx.x;
    k = blockIdx.x * TILE + threadIdx.y;
    #pragma unroll
    for (int r = 0; r < TILE; r += ROWS)
        if (j < e.j && k + r < e.k)
            out[e.to(plane, j, k + r)] = tile[threadIdx.x][threadIdx.y + r];
}

__global__ void permute_complex(const float2* in, float2* out, Extent e)
{
    permute<float2, 16, 4>(in, out, e);
}

__global__ void permute_plain(const float2* in, float2* out, int ni, int nj, int nk)
{
    const int o = blockIdx.x * blockDim.x + threadIdx.x;
    if (o >= ni * nj * nk) return;
    const int j = o % nj, i = o / nj % ni, k = o / (nj * ni);
    out[o] = in[(i * nj + j) * nk + k];
}
