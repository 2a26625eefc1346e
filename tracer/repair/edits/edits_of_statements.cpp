// Changes of whole statements: one too much, in the wrong place, a value that each turn of a loop begins with again.
#include "tracer/repair/edits/edit_maker.h"
#include "tracer/repair/edits/edits_more.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace twiddle {
namespace {

constexpr std::size_t max_again = 8, max_unchanging = 6, max_fields = 4;

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
    const bool ends = s_.lexemes[one.last].is(";");  // a macro may need none
    return s_.text.substr(begin, s_.lexemes[ends ? one.last - 1 : one.last].end() - begin) + ";";
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
      // One of two values that what is asked for may have.
      const Expression& asked = s_.expressions[e];
      if (asked.part == Part::Binary && mark(asked) == "==")
        for (const std::string& name :
             visible_names(one, &ValueType::whole, {text(asked.parts[0]), text(asked.parts[1])}))
          add(EditKind::Condition, 2.1, fmt::format("{} || {} == {}", text(e), text(asked.parts[0]), name));
      target_ = number;
    }
    if (one.kind == Statement::Kind::Declaration || plain(one)) half_exchanged(number);
    if (one.kind == Statement::Kind::Declaration || plain(one)) other_sign(number);
    kept_for_nothing(number);
    if (one.kind == Statement::Kind::Condition) kept(number);
    if (one.kind == Statement::Kind::Loop) {
      carried(one);
      exchanged(one);
      unchanging(one);
    }
    if (one.kind == Statement::Kind::Declaration || plain(one)) conjugates(one);
    if (!plain(one)) return;
    add(EditKind::Less, 2.4, "", Place::Drop);
    moves(number);
    again(number);
    companions(number);
    goes_along(number);
    counted_before_leaving(number);
    for (std::uint32_t next = number + 1; next < s_.statements.size() && next <= number + 3; ++next) {
      const Statement& other = s_.statements[next];
      if (other.block != one.block || other.function != one.function) continue;
      if (other.first == one.last + 1 && plain(other)) add(EditKind::Order, 1.4, text_of(other), Place::SwapNext, next);
      break;
    }
  }

  // "sum += x[k]; if (c) break;" for "if (c) break; sum += x[k];".
  void counted_before_leaving(std::uint32_t number) {
    if (number < 2) return;
    const Statement& one = s_.statements[number];
    // A jump is a statement of its own, or none.
    for (const std::uint32_t k : {number - 1, number - 2}) {
      const Statement& condition = s_.statements[k];
      if (condition.kind != Statement::Kind::Condition || condition.block != one.block ||
          condition.body_last != one.first)
        continue;
      const std::string_view jump = s_.lexemes[condition.body + (s_.lexemes[condition.body].is("{") ? 1 : 0)].text;
      if (jump != "break" && jump != "continue" && jump != "return") continue;
      add(EditKind::Order, 1.6, text_of(one), Place::Above, k);
      return;
    }
  }

  // "m.im = -m.im;" behind "Complex m = x[k];", of what the function asks m for.
  void other_sign(std::uint32_t number) {
    const Statement& one = s_.statements[number];
    if (one.expressions.size() != 1 || s_.lexemes[one.first].is("const") || number + 1 == s_.statements.size()) return;
    const Expression& root = s_.expressions[one.expressions[0]];
    const bool assigns = root.part == Part::Assign && s_.lexemes[root.mark].is("=");
    if (assigns && s_.expressions[root.parts[0]].part != Part::Name) return;
    const std::string name = assigns ? text(root.parts[0]) : std::string(declared_by(root));
    const Function& in = s_.functions[one.function];
    std::set<std::string_view> fields;
    for (std::uint32_t k = in.body; k + 2 < in.end && !name.empty(); ++k)
      if (s_.lexemes[k].text == name && s_.lexemes[k + 1].is(".") && s_.lexemes[k + 2].kind == Lexeme::Kind::Name &&
          !(k + 3 < in.end && s_.lexemes[k + 3].is("(")))
        fields.insert(s_.lexemes[k + 2].text);
    // A part that nothing asks for may be what was forgotten.
    if (const ValueType* type = type_of(s_.statements[number + 1], name)) {  // which knows what this one declares
      if (type->vector()) fields.insert("y");
      if (!type->vector() && !type->whole() && !type->floating() && has_field("im")) fields.insert("im");
    }
    if (fields.size() > max_fields) return;
    for (const std::string_view field : fields)
      add(EditKind::More, 2.2, fmt::format("{0}.{1} = -{0}.{1};", name, field), Place::After);
  }
  const ValueType* type_of(const Statement& from, std::string_view name) const {
    for (const std::uint32_t v : from.visible)
      if (s_.variables[v].name == name && s_.variables[v].type.depth == 0) return &s_.variables[v].type;
    return nullptr;
  }
  bool has_field(std::string_view name) const {
    for (std::size_t k = 1; k < s_.lexemes.size(); ++k)
      if (s_.lexemes[k].text == name && s_.lexemes[k - 1].is(".")) return true;
    return false;
  }

  // "if (c) x = a + b;": where c does not hold, x is to be a.
  void kept(std::uint32_t number) {
    const Statement& one = s_.statements[number];
    if (one.expressions.size() != 1 || number + 1 >= s_.statements.size()) return;
    const Statement& body = s_.statements[number + 1];
    const bool braces = s_.lexemes[one.body].is("{");
    if (!plain(body) || body.expressions.size() != 1 || body.first != one.body + (braces ? 1 : 0) ||
        body.last + (braces ? 2 : 1) != one.body_last)
      return;
    const Expression& root = s_.expressions[body.expressions[0]];
    if (root.part != Part::Assign || s_.lexemes[root.mark].text != "=") return;
    const Expression& value = s_.expressions[root.parts[1]];
    if (value.part != Part::Binary) return;
    for (const std::uint32_t stays : value.parts) {
      SourceEdit edit{Place::Expression, EditKind::More, root.parts[1], 0, {}, 2, {}};
      edit.text = fmt::format("{} ? {} : {}", operand(one.expressions[0]), text(root.parts[1]), text(stays));
      edit.also.push_back({one.expressions[0], "1"});
      edits_.push_back(std::move(edit));
    }
  }

  // "x[i] = y[i];" once more, further on: the second half that an item has to copy, too.
  void again(std::uint32_t number) {
    const Statement& one = s_.statements[number];
    if (one.expressions.size() != 1) return;
    const Expression& root = s_.expressions[one.expressions[0]];
    if (root.part != Part::Assign || s_.lexemes[root.mark].text != "=") return;
    const Expression &to = s_.expressions[root.parts[0]], &from = s_.expressions[root.parts[1]];
    stored_again(one, root);
    if (to.part != Part::Index || from.part != Part::Index || text(to.parts[1]) != text(from.parts[1])) return;
    std::size_t count = 0;
    for (const std::string& by : whole_numbers(one))
      if (count++ < max_again)
        add(EditKind::More, 2.2,
            fmt::format("{0}[{2} + {3}] = {1}[{2} + {3}];", text(to.parts[0]), text(from.parts[0]),
                        operand(to.parts[1]), by),
            Place::After);
  }
  // "v[i] = x;" beside "v[i + n] = x;": what is kept twice, so that no index has to go round.
  void stored_again(const Statement& one, const Expression& root) {
    const Expression &to = s_.expressions[root.parts[0]], &value = s_.expressions[root.parts[1]];
    if (to.part != Part::Index || value.part != Part::Name) return;
    const Expression& index = s_.expressions[to.parts[1]];
    const auto store = [&](const std::string& at) {
      add(EditKind::More, 2.2, fmt::format("{}[{}] = {};", text(to.parts[0]), at, text(root.parts[1])), Place::After);
    };
    if (index.part == Part::Binary && s_.lexemes[index.mark].is("+")) {
      for (const std::uint32_t part : index.parts) store(text(part));
    } else if (index.part == Part::Name) {
      std::size_t count = 0;
      for (const std::string& by : whole_numbers(one))
        if (by != text(to.parts[1]) && count++ < max_again) store(fmt::format("{} + {}", text(to.parts[1]), by));
    }
  }
  // Numbers of the function, and whole variables that the statement sees.
  std::vector<std::string> whole_numbers(const Statement& from) const {
    std::vector<std::string> all;
    const auto put = [&](std::string word) {
      if (std::find(all.begin(), all.end(), word) == all.end()) all.push_back(std::move(word));
    };
    for (const Expression& one : s_.expressions)
      if (one.part == Part::Number && one.type.whole() && s_.statements[one.statement].function == from.function)
        if (const std::string_view word = s_.spelling(one); word != "0" && word != "1") put(std::string(word));
    for (const std::uint32_t v : from.visible)
      if (s_.variables[v].type.whole()) put(s_.variables[v].name);
    return all;
  }

  // "value[i] = value[j];": where a place goes with each value, "place[i] = place[j];" belongs to it.
  void companions(std::uint32_t number) {
    const Statement& one = s_.statements[number];
    if (one.expressions.size() != 1) return;
    const Expression& root = s_.expressions[one.expressions[0]];
    if (root.part != Part::Assign || !s_.lexemes[root.mark].is("=")) return;
    const Expression &to = s_.expressions[root.parts[0]], &from = s_.expressions[root.parts[1]];
    if (to.part != Part::Index || from.part != Part::Index || text(to.parts[0]) != text(from.parts[0])) return;
    const std::string own = text(to.parts[0]), index = text(to.parts[1]);
    std::set<std::string> others;
    for (const Expression& element : s_.expressions)
      if (element.part == Part::Index && s_.statements[element.statement].function == one.function &&
          text(element.parts[1]) == index && s_.expressions[element.parts[0]].part == Part::Name)
        others.insert(text(element.parts[0]));
    for (const std::string& other : others)
      if (other != own)
        add(EditKind::More, 2, fmt::format("{0}[{1}] = {0}[{2}];", other, index, text(from.parts[1])), Place::After);
  }

  // "a += PAD(a);" where b, declared beside a, goes the same way.
  void goes_along(std::uint32_t number) {
    const Statement& one = s_.statements[number];
    if (one.expressions.size() != 1 || number == 0) return;
    const Expression& root = s_.expressions[one.expressions[0]];
    if (root.part != Part::Assign || s_.expressions[root.parts[0]].part != Part::Name) return;
    const std::string own = text(root.parts[0]);
    const Expression& value = s_.expressions[root.parts[1]];
    const auto is_own = [&](const Lexeme& word) { return word.text == own; };
    if (std::none_of(s_.lexemes.begin() + value.first, s_.lexemes.begin() + value.last, is_own)) return;
    const auto declared = [&](const std::string& name) {
      for (std::uint32_t k = 0; k < number; ++k)
        if (const Statement& other = s_.statements[k];
            other.kind == Statement::Kind::Declaration && other.block == one.block && other.function == one.function &&
            std::any_of(other.expressions.begin(), other.expressions.end(),
                        [&](std::uint32_t e) { return declared_by(s_.expressions[e]) == name; }))
          return static_cast<std::int64_t>(k);
      return std::int64_t(-1);
    };
    const std::int64_t place = declared(own);
    if (place < 0) return;
    for (const std::string& name : visible_names(one, &ValueType::whole, {own})) {
      const std::int64_t other = declared(name);
      if (other < 0 || std::abs(other - place) > 1) continue;
      add(EditKind::More, 1.7, renamed(root, own, name) + ";", Place::After);
    }
  }

  // "T *old = a; a = b;": what was kept and is read nowhere should be put somewhere.
  void kept_for_nothing(std::uint32_t number) {
    const Statement& one = s_.statements[number];
    if (one.kind != Statement::Kind::Declaration || one.expressions.size() != 1 || number + 1 >= s_.statements.size())
      return;
    const Statement& next = s_.statements[number + 1];
    const std::string_view word = declared_by(s_.expressions[one.expressions[0]]);
    if (next.block != one.block || !plain(next) || word.empty()) return;
    if (times_named(word, s_.functions[one.function]) != 1) return;
    const auto declared = std::find_if(next.visible.begin(), next.visible.end(),
                                       [&](std::uint32_t v) { return s_.variables[v].name == word; });
    if (declared == next.visible.end()) return;
    const ValueType& type = s_.variables[*declared].type;
    target_ = number + 1;
    for (const std::string& name : visible_names(
             next, [&](const ValueType& other) { return other == type && !(other.depth == 0 && other.constant); },
             {std::string(word)}))
      add(EditKind::More, 1.2, fmt::format("{} = {};", name, word), Place::After);
    target_ = number;
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

  // "t = x[a]; x[b] = … t …;": where two change places, "x[a] = x[b];" belongs between the two.
  void half_exchanged(std::uint32_t number) {
    const Statement& one = s_.statements[number];
    if (one.expressions.size() != 1 || number + 1 >= s_.statements.size()) return;
    const Statement& next = s_.statements[number + 1];
    if (next.block != one.block || next.first != one.last + 1 || !plain(next) || next.expressions.size() != 1) return;
    const Expression* kept = &s_.expressions[one.expressions[0]];
    std::uint32_t name = kept->first - 2;
    if (kept->part == Part::Assign) {
      name = s_.expressions[kept->parts[0]].first;
      kept = &s_.expressions[kept->parts[1]];
    }
    const Expression& put = s_.expressions[next.expressions[0]];
    if (kept->part != Part::Index || put.part != Part::Assign || name >= s_.lexemes.size()) return;
    const Expression& to = s_.expressions[put.parts[0]];
    if (to.part != Part::Index || text(to.parts[0]) != text(kept->parts[0]) ||
        text(to.parts[1]) == text(kept->parts[1]))
      return;
    const Expression& value = s_.expressions[put.parts[1]];
    if (std::none_of(s_.lexemes.begin() + value.first, s_.lexemes.begin() + value.last,
                     [&](const Lexeme& word) { return word.text == s_.lexemes[name].text; }))
      return;
    add(EditKind::More, 1.3, fmt::format("{} = {};", s_.spelling(*kept), text(put.parts[0])), Place::After);
  }

  // A complex value whose conjugate belongs there.
  void conjugates(const Statement& one) {
    if (one.kind == Statement::Kind::Declaration && s_.lexemes[one.first].is("const")) return;
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

  // The last plain statement of a loop that is in no other within it; 0: none.
  std::uint32_t last_in(const Statement& loop) const {
    std::uint32_t last = 0;
    for (std::uint32_t k = 0; k < s_.statements.size(); ++k)
      if (s_.statements[k].first > loop.body && s_.statements[k].last < loop.body_last &&
          s_.statements[k].kind == Statement::Kind::Plain && !s_.statements[k].loops.empty() &&
          &s_.statements[s_.statements[k].loops.back()] == &loop)
        last = k;
    return last;
  }

  // "int step = 1; for (…) … x[i * step] …": what begins with a value, is asked for in each turn and never changes should
  // perhaps change at the end of each.
  void unchanging(const Statement& loop) {
    const std::uint32_t last = last_in(loop);
    if (last == 0 || !s_.lexemes[loop.body].is("{")) return;
    // At the end of each turn, and not of some.
    const auto first = std::find_if(s_.statements.begin(), s_.statements.end(),
                                    [&](const Statement& one) { return one.first > loop.body; });
    if (first == s_.statements.end() || first->block != s_.statements[last].block) return;
    const std::uint32_t own = target_;
    target_ = last;
    std::size_t count = 0;
    for (const Statement& one : s_.statements) {
      if (one.kind != Statement::Kind::Declaration || one.function != loop.function || one.last >= loop.first ||
          one.loops != loop.loops || s_.lexemes[one.first].is("const"))
        continue;
      for (std::uint32_t k = one.first + 1; k + 1 < one.last && count < max_unchanging; ++k) {
        if (!s_.lexemes[k + 1].is("=") || s_.lexemes[k].kind != Lexeme::Kind::Name) continue;
        // It begins with a number or another variable, and is not computed once for all; of what is computed a function of the
        // file may make the next.
        const std::uint32_t behind = k + 3;
        const bool computed = behind > one.last || !(s_.lexemes[behind].is(";") || s_.lexemes[behind].is(","));
        const std::string_view word = s_.lexemes[k].text;
        const auto seen = std::find_if(loop.visible.begin(), loop.visible.end(),
                                       [&](std::uint32_t v) { return s_.variables[v].name == word; });
        if (seen == loop.visible.end() || !s_.variables[*seen].type.known() || s_.variables[*seen].type.constant ||
            s_.variables[*seen].type.depth > 0)
          continue;
        const auto is_word = [&](const Lexeme& lexeme) { return lexeme.text == word; };
        const auto words = s_.lexemes.begin();
        if (std::none_of(words + loop.body, words + loop.body_last, is_word)) continue;
        const bool changes = std::any_of(s_.expressions.begin(), s_.expressions.end(), [&](const Expression& e) {
          return e.written && e.part == Part::Name && s_.statements[e.statement].function == loop.function &&
                 s_.lexemes[e.first].text == word;
        });
        if (changes) continue;
        ++count;
        for (const Function& f : s_.functions)
          if (may_call(f, loop.first) && f.parameters.size() == 2 && f.result == s_.variables[*seen].type &&
              f.parameters[0] == f.result && f.parameters[1] == f.result)
            add(EditKind::More, 1.6, fmt::format("{0} = {1}({0}, {0});", word, f.name), Place::After);
        if (computed || !s_.variables[*seen].type.whole()) continue;
        for (const std::string_view change : {"*= 2", "/= 2", "+= 1", "-= 1"})
          add(EditKind::More, 2, fmt::format("{} {};", word, change), Place::After);
      }
    }
    target_ = own;
  }

  // Two pointers that change places at the end of each turn.
  void exchanged(const Statement& loop) {
    const std::uint32_t last = last_in(loop);
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
