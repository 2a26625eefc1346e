// 7-point Laplacian, 3-D blocks, periodic in x, zero outside in y and z.
namespace grid {
struct Dim { int x, y, z; };
__device__ inline int wrap(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }
template <class T> class View {
  const T *p_; Dim d_;
public:
  __device__ View(const T *p, Dim d) : p_(p), d_(d) {}
  __device__ T operator()(int x, int y, int z) const {
    if (y < 0 || y >= d_.y || z < 0 || z >= d_.z) return T(0);
    return p_[(z * d_.y + y) * d_.x + wrap(x, d_.x)];
  }
};
}

__global__ void laplacian(const double *in, double *out, int nx, int ny, int nz)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;
  grid::View<double> u(in, grid::Dim{nx, ny, nz});
  out[(z * ny + y) * nx + x] = u(x - 1, y, z) + u(x + 1, y, z) + u(x, y - 1, z) + u(x, y + 1, z) + u(x, y, z - 1) +
                               u(x, y, z + 1) - 6.0 * u(x, y, z);
}
