// Runs of reads and writes, and numbers that are parts of complex values.
#include "tracer/lift/explain/explainer.h"

namespace twiddle {

std::vector<Run> Explainer::runs_of(const Slots& view) const {
  std::vector<Run> runs;
  for (const int s : view) {
    const Slot& one = slot(s);
    if (runs.empty() || runs.back().write != one.write || (one.write && runs.back().epoch != one.epoch))
      runs.push_back({one.write, one.epoch, {}});
    runs.back().slots.push_back(s);
  }
  return runs;
}

int Explainer::pair_of(int real, int imaginary) {
  const auto [at, fresh] = pairs_.emplace(std::pair(real, imaginary), static_cast<int>(result_.slots.size()));
  if (fresh) {
    Slot both = slot(real);
    both.number = Number::Complex;
    both.records = 2;
    both.record[1] = slot(imaginary).record[0];
    both.byte[1] = slot(imaginary).byte[0];
    both.epoch = std::max(both.epoch, slot(imaginary).epoch);
    result_.slots.push_back(both);
    values_.add(both);
    const auto own = [&](int s) { return pair_parts_.contains(s) ? pair_parts_.at(s).first : s; };
    pair_parts_.emplace(at->second, std::pair(own(real), own(imaginary)));
  }
  return at->second;
}

int Explainer::read_pair_of(int real, int imaginary) {
  const int both = pair_of(real, imaginary);
  result_.slots[both].write = false;
  return both;
}

int Explainer::exchanged(int s) {
  const auto [at, fresh] = pairs_.emplace(std::pair(s, s), static_cast<int>(result_.slots.size()));
  if (fresh) {
    Slot both = slot(s);
    if (both.records == 1) {
      both.record[1] = both.record[0];
      both.byte[1] = static_cast<std::uint8_t>(both.byte[0] + both.width);
      both.records = 2;
    }
    std::swap(both.record[0], both.record[1]);
    std::swap(both.byte[0], both.byte[1]);
    result_.slots.push_back(both);
    values_.add(both);
    pair_parts_.emplace(at->second, std::pair(s, s));
  }
  return at->second;
}

bool Explainer::interleaved(const Slots& sorted, std::vector<std::pair<int, int>>& pairs) const {
  if (sorted.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < sorted.size(); i += 2) {
    const int a = sorted[i], b = sorted[i + 1];
    const std::uint64_t width = slot(a).width;
    if (slot(a).buffer != slot(b).buffer) return false;
    if (!in_every_sample(
            [&](std::size_t s) { return place(b, s) == place(a, s) + width && place(a, s) % (2 * width) == 0; }))
      return false;
    pairs.emplace_back(a, b);
  }
  return true;
}

bool Explainer::planar(const Slots& sorted, const Slots& accessed, std::vector<std::pair<int, int>>& pairs) const {
  const std::size_t half = sorted.size() / 2;
  if (sorted.size() % 2 != 0 || half == 0) return false;
  const bool two_buffers = slot(sorted[0]).buffer != slot(sorted[half]).buffer;
  if (!two_buffers && half < 2) return false;
  for (std::size_t i = 0; i < half; ++i) {
    const int a = sorted[i], b = sorted[i + half];
    if (slot(a).buffer != slot(sorted[0]).buffer || slot(b).buffer != slot(sorted[half]).buffer) return false;
    const auto steady = [&](std::size_t s) {
      const std::uint64_t distance = two_buffers ? 0 : place(sorted[half], s) - place(sorted[0], s);
      return place(b, s) == place(a, s) + distance;
    };
    if (!in_every_sample(steady)) return false;
    pairs.emplace_back(a, b);
  }
  // Of two buffers the one accessed first has the real parts, where nothing says which it is.
  if (!two_buffers) return true;
  const int first = slot(sorted[0]).buffer, order = parts_.order(first, slot(sorted[half]).buffer);
  if (order < 0 || (order == 0 && slot(accessed.front()).buffer != first))
    for (auto& [a, b] : pairs) std::swap(a, b);
  return true;
}

void Explainer::add_to(Plane& plane, int s) const {
  const Slot& one = slot(s);
  const std::uint64_t at = place(s) - plane.first;
  std::size_t& before = plane.writes[at];
  plane.uses.try_emplace({one.epoch, at, before, one.write}, s);
  plane.all.push_back(s);
  before += one.write;
}

std::vector<Explainer::Plane> Explainer::planes() const {
  std::vector<Plane> all;  // in the order of their first access
  for (const int s : plain_) {
    const int buffer = slot(s).buffer;
    if (slot(s).number != Number::Real || buffer < 0) continue;
    auto plane = std::find_if(all.begin(), all.end(), [&](const Plane& p) { return p.buffer == buffer; });
    if (plane == all.end()) {
      plane = all.insert(plane, Plane());
      plane->buffer = buffer;
    }
    add_to(*plane, s);
  }
  return all;
}

std::vector<std::pair<int, int>> Explainer::pairs_of(const Plane& one, const Plane& other) const {
  // What the item itself wrote it may read again, or still hold: in an epoch that is the same.
  const auto held = [](const Plane& plane, const Plane::Use& use) {
    const auto& [epoch, at, before, write] = use;
    if (write || before == 0) return -1;
    const auto written = plane.uses.find({epoch, at, before - 1, true});
    return written == plane.uses.end() ? -1 : written->second;
  };
  std::vector<std::pair<int, int>> pairs;
  auto x = one.uses.begin(), y = other.uses.begin();
  while (x != one.uses.end() || y != other.uses.end()) {
    const bool first = y == other.uses.end() || (x != one.uses.end() && x->first < y->first);
    const bool second = x == one.uses.end() || (y != other.uses.end() && y->first < x->first);
    const int a = second ? held(one, y->first) : x->second, b = first ? held(other, x->first) : y->second;
    if (a < 0 || b < 0 || !alike(a, b) ||
        !in_every_sample([&](std::size_t s) { return place(b, s) == place(a, s) + (other.first - one.first); }))
      return {};
    pairs.emplace_back(a, b);
    if (!second) ++x;
    if (!first) ++y;
  }
  return pairs;
}

std::optional<std::array<Explainer::Plane, 2>> Explainer::parts_of_plane(const Plane& whole, OneBuffer how) const {
  std::array<Plane, 2> parts;
  parts[0].buffer = parts[1].buffer = whole.buffer;
  std::uint64_t middle = 0;  // the first place of an imaginary part
  if (how == OneBuffer::Beside) {
    parts[1].first = slot(whole.all.front()).width;
  } else {
    std::set<std::uint64_t> places;
    for (const int s : whole.all) places.insert(place(s));
    if (places.size() < 4 || places.size() % 2 != 0) return std::nullopt;
    middle = *std::next(places.begin(), static_cast<std::ptrdiff_t>(places.size() / 2));
    parts[1].first = middle - *places.begin();
  }
  for (const int s : whole.all) {
    const std::uint64_t width = slot(s).width;
    const auto part = static_cast<std::size_t>(how == OneBuffer::Beside ? place(s) / width % 2 : place(s) >= middle);
    if (how == OneBuffer::Beside &&
        !in_every_sample([&](std::size_t i) { return place(s, i) % (2 * width) == part * width; }))
      return std::nullopt;
    add_to(parts[part], s);
  }
  return parts;
}

Slots Explainer::planes_view(OneBuffer how) {
  std::vector<Plane> all = planes();
  std::vector<bool> gone(result_.slots.size());
  Slots view;
  bool any = false, in_one = false;
  const auto take = [&](const Plane& real, const Plane& imaginary) {
    const std::vector<std::pair<int, int>> pairs = pairs_of(real, imaginary);
    for (const auto& [re, im] : pairs) {
      // One that is read, and held by the item in its other part, is a value that is read.
      view.push_back(slot(re).write && !slot(im).write ? read_pair_of(re, im) : pair_of(re, im));
      any = any || slot(view.back()).write;
    }
    for (const Plane* plane : {&real, &imaginary})
      for (const int s : plane->all)
        if (!pairs.empty()) gone[static_cast<std::size_t>(s)] = true;
    return !pairs.empty();
  };
  // Those that the trace says something of first, so that two signals at once are not mixed up.
  for (const bool said : {true, false})
    for (std::size_t a = 0; a < all.size(); ++a)
      for (std::size_t b = a + 1; b < all.size() && all[a].buffer >= 0; ++b) {
        if (all[b].buffer < 0) continue;
        const int order = parts_.order(all[a].buffer, all[b].buffer);
        if ((order != 0) != said || !take(all[order < 0 ? b : a], all[order < 0 ? a : b])) continue;
        all[a].buffer = all[b].buffer = -1;
      }
  for (const Plane& plane : all) {
    if (how == OneBuffer::No || plane.buffer < 0) continue;
    if (const auto parts = parts_of_plane(plane, how)) in_one = take((*parts)[0], (*parts)[1]) || in_one;
  }
  if (!any || (how != OneBuffer::No && !in_one)) return {};
  for (const int s : plain_)
    if (!gone[static_cast<std::size_t>(s)]) view.push_back(s);
  std::stable_sort(view.begin(), view.end(),
                   [&](int a, int b) { return slot(a).last_record() < slot(b).last_record(); });
  return view;
}

void Explainer::moves_of_other_parts(const Slots& planes) {
  std::map<int, int> other;  // part of a value
  for (const int s : planes)
    if (const auto parts = pair_parts_.find(s); parts != pair_parts_.end()) {
      other[parts->second.first] = parts->second.second;
      other[parts->second.second] = parts->second.first;
    }
  const std::vector<Pattern> known = result_.patterns;
  for (const Pattern& move : known) {
    if (move.kind != LiftedKind::Move || move.reads.size() != 1 || move.writes.size() != 1) continue;
    const auto read = other.find(move.reads[0]), written = other.find(move.writes[0]);
    if (read == other.end() || written == other.end() || explained(written->second)) continue;
    if (!in_every_sample(
            [&](std::size_t s) { return values_.bits(read->second, s) == values_.bits(written->second, s); }))
      continue;
    Pattern same = pattern_like(written->second, LiftedKind::Move);
    same.reads = {read->second};
    same.writes = {written->second};
    accept(std::move(same));
  }
}

Slots Explainer::complex_view(const std::vector<Run>& runs, Split split, Parts parts) {
  std::vector<bool> gone(result_.slots.size());
  Slots extra;
  std::vector<bool> done(runs.size());
  const auto take = [&](const std::vector<std::pair<int, int>>& pairs) {
    for (const auto& [a, b] : pairs) {
      gone[a] = gone[b] = true;
      extra.push_back(pair_of(a, b));
    }
  };
  const auto reals = [&](const Run& run) {
    Slots some;
    std::set<std::pair<int, std::uint64_t>> seen;
    for (const int s : run.slots)
      if (slot(s).number == Number::Real && !gone[s] && (run.write || !seen.contains({slot(s).buffer, place(s)}))) {
        seen.emplace(slot(s).buffer, place(s));
        some.push_back(s);
      }
    return some;
  };
  for (std::size_t r = 0; r < runs.size(); ++r) {
    if (done[r]) continue;
    Slots accessed = reals(runs[r]), sorted = by_address(accessed);
    if (sorted.size() < 2) continue;
    const auto same_places = [&](const Slots& a, const Slots& b) {
      if (a.size() != b.size()) return false;
      for (std::size_t i = 0; i < a.size(); ++i)
        if (slot(a[i]).buffer != slot(b[i]).buffer ||
            !in_every_sample([&](std::size_t s) { return place(a[i], s) == place(b[i], s); }))
          return false;
      return true;
    };
    const auto take_parts = [&](const Slots& first, const Slots& second) {
      std::vector<std::pair<int, int>> pairs;
      for (std::size_t i = 0; i < first.size(); ++i)
        pairs.push_back(split == Split::RealFirst ? std::pair(first[i], second[i]) : std::pair(second[i], first[i]));
      take(pairs);
    };
    if (split != Split::Within && r + 2 < runs.size() && runs[r + 2].write == runs[r].write)
      if (const Slots second = by_address(reals(runs[r + 2])); same_places(sorted, second)) {
        take_parts(sorted, second);
        done[r + 2] = true;
        continue;
      }
    // Reads and writes of an epoch may take turns, and one run may read several buffers: what of an epoch is in one of these, and
    // the same places in a later epoch.
    if (split != Split::Within) {
      const auto of_epoch = [&](int epoch, int buffer) {
        Slots some;
        for (std::size_t i = 0; i < runs.size(); ++i)
          if (runs[i].write == runs[r].write && !done[i])
            for (const int s : reals(runs[i]))
              if (slot(s).epoch == epoch && slot(s).buffer == buffer) some.push_back(s);
        return by_address(some);
      };
      std::set<std::pair<int, int>> parts_of_run;  // buffer and epoch
      for (const int s : accessed) parts_of_run.emplace(slot(s).buffer, slot(s).epoch);
      for (const auto& [buffer, epoch] : parts_of_run) {
        const Slots first = of_epoch(epoch, buffer);
        bool taken = false;
        for (int later = epoch + 1; later <= epoch + 3 && !taken && first.size() >= 2; ++later)
          if (const Slots second = of_epoch(later, buffer); same_places(first, second)) {
            take_parts(first, second);
            taken = true;
          }
      }
      accessed = reals(runs[r]);
      sorted = by_address(accessed);
      if (sorted.size() < 2) continue;
    }
    std::vector<std::pair<int, int>> beside, rows;
    const bool neighbours = interleaved(sorted, beside);
    if (!neighbours || parts == Parts::Rows) {
      if (planar(sorted, accessed, rows)) {
        if (split == Split::ImaginaryFirst)
          for (auto& [a, b] : rows) std::swap(a, b);
        take(rows);
        continue;
      }
      if (!neighbours) continue;
    }
    take(beside);
  }
  // What goes around in local memory may be exchanged there alone.
  if (split == Split::ImaginaryFirst)
    for (const int s : plain_)
      if (slot(s).number == Number::Complex && slot(s).local) {
        gone[s] = true;
        extra.push_back(exchanged(s));
      }
  Slots view;
  for (const int s : plain_)
    if (!gone[s]) view.push_back(s);
  view.insert(view.end(), extra.begin(), extra.end());
  std::stable_sort(view.begin(), view.end(),
                   [&](int a, int b) { return slot(a).last_record() < slot(b).last_record(); });
  return view;
}

}  // namespace twiddle
