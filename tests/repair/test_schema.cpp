// The program of many changes: without any of them it does what the kernel does.
#include "tracer/repair/schema.h"

#include "base/error.h"
#include "base/temporary_folder.h"
#include "checked.h"
#include "tracer/repair/trial.h"

#include <doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
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
