// A request as a user types it.
#pragma once

#include "kernels/catalogue/catalogue.h"

#include <string>

namespace twiddle {

/// The command line that makes this run: "fft-radix2 --n 8 --signal ramp".
std::string command_of(const Request& request);

}  // namespace twiddle
