// A fix applied to a text, and as a diff.
#include "tracer/checks/fix_lines.h"

#include <doctest.h>

using namespace twiddle;

namespace {

Fix fix_of(int line, const std::string& is, const std::string& should) {
  Fix fix;
  fix.file = "mine.cl";
  fix.line = line;
  fix.is = is;
  fix.should = should;
  return fix;
}

}  // namespace

TEST_CASE("a fix replaces its lines, and their indentation and ends stay") {
  struct Case {
    const char* text;
    Fix fix;
    const char* with;  // empty: the text has other lines there
  };
  const Case cases[] = {
      {"a\n  b = 1;  \nc\n", fix_of(2, "b = 1;", "b = 2;"), "a\n  b = 2;\nc\n"},
      {"a\r\n\tb;\r\n", fix_of(2, "b;", "b;\nc;"), "a\r\n\tb;\r\nc;\r\n"},
      {"a\n  b;\n    c;", fix_of(2, "b;\n    c;", "d;"), "a\n  d;"},
      {"a\nb\n", fix_of(2, "c", "d"), ""},
      {"a\nb\n", fix_of(3, "b", "d"), ""},
      {"a\nb\n", fix_of(2, "b\nc", "d"), ""},
      {"", fix_of(1, "b", "d"), ""},
  };
  for (const Case& one : cases) {
    CAPTURE(one.text);
    CHECK(with_fix(one.text, one.fix).value_or("") == one.with);
  }
}

TEST_CASE("a diff has the changed lines with three around them, as patch takes it") {
  struct Case {
    const char *before, *after, *diff;
  };
  const Case cases[] = {
      {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\ny\n6\n7\n8\n9\n",
       "--- a/k.cl\n+++ b/k.cl\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+x\n+y\n 6\n 7\n 8\n"},
      {"a\n", "b\n", "--- a/k.cl\n+++ b/k.cl\n@@ -1 +1 @@\n-a\n+b\n"},
      {"a\nb", "a\nc",
       "--- a/k.cl\n+++ b/k.cl\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n"
       "\\ No newline at end of file\n"},
      {"", "a\n", "--- a/k.cl\n+++ b/k.cl\n@@ -0,0 +1 @@\n+a\n"},
      {"a\nb\nb\nc\n", "a\nb\nc\n", "--- a/k.cl\n+++ b/k.cl\n@@ -1,4 +1,3 @@\n a\n b\n-b\n c\n"},
      {"a\n", "a\n", ""},
  };
  for (const Case& one : cases) {
    CAPTURE(one.before);
    CHECK(diff_of("k.cl", one.before, one.after) == one.diff);
  }
}
