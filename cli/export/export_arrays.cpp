#include "cli/export/exports.h"

#include "base/error.h"
#include "base/temporary_folder.h"
#include "cli/export/numpy_archive.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "tracer/trace/span.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <vector>

namespace fs = std::filesystem;

namespace twiddle::cli {
namespace {

template <typename T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

// Complex for pairs of floats; other vectors get a last side of as many numbers as they take in memory.
NumpyLayout layout_of(const BufferInfo& buffer) {
  const ElementTraits& type = traits(buffer.type);
  const std::size_t each = component_bytes_of(buffer.type);
  const bool complex = type.components == 2 && type.floating && each >= 4;
  NumpyLayout layout;
  layout.shape = buffer.shape.empty() ? std::vector<std::uint64_t>{buffer.count} : buffer.shape;
  const char* kind = complex ? "c" : type.floating ? "f" : is_signed(buffer.type) ? "i" : "u";
  layout.type = fmt::format("{}{}{}", each == 1 ? "|" : "<", kind, complex ? 2 * each : each);
  if (!complex && type.components > 1) layout.shape.push_back(type.bytes / each);
  return layout;
}

void add_buffers(Document& document, std::uint64_t step, const std::string& prefix, NumpyArchive& archive) {
  document.replay->seek(step);
  const TraceInfo& info = document.info();
  for (std::size_t b = 0; b < info.buffers.size(); ++b)
    if (info.buffers[b].space != Space::Local)
      archive.add(prefix + info.buffers[b].name, layout_of(info.buffers[b]),
                  document.replay->state().bytes(static_cast<int>(b)));
}

// How values of all buffers fit into one column: single where every buffer is of floats, else double, which holds 32-bit
// integers exactly; complex where any buffer has pairs.
struct ValueForm {
  bool single = true, complex = false;

  explicit ValueForm(const TraceInfo& info) {
    for (const BufferInfo& buffer : info.buffers) {
      const ElementTraits& type = traits(buffer.type);
      single = single && type.floating && !type.wide;
      complex = complex || type.components > 1;  // of longer vectors the first two numbers
    }
  }
  std::string type() const { return complex ? (single ? "<c8" : "<c16") : (single ? "<f4" : "<f8"); }
  std::size_t bytes() const { return (single ? sizeof(float) : sizeof(double)) * (complex ? 2 : 1); }
};

// All columns of the operations. An archive takes one array after the other, so they are gathered in a file, in groups of
// rows within which a column's numbers follow one another.
class OperationColumns {
 public:
  /// `side_by_side`: as many coefficients, or accesses of a side, as an operation has at most.
  OperationColumns(const TraceInfo& info, const fs::path& folder, int side_by_side)
      : info_(info), values_(info), side_by_side_(side_by_side), file_(folder / "rows"), out_(file_, std::ios::binary) {
    for (const char* name : {"launch", "stage", "epoch", "line"}) column(name, "<i4", 4);
    for (const char* name : {"item", "span", "stride"}) column(name, "<i8", 8);
    column("op", "|u1", 1);
    columns("coefficients", values_.type(), values_.bytes());
    for (const std::string side : {"read", "write"}) {
      columns(side + "_buffer", "<i2", 2);
      columns(side + "_index", "<i8", 8);
      columns(side + "_value", values_.type(), values_.bytes());
    }
    group_.resize(row_bytes_ * group_rows);
  }

  void add(const Operation& operation) {
    next_ = 0;
    for (const int number : {operation.launch, operation.stage, operation.epoch, operation.line})
      put(static_cast<std::int32_t>(number));
    const bool butterfly = operation.kind == OperationKind::Butterfly;
    for (const std::uint64_t number :
         {operation.item, butterfly ? span_of(info_, operation) : 0, butterfly ? operation.stride() : 0})
      put(static_cast<std::int64_t>(number));
    put(static_cast<std::uint8_t>(operation.kind));
    for (int i = 0; i < side_by_side_; ++i) {
      const bool is = i < operation.coefficients.size();
      put(is ? &operation.coefficients[i] : nullptr, is);
    }
    for (const auto* side : {&operation.reads, &operation.writes}) {
      const auto each = [&](const auto& put_one) {
        for (int i = 0; i < side_by_side_; ++i) put_one(i < side->size() ? &(*side)[i] : nullptr);
      };
      each([&](const Access* access) { put(static_cast<std::int16_t>(access ? access->buffer : -1), access); });
      each([&](const Access* access) { put(access ? static_cast<std::int64_t>(access->index) : -1, access); });
      each([&](const Access* access) { put(access && access->known ? &access->value : nullptr, access); });
    }
    if (++rows_ % group_rows == 0) flush();
  }

  /// Columns without a known value in any row are left out.
  void hand_over(NumpyArchive& archive) {
    flush();
    out_.close();
    if (!out_)
      throw usage_error("{} could not be written: the disk may be full; set TMPDIR to a folder with more room",
                        file_.string());
    for (auto first = columns_.begin(), end = first; first != columns_.end(); first = end) {
      end = std::find_if(first, columns_.end(), [&](const Column& column) { return column.array != first->array; });
      const auto used = std::count_if(first, end, [](const Column& column) { return column.used; });
      if (std::none_of(first, end, [](const Column& column) { return column.says; })) continue;
      NumpyLayout layout{first->type, {rows_}, end - first > 1};
      if (layout.columns_first) layout.shape.push_back(static_cast<std::uint64_t>(used));
      archive.begin(first->array, layout);
      for (auto column = first; column != end; ++column)
        if (column->used) hand_over(archive, *column);
      archive.end();
    }
  }

 private:
  struct Column {
    std::string array, type;
    std::size_t bytes = 0, offset = 0;  // of a number; of the column in a row
    bool used = false, says = false;    // some row has a place there, or something known in it
  };
  static constexpr std::uint64_t group_rows = 4096;

  const TraceInfo& info_;
  ValueForm values_;
  int side_by_side_;
  fs::path file_;
  std::ofstream out_;
  std::vector<Column> columns_;
  std::vector<std::byte> group_;
  std::size_t row_bytes_ = 0, next_ = 0;  // the column that the next number goes to
  std::uint64_t rows_ = 0;

  void column(const std::string& array, const std::string& type, std::size_t bytes, bool used = true) {
    columns_.push_back({array, type, bytes, row_bytes_, used, used});
    row_bytes_ += bytes;
  }
  void columns(const std::string& array, const std::string& type, std::size_t bytes) {
    for (int i = 0; i < side_by_side_; ++i) column(array, type, bytes, false);
  }

  void put(std::span<const std::byte> bytes, bool used, bool says) {
    Column& column = columns_[next_++];
    column.used |= used;
    column.says |= says;
    std::copy(
        bytes.begin(), bytes.end(),
        group_.begin() + static_cast<std::ptrdiff_t>(column.offset * group_rows + rows_ % group_rows * column.bytes));
  }
  template <typename Number>
  void put(Number number, bool used = true) {
    put(bytes_of(number), used, used);
  }
  void put(const Value* value, bool used) {
    double parts[2] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
    for (int c = 0; value && c < 2; ++c) parts[c] = c < traits(value->type).components ? value->component(c) : 0;
    const float singles[2] = {static_cast<float>(parts[0]), static_cast<float>(parts[1])};
    const std::span<const std::byte> bytes = std::as_bytes(std::span(parts));
    put((values_.single ? std::as_bytes(std::span(singles)) : bytes).first(values_.bytes()), used, value != nullptr);
  }

  void flush() {
    out_.write(reinterpret_cast<const char*>(group_.data()), static_cast<std::streamsize>(group_.size()));
  }

  void hand_over(NumpyArchive& archive, const Column& column) {
    std::ifstream in(file_, std::ios::binary);
    std::vector<char> piece(group_rows * column.bytes);
    for (std::uint64_t row = 0; row < rows_; row += group_rows) {
      in.seekg(static_cast<std::streamoff>(row * row_bytes_ + column.offset * group_rows));
      const auto size = std::min(rows_ - row, group_rows) * column.bytes;
      in.read(piece.data(), static_cast<std::streamsize>(size));
      archive.append(std::as_bytes(std::span(piece.data(), size)));
    }
  }
};

}  // namespace

void export_buffers(Document& document, std::uint64_t step, const fs::path& file) {
  NumpyArchive archive(file);
  add_buffers(document, step, "", archive);
  archive.close();
}

void export_columns(Document& document, const fs::path& file) {
  const TraceInfo& info = document.info();
  NumpyArchive archive(file);
  std::vector<std::string> names;
  for (std::size_t kind = 0; kind < operation_kind_count; ++kind)
    names.emplace_back(name_of(static_cast<OperationKind>(kind)));
  archive.add_words("op_names", names);
  names.clear();
  for (const BufferInfo& buffer : info.buffers) names.push_back(buffer.name);
  archive.add_words("buffer_names", names);
  names.clear();
  for (const LaunchInfo& launch : info.launches) names.push_back(launch.kernel);
  archive.add_words("kernels", names);
  add_buffers(document, 0, "before.", archive);

  const TemporaryFolder folder;
  InterruptGuard guard;
  ProgressBar bar;
  // Trace lines have four legs at most, operations that were found in accesses as many as they have.
  const bool lifted =
      std::any_of(info.sites.begin(), info.sites.end(), [](const Site& site) { return site.macro.empty(); });
  int legs = 4;
  for (std::uint64_t step = 1; lifted && step <= info.steps;) {
    const auto block = document.replay->indices_of(step);
    for (const SiteColumns& site : block->sites) legs = std::max(legs, traits(site.shape).reads);
    step = block->first_step + block->count;
  }
  OperationColumns columns(info, folder.path(), legs);
  document.replay->for_each(1, info.steps, false, [&](const Operation& operation) {
    constexpr std::uint64_t often = 4096;
    if (operation.step % often == 0) {
      bar.show(static_cast<double>(operation.step) / static_cast<double>(info.steps), "reading");
      if (InterruptGuard::asked()) return false;
    }
    columns.add(operation);
    return true;
  });
  if (InterruptGuard::asked()) throw Interrupted("interrupted before all operations were written");
  bar.show(1, "packing");
  columns.hand_over(archive);
  bar.clear();
  add_buffers(document, info.steps, "after.", archive);
  archive.close();
}

}  // namespace twiddle::cli
