#include "base/error.h"
#include "synthetic_trace.h"
#include "tracer/replay.h"
#include "tracer/trace_file.h"

#include <doctest.h>

#include <fstream>

using namespace twiddle;
namespace fs = std::filesystem;

namespace {

// What `open` says of a file, or "" when it opens.
std::string complaint(const fs::path& file) {
  try {
    TraceReader::open(file)->verify();
    return "";
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::unreadable);
    return error.what();
  }
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a trace comes back as it was written") {
  const synthetic::Folder folder;
  synthetic::Fft<float> fft({.n = 8});
  const auto trace = TraceReader::open(fft.write(folder / "a.twd"));
  const TraceInfo& info = trace->info();
  CHECK(info.complete);
  CHECK(info.algorithm == "fft-radix2");
  CHECK(info.parameters.at("n") == "8");
  CHECK(info.expect.transform == Expect::Transform::Fft);
  CHECK(info.buffers.size() == 2);
  CHECK(info.buffers[1].initialised == false);
  CHECK(info.launches.size() == 4);
  CHECK(info.launches[2].kernel == "fft_stage");
  CHECK(info.launches[2].arguments == std::vector<std::string>{"F", "int:8"});
  CHECK(info.launches[2].kernel_ns == 3000);
  CHECK(info.launches[2].kept == 4);
  CHECK(info.steps == fft.steps());
  CHECK(info.sites[2].names[0] == "F");
  REQUIRE(info.segments.size() == 4);
  CHECK(info.segments[0].kind == OperationKind::Swap);
  CHECK(info.segments[0].span == 0);
  CHECK(info.segments[3].kind == OperationKind::Butterfly);
  CHECK(info.segments[3].span == 8);
  CHECK(info.segments[3].read_stride == 4);
  CHECK(info.segments[3].items == 4);
  CHECK(info.segments[1].read_buffer == 0);
  CHECK(info.segments[1].write_buffer == 1);
  for (const LaunchInfo& launch : info.launches) {
    CHECK(launch.unexplained == 0);
    CHECK(launch.inconsistent_reads == 0);
  }
}

TEST_CASE("files that are no traces are refused with a sentence") {
  const synthetic::Folder folder;
  const auto write = [&](const char* name, const std::string& content) {
    std::ofstream(folder / name, std::ios::binary) << content;
    return folder / name;
  };
  CHECK(contains(complaint(folder / "missing.twd"), "there is no such file"));
  fs::create_directory(folder / "folder.twd");
  CHECK(contains(complaint(folder / "folder.twd"), "directory"));
  CHECK(contains(complaint(write("empty.twd", "")), "empty"));
  CHECK(contains(complaint(write("text.twd", std::string(5000, 'x'))), "not a Twiddle trace"));
  CHECK(contains(complaint(write("magic.twd", std::string("SQLite format 3\0", 16))), "cut short"));
  CHECK(contains(complaint(write("foreign.twd", std::string("SQLite format 3\0", 16) + std::string(5000, '\0'))),
                 "not a Twiddle trace"));
}
