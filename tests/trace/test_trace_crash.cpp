// What is left of a trace when its writer dies, and when the disk is full.
#include "base/error.h"
#include "base/read_file.h"
#include "synthetic_trace.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/replay.h"
#include "tracer/trace/begun.h"

#include <doctest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <random>

using namespace twiddle;
namespace fs = std::filesystem;

namespace {

// Coefficients that nothing predicts, so that a file grows quickly.
constexpr synthetic::FftOptions noisy = {.n = 1 << 14, .random = true, .twiddle_error = 1e-2, .block = 512};

// Writes a trace in a process that is killed once the writer has had so many blocks.
void write_and_die(const fs::path& file, const synthetic::FftOptions& options, TraceWriter::Pace pace, int blocks) {
  int alive[2];
  REQUIRE(pipe(alive) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    close(alive[0]);
    synthetic::Fft<float> fft(options);
    TraceWriter writer(file, pace);
    int done = 0;
    fft.write(writer, [&] {
      if (++done == blocks) {
        // Notifies the parent, and goes on until it is killed.
        if (write(alive[1], "x", 1) != 1) _exit(1);
      }
    });
    _exit(2);  // fewer blocks than that
  }
  close(alive[1]);
  char signal = 0;
  CHECK(read(alive[0], &signal, 1) == 1);
  close(alive[0]);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
}

}  // namespace

TEST_CASE("kill -9 leaves a trace that reads to the last commit") {
  const synthetic::Folder folder;
  synthetic::Fft<float> whole(noisy);
  const auto complete = TraceReader::open(whole.write(folder / "whole.twd"));
  Replay expected(complete);
  std::mt19937 random(31);
  std::uint64_t most = 0;
  for (int attempt = 0; attempt < 12; ++attempt) {
    const fs::path file = folder / ("killed" + std::to_string(attempt) + ".twd");
    // A commit after every block, or every few.
    const TraceWriter::Pace pace{attempt % 2 == 0 ? 1u : 20000u, std::chrono::hours(1)};
    write_and_die(file, noisy, pace, 1 + static_cast<int>(random() % 200));
    const auto trace = TraceReader::open(file);
    trace->verify();
    CHECK(!trace->info().complete);
    const std::uint64_t steps = trace->info().steps;
    REQUIRE(steps <= complete->info().steps);
    most = std::max(most, steps);
    Replay replay(trace);
    replay.seek(steps);
    expected.seek(steps);
    for (int buffer = 0; buffer < 2; ++buffer) REQUIRE(replay.state().bytes(buffer) == expected.state().bytes(buffer));
  }
  CHECK(most > 1000);
}

TEST_CASE("a journal left behind is played back in a copy, not in the file") {
  const synthetic::Folder folder;
  const fs::path file = folder / "killed.twd", journal = folder / "killed.twd-journal";
  // One launch in one transaction, larger than SQLite's cache: the file itself is half written when the process dies. The swaps
  // before it, 1023 blocks, ended with its beginning.
  synthetic::FftOptions larger = noisy;
  larger.n = 1 << 20;
  write_and_die(file, larger, {std::size_t(1) << 40, std::chrono::hours(1)}, 1023 + 900);
  REQUIRE(fs::exists(journal));
  CHECK(fs::file_size(journal) > 512);
  CHECK(fs::file_size(file) > 100000);
  const std::string file_before = own_file(file), journal_before = own_file(journal);
  const auto trace = TraceReader::open(file);
  trace->verify();
  CHECK(!trace->info().complete);
  CHECK(trace->info().steps == ((1 << 20) - (1 << 10)) / 2);  // the last commit was before the first butterfly
  REQUIRE(trace->info().launches.size() == 2);
  CHECK_FALSE(has_ended(trace->info().launches[1]));
  CHECK(trace->info().algorithm == "fft-radix2");
  CHECK(own_file(file) == file_before);
  CHECK(own_file(journal) == journal_before);
}

TEST_CASE("a trace can be read while it is written") {
  const synthetic::Folder folder;
  const fs::path file = folder / "a.twd";
  synthetic::Fft<float> fft({.n = 1 << 10, .random = true, .block = 64});
  TraceWriter writer(file, {1, std::chrono::hours(1)});
  std::uint64_t last = 0;
  int looks = 0;
  fft.write(writer, [&] {
    const auto trace = TraceReader::open(file);
    CHECK(!trace->info().complete);
    CHECK(trace->info().steps > last);
    last = trace->info().steps;
    Replay(trace).operation(last);
    ++looks;
  });
  CHECK(looks > 80);
  writer.finish();
  CHECK(TraceReader::open(file)->info().complete);
}

TEST_CASE("a launch that takes the process with it is in the trace, and says nothing of what had not come") {
  const synthetic::Folder folder;
  const fs::path file = folder / "a.twd";
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    TraceWriter writer(file, {std::size_t(1) << 40, std::chrono::hours(1)});
    writer.begin(TraceInfo());
    LaunchInfo launch;
    launch.number = 1;
    launch.kernel = "harmless";
    writer.begin_launch(launch);
    writer.end_launch(launch, {});
    launch.number = 2;
    launch.kernel = "deadly";
    launch.attempted = 7;
    launch.accesses.logged = true;
    launch.accesses.kept = 99;
    writer.begin_launch(launch);
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  const auto trace = TraceReader::open(file);
  const TraceInfo& info = trace->info();
  CHECK(!info.complete);
  REQUIRE(info.launches.size() == 2);
  CHECK(has_ended(info.launches[0]));
  const LaunchInfo& deadly = info.launches[1];
  CHECK(deadly.kernel == "deadly");
  CHECK_FALSE(has_ended(deadly));
  CHECK_FALSE(deadly.accesses.logged);
  CHECK(deadly.accesses.kept == 0);
  CHECK(deadly.attempted == 0);
}

TEST_CASE("a trace that is killed before it begins reads as one of nothing") {
  const synthetic::Folder folder;
  const fs::path file = folder / "a.twd";
  const TraceWriter writer(file);
  const auto trace = TraceReader::open(file);
  trace->verify();
  CHECK(!trace->info().complete);
  CHECK(trace->info().launches.empty());
  CHECK(trace->info().buffers.empty());
}

TEST_CASE("a launch whose buffers cannot be read back does not keep the next one from the file") {
  const synthetic::Folder folder;
  const fs::path file = folder / "a.twd";
  TraceWriter writer(file, {1, std::chrono::hours(1)});
  TraceInfo info;
  BufferInfo buffer;
  buffer.name = "x";
  buffer.type = ElementType::Float;
  buffer.count = 64;
  buffer.shape = {64};
  info.buffers = {buffer};
  writer.begin(info);
  LaunchInfo launch;
  launch.number = 1;
  writer.begin_launch(launch);
  const auto lost = [](int) -> std::span<const std::byte> { throw usage_error("the device is gone"); };
  CHECK_THROWS_AS(writer.end_launch(launch, lost), Error);
  writer.first_content(0, std::vector<std::byte>(256, std::byte(1)));
  const auto trace = TraceReader::open(file);
  CHECK(trace->first_content(0) == std::vector<std::byte>(256, std::byte(1)));
  REQUIRE(trace->info().launches.size() == 1);
  CHECK_FALSE(has_ended(trace->info().launches[0]));
  writer.interrupt();
}

TEST_CASE("a full disk leaves nothing behind") {
  const synthetic::Folder folder;
  const fs::path file = folder / "a.twd";
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{300000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  std::string sentence;
  try {
    synthetic::Fft<float> fft(noisy);
    TraceWriter writer(file);
    fft.write(writer);
    writer.finish();
  } catch (const Error& error) {
    sentence = error.what();
    CHECK(error.code() == ExitCode::usage);
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  CHECK(sentence.find("cannot write") != std::string::npos);
  CHECK(sentence.find("a.twd") != std::string::npos);
  CHECK(fs::is_empty(file.parent_path()));
}
