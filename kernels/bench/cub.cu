// Measures CUB as `twiddle bench kernels` measures the catalogue's kernels. Prints JSON.
//   cub sum N SAMPLES DEVICE
//   cub histogram N SAMPLES DEVICE uint|uchar FILE, which has the values
#include <cub/cub.cuh>
#include <cub/version.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#define CHECK(e) do { cudaError_t r_ = (e); if (r_ != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(r_)); exit(1); } } while (0)

template <class T> __global__ void fill(T *x, size_t n)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
    unsigned h = (unsigned)i * 2654435761u;
    h = (h ^ h >> 15) * 0x846ca68bu;
    x[i] = T(int(h) * 0x1p-31f * 1000);
  }
}

static double median_ns(const std::function<void(int)> &call, int samples)
{
  cudaEvent_t start, end;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&end));
  const int calls = 8;
  int next = 0;
  for (; next < 4; ++next) call(next);
  std::vector<float> times(samples);
  for (float &ms : times) {
    CHECK(cudaEventRecord(start));
    for (int c = 0; c < calls; ++c) call(next++);
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&ms, start, end));
  }
  std::sort(times.begin(), times.end());
  return 1e6 * times[samples / 2] / calls;
}

static void *allocate(size_t bytes)
{
  void *p;
  CHECK(cudaMalloc(&p, bytes));
  return p;
}

static bool first = true;
static void print(const char *what, double ns)
{
  printf("%s {\"library\": \"cub\", \"version\": \"%d.%d.%d\", \"what\": \"%s\", \"ns\": %.1f, \"warm_ns\": 0}", first ? "[" : ",\n",
         CUB_VERSION / 100000, CUB_VERSION / 100 % 1000, CUB_VERSION % 100, what, ns);
  first = false;
}

template <class T> void sum(const char *what, size_t n, int samples)
{
  const int turns = (int)std::max<size_t>(1, std::min<size_t>(24, ((size_t)3 << 30) / (n * sizeof(T))));
  T *x = (T *)allocate(n * sizeof(T) * turns), *out = (T *)allocate(sizeof(T));
  fill<<<1024, 256>>>(x, n * turns);
  void *scratch = nullptr;
  size_t bytes = 0;
  CHECK(cub::DeviceReduce::Sum(scratch, bytes, x, out, n));
  scratch = allocate(bytes);
  print(what, median_ns([&](int i) { CHECK(cub::DeviceReduce::Sum(scratch, bytes, x + n * (i % turns), out, n)); }, samples));
  cudaFree(x);
  cudaFree(out);
  cudaFree(scratch);
}

template <class T> void histogram(const char *what, size_t n, int samples, const char *file)
{
  const int turns = (int)std::max<size_t>(1, std::min<size_t>(24, ((size_t)3 << 30) / (n * sizeof(T))));
  std::vector<T> values(n);
  FILE *in = fopen(file, "rb");
  if (!in || fread(values.data(), sizeof(T), n, in) != n) {
    fprintf(stderr, "%s has not %zu values\n", file, n);
    exit(1);
  }
  fclose(in);
  std::vector<int> wanted(256), counted(256);
  for (T value : values) ++wanted[std::min<unsigned>(value, 255)];
  T *x = (T *)allocate(n * sizeof(T) * turns);
  for (int t = 0; t < turns; ++t) CHECK(cudaMemcpy(x + n * t, values.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  int *bins = (int *)allocate(1024);
  void *scratch = nullptr;
  size_t bytes = 0;
  const auto count = [&](int i) { CHECK(cub::DeviceHistogram::HistogramEven(scratch, bytes, x + n * (i % turns), bins, 257, 0u, 256u, (long long)n)); };
  count(0);
  scratch = allocate(bytes);
  count(0);
  CHECK(cudaMemcpy(counted.data(), bins, 1024, cudaMemcpyDeviceToHost));
  const bool beyond = std::any_of(values.begin(), values.end(), [](T value) { return (unsigned)value > 255; });  // which CUB drops
  if (counted != wanted && !beyond) {
    fprintf(stderr, "its counts are wrong\n");
    exit(1);
  }
  print(what, median_ns(count, samples));
}

int main(int argc, char **argv)
{
  if (argc != 5 && argc != 7) return 2;
  const size_t n = strtoull(argv[2], nullptr, 10);
  const int samples = std::max(1, atoi(argv[3]));
  CHECK(cudaSetDevice(atoi(argv[4])));
  if (!strcmp(argv[1], "sum")) {
    sum<int>("sum of int", n, samples);
    sum<float>("sum of float", n, samples);
  } else if (argc == 7 && !strcmp(argv[5], "uchar")) {
    histogram<unsigned char>("256 bins of uchar", n, samples, argv[6]);
  } else if (argc == 7) {
    histogram<unsigned>("256 bins of uint", n, samples, argv[6]);
  } else {
    return 2;
  }
  printf("]\n");
}
