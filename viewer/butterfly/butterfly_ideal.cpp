// The ideal beside the logged: where a finding names the partner that a butterfly should have had, its wires are drawn as they
// should run, dotted, and the partner is ringed.
#include "viewer/butterfly/butterfly_frame.h"
#include "viewer/facts/findings.h"

namespace twiddle {

void draw_ideal_wires(ButterflyFrame& frame) {
  if (!frame.now || frame.now_segment < 0) return;
  const Operation& op = *frame.now;
  // A picture by itself is not kept waiting for checks: the window has asked for them before it draws.
  const auto& facts = frame.input.document.facts;
  const TraceNote* note = facts ? finding_at_step(*facts, op.step) : nullptr;
  if (!note || !note->finding->ideal || !note->finding->ideal->partner) return;
  Access partner;
  partner.buffer = note->finding->buffer;
  partner.index = *note->finding->ideal->partner;
  const ButterflyLayout& layout = frame.layout;
  if (frame.flow.columns()[frame.now_segment].buffer != partner.buffer) return;
  const std::optional<std::uint64_t> row = frame.flow.row_of(partner, op);
  if (!row) return;

  frame.scene.push_clip(layout.body);
  const float left = layout.right(frame.now_segment), right = layout.left(frame.now_segment + 1);
  const float y = layout.row_y(*row), thin = 2 * frame.scale;
  const Stroke dotted{Role::Error, thin, thin, 3 * thin};
  for (const Access& write : op.writes) {
    const std::optional<std::uint64_t> to = frame.flow.row_of(write, op);
    if (!to) continue;
    const Point from{left, y}, split{left + layout.lead, y};
    const Point join{right - layout.tail, layout.row_y(*to)}, end{right, layout.row_y(*to)};
    frame.scene.line(from, split, dotted);
    frame.scene.line(split, join, dotted);
    frame.scene.line(join, end, dotted);
  }
  const float out = 3 * frame.scale;
  frame.scene.rect({layout.left(frame.now_segment) - out, y - layout.node_height / 2 - out, layout.node_width + 2 * out,
                    layout.node_height + 2 * out},
                   Role::None, dotted, 6 * frame.scale);
  frame.scene.pop_clip();
}

}  // namespace twiddle
