// Words that name types, and types as declarations write them.
#include "tracer/syntax/syntax_reader.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

namespace twiddle {
namespace {

const std::set<std::string_view>& whole_types() {
  static const std::set<std::string_view> names{"int",       "uint",    "unsigned", "signed",   "long",     "ulong",
                                                "short",     "ushort",  "char",     "uchar",    "bool",     "size_t",
                                                "ptrdiff_t", "int8_t",  "uint8_t",  "int16_t",  "uint16_t", "int32_t",
                                                "uint32_t",  "int64_t", "uint64_t", "intptr_t", "uintptr_t"};
  return names;
}

}  // namespace

const std::set<std::string_view>& type_qualifiers() {
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

bool ValueType::whole() const { return depth == 0 && whole_types().count(name); }
bool ValueType::floating() const { return depth == 0 && (name == "float" || name == "double" || name == "half"); }
bool ValueType::vector() const { return depth == 0 && components_of(name) > 0; }

std::size_t TypeReader::match(std::size_t open, std::size_t limit) const {
  std::size_t depth = 0;
  for (std::size_t k = open; k < limit; ++k) {
    if (at(k).kind != Lexeme::Kind::Mark || at(k).directive != at(open).directive) continue;
    if (at(k).is("(") || at(k).is("[") || at(k).is("{")) ++depth;
    if ((at(k).is(")") || at(k).is("]") || at(k).is("}")) && --depth == 0) return k;
  }
  return limit;
}

void TypeReader::find_types() {
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
        if (end > k + 3) of_several_words(k + 1, end - 1);
      }
    }
    if (at(k).directive != 0 && at(k).is("define") && at(k + 2).directive == at(k).directive &&
        is_type_name(at(k + 2).text) && at(k + 3).directive != at(k).directive) {
      types_.insert(at(k + 1).text);
      alias_[at(k + 1).text] = at(k + 2).text;
    }
  }
}

// "typedef unsigned int u32;": `name` is called as the lexemes from k on say.
void TypeReader::of_several_words(std::size_t k, std::size_t name) {
  const std::size_t old = std::exchange(limit_, name);
  try {
    const ValueType type = read_type(k);
    const auto known = whole_types().find(type.name);
    if (k == name && type.depth == 0 && known != whole_types().end()) alias_[at(name).text] = *known;
  } catch (const Failed&) {}
  limit_ = old;
}

bool TypeReader::type_word(std::size_t k) const {
  return name(k) && (is_type_name(at(k).text) || types_.count(at(k).text) || at(k).is("unsigned"));
}

std::string TypeReader::type_named(std::string_view word) const {
  const auto known = alias_.find(word);
  return std::string(known == alias_.end() ? word : known->second);
}

ValueType TypeReader::read_type(std::size_t& k) const {
  ValueType type;
  bool any = false;
  for (;; ++k) {
    if (is(k, "__attribute__") && is(k + 1, "(")) {
      k = match(k + 1, limit_);
      continue;
    }
    if (name(k) && type_qualifiers().count(at(k).text)) {
      const std::string_view word = at(k).text;
      if (word == "const" || word == "__constant" || word == "constant") type.constant = true;
      if (word == "__local" || word == "local" || word == "__shared__") type.space = 'l';
      if (word == "__global" || word == "global") type.space = 'g';
      if (word == "__constant" || word == "constant" || word == "__constant__") type.space = 'c';
      continue;
    }
    if (name(k) && whole_types().count(at(k).text)) {
      // "unsigned int", "long long"
      const bool longer = type.name == "ulong" && at(k).is("long");
      if ((!any || at(k).text != "int") && !longer)
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
    else if (!is(k, "&") && !(name(k) && type_qualifiers().count(at(k).text)))
      break;
  }
  return type;
}

std::size_t TypeReader::template_end(std::size_t open) const {
  int depth = 0;
  for (std::size_t k = open; k < std::min(limit_, open + 24); ++k) {
    if (is(k, "<"))
      ++depth;
    else if (is(k, ">") && --depth == 0)
      return k;
    else if (!(name(k) || at(k).kind == Lexeme::Kind::Number || is(k, ",") || is(k, "::") || is(k, "*") || is(k, "&")))
      if (k != open) return 0;
  }
  return 0;
}

}  // namespace twiddle
