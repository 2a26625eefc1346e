// Changes of whole statements: one too much, in the wrong place, a value that each turn of a loop begins with again.
#include "tracer/repair/edits/edit_maker.h"
#include "tracer/repair/edits/edits_more.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace twiddle {
namespace {

class Statements : EditMaker {
 public:
  explicit Statements(const Syntax& syntax) : EditMaker(syntax) {}

  std::vector<SourceEdit> run() {
    for (std::uint32_t s = 0; s < s_.statements.size(); ++s) {
      target_ = s;
      statement(s);
    }
    return std::move(edits_);
  }

 private:
  bool plain(const Statement& one) const {
    return one.kind == Statement::Kind::Plain && !meets_within(one.first, one.last);
  }
  std::string text_of(const Statement& one) const {
    const std::size_t begin = s_.lexemes[one.first].begin;
    return s_.text.substr(begin, s_.lexemes[one.last - 1].end() - begin) + ";";
  }

  void statement(std::uint32_t number) {
    const Statement& one = s_.statements[number];
    if (one.kind == Statement::Kind::Condition && one.expressions.size() == 1) {
      const std::uint32_t e = one.expressions[0];
      target_ = e;
      add(EditKind::Condition, 2.2, "!" + operand(e));
      add(EditKind::Condition, 2.5, "1");
      add(EditKind::Condition, 3, "0");
      for (const std::string& name : visible_names(one, &ValueType::whole)) {
        add(EditKind::Condition, 2.4, fmt::format("{} && {} == 0", operand(e), name));
        add(EditKind::Condition, 2.4, fmt::format("{} || {} == 0", operand(e), name));
      }
      target_ = number;
    }
    if (one.kind == Statement::Kind::Loop) {
      carried(one);
      exchanged(one);
    }
    if (one.kind == Statement::Kind::Declaration || plain(one)) conjugates(one);
    if (!plain(one)) return;
    add(EditKind::Less, 2.4, "", Place::Drop);
    moves(number);
    for (std::uint32_t next = number + 1; next < s_.statements.size() && next <= number + 3; ++next) {
      const Statement& other = s_.statements[next];
      if (other.block != one.block || other.function != one.function) continue;
      if (other.first == one.last + 1 && plain(other)) add(EditKind::Order, 1.4, text_of(other), Place::SwapNext, next);
      break;
    }
  }

  // Done too early, or too late: two or three statements further down or up.
  void moves(std::uint32_t number) {
    const Statement& one = s_.statements[number];
    std::uint32_t last = number;
    for (std::uint32_t other = number + 1; other < s_.statements.size() && other <= number + 3; ++other) {
      const Statement& next = s_.statements[other];
      if (next.block != one.block || next.function != one.function || next.kind != Statement::Kind::Plain ||
          next.first != s_.statements[last].last + 1)
        break;
      last = other;
      if (other == number + 1) continue;
      add(EditKind::Order, 1.9, text_of(one), Place::Below, other);
      if (!plain(next)) continue;
      target_ = other;
      add(EditKind::Order, 1.9, text_of(next), Place::Above, number);
      target_ = number;
    }
  }

  // A complex value whose conjugate belongs there.
  void conjugates(const Statement& one) {
    std::set<std::string> seen;
    for (const std::uint32_t e : one.expressions) {
      std::string word;
      const Expression& root = s_.expressions[e];
      if (root.part == Part::Assign && s_.expressions[root.parts[0]].part == Part::Name && root.type.vector())
        word = text(root.parts[0]);
      else if (one.kind == Statement::Kind::Declaration && root.type.vector())
        for (std::size_t k = root.first; k-- > one.first;)
          if (s_.lexemes[k].is("=")) {
            word = std::string(s_.lexemes[k - 1].text);
            break;
          }
      if (!word.empty() && seen.insert(word).second)
        add(EditKind::More, 2.1, fmt::format("{0}.y = -{0}.y;", word), Place::After);
    }
  }

  // Two pointers that change places at the end of each turn.
  void exchanged(const Statement& loop) {
    std::uint32_t last = 0;
    for (std::uint32_t k = 0; k < s_.statements.size(); ++k)
      if (s_.statements[k].first > loop.body && s_.statements[k].last < loop.body_last &&
          s_.statements[k].kind == Statement::Kind::Plain && !s_.statements[k].loops.empty() &&
          &s_.statements[s_.statements[k].loops.back()] == &loop)
        last = k;
    if (last == 0) return;
    const std::uint32_t own = target_;
    target_ = last;
    std::set<std::pair<std::string, std::string>> seen;
    for (const std::uint32_t a : loop.visible)
      for (const std::uint32_t b : loop.visible) {
        const Variable &x = s_.variables[a], &y = s_.variables[b];
        if (a < b && x.name != y.name && x.type.depth == 1 && x.type == y.type && x.type.constant == y.type.constant &&
            seen.size() < 6 && seen.insert({x.name, y.name}).second)
          add(EditKind::More, 2.3, fmt::format("{{__typeof__({0}) t_ = {0}; {0} = {1}; {1} = t_;}}", x.name, y.name),
              Place::After);
      }
    target_ = own;
  }

  // A value that each turn of a loop should begin with again.
  void carried(const Statement& loop) {
    for (const Statement& one : s_.statements) {
      if (one.kind != Statement::Kind::Declaration || one.function != loop.function || one.last >= loop.first ||
          one.expressions.size() != 1)
        continue;
      const Expression& value = s_.expressions[one.expressions[0]];
      std::size_t k = value.first;
      while (k > one.first && !s_.lexemes[k].is("=")) --k;
      if (k == one.first) continue;
      const std::string word(s_.lexemes[k - 1].text);
      const auto seen = [&](std::uint32_t v) { return s_.variables[v].name == word; };
      if (std::none_of(loop.visible.begin(), loop.visible.end(), seen)) continue;
      const bool changed = std::any_of(s_.expressions.begin(), s_.expressions.end(), [&](const Expression& e) {
        return e.written && e.part == Part::Name && e.first >= loop.body && e.first < loop.body_last &&
               s_.lexemes[e.first].text == word;
      });
      if (changed && s_.lexemes[loop.body].is("{"))
        add(EditKind::More, 1.9, fmt::format("{} = {};", word, s_.spelling(value)), Place::LoopStart);
    }
  }
};

}  // namespace

std::vector<SourceEdit> edits_of_statements(const Syntax& syntax) { return Statements(syntax).run(); }

}  // namespace twiddle
