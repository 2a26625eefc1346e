// What the file has elsewhere, put where it may be missing: most of what a mistake lacks is in the same file already.
#include "tracer/repair/edits/edit_maker.h"
#include "tracer/repair/edits/edit_words.h"
#include "tracer/repair/edits/edits_more.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace twiddle {
namespace {

constexpr std::size_t max_fragments = 24, max_conditions = 6, max_comparisons = 6, max_moduli = 5, max_words = 9,
                      max_bits = 6, max_members = 6, max_whole_terms = 6, max_rounds = 24, max_call_words = 20,
                      max_calls = 6, max_lanes = 8, max_cases = 4;

class Borrowed : EditMaker {
 public:
  Borrowed(const Syntax& syntax, const SourceNames& names) : EditMaker(syntax), names_(names) {
    for (const Variable& one : s_.variables) variables_.insert(one.name);
  }

  std::vector<SourceEdit> run() {
    collect();
    for (target_ = 0; target_ < s_.expressions.size(); ++target_) {
      const Expression& one = s_.expressions[target_];
      if (one.written || names_.fixed(one) || statement_of(one).kind == Statement::Kind::Macro) continue;
      if (one.part == Part::Name && called(one)) continue;
      fragments(one);
      moduli(one);
      terms(one);
      through(one);
      choices(one);
      and_another(one);
      if (one.part == Part::Binary && mark(one) == "&&") not_below(one);
      as_called(one);
      if (one.part == Part::Index) index_as_elsewhere(one);
    }
    for (std::uint32_t k = 0; k < s_.statements.size(); ++k) {
      guards(k);
      wholes(k);
    }
    return std::move(edits_);
  }

 private:
  std::uint32_t function_of(const Expression& one) const { return statement_of(one).function; }
  void add_other(EditKind kind, double cost, std::string words) {
    if (words != text(target_)) add(kind, cost, std::move(words));
  }

  // Whether it only reads.
  bool pure(const Expression& one) const {
    for (std::size_t k = one.first; k < one.last; ++k) {
      const Lexeme& word = s_.lexemes[k];
      if (word.is("++") || word.is("--") ||
          (!word.text.empty() && word.text.back() == '=' && !word.is("==") && !word.is("<=") && !word.is(">=") &&
           !word.is("!=")))
        return false;
      if (word.text.starts_with("atomic") && k + 1 < one.last && s_.lexemes[k + 1].is("(")) return false;
    }
    return !meets_within(one.first, one.last);
  }
  // Whether each of its variables is seen from the statement.
  bool visible(const Expression& one, const Statement& from) const {
    for (std::size_t k = one.first; k < one.last; ++k) {
      const Lexeme& word = s_.lexemes[k];
      if (word.kind != Lexeme::Kind::Name || !variables_.count(std::string(word.text))) continue;
      if (is_field(s_.lexemes, k)) continue;
      if (std::none_of(from.visible.begin(), from.visible.end(),
                       [&](std::uint32_t v) { return s_.variables[v].name == word.text; }))
        return false;
    }
    return true;
  }

  void collect() {
    std::set<std::pair<std::uint32_t, std::string>> seen;
    const auto fresh = [&](const Expression& one) { return seen.insert({function_of(one), text(one)}).second; };
    for (std::uint32_t e = 0; e < s_.expressions.size(); ++e) {
      const Expression& one = s_.expressions[e];
      if (statement_of(one).kind == Statement::Kind::Macro) continue;
      const bool shape =
          one.part == Part::Binary || one.part == Part::Member || one.part == Part::Call || one.part == Part::Index;
      const bool compares = one.part == Part::Binary && is_comparison(mark(one));
      if (one.part == Part::Binary && (mark(one) == "%" || mark(one) == "&"))
        if (const Expression& by = s_.expressions[one.parts[1]]; mark(one) == "%" && by.last - by.first == 1)
          moduli_.insert(text(by));
      if (compares && one.last - one.first <= max_words && pure(one) &&
          comparisons_[function_of(one)].size() < max_comparisons && fresh(one))
        comparisons_[function_of(one)].push_back(e);
      // Fields of structs, of which no type is known.
      if (one.part == Part::Member && !one.type.known() && !one.written && !called(one) && pure(one) &&
          one.last - one.first <= max_words && !is_place(text(one.parts[0])) &&
          members_[function_of(one)].size() < max_members && fresh(one))
        members_[function_of(one)].push_back(e);
      if (!shape || one.written || one.last - one.first > max_words || one.last - one.first < 2 || !pure(one)) continue;
      std::vector<std::uint32_t>& all = fragments_[function_of(one)];
      if (!compares && one.type.known() && one.type.depth == 0 && all.size() < max_fragments && fresh(one))
        all.push_back(e);
    }
    for (const Statement& one : s_.statements)
      for (const std::uint32_t e : one.expressions)
        if (one.kind == Statement::Kind::Condition && pure(s_.expressions[e]) &&
            conditions_[one.function].size() < max_conditions)
          conditions_[one.function].push_back(e);
  }
  static bool is_comparison(std::string_view mark) {
    return mark == "<" || mark == ">" || mark == "<=" || mark == ">=" || mark == "==" || mark == "!=" || mark == "&&" ||
           mark == "||";
  }

  void fragments(const Expression& one) {
    const bool small = one.part == Part::Name || one.part == Part::Number || one.part == Part::Member ||
                       one.part == Part::Binary || one.part == Part::Call || one.part == Part::Index;
    if (!small || one.last - one.first > max_words || !one.type.known() || one.type.depth > 0) return;
    if (one.part == Part::Binary && is_comparison(mark(one))) return;
    if (one.type.whole() && (one.part == Part::Name || one.part == Part::Number))
      for (const std::uint32_t f : known_in(members_, function_of(one)))
        if (visible(s_.expressions[f], statement_of(one))) add_other(EditKind::Name, 1.8, text(f));
    for (const std::uint32_t f : known_in(fragments_, function_of(one))) {
      const Expression& other = s_.expressions[f];
      const bool alike = other.type == one.type || (other.type.whole() && one.type.whole());
      if (!alike || (other.first < one.last && one.first < other.last)) continue;
      if (!visible(other, statement_of(one))) continue;
      const bool kin = other.part == one.part;
      add_other(EditKind::Name, (kin ? 1.6 : 1.75) + 0.03 * (other.last - other.first), operand(f));
    }
  }

  void moduli(const Expression& one) {
    // Of a macro's number no type is known, but a remainder is of whole numbers alone.
    const bool remainder = one.part == Part::Binary && mark(one) == "%";
    if (!one.type.whole() && !remainder) return;
    if (remainder) {
      const Expression& sum = inside(one.parts[0]);
      const std::string by = operand(one.parts[1]);
      if (sum.part == Part::Binary && (mark(sum) == "-" || mark(sum) == "+"))
        add_other(EditKind::More, 1.6,
                  fmt::format("({} + {} - {}) % {}", text(sum.parts[0]), by, operand(sum.parts[1]), by));
    }
    if (one.part != Part::Binary || mark(one) == "%" || mark(one) == "&" || is_comparison(mark(one))) return;
    std::size_t count = 0;
    for (const std::string& by : moduli_)
      if (count++ < max_moduli) add_other(EditKind::More, 1.9, fmt::format("({}) % {}", text(one), by));
    if (is_index())
      for (const std::uint64_t by : names_.numbers())
        if (by > 2 && !moduli_.count(std::to_string(by)))
          add_other(EditKind::More, 2.2, fmt::format("({}) % {}", text(one), by));
    const Expression& first = s_.expressions[one.parts[0]];
    if (mark(one) == "-" && first.part == Part::Name && !moduli_.count(text(first)))
      add_other(EditKind::More, 2, fmt::format("({}) % {}", text(one), text(first)));
  }
  // Whether the expression is within brackets of its own: "t[i * j]".
  bool is_index() const {
    const Expression& one = s_.expressions[target_];
    return one.first > 0 && s_.lexemes[one.first - 1].is("[") && s_.lexemes[one.last].is("]");
  }
  const Expression& inside(std::uint32_t e) const {
    while (s_.expressions[e].part == Part::Paren) e = s_.expressions[e].parts[0];
    return s_.expressions[e];
  }

  // A term that a sum lacks: what is assigned, and something more of its kind.
  void terms(const Expression& one) {
    if (one.part != Part::Assign || !s_.expressions[one.parts[1]].type.known()) return;
    const std::uint32_t own = target_;
    target_ = one.parts[1];
    const Expression& value = s_.expressions[target_];
    if (value.type.depth == 0 && !names_.fixed(value)) {
      std::set<std::string> seen{text(value)};
      const auto alike = [&](const ValueType& type) { return type == value.type; };
      const auto table = [&](const ValueType& type) { return type.depth == 1 && type.element() == value.type; };
      const auto with = [&](double cost, const std::string& other) {
        if (seen.insert(other).second) add_other(EditKind::More, cost, fmt::format("{} + {}", other, operand(target_)));
      };
      if (!value.type.whole())
        for (const std::string& name : visible_names(statement_of(one), alike)) with(2.1, name);
      if (value.part == Part::Index) with(2.1, fmt::format("{}[{} + 1]", text(value.parts[0]), text(value.parts[1])));
      std::size_t count = 0;
      if (!value.type.whole())
        for (const std::uint32_t f : known_in(fragments_, function_of(one)))
          if (const Expression& other = s_.expressions[f];
              other.type == value.type && other.part == Part::Index && visible(other, statement_of(one)) && count++ < 6)
            with(2.2, text(other));
      if (!value.type.whole())
        for (const std::string& name : visible_names(statement_of(one), table)) with(2.3, name + "[0]");
      // The innermost of whole numbers, too.
      if (value.type.whole() && value.part != Part::Number) {
        const std::vector<std::string> names = visible_names(statement_of(one), alike);
        for (std::size_t k = names.size(); k-- > 0 && names.size() - k <= max_whole_terms;) with(2.4, names[k]);
      }
    }
    target_ = own;
  }

  // An index that goes through a table or a macro.
  void through(const Expression& one) {
    if (!one.type.whole() || one.type.depth > 0 || (one.part != Part::Name && one.part != Part::Binary)) return;
    if (one.part == Part::Binary && is_comparison(mark(one))) return;
    const auto table = [](const ValueType& type) { return type.depth == 1 && type.element().whole(); };
    if (one.part == Part::Name)
      for (const std::string& name : visible_names(statement_of(one), table))
        add_other(EditKind::More, 2.1, fmt::format("{}[{}]", name, text(one)));
    if (one.part == Part::Name && statement_of(one).kind != Statement::Kind::Loop) through_functions(one);
    // "t[i]" for "i % n" within brackets.
    if (one.part == Part::Binary && is_index())
      for (const std::string& name : visible_names(statement_of(one), table))
        add_other(EditKind::More, mark(one) == "%" ? 1.95 : 2.1, fmt::format("{}[{}]", name, text(one.parts[0])));
    for (const std::string& macro : names_.macros_of_one())
      add_other(EditKind::More, 2, fmt::format("{}({})", macro, text(one)));
  }

  // … or through a function of two: "reversed(i, bits)" for "i".
  void through_functions(const Expression& one) {
    for (const Function& f : s_.functions) {
      if (!may_call(f, one.first) || f.parameters.size() != 2 || !f.result.whole() || f.result.depth > 0 ||
          !f.parameters[0].whole() || !f.parameters[1].whole())
        continue;
      std::size_t count = 0;
      // As it is called elsewhere, first.
      std::vector<std::string> all;
      for (const Expression& other : s_.expressions)
        if (other.part == Part::Call && other.parts.size() == 3 && text(other.parts[0]) == f.name &&
            other.first > f.end && function_of(other) == function_of(one))
          all.push_back(text(other.parts[2]));
      const std::size_t called = all.size();
      for (std::string& by : visible_names(statement_of(one), &ValueType::whole, {text(one)}))
        if (all.size() < called + max_bits) all.push_back(std::move(by));
      for (const std::vector<std::string>* more : {&names_.defines(), &names_.template_numbers()})
        if (called > 0) all.insert(all.end(), more->begin(), more->end());
      for (const std::string& by : all)
        if (count++ < 2 * max_bits) add_other(EditKind::More, 2.1, fmt::format("{}({}, {})", f.name, text(one), by));
    }
  }

  // "root(4 * k + 1, 4 * n)" for "root(k, n)" where another loop has "root(4 * j + 1, 4 * n)".
  void as_called(const Expression& one) {
    if (one.part != Part::Call || one.parts.size() < 2) return;
    const std::set<std::string> own = variables_in(one);
    std::size_t count = 0;
    for (const Expression& other : s_.expressions) {
      if (other.part != Part::Call || other.parts.size() != one.parts.size() ||
          function_of(other) != function_of(one) || text(other.parts[0]) != text(one.parts[0]) ||
          other.last - other.first > max_call_words || !pure(other))
        continue;
      const std::set<std::string> its = variables_in(other);
      std::vector<std::string> was, is;
      std::set_difference(its.begin(), its.end(), own.begin(), own.end(), std::back_inserter(was));
      std::set_difference(own.begin(), own.end(), its.begin(), its.end(), std::back_inserter(is));
      if (was.size() == 1 && is.size() == 1 && count++ < max_calls)
        add_other(EditKind::More, 2, renamed(other, was[0], is[0]));
    }
  }
  // "zeta[m + i]" for "zeta[i]" where another loop has "izeta[h + i]": one variable more, that is called otherwise here.
  void index_as_elsewhere(const Expression& one) {
    const std::uint32_t whole = target_;
    target_ = one.parts[1];
    const Expression& index = s_.expressions[target_];
    const std::set<std::string> own = variables_in(index);
    std::size_t count = 0;
    for (const Expression& other : s_.expressions) {
      if (other.part != Part::Index || own.empty() || index.written) continue;
      const Expression& its = s_.expressions[other.parts[1]];
      const std::set<std::string> all = variables_in(its);
      if (its.last - its.first > max_words || all.size() != own.size() + 1 || !pure(its) ||
          !std::includes(all.begin(), all.end(), own.begin(), own.end()))
        continue;
      std::vector<std::string> more;
      std::set_difference(all.begin(), all.end(), own.begin(), own.end(), std::back_inserter(more));
      std::vector<std::string> names = visible_names(statement_of(one), &ValueType::whole, own);
      for (std::size_t k = names.size(); k-- > 0 && names.size() - k <= max_whole_terms;)
        if (count++ < max_rounds) add_other(EditKind::More, 1.9, renamed(its, more[0], names[k]));
    }
    target_ = whole;
  }
  std::set<std::string> variables_in(const Expression& one) const {
    std::set<std::string> all;
    for (std::size_t k = one.first; k < one.last; ++k)
      if (const std::string word(s_.lexemes[k].text); variables_.count(word)) all.insert(word);
    return all;
  }

  // An element that is read only where a condition of the function holds.
  void choices(const Expression& one) {
    if (one.part != Part::Index || one.type.depth > 0 || !(one.type.whole() || one.type.floating())) return;
    for (const std::uint32_t c : known_in(conditions_, function_of(one)))
      if (s_.expressions[c].first != one.first && visible(s_.expressions[c], statement_of(one)))
        add_other(EditKind::Condition, 2.3, fmt::format("({}) ? {} : 0", text(c), text(one)));
  }

  // "n == 3 || (n == 2 && cell)" for "n == 3 || n == 2": one of several cases asks for something more.
  void and_another(const Expression& one) {
    if (one.part != Part::Binary || mark(one) != "==" || !one.type.known()) return;
    std::size_t count = 0;
    for (const std::uint32_t f : known_in(fragments_, function_of(one))) {
      const Expression& other = s_.expressions[f];
      if ((other.part != Part::Index && other.part != Part::Member) || !other.type.whole()) continue;
      if (!visible(other, statement_of(one)) || count++ == max_cases) continue;
      add_other(EditKind::Condition, 2.3, fmt::format("({} && {})", text(target_), text(f)));
      add_other(EditKind::Condition, 2.4, fmt::format("({} && !{})", text(target_), text(f)));
    }
  }

  // What a declaration or a return has as a whole: what goes round at the end ("i < n ? i : m - i" for "i"), and a sum that is
  // to be without one of its terms ("sums[i] - own" for "sums[i]").
  void wholes(std::uint32_t number) {
    const Statement& one = s_.statements[number];
    if ((one.kind != Statement::Kind::Declaration && one.kind != Statement::Kind::Return) ||
        one.expressions.size() != 1)
      return;
    target_ = one.expressions[0];
    const Expression& value = s_.expressions[target_];
    if (value.type.depth > 0 || names_.fixed(value)) return;
    if (value.part == Part::Index && (value.type.whole() || value.type.floating())) {
      const std::vector<std::string> names =
          visible_names(one, [&](const ValueType& type) { return type == value.type; });
      for (std::size_t k = names.size(); k-- > 0 && names.size() - k <= max_whole_terms;)
        add_other(EditKind::More, 1.9, fmt::format("{} - {}", text(value), names[k]));
    }
    if (one.kind == Statement::Kind::Return) return;
    // What windows of c elements, a step of b apart, cover: "(a - 1) * b + c" for "a * b".
    if (value.part == Part::Binary && mark(value) == "*" && !value.type.floating())
      for (const std::string& more : names_.defines())
        if (more != text(value.parts[0]) && more != text(value.parts[1]))
          for (const auto& [a, b] :
               {std::pair(value.parts[0], value.parts[1]), std::pair(value.parts[1], value.parts[0])})
            add_other(EditKind::More, 2.3, fmt::format("({} - 1) * {} + {}", side(a, "-"), operand(b), more));
    // "lane == 0 ? 1 : 0" for "1": what only one starts with.
    const Expression& bare = value.part == Part::Prefix && !value.written ? s_.expressions[value.parts[0]] : value;
    if (bare.part == Part::Number && text(bare) != "0")
      for (const std::uint32_t c : known_in(comparisons_, one.function))
        if (mark(s_.expressions[c]) == "==" && visible(s_.expressions[c], one))
          add_other(EditKind::Condition, 2.2, fmt::format("({}) ? {} : 0", text(c), text(value)));
    if (value.part != Part::Name || !value.type.whole()) return;
    std::size_t count = 0;
    for (const std::uint32_t c : known_in(comparisons_, one.function)) {
      const Expression& condition = s_.expressions[c];
      if (!visible(condition, one)) continue;
      for (const std::string& length : visible_names(one, &ValueType::whole, {text(value)}))
        if (count++ < max_rounds)
          add_other(EditKind::Condition, 2.3, fmt::format("{0} ? {1} : {2} - {1}", operand(c), text(value), length));
    }
  }

  // "x >= 0 && x < w && y >= 0 && y < h" for "x < w && y < h".
  void not_below(const Expression& one) {
    std::string lower;
    const auto of = [&](const auto& self, const Expression& part) -> bool {
      if (part.part == Part::Paren) return self(self, s_.expressions[part.parts[0]]);
      if (part.part != Part::Binary) return false;
      const Expression &x = s_.expressions[part.parts[0]], &y = s_.expressions[part.parts[1]];
      if (mark(part) == "&&") return self(self, x) && self(self, y);
      if (mark(part) != "<" && mark(part) != "<=") return false;
      if (x.type.whole() && !x.type.name.starts_with("u"))
        lower += fmt::format("{} >= 0 && ", side(part.parts[0], "+"));
      return true;
    };
    if (of(of, one) && !lower.empty()) add_other(EditKind::Condition, 1.7, lower + text(target_));
  }

  void guards(std::uint32_t number) {
    const Statement& one = s_.statements[number];
    if (one.kind == Statement::Kind::Condition && one.expressions.size() == 1) {
      target_ = one.expressions[0];
      const Expression& own = s_.expressions[target_];
      if (own.part == Part::Binary && mark(own) == "<") not_below(own);
      for (const std::uint32_t c : known_in(comparisons_, one.function)) {
        const Expression& other = s_.expressions[c];
        if ((other.first < own.last && own.first < other.last) || !visible(other, one)) continue;
        add_other(EditKind::Condition, 2.1, fmt::format("({}) && {}", text(other), operand(target_)));
        add_other(EditKind::Condition, 2.2, fmt::format("({}) || {}", text(other), operand(target_)));
      }
      // What is computed and asked for nowhere may be the item that does it: "&& lane == leader".
      for (const std::uint32_t v : one.visible) {
        const Variable& known = s_.variables[v];
        if (!known.type.whole() || known.type.depth > 0 || times_named(known.name, s_.functions[one.function]) != 1)
          continue;
        std::vector<std::string> items = opencl_
                                             ? std::vector<std::string>{"get_local_id(0)", "get_sub_group_local_id()"}
                                             : std::vector<std::string>{"threadIdx.x", "(threadIdx.x & 31)"};
        for (const std::string& name : visible_names(one, &ValueType::whole, {known.name})) items.push_back(name);
        for (std::size_t k = 0; k < std::min(items.size(), max_lanes); ++k)
          add_other(EditKind::Condition, 2.1, fmt::format("{} && {} == {}", operand(target_), items[k], known.name));
      }
      return;
    }
    if (one.kind != Statement::Kind::Plain || one.expressions.empty()) return;
    const Expression& root = s_.expressions[one.expressions[0]];
    if (root.part != Part::Assign && root.part != Part::Call) return;
    if (meets_within(one.first, one.last)) return;
    target_ = number;
    for (const std::uint32_t c : known_in(conditions_, one.function))
      if (visible(s_.expressions[c], one)) add(EditKind::Condition, 2.2, text(c), Place::Guard);
  }

  using ByFunction = std::map<std::uint32_t, std::vector<std::uint32_t>>;
  static std::vector<std::uint32_t> known_in(const ByFunction& all, std::uint32_t function) {
    const auto known = all.find(function);
    return known == all.end() ? std::vector<std::uint32_t>() : known->second;
  }

  const SourceNames& names_;
  std::set<std::string> variables_, moduli_;
  ByFunction fragments_, members_, conditions_, comparisons_;  // expressions
};

}  // namespace

std::vector<SourceEdit> edits_borrowed(const Syntax& syntax, const SourceNames& names) {
  return Borrowed(syntax, names).run();
}

}  // namespace twiddle
