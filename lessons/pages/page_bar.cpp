#include "lessons/pages/page_bar.h"

#include "base/version.h"
#include "viewer/handout/handout.h"
#include "viewer/handout/page_template.h"
#include "viewer/render/svg_parts.h"
#include "viewer/scene/languages.h"

#include <fmt/format.h>

namespace twiddle {

std::map<std::string, std::string> common_parts(const CourseWords& words, std::string_view language) {
  const Language spoken = language_of(language);
  return {{"lang", std::string(html_code(spoken))},
          {"program", svg_escaped(fmt::format("twiddle {}", program_version))},
          {"variables", handout_variables(spoken)},
          {"themes",
           fmt::format("<span class=\"themes\" role=\"group\" aria-label=\"{}\" hidden><button type=\"button\" "
                       "data-choose=\"light\" aria-pressed=\"false\">{}</button><button type=\"button\" "
                       "data-choose=\"dark\" aria-pressed=\"false\">{}</button></span>",
                       svg_escaped(words("Light or dark")), svg_escaped(words("Light")), svg_escaped(words("Dark")))},
          {"theme-script", page_part("lessons/pages/html/theme.js")}};
}

std::string language_links(const std::vector<std::pair<std::string, std::string>>& addresses, std::string_view own) {
  std::string html;
  for (const auto& [code, address] : addresses)
    html += code == own ? fmt::format("<span aria-current=\"true\">{}</span>\n", own_name(language_of(code)))
                        : fmt::format("<a href=\"{}\" lang=\"{}\">{}</a>\n", svg_escaped(address),
                                      html_code(language_of(code)), own_name(language_of(code)));
  return html;
}

}  // namespace twiddle
