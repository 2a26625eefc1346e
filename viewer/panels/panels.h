// The panels of the window: each is a function from the document and the state to a Scene of the size of its pane.
#pragma once

#include "viewer/facts/links.h"
#include "viewer/facts/trace_facts.h"
#include "viewer/scene/ink.h"
#include "viewer/scene/theme.h"
#include "viewer/state/window_state.h"
#include "viewer/words/operation_text.h"

#include <optional>
#include <string>
#include <vector>

namespace twiddle {

/// Everything a panel draws from.
struct PanelContext : Links, Ink {
  Document& document;
  const WindowState& state;
  const Theme& theme;
  const TraceFacts& facts;
  std::optional<Operation> now;        // of the cursor's step
  const LaunchInfo* launch = nullptr;  // of `now`
  int segment = -1;                    // of `now`; −1 before the first
  const Turn* turn = nullptr;          // in lockstep: all that is done together, `now` among it

  PanelContext(Document& document, const WindowState& state, const TraceFacts& facts);

  const TraceInfo& info() const { return document.info(); }
};

Scene top_bar_panel(const PanelContext& context, float width, float height);
Scene launches_panel(const PanelContext& context, float width, float height, bool rail);
/// The guide's words, in the launches' place.
Scene guide_panel(const PanelContext& context, float width, float height);
Scene side_panel(const PanelContext& context, float width, float height, bool tabs);
/// The view of this name ("items", "memory") in a low pane; `tabs`: it shares the pane with the other one.
Scene lanes_panel(const PanelContext& context, float width, float height, const std::string& name, bool tabs);
/// The same of the turn at the cursor: the lanes of its sub-group, and what memory is asked for.
Scene turn_lanes(const PanelContext& context, float width, float height);
Scene turn_memory(const PanelContext& context, float width, float height);
/// The turn in numbers: its lanes, and what each of them reads and writes.
float turn_part(const PanelContext& context, Scene& scene, Box box);
/// Every read and write of the watched element, in the lanes' place.
Scene history_panel(const PanelContext& context, float width, float height);
Scene scrub_panel(const PanelContext& context, float width, float height);
/// Predict mode: what is asked of the next operation, or what the answer was.
Scene question_panel(const PanelContext& context, float width, float height);
Scene strip_panel(const PanelContext& context, float width, float height);
/// While presenting: the operation's equations at the foot in large type, and a question with its cards A to D: of predict
/// mode at the right, of a lesson under the diagram.
Scene present_strip_panel(const PanelContext& context, float width, float height);
Scene present_question_panel(const PanelContext& context, float width, float height);
Scene present_cards_panel(const PanelContext& context, float width, float height);
/// What is asked of an operation. Its item and, where that is not the answer itself, the first element it reads are given.
std::string question_text(const TraceInfo& info, const Operation& next);

/// The operation at the cursor in words and equations; without saying that the log disagrees with a formula while the reader is
/// still to find out what is wrong.
OperationText described(const PanelContext& context);

/// Parts of the side panel. They draw from `top` on and return where they end.
float inspector_part(const PanelContext& context, Scene& scene, Box box);
float plots_part(const PanelContext& context, Scene& scene, Box box);
float source_part(const PanelContext& context, Scene& scene, Box box);
/// The source while it is edited, in all of the box.
void editor_part(const PanelContext& context, Scene& scene, Box box);
float finding_part(const PanelContext& context, Scene& scene, Box box);
/// What was logged and what belongs there, as far as the finding is about one number or one element, from y on; returns where
/// it ends.
float logged_and_ideal(const PanelContext& context, Scene& scene, const Finding& finding, const Operation& operation,
                       Box box);
float notes_part(const PanelContext& context, Scene& scene, Box box, std::size_t min_lines);
/// All findings by class, the one that is looked at as a card. `closable`: with a way back to the operation.
void findings_part(const PanelContext& context, Scene& scene, Box box, bool closable);
/// The class that the list's n-th heading is of; empty: there is none.
std::string finding_group(const TraceFacts& facts, std::uint64_t number);

/// Over everything else: keys, the field to go to a position, open drop-downs, the tooltip, a message.
void help_overlay(const PanelContext& context, Scene& scene);
/// The commands that fit what is typed in the help, in its order; all while nothing is.
std::vector<Command> help_shown(const WindowState& state);
void menu_overlay(const PanelContext& context, Scene& scene);
void palette_overlay(const PanelContext& context, Scene& scene);
void value_overlay(const PanelContext& context, Scene& scene);
void save_overlay(const PanelContext& context, Scene& scene);
void line_overlay(const PanelContext& context, Scene& scene);
void settings_overlay(const PanelContext& context, Scene& scene);
/// What a bench measured, a problem at a time.
void roofline_overlay(const PanelContext& context, Scene& scene);
/// Whether a file's own kernels may be run.
void ask_overlay(const PanelContext& context, Scene& scene);
/// The ring around what Tab has reached.
void focus_overlay(const PanelContext& context, Scene& scene);
/// The page that covers all panes when the program is opened without anything to show.
void start_page(const PanelContext& context, Scene& scene);
void goto_overlay(const PanelContext& context, Scene& scene);
void open_overlay(const PanelContext& context, Scene& scene);
void note_overlay(const PanelContext& context, Scene& scene);
void stop_overlay(const PanelContext& context, Scene& scene);
/// The mark of the open text field's box, where the window's own field goes.
inline constexpr const char* text_field_mark = "text-field";
/// How many entries of open_overlay's list show, and how high each is at scale 1.
inline constexpr float open_row_height = 26;
std::size_t open_rows(const WindowState& state);
void sketch_overlay(const PanelContext& context, Scene& scene);
void choice_overlay(const PanelContext& context, Scene& scene);
void tooltip_overlay(const PanelContext& context, Scene& scene);
void message_overlay(const PanelContext& context, Scene& scene);
/// What is heard, how far it is, and the way to stop it: in the corner of the diagram.
void sound_overlay(const PanelContext& context, Scene& scene);

/// Where the steps are on the scrub bar, for drawing it and for seeking on it.
class ScrubBar {
 public:
  /// `box` is the bar itself, without labels and ticks; gaps and least widths scale with `scale`.
  ScrubBar(const TraceInfo& info, Box box, float scale, const ScrubView& view = {});

  struct Piece {
    std::size_t segment = 0;
    Box box;                     // what of it shows
    double left = 0, width = 0;  // px of all of it
  };
  /// Those that show.
  const std::vector<Piece>& pieces() const { return pieces_; }
  /// The steps of a piece that show, the last one included.
  std::pair<std::uint64_t, std::uint64_t> visible(const Piece& piece) const;
  bool shows(std::uint64_t step) const;
  /// The view after zooming about x; at most until steps can be told apart.
  ScrubView zoomed(const ScrubView& view, float x, double factor, float scale) const;
  /// The view that shows a step, and is otherwise as it was.
  ScrubView showing(const ScrubView& view, std::uint64_t step) const;
  /// The box of a step inside its piece; as thin as a pixel in long segments.
  Box cell(std::uint64_t step) const;
  /// The step at x (0 left of the bar); x is clamped.
  std::uint64_t step_at(float x) const;

 private:
  const TraceInfo* info_;
  Box box_;
  std::vector<Piece> pieces_, all_;  // those that show; all of them
};
/// The bar of a scrub pane of this size.
ScrubBar scrub_bar(const TraceInfo& info, float width, float height, float scale, const ScrubView& view = {});
/// Sliders that shape the signal of the view Live, and the shapes to choose from. Where their tracks are in a pane of this width
/// is what the pointer drags along.
Scene signal_panel(const PanelContext& context, float width, float height);
Box slider_track(float width, float scale, LiveWave::Slider slider);

/// The tabs of the right pane, layout units.
inline constexpr float side_tabs_height = 36;
/// Where the editor is in the window, px; empty while it is not shown.
Box editor_box(const WindowState& state);
inline constexpr const char* editor_mark = "editor";  // of its text
/// What is where in a box of the editor; for drawing it and for the pointer. No rows where nothing is edited.
struct EditorView {
  struct Row {
    int line = 0;
    std::size_t from = 0, to = 0;  // bytes of the text
    bool first = false;            // of its line
  };
  std::vector<Row> rows;
  Box head, card, foot;
  float pitch = 1, number_right = 0, code_left = 0, letter = 1;  // px
  int first = 0, shown = 0;                                      // of the rows
  int row_of(std::size_t offset) const;
  /// The offset that is nearest to a point; `font`: that of the code.
  std::size_t offset_at(const std::string& text, const Font& font, Point at) const;
};
EditorView editor_view(const WindowState& state, const Box& box);

/// The tabs of the runs that are kept, and where each of them is in a bar.
Scene runs_panel(const PanelContext& context, float width, float height);
std::vector<Box> run_tab_boxes(const WindowState& state, const Box& bar);

/// What a dragged range of steps tells, over the panes.
void range_overlay(const PanelContext& context, Scene& scene);

}  // namespace twiddle
