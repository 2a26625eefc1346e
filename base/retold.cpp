#include "base/retold.h"

#include "base/tr.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace twiddle {
namespace {

constexpr int deepest = 6;                 // sentences within sentences
constexpr std::size_t longest = 1 << 14;   // of what is looked at: a compiler's log is no sentence
constexpr std::size_t enough_letters = 8;  // of a text's own: fewer fit by chance
constexpr std::size_t sure_letters = 16;   // so many fit once
constexpr std::size_t least_letters = 4;   // where a part of the sentence is known, too

/// A text in pieces: words, place, words, place, …, words. Numbers say what fills a place.
struct Pieces {
  std::vector<std::string> words;
  std::vector<std::size_t> places;

  std::size_t letters() const {
    std::size_t count = 0;
    for (const std::string& piece : words)
      count += static_cast<std::size_t>(std::count_if(piece.begin(), piece.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      }));
    return count;
  }
};

/// As fmt reads it: "{}", "{1}", "{:.3f}", "{{"; nothing where it is no such text.
std::optional<Pieces> pieces_of(std::string_view text) {
  Pieces pieces{{{}}, {}};
  std::size_t next = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c != '{' && c != '}') {
      pieces.words.back() += c;
      continue;
    }
    if (at + 1 < text.size() && text[at + 1] == c) {
      pieces.words.back() += c;
      ++at;
      continue;
    }
    const std::size_t end = text.find('}', at);
    if (c == '}' || end == std::string_view::npos) return std::nullopt;
    const std::string_view inside = text.substr(at + 1, end - at - 1);
    std::size_t number = next;
    if (const std::string_view digits = inside.substr(0, inside.find(':')); digits.empty())
      ++next;
    else if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc())
      return std::nullopt;
    pieces.places.push_back(number);
    pieces.words.emplace_back();
    at = end;
  }
  return pieces;
}

struct Text {
  Pieces english, told;
  std::size_t letters = 0;
};

using SentenceCatalogue = std::vector<Text>;  // those with the most letters first

const SentenceCatalogue& catalogue_of(const TextsOfALanguage& texts) {
  static std::mutex mutex;
  static std::map<const TextsOfALanguage*, std::unique_ptr<const SentenceCatalogue>> made;
  const std::lock_guard lock(mutex);
  std::unique_ptr<const SentenceCatalogue>& known = made[&texts];
  if (known) return *known;
  SentenceCatalogue catalogue;
  for (const auto& [english, told] : texts) {
    std::optional<Pieces> from = pieces_of(english), to = pieces_of(told);
    if (!from || !to || from->places.empty()) continue;
    const auto unknown = [&](std::size_t number) {
      return std::find(from->places.begin(), from->places.end(), number) == from->places.end();
    };
    const std::size_t letters = from->letters();
    if (letters < least_letters || std::any_of(to->places.begin(), to->places.end(), unknown)) continue;
    catalogue.push_back({std::move(*from), std::move(*to), letters});
  }
  std::stable_sort(catalogue.begin(), catalogue.end(),
                   [](const Text& a, const Text& b) { return a.letters > b.letters; });
  known = std::make_unique<const SentenceCatalogue>(std::move(catalogue));
  return *known;
}

/// Whether every parenthesis is closed in it, as in anything that is whole.
bool whole_in_itself(std::string_view part) {
  int open = 0;
  for (const char c : part) {
    open += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (open < 0) return false;
  }
  return open == 0;
}

/// What fills the places, by their numbers; nothing where the text does not fit.
std::optional<std::map<std::size_t, std::string_view>> filling(const Pieces& text, std::string_view sentence) {
  const std::vector<std::string>& words = text.words;
  if (!sentence.starts_with(words.front())) return std::nullopt;
  sentence.remove_prefix(words.front().size());
  if (!sentence.ends_with(words.back())) return std::nullopt;
  sentence.remove_suffix(words.back().size());
  std::map<std::size_t, std::string_view> filled;
  for (std::size_t i = 0; i < text.places.size(); ++i) {
    const bool last = i + 1 == text.places.size();
    std::size_t end = last ? sentence.size() : sentence.find(words[i + 1]);
    if (end == std::string_view::npos) return std::nullopt;
    if (!last && words[i + 1].empty()) {  // "{}{}": a name, and what is added to it after a comma
      const std::string_view both =
          sentence.substr(0, i + 2 < words.size() - 1 ? sentence.find(words[i + 2]) : sentence.size());
      end = std::min(both.find_first_of(",;"), both.size());
    }
    const std::string_view part = sentence.substr(0, end);
    if (!whole_in_itself(part)) return std::nullopt;
    if (const auto [at, first] = filled.emplace(text.places[i], part); !first && at->second != part)
      return std::nullopt;
    sentence.remove_prefix(last ? end : end + words[i + 1].size());
  }
  return filled;
}

/// A sentence told again, and how many letters of it were understood; 0: it stands as it was.
struct Told {
  std::string text;
  std::size_t letters = 0;
};

/// Tells one sentence and what is in it.
class Teller {
 public:
  explicit Teller(const SentenceCatalogue& catalogue) : catalogue_(catalogue) {}

  Told told(std::string_view sentence, int depth = 0) {
    Told unknown{std::string(sentence)};
    const bool phrase = sentence.find(' ') != std::string_view::npos;
    // Names of buffers and kernels may be words of the interface: of what fills a place, only phrases are looked up.
    if (depth == 0 || phrase)
      if (const char* known = tr(unknown.text.c_str()); known != unknown.text) return {known, sentence.size()};
    if (!phrase || depth > deepest) return unknown;
    // "mine.cu:7: …": the place stays where it stands.
    if (const std::size_t name = sentence.find(": "); name < sentence.find(' '))
      if (const Told rest = told(sentence.substr(name + 2), depth + 1); rest.letters > 0)
        return {unknown.text.substr(0, name + 2) + rest.text, rest.letters};
    if (Told known = by_a_text(sentence, depth); known.letters > 0) return known;
    // "a name with spaces: …", "…; did you mean ramp?": what goes before is a name, or unknown.
    for (std::size_t at = sentence.find_first_of(":;"); at != std::string_view::npos;
         at = sentence.find_first_of(":;", at + 1)) {
      if (sentence.substr(at + 1, 1) != " ") continue;
      const std::string rest(sentence.substr(at + 2));
      if (const char* known = tr(rest.c_str()); known != rest)
        return {unknown.text.substr(0, at + 2) + known, rest.size()};
      if (const Told known = by_a_text(rest, depth); known.letters > 0)
        return {unknown.text.substr(0, at + 2) + known.text, known.letters};
      if (const Told known = by_a_text(sentence.substr(at), depth); known.letters > 0) {
        const Told before = told(sentence.substr(0, at), depth + 1);
        return {before.text + known.text, before.letters + known.letters};
      }
    }
    return unknown;
  }

 private:
  const SentenceCatalogue& catalogue_;
  int left_ = 200;  // texts to try to fill: a sentence may come from a file, and be made to fit many

  /// The text with the most letters of its own; of those with few the one that, with what stands in it, explains most.
  Told by_a_text(std::string_view sentence, int depth) {
    Told best;
    for (const Text& text : catalogue_) {
      const auto filled = filling(text.english, sentence);
      if (!filled) continue;
      if (--left_ < 0) break;
      std::size_t letters = 0;
      std::map<std::size_t, std::string> parts;
      for (const auto& [number, part] : *filled) {
        Told one = told(part, depth + 1);
        letters += one.letters;
        parts[number] = std::move(one.text);
      }
      if (text.letters < enough_letters && letters == 0) continue;
      letters += text.letters;
      if (letters > best.letters) {
        best = {text.told.words.front(), letters};
        for (std::size_t i = 0; i < text.told.places.size(); ++i)
          best.text += parts[text.told.places[i]] + text.told.words[i + 1];
      }
      if (text.letters >= sure_letters) break;
    }
    return best;
  }
};

}  // namespace

std::string retold(std::string_view sentence) {
  const TextsOfALanguage* texts = spoken_texts();
  if (!texts || texts->empty() || sentence.size() > longest) return std::string(sentence);
  return Teller(catalogue_of(*texts)).told(sentence).text;
}

}  // namespace twiddle
