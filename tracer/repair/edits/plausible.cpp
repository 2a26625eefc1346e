#include "tracer/repair/edits/plausible.h"

#include "tracer/repair/edits/edit_words.h"

#include <algorithm>
#include <array>
#include <set>

namespace twiddle {

namespace {

// Names of a text, less those behind a dot.
template <typename Each>
void each_name(const std::vector<Lexeme>& words, std::size_t first, std::size_t last, const Each& each) {
  for (std::size_t k = first; k < last && k < words.size(); ++k)
    if (words[k].kind == Lexeme::Kind::Name && !is_field(words, k)) each(std::string(words[k].text));
}

}  // namespace

Plausibility::Plausibility(const Syntax& syntax) : s_(syntax) {
  for (std::uint32_t e = 0; e < s_.expressions.size(); ++e) around_.push_back(e);
  for (std::uint32_t e = 0; e < s_.expressions.size(); ++e)
    for (const std::uint32_t part : s_.expressions[e].parts) around_[part] = e;
  read_file();
  read_functions();
  read_macros();
  read_subscripts();
  read_products();
  read_dimensions();
}

double Plausibility::cost(const SourceEdit& edit) const {
  if (edit.place != SourceEdit::Place::Expression || edit.swapped_with > 0) return 0;
  const std::vector<Lexeme> words = lexemes_of(edit.text);
  return unused(edit, words) + subscript(edit, words) + product(edit) + bound(edit, words) + alike(edit, words) +
         compared(edit, words) + turned(edit) + dimension(edit, words) + shifted(edit, words) + used_once(edit) +
         difference(edit) + condition(edit, words) + one_of_two_calls(edit) + named_arguments(edit, words) +
         of_macro(edit) + like_its_fellows(edit, words) + asks_of_all(edit) + counted(edit, words) +
         looped(edit, words) + same_twice(edit) + nothing_added(edit);
}

Plausibility::Words Plausibility::names_in(std::size_t first, std::size_t last) const {
  Words names;
  each_name(s_.lexemes, first, last, [&](std::string name) { ++names[std::move(name)]; });
  return names;
}

std::string Plausibility::joined(std::size_t first, std::size_t last) const {
  std::string text;
  for (std::size_t k = first; k < last && k < s_.lexemes.size(); ++k) {
    text += s_.lexemes[k].text;
    text += ' ';
  }
  return text;
}

void Plausibility::read_functions() {
  std::set<std::string, std::less<>> variables;
  for (const Variable& one : s_.variables) variables.insert(one.name);
  for (const Function& one : s_.functions) {
    Scope scope{one.open, one.end, false, names_in(one.open, one.end), {}};
    for (const auto& [name, count] : scope.uses)
      if (variables.count(name) && !file_.declared.count(name)) scope.declared[name] = 1;
    scopes_.push_back(std::move(scope));
  }
}

// "#define F(a, b) …": whether its text has each of its parameters.
void Plausibility::read_macros() {
  const auto& words = s_.lexemes;
  for (std::size_t k = 0; k + 2 < words.size(); ++k) {
    if (!defines_with_parameters(words, k + 1)) continue;
    std::size_t close = k + 3;
    while (close < words.size() && !words[close].is(")")) ++close;
    std::size_t end = close;
    while (end < words.size() && words[end].directive == words[k].directive) ++end;
    Scope scope{close, end, true, names_in(close, end), {}};
    for (const auto& [name, count] : names_in(k + 3, close)) scope.declared[name] = 0;
    scopes_.push_back(std::move(scope));
  }
}

// "__constant int t[4] = {…};" outside functions, "#define N 8".
void Plausibility::read_file() {
  const auto& words = s_.lexemes;
  file_ = {0, words.size(), false, names_in(0, words.size()), {}};
  for (std::size_t k = 1; k + 1 < words.size(); ++k) {
    if (words[k].kind != Lexeme::Kind::Name) continue;
    const bool outside = std::none_of(s_.functions.begin(), s_.functions.end(),
                                      [&](const Function& one) { return one.name_at <= k && k <= one.end; });
    const bool defined = words[k].directive && words[k - 1].is("define") && !words[k + 1].is("(");
    const bool table =
        !words[k].directive && outside && words[k + 1].is("[") && words[k - 1].kind == Lexeme::Kind::Name;
    if (defined || table) file_.declared[std::string(words[k].text)] = 1;
  }
}

const Plausibility::Scope* Plausibility::scope_of(const Expression& one) const {
  const auto found = std::find_if(scopes_.begin(), scopes_.end(), [&](const Scope& scope) {
    return scope.first <= one.first && one.last <= scope.last + (scope.macro ? 0 : 1);
  });
  return found == scopes_.end() ? nullptr : &*found;
}

// Variables, tables and a macro's parameters are declared for some use.
double Plausibility::unused(const SourceEdit& edit, const std::vector<Lexeme>& words) const {
  constexpr double used_at_last = -0.3, left_unused = 0.4, left_unused_of_file = 0.8;
  const Scope* scope = scope_of(s_.expressions[edit.target]);
  if (!scope) return 0;
  Words change;
  const auto note = [&](std::uint32_t target, const std::vector<Lexeme>& now) {
    const Expression& one = s_.expressions[target];
    for (const auto& [name, count] : names_in(one.first, one.last)) change[name] -= count;
    each_name(now, 0, now.size(), [&](const std::string& name) { ++change[name]; });
  };
  note(edit.target, words);
  for (const SourceEdit::Also& also : edit.also) note(also.target, lexemes_of(also.text));
  double cost = 0;
  for (const auto& [name, more] : change) {
    const Scope& in = scope->declared.count(name) ? *scope : file_;
    const auto declared = in.declared.find(name);
    if (more == 0 || declared == in.declared.end()) continue;
    const auto known = in.uses.find(name);
    const int uses = (known == in.uses.end() ? 0 : known->second) - declared->second;
    if (uses == 0 && more > 0) cost = std::min(cost, used_at_last);
    if (uses > 0 && uses + more <= 0)
      cost = std::max(cost, &in == scope && !in.macro ? left_unused : left_unused_of_file);
  }
  return cost;
}

// Of a variable that is used in one place alone it is rather its value that is wrong than what is made of it there; where it is
// assigned to does not count.
double Plausibility::used_once(const SourceEdit& edit) const {
  constexpr double dearer = 0.4;
  const Expression& one = s_.expressions[edit.target];
  if (edit.kind != EditKind::Factor || one.part != Part::Name || !edit.also.empty()) return 0;
  const Scope* scope = scope_of(one);
  // The text of a macro that is defined within a function is in that function's lines, and of no function.
  if (!scope || scope->macro || s_.statements[one.statement].kind == Statement::Kind::Macro) return 0;
  const std::string name(s_.spelling(one));
  const auto declared = scope->declared.find(name);
  const auto uses = scope->uses.find(name);
  const Function& function = s_.functions[s_.statements[one.statement].function];
  const bool parameter = std::any_of(s_.lexemes.begin() + function.open, s_.lexemes.begin() + function.close,
                                     [&](const Lexeme& word) { return word.text == name; });
  if (declared == scope->declared.end() || uses == scope->uses.end() || parameter) return 0;
  const auto assigned = std::count_if(s_.expressions.begin(), s_.expressions.end(), [&](const Expression& other) {
    return other.part == Part::Assign && s_.lexemes[other.mark].is("=") && scope_of(other) == scope &&
           s_.expressions[other.parts[0]].part == Part::Name && s_.spelling(s_.expressions[other.parts[0]]) == name;
  });
  return uses->second - static_cast<int>(assigned) == 2 ? dearer : 0;
}

void Plausibility::read_subscripts() {
  for (std::uint32_t e = 0; e < s_.expressions.size(); ++e) {
    const Expression& one = s_.expressions[e];
    if (one.part != Part::Index) continue;
    indices_[one.statement].push_back(e);
    const Expression& index = s_.expressions[one.parts[1]];
    ++subscripts_[joined(index.first, index.last)];
  }
}

// An index that the file has elsewhere as well is likely to be meant; one that it has elsewhere as it is, too.
double Plausibility::subscript(const SourceEdit& edit, const std::vector<Lexeme>& words) const {
  constexpr double known_elsewhere = 0.15;
  constexpr std::uint32_t least = 3;  // words; "x[i]" is everywhere
  const Expression& one = s_.expressions[edit.target];
  const auto all = indices_.find(one.statement);
  if (!edit.also.empty() || all == indices_.end()) return 0;
  const Expression* index = nullptr;
  for (const std::uint32_t e : all->second) {
    const Expression& within = s_.expressions[s_.expressions[e].parts[1]];
    if (within.first <= one.first && one.last <= within.last &&
        (!index || within.last - within.first < index->last - index->first))
      index = &within;
  }
  if (!index) return 0;
  std::string text = joined(index->first, one.first);
  for (const Lexeme& word : words) {
    text += word.text;
    text += ' ';
  }
  text += joined(one.last, index->last);
  const std::size_t count = index->last - index->first - (one.last - one.first) + words.size();
  double cost = 0;
  if (const auto now = subscripts_.find(text); count >= least && now != subscripts_.end()) cost -= known_elsewhere;
  const auto was = subscripts_.find(joined(index->first, index->last));
  if (index->last - index->first >= least && was != subscripts_.end() && was->second > 1) cost += known_elsewhere;
  return cost;
}

// The two sums of a product of complex numbers, a c - b d and a d + b c, in neighbouring statements or arguments: one of the
// two has a minus.
void Plausibility::read_products() {
  struct Sum {
    std::uint32_t expression = 0;
    std::array<std::string, 4> factors;  // of the first product, and of the second
    bool minus = false;
  };
  const auto inside = [&](std::uint32_t e) {
    while (s_.expressions[e].part == Part::Paren) e = s_.expressions[e].parts[0];
    return e;
  };
  const auto is = [&](const Expression& one, std::string_view mark) {
    return one.part == Part::Binary && s_.lexemes[one.mark].is(mark);
  };
  const auto text_of = [&](std::uint32_t e) {
    return joined(s_.expressions[inside(e)].first, s_.expressions[inside(e)].last);
  };
  std::vector<Sum> sums;
  for (std::uint32_t e = 0; e < s_.expressions.size(); ++e) {
    const Expression& one = s_.expressions[e];
    if (!is(one, "+") && !is(one, "-")) continue;
    const Expression &a = s_.expressions[inside(one.parts[0])], &b = s_.expressions[inside(one.parts[1])];
    if (!is(a, "*") || !is(b, "*")) continue;
    sums.push_back(
        {e, {text_of(a.parts[0]), text_of(a.parts[1]), text_of(b.parts[0]), text_of(b.parts[1])}, is(one, "-")});
  }
  // a c and b d beside a d and b c: each factor is beside the other two, and not beside its fellow.
  const auto crossed = [](const Sum& x, const Sum& y) {
    const std::multiset<std::string> all(x.factors.begin(), x.factors.end()),
        others(y.factors.begin(), y.factors.end());
    if (all != others || std::set<std::string>(x.factors.begin(), x.factors.end()).size() != 4) return false;
    const auto fellow = [](const Sum& sum, const std::string& factor) {
      const auto at =
          static_cast<std::size_t>(std::find(sum.factors.begin(), sum.factors.end(), factor) - sum.factors.begin());
      return sum.factors[at ^ 1];
    };
    return std::all_of(x.factors.begin(), x.factors.end(),
                       [&](const std::string& factor) { return fellow(x, factor) != fellow(y, factor); });
  };
  for (std::size_t i = 0; i + 1 < sums.size(); ++i) {
    const Sum &x = sums[i], &y = sums[i + 1];
    const std::uint32_t from = s_.expressions[x.expression].statement, to = s_.expressions[y.expression].statement;
    if (to > from + 1 || s_.statements[from].function != s_.statements[to].function || !crossed(x, y)) continue;
    for (const Sum* sum : {&x, &y}) products_.try_emplace(sum->expression, x.minus != y.minus);
  }
}

double Plausibility::product(const SourceEdit& edit) const {
  constexpr double mended = -0.35, spoilt = 0.25;
  const auto known = products_.find(edit.target);
  if (known == products_.end() || edit.kind != EditKind::Operator || !edit.also.empty()) return 0;
  return known->second ? spoilt : mended;
}

// "for (i = 0; i <= n; …)": few count so, of an argument fewer, and of a kernel's n hardly anyone.
double Plausibility::bound(const SourceEdit& edit, const std::vector<Lexeme>& words) const {
  constexpr double dearer = 0.25, of_parameter = 0.8, of_argument = 0.5;
  const Expression& one = s_.expressions[edit.target];
  const Statement& statement = s_.statements[one.statement];
  if (statement.kind != Statement::Kind::Loop || one.part != Part::Binary || !s_.lexemes[one.mark].is("<")) return 0;
  if (std::none_of(words.begin(), words.end(), [](const Lexeme& word) { return word.is("<="); })) return 0;
  const Expression& limit = s_.expressions[one.parts[1]];
  const Function& function = s_.functions[statement.function];
  const bool parameter = limit.part == Part::Name &&
                         std::any_of(s_.lexemes.begin() + function.open, s_.lexemes.begin() + function.close,
                                     [&](const Lexeme& word) { return word.text == s_.lexemes[limit.first].text; });
  for (std::size_t k = statement.first; k + 1 < one.first; ++k)
    if (s_.lexemes[k].is("=") && s_.lexemes[k + 1].is("0"))
      return !parameter ? dearer : function.kernel ? of_parameter : of_argument;
  return 0;
}

namespace {

bool asks_place(std::string_view word) {
  return word.starts_with("get_") && (word.ends_with("_id") || word.ends_with("_size") || word.ends_with("_groups"));
}

}  // namespace

void Plausibility::read_dimensions() {
  for (std::size_t k = 0; k + 2 < s_.lexemes.size(); ++k)
    if (is_place(s_.lexemes[k].text) || asks_place(s_.lexemes[k].text))
      dimensions_.insert(std::string(s_.lexemes[k + 2].text));
}

// Items that are numbered in one dimension alone have no place in another one.
double Plausibility::dimension(const SourceEdit& edit, const std::vector<Lexeme>& words) const {
  constexpr double dearer = 0.6;
  const Expression& one = s_.expressions[edit.target];
  if (words.empty()) return 0;
  const bool component =
      one.part == Part::Member && is_place(s_.lexemes[one.first].text) && words.size() == 3 && is_place(words[0].text);
  const bool number = one.part == Part::Number && words.size() == 1 && one.first >= 2 &&
                      s_.lexemes[one.first - 1].is("(") && asks_place(s_.lexemes[one.first - 2].text);
  return (component || number) && !dimensions_.count(words.back().text) ? dearer : 0;
}

// "n >> n" and "a - a" are hardly meant.
double Plausibility::alike(const SourceEdit& edit, const std::vector<Lexeme>& words) const {
  constexpr double dearer = 0.8;
  const std::uint32_t own = out_of_brackets(edit.target), whole = around_[own];
  const Expression& one = s_.expressions[whole];
  if (whole == own || one.part != Part::Binary || s_.lexemes[one.mark].is("+") || s_.lexemes[one.mark].is("*"))
    return 0;
  const auto bare = [](const std::vector<Lexeme>& all, std::size_t first, std::size_t last) {
    while (last - first > 2 && all[first].is("(") && all[last - 1].is(")")) {
      ++first;
      --last;
    }
    std::string text;
    for (std::size_t k = first; k < last; ++k) (text += all[k].text) += ' ';
    return text;
  };
  const Expression& other = s_.expressions[one.parts[0] == own ? one.parts[1] : one.parts[0]];
  return bare(words, 0, words.size()) == bare(s_.lexemes, other.first, other.last) ? dearer : 0;
}

// "f(a[i]) > f(a[i])": what is compared with itself, however deep in it the change is.
double Plausibility::compared(const SourceEdit& edit, const std::vector<Lexeme>& words) const {
  constexpr double dearer = 0.9;
  if (!edit.also.empty()) return 0;
  const Expression& own = s_.expressions[edit.target];
  std::uint32_t part = edit.target;
  for (std::uint32_t whole = around_[part]; whole != part; part = whole, whole = around_[whole]) {
    const Expression& one = s_.expressions[whole];
    if (one.part != Part::Binary) continue;
    const Lexeme& mark = s_.lexemes[one.mark];
    if (!mark.is("<") && !mark.is(">") && !mark.is("<=") && !mark.is(">=") && !mark.is("==") && !mark.is("!="))
      continue;
    const Expression &side = s_.expressions[part], &other = s_.expressions[one.parts[one.parts[0] == part ? 1 : 0]];
    std::string now = joined(side.first, own.first);
    for (const Lexeme& word : words) (now += word.text) += ' ';
    return now + joined(own.last, side.last) == joined(other.first, other.last) ? dearer : 0;
  }
  return 0;
}

// By less than nothing nothing is shifted, and by 32 no number of 32 bits.
double Plausibility::shifted(const SourceEdit& edit, const std::vector<Lexeme>& words) const {
  constexpr double dearer = 1.5;
  if (words.empty()) return 0;
  const bool below = words.front().is("-");
  const bool beyond =
      words.size() == 1 && words[0].kind == Lexeme::Kind::Number && words[0].text.size() == 2 && words[0].text >= "32";
  if (!below && !beyond) return 0;
  const std::uint32_t own = out_of_brackets(edit.target), whole = around_[own];
  const Expression& one = s_.expressions[whole];
  if (whole == own || (one.part != Part::Binary && one.part != Part::Assign) || one.parts[1] != own) return 0;
  const ValueType& type = s_.expressions[one.parts[0]].type;
  if (!below &&
      (!type.whole() || type.name.find("long") != std::string::npos || type.name.find("64") != std::string::npos))
    return 0;
  const std::string_view mark = s_.lexemes[one.mark].text;
  return mark.starts_with("<<") || mark.starts_with(">>") ? dearer : 0;
}

std::uint32_t Plausibility::out_of_brackets(std::uint32_t expression) const {
  while (s_.expressions[around_[expression]].part == Part::Paren && around_[expression] != expression)
    expression = around_[expression];
  return expression;
}

// "(a - b + n) % n": n is added so that what is left of a difference is never below zero; a sum would need no such thing.
double Plausibility::difference(const SourceEdit& edit) const {
  constexpr double dearer = 0.8;
  const Expression& one = s_.expressions[edit.target];
  if (edit.kind != EditKind::Operator || one.part != Part::Binary || !s_.lexemes[one.mark].is("-")) return 0;
  const Expression& sum = s_.expressions[around_[edit.target]];
  if (sum.part != Part::Binary || !s_.lexemes[sum.mark].is("+") || sum.parts[0] != edit.target) return 0;
  const std::uint32_t left = out_of_brackets(around_[edit.target]);
  const Expression& rest = s_.expressions[around_[left]];
  return rest.part == Part::Binary && s_.lexemes[rest.mark].is("%") && rest.parts[0] == left &&
                 s_.spelling(s_.expressions[rest.parts[1]]) == s_.spelling(s_.expressions[sum.parts[1]])
             ? dearer
             : 0;
}

// "if (n)" for "if (on)" or "if (i < m)": that a number is not nought is hardly what was to be asked of all items alike. And where
// items meet within a condition, it is rather there that they should not.
double Plausibility::condition(const SourceEdit& edit, const std::vector<Lexeme>& words) const {
  constexpr double dearer = 0.6, around_barrier = 1.2;
  const Statement& statement = s_.statements[s_.expressions[edit.target].statement];
  if (statement.kind != Statement::Kind::Condition) return 0;
  if (meets_within(s_, statement.body, statement.body_last)) return around_barrier;
  if (words.size() != 1 || words[0].kind != Lexeme::Kind::Name ||
      std::find(statement.expressions.begin(), statement.expressions.end(), edit.target) == statement.expressions.end())
    return 0;
  const Expression& one = s_.expressions[edit.target];
  if (one.type.name != "bool" && one.part != Part::Binary) return 0;
  const auto known = std::find_if(statement.visible.rbegin(), statement.visible.rend(),
                                  [&](std::uint32_t v) { return s_.variables[v].name == words[0].text; });
  return known != statement.visible.rend() && s_.variables[*known].type.name == "bool" ? 0 : dearer;
}

// "c = cos(a), s = sin(a)": what is done to the argument of the one and not of the other takes apart what belongs together;
// where both are wrong it is the argument's own value that is.
double Plausibility::one_of_two_calls(const SourceEdit& edit) const {
  constexpr double dearer = 0.35;
  const Expression &one = s_.expressions[edit.target], &call = s_.expressions[around_[edit.target]];
  if (!edit.also.empty() || call.part != Part::Call || call.parts[0] == edit.target || call.parts.size() != 2 ||
      one.part == Part::Number)
    return 0;
  const std::string_view text = s_.spelling(one), function = s_.spelling(s_.expressions[call.parts[0]]);
  // Of two functions of one argument: two elements of one table are often beside one another and different.
  return std::any_of(s_.expressions.begin(), s_.expressions.end(),
                     [&](const Expression& other) {
                       return other.part == Part::Call && other.parts.size() == 2 &&
                              other.statement <= one.statement + 1 && one.statement <= other.statement + 1 &&
                              s_.spelling(s_.expressions[other.parts[1]]) == text &&
                              s_.spelling(s_.expressions[other.parts[0]]) != function;
                     })
             ? dearer
             : 0;
}

// "f(&im, &re)" for "f(&re, &im)", where the function calls them re and im: arguments that are called as the parameters are.
double Plausibility::named_arguments(const SourceEdit& edit, const std::vector<Lexeme>& words) const {
  constexpr double named = 0.4;
  const Expression& call = s_.expressions[edit.target];
  if (edit.kind != EditKind::Order || call.part != Part::Call || !edit.also.empty()) return 0;
  const std::string_view name = s_.spelling(s_.expressions[call.parts[0]]);
  const auto function =
      std::find_if(s_.functions.begin(), s_.functions.end(), [&](const Function& one) { return one.name == name; });
  if (function == s_.functions.end()) return 0;
  // The last name of each of what commas part.
  const auto last_names = [](const std::vector<Lexeme>& all, std::size_t first, std::size_t last) {
    std::vector<std::string_view> names(1);
    int depth = 0;
    for (std::size_t k = first; k < last && k < all.size(); ++k) {
      const Lexeme& word = all[k];
      if (word.is("(") || word.is("[") || word.is("{")) ++depth;
      if (word.is(")") || word.is("]") || word.is("}")) --depth;
      if (depth == 0 && word.is(",")) names.emplace_back();
      if (depth == 0 && word.kind == Lexeme::Kind::Name) names.back() = word.text;
    }
    return names;
  };
  const auto parameters = last_names(s_.lexemes, function->open + 1, function->close);
  const auto fit = [&](const std::vector<std::string_view>& arguments) {
    int count = 0;
    for (std::size_t k = 0; k < std::min(arguments.size(), parameters.size()); ++k)
      count += !arguments[k].empty() && arguments[k] == parameters[k];
    return count;
  };
  const std::uint32_t open = s_.expressions[call.parts[0]].last;
  const auto opened = std::find_if(words.begin(), words.end(), [](const Lexeme& word) { return word.is("("); });
  if (opened == words.end()) return 0;
  const int was = fit(last_names(s_.lexemes, open + 1, call.last - 1));
  const int is = fit(last_names(words, static_cast<std::size_t>(opened - words.begin()) + 1, words.size() - 1));
  return is < was ? named : is > was ? -named : 0;
}

// "x + 0": where nothing is to be added, nothing is written.
double Plausibility::nothing_added(const SourceEdit& edit) const {
  constexpr double dearer = 0.6;
  const std::uint32_t sum = around_[edit.target];
  const Expression& whole = s_.expressions[sum];
  const bool added = whole.part == Part::Binary && (s_.lexemes[whole.mark].is("+") || s_.lexemes[whole.mark].is("-"));
  return added && edit.text == "0" && edit.also.empty() ? dearer : 0;
}

// "f(x, x)" for "f(x, y)": what reads one array and writes another is seldom meant to do both in one.
double Plausibility::same_twice(const SourceEdit& edit) const {
  constexpr double dearer = 0.5;
  const std::uint32_t call = around_[edit.target];
  const Expression &one = s_.expressions[edit.target], &whole = s_.expressions[call];
  if (whole.part != Part::Call || one.part != Part::Name || one.type.depth == 0 || !edit.also.empty()) return 0;
  return std::any_of(whole.parts.begin() + 1, whole.parts.end(),
                     [&](std::uint32_t other) {
                       return other != edit.target && s_.spelling(s_.expressions[other]) == edit.text;
                     })
             ? dearer
             : 0;
}

// What a macro with parameters makes of them is wrong wherever it is used: of many places each would be.
double Plausibility::of_macro(const SourceEdit& edit) const {
  constexpr double dearer = 0.3;
  constexpr int many = 4;
  const Scope* scope = scope_of(s_.expressions[edit.target]);
  if (!scope || !scope->macro) return 0;
  std::size_t k = scope->first;
  while (k > 0 && s_.lexemes[k].directive && !s_.lexemes[k].is("define")) --k;
  const auto uses = file_.uses.find(s_.lexemes[k + 1].text);
  return uses != file_.uses.end() && uses->second > many ? dearer : 0;
}

// "t[PAD(i)]" for "t[i]", where each other element of t is asked for by PAD of something.
double Plausibility::like_its_fellows(const SourceEdit& edit, const std::vector<Lexeme>& words) const {
  constexpr double likelier = -0.4;
  constexpr int enough = 2;
  const Expression &one = s_.expressions[edit.target], &element = s_.expressions[around_[edit.target]];
  if (!edit.also.empty() || element.part != Part::Index || element.parts[1] != edit.target || words.size() < 4 ||
      words[0].kind != Lexeme::Kind::Name || !words[1].is("(") || !words.back().is(")") ||
      (one.part == Part::Call && s_.lexemes[one.first].text == words[0].text))
    return 0;
  const std::string_view array = s_.spelling(s_.expressions[element.parts[0]]);
  const std::uint32_t function = s_.statements[one.statement].function;
  int fellows = 0;
  for (const Expression& other : s_.expressions) {
    if (other.part != Part::Index || &other == &element || s_.statements[other.statement].function != function ||
        s_.spelling(s_.expressions[other.parts[0]]) != array)
      continue;
    const Expression& index = s_.expressions[other.parts[1]];
    if (index.part != Part::Call || s_.lexemes[index.first].text != words[0].text) return 0;
    ++fellows;
  }
  return fellows >= enough ? likelier : 0;
}

// "__match_any_sync(mask, i)" for "(mask, bin)": an item's own number is alike for none, so that nothing would be shared.
double Plausibility::asks_of_all(const SourceEdit& edit) const {
  constexpr double dearer = 0.9;
  const Expression &one = s_.expressions[edit.target], &call = s_.expressions[around_[edit.target]];
  return edit.kind == EditKind::Name && call.part == Part::Call && call.parts[0] != edit.target &&
                 s_.spelling(s_.expressions[call.parts[0]]).starts_with("__match_") && one.part != Part::Number
             ? dearer
             : 0;
}

// What no author counts by: bits shifted by one more or fewer than a half of a word has, twice what a number is compared with.
double Plausibility::counted(const SourceEdit& edit, const std::vector<Lexeme>& words) const {
  constexpr double not_a_half = 0.9, twice = 0.25, computed_mask = 0.5;
  const Expression& one = s_.expressions[edit.target];
  if (!edit.also.empty() || one.first == 0) return 0;
  const std::string_view before = s_.lexemes[one.first - 1].text, was = s_.spelling(one);
  const bool number = one.part == Part::Number && words.size() == 1 && words[0].kind == Lexeme::Kind::Number;
  if (number && (before == "<<" || before == ">>") && (was == "8" || was == "16" || was == "32"))
    return words[0].is("8") || words[0].is("16") || words[0].is("24") || words[0].is("32") || words[0].is("48")
               ? 0
               : not_a_half;
  // "& 31" is of what a row has, and never of what an item has computed.
  if (one.part == Part::Number && (before == "&" || before == "%") && words.size() == 1 &&
      words[0].kind == Lexeme::Kind::Name &&
      std::any_of(words[0].text.begin(), words[0].text.end(), [](char c) { return c >= 'a' && c <= 'z'; }) &&
      (was == "7" || was == "15" || was == "31" || was == "63" || was == "32" || was == "16"))
    return computed_mask;
  if (number && edit.kind == EditKind::Number && (before == "==" || before == "!=") && was.size() == 1 &&
      words[0].text.size() == 1 && 2 * (was[0] - '0') == words[0].text[0] - '0')
    return twice;
  return 0;
}

// A loop that begins where it ends, and one that does not ask for what it counts. One of a single turn was hardly meant.
double Plausibility::looped(const SourceEdit& edit, const std::vector<Lexeme>& words) const {
  constexpr double one_turn = 0.6, other_counter = 0.7, turns_once = -0.7;
  const Expression& one = s_.expressions[edit.target];
  if (!edit.also.empty() || one.first == 0 || s_.statements[one.statement].kind != Statement::Kind::Loop) return 0;
  const std::string_view before = s_.lexemes[one.first - 1].text, was = s_.spelling(one);
  const Expression& asks = s_.expressions[around_[edit.target]];
  const bool compares = asks.part == Part::Binary && (s_.lexemes[asks.mark].is("<") || s_.lexemes[asks.mark].is(">"));
  // "for (int i = 0; i < 1; …)" and "for (int i = 0; sum < n; …)".
  if (compares && asks.first > 3 && s_.lexemes[asks.first - 1].is(";") && s_.lexemes[asks.first - 3].is("=") &&
      s_.lexemes[asks.first - 4].text == s_.lexemes[asks.first].text) {
    if (asks.parts[1] == edit.target && was == "1" && s_.lexemes[asks.first - 2].is("0")) return turns_once;
    if (asks.parts[0] == edit.target && one.part == Part::Name &&
        std::none_of(words.begin(), words.end(), [&](const Lexeme& word) { return word.text == was; }))
      return other_counter;
  }
  if (before != "=" || words.size() != 1) return 0;
  // "for (int j = i; j <= i; …)".
  const std::uint32_t end = one.last;
  return end + 4 < s_.lexemes.size() && s_.lexemes[end].is(";") &&
                 s_.lexemes[end + 1].text == s_.lexemes[one.first - 2].text &&
                 (s_.lexemes[end + 2].is("<=") || s_.lexemes[end + 2].is("<") || s_.lexemes[end + 2].is(">=") ||
                  s_.lexemes[end + 2].is(">")) &&
                 s_.lexemes[end + 3].text == words[0].text && s_.lexemes[end + 4].is(";")
             ? one_turn
             : 0;
}

// Most people have in rows what their items are numbered by first: "t[threadIdx.y][threadIdx.x]".
double Plausibility::turned(const SourceEdit& edit) const {
  constexpr double custom = 0.35, where_stored = 0.1;
  if (edit.kind != EditKind::Order || !edit.also.empty()) return 0;
  const Expression* one = &s_.expressions[edit.target];
  const bool stored = one->part == Part::Assign || one->written;
  if (one->part == Part::Assign) one = &s_.expressions[one->parts[0]];
  if (one->part != Part::Index || s_.expressions[one->parts[0]].part != Part::Index) return 0;
  const Expression &row = s_.expressions[s_.expressions[one->parts[0]].parts[1]],
                   &column = s_.expressions[one->parts[1]];
  const std::string other = "[" + std::string(s_.spelling(column)) + "][" + std::string(s_.spelling(row)) + "]";
  if (edit.text.find(other) == std::string::npos) return 0;
  const auto first_number = [&](const Expression& index) {
    for (std::size_t k = index.first; k < index.last; ++k) {
      const std::string_view word = s_.lexemes[k].text;
      if (word == "tx" || word == "lx") return true;
      if (word == "threadIdx" && k + 2 < index.last && s_.lexemes[k + 2].is("x")) return true;
      if ((word == "get_local_id" || word == "get_global_id") && k + 2 < index.last && s_.lexemes[k + 2].is("0"))
        return true;
    }
    return false;
  };
  const bool rows = first_number(row), columns = first_number(column);
  // A tile that is turned is stored as it came and turned where it is read.
  return rows == columns ? 0 : rows ? -custom : custom + (stored ? where_stored : 0);
}

double constant_cost(const Syntax& syntax, const SourceEdit& edit) {
  if (edit.place != SourceEdit::Place::Expression) return 0;
  const Expression& one = syntax.expressions[edit.target];
  const Statement& statement = syntax.statements[one.statement];
  const bool whole = one.first == statement.first && one.last == statement.last;
  return statement.kind == Statement::Kind::Macro && whole && one.part == Part::Number ? 0.6 : 0;
}

}  // namespace twiddle
