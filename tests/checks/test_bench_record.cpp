#include "tracer/bench/bench_record.h"

#include "base/paths.h"
#include "runtimes/opencl_device.h"
#include "test_support.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

using namespace twiddle;

TEST_CASE("the benchmark of recording counts a program's accesses, and finds its results the same") {
  const auto program = program_file().parent_path() / "twiddle";
  if (!opencl() || !std::filesystem::exists(program) ||
      !std::filesystem::exists(program.parent_path() / "libtwiddle-opencl-layer.so")) {
    MESSAGE("nothing can be recorded here");
    return;
  }
  RecordBenchOptions options;
  options.n = 64, options.transforms = {"16", "4x8"}, options.passes = 1, options.program = program.string();
  std::size_t seen = 0;
  const RecordBench bench = bench_record(options, [&](double, const Message&) { return ++seen, true; });
  REQUIRE(bench.rows.size() == 7);
  CHECK(seen == bench.rows.size() + 1);
  for (const RecordBenchRow& row : bench.rows) {
    CAPTURE(row.program);
    const bool transform = row.program.starts_with("clfft");
    if (transform && !row.trouble.empty()) {  // clFFT is not everywhere
      CHECK_MESSAGE(contains(row.trouble, "clFFT"), row.trouble);
      continue;
    }
    CHECK_MESSAGE(row.trouble.empty(), row.trouble);
    CHECK(row.same);
    CHECK(row.plain.launches_ns > 0);
    CHECK(row.recorded.wall_ns > row.recorded.launches_ns);
    CHECK(row.file_bytes > 0);
    CHECK(row.explained == 1);
    CHECK((row.oclgrind.launches_ns > 0) == (row.no_oclgrind.empty()));
  }
  // 32 butterflies in each of 6 stages, of two loads and two stores; swaps of the bit reversal, but for 8 palindromes. Twice.
  CHECK(bench.rows[0].program == "fft-radix2:64");
  CHECK(bench.rows[0].accesses == 2 * (6 * 32 * 4 + (64 - 8) / 2 * 4));
  const auto json = nlohmann::json::parse(bench_json(bench));
  REQUIRE(json["programs"].size() == bench.rows.size());
  CHECK(json["programs"][0]["same"] == true);
  CHECK(contains(bench_text(bench), "fft-radix2:64"));
}

TEST_CASE("a program to be measured that there is not is one sentence") {
  for (const char* name : {"fft-radix2", "clfft:", "clfft:12x", "fft-radix2:8x8", "nothing:8", "clfft:99999999999"})
    CHECK_MESSAGE(!sentence_of([&] { run_benched_program(name, 0); }).empty(), name);
}
