#include "tracer/query/query_cells.h"

#include "tracer/trace/number_text.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <string>

namespace twiddle {

void give_text(sqlite3_context* context, std::string_view text) {
  sqlite3_result_text64(context, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void give_whole(sqlite3_context* context, std::uint64_t number) {
  sqlite3_result_int64(context, static_cast<sqlite3_int64>(number));
}

void give_positive(sqlite3_context* context, std::uint64_t number) {
  if (number > 0) give_whole(context, number);
}

void give_component(sqlite3_context* context, ElementType type, const std::byte* bits, int which) {
  const ElementTraits& make = traits(type);
  if (which >= make.components) return;
  if (!make.floating) {
    const Int128 whole = whole_component(type, bits, which);
    if (whole <= std::numeric_limits<sqlite3_int64>::max())
      return sqlite3_result_int64(context, static_cast<sqlite3_int64>(whole));
  } else if (const double value = component(type, bits, which); !std::isnan(value)) {
    return sqlite3_result_double(context, value);
  }
  Value held;
  held.type = type;
  std::memcpy(held.bits.data(), bits, make.bytes);
  const std::string text = component_text(held, which);
  sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void Bounds::narrow(unsigned char operation, sqlite3_value* value) {
  const int type = sqlite3_value_type(value);
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return;
  const double real = sqlite3_value_double(value);
  if (type == SQLITE_FLOAT && (!(std::abs(real) < 9e15) || real != std::floor(real))) return;
  const std::int64_t number = sqlite3_value_int64(value);
  if (operation != SQLITE_INDEX_CONSTRAINT_LE && operation != SQLITE_INDEX_CONSTRAINT_LT) low = std::max(low, number);
  if (operation != SQLITE_INDEX_CONSTRAINT_GE && operation != SQLITE_INDEX_CONSTRAINT_GT) high = std::min(high, number);
}

bool Bounds::useful(unsigned char operation) {
  return operation == SQLITE_INDEX_CONSTRAINT_EQ || operation == SQLITE_INDEX_CONSTRAINT_GE ||
         operation == SQLITE_INDEX_CONSTRAINT_GT || operation == SQLITE_INDEX_CONSTRAINT_LE ||
         operation == SQLITE_INDEX_CONSTRAINT_LT;
}

void answer_plan(sqlite3_index_info& info, int need, const std::string& plan, double rows, double row_cost) {
  info.idxNum = need;
  info.idxStr = sqlite3_mprintf("%s", plan.c_str());
  if (!info.idxStr) throw std::bad_alloc();
  info.needToFreeIdxStr = 1;
  info.estimatedRows = static_cast<sqlite3_int64>(rows);
  info.estimatedCost = rows * row_cost + 10;
}

}  // namespace twiddle
