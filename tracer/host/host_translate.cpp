#include "tracer/host/host_translate.h"

#include "base/error.h"
#include "tracer/source/array_declarations.h"
#include "tracer/source/tokens.h"

#include <algorithm>
#include <map>
#include <vector>

namespace twiddle {
namespace {

class Translator {
 public:
  Translator(std::string_view text, const std::vector<std::string>& instances, bool arrays)
      : text_(text), instances_(instances), arrays_(arrays) {
    for (Token& token : tokenize(text))
      if (!token.directive) tokens_.push_back(token);  // line markers and pragmas are no part of the program
  }

  std::string run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.is("{")) open_brace(i);
      if (token.is("}")) close_brace(i);
      if (token.is("(")) choice(i);
      if (!token.identifier()) continue;
      if (token.is("__global__")) kernel(i);
      if (token.is("__shared__")) i = shared(i);
      if (token.is("__device__") || token.is("__constant__") || token.is("__managed__")) {
        erase(i, i + 1);
        if (!in_function()) variable(i);
      }
      if (token.is("__launch_bounds__") && i + 1 < tokens_.size() && tokens_[i + 1].is("(")) {
        const std::size_t end = closing(tokens_, i + 1);
        if (end < tokens_.size()) erase(i, end + 1);
      }
      if (token.is("__noinline__") && !(i > 0 && (tokens_[i - 1].is("(") || tokens_[i - 1].is(","))))
        replace(i, i + 1, "__attribute__((noinline))");
    }
    open_shared_variables();
    if (arrays_) announce_arrays();
    std::string text = edited() + instantiations();
    if (arrays_ && declares_structures_with_arrays(tokens_))
      text += "\nstatic const bool twiddle_structures_unseen = twiddle_host_module.structures_unseen = true;\n";
    return text;
  }

 private:
  struct Edit {
    std::size_t from, to;
    std::string text;
  };

  std::size_t begin_of(std::size_t token) const {
    return static_cast<std::size_t>(tokens_[token].text.data() - text_.data());
  }
  std::size_t end_of(std::size_t token) const { return begin_of(token) + tokens_[token].text.size(); }

  // Line breaks between the tokens stay, so that what follows keeps its line.
  void replace(std::size_t first, std::size_t last, std::string with) {
    const std::size_t from = begin_of(first), to = end_of(last - 1);
    with.append(static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(from),
                                                    text_.begin() + static_cast<std::ptrdiff_t>(to), '\n')),
                '\n');
    edits_.push_back({from, to, std::move(with)});
  }
  void erase(std::size_t first, std::size_t last) { replace(first, last, ""); }
  void insert_after(std::size_t token, std::string text) {
    edits_.push_back({end_of(token), end_of(token), std::move(text)});
  }

  std::string edited() {
    std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) { return a.from < b.from; });
    std::string result;
    std::size_t at = 0;
    for (const Edit& edit : edits_) {
      result += text_.substr(at, edit.from - at);
      result += edit.text;
      at = edit.to;
    }
    result += text_.substr(at);
    return result;
  }

  // `(flip ? a : b)[i % n]`: g++ makes `flip ? a[i % n] : b[i % n]` of it, and where it is to look out for divisions by zero it
  // computes n for the first of these alone and divides by anything in the other (seen in g++ 12).
  void choice(std::size_t open) {
    const std::size_t close = closing(tokens_, open);
    if (close + 1 >= tokens_.size() || !tokens_[close + 1].is("[")) return;
    const std::size_t end = closing(tokens_, close + 1);
    const auto any_of = [&](std::size_t first, std::size_t last, std::initializer_list<std::string_view> words) {
      return std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(first),
                         tokens_.begin() + static_cast<std::ptrdiff_t>(std::min(last, tokens_.size())),
                         [&](const Token& token) { return std::count(words.begin(), words.end(), token.text) > 0; });
    };
    if (!any_of(open, close, {"?"}) || !any_of(close, end, {"%", "/"})) return;
    // Of a call or a cast these are no brackets around a choice.
    if (open > 0) {
      const Token& before = tokens_[open - 1];
      const bool statement = any_of(open - 1, open, {"return", "else", "do", "case"});
      if ((before.identifier() && !statement) || any_of(open - 1, open, {")", "]", ">"})) return;
    }
    const std::size_t at = begin_of(open);
    edits_.push_back({at, at, "::twiddle_host::chosen"});
  }

  // A brace of a namespace or `extern "C"` opens no function or type: what is declared in it lives at file scope.
  void open_brace(std::size_t brace) {
    bool names = false;
    std::size_t i = brace;
    while (i > 0 && (tokens_[i - 1].identifier() || tokens_[i - 1].is(":"))) {
      --i;
      if (tokens_[i].is("namespace")) names = true;
    }
    if (brace >= 2 && tokens_[brace - 1].kind == Token::Kind::String && tokens_[brace - 2].is("extern")) names = true;
    scopes_.push_back(!names);
    // The body of a function that is in no other: its parameters, or a word of its own, are before it.
    if (function_depth_ == 0 && !names && brace > 0 &&
        (tokens_[brace - 1].is(")") || tokens_[brace - 1].is("const") || tokens_[brace - 1].is("noexcept"))) {
      function_depth_ = scopes_.size();
      functions_.push_back({brace, brace});
    }
  }
  void close_brace(std::size_t brace) {
    if (scopes_.empty()) return;
    if (function_depth_ == scopes_.size()) {
      functions_.back().close = brace;
      function_depth_ = 0;
    }
    scopes_.pop_back();
  }
  bool in_function() const { return std::find(scopes_.begin(), scopes_.end(), true) != scopes_.end(); }

  // The first token of the declaration that `i` is in.
  std::size_t declaration_start(std::size_t i) const {
    while (i > 0) {
      const Token& before = tokens_[i - 1];
      if (before.is(";") || before.is("{") || before.is("}") || before.is(":")) break;
      if (before.is(")")) {
        // Only an attribute's bracket belongs to a declaration; any other ends an `if (…)` or the like.
        std::size_t open = i - 1, depth = 0;
        do {
          if (tokens_[open].is(")")) ++depth;
          if (tokens_[open].is("(")) --depth;
        } while (depth > 0 && open-- > 0);
        if (open == std::size_t(-1) || open == 0) break;
        const Token& word = tokens_[open - 1];
        if (!word.is("__attribute__") && !word.is("alignas") && !word.is("__launch_bounds__")) break;
        i = open - 1;
        continue;
      }
      --i;
    }
    return i;
  }

  // `__global__ void f(…) {…}`, the words before the name in any order.
  void kernel(std::size_t at) {
    erase(at, at + 1);
    if (explicit_instance(at)) return;
    std::size_t name = at + 1;
    while (name + 1 < tokens_.size()) {
      if (tokens_[name].is(";") || tokens_[name].is("{")) return;
      if (tokens_[name].identifier() && tokens_[name + 1].is("(")) {
        if (!tokens_[name].is("__launch_bounds__") && !tokens_[name].is("__attribute__") &&
            !tokens_[name].is("alignas"))
          break;
        name = closing(tokens_, name + 1);
      }
      ++name;
    }
    if (name + 1 >= tokens_.size()) return;
    const std::size_t last = closing(tokens_, name + 1);
    if (last + 1 >= tokens_.size() || !tokens_[last + 1].is("{")) return;  // a declaration: the body comes elsewhere
    const std::size_t end = closing(tokens_, last + 1);
    if (end >= tokens_.size()) return;
    const std::string called(tokens_[name].text);
    kernels_.push_back({last + 1, end, called});
    // A template is no kernel yet: see instantiations().
    for (std::size_t i = declaration_start(at); i < at; ++i)
      if (tokens_[i].is("template")) {
        templates_[called].parameters = parameter_names(name + 2, last);
        return;
      }
    const std::string signature = "decltype(::twiddle_host::signature_of(&" + called + "))";
    insert_after(end, " static ::twiddle_host::RegisteredKernel twiddle_kernel_" + called + "(" + signature + "(), \"" +
                          called + "\", &" + signature + "::invoke<&" + called + ">, \"" +
                          parameter_names(name + 2, last) + "\");");
  }

  // `template __global__ void k<float, 8>(…);`
  bool explicit_instance(std::size_t at) {
    const std::size_t start = declaration_start(at);
    if (!tokens_[start].is("template") || tokens_[start + 1].is("<")) return false;
    for (std::size_t i = at; i + 1 < tokens_.size() && !tokens_[i].is(";"); ++i) {
      const auto known = templates_.find(std::string(tokens_[i].text));
      if (known == templates_.end() || !tokens_[i + 1].is("<")) continue;
      std::size_t end = i + 1;
      while (end < tokens_.size() && !tokens_[end].is("(") && !tokens_[end].is(";")) ++end;
      KernelTemplate& one = known->second;
      one.only = ++one.instances == 1 ? spelling(tokens_, i, end) : "";
      break;
    }
    return true;
  }

  // "F,n,span" for the parameters between these tokens: each one's last word before a default value or array bound.
  std::string parameter_names(std::size_t first, std::size_t last) const {
    std::string names;
    std::string_view name;
    bool named = false;
    int depth = 0;
    for (std::size_t i = first; i < last; ++i) {
      const Token& token = tokens_[i];
      if (depth == 0 && token.is(",")) {
        names += std::string(name) + ",";
        name = {};
        named = false;
        continue;
      }
      if (token.is("(") || token.is("<")) ++depth;
      if (token.is(")") || token.is(">")) --depth;
      if (token.is("=") || token.is("[")) named = true;
      if (depth == 0 && !named && token.identifier()) name = token.text;
    }
    return names + std::string(name);
  }

  // `__constant__ float taps[9], scale;` at file scope: the executor is told where they are. Functions are passed over.
  void variable(std::size_t at) {
    const std::size_t start = declaration_start(at);
    std::vector<std::size_t> words;
    bool constant = false, valued = false;
    std::size_t i = start;
    for (; i < tokens_.size() && !tokens_[i].is(";"); ++i) {
      const Token& token = tokens_[i];
      if (token.is("template") || token.is("extern")) return;
      if (token.is("__constant__")) constant = true;
      const bool extra = token.is("__attribute__") || token.is("alignas");
      if (extra && i + 1 < tokens_.size() && tokens_[i + 1].is("(")) {
        i = closing(tokens_, i + 1);
        continue;
      }
      if (token.is("=")) valued = true;
      if (token.is(",")) valued = false;
      if (!valued && (token.is("(") || token.is("{"))) return;
      words.push_back(i);
      const std::size_t end = token.is("(") || token.is("[") || token.is("{") ? closing(tokens_, i) : i;
      while (i < end && i + 1 < tokens_.size()) words.push_back(++i);
    }
    if (i >= tokens_.size() || i == registered_) return;
    registered_ = i;
    std::string text;
    for (const Declarator& one : split(words)) {
      const std::string name(tokens_[words[one.name]].text);
      text += " static ::twiddle_host::RegisteredVariable<decltype(" + name + ")> twiddle_variable_" + name + "(" +
              name + ", \"" + name + "\", " + (constant ? "true" : "false") + ");";
    }
    insert_after(i, std::move(text));
  }

  struct Declarator {
    std::size_t first, name, last;
  };  // tokens, `last` one past

  // A declaration with __shared__ at `at`; returns its last token.
  std::size_t shared(std::size_t at) {
    const std::size_t start = declaration_start(at);
    std::size_t end = at;
    while (end < tokens_.size() && !tokens_[end].is(";")) {
      const bool bracket = tokens_[end].is("(") || tokens_[end].is("[") || tokens_[end].is("{");
      end = bracket ? closing(tokens_, end) : end + 1;
      if (bracket && end < tokens_.size()) ++end;
    }
    if (end >= tokens_.size()) return at;

    // The declaration without its storage and alignment: a group's memory has places for all alignments.
    bool dynamic = false;
    std::vector<std::size_t> words;
    for (std::size_t i = start; i < end; ++i) {
      const Token& token = tokens_[i];
      if (token.is("extern")) dynamic = true;
      if (token.is("extern") || token.is("static") || token.is("__shared__")) continue;
      if ((token.is("__attribute__") || token.is("alignas")) && tokens_[i + 1].is("(")) {
        i = closing(tokens_, i + 1);
        continue;
      }
      words.push_back(i);
    }
    replace(start, end + 1, rewritten(words, dynamic));
    return end;
  }

  // A shared variable at file scope: each function that names it begins with a reference to the running group's own.
  void open_shared_variables() {
    for (const Function& function : functions_) {
      std::string references;
      for (const FileVariable& variable : file_variables_) {
        if (variable.declared > function.open) continue;
        const auto names_it = [&](std::size_t i) { return tokens_[i].is(variable.name); };
        bool named = false, hidden = false;  // by a parameter
        for (std::size_t i = function.open; i < function.close && !named; ++i) named = names_it(i);
        std::size_t i = function.open;
        while (i > 0 && !tokens_[i].is(")")) --i;
        for (std::size_t depth = 0; i > 0; --i) {
          if (tokens_[i].is(")")) ++depth;
          if (tokens_[i].is("(") && --depth == 0) break;
          hidden = hidden || names_it(i);
        }
        if (named && !hidden) references += " " + variable.reference;
      }
      // In a block of its own, what the function declares by the same name hides it.
      if (references.empty()) continue;
      insert_after(function.open, references + " {");
      edits_.push_back({begin_of(function.close), begin_of(function.close), "}"});
    }
  }

  // The kernel whose body a token is in, as a tag has it.
  std::string owner_of(std::size_t token) const {
    for (const KernelBody& kernel : kernels_)
      if (kernel.open < token && token < kernel.close) return "\"" + kernel.name + "\"";
    return "nullptr";
  }

  // struct twiddle_tag_r {…}; … twiddle_end_r …; twiddle_host::array_begins<decltype(r), twiddle_tag_r>(&twiddle_end_r, r);
  void announce_arrays() {
    for (const ArrayDeclaration& declaration : array_declarations(tokens_)) {
      const std::string owner = owner_of(declaration.end);
      std::string text;
      for (const std::size_t token : declaration.names) {
        const std::string name(tokens_[token].text), tag = "twiddle_tag_" + name, end = "twiddle_end_" + name;
        text += " struct " + tag + " { static const char* name() { return \"" + name +
                "\"; } static const char* kernel() { return " + owner + "; } }; ::twiddle_host::ArrayEnd " + end +
                " __attribute__((cleanup(twiddle_array_ends))); ::twiddle_host::array_begins<decltype(" + name + "), " +
                tag + ">(&" + end + ", " + name + ");";
      }
      insert_after(declaration.end, std::move(text));
    }
  }

  // The instances of templates that launches name, registered like the kernels that are none.
  std::string instantiations() const {
    std::string text;
    for (const std::string& instance : instances_) {
      const std::string base = instance.substr(0, instance.find('<'));
      const auto known = templates_.find(base.substr(base.find_last_of(':') + 1));
      if (known == templates_.end()) continue;
      // A launch may leave the arguments out: the source's only instance is meant, or the template's own defaults.
      const bool bare = base.size() == instance.size();
      const std::string& code = !bare ? instance : known->second.only.empty() ? base + "<>" : known->second.only;
      const std::string signature = "decltype(::twiddle_host::signature_of(&" + code + "))";
      text += "\nstatic ::twiddle_host::RegisteredKernel twiddle_instance_" + std::to_string(text.size()) + "(" +
              signature + "(), \"" + instance + "\", &" + signature + "::invoke<(&" + code + ")>, \"" +
              known->second.parameters + "\");";
    }
    return text.empty() ? text : text + "\n";
  }

  // `float2 a[256], *b` as positions in `words`: the type goes up to the first declarator.
  std::vector<Declarator> split(const std::vector<std::size_t>& words) const {
    std::vector<Declarator> found;
    std::size_t first = 0, name = words.size();
    bool named = false;
    int depth = 0, angles = 0;
    for (std::size_t i = 0; i <= words.size(); ++i) {
      const bool last = i == words.size();
      const std::string_view text = last ? std::string_view(",") : tokens_[words[i]].text;
      if (depth == 0 && angles <= 0 && text == ",") {
        if (name < words.size()) found.push_back({first, name, i});
        first = i + 1;
        name = words.size();
        named = false;
        continue;
      }
      if (text == "(" || text == "[" || text == "{") ++depth;
      if (text == ")" || text == "]" || text == "}") --depth;
      if (depth == 0 && !named && text == "<") ++angles;
      if (depth == 0 && !named && text == ">") --angles;
      if (text == "[" || text == "=") named = true;
      if (depth == 0 && angles <= 0 && !named && tokens_[words[i]].identifier()) name = i;
    }
    return found;
  }

  std::string spell(const std::vector<std::size_t>& words, std::size_t from, std::size_t to) const {
    std::string text;
    for (std::size_t i = from; i < to; ++i) {
      const std::string_view token = tokens_[words[i]].text;
      text += token;
      // "::" and "<<" are tokens of one character each.
      if (i + 1 == to || tokens_[words[i + 1]].text.data() != token.data() + token.size()) text += " ";
    }
    return text;
  }

  // typedef float2 twiddle_type_a[256]; … ; twiddle_type_a& a = twiddle_host::shared_variable<…>();
  std::string rewritten(const std::vector<std::size_t>& words, bool dynamic) {
    const std::vector<Declarator> declarators = split(words);
    if (declarators.empty()) return ";";
    const std::size_t here = words.front();
    const std::string owner = owner_of(here);
    std::string types = "typedef ", variables;
    for (const Declarator& one : declarators) {
      const std::string variable(tokens_[words[one.name]].text);
      const std::string type = "twiddle_type_" + variable, tag = "twiddle_tag_" + variable;
      std::size_t array_end = one.name + 1;  // an initialiser means nothing here, as in CUDA
      while (array_end < one.last && !tokens_[words[array_end]].is("=")) ++array_end;
      types += (&one == &declarators[0] ? "" : ", ") + spell(words, one.first, one.name) + type + " ";
      variables += " struct " + tag + " { static const char* name() { return \"" + variable +
                   "\"; } static const char* kernel() { return " + owner + "; } };";
      const std::string bounds = spell(words, one.name + 1, array_end);
      if (in_function()) {
        types += bounds;
        variables += " " + type + "& " + variable + " = ::twiddle_host::" + (dynamic ? "dynamic_" : "") +
                     "shared_variable<" + type + ", " + tag + ">();";
      } else if (dynamic) {
        // In functions it is an array, as in CUDA; wherever else it is named, what becomes a pointer to it.
        file_variables_.push_back({here, variable,
                                   "[[maybe_unused]] " + type + " (&" + variable + ")" + bounds +
                                       " = ::twiddle_host::dynamic_shared_variable<" + type + bounds + ", " + tag +
                                       ">();"});
        variables += " static const ::twiddle_host::DynamicShared<" + type + ", " + tag + "> " + variable + " = {};";
      } else {
        types += bounds;
        file_variables_.push_back({here, variable,
                                   "[[maybe_unused]] " + type + "& " + variable +
                                       " = ::twiddle_host::shared_variable<" + type + ", " + tag + ">();"});
      }
    }
    return types + ";" + variables;
  }

  struct Function {
    std::size_t open, close;  // its body's braces
  };
  struct KernelBody {
    std::size_t open, close;
    std::string name;
  };
  struct FileVariable {
    std::size_t declared;  // a token of its declaration
    std::string name, reference;
  };
  struct KernelTemplate {
    std::string parameters;  // as parameter_names() gives them
    std::string only;        // the source's only explicit instance: "k<float>"
    int instances = 0;
  };

  std::string_view text_;
  const std::vector<std::string>& instances_;
  const bool arrays_;
  std::vector<Token> tokens_;
  std::vector<Edit> edits_;
  std::vector<bool> scopes_;        // of open braces: is it a function's or a type's?
  std::size_t function_depth_ = 0;  // how many braces are open in the function that is read; 0: in none
  std::vector<Function> functions_;
  std::vector<KernelBody> kernels_;
  std::vector<FileVariable> file_variables_;
  std::map<std::string, KernelTemplate> templates_;
  std::size_t registered_ = 0;  // the token that ends the variables met last
};

}  // namespace

std::string translate_for_host(std::string_view preprocessed, const std::vector<std::string>& instances, bool arrays) {
  return Translator(preprocessed, instances, arrays).run();
}

}  // namespace twiddle
