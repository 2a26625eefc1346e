// A recorded CUDA program's log as launches of a trace: memory by allocation, its content as the launches read it, and lines
// where the code has them.
#pragma once

#include "tracer/cuda/log/cuda_log.h"
#include "tracer/record/recorded_run.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace twiddle {

/// Hands on the launches of a log in order. `process` numbers the programs of a recording, from 0: memory of two is never one.
/// `replayed` is what memory of this id holds after the launches handed on before; empty: it is new.
///
/// Nothing copied the memory of a closed program, so its content is what launches read: a value that the launches before
/// did not leave there, and no item of this one wrote, was there at the launch's start. Bytes that nothing read are zero.
/// Code without lines gets a listing for its source: each instruction that accesses memory, by its offset.
///
/// Throws Error (unreadable) when a log is damaged.
void read_cuda_launches(const CudaLog& log, std::uint64_t process,
                        const std::function<std::vector<std::byte>(std::uint64_t id)>& replayed,
                        const std::function<void(RecordedLaunch&&)>& take);

/// "stage<float>" of "void ns::stage<float>(float2*, unsigned int)".
std::string kernel_name_in(const std::string& demangled);

}  // namespace twiddle
