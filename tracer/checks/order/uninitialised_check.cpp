// Reads of what has not been written: of buffers without a first content, and of local memory, which starts in every group
// with what was there before.
#include "tracer/checks/check.h"
#include "tracer/checks/order/order_findings.h"
#include "tracer/trace/memory/pairs.h"

#include <algorithm>

namespace twiddle {
namespace {

class UninitialisedCheck : public Check {
 public:
  explicit UninitialisedCheck(const TraceSource& trace)
      : trace_(trace), info_(trace.info()), shared_(info_), written_(info_.buffers.size()) {
    for (std::size_t b = 0; b < info_.buffers.size(); ++b)
      if (!is_local(info_.buffers[b])) written_[b].assign(info_.buffers[b].count, info_.buffers[b].initialised);
  }

  void begin_launch(const LaunchInfo& launch) override {
    group_size_ = launch.group_size();
    logged_ = launch.accesses.logged;
    for (std::size_t b = 0; b < info_.buffers.size(); ++b)
      if (is_local(info_.buffers[b])) written_[b] = {};
  }

  void operation(const Operation& op, Findings& findings) override {
    if (!logged_)  // else access_memory_check knows more
      for (const Access& access : op.reads) look(op, access, findings);
    for (const Access& access : op.writes) {
      mark(op, access);
      shared_.for_each_other(access.buffer, access.index,
                             [&](int buffer, std::uint64_t element) { mark(op, buffer, element, element + 1); });
    }
  }

  void end_launch(const LaunchInfo& launch, Findings&) override {
    // What a launch wrote without logging it is written all the same.
    trace_.for_each_patch(launch.number, [&](const TraceSource::Patch& patch) {
      auto& written = written_[patch.buffer];
      for (const std::uint32_t element : patch.elements)
        if (element < written.size()) written[element] = true;
    });
  }

 private:
  // Local arrays are group after group.
  std::uint64_t at(const Operation& op, const BufferInfo& buffer, std::uint64_t element) const {
    return is_local(buffer) ? op.item / group_size_ * buffer.count + element : element;
  }

  void look(const Operation& op, const Access& access, Findings& findings) {
    const BufferInfo* buffer = info_.buffer(access.buffer);
    if (!buffer) return;
    const ElementRange elements = elements_of(*buffer, access);
    if (elements.end > buffer->count) return;  // bounds_check reports it
    // Where some operations were not kept, only what was read can tell.
    if (!info_.filter.empty() && (is_local(*buffer) || !access.known || !is_uninitialised(access.value.bytes())))
      return;
    const auto& written = written_[access.buffer];
    for (std::uint64_t element = elements.first; element < elements.end; ++element) {
      const std::uint64_t place = at(op, *buffer, element);
      if (place >= written.size() || !written[place]) return report(op, access, findings);
    }
  }

  void mark(const Operation& op, const Access& access) {
    const BufferInfo* buffer = info_.buffer(access.buffer);
    if (!buffer) return;
    const ElementRange elements = elements_of(*buffer, access);
    if (elements.end <= buffer->count) mark(op, access.buffer, elements.first, elements.end);
  }
  void mark(const Operation& op, int number, std::uint64_t first, std::uint64_t end) {
    const BufferInfo& buffer = info_.buffers[static_cast<std::size_t>(number)];
    auto& written = written_[number];
    for (std::uint64_t element = first; element < end; ++element) {
      const std::uint64_t place = at(op, buffer, element);
      if (place >= written.size()) written.resize(std::max<std::uint64_t>(place + 1, written.size() * 2));
      written[place] = true;
    }
  }

  void report(const Operation& op, const Access& access, Findings& findings) {
    if (findings.count_repeat(place_of(FindingClass::UninitialisedRead, op, access), op.item)) return;
    Finding finding = finding_at(FindingClass::UninitialisedRead, info_, op, access);
    word_unwritten(info_, finding, op.item / group_size_);
    findings.add(std::move(finding));
  }

  const TraceSource& trace_;
  const TraceInfo& info_;
  const SharedElements shared_;
  std::uint64_t group_size_ = 1;
  bool logged_ = false;
  std::vector<std::vector<bool>> written_;
};

}  // namespace

std::unique_ptr<Check> make_uninitialised_check(const TraceSource& trace) {
  return std::make_unique<UninitialisedCheck>(trace);
}

}  // namespace twiddle
