// How a shape's operations are found: the parts of explain().
#pragma once

#include "tracer/lift/explain/explain.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

namespace twiddle {

inline constexpr std::size_t max_points_in_reach = 64;  // that one operation's points are looked for among

using Slots = std::vector<int>;

/// Reads or writes that follow one another.
struct Run {
  bool write = false;
  int epoch = 0;
  Slots slots;
};

/// Explains the writes of a shape, run by run: moves first, then transforms of complex values, then sums of all kinds.
class Explainer {
 public:
  // An output of a butterfly may be one of its inputs, as its others cancel out, in real values' spectra in all items alike: what
  // looks like a move is then looked at once more, when transforms have been found.
  enum class Moves { First, AfterTransforms };
  Explainer(const ItemShape& shape, const std::vector<Sample>& samples, const LiftOptions& options,
            const std::vector<bool>& only_read, const std::vector<std::uint64_t>& turns, const KnownParts& parts,
            Moves moves)
      : options_(options), values_(samples), only_read_(only_read), turns_(turns), parts_(parts), moves_(moves) {
    result_.slots = shape.slots;
    for (const Slot& slot : shape.slots) values_.add(slot);
    result_.written.resize(shape.slots.size());
    used_.resize(shape.slots.size());
    // The probes of the first item that has some.
    for (std::size_t s = 0; s < samples.size(); ++s)
      if (samples[s].probe && (probed_.empty() || samples[s].item == samples[probed_.front()].item))
        probed_.push_back(s);
    plain_.resize(shape.slots.size());
    std::iota(plain_.begin(), plain_.end(), 0);
  }
  Explanation run();

 private:
  // ---- views and runs
  const Slot& slot(int s) const { return result_.slots[s]; }
  std::uint64_t place(int s, std::size_t sample = 0) const { return values_.offset(s, sample); }
  std::vector<Run> runs_of(const Slots& view) const;
  // Calls with each run's unexplained writes, those of one make at a time.
  template <typename F>
  void each_writes(const std::vector<Run>& runs, const F& call) {
    for (std::size_t at = 0; at < runs.size(); ++at) {
      if (!runs[at].write) continue;
      Slots left = open_writes(runs[at].slots);
      while (!left.empty()) {
        Slots same;
        const int first = left.front();
        for (const int s : left)
          if (alike(s, first)) same.push_back(s);
        std::erase_if(left, [&](int s) { return alike(s, first); });
        call(at, same);
      }
    }
  }
  bool alike(int a, int b) const { return slot(a).number == slot(b).number && slot(a).width == slot(b).width; }
  Slots open_writes(const Slots& slots) const {
    Slots open;
    for (const int s : slots)
      if (!explained(s)) open.push_back(s);
    return open;
  }
  bool explained(int s) const {
    if (const auto pair = pair_parts_.find(s); pair != pair_parts_.end())
      return result_.written[pair->second.first] || result_.written[pair->second.second];
    return result_.written[s];
  }
  bool used(int s) const {
    if (const auto pair = pair_parts_.find(s); pair != pair_parts_.end())
      return used_[pair->second.first] || used_[pair->second.second];
    return used_[s];
  }
  void mark(std::vector<bool>& marks, int s) {
    if (const auto pair = pair_parts_.find(s); pair != pair_parts_.end())
      marks[pair->second.first] = marks[pair->second.second] = true;
    else
      marks[s] = true;
  }
  void accept(Pattern pattern) {
    for (const int s : pattern.reads)
      if (!slot(s).write) mark(used_, s);
    for (const int s : pattern.writes) mark(result_.written, s);
    result_.patterns.push_back(std::move(pattern));
  }
  // Two numbers as one complex value.
  int pair_of(int real, int imaginary);
  // The same where the real part was not read again, for the item had just written it.
  int read_pair_of(int real, int imaginary);
  // A complex value whose halves have changed places.
  int exchanged(int s);
  Slots by_address(Slots slots) const {
    std::stable_sort(slots.begin(), slots.end(), [&](int a, int b) {
      return std::pair(slot(a).buffer, place(a)) < std::pair(slot(b).buffer, place(b));
    });
    return slots;
  }
  bool in_every_sample(const std::function<bool(std::size_t)>& test) const {
    for (std::size_t s = 0; s < values_.count(); ++s)
      if (!test(s)) return false;
    return true;
  }
  // Neighbouring numbers: (x[2i], x[2i + 1]).
  bool interleaved(const Slots& sorted, std::vector<std::pair<int, int>>& pairs) const;
  // All real parts, and the imaginary parts in another buffer or a fixed distance behind them.
  bool planar(const Slots& sorted, const Slots& accessed, std::vector<std::pair<int, int>>& pairs) const;
  // The view with numbers paired to complex values where runs allow it: within a run, or, `split_first`, with the same places
  // in the run after the next (real parts pass through memory, then imaginary parts, or, as inverse transforms do
  // it, the other way round).
  enum class Split { Within, RealFirst, ImaginaryFirst };
  // Where a run's numbers are both neighbours and two rows of one length: real parts and imaginary ones beside each other, or a row
  // of each.
  enum class Parts { Beside, Rows };
  Slots complex_view(const std::vector<Run>& runs, Split split, Parts parts);
  // What an item does with real numbers of one buffer, or with every other one, or one half of them. By use: what a place holds
  // from one write of the item to the next, or to a barrier, read, however often, and written.
  struct Plane {
    using Use = std::tuple<int, std::uint64_t, std::size_t, bool>;  // epoch, place from `first`, writes before, a write
    int buffer = -1;
    std::uint64_t first = 0;
    std::map<Use, int> uses;
    std::map<std::uint64_t, std::size_t> writes;  // by place
    Slots all;
  };
  void add_to(Plane& plane, int s) const;
  std::vector<Plane> planes() const;
  // What both have the same uses of, as far from each other as their first places are. Empty: they have not.
  std::vector<std::pair<int, int>> pairs_of(const Plane& one, const Plane& other) const;
  // Real parts and imaginary ones that are in one buffer: beside each other, or all of the one kind before all of the other.
  enum class OneBuffer { No, Beside, Halves };
  std::optional<std::array<Plane, 2>> parts_of_plane(const Plane& whole, OneBuffer how) const;
  // The view with numbers as complex values wherever in the item they are: what two buffers have at the same places, read and
  // written equally often, or two parts of one. Empty where nothing is such.
  Slots planes_view(OneBuffer how);
  // Of such a view: what moved as one part of a value moved as the other, too, where that is zero and its value does not tell.
  void moves_of_other_parts(const Slots& planes);
  std::size_t explained_writes() const {
    return static_cast<std::size_t>(std::count(result_.written.begin(), result_.written.end(), true));
  }

  // ---- what a run may have read
  // Reads between the run and the writes before it.
  Slots fresh(const std::vector<Run>& runs, std::size_t at, int like) const;
  // Reads of before, the latest ones first, back to the item's beginning or as many as an operation reaches.
  Slots earlier(const std::vector<Run>& runs, std::size_t at, int like, bool unused) const;
  // ---- transforms of real values
  // A value that is made of another: its conjugate (a real one's negative), its first or second component, a real one as a
  // complex one, or times i.
  enum class Derived { Conjugate, First, Second, Widened, Turned };
  int derived(Derived how, int s);
  // The shape's own slots, `split` those of neighbours in local memory, and, `in_time`, with real parts and those of the same
  // places in a later run as complex values; of reads that are real as a whole there is no later one.
  Slots real_view(bool split, bool in_time);
  void real_transforms(const std::vector<Run>& runs);
  // All writes as outputs of butterflies of these, in some order and with some of their conjugates.
  bool real_transform(const Slots& reads, const Slots& writes);
  bool real_groups(const Slots& reads, const Slots& writes);
  // A point of a transform of prime length: z + Σ (a·cos ± i·b·sin), of a and b as the sums and differences of two points, with
  // each pair's cosine and sine read behind it; of real ones without the i.
  bool prime_point(const Slots& reads, int w);
  // Butterflies of complex values of which the real parts are stored, with factors from a table (explain_real_parts.cpp).
  void real_parts(const std::vector<Run>& runs);
  // Of these in this order; `found` gets a pattern an output, of one scale with those that are there.
  bool real_parts_of(const Slots& reads, const Slots& tables, const Slots& writes, std::vector<Pattern>& found);
  // Complex values that are another as it is, with its parts exchanged, its conjugate, or what a real or imaginary part is
  // doubled.
  void reflections(const std::vector<Run>& runs);
  // ---- values that an item never stores (explain_held.cpp)
  struct HeldPack {
    int held = -1;
    Pattern stored;  // the other output
  };
  void held_values(const std::vector<Slots>& views);
  int hold(const Slots& of, std::vector<Complex> factors);
  // Outputs of butterflies that were not stored, and what is read: spectra of real points made of both.
  void packs_of_held(const std::vector<Run>& runs);
  bool pack_of(const Slots& from, const Slots& reads, const Slots& writes);
  // The other way round: spectra taken apart, one half of which is exchanged, and the other a butterfly's points.
  std::vector<HeldPack> halves_of_packs(const std::vector<Run>& runs);
  // Halves that are paired in ascending or descending order, all in the same way.
  bool in_one_order(const std::vector<HeldPack>& packs) const;
  bool transform_of_held(const std::vector<Run>& runs, std::vector<HeldPack>& packs);
  // The order of a spectrum's points, whose second half is the conjugate of what is read.
  bool mirrored(const Slots& reads, Slots& ordered);

  // Numbers of modulus 1 from a buffer that nothing writes: perhaps a table's.
  bool table(int s) const {
    if (!maybe_table(s)) return false;
    if (s < std::ssize(plain_)) return unit_buffers_.at(slot(s).buffer);
    return of_modulus_one(s);
  }
  bool of_modulus_one(int s) const {
    return in_every_sample([&](std::size_t i) { return std::abs(std::abs(values_.number(s, i)) - 1) < 1e-4; });
  }
  bool maybe_table(int s) const {
    const int buffer = slot(s).buffer;
    return !slot(s).write && buffer >= 0 && static_cast<std::size_t>(buffer) < only_read_.size() && only_read_[buffer];
  }
  Slots without_tables(const Slots& slots) const;
  // One read of each place: the last.
  Slots distinct(const Slots& slots) const;
  double tolerance(int s) const { return slot(s).width == 8 ? options_.double_tolerance : options_.float_tolerance; }
  Pattern pattern_like(int s, LiftedKind kind) const {
    Pattern pattern;
    pattern.kind = kind;
    pattern.number = slot(s).number;
    pattern.width = slot(s).width;
    return pattern;
  }
  bool holds(const Pattern& pattern) const {
    return values_.judge(pattern, tolerance(pattern.writes.front())) == Holds::Yes;
  }

  // ---- moves
  void copies();
  void moves(const std::vector<Run>& runs, std::size_t at, const Slots& writes);
  // Moves of values that were read before other writes, where nothing fresh explains them: there is none, or all was taken.
  void held_moves(const std::vector<Run>& runs, std::size_t at, const Slots& writes, bool all_taken = false);
  // Complex values made of two real ones.
  void assembled(const std::vector<Run>& runs, std::size_t at, const Slots& writes);

  // ---- transforms of complex values
  void transforms(const std::vector<Run>& runs);
  void transform_run(const std::vector<Run>& runs, std::size_t at, const Slots& writes);
  // All writes as butterflies of one radix, whose points are strided or side by side.
  bool equal_groups(const Slots& reads, const Slots& writes);
  static Slots group(const Slots& slots, std::size_t radix, std::size_t g, bool strided);
  bool pack(const Slots& reads, const Slots& writes);
  // Writes that are each the half of a spectrum that one of two real signals has: all but those of a real or no value.
  bool halves(const Slots& reads, const Slots& writes);
  // Butterflies with factors from a table before, and others behind, or without some outputs (explain_turned.cpp).
  void turned_on_both_sides(const std::vector<Run>& runs);
  // Of these points, one or several of one radix, whose factors follow one another.
  bool turned_groups(const Slots& reads, const Slots& tables, const Slots& writes);
  // One of them; `found` gets a pattern an output.
  bool turned_outputs(const Slots& reads, const Slots& tables, const Slots& writes, std::vector<Pattern>& found);
  // Butterflies whose points are anywhere among these: in equal steps of address, or accessed one after another.
  void search(const Slots& all_reads, Slots writes);
  std::vector<Slots> groups(const Slots& slots, std::size_t size) const;
  // By group and sample: the sum of the squares of its values.
  std::vector<std::vector<double>> energies(const std::vector<Slots>& groups) const;

  // ---- factors
  // `alone`: a read and a write, without others beside them that the write may be a sum of.
  bool factors(const Slots& reads, const Slots& writes, bool alone);
  // The conjugate times one factor: parts exchanged, or the sum and the difference of two real numbers, say. Of the same modulus,
  // and no rotation.
  bool mirror_images(const Slots& reads, const Slots& writes) const;
  // Each write a read times a factor: of one modulus, or the same real one.
  bool factor_group(const Slots& reads, const Slots& writes, bool alone);
  // Each write is a read times a root of unity, and not all the same: where values are all of one modulus, roots of a known
  // order say what moduli do not.
  bool turned(const Slots& reads, const Slots& writes) const;
  // Coefficients that the item read from a table: the exact ones.
  void accept_with_tables(Pattern pattern);
  void match_tables(Pattern& pattern, const Slots& tables, std::size_t count);

  // ---- sums, extremes, products
  void reductions(const std::vector<Run>& runs, std::size_t at, const Slots& writes);
  void each_factor(const std::vector<Run>& runs, std::size_t at, const Slots& writes);
  int last_written(int before) const {
    for (int s = before - 1; s >= 0; --s)
      if (slot(s).write) return alike(s, before) ? s : -1;
    return -1;
  }
  // The smaller and the larger of a few: before two numbers side by side are taken for one complex value, which a change of
  // places turns.
  void extremes(const std::vector<Run>& runs, std::size_t at, const Slots& writes);
  bool speaks(const Slots& reads) const {
    return std::none_of(reads.begin(), reads.end(), [&](int s) { return values_.zero(s); });
  }
  // Samples in which at least `count` of the reads are not zero.
  std::size_t telling(const Slots& reads, std::size_t count) const;
  // A sum, extreme or product of all these. `sums_only` where many sets are tried and the others would fit one by chance.
  bool reduction(const Slots& reads, int w, bool sums_only = false);
  bool pair_reduction(const Slots& inputs, int w);
  // One of these real numbers less another, bit for bit in all samples. Not where more than one pair fits.
  bool pair_difference(const Slots& inputs, int w);
  bool chunk_reduction(const Slots& inputs, const Slots& writes, int w);
  void real_butterflies(const std::vector<Run>& runs, std::size_t at, const Slots& writes);

  // ---- other sums
  void linear(const std::vector<Run>& runs, std::size_t at, const Slots& writes, bool complex);
  // Values times others that were read beside them: a row of a matrix, a table.
  bool dot_product(const Slots& all, int w);
  // One point of the reads' Fourier transform.
  bool fourier_sum(const Slots& all, int w);
  // A few values, each item's times powers of a root of unity: one output of a butterfly whose twiddles are its own.
  bool sum_of_powers(const Slots& all, int w);
  // One set of coefficients for all items, by least squares.
  bool weighted_sum(const Slots& reads, int w);
  // The same with one number more that is added (explain_offsets.cpp).
  bool weighted_with_offset(const Slots& reads, int w);
  void whole_lines(const std::vector<Run>& runs, std::size_t at, const Slots& writes);
  bool tells_of_lines(int read) const;
  // Is one of these in step with the read? Then what looks like it, or a line of it, may be a sum of both.
  bool in_step_with_others(int read, const Slots& reads) const;
  // Does what is read count the items, and is what is written that and another count? Twice the item's number is also the number
  // that was read and the item's.
  bool adds_a_count(int read, int w) const;
  // Is what is written one of these, and others are in step with it? Then which one is the larger does not tell.
  bool is_one_in_step(int w, const Slots& reads) const;
  // Is none of these a sum of the others, each times a factor, and a number? Else there are many sums of one value.
  bool independent(const Slots& reads) const;
  bool same_values(const Slots& a, const Slots& b) const {
    return std::is_permutation(a.begin(), a.end(), b.begin(), b.end(),
                               [&](int s, int t) { return values_.print(s) == values_.print(t); });
  }
  // The coefficients that give a write from reads best, over some samples; empty: these do not tell.
  std::vector<Complex> fitted(const Slots& reads, int w, const std::vector<std::size_t>& over, double* residual) const;

  // ---- what probes tell
  // The reads that each write depends on, by the probes of one item; writes of the same reads may be a butterfly however their
  // addresses are, and what is left is a sum with coefficients of each item's own.
  void by_probes(const std::vector<Run>& runs);
  // Points in the order that their coefficients tell, which are a transform's matrix times a twiddle a row or a column. The first
  // write has number 0; so has the read (or the write, with twiddles behind) whose coefficients are all 1.
  bool order_of_roots(const Slots& reads, const Slots& writes, Slots& in, Slots& out) const;
  Slots dependencies(const std::vector<Run>& runs, std::size_t at, int w) const;
  // Values that all probes agree on are coefficients, not inputs.
  bool in_some_probe_different(int s) const {
    return std::any_of(probed_.begin(), probed_.end(),
                       [&](std::size_t i) { return values_.bits(s, i) != values_.bits(s, probed_.front()); });
  }

  // ---- constants
  void constants(const std::vector<Run>& runs, std::size_t at, const Slots& writes);

  // ---- at the end
  void open_run(const std::vector<Run>& runs, std::size_t at) {
    OpenRun open;
    open.writes = runs[at].slots;
    // Of this epoch: what was read before the barrier differs between the first round of a loop and the others.
    if (at > 0 && !runs[at - 1].write)
      for (const int s : runs[at - 1].slots)
        if (slot(s).epoch == runs[at].epoch) open.reads.push_back(s);
    if (open.reads.size() + open.writes.size() > 4 * max_points_in_reach) return;
    for (const Slots* slots : {&open.reads, &open.writes}) {
      for (const int s : *slots) open.sites.push_back(slot(s).site);
      open.sites.push_back(0xffffffff);
    }
    result_.runs.push_back(std::move(open));
  }
  // A value that its place no longer holds when the operation is done, because the item wrote there, and that is elsewhere by
  // then: in the place that the item wrote it to.
  void freshen(Pattern& pattern);
  bool overwritten(int read, std::uint32_t end) const;
  const LiftOptions& options_;
  Explanation result_;
  SampledValues values_;
  const std::vector<bool>& only_read_;
  const std::vector<std::uint64_t>& turns_;
  const KnownParts& parts_;
  Moves moves_;
  std::vector<std::size_t> probed_;  // samples of one item on random inputs
  std::vector<bool> used_;           // reads
  Slots plain_;                      // the shape's own slots
  std::map<std::pair<int, std::uint64_t>, std::vector<std::uint32_t>> written_at_;  // the last records of its writes
  std::map<int, bool> unit_buffers_;  // of values that are only read: all have modulus 1
  std::map<std::pair<int, int>, int> pairs_;
  std::map<std::pair<Derived, int>, int> derived_;
  std::unordered_map<int, std::pair<int, int>> pair_parts_;
};

}  // namespace twiddle
