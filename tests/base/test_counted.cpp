#include "base/counted.h"

#include "base/tr.h"

#include <doctest.h>

using namespace twiddle;

TEST_CASE("counts have their digits in groups, and their noun") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(1234567, "'") == "1'234'567");
  CHECK(count_text(5973) == "5\u2009973");
  CHECK(counted(1, "launch was", "launches were") == "1 launch was");
  CHECK(counted(0, "launch", "launches") == "0 launches");
  CHECK(counted(1234, "launch", "launches") == "1,234 launches");
  CHECK(plural(1, "{} step", "{} steps") == "1 step");
  CHECK(plural(2000, "{} step", "{} steps") == "2\u2009000 steps");
}
