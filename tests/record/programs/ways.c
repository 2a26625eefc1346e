/* Programs as people write them, by their first word: enqueued by threads, in a queue out of order with events, by children, or ended by a
   signal in the middle. Prints sums of the results' bits. */
#define CL_TARGET_OPENCL_VERSION 120
#define _GNU_SOURCE
#include <CL/cl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 256, THREADS = 4 };

static const char* source =
    "kernel void twice(global float *x, float v) { int i = get_global_id(0); x[i] = x[i] * v; }\n"
    "kernel void turn(global float *x, float v) {\n"
    "  int i = get_global_id(0), j = get_global_size(0) - 1 - i;\n"
    "  float a = x[i], b = x[j];\n"
    "  if (i < j) x[i] = a + b, x[j] = a - b;\n"
    "}\n"
    "kernel void weigh(global float *x, float v) {\n"
    "  int i = get_global_id(0), n = get_global_size(0);\n"
    "  x[i] = x[i] * (v + 0.37f * i) + 0.11f * i * i;\n"
    "}\n"
    "kernel void forever(global volatile float *x, float v) { while (x[0] != v) x[1] = 1; }\n";

static cl_device_id device;
static cl_context context;
static cl_program program;

static void check(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  fprintf(stderr, "%s: %d\n", what, status);
  exit(3);
}

static void set_up(void) {
  cl_platform_id platform;
  cl_int status;
  check(clGetPlatformIDs(1, &platform, NULL), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
}

static cl_mem memory(void) {
  float x[ITEMS];
  cl_int status;
  for (int i = 0; i < ITEMS; i++) x[i] = (float)i / 16 + 1;
  cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof x, x, &status);
  check(status, "buffer");
  return made;
}

static cl_command_queue queue_with(cl_command_queue_properties properties) {
  cl_int status;
  cl_command_queue queue = clCreateCommandQueue(context, device, properties, &status);
  if (status != CL_SUCCESS) queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "queue");
  return queue;
}

static void run(cl_command_queue queue, const char* name, cl_mem on, float with, cl_uint waits, const cl_event* list,
                cl_event* event) {
  cl_int status;
  cl_kernel kernel = clCreateKernel(program, name, &status);
  check(status, name);
  size_t items = ITEMS;
  clSetKernelArg(kernel, 0, sizeof on, &on);
  clSetKernelArg(kernel, 1, sizeof with, &with);
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, waits, list, event), name);
  clReleaseKernel(kernel);
}

static void print(cl_command_queue queue, cl_mem of) {
  float x[ITEMS];
  unsigned sum = 0, bits;
  check(clEnqueueReadBuffer(queue, of, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL), "read");
  for (int i = 0; i < ITEMS; i++) {
    memcpy(&bits, &x[i], sizeof bits);
    sum = sum * 31 + bits;
  }
  printf("%08x\n", sum);
  fflush(stdout);
}

struct Work {
  cl_command_queue queue;
  cl_mem on;
  float with;
};

static void* work(void* given) {
  struct Work* own = given;
  for (int k = 0; k < 10; k++) run(own->queue, k % 2 ? "twice" : "turn", own->on, own->with, 0, NULL, NULL);
  clFinish(own->queue);
  return NULL;
}

static void threads(void) {
  struct Work all[THREADS];
  pthread_t thread[THREADS];
  set_up();
  for (int t = 0; t < THREADS; t++) all[t] = (struct Work){queue_with(0), memory(), 1 + 0.25f * (float)t};
  for (int t = 0; t < THREADS; t++) pthread_create(&thread[t], NULL, work, &all[t]);
  for (int t = 0; t < THREADS; t++) pthread_join(thread[t], NULL);
  for (int t = 0; t < THREADS; t++) print(all[t].queue, all[t].on);
}

static void CL_CALLBACK note(cl_event event, cl_int status, void* flag) {
  (void)event, (void)status;
  __atomic_store_n((int*)flag, 1, __ATOMIC_RELEASE);
}

static void order(void) {
  static int called;
  set_up();
  cl_command_queue queue = queue_with(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_mem a = memory(), b = memory();
  cl_event events[4], last;
  run(queue, "turn", a, 0, 0, NULL, &events[0]);
  run(queue, "twice", b, 0.75f, 0, NULL, &events[1]);
  run(queue, "twice", a, 0.5f, 1, &events[0], &events[2]);
  clSetEventCallback(events[2], CL_COMPLETE, note, &called);
  check(clEnqueueCopyBuffer(queue, a, b, 0, sizeof(float) * ITEMS / 2, sizeof(float) * ITEMS / 2, 2, &events[1],
                            &events[3]),
        "copy");
  clFlush(queue);
  run(queue, "turn", b, 0, 1, &events[3], &last);
  check(clWaitForEvents(1, &last), "wait");
  cl_command_type type = 0;
  clGetEventInfo(last, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL);
  clFinish(queue);
  while (!__atomic_load_n(&called, __ATOMIC_ACQUIRE)) usleep(1000);
  printf("%x\n", (unsigned)type);
  print(queue, a);
  print(queue, b);
}

static void one_after_another(int launches, int end) {
  set_up();
  cl_command_queue queue = queue_with(0);
  cl_mem x = memory();
  for (int k = 0; k < launches; k++) run(queue, k % 2 ? "twice" : "turn", x, 1.5f, 0, NULL, NULL);
  print(queue, x);
  if (end == SIGKILL) kill(getpid(), SIGKILL);
  if (end == SIGABRT) abort();
}

static void children(void) {
  for (int c = 0; c < 3; c++) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
      one_after_another(c + 1, 0);
      exit(c);
    }
    waitpid(child, &status, 0);
    printf("%d\n", WEXITSTATUS(status));
    fflush(stdout);
  }
  one_after_another(4, 0);
}

/* A kernel that never ends: the process is killed as soon as it runs. */
static void endless(void) {
  set_up();
  cl_command_queue queue = queue_with(0);
  cl_mem x = memory();
  run(queue, "twice", x, 1.5f, 0, NULL, NULL);
  clFinish(queue);
  if (fork() == 0) {
    char file[4096];
    snprintf(file, sizeof file, "%s/p%d/begun-2", getenv("TWIDDLE_RECORD_DIR"), (int)getppid());
    for (int k = 0; k < 60000 && access(file, F_OK) != 0; k++) usleep(1000);
    kill(getppid(), SIGKILL);
    _exit(0);
  }
  run(queue, "forever", x, 0, 0, NULL, NULL);
  clFinish(queue);
}

/* The recorder asks for runs on other data, and gets no answer for as long as this process lives. */
static void silent(void) {
  char file[4096];
  set_up();
  snprintf(file, sizeof file, "%s/p%d/probed-1.part", getenv("TWIDDLE_RECORD_DIR"), (int)getpid());
  mkdir(file, 0700); /* in the answer's place */
  cl_command_queue queue = queue_with(0);
  cl_mem x = memory();
  run(queue, "weigh", x, 1.5f, 0, NULL, NULL);
  clFinish(queue);
  mkdir("launched", 0700);
  for (;;) pause();
}

int main(int count, char** words) {
  const char* way = count > 1 ? words[1] : "";
  if (!strcmp(way, "threads")) threads();
  if (!strcmp(way, "order")) order();
  if (!strcmp(way, "children")) children();
  if (!strcmp(way, "killed")) one_after_another(3, SIGKILL);
  if (!strcmp(way, "endless")) endless();
  if (!strcmp(way, "silent")) silent();
  if (!strcmp(way, "aborted")) one_after_another(3, SIGABRT);
  return 0;
}
