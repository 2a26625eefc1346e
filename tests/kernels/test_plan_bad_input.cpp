// Wrong plans, and their message: one sentence, exit code 2, and no file left behind.
#include "run_program.h"
#include "test_support.h"

#include <doctest.h>

#if !defined(TWIDDLE_TSAN)
#define TWIDDLE_TSAN 0
#endif

using namespace twiddle;

namespace {

const std::string good_kernel =
    "#include \"trace_device.h\"\n"
    "kernel void twice(global float *x, int n TRACE_PARAMS) {\n"
    "  int g = get_global_id(0);\n"
    "  if (g < n) { float v = x[g]; x[g] = 2 * v; TRACE_SCALE(x, g, v, 2.0f); }\n"
    "}\n";
const std::string good_plan =
    "title = \"mine\"\n[[buffer]]\nname = \"x\"\ntype = \"float\"\ncount = 8\ncontent = \"iota\"\n"
    "[[launch]]\nsource = \"mine.cl\"\nkernel = \"twice\"\nglobal = [8]\nlocal = [4]\nargs = [\"x\", \"int:8\"]\n";

std::string with(std::string text, const std::string& part, const std::string& other) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), other);
}

void write(const TestFolder& folder, const std::string& kernel, const std::string& plan) {
  std::ofstream(folder.file("mine.cl")) << kernel;
  std::ofstream(folder.file("mine.toml")) << plan;
}

}  // namespace

TEST_CASE("a plan that cannot be run: one sentence that says what is wrong, exit code 2, nothing left behind") {
  struct Bad {
    std::string plan, words;
  };
  const std::string p = good_plan;
  const std::vector<Bad> all = {
      {with(p, "content", "contant"), "mine.toml, line 6: buffer 1 has no key \"contant\"; did you mean content?"},
      {with(p, "kernel =", "kernal ="), "line 9: launch 1 has no key \"kernal\"; did you mean kernel?"},
      {with(p, "count = 8", "count = \"m\""), "line 5: count is \"m\": there is no parameter m"},
      {with(p, "count = 8", "count = 8.5"), "line 5: count must be a whole number, not a number"},
      {with(p, "global = [8]", "global = 8"), "line 10: global must be a list, not a whole number"},
      {with(p, "title = \"mine\"", "title = 7"), "line 1: title must be text, not a whole number"},
      {with(p, "\"x\", \"int:8\"", "\"y\", \"int:8\""), "line 12: there is no buffer \"y\"; did you mean x?"},
      {with(p, "mine.cl", "../mine.cl"), "line 8: ../mine.cl is outside of the plan's folder"},
      {with(p, "\"iota\"", "\"file:../data.csv\""), "line 6: ../data.csv is outside of the plan's folder"},
      {with(p, "count = 8", "count = 18446744073709551616"), "line 5: "},
      {with(p, "count = 8", "count = 4294967296"), "line 5: count must be 0 … 4294967295"},
      {with(p, "global = [8]", "global = [4294967295, 4294967295, 4294967295]\n"), "line 10: a launch has at most"},
      {with(p, "local = [4]", "local = [3]"), "line 11: global size 8 is not a multiple of local size 3"},
      {with(p, "\"int:8\"", "\"int:4294967296\""), "line 12: \"4294967296\" is no int"},
      {with(p, "\"int:8\"", "\"local:99999999999999999999\""), "line 12: "},
      {with(p, "\"int:8\"", "\"int:8\", \"int:9\""),
       "launch 1: kernel twice takes 2 arguments (x, n), and the plan gives 3"},
      {with(p, "\"twice\"", "\"thrice\""), "did you mean twice?"},
      {with(p, "mine.cl", "other.cl"), "there is no kernel source"},
      {"title = \"mine\"\n", "a plan needs a [[launch]]"},
      {"[[", "line 1: "},
      {std::string("\0\xff", 2), "mine.toml"},
  };
  for (const Bad& bad : all) {
    CAPTURE(bad.words);
    TestFolder folder;
    write(folder, good_kernel, bad.plan);
    check_failure(run_program(folder, {"trace", "mine.toml"}), 2, bad.words);
    CHECK(folder.names() == std::vector<std::string>{"mine.cl", "mine.toml"});
  }
}

TEST_CASE("a plan that links out of its folder is refused as well") {
  TestFolder elsewhere, folder;
  write(elsewhere, good_kernel, good_plan);
  std::filesystem::create_symlink(elsewhere.file("mine.cl"), folder.file("mine.cl"));
  std::ofstream(folder.file("mine.toml")) << good_plan;
  check_failure(run_program(folder, {"trace", "mine.toml"}), 2, "mine.cl is outside of the plan's folder");
}

TEST_CASE("more than the device has is said before anything is run") {
  TestFolder folder;
  write(folder, good_kernel, with(with(good_plan, "count = 8", "count = 4294967295"), "\"float\"", "\"double2\""));
  check_failure(run_program(folder, {"trace", "mine.toml"}), 4, "allows buffers of at most");
}

TEST_CASE("a kernel that does not compile shows the compiler's words at the user's own line") {
  TestFolder folder;
  write(folder, with(good_kernel, "float v = x[g];", "float v = y[g];"), good_plan);
  const Ran ran = run_program(folder, {"trace", "mine.toml"});
  CHECK(ran.code == 2);
  CHECK(contains(ran.err, "mine.cl does not compile"));
  CHECK(contains(ran.err, "mine.cl:4:"));
}

TEST_CASE("a kernel without trace lines is seen by its accesses, or not at all, and that is said") {
  TestFolder folder;
  write(folder, "kernel void twice(global float *x, int n) { int g = get_global_id(0); if (g < n) x[g] *= 2; }\n",
        good_plan);
  const Ran without = run_program(folder, {"trace", "mine.toml", "--accesses", "none"});
  CHECK(without.code == 0);
  CHECK(contains(without.err, "kernel twice has no trace lines: what it does is not logged"));
  CHECK(contains(without.out, "0 kept, 0 lost"));
  const Ran ran = run_program(folder, {"trace", "mine.toml", "--runtime", "opencl"});
  CHECK(ran.code == 0);
  CHECK(ran.err == "");
  CHECK(contains(ran.out, "8 kept, 0 lost"));
}

TEST_CASE("a kernel that never ends is given up after --timeout, and the sentence says which launch it was") {
  // x[0] is 0 at first, x[1] is 1.
  const std::string kernel =
      "#include \"trace_device.h\"\n"
      "kernel void twice(global volatile float *x, int n TRACE_PARAMS) { while (x[n] > 0) x[2] += 1; }\n";
  const std::string launch = "[[launch]]\nsource = \"mine.cl\"\nkernel = \"twice\"\nglobal = [8]\nlocal = [4]\n";
  TestFolder folder;
  write(folder, kernel,
        with(good_plan, "int:8", "int:0") + launch +
            "args = [\"x\", \"int:1\"]\n[expect]\ntransform = \"sum\"\ninput = \"x\"\noutput = \"x\"\n");
  // PoCL compiles within the launch: 4 s are enough for that on a busy machine.
  for (const char* verb : {"trace", "verify"})
    check_failure(run_program(folder, {verb, "mine.toml", "--timeout", "4"}), 2,
                  "launch 2 (kernel twice) did not end within 4 s and was given up");
  CHECK(folder.names() == std::vector<std::string>{"mine.cl", "mine.toml"});
  check_failure(run_program(folder, {"trace", "mine.toml", "--timeout", "soon"}), 2, "--timeout");
}

// ThreadSanitizer keeps a signal back until the thread calls something that it knows, which kernel code never does.
TEST_CASE("on the host --timeout ends loops of any kind, and threads that wait for each other for ever" *
          doctest::skip(TWIDDLE_TSAN)) {
  for (const char* forever : {"while (p[n] > 0) p[2] += 1;", "while (p[n] > 0) __syncthreads();"}) {
    CAPTURE(forever);
    TestFolder folder;
    write(folder, good_kernel,
          good_plan + "[[launch]]\nsource = \"mine.cu\"\nkernel = \"waits\"\nglobal = [8]\nlocal = [4]\n" +
              "args = [\"x\", \"int:1\"]\n");
    std::ofstream(folder.file("mine.cu")) << "#include \"trace_device.h\"\n"
                                             "extern \"C\" __global__ void twice(float *x, int n TRACE_PARAMS) {\n"
                                             "  int g = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                             "  float v = x[g];\n  x[g] = 2 * v;\n  TRACE_SCALE(x, g, v, 2.0f);\n}\n"
                                             "extern \"C\" __global__ void waits(float *x, int n TRACE_PARAMS) {\n"
                                             "  volatile float *p = x;\n  "
                                          << forever << "\n}\n";
    const Ran ran = run_program(folder, {"trace", "mine.toml", "--runtime", "host", "--timeout", "1"});
    // Threads that meet again and again for a value that none of them changes are found out before their time is over.
    if (contains(forever, "__syncthreads")) {
      CHECK(ran.code == 1);
      CHECK(contains(ran.err, "waits without end for a value that no thread writes any more"));
    } else {
      check_failure(ran, 2, "launch 2 (kernel waits) did not end within 1 s and was given up");
    }
  }
}
