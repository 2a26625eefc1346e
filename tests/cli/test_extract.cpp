// `twiddle extract`: a launch as a plan of its own leaves in its buffers what the launch left in the trace.
#include "run_program.h"
#include "runtimes/kept_recording.h"
#include "test_support.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/replay.h"

#include <doctest.h>

#include <cmath>
#include <cstring>
#include <set>

using namespace twiddle;

namespace {

// What the trace's buffers hold after its last operation of a launch.
std::map<std::string, std::vector<std::byte>> contents_after(const std::string& file, int launch) {
  const std::shared_ptr<const TraceReader> trace = TraceReader::open(file);
  Replay replay(trace);
  int last = -1;
  for (int s = 0; s < std::ssize(trace->info().segments); ++s)
    if (trace->info().segments[static_cast<std::size_t>(s)].launch <= launch) last = s;
  const auto state = replay.state_after(last);
  std::map<std::string, std::vector<std::byte>> contents;
  for (int b = 0; b < std::ssize(trace->info().buffers); ++b)
    if (const BufferInfo& buffer = trace->info().buffers[static_cast<std::size_t>(b)]; buffer.launch == 0)
      contents[buffer.name] = state->bytes(b);
  return contents;
}

// A GPU and a processor round sines differently.
bool nearly_equal(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  if (a == b) return true;
  if (a.size() != b.size()) return false;
  for (std::size_t at = 0; at + sizeof(float) <= a.size(); at += sizeof(float)) {
    float of_a = 0, of_b = 0;
    std::memcpy(&of_a, a.data() + at, sizeof of_a);
    std::memcpy(&of_b, b.data() + at, sizeof of_b);
    if (!(std::abs(of_a - of_b) <= 1e-5f * (1 + std::abs(of_a)))) return false;
  }
  return true;
}

// Launches of `run.twd` in the folder, all but the last `others`, extracted and run again.
void check_launches(const TestFolder& folder, int others = 0, bool same_machine = true) {
  const int launches = static_cast<int>(TraceReader::open(folder.file("run.twd"))->info().launches.size()) - others;
  REQUIRE(launches > 0);
  for (int launch = 1; launch <= launches; ++launch) {
    CAPTURE(launch);
    const std::string name = "case" + std::to_string(launch);
    const Ran made = run_program(folder, {"extract", "run.twd", "--launch", std::to_string(launch), "-o", name});
    CAPTURE(made.err);
    REQUIRE(made.code == 0);
    const std::string plan = made.out.substr(0, made.out.find(':'));
    const Ran again = run_program(folder, {"trace", plan, "--runtime", "host", "-o", name + ".twd"});
    CAPTURE(again.err);
    REQUIRE(again.code == 0);
    const auto before = contents_after(folder.file("run.twd"), launch),
               after = contents_after(folder.file(name + ".twd"), 1);
    CHECK(!after.empty());
    for (const auto& [buffer, bytes] : after) {
      CAPTURE(buffer);
      CHECK((same_machine ? before.at(buffer) == bytes : nearly_equal(before.at(buffer), bytes)));
    }
  }
}

}  // namespace

TEST_CASE("an extracted launch leaves what it left in the trace, launch by launch") {
  for (const char* algorithm : {"fft-radix2", "fft-stockham2", "fft-real", "histogram-local", "reduce-first-add"}) {
    CAPTURE(std::string(algorithm));
    const TestFolder folder;
    REQUIRE(run_program(folder, {"trace", algorithm, "--n", "16", "--runtime", "host", "-o", "run.twd"}).code == 0);
    check_launches(folder);
  }
}

TEST_CASE("launches of a CUDA program that had NVRTC compile its kernels are plans that do the same") {
  // Templates with a header and definitions, compiled to machine code; a struct, dynamic shared memory, a null pointer and one
  // that is not used, compiled to PTX and launched in three ways (compiled.cpp).
  const TestFolder folder;
  TraceInfo info;
  info.runtime = "cuda";
  write_trace(Recording("compiled"), info, folder.file("run.twd"));
  const auto trace = TraceReader::open(folder.file("run.twd"));
  const std::vector<LaunchInfo>& launches = trace->info().launches;
  REQUIRE(launches.size() == 8);
  CHECK(launches[2].arguments == std::vector<std::string>{"memory_1", "uint:4"});
  CHECK(launches[4].arguments == std::vector<std::string>{"memory_2", "memory_4", "memory_3",
                                                          "Scale:0x0000004000000000", "long:100", "local:128"});
  CHECK(launches[5].arguments == std::vector<std::string>{"memory_2", "memory_4", "weights = null",
                                                          "Scale:0x0000004000000000", "long:100", "local:256"});
  const SourceText* stages = trace->info().source(launches[0].source);
  REQUIRE(stages);
  CHECK(stages->name == "stages.cu");
  CHECK(stages->options == std::vector<std::string>{"-DPOINTS=16", "-std=c++14"});
  std::set<int> lines;
  for (const AccessSite& site : trace->info().access_sites)
    if (site.source == launches[0].source) lines.insert(site.line);
  CHECK(lines == std::set<int>{10, 12, 13});

  // Programs 3 and 4 have a kernel of one name, which the driver compiled further: the recorder knows which was loaded.
  const int ints = trace->info().buffer_named("memory_5");
  REQUIRE(ints >= 0);
  CHECK(trace->info().buffers[static_cast<std::size_t>(ints)].type == ElementType::Int);
  check_launches(folder, 0, false);
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "case2"))
    files.insert(entry.path().filename().string());
  CHECK(files == std::set<std::string>{"angles.h", "memory_1.bin", "stage_float2__1_.toml", "stages.cu"});

  // Where it does not know, the only program that has the kernel is its source, and of two none is.
  Files unsure = kept_recording("compiled");
  std::string& events = unsure["events.jsonl"];
  for (const std::string name : {"2", "3", "4"}) {
    const std::string key = ",\"program\":" + name + "}";
    REQUIRE(events.find(key) != std::string::npos);
    events.replace(events.find(key), key.size(), "}");
  }
  const TestFolder other;
  write_trace(Recording(unsure), info, other.file("run.twd"));
  check_launches(other, 2, false);
  const Ran refused = run_program(other, {"extract", "run.twd", "--launch", "7", "-o", "case"});
  CHECK(refused.code == 2);
  CHECK(contains(refused.err, "has no source of kernel change"));
}

TEST_CASE("of a plan with files, expressions and an expectation, a launch is a plan without them") {
  const TestFolder folder;
  std::ofstream(folder.file("in.csv")) << "3\n1\n4\n1\n5\n9\n2\n6\n";
  std::ofstream(folder.file("mine.cu"))
      << "extern \"C\" __global__ void add(const float *x, float *y, int by)\n{\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  y[i] = x[i] + SCALE * by;\n}\n";
  std::ofstream(folder.file("mine.toml")) << R"toml(
[parameters]
n = 8
[[buffer]]
name = "x"
type = "float"
count = "n"
content = "file:in.csv"
[[buffer]]
name = "y"
type = "float"
count = "n"
[[launch]]
for = "s in 1..2"
source = "mine.cu"
kernel = "add"
defines = ["SCALE=3"]
global = ["n"]
local = ["n/2"]
args = ["s % 2 ? x : y", "s % 2 ? y : x", "int:s"]
[expect]
transform = "sum"
input = "x"
output = "y"
)toml";
  REQUIRE(run_program(folder, {"trace", "mine.toml", "--runtime", "host", "-o", "run.twd"}).code == 0);
  check_launches(folder);
}

TEST_CASE("what cannot be extracted is said in a sentence") {
  const TestFolder folder;
  REQUIRE(run_program(folder, {"trace", "fft-radix2", "--n", "8", "--runtime", "host", "-o", "run.twd"}).code == 0);
  REQUIRE(run_program(folder,
                      {"trace", "fft-radix2", "--n", "8", "--runtime", "host", "--detail", "index", "-o", "index.twd"})
              .code == 0);
  REQUIRE(run_program(folder, {"extract", "run.twd", "--launch", "2", "-o", "there"}).code == 0);
  const struct {
    std::vector<std::string> arguments;
    int code;
    const char* says;
  } cases[] = {
      {{"extract", "run.twd", "-o", "case"}, 2, "--launch L says which of the"},
      {{"extract", "run.twd", "--launch", "77", "-o", "case"}, 2, "--launch takes"},
      {{"extract", "run.twd", "--launch", "2", "-o", "there"}, 2, "is there already"},
      {{"extract", "index.twd", "--launch", "2", "-o", "case"}, 2, "holds no values"},
      {{"extract", "none.twd", "--launch", "2", "-o", "case"}, 3, "there is no such file"},
  };
  for (const auto& one : cases) {
    CAPTURE(one.says);
    const Ran ran = run_program(folder, one.arguments);
    CHECK(ran.code == one.code);
    CHECK(contains(ran.err, one.says));
  }
}
