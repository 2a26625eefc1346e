#include "viewer/document.h"

#include "viewer/diagram_cache.h"
#include "viewer/flow.h"

#include <utility>

namespace twiddle {

Document::Document(std::shared_ptr<const TraceReader> reader)
    : trace(std::move(reader)), replay(std::make_unique<Replay>(trace)), bookmarks(trace->bookmarks()) {}

Document::~Document() = default;

Flow& Document::flow() {
  if (!flow_) flow_ = std::make_unique<Flow>(*replay);
  return *flow_;
}

DiagramCache& Document::cache() {
  if (!cache_) cache_ = std::make_unique<DiagramCache>();
  return *cache_;
}

}  // namespace twiddle
