// Which stores can make a wrong program's outcome right, by linear algebra over its runs: kernels whose mistake is known.
#include "tracer/repair/locate/locate.h"

#include "base/temporary_folder.h"
#include "checked.h"
#include "tracer/repair/locate/slices.h"

#include <doctest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

using namespace twiddle;
namespace fs = std::filesystem;

namespace {

// A transform of four points in two launches, as decimation in time has it; `twiddle` is what the second multiplies with.
fs::path transform_of_four(const fs::path& folder, const std::string& first, const std::string& second) {
  std::ofstream(folder / "four.cu") << "__global__ void pairs(const float2 *x, float2 *y) {\n"
                                       "  const int i = threadIdx.x;\n"
                                       "  const float2 a = x[i], b = x[i + 2];\n"
                                    << "  y[2 * i] = make_float2(a.x + b.x, a.y + b.y);\n"
                                    << "  y[2 * i + 1] = " << first << ";\n"
                                    << "}\n"
                                       "__global__ void last(const float2 *y, float2 *z) {\n"
                                       "  const int i = threadIdx.x;\n"
                                       "  const float2 a = y[i], b = y[i + 2];\n"
                                       "  float2 c = b;\n"
                                       "  if (i == 1)\n"
                                    << "    c = " << second << ";\n"
                                    << "  z[i] = make_float2(a.x + c.x, a.y + c.y);\n"
                                       "  z[i + 2] = make_float2(a.x - c.x, a.y - c.y);\n"
                                       "}\n";
  std::ofstream(folder / "four.toml")
      << "signal = 'random:3'\n[[buffer]]\nname = 'x'\ntype = 'float2'\ncount = 4\ncontent = 'signal'\n"
         "[[buffer]]\nname = 'y'\ntype = 'float2'\ncount = 4\n[[buffer]]\nname = 'z'\ntype = 'float2'\ncount = 4\n"
         "[[launch]]\nsource = 'four.cu'\nkernel = 'pairs'\nglobal = [2]\nlocal = [2]\nargs = ['x', 'y']\n"
         "[[launch]]\nsource = 'four.cu'\nkernel = 'last'\nglobal = [2]\nlocal = [2]\nargs = ['y', 'z']\n"
         "[expect]\ntransform = 'fft'\ninput = 'x'\noutput = 'z'\n";
  return folder / "four.toml";
}

const std::string right_first = "make_float2(a.x - b.x, a.y - b.y)", right_second = "make_float2(b.y, -b.x)";

Located located_in(const std::string& first, const std::string& second) {
  const TemporaryFolder folder;
  const Plan plan = read_plan_file(transform_of_four(folder.path(), first, second));
  const Located located = locate(plan, *device_of("host"), [] { return false; });
  const Located again = located_from(to_text(located));
  CHECK(again.known == located.known);
  CHECK(again.stores.size() == located.stores.size());
  return again;
}

// The lines of each set of stores that can make all right.
std::set<std::vector<int>> can_be_of(const Located& located, const std::string& function) {
  std::set<std::vector<int>> all;
  for (const LocatedStores& one : located.stores)
    if (one.function == function && can_be(one)) all.insert(one.lines);
  return all;
}

}  // namespace

TEST_CASE("a factor that is wrong is in what its own kernel stores, and in no other's") {
  // The sign of one difference: another factor where it is stored, and no factor of the sums of line 4, makes up for it.
  const Located sign = located_in("make_float2(a.x + b.x, a.y - b.y)", right_second);
  REQUIRE(sign.known);
  CHECK(can_be_of(sign, "pairs").count({5}) == 1);
  CHECK(can_be_of(sign, "pairs").count({4}) == 0);
  // A sum in place of a difference loses what no factor of the second kernel brings back.
  const Located lost = located_in("make_float2(a.x + b.x, a.y + b.y)", right_second);
  REQUIRE(lost.known);
  CHECK(can_be_of(lost, "pairs").count({5}) == 1);
  CHECK(can_be_of(lost, "last").empty());
}

TEST_CASE("a twiddle that is wrong needs both of the stores that it is in") {
  const Located both = located_in(right_first, "make_float2(b.y, b.x)");
  REQUIRE(both.known);
  const auto sets = can_be_of(both, "last");
  CHECK(sets.count({}) == 1);
  CHECK(sets.count({13}) == 0);
  CHECK(sets.count({14}) == 0);
}

TEST_CASE("nothing is known of a right outcome, and of what is no linear map") {
  CHECK(!located_in(right_first, right_second).known);
  CHECK(!located_in("make_float2(fmaxf(a.x, b.x), a.y)", right_second).known);
}

TEST_CASE("the lines that a store is computed in") {
  Syntax syntax;
  read_syntax(
      "#define SQUARE(v) ((v) * (v))\n"                                  // 1
      "float other(float v) { return v; }\n"                             // 2
      "float used(float v) {\n"                                          // 3
      "  return SQUARE(v);\n"                                            // 4
      "}\n"                                                              // 5
      "__kernel void k(__global const float *x, __global float *y) {\n"  // 6
      "  const int i = get_global_id(0);\n"                              // 7
      "  float a = x[i];\n"                                              // 8
      "  float b = other(x[i + 1]);\n"                                   // 9
      "  for (int s = 0; s < 2; s++)\n"                                  // 10
      "    a += used(a);\n"                                              // 11
      "  y[2 * i] = a;\n"                                                // 12
      "  y[2 * i + 1] = b;\n"                                            // 13
      "}\n",
      syntax);
  const std::set<int> stores{12, 13};
  const auto lines_of = [&](int line) {
    std::set<int> lines;
    const auto found = lines_behind({&syntax}, 0, "k", line, stores);
    REQUIRE(found.has_value());
    for (const auto& [file, one] : *found) lines.insert(one);
    return lines;
  };
  CHECK(lines_of(12) == std::set<int>{1, 3, 4, 5, 6, 7, 8, 10, 11, 12});
  CHECK(lines_of(13) == std::set<int>{2, 6, 7, 9, 13});
  CHECK(!lines_behind({&syntax}, 0, "k", 40, stores).has_value());
}
