/* Sums with weights of each work-item's own, a butterfly of an impulse, and numbers that say where to write: what one run's values
   do not tell. And two butterflies at once, as clFFT stores them. Prints the results' bits. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 64

static const char* source =
    "kernel void weigh(global const float *x, global float *y) {\n"
    "  int i = get_global_id(0);\n"
    "  y[i] = (0.5f + 0.01f * i) * x[i] - 0.25f * (i % 5 + 1) * x[i + 64];\n"
    "}\n"
    "kernel void stage(global float2 *z) {\n"
    "  int i = get_global_id(0);\n"
    "  float angle = -6.28318530717958648f * i / 128, c = cos(angle), s = sin(angle);\n"
    "  float2 a = z[i], b = z[i + 64], t = (float2)(c * b.x - s * b.y, c * b.y + s * b.x);\n"
    "  z[i] = a + t;\n"
    "  z[i + 64] = a - t;\n"
    "}\n"
    "float of(float a, float b) { return a > b ? a * b : a * a - b; }\n"
    "kernel void choose(global const float *x, global float *y) {\n"
    "  int i = get_global_id(0);\n"
    "  y[i] = of(x[i], x[i + 64]);\n"
    "}\n"
    "kernel void place(global const float *x, global float *y) {\n"
    "  int i = get_global_id(0);\n"
    "  y[(int)(x[i + 64] * 0.0f) + i] = x[i] * x[i] * x[i] - x[i + 64];\n"
    "}\n"
    "kernel void pairs(global float2 *w) {\n"
    "  int i = get_global_id(0);\n"
    "  global float4 *two = (global float4 *)w;\n"
    "  float4 a = two[i], b = two[i + 16];\n"
    "  two[i] = a + b;\n"
    "  two[i + 16] = a - b;\n"
    "}\n";

static void check(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  fprintf(stderr, "%s: %d\n", what, status);
  exit(3);
}

static void print(cl_command_queue queue, cl_mem memory, const char* name, int count) {
  float values[4 * ITEMS];
  check(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof(float) * (size_t)count, values, 0, NULL, NULL), "read");
  printf("%s", name);
  for (int i = 0; i < count; i++) {
    unsigned bits;
    memcpy(&bits, &values[i], sizeof bits);
    printf(" %08x", bits);
  }
  printf("\n");
}

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int status;
  check(clGetPlatformIDs(1, &platform, NULL), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
  float x[2 * ITEMS], z[4 * ITEMS] = {0};
  for (int i = 0; i < 2 * ITEMS; i++) x[i] = (float)((i * 37 + 11) % 101) / 101;
  z[2] = 1;
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof x, x, &status);
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(float) * ITEMS, NULL, &status);
  cl_mem points = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof z, z, &status);
  cl_mem wide = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof x, x, &status);
  check(status, "buffers");
  const char* names[] = {"weigh", "choose", "place", "stage", "pairs"};
  for (int k = 0; k < 5; k++) {
    cl_kernel kernel = clCreateKernel(program, names[k], &status);
    check(status, names[k]);
    size_t items = k < 4 ? ITEMS : ITEMS / 4, group = 16;
    if (k < 3) {
      clSetKernelArg(kernel, 0, sizeof in, &in);
      clSetKernelArg(kernel, 1, sizeof out, &out);
    } else {
      clSetKernelArg(kernel, 0, sizeof points, k < 4 ? &points : &wide);
    }
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL), names[k]);
    print(queue, k < 3 ? out : k < 4 ? points : wide, names[k], k < 3 ? ITEMS : k < 4 ? 4 * ITEMS : 2 * ITEMS);
    clReleaseKernel(kernel);
  }
  clReleaseMemObject(in), clReleaseMemObject(out), clReleaseMemObject(points), clReleaseMemObject(wide);
  clReleaseProgram(program), clReleaseCommandQueue(queue), clReleaseContext(context);
  return 0;
}
