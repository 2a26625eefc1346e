// What the window offers to open.
#pragma once

#include "viewer/window_scene.h"

#include <filesystem>
#include <vector>

namespace twiddle {

/// The files opened before that are still there, then the other traces of a folder by name; whole paths, each once.
std::vector<OpenEntry> open_entries(const std::vector<std::filesystem::path>& before,
                                    const std::filesystem::path& folder);

}  // namespace twiddle
