// `twiddle bench`: what things cost here and now, measured.
#include "base/error.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/sentence.h"
#include "cli/verbs.h"
#include "tracer/bench_trace.h"

#include <CLI/CLI.hpp>

#include <limits>

namespace twiddle::cli {
namespace {

struct Options : RunOptions {
  std::string name;
  bool json = false;
  TraceBenchOptions bench;
};

int bench(const Options& options) {
  static const std::vector<std::string> benches = {"trace"};
  if (options.name != "trace")
    throw usage_error(
        "there is no bench '{}'{}", options.name,
        nearest(options.name, benches).empty() ? "; there is trace" : did_you_mean(options.name, benches));
  const std::unique_ptr<Runtime> runtime = open_runtime(options.runtime, options.device);
  InterruptGuard guard;
  ProgressBar bar;
  const TraceBench result = bench_trace(*runtime, options.bench, [&](double fraction, const std::string& what) {
    bar.show(fraction, what);
    return !InterruptGuard::asked();
  });
  bar.clear();
  if (InterruptGuard::asked()) throw Interrupted("interrupted before everything was measured");
  std::string text = options.json ? bench_json(result) : bench_text(result);
  if (!text.ends_with('\n')) text += '\n';
  print(text);
  return 0;
}

}  // namespace

void add_bench(Program& program) {
  const auto options = std::make_shared<Options>();
  CLI::App& verb =
      program.verb("bench", "Measure what tracing costs on a device",
                   "trace: an FFT without a log, with one at both levels of detail, the bytes a butterfly on the "
                   "device and in the file, and the same run with printf in the kernel.",
                   [options] { return bench(*options); });
  program.complete(add_text(verb, "NAME", "", "what to measure: trace", options->name)->required(),
                   {{"trace"}, false, {}});
  add_switch(verb, "--json", "as JSON", options->json);
  TraceBenchOptions& bench = options->bench;
  constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
  add_whole(verb, "--n", "N", "points of the FFT (1048576)", 2, any, [&](std::uint64_t n) { bench.n = n; });
  add_whole(verb, "--printf-n", "N", "points of the run with printf (8192; 0 leaves it out)", 0, any,
            [&](std::uint64_t n) { bench.printf_n = n; });
  add_whole(verb, "--group-size", "G", "work-items in a work-group (256)", 1, any,
            [&](std::uint64_t size) { bench.group_size = size; });
  add_whole(verb, "--passes", "P", "times that every kernel runs; the quickest counts (5)", 1, 1000,
            [&](std::uint64_t passes) { bench.passes = static_cast<int>(passes); });
  add_runtime_options(program, verb, *options);
  program.example(verb, "twiddle bench trace --n 16777216 --runtime opencl", "What tracing 2^24 points costs on a GPU");
}

}  // namespace twiddle::cli
