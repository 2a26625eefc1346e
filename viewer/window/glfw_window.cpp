#include "viewer/window/glfw_window.h"

#include "base/error.h"

#include <GLFW/glfw3.h>

#include <algorithm>

namespace twiddle {
namespace {

std::string glfw_reason;
void remember_error(int, const char* text) { glfw_reason = text ? text : ""; }

}  // namespace

Glfw::Glfw() {
  glfwSetErrorCallback(remember_error);
  if (!glfwInit())
    throw no_device("no display could be opened ({}): write a picture instead with {}",
                    glfw_reason.empty() ? "there is none" : glfw_reason, without_window);
}

Glfw::~Glfw() { glfwTerminate(); }

GLFWwindow* open_glfw_window(const std::string& title, int width, int height) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
#ifdef GLFW_X11_CLASS_NAME
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "twiddle");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "twiddle");
#endif
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
    int x = 0, y = 0, w = 0, h = 0;
    glfwGetMonitorWorkarea(monitor, &x, &y, &w, &h);
    if (w > 0 && h > 0) width = std::min(width, w), height = std::min(height, h);
  }
  GLFWwindow* window = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  if (!window)
    throw no_device("this display has no OpenGL 3.2 ({}): write a picture instead with {}",
                    glfw_reason.empty() ? "no reason given" : glfw_reason, without_window);
  return window;
}

GLFWmonitor* monitor_of(GLFWwindow* window) {
  int x = 0, y = 0, w = 0, h = 0, count = 0;
  glfwGetWindowPos(window, &x, &y);
  glfwGetWindowSize(window, &w, &h);
  x += w / 2, y += h / 2;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  for (int i = 0; i < count; ++i) {
    int mx = 0, my = 0;
    glfwGetMonitorPos(monitors[i], &mx, &my);
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
    if (mode && x >= mx && x < mx + mode->width && y >= my && y < my + mode->height) return monitors[i];
  }
  return glfwGetPrimaryMonitor();
}

}  // namespace twiddle
