// A compiler's complaints, by the line they are about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

struct SourceProblem {
  std::string source;  // "mine.cl"
  int line = 0;        // from 1
  std::string text;    // "use of undeclared identifier 'y'"
};

/// The errors in a compiler's log: lines "mine.cl:4:39: error: …" (clang, GCC) and "mine.cu(4): error: …" (NVRTC), in order,
/// at most a hundred.
std::vector<SourceProblem> source_problems(std::string_view log);

}  // namespace twiddle
