// Lessons in the window: the contents with what was read and answered, and a lesson's text beside the views.
#pragma once

#include "lessons/pages/asked.h"
#include "lessons/questions/questions.h"
#include "lessons/run/lesson_run.h"
#include "lessons/text/library.h"
#include "lessons/text/progress.h"
#include "viewer/state/guide.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

class LessonGuide : public Guide {
 public:
  /// Opens on the contents, or on `lesson` when there is one. `runs` must outlive the guide. An empty `progress` keeps none.
  LessonGuide(std::string language, std::optional<Lesson> lesson, LessonRuns& runs, std::filesystem::path progress);

  Scene draw(float width, float size, bool presenting) override;
  void point_at(const std::optional<Mark>& mark) override { pointed_ = mark; }
  bool page(int by) override;
  bool click(const Mark& mark) override;
  Place place() override;
  std::string notes() override;
  std::string next() override;
  std::optional<Guide::Question> question() override;
  std::optional<Foot> foot() override;
  std::optional<Mark> answer_at(const Mark& element) override;
  void use_spectrum(const std::vector<std::complex<double>>& samples,
                    const std::vector<std::complex<double>>& bins) override;
  bool samples_changed() override;
  std::optional<Typing> typing() override;
  void typed(const std::string& text) override;
  bool use_language(Language language) override;
  std::string complaint() override;
  Wish wish() override;

  bool in_contents() const { return !lesson_; }
  const std::optional<Lesson>& lesson() const { return lesson_; }
  std::size_t step() const { return step_; }

 private:
  void open(const std::string& id);
  void turn(std::size_t step);
  void ask();
  void keep();
  bool keeps_secret(const LessonStep& step) const;
  void draw_contents(class TextLayout& text);
  void draw_views(class TextLayout& text, const LessonStep& step);
  void draw_question(class TextLayout& text, const Asked& asked, std::size_t number);
  void draw_step(class TextLayout& text, bool presenting);
  /// A chosen line of a kernel that was not run yet.
  static bool unjudged(const Asked& asked) {
    return asked.chosen && asked.question.kind == "build" && asked.question.answers[*asked.chosen].why.empty();
  }
  void draw_circle(class TextLayout& text, const Asked& asked, std::size_t number) const;
  void draw_tries(class TextLayout& text, const Asked& asked, std::optional<std::size_t> pointed) const;
  void draw_spectrum(class TextLayout& text, const Asked& asked, std::size_t number);
  void draw_help(class TextLayout& text, const Asked& asked, std::size_t number);
  void draw_progress_line(class TextLayout& text);
  bool click_question(const std::string& command, std::size_t question, std::size_t answer);
  void give(Asked& asked);
  void read_progress_of(const std::string& text);
  void save_progress();
  void help(Asked& asked, bool whole);
  std::string hint_of(const Asked& asked) const;
  std::string told_of(const Asked& asked, const Answer& answer) const;
  std::vector<std::string> ids() const;
  std::size_t written_answers(const Asked& asked) const;
  Mark mark(const std::string& command, std::uint64_t index = 0, std::uint64_t answer = 0) const;

  std::string language_;
  LessonRuns& runs_;
  std::vector<CourseEntry> course_;
  std::optional<Lesson> lesson_;
  std::size_t step_ = 0, view_ = 0;                  // which of the step's views
  bool answer_shown_ = false;                        // of the step's "try it"
  bool trying_ = false;                              // the run that "try it" asks for is shown
  std::map<std::size_t, std::vector<Asked>> asked_;  // by step
  std::filesystem::path progress_file_;
  std::map<std::string, LessonProgress> progress_;
  bool unsaved_ = false;  // the file cannot be written, which was said
  std::string complaint_;
  std::optional<Mark> pointed_;             // by the pointer or the keyboard
  std::vector<double> samples_, spectrum_;  // at hand, and their spectrum; empty: they are the run's own
  std::optional<std::size_t> typing_;       // the question that a line is to be typed for
  bool ask_for_line_ = false;               // … since the last click
  bool may_build_ = false;                  // the reader agreed that lines are compiled and run
  bool notes_open_ = false;                 // the presenter's, below the text
  bool asks_for_progress_ = false;          // the line that is typed is one of progress
  std::string told_;                        // in the contents: what came of it
  Wish wish_;
};

}  // namespace twiddle
