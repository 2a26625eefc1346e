#include "viewer/window/presenter_window.h"

#include "base/tr.h"

#include "viewer/window/glfw_window.h"

#include <imgui.h>
#include <imgui_impl_opengl3.h>

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
    : main_(main), main_gui_(ImGui::GetCurrentContext()), atlas_(language), since_(since) {
  GLFWmonitor* screen = other_screen(main);
  const char* title = tr("Twiddle: notes");
  window_ = screen ? open_glfw_window_on(screen, title) : open_glfw_window(title, 1280, 720);
  gui_ = ImGui::CreateContext();
  const Current current(window_, gui_, main_, main_gui_);
  glfwSwapInterval(0);  // the audience's screen sets the pace
  ImGui::GetIO().IniFilename = nullptr;
  ImGui_ImplOpenGL3_Init("#version 150");
  textures_ = std::make_unique<GlyphTextures>();
}

PresenterWindow::~PresenterWindow() {
  {
    const Current current(window_, gui_, main_, main_gui_);
    textures_.reset();
    ImGui_ImplOpenGL3_Shutdown();
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
  view.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - since_).count();
  const Scene scene = presenter_scene(document, state, view);

  const Current current(window_, gui_, main_, main_gui_);
  if (atlas_.tidy()) textures_ = std::make_unique<GlyphTextures>();
  ImGui_ImplOpenGL3_NewFrame();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {view.width, view.height};
  io.DisplayFramebufferScale = {1, 1};
  io.DeltaTime = 1.0f / 60;
  ImGui::NewFrame();
  const Theme& look = theme(state.theme);
  paint(scene, look, atlas_, *textures_, *ImGui::GetBackgroundDrawList());
  ImGui::Render();
  textures_->upload(atlas_);
  const Rgb canvas = look.colour(Role::Canvas);
  glViewport(0, 0, width, height);
  glClearColor(static_cast<float>(canvas.r) / 255, static_cast<float>(canvas.g) / 255,
               static_cast<float>(canvas.b) / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  glfwSwapBuffers(window_);
}

}  // namespace twiddle
