// `twiddle bench paper` at its small sizes: what does not depend on the machine's speed.
#include "tracer/bench/bench_paper.h"

#include "collecting_sink.h"
#include "run_program.h"
#include "test_support.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>

using namespace twiddle;

TEST_CASE("the published figures are beside what was measured here, and every outcome was checked") {
  const auto runtime = any_device();
  PaperOptions options;
  options.small = true;
  options.passes = 1;
  double last = 0;
  const PaperBench bench = bench_paper(*runtime, options, [&](double fraction, const Message&) {
    CHECK(fraction >= last);
    last = fraction;
    return true;
  });
  CHECK(last == 1);
  REQUIRE(bench.tables.size() == 4);
  for (const PaperTable& table : bench.tables) {
    CAPTURE(table.id);
    CHECK(table.correct);
    CHECK_FALSE(table.remarks.empty());
    for (const PaperTable::Row& row : table.rows) CHECK(row.numbers.size() == table.columns.size());
  }

  const PaperTable& histogram = bench.tables[0];
  CHECK(histogram.reproduced);
  CHECK(histogram.number(0, "measured") == 4096);
  CHECK(histogram.number(1, "measured") == 4096);
  CHECK(histogram.number(2, "measured") == 0);

  const PaperTable& ladder = bench.tables[1];
  REQUIRE(ladder.rows.size() == 8);  // seven published rungs, and the smallest launch
  CHECK(ladder.number(0, "published_ms") == 8.05);
  CHECK(ladder.number(6, "published_ms") == 0.27);
  bool in_order = true;
  double before = INFINITY;
  for (std::size_t row : {0, 1, 2, 3, 5, 6}) {
    const double ms = ladder.number(row, "measured_ms");
    CHECK(ms > 0);
    CHECK(ladder.number(row, "measured_gb_s") == doctest::Approx(65536 * 4 / (ms * 1e6)));
    in_order = in_order && ms <= before * 1.05;
    before = ms;
  }
  CHECK(ladder.reproduced == in_order);
  CHECK(contains(ladder.remarks.front(), "has changed") == !in_order);
  CHECK(std::isnan(ladder.number(4, "measured_ms")));  // a step that no kernel takes alone

  const PaperTable& radix = bench.tables[2];
  REQUIRE(radix.rows.size() == 6);
  const double ms = radix.number(1, "measured_ms");  // 64 × 64 points by radix 4
  CHECK(radix.number(1, "measured_gflops") == doctest::Approx(4.25 * 4096 * 12 / (ms * 1e6)));
  CHECK(radix.number(1, "measured_gflops_5n") == doctest::Approx(5 * 4096 * 12 / (ms * 1e6)));
  CHECK(radix.number(2, "published_step") == doctest::Approx(1.74 / 1.15));

  const PaperTable& packing = bench.tables[3];
  CHECK(packing.number(0, "formula_percent") == doctest::Approx(100 * (0.5 - 6 / 32.0)));
  CHECK(packing.number(0, "counted_percent") == doctest::Approx(100 * (1 - (2.5 * 7 + 9) / 40)));

  const auto json = nlohmann::json::parse(paper_json(bench));
  CHECK(json["tables"][0]["rows"][0]["measured"] == 4096);
  CHECK_FALSE(json["tables"][1]["rows"][4].contains("measured_ms"));
  const std::string text = paper_text(bench);
  CHECK(contains(text, "Reproduced, count by count."));
  CHECK(contains(text, "8.05"));
  CHECK(contains(text, "77.4"));
}

TEST_CASE("a bench that is cancelled says no more than it measured") {
  const auto runtime = any_device();
  PaperOptions options;
  options.small = true;
  options.passes = 1;
  const PaperBench bench = bench_paper(*runtime, options, [](double fraction, const Message&) {
    return fraction == 0;  // the histogram, and no more
  });
  CHECK(bench.tables.size() == 1);
}

TEST_CASE("bench: an unknown name, and options of the other bench") {
  const TestFolder folder;
  check_failure(run_program(folder, {"bench", "papers"}), 2, "did you mean paper?");
  check_failure(run_program(folder, {"bench", "paper", "--n", "64"}), 2, "has no option --n");
  check_failure(run_program(folder, {"bench", "trace", "--small"}), 2, "has no option --small");
}
