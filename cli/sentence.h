// What CLI11 found wrong with a command line, as one sentence that says what to do.
#pragma once

#include "cli/program.h"

#include <CLI/Error.hpp>

#include <string>
#include <string_view>

namespace twiddle::cli {

std::string sentence_of(const Program& program, const CLI::ParseError& error);

/// Line ends become spaces: for messages that come from libraries.
std::string one_line(std::string_view text);

}  // namespace twiddle::cli
