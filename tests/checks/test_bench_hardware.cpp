// `twiddle bench hardware` without a GPU: a profiler's table, and a profiler of our own.
#include "base/temporary_folder.h"
#include "checked.h"
#include "test_support.h"
#include "tracer/bench/bench_hardware.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace twiddle;

namespace {

const char* const header =
    "==PROF== Connected to process 500\n"
    "\"ID\",\"Process ID\",\"Kernel Name\",\"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum\","
    "\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum\"\n"
    "\"\",\"\",\"\",\"\",\"sector\",\"sector\"\n";

// A program that leaves this table where it is told to.
std::string profiler_that_prints(const std::filesystem::path& folder, const std::string& table) {
  const std::filesystem::path program = folder / "ncu";
  std::ofstream(folder / "table") << table;
  std::ofstream(program) << "#!/bin/sh\nwhile [ \"$1\" != --log-file ]; do shift; done\ncp '"
                         << (folder / "table").string() << "' \"$2\"\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  return program.string();
}

}  // namespace

TEST_CASE("a profiler's table is read, whatever is printed around it") {
  const std::vector<CountedKernel> kernels =
      counted_kernels(std::string(header) +
                      "\"0\",\"500\",\"fft_stage(float2 *, int)\",\"0\",\"8,192\",\"4096\"\n==PROF== done\n"
                      "\"1\",\"500\",\"sum \"\"quoted\"\"\",\"n/a\",\"12.0\",\"1\"\n");
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].kernel == "fft_stage");
  CHECK(kernels[0].counted[0] == 8192);  // sectors read
  CHECK(kernels[0].counted[1] == 4096);
  CHECK(kernels[0].counted[2] == 0);
  CHECK(!kernels[0].counted[4]);  // not in the table
  CHECK(kernels[1].kernel == "sum \"quoted\"");
  CHECK(!kernels[1].counted[2]);
  CHECK(sentence_of([] { counted_kernels("==ERROR== no\n"); }) == "the profiler printed no table of counters");
}

TEST_CASE("what the log counts is beside what the profiler counted") {
  const TemporaryFolder folder;
  HardwareBenchOptions options;
  options.n = 1024;
  options.rungs = {"fft-stockham4:group-size=64"};
  options.profiler = profiler_that_prints(folder.path(), [] {
    std::string table = header;
    for (int launch = 0; launch < 5; ++launch)
      table += "\"" + std::to_string(launch) + "\",\"1\",\"stockham4\",\"0\",\"" + (launch == 4 ? "1024" : "256") +
               "\",\"300\"\n";
    return table;
  }());
  Runtime& host = *device_of("host");
  const HardwareBench bench = bench_hardware(host, options);
  REQUIRE(bench.rows.size() == 1);
  REQUIRE(bench.rows[0].launches.size() == 5);
  const std::string text = bench_text(bench);
  CAPTURE(text);
  for (std::size_t l = 0; l < 4; ++l) CHECK(bench.rows[0].launches[l].same(0));
  CHECK(!bench.rows[0].launches[0].same(1));
  CHECK(contains(text, "differs"));
  const auto json = nlohmann::json::parse(bench_json(bench));
  CHECK(json["rungs"][0]["launches"][0]["counters"][0]["counter"] == "sectors read");
  CHECK(json["rungs"][0]["launches"][0]["counters"][0]["log"] == 256);
  CHECK(json["rungs"][0]["launches"][0]["counters"][1]["gpu"] == 300);

  options.rungs = {"fft-radix2"};
  CHECK(contains(sentence_of([&] { bench_hardware(host, options); }), "the profiler counted other launches"));
  options.profiler = "/bin/false";
  CHECK(contains(sentence_of([&] { bench_hardware(host, options); }), "the profiler failed"));
  // Nothing for it to count: the profiler is not asked.
  options.rungs = {"fft-blocks:type=half"};
  CHECK(contains(sentence_of([&] { bench_hardware(host, options); }), "none of the kernels can run here: fft-blocks"));
  options.profiler.clear();
  CHECK(contains(sentence_of([&] { bench_hardware(host, options); }), "take --runtime cuda"));
}

TEST_CASE("every algorithm of the catalogue that CUDA runs is held against the counters") {
  const std::vector<std::string> rungs = hardware_rungs();
  for (const Algorithm& algorithm : algorithms())
    CHECK(std::any_of(rungs.begin(), rungs.end(),
                      [&](const std::string& rung) { return rung.substr(0, rung.find(':')) == algorithm.id; }));
  HardwareBenchOptions options;
  options.rungs = {"fft-blocks", "histogram-lanes", "dft", "fft2d:method=tiles"};
  run_for_counters(*device_of("host"), options);
  CHECK(std::find(rungs.begin(), rungs.end(), "fft2d:method=tiles") != rungs.end());
  CHECK(std::find(rungs.begin(), rungs.end(), "fft-radix2:twiddles=table") != rungs.end());
}
