// The work-items' lanes: who works when. Columns are segments, rows are items or, where there are many, ranges of items.
#include "viewer/panels/panel_parts.h"

#include "base/say.h"
#include "viewer/words/twiddle_name.h"

#include <fmt/format.h>

namespace twiddle {
namespace {

constexpr float items_pad = 16, rows_top = 58, foot_height = 30, label_width = 32;
constexpr float items_row_pitch = 15, least_pitch = 9, most_pitch = 22, label_pitch = 13, bar_share = 0.74f;
constexpr float least_column = 26;

struct Columns {
  std::size_t first = 0, count = 0;
  float left = 0, width = 0;
};

// Every segment while a column can be told from the next; else those around the cursor.
Columns columns_of(const PanelContext& context, float left, float width) {
  Columns columns;
  columns.left = left;
  const std::size_t all = context.info().segments.size();
  const auto most = static_cast<std::size_t>(std::max(1.0f, width / context.px(least_column)));
  columns.count = std::min(all, most);
  const std::size_t current = context.segment > 0 ? static_cast<std::size_t>(context.segment) : 0;
  columns.first = all > most ? std::min(current > most / 2 ? current - most / 2 : 0, all - most) : 0;
  columns.width = columns.count > 0 ? width / static_cast<float>(columns.count) : width;
  return columns;
}

struct PanelRows {
  std::uint64_t items = 0, range = 1;  // items of the largest launch; items a row
  int count = 0;
  float pitch = 0;   // px
  int labelled = 1;  // every how many rows are labelled
};

// One item a row while rows can be told apart; beyond that, ranges of items. The rows fill the room they have.
PanelRows rows_of(const PanelContext& context, float height) {
  PanelRows rows;
  for (const LaunchInfo& launch : context.info().launches) rows.items = std::max(rows.items, launch.items());
  const auto fit = [&](float pitch) {
    return static_cast<std::uint64_t>(std::max(1.0f, std::floor(height / context.px(pitch))));
  };
  const auto needed = [&] { return (rows.items + rows.range - 1) / rows.range; };
  if (needed() > fit(least_pitch))
    while (needed() > fit(items_row_pitch)) rows.range *= 2;
  rows.count = static_cast<int>(needed());
  rows.pitch = rows.count > 0 ? std::min(height / static_cast<float>(rows.count), context.px(most_pitch))
                              : context.px(items_row_pitch);
  while (rows.pitch * static_cast<float>(rows.labelled) < context.px(label_pitch)) rows.labelled *= 2;
  return rows;
}

struct Share {
  double active = 0, items = 0;
  bool known = false;
};  // of a row's items in a segment

Share share_of(const PanelContext& context, std::size_t segment, const LaunchInfo& launch, std::uint64_t first,
               std::uint64_t count) {
  Share share;
  const std::uint64_t items = launch.items();
  if (first >= items) return share;
  const std::uint64_t end = std::min(first + count, items);
  share.items = static_cast<double>(end - first);
  const Activity& activity = context.facts.activity[segment];
  if (activity.active.empty()) {
    // Not known item by item: every range is drawn with the segment's average.
    share.active = share.items * static_cast<double>(context.info().segments[segment].items) /
                   static_cast<double>(std::max<std::uint64_t>(items, 1));
    return share;
  }
  share.known = true;
  for (std::uint64_t range = first / activity.range; range * activity.range < end && range < activity.active.size();
       ++range) {
    // A row is a whole number of ranges, or a part of one: then its part of the range's items.
    const double part = activity.range > count ? static_cast<double>(count) / static_cast<double>(activity.range) : 1;
    share.active += part * activity.active[static_cast<std::size_t>(range)];
  }
  return share;
}

struct Legend {
  bool worked = false, now = false, to_come = false, idle = false, waiting = false;
};

void draw_idle(const PanelContext& context, Scene& scene, float left, float right, float y, Role role) {
  if (right - left < context.px(4)) return;
  scene.line({left, y}, {right, y}, {role, std::max(1.0f, context.px(1.4f)), context.px(1.4f), context.px(4)});
}

// One row of one column: what of it worked, is to come, or is idle, from left to right.
void draw_cell(const PanelContext& context, Scene& scene, const Box& bar, const PanelRows& rows, std::uint64_t first,
               std::size_t s, Legend& legend) {
  const TraceInfo& info = context.info();
  const Segment& segment = info.segments[s];
  const LaunchInfo* launch = launch_numbered(info, segment.launch);
  if (!launch) return;
  const Share share = share_of(context, s, *launch, first, rows.range);
  if (share.items <= 0) return;  // this launch has no such items
  const std::uint64_t step = context.state.cursor.step;
  const bool past = step >= segment.end_step() && segment.count > 0,
             current = context.segment == static_cast<int>(s) && !past;
  const bool holds_now = context.now && context.now->launch == launch->number &&
                         context.segment == static_cast<int>(s) && context.now->item >= first &&
                         context.now->item < first + rows.range;
  const float radius = context.px(2), thin = std::max(1.0f, context.px(1));
  const double fraction = std::clamp(share.active / share.items, 0.0, 1.0);
  const bool waits = context.facts.segments_of_launch[static_cast<std::size_t>(launch - info.launches.data())] > 1;

  if (holds_now && rows.range == 1) {
    scene.rect(bar, Role::Now, {Role::Ink, std::max(1.0f, context.px(2))}, radius);
    legend.now = true;
    return;
  }
  const float worked_right = bar.x + bar.w * static_cast<float>(fraction);
  if (fraction > 0) {
    const Box active{bar.x, bar.y, worked_right - bar.x, bar.h};
    const bool before = past || (current && context.now && first + rows.range <= context.now->item);
    const bool after = !past && (!current || !context.now || first > context.now->item);
    if (before) {
      scene.rect(active, Role::Done, {}, radius);
      legend.worked = true;
    } else if (after) {
      scene.rect(active.inset(thin / 2), Role::Canvas, {current ? Role::Done : Role::Future, thin}, radius);
      legend.to_come = true;
    } else {
      // The range at work: done up to the cursor's item.
      const double done = static_cast<double>(context.now->item - first) / static_cast<double>(rows.range);
      const float now_x = active.x + active.w * static_cast<float>(done), mark_width = std::max(context.px(3), 2.0f);
      scene.rect(active.inset(thin / 2), Role::Canvas, {Role::Done, thin}, radius);
      scene.rect({active.x, active.y, now_x - active.x, active.h}, Role::Done, {}, radius);
      scene.rect({std::min(now_x, active.right() - mark_width), active.y - thin, mark_width, active.h + 2 * thin},
                 Role::Now, {Role::Ink, thin});
      legend.worked = legend.now = legend.to_come = true;
    }
  }
  if (fraction < 1) {
    draw_idle(context, scene, fraction > 0 ? worked_right + context.px(3) : bar.x + context.px(2), bar.right(),
              bar.centre().y, past || current ? Role::Done : Role::Future);
    (waits ? legend.waiting : legend.idle) = true;
  }
}

// Keys to what is on the screen, and only to that.
void draw_legend(const PanelContext& context, Scene& scene, float left, float right, float centre,
                 const Legend& legend) {
  float x = left;
  const Font font = context.caption();
  const auto entry = [&](bool wanted, const std::string& text, auto draw) {
    if (!wanted) return;
    const float swatch = context.px(16), width = swatch + context.px(7) + text_width(font, text);
    if (x + width > right) return;
    draw(Box{x, centre - context.px(5.5f), swatch, context.px(11)});
    scene.text({x + swatch + context.px(7), baseline(font, centre)}, text, font, Role::Ink2);
    x += width + context.px(12);
  };
  const float thin = std::max(1.0f, context.px(1)), radius = context.px(2);
  entry(legend.worked, tr("worked"), [&](Box box) { scene.rect(box, Role::Done, {}, radius); });
  entry(legend.now, tr("now"), [&](Box box) {
    scene.rect(box, Role::Now, {Role::Ink, std::max(1.0f, context.px(2))}, radius);
  });
  entry(legend.to_come, tr("to come"), [&](Box box) {
    scene.rect(box.inset(thin / 2), Role::Canvas, {Role::Done, thin}, radius);
  });
  entry(legend.idle, tr("idle: guard is false"),
        [&](Box box) { draw_idle(context, scene, box.x, box.right(), centre, Role::Done); });
  entry(legend.waiting, tr("waits at the barrier"),
        [&](Box box) { draw_idle(context, scene, box.x, box.right(), centre, Role::Done); });
}

std::string column_head(const PanelContext& context, std::size_t s) {
  const Segment& segment = context.info().segments[s];
  const std::string& name = context.facts.segment_names[s];
  return context.info().launches.size() > 1 ? fmt::format("L{} {}", segment.launch, name) : name;
}

// The longest name of a column that fits: "L3 stage 2", "stage 2", "L1 swap", "2".
std::string fitting_head(const PanelContext& context, std::size_t s, const Font& font, float room) {
  const Segment& segment = context.info().segments[s];
  // A launch's number stands for all of it, not for one of its several parts.
  const LaunchInfo* launch = launch_numbered(context.info(), segment.launch);
  const bool whole =
      launch &&
      context.facts.segments_of_launch[static_cast<std::size_t>(launch - context.info().launches.data())] == 1;
  const std::string number = segment.stage > 0 ? std::to_string(segment.stage)
                             : whole           ? fmt::format("L{}", segment.launch)
                                               : std::string();
  const std::string kind =
      segment.stage > 0 ? context.facts.segment_names[s] : fmt::format("L{} {}", segment.launch, word_of(segment.kind));
  for (const std::string& text : {column_head(context, s), kind, context.facts.segment_names[s], number})
    if (text_width(font, text) <= room) return text;
  return {};
}

}  // namespace

Scene items_panel(const PanelContext& context, float width, float height, bool tabbed) {
  Scene scene;
  scene.width = width, scene.height = height;
  Mark pane;
  pane.kind = MarkKind::Pane;
  pane.command = "items";
  scene.begin_mark(pane);
  scene.rect({0, 0, width, height}, Role::Canvas);
  scene.end_mark();
  scene.line({0, context.scale / 2}, {width, context.scale / 2}, context.divider());
  const float left = context.px(items_pad), right = width - context.px(items_pad);
  const char* title = cuda_words(context.info()) ? tr("Threads") : tr("Work-items");
  float head_centre = context.px(43), top = context.px(rows_top), foot = context.px(foot_height);
  if (tabbed) {
    tabs(context, scene, left, context.scale, context.px(28), Command::ShowLanesTab, {title, tr("Memory")}, 0);
    head_centre = context.px(39), top = context.px(50), foot = context.px(6);
  } else {
    scene.line({width - context.scale / 2, 0}, {width - context.scale / 2, height}, context.divider());
    heading(context, scene, left, context.px(19), right, title);
  }
  if (context.info().segments.empty()) {
    label(scene, left, head_centre, tr("No operation was logged."), context.caption(), Role::Ink2, right - left);
    return scene;
  }

  const PanelRows rows = rows_of(context, height - top - foot);
  const std::string last_label = fmt::format("I{}", rows.items > 0 ? rows.items - 1 : 0);
  const Font item_font = context.code(), item_strong = context.code(Weight::SemiBold);
  const float labels = std::max(context.px(label_width), text_width(item_font, last_label) + context.px(10));
  const Columns columns = columns_of(context, left + labels, width - context.px(4) - left - labels);
  const float gap = std::min(context.px(6), columns.width * 0.16f);
  const float rows_height = rows.pitch * static_cast<float>(rows.count);
  Legend legend;

  for (std::size_t c = 0; c < columns.count; ++c) {
    const std::size_t s = columns.first + c;
    const Box column{columns.left + columns.width * static_cast<float>(c), top - context.px(8), columns.width,
                     rows_height + context.px(8)};
    const bool now = context.segment == static_cast<int>(s);
    const bool reached = now || context.state.cursor.step >= context.info().segments[s].first_step;
    Mark mark;
    mark.kind = MarkKind::Segment;
    mark.segment = static_cast<int>(s);
    mark.step = context.info().segments[s].first_step;
    scene.begin_mark(mark,
                     say("{}: {} of {} work", column_head(context, s), count_text(context.info().segments[s].items),
                         cuda_words(context.info()) ? tr("its threads") : tr("its items")));
    const Font font = context.caption(now ? Weight::SemiBold : Weight::Regular);
    const Role ink = now ? Role::Ink : reached ? Role::Ink2 : Role::Ink3;
    const float room = columns.width - context.px(6);
    const std::string head = fitting_head(context, s, font, room);
    label(scene, column.centre().x - gap / 2, head_centre, head, font, ink, room + 1, Anchor::Middle);
    scene.rect({column.x, head_centre - context.px(8), column.w, context.px(16)}, Role::None);
    lit_outline(
        context, scene,
        {column.x, head_centre - context.px(10), column.w - gap, column.bottom() - head_centre + context.px(10)},
        context.px(2), context.hover.item ? 0 : context.lit_segment(static_cast<int>(s)));
    scene.end_mark();
    // Between two launches, or two epochs, nobody passes before all have come: a barrier.
    if (c + 1 < columns.count)
      scene.line({column.right() - gap / 2, top - context.px(8)}, {column.right() - gap / 2, top + rows_height},
                 {Role::Done, std::max(1.0f, context.px(2))});
  }

  for (int r = 0; r < rows.count; ++r) {
    const std::uint64_t first = static_cast<std::uint64_t>(r) * rows.range;
    const float centre = top + rows.pitch * (static_cast<float>(r) + 0.5f),
                bar_height = std::round(rows.pitch * bar_share);
    const bool now = context.now && context.now->item >= first && context.now->item < first + rows.range;
    const int current_row = context.now ? static_cast<int>(context.now->item / rows.range) : 0;
    if (r % rows.labelled == current_row % rows.labelled)
      label(scene, left, centre, fmt::format("I{}", first), now ? item_strong : item_font, now ? Role::Ink : Role::Ink2,
            labels - context.px(4));
    for (std::size_t c = 0; c < columns.count; ++c) {
      const std::size_t s = columns.first + c;
      const LaunchInfo* launch = launch_numbered(context.info(), context.info().segments[s].launch);
      if (!launch || first >= launch->items()) continue;
      const Box bar{columns.left + columns.width * static_cast<float>(c), std::round(centre - bar_height / 2),
                    columns.width - gap, bar_height};
      Mark mark;
      mark.kind = MarkKind::Item;
      mark.launch = launch->number;
      mark.item = first;
      mark.segment = static_cast<int>(s);
      const std::string who = rows.range == 1
                                  ? item_title(context.info(), *launch, first)
                                  : say("Items {} to {}", first, std::min(first + rows.range, launch->items()) - 1);
      scene.begin_mark(mark, fmt::format("{}\n{}", who, column_head(context, s)));
      scene.rect(bar, Role::None);
      draw_cell(context, scene, bar, rows, first, s, legend);
      int lit = 0;
      for (std::uint64_t item = first; item < first + std::min<std::uint64_t>(rows.range, 1) && lit == 0; ++item)
        lit = context.lit_item(launch->number, item);
      if (rows.range > 1 && context.hover.launch == launch->number && context.hover.item &&
          *context.hover.item >= first && *context.hover.item < first + rows.range)
        lit = 2;
      const int segment_of_hover = context.hover.segment;
      if (lit > 0 && (segment_of_hover < 0 || segment_of_hover == static_cast<int>(s)))
        lit_outline(context, scene, bar, context.px(2), lit);
      scene.end_mark();
    }
  }
  if (!tabbed) draw_legend(context, scene, left, right, height - context.px(16), legend);
  return scene;
}

}  // namespace twiddle
