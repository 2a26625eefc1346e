// OpenCL kernels on the processor without a driver: right ones by other hands leave what they should, and OpenCL's functions give
// what a driver's give.
#include "tracer/direct/direct_runtime.h"

#include "base/temporary_folder.h"
#include "checked.h"
#include "sample.h"
#include "tracer/repair/trial.h"

#include <doctest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

using namespace twiddle;
namespace fs = std::filesystem;

namespace {

DeviceInfo some_processor() {
  DeviceInfo info;
  info.runtime = "opencl";
  info.name = "this processor";
  info.kind = "cpu";
  info.local_bytes = std::size_t(512) << 10;
  info.max_group_size = 4096;
  info.fp64 = true;
  return info;
}

// Null where this machine has no Clang; PoCL brings one.
Runtime* direct() {
  static std::unique_ptr<Runtime> opened;
  if (!opened) try {
      opened = open_direct_runtime(some_processor());
    } catch (const Error& error) {
      const Runtime* driver = device_of("opencl");
      CHECK((!driver || driver->device().platform.find("Portable") == std::string::npos));
      MESSAGE(error.message().english());
    }
  return opened.get();
}

// A program of this text, and its kernel "k" on buffers of floats, each of `count`, run with one group of `items`.
struct Run {
  std::vector<std::vector<float>> buffers;
  std::vector<Runtime::Overrun> overruns;
};
Run run(Runtime& runtime, const std::string& text, std::vector<std::vector<float>> buffers, std::size_t items,
        std::size_t groups = 1, std::size_t local_bytes = 0) {
  ProgramSource source;
  source.name = "k.cl";
  source.text = text;
  source.kernels = {"k"};
  KernelCall call;
  call.program = runtime.build(source);
  call.kernel = "k";
  call.global[0] = items * groups;
  call.local[0] = items;
  std::vector<BufferHandle> handles;
  for (const std::vector<float>& buffer : buffers) {
    handles.push_back(runtime.allocate(buffer.size() * sizeof(float)));
    runtime.upload(handles.back(), 0, std::as_bytes(std::span(buffer)));
    call.arguments.push_back({KernelArgument::Memory{handles.back(), {}, 0}});
  }
  if (local_bytes > 0) call.arguments.push_back({KernelArgument::Local{local_bytes}});
  runtime.run(call);
  Run result{std::move(buffers), runtime.overruns()};
  for (std::size_t k = 0; k < handles.size(); ++k) {
    runtime.download(handles[k], 0, std::as_writable_bytes(std::span(result.buffers[k])));
    runtime.release(handles[k]);
  }
  return result;
}

std::vector<float> counting(std::size_t count) {
  std::vector<float> all;
  for (std::size_t k = 0; k < count; ++k) all.push_back(static_cast<float>(k));
  return all;
}

}  // namespace

TEST_CASE("right OpenCL kernels by other hands leave what they should without a driver") {
  if (!direct()) return;
  std::set<fs::path> all;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(TWIDDLE_TEST_DATA) / "../foreign/opencl"))
    if (entry.path().extension() == ".toml" && entry.path().stem() != "wrong") all.insert(entry.path());
  Sample sample(6 / tests::slower);
  int right = 0, driver = 0;
  for (const fs::path& file : all) {
    if (sample.skips()) continue;
    CAPTURE(file.filename().string());
    const Plan plan = read_plan_file(file);
    const TrialContents contents = trial_contents(plan, 2);
    const std::vector<std::vector<std::byte>> nothing_computed;
    try {
      Trial trial(plan, *direct(), contents, nothing_computed);
      trial.build(plan.launches);
      const bool is_right = trial.right(plan.launches);
      CHECK(is_right);
      right += is_right;
    } catch (const Error& error) {  // images, half numbers, sub-groups
      ++driver;
      const std::string said = error.message().english();
      CAPTURE(said);
      std::ifstream in(file);
      const std::string text(std::istreambuf_iterator<char>(in), {});
      CHECK((text.find("# needs") != std::string::npos || file.stem() == "half_storage"));
    }
  }
  MESSAGE(right << " right kernels, and " << driver << " that a driver has to run");
  CHECK(right > 10 * driver);
}

TEST_CASE("OpenCL's functions give what a driver's give") {
  Runtime* driver = device_of("opencl");
  if (!direct() || !driver) return;
  struct Function {
    const char* name;
    const char* text;  // of x, a float from 0 to 15
  };
  for (const Function& one : {
           Function{"mathematics",
                    "sin(x) + cos(x) * exp(-x) + sqrt(x) + pow(x, 1.5f) + atan2(x, 3.0f) + log(x + 1.0f)"},
           Function{"pi", "sinpi(x / 16) + cospi(x / 16) + native_sin(x) + half_sqrt(x) + rsqrt(x + 1) + cbrt(x)"},
           Function{"rounding", "rint(x / 2) + floor(x / 3) + ceil(x / 3) + trunc(x / 7) + round(x / 2) + fmod(x, 4)"},
           Function{"common", "clamp(x, 2.0f, 9.0f) + mix(x, 3.0f, 0.25f) + step(4.0f, x) + smoothstep(1.0f, 9.0f, x)"},
           Function{"more of it",
                    "max(x, 3.0f) + min(x, 7.0f) + sign(x - 3) + degrees(x) + fma(x, x, 1.0f) + mad(x, 2, 3)"},
           Function{"powers of two", "ldexp(x, 3) + pown(x, 2) + (float)ilogb(x + 1) + exp2(x / 4) + log2(x + 2)"},
           Function{"vectors",
                    "dot((float4)(x, 1, 2, 3), (float4)(2, x, 1, 1)) + length((float2)(x, 3)) + "
                    "cross((float3)(x, 1, 2), (float3)(2, 1, x)).z + normalize((float2)(x, 4)).x"},
           Function{"elements",
                    "sin((float8)(x)).s5 + fmax((float4)(x, 1, 2, 3), 2.0f).z + min((float2)(x, 5), 4.0f).y"},
           Function{"whole numbers",
                    "(float)(mul24(i, 3) + mad24(i, 2, 1) + (int)abs(i - 7) + (int)popcount((uint)i) + "
                    "(int)clz(i + 1) + max(i, 5) + min(i, 9) + clamp(i, 2, 11) + (int)hadd(i, 7))"},
           Function{"more whole numbers",
                    "(float)(rotate((uint)i, 30u) % 1001u + mul_hi((uint)i << 28, 77u) + "
                    "add_sat((uchar)(i * 20), (uchar)200) + sub_sat((uchar)i, (uchar)9) + "
                    "abs_diff((uint)i, 9u) + upsample((ushort)i, (ushort)3) % 1009u)"},
           Function{"conversions",
                    "(float)(convert_int_rte(x / 2) + convert_int_rtn(x / 3 - 2) + convert_uchar_sat(x * 40) + "
                    "convert_char_sat(i * 20 - 100) + convert_int4((float4)(x)).y) + "
                    "convert_float2((int2)(i, 3)).x + convert_float(convert_ushort_sat(i * 9000))"},
           Function{"bits", "as_float(as_uint(x) ^ 0x80000000u) + (float)(as_int2((float2)(x, 1)).y >> 24)"},
           Function{"choices",
                    "select(x, 3.0f, i > 7) + (float)any((int2)(-i, 1)) + (float)all((int2)(-i, -1)) + "
                    "(float)isgreater(x, 4.0f) + select((float2)(x, 1), (float2)(5, 6), (int2)(-1, 0)).x + "
                    "(float)isnan(x) + (float)bitselect(i, 9, 5)"},
           Function{"shuffles",
                    "shuffle((float4)(x, 1, 2, 3), (uint4)(3, 0, 1, 2)).y + "
                    "shuffle2((float2)(x, 1), (float2)(2, 3), (uint2)(3, 0)).y"},
           Function{"memory", "vload4(0, in).w + vload2(i / 4, in).x + vload3(1, in).y + fractional(x) + both(x)"},
       }) {
    CAPTURE(one.name);
    const std::string text =
        "float fractional(float x) { float whole; const float f = fract(x / 3.0f, &whole); return f + whole; }\n"
        "float both(float x) { float c; const float s = sincos(x, &c); return s + 2 * c; }\n"
        "kernel void k(global const float *in, global float *out) {\n"
        "  const int i = get_global_id(0);\n"
        "  const float x = in[i];\n"
        "  out[i] = " +
        std::string(one.text) + ";\n}\n";
    const auto mine = run(*direct(), text, {counting(16), std::vector<float>(16)}, 16).buffers[1];
    const auto theirs = run(*driver, text, {counting(16), std::vector<float>(16)}, 16).buffers[1];
    for (std::size_t k = 0; k < mine.size(); ++k) {
      CAPTURE(k);
      CHECK(mine[k] == doctest::Approx(theirs[k]).epsilon(1e-4));
    }
  }
}

TEST_CASE("atomic operations and what a group does together give what a driver's give") {
  Runtime* driver = device_of("opencl");
  if (!direct() || !driver) return;
  const std::string text =
      "kernel void k(global const float *in, global int *out, local int *sums) {\n"
      "  const int i = get_local_id(0), n = get_local_size(0);\n"
      "  local int least;\n"
      "  if (i < 4) sums[i] = 0;\n"
      "  if (i == 0) least = 1000;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  atomic_add(&sums[0], (int)in[i]);\n"
      "  atomic_inc(&sums[1]);\n"
      "  atomic_max(&sums[2], (int)in[i] % 11);\n"
      "  atomic_or(&sums[3], 1 << (i % 5));\n"
      "  atomic_min(&least, (int)in[i] + 3);\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  local float tile[16];\n"
      "  const event_t copied = async_work_group_copy(tile, in, n, 0);\n"
      "  wait_group_events(1, &copied);\n"
      "  out[i] = (int)tile[n - 1 - i] + (i < 4 ? 100 * sums[i] : 0) + (i == 5 ? least : 0) +\n"
      "           (int)(get_group_id(0) + get_num_groups(0) + get_global_size(0) + get_work_dim() + "
      "get_global_offset(0));\n"
      "}\n";
  const auto mine = run(*direct(), text, {counting(16), std::vector<float>(16)}, 16, 1, 64).buffers[1];
  const auto theirs = run(*driver, text, {counting(16), std::vector<float>(16)}, 16, 1, 64).buffers[1];
  CHECK(std::memcmp(mine.data(), theirs.data(), 64) == 0);
  std::int32_t first = 0;
  std::memcpy(&first, mine.data(), sizeof first);
  CHECK(first == 15 + 100 * 120 + 1 + 16 + 1);  // of the last element, the sum, and the sizes
}

TEST_CASE("items wait at barriers, also for those that have left, and find nothing in local memory") {
  if (!direct()) return;
  const std::string text =
      "#define KERNEL(name) kernel void name(global float *x)\n"
      "KERNEL(k) {\n"
      "  local float tile[8];\n"
      "  const int i = get_local_id(0), at = get_global_id(0);\n"
      "  if (i == 7) { x[at] = tile[0] == tile[0] ? 1 : -1; return; }\n"
      "  tile[i] = x[at];\n"
      "  for (int turn = 0; turn < 3; ++turn) {\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
      "    const float other = tile[(i + 1) % 7];\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
      "    tile[i] = other;\n"
      "  }\n"
      "  printf(\"%d\\n\", i);\n"
      "  x[at] = tile[i];\n"
      "}\n";
  const std::vector<float> x = run(*direct(), text, {counting(16)}, 8, 2).buffers[0];
  // The last of each group has not seen what the group before it left there: it ran when item 0 had stored its own.
  CHECK(x == std::vector<float>{3, 4, 5, 6, 0, 1, 2, 1, 11, 12, 13, 14, 8, 9, 10, 1});
  const std::string reads =
      "kernel void k(global float *x, local float *more) {\n"
      "  local float tile[8];\n"
      "  x[get_global_id(0)] = isnan(tile[3]) + 10 * isnan(more[0]);\n"
      "  tile[3] = more[0] = 1;\n"
      "}\n";
  CHECK(run(*direct(), reads, {counting(2)}, 1, 2, 4).buffers[0] == std::vector<float>{11, 11});
}

TEST_CASE("without a driver, too, what leaves a buffer is seen, and what does not compile is told with its place") {
  if (!direct()) return;
  const Run beyond = run(*direct(), "kernel void k(global float *x) { x[5] = 1; x[-1] = 2; }", {counting(4)}, 1);
  REQUIRE(beyond.overruns.size() == 2);
  std::set<std::int64_t> bytes;
  for (const Runtime::Overrun& one : beyond.overruns) bytes.insert(one.byte);
  CHECK(*bytes.begin() < 0);
  CHECK(*bytes.rbegin() >= 16);
  CHECK(beyond.buffers[0] == counting(4));

  const auto refused = [](const std::string& text) {
    try {
      run(*direct(), text, {counting(4)}, 1);
    } catch (const Error& error) { return error.message().english(); }
    return std::string();
  };
  const std::string said = refused("kernel void k(global float *x) {\n  x[0] = y;\n}\n");
  CHECK(said.find("k.cl does not compile") != std::string::npos);
  CHECK(said.find("k.cl:2:10: error: ") != std::string::npos);
  // A function that it does not have; another kernel; another number of arguments.
  CHECK(refused("kernel void k(global half *x) { x[0] = vload_half(1, x); }") != "");
  CHECK(refused("kernel void other(global float *x) { x[0] = 1; }") != "");
  CHECK(refused("kernel void k(global float *x, int n) { x[0] = n; }") != "");
}
