#include "viewer/scene/languages.h"

#include "base/tr.h"
#include "viewer/scene/fonts.h"

namespace twiddle {

void use_language(Language language) {
  set_language(catalogue_code(language));
  measure_in(language);
}

Language current_language() { return language_of(language_code().substr(0, 2)); }

Language next_language(Language language) { return static_cast<Language>((static_cast<int>(language) + 1) % 3); }

std::string_view code_of(Language language) {
  return language == Language::Japanese ? "ja" : language == Language::Chinese ? "zh" : "en";
}

Language language_of(std::string_view code) {
  return code == "ja" ? Language::Japanese : code == "zh" ? Language::Chinese : Language::English;
}

std::string_view catalogue_code(Language language) {
  return language == Language::Chinese ? "zh_CN" : code_of(language);
}

std::string_view html_code(Language language) { return language == Language::Chinese ? "zh-Hans" : code_of(language); }

std::string_view own_name(Language language) {
  return language == Language::Japanese ? "日本語" : language == Language::Chinese ? "简体中文" : "English";
}

}  // namespace twiddle
