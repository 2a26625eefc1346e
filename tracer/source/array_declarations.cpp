#include "tracer/source/array_declarations.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <set>
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
    find_named_arrays();
    int brackets = 0;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.is("[") && brackets == 0 && i > 0 && tokens_[i - 1].identifier() && !is(i - 1, {"operator"}) &&
          !scopes_.empty())
        scopes_.back().arrays = true;
      if (token.is("(") || token.is("[")) ++brackets;
      if (token.is(")") || token.is("]")) --brackets;
      if (token.is("{")) {
        open(i, brackets);
        brackets = 0;
        start_ = i + 1;
      } else if (token.is("}")) {
        if (!scopes_.empty()) {
          const Scope closed = scopes_.back();
          brackets = closed.brackets;
          scopes_.pop_back();
          if (closed.kind == Kind::Type && closed.arrays) structure(closed.begin, i);
        }
        start_ = i + 1;
      } else if (token.is(";") && brackets == 0) {
        if (!scopes_.empty() && scopes_.back().kind == Kind::Code) declaration(i);
        start_ = i + 1;
      }
    }
    return std::move(found_);
  }
  bool structures() const { return structures_; }

 private:
  enum class Kind { Names, Type, Code, Switch };
  struct Scope {
    Kind kind;
    int brackets;           // that were open where it began
    std::size_t begin = 0;  // the statement that it is of
    bool arrays = false;    // of a type: it has some
  };

  // `typedef float row[4];`, `using row = float[4];`
  void find_named_arrays() {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (is(i, {"typedef", "using"})) begin = i;
      if (is(i, {"{", "}"})) begin = i + 1;
      if (!is(i, {";"})) continue;
      const std::size_t first = begin;
      begin = i + 1;
      if (i < first + 4 || !is(i - 1, {"]"}) || !is(first, {"typedef", "using"})) continue;
      std::size_t name = first + 1;
      if (is(first, {"typedef"}))
        while (name + 1 < i && !is(name + 1, {"["})) ++name;
      if (tokens_[name].identifier()) named_arrays_.insert(tokens_[name].text);
    }
  }

  // A type with arrays, from its statement's first token to its `}`: its name, and whether a function declares one right behind it.
  void structure(std::size_t first, std::size_t close) {
    for (std::size_t i = first; i + 1 < close && !is(i, {"{"}); ++i)
      if (is(i, {"struct", "class", "union"}) && tokens_[i + 1].identifier())
        structure_types_.insert(tokens_[i + 1].text);
    if (close + 1 >= tokens_.size() || !tokens_[close + 1].identifier()) return;
    if (is(first, {"typedef"}))
      structure_types_.insert(tokens_[close + 1].text);
    else if (!scopes_.empty() && scopes_.back().kind == Kind::Code)
      structures_ = true;
  }

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
                       brackets, start_});
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
    bool named_array = false, structure = false;
    for (std::size_t i = start_; i < name; ++i) {
      named_array = named_array || named_arrays_.contains(tokens_[i].text);
      structure = structure || structure_types_.contains(tokens_[i].text);
    }
    ArrayDeclaration declared{end, {}};
    for (const auto& [first, last] : arguments_of(tokens_, name - 1, end)) {
      const bool plain = first + 1 == last && tokens_[first].identifier();
      if (structure)
        structures_ = structures_ || plain || is_array(first, last);
      else if (is_array(first, last) || (named_array && plain))
        declared.names.push_back(first);
    }
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
  std::set<std::string_view> named_arrays_, structure_types_;
  bool structures_ = false;  // a function declares one with arrays
};

}  // namespace

std::vector<ArrayDeclaration> array_declarations(const std::vector<Token>& tokens) {
  return DeclarationFinder(tokens).run();
}

bool declares_structures_with_arrays(const std::vector<Token>& tokens) {
  DeclarationFinder finder(tokens);
  finder.run();
  return finder.structures();
}

}  // namespace twiddle
