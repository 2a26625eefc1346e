#include "tracer/checks/finding.h"

#include "base/tr.h"

#include <array>

namespace twiddle {
namespace {

constexpr std::array<FindingTraits, finding_class_count> classes{{
    {translatable("race"), Severity::Error,
     "Two {1} touch an element, at least one of them writes it, and nothing orders the two."},
    {translatable("race-same-value"), Severity::Warning,
     "Two {1} write the same value to an element, and nothing orders the two."},
    {translatable("out-of-bounds"), Severity::Error, "A {0} touches an element that the buffer does not have."},
    {translatable("uninitialised-read"), Severity::Error, "A {0} reads an element that has not been written."},
    {translatable("barrier-divergence"), Severity::Error, "Not every {0} of a group reaches the same barriers."},
    {translatable("wrong-partner"), Severity::Error,
     "An operation brings together elements that do not belong together."},
    {translatable("wrong-twiddle"), Severity::Error,
     "A butterfly multiplies by another twiddle factor than its place demands."},
    {translatable("wrong-value"), Severity::Error, "What was written is not what the operation makes of what it read."},
    {translatable("missing-operation"), Severity::Error, "Something that the algorithm needs was never done."},
    {translatable("duplicate-operation"), Severity::Error, "Something was done twice."},
    {translatable("inconsistent-read"), Severity::Error,
     "The log does not explain a value that was read or left behind."},
    {translatable("unscaled"), Severity::Error, "The outcome is right but for a factor of N."},
    {translatable("false-trace-line"), Severity::Error, "A trace line says something else than what happened."},
    {translatable("bank-conflict"), Severity::Warning, "Lanes of a {2} wait for each other at a bank of local memory."},
    {translatable("uncoalesced"), Severity::Warning, "A {2} asks for more of global memory than it uses."},
    {translatable("atomic-contention"), Severity::Warning, "Atomic operations of a {2} meet at one element."},
    {translatable("divergent-branch"), Severity::Note, "Some {1} of a {2} work while the others wait masked."},
    {translatable("unread-input"), Severity::Warning, "An element of the input is never read."},
    {translatable("uneven-read"), Severity::Warning,
     "A line reads an element twice and another not at all, where it reads the others once."},
    {translatable("unread-write"), Severity::Warning, "No value that a line writes is ever read."},
    {translatable("idle-items"), Severity::Warning, "Half of the {1} or more do nothing."},
    {translatable("numerics"), Severity::Note,
     "An operation makes an infinity or a value that is no number out of finite ones."},
}};

}  // namespace

std::string_view name_of(Severity severity) {
  constexpr std::array<std::string_view, 3> names{"error", "warning", "note"};
  return names[static_cast<std::size_t>(severity)];
}

Position position_of(const Finding& finding) {
  if (finding.launch < 1) return {};
  Position position;
  position.launch = finding.launch;
  position.stage = finding.stage > 0 ? finding.stage : -1;
  position.epoch = finding.epoch > 0 ? finding.epoch : -1;
  // Items that wait did nothing there.
  if (!finding.items.empty() && finding.kind != FindingClass::DivergentBranch)
    position.item = static_cast<std::int64_t>(finding.items.front());
  return position;
}

const FindingTraits& traits(FindingClass kind) { return classes[static_cast<std::size_t>(kind)]; }

}  // namespace twiddle
