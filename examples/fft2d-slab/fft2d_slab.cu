/* fft2d_slab.c on NVIDIA GPUs: a two-dimensional FFT of n x n points over the processes of an MPI program, each with a slab of
   n / P rows and a GPU. Where there are more processes than GPUs, they share them.

     nvcc -O2 -lineinfo -ccbin mpicxx fft2d_slab.cu -o fft2d-slab-cuda
     mpirun -n 2 ./fft2d-slab-cuda 16

   Points, words and exit code are those of fft2d_slab.c. */
#include "fft2d_slab.h"

#include <cuda_runtime.h>
#include <mpi.h>

static void stop(const char *what, const char *why)
{
  fprintf(stderr, "fft2d-slab: %s (%s)\n", what, why);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

static void check(cudaError_t status, const char *what)
{
  if (status != cudaSuccess) stop(what, cudaGetErrorString(status));
}

// A row a block, n / 2 threads each: loaded in bit-reversed order, transformed in shared memory, put back.
__global__ void fft_rows(float2 *x, int n, int log2n)
{
  extern __shared__ float2 row[];
  int i = threadIdx.x;
  float2 *own = x + blockIdx.x * n;
  row[__brev(i) >> (32 - log2n)] = own[i];
  row[__brev(i + n / 2) >> (32 - log2n)] = own[i + n / 2];
  for (int half_span = 1; half_span < n; half_span *= 2) {
    __syncthreads();
    int j = i % half_span, first = i / half_span * 2 * half_span + j, second = first + half_span;
    float2 w;
    sincospif(-(float)j / half_span, &w.y, &w.x);
    float2 a = row[first], b = row[second];
    float2 t = make_float2(w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x);
    row[first] = make_float2(a.x + t.x, a.y + t.y);
    row[second] = make_float2(a.x - t.x, a.y - t.y);
  }
  __syncthreads();
  own[i] = row[i];
  own[i + n / 2] = row[i + n / 2];
}

// A slab of `rows` rows of n points, in as many blocks as there are processes: block p has the columns that p will transform,
// each of them as a run of `rows` points. What MPI_Alltoall sends to p is then in one piece.
__global__ void pack(const float2 *x, float2 *blocks, int n, int rows)
{
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (column < n) blocks[column * rows + row] = x[row * n + column];
}

// The blocks that came, each with `rows` points of every column that is transformed here: joined to whole columns of n points.
__global__ void unpack(const float2 *blocks, float2 *columns, int n, int rows)
{
  int k = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y;
  int from = k / rows, row = k % rows;
  if (k < n) columns[column * n + k] = blocks[(from * rows + column) * rows + row];
}

int main(int count, char **words)
{
  int rank, processes, devices = 0;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  int n = count > 1 ? atoi(words[1]) : 16, log2n = 0;
  while (log2n < 11 && 1 << log2n < n) log2n++;
  if (n < 2 || 1 << log2n != n || n % processes != 0)
    stop("n is a power of two up to 2048, and a multiple of the processes", count > 1 ? words[1] : "16");
  int rows = n / processes; /* of this process */
  size_t bytes = sizeof(float2) * rows * n;

  MPI_Comm host; /* the processes of this machine: each takes the next of its GPUs */
  int place;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
  MPI_Comm_rank(host, &place);
  check(cudaGetDeviceCount(&devices), "there is no GPU");
  check(cudaSetDevice(place % devices), "the GPU cannot be used");

  float *slab = (float *)malloc(bytes), *sent = (float *)malloc(bytes), *came = (float *)malloc(bytes);
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < n; column++)
      point(rank * rows + row, column, &slab[2 * (row * n + column)], &slab[2 * (row * n + column) + 1]);
  float2 *x, *blocks, *columns;
  check(cudaMalloc(&x, bytes), "memory");
  check(cudaMalloc(&blocks, bytes), "memory");
  check(cudaMalloc(&columns, bytes), "memory");
  check(cudaMemcpy(x, slab, bytes, cudaMemcpyHostToDevice), "copy");
  dim3 threads(n < 256 ? n : 256), points((n + threads.x - 1) / threads.x, rows);

  /* The rows that are here. */
  fft_rows<<<rows, n / 2, n * sizeof(float2)>>>(x, n, log2n);

  /* To each process its columns; what comes takes the place of what was sent. */
  pack<<<points, threads>>>(x, blocks, n, rows);
  check(cudaMemcpy(sent, blocks, bytes, cudaMemcpyDeviceToHost), "pack");
  MPI_Alltoall(sent, 2 * rows * rows, MPI_FLOAT, came, 2 * rows * rows, MPI_FLOAT, MPI_COMM_WORLD);
  check(cudaMemcpy(blocks, came, bytes, cudaMemcpyHostToDevice), "copy");
  unpack<<<points, threads>>>(blocks, columns, n, rows);

  /* The columns that are here now. */
  fft_rows<<<rows, n / 2, n * sizeof(float2)>>>(columns, n, log2n);
  check(cudaGetLastError(), "launch");
  check(cudaMemcpy(slab, columns, bytes, cudaMemcpyDeviceToHost), "fft_rows");

  float *all = rank == 0 ? (float *)malloc(bytes * processes) : NULL;
  MPI_Gather(slab, 2 * rows * n, MPI_FLOAT, all, 2 * rows * n, MPI_FLOAT, 0, MPI_COMM_WORLD);
  int wrong = 0;
  if (rank == 0) wrong = report(all, n, processes, count > 2 ? words[2] : NULL);
  MPI_Bcast(&wrong, 1, MPI_INT, 0, MPI_COMM_WORLD);
  cudaFree(x), cudaFree(blocks), cudaFree(columns);
  free(slab), free(sent), free(came), free(all);
  MPI_Comm_free(&host);
  MPI_Finalize();
  return wrong;
}
