// The window's text field: where to go, which trace to open, what to note at a bookmark.
#include "base/error.h"
#include "base/tr.h"
#include "viewer/control/window_control.h"
#include "viewer/facts/search.h"
#include "viewer/panels/panels.h"

#include <algorithm>
#include <filesystem>

namespace fs = std::filesystem;

namespace twiddle {

void WindowControl::open_text_entry(TextEntry::Kind kind, std::string text) {
  state_.text_entry = {kind, std::move(text), {}};
  state_.help = false;
}

void WindowControl::enter(const std::string& text) {
  switch (state_.text_entry.kind) {
    case TextEntry::Kind::GoTo: return go_to(text);
    case TextEntry::Kind::Open: return open(text);
    case TextEntry::Kind::Bookmark:
      state_.text_entry.text = text;
      try {
        keep_bookmark(text, true);
        state_.text_entry = {};
      } catch (const Error& error) { state_.text_entry.error = error.message().translated(); }
      return touch();
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
  state_.text_entry.text = text;
  try {
    const Found found = search(*document_, text, playback_.step());
    jump(found.step);
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
  if (listed) state_.text_entry.text = text;
  try {
    if (actions_.open) actions_.open(file.string());
    if (listed) state_.text_entry = {};
  } catch (const Error& error) { (listed ? state_.text_entry.error : state_.message) = error.message().translated(); }
  touch();
}

}  // namespace twiddle
