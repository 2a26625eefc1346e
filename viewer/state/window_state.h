// What the window shows and how, as plain data: the input of window_scene.
#pragma once

#include "viewer/document/document.h"
#include "viewer/state/choice_fields.h"
#include "viewer/state/keys.h"
#include "viewer/state/sketch.h"
#include "viewer/views/diagram.h"
#include "viewer/words/source_problems.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

class Guide;
class Comparison;

/// A trace that can be opened from the window.
struct OpenEntry {
  std::string file;   // whole path
  std::string aside;  // "opened before", "folder"
  bool operator==(const OpenEntry&) const = default;
};

/// Predict mode. Each operation is hidden and asked for; the next step shows it, and the one after that asks again.
enum class Predict : std::uint8_t { Off, Asking, Answered };

struct WindowState {
  Guide* guide = nullptr;  // words at the left that lead through traces; null: the launches stand there
  Cursor cursor;
  Viewport viewport;
  ThemeName theme = ThemeName::Light;
  float width = 1440, height = 900, scale = 1;
  Language language = Language::English;
  std::string tab;                     // which view, by name; empty: the one the trace opens on
  std::string side_tab = "operation";  // the right pane's tab in a narrow window
  std::string lanes_tab = "items";     // the lanes' tab in a narrow window
  const Comparison* beside = nullptr;  // another trace at the right, stepped together with this one
  KeyMap keys = KeyMap::standard();    // the user's: what the help shows is what the keys do
  bool presenting = false, blank = false, help = false;
  Predict predict = Predict::Off;
  bool log_scale = false;  // plots in decibels
  bool playing = false;
  float speed = 1;
  float phase = 1;
  std::map<std::string, float> scroll;  // by pane, px at scale 1
  std::vector<ChoiceField> fields;      // empty: those of the trace, without entries
  std::string open_choice;              // the name of the field whose list is open, if any
  bool can_run = false;                 // whether something can be run again from here
  float run_fraction = -1;              // of a run under way, 0 … 1; −1: none
  std::string run_what;                 // what it is doing
  bool going_to = false;                // the field to go to a position is open
  std::string go_to_text;               // what is in it
  std::string go_to_error;              // why it leads nowhere
  std::vector<std::uint64_t> trail;     // steps that were jumped from …
  std::size_t trail_at = 0;             // … and where Back and Forward stand among them
  Sketch sketch;                        // the signal that is being drawn by hand
  bool opening = false;                 // the field to open another trace is open
  bool noting = false;                  // the field for a note at the bookmark here is open
  bool has_dialog = false;              // the desktop has a dialog to choose a file with
  std::string open_folder;              // whose traces and folders are offered under the field
  std::vector<OpenEntry> open_entries;  // what is offered there
  int open_chosen = -1;                 // which of them Enter takes; −1: none, the text counts
  std::optional<Point> tooltip;         // where the tooltip of the hovered mark stands, once it is due
  std::string hover_label;              // what the hovered mark says, where no shape of the scene carries it
  double patience_ms = 1e9;             // how long the diagram may decode for one frame (see DiagramInput)
  std::string message;                  // a sentence to show (an error, a hint), if any
  std::vector<SourceProblem> problems;  // why the kernels as they are now do not compile …
  std::vector<SourceText> edited;       // … and these files as they are now; the trace shown is of an earlier state
};

}  // namespace twiddle
