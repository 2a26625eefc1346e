#include "viewer/handout/page_template.h"

#include "base/error.h"
#include "base/paths.h"
#include "base/read_file.h"

#include <sstream>

namespace twiddle {
namespace {

// A page that goes through the mail has scripts and styles without indentation, and without the lines that only say why;
// "// {…}" is a place that is filled in.
std::string without_indentation(const std::string& text, bool script) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(' '));
    if (!line.empty() && !(script && line.starts_with("//") && !line.starts_with("// {"))) out += line + '\n';
  }
  return out;
}

}  // namespace

std::string page_part(std::string_view file) {
  const auto path = resource(file);
  try {
    const std::string text = read_file(path, 1 << 20);
    const bool script = path.extension() == ".js";
    return script || path.extension() == ".css" ? without_indentation(text, script) : text;
  } catch (const Error&) {
    throw unreadable("{} is missing from this installation; install Twiddle again", path.string());
  }
}

std::string with_sound(std::string script) {
  constexpr std::string_view place = "// {sound}\n";
  if (const std::size_t at = script.find(place); at != std::string::npos)
    script.replace(at, place.size(), page_part("viewer/handout/html/sound.js"));
  return script;
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
