// The changes that a search tries: for each kind a mistake as people make it, and the change that takes it back.
#include "edit_words.h"
#include "tracer/repair/edits/edits.h"

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
    {"the last place of two dimensions", "int2 f(int2 at, const int2 size) {", "return clamp(at, (int2)(0), size);",
     "return clamp(at, (int2)(0), size - 1);"},
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
    {"a second half that runs backwards", "kernel void f(global float *x, int t, int n) {",
     "x[0] = x[2 * (t - n / 2) + 1];", "x[0] = x[2 * (n - 1 - t) + 1];"},
    {"as many as there are of a length", "typedef unsigned int u32; __global__ void f(u32 *x, u32 n, u32 len, u32 j) {",
     "x[0] = len * j;", "x[0] = n / len * j;"},
    {"two dimensions exchanged wherever they are named",
     "struct D { int x, y, z; }; __global__ void f(float *p, D d, int x, int y, int z) {",
     "p[0] = p[(y * d.z + z) * d.x + x];", "p[0] = p[(z * d.y + y) * d.x + x];"},
    {"the element behind the one before", "kernel void f(global float *x, int i, int n, float a, float b) {",
     "x[2 * i] = a; x[i + n] = b;", "x[2 * i] = a; x[(2 * i) + 1] = b;"},
    {"a leader that nothing asks for", "__global__ void f(int *x, unsigned peers, bool have) {",
     "int leader = __ffs(peers) - 1; if (have) x[0] = 1;",
     "int leader = __ffs(peers) - 1; if (have && (threadIdx.x & 31) == leader) x[0] = 1;"},
    {"a key that nothing asks for", "__global__ void f(float *x, int lane, int d, int key) {",
     "int ok = __shfl_up_sync(0xffffffffu, key, d); if (lane >= d) x[0] = 1;",
     "int ok = __shfl_up_sync(0xffffffffu, key, d); if ((lane >= d) && key == ok) x[0] = 1;"},
    {"one of two copies left out", "kernel void f(local float *v, int i, int n, float x) {", "v[i + n] = x; v[0] = 1;",
     "v[i + n] = x; v[i] = x; v[0] = 1;"},
    {"the other of two copies left out", "kernel void f(local float *v, int i, int n, float x) {",
     "v[i] = x; v[0] = 1;", "v[i] = x; v[i + n] = x; v[0] = 1;"},
    {"a scale of a template's type left out", "template <typename T> __global__ void f(T *x, int n) {",
     "const T scale = T(1); x[0] *= scale;", "const T scale = T(1) / T(n); x[0] *= scale;"},
    {"both parts of a value without their scale", "enum { M = 32 }; __global__ void f(float2 *x, int i, float2 r) {",
     "x[i] = make_float2(r.x, r.y);", "x[i] = make_float2(r.x / M, r.y / M);"},
    {"a flag of one of two values alone", "int2 f(int2 a, int2 b) {", "return (int2)(a.x + b.x, b.y);",
     "return (int2)(a.x + b.x, a.y | b.y);"},
    {"the first of a pair without its place in the half", "kernel void f(global int *x, int t, int stride) {",
     "int i = 2 * t; x[i] = 0;", "int i = 2 * t - (t & (stride - 1)); x[i] = 0;"},
    {"what a lambda computes", "__global__ void f(double *x, int n) {",
     "const auto w = [n](int j) { return cospi(2 * (j % n) / n); }; x[0] = w(3);",
     "const auto w = [n](int j) { return cospi(2.0 * (j % n) / n); }; x[0] = w(3);"},
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
    {"both indices of a tile", "kernel void f(global float *x, local float t[9][9], int a, int b, int i, int j) {",
     "x[0] = t[a + j][b + i];", "x[0] = t[a - j][b - i];"},
    {"below zero before a macro's modulus", "#define Q 17u\nuint f(uint u, uint v) {", "return (u - v) % Q;",
     "return (u + Q - v) % Q;"},
    {"what keeps a sum as long as its terms", "kernel void f(global float *x, float a, float b) {",
     "x[0] = 0.5f * (a + b);", "x[0] = 0.7071067811865476f * (a + b);"},
    {"where a row begins, and the place in it", "kernel void f(global float *x, int pairs, int i, float v) {",
     "x[2 * i + 1] = v;", "x[pairs + i] = v;"},
    {"items past the end of the data", "kernel void f(global float *x, int n) {",
     "int i = get_global_id(0); x[n + i] = 0;", "int i = get_global_id(0); if (i >= n) return; x[n + i] = 0;"},
    {"what should change in each turn", "kernel void f(global float *x, int n) {",
     "int step = 1; for (int h = n; h > 0; h /= 2) { x[h] = x[h * step]; }",
     "int step = 1; for (int h = n; h > 0; h /= 2) { x[h] = x[h * step]; step *= 2; }"},
    {"a sum that needs no brackets", "kernel void f(global float *x, int t, int j) {", "x[2 * (t - j)] = 0;",
     "x[2 * t - j] = 0;"},
    {"a part of what is returned as a list", "struct C { float re, im; __device__ C operator*(const C &o) const { ",
     "return {re * o.re - im * o.im, re * o.im - im * o.re}; } };",
     "return {re * o.re - im * o.im, re * o.im + im * o.re}; } };"},
    {"a part of a list that is assigned", "__global__ void f(float2 *x, float2 v, float a, float b) {",
     "v = {a + b, a + b}; x[0] = v;", "v = {a + b, a - b}; x[0] = v;"},
    {"a constant of an enum", "enum { BINS = 12 };\n__global__ void f(int *x, int b) {", "x[min(b, BINS)] = 0;",
     "x[min(b, BINS - 1)] = 0;"},
    {"a scale of both parts", "kernel void f(global float *re, global float *im, float a, float b, int k, int n) {",
     "re[k] = a + b; im[k] = a - b;", "re[k] = (a + b) / n; im[k] = (a - b) / n;"},
    {"all of a tile that is not turned", "__global__ void f(float *x, float t[9][9], int r, int q) {",
     "x[r] = t[r][q] + t[r][q + 1] + t[r][q + 2];", "x[r] = t[q][r] + t[q + 1][r] + t[q + 2][r];"},
    {"what goes with each value", "kernel void f(local float *v, local int *place, int i, int d) {",
     "place[i] = i; if (v[i] < v[i + d]) { v[i] = v[i + d]; }",
     "place[i] = i; if (v[i] < v[i + d]) { v[i] = v[i + d]; place[i] = place[i + d]; }"},
    {"what was kept of two pointers", "__global__ void f(float *a, float *b, int n) {",
     "for (int i = 0; i < n; i++) { b[0] = a[0]; float *old = a; a = b; }",
     "for (int i = 0; i < n; i++) { b[0] = a[0]; float *old = a; a = b; b = old; }"},
    {"what is without its own", "__device__ unsigned f(unsigned own, unsigned *sums, unsigned t) {", "return sums[t];",
     "return sums[t] - own;"},
    {"what goes round at the end", "__global__ void f(float *x, int k, int n, int m) { if (k < n) x[0] = 1;",
     "int d = k; x[d] = 0;", "int d = k < n ? k : m - k; x[d] = 0;"},
    {"another component of an argument",
     "#define TX 8\n__kernel __attribute__((reqd_work_group_size(TX, 4, 1)))\n"
     "void f(global float *x, const int2 size, int a, int b) {",
     "x[a * size.y + b] = 0;", "x[a * size.x + b] = 0;"},
    {"another way to round", "kernel void f(global int *x, float v) {", "x[0] = convert_int_rte(v);",
     "x[0] = convert_int_rtn(v);"},
    {"a quotient of whole numbers in brackets", "kernel void f(global float *x, float d, int a, int b) {",
     "x[0] = d * (a / b);", "x[0] = d * a / b;"},
    {"a quotient of whole numbers in brackets before its factor", "kernel void f(global int *x, int d, int a, int b) {",
     "x[0] = (a / b) * d;", "x[0] = a * d / b;"},
    {"a digit of a mask left out", "kernel void f(global uint *x, uint r) {", "x[0] = r & 0x3333333u;",
     "x[0] = r & 0x33333333u;"},
    {"two digits of a mask left out", "kernel void f(global uint *x, uint r) {", "x[0] = r & 0x0f0f0f;",
     "x[0] = r & 0x0f0f0f0f;"},
    {"a digit of a mask too many", "kernel void f(global ulong *x, ulong r) {", "x[0] = r & 0x555555555;",
     "x[0] = r & 0x55555555;"},
    {"what was there before", "kernel void f(global float *y, float a, float b, float x, int i) {",
     "y[i] = a * x + b * x;", "y[i] = a * x + b * y[i];"},
    {"a constant that nothing uses",
     "static __device__ __constant__ const float SCALE = 0.5f; struct C { float x; }; "
     "__global__ void f(float *y, C *s, int i) {",
     "y[i] = s[i].x;", "y[i] = s[i].x * SCALE;"},
    {"a macro that nothing uses", "#define SCALE 0.5f\nkernel void f(global float *y, float a, int i) {", "y[i] = a;",
     "y[i] = a * SCALE;"},
    {"the last of a row for the own one", "kernel void f(global float *x, local float *row, int r, int w, int me) {",
     "x[0] = row[r * w + me];", "x[0] = row[r * w + w - 1];"},
    {"the last lane for the first", "__global__ void f(int *x, int v) {", "if (threadIdx.x % 32 == 0) x[0] = v;",
     "if (threadIdx.x % 32 == 31) x[0] = v;"},
    {"the last of a few lanes for the first", "kernel void f(global int *x, int t, int w) {",
     "if ((t & (w - 1)) == 0) x[0] = t;", "if ((t & (w - 1)) == (w - 1)) x[0] = t;"},
    {"a grid's stride for a group's", "__global__ void f(int *x, int i, int n) {",
     "for (; i < n; i += blockDim.x) x[i] = 0;", "for (; i < n; i += blockDim.x * gridDim.x) x[i] = 0;"},
    {"what a function makes of itself in each turn",
     "unsigned times(unsigned a, unsigned b) { return a ^ b; } unsigned start(unsigned a) { return a + 1; } "
     "kernel void f(global unsigned *x, int n) {",
     "unsigned shift = start(n); for (int h = n; h > 0; h /= 2) { x[h] = times(x[h], shift); }",
     "unsigned shift = start(n); for (int h = n; h > 0; h /= 2) { x[h] = times(x[h], shift); shift = times(shift, "
     "shift); "
     "}"},
    {"both signs of a list", "struct C { float r, i; }; __device__ C f(C a) {", "return {-a.i, a.r};",
     "return {a.i, -a.r};"},
    {"two signs of one declaration", "kernel void f(global float *x, float a, float b, float c, float d) {",
     "float r = a + b, i = c + d; x[0] = r * i;", "float r = a - b, i = c - d; x[0] = r * i;"},
    {"a part of a vector for all of it", "kernel void f(global float *x, float3 d) {", "x[0] = dot(d.xy, d.xy);",
     "x[0] = dot(d, d);"},
    {"a product for a sum", "__global__ void f(float *x, int i, int t) {", "x[i + t] = 0;", "x[i * t] = 0;"},
    {"the square of another constant",
     "#define EDGE 4\n#define SIDE (EDGE + 2)\nkernel void f(global float *x, int t) {",
     "for (; t < EDGE * EDGE; t += 2) x[t] = SIDE;", "for (; t < SIDE * SIDE; t += 2) x[t] = SIDE;"},
    {"what only the first one starts with", "__global__ void f(unsigned *x, unsigned a) { int t = threadIdx.x;",
     "unsigned c = ~0u; x[t] = c ^ a; if (t == 0) x[0] = a;",
     "unsigned c = (t == 0) ? ~0u : 0; x[t] = c ^ a; if (t == 0) x[0] = a;"},
    {"what windows cover", "#define KEEP 3\n#define TAPS 7\nkernel void f(local float *x, int group) {",
     "const int span = group * KEEP; x[span] = TAPS;", "const int span = (group - 1) * KEEP + TAPS; x[span] = TAPS;"},
    {"a call as another loop has it", "__device__ float root(int k, int n); __global__ void f(float *x, int n) {",
     "for (int j = 0; j < n; j++) x[j] *= root(4 * j + 1, 4 * n); for (int k = 0; k < n; k++) x[k] *= root(k, n);",
     "for (int j = 0; j < n; j++) x[j] *= root(4 * j + 1, 4 * n); for (int k = 0; k < n; k++) x[k] *= root(4 * k + "
     "1, 4 * n);"},
    {"the lane that does it", "__global__ void f(int *x, unsigned peers, bool have) {",
     "const int leader = __ffs(peers) - 1; if (have) x[0] = 1;",
     "const int leader = __ffs(peers) - 1; if (have && (threadIdx.x & 31) == leader) x[0] = 1;"},
    {"a quotient and its rest exchanged", "kernel void f(global float *x, int b, int m) {",
     "int k = b / m, block = b % m; x[k] = block;", "int k = b % m, block = b / m; x[k] = block;"},
    {"both lower bounds", "kernel void f(global float *x, int2 n) {",
     "int i = x[0], j = x[1]; const bool in = i < n.x && j < n.y; x[2] = in;",
     "int i = x[0], j = x[1]; const bool in = i >= 0 && j >= 0 && i < n.x && j < n.y; x[2] = in;"},
    {"two bounds exchanged", "kernel void f(global float *x, int a, int b, int w, int h) {",
     "if (a < w && b < h) x[0] = 1;", "if (a < h && b < w) x[0] = 1;"},
    {"one of two cases asks for more", "kernel void f(global int *x, global int *cell, int n, int i) {",
     "x[i] = n == 3 || n == 2; x[0] = cell[i];", "x[i] = n == 3 || (n == 2 && cell[i]); x[0] = cell[i];"},
    {"calls within one another",
     "int sub(int a, int b) { return a - b; } kernel void f(global int *x, int u, int v, int w) {",
     "x[0] = sub(u, mul24(v, w));", "x[0] = mul24(sub(u, v), w);"},
    {"two names throughout",
     "struct m { int mul, add; }; kernel void f(global int *x, struct m first, struct m second) {",
     "x[0] = first.mul * second.add + first.add;", "x[0] = second.mul * first.add + second.add;"},
    {"what others are multiplied by", "kernel void f(global float4 *x, float s, float a, float b, float c) {",
     "x[0] = (float4)(s * a, s * b, c, 1.5f * c);", "x[0] = (float4)(s * a, s * b, s * c, s * (1.5f * c));"},
    {"rounded to the nearest by a shift", "kernel void f(global int *x, int a) {", "x[0] = (a + x[1]) >> 2;",
     "x[0] = (a + x[1] + 2) >> 2;"},
    {"a quotient that goes down below nought", "kernel void f(global int *x, int a) {", "x[0] = a / 4;",
     "x[0] = a >> 2;"},
    {"the last place and not round to the first", "kernel void f(global int *x, int k, int n) {",
     "x[0] = x[(k + 1) % n];", "x[0] = x[min((k + 1), n - 1)];"},
    {"mirrored, and nought stays", "kernel void f(global int *x, int k, int n) {", "x[0] = x[n - 1 - k];",
     "x[0] = x[(n - k) % n];"},
    {"what is summed up without its own", "kernel void f(global int *x, global int *y, int t) {", "x[t] = y[t];",
     "x[t] = t > 0 ? y[t - 1] : 0;"},
    {"both elements for one",
     "int least(int a, int b) { return a < b ? a : b; } kernel void f(global int *x, local int *t) {", "x[0] = t[0];",
     "x[0] = least(t[0], t[1]);"},
    {"a group for the grid", "__global__ void f(int *x, int n) {",
     "auto grid = this_grid(); auto block = this_thread_block(); for (int i = grid.thread_rank(); i < n; i += "
     "block.size()) x[i] = 0;",
     "auto grid = this_grid(); auto block = this_thread_block(); for (int i = grid.thread_rank(); i < n; i += "
     "grid.size()) x[i] = 0;"},
    {"the order of signed keys", "__global__ void f(unsigned *x, int key) {",
     "x[0] = static_cast<unsigned short>(key);", "x[0] = static_cast<unsigned short>(key) ^ 0x8000u;"},
    {"as many rows as there are groups", "__global__ void f(int *x, int *y, int t, int digits) {",
     "x[t] = y[blockIdx.x * digits + t];", "x[t] = y[t * gridDim.x + blockIdx.x];"},
    {"an index as another loop has it",
     "kernel void f(global int *x, global int *z, global int *w, int i, int m, int h) {",
     "x[0] = z[i]; x[1] = w[h + i];", "x[0] = z[m + i]; x[1] = w[h + i];"},
    {"a constant of the build", "kernel void f(global int *x, int y, int k) {", "x[y * COLS + k] = ROWS; x[COLS] = y;",
     "x[y * ROWS + k] = ROWS; x[COLS] = y;"},
    {"a function that is called for the other index",
     "int flip(int v, int size) { return size - v; } kernel void f(global int *x, int y, int k) {",
     "x[y * COLS + flip(k, COLS)] = ROWS;", "x[flip(y, ROWS) * COLS + flip(k, COLS)] = ROWS;"},
    {"the matrix that each turn squares",
     "typedef struct { float a; } mat; mat mul(mat a, mat b) { return a; } kernel void f(global float *x, int n, mat "
     "m) {",
     "mat p = m; for (int d = 1; d < n; d *= 2) { x[d] = p.a; }",
     "mat p = m; for (int d = 1; d < n; d *= 2) { x[d] = p.a; p = mul(p, p); }"},
    {"the turn that a loop's body does not know", "kernel void f(global int *x, int t) {",
     "for (int phase = 0; phase < 2; ++phase) { int i = 2 * t; x[i] = x[i + 1]; }",
     "for (int phase = 0; phase < 2; ++phase) { int i = 2 * t + phase; x[i] = x[i + 1]; }"},
    {"equal, and not more", "kernel void f(global int *x, int a) {", "x[0] = a >= 5;", "x[0] = a == 5;"},
    {"a power for a multiple", "kernel void f(global int *x, int s) {", "x[2 * s] = 0;", "x[1 << s] = 0;"},
    {"what goes along", "#define OFF(i) ((i) >> 4)\nkernel void f(local float *t, int o, int k) {",
     "int ai = o * k, bi = o * (k + 1); ai += OFF(ai); t[bi] += t[ai];",
     "int ai = o * k, bi = o * (k + 1); ai += OFF(ai); bi += OFF(bi); t[bi] += t[ai];"},
    {"spans that fall", "kernel void f(local float *t, uint n) {",
     "for (uint span = 1; span < n; span <<= 1) { t[span] = 0; }",
     "for (uint span = n / 2; span > 0; span >>= 1) { t[span] = 0; }"},
    {"spans that rise", "kernel void f(local float *t, int n) {", "for (int s = n / 2; s > 0; s >>= 1) { t[s] = 0; }",
     "for (int s = 1; s <= n / 2; s <<= 1) { t[s] = 0; }"},
    {"bits from the end", "kernel void f(global int *x, int bits) {",
     "int b; int r = 0; for (b = 0; b < bits; b++) r |= 1 << b;",
     "int b; int r = 0; for (b = 0; b < bits; b++) r |= 1 << (bits - 1 - b);"},
    {"read from the end", "kernel void f(global float *x, int n) {",
     "const int me = get_local_id(0); x[me] = -x[me - 1];", "const int me = get_local_id(0); x[me] = -x[n - 1 - me];"},
    {"the inverse of a power of a root", "kernel void f(global uint *x, global const uint *root, int n, int j) {",
     "x[j] = root[j * (n / 4)];", "x[j] = root[(n - j * (n / 4)) % n];"},
    {"as much as there is of it",
     "float unit(int k, int n) { return k; } kernel void f(global float *x, int n, int done, int r) {",
     "x[0] = unit(3 * r, n);", "x[0] = unit(3 * r, done * r);"},
    {"all of an array", "#define BINS 8\n#define STEP 9\nkernel void f(int lid) {",
     "local int sub[4 * STEP]; for (int i = lid; i < BINS; i += 16) sub[i] = 0;",
     "local int sub[4 * STEP]; for (int i = lid; i < 4 * STEP; i += 16) sub[i] = 0;"},
    {"computed of itself once more", "uint f(uint a) {", "uint t = a; t = (t & 127) + (t >> 7); return t;",
     "uint t = a; t = (t & 127) + (t >> 7); t = (t & 127) + (t >> 7); return t;"},
    {"a field of a structure",
     "struct image { int width, pitch; }; kernel void f(global float *x, const struct image info) {",
     "x[info.width] = 0;", "x[info.pitch] = 0;"},
    {"one of two values", "#define FREE 0\nkernel void f(global int *x, int seen, int k) {",
     "if (seen == FREE) x[0] = k;", "if (seen == FREE || seen == k) x[0] = k;"},
    {"a template's number", "template <int BLOCK> __global__ void f(float *x, int cols) {",
     "for (int c = threadIdx.x; c < BLOCK; c += BLOCK) x[c] = 0;",
     "for (int c = threadIdx.x; c < cols; c += BLOCK) x[c] = 0;"},
    {"squared in each turn",
     "float2 mul(float2 a, float2 b) { return a; } kernel void f(global float2 *x, float2 p, int n) {",
     "for (int d = 1; d < n; d <<= 1) { x[d] = mul(p, x[0]); }",
     "for (int d = 1; d < n; d <<= 1) { x[d] = mul(p, x[0]); p = mul(p, p); }"},
    {"divided by what is on the diagonal",
     "#define A(r, c) a[(r) * n + (c)]\nkernel void f(global float *a, global float *b, int n) {",
     "for (int r = 0; r < n; r++) { float s = b[r]; for (int c = 0; c < r; c++) s -= A(r, c) * b[c]; b[r] = s; }",
     "for (int r = 0; r < n; r++) { float s = b[r]; for (int c = 0; c < r; c++) s -= A(r, c) * b[c]; b[r] = s / A(r, "
     "r); }"},
    {"roots of a stage", "kernel void f(global float *x, global const float *root, int bits, int j) {",
     "for (int s = 0; s < bits; ++s) { x[s] = root[j]; }",
     "for (int s = 0; s < bits; ++s) { x[s] = root[j << (bits - 1 - s)]; }"},
    {"a row of a table from its end", "kernel void f(global int *x, global const int *z, int n, int len, int g) {",
     "x[g] = z[n / len + g];", "x[g] = z[2 * (n / len) - 1 - g];"},
    {"the other sign by turns",
     "float sum(float a, float b) { return a + b; } kernel void f(global float *x, int t, float z) {",
     "x[t] = sum(x[t], z);", "x[t] = sum(x[t], t & 1 ? -z : z);"},
    {"those that a function names", "bool busy(int q) { return q & 1; } kernel void f(global float *x, int n) {",
     "for (int q = 0; q < n; q++) { x[q] = 0; }", "for (int q = 0; q < n; q++) { if (!busy(q)) continue; x[q] = 0; }"},
    {"a conjugate", "kernel void f(global float2 *x, int k) {", "float2 m = x[k]; x[0] = m;",
     "float2 m = x[k]; m.y = -m.y; x[0] = m;"},
    {"brackets left out", "kernel void f(global float *x, float a, float n) {", "x[0] = cos(a + 0.5f / n);",
     "x[0] = cos((a + 0.5f) / n);"},
    {"another factor for the first", "kernel void f(global float *x, int n, float s) {",
     "for (int k = 0; k < n; k++) { x[k] = s * x[k]; }",
     "for (int k = 0; k < n; k++) { x[k] = k == 0 ? s * x[k] : 2 * (s * x[k]); }"},
    {"nothing to go on from", "kernel void f(global float *x, int n, float a) {",
     "for (int d = 0; d < n; d++) { const float b = fmin(a, x[d]); x[d] = b; }",
     "for (int d = 0; d < n; d++) { const float b = d == 0 ? 0 : fmin(a, x[d]); x[d] = b; }"},
    {"a flag that is never turned", "kernel void f(global float *x, int n) {",
     "bool first = true; for (int k = 0; k < n; k++) { if (first) x[0] = 1; x[k] = 2; }",
     "bool first = true; for (int k = 0; k < n; k++) { if (first) x[0] = 1; x[k] = 2; first = false; }"},
    {"counted before it leaves", "kernel void f(global int *x, int n) {",
     "int s = 0; for (int k = 0; k < n; k++) { if (x[k] > 3) break; s += x[k]; } x[0] = s;",
     "int s = 0; for (int k = 0; k < n; k++) { s += x[k]; if (x[k] > 3) break; } x[0] = s;"},
    {"as many as it counts elsewhere", "kernel void f(global int *x, int m, int i) {", "x[4 * i] = x[m + i];",
     "x[4 * i] = x[4 * m + i];"},
};

// Words alone: brackets and spaces are not what a change is about.
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

TEST_CASE("statements that macros make need no semicolon, an event is no number, and what is pointed to is written") {
  const auto texts_of = [](const std::string& text) {
    Syntax syntax;
    read_syntax(text, syntax);
    std::vector<std::string> texts;
    for (const SourceEdit& one : edits_of(syntax, 10000)) {
      if (one.place == SourceEdit::Place::SwapNext) texts.push_back(one.text);
      texts.push_back(applied(syntax, one));
    }
    return texts;
  };
  const auto any = [](const std::vector<std::string>& texts, const std::string& part) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const std::string& text) { return text.find(part) != std::string::npos; });
  };
  const auto macros = texts_of("#define B(a) { a = -a; }\nkernel void f(float x, float y) { B(x) B(y) x = y; }");
  CHECK(any(macros, "B(y);"));
  CHECK(!any(macros, "B(y;"));
  const auto copies = texts_of(
      "kernel void f(local float *t, global float *x, int n) { event_t e = async_work_group_copy(t, x, n, 0); }");
  CHECK(any(copies, "(t, x, n + 1, 0)"));
  CHECK(!any(copies, "(t, x, n, 1)"));
  CHECK(!any(copies, "(t, x, n, n)"));
  const auto pointers = texts_of("kernel void f(global const float *x, global float *y, global float *z) { *y = *z; }");
  CHECK(any(pointers, "*z = *z;"));
  CHECK(any(pointers, "*y = *x;"));
  CHECK(!any(pointers, "*x = *z;"));
}

TEST_CASE("a macro's function gives way to another that takes the same") {
  Syntax syntax;
  read_syntax(
      "float a0(float x) { return x; }\nfloat a1(float x) { return -x; }\nint other(int x) { return x; }\n"
      "#define PAIR(x, turn) x = turn(x);\nkernel void f(float x) { PAIR(x, a0) }\n",
      syntax);
  const std::vector<SourceEdit> edits = constant_edits(syntax);
  const auto any = [&](const std::string& part) {
    return std::any_of(edits.begin(), edits.end(),
                       [&](const SourceEdit& one) { return applied(syntax, one).find(part) != std::string::npos; });
  };
  CHECK(any("PAIR(x, a1)"));
  CHECK(!any("PAIR(x, other)"));
}

TEST_CASE("a variable that is too narrow becomes wider, an array and a parameter stay") {
  Syntax syntax;
  read_syntax("kernel void f(global ushort *x, ushort n) { const ushort a = x[0] * n; ushort t[4]; t[0] = (ushort)a; }",
              syntax);
  std::set<std::string> texts;
  for (const SourceEdit& one : constant_edits(syntax))
    if (one.text == "int") texts.insert(applied(syntax, one));
  CHECK(texts ==
        std::set<std::string>{
            "kernel void f(global ushort *x, ushort n) { const int a = x[0] * n; ushort t[4]; t[0] = (ushort)a; }"});
}

TEST_CASE("what two changes make alike is tried once, and a change that is not wanted makes room for others") {
  Syntax syntax;
  read_syntax("kernel void f(global float *x, int i, int j) { x[i] = x[i] + x[j]; }", syntax);
  std::set<std::pair<bool, std::string>> texts;
  const std::vector<SourceEdit> all = edits_of(syntax, 6000);
  for (const SourceEdit& one : all) CHECK(texts.insert({one.wider, applied(syntax, one)}).second);
  const std::vector<SourceEdit> others =
      edits_of(syntax, 10, [&](const SourceEdit& one) { return !(one == all[0]) && !(one == all[1]); });
  REQUIRE(others.size() == 10);
  CHECK(others[0] == all[2]);
}

TEST_CASE("barriers that every item comes to are told from those within a condition, and put in at once") {
  Syntax syntax;
  read_syntax(
      "kernel void f(local int *s, int n) {\n int i = get_local_id(0);\n s[i] = i;\n if (i < n) s[0] = 1;\n"
      " for (int k = 0; k < n; k++) s[i] += s[k];\n for (int k = i; k < n; k += n) s[k] = 0;\n}\n",
      syntax);
  std::vector<SourceEdit> met;
  std::size_t others = 0;
  for (const SourceEdit& one : barrier_edits(syntax, {3, 4, 5, 6}, false, Fenced::Local)) {
    if (one.place != SourceEdit::Place::Before && one.place != SourceEdit::Place::Behind) continue;
    if (met_by_all(syntax, one))
      met.push_back(one);
    else
      ++others;
  }
  CHECK(others > 0);
  REQUIRE(met.size() > 3);
  std::string text = with_barriers(syntax, met);
  std::size_t count = 0;
  const std::string barrier = "barrier(CLK_LOCAL_MEM_FENCE);";
  for (std::size_t at; (at = text.find(barrier)) != std::string::npos; ++count) text.erase(at, barrier.size());
  CHECK(count == met.size());
  std::string was = syntax.text;
  for (std::string* one : {&text, &was}) std::erase_if(*one, [](char c) { return c == ' ' || c == '\n'; });
  CHECK(text == was);
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
    std::vector<SourceEdit> edits = missing_statements(syntax);
    for (SourceEdit& one : moved_declarations(syntax)) edits.push_back(std::move(one));
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
  // What each turn forgets, and the half of a grid that has nothing to do.
  const std::string rows = "__global__ void f(int *x, int w) {\n  for (int i = 0; i < w; ++i) { int carry = 0; ";
  CHECK(has(rows + "carry += x[i]; x[i] = carry; }\n}\n", "int carry = 0; for (int i = 0; i < w; ++i) {"));
  CHECK(!has(rows + "x[i] = carry; }\n}\n", "int carry = 0; for (int i = 0; i < w; ++i) {"));
  CHECK(has("__global__ void f(int *x) {\n  int bx = blockIdx.x, by = blockIdx.y;\n  x[bx] = by;\n}\n",
            "by = blockIdx.y; if (bx < by) return; x[bx] = by;"));
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
