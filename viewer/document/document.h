// A Document is an open trace with its replay, as every diagram and panel sees it. No GUI here.
#pragma once

#include "tracer/checks/finding.h"
#include "tracer/replay/replay.h"
#include "tracer/trace/trace_source.h"
#include "viewer/scene/scene.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <typeindex>
#include <typeinfo>
#include <utility>
#include <vector>

namespace twiddle {

class Flow;
struct TraceFacts;  // what panels gather of a whole trace, once (viewer/facts/trace_facts.h)

struct Document {
  std::shared_ptr<const TraceSource> trace;
  std::unique_ptr<Replay> replay;
  std::vector<TraceSource::Bookmark> bookmarks;
  std::shared_ptr<const TraceFacts> facts;  // null until the first panel asks
  bool findings_kept_back = false;          // a reader is still to say what is wrong (see keep_findings_back)

  explicit Document(std::shared_ptr<const TraceSource> trace);
  ~Document();
  const TraceInfo& info() const { return trace->info(); }

  /// Rows, columns and what leads from one to the next; built when first asked for.
  Flow& flow();
  /// What a view or a model measured once and keeps from frame to frame: a struct of its own, made when first asked for. It
  /// may be declared where it is used.
  template <typename T>
  T& kept() {
    std::shared_ptr<void>& slot = kept_[typeid(T)];
    if (!slot) slot = std::make_shared<T>();
    return *static_cast<T*>(slot.get());
  }

 private:
  std::unique_ptr<Flow> flow_;
  std::map<std::type_index, std::shared_ptr<void>> kept_;
};

/// One cursor for all views.
struct Cursor {
  std::uint64_t step = 0;  // operations done; the last of them is "now"
  std::optional<Mark> hover, pinned;
  // In lockstep the step is one of a sub-group's that are made together, of which so many turns have been made (0: all of
  // them); viewer/document/turn.h.
  bool lockstep = false;
  int made = 0;
};

/// The elements and operations that went into an element (its input cone), bounded: `truncated` says that some column had
/// more than `limit` rows, and that the columns before it are empty.
struct Cone {
  std::vector<std::vector<std::uint64_t>> elements;  // [segment + 1][…]: rows touched after each segment, ascending
  std::vector<std::uint64_t> steps;                  // operations, ascending
  std::uint64_t inputs = 0, operations = 0, items = 0;  // items: different work-items of a launch; 0 when not known
  bool truncated = false;
  /// Step and item of each operation that was read for it, ascending; a formula stands for the others.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> workers;
};
/// The cone of an element as it is after `segment` (−1: before the first). Of a local array, `index` counts through all
/// groups (group · count + index).
Cone cone_of(Document& document, int buffer, std::uint64_t index, int segment, std::size_t limit = 1 << 16);
/// The cone of the element that is hovered, else pinned; kept. Null when there is none, or while
/// decoding it takes longer than the frame has time for.
const Cone* cone_at(Document& document, const Cursor& cursor);

}  // namespace twiddle
