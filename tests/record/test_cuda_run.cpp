// Recordings of CUDA programs as traces: their launches, memory, operations and lines.
#include "checked.h"
#include "run_program.h"
#include "runtimes/kept_recording.h"
#include "tracer/checks/finding.h"
#include "tracer/record/cuda_run.h"
#include "tracer/replay/replay.h"
#include "tracer/store/memory_trace.h"
#include "tracer/trace/begun.h"

#include <doctest.h>

#include <algorithm>
#include <cstring>
#include <map>

using namespace twiddle;

namespace {

struct Recorded {
  std::shared_ptr<const TraceSource> trace;
  RecordedTotals totals;

  explicit Recorded(const std::string& name) : Recorded(kept_recording(name)) {}
  explicit Recorded(const Files& files) {
    const Recording recording(files);
    const CudaLog log = recording.log();
    MemoryTrace sink;
    TraceInfo info;
    info.runtime = "cuda";
    RecordedRun run(info, sink);
    read_cuda_launches(
        log, 0, [&](std::uint64_t memory) { return run.replayed(memory); },
        [&](RecordedLaunch&& launch) { run.add(std::move(launch)); });
    totals = run.totals();
    trace = sink.finish();
  }

  int buffer(const std::string& name) const {
    for (std::size_t b = 0; b < trace->info().buffers.size(); ++b)
      if (trace->info().buffers[b].name == name) return static_cast<int>(b);
    FAIL("there is no buffer " << name);
    return -1;
  }
};

}  // namespace

TEST_CASE("a recorded CUDA program is a trace: launches, butterflies, lines, content") {
  const Recorded run("recorded");
  const TraceInfo& info = run.trace->info();
  CHECK(run.totals.launches == 10);
  CHECK(run.totals.plain == 0);
  CHECK(run.totals.lost == 0);
  CHECK(run.totals.unresolved == 0);
  CHECK(run.totals.operations.at(OperationKind::Butterfly) == 6 * 32);  // 64 points

  std::vector<std::string> kernels;
  for (const LaunchInfo& launch : info.launches)
    if (launch.kernel != "outside") kernels.push_back(launch.kernel);
  CHECK(std::vector<std::string>(kernels.begin(), kernels.begin() + 7) ==
        std::vector<std::string>{"stage", "stage", "stage", "stage", "stage", "stage", "tree_sum"});
  const LaunchInfo& first = info.launches[0];
  CHECK(first.global == std::array<std::size_t, 3>{32, 1, 1});
  CHECK(first.accesses.explained_writes == first.accesses.writes);
  for (const LaunchInfo& launch : info.launches) {
    CAPTURE(launch.kernel);
    CHECK(launch.unexplained == 0);
  }

  // What the program put there is what the first launch read.
  const int x = run.buffer("memory_1");
  CHECK(info.buffers[static_cast<std::size_t>(x)].type == ElementType::Float2);
  const std::vector<std::byte> content = run.trace->first_content(x);
  REQUIRE(content.size() >= 64 * 8);
  for (unsigned i = 0; i < 64; ++i) {
    float value[2];
    std::memcpy(value, content.data() + 8 * i, sizeof value);
    CHECK(value[0] == 1.0f / static_cast<float>(i + 1));
    CHECK(value[1] == static_cast<float>(i * 37 % 64) / 64 - 0.5f);
  }
}

TEST_CASE("of allocations of gigabytes, the parts that are used are memory") {
  const Recorded small("recorded");
  Files files = kept_recording("recorded");
  std::string& events = files["events.jsonl"];
  const auto replace = [&](const std::string& from, const std::string& to) {
    REQUIRE(events.find(from) != std::string::npos);
    events.replace(events.find(from), from.size(), to);
  };
  // The first now begins 5 GiB before what is used of it, and the last ends 80 GiB behind.
  replace("\"alloc\":140670981373952,\"bytes\":512", "\"alloc\":140665612664832,\"bytes\":5368709632");
  replace("\"alloc\":140670981375488,\"bytes\":16", "\"alloc\":140670981375488,\"bytes\":85899345920");
  const Recorded large(files);
  CHECK(large.totals.plain == 0);
  CHECK(large.totals.accesses == small.totals.accesses);
  CHECK(large.totals.explained == small.totals.writes);
  CHECK(large.totals.operations == small.totals.operations);
  const TraceInfo& info = large.trace->info();
  const int x = large.buffer("memory_1_from_5242880_KiB");
  CHECK(info.buffers[static_cast<std::size_t>(x)].count == 64);
  CHECK(large.trace->first_content(x) == small.trace->first_content(small.buffer("memory_1")));
  const BufferInfo& counts = info.buffers[static_cast<std::size_t>(large.buffer("memory_4"))];
  CHECK(counts.count * traits(counts.type).bytes == 64 << 10);
}

TEST_CASE("nothing is wrong with a right program, and cuFFT's kernels are butterflies") {
  for (const char* name : {"recorded", "fft1024", "fft4096"}) {
    CAPTURE(name);
    const Recorded run(name);
    CHECK(run.totals.explained == run.totals.writes);
    Replay replay(run.trace);
    for (const Finding& finding : check_trace(replay))
      if (finding.severity == Severity::Error) FAIL_CHECK(text_of(run.trace->info(), finding));
  }
  // Each by its radix. What is exchanged through shared memory, a part at a time, is read as it was written.
  struct Passes {
    const char* name;
    std::map<int, int> radices;  // how many of which
  };
  for (const Passes& one : {Passes{"fft1024", {{16, 128}, {4, 256}}}, Passes{"fft4096", {{16, 768}}},
                            Passes{"double64", {{8, 16}}}, Passes{"cufft32", {{8, 4}, {4, 8}}}}) {
    CAPTURE(one.name);
    const Recorded run(one.name);
    Replay replay(run.trace);
    std::map<int, int> radices;
    replay.for_each(1, run.trace->info().steps, false, [&](const Operation& op) {
      CHECK(op.kind == OperationKind::Butterfly);
      ++radices[op.reads.size()];
      return true;
    });
    CHECK(radices == one.radices);
    for (const LaunchInfo& launch : run.trace->info().launches) CHECK(launch.inconsistent_reads == 0);
    // Seeking equals stepping.
    const std::uint64_t half = run.trace->info().steps / 2;
    Replay other(run.trace);
    for (std::uint64_t step = 1; step <= half; ++step) other.seek(step);
    other.seek(run.trace->info().steps);
    other.seek(half);
    replay.seek(half);
    for (std::size_t b = 0; b < run.trace->info().buffers.size(); ++b) {
      const BufferInfo& buffer = run.trace->info().buffers[b];
      const std::uint64_t some = std::min<std::uint64_t>(buffer.count, 4096);
      std::vector<std::byte> x(some * traits(buffer.type).bytes), y(x.size());
      const auto index = static_cast<int>(b);
      CHECK(replay.state().read_bytes(index, 0, 0, x) == other.state().read_bytes(index, 0, 0, y));
      CHECK(x == y);
    }
  }
  const Recorded cufft("fft1024");
  // Closed code has a listing for its source, and each place a line of it.
  const TraceInfo& info = cufft.trace->info();
  REQUIRE(info.sources.size() == 1);
  CHECK(info.sources[0].name.find("(no source)") != std::string::npos);
  const auto lines = std::count(info.sources[0].text.begin(), info.sources[0].text.end(), '\n');
  for (const AccessSite& site : info.access_sites) {
    CHECK(site.line > 1);
    CHECK(site.line <= lines);
  }
}

TEST_CASE("kernels go by the name that their author gave them") {
  for (const auto& [whole, name] :
       std::map<std::string, std::string>{{"stage(float2*, unsigned int)", "stage"},
                                          {"void ns::stage<float>(float2*)", "stage<float>"},
                                          {"void a::b<c::d, 8>::run<e::f>(int (*)(int))", "run<e::f>"},
                                          {"(anonymous namespace)::k(int)", "k"},
                                          {"k", "k"},
                                          {"_Z3bad", "_Z3bad"},
                                          {"", ""}})
    CHECK(kernel_name_in(whole) == name);
}

TEST_CASE("the verb makes a trace of what the library left") {
  const TestFolder folder;
  const Recording kept("recorded");
  const Ran ran = run_program(folder, {"record", "-o", "run.twd", "--", "sh", "-c",
                                       "cp " + kept.path().string() + "/* \"$TWIDDLE_RECORD_DIR\"; echo mine; exit 7"});
  CHECK(ran.code == 7);
  CHECK(ran.out == "mine\n");
  CHECK(ran.err.find("recorded 10 of 10 launches") != std::string::npos);
  CHECK(ran.err.find("100.0 % of") != std::string::npos);
  const Ran printed = run_program(folder, {"print", "run.twd", "--launch", "1", "--format", "jsonl"});
  CHECK(printed.out.find("\"op\":\"butterfly\"") != std::string::npos);

  // Of what nvcc compiled, no source came with the recording.
  const Ran extracted = run_program(folder, {"extract", "run.twd", "--launch", "1", "-o", "case"});
  CHECK(extracted.code == 2);
  CHECK_MESSAGE(
      extracted.err.find("run.twd has no source of kernel stage: a launch of closed code") != std::string::npos,
      extracted.err);
  CHECK(!std::filesystem::exists(folder.file("case")));

  // Cut anywhere, it is what it was until then, or a sentence.
  const Ran cut = run_program(
      folder, {"record", "-o", "cut.twd", "--", "sh", "-c",
               "for f in " + kept.path().string() + "/*; do head -c 700 $f > \"$TWIDDLE_RECORD_DIR\"/${f##*/}; done"});
  CHECK((cut.code == 0 || cut.code == 4));
  CHECK(cut.err.find("twiddle: ") == 0);
}

TEST_CASE("a launch whose program ended first is in the trace as one that began, and what it did is not believed") {
  Files files = kept_recording("recorded");
  std::string& events = files["events.jsonl"];
  events.resize(events.rfind("{\"drain\""));  // the last launches' log never came
  const Recorded run(files);
  const Recorded whole("recorded");
  REQUIRE(run.totals.begun > 0);
  CHECK(run.totals.plain == 0);
  CHECK(run.totals.launches == whole.totals.launches);
  std::uint64_t begun = 0;
  for (const LaunchInfo& launch : run.trace->info().launches) {
    if (has_ended(launch)) continue;
    ++begun;
    CHECK_FALSE(launch.accesses.logged);
    CHECK(launch.accesses.kept == 0);
  }
  CHECK(begun == run.totals.begun);
  const std::vector<std::string> unchecked = unchecked_in(run.trace->info());
  CHECK(std::uint64_t(std::count_if(unchecked.begin(), unchecked.end(), [](const std::string& sentence) {
          return sentence.find("it began and did not end") != std::string::npos;
        })) == begun);
}
