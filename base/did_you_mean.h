// "Did you mean" for every word that a user may mistype.
#pragma once

#include "base/message.h"

#include <span>
#include <string>
#include <string_view>

namespace twiddle {

/// The candidate nearest to `word` by edit distance; empty when none is near. For "did you mean" sentences everywhere.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// "; did you mean ramp?", to follow a complaint about a word; `otherwise` (or nothing) when no candidate is near.
Message did_you_mean(std::string_view word, std::span<const std::string> candidates, Message otherwise = {});

}  // namespace twiddle
