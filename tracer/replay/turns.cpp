#include "tracer/replay/turns.h"

#include "base/error.h"
#include "tracer/codec/codec.h"
#include "tracer/trace/memory/apply.h"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

namespace twiddle {
namespace {

constexpr std::uint64_t max_operations = std::uint64_t(1) << 21;  // of a sub-group that is put in order

// An operation as far as its place in lockstep needs it.
struct Logged {
  std::uint64_t step = 0;
  int line = 0;
  Shape shape = Shape::None;
};
using Lanes = std::array<std::vector<Logged>, sub_group_size>;

/// The loops that lanes went through, as runs of lines [first, last]: wherever a lane came back to a line above or to the same.
class Loops {
 public:
  explicit Loops(const Lanes& lanes) {
    std::set<std::pair<int, int>> found;  // first line, and the last one negated: a loop comes before those in it
    for (const std::vector<Logged>& lane : lanes)
      for (std::size_t i = 1; i < lane.size() && found.size() < max_loops; ++i)
        if (lane[i].line <= lane[i - 1].line) found.insert({lane[i].line, -lane[i - 1].line});
    for (const auto& [first, last] : found) loops_.push_back({first, -last});
  }

  /// Where a lane is: of each loop around the line its first line and how often the lane came back, then the line.
  using Key = std::vector<std::pair<int, std::uint64_t>>;
  /// How often a lane came back in each loop.
  using Passes = std::vector<std::uint64_t>;
  Passes at_start() const { return Passes(loops_.size(), 0); }

  void move(Passes& passes, int from, int to) const {
    std::size_t turned = loops_.size();  // the innermost that it came back in
    for (std::size_t l = 0; l < loops_.size(); ++l)
      if (to <= from && loops_[l].holds(to) && loops_[l].holds(from) &&
          (turned == loops_.size() || loops_[l].lines() <= loops_[turned].lines()))
        turned = l;
    for (std::size_t l = 0; l < loops_.size(); ++l) {
      const bool inner = turned < loops_.size() && l != turned && loops_[turned].holds(loops_[l].first) &&
                         loops_[turned].holds(loops_[l].last);
      if (!loops_[l].holds(to) || inner) passes[l] = 0;
    }
    if (turned < loops_.size()) ++passes[turned];
  }

  Key key(const Passes& passes, int line) const {
    Key key;
    for (std::size_t l = 0; l < loops_.size(); ++l)
      if (loops_[l].holds(line)) key.emplace_back(loops_[l].first, passes[l]);
    key.emplace_back(line, 0);
    return key;
  }

 private:
  static constexpr std::size_t max_loops = 64;
  struct Loop {
    int first = 0, last = 0;
    bool holds(int line) const { return line >= first && line <= last; }
    int lines() const { return last - first; }
  };
  std::vector<Loop> loops_;
};

/// Puts the lanes' operations together: always the place that comes first in the source, loops pass by pass, so that lanes
/// that are apart meet again behind what parts them.
std::vector<TurnRound> rounds_of(const Lanes& lanes) {
  const Loops loops(lanes);
  struct Lane {
    std::size_t next = 0;
    Loops::Passes passes;
    Loops::Key key;
  };
  std::array<Lane, sub_group_size> at;
  for (std::size_t t = 0; t < lanes.size(); ++t) {
    at[t].passes = loops.at_start();
    if (!lanes[t].empty()) at[t].key = loops.key(at[t].passes, lanes[t][0].line);
  }
  std::vector<TurnRound> rounds;
  int turn = 1;
  for (;;) {
    std::size_t first = lanes.size();
    for (std::size_t t = 0; t < lanes.size(); ++t)
      if (at[t].next < lanes[t].size() && (first == lanes.size() || at[t].key < at[first].key)) first = t;
    if (first == lanes.size()) return rounds;
    const Loops::Key key = at[first].key;
    TurnRound round;
    round.line = lanes[first][at[first].next].line;
    round.shape = lanes[first][at[first].next].shape;
    round.first_turn = turn;
    for (std::size_t t = 0; t < lanes.size(); ++t) {
      Lane& lane = at[t];
      if (lane.next == lanes[t].size() || lane.key != key || lanes[t][lane.next].shape != round.shape) continue;
      round.step[t] = lanes[t][lane.next].step;
      round.active |= std::uint32_t(1) << t;
      if (++lane.next == lanes[t].size()) continue;
      loops.move(lane.passes, round.line, lanes[t][lane.next].line);
      lane.key = loops.key(lane.passes, lanes[t][lane.next].line);
    }
    turn += round.turns();
    rounds.push_back(round);
  }
}

/// The lanes that reached no barrier after the segment although others of the sub-group did.
std::uint32_t lanes_without_barrier(const TraceSource& trace, std::size_t segment, const SubGroup& items) {
  std::uint32_t reached = 0;
  for (const BlockEntry& block : trace.blocks_of(segment)) {
    if (!block.barriers || block.last_item < items.first || block.first_item >= items.end) continue;
    const OperationBlock decoded = decode_indices(trace.block_bytes(block), trace.info());
    for (const std::uint32_t item : decoded.item)
      if (items.holds(item)) reached |= std::uint32_t(1) << (item - items.first);
  }
  if (reached == 0) return 0;
  return ~reached & (~std::uint32_t(0) >> (sub_group_size - items.items()));
}

}  // namespace

std::string_view name_of(Mask mask) {
  constexpr std::array<std::string_view, 4> names = {"", "no-item", "guard-false", "left-early"};
  return names[static_cast<std::size_t>(mask)];
}

int TurnRound::turns() const {
  const ShapeTraits& of = traits(shape);
  if (of.kind == OperationKind::Atomic) return 1;
  return std::max(1, of.reads + of.writes);
}

std::uint64_t TurnRound::last_step() const { return *std::max_element(step.begin(), step.end()); }

std::size_t SubGroupTurns::round_of(std::uint64_t wanted) const {
  for (std::size_t r = 0; r < rounds.size(); ++r)
    if (std::find(rounds[r].step.begin(), rounds[r].step.end(), wanted) != rounds[r].step.end()) return r;
  return 0;
}

std::size_t SubGroupTurns::round_of_turn(int turn) const {
  const auto after = std::partition_point(rounds.begin(), rounds.end(),
                                          [&](const TurnRound& round) { return round.first_turn <= turn; });
  return after == rounds.begin() ? 0 : static_cast<std::size_t>(after - rounds.begin()) - 1;
}

int SubGroupTurns::turn_of(const TurnPlace& place) const {
  const TurnRound& round = rounds[round_of(place.step)];
  const int made = place.made > 0 ? std::min(place.made, round.turns()) : round.turns();
  return round.first_turn + made - 1;
}

TurnPlace SubGroupTurns::place_of(int turn) const {
  const TurnRound& round = rounds[round_of_turn(turn)];
  return {round.last_step(), std::clamp(turn - round.first_turn + 1, 1, round.turns())};
}

Mask SubGroupTurns::mask(std::size_t number, std::uint64_t lane) const {
  const auto takes_part = [&](const TurnRound& round) { return (round.active >> lane & 1) != 0; };
  const TurnRound& round = rounds[number];
  if (takes_part(round)) return Mask::None;
  if (lane >= items.items()) return Mask::NoItem;
  if (missed_barrier >> lane & 1) return Mask::LeftEarly;
  bool was_here = false;
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    if (rounds[r].line != round.line || !takes_part(rounds[r])) continue;
    if (r > number) return Mask::GuardFalse;
    was_here = true;
  }
  return was_here ? Mask::LeftEarly : Mask::GuardFalse;
}

SubGroupTurns turns_at(Replay& replay, std::uint64_t step) {
  const TraceInfo& info = replay.info();
  SubGroupTurns turns;
  turns.segment = replay.segment_of(step);
  const Segment& segment = info.segments[turns.segment];
  const LaunchInfo& launch = *info.launch(segment.launch);
  auto block = replay.indices_of(step);
  const SubGroups sub_groups(launch.group_size());
  turns.number = sub_groups.number_of(block->item[step - block->first_step]);
  turns.items = sub_groups.at(turns.number);

  // Items are in order within a segment: back to the block in which the sub-group begins, then on to where it ends.
  while (block->item.front() >= turns.items.first && block->first_step > segment.first_step)
    block = replay.indices_of(block->first_step - 1);
  Lanes lanes;
  std::uint64_t all = 0;
  for (bool more = true; more && all <= max_operations;) {
    const auto first = std::lower_bound(block->item.begin(), block->item.end(), turns.items.first);
    for (auto i = static_cast<std::uint32_t>(first - block->item.begin()); i < block->count; ++i) {
      if (block->item[i] >= turns.items.end) break;
      const std::uint64_t at = block->first_step + i;
      if (turns.first_step == 0) turns.first_step = at;
      turns.last_step = at;
      const SiteColumns& columns = block->columns_of(i);
      const Site* site = info.site(columns.site);
      lanes[block->item[i] - turns.items.first].push_back({at, site ? site->line : 0, columns.shape});
      ++all;
    }
    const std::uint64_t next = block->first_step + block->count;
    more = block->item.back() < turns.items.end && next < segment.end_step();
    if (more) block = replay.indices_of(next);
  }
  if (all > max_operations) {  // the operation by itself
    lanes = {};
    const auto holder = replay.indices_of(step);
    const auto i = static_cast<std::uint32_t>(step - holder->first_step);
    lanes[holder->item[i] - turns.items.first].push_back({step, 0, holder->columns_of(i).shape});
    turns.first_step = turns.last_step = step;
  }
  turns.rounds = rounds_of(lanes);
  const std::uint32_t all_lanes = ~std::uint32_t(0) >> (sub_group_size - turns.items.items());
  if (std::any_of(turns.rounds.begin(), turns.rounds.end(), [&](const TurnRound& r) { return r.active != all_lanes; }))
    turns.missed_barrier = lanes_without_barrier(replay.trace(), turns.segment, turns.items);
  return turns;
}

std::optional<SubGroupTurns> turns_in(Replay& replay, std::size_t segment, std::uint64_t number) {
  const LaunchInfo& launch = *replay.info().launch(replay.info().segments[segment].launch);
  const SubGroup items = SubGroups(launch.group_size()).at(number);
  for (const BlockEntry& block : replay.trace().blocks_of(segment)) {
    if (block.barriers || block.last_item < items.first || block.first_item >= items.end) continue;
    const auto decoded = replay.indices_of(block.first_step);
    const auto first = std::lower_bound(decoded->item.begin(), decoded->item.end(), items.first);
    if (first != decoded->item.end() && *first < items.end)
      return turns_at(replay, decoded->first_step + static_cast<std::uint64_t>(first - decoded->item.begin()));
  }
  return {};
}

bool Moment::wrote(std::uint64_t step, int write) const { return contains(step) ? write < writes : is_done(step); }

bool Moment::contains(std::uint64_t step) const { return std::binary_search(now.begin(), now.end(), step); }

bool Moment::is_done(std::uint64_t step) const {
  return step <= before || std::binary_search(sorted.begin(), sorted.end(), step);
}

Moment moment_of(const SubGroupTurns& turns, const TurnPlace& place) {
  Moment moment;
  moment.whole = turns.turn_of(place) == turns.turns();
  moment.before = moment.whole ? turns.last_step : turns.first_step - 1;
  const std::size_t at = turns.round_of(place.step);
  const auto add = [](std::vector<std::uint64_t>& to, const TurnRound& round) {
    for (const std::uint64_t step : round.step)
      if (step > 0) to.push_back(step);
  };
  for (std::size_t r = 0; r < at && !moment.whole; ++r) add(moment.done, turns.rounds[r]);
  const TurnRound& round = turns.rounds[at];
  add(moment.now, round);
  moment.sorted = moment.done;
  std::sort(moment.sorted.begin(), moment.sorted.end());
  const ShapeTraits& shape = traits(round.shape);
  const int made = place.made > 0 ? std::min(place.made, round.turns()) : round.turns();
  moment.reads = made == round.turns() ? shape.reads : std::min<int>(made, shape.reads);
  moment.writes = made == round.turns() ? shape.writes : std::max(0, made - shape.reads);
  return moment;
}

State state_at(Replay& replay, const Moment& moment) {
  const TraceInfo& info = replay.info();
  replay.seek(moment.before);
  State state = replay.state();
  if (moment.whole || moment.now.empty()) return state;
  const Segment& segment = info.segments[replay.segment_of(moment.now.front())];
  const LaunchInfo& launch = *info.launch(segment.launch);
  if (moment.before == 0 || info.segments[replay.segment_of(moment.before)].launch != segment.launch)
    state.forget_locals();
  const auto apply_step = [&](std::uint64_t step, int writes) {
    const auto block = replay.block_of(step);
    const auto i = static_cast<std::uint32_t>(step - block->first_step);
    apply(*block, i, i + 1, launch.group_size(), state, writes);
  };
  for (const std::uint64_t step : moment.done) apply_step(step, all_writes);
  for (const std::uint64_t step : moment.now) apply_step(step, moment.writes);
  return state;
}

RequestCost cost_of(const TraceInfo& info, const std::vector<Operation>& request, int buffer, int which, bool write) {
  SubGroupAccess access;
  std::uint64_t bytes = 0;
  for (const Operation& operation : request) {
    const auto& list = write ? operation.writes : operation.reads;
    if (which >= list.size() || list[which].buffer != buffer) continue;
    const LaunchInfo* launch = info.launch(operation.launch);
    const SubGroup lanes = SubGroups(launch ? launch->group_size() : sub_group_size).of_item(operation.item);
    access.add(operation.item - lanes.first, list[which].index);
    bytes = traits(list[which].value.type).bytes;
  }
  const BufferInfo* accessed = info.buffer(buffer);
  if (access.active == 0 || (accessed && is_registers(*accessed))) return {};
  const bool banked = accessed && accessed->space == Space::Local;  // only local memory has banks
  return {sector_cost({&access, 1}, bytes), banked ? bank_cost(access, bytes, write) : BankCost{},
          static_cast<std::uint64_t>(std::popcount(access.active))};
}

TurnAccess access_of(const TurnRound& round, int made) {
  const ShapeTraits& shape = traits(round.shape);
  const int turn = (made > 0 ? std::min(made, round.turns()) : round.turns()) - 1;
  if (shape.kind == OperationKind::Atomic) return {0, shape.writes > 0};
  return turn < shape.reads ? TurnAccess{turn, false} : TurnAccess{turn - shape.reads, true};
}

const Access& access_in(const Operation& operation, TurnAccess access) {
  return (access.write ? operation.writes : operation.reads)[access.which];
}

TurnPlace next_turn(Replay& replay, const TurnPlace& from) {
  if (from.step > 0) {
    const SubGroupTurns turns = turns_at(replay, from.step);
    if (const int turn = turns.turn_of(from); turn < turns.turns()) return turns.place_of(turn + 1);
    if (turns.last_step >= replay.info().steps) return from;
    return turns_at(replay, turns.last_step + 1).place_of(1);
  }
  return replay.info().steps > 0 ? turns_at(replay, 1).place_of(1) : from;
}

TurnPlace previous_turn(Replay& replay, const TurnPlace& from) {
  if (from.step == 0) return from;
  const SubGroupTurns turns = turns_at(replay, from.step);
  if (const int turn = turns.turn_of(from); turn > 1) return turns.place_of(turn - 1);
  if (turns.first_step <= 1) return {};
  const SubGroupTurns before = turns_at(replay, turns.first_step - 1);
  return before.place_of(before.turns());
}

Position position_of(const Operation& operation, const SubGroupTurns& turns, int turn) {
  Position position = position_of(operation);
  position.item = -1, position.nth = 1;
  position.sub_group = static_cast<std::int64_t>(turns.number);
  position.turn = turn;
  return position;
}

Position position_of(Replay& replay, const TurnPlace& place) {
  if (place.step == 0) return position_of(replay.trace(), place.step);
  const SubGroupTurns turns = turns_at(replay, place.step);
  return position_of(replay.operation(place.step), turns, turns.turn_of(place));
}

TurnPlace find_turn(const TraceSource& trace, std::string_view text) {
  const auto position = parse_position(text);
  const std::uint64_t step = find_step(trace, text);
  if (!position || position->turn < 0 || step == 0) return {step, 0};
  Replay replay(trace.another());
  return turns_at(replay, step).place_of(position->turn);
}

}  // namespace twiddle
