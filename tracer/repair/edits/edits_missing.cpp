// What people leave out: a guard by the item's own number, the order of what is equal, the last item's case, one step of a
// series, the nought that a scan goes down with.
#include "base/text.h"
#include "tracer/repair/edits/edit_maker.h"
#include "tracer/repair/edits/edits_more.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace twiddle {
namespace {

constexpr std::size_t max_items = 3, max_choices = 8, max_thirds = 6, max_noughts = 8, max_steps = 12, max_compared = 8;

bool is_number_of_item(std::string_view word) {
  return word == "threadIdx" || word == "get_local_id" || word == "get_global_id" || word == "thread_rank" ||
         word == "get_sub_group_local_id" || word == "laneid" || word == "lane_id";
}

// What the items of a function are numbered by.
class ItemNumbers : protected EditMaker {
 protected:
  using EditMaker::EditMaker;

  // Variables that begin as an item's number, and, of groups of threads that are handed on, their own.
  std::vector<std::string> items(const Statement& from) const {
    std::vector<std::string> all;
    const auto put = [&](std::string word) {
      if (all.size() < max_items && std::find(all.begin(), all.end(), word) == all.end())
        all.push_back(std::move(word));
    };
    const Function& function = s_.functions[from.function];
    const std::vector<std::string> whole = visible_names(from, &ValueType::whole);
    for (const Statement& one : s_.statements) {
      if (one.function != from.function || one.kind != Statement::Kind::Declaration || one.last > from.first) continue;
      for (std::uint32_t k = one.first; k + 1 < one.last; ++k) {
        if (!s_.lexemes[k + 1].is("=") || s_.lexemes[k].kind != Lexeme::Kind::Name) continue;
        const std::string word(s_.lexemes[k].text);
        if (std::find(whole.begin(), whole.end(), word) == whole.end()) continue;
        for (std::uint32_t v = k + 2; v < one.last && !s_.lexemes[v].is("=") && !s_.lexemes[v].is(";"); ++v)
          if (is_number_of_item(s_.lexemes[v].text)) put(word);
      }
    }
    for (std::uint32_t k = function.body; k + 2 < function.end; ++k)
      if (s_.lexemes[k + 1].is(".") && s_.lexemes[k + 2].text.starts_with("shfl"))
        put(std::string(s_.lexemes[k].text) + ".thread_rank()");
    return all;
  }
  std::string an_item(const Statement& from) const {
    const std::vector<std::string> all = items(from);
    return !all.empty() ? all[0] : opencl_ ? "get_local_id(0)" : "threadIdx.x";
  }

  // The variables that a loop counts with.
  std::set<std::string> counters(const Statement& loop) const {
    std::set<std::string> all;
    for (std::uint32_t k = loop.first; k + 1 < loop.last; ++k) {
      const Lexeme &word = s_.lexemes[k], &next = s_.lexemes[k + 1];
      if (word.kind == Lexeme::Kind::Name && next.kind == Lexeme::Kind::Mark && !next.is("==") && !next.is("<=") &&
          !next.is(">=") && !next.is("!=") && (next.text.ends_with("=") || next.is("++") || next.is("--")))
        all.insert(std::string(word.text));
    }
    return all;
  }
};

class Missing : ItemNumbers {
 public:
  explicit Missing(const Syntax& syntax) : ItemNumbers(syntax) {}

  std::vector<SourceEdit> run() {
    for (target_ = 0; target_ < s_.expressions.size(); ++target_) {
      const Expression& one = s_.expressions[target_];
      const Statement& own = statement_of(one);
      if (own.kind == Statement::Kind::Macro || one.written) continue;
      if (one.part == Part::Binary) comparison(one, own);
      if (one.part == Part::Binary) product(one);
      if (one.part == Part::Binary) brackets_left_out(one);
      if (one.part == Part::Binary) pairs_of(one, own);
      if (one.part == Part::Member) of_both(one, own);
      if (one.part == Part::Call) by_turns(one, own);
      if (one.part == Part::Call) of_number(one, own);
      if (one.part == Part::Assign) stored(one, own);
      if (one.part == Part::Assign) scaled(one, own);
      if (one.part == Part::Assign && mark(one) == "=") by_constant(one);
      if (one.part == Part::Assign && mark(one) == "=") but_the_first(one.parts[1], own);
      if (one.part == Part::Assign && mark(one) == "=") with_unread(one.parts[1], own);
      const auto& roots = own.expressions;
      if (own.kind == Statement::Kind::Declaration && one.part != Part::Assign &&
          std::find(roots.begin(), roots.end(), target_) != roots.end()) {
        with_unread(target_, own);
        but_the_first(target_, own);
      }
    }
    for (std::uint32_t k = 0; k < s_.statements.size(); ++k) {
      guards(k);
      if (s_.statements[k].kind == Statement::Kind::Condition) only_where_kept(s_.statements[k]);
      no_work(k);
    }
    return std::move(edits_);
  }

 private:
  // "c && lane == leader" for "c", where a leader was found and nothing asks for it.
  void only_where_kept(const Statement& one) {
    if (one.expressions.size() != 1) return;
    const std::set<std::string>& unread = unread_in(one.function);
    if (unread.empty()) return;
    target_ = one.expressions[0];
    const std::vector<std::string> whole = visible_names(one, &ValueType::whole);
    std::vector<std::string> others = items(one);
    for (const std::string& name : whole)
      if (!unread.count(name) && std::find(others.begin(), others.end(), name) == others.end()) others.push_back(name);
    if (others.size() > max_compared) others.resize(max_compared);
    others.emplace_back(opencl_ ? "get_local_id(0)" : "threadIdx.x");
    if (!opencl_) others.emplace_back("(threadIdx.x & 31)");
    for (const std::string& name : whole)
      if (unread.count(name))
        for (const std::string& other : others)
          add(EditKind::Condition, 1.6, fmt::format("{} && {} == {}", operand(target_), other, name));
  }

  // "x[i] = make_float2(a / n, b / n)" for "x[i] = make_float2(a, b)".
  void scaled(const Expression& one, const Statement& own) {
    const Expression& value = s_.expressions[one.parts[1]];
    if (mark(one) != "=" || value.part != Part::Call || value.parts.size() < 3) return;
    const std::string function = text(value.parts[0]);
    if (!function.starts_with("make_float") && !function.starts_with("make_double")) return;
    std::vector<std::string> lengths = visible_names(own, &ValueType::whole);
    if (lengths.size() > max_choices) lengths.resize(max_choices);
    for (const std::string& name : enumerators()) lengths.push_back(name);
    const std::uint32_t whole = target_;
    target_ = one.parts[1];
    for (const std::string& length : lengths) {
      std::string made = function + "(";
      for (std::size_t k = 1; k < value.parts.size(); ++k)
        made += fmt::format("{}{} / {}", k > 1 ? ", " : "", operand(value.parts[k]), length);
      add(EditKind::Factor, 2.1, made + ")");
    }
    target_ = whole;
  }
  // "y[g] = s.x * SCALE" for "y[g] = s.x": a constant of the file that nothing uses.
  void by_constant(const Expression& one) {
    const Expression &to = s_.expressions[one.parts[0]], &value = s_.expressions[one.parts[1]];
    if (to.part != Part::Index && to.part != Part::Member) return;
    if (value.type.depth > 0 || value.type.vector() || (!value.type.known() && value.part != Part::Member)) return;
    const std::uint32_t whole = target_;
    target_ = one.parts[1];
    for (const std::string& name : unused_constants()) {
      add(EditKind::Factor, 1.5, fmt::format("{} * {}", operand(target_), name));
      add(EditKind::Factor, 1.6, fmt::format("{} / {}", operand(target_), name));
    }
    target_ = whole;
  }
  // "#define SCALE 0.5f" and "constexpr float SCALE = 0.5f;" outside functions, where the file names them nowhere else.
  const std::vector<std::string>& unused_constants() {
    if (unused_constants_) return *unused_constants_;
    std::vector<std::string>& all = unused_constants_.emplace();
    const auto& words = s_.lexemes;
    for (std::size_t k = 1; k + 2 < words.size() && all.size() < max_items; ++k) {
      if (words[k].kind != Lexeme::Kind::Name) continue;
      const bool has_value = words[k + 1].directive == words[k].directive;
      const bool defined = words[k].directive && words[k - 1].is("define") && has_value && !words[k + 1].is("(");
      const bool constant = !words[k].directive && words[k + 1].is("=") && words[k - 1].kind == Lexeme::Kind::Name &&
                            std::none_of(s_.functions.begin(), s_.functions.end(),
                                         [&](const Function& f) { return f.name_at <= k && k <= f.end; });
      if ((defined || constant) &&
          std::count_if(words.begin(), words.end(), [&](const Lexeme& other) { return other.is(words[k].text); }) == 1)
        all.emplace_back(words[k].text);
    }
    return all;
  }
  // "enum { M = 32, LOGM = 5 };" has M and LOGM.
  std::vector<std::string> enumerators() const {
    std::vector<std::string> all;
    for (std::size_t k = 0; k + 1 < s_.lexemes.size(); ++k) {
      if (!s_.lexemes[k].is("enum")) continue;
      while (k < s_.lexemes.size() && !s_.lexemes[k].is("{") && !s_.lexemes[k].is(";")) ++k;
      for (; k + 1 < s_.lexemes.size() && !s_.lexemes[k].is("}") && !s_.lexemes[k].is(";"); ++k)
        if ((s_.lexemes[k].is("{") || s_.lexemes[k].is(",")) && s_.lexemes[k + 1].kind == Lexeme::Kind::Name &&
            all.size() < max_choices)
          all.emplace_back(s_.lexemes[k + 1].text);
    }
    return all;
  }

  // "T(1) / T(n)" for "T(1)", of a type that a template is made for: a scale.
  void of_number(const Expression& one, const Statement& own) {
    if (one.parts.size() != 2 || s_.expressions[one.parts[1]].part != Part::Number) return;
    const std::string type = text(one.parts[0]);
    bool parameter = false;
    for (std::size_t k = 0; k + 1 < s_.lexemes.size(); ++k)
      parameter =
          parameter || ((s_.lexemes[k].is("typename") || s_.lexemes[k].is("class")) && s_.lexemes[k + 1].is(type));
    if (!parameter) return;
    std::size_t count = 0;
    for (const std::string& name : visible_names(own, &ValueType::whole))
      if (count++ < max_choices) add(EditKind::Factor, 1.9, fmt::format("{} / {}({})", text(target_), type, name));
  }

  void comparison(const Expression& one, const Statement& own) {
    const std::string_view op = mark(one);
    if (own.kind == Statement::Kind::Loop) return;
    const ValueType &x = s_.expressions[one.parts[0]].type, &y = s_.expressions[one.parts[1]].type;
    // Of equal keys the earlier comes first.
    if ((op == "<" || op == ">") && !own.loops.empty() && x.known() && y.known() && x.depth == 0 && y.depth == 0) {
      const std::set<std::string> counted = counters(s_.statements[own.loops.back()]);
      const std::string a = operand(one.parts[0]), b = operand(one.parts[1]);
      if (counted.count(a) || counted.count(b)) return;
      for (const std::string& item : items(own))
        for (const std::string& k : counted)
          if (item != a && item != b)
            add(EditKind::Condition, 2.4, fmt::format("({0} {1} {2}) || ({0} == {2} && {3} < {4})", a, op, b, k, item));
    }
    // The last item has no neighbour to compare with, nor has the first.
    if (op == "==" || op == "!=")
      for (const std::string& item : items(own)) {
        const std::string last = opencl_ ? "get_local_size(0) - 1" : "blockDim.x - 1";
        if (text(one).find(item) != std::string::npos) continue;
        if (!opencl_) add(EditKind::Condition, 2.4, fmt::format("{} == 31 || {}", item, text(one)));
        add(EditKind::Condition, 2.4, fmt::format("{} == {} || {}", item, last, text(one)));
        add(EditKind::Condition, 2.4, fmt::format("{} == 0 || {}", item, text(one)));
      }
  }

  // "p * (p + k)" for "p * k": a step further on, and not from nought.
  void product(const Expression& one) {
    const Expression &a = s_.expressions[one.parts[0]], &b = s_.expressions[one.parts[1]];
    if (mark(one) != "*" || !a.type.whole() || !b.type.whole() || a.part != Part::Name || b.part != Part::Name) return;
    add(EditKind::Factor, 2.4, fmt::format("{0} * ({0} + {1})", text(one.parts[0]), text(one.parts[1])));
    add(EditKind::Factor, 2.4, fmt::format("{1} * ({0} + {1})", text(one.parts[0]), text(one.parts[1])));
  }

  // "(a + b) / c" for "a + b / c".
  void brackets_left_out(const Expression& one) {
    const std::string_view op = mark(one);
    if (op != "+" && op != "-") return;
    const Expression& right = s_.expressions[one.parts[1]];
    if (right.part == Part::Binary && (mark(right) == "*" || mark(right) == "/" || mark(right) == "%"))
      add(EditKind::Order, 1.7,
          fmt::format("({} {} {}) {} {}", text(one.parts[0]), op, operand(right.parts[0]), mark(right),
                      operand(right.parts[1])));
  }

  // "2 * t - (t & (half - 1))" for "2 * t": the first of a pair that is half a block apart.
  void pairs_of(const Expression& one, const Statement& own) {
    const Expression &two = s_.expressions[one.parts[0]], &item = s_.expressions[one.parts[1]];
    if (mark(one) != "*" || two.part != Part::Number || text(one.parts[0]) != "2" || item.part != Part::Name ||
        !item.type.whole())
      return;
    std::vector<std::string> names = visible_names(own, &ValueType::whole, {text(one.parts[1])});
    if (names.size() > max_choices) names.erase(names.begin(), names.end() - max_choices);  // the innermost
    for (const std::string& half : names)
      add(EditKind::More, 2.2, fmt::format("{0} - ({1} & ({2} - 1))", text(target_), text(one.parts[1]), half));
  }

  // "a.y | b.y" for "b.y": what is said of either of two values.
  void of_both(const Expression& one, const Statement& own) {
    const Expression& owner = s_.expressions[one.parts[0]];
    if (!one.type.whole() || owner.part != Part::Name || !owner.type.known() || owner.type.depth > 0) return;
    const std::string field(mark(one));
    std::size_t count = 0;
    for (const std::string& name :
         visible_names(own, [&](const ValueType& other) { return other == owner.type; }, {text(one.parts[0])}))
      if (count++ < max_items)
        for (const char* with : {"|", "+"})
          add(EditKind::More, 2.2, fmt::format("{}.{} {} {}", name, field, with, text(target_)));
  }

  // Two functions that are alike, one for even and one for odd turns.
  void by_turns(const Expression& one, const Statement& own) {
    const std::string function = text(one.parts[0]);
    const auto f = std::find_if(s_.functions.begin(), s_.functions.end(),
                                [&](const Function& known) { return known.name == function; });
    if (f == s_.functions.end() || f->kernel || f->result.name == "void" || is_meeting(s_, function)) return;
    const std::string arguments = text(target_).substr(function.size());
    for (const Function& g : s_.functions) {
      if (g.name == function || !may_call(g, one.first) || g.parameters != f->parameters || !(g.result == f->result))
        continue;
      std::size_t count = 0;
      for (const std::string& name : visible_names(own, &ValueType::whole)) {
        if (count++ == max_choices) break;
        add(EditKind::Condition, 2.4, fmt::format("({} & 1) ? {}{} : {}", name, g.name, arguments, text(target_)));
        add(EditKind::Condition, 2.4, fmt::format("({} & 1) ? {} : {}{}", name, text(target_), g.name, arguments));
      }
    }
  }

  // Of two values the one that a third is not: "x[j] = p + q - a" for "x[j] = q".
  void stored(const Expression& one, const Statement& own) {
    const Expression& value = s_.expressions[one.parts[1]];
    if (mark(one) != "=" || value.part != Part::Name || s_.expressions[one.parts[0]].part != Part::Index) return;
    if (!value.type.whole() && !value.type.floating()) return;
    const std::string word = text(one.parts[1]);
    std::vector<std::string> names;
    for (const std::uint32_t v : own.visible)
      if (s_.variables[v].type == value.type && s_.variables[v].name != word) names.push_back(s_.variables[v].name);
    if (names.size() > max_thirds) names.erase(names.begin(), names.end() - max_thirds);  // the innermost
    const std::uint32_t whole = target_;
    target_ = one.parts[1];
    for (const std::string& other : names)
      for (const std::string& third : names)
        if (other != third) add(EditKind::More, 2.5, fmt::format("{} + {} - {}", word, other, third));
    if (value.type.floating())
      for (const std::string& element : on_diagonal(own))
        add(EditKind::More, 2.2, fmt::format("{} / {}", word, element));
    target_ = whole;
  }
  // "A(r, r)" where the function reads A(r, c), and a[r * n + r] where it reads a[r * n + c]: of the rows that a statement knows.
  std::set<std::string> on_diagonal(const Statement& own) const {
    std::set<std::string> all;
    const std::vector<std::string> whole = visible_names(own, &ValueType::whole);
    const auto known = [&](const Expression& e) {
      return e.part == Part::Name && std::find(whole.begin(), whole.end(), text(e)) != whole.end();
    };
    for (const Expression& one : s_.expressions) {
      if (statement_of(one).function != own.function || statement_of(one).kind == Statement::Kind::Macro) continue;
      if (one.part == Part::Call && one.parts.size() == 3 && !one.type.known() && known(s_.expressions[one.parts[1]]) &&
          s_.expressions[one.parts[2]].part == Part::Name)
        all.insert(fmt::format("{0}({1}, {1})", text(one.parts[0]), text(one.parts[1])));
      if (one.part != Part::Index || !one.type.floating()) continue;
      const Expression& index = s_.expressions[one.parts[1]];
      if (index.part != Part::Binary || mark(index) != "+") continue;
      const Expression& row = s_.expressions[index.parts[0]];
      if (row.part == Part::Binary && mark(row) == "*" && known(s_.expressions[row.parts[0]]))
        all.insert(fmt::format("{}[{} + {}]", text(one.parts[0]), text(index.parts[0]), text(row.parts[0])));
      if (all.size() >= max_noughts) break;
    }
    return all;
  }

  // "k == 0 ? x : 2 * x" for "x": of half a spectrum, or of a cosine series, the first has another factor; and in the first turn of
  // a loop there is nothing to go on from.
  void but_the_first(std::uint32_t value, const Statement& own) {
    const Expression& one = s_.expressions[value];
    if (own.loops.empty() || one.type.depth > 0) return;
    const bool element = own.kind != Statement::Kind::Declaration;
    if (!one.type.floating() && !(one.type.whole() && one.part == Part::Call) && one.part != Part::Member) return;
    std::vector<std::string> names;
    for (auto loop = own.loops.rbegin(); loop != own.loops.rend() && names.size() < max_items; ++loop)
      for (const std::string& name : counters(s_.statements[*loop])) names.push_back(name);
    const std::uint32_t whole = target_;
    target_ = value;
    const std::string as_it_is = text(value), inner = operand(value);
    for (const std::string& k : names) {
      if (one.part == Part::Call) add(EditKind::Condition, 2.3, fmt::format("({} == 0 ? 0 : {})", k, as_it_is));
      if (!element || one.type.whole()) continue;
      add(EditKind::Condition, 2.2, fmt::format("({} == 0 ? {} : 2 * {})", k, as_it_is, inner));
      add(EditKind::Condition, 2.2, fmt::format("({} == 0 ? {} / 2 : {})", k, inner, as_it_is));
      add(EditKind::Condition, 2.4, fmt::format("({} == 0 ? {} : 0)", k, as_it_is));
    }
    target_ = whole;
  }

  // Variables of a function that are given values, and whose values nothing reads.
  const std::set<std::string>& unread_in(std::uint32_t number) {
    const auto [known, fresh] = unread_.try_emplace(number);
    if (!fresh) return known->second;
    std::set<std::string> read;
    const Function& function = s_.functions[number];
    for (std::uint32_t k = function.open; k + 1 < function.end; ++k) {
      if (s_.lexemes[k].kind != Lexeme::Kind::Name) continue;
      std::string name(s_.lexemes[k].text);
      if (!s_.lexemes[k + 1].is("=") || k < function.body)
        read.insert(std::move(name));
      else
        known->second.insert(std::move(name));
    }
    for (const std::string& name : read) known->second.erase(name);
    return known->second;
  }

  // A value lacks what was kept for it: "f(x) + carry" for "f(x)".
  void with_unread(std::uint32_t value, const Statement& own) {
    const ValueType& type = s_.expressions[value].type;
    if (type.depth > 0 || !(type.whole() || type.floating() || type.vector())) return;
    const std::set<std::string>& unread = unread_in(own.function);
    if (unread.empty()) return;
    const std::uint32_t whole = target_;
    target_ = value;
    for (const std::string& name : visible_names(own, [&](const ValueType& other) { return other == type; })) {
      const bool own_value =
          value > 0 && s_.expressions[value].first >= 2 && s_.lexemes[s_.expressions[value].first - 2].text == name;
      if (!unread.count(name) || own_value) continue;
      add(EditKind::More, 1.4, fmt::format("{} + {}", text(value), name));
      add(EditKind::More, 1.6, fmt::format("{} - {}", text(value), name));
      if (!type.vector()) add(EditKind::More, 1.6, fmt::format("{} * {}", operand(value), name));
    }
    target_ = whole;
  }

  // What only items from some distance on do, or only those before it.
  void guards(std::uint32_t number) {
    const Statement& one = s_.statements[number];
    if (one.kind != Statement::Kind::Plain || one.loops.empty() || one.expressions.size() != 1) return;
    const Expression& root = s_.expressions[one.expressions[0]];
    if (root.part != Part::Assign || meets_within(one.first, one.last)) return;
    target_ = number;
    const std::vector<std::string> whole = visible_names(one, &ValueType::whole);
    not_itself(one);
    for (const std::string& k : counters(s_.statements[one.loops.back()])) {
      if (std::find(whole.begin(), whole.end(), k) == whole.end()) continue;
      for (const std::string& item : items(one)) {
        if (item == k) continue;
        add(EditKind::Condition, 2.3, fmt::format("{} >= {}", item, k), Place::Guard);
        add(EditKind::Condition, 2.3, fmt::format("{} < {}", item, k), Place::Guard);
      }
    }
  }

  // "int i = get_global_id(0);" of a kernel in which no item waits: the items past the end of the data have nothing to do.
  void no_work(std::uint32_t number) {
    const Statement& one = s_.statements[number];
    if (one.kind != Statement::Kind::Declaration || !one.loops.empty() || number + 1 >= s_.statements.size()) return;
    const Function& function = s_.functions[one.function];
    const Statement& next = s_.statements[number + 1];
    if (!function.kernel || next.block != one.block || meets_within(function.body, function.end)) return;
    const std::vector<std::string> numbers = items(next);
    const std::string word = numbers.empty() ? std::string() : numbers.back();
    const bool own = std::any_of(s_.lexemes.begin() + one.first, s_.lexemes.begin() + one.last,
                                 [&](const Lexeme& lexeme) { return lexeme.text == word; });
    if (!own) return;
    target_ = number;
    for (const std::string& length : visible_names(one, &ValueType::whole, {word}))
      if (is_parameter(function, length))
        add(EditKind::Condition, 1.8, fmt::format("if ({} >= {}) return;", word, length), Place::After);
  }
  bool is_parameter(const Function& function, std::string_view name) const {
    return std::any_of(s_.lexemes.begin() + function.open, s_.lexemes.begin() + function.close,
                       [&](const Lexeme& lexeme) { return lexeme.text == name; });
  }

  // Of two loops that count from below nought, over neighbours: what is at no distance is the item itself.
  void not_itself(const Statement& one) {
    if (one.loops.size() < 2) return;
    std::string any;
    for (std::size_t k = one.loops.size() - 2; k < one.loops.size(); ++k) {
      const Statement& loop = s_.statements[one.loops[k]];
      for (std::uint32_t w = loop.first; w + 2 < loop.last && !s_.lexemes[w].is(";"); ++w)
        if (s_.lexemes[w].kind == Lexeme::Kind::Name && s_.lexemes[w + 1].is("=") && s_.lexemes[w + 2].is("-"))
          any += (any.empty() ? "" : " || ") + std::string(s_.lexemes[w].text) + " != 0";
    }
    if (any.find("||") != std::string::npos) add(EditKind::Condition, 1.2, any, Place::Guard);
  }

  std::map<std::uint32_t, std::set<std::string>> unread_;  // by function
  std::optional<std::vector<std::string>> unused_constants_;
};

// Statements that were left out before another, each tried in a program of its own.
class MissingStatements : ItemNumbers {
 public:
  explicit MissingStatements(const Syntax& syntax) : ItemNumbers(syntax) {}

  std::vector<SourceEdit> run() {
    for (std::uint32_t k = 0; k < s_.statements.size(); ++k)
      if (s_.statements[k].kind == Statement::Kind::Loop && s_.statements[k].loops.empty()) noughts(k);
    halves();
    steps();
    return std::move(edits_);
  }

  std::vector<SourceEdit> moved() {
    for (std::uint32_t k = 0; k < s_.statements.size(); ++k) forgotten(k);
    return std::move(edits_);
  }

 private:
  // Arrays whose elements a loop assigns to.
  std::set<std::string> assigned_in(const Statement& loop) const {
    std::set<std::string> all;
    for (const Expression& one : s_.expressions)
      if (one.part == Part::Assign && one.first >= loop.body && one.last <= loop.body_last)
        if (const Expression& to = s_.expressions[one.parts[0]]; to.part == Part::Index && one.first >= loop.body)
          if (s_.expressions[to.parts[0]].part == Part::Name) all.insert(text(to.parts[0]));
    return all;
  }

  // A scan that goes up and down again puts a nought at the end between the two.
  void noughts(std::uint32_t number) {
    const Statement& loop = s_.statements[number];
    std::set<std::string> before;
    for (std::uint32_t k = 0; k < number; ++k)
      if (const Statement& other = s_.statements[k];
          other.kind == Statement::Kind::Loop && other.function == loop.function && other.loops.empty())
        before.merge(assigned_in(other));
    if (before.empty()) return;
    const std::vector<std::string> whole = visible_names(loop, &ValueType::whole);
    const std::set<std::string> counted = counters(loop);
    std::vector<std::string> lengths;
    for (std::uint32_t k = loop.first; k < loop.last; ++k)
      if (const std::string word(s_.lexemes[k].text); !counted.count(word) &&
                                                      std::find(whole.begin(), whole.end(), word) != whole.end() &&
                                                      std::find(lengths.begin(), lengths.end(), word) == lengths.end())
        lengths.push_back(word);
    target_ = number;
    for (const std::string& array : assigned_in(loop)) {
      if (!before.count(array)) continue;
      for (const std::string& length : lengths)
        for (const std::string& index : indices(array, length + " - 1", loop.function))
          if (edits_.size() < max_noughts)
            add(EditKind::More, 2.2, fmt::format("if ({} == 0) {}[{}] = 0;", an_item(loop), array, index),
                Place::Before);
    }
  }

  // "bx = blockIdx.x, by = blockIdx.y": where two tiles change places, one of their two groups does it.
  void halves() {
    const auto asks = [&](const Expression& one, std::string_view cuda, std::string_view opencl) {
      return text(one) == cuda || text(one) == opencl;
    };
    for (std::uint32_t f = 0; f < s_.functions.size(); ++f) {
      std::string x, y;
      std::uint32_t last = 0;
      for (std::uint32_t k = 0; k < s_.statements.size(); ++k) {
        const Statement& one = s_.statements[k];
        if (one.function != f || one.kind != Statement::Kind::Declaration || !one.loops.empty()) continue;
        for (const std::uint32_t e : one.expressions) {
          const std::string_view name = declared_by(s_.expressions[e]);
          if (name.empty()) continue;
          const bool first = asks(s_.expressions[e], "blockIdx.x", "get_group_id(0)");
          if (!first && !asks(s_.expressions[e], "blockIdx.y", "get_group_id(1)")) continue;
          (first ? x : y) = name;
          last = k;
        }
      }
      if (x.empty() || y.empty()) continue;
      for (const char* than : {"<", ">"})
        edits_.push_back(
            {Place::Behind, EditKind::More, last, 0, fmt::format("if ({} {} {}) return;", x, than, y), 2.3, {}});
    }
  }

  // "for (…) { int carry = 0; … carry += x[i]; }": what each turn forgets was perhaps meant to go on into the next.
  void forgotten(std::uint32_t number) {
    const Statement& one = s_.statements[number];
    if (one.kind != Statement::Kind::Declaration || one.loops.empty() || one.expressions.size() != 1) return;
    const std::uint32_t of = one.loops.back();
    const Statement& loop = s_.statements[of];
    const Expression& value = s_.expressions[one.expressions[0]];
    const std::string_view word = declared_by(value);
    if (value.part != Part::Number || word.empty() || value.last != one.last) return;
    const bool changes = std::any_of(s_.expressions.begin(), s_.expressions.end(), [&](const Expression& e) {
      return e.written && e.part == Part::Name && e.first > one.last && e.last <= loop.body_last &&
             s_.lexemes[e.first].text == word;
    });
    if (changes) edits_.push_back({Place::MoveBefore, EditKind::Order, of, number, {}, 2.1, {}});
  }

  // How the function turns a number into an index of the array, of this number: "PAD(n - 1)" where it has "PAD(i)". The number
  // itself where it has no such way.
  std::set<std::string> indices(const std::string& array, const std::string& number, std::uint32_t function) const {
    std::set<std::string> all;
    for (const Expression& one : s_.expressions) {
      if (one.part != Part::Index || text(one.parts[0]) != array || statement_of(one).function != function) continue;
      const Expression& index = s_.expressions[one.parts[1]];
      std::optional<std::string> argument;
      for (const Expression& call : s_.expressions)
        if (call.part == Part::Call && call.first >= index.first && call.last <= index.last && call.parts.size() == 2)
          argument = text(call.parts[1]);
      if (!argument) continue;
      const std::string form = text(one.parts[1]);
      const std::vector<Lexeme> own = lexemes_of(*argument), words = lexemes_of(form);
      std::string made;
      std::size_t from = 0;
      for (std::size_t k = 0; k + own.size() <= words.size(); ++k) {
        if (!std::equal(own.begin(), own.end(), words.begin() + static_cast<std::ptrdiff_t>(k),
                        [](const Lexeme& a, const Lexeme& b) { return a.text == b.text; }))
          continue;
        made += form.substr(from, words[k].begin - from) + number;
        k += own.size() - 1;
        from = words[k].end();
      }
      made += form.substr(from);
      all.insert(made);
      if (all.size() == 2) break;
    }
    if (all.empty()) all.insert(number);
    return all;
  }

  // One step of a row of steps that halve a number: "if (t < 2) x[t] += x[t + 2];" behind the one with 4.
  void steps() {
    std::vector<std::pair<int, std::uint32_t>> lines;  // line, its first lexeme
    for (std::uint32_t k = 0; k < s_.lexemes.size(); ++k)
      if (!s_.lexemes[k].directive && (lines.empty() || lines.back().first != s_.lexemes[k].line))
        lines.push_back({s_.lexemes[k].line, k});
    for (std::size_t k = 0; k + 1 < lines.size() && edits_.size() < max_steps; ++k) {
      const std::optional<unsigned> step = step_of(lines[k].second, lines[k + 1].second);
      if (!step) continue;
      const std::string own = line_of_text(s_.text, lines[k].first);
      // With the wait behind it.
      std::size_t next = k + 1;
      std::string block = own;
      if (is_wait(lines[next].second)) block += "\n" + line_of_text(s_.text, lines[next++].first);
      if (next >= lines.size()) continue;
      const std::optional<unsigned> following =
          next + 1 < lines.size() ? step_of(lines[next].second, lines[next + 1].second) : std::nullopt;
      const bool alike = following && with_step(own, *step, *following) == line_of_text(s_.text, lines[next].first);
      if (alike && 2 * *following == *step) continue;
      if (*step >= 2 && (!alike || 4 * *following == *step))
        insert(lines[next].second, with_step(block, *step, *step / 2));
    }
  }
  bool is_wait(std::uint32_t lexeme) const {
    return s_.lexemes[lexeme].kind == Lexeme::Kind::Name && is_meeting(s_, s_.lexemes[lexeme].text);
  }
  // The one power of two that a line of additions names; more than one number, and there is none.
  std::optional<unsigned> step_of(std::uint32_t first, std::uint32_t last) const {
    std::optional<unsigned> step;
    bool adds = false;
    int open = 0;
    for (std::uint32_t k = first; k < last; ++k) {
      const Lexeme& word = s_.lexemes[k];
      open += word.is("{") ? 1 : word.is("}") ? -1 : 0;
      if (word.is("for") || word.is("while") || open < 0) return std::nullopt;
      adds = adds || word.is("+=");
      if (word.kind != Lexeme::Kind::Number) continue;
      const std::optional<unsigned> value = number_in<unsigned>(word.text);
      if (!value || word.text.size() > 4 || !std::has_single_bit(*value) || (step && *step != *value))
        return std::nullopt;
      step = value;
    }
    return adds && open == 0 ? step : std::nullopt;
  }
  static std::string with_step(const std::string& text, unsigned from, unsigned to) {
    const std::vector<Lexeme> words = lexemes_of(text);
    std::string out;
    std::size_t at = 0;
    for (const Lexeme& word : words)
      if (word.kind == Lexeme::Kind::Number && word.text == std::to_string(from)) {
        out += text.substr(at, word.begin - at) + std::to_string(to);
        at = word.end();
      }
    return out + text.substr(at);
  }
  void insert(std::uint32_t lexeme, const std::string& lines) {
    edits_.push_back(
        {Place::Word, EditKind::More, lexeme, 0, lines + "\n" + std::string(s_.lexemes[lexeme].text), 2.0, {}});
  }
};

}  // namespace

std::vector<SourceEdit> edits_of_missing(const Syntax& syntax) { return Missing(syntax).run(); }

std::vector<SourceEdit> missing_statements(const Syntax& syntax) { return MissingStatements(syntax).run(); }
std::vector<SourceEdit> moved_declarations(const Syntax& syntax) { return MissingStatements(syntax).moved(); }

}  // namespace twiddle
