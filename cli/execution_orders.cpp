#include "cli/execution_orders.h"

#include "base/error.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/tracing.h"
#include "tracer/runtime/kernel_fault.h"
#include "tracer/trace/operation.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace twiddle::cli {
namespace {

Value element_of(const std::vector<std::byte>& bytes, ElementType type, std::size_t index) {
  Value value;
  value.type = type;
  std::memcpy(value.bits.data(), bytes.data() + index * traits(type).bytes, traits(type).bytes);
  return value;
}

// "x[3] ends as 5 under forward and as 7 under reverse", of the first element that differs.
std::string difference(const Plan& plan, const RunOutcome& a, const std::string& order_a, const RunOutcome& b,
                       const std::string& order_b) {
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const auto [at, ignored] = std::mismatch(a.buffers[i].begin(), a.buffers[i].end(), b.buffers[i].begin());
    if (at == a.buffers[i].end()) continue;
    const Buffer& buffer = plan.buffers[i];
    const std::size_t index = static_cast<std::size_t>(at - a.buffers[i].begin()) / traits(buffer.type).bytes;
    return fmt::format("{}[{}] ends as {} under {} and as {} under {}", buffer.name, index,
                       full_value_text(element_of(a.buffers[i], buffer.type, index)), order_a,
                       full_value_text(element_of(b.buffers[i], buffer.type, index)), order_b);
  }
  return {};
}

}  // namespace

void in_every_order(const RunOptions& options, const std::function<void(std::size_t order)>& action) {
  if (options.schedules.size() < 2) return action(0);
  const InterruptGuard guard;
  ProgressBar bar;
  const auto count = static_cast<double>(options.schedules.size());
  for (std::size_t order = 0; order < options.schedules.size(); ++order) {
    if (InterruptGuard::asked()) throw Interrupted("interrupted before every order was tried");
    bar.show(static_cast<double>(order) / count, to_string(options.schedules[order]));
    try {
      action(order);
    } catch (const KernelFault& fault) {
      throw Error(fault.code(), Message("under {}: {}", to_string(options.schedules[order]), fault.message()));
    }
  }
  bar.clear();
}

std::string difference_between_orders(const Plan& plan, const RunOptions& options) {
  std::optional<RunOutcome> first;
  std::string found;
  in_every_order(options, [&](std::size_t order) {
    if (!found.empty()) return;
    RunOutcome outcome = run_plan(plan, *requested_runtime(options, order));
    if (first)
      found = difference(plan, *first, to_string(options.schedules[0]), outcome, to_string(options.schedules[order]));
    else
      first = std::move(outcome);
  });
  return found;
}

}  // namespace twiddle::cli
