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
