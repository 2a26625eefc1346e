// The log must agree with itself: every logged read is compared with what the logged writes before it left there, and what
// the device held at the end of each launch with what they left at all. Where they differ, something happened that the log
// does not explain.
#include "base/message.h"
#include "tracer/checks/access.h"
#include "tracer/checks/check.h"
#include "tracer/trace/item_words.h"
#include "tracer/trace/memory/apply.h"
#include "tracer/trace/memory/replay_memory.h"
#include "tracer/trace/number_text.h"

#include <cstring>

namespace twiddle {
namespace {

class ConsistencyCheck : public Check {
 public:
  explicit ConsistencyCheck(Replay& replay) : replay_(replay), info_(replay.info()), memory_(info_.buffers) {
    for (std::size_t b = 0; b < info_.buffers.size(); ++b)
      replay.trace().for_each_content(static_cast<int>(b), [&](std::uint64_t first, std::span<const std::byte> bytes) {
        memory_.assign(static_cast<int>(b), first, bytes);
      });
  }

  void begin_launch(const LaunchInfo& launch) override {
    launch_ = &launch;
    memory_.begin_launch(launch);
    found_ = false;
  }

  void block(const OperationBlock& block, Findings& findings) override {
    if (block.barriers) return;
    for_site_runs(block, 0, block.count, [&](std::size_t s, std::uint32_t op, std::uint32_t row, std::uint32_t count) {
      run(block, block.sites[s], op, row, count, findings);
    });
  }

  void end_launch(const LaunchInfo& launch, Findings& findings) override {
    replay_.trace().for_each_patch(launch.number, [&](const TraceSource::Patch& patch) {
      const std::size_t size = traits(info_.buffers[patch.buffer].type).bytes;
      // What was found in accesses is told as far as it goes; the accesses themselves explain the rest.
      if (launch.attempted > 0 && !launch.accesses.lifted && !patch.elements.empty())
        left_behind(launch, patch, findings);
      for (std::size_t i = 0; i < patch.elements.size(); ++i)
        memory_.assign(patch.buffer, std::uint64_t(patch.elements[i]) * size,
                       std::span(patch.bytes).subspan(i * size, size));
    });
  }

 private:
  // Operations of one trace line that follow one another.
  void run(const OperationBlock& block, const SiteColumns& columns, std::uint32_t op, std::uint32_t row,
           std::uint32_t count, Findings& findings) {
    const ShapeTraits& shape = traits(columns.shape);
    ReplayMemory::Rows rows = rows_of(columns, block.item.data() + op, row, count);
    for (std::size_t r = 0; r < std::size_t(shape.reads); ++r) {
      expected_[r].resize(count * rows.size);
      rows.read_out[r] = expected_[r].data();
    }
    if (adds(columns)) {  // the order in which items met in an element is not known, so what they found proves nothing
      rows.write_in[0] = columns.coefficients[0].data() + std::size_t(row) * rows.size;
      return memory_.step_adding(rows, columns.value_type);
    }
    memory_.step(rows);
    for (std::size_t r = 0; r < std::size_t(shape.reads); ++r) {
      const std::byte* logged = columns.reads[r].data() + std::size_t(row) * rows.size;
      if (std::memcmp(logged, expected_[r].data(), count * rows.size) == 0) continue;
      for (std::uint32_t i = 0; i < count; ++i)
        if (std::memcmp(logged + i * rows.size, expected_[r].data() + i * rows.size, rows.size) != 0)
          differs(block, op + i, static_cast<int>(r), std::span(expected_[r]).subspan(i * rows.size, rows.size),
                  findings);
    }
  }

  void differs(const OperationBlock& block, std::uint32_t at, int read, std::span<const std::byte> expected,
               Findings& findings) {
    if (launch_->accesses.lifted) return;    // an item may have read before it, or another, wrote
    if (is_uninitialised(expected)) return;  // unwritten or out of bounds: other checks report it
    const Operation op = block.operation(info_, at);
    const Access& access = op.reads[read];
    found_ = true;
    if (findings.count_repeat(place_of(FindingClass::InconsistentRead, op, access), op.item)) return;
    Finding finding = finding_at(FindingClass::InconsistentRead, info_, op, access);
    Value wanted;
    wanted.type = access.value.type;
    std::memcpy(wanted.bits.data(), expected.data(), expected.size());
    const Compared compared = compared_texts(access.value, wanted);
    finding.message = Message("{} read {} from {}, where the logged writes left {}", item_name(info_, op.item),
                              compared.is, element_text(info_, access), compared.wanted);
    finding.advice = Message(
        "Compare the indices in the trace line with those of the access itself, and look for a write without "
        "a trace line.");
    findings.add(std::move(finding));
  }

  // Elements that ended otherwise than the log says, although every read fitted.
  void left_behind(const LaunchInfo& launch, const TraceSource::Patch& patch, Findings& findings) {
    const std::uint64_t element = patch.elements.front();
    const BufferInfo& buffer = info_.buffers[patch.buffer];
    Finding finding = finding_of(FindingClass::InconsistentRead, launch);
    finding.buffer = patch.buffer;
    finding.element = element;
    finding.occurrences = patch.elements.size();
    // The last operation of the launch that wrote there, if there was one, is the place to look.
    std::uint64_t last_step = 0;
    for (const Segment& segment : info_.segments)
      if (segment.launch == launch.number) last_step = segment.end_step() - 1;
    const std::uint64_t step = last_step ? replay_.last_writer(patch.buffer, 0, element, last_step) : 0;
    Message wrote = Message("which no logged operation of it wrote");
    if (step != 0) {
      const Operation op = replay_.operation(step);
      if (op.launch == launch.number) {
        set_place(finding, info_, op);
        wrote = Message("where {} logged another value", item_name(info_, op.item));
      }
    }
    if (finding.stage < 0) finding.stage = launch.stage;
    finding.message = Message("after launch {} ({}) the device holds another value in {}[{}], {}", launch.number,
                              launch.kernel, buffer.name, element, wrote);
    finding.advice =
        Message("Look for a write without a trace line, or for two writes in an order that nothing fixes.");
    findings.add(std::move(finding));
  }

  Replay& replay_;
  const TraceInfo& info_;
  const LaunchInfo* launch_ = nullptr;
  ReplayMemory memory_;
  bool found_ = false;
  std::array<std::vector<std::byte>, max_legs> expected_;
};

}  // namespace

/// Where some operations were not kept, or without values, the log explains nothing and need not.
std::unique_ptr<Check> make_consistency_check(Replay& replay) {
  const TraceInfo& info = replay.info();
  if (!info.filter.empty() || info.detail == Detail::Index) return nullptr;
  return std::make_unique<ConsistencyCheck>(replay);
}

}  // namespace twiddle
