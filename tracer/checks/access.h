// What checks of single accesses share: which elements of a buffer an access touches, and the finding that says so.
#pragma once

#include "tracer/checks/findings.h"
#include "tracer/trace/operation.h"
#include "tracer/trace/trace.h"

#include <cstdint>
#include <utility>

namespace twiddle {

inline bool is_local(const BufferInfo& buffer) { return buffer.space == Space::Local; }

/// The elements that an access touches, [first, end). Kernels may see a buffer as another type than it was made of (a
/// float buffer read as float2), and then an index counts elements of that type.
struct ElementRange {
  std::uint64_t first, end;
  bool part;  // less than a whole element
};
inline ElementRange elements_of(const BufferInfo& buffer, const Access& access) {
  const std::uint64_t mine = traits(access.value.type).bytes, whole = traits(buffer.type).bytes;
  if (mine == whole) return {access.index, access.index + 1, false};
  return {access.index * mine / whole, (access.index * mine + mine - 1) / whole + 1, mine < whole};
}

inline Findings::Place place_of(FindingClass kind, const Operation& op, const Access& access, int other_line = 0) {
  return {kind, op.launch, op.stage, op.epoch, access.buffer, op.line, other_line};
}

/// A finding about a launch; what was not given is set by the caller.
inline Finding finding_of(FindingClass kind, const LaunchInfo& launch) {
  Finding finding;
  finding.kind = kind;
  finding.launch = launch.number;
  finding.stage = launch.stage;
  finding.source = launch.source;
  return finding;
}

/// Makes an operation the place of a finding, and its work-item the culprit.
inline void set_place(Finding& finding, const TraceInfo& info, const Operation& op) {
  finding.launch = op.launch;
  finding.stage = op.stage;
  finding.epoch = op.epoch;
  finding.step = op.step;
  finding.items = {op.item};
  finding.source = info.launch(op.launch)->source;
  finding.line = op.line;
}

/// A finding about one access, with everything that says where it happened; what was not given is set by the caller.
inline Finding finding_at(FindingClass kind, const TraceInfo& info, const Operation& op, const Access& access,
                          Message message = {}, Message advice = {}) {
  Finding finding;
  finding.kind = kind;
  set_place(finding, info, op);
  finding.buffer = access.buffer;
  finding.element = access.index;
  finding.message = std::move(message);
  finding.advice = std::move(advice);
  return finding;
}

}  // namespace twiddle
