// Operations, barriers, reads and writes as virtual tables. A query's conditions on step, launch, stage, epoch and item
// choose segments and blocks by the file's own index; what is left is decoded only as far as the query's columns need.

#include "base/error.h"
#include "tracer/codec/codec.h"
#include "tracer/query/query_cells.h"
#include "tracer/query/query_columns.h"
#include "tracer/query/query_tables.h"

#include <sqlite3.h>

#include <algorithm>
#include <optional>

namespace twiddle {
namespace {

constexpr std::size_t blocks_between_questions = 8;

// ---- What SQLite asks for, and how it is told to the cursor ----

struct Conditions {
  Bounds step, launch, stage, epoch, item;
  Bounds* of(Field field) {
    switch (field) {
      case Field::Step: return &step;
      case Field::Launch: return &launch;
      case Field::Stage: return &stage;
      case Field::Epoch: return &epoch;
      case Field::Item: return &item;
      default: return nullptr;
    }
  }
};

bool same_in_a_segment(Field field) { return field == Field::Launch || field == Field::Stage || field == Field::Epoch; }

// The order that SQLite wants, as letters for the cursor ("c" + field, uppercase when descending), when segments put in
// order give it: launch, stage and epoch in any order, then step, which rows follow within them.
std::optional<std::string> order_of(const OperationTable& table, const sqlite3_index_info& wanted) {
  std::string order;
  for (int i = 0; i < wanted.nOrderBy; ++i) {
    const auto& term = wanted.aOrderBy[i];
    if (term.iColumn < 0) return {};
    const Field field = table.columns[term.iColumn];
    if (field == Field::Step && !term.desc && table.kind == RowKind::Operation)
      return order;  // no two rows have the same
    if (!same_in_a_segment(field)) return {};
    order += static_cast<char>((term.desc ? 'A' : 'a') + static_cast<int>(field));
  }
  return order;
}

// The plan for the cursor: a letter and an operation for each argument, '|', the order.
void plan_rows(const OperationTable& table, const TraceInfo& trace, sqlite3_index_info& info) {
  auto rows = static_cast<double>(table.kind == RowKind::Barrier ? trace.barriers : trace.steps) + 1;
  std::string plan;
  bool one_step = false;
  for (int i = 0; i < info.nConstraint; ++i) {
    const auto& constraint = info.aConstraint[i];
    if (!constraint.usable || constraint.iColumn < 0 || !Bounds::useful(constraint.op)) continue;
    const Field field = table.columns[constraint.iColumn];
    if (!Conditions().of(field)) continue;
    plan += static_cast<char>('a' + static_cast<int>(field));
    plan += static_cast<char>(constraint.op);
    info.aConstraintUsage[i].argvIndex = static_cast<int>(plan.size() / 2);
    const bool equal = constraint.op == SQLITE_INDEX_CONSTRAINT_EQ;
    if (equal && field == Field::Step)
      one_step = true;
    else
      rows /= !equal ? 2 : field == Field::Item ? 1000 : 8;
  }
  if (one_step) rows = 2;
  plan += '|';
  if (const std::optional<std::string> order = order_of(table, info)) {
    plan += *order;
    info.orderByConsumed = 1;
  }

  Need need = table.kind == RowKind::Operation || table.kind == RowKind::Barrier ? Need::Index : Need::Places;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (info.colUsed & (std::uint64_t(1) << c)) need = std::max(need, traits(table.columns[c]).need);
  answer_plan(info, static_cast<int>(need), plan, rows, need == Need::Index ? 1 : need == Need::Places ? 2 : 8);
  if (one_step && table.kind == RowKind::Operation) info.idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
}

// ---- The rows, one after another ----

class OperationRows final : public QueryRows {
 public:
  OperationRows(QuerySource& source, const OperationTable& table)
      : source_(source), kind_(table.kind), columns_(table.columns) {
    place_.info = &source_.trace->info();
    place_.kind = kind_;
  }

  void filter(int need, std::string_view plan, sqlite3_value** arguments) override {
    need_ = static_cast<Need>(need);
    conditions_ = {};
    std::size_t at = 0;
    for (; plan[at] != '|'; at += 2)
      conditions_.of(static_cast<Field>(plan[at] - 'a'))
          ->narrow(static_cast<unsigned char>(plan[at + 1]), arguments[at / 2]);
    choose_segments(plan.substr(at + 1));
    next_segment_ = next_block_ = end_block_ = 0;
    row_ = end_row_ = 0;
    find();
  }

  bool at_end() const override { return ended_; }

  void next() override {
    if (++place_.access < accesses_) return;
    ++row_;
    find();
  }

  void give(sqlite3_context* context, int column) const override { give_field(context, place_, columns_[column]); }

  std::int64_t id() const override {
    return kind_ == RowKind::Barrier ? static_cast<std::int64_t>(block_ * block_capacity + row_)
                                     : static_cast<std::int64_t>(place_.step * 4) + place_.access;
  }

 private:
  const BlockEntry& entry() const { return source_.trace->blocks()[block_]; }

  // The segments that the conditions admit, in the order asked for; of equal ones the earlier first.
  void choose_segments(std::string_view order) {
    const auto& all = place_.info->segments;
    segments_.clear();
    const auto first = std::partition_point(all.begin(), all.end(), [&](const Segment& segment) {
      const bool steps_before =
          kind_ != RowKind::Barrier && static_cast<std::int64_t>(segment.end_step()) <= conditions_.step.low;
      return steps_before || segment.launch < conditions_.launch.low;
    });
    for (auto segment = first; segment != all.end(); ++segment) {
      if (segment->launch > conditions_.launch.high) break;
      if (kind_ != RowKind::Barrier && static_cast<std::int64_t>(segment->first_step) > conditions_.step.high) break;
      const bool staged = conditions_.stage.holds(segment->stage);
      if (staged && conditions_.launch.holds(segment->launch) && conditions_.epoch.holds(segment->epoch))
        segments_.push_back(static_cast<std::size_t>(segment - all.begin()));
    }
    if (order.empty()) return;
    std::stable_sort(segments_.begin(), segments_.end(), [&](std::size_t a, std::size_t b) {
      for (const char letter : order) {
        const bool descending = letter < 'a';
        const auto field = static_cast<Field>(letter - (descending ? 'A' : 'a'));
        const auto key = [&](std::size_t s) {
          return field == Field::Launch ? all[s].launch : field == Field::Stage ? all[s].stage : all[s].epoch;
        };
        if (key(a) != key(b)) return (key(a) < key(b)) != descending;
      }
      return false;
    });
  }

  // The blocks of the segment that comes next; false when there is none.
  bool enter_segment() {
    if (next_segment_ == segments_.size()) return false;
    const std::size_t segment = segments_[next_segment_++];
    place_.segment = &place_.info->segments[segment];
    const std::span<const BlockEntry> blocks = source_.trace->blocks_of(segment);
    next_block_ = static_cast<std::size_t>(blocks.data() - source_.trace->blocks().data());
    end_block_ = next_block_ + blocks.size();
    return true;
  }

  // Goes to the first row from row_ on that the conditions admit.
  void find() {
    ended_ = false;
    while (true) {
      if (row_ < end_row_) {
        accesses_ = need_ == Need::Index ? 1 : rows_of_operation(*decoded_, row_, kind_);
        if (accesses_ > 0) break;
        ++row_;
      } else if (next_block_ < end_block_) {
        block_ = next_block_++;
        enter_block();
      } else if (!enter_segment()) {
        ended_ = true;
        return;
      }
    }
    place_.row = row_;
    place_.access = 0;
    place_.step = kind_ == RowKind::Barrier ? 0 : entry().first_step + row_;
  }

  // The rows of a block that the conditions admit.
  void enter_block() {
    row_ = end_row_ = 0;
    const BlockEntry& block = entry();
    if (block.barriers != (kind_ == RowKind::Barrier)) return;
    if (conditions_.item.low > block.last_item || conditions_.item.high < block.first_item) return;
    std::int64_t low = 0, high = block.count;
    if (kind_ != RowKind::Barrier) {
      const auto first = static_cast<std::int64_t>(block.first_step);
      if (conditions_.step.low > first + high - 1 || conditions_.step.high < first) return;
      low = std::max(conditions_.step.low, first) - first;
      high = std::min(conditions_.step.high, first + high - 1) - first + 1;
    }
    if (need_ != Need::Index) {
      decode(block);
      const auto& items = decoded_->item;  // ascending
      const auto from = std::partition_point(items.begin(), items.end(),
                                             [&](std::uint32_t item) { return item < conditions_.item.low; });
      const auto to =
          std::partition_point(from, items.end(), [&](std::uint32_t item) { return item <= conditions_.item.high; });
      low = std::max<std::int64_t>(low, from - items.begin());
      high = std::min<std::int64_t>(high, to - items.begin());
    }
    if (low >= high) return;
    row_ = static_cast<std::uint32_t>(low);
    end_row_ = static_cast<std::uint32_t>(high);
  }

  void decode(const BlockEntry& block) {
    if (kind_ == RowKind::Barrier) {
      decoded_ =
          std::make_shared<const OperationBlock>(decode_indices(source_.trace->block_bytes(block), *place_.info));
      if (decoded_->count != block.count)
        throw unreadable("{}: a block of the trace is not what its row says", source_.trace->path().string());
    } else if (need_ == Need::Places) {
      decoded_ = source_.replay.indices_of(block.first_step);
    } else {
      // A long way to a late block may be given up on.
      while (!source_.replay.approach(block.first_step, blocks_between_questions))
        if (source_.interrupted()) throw Stopped();
      decoded_ = source_.replay.block_of(block.first_step);
    }
    place_.block = decoded_.get();
  }

  QuerySource& source_;
  RowKind kind_;
  std::span<const Field> columns_;
  Need need_ = Need::Index;
  Conditions conditions_;
  std::vector<std::size_t> segments_;
  std::size_t next_segment_ = 0;
  std::size_t block_ = 0, next_block_ = 0, end_block_ = 0;  // this one, and those of the segment that are left
  std::uint32_t row_ = 0, end_row_ = 0;                     // of the block
  int accesses_ = 0;                                        // rows that the operation at row_ makes
  bool ended_ = true;
  std::shared_ptr<const OperationBlock> decoded_;
  RowPlace place_;
};

class OperationTableSource final : public QueryTableSource {
 public:
  explicit OperationTableSource(const OperationTable& table) : QueryTableSource(about(table)), table_(table) {}

  void plan(const QuerySource& source, sqlite3_index_info& info) const override {
    plan_rows(table_, source.trace->info(), info);
  }
  std::unique_ptr<QueryRows> rows(QuerySource& source) const override {
    return std::make_unique<OperationRows>(source, table_);
  }

 private:
  static QueryTable about(const OperationTable& table) {
    QueryTable described{table.name, {}};
    for (const Field field : table.columns) described.columns.emplace_back(traits(field).name);
    return described;
  }

  const OperationTable& table_;
};

}  // namespace

void add_operation_tables(QueryTableSources& tables) {
  for (const OperationTable& table : operation_table_list())
    tables.push_back(std::make_unique<OperationTableSource>(table));
}

}  // namespace twiddle
