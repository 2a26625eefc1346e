#include "lessons/run/page_words.h"

#include <array>
#include <map>

namespace twiddle {

std::string_view page_word(PageWord word, std::string_view language) {
  using Words = std::array<std::string_view, 3>;  // en, ja, zh
  static const auto* all = new std::map<PageWord, Words>{
      {PageWord::Contents, {"Contents", "目次", "目录"}},
      {PageWord::Minutes, {"{} minutes", "約{}分", "约 {} 分钟"}},
      {PageWord::StepOf, {"Step {} of {}", "{}／{}", "第 {} 步，共 {} 步"}},
      {PageWord::Question, {"Question", "問題", "问题"}},
      {PageWord::Right, {"Right.", "正解です。", "正确。"}},
      {PageWord::NotQuite, {"Not quite.", "惜しい。", "不对。"}},
      {PageWord::TryIt, {"Try it", "やってみよう", "动手试一试"}},
      {PageWord::TryCommand, {"Start from", "次のコマンドから始めます", "从这条命令开始"}},
      {PageWord::Notes, {"Notes for the presenter", "授業用メモ", "讲课备注"}},
      {PageWord::StepThrough, {"Step through this figure", "この図を一演算ずつ進める", "逐步演示此图"}},
      {PageWord::TooOld,
       {"This browser is too old to step through figures; one of the last years can.",
        "このブラウザーは古いため、図を進められません。新しいものをお使いください。",
        "此浏览器太旧，无法逐步演示；请换用较新的浏览器。"}},
      {PageWord::Figure, {"Figure: {} at {}", "図：{}、{}", "图：{}，{}"}},
      {PageWord::PreviousStep, {"Previous step", "前へ", "上一步"}},
      {PageWord::NextStep, {"Next step", "次へ", "下一步"}},
      {PageWord::PreviousLesson, {"Previous lesson", "前の課", "上一课"}},
      {PageWord::NextLesson, {"Next lesson", "次の課", "下一课"}},
      {PageWord::MadeBy,
       {"Made by {} from runs on {}. Every number comes from a trace.",
        "{}が{}で実行した記録から作成。数値はすべて記録から取られています。",
        "由 {} 根据在 {} 上的运行生成。所有数值均来自跟踪记录。"}},
      {PageWord::Course,
       {"Fast Fourier transforms on a GPU, step by step", "GPUで学ぶ高速フーリエ変換",
        "在 GPU 上一步步学快速傅里叶变换"}},
      {PageWord::NoScript,
       {"Stepping through figures and answering questions need JavaScript, which is off here.",
        "図を進めたり問題に答えたりするには JavaScript が必要です。", "逐步演示和答题需要 JavaScript，而此处已关闭。"}},
      {PageWord::Answers, {"Answers", "解答", "答案"}},
      {PageWord::Points, {"{} of {} questions answered rightly", "{}／{}問正解", "答对 {} 题，共 {} 题"}},
  };
  return all->at(word)[language == "ja" ? 1 : language == "zh" ? 2 : 0];
}

std::string_view html_language(std::string_view language) { return language == "zh" ? "zh-Hans" : language; }

std::string_view own_name(std::string_view language) {
  return language == "ja" ? "日本語" : language == "zh" ? "简体中文" : "English";
}

}  // namespace twiddle
