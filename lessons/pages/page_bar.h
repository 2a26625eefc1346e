// What every page of a course has: its language and colours, and above it, beside its links, light or dark.
#pragma once

#include "lessons/run/course_words.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twiddle {

/// What every page's template takes: {{lang}}, {{program}}, {{variables}}, and {{themes}} with {{theme-script}}, two buttons, which
/// the script shows, and the script. Their styles are in lessons/pages/html/bar.css. `language` is the page's code.
std::map<std::string, std::string> common_parts(const CourseWords& words, std::string_view language);

/// The same page in the languages of `addresses` (code and address); of `own` only the name.
std::string language_links(const std::vector<std::pair<std::string, std::string>>& addresses, std::string_view own);

}  // namespace twiddle
