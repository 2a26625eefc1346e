// What the rows of a query's tables share: giving SQLite a value, and narrowing what is read by a query's conditions.
#pragma once

#include "kernels/plan/element.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

struct sqlite3_context;
struct sqlite3_index_info;
struct sqlite3_value;

namespace twiddle {

/// `text` must live as long as the trace: it is not copied.
void give_text(sqlite3_context* context, std::string_view text);
void give_whole(sqlite3_context* context, std::uint64_t number);
/// Nothing where it is 0.
void give_positive(sqlite3_context* context, std::uint64_t number);
/// One component of an element at `bits`; nothing where the type has no such component. SQL has no NaN and no whole number
/// beyond 2^63 - 1: these are text, as `print` writes it.
void give_component(sqlite3_context* context, ElementType type, const std::byte* bits, int which);

/// Values from `low` to `high`; a condition only ever narrows it.
struct Bounds {
  std::int64_t low = std::numeric_limits<std::int64_t>::min(), high = std::numeric_limits<std::int64_t>::max();
  bool holds(std::int64_t value) const { return low <= value && value <= high; }
  /// SQLite tests every row again, so what no whole number says exactly may be left to it.
  void narrow(unsigned char operation, sqlite3_value* value);
  /// Whether narrow() does anything for this of SQLite's operations.
  static bool useful(unsigned char operation);
};

/// What QueryTableSource::plan() chose: filter() gets `need` and `plan`. `rows`: about so many; `row_cost`: of each.
void answer_plan(sqlite3_index_info& info, int need, const std::string& plan, double rows, double row_cost);

}  // namespace twiddle
