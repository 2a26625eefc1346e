#include "viewer/document/turn.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace twiddle {
namespace {

struct KeptTurn {
  std::optional<Turn> turn;
};

}  // namespace

const Operation* Turn::of_item(std::uint64_t item) const {
  for (const Operation& one : operations)
    if (one.item == item) return &one;
  return nullptr;
}

const Turn* turn_at(Document& document, const Cursor& cursor) {
  const std::uint64_t step = std::min(cursor.step, document.info().steps);
  if (!cursor.lockstep || step == 0) return nullptr;
  std::optional<Turn>& kept = document.kept<KeptTurn>().turn;
  const TurnPlace place{step, cursor.made};
  if (kept && kept->place == place) return &*kept;
  Replay& replay = *document.replay;
  Turn turn;
  turn.place = place;
  if (kept && step >= kept->group.first_step && step <= kept->group.last_step)
    turn.group = std::move(kept->group);
  else
    turn.group = turns_at(replay, step);
  turn.number = turn.group.round_of(step);
  turn.moment = moment_of(turn.group, place);
  turn.access = access_of(turn.round(), place.made);
  for (const std::uint64_t one : turn.moment.now) turn.operations.push_back(replay.operation(one));
  std::sort(turn.operations.begin(), turn.operations.end(),
            [](const Operation& a, const Operation& b) { return a.item < b.item; });
  turn.buffer = access_in(turn.operations.front(), turn.access).buffer;
  turn.cost = cost_of(document.info(), turn.operations, turn.buffer, turn.access.which, turn.access.write);
  const std::uint64_t before = replay.step();
  turn.state = std::make_shared<State>(state_at(replay, turn.moment));
  replay.seek(before);
  kept = std::move(turn);
  return &*kept;
}

std::string position_text(Document& document, const Cursor& cursor) {
  const std::uint64_t step = std::min(cursor.step, document.info().steps);
  if (step == 0) return to_string(position_of(*document.trace, 0));
  if (const Turn* turn = turn_at(document, cursor))
    return to_string(position_of(turn->operations.front(), turn->group, turn->turn()));
  return to_string(position_of(document.replay->operation(step)));
}

}  // namespace twiddle
