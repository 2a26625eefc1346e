// Kernels broken one index expression at a time. All mutants of a source go into one text, chosen by an argument that every
// kernel gets, so that they are compiled once ("mutant schemata", Untch, Offutt and Harrold 1993).
#pragma once

#include <string>
#include <vector>

namespace twiddle {

struct Mutant {
  int line = 0;
  std::string before, after;  // the index expression, right and broken
};

struct MutatedSource {
  std::string text;             // kernels take `int mutant` last: 0 is the source as it was, k breaks mutants[k − 1]
  std::vector<Mutant> mutants;  // in the order of the source
};

/// An index expression is what an integer variable starts with, what a function that returns int returns, and what is in
/// the brackets of an access; trace lines are left alone. It is broken by another operator, a number one larger or smaller, a
/// variable one larger or smaller, or another variable of the same expression in its place. Line numbers stay.
MutatedSource mutate(const std::string& source);

}  // namespace twiddle
