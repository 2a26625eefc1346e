// The window's text field: where to go, which trace to open, what to note at a bookmark.
#include "base/error.h"
#include "base/tr.h"
#include "viewer/compare/comparison.h"
#include "viewer/control/window_control.h"
#include "viewer/facts/search.h"
#include "viewer/panels/panels.h"
#include "viewer/views/cost_strips.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace fs = std::filesystem;

namespace twiddle {

void WindowControl::open_text_entry(TextEntry::Kind kind, const std::string& text) {
  // What is in it is selected: typing begins anew, the arrows go on with it.
  state_.text_entry = {.kind = kind, .line = TextLine::selected(text)};
  state_.help = false;
  state_.menu = {};
  state_.open_choice.clear();
}

bool WindowControl::character(char32_t code_point) {
  if (std::exchange(letter_follows_, false)) return true;
  if (state_.start.open && !state_.typing() && !state_.menu.open() && state_.asked_to_run.empty()) {
    // Typing goes to the search from anywhere, but for the keys of the cards and of the help.
    if ((code_point >= '1' && code_point <= '5') || code_point == '?' || code_point == '/' || code_point <= ' ')
      return false;
    command(Command::Palette);
  }
  if (!state_.typing() && editing()) {
    type_text(utf8_of(code_point));
    return true;
  }
  if (!state_.typing()) return false;
  state_.text_entry.line.insert(code_point);
  text_changed();
  return true;
}

/// A key while a text is typed: the text's own, or one of the few that leave it.
bool WindowControl::text_key(const Chord& chord) {
  TextLine& line = state_.text_entry.line;
  const Command asked = state_.keys.command(chord);
  if (chord.key == "Escape" || (state_.help && asked == Command::Help)) {
    command(Command::Leave);
  } else if (chord.key == "Enter") {
    enter(std::string(line.text));
  } else if (chord.key == "Up" || chord.key == "Down") {
    choose_entry(chord.key == "Up" ? -1 : 1);
  } else if (chord.ctrl && (chord.key == "C" || chord.key == "X")) {
    if (actions_.copy && !line.selection().empty()) actions_.copy(line.selection());
    if (chord.key == "X" && !line.selection().empty()) line.insert(std::string_view()), text_changed();
  } else if (chord.ctrl && chord.key == "V") {
    if (actions_.paste) line.insert(actions_.paste()), text_changed();
  } else if (asked == Command::OpenByDialog && state_.text_entry.kind == TextEntry::Kind::Open) {
    command(asked);
  } else {
    const std::string before = line.text;
    if (line.edit(chord) && line.text != before) text_changed();
  }
  touch();
  return true;
}

void WindowControl::text_changed() {
  state_.text_entry.error.clear();
  if (state_.text_entry.kind == TextEntry::Kind::Palette) find_entries();
  if (state_.text_entry.kind == TextEntry::Kind::Open) state_.open_list.chosen = -1;
  touch();
}

void WindowControl::ask_for_line(const std::string& title, const std::string& hint, const std::string& text) {
  open_text_entry(TextEntry::Kind::Guide, text);
  state_.text_entry.about = title;
  state_.text_entry.hint = hint;
  touch();
}

void WindowControl::enter(const std::string& text) {
  switch (state_.text_entry.kind) {
    case TextEntry::Kind::GoTo: return go_to(text);
    case TextEntry::Kind::Open: return open(text);
    case TextEntry::Kind::Palette:
      if (const Palette& palette = state_.palette; !palette.found.empty())
        take(MenuEntry(palette.found[static_cast<std::size_t>(palette.chosen)]));
      return;
    case TextEntry::Kind::Help: {
      // The first that fits, as the help shows them.
      const std::vector<Command> shown = help_shown(state_);
      if (text.empty() || shown.empty()) return;
      state_.help = false, state_.text_entry = {};
      return command(shown.front());
    }
    case TextEntry::Kind::Value: {
      const std::string field = state_.text_entry.about;
      try {
        if (actions_.choose) actions_.choose(field, text);
        state_.text_entry = {};
      } catch (const Error& error) { state_.text_entry.error = error.message().translated(); }
      return touch();
    }
    case TextEntry::Kind::Save: return save(text);
    case TextEntry::Kind::Guide:
      try {
        if (actions_.guide_typed) actions_.guide_typed(text);
        state_.text_entry = {};
      } catch (const Error& error) { state_.text_entry.error = error.message().translated(); }
      return touch();
    case TextEntry::Kind::Bookmark:
      try {
        keep_bookmark(text, true);
        state_.text_entry = {};
      } catch (const Error& error) { state_.text_entry.error = error.message().translated(); }
      return touch();
    case TextEntry::Kind::Stop: return add_stop(text);
    case TextEntry::Kind::None: return;
  }
}

/// The text at the bookmark here; entering it makes one where there is none.
void WindowControl::edit_bookmark() {
  const auto& list = document_->bookmarks;
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const auto& bookmark) { return bookmark.step == state_.cursor.step; });
  open_text_entry(TextEntry::Kind::Bookmark, found == list.end() ? std::string() : found->note);
}

void WindowControl::go_to(const std::string& text) {
  try {
    const Found found = search(*document_, text, playback_.step());
    jump(found.step);
    if (const auto position = parse_position(text); position && position->turn > 0) {
      state_.step_by = StepBy::SubGroup;
      const TurnPlace place = find_turn(*document_->trace, text);
      seek(place.step, place.made);
    }
    if (found.pin) state_.cursor.pinned = found.pin;
    state_.text_entry = {};
  } catch (const Error& error) { state_.text_entry.error = error.message().translated(); }
  touch();
}

void WindowControl::begin_opening() {
  if (!actions_.open) {
    state_.message = tr("Nothing else can be opened from here.");
    return;
  }
  std::error_code failed;
  if (state_.open_list.folder.empty()) state_.open_list.folder = fs::current_path(failed).string();
  browse(state_.open_list.folder);
}

/// Offers what is in a folder.
void WindowControl::browse(const std::string& folder) {
  open_text_entry(TextEntry::Kind::Open);
  state_.open_list = {folder, actions_.openable ? actions_.openable(folder) : std::vector<OpenEntry>()};
  state_.scroll.erase("open");
}

void WindowControl::choose_entry(int by) {
  if (state_.text_entry.kind == TextEntry::Kind::Palette) {
    const auto found = static_cast<int>(state_.palette.found.size());
    if (found == 0) return;
    state_.palette.chosen = (state_.palette.chosen + by + found) % found;
    preview();
    return touch();
  }
  int& chosen = state_.open_list.chosen;
  const auto count = static_cast<int>(state_.open_list.entries.size());
  if (state_.text_entry.kind != TextEntry::Kind::Open || count == 0) return;
  chosen = chosen < 0 ? (by > 0 ? 0 : count - 1) : (chosen + by + count) % count;
  // The list moves along, so that the chosen entry stays in sight.
  const auto rows = std::max(1, static_cast<int>(open_rows(state_)));
  const auto first = static_cast<int>(state_.scroll["open"] / open_row_height);
  state_.scroll["open"] =
      open_row_height * static_cast<float>(std::clamp(first, std::max(0, chosen - rows + 1), chosen));
  touch();
}

void WindowControl::open(const std::string& text) {
  const bool listed = state_.text_entry.kind == TextEntry::Kind::Open;
  const OpenList& list = state_.open_list;
  fs::path file = text;
  if (listed && text.empty() && list.chosen >= 0)
    file = list.entries[list.chosen].file;
  else if (listed && file.is_relative())
    file = fs::path(list.folder) / file;
  std::error_code failed;
  if (listed && fs::is_directory(file, failed)) {
    browse(fs::weakly_canonical(file, failed).string());
    return touch();
  }
  try {
    if (actions_.open) actions_.open(file.string());
    if (listed) state_.text_entry = {};
  } catch (const Error& error) { (listed ? state_.text_entry.error : state_.message) = error.message().translated(); }
  touch();
}

/// Both, one of them, the other, nothing.
void WindowControl::next_costs() {
  const auto next = static_cast<std::size_t>(state_.costs) + cost_strips_count - 1;
  state_.costs = static_cast<CostStrips>(next % cost_strips_count);
  const char* const words[cost_strips_count] = {
      translatable("Below each stage is nothing."), translatable("Below each stage: the sectors of its worst access."),
      translatable("Below each stage: the bank passes of its worst access."),
      translatable("Below each stage: the sectors and the bank passes of its worst accesses.")};
  // Where there can be none, a key that shows nothing says why.
  std::string none = state_.costs == CostStrips::None ? std::string() : too_long_for_costs(document_->info());
  if (state_.costs != CostStrips::None && none.empty() && state_.beside)
    none = too_long_for_costs(state_.beside->second().info());
  state_.message = none.empty() ? tr(words[static_cast<std::size_t>(state_.costs)]) : none;
}

}  // namespace twiddle
