#include "cli/export/export_arrays.h"

#include "base/error.h"
#include "base/temporary_folder.h"
#include "cli/export/numpy_archive.h"
#include "cli/interrupt.h"
#include "cli/output.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <memory>
#include <utility>

namespace fs = std::filesystem;

namespace twiddle::cli {
namespace {

template <typename T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

// Complex for pairs of floats; pairs of integers get a last side of 2.
NumpyLayout layout_of(const BufferInfo& buffer) {
  const ElementTraits& type = traits(buffer.type);
  const bool pair = type.components == 2;
  NumpyLayout layout;
  layout.shape = buffer.shape.empty() ? std::vector<std::uint64_t>{buffer.count} : buffer.shape;
  if (type.floating)
    layout.type = type.wide ? (pair ? "<c16" : "<f8") : (pair ? "<c8" : "<f4");
  else
    layout.type = buffer.type == ElementType::UInt || buffer.type == ElementType::UInt2 ? "<u4" : "<i4";
  if (pair && !type.floating) layout.shape.push_back(2);
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

// One column of the operations: gathered in a file, since an archive takes one array after the other.
class Column {
 public:
  Column(const fs::path& file, std::string type) : type_(std::move(type)), file_(file), out_(file, std::ios::binary) {}

  void append(std::span<const std::byte> bytes) {
    waiting_.insert(waiting_.end(), bytes.begin(), bytes.end());
    if (waiting_.size() >= most_waiting) flush();
  }
  void flush() {
    out_.write(reinterpret_cast<const char*>(waiting_.data()), static_cast<std::streamsize>(waiting_.size()));
    waiting_.clear();
  }
  /// Marks a row that says something; columns without any are left out.
  void use() { used_ = true; }
  bool used() const { return used_; }
  const std::string& type() const { return type_; }

  /// Appends all of it to the archive, and forgets it.
  void hand_over(NumpyArchive& archive) {
    flush();
    out_.close();
    if (!out_)
      throw usage_error("{} could not be written: the disk may be full; set TMPDIR to a folder with more room",
                        file_.string());
    std::ifstream in(file_, std::ios::binary);
    std::vector<char> piece(most_waiting);
    while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())), in.gcount() > 0)
      archive.append(std::as_bytes(std::span(piece.data(), static_cast<std::size_t>(in.gcount()))));
    in.close();
    std::error_code ignored;
    fs::remove(file_, ignored);
  }

 private:
  static constexpr std::size_t most_waiting = std::size_t(1) << 18;
  std::string type_;
  fs::path file_;
  std::ofstream out_;
  std::vector<std::byte> waiting_;
  bool used_ = false;
};

// How values of all buffers fit into one column: single where every buffer is of floats, else double, which holds 32-bit
// integers exactly; complex where any buffer has pairs.
struct ValueForm {
  bool single = true, complex = false;

  explicit ValueForm(const TraceInfo& info) {
    for (const BufferInfo& buffer : info.buffers) {
      const ElementTraits& type = traits(buffer.type);
      single = single && type.floating && !type.wide;
      complex = complex || type.components == 2;
    }
  }
  std::string type() const { return complex ? (single ? "<c8" : "<c16") : (single ? "<f4" : "<f8"); }

  void append(Column& column, const Value* value) const {
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    for (int c = 0; c < (complex ? 2 : 1); ++c) {
      const double number = !value ? nothing : c < traits(value->type).components ? value->component(c) : 0;
      if (single)
        column.append(bytes_of(static_cast<float>(number)));
      else
        column.append(bytes_of(number));
    }
    if (value) column.use();
  }
};

class OperationColumns {
 public:
  OperationColumns(const TraceInfo& info, const fs::path& folder) : folder_(folder), values_(info) {
    for (const char* name : {"launch", "stage", "epoch", "line"}) whole_.push_back({name, make("<i4")});
    for (const char* name : {"item", "span", "stride"}) wide_.push_back({name, make("<i8")});
    kind_ = make("|u1");
    for (auto& column : coefficients_) column = make(values_.type());
    for (auto* side : {&reads_, &writes_})
      for (Accesses& access : *side) access = {make("<i2"), make("<i8"), make(values_.type())};
  }

  void add(const Operation& operation) {
    const std::array<int, 4> whole = {operation.launch, operation.stage, operation.epoch, operation.line};
    for (std::size_t i = 0; i < whole.size(); ++i)
      whole_[i].column->append(bytes_of(static_cast<std::int32_t>(whole[i])));
    const bool butterfly = operation.kind == OperationKind::Butterfly;
    const std::array<std::uint64_t, 3> wide = {operation.item, butterfly ? operation.span() : 0,
                                               butterfly ? operation.stride() : 0};
    for (std::size_t i = 0; i < wide.size(); ++i) wide_[i].column->append(bytes_of(static_cast<std::int64_t>(wide[i])));
    kind_->append(bytes_of(static_cast<std::uint8_t>(operation.kind)));
    for (std::size_t i = 0; i < coefficients_.size(); ++i)
      values_.append(*coefficients_[i], static_cast<int>(i) < operation.coefficients.size()
                                            ? &operation.coefficients[static_cast<int>(i)]
                                            : nullptr);
    add(reads_, operation.reads);
    add(writes_, operation.writes);
    ++rows_;
  }

  void hand_over(NumpyArchive& archive) {
    for (auto* list : {&whole_, &wide_})
      for (Named& named : *list) hand_over(archive, named.name, {named.column.get()}, false);
    hand_over(archive, "op", {kind_.get()}, false);
    hand_over(archive, "coefficients", used(coefficients_), true);
    const auto part = [](std::array<Accesses, 4>& side, std::unique_ptr<Column> Accesses::*which) {
      std::vector<Column*> all;
      for (Accesses& access : side)
        if (access.index->used()) all.push_back((access.*which).get());
      return all;
    };
    const auto side = [&](const std::string& name, std::array<Accesses, 4>& accesses) {
      hand_over(archive, name + "_buffer", part(accesses, &Accesses::buffer), true);
      hand_over(archive, name + "_index", part(accesses, &Accesses::index), true);
      const bool values =
          std::any_of(accesses.begin(), accesses.end(), [](const Accesses& access) { return access.value->used(); });
      if (values) hand_over(archive, name + "_value", part(accesses, &Accesses::value), true);
    };
    side("read", reads_);
    side("write", writes_);
  }

 private:
  struct Named {
    const char* name;
    std::unique_ptr<Column> column;
  };
  struct Accesses {
    std::unique_ptr<Column> buffer, index, value;
  };

  fs::path folder_;
  ValueForm values_;
  int made_ = 0;
  std::uint64_t rows_ = 0;
  std::vector<Named> whole_, wide_;
  std::unique_ptr<Column> kind_;
  std::array<std::unique_ptr<Column>, 4> coefficients_;
  std::array<Accesses, 4> reads_, writes_;

  std::unique_ptr<Column> make(const std::string& type) {
    return std::make_unique<Column>(folder_ / std::to_string(made_++), type);
  }

  void add(std::array<Accesses, 4>& side, const FewOf<Access, 4>& accesses) {
    for (std::size_t i = 0; i < side.size(); ++i) {
      const Access* access = static_cast<int>(i) < accesses.size() ? &accesses[static_cast<int>(i)] : nullptr;
      const std::int64_t none = -1;
      side[i].buffer->append(bytes_of(static_cast<std::int16_t>(access ? access->buffer : none)));
      side[i].index->append(bytes_of(access ? static_cast<std::int64_t>(access->index) : none));
      values_.append(*side[i].value, access && access->known ? &access->value : nullptr);
      if (access) side[i].index->use();
    }
  }

  static std::vector<Column*> used(const std::array<std::unique_ptr<Column>, 4>& columns) {
    std::vector<Column*> all;
    for (const auto& column : columns)
      if (column->used()) all.push_back(column.get());
    return all;
  }

  // An array of one column, or of several side by side.
  void hand_over(NumpyArchive& archive, const std::string& name, const std::vector<Column*>& columns, bool several) {
    if (columns.empty()) return;
    NumpyLayout layout{columns.front()->type(), {rows_}, several};
    if (several) layout.shape.push_back(columns.size());
    archive.begin(name, layout);
    for (Column* column : columns) column->hand_over(archive);
    archive.end();
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
  for (int kind = 0; kind <= static_cast<int>(OperationKind::Store); ++kind)
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
  OperationColumns columns(info, folder.path());
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
