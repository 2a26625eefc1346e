// Lockstep: what the items of a sub-group (CUDA: warp) do together, turn by turn, as far as the log shows it.
#pragma once

#include "tracer/cost/sub_group_cost.h"
#include "tracer/replay/position.h"
#include "tracer/replay/replay.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace twiddle {

/// Why a lane sits a turn out: its sub-group has fewer items; it came to another place of the kernel; it was in this loop
/// before and is not any more, or did not reach the barrier that others reached.
enum class Mask : std::uint8_t { None, NoItem, GuardFalse, LeftEarly };
std::string_view name_of(Mask mask);  // "no-item", …; "" of a lane that takes part

/// The operations that the lanes of a sub-group do together: each lane's next at one trace line, in one pass through the loops
/// around it. Every operation of a segment is in one round.
struct TurnRound {
  std::array<std::uint64_t, sub_group_size> step{};  // by lane: its operation; 0: it is masked
  std::uint32_t active = 0;                          // bit t: lane t takes part
  int line = 0;                                      // of the trace line
  Shape shape = Shape::None;
  int first_turn = 1;  // of the sub-group in the segment, from 1

  /// A turn is one access that the lanes make together: reads first, then writes. An atomic reads and writes in one.
  int turns() const;
  std::uint64_t last_step() const;
};

/// A place in lockstep: an operation of a round, and how many of the round's turns have been made (0: all).
struct TurnPlace {
  std::uint64_t step = 0;
  int made = 0;
  bool operator==(const TurnPlace&) const = default;
};

/// What a sub-group does in a segment (launch, epoch, stage), whose operations there are the steps [first_step, last_step].
struct SubGroupTurns {
  std::size_t segment = 0;
  std::uint64_t number = 0;  // of the sub-group in the launch, from 0: G
  SubGroup items;
  std::uint64_t first_step = 0, last_step = 0;
  std::vector<TurnRound> rounds;     // in the order of lockstep
  std::uint32_t missed_barrier = 0;  // bit t: lane t did not reach the barrier at the end, which others reached

  int turns() const { return rounds.empty() ? 0 : rounds.back().first_turn + rounds.back().turns() - 1; }
  /// The round that holds a step of the sub-group; and the one that holds a turn.
  std::size_t round_of(std::uint64_t step) const;
  std::size_t round_of_turn(int turn) const;
  /// The turn of a place, from 1, and back.
  int turn_of(const TurnPlace& place) const;
  TurnPlace place_of(int turn) const;
  Mask mask(std::size_t round, std::uint64_t lane) const;
};

/// The sub-group that does a step (1 … steps), from indices alone. A sub-group of more than 2^21 operations in a segment is
/// not put in order: each of its operations is a round of its own.
SubGroupTurns turns_at(Replay& replay, std::uint64_t step);

/// The same by the sub-group's number in a segment's launch; nothing where it did nothing there.
std::optional<SubGroupTurns> turns_in(Replay& replay, std::size_t segment, std::uint64_t number);

/// What is done at a place: all steps up to `before`, then `done`, in this order, and of `now` the first `writes` writes. After a
/// sub-group's last turn (`whole`) its operations are all in `before`.
struct Moment {
  std::uint64_t before = 0;
  std::vector<std::uint64_t> done, now, sorted;  // `sorted`: those of `done`, ascending
  int reads = 0, writes = 0;                     // accesses that each of `now` has made
  bool whole = false;
  bool contains(std::uint64_t step) const;  // whether it is one of `now`
  bool is_done(std::uint64_t step) const;   // and whether it is done, maybe now
  bool wrote(std::uint64_t step, int write) const;
};
Moment moment_of(const SubGroupTurns& turns, const TurnPlace& place);
/// The state at a moment. Moves the replay to `before`.
State state_at(Replay& replay, const Moment& moment);

/// What one access of a round costs: sectors in global memory, banks in local memory, turns at an atomic.
struct RequestCost : SectorCost {
  BankCost banks;
  std::uint64_t lanes = 0;  // items that take part
};
/// Of the `which`-th read, or write, of every operation, where it is of this buffer.
RequestCost cost_of(const TraceInfo& info, const std::vector<Operation>& request, int buffer, int which, bool write);

/// An access of a round, in the order of its turns: which read, or which write.
struct TurnAccess {
  int which = 0;
  bool write = false;
};
TurnAccess access_of(const TurnRound& round, int made);
/// The access that an operation makes in it.
const Access& access_in(const Operation& operation, TurnAccess access);

/// The places around one; nothing at either end of the trace (the start, before the first turn, is step 0).
TurnPlace next_turn(Replay& replay, const TurnPlace& from);
TurnPlace previous_turn(Replay& replay, const TurnPlace& from);

/// The position of a turn that has this operation: `L1.S2.G0.T2`.
Position position_of(const Operation& operation, const SubGroupTurns& turns, int turn);
/// The position of a place. Step 0 has none.
Position position_of(Replay& replay, const TurnPlace& place);
/// The place that a position names, whether it says a turn or not. Throws Error (usage) that says what there is.
TurnPlace find_turn(const TraceSource& trace, std::string_view position);

}  // namespace twiddle
