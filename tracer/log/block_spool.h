// Blocks set aside on disk until their turn comes: a launch with several segments that is traced in several windows yields
// them window by window, and a trace holds them segment by segment.
#pragma once

#include "tracer/trace/block.h"

#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace twiddle {

class BlockSpool {
 public:
  BlockSpool();

  /// Where a block belongs; barriers come after their epoch's work.
  struct Place {
    int epoch = 0;
    bool barriers = false;
    int stage = 0;
    auto operator<=>(const Place&) const = default;
  };
  void add(const Place& place, const OperationBlock& block);
  /// Hands out everything by place, blocks of a place in the order they came (small ones joined), and is empty then.
  void drain(const std::function<void(const Place&, OperationBlock&&)>& each);

 private:
  struct Piece {
    long long offset;
    std::size_t bytes;
  };
  std::vector<std::byte> read(const Piece& piece);

  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  long long size_ = 0;
  std::map<Place, std::vector<Piece>> pieces_;
};

/// Appends `more` to `block` when both fit into one; false when they do not (then neither has changed).
bool join(OperationBlock& block, const OperationBlock& more);

}  // namespace twiddle
