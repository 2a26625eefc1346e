#include "tracer/syntax/source_names.h"

#include <algorithm>
#include <map>

namespace twiddle {

SourceNames::SourceNames(const Syntax& syntax) : s_(syntax) {
  find_constants();
  find_defines();
  find_constants_of_build();
  for (const Lexeme& one : s_.lexemes)
    if (one.kind == Lexeme::Kind::Number && one.text.size() < 7 &&
        one.text.find_first_not_of("0123456789") == std::string_view::npos)
      numbers_.insert(std::stoull(std::string(one.text)));
  if (numbers_.size() > 16) numbers_.clear();
  for (const Lexeme& one : s_.lexemes)
    if (one.kind == Lexeme::Kind::Number && one.text.find('.') != std::string_view::npos && reals_.size() < 12 &&
        std::find(reals_.begin(), reals_.end(), one.text) == reals_.end())
      reals_.emplace_back(one.text);
}

bool SourceNames::outside_functions(std::size_t lexeme) const {
  return std::none_of(s_.functions.begin(), s_.functions.end(),
                      [&](const Function& f) { return lexeme >= f.open && lexeme < f.end; });
}

// Whether the name before a "[" is what a declaration declares there ("float tile[N], *rows[M];"), and no element that an
// expression names ("w * t[k]", "f(a, x[i])").
bool SourceNames::is_declared(std::size_t name) const {
  if (name == 0 || s_.lexemes[name].directive) return false;
  const Lexeme& before = s_.lexemes[name - 1];
  if (before.kind == Lexeme::Kind::Name) return !before.is("return") && !before.is("else");
  std::size_t from = name;
  int depth = 0;
  while (from > 0) {
    const Lexeme& one = s_.lexemes[from - 1];
    if (one.is(";") || one.is("}") || one.directive) break;
    if (one.is(")") || one.is("]")) ++depth;
    if (depth == 0 && (one.is("{") || one.is("(") || one.is("["))) {
      if (one.is("{")) break;
      return false;
    }
    if (one.is("(") || one.is("[")) --depth;
    if (depth == 0 && one.is("=")) {
      // The value of a declarator before it, or of itself.
      for (std::size_t k = from; k < name; ++k) {
        if (s_.lexemes[k].is("(") || s_.lexemes[k].is("[")) ++depth;
        if (s_.lexemes[k].is(")") || s_.lexemes[k].is("]")) --depth;
        if (depth == 0 && s_.lexemes[k].is(",")) return begins_declaration(from - 1);
      }
      return false;
    }
    --from;
  }
  return begins_declaration(name) && (before.is("*") || before.is(","));
}
// Whether the statement around a word begins with a type and a name.
bool SourceNames::begins_declaration(std::size_t word) const {
  std::size_t from = word;
  while (from > 0 && !s_.lexemes[from - 1].is(";") && !s_.lexemes[from - 1].is("{") && !s_.lexemes[from - 1].is("}") &&
         !s_.lexemes[from - 1].directive)
    --from;
  if (from + 1 >= s_.lexemes.size() || s_.lexemes[from].kind != Lexeme::Kind::Name || s_.lexemes[from].is("return"))
    return false;
  const ValueType first{std::string(s_.lexemes[from].text)};
  const bool type = first.whole() || first.floating() || first.vector();
  return s_.lexemes[from + 1].kind == Lexeme::Kind::Name || (type && s_.lexemes[from + 1].is("*"));
}

// Names that sizes of arrays, templates and cases need as constants: their values stay.
void SourceNames::find_constants() {
  for (std::size_t k = 0; k + 1 < s_.lexemes.size(); ++k) {
    const Lexeme& one = s_.lexemes[k];
    if (one.kind == Lexeme::Kind::Name && s_.lexemes[k + 1].is("[")) {
      if (!is_declared(k)) continue;
      for (std::size_t i = k + 1; i < s_.lexemes.size() && s_.lexemes[i].is("[");) {
        for (; i < s_.lexemes.size() && !s_.lexemes[i].is("]"); ++i)
          if (s_.lexemes[i].kind == Lexeme::Kind::Name) constants_.insert(s_.lexemes[i].text);
        ++i;
      }
    }
    if (one.is("case") && s_.lexemes[k + 1].kind == Lexeme::Kind::Name) constants_.insert(s_.lexemes[k + 1].text);
    if (one.directive && (one.is("if") || one.is("elif") || one.is("unroll")))
      for (std::size_t i = k + 1; i < s_.lexemes.size() && s_.lexemes[i].directive == one.directive; ++i)
        if (s_.lexemes[i].kind == Lexeme::Kind::Name) constants_.insert(s_.lexemes[i].text);
    if (one.is("<") && k + 2 < s_.lexemes.size() && s_.lexemes[k + 2].is(">"))
      constants_.insert(s_.lexemes[k + 1].text);
  }
  // What constants are made of.
  for (int round = 0; round < 4; ++round)
    for (std::size_t k = 0; k + 2 < s_.lexemes.size(); ++k) {
      const bool macro = s_.lexemes[k].directive && s_.lexemes[k].is("define");
      const bool set = !s_.lexemes[k].directive && s_.lexemes[k + 1].is("=");
      if (!constants_.count(s_.lexemes[macro ? k + 1 : k].text) || !(macro || set)) continue;
      for (std::size_t i = k + 2;
           i < s_.lexemes.size() && !s_.lexemes[i].is(";") && s_.lexemes[i].directive == s_.lexemes[k].directive; ++i)
        if (s_.lexemes[i].kind == Lexeme::Kind::Name) constants_.insert(s_.lexemes[i].text);
    }
}
bool SourceNames::fixed(const Expression& one) const {
  const Statement& statement = s_.statements[one.statement];
  if (statement.kind == Statement::Kind::Macro) {
    std::size_t k = statement.first;
    while (k > 0 && !s_.lexemes[k].is("define")) --k;
    return constants_.count(s_.lexemes[k + 1].text) > 0;
  }
  if (statement.kind != Statement::Kind::Declaration) return false;
  std::size_t k = one.first;
  while (k > statement.first && !s_.lexemes[k].is("=")) --k;
  return k > statement.first && constants_.count(s_.lexemes[k - 1].text) > 0;
}

bool SourceNames::in_template(std::size_t lexeme) const {
  for (std::size_t k = lexeme + 1; k-- > 0;) {
    if (s_.lexemes[k].is("template")) return true;
    if (s_.lexemes[k].is(";") || s_.lexemes[k].is("{") || s_.lexemes[k].is("}") || s_.lexemes[k].is(")")) return false;
  }
  return false;
}
// "#define SIDE (EDGE + 2)": whole numbers and constants alone, of which a constant is made.
bool SourceNames::computed(std::size_t from) const {
  const Lexeme& first = s_.lexemes[from];
  if (!first.directive || first.kind == Lexeme::Kind::Number || first.begin == s_.lexemes[from - 1].end()) return false;
  for (std::size_t k = from; k < s_.lexemes.size() && s_.lexemes[k].directive == first.directive; ++k) {
    const Lexeme& one = s_.lexemes[k];
    static const std::set<std::string_view> between{"(", ")", "+", "-", "*", "/", "%", "<<", ">>"};
    const bool whole = one.kind == Lexeme::Kind::Number && one.text.find('.') == std::string_view::npos;
    if (!whole && !between.count(one.text) && !(one.kind == Lexeme::Kind::Name && defined(std::string(one.text))))
      return false;
  }
  return true;
}

void SourceNames::find_defines() {
  constexpr std::size_t most = 8;
  for (std::size_t k = 0; k + 2 < s_.lexemes.size(); ++k) {
    const Lexeme &one = s_.lexemes[k], &value = s_.lexemes[k + 2];
    if (one.directive && one.is("define") && value.kind == Lexeme::Kind::Number && value.directive == one.directive) {
      const bool power_of_ten =
          !value.text.starts_with("0x") && value.text.find_first_of("eE") != std::string_view::npos;
      auto& names = !power_of_ten && value.text.find('.') == std::string_view::npos ? defines_ : real_defines_;
      if (names.size() < most) names.push_back(std::string(s_.lexemes[k + 1].text));
    }
    if (one.directive && one.is("define") && computed(k + 2) && defines_.size() < most)
      defines_.push_back(std::string(s_.lexemes[k + 1].text));
    if (!one.directive && (one.is("int") || one.is("unsigned") || one.is("size_t")) &&
        s_.lexemes[k + 1].kind == Lexeme::Kind::Name && template_numbers_.size() < most &&
        (value.is(",") || value.is(">") || value.is("=")) && in_template(k))
      template_numbers_.emplace_back(s_.lexemes[k + 1].text);
    // "enum { BINS = 12, WARPS };"
    if (!one.directive && one.is("enum")) {
      std::size_t name = k + 1;
      while (name < s_.lexemes.size() && !s_.lexemes[name].is("{") && !s_.lexemes[name].is(";")) ++name;
      for (++name; name + 1 < s_.lexemes.size() && s_.lexemes[name - 1].text != "}"; ++name)
        if ((s_.lexemes[name - 1].is("{") || s_.lexemes[name - 1].is(",")) &&
            s_.lexemes[name].kind == Lexeme::Kind::Name && defines_.size() < most &&
            !defined(std::string(s_.lexemes[name].text)))
          defines_.push_back(std::string(s_.lexemes[name].text));
    }
    if (!one.directive && one.is("int") && value.is("=") && s_.lexemes[k + 1].kind == Lexeme::Kind::Name &&
        defines_.size() < most && outside_functions(k))
      defines_.push_back(std::string(s_.lexemes[k + 1].text));
  }
}

// Names in capitals that the file asks for and declares nowhere: "ROWS" of a build's -DROWS=8.
void SourceNames::find_constants_of_build() {
  constexpr std::size_t most = 8, shortest = 2;
  static const std::set<std::string_view> of_language{"M_",    "CLK_",  "FLT_",   "DBL_", "INT_",  "UINT_",
                                                      "CHAR_", "NAN",   "INF",    "TRUE", "FALSE", "NULL",
                                                      "HUGE_", "LONG_", "ULONG_", "SHRT_"};
  const auto declared = [&](std::string_view word) {
    for (std::size_t k = 1; k < s_.lexemes.size(); ++k)
      if (s_.lexemes[k].text == word && s_.lexemes[k - 1].kind == Lexeme::Kind::Name && !s_.lexemes[k - 1].is("return"))
        return true;
    return false;
  };
  for (const Expression& one : s_.expressions) {
    if (one.part != Part::Name || one.type.known() || defines_.size() >= most) continue;
    const std::string word(s_.spelling(one));
    const bool capitals = word.size() >= shortest && std::all_of(word.begin(), word.end(), [](char c) {
                            return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
                          });
    const bool called = one.last < s_.lexemes.size() && (s_.lexemes[one.last].is("(") || s_.lexemes[one.last].is("["));
    if (!capitals || called || word[0] == '_' || constant(word) ||
        std::find(template_numbers_.begin(), template_numbers_.end(), word) != template_numbers_.end() ||
        std::any_of(of_language.begin(), of_language.end(), [&](std::string_view a) { return word.starts_with(a); }) ||
        declared(word))
      continue;
    defines_.push_back(word);
  }
}

std::vector<std::string> SourceNames::macros_of_one() const {
  std::vector<std::string> all;
  for (std::size_t k = 0; k + 4 < s_.lexemes.size(); ++k)
    if (s_.lexemes[k].directive && s_.lexemes[k].is("define") && s_.lexemes[k + 2].is("(") &&
        s_.lexemes[k + 2].begin == s_.lexemes[k + 1].end() && s_.lexemes[k + 4].is(")"))
      all.emplace_back(s_.lexemes[k + 1].text);
  return all.size() <= 6 ? all : std::vector<std::string>{};
}

bool SourceNames::defined(const std::string& word) const {
  return std::find(defines_.begin(), defines_.end(), word) != defines_.end();
}

bool SourceNames::constant(const std::string& word) const {
  return defined(word) || std::find(real_defines_.begin(), real_defines_.end(), word) != real_defines_.end();
}

std::vector<std::string> SourceNames::tables_like(const std::string& word) const {
  std::map<std::string, std::string> types;
  for (std::size_t k = 1; k + 1 < s_.lexemes.size(); ++k) {
    if (s_.lexemes[k].kind != Lexeme::Kind::Name || !s_.lexemes[k + 1].is("[") || s_.lexemes[k].directive) continue;
    if (s_.lexemes[k - 1].kind != Lexeme::Kind::Name) continue;
    if (outside_functions(k)) types[std::string(s_.lexemes[k].text)] = std::string(s_.lexemes[k - 1].text);
  }
  std::vector<std::string> others;
  const auto own = types.find(word);
  if (own == types.end()) return others;
  for (const auto& [name, type] : types)
    if (name != word && type == own->second) others.push_back(name);
  return others;
}

std::vector<std::string> SourceNames::macros_like(const std::string& function, std::size_t arguments) const {
  std::vector<std::string> alike;
  bool known = false;
  for (std::size_t k = 0; k + 3 < s_.lexemes.size(); ++k) {
    if (!s_.lexemes[k].directive || !s_.lexemes[k].is("define") || !s_.lexemes[k + 2].is("(") ||
        s_.lexemes[k + 2].begin != s_.lexemes[k + 1].end())
      continue;
    std::size_t count = 1, i = k + 3;
    for (; i < s_.lexemes.size() && !s_.lexemes[i].is(")"); ++i) count += s_.lexemes[i].is(",");
    if (count != arguments) continue;
    if (s_.lexemes[k + 1].text == function)
      known = true;
    else
      alike.push_back(std::string(s_.lexemes[k + 1].text));
  }
  return known && alike.size() <= 8 ? alike : std::vector<std::string>{};
}

std::vector<std::string> SourceNames::macro_names(const Expression& one) const {
  const Statement& statement = s_.statements[one.statement];
  std::set<std::string> names;
  for (std::size_t k = statement.first; k < statement.last; ++k)
    if (const ValueType type{std::string(s_.lexemes[k].text)};
        s_.lexemes[k].kind == Lexeme::Kind::Name && !type.vector() && !type.whole() && !type.floating() &&
        !(k + 1 < s_.lexemes.size() && s_.lexemes[k + 1].is("(")) && !is_field(s_.lexemes, k))
      names.insert(std::string(s_.lexemes[k].text));
  constexpr std::size_t most = 14;
  if (names.size() > most) names.clear();
  // What other macros declare may be known where this one is used.
  for (std::size_t k = 1; k + 1 < s_.lexemes.size() && names.size() < most; ++k) {
    const Lexeme &word = s_.lexemes[k], &before = s_.lexemes[k - 1];
    if (word.directive && word.kind == Lexeme::Kind::Name && s_.lexemes[k + 1].is("=") &&
        (before.kind == Lexeme::Kind::Name || before.is(",")))
      names.insert(std::string(word.text));
  }
  return {names.begin(), names.end()};
}

StructFields::StructFields(const Syntax& syntax) {
  const auto& words = syntax.lexemes;
  for (std::size_t k = 0; k + 2 < words.size(); ++k) {
    if (!words[k].is("struct") || words[k].directive) continue;
    std::size_t open = k + 1;
    while (open < words.size() && open < k + 4 && !words[open].is("{")) ++open;
    if (open >= words.size() || !words[open].is("{")) continue;
    std::string type;  // of the declaration
    // Of functions in it there are brackets.
    for (std::size_t at = open + 1; at + 1 < words.size() && !words[at].is("}") && !words[at].is("("); ++at) {
      if (words[at - 1].is("{") || words[at - 1].is(";")) type = words[at].text;
      const Lexeme& next = words[at + 1];
      if (words[at].kind == Lexeme::Kind::Name && (next.is(";") || next.is(",") || next.is("[")))
        types_[std::string(words[at].text)] = next.is("[") ? type + "[" : type;
    }
  }
}

bool StructFields::may_stand_for(const std::string& a, std::string_view b) const {
  const auto x = types_.find(a), y = types_.find(b);
  if (x == types_.end() || y == types_.end() || x->second == y->second) return true;
  return !x->second.ends_with("[") && !y->second.ends_with("[");
}

}  // namespace twiddle
