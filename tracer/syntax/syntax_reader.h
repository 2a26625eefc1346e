// How sources are read, in three steps that build on one another: words and types, expressions, statements (syntax.cpp).
#pragma once

#include "tracer/syntax/syntax.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

inline constexpr int max_syntax_depth = 60;

const std::set<std::string_view>& type_qualifiers();
const std::set<std::string_view>& statement_words();
/// "float2" is a vector of 2 floats; 0 where it is none.
int components_of(std::string_view name);
bool is_type_name(std::string_view name);

/// Lexemes by number, and the types that they name.
class TypeReader {
 protected:
  explicit TypeReader(Syntax& syntax) : s_(syntax) {}

  struct Failed {};
  const Lexeme& at(std::size_t k) const {
    static const Lexeme none;
    return k < s_.lexemes.size() ? s_.lexemes[k] : none;
  }
  bool is(std::size_t k, std::string_view word) const { return k < limit_ && at(k).is(word); }
  bool name(std::size_t k) const { return k < limit_ && at(k).kind == Lexeme::Kind::Name; }
  std::size_t match(std::size_t open, std::size_t limit) const;
  void find_types();
  void of_several_words(std::size_t k, std::size_t name);
  bool type_word(std::size_t k) const;
  std::string type_named(std::string_view word) const;
  // A type from lexeme k on; after it `k` is what follows. Failed where there is none.
  ValueType read_type(std::size_t& k) const;
  // The ">" of template arguments that begin at "<"; 0: it is an operator.
  std::size_t template_end(std::size_t open) const;

  Syntax& s_;
  std::set<std::string_view> types_;
  std::map<std::string_view, std::string_view> alias_;
  std::size_t limit_ = 0;  // the lexeme that reading ends before
};

/// Expressions, and the types of their values. What is not understood is Failed.
class ExpressionReader : protected TypeReader {
 protected:
  using TypeReader::TypeReader;

  std::uint32_t declare(const std::string& word, const ValueType& type);
  const Variable* find(std::string_view word) const;
  std::uint32_t make(Part part, std::size_t first, std::size_t last, std::size_t mark, std::vector<std::uint32_t> parts,
                     ValueType type);
  const ValueType& type_of(std::uint32_t e) const { return s_.expressions[e].type; }
  std::uint32_t comma(std::size_t& k, int depth);
  std::uint32_t assignment(std::size_t& k, int depth);
  void write(std::uint32_t e);
  std::uint32_t choice(std::size_t& k, int depth);
  static int rank(std::string_view mark);
  ValueType joined(std::string_view mark, const ValueType& a, const ValueType& b) const;
  std::uint32_t binary(std::size_t& k, int lowest, int depth);
  std::uint32_t prefix(std::size_t& k, int depth);
  ValueType result_of(std::string_view word, const std::vector<std::uint32_t>& arguments) const;
  std::uint32_t postfix(std::size_t& k, int depth);
  ValueType member_type(std::uint32_t owner, std::string_view member) const;
  std::uint32_t braces(std::size_t& k);
  std::uint32_t primary(std::size_t& k, int depth);

  std::vector<std::uint32_t> scope_;  // variables that can be named here
  std::uint32_t statement_ = 0;       // that the expressions are of
};

}  // namespace twiddle
