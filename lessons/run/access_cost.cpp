#include "lessons/run/access_cost.h"

#include "base/error.h"
#include "base/text.h"
#include "lessons/run/reference.h"
#include "viewer/document/document.h"
#include "viewer/document/request.h"

namespace twiddle {

AccessName parse_access(std::string_view text) {
  AccessName access;
  const std::size_t space = text.find(' ');
  const std::string_view direction = text.substr(0, space);
  access.write = direction == "write";
  int place = 1;
  if (space != std::string_view::npos) place = number_in<int>(text.substr(space + 1)).value_or(0);
  if ((direction != "read" && direction != "write") || place < 1 || place > 4)
    throw usage_error("'{}' is no access; write read 1, or write 2", text);
  access.which = place - 1;
  return access;
}

std::uint64_t AccessCost::fetched() const { return sectors * sector_bytes; }

AccessCost access_cost(LessonRun& run, const std::string& position, const AccessName& access) {
  const StepRange range = steps_at(run, position);
  const bool single = range.first == range.last;
  Document& document = run.document();
  AccessCost sum;
  int buffer = -1;
  for (std::uint64_t step = range.first; step <= range.last; ++step) {
    const Operation operation = run.replay().operation(step);
    const auto& list = access.write ? operation.writes : operation.reads;
    if (access.which >= list.size() || list[access.which].buffer < 0) continue;
    // A request is counted with the first of its operations.
    const std::vector<Operation> request = request_of(document, operation);
    if (!single && !request.empty() && request.front().step != operation.step) continue;
    if (buffer >= 0 && list[access.which].buffer != buffer)
      throw usage_error("at {} more than one buffer is accessed so; name a single operation: L2.S1.I0", position);
    buffer = list[access.which].buffer;
    const RequestCost cost = cost_of(run.info(), request, buffer, access.which, access.write);
    ++sum.requests;
    sum.items += cost.lanes;
    sum.used += cost.bytes;
    sum.sectors += static_cast<std::uint64_t>(cost.sectors.size());
    sum.passes += static_cast<std::uint64_t>(cost.banks.passes());
  }
  if (buffer < 0)
    throw usage_error("no operation at {} has a {} {}", position, access.write ? "write" : "read", access.which + 1);
  const BufferInfo& info = run.info().buffers[buffer];
  sum.buffer = info.name;
  sum.local = info.space == Space::Local;
  return sum;
}

}  // namespace twiddle
