// Sources read into expressions, changes of them, and all of the changes in one program.
#include "tracer/repair/edits/edits.h"
#include "tracer/repair/schema.h"

#include <doctest.h>

#include <algorithm>
#include <set>
#include <string>

using namespace twiddle;

namespace {

const char* const kernel = R"(#define TWICE(a) ((a) * 2)
float2 cmul(float2 a, float2 b) { return (float2)(a.x*b.x - a.y*b.y, a.x*b.y + a.y*b.x); }
__kernel void k(__global float2 *x, __global const float *w, const uint n)
{
    uint i = get_global_id(0), j = TWICE(i) % n;
    __local float t[16];
    for (uint s = 1; s < n; s <<= 1) {
        if (i < s) t[i] += w[j];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    x[i] = cmul(x[j], (float2)(t[i], 1.5e-3f));
}
)";

std::set<std::string> lines_after(const Syntax& syntax, int line) {
  std::set<std::string> lines;
  for (const SourceEdit& edit : edits_of(syntax, 100000)) {
    if (line_of(syntax, edit) != line) continue;
    const std::string text = applied(syntax, edit);
    std::size_t from = 0;
    for (int k = 1; k < line; ++k) from = text.find('\n', from) + 1;
    lines.insert(text.substr(from, text.find('\n', from) - from));
  }
  return lines;
}

}  // namespace

TEST_CASE("a source is read into functions, statements, loops and typed names") {
  Syntax syntax;
  read_syntax(kernel, syntax);
  REQUIRE(syntax.functions.size() == 2);
  CHECK(syntax.functions[0].name == "cmul");
  CHECK_FALSE(syntax.functions[0].kernel);
  CHECK(syntax.functions[1].kernel);
  CHECK(syntax.functions[0].result == ValueType{"float2"});
  CHECK(syntax.functions[1].parameters[0] == ValueType{"float2", 1, 'g'});
  CHECK(syntax.conditions.size() == 1);
  bool local = false, number = false;
  for (const Expression& one : syntax.expressions) {
    local = local || (syntax.spelling(one) == "t" && one.type == ValueType{"float", 1, 'l'});
    number = number || syntax.spelling(one) == "1.5e-3f";
  }
  CHECK(local);
  CHECK(number);
}

TEST_CASE("changes undo what people mistake, and each is one place of the text") {
  Syntax syntax;
  read_syntax(kernel, syntax);
  const auto has = [&](int line, const std::string& text) {
    CAPTURE(text);
    CHECK(lines_after(syntax, line).count(text) == 1);
  };
  has(2, "float2 cmul(float2 a, float2 b) { return (float2)(a.x*b.x - a.y*b.y, a.x*b.y - a.y*b.x); }");
  has(5, "    uint i = get_local_id(0), j = TWICE(i) % n;");
  has(7, "    for (uint s = 1; s <= n; s <<= 1) {");
  has(7, "    for (uint s = 2; s < n; s <<= 1) {");
  has(8, "        if (i <= s) t[i] += w[j];");
  has(8, "        if (i < s) t[i] += w[i];");
  has(8, "        if (i < s) t[i] = w[j];");
  has(11, "    x[j] = cmul(x[j], (float2)(t[i], 1.5e-3f));");
  has(11, "    x[i] = cmul((float2)(t[i], 1.5e-3f), x[j]);");
  // Barriers stay: under a condition they mean something else.
  CHECK(lines_after(syntax, 9).empty());
}

TEST_CASE("one program holds all changes: kernels and functions take the number, lines stay") {
  Syntax syntax;
  read_syntax(kernel, syntax);
  std::vector<SourceEdit> edits = edits_of(syntax, 100000);
  CHECK(edits.size() > 100);
  const Schema schema = schema_of(syntax, edits, 1, false, true, {"cmul"});
  CHECK(schema.text.find("const uint n,int tw_in_)") != std::string::npos);
  CHECK(schema.text.find("cmul(int tw_in_,") != std::string::npos);
  CHECK(schema.text.find("cmul(tw_in_,") != std::string::npos);
  CHECK(schema.text.find("--tw_left_>0") != std::string::npos);
  CHECK(schema.text.find("#line 1\n") != std::string::npos);
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  CHECK(lines(schema.text) == lines(syntax.text) + static_cast<std::ptrdiff_t>(schema.head_lines));
  // CUDA's compilers are told of each change's line instead.
  const Schema numbered = schema_of(syntax, edits, 1, true, true, {"cmul"});
  CHECK(numbered.text.find("#line 1000000\n") != std::string::npos);
  CHECK(edits_refused(numbered, "k.cu", "k.cu:1000003:7: error: no") == std::vector<std::uint32_t>{3});
  CHECK(edits_refused(numbered, "k.cu", "k.cu(1000004): error: no") == std::vector<std::uint32_t>{4});
  // Without changes it is the source with the number handed on.
  CHECK(schema_of(syntax, {}, 1, false, true, {"cmul"}).marks.empty());
  // A message's place is one of the changes.
  const Schema::Mark& mark = schema.marks.front();
  const std::size_t line_start = schema.text.rfind('\n', mark.begin) + 1;
  const auto line = 1 + lines(schema.text.substr(0, mark.begin)) - static_cast<std::ptrdiff_t>(schema.head_lines);
  const std::string log =
      "mine.cl:" + std::to_string(line) + ":" + std::to_string(mark.begin - line_start + 1) + ": error: no";
  const std::vector<std::uint32_t> refused = edits_refused(schema, "mine.cl", log);
  CHECK(std::find(refused.begin(), refused.end(), mark.edit) != refused.end());
  CHECK(edits_refused(schema, "other.cl", log).empty());
}

TEST_CASE("what a macro assigns to is no value") {
  Syntax syntax;
  read_syntax(
      "#define MUL(to, a) to = (a) * 2\n#define PART(a) ((a).x == 0)\n"
      "__kernel void k(__global float *x) {\n  float t, u = x[1];\n  MUL(t, u);\n  x[0] = t + PART(u);\n}\n",
      syntax);
  std::vector<std::string> written;
  for (const Expression& one : syntax.expressions)
    if (one.written && syntax.line_of(one) == 5) written.emplace_back(syntax.spelling(one));
  CHECK(written == std::vector<std::string>{"t"});
}

TEST_CASE("text that is no program is left alone") {
  for (const char* text :
       {"", "(((((", "float f(int a) { return a + ; }", "__kernel void k(", "#define", "{}{}{}]]", "int f(){for(;;)"}) {
    Syntax syntax;
    read_syntax(text, syntax);
    for (const SourceEdit& edit : edits_of(syntax, 1000)) CHECK(applied(syntax, edit) != text);
  }
  Syntax deep;
  read_syntax("int f(int a) { return " + std::string(5000, '(') + "a" + std::string(5000, ')') + "; }", deep);
  CHECK(deep.functions.size() == 1);
}

TEST_CASE("uses of macros without a semicolon are statements") {
  const std::string text =
      "#define ORDER(a, b) { int less = min(a, b); b = max(a, b); a = less; }\n"
      "#define EACH(k) for (int k = 0; k < 4; k++)\n"
      "__kernel void sort(__global int *v) {\n"
      "  ORDER(v[0], v[1]) ORDER(v[2], v[3])\n"
      "  if (v[0] > 1)\n"
      "    ORDER(v[1], v[2])\n"
      "  EACH(i) { v[i] += 2; }\n"
      "  ORDER(v[0], v[1])\n"
      "}\n";
  Syntax syntax;
  read_syntax(text, syntax);
  std::string all;
  for (const Expression& one : syntax.expressions)
    if (one.part == Part::Call && syntax.statements[one.statement].kind == Statement::Kind::Plain)
      all += std::string(syntax.spelling(one)) + "; ";
  CHECK(all == "ORDER(v[0], v[1]); ORDER(v[2], v[3]); ORDER(v[1], v[2]); ORDER(v[0], v[1]); ");
  CHECK(lines_after(syntax, 4).count("  ORDER(v[0], v[1]) ORDER(v[2], v[2])") == 1);
  CHECK(lines_after(syntax, 7).count("  EACH(i) { v[i] += 1; }") == 1);
}
