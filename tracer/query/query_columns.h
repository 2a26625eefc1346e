// The columns of a query's tables of operations, and what one of them holds in a row.
#pragma once

#include "tracer/query/query.h"
#include "tracer/trace/block.h"

#include <cstdint>
#include <span>

struct sqlite3_context;

namespace twiddle {

/// How much of a block a column needs: nothing but the file's index, the decoded indices, or everything.
enum class Need : std::uint8_t { Index = 0, Places = 1, Values = 2 };

enum class Field : std::uint8_t {
  Step,
  Launch,
  Kernel,
  Stage,
  Epoch,
  Item,
  GlobalX,
  GlobalY,
  GlobalZ,
  WorkGroup,
  LocalId,
  Op,
  Span,
  Stride,
  Line,
  Twiddle,  // real and imaginary parts of three coefficients follow one another
  Twiddle1Im,
  Twiddle2Re,
  Twiddle2Im,
  Twiddle3Re,
  Twiddle3Im,
  Number,
  Buffer,
  Space,
  Element,
  Re,
  Im
};

struct FieldTraits {
  const char* name;  // of the column
  Need need;
};
const FieldTraits& traits(Field field);

/// What the rows of a table stand for.
enum class RowKind : std::uint8_t { Operation, Barrier, Read, Write };

struct OperationTable {
  const char* name;
  RowKind kind;
  std::span<const Field> columns;
};
std::span<const OperationTable> operation_table_list();

/// A row: an operation of a block, and which of its accesses where the table is one of accesses.
struct RowPlace {
  const TraceInfo* info = nullptr;
  const Segment* segment = nullptr;
  std::uint64_t step = 0;                 // 0: a barrier
  const OperationBlock* block = nullptr;  // null where only the index is needed
  std::uint32_t row = 0;                  // in the block
  int access = 0;
  RowKind kind = RowKind::Operation;
};

/// Gives SQLite the field; nothing where it does not apply.
void give_field(sqlite3_context* context, const RowPlace& place, Field field);

/// How many rows an operation makes: one, or as many as it has accesses of the table's kind.
int rows_of_operation(const OperationBlock& block, std::uint32_t row, RowKind kind);

}  // namespace twiddle
