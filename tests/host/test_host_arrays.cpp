// Arrays of a work-item's own on the host executor: elements that are read before they are written are in the log, and nothing else of
// such arrays is. And where a source declares them.
#include "runtimes/logged_kernel.h"
#include "tracer/host/host_compiler.h"
#include "tracer/source/array_declarations.h"

#include <doctest.h>

#include <set>
#include <string>
#include <tuple>

using namespace twiddle;

namespace {

// Clang does not tell of all accesses to such arrays, and then they are not followed.
bool follows_arrays() {
  const bool follows = !find_host_compiler().clang;
  if (!follows) MESSAGE("this compiler does not tell of all accesses");
  return follows;
}

// What the log has of private memory, "r+12:6" for the element at byte 12 of r in line 6; the kernel is given x = {1 … 8}, y = 8
// zeros and n = 4.
std::string unwritten_in(const std::string& text) {
  LoggedKernel kernel(text);
  std::vector<int> x(8), y(8);
  for (int i = 0; i < 8; ++i) x[static_cast<std::size_t>(i)] = i + 1;
  kernel.buffer<int>("x", x);
  kernel.buffer<int>("y", y);
  kernel.scalar(4);
  const RawAccesses raw = kernel.run(4, 2);
  if (!find_host_compiler().clang) CHECK(raw.unlogged.empty());
  std::set<std::tuple<std::string, std::uint64_t, int>> found;
  for (std::uint64_t item = 0; item < 4; ++item) {
    const std::vector<Made> list = kernel.of(raw, item);
    for (std::size_t k = 0; k < list.size(); ++k) {
      const AccessSite& site = raw.sites.at(raw.site[raw.begin[item] + k]);
      if (site.space != Space::Private) continue;
      CHECK(site.kind == AccessKind::Load);
      found.emplace(list[k].memory, list[k].offset, site.line);
    }
  }
  std::string said;
  for (const auto& [array, offset, line] : found)
    said += (said.empty() ? "" : " ") + array + "+" + std::to_string(offset) + ":" + std::to_string(line);
  return said;
}

constexpr const char* array_head =
    "extern \"C\" __global__ void f(const int *x, int *y, int n) {\n  int g = threadIdx.x + 2 * blockIdx.x;\n";

std::string spoken(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name + " ";
  return text;
}

struct ArrayCase {
  const char* body;
  const char* expected;
};

}  // namespace

TEST_CASE("host arrays: elements that are read before they are written, with their lines") {
  if (!follows_arrays()) return;
  for (const ArrayCase& one : {
           ArrayCase{"  int r[4];\n  for (int i = 0; i < n - 1; ++i) r[i] = x[i];\n  int s = 0;\n"
                     "  for (int i = 0; i < n; ++i) s += r[i] == 12345;\n  y[g] = s;\n",
                     "r+12:6"},
           ArrayCase{"  int r[4], *p = r;\n  r[g] = 1;\n  if (p[(g + 1) % 4] == 12345) y[g] = 1;\n",
                     "r+0:5 r+4:5 r+8:5 r+12:5"},
           ArrayCase{"  float2 r[2];\n  r[0].x = 1; r[0].y = 2;\n  if (r[x[0]].x == 12345) y[g] = 1;\n", "r+8:5"},
           ArrayCase{
               "  int a[2][3];\n  for (int i = 0; i < 3; ++i) a[0][i] = x[i];\n  if (a[n / 4][2] == 12345) y[g] = 1;\n",
               "a+20:5"},
           // Of every turn's own array.
           ArrayCase{
               "  for (int i = 0; i < n; ++i) {\n    int r[2];\n    if (i == 0) r[1] = 5;\n    if (r[1] == 12345) "
               "y[g] = 1;\n"
               "  }\n",
               "r+4:6"},
           ArrayCase{
               "  switch (x[g]) {\n    case 1: int r[2]; r[0] = 1; y[g] = r[0]; break;\n    default: break;\n  }\n"
               "  volatile float t[3];\n  t[1] = 1;\n  if (t[n % 2] == 12345.f) y[g] = 1;\n",
               "t+0:9"},
       }) {
    CAPTURE(std::string(one.body));
    CHECK(unwritten_in(std::string(array_head) + one.body + "}\n") == one.expected);
  }
}

TEST_CASE("host arrays: of right kernels nothing is logged that is their items' own") {
  for (const char* const body : {
           // Reads that the program does not come to.
           "  int r[4], s = 0, i;\n  r[0] = x[g];\n  for (i = 0; i < n; ++i)\n    if (x[i] < 2) s += r[i];\n  y[g] = "
           "s;\n",
           "  int r[4];\n  r[0] = 1;\n  y[g] = g > 5 ? r[g & 3] : r[0];\n",
           "  int r[4], s = 0;\n  r[1] = x[g];\n  for (int i = 0; i < n; ++i) s += x[i] == 77 ? r[n - 1] : i;\n  y[g] "
           "= s + r[1];\n",
           "  int r[2];\n  if (x[g] > 2) r[0] = 3;\n  int k = x[g];\n  y[g] = k > 2 ? r[0] : k;\n",
           // Written by loops that a compiler would call memset or memcpy for, by vectors, by pointers, by parts.
           "  int r[64], s = 0;\n  for (int i = 0; i < 64; ++i) r[i] = 0;\n  r[g] += x[g];\n"
           "  for (int i = 0; i < 64; ++i) s += r[i];\n  y[g] = s;\n",
           "  int r[8], s = 0;\n  for (int i = 0; i < 8; ++i) r[i] = x[i];\n  for (int i = 7; i > 0; --i) r[i] += r[i "
           "- 1];\n"
           "  for (int i = 0; i < 8; ++i) s ^= r[i];\n  y[g] = s;\n",
           "  alignas(16) int r[8];\n  reinterpret_cast<int4 *>(r)[0] = make_int4(1, 2, 3, 4);\n"
           "  *(int4 *)(r + 4) = *(const int4 *)x;\n  y[g] = r[g] + r[7 - g];\n",
           "  float2 r[2];\n  r[0].x = 1;\n  r[1] = r[0];\n  y[g] = (int)r[1].x;\n",
           "  unsigned char c[16];\n  for (unsigned char *p = c; p != c + 16; ++p) *p = 0;\n  ++c[x[g] & 15];\n"
           "  int s = 0;\n  for (int b = 0; b < 16; ++b) s += c[b];\n  y[g] = s;\n",
           "  float s[2];\n  sincosf(x[g], &s[0], &s[1]);\n  y[g] = (int)(s[0] * s[0] + s[1] * s[1] + 0.5f);\n",
           "  float s[2];\n  int e[2];\n  s[0] = frexpf((float)x[g], e);\n  s[1] = modff(2.5f * x[g], &s[0]);\n"
           "  y[g] = (int)(4 * s[1]) + (int)s[0] + e[0];\n",
           // Arrays that end, and others in their place.
           "  for (int i = 0; i < n; ++i) {\n    int r[3];\n    r[i % 3] = i;\n    y[g] += r[i % 3];\n  }\n"
           "  {\n    int q[3];\n    q[2] = 7;\n    y[g] += q[2];\n  }\n",
           "  int i = 0;\nagain:\n  int r[2];\n  r[i & 1] = i;\n  y[g] += r[i & 1];\n  if (++i < n) goto again;\n",
           "  auto add = [&](int k) {\n    int t[2];\n    t[0] = k;\n    t[1] = t[0] + x[g];\n    return t[1];\n  };\n "
           " y[g] = add(3);\n",
           // A pointer, values: those are not followed.
           "  typedef int row[2];\n  row r;\n  r[0] = 1;\n  const int *q[2];\n  q[0] = x;\n  int v[2] = {1, 2};\n  "
           "y[g] = r[0] + q[0][g] + v[1];\n",
       }) {
    CAPTURE(std::string(body));
    CHECK(unwritten_in(std::string(array_head) + body + "}\n") == "");
  }
}

TEST_CASE("host arrays: in helpers, by reference, recursively, in templates and where they cannot be announced") {
  if (!follows_arrays()) return;
  CHECK(unwritten_in(
            "__device__ void put(int *r, int n) { for (int i = 0; i < n; ++i) r[i] = i; }\n"
            "template <int N> __device__ int sum(const int (&r)[N]) { int s = 0; for (int v : r) s += v; return s; }\n"
            "__device__ int deep(int n) { int r[2]; r[0] = n; if (n > 0) r[0] += deep(n - 1); return r[0]; }\n"
            "template <class T> __device__ T twice(T v) { T r[2]; r[1] = v; return r[1] + r[1]; }\n"
            "__device__ constexpr int fixed(int k) { return 3 * k; }\n" +
            std::string(array_head) +
            "  int r[4];\n  put(r, n);\n  y[g] = sum(r) + deep(3) + twice(2) + int(twice(1.5f)) + fixed(2);\n}\n") ==
        "");
  // Three of four were put, and the sum takes all.
  CHECK(unwritten_in("__device__ void put(int *r, int n) { for (int i = 0; i < n; ++i) r[i] = i; }\n"
                     "__device__ bool odd(const int *r, int n) { int s = 0;\n  for (int i = 0; i < n; ++i) s += r[i];\n"
                     "  return s == 12345; }\n" +
                     std::string(array_head) + "  int r[4];\n  put(r, 3);\n  if (odd(r, 4)) y[g] = 1;\n}\n") ==
        "r+12:3");
}

TEST_CASE("host arrays: of a typedef's type they are followed, and of structures it is said that they are not") {
  if (!follows_arrays()) return;
  CHECK(unwritten_in("typedef int Row[3];\n" + std::string(array_head) +
                     "  Row r;\n  r[0] = 1;\n  y[g] = r[n - 2];\n}\n") == "r+8:6");
  CHECK(unwritten_in("using Row = int[3];\n" + std::string(array_head) +
                     "  Row r[2];\n  r[0][0] = 1;\n  y[g] = r[n - 3][0];\n}\n") == "r+12:6");
  for (const std::string body :
       {"  struct Pair { int a[2]; } p;\n  p.a[1] = 1;\n  y[g] = p.a[1];\n",
        "  struct Pair { int a[2]; };\n  Pair p[2], q;\n  p[0].a[1] = 1;\n  q = p[0];\n  y[g] = q.a[1];\n",
        "  typedef struct { int a[2], b; } Pair;\n  Pair p;\n  p.a[1] = 1;\n  y[g] = p.a[1];\n"}) {
    CAPTURE(body);
    LoggedKernel kernel(array_head + body + "}\n");
    kernel.buffer<int>("x", std::vector<int>(8));
    kernel.buffer<int>("y", std::vector<int>(8));
    kernel.scalar(4);
    const RawAccesses raw = kernel.run(4, 2);
    REQUIRE(raw.unlogged.size() == 1);
    CHECK(raw.unlogged[0].what.english() ==
          "arrays within structures that work-items have to themselves are not followed");
  }
}

TEST_CASE("declarations of arrays without a value, by their words") {
  struct DeclaredArrays {
    const char* text;
    std::vector<std::string> names;
  };
  for (const DeclaredArrays& one : {
           DeclaredArrays{"void f() { float r[4]; }", {"r"}},
           DeclaredArrays{"void f() { unsigned long long r[4], s, t[2][n + 1], u[3] = f(1, 2); }", {"r", "t"}},
           DeclaredArrays{"void f() { std::complex<float> v[N]; ns::vec<a, 3> w[2]; }", {"v", "w"}},
           DeclaredArrays{"void f() { alignas(16) volatile int r[2] __attribute__((unused)); }", {"r"}},
           DeclaredArrays{"void f(int x) { switch (x) { case 1: int r[2]; break; default: { char c[3]; } } int d[2]; }",
                          {"c", "d"}},
           DeclaredArrays{"void f() { top: float r[2]; }", {"r"}},
           DeclaredArrays{"namespace a { extern \"C\" { void f() { auto g = [&](int k) { int t[2]; }; } } }", {"t"}},
           DeclaredArrays{"struct S { int a[2]; void f() const { int b[2]; } };", {"b"}},
           DeclaredArrays{"struct S f() { int a[2]; }", {"a"}},
           DeclaredArrays{"template <class T> struct S : B<T> { T a[2]; };", {}},
           DeclaredArrays{"float r[4]; namespace n { float q[2]; }", {}},
           DeclaredArrays{"extern \"C\" __attribute__((visibility(\"default\"))) void f(int *x) { int r[4]; }", {"r"}},
           DeclaredArrays{"void f() { return x[3]; }", {}},
           DeclaredArrays{
               "void f() { r[3]; s.t[2]; p->q[1]; a * b[3]; a & b[3]; x = y[3]; delete p[3]; i < a[3]; f<a>(b)[2]; }",
               {}},
           DeclaredArrays{
               "void f() { static float r[4]; const float s[2] = {}; extern float t[3]; typedef float v[4]; }", {}},
           DeclaredArrays{"void f() { __shared__ float r[4]; float *p[2]; float (*q)[2]; int& s = t[2]; }", {}},
           DeclaredArrays{"void f() { for (int i = 0, r = a[2]; i < b[3]; ++i) c[i]; if (a) float_type r; else q[2]; }",
                          {}},
           DeclaredArrays{"void f() { struct { int a[2]; } s; union U { int b[2]; } u; enum { A, B }; int c[2]; }",
                          {"c"}},
           DeclaredArrays{"void f() { S s = {1, {2}}; int c[2]; g({1, 2}); int d[2]; }", {"c", "d"}},
           DeclaredArrays{"typedef float row[4]; void f() { row r, *p, s = u; volatile row t; row(u); }", {"r", "t"}},
           DeclaredArrays{"void f() { using row = float[2][2]; row r[3]; typedef ns::a<int> b[2]; b c; }", {"r", "c"}},
           DeclaredArrays{"typedef int word; struct S { int a[2]; }; void f() { word w; S s, t[2]; }", {}},
           DeclaredArrays{"}}}} float r[2", {}},
       }) {
    CAPTURE(std::string(one.text));
    const std::vector<Token> tokens = tokenize(one.text);
    std::vector<std::string> names;
    for (const ArrayDeclaration& declaration : array_declarations(tokens)) {
      CHECK(tokens.at(declaration.end).is(";"));
      for (const std::size_t name : declaration.names) names.emplace_back(tokens.at(name).text);
    }
    CHECK(spoken(names) == spoken(one.names));
  }
}
