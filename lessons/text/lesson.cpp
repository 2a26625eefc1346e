#include "lessons/text/lesson.h"

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/read_file.h"
#include "lessons/text/markdown.h"
#include "lessons/text/text_plot.h"
#include "lessons/text/toml_blocks.h"
#include "viewer/scene/utf8.h"
#include "viewer/views/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace twiddle {
namespace {

constexpr std::size_t max_steps = 100, max_questions = 20;

constexpr std::array<std::string_view, 3> block_names = {"toml lesson", "toml step", "toml question"};

// Where UTF-8 ends: the first byte that belongs to no letter, or a NUL.
std::size_t first_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t code = next_code_point(text, at);
    if (code == 0 || (code == 0xFFFD && text.substr(begin, 3) != "\xEF\xBF\xBD")) return begin;
  }
  return std::string_view::npos;
}

// "03-butterfly" → 3 and "butterfly".
void take_name(Lesson& lesson) {
  const std::string stem = lesson.file.stem().string();
  int number = 0;
  const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), number);
  if (error == std::errc() && end != stem.data() + stem.size() && *end == '-' && number >= 0) {
    lesson.number = number;
    lesson.id = std::string(end + 1);
  } else {
    lesson.id = stem;
  }
}

void check_figure(Lesson& lesson, LessonStep& step, int line, Complaints& complaints) {
  Figure& figure = step.figure;
  if (figure.run.empty() && !lesson.runs.empty()) figure.run = lesson.runs.front().name;
  if (!lesson.run_named(figure.run))
    complaints.add(line, fmt::format("there is no run '{}' in this lesson", figure.run));
  if (figure.views.empty())
    complaints.add(line, "a step block needs views = [\"…\"]: what is to be seen beside the text");
  std::vector<std::string> names;
  for (const auto& view : views()) names.emplace_back(view->name());
  for (const std::vector<std::string>* list : {&figure.views, &step.try_views})
    for (const std::string& name : *list)
      if (!view_named(name))
        complaints.add(line, fmt::format("there is no view '{}'{}", name, did_you_mean(name, names)));
}

// Puts the blocks of a file together.
class Assembler {
 public:
  Assembler(Lesson& lesson, Complaints& complaints) : lesson_(lesson), complaints_(complaints) {}

  void add(MarkdownBlock& block) {
    if (block.kind == MarkdownBlock::Kind::Heading) return heading(block);
    if (block.kind == MarkdownBlock::Kind::Fence) return fence(block);
    if (lesson_.steps.empty())
      return complaints_.add(block.line, "text before the first step; a step begins with a heading, ## …");
    lesson_.steps.back().text.push_back(std::move(block.text));
  }

  void finish(int last_line) {
    end_step();
    if (lesson_.title.empty()) complaints_.add(1, "a lesson begins with its title, # …");
    if (!head_) complaints_.add(1, "the lesson's head is missing: a block ```toml lesson with its runs");
    if (lesson_.steps.empty()) complaints_.add(last_line, "a lesson without steps; each begins with a heading, ## …");
  }

 private:
  void heading(const MarkdownBlock& block) {
    const std::string title = plain_text(block.text.runs);
    if (block.level == 1) {
      if (!lesson_.title.empty()) complaints_.add(block.line, "a second title; steps have headings with ##");
      lesson_.title = title;
      return;
    }
    if (block.level > 2)
      return complaints_.add(block.line, "headings below ## have no meaning here; begin a step instead");
    end_step();
    if (lesson_.steps.size() == max_steps)
      return complaints_.add(block.line, fmt::format("a lesson has at most {} steps", max_steps));
    LessonStep step;
    step.title = title;
    step.line = block.line;
    lesson_.steps.push_back(std::move(step));
    has_block_ = false;
  }

  void fence(MarkdownBlock& block) {
    if (block.fence == block_names[0]) {
      if (head_) complaints_.add(block.line, "a second lesson block");
      if (!lesson_.steps.empty()) complaints_.add(block.line, "the lesson block must be before the first step");
      head_ = true;
      return parse_lesson_block(block.fence_text, block.line, lesson_, complaints_);
    }
    if (block.fence.starts_with("toml ") &&
        std::find(block_names.begin(), block_names.end(), block.fence) == block_names.end())
      return complaints_.add(block.line - 1,
                             fmt::format("there is no block '{}'; lesson, step and question are there", block.fence));
    if (lesson_.steps.empty())
      return complaints_.add(block.line, "a block before the first step; a step begins with a heading, ## …");
    LessonStep& step = lesson_.steps.back();
    if (block.fence == block_names[1]) {
      if (has_block_) complaints_.add(block.line, "a second step block in one step");
      has_block_ = true;
      parse_step_block(block.fence_text, block.line, step, complaints_);
      check_figure(lesson_, step, block.line, complaints_);
    } else if (block.fence == block_names[2]) {
      if (step.questions.size() == max_questions)
        return complaints_.add(block.line, fmt::format("a step has at most {} questions", max_questions));
      step.questions.push_back(parse_question_block(block.fence_text, block.line, lesson_, complaints_));
    } else {
      block.text.kind = block.fence == "formula" ? TextBlock::Kind::Formula
                        : block.fence == "plot"  ? TextBlock::Kind::Plot
                                                 : TextBlock::Kind::Code;
      std::string words = block.fence_text;
      while (words.ends_with('\n')) words.pop_back();
      block.text.runs = with_references({{.text = words, .code = true, .line = block.line}});
      if (block.text.kind == TextBlock::Kind::Plot) check_plot_numbers(block.text, complaints_);
      step.text.push_back(std::move(block.text));
    }
  }

  void end_step() {
    if (lesson_.steps.empty()) return;
    const LessonStep& step = lesson_.steps.back();
    if (!has_block_)
      complaints_.add(step.line, fmt::format("the step '{}' has no step block: ```toml step", step.title));
    if (step.text.empty()) complaints_.add(step.line, fmt::format("the step '{}' has no text", step.title));
    has_block_ = true;
  }

  Lesson& lesson_;
  Complaints& complaints_;
  bool head_ = false, has_block_ = true;
};

}  // namespace

const LessonRunSpec* Lesson::run_named(std::string_view name) const {
  for (const LessonRunSpec& run : runs)
    if (run.name == name) return &run;
  return nullptr;
}

std::string Complaint::text() const { return fmt::format("{}:{}: {}", file.string(), line, sentence); }

void Complaints::add(int line, std::string sentence) {
  if (list_.size() < most) list_.push_back({file_, line, std::move(sentence)});
}

void Complaints::remark(int line, std::string sentence) {
  if (remarks_.size() < most) remarks_.push_back({file_, line, std::move(sentence)});
}

Lesson parse_lesson(std::string_view text, const std::filesystem::path& file, std::string_view language,
                    Complaints& complaints) {
  Lesson lesson;
  lesson.file = file;
  lesson.language = language;
  take_name(lesson);
  if (text.size() > max_lesson_file) {
    complaints.add(1, fmt::format("a lesson is a file of at most {} KiB", max_lesson_file / 1024));
    return lesson;
  }
  if (const std::size_t bad = first_invalid_utf8(text); bad != std::string_view::npos) {
    complaints.add(
        1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(bad), '\n')),
        "this is no text in UTF-8");
    return lesson;
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // what some editors put before UTF-8
  Assembler assembler(lesson, complaints);
  for (MarkdownBlock& block : parse_markdown(text)) assembler.add(block);
  assembler.finish(static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1);
  if (lesson.language.empty()) lesson.language = "en";
  return lesson;
}

Lesson load_lesson(const std::filesystem::path& file, std::string_view language) {
  Complaints complaints(file);
  std::error_code error;
  if (const std::uintmax_t size = std::filesystem::file_size(file, error); !error && size > max_lesson_file)
    throw unreadable("{}:1: a lesson is a file of at most {} KiB, and this one has {}", file.string(),
                     max_lesson_file / 1024, size / 1024);
  Lesson lesson = parse_lesson(read_file(file, max_lesson_file), file, language, complaints);
  if (!complaints.list().empty())
    throw Error(ExitCode::unreadable, Message::verbatim(complaints.list().front().text()));
  return lesson;
}

}  // namespace twiddle
