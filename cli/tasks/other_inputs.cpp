#include "cli/tasks/other_inputs.h"

#include "base/error.h"
#include "base/message.h"
#include "cli/tracing.h"
#include "kernels/catalogue/reference.h"
#include "tracer/trace/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace twiddle::cli {
namespace {

constexpr std::uint64_t max_items = std::uint64_t(1) << 17;
constexpr std::array<std::string_view, 3> other_signals{"random:1", "random:2", "random:3"};

// A sum that nearly cancels is off by much of itself, though every rounding is right.
bool by_far(const Verdict& verdict) {
  constexpr double least = 1e-2, times = 1000;
  return !verdict.pass && !(verdict.relative_l2 <= std::max(least, times * verdict.bound));
}

std::optional<Finding> wrong_outcome(const Plan& plan, Runtime& runtime) {
  const RunOutcome outcome = run_plan(plan, runtime);
  const RunContents contents{[&](std::size_t b) { return first_content(plan, plan.buffers[b]); },
                             [&](std::size_t b) { return outcome.buffers[b]; }};
  if (!by_far(verify(plan, contents))) return std::nullopt;
  const Outcome wrong = compare(plan, contents);
  const Buffer& buffer = plan.buffers[wrong.buffer];
  Finding finding;
  finding.kind = FindingClass::WrongValue;
  finding.launch = static_cast<int>(plan.launches.size());
  finding.buffer = static_cast<int>(wrong.buffer);
  finding.element = wrong.element;
  finding.occurrences = wrong.wrong;
  const Compared compared = compared_texts(wrong.got, wrong.wanted, buffer.type);
  finding.message = Message("{} ends as {} where the reference says {}; {} of {} elements are wrong",
                            fmt::format("{}[{}]", buffer.name, wrong.element), compared.is, compared.wanted,
                            wrong.wrong, wrong.elements);
  return finding;
}

}  // namespace

std::optional<WrongOutcome> wrong_without_log(const RunOptions& options, const std::string& subject) {
  RunOptions run = options;
  run.request.algorithm = subject;
  try {
    const Plan own = requested_plan(run);
    if (own.expect.transform == Expect::Transform::None || own.launches.empty() || items_of(own) > max_items)
      return std::nullopt;
    const std::unique_ptr<Runtime> runtime = requested_runtime(run, &own);
    if (auto wrong = wrong_outcome(own, *runtime)) return WrongOutcome{"", std::move(*wrong)};
    if (!own.signal.starts_with("random") || !options.request.signal.empty()) return std::nullopt;
    for (const std::string_view signal : other_signals) {
      run.request.signal = signal;
      const Plan other = requested_plan(run);
      if (other.signal == own.signal) continue;
      if (auto wrong = wrong_outcome(other, *runtime)) return WrongOutcome{std::string(signal), std::move(*wrong)};
    }
  } catch (const Error&) {}  // what keeps the plan itself from running is said by its trace
  return std::nullopt;
}

}  // namespace twiddle::cli
