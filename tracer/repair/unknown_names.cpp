#include "tracer/repair/unknown_names.h"

#include <algorithm>
#include <regex>
#include <string_view>
#include <vector>

namespace twiddle {
namespace {

using Place = SourceEdit::Place;

std::uint32_t statement_of(const Syntax& syntax, const SourceEdit& edit, std::uint32_t target) {
  return edit.place == Place::Expression ? syntax.expressions[target].statement : target;
}

// "{ float t = a; a = b; b = t; }" declares t.
bool declares(const std::vector<Lexeme>& words, std::string_view name) {
  for (std::size_t k = 1; k < words.size(); ++k)
    if (words[k].text == name && words[k - 1].kind == Lexeme::Kind::Name && !words[k - 1].is("return") &&
        !words[k - 1].is("else"))
      return true;
  return false;
}

bool has_text_in_statement(const SourceEdit& edit) {
  return !edit.text.empty() && edit.place != Place::Word && edit.place != Place::SwapWords;
}

}  // namespace

std::set<std::string> undeclared_in(const std::string& log) {
  static const std::regex unknown(
      "undeclared identifier .(\\w+)|(\\w+)\\W{1,5}was not declared|identifier .(\\w+). is undefined|"
      "no arguments to \\W{1,5}(\\w+)\\W{1,5}that depend");
  std::set<std::string> names;
  for (std::sregex_iterator found(log.begin(), log.end(), unknown), end; found != end; ++found)
    for (std::size_t g = 1; g < found->size(); ++g)
      if ((*found)[g].matched) names.insert((*found)[g].str());
  return names;
}

void UnknownNames::note(std::size_t file, const Syntax& syntax, const SourceEdit& edit, const std::string& name) {
  if (!has_text_in_statement(edit)) return;
  const Statement& one = syntax.statements[statement_of(syntax, edit, edit.target)];
  if (one.kind != Statement::Kind::Macro) names_.insert({file, one.function, name});
}

bool UnknownNames::any_in(std::size_t file, const Syntax& syntax, const SourceEdit& edit) const {
  if (names_.empty() || !has_text_in_statement(edit)) return false;
  const auto unknown = [&](std::uint32_t target, const std::string& text) {
    const Statement& one = syntax.statements[statement_of(syntax, edit, target)];
    if (one.kind == Statement::Kind::Macro) return false;
    const std::vector<Lexeme> words = lexemes_of(text);
    for (std::size_t k = 0; k < words.size(); ++k) {
      if (words[k].kind != Lexeme::Kind::Name || !names_.count({file, one.function, std::string(words[k].text)}))
        continue;
      // A member, or a namespace's.
      if (k > 0 && (words[k - 1].is(".") || words[k - 1].is("->") || words[k - 1].is("::") || words[k - 1].is(":")))
        continue;
      if (declares(words, words[k].text)) continue;
      const auto same = [&](std::uint32_t v) { return syntax.variables[v].name == words[k].text; };
      if (std::any_of(one.visible.begin(), one.visible.end(), same)) continue;
      if (edit.place != Place::Expression) return true;
      const Expression& was = syntax.expressions[target];
      const auto stood = [&](const Lexeme& word) { return word.text == words[k].text; };
      if (std::none_of(syntax.lexemes.begin() + was.first, syntax.lexemes.begin() + was.last, stood)) return true;
    }
    return false;
  };
  return unknown(edit.target, edit.text) ||
         std::any_of(edit.also.begin(), edit.also.end(),
                     [&](const SourceEdit::Also& other) { return unknown(other.target, other.text); });
}

}  // namespace twiddle
