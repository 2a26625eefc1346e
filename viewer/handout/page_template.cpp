#include "viewer/handout/page_template.h"

#include "base/error.h"
#include "base/paths.h"
#include "base/read_file.h"

namespace twiddle {

std::string page_part(std::string_view file) {
  const auto path = resource(file);
  try {
    return read_file(path, 1 << 20);
  } catch (const Error&) {
    throw unreadable("{} is missing from this installation; install Twiddle again", path.string());
  }
}

std::string filled(const std::string& page, const std::map<std::string, std::string>& parts) {
  std::string out;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = page.find("{{", at);
    if (open == std::string::npos) return out + page.substr(at);
    const std::size_t close = page.find("}}", open);
    out += page.substr(at, open - at);
    out += parts.at(page.substr(open + 2, close - open - 2));
    at = close + 2;
  }
}

std::string in_script(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace twiddle
