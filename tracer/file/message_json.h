// Messages as traces keep them, beside their English: {"text": "{} of {} was stopped: {}", "with": [{"text": …}, "k", 5]}.
#pragma once

#include "base/message.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace twiddle {

nlohmann::json json_of(const Message& message);

/// The message that is kept as `json`, to be told in any language. Untrusted: one that is not as json_of() writes it, or does
/// not say `english`, is `english` as it is; so is null, which is in the files of earlier versions.
Message message_of(const nlohmann::json& json, const std::string& english);

}  // namespace twiddle
