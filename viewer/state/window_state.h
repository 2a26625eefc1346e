// What the window shows and how, as plain data: the input of window_scene.
#pragma once

#include "viewer/document/document.h"
#include "viewer/facts/watch.h"
#include "viewer/input/keys.h"
#include "viewer/input/pane_sizes.h"
#include "viewer/input/playback.h"
#include "viewer/input/sketch.h"
#include "viewer/input/source_editor.h"
#include "viewer/input/text_line.h"
#include "viewer/state/choice_fields.h"
#include "viewer/state/menu.h"
#include "viewer/state/presentation.h"
#include "viewer/state/start_page.h"
#include "viewer/state/trail.h"
#include "viewer/views/diagram.h"
#include "viewer/words/source_problems.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace twiddle {

class Guide;
struct KernelBench;  // tracer/bench/bench_kernels.h
class Comparison;

/// A trace that can be opened from the window.
struct OpenEntry {
  std::string file;   // whole path
  std::string aside;  // "opened before", "folder"
  bool operator==(const OpenEntry&) const = default;
};

/// Predict mode. Each operation is hidden and asked for; the next step shows it, and the one after that asks again.
enum class Predict : std::uint8_t { Off, Asking, Answered };

/// The text field over the panes: one at a time, or none.
struct TextEntry {
  enum class Kind : std::uint8_t { None, GoTo, Open, Bookmark, Palette, Help, Value, Save, Stop, Guide };
  Kind kind = Kind::None;
  TextLine line{};         // what is in it
  std::string error{};     // why that leads nowhere
  std::string about{};     // Value: of which field; Save: what is written; Guide: what is asked for
  std::string hint{};      // Guide: what may be typed
  std::string replaces{};  // Save: the file that is there, and that Enter once more replaces
};

/// What is offered under the field that opens a trace.
struct OpenList {
  std::string folder;  // whose traces and folders these are
  std::vector<OpenEntry> entries;
  int chosen = -1;  // which of them Enter takes; −1: none, the text counts
};

/// The Playback as it is drawn.
struct PlaybackState {
  bool playing = false;
  float speed = 1, phase = 1;
  bool reduced_motion = false;
};

/// Which part of the scrub bar is shown: zoom 1 is all of it; `from` is where it begins, a share of all.
struct ScrubView {
  double zoom = 1, from = 0;
  bool operator==(const ScrubView&) const = default;
};

/// Steps that were dragged over on the scrub bar, to be told about.
struct StepSpan {
  std::uint64_t first = 0, last = 0;
};

/// What the list of findings shows.
struct FindingsList {
  std::array<bool, 3> hidden{};   // by severity
  std::set<std::string> toggled;  // classes that are folded although they are errors, or open although they are not
};

/// The search for the change that makes the run right, as the findings show it.
struct RepairState {
  bool possible = false;  // of this run, from here
  bool running = false;
  std::uint64_t tried = 0;  // changes, by now
  std::string outcome{};    // why none was found, once it has ended
};

/// What is being heard.
struct SoundState {
  bool on = false;
  bool outcome = false;        // what came out; else what went in
  std::string name{};          // "x[64]"
  double at = 0, seconds = 0;  // into it, and all of it
};

enum class SideTab : std::uint8_t { Operation, Source, Findings };
enum class LanesTab : std::uint8_t { Items, Memory };

struct WindowState {
  // What is shown, and how.
  Guide* guide = nullptr;              // text at the left that leads through traces; null: the launches are there
  const Comparison* beside = nullptr;  // another trace at the right, stepped together with this one
  Cursor cursor;
  Viewport viewport;
  ThemeName theme = ThemeName::Light;
  Language language = Language::English;
  float width = 1440, height = 900, scale = 1;
  float screen_scale = 1;                 // what of `scale` is the screen's: presenting fills it, at any
  std::string tab;                        // which view, by name; empty: the one the trace opens on
  SideTab side_tab = SideTab::Operation;  // of the right pane in a narrow window
  LanesTab lanes_tab = LanesTab::Items;   // of the lanes in a narrow window
  std::map<std::string, float> scroll;    // by pane, px at scale 1
  PaneSizes panes;                        // as the user dragged them
  bool presenting = false, blank = false, help = false;
  bool log_scale = false;               // plots in decibels
  CostStrips costs = CostStrips::Both;  // below the columns of a diagram, where there is room
  double patience_ms = 1e9;             // how long the diagram may decode for one frame (see DiagramInput)
  Predict predict = Predict::Off;
  Presentation presentation;
  FindingsList findings;
  RepairState repair;
  PlaybackState playback;
  ScrubView scrub;
  std::optional<StepSpan> range;
  StepBy step_by = StepBy::Item;
  bool step_by_fits = false;    // as each run suggests: turns where its groups have several work-items, else operations
  bool step_by_chosen = false;  // by the user, in this window
  Trail trail;
  LiveSignal live;  // the samples in the user's hand
  Watch watch;
  SoundState sound;
  SourceEditor editor;
  RunBar runs;
  std::shared_ptr<const Changes> frames;  // what is not as in the run before, as long as this run is shown

  // What is over the panes.
  TextEntry text_entry;
  OpenList open_list;
  Menu menu;
  Palette palette;
  ShareOptions share;
  bool settings = false;                          // the card with the settings is open
  std::shared_ptr<const KernelBench> roofline{};  // what a bench measured is shown on a card; null: it is closed
  std::size_t roofline_table = 0;                 // which problem of it
  std::string settings_file;                      // the user's settings.toml, there or not
  StartPage start;                                // covers all panes while it is open
  std::optional<Mark> focus;                      // what Tab has reached: Enter presses it
  std::string asked_to_run;                       // a file that is run once the user agrees; empty: none
  Sketch sketch;                                  // the signal that is being drawn by hand
  std::string open_choice;                        // the name of the field whose list is open, if any
  std::optional<Point> tooltip;                   // where the tooltip of the hovered mark is, once it is due
  std::string hover_label;                        // what the hovered mark says, where no shape of the scene carries it
  std::string message;                            // a sentence to show (an error, a hint), if any

  // What can be done, and what is being done.
  KeyMap keys = KeyMap::defaults();     // the user's: what the help shows is what the keys do
  std::vector<ChoiceField> fields;      // empty: those of the trace, without entries
  std::vector<LessonEntry> lessons;     // of the course, in the window's language
  std::string subject;                  // what a command line calls what is shown; empty: its file
  bool can_run = false;                 // whether something can be run again from here
  bool can_show_twin = false;           // whether the right twin of a gallery's kernel can be run and shown beside
  bool can_hear = false;                // whether a sound can be asked for from here
  bool has_dialog = false;              // the desktop has a dialog to choose a file with
  float run_fraction = -1;              // of a run under way, 0 … 1; −1: nothing runs
  std::vector<SourceProblem> problems;  // why the kernels as they are now do not compile …
  std::vector<SourceText> edited;       // … and these files as they are now; the trace shown is of an earlier state

  /// How far a pane is scrolled, px at scale 1.
  float scrolled(const std::string& pane) const {
    const auto found = scroll.find(pane);
    return found == scroll.end() ? 0 : found->second;
  }
  bool typing() const { return text_entry.kind != TextEntry::Kind::None; }
  /// Letters go to the editor of a source.
  bool editing() const { return editor.open && editor.focused && !covered() && !presenting && !beside && !blank; }
  /// Whether something over the panes takes the pointer.
  bool covered() const {
    return help || settings || roofline || typing() || sketch.open || menu.open() || start.open ||
           !open_choice.empty() || !asked_to_run.empty();
  }
};

/// The field of this name, the list of views among them.
std::optional<ChoiceField> field_named(Document& document, const WindowState& state, const std::string& name);

}  // namespace twiddle
