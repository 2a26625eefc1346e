// Texts as a page of the course carries them in its script.
#pragma once

#include <string>
#include <string_view>

namespace twiddle {

/// Text that is not read by chance in a page's source: its bytes in base64.
std::string packed(std::string_view text);

/// Text as a page carries it when it is long: deflated (zlib's format, which browsers inflate), in base 85. Throws Error (usage)
/// where zlib cannot.
std::string packed_deflated(std::string_view text);

}  // namespace twiddle
