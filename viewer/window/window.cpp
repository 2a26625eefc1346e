#include "viewer/window/window.h"

#include "base/say.h"

#include "base/error.h"
#include "base/paths.h"
#include "kernels/read_file.h"
#include "viewer/comparison.h"
#include "viewer/differences.h"
#include "viewer/file_watch.h"
#include "viewer/findings.h"
#include "viewer/guide.h"
#include "viewer/open_entries.h"
#include "viewer/remembered.h"
#include "viewer/settings.h"
#include "viewer/trace_facts.h"
#include "viewer/window/atlas.h"
#include "viewer/window/drawn_signals.h"
#include "viewer/window/glfw_window.h"
#include "viewer/window/input.h"
#include "viewer/window/paint.h"
#include "viewer/window/presenter_window.h"
#include "viewer/window/rerun.h"
#include "viewer/window/state_log.h"
#include "viewer/window/system_theme.h"
#include "viewer/window/text_field.h"
#include "viewer/window/traces.h"
#include "viewer/window_control.h"

#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <GLFW/glfw3.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// One window; everything that happens to it goes to the control, and the control's scene is what it shows.
class Window {
 public:
  Window(Document& document, const WindowOptions& options)
      : options_(options),
        log_(log_file(options)),
        rerun_(options, [] { glfwPostEmptyEvent(); }),
        watch_(options.watched),
        control_(document, actions()),
        traces_(control_, [] { glfwPostEmptyEvent(); }),
        atlas_(settings_.language.value_or(options.language)) {
    open();
    control_.state().language = settings_.language.value_or(options.language);
    control_.state().keys = settings_.keys;
    control_.state().can_run = rerun_.possible();
    control_.state().fields = rerun_.fields(document.info());
    control_.state().patience_ms = patience_ms;
    if (const auto theme = options.theme ? options.theme : settings_.theme ? settings_.theme : remembered_.theme) {
      control_.state().theme = *theme;
    } else {
      control_.state().theme = system_theme_from_files().value_or(ThemeName::Light);
      desktop_theme_ = system_theme_from_desktop();
    }
    first_theme_ = control_.state().theme;
    control_.set_user_scale(settings_.scale.value_or(remembered_.scale));
    control_.set_reduced_motion(settings_.reduced_motion.value_or(reduced_motion()));
    complain();
    control_.state().tab = options.view;
    control_.seek(options.step);
    control_.state().guide = options.guide;
    if (options.guide) follow_guide();
    search_.emplace(control_.document().trace);
    if (options.beside) traces_.compare(document, *options.beside);
    follow_size();
  }

  ~Window() {
    remember();
    presenter_.reset();
    textures_.reset();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    glfwDestroyWindow(window_);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  void run() {
    while (!glfwWindowShouldClose(window_)) {
      wait();
      pass_time();
      look_around();
      if (stale()) frame();
    }
  }

 private:
  static constexpr double look_seconds = 0.25;  // between two looks at the watched files
  static constexpr double patience_ms = 6;      // how long a frame may decode before it is shown unfinished

  const WindowOptions& options_;
  Glfw glfw_;
  StateLog log_;
  GLFWwindow* window_ = nullptr;
  Rerun rerun_;
  FileWatch watch_;
  Clock::time_point next_look_ = Clock::now();
  bool file_changed_ = false;
  std::optional<FindingsSearch> search_;
  Settings settings_ = read_settings(config_directory());
  Remembered remembered_ = read_remembered(config_directory());
  ThemeName first_theme_ = ThemeName::Light;  // not chosen in the window
  WindowControl control_;
  Traces traces_;
  GlyphAtlas atlas_;
  std::unique_ptr<GlyphTextures> textures_;
  TextField text_field_;
  std::future<std::optional<ThemeName>> desktop_theme_;
  std::optional<DrawnSignals> drawn_;
  std::unique_ptr<PresenterWindow> presenter_;
  bool notes_wanted_ = false;  // windows come and go between events, never inside one
  Scene scene_;
  std::optional<MarkText> under_;
  std::uint64_t shown_revision_ = 0;
  bool exposed_ = true, inside_ = false, pressed_ = false;
  int settle_frames_ = 0;  // a text field needs a frame or two more than its input
  Point pointer_;
  int windowed_[4] = {0, 0, 1440, 900};
  FrameTimes times_;
  std::string guide_page_, guide_view_;
  Clock::time_point last_frame_ = Clock::now(), clock_ = last_frame_;

  static std::filesystem::path log_file(const WindowOptions& options) {
    if (!options.log.empty()) return options.log;
    const char* log = std::getenv("TWIDDLE_WINDOW_LOG");
    return log ? log : "";
  }

  WindowActions actions() {
    WindowActions actions;
    actions.fullscreen = [this](bool on) {
      set_fullscreen(on);
      notes_wanted_ = on && PresenterWindow::has_screen();
    };
    actions.show_pointer = [this](bool on) {
      glfwSetInputMode(window_, GLFW_CURSOR, on ? GLFW_CURSOR_NORMAL : GLFW_CURSOR_HIDDEN);
    };
    actions.language = [this](Language language) {
      atlas_.speak(language);
      if (!search_->running()) search_.emplace(control_.document().trace);  // findings are told in a language
      if (options_.guide && options_.guide->speak(language)) follow_guide();
      refresh_fields();
    };
    actions.turn_page = [this](int by) {
      if (options_.guide && options_.guide->page(by)) follow_guide();
    };
    actions.guide = [this](const Mark& mark) {
      if (options_.guide && options_.guide->click(mark)) follow_guide();
    };
    if (rerun_.possible()) actions.run_again = [this] { rerun_.start(); };
    if (rerun_.possible()) actions.run_drawn = [this](const std::string& csv) { run_drawn(csv); };
    actions.notes = [this] { notes_wanted_ = !notes_wanted_; };
    actions.open = [this](const std::string& file) { open_file(file); };
    actions.openable = [this] { return open_entries(remembered_.files, std::filesystem::current_path()); };
    actions.choose = [this](const std::string& field, const std::string& entry) { rerun_.choose(field, entry); };
    return actions;
  }

  void open() {
    window_ = open_glfw_window(options_.title.empty() ? "Twiddle" : options_.title, options_.width, options_.height);
    glfwSetWindowSizeLimits(window_, 320, 240, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
    listen();

    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NoMouseCursorChange;
    ImGui_ImplGlfw_InitForOpenGL(window_, true);  // calls our callbacks, too
    if (!ImGui_ImplOpenGL3_Init("#version 150"))
      throw no_device("OpenGL 3.2 could not be used here: write a picture instead with {}", without_window);
    textures_ = std::make_unique<GlyphTextures>();
  }

  /// The window of an event. What was before it gets its time first: a sleep never counts for what comes after.
  static Window& of(GLFWwindow* window) {
    Window& self = *static_cast<Window*>(glfwGetWindowUserPointer(window));
    self.pass_time();
    return self;
  }

  void pass_time() {
    const Clock::time_point now = Clock::now();
    // After a pause of the whole machine the show goes on where it was.
    control_.advance(std::min(seconds_between(clock_, now), 0.25));
    clock_ = now;
  }

  void listen() {
    glfwSetWindowUserPointer(window_, this);
    glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int scancode, int action, int modifiers) {
      of(w).on_key(key, scancode, action, modifiers);
    });
    glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned code_point) { of(w).on_character(code_point); });
    glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) { of(w).on_pointer(x, y); });
    glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int entered) { of(w).inside_ = entered != 0; });
    glfwSetMouseButtonCallback(window_,
                               [](GLFWwindow* w, int button, int action, int) { of(w).on_button(button, action); });
    glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double y) { of(w).on_wheel(y); });
    glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { of(w).follow_size(); });
    glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* w, float, float) { of(w).follow_size(); });
    glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** files) { of(w).on_drop(count, files); });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { of(w).exposed_ = true; });
  }

  bool typing() const { return control_.typing(); }

  // What was set by hand and not understood is said where the window was started, the first of it in the window, too.
  void complain() {
    for (const std::string& sentence : settings_.complaints) std::fprintf(stderr, "twiddle: %s\n", sentence.c_str());
    // In the language that they may have set themselves.
    if (!settings_.complaints.empty()) control_.state().message = read_settings(config_directory()).complaints.front();
  }

  // Themes and scales chosen here are there again next time, unless settings.toml says others.
  void remember() {
    Remembered now = remembered_;
    if (control_.state().theme != first_theme_) now.theme = control_.state().theme;
    if (!settings_.scale) now.scale = control_.user_scale();
    if (now != remembered_) write_remembered(config_directory(), now);
  }

  /// A trace, or, where something can be run, a plan. Throws Error.
  void open_file(const std::filesystem::path& file) {
    if (file.extension() == ".toml") {
      if (!rerun_.possible())
        throw usage_error("{}", say("{0} is a plan: twiddle view {0} traces it and shows it", file.string()));
      rerun_.run_plan(file);
      return;
    }
    traces_.open(file);
    search_.emplace(control_.document().trace);
    control_.state().can_run = false;
    remembered_.opened(file);
    write_remembered(config_directory(), remembered_);
    glfwSetWindowTitle(window_, file.filename().string().c_str());
    refresh_fields();
  }

  // The signal goes the way of any file: what ran can be run again from the command line.
  void run_drawn(const std::string& csv) {
    if (!drawn_) drawn_.emplace();
    try {
      rerun_.choose("signal", drawn_->write(csv).string());
    } catch (const Error& error) { control_.state().message = error.what(); }
  }

  // Keys pressed over the notes mean what they mean over the diagram.
  void open_notes() {
    try {
      presenter_ = std::make_unique<PresenterWindow>(window_, control_.state().language);
    } catch (const Error& error) {
      control_.state().message = error.what();
      notes_wanted_ = false;
      return;
    }
    GLFWwindow* handle = presenter_->handle();
    glfwSetWindowUserPointer(handle, this);
    glfwSetKeyCallback(handle, [](GLFWwindow* w, int key, int scancode, int action, int modifiers) {
      of(w).on_key(key, scancode, action, modifiers);
    });
    glfwSetCharCallback(handle, [](GLFWwindow* w, unsigned code_point) { of(w).on_character(code_point); });
    glfwSetWindowRefreshCallback(handle, [](GLFWwindow* w) { of(w).exposed_ = true; });
  }

  // Two traces at once stand side by side.
  void on_drop(int count, const char** files) {
    if (count < 1) return;
    control_.open(files[0]);
    if (count < 2 || !control_.state().message.empty()) return;
    try {
      traces_.open_beside(files[1]);
    } catch (const Error& error) { control_.state().message = error.what(); }
    control_.touch();
  }

  void on_key(int key, int scancode, int action, int modifiers) {
    if (action == GLFW_RELEASE) return;
    const std::optional<Chord> chord = chord_of_key(key, scancode, modifiers);
    if (typing()) {  // the keys belong to the field
      settle_frames_ = 3;
      if (chord && chord->key == "Escape") control_.command(Command::Leave);
      if (chord && chord->key == "Enter") text_field_.enter();
      return;
    }
    if (!chord || (action == GLFW_REPEAT && !repeats(control_.keys().command(*chord)))) return;
    if (chord->key == "Escape" && rerun_.running()) rerun_.cancel();
    control_.key(*chord);
    if (typing()) text_field_.open();
  }

  void on_character(unsigned code_point) {
    if (typing()) {
      settle_frames_ = 3;
      return;
    }
    if (const std::optional<Chord> chord = chord_of_character(code_point)) control_.key(*chord);
  }

  Point to_scene(double x, double y) const {
    int window_width = 0, window_height = 0, width = 0, height = 0;
    glfwGetWindowSize(window_, &window_width, &window_height);
    glfwGetFramebufferSize(window_, &width, &height);
    const double sx = window_width > 0 ? static_cast<double>(width) / window_width : 1,
                 sy = window_height > 0 ? static_cast<double>(height) / window_height : 1;
    return {static_cast<float>(x * sx), static_cast<float>(y * sy)};
  }

  // The control's answer about the scene that is shown; null outside, or over nothing.
  const MarkText* under_pointer() {
    under_ = inside_ ? control_.under(scene_, pointer_) : std::nullopt;
    return under_ ? &*under_ : nullptr;
  }

  void on_pointer(double x, double y) {
    pointer_ = to_scene(x, y);
    inside_ = true;
    settle_frames_ = typing() ? 2 : settle_frames_;
    if (pressed_)
      control_.drag(pointer_);
    else
      control_.hover(under_pointer(), pointer_);
  }

  void on_button(int button, int action) {
    if (typing()) settle_frames_ = 3;
    if (button != GLFW_MOUSE_BUTTON_LEFT) return;
    pressed_ = action == GLFW_PRESS;
    if (pressed_) {
      control_.press(under_pointer(), pointer_);
    } else {
      control_.release(pointer_);
      if (typing()) text_field_.open();
      control_.hover(under_pointer(), pointer_);
    }
  }

  void on_wheel(double clicks) {
    const bool ctrl = glfwGetKey(window_, GLFW_KEY_LEFT_CONTROL) == GLFW_PRESS ||
                      glfwGetKey(window_, GLFW_KEY_RIGHT_CONTROL) == GLFW_PRESS;
    control_.wheel(under_pointer(), pointer_, static_cast<float>(clicks), ctrl);
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

  void set_fullscreen(bool on) {
    if (on == (glfwGetWindowMonitor(window_) != nullptr)) return;
    if (!on) {
      glfwSetWindowMonitor(window_, nullptr, windowed_[0], windowed_[1], windowed_[2], windowed_[3], GLFW_DONT_CARE);
      return;
    }
    glfwGetWindowPos(window_, &windowed_[0], &windowed_[1]);
    glfwGetWindowSize(window_, &windowed_[2], &windowed_[3]);
    GLFWmonitor* chosen = monitor_of(window_);
    const GLFWvidmode* mode = chosen ? glfwGetVideoMode(chosen) : nullptr;
    if (mode) glfwSetWindowMonitor(window_, chosen, 0, 0, mode->width, mode->height, mode->refreshRate);
    glfwSwapInterval(1);
  }

  bool stale() const {
    return exposed_ || settle_frames_ > 0 || scene_.unfinished || control_.revision() != shown_revision_;
  }

  // Sleeps until something happens or is due; while something moves, until the next frame of a screen without vsync.
  void wait() {
    const std::optional<double> due = control_.next_change();
    if (stale() || (due && *due <= 0)) {
      constexpr double least_frame = 1.0 / 120;
      const double since = seconds_between(last_frame_, Clock::now());
      if (since < least_frame)
        glfwWaitEventsTimeout(least_frame - since);
      else
        glfwPollEvents();
    } else if (watch_.watching()) {
      glfwWaitEventsTimeout(std::min(due.value_or(0.1), something_comes() ? 0.1 : look_seconds));
    } else if (due || something_comes()) {
      glfwWaitEventsTimeout(std::min(due.value_or(0.1), something_comes() ? 0.1 : 10.0));
    } else {
      glfwWaitEventsTimeout(Traces::look_seconds);
    }
  }

  // Whether another thread is about to bring something.
  bool something_comes() const { return rerun_.running() || desktop_theme_.valid() || search_->running(); }

  // What other threads have brought.
  void look_around() {
    if (desktop_theme_.valid() && desktop_theme_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
      if (const std::optional<ThemeName> theme = desktop_theme_.get(); theme && *theme != control_.state().theme) {
        control_.state().theme = first_theme_ = *theme;
        control_.touch();
      }
    if (traces_.look_around()) {
      search_.emplace(control_.document().trace);
      refresh_fields();
    }
    if (presenter_ && presenter_->closed()) notes_wanted_ = false;
    if (notes_wanted_ != (presenter_ != nullptr)) {
      notes_wanted_ ? open_notes() : presenter_.reset();
      control_.touch();
    }
    if (rerun_.devices_arrived()) refresh_fields();
    if (search_->running()) add_findings();
    look_at_files();
    WindowState& state = control_.state();
    if (rerun_.running()) {
      const Rerun::Status status = rerun_.status();
      if (status.fraction != state.run_fraction || status.what != state.run_what) {
        state.run_fraction = status.fraction, state.run_what = status.what;
        control_.touch();
      }
    }
    if (const std::optional<Rerun::Outcome> outcome = rerun_.take()) {
      state.run_fraction = -1;
      state.problems.clear();
      state.edited.clear();
      if (!outcome->error.empty()) {
        state.message = outcome->error;
        show_problems(outcome->error);
      } else if (outcome->cancelled) {
        state.message = tr("Cancelled: this is still the trace from before.");
      } else if (outcome->trace) {
        try {
          auto fresh = std::make_unique<Document>(outcome->trace);
          add_changes(*fresh, outcome->changes);
          traces_.show(std::move(fresh));
          search_.emplace(control_.document().trace);
          control_.state().can_run = rerun_.possible();
        } catch (const std::exception& error) { state.message = error.what(); }
      }
      refresh_fields();
    }
  }

  void look_at_files() {
    if (!watch_.watching() || Clock::now() < next_look_) return;
    next_look_ = Clock::now() + std::chrono::milliseconds(static_cast<int>(look_seconds * 1000));
    if (watch_.changed()) file_changed_ = true;
    if (!file_changed_ || rerun_.running()) return;
    file_changed_ = false;
    rerun_.start_after(control_.document().trace);
  }

  // Compilers' errors go to their lines, in the files as they are now.
  void show_problems(const std::string& error) {
    WindowState& state = control_.state();
    state.problems = source_problems(error);
    if (state.problems.empty() || !watch_.watching()) return;
    const SourceProblem& first = state.problems.front();
    state.message = say("{}:{}: {}. This is still the trace from before.", first.source, first.line, first.text);
    for (const std::filesystem::path& file : options_.watched()) {
      constexpr std::uintmax_t largest_source = 1 << 20;
      try {
        state.edited.push_back({file.filename().string(), read_file(file, largest_source)});
      } catch (const Error&) {  // gone or too large by now: then its lines are not shown
      }
    }
  }

  // What is not as in the run before joins the notes: marks on the scrub bar, a list, and N goes from one to the next.
  void add_changes(Document& document, const std::vector<TraceNote>& changes) {
    if (changes.empty()) return;
    add_notes(document, changes);
    control_.state().message = changes.front().text;
  }

  // Shows what the guide's page speaks of, when it was turned or asks for another view; who answers a question stays where
  // the question was thought over. Its trace is small: made when the page is turned.
  void follow_guide() {
    Guide& guide = *options_.guide;
    const Guide::Place place = guide.place();
    WindowState& state = control_.state();
    if (place.trace && (place.page != guide_page_ || place.view != guide_view_)) {
      if (control_.document().trace != place.trace) {
        auto fresh = std::make_unique<Document>(place.trace);
        traces_.show(std::move(fresh));
        search_.emplace(control_.document().trace);
        rerun_.show(place.request);
      }
      control_.seek(place.step);
      state.tab = place.view;
      state.cursor.pinned = place.light;
      state.can_run = rerun_.possible() && place.unlocked;
    }
    if (place.page != guide_page_) state.scroll.erase("guide");
    guide_page_ = place.page;
    guide_view_ = place.view;
    if (const std::string complaint = guide.complaint(); !complaint.empty()) state.message = complaint;
    refresh_fields();
  }

  // The findings of a large trace, once the checks are through.
  void add_findings() {
    const std::optional<std::vector<TraceNote>> found = search_->take();
    if (!found || found->empty()) return;
    Document& document = control_.document();
    const auto facts = std::make_shared<TraceFacts>(facts_of(document));
    add_notes(*facts, *found);
    document.facts = facts;
    // A note is known by its number, and there are others now.
    std::optional<Mark>& pinned = control_.state().cursor.pinned;
    if (pinned && pinned->kind == MarkKind::Finding) pinned.reset();
    control_.touch();
  }

  void refresh_fields() {
    const TraceInfo& info = control_.document().info();
    control_.state().fields = control_.state().can_run ? rerun_.fields(info) : trace_fields(info);
    control_.touch();
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
    if (settle_frames_ > 0) --settle_frames_;
    log_.write(control_, times_);
  }

  void build() {
    // What lies under the pointer may have moved: then it is lit in this very frame.
    for (int round = 0; round < 2; ++round) {
      shown_revision_ = control_.revision();
      try {
        scene_ = window_scene(control_.document(), control_.state());
      } catch (const Error& error) {
        // A file that was cut or replaced while open: say so, and keep the picture that there is.
        if (control_.state().message == error.what()) break;
        control_.state().message = error.what();
      }
      if (!pressed_) control_.hover(under_pointer(), pointer_);
      if (control_.revision() == shown_revision_) break;
    }
    shown_revision_ = control_.revision();
  }

  void draw() {
    if (atlas_.tidy()) textures_ = std::make_unique<GlyphTextures>();
    const Theme& look = theme(control_.state().theme);
    text_field_.prepare(control_.state().scale * look.ui / theme(ThemeName::Light).ui);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    // The scene is in the framebuffer's px; so is everything that ImGui lays out.
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {control_.state().width, control_.state().height};
    io.DisplayFramebufferScale = {1, 1};
#if IMGUI_VERSION_NUM >= 18700
    io.AddMousePosEvent(pointer_.x, pointer_.y);
#else
    io.MousePos = {pointer_.x, pointer_.y};
#endif
    ImGui::NewFrame();
    paint(scene_, look, atlas_, *textures_, *ImGui::GetBackgroundDrawList());
    if (typing())
      if (const std::optional<std::string> entered =
              text_field_.show(scene_, control_.state().opening ? "open-field" : "go-to-field", look))
        control_.state().opening ? control_.open(*entered) : control_.go_to(*entered);
    ImGui::Render();
    textures_->upload(atlas_);
    const Rgb canvas = look.colour(Role::Canvas);
    glViewport(0, 0, static_cast<int>(control_.state().width), static_cast<int>(control_.state().height));
    glClearColor(static_cast<float>(canvas.r) / 255, static_cast<float>(canvas.g) / 255,
                 static_cast<float>(canvas.b) / 255, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  }
};

}  // namespace

int run_window(Document& document, const WindowOptions& options) {
  Window window(document, options);
  window.run();
  return static_cast<int>(ExitCode::good);
}

}  // namespace twiddle
