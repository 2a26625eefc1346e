// The guide's words: a pane that scrolls.
#include "viewer/panels/panels.h"
#include "viewer/state/guide.h"

#include <algorithm>

namespace twiddle {

Scene guide_panel(const PanelContext& context, float width, float height) {
  Scene scene;
  scene.width = width, scene.height = height;
  scene.language = context.state.language;
  scene.begin_mark({.kind = MarkKind::Pane, .command = "guide"});
  scene.rect({0, 0, width, height}, Role::Pane);
  scene.end_mark();

  const float margin = context.px(18), body = context.px(context.state.presenting ? 18 : 15);
  const Scene words = context.state.guide->draw(std::max(width - 2 * margin, body * 4), body, context.state.presenting);
  const float most = std::max(0.0f, words.height + 2 * margin - height);
  const float top = std::clamp(context.px(context.state.scrolled("guide")), 0.0f, most);
  scene.push_clip({0, 0, width, height});
  scene.add(words, {margin, margin - top});
  if (most > 0) {
    // How far the text is scrolled.
    const float length = std::max(height * height / (height + most), context.px(24));
    scene.rect({width - context.px(5), top / most * (height - length), context.px(3), length}, Role::Ink3, {},
               context.px(1.5f));
  }
  scene.pop_clip();
  scene.line({width, 0}, {width, height}, context.divider());
  return scene;
}

}  // namespace twiddle
