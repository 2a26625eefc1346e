// Counts and lists as texts, with what is counted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace twiddle {

/// 1234567 in groups of three digits: "1,234,567".
std::string grouped(std::uint64_t count, std::string_view separator = ",");
/// An index or a count as panes, diagrams and lessons write it, with thin spaces (U+2009): "5 973".
std::string count_text(std::uint64_t count);

/// plural(2, "{} step", "{} steps") is "2 steps", in the language that is set; {} is count_text(count).
std::string plural(std::uint64_t count, const char* one, const char* many);
/// counted(1234, "launch", "launches") is "1,234 launches": of the command line, which speaks English.
std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

/// A thing more behind others, or the first of them, in the language that is set: "3 swaps, 4 moves". Chinese has another comma
/// here than between clauses, which tr(", ") is for.
std::string listed(const std::string& list, const std::string& more);

}  // namespace twiddle
