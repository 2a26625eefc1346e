#include "kernels/catalogue/catalogue.h"
#include "test_support.h"

#include <doctest.h>

#include <cstring>

using namespace twiddle;

namespace {

Request request_of(std::uint64_t n) {
  Request request;
  request.algorithm = "fft-radix2";
  request.n = n;
  return request;
}

std::int32_t int_of(const Argument& argument) {
  std::int32_t value = 0;
  std::memcpy(&value, std::get<ScalarArgument>(argument).bits.data(), sizeof value);
  return value;
}

}  // namespace

TEST_CASE("the plan of fft-radix2 is the reversal, the first stage and a launch a stage") {
  const Plan plan = make_plan(request_of(8));
  REQUIRE(plan.launches.size() == 4);
  CHECK(plan.launches[0].kernel == "bit_reversal");
  CHECK(plan.launches[0].label == "bit reversal");
  CHECK(plan.launches[0].global[0] == 8);
  CHECK(plan.launches[1].kernel == "first_stage");
  CHECK(plan.launches[1].stage == 1);
  for (int stage = 2; stage <= 3; ++stage) {
    const Launch& launch = plan.launches[stage];
    CHECK(launch.kernel == "fft_stage");
    CHECK(launch.stage == stage);
    CHECK(launch.global[0] == 4);
    CHECK(int_of(launch.arguments[1]) == 1 << stage);
    CHECK(int_of(launch.arguments[2]) == -1);
  }
  CHECK(plan.expect.transform == Expect::Transform::Fft);
  CHECK(plan.expect.input == "data");
  CHECK(plan.expect.output == "F");
}

TEST_CASE("the inverse conjugates its twiddles and ends with a scale launch") {
  Request request = request_of(8);
  request.inverse = true;
  const Plan plan = make_plan(request);
  REQUIRE(plan.launches.size() == 5);
  CHECK(int_of(plan.launches[3].arguments[2]) == 1);
  CHECK(plan.launches[4].kernel == "scale");
  CHECK(plan.launches[4].label == "scale");
  CHECK(plan.launches[4].global[0] == 8);
  CHECK(plan.expect.transform == Expect::Transform::InverseFft);
  CHECK(plan.expect.sign == 1);

  request.sign = "backward";  // the inverse under the other convention turns forwards again
  CHECK(make_plan(request).expect.sign == -1);
}

TEST_CASE("the smallest sizes") {
  const Plan two = make_plan(request_of(2));
  CHECK(two.launches.size() == 2);
  CHECK(two.launches[1].global[0] == 1);
  CHECK(make_plan(request_of(4)).launches.size() == 3);
}

TEST_CASE("sizes that are not allowed name the nearest that are") {
  const auto refusal = [](std::uint64_t n) { return sentence_of([&] { make_plan(request_of(n)); }); };
  CHECK(refusal(0) == "n must be a power of two, 2 … 134217728, not 0: the smallest is 2");
  CHECK(refusal(1) == "n must be a power of two, 2 … 134217728, not 1: the smallest is 2");
  CHECK(refusal(12) == "n must be a power of two, 2 … 134217728, not 12: the nearest are 8 and 16");
  CHECK(refusal(1500) ==
        "n must be a power of two, 2 … 134217728, not 1500: the nearest are 2^10 = 1024 and 2^11 = 2048");
  CHECK(refusal(std::uint64_t(1) << 40) ==
        "n must be a power of two, 2 … 134217728, not 1099511627776: the largest is 2^27 = 134217728");
  CHECK(refusal(~std::uint64_t(0)).find("the largest is 2^27") != std::string::npos);
  CHECK(exit_code_of([] { make_plan(request_of(12)); }) == ExitCode::usage);
}

TEST_CASE("twiddles come from where they are asked from") {
  Request request = request_of(16);
  request.twiddles = "table";
  const Plan table = make_plan(request);
  REQUIRE(table.buffer_named("table") != nullptr);
  CHECK(table.buffer_named("table")->content.kind == Content::Kind::Twiddles);
  CHECK(table.launches[2].kernel == "fft_stage_table");

  request.twiddles = "native";
  CHECK(make_plan(request).launches[2].defines == std::vector<std::string>{"NATIVE"});
  request.type = "double";
  CHECK(sentence_of([&] { make_plan(request); }).find("single precision") != std::string::npos);
  request.twiddles = "tabel";
  CHECK(sentence_of([&] { make_plan(request); }) ==
        "twiddles must be one of exact, native, table, not \"tabel\"; did you mean table?");
}
