// What speaks for a change, or against it, besides what it is: what it makes of the names and indices around it.
#pragma once

#include "tracer/repair/edits/edits.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

class Plausibility {
 public:
  /// Of a syntax that outlives it.
  explicit Plausibility(const Syntax& syntax);
  /// What the change costs more; below 0 where it is the likelier.
  double cost(const SourceEdit& edit) const;

 private:
  using Words = std::map<std::string, int, std::less<>>;  // names, and how often
  // A function, from its parameters on, or a macro's text.
  struct Scope {
    std::size_t first = 0, last = 0;  // lexemes
    bool macro = false;
    Words uses, declared;  // `declared`: how often of these the name only says that there is such a thing
  };

  void read_functions();
  void read_macros();
  void read_file();
  void read_subscripts();
  void read_products();
  const Scope* scope_of(const Expression& one) const;
  Words names_in(std::size_t first, std::size_t last) const;
  std::string joined(std::size_t first, std::size_t last) const;
  void read_dimensions();
  // `words`: the change's text.
  double unused(const SourceEdit& edit, const std::vector<Lexeme>& words) const;
  double subscript(const SourceEdit& edit, const std::vector<Lexeme>& words) const;
  double product(const SourceEdit& edit) const;
  double bound(const SourceEdit& edit, const std::vector<Lexeme>& words) const;
  double alike(const SourceEdit& edit, const std::vector<Lexeme>& words) const;
  double dimension(const SourceEdit& edit, const std::vector<Lexeme>& words) const;
  double turned(const SourceEdit& edit) const;
  double compared(const SourceEdit& edit, const std::vector<Lexeme>& words) const;
  double shifted(const SourceEdit& edit, const std::vector<Lexeme>& words) const;
  double used_once(const SourceEdit& edit) const;
  double difference(const SourceEdit& edit) const;
  double condition(const SourceEdit& edit, const std::vector<Lexeme>& words) const;
  double one_of_two_calls(const SourceEdit& edit) const;
  double named_arguments(const SourceEdit& edit, const std::vector<Lexeme>& words) const;
  double of_macro(const SourceEdit& edit) const;
  double asks_of_all(const SourceEdit& edit) const;
  double counted(const SourceEdit& edit, const std::vector<Lexeme>& words) const;
  double looped(const SourceEdit& edit, const std::vector<Lexeme>& words) const;
  double same_twice(const SourceEdit& edit) const;
  double nothing_added(const SourceEdit& edit) const;
  double like_its_fellows(const SourceEdit& edit, const std::vector<Lexeme>& words) const;
  std::uint32_t out_of_brackets(std::uint32_t expression) const;

  const Syntax& s_;
  std::vector<Scope> scopes_;
  Scope file_;                                     // tables and constants outside functions
  std::set<std::string, std::less<>> dimensions_;  // "y", "1": what is asked of an item's or a group's place
  std::vector<std::uint32_t> around_;              // of each expression the one that it is a part of, or itself
  std::map<std::uint32_t, std::vector<std::uint32_t>> indices_;  // by statement: Part::Index
  std::map<std::string, int, std::less<>> subscripts_;           // how often there are such
  std::map<std::uint32_t, bool> products_;                       // sums of two products: whether their signs fit
};

/// What it costs more to change all of a macro that is one number: "#define PI 3.14159f" is seldom what is wrong.
double constant_cost(const Syntax& syntax, const SourceEdit& edit);

}  // namespace twiddle
