// twiddle-rewriter: an OpenCL C program in, the same program with every load, store, atomic operation and barrier logged out.
//
//     twiddle-rewriter --source FILE --output FILE --description FILE [--name NAME] [--extensions LIST] [--bits 32|64]
//                      [--header NAME=FILE]… [-- BUILD-OPTION…]
//
// It is a program of its own because drivers have a compiler of their own in the process, and because a program of others' is
// read here. What it cannot do it says in one sentence, the first line on standard error that begins with its name.
#include "rewriter/flatten.h"
#include "rewriter/walker.h"

#include <clang/Frontend/ASTUnit.h>
#include <clang/Tooling/Tooling.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace twiddle::rewriter;

namespace {

enum ExitCode { good = 0, usage = 2, does_not_compile = 3, cannot_be_rewritten = 5 };

struct CommandLine {
  std::string source, output, description, name = "program.cl", extensions, bits = "64";
  std::vector<std::string> headers;  // NAME=FILE
  std::vector<std::string> options;  // of the build
};

int fail(ExitCode code, const std::string& sentence) {
  std::fprintf(stderr, "twiddle-rewriter: %s\n", sentence.c_str());
  return code;
}

std::optional<CommandLine> parse(int count, char** words) {
  CommandLine line;
  int i = 1;
  for (; i + 1 < count && std::string_view(words[i]) != "--"; i += 2) {
    const std::string_view option = words[i];
    const std::string value = words[i + 1];
    if (option == "--source")
      line.source = value;
    else if (option == "--output")
      line.output = value;
    else if (option == "--description")
      line.description = value;
    else if (option == "--name")
      line.name = value;
    else if (option == "--extensions")
      line.extensions = value;
    else if (option == "--bits")
      line.bits = value;
    else if (option == "--header" && value.find('=') != std::string::npos)
      line.headers.push_back(value);
    else
      return std::nullopt;
  }
  if (i < count && std::string_view(words[i]) != "--") return std::nullopt;
  for (++i; i < count; ++i) line.options.emplace_back(words[i]);
  if (line.source.empty() || line.output.empty() || line.description.empty()) return std::nullopt;
  return line;
}

std::optional<std::string> read(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

bool write(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  return !out.fail();
}

bool starts(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

// What clang is called with: to preprocess, and to parse what came of that.
struct ClangOptions {
  std::vector<std::string> preprocess, parse;
};

// OpenCL C 3.0 has a feature for some extensions, and clang wants both or neither.
std::string with_features(std::string extensions, const std::vector<std::string>& language) {
  if (std::find(language.begin(), language.end(), "-cl-std=CL3.0") == language.end()) return extensions;
  const auto has = [&](const std::string& name) {
    return (extensions + ",").find("+" + name + ",") != std::string::npos;
  };
  const auto put = [&](const std::string& name, bool on) { extensions += (on ? ",+" : ",-") + name; };
  put("__opencl_c_fp64", has("cl_khr_fp64"));
  const bool writes = has("cl_khr_3d_image_writes") && has("__opencl_c_images");
  put("__opencl_c_3d_image_writes", writes);
  put("cl_khr_3d_image_writes", writes);
  return extensions;
}

ClangOptions clang_options(const CommandLine& line) {
  std::vector<std::string> language{"-x",
                                    "cl",
                                    "-target",
                                    line.bits == "32" ? "spir-unknown-unknown" : "spir64-unknown-unknown",
                                    "-resource-dir",
                                    TWIDDLE_CLANG_RESOURCES,
                                    "-Wno-everything",
                                    "-fno-caret-diagnostics",
                                    "-fno-color-diagnostics"};
  std::vector<std::string> macros;
  bool has_version = false;
  for (std::size_t i = 0; i < line.options.size(); ++i) {
    const std::string& option = line.options[i];
    if (option == "-D" || option == "-U" || option == "-I") {
      macros.push_back(option);
      if (i + 1 < line.options.size()) macros.push_back(line.options[++i]);
    } else if (starts(option, "-D") || starts(option, "-U") || starts(option, "-I")) {
      macros.push_back(option);
    } else if (starts(option, "-cl-std=")) {
      language.push_back(option);
      has_version = true;
    } else if (option == "-cl-single-precision-constant" || option == "-cl-fast-relaxed-math" ||
               option == "-cl-finite-math-only" || option == "-cl-unsafe-math-optimizations") {
      language.push_back(option);  // these define macros, or change types
    }
  }
  if (!has_version) language.emplace_back("-cl-std=CL1.2");
  if (!line.extensions.empty()) {
    language.emplace_back("-Xclang");
    language.push_back("-cl-ext=" + with_features(line.extensions, language));
  }
  ClangOptions options{language, language};
  options.preprocess.insert(options.preprocess.end(), macros.begin(), macros.end());
  return options;
}

}  // namespace

int main(int count, char** words) {
  const auto line = parse(count, words);
  if (!line)
    return fail(usage,
                "write twiddle-rewriter --source FILE --output FILE --description FILE [--name NAME] "
                "[--extensions LIST] [--bits 32|64] [--header NAME=FILE]… [-- BUILD-OPTION…]");
  const auto code = read(line->source);
  if (!code) return fail(usage, line->source + " cannot be read");
  clang::tooling::FileContentMappings headers;
  for (const std::string& header : line->headers) {
    const std::size_t equals = header.find('=');
    const auto text = read(header.substr(equals + 1));
    if (!text) return fail(usage, header.substr(equals + 1) + " cannot be read");
    headers.emplace_back(header.substr(0, equals), *text);
  }

  ClangOptions options = clang_options(*line);
  FlatSource flat;
  if (!flatten(*code, line->name, options.preprocess, headers, flat))
    return fail(does_not_compile, line->name + " cannot be preprocessed by clang");
  // Without cl_khr_fp16 clang knows no vload_half() either, which every device has.
  if (flat.text.find("half") != std::string::npos && !line->extensions.empty()) options.parse.back() += ",+cl_khr_fp16";
  const auto unit = clang::tooling::buildASTFromCodeWithArgs(flat.text, options.parse, line->name, "twiddle-rewriter");
  if (!unit || unit->getDiagnostics().hasErrorOccurred())
    return fail(does_not_compile, line->name + " cannot be compiled by clang");

  Walker walker(unit->getASTContext(), flat, *code);
  if (!walker.run()) return fail(cannot_be_rewritten, line->name + " cannot be logged: " + walker.why_not());
  if (!write(line->output, walker.text())) return fail(usage, line->output + " cannot be written");
  if (!write(line->description, json_of(walker.description(), flat)))
    return fail(usage, line->description + " cannot be written");
  return good;
}
