#include "lessons/pages/asked.h"

#include <algorithm>
#include <utility>

namespace twiddle {

void Asked::miss() {
  ++wrong_;
  if (!first) first = false;
}

void Asked::begin_next() {
  wrong_ = 0;
  tries.clear();
  hinted = false;
}

void Asked::end() {
  over_ = true;
  hinted = false;
}

void Asked::give(std::size_t answer) {
  chosen = answer;
  answered = true;
  const bool again = std::find(given.begin(), given.end(), answer) != given.end();
  if (!again) given.push_back(answer);
  if (question.answers[answer].right) {
    if (!first) first = true;
    end();
  } else if (!again) {
    miss();
  }
}

void Asked::give_in_round(std::size_t answer) {
  if (finished() || struck_out(answer)) return;
  chosen = answer;
  missed = question.rounds[done].right != answer;
  if (missed) {
    clean_ = false;
    tries.push_back(answer);
    miss();
    return;
  }
  ++done;
  begin_next();
  if (!finished()) return;
  answered = true;
  if (!first) first = clean_;
  end();
}

void Asked::judge(std::vector<double> magnitudes) {
  judged = std::move(magnitudes);
  answered = true;
  if (!fits()) return miss();
  if (!first) first = true;
  end();
}

bool Asked::forget_judged() {
  if (judged.empty()) return false;
  judged.clear();
  return true;
}

void Asked::show() {
  if (!first) first = false;
  shown = true;
  hinted = false;
  if (question.task) return;  // the samples are brought there, and judged by a click
  if (!question.rounds.empty()) {
    while (!finished()) give_in_round(question.rounds[done].right);
    return;
  }
  const auto right =
      std::find_if(question.answers.begin(), question.answers.end(), [](const Answer& answer) { return answer.right; });
  if (right == question.answers.end()) return;
  chosen = static_cast<std::size_t>(right - question.answers.begin());
  // A line of a kernel that was not run yet is judged once it is.
  if (question.kind == "build" && right->why.empty()) return;
  give(*chosen);
}

bool Asked::struck_out(std::size_t answer) const {
  if (!hinted || question.rounds.empty() || finished()) return false;
  const std::size_t count = question.answers.size(), half = (count + 1) / 2, right = question.rounds[done].right;
  const std::size_t from = std::min(right / half * half, count - half);
  return answer < from || answer >= from + half;
}

void Asked::take_answers(const Asked& other) {
  chosen = other.chosen;
  given = other.given;
  answered = other.answered;
  first = other.first;
  done = std::min(other.done, question.rounds.size());
  missed = other.missed;
  tries = other.tries;
  judged = other.judged;
  hinted = other.hinted, shown = other.shown;
  wrong_ = other.wrong_, clean_ = other.clean_, over_ = other.over_;
  // The reader's own lines are of the other question.
  const auto own = [&](std::size_t answer) { return answer >= question.answers.size(); };
  if (chosen && own(*chosen)) chosen.reset();
  std::erase_if(given, own);
}

}  // namespace twiddle
