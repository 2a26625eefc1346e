#include "viewer/document/document.h"

#include "viewer/document/flow.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace twiddle {
namespace {

/// Bytes that a document may keep of states and operations: a third of the machine's memory, from 1 to 8 GiB. The states
/// after all 24 stages of 2^24 points take 3 GiB; with less, most columns would be decoded anew for every frame.
std::size_t replay_memory() {
  constexpr std::uint64_t gib = std::uint64_t(1) << 30;
  const auto bytes = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES))) *
                     static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PAGESIZE)));
  return std::clamp(bytes / 3, gib, 8 * gib);
}

}  // namespace

Document::Document(std::shared_ptr<const TraceSource> reader)
    : trace(std::move(reader)),
      replay(std::make_unique<Replay>(trace, replay_memory())),
      bookmarks(trace->bookmarks()) {}

Document::~Document() = default;

Flow& Document::flow() {
  if (!flow_) flow_ = std::make_unique<Flow>(*replay);
  return *flow_;
}

}  // namespace twiddle
