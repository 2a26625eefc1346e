#include "tracer/host/host_fault.h"

#include "base/message.h"

#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <sstream>

namespace twiddle {
namespace {

using twiddle_host::Address;

constexpr Address near_nothing = 4096;               // a null pointer and what is close to it
constexpr Address near_shared = Address(1) << 20;    // as far as a wrong index into shared memory plausibly goes
constexpr Address near_buffer = Address(128) << 30;  // the same for buffers: 32 bits of elements and more

// "thread 5" (what runs here is CUDA), with its block where there are several, with its coordinates where there are several
// dimensions.
Message item_name(std::uint64_t item, const HostLaunch& launch) {
  const std::uint64_t size = launch.group_size();
  const auto& block = launch.block;
  const auto& grid = launch.grid;
  const std::uint64_t group = item / size, rank = item % size;
  if (block[1] * block[2] > 1 || grid[1] * grid[2] > 1)
    return Message("thread {} (block {},{},{}, threadIdx {},{},{})", item, group % grid[0], group / grid[0] % grid[1],
                   group / grid[0] / grid[1], rank % block[0], rank / block[0] % block[1], rank / block[0] / block[1]);
  if (launch.groups() > 1) return Message("thread {} (block {}, threadIdx {})", item, group, rank);
  return Message("thread {}", item);
}

std::string at_line(const HostLaunch& launch, int line) {
  return line > 0 ? fmt::format("{}:{}: ", launch.module->source(), line) : launch.module->source() + ": ";
}

// Memory that has a name.
struct Named {
  std::string name;
  twiddle_host::Range range;
  Address element_bytes;
  int parameter;
  bool in_struct = false;  // it is a pointer in that parameter, and its elements are not known
};

std::vector<Named> named_memory(const HostFault& fault, const HostLaunch& launch) {
  std::vector<Named> all;
  const twiddle_host::Kernel& kernel = *launch.kernel;
  std::istringstream in(kernel.parameter_names);
  std::vector<std::string> names(kernel.parameter_count);
  std::size_t range = 0;
  for (unsigned i = 0; i < kernel.parameter_count; ++i) {
    std::string& name = names[i];
    std::getline(in, name, ',');
    if (!kernel.parameters[i].element_bytes) continue;
    all.push_back({name, launch.memory[range++], kernel.parameters[i].element_bytes, static_cast<int>(i)});
  }
  for (const unsigned parameter : launch.structs)
    all.push_back({names.at(parameter), launch.memory[range++], 1, static_cast<int>(parameter), true});
  for (const twiddle_host::SharedVariable* shared : launch.module->shared_variables(kernel)) {
    const twiddle_host::Range where = shared->dynamic
                                          ? twiddle_host::Range{fault.dynamic_shared, launch.dynamic_shared_bytes}
                                          : twiddle_host::Range{fault.shared + shared->offset, shared->bytes};
    all.push_back({shared->name, where, shared->element_bytes, -1});
  }
  return all;
}

Address distance(Address address, const twiddle_host::Range& range) {
  if (address < range.first) return range.first - address;
  const Address end = range.first + range.bytes;
  return address >= end ? address - end + 1 : 0;
}

KernelFault access_fault(const HostFault& fault, const HostLaunch& launch, const Message& who, int line) {
  const std::vector<Named> memory = named_memory(fault, launch);
  const Named* nearest = nullptr;
  for (const Named& one : memory) {
    const Address away = distance(fault.address, one.range);
    if (away < (one.parameter < 0 ? near_shared : near_buffer) &&
        (!nearest || away < distance(fault.address, nearest->range)))
      nearest = &one;
  }

  const std::string kernel = launch.kernel->name;
  // Sentences are whole, for their translations.
  const auto made = [&](const Message& writing, const Message& reading) {
    return KernelFault(at_line(launch, line), fault.write ? writing : reading, KernelFault::Kind::OutOfBounds);
  };
  if (fault.address < near_nothing)
    return made(Message("{} of {} writes through a null pointer; was every pointer given a buffer?", who, kernel),
                Message("{} of {} reads through a null pointer; was every pointer given a buffer?", who, kernel));
  if (fault.private_memory)
    return made(Message("{} of {} writes a variable of another thread, which only that one may touch", who, kernel),
                Message("{} of {} reads a variable of another thread, which only that one may touch", who, kernel));
  if (!nearest)
    return made(
        Message("{} of {} writes memory that is near no buffer of this launch; check its pointers", who, kernel),
        Message("{} of {} reads memory that is near no buffer of this launch; check its pointers", who, kernel));
  const auto bytes = static_cast<std::int64_t>(nearest->element_bytes);
  const auto offset = static_cast<std::int64_t>(fault.address - nearest->range.first);
  const std::int64_t element = offset >= 0 ? offset / bytes : -((-offset + bytes - 1) / bytes);
  const std::uint64_t count = nearest->range.bytes / nearest->element_bytes;
  if (nearest->in_struct)
    return made(Message("{0} of {1} writes byte {2} of a buffer that {3} points to, and it has {4} bytes; check the "
                        "index, or how many threads there are",
                        who, kernel, element, nearest->name, count),
                Message("{0} of {1} reads byte {2} of a buffer that {3} points to, and it has {4} bytes; check the "
                        "index, or how many threads there are",
                        who, kernel, element, nearest->name, count));
  KernelFault result =
      count == 0 && nearest->parameter < 0
          ? made(Message("{} of {} writes {}[{}], and the launch brings no dynamic shared memory (local:BYTES in the "
                         "plan)",
                         who, kernel, nearest->name, element),
                 Message("{} of {} reads {}[{}], and the launch brings no dynamic shared memory (local:BYTES in the "
                         "plan)",
                         who, kernel, nearest->name, element))
          : made(Message("{0} of {1} writes {2}[{3}], and {2} has {4} elements; check the index, or how many "
                         "threads there are",
                         who, kernel, nearest->name, element, count),
                 Message("{0} of {1} reads {2}[{3}], and {2} has {4} elements; check the index, or how many "
                         "threads there are",
                         who, kernel, nearest->name, element, count));
  result.parameter = nearest->parameter;
  result.buffer = nearest->name;
  result.element = element;
  return result;
}

KernelFault barrier_fault(const HostFault& fault, const HostLaunch& launch, const Message& who) {
  const Message where = fault.left ? Message("has left the kernel") : Message("waits in line {}", fault.line);
  return {at_line(launch, fault.other_line),
          Message("{} of {} {}, while {} {} at the barrier in line {}, {} first; {} has to reach the same barriers",
                  who, launch.kernel->name, where, fault.waiting,
                  fault.waiting == 1 ? Message("other waits") : Message("others wait"), fault.other_line,
                  item_name(fault.other, launch),
                  fault.grid ? Message("every thread of the launch") : Message("every thread of a block")),
          KernelFault::Kind::BarrierDivergence};
}

}  // namespace

KernelFault describe_fault(const HostFault& fault, const HostLaunch& launch) {
  const Message who = item_name(fault.item, launch);
  const std::string kernel = launch.kernel->name;
  const int line = fault.line ? fault.line : launch.module->line_of(fault.pc);
  const auto made = [&](KernelFault::Kind kind, int at, const Message& sentence) {
    return KernelFault(at_line(launch, at), sentence, kind);
  };
  const auto result = [&]() -> KernelFault {
    switch (fault.kind) {
      case HostFault::Kind::Access: return access_fault(fault, launch, who, line);
      case HostFault::Kind::Stopped:
        return made(fault.index ? KernelFault::Kind::OutOfBounds : KernelFault::Kind::Stopped, line,
                    Message("{} of {} was stopped: {}", who, kernel, fault.reason));
      case HostFault::Kind::Stack:
        return made(KernelFault::Kind::Stopped, line,
                    Message("{} of {} needs more than the {} KiB of stack that a thread has here; take smaller "
                            "arrays in the kernel, or no recursion",
                            who, kernel, twiddle_host::stack_bytes >> 10));
      case HostFault::Kind::Signal:
        return made(KernelFault::Kind::Stopped, line,
                    Message("{} of {} was stopped: {}", who, kernel,
                            fault.signal == SIGFPE ? Message("it divides where the result is no number that fits")
                                                   : Message::verbatim(strsignal(fault.signal))));
      case HostFault::Kind::Barrier: return barrier_fault(fault, launch, who);
      case HostFault::Kind::Warp:
        return made(KernelFault::Kind::BarrierDivergence, fault.other_line,
                    Message("{} of {} waits in line {}, while {} waits for it in a warp operation in line {}; all "
                            "lanes of the mask have to call the same one",
                            who, kernel, fault.line, item_name(fault.other, launch), fault.other_line));
      case HostFault::Kind::Wait: break;
    }
    return made(KernelFault::Kind::EndlessWait, line,
                fault.address
                    ? Message("{} of {} waits without end for a value that no thread writes any more; blocks run "
                              "one after another here, as they may on a GPU",
                              who, kernel)
                    : Message("{} of {} runs on and on without reaching a barrier or the kernel's end; check "
                              "when its loops end",
                              who, kernel));
  };
  KernelFault described = result();
  described.line = line ? line : fault.other_line;
  described.items.push_back(fault.item);
  if (fault.kind == HostFault::Kind::Barrier || fault.kind == HostFault::Kind::Warp)
    described.items.push_back(fault.other);
  return described;
}

}  // namespace twiddle
