// Small things about text.
#include "base/text.h"

#include <doctest.h>

using namespace twiddle;

TEST_CASE("bytes are read from two hexadecimal digits each, and from nothing else") {
  const auto bytes = bytes_in_hex("00fF7a");
  REQUIRE(bytes);
  CHECK((*bytes == std::vector<std::byte>{std::byte{0}, std::byte{255}, std::byte{0x7a}}));
  CHECK(bytes_in_hex("")->empty());
  for (const char* wrong : {"0", "0g", "g0", " 0", "0 ", "+1", "-1", "0x", "123"}) {
    CAPTURE(std::string(wrong));
    CHECK(!bytes_in_hex(wrong));
  }
}

TEST_CASE("lower case is that of ASCII alone") { CHECK(lower_case("AbZ[`{Ä9_") == "abz[`{Ä9_"); }
