// The recursion tree of a transform, derived from its log: which butterflies build the transform of which inputs.
#pragma once

#include "viewer/document/document.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

/// Nodes of one size. A node is the transform of every `nodes`-th input; its place is its index among its level's, so
/// that a parent's children are side by side.
struct TreeLevel {
  int segment = -1;  // whose butterflies build it; −1: the inputs themselves
  std::uint64_t points = 1, nodes = 1;
  std::uint64_t butterflies = 0;  // of a node
};

struct TreeShape {
  std::string input;  // "x"
  int input_buffer = -1;
  std::vector<TreeLevel> levels;  // from the inputs to the whole
  /// Of every step of the levels' segments, its node's place; by level. Empty in large traces, where in-place butterflies
  /// are in the tree's own order and others are known by level only.
  std::vector<std::vector<std::uint32_t>> place_of_step;
  /// Of every node, how many butterflies it has had before each of them (`place_of_step`'s order): its steps, ascending.
  std::vector<std::vector<std::vector<std::uint64_t>>> steps_of_place;
};

/// The trace's tree; null when its butterflies build none: no transform in one dimension, or one whose blocks do not grow
/// from stage to stage. Found once and kept.
const TreeShape* tree_shape(Document& document);

struct TreeNode {
  int level = 0;
  std::uint64_t place = 0;
};
/// The node that an operation works on; nothing when it is no butterfly of the tree, or that is not known.
std::optional<TreeNode> node_of(Document& document, const TreeShape& shape, const Operation& operation);
/// The smallest input of a node.
std::uint64_t first_input(const TreeShape& shape, int level, std::uint64_t place);
/// How much of a node is done after `step` steps, 0 … 1.
double node_done(Document& document, const TreeShape& shape, int level, std::uint64_t place, std::uint64_t step);
/// The first step that works on a node; its level's first where that is not known.
std::uint64_t node_first_step(Document& document, const TreeShape& shape, int level, std::uint64_t place);

}  // namespace twiddle
