// `twiddle check --minimise`: what is left fails as what was given did.
#include "run_program.h"
#include "test_support.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

using namespace twiddle;
using nlohmann::json;

namespace {

// A copy, an unrelated launch, and a kernel whose third element from the end of a group is shared; all of it with 64 points.
void write_case(const TestFolder& folder, const std::string& body, const std::string& expect) {
  std::ofstream(folder.file("mine.cl")) << "kernel void copy(global const float *in, global float *out)\n{\n"
                                           "  int i = get_global_id(0);\n  out[i] = in[i];\n}\n"
                                           "kernel void work(global float *x, int n)\n{\n  int i = get_global_id(0);\n"
                                        << body << "}\n";
  std::ofstream(folder.file("mine.toml")) << R"toml(
signal = "random:3"
[parameters]
n = 64
half = "n / 2"
[[buffer]]
name = "in"
type = "float"
count = "n"
content = "signal"
[[buffer]]
name = "other"
type = "float"
count = "n"
[[buffer]]
name = "x"
type = "float"
count = "n"
[[launch]]
source = "mine.cl"
kernel = "copy"
global = ["n"]
local = ["min(n, 8)"]
args = ["in", "other"]
[[launch]]
source = "mine.cl"
kernel = "copy"
global = ["n"]
local = ["min(n, 8)"]
args = ["in", "x"]
[[launch]]
source = "mine.cl"
kernel = "work"
global = ["n"]
local = ["min(n, 8)"]
args = ["x", "int:n"]
)toml" << expect;
}

}  // namespace

TEST_CASE("a mistake of memory is left with its launch, its items and a simple signal") {
  TestFolder folder;
  write_case(folder, "  if (i == 3) x[n + 1] = 1;\n", "");
  const Ran before = run_program(folder, {"check", "mine.toml"});
  CHECK(before.code == 1);
  CHECK(contains(before.out, "twiddle check mine.toml --minimise -o DIR\n"));
  const Ran made = run_program(folder, {"check", "mine.toml", "--minimise", "-o", "small"});
  REQUIRE_MESSAGE(made.code == 0, made.err);
  CHECK_MESSAGE(contains(made.out, "n           64 -> 4\n"), made.out);
  CHECK_MESSAGE(contains(made.out, "launches    3 -> 1\n"), made.out);
  CHECK(contains(made.out, "out-of-bounds"));
  const std::string plan = content_of(folder.file("small/mine.toml"));
  CHECK_MESSAGE(!contains(plan, "\"other\""), plan);
  CHECK(content_of(folder.file("small/mine.cl")) == content_of(folder.file("mine.cl")));
  const json findings = json::parse(run_program(folder, {"check", "small/mine.toml", "--json"}).out)["findings"];
  CHECK(findings[0]["class"] == "out-of-bounds");
  CHECK(findings[0]["line"] == 9);
  CHECK(findings[0]["items"] == json{3});
  // Nothing of the user's is overwritten.
  check_failure(run_program(folder, {"check", "mine.toml", "--minimise", "-o", "small"}), 2, "is there already");
}

TEST_CASE("a wrong outcome keeps all that it is the outcome of") {
  TestFolder folder;
  write_case(folder, "  x[i] = i < 6 ? x[i] : 0;\n", "[expect]\ntransform = \"equals:in\"\noutput = \"x\"\n");
  const Ran made = run_program(folder, {"check", "mine.toml", "--minimise", "-o", "small"});
  REQUIRE_MESSAGE(made.code == 0, made.err);
  CHECK_MESSAGE(contains(made.out, "n           64 -> 7\n"), made.out);
  CHECK_MESSAGE(!contains(made.out, "launches"), made.out);
  const std::string plan = content_of(folder.file("small/mine.toml"));
  CHECK_MESSAGE(contains(plan, "count = 7\n"), plan);
  const json findings = json::parse(run_program(folder, {"check", "small/mine.toml", "--json"}).out)["findings"];
  CHECK(findings[0]["severity"] == "error");
  CHECK(findings[0]["line"] == 9);
}

TEST_CASE("what --minimise cannot do") {
  TestFolder folder;
  write_case(folder, "  x[i] += n;\n", "");
  check_failure(run_program(folder, {"check", "mine.toml", "--minimise", "-o", "small"}), 2, "nothing is wrong with");
  check_failure(run_program(folder, {"check", "mine.toml", "--minimise"}), 2, "takes -o DIR");
  check_failure(run_program(folder, {"check", "mine.toml", "--minimise", "-o", "small", "--json"}), 2, "--json");
  check_failure(run_program(folder, {"check", "mine.twd", "--minimise", "-o", "small"}), 2, "is a trace");
  // A kernel of the catalogue's needs no copy.
  const Ran gallery = run_program(folder, {"check", "gallery/wrong-sign", "--n", "16", "--minimise", "-o", "sign"});
  REQUIRE_MESSAGE(gallery.code == 0, gallery.err);
  CHECK_MESSAGE(contains(gallery.out, "n           16 -> 4\n"), gallery.out);
  CHECK(run_program(folder, {"check", "sign/gallery-wrong-sign-n16.toml"}).code == 1);
}
