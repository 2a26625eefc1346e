// `twiddle new` to a verified trace, as a user with a kernel of their own begins.
#include "run_program.h"
#include "test_support.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

using namespace twiddle;

TEST_CASE("what twiddle new writes is traced and verified as it is") {
  TestFolder folder;
  const Ran made = run_program(folder, {"new", "deep/fft"});
  CHECK_MESSAGE(made.code == 0, made.err);
  CHECK(contains(made.out, "twiddle view deep/fft/mine.toml\n"));
  const Ran traced = run_program(folder, {"trace", "deep/fft/mine.toml", "-o", "mine.twd"});
  CHECK(traced.code == 0);
  CHECK(traced.err == "");
  for (const char* subject : {"mine.twd", "deep/fft/mine.toml"}) {
    const Ran verified = run_program(folder, {"verify", subject, "--json"});
    CHECK(verified.code == 0);
    CHECK(nlohmann::json::parse(verified.out)["pass"] == true);
  }
  const Ran verified = run_program(folder, {"verify", "deep/fft/mine.toml", "--runtime", "host", "--json"});
  CHECK_MESSAGE(verified.code == 0, verified.err);
  CHECK(nlohmann::json::parse(verified.out)["pass"] == true);
  for (const char* runtime : {"opencl", "host"}) {
    const Ran checked = run_program(folder, {"check", "deep/fft/mine.toml", "--runtime", runtime});
    CHECK_MESSAGE(checked.code == 0, checked.out);
  }
  const nlohmann::json info = nlohmann::json::parse(run_program(folder, {"info", "mine.twd", "--json"}).out);
  CHECK(info["steps"] == 8 + 3 * 4);
  CHECK(info["unexplained"] == 0);
  CHECK(info["inconsistent_reads"] == 0);
}

TEST_CASE("twiddle new overwrites nothing") {
  TestFolder folder;
  std::ofstream(folder.file("mine.toml")) << "mine\n";
  check_failure(run_program(folder, {"new", "."}), 2, "mine.toml is there already");
  CHECK(folder.names() == std::vector<std::string>{"mine.toml"});
  CHECK(content_of(folder.file("mine.toml")) == "mine\n");
  check_failure(run_program(folder, {"new", "mine.toml"}), 2, "is no folder");
  check_failure(run_program(folder, {"new", "mine.toml/below"}), 2, "could not be made");
  check_failure(run_program(folder, {"new"}), 2, "needs DIR");
}

TEST_CASE("every template of twiddle new passes its checks, in OpenCL and on the host") {
  TestFolder folder;
  for (const char* name : {"fft", "sum", "scan", "histogram", "tile", "transpose"}) {
    CAPTURE(name);
    const std::string plan = std::string(name) + "/mine.toml";
    const Ran made = run_program(folder, {"new", name, "--template", name});
    REQUIRE_MESSAGE(made.code == 0, made.err);
    for (const char* runtime : {"opencl", "host"}) {
      const Ran checked = run_program(folder, {"check", plan, "--runtime", runtime, "--strict"});
      CHECK_MESSAGE(checked.code == 0, checked.out);
      CHECK_MESSAGE(checked.err == "", checked.err);
      CHECK_MESSAGE(checked.out.find("error") == std::string::npos, checked.out);
      const Ran verified = run_program(folder, {"verify", plan, "--runtime", runtime});
      CHECK_MESSAGE(verified.code == 0, verified.out);
    }
  }
  check_failure(run_program(folder, {"new", "sort", "--template", "sort"}), 2, "sum");
}

TEST_CASE("a kernel without a plan: check says what a plan is, new --from writes one, and it runs") {
  TestFolder folder;
  std::ofstream(folder.file("scale.cl")) << R"(
typedef struct { float x, y; } point;
#define HALF_TILE 8
kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void scale(global const float *in, global float *out, float factor, int n, local float *tile, constant uint *order)
{
  local float own[2 * HALF_TILE];
  int i = get_global_id(0), l = get_local_id(0);
  own[l] = tile[l] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n)
    out[i] = factor * own[l] + order[i];
}
kernel void add(global float *out, const uint step) { out[get_global_id(0)] += step; }
)";
  std::ofstream(folder.file("tile.cu")) << R"(
template <typename T, int SIDE> __global__ void turn(const T *in, T *out, int width, int height)
{
  extern __shared__ T tile[];
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  tile[threadIdx.y * blockDim.x + threadIdx.x] = in[y * width + x];
  __syncthreads();
  out[x * height + y] = tile[threadIdx.y * blockDim.x + threadIdx.x];
}
)";
  check_failure(run_program(folder, {"check", "scale.cl"}), 2, "twiddle new --from scale.cl writes one");
  check_failure(run_program(folder, {"verify", "scale.cl"}), 2, "a TOML file that says which buffers there are");
  for (const char* name : {"scale.cl", "tile.cu"}) {
    CAPTURE(name);
    const Ran made = run_program(folder, {"new", "--from", name});
    REQUIRE_MESSAGE(made.code == 0, made.err);
    const std::string plan = std::filesystem::path(name).replace_extension(".toml").string();
    CHECK(made.out.find("twiddle check " + plan) != std::string::npos);
    const bool cuda = std::string(name).ends_with(".cu");
    const Ran checked = run_program(folder, {"check", plan, "--runtime", cuda ? "host" : "opencl"});
    CHECK_MESSAGE(checked.code == 0, checked.out, checked.err, content_of(folder.file(plan)));
    check_failure(run_program(folder, {"new", "--from", name}), 2, "is there already");
    check_failure(run_program(folder, {"check", name}), 2, "beside it is one: twiddle check " + plan);
  }
  check_failure(run_program(folder, {"new", "--from", "none.cl"}), 3, "none.cl");
  check_failure(run_program(folder, {"new", "--from", "scale.toml"}), 2, ".cl or .cu");
  check_failure(run_program(folder, {"new", "here", "--from", "scale.cl"}), 2, "leave out DIR");
  std::ofstream(folder.file("empty.cl")) << "int f(int x) { return x; }\n";
  check_failure(run_program(folder, {"new", "--from", "empty.cl"}), 2, "defines no kernel");
  std::ofstream(folder.file("odd.cl"))
      << "typedef struct { int a; } two;\nkernel void f(global int *x, two y) { x[0] = y.a; }\n";
  check_failure(run_program(folder, {"new", "--from", "odd.cl"}), 2, "parameter y of kernel f is a two");
}
