#include "tracer/record/cuda_program.h"

#include "base/error.h"
#include "tracer/record/argument_text.h"
#include "tracer/source/source.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace twiddle {
namespace {

namespace fs = std::filesystem;

// Options are one word, "-DN=8" and "--std=c++17", or two. Of where things are, and for which GPU, a plan says nothing.
std::vector<std::string> options_in_plans(const std::vector<std::string>& given) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string& option = given[i];
    const auto value_of = [&](std::string_view name) -> std::optional<std::string> {
      if (option == name && i + 1 < given.size()) return given[++i];
      if (option.size() > name.size() && option.starts_with(name))
        return option.substr(name.size() + (option[name.size()] == '=' ? 1 : 0));
      return std::nullopt;
    };
    if (const auto definition = value_of("--define-macro"))
      kept.push_back("-D" + *definition);
    else if (const auto definition_too = value_of("-D"))
      kept.push_back("-D" + *definition_too);
    else if (const auto language = option.starts_with("--std") ? value_of("--std") : value_of("-std"))
      kept.push_back("-std=" + *language);
    else if (option == "--use_fast_math" || option == "-use_fast_math")
      kept.push_back("-use_fast_math");
    else
      for (const std::string name : {"-fmad", "-ftz", "-prec-div", "-prec-sqrt", "-maxrregcount"})
        if (const auto value = value_of(option.starts_with("--") ? "-" + name : name)) {
          kept.push_back(name + "=" + *value);
          break;
        }
  }
  return kept;
}

std::vector<std::string> definitions_of(const std::vector<std::string>& options) {
  std::vector<std::string> definitions;
  for (const std::string& option : options)
    if (option.starts_with("-D")) definitions.push_back(option.substr(2));
  return definitions;
}

}  // namespace

const SourceText* CudaTexts::named(std::string_view file) const {
  constexpr std::string_view name_of_none = "default_program";  // NVRTC's
  const std::string last = fs::path(file).filename().string();
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const std::string& name = compiler_names[s];
    if (file == name || (!name.empty() && last == fs::path(name).filename()) || (name.empty() && last == name_of_none))
      return &sources[s];
  }
  return nullptr;
}

CudaTexts CudaTextsOf::of(const CudaProgram& program) {
  std::string stem = fs::path(program.name).filename().replace_extension().string();
  if (stem.empty()) stem = "program";
  std::string name = stem + ".cu";
  for (int times = 2; own_.try_emplace(name, program.text).first->second != program.text; ++times)
    name = stem + "_" + std::to_string(times) + ".cu";
  CudaTexts texts;
  texts.sources.push_back({name, program.text, options_in_plans(program.options)});
  texts.compiler_names.push_back(program.name);
  for (const auto& [header, text] : program.headers) {
    texts.sources.push_back({header, text});
    texts.compiler_names.push_back(header);
  }
  return texts;
}

std::vector<CudaArgument> cuda_arguments_of(const CudaLaunch& launch, const std::string& kernel,
                                            const CudaTexts& texts) {
  if (!launch.arguments || texts.sources.empty()) return {};
  const SourceText& own = texts.sources.front();
  std::string included;
  for (std::size_t s = 1; s < texts.sources.size(); ++s) included += texts.sources[s].text + "\n";
  KernelSignature signature;
  try {
    signature = kernel_signature(own.text, kernel, definitions_of(own.options), included);
  } catch (const Error&) { return {}; }
  if (signature.parameters.size() != launch.arguments->size()) return {};
  std::vector<CudaArgument> arguments;
  for (std::size_t a = 0; a < launch.arguments->size(); ++a) {
    const std::vector<std::byte>& bytes = (*launch.arguments)[a];
    const ParameterType& type = signature.types[a];
    CudaArgument argument;
    argument.name = signature.parameters[a];
    if (bytes.empty()) return {};  // a value that the launch did not have
    if (type.pointer) {
      if (bytes.size() != sizeof(std::uint64_t)) return {};
      std::memcpy(&argument.address.emplace(), bytes.data(), sizeof(std::uint64_t));
      argument.pointed_to = type.element;
    } else {
      argument.text = recorded_text(type.element, type.written, bytes);
      for (std::size_t at = 0; !type.element && at + 8 <= bytes.size(); at += 8)
        std::memcpy(&argument.words.emplace_back(), bytes.data() + at, sizeof(std::uint64_t));
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

}  // namespace twiddle
