#include "tracer/runtime/launch_faults.h"

#include "base/message.h"

#include <algorithm>

namespace twiddle {

Fault fault_of(const Plan& plan, const Launch& launch, const KernelFault& fault) {
  Fault noted{fault.kind, fault.items, fault.line, fault.buffer, fault.element, fault.place, fault.sentence};
  const auto number = static_cast<std::size_t>(fault.parameter);
  if (fault.parameter >= 0 && number < launch.arguments.size())
    if (const auto* buffer = std::get_if<BufferArgument>(&launch.arguments[number]))
      noted.buffer = plan.buffers[buffer->buffer].name;
  return noted;
}

Fault fault_of(const Plan& plan, const Launch& launch, int number, const Runtime::Overrun& overrun) {
  Fault fault;
  const std::vector<std::size_t> handed_over = overrun.argument < launch.arguments.size()
                                                   ? buffers_of(launch.arguments[overrun.argument])
                                                   : std::vector<std::size_t>();
  const auto which = static_cast<std::size_t>(std::max(overrun.pointer, 0));
  Message where = Message("next to the log of its operations");
  if (which < handed_over.size()) {
    const Buffer& buffer = plan.buffers[handed_over[which]];
    const auto bytes = static_cast<std::int64_t>(traits(buffer.type).bytes);
    fault.buffer = buffer.name;
    fault.element = overrun.byte >= 0 ? overrun.byte / bytes : -((-overrun.byte + bytes - 1) / bytes);
    where = Message("{0}[{1}], and {0} has {2} elements", buffer.name, fault.element, buffer.count);
  } else if (overrun.argument == Runtime::Overrun::nowhere) {
    where =
        Message("memory that belongs to none of its buffers (local memory, or an index billions of elements astray)");
  }
  // Sentences are whole, for their translations.
  fault.sentence =
      overrun.kind == StrayAccess::Kind::Write
          ? Message(
                "launch {} ({}) writes {}; check its indices, or how many work-items there are (--runtime host, "
                "with the kernel in CUDA C++, names the work-item and the line)",
                number, launch.kernel, where)
      : overrun.kind == StrayAccess::Kind::Read
          ? Message(
                "launch {} ({}) reads {}; check its indices, or how many work-items there are (--runtime host, "
                "with the kernel in CUDA C++, names the work-item and the line)",
                number, launch.kernel, where)
          : Message(
                "launch {} ({}) touches {}; check its indices, or how many work-items there are (--runtime host, "
                "with the kernel in CUDA C++, names the work-item and the line)",
                number, launch.kernel, where);
  return fault;
}

}  // namespace twiddle
