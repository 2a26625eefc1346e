#include "kernels/plan/expression.h"

#include "test_support.h"

#include <doctest.h>

#include <cmath>
#include <limits>

using namespace twiddle;

namespace {

const ExpressionNames names{{"n", std::int64_t(16)}, {"s", std::int64_t(3)}, {"half", 0.5}, {"zero", std::int64_t(0)}};

}  // namespace

TEST_CASE("expressions in whole numbers are C's") {
  struct Row {
    const char* text;
    std::int64_t value;
  };
  // The right-hand sides are C++'s own.
  constexpr std::int64_t n = 16, s = 3;
  const Row rows[] = {
      {"n/2", n / 2},
      {"n/(2*s)", n / (2 * s)},
      {"1<<s", 1 << s},
      {"1<<(s-1)", 1 << (s - 1)},
      {"n>>s", n >> s},
      {"2*n+1", 2 * n + 1},
      {" 2 + 3 * 4 - 5 ", 2 + 3 * 4 - 5},
      {"-n % 5", -n % 5},
      {"-7/2", -7 / 2},
      {"10-4-3", 10 - 4 - 3},
      {"100/10/2", 100 / 10 / 2},
      {"1 + 1 << 2", (1 + 1) << 2},
      {"5 & 3 == 3", 5 & (3 == 3)},
      {"6 | 1 & 3", 6 | (1 & 3)},
      {"~n & 0xff", ~n & 0xff},
      {"!n + !zero", 1},
      {"n > s && s >= 3 || zero", 1},
      {"n % 2 ? 7 : s < 2 ? 8 : 9", 9},
      {"+-+-n", n},
      {"((((n))))", n},
      {"log2(n)", 4},
      {"log2(1)", 0},
      {"log2(n-1)", 3},
      {"log4(n)", 2},
      {"pow2(s)", 8},
      {"pow(3,4)", 81},
      {"pow(-2,3)", -8},
      {"pow(7,0)", 1},
      {"min(n, s) + max(n, s)", 19},
      {"abs(s-n)", 13},
      {"nextpow2(n)", 16},
      {"nextpow2(n+1)", 32},
      {"ceildiv(n, s)", 6},
      {"roundup(n, 5)", 20},
      {"gcd(12, 18)", 6},
      {"xor(5, 3)", 6},
      {"bitrev(1, 4)", 8},
      {"bitrev(6, 3)", 3},
      {"powmod(3, 96, 97)", 1},
      {"powmod(5, 3, 7)", 6},
      {"isqrt(99)", 9},
      {"isqrt(100)", 10},
      {"9223372036854775807", std::numeric_limits<std::int64_t>::max()},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(whole_value(row.text, names) == row.value);
  }
}

TEST_CASE("expressions in double precision keep fractions") {
  const double pi = std::acos(-1.0);
  CHECK(real_value("1/n", names) == 1.0 / 16);
  CHECK(real_value("-2*pi/n", names) == -2 * pi / 16);
  CHECK(real_value("half*3", names) == 1.5);
  CHECK(real_value("1.5e-3", names) == 1.5e-3);
  CHECK(real_value("sqrt(n)", names) == 4);
  CHECK(real_value("sin(pi/2)", names) == 1);
  CHECK(real_value("cos(0) + exp(0)", names) == 2);
  CHECK(real_value("pow(2,half)", names) == std::sqrt(2.0));
  CHECK(real_value("1<<s", names) == 8);
  CHECK(real_value("log2(n) + 7 % 4", names) == 7);
}

TEST_CASE("what is wrong in an expression gets one sentence and exit code 2") {
  struct Row {
    std::string text, sentence;
  };
  const Row rows[] = {
      {"n/zero", "\"n/zero\": it divides by zero"},
      {"n%(s-3)", "\"n%(s-3)\": it divides by zero"},
      {"m/2", "\"m/2\": there is no parameter m; there are half, n, s, zero"},
      {"lgo2(n)", "\"lgo2(n)\": there is no function lgo2; did you mean log2?"},
      {"half+1", "\"half+1\": half is 0.5, which is no whole number"},
      {"1.5*n", "\"1.5*n\": 1.5 is no whole number"},
      {"sqrt(n)", "\"sqrt(n)\": sqrt gives fractions, and a whole number is needed"},
      {"2^s", "\"2^s\": ^ could be a power or an exclusive or: write pow(a,b) or xor(a,b)"},
      {"n n", "\"n n\": \"n\" is not expected there"},
      {"(n", "\"(n\": a ) is missing"},
      {"n*", "\"n*\": a value is missing at the end"},
      {"", "\"\": a value is missing at the end"},
      {"*n", "\"*n\": \"*n\" is no value"},
      {"n ? 1", "\"n ? 1\": after ? and a value comes :"},
      {"log2(zero)", "\"log2(zero)\": log2 takes numbers from 1 on, not 0"},
      {"log2(n,s)", "\"log2(n,s)\": log2(a) takes 1 values, not 2"},
      {"min(n)", "\"min(n)\": min(a,b) takes 2 values, not 1"},
      {"1<<64", "\"1<<64\": a shift goes by 0 … 62 bits, not by 64"},
      {"1<<-1", "\"1<<-1\": a shift goes by 0 … 62 bits, not by -1"},
      {"n<<60", "\"n<<60\": its value is beyond 64 bits"},
      {"9223372036854775807+1", "\"9223372036854775807+1\": its value is beyond 64 bits"},
      {"9223372036854775808", "\"9223372036854775808\": 9223372036854775808 is beyond 64 bits"},
      {"pow(10,19)", "\"pow(10,19)\": its value is beyond 64 bits"},
      {"(-9223372036854775807-1)/-1", "\"(-9223372036854775807-1)/-1\": its value is beyond 64 bits"},
      {"powmod(2,3,0)", "\"powmod(2,3,0)\": powmod takes numbers from 1 on, not 0"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(sentence_of([&] { whole_value(row.text, names); }) == row.sentence);
    CHECK(exit_code_of([&] { whole_value(row.text, names); }) == ExitCode::usage);
  }
  CHECK(sentence_of([&] {
          whole_value("sz", {{"size", std::int64_t(1)}, {"s", std::int64_t(1)}});
        }) == "\"sz\": there is no parameter sz; did you mean s?");
  CHECK(contains(sentence_of([&] { real_value("sqrt(-1)", names); }), "sqrt takes numbers from 0 on, not -1"));
  CHECK(contains(sentence_of([&] { real_value("half % 2", names); }), "0.5 is no whole number"));
}

TEST_CASE("expressions of any length and depth end") {
  CHECK(exit_code_of([&] { whole_value(std::string(5000, '1'), names); }) == ExitCode::usage);
  CHECK(contains(sentence_of([&] { whole_value(std::string(500, '(') + "1" + std::string(400, ')'), names); }),
                 "it is nested too deeply"));
  CHECK(contains(sentence_of([&] { whole_value(std::string(900, '-') + "1", names); }), "it is nested too deeply"));
  // A power as large as it gets stops at 64 bits.
  CHECK(contains(sentence_of([&] { whole_value("pow(3,9223372036854775807)", names); }), "beyond 64 bits"));
  CHECK(whole_value("pow(1,9223372036854775807)", names) == 1);
}

TEST_CASE("texts are cut outside of parentheses, and filled with values") {
  CHECK(split_outside("a, min(b,c) ,d", ",") == std::vector<std::string_view>{"a", "min(b,c)", "d"});
  CHECK(split_outside("1..log2(n)", "..") == std::vector<std::string_view>{"1", "log2(n)"});
  CHECK(filled_text("pass {s} of {log2(n)}", names) == "pass 3 of 4");
  CHECK(filled_text("no places }", names) == "no places }");
  CHECK(exit_code_of([&] { filled_text("{m}", names); }) == ExitCode::usage);
}
