// What a memory access costs a sub-group, against what a GPU's counters said of the same access.
#include "tracer/cost/sub_group_cost.h"

#include <doctest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace twiddle;

namespace {

std::vector<std::uint64_t> listed(const auto& list) { return {list.begin(), list.end()}; }

}  // namespace

TEST_CASE("passes and sectors are those that an H200 counted") {
  std::ifstream file(TWIDDLE_TEST_DATA "/h200_sub_group.txt");
  REQUIRE(file);
  int patterns = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    CAPTURE(line);
    std::istringstream in(line);
    struct Measured {
      int load_passes = 0, store_passes = 0;
      std::string sectors;
    } measured[3];
    for (Measured& one : measured) in >> one.load_passes >> one.store_passes >> one.sectors;
    SubGroupAccess access;
    for (std::uint64_t lane = 0; lane < sub_group_size; ++lane) {
      std::string element;
      REQUIRE(static_cast<bool>(in >> element));
      if (element != "-") access.add(lane, std::stoull(element));
    }
    std::uint64_t bytes = 4;
    for (const Measured& one : measured) {
      CAPTURE(bytes);
      CHECK(bank_cost(access, bytes, false).passes() == one.load_passes);
      CHECK(bank_cost(access, bytes, true).passes() == one.store_passes);
      if (one.sectors != "-") CHECK(sector_cost({&access, 1}, bytes).sectors.size() == std::stoi(one.sectors));
      bytes *= 2;
    }
    ++patterns;
  }
  CHECK(patterns == 56);
}

TEST_CASE("a request's degree is that of its worst bank, and each request is counted for itself") {
  SubGroupAccess access;
  for (std::uint64_t lane = 0; lane < 32; ++lane) access.add(lane, lane < 16 ? lane * 16 : lane);
  const BankCost cost = bank_cost(access, 8, true);  // 16 lanes in one pair of banks, then 16 neighbours
  REQUIRE(cost.requests.size() == 2);
  CHECK(cost.requests[0].lanes == 16);
  CHECK(cost.requests[0].degree == 16);
  CHECK(cost.requests[1].element == 16);
  CHECK(cost.requests[1].degree == 1);
  CHECK(cost.passes() == 17);
  CHECK(cost.min_passes() == 2);
  CHECK(cost.degree() == 16);
}

TEST_CASE("elements smaller than a word meet in its bank and are served with it") {
  struct Case {
    std::uint64_t bytes, apart;  // from lane to lane, in elements
    int passes;
  };
  for (const Case& c : {Case{1, 1, 1}, {1, 4, 1}, {1, 8, 2}, {1, 128, 32}, {2, 1, 1}, {2, 4, 2}, {2, 64, 32}}) {
    CAPTURE(c.bytes);
    CAPTURE(c.apart);
    for (const bool write : {false, true}) {
      SubGroupAccess access;
      for (std::uint64_t lane = 0; lane < 32; ++lane) access.add(lane, lane * c.apart);
      const BankCost cost = bank_cost(access, c.bytes, write);
      CHECK(cost.min_passes() == 1);
      CHECK(cost.passes() == c.passes);
      CHECK(cost.pass[31] == c.passes - 1);
    }
  }
}

TEST_CASE("accesses that are served together fetch a sector once") {
  SubGroupAccess a, b;
  a.add(0, 9), a.add(3, 1);
  b.add(0, 1), b.add(1, 0);
  const SectorCost cost = sector_cost(std::vector{a, b}, 8);
  CHECK(listed(cost.elements) == std::vector<std::uint64_t>{0, 1, 9});
  CHECK(listed(cost.sectors) == std::vector<std::uint64_t>{0, 2});
  CHECK(cost.bytes == 24);
  CHECK(cost.fetched() == 64);
}

TEST_CASE("who meets at an element takes turns") {
  SubGroupAccess access;
  CHECK(contention(access).turns == 0);
  for (const std::uint64_t lane : {1, 5, 6, 30}) access.add(lane, lane < 6 ? 7 : lane);
  CHECK(contention(access).turns == 2);
  CHECK(contention(access).element == 7);
}
