// The course as a list: what `lesson` without a lesson and `list lessons` print.
#pragma once

#include <string>
#include <string_view>

namespace twiddle::cli {

/// A line a lesson, in this language; or all as JSON (docs/json.md), with the languages that each is there in.
std::string lessons_list(std::string_view language, bool json);

}  // namespace twiddle::cli
