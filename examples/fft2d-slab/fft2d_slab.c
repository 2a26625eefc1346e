/* A two-dimensional FFT of n x n points over the processes of an MPI program, each with a slab of n / P rows and an OpenCL
   device: the rows are transformed, MPI_Alltoall turns rows into columns, and these are transformed.

     mpicc fft2d_slab.c -lOpenCL -lm -o fft2d-slab
     mpirun -n 4 ./fft2d-slab 16

   The points are the same in every run. The first process compares all of the result with the sum that defines the transform, and
   prints the error; the exit code is 1 where it is too large. A file named behind the size gets the result, column by column. */
#define CL_TARGET_OPENCL_VERSION 120
#include "fft2d_slab.h"

#include <CL/cl.h>
#include <mpi.h>

static void stop(const char *what, int code)
{
  fprintf(stderr, "fft2d-slab: %s (%d)\n", what, code);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

static void check(cl_int status, const char *what)
{
  if (status != CL_SUCCESS) stop(what, status);
}

static char *text_of(const char *file)
{
  FILE *in = fopen(file, "rb");
  if (!in) stop("cannot read fft2d_slab.cl; run this beside it", 0);
  char *text = calloc(1 << 16, 1);
  if (fread(text, 1, (1 << 16) - 1, in) == 0) stop("fft2d_slab.cl is empty", 0);
  fclose(in);
  return text;
}

int main(int count, char **words)
{
  int rank, processes;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  int n = count > 1 ? atoi(words[1]) : 16, log2n = 0;
  while (log2n < 11 && 1 << log2n < n) log2n++;
  if (n < 2 || 1 << log2n != n || n % processes != 0) stop("n is a power of two up to 2048, and a multiple of the processes", n);
  int rows = n / processes; /* of this process */
  size_t bytes = sizeof(float) * 2 * (size_t)rows * (size_t)n;

  cl_platform_id platform;
  cl_device_id device;
  cl_int status;
  check(clGetPlatformIDs(1, &platform, NULL), "there is no OpenCL platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "there is no OpenCL device");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "queue");
  char *source = text_of("fft2d_slab.cl");
  cl_program program = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &status);
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "the kernels do not compile");
  cl_kernel fft_rows = clCreateKernel(program, "fft_rows", &status), pack = clCreateKernel(program, "pack", &status),
            unpack = clCreateKernel(program, "unpack", &status);
  check(status, "kernel");

  float *slab = malloc(bytes), *sent = malloc(bytes), *came = malloc(bytes);
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < n; column++)
      point(rank * rows + row, column, &slab[2 * (row * n + column)], &slab[2 * (row * n + column) + 1]);
  cl_mem x = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, slab, &status);
  cl_mem blocks = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
  cl_mem columns = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
  check(status, "buffers");
  size_t items = (size_t)rows * (size_t)n / 2, group = (size_t)n / 2;

  /* The rows that are here. */
  clSetKernelArg(fft_rows, 0, sizeof x, &x);
  clSetKernelArg(fft_rows, 1, sizeof n, &n);
  clSetKernelArg(fft_rows, 2, sizeof log2n, &log2n);
  clSetKernelArg(fft_rows, 3, sizeof(float) * 2 * (size_t)n, NULL);
  check(clEnqueueNDRangeKernel(queue, fft_rows, 1, NULL, &items, &group, 0, NULL, NULL), "fft_rows");

  /* To each process its columns; what comes takes the place of what was sent. */
  size_t points[2] = {(size_t)n, (size_t)rows};
  clSetKernelArg(pack, 0, sizeof x, &x);
  clSetKernelArg(pack, 1, sizeof blocks, &blocks);
  clSetKernelArg(pack, 2, sizeof n, &n);
  clSetKernelArg(pack, 3, sizeof rows, &rows);
  check(clEnqueueNDRangeKernel(queue, pack, 2, NULL, points, NULL, 0, NULL, NULL), "pack");
  check(clEnqueueReadBuffer(queue, blocks, CL_TRUE, 0, bytes, sent, 0, NULL, NULL), "read");
  MPI_Alltoall(sent, 2 * rows * rows, MPI_FLOAT, came, 2 * rows * rows, MPI_FLOAT, MPI_COMM_WORLD);
  check(clEnqueueWriteBuffer(queue, blocks, CL_TRUE, 0, bytes, came, 0, NULL, NULL), "write");
  clSetKernelArg(unpack, 0, sizeof blocks, &blocks);
  clSetKernelArg(unpack, 1, sizeof columns, &columns);
  clSetKernelArg(unpack, 2, sizeof n, &n);
  clSetKernelArg(unpack, 3, sizeof rows, &rows);
  check(clEnqueueNDRangeKernel(queue, unpack, 2, NULL, points, NULL, 0, NULL, NULL), "unpack");

  /* The columns that are here now. */
  clSetKernelArg(fft_rows, 0, sizeof columns, &columns);
  check(clEnqueueNDRangeKernel(queue, fft_rows, 1, NULL, &items, &group, 0, NULL, NULL), "fft_rows");
  check(clEnqueueReadBuffer(queue, columns, CL_TRUE, 0, bytes, slab, 0, NULL, NULL), "read");

  float *all = rank == 0 ? malloc(bytes * (size_t)processes) : NULL;
  MPI_Gather(slab, 2 * rows * n, MPI_FLOAT, all, 2 * rows * n, MPI_FLOAT, 0, MPI_COMM_WORLD);
  int wrong = 0;
  if (rank == 0) wrong = report(all, n, processes, count > 2 ? words[2] : NULL);
  MPI_Bcast(&wrong, 1, MPI_INT, 0, MPI_COMM_WORLD);
  clReleaseMemObject(x), clReleaseMemObject(blocks), clReleaseMemObject(columns);
  clReleaseKernel(fft_rows), clReleaseKernel(pack), clReleaseKernel(unpack), clReleaseProgram(program);
  clReleaseCommandQueue(queue), clReleaseContext(context);
  free(source), free(slab), free(sent), free(came), free(all);
  MPI_Finalize();
  return wrong;
}
