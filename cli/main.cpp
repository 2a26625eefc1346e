#include "base/version.h"

#include <fmt/format.h>

#include <string_view>

int main(int count, char** arguments) {
  if (count == 2 && std::string_view(arguments[1]) == "--version") {
    fmt::print("twiddle {}\n", twiddle::program_version);
    for (const twiddle::BuildPart& part : twiddle::build_parts)
      fmt::print("  {:<12} {}\n", part.name, part.present ? "yes" : "no");
    return 0;
  }
  fmt::print(stderr, "Twiddle is still being written; only --version answers.\n");
  return 2;
}
