// How a change looks beside the rest of its file.
#pragma once

#include "tracer/repair/edits/edits.h"

#include <map>
#include <string>

namespace twiddle {

/// How much more a change makes a text like the rest of its file: of the threes of words that it has new, how many are known,
/// less how many of those that it loses are known elsewhere.
class Likeness {
 public:
  /// Of a syntax that outlives it.
  explicit Likeness(const Syntax& syntax);
  /// From -1 to 1; 0 of changes that are not in an expression's place.
  double of(const SourceEdit& edit) const;

 private:
  double share(const std::vector<std::string_view>& words, int own) const;

  const Syntax& s_;
  std::map<std::string, int> known_;
};

}  // namespace twiddle
