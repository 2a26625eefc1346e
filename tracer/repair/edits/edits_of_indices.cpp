// What an element's index may have been meant to be: the other way round, from the end, or the number that a loop counts.
#include "tracer/repair/edits/edit_maker.h"
#include "tracer/repair/edits/edits_more.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace twiddle {
namespace {

constexpr std::size_t most_lengths = 6;

class Indices : EditMaker {
 public:
  Indices(const Syntax& syntax, const SourceNames& names) : EditMaker(syntax), names_(names) {
    for (const Expression& one : s_.expressions) {
      if (one.part != Part::Binary || statement_of(one).kind != Statement::Kind::Loop) continue;
      const std::string_view op = mark(one);
      const Expression& left = s_.expressions[one.parts[0]];
      if ((op == "<" || op == "<=" || op == "!=" || op == ">" || op == ">=") && left.part == Part::Name)
        counted_.try_emplace(one.statement, text(left), op == "<" || op == "!=" ? operand(one.parts[1]) : "");
    }
  }

  std::vector<SourceEdit> run() {
    for (const Expression& one : s_.expressions) {
      if (one.part != Part::Index || statement_of(one).kind == Statement::Kind::Macro) continue;
      target_ = one.parts[1];
      const Expression& index = s_.expressions[target_];
      if (index.written || names_.fixed(index) || !(index.type.whole() || !index.type.known())) continue;
      of_loops(one, index);
      from_the_end(one, index);
    }
    return std::move(edits_);
  }

 private:
  void of_loops(const Expression& element, const Expression& index) {
    for (const std::uint32_t loop : statement_of(element).loops) {
      const auto known = counted_.find(loop);
      if (known == counted_.end()) continue;
      const auto& [name, bound] = known->second;
      if (text(index) == name) {
        if (!bound.empty()) add(EditKind::Order, 1.5, fmt::format("{} - 1 - {}", bound, name));
      } else {
        // A loop whose body does not know its turn most likely should.
        add(EditKind::Name, is_used_in_body(loop, name) ? 1.8 : 0.9, name);
      }
    }
  }

  bool is_used_in_body(std::uint32_t loop, const std::string& name) const {
    const Statement& one = s_.statements[loop];
    return std::any_of(s_.lexemes.begin() + one.body, s_.lexemes.begin() + one.body_last,
                       [&](const Lexeme& word) { return word.is(name); });
  }

  // row[N - 1 - k] for row[k] and for row[N / 2 + k].
  void from_the_end(const Expression& element, const Expression& index) {
    std::string counted;
    if (index.part == Part::Name)
      counted = text(index);
    else if (index.part == Part::Binary && mark(index) == "+")
      counted = operand(index.parts[1]);
    else
      return;
    std::size_t count = 0;
    const auto with = [&](const std::string& length) {
      if (length != counted && count++ < most_lengths)
        add(EditKind::Order, 1.9, fmt::format("{} - 1 - {}", length, counted));
    };
    for (const std::vector<std::string>* lengths : {&names_.defines(), &names_.template_numbers()})
      for (const std::string& length : *lengths) with(length);
    for (const std::string& name : visible_names(statement_of(element), &ValueType::whole)) with(name);
  }

  const SourceNames& names_;
  std::map<std::uint32_t, std::pair<std::string, std::string>> counted_;  // by loop: what it counts, and up to what
};

}  // namespace

std::vector<SourceEdit> edits_of_indices(const Syntax& syntax, const SourceNames& names) {
  return Indices(syntax, names).run();
}

}  // namespace twiddle
