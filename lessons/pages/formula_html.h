// Words and formulas of a lesson as HTML.
#pragma once

#include <string>
#include <string_view>

namespace twiddle {

/// Text on a page, its lines as they are: numbers are not broken at the thin spaces between their thousands.
std::string words_html(std::string_view text);
/// The same with what is lowered and raised as such: w_N^(jk).
std::string formula_html(std::string_view text);

/// The lines of a formula's HTML, each as a row that has a place of its own to go on in.
std::string in_rows(const std::string& lines);

}  // namespace twiddle
