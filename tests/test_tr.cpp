// The interface in three languages: catalogues are read safely, switched while running, complete, and say the same.
#include "base/paths.h"
#include "base/say.h"
#include "viewer/keys.h"
#include "viewer/languages.h"
#include "viewer/twiddle_name.h"

#include <doctest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

using namespace twiddle;

namespace {

std::string compiled(const char* code) {
  std::ifstream in(locale_directory() / code / "LC_MESSAGES" / "twiddle.mo", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Which of the things that fill it in a text shows, in order of their numbers: "{} {}" and "{1:.1f} {0}" both show 0 and 1.
std::multiset<std::size_t> places(std::string_view text) {
  std::multiset<std::size_t> numbers;
  std::size_t next = 0;
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    const std::size_t end = text.find_first_of(":}", at);
    if (end == std::string_view::npos) return {SIZE_MAX};
    numbers.insert(end == at + 1 ? next++ : std::stoul(std::string(text.substr(at + 1, end - at - 1))));
  }
  return numbers;
}

// One of "{0}" may stand twice in a language and once in another.
bool same_places(std::string_view a, std::string_view b) {
  const auto x = places(a), y = places(b);
  return std::set<std::size_t>(x.begin(), x.end()) == std::set<std::size_t>(y.begin(), y.end());
}

}  // namespace

TEST_CASE("a catalogue that is cut, foreign or lies about its offsets gives what can be read, and no more") {
  CHECK(read_catalogue("").empty());
  CHECK(read_catalogue("no catalogue at all").empty());
  const std::string good = compiled("ja");
  if (good.empty()) return;  // this build has no msgfmt
  const auto all = read_catalogue(good).size();
  CHECK(all > 80);
  for (std::size_t length = 0; length < good.size(); length += 37)
    CHECK(read_catalogue(good.substr(0, length)).size() <= all);
  for (std::size_t word = 0; word < 64; ++word) {
    std::string bad = good;
    const std::uint32_t far = 0xFFFFFFF0u;
    std::memcpy(bad.data() + word * 4, &far, sizeof far);
    CHECK(read_catalogue(bad).size() <= all);
  }
}

TEST_CASE("the language changes while the program runs, and English is what the code says") {
  if (compiled("ja").empty()) return;
  CHECK(std::string(tr("Launches")) == "Launches");
  speak(Language::Japanese);
  CHECK(std::string(tr("Launches")) == "カーネル起動");
  CHECK(std::string(tr("no such text")) == "no such text");
  speak(Language::Chinese);
  CHECK(std::string(tr("Launches")) == "内核启动");
  CHECK(language_code() == "zh_CN");
  set_language("xx");
  CHECK(std::string(tr("Launches")) == "Launches");
  speak(Language::English);
  CHECK(std::string(tr("Launches")) == "Launches");
  CHECK(next_language(next_language(next_language(Language::English))) == Language::English);
}

TEST_CASE("places are filled in where the language has them, and numbers ask for their form") {
  CHECK(say("span {}, stride {}", 8, 4) == "span 8, stride 4");
  CHECK(plural(1, "{} operation", "{} operations") == "1 operation");
  CHECK(plural(2, "{} operation", "{} operations") == "2 operations");
  if (compiled("ja").empty()) return;
  speak(Language::Japanese);
  CHECK(say("{} of work-group {}", "F[3]", 2) == "ワークグループ2のF[3]");
  CHECK(plural(1, "{} operation", "{} operations") == "1個の演算");
  CHECK(plural(2, "{} operation", "{} operations") == "2個の演算");
  CHECK(plural(2, "{} such thing", "{} such things") == "2 such things");
  speak(Language::English);
}

TEST_CASE("translations fill in as many things as the English, and every command is translated") {
  if (compiled("ja").empty()) return;
  for (const char* code : {"ja", "zh_CN"})
    for (const auto& entry : read_catalogue(compiled(code)))
      CHECK_MESSAGE(same_places(entry.first, entry.second), entry.first);
  for (const Language language : {Language::Japanese, Language::Chinese}) {
    speak(language);
    for (const HelpSection& section : help_sections())
      for (const Command command : section.commands) {
        const std::string meaning(meaning_of(command));
        CHECK_MESSAGE(tr(meaning.c_str()) != meaning, meaning);
      }
  }
  speak(Language::English);
}
