// A plan's parameters, and the loops that repeat its launches.
#pragma once

#include "kernels/plan/plan.h"
#include "kernels/plan/section.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace twiddle {

/// Reads [parameters]: numbers, and texts that are expressions of other parameters, in any order. `given` replaces values:
/// numbers or expressions. `names` receives all of them, `shown` as text. Throws Error (usage) for a parameter that is given
/// and not there, with the nearest, and for one that is defined by itself.
void read_parameters(const Section& top, const PlanParameters& given, ExpressionNames& names,
                     std::map<std::string, std::string>& shown);

/// Whether a text is an expression in which one of the names occurs.
bool names_a_parameter(std::string_view text, const ExpressionNames& names);

/// Calls `round` for each value of the section's `for` ("s in 1..log2(n)", "h in n/2..1 step -1", "s in 1,2,4", or a list of
/// such loops, the first of them the outermost), with the variables among the names; once where there is none. A range that
/// ends before it begins is empty. Throws Error (usage).
void each_round(const Section& section, const ExpressionNames& names,
                const std::function<void(const ExpressionNames&)>& round);

}  // namespace twiddle
