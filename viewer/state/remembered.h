// What the program itself keeps from one session to the next: the files that were open, and how things looked.
#pragma once

#include "viewer/input/pane_sizes.h"
#include "viewer/input/playback.h"
#include "viewer/scene/theme.h"
#include "viewer/views/cost_strips.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

struct Remembered {
  static constexpr std::size_t max_files = 12;
  std::vector<std::filesystem::path> files;  // absolute, the last opened first
  std::optional<ThemeName> theme;            // chosen in the window; nothing: the system's
  std::optional<Language> language;          // chosen in the window; nothing: the system's
  std::optional<bool> reduced_motion;        // the same
  float scale = 1, speed = 1;
  PaneSizes panes;
  std::optional<StepBy> step_by;  // the same; nothing: as each run suggests
  CostStrips costs = CostStrips::Both;
  std::map<std::string, std::string> agreed;  // files that may be run, by path: what was in them
  bool operator==(const Remembered&) const = default;

  /// Puts a file to the front.
  void opened(const std::filesystem::path& file);
};

/// From remembered.json in the folder; empty when it is missing or malformed.
Remembered read_remembered(const std::filesystem::path& folder);
/// False when it could not be written.
bool write_remembered(const std::filesystem::path& folder, const Remembered& remembered);

}  // namespace twiddle
