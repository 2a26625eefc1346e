// Kernel sources as far as a search for a small change needs them: functions, statements, expressions, and what names are.
// It reads OpenCL C and CUDA C++ without a compiler; what it does not understand it leaves alone.
#pragma once

#include "tracer/source/tokens.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// A word or an operator of several characters, with its place in the text.
struct Lexeme {
  enum class Kind : std::uint8_t { Name, Number, String, Mark };
  Kind kind = Kind::Mark;
  std::string_view text;
  std::size_t begin = 0;  // byte of the text
  int line = 0, directive = 0;

  std::size_t end() const { return begin + text.size(); }
  bool is(std::string_view word) const { return text == word; }
};
std::vector<Lexeme> lexemes_of(std::string_view text);
/// Whether a name is behind a dot or an arrow: a field of something.
inline bool is_field(const std::vector<Lexeme>& words, std::size_t k) {
  return k > 0 && (words[k - 1].is(".") || words[k - 1].is("->"));
}

/// What a name or an expression is, by its declaration: "float2" with depth 1 is a pointer to or an array of float2.
struct ValueType {
  std::string name;  // empty: not known
  int depth = 0;
  char space = 0;         // of a pointer or an array: 'l' local, 'g' global, 'c' constant memory
  bool constant = false;  // what a pointer points to, or a variable that is none
  bool operator==(const ValueType& other) const {
    return name == other.name && depth == other.depth && space == other.space;
  }

  bool known() const { return !name.empty(); }
  bool whole() const;     // an integer
  bool floating() const;  // one float, half or double
  bool vector() const;    // of 2 … 16 components
  ValueType element() const { return {name, depth - 1, depth > 1 ? space : '\0'}; }
};

enum class Part : std::uint8_t {
  Name,
  Number,
  Other,
  Paren,
  Call,
  Index,
  Member,
  Prefix,
  Postfix,
  Binary,
  Choice,
  Cast,
  Assign,
  Comma,
};

/// A node of an expression: lexemes [first, last). `mark` is its operator; of a member its name. Parts are indices of
/// Syntax::expressions, of a call the function first.
struct Expression {
  Part part = Part::Other;
  std::uint32_t first = 0, last = 0, mark = 0;
  std::vector<std::uint32_t> parts{};
  ValueType type{};
  std::uint32_t statement = 0;  // index of Syntax::statements
  bool stored = false;          // the array or pointer whose element is assigned to
  bool written = false;         // assigned to, incremented, or its address is taken: no value can be put in its place
};

struct Variable {
  std::string name;
  ValueType type;
};

struct Statement {
  enum class Kind : std::uint8_t { Plain, Declaration, Condition, Loop, Return, Macro };
  Kind kind = Kind::Plain;
  std::uint32_t first = 0, last = 0;      // lexemes; of conditions and loops their heads alone
  std::uint32_t body = 0, body_last = 0;  // of conditions and loops
  std::vector<std::uint32_t> expressions{};
  std::uint32_t function = 0;            // index of Syntax::functions
  std::uint32_t block = 0;               // number of the block that it is in; its neighbours have the same
  std::vector<std::uint32_t> loops{};    // statements of the loops around it, outermost first
  std::vector<std::uint32_t> visible{};  // indices of Syntax::variables
};

/// The condition of a loop, [first, last) lexemes; empty where there is none.
struct LoopCondition {
  std::uint32_t first = 0, last = 0;
};

struct Function {
  std::string name;
  bool kernel = false;
  std::uint32_t name_at = 0, open = 0, close = 0, body = 0, end = 0;  // lexemes: name, "(", ")", "{", "}"
  ValueType result;
  std::vector<ValueType> parameters;
};

struct Syntax {
  std::string text;
  std::vector<Lexeme> lexemes;
  std::vector<Expression> expressions;
  std::vector<Statement> statements;
  std::vector<Function> functions;
  std::vector<Variable> variables;
  std::vector<LoopCondition> conditions;

  Syntax() = default;
  Syntax(const Syntax&) = delete;  // lexemes point into the text
  Syntax& operator=(const Syntax&) = delete;

  std::string_view spelling(const Expression& one) const {
    return std::string_view(text).substr(begin_of(one), end_of(one) - begin_of(one));
  }
  std::size_t begin_of(const Expression& one) const { return lexemes[one.first].begin; }
  std::size_t end_of(const Expression& one) const { return lexemes[one.last - 1].end(); }
  int line_of(const Expression& one) const { return lexemes[one.first].line; }
};

/// Whether lexeme k is the name of a macro with parameters, where it is defined: "#define NAME(".
inline bool defines_with_parameters(const std::vector<Lexeme>& words, std::size_t k) {
  return k > 0 && k + 1 < words.size() && words[k].directive && words[k - 1].is("define") && words[k + 1].is("(") &&
         words[k + 1].begin == words[k].end();
}

/// Linear in the text but for deep nesting, which is bounded: what is nested deeper is left alone.
void read_syntax(std::string text, Syntax& into);

}  // namespace twiddle
