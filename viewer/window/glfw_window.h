// GLFW's side of a window: the library, a window with OpenGL 3.2, the screen that it is on.
#pragma once

#include "viewer/scene/scene.h"

#include <string>
#include <vector>

struct GLFWwindow;
struct GLFWmonitor;

namespace twiddle {

/// How to get a picture where there is no window: the end of a sentence.
inline constexpr const char* without_window =
    "`twiddle view FILE --screenshot picture.png` or `twiddle export FILE --at POSITION -o picture.svg`";

/// Initialises the library and terminates it. Throws Error (no_device) when there is no display.
struct Glfw {
  Glfw();
  ~Glfw();
  Glfw(const Glfw&) = delete;
  Glfw& operator=(const Glfw&) = delete;
};

/// A window of this size at scale 1, no larger than the screen. Throws Error (no_device) when there is no OpenGL 3.2.
GLFWwindow* open_glfw_window(const std::string& title, int width, int height);

/// Gives a window the program's mark as its icon, where the desktop shows one.
void set_icon(GLFWwindow* window);

/// A rectangle in the desktop's coordinates.
struct DesktopArea {
  int x = 0, y = 0, w = 0, h = 0;
};

/// A window that fills a screen's free part, and leaves the keyboard to the window that has it. Throws as the other.
GLFWwindow* open_glfw_window_on(GLFWmonitor* screen, const std::string& title);

/// The screens that are connected now, the main one first.
std::vector<GLFWmonitor*> screens();

/// All of a screen.
DesktopArea area_of(GLFWmonitor* screen);

/// The screen that holds the middle of the window, or of an area: of an area that is on none, the main one. Null when
/// there is none at all.
GLFWmonitor* monitor_of(GLFWwindow* window);
GLFWmonitor* monitor_of(const DesktopArea& area);

/// A screen that the window is not on; null when there is one at most.
GLFWmonitor* other_screen(GLFWwindow* window);

/// Where a window is put back to: the area, or, of one whose screen is gone, as much of it as the main screen has room for.
DesktopArea on_some_screen(DesktopArea area);

/// A point of a window, in px of its framebuffer.
Point in_framebuffer(GLFWwindow* window, double x, double y);

}  // namespace twiddle
