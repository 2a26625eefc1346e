// The one text about every verb and option, in three shapes: --help, a man page, and bash completion.
#pragma once

#include "cli/program.h"

#include <string>
#include <vector>

namespace twiddle::cli {

/// An optional part of the build or an optional program.
struct Part {
  std::string name;
  bool present = false;
  std::string gives;    // what the user gets from it
  std::string package;  // what brings it
  std::string remedy;   // "install librsvg2-dev and build again"
};

/// All of them, and whether they are there.
std::vector<Part> optional_parts();

/// The program that makes moving pictures.
inline constexpr const char* film_program = "ffmpeg";

/// `twiddle --help`: every verb with its options, the exit codes, and where to go on.
std::string help_text(const Program& program);
/// `twiddle VERB --help`.
std::string help_text(const Program& program, const CLI::App& verb);
/// `twiddle --version`: the version, and every optional part that this build lacks with the package that brings it.
std::string version_text();
/// A man page in roff.
std::string man_page(const Program& program);
/// A script for bash's programmable completion.
std::string bash_completion(const Program& program);

/// `text` broken between words at 100 columns, for where column `indent` has been reached; its other lines begin there.
std::string folded(const std::string& text, std::size_t indent);

/// "-o,--output" → "-o, --output"; the value's placeholder; whether it takes one.
std::string option_names(const CLI::Option& option);
std::string option_placeholder(const CLI::Option& option);

}  // namespace twiddle::cli
