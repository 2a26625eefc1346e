// Text as a page carries it when it is long: deflated (zlib's format, which browsers inflate), in base64.
#pragma once

#include <string>
#include <string_view>

namespace twiddle {

std::string deflated_base64(std::string_view text);

}  // namespace twiddle
