#include "tracer/codec/codec_values.h"

#include "tracer/codec/columns/codec_columns.h"
#include "tracer/trace/memory/apply.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace twiddle {
namespace {

// Rows that are predicted at a time: their values stay in the nearest caches.
constexpr std::uint32_t batch_rows = 1024;
constexpr std::uint32_t variant_samples = 256;

ArithmeticType type_of(const SiteColumns& columns) {
  return {columns.shape, columns.value_type, columns.coefficient_type};
}

using Column = std::vector<std::byte>;

// Room for one batch of one column.
struct Batch {
  std::byte bytes[batch_rows * 16];
  std::span<std::byte> first(std::size_t size) { return {bytes, size}; }
};

// Batches of everything an operation has, allocated once a thread.
struct Scratch {
  std::array<Batch, max_legs> read, early, written;
};

Scratch& scratch() {
  thread_local const std::unique_ptr<Scratch> room = std::make_unique_for_overwrite<Scratch>();
  return *room;
}

// Where the columns of rows from `row` on begin, for the arithmetic; writes go to `out`.
ArithmeticColumns columns_at(const SiteColumns& columns, std::uint32_t row, std::uint32_t count,
                             std::array<Batch, max_legs>& out) {
  ArithmeticColumns result;
  result.count = count;
  const std::size_t value = traits(columns.value_type).bytes, coefficient = traits(columns.coefficient_type).bytes;
  for (std::size_t c = 0; c < columns.coefficients.size(); ++c)
    result.coefficients[c] = columns.coefficients[c].data() + row * coefficient;
  for (std::size_t r = 0; r < columns.reads.size(); ++r) result.reads[r] = columns.reads[r].data() + row * value;
  const std::size_t written = columns.shape == Shape::Term ? 1 : columns.writes.size();
  for (std::size_t w = 0; w < written; ++w) result.writes[w] = out[w].bytes;
  return result;
}

// The sum that the item's terms came to so far, for the stores that follow them.
struct RunningSum {
  std::optional<std::uint32_t> item;
  ElementType type = ElementType::Float2;
  std::array<std::byte, 16> value{};

  void set(std::uint32_t of_item, ElementType of_type, const std::byte* bytes) {
    item = of_item;
    type = of_type;
    std::memcpy(value.data(), bytes, traits(type).bytes);
  }
  // The prediction for a value of an item: zero when its terms are not the last that were seen.
  void get(std::uint32_t for_item, ElementType for_type, std::byte* out) const {
    if (item == for_item && type == for_type)
      std::memcpy(out, value.data(), traits(type).bytes);
    else
      std::memset(out, 0, traits(for_type).bytes);
  }
};

// Predicts writes without arithmetic.
void predict_plainly(WritePrediction how, const SiteColumns& columns, const std::uint32_t* item, std::uint32_t row,
                     std::uint32_t count, const RunningSum& sum, const std::byte* old_values, std::byte* out) {
  const std::size_t size = traits(columns.value_type).bytes;
  switch (how) {
    case predict_old_value: std::memcpy(out, old_values, count * size); return;
    case predict_last_sum:
      for (std::uint32_t i = 0; i < count; ++i) sum.get(item[i], columns.value_type, out + i * size);
      return;
    case predict_first_read:
      if (!columns.reads.empty()) {
        std::memcpy(out, columns.reads[0].data() + row * size, count * size);
        return;
      }
      [[fallthrough]];
    case predict_zero: std::memset(out, 0, count * size); return;
  }
}

// A Store reads what it overwrites, so that it can be predicted from that.
void read_old_values(const SiteColumns& columns, ReplayMemory::Rows& rows) {
  if (columns.shape != Shape::Store) return;
  rows.reads = 1;
  rows.read_buffer = rows.write_buffer;
  rows.read_index[0] = rows.write_index[0];
}

// Reads that differ from elements whose content is known. An atomic's do not count: the order of items is not known.
std::uint64_t inconsistent_reads(const SiteColumns& columns, const ReplayMemory& memory, const ReplayMemory::Rows& rows,
                                 std::size_t read, const std::byte* logged, const std::byte* predicted) {
  if (columns.shape == Shape::Atomic) return 0;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const std::span<const std::byte> expected(predicted + i * rows.size, rows.size);
    if (std::memcmp(expected.data(), logged + i * rows.size, rows.size) == 0) continue;
    count += !is_uninitialised(expected) || memory.always_known(rows.read_buffer, rows.size, rows.read_index[read][i]);
  }
  return count;
}

// ---- writing ----

// The variant that explains most of a sample of rows; the one that was right the last time is tried first.
int choose_variant(const SiteColumns& columns, const std::uint32_t* item, int hint) {
  const ArithmeticType type = type_of(columns);
  const int variants = variant_count(type);
  const bool sums = columns.shape == Shape::Term;
  const std::size_t size = traits(columns.value_type).bytes, coefficient_size = traits(columns.coefficient_type).bytes;

  // Rows apart by an odd number, so that powers of two do not hide anything. A term is told by the next term of its item.
  std::vector<std::uint32_t> rows;
  const std::uint32_t apart = std::max<std::uint32_t>(1, columns.count / variant_samples) | 1;
  for (std::uint32_t row = 0; row < columns.count && rows.size() < variant_samples; row += apart)
    if (!sums || (row + 1 < columns.count && item[row + 1] == item[row])) rows.push_back(row);

  std::array<Column, max_legs> coefficients, reads, expected;
  const auto sample = [&](const Column& column, std::size_t element, std::uint32_t later) {
    Column result;
    for (const std::uint32_t row : rows) {
      const auto from = column.begin() + static_cast<std::ptrdiff_t>((row + later) * element);
      result.insert(result.end(), from, from + static_cast<std::ptrdiff_t>(element));
    }
    return result;
  };
  ArithmeticColumns in;
  in.count = rows.size();
  for (std::size_t c = 0; c < columns.coefficients.size(); ++c)
    in.coefficients[c] = (coefficients[c] = sample(columns.coefficients[c], coefficient_size, 0)).data();
  for (std::size_t r = 0; r < columns.reads.size(); ++r)
    in.reads[r] = (reads[r] = sample(columns.reads[r], size, 0)).data();
  const std::size_t outputs = sums ? 1 : columns.writes.size();
  for (std::size_t w = 0; w < outputs; ++w)
    expected[w] = sums ? sample(columns.coefficients[1], coefficient_size, 1) : sample(columns.writes[w], size, 0);
  for (std::size_t w = 0; w < outputs; ++w) in.writes[w] = scratch().written[w].bytes;

  int best = 0;
  std::size_t most = 0;
  for (int attempt = -1; attempt < variants; ++attempt) {
    const int variant = attempt < 0 ? hint : attempt;
    if (variant < 0 || variant >= variants) continue;
    compute_writes(type, variant, in);
    std::size_t right = 0;
    for (std::size_t w = 0; w < outputs; ++w)
      for (std::size_t i = 0; i < rows.size(); ++i)
        right += std::memcmp(in.writes[w] + i * size, expected[w].data() + i * size, size) == 0;
    if (right > most || attempt < 0) {
      most = right;
      best = variant;
    }
    if (most == outputs * rows.size()) break;
  }
  return best;
}

// The differences of one site's columns.
struct SiteWriter {
  int variant = predict_first_read;
  std::vector<DifferenceBuilder> reads, writes, sums;
  // A Store's other ways, and how many batches each got right.
  std::vector<DifferenceBuilder> store_ways;
  std::array<std::uint32_t, 3> store_right{};
};
constexpr std::array<WritePrediction, 3> store_ways = {predict_last_sum, predict_zero, predict_old_value};

class ValueWriter {
 public:
  ValueWriter(const OperationBlock& block, CodecState& state, std::uint64_t& inconsistent)
      : block_(block), state_(state), memory_(state.memory()), inconsistent_(inconsistent), sites_(block.sites.size()) {
    for (std::size_t s = 0; s < sites_.size(); ++s) prepare(block.sites[s], sites_[s], items_of(s));
    for_site_runs(block, 0, block.count,
                  [&](std::size_t site, std::uint32_t op, std::uint32_t row, std::uint32_t count) {
                    for (std::uint32_t done = 0; done < count; done += batch_rows)
                      batch(block.sites[site], sites_[site], op + done, row + done, std::min(batch_rows, count - done));
                  });
  }

  void write(ByteWriter& out) const {
    out.byte(independent_);
    for (const SiteWriter& site : sites_) {
      for (const DifferenceBuilder& read : site.reads) read.write(out);
      if (!site.store_ways.empty()) {
        const auto best = static_cast<std::size_t>(std::max_element(site.store_right.begin(), site.store_right.end()) -
                                                   site.store_right.begin());
        out.byte(store_ways[best]);
        site.store_ways[best].write(out);
        continue;
      }
      if (site.writes.empty() && site.sums.empty()) continue;
      out.byte(static_cast<std::uint8_t>(site.variant));
      for (const DifferenceBuilder& sum : site.sums) sum.write(out);
      for (const DifferenceBuilder& write : site.writes) write.write(out);
    }
  }

 private:
  // The items of a site's rows.
  std::vector<std::uint32_t> items_of(std::size_t site) const {
    if (block_.site.empty()) return block_.item;
    std::vector<std::uint32_t> items;
    for (std::size_t i = 0; i < block_.item.size(); ++i)
      if (block_.site[i] == site) items.push_back(block_.item[i]);
    return items;
  }

  void prepare(const SiteColumns& columns, SiteWriter& site, const std::vector<std::uint32_t>& items) {
    const std::size_t bytes = columns.count * traits(columns.value_type).bytes,
                      component = component_bytes(columns.value_type);
    site.reads.assign(columns.reads.size(), DifferenceBuilder(bytes, component));
    if (columns.shape == Shape::Store) {
      site.store_ways.assign(store_ways.size(), DifferenceBuilder(bytes, component));
      return;
    }
    site.writes.assign(columns.writes.size(), DifferenceBuilder(bytes, component));
    const bool sums = predicts_sums(columns);
    if (sums) site.sums.assign(1, DifferenceBuilder(bytes, component));
    if ((columns.writes.empty() && !sums) || variant_count(type_of(columns)) == 0) return;
    const auto hint = state_.variants().find(columns.site);
    site.variant = choose_variant(columns, items.data(), hint == state_.variants().end() ? -1 : hint->second);
    state_.variants()[columns.site] = site.variant;
  }

  void batch(const SiteColumns& columns, SiteWriter& site, std::uint32_t op, std::uint32_t row, std::uint32_t count) {
    const std::uint32_t* item = block_.item.data() + op;
    ReplayMemory::Rows rows = rows_of(columns, item, row, count);
    const std::size_t size = rows.size, bytes = count * size, offset = row * size;
    read_old_values(columns, rows);

    // Reads, as they were before the batch and as they come row by row; then the batch has been performed.
    if (adds(columns)) {
      rows.read_out[0] = scratch().read[0].bytes;
      rows.write_in[0] = columns.coefficients[0].data() + offset;
      memory_.step_adding(rows, columns.value_type);
    } else {
      if (independent_ && count > 1 && rows.reads > 0) {
        for (std::size_t r = 0; r < std::size_t(rows.reads); ++r) rows.read_out[r] = scratch().early[r].bytes;
        memory_.gather(rows);
      }
      for (std::size_t r = 0; r < std::size_t(rows.reads); ++r) rows.read_out[r] = scratch().read[r].bytes;
      memory_.step(rows);
      for (std::size_t r = 0; r < std::size_t(rows.reads); ++r)
        if (independent_ && count > 1 && std::memcmp(scratch().early[r].bytes, scratch().read[r].bytes, bytes) != 0)
          independent_ = false;
    }
    for (std::size_t r = 0; r < columns.reads.size(); ++r) {
      const std::byte* logged = columns.reads[r].data() + offset;
      if (!site.reads[r].add(offset, {logged, bytes}, scratch().read[r].first(bytes)))
        inconsistent_ += inconsistent_reads(columns, memory_, rows, r, logged, scratch().read[r].bytes);
    }

    if (columns.shape == Shape::Store) return store(columns, site, item, row, count);
    if (columns.shape == Shape::Term) return term(columns, site, item, row, count);
    if (columns.writes.empty()) return;
    predict(columns, site, item, row, count);
    for (std::size_t w = 0; w < columns.writes.size(); ++w)
      site.writes[w].add(offset, std::span(columns.writes[w]).subspan(offset, bytes),
                         scratch().written[w].first(bytes));
  }

  void predict(const SiteColumns& columns, const SiteWriter& site, const std::uint32_t* item, std::uint32_t row,
               std::uint32_t count) {
    if (site.variant < variant_count(type_of(columns)))
      return compute_writes(type_of(columns), site.variant, columns_at(columns, row, count, scratch().written));
    for (std::size_t w = 0; w < columns.writes.size(); ++w)
      predict_plainly(static_cast<WritePrediction>(site.variant), columns, item, row, count, sum_, nullptr,
                      scratch().written[w].bytes);
  }

  void store(const SiteColumns& columns, SiteWriter& site, const std::uint32_t* item, std::uint32_t row,
             std::uint32_t count) {
    const std::size_t size = traits(columns.value_type).bytes;
    for (std::size_t way = 0; way < store_ways.size(); ++way) {
      predict_plainly(store_ways[way], columns, item, row, count, sum_, scratch().read[0].bytes,
                      scratch().written[0].bytes);
      site.store_right[way] +=
          site.store_ways[way].add(row * size, std::span(columns.writes[0]).subspan(row * size, count * size),
                                   scratch().written[0].first(count * size));
    }
  }

  // Each sum is predicted by the term before it, when that was the same item's.
  void term(const SiteColumns& columns, SiteWriter& site, const std::uint32_t* item, std::uint32_t row,
            std::uint32_t count) {
    if (site.sums.empty()) return;
    const std::size_t size = traits(columns.value_type).bytes;
    Batch& sums = scratch().written[0];
    compute_writes(type_of(columns), site.variant, columns_at(columns, row, count, scratch().written));
    std::byte* predicted = scratch().early[0].bytes;
    sum_.get(item[0], columns.value_type, predicted);
    for (std::uint32_t i = 1; i < count; ++i)
      if (item[i] == item[i - 1])
        std::memcpy(predicted + i * size, sums.bytes + (i - 1) * size, size);
      else
        std::memset(predicted + i * size, 0, size);
    site.sums[0].add(row * size, std::span(columns.coefficients[1]).subspan(row * size, count * size),
                     {predicted, count * size});
    sum_.set(item[count - 1], columns.value_type, sums.bytes + (count - 1) * size);
  }

  const OperationBlock& block_;
  CodecState& state_;
  ReplayMemory& memory_;
  std::uint64_t& inconsistent_;
  std::vector<SiteWriter> sites_;
  RunningSum sum_;
  bool independent_ = true;  // reading a batch of rows before writing any gives the same as row by row
};

// ---- reading ----

struct SiteReader {
  int variant = predict_first_read;
  std::vector<StoredDifference> reads, writes, sums;
};

class ValueReader {
 public:
  ValueReader(ByteReader& in, OperationBlock& block, CodecState& state, std::uint64_t& inconsistent)
      : block_(block), memory_(state.memory()), inconsistent_(inconsistent), sites_(block.sites.size()) {
    batch_ = in.byte() != 0 ? batch_rows : 1;
    for (std::size_t s = 0; s < sites_.size(); ++s) read_site(in, block.sites[s], sites_[s]);
    for_site_runs(block, 0, block.count,
                  [&](std::size_t site, std::uint32_t op, std::uint32_t row, std::uint32_t count) {
                    const bool by_itself = adds(block.sites[site]);  // row by row at any length
                    const std::uint32_t step = by_itself ? batch_rows : batch_;
                    for (std::uint32_t done = 0; done < count; done += step)
                      batch(block.sites[site], sites_[site], op + done, row + done, std::min(step, count - done));
                  });
  }

 private:
  static void read_site(ByteReader& in, SiteColumns& columns, SiteReader& site) {
    const ShapeTraits& shape = traits(columns.shape);
    const std::size_t bytes = columns.count * traits(columns.value_type).bytes,
                      component = component_bytes(columns.value_type);
    columns.reads.resize(static_cast<std::size_t>(shape.reads));
    columns.writes.resize(static_cast<std::size_t>(shape.writes));
    for (Column& column : columns.reads) {
      column.resize(bytes);
      site.reads.emplace_back(in, bytes, component);
    }
    const bool sums = predicts_sums(columns);
    if (columns.writes.empty() && !sums) return;
    site.variant = in.byte();
    const bool plain = site.variant >= predict_old_value;
    if (!plain && site.variant >= variant_count(type_of(columns)))
      throw unreadable("a block of the trace predicts its writes in an unknown way");
    if (sums && plain) throw unreadable("a block of the trace predicts its sums in an unknown way");
    if (site.variant == predict_old_value && columns.shape != Shape::Store)
      throw unreadable("a block of the trace predicts its writes in an unknown way");
    if (sums) site.sums.emplace_back(in, bytes, component);
    for (Column& column : columns.writes) {
      column.resize(bytes);
      site.writes.emplace_back(in, bytes, component);
    }
  }

  void batch(SiteColumns& columns, const SiteReader& site, std::uint32_t op, std::uint32_t row, std::uint32_t count) {
    const std::uint32_t* item = block_.item.data() + op;
    ReplayMemory::Rows rows = rows_of(columns, item, row, count);
    const std::size_t size = rows.size, bytes = count * size, offset = row * size;
    read_old_values(columns, rows);
    const bool store = columns.shape == Shape::Store;
    for (std::size_t r = 0; r < std::size_t(rows.reads); ++r)
      rows.read_out[r] = store ? scratch().read[0].bytes : columns.reads[r].data() + offset;
    if (adds(columns)) {
      rows.write_in[0] = columns.coefficients[0].data() + offset;
      memory_.step_adding(rows, columns.value_type);
    } else {
      memory_.gather(rows);
    }
    for (std::size_t r = 0; r < columns.reads.size(); ++r) {
      if (site.reads[r].empty()) continue;
      std::byte* value = columns.reads[r].data() + offset;
      std::memcpy(scratch().early[0].bytes, value, bytes);
      site.reads[r].add(offset, {value, bytes});
      inconsistent_ += inconsistent_reads(columns, memory_, rows, r, value, scratch().early[0].bytes);
    }

    if (columns.shape == Shape::Term) return term(columns, site, item, row, count);
    if (columns.writes.empty()) return;
    if (site.variant < predict_old_value) {
      ArithmeticColumns in = columns_at(columns, row, count, scratch().written);
      for (std::size_t w = 0; w < columns.writes.size(); ++w) in.writes[w] = columns.writes[w].data() + offset;
      compute_writes(type_of(columns), site.variant, in);
    } else {
      for (Column& column : columns.writes)
        predict_plainly(static_cast<WritePrediction>(site.variant), columns, item, row, count, sum_,
                        scratch().read[0].bytes, column.data() + offset);
    }
    for (std::size_t w = 0; w < columns.writes.size(); ++w)
      site.writes[w].add(offset, std::span(columns.writes[w]).subspan(offset, bytes));
    if (!adds(columns)) memory_.scatter(rows);
  }

  void term(SiteColumns& columns, const SiteReader& site, const std::uint32_t* item, std::uint32_t row,
            std::uint32_t count) {
    if (site.sums.empty()) return;
    const std::size_t size = traits(columns.value_type).bytes;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::size_t offset = (row + i) * size;
      sum_.get(item[i], columns.value_type, columns.coefficients[1].data() + offset);
      site.sums[0].add(offset, std::span(columns.coefficients[1]).subspan(offset, size));
      compute_writes(type_of(columns), site.variant, columns_at(columns, row + i, 1, scratch().written));
      sum_.set(item[i], columns.value_type, scratch().written[0].bytes);
    }
  }

  OperationBlock& block_;
  ReplayMemory& memory_;
  std::uint64_t& inconsistent_;
  std::vector<SiteReader> sites_;
  RunningSum sum_;
  std::uint32_t batch_ = 1;
};

}  // namespace

bool predicts_sums(const SiteColumns& columns) {
  return columns.shape == Shape::Term && variant_count(type_of(columns)) > 0;
}

void write_values(ByteWriter& out, const OperationBlock& block, CodecState& state, std::uint64_t& inconsistent) {
  ValueWriter(block, state, inconsistent).write(out);
}

void read_values(ByteReader& in, OperationBlock& block, CodecState& state, std::uint64_t& inconsistent) {
  const ValueReader reader(in, block, state, inconsistent);
}

}  // namespace twiddle
