// What a work-item loaded and stored between two barriers, in its own order: read from the trace's accesses.
#pragma once

#include "tracer/access/access.h"
#include "viewer/document/document.h"

#include <cstdint>
#include <span>
#include <string>

namespace twiddle {

/// An access of an item; one that is wider than a record is one all the same.
struct TimedAccess {
  AccessKind kind = AccessKind::Load;
  int buffer = -1;           // index into TraceInfo::buffers; −1: not known
  std::int64_t element = 0;  // of it
  bool unexplained = false;  // no operation of the trace explains it
};
/// "s[3]"; "?" where the buffer is not known.
std::string place_text(const TraceInfo& info, const TimedAccess& access);

/// Those of an item in a segment, in order; empty where the launch's accesses were not logged or are too many to be kept,
/// and where several segments share an epoch of their launch, so that an access may belong to any of them. The span stays
/// good until the next call.
std::span<const TimedAccess> item_timeline(Document& document, int segment, std::uint64_t item);

}  // namespace twiddle
