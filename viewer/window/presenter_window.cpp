#include "viewer/window/presenter_window.h"

#include "base/tr.h"
#include "base/values/clock.h"
#include "viewer/window/glfw_window.h"

#include <imgui.h>

#include <GLFW/glfw3.h>

#include <algorithm>

namespace twiddle {
namespace {

/// Makes a window's OpenGL and ImGui contexts the current ones, and puts the main window's back.
class Current {
 public:
  Current(GLFWwindow* window, ImGuiContext* gui, GLFWwindow* main, ImGuiContext* main_gui)
      : main_(main), main_gui_(main_gui) {
    glfwMakeContextCurrent(window);
    ImGui::SetCurrentContext(gui);
  }
  ~Current() {
    ImGui::SetCurrentContext(main_gui_);
    glfwMakeContextCurrent(main_);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  GLFWwindow* main_;
  ImGuiContext* main_gui_;
};

}  // namespace

PresenterWindow::PresenterWindow(GLFWwindow* main, Language language, std::chrono::steady_clock::time_point since)
    : main_(main), main_gui_(ImGui::GetCurrentContext()), since_(since) {
  GLFWmonitor* screen = other_screen(main);
  const char* title = tr("Twiddle: notes");
  window_ = screen ? open_glfw_window_on(screen, title) : open_glfw_window(title, 1280, 720);
  gui_ = ImGui::CreateContext();
  const Current current(window_, gui_, main_, main_gui_);
  glfwSwapInterval(0);  // the audience's screen sets the pace
  canvas_ = std::make_unique<Canvas>(language);
}

PresenterWindow::~PresenterWindow() {
  {
    const Current current(window_, gui_, main_, main_gui_);
    canvas_.reset();
  }
  ImGui::DestroyContext(gui_);
  ImGui::SetCurrentContext(main_gui_);
  glfwDestroyWindow(window_);
  glfwMakeContextCurrent(main_);
}

bool PresenterWindow::closed() const { return glfwWindowShouldClose(window_) != 0; }

void PresenterWindow::draw(Document& document, const WindowState& state) {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  if (width <= 0 || height <= 0) return;
  float scale_x = 1, scale_y = 1;
  glfwGetWindowContentScale(window_, &scale_x, &scale_y);
  PresenterView view;
  view.width = static_cast<float>(width), view.height = static_cast<float>(height);
  view.scale = std::max(0.5f, scale_x);
  view.seconds = seconds_since(since_);
  const Scene scene = presenter_scene(document, state, view);

  const Current current(window_, gui_, main_, main_gui_);
  ImGui::GetIO().DeltaTime = 1.0f / 60;
  canvas_->draw(scene, theme(state.theme));
  glfwSwapBuffers(window_);
}

}  // namespace twiddle
