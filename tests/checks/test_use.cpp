// What a run does not use: said of wrong kernels, and of no right one.
#include "checked.h"
#include "own_kernel.h"
#include "test_support.h"

#include <doctest.h>

using namespace twiddle;

namespace {

using Class = FindingClass;

struct Case {
  const char* what;
  const char* kernel;
  std::size_t global, local;
  Class kind;
  int line;           // of the text; 0: of none
  const char* words;  // "": nothing of this class is said
};

// Sixty-four elements in x, an empty y, and a table of eight.
const Case cases[] = {
    {"the last element is left out",
     "kernel void f(global const float *x, global float *y, constant float *t)\n{\n"
     "int i = get_global_id(0);\nif (i < 63)\ny[i] = x[i];\n}\n",
     64, 64, Class::UnreadInput, 0, "nothing reads x[63]"},
    {"the first ones too",
     "kernel void f(global const float *x, global float *y, constant float *t)\n{\n"
     "int i = get_global_id(0);\nif (i > 2)\ny[i] = x[i];\n}\n",
     64, 64, Class::UnreadInput, 0, "x[0] to x[2], 3 of"},
    {"all are read",
     "kernel void f(global const float *x, global float *y, constant float *t)\n{\n"
     "int i = get_global_id(0);\ny[i] = x[i];\n}\n",
     64, 64, Class::UnreadInput, 0, ""},
    {"every second one is wanted",
     "kernel void f(global const float *x, global float *y, constant float *t)\n{\n"
     "int i = get_global_id(0);\ny[i] = x[2 * i];\n}\n",
     32, 32, Class::UnreadInput, 0, ""},
    {"one twice, its neighbour not",
     "kernel void f(global const float *x, global float *y, constant float *t)\n{\n"
     "int i = get_global_id(0);\ny[i] = x[i == 9 ? 8 : i];\n}\n",
     64, 64, Class::UnevenRead, 4, "x[8] is read twice by this line and x[9] not at all"},
    {"the edge is clamped",
     "kernel void f(global const float *x, global float *y, constant float *t)\n{\n"
     "int i = get_global_id(0);\ny[i] = x[min(i + 1, 63)];\n}\n",
     64, 64, Class::UnevenRead, 4, ""},
    {"a halo",
     "kernel void f(global const float *x, global float *y, constant float *t)\n{\n"
     "local float s[18];\nint l = get_local_id(0);\nfor (int k = l; k < 18; k += 16)\n"
     "s[k] = x[clamp((int)get_group_id(0) * 16 + k - 1, 0, 63)];\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
     "y[get_global_id(0)] = s[l] + s[l + 1] + s[l + 2];\n}\n",
     64, 16, Class::UnevenRead, 6, ""},
    {"written to a tile and never read",
     "kernel void f(global const float *x, global float *y, constant float *t)\n{\n"
     "local float s[16], other[16];\nint i = get_global_id(0), l = get_local_id(0);\ns[l] = x[i];\nother[l] = 2 * "
     "x[i];\n"
     "barrier(CLK_LOCAL_MEM_FENCE);\ny[i] = s[15 - l];\n}\n",
     64, 16, Class::UnreadWrite, 6, "writes to other[]"},
    {"overwritten before it is read",
     "kernel void f(global const float *x, global float *y, constant float *t)\n{\n"
     "int i = get_global_id(0);\ny[i] = -x[i];\ny[i] = x[i];\n}\n",
     64, 16, Class::UnreadWrite, 4, "all of it is overwritten"},
    {"cleared, and some of it written",
     "kernel void f(global const float *x, global float *y, constant float *t)\n{\n"
     "int i = get_global_id(0);\ny[i] = 0;\nif (x[i] > 5)\ny[i] = x[i];\n}\n",
     64, 16, Class::UnreadWrite, 4, ""},
    {"three groups of four do nothing",
     "kernel void f(global const float *x, global float *y, constant float *t)\n{\n"
     "int i = get_global_id(0);\nif (i < 16)\nfor (int k = i; k < 64; k += 16)\ny[k] = x[k];\n}\n",
     64, 16, Class::IdleItems, 0, "3 of the 4 work-groups of f do nothing"},
    {"every second item",
     "kernel void f(global const float *x, global float *y, constant float *t)\n{\n"
     "int i = get_global_id(0);\nif (i % 2 == 0) {\ny[i] = x[i];\ny[i + 1] = x[i + 1];\n}\n}\n",
     64, 64, Class::IdleItems, 0, "only 32 of the 64 work-items"},
    {"a guard at the tail",
     "kernel void f(global const float *x, global float *y, constant float *t)\n{\n"
     "int i = get_global_id(0);\nif (i < 5)\nfor (int k = i; k < 64; k += 5)\ny[k] = x[k];\n}\n",
     64, 64, Class::IdleItems, 0, ""},
    {"past the end of a table",
     "kernel void f(global const float *x, global float *y, constant float *t)\n{\n"
     "int i = get_global_id(0);\ny[i] = x[i] * t[i / 7];\n}\n",
     64, 64, Class::OutOfBounds, 4, "reads t[8], outside the table: it has 8 elements"},
    {"past the end of a table of the program's",
     "constant float table[4] = {1, 2, 3, 4};\n"
     "kernel void f(global const float *x, global float *y, constant float *t)\n{\n"
     "int i = get_global_id(0);\ny[i] = x[i] * table[i / 15];\n}\n",
     64, 64, Class::OutOfBounds, 5, "outside the table"},
};

}  // namespace

TEST_CASE("what is not used is said, at its line, and nothing of what may be meant") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  for (const Case& one : cases) {
    CAPTURE(one.what);
    OwnKernel own(one.kernel);
    const BufferArgument x = own.buffer("x", ElementType::Float, 64);
    const BufferArgument y = own.buffer("y", ElementType::Float, 64, Content::Kind::Zero);
    const BufferArgument t = own.buffer("t", ElementType::Float, 8, Content::Kind::Iota, Space::Constant);
    own.launch("f", one.global, one.local, {x, y, t});
    const CheckedRun run = checked(own.plan, *runtime);
    CAPTURE(run.text());
    const Finding* finding = run.first(one.kind);
    CHECK((finding != nullptr) == (*one.words != '\0'));
    if (!finding) continue;
    CHECK(contains(finding->message.english(), one.words));
    if (one.line > 0) CHECK(finding->line == one.line + 1);  // after the include
    CHECK(finding->severity == (one.kind == Class::OutOfBounds ? Severity::Error : Severity::Warning));
  }
}
