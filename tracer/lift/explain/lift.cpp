#include "tracer/lift/lift.h"
#include "base/values/sorted.h"

#include "tracer/lift/explain/explain.h"
#include "tracer/lift/idle_writes.h"
#include "tracer/lift/item_shape.h"
#include "tracer/lift/least_squares.h"
#include "tracer/lift/pattern.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace twiddle {
namespace {

constexpr std::size_t max_sample_items = 32, max_sampled_values = 1 << 15, max_atomic_looks = 1 << 24;
constexpr int max_rounds = 4;  // of items that the operations of others do not explain

// Operations of a run of reads and writes with the same sites, found in other items: slots are places in the run.
using KnownRuns = std::map<std::vector<std::uint32_t>, std::vector<Pattern>>;

std::vector<int> run_slots(const OpenRun& run) {
  std::vector<int> slots = run.reads;
  slots.insert(slots.end(), run.writes.begin(), run.writes.end());
  return slots;
}

// Replaces slots by what `place` says of them. False: it says −1 of one.
template <typename F>
bool renumber(Pattern& pattern, const F& place) {
  for (std::vector<int>* slots : {&pattern.reads, &pattern.writes, &pattern.tables})
    for (int& slot : *slots) {
      if (slot < 0) continue;
      slot = place(slot);
      if (slot < 0) return false;
    }
  return true;
}

class Lifter {
 public:
  Lifter(const AccessLog& log, std::span<const AccessLog> probes, const TraceInfo& info, const LiftOptions& options)
      : log_(log), probes_(probes), info_(info), options_(options), parts_(info) {
    only_read_.assign(info.buffers.size(), true);
    for (std::uint64_t k = 0; k < log.size(); ++k)
      if (is_write(log.sites[log.site[k]].kind) && log.buffer[k] >= 0 &&
          static_cast<std::size_t>(log.buffer[k]) < only_read_.size())
        only_read_[log.buffer[k]] = false;
    for (const BufferInfo& buffer : info.buffers) {
      const bool pairs = traits(buffer.type).components == 2;
      turns_.push_back(4 * std::max<std::uint64_t>(pairs ? buffer.count : buffer.count / 2, 1));
    }
    shapes_ = item_shapes(log, info);
    touched_.resize(log.size());
  }

  Lifted run() {
    struct Job {
      ItemShape shape;
      Explanation explanation;
    };
    std::vector<Job> jobs;
    for (ItemShape& shape : shapes_) {
      atomics(shape);
      jobs.push_back({shape, {}});
    }
    for (int round = 1; !jobs.empty(); ++round) {
      for (Job& job : jobs) {
        job.explanation = explanation_of(job.shape);
        learn(job.explanation);
      }
      std::vector<Job> again;
      for (Job& job : jobs) {
        apply_known(job.explanation);
        std::vector<std::uint32_t> left = emit(job.shape, job.explanation, round == max_rounds);
        if (left.empty()) continue;
        // Other items decide: none of these was what the others are.
        ItemShape rest = std::move(job.shape);
        rest.items = std::move(left);
        again.push_back({std::move(rest), {}});
      }
      jobs = std::move(again);
    }
    finish();
    return std::move(lifted_);
  }

 private:
  std::uint64_t base(std::uint32_t item) const { return log_.begin[item]; }
  void add_point(std::uint32_t item, const Slot& slot) {
    lifted_.points.push_back({{base(item) + slot.record[0], base(item) + slot.record[1]},
                              slot.byte,
                              slot.records,
                              slot.number == Number::Complex && !slot.real,
                              slot.conjugated});
  }

  // Probes may be of some items only.
  std::uint64_t place_in(const AccessLog& probe, std::uint32_t item) const {
    return log_.first_item + item - probe.first_item;
  }
  bool is_in(const AccessLog& probe, std::uint32_t item) const {
    return log_.first_item + item >= probe.first_item && place_in(probe, item) < probe.items();
  }
  std::uint64_t base_in(const AccessLog& probe, std::uint32_t item) const { return probe.begin[place_in(probe, item)]; }

  // Is the item's way in the probe the same?
  bool same_way(const AccessLog& probe, std::uint32_t item) const {
    if (!is_in(probe, item)) return false;
    const std::uint64_t from = base(item), count = log_.begin[item + 1] - from, other = base_in(probe, item);
    if (probe.begin[place_in(probe, item) + 1] - other != count) return false;
    for (std::uint64_t k = 0; k < count; ++k)
      if (probe.site[other + k] != log_.site[from + k] || probe.buffer[other + k] != log_.buffer[from + k] ||
          probe.offset[other + k] != log_.offset[from + k])
        return false;
    return true;
  }

  // Items that say most: half of them those that read most values that are not zero, half spread over all.
  std::vector<Sample> samples_of(const ItemShape& shape) const {
    const std::size_t per_item = std::max<std::size_t>(shape.slots.size(), 1);
    const std::size_t wanted = std::clamp<std::size_t>(max_sampled_values / per_item, 4, max_sample_items);
    std::vector<std::uint32_t> chosen;
    const std::size_t count = shape.items.size();
    if (count <= wanted) {
      chosen = shape.items;
    } else {
      for (std::size_t i = 0; i < wanted / 2; ++i) chosen.push_back(shape.items[(2 * i + 1) * count / wanted]);
      std::vector<std::size_t> looked_at;
      for (std::size_t s = 0; s < shape.slots.size() && looked_at.size() < 16; ++s)
        if (!shape.slots[s].write) looked_at.push_back(s);
      std::vector<std::pair<int, std::uint32_t>> telling;
      for (std::size_t i = 0; i < count; ++i) {
        int score = 0;
        for (const std::size_t s : looked_at) score += number_of(log_, shape.slots[s], base(shape.items[i])) != 0.0;
        telling.emplace_back(-score, shape.items[i]);
      }
      const auto middle = telling.begin() + static_cast<std::ptrdiff_t>(wanted - wanted / 2);
      std::nth_element(telling.begin(), middle, telling.end());
      for (auto one = telling.begin(); one != middle; ++one) chosen.push_back(one->second);
      sort_unique(chosen);
    }
    std::vector<Sample> samples;
    if (probes_.empty()) {
      for (const std::uint32_t item : chosen) samples.push_back({&log_, base(item), item, false});
      return samples;
    }
    std::vector<std::uint32_t> probed;
    for (const std::uint32_t item : chosen)
      if (is_in(probes_.front(), item)) probed.push_back(item);
    for (const std::uint32_t item : shape.items)
      if (probed.empty() && is_in(probes_.front(), item)) {
        probed.push_back(item);
        chosen.push_back(item);
      }
    for (const std::uint32_t item : chosen) samples.push_back({&log_, base(item), item, false});
    const std::size_t count_probed = std::min<std::size_t>(probed.size(), 4);
    for (std::size_t i = 0; i < count_probed; ++i)
      for (const AccessLog& probe : probes_) {
        const std::uint32_t item = probed[i * probed.size() / count_probed];
        if (same_way(probe, item)) samples.push_back({&probe, base_in(probe, item), item, true});
      }
    return samples;
  }

  // An explanation holds for all samples; where there is none for all, for more of the writes when an item that is not like the
  // others is left out.
  Explanation explanation_of(const ItemShape& shape) const {
    const std::vector<Sample> samples = samples_of(shape);
    Explanation best = explain(shape, samples, options_, only_read_, turns_, parts_);
    const auto explained = [&](const Explanation& one) {
      std::size_t count = 0;
      for (std::size_t s = 0; s < shape.slots.size(); ++s) count += one.written[s];
      return count;
    };
    const auto writes = static_cast<std::size_t>(
        std::count_if(shape.slots.begin(), shape.slots.end(), [](const Slot& slot) { return slot.write; }));
    constexpr std::uint32_t parts = 3;
    if (explained(best) == writes || shape.items.size() < 2 * parts || shape.slots.size() > max_sampled_values / 16)
      return best;
    for (std::uint32_t part = 0; part < parts; ++part) {
      std::vector<Sample> some;
      for (std::size_t i = 0; i < samples.size(); ++i)
        if ((samples[i].probe ? samples[i].item : i) % parts == part) some.push_back(samples[i]);
      // Without the items that say something zeros would explain anything.
      if (some.size() < 2 || zeros(shape, some) != zeros(shape, samples)) continue;
      Explanation other = explain(shape, some, options_, only_read_, turns_, parts_);
      if (explained(other) > explained(best)) best = std::move(other);
    }
    return best;
  }

  // Values that are zero in all samples.
  static std::size_t zeros(const ItemShape& shape, const std::vector<Sample>& samples) {
    return static_cast<std::size_t>(std::count_if(shape.slots.begin(), shape.slots.end(), [&](const Slot& slot) {
      return std::all_of(samples.begin(), samples.end(),
                         [&](const Sample& sample) { return number_of(*sample.log, slot, sample.base) == 0.0; });
    }));
  }

  // ---- what items of one shape say of another's

  void learn(const Explanation& explanation) {
    for (const OpenRun& run : explanation.runs) {
      if (known_.contains(run.sites)) continue;
      const std::vector<int> slots = run_slots(run);
      const auto place = [&](int slot) {
        const auto at = std::find(slots.begin(), slots.end(), slot);
        return at == slots.end() ? -1 : static_cast<int>(at - slots.begin());
      };
      std::vector<Pattern> patterns;
      std::size_t written = 0;
      for (const Pattern& pattern : explanation.patterns) {
        if (place(pattern.writes.front()) < 0) continue;
        Pattern known = pattern;
        if (!renumber(known, place)) continue;
        written += known.writes.size();
        patterns.push_back(std::move(known));
      }
      if (!patterns.empty() && written == run.writes.size()) known_.emplace(run.sites, std::move(patterns));
    }
  }

  void apply_known(Explanation& explanation) const {
    for (const OpenRun& run : explanation.runs) {
      const auto known = known_.find(run.sites);
      if (known == known_.end()) continue;
      if (std::none_of(run.writes.begin(), run.writes.end(), [&](int s) { return !explanation.written[s]; })) continue;
      const std::vector<int> slots = run_slots(run);
      for (Pattern pattern : known->second) {
        renumber(pattern, [&](int place) { return slots[place]; });
        const Slot& first = explanation.slots[pattern.writes.front()];
        if (first.number != pattern.number || first.width != pattern.width) continue;
        if (std::any_of(pattern.writes.begin(), pattern.writes.end(), [&](int s) { return explanation.written[s]; }))
          continue;
        for (const int s : pattern.writes) explanation.written[s] = true;
        explanation.patterns.push_back(std::move(pattern));
      }
    }
  }

  // ---- operations of items

  void atomics(const ItemShape& shape) {
    for (const std::uint32_t item : shape.items) {
      for (std::size_t i = 0; i < shape.atomic.size(); ++i) {
        const std::uint64_t load = base(item) + shape.atomic[i];
        LiftedOperation op;
        op.item = log_.first_item + item;
        op.epoch = shape.atomic_epoch[i];
        op.kind = LiftedKind::Atomic;
        op.reads = op.writes = op.coefficients = 1;
        op.first_point = lifted_.points.size();
        op.first_coefficient = lifted_.coefficients.size();
        op.first_table_read = lifted_.table_reads.size();
        lifted_.points.push_back({{load, load}, {}, 1, false, false});
        lifted_.points.push_back({{load + 1, load + 1}, {}, 1, false, false});
        Slot slot = atomic_slot(load);
        const std::complex<double> before = number_of(log_, slot, load);
        op.number = slot.number;
        op.component_bytes = slot.width;
        slot.record = {1, 1};
        std::complex<double> difference = number_of(log_, slot, load) - before;
        if (slot.number == Number::Whole && slot.width == 4)
          difference = static_cast<std::int32_t>(std::int64_t(difference.real()));
        lifted_.coefficients.push_back(difference);
        lifted_.operations.push_back(op);
        touched_[load] = touched_[load + 1] = true;
      }
      for (const std::uint32_t record : shape.atomic_alone) touched_[base(item) + record] = true;
    }
    // Each looks through all of the item's accesses.
    if (shape.atomic.size() * shape.slots.size() > max_atomic_looks) return;
    for (std::size_t i = 0; i < shape.atomic.size(); ++i) atomic_sum(shape, i);
  }

  // Whole numbers that were added up before an atomic addition adds them to what is there: all that was read since the last
  // write. All items say so, with more than one sum: where each adds 1, any read that is 1 would do.
  void atomic_sum(const ItemShape& shape, std::size_t which) {
    const std::uint32_t at = shape.atomic[which];
    const Slot target = atomic_slot(base(shape.items[0]) + at);
    if (target.number != Number::Whole) return;
    std::uint32_t from = which > 0 ? shape.atomic[which - 1] + 2 : 0;
    for (const Slot& slot : shape.slots)
      if (slot.write && slot.last_record() < at) from = std::max(from, slot.last_record() + 1);
    std::vector<const Slot*> reads;
    for (const Slot& slot : shape.slots)
      if (!slot.write && slot.epoch == shape.atomic_epoch[which] && slot.record[0] >= from && slot.last_record() < at) {
        if (slot.number != Number::Whole || slot.width != target.width) return;
        reads.push_back(&slot);
      }
    if (reads.empty()) return;
    const std::uint64_t mask = target.width >= 8 ? ~std::uint64_t(0) : (std::uint64_t(1) << (8 * target.width)) - 1;
    std::set<std::uint64_t> sums;
    for (const std::uint32_t item : shape.items) {
      std::uint64_t sum = 0;
      for (const Slot* read : reads) sum += whole_of(log_, *read, base(item));
      if (((log_.value[base(item) + at] + sum - log_.value[base(item) + at + 1]) & mask) != 0) return;
      sums.insert(sum & mask);
    }
    if (sums.size() < 2) return;
    for (const std::uint32_t item : shape.items) {
      LiftedOperation op;
      op.item = log_.first_item + item;
      op.epoch = shape.atomic_epoch[which];
      op.kind = LiftedKind::Sum;
      op.number = Number::Whole;
      op.component_bytes = target.width;
      op.reads = static_cast<std::uint32_t>(reads.size());
      op.writes = 1;
      op.first_point = lifted_.points.size();
      op.first_coefficient = lifted_.coefficients.size();
      op.first_table_read = lifted_.table_reads.size();
      for (const Slot* read : reads) {
        const std::uint64_t record = base(item) + read->record[0];
        lifted_.points.push_back({{record, record}, read->byte, 1, false, false});
        touched_[record] = true;
      }
      lifted_.points.push_back({{base(item) + at + 1, base(item) + at + 1}, {}, 1, false, false});
      lifted_.operations.push_back(op);
    }
  }

  Slot atomic_slot(std::uint64_t load) const {
    Slot slot;
    const AccessSite& site = log_.sites[log_.site[load]];
    const WordType type = word_type(site, info_, log_.buffer[load]);
    slot.number = type.floating && site.chunk == type.width ? Number::Real : Number::Whole;
    slot.width = site.chunk;
    return slot;
  }

  // The operations of all items for which each pattern holds; the other items are returned, unless it is the `last` time:
  // then they have those operations that hold.
  std::vector<std::uint32_t> emit(const ItemShape& shape, const Explanation& explanation, bool last) {
    std::vector<std::uint32_t> left;
    std::vector<Complex> coefficients;
    std::vector<char> holds(explanation.patterns.size());
    for (const std::uint32_t item : shape.items) {
      const std::size_t points = lifted_.points.size(), numbers = lifted_.coefficients.size(),
                        tables = lifted_.table_reads.size(), operations = lifted_.operations.size();
      bool all = true;
      for (const Pattern& pattern : explanation.patterns) {
        if (operation_of(pattern, explanation.slots, item)) continue;
        all = false;
        if (!last) break;
      }
      if (all || last) {
        for (std::size_t i = operations; i < lifted_.operations.size(); ++i) touch(lifted_.operations[i]);
        continue;
      }
      left.push_back(item);
      lifted_.points.resize(points);
      lifted_.coefficients.resize(numbers);
      lifted_.table_reads.resize(tables);
      lifted_.operations.resize(operations);
    }
    // Where no operation at all was found there is nothing that other samples would change.
    if (left.size() == shape.items.size() && !last) return emit(shape, explanation, true);
    return left;
  }

  void touch(const LiftedOperation& op) {
    for (std::size_t i = 0; i < op.reads + op.writes; ++i) {
      const LiftedPoint& point = lifted_.points[op.first_point + i];
      for (int r = 0; r < point.records; ++r) touched_[point.record[r]] = true;
    }
    for (const std::uint64_t record : lifted_.table_reads_of(op)) touched_[record] = true;
  }

  bool operation_of(const Pattern& pattern, const std::vector<Slot>& slots, std::uint32_t item) {
    const std::size_t reads = pattern.reads.size(), writes = pattern.writes.size();
    numbers_.resize(reads + writes);
    bits_.resize(reads + writes);
    own_.assign(std::max(reads, pattern.tables.size()), Complex(std::nan(""), 0));
    const bool linear = pattern.kind == LiftedKind::Linear;
    const auto fill = [&](const AccessLog& log, std::uint64_t from) {
      for (std::size_t i = 0; i < reads + writes; ++i) {
        const Slot& slot = slots[i < reads ? pattern.reads[i] : pattern.writes[i - reads]];
        numbers_[i] = number_of(log, slot, from);
        bits_[i] = bits_of(log, slot, from);
      }
      if (linear)
        for (std::size_t i = 0; i < pattern.tables.size(); ++i)
          own_[i] = pattern.tables[i] < 0 ? 1 : number_of(log, slots[pattern.tables[i]], from);
    };
    const double tolerance = pattern.width == 8 ? options_.double_tolerance : options_.float_tolerance;
    if (pattern.by_probes && !solve(pattern, slots, item, tolerance)) return false;
    fill(log_, base(item));
    const Held held{numbers_.data(), numbers_.data() + reads, bits_.data(), bits_.data() + reads};
    if (judge(pattern, held, tolerance, own_.data()) == Holds::No) return false;
    if (!probes_.empty() && !holds_in_probes(pattern, slots, item, tolerance)) return false;

    LiftedOperation op;
    op.item = log_.first_item + item;
    op.kind = pattern.kind;
    op.number = pattern.number;
    op.component_bytes = pattern.width;
    op.decimation_in_time = pattern.time;
    op.mirrored = pattern.mirrored;
    op.sign = pattern.sign;
    op.scale = pattern.scale;
    op.offset = pattern.offset;
    op.reads = static_cast<std::uint32_t>(reads);
    op.writes = static_cast<std::uint32_t>(writes);
    op.first_point = lifted_.points.size();
    op.first_coefficient = lifted_.coefficients.size();
    op.first_table_read = lifted_.table_reads.size();
    for (std::size_t i = 0; i < reads + writes; ++i) {
      const Slot& slot = slots[i < reads ? pattern.reads[i] : pattern.writes[i - reads]];
      if (i >= reads) op.epoch = std::max(op.epoch, slot.epoch);
      add_point(item, slot);
    }
    coefficients_of(op, pattern, slots, item);
    lifted_.operations.push_back(op);
    return true;
  }

  // In probes, whose values also tell coefficients that the log's own (zeros) do not.
  bool holds_in_probes(const Pattern& pattern, const std::vector<Slot>& slots, std::uint32_t item, double tolerance) {
    const std::size_t reads = pattern.reads.size(), points = reads + pattern.writes.size();
    std::vector<Complex> numbers(points), own = own_;
    std::vector<std::uint64_t> bits(points);
    std::size_t checked = 0;
    for (std::size_t p = 0; p < probes_.size(); ++p) {
      const bool complete = std::none_of(own_.begin(), own_.end(), [](Complex c) { return std::isnan(c.real()); });
      if (checked >= 2 && (complete || checked >= 8)) break;
      if (!same_way_known(p, item)) continue;
      ++checked;
      const AccessLog& probe = probes_[p];
      for (std::size_t i = 0; i < points; ++i) {
        const Slot& slot = slots[i < reads ? pattern.reads[i] : pattern.writes[i - reads]];
        numbers[i] = number_of(probe, slot, base_in(probe, item));
        bits[i] = bits_of(probe, slot, base_in(probe, item));
      }
      if (pattern.kind == LiftedKind::Linear)
        for (std::size_t i = 0; i < pattern.tables.size(); ++i)
          own[i] = pattern.tables[i] < 0 ? 1 : number_of(probe, slots[pattern.tables[i]], base_in(probe, item));
      const Held held{numbers.data(), numbers.data() + reads, bits.data(), bits.data() + reads};
      if (judge(pattern, held, tolerance, own.data()) == Holds::No) return false;
      for (std::size_t i = 0; i < own.size(); ++i)
        if (std::isnan(own_[i].real())) own_[i] = own[i];
    }
    return true;
  }
  // The item's own coefficients, into own_.
  bool solve(const Pattern& pattern, const std::vector<Slot>& slots, std::uint32_t item, double tolerance) {
    std::vector<Complex> rows, right;
    for (std::size_t p = 0; p < probes_.size() && right.size() < pattern.reads.size() + 16; ++p) {
      if (!same_way_known(p, item)) continue;
      const std::uint64_t from = base_in(probes_[p], item);
      for (const int read : pattern.reads) rows.push_back(number_of(probes_[p], slots[read], from));
      right.push_back(number_of(probes_[p], slots[pattern.writes[0]], from));
    }
    if (right.size() < pattern.reads.size() + 3) return false;
    const std::vector<Complex> fit = least_squares(rows, right, pattern.reads.size());
    if (fit.empty() || relative_residual(rows, right, fit) > 5 * tolerance) return false;
    std::copy(fit.begin(), fit.end(), own_.begin());
    return true;
  }
  bool same_way_known(std::size_t probe, std::uint32_t item) {
    if (ways_.empty()) ways_.assign(probes_.size(), std::vector<signed char>(log_.items(), -1));
    signed char& way = ways_[probe][item];
    if (way < 0) way = same_way(probes_[probe], item) ? 1 : 0;
    return way == 1;
  }

  void coefficients_of(LiftedOperation& op, const Pattern& pattern, const std::vector<Slot>& slots,
                       std::uint32_t item) {
    if (pattern.turned) {
      op.coefficients = op.reads;
      lifted_.coefficients.insert(lifted_.coefficients.end(), own_.begin(), own_.begin() + op.reads);
      for (const int table : pattern.tables)
        for (int r = 0; table >= 0 && r < slots[table].records; ++r)
          lifted_.table_reads.push_back(base(item) + slots[table].record[r]);
      op.table_reads = static_cast<std::uint32_t>(lifted_.table_reads.size() - op.first_table_read);
      return;
    }
    if (!pattern.outputs.empty()) {
      op.coefficients = op.reads * op.writes;
      const auto n = static_cast<std::int64_t>(op.reads);
      for (const int p : pattern.outputs)
        for (std::int64_t k = 0; k < n; ++k)
          lifted_.coefficients.push_back(pattern.scale * root(pattern.sign * k * p, n));
      return;
    }
    std::size_t count = 0;
    switch (pattern.kind) {
      case LiftedKind::Butterfly: count = pattern.reads.size(); break;
      case LiftedKind::Pack: count = pattern.writes.size() == 2 ? 1 : 0; break;
      case LiftedKind::Rotate:
      case LiftedKind::Scale: count = 1; break;
      case LiftedKind::Linear: count = pattern.reads.size(); break;
      default: break;
    }
    op.coefficients = static_cast<std::uint32_t>(count);
    const bool fixed = pattern.tables.empty() && !pattern.coefficients.empty();
    for (std::size_t c = 0; c < count; ++c) {
      Complex value = fixed ? pattern.coefficients[c] : own_[c];
      if (std::isnan(value.real()) && pattern.number == Number::Complex) value = weakly_told(c, pattern, slots);
      const int table = pattern.tables.empty() ? -1 : pattern.tables[c];
      if (table >= 0) {
        value = number_of(log_, slots[table], base(item));
        if (pattern.conjugated[c]) value = std::conj(value);
        for (int r = 0; r < slots[table].records; ++r)
          lifted_.table_reads.push_back(base(item) + slots[table].record[r]);
      } else if (!fixed && pattern.number == Number::Complex) {
        if (c == 0 && pattern.kind == LiftedKind::Butterfly && !pattern.free_first) value = 1;
        value = snapped(value, pattern, slots);
      }
      lifted_.coefficients.push_back(value);
    }
    op.table_reads = static_cast<std::uint32_t>(lifted_.table_reads.size() - op.first_table_read);
  }

  // A ratio of rounded values is only nearly the factor that the kernel multiplied by: the root of unity that it is as good as
  // equal to, rounded to the kernel's precision.
  Complex snapped(Complex value, const Pattern& pattern, const std::vector<Slot>& slots) const {
    if (std::isnan(value.real()) || std::abs(std::abs(value) - 1) > 1e-5) return value;
    const int buffer = slots[pattern.reads[0]].buffer;
    if (buffer < 0 || static_cast<std::size_t>(buffer) >= turns_.size()) return value;
    const auto turns = static_cast<std::int64_t>(turns_[buffer]);
    const Complex near = root(std::llround(std::arg(value) / (2 * M_PI) * double(turns)), turns);
    const bool wide = pattern.width == 8;
    // 8 roundings of the values, and as much more as the smaller of two inputs is amplified by.
    double small = INFINITY, large = 0;
    for (std::size_t i = 0; i < pattern.reads.size(); ++i) {
      small = std::min(small, std::abs(numbers_[i]));
      large = std::max(large, std::abs(numbers_[i]));
    }
    const double bound = (wide ? 2e-15 : 1e-6) * std::min(large / std::max(small, 1e-300), 1000.0);
    if (std::abs(value - near) > bound) return value;
    return wide ? near : Complex(static_cast<float>(near.real()), static_cast<float>(near.imag()));
  }

  // A factor of small values among large ones, which rounding hides the more the smaller they are: the root of unity that it can
  // only be, or what makes the outputs what they are. NaN where the values say nothing of it.
  Complex weakly_told(std::size_t which, const Pattern& pattern, const std::vector<Slot>& slots) const {
    const std::size_t reads = pattern.reads.size();
    const Held held{numbers_.data(), numbers_.data() + reads, bits_.data(), bits_.data() + reads};
    const Ratio told = factor_ratio(pattern, held, which);
    const bool wide = pattern.width == 8;
    const double error = (wide ? 2e-15 : 1e-6) * told.size / std::abs(told.below);
    const Complex value = told.above / told.below;
    if (!(error < 0.5) || !(std::abs(std::abs(value) - 1) <= error)) return {std::nan(""), std::nan("")};
    if (std::abs(value - 1.0) <= error) return 1;
    const int buffer = slots[pattern.reads[0]].buffer;
    if (buffer >= 0 && static_cast<std::size_t>(buffer) < turns_.size()) {
      const auto turns = static_cast<std::int64_t>(turns_[static_cast<std::size_t>(buffer)]);
      const Complex near = root(std::llround(std::arg(value) / (2 * M_PI) * double(turns)), turns);
      if (error < M_PI / 2 / double(turns) && std::abs(value - near) <= error)
        return wide ? near : Complex(static_cast<float>(near.real()), static_cast<float>(near.imag()));
    }
    return value / std::abs(value);
  }

  std::uint64_t last_write(const LiftedOperation& op) const {
    std::uint64_t last = 0;
    for (const LiftedPoint& point : lifted_.writes_of(op))
      for (int r = 0; r < point.records; ++r) last = std::max(last, point.record[r]);
    return last;
  }

  void finish() {
    std::vector<std::pair<std::uint64_t, std::size_t>> order;  // records of items are in the order of items
    order.reserve(lifted_.operations.size());
    for (std::size_t i = 0; i < lifted_.operations.size(); ++i)
      order.emplace_back(last_write(lifted_.operations[i]), i);
    std::sort(order.begin(), order.end());
    std::vector<LiftedOperation> sorted;
    sorted.reserve(order.size());
    for (const auto& [record, i] : order) sorted.push_back(lifted_.operations[i]);
    lifted_.operations = std::move(sorted);
    loose();

    for (std::uint64_t k = 0; k < log_.size(); ++k) {
      const AccessKind kind = log_.sites[log_.site[k]].kind;
      if (log_.sites[log_.site[k]].space == Space::Private) continue;
      if (kind == AccessKind::Store) {
        ++lifted_.writes;
        if (touched_[k])
          ++lifted_.explained_writes;
        else
          lifted_.unexplained_writes.push_back(k);
      } else if (is_read(kind) && !touched_[k]) {
        lifted_.unused_reads.push_back(k);
      }
    }
    if (lifted_.unexplained_writes.empty()) return;
    IdleWrites idle = idle_writes(log_, lifted_.unexplained_writes, options_.group_items);
    lifted_.idle_writes = idle.count;
    lifted_.writes -= idle.count;
    lifted_.idle = std::move(idle.items);
  }

  // Values that no operation explains.
  void loose() {
    for (const ItemShape& shape : shapes_)
      for (const std::uint32_t item : shape.items)
        for (const Slot& slot : shape.slots) {
          bool open = true;
          for (int r = 0; r < slot.records; ++r) open = open && !touched_[base(item) + slot.record[r]];
          if (!open) continue;
          LiftedOperation value;
          value.item = log_.first_item + item;
          value.epoch = slot.epoch;
          value.number = slot.number;
          value.component_bytes = slot.width;
          (slot.write ? value.writes : value.reads) = 1;
          value.first_point = lifted_.points.size();
          add_point(item, slot);
          lifted_.loose.push_back(value);
        }
  }

  const AccessLog& log_;
  std::span<const AccessLog> probes_;
  const TraceInfo& info_;
  const LiftOptions& options_;
  const KnownParts parts_;
  std::vector<ItemShape> shapes_;
  std::vector<bool> only_read_;
  std::vector<std::uint64_t> turns_;  // by buffer: twiddles are roots of unity of such an order
  std::vector<bool> touched_;         // records of operations
  KnownRuns known_;
  std::vector<std::vector<signed char>> ways_;  // [probe][item]: does it go the log's way? −1: not looked at
  Lifted lifted_;
  std::vector<Complex> numbers_, own_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace

std::string_view name_of(LiftedKind kind) {
  switch (kind) {
    case LiftedKind::Move: return "move";
    case LiftedKind::Scale: return "scale";
    case LiftedKind::Rotate: return "rotate";
    case LiftedKind::Butterfly: return "butterfly";
    case LiftedKind::Pack: return "pack";
    case LiftedKind::Sum: return "sum";
    case LiftedKind::Minimum: return "minimum";
    case LiftedKind::Maximum: return "maximum";
    case LiftedKind::Product: return "product";
    case LiftedKind::Constant: return "constant";
    case LiftedKind::Linear: return "linear";
    case LiftedKind::Atomic: return "atomic";
  }
  return "unknown";
}

Lifted lift(const AccessLog& log, const TraceInfo& info, const LiftOptions& options) {
  return lift(log, {}, info, options);
}

Lifted lift(const AccessLog& log, std::span<const AccessLog> probes, const TraceInfo& info,
            const LiftOptions& options) {
  return Lifter(log, probes, info, options).run();
}

}  // namespace twiddle
