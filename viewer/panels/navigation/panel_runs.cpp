// The runs that are kept, as tabs in a bar of their own.
#include "base/message.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/state/window_layout.h"

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

constexpr float run_arrow = 26, run_gap = 4, run_pad = 12, run_cross = 9, max_run_width = 220;

std::string run_name(const RunTab& tab) { return tab.edited ? tab.name + "*" : tab.name; }

}  // namespace

std::vector<Box> run_tab_boxes(const WindowState& state, const Box& bar) {
  std::vector<Box> boxes;
  if (bar.w <= 0 || bar.h <= 0 || state.runs.tabs.empty()) return boxes;
  const Ink ink{window_layout(state).scale};
  const float left = bar.x + ink.px(8 + run_arrow), right = bar.right() - ink.px(8 + run_arrow);
  const auto count = static_cast<float>(state.runs.tabs.size());
  const float share = (right - left) / count - ink.px(run_gap);
  float x = left;
  for (const RunTab& tab : state.runs.tabs) {
    const float wanted = text_width(ink.ui(Weight::SemiBold), run_name(tab)) + ink.px(2 * run_pad + run_cross + 8);
    const float width = std::round(std::max(1.0f, std::min({wanted, share, ink.px(max_run_width)})));
    boxes.push_back({x, bar.y + ink.px(2), width, bar.h - ink.px(4)});
    x += width + ink.px(run_gap);
  }
  return boxes;
}

Scene runs_panel(const PanelContext& context, float width, float height) {
  Scene scene = pane(context, width, height, Edge::Bottom);
  const RunBar& runs = context.state.runs;
  const std::vector<Box> boxes = run_tab_boxes(context.state, {0, 0, width, height});
  const float middle = height / 2;
  const auto arrow = [&](float x, Command command, float way) {
    const Mark mark = command_mark(command);
    const Box box{x, context.px(3), context.px(run_arrow - 4), height - context.px(6)};
    scene.begin_mark(mark, tr(meaning_of(command).data()));
    scene.rect(box, Role::None);
    const Point c = box.centre();
    const float d = context.px(3.5f);
    scene.line({c.x + way * d / 2, c.y - d}, {c.x - way * d / 2, c.y}, {Role::Ink2, context.thin(1.5f)});
    scene.line({c.x - way * d / 2, c.y}, {c.x + way * d / 2, c.y + d}, {Role::Ink2, context.thin(1.5f)});
    context.outline(scene, box, context.px(3), is_hovered(context, mark) ? 2 : 0);
    scene.end_mark();
  };
  arrow(context.px(8), Command::PreviousRun, 1);
  std::optional<std::size_t> target;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const RunTab& tab = runs.tabs[i];
    const Box& box = boxes[i];
    const bool on = i == runs.shown, beside = runs.beside == i;
    const Mark mark = command_mark(Command::ShowRun, i);
    const bool over = runs.dragged && *runs.dragged != i && box.contains(runs.at);
    if (over) target = i;
    scene.begin_mark(mark, tab.about.empty() ? run_name(tab) : run_name(tab) + "\n" + tab.about);
    scene.rect(box, on || beside ? Role::Raised : Role::None, {on || beside ? Role::Ink2 : Role::Line, context.thin()},
               context.px(4));
    if (on)
      scene.rect({box.x + context.px(4), box.bottom() - context.px(3), box.w - context.px(8), context.px(3)},
                 Role::Ink);
    if (runs.dragged == i)
      scene.rect(box, Role::None, {Role::Ink, context.thin(2), context.px(4), context.px(3)}, context.px(4));
    if (over || is_hovered(context, mark))
      scene.rect(box.inset(context.px(1)), Role::None, {Role::Hover, context.thin(over ? 3 : 2)}, context.px(4));
    const bool closable = box.w >= context.px(2 * run_pad + run_cross + 24);
    label(scene, box.x + context.px(run_pad), middle, run_name(tab),
          context.ui(on ? Weight::SemiBold : Weight::Regular), on || beside ? Role::Ink : Role::Ink2,
          box.w - context.px(2 * run_pad) - (closable ? context.px(run_cross + 4) : 0));
    scene.end_mark();
    if (closable)
      cross_button(context, scene, {box.right() - context.px(run_pad), middle}, context.px(run_cross),
                   command_mark(Command::CloseRunTab, i), tr("Close {}", run_name(tab)));
  }
  const float end = boxes.empty() ? context.px(8) : boxes.back().right() + context.px(2);
  arrow(end, Command::NextRun, -1);
  const float from = end + context.px(run_arrow + 12);
  std::vector<std::string> forms = {tr("Ctrl Z: the run before · drop one on another: both side by side"),
                                    tr("drop one on another: both side by side")};
  if (runs.dragged && target)
    forms = {tr("{} beside {}", run_name(runs.tabs[*target]), run_name(runs.tabs[*runs.dragged]))};
  first_fitting(scene, width - context.px(16), middle, forms, context.caption(),
                runs.dragged && target ? Role::Ink : Role::Ink3, width - context.px(16) - from, Anchor::End);
  return scene;
}

}  // namespace twiddle
