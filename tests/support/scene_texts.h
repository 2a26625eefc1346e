// A scene's texts. What holds for every scene: they are in the pane, whole, and never on each other.
#pragma once

#include "viewer/scene/fonts.h"
#include "viewer/scene/scene.h"

#include <algorithm>
#include <string>
#include <vector>

namespace twiddle {

/// Whether one of a scene's texts has these words in it.
inline bool shows(const Scene& scene, const std::string& words) {
  return std::any_of(scene.shapes.begin(), scene.shapes.end(), [&](const Shape2D& shape) {
    const auto* text = std::get_if<TextShape>(&shape.geometry);
    return text && text->text.find(words) != std::string::npos;
  });
}

/// Sentences about texts of a scene that leave it or their clip, or overlap another one.
inline std::vector<std::string> text_faults(const Scene& scene) {
  constexpr float slack = 1.5f;  // px: a measured width against whole pixels
  struct Placed {
    Box box;
    const std::string* text;
  };
  std::vector<Placed> placed;
  std::vector<std::string> faults;
  for (const Shape2D& shape : scene.shapes) {
    const auto* text = std::get_if<TextShape>(&shape.geometry);
    if (text == nullptr) continue;
    // What of it is ink: capitals above the baseline, descenders below it.
    const Box whole = bounds(shape);
    const float cap = cap_height(text->font), descent = text->font.size * 0.22f;
    const Box box{whole.x, text->at.y - cap, whole.w, cap + descent};
    Box pane{0, 0, scene.width, scene.height};
    if (shape.clip >= 0) pane = scene.clips[shape.clip];
    pane.h += descent;  // a "g" may reach past the last row
    if (box.x < pane.x - slack || box.right() > pane.right() + slack || box.y < pane.y - slack ||
        box.bottom() > pane.bottom() + slack)
      faults.push_back("leaves its pane: " + text->text);
    for (const Placed& other : placed) {
      const float w = std::min(box.right(), other.box.right()) - std::max(box.x, other.box.x);
      const float h = std::min(box.bottom(), other.box.bottom()) - std::max(box.y, other.box.y);
      if (w > slack && h > slack) faults.push_back("overlaps: " + text->text + " | " + *other.text);
    }
    placed.push_back({box, &text->text});
  }
  return faults;
}

}  // namespace twiddle
