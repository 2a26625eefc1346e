#include "tracer/replay/diff.h"

#include "base/error.h"
#include "tracer/replay/diff_values.h"
#include "tracer/replay/replay.h"
#include "tracer/trace/item_words.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

namespace twiddle {
namespace {

constexpr std::size_t replay_memory = std::size_t(64) << 20;

std::string file_of(const TraceSource& trace) { return trace.path().string(); }

// ---- What can be compared at all ----

std::string type_text(const BufferInfo& buffer) { return fmt::format("{} {}", buffer.count, traits(buffer.type).name); }

Message size_text(const TraceInfo& info, const LaunchInfo& launch) {
  const auto sizes = [&](const std::array<std::size_t, 3>& all) {
    return launch.dimensions == 1   ? fmt::format("{}", all[0])
           : launch.dimensions == 2 ? fmt::format("{}x{}", all[0], all[1])
                                    : fmt::format("{}x{}x{}", all[0], all[1], all[2]);
  };
  const std::string all = sizes(launch.global), group = sizes(launch.local);
  return has_threads(info) ? Message("{} threads in blocks of {}", all, group)
                           : Message("{} work-items in groups of {}", all, group);
}

std::vector<int> plan_buffers(const TraceInfo& info) {
  std::vector<int> numbers;
  for (std::size_t b = 0; b < info.buffers.size(); ++b)
    if (info.buffers[b].launch == 0) numbers.push_back(static_cast<int>(b));
  return numbers;
}

// Work-items are counted group by group: the same number means the same item when the sizes agree; in one dimension the
// groups do not matter.
bool same_items(const LaunchInfo& a, const LaunchInfo& b) {
  if (a.dimensions != b.dimensions || a.global != b.global) return false;
  return a.dimensions == 1 || a.local == b.local;
}

// The buffer of the first trace that stands for one of the second's: of the same name and, for local arrays, the same
// launch; −2 where there is none.
int counterpart(const TraceInfo& a, const BufferInfo& buffer) {
  for (std::size_t i = 0; i < a.buffers.size(); ++i)
    if (a.buffers[i].launch == buffer.launch && a.buffers[i].name == buffer.name) return static_cast<int>(i);
  return -2;
}

// Maps the second trace's buffers to the first's by name; where all were renamed, the plan's by their order. Throws
// Error (usage) where a buffer of the plan has another type or size.
std::vector<int> match_buffers(const TraceSource& first, const TraceSource& second) {
  const TraceInfo &a = first.info(), &b = second.info();
  std::vector<int> to_first;
  for (const BufferInfo& buffer : b.buffers) to_first.push_back(counterpart(a, buffer));
  const std::vector<int> in_a = plan_buffers(a), in_b = plan_buffers(b);
  const bool renamed = in_a.size() == in_b.size() &&
                       std::all_of(in_b.begin(), in_b.end(), [&](int number) { return to_first[number] < 0; });
  for (std::size_t i = 0; renamed && i < in_b.size(); ++i) to_first[in_b[i]] = in_a[i];
  for (const int number : in_b) {
    const int other = to_first[number];
    if (other < 0) continue;
    const BufferInfo &x = a.buffers[other], &y = b.buffers[number];
    if (x.type != y.type || x.count != y.count)
      throw usage_error("buffer {} holds {} in {} and {} in {}: only runs of one size and type can be compared", x.name,
                        type_text(x), file_of(first), type_text(y), file_of(second));
  }
  const bool none = std::all_of(in_b.begin(), in_b.end(), [&](int number) { return to_first[number] < 0; });
  if (none && !in_b.empty())
    throw usage_error("{} and {} have no buffer in common: only runs on the same buffers can be compared",
                      file_of(first), file_of(second));
  return to_first;
}

void check_launches(const TraceSource& first, const TraceSource& second) {
  const auto &a = first.info().launches, &b = second.info().launches;
  for (std::size_t l = 0; l < std::min(a.size(), b.size()); ++l)
    if (!same_items(a[l], b[l]))
      throw usage_error("launch {} has {} in {} and {} in {}: only launches of the same sizes can be compared", l + 1,
                        size_text(first.info(), a[l]), file_of(first), size_text(second.info(), b[l]), file_of(second));
}

// ---- Which segments stand for the same part of the run ----

struct SegmentPair {
  int first = -1, second = -1;  // −1: this trace has no such segment
};

// Segments of a launch, as a range of indices.
using Range = std::pair<std::size_t, std::size_t>;

Range segments_of(const TraceInfo& info, int launch) {
  const auto [begin, end] =
      std::ranges::equal_range(info.segments, launch, {}, [](const Segment& segment) { return segment.launch; });
  return {static_cast<std::size_t>(begin - info.segments.begin()),
          static_cast<std::size_t>(end - info.segments.begin())};
}

// A barrier more or less shifts the epochs: where the stages follow one another in the same way, they are matched; else by
// epoch and stage.
void pair_segments(const TraceInfo& a, Range in_a, const TraceInfo& b, Range in_b, std::vector<SegmentPair>& pairs) {
  const bool same_stages = std::ranges::equal(std::span(a.segments).subspan(in_a.first, in_a.second - in_a.first),
                                              std::span(b.segments).subspan(in_b.first, in_b.second - in_b.first), {},
                                              &Segment::stage, &Segment::stage);
  std::size_t i = in_a.first, j = in_b.first;
  while (i < in_a.second || j < in_b.second) {
    SegmentPair pair;
    const bool has_a = i < in_a.second, has_b = j < in_b.second;
    if (same_stages ||
        (has_a && has_b && a.segments[i].epoch == b.segments[j].epoch && a.segments[i].stage == b.segments[j].stage)) {
      pair = {static_cast<int>(i++), static_cast<int>(j++)};
    } else {
      const auto before = [](const Segment& x, const Segment& y) {
        return x.epoch != y.epoch ? x.epoch < y.epoch : x.stage < y.stage;
      };
      if (!has_b || (has_a && before(a.segments[i], b.segments[j])))
        pair.first = static_cast<int>(i++);
      else
        pair.second = static_cast<int>(j++);
    }
    pairs.push_back(pair);
  }
}

int epochs_of(const TraceInfo& info, int launch) {
  const auto [first, end] = segments_of(info, launch);
  return first == end ? 0 : info.segments[end - 1].epoch + 1;
}

std::vector<SegmentPair> pair_segments(const TraceInfo& a, const TraceInfo& b) {
  std::vector<SegmentPair> pairs;
  const auto launches = static_cast<int>(std::max(a.launches.size(), b.launches.size()));
  for (int launch = 1; launch <= launches; ++launch)
    pair_segments(a, segments_of(a, launch), b, segments_of(b, launch), pairs);
  return pairs;
}

// ---- The operations of one segment after the other ----

class Operations {
 public:
  explicit Operations(const std::shared_ptr<const TraceSource>& trace) : replay_(trace, replay_memory) {}

  Replay& replay() { return replay_; }

  void enter(int segment) {
    const Segment& all = replay_.info().segments[segment];
    step_ = all.first_step;
    end_ = all.end_step();
    nth_ = 0;
    find();
  }
  bool at_end() const { return step_ == end_; }
  std::uint32_t item() const { return block_->item[at()]; }
  int nth() const { return nth_; }
  Operation operation() const { return block_->operation(replay_.info(), at()); }
  /// The block from its first operation on; nothing in the middle of one.
  const OperationBlock* whole_block() const { return !at_end() && at() == 0 ? block_.get() : nullptr; }
  void next() {
    ++step_;
    find();
  }
  void skip_block() {
    // The block's last item may go on in the next one.
    item_ = block_->item.back();
    std::uint32_t run = 1;
    while (run < block_->count && block_->item[block_->count - 1 - run] == item_) ++run;
    nth_ = static_cast<int>(run) + (run == block_->count ? nth_ - 1 : 0);
    step_ = block_->first_step + block_->count;
    find();
  }

 private:
  std::uint32_t at() const { return static_cast<std::uint32_t>(step_ - block_->first_step); }
  void find() {
    if (at_end()) return;
    if (!block_ || step_ < block_->first_step || step_ >= block_->first_step + block_->count)
      block_ = replay_.block_of(step_);
    nth_ = nth_ > 0 && item() == item_ ? nth_ + 1 : 1;
    item_ = item();
  }

  Replay replay_;
  std::shared_ptr<const OperationBlock> block_;
  std::uint64_t step_ = 1, end_ = 1;
  std::uint32_t item_ = 0;
  int nth_ = 0;
};

bool same_buffer(int in_first, int in_second, const std::vector<int>& to_first) {
  return in_first == (in_second < 0 ? -1 : to_first[in_second]);
}

// Whether two blocks are the same to the last bit: most are, where two runs agree.
bool same_blocks(const OperationBlock& a, const OperationBlock& b, const std::vector<int>& to_first) {
  if (a.count != b.count || a.item != b.item || a.site != b.site || a.sites.size() != b.sites.size()) return false;
  for (std::size_t s = 0; s < a.sites.size(); ++s) {
    const SiteColumns &x = a.sites[s], &y = b.sites[s];
    if (x.shape != y.shape || x.value_type != y.value_type || x.coefficient_type != y.coefficient_type) return false;
    if (!same_buffer(x.buffers[0], y.buffers[0], to_first) || !same_buffer(x.buffers[1], y.buffers[1], to_first))
      return false;
    if (x.index != y.index || x.coefficients != y.coefficients) return false;
    // Values are compared where both traces have them.
    if (!x.reads.empty() && !y.reads.empty() && x.reads != y.reads) return false;
    if (!x.writes.empty() && !y.writes.empty() && x.writes != y.writes) return false;
  }
  return true;
}

class Diff {
 public:
  Diff(const std::shared_ptr<const TraceSource>& first, const std::shared_ptr<const TraceSource>& second,
       const DiffOptions& options)
      : options_(options), a_(*first), b_(*second), first_(first), second_(second) {
    to_first_ = match_buffers(a_, b_);
    check_launches(a_, b_);
    take_notes();
  }

  TraceDiff run() {
    const std::vector<SegmentPair> pairs = pair_segments(a_.info(), b_.info());
    for (std::size_t p = 0; p < pairs.size() && !result_.stopped; ++p) {
      compare_segments(pairs[p]);
      if (pairs[p].first >= 0 && pairs[p].second >= 0) ++result_.stages;
      progress();
    }
    if (result_.differing == 0 && !result_.stopped) compare_ends();
    return std::move(result_);
  }

 private:
  void note(Message message) { result_.notes.push_back(std::move(message)); }

  void take_notes() {
    const TraceInfo &a = a_.info(), &b = b_.info();
    if (a.launches.size() != b.launches.size())
      note(Message("{} has {} launches and {} has {}", file_of(a_), a.launches.size(), file_of(b_), b.launches.size()));
    if (a.detail != b.detail)
      note(Message("{} has no values, so pairs and twiddles alone were compared",
                   file_of(a.detail == Detail::Index ? a_ : b_)));
    // What one of them was not asked to keep, or could not, says nothing about the kernels.
    const auto whole = [](const TraceInfo& info) {
      return info.complete && (!info.filter.empty() || info.kept() == info.attempted());
    };
    count_missing_ = whole(a) && whole(b) && a.filter == b.filter;
    if (!count_missing_)
      note(Message(
          "one of the traces does not hold all operations of its run, so what only one of them has was not counted"));
    for (std::size_t l = 1; l <= std::min(a.launches.size(), b.launches.size()); ++l) {
      const int in_a = epochs_of(a, static_cast<int>(l)), in_b = epochs_of(b, static_cast<int>(l));
      if (in_a == in_b || in_a == 0 || in_b == 0) continue;
      note(Message(
          "launch {} goes through {} epochs in {} and through {} in {}, a barrier more or less: what is in another "
          "epoch is matched by its stage alone",
          l, in_a, file_of(a_), in_b, file_of(b_)));
      break;  // the launches after it are likely to be the same kernel
    }
    for (const int buffer : plan_buffers(a)) compare_first_contents(buffer);
    for (const int buffer : plan_buffers(b))
      if (to_first_[buffer] < 0) note(Message("buffer {} is only in {}", b.buffers[buffer].name, file_of(b_)));
  }

  void compare_first_contents(int buffer) {
    const std::string& name = a_.info().buffers[buffer].name;
    const int other = in_second(buffer);
    if (other < 0)
      note(Message("buffer {} is only in {}", name, file_of(a_)));
    else if (a_.first_content(buffer) != b_.first_content(other))
      note(Message("{} holds other values at the start", name));
  }

  // The second trace's number of a buffer of the first's; −1: it has no such buffer.
  int in_second(int buffer) const {
    const auto found = std::find(to_first_.begin(), to_first_.end(), buffer);
    return found == to_first_.end() ? -1 : static_cast<int>(found - to_first_.begin());
  }

  void progress() {
    const auto steps = static_cast<double>(std::max<std::uint64_t>(a_.info().steps, 1));
    const double fraction = static_cast<double>(result_.compared + result_.only_first) / steps;
    if (options_.progress && !options_.progress(fraction)) result_.stopped = true;
  }

  void compare_segments(const SegmentPair& pair) {
    if (pair.first >= 0) first_.enter(pair.first);
    if (pair.second >= 0) second_.enter(pair.second);
    const auto left = [](const Operations& operations, int segment) { return segment >= 0 && !operations.at_end(); };
    while (true) {
      const bool in_first = left(first_, pair.first), in_second = left(second_, pair.second);
      if (!in_first && !in_second) return;
      if (in_first && in_second && skip_same_blocks()) continue;
      if (in_first && in_second && first_.item() == second_.item() && first_.nth() == second_.nth()) {
        compare();
        first_.next();
        second_.next();
      } else if (!in_second || (in_first && comes_first())) {
        missing(&first_, nullptr);
        first_.next();
      } else {
        missing(nullptr, &second_);
        second_.next();
      }
      if ((++rows_ & 0xffff) == 0) progress();
      if (result_.stopped) return;
    }
  }

  bool comes_first() const {
    return first_.item() != second_.item() ? first_.item() < second_.item() : first_.nth() < second_.nth();
  }

  bool skip_same_blocks() {
    const OperationBlock *x = first_.whole_block(), *y = second_.whole_block();
    if (!x || !y || (x == tried_.first && y == tried_.second) || first_.nth() != second_.nth()) return false;
    tried_ = {x, y};
    const Segment &s = a_.info().segments[x->segment], &t = b_.info().segments[y->segment];
    if (s.epoch != t.epoch || !same_blocks(*x, *y, to_first_)) return false;
    result_.compared += x->count;
    first_.skip_block();
    second_.skip_block();
    return true;
  }

  void compare() {
    ++result_.compared;
    Difference difference;
    difference.first = first_.operation();
    difference.second = second_.operation();
    difference.nth = first_.nth();
    if (compare_operations(difference, to_first_, options_.ulps)) found(std::move(difference));
  }

  void missing(const Operations* in_first, const Operations* in_second) {
    ++(in_first ? result_.only_first : result_.only_second);
    if (!count_missing_) return;
    Difference difference;
    difference.nth = (in_first ? in_first : in_second)->nth();
    if (in_first) difference.first = in_first->operation();
    if (in_second) difference.second = in_second->operation();
    difference.aspects[static_cast<std::size_t>(DiffAspect::Presence)] = true;
    found(std::move(difference));
  }

  void found(Difference&& difference) {
    ++result_.differing;
    result_.beginning += difference.begins();
    for (std::size_t i = 0; i < diff_aspect_count; ++i) result_.by_aspect[i] += difference.aspects[i];
    if (options_.each) options_.each(difference);
    if (!result_.first) result_.first = std::move(difference);
  }

  // What no operation tells: kernels without trace lines leave their mark at the ends of launches alone.
  void compare_ends() {
    const TraceInfo &a = a_.info(), &b = b_.info();
    const auto explained = [](const TraceInfo& info) {
      return std::all_of(info.launches.begin(), info.launches.end(),
                         [](const LaunchInfo& launch) { return launch.unexplained == 0; });
    };
    if (!count_missing_ || !a.filter.empty() || a.detail != b.detail || (explained(a) && explained(b))) return;
    const auto x = first_.replay().state_after(static_cast<int>(a.segments.size()) - 1);
    const auto y = second_.replay().state_after(static_cast<int>(b.segments.size()) - 1);
    for (const int buffer : plan_buffers(a)) {
      if (const int other = in_second(buffer); other >= 0) compare_end(buffer, x->bytes(buffer), y->bytes(other));
      if (result_.end) return;
    }
  }

  // An ulp is one at the largest number of the buffer here.
  void compare_end(int buffer, const std::vector<std::byte>& first, const std::vector<std::byte>& second) {
    if (first == second) return;
    const BufferInfo& info = a_.info().buffers[buffer];
    const ElementTraits& type = traits(info.type);
    double largest = 0;
    for (std::uint64_t e = 0; e < info.count; ++e)
      for (int c = 0; c < type.components; ++c)
        if (const double part = std::abs(component(info.type, first.data() + e * type.bytes, c)); std::isfinite(part))
          largest = std::max(largest, part);
    EndDifference end;
    for (std::uint64_t e = 0; e < info.count; ++e) {
      const std::byte *u = first.data() + e * type.bytes, *v = second.data() + e * type.bytes;
      double apart = 0;
      for (int c = 0; c < type.components; ++c)
        apart = std::max(apart, ulps_apart(info.type, component(info.type, u, c), component(info.type, v, c), largest));
      if (apart <= static_cast<double>(options_.ulps) || end.elements++ > 0) continue;
      end.buffer = buffer;
      end.element = e;
      end.first.type = end.second.type = info.type;
      std::memcpy(end.first.bits.data(), u, type.bytes);
      std::memcpy(end.second.bits.data(), v, type.bytes);
    }
    if (end.elements > 0) result_.end = end;
  }

  const DiffOptions& options_;
  const TraceSource &a_, &b_;
  Operations first_, second_;
  std::vector<int> to_first_;
  bool count_missing_ = true;
  std::pair<const OperationBlock*, const OperationBlock*> tried_{};  // known to differ somewhere
  std::uint64_t rows_ = 0;
  TraceDiff result_;
};

}  // namespace

std::string_view name_of(DiffAspect aspect) {
  constexpr std::array<std::string_view, diff_aspect_count> names{"presence", "kind", "epoch",  "place",
                                                                  "twiddle",  "read", "written"};
  return names[static_cast<std::size_t>(aspect)];
}

TraceDiff diff_traces(const std::shared_ptr<const TraceSource>& first, const std::shared_ptr<const TraceSource>& second,
                      const DiffOptions& options) {
  return Diff(first, second, options).run();
}

}  // namespace twiddle
