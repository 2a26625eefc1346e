// What an element's index may have been meant to be: the other way round, from the end, or the number that a loop counts.
#include "tracer/repair/edits/edit_maker.h"
#include "tracer/repair/edits/edits_more.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace twiddle {
namespace {

constexpr std::size_t max_lengths = 6, max_factors = 4, max_summed = 5;

class Indices : EditMaker {
 public:
  Indices(const Syntax& syntax, const SourceNames& names) : EditMaker(syntax), names_(names) {
    for (const Expression& one : s_.expressions) {
      if (one.part != Part::Binary || statement_of(one).kind != Statement::Kind::Loop) continue;
      const std::string_view op = mark(one);
      const Expression& left = s_.expressions[one.parts[0]];
      if ((op == "<" || op == "<=" || op == "!=" || op == ">" || op == ">=") && left.part == Part::Name)
        counted_.try_emplace(one.statement, text(left), op == "<" || op == "!=" ? operand(one.parts[1]) : "");
    }
  }

  std::vector<SourceEdit> run() {
    for (const Expression& one : s_.expressions) {
      if (one.part != Part::Index || statement_of(one).kind == Statement::Kind::Macro) continue;
      target_ = one.parts[1];
      const Expression& index = s_.expressions[target_];
      if (index.written || names_.fixed(index) || !(index.type.whole() || !index.type.known())) continue;
      of_loops(one, index);
      from_the_end(one, index);
      beside_neighbour(one);
      places(one, index);
      last_of_row(index);
      back_in_row(index);
      one_before(one, index);
    }
    products();
    times_as_elsewhere();
    for (target_ = 0; target_ < s_.expressions.size(); ++target_) {
      const Expression& one = s_.expressions[target_];
      if (one.part != Part::Binary || one.written || statement_of(one).kind == Statement::Kind::Macro ||
          names_.fixed(one) || !(one.type.whole() || !one.type.known()))
        continue;
      counted_down(one);
      mirrored(one);
      with_turn(one);
      as_often_as(one);
      dimensions_exchanged(one);
    }
    return std::move(edits_);
  }

 private:
  void of_loops(const Expression& element, const Expression& index) {
    for (const std::uint32_t loop : statement_of(element).loops) {
      const auto known = counted_.find(loop);
      if (known == counted_.end()) continue;
      const auto& [name, bound] = known->second;
      if (text(index) == name) {
        if (!bound.empty()) add(EditKind::Order, 1.5, fmt::format("{} - 1 - {}", bound, name));
      } else {
        // A loop whose body does not know its turn most likely should.
        add(EditKind::Name, is_used_in_body(loop, name) ? 1.8 : 0.9, name);
      }
    }
  }

  // "2 * t + phase" for "2 * t" in a loop whose body does not know its turn.
  void with_turn(const Expression& one) {
    if (mark(one) != "*") return;
    for (const std::uint32_t loop : statement_of(one).loops)
      if (const auto known = counted_.find(loop);
          known != counted_.end() && !is_used_in_body(loop, known->second.first))
        add(EditKind::More, 1.2, fmt::format("{} + {}", text(target_), known->second.first));
  }

  bool is_used_in_body(std::uint32_t loop, const std::string& name) const {
    const Statement& one = s_.statements[loop];
    return std::any_of(s_.lexemes.begin() + one.body, s_.lexemes.begin() + one.body_last,
                       [&](const Lexeme& word) { return word.is(name); });
  }

  // row[N - 1 - k] for row[k] and for row[N / 2 + k].
  void from_the_end(const Expression& element, const Expression& index) {
    std::string counted;
    if (index.part == Part::Name)
      counted = text(index);
    else if (index.part == Part::Binary && mark(index) == "+")
      counted = operand(index.parts[1]);
    else
      return;
    std::size_t count = 0;
    const auto with = [&](const std::string& length) {
      if (length != counted && count++ < max_lengths)
        add(EditKind::Order, 1.9, fmt::format("{} - 1 - {}", length, counted));
    };
    for (const std::vector<std::string>* lengths : {&names_.defines(), &names_.template_numbers()})
      for (const std::string& length : *lengths) with(length);
    for (const std::string& name : visible_names(statement_of(element), &ValueType::whole)) with(name);
  }

  // "row[flip * w + w - 1]" for "row[flip * w + me]": the last of a row for the own one.
  void last_of_row(const Expression& index) {
    if (index.part != Part::Binary || mark(index) != "+") return;
    const Expression &row = s_.expressions[index.parts[0]], &place = s_.expressions[index.parts[1]];
    if (row.part != Part::Binary || mark(row) != "*" || place.part != Part::Name) return;
    const std::string length = operand(row.parts[1]);
    if (length != text(place)) add(EditKind::Name, 1.7, fmt::format("{} + {} - 1", text(index.parts[0]), length));
  }

  // "root[2 * first - 1 - g]" for "root[first + g]": the rows of a table that begin at 1, 2, 4, … the other way round.
  void back_in_row(const Expression& index) {
    if (index.part != Part::Binary || mark(index) != "+") return;
    const Expression &first = s_.expressions[index.parts[0]], &place = s_.expressions[index.parts[1]];
    if (first.part != Part::Number && place.part == Part::Name)
      add(EditKind::Order, 2.0, fmt::format("2 * {} - 1 - {}", side(index.parts[0], "*"), text(place)));
  }

  // "x[2 * i] = …; x[2 * i + 1] = …;": the element behind the one that the statement before it stores.
  void beside_neighbour(const Expression& element) {
    const std::uint32_t number = element.statement;
    if (!element.written || number == 0) return;
    const Statement &own = statement_of(element), &before = s_.statements[number - 1];
    if (before.block != own.block || before.function != own.function || before.expressions.size() != 1) return;
    const Expression& root = s_.expressions[before.expressions[0]];
    if (root.part != Part::Assign) return;
    const Expression& to = s_.expressions[root.parts[0]];
    if (to.part == Part::Index && text(to.parts[0]) == text(element.parts[0]))
      add(EditKind::Name, 1.7, fmt::format("{} + 1", operand(to.parts[1])));
  }

  // "n - 1 - t" for "t - n / 2": the second half the other way round.
  void counted_down(const Expression& one) {
    const Expression &left = s_.expressions[one.parts[0]], &right = s_.expressions[one.parts[1]];
    if (mark(one) != "-" || left.part != Part::Name || !left.type.whole()) return;
    std::set<std::string> seen{text(one.parts[0])};
    for (const std::string& name : visible_names(statement_of(one), &ValueType::whole, seen))
      if (std::any_of(s_.lexemes.begin() + right.first, s_.lexemes.begin() + right.last,
                      [&](const Lexeme& word) { return word.is(name); }))
        add(EditKind::Order, 2.0, fmt::format("{} - 1 - {}", name, text(one.parts[0])));
  }

  // "(n - k) % n" for "n - 1 - k": nought stays where it is.
  void mirrored(const Expression& one) {
    const Expression& last = s_.expressions[one.parts[0]];
    if (mark(one) != "-" || last.part != Part::Binary || mark(last) != "-" || text(last.parts[1]) != "1" ||
        s_.expressions[last.parts[0]].part != Part::Name)
      return;
    add(EditKind::Order, 1.7, fmt::format("({0} - {1}) % {0}", text(last.parts[0]), operand(one.parts[1])));
  }

  // "t > 0 ? counts[t - 1] : 0" for "counts[t]": of what is summed up to each, without its own.
  void one_before(const Expression& element, const Expression& index) {
    if (element.written || index.part != Part::Name || !index.type.whole()) return;
    if (element.type.known() && !element.type.whole() && !element.type.floating()) return;
    const std::uint32_t own = target_;
    target_ = static_cast<std::uint32_t>(&element - s_.expressions.data());
    // What a scan begins with is copied from the same place.
    const Statement& whole = statement_of(element);
    const bool copied = whole.expressions.size() == 1 && text(whole.expressions[0]).ends_with("= " + text(target_)) &&
                        text(whole.expressions[0]).find("[" + text(own) + "] =") != std::string::npos;
    add(EditKind::Condition, copied ? 1.7 : 2.2,
        fmt::format("({0} > 0 ? {1}[{0} - 1] : 0)", text(own), text(element.parts[0])));
    target_ = own;
  }

  // "n / len * j" for "len * j": as many as there are of that length.
  void as_often_as(const Expression& one) {
    if (mark(one) != "*") return;
    std::size_t count = 0;
    for (const std::string& name : visible_names(statement_of(one), &ValueType::whole)) {
      if (count++ == max_factors) break;
      for (const std::size_t side : {0, 1}) {
        const std::uint32_t by = one.parts[side], rest = one.parts[1 - side];
        if (s_.expressions[by].part == Part::Name && text(by) != name && text(rest) != name)
          add(EditKind::Factor, 2.3, fmt::format("{} / {} * {}", name, text(by), operand(rest)));
      }
    }
  }

  // "(z * d.y + y) * d.x + x" for "(y * d.z + z) * d.x + x": two dimensions change places wherever they are named.
  void dimensions_exchanged(const Expression& one) {
    if (mark(one) != "+") return;
    static constexpr std::pair<std::string_view, std::string_view> pairs[] = {{"x", "y"}, {"x", "z"}, {"y", "z"}};
    for (const auto& [a, b] : pairs) {
      std::size_t counts[2] = {};
      for (std::uint32_t k = one.first; k < one.last; ++k)
        if (s_.lexemes[k].is(a) || s_.lexemes[k].is(b)) ++counts[s_.lexemes[k].is(b)];
      constexpr std::size_t fewest = 3;  // two are exchanged as they are anywhere
      if (counts[0] == 0 || counts[1] == 0 || counts[0] + counts[1] < fewest) continue;
      add(EditKind::Order, 1.6, exchanged(one, a, b, true));
    }
  }

  // t[first + i] for t[2 * i + 1]: where a row begins, and the place in it.
  void places(const Expression& element, const Expression& index) {
    if (index.part != Part::Binary || mark(index) == "%" || mark(index) == "&") return;
    std::vector<std::string> names = visible_names(statement_of(element), &ValueType::whole);
    if (names.size() > max_summed) names.erase(names.begin(), names.end() - max_summed);  // the innermost
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t j = i + 1; j < names.size(); ++j)
        if (const std::string sum = names[i] + " + " + names[j]; sum != text(index)) add(EditKind::Name, 2.2, sum);
  }

  // "4 * n4 + i" for "n4 + i" in a function that has "4 * i": as many of something as it counts elsewhere.
  void times_as_elsewhere() {
    std::map<std::uint32_t, std::set<std::string>>
        of;  // by function: numbers that something is multiplied or divided by
    for (const Expression& one : s_.expressions) {
      if (one.part != Part::Binary || !one.type.whole() || statement_of(one).kind == Statement::Kind::Macro) continue;
      const std::string_view op = mark(one);
      for (const std::uint32_t side : one.parts)
        if ((op == "*" || op == "/") && s_.expressions[side].part == Part::Number && text(side) != "1" &&
            text(side) != "2")
          of[statement_of(one).function].insert(text(side));
    }
    for (std::uint32_t e = 0; e < s_.expressions.size(); ++e) {
      const Expression& one = s_.expressions[e];
      if (one.part != Part::Binary || mark(one) != "+" || !one.type.whole() || one.written ||
          statement_of(one).kind == Statement::Kind::Macro || names_.fixed(one))
        continue;
      const auto numbers = of.find(statement_of(one).function);
      if (numbers == of.end() || numbers->second.size() > max_factors) continue;
      for (const std::uint32_t side : one.parts) {
        target_ = side;
        if (s_.expressions[side].part == Part::Name)
          for (const std::string& number : numbers->second)
            add(EditKind::Factor, 2.0, fmt::format("{} * {}", number, text(side)));
      }
    }
  }

  // b * pitch for b * n * stride: what two of several factors are together may have a name of its own.
  void products() {
    std::set<std::uint32_t> inner;
    for (const Expression& one : s_.expressions)
      if (is_product(one)) inner.insert(one.parts[0]);
    for (std::uint32_t e = 0; e < s_.expressions.size(); ++e) {
      const Expression& one = s_.expressions[e];
      if (!is_product(one) || inner.count(e) || statement_of(one).kind == Statement::Kind::Macro || names_.fixed(one))
        continue;
      std::vector<std::string> factors;
      std::uint32_t left = e;
      for (; is_product(s_.expressions[left]); left = s_.expressions[left].parts[0])
        factors.insert(factors.begin(), operand(s_.expressions[left].parts[1]));
      factors.insert(factors.begin(), operand(left));
      if (factors.size() < 3 || factors.size() > max_factors) continue;
      target_ = e;
      std::vector<std::string> names =
          visible_names(statement_of(one), &ValueType::whole, {factors.begin(), factors.end()});
      if (names.size() > max_lengths) names.resize(max_lengths);
      for (std::size_t i = 0; i < factors.size(); ++i)
        for (std::size_t j = i + 1; j < factors.size(); ++j)
          for (const std::string& name : names) {
            std::string rest;
            for (std::size_t k = 0; k < factors.size(); ++k)
              if (k != i && k != j) rest += factors[k] + " * ";
            add(EditKind::Name, 2.0, rest + name);
          }
    }
  }
  bool is_product(const Expression& one) const {
    return one.part == Part::Binary && mark(one) == "*" && (one.type.whole() || !one.type.known());
  }

  const SourceNames& names_;
  std::map<std::uint32_t, std::pair<std::string, std::string>> counted_;  // by loop: what it counts, and up to what
};

}  // namespace

std::vector<SourceEdit> edits_of_indices(const Syntax& syntax, const SourceNames& names) {
  return Indices(syntax, names).run();
}

}  // namespace twiddle
