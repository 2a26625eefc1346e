#include "tracer/repair/edits/edits.h"

#include "tracer/repair/edits/edit_maker.h"
#include "tracer/repair/edits/edit_words.h"
#include "tracer/repair/edits/edits_more.h"
#include "tracer/repair/edits/likeness.h"
#include "tracer/repair/edits/number_edits.h"
#include "tracer/repair/edits/plausible.h"
#include "tracer/syntax/source_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

namespace twiddle {
namespace {

class Maker : NumberEdits {
 public:
  explicit Maker(const Syntax& syntax) : NumberEdits(syntax), names_(syntax), structs_(syntax) {
    for (const Expression& one : s_.expressions)
      if (one.part == Part::Member && !s_.expressions[one.parts[0]].type.vector() && !one.type.known())
        fields_.insert(std::string(s_.lexemes[one.mark].text));
    structs_.add_to(fields_);
  }

  std::vector<SourceEdit> run() {
    for (std::uint32_t e = 0; e < s_.expressions.size(); ++e) {
      const Expression& one = s_.expressions[e];
      if (names_.fixed(one)) continue;
      target_ = e;
      expression(one);
    }
    return std::move(edits_);
  }

 private:
  static auto like(const ValueType& type) {
    return [&](const ValueType& other) { return other == type; };
  }
  template <typename Fit>
  void variables(const Expression& one, const Fit& fits, double cost, std::string_view but = {}) {
    for (const std::string& name : visible_names(statement_of(one), fits, {std::string(but)}))
      add(EditKind::Name, cost, name);
  }

  void factors(const Expression& one, double cost) {
    const std::string inner = operand(target_);
    const ValueType& type = one.type;
    if (type.depth > 0) return;
    const bool wholes = type.vector() && !type.name.starts_with("float") && !type.name.starts_with("double") &&
                        !type.name.starts_with("half");
    if (type.whole() || wholes || !type.known()) {
      add(EditKind::Factor, cost, inner + " + 1");
      add(EditKind::Factor, cost, inner + " - 1");
    }
    if (type.whole() || type.floating() || !type.known()) {
      add(EditKind::Factor, cost, "2 * " + inner);
      add(EditKind::Factor, cost, inner + " / 2");
      // Less than nothing is hardly meant of what has no sign.
      const bool no_sign = type.name.starts_with("u") || type.name == "size_t";
      add(EditKind::Factor, cost + (no_sign ? 1.2 : type.whole() ? 0.4 : -0.3), "-" + inner);
    }
    if (type.vector()) add(EditKind::Factor, cost, "-" + inner);
    if (opencl_ && (type.name == "float2" || type.name == "double2")) add(EditKind::Component, cost, inner + ".yx");
    if (type.known())
      for (const Function& function : s_.functions)
        if (may_call(function, one.first) && function.parameters.size() == 1 && function.result == type &&
            function.parameters[0] == type)
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
        for (const std::size_t way : {1, 2}) add(EditKind::Less, 2, text(one.parts[way]));
        return;
      case Part::Prefix:
        if (mark(one) == "-" || mark(one) == "!" || mark(one) == "~") add(EditKind::Operator, 1.2, text(one.parts[0]));
        // What was read before, and not what is there by now.
        if (mark(one) == "*" && one.type.known() && one.type.depth == 0) variables(one, like(one.type), 1.3);
        return;
      case Part::Paren:
        if (one.type.known() && !is_list(one)) factors(one, 2.2);
        return;
      case Part::Cast:
        // Bits that a cast takes away: "r * x % m" for "(uint)(r * x) % m".
        if (one.type.depth == 0 && !one.type.floating() && !one.type.vector())
          add_wider(EditKind::Less, 1.8, operand(one.parts[0]));
        if (one.type.vector() && s_.expressions[one.parts[0]].part == Part::Paren) pairs(one);
        return;
      default: return;
    }
  }

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
    if (called(one)) return;
    for (const auto& row : function_rows())
      if (std::find(row.begin(), row.end(), word) != row.end())
        for (const std::string_view other : row)
          if (other != word) add(EditKind::Name, 1.3, std::string(other));
    if (!type.known()) {
      if (is_place(word)) return;
      const std::vector<std::string> tables = names_.tables_like(word);
      for (const std::string& other : tables) add(EditKind::Name, 1.1, other);
      if (!tables.empty()) return;
      // A constant of the language: M_PI_F.
      if (word.starts_with("M_") && !names_.defined(word)) {
        add(EditKind::Factor, 1.3, "-" + word);
        add(EditKind::Factor, 1.6, "2 * " + word);
        add(EditKind::Factor, 1.6, word + " / 2");
        return;
      }
      // A real constant of the file.
      const std::vector<std::string>& reals = names_.real_defines();
      if (std::find(reals.begin(), reals.end(), word) != reals.end()) {
        for (const std::string& other : reals)
          if (other != word) add(EditKind::Name, 1.3, other);
        add(EditKind::Factor, 1.4, "-" + word);
        add(EditKind::Factor, 1.7, "2 * " + word);
        add(EditKind::Factor, 1.7, word + " / 2");
        return;
      }
      // A macro's or a file's constant.
      const std::vector<std::string>& templates = names_.template_numbers();
      const bool of_template = std::find(templates.begin(), templates.end(), word) != templates.end();
      if (!word.empty() && (of_template || names_.defined(word))) {
        for (const std::vector<std::string>* all : {&names_.defines(), &templates})
          for (const std::string& other : *all)
            if (other != word) add(EditKind::Name, 1.5, other);
        variables(one, &ValueType::whole, 1.7, word);
        factors(one, 2);
        // "x - TAPS" for "x - (TAPS - 1)".
        if (one.first > 0 && (s_.lexemes[one.first - 1].is("-") || s_.lexemes[one.first - 1].is("+")))
          for (const char* by : {" - 1", " + 1"}) add(EditKind::Factor, 1.5, word + by);
        add(EditKind::Factor, 2.1, word + " * " + word);
      } else if (statement_of(one).kind == Statement::Kind::Macro) {
        for (const std::string& other : names_.macro_names(one))
          if (other != word) add(EditKind::Name, 1.3, other);
        add(EditKind::Factor, 1.8, "(-" + word + ")");
      }
      return;
    }
    if (type.whole()) {
      variables(one, &ValueType::whole, 1, word);
      for (const std::vector<std::string>* all : {&names_.defines(), &names_.template_numbers()})
        for (const std::string& other : *all)
          if (other != word) add(EditKind::Name, 1.6, other);
      add(EditKind::Number, 2.2, "1");
      add(EditKind::Number, 2.2, "0");
      factors(one, 1.6);
      add(EditKind::Factor, 2.1, "~" + word);
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
      variables(one, like(type), 1.2, word);
    }
  }

  void variables_times(const Expression& one, const std::string& word) {
    std::set<std::string> seen;
    const auto with = [&](const std::string& other) {
      if (!seen.insert(other).second) return;
      add(EditKind::Factor, 2.3, word + " * " + other);
      add(EditKind::Factor, 2.6, fmt::format("{} + ({} & 1)", word, other));
      if (other == word) return;
      add(EditKind::Factor, 2.3, word + " + " + other);
      add(EditKind::Factor, 2.4, word + " - " + other);
      add(EditKind::Factor, 2.4, word + " / " + other);
      add(EditKind::Factor, 2.4, other + " / " + word);
    };
    for (const std::string& name : visible_names(statement_of(one), &ValueType::whole)) with(name);
    for (const std::vector<std::string>* more : {&names_.defines(), &names_.template_numbers()})
      for (const std::string& other : *more) with(other);
  }

  void number(const Expression& one) {
    const std::string word = text(target_);
    if (one.type.floating()) {
      add(EditKind::Number, 1.5, "-" + word);
      add(EditKind::Number, 1.5, "2 * " + word);
      add(EditKind::Number, 1.5, word + " / 2");
      variables(one, &ValueType::floating, 1.9, word);
      for (const std::string& other : names_.real_defines())
        if (other != defined_by(one)) add(EditKind::Name, 1.7, other);
      for (const std::string_view other : {"0.5f", "1.0f", "2.0f", "0.0f"})
        if (word != other) add(EditKind::Number, 1.9, std::string(other));
      // What keeps a sum and a difference of two values as long as these are.
      const bool single = word.ends_with("f") || word.ends_with("F");
      for (const std::string_view other : {"0.7071067811865476", "1.4142135623730951"})
        add(EditKind::Number, 2.1, std::string(other) + (single ? "f" : ""));
      for (const std::string& other : names_.reals())
        if (word != other) add(EditKind::Number, 1.6, other);
      add(EditKind::Number, 2, "-INFINITY");
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
    // Halves and quarters seldom should have been thirds.
    const auto is_power = [](std::uint64_t v) { return v > 0 && (v & (v - 1)) == 0; };
    const bool divides =
        one.first > 0 && is_power(value) && (s_.lexemes[one.first - 1].is("/") || s_.lexemes[one.first - 1].is("/="));
    // Nor is a size beside a power of two, but for a mask or the last bit.
    static constexpr std::uint64_t min_size = 16;
    const std::string_view before = one.first > 0 ? s_.lexemes[one.first - 1].text : std::string_view();
    const bool size = value >= min_size && is_power(value) && before != "&" && before != "<<" && before != ">>" &&
                      !is_modulus(defined_by(one));
    // Nor is what keeps several low bits meant to keep one higher bit alone.
    const bool mask = value > 1 && is_power(value + 1) && before == "&";
    const auto offer = [&](std::uint64_t v, double cost) {
      const bool odd =
          (divides && !is_power(v)) || (size && (v == value + 1 || v == value - 1)) || (mask && v == value + 1);
      if (seen.insert(v).second) put(v, cost + (odd ? 0.9 : 0));
    };
    offer(value + 1, 1.2);
    if (value > 0) offer(value - 1, 1.2);
    offer(2 * value, 1.3);
    if (value % 2 == 0) offer(value / 2, 1.3);
    offer(0, 1.6);
    for (const std::uint64_t v : names_.numbers()) offer(v, 1.5);
    for (const std::uint64_t v : {1u, 2u, 3u, 4u, 8u, 16u, 32u}) offer(v, 1.7);
    if (hex) mask_digits(word, digits);
    if (value > 0) add(EditKind::Number, hex ? 2.8 : 1.4, "-" + word);
    variables(one, &ValueType::whole, 1.5, word);
    for (const std::string& other : names_.defines())
      if (other != defined_by(one)) add(EditKind::Name, 1.7, other);
    for (const std::string& other : names_.template_numbers()) add(EditKind::Name, 1.7, other);
    if (value == 0) arrays(one, true);
    // "L * RADIX" for "L * 2" in a macro that makes more than one function.
    if (statement_of(one).kind == Statement::Kind::Macro)
      for (const std::string& other : names_.macro_names(one)) add(EditKind::Name, 1.6, other);
    // A carry: "(low != 0)" for 0.
    if (value == 0 && one.first > 0 && s_.lexemes[one.first - 1].is("+")) {
      const std::vector<std::string> names = visible_names(statement_of(one), &ValueType::whole);
      for (std::size_t k = names.size(); k-- > 0 && names.size() - k <= max_factors;)
        add(EditKind::Condition, 2.4, fmt::format("({} != 0)", names[k]));
    }
    // What a maximum or a minimum begins with.
    if (statement_of(one).kind == Statement::Kind::Declaration && value == 0) {
      add(EditKind::Number, 1.8, "-2147483647 - 1");
      add(EditKind::Number, 1.9, "2147483647");
      add_wider(EditKind::Number, 1.9, "-INFINITY");
    }
  }

  bool is_whole(std::string_view variable) const {
    return std::any_of(s_.variables.begin(), s_.variables.end(),
                       [&](const Variable& v) { return v.name == variable && v.type.whole(); });
  }

  // v[0] for a 0 that a sum begins with.
  void arrays(const Expression& one, bool any) {
    const bool begins = one.first > 1 && s_.lexemes[one.first - 1].is("=") && !is_whole(s_.lexemes[one.first - 2].text);
    for (const std::uint32_t v : statement_of(one).visible) {
      const Variable& variable = s_.variables[v];
      const ValueType element = variable.type.element();
      if (any && !element.whole() && (!begins || statement_of(one).kind == Statement::Kind::Loop)) continue;
      if (variable.type.depth == 1 && (any || element.floating()) && variable.type.name != "void") {
        add(EditKind::Name, 2, variable.name + "[0]");
        edits_.back().wider = any && !element.whole();
      }
    }
  }

  // … and for a vector of noughts: "sum = v[0]" for "sum = make_float2(0, 0)".
  void first_elements(const Expression& one) {
    for (std::size_t k = 1; k < one.parts.size(); ++k) {
      const std::string number = text(one.parts[k]);
      if (s_.expressions[one.parts[k]].part != Part::Number || number.find_first_not_of("0.fF") != std::string::npos)
        return;
    }
    for (const std::string& name : visible_names(
             statement_of(one), [&](const ValueType& type) { return type.depth == 1 && type.element() == one.type; }))
      add(EditKind::Name, 2, name + "[0]");
  }

  void member(const Expression& one) {
    const std::string_view word = mark(one);
    const std::string owner = text(one.parts[0]);
    const bool arrow = s_.lexemes[one.mark - 1].is("->");
    const auto put = [&](std::string_view other, double cost) {
      add(EditKind::Component, cost, owner + (arrow ? "->" : ".") + std::string(other));
    };
    const ValueType& type = s_.expressions[one.parts[0]].type;
    const bool builtin = is_place(owner);
    if (type.vector() || builtin || word == "x" || word == "y") {
      const bool two = type.name.ends_with("2");
      static const std::vector<std::vector<std::string_view>> sets{
          {"x", "y", "z", "w"}, {"s0", "s1", "s2", "s3"}, {"xy", "yx"}, {"lo", "hi"},
          {"even", "odd"},      {"xyz", "zyx"},           {"xy", "zw"}, {"xyzw", "wzyx", "zyxw"}};
      for (const auto& set : sets)
        if (std::find(set.begin(), set.end(), word) != set.end())
          for (const std::string_view other : set) {
            if (other == word ||
                (two && set.size() == 4 && (other[0] == 'z' || other[0] == 'w' || other == "s2" || other == "s3")))
              continue;
            if (!type.vector() && !builtin && other != "x" && other != "y") continue;
            if (builtin && other == "w") continue;
            put(other, 1);
          }
      if (word == "yx") add(EditKind::Component, 1.2, owner);
      // A grid's stride for a group's.
      if (owner == "blockDim") add(EditKind::Factor, 1.6, fmt::format("{} * gridDim.{}", text(target_), word));
      if (builtin)
        for (const std::string_view other : place_words())
          if (other != owner) add(EditKind::Name, 1.5, fmt::format("{}.{}", other, word));
    } else if (fields_.size() <= 10) {
      for (const std::string& other : fields_)
        if (other != word && structs_.may_stand_for(other, word)) put(other, 1.3);
      // What a struct's field is of is not known; most are numbers.
      if (!one.type.known())
        for (const std::string_view form : {"2 * {}", "{} / 2", "{} + 1", "{} - 1"})
          add(EditKind::Factor, 1.9, fmt::format(fmt::runtime(form), text(target_)));
    }
    if (one.type.known()) factors(one, 1.9);
    if (builtin || one.type.whole()) variables(one, &ValueType::whole, 1.6);
    if (one.type.floating()) variables(one, &ValueType::floating, 1.8);
  }

  void binary(const Expression& one) {
    const std::string a = text(one.parts[0]), b = text(one.parts[1]);
    const std::string_view op = mark(one);
    const ValueType &x = s_.expressions[one.parts[0]].type, &y = s_.expressions[one.parts[1]].type;
    const bool macro = statement_of(one).kind == Statement::Kind::Macro;
    const auto fits = [&](std::string_view to) {
      if (x.depth > 0 || y.depth > 0) {
        const bool equal = op == "==" || op == "!=";
        return equal ? to == "==" || to == "!=" : to == "+" || to == "-";
      }
      const bool arithmetic = to == "+" || to == "-" || to == "*" || to == "/";
      const bool compares = to == "<" || to == ">" || to == "<=" || to == ">=" || to == "==" || to == "!=";
      return arithmetic || compares || to == "&&" || to == "||" || (x.whole() && y.whole()) ||
             (!macro && (x.whole() || y.whole()) && (!x.known() || !y.known()));
    };
    // How many parts a length has, and no index.
    const bool count = op == "/" && is_length(one.parts[0]);
    for (const WordChoice& choice : operator_choices())
      if (choice.from == op && fits(choice.to))
        add(EditKind::Operator,
            choice.cost + (choice.to == "-" && is_own_number(one.parts[1]) ? 0.6 : 0) +
                (count && choice.to == "%" ? 0.6 : 0),
            fmt::format("{} {} {}", side(one.parts[0], choice.to), choice.to, side(one.parts[1], choice.to)));
    if (op == "-" || op == "/" || op == "%" || op == "<<" || op == ">>")
      add(EditKind::Order, 1.3, fmt::format("{} {} {}", operand(one.parts[1]), op, operand(one.parts[0])));
    if (op == "/" && (x.whole() || !x.known()) && (y.whole() || !y.known()))
      add(EditKind::More, count ? 0.9 : 1.5,
          fmt::format("({0} + {1} - 1) / {1}", side(one.parts[0], "+"), operand(one.parts[1])));
    if (op == "*") quotient_last(one);
    // A multiple of a power of two; a product that needs more bits than its factors have.
    if (op == "*" && a == "2" && y.whole()) add(EditKind::Operator, 2.1, "1 << " + operand(one.parts[1]));
    if (op == "<<" && a == "1") add(EditKind::Operator, 2.1, "2 * " + operand(one.parts[1]));
    if (op == ">>") rounded_shift(one);
    if (op == "/") shifted_quotient(one);
    if (op == "%" && x.whole()) add(EditKind::Function, 2, fmt::format("min({}, {} - 1)", a, operand(one.parts[1])));
    if (op == ">>")
      add(EditKind::More, 1.9, fmt::format("({0} >> {1}) << {1}", operand(one.parts[0]), operand(one.parts[1])));
    if (op == "*" && (x.whole() || !x.known()) && (y.whole() || !y.known()) && x.depth == 0)
      add_wider(EditKind::More, 2.1,
                fmt::format("({}){} * {}", opencl_ ? "ulong" : "unsigned long long", operand(one.parts[0]), b));
    if (op == "/" && (x.whole() || !x.known()) && (y.whole() || !y.known()) && computes_reals(statement_of(one)))
      real_quotient(one);
    if (op == "/") divisor(one.parts[1]);
    if (op == "/") rounded(one);
    // What is beyond goes to the last one, and not round to the first; the upper bits, and not the lower.
    if (op == "&" && x.whole() && y.whole()) {
      add(EditKind::Function, 2.1, fmt::format("min({}, {})", a, b));
      add(EditKind::More, 2.1, fmt::format("{} & ~{}", operand(one.parts[0]), operand(one.parts[1])));
    }
    if ((op == "==" || op == "!=") && x.whole() && s_.expressions[one.parts[1]].part == Part::Number)
      for (const std::string& last : counts_of_items())
        add(EditKind::Number, 2, fmt::format("{} {} {} - 1", a, op, last));
    if (op == "==" || op == "!=") last_of_row(one);
    // The next of a sum of elements: "t[0] + t[1] + t[2]" for "t[0] + t[1]".
    if (op == "+" && s_.expressions[one.parts[1]].part == Part::Index) next_term(one);
    if (op == "<" || op == "<=" || op == ">" || op == ">=") {
      add(EditKind::Operator, 1.9, fmt::format("{} == 0", a));
      add(EditKind::Operator, 2, fmt::format("{} != 0", a));
    }
    if (op == "/" && x.whole() && y.whole())
      add(EditKind::More, 2.2, fmt::format("{0} / {1} * {1}", side(one.parts[0], "/"), operand(one.parts[1])));
    // One more or less than was meant is likelier than another term.
    const bool one_off = (op == "+" || op == "-") && b == "1" && x.whole();
    add(EditKind::Less, one_off ? 1.4 : 1.9, a);
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
        add(EditKind::Order, 1.7, fmt::format("({} + {}) * {}", p, r, q));
        add(EditKind::Order, 1.7, fmt::format("({} + {}) * {}", q, r, p));
        other_rows(one, p, q, r);
      }
      // The same behind another term: t + r * X + p for t + p * q + r.
      if (op == "+" && left.part == Part::Binary && mark(left) == "+")
        if (const Expression& product = s_.expressions[left.parts[1]];
            product.part == Part::Binary && mark(product) == "*") {
          const std::string before = text(left.parts[0]) + " + ", p = operand(product.parts[0]),
                            q = operand(product.parts[1]), r = operand(one.parts[1]);
          add(EditKind::Order, 1.5, fmt::format("{}{} * {} + {}", before, r, q, p));
          other_rows(one, p, q, r, before);
        }
      const Expression& right = s_.expressions[one.parts[1]];
      // What belongs within an index: "first[r + 1]" for "first[r] + 1".
      if ((op == "+" || op == "-") && left.part == Part::Index && y.whole())
        add(EditKind::Order, 1.3,
            fmt::format("{}[{} {} {}]", text(left.parts[0]), side(left.parts[1], op), op, side(one.parts[1], op)));
      if (op == "+" && right.part == Part::Binary && mark(right) == "*") {
        const std::string p = operand(one.parts[0]), q = operand(right.parts[0]), r = operand(right.parts[1]);
        add(EditKind::Order, 1.4, fmt::format("{} * {} + {}", q, p, r));
        add(EditKind::Order, 1.4, fmt::format("{} * {} + {}", p, r, q));
        if (left.part != Part::Binary) other_rows(one, q, r, p);
      }
      if (left.part == Part::Binary)
        add(EditKind::Order, 1.8,
            fmt::format("{} {} ({} {} {})", text(left.parts[0]), mark(left), text(left.parts[1]), op, b));
      // … and a * b op c for a * (b op c).
      const auto open = [&](std::uint32_t e) {
        const Expression& part = s_.expressions[e];
        if (part.part != Part::Paren || s_.expressions[part.parts[0]].part != Part::Binary) return std::string();
        const std::string_view within = mark(s_.expressions[part.parts[0]]);
        return within == "+" || within == "-" ? text(part.parts[0]) : std::string();
      };
      if (op == "*" || op == "/" || op == "%") {
        if (const std::string sum = open(one.parts[1]); !sum.empty())
          add(EditKind::Order, 1.4, fmt::format("{} {} {}", a, op, sum));
        if (const std::string sum = open(one.parts[0]); !sum.empty())
          add(EditKind::Order, 1.4, fmt::format("{} {} {}", sum, op, b));
      }
      factors(one, 2.2);
    }
  }

  // "n / T" of a kernel's n: a length, and no item's number.
  bool is_length(std::uint32_t e) const {
    const Expression& one = s_.expressions[e];
    if (one.part != Part::Name) return false;
    const std::string word = text(one);
    if (names_.defined(word)) return true;
    const Function& function = s_.functions[statement_of(one).function];
    return function.kernel && std::any_of(s_.lexemes.begin() + function.open, s_.lexemes.begin() + function.close,
                                          [&](const Lexeme& lexeme) { return lexeme.is(word); });
  }

  // How many groups and items there are.
  const std::vector<std::string>& counts_of_items() const {
    static const std::vector<std::string> opencl{"get_num_groups(0)", "get_local_size(0)", "get_global_size(0)"};
    static const std::vector<std::string> cuda{"gridDim.x", "blockDim.x"};
    return opencl_ ? opencl : cuda;
  }

  // An item's number: it is not meant to be taken from something.
  bool is_own_number(std::uint32_t e) const {
    const std::string word = text(e);
    return word.starts_with("threadIdx.") || word.starts_with("get_local_id(") || word.starts_with("get_global_id(");
  }

  // Another row length, too: c * R + r for r * C + c.
  void other_rows(const Expression& one, const std::string& row, const std::string& length, const std::string& column,
                  const std::string& before = {}) {
    std::set<std::string> seen{row, length, column};
    const auto with = [&](const std::string& other) {
      if (!seen.insert(other).second) return;
      add(EditKind::Order, 1.7, fmt::format("{}{} * {} + {}", before, column, other, row));
    };
    if (one.type.known() && !one.type.whole() && one.type.depth == 0) return;
    for (const std::string& name : visible_names(statement_of(one), &ValueType::whole)) with(name);
    for (const std::string& other : names_.defines()) with(other);
    for (const std::string& other : counts_of_items()) with(other);
  }

  void call(const Expression& one) {
    const std::string function = text(one.parts[0]);
    if (is_meeting(s_, function)) return;
    if (function.starts_with("make_") && one.type.vector()) first_elements(one);
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
    // What is before the first goes round, and is not mirrored.
    if (function == "abs" && arguments.size() == 1 && s_.expressions[one.parts[1]].type.whole())
      for (const std::string& count : visible_names(statement_of(one), &ValueType::whole, {arguments[0]}))
        add(EditKind::Factor, 1.5, fmt::format("({0} + {1}) % {1}", operand(one.parts[1]), count));
    // "tile.shfl_up": what is behind the last dot.
    const std::size_t dot = function.find_last_of(".:>") + 1;
    for (const auto& row : function_rows())
      if (std::find(row.begin(), row.end(), function.substr(dot)) != row.end())
        for (const std::string_view other : row)
          if (other != function.substr(dot))  // how many groups there are is seldom asked, and often 1
            add(EditKind::Function, other == "get_num_groups" ? 1.6 : 1.1,
                joined(function.substr(0, dot) + std::string(other)));
    // The width that lanes are exchanged in.
    if (function.substr(dot).starts_with("__shfl_")) {
      if (arguments.size() == 3)
        for (const int width : {2, 4, 8, 16})
          add(EditKind::More, 1.8, fmt::format("{}({}, {})", function, fmt::join(arguments, ", "), width));
      if (arguments.size() == 4)
        add(EditKind::Less, 1.8, fmt::format("{}({}, {}, {})", function, arguments[0], arguments[1], arguments[2]));
    }
    // A function of the file with the same parameters.
    for (const Function& f : s_.functions)
      if (f.name == function)
        for (const Function& g : s_.functions)
          if (g.name != function && may_call(g, one.first) && g.parameters == f.parameters && g.result == f.result)
            add(EditKind::Function, 1.2, joined(g.name));
    // Macros that are called alike: TW8_1 for TW8_3.
    for (const std::string& other : names_.macros_like(function, arguments.size()))
      add(EditKind::Function, 1.3, joined(other));
    if (arguments.size() == 1 && one.type.known() && s_.expressions[one.parts[1]].type == one.type)
      add(EditKind::Less, 1.8, arguments[0]);
    if (one.type.known() && one.type.name != "void") factors(one, 2.1);
    if (one.type.whole()) variables(one, &ValueType::whole, 1.7);
    // Where a group's part begins: "get_group_id(0) * ROWS".
    if (function == "get_group_id") {
      for (const std::string& size : names_.defines())
        add(EditKind::Factor, 1.8, fmt::format("{} * {}", text(target_), size));
      for (const std::string& size : visible_names(statement_of(one), &ValueType::whole))
        add(EditKind::Factor, 2, fmt::format("{} * {}", text(target_), size));
    }
  }

  void index(const Expression& one) {
    const Expression& base = s_.expressions[one.parts[0]];
    if (base.part == Part::Index)
      add(EditKind::Order, 1.2,
          fmt::format("{}[{}][{}]", text(base.parts[0]), text(one.parts[1]), text(base.parts[1])));
    if (one.type.known()) factors(one, 2);
    if (one.type.whole()) return variables(one, &ValueType::whole, 1.9);
    variables(
        one, [&](const ValueType& t) { return one.type.known() ? t == one.type : t.floating(); }, 1.9);
  }

  // "t[i] = f(t[i], …)" for "t[i] = f(a, …)": what a reduction goes on from. And "x = t[0] + t[1]" for "x = t[0]".
  void of_itself(const Expression& value, const std::string& left, std::uint32_t number) {
    const std::uint32_t whole = target_;
    if (value.part == Part::Call && left.find('[') != std::string::npos &&
        std::none_of(value.parts.begin() + 1, value.parts.end(), [&](std::uint32_t e) { return text(e) == left; }))
      for (std::size_t k = 1; k < value.parts.size(); ++k) {
        target_ = value.parts[k];
        if (s_.expressions[target_].part == Part::Name) add(EditKind::Name, 1.3, left);
      }
    if (value.part == Part::Index && s_.expressions[value.parts[1]].part == Part::Number &&
        (text(value.parts[1]) == "0" || text(value.parts[1]) == "1") && value.type.known()) {
      target_ = number;
      const std::string array = text(value.parts[0]);
      add(EditKind::More, 1.3,
          text(value.parts[1]) == "0" ? fmt::format("{0}[0] + {0}[1]", array) : fmt::format("{0}[1] + {0}[2]", array));
    }
    target_ = whole;
  }

  // What an assignment writes may be something else, in another way.
  void assignment(const Expression& one) {
    const Expression& value = s_.expressions[one.parts[1]];
    if ((value.type.floating() || value.type.vector()) && value.part != Part::Name) {
      const std::uint32_t whole = target_;
      target_ = one.parts[1];
      scaled(value, 1.8);
      target_ = whole;
    }
    const std::string left = text(one.parts[0]), right = text(one.parts[1]);
    const std::string_view op = mark(one);
    const ValueType& type = s_.expressions[one.parts[0]].type;
    const bool real = type.floating() || type.vector();
    for (const WordChoice& choice : assignment_choices())
      if (choice.from == op && !(real && choice.to.find_first_of("|&^<>%") != std::string_view::npos))
        add(EditKind::Operator, choice.cost, fmt::format("{} {} {}", left, choice.to, right));
    const Expression& to = s_.expressions[one.parts[0]];
    if (op == "=") of_itself(value, left, one.parts[1]);
    if (op == "=") old_value(one, left);
    const auto put = [&](EditKind kind, double cost, const std::string& other) {
      add(kind, cost, fmt::format("{} {} {}", other, op, right));
    };
    if (to.part == Part::Name && to.type.known())
      for (const std::string& name : visible_names(
               statement_of(one), [&](const ValueType& other) { return other == to.type && !other.constant; }, {left}))
        put(EditKind::Name, 1.6, name);
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
    // A part of what is added: "a += 0.5f * b" for "a += b".
    if (real && (op == "+=" || op == "-="))
      for (const std::string_view part : {"0.5f", "2"})
        add(EditKind::Factor, 2.2, fmt::format("{} {} {} * {}", left, op, part, operand(one.parts[1])));
    // *x = …, x[i] = …: what is read there goes on being added to.
    if (op == "=" && s_.expressions[one.parts[1]].type.floating())
      add(EditKind::Less, 2.6, fmt::format("{} = 0", left));
  }

  const SourceNames names_;
  const StructFields structs_;
  std::set<std::string> fields_;
};

}  // namespace

std::vector<SourceEdit> edits_of(const Syntax& syntax, std::size_t most,
                                 const std::function<bool(const SourceEdit&)>& wanted) {
  std::vector<SourceEdit> edits = Maker(syntax).run();
  const SourceNames names(syntax);
  for (std::vector<SourceEdit>& more :
       std::vector{edits_together(syntax, names, edits), edits_of_statements(syntax), edits_borrowed(syntax, names),
                   edits_of_indices(syntax, names), edits_of_tables(syntax), edits_of_missing(syntax),
                   edits_of_calls(syntax), edits_of_loops(syntax, names)})
    std::move(more.begin(), more.end(), std::back_inserter(edits));
  std::erase_if(edits, [&](const SourceEdit& edit) { return refused_by_all(syntax, edit); });
  const Likeness likeness(syntax);
  const Plausibility plausibility(syntax);
  for (SourceEdit& edit : edits)
    edit.cost += constant_cost(syntax, edit) - 0.4 * likeness.of(edit) + plausibility.cost(edit);
  std::stable_sort(edits.begin(), edits.end(),
                   [](const SourceEdit& a, const SourceEdit& b) { return a.cost < b.cost; });
  // What two changes make alike is tried once.
  std::set<std::pair<bool, std::size_t>> seen;
  std::erase_if(edits, [&](const SourceEdit& edit) {
    const std::size_t text = std::hash<std::string>()(applied(syntax, edit));
    return !(seen.size() < most && wanted(edit) && seen.insert({edit.wider, text}).second);
  });
  return edits;
}

}  // namespace twiddle
