// With tracing off the compiler gets the program that it would get without trace lines.
#include "base/paths.h"
#include "base/read_file.h"
#include "kernels/catalogue/catalogue.h"
#include "tracer/source/source.h"
#include "tracer/source/tokens.h"

#include <doctest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <unistd.h>

using namespace twiddle;
namespace fs = std::filesystem;

namespace {

// The text after the preprocessor, or nothing where there is none.
std::string preprocessed(const std::string& text, const fs::path& directory, bool cuda) {
  const fs::path file = fs::temp_directory_path() / ("twiddle-off-" + std::to_string(::getpid()) + ".txt");
  std::ofstream(file) << text;
  const std::string command = std::string("c++ -E -P -w -x ") + (cuda ? "c++" : "c") + " -I '" + directory.string() +
                              "' '" + file.string() + "' 2>/dev/null";
  std::string out;
  if (FILE* pipe = ::popen(command.c_str(), "r")) {
    char part[4096];
    for (std::size_t got; (got = std::fread(part, 1, sizeof part, pipe)) > 0;) out.append(part, got);
    ::pclose(pipe);
  }
  fs::remove(file);
  return out;
}

// The source as it would be without its trace lines: an independent removal, by text alone.
std::string without_trace_lines(std::string text) {
  const auto cut = [&](std::size_t from, std::size_t to) { text.erase(from, to - from); };
  for (std::size_t at; (at = text.find("#include \"trace_device.h\"")) != std::string::npos;)
    cut(at, text.find('\n', at));
  for (std::size_t at = 0; (at = text.find("TRACE_", at)) != std::string::npos;) {
    std::size_t end = at;
    while (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_') ++end;
    if (text.substr(at, end - at) == "TRACE_PARAMS") {
      cut(at, end);
    } else if (text[end] == '(') {
      int depth = 0;
      do {
        depth += (text[end] == '(') - (text[end] == ')');
        ++end;
      } while (depth > 0);
      cut(at, end);
    } else {
      at = end;
    }
  }
  return text;
}

// Headers of the CUDA toolkit are the same either way, and need not be here.
std::string without_system_headers(std::string text) {
  for (std::size_t at = 0; (at = text.find("#include <", at)) != std::string::npos;)
    text.erase(at, text.find('\n', at) - at);
  return text;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (const Token& token : tokenize(text)) words.emplace_back(token.text);
  return words;
}

}  // namespace

TEST_CASE("with tracing off every kernel source is the one without trace lines") {
  if (preprocessed("int answer;\n", ".", false).find("answer") == std::string::npos) {
    MESSAGE("no c++ to preprocess with: not checked here");
    return;
  }
  int sources = 0;
  for (const char* folder : {"kernels/opencl", "kernels/cuda"})
    for (const fs::directory_entry& entry : fs::directory_iterator(resource(folder))) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cl" && extension != ".cu") continue;
      CAPTURE(entry.path().string());
      const KernelSource source{entry.path().filename().string(), without_system_headers(own_file(entry.path())),
                                entry.path().parent_path()};
      Instrumentation instrumentation;
      instrumentation.traced = false;
      const bool cuda = extension == ".cu";
      const std::string off = compiler_text(prepare_source(source, {}, instrumentation));
      const std::vector<std::string> untraced = words_of(preprocessed(off, source.directory, cuda));
      const std::vector<std::string> bare =
          words_of(preprocessed(without_trace_lines(source.text), source.directory, cuda));
      CHECK(bare.size() > 50);
      CHECK(untraced == bare);

      instrumentation.traced = true;
      const std::string on = compiler_text(prepare_source(source, {}, instrumentation));
      CHECK(words_of(preprocessed(on, source.directory, cuda)).size() > 2 * bare.size());
      ++sources;
    }
  CHECK(sources >= 10);
}
