// A question in the window: what was answered to it, and what help was given. Pages keep to the same rules (hints.js): after
// two wrong tries a hint is offered, after three the answer, and neither gives a point.
#pragma once

#include "lessons/questions/questions.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace twiddle {

class Asked {
 public:
  /// `spec`: which of the step's questions it is.
  Asked(Question question, std::size_t spec) : question(std::move(question)), spec(spec) {}

  Question question;
  std::size_t spec = 0;

  /// A choice, or a line of a kernel, was judged: `chosen` has been given.
  void give(std::size_t answer);
  /// Of a question in rounds: an answer to the one at hand.
  void give_in_round(std::size_t answer);
  /// Of a spectrum that is asked for: the magnitudes of the samples at hand.
  void judge(std::vector<double> magnitudes);
  /// The samples are others: what was said of them holds no more. True when something is gone.
  bool forget_judged();

  bool offers_hint() const { return !over_ && !shown && wrong_ >= tries_before_hint; }
  bool offers_answer() const { return !over_ && !shown && wrong_ >= tries_before_answer; }
  void hint() { hinted = true; }
  /// Gives the right answer, to all that is left to do. The first answer counts as wrong where there was none.
  void show();
  /// Whether a hint has struck an answer out: of rounds half of the answers are left, with the right one among them.
  bool struck_out(std::size_t answer) const;

  /// Whether the right answer was given, or shown.
  bool settled() const { return over_; }
  bool finished() const { return done == question.rounds.size(); }
  bool fits() const { return question.task && !judged.empty() && !miss_of(question.task->goal, judged); }

  std::optional<std::size_t> chosen;  // last
  std::vector<std::size_t> given;     // of a choice: all that were chosen
  bool answered = false;
  std::optional<bool> first;  // whether the first answer was right
  // Of a question in rounds: how many are done, and whether the last answer was wrong.
  std::size_t done = 0;
  bool missed = false;
  std::vector<std::size_t> tries;  // wrong answers to what is asked now, in their order
  std::vector<double> judged;      // the spectrum that was judged last; empty: none was
  bool hinted = false, shown = false;

  /// What was answered to the same question in another language.
  void take_answers(const Asked& other);

 private:
  static constexpr int tries_before_hint = 2, tries_before_answer = 3;

  void miss();
  void begin_next();
  void end();

  int wrong_ = 0;      // tries of what is asked now
  bool clean_ = true;  // no round was missed
  bool over_ = false;  // nothing is left to be helped with
};

}  // namespace twiddle
