// `twiddle bench paper`: the figures that were published for the catalogue's algorithms, measured again on a device of
// today and put side by side. Where the hardware has changed the answer, it says so.
#pragma once

#include "tracer/run/tracer.h"
#include "tracer/runtime/runtime.h"

#include <string>
#include <vector>

namespace twiddle {

struct PaperOptions {
  bool small = false;  // sizes to try it out with, instead of those that were published
  int passes = 5;      // of every measurement; the quickest counts
};

/// A table with a column for each figure. A number that there is not is NaN.
struct PaperTable {
  struct Column {
    std::string key, title;  // "published_ms", "published ms"
    int decimals = 0;
  };
  struct Row {
    std::string what;
    std::vector<double> numbers;  // one a column
  };
  std::string id;      // "histogram", "ladder", "radix", "packing"
  std::string title;   // what ran, and its size
  std::string source;  // what was published, on which device
  std::vector<Column> columns;
  std::vector<Row> rows;
  bool correct = false;              // every outcome was within verify's bound
  bool reproduced = false;           // the published statement holds here
  std::vector<std::string> remarks;  // sentences: what holds, what has changed, and why where that was measured

  /// The number in a row and a column. Throws std::out_of_range.
  double number(std::size_t row, const std::string& key) const;
};

struct PaperBench {
  std::string runtime, device, driver, kind;
  bool small = false;
  std::vector<PaperTable> tables;  // fewer when it was cancelled
};

/// Runs everything. Throws Error: no_device when the device fails or has not the memory, usage when a kernel does not fit.
PaperBench bench_paper(Runtime& runtime, const PaperOptions& options, const Progress& progress = {});

std::string paper_text(const PaperBench& bench);
std::string paper_json(const PaperBench& bench);

}  // namespace twiddle
