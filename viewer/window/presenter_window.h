// The presenter's own window: notes and the next step, on another screen than the diagram where there is one.
#pragma once

#include "viewer/frame/presenter_scene.h"
#include "viewer/window/canvas.h"

#include <chrono>
#include <memory>

struct GLFWwindow;
struct ImGuiContext;

namespace twiddle {

class PresenterWindow {
 public:
  /// Beside the main window; on the other screen when there are two. Its clock counts from `since`. Leaves the main
  /// window's context current.
  PresenterWindow(GLFWwindow* main, Language language, std::chrono::steady_clock::time_point since);
  ~PresenterWindow();
  PresenterWindow(const PresenterWindow&) = delete;
  PresenterWindow& operator=(const PresenterWindow&) = delete;

  /// Its own window, for the main one to listen to.
  GLFWwindow* handle() const { return window_; }
  bool closed() const;
  void use_language(Language language) { canvas_->use_language(language); }
  /// Draws it, and leaves the main window's context current.
  void draw(Document& document, const WindowState& state);

 private:
  GLFWwindow *main_, *window_ = nullptr;
  ImGuiContext *main_gui_, *gui_ = nullptr;
  std::unique_ptr<Canvas> canvas_;
  std::chrono::steady_clock::time_point since_;
};

}  // namespace twiddle
