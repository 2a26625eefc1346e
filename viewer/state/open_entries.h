// What the window offers to open.
#pragma once

#include "viewer/state/window_state.h"

#include <filesystem>
#include <vector>

namespace twiddle {

/// The files opened before that are still there, then the other traces and plans of a folder by name, then the folders that
/// are above and in it; whole paths, each once.
std::vector<OpenEntry> open_entries(const std::vector<std::filesystem::path>& before,
                                    const std::filesystem::path& folder);

}  // namespace twiddle
