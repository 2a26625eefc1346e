// Butterflies among a run's reads and writes, or across runs.
#include "tracer/lift/explain/explainer.h"

#include <set>

namespace twiddle {
namespace {

constexpr std::size_t max_halves = 64;            // values read that halves of spectra are looked for among
constexpr std::size_t max_group_pairs = 1 << 19;  // groups of reads times groups of writes that are compared

// Is one the other, as far as it is not zero, times a factor of its own?
bool proportional(const std::vector<double>& in, const std::vector<double>& out) {
  double ratio = 0;
  for (std::size_t s = 0; s < in.size(); ++s) {
    if (in[s] == 0 && out[s] == 0) continue;
    if (in[s] == 0) return false;
    if (ratio == 0) ratio = out[s] / in[s];
    if (!(std::abs(out[s] / in[s] - ratio) <= 1e-3 * ratio)) return false;
  }
  return true;
}

}  // namespace

void Explainer::transforms(const std::vector<Run>& runs) {
  each_writes(runs, [&](std::size_t at, const Slots& writes) {
    if (slot(writes.front()).number == Number::Complex) transform_run(runs, at, writes);
  });
  // What is left: points that are read and written in several runs, first within an epoch, then of the whole item.
  for (const bool whole_item : {false, true}) {
    for (std::size_t at = 0; at < runs.size(); ++at) {
      if (!runs[at].write) continue;
      std::size_t end = at + 1;
      while (end < runs.size() && (whole_item || runs[end].epoch == runs[at].epoch)) ++end;
      Slots writes;
      for (std::size_t r = at; r < end; ++r)
        if (runs[r].write)
          for (const int s : open_writes(runs[r].slots))
            if (slot(s).number == Number::Complex && (writes.empty() || alike(s, writes.front()))) writes.push_back(s);
      if (writes.size() >= 2 && writes.size() <= 2 * max_points_in_reach) {
        search(earlier(runs, end, writes.front(), true), writes);
        if (Slots left = open_writes(writes); left.size() >= 2) search(earlier(runs, end, left.front(), false), left);
      }
      at = end - 1;
    }
  }
}

void Explainer::transform_run(const std::vector<Run>& runs, std::size_t at, const Slots& writes) {
  if (writes.size() > max_points_in_reach) {
    // Long runs of writes: what is between two of them that share a read may be found group by group.
    return;
  }
  std::vector<Slots> candidates;
  const auto add = [&](Slots slots) {
    if (!slots.empty() && slots.size() <= max_points_in_reach &&
        std::find(candidates.begin(), candidates.end(), slots) == candidates.end())
      candidates.push_back(std::move(slots));
  };
  const int like = writes.front();
  const Slots inputs = fresh(runs, at, like);
  add(without_tables(inputs));
  add(distinct(without_tables(inputs)));
  add(inputs);
  int blocks = 0;
  for (std::size_t r = at; r-- > 0 && blocks < 4;)
    if (!runs[r].write) {
      Slots block;
      for (const int s : runs[r].slots)
        if (alike(s, like)) block.push_back(s);
      if (block.empty()) continue;
      ++blocks;
      add(without_tables(block));
    }
  const Slots unused = earlier(runs, at, like, true);
  add(without_tables(unused));
  if (unused.size() > writes.size())
    add(Slots(unused.end() - static_cast<std::ptrdiff_t>(writes.size()), unused.end()));
  Slots same_epoch;
  for (const int s : earlier(runs, at, like, false))
    if (slot(s).epoch == runs[at].epoch) same_epoch.push_back(s);
  add(distinct(without_tables(same_epoch)));

  for (const Slots& reads : candidates)
    if (reads.size() == writes.size() && equal_groups(reads, writes)) return;
  for (const Slots& reads : candidates)
    if (pack(reads, writes)) return;
  for (const Slots& reads : candidates)
    if (halves(reads, writes)) return;
  for (const Slots& reads : candidates)
    if (factors(reads, writes, inputs.size() == 1 && runs[at].slots.size() == 1)) return;
}

bool Explainer::equal_groups(const Slots& reads, const Slots& writes) {
  const std::size_t n = reads.size();
  const Slots sorted_reads = by_address(reads), sorted_writes = by_address(writes);
  for (std::size_t radix = std::min<std::size_t>(n, options_.max_radix); radix >= 2; --radix) {
    if (n % radix != 0) continue;
    for (const Slots& in : {sorted_reads, reads})
      for (const Slots& out : {sorted_writes, writes})
        for (const bool strided_in : {true, false})
          for (const bool strided_out : {true, false}) {
            if (radix == n && !(strided_in && strided_out)) continue;
            std::vector<Pattern> found;
            for (std::size_t g = 0; g < n / radix; ++g) {
              Pattern pattern = pattern_like(writes.front(), LiftedKind::Butterfly);
              if (!find_butterfly(group(in, radix, g, strided_in), group(out, radix, g, strided_out), result_.slots,
                                  values_, tolerance(writes.front()), pattern))
                break;
              found.push_back(std::move(pattern));
            }
            if (found.size() != n / radix) continue;
            for (Pattern& pattern : found) accept_with_tables(std::move(pattern));
            return true;
          }
  }
  return false;
}

Slots Explainer::group(const Slots& slots, std::size_t radix, std::size_t g, bool strided) {
  Slots some;
  for (std::size_t j = 0; j < radix; ++j)
    some.push_back(slots[strided ? j * (slots.size() / radix) + g : g * radix + j]);
  return some;
}

bool Explainer::pack(const Slots& reads, const Slots& writes) {
  if (reads.size() != 2 || writes.size() != 2) return false;
  Pattern pattern = pattern_like(writes[0], LiftedKind::Pack);
  if (values_.zero(reads[0]) || values_.zero(reads[1])) return false;
  for (const bool swap_in : {false, true})
    for (const bool swap_out : {false, true}) {
      pattern.reads = swap_in ? Slots{reads[1], reads[0]} : reads;
      const Slots sorted = by_address(writes);
      pattern.writes = swap_out ? Slots{sorted[1], sorted[0]} : sorted;
      for (const bool mirrored : {false, true})
        for (const double scale : {1.0, 2.0}) {
          pattern.mirrored = mirrored;
          pattern.scale = scale;
          if (!holds(pattern)) continue;
          accept_with_tables(pattern);
          return true;
        }
    }
  return false;
}

bool Explainer::halves(const Slots& reads, const Slots& writes) {
  if (reads.size() < 2 || reads.size() > max_halves || writes.size() > reads.size()) return false;
  // Of real values the half of a spectrum is as good as a mean, and a table's roots of unity are each the half of two others.
  Slots complex;
  std::copy_if(reads.begin(), reads.end(), std::back_inserter(complex), [&](int s) {
    return !(maybe_table(s) && of_modulus_one(s)) &&
           !in_every_sample([&](std::size_t i) { return values_.number(s, i).imag() == 0; });
  });
  // What is far off in the first sample need not be looked at in all of them.
  const auto near = [&](int a, int b, int w, bool odd) {
    const Complex first = values_.number(a, 0), second = std::conj(values_.number(b, 0)), out = values_.number(w, 0);
    const Complex half = odd ? times(first - second, Complex(0, -0.5)) : 0.5 * (first + second);
    return std::abs(half - out) <= 1e-3 * (std::abs(first) + std::abs(second));
  };
  std::vector<Pattern> found;
  std::map<int, int> mates;  // a point is the mirror image of one other
  for (const int w : writes) {
    if (values_.zero(w)) return false;
    Pattern pattern = pattern_like(w, LiftedKind::Pack);
    pattern.writes = {w};
    std::size_t fits = 0;
    for (const int a : complex)
      for (const int b : complex)
        for (const bool odd : {false, true}) {
          if (a == b || !near(a, b, w, odd)) continue;
          Pattern one = pattern;
          one.reads = {a, b};
          one.odd = odd;
          if (!holds(one)) continue;
          if (++fits > 1) return false;  // an impulse's values are alike
          found.push_back(std::move(one));
        }
    if (fits == 0) return false;
    const Slots& pair = found.back().reads;
    if (mates.try_emplace(pair[0], pair[1]).first->second != pair[1] ||
        mates.try_emplace(pair[1], pair[0]).first->second != pair[0])
      return false;
  }
  for (Pattern& pattern : found) accept(std::move(pattern));
  return true;
}

void Explainer::search(const Slots& all_reads, Slots writes) {
  Slots reads = distinct(without_tables(all_reads));
  for (int radix = options_.max_radix; radix >= 2; --radix) {
    const auto r = static_cast<std::size_t>(radix);
    bool again = true;
    while (again && reads.size() >= r && writes.size() >= r) {
      again = false;
      const std::vector<Slots> ins = groups(reads, r), outs = groups(writes, r);
      if (ins.size() * outs.size() > max_group_pairs) break;
      // A butterfly makes its points' energy larger by one factor: few pairs pass that.
      const std::vector<std::vector<double>> in_energies = energies(ins), out_energies = energies(outs);
      for (std::size_t o = 0; o < outs.size() && !again; ++o) {
        const Slots& out = outs[o];
        for (std::size_t i = 0; i < ins.size(); ++i) {
          if (!proportional(in_energies[i], out_energies[o])) continue;
          const Slots& in = ins[i];
          Pattern pattern = pattern_like(out.front(), LiftedKind::Butterfly);
          if (!find_butterfly(in, out, result_.slots, values_, tolerance(out.front()), pattern)) continue;
          std::erase_if(writes, [&](int s) { return std::find(out.begin(), out.end(), s) != out.end(); });
          std::erase_if(reads, [&](int s) { return std::find(in.begin(), in.end(), s) != in.end(); });
          accept_with_tables(std::move(pattern));
          again = true;
          break;
        }
      }
    }
  }
}

std::vector<std::vector<double>> Explainer::energies(const std::vector<Slots>& groups) const {
  std::vector<std::vector<double>> all;
  for (const Slots& group : groups) {
    std::vector<double>& one = all.emplace_back(values_.count());
    for (std::size_t s = 0; s < one.size(); ++s)
      for (const int slot : group) one[s] += std::norm(values_.number(slot, s));
  }
  return all;
}

std::vector<Slots> Explainer::groups(const Slots& slots, std::size_t size) const {
  std::vector<Slots> found;
  std::set<Slots> known;
  const auto add = [&](Slots some) {
    if (known.insert(some).second) found.push_back(std::move(some));
  };
  const Slots sorted = by_address(slots);
  std::map<std::pair<int, std::uint64_t>, int> at;
  for (const int s : sorted) at[{slot(s).buffer, place(s)}] = s;
  for (std::size_t i = 0; i < sorted.size(); ++i)
    for (std::size_t j = i + 1; j < sorted.size() && slot(sorted[j]).buffer == slot(sorted[i]).buffer; ++j) {
      const std::uint64_t step = place(sorted[j]) - place(sorted[i]);
      Slots some = {sorted[i]};
      while (step > 0 && some.size() < size) {
        const auto next = at.find({slot(sorted[i]).buffer, place(some.back()) + step});
        if (next == at.end()) break;
        some.push_back(next->second);
      }
      if (some.size() == size) add(std::move(some));
    }
  for (std::size_t i = 0; i + size <= slots.size(); ++i)
    add(by_address(
        Slots(slots.begin() + static_cast<std::ptrdiff_t>(i), slots.begin() + static_cast<std::ptrdiff_t>(i + size))));
  return found;
}

void Explainer::real_butterflies(const std::vector<Run>& runs, std::size_t at, const Slots& writes) {
  if (slot(writes.front()).number != Number::Real || writes.size() > max_points_in_reach) return;
  const Slots inputs = fresh(runs, at, writes.front());
  if (inputs.size() != writes.size() || inputs.size() < 2) return;
  const Slots in = by_address(inputs), out = by_address(writes);
  for (std::size_t g = 0; 2 * g + 1 < in.size(); ++g)
    for (const bool strided : {true, false}) {
      Pattern pattern = pattern_like(writes.front(), LiftedKind::Butterfly);
      const Slots written = group(out, 2, g, strided);
      if (explained(written[0]) || explained(written[1])) continue;
      if (find_butterfly(group(in, 2, g, strided), written, result_.slots, values_, tolerance(written[0]), pattern))
        accept(std::move(pattern));
    }
}

}  // namespace twiddle
