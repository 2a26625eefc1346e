// Kernels by other hands, without a trace line: nothing wrong is found in them, and what they compute is what their plans
// expect. tests/foreign/README.md says what they are. A twelfth of them here; with TWIDDLE_TEST_ALL set, all.
#include "checked.h"
#include "sample.h"

#include <doctest.h>

#include <fstream>
#include <set>

using namespace twiddle;

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> plans_of(const std::string& language) {
  std::set<fs::path> all;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(TWIDDLE_TEST_DATA) / "../foreign" / language))
    if (entry.path().extension() == ".toml" && entry.path().stem() != "wrong") all.insert(entry.path());
  std::vector<fs::path> chosen;
  Sample sample(12 / tests::slower);  // as many under a sanitizer
  for (const fs::path& plan : all)
    if (!sample.skips()) chosen.push_back(plan);
  return chosen;
}

// "# needs: …": what a device may lack.
bool needs_something(const fs::path& plan) {
  std::ifstream in(plan);
  for (std::string line; std::getline(in, line);)
    if (line.rfind("# needs", 0) == 0) return true;
  return false;
}

void check_all(const std::string& language, Runtime& runtime, const TraceOptions& options = {}) {
  int good = 0, lacking = 0, logged = 0;
  const std::vector<fs::path> plans = plans_of(language);
  REQUIRE(plans.size() >= 3);
  for (const fs::path& file : plans) {
    CAPTURE(file.filename().string());
    try {
      const Plan plan = read_plan_file(file);
      const CheckedRun run = checked(plan, runtime, options);
      std::string errors;
      for (const Finding& finding : run.findings)
        if (finding.severity == Severity::Error) errors += text_of(run.info, finding);
      CHECK(errors == "");
      CHECK(run.info.complete);
      good += errors.empty();
      for (const LaunchInfo& launch : run.info.launches) {
        CHECK(launch.accesses.logged == (options.accesses != Accesses::None));
        logged += launch.accesses.logged;
      }
    } catch (const Error& error) {
      if (needs_something(file))
        ++lacking;
      else
        FAIL_CHECK(error.message().english());
    }
  }
  MESSAGE(language << ": " << good << " right kernels are found to be right, " << logged
                   << " launches logged; this device lacks what " << lacking << " need");
  CHECK(good + lacking == static_cast<int>(plans.size()));
  CHECK(good > lacking);
  CHECK((options.accesses == Accesses::None ? logged == 0 : logged >= good));
}

}  // namespace

TEST_CASE("right OpenCL kernels by other hands: no error is found") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  check_all("opencl", *runtime);
}

TEST_CASE("right CUDA kernels by other hands, on the host: no error is found") {
  Runtime* runtime = device_of("host");
  REQUIRE(runtime);
  check_all("cuda", *runtime);
}

// As on a GPU, whose accesses are not logged: then nothing is known of these launches.
TEST_CASE("right CUDA kernels of which nothing is seen: no error is found") {
  TraceOptions options;
  options.accesses = Accesses::None;
  check_all("cuda", *device_of("host"), options);
}
