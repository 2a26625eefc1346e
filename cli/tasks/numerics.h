// `verify --numerics`: a run's rounding errors, as text and as JSON.
#pragma once

#include "cli/options.h"

#include <nlohmann/json.hpp>

#include <string>

namespace twiddle::cli {

struct Numerics {
  std::string text;
  nlohmann::ordered_json json;  // docs/json.md
};

/// Runs a subject with its operations logged (or reads its trace), and each of them once more beside it in higher precision.
/// Throws Error (usage) for a trace without values, and Interrupted after Ctrl-C.
Numerics numerics_of(const RunOptions& options, const std::string& subject);

}  // namespace twiddle::cli
