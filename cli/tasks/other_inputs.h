// What `check` tries of a plan whose log shows no error: its outcome without a log, and with random inputs that are not its own.
// One signal can be right by luck, and of kernels whose accesses cannot be logged the outcome is all that is known.
#pragma once

#include "cli/options.h"
#include "tracer/checks/finding.h"

#include <optional>
#include <string>

namespace twiddle::cli {

struct WrongOutcome {
  std::string signal;  // what `--signal` takes to show it; empty: the plan's own
  Finding finding;     // wrong-value, of the last launch; buffer, element and how many are wrong
};

/// The first of these outcomes that is wrong by far more than rounding explains. Other signals are tried where the plan's is
/// random and none was asked for, so that they are of the kind that it was made for. Nothing where all are right, where the plan
/// expects nothing or has more than some 10^5 work-items, and of a run that does not end well.
std::optional<WrongOutcome> wrong_without_log(const RunOptions& options, const std::string& subject);

}  // namespace twiddle::cli
