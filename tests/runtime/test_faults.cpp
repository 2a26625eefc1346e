// What kernels do outside their memory and their barriers: noticed by the runtimes, without harm, and named as findings.
#include "checked.h"
#include "own_kernel.h"
#include "run_program.h"
#include "test_support.h"
#include "tracer/file/trace_file.h"
#include "tracer/opencl/memory/cpu_memory.h"
#include "tracer/opencl/twin/opencl_rewriter.h"
#include "tracer/runtime/guard_zones.h"

#include <doctest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

using namespace twiddle;

namespace {

using Class = FindingClass;

// A buffer of some bytes between its zones, in the test's own memory.
struct Zoned {
  explicit Zoned(std::size_t bytes) : all(bytes + 2 * guard_bytes(bytes)) {
    memory.bytes = bytes;
    memory.read = [this](std::size_t offset, std::span<std::byte> to) {
      std::memcpy(to.data(), all.data() + offset, to.size());
    };
    memory.write = [this](std::size_t offset, std::span<const std::byte> from) {
      std::memcpy(all.data() + offset, from.data(), from.size());
      ++writes;
    };
    fill_guards(memory);
    writes = 0;
  }
  std::byte& at(std::int64_t byte) { return all[static_cast<std::int64_t>(guard_bytes(memory.bytes)) + byte]; }

  std::vector<std::byte> all;
  GuardedMemory memory;
  int writes = 0;
};

// Three buffers in a row; the kernel writes y, and `line` of it goes astray.
struct Astray {
  explicit Astray(const std::string& line, std::size_t items = 8)
      : own("kernel void f(global const int *x, global int *y, global int *z TRACE_PARAMS) {\n"
            "  int g = get_global_id(0), v = x[g % 8];\n"
            "  z[g % 8] = v;\n"
            "  TRACE_MOVE(z, g % 8, x, g % 8, v);\n" +
            line + "}\n") {
    const auto x = own.buffer("x", ElementType::Int, 8), y = own.buffer("y", ElementType::Int, 8);
    const auto z = own.buffer("z", ElementType::Int, 8, Content::Kind::Zero);
    own.launch("f", items, items, {x, y, z});
  }
  OwnKernel own;
};

}  // namespace

TEST_CASE("guard zones tell the byte nearest to the buffer, on both sides, and are whole again") {
  for (const std::size_t bytes : {1, 52, 4096, 300'000, 5'000'000}) {
    CAPTURE(bytes);
    const auto count = static_cast<std::int64_t>(bytes);
    Zoned zoned(bytes);
    CHECK(changed_guards(zoned.memory).empty());
    zoned.at(0) = zoned.at(count - 1) = std::byte{1};
    CHECK(changed_guards(zoned.memory).empty());
    CHECK(zoned.writes == 0);
    const auto far = static_cast<std::int64_t>(guard_bytes(bytes));
    zoned.at(-far) = zoned.at(-5) = zoned.at(count + 7) = zoned.at(count + far - 1) = std::byte{1};
    CHECK(changed_guards(zoned.memory) == std::vector<std::int64_t>{-5, count + 7});
    CHECK(changed_guards(zoned.memory).empty());
    CHECK(zoned.at(0) == std::byte{1});
    zoned.at(count) = std::byte{1};
    CHECK(changed_guards(zoned.memory) == std::vector<std::int64_t>{count});
  }
  // Half and double indices of the sizes that people debug with stay inside.
  for (std::size_t bytes = 1; bytes <= std::size_t(1) << 20; bytes *= 2) CHECK(guard_bytes(bytes) >= bytes);
}

TEST_CASE("a write past a buffer without a trace line is noticed, named, and harms nothing") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  struct Case {
    const char* line;
    const char* element;
  };
  for (const Case& one : {Case{"  if (g == 3) y[g + 7] = v;\n", "y[10]"}, Case{"  y[g - 20] = v;\n", "y[-20]"}}) {
    CAPTURE(one.line);
    Astray astray(one.line);
    const CheckedRun run = checked(astray.own.plan, *runtime);
    const Finding* finding = run.first(Class::OutOfBounds);
    REQUIRE_MESSAGE(finding != nullptr, run.text());
    CHECK(run.findings.size() == 1);
    CHECK(finding->launch == 1);
    CHECK_MESSAGE(contains(finding->message, std::string(" writes ") + one.element), finding->message);
    CHECK(finding->line == 6);
    CHECK(contains(finding->message, "y has 8 elements"));
    CHECK_FALSE(finding->advice.empty());
    CHECK(run.info.launches[0].faults.size() == 1);
    CHECK(run.info.complete);
  }
}

TEST_CASE("where the log has the access, the finding is the log's, and the write is reported once") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  Astray astray("  y[g + 4] = v;\n  TRACE_MOVE(y, g + 4, x, g % 8, v);\n");
  const CheckedRun run = checked(astray.own.plan, *runtime);
  const Finding* finding = run.first(Class::OutOfBounds);
  REQUIRE_MESSAGE(finding != nullptr, run.text());
  CHECK(element_of(run.info, *finding) == "y[8]");
  CHECK(finding->line == 6);  // the statement, not the trace line
  CHECK(finding->items == std::vector<std::uint64_t>{4, 5, 6, 7});
  CHECK(std::count_if(run.findings.begin(), run.findings.end(),
                      [](const Finding& one) { return one.kind == Class::OutOfBounds; }) == 1);
}

TEST_CASE("a kernel without any trace line that leaves its buffer, and one of many windows") {
  Runtime* runtime = device_of("opencl");
  if (!runtime) return;
  OwnKernel own("kernel void f(global int *y) { y[get_global_id(0) + 1] = 5; }\n");
  own.launch("f", 8, 8, {own.buffer("y", ElementType::Int, 8)});
  const CheckedRun silent = checked(own.plan, *runtime);
  REQUIRE(silent.first(Class::OutOfBounds) != nullptr);
  CHECK(contains(silent.first(Class::OutOfBounds)->message, "writes y[8]"));

  // Only the first window's items go astray, and the launch is run once for each window.
  Astray astray("  if (g == 1) y[8] = v;\n", 4096);
  astray.own.plan.launches[0].local = {64, 1, 1};
  TraceOptions narrow;
  narrow.window_bytes = 8192;
  const CheckedRun windows = checked(astray.own.plan, *runtime, narrow);
  REQUIRE(windows.first(Class::OutOfBounds) != nullptr);
  CHECK(windows.info.launches[0].faults.size() == 1);
}

TEST_CASE("on a processor an index gone wild is named and goes nowhere, and the kernel goes on") {
  Runtime* runtime = device_of("opencl");
  if (!runtime || runtime->device().kind != "cpu") return;
  struct Case {
    const char* line;
    const char* says;
  };
  for (const Case& one :
       {Case{"  if (g == 3) y[g + 1000000000] = v;\n", "work-item 3 writes y[1000000003], but y has"},
        Case{"  if (g == 3) y[g - 1000000000] = v;\n", "work-item 3 writes y[-999999997]"},
        Case{"  if (g == 3) v = x[v + 2000000000];\n  if (v == 99) y[0] = 1;\n", "work-item 3 reads x[2000000003]"}}) {
    CAPTURE(one.line);
    Astray astray(one.line);
    const CheckedRun run = checked(astray.own.plan, *runtime);
    const Finding* finding = run.first(Class::OutOfBounds);
    REQUIRE_MESSAGE(finding != nullptr, run.text());
    CHECK_MESSAGE(contains(finding->message, one.says), finding->message);
    CHECK(run.findings.size() == 1);
    CHECK(run.info.complete);
    CHECK(run.info.steps == 8);
  }
  // A trace line there knows the work-item.
  Astray logged("  y[g + 1000000000] = v;\n  TRACE_MOVE(y, g + 1000000000, x, g % 8, v);\n");
  const CheckedRun run = checked(logged.own.plan, *runtime);
  REQUIRE(run.first(Class::OutOfBounds) != nullptr);
  CHECK(element_of(run.info, *run.first(Class::OutOfBounds)) == "y[1000000000]");
  CHECK(run.first(Class::OutOfBounds)->line == 6);
  // The same launch without the wild index is right again: nothing is left out there.
  Astray right("");
  CHECK_FALSE(checked(right.own.plan, *runtime).any_errors());
}

TEST_CASE("the program outlives kernels that cannot go on, keeps what they logged, and says so in one sentence") {
  Runtime* runtime = device_of("opencl");
  if (!runtime || runtime->device().kind != "cpu") return;
  const TestFolder folder;
  const std::string plan =
      "[[buffer]]\nname = \"x\"\ntype = \"int\"\ncount = 8\ncontent = \"iota\"\n"
      "[[buffer]]\nname = \"y\"\ntype = \"int\"\ncount = 1\n"
      "[[launch]]\nsource = \"mine.cl\"\nkernel = \"f\"\nglobal = [8]\nlocal = [1]\nargs = [\"x\", \"y\"]\n"
      "[expect]\ntransform = \"sum\"\ninput = \"x\"\noutput = \"y\"\n";
  std::ofstream(folder.file("mine.toml")) << plan;
  const auto kernel = [&](const std::string& line) {
    std::ofstream(folder.file("mine.cl")) << "#include \"trace_device.h\"\n"
                                             "kernel void f(global const int *x, global int *y TRACE_PARAMS) {\n"
                                             "  int g = get_global_id(0), v = x[g];\n"
                                             "  int old = atomic_add(y, v);\n"
                                             "  TRACE_ATOMIC(y, 0, old, v);\n" +
                                                 line + "}\n";
  };
  for (const char* line : {"  if (g == 7) y[(long)v << 58] = v;\n",  // no processor has such an address
                           "  for (int k = 1; k < 30000; ++k) y[k << 16] = k;\n"}) {
    CAPTURE(line);
    kernel(line);
    const Ran traced =
        run_program(folder, {"trace", "mine.toml", "--runtime", "opencl", "--accesses", "none", "-o", "mine.twd"});
    CHECK_MESSAGE(traced.code == 1, traced.err);
    CHECK(contains(traced.err, "twiddle: kernel f was stopped on "));
    CHECK(contains(traced.err, "touches memory far outside its buffers"));
    CHECK(contains(traced.err, "--runtime host"));
    CHECK(std::count(traced.err.begin(), traced.err.end(), '\n') == 1);
    const auto trace = TraceReader::open(folder.file("mine.twd"));
    CHECK_FALSE(trace->info().complete);
    CHECK(trace->info().steps >= 1);
    CHECK(run_program(folder, {"check", "mine.twd"}).code == 1);
    check_failure(run_program(folder, {"verify", "mine.toml", "--runtime", "opencl"}), 1, "kernel f was stopped on ");
    check_failure(run_program(folder, {"verify", "mine.toml", "--traced", "--runtime", "opencl"}), 1,
                  "kernel f was stopped on ");
  }
}

TEST_CASE(
    "a kernel that a processor stops leaves the operations that its accesses show, with trace lines and without") {
  Runtime* runtime = device_of("opencl");
  if (!runtime || runtime->device().kind != "cpu" || rewriter_program().empty()) return;
  const TestFolder folder;
  std::ofstream(folder.file("mine.toml"))
      << "[[buffer]]\nname = \"x\"\ntype = \"int\"\ncount = 8\ncontent = \"iota\"\n"
         "[[buffer]]\nname = \"y\"\ntype = \"int\"\ncount = 16\n"
         "[[launch]]\nsource = \"mine.cl\"\nkernel = \"f\"\nglobal = [8]\nlocal = [1]\nargs = [\"x\", \"y\"]\n";
  for (const char* line : {"", "  TRACE_MOVE(y, g, x, g, v);\n"})
    for (const char* end :
         {"  if (g == 7) y[(long)v << 58] = v;\n", "  for (int k = 1; k < 30000; ++k) y[k << 16] = k;\n"}) {
      CAPTURE(line);
      CAPTURE(end);
      std::ofstream(folder.file("mine.cl")) << "#include \"trace_device.h\"\n"
                                               "kernel void f(global const int *x, global int *y TRACE_PARAMS) {\n"
                                               "  int g = get_global_id(0), v = x[g];\n"
                                               "  y[g] = v;\n"
                                            << line << end << "}\n";
      const Ran traced = run_program(folder, {"trace", "mine.toml", "--runtime", "opencl", "-o", "mine.twd"});
      CHECK_MESSAGE(traced.code == 1, traced.err);
      CHECK(contains(traced.err, "kernel f was stopped on "));
      const auto trace = TraceReader::open(folder.file("mine.twd"));
      CHECK_FALSE(trace->info().complete);
      REQUIRE(trace->info().launches.size() == 1);
      CHECK(trace->info().launches[0].accesses.logged);
      CHECK(trace->info().launches[0].accesses.kept >= 2);
      const Ran printed = run_program(folder, {"print", "mine.twd"});
      CHECK(contains(printed.out, " move="));
    }
}

TEST_CASE("a driver that aborts while it compiles or runs a kernel ends that, on its own threads and on ours") {
  const KernelSignals signals(&CpuLaunch::handled);
  for (const CpuLaunch::Work work : {CpuLaunch::Work::Compiler, CpuLaunch::Work::Kernel}) {
    CpuLaunch ours(work);
    ours.wait([] { std::abort(); });
    CHECK(ours.stopped_by() == SIGABRT);
  }
  CpuLaunch of_driver;
  std::thread([] { std::abort(); }).detach();
  while (of_driver.stopped_by() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(of_driver.stopped_by() == SIGABRT);
  of_driver.leave_running();
}

TEST_CASE("verify: a right outcome does not hide that a kernel leaves its buffers") {
  if (!device_of("opencl")) return;
  const TestFolder folder;
  REQUIRE(run_program(folder, {"new", "my"}).code == 0);
  const auto replace = [](std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  };
  const std::string right = content_of(folder.path() / "my/mine.cl");
  std::ofstream(folder.file("my/mine.cl")) << replace(right, "x[i0] = a + t;", "x[i0] = a + t; x[i0 + 64] = a;");
  for (const bool traced : {false, true}) {
    CAPTURE(traced);
    std::vector<std::string> arguments{"verify", "my/mine.toml", "--runtime", "opencl", "--json"};
    if (traced) arguments.emplace_back("--traced");
    const Ran ran = run_program(folder, arguments);
    CHECK(ran.code == 1);
    CHECK_MESSAGE(contains(ran.out, "\"pass\":false,\"faults\":[\"launch 2 ("), ran.out);
    CHECK_MESSAGE(contains(ran.err, " writes x[64], and x has 8 elements"), ran.err);
  }
  const Ran text = run_program(folder, {"verify", "my/mine.toml", "--runtime", "opencl"});
  CHECK(text.code == 1);
  CHECK(contains(text.out, "good by luck, for it leaves its buffers"));
}

TEST_CASE("host: an access outside is kept from happening; what was logged until then stays, marked incomplete") {
  Runtime* runtime = device_of("host");
  if (!runtime) return;
  OwnKernel own(
      "extern \"C\" __global__ void f(const int *x, int *y TRACE_PARAMS) {\n"
      "  int g = threadIdx.x;\n"
      "  int v = x[g];\n"
      "  y[g] = v;\n"
      "  TRACE_MOVE(y, g, x, g, v);\n"
      "  __syncthreads();\n"
      "  TRACE_BARRIER();\n"
      "  y[g + 4] = v;\n"
      "}\n",
      ".cu");
  own.launch("f", 8, 8, {own.buffer("x", ElementType::Int, 8), own.buffer("y", ElementType::Int, 8)});
  const CheckedRun run = checked(own.plan, *runtime);
  CHECK_FALSE(run.info.complete);
  CHECK(run.info.steps == 8);
  const Finding* finding = run.first(Class::OutOfBounds);
  REQUIRE_MESSAGE(finding != nullptr, run.text());
  CHECK(finding->launch == 1);
  CHECK(finding->items == std::vector<std::uint64_t>{4});
  CHECK(finding->line == 9);
  CHECK(element_of(run.info, *finding) == "y[8]");
  CHECK(contains(finding->message, "thread 4 writes y[8], but y has 8 elements"));
}

TEST_CASE("host: work-items missing at a barrier are a finding, with the line and the ones that wait") {
  Runtime* runtime = device_of("host");
  if (!runtime) return;
  OwnKernel own(
      "extern \"C\" __global__ void f(int *y TRACE_PARAMS) {\n"
      "  int g = threadIdx.x;\n"
      "  if (g >= 6) return;\n"
      "  __syncthreads();\n"
      "  y[g] = g;\n"
      "}\n",
      ".cu");
  own.launch("f", 8, 8, {own.buffer("y", ElementType::Int, 8)});
  const CheckedRun run = checked(own.plan, *runtime);
  const Finding* finding = run.first(Class::BarrierDivergence);
  REQUIRE_MESSAGE(finding != nullptr, run.text());
  CHECK(finding->items.front() >= 6);
  CHECK(finding->line == 5);
  CHECK_FALSE(contains(text_of(run.info, *finding), "barrier-divergence: mine.cu"));
}
