// `twiddle bench kernels`: what every rung of a ladder takes, beside the libraries and beside a copy of the same bytes.
#pragma once

#include "tracer/bench/bench_library.h"
#include "tracer/run/tracer.h"
#include "tracer/runtime/runtime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace twiddle {

struct KernelBenchOptions {
  std::uint64_t n = std::uint64_t(1) << 20;
  std::uint64_t rows = 0;             // of a batch of transforms or of a plane; 0: one transform, a square plane
  std::vector<std::string> rungs;     // "fft-registers", "fft-registers:method=scattered,group-size=128"; empty: all
  std::vector<std::string> families;  // "fft", "fft2d", "sum", "histogram"; empty: all that the rungs are of
  bool twiddles = false;              // every way of getting twiddles, of the transforms that have several
  int samples = 11;                   // of which the median counts
  double seconds = 3;                 // a rung at most, as far as a sample ends by then
  std::string program;                // this program's file, to measure libraries in a child process; empty: none
};

struct KernelBenchRow {
  std::string what;        // the rung as it was asked for, or the library
  std::string parameters;  // of the plan: "group-size=256 method=rows"
  bool library = false;
  std::string trouble;      // why there are no numbers
  std::string note;         // what was measured in place of what was asked for
  int launches = 0;         // of a rung
  double ns = 0;            // median, through buffers beyond the cache
  double warm_ns = 0;       // the same over one pair of buffers; 0: they are larger than a cache
  double bytes = 0;         // that its launches have to move: each buffer that they read or write once
  double logged_bytes = 0;  // that a log of a smaller run shows, scaled to this size; 0: not traced
  double logged_n = 0;      // the size of that run
  double error = -1;        // relative L2 against the reference; −1: not compared
  double bound = 0;         // that it is held against: verify's, or with `twiddles` that of exact ones
  bool right = true;        // within that bound, where it was compared
};

/// One problem: transforms of n points, one of n × rows points (fft2d), a sum or a histogram of n numbers. Histograms of other
/// values are problems of their own, for their time depends on them.
struct KernelBenchTable {
  std::string family;  // "fft", "sum", "histogram"
  std::uint64_t n = 0, rows = 0;
  std::string type, signal;  // of a histogram's values: "uchar", "sawtooth:16"
  double copy_ns = 0;        // to copy the problem's bytes on the device once, median, through buffers beyond the cache
  double copy_warm_ns = 0;   // 0: not warm
  double copy_bytes = 0;     // read and written by that copy
  double problem_bytes = 0;  // input and output, each once
  double operations = 0;     // 5 N log2 N; additions; counts
  bool twiddles = false;     // rungs are held against the bound of exact twiddles, with any of their own
  std::vector<KernelBenchRow> rows_measured;

  /// The first library's time before the rungs; NaN where there is none.
  double library_ns() const;
  /// Bytes a nanosecond of the copy.
  double bandwidth() const { return copy_ns > 0 ? copy_bytes / copy_ns : 0; }
};

struct KernelBench {
  std::string runtime, device, driver, version, created;
  std::vector<KernelBenchTable> tables;
};

/// Measures all. A rung that does not fit the device or the size gets a sentence in its row. Throws Error: usage for a rung
/// that there is not, no_device when the device fails.
KernelBench bench_kernels(Runtime& runtime, const KernelBenchOptions& options, const Progress& progress = {});

std::string bench_text(const KernelBench& bench);
std::string bench_json(const KernelBench& bench);
/// A line a rung, with a line of names above: for a history by device and version.
std::string bench_csv(const KernelBench& bench);

}  // namespace twiddle
