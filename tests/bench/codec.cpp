// How fast operations are encoded, written and decoded, and how many bytes they take: a radix-2 FFT made on the host.
//
//   twiddle_bench_codec [log2 N = 20]
//
// Compared with zstd -1 on the raw records (52 bytes a butterfly).

#include "tests/support/synthetic_trace.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/replay.h"

#include <fmt/format.h>
#include <zstd.h>

#include <cstdlib>
#include <ctime>

using namespace twiddle;

namespace {

// Of this process's own work: what other programs do meanwhile does not count.
struct Clock {
  using time_point = std::clock_t;
  static time_point now() { return std::clock(); }
};
double seconds_since(Clock::time_point start) { return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC; }

}  // namespace

int main(int count, char** arguments) {
  const int log2_n = count > 1 ? std::atoi(arguments[1]) : 20;
  const synthetic::Folder folder;
  synthetic::FftOptions options;
  options.n = 1u << log2_n;
  options.random = true;
  options.twiddle_error = 6e-8;

  // A run that only makes the blocks says how much of the time is theirs: the writer without blocks.
  synthetic::Fft<float> fft(options);
  const double butterflies = 0.5 * log2_n * options.n;
  double spent = 0;
  Clock::time_point last = 0;
  TraceWriter writer(folder / "bench.twd");
  synthetic::on_append = [&](bool begins) {
    if (begins)
      last = Clock::now();
    else
      spent += seconds_since(last);
  };
  fft.write(writer);
  const auto end = Clock::now();
  writer.finish();
  spent += seconds_since(end);
  fmt::print("encode and write: {:.1f} ns an operation, {:.3f} bytes a butterfly\n",
             spent * 1e9 / static_cast<double>(fft.steps()), static_cast<double>(writer.bytes_written()) / butterflies);

  auto start = Clock::now();
  const auto trace = TraceReader::open(folder / "bench.twd");
  fmt::print("open: {:.1f} ms\n", seconds_since(start) * 1e3);
  std::uint64_t content = 0, blocks = 0;
  trace->for_each_content(0, [&](std::uint64_t, std::span<const std::byte> bytes) { content += bytes.size(); });
  for (const BlockEntry& entry : trace->blocks()) blocks += trace->block_bytes(entry).size();
  fmt::print("blocks: {:.3f} bytes a butterfly, {} of them\n", static_cast<double>(blocks) / butterflies,
             trace->blocks().size());
  start = Clock::now();
  Replay replay(trace);
  replay.operation(trace->info().segments[4].first_step + 77);
  fmt::print("operation 77 of launch 5: {:.1f} ms\n", seconds_since(start) * 1e3);
  start = Clock::now();
  const Replay::Check check = replay.check();
  fmt::print("decode all: {:.1f} ns an operation ({} unexplained, {} inconsistent)\n",
             seconds_since(start) * 1e9 / static_cast<double>(fft.steps()), check.unexplained,
             check.inconsistent_reads);
}
