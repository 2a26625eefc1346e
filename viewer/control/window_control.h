// What keys, clicks, the wheel and time do to the window: the whole behaviour without a window, testable to the step.
#pragma once

#include "viewer/document/document.h"
#include "viewer/document/flow.h"
#include "viewer/frame/window_scene.h"
#include "viewer/input/keys.h"
#include "viewer/input/playback.h"
#include "viewer/sound/sound_player.h"

#include <complex>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

class ScrubBar;
class View;

/// What the control cannot do itself, because it has no window and runs nothing.
struct WindowActions {
  std::function<void(bool)> fullscreen;
  std::function<void(bool)> show_pointer;
  std::function<void(Language)> language;                    // the language has changed
  std::function<void(int by)> turn_page;                     // of the guide
  std::function<void(const Mark& mark)> guide;               // a mark of the guide's own was clicked
  std::function<void(const std::string& text)> guide_typed;  // a line that the guide asked for; throws Error
  std::function<void()> run_again;                           // empty: nothing can be run from here
  std::function<void()> presenter_notes;                     // opens or closes their window
  std::function<void()> swap_screens;                        // the diagram and the notes, each to the other's
  std::function<void(const std::string& field, const std::string& entry)> choose;  // an entry, by its id
  std::function<void(const std::string& csv)> run_drawn;                           // with a signal drawn by hand
  // The samples while one is dragged, and when it is let go; and back to before that.
  std::function<void(const std::vector<std::complex<double>>& samples, bool held)> run_live;
  std::function<void()> undo;
  std::function<void()> run_edited;  // the kernels as they are edited; empty: nothing can be run from here
  /// Whether a source is a file of the user's, and writing what is edited: to that file, or to a named one. Throws Error.
  std::function<bool(const std::string& source)> own_kernel;
  std::function<void(const std::string& source, const std::string& file)> save_kernel;
  std::function<void()> search_repair;  // begins a search, or ends it; empty: nothing is searched from here
  /// Runs what is shown with another text of one of its files, and shows that beside. Empty: nothing can be run from here.
  std::function<void(const std::string& file, const std::string& text)> run_beside;
  std::function<void(std::size_t run)> show_run, close_run;  // of the tabs
  std::function<void(std::size_t left, std::size_t right)> compare_runs;
  std::function<void(const std::string& file)> open;  // another trace; empty: none can be opened from here
  std::function<std::vector<OpenEntry>(const std::string& folder)> openable;  // what to offer
  std::function<void(const std::string& id)> twin;  // runs the gallery's right twin and shows it beside; empty: cannot
  std::function<void()> dialog;  // asks for a file with the desktop's own dialog; empty: there is none
  std::function<void(const std::string& text)> copy;  // to the clipboard
  std::function<std::string()> paste;                 // from it
  std::function<void(const Scene& scene)> copy_picture;
  std::function<void()> leave_lesson;                 // shows its run without it
  std::function<void(const std::string& id)> lesson;  // opens one of the course, or, without an id, the course
  /// Writes what is shown to a file: "trace", "picture", "handout" or "film". Throws Error.
  std::function<void(const std::string& what, const std::string& file)> save;
  std::function<void()> agreed_to_run;    // what the user was asked for
  std::function<void(Sound sound)> play;  // in place of what plays; empty: nothing can be heard from here
  std::function<void()> stop_sound;
  std::function<SoundPlayer::Now()> sound;  // how far it is
  std::function<void()> show_roofline;      // the measurements that are kept of a device
  std::function<void()> start_shown;        // the start page is open now: its runs may be made
};

/// Holds the state of one window. The document must outlive it, until another is shown.
class WindowControl {
 public:
  WindowControl(Document& document, WindowActions actions);
  /// For callers whose actions need the control itself.
  void set_actions(WindowActions actions);

  /// What a step is, where the user has not chosen and the state says that each run suggests it.
  void fit_step_by();

  const WindowState& state() const { return state_; }
  WindowState& state() { return state_; }
  const Playback& playback() const { return playback_; }
  Document& document() { return *document_; }
  /// A second trace is shown beside this one, until another is shown. The comparison must outlive that.
  void compare(const Comparison& comparison);
  /// Another trace takes the place of this one; the cursor stays where it can.
  void show(Document& document);
  /// The same, of another run of the same plan: all else keeps still.
  void replace(Document& document);

  /// `index`: which one, for commands of the pointer alone.
  void command(Command command, std::uint64_t index = 0);
  /// A chord that means nothing here does nothing; false then.
  bool key(const Chord& chord);
  /// A letter was typed. False where no text takes it: then it may be a key. The letter of a key that has just opened a text
  /// field is not the field's.
  bool character(char32_t code_point);
  /// The keyboard goes to the next control of the window as it is drawn, or to the one before (−1).
  void move_focus(const Scene& scene, int by);

  /// What is at a point of the window: a mark of the scene, or an element where a pixel of a large diagram shows
  /// many and no shape carries a mark.
  std::optional<MarkText> under(const Scene& scene, Point at);
  /// Whether letters go to the source that is edited.
  bool editing() const;
  /// Scrolls the editor to the first line that does not compile.
  void show_problems();
  /// The pointer is over this (null: nothing, or outside) at a point of the window.
  void hover(const MarkText* mark, Point at);
  /// Pressed, dragged and released with the left button.
  void press(const MarkText* mark, Point at);
  void drag(Point at);
  void release(Point at);
  /// Pressed with the right button: what can be done with what is there.
  void press_right(const MarkText* mark, Point at);
  /// Whether Shift is down while the pointer moves: samples then snap to tenths.
  void hold_shift(bool down) { shift_ = down; }
  /// Wheel clicks, upwards positive.
  void wheel(Point at, float clicks, bool ctrl);

  /// Where the sound is now, or that it is over.
  void follow_sound();

  /// What Enter does with the text of the open text field.
  void enter(const std::string& text);
  /// Goes to what the field says, or says why not.
  void go_to(const std::string& text);
  /// Opens a trace, or in the field a folder; an empty text means the entry that is chosen.
  void open(const std::string& text);
  /// Up and down among what can be opened, or what was found.
  void choose_entry(int by);
  /// Does what an entry of a menu or of the palette says.
  void take(const MenuEntry& entry);
  /// The command line that shows this very step.
  std::string command_line() const;
  /// Shows the start page, whose runs are in its state.
  void open_start();
  /// A field for a line that the guide asks for: what of, what may be typed, and what is in it already.
  void ask_for_line(const std::string& title, const std::string& hint, const std::string& text);
  void seek(std::uint64_t step, int made = 0);
  /// Like seek; Back leads to where the cursor was.
  void jump(std::uint64_t step);
  /// Puts a text on the clipboard, and tells the user what it was.
  void copy(const std::string& text, const std::string& said);
  /// Brings the handles of the live view to these samples, as a hand would; where nothing can be run again the message says so.
  void bring_samples(const std::vector<double>& samples);
  void resize(float width, float height);

  /// Lets time pass. True: something changed that shows.
  bool advance(double seconds);
  /// Seconds until time changes something by itself; nothing: it can sleep. 0: at every frame.
  std::optional<double> next_change() const;
  /// Moves on whenever something changed that shows.
  std::uint64_t revision() const { return revision_; }
  void touch() { ++revision_; }

  bool pointer_hidden() const { return pointer_hidden_; }
  bool fullscreen() const { return fullscreen_; }
  const KeyMap& keys() const { return state_.keys; }
  /// The user's own scale, without the screen's.
  float user_scale() const { return user_scale_; }
  void set_user_scale(float scale);
  void set_screen_scale(float scale);
  void set_reduced_motion(bool on);
  /// As it was kept from the last time.
  void set_speed(float speed);

 private:
  static constexpr float scale_step = 1.1f;     // of a key, or of a click of the wheel
  static constexpr double start_seconds = 0.6;  // that an operation takes on the start page

  Document* document_;
  WindowActions actions_;
  WindowState state_;
  Playback playback_;
  std::uint64_t revision_ = 1;
  float user_scale_ = 1, screen_scale_ = 1;
  bool pointer_hidden_ = false, fullscreen_ = false;
  enum class Drag {
    None,
    Scrub,
    Pan,
    Sketch,
    Pen,
    Sample,
    Slider,
    Draw,
    Border,
    Range,
    Map,
    Text,
    Tab
  } drag_ = Drag::None;
  PaneBorder border_ = PaneBorder::Left;       // that is dragged
  LiveWave::Slider slider_ = LiveWave::Turns;  // the same
  bool moved_ = false, shift_ = false;
  double brush_ = 0;  // what painted pixels become
  Point pressed_at_, last_at_, hover_at_;
  std::optional<Mark> pressed_, clicked_;  // clicked_: the last that a click pinned or let go
  double hovered_for_ = 0, message_for_ = 0, since_click_ = 1e9;
  std::string shown_message_;
  std::optional<ThemeName> theme_before_presenting_;  // and is there again when that ends
  std::map<std::string, Viewport> viewports_;         // of views that were left, by name
  bool letter_follows_ = false;                       // of the key that opened a text field
  std::optional<Mark> heard_about_;                   // what the sound is of that was heard last
  std::optional<Mark> about_;                         // what the command of a context menu is about
  std::optional<ThemeName> theme_before_;             // the palette shows another one
  bool heard_outcome_ = false;                        // what was heard last came out of the run
  double watched_for_ = 0;  // seconds that the start page's run has waited while it is pointed at

  void follow_playback();
  void step(int by);
  bool overview() const;
  void set_step_by(StepBy by);
  /// What a step is now: not in a comparison or while something is asked, where it is an operation.
  void aim_playback();
  void keep_in_view();
  void retrace(std::ptrdiff_t by);
  void leave();
  void open_text_entry(TextEntry::Kind kind, const std::string& text = {});
  bool text_key(const Chord& chord);
  void text_changed();
  bool menu_key(const Chord& chord);
  const MenuEntry* open_submenu() const;
  void open_under(int entry, bool chosen);
  bool start_key(const Chord& chord);
  void open_menu(const std::string& name, std::optional<Point> at);
  void open_context_menu(const MarkText& mark, Point at);
  void find_entries();
  void preview();
  void end_palette(bool keep);
  void open_card(int card);
  void save_as(const std::string& what);
  void save(const std::string& file);
  void copy_as(Command command);
  std::optional<Mark> target() const;
  void go_to_reader();
  void set_theme(ThemeName name);
  void set_language(Language language);
  void next_costs();
  /// The run of the start page's first card plays while the pointer is on it.
  bool watches_start() const;
  void watch_start(double seconds);
  void zoom_to_now();
  bool command_key(const Chord& chord);
  bool sketch_key(const Chord& chord);
  bool asked_key(const Chord& chord);
  void set_presenting(bool on, bool large);
  void present(Command command, std::uint64_t index);
  bool present_key(const Chord& chord);
  bool asks() const;
  void show_answer();
  void finish_stroke();
  void point_at(Point at);
  void findings_command(Command command, std::uint64_t index);
  void use_repair(bool run);
  void begin_opening();
  void browse(const std::string& folder);
  void edit_bookmark();
  void keep_bookmark(const std::string& note, bool present);
  void toggle_bookmark();
  void next_bookmark(int by);
  void next_finding(int by);
  void show_finding(std::uint64_t number);
  void click(const Mark& mark);
  bool closes_menu(const MarkText* mark);
  void choose(const Mark& mark, const std::string& open);
  void pin(const Mark& mark);
  std::uint64_t step_of(const Mark& mark) const;
  std::optional<Point> in_diagram(Point at) const;
  void scrub_to(float x);
  std::uint64_t scrub_step(float x) const;
  ScrubBar scrub() const;
  void follow_scrub();
  void begin_sketch();
  void run_sketch();
  void draw_sketch(Point from, Point to);
  bool hold_signal();
  bool hold_sample(const Mark& mark);
  bool hold_wave();
  void set_slider(LiveWave::Slider slider, double value, bool held);
  void set_shape(LiveWave::Shape shape);
  void drag_slider(Point at);
  bool slider_key(const Chord& chord);
  void move_map(Point at);
  void apply_wave(const LiveWave& wave, bool held);
  double as_stored(double value) const;
  void drag_sample(Point at);
  bool begin_drawing(Point at);
  void draw_samples(Point from, Point to);
  void let_go_of_sample();
  bool nudge_sample(const Chord& chord);
  void set_sample(std::uint64_t sample, double value, bool held);
  void forget_changes();
  std::optional<Place> element_in_question() const;
  void hear(bool outcome);
  void stop_hearing();
  std::optional<Sound> sound_of(bool outcome, std::string& name);
  void save_sound(const std::string& file);
  void open_history();
  void add_stop(const std::string& text);
  void watch_line(const Mark& line);
  void next_stop(int by);
  void edit_source();
  void run_edited();
  void save_kernel();
  void close_editor();
  void edit_command(Command command, std::uint64_t index);
  bool editor_key(const Chord& chord);
  void type_text(std::string_view text);
  void reveal_caret();
  void reveal_line(int line);
  bool press_editor(const MarkText* mark, Point at);
  void point_caret(Point at, bool select);
  void wheel_editor(float clicks);
  void drag_tab(Point at);
  void drop_tab(Point at);
  DiagramInput diagram_input() const;
  const View& view() const;
  Document& document_at(Point at) const;
  bool border_key(const Chord& chord);
  void show_view(std::string_view name);
  void next_view(int by);
  void next_rank(int by);
  void scroll(const std::string& pane, float by);
};

/// The next theme in the order light, dark, projector.
ThemeName next_theme(ThemeName theme);

}  // namespace twiddle
