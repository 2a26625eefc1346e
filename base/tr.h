// What the window says, in the reader's language: GNU gettext's catalogues (po/*.po, compiled to .mo), read by ourselves.
// The C library's own gettext() takes the language from the process's environment and only when the system has such a
// locale installed; here it can change while the program runs, on any machine.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace twiddle {

/// The text in the language that is set; the text itself where there is no translation. What is returned lives as long as
/// the program.
const char* tr(const char* text);

/// The same in another language than that which is set, as set_language() names it.
const char* tr_in(std::string_view language, const char* text);

/// A text for the catalogues that is given to tr() later, where it is shown.
constexpr const char* translatable(const char* text) { return text; }

/// The form of a text that a number asks for, in the language that is set: in English `one` of 1 and `many` of any other.
/// The languages there are catalogues for have one form for all numbers.
const char* tr_plural(std::uint64_t count, const char* one, const char* many);

/// From now on tr() speaks this language: "en", "ja", "zh_CN". A language without a catalogue is English.
void set_language(std::string_view code);
std::string_view language_code();

/// A language's texts by the English ones.
using TextsOfALanguage = std::map<std::string, std::string, std::less<>>;
/// Those of the language that is set, and of any other, for as long as the program lives; null while none was set.
const TextsOfALanguage* current_texts();
const TextsOfALanguage* texts_of(std::string_view code);

/// The entries of a compiled catalogue, of a text with plural forms the singular and its first form; empty when the bytes are
/// none. They are untrusted.
TextsOfALanguage read_catalogue(std::string_view bytes);

}  // namespace twiddle
