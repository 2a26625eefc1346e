// What another program prints, while it runs.
#pragma once

#include "base/process.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// As run_process; `printed` gets what the program prints, piece by piece.
ProcessResult run_process_heard(const std::vector<std::string>& arguments, double seconds,
                                const std::function<bool()>& go_on,
                                const std::function<void(std::string_view)>& printed);

}  // namespace twiddle
