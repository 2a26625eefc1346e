// What changes cost: of those that make an outcome right, the one that people would make is the cheapest.
#include "edit_words.h"
#include "tracer/repair/edits/edits.h"

#include <doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace twiddle;

namespace {

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

TEST_CASE("nothing is added as nought, and no function reads and writes one array") {
  const std::string pitch = "kernel void f(local float *t, int i, int n) { t[i * (n + 1)] = 0; }";
  CHECK(cost_in(pitch, "t[i * (n + 0)]") > cost_in(pitch, "t[i * (n + 2)]"));
  const std::string call =
      "void g(global float *a, global float *b) {}\n"
      "kernel void f(global float *x, global float *y, global float *z) { g(x, y); z[0] = 1; }";
  CHECK(cost_in(call, "g(x, x)") > cost_in(call, "g(x, z)"));
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

TEST_CASE("one more or less in an argument is likelier than a loop that counts to its end") {
  const std::string reversed =
      "int flip(int v, int bits) { int r = 0; for (int i = 0; i < bits; i++) r = 2 * r + ((v >> i) & 1); return r; }\n"
      "kernel void f(global int *x, int i, int logn) { x[flip(i, logn - 1)] = i; }";
  REQUIRE(cost_in(reversed, "i <= bits") < 100);
  CHECK(cost_in(reversed, "flip(i, logn)]") < cost_in(reversed, "i <= bits"));
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
  const std::string once = "__global__ void f(int *x, int sum, int many) { for (int w = 0; w < 1; w++) x[w] += sum; }";
  CHECK(cost_in(once, "w < many") < cost_in(once, "x[w] += many"));
  const std::string counts =
      "__global__ void f(int *x, int sum, int many) { for (int w = 0; w < many; w++) x[w] += sum; }";
  CHECK(cost_in(counts, "sum < many") > cost_in(counts, "w < sum") + 0.2);
}

TEST_CASE("a length is divided into parts that are rounded up, and a mask has no other sign") {
  const std::string parts = "kernel void f(global int *x, int n, int t) { int part = n / t; x[part] = 0; }";
  CHECK(cost_in(parts, "(n + t - 1) / t") < cost_in(parts, "n % t"));
  const std::string place = "int f(int i, int w) { int row = i / w; return row; }";
  CHECK(cost_in(place, "i % w") < cost_in(place, "(i + w - 1) / w"));
  const std::string mask = "kernel void f(global uint *x, uint r) { x[0] = r & 0x3333333u; }";
  CHECK(cost_in(mask, "0x33333333u") + 1 < cost_in(mask, "-0x3333333u"));
}
