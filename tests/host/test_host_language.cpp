// What the host executor takes of CUDA C++ as NVRTC does, and what it makes of pointers and of waiting.
#include "runtimes/logged_kernel.h"
#include "tracer/source/source.h"

#include <doctest.h>

#include <algorithm>
#include <numeric>

using namespace twiddle;

TEST_CASE("host language: names that need no include") {
  LoggedKernel kernel(
      "extern \"C\" __global__ void f(uint *y, uint *none) {\n"
      "  const size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (y != NULL) y[at] = (uint)sizeof(size_t) + (uint)at;\n"
      "}\n");
  kernel.buffer<unsigned>("y", {0, 0, 0});
  kernel.buffer<unsigned>("none", {0});
  kernel.run(3, 1);
  CHECK(kernel.content<unsigned>(0) == std::vector<unsigned>{8, 9, 10});
}

TEST_CASE("host language: instances of templates by their names") {
  const std::string text =
      "template <typename T, int N>\n"
      "__global__ void k(T *y) {\n"
      "  __shared__ T tile[N];\n"
      "  tile[threadIdx.x] = T(N) / 4;\n"
      "  __syncthreads();\n"
      "  y[threadIdx.x] = tile[N - 1 - threadIdx.x];\n"
      "}\n"
      "template <int N = 3> __global__ void defaults(int *y) { y[threadIdx.x] = N; }\n"
      "template <typename T> __global__ void once(T *y) { y[threadIdx.x] = T(2.5); }\n"
      "template __global__ void once<double>(double *);\n";
  const auto outcome = [&]<typename T>(const std::string& name, T) {
    LoggedKernel kernel(text, {}, name);
    kernel.buffer<T>("y", std::vector<T>(2));
    const RawAccesses raw = kernel.run(2, 2);
    CHECK(kernel.of(raw, 1).back().memory == "y");
    return kernel.content<T>(0);
  };
  CHECK(outcome("k<float, 2>", 0.0f) == std::vector<float>{0.5f, 0.5f});
  CHECK(outcome("k<double,2>", 0.0) == std::vector<double>{0.5, 0.5});
  CHECK(outcome("k<int, 2>", 0) == std::vector<int>{0, 0});
  CHECK(outcome("defaults", 0) == std::vector<int>{3, 3});
  CHECK(outcome("defaults<7>", 0) == std::vector<int>{7, 7});
  CHECK(outcome("once", 0.0) == std::vector<double>{2.5, 2.5});

  const KernelSignature signature = kernel_signature(text, "k<float, 2>");
  CHECK(signature.parameters == std::vector<std::string>{"y"});
  REQUIRE(signature.locals.size() == 1);
  CHECK(signature.locals[0].count == 2);
  CHECK(signature.locals[0].type == ElementType::Float);
}

TEST_CASE("host language: sizes of arrays by enumerators and constants of several words") {
  const KernelSignature signature = kernel_signature(
      "enum Sizes { ROWS = 4, COLUMNS = ROWS + 1 };\n"
      "static constexpr unsigned int DEPTH = 2u;\n"
      "__global__ void f(int *y) { __shared__ int a[ROWS][COLUMNS]; __shared__ float b[DEPTH]; }\n",
      "f");
  REQUIRE(signature.locals.size() == 2);
  CHECK(signature.locals[0].count == 20);
  CHECK(signature.locals[1].count == 2);
}

TEST_CASE("host language: a shared variable at file scope is each group's own, in every function that names it") {
  LoggedKernel kernel(
      "__shared__ int total;\n"
      "__shared__ int parts[2];\n"
      "__device__ void add(int value) { atomicAdd(&total, value + parts[0]); }\n"
      "__device__ int unrelated(int total) { return total + 1; }\n"
      "extern \"C\" __global__ void f(int *y) {\n"
      "  if (threadIdx.x == 0) total = 0, parts[0] = 10;\n"
      "  __syncthreads();\n"
      "  add(unrelated(threadIdx.x + 100 * blockIdx.x));\n"
      "  __syncthreads();\n"
      "  if (threadIdx.x == 0) y[blockIdx.x] = total;\n"
      "}\n");
  kernel.buffer<int>("y", {0, 0});
  const RawAccesses raw = kernel.run(6, 3);
  CHECK(kernel.content<int>(0) == std::vector<int>{36, 336});
  CHECK(std::any_of(raw.ranges.begin(), raw.ranges.end(), [](const AccessRange& range) {
    return range.name == "total" && range.space == Space::Local && range.function.empty();
  }));
}

TEST_CASE("host language: an element of one of two arrays, at an index that is divided") {
  // g++ 12 divided by what was never computed where the second array is taken, which stopped right kernels.
  for (const int flip : {0, 1}) {
    CAPTURE(flip);
    LoggedKernel kernel(
        "extern \"C\" __global__ void f(const int *x, int *y, int flip, int n) {\n"
        "  int i = threadIdx.x;\n"
        "  y[i] = (flip == 3 ? y : x)[(3 * i) % (flip == 7 ? i : 15)];\n"
        "  __shared__ int s[16], t[16];\n"
        "  (flip ? s : t)[(i + 1) % (n > 20 ? i : 16)] = i;\n"
        "  (flip ? t : s)[i / (n - 15)] = 100 * i;\n"
        "  __syncthreads();\n"
        "  y[i] += ((flip ? s : t))[(i + 1) % n] + (flip ? t : s)[i % (n + 0 * flip)];\n"
        "}\n");
    std::vector<int> x(16), wanted(16);
    for (int i = 0; i < 16; ++i) {
      x[static_cast<std::size_t>(i)] = 10000 * (i + 1);
      wanted[static_cast<std::size_t>(i)] = 10000 * (3 * i % 15 + 1) + 101 * i;
    }
    kernel.buffer<int>("x", x);
    kernel.buffer<int>("y", std::vector<int>(16));
    for (const int value : {flip, 16}) {
      KernelArgument::Scalar scalar{{}, sizeof value};
      std::memcpy(scalar.bits.data(), &value, sizeof value);
      kernel.call.arguments.push_back({scalar});
    }
    kernel.run(16, 16);
    CHECK(kernel.content<int>(1) == wanted);
  }
}

TEST_CASE("host language: half precision rounds to the nearest, as the processor's own conversion does") {
  LoggedKernel kernel(
      "#include <cuda_fp16.h>\n"
      "extern \"C\" __global__ void f(const float *x, float *y, unsigned *bits) {\n"
      "  const int i = threadIdx.x;\n"
      "  const __half h = __float2half(x[i]);\n"
      "  y[i] = __half2float(h);\n"
      "  bits[i] = __half_as_ushort(h);\n"
      "}\n");
  // Of each pair the second is what IEEE 754 has for the first.
  const std::vector<std::pair<float, unsigned>> known{
      {0.0f, 0x0000},     {-0.0f, 0x8000},      {1.0f, 0x3c00},       {-2.0f, 0xc000},       {65504.0f, 0x7bff},
      {65519.0f, 0x7bff}, {65520.0f, 0x7c00},   {1e9f, 0x7c00},       {-1e9f, 0xfc00},       {0x1p-14f, 0x0400},
      {0x1p-24f, 0x0001}, {0x1p-25f, 0x0000},   {0x1.8p-25f, 0x0001}, {0x1.8p-24f, 0x0002},  {0.1f, 0x2e66},
      {1.0f / 3, 0x3555}, {0x1.002p0f, 0x3c00}, {0x1.006p0f, 0x3c02}, {0x1.ff8p-15f, 0x03ff}};
  std::vector<float> x;
  for (const auto& [value, half] : known) x.push_back(value);
  kernel.buffer<float>("x", x);
  kernel.buffer<float>("y", std::vector<float>(x.size()));
  kernel.buffer<unsigned>("bits", std::vector<unsigned>(x.size()));
  kernel.run(x.size(), x.size());
  const std::vector<unsigned> halves = kernel.content<unsigned>(2);
  const std::vector<float> back = kernel.content<float>(1);
  for (std::size_t i = 0; i < known.size(); ++i) {
    CAPTURE(known[i].first);
    CHECK(halves[i] == known[i].second);
    // Exact values come back as they were.
    if (known[i].second == 0x3c00 || known[i].second == 0x0001) continue;
    if (known[i].second == 0x7bff) CHECK(back[i] == 65504.0f);
    if (known[i].second == 0x0400) CHECK(back[i] == 0x1p-14f);
    if (known[i].second == 0x0002) CHECK(back[i] == 0x1p-23f);
  }
}

TEST_CASE("host language: lanes that come to a line together are active together") {
  LoggedKernel kernel(
      "extern \"C\" __global__ void f(const int *x, unsigned *all, unsigned *odd, int *sum, int *rounds, int *place, "
      "int "
      "*count) {\n"
      "  const int i = threadIdx.x, lane = i % 32;\n"
      "  const unsigned mask = __activemask();\n"
      "  all[i] = mask;\n"
      "  if (i & 1) odd[i] = __activemask();\n"
      "  int v = x[i];\n"
      "  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d);\n"
      "  if (lane == 0) sum[i / 32] = v;\n"
      "  for (int round = 1;; ++round) {\n"
      "    const int first = __ffs(__activemask()) - 1;\n"
      "    if (lane == first) { rounds[i] = round; break; }\n"
      "  }\n"
      "  if (x[i] % 3 == 0) {\n"
      "    const unsigned m = __activemask();\n"
      "    const int leader = __ffs(m) - 1;\n"
      "    int base = 0;\n"
      "    if (lane == leader) base = atomicAdd(count, __popc(m));\n"
      "    base = __shfl_sync(m, base, leader);\n"
      "    place[i] = base + __popc(m & ((1u << lane) - 1));\n"
      "  }\n"
      "}\n");
  constexpr int threads = 40;  // a warp, and one of eight lanes
  std::vector<int> x(threads);
  for (int i = 0; i < threads; ++i) x[i] = i + 1;
  kernel.buffer<int>("x", x);
  kernel.buffer<unsigned>("all", std::vector<unsigned>(threads));
  kernel.buffer<unsigned>("odd", std::vector<unsigned>(threads));
  kernel.buffer<int>("sum", {0, 0});
  kernel.buffer<int>("rounds", std::vector<int>(threads));
  kernel.buffer<int>("place", std::vector<int>(threads, -1));
  kernel.buffer<int>("count", {0});
  kernel.run(threads, threads);
  CHECK(kernel.content<int>(3)[0] == 32 * 33 / 2);
  std::vector<int> places;
  for (int i = 0; i < threads; ++i) {
    CAPTURE(i);
    const unsigned whole = i < 32 ? 0xffffffffu : 0xffu;
    CHECK(kernel.content<unsigned>(1)[i] == whole);
    CHECK(kernel.content<unsigned>(2)[i] == (i % 2 ? whole & 0xaaaaaaaau : 0));
    CHECK(kernel.content<int>(4)[i] == i % 32 + 1);
    if (x[i] % 3 == 0) places.push_back(kernel.content<int>(5)[i]);
  }
  std::sort(places.begin(), places.end());
  std::vector<int> each(threads / 3);
  std::iota(each.begin(), each.end(), 0);
  CHECK(places == each);
  CHECK(kernel.content<int>(6)[0] == threads / 3);
}

TEST_CASE("host language: groups of lanes, as reduced and scanned by cooperative groups") {
  LoggedKernel kernel(
      "#include <cooperative_groups.h>\n"
      "#include <cooperative_groups/reduce.h>\n"
      "#include <cooperative_groups/scan.h>\n"
      "namespace cg = cooperative_groups;\n"
      "__device__ int sum_of(cg::thread_group g, int *room, int value) {\n"
      "  const int lane = g.thread_rank();\n"
      "  for (int i = g.size() / 2; i > 0; i /= 2) {\n"
      "    room[lane] = value;\n"
      "    g.sync();\n"
      "    if (lane < i) value += room[lane + i];\n"
      "    g.sync();\n"
      "  }\n"
      "  return value;\n"
      "}\n"
      "extern \"C\" __global__ void f(const int *x, int *y) {\n"
      "  __shared__ int room[16];\n"
      "  const int i = threadIdx.x, v = x[i];\n"
      "  auto block = cg::this_thread_block();\n"
      "  auto tile = cg::tiled_partition<4>(block);\n"
      "  y[i] = cg::reduce(tile, v, cg::plus<int>());\n"
      "  y[16 + i] = cg::inclusive_scan(tile, v);\n"
      "  y[32 + i] = cg::exclusive_scan(tile, v);\n"
      "  auto same = cg::labeled_partition(tile, i & 1);\n"
      "  y[48 + i] = cg::reduce(same, v, cg::greater<int>());\n"
      "  y[64 + i] = sum_of(block, room, v);\n"
      "  cg::coalesced_group active = cg::coalesced_threads();\n"
      "  if (active.thread_rank() == 0) atomicAdd(&y[80], (int)active.size());\n"
      "}\n");
  std::vector<int> x(16);
  for (int i = 0; i < 16; ++i) x[static_cast<std::size_t>(i)] = (i * 7) % 11;
  kernel.buffer<int>("x", x);
  kernel.buffer<int>("y", std::vector<int>(81));
  kernel.run(16, 16);
  const std::vector<int> y = kernel.content<int>(1);
  int everything = 0;
  for (std::size_t i = 0; i < 16; ++i) everything += x[i];
  for (std::size_t i = 0; i < 16; ++i) {
    CAPTURE(i);
    const std::size_t first = i / 4 * 4;
    int sum = 0, before = 0;
    for (std::size_t j = first; j < first + 4; ++j) {
      sum += x[j];
      if (j < i) before += x[j];
    }
    CHECK(y[i] == sum);
    CHECK(y[16 + i] == before + x[i]);
    CHECK(y[32 + i] == before);
    CHECK(y[48 + i] == std::max(x[first + i % 2], x[first + i % 2 + 2]));
  }
  CHECK(y[64] == everything);
  CHECK(y[80] == 16);
}

TEST_CASE("host language: null and wild pointers are accesses out of bounds at their line") {
  for (const char* line :
       {"int *p = nullptr; y[0] = *p;", "int *p = nullptr; *p = 1;", "int *p = nullptr; y[0] = p[3];",
        "int *p = y[0] ? nullptr : y + 1; *p = 1;", "*(int *)0x123456789abcull = 1;",
        "y[0] = *(int *)0xdeadbeefdeadbee0ull;", "atomicAdd((int *)nullptr, 1);",
        "struct Large { int v[20]; }; *(Large *)nullptr = *(Large *)y;", "y[1] = *(volatile int *)8;"}) {
    CAPTURE(line);
    LoggedKernel kernel("extern \"C\" __global__ void f(int *y) {\n  y[1] = 5;\n  " + std::string(line) + "\n}\n");
    kernel.buffer<int>("y", std::vector<int>(20, 1));
    const KernelFault fault = kernel.fault(1, 1);
    CHECK(fault.kind == KernelFault::Kind::OutOfBounds);
    CHECK(fault.line == 3);
    REQUIRE(fault.accesses);
    const std::vector<Made> made = kernel.of(*fault.accesses, 0);
    REQUIRE(made.size() >= 2);
    CHECK(made.front() == Made{AccessKind::Store, "y", 4, 5});
    CHECK(fault.accesses->sites[fault.accesses->site[fault.accesses->begin[1] - 1]].line == 3);
  }
}

TEST_CASE("host language: a look-back over groups, with a ticket that is a variable of the program") {
  const std::string text =
      "__device__ unsigned ticket = 0;\n"
      "extern \"C\" __global__ void f(const int *x, int *y, volatile int *flag, volatile int *sums) {\n"
      "  __shared__ int tile, before;\n"
      "  if (threadIdx.x == 0) tile = atomicAdd(&ticket, 1u);\n"
      "  __syncthreads();\n"
      "  const int g = tile * blockDim.x + threadIdx.x;\n"
      "  if (threadIdx.x == 0) {\n"
      "    int sum = 0;\n"
      "    if (tile > 0) {\n"
      "      while (flag[tile - 1] == 0) {}\n"
      "      __threadfence();\n"
      "      sum = sums[tile - 1];\n"
      "    }\n"
      "    before = sum;\n"
      "    for (int i = 0; i < blockDim.x; ++i) sum += x[g + i];\n"
      "    sums[tile] = sum;\n"
      "    __threadfence();\n"
      "    flag[tile] = 1;\n"
      "  }\n"
      "  __syncthreads();\n"
      "  int sum = before;\n"
      "  for (int i = 0; i <= threadIdx.x; ++i) sum += x[tile * blockDim.x + i];\n"
      "  y[g] = sum;\n"
      "}\n";
  for (const char* schedule : {"forward", "reverse", "random:5"})
    for (const int threads : {1, 3}) {
      CAPTURE(schedule);
      HostOptions options;
      options.schedule = parse_schedules(schedule)[0];
      options.threads = threads;
      // Each is a program of its own, whose ticket begins with 0 though the code was loaded before.
      LoggedKernel kernel(text, options);
      std::vector<int> x(32), sums(32);
      for (int i = 0, sum = 0; i < 32; ++i)
        sums[static_cast<std::size_t>(i)] = sum += x[static_cast<std::size_t>(i)] = i * i % 7;
      kernel.buffer<int>("x", x);
      kernel.buffer<int>("y", std::vector<int>(32));
      kernel.buffer<int>("flag", std::vector<int>(4));
      kernel.buffer<int>("sums", std::vector<int>(4));
      kernel.run(32, 8);
      CHECK(kernel.content<int>(1) == sums);
    }
}

TEST_CASE("host language: waiting for what never comes ends, with warp operations in the loop, too") {
  LoggedKernel kernel(
      "extern \"C\" __global__ void f(volatile int *flag) {\n"
      "  if (blockIdx.x == 0)\n"
      "    while (__ballot_sync(0xffffffffu, flag[0] == 0)) {}\n"
      "  else\n"
      "    flag[0] = 1;\n"
      "}\n");
  kernel.buffer<int>("flag", {0});
  const KernelFault fault = kernel.fault(64, 32);
  CHECK(fault.kind == KernelFault::Kind::EndlessWait);
  CHECK(fault.line == 3);
}

TEST_CASE("host language: of the reads of a wait that never ends, the log has the first rounds") {
  LoggedKernel kernel("extern \"C\" __global__ void f(volatile int *flag) {\n  while (flag[threadIdx.x] == 0) {}\n}\n");
  kernel.buffer<int>("flag", std::vector<int>(4));
  const KernelFault fault = kernel.fault(4, 4);
  CHECK(fault.kind == KernelFault::Kind::EndlessWait);
  REQUIRE(fault.accesses);
  CHECK(fault.accesses->attempted > 4000);
  CHECK(fault.accesses->attempted < 20000);
  CHECK(fault.accesses->lost == 0);
  for (std::uint64_t item = 0; item < 4; ++item) CHECK(!kernel.of(*fault.accesses, item).empty());
}

TEST_CASE(
    "host language: dynamic shared memory at file scope is an array to casts, and what is called like it hides it") {
  LoggedKernel kernel(
      "struct Head { int count; int sum; };\n"
      "extern __shared__ __align__(16) unsigned char memory[];\n"
      "__device__ int twice(int i) { int memory = 2 * i; return memory; }\n"
      "__device__ int by_argument(const unsigned char *memory) { return memory[0]; }\n"
      "extern \"C\" __global__ void f(int *y) {\n"
      "  Head *head = reinterpret_cast<Head *>(memory);\n"
      "  int *rest = reinterpret_cast<int *>(&memory[sizeof(Head)]);\n"
      "  if (threadIdx.x == 0) head->count = 3, head->sum = 0;\n"
      "  rest[threadIdx.x] = twice(threadIdx.x);\n"
      "  __syncthreads();\n"
      "  atomicAdd(&head->sum, rest[threadIdx.x]);\n"
      "  __syncthreads();\n"
      "  if (threadIdx.x == 0) y[blockIdx.x] = head->sum + by_argument(memory);\n"
      "}\n");
  kernel.buffer<int>("y", {0, 0});
  kernel.local(64);
  kernel.run(8, 4);
  CHECK(kernel.content<int>(0) == std::vector<int>{15, 15});
}
