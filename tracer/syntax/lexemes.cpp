// Tokens joined to words and operators of several characters.
#include "tracer/syntax/syntax.h"

#include <array>

namespace twiddle {

std::vector<Lexeme> lexemes_of(std::string_view text) {
  static constexpr std::array<std::string_view, 22> marks{
      "<<=", ">>=", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
      "|=",  "^=",  "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "::"};
  const std::vector<Token> tokens = tokenize(text);
  std::vector<Lexeme> lexemes;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const Token& token = tokens[k];
    Lexeme one;
    one.begin = static_cast<std::size_t>(token.text.data() - text.data());
    one.text = token.text;
    one.line = token.line;
    one.directive = token.directive;
    one.kind = token.kind == Token::Kind::Identifier ? Lexeme::Kind::Name
               : token.kind == Token::Kind::Number   ? Lexeme::Kind::Number
               : token.kind == Token::Kind::String   ? Lexeme::Kind::String
                                                     : Lexeme::Kind::Mark;
    const auto adjacent = [&](std::size_t next) {
      return next < tokens.size() && tokens[next].text.data() == text.data() + one.end();
    };
    if (one.kind == Lexeme::Kind::Number && !one.text.starts_with("0x") && !one.text.starts_with("0X") &&
        (one.text.back() == 'e' || one.text.back() == 'E') && adjacent(k + 1) &&
        (tokens[k + 1].is("-") || tokens[k + 1].is("+")) && k + 2 < tokens.size() &&
        tokens[k + 2].kind == Token::Kind::Number) {
      one.text = text.substr(one.begin, one.text.size() + 1 + tokens[k + 2].text.size());
      k += 2;
    }
    if (one.kind == Lexeme::Kind::Mark)
      for (const std::string_view mark : marks)
        if (text.substr(one.begin, mark.size()) == mark) {
          bool joined = true;
          for (std::size_t i = 1; i < mark.size(); ++i)
            joined = joined && k + i < tokens.size() && tokens[k + i].text.data() == text.data() + one.begin + i;
          if (!joined) continue;
          one.text = text.substr(one.begin, mark.size());
          k += mark.size() - 1;
          break;
        }
    lexemes.push_back(one);
  }
  return lexemes;
}

}  // namespace twiddle
