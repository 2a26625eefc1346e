// A Document is an open trace with its replay, as every diagram and panel sees it. No GUI here.
#pragma once

#include "tracer/replay.h"
#include "tracer/trace_file.h"
#include "viewer/scene.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

/// Something wrong or wasteful that the checks found (see DESIGN's finding classes).
enum class Severity : std::uint8_t { Error, Warning, Note };

struct Document {
  std::shared_ptr<const TraceReader> trace;
  std::unique_ptr<Replay> replay;
  std::vector<TraceReader::Bookmark> bookmarks;

  explicit Document(std::shared_ptr<const TraceReader> trace);
  const TraceInfo& info() const { return trace->info(); }
};

/// Where everybody looks: one cursor for all views.
struct Cursor {
  std::uint64_t step = 0;           // operations done; the last of them is "now"
  std::optional<Mark> hover, pinned;
};

/// The elements and operations that went into an element (its input cone), bounded: `truncated` says that it was.
struct Cone {
  std::vector<std::vector<std::uint64_t>> elements;   // [segment + 1][…]: rows touched after each segment, ascending
  std::vector<std::uint64_t> steps;                   // operations, ascending
  std::uint64_t inputs = 0, operations = 0, items = 0;
  bool truncated = false;
};
Cone cone_of(Document& document, int buffer, std::uint64_t index, int segment, std::size_t limit = 1 << 16);

}  // namespace twiddle
