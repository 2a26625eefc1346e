// The butterfly diagram: columns are the state after each segment, rows are indices, wires are what was logged.
#include "base/counted.h"
#include "base/message.h"
#include "viewer/butterfly/butterfly_frame.h"
#include "viewer/views/view.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/value_text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace twiddle {
namespace {

/// "4 096 atomics and 256 moves": what a trace without butterflies holds instead.
std::string what_there_is(const TraceInfo& info) {
  std::map<OperationKind, std::uint64_t> counts;
  for (const Segment& segment : info.segments) counts[segment.kind] += segment.count;
  std::string text;
  std::size_t left = counts.size();
  for (const auto& [kind, count] : counts) {
    const std::string more = operations_text(kind, count);
    text = !text.empty() && left == 1 ? text + tr(" and ") + more : listed(text, more);
    --left;
  }
  return text;
}

Scene no_butterflies(const DiagramInput& input) {
  const TraceInfo& info = input.document.info();
  if (info.steps == 0)
    return message_scene(input.theme, input.width, input.height, input.scale, tr("This trace has no operations"),
                         tr("Nothing was logged: the kernels have no trace lines, or a filter left everything out."));
  return message_scene(
      input.theme, input.width, input.height, input.scale, tr("This trace has no butterflies"),
      tr("It holds {}. What is drawn here are kernels with TRACE_BUTTERFLY lines.", what_there_is(info)));
}

std::string description(const ButterflyFrame& frame) {
  const TraceInfo& info = frame.flow.info();
  std::string text =
      tr("{} rows in {} columns. Step {} of {}.", count_text(frame.flow.rows()), frame.flow.columns().size(),
         count_text(std::min(frame.input.cursor.step, info.steps)), count_text(info.steps));
  if (frame.now) text += tr(" Now: {}.", operation_label(frame, *frame.now));
  return text;
}

/// Predict mode: where the next operation begins, and who does it.
void draw_question(ButterflyFrame& frame) {
  const ButterflyLayout& l = frame.layout;
  if (!frame.asked || frame.asked->reads.empty()) return;
  const auto row = frame.flow.row_of(frame.asked->reads[0], *frame.asked);
  if (!row || *row < l.visible_rows.first || *row >= l.visible_rows.end) return;
  Scene& scene = frame.scene;
  const float y = l.row_y(*row);
  scene.set_layer(layer::tags);
  if (frame.asked_segment < l.first_column) {  // the folded swaps: which row does this one change places with?
    const float r = frame.theme().badge_radius * frame.scale, x = l.left(l.first_column) - 0.6f * r;
    if (y - r >= l.body.y && y + r <= l.body.bottom() && x > l.body.x)
      draw_badge(scene, frame.theme(), frame.scale, {x, y}, Badge::Question, r);
    return;
  }
  const float left = l.right(frame.asked_segment), r = frame.theme().badge_radius * 1.5f * frame.scale;
  const float x = left + 12 * frame.scale + r;
  if (!l.body.contains({x - r, y - r}) || !l.body.contains({x + r, y + r})) return;  // it would be cut
  draw_badge(scene, frame.theme(), frame.scale, {x, y}, Badge::Question, r);
  const Font& font = l.mono_caption_font;
  const std::string who = tr("item {}", frame.asked->item);
  const float from = x + r + 6 * frame.scale, room = l.left(frame.asked_segment + 1) - from - 4 * frame.scale;
  if (l.detail == RowDetail::Values && text_width(font, who) <= room)
    scene.text({from, baseline(font, y)}, who, font, Role::Ink);
  scene.push_clip(l.body);
  scene.set_layer(layer::halo);
  scene.line({left, y}, {x, y}, {Role::Now, frame.theme().halo * frame.scale});
  scene.set_layer(layer::now);
  scene.line({left, y}, {x, y}, {Role::Ink, frame.theme().wire_now * frame.scale});
  scene.pop_clip();
}

void begin_frame(const DiagramInput& input, double patience_ms) {
  Flow& flow = input.document.flow();
  flow.begin_frame(std::min(input.cursor.step, flow.info().steps), patience_ms, turn_of(input));
}

class ButterflyView : public View {
 public:
  ButterflyView()
      : View("butterfly", translatable("Butterfly"), "columns of states, rows of indices, wires as logged") {}
  bool has(Document& document) const override { return document.flow().has_butterflies(); }
  Scene draw(const DiagramInput& input) const override;
  /// An element of a state strip, where a pixel stands for many rows; its label is as long as a tooltip.
  std::optional<MarkText> element_at(const DiagramInput& input, Point p) const override;
  Viewport zoomed(const DiagramInput& input, Point about, double factor) const override;
  Viewport moved(const DiagramInput& input, Point by) const override;
  Viewport showing(const DiagramInput& input, std::uint64_t step) const override;
  /// Column and row.
  Point anchor(const DiagramInput& input, Point p) const override;
  Point anchored(const DiagramInput& input, Point at) const override;
};

Scene ButterflyView::draw(const DiagramInput& input) const {
  Flow& flow = input.document.flow();
  if (!flow.draws() || flow.rows() == 0) return no_butterflies(input);

  begin_frame(input, input.patience_ms);
  const ButterflyLayout& layout = butterfly_layout(input);
  Scene scene;
  scene.width = input.width, scene.height = input.height;
  scene.language = input.language;
  ButterflyFrame frame(input, layout, scene);
  frame.read_views();
  scene.title = tr("Butterfly diagram of {}", title_of(flow.info()));
  scene.description = description(frame);

  if (layout.shows_lines()) {
    draw_wires(frame);
    draw_ideal_wires(frame);
  } else {
    draw_overview(frame);
  }
  if (layout.detail == RowDetail::Values || layout.detail == RowDetail::Nodes) {
    draw_nodes(frame);
  } else {
    draw_strips(frame);
  }
  draw_error_marks(frame);
  draw_question(frame);
  draw_row_labels(frame);
  draw_butterfly_heads(frame);
  draw_costs(frame);
  scene.unfinished = scene.unfinished || flow.incomplete();
  return scene;
}

std::optional<MarkText> ButterflyView::element_at(const DiagramInput& input, Point p) const {
  Flow& flow = input.document.flow();
  if (!flow.draws() || flow.rows() == 0) return {};
  begin_frame(input, input.patience_ms);
  const ButterflyLayout& layout = butterfly_layout(input);
  if (!layout.body.contains(p)) return {};
  const int column = layout.first_column + static_cast<int>(std::lround(column_at(layout, p.x)));
  if (column < layout.first_column || column > flow.segment_count()) return {};
  if (std::abs(p.x - layout.column_x(column)) > layout.node_width / 2 + 3 * input.scale) return {};
  const double at = row_at(layout, p.y);
  if (at < 0 || at >= static_cast<double>(flow.rows())) return {};
  const auto row = static_cast<std::uint64_t>(at);
  const auto place = flow.place(column, row);
  if (!place) return {};
  Scene unused;
  ButterflyFrame frame(input, layout, unused);
  MarkText found{element_mark(place->buffer, column - 1, row), element_label(frame, column, row)};
  if (layout.row_pitch < 1)
    found.label +=
        tr("; {} rows share this pixel", count_text(static_cast<std::uint64_t>(std::ceil(1 / layout.row_pitch))));
  return found;
}

Viewport ButterflyView::zoomed(const DiagramInput& input, Point about, double factor) const {
  const ButterflyLayout before = butterfly_layout(input);
  const double row = row_at(before, about.y), column = column_at(before, about.x) + before.first_column;
  Viewport viewport = input.viewport;
  viewport.zoom = std::clamp(viewport.zoom * factor, 1.0, before.max_zoom);
  DiagramInput next = input;
  next.viewport = viewport;
  const ButterflyLayout& after = butterfly_layout(next);
  return viewport_for(next, after, row, about.y, column - after.first_column, about.x);
}

Viewport ButterflyView::moved(const DiagramInput& input, Point by) const {
  const ButterflyLayout& layout = butterfly_layout(input);
  const Point middle = layout.body.centre();
  return viewport_for(input, layout, row_at(layout, middle.y - by.y), middle.y, column_at(layout, middle.x - by.x),
                      middle.x);
}

Point ButterflyView::anchor(const DiagramInput& input, Point p) const {
  if (!input.document.flow().draws()) return View::anchor(input, p);
  const ButterflyLayout& layout = butterfly_layout(input);
  return {static_cast<float>(column_at(layout, p.x) + layout.first_column), static_cast<float>(row_at(layout, p.y))};
}

Point ButterflyView::anchored(const DiagramInput& input, Point at) const {
  if (!input.document.flow().draws()) return View::anchored(input, at);
  const ButterflyLayout& layout = butterfly_layout(input);
  const double x = layout.first_column_x + (double(at.x) - layout.first_column) * layout.column_pitch;
  const double y = layout.first_row_y + (double(at.y) - 0.5) * layout.row_pitch;
  return {static_cast<float>(x), static_cast<float>(y)};
}

Viewport ButterflyView::showing(const DiagramInput& input, std::uint64_t step) const {
  Flow& flow = input.document.flow();
  if (!flow.draws() || step < 1 || step > flow.info().steps) return input.viewport;
  begin_frame(input, 1e9);
  const auto op = flow.operation(step, true);
  if (!op) return input.viewport;
  const ButterflyLayout& layout = butterfly_layout(input);
  const int segment = static_cast<int>(input.document.replay->segment_of(step));
  std::optional<Rows> rows;
  for (const auto* list : {&op->reads, &op->writes})
    for (const Access& access : *list)
      if (const auto row = flow.row_of(access, *op))
        rows = rows ? Rows{std::min(rows->first, *row), std::max(rows->end, *row + 1)} : Rows{*row, *row + 1};
  if (!rows) return input.viewport;

  const Point middle = layout.body.centre();
  double row = row_at(layout, middle.y), column = column_at(layout, middle.x);
  const double half = layout.body.h / 2 / layout.row_pitch;
  const auto first = static_cast<double>(rows->first), end = static_cast<double>(rows->end);
  if (first < row - half || end > row + half) row = end - first <= 2 * half ? (first + end) / 2 : first + half - 0.5;
  const double wanted = segment - layout.first_column;  // the columns left and right of the segment
  const double half_across = (layout.body.w - layout.node_width) / 2 / layout.column_pitch;
  if (wanted < column - half_across || wanted + 1 > column + half_across) column = wanted + 0.5;
  return viewport_for(input, layout, row, middle.y, column, middle.x);
}

}  // namespace

std::unique_ptr<const View> butterfly_view() { return std::make_unique<ButterflyView>(); }

}  // namespace twiddle
