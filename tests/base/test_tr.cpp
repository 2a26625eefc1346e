// The interface in three languages: catalogues are read safely, switched while running, complete, and say the same.
#include "base/counted.h"
#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/message.h"
#include "base/paths.h"
#include "tracer/trace/trace.h"
#include "viewer/input/keys.h"
#include "viewer/scene/languages.h"
#include "viewer/words/twiddle_name.h"

#include "han_spacing.h"

#include <doctest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
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

// "{0}" may be there twice in a language and once in another.
bool same_places(std::string_view a, std::string_view b) {
  const auto x = places(a), y = places(b);
  return std::set<std::size_t>(x.begin(), x.end()) == std::set<std::size_t>(y.begin(), y.end());
}

}  // namespace

TEST_CASE("a catalogue that is cut, foreign or has wrong offsets gives what can be read, and no more") {
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
  use_language(Language::Japanese);
  CHECK(std::string(tr("Launches")) == "カーネル起動");
  CHECK(std::string(tr("no such text")) == "no such text");
  use_language(Language::Chinese);
  CHECK(std::string(tr("Launches")) == "内核启动");
  CHECK(language_code() == "zh_CN");
  set_language("xx");
  CHECK(std::string(tr("Launches")) == "Launches");
  use_language(Language::English);
  CHECK(std::string(tr("Launches")) == "Launches");
  CHECK(next_language(next_language(next_language(Language::English))) == Language::English);
}

TEST_CASE("places are filled in where the language has them, and numbers ask for their form") {
  CHECK(tr("span {}, stride {}", 8, 4) == "span 8, stride 4");
  CHECK(plural(1, "{} operation", "{} operations") == "1 operation");
  CHECK(plural(2, "{} operation", "{} operations") == "2 operations");
  if (compiled("ja").empty()) return;
  use_language(Language::Japanese);
  CHECK(tr("{} of work-group {}", "F[3]", 2) == "ワークグループ2のF[3]");
  CHECK(plural(1, "{} operation", "{} operations") == "1個の演算");
  CHECK(plural(2, "{} operation", "{} operations") == "2個の演算");
  CHECK(plural(2, "{} such thing", "{} such things") == "2 such things");
  use_language(Language::English);
}

TEST_CASE("in Chinese a number or a foreign word has spaces around it, and a Chinese one none") {
  if (compiled("zh_CN").empty()) return;
  use_language(Language::Chinese);
  CHECK(tr("{} of work-group {}", "F[3]", 2) == "工作组 2 的 F[3]");
  CHECK(tr("after {}", "L2") == "L2 之后");
  CHECK(tr("after {}", "第 2 级") == "第 2 级之后");
  CHECK(tr("after {}", "反转") == "反转之后");
  CHECK(tr("after {}", "") == "之后");
  CHECK(listed(listed("", "a"), "b") == "a、b");
  use_language(Language::English);
  CHECK(listed(listed("", "a"), "b") == "a, b");
  // Which takes a space in every translation, and what no space is written beside.
  for (const auto& [english, text] : read_catalogue(compiled("zh_CN"))) {
    CAPTURE(text);
    CHECK(unspaced_chinese(text).empty());
  }
  for (const auto& [text, wrong] : {std::pair{"第 {} 步，共 {} 步", ""},
                                    {"第{} 步", "第{"},
                                    {"第 {}步", "}步"},
                                    {"基4", "基4"},
                                    {"在L2中", "在L"},
                                    {"L2中", "2中"},
                                    {"两种 情况", "种 情"},
                                    {"{}（{}）：{}", ""},
                                    {"一行\n二行", ""}})
    CHECK(unspaced_chinese(text) == wrong);
}

TEST_CASE("translations fill in as many things as the English, and every command is translated") {
  if (compiled("ja").empty()) return;
  for (const char* code : {"ja", "zh_CN"})
    for (const auto& entry : read_catalogue(compiled(code)))
      CHECK_MESSAGE(same_places(entry.first, entry.second), entry.first);
  for (const Language language : {Language::Japanese, Language::Chinese}) {
    use_language(language);
    for (const HelpSection& section : help_sections())
      for (const Command command : section.commands) {
        const std::string meaning(meaning_of(command));
        CHECK_MESSAGE(tr(meaning.c_str()) != meaning, meaning);
      }
  }
  use_language(Language::English);
}

TEST_CASE("a message is English, and what is in it is translated with it") {
  CHECK(Message().english().empty());
  CHECK(Message().empty());
  CHECK(Message("{0} of {1}, {0:.1f}, {2}", 2.5, "x", std::uint64_t(7)).english() == "2.5 of x, 2.5, 7");
  CHECK(Message::verbatim("{} stays {").english() == "{} stays {");
  CHECK(Message::verbatim("").empty());
  CHECK((Message("one") += Message("{}", 2)) == "one2");
  CHECK(fmt::format("<{}>", Message("{} samples", 3)) == "<3 samples>");
  CHECK(Message::plural(1, "{} element", "{} elements", "1") == "1 element");
  CHECK(Message::plural(2000, "{} element", "{} elements", "2 000") == "2 000 elements");
  CHECK(message_of(std::runtime_error("{}")) == "{}");
  CHECK(message_of(usage_error("{} is no {}", 1, Message("list"))) == "1 is no list");
  if (compiled("ja").empty()) return;  // this build has no msgfmt
  const Message elements = Message::plural(2, "{} element", "{} elements", 2);
  CHECK(elements.translated() == "2 elements");
  CHECK(elements.translated("ja") == "2個の要素");
  CHECK(Message::plural(1, "{} element", "{} elements", 1).translated("ja") == "1個の要素");
  CHECK(Message("no such text, {}", elements).translated("ja") == "no such text, 2個の要素");
  CHECK(std::string(tr_in("ja", "Launches")) == "カーネル起動");
  CHECK(std::string(tr_in("en", "Launches")) == "Launches");
}

static Message fault(const char* place, const Message& sentence) {
  Fault fault;
  fault.place = place, fault.sentence = sentence;
  return fault.text();
}

TEST_CASE("errors, faults and titles are translated into each language, and what is in them, too") {
  if (compiled("ja").empty()) return;  // this build has no msgfmt
  const Message inverse(", inverse");
  const Message stray(
      "{0} of {1} writes {2}[{3}], and {2} has {4} elements; check the index, or how many threads there are",
      Message("thread {} (block {}, threadIdx {})", 5, 1, 1), "k", "x", 9, 8);
  const struct {
    Message message;
    const char *english, *japanese, *chinese;
  } cases[] = {
      {Message("the trace is cut short"), "the trace is cut short", "トレースが途中で切れています", "跟踪记录不完整"},
      {Message("{}: {}", "/tmp/a b.twd", Message("the trace is cut short")), "/tmp/a b.twd: the trace is cut short",
       "/tmp/a b.twd: トレースが途中で切れています", "/tmp/a b.twd: 跟踪记录不完整"},
      {Message("there is no file {}", "mine.wav"), "there is no file mine.wav", "ファイルmine.wavがありません",
       "没有文件 mine.wav"},
      {Message("no signal is called \"{}\"{}", "rump", did_you_mean("rump", std::vector<std::string>{"ramp"})),
       "no signal is called \"rump\"; did you mean ramp?", "「rump」という信号はありません。「ramp」のことですか？",
       "没有名为“rump”的信号；您是指 ramp 吗？"},
      {Message("{}, line {}: {}", "mine.toml", 3, Message("two buffers are called {}", "x")),
       "mine.toml, line 3: two buffers are called x", "mine.toml、3行目：xという名前のバッファが二つあります",
       "mine.toml，第 3 行：有两个缓冲区叫 x"},
      {Message("{}, not {}: the nearest are {} and {}", Message("{} must be a power of two, {} … {}", "n", 2, 1024), 3,
               2, 4),
       "n must be a power of two, 2 … 1024, not 3: the nearest are 2 and 4",
       "nは2…1024の2の累乗でなければなりません。3は不可で、近い値は2と4です",
       "n 必须是 2 的幂，2 … 1024，而不是 3：最接近的是 2 和 4"},
      {fault("mine.cu:7: ", Message("{} (in launch {})", stray, 2)),
       "mine.cu:7: thread 5 (block 1, threadIdx 1) of k writes x[9], and x has 8 elements; check the index, or how "
       "many threads there are (in launch 2)",
       "mine.cu:7: kのスレッド5（ブロック1、threadIdx 1）がx[9]に書いていますが、xの要素は8個です。添字か、"
       "スレッドの数を確かめてください（起動2）",
       "mine.cu:7: k 的线程 5（线程块 1，threadIdx 1）写入 x[9]，而 x 只有 8 个元素；请检查下标，或线程的数量（启动 "
       "2）"},
      {Message("{} of {} {}, while {} {} at the barrier in line {}, {} first; {} has to reach the same barriers",
               Message("thread {}", 0), "k", Message("has left the kernel"), 3, Message("others wait"), 9,
               Message("thread {}", 1), Message("every thread of a block")),
       "thread 0 of k has left the kernel, while 3 others wait at the barrier in line 9, thread 1 first; every "
       "thread of a block has to reach the same barriers",
       "kのスレッド0はカーネルを終えていますが、9行目のバリアでは3個が待っています（最初はスレッド1）。"
       "ブロックのすべてのスレッドが同じバリアに到達しなければなりません",
       "k 的线程 0 已离开内核，而第 9 行的屏障处有 3 个线程在等待，第一个是线程 "
       "1；线程块的所有线程都必须到达相同的屏障"},
      {Message("{}: {}", "mine.cl",
               Message("there is no kernel called {}{}; the source defines {}", "two",
                       Message(", did you mean {}?", "tow"), "tow, one")),
       "mine.cl: there is no kernel called two, did you mean tow?; the source defines tow, one",
       "mine.cl: カーネルtwoはありません（「tow」のことですか？）。ソースにあるのはtow, oneです",
       "mine.cl: 没有名为 two 的内核（您是指 tow 吗？）；源文件中有 tow, one"},
      {fault("k.cu:78: ", Message("{} of {} was stopped: {}", Message("thread {}", 0), "asserts",
                                  Message("the assertion {} failed", "nums[0] == 1"))),
       "k.cu:78: thread 0 of asserts was stopped: the assertion nums[0] == 1 failed",
       "k.cu:78: assertsのスレッド0は止められました：アサーションnums[0] == 1が成り立ちません",
       "k.cu:78: asserts 的线程 0 被停止：断言 nums[0] == 1 不成立"},
      {Message("Radix-2 FFT of {} points in {}{}", 8, Message("one launch"), inverse),
       "Radix-2 FFT of 8 points in one launch, inverse", "基数2の8点FFT、1回の起動、逆変換",
       "基 2 的 8 点 FFT，一次启动，逆变换"},
      {Message("Radix-2 FFT of {} points{}", 8, inverse), "Radix-2 FFT of 8 points, inverse", "基数2の8点FFT、逆変換",
       "基 2 的 8 点 FFT，逆变换"},
      // What is not in the catalogues stays, and so do names that are words of the interface.
      {Message::verbatim("My FFT of my own points, twice"), "My FFT of my own points, twice",
       "My FFT of my own points, twice", "My FFT of my own points, twice"},
      {Message("there is no file {}", "input"), "there is no file input", "ファイルinputがありません",
       "没有文件 input"},
      {Message(), "", "", ""},
  };
  for (const auto& one : cases) {
    CHECK(one.message.english() == one.english);
    CHECK(one.message.translated() == one.english);
    CHECK(one.message.translated("ja") == one.japanese);
    CHECK(one.message.translated("zh_CN") == one.chinese);
    use_language(Language::Japanese);
    CHECK(one.message.translated() == one.japanese);
    CHECK(one.message.english() == one.english);
    use_language(Language::English);
  }
}
