// The ideal beside the logged: where a finding names the partner that a butterfly should have had, its wires are drawn as they
// should run, dotted, and the partner is ringed.
#include "viewer/butterfly/butterfly_frame.h"
#include "viewer/facts/findings.h"

namespace twiddle {

void draw_error_marks(ButterflyFrame& frame) {
  constexpr std::size_t max_marks = 64;
  const auto& facts = frame.input.document.facts;
  if (!facts || frame.input.hide_next || frame.input.document.findings_kept_back) return;
  const ButterflyLayout& layout = frame.layout;
  const float size = 13 * frame.scale * frame.theme().floor / theme(ThemeName::Light).floor;
  std::size_t drawn = 0;
  for (const TraceNote& note : facts->notes) {
    if (note.severity != Severity::Error || !note.finding || note.step < 1 || note.step > frame.flow.info().steps)
      continue;
    if (++drawn > max_marks) break;
    const int segment = static_cast<int>(frame.input.document.replay->segment_of(note.step));
    if (segment < layout.first_column || segment > layout.visible_last || segment + 1 < layout.visible_first) continue;
    const Mark mark{
        .kind = MarkKind::Finding, .index = static_cast<std::uint64_t>(&note - facts->notes.data()), .step = note.step};
    frame.scene.set_layer(layer::tags);
    frame.scene.begin_mark(mark, titled_text_of(note));
    const FindingClass kind = note.finding->kind;
    if (kind == FindingClass::Race) {
      // Where a barrier is missing: between what was written and the stage that reads it.
      const float x = layout.right(segment) + std::min(5 * frame.scale, 0.3f * layout.lead);
      const float top = layout.body.y, bottom = layout.body.bottom();
      if (x > layout.body.x && x < layout.body.right()) {
        const float thick = 3 * frame.scale;
        frame.scene.line({x, top}, {x, bottom}, {Role::Error, thick, 2.5f * thick, 1.6f * thick});
        draw_error_sign(frame.scene, frame.theme(), {x, top}, size);
      }
    } else if (layout.detail == RowDetail::Values || layout.detail == RowDetail::Nodes) {
      const auto op = frame.flow.operation(note.step, true);
      if (op && note.finding->element) {
        Access element;
        element.buffer = note.finding->buffer, element.index = *note.finding->element;
        const bool factor = kind == FindingClass::WrongTwiddle && layout.chips;
        const int column = factor ? segment : segment + 1;
        const auto row = frame.row_in(column, element, *op);
        if (row && *row >= layout.visible_rows.first && *row < layout.visible_rows.end &&
            column >= layout.first_column) {
          const float y = layout.row_y(*row);
          const Point at =
              factor ? Point{layout.right(column) + 10 * frame.scale + layout.chip_width, y - layout.chip_height / 2}
                     : Point{layout.right(column), y - layout.node_height / 2};
          if (layout.body.contains({at.x + size / 2, at.y}) && at.y - size / 2 > 0)
            draw_error_sign(frame.scene, frame.theme(), at, size);
        }
      }
    }
    frame.scene.end_mark();
  }
}

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
