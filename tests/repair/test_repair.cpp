// The search as a whole: a wrong kernel of a family, the line that it names, and that the kernel is right with what it says. On the
// host executor here, which survives what changed kernels do; OpenCL's by the program, in processes of their own.
#include "sample.h"
#include "tracer/repair/repair.h"
#include "tracer/repair/trial.h"

#include "base/temporary_folder.h"
#include "checked.h"
#include "run_program.h"
#include "tracer/repair/edits/edits.h"

#include <doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace twiddle;
namespace fs = std::filesystem;

namespace {

struct Wrong {
  std::string family, language, kernel;
  bool in_plan = false;
  std::string right, wrong;
  int line = 0;
};

const std::vector<Wrong> cases{
    {"FFT, decimation in frequency", "cuda", "fft_dif_inplace", false, "(u - v) *", "(v - u) *", 24},
    {"convolution, its plan", "cuda", "conv_full_scatter", true, R"("int:20", "b", "int:9")",
     R"("int:9", "b", "int:20")", 27},
    {"FFT by prime factors, two places at once", "cuda", "good_thomas15", false, "(5 * i + 3 * j) % 15",
     "(3 * i + 5 * j) % 15", 25},
    {"dynamic programming, beside a kernel to compare with", "cuda", "edit_distance", false, "v = longer(one",
     "v = min(one", 25},
    {"transpose, stored in rows and read in rows", "cuda", "transpose_diag", false,
     "tile[threadIdx.x][threadIdx.y + i]", "tile[threadIdx.y + i][threadIdx.x]", 28},
    {"reduction", "cuda", "max_rows_hw", false, "best = __reduce_max_sync", "best = __reduce_min_sync", 9},
};

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}
void put(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

// The kernel, its plan and what both read, in a folder of their own. Returns the plan's file.
fs::path copied(const std::string& language, const std::string& kernel, const fs::path& to) {
  const fs::path from = fs::path(TWIDDLE_TEST_DATA) / "../foreign" / language;
  for (const fs::directory_entry& entry : fs::directory_iterator(from))
    if (entry.path().stem() == kernel || entry.path().extension() == ".csv")
      fs::copy_file(entry.path(), to / entry.path().filename());
  return to / (kernel + ".toml");
}

bool is_right(const fs::path& plan, Runtime& runtime) { return !checked(read_plan_file(plan), runtime).any_errors(); }

// As slow as the machine is.
RepairOptions patient() {
  RepairOptions options;
  options.max_edits = 400;
  options.seconds = 1e5;
  return options;
}

}  // namespace

TEST_CASE("a wrong kernel's line is found, and what is said makes it right") {
  Sample sample(8);
  for (const Wrong& one : cases) {
    if (sample.skips()) continue;
    CAPTURE(one.family);
    Runtime* runtime = device_of(one.language == "cuda" ? "host" : "opencl");
    if (!runtime) continue;
    const TemporaryFolder folder;
    const fs::path plan = copied(one.language, one.kernel, folder.path());
    const fs::path edited =
        one.in_plan ? plan : folder.path() / (one.kernel + (one.language == "cuda" ? ".cu" : ".cl"));
    std::string text = text_of(edited);
    const std::size_t at = text.find(one.right);
    REQUIRE(at != std::string::npos);
    put(edited, text.replace(at, one.right.size(), one.wrong));
    CHECK(!is_right(plan, *runtime));

    RepairOptions options = patient();
    options.builds_beside = one.language == "cuda";
    const Repaired found = search_repair(read_plan_file(plan), *runtime, options);
    REQUIRE(!found.repairs.empty());
    const Repair& best = found.repairs.front();
    CHECK(best.line == one.line);
    CHECK(best.plan == one.in_plan);

    // Put into the file, it makes the outcome right and leaves nothing else wrong.
    std::istringstream lines(text);
    std::string changed, line;
    for (int number = 1; std::getline(lines, line); ++number) {
      if (number == best.line) CHECK(line.find(best.is) != std::string::npos);
      changed += (number == best.line ? best.should : line) + "\n";
    }
    put(edited, changed);
    CHECK(is_right(plan, *runtime));
  }
}

TEST_CASE("where two statements could change places, one that is of no use then is what is too much") {
  const TemporaryFolder folder;
  put(folder.path() / "both.cu",
      "__global__ void both(float *s) {\n"
      "  const int i = threadIdx.x;\n"
      "  float a = s[i], b = s[i + 2];\n"
      "  s[i] = a + b;\n"
      "  a = s[i];\n"
      "  s[i + 2] = a - b;\n"
      "}\n");
  put(folder.path() / "both.csv", "1,0,1,0\n0,1,0,1\n1,0,-1,0\n0,1,0,-1\n");
  put(folder.path() / "both.toml",
      "signal = 'random:3'\n[[buffer]]\nname = 's'\ntype = 'float'\ncount = 4\ncontent = 'signal'\n"
      "[[launch]]\nsource = 'both.cu'\nkernel = 'both'\nglobal = [2]\nlocal = [2]\nargs = ['s']\n"
      "[expect]\ntransform = 'matrix:both.csv'\ninput = 's'\noutput = 's'\n");
  RepairOptions options = patient();
  std::vector<std::size_t> told;  // repairs that were known, each time that this was told
  const std::string mark = "so-far ";
  options.progress = [&](const std::string& event) {
    if (event.starts_with(mark)) told.push_back(repaired_from_json(event.substr(mark.size())).repairs.size());
  };
  const Repaired found = search_repair(read_plan_file(folder.path() / "both.toml"), *device_of("host"), options);
  REQUIRE(!found.repairs.empty());
  // The exchange is not lost should a kernel without one of the two end the process.
  const auto first = std::find_if(told.begin(), told.end(), [](std::size_t count) { return count > 0; });
  REQUIRE(first != told.end());
  CHECK(*first == 1);
  CHECK(found.repairs.size() <= 3);
  CHECK(found.repairs.front().line == 5);
  CHECK(found.repairs.front().should.find("a = s[i]") == std::string::npos);
}

TEST_CASE("what is right for one size of the problem alone is not said where something is right for others, too") {
  const TemporaryFolder folder;
  // Twice the logarithm of 4 is 4, too.
  put(folder.path() / "sums.cu",
      "__global__ void sums(const float *x, float *y, int twice, int n, int log) {\n"
      "  float sum = 0;\n"
      "  for (int k = 0; k < log; k++) {\n"
      "    sum += x[k];\n"
      "    y[k] = sum;\n"
      "  }\n"
      "}\n");
  put(folder.path() / "sums.toml",
      "signal = 'random:3'\n[parameters]\nn = 4\n[[buffer]]\nname = 'x'\ntype = 'float'\ncount = 'n'\ncontent = "
      "'signal'\n"
      "[[buffer]]\nname = 'y'\ntype = 'float'\ncount = 'n'\n"
      "[[launch]]\nsource = 'sums.cu'\nkernel = 'sums'\nglobal = [1]\nlocal = [1]\n"
      "args = ['x', 'y', 'int:2*log2(n)', 'int:n', 'int:log2(n)']\n"
      "[expect]\ntransform = 'scan'\ninput = 'x'\noutput = 'y'\n");
  RepairOptions options = patient();
  for (const int size : {4, 16}) {
    CAPTURE(size);
    const Repaired found = search_repair(read_plan_file(folder.path() / "sums.toml", {{"n", std::to_string(size)}}),
                                         *device_of("host"), options);
    REQUIRE(!found.repairs.empty());
    CHECK(found.repairs.front().line == 3);
    CHECK(found.repairs.front().text == "n");
  }
}

TEST_CASE("a barrier is missing, though fewer items in a group would hide it") {
  const TemporaryFolder folder;
  put(folder.path() / "back.cu",
      "__global__ void slow(const float *x, float *y) { for (int i = 0; i < 8; i++) y[i] = x[7 - i]; }\n"
      "__global__ void back(const float *x, float *y) {\n  __shared__ float s[8];\n"
      "  for (int i = threadIdx.x; i < 8; i += blockDim.x)\n    s[i] = x[i];\n"
      "  for (int i = threadIdx.x; i < 8; i += blockDim.x)\n    y[i] = s[7 - i];\n}\n");
  const fs::path plan = folder.path() / "back.toml";
  put(plan,
      "signal = \"random:1\"\n[[buffer]]\nname = \"x\"\ntype = \"float\"\ncount = 8\ncontent = \"signal\"\n"
      "[[buffer]]\nname = \"y\"\ntype = \"float\"\ncount = 8\n[[buffer]]\nname = \"want\"\ntype = \"float\"\ncount = "
      "8\n"
      "[[launch]]\nsource = \"back.cu\"\nkernel = \"slow\"\nglobal = [1]\nlocal = [1]\nargs = [\"x\", \"want\"]\n"
      "[[launch]]\nsource = \"back.cu\"\nkernel = \"back\"\nglobal = [4]\nlocal = [4]\nargs = [\"x\", \"y\"]\n"
      "[expect]\ntransform = \"equals:want\"\noutput = \"y\"\n");
  Runtime* runtime = device_of("host");
  REQUIRE(runtime);
  RepairOptions options;
  options.max_edits = 100;
  options.seconds = 1e5;  // as slow as the machine is
  const Repaired found = search_repair(read_plan_file(plan), *runtime, options);
  REQUIRE(!found.repairs.empty());
  CHECK_FALSE(found.repairs[0].plan);
  CHECK(found.repairs[0].should.find("__syncthreads();") != std::string::npos);
  // One item a group is right as well.
  std::string text = text_of(plan);
  const std::string size = "local = [4]";
  put(plan, text.replace(text.find(size), size.size(), "local = [1]"));
  const Plan alone = read_plan_file(plan);
  CHECK(Trial(alone, *runtime, trial_contents(alone, 2), {}).right(alone.launches));
}

TEST_CASE("a number that is wrong by no simple change is solved for, and called by what people write for it") {
  const TemporaryFolder folder;
  put(folder.path() / "mix.cu",
      "__global__ void mix(const float *x, float *y) {\n"
      "  const int i = threadIdx.x;\n"
      "  const float far = 0.25f * x[(i + 1) % 4];\n"
      "  y[i] = 0.618033989f * x[i] + far;\n"
      "}\n");
  put(folder.path() / "mix.csv",
      "0.5590169943749475,0.25,0,0\n0,0.5590169943749475,0.25,0\n0,0,0.5590169943749475,0.25\n"
      "0.25,0,0,0.5590169943749475\n");
  put(folder.path() / "mix.toml",
      "signal = 'random:3'\n[[buffer]]\nname = 'x'\ntype = 'float'\ncount = 4\ncontent = 'signal'\n"
      "[[buffer]]\nname = 'y'\ntype = 'float'\ncount = 4\n"
      "[[launch]]\nsource = 'mix.cu'\nkernel = 'mix'\nglobal = [4]\nlocal = [4]\nargs = ['x', 'y']\n"
      "[expect]\ntransform = 'matrix:mix.csv'\ninput = 'x'\noutput = 'y'\n");
  RepairOptions options;
  options.seconds = 1e5;  // as slow as the machine is
  const Repaired found = search_repair(read_plan_file(folder.path() / "mix.toml"), *device_of("host"), options);
  REQUIRE(!found.repairs.empty());
  CHECK(found.repairs.front().line == 4);
  CHECK(found.repairs.front().should == "y[i] = 0.559016994f * x[i] + far;");
}

TEST_CASE("local memory that a plan asks too little of is asked for") {
  const TemporaryFolder folder;
  put(folder.path() / "turn.cl",
      "kernel void turn(global const float *x, global float *y, local float *s) {\n"
      "  const int i = get_local_id(0);\n"
      "  s[i] = x[i];\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  y[i] = s[7 - i];\n"
      "}\n");
  put(folder.path() / "turn.csv",
      "0,0,0,0,0,0,0,1\n0,0,0,0,0,0,1,0\n0,0,0,0,0,1,0,0\n0,0,0,0,1,0,0,0\n"
      "0,0,0,1,0,0,0,0\n0,0,1,0,0,0,0,0\n0,1,0,0,0,0,0,0\n1,0,0,0,0,0,0,0\n");
  put(folder.path() / "turn.toml",
      "signal = 'random:3'\n[[buffer]]\nname = 'x'\ntype = 'float'\ncount = 8\ncontent = 'signal'\n"
      "[[buffer]]\nname = 'y'\ntype = 'float'\ncount = 8\n"
      "[[launch]]\nsource = 'turn.cl'\nkernel = 'turn'\nglobal = [8]\nlocal = [8]\nargs = ['x', 'y', 'local:2*8']\n"
      "[expect]\ntransform = 'matrix:turn.csv'\ninput = 'x'\noutput = 'y'\n");
  if (!device_of("opencl")) return;
  const TestFolder runs;
  const Ran ran =
      run_program(runs, {"check", (folder.path() / "turn.toml").string(), "--runtime", "opencl", "--repair", "--json"});
  CHECK(ran.code == 1);
  const auto findings = nlohmann::json::parse(ran.out).at("findings");
  REQUIRE(!findings.empty());
  REQUIRE(findings[0].contains("fix"));
  CHECK(findings[0].at("fix").at("should") == "args = ['x', 'y', 'local:4*8']");
}

TEST_CASE("where what comes out is right and something else is read than was written, buffers change places") {
  const TemporaryFolder folder;
  put(folder.path() / "twice.cu",
      "__global__ void twice(const float *from, float *to) { to[threadIdx.x] = 2 * from[threadIdx.x]; }\n");
  put(folder.path() / "twice.csv", "2,0,0,0\n0,2,0,0\n0,0,2,0\n0,0,0,2\n");
  put(folder.path() / "twice.toml",
      "signal = 'random:3'\n"
      "[[buffer]]\nname = 'x'\ntype = 'float'\ncount = 4\ncontent = 'signal'\n"
      "[[buffer]]\nname = 'y'\ntype = 'float'\ncount = 4\n"
      "[[buffer]]\nname = 'z'\ntype = 'float'\ncount = 4\n"
      "[[launch]]\nsource = 'twice.cu'\nkernel = 'twice'\nglobal = [4]\nlocal = [4]\nargs = ['x', 'y']\n"
      "[[launch]]\nsource = 'twice.cu'\nkernel = 'twice'\nglobal = [4]\nlocal = [4]\nargs = ['z', 'x']\n"
      "[expect]\ntransform = 'matrix:twice.csv'\ninput = 'x'\noutput = 'y'\n");
  const Repaired found = search_repair(read_plan_file(folder.path() / "twice.toml"), *device_of("host"), patient());
  REQUIRE(!found.repairs.empty());
  CHECK(found.repairs[0].plan);
  CHECK(found.repairs[0].should == "args = ['x', 'z']");
}

// PoCL runs kernels inside the program: changed ones run in processes that the program starts, so here it is asked itself.
TEST_CASE("of a wrong OpenCL kernel the program names the line and the fix") {
  if (!device_of("opencl")) return;
  const std::vector<Wrong> wrong{
      {"FFT, decimation in time", "opencl", "dit_global", false, "sincos(-M_PI_F * k", "sincos(M_PI_F * k", 28},
      {"data movement, its plan", "opencl", "six_step", true, R"(output = "y")", R"(output = "x")", 73},
      // It writes past its local memory, which ends PoCL's process when that is freed.
      {"FFT in local memory, of which its plan asks too little", "opencl", "local_padded", true,
       R"x("local:4*(n+n/16)", "local:4*(n+n/16)")x", R"x("local:4*(n+n/16)", "local:4*n")x", 26},
      // Vectors of short numbers: a choice between two of its numbers is no longer as short.
      {"pixels", "opencl", "blur_uchar4", false, "convert_ushort4(p[l])", "convert_ushort4(p[r])", 8},
      // A macro that is changed elsewhere in the program of changes is in the change that is right.
      {"linear algebra, through a macro", "opencl", "trsv_forward", false, "L(row, col) * *pivot",
       "L(col, row) * *pivot", 29},
      {"sum, of a buffer that begins with what was there", "opencl", "sum_grid_stride", true,
       "count = 1\ncontent = \"zero\"", "count = 1", 17},
  };
  for (const Wrong& one : wrong) {
    CAPTURE(one.family);
    const TestFolder folder;
    const fs::path plan = copied(one.language, one.kernel, folder.path());
    const fs::path edited = one.in_plan ? plan : folder.path() / (one.kernel + ".cl");
    std::string text = text_of(edited);
    const std::size_t at = text.find(one.right);
    REQUIRE(at != std::string::npos);
    put(edited, text.replace(at, one.right.size(), one.wrong));
    const Ran ran = run_program(folder, {"check", plan.string(), "--runtime", "opencl", "--repair", "--json"});
    CHECK(ran.code == 1);
    const auto findings = nlohmann::json::parse(ran.out).at("findings");
    REQUIRE(!findings.empty());
    const auto& first = findings[0];
    CHECK(first.at("line") == one.line);
    REQUIRE(first.contains("fix"));
    CHECK(first.at("fix").at("line") == one.line);
    CHECK(first.at("fix").at("should").get<std::string>().find(one.right) != std::string::npos);
  }
}

TEST_CASE("nothing is searched for a right kernel, and that is said") {
  const TemporaryFolder folder;
  const Repaired found =
      search_repair(read_plan_file(copied("cuda", "fft_dif_inplace", folder.path())), *device_of("host"));
  CHECK(found.repairs.empty());
  REQUIRE(found.unsearched.size() == 1);
  CHECK(found.unsearched[0].find("the outcome is right") != std::string::npos);
}

TEST_CASE("a barrier is offered before each line of a race, and around what holds it") {
  const std::string text =
      "kernel void f(global int *x, local int *t) {\n"
      "  int i = get_local_id(0);\n"
      "  t[i] = x[i];\n"
      "  if (i > 0) {\n"
      "    x[i] = t[i - 1];\n"
      "  }\n"
      "}\n";
  Syntax syntax;
  read_syntax(text, syntax);
  const std::vector<SourceEdit> edits = barrier_edits(syntax, {3, 5}, false, Fenced::Local);
  std::vector<std::string> changed;
  for (const SourceEdit& edit : edits) changed.push_back(applied(syntax, edit));
  const auto with = [&](const std::string& old, const std::string& line) {
    std::string whole = text;
    whole.replace(whole.find(old), old.size(), line);
    return std::find(changed.begin(), changed.end(), whole) != changed.end();
  };
  // Right behind what is to be done before, sooner than where it is needed.
  CHECK(line_of(syntax, edits.front()) == 3);
  CHECK(with("x[i] = t", "barrier(CLK_LOCAL_MEM_FENCE); x[i] = t"));
  CHECK(with("if (i > 0)", "barrier(CLK_LOCAL_MEM_FENCE); if (i > 0)"));
  CHECK(with("t[i] = x[i];", "t[i] = x[i]; barrier(CLK_LOCAL_MEM_FENCE);"));
}

TEST_CASE("items do not meet in a loop that only one of two lines is in") {
  const std::string text =
      "kernel void f(global int *x, local int *t, int n) {\n"
      "  int i = get_local_id(0), sum = 0;\n"
      "  for (int s = 0; s < n; s++) {\n"
      "    t[i] = x[s * 8 + i];\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
      "    for (int k = 0; k < 8; k++)\n"
      "      sum += t[k];\n"
      "  }\n"
      "  x[i] = sum;\n"
      "}\n";
  Syntax syntax;
  read_syntax(text, syntax);
  const std::vector<SourceEdit> edits = barrier_edits(syntax, {4, 7}, false, Fenced::Local);
  // Behind the inner loop, and behind the statement in it.
  const auto cost_of = [&](const std::string& old) {
    const auto found = std::find_if(edits.begin(), edits.end(), [&](const SourceEdit& edit) {
      const Statement& one = syntax.statements[edit.target];
      return edit.place == SourceEdit::Place::Behind &&
             syntax.text.compare(syntax.lexemes[one.first].begin, old.size(), old) == 0;
    });
    REQUIRE(found != edits.end());
    return found->cost;
  };
  CHECK(cost_of("for (int k") < cost_of("sum +="));
}

TEST_CASE("a barrier moves out of a branch, a fence reaches further, a table and a sampler change") {
  const std::string text =
      "constant int order[3] = {0, 2, 1};\n"
      "constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
      "kernel void f(global int *x) {\n"
      "  if (x[0]) { barrier(CLK_LOCAL_MEM_FENCE); }\n"
      "}\n";
  Syntax syntax;
  read_syntax(text, syntax);
  const auto any = [&](const std::vector<SourceEdit>& edits, const std::string& part) {
    return std::any_of(edits.begin(), edits.end(),
                       [&](const SourceEdit& edit) { return applied(syntax, edit).find(part) != std::string::npos; });
  };
  const std::vector<SourceEdit> barriers = barrier_edits(syntax, {}, false, Fenced::Global);
  CHECK(any(barriers, "{ ; } barrier(CLK_LOCAL_MEM_FENCE);"));
  CHECK(any(barriers, "barrier(CLK_LOCAL_MEM_FENCE); if (x[0]) { ; }"));
  CHECK(any(barriers, "barrier(CLK_GLOBAL_MEM_FENCE)"));
  CHECK(any(constant_edits(syntax), "{0, 1, 2}"));
  CHECK(any(constant_edits(syntax), "FALSE | CLK_ADDRESS_CLAMP |"));
}

TEST_CASE("no time, no repair: that is said, too") {
  const TemporaryFolder folder;
  const fs::path plan = copied("cuda", "fft_dif_inplace", folder.path());
  std::string text = text_of(folder.path() / "fft_dif_inplace.cu");
  const std::size_t at = text.find("(u - v) *");
  REQUIRE(at != std::string::npos);
  put(folder.path() / "fft_dif_inplace.cu", text.replace(at, 9, "(v - u) *"));
  RepairOptions options;
  options.seconds = 0;
  const Repaired found = search_repair(read_plan_file(plan), *device_of("host"), options);
  CHECK(found.repairs.empty());
  REQUIRE(found.unsearched.size() == 1);
  CHECK(found.unsearched[0].find("ended") != std::string::npos);
}
