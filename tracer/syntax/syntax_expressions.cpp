// Expressions by precedence, with the types that their values have.
#include "tracer/syntax/syntax_reader.h"

#include <cctype>
#include <utility>

namespace twiddle {

std::uint32_t ExpressionReader::declare(const std::string& word, const ValueType& type) {
  s_.variables.push_back({word, type.depth > 0 ? type : ValueType{type.name, 0, 0, type.constant}});
  scope_.push_back(static_cast<std::uint32_t>(s_.variables.size() - 1));
  return scope_.back();
}

const Variable* ExpressionReader::find(std::string_view word) const {
  for (std::size_t k = scope_.size(); k-- > 0;)
    if (s_.variables[scope_[k]].name == word) return &s_.variables[scope_[k]];
  return nullptr;
}

std::uint32_t ExpressionReader::make(Part part, std::size_t first, std::size_t last, std::size_t mark,
                                     std::vector<std::uint32_t> parts, ValueType type) {
  Expression one;
  one.part = part;
  one.first = static_cast<std::uint32_t>(first);
  one.last = static_cast<std::uint32_t>(last);
  one.mark = static_cast<std::uint32_t>(mark);
  one.parts = std::move(parts);
  one.type = std::move(type);
  one.statement = statement_;
  s_.expressions.push_back(std::move(one));
  return static_cast<std::uint32_t>(s_.expressions.size() - 1);
}

std::uint32_t ExpressionReader::comma(std::size_t& k, int depth) {
  const std::size_t first = k;
  std::vector<std::uint32_t> parts{assignment(k, depth)};
  while (is(k, ",")) {
    ++k;
    parts.push_back(assignment(k, depth));
  }
  if (parts.size() == 1) return parts[0];
  const ValueType type = type_of(parts.back());
  return make(Part::Comma, first, k, first, std::move(parts), type);
}

std::uint32_t ExpressionReader::assignment(std::size_t& k, int depth) {
  if (depth > max_syntax_depth) throw Failed{};
  const std::size_t first = k;
  const std::uint32_t left = choice(k, depth + 1);
  static const std::set<std::string_view> marks{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  if (k < limit_ && marks.count(at(k).text)) {
    const std::size_t mark = k++;
    const std::uint32_t right = assignment(k, depth + 1);
    write(left);
    return make(Part::Assign, first, k, mark, {left, right}, type_of(left));
  }
  return left;
}

void ExpressionReader::write(std::uint32_t e) {
  Expression& one = s_.expressions[e];
  one.written = true;
  if (one.part == Part::Index) s_.expressions[one.parts[0]].stored = true;
  if (one.part == Part::Prefix && s_.lexemes[one.mark].is("*")) s_.expressions[one.parts[0]].stored = true;
  if (one.part == Part::Paren || one.part == Part::Member) write(one.parts[0]);
}

std::uint32_t ExpressionReader::choice(std::size_t& k, int depth) {
  const std::size_t first = k;
  const std::uint32_t condition = binary(k, 0, depth);
  if (!is(k, "?")) return condition;
  const std::size_t mark = k++;
  const std::uint32_t yes = assignment(k, depth + 1);
  if (!is(k, ":")) throw Failed{};
  ++k;
  const std::uint32_t no = assignment(k, depth + 1);
  return make(Part::Choice, first, k, mark, {condition, yes, no}, type_of(yes).known() ? type_of(yes) : type_of(no));
}

int ExpressionReader::rank(std::string_view mark) {
  static const std::map<std::string_view, int> ranks{{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
                                                     {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
                                                     {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};
  const auto found = ranks.find(mark);
  return found == ranks.end() ? 0 : found->second;
}

ValueType ExpressionReader::joined(std::string_view mark, const ValueType& a, const ValueType& b) const {
  const int r = rank(mark);
  if (r <= 2 || r == 6 || r == 7) return a.vector() ? a : ValueType{"int"};
  if (a.depth > 0) return a;
  if (b.depth > 0) return b;
  if (!a.known() || !b.known()) return a.vector() ? a : b.vector() ? b : ValueType{};
  if (a.vector()) return a;
  if (b.vector()) return b;
  if (a.floating()) return a;
  if (b.floating()) return b;
  return a;
}

std::uint32_t ExpressionReader::binary(std::size_t& k, int lowest, int depth) {
  if (depth > max_syntax_depth) throw Failed{};
  const std::size_t first = k;
  std::uint32_t left = prefix(k, depth + 1);
  for (;;) {
    const int r = k < limit_ && at(k).kind == Lexeme::Kind::Mark ? rank(at(k).text) : 0;
    if (r == 0 || r <= lowest) return left;
    const std::size_t mark = k++;
    const std::uint32_t right = binary(k, r, depth + 1);
    left = make(Part::Binary, first, k, mark, {left, right}, joined(at(mark).text, type_of(left), type_of(right)));
  }
}

std::uint32_t ExpressionReader::prefix(std::size_t& k, int depth) {
  if (depth > max_syntax_depth || k >= limit_) throw Failed{};
  const std::size_t first = k;
  static const std::set<std::string_view> marks{"-", "+", "!", "~", "*", "&", "++", "--"};
  if (at(k).kind == Lexeme::Kind::Mark && marks.count(at(k).text)) {
    const std::size_t mark = k++;
    const std::uint32_t operand = prefix(k, depth + 1);
    if (at(mark).is("++") || at(mark).is("--") || at(mark).is("&")) write(operand);
    ValueType type = type_of(operand);
    if (at(mark).is("*") && type.depth > 0) type = type.element();
    if (at(mark).is("&") && type.known()) ++type.depth;
    if (at(mark).is("!")) type = {"int", 0};
    return make(Part::Prefix, first, k, mark, {operand}, type);
  }
  if (is(k, "(") && (type_word(k + 1) || (name(k + 1) && type_qualifiers().count(at(k + 1).text)))) {
    const std::size_t close = match(k, limit_);
    std::size_t next = k + 1;
    ValueType type;
    bool cast = false;
    try {
      type = read_type(next);
      cast = next == close && close + 1 < limit_;
    } catch (const Failed&) {}
    if (cast) {
      k = close + 1;
      const std::uint32_t operand = prefix(k, depth + 1);
      return make(Part::Cast, first, k, first, {operand}, type);
    }
  }
  return postfix(k, depth);
}

ValueType ExpressionReader::result_of(std::string_view word, const std::vector<std::uint32_t>& arguments) const {
  for (const Function& one : s_.functions)
    if (one.name == word) return one.result;
  if (word.starts_with("get_")) return {"size_t", 0};
  if (word.starts_with("make_")) return {std::string(word.substr(5)), 0};
  if (word.starts_with("vload_half"))
    return {word == "vload_half" ? "float" : "float" + std::string(word.substr(10)), 0};
  if (word == "__popc" || word == "__clz" || word == "__ffs" || word == "popcount" || word == "__brev" ||
      word.starts_with("__ballot"))
    return {"int", 0};
  if (is_type_name(word)) return {std::string(word), 0};  // int(x), float2(…)
  static const std::set<std::string_view> same{
      "sin",   "cos",   "sinpi",  "cospi",      "exp",        "sqrt", "fabs", "sinf", "cosf", "sinpif", "cospif",
      "expf",  "sqrtf", "fabsf",  "fma",        "fmaf",       "mad",  "min",  "max",  "fmin", "fmax",   "fminf",
      "fmaxf", "abs",   "select", "native_sin", "native_cos", "log",  "logf", "pow",  "powf"};
  if (same.count(word) && !arguments.empty()) {
    const ValueType& first = type_of(arguments[0]);
    return first.known() && first.depth == 0 ? first : ValueType{"float", 0};
  }
  if (word == "dot" || word == "length" || word == "distance") return {"float", 0};
  if ((word.starts_with("__shfl") && arguments.size() > 1)) return type_of(arguments[1]);
  return {};
}

std::uint32_t ExpressionReader::postfix(std::size_t& k, int depth) {
  const std::size_t first = k;
  std::uint32_t left = primary(k, depth);
  for (;;) {
    if (is(k, "(")) {
      std::vector<std::uint32_t> parts{left};
      const std::size_t open = k++;
      while (!is(k, ")")) {
        if (k >= limit_) throw Failed{};
        parts.push_back(is(k, "{") ? braces(k) : assignment(k, depth + 1));
        if (is(k, ","))
          ++k;
        else if (!is(k, ")"))
          throw Failed{};
      }
      ++k;
      std::vector<std::uint32_t> arguments(parts.begin() + 1, parts.end());
      const Expression& called = s_.expressions[left];
      ValueType type = called.part == Part::Name ? result_of(s_.spelling(called), arguments) : ValueType{};
      if (s_.spelling(called).starts_with("static_cast<")) {
        std::size_t next = called.first + 2;
        try {
          type = read_type(next);
        } catch (const Failed&) {}
      }
      left = make(Part::Call, first, k, open, std::move(parts), std::move(type));
    } else if (is(k, "[")) {
      const std::size_t open = k++;
      const std::uint32_t index = comma(k, depth + 1);
      if (!is(k, "]")) throw Failed{};
      ++k;
      ValueType type = type_of(left);
      type = type.depth > 0 ? type.element() : ValueType{};
      left = make(Part::Index, first, k, open, {left, index}, type);
    } else if ((is(k, ".") || is(k, "->")) && name(k + 1)) {
      const std::size_t member = k + 1;
      k += 2;
      left = make(Part::Member, first, k, member, {left}, member_type(left, at(member).text));
    } else if (is(k, "++") || is(k, "--")) {
      write(left);
      const ValueType type = type_of(left);
      left = make(Part::Postfix, first, k + 1, k, {left}, type);
      ++k;
    } else {
      return left;
    }
  }
}

ValueType ExpressionReader::member_type(std::uint32_t owner, std::string_view member) const {
  const Expression& one = s_.expressions[owner];
  if (one.part == Part::Name) {
    const std::string_view word = s_.spelling(one);
    if (word == "threadIdx" || word == "blockIdx" || word == "blockDim" || word == "gridDim") return {"uint", 0};
  }
  if (!one.type.vector()) return {};
  std::string base = one.type.name;
  while (std::isdigit(static_cast<unsigned char>(base.back()))) base.pop_back();
  const std::size_t parts = member == "lo" || member == "hi"
                                ? static_cast<std::size_t>(components_of(one.type.name)) / 2
                            : member.size() > 1 && member[0] == 's' ? member.size() - 1
                                                                    : member.size();
  return {parts == 1 ? base : base + std::to_string(parts), 0};
}

std::uint32_t ExpressionReader::braces(std::size_t& k) {
  const std::size_t first = k;
  k = match(k, limit_) + 1;
  if (k > limit_) throw Failed{};
  return make(Part::Other, first, k, first, {}, {});
}

std::uint32_t ExpressionReader::primary(std::size_t& k, int depth) {
  if (k >= limit_) throw Failed{};
  const std::size_t first = k;
  const Lexeme& word = at(k);
  if (word.is("(")) {
    ++k;
    const std::uint32_t inside = comma(k, depth + 1);
    if (!is(k, ")")) throw Failed{};
    ++k;
    return make(Part::Paren, first, k, first, {inside}, type_of(inside));
  }
  if (word.kind == Lexeme::Kind::Number) {
    ++k;
    const std::string_view text = word.text;
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    const bool real =
        !hex && (text.find('.') != std::string_view::npos || text.find_first_of("eEfFhH") != std::string_view::npos);
    return make(Part::Number, first, k, first, {}, {real ? "float" : "int", 0});
  }
  if (word.kind == Lexeme::Kind::String) {
    ++k;
    return make(Part::Other, first, k, first, {}, {});
  }
  if (word.kind != Lexeme::Kind::Name) throw Failed{};
  if (word.is("sizeof") && is(k + 1, "(")) {
    k = match(k + 1, limit_) + 1;
    return make(Part::Other, first, k, first, {}, {"int", 0});
  }
  if (statement_words().count(word.text)) throw Failed{};
  ++k;
  while (is(k, "::") && name(k + 1)) k += 2;
  if (is(k, "<")) {
    const std::size_t end = template_end(k);
    if (end && is(end + 1, "(")) k = end + 1;
  }
  ValueType type;
  if (const Variable* known = find(word.text)) type = known->type;
  return make(Part::Name, first, k, first, {}, type);
}

}  // namespace twiddle
