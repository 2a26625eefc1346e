// What every pane draws alike: type and distances at a scale, texts that fit, the outline of what is lit.
#pragma once

#include "viewer/scene/fonts.h"
#include "viewer/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// How large a pane's things are. Sizes and distances are given in layout units: px at scale 1.
struct Ink {
  float scale = 1;  // px of a layout unit

  float px(float units) const { return units * scale; }
  float thin(float units = 1) const { return std::max(1.0f, px(units)); }  // of lines: never below a pixel
  Font sans(float units, Weight weight = Weight::Regular) const { return {Face::Sans, weight, px(units)}; }
  Font mono(float units, Weight weight = Weight::Regular) const { return {Face::Mono, weight, px(units)}; }
  Font ui(Weight weight = Weight::Regular) const { return sans(13, weight); }
  Font caption(Weight weight = Weight::Regular) const { return sans(12, weight); }
  Font code(Weight weight = Weight::Regular) const { return mono(12, weight); }
  Stroke divider() const { return {Role::Line, std::max(1.0f, std::round(scale))}; }

  /// The outline of something hovered (`lit` 2) or pinned (1); 0: nothing. px.
  void outline(Scene& scene, const Box& box, float radius, int lit) const;
};

/// The baseline that centres capitals on y.
float baseline(const Font& font, float centre_y);
/// A text whose capitals are centred on a point.
void centred_text(Scene& scene, Point centre, std::string text, const Font& font, Role role);
/// A text centred on y and cut to `room` px; returns its width. Nothing is drawn when not a letter fits.
float label(Scene& scene, float x, float centre_y, std::string_view text, const Font& font, Role role, float room,
            Anchor anchor = Anchor::Start);
/// The same, but left out unless it fits whole; whether it was drawn.
bool label_if_fits(Scene& scene, float x, float centre_y, std::string_view text, const Font& font, Role role,
                   float room, Anchor anchor = Anchor::Start);
/// The same as label(), with formulas typeset: of a sentence, never of code.
float sentence_label(Scene& scene, float x, float centre_y, std::string_view text, const Font& font, Role role,
                     float room);
/// The first of several forms that fits whole.
bool first_fitting(Scene& scene, float x, float centre_y, const std::vector<std::string>& forms, const Font& font,
                   Role role, float room, Anchor anchor = Anchor::Start);

}  // namespace twiddle
