// The changes that a search tries: for each kind a mistake as people make it, and the change that takes it back.
#include "tracer/repair/edits/edits.h"
#include "tracer/repair/schema.h"

#include <doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

using namespace twiddle;

namespace {

struct Mistake {
  std::string kind, before, wrong, right;  // the wrong text and the right one, behind what is before it
};

const std::vector<Mistake> mistakes{
    {"both signs of a value", "kernel void f(global float2 *x, float2 z) {", "x[0] = (float2)(-z.y, z.x);",
     "x[0] = (float2)(z.y, -z.x);"},
    {"a complex value among others that is to be multiplied by −i",
     "kernel void f(global float4 *x, float2 a, float2 b) {", "x[0] = (float4)(a, b.x, b.y);",
     "x[0] = (float4)(a, b.y, -b.x);"},
    {"both differences of a value", "kernel void f(global float2 *x, float2 a, float2 b) {",
     "x[0] = (float2)(a.x - b.x, a.y - b.y);", "x[0] = (float2)(b.x - a.x, b.y - a.y);"},
    {"an index of two statements", "kernel void f(global float *o, global float *re, global float *im, int r, int c) {",
     "*o++ = re[4 * c + r]; *o++ = im[4 * c + r];", "*o++ = re[4 * r + c]; *o++ = im[4 * r + c];"},
    {"two signs of a macro's statements", "", "#define B(a) RE[a] = r1 - i3; IM[a] = i1 + r3\n",
     "#define B(a) RE[a] = r1 + i3; IM[a] = i1 - r3\n"},
    {"two numbers exchanged", "kernel void f(global float *x, int i, int j) {", "x[0] = x[(3 * i + 5 * j) % 15];",
     "x[0] = x[(5 * i + 3 * j) % 15];"},
    {"what two statements write exchanged", "kernel void f(global float *x, int q, float a, float b) {",
     "x[2 * q] = a + b; x[q] = a - b;", "x[q] = a + b; x[2 * q] = a - b;"},
    {"both comparisons the wrong way", "int f(int a, int b) {", "if (a < b) return a; if (b < a) return b;",
     "if (a > b) return a; if (b > a) return b;"},
    {"a statement unlike its neighbours", "kernel void f(float4 v, float top) {",
     "v.z = exp(v.z - top); v.w = exp(v.w);", "v.z = exp(v.z - top); v.w = exp(v.w - top);"},
    {"done too early", "kernel void f(global float *x, float a) {", "x[0] += a; x[1] = x[0] - a; x[2] = x[0];",
     "x[1] = x[0] - a; x[2] = x[0]; x[0] += a;"},
    {"a modulus left out", "kernel void f(global float *x, int k, int m) {", "x[0] = x[m - k];",
     "x[0] = x[(m - k) % m];"},
    {"below zero before a modulus", "kernel void f(global uint *x, uint u, uint v, uint q) {", "x[0] = (u - v) % q;",
     "x[0] = (u + q - v) % q;"},
    {"rows and columns, and their number", "kernel void f(global float *x, int r, int c, int R, int C, float v) {",
     "x[r * C + c] = v;", "x[c * R + r] = v;"},
    {"a distance by its name", "kernel void f(global float *x, int b, int n, int stride, int dist, float v) {",
     "x[b * n * stride] = v;", "x[b * dist] = v;"},
    {"an index past its table", "kernel void f(global float *x, global int *col, int k) {", "x[0] = x[k];",
     "x[0] = x[col[k]];"},
    {"an expression of the same function", "kernel void f(global float *x, int n, int done, int radix) {",
     "int next = done * radix; x[next] = x[n];", "int next = done * radix; x[next] = x[done * radix];"},
    {"a guard left out", "kernel void f(global float *x, int i, int n) {", "if (i < n) x[i] = 0; x[i] = 1;",
     "if (i < n) x[i] = 0; if (i < n) x[i] = 1;"},
    {"a term left out", "kernel void f(global float *x, local float *l) {", "x[0] = l[0];", "x[0] = l[0] + l[1];"},
    {"both halves left out", "kernel void f(global float2 *x, float2 a) {", "x[0] = (float2)(a.x + a.y, a.y - a.x);",
     "x[0] = (float2)(0.5f * (a.x + a.y), 0.5f * (a.y - a.x));"},
    {"a product of too few bits", "kernel void f(global uint *x, uint a, uint b) {", "x[0] = a * b % 7;",
     "x[0] = (ulong)a * b % 7;"},
    {"what belongs within an index", "kernel void f(global int *x, global int *first, int r) {",
     "x[0] = first[r & 3] + 1;", "x[0] = first[(r & 3) + 1];"},
    {"a part of what is added", "kernel void f(global float *x, global float *y) {", "x[0] += *y;",
     "x[0] += 0.5f * *y;"},
    {"low bits that should be nought", "kernel void f(global float *x, int i, int s) {", "x[i >> s] = 0;",
     "x[(i >> s) << s] = 0;"},
    {"a division rounded down", "kernel void f(global float *x, int n, int size) {", "x[n / size] = 0;",
     "x[(n + size - 1) / size] = 0;"},
    {"a value that stays where a condition fails", "kernel void f(global int *x, global int *y, int i, int d) {",
     "if (i >= d) x[i] = y[i] + y[i - d];", "if (1) x[i] = (i >= d) ? y[i] + y[i - d] : y[i];"},
    {"the second half left out", "kernel void f(global float *x, local float *s, int t) {", "x[t] = s[t]; x[0] += 8;",
     "x[t] = s[t]; x[t + 8] = s[t + 8]; x[0] += 8;"},
    {"what was kept and never used left out",
     "kernel void f(global float *x, int n) { float carry = 0; for (int i = 0; i < n; i++) {",
     "float v = x[i]; x[i] = v; carry = v; }", "float v = x[i] + carry; x[i] = v; carry = v; }"},
    {"what was kept as a factor left out",
     "kernel void f(global int *x, int n) { int step = 2; for (int i = 0; i < n; i++) {", "x[i] = i; step = n; }",
     "x[i] = i * step; step = n; }"},
    {"what a sum begins with", "__global__ void f(float2 *x, const float2 *v) {",
     "float2 sum = make_float2(0.f, 0.f); x[1] = sum;", "float2 sum = v[0]; x[1] = sum;"},
    {"a quotient that is rounded down", "__global__ void f(float *x, int j, int n) {",
     "x[j] = cospif(2 * (j % n) / n);", "x[j] = cospif(2.0f * (j % n) / n);"},
    {"a quotient of two numbers that is rounded down", "kernel void f(global float *x, int j, int n) {",
     "x[j] = cos(6.2831853f * (j / n));", "x[j] = cos(6.2831853f * ((float)j / n));"},
    {"where a group's part begins", "#define ROWS 4\nkernel void f(global float *x) {", "x[get_group_id(0)] = 0;",
     "x[get_group_id(0) * ROWS] = 0;"},
    {"a group's place that is not turned", "__global__ void f(float *x, int n) {",
     "int i = blockIdx.x * 8 + threadIdx.x; int j = blockIdx.y * 8 + threadIdx.y; x[i * n + j] = 0;",
     "int i = blockIdx.y * 8 + threadIdx.x; int j = blockIdx.x * 8 + threadIdx.y; x[i * n + j] = 0;"},
    {"a group's place that is not turned, in OpenCL", "kernel void f(global float *x, int n) {",
     "int i = get_group_id(0) * 8; int j = get_group_id(1) * 8; x[i * n + j] = 0;",
     "int i = get_group_id(1) * 8; int j = get_group_id(0) * 8; x[i * n + j] = 0;"},
    {"a quotient of whole numbers among doubles", "__global__ void f(double *x, int j, int n) {",
     "x[j] = cospi(2 * (j % n) / n);", "x[j] = cospi(2.0 * (j % n) / n);"},
    {"the width of a shuffle left out", "__global__ void f(float *x, float v, int d) {",
     "v += __shfl_down_sync(0xffffffffu, v, d); x[0] = v;", "v += __shfl_down_sync(0xffffffffu, v, d, 8); x[0] = v;"},
    {"a reversal left out",
     "int turned(int i, int b) { return i ^ b; } kernel void f(global float *x, int i, int bits) {", "x[i] = 0;",
     "x[turned(i, bits)] = 0;"},
    {"a product to divide by", "kernel void f(global float *x, int n, int done, int radix) {",
     "x[0] = 1.0f / (float)n;", "x[0] = 1.0f / (float)(radix * done);"},
    {"a table that is read backwards", "kernel void f(global float *x, global float *h, float a) {",
     "for (int k = 0; k < 5; k++) a += x[k] * h[k];", "for (int k = 0; k < 5; k++) a += x[k] * h[5 - 1 - k];"},
    {"a mirrored half", "#define N 8\nkernel void f(global float *x, int k, float a) {", "a = x[k] - x[N / 2 + k];",
     "a = x[k] - x[N - 1 - k];"},
    {"a turn that is not counted", "kernel void f(global float *x, int first, int lane, int end, float a) {",
     "for (int i = first + lane; i < end; i += 8) a += x[first + lane];",
     "for (int i = first + lane; i < end; i += 8) a += x[i];"},
    {"a divisor's factor left out", "kernel void f(global float *x, int c, int k, int rows, int cols) {",
     "float co; x[0] = sincos(-2 * M_PI_F * (float)(c * k) / cols, &co);",
     "float co; x[0] = sincos(-2 * M_PI_F * (float)(c * k) / (cols * rows), &co);"},
    {"an edge that is one further in", "kernel void f(global float *x, int i, int n) {",
     "const bool fixed = i <= 0 || i >= n; if (fixed) x[i] = 0;",
     "const bool fixed = i <= 0 || i >= n - 1; if (fixed) x[i] = 0;"},
    {"a factor left out", "kernel void f(global float2 *x, float2 v, int n) {", "x[0] = v + v;", "x[0] = (v + v) / n;"},
    {"a struct's field", "struct F { int step; }; kernel void f(global float *x, struct F *f, int n) {",
     "int m = f->step; x[n + 1] = m;", "int m = f->step; x[n + f->step] = m;"},
    {"a factor of a field left out", "struct F { int step; }; kernel void f(global float *x, struct F *f) {",
     "x[f->step] = 0;", "x[2 * f->step] = 0;"},
    {"components in another order", "kernel void f(global uchar4 *x, uchar4 p) {", "x[0].xyz = p.xyz;",
     "x[0].xyz = p.zyx;"},
    {"what is beyond the last goes round", "kernel void f(global int *x, int b) {", "x[b & 7]++;", "x[min(b, 7)]++;"},
    {"the lower bits for the upper", "kernel void f(global int *x, int i, int s) {", "x[i & ((1 << s) - 1)] = 0;",
     "x[i & ~((1 << s) - 1)] = 0;"},
    {"a quotient that is not rounded", "kernel void f(global ushort4 *x, ushort4 s) {", "x[0] = s / (ushort)3;",
     "x[0] = (s + (ushort4)(1)) / (ushort)3;"},
    {"the first group for the last", "kernel void f(global int *x, int ticket) {", "if (ticket == 0) x[0] = 1;",
     "if (ticket == get_num_groups(0) - 1) x[0] = 1;"},
    {"the last term of a row", "kernel void f(global float *x, local float *t) {", "x[0] = t[0] + t[1] + t[2];",
     "x[0] = t[0] + t[1] + t[2] + t[3];"},
    {"rows and columns behind a pointer", "kernel void f(global float *v, int x, int y, int nx, int ny) {",
     "global float *p = v + x * ny + y;", "global float *p = v + y * nx + x;"},
    {"what a sum went on from", "kernel void f(global uint *p, local uint *s, int t) {",
     "uint before = p[0]; p[t] = s[t];", "uint before = p[0]; p[t] = before + s[t];"},
    {"a table's number for a remainder", "kernel void f(global float *x, global int *col, int j) {",
     "x[0] = x[j % 10];", "x[0] = x[col[j]];"},
    {"a guard by the item's number",
     "__global__ void f(float *x, float v) { const int t = threadIdx.x; for (int d = 1; d < 8; d *= 2)", "v += x[d];",
     "if (t >= d) v += x[d];"},
    {"which of equal keys comes first",
     "kernel void f(global float *x, float key, int n) { const int i = get_global_id(0); int r = 0; "
     "for (int k = 0; k < n; k++)",
     "r += (x[k] < key);", "r += (x[k] < key) || (x[k] == key && k < i);"},
    {"the last lane has no neighbour", "__global__ void f(int *x, int key) { const int lane = threadIdx.x & 31;",
     "x[0] = key != x[1];", "x[0] = lane == 31 || key != x[1];"},
    {"a step from nought", "kernel void f(global int *x, int p, int k) {", "int m = p * k; x[m] = 0;",
     "int m = p * (p + k); x[m] = 0;"},
    {"one function for even and odd turns",
     "int lower(int a) { return a; } int upper(int a) { return a + 1; } kernel void f(global int *x, int run) {",
     "x[0] = lower(x[1]);", "x[0] = (run & 1) ? upper(x[1]) : lower(x[1]);"},
    {"the other one of two values", "kernel void f(global int *v, int p, int q, int a) {", "v[1] = q;",
     "v[1] = q + p - a;"},
    {"the half of an exchange", "kernel void f(local float *t, int a, int b) {", "float k = t[a]; t[b] += k;",
     "float k = t[a]; t[a] = t[b]; t[b] += k;"},
    {"an item that is its own neighbour", "kernel void f(global int *x, int i, int n) {",
     "for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) n += x[i + dy + dx];",
     "for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) if (dy != 0 || dx != 0) n += x[i + dy + dx];"},
    {"what a reduction goes on from",
     "int f2(int a, int b) { return a + b; } kernel void f(local int *t, int i, int a) {", "t[i] = f2(a, t[i + 4]);",
     "t[i] = f2(t[i], t[i + 4]);"},
    {"the second of two", "kernel void f(global int *x, local int *l, int i) {", "x[i] = l[0];", "x[i] = l[0] + l[1];"},
    {"what goes round and is not mirrored", "kernel void f(global int *x, int i, int n) {", "int k = abs(i); x[k] = 0;",
     "int k = (i + n) % n; x[k] = 0;"},
    {"a carry left out", "__device__ unsigned f(unsigned lo, unsigned hi) {", "return hi + 0;",
     "return hi + (lo != 0);"},
    {"another way to round", "kernel void f(global int *x, float v) {", "x[0] = convert_int_rte(v);",
     "x[0] = convert_int_rtn(v);"},
};

// Words alone: brackets and spaces are not what a change is about.
std::string words_of(const std::string& text) {
  std::string words;
  for (const Lexeme& one : lexemes_of(text))
    if (!one.is("(") && !one.is(")")) words += std::string(one.text) + " ";
  return words;
}

// What the cheapest change of `source` costs that leaves `wanted` in it; 100: there is none.
double cost_in(const std::string& source, const std::string& wanted) {
  Syntax syntax;
  read_syntax(source, syntax);
  double least = 100;
  for (const SourceEdit& one : edits_of(syntax, 10000))
    if (applied(syntax, one).find(wanted) != std::string::npos) least = std::min(least, one.cost);
  return least;
}

}  // namespace

TEST_CASE("each kind of mistake has a change that takes it back") {
  for (const Mistake& one : mistakes) {
    CAPTURE(one.kind);
    const std::string end = one.before.empty() ? "" : "}\n";
    Syntax syntax;
    read_syntax(one.before + one.wrong + end, syntax);
    const std::string wanted = words_of(one.before + one.right + end);
    const std::vector<SourceEdit> edits = edits_of(syntax, 3000);
    const bool found = std::any_of(edits.begin(), edits.end(), [&](const SourceEdit& edit) {
      const std::string text = words_of(applied(syntax, edit));
      // A sum's terms may come in another order.
      return text == wanted ||
             (one.kind == "a term left out" && text.find("l [ 0 + 1 ] + l [ 0 ]") != std::string::npos);
    });
    CHECK(found);
  }
}

TEST_CASE("what nobody means costs more") {
  Syntax syntax;
  read_syntax("__global__ void f(float *x, int n) { x[threadIdx.x + n] = x[n + threadIdx.x] + x[n / 2]; }", syntax);
  const std::vector<SourceEdit> edits = edits_of(syntax, 6000);
  const auto cost_of = [&](std::string_view whole) {
    double cost = 0;
    for (const SourceEdit& one : edits)
      if (applied(syntax, one).find(whole) != std::string::npos && (cost == 0 || one.cost < cost)) cost = one.cost;
    return cost;
  };
  REQUIRE(cost_of("[threadIdx.x - n]") > 0);
  CHECK(cost_of("x[n - threadIdx.x]") > cost_of("[threadIdx.x - n]"));
  REQUIRE(cost_of("x[n / 3]") > 0);
  CHECK(cost_of("x[n / 3]") > cost_of("x[n / 4]"));
  CHECK(cost_of("x[n / 3]") > cost_of("+ x[n];"));
  REQUIRE(cost_of("[-threadIdx.x + n]") > 0);
  CHECK(cost_of("[-threadIdx.x + n]") > cost_of("[threadIdx.x + (-n)]"));
}

TEST_CASE("what leaves names unused costs more, and what the rest of the file has costs less") {
  const auto cost_in = [](const std::string& source, const std::string& wanted) {
    Syntax syntax;
    read_syntax(source, syntax);
    double least = 1e9;
    for (const SourceEdit& one : edits_of(syntax, 6000))
      if (words_of(applied(syntax, one)).find(words_of(wanted)) != std::string::npos) least = std::min(least, one.cost);
    CAPTURE(wanted);
    REQUIRE(least < 1e9);
    return least;
  };
  // A macro that does nothing with its argument, and a table that nothing is looked up in.
  const std::string padded =
      "#define BANKS 5\n#define PAD(i) ((i) + ((i) >> BANKS))\n"
      "kernel void f(local int *t, global int *col, int a, int j) { t[PAD(a)] = t[a] + t[j % 10]; }";
  CHECK(cost_in(padded, "t[PAD(a)] + t") < cost_in(padded, "((i) + ((BANKS) >> BANKS))"));
  CHECK(cost_in(padded, "t[col[j]]") + 0.25 < cost_in("kernel void f(local int *t, global int *col, int j) { "
                                                      "t[0] = col[0] + t[j % 10]; }",
                                                      "t[col[j]]"));
  const std::string tables =
      "constant int pow3[6] = {1, 3, 2, 6, 4, 5};\nconstant int inverse3[6] = {1, 5, 4, 6, 2, 3};\n"
      "kernel void f(global float *x, local float *a, int q) {\n  a[q] = x[pow3[q]];\n  x[inverse3[q]] = a[0];\n";
  CHECK(cost_in(tables + "}\n", "a[q] = x[inverse3[q]]") >
        cost_in(tables + "  a[1] = x[pow3[1]];\n}\n", "a[q] = x[inverse3[q]]") + 0.3);
  // What is numbered in one dimension has no place in another.
  const std::string guard = "__global__ void f(float *x) { if ((threadIdx.x & 31) == 0) x[0] = ";
  CHECK(cost_in(guard + "1; }", "(threadIdx.y & 31)") > cost_in(guard + "blockIdx.y; }", "(threadIdx.y & 31)") + 0.3);
  const std::string place = "kernel void f(global float *x) { x[get_global_id(0)] = ";
  CHECK(cost_in(place + "1; }", "x[get_global_id(1)]") >
        cost_in(place + "get_local_id(1); }", "x[get_global_id(1)]") + 0.3);
  // The index of the neighbour.
  const std::string planes =
      "__global__ void f(float *yr, float *yi, int t, int p, int q) {\n  __shared__ float sr[64], si[64];\n"
      "  sr[8 * t + p] = yr[p]; si[t + 8 * p] = yi[p];\n  __syncthreads();\n"
      "  float a = sr[t + 8 * q], b = si[t + 8 * q];\n  yr[q] = a; yi[q] = b;\n}\n";
  CHECK(cost_in(planes, "si[8 * t + p] = yi[p]") + 0.3 < cost_in(planes, "b = si[8 * t + q]"));
  // One minus in the product of two complex numbers.
  const std::string product = "kernel void f(global float *x, float a, float b, float c, float d) {\n";
  const std::string both_plus = product + "  x[0] = a * c + b * d;\n  x[1] = a * d + b * c;\n}\n";
  const std::string one_minus = product + "  x[0] = a * c - b * d;\n  x[1] = a * d + b * c;\n}\n";
  CHECK(cost_in(both_plus, "a * c - b * d") < cost_in(one_minus, "a * d - b * c") - 0.3);
  // Few count with "<=" from nought; most number items in rows.
  const std::string loop = "kernel void f(global float *x, int n) { for (int i = 0; i < n; i++) x[i] = 0; }";
  CHECK(cost_in(loop, "i <= n") >
        cost_in("kernel void f(global float *x, int n) { for (int i = 1; i < n; i++) x[i] = 0; }", "i <= n") + 0.1);
  const std::string tile =
      "__global__ void f(float *x, float s, int k) {\n  __shared__ float part[8][8];\n"
      "  part[threadIdx.x][threadIdx.y] = s;\n  x[0] = part[k][threadIdx.x];\n}\n";
  CHECK(cost_in(tile, "part[threadIdx.y][threadIdx.x] = s") + 0.3 < cost_in(tile, "part[threadIdx.x][k]"));
}

TEST_CASE("of a variable that is used once its value is changed first, and nothing is shifted by less than nothing") {
  const std::string once = "kernel void f(global int *x, global int *y, int i) { const int d = x[i]; y[i] = d; ";
  CHECK(cost_in(once + "}", "y[i] = d + 1") > cost_in(once + "}", "d = x[i] + 1"));
  const std::string shift = "kernel void f(global int *x, int i, int n) { x[i >> n] = 0; x[i + n] = 1; }";
  CHECK(cost_in(shift, "x[i >> (-n)]") > cost_in(shift, "x[i + (-n)]") + 1);
  const std::string sizes = "kernel void f(global int *x, int i) { x[i + 32] = i & 32; }";
  CHECK(cost_in(sizes, "x[i + 31]") > cost_in(sizes, "i & 31") + 0.5);
  const std::string loop = "global float *x, int n) { for (int i = 0; i < n; i++) x[i] = 0; }";
  CHECK(cost_in("kernel void f(" + loop, "i <= n") > cost_in("void f(" + loop, "i <= n") + 0.3);
}

TEST_CASE("of changes that are as good the one that leaves together what belongs together is the likelier") {
  struct Rivals {
    std::string source, likely, other;  // the source with either change has either text
  };
  const std::vector<Rivals> all{
      // A difference that is kept from falling below nought.
      {"constant int up[6] = {1, 3, 2, 6, 4, 5};\nconstant int down[6] = {1, 5, 4, 6, 2, 3};\n"
       "kernel void f(global int *x, local int *w, int q, int j) {\n"
       "  w[q] = x[down[q]];\n  x[j] = w[(q - j + 6) % 6];\n  x[down[j]] = 0;\n}\n",
       "w[q] = x[up[q]]", "((q + j) + 6) % 6"},
      // The argument of two functions.
      {"kernel void f(global float *x, int j, int n) {\n  float a = M_PI_F * j / n;\n"
       "  float c = cos(a), s = sin(a);\n  x[0] = c + s;\n  x[1] = s * a;\n}\n",
       "a = -M_PI_F * j / n", "sin(-a)"},
      // Arguments that are called as the parameters.
      {"void turn(float *re, float *im, float c, float s) { *re = *im * c + s; }\n"
       "kernel void f(global float *x, float re, float im, float v) {\n  float c, s = sincos(M_PI_F * v, &c);\n"
       "  turn(&re, &im, c, s);\n  x[0] = re + im + s;\n}\n",
       "sincos(-M_PI_F * v, &c)", "turn(&im, &re, c, s)"},
      {"void turn(float *re, float *im) { *re = -*im; }\n"
       "kernel void f(global float *x, float re, float im) {\n  turn(&im, &re);\n  x[0] = re + im;\n}\n",
       "turn(&re, &im)", "x[0] = re - im"},
      // The low bits that are kept.
      {"__global__ void f(int *x) {\n  for (int d = 8; d > 0; d /= 2) x[d] += x[2 * d];\n"
       "  if ((threadIdx.x & 31) == 0) x[0] = 1;\n}\n",
       "d = 16;", "threadIdx.x & 32"},
      // What is assigned to a variable that is read once.
      {"kernel void f(global float *x, global float *y, int i) {\n  float d = 0;\n  if (i > 0) d = x[i];\n  y[i] = "
       "d;\n}\n",
       "d = -x[i]", "y[i] = -d"},
      // A condition that all items would meet.
      {"kernel void f(global float *x, int i, int n, int m) {\n  bool on = i < n / 2;\n  if (on) x[i] = 1;\n  x[m] = "
       "0;\n}\n",
       "on = (i + 1) < n", "if (m)"},
      // An index that goes through what all others of its array go through.
      {"#define PAD(i) ((i) + ((i) >> 4))\nkernel void f(local float *re, local float *im, int a, int b, float u) {\n"
       "  re[PAD(a)] = im[PAD(b)];\n  re[PAD(b)] = im[PAD(a)] - u;\n  re[PAD(a)] += u;\n  im[a] += u;\n}\n",
       "im[PAD(a)] += u", "((i) + ((i) >> 8))"},
      // Two comparisons, the one within the other.
      {"kernel void f(global float *x, int i, int j, int k) {\n  if (j > i) {\n    if ((i & k) == 0) {\n      if (x[i] "
       "> x[j]) {\n"
       "        x[i] = x[j];\n      }\n    }\n  }\n}\n",
       "if (x[i] < x[j])", "if (j < i) {\n    if ((i & k) == 0) {\n      if (x[i] < x[j])"}};
  for (const Rivals& one : all) {
    CAPTURE(one.source);
    REQUIRE(cost_in(one.source, one.likely) < 100);
    CHECK(cost_in(one.source, one.likely) < cost_in(one.source, one.other) + 0.05);
  }
}

TEST_CASE("nobody shifts by one more than half of a word, compares with twice the number, or loops where a loop ends") {
  const std::string head = "kernel void f(global ulong *x, ulong a, int i, int k) {\n  ";
  const auto cost = [&](const std::string& wrong, const std::string& right) {
    return cost_in(head + wrong + "\n}\n", right);
  };
  CHECK(cost("x[0] = a << 32;", "a << 33") > cost("x[0] = a << 5;", "a << 6") + 0.3);
  CHECK(cost("x[0] = i == 2;", "i == 4") > cost("x[0] = i == 2;", "i == 3") + 0.1);
  const std::string loop = "for (int j = 0; j <= i; j++) x[j] = k;";
  CHECK(cost(loop, "int j = i; j <= i") > cost(loop, "int j = k; j <= i") + 0.4);
}

TEST_CASE("a cast that takes bits away is left out") {
  Syntax syntax;
  read_syntax("__global__ void f(unsigned *x, unsigned long long r) { x[0] = (unsigned)(r * r) % 7; }", syntax);
  const std::vector<SourceEdit> edits = edits_of(syntax, 6000);
  const auto found = std::find_if(edits.begin(), edits.end(), [&](const SourceEdit& one) {
    return applied(syntax, one).find("x[0] = (r * r) % 7;") != std::string::npos;
  });
  REQUIRE(found != edits.end());
  CHECK(found->wider);
}

TEST_CASE("what an operator of a struct does is changed, too") {
  Syntax syntax;
  read_syntax(
      "template <typename T, int N> struct Twice {\n  T v[2 * N];\n"
      "  __device__ void put(int i, T x) { v[i] = x; v[i + N] = x; }\n"
      "  __device__ T operator[](int i) const { return v[i]; }\n"
      "  __device__ T operator()(int i) const { return v[i]; }\n};\n"
      "__global__ void f(float *x) { x[0] = 0; }\n",
      syntax);
  std::set<int> lines;
  for (const SourceEdit& one : edits_of(syntax, 6000)) {
    if (applied(syntax, one).find("return v[i + N];") != std::string::npos) lines.insert(line_of(syntax, one));
    CHECK(one.text.find("operator") == std::string::npos);
  }
  CHECK(lines == std::set<int>{4, 5});
  Syntax other;
  read_syntax("kernel void f(global float *x, int n, int operator_count) { x[n] = operator_count; }", other);
  const std::vector<SourceEdit> edits = edits_of(other, 6000);
  CHECK(std::any_of(edits.begin(), edits.end(), [](const SourceEdit& one) { return one.text == "operator_count"; }));
}

TEST_CASE("of a value that is constant there is no conjugate to be made") {
  Syntax syntax;
  read_syntax(
      "kernel void f(global float2 *x, int n) {\n"
      "  const float2 w = x[n];\n"
      "  float2 v = x[0];\n"
      "  x[n] = v + w;\n"
      "}\n",
      syntax);
  bool other = false;
  for (const SourceEdit& one : edits_of(syntax, 6000)) {
    other = other || one.text == "v.y = -v.y;";
    CHECK(one.text != "w.y = -w.y;");
  }
  CHECK(other);
}

TEST_CASE("no change writes to a variable that is constant") {
  Syntax syntax;
  read_syntax(
      "kernel void f(global int *x, const int n, int m) {\n  const int c = n;\n  int k = 0;\n  k = x[c];\n"
      "  x[m] = k;\n}\n",
      syntax);
  bool other = false;
  for (const SourceEdit& one : edits_of(syntax, 6000)) {
    other = other || one.text == "m = x[c]";
    CHECK(one.text != "n = x[c]");
    CHECK(one.text != "c = x[c]");
  }
  CHECK(other);
}

TEST_CASE("a step and a nought that were left out are put before what comes next") {
  const auto has = [](const std::string& text, const std::string& wanted) {
    Syntax syntax;
    read_syntax(text, syntax);
    const std::vector<SourceEdit> edits = missing_statements(syntax);
    return std::any_of(edits.begin(), edits.end(), [&](const SourceEdit& one) {
      return words_of(applied(syntax, one)).find(words_of(wanted)) != std::string::npos;
    });
  };
  const std::string head = "kernel void f(local int *l, global int *y) {\n  const int t = get_local_id(0);\n";
  const std::string four = "  if (t < 4) l[t] += l[t + 4];\n  barrier(CLK_LOCAL_MEM_FENCE);\n";
  const std::string two = "  if (t < 2) l[t] += l[t + 2];\n  barrier(CLK_LOCAL_MEM_FENCE);\n";
  const std::string one = "  if (t < 1) l[t] += l[t + 1];\n  barrier(CLK_LOCAL_MEM_FENCE);\n";
  const std::string end = "  y[t] = l[0];\n}\n";
  CHECK(has(head + four + one + end, four + two + one));
  CHECK(has(head + four + end, four + two + end));
  CHECK(!has(head + four + two + one + end, four + two + two));
  const std::string up =
      "__global__ void f(int *t, int n) {\n  const int id = threadIdx.x;\n"
      "  for (int d = n >> 1; d > 0; d >>= 1) t[PAD(id)] += t[PAD(d)];\n";
  const std::string down = "  for (int d = 1; d < n; d <<= 1) t[PAD(id)] = t[PAD(d)];\n}\n";
  CHECK(has("#define PAD(i) ((i) + 1)\n" + up + down, "if (id == 0) t[PAD(n - 1)] = 0; for (int d = 1; d < n;"));
}

TEST_CASE("a thread's place has three components") {
  Syntax syntax;
  read_syntax("__global__ void f(float *x) { x[threadIdx.x + blockDim.y] = 0; }", syntax);
  bool z = false;
  for (const SourceEdit& one : edits_of(syntax, 6000)) {
    z = z || one.text == "threadIdx.z";
    CHECK(one.text != "threadIdx.w");
    CHECK(one.text != "blockDim.w");
  }
  CHECK(z);
}

TEST_CASE("an array's size is a constant, an element of an expression is none") {
  // "w * t[k]" declares nothing: k may be changed where it is set.
  Syntax syntax;
  read_syntax(
      "kernel void f(global float *x, global float *t, float w) {\n"
      "  int k = get_global_id(0);\n"
      "  x[0] = max(w, t[k]) + w * t[k];\n"
      "}\n",
      syntax);
  const std::vector<SourceEdit> edits = edits_of(syntax, 3000);
  CHECK(std::any_of(edits.begin(), edits.end(), [&](const SourceEdit& edit) { return line_of(syntax, edit) == 2; }));
}

TEST_CASE("two neighbours of a table change places, in one program with all other changes") {
  const auto swaps = [](Syntax& syntax, const std::string& index) {
    read_syntax(
        "kernel void f(global int *x, int i) {\n"
        "  const int rev[4] = {0, 1, 2,\n"
        "                      3};\n"
        "  x[0] = rev[" +
            index +
            "];\n"
            "  x[1] = rev[3 - i];\n"
            "}\n",
        syntax);
    std::vector<SourceEdit> edits = edits_of(syntax, 3000);
    std::erase_if(edits, [](const SourceEdit& edit) { return edit.swapped_with == 0; });
    return edits;
  };
  Syntax syntax;
  const std::vector<SourceEdit> edits = swaps(syntax, "i");
  REQUIRE(edits.size() == 3);
  const auto with = [&](const std::string& part) {
    return std::find_if(edits.begin(), edits.end(),
                        [&](const SourceEdit& edit) { return applied(syntax, edit).find(part) != std::string::npos; });
  };
  const auto two = with("{0, 2, 1,"), lines = with("{0, 1, 3,\n                      2}");
  REQUIRE(two != edits.end());
  REQUIRE(lines != edits.end());
  CHECK(applied(syntax, *two).find("x[0] = rev[i];") != std::string::npos);
  CHECK(line_of(syntax, *two) == 2);
  CHECK(lines_of(syntax, *lines) == std::pair(2, 3));
  const Schema schema = schema_of(syntax, std::vector{*two}, 7, false, true, {});
  CHECK(schema.text.find("(i) == 1 ? 2 : (i) == 2 ? 1 : (i)") != std::string::npos);
  CHECK(schema.text.find("(3 - i) == 1 ? 2 : (3 - i) == 2 ? 1 : (3 - i)") != std::string::npos);
  CHECK(schema.text.find("{0, 1, 2,") != std::string::npos);
  // An index that counts would count several times.
  Syntax counting;
  CHECK(swaps(counting, "i++").empty());
}

TEST_CASE("a template's kernel takes the number where it is asked for, too") {
  Syntax syntax;
  read_syntax(
      "template <typename T> __global__ void f(T *x) { x[0] = 1; }\n"
      "template __global__ void f<float>(float *);\n"
      "template <> struct other<float> {};\n",
      syntax);
  const Schema schema = schema_of(syntax, {}, 1, true, true, {});
  CHECK(schema.text.find("void f(T *x,int tw_in_)") != std::string::npos);
  CHECK(schema.text.find("f<float>(float *,int);") != std::string::npos);
  CHECK(schema.text.find("struct other<float> {};") != std::string::npos);
}

TEST_CASE("a change of two lines is in both of them") {
  Syntax syntax;
  read_syntax(
      "kernel void f(global float *x, int i, float a, float b) {\n"
      "  x[i] = a;\n"
      "  x[2 * i] = b;\n"
      "}\n",
      syntax);
  bool any = false;
  for (const SourceEdit& edit : edits_of(syntax, 3000)) {
    const std::string text = applied(syntax, edit);
    if (text.find("x[(2 * i)] = a;\n  x[i] = b;") == std::string::npos &&
        text.find("x[2 * i] = a;\n  x[i] = b;") == std::string::npos)
      continue;
    any = true;
    CHECK(lines_of(syntax, edit) == std::pair(2, 3));
  }
  CHECK(any);
}

TEST_CASE("a choice between changes is of the type that stood there, so that what is wrong with one is said of it") {
  Syntax syntax;
  read_syntax(
      "#define WIDTH 3\n"
      "kernel void f(global ushort4 *x, global uint *y, int n, ushort4 s, ushort d) {\n"
      "  s = s / d + s / (ushort)3;\n"
      "  y[0] = max(n - 1, 0) % n;\n"
      "  x[0] = s;\n"
      "}\n",
      syntax);
  std::vector<SourceEdit> edits = edits_of(syntax, 3000);
  std::stable_sort(edits.begin(), edits.end(), [](const SourceEdit& a, const SourceEdit& b) {
    return std::pair(a.place, a.target) < std::pair(b.place, b.target);
  });
  const Schema schema = schema_of(syntax, edits, 1, false, true, {});
  // A short number beside a vector, and what there is a function of each type for.
  CHECK(schema.text.find("(__typeof__(d))((unsigned)") != std::string::npos);
  CHECK(schema.text.find("(__typeof__(n - 1))((unsigned)") != std::string::npos);
  CHECK(schema.text.find("ushort tw_nz_(ushort x)") != std::string::npos);
  CHECK(schema.text.find("?((ushort4)(") != std::string::npos);
  // Each change stands beside something of its type, the last one too.
  CHECK(schema.text.find("):0)") != std::string::npos);
  // No macro is made of itself.
  CHECK(std::none_of(edits.begin(), edits.end(), [&](const SourceEdit& edit) {
    return applied(syntax, edit).find("#define WIDTH WIDTH") != std::string::npos;
  }));
}

TEST_CASE("what only warns refuses no change") {
  Syntax syntax;
  read_syntax("kernel void f(global int *x, int n) { x[n] = n; }\n", syntax);
  const std::vector<SourceEdit> edits = edits_of(syntax, 3000);
  const Schema schema = schema_of(syntax, edits, 1, true, true, {});
  CHECK(edits_refused(schema, "k.cu", "k.cu:1000003:7: warning: odd\nk.cu:1000004:7: error: no") ==
        std::vector<std::uint32_t>{4});
}

TEST_CASE("in a program of many changes a change of several places has one number") {
  Syntax syntax;
  read_syntax(
      "kernel void f(global float2 *x, float2 a, float2 b) {\n"
      "  x[0] = (float2)(a.x - b.x, a.y - b.y);\n"
      "}\n",
      syntax);
  std::vector<SourceEdit> edits = edits_of(syntax, 3000);
  std::erase_if(edits, [](const SourceEdit& edit) { return edit.also.empty(); });
  REQUIRE(!edits.empty());
  edits.resize(1);
  const Schema schema = schema_of(syntax, edits, 7, false, true, {});
  std::size_t count = 0;
  for (std::size_t at = 0; (at = schema.text.find("tw_-7", at)) != std::string::npos; ++at) ++count;
  CHECK(count == 2);
  CHECK(schema.marks.size() == 2);
}

TEST_CASE("what a race adds to is added atomically, and a barrier is missing before what needs it") {
  Syntax syntax;
  read_syntax(
      "kernel void f(global int *x, local int *t) {\n"
      "  int i = get_local_id(0);\n"
      "  t[i] = x[i];\n"
      "  if (i > 0) {\n"
      "    x[0] += t[i - 1];\n"
      "  }\n"
      "}\n",
      syntax);
  const std::vector<SourceEdit> atomic = atomic_edits(syntax, {5}, false);
  REQUIRE(atomic.size() == 1);
  CHECK(applied(syntax, atomic[0]).find("atomic_add(&x[0], t[i - 1]);") != std::string::npos);
  for (const SourceEdit& edit : barrier_edits(syntax, {3, 5}, false, true)) {
    const std::string text = applied(syntax, edit);
    if (text.find("FENCE); if (i > 0)") != std::string::npos && edit.place == SourceEdit::Place::Before)
      CHECK(line_after(syntax, edit, {3, 5}) == 5);
    if (text.find("t[i] = x[i]; barrier") != std::string::npos) CHECK(line_after(syntax, edit, {3, 5}) == 5);
  }
}

TEST_CASE("a barrier may be missing between a store to volatile memory and what touches it next") {
  Syntax syntax;
  read_syntax(
      "kernel void f(global float *y, int t) {\n"
      "  local volatile float part[32];\n"
      "  local float other[32];\n"
      "  part[t] = y[t];\n"
      "  if (t < 2) part[t] += part[t + 2];\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  other[t] = part[t];\n"
      "  y[t] = other[0];\n"
      "}\n",
      syntax);
  const std::vector<SourceEdit> edits = barriers_of_volatile(syntax, false);
  REQUIRE(edits.size() == 1);
  CHECK(applied(syntax, edits[0]).find("part[t] = y[t]; barrier(CLK_LOCAL_MEM_FENCE);") != std::string::npos);
  CHECK(line_after(syntax, edits[0], {4, 5}) == 5);
}

TEST_CASE("a barrier that moves is in the lines that it leaves and comes to") {
  Syntax syntax;
  read_syntax(
      "kernel void f(local int *s, int l, int i) {\n"
      "  if (l > i) {\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
      "    s[l] = i;\n"
      "  }\n"
      "}\n",
      syntax);
  std::set<std::pair<int, int>> lines;
  for (const SourceEdit& edit : barrier_edits(syntax, {}, false, true))
    if (edit.place == SourceEdit::Place::MoveBefore || edit.place == SourceEdit::Place::MoveBehind)
      lines.insert(lines_of(syntax, edit));
  CHECK(lines == std::set<std::pair<int, int>>{{2, 3}, {2, 5}});
}

TEST_CASE("a fence may be missing behind what a group stores for another, or what tells of it may come too early") {
  Syntax syntax;
  read_syntax(
      "__global__ void f(int *value, int *flag, int *out) {\n"
      "  value[blockIdx.x] = out[0];\n"
      "  atomicAdd(flag, 1);\n"
      "  atomicExch(flag + 1, 1);\n"
      "  __threadfence();\n"
      "  value[1] = 2;\n"
      "  out[1] = 3;\n"
      "}\n",
      syntax);
  const auto texts_at = [&](const std::set<int>& lines) {
    std::vector<std::string> all;
    for (const SourceEdit& edit : fence_edits(syntax, lines, true)) all.push_back(applied(syntax, edit));
    return all;
  };
  const auto any = [&](const std::set<int>& lines, const std::string& part) {
    const std::vector<std::string> all = texts_at(lines);
    return std::any_of(all.begin(), all.end(),
                       [&](const std::string& text) { return text.find(part) != std::string::npos; });
  };
  CHECK(any({2}, "value[blockIdx.x] = out[0]; __threadfence();\n"));
  CHECK(any({3}, "__threadfence(); atomicAdd(flag, 1);"));
  const std::string exchanged = "  value[1] = 2;\n  __threadfence();\n  atomicExch(flag + 1, 1);\n";
  CHECK(any({6}, exchanged));
  CHECK(any({4}, exchanged));
  CHECK(!any({2}, exchanged));
  CHECK(texts_at({}).empty());
}

TEST_CASE("an item's own array can begin with zeros, and what a group shares cannot") {
  Syntax syntax;
  read_syntax(
      "kernel void f(global int *x) {\n"
      "  local int shared[8];\n"
      "  int own[8];\n"
      "  int set[2] = {1, 2};\n"
      "  x[0] = own[0] + shared[0] + set[0];\n"
      "}\n",
      syntax);
  const std::vector<SourceEdit> edits = initialising_edits(syntax);
  REQUIRE(edits.size() == 1);
  CHECK(applied(syntax, edits[0]).find("int own[8] = {0};") != std::string::npos);
}

TEST_CASE(
    "a barrier at the end of a loop's turn is missing where it belongs, not at what the next turn reads; not within a "
    "loop that shares work out") {
  Syntax syntax;
  read_syntax(
      "kernel void f(local float *s, int n) {\n"
      "  for (int h = 1; h < n; h *= 2) {\n"
      "    for (int k = get_local_id(0); k < n; k += get_local_size(0)) {\n"
      "      float a = s[k];\n"
      "      s[k + h] = a;\n"
      "    }\n"
      "  }\n"
      "}\n",
      syntax);
  const std::vector<SourceEdit> edits = barrier_edits(syntax, {4, 5}, false, true);
  const auto cost_of = [&](const std::string& part) {
    double cost = 100;
    for (const SourceEdit& edit : edits)
      if (applied(syntax, edit).find(part) != std::string::npos) cost = std::min(cost, edit.cost);
    return cost;
  };
  const std::string barrier = "barrier(CLK_LOCAL_MEM_FENCE);";
  CHECK(cost_of(barrier + " for (int k") < cost_of(barrier + " s[k + h]"));
  for (const SourceEdit& edit : edits)
    if (applied(syntax, edit).find("    } " + barrier) != std::string::npos)
      CHECK(line_after(syntax, edit, {4, 5}) == 6);
}

TEST_CASE("a barrier before the end of a loop's turn is missing behind what stores, whatever else the turn does") {
  Syntax syntax;
  read_syntax(
      "kernel void f(local float *s, int n, int w) {\n"
      "  for (int h = 1; h < n; h *= 2) {\n"
      "    float a = s[h];\n"
      "    s[0] = a;\n"
      "    w = w * w;\n"
      "  }\n"
      "}\n",
      syntax);
  int seen = 0;
  for (const SourceEdit& edit : barrier_edits(syntax, {3, 4}, false, true))
    if (applied(syntax, edit).find("s[0] = a; barrier") != std::string::npos) {
      ++seen;
      CHECK(line_after(syntax, edit, {3, 4}) == 4);
    }
  CHECK(seen > 0);
}

TEST_CASE("a macro that is defined within a function has changes, and is of no function") {
  Syntax syntax;
  read_syntax(
      "kernel void f(global float *x, int p) {\n"
      "#define R(k) x[(k) * p]\n"
      "  float t = R(1) + R(2);\n"
      "#define TWICE 2 * t\n"
      "  R(0) = TWICE;\n"
      "}\n",
      syntax);
  const std::vector<SourceEdit> edits = edits_of(syntax, 1000);
  const auto of_line = [&](int line) {
    return std::any_of(edits.begin(), edits.end(),
                       [&](const SourceEdit& edit) { return line_of(syntax, edit) == line; });
  };
  CHECK(of_line(2));
  CHECK(of_line(4));
  CHECK(of_line(3));
}
