// A plan whose text is not, or not yet, that of its file.
#pragma once

#include "kernels/plan/plan.h"

#include <filesystem>
#include <string>

namespace twiddle {

/// As read_plan_file, with a text that counts in place of the file's own. Throws Error (usage).
Plan read_plan_text(const std::filesystem::path& file, const std::string& text, const PlanParameters& given = {});

}  // namespace twiddle
