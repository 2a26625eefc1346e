// find_sites: the trace lines of a kernel source, and which buffers they name.
#include "tracer/source/source.h"
#include "tracer/source/tokens.h"
#include "tracer/trace/trace_macros.h"

#include <algorithm>
#include <map>

namespace twiddle {
namespace {

// Bounds for hostile text; no kernel written by a person comes near them.
constexpr std::size_t call_reach = 1024;   // tokens of one trace line
constexpr std::size_t name_length = 200;   // characters kept of a buffer expression
constexpr std::size_t wrapped_sites = 64;  // trace lines in one macro of the source's own
constexpr std::size_t max_sites = 20000;

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

class Finder {
 public:
  Finder(const std::vector<Token>& tokens, int source) : tokens_(tokens), source_(source) {}

  std::vector<Site> run() {
    for (std::size_t i = 0; i < tokens_.size() && sites_.size() < max_sites;) {
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
    const TraceMacro* macro = macro_named(word.text);
    const auto wrapper = macro ? wrappers_.end() : wrappers_.find(word.text);
    if (!macro && wrapper == wrappers_.end()) return {};
    if (wrapper != wrappers_.end() && !wrapper->second.function_like) return wrapper->second.lines;

    const std::size_t close =
        i + 1 < end && tokens_[i + 1].is("(") ? closing(tokens_, i + 1, call_reach) : tokens_.size();
    if (close >= end) return {};
    next = close + 1;
    const std::vector<TokenRange> ranges = arguments_of(tokens_, i + 1, close);
    const auto text = [&](int argument) -> std::string {
      if (argument < 0 || static_cast<std::size_t>(argument) >= ranges.size()) return {};
      const auto [first, last] = ranges[argument];
      return spelling(tokens_, first, last).substr(0, name_length);
    };
    if (macro)  // the buffers, in the order in which they are named
      return {{std::string(word.text), {text(0), macro->place('b') > 0 ? text(macro->place('b')) : ""}}};

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
    if (macro_named(name.text)) return end;

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
