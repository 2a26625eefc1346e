// Trials of a plan: what a change touches beside what is wrong, and inputs that tell a kernel that misses a value.
#include "tracer/repair/trial.h"

#include "base/temporary_folder.h"
#include "checked.h"
#include "kernels/plan/plan.h"

#include <doctest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

using namespace twiddle;
namespace fs = std::filesystem;

namespace {

// Eight values, each as it was, but the last four twice as large; `mode` changes the last four, the first four, or all.
Plan doubled_half(const fs::path& folder) {
  std::ofstream(folder / "half.cu") << "__global__ void half(const float *x, float *y, int mode) {\n"
                                       "  const int i = threadIdx.x;\n"
                                       "  float factor = i >= 4 ? 2.0f : 1.0f;\n"
                                       "  if (mode == 3 || mode == (i >= 4 ? 1 : 2)) factor += 1.0f;\n"
                                       "  y[i] = factor * x[i];\n"
                                       "}\n";
  std::ofstream identity(folder / "one.csv");
  for (int r = 0; r < 8; ++r)
    for (int c = 0; c < 8; ++c) identity << (r == c ? 1 : 0) << (c == 7 ? "\n" : ",");
  identity.close();
  std::ofstream(folder / "half.toml")
      << "signal = 'random:3'\n[[buffer]]\nname = 'x'\ntype = 'float'\ncount = 8\ncontent = 'signal'\n"
         "[[buffer]]\nname = 'y'\ntype = 'float'\ncount = 8\n"
         "[[launch]]\nsource = 'half.cu'\nkernel = 'half'\nglobal = [8]\nlocal = [8]\nargs = ['x', 'y', 'int:0']\n"
         "[expect]\ntransform = 'matrix:one.csv'\ninput = 'x'\noutput = 'y'\n";
  return read_plan_file(folder / "half.toml");
}

}  // namespace

TEST_CASE("a change that is felt just where the outcome is wrong is told from others") {
  const TemporaryFolder folder;
  const Plan plan = doubled_half(folder.path());
  TrialContents contents = trial_contents(plan, 2);
  const std::size_t judged = contents.size();
  for (auto& sparse : sparse_contents(plan, contents)) contents.push_back(std::move(sparse));
  REQUIRE(contents.size() > judged);
  const std::vector<std::vector<std::byte>> nothing_computed;
  const auto alike = [&](int mode) {
    Trial trial(plan, *device_of("host"), contents, nothing_computed, judged);
    std::vector<Launch> now = plan.launches;
    now[0].arguments.back() = int_argument(mode);
    const std::optional<double> much = trial.alike(plan.launches, now);
    CHECK(!trial.right(now));
    REQUIRE(much);
    return *much;
  };
  CHECK(alike(1) == 1);
  CHECK(alike(2) == 0);
  // Of thirteen values that change seven are wrong, and no other is.
  CHECK(alike(3) == doctest::Approx(7 / std::sqrt(13.0 * 7)));
  CHECK(alike(0) == 0);
}

TEST_CASE("a copy of an input that no launch takes beside it is drawn like it, another one by itself") {
  const TemporaryFolder folder;
  const auto contents_of = [&](const std::string& arguments) {
    std::ofstream(folder.path() / "twice.cu") << "__global__ void twice(float *x, float *y) { y[0] = x[0]; }\n";
    std::ofstream(folder.path() / "twice.toml")
        << "signal = 'random:3'\n[[buffer]]\nname = 'x'\ntype = 'float'\ncount = 8\ncontent = 'signal'\n"
           "[[buffer]]\nname = 'copy'\ntype = 'float'\ncount = 8\ncontent = 'signal'\n"
           "[[buffer]]\nname = 'y'\ntype = 'float'\ncount = 8\n[[buffer]]\nname = 'slow'\ntype = 'float'\ncount = 8\n"
           "[[launch]]\nsource = 'twice.cu'\nkernel = 'twice'\nglobal = [1]\nlocal = [1]\nargs = ['copy', 'slow']\n"
           "[[launch]]\nsource = 'twice.cu'\nkernel = 'twice'\nglobal = [1]\nlocal = [1]\nargs = "
        << arguments << "\n[expect]\ntransform = 'equals:slow'\noutput = 'y'\n";
    return trial_contents(read_plan_file(folder.path() / "twice.toml"), 3);
  };
  const TrialContents alike = contents_of("['x', 'y']"), apart = contents_of("['x', 'copy']");
  for (std::size_t k = 1; k < 3; ++k) {
    CHECK(alike[k][0] == alike[k][1]);
    CHECK(alike[k][0] != alike[0][0]);
    CHECK(apart[k][0] != apart[k][1]);
  }
}

TEST_CASE("a largest value is put at places all over the input, for kernels that look at most of it") {
  const TemporaryFolder folder;
  Plan plan = doubled_half(folder.path());
  const TrialContents trials = trial_contents(plan, 2);
  CHECK(spread_contents(plan, trials, 4, ~std::size_t(0)).empty());
  plan.expect.transform = Expect::Transform::Max;
  const TrialContents all = spread_contents(plan, trials, 4, ~std::size_t(0));
  REQUIRE(all.size() == 4);
  std::vector<std::size_t> places;
  for (const auto& contents : all) {
    std::vector<float> x(8);
    std::memcpy(x.data(), contents[0].data(), contents[0].size());
    std::size_t largest = 0;
    for (std::size_t i = 1; i < x.size(); ++i)
      if (x[i] > x[largest]) largest = i;
    places.push_back(largest);
  }
  CHECK(places == std::vector<std::size_t>{0, 2, 4, 7});
  // All of them have to find room.
  CHECK(spread_contents(plan, trials, 4, 2 * 2 * 8 * sizeof(float)).size() == 2);
  CHECK(spread_contents(plan, trials, 4, 1).empty());
}
