#include "kernels/plan/expression.h"

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/text.h"
#include "kernels/plan/expression_functions.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

namespace twiddle {
namespace {

constexpr std::size_t max_expression = 1000;      // characters
constexpr int max_depth = 64;                     // of parentheses and signs
constexpr double max_exact = 9007199254740992.0;  // 2^53

enum class Binary {
  Or,
  And,
  BitOr,
  BitAnd,
  Equal,
  Unequal,
  LessEqual,
  GreaterEqual,
  ShiftLeft,
  ShiftRight,
  Less,
  Greater,
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder
};

struct Operator {
  std::string_view text;
  Binary what;
  int binds;  // higher ones first
};
// Longer ones before those that begin like them.
constexpr std::array<Operator, 17> operators{{
    {"||", Binary::Or, 1},
    {"&&", Binary::And, 2},
    {"|", Binary::BitOr, 3},
    {"&", Binary::BitAnd, 4},
    {"==", Binary::Equal, 5},
    {"!=", Binary::Unequal, 5},
    {"<<", Binary::ShiftLeft, 7},
    {">>", Binary::ShiftRight, 7},
    {"<=", Binary::LessEqual, 6},
    {">=", Binary::GreaterEqual, 6},
    {"<", Binary::Less, 6},
    {">", Binary::Greater, 6},
    {"+", Binary::Add, 8},
    {"-", Binary::Subtract, 8},
    {"*", Binary::Multiply, 9},
    {"/", Binary::Divide, 9},
    {"%", Binary::Remainder, 9},
}};

struct RealNumbers {
  using Value = double;
  template <typename Fail>
  static Value literal(std::string_view text, const Fail& fail) {
    Value value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) throw fail(Message("{} is no number", text));
    return value;
  }
  template <typename Fail>
  static Value of(const std::variant<std::int64_t, double>& named, std::string_view, const Fail&) {
    return std::visit([](auto value) { return static_cast<double>(value); }, named);
  }
  template <typename Fail>
  static std::int64_t whole(Value value, const Fail& fail) {
    if (!(std::abs(value) <= max_exact) || value != std::trunc(value))
      throw fail(Message("{} is no whole number", value));
    return static_cast<std::int64_t>(value);
  }
  static Value from(std::int64_t value) { return static_cast<Value>(value); }
  template <typename Fail>
  static Value add(Value a, Value b, const Fail&) {
    return a + b;
  }
  template <typename Fail>
  static Value subtract(Value a, Value b, const Fail&) {
    return a - b;
  }
  template <typename Fail>
  static Value multiply(Value a, Value b, const Fail&) {
    return a * b;
  }
  template <typename Fail>
  static Value divide(Value a, Value b, const Fail& fail) {
    if (b == 0) throw fail(Message("it divides by zero"));
    return a / b;
  }
};

// Precedence climbing over the text itself.
template <typename Numbers>
class Parser {
 public:
  using Value = typename Numbers::Value;
  Parser(std::string_view text, const ExpressionNames& names) : whole_text_(text), rest_(text), names_(names) {}

  Value parse() {
    if (whole_text_.size() > max_expression)
      throw usage_error("an expression has at most {} characters, and this one {}", max_expression, whole_text_.size());
    const Value value = choice();
    skip();
    if (rest_.starts_with('^'))
      throw fail(Message("^ could be a power or an exclusive or: write pow(a,b) or xor(a,b)"));
    if (!rest_.empty()) throw fail(Message("\"{}\" is not expected there", rest_.substr(0, 20)));
    return value;
  }

 private:
  Error fail(const Message& why) const { return usage_error("\"{}\": {}", whole_text_.substr(0, 200), why); }
  auto failing() const {
    return [this](const Message& why) { return fail(why); };
  }

  void skip() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
  }
  bool take(std::string_view mark) {
    skip();
    if (!rest_.starts_with(mark)) return false;
    rest_.remove_prefix(mark.size());
    return true;
  }

  Value choice() {
    const Deeper deeper(*this);
    const Value condition = binary(1);
    if (!take("?")) return condition;
    const Value yes = choice();
    if (!take(":")) throw fail(Message("after ? and a value comes :"));
    const Value no = choice();
    return condition != 0 ? yes : no;
  }

  const Operator* next_operator(int binds) {
    skip();
    for (const Operator& one : operators)
      if (rest_.starts_with(one.text)) return one.binds >= binds ? &one : nullptr;
    return nullptr;
  }

  Value binary(int binds) {
    Value left = unary();
    while (const Operator* found = next_operator(binds)) {
      rest_.remove_prefix(found->text.size());
      const Value right = binary(found->binds + 1);
      left = apply(found->what, left, right);
    }
    return left;
  }

  Value apply(Binary what, Value a, Value b) {
    const auto failing_ = failing();
    const auto whole = [&](Value value) { return Numbers::whole(value, failing_); };
    const auto shift = [&] {
      const std::int64_t by = whole(b);
      if (by < 0 || by > 62) throw fail(Message("a shift goes by 0 … 62 bits, not by {}", by));
      return by;
    };
    switch (what) {
      case Binary::Or: return Numbers::from(a != 0 || b != 0);
      case Binary::And: return Numbers::from(a != 0 && b != 0);
      case Binary::BitOr: return Numbers::from(whole(a) | whole(b));
      case Binary::BitAnd: return Numbers::from(whole(a) & whole(b));
      case Binary::Equal: return Numbers::from(a == b);
      case Binary::Unequal: return Numbers::from(a != b);
      case Binary::Less: return Numbers::from(a < b);
      case Binary::LessEqual: return Numbers::from(a <= b);
      case Binary::Greater: return Numbers::from(a > b);
      case Binary::GreaterEqual: return Numbers::from(a >= b);
      case Binary::ShiftLeft:
        return Numbers::from(WholeNumbers::multiply(whole(a), std::int64_t(1) << shift(), failing_));
      case Binary::ShiftRight: return Numbers::from(whole(a) >> shift());
      case Binary::Add: return Numbers::add(a, b, failing_);
      case Binary::Subtract: return Numbers::subtract(a, b, failing_);
      case Binary::Multiply: return Numbers::multiply(a, b, failing_);
      case Binary::Divide: return Numbers::divide(a, b, failing_);
      case Binary::Remainder: {
        const std::int64_t by = whole(b);
        if (by == 0) throw fail(Message("it divides by zero"));
        return Numbers::from(by == -1 ? 0 : whole(a) % by);
      }
    }
    return a;
  }

  Value unary() {
    const Deeper deeper(*this);
    if (take("+")) return unary();
    if (take("-")) return Numbers::subtract(Value(0), unary(), failing());
    if (take("~")) return Numbers::from(~Numbers::whole(unary(), failing()));
    skip();
    if (rest_.starts_with('!') && !rest_.starts_with("!=")) {
      rest_.remove_prefix(1);
      return Numbers::from(unary() == 0);
    }
    return primary();
  }

  Value primary() {
    skip();
    if (rest_.empty()) throw fail(Message("a value is missing at the end"));
    if (take("(")) {
      const Value value = choice();
      if (!take(")")) throw fail(Message("a ) is missing"));
      return value;
    }
    if (is_digit(rest_.front()) || rest_.front() == '.') return Numbers::literal(number(), failing());
    if (!is_of_name(rest_.front())) throw fail(Message("\"{}\" is no value", rest_.substr(0, 20)));
    std::size_t length = 0;
    while (length < rest_.size() && (is_of_name(rest_[length]))) ++length;
    const std::string_view name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return take("(") ? call(name) : named(name);
  }

  std::string_view number() {
    std::size_t length = 0;
    const auto sign_of_exponent = [&](std::size_t at) {
      return at > 0 && (rest_[at] == '+' || rest_[at] == '-') && (rest_[at - 1] == 'e' || rest_[at - 1] == 'E') &&
             !rest_.starts_with("0x") && std::is_same_v<Numbers, RealNumbers>;
    };
    // "1..8" is a range, no number with two points.
    while (length < rest_.size() && !rest_.substr(length).starts_with("..") &&
           (is_of_name(rest_[length]) || rest_[length] == '.' || sign_of_exponent(length)))
      ++length;
    const std::string_view text = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return text;
  }

  Value named(std::string_view name) {
    const auto found = names_.find(name);
    if (found != names_.end()) return Numbers::of(found->second, name, failing());
    if constexpr (std::is_same_v<Numbers, RealNumbers>)
      if (name == "pi") return std::numbers::pi;
    std::vector<std::string> known;
    for (const auto& entry : names_) known.push_back(entry.first);
    throw fail(Message("there is no parameter {}{}", name, nearest_name(name, known)));
  }

  Value call(std::string_view name) {
    std::array<Value, 3> arguments{};
    int count = 0;
    if (!take(")")) {
      do {
        const Value value = choice();
        if (count < 3) arguments[static_cast<std::size_t>(count)] = value;
        ++count;
      } while (take(","));
      if (!take(")")) throw fail(Message("a ) is missing"));
    }
    const ExpressionCall& function = known_function(name);
    if (count != function.arguments)
      throw fail(Message("{} takes {} values, not {}", function.form, function.arguments, count));
    if constexpr (std::is_same_v<Numbers, RealNumbers>) {
      if (name == "sqrt" && arguments[0] < 0) throw fail(Message("sqrt takes numbers from 0 on, not {}", arguments[0]));
      if (name == "sqrt") return std::sqrt(arguments[0]);
      if (name == "sin") return std::sin(arguments[0]);
      if (name == "cos") return std::cos(arguments[0]);
      if (name == "exp") return std::exp(arguments[0]);
      if (name == "min") return std::min(arguments[0], arguments[1]);
      if (name == "max") return std::max(arguments[0], arguments[1]);
      if (name == "abs") return std::abs(arguments[0]);
      if (name == "pow") return std::pow(arguments[0], arguments[1]);
    }
    std::array<std::int64_t, 3> whole{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
      whole[i] = Numbers::whole(arguments[i], failing());
    return Numbers::from(call_whole(name, whole, failing()));
  }

  const ExpressionCall& known_function(std::string_view name) const {
    std::vector<std::string> names;
    for (const ExpressionCall& one : whole_calls()) {
      if (one.name() == name) return one;
      names.emplace_back(one.name());
    }
    for (const ExpressionCall& one : real_calls()) {
      if (one.name() == name) {
        if (std::is_same_v<Numbers, RealNumbers>) return one;
        throw fail(Message("{} gives fractions, and a whole number is needed", name));
      }
      names.emplace_back(one.name());
    }
    throw fail(Message("there is no function {}{}", name, did_you_mean(name, names)));
  }

  struct Deeper {
    explicit Deeper(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > max_depth) throw parser_.fail(Message("it is nested too deeply"));
    }
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    Parser& parser_;
  };

  std::string_view whole_text_, rest_;
  const ExpressionNames& names_;
  int depth_ = 0;
};

}  // namespace

std::int64_t whole_value(std::string_view expression, const ExpressionNames& names) {
  return Parser<WholeNumbers>(expression, names).parse();
}

double real_value(std::string_view expression, const ExpressionNames& names) {
  return Parser<RealNumbers>(expression, names).parse();
}

const std::vector<ExpressionFunction>& expression_functions() {
  static const std::vector<ExpressionFunction> all = [] {
    std::vector<ExpressionFunction> list;
    for (const ExpressionCall& one : whole_calls()) list.push_back({one.form, one.meaning});
    for (const ExpressionCall& one : real_calls()) list.push_back({one.form, one.meaning});
    return list;
  }();
  return all;
}

std::vector<std::string_view> split_outside(std::string_view text, std::string_view mark) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth > 0 || text.substr(at, mark.size()) != mark) continue;
    parts.push_back(trimmed(text.substr(begin, at - begin)));
    at += mark.size() - 1;
    begin = at + 1;
  }
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

std::string filled_text(std::string_view text, const ExpressionNames& names) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    const std::size_t close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) break;
    out += text.substr(0, open);
    out += std::to_string(whole_value(text.substr(open + 1, close - open - 1), names));
    text.remove_prefix(close + 1);
  }
  return out += text;
}

Message nearest_name(std::string_view name, const std::vector<std::string>& known) {
  const Message all = known.empty() ? Message() : Message("; there are {}", fmt::format("{}", fmt::join(known, ", ")));
  return name.size() == 1 ? all : did_you_mean(name, known, all);
}

bool is_identifier(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) && std::all_of(text.begin(), text.end(), is_of_name);
}

}  // namespace twiddle
