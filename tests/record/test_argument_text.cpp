// Arguments of recorded launches are what a plan file says of the same bits.
#include "tracer/record/argument_text.h"

#include <doctest.h>

#include <cstring>
#include <string>
#include <vector>

using namespace twiddle;

namespace {

template <typename... Numbers>
std::vector<std::byte> bytes_of_all(Numbers... numbers) {
  std::vector<std::byte> bytes;
  for (const auto number : {numbers...}) {
    const auto* at = reinterpret_cast<const std::byte*>(&number);
    bytes.insert(bytes.end(), at, at + sizeof number);
  }
  return bytes;
}

}  // namespace

TEST_CASE("an argument is written so that it can be read back the same") {
  CHECK(recorded_text(ElementType::Int, "int", bytes_of_all(-8)) == "int:-8");
  CHECK(recorded_text(ElementType::Float, "float", bytes_of_all(0.1f)) == "float:0.1");  // not as a double
  CHECK(recorded_text(ElementType::Double, "double", bytes_of_all(0.1)) == "double:0.1");
  CHECK(recorded_text(ElementType::Float2, "float2", bytes_of_all(1.0f, -2.5f)) == "float2:1,-2.5");
  // More digits than a double has.
  CHECK(recorded_text(ElementType::Long, "long", bytes_of_all((std::int64_t(1) << 62) + 1)) ==
        "long:4611686018427387905");
  CHECK(recorded_text(ElementType::ULong, "ulong", bytes_of_all(~std::uint64_t(0))) == "ulong:18446744073709551615");
}

TEST_CASE("what is no number of a plan is written byte by byte") {
  CHECK(recorded_text(std::nullopt, "Params", bytes_of_all(std::uint16_t(0x0400), std::uint16_t(0x4120))) ==
        "Params:0x00042041");
  CHECK(recorded_text(ElementType::Int, "int", bytes_of_all(std::uint8_t(7))) == "int:0x07");
  CHECK(recorded_text(std::nullopt, "", bytes_of_all(std::uint8_t(7))) == "bytes:0x07");
}
