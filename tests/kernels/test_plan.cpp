#include "kernels/plan/plan.h"

#include "kernels/signal/signal.h"
#include "test_support.h"

#include <doctest.h>

#include <cmath>
#include <cstring>

using namespace twiddle;

namespace {

Buffer buffer_of(ElementType type, std::uint64_t count, Content content) {
  Buffer buffer;
  buffer.name = "b";
  buffer.type = type;
  buffer.count = count;
  buffer.shape = {count};
  buffer.content = std::move(content);
  return buffer;
}

double component_at(const std::vector<std::byte>& bytes, ElementType type, std::size_t index, int which = 0) {
  return component(type, bytes.data() + index * traits(type).bytes, which);
}

}  // namespace

TEST_CASE("element types go by their OpenCL names") {
  for (int i = 0; i < element_type_count; ++i) {
    const ElementType type = static_cast<ElementType>(i);
    CHECK(element_type_named(traits(type).name) == type);
    const ElementTraits& make = traits(type);
    const std::size_t each = make.bytes / static_cast<std::size_t>(make.components == 3 ? 4 : make.components);
    CHECK(each == traits(make.scalar).bytes);
    CHECK(make.wide == (each == 8));
    CHECK(make.floating == traits(make.scalar).floating);
    CHECK(std::string(make.name) ==
          std::string(traits(make.scalar).name) + (make.components > 1 ? std::to_string(make.components) : ""));
    std::byte element[128] = {};
    for (int which = 0; which < traits(type).components; ++which) set_component(type, element, which, 7 + which);
    for (int which = 0; which < traits(type).components; ++which) CHECK(component(type, element, which) == 7 + which);
  }
  CHECK_FALSE(element_type_named("float5"));
  CHECK_FALSE(element_type_named(""));
}

TEST_CASE("buffers start with the content that their plan names") {
  Plan plan;
  plan.signal = "ramp";
  const auto content = [&](ElementType type, std::uint64_t count, Content what) {
    return first_content(plan, buffer_of(type, count, std::move(what)));
  };

  SUBCASE("signal, into complex, real and integer elements") {
    for (ElementType type : {ElementType::Float2, ElementType::Double, ElementType::Int, ElementType::UInt2}) {
      const auto bytes = content(type, 5, {.kind = Content::Kind::Signal});
      for (std::size_t j = 0; j < 5; ++j) CHECK(component_at(bytes, type, j) == static_cast<double>(j));
    }
  }
  SUBCASE("random whole numbers are 0 … 255") {
    plan.signal = "random:3";
    const auto bytes = content(ElementType::UInt, 4096, {.kind = Content::Kind::Signal});
    double low = 1e9, high = -1, sum = 0;
    for (std::size_t j = 0; j < 4096; ++j) {
      const double value = component_at(bytes, ElementType::UInt, j);
      low = std::min(low, value), high = std::max(high, value), sum += value;
    }
    CHECK(low == 0);
    CHECK(high == 255);
    CHECK(sum / 4096 == doctest::Approx(127.5).epsilon(0.05));
  }
  SUBCASE("whole numbers that the type cannot hold are refused") {
    plan.signal = "constant:3e9";
    CHECK(sentence_of([&] { content(ElementType::Int, 2, {.kind = Content::Kind::Signal}); }) ==
          "element 0 of buffer b would be 3000000000, which no int can hold: choose another signal or type");
    plan.signal = "constant:-1";
    CHECK(exit_code_of([&] { content(ElementType::UInt, 2, {.kind = Content::Kind::Signal}); }) == ExitCode::usage);
  }
  SUBCASE("zero, iota, uninitialised") {
    CHECK(content(ElementType::Double2, 3, {}) == std::vector<std::byte>(48));
    CHECK(component_at(content(ElementType::Int, 9, {.kind = Content::Kind::Iota}), ElementType::Int, 8) == 8);
    const auto bytes = content(ElementType::Float2, 2, {.kind = Content::Kind::Uninitialised});
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + 12, 4);
    CHECK(word == uninitialised_pattern);
    CHECK(std::isnan(component_at(bytes, ElementType::Float2, 1, 1)));
  }
  SUBCASE("twiddles: quarter turns are exact, the sign is the exponent's") {
    const auto bytes = content(ElementType::Double2, 8, {.kind = Content::Kind::Twiddles, .points = 8, .sign = -1});
    const double half = std::sqrt(0.5);
    const double expected[8][2] = {{1, 0},  {half, -half}, {0, -1}, {-half, -half},
                                   {-1, 0}, {-half, half}, {0, 1},  {half, half}};
    for (std::size_t k = 0; k < 8; ++k) {
      CAPTURE(k);
      CHECK(component_at(bytes, ElementType::Double2, k, 0) == doctest::Approx(expected[k][0]).epsilon(1e-15));
      CHECK(component_at(bytes, ElementType::Double2, k, 1) == doctest::Approx(expected[k][1]).epsilon(1e-15));
      if (k % 2 == 0) CHECK(std::abs(component_at(bytes, ElementType::Double2, k, 0)) == std::abs(expected[k][0]));
    }
  }
  SUBCASE("the long table of radix 4: rows (L*-1)/3 + j") {
    const auto bytes =
        content(ElementType::Double2, 15, {.kind = Content::Kind::TwiddlesRadix4, .points = 16, .sign = -1});
    // L = 16, L* = 4, j = 2: row (4−1)/3 + 2 = 3 holds w_16^2, w_16^4, w_16^6.
    for (int power = 1; power <= 3; ++power) {
      const double angle = -2 * std::acos(-1.0) * 2 * power / 16;
      CHECK(component_at(bytes, ElementType::Double2, 9 + static_cast<std::size_t>(power) - 1, 0) ==
            doctest::Approx(std::cos(angle)));
      CHECK(component_at(bytes, ElementType::Double2, 9 + static_cast<std::size_t>(power) - 1, 1) ==
            doctest::Approx(std::sin(angle)));
    }
  }
}
