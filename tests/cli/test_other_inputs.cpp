// `twiddle check` of plans that are right for their own signal alone, and of right ones.
#include "run_program.h"
#include "test_support.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

using namespace twiddle;
using nlohmann::json;

namespace {

// The place of the largest of eight numbers; `last` is how many of them are looked at.
void write_largest(const TestFolder& folder, const std::string& last, const std::string& signal) {
  std::ofstream(folder.file("mine.cu")) << "__global__ void largest(const float *x, int *place, int n) {\n"
                                           "  int best = 0;\n"
                                           "  for (int i = 1; i < "
                                        << last
                                        << "; i++)\n"
                                           "    if (x[i] > x[best]) best = i;\n"
                                           "  place[0] = best;\n"
                                           "}\n";
  std::ofstream(folder.file("mine.toml"))
      << "signal = '" << signal
      << "'\n[[buffer]]\nname = 'x'\ntype = 'float'\ncount = 8\ncontent = 'signal'\n"
         "[[buffer]]\nname = 'place'\ntype = 'int'\ncount = 1\n"
         "[[launch]]\nsource = 'mine.cu'\nkernel = 'largest'\nglobal = [1]\nlocal = [1]\nargs = ['x', 'place', "
         "'int:8']\n"
         "[expect]\ntransform = 'arg-max'\ninput = 'x'\noutput = 'place'\n";
}

json errors_with(const TestFolder& folder, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"check", "mine.toml", "--runtime", "host", "--json", "--no-repair"};
  words.insert(words.end(), more.begin(), more.end());
  const Ran ran = run_program(folder, words);
  json errors = json::array();
  const json all = json::parse(ran.out);
  for (const json& one : all["findings"])
    if (one["severity"] == "error") errors.push_back(one);
  CHECK_MESSAGE(ran.code == (errors.empty() ? 0 : 1), ran.err);
  return errors;
}

}  // namespace

TEST_CASE(
    "an outcome that is right for the plan's own random signal alone is an error, with the signal that shows it") {
  TestFolder folder;
  // Some of these have their largest number in the first half.
  bool seen = false;
  for (int seed = 10; seed < 16; ++seed) {
    write_largest(folder, "n / 2", "random:" + std::to_string(seed));
    const json errors = errors_with(folder);
    if (errors.empty()) continue;
    const std::string message = errors[0]["message"];
    seen = seen || contains(message, "this is seen with --signal random:");
    CHECK(contains(message, "place[0] ends as "));
  }
  CHECK(seen);
  // Nobody who asks for a signal asks for another.
  write_largest(folder, "n / 2", "ramp");
  CHECK(errors_with(folder, {"--signal", "cosine:1"}).empty());
}

TEST_CASE("a right kernel is right for all signals, and one that is made for its signal is left alone") {
  TestFolder folder;
  write_largest(folder, "n", "random:10");
  CHECK(errors_with(folder).empty());
  write_largest(folder, "n / 2", "cosine:1");
  CHECK(errors_with(folder).empty());
}
