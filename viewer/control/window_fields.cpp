// The window's text field: where to go, which trace to open, what to note at a bookmark.
#include "viewer/control/window_control.h"

#include "base/tr.h"

#include "base/error.h"
#include "viewer/facts/search.h"
#include "viewer/panels/panels.h"

#include <algorithm>
#include <filesystem>

namespace fs = std::filesystem;

namespace twiddle {

bool WindowControl::typing() const { return state_.going_to || state_.opening || state_.noting; }

std::string_view WindowControl::field() const {
  return state_.noting ? "note-field" : state_.opening ? "open-field" : "go-to-field";
}

void WindowControl::enter(const std::string& text) {
  if (state_.noting)
    note(text);
  else if (state_.opening)
    open(text);
  else
    go_to(text);
}

void WindowControl::begin_going() {
  state_.going_to = true, state_.help = false;
  state_.go_to_text.clear(), state_.go_to_error.clear();
}

void WindowControl::go_to(const std::string& text) {
  state_.go_to_text = text;
  try {
    const Found found = search(*document_, text, playback_.step());
    remember();
    playback_.seek(found.step);
    if (found.pin) state_.cursor.pinned = found.pin;
    state_.going_to = false;
    state_.go_to_error.clear();
  } catch (const Error& error) { state_.go_to_error = error.message().translated(); }
  follow_playback();
}

void WindowControl::begin_opening() {
  if (!actions_.open) {
    state_.message = tr("Nothing else can be opened from here.");
    return;
  }
  state_.opening = true, state_.help = false;
  std::error_code failed;
  if (state_.open_folder.empty()) state_.open_folder = fs::current_path(failed).string();
  browse(state_.open_folder);
}

void WindowControl::open_by_dialog() {
  if (!actions_.dialog) return begin_opening();
  state_.opening = false;
  actions_.dialog();
}

/// Offers what lies in a folder.
void WindowControl::browse(const std::string& folder) {
  state_.open_folder = folder;
  state_.open_entries = actions_.openable ? actions_.openable(folder) : std::vector<OpenEntry>();
  state_.open_chosen = -1;
  state_.scroll.erase("open");
  state_.go_to_text.clear(), state_.go_to_error.clear();
}

void WindowControl::choose_entry(int by) {
  const auto count = static_cast<int>(state_.open_entries.size());
  if (!state_.opening || count == 0) return;
  state_.open_chosen = state_.open_chosen < 0 ? (by > 0 ? 0 : count - 1) : (state_.open_chosen + by + count) % count;
  // The list moves along, so that the chosen entry stays in sight.
  const auto rows = std::max(1, static_cast<int>(open_rows(state_)));
  const auto first = static_cast<int>(state_.scroll["open"] / open_row_height);
  state_.scroll["open"] = open_row_height * static_cast<float>(std::clamp(
                                                first, std::max(0, state_.open_chosen - rows + 1), state_.open_chosen));
  touch();
}

void WindowControl::open(const std::string& text) {
  const auto chosen = static_cast<std::size_t>(std::max(0, state_.open_chosen));
  fs::path file = text;
  if (state_.opening && text.empty() && state_.open_chosen >= 0 && chosen < state_.open_entries.size())
    file = state_.open_entries[chosen].file;
  else if (state_.opening && file.is_relative())
    file = fs::path(state_.open_folder) / file;
  std::error_code failed;
  if (state_.opening && fs::is_directory(file, failed)) {
    browse(fs::weakly_canonical(file, failed).string());
    return touch();
  }
  state_.go_to_text = text;
  try {
    if (actions_.open) actions_.open(file.string());
    state_.opening = false;
    state_.go_to_error.clear();
  } catch (const Error& error) {
    (state_.opening ? state_.go_to_error : state_.message) = error.message().translated();
  }
  touch();
}

void WindowControl::begin_note() {
  const auto& list = document_->bookmarks;
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const auto& bookmark) { return bookmark.step == state_.cursor.step; });
  state_.noting = true, state_.help = false;
  state_.go_to_text = found == list.end() ? std::string() : found->note;
  state_.go_to_error.clear();
}

/// Keeps a note in the trace, at a bookmark here; without one it makes one.
void WindowControl::note(const std::string& text) {
  const std::uint64_t step = state_.cursor.step;
  try {
    keep_bookmark(step, text, true);
    state_.noting = false;
    state_.go_to_error.clear();
  } catch (const Error& error) { state_.go_to_error = error.message().translated(); }
  state_.go_to_text = text;
  touch();
}

}  // namespace twiddle
