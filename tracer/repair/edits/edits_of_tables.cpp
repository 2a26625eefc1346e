// Two neighbours of a table exchanged. A compiler has to know what is in a table, but what is read of it can be exchanged in one
// program with all other changes.
#include "tracer/repair/edits/edit_maker.h"
#include "tracer/repair/edits/edits_more.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {
namespace {

constexpr std::size_t max_elements = 64, max_reads = 8, max_swaps = 64, likely_swaps = 24;

class Tables : EditMaker {
 public:
  explicit Tables(const Syntax& syntax) : EditMaker(syntax) {}

  std::vector<SourceEdit> run() {
    for (std::uint32_t k = 0; k + 5 < s_.lexemes.size() && edits_.size() < max_swaps; ++k)
      if (s_.lexemes[k].kind == Lexeme::Kind::Name && s_.lexemes[k + 1].is("[")) table(k);
    return std::move(edits_);
  }

 private:
  struct Element {
    std::uint32_t first = 0, last = 0;  // lexemes
  };

  // "NAME[8] = { … }" at lexeme `name`.
  void table(std::uint32_t name) {
    std::uint32_t at = name + 2;
    while (at < s_.lexemes.size() && !s_.lexemes[at].is("]") && !s_.lexemes[at].is(";")) ++at;
    if (at + 3 >= s_.lexemes.size() || !s_.lexemes[at].is("]") || !s_.lexemes[at + 1].is("=") ||
        !s_.lexemes[at + 2].is("{"))
      return;
    const std::vector<Element> all = elements(at + 3);
    if (all.size() < 3) return;
    const std::vector<std::uint32_t> indices = reads(s_.lexemes[name].text, all.back().last);
    if (indices.empty()) return;
    for (std::size_t k = 0; k + 1 < all.size() && edits_.size() < max_swaps; ++k) swap(all, k, indices);
  }

  std::vector<Element> elements(std::uint32_t from) const {
    std::vector<Element> all;
    int depth = 0;
    std::uint32_t first = from;
    for (std::uint32_t k = from; k < s_.lexemes.size(); ++k) {
      const Lexeme& word = s_.lexemes[k];
      if (word.is("{") || word.is(";") || word.directive) return {};  // rows of rows
      if (word.is("(")) ++depth;
      if (word.is(")")) --depth;
      const bool ends = depth == 0 && word.is("}");
      if (!ends && !(depth == 0 && word.is(","))) continue;
      if (k > first) all.push_back({first, k});
      first = k + 1;
      if (ends) return all.size() <= max_elements ? all : std::vector<Element>();
    }
    return {};
  }

  // The indices that its elements are read by; empty where they are none that another can take the place of.
  std::vector<std::uint32_t> reads(std::string_view table, std::uint32_t behind) const {
    std::vector<std::uint32_t> indices;
    for (const Expression& one : s_.expressions) {
      if (one.part != Part::Index || one.first < behind || text(one.parts[0]) != table) continue;
      const Expression& index = s_.expressions[one.parts[1]];
      const bool changes = index.written || index.part == Part::Postfix || index.part == Part::Assign ||
                           index.part == Part::Call || text(index).find("++") != std::string::npos ||
                           text(index).find("--") != std::string::npos || text(index).find('=') != std::string::npos ||
                           text(index).find(table) != std::string::npos;
      if (changes || statement_of(one).kind == Statement::Kind::Macro) return {};
      indices.push_back(one.parts[1]);
    }
    return indices.size() <= max_reads ? indices : std::vector<std::uint32_t>();
  }

  void swap(const std::vector<Element>& all, std::size_t k, const std::vector<std::uint32_t>& indices) {
    const Element &a = all[k], &b = all[k + 1];
    if (a.last - a.first != 1 || b.last - b.first != 1) return;
    if (s_.lexemes[a.first].kind != Lexeme::Kind::Number || s_.lexemes[a.first].text == s_.lexemes[b.first].text)
      return;
    SourceEdit edit;
    edit.kind = EditKind::Order;
    edit.cost = edits_.size() < likely_swaps ? 1.1 : 1.5;
    edit.swapped = a.first;
    edit.swapped_with = b.first;
    for (std::size_t r = 0; r < indices.size(); ++r) {
      const std::string index = "(" + text(indices[r]) + ")";
      std::string other = fmt::format("{0} == {1} ? {2} : {0} == {2} ? {1} : {0}", index, k, k + 1);
      if (r == 0) {
        edit.target = indices[r];
        edit.text = std::move(other);
      } else {
        edit.also.push_back({indices[r], std::move(other)});
      }
    }
    edits_.push_back(std::move(edit));
  }
};

}  // namespace

std::vector<SourceEdit> edits_of_tables(const Syntax& syntax) { return Tables(syntax).run(); }

}  // namespace twiddle
