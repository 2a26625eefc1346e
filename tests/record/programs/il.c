/* One kernel of three programs: of source, of SPIR (a binary to the API), and of SPIR-V. The words are the latter's files. Prints what
   each call answered, a driver need not take either, and the results' bits. */
#define CL_TARGET_OPENCL_VERSION 210
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 64 };

static const char *source = "kernel void twice(global float *x, float v) { x[get_global_id(0)] *= v; }";
static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

static void check(cl_int status, const char *what) {
  if (status == CL_SUCCESS) return;
  printf("%s: %d\n", what, status);
  exit(3);
}

static unsigned char *content(const char *file, size_t *size) {
  static unsigned char bytes[1 << 16];
  FILE *in = fopen(file, "rb");
  if (!in) exit(4);
  *size = fread(bytes, 1, sizeof bytes, in);
  fclose(in);
  return bytes;
}

static void use(const char *what, cl_program program, cl_int made, const char *options) {
  cl_int status = made;
  printf("%s made %d\n", what, status);
  if (!program) return;
  status = clBuildProgram(program, 1, &device, options, NULL, NULL);
  printf("%s built %d\n", what, status);
  if (status == CL_SUCCESS) {
    float x[ITEMS], v = 1.7f;
    size_t items = ITEMS;
    for (int i = 0; i < ITEMS; i++) x[i] = (float)i + 0.1f;
    cl_kernel kernel = clCreateKernel(program, "twice", &status);
    check(status, "kernel");
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof x, x, &status);
    check(status, "buffer");
    check(clSetKernelArg(kernel, 0, sizeof memory, &memory), "x");
    check(clSetKernelArg(kernel, 1, sizeof v, &v), "v");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL), "launch");
    check(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL), "read");
    for (int i = 0; i < ITEMS; i++) {
      unsigned bits;
      memcpy(&bits, &x[i], sizeof bits);
      printf("%08x%c", bits, i % 8 == 7 ? '\n' : ' ');
    }
    clReleaseMemObject(memory);
    clReleaseKernel(kernel);
  }
  clReleaseProgram(program);
}

int main(int count, char **words) {
  if (count < 3) return 2;
  cl_platform_id platform;
  cl_int status, each = 0;
  size_t size = 0;
  check(clGetPlatformIDs(1, &platform, NULL), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "context");
  queue = clCreateCommandQueueWithProperties(context, device, NULL, &status);
  check(status, "queue");
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
  use("source", program, status, "");
  const unsigned char *bytes = content(words[1], &size);
  program = clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &each, &status);
  use("SPIR", program, status, "-x spir -spir-std=1.2");
  bytes = content(words[2], &size);
  program = clCreateProgramWithIL(context, bytes, size, &status);
  use("SPIR-V", program, status, "");
  return 0;
}
