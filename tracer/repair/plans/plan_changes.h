// What a person mistakes in a plan file, as pieces of its text put in the place of others.
#pragma once

#include "kernels/plan/plan.h"

#include <cstddef>
#include <string>
#include <vector>

namespace twiddle {

struct PlanChange {
  std::size_t begin = 0, size = 0;
  std::string text;
  double cost = 1;
  bool line = false;       // a line more, behind the one that it begins in
  bool parameter = false;  // of the plan
};

/// A launch of what the plan compares with. Its kernel is right wherever it is launched, and says nothing of one that is not.
bool computes_reference(const Plan& plan, const Launch& launch);

/// Changes of the text of a plan's file, in no order; not all of them make a plan.
std::vector<PlanChange> changes_of_plan(const Plan& plan, const std::string& text);

}  // namespace twiddle
