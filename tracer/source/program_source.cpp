#include "tracer/source/program_source.h"

#include <cstddef>

namespace twiddle {

std::string compiler_text(const ProgramSource& source) {
  std::string text;
  for (const std::string& define : source.defines) {
    const std::size_t equals = define.find('=');
    text += "#define " + define.substr(0, equals) + " " +
            (equals == std::string::npos ? std::string("1") : define.substr(equals + 1)) + "\n";
  }
  if (!text.empty() && source.text.compare(0, 5, "#line") != 0) text += "#line 1\n";
  return text + source.text;
}

std::vector<std::string> options_of(const ProgramSource& source, bool opencl) {
  std::vector<std::string> options;
  for (const std::string& option : source.options)
    if (option == "-w" || (option.starts_with("-cl-") || option == "-Werror") == opencl) options.push_back(option);
  return options;
}

}  // namespace twiddle
