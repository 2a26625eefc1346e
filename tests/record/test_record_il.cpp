// Recorded OpenCL programs that are not made of source.
#include <nlohmann/json.hpp>
#include "recorded_program.h"
#include "tracer/file/trace_file.h"

#include <algorithm>

using namespace twiddle;

TEST_CASE("programs of SPIR and SPIR-V run as they are, and it is said why their accesses are not seen") {
  if (!can_record()) return;
  const TestFolder folder;
  const std::string data = std::string(TWIDDLE_TEST_DATA) + "/record/il/";
  const std::string command = program_named("il") + " " + data + "twice.bc " + data + "twice.spv";
  const Ran plain = run_plain(folder, command);
  REQUIRE(plain.code == 0);
  const Ran recorded = run_program(
      folder, {"record", "-o", "run.twd", "--", program_named("il"), data + "twice.bc", data + "twice.spv"});
  CHECK(recorded.code == 0);
  CHECK(recorded.out == plain.out);
  CHECK_MESSAGE(recorded.err.find("refused") == std::string::npos, recorded.err);
  std::size_t launches = 1;  // of the program of source; others run where the driver takes them
  for (const char* built : {"SPIR built 0\n", "SPIR-V built 0\n"})
    launches += plain.out.find(built) != std::string::npos;
  const auto trace = TraceReader::open(folder.file("run.twd"));
  REQUIRE(trace->info().launches.size() == launches);
  CHECK(trace->info().launches[0].accesses.logged);
  const char* reason = "its program was made of an intermediate language (SPIR or SPIR-V): there is no source";
  const Ran info = run_program(folder, {"info", "run.twd"}), checked = run_program(folder, {"check", "run.twd"});
  CHECK(checked.code == 0);
  for (std::size_t l = 1; l < launches; ++l) {
    const LaunchInfo& launch = trace->info().launches[l];
    CHECK(launch.kernel == "twice");
    CHECK(launch.items() == 64);
    CHECK_FALSE(launch.accesses.logged);
    const std::string said = "launch " + std::to_string(l + 1) + " (twice): its accesses were not logged: " + reason;
    CHECK_MESSAGE(recorded.err.find(std::to_string(launches - 1) + " launch") != std::string::npos, recorded.err);
    CHECK_MESSAGE(recorded.err.find(reason) != std::string::npos, recorded.err);
    CHECK_MESSAGE(info.out.find(said) != std::string::npos, info.out);
    CHECK_MESSAGE(checked.err.find(said) != std::string::npos, checked.err);
    const auto json = nlohmann::json::parse(run_program(folder, {"check", "run.twd", "--json"}).out);
    CHECK_MESSAGE(json["unchecked"].dump().find(reason) != std::string::npos, json.dump());
    CHECK(run_program(folder, {"check", "run.twd", "--strict"}).code == 1);
    check_failure(run_program(folder, {"extract", "run.twd", "--launch", std::to_string(l + 1), "-o", "case"}), 2,
                  reason);
  }
}
