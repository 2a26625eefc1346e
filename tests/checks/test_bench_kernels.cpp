// `twiddle bench kernels` at small sizes: what does not depend on the machine's speed.
#include "checked.h"
#include "test_support.h"
#include "tracer/bench/bench_kernels.h"
#include "tracer/bench/bench_reference.h"
#include "viewer/panels/cards/roofline.h"
#include "viewer/render/render.h"
#include "viewer/scene/theme.h"

#include <doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

using namespace twiddle;

namespace {

KernelBench measured(KernelBenchOptions options) {
  options.samples = 1;
  options.seconds = 0.01;
  return bench_kernels(*device_of("host"), options);
}

}  // namespace

TEST_CASE("every rung is measured with what it moves, and compared with the reference") {
  KernelBenchOptions options;
  options.n = 256;
  options.rungs = {"fft-stockham4", "fft-registers:method=scattered", "fft-blocks", "fft-two-pass:twiddles=products",
                   "reduce-last-block:type=float"};
  const KernelBench bench = measured(options);
  REQUIRE(bench.tables.size() == 2);
  const KernelBenchTable &transforms = bench.tables[0], &sums = bench.tables[1];
  CHECK(transforms.family == "fft");
  CHECK(sums.family == "sum");
  CHECK(transforms.copy_ns > 0);
  REQUIRE(transforms.rows_measured.size() == 4);
  const struct {
    int launches;
    double passes;
  } wanted[] = {{4, 4}, {2, 2}, {1, 1}, {2, 2}};
  for (std::size_t r = 0; r < 4; ++r) {
    const KernelBenchRow& row = transforms.rows_measured[r];
    CAPTURE(row.what);
    CAPTURE(row.trouble);
    CHECK(row.trouble.empty());
    CHECK(row.ns > 0);
    CHECK(row.launches == wanted[r].launches);
    CHECK(row.bytes == wanted[r].passes * 16 * 256);  // each pass reads and writes each point
    CHECK(row.logged_bytes == row.bytes);             // and the log shows the same
    CHECK(row.right);
    CHECK(row.error >= 0);
    CHECK(row.error < 2e-7);
  }
  REQUIRE(sums.rows_measured.size() == 1);
  CHECK(sums.rows_measured[0].right);
}

TEST_CASE("what cannot be measured says why, in its own row") {
  KernelBenchOptions options;
  options.n = 100;
  options.rungs = {"fft-blocks", "reduce-vector"};
  const KernelBench bench = measured(options);
  REQUIRE(bench.tables.size() == 2);
  CHECK(bench.tables[0].rows_measured[0].trouble.find("n must be a power of two") != std::string::npos);
  CHECK(bench.tables[1].rows_measured[0].trouble.empty());
  CHECK(bench_text(bench).find("n must be a power of two") != std::string::npos);

  const auto sentence = [](const std::string& rung) {
    KernelBenchOptions wrong;
    wrong.rungs = {rung};
    return sentence_of([&] { measured(wrong); });
  };
  CHECK(sentence("fft-block") == "no algorithm is called \"fft-block\"; did you mean fft-blocks?");
  CHECK(sentence("fft-blocks:256") == "a rung is ALGORITHM:NAME=VALUE,NAME=VALUE, and 'fft-blocks:256' is none");
  CHECK(sentence("scan-blelloch").find("not scan-blelloch") != std::string::npos);
}

TEST_CASE("a library that is not there, or crashes, takes its own row alone") {
  KernelBenchOptions options;
  options.n = 64;
  options.rungs = {"fft-blocks"};
  options.program = "/bin/false";
  const KernelBench bench = measured(options);
  const std::vector<KernelBenchRow>& rows = bench.tables[0].rows_measured;
  REQUIRE(rows.size() >= 3);
  CHECK(rows.front().library);
  CHECK(rows.front().ns == 0);
  CHECK(std::isnan(bench.tables[0].library_ns()));
  CHECK(std::any_of(rows.begin(), rows.end(), [](const KernelBenchRow& row) { return !row.library && row.ns > 0; }));
  CHECK(sentence_of([] { time_library("mkl", {}); }) ==
        "there is no library 'mkl' to measure; there are cufft, cub, vkfft, clfft and fftw");
}

TEST_CASE("every way of getting twiddles is a rung of its own, and the outcome is text for people and for scripts") {
  KernelBenchOptions options;
  options.n = 64;
  options.rungs = {"fft-blocks"};
  options.twiddles = true;
  const KernelBench bench = measured(options);
  const std::vector<KernelBenchRow>& rows = bench.tables[0].rows_measured;
  REQUIRE(rows.size() == 4);
  CHECK(rows[1].what == "fft-blocks:twiddles=products");
  CHECK(rows[1].parameters.find("twiddles=products") != std::string::npos);

  const auto json = nlohmann::json::parse(bench_json(bench));
  CHECK(json["tables"][0]["measured"].size() == 4);
  CHECK(json["tables"][0]["measured"][0]["launches"] == 1);
  const std::string csv = bench_csv(bench);
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 5);
  CHECK(csv.starts_with("created,version,runtime,device,driver,family,n,rows,what,"));
  const std::string picture = to_svg(roofline_scene({bench}, 1000, 560), theme(ThemeName::Light));
  CHECK(picture.find("fft-blocks:twiddles=native") != std::string::npos);
}

TEST_CASE("ways of getting twiddles are held against the bound of exact ones") {
  KernelBenchOptions options;
  options.n = 4096;
  options.rungs = {"fft-blocks"};
  options.twiddles = true;
  KernelBench bench = measured(options);
  KernelBenchTable& table = bench.tables[0];
  REQUIRE(table.rows_measured.size() == 4);
  double bound = 0;
  for (const KernelBenchRow& row : table.rows_measured) {
    CAPTURE(row.what);
    if (row.what.ends_with("exact")) bound = row.bound;
    CHECK(row.bound == bound);  // whatever verify allows of its own
    CHECK(row.right == (row.error <= bound));
  }
  CHECK(bound > 2e-7);
  CHECK(bound < 3e-7);
  // The host's native functions are good ones.
  table.rows_measured[2].error = 2 * bound;
  table.rows_measured[2].right = false;
  const std::string text = bench_text(bench);
  CHECK(contains(text, fmt::format("{:.2e} FAILS", 2 * bound)));
  CHECK(contains(text, fmt::format("FAILS: a relative error of more than {:.2e}", bound)));
  CHECK(nlohmann::json::parse(bench_json(bench))["tables"][0]["measured"][0]["bound"] == bound);
}

TEST_CASE("histograms of other values are other problems, beside the library's time for those values") {
  KernelBenchOptions options;
  options.n = 3000;
  options.rungs = {"histogram-lanes", "histogram-vector:type=uchar,signal=constant:77", "histogram-lanes:type=uchar",
                   "histogram-lanes:type=uchar,signal=constant:77"};
  const KernelBench bench = measured(options);
  REQUIRE(bench.tables.size() == 3);
  std::size_t rows = 0;
  for (const KernelBenchTable& table : bench.tables) {
    rows += table.rows_measured.size();
    CHECK(table.copy_bytes >= 2 * (table.type == "uchar" ? 3000 - 16 : 12000 - 16));
    for (const KernelBenchRow& row : table.rows_measured) {
      CAPTURE(row.what);
      CAPTURE(row.trouble);
      CHECK(row.error == 0);
      CHECK(row.right);
      CHECK(row.bytes == (table.type == "uchar" ? 3000 : 12000) + 1024);
    }
  }
  CHECK(rows == 4);
  CHECK(contains(bench_text(bench), "Histogram of 3000 bytes: constant:77"));
  CHECK(nlohmann::json::parse(bench_json(bench))["tables"][0]["type"].is_string());
}

TEST_CASE("outcomes beyond what verify is for are compared with the same reference, kept for the rungs that follow") {
  BenchReference reference;
  const auto verdict = [&](const char* algorithm, const std::map<std::string, std::string>& more, bool spoilt) {
    Request request;
    request.algorithm = algorithm;
    request.signal = "random:4";
    for (const auto& [name, value] : more) set_parameter(request, name, value);
    const Plan plan = make_plan(request);
    std::vector<std::byte> first, last;
    const auto of = [&](const std::string& name) {
      return static_cast<std::size_t>(plan.buffer_named(name) - plan.buffers.data());
    };
    first = first_content(plan, plan.buffers[of(plan.expect.input)]);
    last = run_plan(plan, *device_of("host")).buffers[of(plan.expect.output)];
    if (spoilt) last[6] ^= std::byte{0x30};
    const std::optional<Verdict> mine = reference.verify(plan, first, last);
    REQUIRE(mine);
    const Verdict wanted = verify(plan, first, last);
    CHECK(mine->pass == wanted.pass);
    CHECK(mine->pass == !spoilt);
    if (!spoilt) CHECK(std::abs(mine->relative_l2 - wanted.relative_l2) <= 1e-3 * wanted.relative_l2);
  };
  for (const bool spoilt : {false, true}) {
    verdict("fft-blocks", {{"n", "1024"}}, spoilt);
    verdict("fft-two-pass", {{"n", "1024"}}, spoilt);  // the same spectrum
    verdict("fft-blocks", {{"n", "1024"}, {"type", "double"}}, spoilt);
    verdict("fft-batch", {{"n", "64"}, {"rows", "5"}}, spoilt);
    verdict("fft2d", {{"rows", "16"}, {"cols", "32"}, {"method", "tiles"}}, spoilt);
    verdict("histogram-lanes", {{"n", "1000"}, {"type", "uchar"}}, spoilt);
  }
  // Sums are verify's alone.
  Request sum;
  sum.algorithm = "reduce-vector";
  const Plan plan = make_plan(sum);
  CHECK(!reference.verify(plan, {}, {}));
  CHECK(memory_of_machine() > 1e8);
}

TEST_CASE("buffers in turn are more than a cache holds and less than a quarter of the memory; samples fit the time") {
  constexpr std::uint64_t mega = std::uint64_t(1) << 20, giga = mega << 10;
  CHECK(pairs_for(256 * mega, 140 * giga) == 12);
  CHECK(pairs_for(16 * mega, 140 * giga) == 24);
  CHECK(pairs_for(4 * giga, 140 * giga) == 1);
  CHECK(pairs_for(256 * mega, 2 * giga) == 2);
  CHECK(sampling_for(1e4, 11, 3).calls == 50);
  CHECK(sampling_for(1e4, 11, 3).samples == 11);
  CHECK(sampling_for(1e9, 11, 3).samples == 3);
  CHECK(median_of({5, 1, 3}) == 3);
  CHECK(library_times(library_json({{"fftw", "3", "one thread", 5, 2}}))[0].warm_ns == 2);
  CHECK(library_times(library_json({{"fftw", "3\xff", "one thread", 5, 2}}))[0].warm_ns ==
        2);  // as a library calls itself
}
