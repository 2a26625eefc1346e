// Operations from accesses: every family, in words of several kinds, from several signals.
#include "lift/lift_cases.h"
#include "tracer/lift/lift.h"

#include <doctest.h>

#include <map>

using namespace twiddle;
using namespace twiddle::recorded;

namespace {

// "butterfly2 x16, move x32"
std::string summary(const Lifted& lifted) {
  std::map<std::string, int> counts;
  for (const LiftedOperation& op : lifted.operations) {
    std::string name(name_of(op.kind));
    const bool single = op.kind == LiftedKind::Move || op.kind == LiftedKind::Scale || op.kind == LiftedKind::Rotate ||
                        op.kind == LiftedKind::Constant || op.kind == LiftedKind::Atomic || op.kind == LiftedKind::Pack;
    if (!single) name += std::to_string(op.reads);
    ++counts[name];
  }
  std::string text;
  for (const auto& [name, count] : counts) text += (text.empty() ? "" : ", ") + name + " x" + std::to_string(count);
  return text;
}

std::vector<LiftCase> all_cases() {
  std::vector<LiftCase> cases = butterfly_cases();
  for (LiftCase& one : other_cases()) cases.push_back(std::move(one));
  return cases;
}

}  // namespace

TEST_CASE("a kernel's accesses are the operations that it computed") {
  for (const LiftCase& one : all_cases())
    for (const Words words : {Words::Typed, Words::Four, Words::Eight}) {
      CAPTURE(one.name);
      CAPTURE(static_cast<int>(words));
      Machine machine;
      machine.words = words;
      one.run(machine, Signal::Random, 7);
      const Lifted lifted = lift(machine.log, machine.info);
      CHECK(summary(lifted) == one.operations);
      CHECK(lifted.unexplained_writes.size() + lifted.explained_writes == lifted.writes);
      if (!one.operations.empty()) CHECK(lifted.explained_writes == lifted.writes);
    }
}

TEST_CASE("windows of items are lifted as the whole is") {
  for (const LiftCase& one : other_cases()) {
    CAPTURE(one.name);
    Machine machine;
    one.run(machine, Signal::Random, 7);
    const Lifted whole = lift(machine.log, machine.info);
    // Cut into windows of 5 items.
    std::size_t operations = 0;
    std::uint64_t explained = 0;
    for (std::uint64_t from = 0; from < machine.log.items(); from += 5) {
      const std::uint64_t to = std::min<std::uint64_t>(from + 5, machine.log.items());
      AccessLog window;
      window.sites = machine.log.sites;
      window.first_item = from;
      for (std::uint64_t item = from; item <= to; ++item)
        window.begin.push_back(machine.log.begin[item] - machine.log.begin[from]);
      const auto cut = [&](const auto& column) {
        return std::decay_t<decltype(column)>(column.begin() + static_cast<std::ptrdiff_t>(machine.log.begin[from]),
                                              column.begin() + static_cast<std::ptrdiff_t>(machine.log.begin[to]));
      };
      window.site = cut(machine.log.site);
      window.buffer = cut(machine.log.buffer);
      window.offset = cut(machine.log.offset);
      window.value = cut(machine.log.value);
      const Lifted part = lift(window, machine.info);
      operations += part.operations.size();
      explained += part.explained_writes;
      for (const LiftedOperation& op : part.operations) {
        CHECK(op.item >= from);
        CHECK(op.item < to);
      }
    }
    // What few items decide is decided alike; factors that are the same for all need many.
    if (one.operations.find("linear") == std::string::npos) {
      CHECK(operations == whole.operations.size());
      CHECK(explained == whole.explained_writes);
    }
  }
}

TEST_CASE("a ramp's values say the same, where they say anything") {
  for (const LiftCase& one : all_cases()) {
    CAPTURE(one.name);
    Machine machine;
    one.run(machine, Signal::Ramp, 7);
    const Lifted lifted = lift(machine.log, machine.info);
    if (one.ramp_operations != "undecided")
      CHECK(summary(lifted) == (one.ramp_operations.empty() ? one.operations : one.ramp_operations));
  }
}

TEST_CASE("an impulse's zeros are never taken for something else") {
  for (const LiftCase& one : all_cases()) {
    CAPTURE(one.name);
    Machine machine;
    one.run(machine, Signal::Impulse, 7);
    const Lifted lifted = lift(machine.log, machine.info);
    CAPTURE(summary(lifted));
    std::string wrong;
    for (const LiftedOperation& op : lifted.operations)
      if (one.operations.find(name_of(op.kind)) == std::string::npos && one.name != "square") wrong = name_of(op.kind);
    CHECK(wrong == "");  // the square of 1 is 1, and so a move
  }
}
