// Predict mode: the question for the next operation, which the step after it answers.
#include "base/message.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/scene/diagram_parts.h"

namespace twiddle {

std::string question_text(const TraceInfo& info, const Operation& next) {
  const LaunchInfo* launch = info.launch(next.launch);
  std::string who = launch ? item_title(info, *launch, next.item) : std::string();
  const std::string first = next.reads.empty() ? std::string() : element_text(info, next.reads[0]);
  switch (next.kind) {
    case OperationKind::Butterfly:
      if (next.reads.size() > 2)
        return tr("{} reads {}: which elements go with it, and with which factors?", who, first);
      return tr("{} reads {}: which element is its partner, and what is the factor w?", who, first);
    case OperationKind::Combine: return tr("{} reads {}: which element does it combine with it?", who, first);
    case OperationKind::Swap: return tr("{} takes {}: which element does it change places with?", who, first);
    case OperationKind::Move: return tr("{} reads {}: where does it write what it has read?", who, first);
    case OperationKind::Scale: return tr("{} reads {}: what does it multiply it by?", who, first);
    case OperationKind::Term: return tr("{} reads {}: by what is it multiplied, and for which output?", who, first);
    case OperationKind::Load: return tr("{} reads an element: which one?", who);
    case OperationKind::Store: return tr("{} writes an element: which one, and what does it write?", who);
    case OperationKind::Atomic: return tr("{} adds to an element: to which one?", who);
    case OperationKind::Barrier: break;
  }
  return who;
}

Scene question_panel(const PanelContext& context, float width, float height) {
  Scene scene;
  scene.width = width, scene.height = height;
  const std::uint64_t next = context.state.cursor.step + 1;
  const bool over = next > context.info().steps, asking = context.state.predict == Predict::Asking && !over;
  // A click anywhere on it does what the key for the next step does.
  const Mark mark = command_mark(Command::StepForward);
  const auto keys = context.state.keys.chords(Command::StepForward);
  const std::string key = keys.empty() ? std::string() : display_text(keys.front()) + " ";
  const std::string hint = over ? tr("This was the last operation.")
                                : key + (asking ? tr("shows the answer") : tr("asks for the next operation"));
  scene.begin_mark(mark, hint);
  scene.rect({0, 0, width, height}, is_hovered(context, mark) ? Role::HoverSoft : Role::Pane);
  scene.line({0, context.scale / 2}, {width, context.scale / 2}, context.divider());
  const float centre = height / 2, radius = context.px(11);
  float left = context.px(16), right = width - context.px(16);
  if (asking) draw_badge(scene, context.theme, context.scale, {left + radius, centre}, Badge::Question, radius);
  left += 2 * radius + context.px(10);
  const float aside = text_width(context.caption(), hint);
  if (aside < (right - left) * 0.4f) {
    label(scene, right, centre, hint, context.caption(), Role::Ink2, aside + 1, Anchor::End);
    right -= aside + context.px(20);
  }
  const std::string words = asking        ? question_text(context.info(), context.document.replay->operation(next))
                            : context.now ? sentence(context.info(), *context.now)
                                          : tr("Nothing has run yet.");
  const Font large = asking ? context.sans(15, Weight::SemiBold) : context.mono(13);
  const Font font = text_width(large, words) <= right - left ? large : context.caption();
  const std::vector<std::string> lines = wrap(font, words, right - left);
  const auto shown = std::min<std::size_t>(lines.size(), 2);
  const float pitch = font.size * 1.3f;
  for (std::size_t n = 0; n < shown; ++n)
    label(scene, left, centre + pitch * (static_cast<float>(n) - static_cast<float>(shown - 1) / 2),
          n + 1 == shown && shown < lines.size() ? lines[n] + "…" : lines[n], font, Role::Ink, right - left);
  scene.end_mark();
  return scene;
}

}  // namespace twiddle
