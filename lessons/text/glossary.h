// The glossary (docs/glossary.md): one term a concept, in the languages of the course.
#pragma once

#include "lessons/text/lesson.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

struct Term {
  std::string id;                    // "bit-reversal", of an address
  std::array<std::string, 3> words;  // English, Japanese and Chinese, as the table has them: "work-item (thread)"

  /// "bit reversal · ビット逆順（ビットリバース） · 位反转重排（…）"
  std::string in_all() const;
};

/// All of them, in the file's order; empty where the file is not there.
const std::vector<Term>& glossary();

/// The terms of a table in Markdown: rows of three cells after its head.
std::vector<Term> parse_glossary(std::string_view markdown);

/// Where a term is in running text.
struct TermPlace {
  std::size_t at = 0, length = 0;  // bytes
  const Term* term = nullptr;
};

/// Finds terms in running text of a language: the longest at each place, whole words only, and none that is an everyday word as
/// well ("turn", "pass"), nor what a glossary has in brackets. `terms` must outlive it.
class TermFinder {
 public:
  explicit TermFinder(std::string_view language, const std::vector<Term>& terms = glossary());
  /// In order; none overlaps another.
  std::vector<TermPlace> find(std::string_view text) const;

 private:
  struct Form {
    std::string words;
    const Term* term;
  };
  std::vector<Form> forms_;  // the longest first
  bool english_;
};

/// The terms that a text of a language has, each where it is met first: as runs of their own, with `term`. Not in code, in
/// references, in links, nor in italics, which are titles and words meant in another sense.
std::vector<TextBlock> with_terms(const std::vector<TextBlock>& blocks, std::string_view language);

/// The term that some words of a lesson are: one of its forms, in the singular or with an s; null: none.
const Term* term_of(std::string_view words, std::string_view language, const std::vector<Term>& terms = glossary());

}  // namespace twiddle
