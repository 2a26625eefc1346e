// Kernels that are edited in the window, and the runs that came of it, as plain data.
#pragma once

#include "tracer/trace/trace.h"
#include "viewer/input/text_area.h"
#include "viewer/scene/scene.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

/// Sources as they are edited. What was edited stays until it is run, saved or taken back, whether the editor is open or not.
struct SourceEditor {
  bool open = false;     // in place of the source
  bool focused = false;  // letters go to it
  std::string name;      // of the file in it
  std::string origin;    // what Draft::origin is of the sources of the trace that is shown
  struct Draft {
    TextArea area;
    std::string original;  // the text that ran in the trace that is shown
    std::string origin{};  // the file from elsewhere that the text came from; empty: it is ours or the user's
    bool changed() const { return area.text() != original; }
  };
  std::map<std::string, Draft> drafts;  // by the file's name

  /// What is in the editor; null: nothing is.
  Draft* draft();
  const Draft* draft() const;
  /// Whether one of the sources is not what ran.
  bool changed() const;
  /// Opens the source of this name, as it was left. False where the trace has none, more than one of that name,
  /// or one of more than TextArea::max_bytes.
  bool begin(const TraceInfo& info, const std::string& source);
  /// The text is what ran again.
  void take_back();
  /// Nothing is edited any more where nothing was changed.
  void close();
  /// Another trace is shown: what was not changed follows its sources, and what was is compared with them.
  void follow(const TraceInfo& info);
};

/// The lines of a text that are not those of another: from the first to the last that differ; empty where none does.
struct ChangedLines {
  int first = 1, last = 0;
};
ChangedLines changed_lines(const std::string& text, const std::string& original);

/// A run that is kept.
struct RunTab {
  std::string name;     // "run 2", or a file's
  std::string about;    // what it is a run of
  bool edited = false;  // of a kernel that is not as its file has it
  bool operator==(const RunTab&) const = default;
};
struct RunBar {
  std::vector<RunTab> tabs;
  std::size_t shown = 0;
  std::optional<std::size_t> beside;   // a tab that is shown at its right
  std::optional<std::size_t> dragged;  // one that is being dragged, and where
  Point at;
};

}  // namespace twiddle
