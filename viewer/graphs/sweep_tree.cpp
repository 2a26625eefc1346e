#include "viewer/graphs/sweep_tree.h"

#include <algorithm>
#include <map>
#include <ranges>

namespace twiddle {
namespace {

constexpr std::size_t max_sweep_elements = 4096;  // of a group; local memory holds no more

// Follows the operations of a group, and takes for a tree what they make of each other's outcomes.
class SweepFollower {
 public:
  SweepFollower(const TraceInfo& info, SweepTree& tree) : info_(info), tree_(tree) {}

  /// The group's operations in their order. False: this is no pair of sweeps.
  bool take(int segment, const Operation& op) {
    if (segment != segment_) begin(segment);
    switch (op.kind) {
      case OperationKind::Combine: return combine(op);
      case OperationKind::Swap: return swap(op);
      case OperationKind::Move:
      case OperationKind::Store: return write(op);
      default: return false;
    }
  }

  bool finish() {
    begin(no_node);
    const auto has = [&](Sweep sweep) {
      return std::any_of(tree_.rows.begin(), tree_.rows.end(), [&](const SweepRow& row) { return row.sweep == sweep; });
    };
    tree_.buffer = buffer_;
    tree_.leaves = held_.size();
    const bool whole = !tree_.rows.empty() && tree_.rows[0].nodes.size() == held_.size();
    return whole && has(Sweep::Up) && has(Sweep::Root) && has(Sweep::Down);
  }

 private:
  struct Place {
    int row = no_node, number = no_node;
  };
  struct Holding {          // of an element
    Place sum, before;      // its newest node of the way up, and of the way down
    std::vector<Place> up;  // all of the way up
  };

  void begin(int segment) {
    segment_ = segment;
    swapped_.reset();
    if (!open_.nodes.empty()) {
      tree_.rows.push_back(std::move(open_));
      open_ = {};
    }
  }
  Place add(Sweep sweep, SweepNode node) {
    open_.sweep = sweep;
    open_.segment = segment_;
    open_.nodes.push_back(node);
    return {row(), static_cast<int>(open_.nodes.size()) - 1};
  }
  int row() const { return static_cast<int>(tree_.rows.size()); }  // that is being made
  const SweepNode& node(Place place) const {
    const bool open = place.row == row();
    return open ? open_.nodes[place.number] : tree_.node(place.row, place.number);
  }
  bool is_ours(const Access& access) const { return access.buffer == buffer_; }
  Holding* held(std::uint64_t element) {
    const auto found = held_.find(element);
    return found == held_.end() ? nullptr : &found->second;
  }

  /// A leaf, before the first sum; the root's new value after the last; anything else is no part of the tree.
  bool write(const Operation& op) {
    const Access& to = op.writes[0];
    if (info_.buffers[to.buffer].space != Space::Local) return true;
    if (buffer_ == no_node) buffer_ = to.buffer;
    if (!is_ours(to)) return true;
    if (!summed_) {
      if (to.index >= max_sweep_elements) return false;
      SweepNode leaf;
      leaf.first = to.index, leaf.end = to.index + 1, leaf.step = op.step, leaf.element = to.index;
      open_.segment = segment_;
      open_.nodes.resize(std::max<std::size_t>(open_.nodes.size(), to.index + 1));  // they come in any order
      open_.nodes[to.index] = leaf;
      Holding& holding = held_[to.index];
      holding.sum = {0, static_cast<int>(to.index)};
      holding.up.assign(1, holding.sum);
      return tree_.rows.empty();
    }
    Holding* holding = held(to.index);
    if (op.kind != OperationKind::Store || !holding) return true;
    SweepNode root;
    root.first = node(holding->sum).first, root.end = node(holding->sum).end;
    root.step = op.step, root.element = to.index;
    if (root.first != 0 || root.end != held_.size()) return false;
    holding->before = add(Sweep::Root, root);
    return true;
  }

  bool combine(const Operation& op) {
    const Access &to = op.writes[0], &a = op.reads[0], &b = op.reads[1];
    if (!is_ours(to) || !is_ours(a) || !is_ours(b)) return false;
    if (swapped_ && swapped_->item == op.item) return right_child(op);
    Holding *left = held(a.index), *right = held(b.index);
    if (!left || !right || to.index != b.index || left->before.row != no_node || right->before.row != no_node)
      return false;
    const SweepNode &l = node(left->sum), &r = node(right->sum);
    if (l.end != r.first || left->sum.row != right->sum.row || left->sum.row + 1 != row()) return false;
    if (!summed_ && !open_.nodes.empty()) return false;
    summed_ = true;
    SweepNode sum;
    sum.first = l.first, sum.end = r.end, sum.step = op.step, sum.element = to.index;
    sum.left = left->sum.number, sum.right = right->sum.number;
    right->sum = add(Sweep::Up, sum);
    right->up.push_back(right->sum);
    return true;
  }

  /// The first half of a step down: the left child takes over what is before its parent.
  bool swap(const Operation& op) {
    const Access &a = op.reads[0], &b = op.reads[1];
    if (!is_ours(a) || !is_ours(b)) return false;
    Holding *left = held(a.index), *right = held(b.index);
    if (!left || !right || right->before.row == no_node || right->up.size() < 2) return false;
    const SweepNode& sum = node(right->up.back());  // the parent, on its way up
    const Place left_sum{right->up.back().row - 1, sum.left}, right_sum{left_sum.row, sum.right};
    if (left->sum.row != left_sum.row || left->sum.number != left_sum.number) return false;
    swapped_ = Swapped{op.item, b.index, right->before, left_sum, right_sum};
    SweepNode child;
    child.first = node(left_sum).first, child.end = node(left_sum).end;
    child.step = op.step, child.element = a.index;
    child.parent_row = right->before.row, child.parent = right->before.number;
    left->before = add(Sweep::Down, child);
    return true;
  }

  /// The second half: the right child has the left one's sum before it as well.
  bool right_child(const Operation& op) {
    const Swapped step = *swapped_;
    swapped_.reset();
    if (op.writes[0].index != step.right) return false;
    Holding& right = held_[step.right];
    SweepNode child;
    child.first = node(step.right_sum).first, child.end = node(step.right_sum).end;
    child.step = op.step, child.element = step.right;
    child.parent_row = step.parent.row, child.parent = step.parent.number;
    child.added_row = step.left_sum.row, child.added = step.left_sum.number;
    right.before = add(Sweep::Down, child);
    right.up.pop_back();
    right.sum = right.up.back();
    return true;
  }

  struct Swapped {
    std::uint64_t item, right;
    Place parent, left_sum, right_sum;
  };
  const TraceInfo& info_;
  SweepTree& tree_;
  int buffer_ = no_node, segment_ = no_node;
  SweepRow open_;
  std::map<std::uint64_t, Holding> held_;
  std::optional<Swapped> swapped_;
  bool summed_ = false;
};

/// What a group of a launch did, from the log's indices alone; without rows where that is no pair of sweeps.
SweepTree follow_sweeps(Document& document, int launch_number, std::uint64_t group) {
  const TraceInfo& info = document.info();
  SweepTree tree;
  tree.launch = launch_number, tree.group = group;
  const LaunchInfo* launch = info.launch(launch_number);
  if (!launch) return tree;
  const std::uint64_t first_item = group * launch->group_size(), end_item = first_item + launch->group_size();
  SweepFollower follower(info, tree);
  Operation op;
  for (std::size_t s = 0; s < info.segments.size(); ++s) {
    const Segment& segment = info.segments[s];
    if (segment.launch != launch_number) continue;
    // A segment's operations are sorted by item: the group's begin where the first of its items does.
    const auto before_it = [&](std::uint64_t step) {
      const auto block = document.replay->indices_of(step);
      return block->item[step - block->first_step] < first_item;
    };
    const auto steps = std::views::iota(segment.first_step, segment.end_step());
    for (std::uint64_t step = segment.first_step + (std::ranges::partition_point(steps, before_it) - steps.begin());
         step < segment.end_step();) {
      const auto block = document.replay->indices_of(step);
      for (; step < segment.end_step() && step - block->first_step < block->count; ++step) {
        block->operation(info, static_cast<std::uint32_t>(step - block->first_step), op);
        if (op.item >= end_item) break;
        if (!follower.take(static_cast<int>(s), op)) return {launch_number, no_node, group, 0, {}};
      }
      if (op.item >= end_item) break;
    }
  }
  if (!follower.finish()) tree.rows.clear();
  return tree;
}

/// Trees that were followed, by launch and group, and the launches whose first group has one.
struct SweepTrees {
  std::map<std::pair<int, std::uint64_t>, SweepTree> known;
  std::optional<std::vector<int>> launches;
};
const SweepTree& sweep_tree_of(Document& document, int launch, std::uint64_t group) {
  SweepTrees& trees = document.kept<SweepTrees>();
  constexpr std::size_t max_known = 64;
  const auto found = trees.known.find({launch, group});
  if (found != trees.known.end()) return found->second;
  if (trees.known.size() >= max_known) trees.known.clear();
  return trees.known.emplace(std::pair(launch, group), follow_sweeps(document, launch, group)).first->second;
}

const std::vector<int>& launches_with_sweeps(Document& document) {
  SweepTrees& trees = document.kept<SweepTrees>();
  if (trees.launches) return *trees.launches;
  trees.launches.emplace();
  int last = 0;  // launch that was looked at
  for (const Segment& segment : document.info().segments)
    if (segment.kind == OperationKind::Combine && segment.launch != std::exchange(last, segment.launch) &&
        !follow_sweeps(document, segment.launch, 0).rows.empty())
      trees.launches->push_back(segment.launch);
  return *trees.launches;
}

}  // namespace

const SweepTree* sweep_tree_at(Document& document, std::uint64_t step) {
  const std::vector<int>& launches = launches_with_sweeps(document);
  if (launches.empty()) return nullptr;
  int launch = launches.front();
  std::uint64_t group = 0;
  if (step > 0) {
    const auto block = document.replay->indices_of(step);
    const int now = document.info().segments[block->segment].launch;
    const auto after = std::upper_bound(launches.begin(), launches.end(), now);
    if (after != launches.begin()) launch = *(after - 1);
    if (launch == now) group = block->item[step - block->first_step] / document.info().launch(launch)->group_size();
  }
  const SweepTree& tree = sweep_tree_of(document, launch, group);
  return tree.rows.empty() ? &sweep_tree_of(document, launch, 0) : &tree;
}

}  // namespace twiddle
