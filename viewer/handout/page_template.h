// Pages of HTML from their parts.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace twiddle {

/// A file of this installation, e.g. "viewer/handout/html/handout.css". Throws Error (unreadable) when it is missing.
std::string page_part(std::string_view file);

/// A script with what plays samples at its "// {sound}".
std::string with_sound(std::string script);

/// The page with every {{name}} replaced; all names must be there.
std::string filled(const std::string& page, const std::map<std::string, std::string>& parts);

/// JSON text escaped for a script element, which "<" could end.
std::string in_script(std::string_view json);

}  // namespace twiddle
