// The host executor's log: every access of small kernels, known beforehand, values among them.
#include "runtimes/logged_kernel.h"

#include <doctest.h>

#include <algorithm>
#include <map>

using namespace twiddle;

namespace {

using Kind = AccessKind;

// Of the first site of this kind.
AccessSite site(const RawAccesses& raw, Kind kind, std::size_t which = 0) {
  for (const AccessSite& one : raw.sites)
    if (one.kind == kind && which-- == 0) return one;
  FAIL("no such site");
  return {};
}

const AccessRange& range_named(const RawAccesses& raw, const std::string& name) {
  const auto at =
      std::find_if(raw.ranges.begin(), raw.ranges.end(), [&](const AccessRange& one) { return one.name == name; });
  REQUIRE(at != raw.ranges.end());
  return *at;
}

}  // namespace

TEST_CASE("host accesses: loads and stores of global memory, their values, lines and function") {
  LoggedKernel kernel(
      "__device__ float scaled(const float *x, int i) {\n"
      "  return 2 * x[i];\n"
      "}\n"
      "extern \"C\" __global__ void f(const float *x, float *y) {\n"
      "  int g = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  y[g + 1] = scaled(x, g) + y[0];\n"
      "}\n");
  kernel.buffer<float>("x", {1.5f, 2.5f, 3.5f, 4.5f});
  kernel.buffer<float>("y", {0.25f, 0, 0, 0, 0});
  const RawAccesses raw = kernel.run(4, 2);
  CHECK(raw.begin == std::vector<std::uint64_t>{0, 3, 6, 9, 12});
  CHECK(raw.attempted == 12);
  CHECK(raw.lost == 0);
  CHECK(raw.device_ns > 0);
  for (std::uint64_t g = 0; g < 4; ++g) {
    std::vector<Made> list = kernel.of(raw, g);
    REQUIRE(list.size() == 3);
    CHECK(list[2] == Made{Kind::Store, "y", 4 * (g + 1), bits(2 * (1.5f + float(g)) + 0.25f)});
    if (list[0].memory == "y") std::swap(list[0], list[1]);  // which operand comes first is the compiler's choice
    CHECK(list[0] == Made{Kind::Load, "x", 4 * g, bits(1.5f + float(g))});
    CHECK(list[1] == Made{Kind::Load, "y", 0, bits(0.25f)});
  }
  REQUIRE(raw.sites.size() == 3);
  for (const AccessSite& one : raw.sites) {
    const bool helper = one.function == "scaled";
    CHECK(one.line == kernel.line(helper ? "2 * x" : "y[g + 1]"));
    CHECK((helper || one.function == "f"));
    CHECK(one.chunk == 4);
    CHECK(one.components == 1);
    CHECK(one.source == 0);
    CHECK(one.space == Space::Global);
  }
  REQUIRE(raw.ranges.size() == 2);
  CHECK(raw.ranges[0].argument == 0);
  CHECK(raw.ranges[0].bytes == 16);
}

TEST_CASE("host accesses: what is wider than 8 bytes is several records, what is narrow has few bytes") {
  LoggedKernel kernel(
      "extern \"C\" __global__ void f(const float4 *x, float4 *y, unsigned char *bytes, double *d) {\n"
      "  y[1] = x[0];\n"
      "  bytes[2] = bytes[3];\n"
      "  d[0] = d[1] + 1;\n"
      "}\n");
  kernel.buffer<float>("x", {1, 2, 3, 4});
  kernel.buffer<float>("y", {0, 0, 0, 0, 0, 0, 0, 0});
  kernel.buffer<unsigned char>("bytes", {1, 2, 3, 200});
  kernel.buffer<double>("d", {0, 6.5});
  const RawAccesses raw = kernel.run(1, 1);
  std::map<std::string, std::uint64_t> loaded, stored;
  for (std::uint64_t i = 0; i < raw.site.size(); ++i) {
    const Made one = kernel.of(raw, 0)[i];
    auto& values = one.kind == Kind::Load ? loaded : stored;
    const std::uint8_t chunk = raw.sites[raw.site[i]].chunk;
    CHECK(chunk == (one.memory == "bytes" ? 1 : one.memory == "d" ? 8 : chunk));
    for (std::size_t byte = 0; byte < chunk; byte += std::min<std::size_t>(4, chunk))
      values[one.memory + std::to_string(one.offset + byte)] = one.value >> 8 * byte & 0xffffffff;
  }
  for (std::uint64_t i = 0; i < 4; ++i) {
    CHECK(loaded.at("x" + std::to_string(4 * i)) == bits(float(i + 1)));
    CHECK(stored.at("y" + std::to_string(16 + 4 * i)) == bits(float(i + 1)));
  }
  CHECK(loaded.at("bytes3") == 200);
  CHECK(stored.at("bytes2") == 200);
  CHECK(loaded.at("d12") == bits(6.5) >> 32);
  CHECK(stored.at("d4") == bits(7.5) >> 32);
  CHECK(loaded.size() == 7);
  CHECK(stored.size() == 7);
}

TEST_CASE("host accesses: shared memory, barriers and constants") {
  LoggedKernel kernel(
      "__constant__ float taps[2] = {3, 5};\n"
      "__device__ int runs;\n"
      "extern \"C\" __global__ void f(float *x) {\n"
      "  __shared__ float tile[4];\n"
      "  extern __shared__ float2 more[];\n"
      "  int l = threadIdx.x, g = blockIdx.x * 4 + l;\n"
      "  tile[l] = x[g];\n"
      "  __syncthreads();\n"
      "  x[g] = tile[3 - l] * taps[l & 1];\n"
      "  more[l].y = runs;\n"
      "}\n");
  kernel.buffer<float>("x", {1, 2, 3, 4, 5, 6, 7, 8});
  kernel.local(32);
  const RawAccesses raw = kernel.run(8, 4);
  for (std::uint64_t g = 0; g < 8; ++g) {
    const std::uint64_t l = g % 4, mirrored = g / 4 * 4 + 3 - l;
    const float tap = l & 1 ? 5 : 3;
    std::vector<Made> list = kernel.of(raw, g);
    REQUIRE(list.size() == 8);
    CHECK(list[0] == Made{Kind::Load, "x", 4 * g, bits(float(g + 1))});
    CHECK(list[1] == Made{Kind::Store, "tile", 4 * l, bits(float(g + 1))});
    CHECK(list[2] == Made{Kind::Barrier, "", 0, ordered_local | ordered_global});
    for (const Made& one : {Made{Kind::Load, "tile", 4 * (3 - l), bits(float(mirrored + 1))},
                            Made{Kind::Load, "taps", 4 * (l & 1), bits(tap)},
                            Made{Kind::Store, "x", 4 * g, bits(float(mirrored + 1) * tap)},
                            Made{Kind::Load, "runs", 0, 0}, Made{Kind::Store, "more", 8 * l + 4, 0}})
      CHECK_MESSAGE(std::count(list.begin() + 3, list.end(), one) == 1, one);
  }
  const AccessSite barrier = site(raw, Kind::Barrier);
  CHECK(barrier.scope == MemoryScope::Group);
  CHECK(barrier.line == kernel.line("__syncthreads"));

  const AccessRange& tile = range_named(raw, "tile");
  CHECK(tile.space == Space::Local);
  CHECK(tile.function == "f");
  CHECK(tile.type == ElementType::Float);
  CHECK(tile.bytes == 16);
  CHECK(tile.argument == -1);
  CHECK_FALSE(tile.initialised);
  const AccessRange& more = range_named(raw, "more");
  CHECK(more.argument == 1);
  CHECK(more.bytes == 32);
  CHECK(more.element_bytes == 8);
  CHECK(more.type == ElementType::Float2);
  const AccessRange& taps = range_named(raw, "taps");
  CHECK(taps.space == Space::Constant);
  CHECK(taps.bytes == 8);
  CHECK(taps.initialised);
  CHECK(range_named(raw, "runs").space == Space::Global);
  for (std::size_t i = 0; i < raw.site.size(); ++i) {
    const AccessSite& one = raw.sites[raw.site[i]];
    if (raw.address[i] - tile.address < tile.bytes) CHECK(one.space == Space::Local);
    if (raw.address[i] - taps.address < taps.bytes) CHECK(one.space == Space::Constant);
  }
}

TEST_CASE("host accesses: atomic operations, fences and volatile flags, with orders and scopes") {
  LoggedKernel kernel(
      "extern \"C\" __global__ void f(int *sum, unsigned *lock, volatile int *flag) {\n"
      "  int l = threadIdx.x;\n"
      "  atomicAdd(sum, l + 1);\n"
      "  __threadfence();\n"
      "  atomicCAS_block(lock, 0u, l + 1u);\n"
      "  __threadfence_block();\n"
      "  atomicMax_system(sum, 7);\n"
      "  flag[l] = flag[l] + 9;\n"
      "}\n");
  kernel.buffer<int>("sum", {10});
  kernel.buffer<unsigned>("lock", {0});
  kernel.buffer<int>("flag", {1, 2});
  const RawAccesses raw = kernel.run(2, 2);
  const std::uint64_t both = ordered_local | ordered_global;
  CHECK(kernel.of(raw, 0) == std::vector<Made>{{Kind::AtomicLoad, "sum", 0, 10},
                                               {Kind::AtomicStore, "sum", 0, 11},
                                               {Kind::Fence, "", 0, both},
                                               {Kind::AtomicLoad, "lock", 0, 0},
                                               {Kind::AtomicStore, "lock", 0, 1},
                                               {Kind::Fence, "", 0, both},
                                               {Kind::AtomicLoad, "sum", 0, 11},
                                               {Kind::AtomicStore, "sum", 0, 11},
                                               {Kind::Load, "flag", 0, 1},
                                               {Kind::Store, "flag", 0, 10}});
  // The second item's compare and exchange fails.
  CHECK(kernel.of(raw, 1) == std::vector<Made>{{Kind::AtomicLoad, "sum", 0, 11},
                                               {Kind::AtomicStore, "sum", 0, 13},
                                               {Kind::Fence, "", 0, both},
                                               {Kind::AtomicLoad, "lock", 0, 1},
                                               {Kind::Fence, "", 0, both},
                                               {Kind::AtomicLoad, "sum", 0, 13},
                                               {Kind::AtomicStore, "sum", 0, 13},
                                               {Kind::Load, "flag", 4, 2},
                                               {Kind::Store, "flag", 4, 11}});
  const auto check_site = [&](std::uint64_t record, MemoryScope scope, MemoryOrder order, const char* text) {
    const AccessSite& one = raw.sites[raw.site[record]];
    CHECK(one.scope == scope);
    CHECK(one.order == order);
    CHECK(one.line == kernel.line(text));
  };
  check_site(0, MemoryScope::Device, MemoryOrder::Relaxed, "atomicAdd");
  check_site(1, MemoryScope::Device, MemoryOrder::Relaxed, "atomicAdd");
  check_site(2, MemoryScope::Device, MemoryOrder::Sequential, "__threadfence()");
  check_site(4, MemoryScope::Group, MemoryOrder::Relaxed, "atomicCAS");
  check_site(5, MemoryScope::Group, MemoryOrder::Sequential, "__threadfence_block");
  check_site(7, MemoryScope::System, MemoryOrder::Relaxed, "atomicMax");
  check_site(9, MemoryScope::System, MemoryOrder::Relaxed, "flag[l] =");
  CHECK(raw.sites[raw.site[9]].is_volatile);
  CHECK(!raw.sites[raw.site[7]].is_volatile);
}

TEST_CASE("host accesses: what the lanes of a warp do together") {
  LoggedKernel kernel(
      "#include <cooperative_groups.h>\n"
      "namespace cg = cooperative_groups;\n"
      "extern \"C\" __global__ void f(int *x) {\n"
      "  int l = threadIdx.x, v = x[l];\n"
      "  v += __shfl_xor_sync(0xffffffffu, v, 1);\n"
      "  x[l] = v;\n"
      "  __syncwarp();\n"
      "  auto tile = cg::tiled_partition<2>(cg::this_thread_block());\n"
      "  tile.sync();\n"
      "  x[l] = __ballot_sync(0xfu, v > 3);\n"
      "}\n");
  kernel.buffer<int>("x", {1, 2, 3, 4});
  const RawAccesses raw = kernel.run(4, 4);
  const std::uint64_t both = ordered_local | ordered_global, all = 0xffffffffu;
  CHECK(kernel.of(raw, 2) == std::vector<Made>{{Kind::Load, "x", 8, 3},
                                               {Kind::Exchange, "", 0, all},
                                               {Kind::Store, "x", 8, 7},
                                               {Kind::Barrier, "", 0, both | all << 32},
                                               {Kind::Barrier, "", 0, both | std::uint64_t(0xc) << 32},
                                               {Kind::Exchange, "", 0, 0xf},
                                               {Kind::Store, "x", 8, 0xc}});
  for (const AccessSite& one : raw.sites)
    if (!touches_memory(one.kind)) CHECK(one.scope == MemoryScope::SubGroup);
  CHECK(site(raw, Kind::Exchange).line == kernel.line("__shfl_xor_sync"));
  CHECK(site(raw, Kind::Barrier, 1).line == kernel.line("tile.sync"));
}

TEST_CASE("host accesses: cooperative groups have shared memory of their own, and meet in the grid") {
  LoggedKernel kernel(
      "#include <cooperative_groups.h>\n"
      "extern \"C\" __global__ void f(int *x) {\n"
      "  __shared__ int mine;\n"
      "  mine = blockIdx.x + 5;\n"
      "  cooperative_groups::this_grid().sync();\n"
      "  x[blockIdx.x] = mine;\n"
      "}\n");
  kernel.buffer<int>("x", {0, 0, 0});
  kernel.call.cooperative = true;
  const RawAccesses raw = kernel.run(3, 1);
  std::vector<std::int64_t> owners;
  for (const AccessRange& range : raw.ranges)
    if (range.name == "mine") owners.push_back(range.owner);
  CHECK(owners == std::vector<std::int64_t>{0, 1, 2});
  CHECK(site(raw, Kind::Barrier).scope == MemoryScope::Device);
  for (std::uint64_t g = 0; g < 3; ++g)
    CHECK(kernel.of(raw, g) == std::vector<Made>{{Kind::Store, "mine", 0, g + 5},
                                                 {Kind::Barrier, "", 0, ordered_local | ordered_global},
                                                 {Kind::Load, "mine", 0, g + 5},
                                                 {Kind::Store, "x", 4 * g, g + 5}});
}

TEST_CASE("host accesses: a store's value is its own where others write there as soon as they can") {
  // Item 0 waits for item 1, which overwrites what item 0 stored last.
  LoggedKernel kernel(
      "extern \"C\" __global__ void f(int *x, volatile int *flag) {\n"
      "  if (threadIdx.x == 0) {\n"
      "    x[0] = 5;\n"
      "    while (flag[0] == 0) {}\n"
      "    x[1] = 6;\n"
      "  } else {\n"
      "    x[0] = 7;\n"
      "    flag[0] = 1;\n"
      "    x[1] = 8;\n"
      "  }\n"
      "}\n");
  kernel.buffer<int>("x", {0, 0});
  kernel.buffer<int>("flag", {0});
  const RawAccesses raw = kernel.run(2, 2);
  const std::vector<Made> first = kernel.of(raw, 0), second = kernel.of(raw, 1);
  REQUIRE(first.size() > 2);
  CHECK(first.front() == Made{Kind::Store, "x", 0, 5});
  CHECK(first.back() == Made{Kind::Store, "x", 4, 6});
  CHECK(first[first.size() - 2] == Made{Kind::Load, "flag", 0, 1});
  CHECK(second == std::vector<Made>{{Kind::Store, "x", 0, 7}, {Kind::Store, "flag", 0, 1}, {Kind::Store, "x", 4, 8}});
}

TEST_CASE("host accesses: items that are asked for, and what there is no room for is counted") {
  LoggedKernel kernel(
      "extern \"C\" __global__ void f(int *x) {\n"
      "  int g = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  for (int i = 0; i <= g; ++i) x[g] = x[g] * 2 + 1;\n"
      "}\n");
  kernel.buffer<int>("x", std::vector<int>(64));
  const RawAccesses all = kernel.run(64, 16);
  CHECK(all.begin.size() == 65);

  AccessRequest some;
  some.first_item = 20;
  some.items = 3;
  const RawAccesses part = kernel.run(64, 16, some);
  CHECK(part.first_item == 20);
  REQUIRE(part.begin.size() == 4);
  for (std::uint64_t i = 0; i < 3; ++i) CHECK(kernel.of(part, i) == kernel.of(all, 20 + i));
  some.first_item = 62;
  some.items = 100;
  CHECK(kernel.run(64, 16, some).begin.size() == 3);

  AccessRequest narrow;
  narrow.max_bytes = 4096;
  const RawAccesses cut = kernel.run(64, 16, narrow);
  CHECK(cut.lost > 0);
  CHECK(cut.attempted == all.attempted);
  CHECK(cut.site.size() + cut.lost == all.site.size());
  CHECK(cut.begin.back() == cut.site.size());
}

TEST_CASE("host accesses: the same log on several threads, and in every order of unordered items") {
  const std::string text =
      "extern \"C\" __global__ void f(int *x) {\n"
      "  __shared__ int tile[8];\n"
      "  tile[threadIdx.x] = x[blockIdx.x * 8 + threadIdx.x];\n"
      "  __syncthreads();\n"
      "  x[blockIdx.x * 8 + threadIdx.x] = tile[7 - threadIdx.x];\n"
      "}\n";
  std::vector<std::vector<Made>> expected;
  for (const char* schedule : {"forward", "reverse", "random:3"})
    for (const int threads : {1, 4}) {
      HostOptions options;
      options.schedule = parse_schedules(schedule)[0];
      options.threads = threads;
      LoggedKernel kernel(text, options);
      std::vector<int> content(64);
      for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<int>(i * i);
      kernel.buffer<int>("x", content);
      const RawAccesses raw = kernel.run(64, 8);
      std::vector<std::vector<Made>> lists;
      for (std::uint64_t g = 0; g < 64; ++g) lists.push_back(kernel.of(raw, g));
      if (expected.empty()) expected = lists;
      CHECK(lists == expected);
      CHECK(lists[9][0] == Made{Kind::Load, "x", 36, 81});
    }
}

TEST_CASE("host accesses: a launch that ends early leaves its log, the access that ended it last") {
  LoggedKernel kernel(
      "extern \"C\" __global__ void f(int *x) {\n"
      "  int next = x[threadIdx.x];\n"
      "  x[0] = 3;\n"
      "  x[next] = 1;\n"
      "}\n");
  kernel.buffer<int>("x", {1, 1, 40, 1});
  const KernelFault fault = kernel.fault(4, 4);
  CHECK(fault.line == kernel.line("x[next]"));
  REQUIRE(fault.accesses);
  const RawAccesses& raw = *fault.accesses;
  REQUIRE(raw.begin.size() == 5);
  CHECK(kernel.of(raw, 1).size() == 3);
  const std::vector<Made> last = kernel.of(raw, 2);
  REQUIRE(last.size() == 3);
  CHECK(last[0] == Made{Kind::Load, "x", 8, 40});
  CHECK(last[1] == Made{Kind::Store, "x", 0, 3});
  CHECK(last[2].kind == Kind::Store);
  CHECK(last[2].offset == raw.ranges.at(0).address + 160);
  CHECK(raw.sites[raw.site[raw.begin[3] - 1]].line == fault.line);
  CHECK(kernel.of(raw, 3).empty());
}
