/* An FFT, and the sum of its magnitudes, in coarse-grained shared virtual memory: one allocation holds the points and behind them the
   roots, so that kernels get pointers into its middle. With the word `list` a list whose nodes are in allocations of their own, which
   kernels come to through pointers alone; with `race` items that read what others write; with `fine` memory that the host may touch at any
   time. Prints the results' bits. */
#define CL_TARGET_OPENCL_VERSION 200
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
    "}\n"
    "kernel void halve(global float *sums, int half_size) {\n"
    "  int i = get_global_id(0);\n"
    "  sums[i] += sums[i + half_size];\n"
    "}\n"
    "kernel void shift(global float *last) { last[-(int)get_global_id(0)] += 1; }\n"
    "typedef struct Node { global struct Node *next; float value, seen; } Node;\n"
    "kernel void walk(global Node *first, global int *count) {\n"
    "  int nodes = 0;\n"
    "  for (global Node *at = first; at; at = at->next, nodes++) at->seen += at->value;\n"
    "  *count = nodes;\n"
    "}\n";

typedef struct Node {
  struct Node *next;
  float value, seen;
} Node;

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_program program;

static void check(cl_int status, const char *what) {
  if (status == CL_SUCCESS) return;
  fprintf(stderr, "%s: %d\n", what, status);
  exit(3);
}

static void *shared(size_t bytes, cl_svm_mem_flags flags) {
  void *memory = clSVMAlloc(context, CL_MEM_READ_WRITE | flags, bytes, 0);
  if (!memory) exit(4);
  return memory;
}

static void map(void *memory, size_t bytes, cl_map_flags how) {
  check(clEnqueueSVMMap(queue, CL_TRUE, how, memory, bytes, 0, NULL, NULL), "map");
}

static void unmap(void *memory) { check(clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL), "unmap"); }

static cl_kernel kernel_of(const char *name) {
  cl_int status;
  cl_kernel kernel = clCreateKernel(program, name, &status);
  check(status, name);
  return kernel;
}

static void run(cl_kernel kernel, size_t items) {
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL), "launch");
}

static void print_bits(const float *values, int count) {
  for (int i = 0; i < count; i++) {
    unsigned bits;
    memcpy(&bits, &values[i], sizeof bits);
    printf("%08x\n", bits);
  }
}

static void fft(int log2n) {
  int n = 1 << log2n, half_size = n;
  size_t bytes = sizeof(float) * 2 * (size_t)n;
  float zero = 0;
  cl_kernel reverse = kernel_of("reverse"), stage = kernel_of("stage"), halve = kernel_of("halve"), shift = kernel_of("shift");
  float *x = shared(2 * bytes, 0), *y = shared(bytes, 0), *sums = shared(bytes, 0), *roots = x + 2 * n;
  map(x, 2 * bytes, CL_MAP_WRITE);
  for (int i = 0; i < n; i++) {
    x[2 * i] = (float)sin(i * 0.7 + 1), x[2 * i + 1] = (float)cos(i * 1.3 + 2);
    roots[2 * i] = (float)cos(2 * 3.14159265358979323846 * i / n);
    roots[2 * i + 1] = (float)-sin(2 * 3.14159265358979323846 * i / n);
  }
  unmap(x);
  check(clEnqueueSVMMemFill(queue, y, &zero, sizeof zero, bytes, 0, NULL, NULL), "fill");
  check(clSetKernelArgSVMPointer(reverse, 0, x), "x");
  check(clSetKernelArgSVMPointer(reverse, 1, y), "y");
  check(clSetKernelArg(reverse, 2, sizeof log2n, &log2n), "log2n");
  run(reverse, (size_t)n);
  check(clSetKernelArgSVMPointer(stage, 0, y), "y");
  check(clSetKernelArgSVMPointer(stage, 1, roots), "roots");
  for (int half_span = 1; half_span < n; half_span *= 2) {
    int stride = n / 2 / half_span;
    clSetKernelArg(stage, 2, sizeof half_span, &half_span);
    clSetKernelArg(stage, 3, sizeof stride, &stride);
    run(stage, (size_t)n / 2);
  }
  check(clEnqueueSVMMemcpy(queue, CL_FALSE, sums, y, bytes, 0, NULL, NULL), "copy");
  check(clSetKernelArgSVMPointer(shift, 0, sums + 2 * n - 1), "the last");
  run(shift, 2);
  check(clSetKernelArgSVMPointer(halve, 0, sums), "sums");
  for (; half_size > 0; half_size /= 2) {
    clSetKernelArg(halve, 1, sizeof half_size, &half_size);
    run(halve, (size_t)half_size);
  }
  map(y, bytes, CL_MAP_READ);
  print_bits(y, 2 * n);
  unmap(y);
  map(sums, bytes, CL_MAP_READ);
  print_bits(sums, 1);
  unmap(sums);
  check(clFinish(queue), "finish");
  clSVMFree(context, x);
  void *others[] = {y, sums};
  check(clEnqueueSVMFree(queue, 2, others, NULL, NULL, 0, NULL, NULL), "free");
  check(clFinish(queue), "finish");
}

/* Twice, to see that each launch counts once. Only half of the nodes are named to the kernel; drivers of processors let that pass. */
static void list(void) {
  enum { NODES = 6 };
  Node *nodes[NODES];
  cl_kernel walk = kernel_of("walk");
  int *count = shared(sizeof *count, 0);
  for (int i = 0; i < NODES; i++) nodes[i] = shared(sizeof(Node), 0);
  for (int i = 0; i < NODES; i++) {
    map(nodes[i], sizeof(Node), CL_MAP_WRITE);
    *nodes[i] = (Node){i + 1 < NODES ? nodes[i + 1] : NULL, (float)i + 0.5f, 0};
    unmap(nodes[i]);
  }
  check(clSetKernelExecInfo(walk, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof nodes / 2, nodes), "nodes");
  check(clSetKernelArgSVMPointer(walk, 0, nodes[0]), "first");
  check(clSetKernelArgSVMPointer(walk, 1, count), "count");
  for (int k = 0; k < 2; k++) run(walk, 1);
  for (int i = 0; i < NODES; i++) {
    map(nodes[i], sizeof(Node), CL_MAP_READ);
    print_bits(&nodes[i]->seen, 1);
    unmap(nodes[i]);
  }
  map(count, sizeof *count, CL_MAP_READ);
  printf("%d\n", *count);
  unmap(count);
  check(clFinish(queue), "finish");
  clSVMFree(context, count);
  for (int i = 0; i < NODES; i++) clSVMFree(context, nodes[i]);
}

/* Twice as many items as there should be: some read what others write. */
static void race(void) {
  enum { COUNT = 64 };
  int half_size = COUNT / 4;
  cl_kernel halve = kernel_of("halve");
  float *sums = shared(COUNT * sizeof *sums, 0);
  map(sums, COUNT * sizeof *sums, CL_MAP_WRITE);
  for (int i = 0; i < COUNT; i++) sums[i] = (float)i * 0.7f;
  unmap(sums);
  check(clSetKernelArgSVMPointer(halve, 0, sums), "sums");
  clSetKernelArg(halve, 1, sizeof half_size, &half_size);
  run(halve, COUNT / 2);
  check(clFinish(queue), "finish");
  clSVMFree(context, sums);
}

/* A memory object made of an allocation is that allocation; what has no map is seen by the host as it is. */
static void fine(void) {
  cl_device_svm_capabilities can = 0;
  cl_kernel halve = kernel_of("halve");
  int half_size = 4, two = 2;
  check(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, NULL), "capabilities");
  cl_int status;
  float *coarse = shared(8 * sizeof *coarse, 0);
  map(coarse, 8 * sizeof *coarse, CL_MAP_WRITE);
  for (int i = 0; i < 8; i++) coarse[i] = (float)i * 0.3f;
  unmap(coarse);
  cl_mem same = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, 8 * sizeof *coarse, coarse, &status);
  check(status, "a memory object of it");
  clSetKernelArg(halve, 0, sizeof same, &same);
  clSetKernelArg(halve, 1, sizeof half_size, &half_size);
  run(halve, 4);
  clSetKernelArgSVMPointer(halve, 0, coarse);
  clSetKernelArg(halve, 1, sizeof two, &two);
  run(halve, 2);
  check(clFinish(queue), "finish");
  map(coarse, 8 * sizeof *coarse, CL_MAP_READ);
  print_bits(coarse, 8);
  unmap(coarse);
  clReleaseMemObject(same);
  if (can & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) {
    float *x = shared(8 * sizeof *x, CL_MEM_SVM_FINE_GRAIN_BUFFER);
    for (int i = 0; i < 8; i++) x[i] = (float)i;
    clSetKernelArgSVMPointer(halve, 0, x);
    clSetKernelArg(halve, 1, sizeof half_size, &half_size);
    run(halve, 4);
    check(clFinish(queue), "finish");
    printf("fine\n");
    print_bits(x, 8);
    clSVMFree(context, x);
  }
  if (can & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) {
    float *x = calloc(8, sizeof *x);
    for (int i = 0; i < 8; i++) x[i] = (float)i * 2;
    if (clSetKernelArgSVMPointer(halve, 0, x) == CL_SUCCESS) {
      run(halve, 4);
      check(clFinish(queue), "finish");
      printf("system\n");
      print_bits(x, 8);
    }
    free(x);
  }
  check(clFinish(queue), "finish");
  clSVMFree(context, coarse);
}

int main(int count, char **words) {
  cl_platform_id platform;
  cl_int status;
  check(clGetPlatformIDs(1, &platform, NULL), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "context");
  queue = clCreateCommandQueueWithProperties(context, device, NULL, &status);
  check(status, "queue");
  program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
  /* Devices of OpenCL 3.0 need not take 2.0's language. */
  if (clBuildProgram(program, 1, &device, "-cl-std=CL2.0", NULL, NULL) != CL_SUCCESS)
    check(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL), "build");
  const char *way = count > 1 ? words[1] : "";
  if (strcmp(way, "list") == 0)
    list();
  else if (strcmp(way, "race") == 0)
    race();
  else if (strcmp(way, "fine") == 0)
    fine();
  else
    fft(count > 1 ? atoi(way) : 3);
  return 0;
}
