// Several orders of the same work-items on the host executor: does the outcome depend on the order?
#pragma once

#include "cli/options.h"
#include "kernels/plan/plan.h"

#include <cstddef>
#include <functional>
#include <string>

namespace twiddle::cli {

/// Does something under each order that was asked for (once where none was). The message of a kernel's fault names the order that
/// showed it. Throws what `action` throws, and Interrupted after Ctrl-C.
void in_every_order(const RunOptions& options, const std::function<void(std::size_t order)>& action);

/// Runs the plan without a log in every order, and compares what each leaves behind with what the first does: a sentence on
/// the first element that differs, or nothing.
std::string difference_between_orders(const Plan& plan, const RunOptions& options);

}  // namespace twiddle::cli
