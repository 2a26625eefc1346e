// `twiddle bench trace`: what tracing costs, measured in one process on one device: on the device, in the file, and beside
// the two things that one would otherwise do, printf in the kernel and raw records under `zstd -1`.
#pragma once

#include "tracer/run/tracer.h"
#include "tracer/runtime/runtime.h"

#include <cstdint>
#include <string>

namespace twiddle {

struct TraceBenchOptions {
  std::uint64_t n = std::uint64_t(1) << 20;         // points of the FFT
  std::uint64_t printf_n = std::uint64_t(1) << 13;  // points of the run with printf; 0: leave it out
  std::uint64_t group_size = 256;
  int passes = 5;    // of every kernel; the quickest counts
  bool file = true;  // write a trace file (in the temporary folder) and measure it
};

struct TraceBench {
  std::string runtime, device, driver;
  std::uint64_t n = 0;
  std::uint64_t butterflies = 0;  // of all stages together

  /// Device time of all launches that do butterflies, quickest of the passes, in nanoseconds.
  double untraced_ns = 0;
  struct Level {
    double kernel_ns = 0;
    double device_bytes = 0;  // a butterfly, as logged on the device
    double ratio = 0;         // traced against untraced
    double aim = 0;           // memory bound: 1 + bytes / 32, for a butterfly reads 16 bytes and writes 16
  };
  Level index, values;

  std::uint64_t operations = 0;  // in the file: butterflies, swaps
  double file_bytes = 0;         // an operation; 0: no file was written
  double encode_ns = 0;          // encoding and writing, host time of all
  double raw_bytes = 0;          // an operation's record
  double zstd_ns = 0;            // `zstd -1` over the same records
  double zstd_bytes = 0;         // an operation

  std::uint64_t printf_n = 0;                              // 0: not measured
  std::uint64_t printf_butterflies = 0, printf_lines = 0;  // asked for, and what came out
  double printf_ns = 0;                                    // from launch to the last line, host time
  double printf_untraced_ns = 0;  // of the same kernels without printf, at that size, on the device

  /// Device time of traced (values) against untraced; host time of printf against its untraced.
  double printf_ratio() const { return printf_untraced_ns > 0 ? printf_ns / printf_untraced_ns : 0; }
};

/// Throws Error: no_device when the device fails or has not the memory.
TraceBench bench_trace(Runtime& runtime, const TraceBenchOptions& options, const Progress& progress = {});

std::string bench_text(const TraceBench& bench);
std::string bench_json(const TraceBench& bench);

}  // namespace twiddle
