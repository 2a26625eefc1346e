// Hashes against the values that their authors give.
#include "base/values/hash.h"

#include <doctest.h>

using namespace twiddle;

TEST_CASE("FNV-1a is the published one") {
  CHECK(fnv_1a("") == 0xcbf29ce484222325u);
  CHECK(fnv_1a("a") == 0xaf63dc4c8601ec8cu);
  CHECK(fnv_1a("foobar") == 0x85944171f73967e8u);
  CHECK(fnv_1a("bar", fnv_1a("foo")) == fnv_1a("foobar"));
}

TEST_CASE("SplitMix64 is the published one") {  // of seed 0
  CHECK(split_mix(golden_64) == 0xe220a8397b1dcdafu);
  CHECK(split_mix(2 * golden_64) == 0x6e789e6aa1b965f4u);
  CHECK(split_mix(3 * golden_64) == 0x06c45d188009454fu);
}
