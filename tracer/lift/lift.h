// Operations from accesses alone: what an item read and wrote says which butterflies, sums, moves and scales it computed,
// whatever the kernel is called and however it is written.
#pragma once

#include "tracer/access/access.h"
#include "tracer/trace/trace.h"

#include <complex>
#include <cstdint>
#include <vector>

namespace twiddle {

/// What a group of an item's writes is, by the values it read before them.
enum class LiftedKind : std::uint8_t {
  Move,       // the values read, in any order
  Scale,      // times one factor
  Rotate,     // each times a complex factor of its own
  Butterfly,  // a discrete Fourier transform of `radix` points, with twiddles before or after it
  Sum,        // of all values read (two: a combine)
  Minimum,
  Maximum,
  Product,
  Constant,  // the same whatever was read
  Linear,    // some other sum of the values read, with known coefficients
  Atomic,
  Unknown,  // not explained
};

/// One operation of one item. Its accesses are records of the AccessLog, in the order of its points; a complex value is one
/// record of 8 bytes or several that follow one another (interleaved), or two records (split): `first component of each`.
struct LiftedOperation {
  std::uint64_t item = 0;
  int epoch = 0;
  LiftedKind kind = LiftedKind::Unknown;
  int radix = 1;                   // points read
  bool decimation_in_time = true;  // a butterfly's twiddles multiply what is read; false: what is written
  int sign = -1;                   // of a butterfly's exponent
  bool complex = false;
  std::vector<std::vector<std::uint64_t>> reads;   // [point][its records]
  std::vector<std::vector<std::uint64_t>> writes;  // [point][its records]
  std::vector<std::complex<double>>
      coefficients;  // a butterfly's twiddles (one a point, the first usually 1), a factor, or Linear's rows
  std::vector<std::uint64_t> table_reads;  // records that read the coefficients from a table
};

struct LiftOptions {
  double float_tolerance = 2e-5, double_tolerance = 1e-12;  // relative to the values read
  int max_radix = 32;
};

struct Lifted {
  std::vector<LiftedOperation> operations;                      // by item, then by their last write's record
  std::vector<std::uint64_t> unexplained_writes, unused_reads;  // records
  std::uint64_t writes = 0, explained_writes = 0;               // records, without atomics' and copies'
  double explained() const { return writes ? double(explained_writes) / double(writes) : 1; }
};

/// Lifts the accesses of one launch, or of a window of its items. Linear in the accesses; items with the same sequence of
/// sites are handled together.
Lifted lift(const AccessLog& log, const TraceInfo& info, const LiftOptions& options = {});

}  // namespace twiddle
