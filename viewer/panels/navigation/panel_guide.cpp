// The guide's words: a pane that scrolls.
#include "base/message.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/state/guide.h"

#include <fmt/format.h>

#include <algorithm>

namespace twiddle {
namespace {

constexpr float foot_height = 48;

/// ‹ 2 of 4 ›, always in reach, and the way to the contents.
void draw_foot(const PanelContext& context, Scene& scene, const Guide::Foot& foot, const Box& box) {
  scene.rect(box, Role::Pane);
  scene.line({box.x, box.y}, {box.right(), box.y}, context.divider());
  const float centre = box.centre().y, height = context.px(30);
  const auto button = [&](const Box& at, const Mark& mark, const std::string& words, int points) {
    scene.begin_mark(mark, words);
    control_box(context, scene, at, mark);
    const Point c = at.centre();
    const float d = context.px(4.5f);
    if (points != 0) {
      const float to = static_cast<float>(points);
      scene.polyline({{c.x - to * d / 2, c.y - d}, {c.x + to * d / 2, c.y}, {c.x - to * d / 2, c.y + d}},
                     {Role::Ink, context.px(2)});
    } else {
      centred_text(scene, c, words, context.ui(), Role::Ink);
    }
    scene.end_mark();
  };
  float x = box.x + context.px(18);
  button({x, centre - height / 2, context.px(38), height}, foot.previous, tr("previous step"), -1);
  x += context.px(38 + 12);
  // Where there is no room for the words, the numbers alone; the contents give way before these.
  const float room = box.right() - context.px(18 + 38 + 12) - x;
  const Font bold = context.ui(Weight::SemiBold);
  const std::string words = tr("page {} of {}", foot.at, foot.of);
  const std::string where = text_width(bold, words) <= room ? words : fmt::format("{}/{}", foot.at, foot.of);
  x += label(scene, x, centre, where, bold, Role::Ink, room) + context.px(12);
  button({x, centre - height / 2, context.px(38), height}, foot.next, tr("next step"), 1);
  const std::string contents = tr("Contents");
  const float width = text_width(context.ui(), contents) + context.px(24);
  if (x + context.px(38 + 12) + width < box.right() - context.px(18))
    button({box.right() - context.px(18) - width, centre - height / 2, width, height}, foot.contents, contents, 0);
}

}  // namespace

Scene guide_panel(const PanelContext& context, float width, float height) {
  Scene scene;
  scene.width = width, scene.height = height;
  scene.language = context.state.language;
  scene.begin_mark({.kind = MarkKind::Pane, .command = "guide"});
  scene.rect({0, 0, width, height}, Role::Pane);
  scene.end_mark();

  const float margin = context.px(18);
  float body = context.px(context.state.presenting ? 18 : 15);
  const auto turns = context.state.presenting ? std::nullopt : context.state.guide->foot();
  const float room = height - (turns ? context.px(foot_height) : 0);
  context.state.guide->point_at(context.state.cursor.hover ? context.state.cursor.hover : context.state.focus);
  const auto words_of = [&] {
    return context.state.guide->draw(std::max(width - 2 * margin, body * 4), body, context.state.presenting);
  };
  Scene words = words_of();
  // Presenting, all of it is on the screen: smaller before it is cut.
  for (int i = 0; i < 8 && context.state.presenting && words.height + 2 * margin > room; ++i)
    body *= 0.93f, words = words_of();
  const float most = std::max(0.0f, words.height + 2 * margin - room);
  const float top = std::clamp(context.px(context.state.scrolled("guide")), 0.0f, most);
  scene.push_clip({0, 0, width, room});
  scene.add(words, {margin, margin - top});
  if (most > 0) {
    // How far the text is scrolled.
    const float length = std::max(room * room / (room + most), context.px(24));
    scene.rect({width - context.px(5), top / most * (room - length), context.px(3), length}, Role::Ink3, {},
               context.px(1.5f));
  }
  scene.pop_clip();
  if (turns) draw_foot(context, scene, *turns, {0, room, width, height - room});
  scene.line({width, 0}, {width, height}, context.divider());
  return scene;
}

}  // namespace twiddle
