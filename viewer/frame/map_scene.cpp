#include "viewer/frame/map_scene.h"

#include "base/message.h"
#include "viewer/butterfly/butterfly_layout.h"
#include "viewer/document/flow.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/views/view.h"
#include "viewer/words/twiddle_name.h"

#include <algorithm>
#include <optional>

namespace twiddle {
namespace {

// In layout units.
constexpr float map_pad = 16, map_title = 34;

Box area_of(float width, float height, float scale) {
  const float pad = map_pad * scale;
  return {pad, map_title * scale, std::max(1.0f, width - 2 * pad), std::max(1.0f, height - (map_title + 14) * scale)};
}

/// The part that is in view, of the unit square.
Box part_in_view(const ButterflyLayout& l) {
  const auto rows = static_cast<double>(std::max<std::uint64_t>(l.rows, 1));
  const auto columns = static_cast<double>(std::max(l.columns, 1));
  const auto part = [](double at, double of) { return static_cast<float>(std::clamp(at / of, 0.0, 1.0)); };
  const float left = part(column_at(l, l.body.x) + 0.5, columns),
              right = part(column_at(l, l.body.right()) + 0.5, columns);
  const float top = part(row_at(l, l.body.y), rows), bottom = part(row_at(l, l.body.bottom()), rows);
  return {left, top, right - left, bottom - top};
}

Box zoomed_part(const Viewport& viewport) {
  const double size = 1 / std::max(1.0, viewport.zoom);
  const auto from = [&](double centre) { return static_cast<float>(std::clamp(centre - size / 2, 0.0, 1 - size)); };
  return {from(viewport.centre_x), from(viewport.centre_y), static_cast<float>(size), static_cast<float>(size)};
}

/// The columns between the stages, what of them has been done, and the operation at the cursor.
void draw_columns(const PanelContext& context, Scene& scene, const Box& area, const ButterflyLayout& l) {
  Flow& flow = context.document.flow();
  const auto x_of = [&](int column) {
    return area.x +
           area.w * (static_cast<float>(column - l.first_column) + 0.5f) / static_cast<float>(std::max(1, l.columns));
  };
  const auto y_of = [&](std::uint64_t row) {
    return area.y + area.h * static_cast<float>((static_cast<double>(row) + 0.5) /
                                                static_cast<double>(std::max<std::uint64_t>(l.rows, 1)));
  };
  const std::uint64_t step = std::min(context.state.cursor.step, context.info().steps);
  const int now = step > 0 ? static_cast<int>(context.document.replay->segment_of(step)) : -1;
  const int end = l.first_column + l.columns;
  const auto fill = [&](int from, int to, Role role) {
    if (to > from)
      scene.rect({x_of(from), area.y + context.px(1), x_of(to) - x_of(from), area.h - context.px(2)}, role);
  };
  const int done = std::clamp(now, l.first_column, std::max(l.first_column, end - 1));
  fill(l.first_column, done, Role::DoneSoft);
  if (now >= l.first_column) fill(now, std::min(now + 1, end - 1), Role::NowSoft);
  // As many lines as there is room for.
  const int apart = std::max(1, static_cast<int>(static_cast<float>(l.columns) * context.px(3) / area.w));
  for (int c = l.first_column; c < end; c += apart)
    scene.line({x_of(c), area.y}, {x_of(c), area.bottom()}, {Role::Done, context.thin()});
  if (!context.now || now < l.first_column || now + 1 >= end) return;
  for (const Access& read : context.now->reads)
    for (const Access& write : context.now->writes) {
      const auto from = flow.row_of(read, *context.now), to = flow.row_of(write, *context.now);
      if (!from || !to) continue;
      scene.line({x_of(now), y_of(*from)}, {x_of(now + 1), y_of(*to)}, {Role::Ink, context.px(3)});
      scene.line({x_of(now), y_of(*from)}, {x_of(now + 1), y_of(*to)}, {Role::Now, context.px(2)});
    }
}

}  // namespace

Box map_box(const WindowState& state, const WindowLayout& layout) {
  if (state.start.open || state.beside || state.presenting || layout.scrub.h <= 0 || layout.left.h <= 0) return {};
  const Box below{layout.left.x, layout.left.bottom(), layout.left.w, layout.scrub.y - layout.left.bottom()};
  return below.h < 1 ? Box{} : below;
}

Scene map_panel(const PanelContext& context, float width, float height) {
  Scene scene;
  scene.width = width, scene.height = height;
  const Box area = area_of(width, height, context.scale);
  const bool butterfly =
      view_of(context.document, context.state.tab).name() == "butterfly" && context.document.flow().draws();
  scene.begin_mark({.kind = MarkKind::Pane, .command = map_mark}, tr("all of the diagram: a drag moves the view"));
  scene.rect({0, 0, width, height}, Role::Pane);
  scene.line({0, 0}, {width, 0}, context.divider());
  heading(context, scene, area.x, context.px(18), area.right(), tr("Map"),
          butterfly ? tr("all of {} rows", count_text(context.document.flow().rows())) : std::string(), Face::Sans);
  scene.rect(area, Role::Canvas, {Role::Line, context.thin()});
  Box part = zoomed_part(context.state.viewport);
  if (butterfly) {
    const ButterflyLayout& layout = butterfly_layout(diagram_input(context.document, context.state));
    part = part_in_view(layout);
    draw_columns(context, scene, area, layout);
  }
  // No smaller than can be seen.
  const float least = context.px(5);
  Box frame{area.x + part.x * area.w, area.y + part.y * area.h, std::max(least, part.w * area.w),
            std::max(least, part.h * area.h)};
  frame.x = std::min(frame.x, area.right() - frame.w), frame.y = std::min(frame.y, area.bottom() - frame.h);
  scene.rect(frame, Role::None, {Role::Canvas, context.px(4)}, context.px(1));
  scene.rect(frame, Role::None, {Role::Ink, context.px(2)}, context.px(1));
  scene.end_mark();
  return scene;
}

Viewport map_viewport(const WindowState& state, const WindowLayout& layout, const Box& pane, Point at) {
  const Box area = area_of(pane.w, pane.h, layout.scale);
  Viewport viewport = state.viewport;
  viewport.centre_x = std::clamp(double((at.x - area.x) / area.w), 0.0, 1.0);
  viewport.centre_y = std::clamp(double((at.y - area.y) / area.h), 0.0, 1.0);
  return viewport;
}

}  // namespace twiddle
