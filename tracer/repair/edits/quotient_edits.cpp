#include "tracer/repair/edits/quotient_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace twiddle {

QuotientEdits::QuotientEdits(const Syntax& syntax)
    : EditMaker(syntax), doubles_(std::any_of(syntax.lexemes.begin(), syntax.lexemes.end(), [](const Lexeme& one) {
        return one.text.starts_with("double");
      })) {}

void QuotientEdits::rounded(const Expression& one) {
  std::uint32_t by = one.parts[1];
  while (s_.expressions[by].part == Part::Paren || s_.expressions[by].part == Part::Cast)
    by = s_.expressions[by].parts[0];
  const ValueType &type = one.type, &over = s_.expressions[one.parts[0]].type;
  const std::string number = text(by);
  if (s_.expressions[by].part == Part::Number && number.find_first_not_of("0123456789") == std::string::npos &&
      number.size() < 9 && over.vector() && !over.name.starts_with("float") && !over.name.starts_with("double") &&
      !over.name.starts_with("half"))
    add(EditKind::More, 2.1,
        fmt::format("({} + ({})({})) / {}", text(one.parts[0]), over.name, std::stoi(number) / 2, text(one.parts[1])));
  else if (type.whole() && over.whole())
    add(EditKind::More, 2.3, fmt::format("({0} + {1} / 2) / {1}", side(one.parts[0], "+"), operand(one.parts[1])));
}

void QuotientEdits::rounded_shift(const Expression& one) {
  const std::string by = text(one.parts[1]);
  if (by.size() != 1 || by[0] < '1' || by[0] > '9') return;
  std::uint32_t e = one.parts[0];
  while (s_.expressions[e].part == Part::Paren) e = s_.expressions[e].parts[0];
  add(EditKind::More, 1.9, fmt::format("({} + {}) >> {}", text(e), 1 << (by[0] - '1'), by));
}

void QuotientEdits::shifted_quotient(const Expression& one) {
  const std::string by = text(one.parts[1]);
  if (!s_.expressions[one.parts[0]].type.whole()) return;
  for (int bits = 1; bits < 10; ++bits)
    if (by == std::to_string(1 << bits))
      add(EditKind::Operator, 2.0, fmt::format("{} >> {}", operand(one.parts[0]), bits));
}

bool QuotientEdits::computes_reals(const Statement& statement) const {
  return std::any_of(s_.lexemes.begin() + statement.first, s_.lexemes.begin() + statement.last, [](const Lexeme& word) {
    if (word.kind == Lexeme::Kind::Number)
      return word.text.find('.') != std::string_view::npos && !word.text.starts_with("0x");
    return word.text.starts_with("sin") || word.text.starts_with("cos") || word.text.starts_with("native_") ||
           word.text.starts_with("__sin") || word.text.starts_with("__cos") || word.text.starts_with("M_PI");
  });
}

void QuotientEdits::real_quotient(const Expression& one) {
  if (one.type.whole())
    add_wider(EditKind::More, 1.7,
              fmt::format("({}){} / {}", doubles_ ? "double" : "float", operand(one.parts[0]), operand(one.parts[1])));
  std::uint32_t above = one.parts[0];
  while (s_.expressions[above].part == Part::Paren) above = s_.expressions[above].parts[0];
  const Expression& product = s_.expressions[above];
  std::vector<std::uint32_t> numbers{above};
  if (product.part == Part::Binary && mark(product) == "*") numbers = product.parts;
  const std::uint32_t whole = target_;
  for (const std::uint32_t e : numbers) {
    const std::string word = text(e);
    if (s_.expressions[e].part != Part::Number || word.find_first_not_of("0123456789") != std::string::npos) continue;
    target_ = e;
    add_wider(EditKind::Number, 1.5, word + (doubles_ ? ".0" : ".0f"));
  }
  target_ = whole;
}

void QuotientEdits::divisor(std::uint32_t e) {
  while (s_.expressions[e].part == Part::Paren || s_.expressions[e].part == Part::Cast) e = s_.expressions[e].parts[0];
  const Expression& one = s_.expressions[e];
  if (one.part != Part::Name || !one.type.whole()) return;
  const std::uint32_t whole = target_;
  target_ = e;
  std::vector<std::string> names;
  const std::vector<std::uint32_t>& visible = s_.statements[one.statement].visible;
  for (auto v = visible.rbegin(); v != visible.rend(); ++v)  // the innermost first
    if (s_.variables[*v].type.whole() && names.size() < max_factors &&
        std::find(names.begin(), names.end(), s_.variables[*v].name) == names.end())
      names.push_back(s_.variables[*v].name);
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = i + 1; j < names.size(); ++j) add(EditKind::Factor, 2.2, names[i] + " * " + names[j]);
  target_ = whole;
}

// "a * b / c" for "a * (b / c)", and "a * c / b" for "(a / b) * c": of whole numbers the quotient comes last.
void QuotientEdits::quotient_last(const Expression& one) {
  for (const std::size_t k : {1, 0}) {
    const Expression& bracket = s_.expressions[one.parts[k]];
    if (bracket.part != Part::Paren) continue;
    const Expression& quotient = s_.expressions[bracket.parts[0]];
    if (quotient.part != Part::Binary || mark(quotient) != "/") continue;
    const auto real = [&](std::uint32_t e) {
      return s_.expressions[e].type.floating() || s_.expressions[e].type.vector();
    };
    if (real(quotient.parts[0]) || real(quotient.parts[1])) continue;
    const std::string above = operand(quotient.parts[0]), below = operand(quotient.parts[1]);
    if (k == 1)
      add(EditKind::Order, 1.3, fmt::format("{} * {} / {}", side(one.parts[0], "+"), above, below));
    else
      add(EditKind::Order, 1.4, fmt::format("{} * {} / {}", above, operand(one.parts[1]), below));
  }
}

}  // namespace twiddle
