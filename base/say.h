// Texts with something filled in, in the language that is set: say("step {} of {}", 3, 12).
#pragma once

#include "base/tr.h"

#include <fmt/format.h>

#include <string>

namespace twiddle {

/// The translation of a text, with its places filled in. The English is checked when it is compiled; a translation may use
/// its places in another order ("{1} {0}"), and one that does not fit is passed over for the English.
template <typename... Arguments>
std::string say(fmt::format_string<const Arguments&...> text, const Arguments&... arguments) {
  const fmt::string_view english = text;  // of a literal, so that a zero ends it
  try {
    return fmt::vformat(tr(english.data()), fmt::make_format_args(arguments...));
  } catch (const fmt::format_error&) { return fmt::vformat(english, fmt::make_format_args(arguments...)); }
}

}  // namespace twiddle
