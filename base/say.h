#pragma once

#include "base/message.h"

namespace twiddle {

template <typename... Arguments>
std::string say(fmt::format_string<Arguments...> text, const Arguments&... arguments) {
  return Message(text, arguments...).translated();
}

}  // namespace twiddle
