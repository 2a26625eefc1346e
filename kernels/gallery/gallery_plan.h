// What the gallery's plans have in common.
#pragma once

#include "kernels/catalogue/catalogue.h"

#include <cstdint>
#include <string>
#include <vector>

namespace twiddle {

/// A plan of n points, values or items without buffers or launches; `size` is how its title says so: "n = 12", "8 points".
Plan gallery_plan(const Request& request, const std::string& title, std::uint64_t n, const std::string& size,
                  bool right, const char* signal = "ramp");

/// What makes a broken source the right twin: RIGHT.
std::vector<std::string> right_defines(bool right);

}  // namespace twiddle
