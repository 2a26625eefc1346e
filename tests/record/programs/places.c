/* Where programs run and what they are made of, by the first word: on two devices of one context that hand memory to each other, on
   parts of a device, of a binary that an earlier run left in a file (the second word), and with shared virtual memory. Prints
   what came out. */
#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 128, MOST = 8 };

static const char *const source =
    "kernel void turn(global float *x, float v) {\n"
    "  int i = get_global_id(0), j = get_global_size(0) - 1 - i;\n"
    "  float a = x[i], b = x[j];\n"
    "  if (i < j) x[i] = a + b, x[j] = a - b;\n"
    "}\n"
    "kernel void twice(global float *x, float v) { x[get_global_id(0)] *= v; }\n"
    "constant float table[4] = {3, 1, 4, 1.5f};\n"
    "kernel void pick(global float *x, float v) { if (v > 0) x[get_global_id(0)] = table[get_global_id(0) % 4]; }\n";

static cl_platform_id platform;
static cl_device_id devices[MOST];
static cl_uint device_count;

static void check(cl_int status, const char *what)
{
  if (status == CL_SUCCESS) return;
  printf("%s: %d\n", what, status);
  exit(3);
}

static cl_context context_of(cl_uint count, const cl_device_id *all)
{
  cl_int status;
  cl_context context = clCreateContext(NULL, count, all, NULL, NULL, &status);
  check(status, "context");
  return context;
}

static cl_program built(cl_context context)
{
  cl_int status;
  const char *text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
  check(status, "program");
  check(clBuildProgram(program, 0, NULL, "", NULL, NULL), "build");
  return program;
}

static cl_command_queue queue_on(cl_context context, cl_device_id device)
{
  cl_int status;
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &status);
  check(status, "queue");
  return queue;
}

static cl_mem memory(cl_context context, float from)
{
  float x[ITEMS];
  cl_int status;
  for (int i = 0; i < ITEMS; i++) x[i] = from + (float)i / 8;
  cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof x, x, &status);
  check(status, "buffer");
  return made;
}

static void run(cl_command_queue queue, cl_program program, const char *name, cl_mem on, float v, cl_uint waits,
                const cl_event *list, cl_event *event)
{
  cl_int status;
  size_t items = ITEMS, group = 32;
  cl_kernel kernel = clCreateKernel(program, name, &status);
  check(status, name);
  check(clSetKernelArg(kernel, 0, sizeof on, &on), "argument");
  check(clSetKernelArg(kernel, 1, sizeof v, &v), "argument");
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, waits, list, event), "launch");
  clReleaseKernel(kernel);
}

static void print(cl_command_queue queue, cl_mem of, const char *what)
{
  float x[ITEMS];
  unsigned sum = 0, bits;
  check(clEnqueueReadBuffer(queue, of, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL), "read");
  for (int i = 0; i < ITEMS; i++) {
    memcpy(&bits, &x[i], sizeof bits);
    sum = sum * 31 + bits;
  }
  printf("%s %08x\n", what, sum);
}

/* One program on all devices of one context: memory goes from one to the next, each waiting for the other's event. */
static void chain(cl_uint count, const cl_device_id *all)
{
  cl_context context = context_of(count, all);
  cl_program program = built(context);
  cl_command_queue queues[MOST] = {NULL};
  cl_mem shared = memory(context, 1), own[MOST];
  cl_event last = NULL;
  for (cl_uint d = 0; d < count; d++) queues[d] = queue_on(context, all[d]);
  for (cl_uint d = 0; d < count; d++) {
    cl_event next;
    run(queues[d], program, "turn", shared, 0, last ? 1 : 0, last ? &last : NULL, &next);
    own[d] = memory(context, 5 + (float)d);
    run(queues[d], program, "twice", own[d], 0.5f, 0, NULL, NULL);
    check(clFlush(queues[d]), "flush");
    last = next;
  }
  for (cl_uint d = 0; d < count; d++) check(clFinish(queues[d]), "finish");
  print(queues[0], shared, "shared");
  for (cl_uint d = 0; d < count; d++) print(queues[d], own[d], "own");
}

static void parts(void)
{
  cl_device_id some[MOST];
  cl_uint count = 0;
  const cl_device_partition_property how[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  if (clCreateSubDevices(devices[0], how, MOST, some, &count) != CL_SUCCESS || count < 2) {
    some[0] = some[1] = devices[0];
    chain(1, some);
    return;
  }
  chain(2, some);
}

/* As programs that start slowly do it: of the binary in the file if that is taken, and else of the source, and then it is kept. */
static void cached(const char *file)
{
  cl_context context = context_of(1, devices);
  cl_command_queue queue = queue_on(context, devices[0]);
  cl_program program = NULL;
  FILE *kept = fopen(file, "rb");
  if (kept) {
    static unsigned char bytes[1 << 22];
    const unsigned char *binary = bytes;
    size_t size = fread(bytes, 1, sizeof bytes, kept);
    cl_int each, status;
    fclose(kept);
    program = clCreateProgramWithBinary(context, 1, devices, &size, &binary, &each, &status);
    if (status != CL_SUCCESS) program = NULL;
    if (program && clBuildProgram(program, 0, NULL, "", NULL, NULL) != CL_SUCCESS) program = NULL;
  }
  if (!program) {
    size_t size = 0;
    unsigned char *binary;
    program = built(context);
    check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), "size");
    binary = malloc(size);
    check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL), "binary");
    kept = fopen(file, "wb");
    if (!kept || fwrite(binary, 1, size, kept) != size || fclose(kept) != 0) exit(3);
  }
  cl_mem x = memory(context, 2);
  run(queue, program, "turn", x, 0, 0, NULL, NULL);
  run(queue, program, "twice", x, 3, 0, NULL, NULL);
  print(queue, x, "cached");
  run(queue, program, "pick", x, 1, 0, NULL, NULL);
  print(queue, x, "picked");
}

/* Of one kernel: a pointer, and then a buffer in the same argument's place. */
static void pointers(void)
{
  cl_int status;
  size_t items = ITEMS;
  float v = 0.25f;
  cl_context context = context_of(1, devices);
  cl_command_queue queue = queue_on(context, devices[0]);
  cl_program program = built(context);
  cl_kernel kernel = clCreateKernel(program, "twice", &status);
  check(status, "kernel");
  float *x = clSVMAlloc(context, CL_MEM_READ_WRITE, ITEMS * sizeof *x, 0);
  if (!x) exit(4);
  check(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, x, ITEMS * sizeof *x, 0, NULL, NULL), "map");
  for (int i = 0; i < ITEMS; i++) x[i] = (float)i;
  check(clEnqueueSVMUnmap(queue, x, 0, NULL, NULL), "unmap");
  check(clSetKernelArgSVMPointer(kernel, 0, x), "pointer");
  check(clSetKernelArg(kernel, 1, sizeof v, &v), "argument");
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL), "launch");
  check(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, x, ITEMS * sizeof *x, 0, NULL, NULL), "map");
  printf("pointer %g\n", x[ITEMS - 1]);
  check(clEnqueueSVMUnmap(queue, x, 0, NULL, NULL), "unmap");
  cl_mem y = memory(context, 3);
  check(clSetKernelArg(kernel, 0, sizeof y, &y), "argument");
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL), "launch");
  print(queue, y, "buffer");
  check(clFinish(queue), "finish");
  clSVMFree(context, x);
}

int main(int count, char **words)
{
  if (count < 2) return 2;
  check(clGetPlatformIDs(1, &platform, NULL), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST, devices, &device_count), "devices");
  if (device_count > MOST) device_count = MOST;
  printf("%u devices\n", device_count);
  if (strcmp(words[1], "devices") == 0) chain(device_count, devices);
  if (strcmp(words[1], "parts") == 0) parts();
  if (strcmp(words[1], "cached") == 0 && count > 2) cached(words[2]);
  if (strcmp(words[1], "pointers") == 0) pointers();
  return 0;
}
