// The languages of the interface, and the one place that switches between them.
#pragma once

#include "viewer/scene/scene.h"

#include <string_view>

namespace twiddle {

/// Sets the language of the whole program: texts (base/tr.h) and the faces that measure them.
void use_language(Language language);
Language current_language();

/// English, Japanese, Chinese, and again.
Language next_language(Language language);

/// "en", "ja", "zh", as command lines and lessons write it; English for anything else.
std::string_view code_of(Language language);
Language language_of(std::string_view code);
/// "en", "ja", "zh_CN", as set_language() takes it.
std::string_view catalogue_code(Language language);
/// "en", "ja", "zh-Hans", as HTML has it; and what the language calls itself.
std::string_view html_code(Language language);
std::string_view own_name(Language language);

}  // namespace twiddle
