// Small changes of a plan file: a number, a name, arguments or launches exchanged.
#pragma once

#include "kernels/plan/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace twiddle {

struct PlanEdit {
  int line = 0;
  std::string is, should;  // the line without its indentation
  std::string was, text;   // what is replaced in it, and by what
  std::string whole;       // the text of the file with the change
  double cost = 1;
  std::optional<Plan> plan;   // with the change; nothing where it is no plan any more
  bool same_buffers = false;  // so that only launches differ
};

/// The text of a user's plan file, as it is edited; nothing where the plan is no file.
std::optional<std::string> text_of_plan(const Plan& plan);

/// The parameters that the plan has other values of than its file, whose text that is, gives them. Throws Error (usage).
PlanParameters given_parameters(const Plan& plan, const std::string& text);

/// Changes of a user's plan file, cheapest first, at most `most` of them. Empty where the plan is no file.
std::vector<PlanEdit> edits_of_plan(const Plan& plan, std::size_t most);

}  // namespace twiddle
