// Changes that are made for what a check sees, and tried in programs of their own: barriers, fences, atomics, first values.
#include "tracer/repair/edits/edits.h"

#include <doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace twiddle;

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
  for (const SourceEdit& edit : barrier_edits(syntax, {3, 5}, false, Fenced::Local)) {
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
  for (const SourceEdit& edit : barrier_edits(syntax, {}, false, Fenced::Local))
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
  const std::vector<SourceEdit> edits = barrier_edits(syntax, {4, 5}, false, Fenced::Local);
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

TEST_CASE(
    "where a function without barriers races, its caller's items meet around the call; and at the end of a turn") {
  Syntax syntax;
  read_syntax(
      "__device__ void exchange(int &a, int &b) {\n"
      "  if (a > b) { int t = a; a = b; b = t; }\n"
      "}\n"
      "__global__ void sort(int *x, int n) {\n"
      "  for (int h = n; h > 0; h /= 2) {\n"
      "    exchange(x[h], x[0]);\n"
      "    x[1] = h;\n"
      "    n += h;\n"
      "  }\n"
      "}\n",
      syntax);
  const auto cost_of = [&](const std::set<int>& lines, const std::string& part) {
    double cost = 100;
    for (const SourceEdit& edit : barrier_edits(syntax, lines, true, Fenced::Local))
      if (applied(syntax, edit).find(part) != std::string::npos) cost = std::min(cost, edit.cost);
    return cost;
  };
  const std::string barrier = "__syncthreads();";
  CHECK(cost_of({2}, barrier + " exchange(x[h], x[0]);") < cost_of({2}, barrier + " if (a > b)"));
  CHECK(cost_of({2}, barrier + " if (a > b)") < 100);
  CHECK(cost_of({7}, "n += h; " + barrier) < cost_of({7}, "x[1] = h; " + barrier));
  CHECK(cost_of({7}, "x[1] = h; " + barrier) < 100);
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
  for (const SourceEdit& edit : barrier_edits(syntax, {3, 4}, false, Fenced::Local))
    if (applied(syntax, edit).find("s[0] = a; barrier") != std::string::npos) {
      ++seen;
      CHECK(line_after(syntax, edit, {3, 4}) == 4);
    }
  CHECK(seen > 0);
}

TEST_CASE("text is put before or behind a statement only where the rest stays as it is") {
  Syntax syntax;
  read_syntax(
      "kernel void f(local float *s, int n) {\n"
      "  if (n > 1) s[0] = 1;\n"
      "  else s[1] = 2;\n"
      "  s[2] = 3;\n"
      "}\n",
      syntax);
  for (std::uint32_t k = 0; k < syntax.statements.size(); ++k) {
    const Statement& one = syntax.statements[k];
    if (one.kind != Statement::Kind::Plain) continue;
    const int line = syntax.lexemes[one.first].line;
    SourceEdit edit{SourceEdit::Place::Before, EditKind::More, k, 0, "barrier(0);", 1, {}};
    CHECK(may_be_put(syntax, edit) == (line == 4));
    edit.place = SourceEdit::Place::Behind;
    CHECK(may_be_put(syntax, edit) == (line != 2));
  }
}

TEST_CASE("a number that should have fewer bits gets a type that the file has") {
  Syntax syntax;
  read_syntax("kernel void f(global short *x, int a) {\n  short u = x[1];\n  int t = a * u;\n  x[0] = t >> 3;\n}\n",
              syntax);
  const std::vector<SourceEdit> edits = constant_edits(syntax);
  CHECK(std::any_of(edits.begin(), edits.end(), [&](const SourceEdit& edit) {
    return applied(syntax, edit).find("short t = a * u") != std::string::npos;
  }));
}
