// Faces: where they are on this machine, and how wide a text is in them. Layout measures text before it draws it.
#pragma once

#include "viewer/scene/scene.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// The font file for a face, found through fontconfig (Inter, JetBrains Mono; BIZ UDPGothic or IPAGothic for Japanese,
/// Noto Sans CJK SC or WenQuanYi for Chinese), with the face's index in a collection. Empty when nothing fits.
struct FontFile {
  std::filesystem::path path;
  int index = 0;
  std::string family;
};
FontFile font_file(Face face, Weight weight);
FontFile cjk_font_file(Language language, Weight weight);
/// A sentence, in English, when this machine has no face for a language's letters, or none at all; empty when it has one.
std::string missing_face(Language language);

/// The families a text is drawn in, most wanted first, as SVG and CSS write them ("'JetBrains Mono', …, monospace"); the
/// face that font_file finds is the first of them that this machine has.
std::string font_families(Face face, Language language);

/// The language whose face measures Han characters and kana from now on, in the whole program.
void measure_in(Language language);

/// Advance width of a UTF-8 text in px. Without font files, a good estimate (mono 0.6 em, sans 0.56 em, CJK 1 em).
float text_width(const Font& font, std::string_view text);

/// Height of capitals above the baseline, px: to centre text on a line (baseline = centre + cap_height / 2).
float cap_height(const Font& font);

/// The text cut with "…" so that it is at most `width` wide; empty when not even one letter fits.
std::string elide(const Font& font, std::string_view text, float width);
/// The text broken into lines of at most `width` px, where line_breaks.h says that they may end.
std::vector<std::string> wrap(const Font& font, std::string_view text, float width);

}  // namespace twiddle
