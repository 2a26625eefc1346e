#include "kernels/plan/expression.h"

#include "base/did_you_mean.h"
#include "base/error.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>

namespace twiddle {
namespace {

constexpr std::size_t max_expression = 1000;      // characters
constexpr int max_depth = 64;                     // of parentheses and signs
constexpr double max_exact = 9007199254740992.0;  // 2^53

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

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

// Arithmetic on whole numbers, checked; `fail` throws with a sentence about the expression.
struct Whole {
  using Value = std::int64_t;
  template <typename Fail>
  static Value literal(std::string_view text, const Fail& fail) {
    Value value = 0;
    const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char* begin = text.data() + (hex ? 2 : 0);
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value, hex ? 16 : 10);
    if (error == std::errc::result_out_of_range) throw fail(Message("{} is beyond 64 bits", text));
    if (error != std::errc() || end != text.data() + text.size()) throw fail(Message("{} is no whole number", text));
    return value;
  }
  template <typename Fail>
  static Value of(const std::variant<std::int64_t, double>& named, std::string_view name, const Fail& fail) {
    if (const auto* whole = std::get_if<std::int64_t>(&named)) return *whole;
    throw fail(Message("{} is {}, which is no whole number", name, std::get<double>(named)));
  }
  template <typename Fail>
  static std::int64_t whole(Value value, const Fail&) {
    return value;
  }
  static Value from(std::int64_t value) { return value; }
  template <typename Fail>
  static Value add(Value a, Value b, const Fail& fail) {
    Value out;
    if (__builtin_add_overflow(a, b, &out)) throw fail(beyond());
    return out;
  }
  template <typename Fail>
  static Value subtract(Value a, Value b, const Fail& fail) {
    Value out;
    if (__builtin_sub_overflow(a, b, &out)) throw fail(beyond());
    return out;
  }
  template <typename Fail>
  static Value multiply(Value a, Value b, const Fail& fail) {
    Value out;
    if (__builtin_mul_overflow(a, b, &out)) throw fail(beyond());
    return out;
  }
  template <typename Fail>
  static Value divide(Value a, Value b, const Fail& fail) {
    if (b == 0) throw fail(Message("it divides by zero"));
    if (b == -1) return subtract(0, a, fail);
    return a / b;
  }
  static Message beyond() { return Message("its value is beyond 64 bits"); }
};

struct Real {
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

struct Function {
  std::string_view form, meaning;
  int arguments;
};
constexpr std::array<Function, 15> whole_functions{{
    {"min(a,b)", "the smaller one", 2},
    {"max(a,b)", "the larger one", 2},
    {"abs(a)", "without its sign", 1},
    {"log2(a)", "the binary logarithm, rounded down", 1},
    {"log4(a)", "the logarithm to base 4, rounded down", 1},
    {"pow2(a)", "2 to the power of a", 1},
    {"pow(a,b)", "a to the power of b", 2},
    {"nextpow2(a)", "the smallest power of two that is not below a", 1},
    {"ceildiv(a,b)", "a/b, rounded up", 2},
    {"roundup(a,b)", "the smallest multiple of b that is not below a", 2},
    {"gcd(a,b)", "the greatest common divisor", 2},
    {"xor(a,b)", "the exclusive or", 2},
    {"bitrev(a,b)", "the b lowest bits of a in reverse order", 2},
    {"powmod(a,b,m)", "a to the power of b, modulo m", 3},
    {"isqrt(a)", "the square root, rounded down", 1},
}};
constexpr std::array<Function, 4> real_functions{{
    {"sqrt(a)", "the square root; only in floating-point values", 1},
    {"sin(a)", "the sine; only in floating-point values", 1},
    {"cos(a)", "the cosine; only in floating-point values", 1},
    {"exp(a)", "e to the power of a; only in floating-point values", 1},
}};
std::string_view name_of(const Function& function) { return function.form.substr(0, function.form.find('(')); }

template <typename Fail>
std::int64_t call_whole(std::string_view name, const std::array<std::int64_t, 3>& x, const Fail& fail) {
  const auto [a, b, m] = x;
  const auto positive = [&](std::int64_t value) {
    if (value < 1) throw fail(Message("{} takes numbers from 1 on, not {}", name, value));
    return static_cast<std::uint64_t>(value);
  };
  const auto not_negative = [&](std::int64_t value) {
    if (value < 0) throw fail(Message("{} takes numbers from 0 on, not {}", name, value));
    return static_cast<std::uint64_t>(value);
  };
  if (name == "min") return std::min(a, b);
  if (name == "max") return std::max(a, b);
  if (name == "abs") return a < 0 ? Whole::subtract(0, a, fail) : a;
  if (name == "log2") return std::bit_width(positive(a)) - 1;
  if (name == "log4") return (std::bit_width(positive(a)) - 1) / 2;
  if (name == "pow2" || name == "pow") {
    const std::int64_t base = name == "pow2" ? 2 : a;
    std::uint64_t power = not_negative(name == "pow2" ? a : b);
    if (base == 0 || base == 1) return power == 0 ? 1 : base;
    if (base == -1) return power % 2 == 0 ? 1 : -1;
    std::int64_t value = 1;
    for (; power > 0; --power) value = Whole::multiply(value, base, fail);  // ends at 64 bits
    return value;
  }
  if (name == "nextpow2") {
    const std::uint64_t value = std::max<std::uint64_t>(1, not_negative(a));
    if (value > std::uint64_t(1) << 62) throw fail(Whole::beyond());
    return static_cast<std::int64_t>(std::bit_ceil(value));
  }
  if (name == "ceildiv" || name == "roundup") {
    not_negative(a), positive(b);
    const std::int64_t times = a / b + (a % b != 0);
    return name == "ceildiv" ? times : Whole::multiply(times, b, fail);
  }
  if (name == "gcd") return static_cast<std::int64_t>(std::gcd(not_negative(a), not_negative(b)));
  if (name == "xor") return a ^ b;
  if (name == "isqrt") {
    const std::uint64_t value = not_negative(a);
    auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(value)));
    while (root > 0 && root > value / root) --root;
    while ((root + 1) <= value / (root + 1)) ++root;
    return static_cast<std::int64_t>(root);
  }
  if (name == "bitrev") {
    const std::uint64_t bits = not_negative(b);
    if (bits > 62) throw fail(Message("bitrev takes at most 62 bits, not {}", bits));
    std::uint64_t reversed = 0;
    for (std::uint64_t bit = 0; bit < bits; ++bit) reversed |= ((not_negative(a) >> bit) & 1) << (bits - 1 - bit);
    return static_cast<std::int64_t>(reversed);
  }
  // powmod
  __extension__ using Wide = unsigned __int128;
  const std::uint64_t modulus = positive(m);
  Wide base = not_negative(a) % modulus, value = 1 % modulus;
  for (std::uint64_t power = not_negative(b); power > 0; power >>= 1) {
    if (power & 1) value = value * base % modulus;
    base = base * base % modulus;
  }
  return static_cast<std::int64_t>(value);
}

// Precedence climbing over the text itself.
template <typename Numbers>
class Parser {
 public:
  using Value = typename Numbers::Value;
  Parser(std::string_view text, const Names& names) : whole_text_(text), rest_(text), names_(names) {}

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
      case Binary::ShiftLeft: return Numbers::from(Whole::multiply(whole(a), std::int64_t(1) << shift(), failing_));
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
    if (!is_letter(rest_.front())) throw fail(Message("\"{}\" is no value", rest_.substr(0, 20)));
    std::size_t length = 0;
    while (length < rest_.size() && (is_letter(rest_[length]) || is_digit(rest_[length]))) ++length;
    const std::string_view name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return take("(") ? call(name) : named(name);
  }

  std::string_view number() {
    std::size_t length = 0;
    const auto sign_of_exponent = [&](std::size_t at) {
      return at > 0 && (rest_[at] == '+' || rest_[at] == '-') && (rest_[at - 1] == 'e' || rest_[at - 1] == 'E') &&
             !rest_.starts_with("0x") && std::is_same_v<Numbers, Real>;
    };
    // "1..8" is a range, no number with two points.
    while (length < rest_.size() && !rest_.substr(length).starts_with("..") &&
           (is_letter(rest_[length]) || is_digit(rest_[length]) || rest_[length] == '.' || sign_of_exponent(length)))
      ++length;
    const std::string_view text = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return text;
  }

  Value named(std::string_view name) {
    const auto found = names_.find(name);
    if (found != names_.end()) return Numbers::of(found->second, name, failing());
    if constexpr (std::is_same_v<Numbers, Real>)
      if (name == "pi") return std::numbers::pi;
    std::vector<std::string> known;
    for (const auto& entry : names_) known.push_back(entry.first);
    throw fail(Message("there is no parameter {}{}", name, did_you_mean(name, known)));
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
    const Function& function = known_function(name);
    if (count != function.arguments)
      throw fail(Message("{} takes {} values, not {}", function.form, function.arguments, count));
    if constexpr (std::is_same_v<Numbers, Real>) {
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

  const Function& known_function(std::string_view name) const {
    std::vector<std::string> names;
    for (const Function& one : whole_functions) {
      if (name_of(one) == name) return one;
      names.emplace_back(name_of(one));
    }
    for (const Function& one : real_functions) {
      if (name_of(one) == name) {
        if (std::is_same_v<Numbers, Real>) return one;
        throw fail(Message("{} gives fractions, and a whole number is needed", name));
      }
      names.emplace_back(name_of(one));
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
  const Names& names_;
  int depth_ = 0;
};

}  // namespace

std::int64_t whole_value(std::string_view expression, const Names& names) {
  return Parser<Whole>(expression, names).parse();
}

double real_value(std::string_view expression, const Names& names) { return Parser<Real>(expression, names).parse(); }

const std::vector<ExpressionFunction>& expression_functions() {
  static const std::vector<ExpressionFunction> all = [] {
    std::vector<ExpressionFunction> list;
    for (const Function& one : whole_functions) list.push_back({one.form, one.meaning});
    for (const Function& one : real_functions) list.push_back({one.form, one.meaning});
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

std::string filled_text(std::string_view text, const Names& names) {
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

bool is_identifier(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace twiddle
