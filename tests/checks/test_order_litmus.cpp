// Litmus tests of order between groups, as kernels of both languages: kernels named right_… have no error, kernels named wrong_…
// have a race and nothing else.
#include "checked.h"
#include "kernels/plan/plan.h"
#include "own_kernel.h"

#include <doctest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

using namespace twiddle;

namespace {

namespace fs = std::filesystem;

void run_litmus(const std::string& language, const std::string& runtime_name) {
  Runtime* runtime = device_of(runtime_name);
  if (!runtime) return;
  std::ifstream in(fs::path(TWIDDLE_TEST_DATA) / "litmus" / ("order." + language));
  std::stringstream text;
  text << in.rdbuf();
  const std::string source = text.str();
  const synthetic::Folder folder;
  std::ofstream(folder / ("order." + language)) << source;
  std::ofstream plan(folder / "plan.toml");
  if (language == "cl") plan << "options = \"-cl-std=CL3.0\"\n";
  for (const char* buffer : {"flags", "box", "out"})
    plan << "[[buffer]]\nname = \"" << buffer << "\"\ntype = \"int\"\ncount = 256\ncontent = \"zero\"\n";
  std::vector<std::string> kernels;
  const std::regex named("void ((right|wrong)_\\w+)\\(");
  for (std::sregex_iterator at(source.begin(), source.end(), named), end; at != end; ++at) {
    plan << "[[launch]]\nsource = \"order." << language << "\"\nkernel = \"" << (*at)[1]
         << "\"\nglobal = [8]\nlocal = [2]\n"
         << "args = [\"flags\", \"box\", \"out\", \"int:" << 8 * kernels.size() << "\"]\n";
    kernels.push_back((*at)[1]);
  }
  plan.close();
  REQUIRE(kernels.size() >= 15);
  REQUIRE(kernels.size() <= 32);
  CheckedRun run;
  try {
    run = checked(read_plan_file(folder / "plan.toml"), *runtime);
  } catch (const Error& error) {
    MESSAGE("skipped: " << error.message().english());  // a device without OpenCL C 3.0's atomics
    REQUIRE(language == "cl");
    return;
  }
  std::map<int, std::set<std::string>> found;
  for (const Finding& finding : run.findings)
    if (finding.severity == Severity::Error) found[finding.launch].insert(std::string(name_of(finding.kind)));
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    CAPTURE(kernels[k]);
    const bool wrong = kernels[k].rfind("wrong", 0) == 0;
    CHECK(found[static_cast<int>(k) + 1] == (wrong ? std::set<std::string>{"race"} : std::set<std::string>()));
  }
  CHECK(run.info.complete);
}

}  // namespace

TEST_CASE("order between groups: what OpenCL's orders, scopes and fences make") { run_litmus("cl", "opencl"); }
TEST_CASE("order between groups: what CUDA's fences, scopes and atomics make") { run_litmus("cu", "host"); }

TEST_CASE("order between groups: a barrier of the block is none of the grid, in a cooperative launch either") {
  struct Case {
    std::string first, second;  // what comes between writing and reading
    bool race;
  };
  const std::string grid = "grid.sync();", block = "__syncthreads();", some = "if (blockIdx.x == 1) __syncthreads();";
  for (const Case& one : {Case{grid, "", false}, Case{block, "", true}, Case{some, grid, false},
                          Case{grid, some, false}, Case{block, block, true}}) {
    CAPTURE(one.first);
    CAPTURE(one.second);
    OwnKernel own(
        "#include <cooperative_groups.h>\n"
        "extern \"C\" __global__ void pass_on(const int *x, int *box, int *out) {\n"
        "  cooperative_groups::grid_group grid = cooperative_groups::this_grid();\n"
        "  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;\n"
        "  box[i] = x[i] + 1;\n"
        "  " +
            one.first + "\n  " + one.second +
            "\n"
            "  const int other = box[n - 1 - i];\n"
            "  grid.sync();\n"
            "  out[i] = other;\n"
            "}\n",
        ".cu");
    const auto x = own.buffer("x", ElementType::Int, 8, Content::Kind::Iota);
    const auto box = own.buffer("box", ElementType::Int, 8);
    const auto out = own.buffer("out", ElementType::Int, 8);
    own.launch("pass_on", 8, 2, {x, box, out});
    own.plan.launches.back().cooperative = true;
    const CheckedRun run = checked(own.plan, *device_of("host"));
    std::set<std::string> errors;
    for (const Finding& finding : run.findings)
      if (finding.severity == Severity::Error) errors.insert(std::string(name_of(finding.kind)));
    CHECK(errors == (one.race ? std::set<std::string>{"race"} : std::set<std::string>()));
  }
}
