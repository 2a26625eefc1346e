// GLFW's side of a window: the library, a window with OpenGL 3.2, the screen that it is on.
#pragma once

#include <string>

struct GLFWwindow;
struct GLFWmonitor;

namespace twiddle {

/// How to get a picture where there is no window: the end of a sentence.
inline constexpr const char* without_window =
    "`twiddle view FILE --screenshot picture.png` or `twiddle export FILE --at POSITION -o picture.svg`";

/// The library, while it lives. Throws Error (no_device) when there is no display.
struct Glfw {
  Glfw();
  ~Glfw();
  Glfw(const Glfw&) = delete;
  Glfw& operator=(const Glfw&) = delete;
};

/// A window of this size at scale 1, no larger than the screen. Throws Error (no_device) when there is no OpenGL 3.2.
GLFWwindow* open_glfw_window(const std::string& title, int width, int height);

/// The screen that holds the middle of the window; null when there is none.
GLFWmonitor* monitor_of(GLFWwindow* window);

}  // namespace twiddle
