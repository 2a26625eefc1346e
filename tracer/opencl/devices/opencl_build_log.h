// Building OpenCL programs, and what their compilers say, made readable.
#pragma once

#include <CL/opencl.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace twiddle {

/// Calls build(), and again, at most twice, where it throws a cl::BuildError without a word of the compiler: processes that fill
/// PoCL's cache at the same time disturb each other so, and a program that is wrong is told why.
void build_unless_disturbed(const std::function<void()>& build);
/// program.build() for a device, in that way. Throws cl::BuildError or cl::Error.
void build_program(cl::Program& program, const cl::Device& device, const std::string& options);

/// A build log without the compiler's own noise: names of temporary files, counts of errors, empty lines. `name` stands for
/// the temporary file where the compiler did not take ours from #line.
std::string readable_build_log(std::string_view log, std::string_view name);

}  // namespace twiddle
