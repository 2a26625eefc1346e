// What functions are called with, and what is asked of whom: calls within one another in the other order, both elements for one, a
// group for the grid; and two values that changed places throughout.
#include "tracer/repair/edits/edit_maker.h"
#include "tracer/repair/edits/edits_more.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace twiddle {
namespace {

constexpr std::size_t max_named = 6, max_groups = 4, max_turns = 5;

class Calls : EditMaker {
 public:
  explicit Calls(const Syntax& syntax) : EditMaker(syntax) { find_groups(); }

  std::vector<SourceEdit> run() {
    for (target_ = 0; target_ < s_.expressions.size(); ++target_) {
      const Expression& one = s_.expressions[target_];
      if (one.written || statement_of(one).kind == Statement::Kind::Macro) continue;
      if (one.part == Part::Call) {
        turned_inside_out(one);
        if (text(one.parts[0]).starts_with("static_cast<")) in_order_of_sign(one);
        of_another_group(one);
        for (std::size_t k = 1; k < one.parts.size(); ++k) {
          other_function(s_.expressions[one.parts[k]]);
          other_sign_by_turns(s_.expressions[one.parts[k]]);
        }
      }
      if (one.part == Part::Index) of_two_elements(one);
      if (one.part == Part::Cast) in_order_of_sign(one);
    }
    for (const Statement& one : s_.statements)
      for (const std::uint32_t root : one.expressions) {
        target_ = s_.expressions[root].part == Part::Assign ? s_.expressions[root].parts[1] : root;
        exchanged_throughout(s_.expressions[target_]);
      }
    for (target_ = 0; target_ < s_.statements.size(); ++target_) only_those(s_.statements[target_]);
    return std::move(edits_);
  }

 private:
  // A function that a macro is given: another one that takes the same.
  void other_function(const Expression& given) {
    if (given.part != Part::Name) return;
    const auto named = [&](const Function& f) { return f.name == text(given) && may_call(f, given.first); };
    const auto own = std::find_if(s_.functions.begin(), s_.functions.end(), named);
    if (own == s_.functions.end()) return;
    const std::uint32_t call = std::exchange(target_, static_cast<std::uint32_t>(&given - s_.expressions.data()));
    for (const Function& f : s_.functions)
      if (f.name != own->name && may_call(f, given.first) && f.parameters == own->parameters && f.result == own->result)
        add(EditKind::Name, 1.2, f.name);
    target_ = call;
  }

  // "f(i & 1 ? -x : x)" for "f(x)": of neighbours the second has the other sign.
  void other_sign_by_turns(const Expression& given) {
    const bool unsigned_one = given.type.name.starts_with("u") || given.type.name.starts_with("size");
    if (given.part != Part::Name || given.type.depth > 0 || unsigned_one || given.written) return;
    if (!given.type.floating() && !given.type.whole()) return;
    std::vector<std::string> names = visible_names(statement_of(given), &ValueType::whole, {text(given)});
    // What items are numbered by comes first.
    if (names.size() > max_turns) names.resize(max_turns);
    const std::uint32_t call = std::exchange(target_, static_cast<std::uint32_t>(&given - s_.expressions.data()));
    for (const std::string& name : names)
      add(EditKind::Condition, given.type.whole() ? 2.4 : 2.2,
          fmt::format("({0} & 1 ? -{1} : {1})", name, text(given)));
    target_ = call;
  }

  // "for (q = …) { if (!is_active(q)) continue; … }": a function of the file that nothing asks in this loop says for which turns
  // there is something to do.
  void only_those(const Statement& loop) {
    if (loop.kind != Statement::Kind::Loop || loop.expressions.empty() || meets_within(loop.body, loop.body_last))
      return;
    const Expression& begin = s_.expressions[loop.expressions[0]];
    const bool declares = begin.first > loop.first + 1 && s_.lexemes[begin.first - 1].is("=");
    const std::string name = begin.part == Part::Assign ? text(begin.parts[0])
                             : declares                 ? std::string(s_.lexemes[begin.first - 2].text)
                                                        : std::string();
    if (name.empty()) return;
    for (const Function& f : s_.functions) {
      const bool answers = f.result.depth == 0 && (f.result.name == "bool" || f.result.name == "int");
      if (!answers || !may_call(f, loop.first) || f.parameters.size() != 1 || !f.parameters[0].whole()) continue;
      if (std::any_of(s_.lexemes.begin() + loop.body, s_.lexemes.begin() + loop.body_last,
                      [&](const Lexeme& word) { return word.text == f.name; }))
        continue;
      for (const char* turned : {"!", ""})
        add(EditKind::Condition, f.result.name == "bool" ? 1.8 : 2.2,
            fmt::format("if ({}{}({})) continue;", turned, f.name, name), Place::LoopStart);
    }
  }

  // "mul(sub(u, v), w)" for "sub(u, mul(v, w))".
  void turned_inside_out(const Expression& one) {
    if (one.parts.size() != 3) return;
    const std::string function = text(one.parts[0]);
    for (const std::size_t k : {1, 2}) {
      const Expression& inner = s_.expressions[one.parts[k]];
      if (inner.part != Part::Call || inner.parts.size() != 3 || text(inner.parts[0]) == function) continue;
      const std::string within = text(inner.parts[0]), other = text(one.parts[3 - k]);
      const std::string a = text(inner.parts[1]), b = text(inner.parts[2]);
      add(EditKind::Order, 1.9,
          k == 2 ? fmt::format("{}({}({}, {}), {})", within, function, other, a, b)
                 : fmt::format("{}({}({}, {}), {})", within, function, a, other, b));
      add(EditKind::Order, 2.1,
          k == 2 ? fmt::format("{}({}, {}({}, {}))", within, a, function, other, b)
                 : fmt::format("{}({}, {}({}, {}))", within, a, function, b, other));
    }
  }

  // Names of "cooperative_groups::grid_group g" and of "auto tile = tiled_partition<16>(…)".
  void find_groups() {
    for (std::uint32_t k = 0; k + 3 < s_.lexemes.size(); ++k) {
      if (s_.lexemes[k].kind != Lexeme::Kind::Name || !s_.lexemes[k + 1].is(".")) continue;
      const std::string_view asks = s_.lexemes[k + 2].text;
      if (asks != "thread_rank" && asks != "size" && asks != "num_threads" && asks != "sync") continue;
      std::string name(s_.lexemes[k].text);
      if (groups_.size() < max_groups && std::find(groups_.begin(), groups_.end(), name) == groups_.end())
        groups_.push_back(std::move(name));
    }
  }
  // "i += grid.size()" for "i += block.size()".
  void of_another_group(const Expression& one) {
    const Expression& asked = s_.expressions[one.parts[0]];
    if (one.parts.size() != 1 || asked.part != Part::Member || s_.expressions[asked.parts[0]].part != Part::Name)
      return;
    const std::string own = text(asked.parts[0]);
    if (std::find(groups_.begin(), groups_.end(), own) == groups_.end()) return;
    for (const std::string& other : groups_)
      if (other != own) add(EditKind::Name, 1.3, fmt::format("{}.{}()", other, mark(asked)));
  }

  // "cheaper(t[0], t[1])" for "t[0]": what a function of the file makes of both.
  void of_two_elements(const Expression& one) {
    const std::string place = text(one.parts[1]);
    if (place != "0" && place != "1") return;
    const std::string array = text(one.parts[0]);
    for (const Function& f : s_.functions) {
      if (!may_call(f, one.first) || f.parameters.size() != 2 || !(f.parameters[0] == f.parameters[1]) ||
          !(f.result == f.parameters[0]))
        continue;
      if (one.type.known() && !(one.type == f.result)) continue;
      add(EditKind::More, 1.6, fmt::format("{0}({1}[0], {1}[1])", f.name, array));
    }
  }

  // "(unsigned)key ^ 0x80000000u" for "(unsigned)key": what is below nought comes first.
  void in_order_of_sign(const Expression& one) {
    static const std::map<std::string, std::string, std::less<>> signs{
        {"uint", "0x80000000u"},     {"unsigned", "0x80000000u"}, {"unsigned int", "0x80000000u"},
        {"uint32_t", "0x80000000u"}, {"ushort", "0x8000u"},       {"unsigned short", "0x8000u"},
        {"uint16_t", "0x8000u"},     {"uchar", "0x80u"},          {"unsigned char", "0x80u"},
        {"uint8_t", "0x80u"}};
    if (one.type.depth > 0) return;
    const auto sign = signs.find(one.type.name);
    if (sign != signs.end()) add(EditKind::More, 2.1, fmt::format("({} ^ {})", operand(target_), sign->second));
  }

  // "second.mul * first.add + second.add" for "first.mul * second.add + first.add".
  void exchanged_throughout(const Expression& one) {
    if (one.written) return;
    std::map<std::string, std::size_t> named;
    for (std::uint32_t k = one.first; k < one.last; ++k) {
      const Lexeme& word = s_.lexemes[k];
      if (word.kind == Lexeme::Kind::Name && !is_field(s_.lexemes, k) &&
          !(k + 1 < one.last && s_.lexemes[k + 1].is("(")))
        ++named[std::string(word.text)];
    }
    struct Known {
      std::string name;
      std::size_t count;
      ValueType type;
    };
    std::vector<Known> all;
    std::set<std::string> seen;
    for (const std::uint32_t v : statement_of(one).visible)
      if (const auto known = named.find(s_.variables[v].name);
          known != named.end() && seen.insert(known->first).second && all.size() < max_named)
        all.push_back({known->first, known->second, s_.variables[v].type});
    constexpr std::size_t fewest = 3;  // two are exchanged as they are anywhere
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = i + 1; j < all.size(); ++j) {
        const bool alike = all[i].type == all[j].type || (all[i].type.whole() && all[j].type.whole());
        if (alike && all[i].count + all[j].count >= fewest)
          add(EditKind::Order, 1.6, exchanged(one, all[i].name, all[j].name, false));
      }
  }

  std::vector<std::string> groups_;
};

}  // namespace

std::vector<SourceEdit> edits_of_calls(const Syntax& syntax) { return Calls(syntax).run(); }

bool refused_by_all(const Syntax& syntax, const SourceEdit& edit) {
  if (edit.text.find("operator") != std::string::npos) {
    const std::vector<Lexeme> words = lexemes_of(edit.text);
    if (std::any_of(words.begin(), words.end(), [](const Lexeme& word) { return word.is("operator"); })) return true;
  }
  if (edit.place != SourceEdit::Place::Expression) return false;
  const auto is_event = [&](std::uint32_t target) {
    const Expression& one = syntax.expressions[target];
    const auto copies = [&](const Expression& call) {
      return call.part == Part::Call &&
             syntax.spelling(syntax.expressions[call.parts[0]]).starts_with("async_work_group_");
    };
    if (one.type.name == "event_t" || copies(one)) return true;
    if (one.part == Part::Assign && copies(syntax.expressions[one.parts[1]])) return true;
    if (one.first == 0 || !syntax.lexemes[one.first - 1].is(",")) return false;
    return std::any_of(syntax.expressions.begin(), syntax.expressions.end(),
                       [&](const Expression& call) { return copies(call) && call.parts.back() == target; });
  };
  return is_event(edit.target) || std::any_of(edit.also.begin(), edit.also.end(),
                                              [&](const SourceEdit::Also& one) { return is_event(one.target); });
}

}  // namespace twiddle
