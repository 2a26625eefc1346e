// The smallest case that still fails: fewer points, launches, work-items, and a simpler signal, as a plan of its own.
#pragma once

#include "cli/options.h"

#include <filesystem>
#include <string>

namespace twiddle::cli {

/// Makes the plan of `subject` (an algorithm or a plan file) smaller as long as its first error is still found, with the same
/// class at the same line, and writes what is left to `folder`: a plan file and the sources and data that it needs. What
/// became of it is returned as text. Throws Error (usage) where nothing is wrong, or the folder has such a file already, and
/// Interrupted after Ctrl-C.
std::string minimise(const RunOptions& options, const std::string& subject, const std::filesystem::path& folder);

}  // namespace twiddle::cli
