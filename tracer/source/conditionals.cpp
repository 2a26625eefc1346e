#include "tracer/source/conditionals.h"

#include <optional>
#include <span>

namespace twiddle {
namespace {

// An #if that is open: whether what surrounds it is seen, whether a branch of it was (nothing: not known), and whether the
// present one is.
struct Open {
  bool around = true;
  std::optional<bool> taken = false;
  bool seen = true;
};

// Compilers and language versions define these.
bool is_compilers(std::string_view name) {
  return name.starts_with("__") || name.starts_with("cl_") || name.starts_with("CL_") || name.starts_with("TRACE_");
}

std::optional<bool> is_defined(std::string_view name, const Macros& defined) {
  if (defined.count(name)) return true;
  return is_compilers(name) ? std::nullopt : std::optional(false);
}

// `0`, `1`, `NAME`, `defined NAME`, `defined(NAME)`, each with `!` before it; everything else can't be told.
std::optional<bool> truth(std::span<const Token> words, const Macros& defined) {
  if (words.empty()) return std::nullopt;
  if (words.front().is("!")) {
    const std::optional<bool> inner = truth(words.subspan(1), defined);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  if (words.front().is("defined")) {
    if (words.size() == 2) return is_defined(words[1].text, defined);
    if (words.size() == 4 && words[1].is("(") && words[3].is(")")) return is_defined(words[2].text, defined);
    return std::nullopt;
  }
  if (words.size() != 1) return std::nullopt;
  std::string_view word = words.front().text;
  if (words.front().identifier()) {
    const auto macro = defined.find(word);
    if (macro == defined.end()) return is_compilers(word) ? std::nullopt : std::optional(false);
    word = macro->second;
  }
  if (word == "0") return false;
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos ? std::optional(true)
                                                                                         : std::nullopt;
}

}  // namespace

std::vector<Token> seen_by_compiler(const std::vector<Token>& tokens, Macros& defined) {
  std::vector<Token> result;
  std::vector<Open> stack;
  const auto seen = [&] { return stack.empty() || stack.back().seen; };
  const auto branch = [](Open& open, std::optional<bool> condition) {
    if (open.taken == std::optional(true)) condition = false;  // an earlier branch is the one
    open.seen = open.around && condition != std::optional(false);
    if (condition == std::optional(true) && open.taken)
      open.taken = true;
    else if (!condition)
      open.taken = std::nullopt;
  };
  for (std::size_t i = 0; i < tokens.size();) {
    if (tokens[i].directive == 0) {
      if (seen()) result.push_back(tokens[i]);
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < tokens.size() && tokens[end].directive == tokens[i].directive) ++end;
    const std::span<const Token> line = std::span(tokens).subspan(i, end - i);
    const std::string_view word = line.size() > 1 ? line[1].text : std::string_view();
    const std::span<const Token> rest = line.size() > 2 ? line.subspan(2) : std::span<const Token>();
    bool conditional = true;
    if (word == "if") {
      stack.push_back({seen(), false, true});
      branch(stack.back(), truth(rest, defined));
    } else if (word == "ifdef" || word == "ifndef") {
      stack.push_back({seen(), false, true});
      std::optional<bool> is = rest.empty() ? std::nullopt : is_defined(rest.front().text, defined);
      if (is && word == "ifndef") is = !*is;
      branch(stack.back(), is);
    } else if (word == "elif" && !stack.empty()) {
      branch(stack.back(), truth(rest, defined));
    } else if (word == "else" && !stack.empty()) {
      branch(stack.back(), stack.back().taken ? std::optional(!*stack.back().taken) : std::nullopt);
    } else if (word == "endif" && !stack.empty()) {
      stack.pop_back();
    } else {
      conditional = false;
    }
    if (!conditional && seen() && !rest.empty()) {
      if (word == "define") defined[rest.front().text] = rest.size() > 1 ? rest[1].text : std::string_view();
      if (word == "undef") defined.erase(rest.front().text);
    }
    if (conditional || seen()) result.insert(result.end(), line.begin(), line.end());
    i = end;
  }
  return result;
}

}  // namespace twiddle
