#include "kernels/signal/signal.h"

#include "test_support.h"

#include <doctest.h>

#include <cmath>
#include <set>

using namespace twiddle;

TEST_CASE("named signals") {
  const auto samples = [](const char* text, std::uint64_t count) {
    return make_image(parse_signal(text), 1, count).values;
  };
  using Values = std::vector<std::complex<double>>;
  CHECK(samples("ramp", 4) == Values{0, 1, 2, 3});
  CHECK(samples("impulse", 3) == Values{1, 0, 0});
  CHECK(samples("impulse:2", 3) == Values{0, 0, 1});
  CHECK(samples("constant", 2) == Values{1, 1});
  CHECK(samples("constant:-2.5", 2) == Values{-2.5, -2.5});
  CHECK(samples("cosine:1", 4) == Values{1, 0, -1, 0});
  CHECK(samples("sine:1", 4) == Values{0, 1, 0, -1});
  CHECK(samples("square:4", 6) == Values{1, 1, -1, -1, 1, 1});
  CHECK(samples("square:3", 6) == Values{1, 1, -1, 1, 1, -1});
  CHECK(samples("sawtooth:3", 5) == Values{0, 1, 2, 0, 1});
  CHECK(samples("ramp", 0).empty());
  const Values cosine = samples("cosine:3", 10);
  for (std::size_t j = 0; j < 10; ++j)
    CHECK(cosine[j].real() == doctest::Approx(std::cos(2 * std::acos(-1.0) * 3 * static_cast<double>(j) / 10)));
}

TEST_CASE("random samples are multiples of 2^-24 in [-0.5, 0.5), different for every seed, the same everywhere") {
  const auto first = make_image(parse_signal("random:1"), 1, 20000).values;
  const auto second = make_image(parse_signal("random:2"), 1, 20000).values;
  std::complex<double> sum = 0;
  double squares = 0;
  for (const auto& value : first) {
    for (double part : {value.real(), value.imag()}) {
      REQUIRE(part >= -0.5);
      REQUIRE(part < 0.5);
      REQUIRE(std::ldexp(part, 24) == std::floor(std::ldexp(part, 24)));
    }
    sum += value;
    squares += std::norm(value);
  }
  CHECK(std::abs(sum) / 20000 < 0.01);
  CHECK(squares / 20000 == doctest::Approx(2.0 / 12).epsilon(0.02));  // the variance of both parts together
  CHECK(first[0] != second[0]);
  // Asking for fewer gives the same beginning.
  CHECK(make_image(parse_signal("random:1"), 1, 3).values[2] == first[2]);
  // Fixed for ever: traces name their signal and are compared across machines.
  CHECK(std::ldexp(first[0].real() + 0.5, 24) == 14476323);
}

TEST_CASE("a signal that does not exist, or whose number makes no sense, gives one sentence") {
  const auto refusal = [](const char* text) { return sentence_of([&] { parse_signal(text); }); };
  CHECK(refusal("rmap") == "no signal is called \"rmap\"; did you mean ramp?");
  CHECK(refusal("") == "no signal is called \"\"; `twiddle list signals` shows all");
  CHECK(refusal("ramp:3") == "ramp takes nothing after a colon, but \"3\" is there");
  CHECK(refusal("cosine:x") == "cosine takes a number, not \"x\"");
  CHECK(refusal("cosine:") == "cosine takes a number, not \"\"");
  CHECK(refusal("constant:nan") == "constant takes a number, not \"nan\"");
  CHECK(refusal("constant:1e300") == "constant takes a number, not \"1e300\"");
  CHECK(refusal("square:0") == "square takes a whole number from 1 on, not \"0\"");
  CHECK(refusal("impulse:-1") == "impulse takes a whole number from 0 on, not \"-1\"");
  CHECK(refusal("random:1.5") == "random takes a seed from 0 on, not \"1.5\"");
  CHECK(sentence_of([] { make_image(parse_signal("impulse:8"), 1, 8); }) ==
        "impulse:8 is outside of 8 samples: take 0 … 7");
  CHECK(exit_code_of([] { parse_signal("rmap"); }) == ExitCode::usage);
}
