// Loops the other way round and as far as an array reaches, what is counted from the end, products of two names, and what should
// happen twice.
#include "tracer/repair/edits/edit_maker.h"
#include "tracer/repair/edits/edits_more.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace twiddle {
namespace {

constexpr std::size_t max_ends = 4, max_named_factors = 6, max_flags = 12;

class Loops : EditMaker {
 public:
  Loops(const Syntax& syntax, const SourceNames& names) : EditMaker(syntax), names_(names) {}

  std::vector<SourceEdit> run() {
    for (std::uint32_t k = 0; k < s_.statements.size(); ++k)
      if (s_.statements[k].kind == Statement::Kind::Loop)
        if (const auto head = head_of(s_.statements[k])) {
          heads_[k] = *head;
          other_way(*head);
        }
    for (target_ = 0; target_ < s_.expressions.size(); ++target_) {
      const Expression& one = s_.expressions[target_];
      if (one.written || statement_of(one).kind == Statement::Kind::Macro) continue;
      if (one.part == Part::Name && !called(one) && !is_field(s_.lexemes, one.first)) from_the_end(one);
      if (one.part == Part::Index) {
        read_from_the_end(s_.expressions[one.parts[1]]);
        goes_back(one);
        spread_by_stage(s_.expressions[one.parts[1]]);
      }
      if (one.part == Part::Call)
        for (std::size_t k = 1; k < one.parts.size(); ++k) products(s_.expressions[one.parts[k]]);
      if (one.part == Part::Binary && mark(one) == "<") bound_by_array(one);
    }
    for (target_ = 0; target_ < s_.statements.size(); ++target_) twice(target_);
    for (std::uint32_t k = 0; k < s_.statements.size(); ++k) {
      if (s_.statements[k].kind == Statement::Kind::Loop) squared(k);
      never_turned(s_.statements[k]);
    }
    return std::move(edits_);
  }

 private:
  // "for (v = first; v < last; step)".
  struct Head {
    std::string name, first, last, compared, step;
    std::uint32_t first_at = 0, condition_at = 0, step_at = 0;
  };
  std::optional<Head> head_of(const Statement& loop) const {
    if (loop.expressions.size() != 3) return std::nullopt;
    Head head{{}, {}, {}, {}, {}, loop.expressions[0], loop.expressions[1], loop.expressions[2]};
    const Expression& begin = s_.expressions[head.first_at];
    if (begin.part == Part::Assign && mark(begin) == "=") {
      head.name = text(begin.parts[0]);
      head.first_at = begin.parts[1];
    } else if (begin.first > loop.first + 1 && s_.lexemes[begin.first - 1].is("=")) {
      head.name = std::string(s_.lexemes[begin.first - 2].text);
    }
    const Expression &condition = s_.expressions[head.condition_at], &step = s_.expressions[head.step_at];
    if (head.name.empty() || condition.part != Part::Binary || text(condition.parts[0]) != head.name)
      return std::nullopt;
    head.first = text(head.first_at);
    head.compared = std::string(mark(condition));
    head.last = operand(condition.parts[1]);
    if (step.part == Part::Assign && text(step.parts[0]) == head.name)
      head.step = std::string(mark(step)) + text(step.parts[1]);
    else if ((step.part == Part::Postfix || step.part == Part::Prefix) && text(step.parts[0]) == head.name)
      head.step = std::string(mark(step));
    return head.step.empty() ? std::nullopt : std::optional(head);
  }

  // Spans that rise for spans that fall, and the other way round.
  void other_way(const Head& head) {
    constexpr double cost = 1.5;
    const auto put = [&](const std::string& first, const std::string& condition, const std::string& step) {
      SourceEdit edit{Place::Expression, EditKind::Order, head.first_at, 0, first, cost, {}};
      edit.also.push_back({head.condition_at, condition});
      edit.also.push_back({head.step_at, step});
      edits_.push_back(std::move(edit));
    };
    const std::string& v = head.name;
    const bool below = head.compared == "<", up_to = head.compared == "<=";
    if ((head.step == "<<=1" || head.step == "*=2" || head.step == "+=" + v) && (below || up_to))
      put(below ? head.last + " / 2" : head.last,
          head.first == "1" ? v + " > 0" : fmt::format("{} >= {}", v, head.first), v + " >>= 1");
    else if (head.step == ">>=1" || head.step == "/=2")
      put(head.compared == ">" && head.last != "0" ? "2 * " + head.last
          : head.compared == ">"                   ? "1"
                                                   : head.last,
          fmt::format("{} <= {}", v, head.first), v + " <<= 1");
    else if (head.step == "++" && below)
      put(head.last + " - 1", fmt::format("{} + 1 > {}", v, head.first), v + "--");
    else if (head.step == "--" && (head.compared == ">=" || head.compared == ">"))
      put(head.compared == ">=" ? head.last : head.last + " + 1", fmt::format("{} <= {}", v, head.first), v + "++");
  }

  // "bits - 1 - b" for "b", which a loop counts up to bits.
  void from_the_end(const Expression& one) {
    const std::string word = text(one);
    const std::vector<std::uint32_t>& around = statement_of(one).loops;
    for (auto loop = around.rbegin(); loop != around.rend(); ++loop) {
      const auto head = heads_.find(*loop);
      if (head == heads_.end() || head->second.name != word) continue;
      const Head& of = head->second;
      if (of.first != "0" || of.step != "++") return;
      if (of.compared == "<") add(EditKind::Order, 1.7, fmt::format("{} - 1 - {}", of.last, word));
      if (of.compared == "<=") add(EditKind::Order, 1.7, fmt::format("{} - {}", of.last, word));
      return;
    }
  }

  // x[n - 1 - i] for x[i], and for x[i - 1].
  void read_from_the_end(const Expression& index) {
    const bool before = index.part == Part::Binary && mark(index) == "-" && text(index.parts[1]) == "1";
    const Expression& place = before ? s_.expressions[index.parts[0]] : index;
    if (place.part != Part::Name || !place.type.whole()) return;
    const std::uint32_t own = target_;
    target_ = static_cast<std::uint32_t>(&index - s_.expressions.data());
    std::vector<std::string> names = visible_names(statement_of(index), &ValueType::whole, {text(place)});
    // Parameters and what is computed first are lengths, rather than what is computed last.
    if (names.size() > max_ends) names.resize(max_ends);
    for (const std::string& name : names) add(EditKind::Order, 2.1, fmt::format("{} - 1 - {}", name, text(place)));
    target_ = own;
  }

  // root[j << (LOG - 1 - s)] for root[j] in a loop of s up to LOG: each stage takes half as many roots as the next.
  void spread_by_stage(const Expression& index) {
    if (index.part != Part::Name || index.written) return;
    const std::uint32_t own = std::exchange(target_, static_cast<std::uint32_t>(&index - s_.expressions.data()));
    for (const std::uint32_t loop : statement_of(index).loops) {
      const auto known = heads_.find(loop);
      if (known == heads_.end() || known->second.step != "++" || known->second.name == text(index)) continue;
      const Head& head = known->second;
      const std::string left = head.compared == "<=" ? head.last : head.last + " - 1";
      add(EditKind::More, 1.9, fmt::format("{} << ({} - {})", text(index), left, head.name));
      for (const char* by : {"<<", ">>"}) add(EditKind::More, 2.1, fmt::format("{} {} {}", text(index), by, head.name));
    }
    target_ = own;
  }

  // root[(n - k) % n] for root[k]: of powers of a root the inverse.
  void goes_back(const Expression& element) {
    const Expression& index = s_.expressions[element.parts[1]];
    if (index.part != Part::Binary || mark(index) == "%" || mark(index) == "&") return;
    if (element.type.known() && !element.type.whole() && !element.type.vector()) return;
    std::vector<std::string> names = visible_names(statement_of(element), &ValueType::whole);
    if (names.size() > max_ends) names.resize(max_ends);
    const std::uint32_t own = std::exchange(target_, element.parts[1]);
    for (const std::string& name : names)
      add(EditKind::Order, 1.9, fmt::format("({0} - {1}) % {0}", name, side(element.parts[1], "-")));
    target_ = own;
  }

  // "f(k, a * b)" for "f(k, n)": how much there is of something is a product of two numbers.
  void products(const Expression& argument) {
    if (argument.part != Part::Name || called(argument) || argument.written) return;
    const std::string word = text(argument);
    std::vector<std::string> names = visible_names(statement_of(argument), &ValueType::whole);
    const std::vector<std::string>& templates = names_.template_numbers();
    const bool of_template = std::find(templates.begin(), templates.end(), word) != templates.end();
    if (!argument.type.whole() && !of_template && !names_.defined(word)) return;
    // The innermost.
    if (names.size() > max_named_factors) names.erase(names.begin(), names.end() - max_named_factors);
    for (const std::vector<std::string>* more : {&templates, &names_.defines()})
      if (more->size() <= max_named_factors) names.insert(names.end(), more->begin(), more->end());
    const std::uint32_t own = std::exchange(target_, static_cast<std::uint32_t>(&argument - s_.expressions.data()));
    for (const std::string& other : templates)
      if (of_template && other != word) add(EditKind::Factor, 1.9, other + " * " + word);
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t j = i + 1; j < names.size(); ++j)
        if (names[i] != word && names[j] != word) add(EditKind::Name, 2.3, names[i] + " * " + names[j]);
    target_ = own;
  }

  // "i < ROWS * PITCH" for "i < ROWS": all of an array that the function has.
  void bound_by_array(const Expression& comparison) {
    const Expression& bound = s_.expressions[comparison.parts[1]];
    if (bound.part != Part::Name && bound.part != Part::Number) return;
    const Function& in = s_.functions[statement_of(comparison).function];
    const std::uint32_t own = std::exchange(target_, comparison.parts[1]);
    std::set<std::string> seen{text(bound)};
    for (std::uint32_t k = in.body + 1; k + 2 < in.end && seen.size() <= max_ends; ++k) {
      if (!s_.lexemes[k].is("[") || s_.lexemes[k - 1].kind != Lexeme::Kind::Name ||
          s_.lexemes[k - 2].kind != Lexeme::Kind::Name || s_.lexemes[k - 2].is("return"))
        continue;
      std::string size;
      std::uint32_t at = k;
      while (s_.lexemes[at].is("[")) {
        std::uint32_t close = at + 1;
        while (close < in.end && !s_.lexemes[close].is("]")) ++close;
        const std::string rows = s_.text.substr(s_.lexemes[at].end(), s_.lexemes[close].begin - s_.lexemes[at].end());
        size += (size.empty() ? "" : " * ") + (close > at + 2 && !size.empty() ? "(" + rows + ")" : rows);
        at = close + 1;
      }
      if (seen.insert(size).second) add(EditKind::Name, 1.8, size);
    }
    target_ = own;
  }

  // "x = f(x);" once more.
  void twice(std::uint32_t number) {
    const Statement& one = s_.statements[number];
    if (one.kind != Statement::Kind::Plain || one.expressions.size() != 1 || meets_within(one.first, one.last)) return;
    const Expression& root = s_.expressions[one.expressions[0]];
    if (root.part != Part::Assign || mark(root) != "=") return;
    const Expression &to = s_.expressions[root.parts[0]], &value = s_.expressions[root.parts[1]];
    // Of several that are alike the last.
    if (number + 1 < s_.statements.size() && s_.statements[number + 1].expressions.size() == 1 &&
        text(s_.statements[number + 1].expressions[0]) == text(root))
      return;
    const auto is_own = [&](const Lexeme& word) { return word.text == text(to); };
    if (to.part == Part::Name && std::any_of(s_.lexemes.begin() + value.first, s_.lexemes.begin() + value.last, is_own))
      add(EditKind::More, 1.9, text(root) + ";", Place::After);
  }

  // "P = mul(P, P);" at the end of each turn of a loop that only uses P: where a distance doubles, a factor is squared.
  void squared(std::uint32_t number) {
    const Statement& loop = s_.statements[number];
    std::uint32_t last = number;  // of what is in the loop's own block
    for (std::uint32_t k = number + 1; k < s_.statements.size() && s_.statements[k].first < loop.body_last; ++k)
      if (s_.statements[k].kind == Statement::Kind::Plain && !s_.statements[k].loops.empty() &&
          s_.statements[k].loops.back() == number)
        last = k;
    if (last == number) return;
    std::map<std::string, bool> used;  // and whether it is given another value
    for (const Expression& one : s_.expressions)
      if (one.part == Part::Name && one.first >= loop.first && one.last <= loop.body_last)
        used[text(one)] |= one.written;
    target_ = last;
    std::size_t count = 0;
    std::set<std::string> seen;
    for (const std::uint32_t v : loop.visible) {
      const auto& [name, type] = std::pair(s_.variables[v].name, s_.variables[v].type);
      const auto known = used.find(name);
      if (known == used.end() || known->second || type.depth > 0 || type.whole() || s_.variables[v].type.constant ||
          !seen.insert(name).second || count++ == max_named_factors)
        continue;
      for (const Function& f : s_.functions)
        if (may_call(f, loop.first) && f.parameters.size() == 2 && f.result == type && f.parameters[0] == type &&
            f.parameters[1] == type)
          add(EditKind::More, 2.1, fmt::format("{0} = {1}({0}, {0});", name, f.name), Place::After);
      if (type.floating()) add(EditKind::More, 2.3, fmt::format("{0} *= {0};", name), Place::After);
    }
  }

  // "first = false;" within a loop that asks "if (first)" of what was true before it and is never given another value.
  void never_turned(const Statement& one) {
    if (one.kind != Statement::Kind::Declaration || one.expressions.size() != 1) return;
    const Expression& value = s_.expressions[one.expressions[0]];
    const std::string name(declared_by(value));
    static const std::map<std::string, std::string> turned{
        {"true", "false"}, {"false", "true"}, {"0", "1"}, {"1", "0"}};
    const auto other = turned.find(text(value));
    if (name.empty() || other == turned.end()) return;
    bool written = false;
    std::set<std::uint32_t> loops;  // that it is asked for in
    for (const Expression& e : s_.expressions) {
      if (e.part != Part::Name || text(e) != name || statement_of(e).function != one.function) continue;
      written = written || e.written;
      if (statement_of(e).kind == Statement::Kind::Condition && !statement_of(e).loops.empty() && e.first > one.last)
        loops.insert(statement_of(e).loops.back());
    }
    if (written || loops.empty()) return;
    std::size_t count = 0;
    for (std::uint32_t k = 0; k < s_.statements.size() && count < max_flags; ++k) {
      const Statement& place = s_.statements[k];
      if (place.kind != Statement::Kind::Plain || place.loops.empty() || !loops.count(place.loops.back())) continue;
      SourceEdit edit{Place::Behind, EditKind::More, k, 0, fmt::format("{} = {};", name, other->second), 1.6, {}};
      if (!may_be_put(s_, edit)) continue;
      ++count;
      edits_.push_back(std::move(edit));
    }
  }

  const SourceNames& names_;
  std::map<std::uint32_t, Head> heads_;  // by statement
};

}  // namespace

std::vector<SourceEdit> edits_of_loops(const Syntax& syntax, const SourceNames& names) {
  return Loops(syntax, names).run();
}

}  // namespace twiddle
