// The recursion tree of a fast Fourier transform: every node is the transform of every n-th input; its children are those of
// its even and its odd inputs (of every r-th, for radix r). Leaves left, the whole right, as the kernels build it.
#include "base/message.h"
#include "viewer/graphs/tree_shape.h"
#include "viewer/views/cost_strips.h"
#include "viewer/views/view_frame.h"
#include "viewer/views/view_space.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/twiddle_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

constexpr float tree_pad = 16, tree_head_height = 58, tree_foot_height = 34, min_node = 15, max_leaf = 56, bar_node = 3;
constexpr float max_width = 190, link_share = 0.34f;
constexpr float low_tree = 260, low_head_height = 32,
                low_foot_height = 4;  // a pane so low has no room for counts and a legend

/// Heights above and below the tree, in layout units.
struct TreeSizes {
  float head = tree_head_height, foot = tree_foot_height;
  bool low() const { return foot < tree_foot_height; }
};

TreeSizes tree_sizes(const DiagramInput& input) {
  return input.height < low_tree * view_scale(input) ? TreeSizes{low_head_height, low_foot_height} : TreeSizes{};
}

StripRows tree_strips(const DiagramInput& input) {
  constexpr float max_share = 0.2f;
  for (const bool low : {false, true}) {
    const StripRows strips = strip_rows(input, low);
    const float height = strips.height(input);
    // A pane that would be low for them keeps its counts and its legend.
    if (height <= max_share * input.height && input.height - height >= low_tree * view_scale(input)) return strips;
  }
  return {};
}

class TreeFrame {
 public:
  TreeFrame(const DiagramInput& input, Scene& scene, const ViewSpace& space, const TreeShape& shape)
      : f_(input, scene), space_(space), shape_(shape), levels_(static_cast<int>(shape.levels.size())) {
    pitch_ = space.body.w / static_cast<float>(levels_);
    width_ = std::min(pitch_ * (1 - link_share), f_.px(max_width));
    if (f_.now) now_ = node_of(f_.document, shape_, *f_.now);
  }

  void draw() {
    f_.scene.title = tr("Recursion tree of {}", title_of(f_.info));
    f_.scene.push_clip({0, space_.body.y, f_.scene.width, space_.body.h});
    for (int level = 0; level < levels_; ++level) draw_level(level);
    f_.scene.pop_clip();
    heads();
    const StripRows strips = tree_strips(f_.input);
    const float below = strips.height(f_.input);
    if (!tree_sizes(f_.input).low())
      legend_.draw(f_, f_.px(tree_pad), f_.scene.width - f_.px(tree_pad),
                   f_.scene.height - below - f_.px(tree_foot_height / 2));
    std::vector<StripColumn> columns;
    for (int level = 0; level < levels_; ++level)
      if (level_of(level).segment >= 0)
        columns.push_back({level_of(level).segment, left(level) + width_ / 2, pitch_ - f_.px(6)});
    draw_cost_strips(f_.input, strips, {0, f_.scene.height - below, f_.scene.width, below},
                     space_.body.x + pitch_ - f_.px(10), columns, f_.scene);
  }

 private:
  ViewFrame f_;
  const ViewSpace& space_;
  const TreeShape& shape_;
  int levels_;
  float pitch_ = 0, width_ = 0;  // px of a level; of its nodes
  std::optional<TreeNode> now_;
  Legend legend_;

  const TreeLevel& level_of(int level) const { return shape_.levels[level]; }
  float left(int level) const { return space_.body.x + pitch_ * static_cast<float>(level) + (pitch_ - width_) * 0.5f; }

  /// Room for a node at a place among its level's, in px.
  Box slot(int level, std::uint64_t place) const {
    const double count = double(level_of(level).nodes);
    const float top = space_.y(double(place) / count), bottom = space_.y(double(place + 1) / count);
    return {left(level), top, width_, bottom - top};
  }
  Box node_box(int level, std::uint64_t place) const {
    Box box = slot(level, place);
    const float air = std::min(f_.px(8), box.h * 0.18f), height = std::min(box.h - air, f_.px(max_leaf));
    return {box.x, box.centre().y - height / 2, box.w, height};
  }

  void heads() {
    for (int level = 0; level < levels_; ++level) {
      const TreeLevel& of = level_of(level);
      const bool now = now_ && now_->level == level;
      const float x = left(level) + width_ / 2;
      const Role ink = now ? Role::Ink : of.segment < 0 || f_.begun(of.segment) ? Role::Ink2 : Role::Ink3;
      const std::string name = of.segment < 0 ? tr("inputs") : f_.facts.segment_names[of.segment];
      f_.first_fitting(x, f_.px(20), {name, of.segment < 0 ? "in" : std::to_string(level)},
                       f_.sans(13, now ? Weight::SemiBold : Weight::Regular), ink, pitch_ - f_.px(6), Anchor::Middle);
      if (tree_sizes(f_.input).low()) continue;
      f_.first_fitting(x, f_.px(38), {fmt::format("{} × {}", of.nodes, of.points), fmt::format("{}", of.points)},
                       f_.mono(11), ink, pitch_ - f_.px(6), Anchor::Middle);
    }
  }

  void draw_level(int level) {
    const TreeLevel& of = level_of(level);
    const double first_v = space_.first_v(), last_v = first_v + space_.height_v();
    const auto first = std::min(of.nodes - 1, static_cast<std::uint64_t>(first_v * double(of.nodes)));
    const auto last = std::min(of.nodes, static_cast<std::uint64_t>(std::ceil(last_v * double(of.nodes))));
    const float height = slot(level, first).h;
    if (height < f_.px(bar_node)) {
      tone(level);
      return;
    }
    for (std::uint64_t place = first; place < last; ++place) {
      if (level > 0 && height >= f_.px(8)) links(level, place);
      node(level, place);
    }
  }

  /// Where a level's nodes are too close: how much of it is done, from the top.
  void tone(int level) {
    const TreeLevel& of = level_of(level);
    const float top = std::max(space_.y(0), space_.body.y), bottom = std::min(space_.y(1), space_.body.bottom());
    const double done = of.segment < 0 ? 1 : level_done(of);
    const Box box{left(level), top, width_, bottom - top};
    f_.scene.rect(box, Role::Canvas, {Role::Future, f_.thin()});
    if (done > 0) {
      const float to = std::clamp(space_.y(done), top, bottom);
      f_.scene.rect({box.x, top, box.w, to - top}, Role::DoneSoft, {Role::Done, f_.thin()});
      add_done();
    }
    if (now_ && now_->level == level) {
      const float y = space_.y((double(now_->place) + 0.5) / double(of.nodes));
      f_.scene.rect({box.x - f_.px(3), y - f_.px(2), box.w + f_.px(6), f_.px(4)}, Role::Now, {Role::Ink, f_.px(1.5f)});
      add_now();
    }
  }
  double level_done(const TreeLevel& of) const {
    const Segment& segment = f_.info.segments[of.segment];
    const std::uint64_t step = f_.flow.step();
    if (step + 1 >= segment.end_step()) return 1;
    return step < segment.first_step ? 0 : double(step - segment.first_step + 1) / double(segment.count);
  }

  Tense tense(int level, std::uint64_t place, double& done) const {
    const TreeLevel& of = level_of(level);
    done = of.segment < 0 ? 1 : node_done(f_.document, shape_, level, place, f_.flow.step());
    if (now_ && now_->level == level && now_->place == place) return Tense::Now;
    return done >= 1 ? Tense::Done : Tense::Future;
  }

  /// From a node's children to it; the even one solid, the odd ones, which are multiplied, dashed.
  void links(int level, std::uint64_t place) {
    const std::uint64_t radix = level_of(level - 1).nodes / level_of(level).nodes;
    const Box to = node_box(level, place);
    double done = 0;
    const Tense when = tense(level, place, done);
    const bool happened = done > 0;
    if (!happened && !f_.shows_future()) return;
    for (std::uint64_t child = 0; child < radix; ++child) {
      const Box from = node_box(level - 1, place * radix + child);
      const Role role = when == Tense::Now ? (child == 0 ? Role::A : Role::B) : happened ? Role::Done : Role::Future;
      const float width = when == Tense::Now ? f_.input.theme.wire_now
                          : happened         ? f_.input.theme.wire_done
                                             : f_.input.theme.wire_future;
      const Point a{from.right(), from.centre().y}, b{to.x, to.centre().y};
      Stroke stroke{role, width * f_.input.scale};
      if (child > 0) stroke.dash_on = f_.px(7), stroke.dash_off = f_.px(5);
      if (when == Tense::Now) f_.scene.line(a, b, {Role::Now, f_.input.theme.halo * f_.input.scale});
      f_.scene.line(a, b, stroke);
    }
    legend_.line(radix == 2 ? tr("even inputs") : tr("first of every four inputs"), {Role::Done, f_.px(1.75f)});
    legend_.line(radix == 2 ? tr("odd inputs, times w") : tr("the others, times w"),
                 {Role::Done, f_.px(1.75f), f_.px(7), f_.px(5)});
  }

  /// x[r], x[r + d], … as people write it: "x[1]", "x[0], x[4]", "x[1::4]".
  std::vector<std::string> names(int level, std::uint64_t place) const {
    const TreeLevel& of = level_of(level);
    const std::uint64_t first = first_input(shape_, level, place), distance = of.nodes;
    const std::string x = shape_.input;
    if (of.points == 1) return {fmt::format("{}[{}]", x, first), std::to_string(first)};
    std::vector<std::string> forms;
    if (of.points <= 4) {
      std::string all;
      for (std::uint64_t n = 0; n < of.points; ++n)
        all += fmt::format("{}{}[{}]", n > 0 ? ", " : "", x, first + n * distance);
      forms.push_back(all);
    }
    if (distance == 1)
      forms.push_back(tr("all of {}", x));
    else
      forms.push_back(fmt::format("{}[{}], {}[{}], …", x, first, x, first + distance));
    forms.push_back(fmt::format("{}[{}::{}]", x, first, distance));
    return forms;
  }

  void node(int level, std::uint64_t place) {
    const TreeLevel& of = level_of(level);
    double done = 0;
    const Tense when = tense(level, place, done);
    if (!f_.shows_future() && done <= 0) return;
    const Box box = node_box(level, place);
    const bool even = level + 1 < levels_ && place % (of.nodes / level_of(level + 1).nodes) == 0;
    const std::string title =
        fmt::format("{}: {}", plural(of.points, "{} point", "{} points"), names(level, place).back());
    Mark mark{.kind = MarkKind::Segment,
              .segment = of.segment,
              .index = place,
              .step = of.segment < 0 ? 0 : node_first_step(f_.document, shape_, level, place)};
    if (level == 0) mark = element_mark(shape_.input_buffer, -1, first_input(shape_, 0, place));
    f_.scene.begin_mark(
        mark, of.segment < 0
                  ? title
                  : title + "\n" + tr("{:.0f} % of its butterflies are done", 100 * done) +
                        (level + 1 < levels_ ? std::string("\n") + (even ? tr("the even half of its parent")
                                                                         : tr("multiplied by w for its parent"))
                                             : std::string()));
    const float radius = std::min(f_.px(4), box.h / 3);
    const bool lit = level == 0 && (f_.lit_element(shape_.input_buffer, mark.index) > 0 || input_in_cone(mark.index));
    if (when == Tense::Now) {
      f_.scene.rect(box, Role::NowSoft, {Role::Ink, f_.px(2.5f)}, radius);
      add_now();
    } else if (when == Tense::Done) {
      f_.scene.rect(box, Role::Raised, {Role::Done, f_.px(1.25f)}, radius);
      if (box.h < f_.px(min_node)) f_.scene.rect(box, Role::DoneSoft, {Role::Done, f_.thin()}, radius);
      add_done();
    } else {
      f_.scene.rect(box, Role::Raised, {Role::Future, f_.thin()}, radius);
      legend_.box(tr("pending"), Role::Raised, {Role::Future, f_.thin()}, f_.px(2));
    }
    // How far it is: a bar along the lower edge.
    if (of.segment >= 0 && done > 0 && (done < 1 || when == Tense::Now) && box.h >= f_.px(10)) {
      const float thick = f_.px(4);
      f_.scene.rect(
          {box.x + f_.px(3), box.bottom() - thick - f_.px(3), (box.w - f_.px(6)) * static_cast<float>(done), thick},
          Role::Done);
    }
    words(level, place, box, when, done);
    f_.outline(box, radius, lit ? 2 : 0);
    f_.scene.end_mark();
  }

  /// Whether an input went into the element that is hovered or pinned.
  bool input_in_cone(std::uint64_t index) const {
    return f_.cone && !f_.cone->elements.empty() && f_.flow.columns()[0].buffer == shape_.input_buffer &&
           std::binary_search(f_.cone->elements[0].begin(), f_.cone->elements[0].end(), index);
  }

  void words(int level, std::uint64_t place, const Box& box, Tense when, double done) {
    if (box.h < f_.px(min_node)) return;
    const TreeLevel& of = level_of(level);
    const Role ink = when == Tense::Future ? Role::Ink3 : Role::Ink;
    const Font font = f_.mono(box.h >= f_.px(24) ? 12 : 11);
    const bool two = box.h >= f_.px(40) && of.segment >= 0;
    for (const Font& tried : {font, f_.mono(11)})
      if (f_.first_fitting(box.centre().x, box.centre().y - (two ? f_.px(9) : 0), names(level, place), tried, ink,
                           box.w - f_.px(8), Anchor::Middle))
        break;
    if (!two) return;
    const std::uint64_t all = of.butterflies, count = static_cast<std::uint64_t>(std::llround(done * double(all)));
    f_.first_fitting(box.centre().x, box.centre().y + f_.px(8),
                     {tr("{} of {} butterflies", count, all), fmt::format("{}/{}", count, all)}, f_.sans(11),
                     when == Tense::Future ? Role::Ink3 : Role::Ink2, box.w - f_.px(8), Anchor::Middle);
  }

  void add_done() { legend_.box(tr("done"), Role::Raised, {Role::Done, f_.px(1.25f)}, f_.px(2)); }
  void add_now() { legend_.box(tr("at work"), Role::NowSoft, {Role::Ink, f_.px(2)}, f_.px(2)); }
};

class TreeView : public ZoomedView {
 public:
  TreeView() : ZoomedView("tree", translatable("Tree"), "the divide and conquer of a transform, or of a reduction") {}
  bool has(Document& document) const override { return reduces(document) || tree_shape(document) != nullptr; }

  Scene draw(const DiagramInput& input) const override {
    return reduces(input.document) ? butterfly().draw(input) : ZoomedView::draw(input);
  }
  Viewport zoomed(const DiagramInput& input, Point about, double factor) const override {
    return reduces(input.document) ? butterfly().zoomed(input, about, factor)
                                   : ZoomedView::zoomed(input, about, factor);
  }
  Viewport moved(const DiagramInput& input, Point by) const override {
    return reduces(input.document) ? butterfly().moved(input, by) : ZoomedView::moved(input, by);
  }
  Viewport showing(const DiagramInput& input, std::uint64_t step) const override {
    return reduces(input.document) ? butterfly().showing(input, step) : ZoomedView::showing(input, step);
  }
  std::optional<MarkText> element_at(const DiagramInput& input, Point p) const override {
    return reduces(input.document) ? butterfly().element_at(input, p) : std::nullopt;
  }

 protected:
  /// Draws reductions, whose tree is their rows and wires.
  static const View& butterfly() { return *view_named("butterfly"); }
  static bool reduces(Document& document) {
    return document.flow().has_combines() && !document.flow().has_butterflies();
  }
  ViewSpace space(const DiagramInput& input) const override {
    const float u = view_scale(input);
    const TreeSizes sizes = tree_sizes(input);
    const Box body{tree_pad * u, sizes.head * u, input.width - 2 * tree_pad * u,
                   std::max(1.0f, input.height - (sizes.head + sizes.foot) * u - tree_strips(input).height(input))};
    const TreeShape* shape = tree_shape(input.document);
    const double leaves = shape ? double(shape->levels[0].nodes) : 0;
    return {input, body, false, true, leaves * double(max_leaf * u) / double(body.h)};
  }
  void paint(const DiagramInput& input, const ViewSpace& space, Scene& scene) const override {
    TreeFrame(input, scene, space, *tree_shape(input.document)).draw();
  }
  std::optional<Box> place(const DiagramInput& input, const Operation& operation) const override {
    const TreeShape* shape = tree_shape(input.document);
    if (!shape) return {};
    const auto node = node_of(input.document, *shape, operation);
    if (!node) return {};
    const double nodes = double(shape->levels[node->level].nodes);
    return Box{0, static_cast<float>(double(node->place) / nodes), 1, static_cast<float>(1 / nodes)};
  }
};

}  // namespace

std::unique_ptr<const View> tree_view() { return std::make_unique<TreeView>(); }

}  // namespace twiddle
