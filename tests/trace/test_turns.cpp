// Lockstep: every operation in one turn, the lanes and the masked ones are the sub-group, and its order ends where the items' does.
#include "tracer/replay/turn_text.h"

#include "synthetic_trace.h"
#include "test_support.h"
#include "traced.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <map>
#include <set>
#include <vector>

using namespace twiddle;

namespace {

struct Case {
  const char* algorithm;
  std::uint64_t n;
};

// Groups smaller and larger than a sub-group, several operations an item, loops, guards, atomics, terms of sums.
constexpr Case cases[] = {
    {"fft-radix2", 8},          {"fft-radix2", 256},     {"fft-radix2-single", 64}, {"fft-radix2-single", 256},
    {"reduce-interleaved", 64}, {"reduce-strided", 256}, {"histogram-local", 512},  {"dft", 16},
    {"scan-blelloch", 128},     {"fft-radix4", 64}};

std::vector<TurnPlace> all_places(Replay& replay) {
  std::vector<TurnPlace> places{{}};
  for (TurnPlace at = next_turn(replay, {}); at != places.back(); at = next_turn(replay, at)) places.push_back(at);
  return places;
}

void check_equal(const TraceInfo& info, const State& one, const State& other) {
  for (std::size_t b = 0; b < info.buffers.size(); ++b)
    if (info.buffers[b].space != Space::Local)
      CHECK(one.bytes(static_cast<int>(b)) == other.bytes(static_cast<int>(b)));
}

}  // namespace

TEST_CASE("every operation is in one round, and lanes and masked ones are the whole sub-group") {
  for (const Case& one : cases) {
    CAPTURE(one.algorithm);
    CAPTURE(one.n);
    const auto trace = traced(one.algorithm, one.n);
    Replay replay(trace);
    const TraceInfo& info = trace->info();
    std::uint64_t expected = 1;
    while (expected <= info.steps) {
      const SubGroupTurns turns = turns_at(replay, expected);
      CHECK(turns.first_step == expected);
      std::set<std::uint64_t> steps;
      std::map<std::uint64_t, std::uint64_t> last_of;  // of each lane, the step before
      int turn = 1;
      for (std::size_t r = 0; r < turns.rounds.size(); ++r) {
        const TurnRound& round = turns.rounds[r];
        CHECK(round.active != 0);
        CHECK(round.first_turn == turn);
        turn += round.turns();
        for (std::uint64_t lane = 0; lane < sub_group_size; ++lane) {
          const std::uint64_t step = round.step[lane];
          const bool active = (round.active >> lane & 1) != 0;
          CHECK(active == (step > 0));
          CHECK(active == (turns.mask(r, lane) == Mask::None));
          CHECK((lane >= turns.items.items()) == (turns.mask(r, lane) == Mask::NoItem));
          if (!active) continue;
          CHECK(steps.insert(step).second);
          CHECK(step > last_of[lane]);  // a lane's own order is kept
          last_of[lane] = step;
          const Operation operation = replay.operation(step);
          CHECK(operation.item == turns.items.first + lane);
          CHECK(operation.line == round.line);
          CHECK(operation.shape == round.shape);
        }
      }
      CHECK(turns.turns() == turn - 1);
      CHECK(steps.size() == turns.last_step - turns.first_step + 1);
      CHECK(*steps.begin() == turns.first_step);
      CHECK(*steps.rbegin() == turns.last_step);
      expected = turns.last_step + 1;
    }
  }
}

TEST_CASE("turns forwards and backwards are the same, and positions come back to them") {
  for (const Case& one : cases) {
    CAPTURE(one.algorithm);
    const auto trace = traced(one.algorithm, one.n);
    Replay replay(trace);
    const std::vector<TurnPlace> places = all_places(replay);
    TurnPlace at = places.back();
    for (std::size_t i = places.size(); i-- > 0; at = previous_turn(replay, at)) CHECK(at == places[i]);
    CHECK(previous_turn(replay, {}) == TurnPlace{});
    CHECK(turns_at(replay, trace->info().steps).last_step == trace->info().steps);
    const std::size_t every = std::max<std::size_t>(1, places.size() / 40);
    for (std::size_t i = 1; i < places.size(); i += every) {
      const std::string text = to_string(position_of(replay, places[i]));
      CAPTURE(text);
      CHECK(find_turn(*trace, text) == places[i]);
    }
  }
}

TEST_CASE("the order of lockstep ends in the same buffers, and seeking equals stepping") {
  for (const Case& one : cases) {
    CAPTURE(one.algorithm);
    const auto trace = traced(one.algorithm, one.n);
    Replay replay(trace), items(trace);
    const TraceInfo& info = trace->info();
    // After each sub-group, whose operations are a run of the items' order, both orders are at the same state.
    for (std::uint64_t step = 1; step <= info.steps;) {
      const SubGroupTurns turns = turns_at(replay, step);
      const State lockstep = state_at(replay, moment_of(turns, turns.place_of(turns.turns())));
      items.seek(turns.last_step);
      check_equal(info, lockstep, items.state());
      step = turns.last_step + 1;
    }
    // Each turn's state is the one before with what the turn writes, whichever way one came.
    State stepped = state_at(replay, {});
    for (const TurnPlace& place : all_places(replay)) {
      if (place.step == 0) continue;
      const SubGroupTurns turns = turns_at(replay, place.step);
      const Moment moment = moment_of(turns, place);
      const TurnAccess access = access_of(turns.rounds[turns.round_of(place.step)], place.made);
      const State sought = state_at(replay, moment);
      for (const std::uint64_t step : access.write ? moment.now : std::vector<std::uint64_t>{}) {
        const Operation operation = replay.operation(step);
        const Access& write = operation.writes[access.which];
        if (!write.known || write.buffer < 0 || info.buffers[write.buffer].space == Space::Local) continue;
        if (operation.kind == OperationKind::Atomic) continue;  // it adds to what is there
        stepped.write_bytes(write.buffer, 0, write.index * traits(write.value.type).bytes, write.value.bytes());
      }
      if (!access.write) check_equal(info, sought, stepped);
      stepped = sought;
    }
  }
}

TEST_CASE("a butterfly's turns are its loads and stores, all lanes together") {
  const auto trace = traced("fft-radix2", 8);
  Replay replay(trace);
  // 4 items: the first stage's four butterflies are one round of four turns.
  const SubGroupTurns turns = turns_at(replay, find_step(*trace, "S1"));
  REQUIRE(turns.rounds.size() == 1);
  CHECK(turns.turns() == 4);
  CHECK(std::popcount(turns.rounds[0].active) == 4);
  CHECK(to_string(position_of(replay, turns.place_of(2))) == "L2.S1.G0.T2");
  const TurnRound& round = turns.rounds[0];
  CHECK(access_of(round, 1).which == 0);
  CHECK_FALSE(access_of(round, 2).write);
  CHECK(access_of(round, 3).write);
  CHECK(access_of(round, 0).which == 1);
  const Moment read = moment_of(turns, turns.place_of(2)), wrote = moment_of(turns, turns.place_of(3));
  CHECK(read.reads == 2);
  CHECK(read.writes == 0);
  CHECK(wrote.writes == 1);
  CHECK(read.now.size() == 4);
  // A step of the items' order is in the round, all of whose turns have been made.
  CHECK(turns.turn_of({turns.first_step, 0}) == 4);
}

TEST_CASE("masked lanes have a reason: no item, a guard, a loop that was left") {
  const auto reduction = traced("reduce-interleaved", 64);
  Replay replay(reduction);
  const SubGroupTurns stage = turns_at(replay, find_step(*reduction, "S2"));
  CHECK(stage.mask(0, 0) == Mask::None);
  CHECK(stage.mask(0, 1) == Mask::GuardFalse);
  const auto small = traced("fft-radix2", 8);
  Replay few(small);
  CHECK(turns_at(few, 1).mask(0, 31) == Mask::NoItem);
  // Values that run out: the last items leave the loop a pass before the others.
  const auto counted = traced("histogram-local", 1000);
  Replay values(counted);
  int early = 0;
  for (std::uint64_t step = 1; step <= counted->info().steps;) {
    const SubGroupTurns turns = turns_at(values, step);
    step = turns.last_step + 1;
    for (std::size_t r = 0; r < turns.rounds.size(); ++r)
      for (std::uint64_t lane = 0; lane < sub_group_size; ++lane) {
        if (turns.mask(r, lane) != Mask::LeftEarly) continue;
        ++early;
        bool later = false;  // it is not there again
        for (std::size_t after = r; after < turns.rounds.size(); ++after)
          later = later || (turns.rounds[after].step[lane] > 0 && turns.rounds[after].line == turns.rounds[r].line);
        CHECK_FALSE(later);
      }
  }
  CHECK(early > 0);
  CHECK(name_of(Mask::LeftEarly) == "left-early");
}

TEST_CASE("positions of turns that are not there are refused in a sentence") {
  const auto trace = traced("fft-radix2", 8);
  CHECK_THROWS_WITH(find_step(*trace, "L2.G0.T9"),
                    doctest::Contains("there is no turn 9 there: sub-group 0 has 1 … 4"));
  CHECK_THROWS_WITH(find_step(*trace, "L2.G7"), doctest::Contains("there is no sub-group 7"));
  for (const char* wrong : {"L2.G0.I1", "L2.T1", "T2", "L2.I1.G0", "L2.G0#2", "L2.G", "L2.G0.T"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_position(wrong));
  }
  const auto position = parse_position("l1.s2.g0.t2");
  REQUIRE(position);
  CHECK(to_string(*position) == "L1.S2.G0.T2");
}

TEST_CASE("turns are printed with their lanes, masked ones and costs") {
  const auto trace = traced("fft-radix2", 8);
  Replay replay(trace);
  std::vector<std::string> lines;
  TurnFilter filter;
  filter.stage = 2;
  for_each_turn(replay, filter, [&](const PrintedTurn& turn) { lines.push_back(text_line(trace->info(), turn)); });
  REQUIRE(lines.size() == 4);
  CHECK(lines[1].starts_with("L3.S2.G0.T2 turn=2/4 kernel=fft_stage "));
  CHECK(contains(lines[1],
                 "op=butterfly read=2 buffer=F lanes=4/32 elements=2,3,6,7 masked=4-31:no-item sectors=2 bytes=32/64"));
  CHECK(contains(lines[2], "write=1 buffer=F lanes=4/32 elements=0,1,4,5"));
  filter.element = 6;  // b of one butterfly, and where its difference goes
  std::vector<nlohmann::json> touching;
  for_each_turn(replay, filter, [&](const PrintedTurn& turn) {
    touching.push_back(nlohmann::json::parse(json_line(trace->info(), turn)));
  });
  REQUIRE(touching.size() == 2);
  CHECK(touching[0]["position"] == "L3.S2.G0.T2");
  CHECK(touching[0]["access"] == "read");
  CHECK(touching[0]["lanes"][2] == nlohmann::json{{"lane", 2}, {"item", 2}, {"index", 6}});
  CHECK(touching[0]["masked"][0]["reason"] == "no-item");
  CHECK(touching[1]["access"] == "write");
  CHECK(touching[1]["which"] == 2);
}
