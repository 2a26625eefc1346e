// The menus, the palette, and the ring around what the keyboard has reached.
#include "base/message.h"
#include "base/text.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/state/window_layout.h"

#include <algorithm>
#include <string>

namespace twiddle {
namespace {

using MenuKind = MenuEntry::Kind;

Mark card_mark(const std::string& name) { return {.kind = MarkKind::Pane, .command = name}; }

/// Where the button of a menu is in the scene; nothing when it is not shown.
std::optional<Box> button_of(const Scene& scene, Command command) {
  for (const Shape2D& shape : scene.shapes)
    if (shape.mark >= 0 && scene.marks[shape.mark].mark == command_mark(command)) return bounds(shape);
  return std::nullopt;
}

float caps_width(const PanelContext& context, Command command) {
  const std::vector<Chord> chords = context.state.keys.chords(command);
  if (chords.empty()) return 0;
  Scene aside;
  return -key_caps(context, aside, 0, 0, command);
}

/// What the palette calls a group of entries.
std::string group_name(MenuKind kind) {
  switch (kind) {
    case MenuKind::Position: return tr("Positions");
    case MenuKind::Command: return tr("Commands");
    case MenuKind::Algorithm: return tr("Algorithms");
    case MenuKind::Gallery: return tr("Gallery");
    case MenuKind::Lesson: return tr("Lessons");
    case MenuKind::File: return tr("Files");
    case MenuKind::Setting: return tr("Settings");
    case MenuKind::Submenu: break;
  }
  return {};
}

/// Where a word that was typed begins in a text, without case; npos: nowhere.
std::size_t found_in(const std::string& text, const std::string& word) {
  const auto at = std::search(text.begin(), text.end(), word.begin(), word.end(),
                              [](char a, char b) { return lower_case(a) == lower_case(b); });
  return at == text.end() ? std::string::npos : static_cast<std::size_t>(at - text.begin());
}

/// A text cut to its room, with what was typed bold and underlined in it. Returns its width.
float marked_text(const PanelContext& context, Scene& scene, float x, float centre, const std::string& text,
                  const std::string& typed, Font font, float room) {
  const std::string word = typed.substr(0, typed.find(' '));
  const std::size_t at = word.empty() ? std::string::npos : found_in(text, word);
  Font bold = font;
  bold.weight = Weight::SemiBold;
  if (at == std::string::npos) return label(scene, x, centre, text, font, Role::Ink, room);
  const std::string before = text.substr(0, at), match = text.substr(at, word.size()),
                    after = text.substr(at + word.size());
  const float first = text_width(font, before), second = text_width(bold, match);
  if (first + second > room) return label(scene, x, centre, text, font, Role::Ink, room);
  if (!before.empty()) scene.text({x, baseline(font, centre)}, before, font);
  scene.text({x + first, baseline(bold, centre)}, match, bold);
  scene.rect({x + first, std::round(baseline(bold, centre) + context.px(2.5f)), second, context.thin(1.5f)}, Role::Ink);
  return first + second + label(scene, x + first + second, centre, after, font, Role::Ink, room - first - second);
}

}  // namespace

namespace {

/// Heights of a menu's parts, in layout units.
struct MenuSizes {
  float row = 26, head = 0;
  float height(const std::vector<MenuEntry>& entries) const {
    float units = 8 + head;
    for (const MenuEntry& entry : entries) units += row + (entry.apart ? 9 : 0);
    return units;
  }
};

float menu_width(const PanelContext& context, const std::vector<MenuEntry>& entries, float least) {
  float width = context.px(least);
  for (const MenuEntry& entry : entries)
    width = std::max(width, text_width(context.ui(), entry.text) + caps_width(context, entry.command) + context.px(44));
  return std::round(width);
}

/// The rows of a menu in its card. `command` takes an entry. Returns the box of the entry that `of` is the number of.
Box menu_rows(const PanelContext& context, Scene& scene, const Box& card, float y,
              const std::vector<MenuEntry>& entries, const MenuSizes& sizes, int chosen, Command command, int of = -1) {
  const auto px = [&](float units) { return context.px(units); };
  Box found{};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const MenuEntry& entry = entries[i];
    if (entry.apart) {
      scene.line({card.x + px(1), y + px(4.5f)}, {card.right() - px(1), y + px(4.5f)}, context.divider());
      y += px(9);
    }
    const Box row{card.x + px(4), y, card.w - px(8), px(sizes.row)};
    if (static_cast<int>(i) == of) found = row;
    const Mark mark = command_mark(command, i);
    scene.begin_mark(mark, entry.text);
    const bool lit = is_hovered(context, mark) || static_cast<int>(i) == chosen || static_cast<int>(i) == of;
    scene.rect(row.inset(px(0.75f)), lit ? Role::HoverSoft : Role::Raised,
               lit ? Stroke{Role::Hover, context.thin(1.5f)} : Stroke{}, px(4));
    float keys = key_caps(context, scene, row.right() - px(6), row.centre().y, entry.command);
    if (entry.checked) {
      const Point at{row.right() - px(14), row.centre().y};
      scene.polyline({{at.x - px(4), at.y}, {at.x - px(1), at.y + px(3.5f)}, {at.x + px(4.5f), at.y - px(4)}},
                     {Role::Ink, context.thin(2)});
      keys = row.right() - px(26);
    }
    if (!entry.under.empty()) {
      keys = row.right() - px(20);
      const Point at{row.right() - px(11), row.centre().y};
      const float d = px(3.5f);
      scene.polyline({{at.x - d / 2, at.y - d}, {at.x + d / 2, at.y}, {at.x - d / 2, at.y + d}},
                     {Role::Ink2, context.thin(1.5f)});
    }
    label(scene, row.x + px(8), row.centre().y, entry.text, context.ui(), Role::Ink, keys - row.x - px(12));
    scene.end_mark();
    y += px(sizes.row);
  }
  return found;
}

}  // namespace

void menu_overlay(const PanelContext& context, Scene& scene) {
  const Menu& menu = context.state.menu;
  const bool of_thing = menu.name == "context";
  const MenuSizes sizes{of_thing ? 23.0f : 26.0f, menu.title.empty() ? 0.0f : menu.note.empty() ? 30.0f : 48.0f};
  const float units = sizes.height(menu.entries);
  // In a low window all of it is drawn smaller rather than any of it cut.
  const float above = of_thing ? 8 : 46;
  PanelContext fitted = context;
  fitted.scale = std::min({context.scale,
                           (scene.height - context.px(of_thing ? 16 : 8) - (of_thing ? 0 : context.px(above))) / units,
                           (scene.width - 16) / 236});
  const auto px = [&](float u) { return u * fitted.scale; };
  const float width = std::min(menu_width(fitted, menu.entries, of_thing ? 240 : 236), scene.width - px(16));
  const float height = std::round(px(units));
  Point corner{px(8), context.px(above)};
  if (menu.at) corner = *menu.at;
  if (menu.name == "share")
    if (const auto button = button_of(scene, Command::Share)) corner.x = button->right() - width;
  const auto within = [&](float value, float room, float size) {
    return std::round(std::clamp(value, px(4), std::max(px(4), room - size - px(4))));
  };
  const Box card{within(corner.x, scene.width, width), within(corner.y, scene.height, height), width, height};
  scene.begin_mark(card_mark("menu"));
  raised_card(fitted, scene, card);
  float y = card.y + px(4);
  if (sizes.head > 0) {
    label(scene, card.x + px(12), y + px(15), menu.title, fitted.mono(12.5f, Weight::SemiBold), Role::Ink,
          width - px(24));
    if (!menu.note.empty())
      label(scene, card.x + px(12), y + px(33), menu.note, fitted.caption(), Role::Ink2, width - px(24));
    y += px(sizes.head);
  }
  scene.end_mark();
  const Box from =
      menu_rows(fitted, scene, card, y, menu.entries, sizes, menu.chosen, Command::ChooseEntry, menu.open_under);
  if (from.w <= 0) return;
  // Beside its entry; where there is no room at the right, over the menu.
  const std::vector<MenuEntry>& under = menu.entries[static_cast<std::size_t>(menu.open_under)].under;
  const MenuSizes rows;
  PanelContext small = fitted;
  small.scale = std::min(fitted.scale, (scene.height - px(8)) / rows.height(under));
  const float wide = std::min(menu_width(small, under, 200), scene.width - px(16)),
              high = std::round(small.px(rows.height(under)));
  const Box beside{within(card.right() + px(2), scene.width, wide), within(from.y - px(4), scene.height, high), wide,
                   high};
  scene.begin_mark(card_mark("menu"));
  raised_card(small, scene, beside);
  scene.end_mark();
  menu_rows(small, scene, beside, beside.y + small.px(4), under, rows, menu.chosen_under, Command::ChooseUnder);
}

void palette_overlay(const PanelContext& context, Scene& scene) {
  const WindowState& state = context.state;
  const std::vector<MenuEntry>& found = state.palette.found;
  constexpr float row_units = 30, head_units = 46, foot_units = 34, group_units = 92;
  const float width = std::round(std::min(context.px(544), scene.width - context.px(16)));
  const float top = std::min(context.px(50), scene.height * 0.06f), room = scene.height - top - context.px(12);
  const float head = context.px(head_units), foot = context.px(foot_units), row = context.px(row_units);
  const auto fits = static_cast<std::size_t>(std::max(1.0f, (room - head - foot - context.px(12)) / row));
  const std::size_t visible = std::min({found.size(), fits, std::size_t(12)});
  // The chosen one is in the middle, where there are more than fit.
  const auto chosen = static_cast<std::size_t>(std::max(0, state.palette.chosen));
  const std::size_t first = std::min(chosen > visible / 2 ? chosen - visible / 2 : 0, found.size() - visible);
  const float rows = std::max(row, static_cast<float>(visible) * row);
  const float height = std::round(std::min(head + rows + foot + context.px(12), room));
  // Over the inspector, so that the current operation is seen; over the middle of the start page.
  const float x = state.start.open ? (scene.width - width) / 2 : scene.width - width - context.px(8);
  const Box card{std::round(x),
                 std::round(state.start.open ? std::min(context.px(140), scene.height - height - context.px(8)) : top),
                 width, height};
  scene.begin_mark(card_mark("palette"));
  if (state.start.open) scene.rect({0, 0, scene.width, scene.height}, Role::Canvas).opacity = 0.6f;
  raised_card(context, scene, card);
  const float middle = card.y + head / 2;
  lens(scene, {card.x + context.px(22), middle}, context.px(18), Role::Ink2);
  const std::string count = tr("{} found", found.size());
  const float counted =
      label(scene, card.right() - context.px(16), middle, count, context.caption(), Role::Ink2, width / 3, Anchor::End);
  scene.line({card.x, card.y + head}, {card.right(), card.y + head}, context.divider());
  scene.line({card.x, card.bottom() - foot}, {card.right(), card.bottom() - foot}, context.divider());
  scene.end_mark();
  const Box field{card.x + context.px(42), card.y + context.px(6), width - context.px(66) - counted,
                  head - context.px(12)};
  scene.begin_mark(card_mark(text_field_mark), tr("Find"));
  scene.rect(field, Role::None);
  text_line(context, scene, field, state.text_entry.line, context.mono(15),
            tr("a command, an algorithm, a lesson, a bug, a file, a place"));
  scene.end_mark();

  float y = card.y + head + context.px(6);
  const bool grouped = width > context.px(400);
  const float left = card.x + (grouped ? context.px(group_units) : context.px(8));
  for (std::size_t i = first; i < first + visible; ++i) {
    const MenuEntry& entry = found[i];
    const float centre = y + row / 2;
    if (grouped && (i == first || found[i - 1].kind != entry.kind))
      label(scene, card.x + context.px(16), centre, group_name(entry.kind), context.caption(), Role::Ink3,
            left - card.x - context.px(20));
    const Mark mark = command_mark(Command::ChooseFound, i);
    const bool on = i == chosen;
    const Box box{left, y, card.right() - left - context.px(8), row};
    scene.begin_mark(mark, entry.text);
    scene.rect(box.inset(context.px(1.5f)), on || is_hovered(context, mark) ? Role::HoverSoft : Role::Raised,
               on ? Stroke{Role::Hover, context.thin(1.5f)} : Stroke{}, context.px(4));
    float right = box.right() - context.px(8);
    if (entry.kind == MenuKind::Command) right = key_caps(context, scene, right, centre, entry.command) - context.px(6);
    const Font font =
        entry.kind == MenuKind::Position || entry.kind == MenuKind::File ? context.mono(12.5f) : context.ui();
    const float text = box.x + context.px(10);
    const float used =
        marked_text(context, scene, text, centre, entry.text, state.text_entry.line.text, font, right - text);
    if (right - text - used > context.px(60) && !entry.aside.empty())
      label(scene, text + used + context.px(10), centre, entry.aside, context.caption(), Role::Ink2,
            right - text - used - context.px(10));
    scene.end_mark();
    y += row;
  }
  if (found.empty())
    label(scene, left, y + row / 2, tr("Nothing is called so."), context.ui(), Role::Ink2,
          card.right() - left - context.px(12));
  label(scene, card.x + context.px(16), card.bottom() - foot / 2,
        tr("↑ ↓ choose: shown behind · Enter does it · Esc back"), context.caption(), Role::Ink2,
        width - context.px(32));
}

void focus_overlay(const PanelContext& context, Scene& scene) {
  // The first shape of a control is its box.
  for (auto shape = scene.shapes.rbegin(); shape != scene.shapes.rend(); ++shape) {
    if (shape->mark < 0 || scene.marks[shape->mark].mark != *context.state.focus) continue;
    Box box = bounds(*shape);
    for (auto other = shape; other != scene.shapes.rend(); ++other) {
      if (other->mark < 0 || scene.marks[other->mark].mark != *context.state.focus) continue;
      const Box more = bounds(*other);
      const float right = std::max(box.right(), more.right()), bottom = std::max(box.bottom(), more.bottom());
      box.x = std::min(box.x, more.x), box.y = std::min(box.y, more.y);
      box.w = right - box.x, box.h = bottom - box.y;
    }
    const float gap = context.px(3);
    Box ring = box.inset(-gap);
    // At the window's edge the ring is inside.
    ring.x = std::max(ring.x, context.px(1)), ring.y = std::max(ring.y, context.px(1));
    ring.w = std::min(ring.w, scene.width - ring.x - context.px(1)),
    ring.h = std::min(ring.h, scene.height - ring.y - context.px(1));
    scene.rect(ring, Role::None, {Role::Ink, context.thin(2)}, context.px(6));
    return;
  }
}

}  // namespace twiddle
