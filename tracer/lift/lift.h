// Operations from accesses alone: what an item read and wrote says which butterflies, sums, moves and scales it computed,
// no matter what the kernel is called and how it is written.
#pragma once

#include "tracer/access/access.h"
#include "tracer/trace/trace.h"

#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace twiddle {

/// What a group of an item's writes is, by the values that the item held before them.
enum class LiftedKind : std::uint8_t {
  Move,       // one value, as it was read; or a complex one of two real ones
  Scale,      // times one real factor, the same for all items
  Rotate,     // times a complex factor of the item's own, all of one modulus
  Butterfly,  // a discrete Fourier transform of `radix` points, with twiddles before or after it
  Pack,  // out0, out1 = G ± w·H of G = (a + conj b)/2, H = (a − conj b)/2i: transforms of real points. Or out0 and
         // conj out1, `mirrored`; or of two real signals at once G or H alone
  Sum,   // of all values read (two: a combine); what is written may be an atomic addition's store: they were added
  Minimum,
  Maximum,
  Product,
  Constant,  // the same for all that was read
  Linear,    // some other sum of the values read, with known coefficients
  Atomic,    // the old value read, the new one written
};
std::string_view name_of(LiftedKind kind);  // "butterfly", …

/// What a value is: whole numbers are exact (modulo 2^(8·bytes)), the others floating.
enum class Number : std::uint8_t { Complex, Real, Whole };

/// One value that was read or written: a record of the AccessLog, or, of a complex value, perhaps two: its real part first.
/// Some records hold more than the value (an access of 8 bytes to two floats): `byte` is where in a record it begins.
struct LiftedPoint {
  std::array<std::uint64_t, 2> record{};
  std::array<std::uint8_t, 2> byte{};
  std::uint8_t records = 1;  // 0: it was never stored: the item held it in registers between two operations
  bool complex = false;      // two components
  bool conjugated = false;   // the operation took its conjugate
};

/// One operation of one item. Its points and coefficients are in Lifted. A point read may be a record that wrote: a value that
/// the item still held in a register.
struct LiftedOperation {
  std::uint64_t item = 0;  // of the launch
  int epoch = 0;           // of its last write
  LiftedKind kind = LiftedKind::Move;
  Number number = Number::Real;
  std::uint8_t component_bytes = 4;
  bool decimation_in_time = true;  // a butterfly's twiddles multiply what is read; false: what is written
  bool mirrored = false;           // of a Pack
  int sign = -1;                   // of a butterfly's exponent
  double scale = 1;                // of a butterfly or a Pack: all outputs are that much larger
  std::complex<double> offset;     // of a Linear: what is added to the sum
  std::uint32_t reads = 0, writes = 0, coefficients = 0, table_reads = 0;
  std::size_t first_point = 0;  // reads, then writes
  std::size_t first_coefficient = 0;
  std::size_t first_table_read = 0;

  int radix() const { return static_cast<int>(reads); }
  bool partial() const { return kind == LiftedKind::Butterfly && writes < reads; }  // other outputs were not stored
};

struct LiftOptions {
  double float_tolerance = 2e-5, double_tolerance = 1e-12;  // relative to the values read
  int max_radix = 32;
  std::uint64_t group_items = 0;  // of a work-group, whose local memory is its own; 0: all are of one
};

struct Lifted {
  std::vector<LiftedOperation> operations;  // by item, then by their last write's record
  std::vector<LiftedPoint> points;
  /// A butterfly's twiddles, one a point; of one without twiddles, some of whose outputs were not stored, rows as Linear's; a
  /// factor; Linear's rows, one a write; an atomic's difference of new and old. NaN where the values do not tell (a twiddle of a
  /// zero).
  std::vector<std::complex<double>> coefficients;
  std::vector<std::uint64_t> table_reads;                       // records that read coefficients from a table
  std::vector<std::uint64_t> unexplained_writes, unused_reads;  // records, ascending
  std::vector<LiftedOperation> loose;              // the same as values: of one point each, which is read or written
  std::uint64_t writes = 0, explained_writes = 0;  // records, without atomics' and copies', and without the next ones
  std::uint64_t idle_writes = 0;                   // that nothing explains and no result is made of (idle_writes.h)
  std::vector<bool> idle;  // by item of the log: its values reach no result; empty: none is such

  double explained() const { return writes ? double(explained_writes) / double(writes) : 1; }
  std::span<const LiftedPoint> reads(const LiftedOperation& op) const {
    return std::span(points).subspan(op.first_point, op.reads);
  }
  std::span<const LiftedPoint> writes_of(const LiftedOperation& op) const {
    return std::span(points).subspan(op.first_point + op.reads, op.writes);
  }
  std::span<const std::complex<double>> coefficients_of(const LiftedOperation& op) const {
    return std::span(coefficients).subspan(op.first_coefficient, op.coefficients);
  }
  std::span<const std::uint64_t> table_reads_of(const LiftedOperation& op) const {
    return std::span(table_reads).subspan(op.first_table_read, op.table_reads);
  }
};

/// Lifts the accesses of one launch, or of a window of its items. Linear in the accesses; items with the same sequence of
/// sites are handled together. Where several explanations hold (of zeros, say), none is given, unless items with other values
/// decide.
Lifted lift(const AccessLog& log, const TraceInfo& info, const LiftOptions& options = {});

/// The same with logs of further runs of the same launch on other, random inputs: `probes` have the same sites as `log`, and the
/// same items or some of them, whose records the result names. What the values of one run do not decide, those of all do; items
/// whose records differ between runs (their way depends on data) are lifted from `log` alone. An item needs some more probes than
/// the values it reads.
Lifted lift(const AccessLog& log, std::span<const AccessLog> probes, const TraceInfo& info,
            const LiftOptions& options = {});

}  // namespace twiddle
