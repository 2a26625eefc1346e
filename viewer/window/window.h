// The real window: ImGui, GLFW and OpenGL 3 around window_scene.
#pragma once

#include "kernels/catalogue.h"
#include "tracer/tracer.h"
#include "viewer/document.h"
#include "viewer/window_scene.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

struct WindowOptions {
  std::string title;               // of the window; empty: "Twiddle"
  std::uint64_t step = 0;          // where to begin
  Guide* guide = nullptr;          // leads through traces with words; it says what is shown
  Document* beside = nullptr;      // a second trace, at the right, stepped together with the document
  std::string view;                // by name; empty: the one the trace opens on
  int width = 1440, height = 900;  // at scale 1
  std::optional<ThemeName> theme;  // nothing: the system's
  Language language = Language::English;
  bool language_given = false;  // else the settings' own comes before it
  /// What the trace was made from; with `run` the fields of the top bar open, and another run takes this one's place.
  Request request;
  std::string runtime = "auto";
  int device = 0;
  struct Made {
    std::shared_ptr<const TraceReader> trace;  // null when it was cancelled
    std::vector<std::string> notes;            // what a person should know of the run, a sentence each
  };
  using Run =
      std::function<Made(const Request& request, const std::string& runtime, int device, const Progress& progress)>;
  Run run;
  /// The files that the run is made from, asked every now and then: when one of them has changed, it is run again. Empty:
  /// none is watched.
  std::function<std::vector<std::filesystem::path>()> watched;
  /// For tests: where to write the window's state, a JSON object a line, after every frame that shows something new
  /// ("-": standard output). Empty: $TWIDDLE_WINDOW_LOG, else nowhere.
  std::filesystem::path log;
};

/// Shows the document until the window is closed; returns the exit code. Throws Error (no_device) when there is no display
/// or no OpenGL 3, with a sentence that names the way to get a picture without.
int run_window(Document& document, const WindowOptions& options);

}  // namespace twiddle
