// The user's settings.toml: looks, and keys. It is read, never written, so that comments stay.
#pragma once

#include "viewer/input/keys.h"
#include "viewer/input/playback.h"
#include "viewer/scene/scene.h"
#include "viewer/scene/theme.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

struct Settings {
  std::optional<ThemeName> theme;      // nothing: as it was left, else the system's
  std::optional<float> scale;          // of everything, on top of the screen's
  std::optional<bool> reduced_motion;  // nothing: as the system says
  std::optional<Language> language;
  std::optional<StepBy> step_by;  // nothing: as it was left
  KeyMap keys = KeyMap::defaults();
  /// A sentence for each thing that was not understood, and for each key that two commands ask for.
  std::vector<std::string> complaints;
};

/// Reads settings.toml in the folder; without one, all is at its default. Never throws: what is wrong is a complaint,
/// and the rest counts.
///
///     theme = "dark"             # light, dark, projector
///     scale = 1.25
///     reduced-motion = true
///     language = "ja"            # en, ja, zh
///     step-by = "sub-group"      # work-item, sub-group, stage
///     [keys]                     # a command's keys, in place of those it has
///     step-forward = ["Right", "J"]
///     fullscreen = "F11"
Settings read_settings(const std::filesystem::path& folder);

}  // namespace twiddle
