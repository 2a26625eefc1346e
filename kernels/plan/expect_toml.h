// [expect] of a plan file, written and read.
#pragma once

#include "kernels/plan/plan.h"
#include "kernels/plan/section.h"

#include <string>

namespace twiddle {

/// The table as TOML; nothing where nothing is expected.
std::string expect_toml(const Expect& expect);

/// Reads the table into plan.expect, with the files that it names, and lays it over the plan's buffers (expect_shape.h).
/// Throws Error (usage, unreadable) with the line.
void read_expect(const toml::table& table, const std::string& file, const ExpressionNames& names, Plan& plan);

}  // namespace twiddle
