// Menus and the palette: what is in them, what choosing an entry does, and what it shows before it is chosen.
#include "base/error.h"
#include "base/text.h"
#include "base/tr.h"
#include "kernels/catalogue/catalogue.h"
#include "tracer/replay/position.h"
#include "viewer/control/window_control.h"
#include "viewer/document/flow.h"
#include "viewer/facts/links.h"
#include "viewer/facts/search.h"
#include "viewer/scene/languages.h"
#include "viewer/state/guide.h"
#include "viewer/words/operation_text.h"

#include <algorithm>
#include <utility>

namespace twiddle {
namespace {

using Kind = MenuEntry::Kind;

constexpr std::size_t max_found = 200;

/// A command's meaning as a menu has it: with a capital letter.
std::string title_of(Command command) {
  std::string text = tr(meaning_of(command).data());
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

MenuEntry entry_of(Command command, bool apart = false) {
  return {.kind = Kind::Command,
          .command = command,
          .id = std::string(name_of(command)),
          .text = title_of(command),
          .apart = apart};
}

/// How well an entry fits words that were typed: all are in it; 3 for each that begins its text, 2 for one that begins a word
/// of it, 1 for one inside. 0: it does not fit.
int fit(const MenuEntry& entry, const std::vector<std::string>& words) {
  int sum = 0;
  const std::string text = lower_case(entry.text), rest = lower_case(entry.id + " " + entry.aside);
  for (const std::string& word : words) {
    int best = 0;
    for (std::size_t at = text.find(word); at != std::string::npos && best < 3; at = text.find(word, at + 1))
      best = std::max(best, at == 0 ? 3 : text[at - 1] == ' ' || text[at - 1] == '-' ? 2 : 1);
    if (best == 0 && rest.find(word) != std::string::npos) best = 1;
    if (best == 0) return 0;
    sum += best;
  }
  return sum + 1;
}

struct MenuRow {
  Command command;
  bool apart = false;
};
constexpr MenuRow go_menu[] = {{Command::GoTo},
                               {Command::GoToWriter},
                               {Command::GoToReader},
                               {Command::NextFinding, true},
                               {Command::PreviousFinding},
                               {Command::ToggleBookmark, true},
                               {Command::EditBookmark},
                               {Command::NextBookmark},
                               {Command::History, true},
                               {Command::StopWhen},
                               {Command::NextStop},
                               {Command::Back, true},
                               {Command::Forward}};

constexpr MenuRow kernel_menu[] = {{Command::EditSource},   {Command::RunEdited},          {Command::SaveKernel},
                                   {Command::RevertSource}, {Command::SearchRepair, true}, {Command::TryRepair},
                                   {Command::CopyRepair},   {Command::Undo, true},         {Command::NextRun},
                                   {Command::PreviousRun},  {Command::CompareRuns},        {Command::CloseRun}};

constexpr MenuRow view_menu[] = {{Command::NextView},       {Command::PreviousView},    {Command::ZoomIn, true},
                                 {Command::ZoomOut},        {Command::ZoomReset},       {Command::ZoomNow},
                                 {Command::LogScale, true}, {Command::NextCosts},       {Command::Hear, true},
                                 {Command::HearOutcome},    {Command::NextTheme, true}, {Command::ScaleUp},
                                 {Command::ScaleDown},      {Command::Roofline, true}};

constexpr MenuRow present_menu[] = {{Command::Present},     {Command::Fullscreen},  {Command::PresenterNotes},
                                    {Command::SwapScreens}, {Command::Laser, true}, {Command::Spotlight},
                                    {Command::Blank}};

constexpr MenuRow share_menu[] = {{Command::CopyPicture},     {Command::CopySvg},     {Command::CopyEquation, true},
                                  {Command::CopyTikz},        {Command::CopyTable},   {Command::CopyCommand, true},
                                  {Command::SaveTrace, true}, {Command::SavePicture}, {Command::SaveHandout},
                                  {Command::SaveFilm},        {Command::SaveSound}};

constexpr MenuRow context_menu[] = {{Command::EditSource},      {Command::GoToWriter},  {Command::GoToReader},
                                    {Command::Pin, true},       {Command::Hear},        {Command::ToggleBookmark},
                                    {Command::CopyValue, true}, {Command::CopyPicture}, {Command::CopyEquation},
                                    {Command::CopyTikz},        {Command::CopyTable}};

/// Of pictures that are copied and saved: its id in the menu, and what it says.
struct ShareSwitch {
  const char* id;
  const char* text;
  bool ShareOptions::*on;
};
constexpr ShareSwitch share_switches[] = {
    {"share:trim", translatable("Pictures: cut to the drawing"), &ShareOptions::trim},
    {"share:column", translatable("Pictures: as wide as a column, 85 mm"), &ShareOptions::column},
    {"share:outlined", translatable("SVG: letters as outlines"), &ShareOptions::outlined}};

struct Setting {
  const char* id;
  const char* text;
};
constexpr Setting settings[] = {{"theme:light", translatable("Theme: light")},
                                {"theme:dark", translatable("Theme: dark")},
                                {"theme:projector", translatable("Theme: projector")},
                                {"language:en", "English"},
                                {"language:ja", "日本語"},
                                {"language:zh", "简体中文"}};

}  // namespace

/// Opens a menu, or closes it when it is the one that is open.
void WindowControl::open_menu(const std::string& name, std::optional<Point> at) {
  Menu menu{.name = name, .at = at};
  const auto entries = [](const auto& commands) {
    std::vector<MenuEntry> list;
    for (const auto& [one, apart] : commands) list.push_back(entry_of(one, apart));
    return list;
  };
  const auto sharing = [&] {
    std::vector<MenuEntry> list = entries(share_menu);
    for (const ShareSwitch& one : share_switches)
      list.push_back({.kind = Kind::Setting,
                      .id = one.id,
                      .text = tr(one.text),
                      .apart = &one == share_switches,
                      .checked = state_.share.*one.on});
    return list;
  };
  const auto submenu = [](const std::string& text, std::vector<MenuEntry> under, bool apart = false) {
    return MenuEntry{.kind = Kind::Submenu, .text = text, .apart = apart, .under = std::move(under)};
  };
  if (name == "menu")
    menu.entries = {entry_of(Command::Open),
                    submenu(tr("Share"), sharing()),
                    entry_of(Command::RunAgain),
                    submenu(tr("Kernel and runs"), entries(kernel_menu)),
                    entry_of(Command::Course, true),
                    entry_of(Command::LeaveLesson),
                    entry_of(Command::Palette),
                    submenu(tr("Go to"), entries(go_menu), true),
                    submenu(tr("View"), entries(view_menu)),
                    submenu(tr("Present"), entries(present_menu)),
                    entry_of(Command::Predict),
                    entry_of(Command::Settings, true),
                    entry_of(Command::Help),
                    entry_of(Command::StartPage)};
  else
    menu.entries = sharing();
  state_.open_choice.clear();
  state_.menu = std::move(menu);
}

void WindowControl::open_context_menu(const MarkText& mark, Point at) {
  Menu menu{.name = "context", .at = at, .about = mark.mark};
  const std::size_t end = mark.label.find('\n');
  menu.title = mark.label.substr(0, end);
  if (end != std::string::npos) menu.note = mark.label.substr(end + 1, mark.label.find('\n', end + 1) - end - 1);
  const MarkKind kind = mark.mark.kind;
  const bool element = kind == MarkKind::Element, operation = kind == MarkKind::Operation;
  for (const auto& [one, apart] : context_menu) {
    if (one == Command::GoToReader && !element) continue;
    if (one == Command::Hear && (!element || !state_.can_hear)) continue;
    if (one == Command::GoToWriter && step_of(mark.mark) == 0) continue;
    if (one == Command::EditSource && (kind != MarkKind::Line || !state_.can_run)) continue;
    if (one == Command::Pin && !element && !operation && kind != MarkKind::Item && kind != MarkKind::Line) continue;
    menu.entries.push_back(entry_of(one, apart && !menu.entries.empty()));
  }
  state_.open_choice.clear();
  state_.menu = std::move(menu);
  state_.tooltip.reset();
  touch();
}

void WindowControl::press_right(const MarkText* mark, Point at) {
  state_.menu = {};
  touch();
  if (!mark || state_.covered() || state_.blank) return;
  const MarkKind kind = mark->mark.kind;
  if (kind == MarkKind::None || kind == MarkKind::Command || kind == MarkKind::Choice || kind == MarkKind::Scrub)
    return;
  if (kind == MarkKind::Pane && mark->mark.command != "diagram") return;
  // The background of the diagram is about the operation at the cursor.
  MarkText about = *mark;
  if (kind == MarkKind::Pane) {
    if (state_.cursor.step == 0) return;
    const Operation now = document_->replay->operation(state_.cursor.step);
    about = {operation_mark(now, static_cast<int>(document_->replay->segment_of(now.step))),
             sentence(document_->info(), now)};
  }
  open_context_menu(about, at);
}

/// The entry whose submenu is open; null: none is.
const MenuEntry* WindowControl::open_submenu() const {
  const Menu& menu = state_.menu;
  if (menu.open_under < 0 || menu.open_under >= static_cast<int>(menu.entries.size())) return nullptr;
  return &menu.entries[static_cast<std::size_t>(menu.open_under)];
}

/// Opens the submenu of an entry, with its first entry chosen or none; of one that has none, closes what is open.
void WindowControl::open_under(int entry, bool chosen) {
  Menu& menu = state_.menu;
  const bool has = entry >= 0 && entry < static_cast<int>(menu.entries.size()) &&
                   !menu.entries[static_cast<std::size_t>(entry)].under.empty();
  const int open = has ? entry : -1;
  if (menu.open_under == open && !chosen) return;
  menu.open_under = open;
  menu.chosen_under = has && chosen ? 0 : -1;
  touch();
}

bool WindowControl::menu_key(const Chord& chord) {
  Menu& menu = state_.menu;
  if (const MenuEntry* open = open_submenu(); open && menu.chosen_under >= 0) {
    const auto under = static_cast<int>(open->under.size());
    if (chord.key == "Up" || chord.key == "Down") {
      menu.chosen_under = (menu.chosen_under + (chord.key == "Up" ? -1 : 1) + under) % under;
    } else if (chord.key == "Left" || chord.key == "Escape") {
      open_under(-1, false);
    } else if (chord.key == "Enter") {
      take(MenuEntry(open->under[static_cast<std::size_t>(menu.chosen_under)]));
    } else {
      return command_key(chord);
    }
    touch();
    return true;
  }
  if (chord.key == "Right" && menu.chosen >= 0 && !menu.entries[static_cast<std::size_t>(menu.chosen)].under.empty()) {
    open_under(menu.chosen, true);
    return true;
  }
  const auto count = static_cast<int>(menu.entries.size());
  if (chord.key == "Up" || chord.key == "Down") {
    const int by = chord.key == "Up" ? -1 : 1;
    menu.chosen = menu.chosen < 0 ? (by > 0 ? 0 : count - 1) : (menu.chosen + by + count) % count;
  } else if (chord.key == "Home" || chord.key == "End") {
    menu.chosen = chord.key == "Home" ? 0 : count - 1;
  } else if (chord.key == "Enter" && menu.chosen >= 0) {
    take(MenuEntry(menu.entries[static_cast<std::size_t>(menu.chosen)]));
  } else {
    return command_key(chord);
  }
  touch();
  return true;
}

void WindowControl::take(const MenuEntry& entry) {
  if (entry.id.starts_with("share:")) {
    for (const ShareSwitch& one : share_switches)
      if (entry.id == one.id) state_.share.*one.on ^= true;
    const Menu open = state_.menu;
    open_menu(open.name, open.at);  // as it is now
    state_.menu.open_under = open.open_under;
    return touch();
  }
  if (entry.kind == Kind::Submenu) {
    const auto at = std::find(state_.menu.entries.begin(), state_.menu.entries.end(), entry);
    return open_under(static_cast<int>(at - state_.menu.entries.begin()), true);
  }
  about_ = state_.menu.about;
  if (state_.text_entry.kind == TextEntry::Kind::Palette) end_palette(true);
  state_.menu = {};
  const auto run = [&](const std::string& field, const std::string& id) {
    state_.start.open = false;
    try {
      if (actions_.choose) actions_.choose(field, id);
    } catch (const Error& error) { state_.message = error.message().translated(); }
  };
  switch (entry.kind) {
    case Kind::Command: command(entry.command); break;
    case Kind::Position:
      state_.start.open = false;
      try {
        const Found found = search(*document_, entry.id, playback_.step());
        jump(found.step);
        if (found.pin) state_.cursor.pinned = found.pin;
      } catch (const Error& error) { state_.message = error.message().translated(); }
      break;
    case Kind::Algorithm:
    case Kind::Gallery: run("algorithm", entry.id); break;
    case Kind::Lesson:
      state_.start.open = false;
      if (actions_.lesson) actions_.lesson(entry.id);
      break;
    case Kind::File: open(entry.id); break;
    case Kind::Setting:
      if (const auto name = theme_named(entry.id.substr(entry.id.find(':') + 1));
          entry.id.starts_with("theme:") && name)
        set_theme(*name);
      if (entry.id.starts_with("language:")) set_language(language_of(entry.id.substr(entry.id.find(':') + 1)));
      break;
    case Kind::Submenu: break;
  }
  about_.reset();
  touch();
}

// ---- The palette ----

/// What fits what is typed, group by group, the best of each first.
void WindowControl::find_entries() {
  std::vector<std::pair<int, MenuEntry>> fitting;
  const std::string typed = lower_case(state_.text_entry.line.text);
  std::vector<std::string> words;
  for (std::size_t at = 0; at < typed.size();) {
    const std::size_t end = std::min(typed.find(' ', at), typed.size());
    if (end > at) words.push_back(typed.substr(at, end - at));
    at = end + 1;
  }
  const auto offer = [&](MenuEntry entry) {
    if (const int how_well = fit(entry, words); how_well > 0) fitting.emplace_back(how_well, std::move(entry));
  };
  if (!words.empty()) {
    try {
      const Found found = search(*document_, state_.text_entry.line.text, playback_.step());
      MenuEntry entry{.kind = Kind::Position, .id = state_.text_entry.line.text, .text = tr("start")};
      if (found.step > 0) {
        const Operation there = document_->replay->operation(found.step);
        entry.text = to_string(position_of(there));
        entry.aside = sentence(document_->info(), there);
      }
      fitting.emplace_back(1, std::move(entry));
    } catch (const Error&) {  // then it is no position
    }
  }
  for (int i = 1; i < command_count; ++i)
    if (const auto command = static_cast<Command>(i); command != Command::Palette && command != Command::Leave)
      offer(entry_of(command));
  for (const Algorithm& algorithm : algorithms())
    offer({.kind = Kind::Algorithm, .id = algorithm.id, .text = tr(algorithm.title.c_str()), .aside = algorithm.id});
  for (const Algorithm& algorithm : gallery())
    offer({.kind = Kind::Gallery, .id = algorithm.id, .text = tr(algorithm.title.c_str()), .aside = algorithm.id});
  for (const LessonEntry& lesson : state_.lessons)
    offer({.kind = Kind::Lesson,
           .id = lesson.id,
           .text = lesson.title,
           .aside = lesson.done ? tr("lesson {}, done", lesson.number)
                                : tr("lesson {}, {} min", lesson.number, lesson.minutes)});
  if (actions_.openable) {
    for (const OpenEntry& file : actions_.openable(state_.open_list.folder.empty() ? "." : state_.open_list.folder))
      if (file.file.ends_with(".twd") || file.file.ends_with(".toml"))
        offer({.kind = Kind::File,
               .id = file.file,
               .text = file.file.substr(file.file.find_last_of('/') + 1),
               .aside = file.aside});
  }
  for (const Setting& setting : settings) offer({.kind = Kind::Setting, .id = setting.id, .text = tr(setting.text)});
  std::stable_sort(fitting.begin(), fitting.end(), [&](const auto& a, const auto& b) {
    if (a.second.kind != b.second.kind) return a.second.kind < b.second.kind;
    return a.first > b.first;
  });
  if (fitting.size() > max_found) fitting.resize(max_found);
  state_.palette = {};
  for (auto& [how_well, entry] : fitting) state_.palette.found.push_back(std::move(entry));
  // The best of all is the one that Enter takes; nothing typed, the first.
  int best = 0;
  for (std::size_t i = 0; i < fitting.size() && !words.empty(); ++i)
    if (fitting[i].first > best) best = fitting[i].first, state_.palette.chosen = static_cast<int>(i);
  if (!state_.palette.found.empty() && state_.palette.found.front().kind == Kind::Position) state_.palette.chosen = 0;
  preview();
}

/// Shows behind the palette what the chosen entry leads to.
void WindowControl::preview() {
  if (theme_before_) state_.theme = *theme_before_;
  state_.cursor.hover.reset();
  const Palette& palette = state_.palette;
  if (palette.found.empty()) return;
  const MenuEntry& entry = palette.found[static_cast<std::size_t>(palette.chosen)];
  if (entry.kind == Kind::Setting && entry.id.starts_with("theme:")) {
    if (!theme_before_) theme_before_ = state_.theme;
    state_.theme = theme_named(entry.id.substr(6)).value_or(state_.theme);
  } else if (entry.kind == Kind::Position) {
    try {
      const Found found = search(*document_, entry.id, playback_.step());
      if (found.step > 0)
        state_.cursor.hover = operation_mark(document_->replay->operation(found.step),
                                             static_cast<int>(document_->replay->segment_of(found.step)));
    } catch (const Error&) {  // it was a position a moment ago: then nothing is shown
    }
  }
}

/// Closes it; unless an entry was taken, all is as it was.
void WindowControl::end_palette(bool keep) {
  if (!keep && theme_before_) state_.theme = *theme_before_;
  theme_before_.reset();
  state_.cursor.hover.reset();
  state_.text_entry = {};
  state_.palette = {};
}

// ---- What a command of a menu is about ----

std::optional<Mark> WindowControl::target() const {
  const auto counts = [](const std::optional<Mark>& mark) {
    return mark && mark->kind != MarkKind::Command && mark->kind != MarkKind::Choice && mark->kind != MarkKind::Pane &&
           mark->kind != MarkKind::Scrub;
  };
  for (const std::optional<Mark>* mark : {&about_, &state_.cursor.hover, &state_.focus, &state_.cursor.pinned})
    if (counts(*mark)) return *mark;
  return std::nullopt;
}

void WindowControl::go_to_reader() {
  const auto mark = target();
  if (!mark || mark->kind != MarkKind::Element || mark->side != 0) return;
  const BufferInfo* buffer = document_->info().buffer(mark->buffer);
  if (!buffer) return;
  // Of an element as it is after a segment, the reader after that segment; else the one after the cursor.
  const auto& segments = document_->info().segments;
  const std::uint64_t from = mark->segment >= 0 && static_cast<std::size_t>(mark->segment) < segments.size()
                                 ? segments[static_cast<std::size_t>(mark->segment)].end_step() - 1
                             : mark->segment < 0 ? 0
                                                 : playback_.step();
  if (const std::uint64_t reader = next_reader(*document_, mark->buffer, mark->index, mark->item, from); reader > 0)
    jump(reader);
  else
    state_.message = tr("No operation reads {}[{}] after this.", buffer->name, mark->index);
}

// ---- The keyboard's focus ----

void WindowControl::move_focus(const Scene& scene, int by) {
  std::vector<Mark> stops;
  for (const std::size_t index : scene.paint_order()) {
    const Shape2D& shape = scene.shapes[index];
    if (shape.mark < 0) continue;
    const Mark& mark = scene.marks[static_cast<std::size_t>(shape.mark)].mark;
    const bool control = mark.kind == MarkKind::Command || mark.kind == MarkKind::Choice ||
                         mark.kind == MarkKind::Launch || mark.kind == MarkKind::Finding ||
                         mark.kind == MarkKind::Bookmark;
    // Only what can be pressed: the topmost thing there.
    if (!control || std::find(stops.begin(), stops.end(), mark) != stops.end()) continue;
    const MarkText* top = scene.hit(bounds(shape).centre(), 0);
    if (top && top->mark == mark) stops.push_back(mark);
  }
  touch();
  if (stops.empty()) return state_.focus.reset();
  const auto here = state_.focus ? std::find(stops.begin(), stops.end(), *state_.focus) : stops.end();
  const auto count = static_cast<std::ptrdiff_t>(stops.size());
  const std::ptrdiff_t at =
      here == stops.end() ? (by > 0 ? 0 : count - 1) : (here - stops.begin() + by + count) % count;
  state_.focus = stops[static_cast<std::size_t>(at)];
}

}  // namespace twiddle
