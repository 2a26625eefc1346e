// Every load, store, atomic operation and barrier of OpenCL kernels, against what the kernels' text says.
#include "base/temporary_folder.h"
#include "base/version.h"
#include "environment.h"
#include "logged_kernel.h"
#include "test_support.h"
#include "tracer/opencl/twin/opencl_rewriter.h"

#include <doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

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
     "kernel void k(global int *x) { global int *p = x + 2 * get_global_id(0); int a = *p++; p += 7; *p = a; *--p = a "
     "+ "
     "1; }",
     1, "load x+8=2; store x+40=2; store x+36=3"},
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
    {"the bits of a value as another type",
     "kernel void k(global int *x) { int i = get_global_id(0); uchar4 c = as_uchar4(x[i]); x[i + 4] = as_int(c.wzyx); "
     "}",
     1, "load x+4=1; store x+20=1000000"},
    {"the bits of a vector as a number, of a component, and of what a helper reads",
     "uint of(global int2 *p) { return as_uint(p->y); }\n"
     "kernel void k(global int2 *x) { int i = get_global_id(0); x[i + 4] = as_int2(as_long(x[i])); x[i + 8].x = "
     "as_int((uchar4)(1, 0, 0, 0)) + of(x + i); }",
     1,
     "load x+8=300000002; store x+40=300000002; load x+12=3; store x+72=4",
     {32}},
    {"the bits of what is in local memory and in a private array",
     "kernel void k(global int *x) { local int2 t[4]; int l = get_local_id(0); t[l] = (int2)(l, 7); "
     "barrier(CLK_LOCAL_MEM_FENCE); int2 own[2]; own[l & 1] = as_int2(as_long(t[3 - l])); x[l] = as_int2(own[l & "
     "1]).x; }",
     1,
     "store t+8=700000001; barrier=1; load t+16=700000002; store own+8=700000002; load own+8=700000002; store x+4=2"},
    {"vectors", "kernel void k(global int4 *x) { int i = get_global_id(0); int4 v = x[i]; x[i] = v + 1; }", 1,
     "load x+16=500000004; load x+24=700000006; store x+16=600000005; store x+24=800000007"},
    {"components", "kernel void k(global int4 *x) { int i = get_global_id(0); x[i].y = x[i].w + x[i].s0; }", 1,
     "load x+28=7; load x+16=4; store x+20=b"},
    {"several components",
     "kernel void k(global int4 *x) { int i = get_global_id(0); x[i].xw = x[i].zy; x->hi.x += 0; }", 1,
     "load x+24=6; load x+20=5; store x+16=6; store x+28=5; load x+8=2; store x+8=2"},
    {"a component by number",
     "kernel void k(global int4 *x) { int i = get_global_id(0); x[i][i] = x[i][(i + 3) % 4] + 1; x[0][3 - i]++; }", 1,
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
     "kernel void k(global int *x) { int i = get_global_id(0); if (i > 1) return; x[i] = 7; if (i) return; x[i + 4] = "
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
     "kernel void part(global int *x, int i) { x[i] = 1; }\n"
     "kernel void k(global int *x) { int i = get_global_id(0); x[i + 4] = 2; part(x, i); x[i + 8] = 3; }",
     2, "store x+24=2; store x+8=1; store x+40=3"},
    {"functions with a second result",
     "kernel void k(global float *x) { int i = get_global_id(0); x[i + 4] = fract(1.5f, x + i); }", 1,
     "store x+4=3f800000; store x+20=3f000000"},
    {"private arrays that the item indexes",
     "kernel void k(global int *x) { int i = get_global_id(0); int a[4]; for (int j = 0; j < 2; ++j) a[j] = x[i + j]; "
     "x[i] = a[i % 2] + a[1]; }",
     1, "load x+4=1; store a+0=1; load x+8=2; store a+4=2; load a+4=2; load a+4=2; store x+4=4"},
    {"private arrays that are but numbers with numbers",
     "kernel void k(global int *x) { int i = get_global_id(0); int a[2]; a[0] = x[i]; a[1] = 5; x[i] = a[0] + a[1]; }",
     3, "load x+12=3; store x+12=8"},
    {"private tables",
     "kernel void k(global int *x) { int i = get_global_id(0); const int rev[4] = {3, 2, 1, 0}; x[i] = rev[i]; }", 1,
     "load rev+4=2; store x+4=2"},
    {"private arrays through pointers; a number with an address is no array",
     "void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }\n"
     "kernel void k(global int *x) { int i = get_global_id(0); int v[2], w, other = 4; v[1] = 7; w = 9; swap(v + 1, "
     "&w); "
     "int *p = &other; x[i] = v[1] * 10 + w + *p; }",
     0, "store v+4=7; load v+4=7; store v+4=9; load v+4=9; store x+0=65"},
    {"numbers with addresses that no array's pointer points to",
     "void set(int *a) { *a = 3; }\nkernel void k(global int *x) { int v; set(&v); x[get_global_id(0)] = v; }", 1,
     "store x+4=3"},
    {"arrays in private structs",
     "typedef struct { int n; int v[3]; } S;\n"
     "int sum(S s) { int all = 0; for (int j = 0; j < s.n; ++j) all += s.v[j]; return all; }\n"
     "kernel void k(global int *x) { S s; s.n = 1; s.v[0] = 6; x[get_global_id(0)] = sum(s); }",
     1, "load s+0=1; load s+4=6; load s+0=1; store x+4=6"},
    {"private memory through builtin functions",
     "kernel void k(global int *x) { int i = get_global_id(0); int a[4]; vstore4(vload4(i, x), 0, a); x[i] = vload2(0, "
     "a + i % 2).y; }",
     1,
     "load x+16=500000004; load x+24=700000006; store a+0=500000004; store a+8=700000006; load a+4=600000005; store "
     "x+4=6"},
};

}  // namespace

TEST_CASE("kernels' accesses are logged one by one, and their results stay bit for bit the same") {
  Runtime* runtime = opencl();
  if (!runtime) return;
  for (const Case& one : cases) {
    CAPTURE(std::string(one.name));
    KernelToLog kernel;
    kernel.text = one.text;
    kernel.buffers = one.buffers;
    kernel.local_bytes = one.local_bytes;
    const RewrittenKernel logged = log_kernel(*runtime, kernel);
    CHECK(logged.why_not.english() == "");
    if (!logged.why_not.empty()) continue;
    CHECK(logged.same_bits);
    CHECK(logged.accesses.lost == 0);
    CHECK(logged.accesses.unlogged.empty());
    CHECK(accesses_of(logged.accesses, one.item) == std::string(one.accesses));
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
  const RewrittenKernel logged = log_kernel(*runtime, kernel);
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
      {AccessKind::Load, Space::Global, ElementType::Float, 1, 4, 9, 10, "k", "SQUARE(x[0].y)"},
      {AccessKind::Load, Space::Global, ElementType::Float, 1, 4, 9, 10, "k", "SQUARE(x[0].y)"},
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

namespace {

const char* short_name(MemoryOrder order) {
  constexpr const char* names[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  return names[static_cast<int>(order)];
}

const char* short_name(MemoryScope scope) {
  constexpr const char* names[] = {"item", "sub_group", "group", "device", "system"};
  return names[static_cast<int>(scope)];
}

// "atomic-load global acquire device; …" of all places of a program, in the order of its text.
std::string places_of(const Twin& twin) {
  std::string text;
  for (const TwinSite& site : twin.sites) {
    if (site.use != TwinSite::Use::Access) continue;
    if (!text.empty()) text += "; ";
    text += word_of(site.site.kind);
    if (touches_memory(site.site.kind)) text += site.generic ? " generic" : " " + std::string(name_of(site.site.space));
    if (!is_atomic(site.site.kind) && touches_memory(site.site.kind)) continue;
    text += std::string(" ") + short_name(site.site.order) + " " + short_name(site.site.scope);
  }
  return text;
}

RewriterTarget opencl_2() {
  RewriterTarget target;
  target.extensions = {"cl_khr_int64_base_atomics", "cl_khr_subgroups", "cl_khr_fp64", "cl_khr_depth_images"};
  target.options = {"-cl-std=CL2.0"};
  return target;
}

}  // namespace

TEST_CASE("OpenCL 2: C11's atomics, generic pointers, functions of groups") {
  struct Program {
    const char* text;
    const char* places;
  };
  const Program programs[] = {
      {"kernel void k(global atomic_uint *u) { atomic_fetch_add_explicit(u, 2u, memory_order_relaxed, "
       "memory_scope_device); }",
       "atomic-load generic relaxed device; atomic-store generic relaxed device"},
      {"kernel void k(global atomic_int *a, local atomic_int *b) { atomic_store_explicit(a, 1, memory_order_release, "
       "memory_scope_work_group); int v = atomic_load_explicit(b, memory_order_acquire, memory_scope_work_group); "
       "atomic_exchange(a, v); }",
       "atomic-store generic release group; atomic-load generic acquire group; atomic-load generic seq_cst device; "
       "atomic-store generic seq_cst device"},
      {"kernel void k(global atomic_int *a) { int e = 1; atomic_compare_exchange_strong_explicit(a, &e, 2, "
       "memory_order_acq_rel, memory_order_relaxed, memory_scope_all_svm_devices); }",
       "atomic-load generic acq_rel system; atomic-store generic acq_rel system"},
      {"int get(int *p) { return p[1]; }\nkernel void k(global int *x) { local int t[2]; t[1] = get(x); x[0] = get(t); "
       "}",
       "load generic; store local; store global"},
      {"global int counter = 3;\nkernel void k(global int *x) { x[0] = counter; }", "store global; load global"},
      {"kernel void k(global int *x) { work_group_barrier(CLK_LOCAL_MEM_FENCE); "
       "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device); "
       "sub_group_barrier(CLK_LOCAL_MEM_FENCE); x[0] = work_group_reduce_add(x[1]) + sub_group_broadcast(1, 0); }",
       "barrier acq_rel group; fence release device; barrier acq_rel sub_group; store global; exchange relaxed group; "
       "load global; exchange relaxed sub_group"},
  };
  if (rewriter_program().empty()) return;
  for (const Program& one : programs) {
    CAPTURE(std::string(one.text));
    Twin twin;
    CHECK(sentence_of([&] { twin = rewrite_opencl({"mine.cl", one.text, {}}, opencl_2()); }) == "nothing was thrown");
    CHECK(places_of(twin) == std::string(one.places));
    CHECK(twin.unlogged.empty());
  }
}

TEST_CASE("what cannot be logged is listed with its line") {
  if (rewriter_program().empty()) return;
  const std::string text =
      "kernel void k(read_only image2d_depth_t in, sampler_t s, global float *x)\n{\n  x[0] = read_imagef(in, s, "
      "(int2)(0));\n}\n";
  const Twin twin = rewrite_opencl({"mine.cl", text, {}}, opencl_2());
  CHECK(places_of(twin) == "store global");
  REQUIRE(twin.unlogged.size() == 1);
  CHECK(twin.unlogged[0].line == 3);
  CHECK(twin.unlogged[0].what == "what read_imagef() does with an image of this kind is not logged");
}

TEST_CASE("what cannot be logged is of the kernels that do it, in functions that they call, too") {
  if (rewriter_program().empty()) return;
  const std::string text =
      "typedef struct Node { global struct Node *next; float v; } Node;\n"
      "float first(global Node *n);\n"
      "kernel void follow(global Node *n, global float *x) { x[0] = first(n); }\n"
      "kernel void leave(global float *x, float v);\n"
      "kernel void both(global Node *n, global float *x) { follow(n, x); leave(x + 1, 1); }\n"
      "float second(global Node *n) { return n->next->v; }\n"
      "float first(global Node *n) { return n->v > 1 ? second(n) : n->v; }\n"
      "float other(float v) { return v * 2; }\n"
      "kernel void leave(global float *x, float v) { x[0] = other(v); }\n";
  const Twin twin = rewrite_opencl({"mine.cl", text, {}}, opencl_2());
  REQUIRE(twin.unlogged.size() == 1);
  CHECK(twin.unlogged[0].line == 6);
  CHECK(twin.unlogged[0].function == "second");
  std::map<std::string, std::set<std::string>> functions;
  for (const TwinKernel& kernel : twin.kernels) functions[kernel.name] = kernel.functions;
  CHECK(functions ==
        std::map<std::string, std::set<std::string>>{{"follow", {"first", "follow", "second"}},
                                                     {"both", {"both", "first", "follow", "leave", "other", "second"}},
                                                     {"leave", {"leave", "other"}}});
}

TEST_CASE("which kernels floating values lead: to other memory, more turns, another side of an if") {
  if (rewriter_program().empty()) return;
  const std::string take = "global float *x, global int *n, int i";
  struct Body {
    const char* text;
    bool led;
  };
  const Body bodies[] = {
      {"x[i] = x[i + 1] * 2 + sin(x[i]);", false},
      {"x[n[i]] = n[i] > 3 ? x[0] : 1.0f; for (int j = 0; j < n[0]; ++j) x[j] += fmax(x[i], 0.5f);", false},
      {"vstore4(vload4(i, x).wzyx * 0.5f, i, x); global float2 *z = (global float2 *)x; z[i] = z[i + 1].yx;", false},
      {"float8 v = (float8)(x[i]); x[i] = dot(v.lo, v.hi) + length(v.s01) + (float)n[i] + as_float(n[i]);", false},
      {"x[i] = mad24(n[i], 3, 4) + select(x[i], x[i + 1], n[i]);", false},
      {"union { uint u; int i; } u; u.u = n[i]; x[u.i] = 1;", false},
      {"x[(int)x[i]] = 1;", true},
      {"int j = x[i]; x[j] = 1;", true},
      {"n[i] = convert_int_rte(x[i]);", true},
      {"n[i] = as_int(x[i]);", true},
      {"global int *bits = (global int *)x; n[bits[i]] = 1;", true},
      {"union { float f; int i; } u; u.f = x[i]; n[u.i] = 1;", true},
      {"if (x[i] > 0) x[i] = 1;", true},
      {"if (x[i]) x[i + 1] = 1;", true},
      {"while (x[i] < 9) x[i] += 1;", true},
      {"for (float t = 0; t < 1; t += x[i]) n[i]++;", true},
      {"x[i] = x[i] > 0 ? 1 : 2;", true},
      {"x[i] = !x[i];", true},
      {"x[i] = n[i] && x[i];", true},
      {"x[i] = isnan(x[i]) ? 0 : x[i];", true},
      {"int e; x[i] = frexp(x[i], &e); n[e] = 1;", true},
      {"float2 v = vload2(i, x); int2 less = v < v.yx; n[i] = less.x;", true},
  };
  for (const Body& one : bodies) {
    CAPTURE(std::string(one.text));
    const std::string text = "void help(" + take + ") { " + one.text + " }\nvoid other(" + take +
                             ") { help(x, n, i); }\nkernel void direct(" + take + ") { " + one.text +
                             " }\nkernel void through(" + take + ") { other(x, n, i); }\nkernel void free_of_it(" +
                             take + ") { x[i] = 0; }\n";
    const Twin twin = rewrite_opencl({"mine.cl", text, {}}, {});
    REQUIRE(twin.kernels.size() == 3);
    CHECK(twin.kernels[0].led == one.led);
    CHECK(twin.kernels[1].led == one.led);
    CHECK(!twin.kernels[2].led);
  }
}

TEST_CASE("a program that cannot be rewritten gets one sentence") {
  if (rewriter_program().empty()) return;
  const auto sentence = [](const std::string& text, const RewriterTarget& target) {
    return sentence_of([&] { rewrite_opencl({"mine.cl", text, {}}, target); });
  };
  const std::string undeclared = sentence("kernel void k(global int *x)\n{\n  x[0] = y;\n}\n", {});
  CHECK_MESSAGE(contains(undeclared, "mine.cl cannot be compiled by clang (mine.cl:3:"), undeclared);
  CHECK_MESSAGE(contains(undeclared, ": error: use of undeclared identifier 'y')"), undeclared);
  CHECK(sentence("#include \"nowhere.h\"\n", {}) ==
        "mine.cl cannot be preprocessed by clang (mine.cl:1:10: fatal error: 'nowhere.h' file not found)");
  CHECK(sentence("kernel void k(global int *x)\n{\n  ndrange_t n = ndrange_1D(1);\n"
                 "  enqueue_kernel(get_default_queue(), 0, n, ^{ x[0] = 1; });\n}\n",
                 opencl_2()) == "mine.cl cannot be logged: line 4 starts kernels from a kernel");
}

TEST_CASE("a rewriter that is not there, crashes or writes nonsense is one sentence, and the kernel still runs") {
  Runtime* runtime = opencl();
  if (!runtime) return;
  const TemporaryFolder folder;
  const auto script = [&](const char* name, const std::string& lines) {
    const std::filesystem::path file = folder.path() / name;
    std::ofstream(file) << "#!/bin/sh\n" << lines;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file.string();
  };
  struct Broken {
    std::string program, sentence;
  };
  const std::string version = "\"version\":\"" + std::string(program_version) + "\",";
  const Broken all[] = {
      {"/nowhere/rewriter", "TWIDDLE_REWRITER names /nowhere/rewriter, which is no program"},
      {script("crashes", "kill -SEGV $$\n"),
       "mine.cl cannot be rewritten to log its accesses: crashes ended with code 139"},
      {script("fails", "echo 'not a good day' >&2\nexit 7\n"),
       "mine.cl cannot be rewritten to log its accesses: fails ended with code 7"},
      {script("nonsense", "echo '{" + version + "\"sites\":[{}]}' >\"$6\"\n: >\"$4\"\n"),
       "what nonsense wrote cannot be read"},
      {script("older", "echo '{\"sites\":[]}' >\"$6\"\n: >\"$4\"\n"),
       "/older is of an older version than this program, " + std::string(program_version) +
           ": install or build both anew"},
      {script("newer", "echo '{\"version\":\"99.5.0\"}' >\"$6\"\n: >\"$4\"\n"),
       "/newer is of version 99.5.0 and this program of " + std::string(program_version)},
      {script("no-program",
              "echo '{" + version +
                  "\"sites\":[],\"variables\":[],\"kernels\":[],\"unlogged\":[],\"files\":[],\"tested\":[],"
                  "\"bases\":0,\"group_bases\":0}' >\"$6\"\necho 'this is no program' >\"$4\"\n"),
       "mine.cl does not compile any more when it logs its accesses"},
  };
  for (const Broken& one : all) {
    CAPTURE(one.program);
    const Environment set("TWIDDLE_REWRITER", one.program.c_str());
    KernelToLog kernel;
    kernel.text = "kernel void k(global int *x) { x[get_global_id(0)] = 1; }";
    const RewrittenKernel logged = log_kernel(*runtime, kernel);
    CHECK(contains(logged.why_not, one.sentence));
  }
}

TEST_CASE("windows of items, logs without room, and launches that differ from one to the next") {
  Runtime* runtime = opencl();
  if (!runtime) return;
  KernelToLog kernel;
  kernel.text =
      "kernel void k(global int *x) { int i = get_global_id(0); int s = 0; for (int j = 0; j < i; ++j) s += x[j]; x[i] "
      "= s; }";
  kernel.global = 256;
  kernel.local = 32;
  kernel.buffers = {256};
  // The loads race with stores, but each item makes as many.
  const std::uint64_t all = 256 * 255 / 2 + 256;
  const RewrittenKernel whole = log_kernel(*runtime, kernel);
  REQUIRE(whole.why_not.english() == "");
  CHECK(whole.accesses.begin.size() == 257);
  CHECK(whole.accesses.attempted == all);
  CHECK(whole.accesses.lost == 0);
  for (std::uint64_t i = 0; i < 256; ++i) CHECK(whole.accesses.begin[i + 1] - whole.accesses.begin[i] == i + 1);

  const RewrittenKernel window = log_kernel(*runtime, kernel, {37, 50});
  CHECK(window.accesses.first_item == 37);
  REQUIRE(window.accesses.begin.size() == 51);
  CHECK(window.accesses.begin[50] == 50 * (38 + 87) / 2);
  CHECK(window.accesses.lost == 0);
  CHECK(log_kernel(*runtime, kernel, {250, 50}).accesses.begin.size() == 7);

  const RewrittenKernel small = log_kernel(*runtime, kernel, {0, 256, 40000});
  CHECK(small.accesses.attempted == all);
  CHECK(small.accesses.lost > 0);
  CHECK(small.accesses.lost + small.accesses.site.size() == all);
  CHECK(accesses_of(small.accesses, 0) == "store x+0=0");
}
