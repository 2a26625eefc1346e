// What a presenter does to the picture: strokes of the pen, the laser pointer, the spotlight, votes for the answers.
#pragma once

#include "viewer/scene/scene.h"

#include <array>
#include <cstddef>
#include <vector>

namespace twiddle {

/// The answers to a question are the cards A to D.
inline constexpr std::size_t answer_cards = 4;

struct Presentation {
  enum class Tool { None, Pen, Laser };
  Tool tool = Tool::None;
  bool spotlight = false;                         // all but what is pointed at, and its cone, is dimmed
  std::vector<Point> trail;                       // where the laser has been, newest last; px of the window
  std::vector<Point> stroke;                      // that is being drawn; parts of the diagram's sides, 0 … 1
  std::array<unsigned, answer_cards> votes = {};  // of the question that is asked
  unsigned answers() const {
    unsigned sum = 0;
    for (const unsigned votes_of_one : votes) sum += votes_of_one;
    return sum;
  }
};

}  // namespace twiddle
