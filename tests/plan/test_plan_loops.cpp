// [parameters], expressions, loops and options of plan files.
#include "kernels/catalogue/catalogue.h"
#include "kernels/plan/plan_text.h"
#include "plan_folder.h"
#include "test_support.h"

#include <doctest.h>

#include <cmath>
#include <cstdint>

using namespace twiddle;

namespace {

const std::string head = "title = \"t\"\n";
const std::string buffers =
    "[[buffer]]\nname = \"a\"\ntype = \"float2\"\ncount = \"n\"\ncontent = \"signal\"\n"
    "[[buffer]]\nname = \"b\"\ntype = \"float2\"\ncount = \"n\"\n";
const std::string launch =
    "[[launch]]\nsource = \"k.cl\"\nkernel = \"k\"\nglobal = [\"n/2\"]\nlocal = [\"min(n/2,8)\"]\nargs = [\"a\", "
    "\"int:n>>s\"]\n";

std::string plan_with(const std::string& parameters, const std::string& loop) {
  return head + "[parameters]\n" + parameters + buffers + launch + loop;
}

std::vector<int> second_arguments(const Plan& plan) {
  std::vector<int> values;
  for (const Launch& one : plan.launches)
    values.push_back(
        static_cast<int>(component(ElementType::Int, std::get<ScalarArgument>(one.arguments[1]).bits.data(), 0)));
  return values;
}

}  // namespace

TEST_CASE("parameters are numbers and expressions of one another, and other values can be given") {
  const PlanFolder folder;
  const std::string text = plan_with("n = \"2*half\"\nhalf = 8\ns = \"log2(n)\"\n", "stage = \"s\"\n");
  const Plan plan = folder.read(text);
  CHECK(plan.buffers[0].count == 16);
  CHECK(plan.buffers[1].shape == std::vector<std::uint64_t>{16});
  REQUIRE(plan.launches.size() == 1);
  CHECK(plan.launches[0].global[0] == 8);
  CHECK(plan.launches[0].local[0] == 8);
  CHECK(plan.launches[0].stage == 4);
  CHECK(plan.parameters == std::map<std::string, std::string>{{"half", "8"}, {"n", "16"}, {"s", "4"}});
  CHECK(folder.read(text, {{"half", "32"}}).buffers[0].count == 64);
  CHECK(folder.read(text, {{"n", "4*half"}}).buffers[0].count == 32);
  CHECK(folder.read(text, {{"n", "8"}, {"s", "1"}}).launches[0].stage == 1);

  const auto refusal = [&](const std::string& parameters, const PlanParameters& given = {}) {
    const std::string sentence = sentence_of([&] { folder.read(plan_with(parameters, ""), given); });
    return sentence.substr(std::min(sentence.size(), sentence.find("plan.toml") + 9));
  };
  CHECK(refusal("n = 8\ns = 1\n", {{"m", "4"}}) == ", line 1: the plan has no parameter m; there are n, s");
  CHECK(refusal("n = 8\nspan = 1\n", {{"spam", "4"}}) ==
        ", line 1: the plan has no parameter spam; did you mean span?");
  CHECK(refusal("n = \"s\"\ns = \"n\"\n") == ", line 3: the parameter n is defined by itself");
  CHECK(refusal("n = true\n") == ", line 3: n must be a number or an expression");
  CHECK(refusal("n = \"8*m\"\n") == ", line 3: n is \"8*m\": there is no parameter m");
  CHECK(refusal("n = \"8/0\"\n") == ", line 3: n is \"8/0\": it divides by zero");
  CHECK(refusal("n = 18\ns = 0\n") == ", line 18: global size 9 is not a multiple of local size 8: the nearest is 8");
}

TEST_CASE("a request's --n and --set give parameters their values") {
  const PlanFolder folder;
  Request request;
  request.algorithm = folder.write("p.toml", plan_with("n = 16\ns = 1\ngroup_size = 4\n", "")).string();
  request.n = 64;
  set_parameter(request, "s", "2");
  set_parameter(request, "group-size", "8");
  const Plan plan = make_plan(request);
  CHECK(plan.buffers[0].count == 64);
  CHECK(plan.parameters.at("group_size") == "8");
  CHECK(second_arguments(plan) == std::vector<int>{16});
  request.rows = 3;
  CHECK(
      contains(sentence_of([&] { make_plan(request); }), "the plan has no parameter rows; there are group_size, n, s"));
}

TEST_CASE("launches repeat: ranges, steps, lists, loops in one another, groups") {
  const PlanFolder folder;
  struct Row {
    const char* loop;
    std::vector<int> arguments;  // n >> s
  };
  const Row rows[] = {
      {"for = \"s in 1..log2(n)\"\n", {8, 4, 2, 1}},
      {"for = \"s in log2(n)..1 step -1\"\n", {1, 2, 4, 8}},
      {"for = \"s in 0..4 step 2\"\n", {16, 4, 1}},
      {"for = \"s in 1,3,0\"\n", {8, 2, 16}},
      {"for = \"s in 1..2,4\"\n", {8, 4, 1}},
      {"for = \"s in 2..1\"\n", {}},
      {"for = [\"k in 1..2\", \"s in k..3\"]\n", {8, 4, 2, 4, 2}},
      {"for = \"s in 0..3\"\nif = \"s % 2 == 1\"\n", {8, 2}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.loop);
    // A plan without launches needs an outcome.
    const Plan plan =
        folder.read(plan_with("n = 16\n", row.loop) + "[expect]\ntransform = \"fft\"\ninput = \"a\"\noutput = \"a\"\n");
    CHECK(second_arguments(plan) == row.arguments);
  }
  const Plan plan = folder.read(
      head + "[parameters]\nn = 8\n" + buffers +
      "[[launch]]\nfor = \"k in 1..2\"\n"
      "[[launch.launch]]\nsource = \"k.cl\"\nkernel = \"first{k}\"\nlabel = \"pass {k}\"\nglobal = [1]\nlocal = [1]\n"
      "args = [\"k%2 ? a : b\", \"int:k\"]\n"
      "[[launch.launch]]\nfor = \"j in 1..k\"\nsource = \"k.cl\"\nkernel = \"second\"\nglobal = [1]\nlocal = [1]\n"
      "args = [\"b\", \"int:10*k+j\"]\n"
      "[[launch]]\nsource = \"k.cl\"\nkernel = \"last\"\nglobal = [1]\nlocal = [1]\nargs = [\"log2(n)%2 ? b : a\", "
      "\"int:0\"]\n");
  std::string kernels;
  for (const Launch& one : plan.launches) kernels += one.kernel + " ";
  CHECK(kernels == "first1 second first2 second second last ");
  CHECK(second_arguments(plan) == std::vector<int>{1, 11, 2, 21, 22, 0});
  CHECK(plan.launches[2].label == "pass 2");
  const auto buffer_of = [&](std::size_t l) { return std::get<BufferArgument>(plan.launches[l].arguments[0]).buffer; };
  CHECK(buffer_of(0) == 0);
  CHECK(buffer_of(2) == 1);
  CHECK(buffer_of(5) == 1);
}

TEST_CASE("loops that are wrong or too long get one sentence with the line") {
  const PlanFolder folder;
  const auto refusal = [&](const std::string& loop) {
    const std::string sentence = sentence_of([&] { folder.read(plan_with("n = 16\n", loop)); });
    return sentence.substr(std::min(sentence.size(), sentence.find("line")));
  };
  CHECK(refusal("for = \"s = 1..4\"\n") == "line 19: \"s = 1..4\" is no loop: write s in 1..log2(n), or s in 1,2,4");
  CHECK(refusal("for = \"s in 1..\"\n") == "line 19: \"\": a value is missing at the end");
  CHECK(refusal("for = \"s in 1..2..3\"\n") == "line 19: \"1..2..3\" is no range: write 1..log2(n), or n/2..1 step -1");
  CHECK(refusal("for = \"s in 1..8 step 0\"\n") == "line 19: \"1..8 step 0\" never ends: its step is 0");
  CHECK(refusal("for = \"n in 1..2\"\n") ==
        "line 19: n is a parameter or a loop's variable already: take another name");
  CHECK(refusal("for = \"s in 1..1000000000000\"\n") == "line 19: \"1..1000000000000\" has more than 1048576 values");
  CHECK(refusal("for = [\"s in 0..1\", \"k in 1..20000\"]\n") == "line 13: a plan makes at most 16384 launches");
  CHECK(refusal("") == "line 18: \"n>>s\": there is no parameter s; there are n");
  CHECK(refusal("for = 3\n") == "line 19: for must be a list, not a whole number");
  // A group holds launches and nothing else.
  CHECK(contains(
      sentence_of([&] { folder.read(head + "[[launch]]\nkernel = \"k\"\n[[launch.launch]]\nkernel = \"j\"\n"); }),
      "line 3: launch 1 has no key \"kernel\""));
}

TEST_CASE("definitions and options are the plan's and the launch's, with parameters' values") {
  const PlanFolder folder;
  const auto with = [&](const std::string& top, const std::string& own) {
    return folder.read(head + top + "[parameters]\nn = 16\n" + buffers +
                       "[[launch]]\nsource = \"k.cl\"\nkernel = \"k\"\nglobal = [1]\nlocal = [1]\n" + own);
  };
  using Words = std::vector<std::string>;
  const Plan plan =
      with("defines = [\"LEN=n\", \"REAL=float\"]\noptions = \"-cl-std=CL2.0 -DHALF=n/2\"\n",
           "defines = [\"N2=2*n\", \"PLAIN\", \"EIGHT=8\"]\noptions = [\"-cl-mad-enable\", \"-D X=n\"]\n");
  CHECK(plan.launches[0].defines == Words{"LEN=16", "REAL=float", "HALF=8", "N2=32", "PLAIN", "EIGHT=8", "X=16"});
  CHECK(plan.launches[0].options == Words{"-cl-std=CL2.0", "-cl-mad-enable"});
  CHECK(with("", "options = \"-use_fast_math --std=c++20\"\n").launches[0].options ==
        Words{"-use_fast_math", "--std=c++20"});
  for (const char* bad : {"-I/etc", "-o out", "-cl-std=$(id)", "-fplugin=x.so", "plain", "-include=x", "-Xptxas"}) {
    CAPTURE(bad);
    CHECK(contains(sentence_of([&] { with("", "options = \"" + std::string(bad) + "\"\n"); }),
                   "is no option that is passed on"));
  }
  CHECK(contains(sentence_of([&] { with("", "options = \"-cl-fats-relaxed\"\ndefines = [\"A B\"]\n"); }),
                 "\"A B\" is no definition"));
}

TEST_CASE("what was read with parameters and loops is written as numbers, and read back the same") {
  const PlanFolder folder;
  const Plan plan = folder.read(
      plan_with("n = 16\n",
                "for = \"s in 1..log2(n)\"\nstage = \"s\"\noptions = \"-cl-std=CL2.0\"\ndefines = [\"N=n\"]\n") +
      "[[buffer]]\nname = \"taps\"\ntype = \"float\"\ncount = 3\ncontent = [1, \"n/4\", 0.5]\n"
      "[[buffer]]\nname = \"own\"\ntype = \"float\"\ncount = 4\ncontent = \"signal:random:7\"\n"
      "[expect]\ntransform = \"convolution\"\ninput = \"a\"\noutput = \"b\"\ntaps = \"taps\"\nmode = \"circular\"\n"
      "scale = \"1/n\"\noutput_offset = 0\n");
  const Plan again = folder.read(to_toml(plan, ".cl"));
  CHECK(again.buffers == plan.buffers);
  CHECK(again.launches == plan.launches);
  CHECK(again.expect == plan.expect);
  CHECK(plan.expect.scale == 1.0 / 16);
  CHECK(plan.buffers[2].content.values == std::vector<double>{1, 4, 0.5});
  const std::vector<std::byte> taps = first_content(plan, plan.buffers[2]);
  CHECK(component(ElementType::Float, taps.data() + 4, 0) == 4);
  const std::vector<std::byte> own = first_content(plan, plan.buffers[3]);
  CHECK(component(ElementType::Float, own.data(), 0) != 0);
}

TEST_CASE("structs, samplers and images as text, both ways, and what is wrong in them") {
  const PlanFolder folder;
  Plan plan;
  for (const char* text :
       {"struct:int:8", "struct:char:-3,float2:0.5,-2,int:16,double:0.1", "sampler:nearest,undefined",
        "sampler:linear,repeat,normalised", "float4:1,2,3,4", "half:0.5", "uchar3:1,2,255", "long:-9223372036854775808",
        "ulong:18446744073709551615", "null"})
    CHECK(argument_text(plan, parse_argument(plan, text)) == text);
  // char at 0, float2 at 8, int at 16, double at 24.
  const auto bytes =
      bytes_of(std::get<StructArgument>(parse_argument(plan, "struct:char:-3,float2:0.5,-2,int:16,double:0.1")));
  REQUIRE(bytes.size() == 32);
  CHECK(component(ElementType::Char, bytes.data(), 0) == -3);
  CHECK(component(ElementType::Float2, bytes.data() + 8, 1) == -2);
  CHECK(component(ElementType::Int, bytes.data() + 16, 0) == 16);
  CHECK(component(ElementType::Double, bytes.data() + 24, 0) == 0.1);
  // A vector of three is as long as one of four.
  CHECK(bytes_of(std::get<StructArgument>(parse_argument(plan, "struct:float3:1,2,3,float:4"))).size() == 32);
  // Pointers take 8 bytes, aligned so, and are set where buffers are.
  plan.buffers.resize(2);
  plan.buffers[0].name = "x";
  plan.buffers[1].name = "y";
  const Argument pointing = parse_argument(plan, "struct:int:7,buffer:y,short:1,buffer:1 ? x : y,char:2");
  CHECK(argument_text(plan, pointing) == "struct:int:7,buffer:y,short:1,buffer:x,char:2");
  const auto& members = std::get<StructArgument>(pointing);
  CHECK(bytes_of(members).size() == 40);
  const std::vector<StructPointer> pointers = pointers_of(members);
  REQUIRE(pointers.size() == 2);
  CHECK(pointers[0].at == 8);
  CHECK(pointers[0].buffer == 1);
  CHECK(pointers[1].at == 24);
  CHECK(pointers[1].buffer == 0);
  CHECK(buffers_of(pointing) == std::vector<std::size_t>{1, 0});
  const auto refusal = [&](const char* text) { return sentence_of([&] { parse_argument(plan, text); }); };
  CHECK(contains(refusal("struct:int:4,buffer:z"), "there is no buffer \"z\""));
  CHECK(refusal("struct:4") == "\"4\" is no struct: write struct:int:4,float:2.5");
  CHECK(refusal("float4:1,2,3") == "\"1,2,3\" is no float4: write float4: and 4 values with commas between");
  CHECK(refusal("uchar:256") == "\"256\" is no uchar: write uchar:VALUE");
  CHECK(refusal("uchar:2*128") == "\"2*128\" is 256, which is no uchar");
  CHECK(contains(refusal("sampler:sharp"), "\"sharp\" says nothing of a sampler"));
  CHECK(contains(refusal("sampler:repeat"), "write sampler:repeat,normalised"));

  const auto image = [&](const std::string& keys) {
    return folder.read(head + "[[buffer]]\nname = \"a\"\n" + keys + "\n" + launch.substr(0, launch.find("args")) +
                           "if = 0\n[expect]\ntransform = \"sum\"\ninput = \"a\"\noutput = \"a\"\n",
                       {});
  };
  const std::string sizes = "width = 4\nheight = 3\n";
  // An argument alone may say that it is one: of the buffer's shape.
  plan.buffers = image("type = \"float\"\ncount = 12\nshape = [3, 4]\n").buffers;
  const Argument picture = parse_argument(plan, "image:a");
  CHECK(picture == Argument(BufferArgument{0, true}));
  CHECK(argument_text(plan, picture) == "image:a");
  CHECK(image_of(plan.buffers[0]) == Image{.dimensions = 2, .width = 4, .height = 3});
  plan.buffers[0].type = ElementType::Float3;
  CHECK(contains(refusal("image:a"), "images of float3 cannot be made"));
  const Plan read = image("type = \"float4\"\nimage = \"2d\"\n" + sizes);
  CHECK(read.buffers[0].count == 12);
  CHECK(read.buffers[0].shape == std::vector<std::uint64_t>{3, 4});
  CHECK(folder.read(to_toml(read, ".cl")).buffers == read.buffers);
  const auto wrong = [&](const std::string& keys) { return sentence_of([&] { image(keys); }); };
  CHECK(contains(wrong("type = \"float3\"\nimage = \"2d\"\n" + sizes), "images of float3 cannot be made"));
  CHECK(contains(wrong("type = \"float4\"\nimage = \"4d\"\n" + sizes), "an image is 1d, 2d or 3d, not \"4d\""));
  CHECK(contains(wrong("type = \"float4\"\nimage = \"2d\"\ncount = 9\n" + sizes),
                 "an image of 4 × 3 × 1 texels has 12 elements, not 9"));
  CHECK(contains(wrong("type = \"float4\"\ncount = 12\n" + sizes), "is of images alone"));
  CHECK(contains(wrong("type = \"float\"\nimage = \"2d\"\nnormalised = true\n" + sizes),
                 "only channels of 8 and 16 bits"));
}

TEST_CASE("half is IEEE binary16") {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const double value = from_half(half);
    if (!std::isnan(value)) CHECK(to_half(value) == half);
  }
  CHECK(from_half(0x3C00) == 1);
  CHECK(from_half(0x0001) == std::ldexp(1, -24));
  CHECK(from_half(0x7BFF) == 65504);
  CHECK(to_half(65519.9) == 0x7BFF);
  CHECK(to_half(65520) == 0x7C00);
  CHECK(to_half(1 + std::ldexp(1, -11)) == 0x3C00);  // halfway: to even
  CHECK(to_half(1 + 3 * std::ldexp(1, -11)) == 0x3C02);
  CHECK(std::isnan(from_half(to_half(std::nan("")))));
}
