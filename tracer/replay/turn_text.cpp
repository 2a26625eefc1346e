#include "tracer/replay/turn_text.h"

#include "base/values/json_text.h"
#include "tracer/print/print.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>

namespace twiddle {
namespace {

// A turn as both forms say it.
struct Facts {
  TurnAccess access;
  std::string position;
  const Operation& one;
  const LaunchInfo* launch;
  const BufferInfo* buffer;
  RequestCost cost;
  std::uint64_t meet = 0;  // the most lanes at one element of an atomic
};

Facts facts_of(const TraceInfo& info, const PrintedTurn& turn) {
  const TurnRound& round = turn.group.rounds[turn.round];
  const Operation& one = turn.operations.front();
  const TurnAccess access = access_of(round, turn.turn - round.first_turn + 1);
  const int buffer = access_in(one, access).buffer;
  Facts facts{access,
              to_string(position_of(one, turn.group, turn.turn)),
              one,
              info.launch(one.launch),
              info.buffer(buffer),
              cost_of(info, turn.operations, buffer, access.which, access.write)};
  if (one.kind == OperationKind::Atomic) {
    std::vector<std::uint64_t> elements;
    for (const Operation& operation : turn.operations) elements.push_back(access_in(operation, access).index);
    facts.meet = contention(elements).turns;
  }
  return facts;
}

// "8-31:no-item,3:guard-false": runs of lanes that sit out for one reason.
template <typename Each>
void for_masked(const PrintedTurn& turn, const Each& each) {
  for (std::uint64_t lane = 0; lane < sub_group_size;) {
    const Mask mask = turn.group.mask(turn.round, lane);
    std::uint64_t end = lane + 1;
    while (end < sub_group_size && turn.group.mask(turn.round, end) == mask) ++end;
    if (mask != Mask::None) each(lane, end - 1, mask);
    lane = end;
  }
}

bool admits(const TurnFilter& filter, const TurnRound& round, const SubGroupTurns& turns, int turn,
            const std::vector<Operation>& operations) {
  if (filter.item &&
      !(turns.items.holds(*filter.item) && (round.active >> (*filter.item - turns.items.first) & 1) != 0))
    return false;
  const TurnAccess access = access_of(round, turn - round.first_turn + 1);
  return !filter.element || std::any_of(operations.begin(), operations.end(), [&](const Operation& one) {
    return access_in(one, access).index == *filter.element;
  });
}

}  // namespace

void for_each_turn(Replay& replay, const TurnFilter& filter, const std::function<void(const PrintedTurn&)>& each) {
  for (const Segment& segment : replay.info().segments) {
    if (filter.launch && static_cast<std::uint64_t>(segment.launch) != *filter.launch) continue;
    if (filter.stage && static_cast<std::uint64_t>(segment.stage) != *filter.stage) continue;
    for (std::uint64_t step = segment.first_step; step < segment.end_step();) {
      const SubGroupTurns turns = turns_at(replay, step);
      step = turns.last_step + 1;
      for (std::size_t r = 0; r < turns.rounds.size(); ++r) {
        const TurnRound& round = turns.rounds[r];
        std::vector<Operation> operations;
        for (const std::uint64_t one : round.step)
          if (one > 0) operations.push_back(replay.operation(one));
        for (int t = round.first_turn; t < round.first_turn + round.turns(); ++t)
          if (admits(filter, round, turns, t, operations)) each({turns, r, t, operations});
      }
    }
  }
}

std::string text_line(const TraceInfo& info, const PrintedTurn& turn) {
  const TurnRound& round = turn.group.rounds[turn.round];
  const Facts facts = facts_of(info, turn);
  std::string line =
      fmt::format("{} turn={}/{} kernel={} line={} op={} {}={} buffer={} lanes={}/{} elements=", facts.position,
                  turn.turn, turn.group.turns(), facts.launch ? facts.launch->kernel : "?", round.line,
                  name_of(facts.one.kind), facts.access.write ? "write" : "read", facts.access.which + 1,
                  facts.buffer ? facts.buffer->name : "?", std::popcount(round.active), sub_group_size);
  for (std::size_t i = 0; i < turn.operations.size(); ++i)
    line += fmt::format("{}{}", i > 0 ? "," : "", access_in(turn.operations[i], facts.access).index);
  std::string masked;
  for_masked(turn, [&](std::uint64_t first, std::uint64_t last, Mask mask) {
    masked += masked.empty() ? "" : ",";
    masked += first == last ? fmt::format("{}:{}", first, name_of(mask))
                            : fmt::format("{}-{}:{}", first, last, name_of(mask));
  });
  if (!masked.empty()) line += " masked=" + masked;
  if (facts.meet > 0) line += fmt::format(" contention={}", facts.meet);
  if (!facts.buffer || facts.cost.lanes == 0) return line;
  if (facts.buffer->space == Space::Local)
    return line + fmt::format(" passes={} degree={}", facts.cost.banks.passes(), facts.cost.banks.degree());
  return line +
         fmt::format(" sectors={} bytes={}/{}", facts.cost.sectors.size(), facts.cost.bytes, facts.cost.fetched());
}

std::string json_line(const TraceInfo& info, const PrintedTurn& turn) {
  using Json = nlohmann::ordered_json;
  const TurnRound& round = turn.group.rounds[turn.round];
  const Facts facts = facts_of(info, turn);
  Json line{{"position", facts.position}, {"launch", facts.one.launch}};
  if (facts.launch) line["kernel"] = facts.launch->kernel;
  if (facts.one.stage > 0) line["stage"] = facts.one.stage;
  line["epoch"] = facts.one.epoch;
  line["sub_group"] = turn.group.number;
  line["turn"] = turn.turn;
  line["turns"] = turn.group.turns();
  line["line"] = round.line;
  line["op"] = std::string(name_of(facts.one.kind));
  line["access"] = facts.access.write ? "write" : "read";
  line["which"] = facts.access.which + 1;
  if (facts.buffer) {
    line["buffer"] = facts.buffer->name;
    line["space"] = std::string(name_of(facts.buffer->space));
  }
  line["lanes"] = Json::array();
  for (const Operation& one : turn.operations)
    line["lanes"].push_back({{"lane", one.item - turn.group.items.first},
                             {"item", one.item},
                             {"index", access_in(one, facts.access).index}});
  line["masked"] = Json::array();
  for_masked(turn, [&](std::uint64_t first, std::uint64_t last, Mask mask) {
    line["masked"].push_back({{"first", first}, {"last", last}, {"reason", std::string(name_of(mask))}});
  });
  if (facts.meet > 0) line["contention"] = facts.meet;
  if (facts.buffer && facts.cost.lanes > 0) {
    if (facts.buffer->space == Space::Local) {
      line["passes"] = facts.cost.banks.passes();
      line["degree"] = facts.cost.banks.degree();
    } else {
      line["sectors"] = facts.cost.sectors.size();
      line["bytes_used"] = facts.cost.bytes;
      line["bytes_moved"] = facts.cost.fetched();
    }
  }
  return json_text(line);
}

}  // namespace twiddle
