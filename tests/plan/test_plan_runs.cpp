// Plans that run: parameters by the command line, loops, structs, wide types, options; and what kernels print.
#include "kernels/plan/plan.h"
#include "run_program.h"
#include "runtimes/opencl_device.h"
#include "sample.h"
#include "test_support.h"
#include "tracer/runtimes/open_runtime.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

using namespace twiddle;

namespace {

void write(const TestFolder& folder, const std::string& name, const std::string& text) {
  std::ofstream(folder.file(name)) << text;
}

const std::string stockham =
    "kernel void stage(global const float2 *in, global float2 *out, int m) {\n"
    "  int g = get_global_id(0), half_n = get_global_size(0), k = g % m;\n"
    "  float angle = -M_PI_F * k / m;\n"
    "  float2 w = (float2)(cos(angle), sin(angle)), a = in[g], b = in[g + half_n];\n"
    "  float2 t = (float2)(w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x);\n"
    "  out[2 * g - k] = a + t;\n"
    "  out[2 * g - k + m] = a - t;\n"
    "}\n";
const std::string stockham_plan =
    "title = \"FFT\"\nsignal = \"random:1\"\n[parameters]\nn = 16\nstages = \"log2(n)\"\n"
    "[[buffer]]\nname = \"a\"\ntype = \"float2\"\ncount = \"n\"\ncontent = \"signal\"\n"
    "[[buffer]]\nname = \"b\"\ntype = \"float2\"\ncount = \"n\"\n"
    "[[launch]]\nfor = \"s in 1..stages\"\nsource = \"fft.cl\"\nkernel = \"stage\"\nstage = \"s\"\nglobal = [\"n/2\"]\n"
    "local = [\"min(n/2, 8)\"]\nargs = [\"s%2 ? a : b\", \"s%2 ? b : a\", \"int:1<<(s-1)\"]\n"
    "[expect]\ntransform = \"fft\"\ninput = \"a\"\noutput = \"stages%2 ? b : a\"\n";

}  // namespace

TEST_CASE("a plan runs at the size that the command line gives") {
  if (!opencl()) return;
  TestFolder folder;
  write(folder, "fft.cl", stockham);
  write(folder, "fft.toml", stockham_plan);
  for (const std::vector<std::string>& size : {std::vector<std::string>{},
                                               {"--n", "8"},
                                               {"--n", "128"},
                                               {"--set", "n=2"},
                                               {"--set", "n=64", "--set", "stages=6"}}) {
    std::vector<std::string> words{"verify", "fft.toml", "--runtime", "opencl", "--json"};
    words.insert(words.end(), size.begin(), size.end());
    const Ran ran = run_program(folder, words);
    CHECK_MESSAGE(ran.code == 0, ran.err);
    const auto json = nlohmann::json::parse(ran.out);
    CHECK(json["pass"] == true);
    if (!size.empty()) CHECK(std::to_string(json["n"].get<int>()) == (size[0] == "--n" ? size[1] : size[1].substr(2)));
  }
  // One stage too few.
  CHECK(run_program(folder, {"verify", "fft.toml", "--runtime", "opencl", "--set", "stages=3"}).code == 1);
  check_failure(run_program(folder, {"verify", "fft.toml", "--rows", "4"}), 2,
                "the plan has no parameter rows; there are n, stages");
  check_failure(run_program(folder, {"verify", "fft.toml", "--set", "n"}), 2, "--set takes NAME=VALUE");
  check_failure(run_program(folder, {"verify", "fft.toml", "--set", "n=12/0"}), 2,
                "n must be a whole number, not \"12/0\"");
}

TEST_CASE("elements of every type, vectors of three, structs and options reach an OpenCL kernel") {
  if (!opencl()) return;
  TestFolder folder;
  write(folder, "k.cl",
        "typedef struct { char c; float2 f; int n; double d; } Set;\n"
        "kernel void copy(global const TYPE *in, global TYPE *out) { out[get_global_id(0)] = in[get_global_id(0)]; }\n"
        "kernel void half_copy(global const half *in, global half *out) {\n"
        "  int i = get_global_id(0);\n  vstore_half(vload_half(i, in), i, out);\n}\n"
        "kernel void set(Set s, float4 v, ulong big, uchar small, global double *out, local float *room) {\n"
        "  out[0] = s.c; out[1] = s.f.x; out[2] = s.f.y; out[3] = s.n; out[4] = s.d; out[5] = v.w; out[6] = big; "
        "out[7] = small;\n"
        "}\n");
  Sample sample(11);  // six widths of a type: in turn each one
  for (const char* type :
       {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"})
    for (const char* width : {"", "2", "3", "4", "8", "16"}) {
      const bool half = std::string(type) == "half";
      if (half && *width) continue;  // needs cl_khr_fp16
      if (sample.skips()) continue;
      CAPTURE(std::string(type) + width);
      write(folder, "copy.toml",
            "title = \"t\"\nsignal = \"ramp\"\noptions = \"-cl-std=CL1.2\"\n[[buffer]]\nname = \"x\"\ntype = \"" +
                std::string(type) + width +
                "\"\ncount = 12\ncontent = \"signal\"\n[[buffer]]\nname = \"y\"\ntype = \"" + type + width +
                "\"\ncount = 12\n[[launch]]\nsource = \"k.cl\"\nkernel = \"" + (half ? "half_copy" : "copy") +
                "\"\ndefines = [\"TYPE=" + (half ? "float" : type) + width +
                "\"]\nglobal = [12]\nlocal = [4]\nargs = [\"x\", \"y\"]\n[expect]\ntransform = \"equals:x\"\noutput = "
                "\"y\"\nbound = 0\n");
      const Ran ran = run_program(folder, {"verify", "copy.toml", "--runtime", "opencl"});
      CHECK_MESSAGE(ran.code == 0, (ran.err + ran.out));
    }
  write(folder, "values.csv", "-3\n0.5\n-2\n16\n0.1\n4\n9007199254740992\n255\n");
  write(folder, "set.toml",
        "title = \"t\"\n[parameters]\nn = 16\n[[buffer]]\nname = \"y\"\ntype = \"double\"\ncount = 8\n"
        "[[launch]]\nsource = \"k.cl\"\ndefines = [\"TYPE=int\"]\nkernel = \"set\"\nglobal = [1]\nlocal = [1]\n"
        "args = [\"struct:char:-3,float2:0.5,-2,int:n,double:0.1\", \"float4:1,2,3,4\", \"ulong:1<<53\", "
        "\"uchar:255\", \"y\", "
        "\"local:4*n\"]\n[expect]\ntransform = \"values:values.csv\"\noutput = \"y\"\n");
  const Ran ran = run_program(folder, {"verify", "set.toml", "--runtime", "opencl"});
  CHECK_MESSAGE(ran.code == 0, (ran.err + ran.out));
}

TEST_CASE("a plan runs on what its kernels are written for, and its own files go before ours of that name") {
  TestFolder folder;
  write(folder, "only.cl", "kernel void k(global int *x) { x[get_global_id(0)] = 1; }\n");
  write(folder, "cuda.cu", "extern \"C\" __global__ void k(int *x) { x[threadIdx.x] = 1; }\n");
  write(folder, "both.cl", "kernel void k(global int *x) { x[get_global_id(0)] = 1; }\n");
  write(folder, "both.cu", "extern \"C\" __global__ void k(int *x) { x[threadIdx.x] = 1; }\n");
  write(folder, "fft_radix2.cl", "kernel void k(global int *x) { x[get_global_id(0)] = 1; }\n");
  const auto plan_of = [&](const std::string& source) {
    write(folder, "k.toml",
          "title = \"t\"\n[[buffer]]\nname = \"x\"\ntype = \"int\"\ncount = 4\n[[launch]]\nsource = \"" + source +
              "\"\nkernel = \"k\"\nglobal = [4]\nlocal = [4]\nargs = [\"x\"]\n");
    return read_plan_file(folder.file("k.toml"));
  };
  CHECK(runtime_for(plan_of("only.cl"), "auto") == "opencl");
  CHECK(runtime_for(plan_of("only.cl"), "host") == "host");
  CHECK(runtime_for(plan_of("both.cl"), "auto") == "auto");
  const std::string cuda = runtime_for(plan_of("cuda.cu"), "auto");
  CHECK((cuda == "host" || cuda == "cuda"));
  CHECK(runtime_for(plan_of("fft_radix2.cl"), "auto") == "opencl");
  check_failure(run_program(folder, {"trace", "k.toml", "--runtime", "host"}), 2,
                "fft_radix2.cl is OpenCL C: run it with --runtime opencl, or put fft_radix2.cu in CUDA C++ beside it");
}

TEST_CASE("a kernel that takes an element of one of two arrays divides by what it says") {
  // g++ 12 divided by what was never computed (host_translate.cpp).
  TestFolder folder;
  write(folder, "k.cu",
        "extern \"C\" __global__ void k(const int *x, int *y, int flip) {\n"
        "  int i = threadIdx.x;\n  y[i] = (flip == 3 ? y : x)[(3 * i) % (flip == 7 ? i : 15)];\n}\n");
  write(folder, "k.toml",
        "title = \"t\"\n[[buffer]]\nname = \"x\"\ntype = \"int\"\ncount = 16\ncontent = \"file:x.csv\"\n"
        "[[buffer]]\nname = \"y\"\ntype = \"int\"\ncount = 16\n[[launch]]\nsource = \"k.cu\"\nkernel = \"k\"\n"
        "global = [16]\nlocal = [16]\nargs = [\"x\", \"y\", \"int:0\"]\n"
        "[expect]\ntransform = \"values:y.csv\"\noutput = \"y\"\n");
  std::string x, y;
  for (int i = 0; i < 16; ++i) {
    x += std::to_string(7 * i + 1) + "\n";
    y += std::to_string(7 * (3 * i % 15) + 1) + "\n";
  }
  write(folder, "x.csv", x);
  write(folder, "y.csv", y);
  const Ran ran = run_program(folder, {"check", "k.toml", "--no-repair", "--runtime", "host"});
  CHECK_MESSAGE(ran.code == 0, (ran.err + ran.out));
}

TEST_CASE("a kernel may be given a null pointer in place of a buffer") {
  TestFolder folder;
  const std::string body = "  y[i] = 2 * x[i];\n  if (w) y[i] *= w[i];\n}\n";
  write(folder, "k.cl",
        "kernel void k(global const float *x, global float *y, global const float *w) {\n"
        "  int i = get_global_id(0);\n" +
            body);
  write(folder, "k.cu",
        "extern \"C\" __global__ void k(const float *x, float *y, const float *w) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
            body);
  write(folder, "x.csv", "1\n2\n3\n4\n");
  write(folder, "y.csv", "2\n4\n6\n8\n");
  for (const std::string extension : {"cl", "cu"}) {
    if (extension == "cl" && !opencl()) continue;
    for (const char* given : {"null", "x"}) {
      CAPTURE(extension);
      CAPTURE(std::string(given));
      write(folder, "k.toml",
            "title = \"t\"\n[[buffer]]\nname = \"x\"\ntype = \"float\"\ncount = 4\ncontent = \"file:x.csv\"\n"
            "[[buffer]]\nname = \"y\"\ntype = \"float\"\ncount = 4\n[[launch]]\nsource = \"k." +
                extension + "\"\nkernel = \"k\"\nglobal = [4]\nlocal = [2]\nargs = [\"x\", \"y\", \"" + given +
                "\"]\n[expect]\ntransform = \"values:y.csv\"\noutput = \"y\"\n");
      const Ran ran = run_program(folder, {"check", "k.toml", "--no-repair", "--accesses", "all", "--runtime",
                                           extension == "cl" ? "opencl" : "host"});
      CHECK_MESSAGE(ran.code == (std::string(given) == "null" ? 0 : 1), (ran.err + ran.out));
    }
  }
}

TEST_CASE("a struct may hold pointers to buffers, in CUDA C++") {
  const std::string kernel =
      "struct Row { float *out; int n; const float *in; };\n"
      "extern \"C\" __global__ void copy(int items, Row row) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < row.n) row.out[i] = row.in[i];\n}\n";
  const std::string plan =
      "title = \"t\"\nsignal = \"random:3\"\n[[buffer]]\nname = \"x\"\ntype = \"float\"\ncount = 12\ncontent = "
      "\"signal\"\n[[buffer]]\nname = \"y\"\ntype = \"float\"\ncount = 12\n[[launch]]\nsource = \"k.cu\"\nkernel = "
      "\"copy\"\nglobal = [16]\nlocal = [8]\nargs = [\"int:16\", \"struct:buffer:y,int:N,buffer:x\"]\n[expect]\n"
      "transform = \"equals:x\"\noutput = \"y\"\nbound = 0\n";
  const TestFolder folder;
  write(folder, "k.cu", kernel);
  const auto written = [&](const std::string& name, const std::string& n) {
    std::string text = plan;
    text.replace(text.find("int:N"), 5, "int:" + n);
    write(folder, name, text);
  };
  written("right.toml", "12");
  written("wrong.toml", "16");
  const Ran verified = run_program(folder, {"verify", "right.toml", "--runtime", "host"});
  CHECK_MESSAGE(verified.code == 0, (verified.err + verified.out));
  // Accesses are of the buffers that the pointers name, and bounds are theirs.
  const Ran traced = run_program(folder, {"trace", "right.toml", "-o", "a.twd", "--runtime", "host"});
  CHECK_MESSAGE(traced.code == 0, traced.err);
  const Ran printed = run_program(folder, {"print", "a.twd", "--format", "jsonl"});
  CHECK_MESSAGE(contains(printed.out, "\"op\":\"move\""), printed.out);
  CHECK(run_program(folder, {"check", "right.toml", "--runtime", "host"}).code == 0);
  const Ran wrong = run_program(folder, {"check", "wrong.toml", "--runtime", "host"});
  CHECK(wrong.code == 1);
  CHECK_MESSAGE(contains(wrong.out, "out-of-bounds"), (wrong.out + wrong.err));
  CHECK_MESSAGE(contains(wrong.out, "x[12]"), wrong.out);
  if (!opencl()) return;
  write(folder, "k.cl",
        "struct Row { global float *out; int n; global const float *in; };\n"
        "kernel void copy(int items, struct Row row) { row.out[get_global_id(0)] = row.in[get_global_id(0)]; }\n");
  std::string text = plan;
  text.replace(text.find("k.cu"), 4, "k.cl");
  text.replace(text.find("int:N"), 5, "int:12");
  write(folder, "opencl.toml", text);
  for (const char* verb : {"verify", "check"}) {
    const Ran refused = run_program(folder, {verb, "opencl.toml", "--runtime", "opencl"});
    CHECK(refused.code == 2);
    CHECK_MESSAGE(contains(refused.err,
                           "launch 1: OpenCL hands no pointers to kernels within structs; give y as an "
                           "argument of its own"),
                  refused.err);
  }
}

TEST_CASE("what a kernel prints goes to standard error, never between results") {
  const std::string plan =
      "title = \"t\"\n[[buffer]]\nname = \"x\"\ntype = \"int\"\ncount = 4\ncontent = \"iota\"\n"
      "[[launch]]\nsource = \"SOURCE\"\nkernel = \"talk\"\nglobal = [4]\nlocal = [4]\nargs = [\"x\"]\n"
      "[expect]\ntransform = \"sum\"\ninput = \"x\"\noutput = \"x\"\n";
  TestFolder folder;
  write(folder, "k.cl",
        "kernel void talk(global int *x) { if (get_global_id(0) == 2) { printf(\"item %d\\n\", x[2]); x[0] = 6; } }\n");
  write(folder, "k.cu",
        "extern \"C\" __global__ void talk(int *x) { if (threadIdx.x == 2) { printf(\"item %d\\n\", x[2]); x[0] = 6; } "
        "}\n");
  for (const char* language : {".cl", ".cu"}) {
    if (language == std::string(".cl") && !opencl()) continue;
    std::string text = plan;
    text.replace(text.find("SOURCE"), 6, std::string("k") + language);
    write(folder, "talk.toml", text);
    const Ran ran = run_program(
        folder, {"verify", "talk.toml", "--json", "--runtime", language == std::string(".cl") ? "opencl" : "host"});
    CHECK_MESSAGE(ran.code == 0, ran.err);
    CHECK(nlohmann::json::parse(ran.out)["pass"] == true);
    CHECK(contains(ran.err, "item 2"));
    CHECK_FALSE(contains(ran.out, "item 2"));
  }
}

TEST_CASE("images of one, two and three dimensions, and samplers") {
  if (!opencl()) return;
  TestFolder folder;
  write(folder, "image.cl",
        "kernel void mirror(read_only image2d_t in, write_only image2d_t out, sampler_t s) {\n"
        "  int x = get_global_id(0), y = get_global_id(1), w = get_image_width(in);\n"
        "  write_imagef(out, (int2)(x, y), read_imagef(in, s, (int2)(w - x, y)));\n}\n"
        "kernel void sum(read_only image3d_t in, global uint *out) {\n"
        "  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;\n"
        "  uint total = 0;\n"
        "  for (int z = 0; z < 2; z++) for (int y = 0; y < 3; y++) for (int x = 0; x < 4; x++)\n"
        "    total += (1 + x + 4 * y + 12 * z) * read_imageui(in, s, (int4)(x, y, z, 0)).x;\n"
        "  out[0] = total;\n}\n");
  // Texel 4 − x: the one beyond the edge is the last one again.
  write(folder, "wanted.csv", "3\n3\n2\n1\n7\n7\n6\n5\n11\n11\n10\n9\n");
  write(folder, "mirror.toml",
        "title = \"t\"\n[parameters]\nw = 4\n[[buffer]]\nname = \"a\"\ntype = \"float4\"\nimage = \"2d\"\nwidth = "
        "\"w\"\nheight = 3\n"
        "content = \"iota\"\n[[buffer]]\nname = \"b\"\ntype = \"float4\"\nimage = \"2d\"\nwidth = \"w\"\nheight = 3\n"
        "[[launch]]\nsource = \"image.cl\"\nkernel = \"mirror\"\nglobal = [\"w\", 3]\nlocal = [\"w\", 1]\n"
        "args = [\"a\", \"b\", \"sampler:nearest,edge\"]\n"
        "[expect]\ntransform = \"values:wanted.csv\"\noutput = \"b\"\noutput_stride = 4\n");
  const Ran mirrored = run_program(folder, {"verify", "mirror.toml", "--runtime", "opencl"});
  CHECK_MESSAGE(mirrored.code == 0, (mirrored.err + mirrored.out));
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < 24; ++i) total += (1 + i) * i;
  write(folder, "total.csv", std::to_string(total) + "\n");
  write(folder, "sum.toml",
        "title = \"t\"\n[[buffer]]\nname = \"a\"\ntype = \"uint4\"\nimage = \"3d\"\nwidth = 4\nheight = 3\ndepth = 2\n"
        "content = \"iota\"\n[[buffer]]\nname = \"y\"\ntype = \"uint\"\ncount = 1\n"
        "[[launch]]\nsource = \"image.cl\"\nkernel = \"sum\"\nglobal = [1]\nlocal = [1]\nargs = [\"a\", \"y\"]\n"
        "[expect]\ntransform = \"values:total.csv\"\noutput = \"y\"\n");
  const Ran summed = run_program(folder, {"verify", "sum.toml", "--runtime", "opencl"});
  CHECK_MESSAGE(summed.code == 0, (summed.err + summed.out));
  write(folder, "image.cu", "extern \"C\" __global__ void sum(int *a, unsigned *y) {}\n");
  check_failure(run_program(folder, {"verify", "sum.toml", "--runtime", "host"}), 2,
                "images and samplers are OpenCL's alone");
}
