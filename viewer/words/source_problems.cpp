#include "viewer/words/source_problems.h"

#include <charconv>
#include <filesystem>

namespace twiddle {
namespace {

constexpr std::size_t max_problems = 100;

// "mine.cl:4:39" or "mine.cu(4)" → name and line; line 0 when it is neither.
SourceProblem place_of(std::string_view head) {
  SourceProblem problem;
  std::size_t end = head.find('(');
  if (end == std::string_view::npos) end = head.find(':');
  if (end == std::string_view::npos || end == 0) return problem;
  const std::string_view digits = head.substr(end + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), problem.line);
  problem.source = std::filesystem::path(head.substr(0, end)).filename().string();
  return problem;
}

}  // namespace

std::vector<SourceProblem> source_problems(std::string_view log) {
  constexpr std::string_view words = ": error: ";
  std::vector<SourceProblem> problems;
  while (!log.empty() && problems.size() < max_problems) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    const std::string_view line = log.substr(0, end);
    log.remove_prefix(std::min(end + 1, log.size()));
    const std::size_t at = line.find(words);
    if (at == std::string_view::npos) continue;
    SourceProblem problem = place_of(line.substr(0, at));
    if (problem.line <= 0) continue;
    problem.text = std::string(line.substr(at + words.size()));
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace twiddle
