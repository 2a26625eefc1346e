// Every load, store, atomic operation and barrier of OpenCL kernels, against what the kernels' text says.
#include "logged_kernel.h"
#include "test_support.h"

#include <doctest.h>

using namespace twiddle;

namespace {

struct Case {
  const char* name;
  const char* text;  // of kernel k
  std::uint64_t item;
  const char* accesses;  // of that item
  std::vector<std::size_t> buffers{16};
  std::vector<std::size_t> local_bytes{};
};

const Case cases[] = {
    {"a load and a store", "kernel void k(global int *x) { int i = get_global_id(0); x[i + 4] = x[i] * 2; }", 3,
     "load x+12=3; store x+28=6"},
    {"one statement that does both", "kernel void k(global int *x) { x[get_global_id(0)] += 5; }", 2,
     "load x+8=2; store x+8=7"},
    {"++ and --, before and behind",
     "kernel void k(global int *x) { int i = get_global_id(0); int a = x[i]++; int b = --x[i + 4]; x[i + 8] = a * 100 "
     "+ b; }",
     1, "load x+4=1; store x+4=2; load x+20=5; store x+20=4; store x+36=68"},
    {"a pointer that moves",
     "kernel void k(global int *x) { global int *p = x + get_global_id(0); int a = *p++; p += 3; *p = a; *--p = a + 1; "
     "}",
     1, "load x+4=1; store x+20=1; store x+16=2"},
    {"a helper",
     "int twice(global int *p, int i) { return 2 * p[i]; }\n"
     "void put(global int *p, int v) { *p = v; }\n"
     "kernel void k(global int *x) { int i = get_global_id(0); put(x + i, twice(x, i)); }",
     2, "load x+8=2; store x+8=4"},
    {"helpers that are declared first, and take nothing",
     "int where(void);\nint get(global int *p);\n"
     "kernel void k(global int *x) { x[where()] = get(&x[where()]); }\n"
     "int where(void) { return get_global_id(0); }\nint get(global int *p) { return p[1]; }",
     1, "load x+8=2; store x+4=2"},
    {"macros that make kernels",
     "#define MAKE(name, type, op) kernel void name(global type *x) { int i = get_global_id(0); x[i] = x[i] op 3; }\n"
     "MAKE(other, float, *)\nMAKE(k, int, +)",
     1, "load x+4=1; store x+4=4"},
    {"members of structs",
     "typedef struct { int a; struct { int b, c; } in; int d[2]; } S;\n"
     "kernel void k(global S *s) { int i = get_global_id(0) % 2; s[i].in.c = s[i].a + s->d[i]; }",
     1, "load s+20=5; load s+16=4; store s+28=9"},
    {"whole structs",
     "struct P { int a, b, c; };\n"
     "kernel void k(global struct P *p) { int i = get_global_id(0); struct P q = p[i]; q.b = 9; p[i] = q; }",
     1, "load p+12=3; load p+16=4; load p+20=5; store p+12=3; store p+16=9; store p+20=5"},
    {"casts",
     "kernel void k(global int *x) { global short *h = (global short *)x; int i = get_global_id(0); h[2 * i] = "
     "((global char *)x)[4 * i] + 1; }",
     3, "load x+12=3; store x+12=4"},
    {"vectors", "kernel void k(global int4 *x) { int i = get_global_id(0); int4 v = x[i]; x[i] = v + 1; }", 1,
     "load x+16=500000004; load x+24=700000006; store x+16=600000005; store x+24=800000007"},
    {"components", "kernel void k(global int4 *x) { int i = get_global_id(0); x[i].y = x[i].w + x[i].s0; }", 1,
     "load x+28=7; load x+16=4; store x+20=b"},
    {"several components",
     "kernel void k(global int4 *x) { int i = get_global_id(0); x[i].xw = x[i].zy; x->hi.x += 0; }", 1,
     "load x+24=6; load x+20=5; store x+16=6; store x+28=5; load x+8=2; store x+8=2"},
    {"a component by number",
     "kernel void k(global int4 *x) { int i = get_global_id(0); x[i][i] = x[i][i - 1] + 1; x[0][3 - i]++; }", 1,
     "load x+16=4; store x+20=5; load x+8=2; store x+8=3"},
    {"components through a pointer",
     "kernel void k(global int2 *x) { global int2 *p = x + get_global_id(0); p->y = p->x; }", 2,
     "load x+16=4; store x+20=4"},
    {"vectors of three", "kernel void k(global int3 *x) { int i = get_global_id(0); x[i] = x[i] + (int3)(1); }", 1,
     "load x+16=4; load x+20=5; load x+24=6; store x+16=5; store x+20=6; store x+24=7"},
    {"chars, shorts and longs",
     "kernel void k(global uchar *c, global short *s, global long *l) { int i = get_global_id(0); l[i] = c[4 * i] + "
     "s[2 * i]; }",
     2,
     "load c+8=2; load s+8=2; store l+16=4",
     {16, 16, 16}},
    {"vload and vstore",
     "kernel void k(global int *x) { int i = get_global_id(0); int3 v = vload3(i, x); vstore2(v.yz, i, x + 1); }", 1,
     "load x+12=3; load x+16=4; load x+20=5; store x+12=500000004"},
    {"half in memory",
     "kernel void k(global half *h, global float *f) { int i = get_global_id(0); float v = vload_half(2 * i, h); "
     "vstore_half_rte(v + 1.0f, i, h + 16); }",
     1,
     "load h+4=1; store h+34=3c00",
     {16, 16}},
    {"local arrays",
     "kernel void k(global int *x) { local int t[2 * (1 + 1)]; int l = get_local_id(0); t[l] = x[l]; "
     "barrier(CLK_LOCAL_MEM_FENCE); x[l] = t[3 - l]; }",
     1, "load x+4=1; store t+4=1; barrier=1; load t+8=2; store x+4=2"},
    {"local arrays of two dimensions, and a local number",
     "#define W 3\nkernel void k(global int *x) { local int t[2][W + 1]; local int n; int l = get_local_id(0); t[l / "
     "2][l % 2] = l; "
     "if (l == 0) n = 7; barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); x[l] = t[1][l / 2] + n; }",
     3, "store t+20=3; barrier=3; load t+20=3; load n+0=7; store x+12=a"},
    {"local memory that is handed over",
     "kernel void k(global int *x, local int *t, local float *u) { int l = get_local_id(0); t[l] = x[l]; u[l] = 1.0f; "
     "barrier(CLK_LOCAL_MEM_FENCE); x[l] = t[0]; }",
     2,
     "load x+8=2; store t+8=2; store u+8=3f800000; barrier=1; load t+0=0; store x+8=0",
     {16},
     {16, 16}},
    {"constants of the program's",
     "constant int table[4] = {5, 6, 7, 8};\nconstant int one = 1;\n"
     "kernel void k(global int *x) { int i = get_global_id(0); x[i] = table[3 - i] + one; }",
     1, "load table+8=7; store x+4=8"},
    {"atomic operations",
     "kernel void k(global int *x, volatile global uint *u) { int i = get_global_id(0); if (i == 2) { atomic_add(x + "
     "i, 3); atom_inc(&x[i]); "
     "atomic_max(u + 1, 9u); atomic_xchg(u, 4u); } }",
     2,
     "atomic-load x+8=2; atomic-store x+8=5; atomic-load x+8=5; atomic-store x+8=6; atomic-load u+4=1; atomic-store "
     "u+4=9; "
     "atomic-load u+0=0; atomic-store u+0=4",
     {16, 16}},
    {"a compare and exchange that fails, and one that does not",
     "kernel void k(global int *x) { int i = get_global_id(0); if (i == 1) x[8] = atomic_cmpxchg(x + i, 7, 8) + "
     "atomic_cmpxchg(x + i, 1, 9); }",
     1, "atomic-load x+4=1; atomic-load x+4=1; atomic-store x+4=9; store x+32=2"},
    {"fences",
     "kernel void k(global int *x) { x[0] = 1; mem_fence(CLK_GLOBAL_MEM_FENCE); read_mem_fence(CLK_LOCAL_MEM_FENCE); }",
     0, "store x+0=1; fence=2; fence=1"},
    {"asynchronous copies",
     "kernel void k(global int *x) { local int t[8]; event_t e = async_work_group_copy(t, x, 8, 0); "
     "wait_group_events(1, &e); "
     "e = async_work_group_copy(x + 8, t, 8, 0); wait_group_events(1, &e); }",
     1,
     "copy-load x+4=1; copy-store t+4=1; copy-load x+20=5; copy-store t+20=5; wait=0; "
     "copy-load t+4=1; copy-store x+36=1; copy-load t+20=5; copy-store x+52=5; wait=0"},
    {"returns in the middle",
     "kernel void k(global int *x) { int i = get_global_id(0); if (i > 1) return; x[i] = 7; if (i) return; x[i + 1] = "
     "8; }",
     1, "store x+4=7"},
    {"conditions, loops and both sides of &&",
     "kernel void k(global int *x) { int i = get_global_id(0); int s = 0; for (int j = 0; j < x[2]; ++j) s += x[j] && "
     "x[j + 1] ? x[i] : 5; x[8 + i] = s; }",
     3, "load x+8=2; load x+0=0; load x+8=2; load x+4=1; load x+8=2; load x+12=3; load x+8=2; store x+44=8"},
    {"sizes and addresses are no accesses",
     "kernel void k(global int *x) { int i = get_global_id(0); global int *p = &x[i]; x[i] = sizeof(x[3]) + (p - x); }",
     2, "store x+8=6"},
    {"a chain of assignments",
     "kernel void k(global int *x) { int i = get_global_id(0); x[i] = x[i + 4] = x[i + 8] = 3; }", 1,
     "store x+36=3; store x+20=3; store x+4=3"},
    {"a kernel that calls a kernel",
     "kernel void part(global int *x, int i) { local int t[4]; t[get_local_id(0)] = i; x[i] = 1; }\n"
     "kernel void k(global int *x) { int i = get_global_id(0); x[i + 4] = 2; part(x, i); x[i + 8] = 3; }",
     2, "store x+24=2; store t+8=2; store x+8=1; store x+40=3"},
    {"functions with a second result",
     "kernel void k(global float *x) { int i = get_global_id(0); x[i + 4] = fract(1.5f, x + i); }", 1,
     "store x+4=3f800000; store x+20=3f000000"},
};

}  // namespace

TEST_CASE("kernels' accesses are logged one by one, and their results stay bit for bit the same") {
  Runtime* runtime = opencl();
  if (!runtime) return;
  for (const Case& one : cases) {
    CAPTURE(one.name);
    KernelToLog kernel;
    kernel.text = one.text;
    kernel.buffers = one.buffers;
    kernel.local_bytes = one.local_bytes;
    const LoggedKernel logged = log_kernel(*runtime, kernel);
    CHECK(logged.why_not.english() == "");
    if (!logged.why_not.empty()) continue;
    CHECK(logged.same_bits);
    CHECK(logged.accesses.lost == 0);
    CHECK(logged.accesses.unlogged.empty());
    CHECK(accesses_of(logged.accesses, one.item) == one.accesses);
  }
}

TEST_CASE("sites say where they are, and what is accessed there") {
  Runtime* runtime = opencl();
  if (!runtime) return;
  KernelToLog kernel;
  kernel.text =
      "#define SQUARE(v) ((v) * (v))\n"
      "float2 get(global const float2 *p)\n{\n  return p[1];\n}\n"
      "kernel void k(global float2 *x)\n{\n"
      "  local double d[3];\n"
      "  d[0] = SQUARE(x[0].y);\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  x[2] =\n    get(x);\n}\n";
  const LoggedKernel logged = log_kernel(*runtime, kernel);
  REQUIRE(logged.why_not.english() == "");
  const auto site = [&](std::size_t record) { return logged.accesses.sites.at(logged.accesses.site.at(record)); };
  struct Expected {
    AccessKind kind;
    Space space;
    ElementType type;
    int components, chunk, line, column;
    const char *function, *text;
  };
  const Expected expected[] = {
      {AccessKind::Load, Space::Global, ElementType::Float, 1, 4, 9, 17, "k", "x[0].y"},
      {AccessKind::Load, Space::Global, ElementType::Float, 1, 4, 9, 17, "k", "x[0].y"},
      {AccessKind::Store, Space::Local, ElementType::Double, 1, 8, 9, 3, "k", "d[0] = SQUARE(x[0].y)"},
      {AccessKind::Barrier, Space::Global, ElementType::Int, 1, 4, 10, 3, "k", "barrier(CLK_LOCAL_MEM_FENCE)"},
      {AccessKind::Load, Space::Global, ElementType::Float, 2, 8, 4, 10, "get", "p[1]"},
      {AccessKind::Store, Space::Global, ElementType::Float, 2, 8, 11, 3, "k", "x[2] = get(x)"},
  };
  REQUIRE(logged.accesses.begin.at(1) == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CAPTURE(i);
    const AccessSite one = site(i);
    CHECK(one.kind == expected[i].kind);
    CHECK(one.line == expected[i].line);
    CHECK(one.column == expected[i].column);
    CHECK(one.function == expected[i].function);
    CHECK(one.text == expected[i].text);
    CHECK(one.source == 0);
    if (!touches_memory(one.kind)) continue;
    CHECK(one.space == expected[i].space);
    CHECK(one.type == expected[i].type);
    CHECK(one.components == expected[i].components);
    CHECK(one.chunk == expected[i].chunk);
  }
}
