// Accesses as a virtual table, in the file's order: by launch, by item, each item's own in the order in which it made them.
// Conditions on launch and item choose pieces by the file's own index; launches are counted without decoding one.

#include "tracer/access/texel.h"
#include "tracer/print/access_text.h"
#include "tracer/query/query_cells.h"
#include "tracer/query/query_tables.h"
#include "tracer/trace/number_text.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>

namespace twiddle {
namespace {

enum class Column : std::uint8_t {
  Launch,
  Kernel,
  Stage,  // up to here the file's index knows
  Epoch,
  Item,
  GlobalX,
  GlobalY,
  GlobalZ,
  WorkGroup,
  LocalId,
  Number,
  Kind,
  Space,
  Buffer,
  Element,
  Component,
  Byte,
  Address,
  Bytes,
  Re,
  Im,
  Value,
  Function,
  Line,
  Col,
  Text
};
constexpr std::array column_names = {"launch",  "kernel",     "stage", "epoch",   "item",   "gid_x", "gid_y",
                                     "gid_z",   "work_group", "lid",   "number",  "access", "space", "buffer",
                                     "element", "component",  "byte",  "address", "bytes",  "re",    "im",
                                     "value",   "function",   "line",  "col",     "text"};

bool in_index(int column) { return column <= static_cast<int>(Column::Stage); }
Bounds* bounds_of(Bounds& launch, Bounds& item, int column) {
  return column == static_cast<int>(Column::Launch) ? &launch
         : column == static_cast<int>(Column::Item) ? &item
                                                    : nullptr;
}

// The rows' own order: launch, item, number, each ascending and after the ones before.
bool in_order(const sqlite3_index_info& info) {
  constexpr std::array own = {Column::Launch, Column::Item, Column::Number};
  if (info.nOrderBy > static_cast<int>(own.size())) return false;
  for (int i = 0; i < info.nOrderBy; ++i)
    if (info.aOrderBy[i].desc || info.aOrderBy[i].iColumn != static_cast<int>(own[static_cast<std::size_t>(i)]))
      return false;
  return true;
}

class AccessRows final : public QueryRows {
 public:
  explicit AccessRows(QuerySource& source) : source_(source), info_(source.trace->info()) {}

  // `plan`: for each argument its column and its operation, a letter and a byte.
  void filter(int decode, std::string_view plan, sqlite3_value** arguments) override {
    decode_ = decode != 0;
    launches_ = items_ = {};
    for (std::size_t at = 0; at + 1 < plan.size(); at += 2)
      bounds_of(launches_, items_, plan[at] - 'a')->narrow(static_cast<unsigned char>(plan[at + 1]), arguments[at / 2]);
    next_entry_ = 0;
    enter_entry();
  }
  bool at_end() const override { return ended_; }
  void next() override {
    if (decode_) epoch_ += meets_group(record_);
    if (++record_ == end_) find();
  }
  std::int64_t id() const override { return static_cast<std::int64_t>(next_entry_ << 40 | record_); }

  void give(sqlite3_context* context, int column) const override {
    const LaunchInfo& launch = *info_.launch(entry().launch);
    switch (static_cast<Column>(column)) {
      case Column::Launch: return give_whole(context, static_cast<std::uint64_t>(launch.number));
      case Column::Kernel: return give_text(context, launch.kernel);
      case Column::Stage: return give_positive(context, static_cast<std::uint64_t>(launch.stage));
      case Column::Epoch: return give_whole(context, epoch_);
      case Column::Item: return give_whole(context, item());
      case Column::GlobalX: return give_whole(context, launch.global_id(item())[0]);
      case Column::GlobalY: return give_whole(context, launch.global_id(item())[1]);
      case Column::GlobalZ: return give_whole(context, launch.global_id(item())[2]);
      case Column::WorkGroup: return give_whole(context, launch.group_of(item()));
      case Column::LocalId: return give_whole(context, item() % std::max<std::uint64_t>(launch.group_size(), 1));
      case Column::Number: return give_whole(context, record_ - log_.begin[row_] + 1);
      default: give_place(context, static_cast<Column>(column));
    }
  }

 private:
  const AccessEntry& entry() const { return source_.trace->access_entries()[next_entry_ - 1]; }
  std::uint64_t item() const { return log_.first_item + row_; }
  const AccessSite& site() const { return log_.sites[log_.site[record_]]; }
  bool meets_group(std::uint64_t record) const {
    const AccessSite& at = log_.sites[log_.site[record]];
    return at.kind == AccessKind::Barrier && at.scope >= MemoryScope::Group;
  }

  // What the record and its place in the source say.
  void give_place(sqlite3_context* context, Column column) const {
    const AccessSite& at = site();
    switch (column) {
      case Column::Kind: return give_text(context, name_of(at.kind));
      case Column::Function: return at.function.empty() ? void() : give_text(context, at.function);
      case Column::Line: return give_positive(context, static_cast<std::uint64_t>(at.line));
      case Column::Col: return give_positive(context, static_cast<std::uint64_t>(at.column));
      case Column::Text: return at.text.empty() ? void() : give_text(context, at.text);
      default: break;
    }
    if (!touches_memory(at.kind)) return;
    const BufferInfo* buffer = info_.buffer(log_.buffer[record_]);
    switch (column) {
      case Column::Space: return give_text(context, name_of(buffer ? buffer->space : at.space));
      case Column::Buffer: return buffer ? give_text(context, buffer->name) : void();
      case Column::Byte:
        return buffer && !texel_outside(log_.offset[record_]) ? give_whole(context, log_.offset[record_]) : void();
      case Column::Address: return buffer ? void() : give_whole(context, log_.offset[record_]);
      case Column::Bytes: return give_whole(context, at.chunk);
      default: break;
    }
    const AccessValue value = value_of(info_, log_, record_);
    if (value.outside && (column == Column::Element || column == Column::Component)) return;
    if (column == Column::Element && buffer) return sqlite3_result_int64(context, value.element);
    if (column == Column::Component && buffer) return sqlite3_result_int(context, value.component);
    if (column == Column::Value) return give_all(context, value.values);
    const std::size_t part = column == Column::Im ? 1 : 0;
    if ((column == Column::Re || column == Column::Im) && part < value.values.size())
      give_component(context, value.values[part].type, value.values[part].bits.data(), 0);
  }

  static void give_all(sqlite3_context* context, const std::vector<Value>& values) {
    std::string text;
    for (const Value& one : values) text += (text.empty() ? "" : " ") + component_text(one, 0);
    sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }

  // Goes on to the next item that has records and that the conditions admit, or to the next piece.
  void find() {
    if (decode_)
      while (++row_ < log_.items())
        if (enter_item()) return;
    enter_entry();
  }

  bool enter_item() {
    record_ = log_.begin[row_];
    end_ = log_.begin[row_ + 1];
    epoch_ = 0;
    return record_ < end_ && items_.holds(static_cast<std::int64_t>(item()));
  }

  void enter_entry() {
    const auto& entries = source_.trace->access_entries();
    while (next_entry_ < entries.size()) {
      if (source_.interrupted()) throw Stopped();
      const AccessEntry& piece = entries[next_entry_++];
      if (!launches_.holds(piece.launch) || piece.records == 0 || piece.items == 0) continue;
      if (items_.high < static_cast<std::int64_t>(piece.first_item) ||
          items_.low > static_cast<std::int64_t>(piece.first_item + piece.items - 1))
        continue;
      ended_ = false;
      if (!decode_) {
        record_ = 0;
        end_ = piece.records;
        return;
      }
      log_ = source_.trace->accesses(piece);
      for (row_ = 0; row_ < log_.items(); ++row_)
        if (enter_item()) return;
    }
    ended_ = true;
  }

  QuerySource& source_;
  const TraceInfo& info_;
  Bounds launches_, items_;
  bool decode_ = false;
  std::size_t next_entry_ = 0;  // the piece after the one that is read
  AccessLog log_;               // that piece
  std::uint64_t row_ = 0;       // the item, in it
  std::uint64_t record_ = 0, end_ = 0;
  std::uint64_t epoch_ = 0;  // barriers of the group before the record
  bool ended_ = true;
};

class AccessTable final : public QueryTableSource {
 public:
  AccessTable() : QueryTableSource({"accesses", {column_names.begin(), column_names.end()}}) {}

  void plan(const QuerySource& source, sqlite3_index_info& info) const override {
    double rows = 1;
    for (const AccessEntry& entry : source.trace->access_entries()) rows += static_cast<double>(entry.records);
    std::string plan;
    Bounds launch, item;
    bool decode = false;
    for (int i = 0; i < info.nConstraint; ++i) {
      const auto& constraint = info.aConstraint[i];
      if (!constraint.usable || !Bounds::useful(constraint.op) || !bounds_of(launch, item, constraint.iColumn))
        continue;
      plan += static_cast<char>('a' + constraint.iColumn);
      plan += static_cast<char>(constraint.op);
      info.aConstraintUsage[i].argvIndex = static_cast<int>(plan.size() / 2);
      rows /= constraint.op != SQLITE_INDEX_CONSTRAINT_EQ ? 2 : constraint.iColumn == 0 ? 8 : 1000;
    }
    for (int column = 0; column < static_cast<int>(column_names.size()); ++column)
      decode = decode || (!in_index(column) && (info.colUsed & (std::uint64_t(1) << column)) != 0);
    info.orderByConsumed = in_order(info) ? 1 : 0;
    answer_plan(info, decode ? 1 : 0, plan, rows, decode ? 4 : 1);
  }
  std::unique_ptr<QueryRows> rows(QuerySource& source) const override { return std::make_unique<AccessRows>(source); }
};

}  // namespace

void add_access_table(QueryTableSources& tables) { tables.push_back(std::make_unique<AccessTable>()); }

}  // namespace twiddle
