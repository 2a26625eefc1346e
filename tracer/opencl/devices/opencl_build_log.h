// What OpenCL compilers say, made readable.
#pragma once

#include <string>
#include <string_view>

namespace twiddle {

/// A build log without the compiler's own noise: names of temporary files, counts of errors, empty lines. `name` stands for
/// the temporary file where the compiler did not take ours from #line.
std::string readable_build_log(std::string_view log, std::string_view name);

}  // namespace twiddle
