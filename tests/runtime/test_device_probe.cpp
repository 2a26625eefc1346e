// Drivers that crash or hang: the program goes on with the next device, and shows what the driver printed.
#include "environment.h"
#include "run_program.h"
#include "test_support.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <chrono>

using namespace twiddle;
using nlohmann::json;

namespace {

const std::filesystem::path pocl = "/etc/OpenCL/vendors/pocl.icd";

// The fake driver (tests/support/runtimes/fake_driver.cpp) before the machine's own, in a folder of vendors.
class Drivers {
 public:
  explicit Drivers(const char* fake, bool with_pocl = true)
      : vendors_("OCL_ICD_VENDORS", folder_.path().c_str()), fake_("OCL_FAKE_DRIVER", fake) {
    std::ofstream(folder_.path() / "a_fake.icd") << TWIDDLE_FAKE_DRIVER << "\n";
    has_pocl = with_pocl && std::filesystem::exists(pocl);
    if (has_pocl) std::filesystem::copy_file(pocl, folder_.path() / "pocl.icd");
  }
  bool has_pocl = false;

 private:
  TestFolder folder_;
  Environment vendors_, fake_;
};

struct Case {
  const char* where;   // for the fake driver
  const char* words;   // of the reason
  bool whole = false;  // takes all of OpenCL with it
};

constexpr Case cases[] = {
    {"load-abort", "crashes (SIGABRT); it said: an earlier line / fake driver: no luck with  [31mload", true},
    {"devices-abort",
     "Fake Platform crashes (SIGABRT); it said: an earlier line / fake driver: no luck with  [31mdevices"},
    {"devices-hang", "Fake Platform does not answer within 4 seconds; it said: an earlier line / fake driver"},
    {"info-exit", "device 0 of Fake Platform ends the program (exit code 7); it said: an earlier line / fake driver"},
    {"context-segfault", "Fake GPU of Fake Platform crashes (SIGSEGV); it said: an earlier line / fake driver"},
    {"context-refuse", "Fake GPU of Fake Platform fails: "},
};

}  // namespace

TEST_CASE("a driver that crashes, hangs or fails is listed as missing with what it printed") {
  for (const Case& one : cases) {
    CAPTURE(one.where);
    const Drivers drivers(one.where);
    const Environment limit("TWIDDLE_PROBE_SECONDS", "4");
    TestFolder folder;
    const Ran ran = run_program(folder, {"devices", "--json"});
    REQUIRE_MESSAGE(ran.code == 0, ran.err);
    CHECK(ran.err == "");
    const json out = json::parse(ran.out);
    bool opencl = false, found = false;
    for (const json& device : out["devices"]) opencl = opencl || device["runtime"] == "opencl";
    for (const json& sentence : out["missing"])
      found = found || (sentence.get<std::string>().rfind("opencl: ", 0) == 0 && contains(sentence, one.words));
    CHECK_MESSAGE(found, out["missing"].dump());
    CHECK(opencl == (drivers.has_pocl && !one.whole));
    CHECK(folder.names().empty());  // no core file
  }
}

TEST_CASE("a run goes on with the next device and says on standard error why") {
  for (const Case& one : cases) {
    if (std::string(one.where) == "devices-hang" || std::string(one.where) == "info-exit") continue;
    CAPTURE(one.where);
    const Drivers drivers(one.where);
    TestFolder folder;
    const Ran ran = run_program(folder, {"trace", "fft-radix2", "--n", "8", "-o", "fft8.twd"});
    CHECK_MESSAGE(ran.code == 0, ran.err);
    CHECK_MESSAGE(contains(ran.err, std::string("twiddle: left out: opencl: ")), ran.err);
    CHECK_MESSAGE(contains(ran.err, one.words), ran.err);
    CHECK(folder.names() == std::vector<std::string>{"fft8.twd"});
  }
  const Drivers drivers("devices-abort", false);
  TestFolder folder;
  const Ran ran = run_program(folder, {"demo"});
  CHECK_MESSAGE(ran.code == 0, ran.err);
  CHECK(contains(ran.err, "Fake Platform crashes (SIGABRT)"));
  CHECK(contains(ran.out, "host"));
  check_failure(run_program(folder, {"trace", "dft", "--n", "8", "--runtime", "opencl", "-o", "dft.twd"}), 4,
                "there is no OpenCL device: Fake Platform crashes (SIGABRT)");
}

TEST_CASE("devices that all work are not probed again until something has changed") {
  const Environment vendors("OCL_ICD_VENDORS", "/nowhere");
  TestFolder cache, folder;
  const Environment cache_home("XDG_CACHE_HOME", cache.path().c_str());
  const std::filesystem::path kept = cache.path() / "twiddle" / "probed-opencl.txt";
  const auto devices = [&] { REQUIRE(run_program(folder, {"devices"}).code == 0); };
  const auto mark = [&] { std::ofstream(kept, std::ios::app) << "mark\n"; };
  const auto marked = [&] { return contains(content_of(kept), "mark"); };  // not written again
  devices();
  REQUIRE(std::filesystem::exists(kept));
  mark();
  devices();
  CHECK(marked());
  {
    const Environment other("POCL_MAX_PTHREAD_COUNT", "2");
    devices();
    CHECK(!marked());
  }
  devices();
  mark();
  devices();
  CHECK(marked());
  std::string text = content_of(kept);  // as if a library had been replaced
  const std::size_t library = text.find("libOpenCL");
  if (library != std::string::npos) {
    const std::size_t line = text.rfind('\n', library) + 1;
    text[line] = text[line] == '9' ? '8' : '9';
    std::ofstream(kept, std::ios::binary) << text;
    devices();
    CHECK(!marked());
  }
}
