#include "tracer/checks/cost/bank_rows.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace twiddle {
namespace {

constexpr std::uint64_t max_bytes = 128;  // that bank_cost() knows of

}  // namespace

void BankRows::add(const AccessEvent& event, const BufferInfo& buffer, std::uint64_t lane) {
  if (event.item != item_) {
    times_.clear();
    last_ = {-1, false, 0, 0};
    item_ = event.item;
  }
  const AccessSite& site = *event.site;
  const std::uint32_t number = event.log->site[event.record];
  const std::uint64_t chunk = std::max<std::uint64_t>(event.bytes(), 1);
  // A vector is several records in a row. One of three components is as many accesses.
  std::uint64_t bytes = traits(site.type).bytes * std::max<std::uint64_t>(site.components, 1);
  if (!std::has_single_bit(bytes) || bytes < chunk || bytes > max_bytes) bytes = chunk;
  const std::uint64_t records = bytes / chunk, time = times_[number]++;
  if (time % records != 0) return;
  // A component stands for its element, whose other components come in the same way.
  const ElementTraits& whole = traits(buffer.type);
  if (whole.components > 1 && whole.bytes > bytes && std::has_single_bit(whole.bytes)) {
    bytes = whole.bytes;
    const std::tuple at(event.buffer, is_write(site.kind), event.offset / bytes, bytes);
    if (std::exchange(last_, at) == at) return;
  } else {
    last_ = {-1, false, 0, 0};
    if (event.offset % bytes != 0) bytes = chunk;
  }
  const auto [at, fresh] = known_.try_emplace(Key(number, event.buffer, bytes, time / records), rows_.size());
  if (fresh) {
    if (rows_.size() == max_rows) {
      known_.erase(at);
      return;
    }
    rows_.push_back({site, event.buffer, event.epoch, event.item, bytes, {}});
  }
  rows_[at->second].lanes.add(lane, event.offset / bytes);
}

void BankRows::clear() {
  rows_.clear();
  known_.clear();
  times_.clear();
  item_ = ~std::uint64_t(0);
}

}  // namespace twiddle
