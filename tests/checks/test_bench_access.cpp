#include "tracer/bench/bench_access.h"

#include "collecting_sink.h"
#include "test_support.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>

using namespace twiddle;

TEST_CASE("the benchmark of accesses counts what kernels do, and its figures belong together") {
  const auto runtime = any_device();
  double last = 0;
  const AccessBench bench = bench_access(*runtime, {256, 1}, [&](double fraction, const Message&) {
    CHECK(fraction >= last);
    last = fraction;
    return true;
  });
  CHECK(last == 1);
  REQUIRE(!bench.rows.empty());
  for (const AccessBenchRow& row : bench.rows) {
    CAPTURE(row.algorithm);
    CHECK(row.n <= 256);
    CHECK(row.plain_ns > 0);
    CHECK(row.logged_ns > 0);
    CHECK(row.wall_ns > 0);
    CHECK(row.encode_ns > 0);
    CHECK(row.lift_ns > 0);
    CHECK(row.file_bytes > 0);
    CHECK(row.explained > 0.9);
    CHECK(row.explained <= 1);
  }
  const AccessBenchRow& fft = bench.rows.front();
  CHECK(fft.algorithm == "fft-radix2");
  // 128 butterflies in each of 8 stages, of two loads and two stores; swaps of the bit reversal, whose 16 palindromes stay.
  CHECK(fft.records == 8 * 128 * 4 + (256 - 16) / 2 * 4);
  const auto json = nlohmann::json::parse(bench_json(bench));
  CHECK(json["algorithms"].size() == bench.rows.size());
  CHECK(json["algorithms"][0]["accesses"] == fft.records);
  CHECK(contains(bench_text(bench), "fft-radix2"));
}

TEST_CASE("the benchmark of accesses stops when asked") {
  const auto runtime = any_device();
  CHECK(contains(sentence_of([&] {
                   bench_access(*runtime, {64, 1}, [](double, const Message&) { return false; });
                 }),
                 "stopped"));
}
