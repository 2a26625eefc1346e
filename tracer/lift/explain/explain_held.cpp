// Values that an item holds between two operations without storing them: outputs of a butterfly from which it makes a spectrum of
// real points right away, and the other way round, halves of a spectrum that become a butterfly's points.
#include "tracer/lift/explain/explainer.h"

namespace twiddle {
namespace {

constexpr std::size_t max_held = 64, max_open = 64, max_near = 32,
                      max_reads = 128;     // values that are looked at together
constexpr std::size_t enough_samples = 4;  // that tell that a modulus is no accident

}  // namespace

int Explainer::hold(const Slots& of, std::vector<Complex> factors) {
  Slot made = slot(of.front());
  auto value = std::make_shared<HeldValue>();
  for (const int s : of) value->of.push_back(slot(s));
  value->factors = std::move(factors);
  made.held = std::move(value);
  made.number = Number::Complex;
  made.records = 0;
  made.write = made.copy = made.real = made.imaginary = made.conjugated = false;
  const int number = static_cast<int>(result_.slots.size());
  const auto parts = pair_parts_.find(of.front());
  pair_parts_.emplace(number, parts == pair_parts_.end() ? std::pair(of.front(), of.front()) : parts->second);
  result_.slots.push_back(made);
  values_.add(made);
  return number;
}

void Explainer::held_values(const std::vector<Slots>& views) {
  const std::vector<Run> plain = runs_of(real_view(false, false));
  packs_of_held(plain);
  std::vector<HeldPack> packs = halves_of_packs(plain);
  if (packs.empty()) return;
  std::vector<Slots> all = views;
  all.push_back(real_view(false, true));
  bool used_up = false;
  for (const Slots& view : all) used_up = used_up || transform_of_held(runs_of(view), packs);
  // Without what they were for, their moduli have to be no accident.
  used_up = used_up || in_one_order(packs);
  for (HeldPack& one : packs)
    if (!explained(one.stored.writes[0]) && (used_up || telling(one.stored.reads, 2) >= enough_samples))
      accept(std::move(one.stored));
}

bool Explainer::in_one_order(const std::vector<HeldPack>& packs) const {
  if (packs.size() < enough_samples) return false;
  std::map<std::uint64_t, std::uint64_t> places;  // one half's and the other's
  for (const HeldPack& one : packs) {
    if (one.stored.mirrored != packs[0].stored.mirrored || one.stored.scale != packs[0].stored.scale) return false;
    places.emplace(place(one.stored.reads[0]), place(one.stored.reads[1]));
  }
  const auto in_order = [&](const auto& less) {
    for (auto at = places.begin(); std::next(at) != places.end(); ++at)
      if (!less(at->second, std::next(at)->second)) return false;
    return true;
  };
  return places.size() == packs.size() && (in_order(std::less<>()) || in_order(std::greater<>()));
}

void Explainer::packs_of_held(const std::vector<Run>& runs) {
  Slots writes;
  for (const Run& run : runs)
    if (run.write)
      for (const int w : open_writes(run.slots))
        if (slot(w).number == Number::Complex) writes.push_back(w);
  if (writes.size() < 2 || writes.size() > max_open) return;
  Slots kept;
  std::uint32_t stored = UINT32_MAX;  // the first record of what else the butterflies left
  const std::vector<Pattern> found = result_.patterns;
  for (const Pattern& pattern : found) {
    const auto n = std::int64_t(pattern.reads.size());
    if (pattern.outputs.empty() || kept.size() + pattern.reads.size() > max_held) continue;
    if (slot(pattern.writes[0]).width != slot(writes[0]).width) continue;
    for (std::int64_t p = 0; p < n; ++p) {
      if (std::find(pattern.outputs.begin(), pattern.outputs.end(), p) != pattern.outputs.end()) continue;
      std::vector<Complex> factors;
      for (std::int64_t k = 0; k < n; ++k) factors.push_back(pattern.scale * root(pattern.sign * k * p, n));
      kept.push_back(hold(pattern.reads, std::move(factors)));
    }
    for (const int w : pattern.writes) stored = std::min(stored, slot(w).last_record());
  }
  if (kept.empty()) return;
  Slots reads;
  std::uint32_t end = 0;
  for (const int w : writes) end = std::max(end, slot(w).last_record());
  for (const Run& run : runs)
    for (const int s : run.slots)
      if (!run.write && alike(s, writes[0]) && !table(s) && slot(s).record[0] > stored && slot(s).record[0] < end)
        reads.push_back(s);
  if (reads.size() > max_reads) return;
  while (pack_of(kept, reads, writes)) {
    writes = open_writes(writes);
    if (writes.size() < 2) return;
  }
}

bool Explainer::pack_of(const Slots& from, const Slots& reads, const Slots& writes) {
  // The sum of both outputs is that of the inputs: most pairs fail at that, in one item.
  const auto near = [&](Complex a, Complex b, double size) { return std::abs(a - b) <= 1e-3 * size; };
  const auto of = [&](int s) { return values_.number(s, 0); };
  for (const int held : from) {
    Slots others = reads;
    others.push_back(held);
    for (const int other : others)
      for (const bool swapped : {false, true}) {
        if (swapped && other == held) continue;
        const int a = swapped ? other : held, b = swapped ? held : other;
        if (values_.zero(a) || values_.zero(b)) continue;
        const Complex sum = of(a) + std::conj(of(b));
        for (const int first : writes)
          for (const int second : writes) {
            if (first == second || values_.zero(first)) continue;
            for (const bool mirrored : {false, true}) {
              const Complex both = of(first) + (mirrored ? std::conj(of(second)) : of(second));
              const double size = std::abs(of(a)) + std::abs(of(b));
              for (const double scale : {1.0, 2.0}) {
                if (!near(both, scale * sum, scale * size)) continue;
                Pattern pattern = pattern_like(first, LiftedKind::Pack);
                pattern.reads = {a, b};
                pattern.writes = {first, second};
                pattern.mirrored = mirrored;
                pattern.scale = scale;
                if (!holds(pattern)) continue;
                accept_with_tables(std::move(pattern));
                return true;
              }
            }
          }
      }
  }
  return false;
}

std::vector<Explainer::HeldPack> Explainer::halves_of_packs(const std::vector<Run>& runs) {
  std::vector<HeldPack> packs;
  for (std::size_t at = 1; at < runs.size(); ++at) {
    if (!runs[at].write || runs[at - 1].write) continue;
    Slots writes, near, far;
    for (const int w : open_writes(runs[at].slots))
      if (slot(w).number == Number::Complex && !values_.zero(w)) writes.push_back(w);
    if (writes.empty() || writes.size() > max_near) continue;
    for (const int s : runs[at - 1].slots)
      if (alike(s, writes[0]) && !table(s)) near.push_back(s);
    for (std::size_t r = 0; r < at; ++r)
      if (!runs[r].write)
        for (const int s : runs[r].slots)
          if (alike(s, writes[0]) && !table(s)) far.push_back(s);
    if (near.empty() || near.size() > max_near || far.empty() || far.size() > max_held) continue;
    Slots taken;
    for (const int w : writes) {
      bool found = false;
      for (const int a : far)
        for (const int b : near) {
          if (found || a == b || std::find(taken.begin(), taken.end(), a) != taken.end()) continue;
          Pattern pattern = pattern_like(w, LiftedKind::Pack);
          pattern.reads = {a, b};
          pattern.writes = {w};
          pattern.one_of_two = true;
          for (const bool mirrored : {true, false})
            for (const double scale : {2.0, 1.0}) {
              if (found) continue;
              pattern.mirrored = mirrored;
              pattern.scale = scale;
              if (!holds(pattern)) continue;
              const int conjugate = derived(Derived::Conjugate, b);
              const int stored = mirrored ? derived(Derived::Conjugate, w) : w;
              packs.push_back({hold({a, conjugate, stored}, {scale, scale, -1}), pattern});
              taken.push_back(a);
              found = true;
            }
        }
    }
  }
  return packs;
}

bool Explainer::transform_of_held(const std::vector<Run>& runs, std::vector<HeldPack>& packs) {
  Slots kept;
  for (const HeldPack& one : packs) kept.push_back(one.held);
  const double scale = packs.front().stored.scale;
  bool any = false;
  each_writes(runs, [&](std::size_t at, const Slots& writes) {
    if (any || slot(writes[0]).number != Number::Complex || slot(writes[0]).width != slot(kept[0]).width) return;
    if (writes.size() < 4 || writes.size() > static_cast<std::size_t>(options_.max_radix)) return;
    std::uint32_t begin = UINT32_MAX;
    for (const int w : writes)
      for (int r = 0; r < slot(w).records; ++r) begin = std::min(begin, slot(w).record[r]);
    Slots reads;  // the last block of them
    for (std::size_t r = at; r-- > 0 && reads.empty();)
      if (!runs[r].write)
        for (const int s : runs[r].slots)
          if (alike(s, writes[0]) && !table(s) && slot(s).last_record() < begin) reads.push_back(s);
    if (reads.empty() || reads.size() >= writes.size()) return;
    Slots held = by_address(kept);
    std::vector<Slots> choices = {held};
    // The first of all: what its half was made of is real, and it has no other.
    if (held.size() + reads.size() + 1 == writes.size()) {
      choices.clear();
      Slots reals;
      for (std::size_t r = 0; r < at; ++r)
        if (!runs[r].write)
          for (const int s : runs[r].slots)
            if (alike(s, writes[0]) && !table(s) && !values_.zero(s) &&
                in_every_sample([&](std::size_t i) { return values_.number(s, i).imag() == 0; }))
              reals.push_back(s);
      if (reals.size() > 4) return;
      for (const int a : reals)
        for (const int b : reals)
          for (const double sign : {1.0, -1.0}) {
            if (a == b) continue;
            const double half = scale / 2;
            Slots with = {hold({a, b}, {half * Complex(1, sign), half * Complex(1, -sign)})};
            with.insert(with.end(), held.begin(), held.end());
            choices.push_back(std::move(with));
          }
    }
    const Slots up = by_address(reads), down(up.rbegin(), up.rend());
    Slots around = {up.front()};  // mirrored at the first
    around.insert(around.end(), down.begin(), std::prev(down.end()));
    const std::vector<Slots> outs = point_orders(writes, result_.slots, values_);
    for (const Slots& own : choices) {
      if (own.size() + reads.size() != writes.size()) continue;
      std::vector<Slots> ins;
      for (const Slots& read : {down, up, around})
        for (const bool own_first : {true, false}) {
          Slots in = own_first ? own : read;
          const Slots& rest = own_first ? read : own;
          in.insert(in.end(), rest.begin(), rest.end());
          ins.push_back(std::move(in));
        }
      Pattern pattern = pattern_like(writes[0], LiftedKind::Butterfly);
      if (!find_butterfly(ins, outs, values_, tolerance(writes[0]), pattern)) continue;
      accept_with_tables(std::move(pattern));
      any = true;
      return;
    }
  });
  return any;
}

void Explainer::reflections(const std::vector<Run>& runs) {
  each_writes(runs, [&](std::size_t at, const Slots& writes) {
    if (slot(writes[0]).number != Number::Complex) return;
    const Slots all = without_tables(earlier(runs, at, writes[0], false));
    if (all.empty() || all.size() > max_held || writes.size() > max_held) return;
    // Beside a zero a value that is left as it was may be a sum, or a butterfly's output.
    for (const int z : all)
      if (!in_every_sample([&](std::size_t s) { return values_.number(z, s) != 0.0; })) return;
    for (const int w : writes) {
      if (values_.zero(w)) continue;
      // The latest that fits.
      for (auto at_read = all.rbegin(); at_read != all.rend() && !explained(w); ++at_read) {
        const int z = *at_read;
        const auto is = [&](const auto& made) {
          return in_every_sample([&](std::size_t s) { return made(values_.number(z, s)) == values_.number(w, s); });
        };
        Pattern pattern = pattern_like(w, LiftedKind::Move);
        pattern.writes = {w};
        if (is([](Complex c) { return c; })) {
          pattern.reads = {z};
        } else if (is([](Complex c) { return Complex(c.imag(), c.real()); })) {
          pattern.reads = {derived(Derived::Second, z), derived(Derived::First, z)};
        } else if (is([](Complex c) { return Complex(2 * c.real(), 0); })) {
          pattern.kind = LiftedKind::Linear;
          pattern.reads = {z, derived(Derived::Conjugate, z)};
          pattern.coefficients = {1, 1};
        } else if (is([](Complex c) { return Complex(0, 2 * c.imag()); })) {
          pattern.kind = LiftedKind::Linear;
          pattern.reads = {z, derived(Derived::Conjugate, z)};
          pattern.coefficients = {1, -1};
        } else {
          for (const double factor : {1.0, 2.0, 0.5})
            if (pattern.reads.empty() && is([&](Complex c) { return factor * std::conj(c); })) {
              pattern.kind = LiftedKind::Scale;
              pattern.reads = {derived(Derived::Conjugate, z)};
              pattern.coefficients = {factor};
            }
        }
        if (!pattern.reads.empty()) accept(std::move(pattern));
      }
    }
  });
}

}  // namespace twiddle
