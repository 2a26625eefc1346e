// A trace whose program is killed while a kernel runs: what came before is there, and the launch as one that began.
#include <nlohmann/json.hpp>
#include "run_program.h"
#include "runtimes/opencl_device.h"
#include "tracer/file/trace_file.h"
#include "tracer/trace/begun.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

using namespace twiddle;

namespace {

constexpr const char* endless_kernels =
    "kernel void fill(global volatile int *x) { x[get_global_id(0)] = 1 + (int)get_global_id(0); }\n"
    "kernel void forever(global volatile int *x) { while (x[0] != 0) x[1] = 3; }\n";

constexpr const char* endless_plan = R"(title = "It never ends"
[[buffer]]
name = "x"
type = "int"
count = 8
[[launch]]
source = "endless.cl"
kernel = "fill"
global = [8]
local = [8]
args = ["x"]
[[launch]]
source = "endless.cl"
kernel = "forever"
global = [1]
local = [1]
args = ["x"]
)";

}  // namespace

TEST_CASE("a trace that is killed while a kernel runs holds the launches before it, and that it began") {
  if (!opencl()) return;
  for (const char* accesses : {"all", "none"}) {
    CAPTURE(accesses);
    const TestFolder folder;
    std::ofstream(folder.file("endless.cl")) << endless_kernels;
    std::ofstream(folder.file("endless.toml")) << endless_plan;
    Running program(folder, {"trace", "endless.toml", "--runtime", "opencl", "--accesses", accesses, "-o", "a.twd"});
    const auto has_begun = [&] {
      try {
        return TraceReader::open(folder.file("a.twd"))->info().launches.size() == 2;
      } catch (const std::exception&) { return false; }
    };
    while (!program.ended() && !has_begun()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    REQUIRE_FALSE(program.ended());
    program.send(SIGKILL);
    CHECK(program.wait().code == 128 + SIGKILL);
    const auto trace = TraceReader::open(folder.file("a.twd"));
    trace->verify();
    CHECK_FALSE(trace->info().complete);
    REQUIRE(trace->info().launches.size() == 2);
    CHECK(has_ended(trace->info().launches[0]));
    CHECK(trace->info().launches[0].accesses.logged == (accesses == std::string("all")));
    CHECK_FALSE(has_ended(trace->info().launches[1]));
    CHECK_FALSE(trace->info().launches[1].accesses.logged);
    const Ran check = run_program(folder, {"check", "a.twd"});
    CHECK_MESSAGE(check.err.find("launch 2 (forever): it began and did not end") != std::string::npos, check.err);
  }
}
