#include "tracer/repair/edits.h"

#include "tracer/repair/edit_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace twiddle {
namespace {

using Place = SourceEdit::Place;

class Maker {
 public:
  explicit Maker(const Syntax& syntax) : s_(syntax) {
    find_constants();
    for (const Lexeme& one : s_.lexemes) opencl_ = opencl_ || one.is("__kernel") || one.is("kernel");
    for (const Expression& one : s_.expressions)
      if (one.part == Part::Member && !s_.expressions[one.parts[0]].type.vector() && !one.type.known())
        fields_.insert(std::string(s_.lexemes[one.mark].text));
  }

  std::vector<SourceEdit> run() {
    for (std::uint32_t e = 0; e < s_.expressions.size(); ++e) {
      const Expression& one = s_.expressions[e];
      if (fixed(one)) continue;
      target_ = e;
      expression(one);
    }
    for (std::uint32_t s = 0; s < s_.statements.size(); ++s) {
      target_ = s;
      statement(s);
    }
    return std::move(edits_);
  }

 private:
  // Names that sizes of arrays, templates and cases need as constants: their values stay.
  void find_constants() {
    for (std::size_t k = 0; k + 1 < s_.lexemes.size(); ++k) {
      const Lexeme& one = s_.lexemes[k];
      if (one.kind == Lexeme::Kind::Name && s_.lexemes[k + 1].is("[")) {
        // A declaration's size: "float tile[N]", where a type is before the name.
        const bool declared = k > 0 && (s_.lexemes[k - 1].kind == Lexeme::Kind::Name || s_.lexemes[k - 1].is("*") ||
                                        s_.lexemes[k - 1].is(","));
        if (!declared || s_.lexemes[k - 1].is("return")) continue;
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
  // Whether it is (part of) the value of such a constant.
  bool fixed(const Expression& one) const {
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

  void add(EditKind kind, double cost, std::string text, Place place = Place::Expression, std::uint32_t other = 0) {
    edits_.push_back({place, kind, target_, other, std::move(text), cost});
  }
  std::string text(std::uint32_t e) const { return std::string(s_.spelling(s_.expressions[e])); }
  // As an operand of something that binds stronger.
  std::string operand(std::uint32_t e) const {
    const Part part = s_.expressions[e].part;
    const bool loose = part == Part::Binary || part == Part::Choice || part == Part::Assign || part == Part::Comma ||
                       part == Part::Cast || part == Part::Prefix;
    return loose ? "(" + text(e) + ")" : text(e);
  }
  // As a side of an operator: a product of a sum needs no brackets.
  std::string side(std::uint32_t e, std::string_view op) const {
    const Expression& one = s_.expressions[e];
    const bool product = one.part == Part::Binary && (mark(one) == "*" || mark(one) == "/" || mark(one) == "%");
    return product && (op == "+" || op == "-") ? text(e) : operand(e);
  }
  std::string operand_of_target() const { return operand(target_); }

  template <typename Fit>
  void variables(const Expression& one, const Fit& fits, double cost, std::string_view but) {
    std::set<std::string> seen{std::string(but)};
    for (const std::uint32_t v : s_.statements[one.statement].visible) {
      const Variable& variable = s_.variables[v];
      if (fits(variable.type) && seen.insert(variable.name).second) add(EditKind::Name, cost, variable.name);
    }
  }

  void factors(const Expression& one, double cost) {
    const std::string inner = operand_of_target();
    const ValueType& type = one.type;
    if (type.depth > 0) return;
    if (type.whole() || !type.known()) {
      add(EditKind::Factor, cost, inner + " + 1");
      add(EditKind::Factor, cost, inner + " - 1");
    }
    if (type.whole() || type.floating() || !type.known()) {
      add(EditKind::Factor, cost, "2 * " + inner);
      add(EditKind::Factor, cost, inner + " / 2");
      add(EditKind::Factor, cost + (type.whole() ? 0.4 : -0.3), "-" + inner);
    }
    if (type.vector()) add(EditKind::Factor, cost, "-" + inner);
    if (type.name == "float2" || type.name == "double2") {
      if (opencl_) add(EditKind::Component, cost, inner + ".yx");
    }
    if (type.known() && type.depth == 0)
      for (const Function& function : s_.functions)
        if (!function.kernel && function.parameters.size() == 1 && function.result == type &&
            function.parameters[0] == type && !meets(function.name))
          add(EditKind::Function, cost + 0.2, function.name + "(" + text(target_) + ")");
  }

  void expression(const Expression& one) {
    if (one.part == Part::Assign) return assignment(one);
    if (one.part == Part::Postfix || (one.part == Part::Prefix && (mark(one) == "++" || mark(one) == "--")))
      return increment(one);
    if (one.written) return;
    switch (one.part) {
      case Part::Name: return name(one);
      case Part::Number: return number(one);
      case Part::Binary: return binary(one);
      case Part::Member: return member(one);
      case Part::Call: return call(one);
      case Part::Index: return index(one);
      case Part::Choice:
        add(EditKind::Order, 1.2,
            fmt::format("{} ? {} : {}", text(one.parts[0]), text(one.parts[2]), text(one.parts[1])));
        add(EditKind::Less, 2, text(one.parts[1]));
        add(EditKind::Less, 2, text(one.parts[2]));
        return;
      case Part::Prefix:
        if (mark(one) == "-" || mark(one) == "!" || mark(one) == "~") add(EditKind::Operator, 1.2, text(one.parts[0]));
        return;
      case Part::Paren:
        if (one.type.known() && !is_list(one)) factors(one, 2.2);
        return;
      case Part::Cast:
        if (one.type.vector() && s_.expressions[one.parts[0]].part == Part::Paren) pairs(one);
        return;
      default: return;
    }
  }

  std::string_view mark(const Expression& one) const { return s_.lexemes[one.mark].text; }
  bool is_list(const Expression& one) const {
    return one.part == Part::Paren && s_.expressions[one.parts[0]].part == Part::Comma;
  }

  // (float2)(a, b): b and a, and each with the other sign.
  void pairs(const Expression& one) {
    const Expression& list = s_.expressions[s_.expressions[one.parts[0]].parts[0]];
    if (list.part != Part::Comma || list.parts.size() != 2) return;
    const std::string cast(std::string_view(s_.text).substr(
        s_.begin_of(one), s_.begin_of(s_.expressions[one.parts[0]]) - s_.begin_of(one)));
    const std::string a = text(list.parts[0]), b = text(list.parts[1]);
    add(EditKind::Order, 1.3, fmt::format("{}({}, {})", cast, b, a));
    add(EditKind::Factor, 1.8, fmt::format("{}(-{}, -{})", cast, operand(list.parts[0]), operand(list.parts[1])));
    add(EditKind::Factor, 1.7, fmt::format("{}({}, -{})", cast, b, operand(list.parts[0])));
    add(EditKind::Factor, 1.7, fmt::format("{}(-{}, {})", cast, operand(list.parts[1]), a));
    add(EditKind::Factor, 1.7, fmt::format("{}({}, -{})", cast, a, operand(list.parts[1])));
    add(EditKind::Factor, 1.7, fmt::format("{}(-{}, {})", cast, operand(list.parts[0]), a == b ? a : b));
  }

  void name(const Expression& one) {
    const std::string word = text(target_);
    const ValueType& type = one.type;
    if (called(target_)) return;
    for (const auto& row : function_rows())
      if (std::find(row.begin(), row.end(), word) != row.end())
        for (const std::string_view other : row)
          if (other != word) add(EditKind::Name, 1.3, std::string(other));
    if (!type.known()) {
      if (word == "blockIdx" || word == "threadIdx" || word == "blockDim" || word == "gridDim") return;
      const std::vector<std::string> tables = tables_like(word);
      for (const std::string& other : tables) add(EditKind::Name, 1.1, other);
      if (!tables.empty()) return;
      // A constant of the language: M_PI_F.
      if (word.starts_with("M_") && !defined(word)) {
        add(EditKind::Factor, 1.3, "-" + word);
        add(EditKind::Factor, 1.6, "2 * " + word);
        add(EditKind::Factor, 1.6, word + " / 2");
        return;
      }
      // A macro's or a file's constant.
      if (!word.empty() && defined(word)) {
        for (const std::string& other : defines())
          if (other != word) add(EditKind::Name, 1.5, other);
        variables(
            one, [](const ValueType& t) { return t.whole(); }, 1.7, word);
        factors(one, 2);
      } else if (s_.statements[one.statement].kind == Statement::Kind::Macro) {
        for (const std::string& other : macro_names(one))
          if (other != word) add(EditKind::Name, 1.3, other);
        add(EditKind::Factor, 1.8, "(-" + word + ")");
      }
      return;
    }
    if (type.whole()) {
      variables(
          one, [](const ValueType& t) { return t.whole(); }, 1, word);
      for (const std::string& other : defines())
        if (other != word) add(EditKind::Name, 1.6, other);
      add(EditKind::Number, 1.9, "1");
      add(EditKind::Number, 1.9, "0");
      factors(one, 1.6);
      // The name squared away: "a * b" for "a".
      variables_times(one, word);
    } else if (type.floating() || type.vector()) {
      variables(
          one, [&](const ValueType& t) { return t == type || (type.floating() && t.floating()); }, 1, word);
      factors(one, 1.8);
      scaled(one, 2.5);
    } else if (type.depth == 1) {
      variables(
          one, [&](const ValueType& t) { return t == type && !(one.stored && t.constant); }, 1.1, word);
    } else if (type.depth == 0) {
      variables(
          one, [&](const ValueType& t) { return t == type; }, 1.2, word);
    }
  }

  void variables_times(const Expression& one, const std::string& word) {
    std::set<std::string> seen;
    for (const std::uint32_t v : s_.statements[one.statement].visible) {
      const Variable& variable = s_.variables[v];
      if (!variable.type.whole() || !seen.insert(variable.name).second) continue;
      add(EditKind::Factor, 2.3, word + " * " + variable.name);
      add(EditKind::Factor, 2.6, fmt::format("{} + ({} & 1)", word, variable.name));
      if (variable.name == word) continue;
      add(EditKind::Factor, 2.3, word + " + " + variable.name);
      add(EditKind::Factor, 2.4, word + " - " + variable.name);
      add(EditKind::Factor, 2.4, word + " / " + variable.name);
    }
  }

  // Times or divided by a number in sight: "sum / n" for "sum".
  void scaled(const Expression& one, double cost) {
    const std::string inner = operand_of_target();
    std::set<std::string> seen{inner};
    for (const std::uint32_t v : s_.statements[one.statement].visible) {
      const Variable& variable = s_.variables[v];
      if ((!variable.type.whole() && !variable.type.floating()) || !seen.insert(variable.name).second) continue;
      add(EditKind::Factor, cost, fmt::format("{} / {}", inner, variable.name));
      add(EditKind::Factor, cost + 0.1, fmt::format("{} * {}", inner, variable.name));
    }
  }

  // Of an expression that is called: the function itself.
  bool called(std::uint32_t e) const {
    const Expression& one = s_.expressions[e];
    return one.last < s_.lexemes.size() && s_.lexemes[one.last].is("(");
  }
  bool defined(const std::string& word) const {
    const auto& all = defines();
    return std::find(all.begin(), all.end(), word) != all.end();
  }
  // Constants of the file: "#define N 8" and "const int N = 8;" outside functions.
  const std::vector<std::string>& defines() const {
    if (defines_) return *defines_;
    defines_.emplace();
    for (std::size_t k = 0; k + 3 < s_.lexemes.size(); ++k) {
      const Lexeme& one = s_.lexemes[k];
      if (one.directive && one.is("define") && s_.lexemes[k + 2].kind == Lexeme::Kind::Number &&
          s_.lexemes[k + 2].directive == one.directive && s_.lexemes[k + 2].text.find('.') == std::string_view::npos)
        defines_->push_back(std::string(s_.lexemes[k + 1].text));
      const bool outside = std::none_of(s_.functions.begin(), s_.functions.end(),
                                        [&](const Function& f) { return k >= f.open && k < f.end; });
      if (!one.directive && outside && one.is("int") && s_.lexemes[k + 2].is("=") &&
          s_.lexemes[k + 1].kind == Lexeme::Kind::Name)
        defines_->push_back(std::string(s_.lexemes[k + 1].text));
    }
    if (defines_->size() > 8) defines_->resize(8);
    return *defines_;
  }
  // Other arrays outside functions, of the same type.
  std::vector<std::string> tables_like(const std::string& word) const {
    std::map<std::string, std::string> types;
    for (std::size_t k = 1; k + 1 < s_.lexemes.size(); ++k) {
      if (s_.lexemes[k].kind != Lexeme::Kind::Name || !s_.lexemes[k + 1].is("[") || s_.lexemes[k].directive) continue;
      if (s_.lexemes[k - 1].kind != Lexeme::Kind::Name) continue;
      const bool outside = std::none_of(s_.functions.begin(), s_.functions.end(),
                                        [&](const Function& f) { return k >= f.open && k < f.end; });
      if (outside) types[std::string(s_.lexemes[k].text)] = std::string(s_.lexemes[k - 1].text);
    }
    std::vector<std::string> others;
    const auto own = types.find(word);
    if (own == types.end()) return others;
    for (const auto& [name, type] : types)
      if (name != word && type == own->second) others.push_back(name);
    return others;
  }
  // "#define ISQRT2 0.7071f".
  std::vector<std::string> real_defines() const {
    std::vector<std::string> all;
    for (std::size_t k = 0; k + 2 < s_.lexemes.size(); ++k) {
      const Lexeme& value = s_.lexemes[k + 2];
      if (s_.lexemes[k].directive && s_.lexemes[k].is("define") && value.kind == Lexeme::Kind::Number &&
          value.directive == s_.lexemes[k].directive && value.text.find('.') != std::string_view::npos &&
          all.size() < 8)
        all.push_back(std::string(s_.lexemes[k + 1].text));
    }
    return all;
  }
  std::vector<std::string> macro_names(const Expression& one) const {
    const Statement& statement = s_.statements[one.statement];
    std::set<std::string> names;
    for (std::size_t k = statement.first; k < statement.last; ++k)
      if (const ValueType type{std::string(s_.lexemes[k].text)};
          s_.lexemes[k].kind == Lexeme::Kind::Name && !type.vector() && !type.whole() && !type.floating() &&
          !s_.lexemes[k + 1].is("(") && !(k > 0 && (s_.lexemes[k - 1].is(".") || s_.lexemes[k - 1].is("->"))))
        names.insert(std::string(s_.lexemes[k].text));
    if (names.size() > 8) names.clear();
    return {names.begin(), names.end()};
  }

  void number(const Expression& one) {
    const std::string word = text(target_);
    if (one.type.floating()) {
      add(EditKind::Number, 1.5, "-" + word);
      add(EditKind::Number, 1.5, "2 * " + word);
      add(EditKind::Number, 1.5, word + " / 2");
      variables(
          one, [](const ValueType& t) { return t.floating(); }, 1.9, word);
      for (const std::string& other : real_defines()) add(EditKind::Name, 1.7, other);
      for (const std::string_view other : {"0.5f", "1.0f", "2.0f", "0.0f"})
        if (word != other) add(EditKind::Number, 1.9, std::string(other));
      arrays(one, false);
      return;
    }
    const bool hex = word.starts_with("0x") || word.starts_with("0X");
    std::size_t digits = hex ? 2 : 0;
    while (digits < word.size() && (hex ? std::isxdigit(static_cast<unsigned char>(word[digits]))
                                        : std::isdigit(static_cast<unsigned char>(word[digits]))))
      ++digits;
    if (digits == 0 || digits > 18) return;
    const std::string suffix = word.substr(digits);
    const std::uint64_t value = std::stoull(word.substr(0, digits), nullptr, hex ? 16 : 10);
    const auto put = [&](std::uint64_t v, double cost) {
      add(EditKind::Number, cost, (hex ? fmt::format("0x{:x}", v) : fmt::format("{}", v)) + suffix);
    };
    std::set<std::uint64_t> seen{value};
    const auto offer = [&](std::uint64_t v, double cost) {
      if (seen.insert(v).second) put(v, cost);
    };
    offer(value + 1, 1.2);
    if (value > 0) offer(value - 1, 1.2);
    offer(2 * value, 1.3);
    if (value % 2 == 0) offer(value / 2, 1.3);
    offer(0, 1.6);
    for (const std::uint64_t v : numbers()) offer(v, 1.5);
    for (const std::uint64_t v : {1u, 2u, 3u, 4u, 8u, 16u, 32u}) offer(v, 1.7);
    if (value > 0) add(EditKind::Number, 1.4, "-" + word);
    variables(
        one, [](const ValueType& t) { return t.whole(); }, 1.5, word);
    for (const std::string& other : defines()) add(EditKind::Name, 1.7, other);
    if (value == 0) arrays(one, true);
  }
  // Those that the file names elsewhere; nothing where they are many.
  const std::set<std::uint64_t>& numbers() const {
    if (numbers_) return *numbers_;
    numbers_.emplace();
    for (const Lexeme& one : s_.lexemes)
      if (one.kind == Lexeme::Kind::Number && one.text.size() < 7 &&
          one.text.find_first_not_of("0123456789") == std::string_view::npos)
        numbers_->insert(std::stoull(std::string(one.text)));
    if (numbers_->size() > 16) numbers_->clear();
    return *numbers_;
  }
  // v[0] for a 0 that a sum begins with.
  void arrays(const Expression& one, bool any) {
    for (const std::uint32_t v : s_.statements[one.statement].visible) {
      const Variable& variable = s_.variables[v];
      const ValueType element = variable.type.element();
      if (any && s_.statements[one.statement].kind == Statement::Kind::Loop && !element.whole()) continue;
      if (variable.type.depth == 1 && (any || element.floating()) && variable.type.name != "void")
        add(EditKind::Name, 2, variable.name + "[0]");
    }
  }

  void member(const Expression& one) {
    const std::string_view word = mark(one);
    const std::string owner = text(one.parts[0]);
    const bool arrow = s_.lexemes[one.mark - 1].is("->");
    const auto put = [&](std::string_view other, double cost) {
      add(EditKind::Component, cost, owner + (arrow ? "->" : ".") + std::string(other));
    };
    const ValueType& type = s_.expressions[one.parts[0]].type;
    const bool builtin = owner == "threadIdx" || owner == "blockIdx" || owner == "blockDim" || owner == "gridDim";
    if (type.vector() || builtin || word == "x" || word == "y") {
      const bool two = type.name.ends_with("2");
      static const std::vector<std::vector<std::string_view>> sets{
          {"x", "y", "z", "w"}, {"s0", "s1", "s2", "s3"}, {"xy", "yx"}, {"lo", "hi"}, {"even", "odd"}, {"xyz"},
          {"xy", "zw"}};
      for (const auto& set : sets)
        if (std::find(set.begin(), set.end(), word) != set.end())
          for (const std::string_view other : set) {
            if (other == word ||
                (two && set.size() == 4 && (other[0] == 'z' || other[0] == 'w' || other == "s2" || other == "s3")))
              continue;
            if (!type.vector() && !builtin && other != "x" && other != "y") continue;
            put(other, 1);
          }
      if (word == "yx") add(EditKind::Component, 1.2, owner);
      if (builtin)
        for (const std::string_view other : {"threadIdx", "blockIdx", "blockDim", "gridDim"})
          if (other != owner) add(EditKind::Name, 1.5, fmt::format("{}.{}", other, word));
    } else if (fields_.size() <= 10) {
      for (const std::string& other : fields_)
        if (other != word) put(other, 1.3);
    }
    if (one.type.known()) factors(one, 1.9);
    if (builtin || one.type.whole())
      variables(
          one, [](const ValueType& t) { return t.whole(); }, 1.6, "");
    if (one.type.floating())
      variables(
          one, [](const ValueType& t) { return t.floating(); }, 1.8, "");
  }

  void binary(const Expression& one) {
    const std::string a = text(one.parts[0]), b = text(one.parts[1]);
    const std::string_view op = mark(one);
    const ValueType &x = s_.expressions[one.parts[0]].type, &y = s_.expressions[one.parts[1]].type;
    const bool macro = s_.statements[one.statement].kind == Statement::Kind::Macro;
    const auto fits = [&](std::string_view to) {
      if (x.depth > 0 || y.depth > 0) return to == "+" || to == "-";
      const bool arithmetic = to == "+" || to == "-" || to == "*" || to == "/";
      const bool compares = to == "<" || to == ">" || to == "<=" || to == ">=" || to == "==" || to == "!=";
      return arithmetic || compares || to == "&&" || to == "||" || (x.whole() && y.whole()) ||
             (!macro && (x.whole() || y.whole()) && (!x.known() || !y.known()));
    };
    for (const WordChoice& choice : operator_choices())
      if (choice.from == op && fits(choice.to))
        add(EditKind::Operator, choice.cost,
            fmt::format("{} {} {}", side(one.parts[0], choice.to), choice.to, side(one.parts[1], choice.to)));
    if (op == "-" || op == "/" || op == "%" || op == "<<" || op == ">>")
      add(EditKind::Order, 1.3, fmt::format("{} {} {}", operand(one.parts[1]), op, operand(one.parts[0])));
    if (op == "/" && x.whole() && y.whole())
      add(EditKind::More, 2.2, fmt::format("{0} / {1} * {1}", side(one.parts[0], "/"), operand(one.parts[1])));
    add(EditKind::Less, 1.9, a);
    add(EditKind::Less, 1.9, op == "-" ? "-" + operand(one.parts[1]) : b);
    if (op == "+" || op == "-" || op == "*" || op == "/" || op == "%" || op == "<<" || op == ">>") {
      // a * (b op c) for a * b op c, and the other way round.
      const Expression& left = s_.expressions[one.parts[0]];
      // Rows and columns mixed up: c * w + r and r * c for r * w + c.
      if (op == "+" && left.part == Part::Binary && mark(left) == "*") {
        const std::string p = operand(left.parts[0]), q = operand(left.parts[1]), r = operand(one.parts[1]);
        add(EditKind::Order, 1.4, fmt::format("{} * {} + {}", r, q, p));
        add(EditKind::Order, 1.5, fmt::format("{} * {} + {}", p, r, q));
        add(EditKind::Order, 1.7, fmt::format("{} * {}", p, r));
        add(EditKind::Order, 1.7, fmt::format("{} * {}", q, r));
      }
      if (left.part == Part::Binary)
        add(EditKind::Order, 1.8,
            fmt::format("{} {} ({} {} {})", text(left.parts[0]), mark(left), text(left.parts[1]), op, b));
      factors(one, 2.2);
    }
  }

  void call(const Expression& one) {
    const std::string function = text(one.parts[0]);
    if (meets(function)) return;
    std::vector<std::string> arguments;
    for (std::size_t k = 1; k < one.parts.size(); ++k) arguments.push_back(text(one.parts[k]));
    const auto joined = [&](const std::string& word) {
      return fmt::format("{}({})", word, fmt::join(arguments, ", "));
    };
    for (std::size_t i = 0; i < arguments.size(); ++i)
      for (std::size_t j = i + 1; j < arguments.size(); ++j) {
        const ValueType &a = s_.expressions[one.parts[i + 1]].type, &b = s_.expressions[one.parts[j + 1]].type;
        const bool alike =
            a == b || (a.whole() && b.whole()) || (a.floating() && b.floating()) || !a.known() || !b.known();
        if (!alike || arguments[i] == arguments[j] || arguments.size() > 9) continue;
        std::swap(arguments[i], arguments[j]);
        add(EditKind::Order, 1.3, joined(function));
        std::swap(arguments[i], arguments[j]);
      }
    for (const auto& row : function_rows())
      if (std::find(row.begin(), row.end(), function) != row.end())
        for (const std::string_view other : row)
          if (other != function) add(EditKind::Function, 1.1, joined(std::string(other)));
    // A function of the file with the same parameters.
    for (const Function& f : s_.functions)
      if (f.name == function)
        for (const Function& g : s_.functions)
          if (g.name != function && !g.kernel && g.parameters == f.parameters && g.result == f.result && !meets(g.name))
            add(EditKind::Function, 1.2, joined(g.name));
    // Macros that are called alike: TW8_1 for TW8_3.
    for (const std::string& other : macros_like(function, arguments.size()))
      add(EditKind::Function, 1.3, joined(other));
    if (arguments.size() == 1 && one.type.known() && s_.expressions[one.parts[1]].type == one.type)
      add(EditKind::Less, 1.8, arguments[0]);
    if (one.type.known() && one.type.name != "void") factors(one, 2.1);
    if (one.type.whole())
      variables(
          one, [](const ValueType& t) { return t.whole(); }, 1.7, "");
  }

  std::vector<std::string> macros_like(const std::string& function, std::size_t arguments) const {
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

  void index(const Expression& one) {
    const Expression& base = s_.expressions[one.parts[0]];
    if (base.part == Part::Index)
      add(EditKind::Order, 1.2,
          fmt::format("{}[{}][{}]", text(base.parts[0]), text(one.parts[1]), text(base.parts[1])));
    if (one.type.known()) factors(one, 2);
    if (one.type.floating() || one.type.vector()) {
      variables(
          one, [&](const ValueType& t) { return t == one.type; }, 1.9, "");
    }
    if (one.type.whole())
      variables(
          one, [](const ValueType& t) { return t.whole(); }, 1.9, "");
  }

  // What an assignment writes may be something else, in another way.
  void assignment(const Expression& one) {
    const Expression& value = s_.expressions[one.parts[1]];
    if ((value.type.floating() || value.type.vector()) && value.part != Part::Name) {
      const std::uint32_t whole = target_;
      target_ = one.parts[1];
      scaled(value, 2.5);
      target_ = whole;
    }
    const std::string left = text(one.parts[0]), right = text(one.parts[1]);
    const std::string_view op = mark(one);
    for (const WordChoice& choice : assignment_choices())
      if (choice.from == op) add(EditKind::Operator, choice.cost, fmt::format("{} {} {}", left, choice.to, right));
    const Expression& to = s_.expressions[one.parts[0]];
    const auto put = [&](EditKind kind, double cost, const std::string& other) {
      add(kind, cost, fmt::format("{} {} {}", other, op, right));
    };
    if (to.part == Part::Name && to.type.known()) {
      std::set<std::string> seen{left};
      for (const std::uint32_t v : s_.statements[one.statement].visible)
        if (s_.variables[v].type == to.type && seen.insert(s_.variables[v].name).second)
          put(EditKind::Name, 1.6, s_.variables[v].name);
    }
    if (to.part == Part::Member) {
      const std::string owner = text(to.parts[0]);
      const std::string_view word = s_.lexemes[to.mark].text;
      if (word == "x") put(EditKind::Component, 1.2, owner + ".y");
      if (word == "y") put(EditKind::Component, 1.2, owner + ".x");
    }
    if (to.part == Part::Index && s_.expressions[to.parts[0]].part == Part::Index) {
      const Expression& row = s_.expressions[to.parts[0]];
      put(EditKind::Order, 1.2, fmt::format("{}[{}][{}]", text(row.parts[0]), text(to.parts[1]), text(row.parts[1])));
    }
    // *x = …, x[i] = …: what is read there goes on being added to.
    if (op == "=" && s_.expressions[one.parts[1]].type.floating())
      add(EditKind::Less, 2.6, fmt::format("{} = 0", left));
  }

  void increment(const Expression& one) {
    const std::string inner = text(one.parts[0]);
    const bool up = mark(one) == "++";
    if (!s_.expressions[one.parts[0]].type.whole()) return;
    add(EditKind::Operator, 1.4, fmt::format("{} {} 2", inner, up ? "+=" : "-="));
    if (up) add(EditKind::Operator, 1.6, fmt::format("{} *= 2", inner));
    add(EditKind::Operator, 2, fmt::format("{} {} 1", inner, up ? "-=" : "+="));
    for (const int step : {4, 8}) add(EditKind::Operator, 2, fmt::format("{} {} {}", inner, up ? "+=" : "-=", step));
    std::set<std::string> seen{inner};
    for (const std::uint32_t v : s_.statements[one.statement].visible)
      if (s_.variables[v].type.whole() && seen.insert(s_.variables[v].name).second)
        add(EditKind::Name, 1.7, fmt::format("{} {} {}", inner, up ? "+=" : "-=", s_.variables[v].name));
  }

  bool meets(const std::string& word) const { return is_meeting(s_, word); }
  bool plain(const Statement& one) const {
    for (std::size_t k = one.first; k < one.last; ++k)
      if (s_.lexemes[k].kind == Lexeme::Kind::Name && k + 1 < one.last && s_.lexemes[k + 1].is("(") &&
          is_meeting(s_, s_.lexemes[k].text))
        return false;
    return one.kind == Statement::Kind::Plain;
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
      for (const std::uint32_t v : one.visible)
        if (s_.variables[v].type.whole()) {
          add(EditKind::Condition, 2.4, fmt::format("{} && {} == 0", operand(e), s_.variables[v].name));
          add(EditKind::Condition, 2.4, fmt::format("{} || {} == 0", operand(e), s_.variables[v].name));
        }
      target_ = number;
    }
    if (one.kind == Statement::Kind::Loop) carried(one);
    if (one.kind == Statement::Kind::Loop) exchanged(one);
    if (one.kind == Statement::Kind::Declaration || plain(one)) conjugates(one);
    if (!plain(one)) return;
    add(EditKind::Less, 2.4, "", Place::Drop);
    for (std::uint32_t next = number + 1; next < s_.statements.size() && next <= number + 3; ++next) {
      const Statement& other = s_.statements[next];
      if (other.block != one.block || other.function != one.function) continue;
      if (other.first == one.last + 1 && plain(other)) add(EditKind::Order, 1.4, text_of(other), Place::SwapNext, next);
      break;
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

  const Syntax& s_;
  bool opencl_ = false;
  std::uint32_t target_ = 0;
  std::vector<SourceEdit> edits_;
  std::set<std::string_view> constants_;
  std::set<std::string> fields_;
  mutable std::optional<std::vector<std::string>> defines_;
  mutable std::optional<std::set<std::uint64_t>> numbers_;
};

}  // namespace

namespace {

// How much more a change makes a text like the rest of its file: of the threes of words that it has new, how many are known,
// less how many of those that it loses are known elsewhere. From -1 to 1.
class Likeness {
 public:
  explicit Likeness(const Syntax& syntax) : s_(syntax) {
    for (std::size_t k = 0; k + 2 < s_.lexemes.size(); ++k)
      ++known_[three(s_.lexemes[k].text, s_.lexemes[k + 1].text, s_.lexemes[k + 2].text)];
  }

  double of(const SourceEdit& edit) const {
    if (edit.place != Place::Expression) return 0;
    const Expression& one = s_.expressions[edit.target];
    const std::size_t first = one.first >= 2 ? one.first - 2 : 0;
    const std::size_t last = std::min<std::size_t>(one.last + 2, s_.lexemes.size());
    std::vector<std::string_view> was, is;
    for (std::size_t k = first; k < last; ++k) was.push_back(s_.lexemes[k].text);
    for (std::size_t k = first; k < one.first; ++k) is.push_back(s_.lexemes[k].text);
    const std::vector<Lexeme> words = lexemes_of(edit.text);
    for (const Lexeme& word : words) is.push_back(word.text);
    for (std::size_t k = one.last; k < last; ++k) is.push_back(s_.lexemes[k].text);
    return share(is, 0) - share(was, 1);
  }

 private:
  static std::string three(std::string_view a, std::string_view b, std::string_view c) {
    return std::string(a) + '\n' + std::string(b) + '\n' + std::string(c);
  }
  double share(const std::vector<std::string_view>& words, int own) const {
    if (words.size() < 3) return 0;
    std::size_t seen = 0;
    for (std::size_t k = 0; k + 2 < words.size(); ++k) {
      const auto found = known_.find(three(words[k], words[k + 1], words[k + 2]));
      seen += found != known_.end() && found->second > own;
    }
    return static_cast<double>(seen) / static_cast<double>(words.size() - 2);
  }

  const Syntax& s_;
  std::map<std::string, int> known_;
};

}  // namespace

std::vector<SourceEdit> edits_of(const Syntax& syntax, std::size_t most) {
  std::vector<SourceEdit> edits = Maker(syntax).run();
  const Likeness likeness(syntax);
  for (SourceEdit& edit : edits) edit.cost -= 0.4 * likeness.of(edit);
  std::stable_sort(edits.begin(), edits.end(),
                   [](const SourceEdit& a, const SourceEdit& b) { return a.cost < b.cost; });
  if (edits.size() > most) edits.resize(most);
  return edits;
}

}  // namespace twiddle
