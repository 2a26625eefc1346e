// What a log says of its values: how each came of those before it. With it a page computes them anew from other samples, without
// a device and without the kernel.
#pragma once

#include "viewer/document/document.h"

#include <complex>
#include <cstdint>
#include <optional>
#include <vector>

namespace twiddle {

struct LoggedArithmetic {
  using Complex = std::complex<double>;
  static constexpr std::uint64_t max_samples = 64, max_steps = 1024;

  /// An element that operations read or write; of a local array the index counts through all groups.
  struct Cell {
    int buffer = -1;
    std::uint64_t index = 0;
    Complex first{};     // before the first operation
    bool known = false;  // that is in the trace
  };
  /// How an operation's results come of what it reads. Unknown: the log does not say it. Nothing: it writes nothing. A term adds
  /// factor · x to the sum for `target`, which begins as `before`; Stored writes that sum, Constant writes `before`.
  enum class Form : std::uint8_t { Unknown, Nothing, Linear, Term, Stored, Constant };
  struct Step {
    Form form = Form::Unknown;
    std::vector<int> reads, writes;  // cells
    std::vector<Complex> factors;    // Linear: those of the first result, of the second …; else one
    int target = -1;                 // cell
    Complex before{};
  };
  std::vector<Cell> cells;
  std::vector<Step> steps;   // of step 1, 2, …
  std::vector<int> samples;  // the cells of the input's elements, in order

  /// What the cells hold after the last operation where the samples are these: rounded to their types after each operation. NaN:
  /// it is not evaluated.
  std::vector<Complex> evaluate(const TraceInfo& info, const std::vector<Complex>& at_hand) const;
};

/// That of a trace whose samples are the elements of a buffer. Nothing where it is of more samples or operations, of other types
/// than numbers of 32 and 64 bits, where values were not logged, and where what the log says is not the whole truth: where other
/// samples would lead to another outcome than the one that the trace's expectation has for them, because a kernel reads
/// what it does not log, say.
std::optional<LoggedArithmetic> logged_arithmetic(Document& document, int input);

}  // namespace twiddle
