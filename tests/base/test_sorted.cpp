#include "base/values/sorted.h"

#include <doctest.h>

#include <utility>
#include <vector>

using namespace twiddle;

TEST_CASE("values in order, each once") {
  for (auto [values, sorted] : {std::pair<std::vector<int>, std::vector<int>>{{}, {}},
                                {{3, 1, 3, 2, 1}, {1, 2, 3}},
                                {{1, 1, 2}, {1, 2}},
                                {{5}, {5}}}) {
    std::vector<int> front = values;
    CHECK(sort_unique(std::span(front)) == sorted.size());
    sort_unique(values);
    CHECK(values == sorted);
  }
}
