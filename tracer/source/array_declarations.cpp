#include "tracer/source/array_declarations.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string_view>

namespace twiddle {
namespace {

// No declaration of such an array has one of these words.
constexpr std::string_view no_declarations[] = {
    "return",       "else",      "goto",   "using",    "typedef",    "static",       "extern",     "constexpr",
    "const",        "template",  "delete", "new",      "throw",      "do",           "if",         "for",
    "while",        "switch",    "break",  "continue", "asm",        "__asm__",      "operator",   "friend",
    "namespace",    "class",     "union",  "enum",     "__shared__", "__constant__", "__device__", "__managed__",
    "thread_local", "constinit", "auto",   "sizeof"};

class DeclarationFinder {
 public:
  explicit DeclarationFinder(const std::vector<Token>& tokens) : tokens_(tokens) {}

  std::vector<ArrayDeclaration> run() {
    int brackets = 0;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.is("(") || token.is("[")) ++brackets;
      if (token.is(")") || token.is("]")) --brackets;
      if (token.is("{")) {
        open(i, brackets);
        brackets = 0;
        start_ = i + 1;
      } else if (token.is("}")) {
        if (!scopes_.empty()) {
          brackets = scopes_.back().brackets;
          scopes_.pop_back();
        }
        start_ = i + 1;
      } else if (token.is(";") && brackets == 0) {
        if (!scopes_.empty() && scopes_.back().kind == Kind::Code) declaration(i);
        start_ = i + 1;
      }
    }
    return std::move(found_);
  }

 private:
  enum class Kind { Names, Type, Code, Switch };
  struct Scope {
    Kind kind;
    int brackets;  // that were open where it began
  };

  bool is(std::size_t token, std::initializer_list<std::string_view> words) const {
    return std::find(words.begin(), words.end(), tokens_[token].text) != words.end();
  }

  // Of a namespace, a type, or code: a function's body, a block, a lambda's, a list of values.
  void open(std::size_t brace, int brackets) {
    bool names = false, type = false;
    const bool called = brace > start_ && tokens_[brace - 1].is(")");
    for (std::size_t i = start_; i < brace; ++i) {
      names = names || is(i, {"namespace"}) ||
              (is(i, {"extern"}) && i + 1 < brace && tokens_[i + 1].kind == Token::Kind::String);
      type = type || is(i, {"struct", "class", "union", "enum"});
    }
    names = names && !called;  // of `extern "C" void f() {` the code
    const bool function = called || (brace > start_ && is(brace - 1, {"const", "noexcept", "override"}));
    const bool cases = called && is(start_, {"switch"});
    scopes_.push_back({names                                ? Kind::Names
                       : type && !function && brackets == 0 ? Kind::Type
                       : cases                              ? Kind::Switch
                                                            : Kind::Code,
                       brackets});
  }

  // `again: int r[2];`
  std::size_t behind_labels(std::size_t first, std::size_t end) const {
    while (first + 2 < end && tokens_[first].identifier() && tokens_[first + 1].is(":") && !tokens_[first + 2].is(":"))
      first += 2;
    return first;
  }

  // One past the `>` of the `<` at `at`; `end` where there is none.
  std::size_t behind_angles(std::size_t at, std::size_t end) const {
    int depth = 0;
    for (std::size_t i = at; i < end; ++i) {
      if (tokens_[i].is("<")) ++depth;
      if (tokens_[i].is(">") && --depth == 0) return i + 1;
      if (is(i, {"=", "&", "|", "?"})) return end;
    }
    return end;
  }

  void declaration(std::size_t end) {
    std::size_t at = behind_labels(start_, end);
    for (std::size_t i = at; i < end; ++i)
      if (std::find(std::begin(no_declarations), std::end(no_declarations), tokens_[i].text) !=
          std::end(no_declarations))
        return;
    while (at < end && is(at, {"__attribute__", "alignas"})) {
      if (at + 1 >= end || !tokens_[at + 1].is("(")) return;
      at = closing(tokens_, at + 1) + 1;
    }
    // The type: words, `::` and arguments of templates, up to the first name.
    std::size_t name = end;
    int words = 0;
    while (at < end) {
      if (tokens_[at].identifier()) {
        name = at++;
        ++words;
      } else if (tokens_[at].is(":") && at + 2 < end && tokens_[at + 1].is(":") && tokens_[at + 2].identifier()) {
        if (words > 0) --words;  // of one name
        at += 2;
      } else if (tokens_[at].is("<") && words > 0) {
        at = behind_angles(at, end);
      } else {
        break;
      }
    }
    if (words < 2 || name + 1 != at) return;
    ArrayDeclaration declared{end, {}};
    for (const auto& [first, last] : arguments_of(tokens_, name - 1, end))
      if (is_array(first, last)) declared.names.push_back(first);
    if (!declared.names.empty()) found_.push_back(std::move(declared));
  }

  // `x[4][n]` and no more, but an attribute.
  bool is_array(std::size_t first, std::size_t last) const {
    if (first + 2 >= last || !tokens_[first].identifier() || !tokens_[first + 1].is("[")) return false;
    std::size_t at = first + 1;
    while (at < last && tokens_[at].is("[")) {
      if (at + 1 < last && tokens_[at + 1].is("]")) return false;  // of a size that its value tells
      at = closing(tokens_, at) + 1;
    }
    while (at + 1 < last && is(at, {"__attribute__"}) && tokens_[at + 1].is("(")) at = closing(tokens_, at + 1) + 1;
    return at == last;
  }

  const std::vector<Token>& tokens_;
  std::vector<Scope> scopes_;
  std::size_t start_ = 0;  // of the statement
  std::vector<ArrayDeclaration> found_;
};

}  // namespace

std::vector<ArrayDeclaration> array_declarations(const std::vector<Token>& tokens) {
  return DeclarationFinder(tokens).run();
}

}  // namespace twiddle
