// The left pane: launches with small pictures, the items at work, what the log says about itself, bookmarks.
#include "base/counted.h"
#include "base/message.h"
#include "tracer/replay/position.h"
#include "tracer/trace/begun.h"
#include "tracer/trace/item_words.h"
#include "tracer/trace/span.h"
#include "viewer/document/turn.h"
#include "viewer/graphs/unexplained.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/scene/diagram_parts.h"
#include "viewer/words/twiddle_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace twiddle {
namespace {

constexpr float entry_height = 52, compact_height = 26, row_height = 25, segment_row_height = 24;
constexpr float picture_width = 30, picture_height = 32;

enum class When { Done, Now, ToCome };

When when_of(const PanelContext& context, std::uint64_t first_step, std::uint64_t count) {
  const std::uint64_t step = context.state.cursor.step;
  if (count > 0 && step >= first_step && step < first_step + count) return When::Now;
  return step >= first_step + count && step > 0 ? When::Done : When::ToCome;
}

struct LaunchSpan {
  std::uint64_t first_step = 0, count = 0;
  std::size_t first_segment = 0, segments = 0;
};

Role ink_of(When when, Role now = Role::OnNow) {
  return when == When::Now ? now : when == When::Done ? Role::Ink2 : Role::Ink3;
}

// A row below the launch at work: its ground, and what is written in it.
struct LaunchRow {
  Box box;
  Role ink;
  float centre, right;
};
LaunchRow begin_row(const PanelContext& context, Scene& scene, float y, float width, float height, When when, Mark mark,
                    std::string words) {
  const Box box{context.px(23), y, width - context.px(23 + 16), context.px(height)};
  scene.begin_mark(std::move(mark), std::move(words));
  if (when == When::Now)
    scene.rect(box.inset(context.px(1)), Role::Now, {Role::OnNow, context.thin(2)}, context.px(4));
  else
    scene.rect(box, Role::None);
  return {box, ink_of(when), box.centre().y, box.right() - context.px(8)};
}
void end_row(const PanelContext& context, Scene& scene, const LaunchRow& row, int lit) {
  context.outline(scene, row.box.inset(context.px(1)), context.px(4), lit);
  scene.end_mark();
}

LaunchSpan span_of(const TraceInfo& info, const LaunchInfo& launch) {
  LaunchSpan span;
  for (std::size_t s = 0; s < info.segments.size(); ++s) {
    const Segment& segment = info.segments[s];
    if (segment.launch != launch.number) continue;
    if (span.segments++ == 0) span.first_segment = s, span.first_step = segment.first_step;
    span.count += segment.count;
  }
  return span;
}

// What a launch does, the longest form first: the first that has room is shown.
std::vector<std::string> captions_of(const TraceInfo& info, const LaunchInfo& launch, const LaunchSpan& span) {
  if (!has_ended(launch)) return {tr("began and did not end"), tr("did not end")};
  const auto items = [&](std::uint64_t count) {
    return has_threads(info) ? plural(count, "{} thread", "{} threads") : plural(count, "{} item", "{} items");
  };
  if (span.segments == 1) {
    const Segment& segment = info.segments[span.first_segment];
    const std::string operations = operations_text(segment.kind, segment.count);
    if (segment.stage <= 0) return {tr("{}, {}", items(launch.items()), operations), operations};
    const std::string stage = tr("stage {}", segment.stage);
    return {segment.span > 0 ? tr("stage {} · span {}", segment.stage, count_text(segment.span))
                             : tr("stage {} · {}", segment.stage, operations),
            stage};
  }
  const std::string groups = has_threads(info) ? plural(launch.groups(), "{} block", "{} blocks")
                                               : plural(launch.groups(), "{} group", "{} groups");
  return {tr("{} of {}", groups, items(launch.group_size())), groups};
}

// How much of what a kernel wrote the operations that were found in its accesses explain, and as what.
bool has_share(const LaunchInfo& launch) { return launch.accesses.lifted && launch.accesses.writes > 0; }
double share_of(const LaunchInfo& launch) {
  return static_cast<double>(launch.accesses.explained_writes) / static_cast<double>(launch.accesses.writes);
}
std::vector<std::string> share_captions(const TraceInfo& info, const LaunchInfo& launch, const LaunchSpan& span) {
  const double percent = 100 * share_of(launch);
  const bool whole = launch.accesses.explained_writes == launch.accesses.writes || percent == 0;
  const std::string share = fmt::format("{:.{}f} %", std::min(percent, whole ? 100 : 99.99), whole ? 0 : 2);
  std::map<OperationKind, std::uint64_t> counts;
  for (std::size_t s = span.first_segment; s < span.first_segment + span.segments; ++s)
    if (const Segment& segment = info.segments[s];
        segment.kind != OperationKind::Load && segment.kind != OperationKind::Store && segment.count > 0)
      counts[segment.kind] += segment.count;
  std::string as;
  for (const auto& [kind, count] : counts) as = listed(as, operations_text(kind, count));
  if (as.empty()) return {share};
  return {share + " · " + as, share};
}
// Full where all is explained; what is missing stays visible.
void share_bar(const PanelContext& context, Scene& scene, const Box& box, const LaunchInfo& launch) {
  const double share = share_of(launch);
  const float missing = share < 1 ? std::max(context.px(5), box.w * static_cast<float>(1 - share)) : 0;
  if (missing > 0) scene.rect(box.inset(context.thin(0.5f)), Role::None, {Role::Done, context.thin(1)});
  scene.rect({box.x, box.y, box.w - missing, box.h}, Role::Done);
}

std::string fitting(const std::vector<std::string>& forms, const Font& font, float room) {
  const auto found =
      std::find_if(forms.begin(), forms.end(), [&](const std::string& form) { return text_width(font, form) <= room; });
  return found == forms.end() ? std::string() : *found;
}

// Where elements are too many to draw each: many to one where operations add up, straight on where each stays by itself.
void gesture(const PanelContext& context, Scene& scene, const Box& box, OperationKind kind, const Stroke& wire) {
  const bool adds = kind == OperationKind::Term || kind == OperationKind::Combine || kind == OperationKind::Atomic;
  constexpr int lines = 5;
  for (int n = 0; n < lines; ++n) {
    const float y = box.y + box.h * static_cast<float>(n) / (lines - 1);
    scene.line({box.x, y}, {box.right(), adds ? box.centre().y : y}, wire);
  }
  if (adds) scene.circle({box.right(), box.centre().y}, context.px(2.5f), wire.role);
}

// A thumbnail of which elements are combined. Crossing bands while a block is 8 px high, bars while 3, then a flat tone.
void picture(const PanelContext& context, Scene& scene, const Box& box, const TraceInfo& info, const LaunchSpan& span,
             Role role) {
  const Stroke wire{role, context.thin(1.1f)};
  const Segment& segment = info.segments[span.first_segment];
  const BufferInfo* buffer = info.buffer(segment.write_buffer >= 0 ? segment.write_buffer : segment.read_buffer);
  const std::uint64_t rows = buffer ? buffer->count : 0;
  constexpr std::uint64_t max_drawn = 16;
  if (rows > 0 && rows <= max_drawn && segment.count <= max_drawn) {
    const float pitch = rows > 1 ? box.h / static_cast<float>(rows - 1) : 0;
    std::vector<bool> touched(rows, false);
    const auto y = [&](std::uint64_t row) { return box.y + pitch * static_cast<float>(row); };
    context.document.replay->for_each(
        segment.first_step, segment.end_step() - 1, false, [&](const Operation& operation) {
          for (const Access& to : operation.writes) {
            if (to.index >= rows) continue;
            touched[to.index] = true;
            // A swap's element comes from the other one; every other operation's output from all its inputs.
            for (const Access& from : operation.reads)
              if (from.index < rows && !(operation.kind == OperationKind::Swap && from.index == to.index))
                scene.line({box.x, y(from.index)}, {box.right(), y(to.index)}, wire);
          }
          return true;
        });
    for (std::uint64_t row = 0; row < rows; ++row)
      if (!touched[row]) scene.line({box.x, y(row)}, {box.right(), y(row)}, wire);
    return;
  }
  const float block = rows > 0 && segment.span > 0
                          ? box.h * static_cast<float>(block_rows(segment, rows)) / static_cast<float>(rows)
                          : 0;
  if (segment.kind == OperationKind::Butterfly && block >= context.px(8)) {
    for (float top = box.y; top + block <= box.bottom() + 0.5f; top += block) {
      const float inner = block - context.px(1.5f), half = inner / 2;
      scene.polygon({{box.x, top}, {box.right(), top + half}, {box.right(), top + inner}, {box.x, top + half}}, role)
          .opacity = 0.55f;
      scene.polygon({{box.x, top + half}, {box.right(), top}, {box.right(), top + half}, {box.x, top + inner}}, role)
          .opacity = 0.55f;
    }
  } else if (segment.kind == OperationKind::Butterfly && block >= context.px(3)) {
    for (float top = box.y; top + block <= box.bottom() + 0.5f; top += block)
      scene.rect({box.x, top, box.w, block - context.px(1)}, role);
  } else if (segment.kind == OperationKind::Swap || segment.kind == OperationKind::Move) {
    scene.line({box.x, box.y}, {box.right(), box.bottom()}, wire);
    scene.line({box.x, box.bottom()}, {box.right(), box.y}, wire);
    scene.line({box.x, box.y}, {box.right(), box.y}, wire);
    scene.line({box.x, box.bottom()}, {box.right(), box.bottom()}, wire);
  } else if (segment.kind == OperationKind::Butterfly) {
    scene.rect(box, role, {}, context.px(2)).opacity = 0.35f;
  } else {
    gesture(context, scene, box, segment.kind, wire);
  }
}

// Begins a launch's mark with its ground.
When begin_launch(const PanelContext& context, Scene& scene, const Box& box, const LaunchInfo& launch,
                  const LaunchSpan& span) {
  const When when = when_of(context, span.first_step, span.count);
  scene.begin_mark(
      {.kind = MarkKind::Launch, .launch = launch.number, .step = span.first_step},
      tr("launch {}: {}, {}", launch.number, launch.kernel, captions_of(context.info(), launch, span).front()));
  scene.rect(box, when == When::Now ? Role::NowSoft : Role::None);
  if (when == When::Now) scene.rect({box.x, box.y, context.px(4), box.h}, Role::Now);
  return when;
}

// Operations of the current segment around the cursor, one a row. Returns where they end.
float operation_rows(const PanelContext& context, Scene& scene, float top, float width, const Segment& segment,
                     int rows) {
  const auto visible = static_cast<std::uint64_t>(rows);
  const std::uint64_t step = context.state.cursor.step;
  std::uint64_t first = segment.first_step;
  if (segment.count > visible) {
    first = step > segment.first_step + visible / 2 ? step - visible / 2 : segment.first_step;
    first = std::min(first, segment.end_step() - visible);
  }
  const std::uint64_t last = std::min(first + visible, segment.end_step()) - 1;
  const Font code = context.mono(12), strong = context.mono(12, Weight::SemiBold);
  float y = top;
  std::uint64_t at = first;
  context.document.replay->for_each(first, last, false, [&](const Operation& operation) {
    const bool now = context.turn ? context.turn->holds(at) : at == step;
    const bool done = context.turn ? context.turn->moment.is_done(at) : at < step;
    const Mark mark{.kind = MarkKind::Item, .launch = operation.launch, .step = at, .item = operation.item};
    const LaunchRow row = begin_row(context, scene, y, width, row_height,
                                    now    ? When::Now
                                    : done ? When::Done
                                           : When::ToCome,
                                    mark, sentence(context.info(), operation));
    const auto& [box, ink, centre, right] = row;
    const float word = label(scene, right, centre,
                             now    ? tr("now")
                             : done ? tr("done")
                                    : tr("pending"),
                             context.caption(), ink, box.w / 2, Anchor::End);
    float x = box.x + context.px(11);
    x += label(scene, x, centre, fmt::format("I{}", operation.item), now ? strong : code, ink, right - word - x) +
         context.px(12);
    std::string indices;
    const auto& accesses = operation.reads.empty() ? operation.writes : operation.reads;
    for (const Access& access : accesses) indices += (indices.empty() ? "" : ", ") + fmt::format("{}", access.index);
    label_if_fits(scene, x, centre, indices, now ? strong : code, ink, right - word - context.px(6) - x);
    end_row(context, scene, row, context.lit_step(at));
    y += context.px(row_height);
    ++at;
    return true;
  });
  return y;
}

// The segments of a launch with many: load, stage 1 …, store. Returns where they end.
float segment_rows(const PanelContext& context, Scene& scene, float top, float width, const LaunchSpan& span,
                   int rows) {
  const TraceInfo& info = context.info();
  const auto visible = std::min<std::size_t>(static_cast<std::size_t>(rows), span.segments);
  std::size_t skip = 0;
  if (span.segments > visible && context.segment >= 0) {
    const auto current = static_cast<std::size_t>(context.segment) - span.first_segment;
    skip = std::min(current > visible / 2 ? current - visible / 2 : 0, span.segments - visible);
  }
  float y = top;
  for (std::size_t i = skip; i < skip + visible; ++i) {
    const std::size_t s = span.first_segment + i;
    const Segment& segment = info.segments[s];
    const When when = when_of(context, segment.first_step, segment.count);
    const Mark mark{.kind = MarkKind::Segment, .segment = static_cast<int>(s), .step = segment.first_step};
    const LaunchRow row = begin_row(
        context, scene, y, width, segment_row_height, when, mark,
        fmt::format("{}: {}", context.facts.segment_names[s], plural(segment.count, "{} operation", "{} operations")));
    const auto& [box, ink, centre, right] = row;
    float aside = 0;
    if (segment.span > 0)
      aside = label(scene, right, centre, tr("span {}", segment.span), context.mono(11), ink, box.w / 2, Anchor::End) +
              context.px(6);
    label(scene, box.x + context.px(11), centre, context.facts.segment_names[s],
          context.caption(when == When::Now ? Weight::SemiBold : Weight::Regular), ink,
          right - aside - box.x - context.px(11));
    end_row(context, scene, row, context.lit_segment(static_cast<int>(s)));
    y += context.px(segment_row_height);
  }
  return y;
}

// A ring with ? at the end of a launch's title whose writes are not all explained. Returns where the title has to end.
float unexplained_ring(const PanelContext& context, Scene& scene, const LaunchInfo& launch, float right, float centre) {
  if (unexplained_writes(launch) == 0) return right;
  const float radius = context.px(7);
  draw_badge(scene, context.theme, context.scale, {right - radius, centre}, Badge::Unexplained, radius);
  return right - 2 * radius - context.px(6);
}

void entry(const PanelContext& context, Scene& scene, const Box& box, const LaunchInfo& launch, const LaunchSpan& span,
           bool compact) {
  const TraceInfo& info = context.info();
  const When when = begin_launch(context, scene, box, launch, span);
  const std::vector<std::string> captions = captions_of(info, launch, span);
  const Role ink = ink_of(when, Role::Ink);
  const Weight weight = when == When::Now ? Weight::SemiBold : Weight::Regular;
  const float first = compact ? box.centre().y : box.y + context.px(17), second = box.y + context.px(35);
  const float edge = box.right() - context.px(16);
  const std::string number = fmt::format("{}", launch.number);
  const Font number_font = context.mono(12, Weight::SemiBold);
  label(scene, context.px(16), first, number, number_font, ink, context.px(40));
  const float x = context.px(16) + std::max(context.px(16), text_width(number_font, number) + context.px(8));
  const bool pictured = !compact && span.segments == 1;
  const float picture_left = edge - (pictured ? context.px(picture_width + 6) : 0);
  const float right = compact ? unexplained_ring(context, scene, launch, edge, first) : edge;
  if (compact) {
    // A label that says the same as the kernel's name is left out.
    const bool one = span.segments == 1, stage = one && info.segments[span.first_segment].stage > 0;
    const std::string name = one ? context.facts.segment_names[span.first_segment]
                                 : fitting(captions, context.caption(), (right - x) * 0.5f);
    float aside = 0;
    if (!one || stage)
      aside = label(scene, right, first, name, context.caption(), when == When::Now ? Role::Ink : Role::Ink3,
                    (right - x) * 0.5f, Anchor::End);
    label(scene, x, first, launch.kernel, context.mono(12, weight), ink, right - x - aside - context.px(8));
  } else {
    // Of a launch with many stages its rows show more than a picture.
    const float room = picture_left - x;
    const float title_room = unexplained_ring(context, scene, launch, picture_left, first) - x;
    // A long name in smaller type, before it is cut.
    float size = 13;
    while (size > 11 && text_width(context.mono(size, weight), launch.kernel) > title_room) --size;
    label(scene, x, first, launch.kernel, context.mono(size, weight), ink, title_room);
    const bool shared = has_share(launch);
    label(scene, x, second, fitting(shared ? share_captions(info, launch, span) : captions, context.caption(), room),
          context.caption(), when == When::ToCome ? Role::Ink3 : Role::Ink2, room);
    if (shared) share_bar(context, scene, {x, box.bottom() - context.px(7), room, context.px(4)}, launch);
    const Box thumbnail{right - context.px(picture_width), box.centre().y - context.px(picture_height) / 2,
                        context.px(picture_width), context.px(picture_height)};
    if (pictured)
      picture(context, scene, thumbnail, info, span,
              when == When::Now    ? Role::Ink
              : when == When::Done ? Role::Done
                                   : Role::Future);
  }
  const int lit = context.hover.launch == launch.number && !context.hover.item     ? 2
                  : context.pinned.launch == launch.number && !context.pinned.item ? 1
                                                                                   : 0;
  context.outline(scene, box.inset(context.px(2)), context.px(2), lit);
  scene.end_mark();
}

float bookmarks(const PanelContext& context, Scene& scene, float top, float width, float bottom) {
  const auto& list = context.document.bookmarks;
  if (list.empty() || bottom - top < context.px(70)) return top;
  const float left = context.px(16), right = width - context.px(16);
  scene.line({left, top}, {right, top}, context.divider());
  heading(context, scene, left, top + context.px(20), right, tr("Bookmarks"));
  float y = top + context.px(32);
  std::size_t shown = 0;
  for (const auto& bookmark : list) {
    if (bookmark.step > context.info().steps) continue;
    const bool last_row = y + context.px(2 * 40) > bottom && shown + 1 < list.size();
    if (y + context.px(40) > bottom) break;
    if (last_row) {
      label(scene, left + context.px(22), y + context.px(12), tr("{} more", list.size() - shown), context.caption(),
            Role::Ink3, right - left);
      break;
    }
    const Mark mark{.kind = MarkKind::Bookmark, .step = bookmark.step};
    const std::string place =
        bookmark.step == 0 ? tr("start") : to_string(position_of(context.document.replay->operation(bookmark.step)));
    const Box box{context.px(8), y, width - context.px(16), context.px(bookmark.note.empty() ? 24 : 38)};
    scene.begin_mark(mark, bookmark.note.empty() ? tr("bookmark {}", place) : bookmark.note);
    scene.rect(box, Role::None);
    bookmark_flag(scene, {left + context.px(1), y + context.px(5)}, context.px(11), context.px(13), Role::Ink);
    label(scene, left + context.px(22), y + context.px(11.5f), place, context.mono(12), Role::Ink,
          right - left - context.px(22));
    if (!bookmark.note.empty())
      label(scene, left + context.px(22), y + context.px(28), bookmark.note, context.caption(), Role::Ink2,
            right - left - context.px(22));
    context.outline(scene, box, context.px(4), is_hovered(context, mark) ? 2 : 0);
    scene.end_mark();
    y += box.h + context.px(2);
    ++shown;
  }
  return y;
}

// The first launch to draw so that the current one shows, `offset` launches further down by the wheel.
std::size_t first_visible(std::size_t count, std::size_t visible, std::size_t current, float offset) {
  if (count <= visible) return 0;
  const double centred = static_cast<double>(current) - static_cast<double>(visible) / 2 + static_cast<double>(offset);
  return static_cast<std::size_t>(std::clamp(centred, 0.0, static_cast<double>(count - visible)));
}

Scene rail_panel(const PanelContext& context, float width, float height) {
  Scene scene;
  scene.width = width, scene.height = height;
  const auto& launches = context.info().launches;
  const float pitch = context.px(36), top = context.px(12);
  const auto visible = static_cast<std::size_t>(std::max(0.0f, (height - 2 * top) / pitch));
  const std::size_t current = context.launch ? static_cast<std::size_t>(context.launch - launches.data()) : 0;
  const std::size_t first = first_visible(launches.size(), visible, current, context.state.scrolled("launches") / 36);
  float y = top;
  for (std::size_t i = first; i < std::min(launches.size(), first + visible); ++i, y += pitch) {
    const Box box{0, y, width, pitch};
    const When when = begin_launch(context, scene, box, launches[i], span_of(context.info(), launches[i]));
    const Weight weight = when == When::Now ? Weight::SemiBold : Weight::Regular;
    label(scene, width / 2, box.centre().y, fmt::format("{}", launches[i].number), context.mono(13, weight),
          ink_of(when, Role::Ink), width, Anchor::Middle);
    context.outline(scene, box.inset(context.px(3)), context.px(4), context.hover.launch == launches[i].number ? 2 : 0);
    scene.end_mark();
  }
  return scene;
}

}  // namespace

Scene launches_panel(const PanelContext& context, float width, float height, bool rail) {
  Scene scene = pane(context, width, height, Edge::Right, "launches");
  if (rail) {
    scene.add(rail_panel(context, width, height), {0, 0});
    return scene;
  }

  const TraceInfo& info = context.info();
  const float left = context.px(16), right = width - context.px(16);
  heading(context, scene, left, context.px(21), right, tr("Launches"), count_text(info.launches.size()));
  float y = context.px(44);

  // What is below the launches keeps its room: the log's own findings, and the bookmarks.
  const float notes_height = context.px(
      context.facts.notes.empty() ? 72
                                  : 62 + 64 * static_cast<float>(std::min<std::size_t>(3, context.facts.notes.size())));
  const float bookmarks_height =
      context.document.bookmarks.empty()
          ? 0
          : context.px(44 + 40 * static_cast<float>(std::min<std::size_t>(4, context.document.bookmarks.size())));
  const float bottom =
      std::max(y + context.px(entry_height), height - notes_height - bookmarks_height - context.px(12));

  // Rows of the launch at work, then entries: large while they fit, one line each when not.
  const bool expanded = context.launch != nullptr && context.segment >= 0;
  const LaunchSpan now = expanded ? span_of(info, *context.launch) : LaunchSpan{};
  const bool by_segment = now.segments > 1;
  const std::size_t rows_wanted =
      !expanded    ? 0
      : by_segment ? now.segments
                   : static_cast<std::size_t>(std::min<std::uint64_t>(info.segments[context.segment].count, 8));
  const float row = context.px(by_segment ? segment_row_height : row_height);
  const auto entries_height = [&](float each) { return static_cast<float>(info.launches.size()) * each; };
  bool compact = false;
  float room_for_rows = bottom - y - entries_height(context.px(entry_height));
  if (room_for_rows < row * static_cast<float>(std::min<std::size_t>(rows_wanted, 3))) {
    compact = true;
    room_for_rows = std::max(bottom - y - entries_height(context.px(compact_height)), (bottom - y) * 0.35f);
  }
  const int rows = static_cast<int>(std::min<float>(static_cast<float>(rows_wanted), std::floor(room_for_rows / row)));
  const float each = context.px(compact ? compact_height : entry_height);
  const float rows_height = rows > 0 ? static_cast<float>(rows) * row + context.px(8) : 0;
  const auto visible = static_cast<std::size_t>(std::max(1.0f, std::floor((bottom - y - rows_height) / each)));
  const std::size_t current = context.launch ? static_cast<std::size_t>(context.launch - info.launches.data()) : 0;
  const std::size_t first =
      first_visible(info.launches.size(), visible, current,
                    context.state.scrolled("launches") / (compact ? compact_height : entry_height));
  for (std::size_t i = first; i < std::min(info.launches.size(), first + visible); ++i) {
    const LaunchInfo& launch = info.launches[i];
    entry(context, scene, {0, y, width - context.scale, each}, launch, span_of(info, launch), compact);
    y += each;
    if (&launch == context.launch && rows > 0) {
      y = by_segment ? segment_rows(context, scene, y + context.px(2), width, now, rows)
                     : operation_rows(context, scene, y + context.px(2), width, info.segments[context.segment], rows);
      y += context.px(6);
    }
  }
  y += context.px(14);
  if (y + context.px(60) < height) {
    scene.line({left, y}, {right, y}, context.divider());
    y = notes_part(context, scene,
                   {left, y + context.px(12), right - left, height - y - context.px(12) - bookmarks_height}, 4) +
        context.px(14);
    bookmarks(context, scene, y, width, height - context.px(8));
  }
  return scene;
}

}  // namespace twiddle
