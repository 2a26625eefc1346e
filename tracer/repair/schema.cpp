#include "tracer/repair/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <sstream>

namespace twiddle {
namespace {

using Place = SourceEdit::Place;

struct Piece {
  std::size_t at = 0;
  bool opens = false;      // before what begins there; else behind what ends there
  std::size_t extent = 0;  // bytes of what it is put around: the larger are outside
  std::string text;
  std::vector<Schema::Mark> marks{};  // within the text
};

class Writer {
 public:
  Writer(const Syntax& syntax, std::span<const SourceEdit> edits, std::uint32_t first, bool cuda, bool first_file,
         const std::set<std::string>& functions)
      : s_(syntax), edits_(edits), first_(first), cuda_(cuda), first_file_(first_file), functions_(functions) {}

  Schema run() {
    expressions();
    divisors();
    statements();
    loops();
    parameters();
    return joined();
  }

 private:
  std::string is(std::uint32_t edit) const { return fmt::format("tw_=={}", first_ + edit); }

  // Calls of the program's functions hand the number on, where it is no variable.
  std::string handed_on(const std::string& text) const {
    if (cuda_) return text;
    const std::vector<Lexeme> words = lexemes_of(text);
    std::string out;
    std::size_t from = 0;
    for (std::size_t k = 0; k + 1 < words.size(); ++k) {
      if (!called(words[k], words[k + 1])) continue;
      out += text.substr(from, words[k + 1].end() - from);
      from = words[k + 1].end();
      out += k + 2 < words.size() && words[k + 2].is(")") ? "tw_in_" : "tw_in_,";
    }
    return out + text.substr(from);
  }
  bool called(const Lexeme& word, const Lexeme& next) const {
    return word.kind == Lexeme::Kind::Name && next.is("(") && functions_.count(std::string(word.text));
  }

  // CUDA's compilers name no column, or one of the text after its preprocessing: each edit gets a line number of its own.
  std::string on_own_line(const Expression& around, std::uint32_t edit, const std::string& text) const {
    if (!cuda_ || s_.lexemes[around.first].directive) return text;
    return fmt::format("\n#line {}\n{}\n#line {}\n", edit_line + edit, text, s_.line_of(around));
  }

  // OpenCL's compilers take no choice between a vector and a number; a message says so of the whole choice.
  // And a choice between an int and a uint is a uint, with which the program would do something else without any change.
  std::string as_it_was(const Expression& one, const std::string& text, bool wider) const {
    const ValueType& type = one.type;
    if (!cuda_ && type.vector()) return fmt::format("({})({})", type.name, text);
    if (wider || type.depth > 0) return text;
    // What is no number is refused where it stands, and not the choice.
    if (!cuda_ && type.floating()) return fmt::format("({})({})", type.name, text);
    static const std::map<std::string_view, std::string_view> wholes{
        {"int", "int"}, {"uint", "unsigned int"}, {"long", "long"}, {"ulong", "unsigned long"}};
    if (const auto whole = wholes.find(type.name); whole != wholes.end())
      return fmt::format("({})({})", whole->second, text);
    if (type.known() || !is_sum_or_constant(one)) return text;
    const std::string own = handed_on(std::string(s_.spelling(one)));
    return cuda_ ? fmt::format("(typename tw_of_<decltype(({}))>::type)({})", own, text)
                 : fmt::format("(__typeof__({}))({})", own, text);
  }
  // Of no known type, yet no array, function or struct: "WIDTH + 1", and WIDTH itself.
  bool is_sum_or_constant(const Expression& one) const {
    if (statement_is_macro(one)) return false;
    if (one.part == Part::Binary) return true;
    if (one.part != Part::Name) return false;
    const std::string_view word = s_.spelling(one);
    for (std::size_t k = 0; k + 1 < s_.lexemes.size(); ++k) {
      const Lexeme& next = s_.lexemes[k + 1];
      const bool defined = k > 0 && s_.lexemes[k - 1].is("define") && next.begin > s_.lexemes[k].end();
      if (s_.lexemes[k].text == word && !defined && (next.is("[") || next.is("(") || next.is(".") || next.is("->")))
        return false;
    }
    return true;
  }
  // What is of the type, and says nothing: so that a message of a choice between two types is of the edit in it.
  std::string nothing_of(const ValueType& type) const {
    if (cuda_ || type.depth > 0) return {};
    return type.whole() ? "0" : type.floating() ? "0.0f" : "";
  }
  // Where a choice between two has to be of the type that stood there alone: of an OpenCL function's argument, for there is one
  // of each type, and beside a vector of short numbers, for the choice would be an int.
  std::set<std::uint32_t> typed_alike() const {
    std::set<std::uint32_t> all;
    for (const Expression& one : s_.expressions) {
      if (cuda_ || statement_is_macro(one)) continue;
      if (one.part == Part::Binary) {
        const auto [a, b] = std::pair(one.parts[0], one.parts[1]);
        if (is_vector(a) && is_short(b)) all.insert(b);
        if (is_vector(b) && is_short(a)) all.insert(a);
      }
      if (one.part == Part::Call)
        for (std::size_t k = 1; k < one.parts.size(); ++k) {
          const Expression& argument = s_.expressions[one.parts[k]];
          const ValueType& type = argument.type;
          const bool number = type.depth == 0 && (type.whole() || type.floating());
          if (number || (!type.known() && (argument.part == Part::Binary || argument.part == Part::Choice)))
            all.insert(one.parts[k]);
        }
    }
    return all;
  }
  bool statement_is_macro(const Expression& one) const {
    return s_.statements[one.statement].kind == Statement::Kind::Macro;
  }
  bool is_vector(std::uint32_t e) const { return s_.expressions[e].type.vector(); }
  bool is_short(std::uint32_t e) const {
    static const std::set<std::string_view> names{"char", "uchar", "short", "ushort"};
    const ValueType& type = s_.expressions[e].type;
    return type.depth == 0 && names.count(type.name) > 0;
  }

  void expressions() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> of;
    for (std::uint32_t i = 0; i < edits_.size(); ++i) {
      if (edits_[i].place != Place::Expression || is_macro_of_statements(edits_[i].target)) continue;
      of[edits_[i].target].push_back(i);
      for (const SourceEdit::Also& other : edits_[i].also) of[other.target].push_back(i);
    }
    const std::set<std::uint32_t> as_before = typed_alike();
    for (const auto& [target, all] : of) {
      const Expression& one = s_.expressions[target];
      const std::size_t begin = s_.begin_of(one), end = s_.end_of(one);
      const std::string cast =
          as_before.count(target) ? fmt::format("(__typeof__({}))", handed_on(std::string(s_.spelling(one)))) : "";
      // Where its edits follow one another, the original costs one comparison, however many they are.
      const bool row = all.back() - all.front() + 1 == all.size();
      Piece open{begin, true, end - begin,
                 cast + (row ? fmt::format("((unsigned)(tw_-{})<{}u?(", first_ + all[0], all.size()) : "(")};
      for (const std::uint32_t i : all) {
        const std::size_t from = open.text.size();
        const std::string otherwise = nothing_of(one.type);
        const bool last = row && i == all.back() && otherwise.empty();
        const std::string text = as_it_was(one, on_own_line(one, i, handed_on(text_at(i, target))), edits_[i].wider);
        open.text += last ? fmt::format("({})", text) : fmt::format("{}?({}):", is(i), text);
        open.marks.push_back({from, open.text.size(), i, s_.line_of(one)});
        if (!last) open.text += row && i == all.back() ? otherwise : "(";
      }
      if (row) open.text += std::string(all.size() - 1, ')') + "):(";
      pieces_.push_back(std::move(open));
      pieces_.push_back({end, false, end - begin, std::string(row ? 2 : all.size() + 1, ')')});
    }
  }

  // A statement that is a use of a macro that stands for statements: there is no choice between two of these.
  bool is_macro_of_statements(std::uint32_t target) const {
    const Expression& one = s_.expressions[target];
    const Statement& whole = s_.statements[one.statement];
    if (one.part != Part::Call || whole.kind != Statement::Kind::Plain || whole.expressions.size() != 1 ||
        whole.expressions[0] != target)
      return false;
    const std::string_view name = s_.spelling(s_.expressions[one.parts[0]]);
    const auto& words = s_.lexemes;
    for (std::size_t k = 0; k + 2 < words.size(); ++k) {
      if (!words[k].directive || !words[k].is("define") || words[k + 1].text != name) continue;
      for (std::size_t at = k + 2; at < words.size() && words[at].directive == words[k].directive; ++at)
        if (words[at].is("{") || words[at].is(";")) return true;
      return false;
    }
    return false;
  }

  const std::string& text_at(std::uint32_t edit, std::uint32_t target) const {
    for (const SourceEdit::Also& other : edits_[edit].also)
      if (other.target == target) return other.text;
    return edits_[edit].text;
  }

  // A processor stops at a division by zero.
  void divisors() {
    for (const Expression& one : s_.expressions) {
      if (one.part != Part::Binary && one.part != Part::Assign) continue;
      const std::string_view op = s_.lexemes[one.mark].text;
      if (op != "/" && op != "%" && op != "/=" && op != "%=") continue;
      const Expression& by = s_.expressions[one.parts[1]];
      if (!by.type.whole() || by.part == Part::Number || s_.statements[by.statement].kind == Statement::Kind::Macro)
        continue;
      const std::size_t begin = s_.begin_of(by), end = s_.end_of(by);
      pieces_.push_back({begin, true, end - begin + 1, "tw_nz_("});
      pieces_.push_back({end, false, end - begin + 1, ")"});
    }
  }

  void statements() {
    // Texts of several edits, with their marks.
    struct Noted {
      std::string text;
      std::vector<Schema::Mark> marks;
      void add(const std::string& more, std::uint32_t edit, int line) {
        marks.push_back({text.size(), text.size() + more.size(), edit, line});
        text += more;
      }
      std::vector<Schema::Mark> marks_behind(std::size_t offset) const {
        std::vector<Schema::Mark> moved = marks;
        for (Schema::Mark& one : moved) one.begin += offset, one.end += offset;
        return moved;
      }
    };
    std::map<std::uint32_t, Noted> before, behind, conditions;
    std::map<std::uint32_t, std::vector<std::uint32_t>> without;
    const auto note = [&](std::map<std::uint32_t, Noted>& where, std::uint32_t target, std::uint32_t i,
                          const std::string& text) {
      where[target].add(fmt::format("if({}){{{}}}", is(i), handed_on(text)), i, line_of(s_, edits_[i]));
    };
    for (std::uint32_t i = 0; i < edits_.size(); ++i) {
      const SourceEdit& edit = edits_[i];
      switch (edit.place) {
        case Place::Expression:
          if (!is_macro_of_statements(edit.target)) break;
          note(before, s_.expressions[edit.target].statement, i, edit.text + ";");
          without[s_.expressions[edit.target].statement].push_back(i);
          break;
        case Place::Before:
        case Place::Behind: {
          // Around all of it, and not within the brackets that it gets for other changes.
          const std::string text = fmt::format("if({}){{{}}}", is(i), handed_on(edit.text));
          pieces_.push_back({begin_of(s_, edit),
                             edit.place == Place::Before,
                             ~std::size_t(0),
                             text,
                             {{0, text.size(), i, line_of(s_, edit)}}});
          break;
        }
        case Place::MoveBefore:
        case Place::MoveBehind:
        case Place::Word:
        case Place::SwapWords: break;
        case Place::Drop: without[edit.target].push_back(i); break;
        case Place::Guard:
          conditions[edit.target].add(fmt::format("&&!({}&&!({}))", is(i), handed_on(edit.text)), i, line_of(s_, edit));
          break;
        case Place::After: note(behind, edit.target, i, edit.text); break;
        case Place::LoopStart: {
          const std::string text = fmt::format("if({}){{{}}}", is(i), handed_on(edit.text));
          pieces_.push_back({begin_of(s_, edit), false, 0, text, {{0, text.size(), i, line_of(s_, edit)}}});
          break;
        }
        case Place::Below:
        case Place::Above:
          without[edit.target].push_back(i);
          if (s_.statements[edit.other].kind == Statement::Kind::Condition) {  // before all of it
            const std::string text = fmt::format("if({}){{{}}}", is(i), handed_on(edit.text));
            pieces_.push_back({s_.lexemes[s_.statements[edit.other].first].begin,
                               true,
                               ~std::size_t(0),
                               text,
                               {{0, text.size(), i, line_of(s_, edit)}}});
            break;
          }
          note(edit.place == Place::Below ? behind : before, edit.other, i, edit.text);
          break;
        case Place::SwapNext:
          note(before, edit.target, i, edit.text);
          without[edit.other].push_back(i);
          break;
      }
    }
    for (std::uint32_t k = 0; k < s_.statements.size(); ++k) {
      const Statement& one = s_.statements[k];
      if (!before.count(k) && !behind.count(k) && !without.count(k) && !conditions.count(k)) continue;
      const std::size_t begin = s_.lexemes[one.first].begin, end = s_.lexemes[one.last].end();
      if (one.kind == Statement::Kind::Declaration) {
        pieces_.push_back({end, false, end - begin + 2, behind[k].text, behind[k].marks});
        continue;
      }
      std::string condition;
      for (const std::uint32_t i : without[k]) condition += fmt::format("{}{}", condition.empty() ? "" : "||", is(i));
      Piece open{begin, true, end - begin + 2, "{" + before[k].text, before[k].marks_behind(1)};
      if (!condition.empty() || conditions.count(k)) {
        open.text += condition.empty() ? "if(1" : "if(!(" + condition + ")";
        for (const Schema::Mark& mark : conditions[k].marks_behind(open.text.size())) open.marks.push_back(mark);
        open.text += conditions[k].text + "){";  // a macro may be several statements
      }
      const std::string closed = condition.empty() && !conditions.count(k) ? "" : "}";
      pieces_.push_back(std::move(open));
      pieces_.push_back(
          {end, false, end - begin + 2, closed + behind[k].text + "}", behind[k].marks_behind(closed.size())});
    }
  }

  void loops() {
    for (const LoopCondition& one : s_.conditions) {
      if (one.first == one.last) {
        pieces_.push_back({s_.lexemes[one.first].begin, true, 0, "--tw_left_>0"});
        continue;
      }
      const std::size_t begin = s_.lexemes[one.first].begin, end = s_.lexemes[one.last - 1].end();
      pieces_.push_back({begin, true, end - begin + 1, "!!("});
      pieces_.push_back({end, false, end - begin + 1, ")&(--tw_left_>0)"});
    }
    for (const Function& one : s_.functions) {
      std::string text =
          fmt::format("int tw_left_=1<<({}>>{});(void)tw_left_;", cuda_ ? "tw_all_" : "tw_in_", turn_bits);
      const std::string number = fmt::format("tw_=tw_in_&{};", (1 << turn_bits) - 1);
      if (!cuda_) text = "const int " + number + "(void)tw_;" + text;
      // With a negative number it is built and does nothing. Of a kernel that returns early and has barriers behind that PoCL 3.1
      // builds something else where it is not to optimise: a later guard in it lets all items through.
      if (one.kernel) text = (cuda_ ? "if(tw_in_<0)return;" : "if(tw_in_<0)goto tw_end_;") + text;
      if (one.kernel && !cuda_) pieces_.push_back({s_.lexemes[one.end].begin, false, ~std::size_t(0), "tw_end_:;"});
      if (cuda_ && !has_lambda(one)) text = "const int tw_=::tw_;(void)tw_;" + text;
      if (cuda_ && one.kernel) text = "tw_all_=tw_in_;" + number + text;
      pieces_.push_back({s_.lexemes[one.body].end(), false, 0, text});
    }
  }

  // A variable of the function's own is read without the check that each access of memory has. One with no captures could not.
  bool has_lambda(const Function& one) const {
    for (std::size_t k = one.body + 1; k < one.end; ++k) {
      const Lexeme& before = s_.lexemes[k - 1];
      const bool index = before.kind == Lexeme::Kind::Name || before.is(")") || before.is("]");
      if (s_.lexemes[k].is("[") && (!index || before.is("return"))) return true;
    }
    return false;
  }

  void parameters() {
    for (const Function& one : s_.functions) {
      if (!one.kernel) continue;
      const bool none = one.close == one.open + 1;
      pieces_.push_back(
          {s_.lexemes[one.close].begin, false, ~std::size_t(0), std::string(none ? "int " : ",int ") + "tw_in_"});
    }
    if (cuda_) return instantiations();
    const auto inside = [&](std::size_t k) {
      return std::any_of(s_.functions.begin(), s_.functions.end(),
                         [&](const Function& f) { return k > f.body && k < f.end; });
    };
    for (std::size_t k = 0; k + 2 < s_.lexemes.size(); ++k) {
      if (!called(s_.lexemes[k], s_.lexemes[k + 1])) continue;
      const bool call = s_.lexemes[k].directive || inside(k);
      const bool none = s_.lexemes[k + 2].is(")");
      const bool nothing = s_.lexemes[k + 2].is("void") && s_.lexemes[k + 3].is(")");
      if (nothing) {
        pieces_.push_back({s_.lexemes[k + 1].end(), false, 0, "int tw_in_/*"});
        pieces_.push_back({s_.lexemes[k + 2].end(), false, 0, "*/"});
        continue;
      }
      pieces_.push_back(
          {s_.lexemes[k + 1].end(), false, 0, std::string(call ? "tw_in_" : "int tw_in_") + (none ? "" : ",")});
    }
  }

  // "template __global__ void f<float>(float *);" names a kernel with its parameters once more.
  void instantiations() {
    std::set<std::string_view> kernels;
    for (const Function& one : s_.functions)
      if (one.kernel) kernels.insert(one.name);
    const auto& words = s_.lexemes;
    for (std::size_t k = 0; k + 1 < words.size(); ++k) {
      if (!words[k].is("template") || words[k + 1].is("<")) continue;
      std::size_t name = k + 1;
      while (name < words.size() && !words[name].is(";") && !words[name].is("{") && !kernels.count(words[name].text))
        ++name;
      if (name >= words.size() || !kernels.count(words[name].text)) continue;
      std::size_t open = name;
      while (open < words.size() && !words[open].is("(") && !words[open].is(";")) ++open;
      std::size_t close = open, depth = 0;
      for (; close < words.size() && !words[close].is(";"); ++close) {
        if (words[close].is("(")) ++depth;
        if (words[close].is(")") && --depth == 0) break;
      }
      if (close >= words.size() || !words[close].is(")")) continue;
      pieces_.push_back({words[close].begin, false, ~std::size_t(0), close == open + 1 ? "int" : ",int"});
    }
  }

  static std::string divisor_function(const std::string& type) {
    return fmt::format("__attribute__((overloadable)) {0} tw_nz_({0} x){{return x?x:1;}}", type);
  }
  std::string head() const {
    if (cuda_)
      return "static __device__ int tw_,tw_all_;template<class T>__device__ inline T tw_nz_(T x){return x?x:T(1);}"
             "template<class T>struct tw_of_{typedef T type;};template<class T>struct tw_of_<T&>{typedef T type;};"
             "template<class T>struct tw_of_<const T&>{typedef T type;};\n";
    std::string text;
    for (const std::string type : {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"})
      text += divisor_function(type);
    return text + "\n";
  }

  Schema joined() {
    std::stable_sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) {
      if (a.at != b.at) return a.at < b.at;
      if (a.opens != b.opens) return !a.opens;
      return a.opens ? a.extent > b.extent : a.extent < b.extent;
    });
    Schema out;
    out.numbered = cuda_;
    std::size_t from = 0;
    if (first_file_) out.head_lines = 2;
    if (first_file_) out.text = head() + "#line 1\n";
    for (const Piece& piece : pieces_) {
      out.text += s_.text.substr(from, piece.at - from);
      from = piece.at;
      for (const Schema::Mark& mark : piece.marks)
        out.marks.push_back({out.text.size() + mark.begin, out.text.size() + mark.end, mark.edit, mark.line});
      out.text += piece.text;
    }
    out.text += s_.text.substr(from);
    return out;
  }

  const Syntax& s_;
  std::span<const SourceEdit> edits_;
  std::uint32_t first_;
  bool cuda_, first_file_;
  const std::set<std::string>& functions_;
  std::vector<Piece> pieces_;
};

}  // namespace

Schema schema_of(const Syntax& syntax, std::span<const SourceEdit> edits, std::uint32_t first, bool cuda,
                 bool first_file, const std::set<std::string>& functions) {
  return Writer(syntax, edits, first, cuda, first_file, functions).run();
}

namespace {

// A macro's parameter that its body calls: "turn" of "#define PAIR(i, turn) … turn(d) …".
struct CalledParameter {
  std::string macro, name;
  std::size_t position = 0;
};
std::vector<CalledParameter> called_parameters(const std::vector<Lexeme>& words) {
  std::vector<CalledParameter> all;
  for (std::size_t k = 0; k + 2 < words.size(); ++k) {
    if (!words[k].directive || !words[k].is("define") || !words[k + 2].is("(") ||
        words[k + 2].begin != words[k + 1].end())
      continue;
    std::vector<std::string_view> names;
    std::size_t at = k + 3;
    for (; at < words.size() && words[at].directive == words[k].directive && !words[at].is(")"); ++at)
      if (!words[at].is(",")) names.push_back(words[at].text);
    for (; at + 1 < words.size() && words[at + 1].directive == words[k].directive; ++at) {
      const auto name = std::find(names.begin(), names.end(), words[at].text);
      if (name == names.end() || !words[at + 1].is("(")) continue;
      all.push_back(
          {std::string(words[k + 1].text), std::string(*name), static_cast<std::size_t>(name - names.begin())});
    }
  }
  return all;
}

// Whether each use of the macro, where there is any, gives it one of these functions.
bool gives_functions(const std::vector<Lexeme>& words, const CalledParameter& one,
                     const std::set<std::string>& functions) {
  for (std::size_t k = 0; k + 1 < words.size(); ++k) {
    if (words[k].text != one.macro || !words[k + 1].is("(") || (k > 0 && words[k - 1].is("define"))) continue;
    std::size_t position = 0, depth = 0, first = k + 2, at = k + 1;
    std::string_view given;
    for (; at < words.size(); ++at) {
      if (words[at].is("(")) ++depth;
      const bool ends = words[at].is(")") && --depth == 0;
      if (!ends && !(words[at].is(",") && depth == 1)) continue;
      if (position++ == one.position && at == first + 1) given = words[first].text;
      first = at + 1;
      if (ends) break;
    }
    if (!functions.count(std::string(given))) return false;
  }
  return true;
}

}  // namespace

std::set<std::string> called_through_macros(std::span<const Syntax* const> files,
                                            const std::set<std::string>& functions) {
  std::set<std::string> names;
  for (const Syntax* file : files)
    for (const CalledParameter& one : called_parameters(file->lexemes))
      if (std::all_of(files.begin(), files.end(),
                      [&](const Syntax* other) { return gives_functions(other->lexemes, one, functions); }))
        names.insert(one.name);
  return names;
}

namespace {

// A warning refuses nothing.
std::string without_warnings(const std::string& messages) {
  std::istringstream lines(messages);
  std::string log;
  for (std::string line; std::getline(lines, line);)
    if (line.find("warning: ") == std::string::npos) log += line + '\n';
  return log;
}

// What messages point at: offsets of the schema's text, and where their lines begin and end; or an edit by its line number.
struct Pointed {
  std::size_t at = 0, line = 0, line_end = 0;
  int number = 0;
  std::optional<std::uint32_t> edit{};
};
std::vector<Pointed> pointed_at(const Schema& schema, const std::string& name, const std::string& messages) {
  const std::string log = without_warnings(messages);
  std::vector<std::size_t> lines{0};
  for (std::size_t k = 0; k < schema.text.size(); ++k)
    if (schema.text[k] == '\n') lines.push_back(k + 1);
  std::vector<Pointed> all;
  static const std::regex place("([^\\s:(]*)[:(](\\d{1,7})(?::(\\d{1,7})|\\))");
  for (std::sregex_iterator found(log.begin(), log.end(), place), end; found != end; ++found) {
    if (!(*found)[1].str().ends_with(name)) continue;
    const std::size_t line = std::stoul((*found)[2].str());
    if (line >= edit_line) {
      all.push_back({0, 0, 0, 0, static_cast<std::uint32_t>(line - edit_line)});
      continue;
    }
    const std::size_t column = (*found)[3].matched ? std::stoul((*found)[3].str()) : 1;
    const std::size_t index = line + schema.head_lines;
    if (schema.numbered) {
      all.push_back({0, 0, 0, static_cast<int>(line), {}});
      continue;
    }
    if (line == 0 || index > lines.size() || column == 0) continue;
    const std::size_t begin = lines[index - 1], stop = index < lines.size() ? lines[index] : schema.text.size();
    all.push_back({begin + column - 1, begin, stop, static_cast<int>(line), {}});
  }
  return all;
}

}  // namespace

std::vector<std::uint32_t> edits_refused(const Schema& schema, const std::string& name, const std::string& log) {
  std::set<std::uint32_t> edits;
  for (const Pointed& one : pointed_at(schema, name, log)) {
    if (one.edit) edits.insert(*one.edit);
    for (const Schema::Mark& mark : schema.marks)
      if (!one.edit && !schema.numbered && one.at >= mark.begin && one.at < mark.end) edits.insert(mark.edit);
  }
  return {edits.begin(), edits.end()};
}

std::vector<std::uint32_t> edits_of_lines(const Schema& schema, const std::string& name, const std::string& log) {
  std::set<std::uint32_t> edits;
  for (const Pointed& one : pointed_at(schema, name, log))
    for (const Schema::Mark& mark : schema.marks)
      if (!one.edit &&
          (schema.numbered ? mark.line == one.number : mark.begin >= one.line && mark.begin < one.line_end))
        edits.insert(mark.edit);
  return {edits.begin(), edits.end()};
}

}  // namespace twiddle
