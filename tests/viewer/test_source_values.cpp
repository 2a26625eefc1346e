#include "values.h"
#include "viewer/words/source_values.h"

#include <doctest.h>

#include <algorithm>
#include <cstring>

using namespace twiddle;

namespace {

constexpr const char* source_text = R"(// the stage: int i0 = 7; is only a comment
kernel void
fft_stage(global float2 *F, int span,
          int sign TRACE_PARAMS)
{
  int g = get_global_id(0);
  /* int i0 = 99; */
  int i0 = g / 2;
  int i1 = i0 + 2;
  int l = (int)get_local_id(0), z = 0;
  float2 w = twiddle(g, span);
  float2 a = F[i0], b = F[i1];
  float2 t = cmul(w, b);
  F[i0] = a + t;
  F[ i1 ] = a - t;
  if (a.x == b.x) w2 = 1;
  TRACE_BUTTERFLY(F, i0, i1, w,
                  a, b);
}

kernel void other(global float2 *F TRACE_PARAMS)
{
  Pair p = pair_of(get_global_id(0), 2);
  TRACE_SWAP(F, p.i0, p.i1, F[p.i0], q(1, 2));
}
)";

TraceInfo info_of_text() {
  TraceInfo info;
  info.sources = {{"kernel.cl", source_text}};
  info.sites = {{0, 17, 18, "TRACE_BUTTERFLY", {"F", ""}}, {0, 24, 24, "TRACE_SWAP", {"F", ""}}};
  BufferInfo buffer;
  buffer.name = "F";
  buffer.count = 8;
  info.buffers = {buffer};
  LaunchInfo launch;
  launch.number = 1;
  launch.kernel = "fft_stage";
  launch.global = {4, 1, 1};
  launch.local = {2, 1, 1};
  launch.arguments = {"F", "int:4", "int:-1"};
  info.launches = {launch};
  launch.number = 2;
  launch.kernel = "other";
  launch.arguments = {"F"};
  info.launches.push_back(launch);
  return info;
}

Operation logged_butterfly() {
  Operation operation;
  operation.launch = 1;
  operation.item = 3;
  operation.line = 17;
  operation.kind = OperationKind::Butterfly;
  operation.shape = Shape::Butterfly2;
  operation.reads.push({0, 1, true, complex_value(-4, 0)});
  operation.reads.push({0, 3, true, complex_value(-5, 0)});
  operation.coefficients.push(complex_value(0, -1));
  operation.writes.push({0, 1, true, complex_value(-4, 5)});
  operation.writes.push({0, 3, true, complex_value(-4, -5)});
  return operation;
}

std::string value_on(const std::vector<LineValue>& values, int line, const std::string& name) {
  for (const LineValue& value : values)
    if (value.line == line && value.name == name) return value.text;
  return "";
}

}  // namespace

TEST_CASE("the trace line's arguments are on the lines that define them") {
  const std::vector<LineValue> values = live_values(info_of_text(), logged_butterfly());
  CHECK(value_on(values, 6, "g") == "3");
  CHECK(value_on(values, 8, "i0") == "1");
  CHECK(value_on(values, 9, "i1") == "3");
  CHECK(value_on(values, 11, "w") == "(0, −1)");
  CHECK(value_on(values, 12, "a") == "(−4, 0)");
  CHECK(value_on(values, 12, "b") == "(−5, 0)");
  CHECK(value_on(values, 14, "F[i0]") == "(−4, 5)");
  CHECK(value_on(values, 15, "F[i1]") == "(−4, −5)");
  CHECK(value_on(values, 3, "span") == "span = 4");
  CHECK(value_on(values, 4, "sign") == "sign = −1");
  // Nothing else: not t, which was not logged, not l, whose line defines more, and no comment.
  CHECK(values.size() == 10);
  CHECK(std::is_sorted(values.begin(), values.end(),
                       [](const LineValue& a, const LineValue& b) { return a.line < b.line; }));
}

TEST_CASE("values that were not logged are not shown") {
  Operation bare = logged_butterfly();
  for (int i = 0; i < 2; ++i) bare.reads[i].known = bare.writes[i].known = false;
  const std::vector<LineValue> values = live_values(info_of_text(), bare);
  CHECK(value_on(values, 8, "i0") == "1");
  CHECK(value_on(values, 12, "a").empty());
  CHECK(value_on(values, 14, "F[i0]").empty());
  CHECK(value_on(values, 11, "w") == "(0, −1)");
}

TEST_CASE("a member was known when its struct was; expressions are no variables") {
  Operation swap;
  swap.launch = 2;
  swap.item = 1;
  swap.line = 24;
  swap.kind = OperationKind::Swap;
  swap.shape = Shape::Swap;
  swap.reads.push({0, 1, true, complex_value(1, 0)});
  swap.reads.push({0, 4, true, complex_value(4, 0)});
  const std::vector<LineValue> values = live_values(info_of_text(), swap);
  REQUIRE(values.size() == 2);
  CHECK(value_on(values, 23, "p.i0") == "1");
  CHECK(value_on(values, 23, "p.i1") == "4");
}

TEST_CASE("kernels are found in any layout") {
  const std::vector<std::string> lines = source_lines(source_text);
  const LineRange stage = kernel_lines(lines, "fft_stage");
  CHECK(stage.first == 2);
  CHECK(stage.last == 19);
  const LineRange other = kernel_lines(lines, "other");
  CHECK(other.first == 21);
  CHECK(other.last == 25);
  CHECK(kernel_lines(lines, "missing").first == 0);
  CHECK(kernel_lines(lines, "").first == 0);
}

TEST_CASE("sources that make no sense give no values and no crash") {
  TraceInfo info = info_of_text();
  const Operation operation = logged_butterfly();
  for (const char* text :
       {"", "/*", "/", "kernel void fft_stage(", "fft_stage(a,,b){TRACE_BUTTERFLY(", "\n\n\n}}}}{{{{(((("}) {
    info.sources[0].text = text;
    CHECK(live_values(info, operation).empty());
  }
  info.sources.clear();
  CHECK(live_values(info, operation).empty());
  Operation lost = operation;
  lost.launch = 9;
  CHECK(live_values(info_of_text(), lost).empty());
  lost = operation;
  lost.line = 100000;
  CHECK(live_values(info_of_text(), lost).empty());
}

TEST_CASE("lines lose their ends, and tabs become spaces") {
  CHECK(source_lines("a\r\n\tb\n\nc") == std::vector<std::string>{"a", "    b", "", "c"});
  CHECK(source_lines("").empty());
}
