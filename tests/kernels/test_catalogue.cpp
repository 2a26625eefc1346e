#include "base/did_you_mean.h"
#include "kernels/catalogue/catalogue.h"

#include "base/error.h"
#include "test_support.h"

#include <doctest.h>

#include <set>

using namespace twiddle;

TEST_CASE("every entry of the catalogue is filled in and builds with its defaults") {
  std::set<std::string> ids;
  for (const Algorithm& algorithm : algorithms()) {
    CAPTURE(algorithm.id);
    CHECK(ids.insert(algorithm.id).second);
    for (const std::string* text : {&algorithm.title, &algorithm.origin, &algorithm.about, &algorithm.sizes,
                                    &algorithm.operations, &algorithm.launches, &algorithm.accuracy})
      CHECK_FALSE(text->empty());
    CHECK_FALSE(algorithm.parameters.empty());

    Request request;
    request.algorithm = algorithm.id;
    const Plan plan = make_plan(request);
    CHECK(plan.algorithm == algorithm.id);
    CHECK_FALSE(plan.title.empty());
    CHECK(plan.expect.transform != Expect::Transform::None);
    CHECK(plan.buffer_named(plan.expect.input) != nullptr);
    CHECK(plan.buffer_named(plan.expect.output) != nullptr);
    for (const Launch& launch : plan.launches) {
      CHECK((launch.stage > 0 || !launch.label.empty()));
      for (std::size_t d = 0; d < 3; ++d) CHECK(launch.global[d] % launch.local[d] == 0);
      for (const char* extension : {".cl", ".cu"}) {
        const KernelSource source = kernel_source(plan, launch, extension);
        CHECK(source.text.find(" " + launch.kernel + "(") != std::string::npos);
      }
    }
  }
}

TEST_CASE("an unknown algorithm names the nearest") {
  CHECK(sentence_of([] { find_algorithm("fft-radix"); }) ==
        "no algorithm is called \"fft-radix\"; did you mean fft-radix2?");
  CHECK(sentence_of([] { find_algorithm("qqq"); }) ==
        "no algorithm is called \"qqq\"; `twiddle list algorithms` shows all");
  CHECK(sentence_of([] { find_algorithm(""); }) == "no algorithm is called \"\"; `twiddle list algorithms` shows all");
}

TEST_CASE("nearest corrects one typing error, and finds nothing for noise") {
  const std::vector<std::string> words{"ramp", "random", "impulse"};
  CHECK(nearest("rnadom", words) == "random");
  CHECK(nearest("impuls", words) == "impulse");
  CHECK(nearest("xyzzy", words).empty());
}

TEST_CASE("an option that an algorithm does not have is refused") {
  Request request;
  request.algorithm = "fft-radix2";
  request.method = "fused";
  CHECK(sentence_of([&] { make_plan(request); }).find("fft-radix2 has no option --method; it takes --n, --inverse") ==
        0);
}
