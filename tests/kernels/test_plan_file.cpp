#include "base/paths.h"
#include "base/read_file.h"
#include "kernels/catalogue/catalogue.h"
#include "kernels/plan/plan_text.h"
#include "test_support.h"
#include "tracer/source/source.h"

#include <doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace twiddle;

namespace {

// A folder for one test's files, gone afterwards.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / "twiddle-plan-files") {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

const std::string good =
    "title = \"My FFT\"\n"
    "[[buffer]]\nname = \"x\"\ntype = \"float2\"\ncount = 8\ncontent = \"signal\"\n"
    "[[launch]]\nsource = \"mine.cl\"\nkernel = \"stage\"\nstage = 1\nglobal = [4]\nlocal = [4]\n"
    "args = [\"x\", \"int:8\", \"int:2\"]\n"
    "[expect]\ntransform = \"fft\"\ninput = \"x\"\noutput = \"x\"\n";

// The plan file above with one part put in another's place.
std::string with(const std::string& part, const std::string& other) {
  std::string text = good;
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), other);
}

}  // namespace

TEST_CASE("a plan file of the documented form is read") {
  const Folder folder;
  const Plan plan = read_plan_file(folder.write("mine.toml", good));
  CHECK(plan.title == "My FFT");
  CHECK(plan.signal == "ramp");
  CHECK(plan.directory == folder.path());
  REQUIRE(plan.buffers.size() == 1);
  CHECK(plan.buffers[0].type == ElementType::Float2);
  CHECK(plan.buffers[0].content.kind == Content::Kind::Signal);
  REQUIRE(plan.launches.size() == 1);
  const Launch& launch = plan.launches[0];
  CHECK(launch.source == "mine.cl");
  CHECK(launch.dimensions == 1);
  CHECK(launch.stage == 1);
  REQUIRE(launch.arguments.size() == 3);
  CHECK(std::get<BufferArgument>(launch.arguments[0]).buffer == 0);
  CHECK(std::get<ScalarArgument>(launch.arguments[1]) == int_argument(8));
  CHECK(plan.expect.transform == Expect::Transform::Fft);
  CHECK(plan.expect.sign == -1);
  CHECK(plan.expect.bound == 1e-5);
}

TEST_CASE("a plan may expect prefix sums, inclusive where it does not say") {
  const Folder folder;
  const auto read = [&](const std::string& transform) {
    return read_plan_file(folder.write("mine.toml", with("transform = \"fft\"", transform)));
  };
  CHECK_FALSE(read("transform = \"scan\"").expect.exclusive);
  CHECK_FALSE(read("transform = \"scan\"\nkind = \"inclusive\"").expect.exclusive);
  const Plan plan = read("transform = \"scan\"\nkind = \"exclusive\"");
  CHECK(plan.expect.transform == Expect::Transform::Scan);
  CHECK(plan.expect.exclusive);
  CHECK(read_plan_file(folder.write("again.toml", to_toml(plan, ".cl"))).expect == plan.expect);
  CHECK(contains(sentence_of([&] { read("transform = \"scan\"\nkind = \"both\""); }),
                 "a scan is inclusive or exclusive, not \"both\""));
  CHECK(contains(sentence_of([&] { read("transform = \"sum\"\nkind = \"exclusive\""); }),
                 "kind is of scan alone, not of sum"));
}

TEST_CASE("every entry of the catalogue can be written as a plan file and read back the same") {
  const Folder folder;
  for (const Algorithm& algorithm : algorithms()) {
    for (const bool inverse : {false, true}) {
      Request request;
      request.algorithm = algorithm.id;
      request.inverse = inverse;
      if (inverse && std::none_of(algorithm.parameters.begin(), algorithm.parameters.end(),
                                  [](const Parameter& p) { return p.name == "inverse"; }))
        continue;
      Plan plan = make_plan(request);
      for (const char* extension : {".cl", ".cu"}) {
        CAPTURE(algorithm.id);
        const std::string text = to_toml(plan, extension);
        CAPTURE(text);
        const Plan read = read_plan_file(folder.write("plan.toml", text));
        Plan expected = plan;
        for (Launch& launch : expected.launches) launch.source += extension;
        CHECK(read.title == expected.title);
        CHECK(read.signal == expected.signal);
        CHECK(read.buffers == expected.buffers);
        CHECK(read.launches == expected.launches);
        CHECK(read.expect == expected.expect);
        CHECK(to_toml(read, extension) == text);
        // Its kernels are found in the catalogue until the user puts others beside the file.
        CHECK_FALSE(kernel_source(read, read.launches[0], extension).text.empty());
      }
    }
  }
}

TEST_CASE("arguments and contents as text, both ways") {
  Plan plan;
  plan.buffers.resize(1);
  plan.buffers[0].name = "F";
  for (const char* text : {"F", "int:-8", "uint:4294967295", "float:0.125", "double:1e-300", "int2:-1,2",
                           "float2:0.1,-0", "double2:0.1,1e+300", "uint2:0,7", "local:64"})
    CHECK(argument_text(plan, parse_argument(plan, text)) == text);
  const auto refusal = [&](const char* text) { return sentence_of([&] { parse_argument(plan, text); }); };
  CHECK(refusal("f") == "there is no buffer \"f\"; did you mean F?");
  CHECK(refusal("int:3.5") == "\"3.5\" is no int: write int:VALUE");
  CHECK(refusal("int:2147483648") == "\"2147483648\" is no int: write int:VALUE");
  CHECK(refusal("uint:-1") == "\"-1\" is no uint: write uint:VALUE");
  CHECK(refusal("float2:1") == "\"1\" is no float2: write float2:X,Y");
  CHECK(refusal("shirt:1") == "\"shirt:1\" is no argument: write a buffer's name, TYPE:VALUE or local:BYTES");
  CHECK(refusal("local:0") == "\"local:0\" is no size of local memory: write local:BYTES");
  CHECK(refusal("local:99999999999999999999") ==
        "\"local:99999999999999999999\" is no size of local memory: write local:BYTES");

  for (const char* text : {"signal", "zero", "uninitialised", "iota", "file:data.csv", "twiddles:8",
                           "twiddles:8:backward", "radix4-twiddles:16", "radix4-twiddles:16:backward"})
    CHECK(content_text(parse_content(text)) == text);
  const auto content_refusal = [&](const char* text) { return sentence_of([&] { parse_content(text); }); };
  CHECK(content_refusal("signl") == "no content is called \"signl\"; did you mean signal?");
  CHECK(content_refusal("zero:1") == "\"zero:1\": nothing may follow zero");
  CHECK(content_refusal("file:") == "\"file:\" names no file: write file:data.csv");
  CHECK(content_refusal("twiddles") == "\"twiddles\" does not say for how many points the table is: write twiddles:8");
  CHECK(content_refusal("twiddles:8:up") == "a sign is forward or backward, not \"up\"");
}

TEST_CASE("what is wrong in a plan file gets one sentence with its line, and exit code 2") {
  const Folder folder;
  const std::string where = (folder.path() / "p.toml").string() + ", line ";
  const auto refusal = [&](const std::string& text) {
    const std::filesystem::path file = folder.write("p.toml", text);
    CHECK(exit_code_of([&] { read_plan_file(file); }) == ExitCode::usage);
    const std::string sentence = sentence_of([&] { read_plan_file(file); });
    return sentence.find(where) == 0 ? sentence.substr(where.size()) : sentence;
  };
  CHECK(refusal(with("count", "cuont")) == "5: buffer 1 has no key \"cuont\"; did you mean count?");
  CHECK(refusal(with("title", "titel")) == "1: a plan file has no key \"titel\"; did you mean title?");
  CHECK(refusal(with("count = 8", "count = \"m\"")) == "5: count is \"m\": there is no parameter m");
  CHECK(refusal(with("count = 8", "count = true")) == "5: count must be a whole number, not true or false");
  CHECK(refusal(with("count = 8", "count = -8")) == "5: count must be 0 … 4294967295, not -8");
  CHECK(refusal(with("count = 8", "count = 99999999999")) == "5: count must be 0 … 4294967295, not 99999999999");
  CHECK(refusal(with("count = 8\n", "")) == "2: buffer 1 needs count");
  CHECK(refusal(with("float2", "floot4")) == "4: \"floot4\" is no type of elements; did you mean float4?");
  CHECK(
      refusal(with("float2", "complex_number")) ==
      "4: \"complex_number\" is no type of elements; char, uchar, short, ushort, int, uint, long, ulong, half, float, "
      "double and their vectors of 2, 3, 4, 8 and 16 are");
  CHECK(refusal(with("name = \"x\"", "name = \"x y\"")) == "3: \"x y\" is no name for a buffer: letters, digits and _");
  CHECK(refusal(with("[[launch]]", "[[buffer]]\nname = \"x\"\ntype = \"int\"\ncount = 1\n[[launch]]")) ==
        "8: two buffers are called x");
  CHECK(refusal(with("content = \"signal\"", "content = \"signals\"")) ==
        "6: no content is called \"signals\"; did you mean signal?");
  CHECK(refusal(with("content = \"signal\"", "content = \"file:../secret.csv\"")) ==
        "6: ../secret.csv is outside of the plan's folder " + std::filesystem::canonical(folder.path()).string());
  CHECK(refusal(with("content = \"signal\"", "shape = [4294967295, 4294967295]")) ==
        "6: shape [4294967295, 4294967295] does not hold the 8 elements of x: write [rows, columns]");
  CHECK(refusal(with("content = \"signal\"", "content = \"radix4-twiddles:16\"")) ==
        "6: the twiddles of a radix-4 transform of 16 points are 15 elements, and x has 8");
  CHECK(refusal(with("mine.cl", "/etc/passwd.cl")).find("8: /etc/passwd.cl is outside of the plan's folder") == 0);
  CHECK(refusal(with("mine.cl", "mine.c")) ==
        "8: \"mine.c\" is no kernel source: .cl runs on opencl, .cu on cuda and host");
  CHECK(refusal(with("global = [4]", "global = [10]")) ==
        "12: global size 10 is not a multiple of local size 4: the nearest is 12");
  CHECK(refusal(with("global = [4]", "global = [4, 4]")) == "12: local has 1 sizes and global 2: they must agree");
  CHECK(refusal(with("global = [4]", "global = []")) == "11: global takes one to three sizes, not 0");
  CHECK(refusal(with("global = [4]", "global = [65536, 65536, 2]\n")).find("11: a launch has at most 4294967295") == 0);
  CHECK(refusal(with("local = [4]", "local = [0]")) == "12: local must be 1 … 4294967295, not 0");
  CHECK(refusal(with("local = [4]", "local = 4")) == "12: local must be a list, not a whole number");
  CHECK(refusal(with("[\"x\",", "[\"y\",")) == "13: there is no buffer \"y\"; did you mean x?");
  CHECK(refusal(with("\"int:8\"", "8")) == "13: args must be text, not a whole number");
  CHECK(refusal(with("stage = 1", "stage = 300")) == "10: stage must be 0 … 254, not 300");
  CHECK(refusal(with("stage = 1", "defines = [\"A=1 -I/etc\"]")) ==
        "10: \"A=1 -I/etc\" is no definition: write NAME or NAME=VALUE");
  CHECK(refusal(with("\"fft\"", "\"fht\"")) == "15: no transform is called \"fht\"; did you mean fft?");
  CHECK(
      refusal(with("\"fft\"", "\"hartley transform\"")) ==
      "15: no transform is called \"hartley transform\"; fft, inverse-fft, sum, histogram, fft2d, inverse-fft2d, scan, "
      "real-fft, dct-2, haar, convolution, segmented-sum, max, arg-max, sort, transpose, ntt, matrix, values, equals "
      "can "
      "be expected");
  CHECK(refusal(with("output = \"x\"", "output = \"z\"")) == "17: there is no buffer \"z\"; did you mean x?");
  CHECK(refusal("title = \"empty\"\n") == (folder.path() / "p.toml").string() + ": a plan needs a [[launch]]");
  CHECK(refusal("title = [").find("1: ") == 0);
  CHECK(refusal("launch = 3\n") == "1: write [[launch]], once for each");
  CHECK(refusal(with("title = \"My FFT\"", "signal = \"rmap\"")) ==
        "1: no signal is called \"rmap\"; did you mean ramp?");
  CHECK(sentence_of([&] { read_plan_file(folder.path() / "none.toml"); }) ==
        "there is no file " + (folder.path() / "none.toml").string());
}

TEST_CASE("a request may name a plan file; its kernels are beside it") {
  const Folder folder;
  Request request;
  request.algorithm = folder.write("mine.toml", good).string();
  request.signal = "constant:2";
  const Plan plan = make_plan(request);
  CHECK(plan.algorithm == request.algorithm);
  CHECK(plan.signal == "constant:2");
  CHECK(sentence_of([&] { kernel_source(plan, plan.launches[0], ".cl"); }) ==
        "there is no kernel source " + (folder.path() / "mine.cl").string());
  folder.write("mine.cl", "kernel void stage() {}");
  CHECK(kernel_source(plan, plan.launches[0], ".cl").text == "kernel void stage() {}");
  CHECK(kernel_source(plan, plan.launches[0], ".cl").directory == folder.path());
  CHECK(sentence_of([&] { kernel_source(plan, plan.launches[0], ".cu"); }) ==
        "mine.cl is OpenCL C: run it with --runtime opencl, or put mine.cu in CUDA C++ beside it");
  request.n = 16;
  CHECK(contains(sentence_of([&] { make_plan(request); }), "the plan has no parameter n: write it under [parameters]"));
}

TEST_CASE("the example of docs/your-own-kernel.md is a plan that can be traced") {
  const std::string page = read_file(resource("docs/your-own-kernel.md"), 1 << 20);
  const auto block = [&](const std::string& language) {
    const std::string fence = "```" + language + "\n";
    const std::size_t begin = page.find(fence) + fence.size();
    return page.substr(begin, page.find("```", begin) - begin);
  };
  const Folder folder;
  folder.write("double_it.cl", block("c"));
  const Plan plan = read_plan_file(folder.write("double_it.toml", block("toml")));
  CHECK(plan.title == "Twice as much");
  const KernelSource source = kernel_source(plan, plan.launches.at(0), ".cl");
  const KernelSignature kernel = kernel_signature(source.text, plan.launches[0].kernel);
  CHECK(kernel.parameters == std::vector<std::string>{"x", "n"});
  CHECK(kernel.takes_trace);
  CHECK(find_sites(source.text, 0).size() == 1);
}

TEST_CASE("a buffer's content may come from a file beside the plan") {
  const Folder folder;
  folder.write("data.csv", "5\n6\n");
  const Plan plan = read_plan_file(folder.write("p.toml", with("content = \"signal\"", "content = \"file:data.csv\"")));
  Message note;
  const std::vector<std::byte> bytes = first_content(plan, plan.buffers[0], &note);
  CHECK(component(ElementType::Float2, bytes.data() + 8, 0) == 6);
  CHECK(contains(note, "padded with 6 zeros"));
}
