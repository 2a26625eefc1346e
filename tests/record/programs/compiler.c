// Loads a library with NVRTC's functions, as CuPy and PyTorch do, and compiles with it before there is a driver, and after.
//   compiler LIBRARY
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

typedef int (*Create)(void **, const char *, const char *, int, const char *const *, const char *const *);
typedef int (*Compile)(void *, int, const char *const *);
typedef int (*Destroy)(void **);

static int compile(void *library, const char *text, const char *name) {
  Create create = (Create)dlsym(library, "nvrtcCreateProgram");
  Compile run = (Compile)dlsym(library, "nvrtcCompileProgram");
  Destroy destroy = (Destroy)dlsym(library, "nvrtcDestroyProgram");
  const char *options[] = {"-DN=8", "--std=c++17"}, *headers[] = {"int h;"}, *names[] = {"h.h"};
  void *program = 0;
  if (!create || !run || !destroy || create(&program, text, name, 1, headers, names) != 0) return -1;
  int result = run(program, 2, options);
  destroy(&program);
  return result;
}

int main(int count, char **arguments) {
  void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : 0;
  if (!library) return 1;
  printf("%d\n", compile(library, "first \"text\"\n", "first.cu"));
  printf("%d\n", compile(library, "#error\n", "wrong.cu"));
  // What a driver does when it is first called. A library that is put before others is the next one of the program.
  int (*driver_starts)(void) = (int (*)(void))dlsym(RTLD_NEXT, "InitializeInjection");
  printf("%s\n", driver_starts ? "watched" : "alone");
  if (driver_starts) driver_starts();
  printf("%d\n", compile(library, "second\n", 0));
  printf("%s\n", dlsym(library, "nvrtcNothing") || dlsym(RTLD_DEFAULT, "nvrtcGetPTX") ? "more" : "no more");
  return 0;
}
