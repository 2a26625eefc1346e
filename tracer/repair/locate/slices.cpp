#include "tracer/repair/locate/slices.h"

#include <algorithm>
#include <string_view>

namespace twiddle {
namespace {

using Names = std::set<std::string_view>;

class Slicer {
 public:
  Slicer(const std::vector<const Syntax*>& files, const std::set<int>& stores) : files_(files), stores_(stores) {
    for (const Syntax* syntax : files)
      for (std::uint32_t k = 0; k + 2 < syntax->lexemes.size(); ++k)
        if (syntax->lexemes[k].directive && syntax->lexemes[k].is("define") && syntax->lexemes[k + 2].is("(") &&
            syntax->lexemes[k + 2].begin == syntax->lexemes[k + 1].end())
          macros_.insert(syntax->lexemes[k + 1].text);
  }

  std::optional<SourceLines> run(std::size_t file, const std::string& function, int line) {
    const Syntax& syntax = *files_[file];
    const auto in = std::find_if(syntax.functions.begin(), syntax.functions.end(), [&](const Function& one) {
      return line == 0 ? one.name == function
                       : syntax.lexemes[one.body].line <= line && line <= syntax.lexemes[one.end].line;
    });
    if (in == syntax.functions.end()) return std::nullopt;
    if (line == 0) {
      whole(file, *in);
    } else {
      std::set<std::uint32_t> taken;
      Names names;
      for (std::uint32_t k = 0; k < syntax.statements.size(); ++k)
        if (within(syntax, syntax.statements[k], *in) && on_line(syntax, syntax.statements[k], line))
          take(file, *in, k, taken, names);
      if (taken.empty()) return std::nullopt;
      close(file, *in, taken, names);
    }
    return std::move(lines_);
  }

 private:
  static bool within(const Syntax& syntax, const Statement& one, const Function& in) {
    return one.kind != Statement::Kind::Macro && one.first >= in.body && one.first <= in.end &&
           one.function < syntax.functions.size();
  }
  static bool on_line(const Syntax& syntax, const Statement& one, int line) {
    return syntax.lexemes[one.first].line <= line && line <= syntax.lexemes[one.last].line;
  }

  void add_lines(std::size_t file, std::uint32_t first, std::uint32_t last) {
    const auto& words = files_[file]->lexemes;
    last = std::min(last, static_cast<std::uint32_t>(words.size() - 1));
    for (int line = words[first].line; line <= words[last].line; ++line) lines_.insert({file, line});
  }

  // A function that is called, or a macro: all of it.
  void named(std::string_view name) {
    if (!seen_.insert(name).second) return;
    for (std::size_t f = 0; f < files_.size(); ++f) {
      for (const Function& one : files_[f]->functions)
        if (one.name == name && !one.kernel) whole(f, one);
      const auto& words = files_[f]->lexemes;
      for (std::uint32_t k = 0; k + 1 < words.size(); ++k) {
        if (!words[k].directive || !words[k].is("define") || !words[k + 1].is(name)) continue;
        std::uint32_t end = k + 1;
        while (end + 1 < words.size() && words[end + 1].directive == words[k].directive) ++end;
        add_lines(f, k, end);
        for (std::uint32_t w = k + 2; w <= end; ++w)
          if (words[w].kind == Lexeme::Kind::Name) named(words[w].text);
      }
    }
  }
  void whole(std::size_t file, const Function& one) {
    add_lines(file, one.name_at, one.end);
    const auto& words = files_[file]->lexemes;
    for (std::uint32_t w = one.body; w < one.end; ++w)
      if (words[w].kind == Lexeme::Kind::Name) named(words[w].text);
  }

  void take(std::size_t file, const Function& in, std::uint32_t number, std::set<std::uint32_t>& taken, Names& names) {
    if (!taken.insert(number).second) return;
    const Syntax& syntax = *files_[file];
    const Statement& one = syntax.statements[number];
    add_lines(file, one.first, one.last);
    for (std::uint32_t w = one.first; w <= one.last && w < syntax.lexemes.size(); ++w)
      if (syntax.lexemes[w].kind == Lexeme::Kind::Name) {
        // "int i": the type is none.
        if (w + 1 >= syntax.lexemes.size() || syntax.lexemes[w + 1].kind != Lexeme::Kind::Name)
          names.insert(syntax.lexemes[w].text);
        named(syntax.lexemes[w].text);
      }
    for (std::uint32_t k = 0; k < syntax.statements.size(); ++k) {
      const Statement& around = syntax.statements[k];
      if ((around.kind == Statement::Kind::Loop || around.kind == Statement::Kind::Condition) &&
          within(syntax, around, in) && around.body <= one.first && one.first <= around.body_last)
        take(file, in, k, taken, names);
    }
  }

  // Whether a statement gives one of these its value, as far as its text tells: it assigns to it, declares it, takes its address,
  // or hands it to a macro.
  bool gives(const Syntax& syntax, const Statement& one, const Names& names) const {
    const auto& words = syntax.lexemes;
    for (const std::uint32_t e : one.expressions) {
      const Expression& part = syntax.expressions[e];
      for (std::uint32_t w = part.first; part.written && w < part.last; ++w)
        if (words[w].kind == Lexeme::Kind::Name) {
          if (names.count(words[w].text)) return true;
          break;
        }
    }
    bool anything = one.kind == Statement::Kind::Declaration;
    for (std::uint32_t w = one.first; w + 1 < words.size() && w <= one.last; ++w) {
      if (words[w].kind != Lexeme::Kind::Name) {
        // "=", "+=", "++": what is before it, or all of it.
        if (words[w].text.ends_with("=") && !words[w].is("==") && !words[w].is("<=") && !words[w].is(">=") &&
            !words[w].is("!="))
          anything = true;
        if (words[w].is("++") || words[w].is("--") || words[w].is("&")) anything = true;
        continue;
      }
      if (macro(words[w].text)) anything = true;
    }
    if (!anything) return false;
    for (std::uint32_t w = one.first; w <= one.last && w < words.size(); ++w)
      if (words[w].kind == Lexeme::Kind::Name && names.count(words[w].text) && given_here(syntax, one, w)) return true;
    return false;
  }
  bool given_here(const Syntax& syntax, const Statement& one, std::uint32_t at) const {
    // Only what is before an "=", so that a read is none.
    const auto& words = syntax.lexemes;
    if (one.kind == Statement::Kind::Declaration) {
      const bool type = at + 1 < words.size() && (words[at + 1].kind == Lexeme::Kind::Name || words[at + 1].is("*"));
      if (type) return false;
      int depth = 0;
      bool value = false;
      for (std::uint32_t w = one.first; w < at; ++w) {
        if (words[w].is("(") || words[w].is("[") || words[w].is("{")) ++depth;
        if (words[w].is(")") || words[w].is("]") || words[w].is("}")) --depth;
        if (depth == 0 && (words[w].is("=") || words[w].is(","))) value = words[w].is("=");
      }
      if (!value && depth == 0) return true;
    } else if (one.kind != Statement::Kind::Plain)
      return true;
    for (std::uint32_t w = one.first; w <= one.last && w < words.size(); ++w)
      if (macro(words[w].text) || words[w].is("&") || words[w].is("++") || words[w].is("--")) return true;
    for (std::uint32_t w = at + 1; w <= one.last && w < words.size(); ++w)
      if (words[w].text.ends_with("=")) return true;
    return false;
  }
  bool macro(std::string_view name) const { return macros_.count(name) > 0; }

  void close(std::size_t file, const Function& in, std::set<std::uint32_t>& taken, Names& names) {
    const Syntax& syntax = *files_[file];
    for (bool more = true; more;) {
      more = false;
      for (std::uint32_t k = 0; k < syntax.statements.size(); ++k) {
        const Statement& one = syntax.statements[k];
        if (taken.count(k) || !within(syntax, one, in) || !gives(syntax, one, names)) continue;
        if (one.kind == Statement::Kind::Plain && stores_.count(syntax.lexemes[one.first].line)) continue;
        take(file, in, k, taken, names);
        more = true;
      }
    }
    // Parameters and what is declared outside.
    add_lines(file, in.name_at, in.close);
  }

  const std::vector<const Syntax*>& files_;
  const std::set<int>& stores_;
  Names macros_;
  SourceLines lines_;
  std::set<std::string_view> seen_;
};

}  // namespace

std::optional<SourceLines> lines_behind(const std::vector<const Syntax*>& files, std::size_t file,
                                        const std::string& function, int line, const std::set<int>& stores) {
  return Slicer(files, stores).run(file, function, line);
}

}  // namespace twiddle
