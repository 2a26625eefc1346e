// Which lines a fix replaces, and what a text is with it.
#pragma once

#include "tracer/checks/finding.h"

#include <algorithm>
#include <optional>
#include <string>

namespace twiddle {

/// The last of them: where several lines change together, `is` and `should` have "\n" between them.
inline int last_line_of(const Fix& fix) {
  return fix.line + static_cast<int>(std::count(fix.is.begin(), fix.is.end(), '\n'));
}

/// A file's text with the fix: its lines' indentation and ends stay. Nothing where the text has other lines there (by now).
std::optional<std::string> with_fix(const std::string& text, const Fix& fix);

/// What makes one text of another as a unified diff, the changed lines with three around them, as `patch -p1` takes it in the
/// folder that `name` is from. Empty where nothing differs.
std::string diff_of(const std::string& name, const std::string& before, const std::string& after);

}  // namespace twiddle
