// Small kernels that are wrong in one place, and the repair that the search names: its line and its text. What it names is put
// into the source, and the plan is run again on an input that the search never saw.
#include "checked.h"
#include "kernels/catalogue/reference.h"
#include "run_program.h"
#include "tracer/repair/repair.h"

#include <doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace twiddle;

namespace {

struct Wrong {
  const char* what;
  const char* source;  // of kernel k
  const char* plan;    // behind the launch's source and kernel
  int line;
  const char* should;
};

const char* const sum_plan = R"(global = [8]
local = [8]
args = ["x", "y", "int:n"]
[expect]
transform = "scan"
input = "x"
output = "y")";

const std::vector<Wrong> kernels = {
    {"an operator",
     "KERNEL void k(GLOBAL float *x, GLOBAL float *y, int n)\n{\n  int i = ID;\n  float s = 0;\n  for (int j = 0; j < "
     "i; ++j)\n    s += x[j];\n  y[i] = s;\n}\n",
     sum_plan, 5, "for (int j = 0; j <= i; ++j)"},
    {"a variable",
     "KERNEL void k(GLOBAL float *x, GLOBAL float *y, int n)\n{\n  int i = ID;\n  float s = 0;\n  for (int j = 0; j <= "
     "i; ++j)\n    s += x[i];\n  y[i] = s;\n}\n",
     sum_plan, 6, "s += x[j];"},
    {"a number",
     "KERNEL void k(GLOBAL float *x, GLOBAL float *y, int n)\n{\n  int i = ID;\n  float s = 0;\n  for (int j = 1; j <= "
     "i; ++j)\n    s += x[j];\n  y[i] = s;\n}\n",
     sum_plan, 5, "for (int j = 0; j <= i; ++j)"},
    {"statements exchanged",
     "KERNEL void k(GLOBAL float *x, GLOBAL float *y, int n)\n{\n  int i = ID;\n  float a = 0, s = 0;\n  for (int j = "
     "0; j <= i; ++j) {\n    a = s + x[j];\n    s = a;\n  }\n  s = 0;\n  y[i] = s;\n}\n",
     sum_plan, 9, ";"},
    {"a sort, which is not linear",
     "KERNEL void k(GLOBAL float *x, GLOBAL float *y, int n)\n{\n  int i = ID;\n  int place = 0;\n  for (int j = 0; j "
     "< n; ++j)\n    place += x[j] > x[i];\n  y[place] = x[i];\n}\n",
     "global = [8]\nlocal = [8]\nargs = [\"x\", \"y\", \"int:n\"]\n[expect]\ntransform = \"sort\"\ninput = "
     "\"x\"\noutput = \"y\"",
     6, "place += x[j] < x[i];"},
};

void check_repairs(Runtime& runtime, const std::string& extension, const std::string& head) {
  const auto head_lines = static_cast<int>(std::count(head.begin(), head.end(), '\n'));
  for (const Wrong& wrong : kernels) {
    CAPTURE(wrong.what);
    const TestFolder folder;
    const auto write = [&](const std::string& name, const std::string& text) {
      std::ofstream(folder.file(name)) << text;
    };
    const std::string source = "mine" + extension;
    write(source, head + wrong.source);
    write("mine.toml",
          "title = \"t\"\nsignal = \"random:5\"\n[parameters]\nn = 8\n[[buffer]]\nname = \"x\"\ntype = \"float\"\n"
          "count = \"n\"\ncontent = \"signal\"\n[[buffer]]\nname = \"y\"\ntype = \"float\"\ncount = \"n\"\n"
          "[[launch]]\nsource = \"" +
              source + "\"\nkernel = \"k\"\n" + wrong.plan + "\n");
    const Plan plan = read_plan_file(folder.file("mine.toml"));
    const CheckedRun before = checked(plan, runtime);
    REQUIRE(wants_repair(before.info, before.findings));
    const Repaired repaired = search_repair(plan, runtime);
    REQUIRE_FALSE(repaired.repairs.empty());
    const Repair& best = repaired.repairs.front();
    CHECK(best.line == wrong.line + head_lines);
    CHECK(best.should == wrong.should);
    CHECK_FALSE(best.effect.empty());

    // As the sentence says, on another input.
    std::istringstream lines(head + wrong.source);
    std::string text, line;
    for (int number = 1; std::getline(lines, line); ++number) text += (number == best.line ? best.should : line) + "\n";
    write(source, text);
    Plan again = read_plan_file(folder.file("mine.toml"));
    again.signal = "random:987";
    CHECK_FALSE(checked(again, runtime).any_errors());

    const std::vector<Finding> findings = with_repair(before.info, before.findings, repaired);
    REQUIRE_FALSE(findings.empty());
    CHECK(findings.front().line == wrong.line + head_lines);
    REQUIRE(findings.front().fix);
    CHECK(json_of(before.info, findings).find("\"should\"") != std::string::npos);
    CHECK(sarif_of(before.info, findings).find("\"fixes\"") != std::string::npos);
    CHECK(to_json(repaired_from_json(to_json(repaired))) == to_json(repaired));
  }
}

}  // namespace

TEST_CASE("small wrong kernels are repaired: OpenCL") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  check_repairs(*runtime, ".cl", "#define KERNEL __kernel\n#define GLOBAL __global\n#define ID get_global_id(0)\n");
}
TEST_CASE("small wrong kernels are repaired: CUDA, on the host") {
  Runtime* runtime = device_of("host");
  REQUIRE(runtime);
  check_repairs(*runtime, ".cu",
                "#define KERNEL __global__\n#define GLOBAL\n#define ID (blockIdx.x * blockDim.x + threadIdx.x)\n");
}

TEST_CASE("a plan that is wrong is repaired at its line") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  const TestFolder folder;
  std::ofstream(folder.file("mine.cl"))
      << "__kernel void k(__global const float *x, __global float *y, int rows, int columns)\n{\n"
         "  int r = get_global_id(1), c = get_global_id(0);\n  if (r < rows && c < columns) y[c * rows + r] = x[r * "
         "columns + c];\n}\n";
  std::ofstream(folder.file("mine.toml"))
      << "title = \"t\"\nsignal = \"random:5\"\n[[buffer]]\nname = \"x\"\ntype = \"float\"\ncount = 12\nshape = [3, "
         "4]\n"
         "content = \"signal\"\n[[buffer]]\nname = \"y\"\ntype = \"float\"\ncount = 12\nshape = [4, 3]\n"
         "[[launch]]\nsource = \"mine.cl\"\nkernel = \"k\"\nglobal = [4, 4]\nlocal = [4, 4]\n"
         "args = [\"x\", \"y\", \"int:4\", \"int:3\"]\n[expect]\ntransform = \"transpose\"\ninput = \"x\"\noutput = "
         "\"y\"\n";
  const Plan plan = read_plan_file(folder.file("mine.toml"));
  const Repaired repaired = search_repair(plan, *runtime);
  REQUIRE_FALSE(repaired.repairs.empty());
  CHECK(repaired.repairs.front().plan);
  CHECK(repaired.repairs.front().line == 18);
  CHECK(repaired.repairs.front().should == "args = [\"x\", \"y\", \"int:3\", \"int:4\"]");
}

TEST_CASE("a plan too large for a search is said to be") {
  Runtime* runtime = device_of("host");
  REQUIRE(runtime);
  const TestFolder folder;
  std::ofstream(folder.file("mine.cu"))
      << "__global__ void k(float *y) { y[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n";
  std::ofstream(folder.file("mine.toml")) << "title = \"t\"\n[[buffer]]\nname = \"y\"\ntype = \"float\"\ncount = "
                                             "1048576\n[[launch]]\nsource = \"mine.cu\"\n"
                                             "kernel = \"k\"\nglobal = [1048576]\nlocal = [256]\nargs = [\"y\"]\n";
  const Repaired repaired = search_repair(read_plan_file(folder.file("mine.toml")), *runtime);
  CHECK(repaired.repairs.empty());
  REQUIRE(repaired.unsearched.size() == 1);
  CHECK(repaired.unsearched[0].find("1048576 work-items") != std::string::npos);
}
