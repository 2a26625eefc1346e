#include "lessons/run/stated_numbers.h"

#include "base/error.h"
#include "base/text.h"
#include "lessons/run/claims.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

namespace twiddle {
namespace {

// In place of something that is checked, or is no prose. No letter and no digit, so that nothing is read across it.
constexpr char hidden = '\x01';

struct Piece {
  std::string text;
  std::vector<int> lines;  // of each byte
};

// The number of an `is` that only reckons: "twelve" of {{is twelve: 3 * 4}}. It asks nothing of the run, and so holds nothing
// against it.
std::string own_arithmetic(std::string_view reference) {
  try {
    const std::optional<Claim> claim = parse_claim(reference);
    if (claim && claim->kind == Claim::Kind::Is && is_arithmetic(*claim)) return claim->words;
  } catch (const Error&) {}  // one that is written wrongly is told of where it is evaluated
  return "";
}

// A paragraph with what it types: words as they are, and the numbers of `literal`.
Piece typed(const std::vector<TextRun>& runs) {
  Piece piece;
  const auto add = [&](std::string_view text, int line) {
    piece.text += text;
    piece.lines.resize(piece.text.size(), line);
  };
  for (const TextRun& run : runs) {
    constexpr std::string_view literal = "literal ";
    if (run.reference && run.text.starts_with(literal))
      add(std::string_view(run.text).substr(literal.size()), run.line);
    else if (const std::string sum = run.reference ? own_arithmetic(run.text) : ""; !sum.empty())
      add(sum, run.line);
    else if (run.reference && run.text.starts_with("true"))
      continue;
    else if (run.reference || run.code)
      add(std::string_view(&hidden, 1), run.line);
    else
      add(run.text, run.line);
  }
  std::replace(piece.text.begin(), piece.text.end(), '\n', ' ');
  return piece;
}

struct Thing {
  std::string_view word, kind;  // kind: empty where it is not named by a number
};

// ---- English ----

constexpr auto english_things = std::to_array<Thing>({
    {"launches", "launch"}, {"launch", "launch"},  {"stages", "stage"}, {"stage", "stage"},  {"work-items", "item"},
    {"items", "item"},      {"work-item", "item"}, {"threads", "item"}, {"thread", "item"},  {"lanes", ""},
    {"lane", ""},           {"work-groups", ""},   {"work-group", ""},  {"sub-groups", ""},  {"sub-group", ""},
    {"groups", ""},         {"group", ""},         {"blocks", ""},      {"butterflies", ""}, {"butterfly", ""},
    {"twiddles", ""},       {"twiddle", ""},       {"banks", "bank"},   {"bank", "bank"},    {"sectors", ""},
    {"sector", ""},         {"rows", ""},          {"row", ""},         {"passes", ""},      {"pass", ""},
    {"barriers", ""},       {"barrier", ""},       {"operations", ""},  {"operation", ""},   {"swaps", ""},
    {"swap", ""},           {"loads", ""},         {"stores", ""},      {"epochs", ""},      {"epoch", ""},
    {"turns", ""},          {"warps", ""},
});
constexpr std::array<std::string_view, 30> number_words = {
    "two",    "three",    "four",     "five",    "six",     "seven",     "eight",    "nine",     "ten",     "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",  "thirty",
    "forty",  "fifty",    "sixty",    "seventy", "eighty",  "ninety",    "hundred",  "thousand", "million", "dozen"};
// Between a number and its thing there may be a word that says which: "four such stages", "all eight idle lanes".
constexpr std::array<std::string_view, 30> never_between = {
    "of",   "in", "to",   "and",  "or",    "for",  "the", "a",    "is",    "are",  "with", "at",   "on", "by", "that",
    "from", "as", "then", "than", "takes", "take", "has", "have", "times", "what", "do",   "does", "s",  "at", "its"};

const Thing* thing_named(std::string_view word) {
  const auto found =
      std::find_if(english_things.begin(), english_things.end(), [&](const Thing& t) { return t.word == word; });
  return found == english_things.end() ? nullptr : &*found;
}

struct SpokenWord {
  std::string text;  // in small letters
  std::size_t begin = 0, end = 0;
};

bool of_word(char c) { return is_letter(c) || is_digit(c); }

// Words and numbers, with hyphens and decimal points inside them.
std::vector<SpokenWord> words_in(std::string_view text) {
  std::vector<SpokenWord> words;
  for (std::size_t at = 0; at < text.size();) {
    if (!of_word(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() &&
           (of_word(text[end]) ||
            ((text[end] == '-' || text[end] == ',' || text[end] == '.' || text[end] == '^') && end + 1 < text.size() &&
             of_word(text[end + 1]) && (text[end] == '-' || is_digit(text[end + 1])))))
      ++end;
    SpokenWord word{std::string(text.substr(at, end - at)), at, end};
    std::transform(word.text.begin(), word.text.end(), word.text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    words.push_back(std::move(word));
    at = end;
  }
  return words;
}

// A whole number from two up that is typed, "four" or "1,024"; 0: none.
std::uint64_t whole_from_two(std::string_view word) {
  const bool digits = std::all_of(word.begin(), word.end(), [](char c) { return is_digit(c) || c == ','; });
  const auto numeral = [](std::string_view part) {
    return std::find(number_words.begin(), number_words.end(), part) != number_words.end();
  };
  const std::size_t hyphen = word.find('-');  // "twenty-four", not "two-dimensional"
  const bool words =
      numeral(word.substr(0, hyphen)) && (hyphen == std::string_view::npos || numeral(word.substr(hyphen + 1)));
  if (!digits && !words) return 0;
  if (word == "dozen") return 12;
  const auto number = number_in_words(word);
  if (!number || number->value < 2 || number->value > 1e15 || number->value != std::floor(number->value)) return 0;
  return static_cast<std::uint64_t>(number->value);
}

// Finds them word by word.
class EnglishNumbers {
 public:
  EnglishNumbers(const Piece& piece, std::vector<StatedNumber>& found)
      : piece_(piece), text_(piece.text), words_(words_in(text_)), found_(found) {}

  void find() {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      if (part_of(w)) continue;
      if (number(w) == 0) continue;
      if (w > 0 && near(w - 1, w)) {
        const std::string& before = words_[w - 1].text;
        if (const Thing* thing = thing_named(before); thing && !thing->kind.empty()) {
          w = add_names(*thing, w - 1);
          continue;
        }
        // "No two butterflies", "one or two stages", "blocks 2 to 4": nothing is counted.
        if (before == "no" || before == "or" || before == "to" || thing_named(before)) continue;
      }
      if (words_[w].begin > 0 && (before(w) == '^' || before(w) == '/' || before(w) == '-')) continue;
      if (!counted_before(w) && !counted_of(w)) counted_after(w);
    }
  }

 private:
  std::uint64_t number(std::size_t w) const { return whole_from_two(words_[w].text); }
  char before(std::size_t w) const { return text_[words_[w].begin - 1]; }
  // Only blanks between two words: no comma, no hidden part, no bracket.
  bool near(std::size_t a, std::size_t b) const {
    return trimmed(text_.substr(words_[a].end, words_[b].begin - words_[a].end)).empty();
  }
  void add(StatedNumber::Kind kind, std::size_t first, std::size_t last, std::size_t at, std::string_view thing) {
    found_.push_back({kind, std::string(text_.substr(words_[first].begin, words_[last].end - words_[first].begin)),
                      std::string(thing), number(at), piece_.lines[words_[first].begin]});
  }

  // "Stage 3"; of "stages 3, 5 and 7" each. The last word of them.
  std::size_t add_names(const Thing& thing, std::size_t first) {
    std::size_t last = first + 1;
    add(StatedNumber::Kind::Name, first, last, last, thing.kind);
    for (std::size_t next = last + 1; next < words_.size(); ++next) {
      const std::string_view gap = text_.substr(words_[next - 1].end, words_[next].begin - words_[next - 1].end);
      if (gap.find_first_not_of(" ,") != std::string_view::npos) break;
      const std::string& word = words_[next].text;
      if (word == "and" || word == "or" || word == "to") continue;
      if (number(next) == 0) break;
      // "in stage 3, eight butterflies": a number of its own.
      if (next + 1 < words_.size() && near(next, next + 1) && thing_named(words_[next + 1].text)) break;
      add(StatedNumber::Kind::Name, next, next, next, thing.kind);
      last = next;
    }
    return last;
  }

  // "Four butterflies", "all eight idle lanes", "twelve small green butterflies".
  bool counted_before(std::size_t w) {
    for (std::size_t next = w + 1; next < words_.size() && next <= w + 3; ++next) {
      if (!near(next - 1, next)) return false;
      const std::string& word = words_[next].text;
      if (thing_named(word)) {
        add(StatedNumber::Kind::Count, w, next, w, "");
        return true;
      }
      if (number(next) != 0 || std::find(never_between.begin(), never_between.end(), word) != never_between.end())
        return false;
    }
    return false;
  }

  // "Five of the launches"; of "two of them" it is not known what they are.
  bool counted_of(std::size_t w) {
    if (w + 3 >= words_.size() || words_[w + 1].text != "of" || !near(w, w + 1) || !near(w + 1, w + 2)) return false;
    constexpr std::array<std::string_view, 6> these = {"the", "its", "their", "these", "those", "all"};
    if (std::find(these.begin(), these.end(), words_[w + 2].text) == these.end()) return false;
    if (!near(w + 2, w + 3) || !thing_named(words_[w + 3].text)) return false;
    add(StatedNumber::Kind::Count, w, w + 3, w, "");
    return true;
  }

  // "Half of the lanes", "half the stages", "three quarters of all work-items".
  bool part_of(std::size_t w) {
    constexpr std::array<std::string_view, 5> parts = {"half", "third", "thirds", "quarter", "quarters"};
    if (std::find(parts.begin(), parts.end(), words_[w].text) == parts.end()) return false;
    std::size_t next = w + 1;
    if (next < words_.size() && words_[next].text == "of")
      ++next;
    else if (words_[w].text != "half")
      return false;
    constexpr std::array<std::string_view, 6> these = {"the", "its", "their", "these", "those", "all"};
    if (next + 1 >= words_.size() || std::find(these.begin(), these.end(), words_[next].text) == these.end())
      return false;
    // Several things: half of the block is half of one.
    const std::string& thing = words_[next + 1].text;
    if (!thing_named(thing) || !thing.ends_with('s') || thing == "pass") return false;
    for (std::size_t at = w; at <= next; ++at)
      if (!near(at, at + 1)) return false;
    add(StatedNumber::Kind::Count, w, next + 1, w, "");
    return true;
  }

  // "The number of butterflies is forty", "launches: seven."
  void counted_after(std::size_t w) {
    if (w == 0) return;
    const bool says = words_[w - 1].text == "is" || words_[w - 1].text == "are";
    const std::size_t thing = says ? w - 2 : w - 1;
    if ((says && w < 4) || !thing_named(words_[thing].text)) return;
    if (says) {
      if (words_[w - 4].text != "number" || words_[w - 3].text != "of" || !near(w - 4, w - 3) || !near(w - 3, w - 2) ||
          !near(w - 2, w - 1) || !near(w - 1, w))
        return;
      return add(StatedNumber::Kind::Count, thing, w, w, "");
    }
    const std::string_view gap = trimmed(text_.substr(words_[thing].end, words_[w].begin - words_[thing].end));
    const std::string_view after = text_.substr(words_[w].end);
    if (gap == ":" && (after.empty() || after[0] == '.' || after[0] == ',' || after[0] == ';'))
      add(StatedNumber::Kind::Count, thing, w, w, "");
  }

  const Piece& piece_;
  std::string_view text_;
  std::vector<SpokenWord> words_;
  std::vector<StatedNumber>& found_;
};

// ---- Japanese and Chinese ----

struct Characters {
  std::span<const std::string_view> counters;   // after a number: 個, つ, 个
  std::span<const Thing> things;                // longest first where one begins with another
  std::span<const std::string_view> particles;  // between a thing and its number: は, が
  std::string_view before_name;                 // 第
};

constexpr std::array<std::string_view, 7> japanese_counters = {"つ", "個", "回", "本", "行", "段", "組"};
constexpr std::array<std::string_view, 6> japanese_particles = {"は", "が", "を", "も", "に", "、"};
constexpr std::array<Thing, 20> japanese = {{{"ワークアイテム", "item"},
                                             {"ワークグループ", ""},
                                             {"サブグループ", ""},
                                             {"グループ", ""},
                                             {"スレッド", "item"},
                                             {"レーン", ""},
                                             {"ステージ", "stage"},
                                             {"起動", "launch"},
                                             {"バタフライ", ""},
                                             {"回転因子", ""},
                                             {"バンク", "bank"},
                                             {"セクター", ""},
                                             {"セクタ", ""},
                                             {"バリア", ""},
                                             {"パス", ""},
                                             {"エポック", ""},
                                             {"ブロック", ""},
                                             {"操作", ""},
                                             {"交換", ""},
                                             {"ターン", ""}}};
constexpr std::array<std::string_view, 9> chinese_counters = {"个", "次", "组", "级", "行", "趟", "遍", "条", "轮"};
constexpr std::array<std::string_view, 3> chinese_particles = {"有", "是", "为"};
constexpr std::array<Thing, 18> chinese = {{{"工作项", "item"},
                                            {"工作组", ""},
                                            {"子组", ""},
                                            {"线程", "item"},
                                            {"通道", ""},
                                            {"级", "stage"},
                                            {"阶段", "stage"},
                                            {"启动", "launch"},
                                            {"蝶形", ""},
                                            {"旋转因子", ""},
                                            {"存储体", "bank"},
                                            {"扇区", ""},
                                            {"屏障", ""},
                                            {"区段", ""},
                                            {"块", ""},
                                            {"操作", ""},
                                            {"交换", ""},
                                            {"轮", ""}}};

constexpr std::array<std::string_view, 15> digits_of_han = {"〇", "零", "一", "二", "两", "三", "四", "五",
                                                            "六", "七", "八", "九", "十", "百", "千"};

// The length of a number at the beginning of a text, "二十四" or "1,024"; 0: none.
std::size_t number_at(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() &&
         (is_digit(text[end]) || (end > 0 && text[end] == ',' && end + 1 < text.size() && is_digit(text[end + 1]))))
    ++end;
  if (end > 0) return end < text.size() && (text[end] == '.' || text[end] == '^') ? 0 : end;
  for (bool more = true; more;) {
    more = false;
    for (const std::string_view digit : digits_of_han)
      if (text.substr(end).starts_with(digit)) {
        end += digit.size();
        more = true;
      }
  }
  return end;
}

std::size_t blanks(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && text[count] == ' ') ++count;
  return count;
}

const Thing* thing_at(std::string_view text, std::span<const Thing> things) {
  const auto found =
      std::find_if(things.begin(), things.end(), [&](const Thing& t) { return text.starts_with(t.word); });
  return found == things.end() ? nullptr : &*found;
}

std::size_t one_of(std::string_view text, std::span<const std::string_view> words) {
  const auto found = std::find_if(words.begin(), words.end(), [&](std::string_view w) { return text.starts_with(w); });
  return found == words.end() ? 0 : found->size();
}

std::uint64_t value_of(std::string_view words) {
  const auto number = number_in_words(words);
  return number && number->value >= 2 && number->value < 1e15 ? static_cast<std::uint64_t>(number->value) : 0;
}

// A mark that ends a sentence or a part of it, or a word of one character that does.
bool is_end(std::string_view text) {
  constexpr std::array<std::string_view, 12> ends = {"。", "、", "，", "；", "：", "）",
                                                     "で", "に", "あ", "だ", "要", "を"};
  return one_of(text, ends) > 0;
}

// Where a part, "半分", "一半", "4分の1", "三分之一", ends that begins at `at`; 0: there is none.
std::size_t end_of_part(std::string_view text, std::size_t at) {
  constexpr std::array<std::string_view, 2> halves = {"半分", "一半"};
  if (const std::size_t half = one_of(text.substr(at), halves)) return at + half;
  const std::size_t below = number_at(text.substr(at));
  if (below == 0) return 0;
  std::size_t next = at + below;
  next += blanks(text.substr(next));
  constexpr std::array<std::string_view, 2> between = {"分の", "分之"};
  const std::size_t sign = one_of(text.substr(next), between);
  if (sign == 0) return 0;
  next += sign;
  next += blanks(text.substr(next));
  const std::size_t above = number_at(text.substr(next));
  return above == 0 ? 0 : next + above;
}

// The end of a part and what it is of, in either order; 0: there is none. Only of work-items: "子组的一半", "ブロックの半分" may
// be half of one.
std::size_t part_at(std::string_view text, std::size_t at, std::span<const Thing> things) {
  constexpr std::array<std::string_view, 2> of = {"の", "的"};
  const auto item_at = [&](std::size_t place) {
    const Thing* thing = thing_at(text.substr(place), things);
    return thing && thing->kind == "item" ? thing : nullptr;
  };
  if (const Thing* thing = item_at(at)) {
    const std::size_t next = at + thing->word.size(), particle = one_of(text.substr(next), of);
    return particle == 0 ? 0 : end_of_part(text, next + particle);
  }
  const std::size_t end = end_of_part(text, at);
  if (end == 0) return 0;
  const std::size_t next = end + one_of(text.substr(end), of);
  const Thing* thing = item_at(next);
  return thing ? next + thing->word.size() : 0;
}

void find_characters(const Piece& piece, const Characters& language, std::vector<StatedNumber>& found) {
  const std::string_view text = piece.text;
  const auto add = [&](StatedNumber::Kind kind, std::size_t begin, std::size_t end, std::uint64_t number,
                       std::string_view thing) {
    found.push_back(
        {kind, std::string(text.substr(begin, end - begin)), std::string(thing), number, piece.lines[begin]});
  };
  for (std::size_t at = 0; at < text.size();) {
    // A part of things: "半分のスレッド", "ワークアイテムの半分", "三分之一的线程", "一半工作项".
    if (const std::size_t end = part_at(text, at, language.things)) {
      add(StatedNumber::Kind::Count, at, end, 0, "");
      at = end;
      continue;
    }
    // A thing and its number: "ステージ3", "第 3 级" is below; "起動は2回".
    if (const Thing* thing = thing_at(text.substr(at), language.things)) {
      std::size_t next = at + thing->word.size();
      const std::size_t particle = one_of(text.substr(next), language.particles);
      std::size_t begin = next + particle;
      begin += blanks(text.substr(begin));
      const std::size_t length = number_at(text.substr(begin));
      const std::uint64_t number = length > 0 ? value_of(text.substr(begin, length)) : 0;
      std::size_t after = begin + length;
      after += blanks(text.substr(after));
      const std::size_t counter = one_of(text.substr(after), language.counters);
      if (number != 0 && particle == 0 && counter == 0 && !thing->kind.empty() && is_digit(text[begin])) {
        add(StatedNumber::Kind::Name, at, begin + length, number, thing->kind);
        at = begin + length;
        continue;
      }
      // What follows at once is what is counted: "サブグループが32個のGPU", "工作项有两个编号".
      const std::string_view behind = text.substr(std::min(text.size(), after + counter));
      const bool ends = behind.empty() || behind[0] == ' ' || behind[0] == hidden || is_end(behind);
      if (number != 0 && particle != 0 && counter != 0 && ends) {
        add(StatedNumber::Kind::Count, at, after + counter, number, "");
        at = after + counter;
        continue;
      }
      at = next;
      continue;
    }
    const std::size_t length = number_at(text.substr(at));
    if (length == 0) {
      ++at;
      while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
      continue;
    }
    const std::uint64_t number = value_of(text.substr(at, length));
    const std::size_t begin = at;
    at += length;
    // A power, a fraction or a decimal: "2^20", "1/2", "0.5".
    const char before = begin > 0 ? text[begin - 1] : ' ';
    if (number == 0 || before == '^' || before == '/' || before == '.') continue;
    const std::string_view lead = text.substr(0, begin);
    if (lead.ends_with("哪") || lead.ends_with("どの")) continue;  // "which two": a question counts nothing
    const bool named =
        !language.before_name.empty() && (lead.ends_with(language.before_name) ||
                                          (lead.ends_with(' ') && trimmed(lead).ends_with(language.before_name)));
    std::size_t next = at + blanks(text.substr(at));
    if (named) {
      if (const Thing* thing = thing_at(text.substr(next), language.things); thing && !thing->kind.empty())
        add(StatedNumber::Kind::Name, begin, next + thing->word.size(), number, thing->kind);
      continue;
    }
    if (const Thing* thing = thing_at(text.substr(next), language.things)) {
      add(StatedNumber::Kind::Count, begin, next + thing->word.size(), number, "");
      continue;
    }
    const std::size_t counter = one_of(text.substr(next), language.counters);
    if (counter == 0) continue;
    next += counter;
    if (text.substr(next).starts_with("の")) next += std::string_view("の").size();
    if (const Thing* thing = thing_at(text.substr(next), language.things))
      add(StatedNumber::Kind::Count, begin, next + thing->word.size(), number, "");
  }
}

}  // namespace

std::vector<StatedNumber> stated_numbers(const std::vector<TextRun>& text, std::string_view language) {
  const Piece piece = typed(text);
  std::vector<StatedNumber> found;
  if (language == "ja")
    find_characters(piece, {japanese_counters, japanese, japanese_particles, ""}, found);
  else if (language == "zh")
    find_characters(piece, {chinese_counters, chinese, chinese_particles, "第"}, found);
  else
    EnglishNumbers(piece, found).find();
  return found;
}

bool speaks_of_figure(const std::vector<TextRun>& text) {
  constexpr std::array<std::string_view, 4> figure = {"figure", "Figure", "図", "图"};
  return std::any_of(text.begin(), text.end(), [&](const TextRun& run) {
    if (run.reference) return !run.text.starts_with("literal ") && !run.text.starts_with("elsewhere ");
    return !run.code && std::any_of(figure.begin(), figure.end(),
                                    [&](std::string_view word) { return run.text.find(word) != std::string::npos; });
  });
}

bool has_named(const StatedNumber& name, const TraceInfo& info) {
  if (name.thing == "bank") return name.number < bank_count;
  if (name.thing == "launch") return name.number <= info.launches.size();
  if (name.thing == "stage")
    return std::any_of(info.segments.begin(), info.segments.end(), [&](const Segment& segment) {
      return segment.stage >= 0 && static_cast<std::uint64_t>(segment.stage) >= name.number;
    });
  return std::any_of(info.launches.begin(), info.launches.end(),
                     [&](const LaunchInfo& launch) { return name.number < launch.items(); });
}

}  // namespace twiddle
