// The program of many changes: without any of them it does what the kernel does, and what a compiler says of it is of one of them.
#include "tracer/repair/schema.h"

#include "base/error.h"
#include "base/read_file.h"
#include "base/temporary_folder.h"
#include "checked.h"
#include "sample.h"
#include "tracer/direct/direct_runtime.h"
#include "tracer/repair/trial.h"

#include <doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>
#include <tuple>

using namespace twiddle;
namespace fs = std::filesystem;

namespace {

// Whole numbers with a sign and without one, side by side: "i - k >= 0" holds of any that has none.
const std::string window_kernel =
    "#define STEP 1\n"
    "__global__ void window(const float *x, float *y, unsigned n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < 3; k++)\n"
    "    if (STEP * i - k >= 0) sum += x[STEP * i - k];\n"
    "  if (i < (int)n) y[i] = sum;\n"
    "}\n";
const std::string window_plan =
    "signal = 'random:3'\n[[buffer]]\nname = 'x'\ntype = 'float'\ncount = 12\ncontent = 'signal'\n"
    "[[buffer]]\nname = 'y'\ntype = 'float'\ncount = 12\n"
    "[[launch]]\nsource = 'window.cu'\nkernel = 'window'\nglobal = [12]\nlocal = [4]\nargs = ['x', 'y', 'uint:12']\n"
    "[expect]\ntransform = 'scan'\ninput = 'x'\noutput = 'y'\n";

Plan window_with(const fs::path& folder, const std::string& text) {
  std::ofstream(folder / "window.cu") << text;
  std::ofstream(folder / "window.toml") << window_plan;
  return read_plan_file(folder / "window.toml");
}

}  // namespace

TEST_CASE("a program of many changes does without any what the kernel does") {
  Runtime* const runtime = device_of("host");
  REQUIRE(runtime);
  const std::vector<std::vector<std::byte>> none;
  const TemporaryFolder folder;
  const Plan plain = window_with(folder.path(), window_kernel);
  const TrialContents contents = trial_contents(plain, 1);
  const auto left = Trial(plain, *runtime, contents, none).left(plain.launches, 0);
  REQUIRE(!left.empty());

  Syntax syntax;
  read_syntax(window_kernel, syntax);
  std::vector<SourceEdit> edits = edits_of(syntax, 3000);
  std::erase_if(edits, [](const SourceEdit& edit) { return edit.wider; });
  std::stable_sort(edits.begin(), edits.end(), [](const SourceEdit& a, const SourceEdit& b) {
    return std::tuple(a.place, a.target) < std::tuple(b.place, b.target);
  });
  const bool unsigned_there = std::any_of(edits.begin(), edits.end(), [&](const SourceEdit& edit) {
    return edit.place == SourceEdit::Place::Expression && edit.text == "n" && line_of(syntax, edit) == 6;
  });
  CHECK(unsigned_there);
  for (int attempt = 0; attempt < 8 && !edits.empty(); ++attempt) {
    const Schema schema = schema_of(syntax, edits, 1, true, true, {});
    Plan many = window_with(folder.path(), schema.text);
    many.launches[0].arguments.push_back(int_argument(schema_number(0, 10)));
    try {
      CHECK(Trial(many, *runtime, contents, none).left(many.launches, 0) == left);
      return;
    } catch (const Error& error) {
      const auto refused = edits_refused(schema, "window.cu", error.message().english());
      REQUIRE_MESSAGE(!refused.empty(), error.message().english());
      const std::set<std::uint32_t> out(refused.begin(), refused.end());
      std::vector<SourceEdit> kept;
      for (std::uint32_t k = 0; k < edits.size(); ++k)
        if (!out.count(k)) kept.push_back(edits[k]);
      edits = std::move(kept);
    }
  }
  FAIL("no program was built");
}

TEST_CASE("functions that macros are given take the number, and those that take nothing") {
  const auto called = [](const std::string& text) {
    Syntax syntax;
    read_syntax(text, syntax);
    const Syntax* const file = &syntax;
    std::set<std::string> functions;
    for (const Function& one : syntax.functions)
      if (!one.kernel) functions.insert(one.name);
    return called_through_macros(std::span(&file, 1), functions);
  };
  const std::string functions = "float same(float x) { return x; }\nfloat minus(float x) { return -x; }\n";
  const std::string macro = "#define PAIR(i, turn) { float d = x[i]; x[i] = turn(d); }\n";
  CHECK(called(functions + macro + "kernel void k(global float *x) { PAIR(0, same) PAIR(1, minus) }") ==
        std::set<std::string>{"turn"});
  // One of the language's, which takes no number.
  CHECK(called(functions + macro + "kernel void k(global float *x) { PAIR(0, same) PAIR(1, sin) }").empty());
  CHECK(called(functions + "#define TWICE(x) (2 * (x))\nkernel void k(global float *x) { x[0] = TWICE(same(x[0])); }")
            .empty());

  Syntax syntax;
  read_syntax("int one(void) { return 1; }\nkernel void k(global int *x) { x[0] = one(); }\n", syntax);
  const std::string text = schema_of(syntax, {}, 1, false, true, {"one"}).text;
  CHECK(text.find("int one(int tw_in_/*void*/) {") != std::string::npos);
  CHECK(text.find("one(tw_in_)") != std::string::npos);
}

TEST_CASE("programs of changes of kernels by other hands are built, and do without any what the kernels do") {
  DeviceInfo device;
  device.runtime = "opencl";
  device.kind = "cpu";
  device.fp64 = true;
  device.local_bytes = std::size_t(1) << 20;
  device.max_group_size = 4096;
  std::unique_ptr<Runtime> runtime;
  try {
    runtime = open_direct_runtime(device);
  } catch (const Error&) { return; }  // no Clang
  const std::vector<std::vector<std::byte>> none;
  std::set<fs::path> all;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(TWIDDLE_TEST_DATA) / "../foreign/opencl"))
    if (entry.path().extension() == ".toml" && entry.path().stem() != "wrong") all.insert(entry.path());
  // Images and halves, of which a driver alone knows; and a kernel that a macro makes whole.
  const std::set<std::string> others{"image_blur", "image_rotate", "half_storage", "scan_subgroup", "backward_macros"};
  Sample sample(6);
  int built = 0;
  for (const fs::path& file : all) {
    if (sample.skips() || others.count(file.stem().string())) continue;
    CAPTURE(file.filename().string());
    Plan plan = read_plan_file(file);
    const TrialContents contents = trial_contents(plan, 2);
    const fs::path source = file.parent_path() / plan.launches[0].source;
    if (std::any_of(plan.launches.begin(), plan.launches.end(),
                    [&](const Launch& one) { return one.source != plan.launches[0].source; }))
      continue;
    const std::string text = read_file(source, 1 << 20);
    if (text.find("#include") != std::string::npos) continue;
    Syntax syntax;
    read_syntax(text, syntax);
    const Syntax* const one = &syntax;
    std::set<std::string> functions;
    for (const Function& f : syntax.functions)
      if (!f.kernel) functions.insert(f.name);
    functions.merge(called_through_macros(std::span(&one, 1), functions));
    std::vector<SourceEdit> edits = edits_of(syntax, 300);
    std::erase_if(edits, [&](const SourceEdit& edit) {
      const bool macro = edit.place == SourceEdit::Place::Expression &&
                         syntax.statements[syntax.expressions[edit.target].statement].kind == Statement::Kind::Macro;
      return edit.wider || macro;
    });
    std::stable_sort(edits.begin(), edits.end(), [](const SourceEdit& a, const SourceEdit& b) {
      return std::tuple(a.place, a.target) < std::tuple(b.place, b.target);
    });
    const std::size_t whole = edits.size();
    std::string said;
    bool right = false;
    for (int attempt = 0; attempt < 10 && !right; ++attempt) {
      const TemporaryFolder folder;
      const Schema schema = schema_of(syntax, edits, 1, false, true, functions);
      Plan many = plan;
      many.directory = folder.path();
      for (Buffer& buffer : many.buffers)
        if (buffer.content.kind == Content::Kind::File)
          buffer.content.file = fs::absolute(file.parent_path() / buffer.content.file).string();
      std::ofstream(folder.path() / plan.launches[0].source) << schema.text;
      for (Launch& launch : many.launches) launch.arguments.push_back(int_argument(schema_number(0, 14)));
      try {
        Trial trial(many, *runtime, contents, none);
        trial.build(many.launches);
        right = trial.right(many.launches);
        if (!right) said = "something else";
        break;
      } catch (const Error& error) {
        said = error.message().english();
        std::vector<std::uint32_t> refused = edits_refused(schema, plan.launches[0].source, said);
        if (refused.empty()) refused = edits_of_lines(schema, plan.launches[0].source, said);
        if (refused.empty()) break;
        const std::set<std::uint32_t> out(refused.begin(), refused.end());
        std::vector<SourceEdit> kept;
        for (std::uint32_t k = 0; k < edits.size(); ++k)
          if (!out.count(k)) kept.push_back(edits[k]);
        edits = std::move(kept);
      }
    }
    CAPTURE(said);
    CHECK(right);
    CHECK(2 * edits.size() > whole);  // most of them are programs
    ++built;
  }
  CHECK(built > 0);
}

TEST_CASE("a guard behind a barrier keeps its items out in a program that is built and not optimised") {
  Runtime* const runtime = device_of("opencl");
  if (!runtime) return;
  const std::string kernel =
      "kernel void turn(global const uint *in, global uint *out, uint w, uint h) {\n"
      "  local uint tile[4][5];\n  uint lx = get_local_id(0), ly = get_local_id(1);\n"
      "  uint x = get_group_id(0) * 4 + lx, y = get_group_id(1) * 4 + ly;\n"
      "  if (x < w && y < h) tile[ly][lx] = in[y * w + x];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  x = get_group_id(1) * 4 + lx;\n  y = get_group_id(0) * 4 + ly;\n"
      "  if (x < h && y < w) out[y * h + x] = tile[lx][ly];\n}\n";
  const auto plan_of = [](const fs::path& folder, const std::string& text) {
    std::ofstream(folder / "turn.cl") << text;
    std::ofstream(folder / "turn.toml")
        << "signal = 'random:3'\noptions = '-cl-opt-disable'\n[[buffer]]\nname = 'in'\ntype = 'uint'\nshape = [9, 11]\n"
           "count = 99\ncontent = 'signal'\n[[buffer]]\nname = 'out'\ntype = 'uint'\ncount = 99\n"
           "[[launch]]\nsource = 'turn.cl'\nkernel = 'turn'\nglobal = [12, 12]\nlocal = [4, 4]\n"
           "args = ['in', 'out', 'uint:11', 'uint:9']\n"
           "[expect]\ntransform = 'transpose'\ninput = 'in'\noutput = 'out'\n";
    return read_plan_file(folder / "turn.toml");
  };
  const TemporaryFolder folder;
  const std::vector<std::vector<std::byte>> none;
  const Plan plain = plan_of(folder.path(), kernel);
  const TrialContents contents = trial_contents(plain, 1);
  REQUIRE(Trial(plain, *runtime, contents, none).right(plain.launches));
  Syntax syntax;
  read_syntax(kernel, syntax);
  Plan many = plan_of(folder.path(), schema_of(syntax, {}, 1, false, true, {}).text);
  many.launches[0].arguments.push_back(int_argument(-1));
  Trial trial(many, *runtime, contents, none);
  CHECK(!trial.right(many.launches));  // built, and nothing done
  many.launches[0].arguments.back() = int_argument(schema_number(0, 10));
  CHECK(trial.right(many.launches));
}

TEST_CASE("two neighbours of a table change places, in one program with all other changes") {
  const auto swaps = [](Syntax& syntax, const std::string& index) {
    read_syntax(
        "kernel void f(global int *x, int i) {\n"
        "  const int rev[4] = {0, 1, 2,\n"
        "                      3};\n"
        "  x[0] = rev[" +
            index +
            "];\n"
            "  x[1] = rev[3 - i];\n"
            "}\n",
        syntax);
    std::vector<SourceEdit> edits = edits_of(syntax, 3000);
    std::erase_if(edits, [](const SourceEdit& edit) { return edit.swapped_with == 0; });
    return edits;
  };
  Syntax syntax;
  const std::vector<SourceEdit> edits = swaps(syntax, "i");
  REQUIRE(edits.size() == 3);
  const auto with = [&](const std::string& part) {
    return std::find_if(edits.begin(), edits.end(),
                        [&](const SourceEdit& edit) { return applied(syntax, edit).find(part) != std::string::npos; });
  };
  const auto two = with("{0, 2, 1,"), lines = with("{0, 1, 3,\n                      2}");
  REQUIRE(two != edits.end());
  REQUIRE(lines != edits.end());
  CHECK(applied(syntax, *two).find("x[0] = rev[i];") != std::string::npos);
  CHECK(line_of(syntax, *two) == 2);
  CHECK(lines_of(syntax, *lines) == std::pair(2, 3));
  const Schema schema = schema_of(syntax, std::vector{*two}, 7, false, true, {});
  CHECK(schema.text.find("(i) == 1 ? 2 : (i) == 2 ? 1 : (i)") != std::string::npos);
  CHECK(schema.text.find("(3 - i) == 1 ? 2 : (3 - i) == 2 ? 1 : (3 - i)") != std::string::npos);
  CHECK(schema.text.find("{0, 1, 2,") != std::string::npos);
  // An index that counts would count several times.
  Syntax counting;
  CHECK(swaps(counting, "i++").empty());
}

TEST_CASE("a template's kernel takes the number where it is asked for, too") {
  Syntax syntax;
  read_syntax(
      "template <typename T> __global__ void f(T *x) { x[0] = 1; }\n"
      "template __global__ void f<float>(float *);\n"
      "template <> struct other<float> {};\n",
      syntax);
  const Schema schema = schema_of(syntax, {}, 1, true, true, {});
  CHECK(schema.text.find("void f(T *x,int tw_in_)") != std::string::npos);
  CHECK(schema.text.find("f<float>(float *,int);") != std::string::npos);
  CHECK(schema.text.find("struct other<float> {};") != std::string::npos);
}

TEST_CASE("a choice between changes is of the type that stood there, so that what is wrong with one is said of it") {
  Syntax syntax;
  read_syntax(
      "#define WIDTH 3\n"
      "kernel void f(global ushort4 *x, global uint *y, int n, ushort4 s, ushort d) {\n"
      "  s = s / d + s / (ushort)3;\n"
      "  y[0] = max(n - 1, 0) % n;\n"
      "  x[0] = s;\n"
      "}\n",
      syntax);
  std::vector<SourceEdit> edits = edits_of(syntax, 3000);
  std::stable_sort(edits.begin(), edits.end(), [](const SourceEdit& a, const SourceEdit& b) {
    return std::pair(a.place, a.target) < std::pair(b.place, b.target);
  });
  const Schema schema = schema_of(syntax, edits, 1, false, true, {});
  // A short number beside a vector, and what there is a function of each type for.
  CHECK(schema.text.find("(__typeof__(d))((unsigned)") != std::string::npos);
  CHECK(schema.text.find("(__typeof__(n - 1))((unsigned)") != std::string::npos);
  CHECK(schema.text.find("ushort tw_nz_(ushort x)") != std::string::npos);
  CHECK(schema.text.find("?((ushort4)(") != std::string::npos);
  // Each change stands beside something of its type, the last one too.
  CHECK(schema.text.find("):0)") != std::string::npos);
  // No macro is made of itself.
  CHECK(std::none_of(edits.begin(), edits.end(), [&](const SourceEdit& edit) {
    return applied(syntax, edit).find("#define WIDTH WIDTH") != std::string::npos;
  }));
}

TEST_CASE("what only warns refuses no change") {
  Syntax syntax;
  read_syntax("kernel void f(global int *x, int n) { x[n] = n; }\n", syntax);
  const std::vector<SourceEdit> edits = edits_of(syntax, 3000);
  const Schema schema = schema_of(syntax, edits, 1, true, true, {});
  CHECK(edits_refused(schema, "k.cu", "k.cu:1000003:7: warning: odd\nk.cu:1000004:7: error: no") ==
        std::vector<std::uint32_t>{4});
}

TEST_CASE("in a program of many changes a change of several places has one number") {
  Syntax syntax;
  read_syntax(
      "kernel void f(global float2 *x, float2 a, float2 b) {\n"
      "  x[0] = (float2)(a.x - b.x, a.y - b.y);\n"
      "}\n",
      syntax);
  std::vector<SourceEdit> edits = edits_of(syntax, 3000);
  std::erase_if(edits, [](const SourceEdit& edit) { return edit.also.empty(); });
  REQUIRE(!edits.empty());
  edits.resize(1);
  const Schema schema = schema_of(syntax, edits, 7, false, true, {});
  std::size_t count = 0;
  for (std::size_t at = 0; (at = schema.text.find("tw_-7", at)) != std::string::npos; ++at) ++count;
  CHECK(count == 2);
  CHECK(schema.marks.size() == 2);
}
