// What is above every page of a course, beside its links: light or dark.
#pragma once

#include "lessons/run/course_words.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twiddle {

/// {{themes}} and {{theme-script}} of a page's template: two buttons, which the script shows, and the script. Their styles are in
/// lessons/pages/html/bar.css.
std::map<std::string, std::string> theme_parts(const CourseWords& words);

/// The same page in the languages of `addresses` (code and address); of `own` only the name.
std::string language_links(const std::vector<std::pair<std::string, std::string>>& addresses, std::string_view own);

}  // namespace twiddle
