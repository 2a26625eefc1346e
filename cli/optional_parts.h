// Optional parts of the build and optional programs, and whether they are there.
#pragma once

#include <string>
#include <vector>

namespace twiddle::cli {

struct Part {
  std::string name;
  bool present = false;
  std::string gives;    // what the user gets from it
  std::string package;  // what brings it
  std::string remedy;   // "install librsvg2-dev and build again"
};

std::vector<Part> optional_parts();

/// The program that makes moving pictures.
inline constexpr const char* film_program = "ffmpeg";

}  // namespace twiddle::cli
