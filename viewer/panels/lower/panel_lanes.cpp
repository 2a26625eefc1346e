// The lanes below the diagram: which work-items work when, and memory by address. Each is the view of its name, drawn small.
#include "base/tr.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/state/window_layout.h"
#include "viewer/views/view.h"

namespace twiddle {

Scene lanes_panel(const PanelContext& context, float width, float height, const std::string& name, bool tabbed) {
  constexpr float pad = 16, header = 30;
  const View &view = *view_named(name), &items = *view_named("items"), &memory = *view_named("memory");
  Scene scene = pane(context, width, height, Edge::Top, name, Role::Canvas);
  const float left = context.px(pad), right = width - context.px(pad), top = context.px(header);
  if (tabbed)
    tabs(context, scene, left, context.scale, context.px(28), Command::ShowLanesTab,
         {items.title(context.info()), memory.title(context.info())}, &view == &memory ? 1 : 0);
  else if (!context.turn)
    heading(context, scene, left, context.px(19), right, view.title(context.info()));
  if (&view == &items && !tabbed)
    scene.line({width - context.scale / 2, 0}, {width - context.scale / 2, height}, context.divider());
  if (!view.has(context.document)) {
    label(scene, left, top + context.px(12),
          &view == &items ? tr("No operation was logged.") : tr("This trace names no buffer."), context.caption(),
          Role::Ink2, right - left);
    return scene;
  }
  if (context.turn) {
    const float above = tabbed ? top : 0;
    const Scene drawn =
        &view == &items ? turn_lanes(context, width, height - above) : turn_memory(context, width, height - above);
    scene.add(drawn, {0, above});
    return scene;
  }
  DiagramInput input = diagram_input(context.document, context.state);
  input.viewport = {};
  input.width = width, input.height = height - top;
  input.small = true;
  input.patience_ms /= 4;  // the diagram comes first
  const Scene drawn = view.draw(input);
  scene.unfinished = drawn.unfinished;
  scene.add(drawn, {0, top});
  return scene;
}

}  // namespace twiddle
