#include "tracer/repair/syntax.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

namespace twiddle {
namespace {

constexpr int deepest = 60;

const std::set<std::string_view>& whole_types() {
  static const std::set<std::string_view> names{"int",       "uint",    "unsigned", "signed",   "long",     "ulong",
                                                "short",     "ushort",  "char",     "uchar",    "bool",     "size_t",
                                                "ptrdiff_t", "int8_t",  "uint8_t",  "int16_t",  "uint16_t", "int32_t",
                                                "uint32_t",  "int64_t", "uint64_t", "intptr_t", "uintptr_t"};
  return names;
}
const std::set<std::string_view>& qualifiers() {
  static const std::set<std::string_view> names{
      "const",      "volatile",        "static",       "inline",     "register",      "restrict",   "__restrict__",
      "__restrict", "__local",         "local",        "__global",   "global",        "__constant", "constant",
      "__private",  "private",         "__shared__",   "__device__", "__constant__",  "constexpr",  "extern",
      "struct",     "__forceinline__", "__noinline__", "__host__",   "__attribute__", "__generic",  "generic",
      "typename",   "mutable",         "alignas"};
  return names;
}
const std::set<std::string_view>& statement_words() {
  static const std::set<std::string_view> names{
      "if",   "else",    "for",  "while", "do",     "switch",  "return", "break", "continue",  "sizeof",
      "case", "default", "goto", "new",   "delete", "typedef", "using",  "asm",   "namespace", "template"};
  return names;
}

// "float2" is a vector of 2 floats; 0 where it is none.
int components_of(std::string_view name) {
  std::size_t at = name.size();
  while (at > 0 && std::isdigit(static_cast<unsigned char>(name[at - 1]))) --at;
  const std::string_view base = name.substr(0, at), digits = name.substr(at);
  if (base != "float" && base != "double" && base != "half" && !whole_types().count(base)) return 0;
  for (const int n : {2, 3, 4, 8, 16})
    if (digits == std::to_string(n)) return n;
  return 0;
}

bool is_type_name(std::string_view name) {
  return whole_types().count(name) || name == "float" || name == "double" || name == "half" || name == "void" ||
         name == "auto" || name == "dim3" || components_of(name) > 0;
}

class Reader {
 public:
  explicit Reader(Syntax& syntax) : s_(syntax) {}

  void read() {
    find_types();
    find_functions();
    for (std::uint32_t f = 0; f < s_.functions.size(); ++f) read_function(f);
    read_macros();
  }

 private:
  struct Failed {};

  const Lexeme& at(std::size_t k) const {
    static const Lexeme none;
    return k < s_.lexemes.size() ? s_.lexemes[k] : none;
  }
  bool is(std::size_t k, std::string_view word) const { return k < limit_ && at(k).is(word); }
  bool name(std::size_t k) const { return k < limit_ && at(k).kind == Lexeme::Kind::Name; }

  std::size_t match(std::size_t open, std::size_t limit) const {
    std::size_t depth = 0;
    for (std::size_t k = open; k < limit; ++k) {
      if (at(k).kind != Lexeme::Kind::Mark || at(k).directive != at(open).directive) continue;
      if (at(k).is("(") || at(k).is("[") || at(k).is("{")) ++depth;
      if ((at(k).is(")") || at(k).is("]") || at(k).is("}")) && --depth == 0) return k;
    }
    return limit;
  }

  void find_types() {
    for (std::size_t k = 0; k + 1 < s_.lexemes.size(); ++k) {
      if (at(k).directive == 0 && (at(k).is("struct") || at(k).is("class") || at(k).is("enum")) &&
          at(k + 1).kind == Lexeme::Kind::Name)
        types_.insert(at(k + 1).text);
      if (at(k).directive == 0 && at(k).is("using") && at(k + 2).is("=")) {
        types_.insert(at(k + 1).text);
        if (is_type_name(at(k + 3).text)) alias_[at(k + 1).text] = at(k + 3).text;
      }
      if (at(k).directive == 0 && at(k).is("typedef")) {
        std::size_t end = k + 1;
        while (end < s_.lexemes.size() && !at(end).is(";"))
          end = at(end).is("{") ? match(end, s_.lexemes.size()) + 1 : end + 1;
        if (end > k + 1 && at(end - 1).kind == Lexeme::Kind::Name) {
          types_.insert(at(end - 1).text);
          if (end == k + 3) alias_[at(end - 1).text] = at(k + 1).text;
        }
      }
      if (at(k).directive != 0 && at(k).is("define") && at(k + 2).directive == at(k).directive &&
          is_type_name(at(k + 2).text) && at(k + 3).directive != at(k).directive) {
        types_.insert(at(k + 1).text);
        alias_[at(k + 1).text] = at(k + 2).text;
      }
    }
  }
  bool type_word(std::size_t k) const {
    return name(k) && (is_type_name(at(k).text) || types_.count(at(k).text) || at(k).is("unsigned"));
  }
  std::string type_named(std::string_view word) const {
    const auto known = alias_.find(word);
    return std::string(known == alias_.end() ? word : known->second);
  }

  // A type from lexeme k on; after it `k` is what follows. Failed where there is none.
  ValueType read_type(std::size_t& k) const {
    ValueType type;
    bool any = false;
    for (;; ++k) {
      if (is(k, "__attribute__") && is(k + 1, "(")) {
        k = match(k + 1, limit_);
        continue;
      }
      if (name(k) && qualifiers().count(at(k).text)) {
        const std::string_view word = at(k).text;
        if (word == "const" || word == "__constant" || word == "constant") type.constant = true;
        if (word == "__local" || word == "local" || word == "__shared__") type.space = 'l';
        if (word == "__global" || word == "global") type.space = 'g';
        if (word == "__constant" || word == "constant" || word == "__constant__") type.space = 'c';
        continue;
      }
      if (name(k) && whole_types().count(at(k).text)) {
        // "unsigned int", "long long"
        if (!any || at(k).text != "int")
          type.name = any && type.name == "unsigned" ? "u" + std::string(at(k).text) : std::string(at(k).text);
        any = true;
        continue;
      }
      if (any || !name(k) || statement_words().count(at(k).text)) break;
      type.name = type_named(at(k).text);
      any = true;
      while (is(k + 1, "::") && name(k + 2)) k += 2, type.name = std::string(at(k).text);
      if (is(k + 1, "<")) {
        const std::size_t end = template_end(k + 1);
        if (end) k = end;
      }
    }
    if (!any) throw Failed{};
    if (type.name == "unsigned") type.name = "uint";
    for (;; ++k) {
      if (is(k, "*"))
        ++type.depth;
      else if (!is(k, "&") && !(name(k) && qualifiers().count(at(k).text)))
        break;
    }
    return type;
  }

  // The ">" of template arguments that begin at "<"; 0: it is an operator.
  std::size_t template_end(std::size_t open) const {
    int depth = 0;
    for (std::size_t k = open; k < std::min(limit_, open + 24); ++k) {
      if (is(k, "<"))
        ++depth;
      else if (is(k, ">") && --depth == 0)
        return k;
      else if (!(name(k) || at(k).kind == Lexeme::Kind::Number || is(k, ",") || is(k, "::") || is(k, "*") ||
                 is(k, "&")))
        if (k != open) return 0;
    }
    return 0;
  }

  void find_functions() {
    limit_ = s_.lexemes.size();
    for (std::size_t k = 0; k + 2 < s_.lexemes.size(); ++k) {
      if (at(k).kind != Lexeme::Kind::Name || at(k).directive || !at(k + 1).is("(") ||
          statement_words().count(at(k).text) || is_type_name(at(k).text) || qualifiers().count(at(k).text))
        continue;
      const std::size_t close = match(k + 1, limit_);
      std::size_t body = close + 1;
      while (is(body, "const") || is(body, "noexcept")) ++body;
      if (!is(body, "{")) continue;
      if (k == 0 || !(at(k - 1).kind == Lexeme::Kind::Name || at(k - 1).is("*") || at(k - 1).is("&") ||
                      at(k - 1).is(">") || at(k - 1).is(")")))
        continue;
      Function one;
      one.name = std::string(at(k).text);
      one.name_at = static_cast<std::uint32_t>(k);
      one.open = static_cast<std::uint32_t>(k + 1);
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

  std::uint32_t declare(const std::string& word, const ValueType& type) {
    s_.variables.push_back({word, type.depth > 0 ? type : ValueType{type.name}});
    scope_.push_back(static_cast<std::uint32_t>(s_.variables.size() - 1));
    return scope_.back();
  }
  const Variable* find(std::string_view word) const {
    for (std::size_t k = scope_.size(); k-- > 0;)
      if (s_.variables[scope_[k]].name == word) return &s_.variables[scope_[k]];
    return nullptr;
  }

  void read_function(std::uint32_t number) {
    Function& function = s_.functions[number];
    function_ = number;
    scope_.clear();
    limit_ = function.close;
    std::size_t k = function.open + 1;
    while (k < function.close) {
      try {
        ValueType type = read_type(k);
        if (!name(k)) throw Failed{};
        const std::string word(at(k).text);
        for (++k; is(k, "["); k = match(k, limit_) + 1) ++type.depth;
        function.parameters.push_back(type);
        declare(word, type);
      } catch (const Failed&) { function.parameters.push_back({}); }
      while (k < function.close && !is(k, ",")) ++k;
      ++k;
    }
    limit_ = function.end;
    read_block(function.body + 1, function.end, 0);
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

  std::size_t read_statement(std::size_t k, std::size_t end, int depth) {
    if (at(k).directive) {
      const int directive = at(k).directive;
      while (k < end && at(k).directive == directive) ++k;
      return k;
    }
    if (at(k).is(";")) return k + 1;
    if (at(k).is("{")) {
      const std::size_t close = match(k, end);
      if (depth < deepest) read_block(k + 1, close, depth + 1);
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
    const std::size_t stop = semicolon(k, end);
    if (at(k).is("return")) {
      const std::uint32_t one = add(Statement::Kind::Return, k, stop);
      if (stop > k + 1) expressions(one, k + 1, stop);
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
      s_.statements.pop_back();
      // A lambda's body, or the argument of a macro.
      for (std::size_t inner = k; inner < stop && depth < deepest; ++inner)
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
    if (depth >= deepest) return semicolon(k, end) + 1;
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
      bool glued = false;
      for (std::size_t i = body; i < end; ++i) glued = glued || at(i).is("#") || at(i).is("\\");
      if (glued) continue;
      function_ = ~std::uint32_t(0);
      const std::uint32_t one = add(Statement::Kind::Macro, body, end);
      limit_ = s_.lexemes.size();
      if (at(end - 1).is(";") || at(body).is("{") ||
          std::any_of(s_.lexemes.begin() + static_cast<std::ptrdiff_t>(body),
                      s_.lexemes.begin() + static_cast<std::ptrdiff_t>(end),
                      [](const Lexeme& l) { return l.is(";"); })) {
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
            if (start < i) expressions(one, start, i);
          }
          from = i + 1;
        }
      } else {
        expressions(one, body, end);
      }
      k = end - 1;
    }
  }

  // ---- expressions ----

  std::uint32_t make(Part part, std::size_t first, std::size_t last, std::size_t mark, std::vector<std::uint32_t> parts,
                     ValueType type) {
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
  const ValueType& type_of(std::uint32_t e) const { return s_.expressions[e].type; }

  std::uint32_t comma(std::size_t& k, int depth) {
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

  std::uint32_t assignment(std::size_t& k, int depth) {
    if (depth > deepest) throw Failed{};
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

  void write(std::uint32_t e) {
    Expression& one = s_.expressions[e];
    one.written = true;
    if (one.part == Part::Index) s_.expressions[one.parts[0]].stored = true;
    if (one.part == Part::Paren || one.part == Part::Member) write(one.parts[0]);
  }

  std::uint32_t choice(std::size_t& k, int depth) {
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

  static int rank(std::string_view mark) {
    static const std::map<std::string_view, int> ranks{{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
                                                       {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
                                                       {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};
    const auto found = ranks.find(mark);
    return found == ranks.end() ? 0 : found->second;
  }

  ValueType joined(std::string_view mark, const ValueType& a, const ValueType& b) const {
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

  std::uint32_t binary(std::size_t& k, int lowest, int depth) {
    if (depth > deepest) throw Failed{};
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

  std::uint32_t prefix(std::size_t& k, int depth) {
    if (depth > deepest || k >= limit_) throw Failed{};
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
    if (is(k, "(") && (type_word(k + 1) || (name(k + 1) && qualifiers().count(at(k + 1).text)))) {
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

  ValueType result_of(std::string_view word, const std::vector<std::uint32_t>& arguments) const {
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

  std::uint32_t postfix(std::size_t& k, int depth) {
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

  ValueType member_type(std::uint32_t owner, std::string_view member) const {
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

  std::uint32_t braces(std::size_t& k) {
    const std::size_t first = k;
    k = match(k, limit_) + 1;
    if (k > limit_) throw Failed{};
    return make(Part::Other, first, k, first, {}, {});
  }

  std::uint32_t primary(std::size_t& k, int depth) {
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

  Syntax& s_;
  std::set<std::string_view> types_;
  std::map<std::string_view, std::string_view> alias_;
  std::vector<std::uint32_t> scope_, loops_;
  std::size_t limit_ = 0;
  std::uint32_t function_ = 0, statement_ = 0, block_ = 0, blocks_ = 0;
  bool lambda_ = false;
};

}  // namespace

bool ValueType::whole() const { return depth == 0 && whole_types().count(name); }
bool ValueType::floating() const { return depth == 0 && (name == "float" || name == "double" || name == "half"); }
bool ValueType::vector() const { return depth == 0 && components_of(name) > 0; }

std::vector<Lexeme> lexemes_of(std::string_view text) {
  static constexpr std::array<std::string_view, 22> marks{
      "<<=", ">>=", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
      "|=",  "^=",  "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "::"};
  const std::vector<Token> tokens = tokenize(text);
  std::vector<Lexeme> lexemes;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const Token& token = tokens[k];
    Lexeme one;
    one.begin = static_cast<std::size_t>(token.text.data() - text.data());
    one.text = token.text;
    one.line = token.line;
    one.directive = token.directive;
    one.kind = token.kind == Token::Kind::Identifier ? Lexeme::Kind::Name
               : token.kind == Token::Kind::Number   ? Lexeme::Kind::Number
               : token.kind == Token::Kind::String   ? Lexeme::Kind::String
                                                     : Lexeme::Kind::Mark;
    const auto adjacent = [&](std::size_t next) {
      return next < tokens.size() && tokens[next].text.data() == text.data() + one.end();
    };
    if (one.kind == Lexeme::Kind::Number && !one.text.starts_with("0x") && !one.text.starts_with("0X") &&
        (one.text.back() == 'e' || one.text.back() == 'E') && adjacent(k + 1) &&
        (tokens[k + 1].is("-") || tokens[k + 1].is("+")) && k + 2 < tokens.size() &&
        tokens[k + 2].kind == Token::Kind::Number) {
      one.text = text.substr(one.begin, one.text.size() + 1 + tokens[k + 2].text.size());
      k += 2;
    }
    if (one.kind == Lexeme::Kind::Mark)
      for (const std::string_view mark : marks)
        if (text.substr(one.begin, mark.size()) == mark) {
          bool joined = true;
          for (std::size_t i = 1; i < mark.size(); ++i)
            joined = joined && k + i < tokens.size() && tokens[k + i].text.data() == text.data() + one.begin + i;
          if (!joined) continue;
          one.text = text.substr(one.begin, mark.size());
          k += mark.size() - 1;
          break;
        }
    lexemes.push_back(one);
  }
  return lexemes;
}

void read_syntax(std::string text, Syntax& into) {
  into.text = std::move(text);
  into.lexemes = lexemes_of(into.text);
  Reader(into).read();
}

}  // namespace twiddle
