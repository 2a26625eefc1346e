// The two sweeps of a work-efficient scan as a tree, derived from its log: sums of two neighbours go up to a root, and what is
// before each node comes down again.
#pragma once

#include "viewer/document/document.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace twiddle {

inline constexpr int no_node = -1;

/// A value of the tree: what an operation left in an element, and for which elements it stands.
struct SweepNode {
  std::uint64_t first = 0, end = 0;  // the leaves below it
  std::uint64_t step = 0, element = 0;
  int parent_row = no_node, parent = no_node;  // on the way down: the node whose value it takes over
  int left = no_node, right = no_node;         // on the way up: its children in the row before
  int added_row = no_node, added = no_node;    // on the way down, of a right child: the left one's sum
};
enum class Sweep : std::uint8_t { Leaves, Up, Root, Down };
struct SweepRow {
  Sweep sweep = Sweep::Leaves;
  int segment = no_node;
  std::vector<SweepNode> nodes;  // by `first`
};
/// What a work-group of a launch did, row after row; no rows where that is no pair of sweeps.
struct SweepTree {
  int launch = 0, buffer = no_node;
  std::uint64_t group = 0, leaves = 0;
  std::vector<SweepRow> rows;

  const SweepNode& node(int row, int number) const { return rows[row].nodes[number]; }
  /// Row and number of the node that an operation made.
  std::optional<std::pair<int, int>> made_by(std::uint64_t step) const {
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t n = 0; n < rows[r].nodes.size(); ++n)
        if (rows[r].nodes[n].step == step) return std::pair(static_cast<int>(r), static_cast<int>(n));
    return {};
  }
};

/// The tree at a step: that of the group at work, else of the first group of the last launch before it that has one, else of
/// the first that has one. Null where none has. Found once and kept.
const SweepTree* sweep_tree_at(Document& document, std::uint64_t step);

}  // namespace twiddle
