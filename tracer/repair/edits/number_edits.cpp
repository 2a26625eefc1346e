#include "tracer/repair/edits/number_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace twiddle {

// "0x33333333u" for "0x3333333u": a mask repeats one to four digits, and has eight of them, or four or sixteen.
void NumberEdits::mask_digits(const std::string& word, std::size_t end) {
  const std::string digits = word.substr(2, end - 2);
  for (const std::size_t period : {1, 2, 4}) {
    if (digits.size() < period + 2) return;
    bool repeats = true;
    for (std::size_t k = period; k < digits.size(); ++k) repeats = repeats && digits[k] == digits[k - period];
    if (!repeats) continue;
    for (const std::size_t count : {4, 8, 16}) {
      const std::size_t more = std::max(count, digits.size()) - std::min(count, digits.size());
      if (more == 0 || more > period) continue;
      std::string mask;
      for (std::size_t k = 0; k < count; ++k) mask += digits[k % period];
      add(EditKind::Number, 1, word.substr(0, 2) + mask + word.substr(end));
    }
    return;
  }
}

// "t % 32 == 31" for "t % 32 == 0": the last of each row for the first.
void NumberEdits::last_of_row(const Expression& one) {
  std::uint32_t e = one.parts[0];
  while (s_.expressions[e].part == Part::Paren) e = s_.expressions[e].parts[0];
  const Expression& rest = s_.expressions[e];
  if (rest.part != Part::Binary || text(one.parts[1]) != "0") return;
  const std::string left = text(one.parts[0]), by = text(rest.parts[1]);
  if (mark(rest) == "%") {
    const bool number = by.size() < 9 && by.find_first_not_of("0123456789") == std::string::npos;
    add(EditKind::Number, 1.3,
        number ? fmt::format("{} {} {}", left, mark(one), std::stoi(by) - 1)
               : fmt::format("{} {} {} - 1", left, mark(one), operand(rest.parts[1])));
  } else if (mark(rest) == "&") {
    add(EditKind::Number, 1.3, fmt::format("{} {} {}", left, mark(one), operand(rest.parts[1])));
  }
}

// "y = a * x + b * y" for "y = a * x + b * x": of an operand that is there twice the one may be what was there before.
void NumberEdits::old_value(const Expression& one, const std::string& left) {
  const ValueType& type = s_.expressions[one.parts[0]].type;
  if (left.find("++") != std::string::npos || left.find("--") != std::string::npos) return;
  std::vector<std::uint32_t> open{one.parts[1]}, operands;
  while (!open.empty()) {
    const std::uint32_t e = open.back();
    open.pop_back();
    const Expression& part = s_.expressions[e];
    if (part.part == Part::Binary || part.part == Part::Paren || part.part == Part::Choice)
      open.insert(open.end(), part.parts.begin(), part.parts.end());
    if (part.part != Part::Name && part.part != Part::Index && part.part != Part::Member) continue;
    if (text(e) == left) return;
    if (!part.written && (!part.type.known() || !type.known() || part.type == type)) operands.push_back(e);
  }
  const std::uint32_t whole = target_;
  for (const std::uint32_t e : operands) {
    target_ = e;
    if (std::count_if(operands.begin(), operands.end(), [&](std::uint32_t other) { return text(other) == text(e); }) ==
        2)
      add(EditKind::Name, 1.6, left);
  }
  target_ = whole;
}

void NumberEdits::increment(const Expression& one) {
  const std::string inner = text(one.parts[0]);
  const bool up = mark(one) == "++";
  const ValueType& type = s_.expressions[one.parts[0]].type;
  if (!type.whole() && type.depth != 1) return;
  add(EditKind::Operator, 1.4, fmt::format("{} {} 2", inner, up ? "+=" : "-="));
  if (up) add(EditKind::Operator, 1.6, fmt::format("{} *= 2", inner));
  add(EditKind::Operator, 2, fmt::format("{} {} 1", inner, up ? "-=" : "+="));
  for (const int step : {4, 8}) add(EditKind::Operator, 2, fmt::format("{} {} {}", inner, up ? "+=" : "-=", step));
  for (const std::string& name : visible_names(statement_of(one), &ValueType::whole, {inner}))
    add(EditKind::Name, 1.7, fmt::format("{} {} {}", inner, up ? "+=" : "-=", name));
}

// Times or divided by a number in sight: "sum / n" for "sum".
void NumberEdits::scaled(const Expression& one, double cost) {
  const std::string inner = operand(target_);
  const auto number = [](const ValueType& type) { return type.whole() || type.floating(); };
  // The last place first: there a scale is missing most likely.
  constexpr double at_end = 0.05;
  cost -= at_end * static_cast<double>(target_) / static_cast<double>(s_.expressions.size());
  for (const std::string& name : visible_names(statement_of(one), number, {inner})) {
    add(EditKind::Factor, cost, fmt::format("{} / {}", inner, name));
    add(EditKind::Factor, cost + 0.1, fmt::format("{} * {}", inner, name));
  }
}

std::string_view NumberEdits::defined_by(const Expression& one) const {
  if (statement_of(one).kind != Statement::Kind::Macro) return {};
  std::size_t k = one.first;
  while (k > 0 && s_.lexemes[k].directive && !s_.lexemes[k].is("define")) --k;
  return s_.lexemes[k + 1].text;
}

bool NumberEdits::is_modulus(std::string_view macro) const {
  for (std::size_t k = 1; k < s_.lexemes.size() && !macro.empty(); ++k)
    if (s_.lexemes[k].is(macro) && s_.lexemes[k - 1].is("%")) return true;
  return false;
}

void NumberEdits::next_term(const Expression& one) {
  const Expression& last = s_.expressions[one.parts[1]];
  const std::string number = text(last.parts[1]);
  if (number.empty() || number.size() > 8 || number.find_first_not_of("0123456789") != std::string::npos) return;
  add(EditKind::More, 1.7, fmt::format("{} + {}[{}]", text(one), text(last.parts[0]), std::stoi(number) + 1));
}

}  // namespace twiddle
