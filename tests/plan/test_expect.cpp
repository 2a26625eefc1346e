// Every form of [expect], as a plan file says it, against sums written out here: what adds, orders and moves.
#include "expect_cases.h"
#include "test_support.h"

#include <doctest.h>

using namespace twiddle;
using namespace twiddle::expect_tests;

TEST_CASE("convolution: same, full, circular, in one dimension and two, exact in whole numbers") {
  const Values x = real(noise(10)), taps = real(noise(3, 2));
  const auto at = [&](std::ptrdiff_t i, bool circular) -> Complex {
    if (circular) i = (i + 10) % 10;
    return i < 0 || i >= 10 ? 0 : x[static_cast<std::size_t>(i)];
  };
  const auto result = [&](std::ptrdiff_t first, std::size_t count, bool circular) {
    Values y(count);
    for (std::size_t i = 0; i < count; ++i)
      for (std::ptrdiff_t k = 0; k < 3; ++k)
        y[i] += at(first + static_cast<std::ptrdiff_t>(i) - k, circular) * taps[static_cast<std::size_t>(k)];
    return y;
  };
  const std::string expect = "transform = \"convolution\"\ninput = \"x\"\noutput = \"y\"\ntaps = \"h\"\n";
  const std::map<std::string, Values> first{{"x", x}, {"h", taps}};
  check_case({{"x double 10", "h double 3", "y double 10"}, expect, first, {{"y", result(1, 10, false)}}});
  check_case({{"x double 10", "h double 3", "y double 12"},
              expect + "mode = \"full\"\n",
              first,
              {{"y", result(0, 12, false)}}});
  check_case({{"x double 10", "h double 3", "y double 10"},
              expect + "mode = \"circular\"\n",
              first,
              {{"y", result(0, 10, true)}}});
  check_case({{"x int 4", "h int 2", "y int 5"},
              expect + "mode = \"full\"\n",
              {{"x", {1, -2, 3, 4}}, {"h", {5, 6}}},
              {{"y", {5, -4, 3, 38, 24}}}});
  // A picture: the sum of the neighbours above and to the left.
  Values picture(12), sums(12);
  for (std::size_t i = 0; i < 12; ++i) picture[i] = static_cast<double>(i * i % 7);
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 4; ++c) {
      if (r > 0) sums[4 * r + c] += picture[4 * (r - 1) + c];
      if (c > 0) sums[4 * r + c] += picture[4 * r + c - 1];
    }
  check_case({{"x int 12 [3, 4]", "h int 9 [3, 3]", "y int 12 [3, 4]"},
              expect,
              {{"x", picture}, {"h", {0, 0, 0, 0, 0, 1, 0, 1, 0}}},
              {{"y", sums}}});
}

TEST_CASE("sums: all, prefix, segmented; whole numbers wrap as the output's type does") {
  const Values x = whole_noise(9, -100, 100);
  Values inclusive, exclusive;
  Complex sum = 0;
  for (const Complex& value : x) exclusive.push_back(sum), sum += value, inclusive.push_back(sum);
  check_case(
      {{"x int 9", "y int 1"}, "transform = \"sum\"\ninput = \"x\"\noutput = \"y\"\n", {{"x", x}}, {{"y", {sum}}}});
  check_case({{"x int 9", "y int 9"},
              "transform = \"scan\"\ninput = \"x\"\noutput = \"y\"\n",
              {{"x", x}},
              {{"y", inclusive}}});
  check_case({{"x int 9", "y int 9"},
              "transform = \"scan\"\ninput = \"x\"\noutput = \"y\"\nkind = \"exclusive\"\n",
              {{"x", x}},
              {{"y", exclusive}}});
  check_case({{"x int 9", "y int 3"},
              "transform = \"sum\"\ninput = \"x\"\noutput = \"y\"\nbatch = 3\n",
              {{"x", x}},
              {{"y", {x[0] + x[1] + x[2], x[3] + x[4] + x[5], x[6] + x[7] + x[8]}}}});
  check_case({{"x int 9", "p int 5", "y int 4"},
              "transform = \"segmented-sum\"\ninput = \"x\"\noutput = \"y\"\nsegments = \"p\"\n",
              {{"x", x}, {"p", {0, 2, 2, 3, 9}}},
              {{"y", {x[0] + x[1], 0, x[2], x[3] + x[4] + x[5] + x[6] + x[7] + x[8]}}}});
  check_case({{"x uint 2", "y uint 1"},
              "transform = \"sum\"\ninput = \"x\"\noutput = \"y\"\n",
              {{"x", {4294967295.0, 3}}},
              {{"y", {2}}}});
  // Only the first element is the sum: the rest is the kernel's.
  check_case({{"x int 9", "y int 4"},
              "transform = \"sum\"\ninput = \"x\"\noutput = \"y\"\n",
              {{"x", x}},
              {{"y", {sum, 1, 2, 3}}}},
             {0});
  const Run wrong({{"x int 9", "p int 3", "y int 2"},
                   "transform = \"segmented-sum\"\ninput = \"x\"\noutput = \"y\"\nsegments = \"p\"\n",
                   {{"x", x}, {"p", {0, 10, 9}}},
                   {{"y", {}}}});
  CHECK(sentence_of([&] { verify(wrong.plan, wrong.contents); }) ==
        "segments are ascending pointers into the 9 values of x, and p[1] is 10");
}

TEST_CASE("what only looks at values: max, arg-max, sort, transpose, histogram") {
  const Values x{3, -7, 12, 5, 12, -1};
  const std::string ends = "input = \"x\"\noutput = \"y\"\n";
  check_case({{"x int 6", "y int 1"}, "transform = \"max\"\n" + ends, {{"x", x}}, {{"y", {12}}}});
  check_case({{"x float 6", "y float 2"}, "transform = \"max\"\nbatch = 2\n" + ends, {{"x", x}}, {{"y", {12, 12}}}});
  check_case({{"x int 6", "y uint 1"}, "transform = \"arg-max\"\n" + ends, {{"x", x}}, {{"y", {2}}}});
  check_case(
      {{"x float 6", "y int 3"}, "transform = \"arg-max\"\npoints = 2\n" + ends, {{"x", x}}, {{"y", {0, 0, 0}}}});
  check_case({{"x int 6", "y int 6"}, "transform = \"sort\"\n" + ends, {{"x", x}}, {{"y", {-7, -1, 3, 5, 12, 12}}}});
  check_case({{"x float 6", "y float 6"},
              "transform = \"sort\"\npoints = 3\n" + ends,
              {{"x", x}},
              {{"y", {-7, 3, 12, -1, 5, 12}}}});
  check_case({{"x int 6 [2, 3]", "y int 6"},
              "transform = \"transpose\"\n" + ends,
              {{"x", x}},
              {{"y", {3, 5, -7, 12, 12, -1}}}});
  check_case({{"x int 6 [2, 3]", "y int 12 [3, 4]"},
              "transform = \"transpose\"\n" + ends,
              {{"x", x}},
              {{"y", {3, 5, 0, 0, -7, 12, 0, 0, 12, -1, 0, 0}}}},
             {0, 1, 4, 5, 8, 9});
  check_case({{"x int 6", "y uint 4"}, "transform = \"histogram\"\n" + ends, {{"x", x}}, {{"y", {2, 0, 0, 4}}}});
}

TEST_CASE("ntt: forward, backward, scaled, with a root of the right order") {
  const std::int64_t modulus = 97, root = 64;  // 64 has order 8 modulo 97
  const Values x = whole_noise(8, 0, 96);
  Values y(8);
  for (std::size_t k = 0; k < 8; ++k) {
    std::int64_t sum = 0;
    for (std::size_t j = 0; j < 8; ++j) {
      std::int64_t power = 1;
      for (std::size_t i = 0; i < j * k; ++i) power = power * root % modulus;
      sum = (sum + static_cast<std::int64_t>(x[j].real()) * power) % modulus;
    }
    y[k] = static_cast<double>(sum);
  }
  const std::string expect = "transform = \"ntt\"\ninput = \"x\"\noutput = \"y\"\nmodulus = 97\n";
  check_case({{"x uint 8", "y uint 8"}, expect + "root = 64\n", {{"x", x}}, {{"y", y}}});
  check_case({{"x uint 8", "y uint 8"},
              expect + "root = \"powmod(5, 96/8, 97)\"\nsign = \"backward\"\nscale = \"powmod(8, 95, 97)\"\n",
              {{"x", y}},
              {{"y", x}}});
  CHECK(contains(sentence_of([&] {
                   Run({{"x uint 8", "y uint 8"}, expect + "root = 5\n", {}, {}});
                 }),
                 "5 is no 8-th root of unity modulo 97: 64 is one"));
}

TEST_CASE("any matrix, values of a file, and another buffer of the run") {
  const PlanFolder folder;
  folder.write("m.csv", "1,2,3\n0,-1,0.5\n");
  folder.write("c.csv", "0,1, 2,0\n");
  folder.write("v.csv", "re,im\n1,-1\n2,0\n");
  const auto plan_of = [&](const std::string& buffers, const std::string& expect) {
    std::string text = "title = \"t\"\n";
    for (std::size_t at = 0; at < buffers.size();) {
      const std::size_t end = std::min(buffers.find(';', at), buffers.size());
      const std::string one = buffers.substr(at, end - at);
      const std::size_t type = one.find(' '), count = one.find(' ', type + 1);
      text += "[[buffer]]\nname = \"" + one.substr(0, type) + "\"\ntype = \"" + one.substr(type + 1, count - type - 1) +
              "\"\ncount = " + one.substr(count + 1) + "\n";
      at = end + 1;
    }
    return folder.read(text + "[expect]\n" + expect);
  };
  const auto passes = [](const Plan& plan, const Values& in, const Values& out) {
    const RunContents contents{
        [&](std::size_t b) { return bytes_of(plan.buffers[b], in); },
        [&](std::size_t b) { return bytes_of(plan.buffers[b], plan.buffers[b].name == "y" ? out : in); }};
    return verify(plan, contents).pass;
  };
  Plan plan = plan_of("x double 3;y double 2", "transform = \"matrix:m.csv\"\ninput = \"x\"\noutput = \"y\"\n");
  CHECK(passes(plan, {1, 10, 100}, {321, 40}));
  CHECK_FALSE(passes(plan, {1, 10, 100}, {321, 41}));
  CHECK(folder.read(to_toml(plan, ".cl")).expect == plan.expect);
  plan = plan_of("x double 6;y double 4", "transform = \"matrix:m.csv\"\ninput = \"x\"\noutput = \"y\"\nbatch = 2\n");
  CHECK(passes(plan, {1, 10, 100, 0, 0, 2}, {321, 40, 6, 1}));
  plan = plan_of("x double2 2;y double2 1", "transform = \"matrix:c.csv\"\ninput = \"x\"\noutput = \"y\"\n");
  CHECK(passes(plan, {{1, 2}, {3, 4}}, {{-2 + 6, 1 + 8}}));
  plan = plan_of("y double2 2", "transform = \"values:v.csv\"\noutput = \"y\"\n");
  CHECK(passes(plan, {}, {{1, -1}, 2}));
  CHECK_FALSE(passes(plan, {}, {{1, 1}, 2}));
  plan = plan_of("z float 2;y float 2", "transform = \"equals:z\"\noutput = \"y\"\n");
  CHECK(passes(plan, {5, 6}, {5, 6}));
  CHECK_FALSE(passes(plan, {5, 6}, {5, 7}));
  const auto refusal = [&](const std::string& buffers, const std::string& expect) {
    return sentence_of([&] { plan_of(buffers, expect); });
  };
  CHECK(contains(refusal("x double 4;y double 2",
                         "transform = \"matrix:m.csv\"\ninput = \"x\"\noutput = \"y\"\ninput_points = 4\n"),
                 "m.csv has 3 columns, one for each input, and x has 4 points"));
  CHECK(contains(refusal("x double 3;y double 3", "transform = \"matrix:m.csv\"\ninput = \"x\"\noutput = \"y\"\n"),
                 "verify cannot compare the 3 values of y with the 2 results of matrix"));
  CHECK(contains(refusal("y double 2", "transform = \"values:../v.csv\"\noutput = \"y\"\n"),
                 "is outside of the plan's folder"));
  CHECK(contains(refusal("y double 2", "transform = \"values\"\noutput = \"y\"\n"), "\"values\" names no file"));
  CHECK(contains(refusal("y double 2", "transform = \"equals:q\"\noutput = \"y\"\n"), "there is no buffer \"q\""));
  CHECK(contains(refusal("y double 2", "transform = \"max:q\"\ninput = \"y\"\noutput = \"y\"\n"),
                 "nothing may follow max"));
}

TEST_CASE("shapes that do not fit get a sentence with the right numbers") {
  struct Row {
    std::vector<std::string> buffers;
    std::string expect, sentence;
  };
  const std::string ends = "input = \"x\"\noutput = \"y\"\n";
  const Row rows[] = {
      {{"x float2 20", "y float2 20"},
       "transform = \"fft\"\npoints = 8\n" + ends,
       "cannot divide the 20 points of x into transforms of 8"},
      {{"x float2 16", "y float2 8"},
       "transform = \"fft\"\n" + ends,
       "fft: 1 × 16 points reach over 16 elements of y, which has 8"},
      {{"x float2 8", "y float2 16"},
       "transform = \"fft\"\n" + ends,
       "cannot compare the 16 values of y with the 8 results of fft: give it 8 elements"},
      {{"x float2 16", "y float2 16"},
       "transform = \"fft\"\npoints = 8\nbatch = 3\n" + ends,
       "fft: 3 × 8 points reach over 24 elements of x, which has 16"},
      {{"x float2 16", "y float2 16"},
       "transform = \"fft\"\npoints = 4\nbatch = 4\nstride = 4\n" + ends,
       "4 transforms whose points are 4 apart: say how far apart they begin, input_dist"},
      {{"x float 16", "y float2 8"},
       "transform = \"real-fft\"\n" + ends,
       "real-fft: 1 × 9 points reach over 9 elements of y, which has 8"},
      {{"x float 6", "y float 6"},
       "transform = \"haar\"\n" + ends,
       "a haar transform takes a power of two of points, and x has 6: the nearest are 4 and 8"},
      {{"x float 6", "h float 3", "y float 6"},
       "transform = \"convolution\"\nmode = \"full\"\ntaps = \"h\"\n" + ends,
       "convolution: 1 × 8 points reach over 8 elements of y, which has 6"},
      {{"x float 6", "h float 3", "y float 6"}, "transform = \"convolution\"\n" + ends, "expect needs taps"},
      {{"x float 6", "h float 3", "y float 6"},
       "transform = \"sort\"\ntaps = \"h\"\n" + ends,
       "taps is of convolution alone, not of sort"},
      {{"x float 6", "y float 6"}, "transform = \"transpose\"\n" + ends, "needs the shape of x"},
      {{"x float 8", "y float 8"},
       "transform = \"ntt\"\nmodulus = 17\nroot = 9\n" + ends,
       "an ntt is of whole numbers"},
      {{"x int 8", "y int 8"}, "transform = \"ntt\"\nmodulus = 17\n" + ends, "expect needs root"},
      {{"x int 4", "i float 4", "y int 4"},
       "transform = \"fft\"\ninput = [\"x\", \"i\"]\noutput = \"y\"\n",
       "x and i are to be the parts of complex numbers: both need 4 elements of one scalar type, and have 4 int and 4 "
       "float"},
      {{"x int 4", "y int 4"},
       "transform = \"fft\"\nstrid = 4\n" + ends,
       "expect has no key \"strid\"; did you mean stride?"},
      {{"x int 4", "y int 4"},
       "transform = \"convolution\"\ntaps = \"x\"\nmode = \"valid\"\n" + ends,
       "mode is same, full or circular, not \"valid\""},
      {{"x int 4", "y int 4"},
       "transform = \"fft\"\ndist = 4294967295\nbatch = 4294967295\n" + ends,
       "reach over 4294967295 elements of x, which has"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.expect);
    const std::string sentence = sentence_of([&] { Run({row.buffers, row.expect, {}, {}}); });
    CHECK_MESSAGE(contains(sentence, row.sentence), sentence);
  }
}

TEST_CASE("the reference of a linear form is a linear map of its input") {
  for (const char* expect : {"transform = \"fft\"\n", "transform = \"dct-2\"\n", "transform = \"haar\"\n",
                             "transform = \"scan\"\nscale = -3\n"}) {
    const Run run({{"x double2 8", "y double2 8"}, std::string(expect) + "input = \"x\"\noutput = \"y\"\n", {}, {}});
    const ExpectShape shape = shape_of_expectation(run.plan);
    const Values a = noise(8, 1), b = noise(8, 2);
    Values mixed(8);
    const Complex factor(0.5, -2);
    for (std::size_t i = 0; i < 8; ++i) mixed[i] = a[i] + factor * b[i];
    const auto map = [&](const Values& x) { return reference(run.plan.expect, shape, std::span<const Complex>(x)); };
    const Values of_a = map(a), of_b = map(b), of_mixed = map(mixed);
    REQUIRE(of_mixed.size() == 8);
    for (std::size_t i = 0; i < 8; ++i) CHECK(std::abs(of_mixed[i] - of_a[i] - factor * of_b[i]) < 1e-13);
  }
}
