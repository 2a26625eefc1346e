// Changes at several places at once, where one mistake was made in all of them: both components of a value, two statements of
// one shape, one expression written twice, two operands exchanged.
#include "tracer/repair/edits/edit_maker.h"
#include "tracer/repair/edits/edit_words.h"
#include "tracer/repair/edits/edits_more.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace twiddle {
namespace {

constexpr std::size_t max_pairs = 40;  // exchanges in one statement
constexpr std::size_t max_places = 6;  // of one expression
constexpr std::size_t max_turned = 8, max_scales = 10;

class Together : EditMaker {
 public:
  Together(const Syntax& syntax, const SourceNames& names, const std::vector<SourceEdit>& alone)
      : EditMaker(syntax), names_(names), alone_(alone) {
    units();
    for (std::size_t k = 0; k < alone_.size(); ++k)
      if (alone_[k].place == SourceEdit::Place::Expression) edits_of_[alone_[k].target].push_back(k);
  }

  std::vector<SourceEdit> run() {
    for (std::uint32_t e = 0; e < s_.expressions.size(); ++e) {
      components(s_.expressions[e]);
      as_its_fellows(s_.expressions[e]);
      bounds_exchanged(s_.expressions[e]);
      listed(e);
      whole_vectors(e);
      rows(s_.expressions[e]);
      turned_within(s_.expressions[e]);
    }
    for (std::uint32_t k = 0; k < units_.size(); ++k) {
      exchanges(k);
      quotients(k);
      rows_of(k);
      declared_twins(k);
      if (const std::uint32_t next = following(k); next > 0) {
        twins(units_[k].expressions, units_[next].expressions);
        scaled_both(k, next);
        as_neighbour(k, next);
        as_neighbour(next, k);
      }
    }
    squares();
    repeated();
    comparisons();
    return std::move(edits_);
  }

 private:
  using Texts = std::vector<SourceEdit::Also>;

  std::string_view mark(std::uint32_t e) const { return EditMaker::mark(s_.expressions[e]); }

  void add(EditKind kind, double cost, Texts texts) {
    for (const SourceEdit::Also& one : texts)
      if (one.text.empty() || one.text == text(one.target)) return;
    SourceEdit edit;
    edit.kind = kind;
    edit.cost = cost;
    edit.target = texts[0].target;
    edit.text = texts[0].text;
    edit.also.assign(texts.begin() + 1, texts.end());
    edits_.push_back(std::move(edit));
  }

  bool is_sum(std::uint32_t e) const {
    return s_.expressions[e].part == Part::Binary && (mark(e) == "+" || mark(e) == "-");
  }
  std::string flipped(std::uint32_t e) const {
    if (!is_sum(e)) return {};
    const Expression& one = s_.expressions[e];
    return fmt::format("{} {} {}", text(one.parts[0]), mark(e) == "+" ? "-" : "+", operand(one.parts[1]));
  }
  std::string turned(std::uint32_t e) const {
    if (!is_sum(e) || mark(e) != "-") return {};
    const Expression& one = s_.expressions[e];
    return fmt::format("{} - {}", text(one.parts[1]), operand(one.parts[0]));
  }
  std::string negated(std::uint32_t e) const {
    const Expression& one = s_.expressions[e];
    if (one.part == Part::Prefix && mark(e) == "-") return text(one.parts[0]);
    return "-" + operand(e);
  }

  // (float4)(A, b.x, b.y): a complex value among others, multiplied by i or by −i.
  void turned_within(const Expression& one) {
    const std::size_t first = one.part == Part::Call ? 1 : 0;
    if ((one.part != Part::Call && one.part != Part::Comma) || one.parts.size() < first + 3) return;
    for (std::size_t k = first; k + 1 < one.parts.size(); ++k) {
      const std::uint32_t re = one.parts[k], im = one.parts[k + 1];
      const Expression &x = s_.expressions[re], &y = s_.expressions[im];
      if (x.part != Part::Member || y.part != Part::Member || x.written || y.written || mark(re) != "x" ||
          mark(im) != "y" || text(x.parts[0]) != text(y.parts[0]))
        continue;
      add(EditKind::Order, 1.6, {{re, text(im)}, {im, negated(re)}});
      add(EditKind::Order, 1.6, {{re, negated(im)}, {im, text(re)}});
    }
  }

  // "dot(d, d)" for "dot(d.xy, d.xy)": all of what a number is made of. Of another type each, so not one by one.
  void whole_vectors(std::uint32_t call) {
    const Expression& one = s_.expressions[call];
    if (one.part != Part::Call || one.type.depth > 0 || !one.type.floating()) return;
    std::string arguments;
    bool any = false;
    for (std::size_t k = 1; k < one.parts.size(); ++k) {
      const Expression& argument = s_.expressions[one.parts[k]];
      const bool part = argument.part == Part::Member && argument.type.vector();
      any = any || part;
      arguments += (k > 1 ? ", " : "") + text(part ? argument.parts[0] : one.parts[k]);
    }
    if (any) add(EditKind::Component, 1.5, {{call, fmt::format("{}({})", text(one.parts[0]), arguments)}});
  }

  // "(n * a, n * b, n * c)" for "(n * a, b, c)": what some of several values are multiplied by, and others not.
  void as_its_fellows(const Expression& one) {
    const std::size_t first = one.part == Part::Call ? 1 : 0;
    if ((one.part != Part::Call && one.part != Part::Comma) || one.parts.size() < first + 2) return;
    std::map<std::string, std::set<std::uint32_t>> factors;  // and whose they are
    for (std::size_t k = first; k < one.parts.size(); ++k) {
      const Expression& value = s_.expressions[one.parts[k]];
      if (value.written || value.type.whole() || value.type.depth > 0) return;
      if (value.part != Part::Binary || mark(one.parts[k]) != "*") continue;
      for (const std::uint32_t factor : value.parts)
        if (s_.expressions[factor].part == Part::Name || s_.expressions[factor].part == Part::Number)
          factors[text(factor)].insert(one.parts[k]);
    }
    for (const auto& [factor, whose] : factors) {
      Texts texts;
      for (std::size_t k = first; k < one.parts.size(); ++k)
        if (!whose.count(one.parts[k]) && text(one.parts[k]) != factor)
          texts.push_back({one.parts[k], fmt::format("{} * {}", factor, operand(one.parts[k]))});
      if (!texts.empty()) add(EditKind::Factor, 1.6, std::move(texts));
    }
  }

  // "x < h && y < w" for "x < w && y < h": of what is turned.
  void bounds_exchanged(const Expression& one) {
    if (one.part != Part::Binary || (EditMaker::mark(one) != "&&" && EditMaker::mark(one) != "||")) return;
    const Expression &x = s_.expressions[one.parts[0]], &y = s_.expressions[one.parts[1]];
    if (x.part != Part::Binary || y.part != Part::Binary || mark(one.parts[0]) != mark(one.parts[1])) return;
    exchange(x.parts[1], y.parts[1], 1.1);
  }

  // make_float2(a, b), (float2)(a, b): the same done to both.
  void components(const Expression& one) {
    std::vector<std::uint32_t> parts;
    if (one.part == Part::Call && one.parts.size() == 3) parts = {one.parts[1], one.parts[2]};
    if (one.part == Part::Comma && one.parts.size() == 2) parts = one.parts;
    if (parts.size() == 2) done_to_both(parts);
  }
  // "return {a.x, -a.y};"
  void listed(std::uint32_t re) {
    const Expression& one = s_.expressions[re];
    if (one.first == 0 || one.last + 1 >= s_.lexemes.size() || !s_.lexemes[one.first - 1].is("{") ||
        !s_.lexemes[one.last].is(","))
      return;
    const auto im = std::find_if(s_.expressions.begin() + re, s_.expressions.end(), [&](const Expression& other) {
      return other.first == one.last + 1 && other.last < s_.lexemes.size() && s_.lexemes[other.last].is("}");
    });
    if (im != s_.expressions.end()) done_to_both({re, static_cast<std::uint32_t>(im - s_.expressions.begin())});
  }
  void done_to_both(const std::vector<std::uint32_t>& parts) {
    for (const std::uint32_t e : parts)
      if (s_.expressions[e].type.whole() || s_.expressions[e].type.depth > 0 || s_.expressions[e].written) return;
    const auto both = [&](double cost, const auto& change) {
      add(EditKind::Factor, cost, {{parts[0], change(parts[0])}, {parts[1], change(parts[1])}});
    };
    both(1.2, [&](std::uint32_t e) { return flipped(e); });
    both(1.25, [&](std::uint32_t e) { return turned(e); });
    both(1.3, [&](std::uint32_t e) { return negated(e); });
    both(1.7, [&](std::uint32_t e) { return "0.5f * " + operand(e); });
    both(1.8, [&](std::uint32_t e) { return "2.0f * " + operand(e); });
    // Real and imaginary part taken for each other, too: (a, −b) for (b, a).
    add(EditKind::Order, 1.5, {{parts[0], text(parts[1])}, {parts[1], negated(parts[0])}});
    add(EditKind::Order, 1.5, {{parts[0], negated(parts[1])}, {parts[1], text(parts[0])}});
  }

  // t[a + j][b + i] for t[a - j][b - i]: the same done to both indices of an array of rows.
  void rows(const Expression& one) {
    if (one.part != Part::Index || s_.expressions[one.parts[0]].part != Part::Index) return;
    const std::uint32_t row = s_.expressions[one.parts[0]].parts[1], column = one.parts[1];
    if (s_.expressions[row].written || s_.expressions[column].written) return;
    add(EditKind::Operator, 1.4, {{row, flipped(row)}, {column, flipped(column)}});
    add(EditKind::Order, 1.5, {{row, turned(row)}, {column, turned(column)}});
  }

  // Statements; of a macro, each of its expressions that are none of another.
  struct Unit {
    std::uint32_t statement = 0;
    std::vector<std::uint32_t> expressions{};
    bool macro = false;
  };
  void units() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> of;
    for (std::uint32_t e = 0; e < s_.expressions.size(); ++e) of[s_.expressions[e].statement].push_back(e);
    for (std::uint32_t k = 0; k < s_.statements.size(); ++k) {
      const Statement& one = s_.statements[k];
      if (one.kind != Statement::Kind::Macro) {
        units_.push_back({k, of[k], false});
        continue;
      }
      for (const std::uint32_t root : one.expressions) units_.push_back({k, within(root, of[k]), true});
    }
  }
  // Those of `all` that are the expression or a part of it.
  std::vector<std::uint32_t> within(std::uint32_t root, const std::vector<std::uint32_t>& all) const {
    std::vector<std::uint32_t> parts;
    for (const std::uint32_t e : all)
      if (s_.expressions[e].first >= s_.expressions[root].first && s_.expressions[e].last <= s_.expressions[root].last)
        parts.push_back(e);
    return parts;
  }
  bool simple(const Unit& unit) const {
    const Statement::Kind kind = s_.statements[unit.statement].kind;
    return unit.macro || kind == Statement::Kind::Plain || kind == Statement::Kind::Declaration;
  }
  // The next unit of the block; 0 where there is none.
  std::uint32_t following(std::uint32_t k) const {
    if (k + 1 >= units_.size() || !simple(units_[k]) || !simple(units_[k + 1])) return 0;
    if (units_[k].macro) return units_[k].statement == units_[k + 1].statement ? k + 1 : 0;
    const Statement &one = s_.statements[units_[k].statement], &next = s_.statements[units_[k + 1].statement];
    return next.block == one.block && next.function == one.function && next.first == one.last + 1 ? k + 1 : 0;
  }

  // "float re = a + b, im = c + d;": as two statements of one shape.
  void declared_twins(std::uint32_t unit) {
    const Statement& one = s_.statements[units_[unit].statement];
    if (one.kind != Statement::Kind::Declaration) return;
    const std::vector<std::uint32_t>& all = units_[unit].expressions;
    for (std::size_t k = 0; k + 1 < one.expressions.size(); ++k)
      twins(within(one.expressions[k], all), within(one.expressions[k + 1], all));
  }

  // Of two statements of one shape, what is changed in the one is changed in the other.
  void twins(const std::vector<std::uint32_t>& p, const std::vector<std::uint32_t>& q) {
    if (p.size() != q.size()) return;
    for (std::size_t k = 0; k < p.size(); ++k) {
      if (s_.expressions[p[k]].part != s_.expressions[q[k]].part) return;
      if (s_.expressions[p[k]].part == Part::Binary && is_sum(p[k]) != is_sum(q[k])) return;
    }
    for (std::size_t k = 0; k < p.size(); ++k) {
      const Expression &one = s_.expressions[p[k]], &other = s_.expressions[q[k]];
      if (one.written || other.written) continue;
      // Dearer than one place that was mistaken once.
      add(EditKind::Operator, 1.45, {{p[k], flipped(p[k])}, {q[k], flipped(q[k])}});
      add(EditKind::Order, 1.5, {{p[k], turned(p[k])}, {q[k], turned(q[k])}});
      if (text(p[k]) == text(q[k]) && one.last - one.first > 1) same_in({p[k], q[k]}, 0.1);
    }
  }
  // "f(t[r][4 * q], t[r][4 * q + 1])": each element of a tile that the statement reads, turned.
  void rows_of(std::uint32_t unit) {
    std::map<std::string, std::vector<std::uint32_t>> tiles;
    for (const std::uint32_t e : units_[unit].expressions) {
      const Expression& one = s_.expressions[e];
      if (one.part == Part::Index && !one.written && s_.expressions[one.parts[0]].part == Part::Index)
        tiles[text(s_.expressions[one.parts[0]].parts[0])].push_back(e);
    }
    for (const auto& [tile, elements] : tiles) {
      if (elements.size() < 2 || elements.size() > max_turned) continue;
      Texts texts;
      for (const std::uint32_t e : elements) {
        const Expression& one = s_.expressions[e];
        texts.push_back(
            {e, fmt::format("{}[{}][{}]", tile, text(one.parts[1]), text(s_.expressions[one.parts[0]].parts[1]))});
      }
      add(EditKind::Order, 1.5, std::move(texts));
    }
  }

  // "re[k] = a / n; im[k] = b / n;" for "re[k] = a; im[k] = b;": a scale that both parts of a value lack.
  void scaled_both(std::uint32_t a, std::uint32_t b) {
    const Expression *x = assigned(a), *y = assigned(b);
    if (!x || !y || !s_.lexemes[x->mark].is("=") || !s_.lexemes[y->mark].is("=")) return;
    const Expression &left = s_.expressions[x->parts[0]], &right = s_.expressions[y->parts[0]];
    const std::uint32_t p = x->parts[1], q = y->parts[1];
    if (left.part != Part::Index || right.part != Part::Index || !left.type.floating() || !(left.type == right.type))
      return;
    std::size_t count = 0;
    for (const std::string& name :
         visible_names(statement_of(*x), [](const ValueType& type) { return type.whole() || type.floating(); })) {
      if (count++ == max_scales) break;
      for (const char* op : {"/", "*"})
        add(EditKind::Factor, 2.1,
            {{p, fmt::format("{} {} {}", operand(p), op, name)}, {q, fmt::format("{} {} {}", operand(q), op, name)}});
    }
  }

  // What a statement assigns, as its neighbour has it: "v.w = f(v.w - top)" for "v.w = f(v.w)" beside "v.z = f(v.z - top)".
  void as_neighbour(std::uint32_t a, std::uint32_t b) {
    const Expression *x = assigned(a), *y = assigned(b);
    if (!x || !y) return;
    const Expression &to = s_.expressions[x->parts[0]], &other = s_.expressions[y->parts[0]];
    if (to.last - to.first != other.last - other.first) return;
    std::map<std::string_view, std::string_view> names;
    for (std::uint32_t k = 0; k < to.last - to.first; ++k) {
      const Lexeme &own = s_.lexemes[to.first + k], &its = s_.lexemes[other.first + k];
      if (own.text != its.text) names[its.text] = own.text;
    }
    if (names.size() != 1 || text(x->parts[1]).size() > 200) return;
    const auto& [its, own] = *names.begin();
    add(EditKind::More, 1.6, {{x->parts[1], renamed(s_.expressions[y->parts[1]], its, own)}});
  }
  const Expression* assigned(std::uint32_t unit) const {
    for (const std::uint32_t e : units_[unit].expressions)
      if (s_.expressions[e].part == Part::Assign) return &s_.expressions[e];
    return nullptr;
  }

  // What may be changed in one place, in all of these.
  void same_in(const std::vector<std::uint32_t>& places, double more) {
    const auto known = edits_of_.find(places[0]);
    if (known == edits_of_.end()) return;
    for (const std::size_t k : known->second) {
      const SourceEdit& edit = alone_[k];
      if (edit.cost > 1.9 || edit.wider) continue;
      Texts texts;
      for (const std::uint32_t e : places) texts.push_back({e, edit.text});
      add(edit.kind, edit.cost + more, std::move(texts));
    }
  }

  // One expression at several places of a function, which was copied, or one name at several places of a statement: who takes a
  // wrong name seldom takes it each time.
  void repeated() {
    constexpr std::uint32_t names_from = 1000000;
    std::map<std::pair<std::uint32_t, std::string>, std::vector<std::uint32_t>> known;
    for (std::uint32_t e = 0; e < s_.expressions.size(); ++e) {
      const Expression& one = s_.expressions[e];
      const Statement& statement = s_.statements[one.statement];
      if (one.written || statement.kind == Statement::Kind::Macro) continue;
      const bool name = one.part == Part::Name;
      if (!name && (one.last - one.first < 3 || one.part == Part::Paren)) continue;
      if (!one.type.known()) continue;
      known[{name ? names_from + one.statement : statement.function, text(e)}].push_back(e);
    }
    for (const auto& [key, places] : known)
      if (places.size() > 1 && places.size() <= max_places)
        same_in(places, key.first >= names_from ? 0.4 : compares(places[0]) ? 0.45 : 0.15);
  }

  // "EDGE * EDGE", where another side was meant.
  void squares() {
    for (const Expression& one : s_.expressions)
      if (one.part == Part::Binary && s_.expressions[one.parts[0]].part == Part::Name &&
          text(one.parts[0]) == text(one.parts[1]) && statement_of(one).kind != Statement::Kind::Macro)
        same_in(one.parts, 0.2);
  }

  // A bound that is asked for twice was hardly mistaken twice: it is rather what it is compared with.
  bool compares(std::uint32_t e) const {
    return s_.expressions[e].part == Part::Binary &&
           (mark(e) == "<" || mark(e) == "<=" || mark(e) == ">" || mark(e) == ">=");
  }

  // Two comparisons one after the other that are both the wrong way round; of one within the other each asks something else.
  void comparisons() {
    std::uint32_t last = 0;
    bool any = false;
    for (std::uint32_t e = 0; e < s_.expressions.size(); ++e) {
      const Expression& one = s_.expressions[e];
      if (one.part != Part::Binary || (mark(e) != "<" && mark(e) != ">") ||
          s_.statements[one.statement].kind == Statement::Kind::Loop)
        continue;
      if (any && s_.statements[one.statement].function == s_.statements[s_.expressions[last].statement].function &&
          s_.statements[one.statement].block == s_.statements[s_.expressions[last].statement].block &&
          one.statement - s_.expressions[last].statement <= 3 && mark(e) == mark(last) &&
          (one.first >= s_.expressions[last].last || one.last <= s_.expressions[last].first))
        add(EditKind::Operator, 1.4, {{last, turned_round(last)}, {e, turned_round(e)}});
      last = e;
      any = true;
    }
  }
  std::string turned_round(std::uint32_t e) const {
    const Expression& one = s_.expressions[e];
    return fmt::format("{} {} {}", text(one.parts[0]), mark(e) == "<" ? ">" : "<", text(one.parts[1]));
  }

  // Two operands of one kind that should change places, within a statement.
  void exchanges(std::uint32_t number) {
    std::vector<std::uint32_t> leaves;
    for (const std::uint32_t e : units_[number].expressions) {
      const Expression& one = s_.expressions[e];
      const bool leaf =
          one.part == Part::Name || one.part == Part::Number || one.part == Part::Member || one.part == Part::Index;
      // A macro's number has no known type.
      const bool known = one.type.known() || (one.part == Part::Name && names_.constant(text(e)));
      if (leaf && !one.written && known && !called(one)) leaves.push_back(e);
    }
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < leaves.size(); ++i)
      for (std::size_t j = i + 1; j < leaves.size() && pairs < max_pairs; ++j)
        pairs += exchange(leaves[i], leaves[j], 1.5);
    // With the next statements: what their elements' indices are, and what is assigned.
    const std::vector<std::uint32_t> own = roles(number);
    std::uint32_t next = number;
    for (int step = 0; step < 3; ++step) {
      next = following(next);
      if (next == 0) return;
      const std::vector<std::uint32_t> others = roles(next);
      for (const std::uint32_t a : own)
        for (const std::uint32_t b : others)
          if (s_.expressions[a].part != Part::Name || s_.expressions[b].part != Part::Name) exchange(a, b, 1.6);
      // "x = blockIdx.y …; y = blockIdx.x …": where a tile goes that is turned.
      for (const std::uint32_t a : places_in(number))
        for (const std::uint32_t b : places_in(next))
          if (text(s_.expressions[a].parts[0]) == text(s_.expressions[b].parts[0])) exchange(a, b, 1.4);
    }
  }
  // "k = b % m, block = b / m" for "k = b / m, block = b % m": a quotient and its rest, of this statement or the next ones.
  void quotients(std::uint32_t number) {
    std::uint32_t next = number;
    for (int step = 0; step < 3; ++step) {
      for (const std::uint32_t a : units_[number].expressions)
        for (const std::uint32_t b : units_[next].expressions) {
          if (!is_quotient(a) || !is_quotient(b) || mark(a) == mark(b) || (step == 0 && a > b)) continue;
          const Expression &x = s_.expressions[a], &y = s_.expressions[b];
          if (text(x.parts[0]) == text(y.parts[0]) && text(x.parts[1]) == text(y.parts[1])) exchange(a, b, 1.1);
        }
      next = following(next);
      if (next == 0) return;
    }
  }
  bool is_quotient(std::uint32_t e) const {
    const Expression& one = s_.expressions[e];
    return one.part == Part::Binary && (mark(e) == "/" || mark(e) == "%") && one.type.whole();
  }
  // "blockIdx.x" and "get_group_id(0)" of a statement.
  std::vector<std::uint32_t> places_in(std::uint32_t unit) const {
    std::vector<std::uint32_t> all;
    for (const std::uint32_t e : units_[unit].expressions) {
      const Expression& one = s_.expressions[e];
      const std::string_view word = s_.lexemes[one.first].text;
      const bool asks = word == "get_global_id" || word == "get_group_id" || word == "get_local_id";
      if ((one.part == Part::Member && is_place(word)) || (one.part == Part::Call && asks)) all.push_back(e);
    }
    return all;
  }
  bool exchange(std::uint32_t a, std::uint32_t b, double cost) {
    const Expression &x = s_.expressions[a], &y = s_.expressions[b];
    if (x.first < y.last && y.first < x.last) return false;  // one within the other
    const bool alike = x.type == y.type || (x.type.whole() && y.type.whole());
    if (!alike || text(a) == text(b)) return false;
    if ((x.stored && y.type.constant) || (y.stored && x.type.constant)) return false;
    add(EditKind::Order, cost, {{a, operand(b)}, {b, operand(a)}});
    return true;
  }
  std::vector<std::uint32_t> roles(std::uint32_t number) const {
    std::vector<std::uint32_t> all;
    for (const std::uint32_t e : units_[number].expressions) {
      const Expression& one = s_.expressions[e];
      if (one.part == Part::Index && !s_.expressions[one.parts[1]].written) all.push_back(one.parts[1]);
      if (one.part == Part::Assign && s_.statements[units_[number].statement].kind == Statement::Kind::Plain)
        all.push_back(one.parts[1]);
    }
    if (all.size() > 6) all.resize(6);
    return all;
  }

  const SourceNames& names_;
  const std::vector<SourceEdit>& alone_;
  std::vector<Unit> units_;
  std::map<std::uint32_t, std::vector<std::size_t>> edits_of_;
};

}  // namespace

std::string EditMaker::side(std::uint32_t e, std::string_view op) const {
  const Expression& one = s_.expressions[e];
  const bool product = one.part == Part::Binary && (mark(one) == "*" || mark(one) == "/" || mark(one) == "%");
  return product && (op == "+" || op == "-") ? text(e) : operand(e);
}

std::string EditMaker::operand(std::uint32_t e) const {
  const Part part = s_.expressions[e].part;
  const bool loose = part == Part::Binary || part == Part::Choice || part == Part::Assign || part == Part::Comma ||
                     part == Part::Cast || part == Part::Prefix;
  return loose ? "(" + text(e) + ")" : text(e);
}

std::string EditMaker::renamed(const Expression& one, std::string_view was, std::string_view is) const {
  std::string all;
  std::size_t from = s_.begin_of(one);
  for (std::uint32_t k = one.first; k < one.last; ++k) {
    const Lexeme& word = s_.lexemes[k];
    all += s_.text.substr(from, word.begin - from);
    all += word.text == was ? is : word.text;
    from = word.end();
  }
  return all;
}

std::string EditMaker::exchanged(const Expression& one, std::string_view a, std::string_view b, bool fields) const {
  std::string all;
  std::size_t from = s_.begin_of(one);
  for (std::uint32_t k = one.first; k < one.last; ++k) {
    const Lexeme& word = s_.lexemes[k];
    if ((is_field(s_.lexemes, k) && !fields) || (!word.is(a) && !word.is(b))) continue;
    all += s_.text.substr(from, word.begin - from);
    all += word.is(a) ? b : a;
    from = word.end();
  }
  return all + s_.text.substr(from, s_.end_of(one) - from);
}

std::string_view EditMaker::declared_by(const Expression& value) const {
  const Statement& one = statement_of(value);
  const bool named =
      one.kind == Statement::Kind::Declaration && value.first >= one.first + 2 && s_.lexemes[value.first - 1].is("=");
  return named ? s_.lexemes[value.first - 2].text : std::string_view();
}

std::ptrdiff_t EditMaker::times_named(std::string_view name, const Function& in) const {
  return std::count_if(s_.lexemes.begin() + in.open, s_.lexemes.begin() + in.end,
                       [&](const Lexeme& word) { return word.text == name; });
}

bool EditMaker::meets_within(std::size_t first, std::size_t last) const {
  return twiddle::meets_within(s_, first, last);
}

std::vector<SourceEdit> edits_together(const Syntax& syntax, const SourceNames& names,
                                       const std::vector<SourceEdit>& alone) {
  return Together(syntax, names, alone).run();
}

}  // namespace twiddle
