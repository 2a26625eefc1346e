// A recorder that is killed: what was logged until then can be read, and what is missing is said.
#include "runtimes/kept_recording.h"
#include "sample.h"
#include "tracer/checks/check.h"
#include "tracer/checks/finding.h"
#include "tracer/file/trace_file.h"
#include "tracer/record/cuda_run.h"
#include "tracer/replay/replay.h"
#include "tracer/trace/begun.h"
#include "tracer/trace/outside.h"

#include <doctest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <memory>
#include <set>
#include <tuple>

using namespace twiddle;
namespace fs = std::filesystem;

namespace {

// Hands on what it gets, and ends the process before the call with this number.
class LethalSink final : public TraceSink {
 public:
  LethalSink(TraceSink& to, int last_call) : to_(to), left_(last_call) {}
  void begin(const TraceInfo& info) override { to_.begin(info); }
  void first_content(int buffer, std::span<const std::byte> bytes) override { to_.first_content(buffer, bytes); }
  void begin_launch(const LaunchInfo& launch) override {
    to_.begin_launch(launch);
    count();
  }
  void add_buffers(std::span<const BufferInfo> buffers) override { to_.add_buffers(buffers); }
  void add_sources(std::span<const SourceText> sources) override { to_.add_sources(sources); }
  void add_sites(std::span<const Site> sites, std::span<const AccessSite> access_sites) override {
    to_.add_sites(sites, access_sites);
  }
  void accesses(const AccessLog& log) override {
    to_.accesses(log);
    count();
  }
  void hold_accesses(const LaunchInfo& launch) override {
    count();
    to_.hold_accesses(launch);
    count();
  }
  void append(int epoch, int stage, OperationBlock&& block) override {
    count();
    to_.append(epoch, stage, std::move(block));
  }
  void end_launch(const LaunchInfo& launch, const DeviceBuffer& device) override {
    count();
    // A buffer is asked for when the end has begun.
    to_.end_launch(launch, [&](int buffer) {
      count();
      return device(buffer);
    });
  }
  std::vector<std::byte> replayed(int buffer) const override { return to_.replayed(buffer); }

 private:
  void count() {
    if (--left_ == 0) std::raise(SIGKILL);
  }
  TraceSink& to_;
  int left_;
};

struct Death {
  int call = 0;              // of the sink; 0: none
  std::uint64_t growth = 0;  // bytes by which the file grows, and then the next write ends the process; 0: for ever
};

void write_recording(const Recording& recording, Detail detail, const fs::path& file, const Death& death) {
  TraceInfo info;
  info.runtime = "cuda";
  info.detail = detail;
  // A commit whenever there may be one.
  TraceWriter writer(file, {1, std::chrono::hours(1)});
  LethalSink sink(writer, death.call);
  RecordedRun run(info, sink);
  if (death.growth > 0) {
    std::signal(SIGXFSZ, SIG_DFL);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    const rlimit limit{fs::file_size(file) + death.growth, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  const CudaLog log = recording.log();
  read_cuda_launches(
      log, 0, [&](std::uint64_t memory) { return run.replayed(memory); },
      [&](RecordedLaunch&& launch) { run.add(std::move(launch)); });
  writer.finish();
}

// False: it lived to the end.
bool dies(const std::function<void()>& action) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    action();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return true;
  REQUIRE(WEXITSTATUS(status) == 0);
  return false;
}

// What was logged of a launch, piece by piece.
AccessLog accesses_of(const TraceSource& trace, int launch) {
  AccessLog all;
  for (const AccessEntry& entry : trace.access_entries()) {
    if (entry.launch != launch) continue;
    const AccessLog piece = trace.accesses(entry);
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(all.site, piece.site);
    append(all.buffer, piece.buffer);
    append(all.offset, piece.offset);
    append(all.value, piece.value);
  }
  return all;
}

using Place = std::tuple<FindingClass, int, int>;  // launch, line

std::set<Place> errors_in(const std::shared_ptr<const TraceSource>& trace) {
  std::set<Place> places;
  Replay replay(trace);
  for (const Finding& finding : check_trace(replay))
    if (finding.severity == Severity::Error) places.emplace(finding.kind, finding.launch, finding.line);
  return places;
}

fs::path journal_of(fs::path file) { return file += "-journal"; }

struct KilledRemains {
  int cut_off = 0;  // launches, after their accesses had come
  int begun = 0;    // launches, before
};

bool says_of(const std::vector<Unchecked>& unchecked, const LaunchInfo& launch, const char* what) {
  return std::any_of(unchecked.begin(), unchecked.end(), [&](const Unchecked& one) {
    return one.launch == launch.number && one.what.english().find(what) != std::string::npos;
  });
}

void check_remains(const fs::path& file, const std::shared_ptr<const TraceSource>& whole, KilledRemains& remains) {
  const auto trace = TraceReader::open(file);
  trace->verify();
  // It may have died while the finished file was made smaller.
  if (trace->info().complete) CHECK(trace->info().launches.size() == whole->info().launches.size());
  const std::vector<Unchecked> unchecked = unchecked_accesses(trace->info());
  for (const LaunchInfo& launch : trace->info().launches) {
    CAPTURE(launch.number);
    const bool last = &launch == &trace->info().launches.back();
    const AccessLog there = accesses_of(*trace, launch.number), expected = accesses_of(*whole, launch.number);
    CHECK((last || has_ended(launch)));
    if (!launch.accesses.logged) {
      CHECK(there.size() == 0);
      CHECK(launch.accesses.kept == 0);
      CHECK(says_of(unchecked, launch, "began and did not end") == (!has_ended(launch) && !from_outside(launch)));
      remains.begun += !has_ended(launch);
      continue;
    }
    CHECK(there.size() == launch.accesses.kept);
    CHECK(there.site == expected.site);
    CHECK(there.buffer == expected.buffer);
    CHECK(there.offset == expected.offset);
    CHECK(there.value == expected.value);
    CHECK(says_of(unchecked, launch, "cut off") == !has_ended(launch));
    remains.cut_off += !has_ended(launch);
  }
  const std::set<Place> found = errors_in(trace), possible = errors_in(whole);
  CHECK(std::includes(possible.begin(), possible.end(), found.begin(), found.end()));
}

}  // namespace

TEST_CASE("a recording whose recorder is killed holds the accesses of the launch that was being lifted") {
  const Recording recording("recorded");
  const TemporaryFolder folder;
  for (const Detail detail : {Detail::Values, Detail::Index}) {
    CAPTURE(int(detail));
    const fs::path whole_file = folder.path() / ("whole" + std::to_string(int(detail)) + ".twd");
    write_recording(recording, detail, whole_file, {});
    const auto whole = TraceReader::open(whole_file);
    KilledRemains remains;
    int replaced = 0;
    const auto check_death = [&](const Death& death) {
      CAPTURE(death.call);
      CAPTURE(death.growth);
      const fs::path file = folder.path() / "killed.twd";
      fs::remove(file);
      fs::remove(journal_of(file));
      const bool died = dies([&] { write_recording(recording, detail, file, death); });
      if (!died) return false;
      check_remains(file, whole, remains);
      // Another that replaces it has nothing of it.
      if (const bool pending = fs::exists(journal_of(file)) && fs::file_size(journal_of(file)) > 0;
          pending && replaced < 5) {
        ++replaced;
        write_recording(recording, detail, file, {});
        const auto trace = TraceReader::open(file);
        trace->verify();
        CHECK(trace->info().complete);
        CHECK(trace->info().launches.size() == whole->info().launches.size());
        CHECK_FALSE(fs::exists(journal_of(file)));
      }
      return true;
    };
    int deaths = 0;
    // At each call that writes; at every third where a sanitizer looks on.
    constexpr int step = tests::slower;
    for (int call = 1; check_death({call, 0}); call += step) ++deaths;
    CHECK(step * deaths > 50);
    // At some moment of each launch: before its accesses came, and after.
    const auto launches = std::ssize(whole->info().launches);
    CHECK(step * remains.begun >= launches);
    CHECK(remains.cut_off + remains.begun >= deaths - launches);
    CHECK(step * remains.cut_off > 30);
    deaths = 0;
    // Within pages, too.
    for (std::uint64_t growth = 1; check_death({0, growth}); growth += step * 1024) ++deaths;
    CHECK(step * deaths > 10);
    CHECK(replaced > 0);
  }
}
