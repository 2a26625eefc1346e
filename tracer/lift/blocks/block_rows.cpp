#include "tracer/lift/blocks/block_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace twiddle {
namespace {

constexpr std::size_t max_sites_in_block = 255;

}  // namespace

void BlockRows::entry(const Place& at, const RowKey& key, bool barrier) {
  Entry one;
  one.order = at.record * 4 + static_cast<std::uint64_t>(at.place);
  one.bytes = arena_.size();
  one.item = at.item;
  one.epoch = 2 * static_cast<std::uint32_t>(at.epoch) + (barrier ? 1 : 0);
  const auto [known, fresh] = keys_.emplace(key, static_cast<std::uint32_t>(key_list_.size()));
  if (fresh) key_list_.push_back(key);
  one.key = known->second;
  entries_.push_back(one);
}

void BlockRows::put(const void* bytes, std::size_t count) {
  const std::size_t at = arena_.size();
  arena_.resize(at + count);
  std::memcpy(arena_.data() + at, bytes, count);
}

void BlockRows::put_number(ElementType type, std::complex<double> value) {
  std::array<std::byte, 16> bytes{};
  const ElementTraits& make = traits(type);
  for (int c = 0; c < make.components; ++c) {
    double component = c == 0 ? value.real() : value.imag();
    if (!make.floating) component = wrapped(type, std::round(component));
    set_component(type, bytes.data(), c, component);
  }
  put(bytes.data(), make.bytes);
}

void BlockRows::add(const Place& at, const RowKey& key, const Elements& all,
                    const std::vector<std::complex<double>>& coefficients) {
  const ShapeTraits& make = traits(key.shape);
  entry(at, key, false);
  std::array<std::uint32_t, std::size_t(2) * max_legs> words{};
  for (std::size_t r = 0; r < all.reads.size(); ++r) words[make.read_index[r]] = all.reads[r].index;
  for (std::size_t w = 0; w < all.writes.size(); ++w) words[make.write_index[w]] = all.writes[w].index;
  put(words.data(), static_cast<std::size_t>(make.index_words) * sizeof words[0]);
  for (int c = 0; c < make.coefficients; ++c) put_number(key.coefficient, coefficients[c]);
  const auto values = [&](const std::vector<Element>& elements, int count) {
    for (int v = 0; v < count; ++v) put(elements[v].bytes.data(), traits(elements[v].type).bytes);
  };
  values(all.reads, make.reads);
  values(all.writes, make.writes);
}

// Parts of one record, a vector's say, stay in the order in which they were added.
void BlockRows::order_by_record() {
  std::vector<std::uint32_t> first(records_ + 1);
  for (const Entry& one : entries_) ++first[one.order / 4 + 1];
  for (std::uint64_t k = 0; k < records_; ++k) first[k + 1] += first[k];
  order_.resize(entries_.size());
  for (std::uint32_t e = 0; e < entries_.size(); ++e) order_[first[entries_[e].order / 4]++] = e;
  for (std::size_t from = 0, to = 0; from < order_.size(); from = to) {
    while (to < order_.size() && at(to).order / 4 == at(from).order / 4) ++to;
    if (to - from > 1)
      std::stable_sort(order_.begin() + static_cast<std::ptrdiff_t>(from),
                       order_.begin() + static_cast<std::ptrdiff_t>(to),
                       [&](std::uint32_t a, std::uint32_t b) { return entries_[a].order < entries_[b].order; });
  }
}

void BlockRows::order_by_epoch() {
  std::uint32_t epochs = 0;
  for (const Entry& one : entries_) epochs = std::max(epochs, one.epoch + 1);
  std::vector<std::size_t> first(epochs + 1);
  for (const Entry& one : entries_) ++first[one.epoch + 1];
  for (std::uint32_t e = 0; e < epochs; ++e) first[e + 1] += first[e];
  std::vector<std::uint32_t> sorted(order_.size());
  for (const std::uint32_t e : order_) sorted[first[entries_[e].epoch]++] = e;
  order_ = std::move(sorted);
}

std::vector<LiftedBlocks::Part> BlockRows::blocks(int stage) {
  order_by_record();
  std::uint32_t slot = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (i > 0 && at(i).item != at(i - 1).item) slot = 0;
    entries_[order_[i]].slot = slot++;
  }
  order_by_epoch();
  std::vector<LiftedBlocks::Part> parts;
  for (std::size_t from = 0; from < order_.size();) from = block(from, stage, parts);
  // Barriers before the first operation are kept with it, for a segment of them alone would have nothing to show.
  const auto first =
      std::find_if(parts.begin(), parts.end(), [](const LiftedBlocks::Part& part) { return !part.block.barriers; });
  if (first != parts.end()) std::rotate(parts.begin(), first, first + 1);
  return parts;
}

std::size_t BlockRows::block(std::size_t from, int stage, std::vector<LiftedBlocks::Part>& parts) const {
  OperationBlock block;
  block.barriers = at(from).epoch % 2 != 0;
  std::vector<int> places(key_list_.size(), -1);
  std::vector<std::vector<std::size_t>> rows;
  std::size_t to = from;
  for (; to < order_.size() && to - from < block_capacity && at(to).epoch == at(from).epoch; ++to) {
    const Entry& one = at(to);
    int& place = places[one.key];
    if (place < 0) {
      if (rows.size() == max_sites_in_block) break;
      place = static_cast<int>(rows.size());
      rows.emplace_back();
      const RowKey& key = key_list_[one.key];
      SiteColumns columns;
      columns.site = key.site;
      columns.shape = key.shape;
      columns.value_type = key.value;
      columns.coefficient_type = key.coefficient;
      columns.buffers[0] = key.written;
      columns.buffers[1] = key.read;
      block.sites.push_back(std::move(columns));
    }
    std::vector<std::size_t>& own = rows[static_cast<std::size_t>(place)];
    block.push(one.item, one.slot, static_cast<std::size_t>(place), own.size());
    own.push_back(one.bytes);
  }
  block.close();
  for (std::size_t s = 0; s < block.sites.size() && !block.barriers; ++s) fill(block.sites[s], rows[s]);
  parts.push_back({static_cast<int>(at(from).epoch / 2), stage, std::move(block)});
  return to;
}

void BlockRows::fill(SiteColumns& columns, const std::vector<std::size_t>& rows) const {
  const ShapeTraits& make = traits(columns.shape);
  std::size_t at = 0;  // in each operation's bytes
  const auto column = [&](std::byte* out, std::size_t bytes) {
    for (std::size_t r = 0; r < rows.size(); ++r) std::memcpy(out + r * bytes, arena_.data() + rows[r] + at, bytes);
    at += bytes;
  };
  for (int w = 0; w < make.index_words; ++w) {
    columns.index.emplace_back(rows.size());
    column(reinterpret_cast<std::byte*>(columns.index.back().data()), sizeof(std::uint32_t));
  }
  const auto values = [&](int count, ElementType type, std::vector<std::vector<std::byte>>& out) {
    for (int v = 0; v < count; ++v) {
      out.emplace_back(rows.size() * traits(type).bytes);
      column(out.back().data(), traits(type).bytes);
    }
  };
  values(make.coefficients, columns.coefficient_type, columns.coefficients);
  values(make.reads, columns.value_type, columns.reads);
  values(make.writes, columns.value_type, columns.writes);
}

}  // namespace twiddle
