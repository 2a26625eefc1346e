#include "tracer/cuda/cuda_compiler.h"

#include "base/error.h"
#include "base/paths.h"
#include "base/read_file.h"
#include "tracer/source/compile_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace twiddle::cuda {
namespace {

constexpr std::size_t max_messages = 60;  // lines of a compiler's log

// Destroys the program at the end of its scope.
class ProgramHolder {
 public:
  ProgramHolder(const Nvrtc& nvrtc, Program program) : nvrtc_(nvrtc), program_(program) {}
  ~ProgramHolder() { nvrtc_.destroy(&program_); }
  ProgramHolder(const ProgramHolder&) = delete;
  ProgramHolder& operator=(const ProgramHolder&) = delete;

 private:
  const Nvrtc& nvrtc_;
  Program program_;
};

// What NVRTC gives as "size, then contents".
template <typename Size, typename Get>
std::string contents(Program program, Size size, Get get) {
  std::size_t bytes = 0;
  if (size(program, &bytes) != 0) return {};
  std::string text(bytes, '\0');
  if (bytes && get(program, text.data()) != 0) return {};
  return text;
}

// Without empty lines and counts of errors, cut where it gets long.
std::string readable(const std::string& log) {
  std::istringstream lines(log.c_str());
  std::string text;
  std::size_t kept = 0, dropped = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (line.find(" detected in the compilation of ") != std::string::npos) continue;
    if (kept >= max_messages) {
      ++dropped;
      continue;
    }
    text += (kept++ ? "\n" : "") + line;
  }
  if (dropped) text += fmt::format("\n({} more lines)", dropped);
  return text;
}

// In place of the toolkit's header on machines that have NVRTC alone.
std::string own_cooperative_groups() { return own_file(resource("tracer/cuda/simt/cooperative_groups.h")); }

std::string own_standard_headers() { return own_file(resource("tracer/cuda/simt/standard.h")); }

bool word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%'; }

// The next word or single character from `at`, comments and space skipped; empty at the end.
std::string_view next_token(std::string_view text, std::size_t& at) {
  while (at < text.size()) {
    if (std::isspace(static_cast<unsigned char>(text[at]))) {
      ++at;
    } else if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else {
      break;
    }
  }
  const std::size_t from = at;
  while (at < text.size() && word(text[at])) ++at;
  if (at == from && at < text.size()) ++at;
  if (at == from + 1 && text[from] == '.')  // a directive or type: ".entry", ".u64"
    while (at < text.size() && word(text[at])) ++at;
  return text.substr(from, at - from);
}

std::size_t number(std::string_view text) {
  std::size_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// "_Z9fft_stageP6float2i" is fft_stage; names in namespaces stay as they are.
std::string source_name(const std::string& symbol) {
  if (symbol.compare(0, 2, "_Z") != 0 || symbol.size() < 4) return symbol;
  std::size_t digits = 2;
  while (digits < symbol.size() && std::isdigit(static_cast<unsigned char>(symbol[digits]))) ++digits;
  const std::size_t length = number(std::string_view(symbol).substr(2, digits - 2));
  return digits > 2 && length <= symbol.size() - digits ? symbol.substr(digits, length) : symbol;
}

}  // namespace

// .visible .entry fft_stage( .param .u64 .ptr .align 1 fft_stage_param_0, .param .align 8 .b8 fft_stage_param_1[8] )
std::vector<Entry> entries_of(std::string_view ptx) {
  std::vector<Entry> entries;
  for (std::size_t at = ptx.find(".entry"); at != std::string_view::npos; at = ptx.find(".entry", at)) {
    const std::size_t line = ptx.rfind('\n', at) + 1;  // npos + 1: the text's first
    const bool comment = ptx.substr(line, at - line).find("//") != std::string_view::npos;
    at += 6;
    if (comment) continue;
    Entry entry;
    entry.symbol = next_token(ptx, at);
    entry.name = source_name(entry.symbol);
    std::size_t element = 0, count = 1;
    bool array = false;
    if (next_token(ptx, at) == "(") {
      for (std::string_view token; !(token = next_token(ptx, at)).empty();) {
        if (token == "," || token == ")") {
          if (element) entry.parameter_bytes.push_back(element * count);
          element = 0;
          count = 1;
          if (token == ")") break;
        } else if (token == "[" || token == "]") {
          array = token == "[";
        } else if (array) {
          count = number(token);
        } else if (token.size() >= 3 && token[0] == '.' &&
                   std::string_view("usbf").find(token[1]) != std::string_view::npos &&
                   std::isdigit(static_cast<unsigned char>(token[2]))) {
          element = number(token.substr(2)) / 8;
        }
      }
    }
    const std::size_t next = std::min(ptx.find(".entry", at), ptx.find(".func", at));
    entry.awaits = ptx.substr(at, next == std::string_view::npos ? next : next - at).find("griddepcontrol.wait") !=
                   std::string_view::npos;
    entries.push_back(std::move(entry));
  }
  return entries;
}

Compiled compile(const Nvrtc& nvrtc, const ProgramSource& source, int major, int minor) {
  const std::string text = compiler_text(source);
  std::vector<std::string> options{"--std=c++17", "-lineinfo", "-DTWIDDLE_CUDA=1"};
  // What a kernel may include out of habit is built into NVRTC, or is of use to the host part only.
  std::vector<const char*> names{"cuda_runtime.h", "device_launch_parameters.h",
                                 "math.h",         "cmath",
                                 "stdio.h",        "cstdio",
                                 "assert.h",       "cassert",
                                 "stdlib.h",       "cstdlib",
                                 "string.h",       "cstring",
                                 "stddef.h",       "cstddef"};
  std::vector<const char*> headers(names.size(), "");
  const std::string standard = own_standard_headers();
  for (const char* name : {"stdint.h", "cstdint", "limits.h", "climits", "float.h", "cfloat"}) {
    names.push_back(name);
    headers.push_back(standard.c_str());
  }
  std::string cooperative_groups;
  if (nvrtc.includes.empty()) {
    cooperative_groups = own_cooperative_groups();
    names.push_back("cooperative_groups.h");
    headers.push_back(cooperative_groups.c_str());
  } else {
    options.push_back("--include-path=" + nvrtc.includes.string());
    options.push_back("--include-path=" + (nvrtc.includes / "cccl").string());
  }
  for (const std::string& option : options_of(source, false)) {
    // The language may be given once.
    if (option.find("std=") != std::string::npos)
      options.front() = option;
    else
      options.push_back(option);
  }
  const int architecture = 10 * major + minor;
  const bool known = nvrtc.supported.empty() ||
                     std::find(nvrtc.supported.begin(), nvrtc.supported.end(), architecture) != nvrtc.supported.end();
  int nearest = architecture;
  if (!known)
    for (const int one : nvrtc.supported)
      if (one <= architecture || nearest == architecture) nearest = one;
  if (!known && nearest > architecture)
    throw no_device(
        "NVRTC {}.{} compiles for compute capability {}.{} and newer, and this GPU has {}.{}; install an older NVRTC",
        nvrtc.major, nvrtc.minor, nvrtc.supported[0] / 10, nvrtc.supported[0] % 10, major, minor);
  options.push_back(fmt::format("--gpu-architecture={}_{}", known ? "sm" : "compute", nearest));

  Program program = nullptr;
  if (const int failed = nvrtc.create(&program, text.c_str(), source.name.c_str(), static_cast<int>(headers.size()),
                                      headers.data(), names.data()))
    throw no_device("NVRTC cannot take {}: {}", source.name, nvrtc.error_string(failed));
  const ProgramHolder holder(nvrtc, program);
  // Instances of templates that only a launch names: NVRTC makes them.
  std::vector<std::string> instances;
  for (const std::string& kernel : source.kernels)
    if (kernel.find('<') != std::string::npos && nvrtc.name_kernel(program, kernel.c_str()) == 0)
      instances.push_back(kernel);
  std::vector<const char*> words;
  for (const std::string& option : options) words.push_back(option.c_str());
  if (const int failed = nvrtc.compile(program, static_cast<int>(words.size()), words.data())) {
    const std::string log = readable(contents(program, nvrtc.log_size, nvrtc.log));
    // What a kernel of the catalogue says of devices that it is not for.
    constexpr std::string_view directive = "#error directive: Twiddle: ";
    if (const std::size_t said = log.find(directive); said != std::string::npos)
      throw usage_error("{}", log.substr(said + directive.size(), log.find('\n', said) - said - directive.size()));
    throw does_not_compile(source.name, log.empty() ? nvrtc.error_string(failed) : log);
  }

  Compiled compiled;
  compiled.ptx = contents(program, nvrtc.ptx_size, nvrtc.ptx);
  if (known) compiled.image = contents(program, nvrtc.cubin_size, nvrtc.cubin);
  if (compiled.image.empty()) compiled.image = compiled.ptx;
  compiled.entries = entries_of(compiled.ptx);
  for (const std::string& instance : instances) {
    const char* symbol = nullptr;
    if (nvrtc.lowered_name(program, instance.c_str(), &symbol) != 0 || !symbol) continue;
    for (Entry& entry : compiled.entries)
      if (entry.symbol == symbol) entry.name = instance;
  }
  return compiled;
}

}  // namespace twiddle::cuda
