#include "tracer/repair/edits/likeness.h"

#include <algorithm>

namespace twiddle {
namespace {

std::string three(std::string_view a, std::string_view b, std::string_view c) {
  return std::string(a) + '\n' + std::string(b) + '\n' + std::string(c);
}

}  // namespace

Likeness::Likeness(const Syntax& syntax) : s_(syntax) {
  for (std::size_t k = 0; k + 2 < s_.lexemes.size(); ++k)
    ++known_[three(s_.lexemes[k].text, s_.lexemes[k + 1].text, s_.lexemes[k + 2].text)];
}

double Likeness::of(const SourceEdit& edit) const {
  if (edit.place != SourceEdit::Place::Expression || edit.swapped_with > 0) return 0;
  const Expression& one = s_.expressions[edit.target];
  const std::size_t first = one.first >= 2 ? one.first - 2 : 0;
  const std::size_t last = std::min<std::size_t>(one.last + 2, s_.lexemes.size());
  std::vector<std::string_view> was, is;
  for (std::size_t k = first; k < last; ++k) was.push_back(s_.lexemes[k].text);
  for (std::size_t k = first; k < one.first; ++k) is.push_back(s_.lexemes[k].text);
  const std::vector<Lexeme> words = lexemes_of(edit.text);
  for (const Lexeme& word : words) is.push_back(word.text);
  for (std::size_t k = one.last; k < last; ++k) is.push_back(s_.lexemes[k].text);
  return share(is, 0) - share(was, 1);
}

double Likeness::share(const std::vector<std::string_view>& words, int own) const {
  if (words.size() < 3) return 0;
  std::size_t seen = 0;
  for (std::size_t k = 0; k + 2 < words.size(); ++k) {
    const auto found = known_.find(three(words[k], words[k + 1], words[k + 2]));
    seen += found != known_.end() && found->second > own;
  }
  return static_cast<double>(seen) / static_cast<double>(words.size() - 2);
}

}  // namespace twiddle
