// `twiddle bench record`: what it costs a program to be recorded, beside itself and beside Oclgrind, which interprets kernels and
// logs nothing. Every program is a process of its own, run plain, under `twiddle record` and under `oclgrind`.
#pragma once

#include "tracer/run/tracer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace twiddle {

struct RecordBenchOptions {
  std::uint64_t n = 4096;  // points or numbers of the catalogue's programs
  std::vector<std::string> transforms = {"1024", "4096", "65536", "256x256"};  // clFFT's
  int passes = 3;        // times each process runs, with Oclgrind once; the quickest counts
  int device = 0;        // OpenCL's
  double seconds = 300;  // that a process may take
  std::string program;   // this program's file
};

/// How long a process took, and its launches within it.
struct ProgramTime {
  double wall_ns = 0;      // from its start to its end; 0: not measured
  double launches_ns = 0;  // all launches once, behind a first pass that builds them; host time until they have ended
};

struct RecordBenchRow {
  std::string program;  // "fft-radix2:4096", "clfft:256x256"
  std::string trouble;  // why there are no numbers
  ProgramTime plain, recorded, oclgrind;
  std::string no_oclgrind;     // why that has none
  bool unoptimised = false;    // Oclgrind took it only with -cl-opt-disable
  std::uint64_t accesses = 0;  // in the trace, of both passes
  double file_bytes = 0;       // of the whole trace
  double explained = 0;        // of the writes, 0 … 1
  bool same = false;           // recorded, it left the same bits
  double wall_ratio() const { return plain.wall_ns > 0 ? recorded.wall_ns / plain.wall_ns : 0; }
  double launch_ratio() const { return plain.launches_ns > 0 ? recorded.launches_ns / plain.launches_ns : 0; }
  double oclgrind_ratio() const { return plain.launches_ns > 0 ? oclgrind.launches_ns / plain.launches_ns : 0; }
  double bytes_per_access() const { return accesses > 0 ? file_bytes / double(accesses) : 0; }
};

struct RecordBench {
  std::string device, driver, oclgrind;  // oclgrind: its version; empty: it is not installed
  std::vector<RecordBenchRow> rows;
};

/// Throws Error (no_device) where there is no OpenCL device.
RecordBench bench_record(const RecordBenchOptions& options, const Progress& progress = {});

std::string bench_text(const RecordBench& bench);
std::string bench_json(const RecordBench& bench);

/// What such a process does: runs a program (as RecordBenchRow names it) twice, and returns a line of JSON with its time and a
/// number that its results make. Throws Error: usage for a program that there is not, no_device.
std::string run_benched_program(const std::string& program, int device);

}  // namespace twiddle
