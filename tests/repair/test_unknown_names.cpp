// What a compiler says of one name keeps other changes with it out of the next program.
#include "tracer/repair/unknown_names.h"

#include <doctest.h>

#include <set>
#include <string>

using namespace twiddle;

namespace {

const char* const source =
    "__device__ int twice(int a) { return a + a; }\n"
    "__global__ void k(int *x, int n) {\n"
    "  for (int i = 0; i < n; ++i) {\n"
    "    int step = i;\n"
    "    x[i] = step + n;\n"
    "  }\n"
    "  x[n] = n * 2;\n"
    "}\n";

// The number of the expression that is spelled so, on the line.
std::uint32_t expression(const Syntax& syntax, const std::string& spelling, int line) {
  for (std::uint32_t e = 0; e < syntax.expressions.size(); ++e)
    if (syntax.spelling(syntax.expressions[e]) == spelling && syntax.line_of(syntax.expressions[e]) == line) return e;
  FAIL("no ", spelling);
  return 0;
}

SourceEdit in_place_of(const Syntax& syntax, const std::string& spelling, int line, const std::string& text) {
  SourceEdit edit;
  edit.target = expression(syntax, spelling, line);
  edit.text = text;
  return edit;
}

}  // namespace

TEST_CASE("compilers' messages name what is not declared") {
  CHECK(undeclared_in("k.cu:7:3: error: 'step' was not declared in this scope; did you mean 'stop'?") ==
        std::set<std::string>{"step"});
  CHECK(undeclared_in("k.cl:7:3: error: use of undeclared identifier 'i'\nk.cl:8:1: error: use of undeclared "
                      "identifier 'j'") == std::set<std::string>{"i", "j"});
  CHECK(undeclared_in("k.cu(7): error: identifier \"N\" is undefined") == std::set<std::string>{"N"});
  CHECK(undeclared_in("k.cu:7:1: error: there are no arguments to \xe2\x80\x98"
                      "enter\xe2\x80\x99 that depend on a "
                      "template parameter") == std::set<std::string>{"enter"});
  CHECK(undeclared_in("k.cu:7:3: error: expected ';'").empty());
}

TEST_CASE("a name that is not known in a function is not tried there again, but where a variable is called so") {
  Syntax syntax;
  read_syntax(source, syntax);
  UnknownNames unknown;
  const SourceEdit outside = in_place_of(syntax, "2", 7, "step");
  CHECK(!unknown.any_in(0, syntax, outside));
  unknown.note(0, syntax, outside, "step");
  CHECK(unknown.any_in(0, syntax, outside));
  CHECK(unknown.any_in(0, syntax, in_place_of(syntax, "n * 2", 7, "n * (step + 1)")));
  // Another name, a member, a namespace's, what the change declares itself.
  CHECK(!unknown.any_in(0, syntax, in_place_of(syntax, "2", 7, "steps")));
  CHECK(!unknown.any_in(0, syntax, in_place_of(syntax, "2", 7, "n.step")));
  CHECK(!unknown.any_in(0, syntax, in_place_of(syntax, "2", 7, "my::step")));
  SourceEdit own;
  own.place = SourceEdit::Place::After;
  own.text = "{ int step = n; x[0] = step; }";
  own.target = syntax.expressions[outside.target].statement;
  CHECK(!unknown.any_in(0, syntax, own));
  own.text = "x[0] = step;";
  CHECK(unknown.any_in(0, syntax, own));
  // Where a variable of that name is seen; another function; another file.
  CHECK(!unknown.any_in(0, syntax, in_place_of(syntax, "n", 5, "step * n")));
  CHECK(!unknown.any_in(0, syntax, in_place_of(syntax, "a + a", 1, "a + step")));
  CHECK(!unknown.any_in(1, syntax, outside));
  // The second of two places.
  SourceEdit two = in_place_of(syntax, "n", 5, "i");
  two.also.push_back({outside.target, "step"});
  CHECK(unknown.any_in(0, syntax, two));
}
