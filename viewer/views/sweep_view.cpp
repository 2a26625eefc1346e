// The two sweeps of a work-efficient scan as a tree, from the trace's own operations: sums of two neighbours go up to a root,
// and what is before each node comes down again. Time runs from top to bottom: the inputs, the way up, the root, the way
// down. A node is as wide as the elements that it stands for.
#include "base/message.h"
#include "viewer/views/view_frame.h"
#include "viewer/views/view_space.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/segment_name.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

namespace twiddle {
namespace {

// In layout units; the last two in px.
constexpr float sweep_pad = 16, sweep_head = 44, sweep_foot = 34, sweep_gutter = 104;
constexpr float sweep_node_width = 132, sweep_node_height = 46, min_drawn_node = 3, min_linked_node = 5;
constexpr std::size_t max_sweep_elements = 4096;  // of a group; local memory holds no more
constexpr int no_node = -1;

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
    std::uint64_t low = segment.first_step, high = segment.end_step();
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      const auto block = document.replay->indices_of(middle);
      if (block->item[middle - block->first_step] < first_item)
        low = middle + 1;
      else
        high = middle;
    }
    for (std::uint64_t step = low; step < segment.end_step();) {
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

/// The tree at a step: that of the group at work, else of the first group of the last launch before it that has one, else of
/// the first that has one. Null where none has.
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

class SweepFrame {
 public:
  SweepFrame(const DiagramInput& input, Scene& scene, const ViewSpace& space, const SweepTree& tree)
      : f_(input, scene), space_(space), tree_(tree), pitch_(space.body.h / static_cast<float>(tree.rows.size())) {
    if (f_.step > 0) now_ = tree_.made_by(f_.step);
  }

  void draw() {
    f_.scene.title = tr("Sweeps of {}", title_of(f_.info));
    f_.title(f_.px(sweep_pad), f_.scene.width - f_.px(sweep_pad), f_.px(22), where(),
             {tr("sums of neighbours go up to the root; what is before each node comes down"),
              tr("sums go up, what is before comes down")});
    heads();
    f_.scene.push_clip({space_.body.x - f_.px(2), space_.body.y, space_.body.w + f_.px(4), space_.body.h});
    for (int row = 0; row < rows(); ++row) for_visible(row, [&](int number) { links(row, number); });
    for (int row = 0; row < rows(); ++row) {
      if (node_box(row, 0).w < min_drawn_node)
        tone(row);
      else
        for_visible(row, [&](int number) { node(row, number); });
    }
    f_.scene.pop_clip();
    legend_.draw(f_, f_.px(sweep_pad), f_.scene.width - f_.px(sweep_pad), f_.scene.height - f_.px(sweep_foot / 2));
    f_.scene.unfinished = f_.flow.incomplete();
  }

 private:
  ViewFrame f_;
  const ViewSpace& space_;
  const SweepTree& tree_;
  float pitch_;  // px of a row
  std::optional<std::pair<int, int>> now_;
  Legend legend_;

  int rows() const { return static_cast<int>(tree_.rows.size()); }
  const SweepRow& row_of(int row) const { return tree_.rows[row]; }
  float centre_y(int row) const { return space_.body.y + pitch_ * (static_cast<float>(row) + 0.5f); }

  Box node_box(int row, int number) const {
    const SweepNode& node = tree_.node(row, number);
    const double leaves = double(tree_.leaves);
    const float left = space_.x(double(node.first) / leaves), right = space_.x(double(node.end) / leaves);
    const float air = std::min(f_.px(10), (right - left) * 0.16f);
    const float width = std::min(right - left - air, f_.px(sweep_node_width));
    const float height = std::min(pitch_ * 0.66f, f_.px(sweep_node_height));
    return {(left + right - width) / 2, centre_y(row) - height / 2, width, height};
  }

  template <typename Each>
  void for_visible(int row, const Each& each) const {
    const std::vector<SweepNode>& nodes = row_of(row).nodes;
    const double first = space_.first_u() * double(tree_.leaves),
                 last = (space_.first_u() + space_.width_u()) * double(tree_.leaves);
    auto from = std::partition_point(nodes.begin(), nodes.end(), [&](const auto& n) { return double(n.end) < first; });
    for (; from != nodes.end() && double(from->first) < last; ++from) each(static_cast<int>(from - nodes.begin()));
  }

  Tense tense(const SweepNode& node) const {
    return node.step == f_.step ? Tense::Now : node.step < f_.step ? Tense::Done : Tense::Future;
  }
  /// 0: the first input of the current operation, 1: its second; −1: no_node of them.
  int input_number(int row, int number) const {
    if (!now_) return no_node;
    const SweepNode& now = tree_.node(now_->first, now_->second);
    if (now.left != no_node && row + 1 == now_->first)
      return number == now.left ? 0 : number == now.right ? 1 : no_node;
    if (now.parent_row == row && now.parent == number) return 0;
    return now.added_row == row && now.added == number ? 1 : no_node;
  }

  std::string where() const {
    const LaunchInfo& launch = *f_.info.launch(tree_.launch);
    const std::uint64_t groups = launch.items() / launch.group_size();
    if (groups == 1) return tr("Launch {}, {}", tree_.launch, launch_name(launch));
    return tr("Launch {}, {}: {} {} of {}", tree_.launch, launch_name(launch), group_word(f_.info), tree_.group,
              groups);
  }

  void heads() {
    int up = 0, down = 0;
    const float room = f_.px(sweep_gutter - 8);
    for (int row = 0; row < rows(); ++row) {
      const SweepRow& of = row_of(row);
      const bool now = now_ && now_->first == row;
      const Role ink = now ? Role::Ink : f_.begun(of.segment) ? Role::Ink2 : Role::Ink3;
      const std::string name = of.sweep == Sweep::Leaves ? tr("inputs")
                               : of.sweep == Sweep::Up   ? tr("up {}", ++up)
                               : of.sweep == Sweep::Root ? tr("root")
                                                         : tr("down {}", ++down);
      const bool two = pitch_ >= f_.px(38);
      f_.scene.begin_mark({.kind = MarkKind::Segment, .segment = of.segment}, f_.facts.segment_names[of.segment]);
      f_.text(f_.px(sweep_pad), centre_y(row) - (two ? f_.px(8) : 0), name,
              f_.sans(13, now ? Weight::SemiBold : Weight::Regular), ink, room);
      if (two)
        f_.text(f_.px(sweep_pad), centre_y(row) + f_.px(9), f_.facts.segment_names[of.segment], f_.sans(11), ink, room);
      f_.scene.end_mark();
    }
  }

  void link(int from_row, int from, int row, int number, Tense when, Role lit, bool dashed) {
    const Box above = node_box(from_row, from), below = node_box(row, number);
    const Point a{above.centre().x, above.bottom()}, b{below.centre().x, below.y};
    const Theme& theme = f_.input.theme;
    const bool now = when == Tense::Now;
    Stroke stroke{now                   ? lit
                  : when == Tense::Done ? Role::Done
                                        : Role::Future,
                  (now                   ? theme.wire_now
                   : when == Tense::Done ? theme.wire_done
                                         : theme.wire_future) *
                      f_.input.scale};
    if (dashed) stroke.dash_on = f_.px(7), stroke.dash_off = f_.px(5);
    if (now) f_.scene.line(a, b, {Role::Now, theme.halo * f_.input.scale});
    f_.scene.line(a, b, stroke);
  }

  void links(int row, int number) {
    const SweepNode& node = tree_.node(row, number);
    const Tense when = tense(node);
    if (when == Tense::Future && !f_.shows_future()) return;
    if (node.left != no_node && node_box(row - 1, node.left).w >= min_linked_node) {
      link(row - 1, node.left, row, number, when, Role::A, false);
      link(row - 1, node.right, row, number, when, Role::B, false);
    }
    if (node.parent != no_node && node_box(row, number).w >= min_linked_node)
      link(node.parent_row, node.parent, row, number, when, Role::A, false);
    if (node.added == no_node || (when != Tense::Now && f_.lit_step(node.step) == 0)) return;
    link(node.added_row, node.added, row, number, when, Role::B, true);
    legend_.add(tr("the left child's sum, added"), [this](const Box& at) {
      f_.scene.line({at.x, at.centre().y}, {at.right(), at.centre().y}, {Role::B, f_.px(1.75f), f_.px(5), f_.px(3)});
    });
  }

  /// Where nodes are too narrow: how much of a row is done, from the left.
  void tone(int row) {
    const std::vector<SweepNode>& nodes = row_of(row).nodes;
    const Box first = node_box(row, 0);
    const float left = std::max(space_.x(0), space_.body.x), right = std::min(space_.x(1), space_.body.right());
    f_.scene.rect({left, first.y, right - left, first.h}, Role::Canvas, {Role::Future, f_.thin()});
    const auto done = std::count_if(nodes.begin(), nodes.end(), [&](const SweepNode& n) { return n.step <= f_.step; });
    if (done > 0) {
      const float to = std::clamp(space_.x(double(done) / double(nodes.size())), left, right);
      f_.scene.rect({left, first.y, to - left, first.h}, Role::DoneSoft, {Role::Done, f_.thin()});
      add_done();
    }
    for_visible(row, [&](int number) {
      const int input = input_number(row, number);
      const bool now = now_ && now_->first == row && now_->second == number;
      if (!now && input == no_node) return;
      const float x = node_box(row, number).centre().x;
      f_.scene.rect({x - f_.px(2), first.y - f_.px(2), f_.px(4), first.h + f_.px(4)},
                    now          ? Role::Now
                    : input == 0 ? Role::A
                                 : Role::B,
                    {Role::Ink, f_.thin()});
      if (now) add_now();
    });
  }

  void node(int row, int number) {
    const SweepNode& node = tree_.node(row, number);
    const Tense when = tense(node);
    if (when == Tense::Future && !f_.shows_future()) return;
    const Box box = node_box(row, number);
    const float radius = std::min(f_.px(4), std::min(box.w, box.h) / 3);
    const bool readable = box.w >= f_.px(11) && box.h >= f_.px(11);
    const auto made = readable ? f_.flow.operation(node.step) : std::nullopt;
    const std::string range =
        node.end - node.first == 1 ? tr("element {}", node.first) : tr("elements {} to {}", node.first, node.end - 1);
    f_.scene.begin_mark({.kind = MarkKind::Operation, .step = node.step},
                        made ? range + "\n" + sentence(f_.info, *made) : range);
    const int input = input_number(row, number);
    if (when == Tense::Now) {
      f_.scene.rect(box, Role::NowSoft, {Role::Ink, f_.px(2.5f)}, radius);
      add_now();
    } else if (input != no_node) {
      f_.scene.rect(box, input == 0 ? Role::ASoft : Role::BSoft, {input == 0 ? Role::A : Role::B, f_.px(2.5f)}, radius);
      if (input == 0)
        add_swatch(tr("its first input"), Role::ASoft, Role::A);
      else
        add_swatch(tr("its second input"), Role::BSoft, Role::B);
    } else if (when == Tense::Done) {
      f_.scene.rect(box, readable ? Role::Raised : Role::DoneSoft, {Role::Done, readable ? f_.px(1.25f) : f_.thin()},
                    radius);
      add_done();
    } else {
      f_.scene.rect(box, Role::Raised, {Role::Future, f_.thin()}, radius);
      add_swatch(tr("to come"), Role::Raised, Role::Future);
    }
    if (made && when != Tense::Future) words(row, node, box, *made);
    f_.outline(box, radius, f_.lit_step(node.step));
    f_.scene.end_mark();
  }

  /// The value, and below it what it was added from.
  void words(int row, const SweepNode& node, const Box& box, const Operation& made) {
    const Access* left = nullptr;
    for (const Access& write : made.writes)
      if (write.index == node.element) left = &write;
    if (!left || !left->known) return;
    const float room = box.w - f_.px(4);
    std::string from;
    if (row_of(row).sweep == Sweep::Leaves && !made.reads.empty())
      from = element_text(f_.info, made.reads[0]);
    else if (made.kind == OperationKind::Combine)
      from = fmt::format("{} + {}", value_text(made.reads[0].value), value_text(made.reads[1].value));
    const bool two = !from.empty() && box.h >= f_.px(36) && text_width(f_.mono(11), from) <= room;
    const Font font = f_.mono(box.h >= f_.px(20) ? 14 : 11, Weight::SemiBold);
    const float y = box.centre().y - (two ? f_.px(9) : 0);
    f_.text(box.centre().x, y, fitting_value_text(font, left->value, 4, room), font, Role::Ink, room, Anchor::Middle);
    if (two) f_.text(box.centre().x, box.centre().y + f_.px(10), from, f_.mono(11), Role::Ink2, room, Anchor::Middle);
  }

  void add_swatch(const char* text, Role fill, Role line) {
    legend_.add(text, [this, fill, line](const Box& at) { f_.scene.rect(at, fill, {line, f_.px(1.25f)}, f_.px(2)); });
  }
  void add_done() { add_swatch(tr("done"), Role::Raised, Role::Done); }
  void add_now() { add_swatch(tr("at work"), Role::NowSoft, Role::Ink); }
};

class SweepView : public ZoomedView {
 public:
  SweepView() : ZoomedView("sweep", translatable("Sweeps"), "the way up and the way down of a scan, as a tree") {}
  bool has(Document& document) const override { return sweep_tree_at(document, 0) != nullptr; }
  PictureSize picture_size(Document& document, float min_width) const override {
    const SweepTree* tree = sweep_tree_at(document, 0);
    const float rows = tree ? static_cast<float>(tree->rows.size()) : 1;
    return {std::max(min_width, 860.0f), std::clamp(rows * 58 + sweep_head + sweep_foot, 300.0f, 760.0f)};
  }

 protected:
  ViewSpace space(const DiagramInput& input) const override {
    const float u = view_scale(input);
    ViewSpace space;
    space.body = {(sweep_pad + sweep_gutter) * u, sweep_head * u,
                  std::max(1.0f, input.width - (2 * sweep_pad + sweep_gutter) * u),
                  std::max(1.0f, input.height - (sweep_head + sweep_foot) * u)};
    space.across = true;
    if (const SweepTree* tree = sweep_tree_at(input.document, step_of(input)))
      space.max_zoom = std::max(1.0, double(tree->leaves) * double(64 * u) / double(space.body.w));
    space.viewport = input.viewport;
    return space;
  }
  void paint(const DiagramInput& input, const ViewSpace& space, Scene& scene) const override {
    SweepFrame(input, scene, space, *sweep_tree_at(input.document, step_of(input))).draw();
  }
  std::optional<Box> place(const DiagramInput& input, std::uint64_t step) const override {
    const SweepTree* tree = sweep_tree_at(input.document, step);
    const auto made = tree ? tree->made_by(step) : std::nullopt;
    if (!made) return {};
    const SweepNode& node = tree->node(made->first, made->second);
    const double leaves = double(tree->leaves), rows = double(tree->rows.size());
    return Box{static_cast<float>(double(node.first) / leaves), static_cast<float>(made->first / rows),
               static_cast<float>(double(node.end - node.first) / leaves), static_cast<float>(1 / rows)};
  }

 private:
  static std::uint64_t step_of(const DiagramInput& input) {
    return std::min(input.cursor.step, input.document.info().steps);
  }
};

}  // namespace

std::unique_ptr<const View> sweep_view() { return std::make_unique<SweepView>(); }

}  // namespace twiddle
