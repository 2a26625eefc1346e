// Conditions to stop at, as rows of ticks under the scrub bar.
#include "base/message.h"
#include "viewer/input/stops.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/state/window_layout.h"
#include "viewer/words/twiddle_name.h"

#include <string>

namespace twiddle {

void stop_rows(const PanelContext& context, Scene& scene, const ScrubBar& bar, float top, float right) {
  if (bar.pieces().empty()) return;
  const float left = bar.pieces().front().box.x, end = bar.pieces().back().box.right();
  const std::vector<StopCondition>& stops = context.state.watch.stops;
  for (std::size_t n = 0; n < stops.size(); ++n) {
    const StopCondition& condition = stops[n];
    const float centre = top + context.px(stop_row_height) * (static_cast<float>(n) + 0.4f);
    const StopHits& hits = hits_of(context.document, condition, context.state.patience_ms / 4);
    if (!hits.complete) scene.unfinished = true;
    const Font letter = context.mono(11, condition.on ? Weight::SemiBold : Weight::Regular);
    const Role ink = condition.on ? Role::Ink : Role::Ink3;
    const std::string words = text_of(context.info(), condition);
    const Mark toggle = command_mark(Command::SwitchStop, n);
    std::string remarks, first_remark;
    for (const Message& remark : hits.remarks) {
      if (first_remark.empty()) first_remark = " · " + remark.translated();
      remarks += "\n" + remark.translated();
    }
    scene.begin_mark(toggle, (condition.on ? tr("stops when {}: a click turns it off", words)
                                           : tr("does not stop when {}: a click turns it on", words)) +
                                 remarks);
    scene.rect({left - context.px(26), centre - context.px(6), context.px(20), context.px(12)},
               is_hovered(context, toggle) ? Role::HoverSoft : Role::None, {}, context.px(2));
    label(scene, left - context.px(16), centre, std::string(1, static_cast<char>('A' + n)), letter, ink, context.px(16),
          Anchor::Middle);
    scene.end_mark();
    scene.line({left, centre}, {end, centre}, {Role::Line, context.thin()});
    // Ticks that share a pixel are one.
    float free_from = -1e9f;
    for (const std::uint64_t step : hits.steps) {
      if (context.state.predict == Predict::Asking && step > context.state.cursor.step) break;
      const Box cell = bar.cell(step);
      const float x = cell.centre().x;
      if (x < free_from) continue;
      free_from = x + context.px(1.5f);
      scene.begin_mark({.kind = MarkKind::Bookmark, .step = step}, words);
      scene.rect({x - context.px(1.5f), centre - context.px(5), context.px(3), context.px(10)},
                 condition.on ? Role::Ink : Role::Future);
      scene.end_mark();
    }
    cross_button(context, scene, {end + context.px(13), centre}, context.px(12), command_mark(Command::RemoveStop, n),
                 tr("remove this condition"));
    const float x = end + context.px(26);
    const std::string count = count_text(hits.steps.size()) + (hits.complete && !hits.truncated ? "" : " …");
    std::string all;
    for (const Message& remark : hits.remarks) all += " · " + remark.translated();
    first_fitting(
        scene, x, centre,
        {words + " · " + count + all, words + " · " + count + first_remark, words + " · " + count, words, count},
        context.sans(11), ink, right - x);
  }
}

}  // namespace twiddle
