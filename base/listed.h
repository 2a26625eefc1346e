// Things side by side in a sentence, in the language that is set.
#pragma once

#include <string>

namespace twiddle {

/// A thing more behind others, or the first of them: "3 swaps, 4 moves". Chinese has another comma here than between clauses,
/// which tr(", ") is for.
std::string listed(const std::string& list, const std::string& more);

}  // namespace twiddle
