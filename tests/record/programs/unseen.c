/* What cannot all be seen: a kernel that prints beside others, a program made of the binary of one that this process built, and a
   command buffer where the driver has those. Prints what every step left. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kernels =
    "// printf is in comments alone\n"
    "void helper(global int *x, int by) { x[get_global_id(0)] += by; /* printf */ }\n"
    "kernel void quiet(global int *x, int by) { helper(x, by * FACTOR); }\n";
static const char *const loud =
    "void say(int i) { if (i == 0) printf(\"at %d\\n\", i); }\n"
    "kernel void quiet(global int *x, int by) { x[get_global_id(0)] *= by; } // printf(\n"
    "kernel void speak(global int *x, int by) { say(get_global_id(0)); x[get_global_id(0)] += by; }\n";

enum { n = 64 };
static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_mem x;

static void check(cl_int status, const char *what)
{
  if (status == CL_SUCCESS) return;
  printf("%s: %d\n", what, status);
  exit(3);
}

static cl_program built(const char *text, const char *options)
{
  cl_int status;
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
  check(status, "program");
  check(clBuildProgram(program, 1, &device, options, NULL, NULL), "build");
  return program;
}

static cl_kernel kernel_of(cl_program program, const char *name, int by)
{
  cl_int status;
  cl_kernel kernel = clCreateKernel(program, name, &status);
  check(status, name);
  check(clSetKernelArg(kernel, 0, sizeof x, &x), "argument");
  check(clSetKernelArg(kernel, 1, sizeof by, &by), "argument");
  return kernel;
}

static void run(cl_kernel kernel)
{
  size_t items = n;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL), "launch");
  check(clFinish(queue), "finish");
}

static void print(const char *what)
{
  int values[n];
  check(clEnqueueReadBuffer(queue, x, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL), "read");
  printf("%s", what);
  for (int i = 0; i < n; i++) printf(" %d", values[i]);
  printf("\n");
}

int main(void)
{
  cl_platform_id platform;
  cl_int status;
  check(clGetPlatformIDs(1, &platform, NULL), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "context");
  queue = clCreateCommandQueueWithProperties(context, device, NULL, &status);
  check(status, "queue");
  int zero[n] = {0};
  x = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zero, zero, &status);
  check(status, "buffer");

  /* The program is let go before its binary becomes another. */
  cl_program program = built(kernels, "-DFACTOR=3");
  size_t size = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), "size");
  unsigned char *binary = malloc(size);
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL), "binary");
  clReleaseProgram(program);
  program = clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&binary, NULL, &status);
  check(status, "a program of the binary");
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
  cl_kernel again = kernel_of(program, "quiet", 5);
  run(again);
  print("binary");

  program = built(loud, "");
  run(kernel_of(program, "quiet", 2));
  run(kernel_of(program, "speak", 1));
  print("loud");

#ifdef cl_khr_command_buffer
  clCreateCommandBufferKHR_fn create = NULL;
  clCommandNDRangeKernelKHR_fn add = NULL;
  clFinalizeCommandBufferKHR_fn finalize = NULL;
  clEnqueueCommandBufferKHR_fn enqueue = NULL;
  *(void **)&create = clGetExtensionFunctionAddressForPlatform(platform, "clCreateCommandBufferKHR");
  *(void **)&add = clGetExtensionFunctionAddressForPlatform(platform, "clCommandNDRangeKernelKHR");
  *(void **)&finalize = clGetExtensionFunctionAddressForPlatform(platform, "clFinalizeCommandBufferKHR");
  *(void **)&enqueue = clGetExtensionFunctionAddressForPlatform(platform, "clEnqueueCommandBufferKHR");
  if (create && add && finalize && enqueue) {
    size_t items = n;
    cl_command_buffer_khr buffer = create(1, &queue, NULL, &status);
    check(status, "command buffer");
    check(add(buffer, NULL, NULL, again, 1, NULL, &items, NULL, 0, NULL, NULL, NULL), "command");
    check(finalize(buffer), "finalize");
    check(enqueue(0, NULL, buffer, 0, NULL, NULL), "enqueue");
    check(clFinish(queue), "finish");
    print("buffered");
  }
#endif
  run(again);
  print("last");
  return 0;
}
