#include "base/did_you_mean.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace twiddle {

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  std::size_t least =
      std::max<std::size_t>(1, word.size() / 3) + 1;  // a word of which more than a third is wrong is near nothing
  for (const std::string& candidate : candidates) {
    // Levenshtein's distance with neighbours swapped counted as one slip, a row at a time.
    const std::size_t length = candidate.size();
    std::vector<std::size_t> before(length + 1), above(length + 1), row(length + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 1; i <= word.size(); ++i) {
      before = std::exchange(above, row);
      row[0] = i;
      for (std::size_t j = 1; j <= length; ++j) {
        const bool same = word[i - 1] == candidate[j - 1];
        row[j] = std::min({above[j - 1] + (same ? 0 : 1), above[j] + 1, row[j - 1] + 1});
        if (i > 1 && j > 1 && word[i - 1] == candidate[j - 2] && word[i - 2] == candidate[j - 1])
          row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    if (row[length] < least) {
      least = row[length];
      best = candidate;
    }
  }
  return best;
}

Message did_you_mean(std::string_view word, std::span<const std::string> candidates, Message otherwise) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? std::move(otherwise) : Message("; did you mean {}?", near);
}

}  // namespace twiddle
