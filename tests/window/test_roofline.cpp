// What a bench measured, read again and drawn: the card over the window, and the file that --picture writes.
#include "traced.h"
#include "window/press_key.h"

#include "base/error.h"
#include "base/paths.h"
#include "base/read_file.h"
#include "scene_texts.h"
#include "tracer/bench/bench_history.h"
#include "viewer/control/window_control.h"
#include "viewer/frame/window_scene.h"
#include "viewer/panels/cards/roofline.h"
#include "viewer/scene/languages.h"

#include <doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace twiddle;

namespace {

KernelBenchRow bench_row(const std::string& what, double ns, double bytes, bool library = false) {
  KernelBenchRow row;
  row.what = what, row.parameters = "type=float", row.ns = ns, row.bytes = bytes, row.library = library;
  return row;
}

/// A device that copies 100 bytes a nanosecond, and a problem of two rungs beside a library.
KernelBench small_bench() {
  KernelBench bench;
  bench.runtime = "cuda", bench.device = "GPU, the \"first\"", bench.driver = "CUDA 13.0", bench.version = "0.2.0";
  bench.created = "2026-11-24T00:00:00Z";
  KernelBenchTable table;
  table.family = "fft", table.n = 1024;
  set_problem(table);
  table.copy_bytes = table.problem_bytes, table.copy_ns = table.problem_bytes / 100;
  table.rows_measured = {bench_row("cufft", 400, 16384, true), bench_row("fft-slow", 4000, 163840),
                         bench_row("fft-quick", 163.84, 16384)};
  bench.tables.push_back(table);
  return bench;
}

std::string sentence_of_csv(const std::string& text) {
  try {
    read_bench_csv(text);
  } catch (const Error& error) { return error.message().english(); }
  return {};
}

}  // namespace

TEST_CASE("what bench kernels prints as CSV is read again, the latest of each rung and one device's alone") {
  const KernelBench bench = small_bench();
  const std::string csv = bench_csv(bench);
  const KernelBench again = read_bench_csv(csv);
  CHECK(again.device == bench.device);
  REQUIRE(again.tables.size() == 1);
  const KernelBenchTable &was = bench.tables[0], &is = again.tables[0];
  CHECK(is.operations == was.operations);
  CHECK(is.bandwidth() == doctest::Approx(was.bandwidth()).epsilon(0.01));  // times have a digit behind the point
  CHECK(is.library_ns() == 400);
  REQUIRE(is.rows_measured.size() == 3);
  CHECK(is.rows_measured[0].library);
  CHECK_FALSE(is.rows_measured[1].library);
  CHECK(is.rows_measured[2].parameters == "type=float");

  KernelBench later = bench, other = bench;
  later.tables[0].rows_measured = {bench_row("fft-slow", 3000, 163840)};
  other.device = "another";
  const auto lines = [](const KernelBench& one) {
    const std::string text = bench_csv(one);
    return text.substr(text.find('\n') + 1);
  };
  const KernelBench history = read_bench_csv(csv + lines(other) + lines(later));
  REQUIRE(history.tables.size() == 1);
  REQUIRE(history.tables[0].rows_measured.size() == 3);
  CHECK(history.tables[0].rows_measured[1].ns == 3000);

  CHECK(sentence_of_csv("1,2\n") == "this is not what twiddle bench kernels --csv prints");
  CHECK(sentence_of_csv(csv + "x\n") == "line 5 is not one of twiddle bench kernels --csv");
  std::string minus = csv;
  minus.replace(minus.find(",163840,"), 8, ",-16384,");
  CHECK(sentence_of_csv(minus) == "line 3 is not one of twiddle bench kernels --csv");
  // What has no place under a roof: a transform of one point, times and bytes of next to nothing.
  const std::string names = csv.substr(0, csv.find('\n') + 1);
  for (const char* line :
       {"t,v,cuda,D,d,fft,1,0,fft-blocks,p,10,10,16,10,", "t,v,cuda,D,d,fft,1099511627776,0,x,p,1e-300,0,16,10,",
        "t,v,cuda,D,d,sum,8,0,x,p,10,0,1e-300,10,"}) {
    CAPTURE(line);
    CHECK(sentence_of_csv(names + line + '\n') == "line 2 is not one of twiddle bench kernels --csv");
  }
  std::string many = names, long_one = names + "t,v,cuda," + std::string(300, 'D') + ",d,sum,8,0,x,p,10,0,16,10,\n";
  CHECK(sentence_of_csv(long_one) == "line 2 is not one of twiddle bench kernels --csv");
  for (int n = 1; n <= 257; ++n) many += "t,v,cuda,D,d,sum," + std::to_string(n) + ",0,x,p,10,0,16,10,\n";
  CHECK(sentence_of_csv(many) == "a history of more than 256 problems is not shown");
}

TEST_CASE("histograms of other values are other problems, as their rungs and a library's own words say") {
  KernelBench bench = small_bench();
  KernelBenchTable& table = bench.tables[0];
  table.family = "histogram", table.n = 4096;
  table.rows_measured = {bench_row("cub", 400, 4096, true),
                         bench_row("histogram-lanes:type=uchar,signal=sawtooth:16", 40, 4096),
                         bench_row("histogram-lanes", 40, 16384), bench_row("histogram-of-another-version", 41, 16384)};
  table.rows_measured[0].parameters = "3.0.1, 256 bins of uchar of sawtooth:16";
  const KernelBench again = read_bench_csv(bench_csv(bench));
  REQUIRE(again.tables.size() == 2);
  CHECK(again.tables[0].type == "uchar");
  CHECK(again.tables[0].signal == "sawtooth:16");
  CHECK(again.tables[0].rows_measured.size() == 2);
  CHECK(again.tables[0].problem_bytes == 4096);
  CHECK(again.tables[1].type == "uint");
  CHECK(again.tables[1].rows_measured.size() == 2);
  CHECK(again.tables[1].problem_bytes == 16384);
  CHECK(problem_text(again.tables[0]) != problem_text(again.tables[1]));
}

TEST_CASE("points are under the roof by what they move, each is named, and no text is cut or over another") {
  const KernelBench bench = small_bench();
  RooflineInput input{bench};
  const Scene scene = roofline_scene(input, 900, 560);
  for (const char* words :
       {"cufft", "fft-slow", "fft-quick", "100 %", "41 %", "the roof: 100 GB/s, the quickest copy"}) {
    CAPTURE(words);
    CHECK(shows(scene, words));
  }
  // At the same operations a byte the quicker one is above the slower one, and the library is hollow.
  std::vector<Point> at;
  for (const Shape2D& shape : scene.shapes)
    if (const auto* circle = std::get_if<CircleShape>(&shape.geometry); circle && circle->radius > 4)
      at.push_back(circle->centre);
  REQUIRE(at.size() == 3);
  CHECK(at[0].x == doctest::Approx(at[2].x));
  CHECK(at[2].y < at[0].y);
  CHECK(at[1].x < at[0].x);

  const KernelBench kept = read_bench_csv(read_file(resource("docs/benchmarks/h200.csv"), max_bench_csv));
  CHECK(kept.tables.size() >= 5);
  for (const Language language : {Language::English, Language::Japanese, Language::Chinese}) {
    use_language(language);
    for (std::size_t table = 0; table < kept.tables.size(); ++table) {
      CAPTURE(table);
      RooflineInput one{kept, table};
      CHECK(text_faults(roofline_scene(one, 780, 590)).empty());
    }
    RooflineInput all{kept};
    CHECK(text_faults(roofline_scene(all, 1000, roofline_height(all))).empty());
  }
  use_language(Language::English);
}

TEST_CASE("the card of measured kernels is opened by its key, shows a problem that is clicked, and Escape closes it") {
  Document document(traced("fft-radix2", 8));
  WindowControl* seen = nullptr;
  WindowActions actions;
  actions.show_roofline = [&] { seen->state().roofline = std::make_shared<const KernelBench>(small_bench()); };
  WindowControl control(document, actions);
  seen = &control;
  press_key(control, "Ctrl+Shift+B");
  REQUIRE(control.state().roofline);
  CHECK(control.state().covered());
  for (const auto& [width, height] : {std::pair(640.0f, 480.0f), {1440.0f, 900.0f}, {3840.0f, 2160.0f}}) {
    control.state().width = width, control.state().height = height;
    const Scene scene = window_scene(document, control.state());
    CHECK(shows(scene, "Measured kernels"));
    CHECK(shows(scene, "fft-quick"));
  }
  press_key(control, "Escape");
  CHECK_FALSE(control.state().roofline);
}
