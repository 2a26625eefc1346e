#include "tracer/opencl/devices/opencl_build_log.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <thread>
#include <vector>

namespace twiddle {
namespace {

constexpr std::size_t max_lines = 60;  // a screenful or two; the first errors are the ones that matter
constexpr std::size_t longest_line = 400;

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

std::string_view trimmed_end(std::string_view line) {
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.remove_suffix(1);
  return line;
}

// "2 errors generated.", "1 warning and 1 error generated."
bool is_count(std::string_view line) {
  return !line.empty() && std::isdigit(static_cast<unsigned char>(line[0])) &&
         line.find("generated") != std::string_view::npos &&
         (line.find("error") != std::string_view::npos || line.find("warning") != std::string_view::npos);
}

bool is_noise(std::string_view line) {
  return line.empty() || is_count(line) || starts_with(line, "Device ") ||
         line.find("failed to build the program") != std::string_view::npos ||
         line.find("In file included from") != std::string_view::npos || starts_with(line, "Build log") ||
         starts_with(line, "Program build log");
}

// "mine.cl:4:10 <Spelling=trace_device.h:296:35>: …" without where the macro's own text is.
std::string without_spelling(std::string_view line) {
  const std::size_t from = line.find(" <Spelling=");
  const std::size_t to = from == std::string_view::npos ? from : line.find('>', from);
  if (to == std::string_view::npos) return std::string(line);
  return std::string(line.substr(0, from)) + std::string(line.substr(to + 1));
}

// "error: mine.cl:4:10: use of …" as other compilers have it: "mine.cl:4:10: error: use of …".
std::string place_first(std::string_view line) {
  for (std::string_view word : {"error: ", "warning: ", "note: "}) {
    if (!starts_with(line, word)) continue;
    const std::string_view rest = line.substr(word.size());
    const std::size_t space = rest.find(' ');
    if (space == std::string_view::npos || space < 2 || rest[space - 1] != ':' ||
        !std::isdigit(static_cast<unsigned char>(rest[space - 2])))
      break;
    return std::string(rest.substr(0, space + 1)) + std::string(word) + std::string(rest.substr(space + 1));
  }
  return std::string(line);
}

// Replaces the path of a compiler's temporary file ("/tmp/x/tempfile_ab.cl:", "<kernel>:", "<program source>:") by the
// source's name.
std::string with_name(std::string_view line, std::string_view name) {
  const std::size_t end = line.find(".cl:");
  const std::size_t temporary = line.find("tempfile");
  if (temporary != std::string_view::npos && end != std::string_view::npos && temporary < end) {
    std::size_t from = temporary;
    while (from > 0 && !std::isspace(static_cast<unsigned char>(line[from - 1]))) --from;
    return std::string(line.substr(0, from)) + std::string(name) + std::string(line.substr(end + 3));
  }
  for (std::string_view made_up : {"<kernel>:", "<program source>:", "<source>:", "<stdin>:"})
    if (starts_with(line, made_up)) return std::string(name) + std::string(line.substr(made_up.size() - 1));
  return std::string(line);
}

}  // namespace

void build_unless_disturbed(const std::function<void()>& build) {
  constexpr int max_attempts = 3;
  for (int attempt = 1;; ++attempt) {
    try {
      build();
      return;
    } catch (const cl::BuildError& error) {
      const auto log = error.getBuildLog();
      const bool told = std::any_of(log.begin(), log.end(),
                                    [](const auto& one) { return !readable_build_log(one.second, "").empty(); });
      if (told || attempt == max_attempts) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100 * attempt));
  }
}

void build_program(cl::Program& program, const cl::Device& device, const std::string& options) {
  build_unless_disturbed([&] { program.build(std::vector<cl::Device>{device}, options.c_str()); });
}

std::string readable_build_log(std::string_view log, std::string_view name) {
  std::vector<std::string> lines;
  std::size_t left_out = 0;
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    const std::string_view line = trimmed_end(log.substr(0, end));
    log.remove_prefix(std::min(end + 1, log.size()));
    if (is_noise(line)) continue;
    if (lines.size() == max_lines) {
      ++left_out;
      continue;
    }
    lines.push_back(with_name(place_first(without_spelling(line.substr(0, longest_line))), name));
  }
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  if (left_out) text += "\n(and " + std::to_string(left_out) + " more lines)";
  return text;
}

}  // namespace twiddle
