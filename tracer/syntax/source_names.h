// Names of a source as a whole, beyond what one statement sees: constants, macros, tables outside functions.
#pragma once

#include "tracer/syntax/syntax.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

class SourceNames {
 public:
  /// Of a syntax that outlives it.
  explicit SourceNames(const Syntax& syntax);

  /// Whether it is (part of) the value of a constant that the compiler has to know: an array's size, a case, a template's
  /// argument, an unrolled loop's bound.
  bool fixed(const Expression& one) const;

  /// Whole constants of the file, at most eight: "#define N 8", "const int N = 8;" outside functions,
  /// the names of an enum, and what a build has to say ("-DROWS=8"), as far as it looks so.
  const std::vector<std::string>& defines() const { return defines_; }
  bool defined(const std::string& word) const;
  /// One of `defines` or `real_defines`.
  bool constant(const std::string& word) const;
  /// "#define ISQRT2 0.7071f", at most eight.
  const std::vector<std::string>& real_defines() const { return real_defines_; }
  /// Whole numbers below a million that the file names; empty where they are many.
  const std::set<std::uint64_t>& numbers() const { return numbers_; }

  /// Other arrays outside functions, of the same element type.
  std::vector<std::string> tables_like(const std::string& word) const;
  /// Other macros that take as many arguments; empty where `function` is none, or where they are many.
  std::vector<std::string> macros_like(const std::string& function, std::size_t arguments) const;
  /// Macros that take one argument; empty where they are many.
  std::vector<std::string> macros_of_one() const;
  /// Numbers that a template is made for: "template <int N, bool Inverse>" has N.
  const std::vector<std::string>& template_numbers() const { return template_numbers_; }
  /// Real numbers as the file writes them, at most twelve.
  const std::vector<std::string>& reals() const { return reals_; }
  /// What the macro around this expression names besides functions, fields and types; empty where they are many.
  std::vector<std::string> macro_names(const Expression& one) const;

 private:
  bool outside_functions(std::size_t lexeme) const;
  bool is_declared(std::size_t name) const;
  bool in_template(std::size_t lexeme) const;
  bool begins_declaration(std::size_t word) const;
  void find_constants();
  bool computed(std::size_t from) const;
  void find_defines();
  void find_constants_of_build();

  const Syntax& s_;
  std::set<std::string_view> constants_;
  std::vector<std::string> defines_, real_defines_, template_numbers_, reals_;
  std::set<std::uint64_t> numbers_;
};

/// What the structures that a file declares have: "width" and "pitch" of "struct image { int width, pitch; };".
class StructFields {
 public:
  explicit StructFields(const Syntax& syntax);

  void add_to(std::set<std::string>& names) const {
    for (const auto& [name, type] : types_) names.insert(name);
  }
  /// An array is no number, and not one of other elements. True of what no structure declares.
  bool may_stand_for(const std::string& a, std::string_view b) const;

 private:
  std::map<std::string, std::string, std::less<>> types_;  // by name; with a "[" behind that of an array
};

}  // namespace twiddle
