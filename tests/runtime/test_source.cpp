#include "tracer/source/source.h"

#include "sample.h"
#include "test_support.h"

#include <doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

using namespace twiddle;
namespace fs = std::filesystem;

namespace {

// A folder that goes with the test.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("twiddle-source-" + std::to_string(::getpid()))) {
    fs::create_directories(path_ / "kernel" / "lib");
  }
  ~Folder() { fs::remove_all(path_); }
  fs::path kernel() const { return path_ / "kernel"; }
  void write(const fs::path& name, const std::string& text) const { std::ofstream(path_ / name) << text; }

 private:
  fs::path path_;
};

KernelSource source_in(const Folder& folder, const std::string& text) { return {"mine.cl", text, folder.kernel()}; }

ProgramSource prepared(const Folder& folder, const std::string& text) {
  Instrumentation untraced;
  untraced.traced = false;
  return prepare_source(source_in(folder, text), {}, untraced);
}

}  // namespace

TEST_CASE("trace lines are found with their lines and buffers") {
  const std::string text =
      "// TRACE_SWAP(no, i, j, a, b)\n"                           // 1
      "/* TRACE_SWAP(no, i, j, a, b) */ int x;\n"                 // 2
      "char *s = \"TRACE_SWAP(no, i, j, a, b)\";\n"               // 3
      "kernel void k(global float2 *F TRACE_PARAMS)\n"            // 4
      "{\n"                                                       // 5
      "  TRACE_BUTTERFLY(F, i0, i1, w, a, b);\n"                  // 6
      "  TRACE_BUTTERFLY_TO(G, o0, f(o, 1),\n"                    // 7
      "                     F, i0, i1,\n"                         // 8
      "                     (float2)(1, 0), a, b);\n"             // 9
      "  TRACE_MOVE(tile, l, (F + 3), g, x); TRACE_BARRIER();\n"  // 10
      "  TRACE_STAGE(2);\n"                                       // 11
      "  TRACE_ATOMIC(&bins[0], b, old, 1u);\n"                   // 12
      "}\n";
  const std::vector<Site> sites = find_sites(text, 7);
  REQUIRE(sites.size() == 5);
  CHECK(sites[0].macro == "TRACE_BUTTERFLY");
  CHECK(sites[0].source == 7);
  CHECK(sites[0].line == 6);
  CHECK(sites[0].last_line == 6);
  CHECK(sites[0].names[0] == "F");
  CHECK(sites[0].names[1].empty());
  CHECK(sites[1].line == 7);
  CHECK(sites[1].last_line == 9);
  CHECK(sites[1].names[0] == "G");
  CHECK(sites[1].names[1] == "F");
  CHECK(sites[2].names[0] == "tile");
  CHECK(sites[2].names[1] == "(F + 3)");
  CHECK(sites[3].macro == "TRACE_BARRIER");
  CHECK(sites[3].line == 10);
  CHECK(sites[4].names[0] == "&bins[0]");
}

TEST_CASE("a macro of the source's own makes its uses trace lines") {
  const std::string text =
      "#define LOG(buffer, i) \\\n"
      "  TRACE_LOAD(buffer, i, x); \\\n"
      "  TRACE_STORE(other, i, x)\n"
      "#define ALSO(b) LOG(b, 0)\n"
      "void f() {\n"
      "  LOG(F, 3);\n"
      "  ALSO(G);\n"
      "}\n";
  const std::vector<Site> sites = find_sites(text, 0);
  REQUIRE(sites.size() == 4);
  CHECK(sites[0].macro == "TRACE_LOAD");
  CHECK(sites[0].line == 6);
  CHECK(sites[0].names[0] == "F");
  CHECK(sites[1].macro == "TRACE_STORE");
  CHECK(sites[1].names[0] == "other");
  CHECK(sites[2].line == 7);
  CHECK(sites[2].names[0] == "G");
}

TEST_CASE("a kernel's signature: parameters, and local arrays with their sizes") {
  const std::string text =
      "#define POINTS (1 << 4)\n"
      "#define HALF POINTS / 2\n"
      "typedef float2 complex;\n"
      "void kernel_helper(int a) {}\n"
      "__attribute__((reqd_work_group_size(64, 1, 1)))\n"
      "kernel void other(global int *x) { x[0] = 1; }\n"
      "__kernel __attribute__((vec_type_hint(float)))\n"
      "void fft(global float2 *restrict F, const unsigned int n, __local complex *tile, int span TRACE_PARAMS)\n"
      "{\n"
      "  local float2 row[POINTS][HALF + 1], pair[2];\n"
      "  __local uint count;\n"
      "  local double *alias = 0;\n"
      "  local int unknown[n];\n"
      "  TRACE_STAGE(1);\n"
      "}\n";
  const KernelSignature fft = kernel_signature(text, "fft");
  CHECK(fft.parameters == std::vector<std::string>{"F", "n", "tile", "span"});
  CHECK(fft.read_only == std::vector<bool>{false, false, false, false});
  const std::string reading =
      "kernel void r(global const int *a, constant int *b, global int *const c, const global int d[]) {}";
  CHECK(kernel_signature(reading, "r").read_only == std::vector<bool>{true, true, false, true});
  // Types of several words.
  const KernelSignature wide = kernel_signature(
      "__global__ void w(long long a, unsigned long long b, long int c, short int d, unsigned e, unsigned "
      "long f, long double g) {}",
      "w");
  const std::vector<std::optional<ElementType>> types{ElementType::Long,
                                                      ElementType::ULong,
                                                      ElementType::Long,
                                                      ElementType::Short,
                                                      ElementType::UInt,
                                                      ElementType::ULong,
                                                      {}};
  REQUIRE(wide.types.size() == types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    CAPTURE(wide.parameters[i]);
    CHECK((wide.types[i].element == types[i]));
  }
  CHECK(fft.takes_trace);
  CHECK(fft.sets_stage);
  CHECK(fft.first_line == 7);
  CHECK(fft.last_line == 15);
  REQUIRE(fft.locals.size() == 5);
  CHECK(fft.locals[0].name == "tile");
  CHECK(fft.locals[0].type == ElementType::Float2);
  CHECK(fft.locals[0].parameter == 2);
  CHECK(fft.locals[0].count == 0);
  CHECK(fft.locals[1].name == "row");
  CHECK(fft.locals[1].count == 16 * 9);
  CHECK(fft.locals[1].parameter == -1);
  CHECK(fft.locals[2].name == "pair");
  CHECK(fft.locals[2].count == 2);
  CHECK(fft.locals[3].name == "count");
  CHECK(fft.locals[3].type == ElementType::UInt);
  CHECK(fft.locals[3].count == 1);
  CHECK(fft.locals[4].name == "unknown");
  CHECK(fft.locals[4].count == 0);

  const KernelSignature other = kernel_signature(text, "other");
  CHECK(other.parameters == std::vector<std::string>{"x"});
  CHECK_FALSE(other.takes_trace);
  CHECK_FALSE(other.sets_stage);
  CHECK(kernel_names(text) == std::vector<std::string>{"other", "fft"});
}

TEST_CASE("CUDA kernels: shared arrays, dynamic ones, launch bounds") {
  const std::string text =
      "extern __shared__ float2 pool[];\n"
      "template <int n> __device__ int twice(int x) { return 2 * x; }\n"
      "extern \"C\" __global__ void __launch_bounds__(256) fft(real2 *__restrict__ F, unsigned n TRACE_PARAMS)\n"
      "{\n"
      "  __shared__ real2 tile[THREADS * 2];\n"
      "  __shared__ __align__(16) unsigned bins[256];\n"
      "}\n";
  const KernelSignature fft =
      kernel_signature(text, "fft", {"THREADS=32"}, "#ifndef real2\n#define real2 double2\n#endif\n");
  CHECK(fft.parameters == std::vector<std::string>{"F", "n"});
  REQUIRE(fft.locals.size() == 3);
  CHECK(fft.locals[0].name == "tile");
  CHECK(fft.locals[0].type == ElementType::Double2);
  CHECK(fft.locals[0].count == 64);
  CHECK(fft.locals[1].name == "bins");
  CHECK(fft.locals[1].type == ElementType::UInt);
  CHECK(fft.locals[2].name == "pool");
  CHECK(fft.locals[2].dynamic);
  CHECK_FALSE(fft.locals[0].dynamic);
}

TEST_CASE("an unknown kernel is answered with those there are") {
  const std::string text = "kernel void fft_stage(int a) {}\nkernel void scale(int a) {}\n";
  CHECK(exit_code_of([&] { kernel_signature(text, "fft_stag"); }) == ExitCode::usage);
  CHECK(contains(sentence_of([&] { kernel_signature(text, "fft_stag"); }), "did you mean fft_stage?"));
  CHECK(contains(sentence_of([&] { kernel_signature(text, "zzzzzzzz"); }), "fft_stage, scale"));
  CHECK(contains(sentence_of([&] { kernel_signature("int x;", "k"); }), "no kernel at all"));
}

TEST_CASE("includes are put in place and lines stay the user's own") {
  const Folder folder;
  folder.write("kernel/lib/pair.h", "#pragma once\n#include \"deep.h\"\nint pair_line_3;\n");
  folder.write("kernel/lib/deep.h", "#ifndef DEEP\n#define DEEP\nint deep;\n#endif\n");
  const std::string text =
      "int first;\n"
      "#include \"trace_device.h\"  // the log\n"
      "# include \"lib/pair.h\"\n"
      "#include \"lib/pair.h\"\n"
      "int fifth;\n";
  const ProgramSource program = prepared(folder, text);
  CHECK(contains(program.text, "#line 1 \"mine.cl\"\nint first;\n"));
  CHECK(contains(program.text, "#line 1 \"trace_device.h\"\n"));
  CHECK(contains(program.text, "#define TRACE_PARAMS\n"));
  CHECK(contains(program.text, "#line 2 \"mine.cl\"\n  // the log\n"));
  CHECK(contains(program.text, "#line 1 \"lib/pair.h\"\n"));
  CHECK(contains(program.text, "#line 1 \"lib/deep.h\"\nint deep") == false);
  CHECK(contains(program.text, "\n#line 2 \"lib/pair.h\"\n\nint pair_line_3;\n"));
  CHECK(contains(program.text, "\n#line 4 \"mine.cl\"\n\nint fifth;\n"));
  const std::size_t once = program.text.find("int pair_line_3;");
  CHECK(program.text.find("int pair_line_3;", once + 1) == std::string::npos);  // #pragma once
  CHECK_FALSE(contains(program.text, "#include \"lib"));
  CHECK(program.defines.empty());

  const std::vector<SourceText> files = source_files(source_in(folder, text));
  REQUIRE(files.size() == 3);
  CHECK(files[0].name == "mine.cl");
  CHECK(files[0].text == text);
  CHECK(files[1].name == "lib/pair.h");
  CHECK(files[2].name == "lib/deep.h");
}

TEST_CASE("includes from elsewhere are refused") {
  const Folder folder;
  folder.write("secret.h", "int secret;\n");
  folder.write("kernel/self.h", "#include \"self.h\"\n");
  const auto sentence = [&](const std::string& text) {
    CHECK(exit_code_of([&] { prepared(folder, text); }) == ExitCode::usage);
    return sentence_of([&] { prepared(folder, text); });
  };
  CHECK(contains(sentence("\n#include \"../secret.h\"\n"), "mine.cl line 2 includes ../secret.h, which is outside"));
  CHECK(contains(sentence("#include \"/etc/passwd\"\n"), "outside"));
  CHECK(contains(sentence("#include </etc/passwd>\n"), "outside"));
  CHECK(contains(sentence("#include <../secret.h>\n"), "outside"));
  CHECK(contains(sentence("#define X \"/etc/passwd\"\n#include X\n"),
                 "line 2: write the included file's name in quotes"));
  CHECK(contains(sentence("#inc\\\nlude \"/etc/passwd\"\n"), "line 1: write #include as one word"));
  CHECK(contains(sentence("%:include \"/etc/passwd\"\n"), "line 1: write #include"));
  CHECK(contains(sentence("\n?\?=include \"/etc/passwd\"\n"), "line 2: write #include"));
  CHECK(contains(sentence("#include \"gone.h\"\n"), "gone.h, which is not in"));
  CHECK(contains(sentence("#include \"lib\"\n"), "not a file"));
  CHECK(contains(sentence("#include \"self.h\"\n"), "too deep"));
}

TEST_CASE("a link does not lead out of the folder") {
  const Folder folder;
  folder.write("secret.h", "int secret;\n");
  fs::create_symlink(folder.kernel().parent_path() / "secret.h", folder.kernel() / "link.h");
  CHECK(contains(sentence_of([&] { prepared(folder, "#include \"link.h\"\n"); }), "outside"));
}

TEST_CASE("the compiler's options follow what is asked for") {
  const Folder folder;
  Instrumentation traced;
  traced.detail = Detail::Index;
  traced.filter = true;
  traced.dimensions = 2;
  const ProgramSource program = prepare_source(source_in(folder, "int x;\n"), {"real=double"}, traced);
  CHECK(program.defines == std::vector<std::string>{"real=double", "TWIDDLE_TRACE=1", "TRACE_VALUES=0",
                                                    "TRACE_DIMENSIONS=2", "TRACE_FILTER=1"});
  for (const char* define : {"=1", "2N=1", "a b", "A=1\n#include \"/etc/passwd\"", "A=\\", ""})
    CHECK(exit_code_of([&] { prepare_source(source_in(folder, ""), {define}, traced); }) == ExitCode::usage);
}

TEST_CASE("hostile text ends quickly") {
  const Folder folder;
  const auto repeated = [](const std::string& part, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += part;
    return text;
  };
  const std::size_t size = (std::size_t(1) << (all_cases() ? 19 : 17)) / (tests::slower * tests::slower);
  for (const std::string& text :
       {repeated("TRACE_MOVE(", size), repeated("kernel __attribute__(", size), repeated("kernel void f(", size),
        repeated("#define A A A\n", size), repeated("local int x[", size), repeated("/*", size), repeated("\"", size),
        repeated("typedef a b", size), repeated("\\\n", size),
        "kernel void f(int a) {" + repeated("local int x[((((", size)}) {
    find_sites(text, 0);
    sentence_of([&] { kernel_signature(text, "nothing_like_it"); });
    sentence_of([&] { kernel_signature(text, "f"); });
    sentence_of([&] { prepared(folder, text); });
  }
  // Doubling macros: 2^40 tokens if they were all expanded.
  std::string doubling = "#define A0 1\n";
  for (int i = 1; i <= 40; ++i)
    doubling += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + "+A" + std::to_string(i - 1) + "\n";
  const KernelSignature kernel =
      kernel_signature(doubling + "kernel void f(int a) { local int x[A40], y[A5]; }\n", "f");
  REQUIRE(kernel.locals.size() == 2);
  CHECK(kernel.locals[0].count == 0);
  CHECK(kernel.locals[1].count == 32);
  // A file that includes another twice, and so on: 2^30 files if they were not counted.
  for (int i = 0; i < 30; ++i) {
    const std::string next = "#include \"" + std::to_string(i + 1) + ".h\"\n";
    folder.write("kernel/" + std::to_string(i) + ".h", next + next);
  }
  folder.write("kernel/30.h", "int x;\n");
  CHECK(contains(sentence_of([&] { prepared(folder, "#include \"0.h\"\n"); }), "too deep"));
}

TEST_CASE("conditionals decide what a kernel declares") {
  const std::string text =
      "#ifdef PADDED\n#define PITCH 33\n#else\n#define PITCH 32\n#endif\n"
      "#if defined(WIDE) && EVEN\ntypedef float2 mine;\n#endif\n"
      "#ifndef WIDE\n"
      "kernel void f(global float *x) { local float a[PITCH]; }\n"
      "#elif 1\n"
      "kernel void f(global float *x, int n) { local float b[2 * PITCH]; }\n"
      "#else\n"
      "kernel void f() {}\n"
      "#endif\n";
  const KernelSignature plain = kernel_signature(text, "f");
  CHECK(plain.parameters.size() == 1);
  REQUIRE(plain.locals.size() == 1);
  CHECK(plain.locals[0].count == 32);
  const KernelSignature both = kernel_signature(text, "f", {"PADDED", "WIDE=1"});
  CHECK(both.parameters.size() == 2);
  REQUIRE(both.locals.size() == 1);
  CHECK(both.locals[0].name == "b");
  CHECK(both.locals[0].count == 66);
  CHECK(kernel_signature(text, "f", {"WIDE=1"}, "#ifndef OFF\n#define PADDED\n#endif\n").locals[0].count == 66);
  // What only the compiler knows leaves both sides in.
  const std::string either =
      "#ifdef __OPENCL_VERSION__\nkernel void g(int a) {}\n#else\nkernel void h(int a) {}\n#endif\n";
  CHECK(kernel_signature(either, "g").parameters.size() == 1);
  CHECK(kernel_signature(either, "h").parameters.size() == 1);
}
