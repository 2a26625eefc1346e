// What a log of a plan's launch on a GPU is read with: the compiled program's own words about its variables, and fences in its code.
#include "tracer/cuda/log/cuda_accesses.h"
#include "tracer/cuda/logged_launch.h"

#include <doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <elf.h>

using namespace twiddle;

namespace {

// As NVRTC 12.9 writes it, shortened.
constexpr const char* ptx = R"(
.version 9.0
.target sm_90
.address_size 64

.visible .global .align 4 .u32 retired = 1;
.global .align 8 .b8 _ZN2ns5tableE[256];
.visible .const .align 4 .f32 weight;
.global .align 1 .b8 $str[4] = {37, 100, 10};
.extern .shared .align 16 .b8 rest[];
// _ZZ4bothPfE3few has been demoted
.func  (.param .b32 func_retval0) _Z6helperPf(
	.param .b64 _Z6helperPf_param_0
)
{
	.shared .align 4 .b8 _ZZ6helperPfE5lanes[128];
	mov.u32 	%r1, _ZZ6helperPfE5lanes;
	ret;
}
.visible .entry _Z4bothPf(
	.param .u64 _Z4bothPf_param_0
)
{
	.reg .f32 	%f<5>;
	.shared .align 4 .b8 _ZZ4bothPfE3few[32];
	.shared .align 8 .b8 _ZZ4bothPfE4many[512];
	.loc	1 7 3
	st.shared.f32 	[%rd9], %f1;
	.loc	1 8 3
	st.volatile.shared.f32 	[_ZZ4bothPfE3few], %f1;
	.loc	1 9 3
	ld.volatile.global.f32 	%f2, [%rd4];
	mov.u32 	%r2, _ZZ4bothPfE4many;
	ret;
}
.visible .entry calls(
	.param .u64 calls_param_0
)
{
	call.uni (retval0), _Z6helperPf, (param0);
	mov.u32 	%r3, rest;
	// begin inline asm
	membar.gl;
	ret;
}
	.file	1 "/home/user/both.cu"
)";

std::vector<std::string> names(const std::vector<AccessRange>& ranges) {
  std::vector<std::string> list;
  for (const AccessRange& range : ranges) list.push_back(range.name + " " + std::to_string(range.bytes));
  return list;
}

AccessSite shared_site(AccessKind kind, int line) {
  AccessSite site;
  site.kind = kind;
  site.space = Space::Local;
  site.file = "/home/user/both.cu";
  site.line = line;
  return site;
}

// Lines 7 and 8 name one array each.
constexpr const char* source =
    "#line 1 \"both.cu\"\n\n\n\n\n\n\n  many[i] = x[i];\n  few[i] = many[i];  // both\n  few[0] = 1;\n";

RawAccesses accesses_at(const std::vector<std::pair<int, std::uint64_t>>& lines_and_addresses) {
  RawAccesses raw;
  for (const auto& [line, address] : lines_and_addresses) {
    raw.sites.push_back(shared_site(AccessKind::Store, line));
    raw.site.push_back(static_cast<std::uint32_t>(raw.site.size()));
    raw.address.push_back(address);
    raw.value.push_back(1);
  }
  raw.begin = {0, raw.site.size()};
  AccessRange whole;
  whole.space = Space::Local;
  whole.name = "shared";
  whole.owner = 3;
  raw.ranges.push_back(whole);
  return raw;
}

}  // namespace

TEST_CASE("a compiled CUDA program tells its variables") {
  const std::vector<cuda::Variable> file = cuda::file_variables(ptx);
  REQUIRE(file.size() == 3);
  CHECK(file[0].name == "retired");
  CHECK(file[0].bytes == 4);
  CHECK(file[1].symbol == "_ZN2ns5tableE");
  CHECK(file[1].name == "table");
  CHECK(file[1].bytes == 256);
  CHECK(file[2].space == Space::Constant);

  const cuda::LoggedProgram program("both.cu", source, ptx);
  CHECK(names(program.shared_arrays("_Z4bothPf")) == std::vector<std::string>{"few 32", "many 512"});
  // What a device function has belongs to the kernels that call it; what a launch hands over has no size yet.
  CHECK(names(program.shared_arrays("calls")) == std::vector<std::string>{"rest 0", "lanes 128"});
  CHECK(names(program.shared_arrays("absent")).empty());
  const cuda::SharedLines lines = cuda::shared_lines(ptx);
  using Places = std::set<cuda::SharedLines::Place>;
  CHECK(lines.strong == Places{{"/home/user/both.cu", 8}});
  CHECK(lines.plain_stores == Places{{"/home/user/both.cu", 7}});
  CHECK(lines.plain_loads.empty());
  CHECK(program.mentions("few"));
  CHECK_FALSE(program.mentions("fe"));
}

TEST_CASE("what a log cannot show of a CUDA program is known from its code") {
  CHECK(cuda::unseen_order(ptx).empty());
  for (const char* instruction : {"mov.u32 %r1, %envreg2;", "barrier.cluster.arrive;", "cp.async.bulk.commit_group;",
                                  "mbarrier.init.shared.b64 [%r1], 1;", "ldmatrix.sync.aligned.m8n8.x4.shared.b16"})
    CHECK_FALSE(cuda::unseen_order(std::string(ptx) + instruction).empty());
}

TEST_CASE("logged shared memory is divided into the kernel's arrays as its lines say") {
  const cuda::LoggedProgram program("both.cu", source, ptx);
  struct Case {
    std::vector<std::pair<int, std::uint64_t>> accesses;
    std::uint64_t few, many;
  };
  for (const Case& one :
       {Case{{{7, 1024 + 32}, {7, 1024 + 500}, {9, 1024}}, 1024, 1024 + 32},
        Case{{{7, 1024}, {7, 1024 + 500}, {9, 1024 + 512}}, 1024 + 512, 1024}, Case{{{8, 1024}}, 1024, 1024 + 32}}) {
    RawAccesses raw = accesses_at(one.accesses);
    program.name(raw, "_Z4bothPf", 0, 1024);
    REQUIRE(raw.ranges.size() == 2);
    CHECK(raw.ranges[0].name == "few");
    CHECK(raw.ranges[0].address == one.few);
    CHECK(raw.ranges[0].bytes == 32);
    CHECK(raw.ranges[1].address == one.many);
    CHECK(raw.ranges[1].owner == 3);
  }
  RawAccesses raw = accesses_at({{7, 1024}, {8, 1024 + 512}});
  AccessSite other = shared_site(AccessKind::Load, 40);
  other.file = "/usr/local/cuda/include/cuda/barrier";
  raw.sites.push_back(other);
  program.name(raw, "_Z4bothPf", 0, 1024);
  CHECK(raw.sites[0].text == "many[i] = x[i];");
  CHECK(raw.sites[0].file.empty());  // the program's own
  CHECK_FALSE(raw.sites[0].is_volatile);
  CHECK(raw.sites[1].is_volatile);
  CHECK(raw.sites[2].is_volatile);  // the compiler put it where no other load is
  CHECK(raw.sites[2].line == 0);

  RawAccesses handed = accesses_at({{7, 1024}});
  program.name(handed, "calls", 4096, 1024);
  REQUIRE(handed.ranges.size() == 2);
  CHECK(handed.ranges[0].name == "lanes");
  CHECK(handed.ranges[1].name == "rest");
  CHECK(handed.ranges[1].address == 1024 + 128);
  CHECK(handed.ranges[1].bytes == 4096);
}

TEST_CASE("what the last atomic operation left is what a thread read that waits for it") {
  CudaLaunch launch;
  launch.block = {64, 1, 1};
  launch.kernel = launch.mangled = "k";
  CubinFunction code;
  code.bytes = 0x400;
  code.strong = {0x80};
  const Cubin cubin{{"k", code}};
  AccessRange memory;
  memory.address = 0x10000;
  memory.bytes = 256;
  const std::vector<CudaPlace> places{{0x7000, 0x400, "k"}};
  CudaAccesses accesses(launch, cubin, places, {memory}, 0, 64);
  const auto add = [&](std::uint64_t order, twiddle_cuda::What what, std::uint64_t place, std::uint32_t thread,
                       std::uint64_t value) {
    CudaLanes lanes;
    lanes.head.pc = static_cast<std::uint32_t>((0x7000 + place) >> 4);
    lanes.head.what = static_cast<std::uint8_t>(what);
    lanes.head.thread_low = thread;
    lanes.count = 1;
    lanes.size = 4;
    lanes.address[0] = 0x10010;
    lanes.value[0][0] = value;
    accesses.add(lanes, order);
  };
  add(1, twiddle_cuda::global_atomic, 0x40, 0, 7);
  add(2, twiddle_cuda::global_load, 0x80, 32, 7);  // looked before the operation was done
  add(3, twiddle_cuda::global_load, 0x80, 32, 9);
  add(4, twiddle_cuda::global_load, 0x90, 32, 7);  // does not wait
  const RawAccesses raw = accesses.finish({});
  REQUIRE(raw.begin[1] == 2);
  CHECK(raw.value[0] == 7);
  CHECK(raw.value[1] == 9);
  CHECK(raw.unlogged.empty());
}

TEST_CASE("fences in a kernel's code are between the accesses that they order") {
  CudaLaunch launch;
  launch.block = {32, 1, 1};
  launch.kernel = launch.mangled = "k";
  CubinFunction code;
  code.bytes = 0x400;
  code.fences = {0x60, 0x200};
  code.strong = {0x80};
  const Cubin cubin{{"k", code}};
  AccessRange memory;
  memory.address = 0x10000;
  memory.bytes = 256;
  const std::vector<CudaPlace> functions{{0x7000, 0x400, "k"}};
  const auto kinds_of = [&](const std::vector<std::uint64_t>& places) {
    CudaAccesses accesses(launch, cubin, functions, {memory}, 0, 32);
    std::uint64_t order = 0;
    for (const std::uint64_t place : places) {
      CudaLanes lanes;
      lanes.head.pc = static_cast<std::uint32_t>((0x7000 + place) >> 4);
      lanes.head.what = static_cast<std::uint8_t>(twiddle_cuda::global_load);
      lanes.count = 1;
      lanes.size = 4;
      lanes.lane[0] = 5;
      lanes.address[0] = 0x10010;
      accesses.add(lanes, ++order);
    }
    const RawAccesses raw = accesses.finish({});
    std::string kinds;
    for (const std::uint32_t site : raw.site)
      kinds += raw.sites[site].kind == AccessKind::Fence ? 'f' : raw.sites[site].is_volatile ? 'v' : 'l';
    CHECK(raw.begin[5] == 0);
    CHECK(raw.begin[6] == kinds.size());
    return kinds;
  };
  CHECK(kinds_of({0x10, 0x50}) == "ll");
  CHECK(kinds_of({0x10, 0x80, 0x90}) == "lfvl");
  CHECK(kinds_of({0x80, 0x300}) == "vfl");
  CHECK(kinds_of({0x300, 0x10}) == "ll");   // back in a loop that passes neither
  CHECK(kinds_of({0x300, 0x80}) == "lfv");  // it may have passed the first
  CHECK(kinds_of({0x100, 0x20}) == "lfl");  // or the second
}

namespace {

// A cubin with one function, "k", whose instructions are these: lower and upper half each.
std::string cubin_of(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& code) {
  const std::string names("\0.text.k\0.shstrtab\0", 20);
  std::string bytes(sizeof(Elf64_Ehdr), '\0');
  std::vector<Elf64_Shdr> sections(3);
  sections[1].sh_name = 1;
  sections[1].sh_type = SHT_PROGBITS;
  sections[1].sh_offset = bytes.size();
  sections[1].sh_size = code.size() * 16;
  for (const auto& [low, high] : code)
    for (const std::uint64_t half : {low, high}) bytes.append(reinterpret_cast<const char*>(&half), sizeof half);
  sections[2].sh_name = 9;
  sections[2].sh_type = SHT_STRTAB;
  sections[2].sh_offset = bytes.size();
  sections[2].sh_size = names.size();
  bytes += names;
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shoff = bytes.size();
  header.e_shnum = static_cast<Elf64_Half>(sections.size());
  header.e_shstrndx = 2;
  std::memcpy(bytes.data(), &header, sizeof header);
  bytes.append(reinterpret_cast<const char*>(sections.data()), sections.size() * sizeof(Elf64_Shdr));
  return bytes;
}

}  // namespace

TEST_CASE("votes, matches and reductions of a warp are seen in a kernel's code, and not what the assembler adds") {
  using Code = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  const auto predicate = [](std::uint64_t number) { return number << 23; };
  const std::uint64_t vote = 0x806, uniform_vote = 0x886, match = 0x3a1, reduce = 0x3c4, add = 0x98e, other = 0x918;
  struct Case {
    std::string what;
    Code code;
    std::vector<std::uint64_t> votes;
  };
  for (const Case& one : {
           Case{"none", {{other, 0}, {add, 0}}, {}},
           Case{"__ballot_sync(m, x > 0)", {{other, 0}, {0x7000 | vote, predicate(0)}}, {16}},
           Case{"of a predicate's contrary", {{vote, predicate(15)}}, {0}},
           Case{"__activemask()", {{vote, predicate(7)}}, {}},
           Case{"__match_any_sync(m, x)", {{match, 0}}, {0}},
           Case{"__reduce_add_sync(m, x)", {{other, 0}, {other, 0}, {reduce, 0}}, {32}},
           Case{"atomicAdd(y, x)", {{uniform_vote, predicate(7)}, {other, 0}, {reduce, 0}, {add, 0}}, {}},
           Case{"and then a reduction of its own",
                {{uniform_vote, predicate(7)}, {reduce, 0}, {add, 0}, {reduce, 0}},
                {48}},
       }) {
    CAPTURE(one.what);
    const Cubin cubin = read_cubin(cubin_of(one.code));
    REQUIRE(cubin.size() == 1);
    CHECK(cubin.at("k").votes == one.votes);

    CudaLaunch launch;
    launch.block = {32, 1, 1};
    launch.kernel = launch.mangled = "k";
    const std::vector<CudaPlace> functions{{0x7000, 0x400, "k"}};
    CudaAccesses accesses(launch, cubin, functions, {}, 0, 32);
    AccessTotals totals;
    totals.unlogged = accesses.finish({}).unlogged;
    CHECK(totals.lacks_exchanges() == !one.votes.empty());
  }
}
