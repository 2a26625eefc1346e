// Butterflies of transforms of real values: real inputs or outputs, outputs that were never stored because they are others'
// conjugates, inputs that are read as another's conjugate, and parts of complex values that are not even read.
#include "tracer/lift/explain/explainer.h"

namespace twiddle {
namespace {

constexpr std::size_t max_real_points = 64, max_prime_reads = 3 * 1024 + 1;
constexpr std::size_t max_terms_of_pairs = 16;
constexpr std::size_t max_runs_between = 4;  // of real parts and of their imaginary parts

}  // namespace

int Explainer::derived(Derived how, int s) {
  const auto [at, fresh] = derived_.emplace(std::pair(how, s), static_cast<int>(result_.slots.size()));
  if (!fresh) return at->second;
  Slot made = slot(s);
  switch (how) {
    case Derived::Conjugate: made.conjugated = !made.conjugated; break;
    case Derived::Second:
      if (made.records == 2)
        made.record[0] = made.record[1], made.byte[0] = made.byte[1];
      else
        made.byte[0] = static_cast<std::uint8_t>(made.byte[0] + made.width);
      [[fallthrough]];
    case Derived::First:
      made.records = 1;
      made.number = Number::Real;
      break;
    case Derived::Turned:
      made.number = Number::Complex;
      made.imaginary = true;
      break;
    case Derived::Widened:
      made.number = Number::Complex;
      made.real = true;
      break;
  }
  const auto parts = pair_parts_.find(s);
  pair_parts_.emplace(at->second, parts == pair_parts_.end() ? std::pair(s, s) : parts->second);
  result_.slots.push_back(made);
  values_.add(made);
  return at->second;
}

Slots Explainer::real_view(bool split, bool in_time) {
  std::vector<std::pair<std::uint32_t, int>> view;
  for (std::size_t i = 0; i < plain_.size(); ++i) {
    const int s = plain_[i];
    const Slot one = slot(s);
    // Two numbers that were written at once, though their places are a real number's each.
    if (!split && one.number == Number::Real && i + 1 < plain_.size())
      if (const Slot& next = slot(plain_[i + 1]);
          next.number == Number::Real && next.record[0] == one.record[0] && next.byte[0] == one.byte[0] + one.width) {
        view.emplace_back(one.last_record(), pair_of(s, plain_[++i]));
        continue;
      }
    // Two neighbours in local memory may be two values' real parts.
    if (split && one.local && one.number == Number::Complex && one.records == 2)
      for (const Derived part : {Derived::First, Derived::Second}) {
        const int half = derived(part, s);
        view.emplace_back(slot(half).record[0], half);
      }
    else
      view.emplace_back(one.last_record(), s);
  }
  std::stable_sort(view.begin(), view.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Slots all;
  for (const auto& one : view) all.push_back(one.second);
  if (!in_time) return all;

  const std::vector<Run> runs = runs_of(all);
  std::map<int, std::uint32_t> moved;  // to behind the record
  std::set<int> gone;
  const auto reals = [&](const Run& run) {
    std::map<std::pair<int, std::uint64_t>, int> some;
    for (const int s : run.slots)
      if (slot(s).number == Number::Real && !gone.contains(s)) some.emplace(std::pair(slot(s).buffer, place(s)), s);
    return some;
  };
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const auto first = reals(runs[r]);
    if (first.size() < 2) continue;
    for (std::size_t later = r + 1; later < runs.size() && later <= r + max_runs_between; ++later) {
      if (runs[later].write != runs[r].write) continue;
      const auto second = reals(runs[later]);
      // Of what is real as a whole no imaginary part is read.
      if (second.empty() || second.size() > first.size() || 2 * second.size() < first.size()) continue;
      if (runs[r].write && second.size() != first.size()) continue;
      const bool same = std::all_of(second.begin(), second.end(), [&](const auto& one) {
        const auto at = first.find(one.first);
        return at != first.end() && slot(at->second).width == slot(one.second).width &&
               in_every_sample([&](std::size_t s) { return place(at->second, s) == place(one.second, s); });
      });
      if (!same) continue;
      const std::uint32_t end = slot(second.rbegin()->second).last_record();
      for (const auto& [where, real] : first) {
        const auto imaginary = second.find(where);
        if (imaginary == second.end()) {
          moved[real] = end;
          continue;
        }
        const int both = pair_of(real, imaginary->second);
        gone.insert(real);
        gone.insert(imaginary->second);
        view.emplace_back(slot(both).last_record(), both);
      }
      break;
    }
  }
  std::erase_if(view, [&](const auto& one) { return gone.contains(one.second); });
  for (auto& [record, s] : view)
    if (const auto at = moved.find(s); at != moved.end()) record = at->second;
  std::stable_sort(view.begin(), view.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Slots sorted;
  for (const auto& one : view) sorted.push_back(one.second);
  return sorted;
}

bool Explainer::prime_point(const Slots& reads, int w) {
  const bool complex = slot(w).number == Number::Complex;
  if (reads.size() < 7 || reads.size() > max_prime_reads || reads.size() % 3 != 1 || values_.zero(w)) return false;
  Pattern pattern = pattern_like(w, LiftedKind::Linear);
  pattern.writes = {w};
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const Number number = slot(reads[i]).number;
    if (slot(reads[i]).width != slot(w).width || number != (i > 0 && i % 3 == 0 ? Number::Complex : slot(w).number))
      return false;
    if (i == 0 || i % 3 != 0) pattern.reads.push_back(reads[i]);
  }
  pattern.conjugated.assign(pattern.reads.size(), false);
  if (telling(pattern.reads, pattern.reads.size() / 2) == 0) return false;
  // Inverse transforms exchange the parts of what they read, and of the outcome.
  const Slots as_read = pattern.reads;
  for (const int way : {0, 1, 2, 3}) {
    const bool negative = way % 2 != 0;
    if (way == 2 && !complex) break;
    if (way == 2)
      std::transform(as_read.begin(), as_read.end(), pattern.reads.begin(), [&](int s) { return exchanged(s); });
    pattern.tables = {-1};
    for (std::size_t i = 3; i < reads.size(); i += 3) {
      int sine = derived(Derived::Second, reads[i]);
      if (complex) sine = derived(Derived::Turned, sine);
      pattern.tables.push_back(derived(Derived::First, reads[i]));
      pattern.tables.push_back(negative ? derived(Derived::Conjugate, sine) : sine);
    }
    if (!in_every_sample([&](std::size_t s) {
          Complex sum = 0;
          double size = 0;
          for (std::size_t i = 0; i < pattern.reads.size(); ++i) {
            const Complex factor = pattern.tables[i] < 0 ? 1 : values_.number(pattern.tables[i], s);
            sum += times(factor, values_.number(pattern.reads[i], s));
            size += std::abs(values_.number(pattern.reads[i], s));
          }
          return std::abs(sum - values_.number(w, s)) <= tolerance(w) / 4 * size;
        }))
      continue;
    for (std::size_t i = 3; i < reads.size(); i += 3) mark(used_, reads[i]);
    accept(std::move(pattern));
    return true;
  }
  return false;
}

void Explainer::real_transforms(const std::vector<Run>& runs) {
  for (std::size_t at = 1; at < runs.size(); ++at)
    if (runs[at].write && !runs[at - 1].write && runs[at - 1].slots.size() >= 7)
      for (const int w : open_writes(runs[at].slots))
        if (slot(w).number != Number::Whole) prime_point(runs[at - 1].slots, w);
  each_writes(runs, [&](std::size_t at, const Slots& writes) {
    const int like = writes.front();
    if (slot(like).number == Number::Whole || writes.size() > max_real_points) return;
    std::uint32_t begin = UINT32_MAX;
    for (const int w : writes)
      for (int r = 0; r < slot(w).records; ++r) begin = std::min(begin, slot(w).record[r]);
    std::vector<Slots> candidates;
    const auto add = [&](Slots slots) {
      if (slots.size() >= 2 && slots.size() <= max_real_points &&
          std::find(candidates.begin(), candidates.end(), slots) == candidates.end())
        candidates.push_back(std::move(slots));
    };
    const auto readable = [&](int s) {
      return slot(s).number != Number::Whole && slot(s).width == slot(like).width && !table(s);
    };
    std::size_t blocks = 0;
    for (std::size_t r = at; r-- > 0 && blocks < 2;) {
      if (runs[r].write) continue;
      Slots block, epoch;
      for (const int s : runs[r].slots) {
        if (!readable(s)) continue;
        if (r + 1 == at && slot(s).epoch == runs[at].epoch) epoch.push_back(s);
        // What is read after the first part was written is of the next operation.
        if (slot(s).record[0] < begin) block.push_back(s);
      }
      if (block.empty()) continue;
      ++blocks;
      std::map<int, Slots> of_buffer;
      Slots unused;
      for (const int s : block) {
        if (!used(s)) unused.push_back(s);
        of_buffer[slot(s).buffer].push_back(s);
      }
      Slots same;
      std::copy_if(block.begin(), block.end(), std::back_inserter(same), [&](int s) { return alike(s, like); });
      add(std::move(block));
      add(std::move(epoch));
      add(std::move(same));
      add(std::move(unused));
      for (auto& [buffer, slots] : of_buffer) add(std::move(slots));
    }
    if (writes.size() >= 2)
      for (const Slots& reads : candidates)
        if (real_transform(reads, writes)) return;
    // Halves of spectra, and one output of a butterfly of two.
    if (slot(like).number != Number::Complex) return;
    for (const Slots& reads : candidates) {
      if (!std::all_of(reads.begin(), reads.end(), [&](int s) { return alike(s, like); })) continue;
      if (const Slots left = open_writes(writes); left.empty() || halves(reads, left)) return;
      if (reads.size() <= max_terms_of_pairs && writes.size() <= 4)
        for (const int w : open_writes(writes)) pair_reduction(reads, w);
    }
  });
}

bool Explainer::mirrored(const Slots& reads, Slots& ordered) {
  // Of a spectrum's half the items go up in it with some reads, and down with those that stand for the other half.
  for (std::size_t s = 1; s < values_.count(); ++s) {
    Slots up, down;
    std::uint64_t step = 0;
    for (const int r : reads) {
      const std::uint64_t ahead = place(r, s) - place(r, 0), back = place(r, 0) - place(r, s);
      if (step == 0) step = std::min(ahead, back);
      if (step == 0 || std::min(ahead, back) != step) break;
      (ahead == step ? up : down).push_back(r);
    }
    if (up.size() + down.size() != reads.size() || up.empty() || down.empty()) continue;
    const auto by_place = [&](int a, int b) { return place(a, s) < place(b, s); };
    std::stable_sort(up.begin(), up.end(), by_place);
    std::stable_sort(down.rbegin(), down.rend(), by_place);
    ordered = std::move(up);
    for (const int r : down) ordered.push_back(slot(r).number == Number::Complex ? derived(Derived::Conjugate, r) : r);
    return true;
  }
  return false;
}

bool Explainer::real_transform(const Slots& reads, const Slots& writes) {
  const auto complex = [&](int s) { return slot(s).number == Number::Complex; };
  const auto widened = [&](Slots slots) {
    for (int& s : slots)
      if (!complex(s)) s = derived(Derived::Widened, s);
    return slots;
  };
  const auto halves_of = [&](const Slots& slots) {
    Slots halves;
    for (const int s : slots)
      for (const Derived part : {Derived::First, Derived::Second}) halves.push_back(derived(part, s));
    return halves;
  };
  const bool all_complex = std::all_of(reads.begin(), reads.end(), complex), to_complex = complex(writes.front());
  const Slots sorted = by_address(distinct(reads)), sorted_writes = by_address(writes);
  Slots some;
  if (mirrored(reads, some) && real_groups(widened(some), widened(sorted_writes))) return true;
  if (real_groups(widened(sorted), widened(sorted_writes))) return true;
  if (sorted != reads && real_groups(widened(reads), widened(sorted_writes))) return true;
  // Real points side by side.
  if (all_complex && to_complex && 2 * sorted.size() <= max_real_points && writes.size() <= 2 * sorted.size() &&
      real_groups(widened(halves_of(sorted)), sorted_writes))
    return true;
  // Half of a spectrum, whole in one item.
  const std::size_t points = 2 * (sorted.size() - 1);
  if (sorted.size() >= 3 && points <= static_cast<std::size_t>(options_.max_radix) &&
      writes.size() == (to_complex ? points / 2 : points)) {
    Slots whole = widened(sorted);
    for (std::size_t q = sorted.size(); q < points; ++q)
      whole.push_back(derived(Derived::Conjugate, whole[points - q]));
    if (real_groups(whole, widened(to_complex ? halves_of(sorted_writes) : sorted_writes))) return true;
  }
  return false;
}

bool Explainer::real_groups(const Slots& reads, const Slots& writes) {
  const std::size_t n = reads.size(), m = writes.size();
  if (m > n || n > max_real_points) return false;
  for (std::size_t radix = std::min<std::size_t>(n, options_.max_radix); radix >= 2; --radix) {
    if (n % radix != 0) continue;
    for (const bool strided_in : {true, false}) {
      if (radix == n && !strided_in) continue;
      for (const bool strided_out : {true, false}) {
        if ((radix == n || m < n) && !strided_out) continue;
        std::vector<Pattern> found;
        Slots left = writes;
        for (std::size_t g = 0; g < n / radix; ++g) {
          const Slots points = group(reads, radix, g, strided_in);
          const Slots outputs = m == n ? group(writes, radix, g, strided_out) : Slots();
          if (m == n && !may_be_butterfly(points, outputs, values_, true)) break;
          const std::vector<Slots> in = point_orders(points, result_.slots, values_);
          Pattern pattern = pattern_like(writes.front(), LiftedKind::Butterfly);
          const bool fits = m == n ? find_real_butterfly(
                                         in, point_orders(outputs, result_.slots, values_),
                                         std::any_of(writes.begin(), writes.end(), [&](int s) { return slot(s).real; }),
                                         values_, tolerance(writes.front()), pattern)
                                   : find_stored_outputs(in, left, values_, tolerance(writes.front()), pattern);
          if (!fits) break;
          std::erase_if(left, [&](int s) {
            return std::find(pattern.writes.begin(), pattern.writes.end(), s) != pattern.writes.end();
          });
          found.push_back(std::move(pattern));
        }
        if (found.size() != n / radix || (m < n && !left.empty())) continue;
        // The first outputs alone are sums.
        if (m < n && std::all_of(found.begin(), found.end(), [](const Pattern& one) {
              return std::all_of(one.outputs.begin(), one.outputs.end(), [](int p) { return p == 0; });
            }))
          continue;
        for (Pattern& pattern : found)
          if (pattern.plain)
            accept(std::move(pattern));
          else
            accept_with_tables(std::move(pattern));
        return true;
      }
    }
  }
  return false;
}

}  // namespace twiddle
