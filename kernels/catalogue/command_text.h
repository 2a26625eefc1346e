// A request as a user types it.
#pragma once

#include "kernels/catalogue/catalogue.h"

#include <optional>
#include <string>

namespace twiddle {

/// The command line that makes this run: "fft-radix2 --n 8 --signal ramp".
std::string command_of(const Request& request);

/// The request that a command line in a text makes of another one: "twiddle view fft-real --n 64" is a new one,
/// "--signal cosine:2" or "reduce-first-add --n 256" change what they name. Nothing where it is none, or names a file or an
/// algorithm that is not there.
std::optional<Request> request_in(const std::string& text, const Request& from);

}  // namespace twiddle
