#include "cli/optional_parts.h"

#include "base/process.h"
#include "base/version.h"

#include <fmt/format.h>

namespace twiddle::cli {

std::vector<Part> optional_parts() {
  std::vector<Part> parts;
  for (const BuildPart& part : build_parts)
    parts.push_back(
        {part.name, part.present, part.gives, part.package, fmt::format("install {} and build again", part.package)});
  parts.push_back(
      {film_program, !find_program(film_program).empty(), "GIF and MP4 export", "ffmpeg", "install ffmpeg"});
  return parts;
}

}  // namespace twiddle::cli
