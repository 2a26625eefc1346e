// What all that make changes of a source share: what is being changed, the changes so far, and the source's own words.
#pragma once

#include "tracer/repair/edits/edits.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twiddle {

class EditMaker {
 protected:
  using Place = SourceEdit::Place;

  /// Of a syntax that outlives it.
  explicit EditMaker(const Syntax& syntax)
      : s_(syntax), opencl_(std::any_of(syntax.lexemes.begin(), syntax.lexemes.end(), [](const Lexeme& one) {
          return one.is("__kernel") || one.is("kernel");
        })) {}

  void add(EditKind kind, double cost, std::string text, Place place = Place::Expression, std::uint32_t other = 0) {
    edits_.push_back({place, kind, target_, other, std::move(text), cost, {}});
  }

  /// The same of SourceEdit::wider.
  void add_wider(EditKind kind, double cost, std::string text) {
    add(kind, cost, std::move(text));
    edits_.back().wider = true;
  }

  std::string text(const Expression& one) const { return std::string(s_.spelling(one)); }
  std::string text(std::uint32_t e) const { return text(s_.expressions[e]); }
  /// In brackets where an operator beside it might bind stronger.
  std::string operand(std::uint32_t e) const;
  /// As a side of an operator: a product of a sum needs no brackets.
  std::string side(std::uint32_t e, std::string_view op) const;
  /// What the declaration that it is in calls it ("x" of the value in "int x = 2 * n;"); empty where it does not.
  std::string_view declared_by(const Expression& value) const;
  /// How often a function has a name, its parameters and declarations among them.
  std::ptrdiff_t times_named(std::string_view name, const Function& in) const;
  /// With another word wherever it has `was`.
  std::string renamed(const Expression& one, std::string_view was, std::string_view is) const;
  /// With each of two names in the place of the other; behind a dot, too, where `fields` says so.
  std::string exchanged(const Expression& one, std::string_view a, std::string_view b, bool fields) const;
  std::string_view mark(const Expression& one) const { return s_.lexemes[one.mark].text; }

  /// Of an expression that is called: the function itself.
  bool called(const Expression& one) const { return one.last < s_.lexemes.size() && s_.lexemes[one.last].is("("); }
  /// Whether a place may call a function of the file: one that ends before it, for OpenCL knows no recursion, and in which items
  /// do not meet.
  bool may_call(const Function& function, std::size_t place) const {
    return !function.kernel && function.end < place && !is_meeting(s_, function.name);
  }
  /// Whether lexemes first … last − 1 call a function that makes work-items meet.
  bool meets_within(std::size_t first, std::size_t last) const;
  const Statement& statement_of(const Expression& one) const { return s_.statements[one.statement]; }

  /// The names of the variables that a statement sees and whose type `fits`, each once and without those that were seen.
  template <typename Fits>
  std::vector<std::string> visible_names(const Statement& from, const Fits& fits,
                                         std::set<std::string> seen = {}) const {
    std::vector<std::string> names;
    for (const std::uint32_t v : from.visible)
      if (std::invoke(fits, s_.variables[v].type) && seen.insert(s_.variables[v].name).second)
        names.push_back(s_.variables[v].name);
    return names;
  }

  const Syntax& s_;
  const bool opencl_;         // else CUDA
  std::uint32_t target_ = 0;  // what `add` is of
  std::vector<SourceEdit> edits_;
};

}  // namespace twiddle
