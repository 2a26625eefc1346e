// The glossary (docs/glossary.md): one term a concept, in the languages of the course.
#pragma once

#include <array>
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

/// The term that some words of a lesson are: one of its forms, in the singular or with an s; null: none.
const Term* term_of(std::string_view words, std::string_view language, const std::vector<Term>& terms = glossary());

}  // namespace twiddle
