// find_sites: the trace lines of a kernel source, and which buffers they name.
#include "tracer/source/source.h"
#include "tracer/source/tokens.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace twiddle {
namespace {

// A trace macro: how many arguments it takes, and which of them name its first and second buffer (−1: none).
struct Macro {
  int arguments, first, second;
};
const std::map<std::string_view, Macro> trace_macros = {
    {"TRACE_BUTTERFLY", {6, 0, -1}},     {"TRACE_BUTTERFLY_TO", {9, 0, 3}}, {"TRACE_BUTTERFLY4", {12, 0, -1}},
    {"TRACE_BUTTERFLY4_TO", {17, 0, 5}}, {"TRACE_PACK", {9, 0, 3}},         {"TRACE_TERM", {7, 0, 2}},
    {"TRACE_COMBINE", {7, 0, 2}},        {"TRACE_SWAP", {5, 0, -1}},        {"TRACE_MOVE", {5, 0, 2}},
    {"TRACE_SCALE", {4, 0, -1}},         {"TRACE_SCALE_TO", {6, 0, 2}},     {"TRACE_ATOMIC", {4, 0, -1}},
    {"TRACE_LOAD", {3, 0, -1}},          {"TRACE_STORE", {3, 0, -1}},       {"TRACE_BARRIER", {0, -1, -1}},
};

// Bounds for hostile text; no kernel written by a person comes near them.
constexpr std::size_t call_reach = 1024;   // tokens of one trace line
constexpr std::size_t name_length = 200;   // characters kept of a buffer expression
constexpr std::size_t wrapped_sites = 64;  // trace lines in one macro of the source's own
constexpr std::size_t most_sites = 20000;

// A macro of the source's own with trace lines in its body: what each of its uses stands for.
struct Wrapper {
  std::vector<std::string> parameters;
  bool function_like = false;
  struct Line {
    std::string macro;
    std::array<std::string, 2> names;
  };
  std::vector<Line> lines;
};
using Wrappers = std::map<std::string, Wrapper, std::less<>>;

// The arguments of the call whose "(" stands at `open`, as [first, last) token ranges.
using Range = std::pair<std::size_t, std::size_t>;
std::vector<Range> arguments_of(const std::vector<Token>& tokens, std::size_t open, std::size_t close) {
  std::vector<Range> ranges;
  std::size_t from = open + 1;
  int depth = 0;
  for (std::size_t i = open + 1; i < close; ++i) {
    if (tokens[i].kind != Token::Kind::Punctuation) continue;
    if (tokens[i].is("(") || tokens[i].is("[") || tokens[i].is("{")) ++depth;
    if (tokens[i].is(")") || tokens[i].is("]") || tokens[i].is("}")) --depth;
    if (tokens[i].is(",") && depth == 0) {
      ranges.emplace_back(from, i);
      from = i + 1;
    }
  }
  if (from < close || !ranges.empty()) ranges.emplace_back(from, close);
  return ranges;
}

class Finder {
 public:
  Finder(const std::vector<Token>& tokens, int source) : tokens_(tokens), source_(source) {}

  std::vector<Site> run() {
    for (std::size_t i = 0; i < tokens_.size() && sites_.size() < most_sites;) {
      if (tokens_[i].directive)
        i = directive(i);
      else
        i = code(i);
    }
    return std::move(sites_);
  }

 private:
  // A trace line or a use of a wrapper at `i`; returns where to go on.
  std::size_t code(std::size_t i) {
    std::size_t next = i + 1;
    for (const Wrapper::Line& line : lines_at(i, tokens_.size(), next)) {
      const Token& last = tokens_[next - 1];
      sites_.push_back({source_, tokens_[i].line, last.line, line.macro, line.names});
    }
    return next;
  }

  // What the word at `i` logs; `next` is set past the call.
  std::vector<Wrapper::Line> lines_at(std::size_t i, std::size_t end, std::size_t& next) const {
    const Token& word = tokens_[i];
    if (!word.identifier()) return {};
    const auto macro = trace_macros.find(word.text);
    const auto wrapper = macro == trace_macros.end() ? wrappers_.find(word.text) : wrappers_.end();
    if (macro == trace_macros.end() && wrapper == wrappers_.end()) return {};
    if (wrapper != wrappers_.end() && !wrapper->second.function_like) return wrapper->second.lines;

    const std::size_t close =
        i + 1 < end && tokens_[i + 1].is("(") ? closing(tokens_, i + 1, call_reach) : tokens_.size();
    if (close >= end) return {};
    next = close + 1;
    const std::vector<Range> ranges = arguments_of(tokens_, i + 1, close);
    const auto text = [&](int argument) -> std::string {
      if (argument < 0 || static_cast<std::size_t>(argument) >= ranges.size()) return {};
      const auto [first, last] = ranges[static_cast<std::size_t>(argument)];
      return spelling(tokens_, first, last).substr(0, name_length);
    };
    if (macro != trace_macros.end())
      return {{std::string(word.text), {text(macro->second.first), text(macro->second.second)}}};

    // A use of a wrapper: its parameters become what is handed in.
    std::vector<Wrapper::Line> lines = wrapper->second.lines;
    const std::vector<std::string>& parameters = wrapper->second.parameters;
    for (Wrapper::Line& line : lines)
      for (std::string& name : line.names) {
        const auto at = std::find(parameters.begin(), parameters.end(), name);
        if (at != parameters.end()) name = text(static_cast<int>(at - parameters.begin()));
      }
    return lines;
  }

  // A preprocessor line: `#define NAME(…) … TRACE_…(…)` makes NAME a wrapper.
  std::size_t directive(std::size_t i) {
    const int line = tokens_[i].directive;
    std::size_t end = i;
    while (end < tokens_.size() && tokens_[end].directive == line) ++end;
    if (i + 2 >= end || !tokens_[i + 1].is("define") || !tokens_[i + 2].identifier()) return end;
    const Token& name = tokens_[i + 2];
    if (trace_macros.count(name.text)) return end;

    Wrapper wrapper;
    std::size_t body = i + 3;
    wrapper.function_like =
        body < end && tokens_[body].is("(") && name.text.data() + name.text.size() == tokens_[body].text.data();
    if (wrapper.function_like) {
      const std::size_t close = closing(tokens_, body, call_reach);
      if (close >= end) return end;
      for (std::size_t p = body + 1; p < close; ++p)
        if (tokens_[p].identifier()) wrapper.parameters.emplace_back(tokens_[p].text);
      body = close + 1;
    }
    while (body < end && wrapper.lines.size() < wrapped_sites) {
      std::size_t next = body + 1;
      for (Wrapper::Line& found : lines_at(body, end, next))
        if (wrapper.lines.size() < wrapped_sites) wrapper.lines.push_back(std::move(found));
      body = next;
    }
    if (wrapper.lines.empty())
      wrappers_.erase(std::string(name.text));
    else
      wrappers_.insert_or_assign(std::string(name.text), std::move(wrapper));
    return end;
  }

  const std::vector<Token>& tokens_;
  int source_;
  Wrappers wrappers_;
  std::vector<Site> sites_;
};

}  // namespace

std::vector<Site> find_sites(const std::string& text, int source_index) {
  return Finder(tokenize(text), source_index).run();
}

}  // namespace twiddle
