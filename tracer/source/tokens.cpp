#include "tracer/source/tokens.h"

#include <cctype>

namespace twiddle {
namespace {

bool starts_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }
bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (at_ < text_.size()) step();
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  // A backslash at the end of a line joins it with the next one.
  bool splice() {
    if (peek() != '\\') return false;
    const std::size_t length = peek(1) == '\n' ? 2 : peek(1) == '\r' && peek(2) == '\n' ? 3 : 0;
    if (length == 0) return false;
    at_ += length;
    ++line_;
    return true;
  }

  void new_line() {
    ++line_;
    directive_ = 0;
    fresh_line_ = true;
  }

  void step() {
    if (splice()) return;
    const char c = peek();
    if (c == '\n') {
      ++at_;
      new_line();
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      ++at_;
    } else if (c == '/' && peek(1) == '/') {
      line_comment();
    } else if (c == '/' && peek(1) == '*') {
      block_comment();
    } else if (c == '"' || c == '\'') {
      quoted(c);
    } else if (starts_word(c)) {
      const std::size_t from = at_;
      while (in_word(peek())) ++at_;
      push(Token::Kind::Identifier, from);
    } else if (std::isdigit(static_cast<unsigned char>(c)) ||
               (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1))))) {
      const std::size_t from = at_;
      while (in_word(peek()) || peek() == '.') ++at_;
      push(Token::Kind::Number, from);
    } else {
      if (c == '#' && fresh_line_) directive_ = line_;
      push(Token::Kind::Punctuation, at_++);
    }
  }

  void line_comment() {
    while (at_ < text_.size() && peek() != '\n')
      if (!splice()) ++at_;
  }

  void block_comment() {
    for (at_ += 2; at_ < text_.size(); ++at_) {
      if (peek() == '*' && peek(1) == '/') {
        at_ += 2;
        return;
      }
      if (peek() == '\n') ++line_;
    }
  }

  void quoted(char quote) {
    const std::size_t from = at_++;
    while (at_ < text_.size() && peek() != quote && peek() != '\n') {
      if (splice()) continue;
      at_ += peek() == '\\' && at_ + 1 < text_.size() && peek(1) != '\n' ? 2 : 1;
    }
    if (peek() == quote) ++at_;
    push(Token::Kind::String, from);
  }

  void push(Token::Kind kind, std::size_t from) {
    if (kind == Token::Kind::Punctuation) {
      tokens_.push_back({kind, text_.substr(from, 1), line_, directive_});
    } else {
      tokens_.push_back({kind, text_.substr(from, at_ - from), line_, directive_});
    }
    fresh_line_ = false;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int line_ = 1;
  int directive_ = 0;
  bool fresh_line_ = true;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text) { return Scanner(text).run(); }

std::size_t closing(const std::vector<Token>& tokens, std::size_t open, std::size_t reach) {
  const std::size_t end = reach < tokens.size() - open ? open + reach : tokens.size();
  std::size_t depth = 0;
  for (std::size_t i = open; i < end; ++i) {
    const Token& token = tokens[i];
    if (token.kind != Token::Kind::Punctuation) continue;
    const char sign =
        token.text.front();  // by character: a text of brackets alone is gone through once for each of them
    if (sign == '(' || sign == '[' || sign == '{') ++depth;
    if (sign == ')' || sign == ']' || sign == '}') --depth;
    if (depth == 0) return i;
  }
  return tokens.size();
}

std::vector<TokenRange> arguments_of(const std::vector<Token>& tokens, std::size_t open, std::size_t close,
                                     std::string_view opening, std::string_view closing) {
  std::vector<TokenRange> ranges;
  std::size_t from = open + 1;
  int depth = 0;
  for (std::size_t i = open + 1; i < close; ++i) {
    if (tokens[i].kind != Token::Kind::Punctuation) continue;
    if (opening.find(tokens[i].text) != std::string_view::npos) ++depth;
    if (closing.find(tokens[i].text) != std::string_view::npos) --depth;
    if (tokens[i].is(",") && depth == 0) {
      ranges.emplace_back(from, i);
      from = i + 1;
    }
  }
  if (from < close || !ranges.empty()) ranges.emplace_back(from, close);
  return ranges;
}

std::string spelling(const std::vector<Token>& tokens, std::size_t first, std::size_t last) {
  std::string text;
  for (std::size_t i = first; i < last; ++i) {
    const bool apart = i > first && tokens[i - 1].text.data() + tokens[i - 1].text.size() != tokens[i].text.data();
    if (apart) text += ' ';
    text += tokens[i].text;
  }
  return text;
}

}  // namespace twiddle
