// A player's long lists as differences, for pages that hold several players: what is alike from row to row deflates to a fraction.
#pragma once

#include <nlohmann/json.hpp>

#include <vector>

namespace twiddle {

/// Rewrites these of a player's data; the page gives them back their form before the player sees them
/// (lessons/pages/html/unpack.js):
///
///     passing, marks   rows, each number as its difference from the row before it of the same first entry and length
///     looks            [how many of each element, from …, style …, text …]: `from` as a difference from the one before it, a text
///                      by its number as in numbers_of_texts()
///     labels           [how many of each mark, from …, text …], likewise
void pack_player(nlohmann::json& data);

/// Numbers of texts, which are mostly met in their order: 0 for none (−1), n > 0 for n more than the largest so far, n < 0 for
/// that one and those before it.
std::vector<int> numbers_of_texts(const std::vector<int>& texts);

}  // namespace twiddle
