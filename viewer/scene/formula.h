// Formulas in running text, typeset: "w_8^3", "2^s", "e^(−2πi/N)". Texts keep them as they are typed, to be copied and read aloud.
#pragma once

#include "viewer/scene/scene.h"

#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// A piece of a text: on the line, or small above or below it. What is below is followed by what is above it, if both are.
struct FormulaPart {
  enum class Place : std::uint8_t { Line, Below, Above };
  std::string text;
  Place place = Place::Line;
  bool operator==(const FormulaPart&) const = default;
};

/// A text with its formulas taken apart; one part where there is none. A base is one letter, a number, "log" or a closing
/// bracket or bar; what is below or above is a number, one letter, or in parentheses, which are left out.
std::vector<FormulaPart> formula_parts(std::string_view text);

/// Its width as formula_text() draws it, px: never more than as it is typed.
float formula_width(const Font& font, std::string_view text);

/// Draws a text from a point on its baseline, with its formulas typeset. Returns how wide it is, px.
float formula_text(Scene& scene, Point at, std::string_view text, const Font& font, Role role);

}  // namespace twiddle
