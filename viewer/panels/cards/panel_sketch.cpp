// The grid on which a signal is drawn by hand.
#include "base/message.h"
#include "viewer/input/sketch.h"
#include "viewer/panels/panel_parts.h"

namespace twiddle {

void sketch_overlay(const PanelContext& context, Scene& scene) {
  const Sketch& sketch = context.state.sketch;
  const Box grid = sketch_box(scene.width, scene.height, context.scale);
  const Box card{grid.x - context.px(16), grid.y - context.px(48), grid.w + context.px(32), grid.h + context.px(104)};
  scene.begin_mark({.kind = MarkKind::Pane, .command = "sketch-card"});
  scene.rect(card, Role::Raised, {Role::Ink2, context.thin(1.5f)}, context.px(6));
  label(scene, grid.x, card.y + context.px(22), tr("Draw x[0] to x[{}]", sketch.samples.size() - 1),
        context.ui(Weight::SemiBold), Role::Ink, grid.w / 2);
  label(scene, grid.right(), card.y + context.px(22), tr("drag draws · Enter runs · Esc closes"), context.caption(),
        Role::Ink2, grid.w / 2 - context.px(12), Anchor::End);
  scene.end_mark();
  scene.begin_mark({.kind = MarkKind::Pane, .command = "sketch"}, tr("the signal: drag to draw it"));
  scene.rect(grid, Role::Canvas, {Role::Line, context.thin()});
  const float zero = grid.centre().y;
  scene.line({grid.x, zero}, {grid.right(), zero}, {Role::Done, context.thin()});
  const auto count = static_cast<float>(sketch.samples.size());
  const float pitch = grid.w / count, width = std::max(1.0f, std::min(pitch * 0.7f, context.px(14)));
  for (std::size_t i = 0; i < sketch.samples.size(); ++i) {
    const float x = grid.x + (static_cast<float>(i) + 0.5f) * pitch;
    const float y = zero - sketch.samples[i] / Sketch::highest * grid.h / 2;
    scene.rect({x - width / 2, std::min(y, zero), width, std::max(std::abs(zero - y), 1.0f)}, Role::Done);
    if (pitch >= context.px(6)) scene.circle({x, y}, std::min(context.px(3.5f), pitch * 0.4f), Role::Ink2);
  }
  scene.end_mark();
  const float centre = grid.bottom() + context.px(28);
  const float left = word_button(context, scene, grid.right(), centre, Command::RunSketch, tr("Run"));
  word_button(context, scene, left - context.px(10), centre, Command::ClearSketch, tr("Clear"));
  label(scene, grid.x, centre, tr("from −{0} to {0}", static_cast<int>(Sketch::highest)), context.caption(), Role::Ink2,
        left - context.px(90) - grid.x);
}

}  // namespace twiddle
