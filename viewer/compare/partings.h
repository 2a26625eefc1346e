// Where a trace parts from the one beside it, stage by stage: compared once, by a thread of its own, for the list of notes and for
// the conditions to stop at.
#pragma once

#include "viewer/compare/stage_reference.h"
#include "viewer/document/document.h"
#include "viewer/facts/trace_facts.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace twiddle {

struct Partings {
  std::vector<TraceNote> notes;       // as differences_between has them
  std::vector<StageParting> stages;   // of this trace
  std::uint64_t compared = 0;         // stages that both traces have
  std::vector<Message> not_compared;  // a sentence each
};

/// Compares a document with another trace from now on, numbers within so many ulps as the same; null: with none.
void compare_with(Document& document, std::shared_ptr<const TraceSource> other, std::uint64_t ulps);
bool is_compared(Document& document);
/// The outcome, for which it waits so long; null while it is not there, or where there is nothing beside the document.
const Partings* partings_of(Document& document, double patience_ms);

}  // namespace twiddle
