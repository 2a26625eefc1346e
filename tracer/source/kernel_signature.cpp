// kernel_signature: what a kernel takes, and which local arrays it has, read from its source without a compiler.
#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/message.h"
#include "kernels/plan/expression.h"
#include "tracer/source/conditionals.h"
#include "tracer/source/source.h"
#include "tracer/source/tokens.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace twiddle {
namespace {

// Bounds for hostile text; no kernel written by a person comes near them.
constexpr std::size_t header_reach = 4096;     // tokens of a parameter list or attribute
constexpr std::size_t type_reach = 8;          // words of a constant's type and name
constexpr std::size_t name_reach = 64;         // tokens between `kernel` and the kernel's name, attributes apart
constexpr std::size_t expansion_limit = 4096;  // characters of an array size with its macros put in
constexpr int macro_depth = 32;
constexpr std::uint64_t max_registers = 4096;             // elements of an item's own array
constexpr std::int64_t max_side = std::int64_t(1) << 40;  // elements

using Tokens = std::vector<Token>;
using Words = std::vector<std::string_view>;

bool any_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}
bool takes_parentheses(const Token& token) {
  return any_of(token.text, {"__attribute__", "__launch_bounds__", "__align__", "alignas", "__cluster_dims__",
                             "__maxnreg__", "__block_size__"});
}
bool is_local(const Token& token) { return any_of(token.text, {"local", "__local", "__shared__"}); }
bool is_qualifier(std::string_view word) {
  return any_of(word, {"const",  "volatile", "restrict", "__restrict__", "__restrict", "global",    "__global",
                       "local",  "__local",  "constant", "__constant",   "private",    "__private", "__shared__",
                       "extern", "static",   "struct",   "read_only",    "write_only", "unsigned",  "signed"});
}

// Object-like macros and typedefs: what a name stands for.
std::map<std::string_view, Words> names_of(const Tokens& tokens) {
  std::map<std::string_view, Words> names;
  const auto define = [&](std::string_view name, std::size_t first, std::size_t end) {
    Words& body = names[name];
    body.clear();
    for (std::size_t t = first; t < end; ++t) body.push_back(tokens[t].text);
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].directive) {
      const int line = tokens[i].directive;
      std::size_t end = i;
      while (end < tokens.size() && tokens[end].directive == line) ++end;
      if (i + 2 < end && tokens[i + 1].is("define") && tokens[i + 2].identifier()) {
        const std::string_view name = tokens[i + 2].text;
        const bool function_like =
            i + 3 < end && tokens[i + 3].is("(") && name.data() + name.size() == tokens[i + 3].text.data();
        if (!function_like) define(name, i + 3, end);
      }
      i = end - 1;
    } else if (tokens[i].is("typedef")) {
      std::size_t end = i;
      while (end < tokens.size() && end < i + name_reach && !tokens[end].is(";") && !tokens[end].is("{")) ++end;
      if (end < tokens.size() && tokens[end].is(";") && end > i + 2 && tokens[end - 1].identifier())
        define(tokens[end - 1].text, i + 1, end - 1);
    } else if (any_of(tokens[i].text, {"constexpr", "const"})) {
      // `constexpr int tile = 16;` and `const unsigned int tile = 16;`
      std::size_t equals = i + 1;
      while (equals < tokens.size() && equals < i + type_reach && tokens[equals].identifier()) ++equals;
      if (equals < i + 3 || equals >= tokens.size() || !tokens[equals].is("=")) continue;
      std::size_t end = equals + 1;
      while (end < tokens.size() && end < i + name_reach && !tokens[end].is(";") && !tokens[end].is(",")) ++end;
      define(tokens[equals - 1].text, equals + 1, end);
    } else if (tokens[i].is("enum")) {
      // `enum { tile = 16, half = tile / 2 };`
      std::size_t at = i + 1;
      while (at < tokens.size() && at < i + type_reach && !tokens[at].is("{") && !tokens[at].is(";")) ++at;
      if (at >= tokens.size() || !tokens[at].is("{")) continue;
      const std::size_t close = closing(tokens, at, header_reach);
      if (close >= tokens.size()) continue;
      for (const auto& [first, last] : arguments_of(tokens, at, close))
        if (first + 2 < last && tokens[first + 1].is("=")) define(tokens[first].text, first + 2, last);
    }
  }
  return names;
}

class Names {
 public:
  explicit Names(const Tokens& tokens) : names_(names_of(tokens)) {}

  // An element type's words ("unsigned int", a typedef's name), or nothing.
  std::optional<ElementType> type(const Words& words) const { return type(words, 0); }

  // The value of a constant expression, or nothing when it is none that the source alone tells.
  std::optional<std::uint64_t> value(const Words& words) const {
    std::string expression;
    if (!expand(words, expression, 0)) return std::nullopt;
    try {
      const std::int64_t result = whole_value(expression, {});
      return result >= 0 && result <= max_side ? std::optional(static_cast<std::uint64_t>(result)) : std::nullopt;
    } catch (const Error&) { return std::nullopt; }
  }

 private:
  std::optional<ElementType> type(const Words& words, int depth) const {
    if (depth > macro_depth) return std::nullopt;
    std::string_view name;
    bool is_unsigned = false;
    for (std::string_view word : words) {
      if (word == "unsigned") is_unsigned = true;
      if (is_qualifier(word)) continue;
      if (name == "long" && word == "long") continue;  // of 64 bits, as long is
      if (!name.empty() && !(name == "int" || word == "int")) return std::nullopt;
      if (name != "long" && name != "short" && name != "char") name = word;
    }
    if (is_unsigned) return element_type_named("u" + std::string(name.empty() ? "int" : name));
    if (const auto found = element_type_named(name)) return found;
    const auto alias = names_.find(name);
    return alias == names_.end() ? std::nullopt : type(alias->second, depth + 1);
  }

  bool expand(const Words& words, std::string& out, int depth) const {
    if (depth > macro_depth) return false;
    for (std::string_view word : words) {
      if (out.size() >= expansion_limit) return false;
      if (const auto macro = names_.find(word); macro != names_.end()) {
        if (!expand(macro->second, out, depth + 1)) return false;
        continue;
      }
      // Operators of two characters are two words; numbers may say how wide they are.
      while (word.size() > 1 && word.front() >= '0' && word.front() <= '9' &&
             std::string_view("uUlL").find(word.back()) != std::string_view::npos)
        word.remove_suffix(1);
      const bool operation = std::string_view("<>&|=!").find(word.front()) != std::string_view::npos;
      out.append(out.empty() || operation ? "" : " ").append(word);
    }
    return true;
  }

  std::map<std::string_view, Words> names_;
};

class Reader {
 public:
  explicit Reader(const Tokens& tokens) : tokens_(tokens), names_(tokens) {}

  KernelSignature read(const KernelDefinition& at) {
    signature_.first_line = tokens_[at.keyword].line;
    std::size_t end = closing(tokens_, at.body);
    signature_.last_line = end < tokens_.size() ? tokens_[end].line : tokens_.back().line;
    for (const auto& [first, last] : arguments_of(tokens_, at.open, at.close, "([{<", ")]}>")) parameter(first, last);
    body(at.body + 1, std::min(end, tokens_.size()));
    dynamic_outside(at.keyword);
    return std::move(signature_);
  }

 private:
  void parameter(std::size_t first, std::size_t last) {
    Words type;
    std::string_view name;
    bool pointer = false, local = false, constant = false, read_only = false;
    for (std::size_t i = first; i < last; ++i) {
      const Token& token = tokens_[i];
      if (token.is("TRACE_PARAMS")) {
        signature_.takes_trace = true;
      } else if (takes_parentheses(token) && i + 1 < last && tokens_[i + 1].is("(")) {
        i = std::min(closing(tokens_, i + 1, header_reach), last);
      } else if (token.is("*") || token.is("[")) {
        pointer = true;
      } else if (token.is("=")) {
        break;
      } else if (token.identifier()) {
        local = local || is_local(token);
        constant = constant || any_of(token.text, {"constant", "__constant"});
        read_only = read_only || (!pointer && any_of(token.text, {"const", "constant", "__constant"}));
        if (is_qualifier(token.text) && token.text != "unsigned") continue;
        if (!name.empty()) type.push_back(name);
        name = token.text;
      }
    }
    if (name.empty() || (type.empty() && name == "void")) return;
    signature_.parameters.emplace_back(name);
    signature_.read_only.push_back(pointer && read_only);
    const std::optional<ElementType> element = names_.type(type);
    std::string written;
    for (const std::string_view word : type) written += (written.empty() ? "" : " ") + std::string(word);
    signature_.types.push_back({element, written, pointer, pointer && local, pointer && constant});
    if (local && pointer && element)
      signature_.locals.push_back({std::string(name), *element, 0, static_cast<int>(signature_.parameters.size()) - 1});
  }

  // Declarations `local float2 tile[16][17], sum;` of the kernel's body.
  void body(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (tokens_[i].directive) continue;
      if (tokens_[i].is("TRACE_STAGE")) signature_.sets_stage = true;
      if (is_local(tokens_[i])) i = declaration(i, last);
      if (i + 1 < last && i > first && tokens_[i].identifier() && tokens_[i + 1].is("[")) own_array(i);
    }
  }

  // `float2 v[16];`, of which each work-item has its own: the name is at `at`.
  void own_array(std::size_t at) {
    const Token& word = tokens_[at - 1];
    if (!word.identifier() || any_of(word.text, {"return", "else", "goto", "case"})) return;
    const std::optional<ElementType> element = names_.type({word.text});
    const std::size_t close = closing(tokens_, at + 1, header_reach);
    if (!element || close + 1 >= tokens_.size() || !tokens_[close + 1].is(";")) return;
    Words size;
    for (std::size_t t = at + 2; t < close; ++t) size.push_back(tokens_[t].text);
    const std::optional<std::uint64_t> count = names_.value(size);
    if (count && *count > 0 && *count <= max_registers)
      signature_.registers.push_back({std::string(tokens_[at].text), *element, *count, -1});
  }

  // CUDA lets `extern __shared__` be outside the kernel.
  void dynamic_outside(std::size_t before) {
    int depth = 0;
    for (std::size_t i = 0; i < before; ++i) {
      if (tokens_[i].directive) continue;
      if (tokens_[i].is("{")) ++depth;
      if (tokens_[i].is("}")) --depth;
      if (depth <= 0 && tokens_[i].is("__shared__") && i > 0 && tokens_[i - 1].is("extern")) i = declaration(i, before);
    }
  }

  std::size_t declaration(std::size_t at, std::size_t last) {
    const bool dynamic = at > 0 && tokens_[at - 1].is("extern");
    const std::size_t limit = std::min(last, at + header_reach);
    Words type;
    std::string_view name;
    std::optional<std::uint64_t> count = 1;
    bool pointer = false, named = false;
    const auto finish = [&] {
      const std::optional<ElementType> element = names_.type(type);
      const bool known = std::any_of(signature_.locals.begin(), signature_.locals.end(),
                                     [&](const LocalArray& array) { return array.name == name; });
      if (!name.empty() && !pointer && element && !known)
        signature_.locals.push_back({std::string(name), *element, dynamic ? 0 : count.value_or(0), -1, dynamic});
    };
    for (std::size_t i = at + 1; i < limit; ++i) {
      const Token& token = tokens_[i];
      if (takes_parentheses(token) && i + 1 < limit && tokens_[i + 1].is("(")) {
        i = std::min(closing(tokens_, i + 1, header_reach), limit);
      } else if (token.is("*")) {
        pointer = true;
      } else if (token.is("[")) {
        named = true;
        const std::size_t close = closing(tokens_, i, header_reach);
        if (close >= limit) return i;
        Words size;
        for (std::size_t t = i + 1; t < close; ++t) size.push_back(tokens_[t].text);
        const std::optional<std::uint64_t> side = names_.value(size);
        count = count && side && *side <= (std::uint64_t(1) << 32) / std::max<std::uint64_t>(*count, 1)
                    ? std::optional(*count * *side)
                    : std::nullopt;
        i = close;
      } else if (token.identifier() && !named) {
        if (is_qualifier(token.text) && token.text != "unsigned") continue;
        if (!name.empty()) type.push_back(name);
        name = token.text;
      } else if (token.is(",")) {
        finish();
        name = {};
        count = 1;
        named = pointer = false;
        // The next declarator starts after the type: its own word comes as `name`.
      } else if (token.is(";")) {
        finish();
        return i;
      } else {
        return i;  // an initialiser or something else that declares no array
      }
    }
    return limit;
  }

  const Tokens& tokens_;
  Names names_;
  KernelSignature signature_;
};

// What the template's parameters of the kernel `base` stand for in the instance `kernel`, "base<float, 8>", as #define lines.
std::string template_arguments(const std::string& text, const std::string& base, const std::string& kernel) {
  const std::size_t open = kernel.find('<'), close = kernel.rfind('>');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  const std::string inside = "(" + kernel.substr(open + 1, close - open - 1) + ")";
  const Tokens given = tokenize(inside);
  const Tokens tokens = tokenize(text);
  const std::size_t given_end = closing(given, 0);
  if (given_end >= given.size()) return {};
  const std::vector<TokenRange> arguments = arguments_of(given, 0, given_end);

  for (const KernelDefinition& at : kernel_definitions(tokens)) {
    if (!tokens[at.name].is(base)) continue;
    std::size_t first = at.keyword;
    while (first > 0 && at.keyword - first < name_reach && !any_of(tokens[first].text, {"template", ";", "}"})) --first;
    if (!tokens[first].is("template")) return {};
    std::string commands;
    std::size_t which = 0;
    int depth = 0;
    for (std::size_t i = first + 1; i < at.keyword && which < arguments.size(); ++i) {
      if (tokens[i].is("<") || tokens[i].is("(")) ++depth;
      if (tokens[i].is(")")) --depth;
      const bool last = tokens[i].is(">") && --depth == 0;
      if (!last && !(tokens[i].is(",") && depth == 1)) continue;
      // The parameter's name is before its default, if it has one.
      std::size_t name = i - 1;
      for (std::size_t t = i; t-- > first && !any_of(tokens[t].text, {",", "<", "template"});)
        if (tokens[t].is("=")) name = t - 1;
      const TokenRange argument = arguments[which++];
      if (tokens[name].identifier())
        commands += fmt::format("#define {} {}\n", tokens[name].text, spelling(given, argument.first, argument.second));
      if (last) break;
    }
    return commands;
  }
  return {};
}

// Tokens of several texts one after another, with a semicolon between.
Tokens joined(std::initializer_list<const Tokens*> parts) {
  Tokens result;
  for (const Tokens* part : parts) {
    result.insert(result.end(), part->begin(), part->end());
    result.push_back({Token::Kind::Punctuation, ";", result.empty() ? 1 : result.back().line, 0});
  }
  return result;
}

}  // namespace

std::vector<KernelDefinition> kernel_definitions(const std::vector<Token>& tokens) {
  std::vector<KernelDefinition> found;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].directive || !any_of(tokens[i].text, {"kernel", "__kernel", "__global__"})) continue;
    std::size_t steps = 0;
    for (std::size_t j = i + 1; j + 1 < tokens.size() && steps < name_reach; ++j, ++steps) {
      if (tokens[j].kind == Token::Kind::Punctuation && !any_of(tokens[j].text, {"*", "<", ">"})) break;
      if (!tokens[j].identifier() || !tokens[j + 1].is("(")) continue;
      const std::size_t close = closing(tokens, j + 1, header_reach);
      if (close >= tokens.size()) break;
      if (takes_parentheses(tokens[j])) {
        j = close;
        continue;
      }
      std::size_t body = close + 1;
      while (body + 1 < tokens.size() && takes_parentheses(tokens[body]) && tokens[body + 1].is("(") &&
             closing(tokens, body + 1, header_reach) < tokens.size())
        body = closing(tokens, body + 1, header_reach) + 1;
      if (body < tokens.size() && tokens[body].is("{")) {
        found.push_back({i, j, j + 1, close, body});
        i = body;
      }
      break;
    }
  }
  return found;
}

std::string kernel_base_name(std::string_view kernel) {
  kernel = kernel.substr(0, kernel.find('<'));
  const std::size_t scope = kernel.rfind(':');
  if (scope != std::string_view::npos) kernel.remove_prefix(scope + 1);
  while (!kernel.empty() && kernel.back() == ' ') kernel.remove_suffix(1);
  return std::string(kernel);
}

std::vector<std::string> kernel_names(const std::string& text) {
  const Tokens tokens = tokenize(text);
  std::vector<std::string> names;
  for (const KernelDefinition& at : kernel_definitions(tokens)) names.emplace_back(tokens[at.name].text);
  return names;
}

KernelSignature kernel_signature(const std::string& text, const std::string& kernel,
                                 const std::vector<std::string>& defines, const std::string& included) {
  Macros macros;
  std::string commands;
  for (const std::string& define : defines) {
    const std::string_view whole = define;
    const std::size_t equals = whole.find('=');
    const std::string_view value = equals == std::string_view::npos ? "1" : whole.substr(equals + 1);
    macros[whole.substr(0, equals)] = value;
    commands += fmt::format("#define {} {}\n", whole.substr(0, equals), value);
  }
  const std::string base = kernel_base_name(kernel);
  commands += template_arguments(text, base, kernel);
  // The compiler sees what is included first; here it is behind the text, and the defines last, because they win.
  const Tokens own = tokenize(text), before = tokenize(included), given = tokenize(commands);
  const Tokens before_seen = seen_by_compiler(before, macros), own_seen = seen_by_compiler(own, macros);
  const Tokens seen = joined({&own_seen, &before_seen, &given});
  const Tokens all =
      joined({&own, &before, &given});  // a kernel that conditionals leave out may be asked about as well
  for (const Tokens* tokens : {&seen, &all})
    for (const KernelDefinition& at : kernel_definitions(*tokens))
      if ((*tokens)[at.name].is(base)) return Reader(*tokens).read(at);

  const std::vector<std::string> names = kernel_names(text);
  if (names.empty()) throw usage_error("there is no kernel called {}: the source defines no kernel at all", kernel);
  const std::string near = nearest(base, names);
  throw usage_error("there is no kernel called {}{}; the source defines {}", kernel,
                    near.empty() ? Message() : Message(", did you mean {}?", near), fmt::join(names, ", "));
}

}  // namespace twiddle
