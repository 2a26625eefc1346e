#include "tracer/checks/check.h"

#include <algorithm>

namespace twiddle {
namespace {

// Every check there is, for one trace. What is said at the end depends on what those before have found.
std::vector<std::unique_ptr<Check>> all_checks(Replay& replay) {
  const TraceInfo& info = replay.info();
  std::vector<std::unique_ptr<Check>> checks;
  const auto add = [&](std::unique_ptr<Check> check) {
    if (check) checks.push_back(std::move(check));
  };
  add(make_bounds_check(info));
  add(make_fault_check(info));  // after the bounds, which know more
  add(make_barrier_check(info));
  add(make_race_check(info));
  add(make_uninitialised_check(replay.trace()));
  add(make_arithmetic_check(info));
  add(make_consistency_check(replay));
  add(make_transform_check(replay.trace()));
  add(make_dft_check(info));
  add(make_accounting_check(replay.trace()));
  add(make_stride_check(info));
  add(make_memory_check(info));
  add(make_lanes_check(info));
  add(make_outcome_check(replay));
  return checks;
}

}  // namespace

std::vector<Finding> check_trace(Replay& replay, const std::function<bool(double)>& progress) {
  const TraceInfo& info = replay.info();
  const auto checks = all_checks(replay);
  Findings findings;
  std::size_t begun = 0;  // launches, of which all but the last have ended
  const auto end_launch = [&] {
    if (begun > 0)
      for (const auto& check : checks) check->end_launch(info.launches[begun - 1], findings);
  };
  const auto begin_up_to = [&](int number) {
    for (; begun < info.launches.size() && info.launches[begun].number <= number; ++begun) {
      end_launch();
      for (const auto& check : checks) check->begin_launch(info.launches[begun]);
    }
  };
  const double steps = static_cast<double>(std::max<std::uint64_t>(info.steps, 1));
  bool stopped = false;
  replay.for_each_block([&](const OperationBlock& block) {
    begin_up_to(info.segments[block.segment].launch);
    for (const auto& check : checks) check->block(block, findings);
    for (std::uint32_t i = 0; i < block.count; ++i) {
      const Operation op = block.operation(info, i);
      for (const auto& check : checks) check->operation(op, findings);
    }
    stopped = progress && !progress(static_cast<double>(block.first_step + block.count) / steps);
    return !stopped;
  });
  if (stopped) return findings.take();
  begin_up_to(info.launches.empty() ? 0 : info.launches.back().number);
  end_launch();
  for (const auto& check : checks) check->end(findings);
  return findings.take();
}

}  // namespace twiddle
