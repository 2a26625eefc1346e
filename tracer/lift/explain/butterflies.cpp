// Is it a butterfly, of which points in which order, and on which side are its twiddles?
#include "tracer/lift/explain/explain.h"

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

std::vector<int> reversed_digits(const std::vector<int>& slots, int base_bits) {
  const std::size_t n = slots.size();
  std::size_t bits = 0;
  while ((std::size_t(1) << bits) < n) ++bits;
  if ((std::size_t(1) << bits) != n || bits % base_bits != 0 || bits == std::size_t(base_bits)) return {};
  std::vector<int> out(n);
  const std::size_t mask = (std::size_t(1) << base_bits) - 1;
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t other = 0;
    for (std::size_t b = 0; b < bits; b += base_bits) other = (other << base_bits) | ((i >> b) & mask);
    out[i] = slots[other];
  }
  return out;
}

// Do the values decide? Each point differs from zero somewhere, else another operation would do as well. Of more than two points
// the moduli are most of what is compared: they differ somewhere, or each point is seen alone.
bool decisive(const std::vector<int>& reads, const SampledValues& values) {
  if (std::any_of(reads.begin(), reads.end(), [&](int slot) { return values.zero(slot); })) return false;
  if (reads.size() == 2) return true;
  std::vector<bool> alone(reads.size());
  for (std::size_t s = 0; s < values.count(); ++s) {
    double low = 0, high = 0;
    std::size_t some = 0, last = 0;
    for (std::size_t i = 0; i < reads.size(); ++i) {
      const double size = std::abs(values.number(reads[i], s));
      if (size == 0) continue;
      low = some == 0 ? size : std::min(low, size);
      high = std::max(high, size);
      last = i;
      ++some;
    }
    if (some >= 2 && high > 1.01 * low) return true;
    if (some == 1) alone[last] = true;
  }
  return std::all_of(alone.begin(), alone.end(), [](bool seen) { return seen; });
}

// How much larger all outputs are than the transform's: its energy is that of its points times their number, in any order
// they are. 0: samples disagree, or there is one alone that no common convention explains.
// `one_tells`: one sample is enough for any.
double common_scale(const std::vector<int>& reads, const std::vector<int>& writes, const SampledValues& values,
                    bool one_tells = false) {
  double first = 0, sum = 0;
  int telling = 0;
  for (std::size_t s = 0; s < values.count(); ++s) {
    double in = 0, out = 0;
    for (std::size_t i = 0; i < reads.size(); ++i) {
      in += std::norm(values.number(reads[i], s));
      out += std::norm(values.number(writes[i], s));
    }
    if (in == 0 && out == 0) continue;
    if (in == 0 || !(out > 0) || !std::isfinite(in) || !std::isfinite(out)) return 0;
    const double ratio = out / in;
    if (first == 0) first = ratio;
    if (std::abs(ratio - first) > 1e-3 * first) return 0;
    sum += ratio;
    ++telling;
  }
  if (telling == 0) return 0;
  const double n = static_cast<double>(reads.size()), scale = std::sqrt(sum / telling / n);
  for (const double usual : {1.0, 1 / std::sqrt(n), 1 / n})
    if (std::abs(scale - usual) < 1e-4 * usual) return usual;
  return telling >= (one_tells ? 1 : 2) ? scale : 0;
}

bool free_first_is_safe(const Pattern& pattern, const SampledValues& values) {
  if (pattern.reads.size() > 2) return true;
  std::size_t telling = 0;  // with two points the moduli are all there is
  for (std::size_t s = 0; s < values.count(); ++s)
    telling += values.number(pattern.reads[0], s) != 0.0 && values.number(pattern.reads[1], s) != 0.0;
  return telling >= 4;
}

}  // namespace

std::vector<std::vector<int>> point_orders(const std::vector<int>& slots, const std::vector<Slot>& all,
                                           const SampledValues& values) {
  std::vector<std::vector<int>> orders;
  const auto add = [&](std::vector<int> order) {
    if (!order.empty() && std::find(orders.begin(), orders.end(), order) == orders.end())
      orders.push_back(std::move(order));
  };
  std::vector<int> by_address = slots;
  std::stable_sort(by_address.begin(), by_address.end(), [&](int a, int b) {
    return std::pair(all[a].buffer, values.offset(a, 0)) < std::pair(all[b].buffer, values.offset(b, 0));
  });
  add(by_address);
  add(slots);
  for (const int base_bits : {1, 2}) {
    add(reversed_digits(by_address, base_bits));
    add(reversed_digits(slots, base_bits));
  }
  return orders;
}

bool find_butterfly(const std::vector<std::vector<int>>& reads, const std::vector<std::vector<int>>& writes,
                    const SampledValues& values, double tolerance, Pattern& found) {
  found.kind = LiftedKind::Butterfly;
  found.reads = reads[0];
  found.writes = writes[0];
  found.scale = common_scale(found.reads, found.writes, values);
  if (found.scale == 0 || !decisive(found.reads, values)) return false;
  const bool real = found.number == Number::Real;
  for (const bool free_first : {false, true})
    for (const std::vector<int>& in : reads)
      for (const std::vector<int>& out : writes)
        for (const bool time : {true, false})
          for (const int sign : {-1, 1}) {
            if (in.size() == 2 && (sign > 0 || (real && !time))) continue;
            if (free_first && real) continue;
            found.reads = in;
            found.writes = out;
            found.time = time;
            found.sign = sign;
            found.free_first = free_first;
            if (free_first && !free_first_is_safe(found, values)) continue;
            if (values.judge(found, tolerance) == Holds::Yes) return true;
          }
  return false;
}

bool may_be_butterfly(const std::vector<int>& reads, const std::vector<int>& writes, const SampledValues& values,
                      bool real) {
  return common_scale(reads, writes, values, real && reads.size() >= 3) != 0 && decisive(reads, values);
}

bool find_butterfly(const std::vector<int>& reads, const std::vector<int>& writes, const std::vector<Slot>& all,
                    const SampledValues& values, double tolerance, Pattern& found) {
  return may_be_butterfly(reads, writes, values) &&
         find_butterfly(point_orders(reads, all, values), point_orders(writes, all, values), values, tolerance, found);
}

bool find_real_butterfly(const std::vector<std::vector<int>>& reads, const std::vector<std::vector<int>>& writes,
                         bool real_outputs, const SampledValues& values, double tolerance, Pattern& found) {
  found.kind = LiftedKind::Butterfly;
  found.number = Number::Complex;
  // Without twiddles the outputs of one item tell more than one factor.
  found.scale = common_scale(reads[0], writes[0], values, reads[0].size() >= 3);
  if (found.scale == 0 || !decisive(reads[0], values)) return false;
  for (const bool turned : {false, true}) {
    if (turned && reads[0].size() == 2) break;
    for (const std::vector<int>& in : reads)
      for (const std::vector<int>& out : writes)
        for (const bool time : {false, true}) {
          // Without twiddles there are no sides, and of real outputs they are before.
          if (turned ? real_outputs && !time : time) continue;
          for (const int sign : {-1, 1}) {
            found.reads = in;
            found.writes = out;
            found.time = time || !turned;
            found.sign = sign;
            found.plain = !turned;
            found.free_first = turned;
            if (values.judge(found, tolerance) == Holds::Yes) return true;
          }
        }
  }
  return false;
}

bool find_stored_outputs(const std::vector<std::vector<int>>& reads, const std::vector<int>& writes,
                         const SampledValues& values, double tolerance, Pattern& found) {
  found.kind = LiftedKind::Butterfly;
  found.number = Number::Complex;
  found.plain = true;
  if (!decisive(reads[0], values)) return false;
  const int n = static_cast<int>(reads[0].size());
  Pattern best;
  for (const std::vector<int>& in : reads)
    for (const int sign : {-1, 1}) {
      if (n == 2 && sign > 0) continue;
      Pattern some = found, one = found;
      some.reads = one.reads = in;
      some.sign = one.sign = sign;
      for (int p = 0; p < n; ++p)
        for (const int w : writes) {
          if (values.zero(w)) continue;
          one.writes = {w};
          one.outputs = {p};
          if (values.judge(one, tolerance) != Holds::Yes) continue;
          if (std::find(some.writes.begin(), some.writes.end(), w) != some.writes.end()) continue;
          some.writes.push_back(w);
          some.outputs.push_back(p);
          break;
        }
      if (some.writes.size() > best.writes.size()) best = std::move(some);
    }
  if (best.writes.empty()) return false;
  if (std::ssize(best.outputs) == n) best.outputs.clear();  // all of them, in order
  found = std::move(best);
  return true;
}

}  // namespace twiddle
