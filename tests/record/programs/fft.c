/* An FFT of 2^k points on the first OpenCL device: bit reversal, then a launch a stage. Prints the result's bits. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *source =
    "kernel void reverse(global const float2 *x, global float2 *y, int log2n) {\n"
    "  uint i = get_global_id(0), r = 0;\n"
    "  for (int b = 0; b < log2n; b++) r |= (i >> b & 1) << (log2n - 1 - b);\n"
    "  y[r] = x[i];\n"
    "}\n"
    "kernel void stage(global float2 *y, global const float2 *roots, int half_span, int stride) {\n"
    "  int k = get_global_id(0), j = k % half_span, i = k / half_span * 2 * half_span + j;\n"
    "  float2 w = roots[j * stride], a = y[i], b = y[i + half_span];\n"
    "  float2 t = (float2)(w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x);\n"
    "  y[i] = a + t;\n"
    "  y[i + half_span] = a - t;\n"
    "}\n";

static void check(cl_int status, const char *what) {
  if (status == CL_SUCCESS) return;
  fprintf(stderr, "%s: %d\n", what, status);
  exit(3);
}

int main(int count, char **words) {
  int log2n = count > 1 ? atoi(words[1]) : 3, n = 1 << log2n, exit_code = count > 2 ? atoi(words[2]) : 0;
  cl_platform_id platform;
  cl_device_id device;
  cl_int status;
  check(clGetPlatformIDs(1, &platform, NULL), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "queue");
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
  cl_kernel reverse = clCreateKernel(program, "reverse", &status), stage = clCreateKernel(program, "stage", &status);
  check(status, "kernel");

  float *x = malloc(sizeof(float) * 2 * (size_t)n), *roots = malloc(sizeof(float) * 2 * (size_t)n);
  for (int i = 0; i < n; i++) {
    x[2 * i] = (float)sin(i * 0.7 + 1), x[2 * i + 1] = (float)cos(i * 1.3 + 2);
    roots[2 * i] = (float)cos(2 * 3.14159265358979323846 * i / n);
    roots[2 * i + 1] = (float)-sin(2 * 3.14159265358979323846 * i / n);
  }
  size_t bytes = sizeof(float) * 2 * (size_t)n, items = (size_t)n, half = (size_t)n / 2;
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, x, &status);
  cl_mem table = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, roots, &status);
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
  check(status, "buffers");
  clSetKernelArg(reverse, 0, sizeof in, &in);
  clSetKernelArg(reverse, 1, sizeof out, &out);
  clSetKernelArg(reverse, 2, sizeof log2n, &log2n);
  check(clEnqueueNDRangeKernel(queue, reverse, 1, NULL, &items, NULL, 0, NULL, NULL), "reverse");
  clSetKernelArg(stage, 0, sizeof out, &out);
  clSetKernelArg(stage, 1, sizeof table, &table);
  for (int half_span = 1; half_span < n; half_span *= 2) {
    int stride = n / 2 / half_span;
    clSetKernelArg(stage, 2, sizeof half_span, &half_span);
    clSetKernelArg(stage, 3, sizeof stride, &stride);
    check(clEnqueueNDRangeKernel(queue, stage, 1, NULL, &half, NULL, 0, NULL, NULL), "stage");
  }
  check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, bytes, x, 0, NULL, NULL), "read");
  for (int i = 0; i < 2 * n; i++) {
    unsigned bits;
    memcpy(&bits, &x[i], sizeof bits);
    printf("%08x\n", bits);
  }
  clReleaseMemObject(in), clReleaseMemObject(table), clReleaseMemObject(out);
  clReleaseKernel(reverse), clReleaseKernel(stage), clReleaseProgram(program);
  clReleaseCommandQueue(queue), clReleaseContext(context);
  free(x), free(roots);
  return exit_code;
}
