#include "lessons/text/glossary.h"

#include "base/error.h"
#include "base/paths.h"
#include "base/read_file.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace twiddle {
namespace {

constexpr std::size_t max_glossary = 1 << 18, max_terms = 500;

std::string id_of(std::string_view english) {
  std::string id;
  for (const char c : english) {
    if (is_letter(c) || is_digit(c))
      id += lower_case(c);
    else if (!id.empty() && id.back() != '-')
      id += '-';
  }
  while (id.ends_with('-')) id.pop_back();
  return id;
}

// "work-item (thread)", "host, device" and "漏れ（リーケージ）、窓関数" as the single forms in them.
std::vector<std::string> forms_of(std::string_view cell) {
  constexpr std::array<std::string_view, 10> between = {",", ";", "/", "(", ")", "、", "，", "／", "（", "）"};
  std::vector<std::string> forms(1);
  while (!cell.empty()) {
    const auto sign =
        std::find_if(between.begin(), between.end(), [&](std::string_view one) { return cell.starts_with(one); });
    if (sign == between.end()) {
      forms.back() += cell.front();
      cell.remove_prefix(1);
    } else {
      forms.emplace_back();
      cell.remove_prefix(sign->size());
    }
  }
  for (std::string& form : forms) form = lower_case(trimmed(form));
  std::erase(forms, "");
  return forms;
}

}  // namespace

std::string Term::in_all() const { return fmt::format("{} · {} · {}", words[0], words[1], words[2]); }

std::vector<Term> parse_glossary(std::string_view markdown) {
  std::vector<Term> terms;
  bool table = false;
  while (!markdown.empty() && terms.size() < max_terms) {
    const std::size_t end = std::min(markdown.find('\n'), markdown.size());
    std::string_view line = trimmed(markdown.substr(0, end));
    markdown.remove_prefix(std::min(markdown.size(), end + 1));
    if (!line.starts_with('|')) continue;
    if (line.starts_with("|---")) {
      table = true;
      continue;
    }
    Term term;
    line.remove_prefix(1);
    std::size_t cells = 0;
    for (; cells < term.words.size() && !line.empty(); ++cells) {
      const std::size_t bar = std::min(line.find('|'), line.size());
      term.words[cells] = trimmed(line.substr(0, bar));
      line.remove_prefix(std::min(line.size(), bar + 1));
    }
    term.id = id_of(term.words[0]);
    if (table && cells == term.words.size() && !term.id.empty()) terms.push_back(std::move(term));
  }
  return terms;
}

const std::vector<Term>& glossary() {
  static const std::vector<Term> terms = [] {
    try {
      return parse_glossary(read_file(resource("docs") / "glossary.md", max_glossary));
    } catch (const Error&) { return std::vector<Term>(); }
  }();
  return terms;
}

namespace {

// The forms of a cell that are not in brackets: those may be met in books, and mean other things besides.
std::string outside_brackets(std::string_view cell) {
  std::string out;
  int depth = 0;
  while (!cell.empty()) {
    const std::size_t wide = cell.starts_with("（") || cell.starts_with("）") ? 3 : 1;
    const std::string_view sign = cell.substr(0, wide);
    if (sign == "(" || sign == "（") ++depth;
    if (depth == 0) out += sign;
    if ((sign == ")" || sign == "）") && depth > 0) --depth;
    cell.remove_prefix(wide);
  }
  return out;
}

// Forms that a text uses in their everyday sense, too: only what is bold is meant as a term.
constexpr std::array<std::string_view, 28> everyday = {
    "pass",   "turn",         "step",     "position", "waiting", "active", "window", "fix",  "repair", "access",
    "replay", "in frequency", "ステップ", "位置",     "待機",    "動作中", "漏れ",   "再生", "パス",   "ターン",
    "指摘",   "アクセス",     "段",       "等待",     "活动",    "问题",   "访存",   "回放"};

std::size_t letters_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

bool in_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; }

// Katakana and its long vowel: a word of it goes on as long as they do.
bool begins_with_katakana(std::string_view text) {
  return text.size() >= 3 && text[0] == '\xE3' &&
         ((text[1] == '\x82' && text[2] >= '\xA1') || (text[1] == '\x83' && text[2] != '\xBB'));
}

}  // namespace

TermFinder::TermFinder(std::string_view language, const std::vector<Term>& terms)
    : english_(language != "ja" && language != "zh") {
  const std::size_t column = language == "ja" ? 1 : language == "zh" ? 2 : 0;
  for (const Term& term : terms)
    for (const std::string& form : forms_of(outside_brackets(term.words[column]))) {
      if (std::find(everyday.begin(), everyday.end(), form) != everyday.end() || letters_in(form) < 2) continue;
      forms_.push_back({form, &term});
      if (english_ && form.ends_with('y')) forms_.push_back({form.substr(0, form.size() - 1) + "ies", &term});
      if (english_) forms_.push_back({form + "s", &term});
    }
  std::stable_sort(forms_.begin(), forms_.end(),
                   [](const Form& a, const Form& b) { return a.words.size() > b.words.size(); });
}

std::vector<TermPlace> TermFinder::find(std::string_view text) const {
  const std::string small_text = lower_case(text);
  const std::string_view all = small_text;
  const auto whole = [&](std::size_t at, std::size_t end) {
    if (english_) return (at == 0 || !in_word(all[at - 1])) && (end == all.size() || !in_word(all[end]));
    if (begins_with_katakana(all.substr(at)) && at >= 3 && begins_with_katakana(all.substr(at - 3, 3))) return false;
    return !(end >= 3 && begins_with_katakana(all.substr(end - 3, 3)) && begins_with_katakana(all.substr(end)));
  };
  std::vector<TermPlace> places;
  for (std::size_t at = 0; at < all.size();) {
    const auto form = std::find_if(forms_.begin(), forms_.end(), [&](const Form& one) {
      return all.substr(at).starts_with(one.words) && whole(at, at + one.words.size());
    });
    // The program's name is no term.
    const bool named = text.substr(at).starts_with("Twiddle") && form != forms_.end() && form->words == "twiddle";
    if (form == forms_.end() || named) {
      ++at;
      continue;
    }
    places.push_back({at, form->words.size(), form->term});
    at += form->words.size();
  }
  return places;
}

const Term* term_of(std::string_view words, std::string_view language, const std::vector<Term>& terms) {
  const std::size_t column = language == "ja" ? 1 : language == "zh" ? 2 : 0;
  std::string wanted = lower_case(trimmed(words));
  if (wanted.empty()) return nullptr;
  std::vector<std::string> tries = {wanted};
  if (column == 0 && wanted.ends_with('s')) tries.push_back(wanted.substr(0, wanted.size() - 1));
  for (const Term& term : terms)
    for (const std::string& form : forms_of(term.words[column]))
      for (const std::string& one : tries)
        if (form == one) return &term;
  return nullptr;
}

std::vector<TextBlock> with_terms(const std::vector<TextBlock>& blocks, std::string_view language) {
  const TermFinder finder(language);
  std::set<std::string> met;
  std::vector<TextBlock> out = blocks;
  for (TextBlock& block : out) {
    if (block.is_set()) continue;
    std::vector<TextRun> runs;
    for (const TextRun& run : block.runs) {
      if (run.code || run.reference || run.emphasis || !run.link.empty()) {
        runs.push_back(run);
        continue;
      }
      if (const Term* term = run.strong ? term_of(run.text, language) : nullptr) {
        runs.push_back(run);
        if (met.insert(term->id).second) runs.back().term = term->in_all();
        continue;
      }
      std::size_t done = 0;
      const auto put = [&](std::size_t end, const std::string& term) {
        if (end == done) return;
        TextRun part = run;
        part.text = run.text.substr(done, end - done);
        part.term = term;
        runs.push_back(std::move(part));
        done = end;
      };
      for (const TermPlace& place : finder.find(run.text)) {
        if (!met.insert(place.term->id).second) continue;
        put(place.at, {});
        put(place.at + place.length, place.term->in_all());
      }
      put(run.text.size(), {});
    }
    block.runs = std::move(runs);
  }
  return out;
}

}  // namespace twiddle
