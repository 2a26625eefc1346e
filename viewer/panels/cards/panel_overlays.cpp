// What is drawn over the panes: the keys, the field to go to a position, an open list, the tooltip, a message.
#include "base/message.h"
#include "viewer/panels/panel_parts.h"
#include "viewer/state/window_layout.h"
#include "viewer/words/twiddle_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace twiddle {
namespace {

// A key as a small cap; returns its width.
float key_cap(Scene& scene, float right, float centre, const std::string& text, float scale) {
  const Font font{Face::Mono, Weight::Regular, 11.5f * scale};
  const float width = std::max(text_width(font, text) + 12 * scale, 22 * scale), height = std::round(20 * scale);
  const Box box{right - width, std::round(centre - height / 2), width, height};
  scene.rect(box.inset(scale / 2), Role::Canvas, {Role::Line, std::max(1.0f, scale)}, 4 * scale);
  scene.text({box.centre().x, baseline(font, centre)}, text, font, Role::Ink, Anchor::Middle);
  return width;
}

Mark background(const std::string& name) { return {.kind = MarkKind::Pane, .command = name}; }

constexpr float help_row = 27, help_head = 34, help_column = 366, help_gap = 24, help_pad = 16, help_top = 46;

// The help's sections in so many columns, each section whole; the tallest column's height in layout units.
struct HelpColumns {
  std::vector<std::vector<HelpSection>> columns;
  float tallest = 0;
  float width() const {
    const auto count = static_cast<float>(columns.size());
    return count * help_column + (count - 1) * help_gap + 2 * help_pad;
  }
  float height() const { return help_top + tallest + help_pad; }
};

HelpColumns help_in_columns(std::size_t count) {
  HelpColumns help;
  const auto height_of = [](const HelpSection& section) {
    return help_head + help_row * static_cast<float>(section.commands.size());
  };
  float total = 0;
  for (const HelpSection& section : help_sections()) total += height_of(section);
  help.columns.emplace_back();
  float filled = 0;
  for (const HelpSection& section : help_sections()) {
    const bool next = help.columns.size() < count && filled > 0 &&
                      filled + height_of(section) / 2 > total / static_cast<float>(count);
    if (next) help.columns.emplace_back(), filled = 0;
    help.columns.back().push_back(section);
    filled += height_of(section);
    help.tallest = std::max(help.tallest, filled);
  }
  return help;
}

/// A card with a text field and, below, a hint or what is wrong. Returns the y under them; `more` is room kept below that.
float field_card(const PanelContext& context, Scene& scene, const std::string& name, const std::string& title,
                 const std::string& keys, const std::string& hint, float width, float more) {
  const WindowState& state = context.state;
  const bool wrong = !state.text_entry.error.empty();
  width = std::min(width, scene.width - context.px(24));
  const std::vector<std::string> lines =
      wrap(context.caption(), wrong ? state.text_entry.error : hint, width - context.px(wrong ? 52 : 32));
  const float height = context.px(78 + 17 * static_cast<float>(std::max<std::size_t>(lines.size(), 1))) +
                       (more > 0 ? more + context.px(12) : 0);
  const Box card{std::round((scene.width - width) / 2), std::round(scene.height * (more > 0 ? 0.1f : 0.22f)),
                 std::round(width), std::round(height)};
  scene.begin_mark(background(name));
  raised_card(context, scene, card);
  label(scene, card.x + context.px(16), card.y + context.px(22), title, context.ui(Weight::SemiBold), Role::Ink,
        width / 2);
  label(scene, card.right() - context.px(16), card.y + context.px(22), keys, context.caption(), Role::Ink2,
        width * 0.6f, Anchor::End);
  scene.end_mark();
  const Box field{card.x + context.px(16), card.y + context.px(38), width - context.px(32), context.px(30)};
  scene.begin_mark(background(text_field_mark), title);
  scene.rect(field.inset(context.px(0.5f)), Role::Canvas, {Role::Ink, context.thin(1.5f)}, context.px(4));
  text_line(context, scene, {field.x + context.px(10), field.y, field.w - context.px(20), field.h},
            state.text_entry.line, context.mono(14));
  scene.end_mark();
  float y = field.bottom() + context.px(15);
  float x = card.x + context.px(16);
  if (wrong) {
    severity_sign(context, scene, Severity::Error, {x + context.px(7), y}, context.px(14));
    x += context.px(20);
  }
  for (const std::string& line : lines) {
    label(scene, x, y, line, context.caption(), Role::Ink2, card.right() - context.px(12) - x);
    y += context.px(17);
  }
  return y - context.px(4);
}

}  // namespace

std::vector<Command> help_shown(const WindowState& state) {
  const auto folded = [](std::string text) {
    for (char& c : text)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
  };
  const std::string typed = folded(state.text_entry.line.text);
  std::vector<Command> shown;
  for (const HelpSection& section : help_sections())
    for (const Command command : section.commands) {
      std::string words = tr(meaning_of(command).data());
      for (const Chord& chord : state.keys.chords(command)) words += " " + display_text(chord);
      if (state.text_entry.kind != TextEntry::Kind::Help || folded(words).find(typed) != std::string::npos)
        shown.push_back(command);
    }
  return shown;
}

void stop_overlay(const PanelContext& context, Scene& scene) {
  field_card(context, scene, "stop", tr("Stop when"), tr("Enter adds it · Esc closes"),
             tr("F[5] · F[5] written · |x| > 10 · nan · item 5 · line 42 · reference · other trace"), context.px(560),
             0);
}

void help_overlay(const PanelContext& context, Scene& scene) {
  const KeyMap& keys = context.state.keys;
  // As many columns as let it be largest; in a small window all of it is drawn smaller rather than any of it cut.
  HelpColumns help;
  float scale = 0;
  for (std::size_t count = 1; count <= help_sections().size(); ++count) {
    HelpColumns candidate = help_in_columns(count);
    const float fits = std::min({context.scale, (scene.width - context.px(16)) / candidate.width(),
                                 (scene.height - context.px(16)) / candidate.height()});
    if (fits > scale) scale = fits, help = std::move(candidate);
  }
  const auto px = [&](float units) { return units * scale; };
  const Box card{std::round((scene.width - px(help.width())) / 2), std::round((scene.height - px(help.height())) / 2),
                 std::round(px(help.width())), std::round(px(help.height()))};
  const auto font = [&](Face face, Weight weight, float size) { return Font{face, weight, px(size)}; };
  const std::vector<Command> fitting = help_shown(context.state);
  scene.begin_mark(background("help"));
  scene.rect({0, 0, scene.width, scene.height}, Role::Canvas).opacity = 0.75f;
  raised_card(context, scene, card);
  const float titled = label(scene, card.x + px(help_pad), card.y + px(26), tr("Keys"),
                             font(Face::Sans, Weight::SemiBold, 18), Role::Ink, card.w / 4);
  const float closes = label(scene, card.right() - px(help_pad), card.y + px(26), tr("Esc closes"),
                             font(Face::Sans, Weight::Regular, 12), Role::Ink2, card.w / 3, Anchor::End);
  scene.end_mark();
  const Box field{card.x + px(help_pad) + titled + px(20), card.y + px(14),
                  std::min(px(300), card.w - titled - closes - px(2 * help_pad + 40)), px(24)};
  if (field.w > px(60)) {
    scene.begin_mark(background(text_field_mark), tr("Keys"));
    scene.rect(field.inset(scale / 2), Role::Canvas, {Role::Ink, std::max(1.0f, scale)}, 4 * scale);
    text_line(context, scene, {field.x + px(8), field.y, field.w - px(16), field.h}, context.state.text_entry.line,
              font(Face::Sans, Weight::Regular, 12.5f), tr("type what you look for"));
    scene.end_mark();
  }
  for (std::size_t c = 0; c < help.columns.size(); ++c) {
    const float left = card.x + px(help_pad + static_cast<float>(c) * (help_column + help_gap)),
                right = left + px(help_column);
    float y = card.y + px(help_top);
    for (const HelpSection& section : help.columns[c]) {
      label(scene, left, y + px(help_head * 0.55f), tr(section.title.data()), font(Face::Sans, Weight::SemiBold, 12),
            Role::Ink, right - left);
      y += px(help_head);
      for (Command command : section.commands) {
        const float centre = y + px(help_row / 2);
        const bool fits = std::find(fitting.begin(), fitting.end(), command) != fitting.end();
        const Mark mark = command_mark(command);
        scene.begin_mark(mark);
        const Box row{left - px(6), y + px(1), right - left + px(12), px(help_row - 2)};
        scene.rect(row, is_hovered(context, mark) ? Role::HoverSoft : Role::Raised, {}, px(3));
        float x = right;
        const std::vector<Chord> chords = keys.chords(command);
        for (auto chord = chords.rbegin(); chord != chords.rend(); ++chord)
          x -= key_cap(scene, x, centre, display_text(*chord), scale) + px(5);
        const bool found = fits && !context.state.text_entry.line.text.empty();
        label(scene, left, centre, tr(meaning_of(command).data()),
              font(Face::Sans, found ? Weight::SemiBold : Weight::Regular, 12.5f),
              found  ? Role::Ink
              : fits ? Role::Ink2
                     : Role::Future,
              x - left - px(8));
        scene.end_mark();
        y += px(help_row);
      }
    }
  }
}

void goto_overlay(const PanelContext& context, Scene& scene) {
  field_card(context, scene, "go-to", tr("Go to"), tr("Enter goes · Esc closes"),
             tr("L3.S2.I1, 8, start, end; item 5, element 3, F[3], twiddle 0.7071"), context.px(420), 0);
}

void note_overlay(const PanelContext& context, Scene& scene) {
  const std::uint64_t step = context.state.cursor.step;
  field_card(context, scene, "note", tr("Note at step {}", count_text(step)), tr("Enter keeps it · Esc closes"),
             tr("It is kept in the trace, and shown on the presenter's screen from this step on."), context.px(520), 0);
}

void value_overlay(const PanelContext& context, Scene& scene) {
  const std::string& field = context.state.text_entry.about;
  const bool signal = field == "signal";
  field_card(context, scene, "value", signal ? tr("Signal") : field, tr("Enter runs it · Esc closes"),
             signal ? tr("ramp, impulse:2, cosine:3, random:7, constant:1, or a file: .csv, .wav, .png")
                    : tr("any value that the algorithm takes"),
             context.px(520), 0);
}

void save_overlay(const PanelContext& context, Scene& scene) {
  const std::string& what = context.state.text_entry.about;
  const std::string title = what == "trace"     ? tr("Save the trace")
                            : what == "picture" ? tr("Save a picture")
                            : what == "handout" ? tr("Save a handout")
                            : what == "sound"   ? tr("Save the sound")
                            : what == "kernel"  ? tr("Save a copy of the kernel")
                                                : tr("Save a film");
  const std::string hint = what == "trace"     ? tr("a trace (.twd), which opens again here and with every command")
                           : what == "picture" ? tr("the diagram at this step, as .png, .svg or .pdf")
                           : what == "handout" ? tr("one page (.html) that steps by itself and opens at this step")
                           : what == "sound"   ? tr("what was heard last, or the signal, as .wav")
                           : what == "kernel"  ? tr("a file of your own: Twiddle's kernels stay as they are")
                           : context.document.bookmarks.size() > 1
                               ? tr("from the first bookmark to the last, as .mp4 or .gif")
                               : tr("the run from its beginning to its end, as .mp4 or .gif");
  field_card(context, scene, "save", title, tr("Enter saves · Esc closes"), hint, context.px(620), 0);
}

void line_overlay(const PanelContext& context, Scene& scene) {
  const TextEntry& entry = context.state.text_entry;
  field_card(context, scene, "line", entry.about, tr("Enter runs it · Esc closes"), entry.hint, context.px(620), 0);
}

void ask_overlay(const PanelContext& context, Scene& scene) {
  const float width = std::min(context.px(560), scene.width - context.px(24));
  const std::string& file = context.state.asked_to_run;
  const std::vector<std::string> lines = wrap(
      context.ui(),
      tr("{} has kernels of its own. Running compiles them and runs them on this machine. Twiddle asks once: until one "
         "of its files changes.",
         file.substr(file.find_last_of('/') + 1)),
      width - context.px(32));
  const float pitch = context.px(20), height = context.px(104) + pitch * static_cast<float>(lines.size());
  const Box card{std::round((scene.width - width) / 2), std::round(scene.height * 0.22f), std::round(width),
                 std::round(height)};
  scene.begin_mark(background("ask"));
  scene.rect({0, 0, scene.width, scene.height}, Role::Canvas).opacity = 0.75f;
  raised_card(context, scene, card);
  const float left = card.x + context.px(16);
  label(scene, left, card.y + context.px(24), tr("Run it?"), context.ui(Weight::SemiBold), Role::Ink, width);
  float y = card.y + context.px(50);
  for (const std::string& line : lines) {
    label(scene, left, y, line, context.ui(), Role::Ink2, width - context.px(20));
    y += pitch;
  }
  scene.end_mark();
  float right = card.right() - context.px(16);
  for (const auto& [command, text, key] : {std::tuple{Command::AgreeToRun, tr("Run it"), "Enter"},
                                           std::tuple{Command::RefuseToRun, tr("Only look"), "Esc"}}) {
    const Font font = context.sans(12.5f, Weight::SemiBold), key_font = context.mono(11);
    const float w = std::round(text_width(font, text) + text_width(key_font, key) + context.px(36));
    const Box box{right - w, card.bottom() - context.px(42), w, context.px(26)};
    const Mark mark = command_mark(command);
    scene.begin_mark(mark, text);
    control_box(context, scene, box, mark);
    scene.text({box.x + context.px(10), baseline(font, box.centre().y)}, text, font);
    scene.text({box.right() - context.px(9), baseline(key_font, box.centre().y)}, key, key_font, Role::Ink3,
               Anchor::End);
    scene.end_mark();
    right = box.x - context.px(10);
  }
}

std::size_t open_rows(const WindowState& state) {
  const float scale = window_layout(state).scale;
  const auto fit =
      static_cast<std::size_t>(std::max(0.0f, (state.height * 0.86f - 150 * scale) / (open_row_height * scale)));
  return std::min(state.open_list.entries.size(), fit);
}

void open_overlay(const PanelContext& context, Scene& scene) {
  const std::vector<OpenEntry>& entries = context.state.open_list.entries;
  const float row = context.px(open_row_height), width = std::min(context.px(620), scene.width - context.px(24));
  const std::size_t visible = open_rows(context.state);
  const double first = std::clamp(static_cast<double>(context.state.scrolled("open") / open_row_height), 0.0,
                                  static_cast<double>(entries.size() - visible));
  const std::vector<Chord> dialog = context.state.keys.chords(Command::OpenByDialog);
  std::string hint = tr("a trace (.twd) or a plan (.toml), by its name or from this list with ↑ ↓");
  if (context.state.has_dialog && !dialog.empty())
    hint += tr("; {}: the desktop's dialog", display_text(dialog.front()));
  float y = field_card(context, scene, "open", tr("Open"), tr("Enter opens · Esc closes"), hint, width,
                       row * static_cast<float>(visible));
  const float left = std::round((scene.width - width) / 2) + context.px(12), right = left + width - context.px(24);
  for (std::size_t i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(first) + visible; ++i) {
    const OpenEntry& entry = entries[i];
    const Mark mark = command_mark(Command::OpenListed, i);
    const Box box{left, y, right - left, row};
    scene.begin_mark(mark, entry.file);
    scene.rect(box, is_hovered(context, mark) ? Role::HoverSoft : Role::Raised, {}, context.px(3));
    if (static_cast<int>(i) == context.state.open_list.chosen)
      scene.rect(box.inset(context.px(1)), Role::None, {Role::Ink, context.px(2)}, context.px(3));
    const std::size_t slash = entry.file.find_last_of('/');
    const std::string name = slash == std::string::npos ? entry.file : entry.file.substr(slash + 1),
                      folder = slash == std::string::npos ? "" : entry.file.substr(0, slash);
    const float aside = text_width(context.caption(), entry.aside), centre = box.centre().y;
    const bool aside_fits = aside < box.w * 0.3f;
    const float room = box.w - context.px(20) - (aside_fits ? aside + context.px(14) : 0);
    const float named =
        label(scene, box.x + context.px(8), centre, name, context.mono(12, Weight::SemiBold), Role::Ink, room);
    if (room - named > context.px(60))
      label(scene, box.x + context.px(8) + named + context.px(12), centre, folder, context.mono(11), Role::Ink2,
            room - named - context.px(12));
    if (aside_fits)
      label(scene, box.right() - context.px(8), centre, entry.aside, context.caption(), Role::Ink2, aside + 1,
            Anchor::End);
    scene.end_mark();
    y += row;
  }
}

void choice_overlay(const PanelContext& context, Scene& scene) {
  const std::string& name = context.state.open_choice;
  const auto field = field_named(context.document, context.state, name);
  if (!field || field->entries.empty()) return;
  // It hangs from its field in the top bar, which is in this scene already.
  Box anchor{context.px(124), 0, context.px(100), context.px(40)};
  for (const Shape2D& shape : scene.shapes) {
    if (shape.mark < 0) continue;
    const Mark& mark = scene.marks[shape.mark].mark;
    if (mark.kind == MarkKind::Choice && mark.command == (field->folded ? more_field : name) &&
        mark.index == static_cast<std::uint64_t>(-1)) {
      anchor = bounds(shape);
      break;
    }
  }
  const Font font = context.mono(12);
  float widest = anchor.w;
  // What entries are called beside their ids begins at one place.
  float ids = 0, asides = 0;
  for (const Entry& entry : field->entries) {
    widest = std::max(widest, text_width(font, entry.shown) + context.px(36));
    if (entry.aside.empty()) continue;
    ids = std::max(ids, text_width(font, entry.shown));
    asides = std::max(asides, text_width(context.caption(), entry.aside));
  }
  if (asides > 0) widest = std::max(widest, ids + asides + context.px(56));
  const float row = context.px(26), room = scene.height - anchor.bottom() - context.px(16);
  const auto visible = std::min<std::size_t>(field->entries.size(),
                                             static_cast<std::size_t>(std::max(1.0f, (room - context.px(8)) / row)));
  const auto found = std::find_if(field->entries.begin(), field->entries.end(),
                                  [&](const Entry& entry) { return entry.id == field->chosen; });
  const auto chosen = static_cast<std::size_t>(found - field->entries.begin());
  const std::size_t from = chosen < field->entries.size() && chosen >= visible ? chosen - visible / 2 : 0;
  const double first = static_cast<double>(from) + static_cast<double>(context.state.scrolled("choice")) / 26;
  const auto begin =
      static_cast<std::size_t>(std::clamp(first, 0.0, static_cast<double>(field->entries.size() - visible)));
  const float width = std::min(widest, scene.width - context.px(16));
  const Box card{
      std::round(std::clamp(anchor.x, context.px(8), std::max(context.px(8), scene.width - width - context.px(8)))),
      std::round(anchor.bottom() + context.px(3)), std::round(width),
      std::round(row * static_cast<float>(visible) + context.px(8))};
  scene.begin_mark({.kind = MarkKind::Pane, .command = "choice"});
  raised_card(context, scene, card);
  scene.end_mark();
  for (std::size_t i = begin; i < begin + visible; ++i) {
    const Mark mark{.kind = MarkKind::Choice, .index = i, .command = name};
    const Box box{card.x + context.px(4), card.y + context.px(4) + static_cast<float>(i - begin) * row,
                  card.w - context.px(8), row};
    scene.begin_mark(mark, field->entries[i].shown);
    const bool hovered = is_hovered(context, mark);
    scene.rect(box, hovered ? Role::HoverSoft : Role::Raised, {}, context.px(3));
    if (i == chosen) scene.circle({box.x + context.px(11), box.centre().y}, context.px(3), Role::Ink);
    label(scene, box.x + context.px(22), box.centre().y, field->entries[i].shown,
          i == chosen ? context.mono(12, Weight::SemiBold) : font, Role::Ink, box.w - context.px(26));
    if (!field->entries[i].aside.empty() && box.w > ids + context.px(90))
      label(scene, box.x + context.px(38) + ids, box.centre().y, field->entries[i].aside, context.caption(), Role::Ink2,
            box.w - ids - context.px(42));
    scene.end_mark();
  }
}

void tooltip_overlay(const PanelContext& context, Scene& scene) {
  if (!context.state.tooltip || !context.state.cursor.hover) return;
  // Nothing over menus and cards, which say all of it.
  if (context.state.menu.open() || context.state.settings || context.state.start.open ||
      context.state.text_entry.kind == TextEntry::Kind::Palette)
    return;
  // Nothing over an open list: its entries are whole, and its field is above it.
  if (!context.state.open_choice.empty() && context.state.cursor.hover->kind == MarkKind::Choice) return;
  std::string words = context.state.hover_label;
  for (const MarkText& candidate : scene.marks)
    if (candidate.mark == *context.state.cursor.hover && !candidate.label.empty()) words = candidate.label;
  if (words.empty()) return;
  // The first line is what it is; the rest says more.
  const float max_width = std::min(context.px(380), scene.width - context.px(32));
  const Font head = context.mono(12, Weight::SemiBold), body = context.caption();
  std::vector<std::pair<std::string, Font>> lines;
  std::size_t begin = 0;
  for (bool first = true; begin <= words.size() && lines.size() < 12; first = false) {
    const std::size_t end = std::min(words.find('\n', begin), words.size());
    for (std::string& line : wrap(first ? head : body, words.substr(begin, end - begin), max_width - context.px(20)))
      lines.emplace_back(std::move(line), first ? head : body);
    begin = end + 1;
  }
  if (lines.empty()) return;
  const float pitch = context.px(18);
  float widest = 0;
  for (const auto& [text, font] : lines) widest = std::max(widest, text_width(font, text));
  const float width = std::min(widest, max_width) + context.px(20),
              height = pitch * static_cast<float>(lines.size()) + context.px(12);
  // Beside the pointer, on the side where there is room.
  const Point at = *context.state.tooltip;
  // Clear of what is pointed at and of the operation at the cursor, where it can be.
  std::vector<Box> spared;
  for (const Shape2D& shape : scene.shapes) {
    if (!std::holds_alternative<BoxShape>(shape.geometry)) continue;
    const Box box = bounds(shape);
    const bool hovered =
        shape.mark >= 0 && scene.marks[static_cast<std::size_t>(shape.mark)].mark == *context.state.cursor.hover;
    if ((hovered || shape.fill == Role::Now) && box.h < context.px(60) && box.w < context.px(240))
      spared.push_back(box);
  }
  const float right = at.x + context.px(14), left = at.x - width - context.px(10);
  const float below = at.y + context.px(18), above = at.y - height - context.px(10);
  Point best{right, below};
  float least = 1e30f;
  for (const Point p : {Point{right, below}, Point{left, below}, Point{right, above}, Point{left, above},
                        Point{right, below + context.px(30)}, Point{right, above - context.px(24)}}) {
    float covered = p.x < context.px(4) || p.x + width > scene.width - context.px(4) || p.y < context.px(4) ||
                            p.y + height > scene.height - context.px(4)
                        ? 1e20f
                        : 0.0f;
    for (const Box& box : spared) {
      const float w = std::min(box.right(), p.x + width) - std::max(box.x, p.x);
      const float h = std::min(box.bottom(), p.y + height) - std::max(box.y, p.y);
      if (w > 0 && h > 0) covered += w * h;
    }
    if (covered < least) least = covered, best = p;
  }
  float x = best.x, y = best.y;
  if (x + width > scene.width - context.px(4)) x = left;
  if (y + height > scene.height - context.px(4)) y = above;
  const Box box{std::round(std::max(context.px(4), x)), std::round(std::max(context.px(4), y)), std::round(width),
                std::round(height)};
  scene.rect(box.inset(context.px(0.75f)), Role::Raised, {Role::Hover, context.thin(1.5f)}, context.px(4));
  float centre = box.y + context.px(6) + pitch / 2;
  for (const auto& [text, font] : lines) {
    sentence_label(scene, box.x + context.px(10), centre, text, font, font == head ? Role::Ink : Role::Ink2,
                   width - context.px(14));
    centre += pitch;
  }
}

void sound_overlay(const PanelContext& context, Scene& scene) {
  const SoundState& sound = context.state.sound;
  const Box diagram = window_layout(context.state).diagram;
  if (!sound.on || diagram.w <= 0 || diagram.h <= 0) return;
  const Font font = context.sans(12, Weight::SemiBold), number = context.mono(11);
  const std::string time = fmt::format("{:.1f} / {:.1f} s", sound.at, sound.seconds);
  const float square = context.px(9), pad = context.px(10), height = context.px(30);
  const float room = diagram.w - context.px(24) - 4 * pad - square - text_width(number, time);
  const std::string name = elide(font, sound.name, std::max(0.0f, room));
  const float width = std::round(4 * pad + square + text_width(font, name) +
                                 text_width(number, fmt::format("{0:.1f} / {0:.1f} s", sound.seconds)));
  const Box box{std::round(diagram.x + context.px(10)), std::round(diagram.bottom() - height - context.px(10)), width,
                height};
  const Mark mark = command_mark(sound.outcome ? Command::HearOutcome : Command::Hear);
  scene.begin_mark(mark, tr("{} is heard: stop it", sound.name));
  raised_card(context, scene, box);
  if (is_hovered(context, mark)) scene.rect(box, Role::None, {Role::Hover, context.thin(2)}, context.px(4));
  const float centre = box.y + height / 2 - context.px(2);
  scene.rect({box.x + pad, centre - square / 2, square, square}, Role::Ink);
  float x = box.x + 2 * pad + square;
  x += label(scene, x, centre, name, font, Role::Ink, width) + pad;
  label(scene, x, centre, time, number, Role::Ink2, width);
  const float share = sound.seconds > 0 ? static_cast<float>(std::clamp(sound.at / sound.seconds, 0.0, 1.0)) : 0;
  const Box bar{box.x + pad, box.bottom() - context.px(6), box.w - 2 * pad, context.px(2)};
  scene.rect(bar, Role::Line);
  scene.rect({bar.x, bar.y, bar.w * share, bar.h}, Role::Ink);
  scene.end_mark();
}

void message_overlay(const PanelContext& context, Scene& scene) {
  if (context.state.message.empty()) return;
  const WindowLayout layout = window_layout(context.state);
  // Over the middle, where it hides no foot of a side pane, such as the editor's.
  const bool middle = layout.right.w > 0 && layout.right.x - layout.left.right() >= context.px(360);
  const float from = middle ? layout.left.right() : 0, to = middle ? layout.right.x : scene.width;
  const float most = std::min(context.px(620), to - from - context.px(32));
  const std::vector<std::string> lines = wrap(context.ui(), context.state.message, most - context.px(32));
  if (lines.empty()) return;
  float widest = 0;
  for (const std::string& line : lines) widest = std::max(widest, text_width(context.ui(), line));
  const float pitch = context.px(20), width = widest + context.px(32),
              height = pitch * static_cast<float>(lines.size()) + context.px(16);
  const float bottom = (layout.scrub.h > 0 ? layout.scrub.y : scene.height) - context.px(12);
  const Box box{std::round((from + to - width) / 2), std::round(bottom - height), std::round(width),
                std::round(height)};
  scene.begin_mark(command_mark(Command::CloseMessage), context.state.message);
  raised_card(context, scene, box);
  float centre = box.y + context.px(8) + pitch / 2;
  for (const std::string& line : lines) {
    sentence_label(scene, box.x + context.px(16), centre, line, context.ui(), Role::Ink, width - context.px(24));
    centre += pitch;
  }
  scene.end_mark();
}

}  // namespace twiddle
