// Changes of a plan file.
#include "tracer/repair/plan_edits.h"

#include "kernels/plan/plan.h"

#include <doctest.h>

#include <algorithm>
#include <filesystem>

using namespace twiddle;

TEST_CASE("no change of a plan compares a buffer with itself, others may be the output") {
  const Plan plan = read_plan_file(std::filesystem::path(TWIDDLE_TEST_DATA) / "../foreign/opencl/stencil_steps.toml");
  REQUIRE(plan.expect.operand == "slow");
  const std::vector<PlanEdit> edits = edits_of_plan(plan, 400);
  const auto writes = [&](const char* output) {
    return std::any_of(edits.begin(), edits.end(),
                       [&](const PlanEdit& edit) { return edit.plan->expect.output == output; });
  };
  CHECK(writes("once"));
  CHECK_FALSE(writes("slow"));
}

TEST_CASE("no kernel gives way to the one that the plan compares with") {
  const Plan plan = read_plan_file(std::filesystem::path(TWIDDLE_TEST_DATA) / "../foreign/opencl/nbody_float3.toml");
  const auto slow = [](const Plan& one) {
    return std::count_if(one.launches.begin(), one.launches.end(),
                         [](const Launch& launch) { return launch.kernel == "forces_slow"; });
  };
  REQUIRE(slow(plan) == 1);
  for (const PlanEdit& edit : edits_of_plan(plan, 400)) CHECK(slow(*edit.plan) <= 1);
}
