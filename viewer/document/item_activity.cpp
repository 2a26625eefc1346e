#include "viewer/document/item_activity.h"

#include "viewer/document/flow.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace twiddle {
namespace {

constexpr std::uint64_t max_items = std::uint64_t(1) << 27;  // 16 MiB of bits a segment
constexpr std::uint64_t kept_bits = std::uint64_t(1) << 30;

/// The items of a segment, of whose operations the first `read` are read.
struct SegmentActivity {
  ItemActivity activity;
  std::uint64_t read = 0;
};
using KeptActivities = std::map<int, SegmentActivity>;

/// A sum over [first, end): whole pieces in the middle from their prefix sums, the ends item by item.
template <typename Each>
std::uint64_t by_pieces(const std::vector<std::uint64_t>& before, std::uint64_t piece, std::uint64_t first,
                        std::uint64_t end, const Each& each) {
  const std::uint64_t from = (first + piece - 1) / piece, to = end / piece;
  if (before.empty() || from >= to) return each(first, end);
  return each(first, from * piece) + before[to] - before[from] + each(to * piece, end);
}

}  // namespace

ItemActivity::ItemActivity(std::uint64_t items, std::uint64_t group)
    : items_(items), group_(std::max<std::uint64_t>(1, group)), bits_((items + 63) / 64) {}

void ItemActivity::add(std::uint64_t item) {
  if (item < items_) bits_[item / 64] |= std::uint64_t(1) << item % 64;
}

void ItemActivity::add_all() {
  all_ = true;
  bits_ = {};
}

bool ItemActivity::works(std::uint64_t item) const {
  return item < items_ && (all_ || (bits_[item / 64] >> item % 64 & 1) != 0);
}

std::uint64_t ItemActivity::count(std::uint64_t first, std::uint64_t end) const {
  end = std::min(end, items_);
  if (first >= end) return 0;
  if (all_) return end - first;
  return by_pieces(worked_before_, piece, first, end,
                   [this](std::uint64_t from, std::uint64_t to) { return count_each(from, to); });
}

std::uint64_t ItemActivity::count_each(std::uint64_t first, std::uint64_t end) const {
  if (first >= end) return 0;
  std::uint64_t sum = 0;
  for (std::uint64_t word = first / 64; word * 64 < end; ++word) {
    std::uint64_t bits = bits_[word];
    if (word * 64 < first) bits &= ~std::uint64_t(0) << first % 64;
    if (word * 64 + 64 > end) bits &= ~std::uint64_t(0) >> (64 - end % 64);
    sum += static_cast<std::uint64_t>(std::popcount(bits));
  }
  return sum;
}

SubGroup ItemActivity::sub_group_of(std::uint64_t item) const {
  const SubGroup whole = SubGroups(group_).of_item(item);
  return {whole.first, std::min(whole.end, items_)};
}

std::uint64_t ItemActivity::masked(std::uint64_t first, std::uint64_t end) const {
  end = std::min(end, items_);
  if (all_ || first >= end) return 0;
  return by_pieces(masked_before_, piece, first, end,
                   [this](std::uint64_t from, std::uint64_t to) { return masked_each(from, to); });
}

std::uint64_t ItemActivity::masked_each(std::uint64_t first, std::uint64_t end) const {
  std::uint64_t sum = 0;
  for (std::uint64_t item = first; item < end;) {
    const SubGroup lanes = sub_group_of(item);
    const std::uint64_t to = std::min(lanes.end, end);
    if (count_each(lanes.first, lanes.end) > 0) sum += to - item - count_each(item, to);
    item = to;
  }
  return sum;
}

void ItemActivity::count_up() {
  counted_ = true;
  totals_ = {};
  if (all_) {  // every sub-group is whole
    const std::uint64_t groups = items_ / group_, rest = items_ % group_;
    const auto parts = [&](std::uint64_t items) { return (items + sub_group() - 1) / sub_group(); };
    totals_ = {items_, items_, groups * parts(group_) + parts(rest), 0};
    return;
  }
  for (std::uint64_t item = 0; item < items_;) {
    const SubGroup lanes = sub_group_of(item);
    const std::uint64_t active = count_each(lanes.first, lanes.end), all = lanes.end - lanes.first;
    if (active > 0) {
      totals_.active += active;
      totals_.lanes += all;
      ++totals_.sub_groups;
      if (active < all) ++totals_.diverged;
    }
    item = lanes.end;
  }
  std::vector<std::uint64_t> worked{0}, masked{0};
  for (std::uint64_t first = 0; first + piece <= items_; first += piece) {
    worked.push_back(worked.back() + count_each(first, first + piece));
    masked.push_back(masked.back() + masked_each(first, first + piece));
  }
  worked_before_ = std::move(worked), masked_before_ = std::move(masked);
}

const ItemActivity* item_activity(Document& document, int number) {
  auto& activities = document.kept<KeptActivities>();
  const Segment& segment = document.info().segments[number];
  const LaunchInfo* launch = document.info().launch(segment.launch);
  if (!launch || launch->items() > max_items) return nullptr;
  auto found = activities.find(number);
  if (found == activities.end()) {
    std::uint64_t bits = launch->items();
    for (const auto& [key, kept] : activities) bits += kept.activity.items();
    if (bits > kept_bits) activities.clear();
    found = activities.emplace(number, SegmentActivity{{launch->items(), launch->group_size()}, 0}).first;
    if (segment.items == launch->items()) {
      found->second.activity.add_all();
      found->second.read = segment.count;
    }
  }
  SegmentActivity& made = found->second;
  while (made.read < segment.count) {
    if (!document.flow().has_time()) return nullptr;
    const auto block = document.replay->indices_of(segment.first_step + made.read);
    for (const std::uint32_t item : block->item) made.activity.add(item);
    made.read = block->first_step + block->count - segment.first_step;
  }
  if (!made.activity.counted()) {
    if (!document.flow().has_time()) return nullptr;
    made.activity.count_up();
  }
  return &made.activity;
}

}  // namespace twiddle
