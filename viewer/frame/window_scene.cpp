#include "viewer/frame/window_scene.h"

#include "base/message.h"
#include "viewer/frame/comparison_scene.h"
#include "viewer/frame/map_scene.h"
#include "viewer/frame/pen_scene.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/panels/turn_words.h"
#include "viewer/state/window_layout.h"
#include "viewer/views/view.h"
#include "viewer/words/operation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {
namespace {

// Layers of the composed scene: every diagram and panel keeps to those below.
constexpr int border_layer = 900, overlay_layer = 1000, tooltip_layer = 2000;

void draw_panes(const PanelContext& context, const WindowLayout& layout, Scene& scene) {
  const WindowState& state = context.state;
  if (layout.diagram.w > 0 && layout.diagram.h > 0) {
    scene.begin_mark({.kind = MarkKind::Pane, .command = "diagram"});
    scene.rect(layout.diagram, Role::None);
    scene.end_mark();
    const View& view = view_of(context.document, state.tab);
    const DiagramInput input = diagram_input(context.document, state);
    Scene picture = view.draw(input);
    if (state.presentation.spotlight) dim_all_but_cone(context.document, state.cursor, picture);
    frame_changes(context, picture);
    draw_strokes(context.document, view, input, picture);
    put(scene, picture, layout.diagram);
  }
  const auto panel = [&](const Box& box, auto make) {
    if (box.w > 0 && box.h > 0) put(scene, make(box.w, box.h), box);
  };
  panel(layout.top, [&](float w, float h) { return top_bar_panel(context, w, h); });
  panel(layout.runs, [&](float w, float h) { return runs_panel(context, w, h); });
  panel(layout.left, [&](float w, float h) {
    return state.guide ? guide_panel(context, w, h) : launches_panel(context, w, h, layout.rail);
  });
  panel(layout.right, [&](float w, float h) { return side_panel(context, w, h, layout.side_tabs); });
  const bool presenting = state.presenting, asked = presenting && state.guide && state.predict == Predict::Off;
  panel(layout.strip,
        [&](float w, float h) { return presenting ? present_strip_panel(context, w, h) : strip_panel(context, w, h); });
  panel(layout.question, [&](float w, float h) {
    return asked        ? present_cards_panel(context, w, h)
           : presenting ? present_question_panel(context, w, h)
                        : question_panel(context, w, h);
  });
  if (state.watch.history) {
    Box box = layout.items;
    if (!layout.lanes_tabs) box.w += layout.memory.w;
    panel(box, [&](float w, float h) { return history_panel(context, w, h); });
  } else if (!layout.lanes_tabs || state.lanes_tab == LanesTab::Items)
    panel(layout.items, [&](float w, float h) { return lanes_panel(context, w, h, "items", layout.lanes_tabs); });
  if (!state.watch.history && (!layout.lanes_tabs || state.lanes_tab == LanesTab::Memory))
    panel(layout.memory, [&](float w, float h) { return lanes_panel(context, w, h, "memory", layout.lanes_tabs); });
  panel(map_box(state, layout), [&](float w, float h) { return map_panel(context, w, h); });
  panel(layout.signal, [&](float w, float h) { return signal_panel(context, w, h); });
  panel(layout.scrub, [&](float w, float h) { return scrub_panel(context, w, h); });
}

/// A corner of the diagram where a tag covers none of its words; where there is none, the first.
Box free_corner(const Scene& scene, const Box& diagram, float width, float height, float across, float down) {
  const float right = diagram.right() - across - width, bottom = diagram.bottom() - down - height;
  const Box first{diagram.x + across, diagram.y + down, width, height};
  std::vector<Box> words;
  for (const Shape2D& shape : scene.shapes)
    if (std::holds_alternative<TextShape>(shape.geometry)) words.push_back(bounds(shape));
  for (const Box& box : {first, Box{right, first.y, width, height}, Box{first.x, bottom, width, height},
                         Box{right, bottom, width, height}})
    if (std::none_of(words.begin(), words.end(), [&](const Box& word) { return word.overlaps(box); })) return box;
  return first;
}

/// What is pinned, by its name, with a × that lets it go: in a corner of the diagram.
void pin_tag(const PanelContext& context, const Box& diagram, Scene& scene) {
  const std::optional<Mark>& pinned = context.state.cursor.pinned;
  if (!pinned || pinned->kind == MarkKind::Finding || context.state.presenting || diagram.w <= 0) return;
  std::string name;
  for (const MarkText& one : scene.marks)
    if (one.mark == *pinned && !one.label.empty()) name = one.label;
  name = name.substr(0, std::min({name.find('\n'), name.find(" = "), name.find(": "), name.find(", ")}));
  if (name.empty()) name = tr("pinned");
  const Font font = context.caption(Weight::SemiBold);
  const float room = diagram.w - context.px(60), height = context.px(19);
  const std::string shown = elide(font, name, room);
  const float width = text_width(font, shown) + context.px(30);
  const Box box = free_corner(scene, diagram, width, height, context.px(6), context.px(5));
  const Mark mark = command_mark(Command::LetGo);
  scene.begin_mark(mark, tr("{} is pinned: let it go", name));
  scene.rect(box, Role::Raised, {Role::Ink2, context.px(3)}, context.px(4));
  scene.rect(box, Role::Raised, {Role::Hover, context.px(1.5f)}, context.px(4));
  label(scene, box.x + context.px(7), box.centre().y, shown, font, Role::Ink, width);
  const Point c{box.right() - context.px(11), box.centre().y};
  const float d = context.px(3.5f);
  scene.line({c.x - d, c.y - d}, {c.x + d, c.y + d}, {Role::Ink, context.thin(1.5f)});
  scene.line({c.x - d, c.y + d}, {c.x + d, c.y - d}, {Role::Ink, context.thin(1.5f)});
  scene.end_mark();
}

void progress(const PanelContext& context, Scene& scene) {
  if (context.state.run_fraction < 0) return;
  const float height = context.px(3), y = context.px(44) - height;
  scene.rect({0, y, scene.width, height}, Role::DoneSoft);
  scene.rect({0, y, scene.width * std::clamp(context.state.run_fraction, 0.0f, 1.0f), height}, Role::Ink);
}

/// Where a border can be dragged: lit under the pointer.
void borders(const PanelContext& context, const WindowLayout& layout, Scene& scene) {
  for (const BorderStrip& strip : border_strips(context.state, layout)) {
    const Mark mark = command_mark(Command::ResizePane, static_cast<std::uint64_t>(strip.border));
    scene.begin_mark(mark);
    scene.rect(strip.box, Role::None);
    scene.end_mark();
    if (!is_hovered(context, mark)) continue;
    const Point c = strip.box.centre();
    const Stroke stroke{Role::Hover, context.thin(3)};
    if (strip.upright)
      scene.line({c.x, strip.box.y}, {c.x, strip.box.bottom()}, stroke);
    else
      scene.line({strip.box.x, c.y}, {strip.box.right(), c.y}, stroke);
  }
}

/// How far the diagram is zoomed, with the ways to all of it and to the current operation.
void zoom_scale(const PanelContext& context, const Box& diagram, Scene& scene) {
  const double zoom = context.state.viewport.zoom;
  if (zoom <= 1.001 || diagram.w < context.px(260) || diagram.h < context.px(80)) return;
  const Font font = context.mono(11.5f);
  float right = diagram.right() - context.px(10);
  const float centre = diagram.bottom() - context.px(22);
  const auto piece = [&](const std::string& text, std::optional<Mark> mark) {
    const float width = std::round(text_width(font, text) + context.px(16));
    const Box box{right - width, std::round(centre - context.px(12)), width, context.px(24)};
    if (mark) scene.begin_mark(*mark, text);
    scene.rect(
        box.inset(context.scale / 2), Role::Raised,
        mark && is_hovered(context, *mark) ? Stroke{Role::Hover, context.thin(2)} : Stroke{Role::Line, context.thin()},
        context.px(4));
    scene.text({box.centre().x, baseline(font, centre)}, text, font, Role::Ink, Anchor::Middle);
    if (mark) scene.end_mark();
    right = box.x - context.px(4);
  };
  piece(tr("now"), command_mark(Command::ZoomNow));
  piece(tr("fit"), command_mark(Command::ZoomReset));
  piece(zoom < 10 ? fmt::format("{:.1f}×", zoom) : fmt::format("{:.0f}×", zoom), std::nullopt);
}

}  // namespace

Scene window_scene(Document& document, const WindowState& state) {
  const Theme& look = theme(state.theme);
  const WindowLayout layout = window_layout(state);
  Scene scene;
  scene.width = state.width, scene.height = state.height;
  scene.language = state.language;
  scene.title = fmt::format("Twiddle: {}", title_of(document.info()));
  if (state.blank) {
    scene.rect({0, 0, state.width, state.height}, look.name == ThemeName::Dark ? Role::Canvas : Role::Ink);
    scene.description = tr("The screen is blank.");
    return scene;
  }
  const std::uint64_t step = std::min(state.cursor.step, document.info().steps);
  if (document.replay->step() != step) document.replay->seek(step);

  const PanelContext context(document, state, facts_of(document));
  scene.description = context.turn  ? turn_sentence(document.info(), *context.turn)
                      : context.now ? sentence(document.info(), *context.now)
                                    : tr("Nothing has run yet.");
  scene.rect({0, 0, state.width, state.height}, Role::Canvas);
  if (state.start.open)
    start_page(context, scene);
  else if (state.beside)
    draw_side_by_side(*state.beside, state, layout, scene);
  else
    draw_panes(context, layout, scene);

  scene.set_layer(border_layer);
  borders(context, layout, scene);
  scene.set_layer(overlay_layer);
  progress(context, scene);
  if (!state.start.open && !state.presenting && !state.beside) zoom_scale(context, layout.diagram, scene);
  pin_tag(context, layout.diagram, scene);
  if (layout.scrub.h > 0) range_overlay(context, scene);
  if (!state.open_choice.empty()) choice_overlay(context, scene);
  sound_overlay(context, scene);
  message_overlay(context, scene);
  if (state.settings) settings_overlay(context, scene);
  if (state.roofline) roofline_overlay(context, scene);
  if (state.help) help_overlay(context, scene);
  switch (state.text_entry.kind) {
    case TextEntry::Kind::GoTo: goto_overlay(context, scene); break;
    case TextEntry::Kind::Open: open_overlay(context, scene); break;
    case TextEntry::Kind::Bookmark: note_overlay(context, scene); break;
    case TextEntry::Kind::Stop: stop_overlay(context, scene); break;
    case TextEntry::Kind::Palette: palette_overlay(context, scene); break;
    case TextEntry::Kind::Value: value_overlay(context, scene); break;
    case TextEntry::Kind::Save: save_overlay(context, scene); break;
    case TextEntry::Kind::Guide: line_overlay(context, scene); break;
    case TextEntry::Kind::Help:
    case TextEntry::Kind::None: break;
  }
  if (state.menu.open()) menu_overlay(context, scene);
  if (!state.asked_to_run.empty()) ask_overlay(context, scene);
  if (state.focus) focus_overlay(context, scene);
  if (state.sketch.open) sketch_overlay(context, scene);
  pen_and_laser(state.presentation, layout.scale / 2, scene);
  scene.set_layer(tooltip_layer);
  tooltip_overlay(context, scene);
  return scene;
}

}  // namespace twiddle
