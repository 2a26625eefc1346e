// CUDA sources through NVRTC, which needs no GPU: where the library is missing, these tests say so and pass.
#include "kernels/catalogue/catalogue.h"
#include "runtimes/kernel_bench.h"
#include "sample.h"
#include "test_support.h"
#include "tracer/cuda/cuda_api.h"
#include "tracer/cuda/cuda_compiler.h"
#include "tracer/runtimes/open_runtime.h"
#include "tracer/source/source.h"

#include <doctest.h>

#include <algorithm>
#include <optional>
#include <set>

using namespace twiddle;

namespace {

std::optional<cuda::Nvrtc> nvrtc() {
  try {
    return cuda::load_nvrtc();
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::no_device);
    CHECK(contains(error.what(), "libnvrtc.so.12"));
    MESSAGE("not tested: " << std::string(error.what()));
    return {};
  }
}

// An architecture with all that the tests' kernels use.
constexpr int major = 9, minor = 0;

const cuda::Entry* entry_named(const cuda::Compiled& compiled, const std::string& name) {
  const auto found = std::find_if(compiled.entries.begin(), compiled.entries.end(),
                                  [&](const cuda::Entry& entry) { return entry.name == name; });
  return found == compiled.entries.end() ? nullptr : &*found;
}

// Every launch of these algorithms' plans: the kernel is there, with the parameters that the launch brings.
void compile_all(const cuda::Nvrtc& library, std::span<const Algorithm> entries) {
  std::set<std::string> done;
  Sample sample(10);
  for (const Algorithm& algorithm : entries) {
    if (std::find(algorithm.runtimes.begin(), algorithm.runtimes.end(), "cuda") == algorithm.runtimes.end()) continue;
    CAPTURE(algorithm.id);
    Request request;
    request.algorithm = algorithm.id;
    const Plan plan = make_plan(request);
    for (const Launch& launch : plan.launches) {
      CAPTURE(launch.kernel);
      const KernelSource source = kernel_source(plan, launch, ".cu");
      const auto given = std::count_if(launch.arguments.begin(), launch.arguments.end(), [](const Argument& argument) {
        return !std::holds_alternative<LocalArgument>(argument);
      });
      for (const bool traced : {false, true}) {
        Instrumentation instrumentation;
        instrumentation.traced = traced;
        instrumentation.dimensions = launch.dimensions;
        const ProgramSource program = prepare_source(source, launch.defines, instrumentation);
        std::string key = program.name + launch.kernel;
        for (const std::string& define : program.defines) key += " " + define;
        if (!done.insert(key).second || sample.skips()) continue;
        const cuda::Compiled compiled = cuda::compile(library, program, major, minor);
        const cuda::Entry* entry = entry_named(compiled, launch.kernel);
        REQUIRE(entry);
        CHECK(entry->symbol == launch.kernel);  // extern "C"
        // Without trace lines there is nothing to log to.
        const bool logs = traced && contains(source.text, "trace_device.h");
        CHECK(entry->parameter_bytes.size() == static_cast<std::size_t>(given) + (logs ? 3 : 0));
        CHECK(compiled.image.compare(0, 4, "\177ELF") == 0);
        // Line information names the user's file.
        CHECK(contains(compiled.ptx, source.name + "\""));
        CHECK(contains(compiled.ptx, "\t.loc\t"));
      }
    }
  }
}

}  // namespace

TEST_CASE("NVRTC compiles every CUDA kernel of the catalogue, traced and not") {
  if (const auto library = nvrtc()) {
    CHECK(library->major >= 11);
    CHECK(std::find(library->supported.begin(), library->supported.end(), 10 * major + minor) !=
          library->supported.end());
    compile_all(*library, algorithms());
    compile_all(*library, gallery());
  }
}

TEST_CASE("NVRTC compiles with the toolkit's headers, and without any") {
  auto library = nvrtc();
  if (!library) return;
  const ProgramSource source{"cuda_right.cu", data_file("cuda_right.cu"), {}};
  for (const bool with_headers : {true, false}) {
    CAPTURE(with_headers);
    if (!with_headers) library->includes.clear();
    const cuda::Compiled compiled = cuda::compile(*library, source, major, minor);
    const cuda::Entry* grid = entry_named(compiled, "grid");
    REQUIRE(grid);
    CHECK(grid->parameter_bytes == std::vector<std::size_t>{8, 4});
  }
}

TEST_CASE("NVRTC compiles what includes the standard headers of its host part") {
  auto library = nvrtc();
  if (!library) return;
  const ProgramSource source{"mine.cu",
                             "#include <cfloat>\n#include <climits>\n#include <cmath>\n#include <cstddef>\n"
                             "#include <cstdint>\n#include <cstdio>\n#include <stdint.h>\n#include <stdlib.h>\n"
                             "#include <cuda_fp16.h>\n"
                             "extern \"C\" __global__ void least(const float *x, std::uint32_t *bits, int64_t n) {\n"
                             "  float low = FLT_MAX;\n"
                             "  int32_t at = INT_MAX;\n"
                             "  for (std::size_t i = 0; i < n; ++i) if (x[i] < low) low = x[i], at = i;\n"
                             "  bits[0] = at < 0 ? UINT32_MAX : uint32_t(at);\n"
                             "}\n",
                             {}};
  const cuda::Compiled compiled = cuda::compile(*library, source, major, minor);
  const cuda::Entry* entry = entry_named(compiled, "least");
  REQUIRE(entry);
  CHECK(entry->parameter_bytes == std::vector<std::size_t>{8, 8, 8});
}

TEST_CASE("NVRTC makes the instances of templates that launches name") {
  const auto library = nvrtc();
  if (!library) return;
  ProgramSource source{"mine.cu",
                       "template <typename T, int N> __global__ void scaled(T *x, int n) { x[threadIdx.x] = N * n; }\n"
                       "extern \"C\" __global__ void plain(float *x) { x[0] = 1; }\n",
                       {}};
  source.kernels = {"scaled<double,32>", "plain", "scaled<float, 4>"};
  const cuda::Compiled compiled = cuda::compile(*library, source, major, minor);
  CHECK(compiled.entries.size() == 3);
  for (const std::string& kernel : source.kernels) {
    CAPTURE(kernel);
    const cuda::Entry* entry = entry_named(compiled, kernel);
    REQUIRE(entry);
    CHECK(entry->parameter_bytes.size() == (kernel == "plain" ? 1u : 2u));
  }
  source.kernels = {"missing<3>"};
  CHECK_THROWS_AS(cuda::compile(*library, source, major, minor), Error);
}

TEST_CASE("a CUDA kernel that does not compile shows the user's own line") {
  const auto library = nvrtc();
  if (!library) return;
  const auto compile = [&] {
    cuda::compile(*library,
                  {"mine.cu", "#line 1 \"mine.cu\"\n\n__global__ void k(int *x)\n{\n  x[0] = y;\n}\n", {"A=1"}}, major,
                  minor);
  };
  CHECK(exit_code_of(compile) == ExitCode::usage);
  const std::string sentence = sentence_of(compile);
  CAPTURE(sentence);
  CHECK(contains(sentence, "mine.cu does not compile:\nmine.cu(4): error"));
  CHECK(contains(sentence, "\"y\" is undefined"));
  CHECK_FALSE(contains(sentence, "detected in the compilation"));
}

TEST_CASE("a GPU newer than NVRTC gets PTX, one that is older is refused") {
  auto library = nvrtc();
  if (!library) return;
  const ProgramSource source{"k.cu", "__global__ void k(int *x, double2 y) { x[0] = y.x; }\n", {}};
  const int newest = library->supported.back();
  const cuda::Compiled newer = cuda::compile(*library, source, newest / 10 + 1, 0);
  CHECK(newer.image == newer.ptx);
  CHECK(contains(newer.ptx, ".target sm_" + std::to_string(newest)));
  REQUIRE(entry_named(newer, "k"));
  CHECK(entry_named(newer, "k")->symbol != "k");  // C++ linkage: found all the same
  CHECK(entry_named(newer, "k")->parameter_bytes == std::vector<std::size_t>{8, 16});
  CHECK(exit_code_of([&] { cuda::compile(*library, source, 2, 0); }) == ExitCode::no_device);
}

TEST_CASE("kernels and their parameters are read from PTX") {
  const std::vector<cuda::Entry> entries = cuda::entries_of(
      "// .entry not_this_one(\n.version 9.0\n.target sm_80\n\n.visible .func helper(.param .b32 x)\n{ ret; }\n"
      ".visible .entry fft_stage(\n\t.param .u64 .ptr .align 1 fft_stage_param_0,\n\t.param .u32 fft_stage_param_1,\n"
      "\t.param .align 8 .b8 fft_stage_param_2[24], // a struct\n\t.param .f64 d\n)\n.maxntid 256, 1, 1\n{\n ret;\n}\n"
      ".entry _Z5emptyv()\n{\n}\n.visible .entry _ZN3fft5stageEPi(.param .b16 h, .param .s8 c)");
  REQUIRE(entries.size() == 3);
  CHECK(entries[0].name == "fft_stage");
  CHECK(entries[0].parameter_bytes == std::vector<std::size_t>{8, 4, 24, 8});
  CHECK(entries[1].name == "empty");
  CHECK(entries[1].symbol == "_Z5emptyv");
  CHECK(entries[1].parameter_bytes.empty());
  CHECK(entries[2].name == "_ZN3fft5stageEPi");
  CHECK(entries[2].parameter_bytes == std::vector<std::size_t>{2, 1});
  CHECK(cuda::entries_of(".entry").size() == 1);
  CHECK(cuda::entries_of(".entry k(.param .u64").size() == 1);
  CHECK(cuda::entries_of("").empty());
}

TEST_CASE("functions of PTX are those with a body, each with its own") {
  constexpr std::string_view ptx =
      ".file 1 \"a } /* b.cu\"\n.extern .func (.param .b32 r) vprintf(.param .b64 f)\n;\n"
      ".global .align 4 .u32 table[2] = {1, 2};\n"
      "/* .entry not_this_one() {} */\n.weak .func (.param .b32 r) helper(.param .b32 x)\n{ { mov.u32 %r1, %r2; } ret; "
      "}\n"
      ".visible .entry first()\n{ // }\n call.uni (r), helper, (x); griddepcontrol.wait; }\n"
      ".visible .entry second(.param .u64 p)\n{ ret; }\n";
  const std::vector<cuda::PtxFunction> functions = cuda::functions_of(ptx);
  REQUIRE(functions.size() == 3);
  CHECK(functions[0].symbol == "helper");
  CHECK_FALSE(functions[0].kernel);
  CHECK(functions[0].text.ends_with("ret; }"));
  CHECK(functions[1].symbol == "first");
  CHECK(functions[1].kernel);
  CHECK(functions[1].text.find("helper") != std::string_view::npos);
  CHECK(functions[1].text.find("second") == std::string_view::npos);
  CHECK(functions[2].text == "(.param .u64 p)\n{ ret; }");
  const std::vector<cuda::Entry> entries = cuda::entries_of(ptx);
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].awaits);
  CHECK_FALSE(entries[1].awaits);
  CHECK(cuda::has_kernel(ptx, "first"));
  CHECK_FALSE(cuda::has_kernel(ptx, "firs"));
  CHECK_FALSE(cuda::has_kernel(ptx, "helper"));
  CHECK_FALSE(cuda::has_kernel(ptx, "not_this_one"));
}

TEST_CASE("without NVIDIA's driver the library that was looked for is named, with exit code 4") {
  if (exit_code_of([] { cuda::driver(); }) == ExitCode::good) {
    MESSAGE("not tested: this machine has NVIDIA's driver");
    return;
  }
  CHECK(exit_code_of([] { open_runtime("cuda", 0); }) == ExitCode::no_device);
  const std::string sentence = sentence_of([] { open_runtime("cuda", 0); });
  CHECK(contains(sentence, "libcuda"));
  const DeviceList list = list_devices();
  const auto reason = std::find_if(list.missing.begin(), list.missing.end(),
                                   [](const std::string& one) { return one.compare(0, 6, "cuda: ") == 0; });
  REQUIRE(reason != list.missing.end());
  CHECK(contains(*reason, "libcuda"));
}
