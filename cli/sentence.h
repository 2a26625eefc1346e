// What CLI11 found wrong with a command line, as one sentence that says what to do.
#pragma once

#include "cli/program.h"

#include <CLI/Error.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace twiddle::cli {

std::string sentence_of(const Program& program, const CLI::ParseError& error);

/// "; did you mean X?" when one of the candidates is near, else nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// Line ends become spaces: for messages that come from libraries.
std::string one_line(std::string_view text);

}  // namespace twiddle::cli
