// Shared virtual memory in recorded OpenCL programs.
#include <nlohmann/json.hpp>
#include "recorded_program.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/replay.h"
#include "tracer/trace/outside.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>

using namespace twiddle;

namespace {

// "3f800000" a line, as the program prints what a buffer holds in the end.
std::string bits_of(const std::shared_ptr<const TraceSource>& trace, const std::string& name) {
  Replay replay(trace);
  const auto state = replay.state_after(static_cast<int>(trace->info().segments.size()) - 1);
  const int buffer = trace->info().buffer_named(name);
  REQUIRE(buffer >= 0);
  const std::vector<std::byte> bytes = state->bytes(buffer);
  std::string text;
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + i, sizeof word);
    char line[16];
    std::snprintf(line, sizeof line, "%08x\n", word);
    text += line;
  }
  return text;
}

}  // namespace

TEST_CASE(
    "an FFT in coarse-grained shared virtual memory: the same bits, a buffer for each allocation, every butterfly") {
  if (!can_record()) return;
  const TestFolder folder;
  for (const int log2n : {1, 3, 6}) {
    CAPTURE(log2n);
    const std::string number = std::to_string(log2n);
    const Ran plain = run_plain(folder, program_named("shared") + " " + number);
    REQUIRE(plain.code == 0);
    const Ran recorded = run_program(folder, {"record", "-o", "run.twd", "--", program_named("shared"), number});
    CHECK(recorded.code == 0);
    CHECK(recorded.out == plain.out);
    CHECK_MESSAGE(recorded.err.find("met no memory") == std::string::npos, recorded.err);
    const auto trace = TraceReader::open(folder.file("run.twd"));
    const TraceInfo& info = trace->info();
    const std::uint64_t n = std::uint64_t(1) << log2n;
    std::map<std::string, int> launches;
    for (const LaunchInfo& launch : info.launches) {
      CAPTURE(launch.kernel);
      ++launches[launch.kernel];
      CHECK(launch.accesses.logged);
      CHECK(launch.unexplained == 0);
      CHECK(launch.inconsistent_reads == 0);
      CHECK(launch.accesses.unlogged.empty());  // another kernel of the program loads pointers
      CHECK(launch.accesses.explained_writes == launch.accesses.writes);  // of "shift" by runs in other memory
      // What the kernel is given may begin in the middle of an allocation.
      if (launch.kernel == "stage") CHECK(launch.arguments.at(1) == "x + " + std::to_string(8 * n));
      if (launch.kernel == "shift") CHECK(launch.arguments.at(0) == "last + " + std::to_string(8 * n - 4));
    }
    CHECK(launches == std::map<std::string, int>{{"reverse", 1}, {"stage", log2n}, {"shift", 1}, {"halve", log2n + 1}});
    CHECK(count_of(*trace, OperationKind::Butterfly) == n / 2 * std::uint64_t(log2n));
    std::map<std::string, std::uint64_t> bytes;
    for (const BufferInfo& buffer : info.buffers) bytes[buffer.name] = buffer.count * traits(buffer.type).bytes;
    CHECK(bytes == std::map<std::string, std::uint64_t>{{"x", 16 * n}, {"y", 8 * n}, {"last", 8 * n}});
    CHECK(bits_of(trace, "y") + bits_of(trace, "last").substr(0, 9) == plain.out);
    const Ran checked = run_program(folder, {"check", "run.twd"});
    CHECK_MESSAGE(checked.code == 0, checked.out);
  }
  // A launch of it is a case of its own like any other.
  const Ran extracted = run_program(folder, {"extract", "run.twd", "--launch", "2", "-o", "case"});
  CHECK_MESSAGE(extracted.code == 0, extracted.err);
  CHECK(run_program(folder, {"check", "case/stage.toml", "--runtime", "opencl"}).code == 0);
}

TEST_CASE("items that read in shared virtual memory what others write there are a race, and it says where") {
  if (!can_record()) return;
  const TestFolder folder;
  REQUIRE(run_program(folder, {"record", "-o", "run.twd", "--", program_named("shared"), "race"}).code == 0);
  const auto checked = nlohmann::json::parse(run_program(folder, {"check", "run.twd", "--json"}).out);
  std::map<std::string, int> found;
  for (const auto& finding : checked["findings"]) ++found[finding["class"]];
  CHECK_MESSAGE(found["race"] > 0, checked.dump());
  CHECK_MESSAGE(checked["findings"][0].dump().find("sums") != std::string::npos, checked.dump());
}

TEST_CASE("memory that pointers in memory lead to is logged, and left as it was between the runs of a launch") {
  if (!can_record()) return;
  const TestFolder folder;
  const Ran plain = run_plain(folder, program_named("shared") + " list");
  REQUIRE(plain.code == 0);
  // To run it on other data, in other memory, would write to the program's own.
  const Ran recorded =
      run_program(folder, {"record", "-o", "run.twd", "--probes", "20", "--", program_named("shared"), "list"});
  CHECK(recorded.code == 0);
  CHECK(recorded.out == plain.out);
  CHECK_MESSAGE(recorded.err.find("recorded 2 of 2 launches") != std::string::npos, recorded.err);
  CHECK_MESSAGE(recorded.err.find("met no memory") == std::string::npos, recorded.err);
  CHECK_MESSAGE(recorded.err.find("other data") == std::string::npos, recorded.err);
  const auto trace = TraceReader::open(folder.file("run.twd"));
  CHECK(trace->info().buffers.size() == 7);
  for (const LaunchInfo& launch : trace->info().launches) {
    CHECK(launch.unexplained == 0);
    CHECK(launch.inconsistent_reads == 0);
    CHECK(launch.accesses.unlogged.size() == 1);
    REQUIRE(launch.arguments.size() == 7);
    CHECK(launch.arguments[0] == "first");
    CHECK(std::count_if(launch.arguments.begin(), launch.arguments.end(),
                        [](const std::string& one) { return one.ends_with(" = reached"); }) == 5);
  }
  check_failure(run_program(folder, {"extract", "run.twd", "--launch", "1", "-o", "case"}), 2, "through pointers");
}

TEST_CASE(
    "a memory object made of an allocation is that allocation, and memory that the host may touch is said to be "
    "unseen") {
  if (!can_record()) return;
  const TestFolder folder;
  const Ran plain = run_plain(folder, program_named("shared") + " fine");
  REQUIRE(plain.code == 0);
  const Ran recorded = run_program(folder, {"record", "-o", "run.twd", "--", program_named("shared"), "fine"});
  CHECK(recorded.code == 0);
  CHECK(recorded.out == plain.out);
  const auto trace = TraceReader::open(folder.file("run.twd"));
  const TraceInfo& info = trace->info();
  REQUIRE(info.launches.size() >= 2);
  CHECK(info.buffers.size() == 1);
  std::map<std::string, std::string> kinds{{"fine\n", "fine-grained shared virtual memory"},
                                           {"system\n", "system shared virtual memory"}};
  std::size_t number = 2;
  for (std::size_t l = 0; l < info.launches.size(); ++l) {
    CHECK(info.launches[l].kernel == "halve");
    CHECK(info.launches[l].accesses.logged == (l < 2));
  }
  for (const auto& [printed, reason] : kinds) {
    if (plain.out.find(printed) == std::string::npos) continue;
    ++number;
    CHECK_MESSAGE(recorded.err.find(reason) != std::string::npos, recorded.err);
    const Ran about = run_program(folder, {"info", "run.twd"});
    CHECK_MESSAGE(about.out.find(reason) != std::string::npos, about.out);
    const Ran checked = run_program(folder, {"check", "run.twd"});
    CHECK(checked.code == 0);
    CHECK_MESSAGE((checked.out + checked.err).find(reason) != std::string::npos, checked.err);
    CHECK(run_program(folder, {"check", "run.twd", "--strict"}).code == 1);
    // What was not seen cannot be made a plan, and why is said.
    check_failure(run_program(folder, {"extract", "run.twd", "--launch", std::to_string(number), "-o", "case"}), 2,
                  "ran without being seen, so its arguments and memory are not known: ");
  }
  CHECK(info.launches.size() == number);
}
