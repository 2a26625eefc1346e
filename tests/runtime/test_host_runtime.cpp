// The host executor: the CUDA language on the processor, schedules, and faults that become sentences.
#include "tracer/host/host_runtime.h"

#include "base/temporary_folder.h"
#include "environment.h"
#include "runtimes/cuda_language.h"
#include "test_support.h"
#include "tracer/host/host_compiler.h"
#include "tracer/host/host_translate.h"
#include "tracer/host/host_warp.h"
#include "tracer/runtime/kernel_fault.h"

#include <doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>

#if !defined(TWIDDLE_TSAN)
#define TWIDDLE_TSAN 0
#endif

using namespace twiddle;

namespace {

class Host : public KernelHarness {
 public:
  explicit Host(const std::string& file, const HostOptions& options = {})
      : KernelHarness(open_host_runtime(options), file) {}
};

struct Caught {
  std::string sentence = "no fault";
  KernelFault::Kind kind = KernelFault::Kind::Stopped;
  std::vector<std::uint64_t> items;
  int line = 0, parameter = -2;
  std::string buffer;
  std::int64_t element = 0;
};

template <typename Action>
Caught caught(Action action) {
  try {
    action();
  } catch (const KernelFault& fault) {
    return {fault.what(), fault.kind, fault.items, fault.line, fault.parameter, fault.buffer, fault.element};
  }
  return {};
}

HostOptions with_schedule(const std::string& text) {
  HostOptions options;
  options.schedule = parse_schedules(text)[0];
  return options;
}

// The line of cuda_wrong.cu on which this text is first.
int line_with(const std::string& part) {
  const std::string text = data_file("cuda_wrong.cu");
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

std::string line_text(const std::string& part) { return std::to_string(line_with(part)); }

// The file in a cache's folder that ends so.
std::filesystem::path kept_in(const std::filesystem::path& folder, const char* extension) {
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == extension) return entry.path();
  FAIL("no file ", extension, " in ", folder.string());
  return {};
}

}  // namespace

TEST_CASE("host: the CUDA language, in every order of the work-items") {
  for (const char* schedule : {"forward", "reverse", "random:1", "random:2"}) {
    CAPTURE(schedule);
    Host host("cuda_right.cu", with_schedule(schedule));
    CHECK(host.runtime().device().runtime == "host");
    check_memory(host);
    check_shared_memory(host);
    check_working_together(host);
    check_functions(host);
  }
}

TEST_CASE("host: what was never written is recognisable in every group's shared memory, after other groups, too") {
  Host host("cuda_right.cu");
  const KernelArgument unwritten = host.buffer(std::vector<unsigned>(8));
  host.run("unwritten", 8, 4, {unwritten});
  CHECK(host.read<unsigned>(unwritten, 8) == std::vector<unsigned>(8, 0x7FC0DEAD));
}

TEST_CASE("host: the schedule is the order in which work-items run") {
  const auto order_of = [](const std::string& schedule, const char* kernel, std::size_t global, std::size_t local) {
    Host host("cuda_right.cu", with_schedule(schedule));
    const KernelArgument next = host.buffer(std::vector<int>(1)), who = host.buffer(std::vector<int>(global));
    host.run(kernel, global, local, {next, who});
    return host.read<int>(who, global);
  };
  const std::vector<int> forward = counted(32);
  const std::vector<int> reverse(forward.rbegin(), forward.rend());
  for (const char* kernel : {"order", "order_after"}) {
    CHECK(order_of("forward", kernel, 32, 32) == forward);
    CHECK(order_of("reverse", kernel, 32, 32) == reverse);
    const std::vector<int> random = order_of("random:7", kernel, 32, 32);
    CHECK(random != forward);
    CHECK(std::is_permutation(random.begin(), random.end(), forward.begin()));
    CHECK(random == order_of("random:7", kernel, 32, 32));
    CHECK(random != order_of("random:8", kernel, 32, 32));
  }
  CHECK(order_of("reverse", "order", 32, 8) == reverse);
  CHECK(order_of("forward", "order", 32, 8) == forward);
}

TEST_CASE("host: schedules as text") {
  CHECK(parse_schedules("forward") == std::vector<Schedule>{{Schedule::Order::Forward, 0}});
  CHECK(parse_schedules("random:5")[0] == Schedule{Schedule::Order::Random, 5});
  const std::vector<Schedule> several = parse_schedules("random:3,10-12");
  REQUIRE(several.size() == 4);
  CHECK(to_string(several[3]) == "random:12");
  CHECK(to_string(parse_schedules("reverse")[0]) == "reverse");
  for (const char* wrong : {"", "backward", "random", "random:", "random:x", "random:1,", "random:5-2", "random:-1",
                            "random:1-99999", "random:0-18446744073709551615", "random:18446744073709551616"}) {
    CAPTURE(wrong);
    CHECK(exit_code_of([&] { parse_schedules(wrong); }) == ExitCode::usage);
  }
}

TEST_CASE("host: an index out of bounds names item, line, buffer and element") {
  Host host("cuda_wrong.cu");
  const KernelArgument nums = host.buffer(counted(8));
  const auto fault = [&](const char* kernel, std::vector<KernelArgument> arguments, std::size_t items = 8,
                         std::size_t group = 4) {
    Caught what = caught([&] { host.run(kernel, items, group, arguments); });
    MESSAGE(what.sentence);
    CHECK(what.kind == KernelFault::Kind::OutOfBounds);
    return what;
  };

  Caught what = fault("past_end", {nums, scalar(5)}, 8, 8);
  CHECK(what.items == std::vector<std::uint64_t>{3});
  CHECK(what.line == 2);
  CHECK(what.parameter == 0);
  CHECK(what.buffer == "nums");
  CHECK(what.element == 8);
  CHECK(contains(what.sentence, "cuda_wrong.cu:2: thread 3 of past_end reads nums[8], and nums has 8 elements"));

  what = fault("before_start", {nums});
  CHECK(what.element == -2);
  CHECK(what.line == 4);
  CHECK(contains(what.sentence, "thread 0 (block 0, threadIdx 0) of before_start writes nums[-2]"));

  what = fault("far_away", {nums});
  CHECK(what.items == std::vector<std::uint64_t>{3});
  CHECK(what.element == 4294967295);
  CHECK(contains(fault("null_pointer", {host.buffer(std::vector<int>(2))}).sentence, "reads through a null pointer"));

  what = fault("shared_end", {nums, scalar(6)});
  CHECK(what.items == std::vector<std::uint64_t>{2});
  CHECK(what.line == line_with("tile[threadIdx.x + n]"));
  CHECK(contains(what.sentence, "index 8 is outside of the array 'int"));

  what = fault("shared_pointer", {nums, scalar(6)});
  CHECK(what.buffer == "tile");
  CHECK(what.element == 8);
  CHECK(what.line == line_with("row[threadIdx.x + n]"));

  what = fault("dynamic_end", {nums, {KernelArgument::Local{12}}});
  CHECK(what.buffer == "tile");
  CHECK(what.element == 3);
  CHECK(contains(fault("dynamic_end", {nums}).sentence, "brings no dynamic shared memory"));

  CHECK(fault("local_array", {nums, scalar(4)}).line == line_with("v[n] = 5"));
  CHECK(fault("local_array", {nums, scalar(-1)}).line == line_with("v[n] = 5"));

  // A thread's own variables are not another thread's.
  const KernelArgument where = host.buffer(std::vector<int*>(1));
  what = fault("neighbour", {where, nums});
  CHECK(what.items == std::vector<std::uint64_t>{1});
  CHECK(contains(what.sentence, "a variable of another thread"));

  // The runtime still works, and buffers keep what was there.
  CHECK(host.read<int>(nums, 8)[7] == 7);
  host.run("past_end", 4, 4, {nums, scalar(4)});
  CHECK(host.read<int>(nums, 8)[3] == 7);
}

TEST_CASE("host: divergence at a barrier names who is missing") {
  Host host("cuda_wrong.cu");
  const KernelArgument nums = host.buffer(counted(64));
  const auto fault = [&](const char* kernel, std::vector<KernelArgument> arguments, bool cooperative = false) {
    Caught what = caught([&] { host.run(kernel, 16, 8, arguments, cooperative); });
    MESSAGE(what.sentence);
    CHECK(what.kind == KernelFault::Kind::BarrierDivergence);
    return what;
  };
  Caught what = fault("early_return", {nums, scalar(1)});
  CHECK(what.items == std::vector<std::uint64_t>{5, 0});
  CHECK(what.line == line_with("threadIdx.x == 5") + 1);
  CHECK(contains(what.sentence,
                 "thread 5 (block 0, threadIdx 5) of early_return has left the kernel, while 7 others wait"));

  const int first = line_with("threadIdx.x < 3)\n");
  what = fault("two_barriers", {nums});
  CHECK(what.items == std::vector<std::uint64_t>{0, 3});
  CHECK(contains(what.sentence, "waits in line " + std::to_string(first + 1) +
                                    ", while 5 others wait at the barrier in line " + std::to_string(first + 3) +
                                    ", thread 3 (block 0, threadIdx 3) first"));

  what = fault("warp_and_barrier", {nums});
  CHECK(what.items == std::vector<std::uint64_t>{0, 3});
  CHECK(contains(what.sentence, "waits in line " + line_text("threadIdx.x < 3) __syncthreads")));

  what = fault("grid_early", {nums}, true);
  CHECK(what.items == std::vector<std::uint64_t>{10, 0});
  CHECK(contains(what.sentence, "every thread of the launch"));
}

// ThreadSanitizer keeps a signal back until the thread calls something that it knows, which kernel code never does.
TEST_CASE("host: an endless wait ends in a sentence" * doctest::skip(TWIDDLE_TSAN)) {
  Host host("cuda_wrong.cu");
  host.runtime().limit_time(0, 0.3);
  const auto fault = [&](const char* kernel, std::size_t items, std::size_t group) {
    const KernelArgument nums = host.buffer(std::vector<int>(8));
    Caught what = caught([&] { host.run(kernel, items, group, {nums}); });
    MESSAGE(what.sentence);
    CHECK(what.kind == KernelFault::Kind::EndlessWait);
    return what;
  };
  Caught what = fault("endless_wait", 8, 4);
  CHECK(what.items == std::vector<std::uint64_t>{0});
  CHECK(what.line == line_with("while (*flag"));
  CHECK(contains(what.sentence, "waits without end"));
  CHECK(fault("endless_lock", 8, 8).items[0] > 0);
  CHECK(fault("endless_loop", 8, 8).items == std::vector<std::uint64_t>{0});
  CHECK(contains(fault("silent_loop", 8, 8).sentence, "runs on and on"));
}

TEST_CASE("host: what else stops a kernel does not stop the program" * doctest::skip(TWIDDLE_TSAN)) {
  Host host("cuda_wrong.cu");
  const auto fault = [&](const char* kernel, std::vector<KernelArgument> arguments) {
    Caught what = caught([&] { host.run(kernel, 4, 4, arguments); });
    MESSAGE(what.sentence);
    CHECK(what.kind == KernelFault::Kind::Stopped);
    return what;
  };
  const KernelArgument nums = host.buffer(std::vector<int>{0, -2147483647 - 1});
  CHECK(
      contains(fault("by_zero", {nums, scalar(0)}).sentence,
               "cuda_wrong.cu:" + line_text("void by_zero") + ": thread 1 of by_zero was stopped: it divides by zero"));
#if defined(__x86_64__)
  CHECK(fault("overflow", {nums, scalar(-1)}).line == line_with("void overflow"));
#endif
  CHECK(contains(fault("recursion", {nums, scalar(1000000)}).sentence, "KiB of stack"));
  CHECK(contains(fault("large_frame", {nums, scalar(5)}).sentence, "KiB of stack"));
  CHECK(contains(fault("asserts", {nums}).sentence, "the assertion nums[0] == 1 failed"));
  CHECK(fault("trap", {nums}).line == line_with("void trap"));
  CHECK(contains(fault("not_in_mask", {nums}).sentence, "mask leaves it out"));
  CHECK(contains(fault("grid_barrier", {nums}).sentence, "not cooperative"));
}

TEST_CASE("host: limits and arguments are named before anything runs") {
  Host host("cuda_right.cu");
  const KernelArgument x = host.buffer(counted(64));
  const auto sentence = [&](const char* kernel, std::size_t global, std::size_t local,
                            std::vector<KernelArgument> arguments, bool cooperative = false) {
    CHECK(exit_code_of([&] { host.run(kernel, global, local, arguments, cooperative); }) == ExitCode::usage);
    return sentence_of([&] { host.run(kernel, global, local, arguments, cooperative); });
  };
  CHECK(contains(sentence("add", 4096, 2048, {x, scalar(1)}), "is over the 1024"));
  CHECK(contains(sentence("add", 100, 64, {x, scalar(1)}), "not whole groups"));
  CHECK(contains(sentence("add", 64, 64, {x}), "takes 2 arguments and was given 1"));
  CHECK(contains(sentence("add", 64, 64, {x, scalar(1), scalar(2)}), "takes 2 arguments and was given 3"));
  CHECK(contains(sentence("add", 64, 64, {scalar(1), x}), "argument 1 of kernel add"));
  CHECK(contains(sentence("add", 64, 64, {x, scalar(1.0)}), "takes 4 bytes and was given 8 bytes"));
  CHECK(contains(sentence("ad", 64, 64, {x}), "no kernel called ad; it has add, reverse, shapes"));
  CHECK(contains(sentence("dynamic", 64, 64, {x, {KernelArgument::Local{300000}}}), "the host executor has 232448"));
  CHECK(contains(sentence("grid", 32768, 64, {x, scalar(1)}, true), "16384"));
  CHECK(exit_code_of([&] { host.runtime().allocate(std::size_t(1) << 60); }) == ExitCode::no_device);
}

TEST_CASE("host: a kernel that does not compile shows the user's own line and nothing else") {
  const auto runtime = open_host_runtime();
  const auto build = [&] {
    runtime->build({"mine.cu", "#line 1 \"mine.cu\"\n\n__global__ void k(int *x)\n{\n  x[0] = y;\n}\n", {"A=1"}});
  };
  CHECK(exit_code_of(build) == ExitCode::usage);
  const std::string sentence = sentence_of(build);
  CHECK(contains(sentence, "mine.cu does not compile:\nmine.cu"));
  CHECK(contains(sentence, "mine.cu:4:10: error:"));
  CHECK_FALSE(contains(sentence, "/tmp"));
  CHECK_FALSE(contains(sentence, "translated"));
  CHECK(contains(sentence_of([&] { runtime->build({"m.cu", "#include <nowhere.h>\n", {}}); }), "nowhere.h"));
}

TEST_CASE("host: kernels are compiled with -O2, or at the level that CXX names") {
  const auto optimised = [](const std::string& options) {
    std::string command;
    for (const std::string& word : find_host_compiler().command)
      if (!word.starts_with("-O")) command += word + ' ';
    const Environment compiler("CXX", (command + options).c_str());
    const auto runtime = open_host_runtime();
    const auto builds = [&](const std::string& condition) {
      const std::string text = condition + " __OPTIMIZE__\n#error another level\n#endif\n" +
                               "extern \"C\" __global__ void level(int* x) { x[0] = 1; }\n";
      return exit_code_of([&] { runtime->build({"level.cu", text, {}}); }) == ExitCode::good;
    };
    CHECK(builds("#ifdef") != builds("#ifndef"));
    return builds("#ifndef");
  };
  CHECK(optimised(""));
  CHECK_FALSE(optimised("-O0"));
}

TEST_CASE("host: a program that nothing is logged of computes the same, and none of its own arrays are followed") {
  const auto runtime = open_host_runtime();
  const std::string text =
      "extern \"C\" __global__ void own(int* x) { int a[4]; for (int i = 0; i < 4; ++i) a[i] = 3 * i; x[0] = a[x[0]]; "
      "}\n";
  const BufferHandle x = runtime->allocate(sizeof(int));
  for (const bool unlogged : {false, true}) {
    ProgramSource source{"own.cu", text, {}};
    source.options = {"-O0"};
    if (unlogged) source.options.emplace_back(unlogged_option);
    const ProgramHandle program = runtime->build(source);
    int value = 2;
    runtime->upload(x, 0, std::as_bytes(std::span(&value, 1)));
    KernelCall call;
    call.program = program;
    call.kernel = "own";
    call.global = call.local = {1, 1, 1};
    call.arguments.push_back({KernelArgument::Memory{x}});
    runtime->run(call);
    runtime->download(x, 0, std::as_writable_bytes(std::span(&value, 1)));
    CHECK(value == 6);
    const std::vector<AccessRange> ranges = runtime->variables(program, "own");
    if (!find_host_compiler().clang)
      CHECK(std::any_of(ranges.begin(), ranges.end(), [](const AccessRange& one) { return one.name == "a"; }) !=
            unlogged);
  }
}

TEST_CASE("host: what a call's result is stored to far outside of shared memory stops the kernel, and spoils nothing") {
  const auto runtime = open_host_runtime();
  const std::string text =
      "__device__ __attribute__((noinline)) float2 pair(float v) { return make_float2(v, v); }\n"
      "__device__ __attribute__((noinline)) void put(float2* s, int i) { s[i] = pair(1.f); }\n"
      "extern \"C\" __global__ void far(const int* at, float* y) {\n"
      "  __shared__ float2 s[4];\n"
      "  put(s, at[0]);\n"
      "  y[0] = s[0].x;\n"
      "}\n";
  const BufferHandle at = runtime->allocate(sizeof(int)), y = runtime->allocate(sizeof(float));
  for (const char* level : {"-O0", "-O2"}) {
    ProgramSource source{"far.cu", text, {}};
    source.options = {level};
    KernelCall call;
    call.program = runtime->build(source);
    call.kernel = "far";
    call.arguments.push_back({KernelArgument::Memory{at}});
    call.arguments.push_back({KernelArgument::Memory{y}});
    const auto runs = [&](int index) {
      runtime->upload(at, 0, std::as_bytes(std::span(&index, 1)));
      runtime->run(call);
      float value = 0;
      runtime->download(y, 0, std::as_writable_bytes(std::span(&value, 1)));
      return value;
    };
    CHECK(runs(0) == 1);
    for (const int far : {200000, -200000, 4000000}) CHECK_THROWS_AS(runs(far), KernelFault);
    CHECK(runs(0) == 1);
  }
}

TEST_CASE("host: of more than 1024 compiled sources those that were used last stay") {
  const TemporaryFolder cache(ExitCode::usage, "a cache");
  const Environment home("XDG_CACHE_HOME", cache.path().c_str());
  const std::filesystem::path folder = cache.path() / "twiddle" / "host";
  const auto runtime = open_host_runtime();
  const auto build = [&](const char* name) {
    runtime->build({"kept.cu", fmt::format("extern \"C\" __global__ void {}(int* x) {{ x[0] = 1; }}\n", name), {}});
  };
  build("first");
  const std::filesystem::path first = kept_in(folder, ".so");
  const auto now = std::filesystem::file_time_type::clock::now();
  std::filesystem::last_write_time(first, now - std::chrono::hours(48));
  for (int i = 0; i < 1024; ++i) {
    const std::filesystem::path other = folder / fmt::format("{}.so", i);
    std::ofstream(other) << i;
    std::filesystem::last_write_time(other, now - std::chrono::hours(24) + std::chrono::seconds(i));
  }
  build("first");   // from the cache, which notes it
  build("second");  // deletes those of long ago
  CHECK(std::filesystem::exists(first));
  CHECK_FALSE(std::filesystem::exists(folder / "0.so"));
  CHECK(std::filesystem::exists(folder / "1023.so"));
}

TEST_CASE("host: what kernels call at their accesses is compiled once, and again where it was damaged") {
  const TemporaryFolder cache(ExitCode::usage, "a cache");
  const Environment home("XDG_CACHE_HOME", cache.path().c_str());
  const std::filesystem::path folder = cache.path() / "twiddle" / "host";
  const auto runtime = open_host_runtime();
  const auto build = [&](const char* name) {
    runtime->build({"mine.cu", fmt::format("extern \"C\" __global__ void {}(int* x) {{ x[0] = 1; }}\n", name), {}});
  };
  build("first");
  const std::filesystem::path hooks = kept_in(folder, ".o");
  const auto size = std::filesystem::file_size(hooks);
  build("second");
  CHECK(std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()) == 3);
  std::filesystem::resize_file(hooks, size / 2);
  build("third");
  CHECK(std::filesystem::file_size(hooks) == size);
}

TEST_CASE("host: a compiler that is not there is named, with exit code 4") {
  const char* old = std::getenv("CXX");
  const std::string kept = old ? old : "";
  setenv("CXX", "no-such-compiler -O3", 1);
  CHECK(exit_code_of([] { open_host_runtime(); }) == ExitCode::no_device);
  CHECK(contains(sentence_of([] { open_host_runtime(); }), "no-such-compiler -O3 (from $CXX)"));
  DeviceList list;
  list_host_devices(list);
  CHECK(list.devices.empty());
  REQUIRE(list.missing.size() == 1);
  CHECK(contains(list.missing[0], "host: the host runtime needs a C++ compiler"));
  if (old)
    setenv("CXX", kept.c_str(), 1);
  else
    unsetenv("CXX");
  list = {};
  list_host_devices(list);
  REQUIRE(list.devices.size() == 1);
  CHECK(list.devices[0].kind == "cpu");
}

TEST_CASE("host: several threads share the groups") {
  HostOptions options;
  options.threads = 3;
  Host host("cuda_right.cu", options);
  const KernelArgument x = host.buffer(counted(4096));
  host.run("add", 4096, 64, {x, scalar(1)});
  CHECK(host.read<int>(x, 4096)[4095] == 4096);
  const KernelArgument i = host.buffer(std::vector<int>(4)), u = host.buffer(std::vector<unsigned>(4)),
                       f = host.buffer(std::vector<float>(1)), d = host.buffer(std::vector<double>(1));
  host.run("atomics", 64 * 64, 64, {i, u, f, d});
  CHECK(host.read<int>(i, 4)[0] == 2 * 64 * 64);
  CHECK(host.read<double>(d, 1)[0] == 64 * 16);
  std::vector<float> ramp(256 * 16);
  std::iota(ramp.begin(), ramp.end(), 0.0f);
  const KernelArgument floats = host.buffer(ramp);
  host.run("reverse", ramp.size(), 256, {floats});
  CHECK(host.read<float>(floats, ramp.size())[0] == 255);
  CHECK(host.read<float>(floats, ramp.size()).back() == 256 * 15);
}

TEST_CASE("host: kernels are found and shared variables rewritten, lines stay") {
  const std::string text =
      "namespace a { __global__ void __launch_bounds__(64, 2) k(const float *__restrict__ x, int n = 3) {\n"
      "  __shared__ volatile float s[2][N < 4 ? 1 : 2],\n    t;\n} }\n"
      "template <int n> __global__ void many(int *p) {}\n__global__ void later(int);\n";
  const std::string translated = translate_for_host(text);
  CHECK(std::count(translated.begin(), translated.end(), '\n') == std::count(text.begin(), text.end(), '\n'));
  CHECK(contains(translated, "\"x,n\""));
  CHECK(contains(translated, "shared_variable<twiddle_type_s, twiddle_tag_s>"));
  CHECK(contains(translated, "twiddle_type_t& t"));
  CHECK_FALSE(contains(translated, "twiddle_kernel_many"));
  CHECK_FALSE(contains(translated, "twiddle_kernel_later"));
  CHECK_FALSE(contains(translated, "__global__"));
  CHECK_FALSE(contains(translated, "__launch_bounds__"));
}

TEST_CASE("host: what lanes of a warp give each other, when some take no part") {
  using twiddle_host::WarpOperation;
  const std::vector<WarpLane> lanes = {{5, 2}, {7, 0}, {5, 3}, {0xFFFFFFFFu, 40}};  // value, and whose to take
  const auto results = [&](WarpOperation operation, unsigned taking_part) {
    const auto all = warp_results(operation, lanes, taking_part);
    return std::vector<unsigned long long>(all.begin(), all.begin() + 4);
  };
  using Results = std::vector<unsigned long long>;
  CHECK(results(WarpOperation::Shuffle, 0b1111) == Results{5, 5, 0xFFFFFFFFu, 0xFFFFFFFFu});  // there is no lane 40
  CHECK(results(WarpOperation::Shuffle, 0b0011) == Results{5, 5, 0, 0});  // lane 2 is not there: one's own
  CHECK(results(WarpOperation::Ballot, 0b1110) == Results{0, 0b1110, 0b1110, 0b1110});
  CHECK(results(WarpOperation::MatchAny, 0b0111) == Results{0b101, 0b010, 0b101, 0});
  CHECK(results(WarpOperation::Add, 0b1111) == Results(4, 16));  // modulo 2^32
  CHECK(results(WarpOperation::Min, 0b1011) == Results{5, 5, 0, 5});
  CHECK(results(WarpOperation::SignedMin, 0b1011) == Results{0xFFFFFFFFu, 0xFFFFFFFFu, 0, 0xFFFFFFFFu});
  CHECK(results(WarpOperation::Max, 0b1111) == Results(4, 0xFFFFFFFFu));
  CHECK(results(WarpOperation::SignedMax, 0b1111) == Results(4, 7));
  CHECK(results(WarpOperation::And, 0b0011) == Results{5, 5, 0, 0});
  CHECK(results(WarpOperation::Or, 0b0011) == Results{7, 7, 0, 0});
  CHECK(results(WarpOperation::Xor, 0b0111) == Results{7, 7, 7, 0});
}
