#include "lessons/pages/formula_html.h"

#include "viewer/render/svg_parts.h"
#include "viewer/scene/formula.h"

#include <fmt/format.h>

#include <algorithm>

namespace twiddle {

std::string words_html(std::string_view text) {
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += svg_escaped(text.substr(at, end - at));
    if (end == text.size()) break;
    out += '\n';
    at = end + 1;
  }
  for (std::size_t at = 0; (at = out.find("\u2009", at)) != std::string::npos;) out.replace(at, 3, "\u202F");
  return out;
}

std::string formula_html(std::string_view text) {
  std::string out;
  for (const FormulaPart& part : formula_parts(text)) {
    const char* tag = part.place == FormulaPart::Place::Below ? "sub" : "sup";
    out += part.place == FormulaPart::Place::Line ? words_html(part.text)
                                                  : fmt::format("<{}>{}</{}>", tag, words_html(part.text), tag);
  }
  return out;
}

std::string in_rows(const std::string& lines) {
  std::string html;
  for (std::size_t at = 0; at <= lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    html += fmt::format("<span class=\"row\">{}</span>", lines.substr(at, end - at));
    at = end + 1;
  }
  return html;
}

}  // namespace twiddle
