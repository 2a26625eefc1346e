#include "viewer/window/glfw_window.h"

#include "base/error.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace twiddle {
namespace {

std::string glfw_reason;
void remember_error(int, const char* text) { glfw_reason = text ? text : ""; }

GLFWwindow* create(const std::string& title, int width, int height) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  // A full screen that loses the keyboard to the notes on the other one stays where it is.
  glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);
#ifdef GLFW_X11_CLASS_NAME
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "twiddle");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "twiddle");
#endif
  GLFWwindow* window = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  glfwDefaultWindowHints();
  if (!window)
    throw no_device("this display has no OpenGL 3.2 ({}): write a picture instead with {}",
                    glfw_reason.empty() ? "no reason given" : glfw_reason, without_window);
  return window;
}

/// What panels and docks leave of a screen.
DesktopArea free_area_of(GLFWmonitor* screen) {
  DesktopArea area;
  glfwGetMonitorWorkarea(screen, &area.x, &area.y, &area.w, &area.h);
  return area.w > 0 && area.h > 0 ? area : area_of(screen);
}

/// The screen that holds the middle of the area; null when none does.
GLFWmonitor* holder_of(const DesktopArea& area) {
  const int x = area.x + area.w / 2, y = area.y + area.h / 2;
  for (GLFWmonitor* screen : screens()) {
    const DesktopArea its = area_of(screen);
    if (x >= its.x && x < its.x + its.w && y >= its.y && y < its.y + its.h) return screen;
  }
  return nullptr;
}

}  // namespace

Glfw::Glfw() {
  glfwSetErrorCallback(remember_error);
  if (!glfwInit())
    throw no_device("no display could be opened ({}): write a picture instead with {}",
                    glfw_reason.empty() ? "there is none" : glfw_reason, without_window);
}

Glfw::~Glfw() { glfwTerminate(); }

// The shapes of cmake/desktop/twiddle.svg, at the sizes that desktops ask for.
void set_icon(GLFWwindow* window) {
  constexpr float side = 64;  // of the drawing
  struct Colour {
    float r, g, b;
  };
  std::vector<std::vector<unsigned char>> pixels;
  std::vector<GLFWimage> images;
  for (const int size : {16, 32, 48, 64}) {
    const float unit = side / static_cast<float>(size);
    auto& rgba = pixels.emplace_back(static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * 4);
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column) {
        const float x = (static_cast<float>(column) + 0.5f) * unit, y = (static_cast<float>(row) + 0.5f) * unit;
        Colour colour{255, 255, 255};
        const auto lay = [&](float outside, Colour over) {  // px of the drawing outside a shape
          const float cover = std::clamp(0.5f - outside / unit, 0.0f, 1.0f);
          colour = {colour.r + (over.r - colour.r) * cover, colour.g + (over.g - colour.g) * cover,
                    colour.b + (over.b - colour.b) * cover};
        };
        const float root = std::sqrt(2.0f);
        const bool inside = x > 12 && x < 52 && y > 12 && y < 52;
        if (inside) lay(std::abs(x - y) / root - 3.5f, {0, 114, 178});
        if (inside) lay(std::abs(x + y - side) / root - 3.5f, {0, 158, 115});
        for (const float cx : {14.0f, 50.0f})
          for (const float cy : {14.0f, 50.0f}) lay(std::hypot(x - cx, y - cy) - 9, {20, 24, 28});
        // Round corners.
        const float dx = std::max({12 - x, x - 52, 0.0f}), dy = std::max({12 - y, y - 52, 0.0f});
        const float shown = std::clamp(0.5f - (std::hypot(dx, dy) - 12) / unit, 0.0f, 1.0f);
        unsigned char* at = rgba.data() + 4 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(size) +
                                               static_cast<std::size_t>(column));
        const float channels[] = {colour.r, colour.g, colour.b, 255 * shown};
        for (int i = 0; i < 4; ++i) at[i] = static_cast<unsigned char>(std::lround(channels[i]));
      }
    images.push_back({size, size, rgba.data()});
  }
  glfwSetWindowIcon(window, static_cast<int>(images.size()), images.data());
}

GLFWwindow* open_glfw_window(const std::string& title, int width, int height) {
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
    const DesktopArea room = free_area_of(monitor);
    if (room.w > 0 && room.h > 0) width = std::min(width, room.w), height = std::min(height, room.h);
  }
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  return create(title, width, height);
}

GLFWwindow* open_glfw_window_on(GLFWmonitor* screen, const std::string& title) {
  const DesktopArea room = free_area_of(screen);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
  GLFWwindow* window = create(title, std::max(room.w, 1), std::max(room.h, 1));
  glfwSetWindowPos(window, room.x, room.y);
  glfwShowWindow(window);
  glfwMaximizeWindow(window);  // then the frame is within the screen, too
  return window;
}

DesktopArea area_of(GLFWmonitor* screen) {
  DesktopArea area;
  glfwGetMonitorPos(screen, &area.x, &area.y);
  if (const GLFWvidmode* mode = glfwGetVideoMode(screen)) area.w = mode->width, area.h = mode->height;
  return area;
}

std::vector<GLFWmonitor*> screens() {
  int count = 0;
  GLFWmonitor** all = glfwGetMonitors(&count);
  return {all, all + count};
}

GLFWmonitor* monitor_of(const DesktopArea& area) {
  GLFWmonitor* holder = holder_of(area);
  return holder ? holder : glfwGetPrimaryMonitor();
}

GLFWmonitor* monitor_of(GLFWwindow* window) {
  if (GLFWmonitor* covered = glfwGetWindowMonitor(window)) return covered;
  DesktopArea area;
  glfwGetWindowPos(window, &area.x, &area.y);
  glfwGetWindowSize(window, &area.w, &area.h);
  return monitor_of(area);
}

GLFWmonitor* other_screen(GLFWwindow* window) {
  const std::vector<GLFWmonitor*> all = screens();
  GLFWmonitor* taken = monitor_of(window);
  const auto found = std::find_if(all.begin(), all.end(), [&](GLFWmonitor* screen) { return screen != taken; });
  return found == all.end() ? nullptr : *found;
}

DesktopArea on_some_screen(DesktopArea area) {
  GLFWmonitor* main = glfwGetPrimaryMonitor();
  if (!main || holder_of(area)) return area;
  const DesktopArea room = free_area_of(main);
  area.w = std::min(area.w, room.w), area.h = std::min(area.h, room.h);
  area.x = room.x + (room.w - area.w) / 2, area.y = room.y + (room.h - area.h) / 2;
  return area;
}

Point in_framebuffer(GLFWwindow* window, double x, double y) {
  int window_width = 0, window_height = 0, width = 0, height = 0;
  glfwGetWindowSize(window, &window_width, &window_height);
  glfwGetFramebufferSize(window, &width, &height);
  const double sx = window_width > 0 ? static_cast<double>(width) / window_width : 1,
               sy = window_height > 0 ? static_cast<double>(height) / window_height : 1;
  return {static_cast<float>(x * sx), static_cast<float>(y * sy)};
}

}  // namespace twiddle
