// Operators and functions that are taken for one another, and those that items meet in.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace twiddle {

struct WordChoice {
  std::string_view from, to;
  double cost;  // the odder, the dearer
};
std::span<const WordChoice> operator_choices();
std::span<const WordChoice> assignment_choices();
/// Functions that are taken for one another, each with all others of its row.
const std::vector<std::vector<std::string_view>>& function_rows();

/// What CUDA's items ask their place of: "threadIdx" and its kin.
std::span<const std::string_view> place_words();
bool is_place(std::string_view word);

}  // namespace twiddle
