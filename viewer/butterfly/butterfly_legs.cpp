// Butterflies of any radix: a node with its legs for each while rows are apart enough, and from further away a strip of the
// items in the middle of the pass, with the legs of a few of them.
#include "viewer/butterfly/butterfly_frame.h"

#include <algorithm>

namespace twiddle {
namespace {

// Px at scale 1.
constexpr float node_height = 24, node_text = 13, min_node_text = 11, min_radix_text = 9, strip_width = 10;
constexpr int max_lines = 384;  // of a pass that is drawn from far away

/// The rows that the items of a pass are a strip beside: those that both columns have.
std::uint64_t rows_beside(const ButterflyFrame& frame, int segment) {
  std::uint64_t rows = frame.flow.rows();
  for (const int column : {segment, segment + 1})
    if (const int buffer = frame.flow.columns()[static_cast<std::size_t>(column)].buffer; buffer >= 0)
      rows = std::min(rows, frame.flow.rows_of(buffer));
  return std::max<std::uint64_t>(rows, 1);
}

struct Strip {
  float x = 0, top = 0, height = 0;
  float y(const Segment& segment, double done) const {
    return top + height * static_cast<float>(done / static_cast<double>(std::max<std::uint64_t>(segment.count, 1)));
  }
};

Strip strip_of(const ButterflyFrame& frame, int segment) {
  const ButterflyLayout& l = frame.layout;
  return {(l.right(segment) + l.left(segment + 1)) / 2, static_cast<float>(l.first_row_y - l.row_pitch / 2),
          static_cast<float>(static_cast<double>(rows_beside(frame, segment)) * l.row_pitch)};
}

}  // namespace

bool has_legs(const Operation& op) { return legs_of(op.shape).radix > 0; }

int legs_in(const ButterflyFrame& frame, int segment) {
  const Segment& of = frame.flow.segment(segment);
  if (of.kind != OperationKind::Butterfly || of.count == 0) return 0;
  const auto first = frame.flow.operation(of.first_step, true);
  return first ? legs_of(first->shape).radix : 0;
}

Point leg_node(const ButterflyFrame& frame, int segment, const Operation& op) {
  const Segment& of = frame.flow.segment(segment);
  const Strip strip = strip_of(frame, segment);
  const std::uint64_t before = op.step > of.first_step ? op.step - of.first_step : 0;
  return {strip.x, strip.y(of, static_cast<double>(before) + 0.5)};
}

void draw_legs(ButterflyFrame& frame, int segment, const Operation& op, const Stroke& stroke) {
  const ButterflyLayout& l = frame.layout;
  const Point node = leg_node(frame, segment, op);
  const auto line = [&](Point from, Point to) {
    if (const auto part = clipped({from, to}, l.body.inset(-8 * frame.scale))) {
      frame.scene.line(part->from, part->to, stroke);
    }
  };
  for (const Access& read : op.reads)
    if (const auto y = frame.y_of(segment, read, op)) line({l.right(segment), *y}, node);
  for (const Access& write : op.writes)
    if (const auto y = frame.y_of(segment + 1, write, op)) line(node, {l.left(segment + 1), *y});
}

void draw_leg_node(ButterflyFrame& frame, int segment, const Operation& op, Tense tense) {
  const ButterflyLayout& l = frame.layout;
  const float k = frame.scale;
  const Point at = leg_node(frame, segment, op);
  if (!l.body.contains(at)) return;
  const Segment& of = frame.flow.segment(segment);
  const float apart = strip_of(frame, segment).height / static_cast<float>(std::max<std::uint64_t>(of.count, 1));
  const bool now = tense == Tense::Now;
  const float height = now ? node_height * k : std::min(node_height * k, 0.8f * apart);
  if (height < 2 * k) return;
  const float size = std::min(node_text * k, 0.6f * height);
  const Font font{Face::Mono, now ? Weight::SemiBold : Weight::Regular, size};
  const Font small{Face::Mono, Weight::Regular, std::max(0.75f * size, min_radix_text * k)};
  const std::string radix = std::to_string(legs_of(op.shape).radix);
  const bool named = size >= min_node_text * k;
  const float words = text_width(font, "F") + text_width(small, radix);
  const float width = named ? words + 0.7f * height : std::min(height, strip_width * k);
  frame.scene.set_layer(now ? layer::now_nodes : layer::nodes);
  const Role role = now ? Role::Now : Role::Canvas;
  const Role edge = now ? Role::OnNow : tense == Tense::Done ? Role::Done : Role::Future;
  frame.scene.rect({at.x - width / 2, at.y - height / 2, width, height}, role, {edge, (now ? 2.0f : 1.0f) * k},
                   std::min(4 * k, height / 3));
  if (!named) return;
  const Role ink = now ? Role::OnNow : tense == Tense::Done ? Role::Ink : Role::Ink3;
  const float x = at.x - words / 2;
  frame.scene.text({x, baseline(font, at.y)}, "F", font, ink);
  frame.scene.text({x + text_width(font, "F"), baseline(font, at.y) + 0.25f * size}, radix, small, ink);
}

bool draw_leg_strip(ButterflyFrame& frame, int segment) {
  Flow& flow = frame.flow;
  const Segment& of = flow.segment(segment);
  const int radix = legs_in(frame, segment);
  if (radix == 0) return false;
  const ButterflyLayout& l = frame.layout;
  const float k = frame.scale;
  const Strip strip = strip_of(frame, segment);
  const std::uint64_t step = std::min(flow.step(), of.end_step() - 1);
  const std::uint64_t done = step >= of.first_step ? step - of.first_step + 1 : 0;
  const bool hidden = frame.hides_future(segment);
  // The legs of a few items, the same few at every position.
  const std::uint64_t drawn = std::min<std::uint64_t>(
      std::max<std::uint64_t>(static_cast<std::uint64_t>(max_lines / (2 * radix)), 4), of.count);
  for (std::uint64_t i = 0; i < drawn; ++i) {
    const std::uint64_t number = drawn < 2 ? 0 : i * (of.count - 1) / (drawn - 1);
    const auto op = flow.operation(of.first_step + number, true);
    if (!op || !has_legs(*op) || (hidden && number >= done)) continue;
    frame.scene.set_layer(number < done ? layer::tone : layer::future);
    draw_legs(frame, segment, *op, {number < done ? Role::Done : Role::Future, 0.6f * k});
  }
  const float top = std::max(strip.top, l.body.y), bottom = std::min(strip.top + strip.height, l.body.bottom());
  const float reached = std::clamp(strip.y(of, static_cast<double>(done)), top, std::max(top, bottom));
  if (bottom <= top) return true;
  const float x = strip.x - strip_width * k / 2;
  frame.scene.set_layer(layer::nodes);
  if (!hidden) frame.scene.rect({x, top, strip_width * k, bottom - top}, Role::Canvas, {Role::Future, k});
  if (reached > top) frame.scene.rect({x, top, strip_width * k, reached - top}, Role::Done);
  return true;
}

}  // namespace twiddle
