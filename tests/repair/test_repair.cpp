// The search as a whole: a wrong kernel of a family, the line that it names, and that the kernel is right with what it says.
#include "tracer/repair/repair.h"

#include "base/temporary_folder.h"
#include "checked.h"

#include <doctest.h>

#include <filesystem>
#include <fstream>
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
    {"FFT, decimation in time", "opencl", "dit_global", false, "a.x*b.y + a.y*b.x", "a.x*b.y - a.y*b.x", 5},
    {"scan", "opencl", "scan_hillis", false, "tid >= offset", "tid > offset", 10},
    {"a barrier", "opencl", "six_step", false, "\n  barrier(CLK_LOCAL_MEM_FENCE);\n", "\n\n", 14},
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

}  // namespace

TEST_CASE("a wrong kernel's line is found, and what is said makes it right") {
  for (const Wrong& one : cases) {
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

    RepairOptions options;
    options.max_edits = 400;
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

TEST_CASE("nothing is searched for a right kernel, and that is said") {
  for (const auto& [language, kernel] : {std::pair("cuda", "fft_dif_inplace"), std::pair("opencl", "scan_hillis")}) {
    Runtime* runtime = device_of(language == std::string("cuda") ? "host" : "opencl");
    if (!runtime) continue;
    const TemporaryFolder folder;
    const Repaired found = search_repair(read_plan_file(copied(language, kernel, folder.path())), *runtime);
    CHECK(found.repairs.empty());
    REQUIRE(found.unsearched.size() == 1);
    CHECK(found.unsearched[0].find("the outcome is right") != std::string::npos);
  }
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
