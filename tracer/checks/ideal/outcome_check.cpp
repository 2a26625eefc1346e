// When nothing else was found on the way, the outcome itself must be right: the first element that is not is reported at
// the operation that wrote it last.
#include "base/error.h"
#include "base/message.h"
#include "tracer/checks/access.h"
#include "tracer/checks/check.h"
#include "tracer/checks/complex_value.h"
#include "tracer/replay/plan_of.h"
#include "tracer/trace/memory/state.h"

#include "kernels/catalogue/reference.h"

#include <algorithm>
#include <span>

namespace twiddle {
namespace {

class OutcomeCheck : public Check {
 public:
  explicit OutcomeCheck(Replay& replay) : replay_(replay), info_(replay.info()) {}

  void end(Findings& findings) override {
    const bool lifted = std::any_of(info_.launches.begin(), info_.launches.end(),
                                    [](const LaunchInfo& launch) { return launch.accesses.lifted; });
    if (findings.any_errors() && !lifted) return;
    const Plan plan = plan_of(info_);
    const auto last = replay_.state_after(static_cast<int>(info_.segments.size()) - 1);
    const RunContents contents{[&](std::size_t b) { return replay_.trace().first_content(static_cast<int>(b)); },
                               [&](std::size_t b) { return last->bytes(static_cast<int>(b)); }};
    const Outcome outcome = compare(plan, contents);
    // Of operations that no trace line named, the model of an algorithm may understand less than it believes.
    if (outcome.pass)
      for (const LaunchInfo& launch : info_.launches)
        if (launch.accesses.lifted) findings.drop_ideal(launch.number);
    if (outcome.pass || findings.any_structural()) return;
    // Where another array holds what should come out, nothing before was wrong, even where a model says so.
    const int right = elsewhere(plan, contents);
    if (right >= 0 && stale(static_cast<int>(outcome.buffer), right, outcome.element))
      for (const LaunchInfo& launch : info_.launches) findings.drop_ideal(launch.number);
    if (!findings.any_errors()) report(plan, contents, outcome, right, findings);
  }

 private:
  // A buffer that holds what the output should; −1: none.
  static int elsewhere(const Plan& plan, const RunContents& contents) {
    const Buffer* output = plan.buffer_named(plan.expect.output);
    if (!output || !plan.expect.to.imaginary.empty() || plan.expect.transform == Expect::Transform::Equals) return -1;
    for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
      const Buffer& other = plan.buffers[b];
      if (&other == output || other.type != output->type || other.count != output->count) continue;
      Plan instead = plan;
      instead.expect.output = other.name;
      instead.buffers[b].shape = output->shape;
      try {
        if (compare(instead, contents).pass) return static_cast<int>(b);
      } catch (const Error&) {
        // What is expected does not fit this buffer: the input of a transpose, with its outcome's rows.
      }
    }
    return -1;
  }

  // The launch that wrote an element of a buffer last; 0: none.
  int last_launch(int buffer, std::uint64_t element) {
    const std::uint64_t step = info_.steps ? replay_.last_writer(buffer, 0, element, info_.steps) : 0;
    return step == 0 ? 0 : replay_.operation(step).launch;
  }
  bool takes(const LaunchInfo& launch, int buffer) const {
    const std::string& name = info_.buffers[static_cast<std::size_t>(buffer)].name;
    return std::any_of(launch.arguments.begin(), launch.arguments.end(),
                       [&](const std::string& argument) { return argument == name || argument == "image:" + name; });
  }

  // Whether the output was made without the array that is right, or before that was.
  bool stale(int output, int right, std::uint64_t element) {
    const int last = last_launch(output, element);
    const LaunchInfo* launch = info_.launch(last);
    return launch && (last < last_launch(right, element) || !takes(*launch, right));
  }

  // Whether the buffer began without a content, and its element still has none.
  bool unwritten(const RunContents& contents, const Outcome& outcome) {
    if (last_launch(static_cast<int>(outcome.buffer), outcome.element) != 0) return false;
    const std::size_t size = traits(info_.buffers[outcome.buffer].type).bytes;
    const std::vector<std::byte> all = contents.last(outcome.buffer);
    const std::size_t first = outcome.element * size;
    return size % 4 == 0 && first + size <= all.size() && is_uninitialised(std::span(all).subspan(first, size));
  }

  void report(const Plan& plan, const RunContents& contents, const Outcome& outcome, int right, Findings& findings) {
    const int output = static_cast<int>(outcome.buffer);
    const LaunchInfo& launch = info_.launches.back();
    const ElementType type = plan.buffers[output].type;
    Finding finding = finding_of(FindingClass::WrongValue, launch);
    finding.buffer = output;
    finding.element = outcome.element;
    finding.occurrences = outcome.wrong;
    const std::string where = fmt::format("{}[{}]", plan.buffers[outcome.buffer].name, outcome.element);
    const Compared compared = compared_texts(outcome.got, outcome.wanted, type);
    if (outcome.scale > 1.5) {
      finding.kind = FindingClass::Unscaled;
      finding.message =
          Message("the outcome is {:.6g} times too large ({} is {} and should be {}): the inverse was never scaled",
                  outcome.scale, where, compared.is, compared.wanted);
      finding.advice = Message("Multiply by 1/N once, after the last stage.");
    } else if (right >= 0 && stale(output, right, outcome.element)) {
      // Of two arrays that take turns, the one that is not up to date.
      finding.message = Message(
          "{} is stale: {} ends as {} where the reference says {}, and {} holds the right outcome, written last in "
          "launch {}",
          plan.buffers[outcome.buffer].name, where, compared.is, compared.wanted,
          plan.buffers[static_cast<std::size_t>(right)].name, last_launch(right, outcome.element));
      finding.advice =
          Message("Take the array that the last pass wrote: after an even number of passes it is the other one.");
    } else if (unwritten(contents, outcome)) {
      finding.message = Message("{} was never written, and the reference says {}; {} of {} elements are wrong", where,
                                compared.wanted, outcome.wrong, outcome.elements);
      finding.never_written = true;
      finding.advice = Message("Look which work-item should write this element, and which one it writes in its place.");
    } else {
      finding.message = Message("{} ends as {} where the reference says {}; {} of {} elements are wrong", where,
                                compared.is, compared.wanted, outcome.wrong, outcome.elements);
      finding.advice = Message("Follow this element back: its input cone holds the first operation that went wrong.");
    }
    finding.step = info_.steps ? replay_.last_writer(output, 0, outcome.element, info_.steps) : 0;
    if (finding.step != 0) set_place(finding, info_, replay_.operation(finding.step));
    place_at_store(finding, output, outcome.element);
    findings.add(std::move(finding));
  }

  // Of what was written after the last operation that did: a part of an element alone is no operation.
  void place_at_store(Finding& finding, int buffer, std::uint64_t element) {
    const TraceSource& trace = replay_.trace();
    const int operation = finding.step != 0 ? finding.launch : 0;
    for (auto launch = info_.launches.rbegin(); launch != info_.launches.rend() && launch->number >= operation;
         ++launch) {
      bool written = false;
      trace.for_each_patch(launch->number, [&](const TraceSource::Patch& patch) {
        written = written || (patch.buffer == buffer &&
                              std::find(patch.elements.begin(), patch.elements.end(), element) != patch.elements.end());
      });
      if (!written) continue;
      if (!launch->accesses.logged) return;
      const AccessLog log = trace.accesses_of(launch->number);
      const std::uint64_t bytes = traits(info_.buffers[static_cast<std::size_t>(buffer)].type).bytes;
      for (std::uint64_t i = log.items(); i-- > 0;)
        for (std::uint64_t record = log.begin[i + 1]; record-- > log.begin[i];) {
          const AccessSite& site = log.sites[log.site[record]];
          if (!is_write(site.kind) || log.buffer[record] != buffer || log.offset[record] / bytes != element) continue;
          const Finding place = finding_of(finding.kind, *launch);
          finding.launch = place.launch;
          finding.stage = place.stage;
          finding.epoch = -1;
          finding.step = 0;
          finding.items = {log.first_item + i};
          finding.source = site.source;
          finding.line = site.line;
          return;
        }
      return;
    }
  }

  Replay& replay_;
  const TraceInfo& info_;
};

}  // namespace

/// Needs an expectation, and values up to the end of the run.
std::unique_ptr<Check> make_outcome_check(Replay& replay) {
  const TraceInfo& info = replay.info();
  if (info.expect.transform == Expect::Transform::None || !info.complete || info.detail == Detail::Index ||
      info.launches.empty() || info.segments.empty())
    return nullptr;
  return std::make_unique<OutcomeCheck>(replay);
}

}  // namespace twiddle
