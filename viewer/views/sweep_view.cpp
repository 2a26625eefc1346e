// The two sweeps of a work-efficient scan as a tree, from the trace's own operations: sums of two neighbours go up to a root,
// and what is before each node comes down again. Time runs from top to bottom: the inputs, the way up, the root, the way
// down. A node is as wide as the elements that it stands for.
#include "base/message.h"
#include "tracer/trace/item_words.h"
#include "viewer/graphs/sweep_tree.h"
#include "viewer/views/cost_strips.h"
#include "viewer/views/view_frame.h"
#include "viewer/views/view_space.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/segment_name.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace twiddle {
namespace {

// In layout units; the last two in px.
constexpr float sweep_pad = 16, sweep_head = 44, sweep_foot = 34, sweep_gutter = 104;
constexpr float sweep_node_width = 132, sweep_node_height = 46, min_drawn_node = 3, min_linked_node = 5;

class SweepFrame {
 public:
  SweepFrame(const DiagramInput& input, Scene& scene, const ViewSpace& space, const SweepTree& tree)
      : f_(input, scene), space_(space), tree_(tree), pitch_(space.body.h / static_cast<float>(tree.rows.size())) {
    if (f_.step > 0) now_ = tree_.made_by(f_.step);
  }

  void draw() {
    f_.scene.title = tr("Sweeps of {}", title_of(f_.info));
    const CostGutter gutter = cost_gutter(f_.input);
    const float title_end = f_.scene.width - gutter.width() - f_.px(sweep_pad);
    f_.title(f_.px(sweep_pad), title_end, f_.px(22), where(),
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
    costs(gutter);
    legend_.draw(f_, f_.px(sweep_pad), f_.scene.width - f_.px(sweep_pad), f_.scene.height - f_.px(sweep_foot / 2));
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
    if (f_.turn ? f_.turn->holds(node.step) : node.step == f_.step) return Tense::Now;
    return f_.flow.is_done(node.step) ? Tense::Done : Tense::Future;
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
    if (launch.groups() == 1) return tr("Launch {}, {}", tree_.launch, launch_name(launch));
    return tr("Launch {}, {}: {} {} of {}", tree_.launch, launch_name(launch), group_noun(f_.info), tree_.group,
              launch.groups());
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

  /// What the stage of each row asks memory for, beside it.
  void costs(const CostGutter& gutter) {
    const float height = std::min(pitch_, f_.px(sweep_node_height));
    std::vector<CostCell> cells;
    for (int row = 0; row < rows() && height >= f_.px(12); ++row)
      if (const int segment = row_of(row).segment; segment >= 0)
        cells.push_back({segment,
                         segment + 1,
                         f_.facts.segment_names[static_cast<std::size_t>(segment)],
                         {0, centre_y(row) - height / 2, 0, height}});
    if (!cells.empty()) draw_cost_gutter(f_.input, gutter, f_.scene.width - f_.px(2), f_.px(22), cells, f_.scene);
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
    legend_.line(tr("the left child's sum, added"), {Role::B, f_.px(1.75f), f_.px(5), f_.px(3)});
  }

  /// Where nodes are too narrow: how much of a row is done, from the left.
  void tone(int row) {
    const std::vector<SweepNode>& nodes = row_of(row).nodes;
    const Box first = node_box(row, 0);
    const float left = std::max(space_.x(0), space_.body.x), right = std::min(space_.x(1), space_.body.right());
    f_.scene.rect({left, first.y, right - left, first.h}, Role::Canvas, {Role::Future, f_.thin()});
    const auto done =
        std::count_if(nodes.begin(), nodes.end(), [&](const SweepNode& n) { return f_.flow.is_done(n.step); });
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
      add_swatch(tr("pending"), Role::Raised, Role::Future);
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

  void add_swatch(const char* text, Role fill, Role line) { legend_.box(text, fill, {line, f_.px(1.25f)}, f_.px(2)); }
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
    const Box body{(sweep_pad + sweep_gutter) * u, sweep_head * u,
                   std::max(1.0f, input.width - (2 * sweep_pad + sweep_gutter) * u - cost_gutter(input).width()),
                   input.height - (sweep_head + sweep_foot) * u};
    const SweepTree* tree = sweep_tree_at(input.document, step_of(input));
    return {input, body, true, false, tree ? double(tree->leaves) * double(64 * u) / double(body.w) : 1};
  }
  void paint(const DiagramInput& input, const ViewSpace& space, Scene& scene) const override {
    SweepFrame(input, scene, space, *sweep_tree_at(input.document, step_of(input))).draw();
  }
  std::optional<Box> place(const DiagramInput& input, const Operation& operation) const override {
    const SweepTree* tree = sweep_tree_at(input.document, operation.step);
    const auto made = tree ? tree->made_by(operation.step) : std::nullopt;
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
