#include "viewer/window/window.h"

#include "base/error.h"
#include "base/paths.h"
#include "base/tr.h"
#include "base/values/clock.h"
#include "viewer/control/window_control.h"
#include "viewer/scene/fonts.h"
#include "viewer/scene/languages.h"
#include "viewer/session/window_content.h"
#include "viewer/state/remembered.h"
#include "viewer/state/settings.h"
#include "viewer/window/canvas.h"
#include "viewer/window/glfw_window.h"
#include "viewer/window/input.h"
#include "viewer/window/presenter_window.h"
#include "viewer/window/state_log.h"
#include "viewer/window/system_theme.h"

#include <imgui.h>
#include <imgui_impl_glfw.h>

#include <GLFW/glfw3.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace twiddle {
namespace {

// One window: everything that happens to it goes to the control, and the control's scene is what it shows.
//
//   init      Window(), open(), listen(): a window with OpenGL, the settings, callbacks for events
//   input     on_key() … follow_size(): each event goes to the control
//   screens   full screen, the notes on a second one, monitors that come and go
//   frame     run(): wait() for something to show, poll() what other threads bring, build() a scene, draw() it
//   cleanup   ~Window(), remember()
//
// What input does is in control/window_control, what is drawn in control/window_scene, where traces come from in
// session/window_content.
class Window {
 public:
  Window(Document& document, const WindowOptions& options)
      : options_(options),
        log_(options.log),
        control_(document, {}),
        content_(
            options, control_, remembered_, [] { glfwPostEmptyEvent(); },
            [this](const std::string& name) { glfwSetWindowTitle(window_, name.c_str()); }) {
    open();
    control_.set_actions(actions());
    control_.state().language = first_language();
    use_language(control_.state().language);
    control_.state().keys = settings_.keys;
    control_.state().patience_ms = patience_ms;
    if (const auto theme = options.theme ? options.theme : settings_.theme ? settings_.theme : remembered_.theme) {
      control_.state().theme = *theme;
    } else {
      control_.state().theme = system_theme_from_files().value_or(ThemeName::Light);
      desktop_theme_ = system_theme_from_desktop();
    }
    first_theme_ = control_.state().theme;
    first_language_ = control_.state().language;
    control_.state().panes = remembered_.panes;
    control_.state().settings_file = (config_directory() / "settings.toml").string();
    control_.set_speed(remembered_.speed);
    control_.set_user_scale(settings_.scale.value_or(remembered_.scale));
    control_.set_reduced_motion(settings_.reduced_motion     ? *settings_.reduced_motion
                                : remembered_.reduced_motion ? *remembered_.reduced_motion
                                                             : reduced_motion());
    first_motion_ = control_.playback().reduced_motion();
    complain();
    control_.state().tab = options.view;
    const std::optional<StepBy> step_by = settings_.step_by ? settings_.step_by : remembered_.step_by;
    control_.state().step_by = options.lockstep ? StepBy::SubGroup : step_by.value_or(StepBy::Item);
    // Who asks for an operation, or is shown a finding's, sees that operation.
    control_.state().step_by_fits = !options.lockstep && !step_by && options.step == 0;
    control_.state().costs = options.costs.value_or(remembered_.costs);
    control_.seek(options.step, options.made);
    content_.begin(document);
    control_.state().watch.stops = options.stops;
    follow_size();
    if (options.presenting) control_.command(Command::Present);
  }

  ~Window() {
    remember();
    presenter_.reset();
    canvas_.reset();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    glfwDestroyWindow(window_);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  void run() {
    for (;;) {
      if (glfwWindowShouldClose(window_)) {
        if (content_.may_close()) return;
        glfwSetWindowShouldClose(window_, GLFW_FALSE);
      }
      wait();
      pass_time();
      poll();
      if (stale()) frame();
    }
  }

 private:
  static constexpr double patience_ms = 6;  // how long a frame may decode before it is shown unfinished

  const WindowOptions& options_;
  Glfw glfw_;
  StateLog log_;
  GLFWwindow* window_ = nullptr;
  Settings settings_ = read_settings(config_directory());
  Remembered remembered_ = read_remembered(config_directory());
  ThemeName first_theme_ = ThemeName::Light;  // not chosen in the window
  Language first_language_ = Language::English;
  bool first_motion_ = false;
  WindowControl control_;
  WindowContent content_;
  std::unique_ptr<Canvas> canvas_;
  std::future<std::optional<ThemeName>> desktop_theme_;
  std::unique_ptr<PresenterWindow> presenter_;
  bool notes_wanted_ = false, swap_wanted_ = false;  // windows come and go between events, never inside one
  Scene scene_;
  std::optional<MarkText> under_;
  std::uint64_t shown_revision_ = 0;
  bool exposed_ = true, inside_ = false, pressed_ = false;
  Point pointer_;
  int pointer_shape_ = 0;
  std::map<int, GLFWcursor*> cursors_;     // GLFW ends them with itself
  DesktopArea windowed_{0, 0, 1440, 900};  // where to go back to from the full screen
  std::vector<GLFWmonitor*> screens_ = screens();
  FrameTimes times_;
  Clock::time_point last_frame_ = Clock::now(), clock_ = last_frame_, presenting_since_ = last_frame_;

  // ---- Init ----

  WindowActions actions() {
    WindowActions actions;
    actions.fullscreen = [this](bool on) {
      set_fullscreen(on);
      if (on && !presenter_) presenting_since_ = Clock::now();
      notes_wanted_ = on && screens().size() > 1;
    };
    actions.swap_screens = [this] { swap_wanted_ = true; };
    actions.show_pointer = [this](bool on) {
      glfwSetInputMode(window_, GLFW_CURSOR, on ? GLFW_CURSOR_NORMAL : GLFW_CURSOR_HIDDEN);
    };
    actions.language = [this](Language language) {
      canvas_->use_language(language);
      if (presenter_) presenter_->use_language(language);
      content_.language_changed(language);
    };
    actions.presenter_notes = [this] {
      notes_wanted_ = !notes_wanted_;
      if (notes_wanted_ && !control_.fullscreen()) presenting_since_ = Clock::now();
    };
    actions.copy = [this](const std::string& text) { glfwSetClipboardString(window_, text.c_str()); };
    actions.paste = [this] {
      const char* text = glfwGetClipboardString(window_);
      return std::string(text ? text : "");
    };
    content_.add_actions(actions);
    return actions;
  }

  void open() {
    window_ = open_glfw_window(options_.title.empty() ? "Twiddle" : options_.title, options_.width, options_.height);
    set_icon(window_);
    glfwSetWindowSizeLimits(window_, 320, 240, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
    listen();

    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NoMouseCursorChange;
    ImGui_ImplGlfw_InitForOpenGL(window_, true);  // calls our callbacks, too
    canvas_ = std::make_unique<Canvas>(first_language());
  }

  /// The window of an event. Time before the event is counted first, so that a sleep is not added to what the event starts.
  static Window& of(GLFWwindow* window) {
    Window& self = *static_cast<Window*>(glfwGetWindowUserPointer(window));
    self.pass_time();
    return self;
  }

  void pass_time() {
    const Clock::time_point now = Clock::now();
    // After the machine was suspended playback goes on where it was.
    control_.advance(std::min(seconds_between(clock_, now), 0.25));
    clock_ = now;
  }

  void listen_to_keys(GLFWwindow* window) {
    glfwSetWindowUserPointer(window, this);
    glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int scancode, int action, int modifiers) {
      of(w).on_key(key, scancode, action, modifiers);
    });
    glfwSetCharCallback(window, [](GLFWwindow* w, unsigned code_point) { of(w).on_character(code_point); });
  }

  void listen() {
    listen_to_keys(window_);
    glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) { of(w).on_pointer(x, y); });
    glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int entered) {
      Window& self = of(w);
      self.inside_ = entered != 0;
      if (!self.inside_ && !self.pressed_)
        self.control_.hover(nullptr, self.pointer_);  // nothing is pointed at any more
      // Where it left is where it was last seen: GLFW does not say it again when it comes back there.
      double x = 0, y = 0;
      if (self.inside_) glfwGetCursorPos(w, &x, &y), self.on_pointer(x, y);
    });
    glfwSetMouseButtonCallback(window_,
                               [](GLFWwindow* w, int button, int action, int) { of(w).on_button(button, action); });
    glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double y) { of(w).on_wheel(y); });
    glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { of(w).follow_size(); });
    glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* w, float, float) { of(w).follow_size(); });
    glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** files) {
      of(w).content_.dropped({files, files + count});
    });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { of(w).exposed_ = true; });
  }

  bool typing() const { return control_.state().typing() || control_.editing(); }

  Language first_language() const {
    return options_.language_given ? options_.language
           : settings_.language    ? *settings_.language
                                   : remembered_.language.value_or(options_.language);
  }

  // Mistakes in settings.toml are printed to standard error, and the first is shown in the window.
  void complain() {
    control_.state().message = missing_face(control_.state().language);
    if (!control_.state().message.empty()) std::fprintf(stderr, "twiddle: %s\n", control_.state().message.c_str());
    for (const std::string& sentence : settings_.complaints) std::fprintf(stderr, "twiddle: %s\n", sentence.c_str());
    // After the settings, which may set the language.
    if (!settings_.complaints.empty()) control_.state().message = read_settings(config_directory()).complaints.front();
  }

  // ---- Input ----

  void on_key(int key, int scancode, int action, int modifiers) {
    if (action == GLFW_RELEASE) return;
    const std::optional<Chord> chord = chord_of_key(key, scancode, modifiers);
    if (!chord) return;
    // While a text is typed, keys repeat for it.
    if (action == GLFW_REPEAT && !typing() && !control_.state().menu.open() &&
        !repeats(control_.keys().command(*chord)))
      return;
    if (chord->key == "Escape" && !control_.state().typing() && !control_.state().covered()) {
      const bool only_cancels = control_.editing() && content_.running();
      content_.cancel_run();
      if (only_cancels) return;
    }
    if (chord->key == "Tab" && !chord->ctrl && !chord->alt && !control_.editing())
      control_.move_focus(scene_, chord->shift ? -1 : 1);
    else
      control_.key(*chord);
    if (typing()) glfwFocusWindow(window_);  // the notes may have had the keyboard
  }

  void on_character(unsigned code_point) {
    if (control_.character(code_point)) return;
    if (const std::optional<Chord> chord = chord_of_character(code_point)) control_.key(*chord);
  }

  // The control's answer about the scene that is shown; null outside, or over nothing.
  const MarkText* under_pointer() {
    under_ = inside_ ? control_.under(scene_, pointer_) : std::nullopt;
    return under_ ? &*under_ : nullptr;
  }

  void on_pointer(double x, double y) {
    pointer_ = in_framebuffer(window_, x, y);
    inside_ = true;
    control_.hold_shift(glfwGetKey(window_, GLFW_KEY_LEFT_SHIFT) == GLFW_PRESS ||
                        glfwGetKey(window_, GLFW_KEY_RIGHT_SHIFT) == GLFW_PRESS);
    if (pressed_)
      control_.drag(pointer_);
    else
      control_.hover(under_pointer(), pointer_);
    if (!pressed_) shape_pointer();
  }

  // Over a border that can be dragged the pointer says so.
  void shape_pointer() {
    const std::optional<Mark>& hovered = control_.state().cursor.hover;
    int shape = 0;
    if (hovered && hovered->kind == MarkKind::Command && command_named(hovered->command) == Command::ResizePane)
      shape = static_cast<PaneBorder>(hovered->index) == PaneBorder::Lanes ? GLFW_VRESIZE_CURSOR : GLFW_HRESIZE_CURSOR;
    if (std::exchange(pointer_shape_, shape) == shape) return;
    GLFWcursor*& cursor = cursors_[shape];
    if (shape != 0 && !cursor) cursor = glfwCreateStandardCursor(shape);
    glfwSetCursor(window_, cursor);
  }

  void on_button(int button, int action) {
    if (button == GLFW_MOUSE_BUTTON_RIGHT && action == GLFW_PRESS) control_.press_right(under_pointer(), pointer_);
    if (button != GLFW_MOUSE_BUTTON_LEFT) return;
    pressed_ = action == GLFW_PRESS;
    if (pressed_) {
      control_.press(under_pointer(), pointer_);
    } else {
      control_.release(pointer_);
      control_.hover(under_pointer(), pointer_);
    }
  }

  void on_wheel(double clicks) {
    const bool ctrl = glfwGetKey(window_, GLFW_KEY_LEFT_CONTROL) == GLFW_PRESS ||
                      glfwGetKey(window_, GLFW_KEY_RIGHT_CONTROL) == GLFW_PRESS;
    control_.wheel(pointer_, static_cast<float>(clicks), ctrl);
  }

  void follow_size() {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    if (width <= 0 || height <= 0) return;  // minimised
    float scale_x = 1, scale_y = 1;
    glfwGetWindowContentScale(window_, &scale_x, &scale_y);
    control_.set_screen_scale(std::max(scale_x, 0.5f));
    control_.resize(static_cast<float>(width), static_cast<float>(height));
    exposed_ = true;
  }

  // ---- Screens ----

  void set_fullscreen(bool on) {
    if (on == (glfwGetWindowMonitor(window_) != nullptr)) return;
    if (on) {
      glfwGetWindowPos(window_, &windowed_.x, &windowed_.y);
      glfwGetWindowSize(window_, &windowed_.w, &windowed_.h);
      cover(monitor_of(window_));
    } else {
      const DesktopArea back = on_some_screen(windowed_);
      glfwSetWindowMonitor(window_, nullptr, back.x, back.y, back.w, back.h, GLFW_DONT_CARE);
    }
  }

  void cover(GLFWmonitor* screen) {
    const GLFWvidmode* mode = screen ? glfwGetVideoMode(screen) : nullptr;
    if (mode) glfwSetWindowMonitor(window_, screen, 0, 0, mode->width, mode->height, mode->refreshRate);
    glfwSwapInterval(1);
  }

  // The audience's screen is not always the one that the window was opened on.
  void swap_screens() {
    swap_wanted_ = false;
    control_.touch();
    GLFWmonitor* other = other_screen(window_);
    if (!other || !control_.fullscreen()) {
      control_.state().message = other ? tr("The screens change places while something is presented: F begins.")
                                       : tr("Only one screen is connected.");
      return;
    }
    // Window managers leave a full screen where it is: it goes over as a window.
    const DesktopArea room = area_of(other);
    glfwSetWindowMonitor(window_, nullptr, room.x, room.y, room.w, room.h, GLFW_DONT_CARE);
    cover(other);
    presenter_.reset();  // opens anew on the screen that is free now
  }

  // A monitor can be unplugged: GLFW makes its full screen a window. It covers one that is there again, with the notes where
  // they have a screen of their own.
  void follow_screens() {
    std::vector<GLFWmonitor*> now = screens();
    if (now == screens_) return;
    screens_ = std::move(now);
    presenter_.reset();
    if (control_.fullscreen()) {
      if (!glfwGetWindowMonitor(window_)) cover(monitor_of(window_));
      notes_wanted_ = screens_.size() > 1;
    }
    exposed_ = true;
  }

  // Keys pressed over the notes mean what they mean over the diagram.
  void open_notes() {
    try {
      presenter_ = std::make_unique<PresenterWindow>(window_, control_.state().language, presenting_since_);
    } catch (const Error& error) {
      control_.state().message = error.message().translated();
      notes_wanted_ = false;
      return;
    }
    listen_to_keys(presenter_->handle());
    glfwSetWindowRefreshCallback(presenter_->handle(), [](GLFWwindow* w) { of(w).exposed_ = true; });
  }

  // ---- Frame ----

  bool stale() const { return exposed_ || scene_.unfinished || control_.revision() != shown_revision_; }

  // Sleeps until something happens or is due; while something moves, until the next frame of a screen without vsync.
  void wait() {
    const std::optional<double> due = control_.next_change();
    if (stale() || (due && *due <= 0)) {
      constexpr double min_frame = 1.0 / 120;
      const double since = seconds_between(last_frame_, Clock::now());
      if (since < min_frame)
        glfwWaitEventsTimeout(min_frame - since);
      else
        glfwPollEvents();
    } else {
      const double poll = desktop_theme_.valid() ? 0.1 : content_.poll_seconds();
      glfwWaitEventsTimeout(std::min(due.value_or(poll), poll));
    }
  }

  // What other threads have brought.
  void poll() {
    if (desktop_theme_.valid() && desktop_theme_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
      if (const std::optional<ThemeName> theme = desktop_theme_.get(); theme && *theme != control_.state().theme) {
        control_.state().theme = first_theme_ = *theme;
        control_.touch();
      }
    follow_screens();
    if (swap_wanted_) swap_screens();
    if (presenter_ && presenter_->closed()) notes_wanted_ = false;
    if (notes_wanted_ != (presenter_ != nullptr)) {
      notes_wanted_ ? open_notes() : presenter_.reset();
      control_.touch();
    }
    content_.poll();
  }

  void frame() {
    const Clock::time_point begin = Clock::now();
    build();
    const Clock::time_point built = Clock::now();
    draw();
    const Clock::time_point drawn = Clock::now();
    glfwSwapBuffers(window_);
    if (presenter_) presenter_->draw(control_.document(), control_.state());
    times_.notes = presenter_ != nullptr;
    last_frame_ = Clock::now();
    ++times_.frame;
    times_.build_ms = seconds_between(begin, built) * 1000;
    times_.paint_ms = seconds_between(built, drawn) * 1000;
    exposed_ = false;
    log_.write(control_, times_);
  }

  void build() {
    // What is under the pointer may have moved: then it is lit in this very frame.
    for (int round = 0; round < 2; ++round) {
      shown_revision_ = control_.revision();
      try {
        scene_ = window_scene(control_.document(), control_.state());
      } catch (const Error& error) {
        // A file that was cut or replaced while open: say so, and keep the picture that there is.
        const std::string sentence = error.message().translated();
        if (control_.state().message == sentence) break;
        control_.state().message = sentence;
      }
      if (!pressed_) control_.hover(under_pointer(), pointer_);
      if (control_.revision() == shown_revision_) break;
    }
    shown_revision_ = control_.revision();
  }

  void draw() {
    const Theme& look = theme(control_.state().theme);
    ImGui_ImplGlfw_NewFrame();
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddMousePosEvent(pointer_.x, pointer_.y);
#else
    ImGui::GetIO().MousePos = {pointer_.x, pointer_.y};
#endif
    canvas_->draw(scene_, look);
  }

  // ---- Cleanup ----

  // Themes and scales chosen here are there again next time, unless settings.toml says others.
  void remember() {
    Remembered now = remembered_;
    if (control_.state().theme != first_theme_) now.theme = control_.state().theme;
    if (!settings_.scale) now.scale = control_.user_scale();
    if (control_.state().language != first_language_) now.language = control_.state().language;
    if (control_.playback().reduced_motion() != first_motion_)
      now.reduced_motion = control_.playback().reduced_motion();
    now.speed = control_.playback().speed();
    now.panes = control_.state().panes;
    now.costs = control_.state().costs;
    if (control_.state().step_by_chosen) now.step_by = control_.state().step_by;
    if (now != remembered_) write_remembered(config_directory(), now);
  }
};

}  // namespace

int run_window(Document& document, const WindowOptions& options) {
  Window window(document, options);
  window.run();
  return static_cast<int>(ExitCode::good);
}

}  // namespace twiddle
