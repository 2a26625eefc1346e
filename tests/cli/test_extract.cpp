// `twiddle extract`: a launch as a plan of its own leaves in its buffers what the launch left in the trace.
#include "run_program.h"
#include "test_support.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/replay.h"

#include <doctest.h>

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

// Every launch of `run.twd` in the folder, extracted and run again.
void check_launches(const TestFolder& folder) {
  const int launches = static_cast<int>(TraceReader::open(folder.file("run.twd"))->info().launches.size());
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
      CHECK(before.at(buffer) == bytes);
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
