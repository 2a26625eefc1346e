#include "viewer/butterfly/butterfly_frame.h"

#include <algorithm>

namespace twiddle {

ButterflyFrame::ButterflyFrame(const DiagramInput& input_, const ButterflyLayout& layout_, Scene& scene_)
    : Ink{input_.scale},
      Links(input_.document, input_.cursor, input_.hide_next),
      input(input_),
      flow(input_.document.flow()),
      layout(layout_),
      scene(scene_) {
  const std::uint64_t steps = flow.info().steps, step = std::min(input.cursor.step, steps);
  const auto segment_of = [&](std::uint64_t at) { return static_cast<int>(input.document.replay->segment_of(at)); };
  if (input.hide_next) {
    if (step < steps) asked_segment = segment_of(step + 1), asked = flow.operation(step + 1, true);
    // Which element an atomic operation takes is the whole answer.
    if (asked && asked->kind == OperationKind::Atomic) asked.reset();
  } else {
    cone = cone_at(input.document, input.cursor);
    places = needed_places(input.document);
    // Yellow is what changed, as long as that is shown.
    const bool changes = input.live && input.live->changes;
    if (step > 0 && !changes) now_segment = segment_of(step), now = flow.operation(step, !layout.shows_lines());
    turn = turn_of(input);
  }
}

void ButterflyFrame::read_views() {
  if (!layout.shows_lines()) return;
  const int first = std::max(layout.first_column, layout.visible_first - 1);
  const int last = std::min(layout.visible_last, flow.segment_count() - 1);
  for (int s = first; s <= last; ++s) {
    SegmentView view;
    view.segment = s;
    // Where few wires only pass by, they are drawn too.
    Rows rows = layout.visible_rows;
    const float across = static_cast<float>(layout.column_pitch) - layout.node_width - layout.lead - layout.tail;
    if (const auto formula = flow.regular(s); formula && static_cast<float>(formula->stride) * 4 * scale <= across) {
      rows.first = rows.first > formula->span ? rows.first - formula->span : 0;
      rows.end = std::min(flow.rows(), rows.end + formula->span);
    }
    view.complete = flow.operations(
        s, rows, [&](const Operation& op) { view.operations.push_back(flow.with_loads(op)); },
        layout.detail != RowDetail::Values);
    views.push_back(std::move(view));
  }
}

const SegmentView* ButterflyFrame::view(int segment) const {
  for (const SegmentView& v : views)
    if (v.segment == segment) return &v;
  return nullptr;
}

Tense ButterflyFrame::tense(const Operation& operation) const {
  if (turn ? turn->holds(operation.step) : now && operation.step == now->step) return Tense::Now;
  return flow.is_done(operation.step) ? Tense::Done : Tense::Future;
}

bool ButterflyFrame::in_cone(int column, std::uint64_t row) const {
  if (cone == nullptr || static_cast<std::size_t>(column) >= cone->elements.size()) return false;
  const auto& rows = cone->elements[column];
  return std::binary_search(rows.begin(), rows.end(), row);
}

bool ButterflyFrame::in_cone(const Operation& operation) const {
  return cone != nullptr && std::binary_search(cone->steps.begin(), cone->steps.end(), operation.step);
}

bool ButterflyFrame::changed(int column, std::uint64_t row) const {
  if (!input.live || !input.live->changes) return false;
  const auto place = flow.place(column, row);
  if (!place) return false;
  const std::uint64_t count = flow.info().buffers[static_cast<std::size_t>(place->buffer)].count;
  return input.live->changes->element(place->buffer, place->group * count + place->index, column - 1);
}

bool ButterflyFrame::changed(const Operation& operation) const {
  return input.live && input.live->changes && operation.step <= input.cursor.step &&
         input.live->changes->step(operation.step);
}

std::optional<std::uint64_t> ButterflyFrame::row_in(int column, const Access& access, const Operation& op) const {
  return flow.shows(column, access) ? flow.row_of(access, op) : std::nullopt;
}

std::optional<float> ButterflyFrame::y_of(int column, const Access& access, const Operation& operation) const {
  const auto row = row_in(column, access, operation);
  return row ? std::optional(layout.row_y(*row)) : std::nullopt;
}

int ButterflyFrame::now_input(int column, std::uint64_t row) const {
  if (column != now_segment) return -1;
  for (const Operation& one : all_now())
    for (int i = 0; i < (turn ? turn->moment.reads : one.reads.size()); ++i)
      if (row_in(column, one.reads[i], one) == row) return i;
  return -1;
}

std::span<const Operation> ButterflyFrame::all_now() const {
  if (turn) return turn->operations;
  return now ? std::span(&*now, 1) : std::span<const Operation>();
}

bool ButterflyFrame::of_turn(int column, std::uint64_t row) const {
  // Swaps that are folded into the row labels read from the column that they write to.
  const bool folded = now_segment < layout.first_column;
  if (!turn || column != now_segment + (turn->access.write || folded ? 1 : 0)) return false;
  return std::any_of(turn->operations.begin(), turn->operations.end(),
                     [&](const Operation& one) { return row_in(column, access_in(one, turn->access), one) == row; });
}

bool ButterflyFrame::to_be_written(int column, std::uint64_t row) const {
  if (!turn || column != now_segment + 1) return false;
  for (const Operation& one : turn->operations)
    for (int w = turn->moment.writes; w < one.writes.size(); ++w)
      if (row_in(column, one.writes[w], one) == row) return true;
  return false;
}

bool ButterflyFrame::now_output(int column, std::uint64_t row) const {
  if (turn) return turn->access.write && of_turn(column, row);
  if (!now || column != now_segment + 1) return false;
  return std::any_of(now->writes.begin(), now->writes.end(),
                     [&](const Access& write) { return row_in(column, write, *now) == row; });
}

}  // namespace twiddle
