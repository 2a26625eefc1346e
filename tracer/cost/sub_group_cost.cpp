#include "tracer/cost/sub_group_cost.h"

#include "base/values/sorted.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace twiddle {
namespace {

constexpr std::uint64_t request_bytes = bank_count * bank_bytes;

/// The elements of the lanes that take part, those of `lanes`, in order of lanes; returns how many.
std::size_t gather(const SubGroupAccess& access, std::uint32_t lanes, std::span<std::uint64_t> into) {
  std::size_t count = 0;
  for (lanes &= access.active; lanes != 0; lanes &= lanes - 1) into[count++] = access.element[std::countr_zero(lanes)];
  return count;
}

/// Whether every lane reads the same element as the lane whose number differs in one bit, as far as both take part.
bool agree(const SubGroupAccess& access, std::uint64_t bit) {
  for (std::uint64_t lane = 0; lane < sub_group_size; ++lane) {
    const std::uint64_t other = lane ^ bit;
    if (access.takes_part(lane) && access.takes_part(other) && access.element[lane] != access.element[other])
      return false;
  }
  return true;
}

}  // namespace

SectorCost sector_cost(std::span<const SubGroupAccess> accesses, std::uint64_t element_bytes) {
  SectorCost cost;
  std::size_t count = 0;
  cost.elements.resize(static_cast<int>(accesses.size() * sub_group_size));
  const std::span<std::uint64_t> room(cost.elements.begin(), static_cast<std::size_t>(cost.elements.size()));
  for (const SubGroupAccess& access : accesses) count += gather(access, ~std::uint32_t(0), room.subspan(count));
  count = sort_unique(room.first(count));
  cost.elements.resize(static_cast<int>(count));
  cost.bytes = count * element_bytes;
  for (const std::uint64_t element : cost.elements) {
    const std::uint64_t sector = element * element_bytes / sector_bytes;
    if (cost.sectors.empty() || cost.sectors[cost.sectors.size() - 1] != sector) cost.sectors.push(sector);
  }
  return cost;
}

bool is_vector_load(std::span<const SubGroupAccess> parts) {
  const SubGroupAccess& lanes = parts[0];
  std::optional<std::uint32_t> before;
  for (std::uint64_t lane = 0; lane < sub_group_size; ++lane) {
    if (!lanes.takes_part(lane)) continue;
    const std::uint32_t element = lanes.element[lane];
    if (element % parts.size() != 0 || (before && element != *before + parts.size())) return false;
    before = element;
    for (std::size_t p = 1; p < parts.size(); ++p)
      if (parts[p].active != lanes.active || parts[p].element[lane] != element + p) return false;
  }
  return before.has_value();
}

BankCost bank_cost(const SubGroupAccess& access, std::uint64_t element_bytes, bool write) {
  BankCost cost;
  // Elements smaller than a bank's word are told apart by the word that they are in.
  const std::uint64_t unit_bytes = std::max<std::uint64_t>(element_bytes, request_bytes / bank_count);
  const std::uint64_t elements_at_once = request_bytes / unit_bytes;  // in different banks, if they are neighbours
  std::uint64_t lanes = elements_at_once;
  if (!write && lanes < sub_group_size && (agree(access, 1) || agree(access, 2))) lanes *= 2;
  for (std::uint64_t first = 0; first < sub_group_size; first += lanes) {
    const auto mask = static_cast<std::uint32_t>((std::uint64_t(1) << lanes) - 1) << first;
    std::array<std::uint64_t, sub_group_size> elements;
    std::size_t count = gather(access, mask, elements);
    if (count == 0) continue;
    BankCost::Request request{static_cast<int>(count), elements[0], 0};
    for (std::uint64_t& element : std::span(elements).first(count)) element = element * element_bytes / unit_bytes;
    count = sort_unique(std::span(elements).first(count));
    // Elements begin at multiples of their size, so that all words of two of them are in the same banks, or none.
    std::array<int, bank_count> in_banks{};
    std::array<int, sub_group_size> place{};  // of each element among those of its bank
    for (std::size_t e = 0; e < count; ++e) {
      place[e] = in_banks[elements[e] % elements_at_once]++;
      request.degree = std::max(request.degree, place[e] + 1);
    }
    const int before = cost.passes();
    for (std::uint64_t lane = first; lane < first + lanes; ++lane) {
      if (!access.takes_part(lane)) continue;
      const auto at = std::lower_bound(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(count),
                                       access.element[lane] * element_bytes / unit_bytes) -
                      elements.begin();
      cost.pass[lane] = static_cast<std::uint8_t>(before + place[static_cast<std::size_t>(at)]);
    }
    cost.requests.push(request);
  }
  return cost;
}

int BankCost::passes() const {
  int sum = 0;
  for (const Request& request : requests) sum += request.degree;
  return sum;
}

int BankCost::degree() const {
  int worst = 0;
  for (const Request& request : requests) worst = std::max(worst, request.degree);
  return worst;
}

Contention contention(std::span<std::uint64_t> elements) {
  std::sort(elements.begin(), elements.end());
  Contention worst;
  std::uint64_t together = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    together = i > 0 && elements[i] == elements[i - 1] ? together + 1 : 1;
    if (together > worst.turns) worst = {together, elements[i]};
  }
  return worst;
}

Contention contention(const SubGroupAccess& access) {
  std::array<std::uint64_t, sub_group_size> elements;
  return contention(std::span(elements).first(gather(access, ~std::uint32_t(0), elements)));
}

}  // namespace twiddle
