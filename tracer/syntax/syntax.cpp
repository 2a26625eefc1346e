// Functions, statements and what can be named in them; expressions are read by syntax_expressions.cpp.
#include "tracer/syntax/syntax.h"

#include "tracer/syntax/syntax_reader.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace twiddle {
namespace {

class Reader : ExpressionReader {
 public:
  explicit Reader(Syntax& syntax) : ExpressionReader(syntax) {}

  void read() {
    find_types();
    find_macros();
    find_functions();
    for (std::uint32_t f = 0; f < s_.functions.size(); ++f) read_function(f);
    read_macros();
  }

 private:
  void find_macros() {
    const std::vector<Lexeme>& words = s_.lexemes;
    for (std::size_t k = 1; k < words.size(); ++k)
      if (defines_with_parameters(words, k)) macros_.insert(words[k].text);
  }

  void find_functions() {
    limit_ = s_.lexemes.size();
    for (std::size_t k = 0; k + 2 < s_.lexemes.size(); ++k) {
      // "operator[](", "operator()(": the mark is of the name.
      std::size_t open = k + 1;
      if (at(k).is("operator"))
        for (open = is(k + 1, "(") && is(k + 2, ")") ? k + 3 : k + 1;
             open < k + 4 && open < limit_ && at(open).kind == Lexeme::Kind::Mark && !at(open).is("(");)
          ++open;
      if (at(k).kind != Lexeme::Kind::Name || at(k).directive || !is(open, "(") ||
          statement_words().count(at(k).text) || is_type_name(at(k).text) || type_qualifiers().count(at(k).text))
        continue;
      const std::size_t close = match(open, limit_);
      std::size_t body = close + 1;
      while (is(body, "const") || is(body, "noexcept")) ++body;
      if (!is(body, "{")) continue;
      if (k == 0 || !(at(k - 1).kind == Lexeme::Kind::Name || at(k - 1).is("*") || at(k - 1).is("&") ||
                      at(k - 1).is(">") || at(k - 1).is(")")))
        continue;
      Function one;
      one.name = std::string(at(k).text);
      one.name_at = static_cast<std::uint32_t>(k);
      one.open = static_cast<std::uint32_t>(open);
      one.close = static_cast<std::uint32_t>(close);
      one.body = static_cast<std::uint32_t>(body);
      one.end = static_cast<std::uint32_t>(match(body, limit_));
      // What is before the name, back to the end of what came before.
      std::size_t begin = k;
      bool constant = false;
      while (begin > 0 && !at(begin - 1).is(";") && !at(begin - 1).is("}") && !at(begin - 1).is("{") &&
             !at(begin - 1).directive) {
        --begin;
        one.kernel = one.kernel || at(begin).is("kernel") || at(begin).is("__kernel") || at(begin).is("__global__");
        constant = constant || at(begin).is("constexpr") || at(begin).is("consteval");
      }
      std::size_t word = begin;
      while (is(word, "template") && is(word + 1, "<")) {
        const std::size_t end = template_end(word + 1);
        word = end ? end + 1 : k;
      }
      while (word < k && (at(word).is("__kernel") || at(word).is("kernel") || at(word).is("__global__"))) ++word;
      try {
        one.result = read_type(word);
      } catch (const Failed&) {}
      if (!constant) s_.functions.push_back(std::move(one));
      k = body;
      if (!s_.functions.empty() && s_.functions.back().body == body) k = s_.functions.back().end;
    }
  }

  void read_function(std::uint32_t number) {
    Function& function = s_.functions[number];
    function_ = number;
    scope_.clear();
    read_parameters(function.open + 1, function.close,
                    [&](const ValueType& type) { function.parameters.push_back(type); });
    limit_ = function.end;
    read_block(function.body + 1, function.end, 0);
  }

  template <typename Each>
  void read_parameters(std::size_t k, std::size_t close, const Each& each) {
    const std::size_t old = std::exchange(limit_, close);
    while (k < close) {
      try {
        ValueType type = read_type(k);
        if (!name(k)) throw Failed{};
        const std::string word(at(k).text);
        for (++k; is(k, "["); k = match(k, limit_) + 1) ++type.depth;
        each(type);
        declare(word, type);
      } catch (const Failed&) { each({}); }
      while (k < close && !is(k, ",")) ++k;
      ++k;
    }
    limit_ = old;
  }

  void read_block(std::size_t k, std::size_t end, int depth) {
    const std::size_t known = scope_.size();
    const std::uint32_t outside = block_;
    block_ = ++blocks_;
    while (k < end) k = read_statement(k, end, depth);
    block_ = outside;
    scope_.resize(known);
  }

  std::uint32_t add(Statement::Kind kind, std::size_t first, std::size_t last) {
    Statement one;
    one.kind = kind;
    one.first = static_cast<std::uint32_t>(first);
    one.last = static_cast<std::uint32_t>(last);
    one.function = function_;
    one.block = block_;
    one.loops = loops_;
    one.visible = scope_;
    s_.statements.push_back(std::move(one));
    return static_cast<std::uint32_t>(s_.statements.size() - 1);
  }

  // Expressions of a statement from k to `end`; nothing is added where they are not understood.
  bool expressions(std::uint32_t statement, std::size_t k, std::size_t end) {
    const std::size_t before = s_.expressions.size();
    const std::size_t old = limit_;
    limit_ = end;
    statement_ = statement;
    bool good = true;
    try {
      std::size_t next = k;
      const std::uint32_t root = comma(next, 0);
      if (next != end) throw Failed{};
      s_.statements[statement].expressions.push_back(root);
    } catch (const Failed&) {
      s_.expressions.resize(before);
      good = false;
    }
    limit_ = old;
    return good;
  }

  // Where a statement without a head ends: after its ";".
  std::size_t semicolon(std::size_t k, std::size_t end) const {
    while (k < end && !at(k).is(";")) {
      if (at(k).directive == 0 && (at(k).is("(") || at(k).is("[") || at(k).is("{"))) k = match(k, end);
      ++k;
    }
    return std::min(k, end);
  }

  // The ")" of "ORDER(a, b)", a macro's use that is a statement without a semicolon, or of "EACH(i) {"; 0 for all else.
  std::size_t macro_alone(std::size_t k, std::size_t end) const {
    if (!name(k) || !is(k + 1, "(") || !macros_.count(at(k).text)) return 0;
    const std::size_t close = match(k + 1, end);
    if (close + 1 > end) return 0;
    const Lexeme& next = at(close + 1);
    return close + 1 == end || next.is("}") || next.is("{") || next.kind == Lexeme::Kind::Name ? close : 0;
  }

  std::size_t read_statement(std::size_t k, std::size_t end, int depth) {
    if (at(k).directive) {
      const int directive = at(k).directive;
      while (k < end && at(k).directive == directive) ++k;
      return k;
    }
    if (at(k).is(";")) return k + 1;
    if (at(k).is("{")) {
      const std::size_t close = match(k, end);
      if (depth < max_syntax_depth) read_block(k + 1, close, depth + 1);
      return close + 1;
    }
    if (at(k).is("else")) return read_body(k + 1, end, depth);
    if (at(k).is("do")) {
      const std::size_t after = read_body(k + 1, end, depth);
      if (at(after).is("while") && at(after + 1).is("(")) {
        const std::size_t close = match(after + 1, end);
        loop_condition(after + 2, close);
        const std::uint32_t one = add(Statement::Kind::Loop, after, close + 1);
        expressions(one, after + 2, close);
        return close + 2;
      }
      return after;
    }
    if ((at(k).is("if") || at(k).is("while") || at(k).is("switch")) && k + 1 < end) {
      std::size_t open = k + 1;
      if (at(open).is("constexpr")) ++open;
      if (!at(open).is("(")) return semicolon(k, end) + 1;
      const std::size_t close = match(open, end);
      const bool loop = at(k).is("while");
      const std::uint32_t one = add(loop ? Statement::Kind::Loop : Statement::Kind::Condition, k, close + 1);
      if (open == k + 1) expressions(one, open + 1, close);
      if (loop) {
        loop_condition(open + 1, close);
        loops_.push_back(one);
      }
      const std::size_t after = read_body(close + 1, end, depth);
      s_.statements[one].body = static_cast<std::uint32_t>(close + 1);
      s_.statements[one].body_last = static_cast<std::uint32_t>(after);
      if (loop) loops_.pop_back();
      return after;
    }
    if (at(k).is("for") && at(k + 1).is("(")) return read_for(k, end, depth);
    if (at(k).is("case") || at(k).is("default")) {
      while (k < end && !at(k).is(":")) ++k;
      return k + 1;
    }
    if (const std::size_t close = macro_alone(k, end)) {
      if (is(close + 1, "{")) return close + 1;
      const std::uint32_t one = add(Statement::Kind::Plain, k, close);
      if (!expressions(one, k, close + 1)) s_.statements.pop_back();
      return close + 1;
    }
    const std::size_t stop = semicolon(k, end);
    if (at(k).is("return")) {
      const std::uint32_t one = add(Statement::Kind::Return, k, stop);
      // "return {a, b};", "return Pair{a, b};"
      if (stop > k + 1 && !expressions(one, k + 1, stop)) elements_of_list(one, k + 1, stop);
      return stop + 1;
    }
    if (name(k) && statement_words().count(at(k).text)) {
      add(Statement::Kind::Return, k, stop);
      return stop + 1;
    }
    if (declaration(k, stop)) {
      read_declaration(add(Statement::Kind::Declaration, k, stop), k, stop);
      return stop + 1;
    }
    const std::uint32_t one = add(Statement::Kind::Plain, k, stop);
    if (!expressions(one, k, stop)) {
      if (assigns_list(k, stop)) {
        elements_of_list(one, k, stop);
        return stop + 1;
      }
      s_.statements.pop_back();
      // A lambda's body, or the argument of a macro.
      for (std::size_t inner = k; inner < stop && depth < max_syntax_depth; ++inner)
        if (at(inner).is("{")) {
          const std::size_t close = match(inner, stop);
          lambda_ = true;
          read_block(inner + 1, close, depth + 1);
          lambda_ = false;
          inner = close;
        }
    }
    return stop + 1;
  }

  std::size_t read_body(std::size_t k, std::size_t end, int depth) {
    if (depth >= max_syntax_depth) return semicolon(k, end) + 1;
    if (at(k).is("{")) return read_statement(k, end, depth + 1);
    const std::size_t known = scope_.size();
    const std::uint32_t outside = block_;
    block_ = ++blocks_;
    const std::size_t after = read_statement(k, end, depth + 1);
    block_ = outside;
    scope_.resize(known);
    if (at(after).is("else") && (at(k).is("if"))) return read_statement(after, end, depth + 1);
    return after;
  }

  void loop_condition(std::size_t first, std::size_t last) {
    if (!lambda_) s_.conditions.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)});
  }

  std::size_t read_for(std::size_t k, std::size_t end, int depth) {
    const std::size_t close = match(k + 1, end), known = scope_.size();
    const std::uint32_t one = add(Statement::Kind::Loop, k, close + 1);
    const std::size_t first = semicolon(k + 2, close), second = first < close ? semicolon(first + 1, close) : close;
    if (first < close && second < close) {
      if (declaration(k + 2, first))
        read_declaration(one, k + 2, first);
      else if (first > k + 2)
        expressions(one, k + 2, first);
      s_.statements[one].visible = scope_;
      if (second > first + 1) expressions(one, first + 1, second);
      if (close > second + 1) expressions(one, second + 1, close);
      loop_condition(first + 1, second);
    }
    loops_.push_back(one);
    const std::size_t after = read_body(close + 1, end, depth);
    loops_.pop_back();
    s_.statements[one].body = static_cast<std::uint32_t>(close + 1);
    s_.statements[one].body_last = static_cast<std::uint32_t>(after);
    scope_.resize(known);
    return after;
  }

  bool declaration(std::size_t k, std::size_t stop) {
    const std::size_t old = limit_;
    limit_ = stop;
    bool yes = false;
    try {
      std::size_t next = k;
      read_type(next);
      yes = next > k && name(next) && !statement_words().count(at(next).text) &&
            (next + 1 == stop || is(next + 1, "=") || is(next + 1, ",") || is(next + 1, "[") || is(next + 1, "{") ||
             (is(next + 1, "(") && type_word(k)));
    } catch (const Failed&) {}
    limit_ = old;
    return yes;
  }

  void read_declaration(std::uint32_t statement, std::size_t k, std::size_t stop) {
    const std::size_t old = limit_;
    limit_ = stop;
    const ValueType base = read_type(k);
    ValueType type = base;
    while (k < stop && name(k)) {
      const std::string word(at(k).text);
      for (++k; is(k, "["); k = match(k, stop) + 1) ++type.depth;
      std::size_t from = k;
      while (k < stop && !is(k, ",")) {
        if (is(k, "(") || is(k, "[") || is(k, "{")) k = match(k, stop);
        ++k;
      }
      if (is(from, "=") && !is(from + 1, "{")) {
        limit_ = old;
        if (is(from + 1, "["))
          read_lambda(from + 1, k);
        else
          expressions(statement, from + 1, k);
        limit_ = stop;
      } else if (is(from, "=") && is(from + 1, "{")) {
        elements(statement, from + 1, k);
      }
      ValueType own = type;
      if (own.name == "auto" && !s_.statements[statement].expressions.empty())
        own = s_.expressions[s_.statements[statement].expressions.back()].type;
      declare(word, own);
      type = {base.name, 0, base.space, base.constant};
      for (++k; is(k, "*"); ++k) ++type.depth;
    }
    limit_ = old;
  }

  // "[n](unsigned k) { … }": its body is a block of the function's, which sees what is captured.
  void read_lambda(std::size_t k, std::size_t end) {
    const std::vector<std::uint32_t> outside = scope_;
    const std::size_t captured = match(k, end);
    std::set<std::string_view> names;
    bool all = false;
    for (std::size_t c = k + 1; c < captured; ++c) {
      all = all || at(c).is("=") || (at(c).is("&") && !name(c + 1));
      if (name(c)) names.insert(at(c).text);
    }
    if (!all) std::erase_if(scope_, [&](std::uint32_t v) { return !names.count(s_.variables[v].name); });
    std::size_t open = captured + 1;
    if (is(open, "(")) {
      const std::size_t close = match(open, end);
      read_parameters(open + 1, close, [](const ValueType&) {});
      open = close + 1;
    }
    while (open < end && !at(open).is("{")) ++open;
    if (open < end && lambdas_ < max_syntax_depth) {
      const bool within = std::exchange(lambda_, true);
      ++lambdas_;
      read_block(open + 1, match(open, end), lambdas_);
      --lambdas_;
      lambda_ = within;
    }
    scope_ = outside;
  }

  // "x = {a, b};"
  bool assigns_list(std::size_t k, std::size_t stop) const {
    while (k < stop && !at(k).is("{") && !at(k).is("(")) ++k;
    return k > 0 && k < stop && at(k).is("{") && at(k - 1).is("=") && match(k, stop) + 1 == stop;
  }
  // The entries of the {…} that the lexemes up to `stop` end with, if they do.
  void elements_of_list(std::uint32_t statement, std::size_t k, std::size_t stop) {
    while (k < stop && (name(k) || at(k).is("=") || at(k).is(".") || at(k).is("->") || at(k).is("<") || at(k).is(">")))
      ++k;
    if (k < stop && at(k).is("{") && match(k, stop) + 1 == stop) elements(statement, k, stop);
  }

  // The entries of {…}, each an expression.
  void elements(std::uint32_t statement, std::size_t open, std::size_t end) {
    const std::size_t close = match(open, end);
    std::size_t from = open + 1;
    for (std::size_t k = open + 1; k <= close && k < end; ++k) {
      if (k < close && (at(k).is("(") || at(k).is("[") || at(k).is("{"))) {
        const std::size_t inner = match(k, end);
        if (at(k).is("{")) elements(statement, k, end);
        k = inner;
        continue;
      }
      if (k != close && !at(k).is(",")) continue;
      if (k > from && !at(from).is("{")) expressions(statement, from, k);
      from = k + 1;
    }
  }

  // #define NAME BODY and #define NAME(parameters) BODY, where the body is an expression or statements.
  void read_macros() {
    scope_.clear();
    for (std::size_t k = 0; k + 3 < s_.lexemes.size(); ++k) {
      if (!at(k).directive || !at(k).is("#") || !at(k + 1).is("define")) continue;
      std::size_t end = k;
      while (end < s_.lexemes.size() && at(end).directive == at(k).directive) ++end;
      std::size_t body = k + 3;
      if (body >= end) continue;
      if (at(body).is("(") && at(body).begin == at(k + 2).end()) body = match(body, end) + 1;
      if (body >= end) continue;
      // What is made of parts of words is no expression; a statement beside it may be one.
      const auto glued = [&](std::size_t first, std::size_t last) {
        return std::any_of(s_.lexemes.begin() + static_cast<std::ptrdiff_t>(first),
                           s_.lexemes.begin() + static_cast<std::ptrdiff_t>(last),
                           [](const Lexeme& word) { return word.is("#") || word.is("\\"); });
      };
      const bool several =
          std::any_of(s_.lexemes.begin() + static_cast<std::ptrdiff_t>(body),
                      s_.lexemes.begin() + static_cast<std::ptrdiff_t>(end), [](const Lexeme& l) { return l.is(";"); });
      if (glued(body, end) && !several) continue;
      function_ = ~std::uint32_t(0);
      const std::uint32_t one = add(Statement::Kind::Macro, body, end);
      limit_ = s_.lexemes.size();
      if (at(body).is("{") || several) {
        std::size_t from = body;
        for (std::size_t i = body; i <= end; ++i) {
          const bool stop = i == end || at(i).is(";") || at(i).is("{") || at(i).is("}");
          if (!stop) continue;
          if (i > from && !(name(from) && statement_words().count(at(from).text))) {
            std::size_t start = from;
            if (declaration(from, i)) {
              while (start < i && !at(start).is("=")) ++start;
              ++start;
            }
            if (start < i && !glued(start, i)) expressions(one, start, i);
          }
          from = i + 1;
        }
      } else {
        expressions(one, body, end);
      }
      k = end - 1;
    }
  }

  std::vector<std::uint32_t> loops_;
  std::uint32_t function_ = 0, block_ = 0, blocks_ = 0;
  bool lambda_ = false;
  std::set<std::string_view> macros_;  // with parameters
  int lambdas_ = 0;                    // that are being read, one within another
};

}  // namespace

namespace {

// What a macro assigns to is no value: "#define MUL(to, a) to = a * 2".
void note_macros_that_write(Syntax& s) {
  std::map<std::string_view, std::vector<bool>> writes;  // by macro and parameter
  const auto& words = s.lexemes;
  for (std::size_t k = 1; k + 3 < words.size(); ++k) {
    if (!defines_with_parameters(words, k + 1)) continue;
    std::vector<std::string_view> parameters;
    std::size_t at = k + 3;
    const auto in = [&](std::size_t i) { return i < words.size() && words[i].directive == words[k].directive; };
    for (; in(at) && !words[at].is(")"); ++at)
      if (words[at].kind == Lexeme::Kind::Name) parameters.push_back(words[at].text);
    std::vector<bool>& written = writes[words[k + 1].text];
    written.assign(parameters.size(), false);
    for (; in(at + 1); ++at) {
      const auto parameter = std::find(parameters.begin(), parameters.end(), words[at].text);
      if (parameter == parameters.end()) continue;
      std::size_t next = at + 1;
      if (words[next].is(")") && words[at - 1].is("(")) ++next;  // "(to) = …"
      if (in(next + 1) && words[next].is(".")) next += 2;        // "to.x = …"
      if (!in(next)) continue;
      const std::string_view mark = words[next].text;
      const bool compares = mark == "==" || mark == "<=" || mark == ">=" || mark == "!=";
      if ((mark.ends_with("=") && !compares) || mark == "++" || mark == "--" || words[at - 1].is("&") ||
          words[at - 1].is("++") || words[at - 1].is("--"))
        written[static_cast<std::size_t>(parameter - parameters.begin())] = true;
    }
  }
  if (writes.empty()) return;
  for (std::size_t e = 0; e < s.expressions.size(); ++e) {
    if (s.expressions[e].part != Part::Call || s.expressions[e].parts.empty()) continue;
    const auto macro = writes.find(s.spelling(s.expressions[s.expressions[e].parts[0]]));
    if (macro == writes.end()) continue;
    for (std::size_t a = 1; a < s.expressions[e].parts.size() && a <= macro->second.size(); ++a)
      if (macro->second[a - 1]) s.expressions[s.expressions[e].parts[a]].written = true;
  }
}

}  // namespace

void read_syntax(std::string text, Syntax& into) {
  into.text = std::move(text);
  into.lexemes = lexemes_of(into.text);
  Reader(into).read();
  note_macros_that_write(into);
}

}  // namespace twiddle
