#include "viewer/window/canvas.h"

#include "base/error.h"
#include "viewer/window/glfw_window.h"

#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <GLFW/glfw3.h>

namespace twiddle {

Canvas::Canvas(Language language) : atlas_(language) {
  ImGui::GetIO().IniFilename = nullptr;
  if (!ImGui_ImplOpenGL3_Init("#version 150"))
    throw no_device("OpenGL 3.2 could not be used here: write a picture instead with {}", without_window);
}

Canvas::~Canvas() {
  textures_.reset();
  ImGui_ImplOpenGL3_Shutdown();
}

void Canvas::draw(const Scene& scene, const Theme& theme) {
  if (atlas_.tidy()) textures_ = std::make_unique<GlyphTextures>();
  ImGui_ImplOpenGL3_NewFrame();
  // The scene is in the framebuffer's px; so is everything that ImGui lays out.
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {scene.width, scene.height};
  io.DisplayFramebufferScale = {1, 1};
  ImGui::NewFrame();
  paint(scene, theme, atlas_, *textures_, *ImGui::GetBackgroundDrawList());
  ImGui::Render();
  textures_->upload(atlas_);
  const Rgb ground = theme.colour(Role::Canvas);
  glViewport(0, 0, static_cast<int>(scene.width), static_cast<int>(scene.height));
  glClearColor(static_cast<float>(ground.r) / 255, static_cast<float>(ground.g) / 255,
               static_cast<float>(ground.b) / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace twiddle
