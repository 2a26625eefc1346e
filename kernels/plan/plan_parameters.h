// What may be changed about a plan file from outside.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace twiddle {

/// The names under [parameters] that have a whole number and no expression, in the file's order. Throws Error (usage).
std::vector<std::string> number_parameters(const std::filesystem::path& file);

}  // namespace twiddle
