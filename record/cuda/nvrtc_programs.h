// What NVRTC compiles for the program: its functions are found here first where libtwiddle-cuda.so is named in LD_PRELOAD, by
// programs that are linked to NVRTC and, on x86-64, by those that load it and ask for its functions by name.
#pragma once

#include "record/cuda/log_folder.h"

namespace twiddle_cuda {

/// From now on each program that was compiled goes into the folder, in the order of the calls; those from before follow at once.
/// program-N.json holds name, text, headers and options, program-N.image what was compiled of it (a cubin, or PTX).
void keep_programs_in(LogFolder& folder);

/// The number of the last program in the folder whose PTX this is, which ends with a zero; 0: none's.
int program_of_ptx(const void* image);

}  // namespace twiddle_cuda
