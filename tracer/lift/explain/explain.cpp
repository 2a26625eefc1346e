#include "tracer/lift/explain/explain.h"

#include "base/values/hash.h"
#include "tracer/lift/explain/explainer.h"

namespace twiddle {
namespace {

constexpr std::size_t max_slots_tried_again = 512;

}  // namespace

Explanation Explainer::run() {
  const std::vector<Run> runs = runs_of(plain_);
  for (const int s : plain_)
    if (maybe_table(s)) {
      bool& unit = unit_buffers_.try_emplace(slot(s).buffer, true).first->second;
      unit = unit && of_modulus_one(s);
    }
  copies();
  const auto all_moves = [&] {
    each_writes(runs, [&](std::size_t at, const Slots& writes) { moves(runs, at, writes); });
  };
  Slots planes = planes_view(OneBuffer::No);
  if (moves_ == Moves::First) {
    all_moves();
    if (!planes.empty()) moves_of_other_parts(planes);
  }
  each_writes(runs, [&](std::size_t at, const Slots& writes) { extremes(runs, at, writes); });
  std::vector<Slots> views;
  const auto add_view = [&](Split split, Parts parts) {
    Slots view = complex_view(runs, split, parts);
    if (std::find(views.begin(), views.end(), view) == views.end()) views.push_back(std::move(view));
  };
  for (const Split split : {Split::Within, Split::RealFirst, Split::ImaginaryFirst}) add_view(split, Parts::Beside);
  const auto explained_by = [&](const std::vector<Slots>& some) {
    Explainer trial = *this;
    for (const Slots& view : some) trial.transforms(trial.runs_of(view));
    return trial.explained_writes();
  };
  // Exchanged parts are conjugates times i, and a transform of these is one, too: where both orders explain something, the one
  // that explains more comes first, because it fits to the other ends of the item as well.
  if (views.size() > 2 && explained_by({views[2]}) > explained_by({views[1]})) std::swap(views[1], views[2]);
  for (const Split split : {Split::Within, Split::RealFirst, Split::ImaginaryFirst}) add_view(split, Parts::Rows);
  if (moves_ == Moves::AfterTransforms) real_transforms(runs_of(real_view(false, true)));
  // Two buffers that are used alike have real parts and imaginary ones, even where what is beside each other in one of them could
  // be complex values, too; unless as these they are more.
  if (!planes.empty()) {
    const bool first = explained_by({planes}) >= explained_by(views);
    views.insert(first ? views.begin() : views.end(), std::move(planes));
  }
  // Parts in one buffer that are read again between writes of one butterfly.
  std::vector<Slots> in_one;
  for (const OneBuffer how : {OneBuffer::Beside, OneBuffer::Halves})
    if (Slots view = planes_view(how); !view.empty() && std::find(views.begin(), views.end(), view) == views.end())
      in_one.push_back(std::move(view));
  if (!in_one.empty()) {
    const std::size_t others = explained_by(views);
    for (Slots& view : in_one)
      views.insert(explained_by({view}) > others ? views.begin() : views.end(), std::move(view));
  }
  for (const Slots& view : views) transforms(runs_of(view));
  const auto some_open = [&] {
    return std::any_of(plain_.begin(), plain_.end(), [&](int s) { return slot(s).write && !explained(s); });
  };
  if (some_open())
    for (const Slots& view : views) turned_on_both_sides(runs_of(view));
  if (some_open()) reflections(runs_of(real_view(false, false)));
  if (some_open())
    for (const bool split : {false, true})
      for (const bool in_time : {false, true}) real_transforms(runs_of(real_view(split, in_time)));
  if (some_open())
    for (const bool in_time : {true, false}) real_parts(runs_of(real_view(false, in_time)));
  if (some_open()) held_values(views);
  if (moves_ == Moves::AfterTransforms) all_moves();
  each_writes(runs, [&](std::size_t at, const Slots& writes) { assembled(runs, at, writes); });
  each_writes(runs, [&](std::size_t at, const Slots& writes) { reductions(runs, at, writes); });
  each_writes(runs, [&](std::size_t at, const Slots& writes) { real_butterflies(runs, at, writes); });
  for (const Slots& view : views) {
    const std::vector<Run> complex_runs = runs_of(view);
    each_writes(complex_runs, [&](std::size_t at, const Slots& writes) { linear(complex_runs, at, writes, true); });
  }
  each_writes(runs, [&](std::size_t at, const Slots& writes) { linear(runs, at, writes, false); });
  each_writes(runs, [&](std::size_t at, const Slots& writes) { whole_lines(runs, at, writes); });
  for (const Slots& view : views) by_probes(runs_of(view));
  by_probes(runs);
  each_writes(runs, [&](std::size_t at, const Slots& writes) { constants(runs, at, writes); });
  for (std::size_t at = 0; at < runs.size(); ++at)
    if (runs[at].write) open_run(runs, at);
  for (const int s : plain_)
    if (slot(s).write) written_at_[{slot(s).buffer, place(s)}].push_back(slot(s).last_record());
  for (Pattern& pattern : result_.patterns) freshen(pattern);
  return std::move(result_);
}

Slots Explainer::fresh(const std::vector<Run>& runs, std::size_t at, int like) const {
  Slots slots;
  if (at > 0 && !runs[at - 1].write)
    for (const int s : runs[at - 1].slots)
      if (alike(s, like)) slots.push_back(s);
  // After a barrier, what was read behind it: the rest belongs to what came before.
  if (std::any_of(slots.begin(), slots.end(), [&](int s) { return slot(s).epoch == runs[at].epoch; }))
    std::erase_if(slots, [&](int s) { return slot(s).epoch != runs[at].epoch; });
  return slots;
}

Slots Explainer::earlier(const std::vector<Run>& runs, std::size_t at, int like, bool unused) const {
  Slots slots;
  std::size_t looked_at = 0;
  for (std::size_t r = at; r-- > 0 && slots.size() < max_points_in_reach && looked_at < 8 * max_points_in_reach;
       ++looked_at)
    if (!runs[r].write)
      for (std::size_t i = runs[r].slots.size(); i-- > 0 && slots.size() < max_points_in_reach; ++looked_at)
        if (const int s = runs[r].slots[i]; alike(s, like) && !(unused && used(s))) slots.push_back(s);
  std::reverse(slots.begin(), slots.end());
  return slots;
}

Slots Explainer::without_tables(const Slots& slots) const {
  Slots some;
  for (const int s : slots)
    if (!table(s)) some.push_back(s);
  return some;
}

Slots Explainer::distinct(const Slots& slots) const {
  Slots some;
  std::set<std::pair<int, std::uint64_t>> seen;
  for (std::size_t i = slots.size(); i-- > 0;)
    if (seen.emplace(slot(slots[i]).buffer, place(slots[i])).second) some.push_back(slots[i]);
  std::reverse(some.begin(), some.end());
  return some;
}

void SampledValues::add(const Slot& slot) {
  std::uint64_t print = golden_64;
  bool zero = true;
  for (const Sample& sample : samples_) {
    number_.push_back(number_of(*sample.log, slot, sample.base));
    bits_.push_back(bits_of(*sample.log, slot, sample.base));
    offset_.push_back(offset_of(*sample.log, slot, sample.base));
    print = (print ^ bits_.back()) * 0xbf58476d1ce4e5b9ULL;
    print ^= print >> 31;
    zero = zero && number_.back() == 0.0;
  }
  print_.push_back(print);
  zero_.push_back(zero);
}

Holds SampledValues::judge(const Pattern& pattern, double tolerance) const {
  const std::size_t reads = pattern.reads.size(), writes = pattern.writes.size();
  std::vector<Complex> numbers(reads + writes);
  std::vector<std::uint64_t> bits(reads + writes);
  Holds all = Holds::Empty;
  for (std::size_t s = 0; s < count(); ++s) {
    for (std::size_t i = 0; i < reads + writes; ++i) {
      const int slot = i < reads ? pattern.reads[i] : pattern.writes[i - reads];
      numbers[i] = number(slot, s);
      bits[i] = this->bits(slot, s);
    }
    const Held held{numbers.data(), numbers.data() + reads, bits.data(), bits.data() + reads};
    const Holds verdict = twiddle::judge(pattern, held, tolerance, nullptr);
    if (verdict == Holds::No) return Holds::No;
    if (verdict == Holds::Yes) all = Holds::Yes;
  }
  return all;
}

Explanation explain(const ItemShape& shape, const std::vector<Sample>& samples, const LiftOptions& options,
                    const std::vector<bool>& only_read, const std::vector<std::uint64_t>& turns,
                    const KnownParts& parts) {
  using Moves = Explainer::Moves;
  const auto in_order = [&](Moves moves) {
    return Explainer(shape, samples, options, only_read, turns, parts, moves).run();
  };
  const auto explained = [&](const Explanation& one) {
    return std::count(one.written.begin(), one.written.begin() + std::ssize(shape.slots), true);
  };
  Explanation first = in_order(Moves::First);
  const auto writes =
      std::count_if(shape.slots.begin(), shape.slots.end(), [](const Slot& slot) { return slot.write; });
  const bool moves = std::any_of(first.patterns.begin(), first.patterns.end(),
                                 [](const Pattern& pattern) { return pattern.kind == LiftedKind::Move; });
  if (!moves || explained(first) == writes || shape.slots.size() > max_slots_tried_again) return first;
  Explanation second = in_order(Moves::AfterTransforms);
  return explained(second) > explained(first) ? second : first;
}

}  // namespace twiddle
