#include "tests/mutation/mutants.h"

#include "tracer/source/tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace twiddle {
namespace {

class Mutator {
 public:
  explicit Mutator(const std::string& source) : source_(source), tokens_(tokenize(source_)) {}

  MutatedSource run() {
    find_functions();
    for (std::size_t t = 0; t < tokens_.size(); ++t) {
      if (tokens_[t].directive) continue;
      if (is_trace_line(t))
        t = closing(tokens_, t + 1);
      else if (starts_integer(t))
        t = declaration(t);
      else if (tokens_[t].is("return") && returns_index(t))
        break_expression(t + 1, find(t + 1, ";"));
      else if (tokens_[t].is("twiddle") && is(t + 1, "(") && function_of(t))
        break_expression(t + 2, find(t + 2, ","));
      else if (tokens_[t].is("[") && !tokens_[t - 2].identifier() && function_of(t) && tokens_[t - 1].identifier())
        break_expression(t + 1, closing(tokens_, t));
    }
    pass_the_choice();
    return {edited(), std::move(mutants_)};
  }

 private:
  struct Edit {
    std::size_t at;  // offset in the source, where the text is put in
    std::string text;
  };
  struct Function {
    std::size_t name, body, end;  // tokens: its name, "{", "}"
    bool integer;                 // what it returns
  };

  bool is(std::size_t t, std::string_view word) const { return t < tokens_.size() && tokens_[t].is(word); }
  bool is_trace_line(std::size_t t) const { return tokens_[t].text.starts_with("TRACE_") && is(t + 1, "("); }
  std::size_t offset(std::size_t t) const { return static_cast<std::size_t>(tokens_[t].text.data() - source_.data()); }
  std::size_t end_offset(std::size_t t) const { return offset(t) + tokens_[t].text.size(); }

  void find_functions() {
    for (std::size_t t = 1; t + 1 < tokens_.size(); ++t) {
      if (tokens_[t].directive || !tokens_[t].identifier() || !tokens_[t - 1].identifier() || !is(t + 1, "(")) continue;
      const std::size_t close = closing(tokens_, t + 1);
      if (is(close + 1, "{")) {
        const std::size_t end = closing(tokens_, close + 1);
        functions_.push_back({t, close + 1, end, is(t - 1, "int") || is(t - 1, "uint")});
        t = end;
      }
    }
  }

  const Function* function_of(std::size_t t) const {
    for (const Function& function : functions_)
      if (t > function.body && t < function.end) return &function;
    return nullptr;
  }
  bool returns_index(std::size_t t) const {
    const Function* function = function_of(t);
    return function && function->integer;
  }
  bool starts_integer(std::size_t t) const {
    return (is(t, "int") || is(t, "uint")) && function_of(t) && tokens_[t + 1].identifier();
  }

  // The next token with this text outside of brackets.
  std::size_t find(std::size_t t, std::string_view word) const {
    while (t < tokens_.size() && !tokens_[t].is(word) && !tokens_[t].is(";"))
      t = tokens_[t].is("(") || tokens_[t].is("[") || tokens_[t].is("{") ? closing(tokens_, t) + 1 : t + 1;
    return t;
  }

  // `int a = …, b = …;`: each initialiser is an index expression. Returns the last token of it.
  std::size_t declaration(std::size_t t) {
    const std::size_t end = find(t, ";");
    for (++t; t < end;) {
      const std::size_t comma = find(t, ",");
      if (is(t + 1, "=")) break_expression(t + 2, comma);
      t = comma + 1;
    }
    return end;
  }

  void break_expression(std::size_t first, std::size_t last) {
    std::vector<std::string> names;
    for (std::size_t t = first; t < last; ++t) {
      if (is(t, "[")) {  // a value from memory; the index in there is an expression of its own
        for (; t < last; ++t)
          if (is(t, "[")) break_expression(t + 1, closing(tokens_, t));
        return;
      }
      if (is_variable(t) && !is(t - 1, ".") && std::find(names.begin(), names.end(), tokens_[t].text) == names.end())
        names.emplace_back(tokens_[t].text);
    }
    if (names.empty() && !has_call(first, last)) return;

    const std::size_t begin = offset(first), length = end_offset(last - 1) - begin;
    const std::string right = source_.substr(begin, length);
    std::string choice;
    const auto add = [&](std::size_t t, std::string broken) {
      std::replace(broken.begin(), broken.end(), '\n', ' ');
      mutants_.push_back({tokens_[t].line, right, broken});
      choice += fmt::format("mutant == {} ? ({}) : ", mutants_.size(), with_choice(broken));
    };
    for (std::size_t t = first; t < last; ++t)
      for (const std::string& other : replacements(t, names)) {
        std::string broken = right;
        add(t, broken.replace(offset(t) - begin, tokens_[t].text.size(), other));
      }
    if (last - first == 3 && is(first + 1, "."))  // a part of a structure
      for (const char* slip : {" + 1", " - 1"}) add(first, right + slip);
    if (!choice.empty()) {
      edits_.push_back({begin, "(" + choice + "("});
      edits_.push_back({begin + length, "))"});
    }
  }

  bool has_call(std::size_t first, std::size_t last) const {
    for (std::size_t t = first; t + 1 < last; ++t)
      if (tokens_[t].identifier() && is(t + 1, "(")) return true;
    return false;
  }
  bool is_variable(std::size_t t) const {
    return tokens_[t].identifier() && !is(t + 1, "(") && !is(t + 1, ".") && !tokens_[t].is("int") &&
           !tokens_[t].is("uint");
  }

  std::vector<std::string> replacements(std::size_t t, const std::vector<std::string>& names) const {
    const Token& token = tokens_[t];
    const bool after_value = t > 0 && (tokens_[t - 1].kind == Token::Kind::Number || tokens_[t - 1].identifier() ||
                                       is(t - 1, ")") || is(t - 1, "]"));
    if (token.kind == Token::Kind::Punctuation && after_value) {
      if (token.is("+")) return {"-"};
      if (token.is("-")) return {"+"};
      if (token.is("*")) return {"+"};
      if (token.is("/")) return {"*"};
      if (token.is("%")) return {"/"};
    }
    unsigned number = 0;
    const std::string_view text = token.text;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (token.kind == Token::Kind::Number && parsed.ec == std::errc()) {
      const std::string suffix(parsed.ptr, static_cast<std::size_t>(text.data() + text.size() - parsed.ptr));
      if (suffix.find_first_not_of('u') != std::string::npos) return {};
      std::vector<std::string> others{fmt::format("{}{}", number + 1, suffix)};
      if (number > 0) others.push_back(fmt::format("{}{}", number - 1, suffix));
      return others;
    }
    if (!is_variable(t)) return {};
    const std::string name(text);
    if (is(t - 1, ".")) return {};
    std::vector<std::string> others{"(" + name + " + 1)", "(" + name + " - 1)"};
    // Another variable in its place; macros are of other types.
    for (const std::string& name_of_another : names)
      if (name_of_another != name && name_of_another.find_first_of("abcdefghijklmnopqrstuvwxyz") != std::string::npos) {
        others.push_back(name_of_another);
        break;
      }
    return others;
  }

  // Every function takes `mutant` as its last parameter …
  void pass_the_choice() {
    for (const Function& function : functions_) {
      const std::size_t close = function.body - 1;
      const bool traced = is(close - 1, "TRACE_PARAMS");
      edits_.push_back({offset(traced ? close - 1 : close), ", int mutant "});
    }
    for (const std::size_t close : calls_in(tokens_))
      if (function_of(close)) edits_.push_back({offset(close), ", mutant"});
  }
  // … and hands it on.
  std::vector<std::size_t> calls_in(const std::vector<Token>& tokens) const {
    std::vector<std::size_t> closes;
    for (std::size_t t = 0; t + 1 < tokens.size(); ++t)
      if (tokens[t + 1].is("(") && std::any_of(functions_.begin(), functions_.end(), [&](const Function& function) {
            return tokens_[function.name].text == tokens[t].text;
          }))
        closes.push_back(closing(tokens, t + 1));
    return closes;
  }
  std::string with_choice(const std::string& expression) const {
    const std::vector<Token> tokens = tokenize(expression);
    std::vector<std::size_t> places;
    for (const std::size_t close : calls_in(tokens))
      places.push_back(static_cast<std::size_t>(tokens[close].text.data() - expression.data()));
    std::sort(places.rbegin(), places.rend());
    std::string text = expression;
    for (const std::size_t place : places) text.insert(place, ", mutant");
    return text;
  }

  std::string edited() {
    std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) { return a.at < b.at; });
    std::string text;
    std::size_t at = 0;
    for (const Edit& edit : edits_) {
      text.append(source_, at, edit.at - at);
      text += edit.text;
      at = edit.at;
    }
    return text.append(source_, at);
  }

  const std::string& source_;
  const std::vector<Token> tokens_;
  std::vector<Function> functions_;
  std::vector<Mutant> mutants_;
  std::vector<Edit> edits_;
};

}  // namespace

MutatedSource mutate(const std::string& source) { return Mutator(source).run(); }

}  // namespace twiddle
