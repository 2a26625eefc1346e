#include "tracer/checks/check.h"

#include "tracer/checks/limits.h"
#include "tracer/checks/statement_lines.h"
#include "tracer/cost/sub_group.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace twiddle {
namespace {

// Some of the checks, walking through the trace in step order. What they find goes to findings of their own, so that several
// walks can be made at once.
class Walk {
 public:
  /// Accesses are shown where there is a trace to read them from.
  Walk(const TraceInfo& info, std::vector<Check*> checks, const TraceSource* accesses)
      : info_(info), checks_(std::move(checks)), accesses_(accesses) {}

  void block(const OperationBlock& block) {
    begin_up_to(info_.segments[block.segment].launch);
    for (Check* check : checks_) check->block(block, findings_);
    for (std::uint32_t i = 0; i < block.count; ++i) {
      block.operation(info_, i, op_);
      for (Check* check : checks_) check->operation(op_, findings_);
    }
  }
  void end() {
    begin_up_to(info_.launches.empty() ? 0 : info_.launches.back().number);
    end_launch();
  }
  Findings& findings() { return findings_; }

 private:
  void begin_up_to(int number) {
    for (; begun_ < info_.launches.size() && info_.launches[begun_].number <= number; ++begun_) {
      end_launch();
      const LaunchInfo& launch = info_.launches[begun_];
      for (Check* check : checks_) check->begin_launch(launch);
      if (accesses_ && launch.accesses.logged) show_accesses(launch);
    }
  }
  void show_accesses(const LaunchInfo& launch) {
    const AccessLog log = accesses_->accesses_of(launch.number);
    for_each_access(launch, log, sub_group_size, [&](const AccessEvent& event) {
      for (Check* check : checks_) check->access(event, findings_);
    });
    for (Check* check : checks_) check->end_accesses(launch, findings_);
  }
  void end_launch() {
    if (begun_ > 0)
      for (Check* check : checks_) check->end_launch(info_.launches[begun_ - 1], findings_);
  }

  const TraceInfo& info_;
  std::vector<Check*> checks_;
  const TraceSource* accesses_;
  Findings findings_;
  Operation op_;
  std::size_t begun_ = 0;  // launches, of which all but the last have ended
};

// A walk on a thread of its own, at most a few blocks behind.
class FollowingWalk {
 public:
  explicit FollowingWalk(Walk& walk) : walk_(walk), thread_([this] { run(); }) {}
  ~FollowingWalk() {
    {
      const std::lock_guard lock(mutex_);
      blocks_.clear();
    }
    add(nullptr);
    thread_.join();
  }
  FollowingWalk(const FollowingWalk&) = delete;
  FollowingWalk& operator=(const FollowingWalk&) = delete;

  /// Waits while it is too far behind. Throws what the walk threw.
  void follow(const std::shared_ptr<const OperationBlock>& block) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return blocks_.size() < max_behind || failed_; });
    if (failed_) std::rethrow_exception(failed_);
    blocks_.push_back(block);
    changed_.notify_all();
  }
  /// Waits until it has seen every block. Throws what the walk threw.
  void catch_up() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return (blocks_.empty() && !busy_) || failed_; });
    if (failed_) std::rethrow_exception(failed_);
  }

 private:
  static constexpr std::size_t max_behind = 4;

  void add(std::shared_ptr<const OperationBlock> block) {
    const std::lock_guard lock(mutex_);
    blocks_.push_back(std::move(block));
    changed_.notify_all();
  }

  void run() {
    for (;;) {
      std::shared_ptr<const OperationBlock> block;
      {
        std::unique_lock lock(mutex_);
        busy_ = false;
        changed_.notify_all();
        changed_.wait(lock, [&] { return !blocks_.empty(); });
        block = std::move(blocks_.front());
        blocks_.pop_front();
        busy_ = true;
        if (!block) return;
      }
      try {
        walk_.block(*block);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        failed_ = std::current_exception();
        changed_.notify_all();
        return;
      }
    }
  }

  Walk& walk_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<const OperationBlock>> blocks_;  // still to be seen; null ends the thread
  bool busy_ = false;
  std::exception_ptr failed_;
  std::thread thread_;  // last: it uses the others
};

// What a false trace line brings about in the replay is no finding of its own. That an output was never written is what makes
// such a line false, and no consequence of it.
void drop_consequences_of_lies(std::vector<Finding>& findings) {
  std::set<std::pair<int, int>> false_lines;  // launch and line
  for (const Finding& one : findings)
    if (one.kind == FindingClass::FalseTraceLine) false_lines.emplace(one.launch, one.line);
  std::erase_if(findings, [&](const Finding& one) {
    const bool wrong_value = one.kind == FindingClass::WrongValue && !one.never_written;
    return (one.kind == FindingClass::InconsistentRead || wrong_value) && false_lines.contains({one.launch, one.line});
  });
}

}  // namespace

std::vector<Finding> check_trace(Replay& replay, const std::function<bool(double)>& progress) {
  return checked_trace(replay, progress).findings;
}

CheckedTrace checked_trace(Replay& replay, const std::function<bool(double)>& progress, const CheckLimits& limits) {
  const TraceInfo& info = replay.info();
  std::vector<std::unique_ptr<Check>> checks;
  std::vector<Check*> of_memory, of_algorithm;
  std::vector<LimitedCheck*> limited;
  const auto add = [&](std::unique_ptr<Check> check, std::vector<Check*>& walk) {
    if (!check) return;
    walk.push_back(check.get());
    if (auto* with_limits = dynamic_cast<LimitedCheck*>(check.get())) {
      with_limits->limits = limits;
      limited.push_back(with_limits);
    }
    checks.push_back(std::move(check));
  };
  // Two threads share the work. What may give the same class of finding for the same place belongs to one of them.
  add(make_bounds_check(info), of_memory);
  add(make_fault_check(info), of_memory);  // after the bounds, which know more
  add(make_barrier_check(info), of_memory);
  add(make_race_check(info), of_memory);
  add(make_access_race_check(info), of_memory);
  add(make_uninitialised_check(replay.trace()), of_memory);
  add(make_access_memory_check(replay.trace()), of_memory);
  add(make_use_check(replay.trace()), of_memory);
  add(make_arithmetic_check(info), of_algorithm);
  add(make_consistency_check(replay), of_memory);
  add(make_same_index_check(info), of_algorithm);
  add(make_transform_check(replay.trace()), of_algorithm);
  add(make_dft_check(info), of_algorithm);
  add(make_accounting_check(replay.trace()), of_algorithm);
  add(make_stride_check(info), of_algorithm);
  add(make_numerics_check(info), of_algorithm);
  add(make_memory_check(info), of_memory);
  add(make_lanes_check(info), of_memory);
  add(make_outcome_check(replay), of_memory);

  Walk memory(info, std::move(of_memory), &replay.trace()), algorithm(info, std::move(of_algorithm), nullptr);
  const double steps = static_cast<double>(std::max<std::uint64_t>(info.steps, 1));
  bool stopped = false;
  {
    FollowingWalk following(algorithm);
    replay.for_each_block([&](const std::shared_ptr<const OperationBlock>& block) {
      following.follow(block);
      memory.block(*block);
      stopped = progress && !progress(static_cast<double>(block->first_step + block->count) / steps);
      return !stopped;
    });
    if (!stopped) following.catch_up();
  }
  if (!stopped) {
    memory.end();
    algorithm.end();
  }
  Findings findings = std::move(memory.findings());
  findings.append(std::move(algorithm.findings()));
  // What is said at the end depends on what others have found.
  if (!stopped)
    for (const auto& check : checks) check->end(findings);
  std::vector<int> lifted;
  for (const LaunchInfo& launch : info.launches)
    if (launch.accesses.lifted) lifted.push_back(launch.number);
  CheckedTrace result{findings.take(lifted), {}};
  drop_consequences_of_lies(result.findings);
  for (const LimitedCheck* check : limited)
    result.unchecked.insert(result.unchecked.end(), check->unchecked.begin(), check->unchecked.end());
  find_statements(replay, result.findings);
  return result;
}

TraceInfo with_unchecked(TraceInfo info, const std::vector<Unchecked>& unchecked) {
  for (const Unchecked& one : unchecked)
    for (LaunchInfo& launch : info.launches)
      if (launch.number == one.launch) launch.accesses.unlogged.push_back({0, 0, 0, one.what});
  return info;
}

}  // namespace twiddle
